/* Impacts: Poisson's hypothesis with friction discs of fixed radius.
 *
 * At the moment of a kick bodies that meet have the velocity `struck`: half of the forces have acted (none in a first kick), and
 * with them the contacts that do not collide. Two problems without forces follow, with W = J M^-1 J':
 *
 *     compress    Coulomb's law, what touches has no gap: impulses c, velocities u_c = u + W c
 *     decompress  min K(v_c + M^-1 J'r)   over   r_n >= e_i c_n,   |r_t| <= mu_i ebar c_n
 *
 * with ebar the largest e of all contacts that the impact connects. r = ebar c is among those over which K is least, and
 *
 *     K(ebar c) - K(struck) = (1 + ebar) c.u_c - (1 - ebar^2)/2 c'W c <= 0       since c.u_c <= 0
 *
 * so no energy is gained, for any masses, friction, number of contacts and mix of e_i. One contact without friction gives
 * v_n+ = -e v_n-. c of redundant contacts is the even one, so that their order does not matter.
 *
 * r_n = e_i c_n + d with d >= 0: the first part is pushed into the velocity, d is a contact without friction, and friction a
 * row along c_t and one across it, bounded by mu ebar c_n: a square that contains the disc, so that the proof holds.
 *
 * The rest of the forces then brings the velocity to `after`. A contact collides if it carries an impulse in the kick's
 * problem and the free motion closes it faster than the restitution speed; slower ones come to rest. */
#include "step/impact.h"

#include <math.h>
#include <string.h>

#include "math/elementary.h"
#include "math/forest.h"
#include "math/vec.h"
#include "step/moment.h"

static const double SPEED_OF_REST = 2.0; /* times |g| h: what gravity gives a resting body in two steps */
static const double GAIN_MOST = 1e-9;    /* of the energy before: rounding of a problem that was solved */
static const double CLOSES_BELOW = 1e-9; /* of the fastest collision: after it contacts close no faster than so */

#define RESERVE(field, count) \
    crn_reserve(&s->allocator, (void **)&s->impact.field, &s->impact.field##_capacity, (count), sizeof *s->impact.field)

static bool reserve(crn_stepper *s)
{
    enum { DIRECTIONS = 2, SIDES = 2, DOF = 6 };
    int points = s->problem.problem.contacts, bodies = s->problem.problem.bodies;
    return RESERVE(restitution, points) && RESERVE(first, 3 * points) && RESERVE(pushed, 3 * points) &&
           RESERVE(impulse, 3 * points) && RESERVE(compressed, 3 * points) && RESERVE(touches, points) &&
           RESERVE(is_hit, points) && RESERVE(group, bodies) && RESERVE(largest, bodies) &&
           RESERVE(jacobian, DIRECTIONS * SIDES * (DOF * points + points * s->forest.whitened)) &&
           RESERVE(friction, points) && RESERVE(pushed_row, s->rows) && RESERVE(row, s->rows) &&
           RESERVE(after_row, s->rows) && RESERVE(kept, s->rows);
}

/* --- Who collides --- */

/* Velocity before the kick; of what is driven, that which it has. */
static crn_vec3 velocity_at(const crn_stepper *s, int body, crn_vec3 point)
{
    const crn_step_body *b = &s->body[body];
    crn_twist twist = crn_moment_bodies(s, CRN_BEFORE)[body];
    if (b->kind == CRN_BODY_DRIVEN) {
        twist = (crn_twist){b->next_w, b->next_v};
    }
    return crn_v3_add(twist.linear, crn_v3_cross(twist.angular, crn_v3_sub(point, b->rigid.pose.position)));
}

/* How fast contact i closes before the forces of the kick: what they press together does not collide. The gap does not count. */
static double closing_speed(const crn_stepper *s, int i)
{
    const crn_contact *c = &s->now.contact[i];
    const crn_step_pair *pair = &s->now.pair[i];
    crn_vec3 va = velocity_at(s, s->shape[pair->shape_a].body, c->point);
    crn_vec3 vb = velocity_at(s, s->shape[pair->shape_b].body, c->point);
    return -crn_v3_dot(crn_v3_sub(va, vb), c->normal);
}

static bool may_collide(const crn_stepper *s)
{
    bool any = false;
    for (int i = 0; i < s->now.contacts; ++i) {
        any = any || (s->now.pair[i].restitution > 0.0 && s->problem.impulse[3 * i] > 0.0);
    }
    return any;
}

crn_status crn_impact_list(crn_stepper *s, double h, int *colliding, crn_error *error)
{
    double rest = SPEED_OF_REST * crn_v3_length(s->def.gravity) * h;
    double least = s->def.restitution_speed > 0.0 ? s->def.restitution_speed : rest;
    *colliding = 0;
    s->impact.fastest = 0.0;
    if (!may_collide(s)) {
        return CRN_OK;
    }
    if (!reserve(s)) {
        return crn_fail(error, CRN_ERR_MEMORY, "world: out of memory for impacts");
    }
    for (int i = 0; i < s->problem.problem.contacts; ++i) {
        bool is_contact = i < s->now.contacts; /* else a limit */
        double e = is_contact ? s->now.pair[i].restitution : 0.0;
        double speed = is_contact ? closing_speed(s, i) : 0.0;
        bool collides = speed > least && e > 0.0 && s->problem.impulse[3 * i] > 0.0;
        s->impact.is_hit[i] = collides || speed > rest; /* its impulse is no force that goes on */
        s->impact.restitution[i] = collides ? e : 0.0;
        s->impact.fastest = collides ? crn_fmax(s->impact.fastest, speed) : s->impact.fastest;
        *colliding += collides;
    }
    return CRN_OK;
}

/* --- The kick without what is hit --- */

/* Does anything but collisions and forces act? */
static bool has_others(const crn_stepper *s)
{
    bool any = s->problem.problem.rows > 0;
    for (int i = 0; i < s->problem.problem.contacts; ++i) {
        any = any || (s->problem.impulse[3 * i] > 0.0 && !s->impact.is_hit[i]);
    }
    return any;
}

static crn_status solve_without(crn_stepper *s, crn_step_answer *answer, crn_error *error)
{
    crn_step_problem *p = &s->problem;
    int points = p->problem.contacts;
    if (!has_others(s)) {
        memcpy(p->found, p->velocity, (size_t)crn_contact_dof(&p->problem) * sizeof *p->found);
        memset(p->impulse, 0, 3 * (size_t)points * sizeof *p->impulse);
        return CRN_OK;
    }
    memcpy(p->start_impulse, p->impulse, 3 * (size_t)points * sizeof *p->impulse);
    for (int i = 0; i < points; ++i) {
        if (s->impact.is_hit[i]) {
            p->point[i].offset[0] += CRN_STEP_FAR;
            memset(p->start_impulse + 3 * i, 0, 3 * sizeof *p->start_impulse);
            p->start[i] = (crn_contact_state){CRN_CONTACT_OFF, 0};
        }
    }
    return crn_step_solve_also(s, answer, error);
}

static void note_touching(crn_stepper *s)
{
    for (int i = 0; i < s->problem.problem.contacts; ++i) {
        s->impact.touches[i] = s->impact.first[3 * i] > 0.0 || s->problem.impulse[3 * i] > 0.0;
    }
}

/* --- The problem of an impact --- */

/* Motors and friction of joints are forces: they do nothing in no time. */
static void drop_bounded_rows(crn_stepper *s)
{
    crn_step_problem *p = &s->problem;
    int kept = 0;
    for (int i = 0; i < p->problem.rows; ++i) {
        if (!(p->row[i].bound > 0.0)) {
            s->impact.kept[kept] = i;
            p->row[kept++] = p->row[i];
        }
    }
    p->problem.rows = kept;
    s->impact.rows = kept;
}

/* Impulses of these rows, added to those of the kick's rows. */
static void add_rows(const crn_stepper *s, double *to)
{
    for (int i = 0; i < s->impact.rows; ++i) {
        to[s->impact.kept[i]] += s->problem.row_impulse[i];
    }
}

/* From the velocities of a moment, no forces; what touches has no gap. */
static crn_status build(crn_stepper *s, crn_moment from, crn_step_purpose purpose, double h, crn_error *error)
{
    if (!crn_moment_load(s, from)) {
        return crn_trees_singular(error);
    }
    s->kick.purpose = purpose;
    crn_status status = crn_step_build(s, h, error);
    s->kick.purpose = CRN_FOR_KICK;
    crn_step_problem *p = &s->problem;
    p->options.start = NULL;
    p->options.start_impulse = p->options.start_velocity = p->options.start_row_impulse = NULL;
    drop_bounded_rows(s);
    return status;
}

static crn_status compress(crn_stepper *s, double h, crn_step_answer *answer, crn_error *error)
{
    crn_status status = build(s, CRN_STRUCK, CRN_FOR_IMPACT, h, error);
    if (status == CRN_OK) {
        s->problem.options.even = true;
        status = crn_step_solve_also(s, answer, error);
    }
    if (status == CRN_OK) {
        size_t count = 3 * (size_t)s->problem.problem.contacts;
        memcpy(s->impact.compressed, s->problem.impulse, count * sizeof *s->impact.compressed);
        add_rows(s, s->impact.row);
    }
    return status;
}

/* --- Decompression --- */

/* ebar of each body of the problem: the largest e among contacts that the impact connects. */
static void find_largest(crn_stepper *s)
{
    const crn_step_problem *p = &s->problem;
    int *group = s->impact.group;
    double *largest = s->impact.largest;
    for (int i = 0; i < p->problem.bodies; ++i) {
        group[i] = i;
        largest[i] = 0.0;
    }
    for (int i = 0; i < p->problem.contacts; ++i) {
        if (s->impact.compressed[3 * i] > 0.0 && p->point[i].a >= 0 && p->point[i].b >= 0) {
            (void)crn_forest_join(group, p->point[i].a, p->point[i].b);
        }
    }
    for (int i = 0; i < p->problem.rows; ++i) {
        if (p->row[i].a >= 0 && p->row[i].b >= 0) {
            (void)crn_forest_join(group, p->row[i].a, p->row[i].b);
        }
    }
    for (int i = 0; i < p->problem.contacts; ++i) {
        int body = p->point[i].a >= 0 ? p->point[i].a : p->point[i].b;
        if (body >= 0 && s->impact.compressed[3 * i] > 0.0) {
            int root = crn_forest_root(group, body);
            largest[root] = crn_fmax(largest[root], s->impact.restitution[i]);
        }
    }
}

/* Columns of n, t1, t2 on the body at place `at` of the problem, into to where the contact has none. */
static const double *columns_of(const crn_stepper *s, int contact, int side, double *to)
{
    const crn_contact_point *point = &s->problem.point[contact];
    const double *given = side == 0 ? point->jacobian_a : point->jacobian_b;
    int at = side == 0 ? point->a : point->b;
    if (given || at < 0) {
        return given;
    }
    crn_step_contact_columns(s, at, point, side == 0 ? 1.0 : -1.0, to);
    return to;
}

static int dof_at(const crn_stepper *s, int at)
{
    return at < 0 ? 0 : s->problem.body[at].dof;
}

/* velocity += M^-1 (impulse times column) of the body at a place */
static void push(crn_stepper *s, int at, const double *column, double impulse)
{
    double *velocity = s->problem.velocity + crn_step_first_at(s, at);
    if (s->problem.body[at].kind == CRN_MASS_UNIT) {
        crn_axpy(s->problem.body[at].dof, impulse, column, velocity);
    } else {
        crn_step_push_rigid(s, at, column, impulse, velocity);
    }
}

/* Friction rows of a contact: along c_t and across. */
static double *add_friction(crn_stepper *s, int i, const double *const column[2], double bound, double *space)
{
    crn_step_problem *p = &s->problem;
    const crn_contact_point *point = &p->point[i];
    const double *c = s->impact.compressed + 3 * i;
    double size = crn_hypot(c[1], c[2]), along[2] = {1.0, 0.0};
    if (size > 0.0) {
        along[0] = c[1] / size;
        along[1] = c[2] / size;
    }
    s->impact.friction[i] = (crn_impact_friction){p->problem.rows, {along[0], along[1]}};
    int directions = s->def.is_planar ? 1 : 2;
    for (int k = 0; k < directions; ++k) {
        double x = k == 0 ? along[0] : -along[1], y = k == 0 ? along[1] : along[0];
        const double *row[2] = {NULL, NULL};
        for (int side = 0; side < 2; ++side) {
            int dof = dof_at(s, side == 0 ? point->a : point->b);
            for (int j = 0; column[side] && j < dof; ++j) {
                space[j] = x * column[side][dof + j] + y * column[side][2 * dof + j];
            }
            row[side] = column[side] ? space : NULL;
            space += dof;
        }
        double offset = x * point->offset[1] + y * point->offset[2];
        p->row[p->problem.rows++] = (crn_contact_row){point->a, point->b, row[0], row[1], offset, bound};
    }
    return space;
}

/* From the compressed state: restitution pushed into the velocity, contacts without friction, friction as rows. */
static void build_decompression(crn_stepper *s)
{
    crn_step_problem *p = &s->problem;
    double *space = s->impact.jacobian;
    memcpy(p->velocity, p->found, (size_t)crn_contact_dof(&p->problem) * sizeof *p->velocity);
    find_largest(s);
    for (int i = 0; i < p->problem.contacts; ++i) {
        crn_contact_point *point = &p->point[i];
        double given = s->impact.restitution[i] * s->impact.compressed[3 * i], buffer[2][18];
        const double *column[2] = {columns_of(s, i, 0, buffer[0]), columns_of(s, i, 1, buffer[1])};
        int body = point->a >= 0 ? point->a : point->b;
        double largest = body >= 0 ? s->impact.largest[crn_forest_root(s->impact.group, body)] : 0.0;
        double bound = point->directions > 0 ? point->mu * largest * s->impact.compressed[3 * i] : 0.0;
        for (int side = 0; side < 2 && given > 0.0; ++side) {
            if (column[side]) {
                push(s, side == 0 ? point->a : point->b, column[side], given);
            }
        }
        s->impact.friction[i].row = -1;
        if (bound > 0.0) {
            space = add_friction(s, i, column, bound, space);
        }
        point->mu = 0.0;
        point->directions = 0;
    }
    p->options.even = false;
    p->options.cone = CRN_CONE_POLYGON;
}

/* Impulses of the whole impact: c, e c, and what decompression added. */
static void sum_impulses(crn_stepper *s)
{
    const crn_step_problem *p = &s->problem;
    for (int i = 0; i < p->problem.contacts; ++i) {
        const double *c = s->impact.compressed + 3 * i;
        double *sum = s->impact.impulse + 3 * i;
        const crn_impact_friction *friction = &s->impact.friction[i];
        sum[0] = c[0] + s->impact.restitution[i] * c[0] + p->impulse[3 * i];
        sum[1] = c[1];
        sum[2] = c[2];
        if (friction->row >= 0) {
            double x = p->row_impulse[friction->row], y = s->def.is_planar ? 0.0 : p->row_impulse[friction->row + 1];
            sum[1] += x * friction->along[0] - y * friction->along[1];
            sum[2] += x * friction->along[1] + y * friction->along[0];
        }
    }
}

static crn_status decompress(crn_stepper *s, crn_step_answer *answer, crn_error *error)
{
    crn_step_problem *p = &s->problem;
    crn_moment_take_found(s, CRN_SHOWN);
    build_decompression(s);
    crn_status status = crn_step_solve_also(s, answer, error);
    if (status != CRN_OK) {
        return status;
    }
    double struck = (1.0 + GAIN_MOST) * crn_moment_kinetic(s, CRN_STRUCK);
    sum_impulses(s);
    crn_moment_take_found(s, CRN_AFTER);
    double after = crn_moment_kinetic(s, CRN_AFTER);
    size_t count = 3 * (size_t)p->problem.contacts;
    if (after <= struck) {
        crn_moment_mix(s, CRN_SHOWN, CRN_AFTER, 0.0, CRN_AFTER);
        add_rows(s, s->impact.row);
    } else if (crn_moment_kinetic(s, CRN_SHOWN) <= struck) { /* not solved: nothing is given back */
        memcpy(s->impact.impulse, s->impact.compressed, count * sizeof *s->impact.impulse);
    } else { /* nor was compression: what closes is stopped below */
        memset(s->impact.impulse, 0, count * sizeof *s->impact.impulse);
        memset(s->impact.row, 0, (size_t)s->rows * sizeof *s->impact.row);
        crn_moment_mix(s, CRN_SHOWN, CRN_STRUCK, 0.0, CRN_STRUCK);
    }
    return CRN_OK;
}

/* --- The other half of the kick --- */

/* Do contacts close after it? Restitution may be less than what forces do in a step. */
static bool has_closing(crn_stepper *s, double h)
{
    const crn_twist *after = crn_moment_bodies(s, CRN_AFTER);
    bool any = false;
    for (int i = 0; i < s->problem.rigid; ++i) {
        s->body[s->problem.body_of[i]].next_w = after[s->problem.body_of[i]].angular;
        s->body[s->problem.body_of[i]].next_v = after[s->problem.body_of[i]].linear;
    }
    for (int i = 0; i < s->forest.links; ++i) {
        s->body[s->forest.body[i]].next_w = after[s->forest.body[i]].angular;
        s->body[s->forest.body[i]].next_v = after[s->forest.body[i]].linear;
    }
    for (int i = 0; i < s->now.contacts; ++i) {
        double speed = closing_speed(s, i) - crn_step_normal_offset(s, i, h);
        any = any || speed > CLOSES_BELOW * s->impact.fastest;
    }
    return any;
}

/* Contacts that would close are kept open: an ordinary problem without forces. */
static crn_status stop_closing(crn_stepper *s, double h, crn_step_answer *answer, crn_error *error)
{
    crn_status status = build(s, CRN_AFTER, CRN_FOR_KICK, h, error);
    if (status == CRN_OK) {
        status = crn_step_solve_also(s, answer, error);
    }
    if (status == CRN_OK) {
        crn_moment_take_found(s, CRN_AFTER);
        add_rows(s, s->impact.after_row);
    }
    return status;
}

/* after = shown + what forces do after that moment */
static crn_status finish(crn_stepper *s, double h, crn_step_answer *answer, crn_error *error)
{
    crn_step_problem *p = &s->problem;
    int count = 3 * p->problem.contacts;
    crn_moment_add(s, CRN_AFTER, CRN_SHOWN, 1.0 - s->kick.share, CRN_PUSHED, CRN_BEFORE);
    crn_status status = CRN_OK;
    memset(p->impulse, 0, (size_t)count * sizeof *p->impulse);
    if (has_closing(s, h)) {
        status = stop_closing(s, h, answer, error);
    }
    crn_axpy(count, 1.0 - s->kick.share, s->impact.pushed, p->impulse);
    return status;
}

crn_status crn_impact_solve(crn_stepper *s, double h, crn_step_answer *answer, crn_error *error)
{
    crn_step_problem *p = &s->problem;
    size_t count = 3 * (size_t)p->problem.contacts;
    p->is_start_kept = false;
    memcpy(s->impact.first, p->impulse, count * sizeof *p->impulse);
    crn_status status = solve_without(s, answer, error);
    if (status != CRN_OK) {
        return status;
    }
    note_touching(s);
    crn_moment_take_found(s, CRN_PUSHED);
    crn_moment_mix(s, CRN_STRUCK, CRN_BEFORE, s->kick.share, CRN_PUSHED);
    memcpy(s->impact.pushed, p->impulse, count * sizeof *p->impulse);
    for (int i = 0; i < s->rows; ++i) {
        s->impact.pushed_row[i] = p->row_impulse[i];
        s->impact.after_row[i] = (1.0 - s->kick.share) * p->row_impulse[i];
        s->impact.row[i] = 0.0;
    }
    status = compress(s, h, answer, error);
    if (status == CRN_OK) {
        status = decompress(s, answer, error);
    }
    return status == CRN_OK ? finish(s, h, answer, error) : status;
}
