/* Reading URDF in tests: a model from text, and what was warned about. */
#ifndef CRN_URDF_CASE_H
#define CRN_URDF_CASE_H

#include <cairn/io.h>

#include "test_support.h"

#include <math.h>

typedef struct said {
    char text[200][256];
    int count;
} said;

static inline void listen_to(void *user, const char *text)
{
    said *all = user;
    if (all->count < 200) {
        (void)snprintf(all->text[all->count], sizeof all->text[0], "%s", text);
    }
    ++all->count;
}

static inline crn_model *new_model(void)
{
    crn_model *model = NULL;
    assert_int_equal(crn_model_create(NULL, &model, NULL), CRN_OK);
    return model;
}

/* The robot in a model of its own; it must load. */
static inline crn_model *robot_of(const char *text, const crn_robot_options *options)
{
    crn_model *model = new_model();
    crn_error error;
    crn_status status = crn_io_read_urdf_text(text, strlen(text), "r.urdf", options, model, &error);
    TEST_CHECK(status == CRN_OK, "%s", error.text);
    assert_string_equal(error.text, "");
    return model;
}

static inline const crn_body_def *body_of(const crn_model *model, const char *name)
{
    int index = crn_model_find_body(model, name);
    TEST_CHECK(index >= 0, "no body '%s'", name);
    return crn_model_body(model, index);
}

static inline const crn_joint_def *joint_of(const crn_model *model, const char *name)
{
    int index = crn_model_find_joint(model, name);
    TEST_CHECK(index >= 0, "no joint '%s'", name);
    return crn_model_joint(model, index);
}

static inline void near_to(double a, double b, double tolerance)
{
    TEST_CHECK(fabs(a - b) <= tolerance, "%.17g instead of %.17g", a, b);
}

static inline void near_vector(crn_vec3 a, double x, double y, double z)
{
    near_to(a.x, x, 1e-14);
    near_to(a.y, y, 1e-14);
    near_to(a.z, z, 1e-14);
}

#endif
