/* Truncated nonsmooth Newton multigrid: large sparse obstacle problems. */
#ifndef CRN_LCP_TNNMG_H
#define CRN_LCP_TNNMG_H

#include "lcp/job.h"
#include "math/multigrid.h"

/* The obstacle problem on one level: minimise z'Az/2 + q'z over l <= z <= u. */
typedef struct crn_tnnmg_level {
    const double *q, *lower, *upper; /* lower and upper NULL: 0 and inf */
    double *z;
} crn_tnnmg_level;

typedef struct crn_tnnmg {
    crn_multigrid grid;
    crn_tnnmg_level level[CRN_GRID_LEVELS];
    double *pool; /* numbers of the coarse levels */
    size_t pool_size;
} crn_tnnmg;

void crn_tnnmg_layout(crn_tnnmg *tnnmg, const crn_job *job, crn_arena *arena);

/* M must be symmetric with a positive diagonal, and stored by columns. */
crn_lcp_outcome crn_tnnmg_run(crn_tnnmg *tnnmg, crn_job *job);

#endif
