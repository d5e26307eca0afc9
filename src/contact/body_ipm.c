/* Primal-dual interior point with Nesterov and Todd's scaling and Mehrotra's predictor and corrector  [NT97], [M92].
 *
 * With D = diag(1, mu, mu): s = D u and z, where r = D z, both lie in the Lorentz cone (also for mu = 0), and
 *
 *     r_d = v - k - X D z - B l = 0,    r_p = D (X'v + offset) - s = 0,    s'z = 0.
 *
 * Scaling, with J = diag(1, -1, -1), s- = s/sqrt(s'Js), z- likewise, g = sqrt((1 + s-'z-)/2):
 *
 *     w = (s- + J z-)/(2 g),  eta^2 = sqrt(s'Js / z'Jz),  W = eta [w0, w1'; w1, I + w1 w1'/(1 + w0)],  W z = W^-1 s = lambda
 *     W^-2 = eta^-2 (2 (Jw)(Jw)' - J)
 *
 *     (I + sum X D W^-2 D X') dv = -r_d + sum X D (W^-1 c - W^-2 r_p)
 *     ds = D X'dv + r_p,   dz = W^-1 c - W^-2 ds
 *     predictor c = -lambda;   corrector: lambda o c = sigma m e - lambda o lambda - (W^-1 ds_a) o (W dz_a)
 *
 * Coulomb's law has s = D u + mu |u_t| e_n, so that ds = E X'dv + r_p with E = D + mu e_n (0, u_t/|u_t|)', the matrix is
 * I + sum X D W^-2 E X' and needs LU. |u_t| is convex: what it exceeds its tangent by after a step is added to s_n, which keeps s in
 * the cone and lets r_p fall as if it were linear.
 *
 * Where a factorisation costs many times what a solve does, the corrector is followed by up to CENTRES_MAX corrections
 * towards the centre [G96]: at a step longer than the one that is possible, products s o z that are too small or too large
 * against their mean are asked to come back.
 *
 * A bilateral row has its multiplier updated as in the proximal method, dl = -rho (e + B'dv), which adds rho B B'; a row with
 * a bound is a pair of half-lines (body_box.c).
 *
 * Far along, W spreads over more decades than the arithmetic has, and Cholesky breaks down; so the method hands over when
 * it is near, when it no longer advances, or at the first pivot that is not positive. */
#include "contact/body_ipm.h"

#include <math.h>
#include <string.h>

#include "contact/body_box.h"
#include "contact/body_check.h"
#include "contact/body_cone.h"
#include "math/vec.h"
#include "math/vec3.h"

enum { WINDOW = 4, WINDOW_EXACT = 20, CENTRES_MAX = 3 };
static const double WARM_GAP = 2.0;   /* warm start: s o z = (this times certificate times U)^2/delta ... */
static const double WARM_MOST = 10.0; /* ... where the certificate is below this; else cold */
static const double CENTRE_COST =
    40.0; /* mean height of a panel that buys one correction: factor over solve is about it */
static const double CENTRE_LOW = 0.1, CENTRE_HIGH = 10.0; /* products may be so many times their target */
static const double CENTRE_ENOUGH = 0.9;                  /* a step this long needs none */
static const double CENTRE_MORE = 0.3;                    /* look so much farther than the possible step ... */
static const double CENTRE_GAIN = 0.1;                    /* ... and go on if this share of it was gained */
static const double NEAR_RESIDUAL = 1e-6;                 /* hand over when residuals are below this share of U ... */
static const double NEAR_GAP = 1e-10; /* ... and mean s'z times inverse mass below this share of U^2 */
static const double SLOW_SHARE =
    0.5; /* no progress: gap and residuals above this share of those WINDOW iterations ago */
static const double STEP_SHARE = 0.99; /* of the way to the boundary; STEP_SHARE_LATE if that exceeds STEP_LATE */
static const double STEP_SHARE_LATE = 0.9999, STEP_LATE = 0.9;
static const double FLOOR = 0.1;      /* Coulomb's law: the gap shall not run ahead of this times r_p, as shares of U */
static const double SHORT_STEP = 0.1; /* Coulomb's law: instead of such a step ... */
static const double RECENTRE = 2.0;   /* ... one that aims at so many times the present gap */
static const double INSIDE = 1e-14;   /* relative depth in the cone that rounding must leave */
static const double ROW_KAPPA =
    1e6; /* rho = this / delta for bilateral rows: their errors shrink by it per iteration */

typedef crn_body_cone_state cone;

/* x'Jx without cancellation */
static double lorentz(const double *x)
{
    double t = crn_cone_length(x + 1);
    return (x[0] - t) * (x[0] + t);
}

/* --- Scaling --- */

static void apply_W(const cone *c, const double *x, double sign, double scale, double *to)
{
    double t = c->w[1] * x[1] + c->w[2] * x[2], f = sign * x[0] + t / (1.0 + c->w[0]);
    to[0] = scale * (c->w[0] * x[0] + sign * t);
    to[1] = scale * (x[1] + f * c->w[1]);
    to[2] = scale * (x[2] + f * c->w[2]);
}

static void times_W(const cone *c, const double *x, double *to) /* W x */
{
    apply_W(c, x, 1.0, c->eta, to);
}

static void over_W(const cone *c, const double *x, double *to) /* W^-1 x */
{
    apply_W(c, x, -1.0, 1.0 / c->eta, to);
}

static void over_W_twice(const cone *c, const double *x, double *to) /* W^-2 x */
{
    double scale = 1.0 / (c->eta * c->eta), q = 2.0 * (c->w[0] * x[0] - c->w[1] * x[1] - c->w[2] * x[2]);
    to[0] = scale * (q * c->w[0] - x[0]);
    to[1] = scale * (x[1] - q * c->w[1]);
    to[2] = scale * (x[2] - q * c->w[2]);
}

/* The change of z that c asks for where s changes by x: W^-1 c - W^-2 x */
static void answer(const cone *c, const double *x, double *to)
{
    double first[3], second[3];
    over_W(c, c->c, first);
    over_W_twice(c, x, second);
    for (int j = 0; j < 3; ++j) {
        to[j] = first[j] - second[j];
    }
}

static void set_scaling(cone *c)
{
    double ss = lorentz(c->s), zz = lorentz(c->z), root_s = 1.0 / sqrt(ss), root_z = 1.0 / sqrt(zz);
    double s[3] = {c->s[0] * root_s, c->s[1] * root_s, c->s[2] * root_s};
    double z[3] = {c->z[0] * root_z, c->z[1] * root_z, c->z[2] * root_z};
    double scale = 0.5 / sqrt(0.5 * (1.0 + crn_dot3(s, z)));
    c->w[1] = scale * (s[1] - z[1]);
    c->w[2] = scale * (s[2] - z[2]);
    c->w[0] = sqrt(1.0 + c->w[1] * c->w[1] + c->w[2] * c->w[2]); /* w'Jw = 1 */
    c->eta = sqrt(sqrt(ss / zz));
    times_W(c, c->z, c->lambda);
}

/* D W^-2 D: nn, n1, n2, 11, 12, 22 */
static void weight(const cone *c, double mu, double *A)
{
    double scale = 1.0 / (c->eta * c->eta), w0 = c->w[0], w1 = c->w[1], w2 = c->w[2];
    A[0] = scale * (2.0 * w0 * w0 - 1.0);
    A[1] = -2.0 * scale * mu * w0 * w1;
    A[2] = -2.0 * scale * mu * w0 * w2;
    A[3] = scale * mu * mu * (2.0 * w1 * w1 + 1.0);
    A[4] = 2.0 * scale * mu * mu * w1 * w2;
    A[5] = scale * mu * mu * (2.0 * w2 * w2 + 1.0);
}

/* D W^-2 E, where ds = E du: nine numbers, column-major. */
static void weight_exact(const cone *c, double mu, double *A)
{
    const double E[9] = {1.0, 0.0, 0.0, c->lift[0], mu, 0.0, c->lift[1], 0.0, mu};
    for (int j = 0; j < 3; ++j) {
        over_W_twice(c, E + 3 * j, A + 3 * j);
        A[3 * j + 1] *= mu;
        A[3 * j + 2] *= mu;
    }
}

/* c with lambda o c = d */
static void arrow_solve(const double *lambda, const double *d, double *c)
{
    c[0] = (lambda[0] * d[0] - lambda[1] * d[1] - lambda[2] * d[2]) / lorentz(lambda);
    c[1] = (d[1] - c[0] * lambda[1]) / lambda[0];
    c[2] = (d[2] - c[0] * lambda[2]) / lambda[0];
}

static void arrow_times(const double *x, const double *y, double *to) /* x o y */
{
    double head = crn_dot3(x, y);
    to[1] = x[0] * y[1] + y[0] * x[1];
    to[2] = x[0] * y[2] + y[0] * x[2];
    to[0] = head;
}

/* --- Step length --- */

/* Largest t <= limit with x + t d in the cone: roots of (x + t d)'J(x + t d). */
static double way_to_boundary(const double *x, const double *d, double limit)
{
    double a = d[0] * d[0] - d[1] * d[1] - d[2] * d[2], half_b = x[0] * d[0] - x[1] * d[1] - x[2] * d[2];
    double c = lorentz(x), root = half_b * half_b - a * c, t = limit;
    if (root >= 0.0) { /* a t^2 + 2 half_b t + c = 0, c > 0: the least positive root, without cancellation */
        double q = -(half_b + (half_b >= 0.0 ? sqrt(root) : -sqrt(root)));
        double t1 = q != 0.0 ? c / q : INFINITY, t2 = a != 0.0 ? q / a : INFINITY;
        t = t1 > 0.0 && t1 < t ? t1 : t;
        t = t2 > 0.0 && t2 < t ? t2 : t;
    }
    if (d[0] < 0.0) {
        t = crn_min(t, -x[0] / d[0]);
    }
    return t;
}

static double way(const crn_bodies *b)
{
    double t = 1.0 / STEP_SHARE;
    for (int i = 0; i < b->system.contacts; ++i) {
        t = way_to_boundary(b->cone[i].s, b->cone[i].ds, t);
        t = way_to_boundary(b->cone[i].z, b->cone[i].dz, t);
    }
    return crn_body_box_way(b, t);
}

static bool is_inside(const double *x, const double *d, double t)
{
    double y[3] = {x[0] + t * d[0], x[1] + t * d[1], x[2] + t * d[2]};
    return y[0] - crn_cone_length(y + 1) > INSIDE * y[0] && y[0] > 0.0;
}

/* Shrink t until rounding leaves all well inside. */
static double safe_step(const crn_bodies *b, double t)
{
    for (int i = 0; i < b->system.contacts; ++i) {
        const cone *c = &b->cone[i];
        while (t > 0.0 && !(is_inside(c->s, c->ds, t) && is_inside(c->z, c->dz, t))) {
            t = t > 1e-12 ? 0.9 * t : 0.0;
        }
    }
    while (t > 0.0 && !crn_body_box_is_inside(b, t)) {
        t = t > 1e-12 ? 0.9 * t : 0.0;
    }
    return t;
}

/* --- One iteration --- */

typedef struct progress {
    double gap;           /* mean s'z, as a share of U^2/mean(delta); rows with bounds count twice */
    double residual;      /* of r_p, r_d and the rows, as a share of U */
    double infeasibility; /* of r_p alone */
    double unit;          /* U^2/mean(delta): what gaps are a share of */
} progress;

/* Mean s'z after a step t. */
static double gap_after(const crn_bodies *b, double t)
{
    double sum = 0.0;
    for (int i = 0; i < b->system.contacts; ++i) {
        const cone *c = &b->cone[i];
        for (int j = 0; j < 3; ++j) {
            sum += (c->s[j] + t * c->ds[j]) * (c->z[j] + t * c->dz[j]);
        }
    }
    return (sum + crn_body_box_gap(b, t)) / crn_max(1.0, b->system.contacts + 2 * b->system.bounded);
}

/* s - z = x, s o z = g^2 e: with the spectral values l of x, those of s are (l + sqrt(l^2 + 4 g^2))/2. */
static void split(const double *x, double g, double *s, double *z)
{
    double t = crn_cone_length(x + 1), along[2] = {t > 0.0 ? x[1] / t : 0.0, t > 0.0 ? x[2] / t : 0.0};
    double large[2], small[2]; /* of s and z for the values x_0 + t and x_0 - t */
    for (int i = 0; i < 2; ++i) {
        double l = i == 0 ? x[0] + t : x[0] - t, root = sqrt(l * l + 4.0 * g * g);
        double big = 0.5 * (fabs(l) + root), rest = g * g / big;
        large[i] = l > 0.0 ? big : rest;
        small[i] = l > 0.0 ? rest : big;
    }
    s[0] = 0.5 * (large[0] + large[1]);
    z[0] = 0.5 * (small[0] + small[1]);
    for (int k = 0; k < 2; ++k) {
        s[1 + k] = 0.5 * (large[0] - large[1]) * along[k];
        z[1 + k] = 0.5 * (small[0] - small[1]) * along[k];
    }
}

/* u_n, or for Coulomb's law u_n + mu |u_t| */
static double lifted(const crn_bodies *b, int contact, const double *u)
{
    bool is_exact = b->inside == CRN_LAW_COULOMB;
    return is_exact ? u[0] + b->system.mu[contact] * crn_cone_length(u + 1) : u[0];
}

/* Near r and the motion that belongs to it, off the boundary by g in velocity. */
static void start_near(crn_bodies *b, double g)
{
    const crn_body_system *s = &b->system;
    for (int i = 0; i < s->contacts; ++i) {
        const double *u = b->u + 3 * (long)i, *r = b->r + 3 * (long)i;
        cone *c = &b->cone[i];
        double mu = s->mu[i], over = mu > 0.0 ? 1.0 / mu : 0.0, delta = s->delta[i];
        double x[3] = {lifted(b, i, u) - delta * r[0], mu * u[1] - delta * over * r[1],
                       mu * u[2] - delta * over * r[2]};
        split(x, g, c->s, c->z);
        for (int j = 0; j < 3; ++j) {
            c->z[j] /= delta;
        }
    }
}

/* s = (max(u_n, mu |u_t| + U), mu u_t) at the free motion, z = (U^2/(delta s_n), 0, 0): a gap far above U stays far. Where
 * rows are to change the motion by more than U, that is how far off the contacts must be: U' in its place. Returns it. */
static double start_cold(crn_bodies *b, double share)
{
    const crn_body_system *s = &b->system;
    double U = b->scale * share;
    memcpy(b->v, s->k, (size_t)s->dof * sizeof *b->v);
    crn_body_slip(s, b->v, b->offset, b->u);
    for (int i = 0; i < s->rows; ++i) {
        U = crn_max(U, s->row_factor[i] * fabs(b->u[3 * s->contacts + i]));
    }
    for (int i = 0; i < s->contacts; ++i) { /* near weightlessness nothing closes, but what slips must be lifted */
        const double *u = b->u + 3 * (long)i;
        U = crn_max(U, share * (s->mu[i] * crn_cone_length(u + 1) - lifted(b, i, u)));
    }
    for (int i = 0; i < s->contacts; ++i) {
        const double *u = b->u + 3 * (long)i;
        cone *c = &b->cone[i];
        double mu = s->mu[i];
        c->s[0] = crn_max(lifted(b, i, u), mu * crn_cone_length(u + 1) + U);
        c->s[1] = mu * u[1];
        c->s[2] = mu * u[2];
        c->z[0] = crn_max(U * U / (s->delta[i] * c->s[0]), b->r[3 * i]);
        c->z[1] = c->z[2] = 0.0;
    }
    return U;
}

static void start(crn_bodies *b, const crn_ipm_plan *plan)
{
    const crn_body_system *s = &b->system;
    double certificate =
        plan->is_cold ? INFINITY : crn_body_check(b, plan->law, b->offset); /* v and u belong to r now */
    bool is_near = certificate <= WARM_MOST;
    double g = WARM_GAP * crn_max(certificate, plan->least) * b->scale;
    if (is_near) {
        start_near(b, g);
    } else {
        g = start_cold(b, plan->speed);
    }
    for (int i = 0; i < s->rows; ++i) {
        b->weight[i] = b->rho[s->contacts + i] = ROW_KAPPA / s->delta[s->contacts + i];
    }
    crn_body_box_start(b, is_near, g);
}

static void set_lift(cone *c, double mu, const double *u)
{
    double length = crn_cone_length(u + 1), over = length > 0.0 ? mu / length : 0.0;
    c->lift[0] = over * u[1];
    c->lift[1] = over * u[2];
}

/* r = (D z, l), u, residuals and scaling at the current point. */
static progress look(crn_bodies *b)
{
    const crn_body_system *s = &b->system;
    progress now = {0};
    double delta = 0.0;
    crn_body_slip(s, b->v, b->offset, b->u);
    for (int i = 0; i < s->contacts; ++i) {
        cone *c = &b->cone[i];
        const double *u = b->u + 3 * (long)i;
        double mu = s->mu[i], *r = b->r + 3 * (long)i;
        r[0] = c->z[0];
        r[1] = mu * c->z[1];
        r[2] = mu * c->z[2];
        c->rp[0] = lifted(b, i, u) - c->s[0];
        c->rp[1] = mu * u[1] - c->s[1];
        c->rp[2] = mu * u[2] - c->s[2];
        now.residual = crn_max(now.residual, sqrt(crn_dot3(c->rp, c->rp)));
        delta += s->delta[i];
        set_scaling(c);
        set_lift(c, b->inside == CRN_LAW_COULOMB ? mu : 0.0, u);
    }
    now.infeasibility = now.residual / b->scale;
    for (int i = 0; i < s->rows; ++i) {
        bool is_free = !(s->bound[i] < INFINITY);
        now.residual = crn_max(now.residual, is_free ? s->row_factor[i] * fabs(b->u[3 * s->contacts + i]) : 0.0);
    }
    now.residual = crn_max(now.residual, crn_body_box_look(b));
    delta = s->contacts > 0 ? delta : 1.0;
    crn_body_push(s, s->k, b->r, b->gradient);
    for (int l = 0; l < s->dof; ++l) { /* r_d */
        b->gradient[l] = b->v[l] - b->gradient[l];
    }
    now.residual = crn_max(now.residual, crn_body_speed(s, b->gradient)) / b->scale;
    now.unit = b->scale * b->scale * crn_max(1.0, s->contacts) / delta;
    now.gap = gap_after(b, 0.0) / now.unit;
    return now;
}

/* Step for the right-hand sides c of all cones. */
static void solve_step(crn_bodies *b)
{
    const crn_body_system *s = &b->system;
    for (int i = 0; i < s->contacts; ++i) {
        const cone *c = &b->cone[i];
        double mu = s->mu[i], *g = b->p + 3 * (long)i;
        answer(c, c->rp, g);
        g[1] *= mu;
        g[2] *= mu;
    }
    for (int i = 0; i < s->rows; ++i) {
        int e = 3 * s->contacts + i;
        b->p[e] = -b->rho[s->contacts + i] * b->u[e];
    }
    crn_body_box_force(b);
    crn_body_push(s, NULL, b->p, b->step);
    crn_axpy(s->dof, -1.0, b->gradient, b->step);
    if (b->inside == CRN_LAW_COULOMB) {
        crn_block_lu_solve(&b->matrix, b->step);
    } else {
        crn_block_cholesky_solve(&b->matrix, b->step);
    }
    crn_body_slip(s, b->step, NULL, b->w);
    for (int i = 0; i < s->contacts; ++i) {
        cone *c = &b->cone[i];
        const double *w = b->w + 3 * (long)i;
        double mu = s->mu[i];
        c->ds[0] = w[0] + c->lift[0] * w[1] + c->lift[1] * w[2] + c->rp[0];
        c->ds[1] = mu * w[1] + c->rp[1];
        c->ds[2] = mu * w[2] + c->rp[2];
        answer(c, c->ds, c->dz);
    }
    crn_body_box_step(b);
}

static void predictor(crn_bodies *b)
{
    for (int i = 0; i < b->system.contacts; ++i) {
        cone *c = &b->cone[i];
        for (int j = 0; j < 3; ++j) {
            c->c[j] = -c->lambda[j];
        }
    }
    crn_body_box_predict(b);
    solve_step(b);
}

static void corrector(crn_bodies *b, double target)
{
    for (int i = 0; i < b->system.contacts; ++i) {
        cone *c = &b->cone[i];
        double s[3], z[3], second[3], d[3];
        over_W(c, c->ds, s);
        times_W(c, c->dz, z);
        arrow_times(s, z, second);
        arrow_times(c->lambda, c->lambda, d);
        for (int j = 0; j < 3; ++j) {
            d[j] = (j == 0 ? target : 0.0) - d[j] - second[j];
        }
        arrow_solve(c->lambda, d, c->c);
    }
    crn_body_box_correct(b, target);
    solve_step(b);
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
        over_W(c, c->ds, s);
        times_W(c, c->dz, z);
        for (int j = 0; j < 3; ++j) {
            s[j] = c->lambda[j] + t * s[j];
            z[j] = c->lambda[j] + t * z[j];
        }
        arrow_times(s, z, product);
        double length = crn_cone_length(product + 1), inverse = length > 0.0 ? 1.0 / length : 0.0;
        double first = recentred(product[0] + length, target), second = recentred(product[0] - length, target);
        change[0] = 0.5 * (first + second);
        change[1] = 0.5 * (first - second) * product[1] * inverse;
        change[2] = 0.5 * (first - second) * product[2] * inverse;
        arrow_solve(c->lambda, change, more);
        for (int j = 0; j < 3; ++j) {
            b->y[3 * i + j] = c->c[j];
            c->c[j] += more[j];
        }
    }
    solve_step(b);
}

static void take_back_centre(crn_bodies *b)
{
    for (int i = 0; i < b->system.contacts; ++i) {
        memcpy(b->cone[i].c, b->y + 3 * (long)i, sizeof b->cone[i].c);
    }
    solve_step(b);
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
    double t = way(b), possible = crn_min(1.0, STEP_SHARE * t);
    for (int left = centres_allowed(b); left > 0 && possible < CENTRE_ENOUGH; --left) {
        double farther = crn_min(1.0, possible + crn_max(CENTRE_MORE, 0.5 * possible));
        centre(b, farther, target);
        double now = way(b);
        if (now < t) {
            take_back_centre(b);
            return t;
        }
        t = now;
        bool has_gained = STEP_SHARE * t >= possible + CENTRE_GAIN * (farther - possible);
        possible = crn_min(1.0, STEP_SHARE * t);
        left = has_gained ? left : 0;
    }
    return t;
}

/* mu |u_t| after a step t over its tangent; 0 for the convex law */
static double bend(const crn_bodies *b, int contact, double t)
{
    const double *u = b->u + 3 * (long)contact, *w = b->w + 3 * (long)contact, *lift = b->cone[contact].lift;
    double x[2] = {u[1] + t * w[1], u[2] + t * w[2]};
    double more = b->system.mu[contact] * (crn_cone_length(x) - crn_cone_length(u + 1));
    return b->inside == CRN_LAW_COULOMB ? crn_max(0.0, more - t * (lift[0] * w[1] + lift[1] * w[2])) : 0.0;
}

static void move(crn_bodies *b, double t)
{
    const crn_body_system *s = &b->system;
    crn_axpy(s->dof, t, b->step, b->v);
    for (int i = 0; i < s->contacts; ++i) {
        cone *c = &b->cone[i];
        c->s[0] += bend(b, i, t);
        for (int j = 0; j < 3; ++j) {
            c->s[j] += t * c->ds[j];
            c->z[j] += t * c->dz[j];
        }
    }
    for (int i = 0; i < s->rows; ++i) {
        int e = 3 * s->contacts + i;
        b->r[e] -= s->bound[i] < INFINITY ? 0.0 : t * b->rho[s->contacts + i] * (b->u[e] + b->w[e]);
    }
    crn_body_box_move(b, t);
}

/* The matrix at the present point, factorised. */
static bool factorize(crn_bodies *b)
{
    const crn_body_system *s = &b->system;
    bool is_exact = b->inside == CRN_LAW_COULOMB;
    for (int i = 0; i < s->contacts; ++i) {
        const cone *c = &b->cone[i];
        if (is_exact) {
            weight_exact(c, s->mu[i], b->A + 9 * (long)i);
        } else {
            weight(c, s->mu[i], b->A + 6 * (long)i);
        }
    }
    b->factorizations++;
    b->unsymmetric += is_exact;
    b->factor_kappa = 0.0;
    if (is_exact) {
        crn_body_assemble_unsymmetric(s, b->A, b->weight, &b->matrix);
        return crn_block_lu(&b->matrix);
    }
    crn_body_assemble(s, b->A, b->weight, &b->matrix);
    return crn_block_cholesky(&b->matrix);
}

/* The step that aims at products of that size, with the second-order part of the step at hand. */
static double step_towards(crn_bodies *b, double target)
{
    corrector(b, target);
    double t = STEP_SHARE * lengthen(b, target);
    t = crn_min(t > STEP_LATE ? t / STEP_SHARE * STEP_SHARE_LATE : t, 1.0);
    return safe_step(b, t);
}

static void forget_step(crn_bodies *b)
{
    for (int i = 0; i < b->system.contacts; ++i) {
        memset(b->cone[i].ds, 0, sizeof b->cone[i].ds);
        memset(b->cone[i].dz, 0, sizeof b->cone[i].dz);
    }
    crn_body_box_forget(b);
}

/* Predictor, corrector, corrections towards the centre; how far the step may go. With Coulomb's law the matrix may be nearly
 * singular, which is where the path folds back, and the step short: then away from the boundary. */
static double find_step(crn_bodies *b, const progress *now)
{
    predictor(b);
    double gap = gap_after(b, 0.0), share = gap_after(b, crn_min(1.0, way(b))) / gap;
    share = crn_min(crn_max(share, 0.0), 1.0);
    double target = share * share * share * gap;
    if (b->inside == CRN_LAW_CONVEX) {
        return step_towards(b, target);
    }
    target = crn_max(target, now->infeasibility > NEAR_RESIDUAL ? FLOOR * now->infeasibility * now->unit : 0.0);
    double t = step_towards(b, target);
    if (t < SHORT_STEP) {
        forget_step(b);
        t = step_towards(b, RECENTRE * gap);
    }
    return t;
}

/* False if the matrix cannot be factorised or the step has no length: the point stays. */
static bool iterate(crn_bodies *b, const progress *now)
{
    double t = factorize(b) ? find_step(b, now) : 0.0;
    if (!(t > 0.0)) {
        return false;
    }
    move(b, t);
    b->iterations++;
    return true;
}

bool crn_body_interior_point(crn_bodies *b, const crn_ipm_plan *plan)
{
    int window = plan->law == CRN_LAW_COULOMB ? WINDOW_EXACT : WINDOW;
    b->inside = plan->law;
    start(b, plan);
    progress past[WINDOW_EXACT];
    for (int k = 0; k < plan->most; ++k) {
        progress now = look(b), *then = &past[k % window];
        double residual =
            plan->law == CRN_LAW_COULOMB ? now.infeasibility : now.residual; /* r_d grows by rounding late */
        bool is_near = residual < NEAR_RESIDUAL && now.gap < NEAR_GAP;
        bool is_slow = k >= window && !(now.gap < SLOW_SHARE * then->gap || now.residual < SLOW_SHARE * then->residual);
        if (is_near || is_slow) {
            return true;
        }
        *then = now;
        if (!iterate(b, &now)) {
            return k > 0;
        }
    }
    return true;
}
