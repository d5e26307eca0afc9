/* Derivatives of a world's step beside centred differences of crn_world_step() itself, through the public calls alone; scenes for that. */
#ifndef CRN_TEST_GRADIENT_CASE_H
#define CRN_TEST_GRADIENT_CASE_H

#include "surface_case.h"

#include <cairn/gradient.h>

#include "math/rigid.h"

enum { SIZE_MOST = 72 };

/* Over a column's largest entry. No other difference is tried below the second. */
static const double error_most = 1e-6, error_enough = 1e-8;

#define WIDER 3.0 /* a difference than the next */

/* What steps are solved to and, since one repair after another squares what is left, positions; derivatives are of steps solved exactly. */
static const double tol = 1e-13, tol_repairs = 1e-14;

/* --- Differences of steps --- */

typedef struct oracle {
    crn_world *world;
    double h;
    int n;
    void *before, *after; /* snapshots */
    size_t before_size, after_size;
} oracle;

static inline void *save(crn_world *world, size_t *size)
{
    *size = crn_world_snapshot_size(world);
    void *data = malloc(*size);
    assert_int_equal(crn_world_save(world, data, *size, NULL), CRN_OK);
    return data;
}

static inline void restore(const oracle *o)
{
    assert_int_equal(crn_world_restore(o->world, o->before, o->before_size, NULL), CRN_OK);
}

/* The step from what is shown, everything placed anew: what derivatives are of by default. */
static inline oracle open_oracle(crn_world *world, double h)
{
    oracle o = {.world = world, .h = h, .n = crn_world_tangent(world)};
    o.before = save(world, &o.before_size);
    assert_int_equal(crn_world_move(world, 0.0, NULL, NULL, NULL), CRN_OK);
    assert_int_equal(crn_world_step(world, h, NULL, NULL), CRN_OK);
    o.after = save(world, &o.after_size);
    restore(&o);
    return o;
}

static inline void close_oracle(oracle *o)
{
    restore(o);
    free(o->before);
    free(o->after);
}

/* State after the step (2n), since that of the step from here. False: the step could not be made. */
static inline bool side_of(const oracle *o, int j, double by, double *to)
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
static inline void differences(int n, double by, double side[3][2 * SIZE_MOST], double to[3][2 * SIZE_MOST])
{
    for (int i = 0; i < 2 * n; ++i) {
        to[0][i] = (side[0][i] - side[1][i]) / (2 * by);
        to[1][i] = (side[0][i] - side[2][i]) / by;
        to[2][i] = (side[2][i] - side[1][i]) / by;
    }
}

/* Largest difference from a column; with `wide`, differences WIDER times as wide, what both lead to where the change is 0. */
static inline double distance(int n, const double *column, const double *narrow, const double *wide)
{
    double most = 0.0;
    for (int i = 0; i < 2 * n; ++i) {
        double extrapolated = wide ? narrow[i] + (narrow[i] - wide[i]) / (WIDER * WIDER - 1.0) : narrow[i];
        most = fmax(most, fabs(extrapolated - column[i]));
    }
    return most;
}

/* The mean of many centred differences, of changes from half of `by` up to it: an eighth of the rounding of one of them. */
static inline double mean_distance(const oracle *o, int j, double by, const double *column)
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
static inline double column_error(const oracle *o, int j, const double *column, bool is_sided)
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
static inline double worst_column_error(crn_world *world, double h, bool is_smooth_only, crn_gradient_report *report,
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

static inline crn_world *make_scene(const scene *s, double restitution, crn_body_id *body)
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

/* Two boxes on the floor, the upper one of half width `upper`, at rest. */
static inline crn_world *make_stack(double upper)
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

/* --- A step that is kept --- */

/* How far products with a kept step are from its Jacobian, and forward from adjoint. True: both are without differences, and agree to rounding. */
static inline bool compare_kept(crn_world *world, double h)
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

#endif
