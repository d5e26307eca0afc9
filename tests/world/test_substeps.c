/* Steps in parts: a step that is refused leaves no trace, one that would not be certified as a whole is made in parts, and
 * pushes and flight do not depend on how long steps are. */
#include "test_support.h"

#include <math.h>

#include "random_world.h"
#include "snapshot_case.h"
#include "world/world.h"

static crn_world *random_world(uint64_t seed)
{
    crn_error error = {CRN_OK, ""};
    crn_model *model = NULL;
    crn_world *world = NULL;
    assert_int_equal(crn_model_create(NULL, &model, &error), CRN_OK);
    assert_int_equal(crn_random_world(seed, model, &error), CRN_OK);
    TEST_CHECK(crn_world_create_from(model, NULL, &world, &error) == CRN_OK, "seed %llu: %s", (unsigned long long)seed,
               error.text);
    crn_model_destroy(model);
    return world;
}

static double step_of(const crn_world *world)
{
    return crn_world_definition(world)->dt;
}

/* --- Refused --- */

/* Refuse a step whatever its verdict is. */
static void refuse_step(crn_world *world, double h, uint64_t seed)
{
    crn_step_part part = {.refused = ~0u};
    crn_step_stats stats;
    crn_error error = {CRN_OK, ""};
    bool is_taken = true;
    snapshot before = take(world);
    crn_status status = crn_step_advance(&world->stepper, h, &part, &stats, &is_taken, &error);
    snapshot after = take(world);
    TEST_CHECK(status == CRN_OK || status == CRN_ERR_DIVERGED, "seed %llu: %s", (unsigned long long)seed, error.text);
    TEST_CHECK(!is_taken, "seed %llu: a step of which every verdict is refused was taken", (unsigned long long)seed);
    TEST_CHECK(before.size == after.size && memcmp(before.data, after.data, before.size) == 0,
               "seed %llu: a refused step has left a trace", (unsigned long long)seed);
    free(before.data);
    free(after.data);
}

/* Of the same length, and of another one, for which the last kick is made again. */
static void test_refused_steps_leave_no_trace(void **state)
{
    (void)state;
    enum { WORLDS = 300, STEPS = 12 };
    for (uint64_t seed = 1; seed <= WORLDS; ++seed) {
        crn_world *world = random_world(seed);
        crn_status status = CRN_OK;
        for (int k = 0; k < STEPS && status == CRN_OK; ++k) {
            crn_error error;
            status = crn_world_step(world, step_of(world), NULL, &error);
            if (status == CRN_OK && k % 4 == 3) {
                refuse_step(world, step_of(world), seed);
                refuse_step(world, 0.3 * step_of(world), seed);
            }
        }
        crn_world_destroy(world);
    }
}

/* --- In parts --- */

/* A four-bar that turns by a radian a step is not held by its loop at this step, but in parts of it; the ledger adds up. */
static void test_a_fast_linkage_is_stepped_in_parts(void **state)
{
    (void)state;
    enum { STEPS = 100 };
    const uint64_t seed = 7315;
    crn_world *world = random_world(seed);
    double h = step_of(world);
    int in_parts = 0;
    for (int k = 1; k <= STEPS; ++k) {
        crn_error error;
        crn_step_stats stats;
        TEST_CHECK(crn_world_step(world, h, &stats, &error) == CRN_OK, "%s", error.text);
        const crn_ledger *l = &stats.ledger;
        double sum = l->loads + l->motors + l->driven + l->friction + l->impact + l->damping + l->projection +
                     l->repair + l->integration + l->unexplained;
        TEST_CHECK(stats.verdict == CRN_VERDICT_CERTIFIED, "step %d: %s", k, crn_verdict_name(stats.verdict));
        TEST_CHECK(fabs(l->after - l->before - sum) <= 1e-12 * l->scale, "step %d: ledger off by %g of %g", k,
                   l->after - l->before - sum, l->scale);
        TEST_CHECK(fabs(stats.time - k * h) <= 1e-12 * k * h, "step %d ends at %.17g", k, stats.time);
        in_parts += stats.parts > 1;
    }
    TEST_CHECK(in_parts > 0 && in_parts < STEPS, "%d of %d steps in parts", in_parts, STEPS);
    crn_world_destroy(world);
}

/* --- Steps of other lengths --- */

static crn_world *ball_in_flight(crn_body_id *ball)
{
    crn_world_def def = crn_world_def_default();
    crn_body_def body = crn_body_def_default();
    crn_body_shape on_body = crn_body_shape_default();
    crn_world *world = NULL;
    crn_error error;
    body.shape = &on_body;
    body.shapes = 1;
    body.mass = 2.0;
    body.velocity = (crn_vec3){3, 0, 4};
    assert_int_equal(crn_world_create(&def, NULL, &world, &error), CRN_OK);
    TEST_CHECK(crn_body_create(world, &body, ball, &error) == CRN_OK, "%s", error.text);
    return world;
}

/* The parabola, in place and in velocity as shown, whatever lengths steps have. */
static void test_flight_with_steps_of_all_lengths(void **state)
{
    (void)state;
    static const double length[] = {0.01, 0.002, 0.03, 0.001, 0.1, 0.05, 0.0005};
    crn_body_id ball;
    crn_world *world = ball_in_flight(&ball);
    double g = crn_v3_length(crn_world_definition(world)->gravity), t = 0.0;
    for (int k = 0; k < 70; ++k) {
        crn_error error;
        crn_step_stats stats;
        crn_pose pose;
        crn_twist twist;
        t += length[k % 7];
        TEST_CHECK(crn_world_step(world, length[k % 7], &stats, &error) == CRN_OK, "%s", error.text);
        assert_int_equal(crn_body_pose(world, ball, &pose), CRN_OK);
        assert_int_equal(crn_body_velocity(world, ball, &twist), CRN_OK);
        TEST_CHECK(fabs(pose.position.z - (4 * t - 0.5 * g * t * t)) <= 1e-12 * (1 + g * t * t), "t = %g: off by %g", t,
                   pose.position.z - (4 * t - 0.5 * g * t * t));
        TEST_CHECK(fabs(twist.linear.z - (4 - g * t)) <= 1e-12 * (1 + g * t), "t = %g: speed off by %g", t,
                   twist.linear.z - (4 - g * t));
        TEST_CHECK(stats.verdict == CRN_VERDICT_CERTIFIED, "t = %g: %s", t, crn_verdict_name(stats.verdict));
    }
    crn_world_destroy(world);
}

/* A push acts once: its impulse is F h of the step that it was given for, whatever the next one is. */
static void test_a_push_acts_once(void **state)
{
    (void)state;
    crn_body_id ball;
    crn_world *world = ball_in_flight(&ball);
    crn_error error;
    crn_twist twist;
    crn_pose pose;
    const crn_vec3 force = {0, 5, 0};
    const double h = 0.01;
    TEST_CHECK(crn_world_step(world, h, NULL, &error) == CRN_OK, "%s", error.text);
    assert_int_equal(crn_body_pose(world, ball, &pose), CRN_OK);
    assert_int_equal(crn_body_apply_force(world, ball, force, pose.position), CRN_OK);
    TEST_CHECK(crn_world_step(world, h, NULL, &error) == CRN_OK, "%s", error.text);
    TEST_CHECK(crn_world_step(world, 0.2 * h, NULL, &error) == CRN_OK, "%s", error.text);
    TEST_CHECK(crn_world_step(world, 3.0 * h, NULL, &error) == CRN_OK, "%s", error.text);
    assert_int_equal(crn_body_velocity(world, ball, &twist), CRN_OK);
    TEST_CHECK(fabs(twist.linear.y - force.y * h / 2.0) <= 1e-15, "speed %.17g", twist.linear.y);
    crn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused_steps_leave_no_trace),
        cmocka_unit_test(test_a_fast_linkage_is_stepped_in_parts),
        cmocka_unit_test(test_flight_with_steps_of_all_lengths),
        cmocka_unit_test(test_a_push_acts_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
