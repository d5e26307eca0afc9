/* docs/guide/lcp.md: a function that is told every pivot; 2 z1 + z2 = 5, z1 + 2 z2 = 6 takes three. */
#include <cairn/lcp.h>
#include <stdio.h>

/* FRAGMENT */
int main(void)
{
    double M[] = {2, 1, 1, 2}, q[] = {-5, -6}, z[2];
    crn_lcp_problem problem = {.n = 2, .M = M, .ld = 2, .q = q};
    crn_lcp_solution solution = {.z = z};
    crn_lcp_options options = crn_lcp_options_default(CRN_LCP_SEARCH);
    crn_workspace work = {0};
    crn_lcp_result result;
    options.trace = show;
    crn_lcp_solve(&problem, &options, &work, &solution, &result, NULL);
    crn_workspace_free(&work);
    return result.outcome == CRN_LCP_SOLVED && result.pivots == 3 ? 0 : 1;
}
