/* Principal pivoting: every basis is complementary, feasibility comes last  [M88 s4.1], [E15 s3].
 *
 * An index is infeasible if its basic variable violates a bound: w_i of the wrong sign where z_i stands at a bound, z_i
 * outside [l_i, u_i] where it is basic. Changing sides:
 *
 *   least index   the infeasible index with the lowest number changes sides. Finite if M is a P-matrix, possibly after
 *                 2^n - 1 changes [M78]. One bordered or reduced inverse per change.
 *   block         all infeasible indices change sides at once [K78]. If their number has not fallen for BLOCK_PATIENCE
 *                 rounds, least-index changes are made until it has [JP94 s2]. One fresh factorisation per round.
 *
 * Unlike Lemke's method it pivots first and looks afterwards: for a semidefinite M the block can be singular, which is
 * reported as CRN_LCP_SINGULAR and never divided by  [E15 s4]. */
#include "lcp/murty.h"

#include "lcp/trace.h"

#include <math.h>
#include <string.h>

enum { BLOCK_PATIENCE = 10, CHANGES_PER_ROW = 100, CHANGES_AT_LEAST = 70000, CLOCK_EVERY = 16 };
/* A diagonal pivot (scaled) below this is singular. */
static const double TOL_SINGULAR = 1e-12;
/* Violations (scaled) below this are rounding errors, not reasons to pivot. */
static const double TOL_FEASIBLE = 1e-12;
/* Residual (scaled) of the equations above which the basis is factorised afresh. */
static const double TOL_DRIFT = 1e-11;

void crn_murty_layout(crn_murty *murty, const crn_job *job, crn_basis *basis, crn_arena *arena)
{
    murty->basis = basis;
    murty->state = CRN_TAKE(arena, unsigned char, job->problem->n);
}

/* The side to which index i must change, or its present state if it is feasible. */
static unsigned char wanted_state(const crn_basis *basis, int i)
{
    const crn_view *view = basis->view;
    if (basis->state[i] != CRN_LCP_BASIC) {
        return basis->sense[i] * basis->w[i] < -TOL_FEASIBLE ? CRN_LCP_BASIC : basis->state[i];
    }
    if (basis->z[i] < view->lower[i] - TOL_FEASIBLE) {
        return CRN_LCP_AT_LOWER;
    }
    return basis->z[i] > view->upper[i] + TOL_FEASIBLE ? CRN_LCP_AT_UPPER : CRN_LCP_BASIC;
}

/* Number of infeasible indices; the first of them in *first, all changes in state. */
static int infeasible(const crn_basis *basis, int *first, unsigned char *state)
{
    int count = 0;
    for (int i = 0; i < basis->n; ++i) {
        state[i] = wanted_state(basis, i);
        if (state[i] != basis->state[i]) {
            *first = count++ == 0 ? i : *first;
        }
    }
    return count;
}

/* Change the side of one index by updating the inverse. */
static bool change_one(crn_basis *basis, int i, unsigned char to)
{
    const double unit = 1.0;
    if (to == CRN_LCP_BASIC) { /* z_i moves until w_i = 0 */
        if (!crn_basis_direction(basis, i, unit) || !(fabs(basis->dw[i]) > TOL_SINGULAR)) {
            return false;
        }
        crn_basis_advance(basis, i, unit, -basis->w[i] / basis->dw[i]);
        crn_basis_exchange(basis, i, unit, crn_w(i), 0);
    } else { /* w_i moves until z_i is at its bound */
        if (!crn_basis_direction(basis, crn_w(i), unit) || !(fabs(basis->rate[basis->col_at[i]]) > TOL_SINGULAR)) {
            return false;
        }
        double bound = crn_job_bound(basis->job, i, to);
        crn_basis_advance(basis, crn_w(i), unit, (bound - basis->z[i]) / basis->rate[basis->col_at[i]]);
        crn_basis_exchange(basis, crn_w(i), unit, i, to);
    }
    return crn_basis_residual(basis) <= TOL_DRIFT || crn_basis_refactor(basis);
}

/* Least-index changes until fewer than `target` indices are infeasible. */
static crn_lcp_outcome change_singly(crn_murty *murty, crn_job *job, int target, int max_changes)
{
    crn_basis *basis = murty->basis;
    int first = 0;
    crn_basis_invert(basis);
    for (int count = infeasible(basis, &first, murty->state); count >= target && count > 0;
         count = infeasible(basis, &first, murty->state)) {
        if (job->result->pivots++ >= max_changes || !crn_job_goes_on(job, CLOCK_EVERY)) {
            return CRN_LCP_LIMIT;
        }
        unsigned char from = basis->state[first];
        if (!change_one(basis, first, murty->state[first])) {
            return CRN_LCP_SINGULAR;
        }
        if (crn_is_traced(job)) {
            crn_trace_change(job, first, from, murty->state[first], count, job->result->pivots - 1);
        }
    }
    return CRN_LCP_SOLVED;
}

/* Tell the caller of all changes from the present basis to the next. */
static void tell_block(const crn_murty *murty, const crn_job *job, int count)
{
    const crn_basis *basis = murty->basis;
    for (int i = 0; i < basis->n; ++i) {
        if (basis->state[i] != murty->state[i]) {
            crn_trace_change(job, i, basis->state[i], murty->state[i], count, job->result->pivots - 1);
        }
    }
}

/* Whole blocks, least index when they do not get fewer [JP94 s2]. */
static crn_lcp_outcome change_blocks(crn_murty *murty, crn_job *job, int max_changes)
{
    crn_basis *basis = murty->basis;
    int first = 0, best = basis->n + 1, patience = BLOCK_PATIENCE;
    for (int count = infeasible(basis, &first, murty->state); count > 0;
         count = infeasible(basis, &first, murty->state)) {
        if (job->result->pivots++ >= max_changes || !crn_job_goes_on(job, 1)) {
            return CRN_LCP_LIMIT;
        }
        patience = count < best ? BLOCK_PATIENCE : patience - 1;
        best = count < best ? count : best;
        if (patience > 0) {
            if (crn_is_traced(job)) {
                tell_block(murty, job, count);
            }
            if (!crn_basis_begin(basis, murty->state)) {
                return CRN_LCP_SINGULAR;
            }
            continue;
        }
        crn_lcp_outcome outcome = change_singly(murty, job, best, max_changes);
        if (outcome != CRN_LCP_SOLVED) {
            return outcome;
        }
        patience = BLOCK_PATIENCE;
    }
    return CRN_LCP_SOLVED;
}

crn_lcp_outcome crn_murty_run(crn_murty *murty, crn_job *job)
{
    crn_basis *basis = murty->basis;
    int n = basis->n < 1000000 ? basis->n : 1000000;
    int max_changes = job->options.max_pivots > 0 ? job->options.max_pivots : CHANGES_PER_ROW * n + CHANGES_AT_LEAST;
    crn_job_start(job, job->options.start != NULL, murty->state);
    crn_lcp_outcome outcome = CRN_LCP_SINGULAR;
    if (crn_basis_begin(basis, murty->state)) {
        if (crn_is_traced(job)) {
            crn_trace_start(job, murty->state);
        }
        outcome = job->options.variant == CRN_LCP_BLOCK ? change_blocks(murty, job, max_changes)
                                                        : change_singly(murty, job, 0, max_changes);
    }
    crn_job_set_point(job, basis->z, basis->state);
    crn_lcp_outcome judged = crn_job_accept(job);
    job->result->refactorizations = basis->refactorizations;
    return outcome == CRN_LCP_SOLVED ? judged : outcome;
}
