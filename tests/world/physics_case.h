/* What the tests of physics share: a scene as a world, steps that must be solved, and figures beside the right answer.
 *
 *     incline: creep = 2.8e-11, right = 0, within 1e-10
 *
 * A figure is printed, then asserted. */
#ifndef CRN_PHYSICS_CASE_H
#define CRN_PHYSICS_CASE_H

#include "gallery_worlds.h"

#include "test_support.h"

#include <cairn/world.h>

#include <math.h>

#define PHYSICS_PI 3.14159265358979323846
#define PHYSICS_G  9.81

static inline void physics_figure(const char *scene, const char *figure, double value, double right, double within)
{
    print_message("%s: %s = %.12g, right = %.12g, within %.3g\n", scene, figure, value, right, within);
    TEST_CHECK(fabs(value - right) <= within, "%s: %s is off by %g", scene, figure, value - right);
}

static inline void physics_at_most(const char *scene, const char *figure, double value, double most)
{
    print_message("%s: %s = %.3g, right = 0, within %.3g\n", scene, figure, value, most);
    TEST_CHECK(value <= most, "%s: %s is %g", scene, figure, value);
}

/* Exponent p of error = C h^p, by least squares on logarithms. */
static inline double physics_order(const double *h, const double *error, int count)
{
    double x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
    for (int i = 0; i < count; ++i) {
        double a = log(h[i]), b = log(error[i]);
        x += a;
        y += b;
        xx += a * a;
        xy += a * b;
    }
    return (count * xy - x * y) / (count * xx - x * x);
}

/* --- Models and worlds --- */

static inline crn_model *physics_model(void)
{
    crn_model *model = NULL;
    assert_int_equal(crn_model_create(NULL, &model, NULL), CRN_OK);
    return model;
}

/* Fill a new model by a call with `model` and `error` in it. */
#define PHYSICS_FILL(model, call)                                  \
    do {                                                           \
        crn_error error = {CRN_OK, ""};                            \
        (model) = physics_model();                                 \
        TEST_CHECK((call) == CRN_OK, "%s: %s", #call, error.text); \
    } while (0)

static inline crn_model *physics_scene(const char *name)
{
    crn_model *model = NULL;
    crn_error error = {CRN_OK, ""};
    TEST_CHECK(crn_gallery_world(name, &model, &error) == CRN_OK, "%s: %s", name, error.text);
    return model;
}

/* The world of a model, which is destroyed. */
static inline crn_world *physics_world(crn_model *model)
{
    crn_world *world = NULL;
    crn_error error = {CRN_OK, ""};
    crn_status status = crn_world_create_from(model, NULL, &world, &error);
    TEST_CHECK(status == CRN_OK, "world: %s", error.text);
    crn_model_destroy(model);
    return world;
}

/* --- Steps --- */

/* One step that must be solved, by Coulomb's law, without giving in. */
static inline crn_step_stats physics_step(crn_world *world, double h)
{
    crn_step_stats stats;
    crn_error error = {CRN_OK, ""};
    crn_status status = crn_world_step(world, h, &stats, &error);
    TEST_CHECK(status == CRN_OK, "step to %g s: %s", crn_world_time(world), error.text);
    TEST_CHECK(stats.outcome == CRN_LCP_SOLVED && stats.law == CRN_LAW_COULOMB && !stats.is_relaxed,
               "step to %g s: outcome %d, law %d, relaxed %d, certificate %g", stats.time, (int)stats.outcome,
               (int)stats.law, stats.is_relaxed, stats.certificate);
    return stats;
}

static inline crn_step_stats physics_run(crn_world *world, double h, int steps)
{
    crn_step_stats stats = {0};
    for (int i = 0; i < steps; ++i) {
        stats = physics_step(world, h);
    }
    return stats;
}

/* --- Bodies by index 0, 1, ... --- */

static inline crn_pose physics_pose(const crn_world *world, int body)
{
    crn_pose pose;
    assert_int_equal(crn_body_pose(world, crn_world_body(world, body + 1), &pose), CRN_OK);
    return pose;
}

static inline crn_twist physics_velocity(const crn_world *world, int body)
{
    crn_twist velocity;
    assert_int_equal(crn_body_velocity(world, crn_world_body(world, body + 1), &velocity), CRN_OK);
    return velocity;
}

static inline double physics_length(crn_vec3 v)
{
    return sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

static inline double physics_distance(crn_vec3 a, crn_vec3 b)
{
    return physics_length((crn_vec3){a.x - b.x, a.y - b.y, a.z - b.z});
}

static inline double physics_overlap(crn_world *world)
{
    double depth = 0.0;
    assert_int_equal(crn_world_overlap(world, &depth, NULL, NULL), CRN_OK);
    return depth;
}

#endif
