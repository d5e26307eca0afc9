/* Derivatives of a world's step against differences: scenes, random worlds, steps that follow one another, bounces. */
#include "gradient_case.h"

#include "random_world.h"

enum { TANGENT_MOST = 24, RANDOM_WORLDS = 130 };

static const double tol_if_not_certified = 1e-11; /* steps are solved to */

/* --- Scenes --- */

static void scenes_agree_with_differences(void **state)
{
    (void)state;
    for (int i = 0; i < SCENES; ++i) {
        crn_body_id body;
        crn_gradient_report report;
        int column = -1;
        crn_world *world = make_scene(&scenes[i], 0.0, &body);
        double off = worst_column_error(world, scenes[i].h, false, &report, &column);
        print_message("%-18s %s, touching %d, parting %d, margin %.1e: off by %.2g in column %d\n", scenes[i].name,
                      crn_gradient_status_name(report.status), report.touching, report.is_parting, report.margin, off,
                      column);
        assert_true(off <= error_most);
        crn_world_destroy(world);
    }
}

/* What is at rest touches: whatever raises it is closed by speed, whatever lowers it by a repair; both are told. */
static void a_box_at_rest_touches(void **state)
{
    const scene box = {"box",       {.kind = CRN_SHAPE_BOX, .size = {0.1, 0.1, 0.1}},
                       {0, 0, 0.1}, {0, 0, 0},
                       {0, 0, 0},   0.5,
                       0.01,        CRN_GRADIENT_KINK};
    crn_body_id body;
    crn_gradient_report report;
    double A[144];
    crn_world_jacobian to = {.state = A};
    crn_world *world = make_scene(&box, 0.0, &body);
    (void)state;
    assert_int_equal(crn_world_linearize(world, box.h, NULL, &to, &report, NULL), CRN_OK);
    assert_int_equal(report.status, CRN_GRADIENT_KINK);
    assert_int_equal(report.touching, 8); /* four corners in both kicks of a step from what is shown */
    assert_int_equal(report.listed, 8);
    assert_int_equal(report.kink[0].branch.kink, CRN_KINK_TOUCH);
    assert_true(fabs(A[12 * 5 + 5]) < 1e-6);       /* raised, it is down again at the end of the step */
    assert_true(fabs(A[12 * 3 + 3] - 1.0) < 1e-6); /* moved aside, it stays there ... */
    assert_true(fabs(A[12 * 9 + 3]) < 1e-6);       /* ... and a push is taken up by friction */
    crn_world_destroy(world);
}

/* The lower box, turned, is flat again at the end of the step and has taken the upper one along. Tangents of a normal along z must not
 * jump where it is turned: entries were 1e5 of a factor for others. Nor must contacts of flush edges be lost that are made by other features. */
static void a_stack_is_closed_again(void **state)
{
    static const double upper[] = {0.09, 0.1};
    (void)state;
    for (int i = 0; i < 2; ++i) {
        double A[24 * 24], most = 0.0;
        crn_world_jacobian to = {.state = A};
        crn_world *world = make_stack(upper[i]);
        assert_int_equal(crn_world_linearize(world, 0.01, NULL, &to, NULL, NULL), CRN_OK);
        for (int k = 0; k < 24 * 24; ++k) {
            most = fmax(most, fabs(A[k]));
        }
        print_message("upper box %g: turned back %.3g, moved along %.9f and %.9f; largest entry %.3g\n", upper[i], A[0],
                      A[4], A[10], most);
        assert_true(fabs(A[0]) < 1e-6);        /* flat */
        assert_true(fabs(A[4] - 0.1) < 1e-6);  /* by its own half height */
        assert_true(most < 500.0);             /* 1/h is 100 */
        assert_true(fabs(A[10] - 0.2) < 1e-6); /* the upper one by its height */
        crn_world_destroy(world);
    }
}

/* --- Random worlds --- */

typedef struct tally {
    int count[CRN_GRADIENT_STATUS_COUNT], unsupported, bad, too_large;
    double worst;
} tally;

/* -1: not certified, or diverged; NAN: too large, or no world. */
static double look_with(uint64_t seed, double solved_to, crn_gradient_report *report, int *column)
{
    crn_model *model;
    crn_world *world;
    double off = NAN;
    assert_int_equal(crn_model_create(NULL, &model, NULL), CRN_OK);
    assert_int_equal(crn_random_world(seed, model, NULL), CRN_OK);
    crn_model_world(model)->tol = solved_to;
    crn_model_world(model)->repair_tolerance = tol_repairs;
    if (crn_world_create_from(model, NULL, &world, NULL) == CRN_OK) {
        int n = crn_world_tangent(world);
        off = n > 0 && n <= TANGENT_MOST
                  ? worst_column_error(world, crn_model_world_of(model)->dt, true, report, column)
                  : NAN;
        crn_world_destroy(world);
    }
    crn_model_destroy(model);
    return off;
}

static void look_at(uint64_t seed, tally *t)
{
    crn_gradient_report report;
    int column = -1;
    double off = look_with(seed, tol, &report, &column);
    if (off < 0.0) {
        off = look_with(seed, tol_if_not_certified, &report, &column);
    }
    t->unsupported += off < 0.0;
    t->too_large += isnan(off);
    if (!(off >= 0.0)) {
        return;
    }
    bool is_smooth = report.status == CRN_GRADIENT_SMOOTH, is_bad = is_smooth && off > error_most;
    t->count[report.status]++;
    t->bad += is_bad;
    t->worst = is_smooth ? fmax(t->worst, off) : t->worst;
    if (is_bad) {
        print_message("random world %d: off by %.2g in column %d; margin %.1e, repairs %d, clamped %.1e\n", (int)seed,
                      off, column, report.margin, report.step.repairs, report.step.clamped);
    }
}

/* CAIRN_GRADIENT_WORLDS: how many; CAIRN_GRADIENT_FIRST: the first of them. */
static void random_worlds_agree_with_differences(void **state)
{
    const char *many = getenv("CAIRN_GRADIENT_WORLDS"), *from = getenv("CAIRN_GRADIENT_FIRST");
    int worlds = many ? atoi(many) : RANDOM_WORLDS, first = from ? atoi(from) : 1;
    tally t = {0};
    (void)state;
    for (int seed = first; seed < first + worlds; ++seed) {
        look_at((uint64_t)seed, &t);
    }
    print_message("random worlds: smooth %d (worst %.2g), kink %d, inconsistent %d, undetermined %d, jump %d, "
                  "uncovered %d; not certified %d, of more than %d velocities or none %d; kinks that were not told, or "
                  "above 1e-6: %d; not a number: 0\n",
                  t.count[0], t.worst, t.count[1], t.count[2], t.count[3], t.count[4], t.count[5], t.unsupported,
                  TANGENT_MOST, t.too_large, t.bad);
    assert_true(t.count[0] > worlds / 5);
    assert_int_equal(t.bad, 0);
}

/* Worlds whose derivatives were off: impacts in frames that jumped (2094) or whose redundant contacts share their impulses evenly, which
 * changes with the place (3968, 5272); clamps about to act (630, 3134, 3304, 4987); curves within the change (1615, 3689, 4951, 5399); rounding
 * that is opposite to both sides (3250), or less by chance where it is measured (4187, 6075). */
static void worlds_that_were_off_agree(void **state)
{
    static const int seeds[] = {630, 1615, 2094, 3134, 3250, 3304, 3689, 3968, 4187, 4951, 4987, 5272, 5399, 6075};
    enum { SEEDS = sizeof seeds / sizeof *seeds };
    tally t = {0};
    (void)state;
    for (int i = 0; i < SEEDS; ++i) {
        look_at((uint64_t)seeds[i], &t);
    }
    print_message("worlds that were off: smooth %d (worst %.2g), kink %d\n", t.count[0], t.worst, t.count[1]);
    assert_int_equal(t.count[0] + t.count[1], SEEDS);
    assert_true(t.count[0] >= SEEDS / 2);
    assert_int_equal(t.bad, 0);
}

/* --- Several steps --- */

/* What a change of the first state makes of the last, step by step: 3n x 2n. */
static void chain(crn_world *world, double h, int steps, double *T)
{
    int n = crn_world_tangent(world);
    static double A[4 * SIZE_MOST * SIZE_MOST], C[2 * SIZE_MOST * SIZE_MOST], next[6 * SIZE_MOST * SIZE_MOST];
    crn_gradient_options options = crn_gradient_options_default();
    options.continues = true;
    memset(T, 0, 6 * (size_t)(n * n) * sizeof *T);
    for (int j = 0; j < 2 * n; ++j) {
        T[3 * n * j + j] = 1.0;
    }
    for (int k = 0; k < steps; ++k) {
        crn_gradient_report report;
        crn_world_jacobian to = {.state = A, .carried = C};
        assert_int_equal(crn_world_linearize(world, h, &options, &to, &report, NULL), CRN_OK);
        assert_int_equal(report.begins_shown, k == 0);
        for (int j = 0; j < 2 * n; ++j) {
            const double *from = T + 3 * n * j;
            for (int i = 0; i < 3 * n; ++i) {
                double sum = 0.0;
                for (int m = 0; m < 2 * n; ++m) {
                    double x = m < n ? from[m] : report.begins_shown ? from[m] : from[m + n];
                    sum += x * (i < 2 * n ? A[2 * n * m + i] : C[n * m + i - 2 * n]);
                }
                next[3 * n * j + i] = sum;
            }
        }
        memcpy(T, next, 6 * (size_t)(n * n) * sizeof *T);
        assert_int_equal(crn_world_step(world, h, NULL, NULL), CRN_OK);
    }
}

/* Steps that follow one another go on from velocities that are not shown, and what rolls knows where it touched before: the chain has it all. */
static void steps_chain(void **state)
{
    static const int which[] = {0, 1, 2, 3};
    enum { STEPS = 4 };
    (void)state;
    for (int s = 0; s < 4; ++s) {
        static double T[6 * SIZE_MOST * SIZE_MOST];
        crn_body_id body;
        crn_world *world = make_scene(&scenes[which[s]], 0.0, &body);
        double h = scenes[which[s]].h, worst = 0.0;
        size_t first_size, last_size;
        void *first = save(world, &first_size);
        chain(world, h, STEPS, T);
        void *last = save(world, &last_size);
        for (int j = 0; j < 12; ++j) {
            double best = INFINITY, size = 1.0;
            for (double by = 1e-4; by > 0.9e-6; by *= 0.1) {
                double side[2][12], d[6] = {0}, off = 0.0;
                d[j % 6] = 1.0;
                for (int k = 0; k < 2; ++k) {
                    assert_int_equal(crn_world_restore(world, first, first_size, NULL), CRN_OK);
                    assert_int_equal(crn_world_move(world, k ? -by : by, j < 6 ? d : NULL, j < 6 ? NULL : d, NULL),
                                     CRN_OK);
                    for (int step = 0; step < STEPS; ++step) {
                        assert_int_equal(crn_world_step(world, h, NULL, NULL), CRN_OK);
                    }
                    assert_int_equal(crn_world_change_since(world, last, last_size, side[k], side[k] + 6, NULL),
                                     CRN_OK);
                }
                for (int i = 0; i < 12; ++i) {
                    size = fmax(size, fabs(T[18 * j + i]));
                    off = fmax(off, fabs((side[0][i] - side[1][i]) / (2 * by) - T[18 * j + i]));
                }
                best = fmin(best, off / size);
            }
            worst = fmax(worst, best);
        }
        print_message("%-18s %d steps: off by %.2g\n", scenes[which[s]].name, STEPS, worst);
        assert_true(worst < error_most);
        free(first);
        free(last);
        crn_world_destroy(world);
    }
}

/* --- Bounces --- */

/* Two equal balls on a line, the first hits the second: where it would have been, the other is. The step's derivative shares this between
 * both, at every h; that of the motion does not. */
static void saltation_is_of_the_motion(void **state)
{
    (void)state;
    for (int salt = 0; salt < 2; ++salt) {
        crn_world_def def = crn_world_def_default();
        def.gravity = (crn_vec3){0, 0, 0};
        crn_world *world = new_world(&def);
        crn_body_shape shape = crn_body_shape_default();
        crn_body_def made = crn_body_def_default();
        shape.shape = (crn_shape_def){.kind = CRN_SHAPE_SPHERE, .size = {0.1, 0, 0}};
        shape.restitution = 1.0;
        shape.friction = 0.0;
        made.shape = &shape;
        made.shapes = 1;
        made.velocity = (crn_vec3){1, 0, 0};
        (void)add_body(world, &made);
        made.pose.position.x = 0.5237;
        made.velocity.x = 0.0;
        (void)add_body(world, &made);
        crn_gradient_options options = crn_gradient_options_default();
        crn_tape *tape;
        crn_gradient_status worst;
        double q[12] = {0}, v[12] = {0}, gq[12], gv[12];
        int unsmooth;
        options.saltation = salt == 1;
        q[9] = 1.0; /* x of the second */
        assert_int_equal(crn_tape_create(world, &options, 0, 100, &tape, NULL), CRN_OK);
        for (int k = 0; k < 100; ++k) {
            assert_int_equal(crn_tape_step(tape, 0.01, NULL, NULL), CRN_OK);
        }
        crn_world_change after = {.q = q, .v = v}, before = {.q = gq, .v = gv};
        assert_int_equal(crn_tape_backward(tape, NULL, NULL, &after, &before, NULL, &worst, &unsmooth, NULL), CRN_OK);
        print_message("two balls, saltation %d: d x2 / d (x1, x2, v1, v2) = %.4f %.4f %.4f %.4f, %s\n", salt, gq[3],
                      gq[9], gv[3], gv[9], crn_gradient_status_name(worst));
        if (salt) {
            assert_true(fabs(gq[3] - 1) < 1e-6 && fabs(gq[9]) < 1e-6 && fabs(gv[3] - 1) < 1e-5 && fabs(gv[9]) < 1e-5);
        } else {
            assert_true(fabs(gq[3]) < 1e-6 &&
                        fabs(gq[9] - 1) < 1e-6); /* a kick sees no moment: exact for the map, wrong for the motion */
        }
        crn_tape_destroy(tape);
        crn_world_destroy(world);
    }
}

/* A step that is not certified has no derivative, and nothing is written: here problems are to be solved to less than rounding. */
static void an_uncertified_step_has_none(void **state)
{
    crn_world_def def = crn_world_def_default();
    crn_body_def box = crn_body_def_default();
    crn_body_shape shape = crn_body_shape_default();
    def.tol = 1e-300;
    crn_world *world = new_world(&def);
    add_surface(world, FLOOR_PLANE, 0.5);
    shape.shape = (crn_shape_def){.kind = CRN_SHAPE_BOX, .size = {0.1, 0.13, 0.17}};
    box.pose = surface_pose(0, 0, 0.165);
    box.pose.rotation = (crn_quat){0.9, 0.3, 0.1, 0.3};
    box.velocity = (crn_vec3){0.3, 0.2, -1};
    box.angular = (crn_vec3){1, 2, 3};
    box.shape = &shape;
    box.shapes = 1;
    (void)add_body(world, &box);
    crn_world_linear *linear = NULL;
    crn_gradient_report report = {.kinks = 77};
    crn_error error;
    double A[144] = {77.0};
    crn_world_jacobian to = {.state = A};
    (void)state;
    crn_status status = crn_world_linearize(world, 0.01, NULL, &to, &report, &error);
    print_message("%s\n", error.text);
    assert_true(status == CRN_ERR_UNSUPPORTED || status == CRN_ERR_DIVERGED);
    assert_true(A[0] == 77.0 && report.kinks == 77);
    assert_int_equal(crn_world_linear_create(world, 0.01, NULL, &linear, NULL, &error), status);
    assert_null(linear);
    crn_world_destroy(world);
}

/* A box that slides on four corners, whose rows are redundant, is braked by mu g: by formula. Newton's method once lost its right sides to the factor of
 * redundant rows, and impulses stayed what they were. */
static void a_sliding_box_is_braked_by_its_weight(void **state)
{
    const scene box = {"box",        {.kind = CRN_SHAPE_BOX, .size = {0.1, 0.1, 0.05}},
                       {0, 0, 0.05}, {2, 0, 0},
                       {0, 0, 0},    0.4,
                       0.01,         CRN_GRADIENT_KINK};
    crn_body_id body;
    crn_world *world = make_scene(&box, 0.0, &body);
    crn_parameter list[] = {{.kind = CRN_PARAMETER_GRAVITY, .index = 2},
                            {.kind = CRN_PARAMETER_MASS, .body = body},
                            {.kind = CRN_PARAMETER_FRICTION, .body = body},
                            {.kind = CRN_PARAMETER_FORCE, .body = body, .index = 5}};
    crn_gradient_options options = crn_gradient_options_default();
    double P[12 * 4], mass;
    crn_world_jacobian to = {.by_parameter = P};
    (void)state;
    options.parameter = list;
    options.parameters = 4;
    assert_int_equal(crn_body_mass(world, body, &mass, NULL, NULL), CRN_OK);
    assert_int_equal(crn_world_linearize(world, 0.01, &options, &to, NULL, NULL), CRN_OK);
    double weight = 9.81 * 0.01, half = 0.5; /* of the pair, whose friction is the root of both, by one of them */
    assert_true(fabs(P[9] - 0.4 * 0.01) < 1e-9);
    assert_true(fabs(P[12 + 9]) < 1e-9);
    assert_true(fabs(P[24 + 9] + half * weight) < 1e-7);
    assert_true(fabs(P[36 + 9] - 0.4 * 0.01 / mass) < 1e-9);
    crn_world_destroy(world);
}

static void bad_input_is_told(void **state)
{
    crn_body_id body;
    crn_world *world = make_scene(&scenes[0], 0.0, &body);
    crn_gradient_options options = crn_gradient_options_default();
    crn_parameter list[1] = {{.kind = CRN_PARAMETER_MASS, .body = {77, 1}}};
    crn_error error;
    (void)state;
    options.parameter = list;
    options.parameters = 1;
    assert_int_equal(crn_world_linearize(NULL, 0.01, NULL, NULL, NULL, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_world_linearize(world, -1.0, NULL, NULL, NULL, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_world_linearize(world, 0.01, &options, NULL, NULL, &error), CRN_ERR_ARGUMENT);
    assert_string_equal(error.text, "parameter 0 (mass): the body's id is stale or null");
    list[0] = (crn_parameter){.kind = CRN_PARAMETER_SIZE, .body = body, .index = 3};
    assert_int_equal(crn_world_linearize(world, 0.01, &options, NULL, NULL, &error), CRN_ERR_ARGUMENT);
    assert_string_equal(error.text, "parameter 0 (size): index 3, of 3");
    list[0] = (crn_parameter){.kind = CRN_PARAMETER_FRAME};
    assert_int_equal(crn_world_linearize(world, 0.01, &options, NULL, NULL, &error), CRN_ERR_ARGUMENT);
    assert_string_equal(error.text, "parameter 0 (frame): the joint's id is stale or null");
    list[0] = (crn_parameter){.kind = (crn_parameter_kind)99};
    assert_int_equal(crn_world_linearize(world, 0.01, &options, NULL, NULL, &error), CRN_ERR_ARGUMENT);
    list[0] = (crn_parameter){.kind = CRN_PARAMETER_GRAVITY, .index = 3};
    assert_int_equal(crn_world_linearize(world, 0.01, &options, NULL, NULL, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_world_jvp(world, 0.01, NULL, NULL, NULL, NULL, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_tape_backward(NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, &error), CRN_ERR_ARGUMENT);
    crn_parameter_kind kind;
    assert_true(crn_parameter_kind_find("friction", &kind) && kind == CRN_PARAMETER_FRICTION);
    assert_false(crn_parameter_kind_find("colour", &kind));
    crn_world_destroy(world);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(scenes_agree_with_differences),
                                       cmocka_unit_test(a_box_at_rest_touches),
                                       cmocka_unit_test(a_stack_is_closed_again),
                                       cmocka_unit_test(random_worlds_agree_with_differences),
                                       cmocka_unit_test(worlds_that_were_off_agree),
                                       cmocka_unit_test(steps_chain),
                                       cmocka_unit_test(saltation_is_of_the_motion),
                                       cmocka_unit_test(an_uncertified_step_has_none),
                                       cmocka_unit_test(a_sliding_box_is_braked_by_its_weight),
                                       cmocka_unit_test(bad_input_is_told)};
    return TEST_RUN(tests, argc, argv);
}
