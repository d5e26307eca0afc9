/* Ids of bodies and joints: which are valid, and the index behind them. */
#include "world/world.h"

int crn_world_body_index(const crn_world *world, crn_body_id id)
{
    int i = (int)id.index1 - 1;
    bool is_valid = world && i >= 0 && i < world->stepper.bodies && world->stepper.body[i].id.index1 != 0 &&
                    world->stepper.body[i].id.generation == id.generation;
    return is_valid ? i : -1;
}

bool crn_body_is_valid(const crn_world *w, crn_body_id body)
{
    return crn_world_body_index(w, body) >= 0;
}

int crn_world_bodies(const crn_world *w)
{
    return w ? w->stepper.bodies : 0;
}

crn_body_id crn_world_body(const crn_world *w, int index1)
{
    crn_body_id none = {0, 0};
    return w && index1 >= 1 && index1 <= w->stepper.bodies ? w->stepper.body[index1 - 1].id : none;
}

int crn_world_joint_index(const crn_world *w, crn_joint_id id)
{
    int i = (int)id.index1 - 1;
    bool is_valid = w && i >= 0 && i < w->stepper.joints && w->stepper.joint[i].is_used &&
                    w->stepper.joint[i].generation == id.generation;
    return is_valid ? i : -1;
}

bool crn_joint_is_valid(const crn_world *w, crn_joint_id joint)
{
    return crn_world_joint_index(w, joint) >= 0;
}

int crn_world_joints(const crn_world *w)
{
    return w ? w->stepper.joints : 0;
}

crn_joint_id crn_world_joint(const crn_world *w, int index1)
{
    crn_joint_id id = {0, 0};
    if (w && index1 >= 1 && index1 <= w->stepper.joints && w->stepper.joint[index1 - 1].is_used) {
        id = (crn_joint_id){index1, w->stepper.joint[index1 - 1].generation};
    }
    return id;
}
