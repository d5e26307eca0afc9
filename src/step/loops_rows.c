/* Rows of loops: what the joints that close them hold, in loop sizes.
 *
 * A row in metres is divided by the size of its loop, one in radians by CRN_LOOP_PIN; a coordinate that follows another stays as
 * it is. Rows are those where the trees are placed, which within a drift is not yet where the bodies are. */
#include <math.h>
#include <string.h>

#include "math/vec.h"
#include "step/loops.h"

/* --- Where bodies are --- */

/* Frame of a body's centre of mass: of a link as its tree is placed, of a driven body as far as the drift has come. */
static crn_frame frame_of(const crn_stepper *s, const crn_step_mechanism *m, int body)
{
    const crn_step_body *b = &s->body[body];
    if (b->tree > 0) {
        return s->forest.tree[b->tree - 1].tree->link[b->link].frame;
    }
    if (b->kind == CRN_BODY_DRIVEN && m->drift_time > 0.0) {
        crn_quat turn = crn_quat_exp(crn_v3_scale(m->drift_time, b->next_w));
        crn_quat rotation = crn_quat_unit(crn_quat_product(turn, b->begin.pose.rotation));
        return (crn_frame){crn_quat_matrix(rotation), crn_v3_axpy(b->begin.pose.position, m->drift_time, b->next_v)};
    }
    return (crn_frame){b->rigid.rotation, b->rigid.pose.position};
}

static crn_frame joint_frame(const crn_stepper *s, const crn_step_mechanism *m, int body, const crn_frame *local,
                             crn_vec3 *com)
{
    if (body < 0) {
        *com = local->position;
        return *local;
    }
    crn_frame frame = frame_of(s, m, body);
    *com = frame.position;
    return crn_frame_product(&frame, local);
}

static int held_rows(const crn_stepper *s, const crn_step_mechanism *m, int index, crn_joint_row *row)
{
    const crn_step_joint *joint = &s->joint[index];
    int which[CRN_JOINT_ROWS_MAX];
    crn_joint_sides sides = {.length = joint->def.length};
    sides.a = joint_frame(s, m, joint->a, &joint->frame_a, &sides.com_a);
    sides.b = joint_frame(s, m, joint->b, &joint->frame_b, &sides.com_b);
    return crn_step_held_at(s, index, &sides, row, which);
}

/* A row without linear part holds an angle. */
static bool is_angle(const crn_joint_row *row)
{
    bool is_zero = true; /* exactly: such rows are built with zeros */
    for (int i = 3; i < 6; ++i) {
        is_zero = is_zero && row->a[i] == 0.0 && row->b[i] == 0.0;
    }
    return is_zero;
}

/* --- Coordinates that follow others --- */

static bool follows(const crn_stepper *s, const crn_step_joint *joint, int k)
{
    int leader = joint->def.axis[k].follows; /* it may not be there yet */
    return joint->is_link && leader > 0 && leader <= s->joints;
}

static double coordinate(const crn_stepper *s, int joint, int k)
{
    const crn_step_tree *tree;
    int link;
    bool is_there = crn_step_joint_link(s, joint, &tree, &link);
    return is_there ? s->forest.mechanism[tree->mechanism].placed[tree->q + tree->tree->link[link].q + k] : 0.0;
}

static double given_speed(const crn_stepper *s, int joint, int k)
{
    const crn_step_tree *tree;
    int link;
    if (!crn_step_joint_link(s, joint, &tree, &link) || !tree->tree->link[link].is_driven) {
        return 0.0;
    }
    return s->forest.u[tree->u + tree->tree->link[link].u + k];
}

/* --- Lists --- */

static void add_error(crn_step_closure *c, double value, double unit, bool is_turn, uint64_t trees)
{
    c->trees[c->rows] = trees;
    c->error[c->rows] = value / unit;
    c->is_angle[c->rows] = is_turn;
    c->unit[c->rows++] = unit;
}

void crn_loops_list_rows(crn_stepper *s, crn_step_mechanism *m)
{
    crn_step_closure *c = &m->closure;
    crn_joint_row row[CRN_JOINT_ROWS_MAX];
    c->rows = 0;
    for (int i = m->loop; i < m->loop + m->loops; ++i) {
        crn_step_loop *loop = &s->forest.loop[i];
        const crn_step_joint *joint = &s->joint[loop->joint];
        uint64_t trees = crn_loops_body_bit(s, m, joint->a) | crn_loops_body_bit(s, m, joint->b);
        loop->first = c->rows;
        int count = joint->is_link ? 0 : held_rows(s, m, loop->joint, row);
        for (int r = 0; r < count; ++r) {
            bool is_turn = is_angle(&row[r]);
            add_error(c, row[r].value, is_turn ? CRN_LOOP_PIN : loop->size, is_turn, trees);
        }
        for (int k = 0; k < crn_joint_kind_coordinates(joint->def.kind); ++k) {
            const crn_joint_axis *axis = &joint->def.axis[k];
            if (follows(s, joint, k)) {
                double leader = coordinate(s, axis->follows - 1, 0);
                uint64_t both = trees | crn_loops_body_bit(s, m, s->joint[axis->follows - 1].b);
                add_error(c, coordinate(s, loop->joint, k) - axis->ratio * leader - axis->shift, 1.0, false, both);
            }
        }
        loop->count = c->rows - loop->first;
    }
}

static void add_side(crn_stepper *s, int body, const double *row, double scale, double *y)
{
    if (body >= 0 && s->body[body].tree > 0) {
        crn_trees_add_column(s, body, row, scale, y);
    }
}

/* Of the column of one side: what is left of both where they are the same is rounding, as of a joint that is there twice. */
static const double CANCELLED = 1e-12;

/* The column of a row between two bodies. */
static void list_column(crn_stepper *s, const crn_step_joint *joint, const crn_joint_row *row, double scale, int n,
                        double *y)
{
    add_side(s, joint->a, row->a, scale, y);
    double one = crn_dot(n, y, y);
    add_side(s, joint->b, row->b, scale, y);
    if (crn_dot(n, y, y) < CANCELLED * CANCELLED * one) {
        memset(y, 0, (size_t)n * sizeof *y);
    }
}

void crn_loops_list_columns(crn_stepper *s, crn_step_mechanism *m)
{
    crn_step_closure *c = &m->closure;
    crn_joint_row row[CRN_JOINT_ROWS_MAX];
    double *y = c->Y;
    const double *unit = c->unit;
    memset(y, 0, (size_t)c->rows * (size_t)m->whitened * sizeof *y);
    for (int i = m->loop; i < m->loop + m->loops; ++i) {
        int index = s->forest.loop[i].joint;
        const crn_step_joint *joint = &s->joint[index];
        int count = joint->is_link ? 0 : held_rows(s, m, index, row);
        for (int r = 0; r < count; ++r, ++unit, y += m->whitened) {
            list_column(s, joint, &row[r], 1.0 / *unit, m->whitened, y);
        }
        for (int k = 0; k < crn_joint_kind_coordinates(joint->def.kind); ++k) {
            if (follows(s, joint, k)) {
                crn_trees_add_joint_column(s, index, k, 1.0, y);
                crn_trees_add_joint_column(s, joint->def.axis[k].follows - 1, 0, -joint->def.axis[k].ratio, y);
                ++unit;
                y += m->whitened;
            }
        }
    }
}

/* Speed of one side of a row that is given. */
static double side_speed(const crn_stepper *s, int body, const double *row)
{
    if (body < 0) {
        return 0.0;
    }
    const crn_step_body *b = &s->body[body];
    if (b->tree > 0) {
        return crn_trees_known_speed(s, body, row);
    }
    bool is_moving = b->kind == CRN_BODY_DRIVEN;
    return is_moving ? crn_v3_dot(crn_v3_of(row), b->next_w) + crn_v3_dot(crn_v3_of(row + 3), b->next_v) : 0.0;
}

void crn_loops_list_given(crn_stepper *s, crn_step_mechanism *m)
{
    crn_step_closure *c = &m->closure;
    crn_joint_row row[CRN_JOINT_ROWS_MAX];
    int at = 0;
    for (int i = m->loop; i < m->loop + m->loops; ++i) {
        int index = s->forest.loop[i].joint;
        const crn_step_joint *joint = &s->joint[index];
        int count = joint->is_link ? 0 : held_rows(s, m, index, row);
        for (int r = 0; r < count; ++r, ++at) {
            double speed = side_speed(s, joint->a, row[r].a) + side_speed(s, joint->b, row[r].b);
            c->given[at] = speed / c->unit[at];
        }
        for (int k = 0; k < crn_joint_kind_coordinates(joint->def.kind); ++k) {
            if (follows(s, joint, k)) {
                double leader = given_speed(s, joint->def.axis[k].follows - 1, 0);
                c->given[at++] = given_speed(s, index, k) - joint->def.axis[k].ratio * leader;
            }
        }
    }
}

/* --- For the ledger --- */

static double twist_speed(const crn_stepper *s, int body, const double *row, const crn_twist *twist)
{
    if (body < 0 || s->body[body].tree == 0) {
        return 0.0;
    }
    return crn_v3_dot(crn_v3_of(row), twist[body].angular) + crn_v3_dot(crn_v3_of(row + 3), twist[body].linear);
}

static double coordinate_speed(const crn_stepper *s, int joint, int k, const double *u)
{
    const crn_step_tree *tree;
    int link;
    bool is_there = crn_step_joint_link(s, joint, &tree, &link);
    return is_there ? u[tree->u + tree->tree->link[link].u + k] : 0.0;
}

double crn_loops_speed(const crn_stepper *s, const crn_step_mechanism *m, const double *combination,
                       const crn_twist *twist, const double *u)
{
    const double *unit = m->closure.unit;
    crn_joint_row row[CRN_JOINT_ROWS_MAX];
    double sum = 0.0;
    for (int i = m->loop; i < m->loop + m->loops; ++i) {
        int index = s->forest.loop[i].joint;
        const crn_step_joint *joint = &s->joint[index];
        int count = joint->is_link ? 0 : held_rows(s, m, index, row);
        for (int r = 0; r < count; ++r) {
            double speed = twist_speed(s, joint->a, row[r].a, twist) + twist_speed(s, joint->b, row[r].b, twist);
            sum += *combination++ * speed / *unit++;
        }
        for (int k = 0; k < crn_joint_kind_coordinates(joint->def.kind); ++k) {
            if (follows(s, joint, k)) {
                double leader = coordinate_speed(s, joint->def.axis[k].follows - 1, 0, u);
                sum += *combination++ * (coordinate_speed(s, index, k, u) - joint->def.axis[k].ratio * leader);
                ++unit;
            }
        }
    }
    return sum;
}
