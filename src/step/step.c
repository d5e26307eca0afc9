/* A time step [HA03 s2.2]: free motion, contacts, one complementarity problem, new positions, records. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "math/rigid.h"
#include "step/trees.h"

static const double SPEED_MOST = 1e9; /* [m/s], [rad/s]: faster is a run that diverged */

/* --- Motions that are known --- */

/* The velocity that takes a driven body from its pose now to the one at the end of the step. */
void crn_step_drive(crn_stepper *s, double h)
{
    for (int i = 0; i < s->bodies; ++i) {
        crn_step_body *body = &s->body[i];
        if (body->id.index1 == 0 || body->kind != CRN_BODY_DRIVEN) {
            continue;
        }
        crn_pose next = crn_step_driven_pose(body, s->time + h);
        crn_vec3 com = crn_v3_add(next.position, crn_quat_turn(next.rotation, body->com));
        crn_quat turn = crn_quat_product(next.rotation, crn_quat_conjugate(body->rigid.pose.rotation));
        body->next_v = crn_v3_scale(1.0 / h, crn_v3_sub(com, body->rigid.pose.position));
        body->next_w = crn_v3_scale(1.0 / h, crn_quat_log(turn));
        body->end_v = body->rigid.v;
        body->end_w = body->rigid.w;
        body->begin = body->rigid.pose;
        body->rigid.v = body->next_v;
        body->rigid.w = body->next_w;
    }
}

/* --- Free motion --- */

static void add_load(crn_stepper *s, const crn_load_def *load)
{
    crn_step_body *body = &s->body[load->body];
    if (!(s->time >= load->from && s->time < load->until) || body->kind != CRN_BODY_FREE) {
        return;
    }
    double factor = crn_profile_at(&load->factor, s->time);
    crn_vec3 force = crn_v3_scale(factor, load->force), torque = crn_v3_scale(factor, load->torque);
    if (load->is_local) {
        force = crn_m3_times(&body->rigid.rotation, force);
        torque = crn_m3_times(&body->rigid.rotation, torque);
    }
    crn_vec3 arm = crn_m3_times(&body->rigid.rotation, crn_v3_sub(load->point, body->com));
    body->load_force = crn_v3_add(body->load_force, force);
    body->load_torque = crn_v3_add(body->load_torque, crn_v3_add(torque, crn_v3_cross(arm, force)));
}

static void add_wrench(crn_stepper *s, int body, const double *row, double force)
{
    if (body >= 0 && s->body[body].kind == CRN_BODY_FREE) {
        crn_step_body *b = &s->body[body];
        b->load_torque = crn_v3_axpy(b->load_torque, force, crn_v3_of(row));
        b->load_force = crn_v3_axpy(b->load_force, force, crn_v3_of(row + 3));
    }
}

double crn_step_push_on(const crn_stepper *s, const crn_step_joint *joint, int coordinate)
{
    bool is_new = s->pushes == CRN_PUSHES_NEW, is_again = s->pushes == CRN_PUSHES_LAST;
    return is_new ? joint->force[coordinate] : is_again ? joint->acted[coordinate] : 0.0;
}

/* Forces along the coordinates of a joint between bodies; joints in trees take them themselves. */
static void add_joint_force(crn_stepper *s, const crn_step_joint *joint)
{
    const crn_joint_type *type = crn_joint_type_of(joint->def.kind);
    crn_joint_row row[CRN_JOINT_COORDINATES_MAX];
    double force[CRN_JOINT_COORDINATES_MAX];
    bool any = false;
    for (int k = 0; k < type->coordinates; ++k) {
        force[k] = crn_step_push_on(s, joint, k) + crn_profile_at(&joint->def.axis[k].force, s->time);
        any = any || force[k] != 0.0;
    }
    if (!any) {
        return;
    }
    crn_joint_sides sides = crn_step_joint_sides(s, joint);
    type->coordinate(&sides, row);
    for (int k = 0; k < type->coordinates; ++k) {
        add_wrench(s, joint->a, row[k].a, force[k]);
        add_wrench(s, joint->b, row[k].b, force[k]);
    }
}

/* Forces of this step: the caller's, and the loads at this time. */
void crn_step_add_forces(crn_stepper *s, crn_step_pushes pushes)
{
    s->pushes = pushes;
    for (int i = 0; i < s->bodies; ++i) {
        crn_step_body *body = &s->body[i];
        bool is_new = pushes == CRN_PUSHES_NEW, is_again = pushes == CRN_PUSHES_LAST && !body->is_fresh;
        crn_vec3 none = {0, 0, 0};
        body->load_force = is_new ? body->force : is_again ? body->acted_force : none;
        body->load_torque = is_new ? body->torque : is_again ? body->acted_torque : none;
    }
    for (int i = 0; i < s->loads; ++i) {
        if (s->load[i].is_used) {
            add_load(s, &s->load[i].def);
        }
    }
    for (int i = 0; i < s->joints; ++i) {
        if (s->joint[i].is_used && !s->joint[i].def.in_tree) {
            add_joint_force(s, &s->joint[i]);
        }
    }
    for (int i = 0; i < s->bodies; ++i) {
        const crn_step_body *body = &s->body[i];
        bool is_pushed = crn_v3_dot(body->load_force, body->load_force) > 0.0 ||
                         crn_v3_dot(body->load_torque, body->load_torque) > 0.0;
        if (is_pushed && body->asleep) {
            crn_step_wake(s, i);
        }
    }
}

bool crn_step_is_sane(crn_vec3 a)
{
    return crn_v3_length(a) < SPEED_MOST; /* false for NaN */
}

crn_status crn_step_diverged(const crn_step_body *body, double time, const char *what, crn_error *error)
{
    return crn_fail(error, CRN_ERR_DIVERGED, "step at t = %.9g: %s of body %d is not finite or beyond %g m/s", time,
                    what, (int)body->id.index1 - 1, SPEED_MOST);
}

/* v_f = v + h M^-1 f of every free body, into next_w and next_v. */
crn_status crn_step_move_freely(crn_stepper *s, double h, crn_error *error)
{
    for (int i = 0; i < s->bodies; ++i) {
        crn_step_body *body = &s->body[i];
        if (body->id.index1 == 0 || body->kind != CRN_BODY_FREE || body->asleep || body->tree > 0) {
            continue;
        }
        crn_vec3 weight = crn_v3_scale(body->rigid.mass * body->gravity_scale, s->def.gravity);
        crn_rigid_push(&body->rigid, h, crn_v3_add(body->load_force, weight), body->load_torque, body->linear_damping,
                       body->angular_damping, &body->next_w, &body->next_v);
        if (!crn_step_is_sane(body->next_v) || !crn_step_is_sane(body->next_w)) {
            return crn_step_diverged(body, s->time, "the free velocity", error);
        }
    }
    return CRN_OK;
}

/* --- New state --- */

static crn_status take_found(crn_stepper *s, bool is_end, crn_error *error)
{
    for (int i = 0; i < s->problem.rigid; ++i) {
        crn_step_body *body = &s->body[s->problem.body_of[i]];
        crn_step_found(s, s->problem.found, i, &body->end_w, &body->end_v);
        if (!crn_step_is_sane(body->end_v) || !crn_step_is_sane(body->end_w)) {
            return crn_step_diverged(body, s->time, "the velocity", error);
        }
    }
    for (int i = 0; i < s->problem.rigid && !is_end; ++i) {
        crn_step_body *body = &s->body[s->problem.body_of[i]];
        body->next_w = body->end_w;
        body->next_v = body->end_v;
    }
    return CRN_OK;
}

static bool is_same(crn_vec3 a, crn_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z; /* copies, or not */
}

/* A free body moves by the velocity of the step's problem and then has the one after collisions. */
void crn_step_move_body(crn_step_body *body, double h)
{
    bool is_bounced = !is_same(body->end_w, body->next_w) || !is_same(body->end_v, body->next_v);
    body->rigid.w = body->next_w;
    body->rigid.v = body->next_v;
    crn_rigid_move(&body->rigid, h);
    if (is_bounced) {
        body->rigid.w = body->end_w;
        body->rigid.v = body->end_v;
    }
}

/* What the caller pushed with has acted. */
void crn_step_clear_forces(crn_stepper *s)
{
    for (int i = 0; i < s->bodies; ++i) {
        s->body[i].acted_force = s->body[i].force;
        s->body[i].acted_torque = s->body[i].torque;
        s->body[i].force = s->body[i].torque = crn_v3(0, 0, 0);
    }
    for (int i = 0; i < s->joints; ++i) {
        memcpy(s->joint[i].acted, s->joint[i].force, sizeof s->joint[i].force);
        memset(s->joint[i].force, 0, sizeof s->joint[i].force);
    }
}

void crn_step_move_all(crn_stepper *s, double h)
{
    for (int i = 0; i < s->bodies; ++i) {
        crn_step_body *body = &s->body[i];
        if (body->id.index1 == 0 || body->kind == CRN_BODY_FIXED || body->asleep || body->tree > 0) {
            continue;
        }
        if (body->kind == CRN_BODY_DRIVEN) {
            crn_pose pose = crn_step_driven_pose(body, s->time + h);
            crn_step_set_body_pose(body, &pose);
        } else {
            body->begin = body->rigid.pose;
            crn_step_move_body(body, h);
        }
    }
    s->time += h;
    s->steps++;
}

/* --- Records --- */

/* How much of what the answer added to its start the next step starts from. At rest, a solve takes back the small velocity
 * that the start left the step before; starting from all of it would leave the opposite velocity, and so on for ever. The
 * mean of start and answer is the impulse at rest. It must be the same share for all, or they no longer balance. */
static double share_of_change(const crn_step_problem *p)
{
    const double nudge = 1e-6; /* of the largest impulse: larger changes are changes of the load */
    double change = 0.0, largest = 0.0;
    for (int i = 0; i < 3 * p->problem.contacts; ++i) {
        change = fmax(change, fabs(p->impulse[i] - p->start_impulse[i]));
        largest = fmax(largest, fabs(p->impulse[i]));
    }
    return change <= nudge * largest ? 0.5 : 1.0;
}

static crn_vec3 composed(const double *r, crn_vec3 n, crn_vec3 t1, crn_vec3 t2)
{
    return crn_v3_axpy(crn_v3_axpy(crn_v3_scale(r[0], n), r[1], t1), r[2], t2);
}

void crn_step_record_contacts(crn_stepper *s, double h)
{
    const crn_step_problem *p = &s->problem;
    double share = share_of_change(p);
    for (int i = 0; i < s->now.contacts; ++i) {
        crn_contact *c = &s->now.contact[i];
        const crn_contact_point *point = &p->point[i];
        const double *r = p->impulse + 3 * i, *u = p->u + 3 * i;
        crn_vec3 n = c->normal, t1 = crn_v3_of(point->t1), t2 = crn_v3_of(point->t2);
        double motion[3] = {u[0] - crn_step_normal_offset(s, i, h), u[1], u[2]}, next[3];
        for (int k = 0; k < 3; ++k) {
            next[k] = r[k] + (share - 1.0) * (r[k] - p->start_impulse[3 * i + k]);
        }
        c->impulse = composed(r, n, t1, t2);
        c->velocity = composed(motion, n, t1, t2);
        s->now.pair[i].start = composed(next, n, t1, t2);
        c->kind = p->state[i].kind;
        s->now.pair[i].corner = p->state[i].corner;
    }
}

void crn_step_record_joints(crn_stepper *s)
{
    for (int i = 0; i < s->joints; ++i) {
        memset(s->joint[i].limit, 0, sizeof s->joint[i].limit);
    }
    for (int i = 0; i < s->limits; ++i) {
        s->joint[s->limit[i].joint].limit[s->limit[i].slot] = s->problem.impulse[3 * (s->now.contacts + i)];
    }
    for (int i = 0; i < s->rows; ++i) {
        s->last_row[i] = s->problem.row_impulse[i];
    }
    s->last_rows = s->rows;
}

/* The step's contacts become the last ones: what the world shows, and what the next step starts from. */
void crn_step_keep_contacts(crn_stepper *s)
{
    crn_step_contacts before = s->last;
    s->last = s->now;
    s->now = before;
}

static int moving_links(const crn_stepper *s)
{
    int count = 0;
    for (int i = 0; i < s->forest.links; ++i) {
        count += s->body[s->forest.body[i]].at >= 0;
    }
    return count;
}

void crn_step_tell(const crn_step_answer *answer, const crn_stepper *s, crn_step_stats *stats)
{
    const crn_contact_result *result = &answer->result;
    stats->problems = answer->problems;
    stats->outcome = result->outcome;
    stats->law = result->law;
    stats->method = result->method;
    stats->certificate = result->certificate.relative;
    stats->pivots = result->pivots;
    stats->iterations = result->iterations;
    stats->is_warm = result->is_warm;
    stats->is_relaxed = answer->is_relaxed;
    stats->islands = result->islands;
    stats->bodies = s->problem.rigid + moving_links(s);
    stats->contacts = s->now.contacts;
    stats->rows = s->rows;
    crn_step_figures_before(s, stats);
}

/* --- A step that fails has not been --- */

void crn_step_remember(crn_stepper *s)
{
    for (int i = 0; i < s->bodies; ++i) {
        s->body[i].begin_rest = s->body[i].rest;
        s->body[i].begin_asleep = s->body[i].asleep;
    }
}

/* Who was woken sleeps again; driven bodies have the velocity of the step before. */
void crn_step_undo(crn_stepper *s)
{
    for (int i = 0; i < s->bodies; ++i) {
        crn_step_body *body = &s->body[i];
        body->rest = body->begin_rest;
        body->asleep = body->begin_asleep;
        if (body->id.index1 != 0 && body->kind == CRN_BODY_DRIVEN) {
            body->rigid.v = body->end_v;
            body->rigid.w = body->end_w;
        }
    }
}

/* --- The step --- */

crn_status crn_step_detect_awake(crn_stepper *s, double h, crn_error *error)
{
    crn_status status;
    do {
        status = crn_step_detect(s, h, error);
    } while (status == CRN_OK && crn_step_wake_touched(s));
    return status;
}

/* Solve; what is found moves the bodies. Collisions then change the velocity that they go on with. */
crn_status crn_step_find_velocities(crn_stepper *s, double h, crn_step_answer *answer, crn_error *error)
{
    int colliding = 0;
    crn_status status = crn_step_solve(s, answer, error);
    if (status == CRN_OK) {
        status = crn_step_list_colliding(s, h, &colliding, error);
    }
    if (status == CRN_OK) {
        status = take_found(s, false, error);
    }
    if (status == CRN_OK && colliding > 0) {
        status = crn_step_bounce(s, h, answer, error);
    }
    return status == CRN_OK && colliding > 0 ? take_found(s, true, error) : status;
}

static crn_status find_motion(crn_stepper *s, double h, crn_step_stats *stats, crn_error *error)
{
    double start = crn_seconds();
    crn_status status = crn_step_detect_awake(s, h, error);
    double found = crn_seconds();
    crn_step_answer answer = {0};
    if (status == CRN_OK) {
        status = crn_step_move_freely(s, h, error);
    }
    if (status == CRN_OK) {
        status = crn_step_list_rows(s, h, error);
    }
    if (status == CRN_OK) {
        status = crn_step_number(s, error);
    }
    if (status == CRN_OK) {
        status = crn_step_build(s, h, error);
    }
    double built = crn_seconds();
    if (status == CRN_OK) {
        status = crn_step_find_velocities(s, h, &answer, error);
    }
    if (status == CRN_OK) {
        crn_step_tell(&answer, s, stats);
    }
    stats->seconds_collide = found - start;
    stats->seconds_solve = crn_seconds() - built;
    return status;
}

/* Memory of all that follows the solution, so that nothing has moved if there is none. */
crn_status crn_step_make_room(crn_stepper *s, crn_error *error)
{
    crn_status status = crn_step_events(s, error);
    if (status == CRN_OK &&
        !crn_reserve(&s->allocator, (void **)&s->last_row, &s->last_row_capacity, s->rows, sizeof *s->last_row)) {
        status = crn_fail(error, CRN_ERR_MEMORY, "world: out of memory for joints");
    }
    if (status == CRN_OK) {
        status = crn_has_trees(s) ? CRN_OK : crn_step_repair_begin(s, error);
    }
    return status == CRN_OK ? crn_step_sleep_begin(s, error) : status;
}

/* A step of a world without trees: kick, then drift. */
static crn_status advance_bodies(crn_stepper *s, double h, crn_step_stats *stats, crn_error *error)
{
    double start = crn_seconds();
    memset(stats, 0, sizeof *stats);
    crn_step_remember(s);
    crn_step_drive(s, h);
    crn_step_add_forces(s, CRN_PUSHES_NEW);
    crn_status status = find_motion(s, h, stats, error);
    if (status == CRN_OK) {
        crn_step_record_contacts(s, h);
        status = crn_step_make_room(s, error);
    }
    if (status != CRN_OK) {
        crn_step_undo(s);
        return status;
    }
    crn_step_record_joints(s);
    crn_step_move_all(s, h);
    crn_step_clear_forces(s);
    crn_step_keep_contacts(s);
    crn_step_repair(s, h);
    crn_step_sleep(s, h);
    stats->time = s->time;
    crn_step_figures_after(s, stats);
    stats->seconds = crn_seconds() - start;
    return CRN_OK;
}

crn_status crn_step_advance(crn_stepper *s, double h, crn_step_stats *stats, crn_error *error)
{
    memset(stats, 0, sizeof *stats);
    crn_status status = crn_step_plant(s, error);
    if (status != CRN_OK) {
        return status;
    }
    return crn_has_trees(s) ? crn_step_advance_trees(s, h, stats, error) : advance_bodies(s, h, stats, error);
}
