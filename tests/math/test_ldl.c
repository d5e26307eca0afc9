/* LDL' against LAPACK's Cholesky and symmetric solvers, its inertia against eigenvalues, and a-priori bounds. */
#include "math/ldl.h"

#include "test_matrix.h"
#include "test_support.h"

#include <float.h>
#include <lapacke.h>
#include <math.h>

enum { MAX_N = 120 };
#define BEYOND 1e100
static const double unit = 0x1p-53;
static const double no_tolerance = 0.0;

typedef enum kind { DEFINITE, GRADED, HILBERT, QUASIDEFINITE, KINDS } kind;

/* A symmetric matrix; F holds its lower triangle, then its factors, NaN above it and marks beyond row n. */
typedef struct ldl_case {
    int n, ld, negative;
    double *A, *F, *b, *x, *work;
    crn_ldl ldl;
} ldl_case;

static void fill(crn_random *random, kind k, ldl_case *c)
{
    const int n = c->n;
    switch (k) {
    case HILBERT: test_matrix_hilbert(n, c->A, c->ld); break;
    case QUASIDEFINITE:
        c->negative = crn_random_below(random, n + 1);
        test_matrix_quasidefinite(random, n, c->negative, c->A, c->ld);
        break;
    default: test_matrix_definite(random, n, 1e-3, c->A, c->ld); break;
    }
    for (int j = 0; k == GRADED && j < n; ++j) { /* S A S with S from 1 to 2^-60, in both directions */
        for (int i = 0; i < n; ++i) {
            c->A[i + (long)j * c->ld] = ldexp(c->A[i + (long)j * c->ld], -(60 * i / n) - 60 * j / n);
        }
    }
}

static ldl_case case_create(crn_random *random, kind k, int n)
{
    ldl_case c = {.n = n, .ld = n + 1 + crn_random_below(random, 5)};
    const size_t size = (size_t)c.ld * (size_t)(n + 1);
    c.A = test_doubles(size);
    c.F = test_doubles(size);
    c.b = test_doubles((size_t)n);
    c.x = test_doubles((size_t)n);
    c.work = test_doubles((size_t)n);
    fill(random, k, &c);
    for (int j = 0; j <= n; ++j) {
        for (int i = 0; i < c.ld; ++i) {
            c.F[i + (long)j * c.ld] = i >= n ? BEYOND : i >= j ? c.A[i + (long)j * c.ld] : NAN;
        }
    }
    for (int i = 0; i < n; ++i) {
        c.b[i] = c.x[i] = crn_random_uniform(random, -1.0, 1.0);
    }
    c.ldl = (crn_ldl){.n = n, .ld = c.ld, .a = c.F, .work = c.work, .negative = -1, .rcond = -1.0};
    return c;
}

static void case_free(ldl_case *c)
{
    free(c->A);
    free(c->F);
    free(c->b);
    free(c->x);
    free(c->work);
}

static double lower(const ldl_case *c, int i, int k)
{
    return i == k ? 1.0 : i > k ? c->F[i + (long)k * c->ld] : 0.0;
}

static double pivot(const ldl_case *c, int k)
{
    return c->F[k + (long)k * c->ld];
}

/* A = L D L' within gamma_n |L||D||L'|, nothing else touched, the fields are what the factors say  [H02 s10.1]. */
static void check_factors(const ldl_case *c)
{
    const int n = c->n;
    double least = INFINITY, most = 0.0;
    int negative = 0;
    for (int j = 0; j < n; ++j) {
        for (int i = j; i < n; ++i) {
            double sum = -c->A[i + (long)j * c->ld], size = fabs(sum);
            for (int k = 0; k <= j; ++k) {
                double term = lower(c, i, k) * pivot(c, k) * lower(c, j, k);
                sum += term;
                size += fabs(term);
            }
            TEST_CHECK(fabs(sum) <= (2.0 * n + 4.0) * unit * size, "order %d: (A - LDL')(%d,%d) = %g", n, i, j, sum);
        }
        negative += pivot(c, j) < 0.0;
        least = fmin(least, fabs(pivot(c, j)));
        most = fmax(most, fabs(pivot(c, j)));
    }
    for (int j = 0; j <= n; ++j) {
        for (int i = 0; i < c->ld; ++i) {
            double f = c->F[i + (long)j * c->ld];
            assert_true(i >= n ? f == BEYOND : i >= j || isnan(f));
        }
    }
    assert_int_equal(c->ldl.negative, negative);
    assert_true(c->ldl.rcond == (n > 0 ? least / most : 1.0));
}

/* |A x - b| <= gamma_(3n+1) |L||D||L'||x|, row by row  [H02 s10.1]. */
static void check_solution(const ldl_case *c, const double *x)
{
    const int n = c->n;
    double y[MAX_N + 1];
    for (int k = 0; k < n; ++k) { /* y = |D||L'||x| */
        y[k] = 0.0;
        for (int i = k; i < n; ++i) {
            y[k] += fabs(pivot(c, k) * lower(c, i, k) * x[i]);
        }
    }
    for (int i = 0; i < n; ++i) {
        double bound = 0.0;
        for (int k = 0; k <= i; ++k) {
            bound += fabs(lower(c, i, k)) * y[k];
        }
        bound *= (4.0 * n + 4.0) * unit;
        double r = test_row_residual(n, c->A + i, c->ld, x, c->b[i]);
        TEST_CHECK(fabs(r) <= bound, "order %d, row %d: residual %g, bound %g", n, i, r, bound);
    }
}

static void test_factor_and_solve(void **state)
{
    (void)state;
    crn_random random = test_random("test_factor_and_solve", 71);
    for (int k = DEFINITE; k < KINDS; ++k) {
        for (int n = 0; n <= (k == HILBERT ? 12 : MAX_N); ++n) {
            ldl_case c = case_create(&random, (kind)k, n);
            TEST_CHECK(crn_ldl_factor(&c.ldl, no_tolerance), "kind %d, order %d refused", k, n);
            check_factors(&c);
            assert_int_equal(c.ldl.negative, c.negative);
            crn_ldl_solve(&c.ldl, c.x);
            check_solution(&c, c.x);
            case_free(&c);
        }
    }
}

/* dpotrf gives C = L sqrt(D): equal column by column, graded matrices included, since no pivot loses digits there. */
static void test_agrees_with_cholesky(void **state)
{
    (void)state;
    crn_random random = test_random("test_agrees_with_cholesky", 72);
    for (int k = DEFINITE; k <= GRADED; ++k) {
        for (int n = 1; n <= MAX_N; ++n) {
            ldl_case c = case_create(&random, (kind)k, n);
            double *C = test_doubles((size_t)c.ld * (size_t)n);
            memcpy(C, c.A, (size_t)c.ld * (size_t)n * sizeof *C);
            assert_true(crn_ldl_factor(&c.ldl, no_tolerance));
            assert_int_equal(LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', n, C, c.ld), 0);
            for (int j = 0; j < n; ++j) {
                for (int i = j; i < n; ++i) {
                    double ours = lower(&c, i, j) * sqrt(pivot(&c, j)), theirs = C[i + (long)j * c.ld];
                    double size = sqrt(c.A[i + (long)i * c.ld]); /* |C_ij| <= sqrt(A_ii) */
                    TEST_CHECK(fabs(ours - theirs) <= 1e5 * n * unit * size, "kind %d, order %d: (%d,%d) %g, %g", k, n,
                               i, j, ours, theirs);
                }
            }
            free(C);
            case_free(&c);
        }
    }
}

/* Quasi-definite: as many negative pivots as negative eigenvalues, and the solution of dsysv. */
static void test_agrees_with_symmetric_solver(void **state)
{
    (void)state;
    crn_random random = test_random("test_agrees_with_symmetric_solver", 73);
    for (int n = 1; n <= MAX_N; n += 1 + n / 10) {
        ldl_case c = case_create(&random, QUASIDEFINITE, n);
        const size_t size = (size_t)c.ld * (size_t)n;
        double *G = test_doubles(size), *eigenvalue = test_doubles((size_t)n), *y = test_doubles((size_t)n);
        int exchanges[MAX_N], negative = 0;
        double least = INFINITY, most = 0.0, apart = 0.0, largest = 0.0;
        memcpy(G, c.A, size * sizeof *G);
        assert_int_equal(LAPACKE_dsyev(LAPACK_COL_MAJOR, 'N', 'L', n, G, c.ld, eigenvalue), 0);
        for (int i = 0; i < n; ++i) {
            negative += eigenvalue[i] < 0.0;
            least = fmin(least, fabs(eigenvalue[i]));
            most = fmax(most, fabs(eigenvalue[i]));
        }
        memcpy(G, c.A, size * sizeof *G);
        memcpy(y, c.b, (size_t)n * sizeof *y);
        assert_int_equal(LAPACKE_dsysv(LAPACK_COL_MAJOR, 'L', n, 1, G, c.ld, exchanges, y, n), 0);
        assert_true(crn_ldl_factor(&c.ldl, no_tolerance));
        assert_int_equal(c.ldl.negative, negative);
        crn_ldl_solve(&c.ldl, c.x);
        for (int i = 0; i < n; ++i) {
            apart = fmax(apart, isnan(c.x[i]) ? INFINITY : fabs(c.x[i] - y[i]));
            largest = fmax(largest, fabs(y[i]));
        }
        TEST_CHECK(apart <= 1e3 * n * unit * (most / least) * largest, "order %d: %g apart", n, apart);
        free(G);
        free(eigenvalue);
        free(y);
        case_free(&c);
    }
}

static bool factor_small(int n, double *a, double tol)
{
    double work[8];
    crn_ldl ldl = {.n = n, .ld = n, .a = a, .work = work};
    return crn_ldl_factor(&ldl, tol);
}

/* B B' with fewer columns than rows, the first rows well conditioned: the pivot after them is rounding error. */
static void test_rank_deficient(void **state)
{
    (void)state;
    crn_random random = test_random("test_rank_deficient", 74);
    const double tol = 1e-12;
    for (int trial = 0; trial < 200; ++trial) {
        const int n = 1 + crn_random_below(&random, 8), rank = crn_random_below(&random, n);
        double B[64], a[64], scale = ldexp(1.0, 10 * crn_random_below(&random, 40) - 200);
        for (int e = 0; e < n * rank; ++e) {
            B[e] = crn_random_uniform(&random, -1.0, 1.0) + (e % n == e / n ? n : 0.0);
        }
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j < n; ++j) {
                a[i + j * n] = 0.0;
                for (int k = 0; k < rank; ++k) {
                    a[i + j * n] += scale * B[i + k * n] * B[j + k * n];
                }
            }
        }
        TEST_CHECK(!factor_small(n, a, tol), "order %d, rank %d", n, rank);
    }
}

/* [1 1; 1 1+d]: the second pivot is d, judged against 1, whatever the matrix is scaled by and for either sign. */
static void test_tolerance_is_relative(void **state)
{
    (void)state;
    const double d = 0x1p-30;
    for (int scale = -300; scale <= 300; scale += 100) {
        for (int sign = -1; sign <= 1; sign += 2) {
            const double s = sign * ldexp(1.0, scale);
            assert_true(factor_small(2, (double[]){s, s, 0.0, s * (1.0 + d)}, 0.5 * d));
            assert_false(factor_small(2, (double[]){s, s, 0.0, s * (1.0 + d)}, 2.0 * d));
        }
    }
    /* A small diagonal entry alone is not singular. */
    assert_true(factor_small(2, (double[]){1.0, 0.0, 0.0, 1e-200}, 1e-10));
}

static void test_refused(void **state)
{
    (void)state;
    assert_true(factor_small(0, NULL, 0.5));
    assert_false(factor_small(1, (double[]){0.0}, no_tolerance));
    assert_false(factor_small(1, (double[]){-0.0}, no_tolerance));
    assert_false(factor_small(1, (double[]){NAN}, no_tolerance));
    assert_false(factor_small(1, (double[]){INFINITY}, no_tolerance));
    assert_false(factor_small(1, (double[]){-INFINITY}, no_tolerance));
    assert_false(factor_small(2, (double[]){0.0, 1.0, 0.0, 0.0}, no_tolerance)); /* regular, but needs pivoting */
    assert_false(factor_small(2, (double[]){1.0, NAN, 0.0, 1.0}, no_tolerance));
    assert_false(factor_small(2, (double[]){1e-300, 1e10, 0.0, 1.0}, no_tolerance)); /* L D L' overflows */
    assert_true(factor_small(1, (double[]){-3.0}, no_tolerance));
}

/* The count of negative pivots begins anew at each factorisation. */
static void test_negative_is_reset(void **state)
{
    (void)state;
    double a[4] = {-1.0, 0.0, 0.0, -1.0}, work[2];
    crn_ldl ldl = {.n = 2, .ld = 2, .a = a, .work = work, .negative = 5};
    assert_true(crn_ldl_factor(&ldl, no_tolerance));
    assert_int_equal(ldl.negative, 2);
    assert_true(crn_ldl_factor(&ldl, no_tolerance)); /* D of a diagonal matrix is the matrix */
    assert_int_equal(ldl.negative, 2);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_factor_and_solve),  cmocka_unit_test(test_agrees_with_cholesky),
        cmocka_unit_test(test_rank_deficient),    cmocka_unit_test(test_agrees_with_symmetric_solver),
        cmocka_unit_test(test_refused),           cmocka_unit_test(test_tolerance_is_relative),
        cmocka_unit_test(test_negative_is_reset),
    };
    return TEST_RUN(tests, argc, argv);
}
