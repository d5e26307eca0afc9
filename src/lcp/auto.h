/* The method for people who do not want to choose one. */
#ifndef CRN_LCP_AUTO_H
#define CRN_LCP_AUTO_H

#include "lcp/murty.h"
#include "lcp/pgs.h"
#include "lcp/search.h"

/* Too large for a method that keeps n^2 numbers: sparse sweeps are all there is. */
bool crn_auto_is_large(const crn_job *job);

crn_lcp_outcome crn_auto_run(crn_search *search, crn_murty *murty, crn_pgs *pgs, crn_job *job);

#endif
