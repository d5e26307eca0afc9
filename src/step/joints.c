/* Joints as rows of the problem: what they hold, their motors, friction and limits. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "math/rigid.h"
#include "step/tendons.h"

bool crn_step_is_moved(const crn_stepper *s, int body)
{
    return body >= 0 && s->body[body].kind == CRN_BODY_FREE && !s->body[body].asleep;
}

bool crn_step_can_be_pushed(const crn_stepper *s, int body)
{
    int tree = body >= 0 ? s->body[body].tree : 0;
    bool is_led = tree > 0 && s->forest.mechanism[s->forest.tree[tree - 1].mechanism].whitened == 0;
    return body >= 0 && s->body[body].kind == CRN_BODY_FREE && !is_led;
}

static bool reserve(crn_stepper *s)
{
    enum { ROWS = CRN_JOINT_ROWS_MAX + 2 * CRN_JOINT_COORDINATES_MAX, LIMITS = 2 * CRN_JOINT_COORDINATES_MAX };
    return crn_reserve(&s->allocator, (void **)&s->row, &s->row_capacity, s->rows + ROWS, sizeof *s->row) &&
           crn_reserve(&s->allocator, (void **)&s->limit, &s->limit_capacity, s->limits + LIMITS, sizeof *s->limit);
}

static void add_row(crn_stepper *s, int joint, const crn_joint_row *row, double offset, double bound, bool is_friction)
{
    s->row[s->rows++] = (crn_step_row){.joint = joint,
                                       .row = *row,
                                       .offset = offset,
                                       .bound = bound,
                                       .held = -1,
                                       .velocity = -1,
                                       .is_friction = is_friction};
}

int crn_step_driven(const crn_stepper *s, int index, crn_joint_row *row)
{
    const crn_step_joint *joint = &s->joint[index];
    const crn_joint_type *type = crn_joint_type_of(joint->def.kind);
    int count = 0;
    if (type->coordinates == 0) {
        return 0;
    }
    crn_joint_sides sides = crn_step_joint_sides(s, joint);
    type->coordinate(&sides, row);
    for (int i = 0; i < type->coordinates; ++i) {
        const crn_joint_axis *axis = &joint->def.axis[i];
        if (axis->has_motor && isinf(axis->max_force) && !crn_step_says_nothing(s, &row[i])) {
            row[count] = row[i];
            row[count++].value = 0.0;
        }
    }
    return count;
}

bool crn_step_is_repaired(const crn_stepper *s)
{
    return s->def.joint_tolerance > 0.0 && !s->def.is_unstabilised && s->def.scheme != CRN_SCHEME_PLAIN;
}

/* What a row has drifted, as far as it is to be taken back. Where joints are closed after the step (repair.c), less than
 * their tolerance is not drift; and rows of loops that are all 0 cannot contradict one another. */
static double drift_of(const crn_stepper *s, const crn_joint_row *row)
{
    bool is_taken_back = !s->def.is_unstabilised && s->def.scheme != CRN_SCHEME_PLAIN;
    bool is_closed = crn_step_is_repaired(s) && fabs(row->value) <= s->def.joint_tolerance;
    return is_taken_back && !is_closed ? row->value : 0.0;
}

/* The rows that keep the joint together: value/h in the offset takes back what it has drifted [HA03 eq. 2.8]. */
static void add_held(crn_stepper *s, int index, double h)
{
    crn_joint_row row[CRN_JOINT_ROWS_MAX];
    int which[CRN_JOINT_ROWS_MAX];
    int count = crn_step_held(s, index, row, which);
    for (int i = 0; i < count; ++i) {
        s->row[s->rows++] = (crn_step_row){
            .joint = index, .row = row[i], .offset = drift_of(s, &row[i]) / h, .held = which[i], .velocity = -1};
    }
}

static void add_limits(crn_stepper *s, int index, int coordinate, const crn_joint_row *row, double value)
{
    const crn_joint_axis *axis = &s->joint[index].def.axis[coordinate];
    crn_step_limit lower = {.joint = index, .slot = 2 * coordinate, .row = *row, .gap = value - axis->lower};
    crn_step_limit upper = {.joint = index, .slot = 2 * coordinate + 1, .row = *row, .gap = axis->upper - value};
    for (int i = 0; i < 6; ++i) {
        upper.row.a[i] = -row->a[i];
        upper.row.b[i] = -row->b[i];
    }
    /* A distance is never below 0, and its row cannot tell so: it would stop what passes through 0. */
    bool has_lower = !isinf(axis->lower) && !(s->joint[index].def.kind == CRN_JOINT_DISTANCE && axis->lower <= 0.0);
    if (has_lower) {
        s->limit[s->limits++] = lower;
    }
    if (!isinf(axis->upper)) {
        s->limit[s->limits++] = upper;
    }
}

/* Speed that a motor aims at in the motion of h that follows: that of its middle; in the order of [HA03] that of its end. */
static double wanted_speed(const crn_stepper *s, const crn_joint_axis *axis, double value, double h)
{
    if (axis->is_servo) {
        return (crn_profile_at(&axis->target, s->time + h) - value) / h;
    }
    return crn_profile_at(&axis->speed, s->time + (crn_is_hart(s) ? h : 0.5 * h));
}

/* Motor, friction and limits of each coordinate. */
static void add_coordinates(crn_stepper *s, int index, const crn_joint_sides *sides, double h)
{
    crn_step_joint *joint = &s->joint[index];
    const crn_joint_type *type = crn_joint_type_of(joint->def.kind);
    crn_joint_row row[CRN_JOINT_COORDINATES_MAX];
    if (type->coordinates == 0) {
        return;
    }
    type->coordinate(sides, row);
    bool is_pushed = crn_step_can_be_pushed(s, joint->a) || crn_step_can_be_pushed(s, joint->b);
    for (int i = 0; i < type->coordinates; ++i) {
        const crn_joint_axis *axis = &joint->def.axis[i];
        bool is_angle = (type->angles >> i) & 1u;
        double value = is_angle ? crn_joint_unwind(row[i].value, joint->last[i]) : row[i].value;
        joint->last[i] = value;
        if (!is_pushed || crn_step_says_nothing(s, &row[i])) {
            continue;
        }
        if (axis->has_motor && axis->max_force > 0.0) {
            double wanted = wanted_speed(s, axis, value, h);
            add_row(s, index, &row[i], -wanted, isinf(axis->max_force) ? 0.0 : h * axis->max_force, false);
        }
        if (axis->friction > 0.0) {
            add_row(s, index, &row[i], 0.0, h * axis->friction, true);
        }
        if (crn_step_has_limits(axis)) {
            add_limits(s, index, i, &row[i], value);
        }
    }
}

/* --- Joints in trees: coordinates instead of rows --- */

static void add_tree_row(crn_stepper *s, int index, int velocity, double offset, double bound, bool is_friction)
{
    s->row[s->rows++] = (crn_step_row){
        .joint = index, .offset = offset, .bound = bound, .held = -1, .velocity = velocity, .is_friction = is_friction};
}

/* Limits farther than a coordinate gets in a step at this speed are left out: what passes one all the same is repaired. */
static const double LIMIT_TRAVEL = 4.0; /* times h |speed| */
static const double LIMIT_REACH = 1e-2; /* [rad, m] and at least this */

static void add_tree_limits(crn_stepper *s, int index, int coordinate, double value, double travel)
{
    const crn_joint_axis *axis = &s->joint[index].def.axis[coordinate];
    double reach = crn_fmax(LIMIT_TRAVEL * travel, LIMIT_REACH);
    if (!isinf(axis->lower) && value - axis->lower <= reach) {
        s->limit[s->limits++] =
            (crn_step_limit){.joint = index, .slot = 2 * coordinate, .gap = value - axis->lower, .in_tree = true};
    }
    if (!isinf(axis->upper) && axis->upper - value <= reach) {
        s->limit[s->limits++] =
            (crn_step_limit){.joint = index, .slot = 2 * coordinate + 1, .gap = axis->upper - value, .in_tree = true};
    }
}

/* Motor with a bound, friction and limits of a joint in a tree; a driven one has none of them. */
static void add_tree_joint(crn_stepper *s, int index, const crn_step_tree *tree, int at, double h)
{
    crn_step_joint *joint = &s->joint[index];
    const crn_link *link = &tree->tree->link[at];
    int coordinates = crn_joint_kind_coordinates(link->kind);
    for (int k = 0; k < link->freedom; ++k) {
        const crn_joint_axis *axis = &joint->def.axis[coordinates > 0 ? k : 0];
        double value = coordinates > 0 ? s->forest.q[tree->q + link->q + k] : 0.0;
        if (coordinates > 0) {
            joint->last[k] = value;
        }
        if (link->is_driven) {
            continue;
        }
        if (coordinates > 0 && axis->has_motor && axis->max_force > 0.0) {
            double wanted = wanted_speed(s, axis, value, h);
            add_tree_row(s, index, k, -wanted, isinf(axis->max_force) ? 0.0 : h * axis->max_force, false);
        }
        if (axis->friction > 0.0 && link->kind != CRN_JOINT_FREE) {
            add_tree_row(s, index, k, 0.0, h * axis->friction, true);
        }
        if (coordinates > 0 && crn_step_has_limits(axis)) {
            double speed =
                crn_fmax(fabs(s->forest.before[tree->u + link->u + k]), fabs(s->forest.u[tree->u + link->u + k]));
            add_tree_limits(s, index, k, value, h * speed);
        }
    }
}

crn_status crn_step_list_rows(crn_stepper *s, double h, crn_error *error)
{
    s->rows = s->limits = 0;
    for (int i = 0; i < s->joints; ++i) {
        crn_step_joint *joint = &s->joint[i];
        if (!joint->is_used || (!crn_step_is_moved(s, joint->a) && !crn_step_is_moved(s, joint->b))) {
            continue;
        }
        if (!reserve(s)) {
            return crn_fail(error, CRN_ERR_MEMORY, "world: out of memory for joints");
        }
        const crn_step_tree *tree;
        int link;
        if (crn_step_joint_link(s, i, &tree, &link)) {
            add_tree_joint(s, i, tree, link, h);
            continue;
        }
        crn_joint_sides sides = crn_step_joint_sides(s, joint);
        joint->arm = crn_v3_sub(sides.b.position, sides.com_b);
        if (crn_is_hart(s)) { /* else what joints hold is a loop: loops.h */
            add_held(s, i, h);
        }
        add_coordinates(s, i, &sides, h);
    }
    return crn_tendons_list(s, h) ? CRN_OK : crn_fail(error, CRN_ERR_MEMORY, "world: out of memory for tendons");
}
