/* Definitions as they are before the caller changes them. */
#include <cairn/model.h>

#include "base/memory.h"

#include "math/rigid.h"

crn_body_shape crn_body_shape_default(void)
{
    return (crn_body_shape){.shape = {.kind = CRN_SHAPE_SPHERE, .size = {1.0, 0.0, 0.0}},
                            .pose = crn_pose_identity(),
                            .friction = 0.5,
                            .density = 1000.0,
                            .group = UINT32_MAX,
                            .mask = UINT32_MAX,
                            .color = {-1.0, -1.0, -1.0}};
}

crn_body_def crn_body_def_default(void)
{
    return (crn_body_def){.kind = CRN_BODY_FREE,
                          .pose = crn_pose_identity(),
                          .gravity_scale = 1.0,
                          .motion = {.axis = {0.0, 0.0, 1.0}},
                          .cookie = CRN_COOKIE};
}

crn_joint_def crn_joint_def_default(void)
{
    crn_joint_def def = {.kind = CRN_JOINT_FIXED,
                         .a = -1,
                         .b = -1,
                         .frame_a = crn_pose_identity(),
                         .frame_b = crn_pose_identity(),
                         .cookie = CRN_COOKIE};
    for (int i = 0; i < CRN_JOINT_COORDINATES_MAX; ++i) {
        def.axis[i] = (crn_joint_axis){.lower = INFINITY, .upper = -INFINITY, .max_force = INFINITY, .ratio = 1.0};
    }
    return def;
}

crn_site_def crn_site_def_default(void)
{
    return (crn_site_def){.body = -1, .pose = crn_pose_identity(), .zone = CRN_SHAPE_SPHERE, .cookie = CRN_COOKIE};
}

crn_tendon_part crn_tendon_part_default(void)
{
    return (crn_tendon_part){.joint = -1, .factor = 1.0, .site = -1, .body = -1, .pose = crn_pose_identity()};
}

crn_tendon_def crn_tendon_def_default(void)
{
    return (crn_tendon_def){
        .lower = INFINITY, .upper = -INFINITY, .rest_lower = INFINITY, .rest_upper = -INFINITY, .cookie = CRN_COOKIE};
}

crn_actuator_def crn_actuator_def_default(void)
{
    return (crn_actuator_def){.joint = -1,
                              .tendon = -1,
                              .gain = 1.0,
                              .lower = -INFINITY,
                              .upper = INFINITY,
                              .force_lower = -INFINITY,
                              .force_upper = INFINITY,
                              .cookie = CRN_COOKIE};
}

crn_pair_def crn_pair_def_default(void)
{
    return (crn_pair_def){.collides = true, .friction = -1.0, .restitution = -1.0, .cookie = CRN_COOKIE};
}

crn_load_def crn_load_def_default(void)
{
    return (crn_load_def){.factor = {.value = 1.0}, .from = -INFINITY, .until = INFINITY, .cookie = CRN_COOKIE};
}

crn_world_def crn_world_def_default(void)
{
    return (crn_world_def){.gravity = {0.0, 0.0, -9.81},
                           .dt = 0.01,
                           .duration = 10.0,
                           .scheme = CRN_SCHEME_COULOMB,
                           .cone = CRN_CONE_ROUND,
                           .directions = 8,
                           .method = CRN_CONTACT_AUTO,
                           .friction_rule = CRN_FRICTION_GEOMETRIC,
                           .joint_tolerance = 1e-9,
                           .sleep_speed = 1e-3,
                           .cookie = CRN_COOKIE};
}
