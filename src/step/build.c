/* The complementarity problem of a step, [HA03 eq. 2.11] in the form of door 2.
 *
 * Unknown are the velocities of free bodies. Fixed, driven and sleeping bodies are the world; where they move, their
 * velocity at the contact goes into the offset. The offset along the normal is
 *
 *     stabilised    Phi/h          [HA03 eq. 2.9], but overlap is undone no faster than the pair's recovery speed
 *     plain         max(Phi, 0)/h  nothing is repaired
 *     unstabilised  0              Delta = 0: what [HA03 s3] compares with
 */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "math/rigid.h"
#include "math/vec.h"
#include "step/loops.h"
#include "step/moment.h"
#include "step/tendons.h"

enum { ROUND_DIRECTIONS = 4, PLANAR_DIRECTIONS = 2 };

/* The last impulses count as the answer at this share of the tolerance: what is left of answers adds up in the velocities, and
 * a body at rest on a slope would creep at tol g h. */
static const double START_SHARE = 0.1;

static int dof_of(const crn_stepper *s)
{
    return s->def.is_planar ? 3 : 6;
}

#define RESERVE(field, count) \
    crn_reserve(&s->allocator, (void **)&p->field, &p->field##_capacity, (count), sizeof *p->field)

/* Numbers in the Jacobians of contacts with trees, of limits and of rows. */
static int jacobian_size(const crn_stepper *s)
{
    int size = 0;
    for (int i = 0; i < s->now.contacts && s->forest.trees > 0; ++i) {
        int a = s->shape[s->now.pair[i].shape_a].body, b = s->shape[s->now.pair[i].shape_b].body;
        if (s->body[a].tree > 0 || s->body[b].tree > 0) {
            size += 3 * (crn_step_dof_at(s, a) + crn_step_dof_at(s, b));
        }
    }
    for (int i = 0; i < s->limits; ++i) {
        crn_row_bodies of = crn_step_row_bodies(s, s->limit[i].joint, s->limit[i].tendon);
        size += 3 * (crn_step_dof_at(s, of.a) + crn_step_dof_at(s, of.b));
    }
    for (int i = 0; i < s->forest.stops; ++i) {
        size += 3 * s->forest.mechanism[s->forest.stop[i].mechanism].whitened;
    }
    for (int i = 0; i < s->rows; ++i) {
        crn_row_bodies of = crn_step_row_bodies(s, s->row[i].joint, s->row[i].tendon);
        size += crn_step_dof_at(s, of.a) + crn_step_dof_at(s, of.b);
    }
    return size;
}

static bool reserve(crn_stepper *s, int bodies, int points, int rows)
{
    crn_step_problem *p = &s->problem;
    int dof = p->rigid * dof_of(s) + s->forest.whitened;
    return RESERVE(body, bodies) && RESERVE(body_of, bodies) && RESERVE(group, bodies) && RESERVE(island, bodies) &&
           RESERVE(change, bodies) && RESERVE(point, points) && RESERVE(row, rows + 2 * points) &&
           RESERVE(velocity, dof) && RESERVE(found, dof) && RESERVE(impulse, 3 * points) && RESERVE(u, 3 * points) &&
           RESERVE(row_impulse, rows + 2 * points) && RESERVE(start_impulse, 3 * points) &&
           RESERVE(start_u, 3 * points) && RESERVE(start_row, rows) && RESERVE(state, points) &&
           RESERVE(start, points) && RESERVE(jacobian, jacobian_size(s));
}

/* --- Bodies --- */

/* Number the bodies that the problem moves: rigid ones, then mechanisms, which move all their links. */
static int number_bodies(crn_stepper *s)
{
    int count = 0;
    for (int i = 0; i < s->bodies; ++i) {
        crn_step_body *body = &s->body[i];
        bool is_moved = body->id.index1 != 0 && body->kind == CRN_BODY_FREE && !body->asleep && body->tree == 0;
        body->at = is_moved ? count++ : -1;
    }
    s->problem.rigid = count;
    for (int i = 0; i < s->forest.mechanisms; ++i) {
        crn_step_mechanism *m = &s->forest.mechanism[i];
        bool is_moved = m->whitened > 0 && !s->body[s->forest.body[s->forest.tree[m->tree].link]].asleep;
        m->at = is_moved ? count++ : -1;
        for (int t = m->tree; t < m->tree + m->trees; ++t) {
            const crn_step_tree *tree = &s->forest.tree[t];
            for (int k = 0; k < tree->tree->links; ++k) {
                s->body[s->forest.body[tree->link + k]].at = m->at;
            }
        }
    }
    return count;
}

static void fill_mechanisms(crn_stepper *s)
{
    crn_step_problem *p = &s->problem;
    for (int i = 0; i < s->forest.mechanisms; ++i) {
        const crn_step_mechanism *m = &s->forest.mechanism[i];
        if (m->at >= 0) {
            p->body[m->at] = (crn_contact_body){.kind = CRN_MASS_UNIT, .dof = m->dof};
            crn_trees_to_problem(s, m, p->velocity + crn_step_first_velocity(s, m));
        }
    }
}

static void fill_bodies(crn_stepper *s)
{
    crn_step_problem *p = &s->problem;
    if (p->rigid > 0) {
        memset(p->body, 0, (size_t)p->rigid * sizeof *p->body);
    }
    for (int i = 0; i < s->bodies; ++i) {
        const crn_step_body *body = &s->body[i];
        if (body->at < 0 || body->tree > 0) {
            continue;
        }
        crn_contact_body *to = &p->body[body->at];
        to->kind = s->def.is_planar ? CRN_MASS_PLANAR : CRN_MASS_RIGID;
        to->dof = dof_of(s);
        to->mass = body->rigid.mass;
        memcpy(to->inertia, body->rigid.inertia_world.m, sizeof to->inertia);
        crn_v3_to(body->rigid.pose.position, to->com);
        p->body_of[body->at] = i;
        crn_step_pack(s, body->next_w, body->next_v, p->velocity, body->at);
    }
}

/* --- Contact points --- */

/* Is it moved by what is known, and not by the problem? */
static bool is_given(const crn_stepper *s, const crn_step_body *body)
{
    return body->at < 0 && body->kind == CRN_BODY_DRIVEN && s->kick.purpose != CRN_FOR_POSITIONS;
}

/* Velocity at a point of the body before the problem changes it. */
static crn_vec3 free_velocity(const crn_step_body *body, crn_vec3 point)
{
    return crn_v3_add(body->next_v, crn_v3_cross(body->next_w, crn_v3_sub(point, body->rigid.pose.position)));
}

double crn_step_normal_offset(const crn_stepper *s, int i, double h)
{
    const crn_step_pair *pair = &s->now.pair[i];
    double gap = s->now.contact[i].gap, phi = fabs(gap) < pair->band ? 0.0 : gap;
    if (s->branch && s->kick.purpose == CRN_FOR_KICK && gap > -CRN_BRANCH_OVERLAP * pair->size) {
        return gap / h;
    }
    if (s->kick.purpose == CRN_FOR_POSITIONS) {
        return crn_step_repair_gap(s, i);
    }
    if (s->kick.purpose == CRN_FOR_IMPACT && s->impact.touches[i]) {
        return 0.0;
    }
    if (s->def.is_unstabilised && crn_is_hart(s)) {
        return 0.0;
    }
    if (s->def.scheme == CRN_SCHEME_PLAIN || !crn_is_hart(s)) {
        return phi > 0.0 ? phi / h : 0.0; /* with trees overlap is repaired after the drift: trees_repair.c */
    }
    return phi / h > -pair->recovery ? phi / h : -pair->recovery;
}

/* First friction direction. A polygon gets a corner along the slip of the free motion, so that facets do not matter to
 * what slides straight. */
static crn_vec3 first_tangent(const crn_stepper *s, int i, const crn_step_body *a, const crn_step_body *b)
{
    const crn_contact *c = &s->now.contact[i];
    crn_vec3 recorded;
    const double slip_least = 1e-12; /* of the speeds whose difference it is: below is rounding */
    if (s->def.is_planar) {
        return crn_v3(-c->normal.y, c->normal.x, 0);
    }
    if (s->def.cone == CRN_CONE_POLYGON) {
        crn_vec3 va = free_velocity(a, c->point), vb = free_velocity(b, c->point), u = crn_v3_sub(va, vb);
        crn_vec3 slip = crn_v3_axpy(u, -crn_v3_dot(u, c->normal), c->normal);
        double size = crn_v3_length(slip);
        if (size > slip_least * (crn_v3_length(va) + crn_v3_length(vb))) {
            slip = crn_v3_scale(1.0 / size, slip);
            return crn_v3_unit(crn_v3_axpy(slip, -crn_v3_dot(slip, c->normal), c->normal));
        }
    }
    return s->branch && crn_branch_tangent(s->branch, i, &recorded) ? recorded : crn_v3_orthogonal(c->normal);
}

/* Normal and tangents. The points of a pair have one normal, and where nothing else matters the tangents of the point before. */
static void fill_frame(const crn_stepper *s, int i, const crn_step_body *a, const crn_step_body *b,
                       crn_contact_point *to)
{
    const crn_contact *c = &s->now.contact[i];
    bool is_by_normal = s->def.is_planar || s->def.cone == CRN_CONE_ROUND;
    crn_v3_to(c->normal, to->normal);
    if (is_by_normal && i > 0 && crn_v3_is_same(c->normal, s->now.contact[i - 1].normal)) {
        memcpy(to->t1, to[-1].t1, sizeof to->t1);
        memcpy(to->t2, to[-1].t2, sizeof to->t2);
        return;
    }
    crn_vec3 t1 = first_tangent(s, i, a, b);
    crn_v3_to(t1, to->t1);
    crn_v3_to(crn_v3_cross(c->normal, t1), to->t2);
}

static int directions_of(const crn_stepper *s)
{
    return s->def.is_planar ? PLANAR_DIRECTIONS : s->def.cone == CRN_CONE_ROUND ? ROUND_DIRECTIONS : s->def.directions;
}

/* Rows of a contact on one body: n, t1, t2 at the point, as wrenches at the centre of mass. */
static void contact_rows(const crn_step_body *body, const crn_contact_point *point, double sign, double *row)
{
    const double *direction[3] = {point->normal, point->t1, point->t2};
    crn_vec3 arm = crn_v3_sub(crn_v3_of(point->position), body->rigid.pose.position);
    for (int k = 0; k < 3; ++k) {
        crn_vec3 d = crn_v3_scale(sign, crn_v3_of(direction[k]));
        crn_v3_to(crn_v3_cross(arm, d), row + 6 * k);
        crn_v3_to(d, row + 6 * k + 3);
    }
}

void crn_step_contact_columns(const crn_stepper *s, int at, const crn_contact_point *point, double sign, double *to)
{
    double row[18];
    contact_rows(&s->body[s->problem.body_of[at]], point, sign, row);
    for (int k = 0; k < 3; ++k) {
        crn_step_pack_row(s, row + 6 * k, to + (size_t)k * (size_t)dof_of(s));
    }
}

void crn_step_push_rigid(const crn_stepper *s, int at, const double *column, double impulse, double *velocity)
{
    crn_rigid still = s->body[s->problem.body_of[at]].rigid;
    crn_vec3 torque, force, w, v;
    double change[6];
    crn_step_found(s, column, 0, &torque, &force);
    still.w = still.v = crn_v3(0, 0, 0);
    crn_rigid_push(&still, impulse, force, torque, 0.0, 0.0, &w, &v);
    crn_step_pack(s, w, v, change, 0);
    for (int k = 0; k < dof_of(s); ++k) {
        velocity[k] += change[k];
    }
}

int crn_step_first_at(const crn_stepper *s, int at)
{
    int first = at < s->problem.rigid ? at * dof_of(s) : 0;
    for (int i = 0; i < s->forest.mechanisms && at >= s->problem.rigid; ++i) {
        if (s->forest.mechanism[i].at == at) {
            first = crn_step_first_velocity(s, &s->forest.mechanism[i]);
        }
    }
    return first;
}

/* Of the column of one side: what is left of both sides is rounding, where links cannot move against each other. */
static const double CANCELLED = 1e-12;

/* Is a contact within a mechanism one that no motion closes or opens? */
static bool is_immovable(crn_stepper *s, int body, const double *row, const double *jacobian)
{
    const crn_step_mechanism *m = crn_mechanism_of(s, body);
    double *column = s->column + s->forest.whitened; /* the first half is what columns are made in */
    memset(column, 0, (size_t)m->whitened * sizeof *column);
    crn_trees_add_column(s, body, row, 1.0, column);
    double one = crn_dot(m->whitened, column, column), both = crn_dot(m->whitened, jacobian, jacobian);
    return both <= CANCELLED * CANCELLED * one;
}

/* A contact with a tree is given by its Jacobian. */
static void fill_jacobian(crn_stepper *s, int i, crn_contact_point *to, double **space)
{
    const crn_step_pair *pair = &s->now.pair[i];
    int a = s->shape[pair->shape_a].body, b = s->shape[pair->shape_b].body;
    double row_a[18], row_b[18];
    int rows = s->kick.purpose == CRN_FOR_POSITIONS ? 1 : 3; /* positions have no friction */
    contact_rows(&s->body[a], to, 1.0, row_a);
    contact_rows(&s->body[b], to, -1.0, row_b);
    crn_row_sides sides = crn_step_sides(s, a, b, row_a, row_b, rows, 3, space, to->offset);
    to->a = sides.a;
    to->b = sides.b;
    to->jacobian_a = sides.jacobian_a;
    to->jacobian_b = sides.jacobian_b;
    bool is_within = crn_mechanism_of(s, a) && crn_mechanism_of(s, a) == crn_mechanism_of(s, b);
    bool is_one = is_within && to->jacobian_a && is_immovable(s, a, row_a, to->jacobian_a);
    if (sides.is_held || is_one) {
        to->offset[0] += CRN_STEP_FAR;
        to->mu = 0.0;
    }
}

/* Velocity of a body at a contact before the kick, and how the contact moves away from it: w x (c' - v). */
static crn_vec3 turning(const crn_stepper *s, int body, crn_vec3 point_speed)
{
    const crn_step_body *b = &s->body[body];
    if (b->kind == CRN_BODY_FIXED || b->asleep) {
        return crn_v3(0, 0, 0);
    }
    if (b->kind == CRN_BODY_DRIVEN) {
        return crn_v3_cross(b->next_w, crn_v3_sub(point_speed, b->next_v));
    }
    const crn_twist *twist = &crn_moment_bodies(s, CRN_BEFORE)[body];
    return crn_v3_cross(twist->angular, crn_v3_sub(point_speed, twist->linear));
}

/* offset += v along normal and tangents */
static void add_to_offset(crn_vec3 v, crn_contact_point *to)
{
    to->offset[0] += crn_v3_dot(v, crn_v3_of(to->normal));
    to->offset[1] += crn_v3_dot(v, crn_v3_of(to->t1));
    to->offset[2] += crn_v3_dot(v, crn_v3_of(to->t2));
}

/* No slip, and no sinking, is meant for the middle of the motion that follows, while the impulse acts at its beginning: where the
 * contact moves with c' over the bodies, the velocity there is to be minus (h/2) (w_a x (c' - v_a) - w_b x (c' - v_b)). The
 * impulse then does no work on what rolls [docs/theory/stepping.md]. Only for contacts that pushed at the last kick: after an impact the old w says
 * nothing. c' is how far the point has come since then. */
static void add_rolling(const crn_stepper *s, int i, double h, crn_contact_point *to)
{
    const crn_step_pair *pair = &s->now.pair[i];
    crn_vec3 way;
    if (!crn_step_has_rolled(s, i, h, &way)) {
        return;
    }
    crn_vec3 speed = crn_v3_scale(1.0 / s->last_h, way);
    crn_vec3 a = turning(s, s->shape[pair->shape_a].body, speed), b = turning(s, s->shape[pair->shape_b].body, speed);
    crn_vec3 target = crn_v3_scale(0.5 * h, crn_v3_sub(a, b));
    to->offset[0] +=
        crn_min(0.0, crn_v3_dot(target, s->now.contact[i].normal)); /* where the path rises, the gap says so */
    to->offset[1] += crn_v3_dot(target, crn_v3_of(to->t1));
    to->offset[2] += crn_v3_dot(target, crn_v3_of(to->t2));
}

static double *fill_point(crn_stepper *s, int i, double h, crn_contact_point *to, double *space)
{
    const crn_contact *c = &s->now.contact[i];
    const crn_step_pair *pair = &s->now.pair[i];
    const crn_step_body *a = &s->body[s->shape[pair->shape_a].body], *b = &s->body[s->shape[pair->shape_b].body];
    to->a = a->at;
    to->b = b->at;
    to->jacobian_a = to->jacobian_b = NULL;
    to->mu = crn_fmin(c->friction, CRN_CONTACT_MU_MOST); /* more holds no better */
    to->directions = c->friction > 0.0 ? directions_of(s) : 0;
    crn_v3_to(c->point, to->position);
    fill_frame(s, i, a, b, to);
    to->offset[0] = crn_step_normal_offset(s, i, h);
    to->offset[1] = to->offset[2] = 0.0;
    add_rolling(s, i, h, to);
    if (a->tree > 0 || b->tree > 0) {
        fill_jacobian(s, i, to, &space);
        return space;
    }
    if (is_given(s, a)) {
        add_to_offset(free_velocity(a, c->point), to);
    }
    if (is_given(s, b)) {
        add_to_offset(crn_v3_scale(-1.0, free_velocity(b, c->point)), to);
    }
    return space;
}

/* --- Rows and limits of joints --- */

/* The Jacobian of a row of a joint, or of a tendon's friction. */
static crn_row_sides row_sides(crn_stepper *s, const crn_step_row *row, double **space, double *known)
{
    if (row->tendon > 0) {
        return crn_tendon_side(s, &s->tendon[row->tendon - 1], 1.0, 1, space, known);
    }
    if (row->velocity >= 0) {
        return crn_step_joint_side(s, row->joint, row->velocity, 1.0, 1, space, known);
    }
    const crn_step_joint *joint = &s->joint[row->joint];
    return crn_step_sides(s, joint->a, joint->b, row->row.a, row->row.b, 1, 1, space, known);
}

static crn_row_sides limit_sides(crn_stepper *s, const crn_step_limit *limit, double **space, double *known)
{
    double sign = limit->slot & 1 ? -1.0 : 1.0;
    if (limit->tendon > 0) {
        return crn_tendon_side(s, &s->tendon[limit->tendon - 1], sign, 3, space, known);
    }
    if (limit->in_tree) {
        return crn_step_joint_side(s, limit->joint, limit->slot / 2, sign, 3, space, known);
    }
    const crn_step_joint *joint = &s->joint[limit->joint];
    return crn_step_sides(s, joint->a, joint->b, limit->row.a, limit->row.b, 1, 3, space, known);
}

static double *fill_rows(crn_stepper *s, double *space)
{
    crn_step_problem *p = &s->problem;
    for (int i = 0; i < s->rows; ++i) {
        crn_step_row *from = &s->row[i];
        double known = 0.0, *column = space, offset = from->offset;
        if (from->tendon > 0 && !from->is_friction) {
            p->row[i] = crn_tendon_row(s, from, &space);
            continue;
        }
        crn_row_sides sides = row_sides(s, from, &space, &known);
        if (sides.is_held && from->bound == 0.0) { /* a motor without bound that loops do not let move: it gives way */
            memset(column, 0, (size_t)(space - column) * sizeof *column);
            offset = -known;
        }
        p->row[i] =
            (crn_contact_row){sides.a, sides.b, sides.jacobian_a, sides.jacobian_b, offset + known, from->bound};
    }
    return space;
}

/* In loops the rows' offsets may contradict one another: keep what all of them can have together. */
static bool reconcile_rows(crn_stepper *s)
{
    crn_step_problem *p = &s->problem;
    if (!s->has_loops || s->rows == 0 || !crn_is_hart(s)) {
        return true;
    }
    if (!crn_step_fit_begin(s, s->rows)) {
        return false;
    }
    for (int i = 0; i < s->rows; ++i) {
        s->fit.value[i] = p->row[i].offset;
    }
    crn_step_fit_rows(s, s->row, s->rows);
    for (int i = 0; i < s->rows; ++i) {
        if (!(p->row[i].bound > 0.0)) {
            p->row[i].offset = s->fit.value[i];
        }
    }
    return true;
}

/* A limit is a contact without friction: its Jacobian has a normal column, the others are 0. */
static double *fill_limits(crn_stepper *s, double h, double *space)
{
    for (int i = 0; i < s->limits; ++i) {
        const crn_step_limit *from = &s->limit[i];
        crn_contact_point *to = &s->problem.point[s->now.contacts + i];
        bool is_repaired = !s->def.is_unstabilised && s->def.scheme != CRN_SCHEME_PLAIN && crn_is_hart(s);
        double known = 0.0;
        crn_row_sides sides = limit_sides(s, from, &space, &known);
        memset(to, 0, sizeof *to);
        to->a = sides.a;
        to->b = sides.b;
        to->jacobian_a = sides.jacobian_a;
        to->jacobian_b = sides.jacobian_b;
        bool is_smooth = s->branch && from->gap > -CRN_BRANCH_OVERLAP;
        bool has_gap = from->gap > 0.0 || is_repaired || is_smooth || s->kick.purpose == CRN_FOR_POSITIONS;
        bool is_closed = s->kick.purpose == CRN_FOR_IMPACT && s->impact.touches[s->now.contacts + i];
        double gap = s->kick.purpose == CRN_FOR_POSITIONS ? crn_step_repair_limit(s, i) : from->gap;
        to->offset[0] = (has_gap && !is_closed ? gap / h : 0.0) + known + (sides.is_held ? CRN_STEP_FAR : 0.0);
    }
    return space;
}

/* A stop of a loop is a limit of what is open; its column has length 1, however weak the direction is. */
static void fill_stops(crn_stepper *s, double h, double *space)
{
    for (int i = 0; i < s->forest.stops; ++i) {
        crn_step_stop *stop = &s->forest.stop[i];
        const crn_step_mechanism *m = &s->forest.mechanism[stop->mechanism];
        crn_contact_point *to = &s->problem.point[s->now.contacts + s->limits + i];
        double given = 0.0;
        memset(space, 0, 3 * (size_t)m->whitened * sizeof *space);
        bool is_positional = s->kick.purpose == CRN_FOR_POSITIONS;
        bool is_there = crn_loops_stop_column(s, stop, !is_positional, space, &given);
        bool is_closed = s->kick.purpose == CRN_FOR_IMPACT && s->impact.touches[s->now.contacts + s->limits + i];
        double gap = (stop->gap > 0.0 && !is_closed) || is_positional ? stop->gap / h : 0.0;
        memset(to, 0, sizeof *to);
        to->a = m->at;
        to->b = -1;
        to->jacobian_a = space;
        to->offset[0] = is_there ? gap / stop->length + given : 0.0;
        space += 3 * (size_t)m->whitened;
    }
}

static void set_options(crn_stepper *s)
{
    crn_step_problem *p = &s->problem;
    p->options = crn_contact_options_default();
    p->options.method = s->def.method;
    p->options.cone = s->def.cone;
    p->options.law = s->def.scheme == CRN_SCHEME_CONVEX ? CRN_LAW_CONVEX : CRN_LAW_COULOMB;
    p->options.tol = s->def.tol;
    p->options.even = s->def.even;
    p->options.is_brief = true;
    p->options.paths = s->may_be_refused ? 1 : 0;
    /* Also the first time, from 0: Newton's method then finds impulses that are spread over redundant contacts, where
     * pivoting would put them on few. Rows alone are solved at once, whatever came before. */
    if (s->now.contacts + s->limits + s->forest.stops > 0) {
        p->options.start = p->start;
        p->options.start_impulse = p->start_impulse;
        p->options.start_velocity = p->start_u;
        p->options.start_row_impulse = p->start_row;
        p->options.start_share = START_SHARE;
    }
}

static crn_status no_memory(crn_error *error)
{
    return crn_fail(error, CRN_ERR_MEMORY, "world: out of memory for the step's problem");
}

crn_status crn_step_number(crn_stepper *s, crn_error *error)
{
    int bodies = number_bodies(s), points = s->now.contacts + s->limits + s->forest.stops;
    s->problem.problem = (crn_contact_problem){.bodies = bodies, .contacts = points, .rows = s->rows};
    return reserve(s, bodies, points, s->rows) ? CRN_OK : no_memory(error);
}

crn_status crn_step_build(crn_stepper *s, double h, crn_error *error)
{
    crn_step_problem *p = &s->problem;
    int bodies = p->problem.bodies, points = p->problem.contacts;
    p->problem = (crn_contact_problem){bodies, points, s->rows, p->body, p->point, p->row, p->velocity};
    p->is_positional = s->kick.purpose == CRN_FOR_POSITIONS;
    fill_bodies(s);
    double *space = p->jacobian;
    crn_step_match(s);
    for (int i = 0; i < s->now.contacts; ++i) {
        space = fill_point(s, i, h, &p->point[i], space);
    }
    space = fill_rows(s, space);
    space = fill_limits(s, h, space);
    fill_stops(s, h, space);
    if (!crn_trees_compress_room(s)) {
        return no_memory(error);
    }
    crn_trees_compress(s);
    fill_mechanisms(s);
    if (!reconcile_rows(s)) {
        return crn_fail(error, CRN_ERR_MEMORY, "world: out of memory for joints");
    }
    crn_step_start(s);
    set_options(s);
    return CRN_OK;
}

/* --- Positions --- */

/* What becomes of overlap between two bodies, or of a limit between them that is passed. */
static crn_step_overlap overlap_of(const crn_stepper *s, int a, int b)
{
    crn_step_overlap of_a = a >= 0 ? s->body[a].repair.overlap : CRN_OVERLAP_PARTS;
    crn_step_overlap of_b = b >= 0 ? s->body[b].repair.overlap : CRN_OVERLAP_PARTS;
    return of_a > of_b ? of_a : of_b;
}

/* The gap that repairs see; size: what is as good as no contact. */
static double repair_gap(crn_step_overlap overlap, double gap, double size)
{
    switch (overlap) {
    case CRN_OVERLAP_PARTS: return gap;
    case CRN_OVERLAP_STAYS: return crn_fmax(gap, 0.0);
    case CRN_OVERLAP_YIELDS: break;
    }
    return crn_fmax(gap, 0.0) + size;
}

double crn_step_repair_gap(const crn_stepper *s, int i)
{
    const crn_step_pair *pair = &s->now.pair[i];
    double gap = fabs(s->now.contact[i].gap) < pair->band && !s->branch ? 0.0 : s->now.contact[i].gap;
    return repair_gap(overlap_of(s, s->shape[pair->shape_a].body, s->shape[pair->shape_b].body), gap, pair->size);
}

double crn_step_repair_limit(const crn_stepper *s, int i)
{
    const double size = 1.0; /* [rad, m] */
    crn_row_bodies of = crn_step_row_bodies(s, s->limit[i].joint, s->limit[i].tendon);
    return repair_gap(overlap_of(s, of.a, of.b), s->limit[i].gap, size);
}

crn_status crn_step_build_positions(crn_stepper *s, crn_error *error)
{
    crn_step_problem *p = &s->problem;
    int rows = s->rows, points = p->problem.contacts;
    s->rows = 0; /* motors and friction do not act on positions */
    for (int i = 0; i < s->forest.mechanisms; ++i) {
        const crn_step_mechanism *m = &s->forest.mechanism[i];
        memset(s->forest.nu + m->w, 0, (size_t)m->whitened * sizeof *s->forest.nu);
    }
    s->kick.purpose = CRN_FOR_POSITIONS;
    crn_status status = crn_step_build(s, 1.0, error);
    s->kick.purpose = CRN_FOR_KICK;
    s->rows = rows;
    crn_clear_numbers(p->velocity, crn_contact_dof(&p->problem));
    for (int i = 0; i < points; ++i) {
        p->point[i].mu = 0.0;
        p->point[i].directions = 0;
    }
    crn_contact_method method = p->options.method;
    p->options = crn_contact_options_default();
    p->options.method = method;
    p->options.is_brief = true;
    return status;
}
