/* Derivatives of a world's step against centred differences of crn_world_step() itself, through the public calls alone. */
#include "surface_case.h"

#include <cairn/gradient.h>

#include "math/rigid.h"
#include "random_world.h"

enum { SIZE_MOST = 72, TANGENT_MOST = 24, RANDOM_WORLDS = 130 };

/* Over a column's largest entry. No other difference is tried below the second. */
static const double error_most = 1e-6, error_enough = 1e-8;

#define WIDER 3.0 /* a difference than the next */

/* What steps are solved to and, since one repair after another squares what is left, positions; derivatives are of steps solved exactly. */
static const double tol = 1e-13, tol_repairs = 1e-14, tol_if_not_certified = 1e-11;

/* --- Differences of steps --- */

typedef struct oracle {
    crn_world *world;
    double h;
    int n;
    void *before, *after; /* snapshots */
    size_t before_size, after_size;
} oracle;

static void *save(crn_world *world, size_t *size)
{
    *size = crn_world_snapshot_size(world);
    void *data = malloc(*size);
    assert_int_equal(crn_world_save(world, data, *size, NULL), CRN_OK);
    return data;
}

static void restore(const oracle *o)
{
    assert_int_equal(crn_world_restore(o->world, o->before, o->before_size, NULL), CRN_OK);
}

/* The step from what is shown, everything placed anew: what derivatives are of by default. */
static oracle open_oracle(crn_world *world, double h)
{
    oracle o = {.world = world, .h = h, .n = crn_world_tangent(world)};
    o.before = save(world, &o.before_size);
    assert_int_equal(crn_world_move(world, 0.0, NULL, NULL, NULL), CRN_OK);
    assert_int_equal(crn_world_step(world, h, NULL, NULL), CRN_OK);
    o.after = save(world, &o.after_size);
    restore(&o);
    return o;
}

static void close_oracle(oracle *o)
{
    restore(o);
    free(o->before);
    free(o->after);
}

/* State after the step (2n), since that of the step from here. False: the step could not be made. */
static bool side_of(const oracle *o, int j, double by, double *to)
{
    double d[SIZE_MOST] = {0};
    restore(o);
    d[j % o->n] = 1.0;
    crn_error error;
    assert_int_equal(crn_world_move(o->world, by, j < o->n ? d : NULL, j < o->n ? NULL : d, &error), CRN_OK);
    return crn_world_step(o->world, o->h, NULL, &error) == CRN_OK &&
           crn_world_change_since(o->world, o->after, o->after_size, to, to + o->n, &error) == CRN_OK;
}

/* Differences of the three states of side_of() at +by, -by and 0: centred, forward, backward. */
static void differences(int n, double by, double side[3][2 * SIZE_MOST], double to[3][2 * SIZE_MOST])
{
    for (int i = 0; i < 2 * n; ++i) {
        to[0][i] = (side[0][i] - side[1][i]) / (2 * by);
        to[1][i] = (side[0][i] - side[2][i]) / by;
        to[2][i] = (side[2][i] - side[1][i]) / by;
    }
}

/* Largest difference from a column; with `wide`, differences WIDER times as wide, what both lead to where the change is 0. */
static double distance(int n, const double *column, const double *narrow, const double *wide)
{
    double most = 0.0;
    for (int i = 0; i < 2 * n; ++i) {
        double extrapolated = wide ? narrow[i] + (narrow[i] - wide[i]) / (WIDER * WIDER - 1.0) : narrow[i];
        most = fmax(most, fabs(extrapolated - column[i]));
    }
    return most;
}

/* The mean of many centred differences, of changes from half of `by` up to it: an eighth of the rounding of one of them. */
static double mean_distance(const oracle *o, int j, double by, const double *column)
{
    enum { MANY = 64 };
    double sum[2 * SIZE_MOST] = {0}, side[2][2 * SIZE_MOST];
    for (int k = 0; k < MANY; ++k) {
        double mine = by * (0.5 + 0.5 * (k + 1) / MANY);
        if (!side_of(o, j, mine, side[0]) || !side_of(o, j, -mine, side[1])) {
            return INFINITY;
        }
        for (int i = 0; i < 2 * o->n; ++i) {
            sum[i] += (side[0][i] - side[1][i]) / (2 * mine * MANY);
        }
    }
    return distance(o->n, column, sum, NULL);
}

/* How far column j is off, over its largest entry and 1: the best of several centred differences, of their extrapolations and means, since steps
 * with masses 1e6 apart have rounding of 1e-10. sided: the best of both one-sided ones, too. */
static double column_error(const oracle *o, int j, const double *column, bool is_sided)
{
    double best = INFINITY, size = 1.0, found[2][3][2 * SIZE_MOST];
    bool has_wide = false;
    for (int i = 0; i < 2 * o->n; ++i) {
        size = fmax(size, fabs(column[i]));
    }
    for (double by = 1e-2; by > 1e-9 && best > error_enough * size; by /= WIDER) {
        double side[3][2 * SIZE_MOST];
        if (!side_of(o, j, by, side[0]) || !side_of(o, j, -by, side[1]) || !side_of(o, j, 0.0, side[2])) {
            has_wide = false;
            continue;
        }
        differences(o->n, by, side, found[0]);
        for (int k = 0; k < (is_sided ? 3 : 1); ++k) {
            best = fmin(best, distance(o->n, column, found[0][k], NULL));
        }
        best = has_wide ? fmin(best, distance(o->n, column, found[0][0], found[1][0])) : best;
        memcpy(found[1], found[0], sizeof found[1]);
        has_wide = true;
    }
    for (double by = 1e-4; by > 1e-7 && best > error_most * size; by *= 0.1) {
        best = fmin(best, mean_distance(o, j, by, column));
    }
    return best / size;
}

/* -1: not certified, or diverged; with is_smooth_only steps at kinks are not compared: 0. */
static double worst_error(crn_world *world, double h, bool is_smooth_only, crn_gradient_report *report,
                          int *worst_column)
{
    static double A[4 * SIZE_MOST * SIZE_MOST];
    crn_world_jacobian to = {.state = A};
    crn_error error;
    crn_gradient_options options = crn_gradient_options_default();
    uint64_t hash = crn_world_hash(world);
    crn_status status = crn_world_linearize(world, h, &options, &to, report, &error);
    assert_true(crn_world_hash(world) == hash);
    if (status == CRN_ERR_UNSUPPORTED || status == CRN_ERR_DIVERGED) {
        return -1.0;
    }
    TEST_CHECK(status == CRN_OK, "%s", error.text);
    int n = crn_world_tangent(world);
    for (int i = 0; i < 4 * n * n; ++i) {
        assert_true(isfinite(A[i]));
    }
    if (is_smooth_only && report->status != CRN_GRADIENT_SMOOTH) {
        return 0.0;
    }
    oracle o = open_oracle(world, h);
    double worst = 0.0;
    for (int j = 0; j < 2 * n; ++j) {
        double off = column_error(&o, j, A + 2 * n * j, report->status != CRN_GRADIENT_SMOOTH);
        if (off > worst) {
            worst = off;
            *worst_column = j;
        }
    }
    close_oracle(&o);
    return worst;
}

/* --- Scenes --- */

typedef struct scene {
    const char *name;
    crn_shape_def shape;
    crn_vec3 at, v, w;
    double friction, h;
    crn_gradient_status status;
} scene;

static const scene scenes[] = {
    {"tumbling box",
     {.kind = CRN_SHAPE_BOX, .size = {0.1, 0.2, 0.3}},
     {0, 0, 5},
     {1, 2, 3},
     {1, 2, 3},
     0.5,
     0.01,
     CRN_GRADIENT_SMOOTH},
    {"sliding sphere",
     {.kind = CRN_SHAPE_SPHERE, .size = {0.1, 0, 0}},
     {0, 0, 0.1001},
     {3, 1, -1},
     {0, 1, 0},
     0.3,
     0.01,
     CRN_GRADIENT_SMOOTH},
    {"rolling sphere",
     {.kind = CRN_SHAPE_SPHERE, .size = {0.1, 0, 0}},
     {0, 0, 0.1001},
     {1, 0, 0},
     {0, 10, 0},
     0.5,
     0.01,
     CRN_GRADIENT_SMOOTH},
    {"landing sphere",
     {.kind = CRN_SHAPE_SPHERE, .size = {0.1, 0, 0}},
     {0, 0, 0.105},
     {2, 0, -1},
     {0, 1, 0},
     0.3,
     0.01,
     CRN_GRADIENT_KINK},
    {"landing ellipsoid",
     {.kind = CRN_SHAPE_ELLIPSOID, .size = {0.1, 0.2, 0.15}},
     {0, 0, 0.155},
     {1, 0, -1},
     {0, 1, 0},
     0.5,
     0.01,
     CRN_GRADIENT_SMOOTH},
    {"landing capsule",
     {.kind = CRN_SHAPE_CAPSULE, .size = {0.1, 0.2, 0}},
     {0, 0, 0.305},
     {0.5, 0.2, -1},
     {1, 1, 0},
     0.5,
     0.01,
     CRN_GRADIENT_SMOOTH},
};
enum { SCENES = sizeof scenes / sizeof *scenes };

static crn_world *make_scene(const scene *s, double restitution, crn_body_id *body)
{
    crn_world_def def = crn_world_def_default();
    def.tol = tol;
    def.repair_tolerance = tol_repairs;
    crn_world *world = new_world(&def);
    crn_body_shape shape = crn_body_shape_default();
    crn_body_def made = crn_body_def_default();
    add_surface(world, FLOOR_PLANE, s->friction);
    shape.shape = s->shape;
    shape.friction = s->friction;
    shape.restitution = restitution;
    made.pose = surface_pose(s->at.x, s->at.y, s->at.z);
    made.velocity = s->v;
    made.angular = s->w;
    made.shape = &shape;
    made.shapes = 1;
    *body = add_body(world, &made);
    return world;
}

static void scenes_agree_with_differences(void **state)
{
    (void)state;
    for (int i = 0; i < SCENES; ++i) {
        crn_body_id body;
        crn_gradient_report report;
        int column = -1;
        crn_world *world = make_scene(&scenes[i], 0.0, &body);
        double off = worst_error(world, scenes[i].h, false, &report, &column);
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

/* Two boxes on the floor, the upper one of half width `upper`, at rest. */
static crn_world *make_stack(double upper)
{
    crn_world *world = new_world(NULL);
    crn_body_shape shape = crn_body_shape_default();
    crn_body_def made = crn_body_def_default();
    add_surface(world, FLOOR_PLANE, 0.5);
    made.shape = &shape;
    made.shapes = 1;
    for (int i = 0; i < 2; ++i) {
        double half = i ? upper : 0.1;
        shape.shape = (crn_shape_def){.kind = CRN_SHAPE_BOX, .size = {half, half, 0.1}};
        made.pose = surface_pose(0.0, 0.0, 0.1 + 0.2 * i);
        (void)add_body(world, &made);
    }
    for (int i = 0; i < 5; ++i) {
        assert_int_equal(crn_world_step(world, 0.01, NULL, NULL), CRN_OK);
    }
    return world;
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
        off =
            n > 0 && n <= TANGENT_MOST ? worst_error(world, crn_model_world_of(model)->dt, true, report, column) : NAN;
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
    assert_true(t.count[0] >= SEEDS - 5);
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

/* --- Tapes --- */

static void add_height(void *user, const crn_world *world, int step, double *q, double *v)
{
    (void)user;
    (void)world;
    (void)v;
    q[5] += 0.01 * step;
}

/* Gradients of a sum over many steps, with snapshots of all steps and of few, to the bit; and against one product per step. */
static void checkpoints_change_nothing(void **state)
{
    enum { STEPS = 500 };
    double g[2][12], friction[2][STEPS];
    crn_gradient_status worst[2];
    (void)state;
    for (int k = 0; k < 2; ++k) {
        crn_body_id body;
        crn_world *world = make_scene(&scenes[1], 0.0, &body);
        crn_gradient_options options = crn_gradient_options_default();
        crn_parameter mu = {.kind = CRN_PARAMETER_FRICTION, .body = body};
        crn_tape *tape;
        options.parameter = &mu;
        options.parameters = 1;
        assert_int_equal(crn_tape_create(world, &options, k ? 7 : 1, 0, &tape, NULL), CRN_OK);
        for (int step = 0; step < STEPS; ++step) {
            if (step % 5 == 0) {
                assert_int_equal(crn_body_apply_torque(world, body, (crn_vec3){0, 0.01 * step, 0}), CRN_OK);
            }
            assert_int_equal(crn_tape_step(tape, 0.01, NULL, NULL), CRN_OK);
        }
        uint64_t hash = crn_world_hash(world);
        crn_world_change before = {.q = g[k], .v = g[k] + 6};
        double q[6] = {0, 0, 0, 1, 0, 0};
        crn_world_change after = {.q = q};
        assert_int_equal(crn_tape_backward(tape, add_height, NULL, &after, &before, friction[k], &worst[k], NULL, NULL),
                         CRN_OK);
        assert_true(crn_world_hash(world) == hash);
        crn_tape_destroy(tape);
        crn_world_destroy(world);
    }
    assert_memory_equal(g[0], g[1], sizeof g[0]);
    assert_memory_equal(friction[0], friction[1], sizeof friction[0]);
    double sum = 0.0;
    for (int i = 0; i < STEPS; ++i) {
        assert_true(isfinite(friction[0][i]));
        sum += friction[0][i];
    }
    assert_true(sum < 0.0); /* more friction, less way */
}

/* --- Parameters and products --- */

static void parameters_and_products_agree(void **state)
{
    crn_body_id body;
    crn_world *world = make_scene(&scenes[1], 0.0, &body);
    crn_parameter list[] = {{.kind = CRN_PARAMETER_FRICTION, .body = body},
                            {.kind = CRN_PARAMETER_MASS, .body = body},
                            {.kind = CRN_PARAMETER_FORCE, .body = body, .index = 3},
                            {.kind = CRN_PARAMETER_GRAVITY, .index = 2}};
    crn_gradient_options options = crn_gradient_options_default();
    double P[12 * 4], A[144], seed[12], gq[6], gv[6], gp[4], out[12], dq[6], dv[6], dp[4];
    crn_world_jacobian to = {.state = A, .by_parameter = P};
    crn_random random = test_random("products", 5);
    (void)state;
    options.parameter = list;
    options.parameters = 4;
    assert_int_equal(crn_world_linearize(world, 0.01, &options, &to, NULL, NULL), CRN_OK);
    double mass, weight;
    assert_int_equal(crn_body_mass(world, body, &mass, NULL, NULL), CRN_OK);
    weight = 9.81 * 0.01;
    assert_true(fabs(P[12 * 2 + 9] - 0.01 / mass) <
                0.01 * P[12 * 2 + 9]);       /* but for friction, which turns with the slip */
    assert_true(P[9] < -0.5 * weight * 0.9); /* friction brakes */
    for (int i = 0; i < 12; ++i) {
        seed[i] = crn_random_normal(&random);
        *(i < 6 ? &dq[i] : &dv[i - 6]) = crn_random_normal(&random);
    }
    for (int i = 0; i < 4; ++i) {
        dp[i] = crn_random_normal(&random);
    }
    crn_world_change after = {.q = seed, .v = seed + 6}, before = {.q = gq, .v = gv, .parameter = gp};
    assert_int_equal(crn_world_vjp(world, 0.01, &options, &after, &before, NULL, NULL), CRN_OK);
    crn_world_change in = {.q = dq, .v = dv, .parameter = dp}, result = {.q = out, .v = out + 6};
    assert_int_equal(crn_world_jvp(world, 0.01, &options, &in, &result, NULL, NULL), CRN_OK);
    double forward = 0.0, backward = 0.0, dense = 0.0;
    for (int i = 0; i < 12; ++i) {
        double row = 0.0;
        for (int j = 0; j < 12; ++j) {
            row += A[12 * j + i] * (j < 6 ? dq[j] : dv[j - 6]);
        }
        for (int j = 0; j < 4; ++j) {
            row += P[12 * j + i] * dp[j];
        }
        dense += seed[i] * row;
        forward += seed[i] * out[i];
        backward += i < 6 ? gq[i] * dq[i] + gv[i] * dv[i] : 0.0;
    }
    for (int j = 0; j < 4; ++j) {
        backward += gp[j] * dp[j];
    }
    assert_int_equal(crn_world_vjp(world, 0.01, NULL, &after, &before, NULL, NULL), CRN_OK);
    in.parameter = NULL;
    assert_int_equal(crn_world_jvp(world, 0.01, NULL, &in, &result, NULL, NULL), CRN_OK);
    double by_state[2] = {0.0, 0.0};
    for (int i = 0; i < 12; ++i) {
        by_state[0] += seed[i] * out[i];
        by_state[1] += i < 6 ? gq[i] * dq[i] + gv[i] * dv[i] : 0.0;
    }
    print_message("products by the state: forward and adjoint differ by %.3g of %.3g\n",
                  fabs(by_state[0] - by_state[1]), fabs(by_state[0]));
    assert_true(fabs(by_state[0] - by_state[1]) < 1e-12 * fabs(by_state[0]));
    print_message("products: adjoint %.3g, forward %.3g of %.3g\n", fabs(backward - dense), fabs(forward - dense),
                  fabs(dense));
    assert_true(fabs(backward - dense) < 1e-12 * fabs(dense) + 1e-12);
    assert_true(fabs(forward - dense) < 1e-6 * fabs(dense) + 1e-6);
    crn_world_destroy(world);
}

/* --- Sizes, places and frames: against worlds that are made so --- */

typedef struct made {
    crn_world *world;
    crn_body_id body;
    crn_joint_id joint;
} made;

/* A capsule that lands, of mass 1, its shape off its centre of mass; or a pendulum on a hinge about y, which turns with 3 rad/s. */
static made make_with(crn_parameter_kind kind, int index, double by)
{
    crn_world_def def = crn_world_def_default();
    crn_body_shape shape = crn_body_shape_default();
    crn_body_def body = crn_body_def_default();
    made m = {0};
    double change[6] = {0};
    change[index] = by;
    def.tol = tol;
    def.repair_tolerance = tol_repairs;
    m.world = new_world(&def);
    body.mass = 1.0;
    body.inertia = (crn_mat3){{0.02, 0, 0, 0, 0.03, 0, 0, 0, 0.01}};
    if (kind == CRN_PARAMETER_FRAME) {
        crn_joint_def joint = crn_joint_def_default();
        crn_vec3 a = {change[0], change[1], 2.0 + change[2]}, b = {0.1 + change[3], change[4], 0.3 + change[5]};
        body.pose.position = (crn_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
        body.angular = (crn_vec3){0, 3, 0};
        body.velocity = (crn_vec3){-3 * b.z, 0, 3 * b.x}; /* w x (centre - joint) */
        m.body = add_body(m.world, &body);
        joint.kind = CRN_JOINT_HINGE;
        joint.in_tree = true;
        joint.frame_a = (crn_pose){a, {0.70710678118654757, 0.70710678118654757, 0, 0}}; /* its z is -y */
        joint.frame_b = (crn_pose){b, joint.frame_a.rotation};
        assert_int_equal(crn_joint_create(m.world, &joint, (crn_body_id){0, 0}, m.body, &m.joint, NULL), CRN_OK);
        return m;
    }
    bool is_size = kind == CRN_PARAMETER_SIZE;
    add_surface(m.world, FLOOR_PLANE, 0.5);
    shape.shape = (crn_shape_def){.kind = CRN_SHAPE_CAPSULE, .size = {0.1, 0.2, 0}};
    shape.shape.size.x += is_size ? change[0] : 0.0;
    shape.shape.size.y += is_size ? change[1] : 0.0;
    shape.pose.position =
        is_size ? (crn_vec3){0.02, 0, 0.01} : (crn_vec3){0.02 + change[0], change[1], 0.01 + change[2]};
    body.pose = surface_pose(0, 0, 0.2945);
    body.pose.rotation = (crn_quat){0.99, 0.0, 0.141067359796659, 0.0};
    body.velocity = (crn_vec3){0.5, 0.2, -1};
    body.angular = (crn_vec3){1, 1, 0};
    body.shape = &shape;
    body.shapes = 1;
    m.body = add_body(m.world, &body);
    return m;
}

/* Where the body is after a step: turn from where it usually ends, place, velocities. */
static void step_and_read(const made *m, crn_quat from, double *to)
{
    crn_pose pose;
    crn_twist twist;
    assert_int_equal(crn_world_step(m->world, 0.01, NULL, NULL), CRN_OK);
    assert_int_equal(crn_body_pose(m->world, m->body, &pose), CRN_OK);
    assert_int_equal(crn_body_velocity(m->world, m->body, &twist), CRN_OK);
    crn_v3_to(crn_quat_log(crn_quat_product(pose.rotation, crn_quat_conjugate(from))), to);
    crn_v3_to(pose.position, to + 3);
    crn_v3_to(twist.angular, to + 6);
    crn_v3_to(twist.linear, to + 9);
}

/* How far a column is off a centred difference; size: its largest entry. Of the hinge: its turn about -y and the speed of that. */
static double parameter_error(crn_parameter_kind kind, int index, double by, crn_quat from, const double *column,
                              double *size)
{
    bool is_hinge = kind == CRN_PARAMETER_FRAME;
    double side[2][12], off = 0.0;
    for (int i = 0; i < 2; ++i) {
        made other = make_with(kind, index, i ? -by : by);
        step_and_read(&other, from, side[i]);
        crn_world_destroy(other.world);
    }
    for (int i = 0; i < (is_hinge ? 2 : 12); ++i) {
        int at = is_hinge ? 1 + 6 * i : i;
        double slope = (side[0][at] - side[1][at]) / (2 * by) * (is_hinge ? -1.0 : 1.0);
        off = fmax(off, fabs(slope - column[i]));
        *size = fmax(*size, fabs(column[i]));
    }
    return off;
}

static void sizes_places_and_frames_agree(void **state)
{
    static const struct {
        crn_parameter_kind kind;
        int count;
    } kinds[] = {{CRN_PARAMETER_SIZE, 2}, {CRN_PARAMETER_PLACE, 3}, {CRN_PARAMETER_FRAME, 6}};
    (void)state;
    for (int k = 0; k < 3; ++k) {
        for (int index = 0; index < kinds[k].count; ++index) {
            double P[12], off, size = 0.0;
            crn_pose pose;
            made m = make_with(kinds[k].kind, index, 0.0);
            crn_parameter parameter = {.kind = kinds[k].kind, .body = m.body, .joint = m.joint, .index = index};
            crn_gradient_options options = crn_gradient_options_default();
            crn_gradient_report report;
            crn_world_jacobian to = {.by_parameter = P};
            options.parameter = &parameter;
            options.parameters = 1;
            assert_true(crn_world_tangent(m.world) > 0); /* trees are planted */
            uint64_t hash = crn_world_hash(m.world);
            assert_int_equal(crn_world_linearize(m.world, 0.01, &options, &to, &report, NULL), CRN_OK);
            assert_true(crn_world_hash(m.world) == hash);
            assert_int_equal(crn_world_step(m.world, 0.01, NULL, NULL), CRN_OK);
            assert_int_equal(crn_body_pose(m.world, m.body, &pose), CRN_OK);
            double best = INFINITY;
            for (double by = 1e-4; by > 0.9e-7; by *= 0.1) {
                best = fmin(best, parameter_error(kinds[k].kind, index, by, pose.rotation, P, &size));
            }
            off = best;
            print_message("%s %d: off by %.2g of %.3g, %s\n", crn_parameter_kind_name(kinds[k].kind), index, off, size,
                          crn_gradient_status_name(report.status));
            assert_true(off <= error_most * fmax(size, 1.0));
            crn_world_destroy(m.world);
        }
    }
}

/* --- A step that is kept --- */

/* How far products with a kept step are from its Jacobian, and forward from adjoint. True: both are without differences, and agree to rounding. */
static bool compare_kept(crn_world *world, double h)
{
    static double A[4 * SIZE_MOST * SIZE_MOST], C[2 * SIZE_MOST * SIZE_MOST], in[2 * SIZE_MOST], out[3 * SIZE_MOST],
        seed[3 * SIZE_MOST], g[2 * SIZE_MOST];
    int n = crn_world_tangent(world);
    crn_random random = crn_random_seed(7);
    crn_world_linear *linear;
    crn_world_jacobian to = {.state = A, .carried = C};
    crn_gradient_options options = crn_gradient_options_default();
    double off = 0.0, size = 0.0, forward = 0.0, adjoint = 0.0, terms = 0.0;
    options.continues = true;
    assert_true(n <= SIZE_MOST);
    assert_int_equal(crn_world_linearize(world, h, &options, &to, NULL, NULL), CRN_OK);
    assert_int_equal(crn_world_linear_create(world, h, &options, &linear, NULL, NULL), CRN_OK);
    for (int i = 0; i < 3 * n; ++i) {
        seed[i] = crn_random_normal(&random);
        in[i % (2 * n)] = crn_random_normal(&random);
    }
    crn_world_change before = {.q = in, .v = in + n}, after = {.q = out, .v = out + n, .carried = out + 2 * n};
    crn_world_change from = {.q = seed, .v = seed + n, .carried = seed + 2 * n}, back = {.q = g, .v = g + n};
    assert_int_equal(crn_world_linear_jvp(linear, &before, &after, NULL), CRN_OK);
    assert_int_equal(crn_world_linear_vjp(linear, &from, &back, NULL), CRN_OK);
    for (int j = 0; j < 2 * n; ++j) {
        double sum = 0.0;
        for (int i = 0; i < 3 * n; ++i) {
            double entry = i < 2 * n ? A[2 * n * j + i] : C[n * j + i - 2 * n];
            sum += seed[i] * entry;
            size = fmax(size, fabs(entry));
        }
        off = fmax(off, fabs(sum - g[j]));
        adjoint += g[j] * in[j];
    }
    for (int i = 0; i < 3 * n; ++i) {
        forward += seed[i] * out[i];
        terms += fabs(seed[i] * out[i]);
    }
    print_message("%d velocities: adjoint and Jacobian differ by %.2g of %.3g, forward and adjoint by %.2g\n", n, off,
                  size, fabs(forward - adjoint) / terms);
    assert_true(off < 1e-12 * size * n);
    bool is_exact = fabs(forward - adjoint) < 1e-12 * terms;
    assert_true(is_exact || fabs(forward - adjoint) < 1e-6 * terms);
    crn_world_linear_destroy(linear);
    return is_exact;
}

/* Scenes of one body in flight, sliding, rolling and landing, and stacks, after some steps: what rolls knows where it touched before. */
static void kept_steps_agree(void **state)
{
    int exact = 0;
    (void)state;
    for (int i = 0; i < SCENES; ++i) {
        crn_body_id body;
        crn_world *world = make_scene(&scenes[i], 0.0, &body);
        for (int step = 0; step < (i < 4 ? 3 : 1); ++step) { /* the others come to rest on places that are repaired */
            exact += compare_kept(world, scenes[i].h);
            assert_int_equal(crn_world_step(world, scenes[i].h, NULL, NULL), CRN_OK);
        }
        crn_world_destroy(world);
    }
    crn_world *stack = make_stack(0.09);
    exact += compare_kept(stack, 0.01);
    crn_world_destroy(stack);
    made pendulum = make_with(CRN_PARAMETER_FRAME, 0, 0.0);
    (void)compare_kept(pendulum.world, 0.01);
    crn_world_destroy(pendulum.world);
    print_message("%d of 15 steps by their chains\n", exact);
    assert_true(exact >= 10);
}

/* Steps that are made again need the world as it was; a chain does not, and nothing is written where it is missing. */
static void a_changed_world_is_told(void **state)
{
    made m = make_with(CRN_PARAMETER_FRAME, 0, 0.0);
    crn_world_linear *linear = NULL;
    crn_error error;
    double q = 1.0, v = 77.0, out = 77.0;
    crn_world_change before = {.q = &q}, after = {.v = &out}, seed = {.q = &q}, back = {.v = &v};
    (void)state;
    assert_int_equal(crn_world_linear_create(m.world, 0.01, NULL, &linear, NULL, &error), CRN_OK);
    assert_int_equal(crn_world_linear_jvp(linear, &before, &after, &error), CRN_OK);
    assert_true(out != 77.0);
    assert_int_equal(crn_world_step(m.world, 0.01, NULL, NULL), CRN_OK);
    out = 77.0;
    assert_int_equal(crn_world_linear_jvp(linear, &before, &after, &error), CRN_ERR_ARGUMENT);
    assert_string_equal(error.text, "the world has changed since the step was linearised");
    assert_int_equal(crn_world_linear_vjp(linear, &seed, &back, &error), CRN_ERR_ARGUMENT);
    assert_true(out == 77.0 && v == 77.0);
    assert_int_equal(crn_world_linear_jvp(NULL, &before, &after, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_world_linear_create(m.world, 0.01, NULL, NULL, NULL, &error), CRN_ERR_ARGUMENT);
    crn_world_linear_destroy(linear);
    crn_world_linear_destroy(NULL);
    crn_world_destroy(m.world);
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
                                       cmocka_unit_test(checkpoints_change_nothing),
                                       cmocka_unit_test(parameters_and_products_agree),
                                       cmocka_unit_test(sizes_places_and_frames_agree),
                                       cmocka_unit_test(kept_steps_agree),
                                       cmocka_unit_test(a_changed_world_is_told),
                                       cmocka_unit_test(an_uncertified_step_has_none),
                                       cmocka_unit_test(a_sliding_box_is_braked_by_its_weight),
                                       cmocka_unit_test(bad_input_is_told)};
    return TEST_RUN(tests, argc, argv);
}
