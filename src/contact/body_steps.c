/* Predictor, corrector and corrections towards the centre  [M92], [G96]: see body_steps.h. */
#include "contact/body_steps.h"

#include <math.h>
#include <string.h>

#include "contact/body_box.h"
#include "contact/body_inside.h"
#include "contact/body_lorentz.h"
#include "math/vec.h"

enum { CENTRES_MAX = 3 };
static const double CENTRE_COST =
    40.0; /* mean height of a panel that buys one correction: factor over solve is about it */
static const double CENTRE_LOW = 0.1, CENTRE_HIGH = 10.0;      /* products may be so many times their target */
static const double CENTRE_ENOUGH = 0.9;                       /* a step this long needs none */
static const double CENTRE_MORE = 0.3;                         /* look so much farther than the possible step ... */
static const double CENTRE_GAIN = 0.1;                         /* ... and go on if this share of it was gained */
static const double STEP_SHARE_LATE = 0.9999, STEP_LATE = 0.9; /* the share where what is possible exceeds STEP_LATE */
static const double BACK_SHARE = 0.95; /* of the way to the boundary, for a step back to the path */

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

/* Products s o z of that size; of second order: with what the step at hand adds to them. */
static void corrector(crn_bodies *b, double target, bool is_second_order)
{
    for (int i = 0; i < b->system.contacts; ++i) {
        cone *c = &b->cone[i];
        double s[3], z[3], second[3] = {0.0, 0.0, 0.0}, d[3];
        if (is_second_order) {
            crn_over_W(c, c->ds, s);
            crn_times_W(c, c->dz, z);
            crn_arrow_times(s, z, second);
        }
        crn_arrow_times(c->lambda, c->lambda, d);
        for (int j = 0; j < 3; ++j) {
            d[j] = (j == 0 ? target : 0.0) - d[j] - second[j];
        }
        crn_arrow_solve(c->lambda, d, c->c);
    }
    crn_body_box_ask(b, target, true, is_second_order);
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

double crn_body_predict(crn_bodies *b)
{
    predictor(b);
    double gap = crn_inside_gap(b, 0.0), share = crn_inside_gap(b, crn_min(1.0, crn_inside_way(b))) / gap;
    share = crn_min(crn_max(share, 0.0), 1.0);
    return share * share * share * gap;
}

double crn_body_step_towards(crn_bodies *b, double target)
{
    corrector(b, target, true);
    double t = CRN_INSIDE_STEP_SHARE * lengthen(b, target);
    t = crn_min(t > STEP_LATE ? t / CRN_INSIDE_STEP_SHARE * STEP_SHARE_LATE : t, 1.0);
    return crn_inside_safe_step(b, t);
}

double crn_body_step_back(crn_bodies *b, double target)
{
    corrector(b, target, false);
    return crn_inside_safe_step(b, crn_min(1.0, BACK_SHARE * lengthen(b, target)));
}
