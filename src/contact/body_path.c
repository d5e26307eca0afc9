/* Coulomb's law by following its central path: pseudo-arclength continuation [AG90] on the points of an interior point.
 *
 * The points with r_p = 0, r_d = 0 and s o z = sigma e (body_inside.h) form a curve, smooth for almost all data. Where the convex
 * law is strictly feasible it is bounded; it begins at the one point there is for large sigma, so it has to end where sigma is 0,
 * at a solution. But sigma need not fall along it: where friction makes the matrix singular the curve folds back, and beyond the
 * fold, where the determinant is negative, sigma grows until the next one. An interior point that wants sigma to fall ends at the
 * first fold. This follows the curve, one factorisation a step:
 *
 *     tangent     T   lambda o c = e, no residuals: the change with sigma
 *     curve       Q   lambda o c = -(W^-1 T_s) o (W T_z), and the second-order part of mu |u_t|
 *     correction  N   lambda o c = sigma e - lambda o lambda, with the residuals; N + beta T is orthogonal to T
 *     step        N + (beta -+ L) T + L^2 Q,    sigma += beta -+ L,    minus where the determinant is positive
 *
 * The same with the share of mu |u_t| in the law as the parameter leads from the convex law's path, which is found from anywhere, to
 * Coulomb's at one sigma: T has lambda o c = 0 and mu |u_t| for its residual, and the share grows where the determinant is positive.
 *
 * Lengths are taken where the boundary is 1 away: |W^-1 ds|^2 + |W dz|^2 over sigma, the largest of all contacts. The step is short
 * enough that the correction after it stays below FAR; where it does not, the step is taken back and shortened. Longer steps
 * cut corners, land on another arm of the curve and lose the way: then the argument above is void.
 *
 * docs/theory/bodies.md, section "Through the folds". */
#include "contact/body_path.h"

#include <math.h>
#include <string.h>

#include "contact/body_box.h"
#include "contact/body_inside.h"
#include "contact/body_ipm.h"
#include "contact/body_lorentz.h"
#include "math/vec.h"

enum {
    ALONE_MAX = 40,  /* corrections in a row: the start takes some ten */
    RESUME_MAX = 12, /* the same from a point near the path */
    SLOW_MAX = 20    /* steps in which the gap does not halve, near the end */
};
static const double FAR = 0.4;        /* a correction this long: the curve is not followed */
static const double STEP_FIRST = 0.4; /* lengths of the step along the tangent */
static const double STEP_MOST = 0.8;
static const double STEP_LEAST = 0.01;
static const double CUT = 0.4;    /* after a step that was too long */
static const double GROWTH = 1.4; /* after a correction of at most SHORT FAR */
static const double SHRINK = 0.8; /* after one of more than LONG FAR */
static const double SHORT = 0.3, LONG = 0.7;
static const double CURVE_SHARE = 0.5; /* of the step's length that L^2 Q may have */
static const double FALL_MOST = 0.9;   /* of sigma in a step */
static const double BOUNCE = 0.2;      /* a correction of this share of the step, beyond a corner */
static const double OVER = 1e-3;       /* share of a step to a corner that goes beyond it */
static const double KEPT = 0.9;        /* share of the way to the boundary */
static const double LAP_LEAST = 4.0;   /* length of a loop: shorter are the wiggles of a fold */
static const double LAP_NEAR = 0.3;    /* as near it comes back: 0.01 to 0.25 in piles */
static const double CONVEX_GAP = 3.0;  /* where the convex law's path is left */

typedef crn_body_cone_state cone;

/* --- Directions --- */

static void keep(const crn_bodies *b, crn_body_direction *d)
{
    memcpy(d->v, b->step, (size_t)b->system.dof * sizeof *d->v);
    memcpy(d->w, b->w, (size_t)b->system.length * sizeof *d->w);
    memcpy(d->box, b->box, (size_t)b->system.bounded * sizeof *d->box);
    for (int i = 0; i < b->system.contacts; ++i) {
        memcpy(d->s + 3 * (long)i, b->cone[i].ds, sizeof b->cone[i].ds);
        memcpy(d->z + 3 * (long)i, b->cone[i].dz, sizeof b->cone[i].dz);
    }
}

static double mixed(const double *n, double a, const double *t, double q, const double *c, long i)
{
    return n[i] + a * t[i] + q * c[i];
}

/* The step N + a T + q Q */
static void combine(crn_bodies *b, double a, double q)
{
    const crn_body_direction *n = &b->correction, *t = &b->tangent, *c = &b->curve;
    for (int i = 0; i < b->system.dof; ++i) {
        b->step[i] = mixed(n->v, a, t->v, q, c->v, i);
    }
    for (int i = 0; i < b->system.length; ++i) {
        b->w[i] = mixed(n->w, a, t->w, q, c->w, i);
    }
    for (int i = 0; i < b->system.contacts; ++i) {
        for (int j = 0; j < 3; ++j) {
            b->cone[i].ds[j] = mixed(n->s, a, t->s, q, c->s, 3 * (long)i + j);
            b->cone[i].dz[j] = mixed(n->z, a, t->z, q, c->z, 3 * (long)i + j);
        }
    }
    for (int k = 0; k < b->system.bounded; ++k) {
        b->box[k].dl = n->box[k].dl + a * t->box[k].dl + q * c->box[k].dl;
        b->box[k].dsp = n->box[k].dsp + a * t->box[k].dsp + q * c->box[k].dsp;
        b->box[k].dsq = n->box[k].dsq + a * t->box[k].dsq + q * c->box[k].dsq;
    }
}

/* How the point changes with sigma, or with the share of mu |u_t|. */
static void find_tangent(crn_bodies *b, bool is_lifting)
{
    for (int i = 0; i < b->system.contacts; ++i) {
        const double along[3] = {is_lifting ? 0.0 : b->share[i], 0.0, 0.0};
        crn_arrow_solve(b->cone[i].lambda, along, b->cone[i].c);
        b->cone[i].bow = is_lifting ? b->system.mu[i] * crn_cone_length(b->u + 3 * (long)i + 1) : 0.0;
    }
    crn_body_box_ask(b, is_lifting ? 0.0 : 1.0, false, false);
    crn_inside_solve(b, false);
    keep(b, &b->tangent);
}

/* |u_t| has the second-order part (w_t across u_t)^2 / (2 |u_t|^3); its share changes along with u. */
static double bow_of(const crn_bodies *b, int contact, bool is_lifting)
{
    const double *u = b->u + 3 * (long)contact, *w = b->w + 3 * (long)contact;
    double length = crn_cone_length(u + 1), across = u[1] * w[2] - u[2] * w[1], along = u[1] * w[1] + u[2] * w[2];
    if (!(length > 0.0)) {
        return 0.0;
    }
    double bow = 0.5 * b->lift_share * across * across / (length * length * length);
    return b->system.mu[contact] * (bow + (is_lifting ? along / length : 0.0));
}

/* From the tangent, which is the step at hand. */
static void find_curve(crn_bodies *b, bool is_lifting)
{
    for (int i = 0; i < b->system.contacts; ++i) {
        cone *c = &b->cone[i];
        double s[3], z[3], d[3];
        crn_over_W(c, c->ds, s);
        crn_times_W(c, c->dz, z);
        crn_arrow_times(s, z, d);
        crn_arrow_solve(c->lambda, (const double[3]){-d[0], -d[1], -d[2]}, c->c);
        c->bow = bow_of(b, i, is_lifting);
    }
    crn_body_box_ask(b, 0.0, false, true);
    crn_inside_solve(b, false);
    keep(b, &b->curve);
}

static void find_correction(crn_bodies *b, double sigma)
{
    for (int i = 0; i < b->system.contacts; ++i) {
        cone *c = &b->cone[i];
        double d[3];
        crn_arrow_times(c->lambda, c->lambda, d);
        crn_arrow_solve(c->lambda, (const double[3]){b->share[i] * sigma - d[0], -d[1], -d[2]}, c->c);
    }
    crn_body_box_ask(b, sigma, true, false);
    crn_inside_solve(b, true);
    keep(b, &b->correction);
}

/* --- Lengths --- */

typedef crn_body_path_lengths lengths;

/* A direction's part at contact i where the boundary is 1 away: six numbers. */
static void at_contact(const crn_bodies *b, const crn_body_direction *d, int i, double over, double *x)
{
    crn_over_W(&b->cone[i], d->s + 3 * (long)i, x);
    crn_times_W(&b->cone[i], d->z + 3 * (long)i, x + 3);
    for (int j = 0; j < 6; ++j) {
        x[j] *= over;
    }
}

/* The same for row k with a bound: four numbers, and two that are 0. */
static void at_row(const crn_bodies *b, const crn_body_direction *d, int k, double *x)
{
    const crn_body_box_state *at = &b->box[k], *to = &d->box[k];
    x[0] = to->dl / at->p;
    x[1] = to->dl / at->q;
    x[2] = to->dsp / at->sp;
    x[3] = to->dsq / at->sq;
    x[4] = x[5] = 0.0;
}

static void at_item(const crn_bodies *b, const crn_body_direction *d, int i, double over, double *x)
{
    if (i < b->system.contacts) {
        at_contact(b, d, i, over / sqrt(b->share[i]), x);
    } else {
        at_row(b, d, i - b->system.contacts, x);
    }
}

static lengths measure(const crn_bodies *b, const crn_body_path *at)
{
    double over = 1.0 / sqrt(at->sigma), own = at->is_lifting ? 1.0 : 1.0 / at->sigma; /* the parameter's own part */
    double tt = own * own, nt = 0.0, t[6], q[6], n[6];
    int items = b->system.contacts + b->system.bounded;
    lengths l = {.tangent = own};
    for (int i = 0; i < items; ++i) {
        at_item(b, &b->tangent, i, over, t);
        at_item(b, &b->curve, i, over, q);
        at_item(b, &b->correction, i, over, n);
        double square = crn_dot(6, t, t);
        tt += square;
        nt += crn_dot(6, t, n);
        l.tangent = crn_max(l.tangent, sqrt(square));
        l.curve = crn_max(l.curve, sqrt(crn_dot(6, q, q)));
    }
    l.beta = -nt / tt;
    for (int i = 0; i < items; ++i) {
        at_item(b, &b->tangent, i, over, t);
        at_item(b, &b->correction, i, over, n);
        crn_axpy(6, l.beta, t, n);
        l.correction = crn_max(l.correction, sqrt(crn_dot(6, n, n)));
    }
    return l;
}

/* --- Along the curve --- */

/* How long the next step is to be, by the correction that the last one left. */
static double next_length(const crn_body_path *at, double correction)
{
    if (!at->is_led) {
        return at->length;
    }
    if (correction > LONG * FAR) {
        return SHRINK * at->length;
    }
    return correction < SHORT * FAR ? crn_min(STEP_MOST, GROWTH * at->length) : at->length;
}

/* L of the step, upwards or downwards: 0 while the point is far from the curve. */
static double tangent_share(const crn_body_path *at, const crn_bodies *b, const lengths *l, int sign)
{
    if (l->correction >= FAR) {
        return 0.0;
    }
    double share = at->length / l->tangent;
    share = l->curve * share * share > CURVE_SHARE * at->length ? sqrt(CURVE_SHARE * at->length / l->curve) : share;
    if (!at->is_lifting) {
        return crn_min(share, FALL_MOST * at->sigma);
    }
    return sign > 0 ? crn_min(share, crn_max(0.0, 1.0 - b->lift_share - l->beta)) : share;
}

/* What the parameter is to change by. */
static double parameter_change(const crn_body_path *at, const crn_bodies *b, double beta, double step)
{
    return at->is_lifting ? crn_min(beta + step, 1.0 - b->lift_share) : crn_max(beta - step, -FALL_MOST * at->sigma);
}

/* It has changed, by the share t of that. Coulomb's own path is reached: sigma is the parameter from there. */
static void change_parameter(crn_body_path *at, crn_bodies *b, double change, double t)
{
    if (!at->is_lifting) {
        at->sigma += t * change;
    } else if (t < 1.0 || change < 1.0 - b->lift_share) {
        b->lift_share += t * change;
    } else {
        b->lift_share = 1.0;
        at->is_lifting = at->is_led = false;
        at->length = STEP_FIRST;
    }
}

/* With friction along one direction |u_t| has a corner at 0, and so has the path: the first of a step t, or t. */
static double first_corner(const crn_bodies *b, double t)
{
    for (int i = 0; i < b->system.contacts; ++i) {
        double u = b->u[3 * i + 1], w = b->w[3 * i + 1];
        if (b->system.columns[i] == 2 && u * (u + t * w) < 0.0) {
            t = -u / w;
        }
    }
    return t;
}

/* A step that was too long, or was taken beyond a corner where the path turns: the correction throws that back and forth. */
static bool is_astray(const crn_body_path *at, const lengths *l, int sign)
{
    bool is_turned = at->has_corner && sign != at->sign && l->correction > BOUNCE * at->length;
    return at->is_led && at->length > STEP_LEAST && (l->correction >= FAR || is_turned);
}

/* How far the point kept is from here, as lengths are. */
static double lap_distance(const crn_bodies *b, double sigma)
{
    double far = 0.0;
    for (int i = 0; i < b->system.contacts; ++i) {
        const cone *c = &b->cone[i];
        double s[3], z[3], ds[3], dz[3], over = 1.0 / (b->share[i] * sigma);
        for (int j = 0; j < 3; ++j) {
            ds[j] = b->lap.s[3 * i + j] - c->s[j];
            dz[j] = b->lap.z[3 * i + j] - c->z[j];
        }
        crn_over_W(c, ds, s);
        crn_times_W(c, dz, z);
        far = crn_max(far, over * (crn_dot3(s, s) + crn_dot3(z, z)));
    }
    return sqrt(far);
}

/* At a summit: has the path been here before? One that is taken up on the way may be a loop. Comparing with the last summit whose
 * number is a power of two finds loops of any length [B80]. */
static bool is_back(crn_bodies *b, crn_body_path *at)
{
    bool is_known = at->summits > 0 && at->travelled > LAP_LEAST && lap_distance(b, at->sigma) < LAP_NEAR;
    at->summits++;
    if (!is_known && (at->summits & (at->summits - 1)) == 0) {
        crn_inside_keep(b, &b->lap);
        at->travelled = 0.0;
    }
    return is_known;
}

/* The directions at hand against those of the point kept. */
static void exchange_directions(crn_bodies *b)
{
    crn_body_direction *present[] = {&b->tangent, &b->curve, &b->correction};
    for (int k = 0; k < 3; ++k) {
        crn_body_direction other = b->kept[k];
        b->kept[k] = *present[k];
        *present[k] = other;
    }
}

/* Back to the point kept, whose directions are known. */
static void retreat(crn_bodies *b, crn_body_path *at)
{
    crn_inside_return(b, &b->from);
    exchange_directions(b);
    at->is_known = true;
    at->sigma = at->from_sigma;
    b->lift_share = at->from_lift;
    at->ends_at_corner = at->has_corner; /* the next step is as long, but no longer than to there */
    at->length *= at->has_corner ? 1.0 : CUT;
    at->is_led = false;
}

/* T, Q, N and their lengths at the present point. False if the matrix cannot be factorised. */
static bool find_directions(crn_bodies *b, crn_body_path *at, lengths *l)
{
    if (!crn_inside_factorize(b)) {
        return false;
    }
    exchange_directions(b);
    find_tangent(b, at->is_lifting);
    find_curve(b, at->is_lifting);
    find_correction(b, at->sigma);
    *l = measure(b, at);
    return true;
}

/* The convex law's path is found: from here mu |u_t| comes in. */
static bool begin_lifting(crn_body_path *at, const lengths *l)
{
    bool is_found = at->is_convex && l->correction < FAR;
    at->is_convex = at->is_convex && !is_found;
    at->is_lifting = at->is_lifting || is_found;
    return is_found;
}

/* One step; false if there is none. */
static bool advance(crn_bodies *b, crn_body_path *at)
{
    int sign = at->sign;
    lengths l = at->lengths;
    if (!at->is_known) {
        if (!find_directions(b, at, &l)) {
            return false;
        }
        sign = crn_block_lu_sign(&b->matrix);
        if (is_astray(at, &l, sign)) {
            retreat(b, at);
            return true;
        }
        if (at->sign < 0 && sign > 0 && is_back(b, at)) {
            return false;
        }
        if (begin_lifting(at, &l)) {
            return true;
        }
    }
    at->is_known = false;
    at->lengths = l;
    at->length = next_length(at, l.correction);
    double L = tangent_share(at, b, &l, sign), change = parameter_change(at, b, l.beta, sign * L);
    at->is_led = L > 0.0;
    at->travelled += L * l.tangent;
    at->alone = at->is_led ? 0 : at->alone + 1;
    at->from_sigma = at->sigma;
    at->from_lift = b->lift_share;
    crn_inside_keep(b, &b->from);
    combine(b, change, L * L);
    double way = crn_inside_way(b), t = way * CRN_INSIDE_STEP_SHARE >= 1.0 ? 1.0 : KEPT * way;
    double corner = first_corner(b, t);
    at->has_corner = corner < t && !at->ends_at_corner;
    t = crn_inside_safe_step(b, at->ends_at_corner ? crn_min(t, (1.0 + OVER) * corner) : t);
    at->ends_at_corner = false;
    at->sign = sign;
    crn_inside_move(b, t);
    change_parameter(at, b, change, t);
    b->iterations++;
    return t > 0.0 && at->alone <= at->alone_max;
}

/* Is the point worth a trial of Newton's method? Where the path is slow, near its end, rounding or a plateau [body_coulomb.c]
 * keeps it from going on. */
static bool is_near(crn_body_path *at, const crn_inside_progress *now)
{
    bool is_halved = now->gap < 0.5 * at->gap || now->gap > CRN_INSIDE_SLOW_GAP;
    at->gap = is_halved ? now->gap : at->gap;
    at->slow = is_halved ? 0 : at->slow + 1;
    return !at->is_lifting && (now->gap < at->aim || at->slow > SLOW_MAX);
}

static void pause(crn_body_path *at, crn_bodies *b, double gap)
{
    crn_inside_keep(b, &b->from);
    at->from_sigma = at->sigma;
    at->is_led = at->is_known = false;
    at->is_paused = true;
    at->slow = 0;
    at->aim *= gap < at->aim ? CRN_INSIDE_AIM_SHARE : 1.0;
}

/* A walk from the present point, with so much of mu |u_t|. */
static crn_body_path walk_from(crn_bodies *b, double lift_share, int alone_max)
{
    b->inside = CRN_LAW_COULOMB;
    b->lift_share = lift_share;
    b->kappa = INFINITY;
    crn_inside_forget(b);
    double gap = crn_inside_look(b).gap;
    return (crn_body_path){.sigma = crn_inside_gap(b, 0.0),
                           .is_convex = lift_share == 0.0,
                           .length = STEP_FIRST,
                           .alone_max = alone_max,
                           .gap = INFINITY,
                           .aim = crn_min(CRN_INSIDE_AIM, CRN_INSIDE_AIM_SHARE * gap)};
}

/* 1 for all, or from 1/4 to 4 by lot. */
static void draw_shares(crn_bodies *b, int way)
{
    crn_random random = crn_random_seed((uint64_t)way);
    for (int i = 0; i < b->system.contacts; ++i) {
        b->share[i] = way == 0 ? 1.0 : ldexp(1.0, (int)crn_random_below(&random, 5) - 2);
    }
}

crn_body_path crn_body_path_begin(crn_bodies *b, int way)
{
    crn_ipm_plan inside = {.is_cold = true, .most = CRN_IPM_MOST, .gap = CONVEX_GAP};
    memset(b->r, 0, (size_t)b->system.length * sizeof *b->r);
    (void)crn_body_interior_point(b, &inside);
    draw_shares(b, way);
    return walk_from(b, 0.0, ALONE_MAX);
}

crn_body_path crn_body_path_resume(crn_bodies *b)
{
    crn_inside_return(b, &b->mark);
    draw_shares(b, 0);
    return walk_from(b, 1.0, RESUME_MAX);
}

crn_body_path crn_body_path_begin_far(crn_bodies *b, double share, int way)
{
    b->inside = CRN_LAW_COULOMB;
    b->lift_share = 1.0;
    memset(b->r, 0, (size_t)b->system.length * sizeof *b->r);
    draw_shares(b, way);
    crn_inside_start_cold(b, share);
    return walk_from(b, 1.0, ALONE_MAX);
}

bool crn_body_path_follow(crn_body_path *at, crn_bodies *b, int most)
{
    if (at->is_paused) {
        crn_inside_return(b, &b->from);
        at->is_paused = false;
    }
    for (int k = 0; k < most && !at->is_lost; ++k) {
        crn_inside_progress now = crn_inside_look(b);
        if (!(now.gap > 0.0)) { /* it began outside: where an interior point on the convex law has failed */
            at->is_lost = true;
            return false;
        }
        if (is_near(at, &now)) {
            pause(at, b, now.gap);
            return true;
        }
        at->is_lost = at->aim < CRN_INSIDE_AIM_LEAST || !advance(b, at);
    }
    return false;
}
