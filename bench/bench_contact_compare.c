/* bench_contact_compare.c -- do contact states and the search on the assembled LCP find the same motion?
 *
 * With w = M z + q of the assembled problem, the rows of contact i are nu = u_n and sigma_j = d_j'u_t + lambda with
 * d_j = (cos a_j, sin a_j), a_j = 2 pi j / d. As sum_j d_j = 0 and sum_j d_j d_j' = d/2 I for d > 2:
 *
 *     u_n = nu,   u_t = 2/d sum_j sigma_j d_j
 */
#include "bench_contact.h"

#include <math.h>
#include <stdlib.h>

static const double two_pi = 6.283185307179586;

/* Contact velocities u of contact i from w. */
static void velocity_from_w(const crn_contact_problem *problem, const double *w, int i, int first_phi, double u[3])
{
    int d = problem->contact[i].directions;
    u[0] = w[i];
    u[1] = u[2] = 0.0;
    for (int j = 0; j < d; ++j) {
        u[1] += 2.0 / d * w[first_phi + j] * cos(two_pi * j / d);
        u[2] += 2.0 / d * w[first_phi + j] * sin(two_pi * j / d);
    }
}

static double largest_difference(const crn_contact_problem *problem, const crn_lcp_problem *lcp, const double *w,
                                 const double *contact_velocity)
{
    double most = 0.0, scale = 0.0;
    int phi = problem->contacts;
    for (int i = 0; i < problem->contacts; ++i) {
        double u[3];
        int d = problem->contact[i].directions;
        velocity_from_w(problem, w, i, phi, u);
        phi += d;
        for (int c = 0; c < (d > 2 ? 3 : 1); ++c) {
            most = fmax(most, fabs(u[c] - contact_velocity[3 * i + c]));
        }
    }
    for (int i = 0; i < lcp->n; ++i) {
        scale = fmax(scale, fabs(lcp->q[i]));
    }
    return most / scale;
}

bool bench_contact_compare(const crn_contact_problem *problem, const crn_lcp_problem *lcp, bench_contact_room *room,
                           double *difference, bool *is_unique)
{
    double *z = calloc(2 * (size_t)lcp->n + 1, sizeof *z);
    crn_lcp_options options = crn_lcp_options_default(CRN_LCP_SEARCH);
    crn_lcp_solution solution = {.z = z, .w = z ? z + lcp->n : NULL};
    crn_lcp_result result = {0};
    crn_contact_uniqueness uniqueness = {0};
    crn_error error = {0};
    bool is_ok =
        z &&
        crn_contact_uniqueness_of(problem, room->impulse, NULL, &room->judge_work, &uniqueness, &error) == CRN_OK &&
        crn_lcp_solve(lcp, &options, &room->judge_work, &solution, &result, &error) == CRN_OK;
    *is_unique = is_ok && uniqueness.is_motion_unique == CRN_YES;
    *difference = is_ok && result.outcome == CRN_LCP_SOLVED
                      ? largest_difference(problem, lcp, solution.w, room->contact_velocity)
                      : (double)NAN;
    if (!is_ok) {
        fprintf(stderr, "bench_contact: %s\n", error.text[0] ? error.text : "no memory");
    }
    free(z);
    return is_ok;
}
