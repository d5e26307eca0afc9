/* Coulomb's law by an interior point that changes branches: primal-dual steps down the central path, and pseudo-transient continuation
 * [KK98] where it folds back.
 *
 * At a sigma the points with r_p = 0, r_d = 0 and s o z = sigma e (body_inside.h) may be several, on branches that end in folds, where
 * friction makes the matrix singular: an interior point that wants sigma to fall is held up there, whatever it started from. But where
 * the convex law can be obeyed strictly, every sigma has one with a positive determinant (docs/theory/bodies.md). So where it is held up a lower sigma is kept, and the impulses
 * move by what the law is off by,
 *
 *     delta dz/dtau = sigma z^-1 - s(u(z)),
 *
 * until that is nothing. A step with a proximal term (body_inside.h) is an implicit one of length kappa. A mode with the eigenvalue
 * -lambda is multiplied by 1/(1 - kappa lambda): it grows, as it should, while kappa lambda < 1; beyond that the determinant is negative and
 * steps would lead to an unstable branch, from which no way goes on. All parts of a pile that lose their branch find others at once,
 * where a path (body_path.c) goes through their folds one after the other.
 *
 * Nothing is minimised, so that a crossing need not end; mostly it does, in ten to fifty steps. */
#include "contact/body_descent.h"

#include <math.h>

#include "contact/body_inside.h"
#include "contact/body_steps.h"
#include "math/vec.h"

enum { OFFER_AFTER = 15 };           /* steps of a crossing near the end, after which Newton's method may know better */
static const double FLOOR = 0.1;     /* the gap shall not run ahead of this times r_p, as shares of U */
static const double HELD_UP = 0.1;   /* a step down so short */
static const double MARK_STEP = 0.5; /* a point that such a step led to is near the path */
static const double DROP = 0.3;      /* sigma of a crossing, as a share of where it begins and of the one before */
static const double KAPPA_FOLD = 1e3; /* the first where the determinant is negative; else there is no proximal term */
static const double KAPPA_MOST = 1e9; /* the largest: stands for no proximal term */
static const double KAPPA_UNSTABLE = 0.25;          /* what kappa is multiplied by where the determinant is negative, */
static const double SHORT = 0.2, KAPPA_SHORT = 0.5; /* after a step shorter than that, */
static const double GOOD = 0.5, KAPPA_GOOD = 5.0;   /* one longer than that, */
static const double LONG = 0.9, KAPPA_LONG = 25.0;  /* and than that */

crn_body_descent crn_body_descent_begin(crn_bodies *b, double least)
{
    b->inside = CRN_LAW_COULOMB;
    b->lift_share = 1.0;
    b->is_marked = false;
    crn_inside_start_near(b, least);
    return (crn_body_descent){.sigma = INFINITY, .aim = CRN_INSIDE_AIM};
}

static bool is_stable(const crn_bodies *b)
{
    return crn_block_lu_sign(&b->matrix) > 0;
}

/* --- Across --- */

/* kappa for the step after one of length t. */
static double next_kappa(double kappa, double t)
{
    if (t < SHORT) {
        return KAPPA_SHORT * kappa;
    }
    if (t > LONG) {
        return crn_min(KAPPA_LONG * kappa, KAPPA_MOST);
    }
    return t > GOOD ? crn_min(KAPPA_GOOD * kappa, KAPPA_MOST) : kappa;
}

/* The step of a crossing with the factor at hand. Without a proximal term a long one is the last. */
static double step_across(crn_body_descent *d, crn_bodies *b)
{
    double t = crn_body_step_back(b, d->sigma);
    d->crossed++;
    d->is_crossing = !(t > LONG && b->kappa == INFINITY);
    d->kappa = next_kappa(d->kappa, t);
    return t;
}

/* The same with a fresh factor, whose kappa is small enough to leave unstable branches; 0 if there is none. */
static double cross(crn_body_descent *d, crn_bodies *b, int last)
{
    bool has_factor;
    do {
        b->kappa = d->kappa < KAPPA_MOST ? d->kappa : INFINITY;
        has_factor = crn_inside_factorize(b) && is_stable(b);
        d->kappa *= has_factor ? 1.0 : KAPPA_UNSTABLE;
    } while (!has_factor && b->factorizations < last);
    return has_factor ? step_across(d, b) : 0.0;
}

/* Held up with a mean product `gap`. */
static double begin_crossing(crn_body_descent *d, crn_bodies *b, double gap, bool is_fold)
{
    d->is_crossing = true;
    d->is_offered = false;
    d->crossed = 0;
    d->sigma = DROP * crn_min(gap, d->sigma);
    d->kappa = is_fold ? KAPPA_FOLD : KAPPA_MOST;
    return is_fold ? 0.0 : step_across(d, b);
}

/* --- Down --- */

/* A step down, or if there is none the first across, which is 0 at a fold. */
static double descend(crn_body_descent *d, crn_bodies *b, const crn_inside_progress *now)
{
    double gap = crn_inside_gap(b, 0.0);
    b->kappa = INFINITY;
    if (!crn_inside_factorize(b) || !is_stable(b)) {
        return begin_crossing(d, b, gap, true);
    }
    if (d->step >= MARK_STEP) {
        crn_inside_keep(b, &b->mark);
        b->is_marked = true;
    }
    double least = now->infeasibility > CRN_INSIDE_RESIDUAL ? FLOOR * now->infeasibility * now->unit : 0.0;
    double t = crn_body_step_towards(b, crn_max(crn_body_predict(b), least));
    bool is_rising = d->sigma < INFINITY && crn_inside_gap(b, t) > gap;
    return t < HELD_UP || is_rising ? begin_crossing(d, b, gap, false) : t;
}

/* --- */

/* Is the point worth a trial of Newton's method? */
static bool is_near(crn_body_descent *d, const crn_inside_progress *now)
{
    bool is_low = now->infeasibility < CRN_INSIDE_RESIDUAL && now->gap < d->aim;
    bool is_slow = d->crossed > OFFER_AFTER && !d->is_offered && d->is_crossing && now->gap < CRN_INSIDE_SLOW_GAP;
    d->aim *= is_low ? CRN_INSIDE_AIM_SHARE : 1.0;
    d->is_offered = d->is_offered || is_low || is_slow;
    return is_low || is_slow;
}

bool crn_body_descent_follow(crn_body_descent *d, crn_bodies *b, int most)
{
    int last = b->factorizations + most;
    if (d->is_paused) {
        crn_inside_return(b, &b->from);
        d->is_paused = false;
    }
    while (b->factorizations < last && !d->is_lost) {
        crn_inside_progress now = crn_inside_look(b);
        if (is_near(d, &now)) {
            crn_inside_keep(b, &b->from);
            d->is_paused = true;
            return true;
        }
        bool was_crossing = d->is_crossing;
        double t = was_crossing ? cross(d, b, last) : descend(d, b, &now);
        if (t > 0.0) {
            crn_inside_move(b, t);
            b->iterations++;
            d->step = t;
        }
        bool is_stuck = !(t > 0.0) && was_crossing;
        d->is_lost = is_stuck || !(now.gap > 0.0) || d->aim < CRN_INSIDE_AIM_LEAST;
    }
    return false;
}
