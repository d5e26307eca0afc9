/* Choice by structure and size.
 *
 * Dense problems and small ones. Every try that fails falls through to search. Measured on random problems with one core,
 * microseconds:
 *
 *     strictly diagonally dominant, n =   50   200    800    1600
 *     search                              23   475  19700  177000
 *     block principal pivoting            12   312  11000   71000
 *     projected Gauss-Seidel              12   133   2400    9000   (certificate 1e-10 instead of 1e-15)
 *
 * On other positive definite matrices search and blocks take about the same time, and on semidefinite ones blocks are
 * singular. So: diagonally dominant from n = DOMINANT_FROM on by blocks, beyond DOMINANT_SWEEP by Gauss-Seidel, everything else
 * by search.
 *
 * Sparse problems beyond SMALL. Seconds on one core (docs/theory/lcp.md has more), "-" where a method is not made for it:
 *
 *                          n        tridiagonal  multigrid  sweeps  active-set  interior
 *     American put         10^6     0.2          -          -       > 60        -
 *     obstacle on a grid   10^5     -            0.6        > 60    10          -
 *     Nash-Cournot         10^6     -            -          0.9     5           -
 *     least squares        10^5     -            -          -       0.7         -
 *     QP with constraints  10^5     -            -          -       singular    1.5
 *
 * Methods that keep n^2 numbers are the last resort up to LARGE. Bimatrix games go their own path from GAME_FROM on: search,
 * whose paths end on rays there, solved 2 of 20 of order 100. */
#include "lcp/auto.h"

#include "lcp/exhaust.h"
#include "lcp/game.h"
#include "lcp/trace.h"

#include <math.h>
#include <string.h>

enum { DOMINANT_FROM = 32, DOMINANT_SWEEP = 800, SMALL = 1000, LARGE = 6000, GAME_FROM = 16, FIRST_NODES = 150 };

static void add(crn_plan_step *plan, int *count, crn_lcp_method method)
{
    plan[(*count)++] = (crn_plan_step){.method = method};
}

/* Methods that keep n^2 numbers. Where the tree of sides is too large to be searched, infeasibility is looked into after the
 * first path of search has failed, not after the last: FIRST_NODES of the tree cost less than the 23 other paths. */
static void plan_dense(const crn_job *job, crn_plan_step *plan, int *count)
{
    const crn_lcp_method method = job->options.method;
    if ((method == CRN_LCP_AUTO || method == CRN_LCP_SEARCH) && !crn_exhaust_is_possible(job)) {
        plan[(*count)++] = (crn_plan_step){.method = method, .attempts = 1};
        plan[(*count)++] = (crn_plan_step){.method = CRN_LCP_REFUTE, .attempts = FIRST_NODES};
        add(plan, count, method);
        add(plan, count, CRN_LCP_REFUTE);
        return;
    }
    add(plan, count, method);
}

int crn_auto_plan(const crn_job *job, crn_plan_step *plan)
{
    const crn_structure *s = &job->structure;
    const int n = job->problem->n;
    const bool is_auto = job->options.method == CRN_LCP_AUTO;
    int count = 0;
    if (is_auto && n >= GAME_FROM && n <= LARGE && crn_game_order(job->problem) > 0) {
        add(plan, &count, CRN_LCP_GAME);
    }
    if (!is_auto || job->problem->M != NULL || n <= SMALL) {
        plan_dense(job, plan, &count);
        return count;
    }
    const bool is_grid = s->is_symmetric && s->has_positive_diagonal && (s->is_z || s->is_dominant);
    if (s->is_tridiagonal) {
        add(plan, &count, CRN_LCP_TRIDIAGONAL);
    }
    if (is_grid) {
        add(plan, &count, CRN_LCP_MULTIGRID);
    }
    if (s->has_positive_diagonal) {
        plan[count++] = (crn_plan_step){.method = CRN_LCP_PGS, .attempts = 1};
        add(plan, &count, CRN_LCP_ACTIVE_SET);
    }
    plan[count++] = (crn_plan_step){.method = CRN_LCP_REFUTE, .attempts = 1};
    if (s->is_symmetric && s->has_positive_diagonal && !is_grid) {
        add(plan, &count, CRN_LCP_MULTIGRID);
    }
    add(plan, &count, CRN_LCP_INTERIOR);
    if (n <= LARGE) {
        add(plan, &count, CRN_LCP_AUTO);
    } else if (s->has_positive_diagonal) {
        add(plan, &count, CRN_LCP_PGS);
    }
    return count;
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
