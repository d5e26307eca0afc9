/* bench_contact_coulomb.c -- a judge of Coulomb's law that shares no code with the library: rigid and planar bodies by geometry,
 * sums in long double. */
#include "bench_contact.h"

#include <math.h>
#include <string.h>

typedef long double real;
enum { DOF_MAX = 6, BODIES_MAX = 64 };

/* Speeds made of impulses' parts with a large sum of magnitudes are known to a millionth of the certificate's scale: impulses
 * have 53 bits. The library documents the same allowance (contact.h). */
static const real share_of_parts = 1e-6L;

/* x = A \ b for a symmetric 3 x 3 matrix, by cofactors. */
static void solve3(const double A[9], const real b[3], real x[3])
{
    real c[3];
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        c[i] = (real)A[3 * j + 1] * A[3 * k + 2] - (real)A[3 * j + 2] * A[3 * k + 1];
    }
    const real det = A[0] * c[0] + A[3] * c[1] + A[6] * c[2];
    for (int i = 0; i < 3; ++i) { /* row i of the adjugate */
        x[i] = 0.0L;
        for (int j = 0; j < 3; ++j) {
            int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            x[i] += ((real)A[3 * i1 + j1] * A[3 * i2 + j2] - (real)A[3 * i1 + j2] * A[3 * i2 + j1]) * b[j] / det;
        }
    }
}

/* The row of a contact's direction on a body, signs included; in the order of its velocities. */
static void direction_row(const crn_contact_body *body, const crn_contact_point *p, const double d[3], real sign,
                          real row[DOF_MAX])
{
    const bool is_planar = body->kind == CRN_MASS_PLANAR;
    real arm[3];
    for (int k = 0; k < 3; ++k) {
        arm[k] = is_planar && k == 2 ? 0.0L : (real)p->position[k] - body->com[k];
    }
    const real turn[3] = {arm[1] * d[2] - arm[2] * d[1], arm[2] * d[0] - arm[0] * d[2], arm[0] * d[1] - arm[1] * d[0]};
    memset(row, 0, DOF_MAX * sizeof *row);
    if (is_planar) {
        row[0] = sign * turn[2];
        row[1] = sign * d[0];
        row[2] = sign * d[1];
        return;
    }
    for (int k = 0; k < 3; ++k) {
        row[k] = sign * turn[k];
        row[3 + k] = sign * d[k];
    }
}

/* v = M^-1 p of one body. */
static void apply_inverse(const crn_contact_body *body, const real p[DOF_MAX], real v[DOF_MAX])
{
    memset(v, 0, DOF_MAX * sizeof *v);
    if (body->kind == CRN_MASS_PLANAR) {
        v[0] = p[0] / body->inertia[8];
        v[1] = p[1] / body->mass;
        v[2] = p[2] / body->mass;
        return;
    }
    solve3(body->inertia, p, v);
    for (int k = 0; k < 3; ++k) {
        v[3 + k] = p[3 + k] / body->mass;
    }
}

/* What all rows act on: bodies' velocities by the impulses, and the sums of their parts' magnitudes. */
typedef struct motion {
    const crn_contact_problem *problem;
    real change[BODIES_MAX][DOF_MAX], parts[BODIES_MAX][DOF_MAX];
    int first[BODIES_MAX]; /* of a body's velocities */
} motion;

static void add_impulse(motion *m, int body, const real row[DOF_MAX], real impulse)
{
    real v[DOF_MAX], p[DOF_MAX];
    for (int k = 0; k < DOF_MAX; ++k) {
        p[k] = row[k] * impulse;
    }
    apply_inverse(&m->problem->body[body], p, v);
    for (int k = 0; k < DOF_MAX; ++k) {
        m->change[body][k] += v[k];
        m->parts[body][k] += fabsl(v[k]);
    }
}

/* Speed along a row, of the free motion and with impulses; parts: the sum of magnitudes. */
typedef struct speed {
    real free, now, parts, inverse; /* inverse: the row's own M^-1, a speed per impulse */
} speed;

static void add_speed(const motion *m, int body, const real row[DOF_MAX], speed *s)
{
    const crn_contact_body *b = &m->problem->body[body];
    real v[DOF_MAX];
    apply_inverse(b, row, v);
    for (int k = 0; k < b->dof; ++k) {
        const real free = (real)m->problem->velocity[m->first[body] + k];
        s->free += row[k] * free;
        s->now += row[k] * (free + m->change[body][k]);
        s->parts += fabsl(row[k]) * m->parts[body][k];
        s->inverse += row[k] * v[k];
    }
}

static const double *axis_of(const crn_contact_point *p, int axis)
{
    const double *axes[3] = {p->normal, p->t1, p->t2};
    return axes[axis];
}

/* Friction axes that the contact has: none, t1, or both. */
static int tangents_of(const crn_contact_point *p)
{
    return p->directions == 0 ? 0 : p->directions == 2 ? 1 : 2;
}

static void gather_contact(motion *m, int i, const double *impulse)
{
    const crn_contact_point *p = &m->problem->contact[i];
    real row[DOF_MAX];
    for (int axis = 0; axis <= tangents_of(p); ++axis) {
        for (int side = 0; side < 2; ++side) {
            const int body = side == 0 ? p->a : p->b;
            if (body >= 0) {
                direction_row(&m->problem->body[body], p, axis_of(p, axis), side == 0 ? 1.0L : -1.0L, row);
                add_impulse(m, body, row, impulse[3 * i + axis]);
            }
        }
    }
}

static void contact_speeds(const motion *m, int i, speed s[3])
{
    const crn_contact_point *p = &m->problem->contact[i];
    real row[DOF_MAX];
    memset(s, 0, 3 * sizeof *s);
    for (int axis = 0; axis <= tangents_of(p); ++axis) {
        s[axis].free = s[axis].now = p->offset[axis];
        for (int side = 0; side < 2; ++side) {
            const int body = side == 0 ? p->a : p->b;
            if (body >= 0) {
                direction_row(&m->problem->body[body], p, axis_of(p, axis), side == 0 ? 1.0L : -1.0L, row);
                add_speed(m, body, row, &s[axis]);
            }
        }
    }
}

static void load_row(const double *jacobian, int dof, real row[DOF_MAX])
{
    for (int k = 0; k < DOF_MAX; ++k) {
        row[k] = k < dof ? jacobian[k] : 0.0L;
    }
}

/* --- the law --- */

/* How far u and r are from Coulomb's law with a disk: natural map of its friction, as a velocity. */
static real disk_error(real limit, const real r[2], const real u[2], real unit)
{
    real y[2] = {r[0] - u[0] / unit, r[1] - u[1] / unit};
    const real size = hypotl(y[0], y[1]), share = size > limit ? limit / size : 1.0L;
    return unit * hypotl(r[0] - share * y[0], r[1] - share * y[1]);
}

/* The same with a polygon of d corners: r must lie inside, and no corner may oppose the slip better. The power that is missing,
 * over the impulse or over the speed: whichever change would mend it. */
static real polygon_error(int d, real limit, const real r[2], const real u[2], real unit)
{
    const real two_pi = 6.283185307179586476925286766559L, size = hypotl(u[0], u[1]);
    real best = 0.0L, outside = 0.0L;
    for (int j = 0; j < d; ++j) {
        const real corner = two_pi * j / d, middle = two_pi * (j + 0.5L) / d;
        const real power = -limit * (cosl(corner) * u[0] + sinl(corner) * u[1]);
        best = j == 0 || power > best ? power : best;
        const real reach = d == 2 ? limit : limit * cosl(two_pi / 2 / d);
        const real angle = d == 2 ? corner : middle;
        outside = fmaxl(outside, cosl(angle) * r[0] + sinl(angle) * r[1] - reach);
    }
    const real missing = best + u[0] * r[0] + u[1] * r[1];
    const real by_speed = limit > 0.0L ? missing / limit : 0.0L,
               by_impulse = size > 0.0L ? unit * missing / size : 0.0L;
    return fmaxl(unit * outside, fminl(by_speed, by_impulse));
}

static real contact_error(const crn_contact_point *p, crn_contact_cone cone, const double *impulse, const speed s[3])
{
    const real unit = s[0].inverse > 0.0L ? s[0].inverse : 1.0L, normal = impulse[0];
    const real mu = p->directions > 0 ? p->mu : 0.0;
    real error = fabsl(fminl(unit * normal, s[0].now));
    if (mu == 0.0L) {
        return fmaxl(error, unit * hypotl(impulse[1], impulse[2]));
    }
    const real limit = mu * fmaxl(normal, 0.0L), r[2] = {impulse[1], impulse[2]}, u[2] = {s[1].now, s[2].now};
    const real slip_unit = fmaxl(s[1].inverse, s[2].inverse) > 0.0L ? fmaxl(s[1].inverse, s[2].inverse) : 1.0L;
    const bool is_disk = cone == CRN_CONE_ROUND && p->directions > 2;
    const real friction =
        is_disk ? disk_error(limit, r, u, slip_unit) : polygon_error(p->directions, limit, r, u, slip_unit);
    return fmaxl(error, friction);
}

static real row_error(const crn_contact_row *row, double impulse, const speed *s)
{
    if (!(row->bound > 0.0) || isinf(row->bound)) {
        return fabsl(s->now);
    }
    const real y = fminl(fmaxl(impulse - s->now / s->inverse, -(real)row->bound), row->bound);
    return s->inverse * fabsl(impulse - y);
}

/* Speeds of a bilateral row; jacobian_b may be missing. */
static speed row_speed(const motion *m, int i)
{
    const crn_contact_row *row = &m->problem->row[i];
    speed s = {.free = row->offset, .now = row->offset};
    real j[DOF_MAX];
    load_row(row->jacobian_a, m->problem->body[row->a].dof, j);
    add_speed(m, row->a, j, &s);
    if (row->b >= 0) {
        load_row(row->jacobian_b, m->problem->body[row->b].dof, j);
        add_speed(m, row->b, j, &s);
    }
    return s;
}

static void gather_row(motion *m, int i, double impulse)
{
    const crn_contact_row *row = &m->problem->row[i];
    real j[DOF_MAX];
    load_row(row->jacobian_a, m->problem->body[row->a].dof, j);
    add_impulse(m, row->a, j, impulse);
    if (row->b >= 0) {
        load_row(row->jacobian_b, m->problem->body[row->b].dof, j);
        add_impulse(m, row->b, j, impulse);
    }
}

double bench_contact_coulomb_error(const crn_contact_problem *problem, crn_contact_cone cone, const double *impulse,
                                   const double *row_impulse)
{
    static motion m; /* large; the program has one thread */
    real scale = 0.0L, worst = 0.0L;
    if (problem->bodies > BODIES_MAX) {
        return (double)NAN;
    }
    memset(&m, 0, sizeof m);
    m.problem = problem;
    for (int b = 1; b < problem->bodies; ++b) {
        m.first[b] = m.first[b - 1] + problem->body[b - 1].dof;
    }
    for (int i = 0; i < problem->contacts; ++i) {
        gather_contact(&m, i, impulse);
    }
    for (int i = 0; i < problem->rows; ++i) {
        gather_row(&m, i, row_impulse[i]);
    }
    for (int pass = 0; pass < 2; ++pass) { /* the scale first: how fast contacts and rows move in the free motion */
        for (int i = 0; i < problem->contacts + problem->rows; ++i) {
            const bool is_contact = i < problem->contacts;
            speed s[3] = {{0}};
            if (is_contact) {
                contact_speeds(&m, i, s);
            } else {
                s[0] = row_speed(&m, i - problem->contacts);
            }
            const real size = fmaxl(fabsl(s[0].free), fmaxl(fabsl(s[1].free), fabsl(s[2].free)));
            const real parts = fmaxl(s[0].parts, fmaxl(s[1].parts, s[2].parts));
            if (pass == 0) {
                scale = fmaxl(scale, size);
                continue;
            }
            const real error =
                is_contact ? contact_error(&problem->contact[i], cone, impulse + 3 * i, s)
                           : row_error(&problem->row[i - problem->contacts], row_impulse[i - problem->contacts], s);
            worst = fmaxl(worst, error / fmaxl(scale > 0.0L ? scale : 1.0L, share_of_parts * parts));
        }
    }
    return (double)worst;
}
