/* A time step [HA03 s2.2]: free motion, contacts, one complementarity problem, new positions, records. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "math/rigid.h"
#include "step/parts.h"

static const double SPEED_MOST = 1e9; /* [m/s], [rad/s]: faster is a run that diverged */

/* --- Motions that are known --- */

/* The velocity that takes a driven body from its pose now to the one at the end of the step. */
static void drive(crn_stepper *s, double h)
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

/* Forces of this step: the caller's, and the loads at this time. */
static void add_forces(crn_stepper *s)
{
    for (int i = 0; i < s->bodies; ++i) {
        s->body[i].load_force = s->body[i].force;
        s->body[i].load_torque = s->body[i].torque;
    }
    for (int i = 0; i < s->loads; ++i) {
        if (s->load[i].is_used) {
            add_load(s, &s->load[i].def);
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

static bool is_sane(crn_vec3 a)
{
    return crn_v3_length(a) < SPEED_MOST; /* false for NaN */
}

static crn_status diverged(const crn_step_body *body, double time, const char *what, crn_error *error)
{
    return crn_fail(error, CRN_ERR_DIVERGED, "step at t = %.9g: %s of body %d is not finite or beyond %g m/s", time,
                    what, (int)body->id.index1 - 1, SPEED_MOST);
}

/* v_f = v + h M^-1 f of every free body, into next_w and next_v. */
static crn_status move_freely(crn_stepper *s, double h, crn_error *error)
{
    for (int i = 0; i < s->bodies; ++i) {
        crn_step_body *body = &s->body[i];
        if (body->id.index1 == 0 || body->kind != CRN_BODY_FREE || body->asleep) {
            continue;
        }
        crn_vec3 weight = crn_v3_scale(body->rigid.mass * body->gravity_scale, s->def.gravity);
        crn_rigid_push(&body->rigid, h, crn_v3_add(body->load_force, weight), body->load_torque, body->linear_damping,
                       body->angular_damping, &body->next_w, &body->next_v);
        if (!is_sane(body->next_v) || !is_sane(body->next_w)) {
            return diverged(body, s->time, "the free velocity", error);
        }
    }
    return CRN_OK;
}

/* --- New state --- */

static crn_status take_found(crn_stepper *s, bool is_end, crn_error *error)
{
    for (int i = 0; i < s->problem.problem.bodies; ++i) {
        crn_step_body *body = &s->body[s->problem.body_of[i]];
        crn_step_found(s, s->problem.found, i, &body->end_w, &body->end_v);
        if (!is_sane(body->end_v) || !is_sane(body->end_w)) {
            return diverged(body, s->time, "the velocity", error);
        }
    }
    for (int i = 0; i < s->problem.problem.bodies && !is_end; ++i) {
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

static void move_all(crn_stepper *s, double h)
{
    for (int i = 0; i < s->bodies; ++i) {
        crn_step_body *body = &s->body[i];
        if (body->id.index1 == 0 || body->kind == CRN_BODY_FIXED || body->asleep) {
            continue;
        }
        if (body->kind == CRN_BODY_DRIVEN) {
            crn_pose pose = crn_step_driven_pose(body, s->time + h);
            crn_step_set_body_pose(body, &pose);
        } else {
            body->begin = body->rigid.pose;
            crn_step_move_body(body, h);
        }
        body->force = body->torque = crn_v3(0, 0, 0);
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

static void record_contacts(crn_stepper *s, double h)
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

static void record_joints(crn_stepper *s)
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
static void keep_contacts(crn_stepper *s)
{
    crn_step_contacts before = s->last;
    s->last = s->now;
    s->now = before;
}

static void tell(const crn_step_answer *answer, const crn_stepper *s, crn_step_stats *stats)
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
    stats->bodies = s->problem.problem.bodies;
    stats->contacts = s->now.contacts;
    stats->rows = s->rows;
    crn_step_figures_before(s, stats);
}

/* --- A step that fails has not been --- */

static void remember(crn_stepper *s)
{
    for (int i = 0; i < s->bodies; ++i) {
        s->body[i].begin_rest = s->body[i].rest;
        s->body[i].begin_asleep = s->body[i].asleep;
    }
}

/* Who was woken sleeps again; driven bodies have the velocity of the step before. */
static void undo(crn_stepper *s)
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

static crn_status detect_awake(crn_stepper *s, double h, crn_error *error)
{
    crn_status status;
    do {
        status = crn_step_detect(s, h, error);
    } while (status == CRN_OK && crn_step_wake_touched(s));
    return status;
}

/* Solve; what is found moves the bodies. Collisions then change the velocity that they go on with. */
static crn_status solve(crn_stepper *s, double h, crn_step_answer *answer, crn_error *error)
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
    crn_status status = detect_awake(s, h, error);
    double found = crn_seconds();
    crn_step_answer answer = {0};
    if (status == CRN_OK) {
        status = move_freely(s, h, error);
    }
    if (status == CRN_OK) {
        status = crn_step_list_rows(s, h, error);
    }
    if (status == CRN_OK) {
        status = crn_step_build(s, h, error);
    }
    double built = crn_seconds();
    if (status == CRN_OK) {
        status = solve(s, h, &answer, error);
    }
    if (status == CRN_OK) {
        tell(&answer, s, stats);
    }
    stats->seconds_collide = found - start;
    stats->seconds_solve = crn_seconds() - built;
    return status;
}

/* Memory of all that follows the solution, so that nothing has moved if there is none. */
static crn_status make_room(crn_stepper *s, crn_error *error)
{
    crn_status status = crn_step_events(s, error);
    if (status == CRN_OK &&
        !crn_reserve(&s->allocator, (void **)&s->last_row, &s->last_row_capacity, s->rows, sizeof *s->last_row)) {
        status = crn_fail(error, CRN_ERR_MEMORY, "world: out of memory for joints");
    }
    if (status == CRN_OK) {
        status = crn_step_repair_begin(s, error);
    }
    return status == CRN_OK ? crn_step_sleep_begin(s, error) : status;
}

crn_status crn_step_advance(crn_stepper *s, double h, crn_step_stats *stats, crn_error *error)
{
    double start = crn_seconds();
    memset(stats, 0, sizeof *stats);
    remember(s);
    drive(s, h);
    add_forces(s);
    crn_status status = find_motion(s, h, stats, error);
    if (status == CRN_OK) {
        record_contacts(s, h);
        status = make_room(s, error);
    }
    if (status != CRN_OK) {
        undo(s);
        return status;
    }
    record_joints(s);
    move_all(s, h);
    keep_contacts(s);
    crn_step_repair(s, h);
    crn_step_sleep(s, h);
    stats->time = s->time;
    crn_step_figures_after(s, stats);
    stats->seconds = crn_seconds() - start;
    return CRN_OK;
}
