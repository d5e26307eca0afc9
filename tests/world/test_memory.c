/* Memory of worlds: a warm step takes none; without memory nothing happens, and nothing is lost. */
#include "world_models.h"

#include "test_allocator.h"

static const double h = 0.01;

static void step(crn_world *world)
{
    crn_error error;
    TEST_CHECK(crn_world_step(world, h, NULL, &error) == CRN_OK, "%s", error.text);
}

/* Run once to warm up, go back, run again: the same contacts, so no memory. The number of steps is odd: what a step keeps
 * for the next one lies in two lists that change places. */
static void test_a_second_run_takes_nothing(void **state)
{
    (void)state;
    enum { STEPS = 201 };
    for (int i = 0; i < WORLD_MODELS; ++i) {
        test_allocator counter = {0};
        crn_allocator hooks = test_allocator_hooks(&counter);
        crn_world *world = make_world(i, &hooks);
        size_t size = crn_world_snapshot_size(world);
        void *start = malloc(size);
        assert_int_equal(crn_world_save(world, start, size, NULL), CRN_OK);
        for (int k = 0; k < STEPS; ++k) {
            step(world);
        }
        assert_int_equal(crn_world_restore(world, start, size, NULL), CRN_OK);
        long calls = counter.calls;
        assert_true(calls > 0);
        for (int k = 0; k < STEPS; ++k) {
            step(world);
            TEST_CHECK(counter.calls == calls, "%s: step %d took memory", world_models[i].name, k);
        }
        free(start);
        crn_world_destroy(world);
        TEST_CHECK(counter.live == 0, "%s: %ld blocks are left", world_models[i].name, counter.live);
    }
}

/* What stands takes its memory in the first steps. */
static void test_a_stack_of_30(void **state)
{
    (void)state;
    test_allocator counter = {0};
    crn_allocator hooks = test_allocator_hooks(&counter);
    crn_model *model = NULL;
    crn_world *world = NULL;
    assert_int_equal(crn_gallery_world("stack-30", &model, NULL), CRN_OK);
    assert_int_equal(crn_world_create_from(model, &hooks, &world, NULL), CRN_OK);
    crn_model_destroy(model);
    for (int k = 0; k < 2; ++k) {
        step(world);
    }
    long calls = counter.calls;
    for (int k = 0; k < 200; ++k) {
        double depth;
        step(world);
        assert_int_equal(crn_world_overlap(world, &depth, NULL, NULL), CRN_OK);
        TEST_CHECK(counter.calls == calls, "step %d took memory", k);
    }
    crn_world_destroy(world);
    assert_int_equal(counter.live, 0);
}

/* --- The k-th request fails --- */

enum { STEPS = 3 };

/* A step, once more if it had no memory: then nothing must have changed. */
static void step_twice(crn_world *world, const char *name, long k)
{
    uint64_t before = crn_world_hash(world);
    crn_error error;
    crn_step_stats stats;
    crn_status status = crn_world_step(world, h, &stats, &error);
    if (status != CRN_OK) {
        TEST_CHECK(status == CRN_ERR_MEMORY && error.text[0] != '\0', "%s, k = %ld: status %s", name, k,
                   crn_status_name(status));
        TEST_CHECK(crn_world_hash(world) == before, "%s, k = %ld: the failed step moved something", name, k);
        status = crn_world_step(world, h, &stats, &error);
    }
    TEST_CHECK(status == CRN_OK, "%s, k = %ld: %s", name, k, error.text);
}

/* Build and run with the k-th request failing; the last hash, or 0 if the world could not be built. */
static uint64_t run_failing(int i, const crn_model *model, long k, test_allocator *counter)
{
    *counter = (test_allocator){.fail_at = k};
    crn_allocator hooks = test_allocator_hooks(counter);
    crn_world *world = NULL;
    crn_error error;
    uint64_t hash = 0;
    crn_status status = crn_world_create_from(model, &hooks, &world, &error);
    if (status == CRN_OK) {
        double depth;
        status = crn_world_overlap(world, &depth, NULL, NULL);
        TEST_CHECK(status == CRN_OK || status == CRN_ERR_MEMORY, "%s, k = %ld", world_models[i].name, k);
        for (int n = 0; n < STEPS; ++n) {
            step_twice(world, world_models[i].name, k);
        }
        hash = crn_world_hash(world);
        crn_world_destroy(world);
    } else {
        TEST_CHECK(status == CRN_ERR_MEMORY && error.text[0] != '\0', "%s, k = %ld: status %s", world_models[i].name, k,
                   crn_status_name(status));
    }
    TEST_CHECK(counter->live == 0, "%s, k = %ld: %ld blocks are left", world_models[i].name, k, counter->live);
    return hash;
}

static void test_every_request_fails_once(void **state)
{
    (void)state;
    for (int i = 0; i < WORLD_MODELS; ++i) {
        crn_model *model = make_model(i);
        test_allocator counter;
        uint64_t whole = run_failing(i, model, 0, &counter);
        long requests = counter.calls, built = 0;
        for (long k = 1; k <= requests; ++k) {
            uint64_t hash = run_failing(i, model, k, &counter);
            built += hash != 0;
            TEST_CHECK(hash == 0 || hash == whole, "%s: a failure at request %ld changed what came after",
                       world_models[i].name, k);
        }
        print_message("%s: %ld requests, %ld of them in steps\n", world_models[i].name, requests, built);
        assert_true(built > 10);
        crn_model_destroy(model);
    }
}

/* The same for what changes a world between steps. */
static void test_changes_fail_cleanly(void **state)
{
    (void)state;
    const double times[2] = {0, 1}, values[2] = {0, 1};
    const crn_profile table = {.times = times, .values = values, .count = 2};
    for (long k = 0; k < 40; ++k) {
        test_allocator counter = {0};
        crn_allocator hooks = test_allocator_hooks(&counter);
        crn_world *world = make_world(4, &hooks); /* the mechanism */
        step(world);
        counter.fail_at = counter.calls + k;
        crn_body_shape shape = crn_body_shape_default();
        crn_body_def body = crn_body_def_default();
        body.kind = CRN_BODY_DRIVEN;
        body.pose.position.x = 10.0;
        body.motion.x = table;
        body.shape = &shape;
        body.shapes = 1;
        crn_joint_def joint = crn_joint_def_default();
        joint.kind = CRN_JOINT_SLIDER;
        joint.axis[0].has_motor = true;
        joint.axis[0].speed = table;
        crn_load_def load = crn_load_def_default();
        load.factor = table;
        crn_body_id id, first = crn_world_body(world, 1);
        crn_joint_id joint_id;
        crn_load_id load_id;
        int bodies = crn_world_bodies(world), joints = crn_world_joints(world), made = 0;
        made += crn_body_create(world, &body, &id, NULL) == CRN_OK;
        assert_int_equal(crn_world_bodies(world), bodies + made);
        bool is_joined = crn_joint_create(world, &joint, first, nobody, &joint_id, NULL) == CRN_OK;
        assert_int_equal(crn_world_joints(world), joints + is_joined);
        made += is_joined;
        made += crn_load_create(world, &load, first, &load_id, NULL) == CRN_OK;
        made += crn_joint_set_axis(world, crn_world_joint(world, 1), 0, &joint.axis[0], NULL) == CRN_OK;
        TEST_CHECK(made >= 3, "k = %ld: one request failed, but %d of 4 calls", k, 4 - made);
        counter.fail_at = 0;
        step(world);
        crn_world_destroy(world);
        assert_int_equal(counter.live, 0);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_second_run_takes_nothing),
        cmocka_unit_test(test_a_stack_of_30),
        cmocka_unit_test(test_every_request_fails_once),
        cmocka_unit_test(test_changes_fail_cleanly),
    };
    return TEST_RUN(tests, argc, argv);
}
