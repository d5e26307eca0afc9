/* First rung: single rows. The largest that (M z + q)_i can be within the bounds is found in one pass over the entries; if that
 * is negative where w_i >= 0 is asked for, the unit vector is the proof. Second rung: the linear inequalities together, as the
 * root of the tree of exhaust.c, whose rays are Farkas vectors. They are made easier by a margin first: a vector that proves
 * even those wrong does not stand on equalities M'y = 0 that hold only to rounding. Third rung: some more nodes of that tree, for problems
 * that are feasible and have no solution all the same. */
#include "lcp/refute.h"

#include <math.h>
#include <string.h>

/* Margins (scaled) of the inequalities, one after another. */
static const double MARGINS[] = {1e-7, 0.0};
enum { NODES = 300 };             /* of the third rung */
enum { INEQUALITIES_MOST = 600 }; /* the second rung keeps about (2 n)^2 numbers several times */

static bool has_second_rung(const crn_job *job)
{
    return job->problem->n <= INEQUALITIES_MOST;
}

void crn_refute_layout(crn_refute *refute, const crn_job *job, crn_arena *arena)
{
    if (has_second_rung(job)) {
        crn_exhaust_layout(&refute->exhaust, job, arena);
    }
}

/* sign (M z + q)_i at most, for all rows, in the caller's units. */
static void best_rows(const crn_job *job, double sign, double *best)
{
    const crn_lcp_problem *p = job->problem;
    for (int i = 0; i < p->n; ++i) {
        best[i] = sign * p->q[i];
    }
    for (int j = 0; j < p->n; ++j) {
        const double l = crn_lower_bound(p, j), u = crn_upper_bound(p, j);
        const int first = p->M == NULL ? p->start[j] : 0, count = p->M == NULL ? p->start[j + 1] - first : p->n;
        const double *value = p->M == NULL ? p->value + first : p->M + (long)j * p->ld;
        for (int e = 0; e < count; ++e) {
            const double v = sign * value[e];
            if (v != 0.0) {
                best[p->M == NULL ? p->row[first + e] : e] += v * (v > 0.0 ? u : l);
            }
        }
    }
}

/* A row that cannot be fulfilled proves it by itself; the judge sees to the sign that it asks for. */
static bool is_row_infeasible(crn_job *job)
{
    const int n = job->problem->n;
    for (double sign = 1.0; sign >= -1.0; sign -= 2.0) {
        best_rows(job, sign, job->w);
        for (int i = 0; i < n; ++i) {
            if (!(job->w[i] < 0.0)) {
                continue;
            }
            memset(job->ray, 0, (size_t)n * sizeof *job->ray);
            job->ray[i] = sign;
            if (crn_job_judge_ray(job) == CRN_LCP_INFEASIBLE) {
                return true;
            }
        }
    }
    return false;
}

crn_lcp_outcome crn_refute_run(crn_refute *refute, crn_job *job)
{
    if (is_row_infeasible(job)) {
        return CRN_LCP_INFEASIBLE;
    }
    const int nodes = job->attempts > 0 ? job->attempts : NODES;
    crn_lcp_outcome outcome = CRN_LCP_UNSOLVED;
    for (int t = 0; t < 2 && outcome == CRN_LCP_UNSOLVED && has_second_rung(job); ++t) {
        refute->exhaust.margin = MARGINS[t];
        const bool is_last = MARGINS[t] == 0.0;
        outcome = crn_exhaust_run(&refute->exhaust, job, is_last ? nodes : 1);
    }
    return outcome == CRN_LCP_UNSOLVED ? CRN_LCP_LIMIT : outcome;
}
