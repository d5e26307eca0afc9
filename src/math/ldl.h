/* Symmetric LDL' without pivoting, A = L D L'  [GVL s4.1]. Column-major, in place; the caller owns every array.
 *
 * For matrices whose factors exist in every order of rows: positive definite ones, and quasi-definite ones
 * [H B'; B -G] with H and G positive definite. Any other symmetric matrix may meet a tiny pivot, or grow. */
#ifndef CRN_MATH_LDL_H
#define CRN_MATH_LDL_H

#include "base/shared.h"

#include <stdbool.h>

typedef struct crn_ldl {
    int n, ld;
    double *a;    /* n x n, lower triangle only: D on the diagonal, L (unit diagonal) below; nothing above is touched */
    double *work; /* n, for the factorisation */
    int negative; /* pivots below 0: A has as many negative eigenvalues (Sylvester's law of inertia) */
    double rcond; /* smallest over largest |D_kk|: a cheap, optimistic condition estimate; 1 if n = 0 */
} crn_ldl;

/* Factorise the symmetric n x n matrix whose lower triangle is in ldl->a. False if a pivot is no larger than
 * tol_singular times the sum of the magnitudes it is the difference of, which for a positive definite matrix is its
 * original diagonal entry; also if one is 0 or not finite. The factors are unusable then. */
CRN_SHARED bool crn_ldl_factor(crn_ldl *ldl, double tol_singular);

/* x = A \ x */
CRN_SHARED void crn_ldl_solve(const crn_ldl *ldl, double *x);

#endif
