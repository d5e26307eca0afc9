/* Projected SOR  [C71], [CPS92 s5.2]: sweep over the variables, each time
 *
 *     z_i := clamp(z_i - omega w_i / A_ii, l_i, u_i),   w := w + A(:,i) (change of z_i)
 *
 * Converges for symmetric positive definite and for diagonally dominant A; on contact problems it creeps. Columns are
 * what is stored, so w is kept up to date instead of being summed by rows; it is computed afresh now and then. */
#include "lcp/pgs.h"

#include "math/vec.h"

#include <math.h>
#include <string.h>

enum { MAX_SWEEPS = 10000, REFRESH_EVERY = 64, MAX_TARGETS = 3 };
/* As one of several methods to try (job->attempts > 0) sweeps go on only while each GAIN_EVERY of them lower the residual to
 * LEAST_GAIN: what they do not solve in about a hundred, another method does faster. */
enum { GAIN_EVERY = 10 };
static const double LEAST_GAIN = 0.1;
/* Sweeps go on to this fraction of the tolerance: they leave an error in every row, also in those that are small in the
 * scaled problem and large in the caller's units. If the judge is not content, to LOWER times less, up to MAX_TARGETS
 * times; if sweeps run out before, the judge decides. */
static const double TARGET = 1e-4, LOWER = 0.1;
/* A residual that has grown by this factor will not come back. */
static const double GROWTH = 1e8;

void crn_pgs_layout(crn_pgs *pgs, const crn_job *job, crn_arena *arena)
{
    const int n = job->problem->n;
    pgs->z = CRN_TAKE(arena, double, n);
    pgs->w = CRN_TAKE(arena, double, n);
    pgs->before = CRN_TAKE(arena, double, n);
    pgs->diagonal = CRN_TAKE(arena, double, n);
    pgs->state = CRN_TAKE(arena, unsigned char, n);
}

/* w += A(:,j) a, in the scaled problem. */
static void add_column(const crn_view *view, int j, double a, double *w)
{
    const crn_lcp_problem *p = view->problem;
    const double f = a * view->c[j];
    if (view->is_sparse) {
        for (int e = view->columns.start[j]; e < view->columns.start[j + 1]; ++e) {
            int i = view->columns.index[e];
            w[i] += f * view->columns.value[e] * view->r[i];
        }
    } else {
        const double *column = p->M + (long)j * p->ld;
        for (int i = 0; i < view->n; ++i) {
            w[i] += f * column[i] * view->r[i];
        }
    }
}

static void compute_w(crn_pgs *pgs, const crn_view *view)
{
    memcpy(pgs->w, view->q, (size_t)view->n * sizeof *pgs->w);
    for (int j = 0; j < view->n; ++j) {
        if (pgs->z[j] != 0.0) {
            add_column(view, j, pgs->z[j], pgs->w);
        }
    }
}

/* Largest entry of the natural map. */
static double residual(const crn_pgs *pgs, const crn_view *view)
{
    double worst = 0.0;
    for (int i = 0; i < view->n; ++i) {
        double z = pgs->z[i];
        worst = crn_max(fabs(crn_max(z - view->upper[i], crn_min(z - view->lower[i], pgs->w[i]))), worst);
    }
    return worst * (view->s / view->scale);
}

static void sweep(crn_pgs *pgs, const crn_view *view, double omega)
{
    for (int i = 0; i < view->n; ++i) {
        double next = crn_clamp(pgs->z[i] - omega * pgs->w[i] / pgs->diagonal[i], view->lower[i], view->upper[i]);
        if (next != pgs->z[i]) {
            add_column(view, i, next - pgs->z[i], pgs->w);
            pgs->z[i] = next;
        }
    }
}

/* Start: 0 clamped to the bounds, or the bounds named by a warm start. False if a diagonal entry is not positive. */
static bool begin(crn_pgs *pgs, const crn_job *job)
{
    const crn_view *view = &job->view;
    for (int i = 0; i < view->n; ++i) {
        bool is_at_upper = job->options.start != NULL && job->options.start[i] == CRN_LCP_AT_UPPER;
        pgs->z[i] =
            crn_clamp(is_at_upper && isfinite(view->upper[i]) ? view->upper[i] : 0.0, view->lower[i], view->upper[i]);
        pgs->diagonal[i] = crn_view_entry(view, i, i);
        if (!(pgs->diagonal[i] > 0.0)) {
            return false;
        }
    }
    compute_w(pgs, view);
    return true;
}

static void set_point(crn_pgs *pgs, crn_job *job)
{
    const crn_view *view = &job->view;
    for (int i = 0; i < view->n; ++i) {
        pgs->state[i] = crn_state_of(pgs->z[i], view->lower[i], view->upper[i]);
    }
    crn_job_set_point(job, pgs->z, pgs->state);
}

/* Sweep until the residual is at most `target`, the sweeps run out, gain too little or the iteration diverges; returns the
 * residual. */
static double converge(crn_pgs *pgs, crn_job *job, int max_sweeps, double target)
{
    const crn_view *view = &job->view;
    int *sweeps = &job->result->pivots;
    double left = residual(pgs, view), earlier = INFINITY;
    const double hopeless = GROWTH * (1.0 + left);
    while (*sweeps < max_sweeps && left > target && crn_job_goes_on(job, 1)) {
        if (job->attempts > 0 && *sweeps % GAIN_EVERY == 0) {
            if (left > LEAST_GAIN * earlier) {
                break;
            }
            earlier = left;
        }
        memcpy(pgs->before, pgs->z, (size_t)view->n * sizeof *pgs->z);
        sweep(pgs, view, job->options.relaxation);
        if (*sweeps % REFRESH_EVERY == REFRESH_EVERY - 1) {
            compute_w(pgs, view);
        }
        left = residual(pgs, view);
        if (job->history != NULL && *sweeps < job->history_size) {
            job->history[*sweeps] = left;
        }
        ++*sweeps;
        if (!(left < hopeless)) { /* diverging: keep the last point of a sensible size */
            memcpy(pgs->z, pgs->before, (size_t)view->n * sizeof *pgs->z);
            return INFINITY;
        }
    }
    return left;
}

crn_lcp_outcome crn_pgs_run(crn_pgs *pgs, crn_job *job)
{
    const int max_sweeps = job->options.max_pivots > 0 ? job->options.max_pivots : MAX_SWEEPS;
    if (!begin(pgs, job)) {
        (void)crn_job_accept(job);
        return CRN_LCP_SINGULAR;
    }
    /* The judge takes small rows at their own size, which would cost a sweep to follow: if it is not content with what
     * the residual says, the target is lowered. */
    double target = TARGET * job->options.tol;
    for (int round = 0; round < MAX_TARGETS; ++round, target *= LOWER) {
        double left = converge(pgs, job, max_sweeps, target);
        set_point(pgs, job);
        if (crn_job_accept(job) == CRN_LCP_SOLVED) {
            return CRN_LCP_SOLVED;
        }
        if (left > target) {
            break;
        }
    }
    return job->is_stopped || job->result->pivots >= max_sweeps ? CRN_LCP_LIMIT : CRN_LCP_STALLED;
}
