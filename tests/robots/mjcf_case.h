/* What tests of MJCF share: a model from text, and the warnings that reading it gave. */
#ifndef CRN_TEST_MJCF_CASE_H
#define CRN_TEST_MJCF_CASE_H

#include "io/io_room.h"

#include "math/rigid.h"
#include "test_support.h"

typedef struct mjcf_warnings {
    char text[4096]; /* all of them, a line each */
    int count;
} mjcf_warnings;

static inline void mjcf_warn(void *user, const char *text)
{
    mjcf_warnings *warnings = user;
    size_t used = strlen(warnings->text);
    (void)snprintf(warnings->text + used, sizeof warnings->text - used, "%s\n", text);
    warnings->count++;
}

/* body: what stands inside <mujoco>. options may be NULL. */
static inline crn_model *mjcf_read_with(const char *body, const crn_robot_options *options)
{
    char text[8192];
    int length = snprintf(text, sizeof text, "<mujoco>%s</mujoco>", body);
    assert_true(length > 0 && (size_t)length < sizeof text);
    crn_model *model = NULL;
    crn_error error = {CRN_ERR_IO, "old"};
    assert_int_equal(crn_model_create(NULL, &model, &error), CRN_OK);
    crn_status status = crn_io_read_mjcf_text(text, (size_t)length, "m.xml", options, model, &error);
    TEST_CHECK(status == CRN_OK, "%s", error.text);
    assert_true(error.status == CRN_OK && error.text[0] == '\0');
    return model;
}

static inline crn_model *mjcf_read(const char *body)
{
    return mjcf_read_with(body, NULL);
}

static inline const crn_body_def *mjcf_body_of(const crn_model *model, const char *name)
{
    int index = crn_model_find_body(model, name);
    TEST_CHECK(index >= 0, "no body %s", name);
    return crn_model_body(model, index);
}

static inline const crn_joint_def *mjcf_joint_of(const crn_model *model, const char *name)
{
    int index = crn_model_find_joint(model, name);
    TEST_CHECK(index >= 0, "no joint %s", name);
    return crn_model_joint(model, index);
}

/* A joint frame in the world at the start; side 0: a, 1: b. */
static inline crn_pose mjcf_joint_place(const crn_model *model, const crn_joint_def *joint, int side)
{
    int body = side == 0 ? joint->a : joint->b;
    crn_pose place = body < 0 ? crn_pose_identity() : crn_model_body(model, body)->pose;
    return crn_pose_product(&place, side == 0 ? &joint->frame_a : &joint->frame_b);
}

static inline void mjcf_expect_vector(crn_vec3 v, double x, double y, double z)
{
    double apart = crn_v3_length(crn_v3_sub(v, crn_v3(x, y, z)));
    TEST_CHECK(apart <= 1e-13, "(%.17g, %.17g, %.17g) instead of (%g, %g, %g)", v.x, v.y, v.z, x, y, z);
}

static inline void mjcf_expect_number(double is, double should)
{
    TEST_CHECK(fabs(is - should) <= 1e-13 * fmax(1.0, fabs(should)), "%.17g instead of %.17g", is, should);
}

/* Could shapes of the two bodies touch, by masks and joints? */
static inline bool mjcf_can_touch(const crn_model *model, int a, int b)
{
    const crn_body_def *one = crn_model_body(model, a), *two = crn_model_body(model, b);
    bool can = false;
    for (int i = 0; i < one->shapes; ++i) {
        for (int k = 0; k < two->shapes; ++k) {
            const crn_body_shape *s = &one->shape[i], *t = &two->shape[k];
            can = can || ((s->group & t->mask) != 0 && (t->group & s->mask) != 0);
        }
    }
    bool is_masked = can;
    for (int i = 0; i < crn_model_joints(model); ++i) {
        const crn_joint_def *joint = crn_model_joint(model, i);
        bool is_pair = (joint->a == a && joint->b == b) || (joint->a == b && joint->b == a);
        can = can && !(is_pair && !joint->bodies_collide);
    }
    for (int i = 0; i < crn_model_pairs(model); ++i) { /* a pair says what joints do not */
        const crn_pair_def *pair = crn_model_pair(model, i);
        bool is_pair = (pair->a == a && pair->b == b) || (pair->a == b && pair->b == a);
        can = is_pair ? pair->collides && is_masked : can;
    }
    return can && !(one->kind == CRN_BODY_FIXED && two->kind == CRN_BODY_FIXED);
}

#endif
