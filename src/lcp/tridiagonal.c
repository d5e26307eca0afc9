/* Brennan and Schwartz' elimination  [BS77].
 *
 * If the variables at their bounds are those at one end of the line, the equations of the others can be eliminated towards
 * that end as if there were no bounds, and substituted back with each value clamped to its bounds: the first that is clamped
 * ends the free part. An American put has them at low prices, a call at high ones, so both directions are tried and the
 * judge decides. O(n).
 *
 * Eliminating upwards (towards the last variable is downwards, by the same lines with the order reversed), with a_i, b_i, c_i
 * the entries left of, on and right of the diagonal of row i:
 *
 *     b'_n = b_n,  b'_i = b_i - c_i a_(i+1) / b'_(i+1),  r'_i = -q_i - c_i r'_(i+1) / b'_(i+1)
 *     z_1 = clamp(r'_1 / b'_1),  z_i = clamp((r'_i - a_i z_(i-1)) / b'_i) */
#include "lcp/tridiagonal.h"

#include "math/vec.h"

#include <math.h>

void crn_tridiagonal_layout(crn_tridiagonal *tridiagonal, const crn_job *job, crn_arena *arena)
{
    (void)arena;
    tridiagonal->pivot = job->view.work; /* free since the scaling is done */
    tridiagonal->right = job->view.work != NULL ? job->view.work + job->problem->n : NULL;
}

/* M(i,j), which is 0 outside the matrix. */
static double entry(const crn_view *view, int i, int j)
{
    return i < 0 || j < 0 || i >= view->n || j >= view->n ? 0.0 : crn_sparse_entry(&view->columns, i, j);
}

static double clamped(const crn_lcp_problem *p, int i, double z)
{
    double l = crn_lower_bound(p, i), u = crn_upper_bound(p, i);
    return crn_min(crn_max(z, l), u);
}

/* Eliminate from one end and substitute from the other. step +1: substitute upwards from the first variable. */
static void eliminate(crn_tridiagonal *t, crn_job *job, int step)
{
    const crn_lcp_problem *p = job->problem;
    const int n = p->n, first = step > 0 ? 0 : n - 1;
    for (int k = n - 1; k >= 0; --k) {
        const int i = first + step * k, next = i + step;
        t->pivot[i] = entry(&job->view, i, i);
        t->right[i] = -p->q[i];
        if (k < n - 1) {
            double ratio = entry(&job->view, i, next) / t->pivot[next];
            t->pivot[i] -= ratio * entry(&job->view, next, i);
            t->right[i] -= ratio * t->right[next];
        }
    }
    for (int k = 0; k < n; ++k) {
        const int i = first + step * k, before = i - step;
        double known = k > 0 ? entry(&job->view, i, before) * job->z[before] : 0.0;
        double z = (t->right[i] - known) / t->pivot[i];
        z = isfinite(z) ? z : 0.0; /* a pivot of 0: nothing is eliminated by it */
        job->z[i] = clamped(p, i, z);
        unsigned char off = z < job->z[i] ? CRN_LCP_AT_LOWER : CRN_LCP_AT_UPPER;
        job->basis[i] = z == job->z[i] ? CRN_LCP_BASIC : off;
    }
}

crn_lcp_outcome crn_tridiagonal_run(crn_tridiagonal *tridiagonal, crn_job *job)
{
    for (int step = 1; step >= -1; step -= 2) {
        eliminate(tridiagonal, job, step);
        ++job->result->pivots;
        if (crn_job_accept(job) == CRN_LCP_SOLVED) {
            return CRN_LCP_SOLVED;
        }
    }
    return CRN_LCP_STALLED;
}
