/* Primal-dual interior point with Nesterov and Todd's scaling and Mehrotra's predictor and corrector  [NT97], [M92].
 *
 * At a point inside (body_inside.h)
 *
 *     predictor c = -lambda;   corrector: lambda o c = sigma m e - lambda o lambda - (W^-1 ds_a) o (W dz_a)
 *
 * Where a factorisation costs many times what a solve does, the corrector is followed by up to CENTRES_MAX corrections
 * towards the centre [G96]: at a step longer than the one that is possible, products s o z that are too small or too large
 * against their mean are asked to come back.
 *
 * Far along, W spreads over more decades than the arithmetic has, and Cholesky breaks down; so the method hands over when
 * it is near, when it no longer advances, or at the first pivot that is not positive. */
#include "contact/body_ipm.h"

#include <math.h>
#include <string.h>

#include "contact/body_box.h"
#include "contact/body_inside.h"
#include "contact/body_lorentz.h"
#include "math/vec.h"

enum { WINDOW = 4, WINDOW_EXACT = 8, CENTRES_MAX = 3 };
static const double CENTRE_COST =
    40.0; /* mean height of a panel that buys one correction: factor over solve is about it */
static const double CENTRE_LOW = 0.1, CENTRE_HIGH = 10.0; /* products may be so many times their target */
static const double CENTRE_ENOUGH = 0.9;                  /* a step this long needs none */
static const double CENTRE_MORE = 0.3;                    /* look so much farther than the possible step ... */
static const double CENTRE_GAIN = 0.1;                    /* ... and go on if this share of it was gained */
static const double NEAR_RESIDUAL = 1e-6;                 /* hand over when residuals are below this share of U ... */
static const double NEAR_GAP = 1e-10; /* ... and mean s'z times inverse mass below this share of U^2 */
static const double SLOW_SHARE =
    0.5; /* no crn_inside_progress: gap and residuals above this share of those WINDOW iterations ago */
static const double STEP_SHARE_LATE = 0.9999, STEP_LATE = 0.9; /* the share where what is possible exceeds STEP_LATE */
static const double FLOOR = 0.1;      /* Coulomb's law: the gap shall not run ahead of this times r_p, as shares of U */
static const double SHORT_STEP = 0.1; /* Coulomb's law: instead of such a step ... */
static const double MARK_STEP =
    0.5; /* Coulomb's law: a point that such a step led to may be gone on from by the path, ... */
static const double MARK_END = 0.3; /* ... the last one before a step shorter than this */
static const double RECENTRE = 2.0; /* ... one that aims at so many times the present gap */

typedef crn_body_cone_state cone;

static void predictor(crn_bodies *b)
{
    for (int i = 0; i < b->system.contacts; ++i) {
        cone *c = &b->cone[i];
        for (int j = 0; j < 3; ++j) {
            c->c[j] = -c->lambda[j];
        }
    }
    crn_body_box_ask(b, 0.0, true, false);
    crn_inside_solve(b, true);
}

static void corrector(crn_bodies *b, double target)
{
    for (int i = 0; i < b->system.contacts; ++i) {
        cone *c = &b->cone[i];
        double s[3], z[3], second[3], d[3];
        crn_over_W(c, c->ds, s);
        crn_times_W(c, c->dz, z);
        crn_arrow_times(s, z, second);
        crn_arrow_times(c->lambda, c->lambda, d);
        for (int j = 0; j < 3; ++j) {
            d[j] = (j == 0 ? target : 0.0) - d[j] - second[j];
        }
        crn_arrow_solve(c->lambda, d, c->c);
    }
    crn_body_box_ask(b, target, true, true);
    crn_inside_solve(b, true);
}

/* How much a product with this spectral value shall change. */
static double recentred(double value, double target)
{
    double low = CENTRE_LOW * target, high = CENTRE_HIGH * target;
    return value < low ? low - value : value > high ? crn_max(high - value, -high) : 0.0;
}

/* Add to c what brings the products at step t towards the target; the old c goes to y. */
static void centre(crn_bodies *b, double t, double target)
{
    for (int i = 0; i < b->system.contacts; ++i) {
        cone *c = &b->cone[i];
        double s[3], z[3], product[3], change[3], more[3];
        crn_over_W(c, c->ds, s);
        crn_times_W(c, c->dz, z);
        for (int j = 0; j < 3; ++j) {
            s[j] = c->lambda[j] + t * s[j];
            z[j] = c->lambda[j] + t * z[j];
        }
        crn_arrow_times(s, z, product);
        double length = crn_cone_length(product + 1), inverse = length > 0.0 ? 1.0 / length : 0.0;
        double first = recentred(product[0] + length, target), second = recentred(product[0] - length, target);
        change[0] = 0.5 * (first + second);
        change[1] = 0.5 * (first - second) * product[1] * inverse;
        change[2] = 0.5 * (first - second) * product[2] * inverse;
        crn_arrow_solve(c->lambda, change, more);
        for (int j = 0; j < 3; ++j) {
            b->y[3 * i + j] = c->c[j];
            c->c[j] += more[j];
        }
    }
    crn_inside_solve(b, true);
}

static void take_back_centre(crn_bodies *b)
{
    for (int i = 0; i < b->system.contacts; ++i) {
        memcpy(b->cone[i].c, b->y + 3 * (long)i, sizeof b->cone[i].c);
    }
    crn_inside_solve(b, true);
}

/* Corrections that a factorisation's cost allows. */
static int centres_allowed(const crn_bodies *b)
{
    const crn_block_pattern *p = &b->system.pattern;
    double height = p->dim > 0 ? (double)crn_block_values_count(p) / p->dim : 0.0;
    return (int)crn_min(height / CENTRE_COST, CENTRES_MAX);
}

/* Lengthen the step by corrections towards the centre, while they do; the way to the boundary. */
static double lengthen(crn_bodies *b, double target)
{
    double t = crn_inside_way(b), possible = crn_min(1.0, CRN_INSIDE_STEP_SHARE * t);
    for (int left = centres_allowed(b); left > 0 && possible < CENTRE_ENOUGH; --left) {
        double farther = crn_min(1.0, possible + crn_max(CENTRE_MORE, 0.5 * possible));
        centre(b, farther, target);
        double now = crn_inside_way(b);
        if (now < t) {
            take_back_centre(b);
            return t;
        }
        t = now;
        bool has_gained = CRN_INSIDE_STEP_SHARE * t >= possible + CENTRE_GAIN * (farther - possible);
        possible = crn_min(1.0, CRN_INSIDE_STEP_SHARE * t);
        left = has_gained ? left : 0;
    }
    return t;
}

/* The step that aims at products of that size, with the second-order part of the step at hand. */
static double step_towards(crn_bodies *b, double target)
{
    corrector(b, target);
    double t = CRN_INSIDE_STEP_SHARE * lengthen(b, target);
    t = crn_min(t > STEP_LATE ? t / CRN_INSIDE_STEP_SHARE * STEP_SHARE_LATE : t, 1.0);
    return crn_inside_safe_step(b, t);
}

/* Predictor, corrector, corrections towards the centre; how far the step may go. With Coulomb's law the matrix may be nearly
 * singular, which is where the path folds back, and the step short: then away from the boundary. */
static double find_step(crn_bodies *b, const crn_inside_progress *now)
{
    predictor(b);
    double gap = crn_inside_gap(b, 0.0), share = crn_inside_gap(b, crn_min(1.0, crn_inside_way(b))) / gap;
    share = crn_min(crn_max(share, 0.0), 1.0);
    double target = share * share * share * gap;
    if (b->inside == CRN_LAW_CONVEX) {
        return step_towards(b, target);
    }
    target = crn_max(target, now->infeasibility > NEAR_RESIDUAL ? FLOOR * now->infeasibility * now->unit : 0.0);
    double t = step_towards(b, target);
    if (t < SHORT_STEP) {
        crn_inside_forget(b);
        t = step_towards(b, RECENTRE * gap);
    }
    return t;
}

/* Where the path can be taken up if the interior point is held up by a fold: well inside, on the side of the determinant on which
 * the path begins. `last` is the step that led to the present point, `next` the one found there. */
static void mark(crn_bodies *b, double last, double next, bool *is_held_up)
{
    if (last >= MARK_STEP && next > 0.0 && !*is_held_up && crn_block_lu_sign(&b->matrix) > 0) {
        crn_inside_hold(b);
        b->is_marked = true;
    }
    *is_held_up = *is_held_up || (b->is_marked && next < MARK_END);
}

/* The end: where Newton's method does not lead on from it the path may. */
static void mark_end(crn_bodies *b)
{
    if (b->inside == CRN_LAW_COULOMB) {
        crn_inside_hold(b);
        b->is_marked = true;
    }
}

/* The step's length, 0 if the matrix cannot be factorised or the step has none: the point stays. */
static double iterate(crn_bodies *b, const crn_inside_progress *now, double last, bool *is_held_up)
{
    double t = crn_inside_factorize(b) ? find_step(b, now) : 0.0;
    if (b->inside == CRN_LAW_COULOMB) {
        mark(b, last, t, is_held_up);
    }
    if (!(t > 0.0)) {
        return 0.0;
    }
    crn_inside_move(b, t);
    b->iterations++;
    return t;
}

/* Has it come where it should? r_d grows by rounding late, which Coulomb's law does not mind. */
static bool is_there(const crn_ipm_plan *plan, const crn_inside_progress *now)
{
    double residual = plan->law == CRN_LAW_COULOMB ? now->infeasibility : now->residual;
    return plan->gap > 0.0 ? residual < plan->gap && now->gap < plan->gap
                           : residual < NEAR_RESIDUAL && now->gap < NEAR_GAP;
}

/* Too little progress since then. On Coulomb's law residuals fall while it is held up. */
static bool is_slow(const crn_ipm_plan *plan, const crn_inside_progress *now, const crn_inside_progress *then)
{
    bool has_gained = now->gap < SLOW_SHARE * then->gap;
    return !has_gained && (plan->law == CRN_LAW_COULOMB || !(now->residual < SLOW_SHARE * then->residual));
}

bool crn_body_interior_point(crn_bodies *b, const crn_ipm_plan *plan)
{
    int window = plan->law == CRN_LAW_COULOMB ? WINDOW_EXACT : WINDOW;
    b->inside = plan->law;
    b->lift_share = 1.0;
    b->is_marked = false;
    if (plan->is_cold) {
        crn_inside_start_cold(b, 1.0);
    } else {
        crn_inside_start_near(b, plan->least);
    }
    crn_inside_progress past[WINDOW_EXACT];
    bool is_held_up = false;
    double step = 0.0;
    for (int k = 0; k < plan->most; ++k) {
        crn_inside_progress now = crn_inside_look(b), *then = &past[k % window];
        if (is_there(plan, &now)) {
            mark_end(b);
            return true;
        }
        if (k >= window && is_slow(plan, &now, then)) {
            return true;
        }
        *then = now;
        step = iterate(b, &now, step, &is_held_up);
        if (!(step > 0.0)) {
            return k > 0;
        }
    }
    return true;
}
