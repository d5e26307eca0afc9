/* Worlds in few lines, for tests. */
#ifndef CRN_TEST_WORLD_CASE_H
#define CRN_TEST_WORLD_CASE_H

#include "test_support.h"

#include <math.h>

#include <cairn/world.h>

static const crn_body_id nobody = {0, 0};

static inline crn_world *new_world(const crn_world_def *def)
{
    crn_world *world = NULL;
    crn_error error;
    TEST_CHECK(crn_world_create(def, NULL, &world, &error) == CRN_OK, "%s", error.text);
    return world;
}

static inline crn_body_id add_body(crn_world *world, const crn_body_def *def)
{
    crn_body_id body = nobody;
    crn_error error;
    TEST_CHECK(crn_body_create(world, def, &body, &error) == CRN_OK, "%s", error.text);
    return body;
}

/* A body of one shape with mu 0.5; mass in kg for free ones. */
static inline crn_body_id add_shape(crn_world *world, crn_body_kind kind, crn_shape_kind shape_kind, crn_vec3 size,
                                    crn_vec3 position, double mass)
{
    crn_body_shape shape = crn_body_shape_default();
    crn_body_def def = crn_body_def_default();
    shape.shape = (crn_shape_def){.kind = shape_kind, .size = size};
    def.kind = kind;
    def.pose.position = position;
    def.mass = kind == CRN_BODY_FREE ? mass : 0.0;
    def.shape = &shape;
    def.shapes = 1;
    return add_body(world, &def);
}

static inline crn_body_id add_floor(crn_world *world)
{
    bool is_planar = crn_world_definition(world)->is_planar;
    return add_shape(world, CRN_BODY_FIXED, is_planar ? CRN_SHAPE_HALF_PLANE : CRN_SHAPE_PLANE, (crn_vec3){0, 0, 0},
                     (crn_vec3){0, 0, 0}, 0.0);
}

static inline crn_body_id add_box(crn_world *world, double half, crn_vec3 position, double mass)
{
    return add_shape(world, CRN_BODY_FREE, CRN_SHAPE_BOX, (crn_vec3){half, half, half}, position, mass);
}

static inline crn_body_id add_sphere(crn_world *world, double radius, crn_vec3 position, double mass)
{
    return add_shape(world, CRN_BODY_FREE, CRN_SHAPE_SPHERE, (crn_vec3){radius, 0, 0}, position, mass);
}

static inline crn_joint_id add_joint(crn_world *world, const crn_joint_def *def, crn_body_id a, crn_body_id b)
{
    crn_joint_id joint = {0, 0};
    crn_error error;
    TEST_CHECK(crn_joint_create(world, def, a, b, &joint, &error) == CRN_OK, "%s", error.text);
    return joint;
}

/* Step and insist on a certified answer. */
static inline crn_step_stats step_once(crn_world *world, double dt)
{
    crn_step_stats stats;
    crn_error error;
    TEST_CHECK(crn_world_step(world, dt, &stats, &error) == CRN_OK, "%s", error.text);
    TEST_CHECK(stats.outcome == CRN_LCP_SOLVED, "t = %g: outcome %d, certificate %g", stats.time, (int)stats.outcome,
               stats.certificate);
    return stats;
}

static inline crn_step_stats step_for(crn_world *world, double dt, double time)
{
    crn_step_stats stats = {0};
    for (int k = 0; k < (int)lround(time / dt); ++k) {
        stats = step_once(world, dt);
    }
    return stats;
}

static inline crn_vec3 position_of(const crn_world *world, crn_body_id body)
{
    crn_pose pose;
    assert_int_equal(crn_body_pose(world, body, &pose), CRN_OK);
    return pose.position;
}

static inline crn_twist velocity_of(const crn_world *world, crn_body_id body)
{
    crn_twist velocity;
    assert_int_equal(crn_body_velocity(world, body, &velocity), CRN_OK);
    return velocity;
}

#define CHECK_NEAR(value, right, within)                                                                         \
    do {                                                                                                         \
        double value_ = (value), right_ = (right), within_ = (within);                                           \
        TEST_CHECK(fabs(value_ - right_) <= within_, "%s is %.15g, not %.15g within %g", #value, value_, right_, \
                   within_);                                                                                     \
    } while (0)

#endif
