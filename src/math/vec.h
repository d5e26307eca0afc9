/* Dense vectors and column-major matrices: the kernels under every solver. No function allocates or checks sizes. */
#ifndef CRN_MATH_VEC_H
#define CRN_MATH_VEC_H

#include <stdbool.h>
#include <stddef.h>

/* The larger and the smaller of two numbers; unlike fmax and fmin they compile to one instruction. If either is NaN
 * the second is returned. */
static inline double crn_max(double a, double b)
{
    return a > b ? a : b;
}

static inline double crn_min(double a, double b)
{
    return a < b ? a : b;
}

/* x, or the bound that it is beyond. */
static inline double crn_clamp(double x, double low, double high)
{
    if (x < low) {
        return low;
    }
    return x > high ? high : x;
}

/* x'y in CRN_LANES partial sums, added pairwise at the end. */
double crn_dot(int n, const double *x, const double *y);

/* y += a x */
void crn_axpy(int n, double a, const double *x, double *y);

/* x *= a */
void crn_scal(int n, double a, double *x);

/* max |x_i|, 0 if n = 0 */
double crn_max_abs(int n, const double *x);

/* y += sum_k x_k A(:, column[k]); column NULL: the first `count` columns. Columns with x_k = 0 are passed over. */
void crn_gemv_columns(int rows, int count, const double *A, int ld, const int *column, const double *x, double *y);

/* t_j = g'A(:,j) for the first `columns` columns */
void crn_gemv_transposed(int rows, int columns, const double *A, int ld, const double *g, double *t);

/* G(j, k) += x_j'y_k for the a columns of x and the b columns of y, n entries each, one behind the other */
void crn_add_products(int n, int a, const double *x, int b, const double *y, double *G, int ld);

/* A(:,j) += x t_j for the first `columns` columns; x may be a column of A whose t_j is 0 */
void crn_rank_one(int rows, int columns, const double *x, const double *t, double *A, int ld);

/* What one pass over a square matrix tells. */
typedef struct crn_matrix_facts {
    size_t nonzeros;
    bool is_finite; /* if not, nothing else means anything */
} crn_matrix_facts;

/* Largest |entries| of the rows and of the columns of the n x n matrix A, and the facts. work has 2 n entries. */
void crn_scan_matrix(int n, const double *A, int ld, double *row_max, double *col_max, double *work,
                     crn_matrix_facts *facts);

/* How many |x_i r_i a| lie strictly between low and high. */
int crn_count_between(int n, const double *x, const double *r, double a, double low, double high);

#endif
