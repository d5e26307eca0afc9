/* The same bits again: snapshots, hashes, and queries that leave no trace. */
#include "world_models.h"

static const double h = 0.01;

typedef struct snapshot {
    unsigned char *data;
    size_t size;
} snapshot;

static snapshot take(const crn_world *world)
{
    snapshot shot = {.size = crn_world_snapshot_size(world)};
    crn_error error;
    shot.data = malloc(shot.size);
    assert_non_null(shot.data);
    TEST_CHECK(crn_world_save(world, shot.data, shot.size, &error) == CRN_OK, "%s", error.text);
    return shot;
}

static void restore(crn_world *world, snapshot shot)
{
    crn_error error;
    TEST_CHECK(crn_world_restore(world, shot.data, shot.size, &error) == CRN_OK, "%s", error.text);
}

/* The hash after each of so many steps. */
static void run(crn_world *world, int steps, uint64_t *hash)
{
    for (int k = 0; k < steps; ++k) {
        crn_error error;
        TEST_CHECK(crn_world_step(world, h, NULL, &error) == CRN_OK, "%s", error.text);
        hash[k] = crn_world_hash(world);
    }
}

static void check_equal(const uint64_t *one, const uint64_t *two, int steps, const char *what, int model)
{
    for (int k = 0; k < steps; ++k) {
        TEST_CHECK(one[k] == two[k], "%s: %s differs from step %d on", world_models[model].name, what, k);
    }
}

/* Every model does something: no two hashes of a run agree until it rests. */
static void test_runs_repeat(void **state)
{
    (void)state;
    enum { STEPS = 120 };
    for (int i = 0; i < WORLD_MODELS; ++i) {
        crn_world *one = make_world(i, NULL), *two = make_world(i, NULL);
        uint64_t first[STEPS], second[STEPS];
        assert_true(crn_world_hash(one) == crn_world_hash(two));
        run(one, STEPS, first);
        run(two, STEPS, second);
        check_equal(first, second, STEPS, "a second run", i);
        TEST_CHECK(first[0] != first[1], "%s: nothing moves", world_models[i].name);
        snapshot a = take(one), b = take(two);
        TEST_CHECK(a.size == b.size && memcmp(a.data, b.data, a.size) == 0, "%s: snapshots of equal states differ",
                   world_models[i].name);
        free(a.data);
        free(b.data);
        crn_world_destroy(one);
        crn_world_destroy(two);
    }
}

static void test_snapshots_bring_back(void **state)
{
    (void)state;
    enum { STEPS = 100 };
    const int before[] = {0, 1, 37, 70};
    for (int i = 0; i < WORLD_MODELS; ++i) {
        for (int j = 0; j < 4; ++j) {
            crn_world *world = make_world(i, NULL), *other = make_world(i, NULL);
            uint64_t first[STEPS], again[STEPS], skipped[STEPS];
            run(world, before[j], skipped);
            snapshot shot = take(world);
            uint64_t at = crn_world_hash(world);
            run(world, STEPS, first);
            restore(world, shot);
            assert_true(crn_world_hash(world) == at);
            run(world, STEPS, again);
            check_equal(first, again, STEPS, "what follows the snapshot", i);
            restore(other, shot); /* a world built alike that has never moved */
            assert_true(crn_world_hash(other) == at);
            run(other, STEPS, again);
            check_equal(first, again, STEPS, "the same in another world", i);
            CHECK_NEAR(crn_world_time(other), crn_world_time(world), 0.0);
            free(shot.data);
            crn_world_destroy(world);
            crn_world_destroy(other);
        }
    }
}

/* Joint coordinates come back with their turns. */
static void test_turns_come_back(void **state)
{
    (void)state;
    enum { MECHANISM = 4, STEPS = 150 };
    crn_world *world = make_world(MECHANISM, NULL), *other = make_world(MECHANISM, NULL);
    uint64_t hash[STEPS];
    run(world, STEPS, hash);
    double turned, same;
    assert_int_equal(crn_joint_coordinate(world, crn_world_joint(world, 1), &turned, NULL), CRN_OK);
    TEST_CHECK(turned > 6.3, "the motor made no turn: %g rad", turned);
    snapshot shot = take(world);
    restore(other, shot);
    assert_int_equal(crn_joint_coordinate(other, crn_world_joint(other, 1), &same, NULL), CRN_OK);
    CHECK_NEAR(same, turned, 0.0);
    free(shot.data);
    crn_world_destroy(world);
    crn_world_destroy(other);
}

/* Forces given before the snapshot act after it; sleeping bodies sleep on. */
static void test_what_else_comes_back(void **state)
{
    (void)state;
    enum { SLEEPERS = 5, STEPS = 40 };
    crn_world *world = make_world(SLEEPERS, NULL), *other = make_world(SLEEPERS, NULL);
    uint64_t hash[STEPS], again[STEPS];
    run(world, STEPS, hash);
    crn_step_stats stats;
    assert_int_equal(crn_world_step(world, h, &stats, NULL), CRN_OK);
    assert_int_equal(stats.bodies, 1); /* the ball falls, the boxes sleep */
    crn_vec3 force = {3, 0, 0}, point = {0, 0, 1};
    assert_int_equal(crn_body_apply_force(world, crn_world_body(world, 5), force, point), CRN_OK);
    snapshot shot = take(world);
    restore(other, shot);
    assert_int_equal(crn_world_step(other, h, &stats, NULL), CRN_OK);
    assert_int_equal(stats.bodies, 1);
    restore(other, shot);
    run(world, STEPS, hash);
    run(other, STEPS, again);
    check_equal(hash, again, STEPS, "with a force", SLEEPERS);
    free(shot.data);
    crn_world_destroy(world);
    crn_world_destroy(other);
}

/* --- What is refused --- */

static void check_refused(crn_world *world, const void *data, size_t size, const char *what)
{
    uint64_t before = crn_world_hash(world);
    snapshot state = take(world);
    crn_error error;
    crn_status status = crn_world_restore(world, data, size, &error);
    TEST_CHECK(status == CRN_ERR_FORMAT, "%s: status %s", what, crn_status_name(status));
    assert_true(error.text[0] != '\0');
    assert_true(crn_world_hash(world) == before);
    snapshot after = take(world);
    assert_true(after.size == state.size && memcmp(after.data, state.data, state.size) == 0);
    free(state.data);
    free(after.data);
}

static void test_damaged_snapshots(void **state)
{
    (void)state;
    crn_random random = test_random("damaged_snapshots", 1);
    uint64_t hash[30];
    for (int i = 0; i < WORLD_MODELS; ++i) {
        crn_world *world = make_world(i, NULL);
        run(world, 30, hash);
        snapshot shot = take(world);
        run(world, 5, hash);
        check_refused(world, shot.data, 0, "no bytes");
        check_refused(world, shot.data, 10, "ten bytes");
        check_refused(world, shot.data, shot.size / 2, "half of it");
        check_refused(world, shot.data, shot.size - 1, "a byte too few");
        for (int k = 0; k < 200; ++k) { /* any bit, the header's more often */
            size_t end = k < 100 ? 80 : shot.size;
            size_t at = (size_t)(crn_random_uniform(&random, 0.0, 1.0) * (double)end);
            unsigned char bit = (unsigned char)(1u << crn_random_below(&random, 8));
            shot.data[at] ^= bit;
            check_refused(world, shot.data, shot.size, "a bit changed");
            shot.data[at] ^= bit;
        }
        restore(world, shot); /* it was sound but for that */
        free(shot.data);
        crn_world_destroy(world);
    }
}

static void test_snapshots_of_other_worlds(void **state)
{
    (void)state;
    for (int i = 0; i < WORLD_MODELS; ++i) {
        crn_world *world = make_world(i, NULL);
        snapshot shot = take(world);
        for (int j = 0; j < WORLD_MODELS; ++j) {
            if (j != i) {
                crn_world *other = make_world(j, NULL);
                check_refused(other, shot.data, shot.size, "of another world");
                crn_world_destroy(other);
            }
        }
        crn_body_id body = crn_world_body(world, 2);
        assert_int_equal(crn_body_destroy(world, body, NULL), CRN_OK);
        check_refused(world, shot.data, shot.size, "of a world with one more body");
        free(shot.data);
        crn_world_destroy(world);
    }
    const double mass[2] = {1.0, 2.0}, radius[2] = {0.1, 0.2}; /* as many bodies, but others */
    for (int k = 1; k < 3; ++k) {
        crn_world *one = new_world(NULL), *two = new_world(NULL);
        add_sphere(one, radius[0], (crn_vec3){0, 0, 1}, mass[0]);
        add_sphere(two, radius[k == 1], (crn_vec3){0, 0, 1}, mass[k == 2]);
        snapshot shot = take(one);
        check_refused(two, shot.data, shot.size, k == 1 ? "another radius" : "another mass");
        free(shot.data);
        crn_world_destroy(one);
        crn_world_destroy(two);
    }
}

static void test_bad_calls(void **state)
{
    (void)state;
    crn_world *world = make_world(0, NULL);
    crn_error error;
    snapshot shot = take(world);
    assert_int_equal(crn_world_save(world, NULL, shot.size, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_world_save(world, shot.data, shot.size - 1, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_world_restore(world, NULL, shot.size, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_world_restore(NULL, shot.data, shot.size, &error), CRN_ERR_ARGUMENT);
    free(shot.data);
    crn_world_destroy(world);
}

/* --- Looking changes nothing --- */

static void look(crn_world *world)
{
    double depth, value[CRN_JOINT_COORDINATES_MAX], speed[CRN_JOINT_COORDINATES_MAX], mass;
    crn_body_id a, b;
    crn_vec3 force, torque;
    int count;
    assert_int_equal(crn_world_overlap(world, &depth, &a, &b), CRN_OK);
    for (int i = 1; i <= crn_world_bodies(world); ++i) {
        crn_pose pose;
        crn_twist twist;
        crn_body_id body = crn_world_body(world, i);
        assert_int_equal(crn_body_pose(world, body, &pose), CRN_OK);
        assert_int_equal(crn_body_velocity(world, body, &twist), CRN_OK);
        assert_int_equal(crn_body_mass(world, body, &mass, NULL, NULL), CRN_OK);
        assert_int_equal(crn_body_contact_force(world, body, &force, &torque), CRN_OK);
    }
    for (int i = 1; i <= crn_world_joints(world); ++i) {
        crn_joint_id joint = crn_world_joint(world, i);
        assert_int_equal(crn_joint_coordinate(world, joint, value, speed), CRN_OK);
        assert_int_equal(crn_joint_force(world, joint, &force, &torque), CRN_OK);
        assert_int_equal(crn_joint_error(world, joint, &value[0], &value[1]), CRN_OK);
    }
    (void)crn_world_contacts(world, &count);
    (void)crn_world_events(world, &count);
    (void)crn_world_problem(world);
    snapshot shot = take(world);
    free(shot.data);
}

static void test_looking_changes_nothing(void **state)
{
    (void)state;
    enum { STEPS = 120 };
    for (int i = 0; i < WORLD_MODELS; ++i) {
        crn_world *quiet = make_world(i, NULL), *watched = make_world(i, NULL);
        uint64_t one[STEPS], two[STEPS];
        run(quiet, STEPS, one);
        for (int k = 0; k < STEPS; ++k) {
            look(watched);
            run(watched, 1, &two[k]);
            look(watched);
            assert_true(crn_world_hash(watched) == two[k]);
        }
        check_equal(one, two, STEPS, "a watched run", i);
        crn_world_destroy(quiet);
        crn_world_destroy(watched);
    }
}

/* A failed step leaves no trace either: neither in the hash nor in what follows. */
static void test_a_failed_step_changes_nothing(void **state)
{
    (void)state;
    enum { STEPS = 60 };
    for (int i = 0; i < WORLD_MODELS; ++i) {
        crn_world *world = make_world(i, NULL);
        crn_error error;
        uint64_t one[STEPS], two[STEPS];
        run(world, 30, one);
        snapshot shot = take(world);
        uint64_t before = crn_world_hash(world);
        run(world, STEPS, one);
        restore(world, shot);
        crn_body_id body = crn_world_body(world, i == 4 ? 1 : 2);
        assert_int_equal(crn_body_apply_force(world, body, (crn_vec3){1e300, 0, 0}, (crn_vec3){0, 0, 0}), CRN_OK);
        crn_status status = crn_world_step(world, h, NULL, &error);
        TEST_CHECK(status == CRN_ERR_DIVERGED, "%s: status %s", world_models[i].name, crn_status_name(status));
        TEST_CHECK(crn_world_hash(world) == before, "%s: a failed step changed the hash", world_models[i].name);
        assert_int_equal(crn_body_apply_force(world, body, (crn_vec3){-1e300, 0, 0}, (crn_vec3){0, 0, 0}), CRN_OK);
        run(world, STEPS, two);
        check_equal(one, two, STEPS, "what follows a failed step", i);
        free(shot.data);
        crn_world_destroy(world);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_runs_repeat),
        cmocka_unit_test(test_snapshots_bring_back),
        cmocka_unit_test(test_turns_come_back),
        cmocka_unit_test(test_what_else_comes_back),
        cmocka_unit_test(test_damaged_snapshots),
        cmocka_unit_test(test_snapshots_of_other_worlds),
        cmocka_unit_test(test_bad_calls),
        cmocka_unit_test(test_looking_changes_nothing),
        cmocka_unit_test(test_a_failed_step_changes_nothing),
    };
    return TEST_RUN(tests, argc, argv);
}
