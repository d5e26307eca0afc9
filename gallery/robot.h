/* robot.h -- a small humanoid of 20 joints, and the motions that it is driven through. Not for users of the gallery. */
#ifndef CAIRN_GALLERY_ROBOT_H
#define CAIRN_GALLERY_ROBOT_H

#include "build_tree.h"

/** Joints of a leg and of an arm; turns are about z (up), x (forward) or y (left). */
enum {
    CRN_ROBOT_HIP_YAW = 0,
    CRN_ROBOT_HIP_ROLL,
    CRN_ROBOT_HIP_PITCH,
    CRN_ROBOT_KNEE,
    CRN_ROBOT_ANKLE_PITCH,
    CRN_ROBOT_ANKLE_ROLL,
    CRN_ROBOT_LEG_JOINTS,
    CRN_ROBOT_SHOULDER_PITCH = 0,
    CRN_ROBOT_SHOULDER_ROLL,
    CRN_ROBOT_SHOULDER_YAW,
    CRN_ROBOT_ELBOW,
    CRN_ROBOT_ARM_JOINTS
};

/** Angle of every joint over time, 0 at first; index 0 of legs and arms is the left one. */
typedef struct crn_robot_motion {
    crn_profile leg[2][CRN_ROBOT_LEG_JOINTS];
    crn_profile arm[2][CRN_ROBOT_ARM_JOINTS];
} crn_robot_motion;

#define CRN_ROBOT_BEND      0.25  /* of the knees' halves at first [rad] */
#define CRN_ROBOT_BONE      0.11  /* thigh and shin [m] */
#define CRN_ROBOT_HALF_FEET 0.035 /* of the feet's distance [m] */

/** Add the robot, standing on z = 0 with its ankles at x = 0. Every joint is driven. */
void crn_robot_add(crn_build *b, const crn_robot_motion *motion);

/** The angles that put a foot, level, at (0, aside, -down) from its hip, for legs that begin with CRN_ROBOT_BEND. */
void crn_robot_reach(double aside, double down, double angle[CRN_ROBOT_LEG_JOINTS]);

/** From hip to ankle at first [m]. */
double crn_robot_leg_length(void);

#endif
