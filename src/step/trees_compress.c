/* Fewer velocities for the problem: a mechanism that is touched in few places moves, as far as contacts can tell, in few
 * directions.
 *
 * Let Y hold the columns of all rows on the mechanism. Whitened velocities count alike in every orthonormal basis, and what is
 * orthogonal to Y no impulse changes. So with Y = Q R,
 *
 *     z = Q'nu,    columns R,    nu' = nu + Q (z' - z),
 *
 * the problem has as many velocities as Y has independent columns: a chain of 75 on 7 contacts has 21. */
#include <math.h>
#include <string.h>

#include "math/vec.h"
#include "step/trees.h"

static const double DEPENDENT_BELOW = 1e-14; /* of its length: what is left of a column that others make up */

/* --- The columns of a mechanism --- */

typedef struct columns {
    crn_stepper *s;
    crn_step_mechanism *m;
    double *Q;
    int rank;
} columns;

typedef void (*visitor)(columns *c, double *jacobian, int count);

/* Call visit for each part of a Jacobian on the mechanism. */
static void visit_all(columns *c, visitor visit)
{
    crn_step_problem *p = &c->s->problem;
    for (int i = 0; i < p->problem.contacts; ++i) {
        crn_contact_point *point = &p->point[i];
        if (point->a == c->m->at) {
            visit(c, (double *)(uintptr_t)point->jacobian_a, 3);
        }
        if (point->b == c->m->at) {
            visit(c, (double *)(uintptr_t)point->jacobian_b, 3);
        }
    }
    for (int i = 0; i < p->problem.rows; ++i) {
        crn_contact_row *row = &p->row[i];
        if (row->a == c->m->at) {
            visit(c, (double *)(uintptr_t)row->jacobian_a, 1);
        }
        if (row->b == c->m->at) {
            visit(c, (double *)(uintptr_t)row->jacobian_b, 1);
        }
    }
}

static void count_columns(columns *c, double *jacobian, int count)
{
    (void)jacobian;
    c->rank += count;
}

/* y := its coefficients in the basis, which grows by what is left of it (Gram and Schmidt, twice). */
static void orthogonalise(columns *c, double *y)
{
    int n = c->m->whitened;
    double *q = c->Q + (size_t)c->rank * (size_t)n, *part = c->s->column;
    double length = sqrt(crn_dot(n, y, y));
    memcpy(q, y, (size_t)n * sizeof *q);
    memset(part, 0, (size_t)n * sizeof *part);
    for (int pass = 0; pass < 2 && length > 0.0; ++pass) {
        for (int i = 0; i < c->rank; ++i) {
            const double *other = c->Q + (size_t)i * (size_t)n;
            double along = crn_dot(n, other, q);
            part[i] += along;
            crn_axpy(n, -along, other, q);
        }
    }
    double rest = sqrt(crn_dot(n, q, q));
    if (rest > DEPENDENT_BELOW * length) {
        crn_scal(n, 1.0 / rest, q);
        part[c->rank++] = rest;
    }
    memcpy(y, part, (size_t)n * sizeof *y);
}

static void factor_columns(columns *c, double *jacobian, int count)
{
    for (int k = 0; k < count; ++k) {
        orthogonalise(c, jacobian + (size_t)k * (size_t)c->m->whitened);
    }
}

/* Columns of the mechanism's velocities become columns of the rank. */
static void pack_columns(columns *c, double *jacobian, int count)
{
    for (int k = 1; k < count; ++k) {
        memmove(jacobian + (size_t)k * (size_t)c->rank, jacobian + (size_t)k * (size_t)c->m->whitened,
                (size_t)c->rank * sizeof *jacobian);
    }
}

/* --- To and fro --- */

static int columns_on(crn_stepper *s, crn_step_mechanism *m)
{
    columns c = {s, m, NULL, 0};
    visit_all(&c, count_columns);
    return c.rank;
}

bool crn_trees_compress_room(crn_stepper *s)
{
    int numbers = 0;
    /* Newton's method factorises all velocities again and again; pivots gain less than the basis costs. */
    bool is_wanted = s->def.cone == CRN_CONE_ROUND && s->kick.purpose != CRN_FOR_POSITIONS;
    for (int i = 0; i < s->forest.mechanisms; ++i) {
        crn_step_mechanism *m = &s->forest.mechanism[i];
        m->dof = m->whitened;
        m->compressed = numbers;
        int count = m->at >= 0 && is_wanted ? columns_on(s, m) : 0;
        if (count > 0 && count < m->whitened) {
            numbers += (count + 1) * m->whitened;
            m->dof = 0; /* to be found */
        }
    }
    return crn_reserve(&s->allocator, (void **)&s->compress, &s->compress_capacity, numbers, sizeof *s->compress);
}

void crn_trees_compress(crn_stepper *s)
{
    for (int i = 0; i < s->forest.mechanisms; ++i) {
        crn_step_mechanism *m = &s->forest.mechanism[i];
        if (m->at >= 0 && m->dof == 0) {
            columns c = {s, m, s->compress + m->compressed, 0};
            visit_all(&c, factor_columns);
            if (c.rank == 0) { /* all columns are 0: any direction will do */
                memset(c.Q, 0, (size_t)m->whitened * sizeof *c.Q);
                c.Q[0] = 1.0;
                c.rank = 1;
            }
            visit_all(&c, pack_columns);
            m->dof = c.rank;
        }
    }
}

int crn_step_first_velocity(const crn_stepper *s, const crn_step_mechanism *m)
{
    int first = s->problem.rigid * (s->def.is_planar ? 3 : 6);
    for (const crn_step_mechanism *other = s->forest.mechanism; other < m; ++other) {
        first += other->at >= 0 ? other->dof : 0;
    }
    return first;
}

void crn_trees_to_problem(const crn_stepper *s, const crn_step_mechanism *m, double *z)
{
    const double *nu = s->forest.nu + m->w;
    if (m->dof == m->whitened) {
        memcpy(z, nu, (size_t)m->whitened * sizeof *z);
        return;
    }
    for (int i = 0; i < m->dof; ++i) {
        z[i] = crn_dot(m->whitened, s->compress + m->compressed + (size_t)i * (size_t)m->whitened, nu);
    }
}

void crn_trees_from_problem(crn_stepper *s, const crn_step_mechanism *m)
{
    int first = crn_step_first_velocity(s, m);
    const double *found = s->problem.found + first;
    double *nu = s->forest.nu + m->w;
    if (m->dof == m->whitened) {
        memcpy(nu, found, (size_t)m->whitened * sizeof *nu);
        return;
    }
    for (int i = 0; i < m->dof; ++i) {
        const double *q = s->compress + m->compressed + (size_t)i * (size_t)m->whitened;
        crn_axpy(m->whitened, found[i] - crn_dot(m->whitened, q, nu), q, nu);
    }
}
