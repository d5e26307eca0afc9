/* Is there any z within the bounds that gives every w the sign it needs? A ladder of tests, each with its vector. */
#ifndef CRN_LCP_REFUTE_H
#define CRN_LCP_REFUTE_H

#include "lcp/exhaust.h"

typedef struct crn_refute {
    crn_exhaust exhaust; /* of problems that are not too large for it */
} crn_refute;

void crn_refute_layout(crn_refute *refute, const crn_job *job, crn_arena *arena);

/* CRN_LCP_INFEASIBLE with a vector in job->ray that the judge passes, CRN_LCP_SOLVED if a feasible point happens to be
 * complementary, else CRN_LCP_LIMIT. */
crn_lcp_outcome crn_refute_run(crn_refute *refute, crn_job *job);

#endif
