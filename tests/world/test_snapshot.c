/* The same bits again: snapshots, hashes, and queries that leave no trace. */
#include "snapshot_case.h"
#include "world_models.h"

static const double h = 0.01;

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

/* What a step tells beside its motion: where the energy went, what is wrong. Its books go on from the last kick. */
typedef struct told {
    crn_ledger ledger;
    crn_verdict verdict;
    int unseen;
} told;

static void run_books(crn_world *world, int steps, told *all)
{
    for (int k = 0; k < steps; ++k) {
        crn_step_stats stats;
        crn_error error;
        TEST_CHECK(crn_world_step(world, h, &stats, &error) == CRN_OK, "%s", error.text);
        memset(&all[k], 0, sizeof all[k]);
        all[k].ledger = stats.ledger;
        all[k].verdict = stats.verdict;
        all[k].unseen = stats.unseen;
    }
}

static void test_books_come_back(void **state)
{
    (void)state;
    enum { STEPS = 30 };
    const int before[] = {0, 1, 37};
    for (int i = 0; i < WORLD_MODELS; ++i) {
        for (int j = 0; j < 3; ++j) {
            crn_world *world = make_world(i, NULL), *other = make_world(i, NULL);
            uint64_t skipped[STEPS + 10];
            told first[STEPS], again[STEPS];
            run(world, before[j], skipped);
            snapshot shot = take(world);
            run_books(world, STEPS, first);
            restore(other, shot);
            run_books(other, STEPS, again);
            for (int k = 0; k < STEPS; ++k) {
                TEST_CHECK(memcmp(&first[k], &again[k], sizeof first[k]) == 0,
                           "%s, saved after %d steps: other figures from step %d on: unexplained %g and %g J, gained "
                           "%g and %g",
                           world_models[i].name, before[j], k, first[k].ledger.unexplained, again[k].ledger.unexplained,
                           first[k].ledger.gained, again[k].ledger.gained);
            }
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
    enum { MECHANISM = 4, STEPS = 250 };
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

/* --- After any calls --- */

/* Something that a caller does between steps. */
typedef enum call_kind {
    SET_COORDINATE,
    SET_SPEED,
    SET_AXIS,
    SET_POSE,
    SET_VELOCITY,
    PUSH,
    TURN,
    STEP,
    DESTROY
} call_kind;

typedef struct call {
    call_kind kind;
    int at; /* body or joint, index1 */
    double x[7];
} call;

static call any_call(const crn_world *world, crn_random *random)
{
    static const call_kind kinds[] = {SET_COORDINATE, SET_SPEED, SET_AXIS, SET_AXIS, SET_POSE, SET_VELOCITY,
                                      PUSH,           TURN,      STEP,     STEP,     STEP,     DESTROY};
    call c = {.kind = kinds[crn_random_below(random, sizeof kinds / sizeof *kinds)]};
    bool is_joint = c.kind <= SET_AXIS || c.kind == TURN || (c.kind == DESTROY && crn_random_below(random, 2) == 0);
    int count = is_joint ? crn_world_joints(world) : crn_world_bodies(world);
    c.at = (is_joint ? -1 : 1) * (1 + (int)crn_random_below(random, (uint64_t)(count > 0 ? count : 1)));
    for (int k = 0; k < 7; ++k) {
        c.x[k] = crn_random_uniform(random, -0.2, 0.2);
    }
    return c;
}

/* Is it one that changes definitions? A world that is to be alike needs those, and no others. */
static bool is_definition(const call *c)
{
    return c->kind == SET_AXIS || c->kind == DESTROY;
}

static void set_axis(crn_world *world, crn_joint_id joint, const double *x)
{
    crn_joint_axis axis = crn_joint_def_default().axis[0];
    axis.friction = x[0] > 0.1 ? x[0] : 0.0;
    axis.has_motor = x[1] > 0.1;
    axis.speed.value = x[2];
    axis.max_force = x[3] > 0.0 ? INFINITY : 5.0;
    if (crn_joint_set_axis(world, joint, 0, &axis, NULL) ==
        CRN_OK) { /* springs are for joints in trees: may be refused */
        axis.stiffness = 50.0 + 100.0 * x[4];
        axis.damping = 1.0 + x[5];
        axis.armature = x[6] > 0.1 ? 0.01 : 0.0;
        (void)crn_joint_set_axis(world, joint, 0, &axis, NULL);
    }
}

/* Calls that a world refuses are as good as others: they must change nothing. */
static void make_call(crn_world *world, const call *c)
{
    crn_body_id body = c->at > 0 ? crn_world_body(world, c->at) : nobody;
    crn_joint_id joint = crn_world_joint(world, c->at < 0 ? -c->at : 0);
    crn_vec3 v = {10 * c->x[0], 10 * c->x[1], 10 * c->x[2]}, w = {c->x[3], c->x[4], c->x[5]};
    crn_twist velocity = {w, {c->x[0], c->x[1], c->x[2]}};
    crn_pose pose;
    switch (c->kind) {
    case SET_COORDINATE: (void)crn_joint_set_coordinate(world, joint, c->x); return;
    case SET_SPEED: (void)crn_joint_set_velocity(world, joint, c->x); return;
    case SET_AXIS: set_axis(world, joint, c->x); return;
    case SET_POSE:
        if (crn_body_pose(world, body, &pose) == CRN_OK) {
            pose.position.x += c->x[0];
            pose.position.y += 0.2;
            (void)crn_body_set_pose(world, body, &pose);
        }
        return;
    case SET_VELOCITY: (void)crn_body_set_velocity(world, body, &velocity); return;
    case PUSH: (void)crn_body_apply_force(world, body, v, w); return;
    case TURN: (void)crn_joint_apply_force(world, joint, 0, c->x[0]); return;
    case STEP: (void)crn_world_step(world, c->x[0] > 0.1 ? 0.5 * h : h, NULL, NULL); return;
    case DESTROY:
        if (c->x[0] > 0.1) { /* seldom */
            (void)(c->at > 0 ? crn_body_destroy(world, body, NULL) : crn_joint_destroy(world, joint, NULL));
        }
        return;
    }
}

/* As run(), but steps may fail: how is part of the hash. */
static void run_any(crn_world *world, int steps, uint64_t *hash)
{
    for (int k = 0; k < steps; ++k) {
        crn_status status = crn_world_step(world, h, NULL, NULL);
        hash[k] = crn_world_hash(world) + (uint64_t)status;
    }
}

/* set_coordinate(), set_axis(), then a snapshot gave other bits: planting trees again had changed their coordinates. */
static void test_snapshots_after_any_calls(void **state)
{
    (void)state;
    enum { CALLS = 16, STEPS = 20, SEEDS = 25 };
    crn_random random = test_random("snapshots after any calls", 7);
    for (int i = 0; i < WORLD_MODELS * SEEDS; ++i) {
        int model = i % WORLD_MODELS, calls = 1 + (int)crn_random_below(&random, CALLS);
        crn_world *world = make_world(model, NULL), *other = make_world(model, NULL);
        call made[CALLS];
        for (int k = 0; k < calls; ++k) {
            made[k] = any_call(world, &random);
            make_call(world, &made[k]);
        }
        for (int k = 0; k < calls; ++k) {
            if (is_definition(&made[k])) {
                make_call(other, &made[k]);
            }
        }
        uint64_t first[STEPS], again[STEPS], at = crn_world_hash(world);
        snapshot shot = take(world);
        run_any(world, STEPS, first);
        restore(world, shot);
        TEST_CHECK(crn_world_hash(world) == at, "%s, case %d: not the state that was saved", world_models[model].name,
                   i);
        run_any(world, STEPS, again);
        check_equal(first, again, STEPS, "what follows the snapshot", model);
        restore(other, shot);
        TEST_CHECK(crn_world_hash(other) == at, "%s, case %d: not the state that was saved in a world built alike",
                   world_models[model].name, i);
        run_any(other, STEPS, again);
        check_equal(first, again, STEPS, "the same in another world", model);
        free(shot.data);
        crn_world_destroy(world);
        crn_world_destroy(other);
    }
}

/* Bodies and joints up to these numbers are in the same state, to the last bit. */
static void check_same_state(const crn_world *one, const crn_world *two, int bodies, int joints, const char *what)
{
    for (int i = 1; i <= bodies; ++i) {
        crn_pose p, q;
        crn_twist v, w;
        assert_int_equal(crn_body_pose(one, crn_world_body(one, i), &p), CRN_OK);
        assert_int_equal(crn_body_pose(two, crn_world_body(two, i), &q), CRN_OK);
        assert_int_equal(crn_body_velocity(one, crn_world_body(one, i), &v), CRN_OK);
        assert_int_equal(crn_body_velocity(two, crn_world_body(two, i), &w), CRN_OK);
        TEST_CHECK(memcmp(&p, &q, sizeof p) == 0, "%s: body %d is elsewhere", what, i);
        TEST_CHECK(memcmp(&v, &w, sizeof v) == 0, "%s: body %d has another velocity", what, i);
    }
    for (int i = 1; i <= joints; ++i) {
        double p[CRN_JOINT_COORDINATES_MAX] = {0}, q[CRN_JOINT_COORDINATES_MAX] = {0};
        double v[CRN_JOINT_COORDINATES_MAX] = {0}, w[CRN_JOINT_COORDINATES_MAX] = {0};
        assert_int_equal(crn_joint_coordinate(one, crn_world_joint(one, i), p, v), CRN_OK);
        assert_int_equal(crn_joint_coordinate(two, crn_world_joint(two, i), q, w), CRN_OK);
        TEST_CHECK(memcmp(p, q, sizeof p) == 0 && memcmp(v, w, sizeof v) == 0, "%s: joint %d differs", what, i);
    }
}

/* An axis that is set to what it is makes trees be planted again, but is no change: the motion was another at 1e-15. */
static void test_setting_an_axis_perturbs_nothing(void **state)
{
    (void)state;
    enum { ROBOT = 7, STEPS = 40 };
    crn_world *world = make_world(ROBOT, NULL), *twin = make_world(ROBOT, NULL);
    crn_model *model = make_model(ROBOT);
    for (int k = 0; k < STEPS; ++k) {
        uint64_t one, two;
        run(world, 1, &one);
        run(twin, 1, &two);
        TEST_CHECK(one == two, "they differ from step %d on", k);
        for (int j = 0; j < crn_model_joints(model); ++j) {
            const crn_joint_def *def = crn_model_joint(model, j);
            if (crn_joint_kind_coordinates(def->kind) > 0) {
                crn_joint_id joint = crn_world_joint(world, j + 1);
                assert_int_equal(crn_joint_set_axis(world, joint, 0, &def->axis[0], NULL), CRN_OK);
            }
        }
    }
    crn_model_destroy(model);
    crn_world_destroy(world);
    crn_world_destroy(twin);
}

/* A motor that is set later drives as one that was there from the start. In joints that were put into trees without being
 * asked for, a motor without bound was taken for one with a bound. */
static void test_an_axis_set_later_is_the_same(void **state)
{
    (void)state;
    enum { STEPS = 10 };
    uint64_t hash[2][STEPS];
    for (int k = 0; k < 2; ++k) {
        crn_world *world = new_world(NULL);
        crn_body_id box = add_box(world, 0.1, (crn_vec3){1, 0, 0}, 1.0);
        crn_joint_def hinge = crn_joint_def_default();
        hinge.kind = CRN_JOINT_HINGE;
        hinge.frame_b.position.x = -1.0;
        crn_joint_axis free_axis = hinge.axis[0], motor = hinge.axis[0];
        motor.has_motor = true;
        motor.speed.value = 3.0;
        motor.max_force = INFINITY;
        hinge.axis[0] = k == 0 ? motor : free_axis;
        crn_joint_id joint = add_joint(world, &hinge, nobody, box);
        const double still = 0.0;
        assert_int_equal(crn_joint_set_velocity(world, joint, &still), CRN_OK); /* trees are planted here */
        assert_int_equal(crn_joint_set_axis(world, joint, 0, &motor, NULL), CRN_OK);
        run(world, STEPS, hash[k]);
        crn_world_destroy(world);
    }
    for (int k = 0; k < STEPS; ++k) {
        TEST_CHECK(hash[0][k] == hash[1][k], "they differ from step %d on", k);
    }
}

/* A joint elsewhere concerns a mechanism as little. */
static void test_a_joint_elsewhere_perturbs_nothing(void **state)
{
    (void)state;
    enum { ROBOT = 7, STEPS = 40 };
    crn_world *world = make_world(ROBOT, NULL), *twin = make_world(ROBOT, NULL);
    int bodies = crn_world_bodies(world), joints = crn_world_joints(world);
    crn_body_id a = add_box(world, 0.1, (crn_vec3){500, 0, 0}, 1.0);
    crn_body_id b = add_box(world, 0.1, (crn_vec3){501, 0, 0}, 1.0);
    add_box(twin, 0.1, (crn_vec3){500, 0, 0}, 1.0);
    add_box(twin, 0.1, (crn_vec3){501, 0, 0}, 1.0);
    uint64_t hash[STEPS];
    run(world, STEPS, hash);
    run(twin, STEPS, hash);
    crn_joint_def ball = crn_joint_def_default();
    ball.kind = CRN_JOINT_BALL;
    ball.frame_b.position.x = -1.0;
    crn_joint_id joint = add_joint(world, &ball, a, b);
    const double still[3] = {0, 0, 0};
    assert_int_equal(crn_joint_set_velocity(world, joint, still), CRN_OK); /* trees are planted here */
    check_same_state(world, twin, bodies, joints, "a joint elsewhere");
    assert_int_equal(crn_joint_destroy(world, joint, NULL), CRN_OK);
    crn_twist rest = {{0, 0, 0}, {0, 0, 0}};
    assert_int_equal(crn_body_set_velocity(world, a, &rest), CRN_OK); /* and here */
    check_same_state(world, twin, bodies, joints, "a joint elsewhere is gone");
    crn_world_destroy(world);
    crn_world_destroy(twin);
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
        crn_body_id body = crn_world_body(world, 2);
        assert_int_equal(crn_body_apply_force(world, body, (crn_vec3){3e16, 1e17, 5e16}, (crn_vec3){1, 1, 0}), CRN_OK);
        crn_status status = crn_world_step(world, h, NULL, &error);
        TEST_CHECK(status == CRN_ERR_DIVERGED, "%s: status %s", world_models[i].name, crn_status_name(status));
        TEST_CHECK(crn_world_hash(world) == before, "%s: a failed step changed the hash", world_models[i].name);
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
        cmocka_unit_test(test_books_come_back),
        cmocka_unit_test(test_turns_come_back),
        cmocka_unit_test(test_what_else_comes_back),
        cmocka_unit_test(test_snapshots_after_any_calls),
        cmocka_unit_test(test_setting_an_axis_perturbs_nothing),
        cmocka_unit_test(test_an_axis_set_later_is_the_same),
        cmocka_unit_test(test_a_joint_elsewhere_perturbs_nothing),
        cmocka_unit_test(test_damaged_snapshots),
        cmocka_unit_test(test_snapshots_of_other_worlds),
        cmocka_unit_test(test_bad_calls),
        cmocka_unit_test(test_looking_changes_nothing),
        cmocka_unit_test(test_a_failed_step_changes_nothing),
    };
    return TEST_RUN(tests, argc, argv);
}
