/* Principal pivoting by whole blocks on sparse factors: murty.c for large sparse M  [K78], [JP94 s2].
 *
 * The basic variables solve M_FF z_F = -(q + M z_bounds)_F; then every index whose basic variable violates a bound changes
 * sides. If their number has not fallen for BLOCK_PATIENCE rounds, only the last of them changes until it has. Unlike the
 * dense version nothing is updated: a change of one index costs a factorisation too. */
#include "lcp/active_set.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 200, BLOCK_PATIENCE = 10, REFINEMENTS = 3 };
/* Violations (scaled) below this are rounding errors, not reasons to change sides. */
static const double TOL_FEASIBLE = 1e-12;
/* An answer this good is not refined. */
static const double GOOD_ENOUGH = 1e-12;

void crn_active_set_layout(crn_active_set *active, const crn_job *job, crn_arena *arena)
{
    crn_lcp_factor_layout(&active->factor, job, arena);
    active->state = CRN_TAKE(arena, unsigned char, job->problem->n);
    active->chosen = CRN_TAKE(arena, unsigned char, job->problem->n);
}

/* All variables at their bounds, basic ones at 0. */
static void place(const crn_active_set *active, crn_job *job)
{
    const crn_view *view = &job->view;
    for (int i = 0; i < view->n; ++i) {
        active->chosen[i] = active->state[i] == CRN_LCP_BASIC;
        double bound = active->chosen[i] ? 0.0 : crn_job_bound(job, i, active->state[i]);
        job->z[i] = bound * view->c[i] * view->s;
    }
}

/* w = M z + q, summed in double-double. */
static void compute_w(crn_job *job)
{
    crn_view_residual(&job->view, job->z, job->w, job->low, job->low + job->view.n);
}

/* Newton's step on the basic variables: z_F -= M_FF^-1 w_F. */
static void step(crn_active_set *active, crn_job *job)
{
    double *d = job->view.work;
    memcpy(d, job->w, (size_t)job->view.n * sizeof *d);
    crn_sparse_factor_solve(&active->factor.sparse, d);
    for (int i = 0; i < job->view.n; ++i) {
        job->z[i] -= active->chosen[i] ? d[i] : 0.0;
    }
    compute_w(job);
}

/* z and w of the basis; false if its block is singular. */
static bool solve_basis(crn_active_set *active, crn_job *job)
{
    place(active, job);
    compute_w(job);
    if (!crn_lcp_factorise(&active->factor, job, active->chosen, NULL)) {
        return false;
    }
    step(active, job);
    step(active, job); /* the residual is in double-double: one refinement makes up for factors without exchanges */
    return true;
}

/* The side to which index i must change, or its present one. */
static unsigned char wanted_state(const crn_active_set *active, const crn_job *job, int i)
{
    const crn_view *view = &job->view;
    const double z = job->z[i] / (view->c[i] * view->s), w = job->w[i] * view->r[i] / view->s;
    const unsigned char state = active->state[i];
    if (state == CRN_LCP_BASIC) {
        if (z < view->lower[i] - TOL_FEASIBLE) {
            return CRN_LCP_AT_LOWER;
        }
        return z > view->upper[i] + TOL_FEASIBLE ? CRN_LCP_AT_UPPER : CRN_LCP_BASIC;
    }
    if (view->lower[i] == view->upper[i]) {
        return state;
    }
    double wrong = state == CRN_LCP_AT_UPPER ? w : -w;
    return wrong > TOL_FEASIBLE ? CRN_LCP_BASIC : state;
}

/* Number of indices that want to change; the last of them in *last. */
static int infeasible(const crn_active_set *active, const crn_job *job, int *last)
{
    int count = 0;
    for (int i = 0; i < job->view.n; ++i) {
        if (wanted_state(active, job, i) != active->state[i]) {
            ++count;
            *last = i;
        }
    }
    return count;
}

/* Change all indices that want to, or only one. */
static void change_sides(const crn_active_set *active, const crn_job *job, int only)
{
    for (int i = 0; i < job->view.n; ++i) {
        if (only < 0 || i == only) {
            active->state[i] = wanted_state(active, job, i);
        }
    }
}

/* The point as an answer: clamped to its bounds and, if that helps, refined once more. */
static crn_lcp_outcome finish(crn_active_set *active, crn_job *job)
{
    crn_lcp_outcome outcome = CRN_LCP_STALLED;
    for (int round = 0; round < REFINEMENTS; ++round) {
        for (int i = 0; i < job->view.n; ++i) {
            job->view.work[i] = job->z[i] / (job->view.c[i] * job->view.s);
        }
        crn_job_set_point(job, job->view.work, active->state);
        outcome = crn_job_accept(job);
        if (job->result->certificate.relative <= GOOD_ENOUGH) {
            break;
        }
        step(active, job);
    }
    return outcome == CRN_LCP_SOLVED ? outcome : crn_job_accept(job);
}

crn_lcp_outcome crn_active_set_run(crn_active_set *active, crn_job *job)
{
    const int most = job->options.max_pivots > 0 ? job->options.max_pivots : ROUNDS;
    int best = job->view.n + 1, patience = BLOCK_PATIENCE, last = 0;
    if (!crn_lcp_factor_open(&active->factor, job)) {
        return CRN_LCP_LIMIT;
    }
    crn_job_start(job, job->options.start != NULL, active->state);
    while (job->result->pivots < most && crn_job_goes_on(job, 1)) {
        ++job->result->pivots;
        if (!solve_basis(active, job)) {
            return CRN_LCP_SINGULAR;
        }
        int count = infeasible(active, job, &last);
        if (count == 0) {
            return finish(active, job);
        }
        patience = count < best ? BLOCK_PATIENCE : patience - 1;
        best = count < best ? count : best;
        change_sides(active, job, patience > 0 ? -1 : last);
    }
    return CRN_LCP_LIMIT;
}
