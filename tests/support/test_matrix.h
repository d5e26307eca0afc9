/* Test matrices, column-major with leading dimension ld >= n, and residuals that do not use the library's kernels. */
#ifndef CRN_TEST_MATRIX_H
#define CRN_TEST_MATRIX_H

#include <cairn/base.h>

/* count doubles; ends the test if there is no memory. Release with free(). */
double *test_doubles(size_t count);

/* Entries uniform in [-1, 1). */
void test_matrix_uniform(crn_random *random, int n, double *A, int ld);

/* Uniform entries, entry (i,j) scaled by a power of two that falls along the diagonals from 1 to 2^-span. */
void test_matrix_graded(crn_random *random, int n, int span, double *A, int ld);

/* 1 / (i + j + 1) times the least multiple that makes every entry an integer: exact for n <= 12. */
void test_matrix_hilbert(int n, double *A, int ld);

/* Positive definite: B B' / n + shift I, both triangles. */
void test_matrix_definite(crn_random *random, int n, double shift, double *A, int ld);

/* Quasi-definite [H B'; B -G] with H of order n - m and G of order m, both triangles, rows in random order. */
void test_matrix_quasidefinite(crn_random *random, int n, int m, double *A, int ld);

/* max_i |A x - b|_i / (|A| |x| + |b|)_i, each row's sum compensated; A' in place of A if transposed. The row-wise
 * backward error, near 2^-53 for a solution as good as its rounding  [H02 s7.2]. */
double test_backward_error(int n, const double *A, int ld, bool transposed, const double *x, const double *b);

/* row'x - b, compensated; entry j of the row is row[j * stride]. */
double test_row_residual(int n, const double *row, long stride, const double *x, double b);

/* max_i |A x - b|_i, compensated. */
double test_residual(int n, const double *A, int ld, const double *x, const double *b);

#endif
