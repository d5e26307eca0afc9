/* Least squares on rows against LAPACK's minimum-norm solution by singular values (dgelsd). */
#include "step/parts.h"

#include <lapacke.h>

#include "base/memory.h"
#include "math/rigid.h"
#include "test_support.h"

enum { BODIES = 5, JOINTS = 7, ROWS = 24, N = 6 * BODIES };

typedef struct fit_case {
    crn_stepper stepper;
    crn_step_body body[BODIES + 1]; /* the last one is fixed */
    crn_step_joint joint[JOINTS];
    crn_step_row row[ROWS];
    int body_of[BODIES];
    int rows;
} fit_case;

static crn_vec3 random_vector(crn_random *random)
{
    double x = crn_random_uniform(random, -1, 1), y = crn_random_uniform(random, -1, 1);
    return crn_v3(x, y, crn_random_uniform(random, -1, 1));
}

static void set_body(crn_random *random, bool is_planar, crn_rigid *rigid)
{
    crn_quat q = {crn_random_normal(random), crn_random_normal(random), crn_random_normal(random),
                  crn_random_normal(random)};
    *rigid = (crn_rigid){.is_planar = is_planar, .mass = crn_random_uniform(random, 0.1, 10.0)};
    rigid->pose = (crn_pose){random_vector(random), crn_quat_unit(q)};
    for (int k = 0; k < 3; ++k) {
        rigid->inertia.m[4 * k] = crn_random_uniform(random, 0.5, 2.0);
    }
    if (is_planar) {
        rigid->pose.rotation = crn_quat_exp(crn_v3(0, 0, q.w));
        rigid->inertia.m[0] = rigid->inertia.m[4] = rigid->inertia.m[8];
    }
    crn_rigid_refresh(rigid);
}

/* Every third row is twice another of its joint, or the sum of two: redundant, with values that contradict. */
static void set_row(crn_random *random, fit_case *c, int i)
{
    crn_step_row *row = &c->row[i];
    row->joint = crn_random_below(random, JOINTS);
    row->bound = crn_random_below(random, 8) == 0 ? 1.0 : 0.0;
    for (int k = 0; k < 6; ++k) {
        row->row.a[k] = crn_random_uniform(random, -1, 1);
        row->row.b[k] = crn_random_uniform(random, -1, 1);
    }
    if (i >= 2 && i % 3 == 2) {
        bool is_sum = c->row[i - 1].joint == c->row[i - 2].joint;
        *row = c->row[i - 1];
        for (int k = 0; k < 6; ++k) {
            row->row.a[k] += is_sum ? c->row[i - 2].row.a[k] : row->row.a[k];
            row->row.b[k] += is_sum ? c->row[i - 2].row.b[k] : row->row.b[k];
        }
    } else if (i % 3 == 1) {
        row->joint = c->row[i - 1].joint;
    }
}

static void set_case(crn_random *random, bool is_planar, int rows, fit_case *c)
{
    memset(c, 0, sizeof *c);
    crn_stepper *s = &c->stepper;
    s->allocator = crn_allocator_default();
    s->def.is_planar = is_planar;
    s->body = c->body;
    s->bodies = BODIES + 1;
    s->joint = c->joint;
    s->joints = JOINTS;
    s->problem.problem.bodies = BODIES;
    s->problem.body_of = c->body_of;
    for (int i = 0; i <= BODIES; ++i) {
        set_body(random, is_planar, &c->body[i].rigid);
        c->body[i].at = i < BODIES ? BODIES - 1 - i : -1; /* the order need not be that of the slots */
    }
    for (int i = 0; i < BODIES; ++i) {
        c->body_of[BODIES - 1 - i] = i;
    }
    for (int i = 0; i < JOINTS; ++i) {
        c->joint[i].a = crn_random_below(random, BODIES + 2) - 1; /* -1: the world; BODIES: the fixed body */
        c->joint[i].b = (c->joint[i].a + 1 + crn_random_below(random, BODIES - 1)) % BODIES;
    }
    c->rows = rows;
    for (int i = 0; i < rows; ++i) {
        set_row(random, c, i);
    }
    TEST_CHECK(crn_step_fit_begin(s, rows), "out of memory");
    for (int i = 0; i < rows; ++i) {
        s->fit.value[i] = crn_random_uniform(random, -1, 1);
    }
}

static void free_case(fit_case *c)
{
    crn_step_fit *f = &c->stepper.fit;
    double *const block[] = {f->column, f->value, f->residual, f->image,    f->impulse,
                             f->push,   f->root,  f->motion,   f->gradient, f->direction};
    for (size_t i = 0; i < sizeof block / sizeof *block; ++i) {
        crn_release(&c->stepper.allocator, block[i]);
    }
}

/* Which components a planar world has. */
static bool counts(const fit_case *c, int k)
{
    return !c->stepper.def.is_planar || (k >= 2 && k < 5);
}

/* B, rows x N column-major, without rows that have a bound, and M, N x N. */
static void assemble(const fit_case *c, double *B, double *M)
{
    memset(B, 0, (size_t)c->rows * N * sizeof *B);
    memset(M, 0, (size_t)N * N * sizeof *M);
    for (int i = 0; i < c->rows; ++i) {
        const crn_step_joint *joint = &c->joint[c->row[i].joint];
        const int side[2] = {joint->a, joint->b};
        for (int j = 0; j < 2 && !(c->row[i].bound > 0.0); ++j) {
            int at = side[j] < 0 ? -1 : c->body[side[j]].at;
            for (int k = 0; at >= 0 && k < 6; ++k) {
                B[i + c->rows * (6 * at + k)] += counts(c, k) ? (j ? c->row[i].row.b : c->row[i].row.a)[k] : 0.0;
            }
        }
    }
    for (int i = 0; i < BODIES; ++i) {
        const crn_rigid *rigid = &c->body[c->body_of[i]].rigid;
        for (int k = 0; k < 9; ++k) {
            M[6 * i + k % 3 + N * (6 * i + k / 3)] = rigid->inertia_world.m[k];
        }
        for (int k = 3; k < 6; ++k) {
            M[(6 * i + k) * (N + 1)] = rigid->mass;
        }
    }
}

/* d of least M-norm among those of least |B d + value|. */
static void oracle(const fit_case *c, const double *B, const double *M, const double *value, double *d)
{
    double L[N * N], A[ROWS * N], b[N], singular[N];
    int rank = 0;
    memcpy(L, M, sizeof L);
    memcpy(A, B, (size_t)c->rows * N * sizeof *A);
    assert_int_equal(LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', N, L, N), 0);
    /* A L' = B: a triangular solve from the right, column by column */
    for (int j = 0; j < N; ++j) {
        for (int i = 0; i < c->rows; ++i) {
            double sum = A[i + c->rows * j];
            for (int k = 0; k < j; ++k) {
                sum -= A[i + c->rows * k] * L[j + N * k];
            }
            A[i + c->rows * j] = sum / L[j + N * j];
        }
    }
    memset(b, 0, sizeof b);
    for (int i = 0; i < c->rows; ++i) {
        b[i] = c->row[i].bound > 0.0 ? 0.0 : -value[i];
    }
    assert_int_equal(LAPACKE_dgelsd(LAPACK_COL_MAJOR, c->rows, N, 1, A, c->rows, b, N, singular, 1e-10, &rank), 0);
    for (int j = N - 1; j >= 0; --j) { /* d = L^-T x */
        double sum = b[j];
        for (int k = j + 1; k < N; ++k) {
            sum -= L[k + N * j] * d[k];
        }
        d[j] = sum / L[j + N * j];
    }
}

static double distance(int n, const double *x, const double *y, double *size)
{
    double sum = 0.0;
    *size = 0.0;
    for (int i = 0; i < n; ++i) {
        sum += (x[i] - y[i]) * (x[i] - y[i]);
        *size += y[i] * y[i];
    }
    *size = sqrt(*size);
    return sqrt(sum);
}

static void product(int m, int n, const double *A, const double *x, double *y)
{
    for (int i = 0; i < m; ++i) {
        y[i] = 0.0;
        for (int j = 0; j < n; ++j) {
            y[i] += A[i + m * j] * x[j];
        }
    }
}

static void check_fit(fit_case *c, double within)
{
    double B[ROWS * N], M[N * N], value[ROWS], d[N], taken[ROWS], size, pushed[N], moved[N];
    crn_step_fit *f = &c->stepper.fit;
    memcpy(value, f->value, (size_t)c->rows * sizeof *value);
    assemble(c, B, M);
    oracle(c, B, M, value, d);
    crn_step_fit_rows(&c->stepper, c->row, c->rows);
    double apart = distance(N, f->motion, d, &size);
    TEST_CHECK(apart <= within * (size + 1e-300), "%d rows, planar %d: the motion is off by %g of %g", c->rows,
               c->stepper.def.is_planar, apart, size);
    product(c->rows, N, B, f->motion, taken); /* values become what the motion takes back */
    for (int i = 0; i < c->rows; ++i) {
        taken[i] = -taken[i];
    }
    apart = distance(c->rows, f->value, taken, &size);
    TEST_CHECK(apart <= 1e-13 * (1.0 + size), "%d rows: values are off by %g", c->rows, apart);
    product(N, N, M, f->motion, moved); /* M d = B'y */
    for (int j = 0; j < N; ++j) {
        pushed[j] = 0.0;
        for (int i = 0; i < c->rows; ++i) {
            pushed[j] += B[i + c->rows * j] * f->impulse[i];
        }
    }
    apart = distance(N, moved, pushed, &size);
    TEST_CHECK(apart <= 1e-11 * (1.0 + size), "%d rows: impulses do not make the motion: %g", c->rows, apart);
}

static void test_against_singular_values(void **state)
{
    (void)state;
    crn_random random = test_random("against_singular_values", 2);
    for (int trial = 0; trial < 400; ++trial) {
        fit_case c;
        set_case(&random, trial % 2, 1 + crn_random_below(&random, ROWS), &c);
        check_fit(&c, 1e-7); /* conjugate gradients: rounding times the square of the condition */
        free_case(&c);
    }
}

/* Values that a motion has: all of them are taken back. */
static void test_consistent_values(void **state)
{
    (void)state;
    crn_random random = test_random("consistent_values", 4);
    for (int trial = 0; trial < 100; ++trial) {
        fit_case c;
        double B[ROWS * N], M[N * N], x[N], value[ROWS], size;
        set_case(&random, trial % 2, ROWS, &c);
        assemble(&c, B, M);
        for (int j = 0; j < N; ++j) {
            x[j] = crn_random_uniform(&random, -1, 1);
        }
        product(ROWS, N, B, x, value);
        memcpy(c.stepper.fit.value, value, sizeof value);
        crn_step_fit_rows(&c.stepper, c.row, ROWS);
        double apart = distance(ROWS, c.stepper.fit.value, value, &size);
        TEST_CHECK(apart <= 1e-9 * size, "trial %d: %g of %g is left", trial, apart, size);
        free_case(&c);
    }
}

static void test_nothing_to_do(void **state)
{
    (void)state;
    crn_random random = test_random("nothing_to_do", 6);
    fit_case c;
    set_case(&random, false, ROWS, &c);
    memset(c.stepper.fit.value, 0, ROWS * sizeof(double));
    crn_step_fit_rows(&c.stepper, c.row, ROWS);
    for (int j = 0; j < N; ++j) {
        assert_true(c.stepper.fit.motion[j] == 0.0);
    }
    crn_step_fit_rows(&c.stepper, c.row, 0);
    free_case(&c);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_singular_values),
        cmocka_unit_test(test_consistent_values),
        cmocka_unit_test(test_nothing_to_do),
    };
    return TEST_RUN(tests, argc, argv);
}
