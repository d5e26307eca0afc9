/* Names of outcomes, and default options. */
#include <cairn/lcp.h>

#include "base/memory.h"

const char *crn_lcp_outcome_name(crn_lcp_outcome outcome)
{
    switch (outcome) {
    case CRN_LCP_UNSOLVED: return "unsolved";
    case CRN_LCP_SOLVED: return "solved";
    case CRN_LCP_INFEASIBLE: return "infeasible";
    case CRN_LCP_RAY: return "ray";
    case CRN_LCP_SINGULAR: return "singular";
    case CRN_LCP_LIMIT: return "limit";
    case CRN_LCP_STALLED: return "stalled";
    case CRN_LCP_CONVEX: return "convex";
    }
    return "unknown";
}

crn_lcp_options crn_lcp_options_default(crn_lcp_method method)
{
    return (crn_lcp_options){
        .method = method,
        .tol = 1e-9,
        .tie_width = 1e-8, /* the best of the four in [YN08 table 1] that does not depend on the task's units */
        .epsilon = 1e-3,   /* [YN08 s5] */
        .error_max = 1e-3, /* [YN08 s5] */
        .relaxation = 1.0,
        .seed = 1,
        .cookie = CRN_COOKIE,
    };
}
