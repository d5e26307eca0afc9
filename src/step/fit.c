/* Least squares on the rows of joints: the smallest motion that takes back as much of their values as any motion can.
 *
 *     min |A x + value|,    x = G'd,    M = G G',    A = B G^-T                 of all minima the one with the least |x|
 *
 * Loops of joints are redundant more often than not (every planar mechanism in space is), and what their rows have drifted,
 * errors of order h^2 of different shape, then contradicts itself: no velocity takes all of it back. A x is what can be taken
 * back, whatever the rank. Conjugate gradients on the normal equations (CGLS) [B96 s7.4] have the property that counts
 * here: after any number of iterations -A x is a set of values that one motion satisfies exactly. No rank is ever decided,
 * nothing is regularised. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "math/rigid.h"
#include "math/vec.h"
#include "step/parts.h"

static const double GRADIENT_SHARE = 1e-13; /* stop when the gradient has fallen to this share: rounding */
enum { ITERATIONS_MOST = 400, ITERATIONS_PER_ROW = 4 };

#define RESERVE(field, count) \
    crn_reserve(&s->allocator, (void **)&f->field, &f->field##_capacity, (count), sizeof *f->field)

static bool reserve(crn_stepper *s, int rows, int bodies)
{
    crn_step_fit *f = &s->fit;
    return RESERVE(column, 12 * rows) && RESERVE(value, rows) && RESERVE(residual, rows) && RESERVE(image, rows) &&
           RESERVE(motion, 6 * bodies) && RESERVE(gradient, 6 * bodies) && RESERVE(direction, 6 * bodies);
}

/* --- Whitening: G = diag(L, sqrt(m)), inertia = L L' --- */

typedef struct root {
    double l00, l10, l11, l20, l21, l22, mass;
} root;

static root root_of(const crn_rigid *body)
{
    const double *m = body->inertia_world.m;
    root g = {.l00 = sqrt(m[0]), .mass = sqrt(body->mass)};
    g.l10 = m[1] / g.l00;
    g.l20 = m[2] / g.l00;
    g.l11 = sqrt(m[4] - g.l10 * g.l10);
    g.l21 = (m[5] - g.l20 * g.l10) / g.l11;
    g.l22 = sqrt(m[8] - g.l20 * g.l20 - g.l21 * g.l21);
    return g;
}

/* G^-1 of a row's part on one body; in the plane only (w_z, v_x, v_y) count */
static void whiten(const crn_stepper *s, int body, const double *row, double *to)
{
    memset(to, 0, 6 * sizeof *to);
    if (body < 0 || s->body[body].at < 0) {
        return;
    }
    const crn_rigid *rigid = &s->body[body].rigid;
    root g = root_of(rigid);
    if (s->def.is_planar) {
        to[2] = row[2] / sqrt(rigid->inertia.m[8]);
        to[3] = row[3] / g.mass;
        to[4] = row[4] / g.mass;
        return;
    }
    to[0] = row[0] / g.l00;
    to[1] = (row[1] - g.l10 * to[0]) / g.l11;
    to[2] = (row[2] - g.l20 * to[0] - g.l21 * to[1]) / g.l22;
    for (int i = 3; i < 6; ++i) {
        to[i] = row[i] / g.mass;
    }
}

/* d = G^-T x of one body, in place */
static void unwhiten(const crn_stepper *s, const crn_rigid *rigid, double *x)
{
    root g = root_of(rigid);
    if (s->def.is_planar) {
        x[2] /= sqrt(rigid->inertia.m[8]);
    } else {
        x[2] /= g.l22;
        x[1] = (x[1] - g.l21 * x[2]) / g.l11;
        x[0] = (x[0] - g.l10 * x[1] - g.l20 * x[2]) / g.l00;
    }
    for (int i = 3; i < 6; ++i) {
        x[i] /= g.mass;
    }
}

/* --- Products --- */

static int place_of(const crn_stepper *s, int body)
{
    return body < 0 ? -1 : s->body[body].at;
}

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

/* From x = 0 and residual = -value; x is fit.motion. */
static void iterate(crn_stepper *s, const crn_step_row *row, int rows)
{
    crn_step_fit *f = &s->fit;
    int n = 6 * s->problem.problem.bodies;
    int most = ITERATIONS_PER_ROW * rows < ITERATIONS_MOST ? ITERATIONS_PER_ROW * rows : ITERATIONS_MOST;
    transposed_times(s, row, rows, f->residual, f->gradient);
    memcpy(f->direction, f->gradient, (size_t)n * sizeof *f->direction);
    double square = crn_dot(n, f->gradient, f->gradient), least = GRADIENT_SHARE * GRADIENT_SHARE * square;
    for (int k = 0; k < most && square > least; ++k) {
        times(s, row, rows, f->direction, f->image);
        double length = crn_dot(rows, f->image, f->image);
        if (!(length > 0.0)) {
            return;
        }
        double step = square / length;
        for (int i = 0; i < n; ++i) {
            f->motion[i] += step * f->direction[i];
        }
        for (int i = 0; i < rows; ++i) {
            f->residual[i] -= step * f->image[i];
        }
        transposed_times(s, row, rows, f->residual, f->gradient);
        double next = crn_dot(n, f->gradient, f->gradient), share = next / square;
        for (int i = 0; i < n; ++i) {
            f->direction[i] = f->gradient[i] + share * f->direction[i];
        }
        square = next;
    }
}

bool crn_step_fit_begin(crn_stepper *s, int rows)
{
    return reserve(s, rows, s->problem.problem.bodies);
}

void crn_step_fit_rows(crn_stepper *s, const crn_step_row *row, int rows)
{
    crn_step_fit *f = &s->fit;
    int bodies = s->problem.problem.bodies;
    for (int i = 0; i < rows; ++i) {
        const crn_step_joint *joint = &s->joint[row[i].joint];
        whiten(s, joint->a, row[i].row.a, f->column + 12 * (size_t)i);
        whiten(s, joint->b, row[i].row.b, f->column + 12 * (size_t)i + 6);
        if (row[i].bound > 0.0) {
            memset(f->column + 12 * (size_t)i, 0, 12 * sizeof *f->column);
        }
        f->residual[i] = -f->value[i];
    }
    memset(f->motion, 0, 6 * (size_t)bodies * sizeof *f->motion);
    iterate(s, row, rows);
    times(s, row, rows, f->motion, f->value);
    for (int i = 0; i < rows; ++i) {
        f->value[i] = -f->value[i];
    }
    for (int i = 0; i < bodies; ++i) {
        unwhiten(s, &s->body[s->problem.body_of[i]].rigid, f->motion + 6 * (size_t)i);
    }
}
