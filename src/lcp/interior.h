/* Interior points on sparse factors, for monotone problems. */
#ifndef CRN_LCP_INTERIOR_H
#define CRN_LCP_INTERIOR_H

#include "lcp/factor.h"

/* One side of all bounds: distances and multipliers, and how they move. Entries of variables without that bound are 0. */
typedef struct crn_interior_side {
    double sign;        /* +1: lower bounds, -1: upper ones */
    double *gap, *dual; /* n: distance to the bound, and its multiplier; both > 0 */
    double *move;       /* n: change of the multiplier; between predictor and corrector the product of both changes */
} crn_interior_side;

typedef struct crn_interior {
    crn_lcp_factor factor;
    crn_interior_side side[2];
    int sides;                  /* that there are: 1 if no upper bounds are given */
    double *z;                  /* n */
    double *dz, *right, *shift; /* n each: the job's scratch */
    unsigned char *chosen;      /* n: 1 for what is factorised */
    int pairs;                  /* finite bounds */
} crn_interior;

void crn_interior_layout(crn_interior *interior, const crn_job *job, crn_arena *arena);

/* For a sparse M. */
crn_lcp_outcome crn_interior_run(crn_interior *interior, crn_job *job);

#endif
