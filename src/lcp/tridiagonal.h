/* Tridiagonal problems by one elimination: American options, obstacles on a line. */
#ifndef CRN_LCP_TRIDIAGONAL_H
#define CRN_LCP_TRIDIAGONAL_H

#include "lcp/job.h"

typedef struct crn_tridiagonal {
    double *pivot, *right; /* n: eliminated diagonal and right-hand side */
} crn_tridiagonal;

void crn_tridiagonal_layout(crn_tridiagonal *tridiagonal, const crn_job *job, crn_arena *arena);

/* M must be tridiagonal and stored by columns. CRN_LCP_STALLED if neither direction gives an answer: the variables at their
 * bounds are then not one end of the line. */
crn_lcp_outcome crn_tridiagonal_run(crn_tridiagonal *tridiagonal, crn_job *job);

#endif
