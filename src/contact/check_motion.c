/* The motion that belongs to impulses, from the caller's data: v = v_f + M^-1 (J'r + B'l).
 *
 * x = M^-1 p uses the factors of mass.h and one step of refinement with the caller's inertia; where the first residual
 * p - M x is not small, the factor does not belong to this inertia. */
#include <math.h>
#include <string.h>

#include "contact/check_parts.h"
#include "contact/problem.h"
#include "math/dd.h"
#include "math/vec.h"

/* Largest |p - M x| over |p| that a Cholesky factor of M can leave: it is of the order of dof * 2^-53 whatever the
 * condition of M  [H02 s10.1], so more than this is a factor of another matrix. */
#define TOL_FACTOR 1e-8
/* A residual p - M x this small against p is its own rounding: nothing to refine. */
#define AT_ROUNDING 2.2e-16

/* An impulse f at a point of a rigid or planar body: p += (arm x f, f). */
static inline void add_at_point(const crn_measure *m, int body, const double *point, const double *f, double *p)
{
    const double *com = m->problem->body[body].com;
    double *to = p + m->start[body];
    if (m->problem->body[body].kind == CRN_MASS_PLANAR) {
        to[0] += (point[0] - com[0]) * f[1] - (point[1] - com[1]) * f[0];
        to[1] += f[0];
        to[2] += f[1];
        return;
    }
    const double arm[3] = {point[0] - com[0], point[1] - com[1], point[2] - com[2]};
    to[0] += arm[1] * f[2] - arm[2] * f[1];
    to[1] += arm[2] * f[0] - arm[0] * f[2];
    to[2] += arm[0] * f[1] - arm[1] * f[0];
    to[3] += f[0];
    to[4] += f[1];
    to[5] += f[2];
}

/* p += J'r by geometry */
static inline void add_geometric(const crn_measure *m, int i, const double *r, double *p)
{
    const crn_contact_point *contact = &m->problem->contact[i];
    const double *frame = m->frame + 9 * (size_t)i;
    double f[3], back[3];
    for (int k = 0; k < 3; ++k) {
        f[k] = r[0] * frame[k] + r[1] * frame[3 + k] + r[2] * frame[6 + k];
        back[k] = -f[k];
    }
    if (contact->a >= 0) {
        add_at_point(m, contact->a, contact->position, f, p);
    }
    if (contact->b >= 0) {
        add_at_point(m, contact->b, contact->position, back, p);
    }
}

/* p += J'r by the Jacobians */
static void add_general(const crn_measure *m, int i, const double *r, double *p)
{
    const crn_contact_point *contact = &m->problem->contact[i];
    for (int side = 0; side < 2; ++side) {
        int body = side == 0 ? contact->a : contact->b;
        if (body < 0) {
            continue;
        }
        int dof = m->problem->body[body].dof;
        const double *n = side == 0 ? contact->jacobian_a : contact->jacobian_b, *t1 = n + dof, *t2 = t1 + dof;
        double *to = p + m->start[body];
        for (int l = 0; l < dof; ++l) {
            to[l] += (r[0] * n[l] + r[1] * t1[l]) + r[2] * t2[l];
        }
    }
}

/* p += J'r */
static inline void add_impulse(const crn_measure *m, int i, const double *r, double *p)
{
    if (crn_has_geometry(&m->problem->contact[i])) {
        add_geometric(m, i, r, p);
    } else {
        add_general(m, i, r, p);
    }
}

static void add_row_impulse(const crn_measure *m, const crn_contact_row *row, double l, double *p)
{
    for (int side = 0; side < 2; ++side) {
        int body;
        const double *J = crn_row_side(row, side, &body);
        if (J) {
            crn_axpy(m->problem->body[body].dof, l, J, p + m->start[body]);
        }
    }
}

/* p = J'r + B'l with compensated sums. */
static void add_carefully(const crn_measure *m, const double *r, const double *l, double *p, double *low)
{
    const crn_contact_problem *problem = m->problem;
    int dof = m->start[problem->bodies];
    memset(low, 0, (size_t)dof * sizeof *low);
    for (int i = 0; i < 2 * (problem->contacts + problem->rows); ++i) {
        int item = i / 2, side = i % 2, body, row = item - problem->contacts;
        double space[18];
        if (row >= 0) {
            const double *J = crn_row_side(&problem->row[row], side, &body);
            if (J) {
                crn_dd_axpy(problem->body[body].dof, l[row], J, p + m->start[body], low + m->start[body]);
            }
            continue;
        }
        const crn_contact_point *contact = &problem->contact[item];
        body = side == 0 ? contact->a : contact->b;
        if (body < 0) {
            continue;
        }
        const double *J = crn_contact_columns(problem, contact, side, space);
        int size = problem->body[body].dof;
        for (int j = 0; j < 3; ++j) {
            crn_dd_axpy(size, r[3 * (size_t)item + (size_t)j], J + (size_t)j * (size_t)size, p + m->start[body],
                        low + m->start[body]);
        }
    }
    for (int i = 0; i < dof; ++i) {
        p[i] += low[i];
    }
}

/* y = M x with the lower triangle of the caller's inertia, the one that is factorised. */
static void rigid_product(const crn_contact_body *body, const double *x, double *y)
{
    const double *I = body->inertia;
    y[0] = I[0] * x[0] + I[1] * x[1] + I[2] * x[2];
    y[1] = I[1] * x[0] + I[4] * x[1] + I[5] * x[2];
    y[2] = I[2] * x[0] + I[5] * x[1] + I[8] * x[2];
    for (int k = 3; k < 6; ++k) {
        y[k] = body->mass * x[k];
    }
}

static void planar_product(const crn_contact_body *body, const double *x, double *y)
{
    y[0] = body->inertia[8] * x[0];
    y[1] = body->mass * x[1];
    y[2] = body->mass * x[2];
}

static void matrix_product(const crn_contact_body *body, const double *x, double *y)
{
    int n = body->dof;
    memset(y, 0, (size_t)n * sizeof *y);
    for (int j = 0; j < n; ++j) {
        const double *column = body->matrix + (size_t)j * (size_t)body->ld;
        y[j] += column[j] * x[j];
        for (int i = j + 1; i < n; ++i) {
            y[i] += column[i] * x[j];
            y[j] += column[i] * x[i];
        }
    }
}

/* x = M^-1 p by the factor, refined once with the caller's M; false if the factor is not that of M. */
static bool refined_solve(const crn_mass *mass, const double *p, double *x, double *residual)
{
    const crn_contact_body *body = mass->body;
    int n = body->dof;
    double size = 0.0, error = 0.0;
    crn_mass_whiten(mass, p, x);
    crn_mass_velocity(mass, x, x);
    if (body->kind == CRN_MASS_RIGID) {
        rigid_product(body, x, residual);
    } else if (body->kind == CRN_MASS_PLANAR) {
        planar_product(body, x, residual);
    } else {
        matrix_product(body, x, residual);
    }
    for (int i = 0; i < n; ++i) {
        residual[i] = p[i] - residual[i];
        size = crn_max(fabs(p[i]), size);
        error = crn_max(fabs(residual[i]), error);
    }
    if (error > AT_ROUNDING * size) {
        crn_mass_whiten(mass, residual, residual);
        crn_mass_velocity(mass, residual, residual);
        for (int i = 0; i < n; ++i) {
            x[i] += residual[i];
        }
    }
    return error <= TOL_FACTOR * size;
}

/* x = M^-1 p of one body. */
static bool solve_mass(const crn_measure *m, int i, const double *p, double *x)
{
    const crn_contact_body *body = &m->problem->body[i];
    switch (body->kind) {
    case CRN_MASS_UNIT: memcpy(x, p, (size_t)body->dof * sizeof *x); return true;
    case CRN_MASS_OPERATOR: body->solve(body->user, p, x); return true;
    case CRN_MASS_FACTOR: /* crn_mass uses the caller's own factor */
        crn_mass_whiten(&m->mass[i], p, x);
        crn_mass_velocity(&m->mass[i], x, x);
        return true;
    case CRN_MASS_RIGID:
    case CRN_MASS_PLANAR:
    case CRN_MASS_MATRIX:
    default: return refined_solve(&m->mass[i], p, x, m->work);
    }
}

/* The motion; false if a mass does not fit its factor. */
bool crn_measure_motion(const crn_measure *m, bool is_careful, const double *r, const double *l, double *v)
{
    const crn_contact_problem *problem = m->problem;
    int dof = m->start[problem->bodies];
    bool is_right = true;
    memset(m->p, 0, (size_t)dof * sizeof *m->p);
    if (is_careful) {
        add_carefully(m, r, l, m->p, m->low);
    } else {
        for (int i = 0; i < problem->contacts; ++i, r += 3) {
            if (r[0] != 0.0 || r[1] != 0.0 || r[2] != 0.0) {
                add_impulse(m, i, r, m->p);
            }
        }
        for (int i = 0; i < problem->rows; ++i) {
            add_row_impulse(m, &problem->row[i], l[i], m->p);
        }
    }
    for (int i = 0; i < problem->bodies; ++i) {
        double *x = v + m->start[i];
        is_right = solve_mass(m, i, m->p + m->start[i], x) && is_right;
        for (int k = 0; k < problem->body[i].dof; ++k) {
            x[k] += m->free[m->start[i] + k];
        }
    }
    return is_right;
}
