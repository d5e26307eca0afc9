/* A program of a user: solve one LCP with the installed library and compare with the answer on paper. It also asks for
 * files that are not there, so that the libraries behind the readers must have been linked.
 *
 * M = [2 1; 1 2], q = (-5, -6): z = (4/3, 7/3) makes w = M z + q = 0. The argument is the version that is expected. */
#include <cairn/cairn.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    const double M[] = {2, 1, 1, 2};
    const double q[] = {-5, -6};
    double z[2] = {0, 0};
    crn_lcp_problem problem = {.n = 2, .M = M, .ld = 2, .q = q};
    crn_lcp_solution solution = {.z = z};
    crn_lcp_result result;
    crn_error error;
    crn_workspace workspace = {0};

    crn_status status = crn_lcp_solve(&problem, NULL, &workspace, &solution, &result, &error);
    crn_workspace_free(&workspace);
    if (status != CRN_OK) {
        fprintf(stderr, "client: %s\n", error.text);
        return 1;
    }
    printf("client: cairn %s, outcome %s, z = (%.17g, %.17g)\n", crn_version(), crn_lcp_outcome_name(result.outcome),
           z[0], z[1]);
    if (argc > 1 && strcmp(argv[1], crn_version()) != 0) {
        fprintf(stderr, "client: the package says version %s\n", argv[1]);
        return 1;
    }
    crn_contact_data contact = {0};
    crn_cone_data cone = {0};
    if (crn_io_read_contact_json("no such file", NULL, &contact, &error) != CRN_ERR_IO ||
        crn_io_read_fclib("no such file", NULL, &cone, &error) != CRN_ERR_IO) {
        fprintf(stderr, "client: %s\n", error.text);
        return 1;
    }
    return result.outcome == CRN_LCP_SOLVED && fabs(z[0] - 4.0 / 3.0) < 1e-12 && fabs(z[1] - 7.0 / 3.0) < 1e-12 ? 0 : 1;
}
