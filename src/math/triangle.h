/* Dense lower triangular factors of positive definite matrices, A = G G'  [GVL s4.2]. Column-major; what is above the diagonal is not
 * read. */
#ifndef CRN_MATH_TRIANGLE_H
#define CRN_MATH_TRIANGLE_H

#include <stddef.h>

/* The lower triangle of A, n x n, becomes G. Returns n, or the first column whose pivot is not positive, or is rounding of a singular
 * matrix. */
int crn_triangle_factor(int n, double *A);

/* x = G \ x and x = G' \ x */
void crn_triangle_solve(size_t n, const double *G, size_t ld, double *x);
void crn_triangle_solve_transposed(size_t n, const double *G, size_t ld, double *x);

#endif
