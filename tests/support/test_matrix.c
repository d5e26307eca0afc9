/* Test matrices and residuals. */
#include "test_matrix.h"

#include "test_support.h"

#include <math.h>

double *test_doubles(size_t count)
{
    double *block = (double *)malloc((count > 0 ? count : 1) * sizeof *block);
    if (block == NULL) {
        fail_msg("no memory for %zu doubles", count);
    }
    return block;
}

void test_matrix_uniform(crn_random *random, int n, double *A, int ld)
{
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) {
            A[i + (long)j * ld] = crn_random_uniform(random, -1.0, 1.0);
        }
    }
}

void test_matrix_graded(crn_random *random, int n, int span, double *A, int ld)
{
    test_matrix_uniform(random, n, A, ld);
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) {
            A[i + (long)j * ld] = ldexp(A[i + (long)j * ld], -span * (i + j) / (2 * n));
        }
    }
}

static long greatest_divisor(long a, long b)
{
    return b == 0 ? a : greatest_divisor(b, a % b);
}

void test_matrix_hilbert(int n, double *A, int ld)
{
    long multiple = 1;
    for (int k = 2; k < 2 * n; ++k) {
        multiple *= k / greatest_divisor(multiple, k);
    }
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) {
            A[i + (long)j * ld] = (double)(multiple / (i + j + 1));
        }
    }
}

void test_matrix_definite(crn_random *random, int n, double shift, double *A, int ld)
{
    double *B = test_doubles((size_t)n * (size_t)n);
    test_matrix_uniform(random, n, B, n);
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i <= j; ++i) {
            double sum = 0.0;
            for (int k = 0; k < n; ++k) {
                sum += B[i + (long)k * n] * B[j + (long)k * n];
            }
            A[i + (long)j * ld] = A[j + (long)i * ld] = sum / n + (i == j ? shift : 0.0);
        }
    }
    free(B);
}

void test_matrix_quasidefinite(crn_random *random, int n, int m, double *A, int ld)
{
    /* The signs of a definite matrix's second block of rows turned: the off-diagonal blocks stay free. */
    double *Q = test_doubles((size_t)n * (size_t)n);
    test_matrix_definite(random, n, 0.05, Q, n);
    int *place = (int *)malloc(((size_t)n + 1) * sizeof *place);
    assert_non_null(place);
    for (int i = 0; i < n; ++i) {
        int other = crn_random_below(random, i + 1);
        place[i] = place[other];
        place[other] = i;
    }
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) {
            bool is_lower_block = place[i] >= n - m && place[j] >= n - m;
            double entry = Q[place[i] + (long)place[j] * n];
            A[i + (long)j * ld] = is_lower_block ? -entry : entry;
        }
    }
    free(place);
    free(Q);
}

/* sum += a b; the error of the product from a fused multiply-add, the error of the sum from Fast2Sum. */
static void accumulate(double *sum, double *error, double a, double b)
{
    double p = a * b, q = fma(a, b, -p);
    double s = *sum + p;
    double e = fabs(*sum) >= fabs(p) ? p - (s - *sum) : *sum - (s - p);
    *sum = s;
    *error += e + q;
}

/* (A x - b)_i and (|A| |x| + |b|)_i */
static double row_residual(int n, const double *row, long stride, const double *x, double b, double *size)
{
    double sum = -b, error = 0.0;
    *size = fabs(b);
    for (int j = 0; j < n; ++j) {
        accumulate(&sum, &error, row[j * stride], x[j]);
        *size += fabs(row[j * stride] * x[j]);
    }
    return sum + error;
}

double test_row_residual(int n, const double *row, long stride, const double *x, double b)
{
    double size = 0.0;
    return row_residual(n, row, stride, x, b, &size);
}

/* The larger of two numbers; NaN is larger than any. */
static double larger(double a, double b)
{
    return isnan(a) || b <= a ? a : b;
}

double test_backward_error(int n, const double *A, int ld, bool transposed, const double *x, const double *b)
{
    double worst = 0.0;
    for (int i = 0; i < n; ++i) {
        double size = 0.0;
        double r = row_residual(n, A + (transposed ? (long)i * ld : i), transposed ? 1 : ld, x, b[i], &size);
        worst = larger(worst, r == 0.0 ? 0.0 : fabs(r) / size);
    }
    return worst;
}

double test_residual(int n, const double *A, int ld, const double *x, const double *b)
{
    double worst = 0.0;
    for (int i = 0; i < n; ++i) {
        worst = larger(worst, fabs(test_row_residual(n, A + i, ld, x, b[i])));
    }
    return worst;
}
