/* A point inside the cones, and the linear algebra there: see body_inside.h. */
#include "contact/body_inside.h"

#include <math.h>
#include <string.h>

#include "contact/body_box.h"
#include "contact/body_check.h"
#include "contact/body_lorentz.h"
#include "math/vec.h"

static const double WARM_GAP = 2.0;   /* warm start: s o z = (this times certificate times U)^2/delta ... */
static const double WARM_MOST = 10.0; /* ... where the certificate is below this; else cold */
static const double INSIDE = 1e-14;   /* relative depth in the cone that rounding must leave */
static const double ROW_KAPPA =
    1e6; /* rho = this / delta for bilateral rows: their errors shrink by it per iteration */

typedef crn_body_cone_state cone;

/* --- Step length --- */

/* Largest t <= limit with x + t d in the cone: roots of (x + t d)'J(x + t d). */
static double way_to_boundary(const double *x, const double *d, double limit)
{
    double a = d[0] * d[0] - d[1] * d[1] - d[2] * d[2], half_b = x[0] * d[0] - x[1] * d[1] - x[2] * d[2];
    double c = crn_lorentz(x), root = half_b * half_b - a * c, t = limit;
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

double crn_inside_way(const crn_bodies *b)
{
    double t = 1.0 / CRN_INSIDE_STEP_SHARE;
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

double crn_inside_safe_step(const crn_bodies *b, double t)
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

double crn_inside_gap(const crn_bodies *b, double t)
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

/* What multiplies |u_t| in the law at hand. */
static double lift_factor(const crn_bodies *b, int contact)
{
    return b->inside == CRN_LAW_COULOMB ? b->lift_share * b->system.mu[contact] : 0.0;
}

/* u_n, or for Coulomb's law u_n + mu |u_t| */
static double lifted(const crn_bodies *b, int contact, const double *u)
{
    return u[0] + lift_factor(b, contact) * crn_cone_length(u + 1);
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

void crn_inside_forget(crn_bodies *b)
{
    for (int i = 0; i < b->system.contacts; ++i) {
        memset(b->cone[i].ds, 0, sizeof b->cone[i].ds);
        memset(b->cone[i].dz, 0, sizeof b->cone[i].dz);
    }
    crn_body_box_forget(b);
}

/* Rows, where the contacts are off the boundary by g. */
static void start_rows(crn_bodies *b, bool is_near, double g)
{
    const crn_body_system *s = &b->system;
    b->kappa = INFINITY;
    for (int i = 0; i < s->rows; ++i) {
        b->weight[i] = b->rho[s->contacts + i] = ROW_KAPPA / s->delta[s->contacts + i];
    }
    crn_body_box_start(b, is_near, g);
    crn_inside_forget(b);
}

void crn_inside_start_cold(crn_bodies *b, double share)
{
    start_rows(b, false, start_cold(b, share));
}

void crn_inside_start_near(crn_bodies *b, double least)
{
    double certificate = crn_body_check(b, b->inside, b->offset); /* v and u belong to r now */
    if (!(certificate <= WARM_MOST)) {
        crn_inside_start_cold(b, 1.0);
        return;
    }
    double g = WARM_GAP * crn_max(certificate, least) * b->scale;
    start_near(b, g);
    start_rows(b, true, g);
}

static void set_lift(cone *c, double mu, const double *u)
{
    double length = crn_cone_length(u + 1), over = length > 0.0 ? mu / length : 0.0;
    c->lift[0] = over * u[1];
    c->lift[1] = over * u[2];
}

crn_inside_progress crn_inside_look(crn_bodies *b)
{
    const crn_body_system *s = &b->system;
    crn_inside_progress now = {0};
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
        crn_set_scaling(c);
        set_lift(c, lift_factor(b, i), u);
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
    now.gap = crn_inside_gap(b, 0.0) / now.unit;
    return now;
}

/* --- Matrix and step --- */

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

/* D W^-2 E, or D B E, where ds = E du: nine numbers, column-major. */
static void weight_exact(const cone *c, double mu, double beta, double *A)
{
    const double E[9] = {1.0, 0.0, 0.0, c->lift[0], mu, 0.0, c->lift[1], 0.0, mu};
    for (int j = 0; j < 3; ++j) {
        if (beta > 0.0) {
            crn_over_damped_W(c, beta, E + 3 * j, A + 3 * j);
        } else {
            crn_over_W_twice(c, E + 3 * j, A + 3 * j);
        }
        A[3 * j + 1] *= mu;
        A[3 * j + 2] *= mu;
    }
}

bool crn_inside_factorize(crn_bodies *b)
{
    const crn_body_system *s = &b->system;
    bool is_exact = b->inside == CRN_LAW_COULOMB;
    for (int i = 0; i < s->contacts; ++i) {
        const cone *c = &b->cone[i];
        if (is_exact) {
            weight_exact(c, s->mu[i], s->delta[i] / b->kappa, b->A + 9 * (long)i);
        } else {
            weight(c, s->mu[i], b->A + 6 * (long)i);
        }
    }
    crn_body_box_weigh(b);
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

/* The change of z where s changes by x, and with a proximal term by beta times that. Without one W^-2 keeps more digits. */
static void answer(const cone *c, double beta, const double *x, double *to)
{
    if (beta > 0.0) {
        crn_cone_damped_answer(c, beta, x, to);
    } else {
        crn_cone_answer(c, x, to);
    }
}

static void set_right(cone *c, bool with_residuals)
{
    c->right[0] = with_residuals ? c->rp[0] : c->bow;
    c->right[1] = with_residuals ? c->rp[1] : 0.0;
    c->right[2] = with_residuals ? c->rp[2] : 0.0;
}

void crn_inside_solve(crn_bodies *b, bool with_residuals)
{
    const crn_body_system *s = &b->system;
    for (int i = 0; i < s->contacts; ++i) {
        cone *c = &b->cone[i];
        double mu = s->mu[i], *g = b->p + 3 * (long)i;
        set_right(c, with_residuals);
        answer(c, s->delta[i] / b->kappa, c->right, g);
        g[1] *= mu;
        g[2] *= mu;
    }
    for (int i = 0; i < s->rows; ++i) {
        int e = 3 * s->contacts + i;
        b->p[e] = with_residuals ? -b->rho[s->contacts + i] * b->u[e] : 0.0;
    }
    crn_body_box_force(b, with_residuals);
    crn_body_push(s, NULL, b->p, b->step);
    crn_axpy(s->dof, with_residuals ? -1.0 : 0.0, b->gradient, b->step);
    if (b->inside == CRN_LAW_COULOMB) {
        crn_block_lu_solve(&b->matrix, b->step);
    } else {
        crn_block_cholesky_solve(&b->matrix, b->step);
    }
    crn_body_slip(s, b->step, NULL, b->w);
    for (int i = 0; i < s->contacts; ++i) {
        cone *c = &b->cone[i];
        const double *w = b->w + 3 * (long)i;
        double mu = s->mu[i], beta = s->delta[i] / b->kappa;
        c->ds[0] = w[0] + c->lift[0] * w[1] + c->lift[1] * w[2] + c->right[0];
        c->ds[1] = mu * w[1] + c->right[1];
        c->ds[2] = mu * w[2] + c->right[2];
        answer(c, beta, c->ds, c->dz);
        for (int j = 0; j < 3; ++j) {
            c->ds[j] += beta * c->dz[j];
        }
    }
    crn_body_box_step(b, with_residuals);
}

/* mu |u_t| after a step t over its tangent; 0 for the convex law */
static double bend(const crn_bodies *b, int contact, double t)
{
    const double *u = b->u + 3 * (long)contact, *w = b->w + 3 * (long)contact, *lift = b->cone[contact].lift;
    double x[2] = {u[1] + t * w[1], u[2] + t * w[2]};
    double more = lift_factor(b, contact) * (crn_cone_length(x) - crn_cone_length(u + 1));
    return crn_max(0.0, more - t * (lift[0] * w[1] + lift[1] * w[2]));
}

void crn_inside_move(crn_bodies *b, double t)
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

void crn_inside_keep(const crn_bodies *b, crn_body_direction *point)
{
    memcpy(point->v, b->v, (size_t)b->system.dof * sizeof *b->v);
    memcpy(point->w, b->r, (size_t)b->system.length * sizeof *b->r);
    memcpy(point->box, b->box, (size_t)b->system.bounded * sizeof *b->box);
    for (int i = 0; i < b->system.contacts; ++i) {
        memcpy(point->s + 3 * (long)i, b->cone[i].s, sizeof b->cone[i].s);
        memcpy(point->z + 3 * (long)i, b->cone[i].z, sizeof b->cone[i].z);
    }
}

void crn_inside_return(crn_bodies *b, const crn_body_direction *point)
{
    memcpy(b->v, point->v, (size_t)b->system.dof * sizeof *b->v);
    memcpy(b->r, point->w, (size_t)b->system.length * sizeof *b->r);
    memcpy(b->box, point->box, (size_t)b->system.bounded * sizeof *b->box);
    for (int i = 0; i < b->system.contacts; ++i) {
        memcpy(b->cone[i].s, point->s + 3 * (long)i, sizeof b->cone[i].s);
        memcpy(b->cone[i].z, point->z + 3 * (long)i, sizeof b->cone[i].z);
    }
}
