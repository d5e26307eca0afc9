/* Choice by structure and size; every fast try that fails falls through to search.
 *
 *   sparse and larger than LARGE     projected Gauss-Seidel (memory for anything else grows with n^2)
 *   otherwise                        search
 */
#include "lcp/auto.h"

enum { LARGE = 6000 };

bool crn_auto_is_large(const crn_job *job)
{
    return job->problem->M == NULL && job->problem->n > LARGE;
}

crn_lcp_outcome crn_auto_run(crn_search *search, crn_murty *murty, crn_pgs *pgs, crn_job *job)
{
    (void)murty;
    if (crn_auto_is_large(job)) {
        job->result->method = CRN_LCP_PGS;
        return crn_pgs_run(pgs, job);
    }
    job->result->method = CRN_LCP_SEARCH;
    return crn_search_run(search, job);
}
