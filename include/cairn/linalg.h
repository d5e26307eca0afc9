/* cairn/linalg.h -- vectors, rotations and poses as the world's interface passes them.
 *
 * Quaternions are (w, x, y, z), unit, and turn body axes into world axes; matrices are column-major; frames are
 * right-handed; spatial vectors are angular first. */
#ifndef CAIRN_LINALG_H
#define CAIRN_LINALG_H

#ifdef __cplusplus
extern "C" {
#endif

/** A point or a direction. */
typedef struct crn_vec3 {
    double x, y, z;
} crn_vec3;

/** A rotation, as a unit quaternion. */
typedef struct crn_quat {
    double w, x, y, z;
} crn_quat;

/** Entry (i,j) at m[i + 3*j]. */
typedef struct crn_mat3 {
    double m[9];
} crn_mat3;

/** Where a frame is: a point p of it is at position + rotation p. */
typedef struct crn_pose {
    crn_vec3 position; /* [m] */
    crn_quat rotation;
} crn_pose;

/** The same with a matrix: what is used where many points are moved. */
typedef struct crn_frame {
    crn_mat3 rotation;
    crn_vec3 position; /* [m] */
} crn_frame;

/** Velocity of a rigid body. */
typedef struct crn_twist {
    crn_vec3 angular; /* [rad/s], world axes */
    crn_vec3 linear;  /* [m/s] of the point that the context names */
} crn_twist;

#ifdef __cplusplus
}
#endif
#endif
