#include <cairn/lcp.h>
#include <stdio.h>

int main(void)
{
    double M[] = {2, 1, 1, 2}, q[] = {-5, -6}, z[2]; /* M is column-major */
    crn_lcp_problem problem = {.n = 2, .M = M, .ld = 2, .q = q};
    crn_lcp_solution solution = {.z = z};
    crn_workspace work = {0};
    crn_lcp_result result;
    crn_lcp_solve(&problem, NULL, &work, &solution, &result, NULL);
    printf("%s: z = (%g, %g), certificate %.1e\n", crn_lcp_outcome_name(result.outcome), z[0], z[1],
           result.certificate.relative);
    crn_workspace_free(&work);
    return result.outcome == CRN_LCP_SOLVED ? 0 : 1;
}
