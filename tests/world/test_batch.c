/* Many worlds at once: each moves as it would alone, to the last bit, on any number of threads. */
#include "tree_case.h"

#include "gallery_worlds.h"
#include "test_allocator.h"

#include <cairn/batch.h>
#include <cairn/robot.h>

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORLDS = 9, MOMENTS = 12, HOLD = 3 };

static const double dt = 0.005;

/* --- Models --- */

static crn_model *gallery(const char *name)
{
    crn_model *model = NULL;
    crn_error error;
    TEST_CHECK(crn_gallery_world(name, &model, &error) == CRN_OK, "%s", error.text);
    return model;
}

/* A wheel of this inertia on a motor, which lags if it has a time constant, and a sensor of its angle. */
static crn_model *wheel(double inertia, double time_constant)
{
    crn_model *model = tree_model(tree_nothing);
    crn_joint_def joint = tree_wheel(model, 0.0, inertia);
    crn_actuator_def motor = crn_actuator_def_default();
    motor.gain = 3.0;
    motor.time_constant = time_constant;
    motor.joint = tree_add(model, &joint);
    TREE_CHECK(crn_model_add_actuator(model, &motor, NULL, error));
    crn_probe_def probe = {.name = "angle", .kind = CRN_PROBE_JOINT_COORDINATE, .target = motor.joint};
    TREE_CHECK(crn_model_add_probe(model, &probe, NULL, error));
    return model;
}

static crn_batch *batch_of(const crn_model *const *model, int models, int worlds, int threads)
{
    crn_batch_def def = {.model = model, .models = models, .worlds = worlds, .threads = threads};
    crn_batch *batch = NULL;
    crn_error error;
    TEST_CHECK(crn_batch_create(&def, NULL, &batch, &error) == CRN_OK, "%s", error.text);
    return batch;
}

static void step(crn_batch *batch, const crn_batch_run *run)
{
    crn_error error;
    TEST_CHECK(crn_batch_step(batch, run, &error) == CRN_OK, "%s", error.text);
}

/* Velocities of a world's own, so that no two of them move alike. */
static void shake(const crn_model *model, crn_world *world, int index)
{
    assert_int_equal(crn_gallery_perturb(model, world, 77 + (uint64_t)index, 3.0), CRN_OK);
}

/* --- The same bits --- */

static uint64_t alone(const crn_model *model, int index, int steps)
{
    crn_world *world = NULL;
    assert_int_equal(crn_world_create_from(model, NULL, &world, NULL), CRN_OK);
    shake(model, world, index);
    for (int i = 0; i < steps; ++i) {
        assert_int_equal(crn_world_step(world, dt, NULL, NULL), CRN_OK);
    }
    uint64_t hash = crn_world_hash(world);
    crn_world_destroy(world);
    return hash;
}

static void check_threads(const char *name, int threads, int steps, const uint64_t expected[WORLDS])
{
    crn_model *model = gallery(name);
    crn_batch *batch = batch_of((const crn_model *const[]){model}, 1, WORLDS, threads);
    assert_int_equal(crn_batch_size_of(batch).threads, threads);
    for (int i = 0; i < WORLDS; ++i) {
        shake(model, crn_batch_world(batch, i), i);
    }
    int certified[WORLDS];
    unsigned char status[WORLDS];
    step(batch, &(crn_batch_run){.dt = dt, .moments = steps / 2, .hold = 2, .certified = certified, .status = status});
    for (int i = 0; i < WORLDS; ++i) {
        TEST_CHECK(crn_world_hash(crn_batch_world(batch, i)) == expected[i], "%s, world %d on %d threads differs", name,
                   i, threads);
        assert_true(status[i] == CRN_OK && certified[i] > 0 && certified[i] <= steps);
    }
    crn_batch_destroy(batch);
    crn_model_destroy(model);
}

static void test_bits_of_single_runs(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int steps;
    } cases[] = {{"humanoid", 80}, {"humanoid20", 20}, {"arm7", 60}, {"stack-10", 20}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) {
        crn_model *model = gallery(cases[k].name);
        uint64_t expected[WORLDS];
        for (int i = 0; i < WORLDS; ++i) {
            expected[i] = alone(model, i, cases[k].steps);
        }
        crn_model_destroy(model);
        for (int threads = 1; threads <= 5; threads += 2) {
            check_threads(cases[k].name, threads, cases[k].steps, expected);
        }
    }
}

/* --- Controls, states, sensors --- */

/* A motor's torque 3 c on an inertia I for a time t: angle 3 c t^2 / (2 I). */
static void test_controls_and_variants(void **state)
{
    (void)state;
    crn_model *light = wheel(2.0, 0.0), *heavy = wheel(6.0, 0.0);
    crn_batch *batch = batch_of((const crn_model *const[]){light, heavy}, 2, 4, 2);
    crn_batch_size size = crn_batch_size_of(batch);
    assert_true(size.state == 3 && size.controls == 1 && size.sensors == 1 && size.models == 2);
    double control[4][MOMENTS], states[4][MOMENTS][3], angle[4][MOMENTS];
    crn_step_stats stats[4];
    for (int i = 0; i < 4; ++i) {
        for (int k = 0; k < MOMENTS; ++k) {
            control[i][k] = 0.5 * (i + 1);
        }
    }
    step(batch, &(crn_batch_run){.dt = 0.01,
                                 .moments = MOMENTS,
                                 .hold = HOLD,
                                 .control = &control[0][0],
                                 .state = &states[0][0][0],
                                 .sensor = &angle[0][0],
                                 .stats = stats});
    for (int i = 0; i < 4; ++i) {
        double inertia = i % 2 == 0 ? 2.0 : 6.0, t = 0.01 * MOMENTS * HOLD;
        physics_figure("variants", "time", states[i][MOMENTS - 1][0], t, 1e-12);
        physics_figure("variants", "speed", states[i][MOMENTS - 1][2], 1.5 * (i + 1) * t / inertia, 1e-12);
        assert_true(states[i][MOMENTS - 1][1] == angle[i][MOMENTS - 1]);
        assert_true(stats[i].time == states[i][MOMENTS - 1][0] && stats[i].verdict == CRN_VERDICT_CERTIFIED);
    }
    crn_batch_destroy(batch);
    crn_model_destroy(light);
    crn_model_destroy(heavy);
}

/* A state that was read can be put back, activation and time with it, and the motion goes on as before: to rounding where forces are
 * constant. Where they change, the step after a reset takes the force at its beginning as that of now, not of the step before: half
 * the change of a step, as a velocity h/2 (3 c / I) (h / T) exp(-t/T). */
static void check_return(double time_constant, double tolerance)
{
    crn_model *model = wheel(2.0, time_constant);
    crn_batch *batch = batch_of((const crn_model *const[]){model}, 1, 2, 2);
    const int numbers = crn_batch_size_of(batch).state;
    double control[2] = {1.0, -2.0}, middle[8], end[8], again[8] = {0};
    crn_batch_run run = {.dt = 0.01, .moments = 1, .hold = 20, .control = control, .state = middle};
    step(batch, &run);
    run.state = end;
    step(batch, &run);
    assert_int_equal(crn_batch_reset(batch, NULL, 2, middle, NULL), CRN_OK);
    assert_int_equal(crn_batch_look(batch, again, NULL), CRN_OK);
    assert_memory_equal(again, middle, 2 * (size_t)numbers * sizeof *middle);
    run.state = again;
    step(batch, &run);
    for (int i = 0; i < 2 * numbers; ++i) {
        TEST_CHECK(fabs(again[i] - end[i]) <= tolerance, "number %d: %.17g, was %.17g", i, again[i], end[i]);
    }
    crn_batch_destroy(batch);
    crn_model_destroy(model);
}

static void test_states_come_back(void **state)
{
    (void)state;
    check_return(0.0, 1e-12);
    check_return(0.1, 1.01 * 0.005 * (3.0 * 2.0 / 2.0) * (0.01 / 0.1) * exp(-2.0));
}

/* After a time T the activation is 1 - exp(-1) of the control. */
static void test_activations_are_part_of_the_state(void **state)
{
    (void)state;
    crn_model *model = wheel(2.0, 0.1);
    crn_batch *batch = batch_of((const crn_model *const[]){model}, 1, 1, 1);
    double control = 2.0, now[4];
    assert_int_equal(crn_batch_size_of(batch).activations, 1);
    step(batch, &(crn_batch_run){.dt = 0.01, .moments = 1, .hold = 10, .control = &control, .state = now});
    physics_figure("activation", "a", now[3], 2.0 * (1.0 - exp(-1.0)), 1e-12);
    crn_batch_destroy(batch);
    crn_model_destroy(model);
}

static void test_reset_of_some(void **state)
{
    (void)state;
    crn_model *model = gallery("humanoid");
    crn_batch *batch = batch_of((const crn_model *const[]){model}, 1, 3, 2);
    uint64_t start = crn_world_hash(crn_batch_world(batch, 1));
    step(batch, &(crn_batch_run){.dt = dt, .moments = 60});
    uint64_t moved = crn_world_hash(crn_batch_world(batch, 0));
    assert_true(moved != start);
    assert_int_equal(crn_batch_reset(batch, (const int[]){1}, 1, NULL, NULL), CRN_OK);
    assert_true(crn_world_hash(crn_batch_world(batch, 0)) == moved);
    assert_true(crn_world_hash(crn_batch_world(batch, 1)) == start);
    step(batch, &(crn_batch_run){.dt = dt, .moments = 60});
    assert_true(crn_world_hash(crn_batch_world(batch, 1)) == moved);
    crn_batch_destroy(batch);
    crn_model_destroy(model);
}

/* --- Rollouts --- */

enum { MOTIONS = 11, STEPS = 40 };

static void roll_out(int threads, int models, const double *start, double *states, double *sensors)
{
    crn_model *model[2] = {gallery("humanoid"), gallery("humanoid")};
    crn_model_world(model[1])->gravity.z = -5.0;
    crn_batch *batch = batch_of((const crn_model *const *)model, models, models * threads, threads);
    crn_error error;
    crn_batch_run run = {.dt = dt, .moments = STEPS, .state = states, .sensor = sensors};
    TEST_CHECK(crn_batch_rollout(batch, MOTIONS, start, &run, &error) == CRN_OK, "%s", error.text);
    crn_batch_destroy(batch);
    crn_model_destroy(model[0]);
    crn_model_destroy(model[1]);
}

/* More motions than worlds: which world and thread ran which motion before makes no difference. */
static void test_rollouts(void **state)
{
    (void)state;
    crn_model *model = gallery("humanoid");
    crn_batch *batch = batch_of((const crn_model *const[]){model}, 1, MOTIONS, 1);
    crn_batch_size size = crn_batch_size_of(batch);
    size_t numbers = (size_t)MOTIONS * (size_t)STEPS * (size_t)size.state;
    double *start = calloc((size_t)MOTIONS * (size_t)size.state, sizeof *start),
           *expected = calloc(numbers, sizeof *start), *got = calloc(numbers, sizeof *start);
    for (int i = 0; i < MOTIONS; ++i) {
        shake(model, crn_batch_world(batch, i), i);
    }
    assert_int_equal(crn_batch_look(batch, start, NULL), CRN_OK);
    assert_int_equal(crn_batch_reset(batch, NULL, MOTIONS, start, NULL), CRN_OK);
    step(batch, &(crn_batch_run){.dt = dt, .moments = STEPS, .state = expected});
    for (int threads = 1; threads <= 4; ++threads) {
        roll_out(threads, 1, start, got, NULL);
        TEST_CHECK(memcmp(got, expected, numbers * sizeof *got) == 0, "on %d threads", threads);
    }
    roll_out(2, 2, start, got, NULL); /* every other one with less weight: those differ, the others do not */
    size_t motion = (size_t)STEPS * (size_t)size.state;
    assert_memory_equal(got, expected, motion * sizeof *got);
    assert_memory_not_equal(got + motion, expected + motion, motion * sizeof *got);
    free(start);
    free(expected);
    free(got);
    crn_batch_destroy(batch);
    crn_model_destroy(model);
}

/* --- Failures --- */

/* A world that flies apart stays where it was and says so; the others go on. */
static void test_one_that_diverges(void **state)
{
    (void)state;
    crn_model *model = wheel(2.0, 0.0);
    crn_batch *batch = batch_of((const crn_model *const[]){model}, 1, 3, 2);
    double control[3] = {1.0, 1e17, 1.0}, now[3][3];
    unsigned char status[3];
    step(batch, &(crn_batch_run){.dt = 1e6, .moments = 1, .control = control, .state = &now[0][0], .status = status});
    assert_int_equal(status[0], CRN_OK);
    assert_int_equal(status[1], CRN_ERR_DIVERGED);
    assert_true(now[1][0] == 0.0 && now[1][1] == 0.0 && now[0][0] == 1e6 && now[2][2] == now[0][2]);
    crn_batch_destroy(batch);
    crn_model_destroy(model);
}

#define REFUSED(call, what)                                                                   \
    do {                                                                                      \
        crn_error why;                                                                        \
        assert_int_equal((call), CRN_ERR_ARGUMENT);                                           \
        TEST_CHECK(strstr(why.text, what) != NULL, "'%s' does not say '%s'", why.text, what); \
    } while (0)

static void test_bad_input(void **state)
{
    (void)state;
    crn_model *model = wheel(2.0, 0.0), *other = gallery("humanoid");
    const crn_model *const models[] = {model, other, NULL};
    crn_batch *batch = NULL;
    crn_batch_def def = {.model = models, .models = 2, .worlds = 2};
    REFUSED(crn_batch_create(&def, NULL, &batch, &why), "model[1]");
    assert_null(batch);
    def.models = 3;
    REFUSED(crn_batch_create(&def, NULL, &batch, &why), "model[2]");
    def = (crn_batch_def){.model = models, .models = 1, .worlds = 0};
    REFUSED(crn_batch_create(&def, NULL, &batch, &why), "worlds");
    REFUSED(crn_batch_create(NULL, NULL, &batch, &why), "models");
    batch = batch_of(models, 1, 2, 3);
    double states[6] = {0, 0, 0, 0, NAN, 0}, bad[2] = {0, INFINITY};
    REFUSED(crn_batch_reset(batch, NULL, 2, states, &why), "state[1]");
    REFUSED(crn_batch_reset(batch, NULL, 3, NULL, &why), "3");
    REFUSED(crn_batch_reset(batch, (const int[]){-1}, 1, NULL, &why), "world[0]");
    REFUSED(crn_batch_step(batch, &(crn_batch_run){.moments = 0}, &why), "moments");
    REFUSED(crn_batch_step(batch, &(crn_batch_run){.moments = 1, .dt = NAN}, &why), "dt");
    REFUSED(crn_batch_step(batch, &(crn_batch_run){.moments = 1, .control = bad}, &why), "control[1]");
    REFUSED(crn_batch_rollout(batch, 1, states, &(crn_batch_run){.moments = 1}, &why), "3 worlds");
    assert_null(crn_batch_world(batch, 2));
    assert_int_equal(crn_batch_size_of(NULL).worlds, 0);
    crn_batch_destroy(batch);
    crn_batch_destroy(NULL);
    crn_model_destroy(model);
    crn_model_destroy(other);
}

/* --- Memory, processes --- */

static void test_a_second_run_takes_nothing(void **state)
{
    (void)state;
    crn_model *model = gallery("humanoid");
    test_allocator counter = {0};
    crn_allocator hooks = test_allocator_hooks(&counter);
    crn_batch_def def = {.model = (const crn_model *const[]){model}, .models = 1, .worlds = 3, .threads = 1};
    crn_batch *batch = NULL;
    assert_int_equal(crn_batch_create(&def, &hooks, &batch, NULL), CRN_OK);
    long calls = 0;
    for (int round = 0; round < 3; ++round) {
        assert_int_equal(crn_batch_reset(batch, NULL, 3, NULL, NULL), CRN_OK);
        step(batch, &(crn_batch_run){.dt = dt, .moments = 101});
        TEST_CHECK(round < 2 || counter.calls == calls, "%ld requests in round %d", counter.calls - calls, round);
        calls = counter.calls;
    }
    crn_batch_destroy(batch);
    crn_model_destroy(model);
    assert_int_equal(counter.live, 0);
}

static void test_every_request_may_fail(void **state)
{
    (void)state;
    crn_model *model = wheel(2.0, 0.1);
    crn_status status = CRN_ERR_MEMORY;
    for (long k = 1; status != CRN_OK; ++k) {
        test_allocator counter = {.fail_at = k};
        crn_allocator hooks = test_allocator_hooks(&counter);
        crn_batch_def def = {.model = (const crn_model *const[]){model}, .models = 1, .worlds = 2, .threads = 1};
        crn_batch *batch = NULL;
        crn_error error;
        status = crn_batch_create(&def, &hooks, &batch, &error);
        assert_true(status == CRN_OK || (status == CRN_ERR_MEMORY && !batch && error.text[0] != '\0'));
        crn_batch_destroy(batch);
        assert_int_equal(counter.live, 0);
    }
    crn_model_destroy(model);
}

/* A child has its parent's batch, but not its threads. */
static void test_fork(void **state)
{
    (void)state;
    crn_model *model = gallery("arm7");
    crn_batch *batch = batch_of((const crn_model *const[]){model}, 1, 4, 3);
    step(batch, &(crn_batch_run){.dt = dt, .moments = 5});
    (void)fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)alarm(60);
        bool is_good = crn_batch_step(batch, &(crn_batch_run){.dt = dt, .moments = 5}, NULL) == CRN_OK;
        uint64_t hash = crn_world_hash(crn_batch_world(batch, 3));
        crn_batch_destroy(batch);
        _exit(is_good ? (int)(hash % 251) : 255);
    }
    int told;
    assert_true(waitpid(child, &told, 0) == child && WIFEXITED(told));
    step(batch, &(crn_batch_run){.dt = dt, .moments = 5});
    assert_int_equal(WEXITSTATUS(told), (int)(crn_world_hash(crn_batch_world(batch, 3)) % 251));
    crn_batch_destroy(batch);
    crn_model_destroy(model);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bits_of_single_runs),
        cmocka_unit_test(test_controls_and_variants),
        cmocka_unit_test(test_states_come_back),
        cmocka_unit_test(test_activations_are_part_of_the_state),
        cmocka_unit_test(test_reset_of_some),
        cmocka_unit_test(test_rollouts),
        cmocka_unit_test(test_one_that_diverges),
        cmocka_unit_test(test_bad_input),
        cmocka_unit_test(test_a_second_run_takes_nothing),
        cmocka_unit_test(test_every_request_may_fail),
        cmocka_unit_test(test_fork),
    };
    return TEST_RUN(tests, argc, argv);
}
