/* A mixed box problem: z1 is free, so its row is an equation; z2 lies between 0 and 1. A second solve starts from the
 * basis of the first. */
#include <cairn/lcp.h>
#include <math.h>
#include <stdio.h>

int main(void)
{
    double M[] = {2, 1, 1, 2}, q[] = {-1, -6}, lower[] = {-INFINITY, 0}, upper[] = {INFINITY, 1};
    double z[2], w[2];
    unsigned char basis[2];
    crn_lcp_problem problem = {.n = 2, .M = M, .ld = 2, .q = q, .lower = lower, .upper = upper};
    crn_lcp_solution solution = {.z = z, .w = w, .basis = basis};
    crn_lcp_options options = crn_lcp_options_default(CRN_LCP_SEARCH);
    crn_workspace work = {0};
    crn_lcp_result result;
    crn_error error;
    for (int round = 0; round < 2; ++round) {
        if (crn_lcp_solve(&problem, &options, &work, &solution, &result, &error) != CRN_OK) {
            fprintf(stderr, "%s\n", error.text);
            return 2;
        }
        printf("%s after %d pivots: z = (%g, %g), w = (%g, %g)\n", crn_lcp_outcome_name(result.outcome), result.pivots,
               z[0], z[1], w[0], w[1]);
        options.start = basis; /* the right basis: nothing is left to pivot */
    }
    crn_workspace_free(&work);
    return result.outcome == CRN_LCP_SOLVED ? 0 : 1;
}
