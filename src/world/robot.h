/* A robot: links of a world by their ids, and the tree that they make. */
#ifndef CRN_WORLD_ROBOT_H
#define CRN_WORLD_ROBOT_H

#include <cairn/robot.h>

#include "world/world.h"

struct crn_robot {
    crn_world *world;
    crn_body_id of; /* whose links they are; null: all free bodies */
    int links;
    crn_body_id *body;   /* of each link */
    crn_joint_id *joint; /* above it; null: it floats */
    crn_tree *tree;      /* of the same links, in the bodies' frames */
    double *q, *u;       /* now */
    double *wrench;      /* 6 per link: scratch */
    double *force;       /* one per velocity: scratch */
};

/* robot.c: are the links still those of the world? */
bool crn_robot_is_current(crn_robot *robot);

/* robot_state.c: q and u of the robot now, as they are in the world. */
void crn_robot_read_state(crn_robot *robot);

#endif
