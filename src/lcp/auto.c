/* Choice by structure and size; every try that fails falls through to search. Measured on random problems with one
 * core, microseconds:
 *
 *     strictly diagonally dominant, n =   50   200    800    1600
 *     search                              23   475  19700  177000
 *     block principal pivoting            12   312  11000   71000
 *     projected Gauss-Seidel              12   133   2400    9000   (certificate 1e-10 instead of 1e-15)
 *
 * On other positive definite matrices search and blocks take about the same time, and on semidefinite ones blocks are
 * singular. So:
 *
 *     diagonally dominant, n >= DOMINANT_FROM    blocks, and beyond DOMINANT_SWEEP Gauss-Seidel
 *     sparse and n > LARGE                       Gauss-Seidel: memory for anything else grows with n^2
 *     everything else                            search */
#include "lcp/auto.h"

#include "lcp/trace.h"

#include <math.h>
#include <string.h>

enum { DOMINANT_FROM = 32, DOMINANT_SWEEP = 800, LARGE = 6000 };

bool crn_auto_is_large(const crn_job *job)
{
    return job->problem->M == NULL && job->problem->n > LARGE;
}

/* Is A_ii > sum of the other |A_ij| in every row? Scaling by columns can hide it, never invent it. */
static bool is_dominant(const crn_job *job)
{
    const crn_view *view = &job->view;
    double *sum = job->low, *column = job->w; /* scratch until a method runs */
    memset(sum, 0, (size_t)view->n * sizeof *sum);
    for (int j = 0; j < view->n; ++j) {
        double diagonal = crn_view_entry(view, j, j);
        if (!(diagonal > 0.0)) {
            return false;
        }
        crn_view_column(view, j, column);
        for (int i = 0; i < view->n; ++i) {
            sum[i] += fabs(column[i]);
        }
        sum[j] -= 2.0 * diagonal;
    }
    for (int i = 0; i < view->n; ++i) {
        if (!(sum[i] < 0.0)) {
            return false;
        }
    }
    return true;
}

static crn_lcp_outcome run_pgs(crn_pgs *pgs, crn_job *job)
{
    job->result->method = CRN_LCP_PGS;
    return crn_pgs_run(pgs, job);
}

static crn_lcp_outcome run_blocks(crn_murty *murty, crn_job *job)
{
    job->result->method = CRN_LCP_MURTY;
    job->options.variant = CRN_LCP_BLOCK;
    return crn_murty_run(murty, job);
}

crn_lcp_outcome crn_auto_run(crn_search *search, crn_murty *murty, crn_pgs *pgs, crn_job *job)
{
    if (crn_auto_is_large(job)) {
        return run_pgs(pgs, job);
    }
    if (job->view.n >= DOMINANT_FROM && job->options.start == NULL && is_dominant(job)) {
        bool is_wide = job->view.n > DOMINANT_SWEEP;
        if ((is_wide ? run_pgs(pgs, job) : run_blocks(murty, job)) == CRN_LCP_SOLVED) {
            return CRN_LCP_SOLVED;
        }
        if (crn_is_traced(job)) {
            crn_trace_restart(job);
        }
    }
    job->result->method = CRN_LCP_SEARCH;
    return crn_search_run(search, job);
}
