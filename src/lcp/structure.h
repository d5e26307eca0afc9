/* What a matrix looks like: found once, in time linear in its entries, and what `auto` decides by. */
#ifndef CRN_LCP_STRUCTURE_H
#define CRN_LCP_STRUCTURE_H

#include <cairn/lcp.h>

typedef struct crn_structure {
    bool is_tridiagonal;
    bool is_symmetric; /* to rounding */
    bool has_positive_diagonal;
    bool is_z;        /* no entry off the diagonal is positive */
    bool is_dominant; /* each diagonal entry is at least the sum of the others' magnitudes in its column */
    double asymmetry; /* largest |M_ij - M_ji|, relative to the larger of |M_ii|, |M_jj|, |M_ij|, |M_ji|, */
    int row, column;  /* and where */
} crn_structure;

/* Of a sparse problem that has passed crn_input_check(). */
crn_structure crn_structure_of(const crn_lcp_problem *problem);

#endif
