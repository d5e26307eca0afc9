/* One proximal step on Coulomb's law, by semi-smooth Newton.
 *
 *     F(r) = r - P(y),  y = a - rho (W r + q),      P_n = max(0, y_n),   P_t = y_t clipped to the disk |x| <= mu P_n
 *
 * P is Alart and Curnier's map [AC91]: with a = r the zeros of F are the solutions, for every rho > 0; with a fixed anchor
 * a they are the solutions of the problem with W + I/rho in place of W and q - a/rho in place of q, the proximal step [R76].
 * Where W is singular, as in every redundant stack, W + I/rho is not, and r stays near a. Generalised Jacobian:
 *
 *     J = I + rho A W,     A = 0 (open),   I (stick),   [1 0; mu t  (mu y_n/|y_t|)(I - t t')], t = y_t/|y_t| (slip)
 *
 * unsymmetric. Rows of open contacts are those of the identity. |F| must fall at every
 * step; a step that hardly helps ends the attempt, because a smaller rho is then worth more than another factorisation
 * (measured: a third of all factorisations saved on piles, and no attempt was lost by it). */
#include "contact/cone_newton.h"

#include "contact/friction_cone.h"
#include "contact/proximal.h"
#include "math/vec.h"

#include <math.h>
#include <string.h>

/* Linear systems are refined to this share of the right hand side, at most REFINEMENTS times; a residual that stays above
 * STEP_LOST of it makes the step worthless. */
#define REFINE_TO   1e-12
#define REFINEMENTS 3
#define STEP_LOST   0.1
/* Shortest step 2^-(HALVINGS-1); shorter ones were never the way to a solution. */
#define HALVINGS 6
/* |F| below this times sqrt(n) is rounding, in units in which velocities are 1. */
#define ROUNDING 1e-14

bool crn_cone_newton_build(crn_cone_newton *s, const crn_cone_blocks *W, crn_arena *arena)
{
    const int n = W->n;
    *s = (crn_cone_newton){.W = W};
    s->u = CRN_TAKE(arena, double, n);
    s->target = CRN_TAKE(arena, double, n);
    s->y = CRN_TAKE(arena, double, 3 * (size_t)W->contacts);
    s->piece = CRN_TAKE(arena, unsigned char, W->contacts);
    s->F = CRN_TAKE(arena, double, n);
    s->step = CRN_TAKE(arena, double, n);
    s->trial = CRN_TAKE(arena, double, n);
    s->product = CRN_TAKE(arena, double, n);
    s->A = CRN_TAKE(arena, double, 9 * (size_t)W->contacts);
    s->is_active = CRN_TAKE(arena, bool, W->contacts);
    return crn_cone_jacobian_build(&s->jacobian, W, arena);
}

/* u, y, pieces, F at r; returns |F| */
static double evaluate(crn_cone_newton *s, const double *anchor, double rho, const double *r)
{
    const crn_cone_blocks *W = s->W;
    const int d = W->d;
    crn_cone_blocks_product(W, r, s->u);
    for (int i = 0; i < W->n; ++i) {
        s->u[i] += W->q[i];
        s->target[i] = anchor[i] - rho * s->u[i];
    }
    for (int i = 0; i < W->contacts; ++i) {
        double p[3], *y = s->y + 3 * (size_t)i;
        crn_cone_three(d, s->target + d * i, y);
        s->piece[i] = (unsigned char)crn_cone_clip(W->mu[i], y, p);
        for (int k = 0; k < d; ++k) {
            s->F[d * i + k] = r[d * i + k] - p[k];
        }
    }
    return sqrt(crn_dot(W->n, s->F, s->F));
}

/* --- the linear system --- */

/* Block (i,j) of A W is added to C, whose entry (k,l) is C[k down + l across]; A has rho in it. */
static void add_block(int d, const double *A, const double *B, double *C, int down, int across)
{
    for (int l = 0; l < d; ++l) {
        for (int k = 0; k < d; ++k) {
            double sum = 0.0;
            for (int m = 0; m < d; ++m) {
                sum += A[k + 3 * m] * B[m + l * d];
            }
            C[k * down + l * across] += sum;
        }
    }
}

/* A of every active contact, and the factors of J at the y of the last evaluation. */
static bool factorise(crn_cone_newton *s, double rho)
{
    const crn_cone_blocks *W = s->W;
    const int d = W->d;
    const size_t dd = (size_t)d * (size_t)d;
    for (int i = 0; i < W->contacts; ++i) {
        const crn_cone_piece piece = (crn_cone_piece)s->piece[i];
        s->is_active[i] = piece != CRN_CONE_OPEN;
        crn_cone_clip_derivative(W->mu[i], rho, piece, s->y + 3 * (size_t)i, s->A + 9 * (size_t)i);
    }
    crn_cone_jacobian_begin(&s->jacobian, s->is_active);
    for (int i = 0; i < W->contacts; ++i) {
        for (int e = W->start[i]; s->is_active[i] && e < W->start[i + 1]; ++e) {
            if (s->is_active[W->column[e]]) {
                int down, across;
                double *C = crn_cone_jacobian_block(&s->jacobian, i, e, &down, &across);
                add_block(d, s->A + 9 * (size_t)i, W->block + dd * (size_t)e, C, down, across);
            }
        }
    }
    return crn_cone_jacobian_factor(&s->jacobian);
}

/* product = -F - J step; returns its size */
static double linear_residual(crn_cone_newton *s)
{
    const int d = s->W->d;
    for (int i = 0; i < s->W->contacts; ++i) {
        double *out = s->product + d * i, w[CRN_CONE_DIM];
        for (int k = 0; k < d; ++k) {
            out[k] = -s->F[d * i + k] - s->step[d * i + k];
        }
        if (!s->is_active[i]) {
            continue;
        }
        const double *A = s->A + 9 * (size_t)i;
        crn_cone_blocks_row(s->W, i, s->step, w);
        for (int l = 0; l < d; ++l) {
            for (int k = 0; k < d; ++k) {
                out[k] -= A[k + 3 * l] * w[l];
            }
        }
    }
    return sqrt(crn_dot(s->W->n, s->product, s->product));
}

/* J step = -F. False if the factors are no good. */
static bool solve_step(crn_cone_newton *s, double rho, double size)
{
    const crn_cone_blocks *W = s->W;
    const int d = W->d;
    if (!factorise(s, rho)) {
        return false;
    }
    /* Open contacts first: their rows say step = -F. */
    for (int i = 0; i < W->contacts; ++i) {
        for (int k = 0; k < d; ++k) {
            s->step[d * i + k] = s->is_active[i] ? 0.0 : -s->F[d * i + k];
        }
    }
    double left = linear_residual(s);
    for (int k = 0; k < REFINEMENTS && left > REFINE_TO * size; ++k) {
        const double before = left;
        crn_cone_jacobian_solve(&s->jacobian, s->product); /* open rows are 0 and stay so */
        crn_axpy(W->n, 1.0, s->product, s->step);
        left = linear_residual(s);
        if (!(left < 0.5 * before)) {
            break;
        }
    }
    return left <= STEP_LOST * size;
}

/* Go along the step as far as |F| falls. Returns the new |F|, or the old one if there is no such point. */
static double go(crn_cone_newton *s, const double *anchor, double rho, double *r, double size)
{
    const int n = s->W->n;
    double t = 1.0;
    for (int k = 0; k < HALVINGS; ++k, t *= 0.5) {
        for (int i = 0; i < n; ++i) {
            s->trial[i] = r[i] + t * s->step[i];
        }
        const double now = evaluate(s, anchor, rho, s->trial);
        if (now <= (1.0 - CRN_PROXIMAL_DESCENT * t) * size) {
            memcpy(r, s->trial, (size_t)n * sizeof *r);
            return now;
        }
    }
    return size;
}

bool crn_cone_newton_run(crn_cone_newton *s, const double *anchor, double rho, double *r, int max_steps)
{
    double size = evaluate(s, anchor, rho, r);
    const double goal = crn_max(ROUNDING * sqrt((double)s->W->n), CRN_PROXIMAL_INNER * size);
    for (int k = 0; size > goal; ++k) {
        if (k == max_steps || !isfinite(size)) {
            return false;
        }
        ++s->steps;
        const double before = size;
        if (!solve_step(s, rho, size)) {
            return false;
        }
        size = go(s, anchor, rho, r, size);
        if (size > CRN_PROXIMAL_SLOW * before) {
            return false;
        }
    }
    return true;
}
