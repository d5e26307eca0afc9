/* What a matrix looks like: found once, in time linear in its entries, and what `auto` decides by. */
#ifndef CRN_LCP_STRUCTURE_H
#define CRN_LCP_STRUCTURE_H

#include "math/sparse.h"

#include <cairn/lcp.h>

typedef struct crn_structure {
    bool is_tridiagonal;
    bool is_symmetric; /* to rounding */
    bool is_mirrored;  /* |M_ij| = |M_ji|: symmetric, or perhaps so but for the signs of some rows */
    bool is_paired;    /* with M_ij M_ji is stored too, if only as 0: one triangle then tells of both */
    bool has_positive_diagonal;
    bool is_z;        /* no entry off the diagonal is positive */
    bool is_dominant; /* each diagonal entry is at least the sum of the others' magnitudes in its column */
    double asymmetry; /* largest |M_ij - M_ji|, relative to the larger of |M_ii|, |M_jj|, |M_ij|, |M_ji|, */
    int row, column;  /* and where */
} crn_structure;

/* Of a sparse problem that has passed crn_input_check(). */
crn_structure crn_structure_of(const crn_lcp_problem *problem);

/* Signs s_i with M_ji = s_i s_j M_ij for a mirrored M; false if there are none. stack: room for n numbers. */
bool crn_structure_signs(const crn_sparse *M, signed char *sign, int *stack);

#endif
