/* Products and solves with CRN_LANES right-hand sides at once, side by side in memory: entry i of lane j is x[CRN_LANES * i + j]. Matrices are
 * column-major. */
#ifndef CRN_MATH_LANES_H
#define CRN_MATH_LANES_H

#include "math/lu.h"
#include "math/simd.h"

/* x += sign A s and s += sign A'x, A is n x m */
void crn_lanes_add(int n, int m, double sign, const double *A, const double *s, double *x);
void crn_lanes_add_transposed(int n, int m, double sign, const double *A, const double *x, double *s);

/* x = G \ x and x = G' \ x, G lower triangular */
void crn_lanes_solve_lower(int n, int ld, const double *G, double *x);
void crn_lanes_solve_upper(int n, int ld, const double *G, double *x);

/* x = A \ x */
void crn_lanes_lu_solve(const crn_lu *lu, double *x);

/* Row i of x times a. */
void crn_lanes_scale(int n, const double *a, double *x);

/* Column `lane` of x from a vector, and back. */
void crn_lanes_put(int n, const double *from, int lane, double *x);
void crn_lanes_get(int n, const double *x, int lane, double *to);

#endif
