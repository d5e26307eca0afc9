/* LU with partial pivoting, P A = L U  [GVL s3.4], [H02 s9]. Column-major, in place; the caller owns every array. */
#ifndef CRN_MATH_LU_H
#define CRN_MATH_LU_H

#include "base/shared.h"

#include <stdbool.h>

typedef struct crn_lu {
    int n, ld;
    double *a;    /* n x n: U above and on the diagonal, L (unit diagonal) below */
    int *pivot;   /* row exchanged with row k at step k */
    double rcond; /* smallest over largest |U_kk|: a cheap, optimistic condition estimate; 1 if n = 0 */
} crn_lu;

/* Factorise the n x n matrix in lu->a. False if a pivot is no larger than tol_singular times the largest entry of its
 * column at that step; the factors are unusable then. */
CRN_SHARED bool crn_lu_factor(crn_lu *lu, double tol_singular);

/* x = A \ x and x = A' \ x */
CRN_SHARED void crn_lu_solve(const crn_lu *lu, double *x);
void crn_lu_solve_transposed(const crn_lu *lu, double *x);

/* W = inv(A), n x n with leading dimension ldw */
void crn_lu_inverse(const crn_lu *lu, double *W, int ldw);

/* Improve x, an approximate solution of A x = b, with residuals in double-double until the corrections stop
 * shrinking or `max_steps` is reached  [H02 s12]. A is the matrix that was factorised (its own copy). work has 3 n
 * entries. Returns the last max |A x - b|, infinity if it is not finite. */
double crn_lu_refine(const crn_lu *lu, const double *A, int lda, const double *b, double *x, double *work,
                     int max_steps);

#endif
