/* Door 1 in WebAssembly: a dense complementarity problem. */
#include "module.h"

/* w = M z + q, M column-major n by n. told: certificate, pivots. Returns the outcome's name; NULL: bad input. */
EXPORT(lcp_solve) const char *lcp_solve(int n, const double *M, const double *q, double *z, double *told)
{
    crn_lcp_problem problem = {.n = n, .M = M, .ld = n > 0 ? n : 1, .q = q};
    crn_lcp_solution solution = {.z = z};
    crn_workspace workspace = {.data = NULL};
    crn_lcp_result result;
    crn_status status = crn_lcp_solve(&problem, NULL, &workspace, &solution, &result, NULL);
    crn_workspace_free(&workspace);
    if (status != CRN_OK) {
        return NULL;
    }
    told[0] = result.certificate.relative;
    told[1] = result.pivots;
    return crn_lcp_outcome_name(result.outcome);
}
