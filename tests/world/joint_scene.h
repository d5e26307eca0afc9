/* Bodies without shapes and joints between them, given by where they are in the world. */
#ifndef CRN_TEST_JOINT_SCENE_H
#define CRN_TEST_JOINT_SCENE_H

#include "world_case.h"

#include "math/rigid.h"

static const crn_joint_id no_joint = {0, 0};
static const double turn_90 = 1.57079632679489661923;

static inline crn_world_def joint_world(bool is_planar, double gravity)
{
    crn_world_def def = crn_world_def_default();
    def.is_planar = is_planar;
    def.gravity = is_planar ? crn_v3(0, -gravity, 0) : crn_v3(0, 0, -gravity);
    return def;
}

/* The same in the order of an integrator; what closes a loop is repaired to the tolerance to which rows are closed. */
static inline crn_world_def joint_world_in(crn_integrator integrator, bool is_planar, double gravity)
{
    crn_world_def def = joint_world(is_planar, gravity);
    def.integrator = integrator;
    def.repair_tolerance = def.joint_tolerance;
    return def;
}

/* Kick then drift with rows; and the order of every world. */
static const crn_integrator both_orders[2] = {CRN_INTEGRATOR_HART, CRN_INTEGRATOR_REFLECT};

/* 2 kg with principal inertias of their own, the centre of mass off the body's origin. */
static inline crn_body_def lump_def(bool is_planar)
{
    crn_body_def def = crn_body_def_default();
    def.mass = 2.0;
    def.inertia = (crn_mat3){{0.03, 0, 0, 0, 0.05, 0, 0, 0, 0.06}};
    def.com = crn_v3(0.05, -0.02, is_planar ? 0.0 : 0.03);
    return def;
}

static inline crn_body_id add_lump(crn_world *world, crn_pose pose, crn_vec3 angular, crn_vec3 velocity)
{
    crn_body_def def = lump_def(crn_world_definition(world)->is_planar);
    def.pose = pose;
    def.angular = angular;
    def.velocity = velocity;
    return add_body(world, &def);
}

/* A uniform bar, 1 kg, between two points; its frame has x along it and its origin in the middle. */
static inline crn_body_id add_bar(crn_world *world, crn_vec3 from, crn_vec3 to)
{
    crn_vec3 d = crn_v3_sub(to, from);
    double length = crn_v3_length(d), along = 1e-3 * length * length;
    double angle = atan2(d.y, d.x);
    crn_body_def def = crn_body_def_default();
    def.mass = 1.0;
    def.inertia = (crn_mat3){{along, 0, 0, 0, length * length / 12, 0, 0, 0, length * length / 12}};
    def.pose.position = crn_v3_scale(0.5, crn_v3_add(from, to));
    def.pose.rotation = crn_quat_exp(crn_v3(0, 0, angle));
    return add_body(world, &def);
}

static inline crn_pose pose_of(const crn_world *world, crn_body_id body)
{
    crn_pose pose = crn_pose_identity();
    if (body.index1 != 0) {
        assert_int_equal(crn_body_pose(world, body, &pose), CRN_OK);
    }
    return pose;
}

/* A frame of the world as the body sees it. */
static inline crn_pose seen_from(const crn_world *world, crn_body_id body, crn_pose frame)
{
    crn_pose pose = pose_of(world, body);
    crn_quat back = crn_quat_conjugate(pose.rotation);
    return (crn_pose){crn_quat_turn(back, crn_v3_sub(frame.position, pose.position)),
                      crn_quat_unit(crn_quat_product(back, frame.rotation))};
}

/* A joint whose frames are both at `frame` now. */
static inline crn_joint_def joint_at(const crn_world *world, crn_joint_kind kind, crn_body_id a, crn_body_id b,
                                     crn_pose frame)
{
    crn_joint_def def = crn_joint_def_default();
    def.kind = kind;
    def.frame_a = seen_from(world, a, frame);
    def.frame_b = seen_from(world, b, frame);
    return def;
}

/* A hinge about the world's z through a point. */
static inline crn_joint_id add_hinge_z(crn_world *world, crn_body_id a, crn_body_id b, crn_vec3 point)
{
    crn_joint_def def = joint_at(world, CRN_JOINT_HINGE, a, b, (crn_pose){point, {1, 0, 0, 0}});
    return add_joint(world, &def, a, b);
}

static inline bool is_in_tree(const crn_world *world, crn_joint_id joint)
{
    double velocity[CRN_JOINT_FREEDOM_MAX];
    return crn_joint_velocity(world, joint, velocity) == CRN_OK;
}

static inline double error_of(const crn_world *world, crn_joint_id joint)
{
    double distance, angle;
    assert_int_equal(crn_joint_error(world, joint, &distance, &angle), CRN_OK);
    return fmax(distance, angle);
}

static inline double worst_error(const crn_world *world)
{
    double worst = 0.0;
    for (int i = 1; i <= crn_world_joints(world); ++i) {
        worst = fmax(worst, error_of(world, crn_world_joint(world, i)));
    }
    return worst;
}

static inline double coordinate_of(const crn_world *world, crn_joint_id joint, int i)
{
    double value[CRN_JOINT_COORDINATES_MAX] = {0}, speed[CRN_JOINT_COORDINATES_MAX] = {0};
    assert_int_equal(crn_joint_coordinate(world, joint, value, speed), CRN_OK);
    return value[i];
}

static inline double speed_of(const crn_world *world, crn_joint_id joint, int i)
{
    double value[CRN_JOINT_COORDINATES_MAX] = {0}, speed[CRN_JOINT_COORDINATES_MAX] = {0};
    assert_int_equal(crn_joint_coordinate(world, joint, value, speed), CRN_OK);
    return speed[i];
}

static inline crn_vec3 random_vector(crn_random *random, double size)
{
    double x = crn_random_uniform(random, -size, size), y = crn_random_uniform(random, -size, size);
    return crn_v3(x, y, crn_random_uniform(random, -size, size));
}

static inline crn_quat random_rotation(crn_random *random)
{
    double w = crn_random_normal(random), x = crn_random_normal(random), y = crn_random_normal(random);
    return crn_quat_unit((crn_quat){w, x, y, crn_random_normal(random)});
}

#define CHECK_NEAR3(value, right, within)                                                                            \
    do {                                                                                                             \
        crn_vec3 value3_ = (value), right3_ = (right);                                                               \
        TEST_CHECK(crn_v3_length(crn_v3_sub(value3_, right3_)) <= (within),                                          \
                   "%s is (%.12g, %.12g, %.12g), not (%.12g, %.12g, %.12g) within %g", #value, value3_.x, value3_.y, \
                   value3_.z, right3_.x, right3_.y, right3_.z, (double)(within));                                    \
    } while (0)

#endif
