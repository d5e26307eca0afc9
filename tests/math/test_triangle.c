/* Triangular factors of definite matrices against LAPACK's, their solves against the matrix, and where a matrix is not definite. */
#include "math/triangle.h"

#include "test_matrix.h"
#include "test_support.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { MAX_N = 40, RUNS = 300 };

/* Largest |A x - b| of a lower triangular A, or of its transpose. */
static double residual(int n, const double *G, const double *x, const double *b, bool is_transposed)
{
    double worst = 0.0;
    for (int i = 0; i < n; ++i) {
        double sum = -b[i];
        for (int j = 0; j < n; ++j) {
            int row = is_transposed ? j : i, column = is_transposed ? i : j;
            sum += row >= column ? G[row + column * n] * x[j] : 0.0;
        }
        worst = fmax(worst, fabs(sum));
    }
    return worst;
}

static void factors_are_those_of_lapack(void **state)
{
    (void)state;
    crn_random random = test_random("definite", 1);
    for (int run = 0; run < RUNS; ++run) {
        int n = 1 + crn_random_below(&random, MAX_N);
        double A[MAX_N * MAX_N], G[MAX_N * MAX_N], b[MAX_N], x[MAX_N];
        test_matrix_definite(&random, n, 1e-2, A, n);
        memcpy(G, A, sizeof(double) * (size_t)(n * n));
        assert_int_equal(crn_triangle_factor(n, G), n);
        assert_int_equal(LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', n, A, n), 0);
        for (int j = 0; j < n; ++j) {
            b[j] = x[j] = crn_random_below(&random, 3) == 0 ? 0.0 : crn_random_normal(&random);
            for (int i = j; i < n; ++i) {
                assert_true(fabs(G[i + j * n] - A[i + j * n]) < 1e-10);
            }
        }
        crn_triangle_solve((size_t)n, G, (size_t)n, x);
        TEST_CHECK(residual(n, G, x, b, false) < 1e-10, "run %d, n %d", run, n);
        memcpy(x, b, sizeof(double) * (size_t)n);
        crn_triangle_solve_transposed((size_t)n, G, (size_t)n, x);
        TEST_CHECK(residual(n, G, x, b, true) < 1e-10, "run %d, n %d, transposed", run, n);
    }
}

/* More than what column k's pivot is taken from its diagonal entry, so that it is not positive. */
static void what_is_not_definite_is_told_by_its_column(void **state)
{
    (void)state;
    crn_random random = test_random("indefinite", 2);
    for (int run = 0; run < RUNS; ++run) {
        int n = 1 + crn_random_below(&random, MAX_N), k = crn_random_below(&random, n);
        double A[MAX_N * MAX_N], G[MAX_N * MAX_N];
        test_matrix_definite(&random, n, 1e-2, A, n);
        memcpy(G, A, sizeof(double) * (size_t)(n * n));
        assert_int_equal(crn_triangle_factor(n, G), n);
        A[k + k * n] -= crn_random_uniform(&random, 1.01, 2.0) * G[k + k * n] * G[k + k * n];
        assert_int_equal(crn_triangle_factor(n, A), k);
    }
    double singular[] = {1.0, 2.0, 2.0, 4.0}, undefined[] = {NAN};
    assert_int_equal(crn_triangle_factor(2, singular), 1);
    assert_int_equal(crn_triangle_factor(1, undefined), 0);
    assert_int_equal(crn_triangle_factor(0, NULL), 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factors_are_those_of_lapack),
        cmocka_unit_test(what_is_not_definite_is_told_by_its_column),
    };
    return TEST_RUN(tests, argc, argv);
}
