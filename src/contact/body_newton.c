/* Proximal semi-smooth Newton for the convex law [HA03 eq. 2.10]: K* contains u_i, orthogonal to r_i in K.
 *
 * Given r, minimise the strictly convex and once differentiable
 *
 *     phi(v) = |v - k|^2/2 + sum |Proj_K(y_i)|^2/(2 rho_i),   y_i = r_i - rho_i (X_i'v + offset_i),   rho_i = kappa/delta_i
 *     gradient = v - k - sum X_i Proj_K(y_i),                 H = I + sum rho_i X_i P_i X_i'
 *
 * and set r := Proj_K(y). This is the proximal point method on r [R76]: it converges for every kappa, keeps r near the
 * impulses it started from, and with all contacts sticking it is one linear solve. A bilateral row is an item with P = 1;
 * with a bound it is projected onto that, and P = 0 outside.
 *
 *     inner loop   Newton on phi; phi'(t) is monotone and costs one pass over the contacts, so the step length is found by
 *                  regula falsi; usually it is 1
 *     outer loop   r := p, kappa grows up to where rounding in u would spoil r; when the certificate falls slowly,
 *                  Anderson's combination of the last impulses is tried and kept if it certifies better
 *
 * Invariant at the top of the outer loop: v and u belong to r. */
#include "contact/body_newton.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "contact/body_check.h"
#include "contact/friction_cone.h"
#include "math/vec.h"

enum {
    INNER_MAX = 30,     /* Newton steps per outer iteration */
    OUTER_MAX = 200,    /* outer iterations; without factorisations they are cheap */
    CAP_STEP = 3,       /* binary orders */
    STALE_MAX = 12,     /* outer iterations without a certificate at most STALE_SHARE of the best */
    STALE_ACCEPTED = 2, /* the same where the best would do */
    SEARCH_MAX = 40
};
static const double STALE_SHARE = 0.7;
static const double SLOW_SHARE = 0.2;      /* a certificate that falls less than fivefold is slow: Anderson */
static const double SLOPE_SHARE = 0.1;     /* step length: |phi'(t)| at most this share of |phi'(0)| */
static const double INNER_AIM = 0.2;       /* inner problems are solved to this share of the aim ... */
static const double INNER_SHARE = 0.01;    /* ... and no better than this share of the last certificate: a waste */
static const double KAPPA_ROUNDING = 0.05; /* share of the aim that rounding in r may cost */

/* Pieces that are told apart by whether H changes: see piece_of(). */
enum { PLANE_RIM_UP = CRN_CONE_RIM + 1, PLANE_RIM_DOWN };

void crn_body_set_rho(crn_bodies *b, double kappa)
{
    for (int i = 0; i < b->system.contacts + b->system.rows; ++i) {
        b->rho[i] = kappa / b->system.delta[i];
    }
}

double crn_body_kappa_cap(const crn_bodies *b, double aim)
{
    double speed =
        crn_max(crn_body_speed(&b->system, b->v), aim * b->scale); /* at rest even large penalties round little */
    double cap = KAPPA_ROUNDING * aim * b->scale / (DBL_EPSILON * speed);
    int exponent;
    (void)frexp(crn_min(crn_max(cap, CRN_KAPPA_CAP_LEAST), CRN_KAPPA_CAP_MOST), &exponent);
    return ldexp(1.0, exponent - exponent % CAP_STEP); /* in coarse steps: another kappa is another factor */
}

/* On the rim of a plane cone the derivative depends on the side only. */
static unsigned char piece_of(const crn_body_system *s, int c, crn_cone_piece piece, const double *y)
{
    if (piece == CRN_CONE_RIM && s->columns[c] < 3) {
        return y[1] >= 0.0 ? PLANE_RIM_UP : PLANE_RIM_DOWN;
    }
    return (unsigned char)piece;
}

void crn_body_evaluate_rows(crn_bodies *b)
{
    const crn_body_system *s = &b->system;
    for (int c = 0; c < s->rows; ++c) {
        int i = 3 * s->contacts + c;
        b->y[i] = b->r[i] - b->rho[s->contacts + c] * b->u[i];
        b->piece[s->contacts + c] = crn_row_clip(s->bound[c], b->y[i], &b->p[i]);
    }
}

void crn_body_weigh_rows(crn_bodies *b)
{
    const crn_body_system *s = &b->system;
    for (int c = 0; c < s->rows; ++c) {
        b->weight[c] = b->piece[s->contacts + c] ? b->rho[s->contacts + c] : 0.0;
    }
}

void crn_body_evaluate(crn_bodies *b)
{
    const crn_body_system *s = &b->system;
    for (int c = 0; c < s->contacts; ++c) {
        const double *r = b->r + 3 * (long)c, *u = b->u + 3 * (long)c;
        double *y = b->y + 3 * (long)c, rho = b->rho[c];
        for (int j = 0; j < 3; ++j) {
            y[j] = r[j] - rho * u[j];
        }
        b->piece[c] = piece_of(s, c, crn_cone_project(s->mu[c], y, b->p + 3 * (long)c), y);
    }
    crn_body_evaluate_rows(b);
    crn_body_push(s, s->k, b->p, b->gradient);
    for (int l = 0; l < s->dof; ++l) {
        b->gradient[l] = b->v[l] - b->gradient[l];
    }
}

static bool is_factor_valid(const crn_bodies *b, double kappa)
{
    if (b->factor_kappa != kappa) {
        return false;
    }
    for (int c = 0; c < b->system.contacts; ++c) {
        if (b->piece[c] != b->factor_piece[c] || b->piece[c] == CRN_CONE_RIM) {
            return false;
        }
    }
    int first = b->system.contacts;
    return b->system.bounded == 0 || memcmp(b->piece + first, b->factor_piece + first, (size_t)b->system.rows) == 0;
}

bool crn_body_factorize(crn_bodies *b, double kappa)
{
    const crn_body_system *s = &b->system;
    for (int c = 0; c < s->contacts; ++c) {
        crn_cone_piece piece = b->piece[c] > CRN_CONE_RIM ? CRN_CONE_RIM : (crn_cone_piece)b->piece[c];
        crn_cone_derivative(s->mu[c], b->rho[c], piece, b->y + 3 * (long)c, b->p + 3 * (long)c, b->A + 6 * (long)c);
    }
    crn_body_weigh_rows(b);
    crn_body_assemble(s, b->A, b->weight, &b->matrix);
    memcpy(b->factor_piece, b->piece, (size_t)(s->contacts + s->rows) * sizeof *b->piece);
    b->factorizations++;
    bool is_definite = crn_block_cholesky(&b->matrix);
    b->factor_kappa = is_definite ? kappa : 0.0;
    return is_definite;
}

/* --- Step length --- */

double crn_body_slope(const crn_bodies *b, double t)
{
    const crn_body_system *s = &b->system;
    double slope = 0.0;
    for (int l = 0; l < s->dof; ++l) {
        slope += (b->v[l] - s->k[l] + t * b->step[l]) * b->step[l];
    }
    for (int c = 0; c < s->contacts; ++c) {
        const double *y = b->y + 3 * (long)c, *w = b->w + 3 * (long)c;
        double a = t * b->rho[c], at[3] = {y[0] - a * w[0], y[1] - a * w[1], y[2] - a * w[2]}, p[3];
        if (crn_cone_project(s->mu[c], at, p) != CRN_CONE_OPEN) {
            slope -= p[0] * w[0] + p[1] * w[1] + p[2] * w[2];
        }
    }
    for (int c = 0; c < s->rows; ++c) {
        int i = 3 * s->contacts + c;
        double p;
        (void)crn_row_clip(s->bound[c], b->y[i] - t * b->rho[s->contacts + c] * b->w[i], &p);
        slope -= p * b->w[i];
    }
    return slope;
}

/* A t with |phi'(t)| <= SLOPE_SHARE |phi'(0)|; 0 if the step does not descend. */
static double step_length(const crn_bodies *b)
{
    double low = 0.0, high = 1.0, at_low = crn_dot(b->system.dof, b->gradient, b->step), enough = -SLOPE_SHARE * at_low;
    double at_high = crn_body_slope(b, high);
    if (!(at_low < 0.0) || !isfinite(at_high)) {
        return 0.0;
    }
    int tries = 0;
    while (at_high < -enough && ++tries < SEARCH_MAX) { /* still falling: go on */
        low = high;
        at_low = at_high;
        high *= 2.0;
        at_high = crn_body_slope(b, high);
    }
    double t = high, at = at_high;
    for (; fabs(at) > enough && tries < SEARCH_MAX; ++tries) { /* Illinois: halve the value at an end that stays */
        t = low - at_low * (high - low) / (at_high - at_low);
        at = crn_body_slope(b, t);
        if (at < 0.0) {
            low = t;
            at_low = at;
            at_high *= 0.5;
        } else {
            high = t;
            at_high = at;
            at_low *= 0.5;
        }
    }
    return t;
}

/* --- Inner and outer loop --- */

/* Minimise phi to |gradient| <= stop, as a speed. False if factorisations run out or nothing moves any more. */
static bool minimise(crn_bodies *b, double kappa, double stop, int last_factorization)
{
    const crn_body_system *s = &b->system;
    crn_body_evaluate(b);
    for (int inner = 0; crn_body_speed(s, b->gradient) > stop; ++inner) {
        if (inner == INNER_MAX) {
            return false;
        }
        if (!is_factor_valid(b, kappa) && (b->factorizations >= last_factorization || !crn_body_factorize(b, kappa))) {
            return false;
        }
        for (int l = 0; l < s->dof; ++l) {
            b->step[l] = -b->gradient[l];
        }
        crn_block_cholesky_solve(&b->matrix, b->step);
        crn_body_slip(s, b->step, NULL, b->w);
        double t = step_length(b);
        b->iterations++;
        if (t == 0.0) {
            return false;
        }
        crn_axpy(s->dof, t, b->step, b->v);
        crn_axpy(s->length, t, b->w, b->u);
        crn_body_evaluate(b);
    }
    return true;
}

/* Try Anderson's combination; keep it if it certifies better than `certificate`. */
static double accelerate(crn_bodies *b, double certificate)
{
    const crn_body_system *s = &b->system;
    size_t items = (size_t)s->length * sizeof *b->r, velocities = (size_t)s->dof * sizeof *b->v;
    for (int c = 0; c < s->contacts; ++c) {
        b->w[3 * c] = b->w[3 * c + 1] = b->w[3 * c + 2] = s->delta[c];
    }
    for (int c = 0; c < s->rows; ++c) {
        b->w[3 * s->contacts + c] = s->delta[s->contacts + c];
    }
    if (!crn_anderson_combine(&b->anderson, b->w, b->y)) {
        return certificate;
    }
    crn_body_project(b, b->y);
    memcpy(b->held, b->r, items);
    memcpy(b->p, b->u, items); /* p is done with: it is r now */
    memcpy(b->held_v, b->v, velocities);
    memcpy(b->r, b->y, items);
    double better = crn_body_check(b, CRN_LAW_CONVEX, b->offset);
    if (better < certificate) {
        return better;
    }
    memcpy(b->r, b->held, items);
    memcpy(b->u, b->p, items);
    memcpy(b->v, b->held_v, velocities);
    return certificate;
}

/* r := p, noting the step; returns the new certificate. */
static double advance(crn_bodies *b, double last)
{
    crn_anderson_note(&b->anderson, b->r, b->p);
    for (int i = 0; i < b->system.length; ++i) {
        b->ray[i] = b->p[i] - b->r[i];
        b->r[i] = b->p[i];
    }
    double certificate = crn_body_check(b, CRN_LAW_CONVEX, b->offset);
    return certificate > SLOW_SHARE * last ? accelerate(b, certificate) : certificate;
}

double crn_body_newton(crn_bodies *b, const crn_newton_plan *plan)
{
    size_t items = (size_t)b->system.length * sizeof *b->r;
    double last = plan->start > 0.0 ? plan->start : crn_body_check(b, CRN_LAW_CONVEX, b->offset);
    double best = last, mark = last, kappa = plan->kappa;
    int limit = b->factorizations + plan->max_factorizations, stale = 0;
    memcpy(b->best, b->r, items);
    crn_anderson_reset(&b->anderson);
    for (int outer = 0; outer < OUTER_MAX && last > plan->aim; ++outer) {
        double stop = crn_max(INNER_AIM * plan->aim, INNER_SHARE * last) * b->scale;
        kappa = crn_min(kappa, crn_body_kappa_cap(b, plan->accept));
        crn_body_set_rho(b, kappa);
        bool is_minimum = minimise(b, kappa, stop, limit);
        last = advance(b, last);
        if (last < best) {
            best = last;
            memcpy(b->best, b->r, items);
        }
        stale = last <= STALE_SHARE * mark ? 0 : stale + 1;
        mark = crn_min(last, mark);
        if (!is_minimum || stale >= (best <= plan->accept ? STALE_ACCEPTED : STALE_MAX)) {
            break;
        }
        kappa *= CRN_KAPPA_GROWTH;
    }
    memcpy(b->r, b->best, items);
    return best;
}
