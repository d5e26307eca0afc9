/* Projected Gauss-Seidel and SOR. */
#ifndef CRN_LCP_PGS_H
#define CRN_LCP_PGS_H

#include "lcp/job.h"

typedef struct crn_pgs {
    double *z, *w;        /* n: scaled values */
    double *before;       /* n: z before the sweep */
    double *diagonal;     /* n */
    unsigned char *state; /* n */
} crn_pgs;

void crn_pgs_layout(crn_pgs *pgs, const crn_job *job, crn_arena *arena);
crn_lcp_outcome crn_pgs_run(crn_pgs *pgs, crn_job *job);

#endif
