/* Mehrotra's predictor and corrector for monotone M  [W97 ch. 8], then a crossover to a basis.
 *
 *     w = M z + q,   w = v - t,   a = z - l,  b = u - z,   v a = t b = mu   with mu going to 0
 *
 * Only finite bounds have a pair. One factorisation of M + diag(v/a + t/b) an iteration serves both solves. Where M is
 * monotone that matrix is positive definite, so that factors exist without exchanges; rows without bounds get a proximal
 * term, which the refinement of each solve takes out again.
 *
 * Departs from the book: steps end where the smallest product would fall below CENTRAL of the mean, and where the corrected
 * step is short the plain one with sigma = 1/2 is taken: without these two, problems of 10^4 and 10^5 unknowns diverged.
 *
 * Crossover: F = {a > v and b > t}, the others at their bounds, z_F -= (M_FF + eps I)^-1 (M z + q)_F a few times: the proximal
 * point method, which converges for monotone M also where M_FF is singular. */
#include "lcp/interior.h"

#include "math/vec.h"

#include <math.h>
#include <string.h>

enum { ITERATIONS = 80, REFINEMENTS = 2, PROXIMAL_STEPS = 3, SIDE_CHANGES = 5, SHORTER = 40 };
/* Share of the way to the boundary; least product, relative to the mean, and by what a step is made shorter until that holds; a step
 * that is too short for the corrector, and sigma of the direction that is taken instead. */
static const double BOUNDARY = 0.995, CENTRAL = 1e-5, SHORTEN = 0.9, SHORT_STEP = 0.2, CENTRING = 0.5;
/* Proximal term (scaled). Eliminating a singular block of M leaves 1/PROXIMAL in a Schur complement, whose rounding must not
 * swallow the next pivot, which may be PROXIMAL: about the root of the rounding unit. With 1e-10 a QP of order 10^4 lost a
 * pivot. */
static const double PROXIMAL = 1e-8;
/* A direction whose equations hold to this, relative to their right-hand side, is not refined. */
static const double FINE_DIRECTION = 1e-8;
/* Violations (scaled) below this are rounding errors, not reasons to change sides. */
static const double TOL_FEASIBLE = 1e-12;
/* mu (scaled) from which on a crossover is tried, what it must have fallen to for another, and at which all is said. */
static const double TRY_CROSSOVER = 1e-6, TRY_AGAIN = 1e-2, LEAST_MU = 1e-24;

void crn_interior_layout(crn_interior *interior, const crn_job *job, crn_arena *arena)
{
    const int n = job->problem->n;
    crn_lcp_factor_layout(&interior->factor, job, arena);
    interior->sides = job->problem->upper != NULL ? 2 : 1;
    for (int s = 0; s < interior->sides; ++s) {
        crn_interior_side *side = &interior->side[s];
        side->sign = s == 0 ? 1.0 : -1.0;
        side->gap = CRN_TAKE(arena, double, n);
        side->dual = CRN_TAKE(arena, double, n);
        side->move = CRN_TAKE(arena, double, n);
    }
    interior->z = CRN_TAKE(arena, double, n);
    interior->chosen = CRN_TAKE(arena, unsigned char, n);
    if (job->w != NULL) { /* not counting */
        interior->right = job->ray;
        interior->shift = job->view.work + n; /* the first n are scratch of each function */
        interior->dz = job->view.work + 2 * (size_t)n;
    }
}

/* What turns a product gap * dual into scaled units. */
static double product_unit(const crn_view *view, int i)
{
    return view->r[i] / (view->c[i] * view->s * view->s);
}

/* The proximal term in the caller's units. */
static double proximal(const crn_view *view, int i)
{
    return PROXIMAL / (view->r[i] * view->c[i]);
}

/* y = M x */
static void multiply(const crn_view *view, const double *x, double *y)
{
    memset(y, 0, (size_t)view->n * sizeof *y);
    for (int j = 0; j < view->n; ++j) {
        if (x[j] != 0.0) {
            crn_sparse_axpy(&view->columns, j, x[j], y);
        }
    }
}

/* w = M z + q */
static void compute_w(const crn_interior *ip, crn_job *job)
{
    multiply(&job->view, ip->z, job->w);
    crn_axpy(job->view.n, 1.0, job->problem->q, job->w);
}

/* --- start and measures --- */

/* Inside each bound by one unit (scaled), by as much as the bound is away from 0, or by half the width of a narrow box;
 * multipliers of one unit. */
static void begin(crn_interior *ip, crn_job *job)
{
    const crn_lcp_problem *p = job->problem;
    const crn_view *view = &job->view;
    ip->pairs = 0;
    for (int i = 0; i < p->n; ++i) {
        const double l = crn_lower_bound(p, i), u = crn_upper_bound(p, i);
        const double z_unit = view->c[i] * view->s, w_unit = view->s / view->r[i];
        const double far = crn_max(isfinite(l) ? fabs(l) : 0.0, isfinite(u) ? fabs(u) : 0.0);
        const double room = crn_min(crn_max(z_unit, far), 0.5 * (u - l));
        ip->z[i] = isfinite(l) ? l + room : 0.0;
        ip->z[i] = isfinite(u) && !isfinite(l) ? u - room : ip->z[i];
        ip->side[0].gap[i] = isfinite(l) && l < u ? ip->z[i] - l : 0.0;
        if (ip->sides == 2) {
            ip->side[1].gap[i] = isfinite(u) && l < u ? u - ip->z[i] : 0.0;
        }
        for (int s = 0; s < ip->sides; ++s) {
            const bool is_pair = ip->side[s].gap[i] > 0.0;
            ip->side[s].dual[i] = is_pair ? w_unit : 0.0;
            ip->side[s].move[i] = 0.0;
            ip->pairs += is_pair;
        }
    }
    compute_w(ip, job);
}

/* Mean product in scaled units after a step of length `step` along the moves. */
static double mean_product(const crn_interior *ip, const crn_view *view, double step, double *least)
{
    const int n = view->n;
    double sum = 0.0;
    *least = INFINITY;
    for (int s = 0; s < ip->sides; ++s) {
        const crn_interior_side *side = &ip->side[s];
        for (int i = 0; i < n; ++i) {
            if (side->gap[i] > 0.0) {
                double product = (side->gap[i] + step * side->sign * ip->dz[i]) *
                                 (side->dual[i] + step * side->move[i]) * product_unit(view, i);
                sum += product;
                *least = crn_min(*least, product);
            }
        }
    }
    return ip->pairs > 0 ? sum / ip->pairs : 0.0;
}

/* --- directions --- */

/* Factorise M + diag(v/a + t/b), with the proximal term. Variables with l = u stay where they are: chosen is 0 there. */
static bool factorise(crn_interior *ip, crn_job *job)
{
    const crn_view *view = &job->view;
    for (int i = 0; i < view->n; ++i) {
        ip->chosen[i] = view->lower[i] < view->upper[i];
        ip->shift[i] = proximal(view, i);
        for (int s = 0; s < ip->sides; ++s) {
            ip->shift[i] += ip->side[s].gap[i] > 0.0 ? ip->side[s].dual[i] / ip->side[s].gap[i] : 0.0;
        }
    }
    return crn_lcp_factorise(&ip->factor, job, ip->chosen, ip->shift);
}

/* What the solution dz leaves of the right-hand side, without the proximal term, into `rest`; relative to that side (scaled). */
static double direction_rest(const crn_interior *ip, const crn_view *view, double *rest)
{
    double most = 0.0, left = 0.0;
    multiply(view, ip->dz, rest);
    for (int i = 0; i < view->n; ++i) {
        const double shift = ip->shift[i] - proximal(view, i);
        rest[i] = ip->right[i] - rest[i] - shift * ip->dz[i];
        if (ip->chosen[i]) {
            most = crn_max(most, fabs(ip->right[i]) * view->r[i]);
            left = crn_max(left, fabs(rest[i]) * view->r[i]);
        }
    }
    return left / most;
}

/* dz from the right-hand side, refined against the matrix without the proximal term. */
static void solve_direction(crn_interior *ip, crn_job *job)
{
    const int n = job->view.n;
    double *rest = job->view.work;
    memset(ip->dz, 0, (size_t)n * sizeof *ip->dz);
    memcpy(rest, ip->right, (size_t)n * sizeof *rest);
    for (int t = 0; t <= REFINEMENTS; ++t) {
        crn_sparse_factor_solve(&ip->factor.sparse, rest);
        for (int i = 0; i < n; ++i) {
            ip->dz[i] += ip->chosen[i] ? rest[i] : 0.0;
        }
        if (t == REFINEMENTS || direction_rest(ip, &job->view, rest) <= FINE_DIRECTION) {
            return;
        }
    }
}

/* The direction towards products `target` (scaled), less the second-order products in `move` if is_corrector. */
static void find_direction(crn_interior *ip, crn_job *job, double target, bool is_corrector)
{
    const int n = job->view.n;
    for (int i = 0; i < n; ++i) {
        ip->right[i] = -job->w[i];
        for (int s = 0; s < ip->sides; ++s) {
            const crn_interior_side *side = &ip->side[s];
            if (side->gap[i] > 0.0) {
                double aim = target / product_unit(&job->view, i) - (is_corrector ? side->move[i] : 0.0);
                ip->right[i] += side->sign * aim / side->gap[i];
            }
        }
    }
    solve_direction(ip, job);
    for (int s = 0; s < ip->sides; ++s) {
        crn_interior_side *side = &ip->side[s];
        for (int i = 0; i < n; ++i) {
            if (side->gap[i] > 0.0) {
                double aim = target / product_unit(&job->view, i) - (is_corrector ? side->move[i] : 0.0);
                side->move[i] = (aim - side->dual[i] * side->sign * ip->dz[i]) / side->gap[i] - side->dual[i];
            }
        }
    }
}

/* The longest step, at most 1, that keeps all gaps and multipliers positive. */
static double longest_step(const crn_interior *ip, int n)
{
    double step = 1.0 / BOUNDARY;
    for (int s = 0; s < ip->sides; ++s) {
        const crn_interior_side *side = &ip->side[s];
        for (int i = 0; i < n; ++i) {
            if (side->gap[i] > 0.0) {
                double gap_move = side->sign * ip->dz[i];
                step = gap_move < 0.0 ? crn_min(step, -side->gap[i] / gap_move) : step;
                step = side->move[i] < 0.0 ? crn_min(step, -side->dual[i] / side->move[i]) : step;
            }
        }
    }
    return BOUNDARY * step;
}

/* The same, shortened until no product lags far behind the mean. */
static double central_step(const crn_interior *ip, const crn_view *view)
{
    double step = longest_step(ip, view->n), least;
    for (int t = 0; t < SHORTER && CENTRAL * mean_product(ip, view, step, &least) > least; ++t) {
        step *= SHORTEN;
    }
    return step;
}

/* Predictor, corrector, or the plain direction if that does not lead far. */
static double choose_direction(crn_interior *ip, crn_job *job, double mu)
{
    const crn_view *view = &job->view;
    const int n = view->n;
    double least;
    find_direction(ip, job, 0.0, false);
    double ratio = mean_product(ip, view, longest_step(ip, n), &least) / mu;
    for (int s = 0; s < ip->sides; ++s) {
        for (int i = 0; i < n; ++i) { /* what the linear model leaves out of each product */
            ip->side[s].move[i] *= ip->side[s].sign * ip->dz[i];
        }
    }
    find_direction(ip, job, crn_min(ratio * ratio * ratio, 1.0) * mu, true);
    double step = central_step(ip, view);
    if (step < SHORT_STEP) {
        find_direction(ip, job, CENTRING * mu, false);
        step = central_step(ip, view);
    }
    return step;
}

static void advance(crn_interior *ip, crn_job *job, double step)
{
    const crn_lcp_problem *p = job->problem;
    const int n = p->n;
    crn_axpy(n, step, ip->dz, ip->z);
    for (int s = 0; s < ip->sides; ++s) {
        crn_interior_side *side = &ip->side[s];
        for (int i = 0; i < n; ++i) {
            if (side->gap[i] > 0.0) {
                side->gap[i] += step * side->sign * ip->dz[i];
                side->dual[i] += step * side->move[i];
            }
        }
    }
    compute_w(ip, job);
}

/* --- crossover --- */

/* Sides by which of gap and multiplier is larger, in scaled units. */
static void choose_sides(crn_interior *ip, const crn_job *job)
{
    const crn_view *view = &job->view;
    for (int i = 0; i < view->n; ++i) {
        const double per_dual = view->r[i] * view->c[i];
        bool is_lower = ip->side[0].gap[i] <= ip->side[0].dual[i] * per_dual && isfinite(view->lower[i]);
        bool is_upper = ip->sides == 2 && ip->side[1].gap[i] <= ip->side[1].dual[i] * per_dual;
        job->basis[i] = is_upper && isfinite(view->upper[i]) ? CRN_LCP_AT_UPPER : CRN_LCP_BASIC;
        job->basis[i] = is_lower ? CRN_LCP_AT_LOWER : job->basis[i];
        ip->chosen[i] = job->basis[i] == CRN_LCP_BASIC;
        ip->shift[i] = proximal(view, i);
    }
}

/* The side to which index i should change, given its value and w (scaled), or its present one. */
static unsigned char wanted_side(const crn_view *view, unsigned char side, int i, double z, double w)
{
    if (side == CRN_LCP_BASIC) {
        if (z < view->lower[i] - TOL_FEASIBLE) {
            return CRN_LCP_AT_LOWER;
        }
        return z > view->upper[i] + TOL_FEASIBLE ? CRN_LCP_AT_UPPER : CRN_LCP_BASIC;
    }
    const double wrong = side == CRN_LCP_AT_UPPER ? w : -w;
    return wrong > TOL_FEASIBLE && view->lower[i] < view->upper[i] ? CRN_LCP_BASIC : side;
}

/* Change the sides that the last proximal step, to `z` (scaled), shows to be wrong; returns how many. */
static int change_sides(crn_interior *ip, const crn_job *job, const double *z)
{
    const crn_view *view = &job->view;
    int changes = 0;
    for (int i = 0; i < view->n; ++i) {
        const double w = job->w[i] * view->r[i] / view->s;
        const unsigned char side = wanted_side(view, job->basis[i], i, z[i], w);
        changes += side != job->basis[i];
        job->basis[i] = side;
        ip->chosen[i] = side == CRN_LCP_BASIC;
    }
    return changes;
}

/* Proximal steps on the basic variables; each is judged. The last point before it was put between its bounds stays in the
 * view's scratch. */
static crn_lcp_outcome proximal_steps(crn_interior *ip, crn_job *job)
{
    const crn_view *view = &job->view;
    double *d = view->work;
    for (int t = 0; t < PROXIMAL_STEPS; ++t) {
        if (crn_job_accept(job) == CRN_LCP_SOLVED) {
            return CRN_LCP_SOLVED;
        }
        memcpy(d, job->w, (size_t)view->n * sizeof *d);
        crn_sparse_factor_solve(&ip->factor.sparse, d);
        for (int i = 0; i < view->n; ++i) {
            d[i] = (job->z[i] - (ip->chosen[i] ? d[i] : 0.0)) / (view->c[i] * view->s);
        }
        crn_job_set_point(job, d, job->basis);
    }
    return crn_job_accept(job);
}

/* From the interior point to a basis: sides by size, proximal steps, and sides that these show to be wrong are changed while
 * that makes them fewer. */
static crn_lcp_outcome cross_over(crn_interior *ip, crn_job *job)
{
    const crn_view *view = &job->view;
    double *d = view->work;
    int wrong = view->n + 1;
    choose_sides(ip, job);
    for (int i = 0; i < view->n; ++i) {
        d[i] = ip->z[i] / (view->c[i] * view->s);
    }
    for (int round = 0; round < SIDE_CHANGES; ++round) {
        crn_job_set_point(job, d, job->basis);
        if (!crn_lcp_factorise(&ip->factor, job, ip->chosen, ip->shift)) {
            break;
        }
        if (proximal_steps(ip, job) == CRN_LCP_SOLVED) {
            return CRN_LCP_SOLVED;
        }
        const int changes = change_sides(ip, job, d);
        if (changes == 0 || changes >= wrong) {
            break;
        }
        wrong = changes;
    }
    return crn_job_accept(job);
}

crn_lcp_outcome crn_interior_run(crn_interior *ip, crn_job *job)
{
    const int most = job->options.max_pivots > 0 ? job->options.max_pivots : ITERATIONS;
    double least, tried = TRY_CROSSOVER;
    if (!crn_lcp_factor_open(&ip->factor, job)) {
        return CRN_LCP_LIMIT;
    }
    begin(ip, job);
    while (job->result->pivots < most && crn_job_goes_on(job, 1)) {
        memset(ip->dz, 0, (size_t)job->view.n * sizeof *ip->dz);
        const double mu = mean_product(ip, &job->view, 0.0, &least);
        if (mu <= tried) {
            if (cross_over(ip, job) == CRN_LCP_SOLVED) {
                return CRN_LCP_SOLVED;
            }
            tried = TRY_AGAIN * mu;
            compute_w(ip, job);
        }
        if (mu <= LEAST_MU || !isfinite(mu)) {
            break;
        }
        ++job->result->pivots;
        if (!factorise(ip, job)) {
            return CRN_LCP_SINGULAR;
        }
        advance(ip, job, choose_direction(ip, job, mu));
    }
    return job->is_stopped || job->result->pivots >= most ? CRN_LCP_LIMIT : CRN_LCP_STALLED;
}
