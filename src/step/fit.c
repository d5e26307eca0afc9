/* Least squares on the rows of joints: the smallest motion that takes back as much of their values as any motion can.
 *
 *     min |A x + value|,    x = G'd,    M = G G',    A = B G^-T                 of all minima the one with the least |x|
 *
 * Loops of joints are redundant more often than not (every planar mechanism in space is), and what their rows have drifted,
 * errors of order h^2 of different shape, then contradicts itself: no velocity takes all of it back. A x is what can be taken
 * back, whatever the rank. Conjugate gradients on the normal equations (CGLS) [B96 s7.4] have the property that counts
 * here: after any number of iterations -A x is a set of values that one motion satisfies exactly. No rank is ever decided,
 * nothing is regularised. Beside x they keep y with x = A'y: the impulses along the rows that make the motion. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "math/rigid.h"
#include "math/vec.h"
#include "step/parts.h"

static const double ROUNDING_SHARE = 1e-13; /* stop when the gradient has fallen to this share */
static const double ROUNDING_TERMS =
    1e-15; /* and to this one of the terms that it is summed from: what is left is their rounding */
enum { ITERATIONS_MOST = 400, ITERATIONS_PER_ROW = 4, ROOT = 7 };

#define RESERVE(field, count) \
    crn_reserve(&s->allocator, (void **)&f->field, &f->field##_capacity, (count), sizeof *f->field)

bool crn_step_fit_begin(crn_stepper *s, int rows)
{
    crn_step_fit *f = &s->fit;
    int bodies = s->problem.problem.bodies;
    return RESERVE(column, 12 * rows) && RESERVE(value, rows) && RESERVE(residual, rows) && RESERVE(image, rows) &&
           RESERVE(impulse, rows) && RESERVE(push, rows) && RESERVE(root, ROOT * bodies) &&
           RESERVE(motion, 6 * bodies) && RESERVE(gradient, 6 * bodies) && RESERVE(direction, 6 * bodies);
}

/* --- Whitening: G = diag(L, sqrt(m)), inertia = L L' --- */

enum { L00, L10, L11, L20, L21, L22, MASS };

static void set_root(const crn_stepper *s, const crn_rigid *body, double *g)
{
    const double *m = body->inertia_world.m;
    g[MASS] = sqrt(body->mass);
    if (s->def.is_planar) { /* only (w_z, v_x, v_y) count */
        g[L22] = sqrt(body->inertia.m[8]);
        return;
    }
    g[L00] = sqrt(m[0]);
    g[L10] = m[1] / g[L00];
    g[L20] = m[2] / g[L00];
    g[L11] = sqrt(m[4] - g[L10] * g[L10]);
    g[L21] = (m[5] - g[L20] * g[L10]) / g[L11];
    g[L22] = sqrt(m[8] - g[L20] * g[L20] - g[L21] * g[L21]);
}

static int place_of(const crn_stepper *s, int body)
{
    return body < 0 ? -1 : s->body[body].at;
}

/* G^-1 of a row's part on one body */
static void whiten(const crn_stepper *s, int body, const double *row, double *to)
{
    int at = place_of(s, body);
    memset(to, 0, 6 * sizeof *to);
    if (at < 0) {
        return;
    }
    const double *g = s->fit.root + ROOT * (size_t)at;
    if (s->def.is_planar) {
        to[2] = row[2] / g[L22];
        to[3] = row[3] / g[MASS];
        to[4] = row[4] / g[MASS];
        return;
    }
    to[0] = row[0] / g[L00];
    to[1] = (row[1] - g[L10] * to[0]) / g[L11];
    to[2] = (row[2] - g[L20] * to[0] - g[L21] * to[1]) / g[L22];
    for (int i = 3; i < 6; ++i) {
        to[i] = row[i] / g[MASS];
    }
}

/* d = G^-T x of one body, in place */
static void unwhiten(const crn_stepper *s, int at, double *x)
{
    const double *g = s->fit.root + ROOT * (size_t)at;
    x[2] /= g[L22];
    if (!s->def.is_planar) {
        x[1] = (x[1] - g[L21] * x[2]) / g[L11];
        x[0] = (x[0] - g[L10] * x[1] - g[L20] * x[2]) / g[L00];
    }
    for (int i = 3; i < 6; ++i) {
        x[i] /= g[MASS];
    }
}

void crn_step_fit_load(crn_stepper *s, const crn_step_row *row, int rows)
{
    crn_step_fit *f = &s->fit;
    for (int i = 0; i < s->problem.problem.bodies; ++i) {
        set_root(s, &s->body[s->problem.body_of[i]].rigid, f->root + ROOT * (size_t)i);
    }
    for (int i = 0; i < rows; ++i) {
        const crn_step_joint *joint = &s->joint[row[i].joint];
        double *column = f->column + 12 * (size_t)i;
        if (row[i].bound > 0.0) {
            memset(column, 0, 12 * sizeof *column);
        } else {
            whiten(s, joint->a, row[i].row.a, column);
            whiten(s, joint->b, row[i].row.b, column + 6);
        }
    }
}

/* --- Products --- */

/* y = A x */
static void times(const crn_stepper *s, const crn_step_row *row, int rows, const double *x, double *y)
{
    for (int i = 0; i < rows; ++i) {
        const crn_step_joint *joint = &s->joint[row[i].joint];
        const double *column = s->fit.column + 12 * (size_t)i;
        int a = place_of(s, joint->a), b = place_of(s, joint->b);
        y[i] = (a >= 0 ? crn_dot(6, column, x + 6 * (size_t)a) : 0.0) +
               (b >= 0 ? crn_dot(6, column + 6, x + 6 * (size_t)b) : 0.0);
    }
}

/* x = A'y */
static void transposed_times(const crn_stepper *s, const crn_step_row *row, int rows, const double *y, double *x)
{
    memset(x, 0, 6 * (size_t)s->problem.problem.bodies * sizeof *x);
    for (int i = 0; i < rows; ++i) {
        const crn_step_joint *joint = &s->joint[row[i].joint];
        const double *column = s->fit.column + 12 * (size_t)i;
        for (int side = 0; side < 2; ++side) {
            int at = place_of(s, side ? joint->b : joint->a);
            for (int j = 0; at >= 0 && j < 6; ++j) {
                x[6 * at + j] += y[i] * column[6 * side + j];
            }
        }
    }
}

/* --- CGLS --- */

/* Sum of the magnitudes that A'residual is made of. */
static double gradient_terms(const crn_step_fit *f, int rows)
{
    double terms = 0.0;
    for (int i = 0; i < rows; ++i) {
        const double *column = f->column + 12 * (size_t)i;
        terms += fabs(f->residual[i]) * sqrt(crn_dot(12, column, column));
    }
    return terms;
}

/* From x = 0 and residual = -value; x is fit.motion, y fit.impulse. */
static void iterate(crn_stepper *s, const crn_step_row *row, int rows, double share_least)
{
    crn_step_fit *f = &s->fit;
    int n = 6 * s->problem.problem.bodies;
    int most = ITERATIONS_PER_ROW * rows < ITERATIONS_MOST ? ITERATIONS_PER_ROW * rows : ITERATIONS_MOST;
    transposed_times(s, row, rows, f->residual, f->gradient);
    memcpy(f->direction, f->gradient, (size_t)n * sizeof *f->direction);
    memcpy(f->push, f->residual, (size_t)rows * sizeof *f->push);
    double square = crn_dot(n, f->gradient, f->gradient), rounding = ROUNDING_TERMS * gradient_terms(f, rows);
    double least = crn_max(share_least * share_least * square, rounding * rounding);
    for (int k = 0; k < most && square > least; ++k) {
        times(s, row, rows, f->direction, f->image);
        double length = crn_dot(rows, f->image, f->image);
        if (!(length > 0.0)) {
            return;
        }
        double step = square / length;
        crn_axpy(n, step, f->direction, f->motion);
        crn_axpy(rows, step, f->push, f->impulse);
        crn_axpy(rows, -step, f->image, f->residual);
        transposed_times(s, row, rows, f->residual, f->gradient);
        double next = crn_dot(n, f->gradient, f->gradient), share = next / square;
        for (int i = 0; i < n; ++i) {
            f->direction[i] = f->gradient[i] + share * f->direction[i];
        }
        for (int i = 0; i < rows; ++i) {
            f->push[i] = f->residual[i] + share * f->push[i];
        }
        square = next;
    }
}

void crn_step_fit_solve(crn_stepper *s, const crn_step_row *row, int rows, double share)
{
    crn_step_fit *f = &s->fit;
    int bodies = s->problem.problem.bodies;
    for (int i = 0; i < rows; ++i) {
        f->residual[i] = row[i].bound > 0.0 ? 0.0 : -f->value[i];
        f->impulse[i] = 0.0;
    }
    memset(f->motion, 0, 6 * (size_t)bodies * sizeof *f->motion);
    iterate(s, row, rows, share);
    times(s, row, rows, f->motion, f->value);
    for (int i = 0; i < rows; ++i) {
        f->value[i] = -f->value[i];
    }
    for (int i = 0; i < bodies; ++i) {
        unwhiten(s, i, f->motion + 6 * (size_t)i);
    }
}

void crn_step_fit_rows(crn_stepper *s, const crn_step_row *row, int rows)
{
    crn_step_fit_load(s, row, rows);
    crn_step_fit_solve(s, row, rows, ROUNDING_SHARE);
}
