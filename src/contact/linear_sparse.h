/* The factor of a large island's equations: matrices of its bodies, sparse as their graph is.
 *
 * The equations are made slightly soft, by one eps for all hard rows (E), and impulses are eliminated. With s the rows that lean, whose a
 * and f differ, k all others, and C = S + E,
 *
 *     (A'F + C) d = c,  y = F d     <=>     H y = A_k C_k^-1 c_k + F_s d_s,   d_k = C_k^-1 (c_k - A_k'y),   H = 1 + A_k C_k^-1 A_k'
 *                                           (A_s'H^-1 F_s + C_s) d_s = c_s - A_s'H^-1 A_k C_k^-1 c_k                          (1)
 *
 * H is positive definite and has the bodies' graph; what leans has a dense matrix of its own, with pivoting: an LU of both together breaks
 * down where a slider is above what sticks. What (1) leaves of the equations without E is the right side of the next solve, and after a
 * few of them rounding is left: parts of c along an eigenvalue m of A'F + S shrink by eps/(m + eps) each time. Redundant rows do no harm.
 * Vectors z with A z = 0 have z'(A'F + E) d = eps z'd, so that d stays in the range of A' where c is in it: the least change, as with the
 * dense factor. And with H of all hard rows' A
 *
 *     v - A'H^-1 A v/eps                                                                                                      (2)
 *
 * again and again leaves of v what is not in that range.  [docs/theory/gradients.md] */
#ifndef CRN_CONTACT_LINEAR_SPARSE_H
#define CRN_CONTACT_LINEAR_SPARSE_H

#include "contact/body_system.h"
#include "math/lu.h"

typedef struct crn_linear_sparse {
    crn_body_system body;
    crn_block_matrix held; /* H of all hard rows' A */
    crn_block_matrix
        even;     /* H of rows that do not lean; where none does and all are hard it is the other, and not used */
    crn_lu lean;  /* of those that do */
    int *leaning; /* which they are */
    bool has_even;
    double eps;
    double *block, *row;                    /* of H: 6 per contact, 1 per bilateral row, in the order of groups */
    double *place, *y;                      /* dof: in the order of places, of the island */
    double *null, *right, *d, *left, *step; /* rows each */
    double *s;                              /* those that lean */
} crn_linear_sparse;

void crn_linear_sparse_layout(crn_linear_sparse *sparse, const crn_system *system, crn_arena *arena);

#endif
