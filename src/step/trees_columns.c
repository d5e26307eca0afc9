/* Whitened columns of rows on links: y = L^-T J' [section 3]. */
#include <string.h>

#include "math/vec.h"
#include "step/loops.h"
#include "step/tendons.h"

void crn_trees_add_column(crn_stepper *s, int body, const double *row, double scale, double *y)
{
    const crn_step_tree *tree = &s->forest.tree[s->body[body].tree - 1];
    const crn_step_mechanism *m = &s->forest.mechanism[tree->mechanism];
    double wrench[6], *column = s->column;
    crn_wrench_at_origin(tree->tree, s->body[body].link, crn_v3_of(row), crn_v3_of(row + 3), wrench);
    crn_tree_column(tree->tree, s->body[body].link, wrench, column);
    crn_axpy(tree->tree->whitened, scale, column, y + (tree->w - m->w));
}

void crn_trees_add_joint_column(crn_stepper *s, int joint, int velocity, double scale, double *y)
{
    const crn_step_tree *tree;
    int link;
    if (!crn_step_joint_link(s, joint, &tree, &link)) {
        return;
    }
    double *column = s->column;
    crn_tree_joint_column(tree->tree, link, velocity, column);
    crn_axpy(tree->tree->whitened, scale, column, y + (tree->w - s->forest.mechanism[tree->mechanism].w));
}

double crn_trees_known_speed(const crn_stepper *s, int body, const double *row)
{
    const crn_step_tree *tree = &s->forest.tree[s->body[body].tree - 1];
    if (!s->forest.mechanism[tree->mechanism].is_driven) {
        return 0.0;
    }
    const double *V = s->forest.known + 6 * (size_t)(tree->link + s->body[body].link);
    crn_vec3 v = crn_com_velocity(tree->tree, s->body[body].link, V);
    return crn_v3_dot(crn_v3_of(row), crn_v3_of(V)) + crn_v3_dot(crn_v3_of(row + 3), v);
}

/* --- Rows between bodies of the problem --- */

/* The mechanism that a body which takes part is in; -1: none. */
static int mechanism_at(const crn_stepper *s, int body)
{
    int tree = body >= 0 && s->body[body].at >= 0 ? s->body[body].tree : 0;
    return tree > 0 ? s->forest.tree[tree - 1].mechanism : -1;
}

int crn_step_dof_at(const crn_stepper *s, int body)
{
    int m = mechanism_at(s, body);
    if (m >= 0) {
        return s->forest.mechanism[m].whitened;
    }
    return body < 0 || s->body[body].at < 0 ? 0 : s->def.is_planar ? 3 : 6;
}

/* Of the length of a row: what loops leave of it is no freedom of its own. A motor without bound along it would turn that into speeds
 * that are so many times its own; a stop in it into impulses whose rounding is more than what they do. */
static const double HELD_BELOW = 1e-6;

/* What the loops demand of the rows' speeds is given; the rest is what they leave. Is it nothing, of the first? */
static bool take_loops_out(const crn_stepper *s, const crn_step_mechanism *m, double *y, int rows, double *known)
{
    bool is_held = m->closure.held > 0;
    int n = m->whitened;
    for (int r = 0; r < rows && m->closure.held > 0; ++r) {
        double *row = y + (size_t)r * (size_t)n, before = crn_dot(n, row, row);
        known[r] += crn_dot(n, row, s->forest.shift + m->w);
        crn_loops_reduce(m, row);
        is_held = is_held && (r > 0 || crn_dot(n, row, row) <= HELD_BELOW * HELD_BELOW * before);
    }
    return is_held;
}

static double *take_space(double **space, int dof, int columns)
{
    double *to = *space;
    size_t count = (size_t)dof * (size_t)columns;
    memset(to, 0, count * sizeof *to);
    *space += count;
    return to;
}

/* Add the rows of one body to y, its mover's part; known speeds to known. */
static void add_rows(crn_stepper *s, int body, const double *row, int rows, double *y, double *known)
{
    const crn_step_body *b = &s->body[body];
    int dof = crn_step_dof_at(s, body);
    for (int r = 0; r < rows; ++r) {
        const double *from = row + 6 * r;
        if (b->at < 0) {
            bool is_led = b->tree > 0 && crn_is_led(s, crn_mechanism_of(s, body));
            bool is_driven = (b->kind == CRN_BODY_DRIVEN || is_led) && s->kick.purpose != CRN_FOR_POSITIONS;
            known[r] +=
                is_driven ? crn_v3_dot(crn_v3_of(from), b->next_w) + crn_v3_dot(crn_v3_of(from + 3), b->next_v) : 0.0;
        } else if (b->tree > 0) {
            crn_trees_add_column(s, body, from, 1.0, y + (size_t)r * (size_t)dof);
            known[r] += s->kick.purpose == CRN_FOR_POSITIONS ? 0.0 : crn_trees_known_speed(s, body, from);
        } else {
            crn_step_pack_row(s, from, y + (size_t)r * (size_t)dof);
        }
    }
}

static int at_of(const crn_stepper *s, int body)
{
    return body < 0 ? -1 : s->body[body].at;
}

crn_row_sides crn_step_sides(crn_stepper *s, int a, int b, const double *row_a, const double *row_b, int rows,
                             int columns, double **space, double *known)
{
    int ma = mechanism_at(s, a), mb = mechanism_at(s, b);
    bool is_one = ma >= 0 && ma == mb;
    crn_row_sides sides = {.a = at_of(s, a), .b = is_one ? -1 : at_of(s, b)};
    bool a_is_held = sides.a < 0, b_is_held = sides.b < 0;
    double *ya = sides.a >= 0 ? take_space(space, crn_step_dof_at(s, a), columns) : NULL;
    double *yb = is_one ? ya : sides.b >= 0 ? take_space(space, crn_step_dof_at(s, b), columns) : NULL;
    if (a >= 0) {
        add_rows(s, a, row_a, rows, ya, known);
    }
    if (b >= 0) {
        add_rows(s, b, row_b, rows, yb, known);
    }
    if (ma >= 0) {
        a_is_held = take_loops_out(s, &s->forest.mechanism[ma], ya, rows, known);
    }
    if (mb >= 0 && !is_one) {
        b_is_held = take_loops_out(s, &s->forest.mechanism[mb], yb, rows, known);
    }
    sides.is_held = a_is_held && b_is_held;
    sides.jacobian_a = ya;
    sides.jacobian_b = is_one ? NULL : yb;
    return sides;
}

crn_row_sides crn_step_joint_side(crn_stepper *s, int joint, int velocity, double scale, int columns, double **space,
                                  double *known)
{
    int body = s->joint[joint].b;
    int at = mechanism_at(s, body);
    crn_row_sides sides = {.a = at_of(s, body), .b = -1};
    if (at >= 0) {
        const crn_step_mechanism *m = &s->forest.mechanism[at];
        double *y = take_space(space, m->whitened, columns);
        crn_trees_add_joint_column(s, joint, velocity, scale, y);
        sides.is_held = take_loops_out(s, m, y, 1, known);
        sides.jacobian_a = y;
    }
    return sides;
}

/* Speed of a driven joint's velocity; 0 if it is not driven. */
static double given_joint_speed(const crn_stepper *s, const crn_step_pull *pull)
{
    const crn_step_tree *tree;
    int link;
    bool is_given = crn_step_joint_link(s, pull->joint, &tree, &link) && tree->tree->link[link].is_driven &&
                    s->kick.purpose != CRN_FOR_POSITIONS;
    return is_given ? s->forest.u[tree->u + tree->tree->link[link].u + pull->velocity] : 0.0;
}

crn_row_sides crn_tendon_side(crn_stepper *s, const crn_step_tendon *t, double scale, int columns, double **space,
                              double *known)
{
    const crn_step_mechanism *m = &s->forest.mechanism[t->mechanism];
    double *y = take_space(space, m->whitened, columns), speed = 0.0;
    for (int i = 0; i < t->pulls; ++i) {
        const crn_step_pull *pull = &t->pull[i];
        if (pull->body >= 0) {
            add_rows(s, pull->body, pull->row, 1, y, &speed);
        } else {
            crn_trees_add_joint_column(s, pull->joint, pull->velocity, pull->factor, y);
            speed += pull->factor * given_joint_speed(s, pull);
        }
    }
    crn_scal(m->whitened, scale, y);
    *known += scale * speed;
    bool is_held = take_loops_out(s, m, y, 1, known);
    return (crn_row_sides){.a = m->at, .b = -1, .jacobian_a = y, .is_held = is_held};
}
