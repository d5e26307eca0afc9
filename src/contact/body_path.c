/* Coulomb's law by following its central path: pseudo-arclength continuation [AG90] on the points of an interior point.
 *
 * The points with r_p = 0, r_d = 0 and s o z = sigma e (body_inside.h) form a curve, smooth for almost all data. Where the convex
 * law is strictly feasible it is bounded; it begins at the one point there is for large sigma, so it has to end where sigma is 0,
 * at a solution. But sigma need not fall along it: where friction makes the matrix singular the curve folds back, and beyond the
 * fold, where the determinant is negative, sigma grows until the next one. An interior point that wants sigma to fall ends at the
 * first fold. This follows the curve, one factorisation a step:
 *
 *     tangent     x_1   lambda o c = +-e, no residuals: the change with sigma, downwards where the determinant is positive
 *     further     x_k   lambda o c = -sum of (W^-1 s_j) o (W z_k-j): the law is quadratic in s, z, u and |u_t|, |u_t|^2 = u_t'u_t, so
 *                       that all terms of the expansion have the tangent's matrix
 *     correction  x_0   lambda o c = sigma e - lambda o lambda, with the residuals
 *     step        x += x_0 + a x_1 + a^2 x_2 + ...    sigma likewise; all terms are orthogonal to x_1
 *
 * The same with the share of mu |u_t| in the law as the parameter leads from the convex law's path to Coulomb's at one sigma:
 * x_1 has lambda o c = 0 and mu |u_t| for its residual, and the share grows where the determinant is positive.
 *
 * Lengths are taken where the boundary is 1 away: |W^-1 ds|^2 + |W dz|^2 over sigma, the largest of all contacts. The step ends where
 * the last terms are no longer small; where the correction after it is longer than FAR, it is taken back and shortened. Longer steps
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
    ALONE_MAX = 40,  /* corrections in a row: the start takes some fifteen */
    RESUME_MAX = 12, /* the same from a point near the path */
    SLOW_MAX = 20    /* steps in which the gap does not halve, near the end */
};
static const double FAR = 0.4;        /* a correction this long: the curve is not followed */
static const double REST = 0.1;       /* length that the last terms of the expansion may have at the end of a step */
static const double STEP_FIRST = 0.4; /* lengths of the step along the tangent */
static const double STEP_MOST = 2.0;
static const double STEP_LEAST = 0.01;
static const double CUT = 0.4;    /* after a step that was too long */
static const double GROWTH = 1.4; /* after a correction of at most SHORT FAR */
static const double SHRINK = 0.8; /* after one of more than LONG FAR, and where a step would leave the cones */
static const double SHORT = 0.3, LONG = 0.7;
static const double LIFTED = 1e-3;   /* so near to 1 the share of mu |u_t| is 1 */
static const double FALL_MOST = 0.9; /* of sigma in a step */
static const double BOUNCE = 0.2;    /* a correction of this share of the step, beyond a corner */
static const double OVER = 1e-3;     /* share of a step to a corner that goes beyond it */
static const double KEPT = 0.9;      /* share of the way to the boundary */
static const double AIM_FIRST = 1e-10,
                    AIM_SHARE = 0.03;  /* gap for the first trial of Newton's method, and for the next, as */
static const double AIM_LEAST = 1e-14; /* shares of U's energy; below the last rounding has it */
static const double CONVEX_GAP = 10.0; /* where the convex law's path is left */
static const double SLOW_GAP = 1e-6;   /* below it a path that does not advance is worth one too */

typedef crn_body_cone_state cone;

/* --- Directions --- */

/* d := the step at hand. */
static void keep(const crn_bodies *b, crn_body_direction *d)
{
    memcpy(d->v, b->step, (size_t)b->system.dof * sizeof *d->v);
    memcpy(d->w, b->w, (size_t)b->system.length * sizeof *d->w);
    memcpy(d->box, b->box, (size_t)b->system.bounded * sizeof *d->box);
    for (int i = 0; i < b->system.contacts; ++i) {
        const cone *c = &b->cone[i];
        const double *u = b->u + 3 * (long)i, *w = b->w + 3 * (long)i;
        double length = crn_cone_length(u + 1);
        crn_over_W(c, c->ds, d->s + 3 * (long)i);
        crn_times_W(c, c->dz, d->z + 3 * (long)i);
        d->slip[i] = length > 0.0 ? (u[1] * w[1] + u[2] * w[2]) / length : 0.0;
    }
}

static void add_boxes(const crn_bodies *b, double share, const crn_body_box_state *from, crn_body_box_state *to)
{
    for (int k = 0; k < b->system.bounded; ++k) {
        to[k].dl += share * from[k].dl;
        to[k].dsp += share * from[k].dsp;
        to[k].dsq += share * from[k].dsq;
    }
}

static void scale(const crn_bodies *b, double factor, crn_body_direction *d)
{
    const crn_body_system *s = &b->system;
    double *part[] = {d->v, d->w, d->s, d->z, d->slip};
    const int count[] = {s->dof, s->length, 3 * s->contacts, 3 * s->contacts, s->contacts};
    for (size_t k = 0; k < sizeof part / sizeof *part; ++k) {
        for (int i = 0; i < count[k]; ++i) {
            part[k][i] *= factor;
        }
    }
    for (int k = 0; k < s->bounded; ++k) {
        d->box[k].dl *= factor;
        d->box[k].dsp *= factor;
        d->box[k].dsq *= factor;
    }
}

/* to += share from */
static void add(const crn_bodies *b, double share, const crn_body_direction *from, crn_body_direction *to)
{
    const crn_body_system *s = &b->system;
    crn_axpy(s->dof, share, from->v, to->v);
    crn_axpy(s->length, share, from->w, to->w);
    crn_axpy(3 * s->contacts, share, from->s, to->s);
    crn_axpy(3 * s->contacts, share, from->z, to->z);
    crn_axpy(s->contacts, share, from->slip, to->slip);
    add_boxes(b, share, from->box, to->box);
}

/* How the point changes with sigma, or with the share of mu |u_t|. */
static void find_tangent(crn_bodies *b, bool is_lifting)
{
    const double along[3] = {is_lifting ? 0.0 : 1.0, 0.0, 0.0};
    for (int i = 0; i < b->system.contacts; ++i) {
        crn_arrow_solve(b->cone[i].lambda, along, b->cone[i].c);
        b->cone[i].bow = is_lifting ? b->system.mu[i] * crn_cone_length(b->u + 3 * (long)i + 1) : 0.0;
    }
    crn_body_box_ask(b, along[0], false, false);
    crn_inside_solve(b, false);
    keep(b, &b->term[1]);
}

/* What the terms before this one leave to it at contact i: by products of s and z, by the square of |u_t| (returned: what |u_t| changes
 * by besides), and by its product with the share. */
static double ask_contact(crn_bodies *b, const crn_body_path *path, int order, int i)
{
    const crn_body_direction *x = b->term;
    double sum[3] = {0.0, 0.0, 0.0}, square = 0.0, shared = 0.0, length = crn_cone_length(b->u + 3 * (long)i + 1);
    for (int j = 1; j < order; ++j) {
        const crn_body_direction *p = &x[j], *q = &x[order - j];
        const double *wp = p->w + 3 * (long)i, *wq = q->w + 3 * (long)i;
        double product[3];
        crn_arrow_times(p->s + 3 * (long)i, q->z + 3 * (long)i, product);
        crn_axpy(3, -1.0, product, sum);
        square += wp[1] * wq[1] + wp[2] * wq[2] - p->slip[i] * q->slip[i];
        shared += path->is_lifting ? path->at.rate[j] * q->slip[i] : 0.0;
    }
    double bow = length > 0.0 ? 0.5 * square / length : 0.0;
    crn_arrow_solve(b->cone[i].lambda, sum, b->cone[i].c);
    b->cone[i].bow = b->system.mu[i] * (b->lift_share * bow + shared);
    return bow;
}

static void ask_rows(crn_bodies *b, int order)
{
    const crn_body_direction *x = b->term;
    for (int k = 0; k < b->system.bounded; ++k) {
        b->box[k].cp = b->box[k].cq = 0.0;
        for (int j = 1; j < order; ++j) {
            b->box[k].cp -= x[j].box[k].dl * x[order - j].box[k].dsp;
            b->box[k].cq += x[j].box[k].dl * x[order - j].box[k].dsq;
        }
    }
}

/* The term of that order with the parameter held. */
static void find_term(crn_bodies *b, const crn_body_path *path, int order)
{
    double *bow = b->y;
    for (int i = 0; i < b->system.contacts; ++i) {
        bow[i] = ask_contact(b, path, order, i);
    }
    ask_rows(b, order);
    crn_inside_solve(b, false);
    keep(b, &b->term[order]);
    crn_axpy(b->system.contacts, 1.0, bow, b->term[order].slip);
}

static void find_correction(crn_bodies *b, double sigma)
{
    for (int i = 0; i < b->system.contacts; ++i) {
        cone *c = &b->cone[i];
        double d[3];
        crn_arrow_times(c->lambda, c->lambda, d);
        crn_arrow_solve(c->lambda, (const double[3]){sigma - d[0], -d[1], -d[2]}, c->c);
    }
    crn_body_box_ask(b, sigma, true, false);
    crn_inside_solve(b, true);
    keep(b, &b->term[0]);
}

/* --- Lengths --- */

/* A direction's part at an item where the boundary is 1 away: six numbers; of a row with a bound four, and two that are 0. */
static void at_item(const crn_bodies *b, const crn_body_direction *d, int i, double over, double *x)
{
    if (i < b->system.contacts) {
        for (int j = 0; j < 3; ++j) {
            x[j] = over * d->s[3 * (long)i + j];
            x[3 + j] = over * d->z[3 * (long)i + j];
        }
        return;
    }
    const crn_body_box_state *at = &b->box[i - b->system.contacts], *to = &d->box[i - b->system.contacts];
    x[0] = to->dl / at->p;
    x[1] = to->dl / at->q;
    x[2] = to->dsp / at->sp;
    x[3] = to->dsq / at->sq;
    x[4] = x[5] = 0.0;
}

/* The largest part of a direction at an item, and its product with the tangent. */
static double measure(const crn_bodies *b, double sigma, const crn_body_direction *d, double *product)
{
    double over = 1.0 / sqrt(sigma), largest = 0.0, x[6], t[6];
    *product = 0.0;
    for (int i = 0; i < b->system.contacts + b->system.bounded; ++i) {
        at_item(b, d, i, over, x);
        at_item(b, &b->term[1], i, over, t);
        *product += crn_dot(6, x, t);
        largest = crn_max(largest, crn_dot(6, x, x));
    }
    return sqrt(largest);
}

/* --- The expansion --- */

/* Make the tangent 1 long, in the direction of the path; its square. */
static double straighten(crn_bodies *b, crn_body_path *path)
{
    double own = path->is_lifting ? 1.0 : 1.0 / path->sigma, square; /* own: the parameter's part */
    double length = crn_max(own, measure(b, path->sigma, &b->term[1], &square));
    double rate = (path->is_lifting ? path->at.sign : -path->at.sign) / length;
    scale(b, rate, &b->term[1]);
    path->at.rate[1] = rate;
    path->at.length[1] = 1.0;
    return (square + own * own) * rate * rate;
}

/* Make a term, found with the parameter held, orthogonal to the tangent, whose square is given. */
static void orthogonalise(crn_bodies *b, crn_body_path *path, int order, double square)
{
    double product;
    (void)measure(b, path->sigma, &b->term[order], &product);
    add(b, -product / square, &b->term[1], &b->term[order]);
    path->at.rate[order] = -product / square * path->at.rate[1];
    path->at.length[order] = measure(b, path->sigma, &b->term[order], &product);
}

/* Far from the convex law's path it is looked for with mu |u_t| held: without it there is one point for a sigma, and it is found. On
 * Coulomb's own path sigma may fall meanwhile: held, it takes a third more steps from where an interior point ended. */
static void hold_parameter(crn_bodies *b, crn_body_path *path)
{
    add(b, -path->at.rate[0] / path->at.rate[1], &b->term[1], &b->term[0]);
    path->at.rate[0] = 0.0;
}

static void exchange_terms(crn_bodies *b)
{
    for (int k = 0; k <= CRN_PATH_ORDER; ++k) {
        crn_body_direction other = b->kept[k];
        b->kept[k] = b->term[k];
        b->term[k] = other;
    }
}

/* All terms at the present point; far from the curve correction and tangent only. False if the matrix cannot be factorised. */
static bool expand(crn_bodies *b, crn_body_path *path)
{
    if (!crn_inside_factorize(b)) {
        return false;
    }
    path->at.sign = crn_block_lu_sign(&b->matrix);
    exchange_terms(b);
    find_tangent(b, path->is_lifting);
    double square = straighten(b, path);
    find_correction(b, path->sigma);
    orthogonalise(b, path, 0, square);
    bool is_far = path->at.length[0] >= FAR;
    if (is_far && path->is_lifting) {
        hold_parameter(b, path);
    }
    for (int k = 2; k <= CRN_PATH_ORDER && !is_far; ++k) {
        find_term(b, path, k);
        orthogonalise(b, path, k, square);
    }
    return true;
}

/* How far it may be followed: to where its last terms are small. */
static double reach(const crn_body_path *path)
{
    double a = path->most;
    for (int k = CRN_PATH_ORDER - 1; k <= CRN_PATH_ORDER; ++k) {
        a = crn_min(a, pow(REST / path->at.length[k], 1.0 / k));
    }
    return a;
}

/* s of the step at hand by the law itself, with that share of mu |u_t| after it: r_p will be 0. */
static void follow_law(crn_bodies *b, double share)
{
    for (int i = 0; i < b->system.contacts; ++i) {
        cone *c = &b->cone[i];
        const double *w = b->w + 3 * (long)i, *u = b->u + 3 * (long)i;
        double mu = b->system.mu[i], t[2] = {u[1] + w[1], u[2] + w[2]};
        double more = share * crn_cone_length(t) - b->lift_share * crn_cone_length(u + 1);
        c->ds[0] = w[0] + mu * more + c->rp[0];
        c->ds[1] = mu * w[1] + c->rp[1];
        c->ds[2] = mu * w[2] + c->rp[2];
    }
}

/* The step to the point `a` of the path, 0: the correction alone. What the parameter changes by. */
static double combine(crn_bodies *b, const crn_body_path *path, double a)
{
    const crn_body_system *s = &b->system;
    double change = 0.0, power = 1.0, *scaled = b->p;
    memset(b->step, 0, (size_t)s->dof * sizeof *b->step);
    memset(b->w, 0, (size_t)s->length * sizeof *b->w);
    memset(scaled, 0, 3 * (size_t)s->contacts * sizeof *scaled);
    crn_body_box_forget(b);
    for (int k = 0; k <= CRN_PATH_ORDER && power > 0.0; ++k, power *= a) {
        const crn_body_direction *x = &b->term[k];
        change += power * path->at.rate[k];
        crn_axpy(s->dof, power, x->v, b->step);
        crn_axpy(s->length, power, x->w, b->w);
        crn_axpy(3 * s->contacts, power, x->z, scaled);
        add_boxes(b, power, x->box, b->box);
    }
    for (int i = 0; i < s->contacts; ++i) {
        crn_over_W(&b->cone[i], scaled + 3 * (long)i, b->cone[i].dz);
        crn_times_W(&b->cone[i], b->term[0].s + 3 * (long)i, b->cone[i].ds);
    }
    if (a > 0.0) {
        follow_law(b, b->lift_share + (path->is_lifting ? change : 0.0));
    }
    return change;
}

/* --- Along the curve --- */

/* How much the parameter may change: to 1, or by the largest part of sigma. */
static bool is_allowed(const crn_body_path *path, const crn_bodies *b, double change)
{
    return path->is_lifting ? b->lift_share + change <= 1.0 : change >= -FALL_MOST * path->sigma;
}

/* It has changed. Where Coulomb's own path is reached sigma is the parameter from there. */
static void change_parameter(crn_body_path *path, crn_bodies *b, double change)
{
    if (!path->is_lifting) {
        path->sigma += change;
    } else if (b->lift_share + change < 1.0 - LIFTED) {
        b->lift_share += change;
    } else {
        b->lift_share = 1.0;
        path->is_lifting = path->is_led = false;
        path->most = STEP_FIRST;
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
static bool is_astray(const crn_body_path *path)
{
    double correction = path->at.length[0];
    bool is_turned = path->has_corner && path->at.sign != path->from.sign && correction > BOUNCE * path->step;
    return path->is_led && path->step > STEP_LEAST && (correction >= FAR || is_turned);
}

/* Back to the point kept, whose expansion is known. */
static void retreat(crn_bodies *b, crn_body_path *path)
{
    crn_inside_return(b);
    exchange_terms(b);
    path->at = path->from;
    path->is_known = true;
    path->sigma = path->from_sigma;
    b->lift_share = path->from_lift;
    path->ends_at_corner = path->has_corner; /* the next step is as long, but no longer than to there */
    path->most = path->has_corner ? path->most : CUT * path->step;
    path->is_led = false;
}

/* How long the next step may be, by the correction that the last one left. */
static void steer(crn_body_path *path)
{
    double correction = path->at.length[0];
    if (path->is_led && correction < SHORT * FAR) {
        path->most = crn_min(STEP_MOST, GROWTH * path->most);
    } else if (path->is_led && correction > LONG * FAR) {
        path->most *= SHRINK;
    }
}

/* Back towards the path. */
static bool correct(crn_bodies *b, crn_body_path *path)
{
    double change = combine(b, path, 0.0), way = crn_inside_way(b);
    double t = crn_inside_safe_step(b, way * CRN_INSIDE_STEP_SHARE >= 1.0 ? 1.0 : KEPT * way);
    change = crn_max(change, -FALL_MOST * path->sigma);
    path->has_corner = path->ends_at_corner = false;
    crn_inside_move(b, t, true);
    change_parameter(path, b, t * change);
    return t > 0.0 && ++path->alone <= path->alone_max;
}

/* Along the path, as far as it may be and stays inside. */
static bool go_on(crn_bodies *b, crn_body_path *path)
{
    double a = reach(path), change = combine(b, path, a);
    while (!(is_allowed(path, b, change) && crn_inside_way(b) * CRN_INSIDE_STEP_SHARE >= 1.0) && a > STEP_LEAST * FAR) {
        a *= SHRINK;
        change = combine(b, path, a);
    }
    double corner = first_corner(b, 1.0);
    path->has_corner = corner < 1.0 && !path->ends_at_corner;
    if (path->ends_at_corner && corner < 1.0) {
        a *= (1.0 + OVER) * corner;
        change = combine(b, path, a);
    }
    path->ends_at_corner = false;
    path->alone = 0;
    path->step = a;
    if (crn_inside_safe_step(b, 1.0) < 1.0) {
        return false;
    }
    crn_inside_move(b, 1.0, false);
    change_parameter(path, b, change);
    return true;
}

/* One step; false if there is none. */
static bool advance(crn_bodies *b, crn_body_path *path)
{
    if (!path->is_known) {
        if (!expand(b, path)) {
            return false;
        }
        if (is_astray(path)) {
            retreat(b, path);
            return true;
        }
        steer(path);
    }
    path->is_known = false;
    path->is_led = path->at.length[0] < FAR;
    path->from = path->at;
    path->from_sigma = path->sigma;
    path->from_lift = b->lift_share;
    crn_inside_hold(b);
    b->iterations++;
    return path->is_led ? go_on(b, path) : correct(b, path);
}

/* Is the point worth a trial of Newton's method? Where the path is slow, near its end, rounding or a plateau [body_coulomb.c]
 * keeps it from going on. */
static bool is_near(crn_body_path *path, const crn_inside_progress *now)
{
    bool is_halved = now->gap < 0.5 * path->gap || now->gap > SLOW_GAP;
    path->gap = is_halved ? now->gap : path->gap;
    path->slow = is_halved ? 0 : path->slow + 1;
    return !path->is_lifting && (now->gap < path->aim || path->slow > SLOW_MAX);
}

static void pause(crn_body_path *path, crn_bodies *b, double gap)
{
    crn_inside_hold(b);
    path->from_sigma = path->sigma;
    path->is_led = path->is_known = false;
    path->is_paused = true;
    path->slow = 0;
    path->aim *= gap < path->aim ? AIM_SHARE : 1.0;
}

/* A walk from the present point. */
static crn_body_path walk_from(crn_bodies *b, double lift_share, int alone_max)
{
    b->inside = CRN_LAW_COULOMB;
    b->lift_share = lift_share;
    crn_inside_forget(b);
    double gap = crn_inside_look(b).gap;
    return (crn_body_path){.sigma = crn_inside_gap(b, 0.0),
                           .is_lifting = lift_share < 1.0,
                           .most = STEP_FIRST,
                           .alone_max = alone_max,
                           .gap = INFINITY,
                           .aim = crn_min(AIM_FIRST, AIM_SHARE * gap)};
}

crn_body_path crn_body_path_begin(crn_bodies *b, double share)
{
    b->inside = CRN_LAW_COULOMB;
    b->lift_share = 1.0;
    memset(b->r, 0, (size_t)b->system.length * sizeof *b->r);
    crn_inside_start_cold(b, share);
    return walk_from(b, 1.0, ALONE_MAX);
}

crn_body_path crn_body_path_resume(crn_bodies *b)
{
    crn_inside_return(b);
    return walk_from(b, 1.0, RESUME_MAX);
}

crn_body_path crn_body_path_begin_convex(crn_bodies *b)
{
    crn_ipm_plan inside = {
        .law = CRN_LAW_CONVEX, .is_cold = true, .speed = 1.0, .most = CRN_IPM_MOST, .gap = CONVEX_GAP};
    memset(b->r, 0, (size_t)b->system.length * sizeof *b->r);
    (void)crn_body_interior_point(b, &inside);
    return walk_from(b, 0.0, ALONE_MAX);
}

bool crn_body_path_follow(crn_body_path *path, crn_bodies *b, int most)
{
    if (path->is_paused) {
        crn_inside_return(b);
        path->is_paused = false;
    }
    for (int k = 0; k < most && !path->is_lost; ++k) {
        crn_inside_progress now = crn_inside_look(b);
        if (is_near(path, &now)) {
            pause(path, b, now.gap);
            return true;
        }
        path->is_lost = path->aim < AIM_LEAST || !advance(b, path);
    }
    return false;
}
