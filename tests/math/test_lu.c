/* LU against LAPACK and against the a-priori bounds of Gaussian elimination, which hold at any condition number. */
#include "math/lu.h"

#include "test_matrix.h"
#include "test_support.h"

#include <float.h>
#include <lapacke.h>
#include <math.h>

enum { MAX_N = 120 };
static const double unit = 0x1p-53;
static const double no_tolerance = 0.0;

typedef enum kind { UNIFORM, GRADED, HILBERT, KINDS } kind;

/* A matrix, its factors by the library in F, a right side and what was solved; ld > n, with marks in the padding. */
typedef struct lu_case {
    int n, ld;
    double *A, *F, *b, *x;
    int pivot[MAX_N + 1];
    crn_lu lu;
} lu_case;

static lu_case case_create(crn_random *random, kind k, int n)
{
    lu_case c = {.n = n, .ld = n + 1 + crn_random_below(random, 5)};
    const size_t size = (size_t)c.ld * (size_t)(n + 1);
    c.A = test_doubles(size);
    c.F = test_doubles(size);
    c.b = test_doubles((size_t)n);
    c.x = test_doubles((size_t)n);
    for (size_t e = 0; e < size; ++e) {
        c.A[e] = 1e100;
    }
    switch (k) {
    case UNIFORM: test_matrix_uniform(random, n, c.A, c.ld); break;
    case GRADED: test_matrix_graded(random, n, 100, c.A, c.ld); break;
    default: test_matrix_hilbert(n, c.A, c.ld); break;
    }
    memcpy(c.F, c.A, size * sizeof *c.A);
    for (int i = 0; i < n; ++i) {
        c.b[i] = c.x[i] = crn_random_uniform(random, -1.0, 1.0);
    }
    return c;
}

static void case_factor(lu_case *c)
{
    c->lu = (crn_lu){.n = c->n, .ld = c->ld, .a = c->F, .pivot = c->pivot};
    TEST_CHECK(crn_lu_factor(&c->lu, no_tolerance), "order %d was found singular", c->n);
}

static void case_free(lu_case *c)
{
    free(c->A);
    free(c->F);
    free(c->b);
    free(c->x);
}

static int order_of(kind k, int trial)
{
    return k == HILBERT ? trial % 13 : trial;
}

/* L(i,k) and U(k,j) as stored in F. */
static double lower(const lu_case *c, int i, int k)
{
    return i == k ? 1.0 : i > k ? c->F[i + (long)k * c->ld] : 0.0;
}

static double upper(const lu_case *c, int k, int j)
{
    return k <= j ? c->F[k + (long)j * c->ld] : 0.0;
}

/* P A = L U within gamma_n |L| |U|, |L| <= 1, and nothing beyond row n touched  [H02 s9.3]. */
static void check_factors(const lu_case *c)
{
    const int n = c->n;
    int row[MAX_N + 1];
    for (int i = 0; i < n; ++i) {
        row[i] = i;
    }
    for (int k = 0; k < n; ++k) {
        assert_in_range(c->pivot[k], k, n - 1);
        int t = row[k];
        row[k] = row[c->pivot[k]];
        row[c->pivot[k]] = t;
    }
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) {
            double sum = -c->A[row[i] + (long)j * c->ld], size = fabs(sum);
            for (int k = 0; k <= (i < j ? i : j); ++k) {
                sum += lower(c, i, k) * upper(c, k, j);
                size += fabs(lower(c, i, k) * upper(c, k, j));
            }
            TEST_CHECK(fabs(sum) <= 2.0 * n * unit * size, "order %d: (PA - LU)(%d,%d) = %g", n, i, j, sum);
            assert_true(fabs(lower(c, i, j)) <= 1.0);
        }
        for (int i = n; i < c->ld; ++i) {
            assert_true(c->F[i + (long)j * c->ld] == 1e100);
        }
    }
}

static void test_factors(void **state)
{
    (void)state;
    crn_random random = test_random("test_factors", 61);
    for (int k = UNIFORM; k < KINDS; ++k) {
        for (int trial = 0; trial <= MAX_N; trial += k == HILBERT && trial > 12 ? MAX_N : 1) {
            lu_case c = case_create(&random, (kind)k, order_of((kind)k, trial));
            case_factor(&c);
            check_factors(&c);
            case_free(&c);
        }
    }
}

/* The bound of a solve by factors: |A x - b| <= gamma_3n P'|L||U||x|  [H02 s9.3], here with its value for this x. */
static double solve_bound(const lu_case *c, bool transposed, const double *x)
{
    const int n = c->n;
    double y[MAX_N + 1], z[MAX_N + 1], most = 0.0;
    for (int i = 0; i < n; ++i) { /* y = |U||x| or |L'||x|; rows of x in the pivots' order do not change the largest */
        y[i] = 0.0;
        for (int j = 0; j < n; ++j) {
            y[i] += fabs((transposed ? lower(c, j, i) : upper(c, i, j)) * x[j]);
        }
    }
    for (int i = 0; i < n; ++i) {
        z[i] = 0.0;
        for (int j = 0; j < n; ++j) {
            z[i] += fabs((transposed ? upper(c, j, i) : lower(c, i, j)) * y[j]);
        }
        most = fmax(most, z[i]);
    }
    return (3.0 * n + 2.0) * unit * 1.01 * most;
}

static void permute_like_pivots(const lu_case *c, const double *x, double *y)
{
    memcpy(y, x, (size_t)c->n * sizeof *y);
    for (int k = 0; k < c->n; ++k) {
        double t = y[k];
        y[k] = y[c->pivot[k]];
        y[c->pivot[k]] = t;
    }
}

static double residual_of(const lu_case *c, bool transposed, const double *x)
{
    double *T = test_doubles((size_t)c->n * (size_t)c->n);
    for (int j = 0; j < c->n; ++j) {
        for (int i = 0; i < c->n; ++i) {
            T[i + (long)j * c->n] = transposed ? c->A[j + (long)i * c->ld] : c->A[i + (long)j * c->ld];
        }
    }
    double residual = test_residual(c->n, T, c->n, x, c->b);
    free(T);
    return residual;
}

static void test_solve_residuals(void **state)
{
    (void)state;
    crn_random random = test_random("test_solve_residuals", 62);
    for (int k = UNIFORM; k < KINDS; ++k) {
        for (int trial = 0; trial <= MAX_N; trial += k == HILBERT && trial > 12 ? MAX_N : 1) {
            lu_case c = case_create(&random, (kind)k, order_of((kind)k, trial));
            double permuted[MAX_N + 1];
            case_factor(&c);
            crn_lu_solve(&c.lu, c.x);
            double r = residual_of(&c, false, c.x), bound = solve_bound(&c, false, c.x);
            TEST_CHECK(r <= bound, "kind %d, order %d: residual %g, bound %g", k, c.n, r, bound);
            memcpy(c.x, c.b, (size_t)c.n * sizeof *c.x);
            crn_lu_solve_transposed(&c.lu, c.x);
            permute_like_pivots(&c, c.x, permuted);
            r = residual_of(&c, true, c.x);
            bound = solve_bound(&c, true, permuted);
            TEST_CHECK(r <= bound, "kind %d, order %d transposed: residual %g, bound %g", k, c.n, r, bound);
            case_free(&c);
        }
    }
}

/* max |x - y| / max |y| */
static double distance(int n, const double *x, const double *y)
{
    double most = 0.0, apart = 0.0;
    for (int i = 0; i < n; ++i) {
        most = fmax(most, fabs(y[i]));
        apart = fmax(apart, isnan(x[i]) ? INFINITY : fabs(x[i] - y[i]));
    }
    return most > 0.0 ? apart / most : apart;
}

static double condition_by_lapack(int n, const double *A, int ld, const double *F)
{
    double rcond = 1.0, norm = LAPACKE_dlange(LAPACK_COL_MAJOR, '1', n, n, A, ld);
    assert_int_equal(LAPACKE_dgecon(LAPACK_COL_MAJOR, '1', n, F, ld, norm, &rcond), 0);
    return 1.0 / rcond;
}

/* Same row exchanges as dgetrf, and solutions and inverse as near to LAPACK's as the condition number says. */
static void test_agrees_with_lapack(void **state)
{
    (void)state;
    crn_random random = test_random("test_agrees_with_lapack", 63);
    for (int n = 1; n <= MAX_N; ++n) {
        lu_case c = case_create(&random, UNIFORM, n);
        const size_t size = (size_t)c.ld * (size_t)n;
        double *G = test_doubles(size), *W = test_doubles(size), *y = test_doubles((size_t)n);
        int exchanges[MAX_N];
        memcpy(G, c.A, size * sizeof *G);
        memcpy(y, c.b, (size_t)n * sizeof *y);
        case_factor(&c);
        assert_int_equal(LAPACKE_dgesv(LAPACK_COL_MAJOR, n, 1, G, c.ld, exchanges, y, n), 0);
        for (int k = 0; k < n; ++k) {
            assert_int_equal(c.pivot[k], exchanges[k] - 1);
        }
        const double allowed = 10.0 * n * DBL_EPSILON * condition_by_lapack(n, c.A, c.ld, G);
        crn_lu_solve(&c.lu, c.x);
        TEST_CHECK(distance(n, c.x, y) <= allowed, "order %d: x", n);
        memcpy(c.x, c.b, (size_t)n * sizeof *y);
        memcpy(y, c.b, (size_t)n * sizeof *y);
        assert_int_equal(LAPACKE_dgetrs(LAPACK_COL_MAJOR, 'T', n, 1, G, c.ld, exchanges, y, n), 0);
        crn_lu_solve_transposed(&c.lu, c.x);
        TEST_CHECK(distance(n, c.x, y) <= allowed, "order %d: transposed x", n);
        crn_lu_inverse(&c.lu, W, c.ld);
        assert_int_equal(LAPACKE_dgetri(LAPACK_COL_MAJOR, n, G, c.ld, exchanges), 0);
        for (int j = 0; j < n; ++j) {
            const long at = (long)j * c.ld;
            double norm = LAPACKE_dlange(LAPACK_COL_MAJOR, 'M', n, n, G, c.ld);
            for (int i = 0; i < n; ++i) {
                TEST_CHECK(fabs(W[at + i] - G[at + i]) <= allowed * norm, "order %d: inverse (%d,%d)", n, i, j);
            }
        }
        free(G);
        free(W);
        free(y);
        case_free(&c);
    }
}

static void test_rcond(void **state)
{
    (void)state;
    crn_lu empty = {0};
    assert_true(crn_lu_factor(&empty, 0.5));
    assert_true(empty.rcond == 1.0);
    crn_lu_solve(&empty, NULL);
    crn_lu_solve_transposed(&empty, NULL);
    double a[9] = {0.0, -8.0, 0.0, 2.0, 0.0, 0.0, 5.0, 5.0, 0.5};
    int pivot[3];
    crn_lu lu = {.n = 3, .ld = 3, .a = a, .pivot = pivot};
    assert_true(crn_lu_factor(&lu, no_tolerance));
    assert_true(lu.rcond == 0.5 / 8.0);
}

/* Column k copies column j, or is 0, or row k is 0. The last two meet an exact 0, as they do in LAPACK; the first meets
 * rounding errors, which a tolerance tells from a pivot. */
static void test_singular(void **state)
{
    (void)state;
    crn_random random = test_random("test_singular", 64);
    for (int trial = 0; trial < 300; ++trial) {
        const int n = 1 + crn_random_below(&random, 12), k = crn_random_below(&random, n);
        const int j = (k + 1) % n, way = n == 1 ? 1 : trial % 3;
        double a[144], g[144];
        int pivot[12], exchanges[12];
        for (int e = 0; e < n * n; ++e) {
            a[e] = crn_random_below(&random, 3) == 0 ? 1.0 : 0.0;
        }
        for (int i = 0; i < n; ++i) {
            if (way == 0) {
                a[i + k * n] = a[i + j * n];
            } else if (way == 1) {
                a[i + k * n] = 0.0;
            } else {
                a[k + i * n] = 0.0;
            }
        }
        memcpy(g, a, sizeof a);
        assert_true(LAPACKE_dgetrf(LAPACK_COL_MAJOR, n, n, g, n, exchanges) > 0 || way == 0);
        crn_lu lu = {.n = n, .ld = n, .a = a, .pivot = pivot};
        double tolerance = way == 0 ? 1e-12 : no_tolerance;
        TEST_CHECK(!crn_lu_factor(&lu, tolerance), "order %d, way %d, column %d", n, way, k);
    }
}

/* [1 1; 1 1+d]: the second pivot is d, judged against a column of size 1, whatever the matrix is scaled by. */
static void test_tolerance_is_relative(void **state)
{
    (void)state;
    const double d = 0x1p-30;
    for (int scale = -300; scale <= 300; scale += 100) {
        for (int side = 0; side < 2; ++side) {
            double s = ldexp(1.0, scale), a[4] = {s, s, s, s * (1.0 + d)};
            int pivot[2];
            crn_lu lu = {.n = 2, .ld = 2, .a = a, .pivot = pivot};
            assert_int_equal(crn_lu_factor(&lu, side == 0 ? 0.5 * d : 2.0 * d), side == 0);
        }
    }
}

static void test_refuses_what_is_not_finite(void **state)
{
    (void)state;
    const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int b = 0; b < 3; ++b) {
        double a[1] = {bad[b]};
        int pivot[1];
        crn_lu lu = {.n = 1, .ld = 1, .a = a, .pivot = pivot};
        assert_false(crn_lu_factor(&lu, no_tolerance));
    }
}

/* max_i (|A||x| + |b|)_i: u times this is the residual that rounding a solution to doubles makes. */
static double rounding_size(const lu_case *c)
{
    double most = 0.0;
    for (int i = 0; i < c->n; ++i) {
        double size = fabs(c->b[i]);
        for (int j = 0; j < c->n; ++j) {
            size += fabs(c->A[i + (long)j * c->ld] * c->x[j]);
        }
        most = fmax(most, size);
    }
    return most;
}

/* b = A exact, without rounding: integers below 2^53. */
static void draw_integer_solution(crn_random *random, lu_case *c, double *exact)
{
    for (int j = 0; j < c->n; ++j) {
        exact[j] = 1 + crn_random_below(random, 99);
    }
    for (int i = 0; i < c->n; ++i) {
        c->b[i] = 0.0;
        for (int j = 0; j < c->n; ++j) {
            c->b[i] += c->A[i + (long)j * c->ld] * exact[j];
        }
        c->x[i] = c->b[i];
    }
}

/* Refine the solution of one Hilbert system, check its residual, and tell its error before and after. */
static void refine_hilbert(crn_random *random, int n, double *plain, double *refined)
{
    lu_case c = case_create(random, HILBERT, n);
    double exact[16], work[48];
    draw_integer_solution(random, &c, exact);
    case_factor(&c);
    crn_lu_solve(&c.lu, c.x);
    *plain = distance(n, c.x, exact);
    double returned = crn_lu_refine(&c.lu, c.A, c.ld, c.b, c.x, work, 20);
    *refined = distance(n, c.x, exact);
    double error = test_backward_error(n, c.A, c.ld, false, c.x, c.b);
    TEST_CHECK(error <= 2.0 * unit, "order %d: backward error %g", n, error);
    double residual = test_residual(n, c.A, c.ld, c.x, c.b), allowed = 2.0 * unit * rounding_size(&c);
    TEST_CHECK(fabs(returned - residual) <= allowed, "order %d: returned %g, is %g", n, returned, residual);
    case_free(&c);
}

/* Hilbert matrices of integers with an integer solution: b is exact, so the error of x is known exactly. The plain
 * solution loses digits with the condition number. Refinement leaves a residual that is the rounding of x alone; while
 * cond * u is well below 1 (order 8: 2e-6) it also finds x to the last bits, except where the residual happens to be so
 * small from the start that no step makes it smaller. */
static void test_refine_hilbert(void **state)
{
    (void)state;
    enum { DRAWS = 20 };
    crn_random random = test_random("test_refine_hilbert", 65);
    for (int n = 2; n <= 12; ++n) {
        int exact_after = 0, wrong_before = 0;
        for (int draw = 0; draw < DRAWS; ++draw) {
            double plain = 0.0, refined = 0.0;
            refine_hilbert(&random, n, &plain, &refined);
            exact_after += refined <= DBL_EPSILON;
            wrong_before += plain > 1e3 * DBL_EPSILON;
        }
        TEST_CHECK(n > 8 || exact_after >= DRAWS - 3, "order %d: %d refined to the last bits", n, exact_after);
        TEST_CHECK(n < 7 || wrong_before >= DRAWS - 3, "order %d: only %d were wrong before", n, wrong_before);
    }
}

/* At every order and grading: the residual is the rounding of x, does not grow, and is the one returned. A step that
 * did not help is taken back by adding it, which rounds once more: hence the allowances. */
static void test_refine_residual(void **state)
{
    (void)state;
    crn_random random = test_random("test_refine_residual", 66);
    for (int n = 0; n <= MAX_N; n += 5) {
        for (int k = UNIFORM; k <= GRADED; ++k) {
            lu_case c = case_create(&random, (kind)k, n);
            double *work = test_doubles(3 * (size_t)n);
            case_factor(&c);
            crn_lu_solve(&c.lu, c.x);
            double before = test_residual(n, c.A, c.ld, c.x, c.b);
            double returned = crn_lu_refine(&c.lu, c.A, c.ld, c.b, c.x, work, 10);
            double after = test_residual(n, c.A, c.ld, c.x, c.b), allowed = 2.0 * unit * rounding_size(&c);
            TEST_CHECK(after <= allowed, "kind %d, order %d: residual %g, rounding %g", k, n, after, allowed);
            TEST_CHECK(after <= before + allowed, "kind %d, order %d: residual %g, was %g", k, n, after, before);
            TEST_CHECK(fabs(returned - after) <= allowed, "order %d: returned %g, is %g", n, returned, after);
            free(work);
            case_free(&c);
        }
    }
}

/* With the factors of A/4 the first step overshoots: x comes back as it was, and so does its residual. */
static void test_refine_takes_back(void **state)
{
    (void)state;
    crn_random random = test_random("test_refine_takes_back", 67);
    lu_case c = case_create(&random, UNIFORM, 30);
    double before[30], work[90];
    case_factor(&c);
    crn_lu_solve(&c.lu, c.x);
    c.x[3] *= 1.0 + 1e-6; /* a residual to work on */
    memcpy(before, c.x, sizeof before);
    for (int j = 0; j < 30; ++j) { /* U of A/4 */
        for (int i = 0; i <= j; ++i) {
            c.F[i + (long)j * c.ld] *= 0.25;
        }
    }
    double residual = test_residual(30, c.A, c.ld, c.x, c.b);
    double returned = crn_lu_refine(&c.lu, c.A, c.ld, c.b, c.x, work, 10);
    assert_true(fabs(returned - residual) <= 1e-9 * residual);
    assert_true(distance(30, c.x, before) <= 2.0 * DBL_EPSILON);
    /* The right factors but no step allowed: the residual only. */
    memcpy(c.x, before, sizeof before);
    for (int j = 0; j < 30; ++j) {
        for (int i = 0; i <= j; ++i) {
            c.F[i + (long)j * c.ld] *= 4.0;
        }
    }
    returned = crn_lu_refine(&c.lu, c.A, c.ld, c.b, c.x, work, 0);
    assert_true(fabs(returned - residual) <= 1e-9 * residual);
    assert_memory_equal(c.x, before, sizeof before);
    assert_true(crn_lu_refine(&c.lu, c.A, c.ld, c.b, c.x, work, 1) < 1e-6 * residual);
    case_free(&c);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_factors),
        cmocka_unit_test(test_solve_residuals),
        cmocka_unit_test(test_agrees_with_lapack),
        cmocka_unit_test(test_rcond),
        cmocka_unit_test(test_singular),
        cmocka_unit_test(test_tolerance_is_relative),
        cmocka_unit_test(test_refuses_what_is_not_finite),
        cmocka_unit_test(test_refine_hilbert),
        cmocka_unit_test(test_refine_residual),
        cmocka_unit_test(test_refine_takes_back),
    };
    return TEST_RUN(tests, argc, argv);
}
