/* perturb.c -- scenes of trees from other starts: a random velocity on every joint that is free to move. */
#include "gallery_worlds.h"

static bool is_driven(const crn_joint_def *joint)
{
    bool is = false;
    for (int k = 0; k < crn_joint_kind_coordinates(joint->kind); ++k) {
        is = is || joint->axis[k].has_motor;
    }
    return is;
}

crn_status crn_gallery_perturb(const crn_model *model, crn_world *world, uint64_t seed, double speed)
{
    crn_random random = crn_random_seed(seed);
    crn_status status = CRN_OK;
    for (int j = 0; j < crn_model_joints(model) && status == CRN_OK; ++j) {
        const crn_joint_def *joint = crn_model_joint(model, j);
        if (joint->in_tree && !is_driven(joint)) {
            double velocity[CRN_JOINT_FREEDOM_MAX];
            for (int k = 0; k < crn_joint_kind_freedom(joint->kind); ++k) {
                velocity[k] = crn_random_uniform(&random, -speed, speed);
            }
            status = crn_joint_set_velocity(world, crn_world_joint(world, j + 1), velocity);
        }
    }
    return status;
}
