/* Loops of a mechanism, taken out of its velocities [section 5].
 *
 * Rows G u + g = 0 of the joints that close loops have whitened columns Y. They are made orthonormal one by one (Gram and
 * Schmidt, twice), with what each is to be: Q'nu = value. Rows that depend on those before are dropped, so that redundant
 * loops change nothing. Velocities and columns of contacts then are reduced to the complement,
 *
 *     nu = shift + P nu,   shift = Q value,   P = 1 - Q Q',
 *
 * and the contact problem has no rows for loops. */
#include <math.h>
#include <string.h>

#include "math/vec.h"
#include "step/trees.h"

static const double DEPENDENT_BELOW = 1e-6; /* of its length: a row that depends on others; squared it is 1e-12 */

/* One more row y with its value, made orthogonal to those before. */
static void add_row(crn_step_forest *f, crn_step_mechanism *m, double value)
{
    int n = m->whitened;
    double *y = f->basis + m->basis + (size_t)m->rank * (size_t)n;
    double length = sqrt(crn_dot(n, y, y));
    for (int pass = 0; pass < 2; ++pass) {
        for (int i = 0; i < m->rank; ++i) {
            const double *q = f->basis + m->basis + (size_t)i * (size_t)n;
            double part = crn_dot(n, q, y);
            crn_axpy(n, -part, q, y);
            value -= part * f->basis_value[m->value + i];
        }
    }
    double rest = sqrt(crn_dot(n, y, y));
    if (!(rest > DEPENDENT_BELOW * length)) {
        return;
    }
    for (int k = 0; k < n; ++k) {
        y[k] /= rest;
    }
    f->basis_value[m->value + m->rank++] = value / rest;
}

static double *next_row(crn_step_forest *f, const crn_step_mechanism *m)
{
    double *y = f->basis + m->basis + (size_t)m->rank * (size_t)m->whitened;
    memset(y, 0, (size_t)m->whitened * sizeof *y);
    return y;
}

/* One side of a row: its column if the body is in the mechanism, its speed if that is given. */
static double add_side(crn_stepper *s, int body, const double *row, bool is_velocity, double *y)
{
    if (body < 0) {
        return 0.0;
    }
    const crn_step_body *b = &s->body[body];
    if (b->tree > 0) {
        crn_trees_add_column(s, body, row, 1.0, y);
        return is_velocity ? crn_trees_known_speed(s, body, row) : 0.0;
    }
    bool is_moving = is_velocity && b->kind == CRN_BODY_DRIVEN;
    return is_moving ? crn_v3_dot(crn_v3_of(row), b->next_w) + crn_v3_dot(crn_v3_of(row + 3), b->next_v) : 0.0;
}

/* value of a coordinate, and its column */
static double add_coordinate(crn_stepper *s, int joint, int k, double scale, bool is_velocity, double *y, double *speed)
{
    const crn_step_tree *tree;
    int link;
    if (!crn_step_joint_link(s, joint, &tree, &link)) {
        return 0.0;
    }
    const crn_link *l = &tree->tree->link[link];
    crn_trees_add_joint_column(s, joint, k, scale, y);
    *speed += is_velocity && l->is_driven ? scale * s->forest.u[tree->u + l->u + k] : 0.0;
    return scale * s->forest.q[tree->q + l->q + k];
}

/* Rows of one joint: what it holds, and coordinates that follow others. Returns the largest error. */
static double add_joint(crn_stepper *s, crn_step_mechanism *m, int joint, bool is_velocity, bool is_built)
{
    const crn_step_joint *j = &s->joint[joint];
    crn_joint_row row[CRN_JOINT_ROWS_MAX];
    int which[CRN_JOINT_ROWS_MAX];
    double worst = 0.0;
    int count = j->def.in_tree ? 0 : crn_step_held(s, joint, row, which);
    for (int i = 0; i < count; ++i) {
        worst = fmax(worst, fabs(row[i].value));
        if (is_built) {
            double *y = next_row(&s->forest, m);
            double known = add_side(s, j->a, row[i].a, is_velocity, y) + add_side(s, j->b, row[i].b, is_velocity, y);
            add_row(&s->forest, m, is_velocity ? -known : -row[i].value);
        }
    }
    for (int k = 0; k < crn_joint_kind_coordinates(j->def.kind); ++k) {
        const crn_joint_axis *axis = &j->def.axis[k];
        if (axis->follows <= 0 || !j->def.in_tree) {
            continue;
        }
        double *y = is_built ? next_row(&s->forest, m) : s->column + s->forest.whitened, speed = 0.0;
        double value = add_coordinate(s, joint, k, 1.0, is_velocity, y, &speed) - axis->shift;
        value += add_coordinate(s, axis->follows - 1, 0, -axis->ratio, is_velocity, y, &speed);
        worst = fmax(worst, fabs(value));
        if (is_built) {
            add_row(&s->forest, m, is_velocity ? -speed : -value);
        }
    }
    return worst;
}

void crn_trees_loops(crn_stepper *s, crn_step_mechanism *m, bool is_velocity)
{
    m->rank = 0;
    for (int i = 0; i < m->loops; ++i) {
        (void)add_joint(s, m, s->forest.loop[m->loop + i], is_velocity, true);
    }
}

double crn_trees_loop_error(crn_stepper *s, const crn_step_mechanism *m)
{
    crn_step_mechanism copy = *m;
    double worst = 0.0;
    for (int i = 0; i < m->loops; ++i) {
        worst = fmax(worst, add_joint(s, &copy, s->forest.loop[m->loop + i], false, false));
    }
    return worst;
}

void crn_trees_reduce(const crn_stepper *s, const crn_step_mechanism *m, double *nu)
{
    int n = m->whitened;
    for (int pass = 0; pass < 2 && m->rank > 0; ++pass) {
        for (int i = 0; i < m->rank; ++i) {
            const double *q = s->forest.basis + m->basis + (size_t)i * (size_t)n;
            double part = crn_dot(n, q, nu);
            crn_axpy(n, -part, q, nu);
        }
    }
}

void crn_trees_shift(crn_stepper *s, crn_step_mechanism *m)
{
    crn_step_forest *f = &s->forest;
    int n = m->whitened;
    memset(f->shift + m->w, 0, (size_t)n * sizeof *f->shift);
    for (int i = 0; i < m->rank; ++i) {
        const double *q = f->basis + m->basis + (size_t)i * (size_t)n;
        crn_axpy(n, f->basis_value[m->value + i], q, f->shift + m->w);
    }
}
