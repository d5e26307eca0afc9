/* The method for people who do not want to choose one. */
#ifndef CRN_LCP_AUTO_H
#define CRN_LCP_AUTO_H

#include "lcp/murty.h"
#include "lcp/pgs.h"
#include "lcp/search.h"

enum { CRN_PLAN_MOST = 10 };

typedef struct crn_plan_step {
    crn_lcp_method method;
    int attempts; /* as in crn_job */
} crn_plan_step;

/* The methods to try one after another, each until the judge is content: the one in job->options alone or, for auto, what the
 * structure in job suggests. CRN_LCP_AUTO among them stands for crn_auto_run(). Returns how many there are. */
int crn_auto_plan(const crn_job *job, crn_plan_step *plan);

/* For problems that are small, or dense. */
crn_lcp_outcome crn_auto_run(crn_search *search, crn_murty *murty, crn_pgs *pgs, crn_job *job);

#endif
