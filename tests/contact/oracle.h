/* The definition of a contact problem in the caller's coordinates, in long double and without any code of the library:
 * kinematics of points, dense mass matrices, and a judge of impulses. */
#ifndef CRN_TEST_CONTACT_ORACLE_H
#define CRN_TEST_CONTACT_ORACLE_H

#include "scenes.h"

typedef long double real;

/* Mass matrix of body i, dof x dof. */
static inline void mass_of(const crn_contact_body *body, real *A)
{
    int n = body->dof;
    for (int i = 0; i < n * n; ++i) {
        A[i] = 0.0L;
    }
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            real *entry = &A[i + j * n];
            if (body->kind == CRN_MASS_RIGID) {
                *entry = i < 3 && j < 3 ? body->inertia[i + 3 * j] : i == j ? body->mass : 0.0;
            } else if (body->kind == CRN_MASS_UNIT) {
                *entry = i == j;
            } else if (body->kind == CRN_MASS_MATRIX) {
                *entry = body->matrix[i + j * body->ld];
            } else {
                for (int l = 0; l <= (i < j ? i : j); ++l) {
                    *entry += (real)body->matrix[i + l * body->ld] * body->matrix[j + l * body->ld];
                }
            }
        }
    }
}

/* x = A \ x by Gauss-Jordan with row exchanges; A is destroyed. */
static inline void solve_dense(int n, real *A, real *x)
{
    for (int k = 0; k < n; ++k) {
        int p = k;
        for (int i = k; i < n; ++i) {
            p = fabsl(A[i + k * n]) > fabsl(A[p + k * n]) ? i : p;
        }
        for (int j = 0; j < n; ++j) {
            real t = A[k + j * n];
            A[k + j * n] = A[p + j * n];
            A[p + j * n] = t;
        }
        real t = x[k];
        x[k] = x[p];
        x[p] = t;
        for (int i = 0; i < n; ++i) {
            real factor = i == k ? 0.0L : A[i + k * n] / A[k + k * n];
            for (int j = 0; j < n; ++j) {
                A[i + j * n] -= factor * A[k + j * n];
            }
            x[i] -= factor * x[k];
        }
    }
    for (int k = 0; k < n; ++k) {
        x[k] /= A[k + k * n];
    }
}

/* Velocity along `direction` of the body's point at `position` when only velocity number l is 1. */
static inline double point_speed(const crn_contact_body *body, const double *position, const double *direction, int l)
{
    double w[3] = {0.0, 0.0, 0.0}, arm[3], v[3];
    for (int k = 0; k < 3; ++k) {
        arm[k] = position[k] - body->com[k];
    }
    if (l < 3) {
        w[l] = 1.0;
    }
    cross3(w, arm, v);
    if (l >= 3) {
        v[l - 3] += 1.0;
    }
    return v[0] * direction[0] + v[1] * direction[1] + v[2] * direction[2];
}

/* Row of contact i along (a n + b t1 + c t2) over all velocities. */
static inline void contact_row(const scene *s, int i, const double *weights, real *row)
{
    const crn_contact_point *c = &s->contact[i];
    const double *axis[3] = {c->normal, c->t1, c->t2};
    int first = 0;
    for (int body = 0; body < s->problem.bodies; ++body) {
        int dof = s->body[body].dof;
        for (int l = 0; l < dof; ++l) {
            real sum = 0.0L;
            for (int k = 0; k < 3 && (body == c->a || body == c->b); ++k) {
                const double *given = body == c->a ? c->jacobian_a : c->jacobian_b;
                double sign = body == c->a ? 1.0 : -1.0;
                double entry = c->jacobian_a || c->jacobian_b
                                   ? given[l + k * dof]
                                   : sign * point_speed(&s->body[body], c->position, axis[k], l);
                sum += (real)weights[k] * entry;
            }
            row[first + l] = sum;
        }
        first += dof;
    }
}

static inline void bilateral_row(const scene *s, int i, real *row)
{
    const crn_contact_row *r = &s->row[i];
    int first = 0;
    for (int body = 0; body < s->problem.bodies; ++body) {
        const double *given = body == r->a ? r->jacobian_a : body == r->b ? r->jacobian_b : NULL;
        for (int l = 0; l < s->body[body].dof; ++l) {
            row[first + l] = given ? given[l] : 0.0;
        }
        first += s->body[body].dof;
    }
}

/* All rows J (order x dof, row after row) and offsets, zero for cones. Returns the order. */
static inline int all_rows(const scene *s, real *J, double *offset)
{
    const int dof = scene_dof(s), n = s->problem.contacts;
    int at = 0;
    for (int i = 0; i < n; ++i, ++at) {
        contact_row(s, i, (double[3]){1.0, 0.0, 0.0}, J + at * dof);
        offset[at] = s->contact[i].offset[0];
    }
    for (int i = 0; i < n; ++i) {
        int d = s->contact[i].directions;
        for (int j = 0; j < d; ++j, ++at) {
            double angle = 2.0 * acos(-1.0) * j / d, c = cos(angle), t = d == 2 ? 0.0 : sin(angle);
            contact_row(s, i, (double[3]){0.0, c, t}, J + at * dof);
            offset[at] = c * s->contact[i].offset[1] + t * s->contact[i].offset[2];
        }
    }
    for (int i = 0; i < n; ++i) {
        for (int l = 0; l < dof && s->contact[i].directions > 0; ++l) {
            J[at * dof + l] = 0.0L;
        }
        at += s->contact[i].directions > 0;
    }
    for (int i = 0; i < s->problem.rows; ++i, ++at) {
        bilateral_row(s, i, J + at * dof);
        offset[at] = s->row[i].offset;
    }
    return at;
}

/* x = mass^-1 x over all bodies */
static inline void apply_inverse_mass(const scene *s, real *x)
{
    real A[SCENE_DOF * SCENE_DOF];
    int first = 0;
    for (int i = 0; i < s->problem.bodies; ++i) {
        mass_of(&s->body[i], A);
        solve_dense(s->body[i].dof, A, x + first);
        first += s->body[i].dof;
    }
}

/* --- judging impulses --- */

/* v = v_f + mass^-1 (J'r + B'l), and u = J v + offset of the contacts, 3 each. */
static inline void oracle_motion(const scene *s, const double *r, const double *l, real *v, real *u)
{
    static const double axis[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    const int dof = scene_dof(s);
    real row[SCENE_DOF];
    memset(v, 0, (size_t)dof * sizeof *v);
    for (int i = 0; i < 3 * s->problem.contacts + s->problem.rows; ++i) {
        bool is_contact = i < 3 * s->problem.contacts;
        int bilateral = i - 3 * s->problem.contacts;
        is_contact ? contact_row(s, i / 3, axis[i % 3], row) : bilateral_row(s, bilateral, row);
        for (int k = 0; k < dof; ++k) {
            v[k] += (is_contact ? r[i] : l[bilateral]) * row[k];
        }
    }
    apply_inverse_mass(s, v);
    for (int k = 0; k < dof; ++k) {
        v[k] += s->velocity[k];
    }
    for (int i = 0; i < 3 * s->problem.contacts; ++i) {
        contact_row(s, i / 3, axis[i % 3], row);
        u[i] = s->contact[i / 3].offset[i % 3];
        for (int k = 0; k < dof; ++k) {
            u[i] += row[k] * v[k];
        }
    }
}

/* How far f is outside of the polygon with corners at `limit`, and how much more than f a corner would brake, relative to
 * `limit`. */
static inline real friction_error(int d, real limit, const double *f, const real *u, real mass)
{
    real outside = 0.0L, brake = 0.0L;
    for (int j = 0; j < d; ++j) {
        real angle = 2.0L * acosl(-1.0L) * j / d, half = acosl(-1.0L) / d;
        real along = d == 2 ? (j ? -f[0] : f[0]) : f[0] * cosl(angle + half) + f[1] * sinl(angle + half);
        outside = fmaxl(outside, along - limit * (d == 2 ? 1.0L : cosl(half)));
        brake = fmaxl(brake, -(cosl(angle) * u[0] + (d == 2 ? 0.0L : sinl(angle) * u[1])));
    }
    if (limit <= 0.0L) {
        return fmaxl(outside, hypotl(f[0], f[1])) / mass;
    }
    real missing = brake + (u[0] * f[0] + u[1] * f[1]) / limit;
    /* within rounding of limit = 0 the slip is not decided by f: then the impulse itself is the error */
    return fmaxl(outside / mass, fminl(fabsl(missing), limit / mass));
}

/* Largest violation as a velocity over the largest free speed: signs, complementarity, cones, bilateral rows. */
static inline real oracle_error(const scene *s, const double *r, const double *l)
{
    real v[SCENE_DOF], free_v[SCENE_DOF], u[3 * SCENE_CONTACTS], free_u[3 * SCENE_CONTACTS], row[SCENE_DOF];
    const double none[3 * SCENE_CONTACTS] = {0.0}, no_rows[SCENE_ROWS] = {0.0};
    real worst = 0.0L, speed = 0.0L;
    const int dof = scene_dof(s);
    oracle_motion(s, none, no_rows, free_v, free_u);
    oracle_motion(s, r, l, v, u);
    for (int i = 0; i < 3 * s->problem.contacts; ++i) {
        speed = fmaxl(speed, fabsl(free_u[i]));
    }
    for (int i = 0; i < s->problem.contacts; ++i) {
        const crn_contact_point *c = &s->contact[i];
        real inverse = 0.0L, response[SCENE_DOF];
        contact_row(s, i, (double[3]){1.0, 0.0, 0.0}, row);
        memcpy(response, row, sizeof row);
        apply_inverse_mass(s, response);
        for (int k = 0; k < dof; ++k) {
            inverse += row[k] * response[k];
        }
        real mass = inverse > 0.0L ? 1.0L / inverse : 1.0L, normal = r[3 * i] / mass;
        worst = fmaxl(worst, fabsl(fminl(normal, u[3 * i])));
        int d = c->mu > 0.0 ? c->directions : 0;
        worst = fmaxl(worst, friction_error(d, c->mu * fmaxl(r[3 * i], 0.0L), r + 3 * i + 1, u + 3 * i + 1, mass));
    }
    for (int i = 0; i < s->problem.rows; ++i) {
        real sum = s->row[i].offset;
        bilateral_row(s, i, row);
        for (int k = 0; k < dof; ++k) {
            sum += row[k] * v[k];
        }
        worst = fmaxl(worst, fabsl(sum));
    }
    return worst / (speed > 0.0L ? speed : 1.0L);
}

#endif
