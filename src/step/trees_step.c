/* A step of a world with trees: drift, then kick [section 2].
 *
 *     drift   trees by reflection and projection, rigid bodies by their own free motion, no forces
 *     repair  overlap and loops, positions only
 *     keep    momentum in flight, energy from above
 *     kick    forces and one complementarity problem, where everything now is
 *
 * So contacts and impulses belong to the poses that the step ends with. What the caller has placed gets half a kick before
 * its first drift, and velocities shown are the mean of those before and after a kick: second order, and 0 at rest. */
#include <string.h>

#include "step/trees.h"

/* --- A step that fails has not been --- */

static void save(crn_stepper *s)
{
    crn_step_forest *f = &s->forest;
    memcpy(f->q_begin, f->q, (size_t)f->coordinates * sizeof *f->q);
    memcpy(f->u_begin, f->u, (size_t)f->velocities * sizeof *f->u);
    memcpy(f->before_begin, f->before, (size_t)f->velocities * sizeof *f->before);
    for (int i = 0; i < f->mechanisms; ++i) {
        f->mechanism[i].begin = f->mechanism[i].kept;
    }
    for (int i = 0; i < s->bodies; ++i) {
        s->body[i].begin = s->body[i].rigid.pose;
        s->body[i].begin_shown_w = s->body[i].shown_w;
        s->body[i].begin_shown_v = s->body[i].shown_v;
        s->body[i].begin_fresh = s->body[i].is_fresh;
        s->body[i].begin_w = s->body[i].rigid.w;
        s->body[i].begin_v = s->body[i].rigid.v;
    }
}

static void restore(crn_stepper *s, double time)
{
    for (int i = 0; i < s->forest.mechanisms; ++i) {
        s->forest.mechanism[i].kept = s->forest.mechanism[i].begin;
    }
    crn_step_forest *f = &s->forest;
    s->time = time;
    memcpy(f->q, f->q_begin, (size_t)f->coordinates * sizeof *f->q);
    memcpy(f->u, f->u_begin, (size_t)f->velocities * sizeof *f->u);
    memcpy(f->before, f->before_begin, (size_t)f->velocities * sizeof *f->before);
    for (int i = 0; i < s->bodies; ++i) {
        crn_step_body *body = &s->body[i];
        if (body->id.index1 != 0) {
            body->rigid.pose = body->begin;
            body->rigid.w = body->begin_w;
            body->rigid.v = body->begin_v;
            crn_rigid_refresh(&body->rigid);
            body->shown_w = body->begin_shown_w;
            body->shown_v = body->begin_shown_v;
            body->is_fresh = body->begin_fresh;
        }
    }
    crn_step_place_links(s);
}

/* --- Kick --- */

crn_status crn_trees_singular(crn_error *error)
{
    return crn_fail(error, CRN_ERR_DIVERGED, "step: the mass matrix of a tree is not positive definite");
}

/* Of the first kick; Euler's is a whole one. */
static double first_share(const crn_stepper *s)
{
    return s->def.tree_scheme == CRN_TREE_REFLECT ? 0.5 : 1.0;
}

/* Is the step another one than that which the last kick was made for? With steps h and h+ on its sides a kick is (h + h+)/2
 * long, so that it is made again. */
static bool is_other_step(const crn_stepper *s, double h)
{
    return s->last_h > 0.0 && s->last_h != h && s->def.tree_scheme == CRN_TREE_REFLECT;
}

/* A rigid body that the caller has not changed: as it is, or the last kick again. */
static void leave_body(crn_stepper *s, crn_step_body *body, double h)
{
    body->next_w = body->rigid.w;
    body->next_v = body->rigid.v;
    if (is_other_step(s, h) && body->id.index1 != 0 && body->kind == CRN_BODY_FREE && body->tree == 0 &&
        !body->asleep) {
        crn_rigid before = body->rigid;
        before.w = crn_v3_axpy(crn_v3_scale(2.0, body->begin_shown_w), -1.0, body->rigid.w);
        before.v = crn_v3_axpy(crn_v3_scale(2.0, body->begin_shown_v), -1.0, body->rigid.v);
        crn_vec3 weight = crn_v3_scale(before.mass * body->gravity_scale, s->def.gravity);
        crn_rigid_push(&before, 0.5 * (s->last_h + h), crn_v3_add(body->load_force, weight), body->load_torque,
                       body->linear_damping, body->angular_damping, &body->next_w, &body->next_v);
    }
}

/* Free velocities. At the first kick only what is fresh is pushed, for half of h; all else keeps what it has. */
static crn_status push_all(crn_stepper *s, double h, bool is_first, crn_error *error)
{
    for (int i = 0; i < s->bodies; ++i) { /* what the mean is taken with */
        s->body[i].shown_w = s->body[i].rigid.w;
        s->body[i].shown_v = s->body[i].rigid.v;
    }
    double share = is_first ? first_share(s) : 1.0;
    crn_status status = crn_step_move_freely(s, share * h, error);
    for (int i = 0; i < s->bodies && is_first; ++i) {
        if (!s->body[i].is_fresh) {
            leave_body(s, &s->body[i], h);
        }
    }
    for (int i = 0; i < s->forest.mechanisms && status == CRN_OK; ++i) {
        crn_step_mechanism *m = &s->forest.mechanism[i];
        bool is_left = is_first && !m->kept.is_fresh, is_other = is_left && is_other_step(s, h);
        double time = is_other ? 0.5 * (s->last_h + h) : is_left ? 0.0 : share * h;
        if (m->at < 0) {
            crn_trees_lead(s, m);
            continue;
        }
        if (!crn_trees_push(s, m, is_left && !is_other ? s->forest.u : s->forest.before, time)) {
            status = crn_trees_singular(error);
        }
    }
    return status;
}

/* Velocities after the kick. */
static crn_status take_all(crn_stepper *s, double h, bool is_first, crn_error *error)
{
    crn_status status = CRN_OK;
    for (int i = 0; i < s->problem.rigid; ++i) {
        crn_step_body *body = &s->body[s->problem.body_of[i]];
        body->rigid.w = body->end_w;
        body->rigid.v = body->end_v;
        body->next_w = body->end_w;
        body->next_v = body->end_v;
        if (!is_first) {
            body->shown_w = crn_v3_scale(0.5, crn_v3_add(body->shown_w, body->end_w));
            body->shown_v = crn_v3_scale(0.5, crn_v3_add(body->shown_v, body->end_v));
        }
        body->is_fresh = false;
    }
    for (int i = 0; i < s->forest.mechanisms; ++i) {
        crn_step_mechanism *m = &s->forest.mechanism[i];
        if (crn_is_led(s, m)) {
            crn_trees_show(s, m);
        }
        if (m->at < 0) {
            continue;
        }
        crn_trees_take(s, m, h);
        crn_trees_show(s, m);
        m->kept.is_fresh = false;
        for (int t = m->tree; t < m->tree + m->trees && status == CRN_OK; ++t) {
            const crn_step_tree *tree = &s->forest.tree[t];
            for (int k = 0; k < tree->tree->links && status == CRN_OK; ++k) {
                const crn_step_body *body = &s->body[s->forest.body[tree->link + k]];
                if (!crn_step_is_sane(body->rigid.v) || !crn_step_is_sane(body->rigid.w)) {
                    status = crn_step_diverged(body, s->time, "the velocity", error);
                }
            }
        }
    }
    return status;
}

/* Which mechanisms contacts push. */
static void note_touched(crn_stepper *s)
{
    for (int i = 0; i < s->forest.mechanisms; ++i) {
        s->forest.mechanism[i].kept.is_touched = false;
    }
    crn_trees_note_touched(s);
}

/* Contacts and rows have been listed, bodies numbered. */
static crn_status kick(crn_stepper *s, double h, bool is_first, crn_step_answer *answer, crn_error *error)
{
    /* The caller's pushes act once, with the step's own kick; they did so in one that is repeated. */
    crn_step_add_forces(s, !is_first ? CRN_PUSHES_NEW : is_other_step(s, h) ? CRN_PUSHES_LAST : CRN_PUSHES_NONE);
    crn_status status = push_all(s, h, is_first, error);
    if (status == CRN_OK) {
        status = crn_step_build(s, h, error);
    }
    if (status == CRN_OK) {
        status = crn_step_find_velocities(s, h, answer, error);
    }
    if (status == CRN_OK) {
        note_touched(s);
        status = take_all(s, h, is_first, error);
    }
    return status;
}

crn_status crn_trees_look(crn_stepper *s, double h, crn_error *error)
{
    crn_status status = crn_step_detect_awake(s, h, error);
    if (status == CRN_OK) {
        status = crn_step_list_rows(s, h, error);
    }
    return status == CRN_OK ? crn_step_number(s, error) : status;
}

/* Half a kick for what the caller has placed since the last step. */
static crn_status kick_fresh(crn_stepper *s, double h, crn_error *error)
{
    bool any = false;
    for (int i = 0; i < s->bodies; ++i) {
        crn_step_mechanism *m = crn_mechanism_of(s, i);
        bool is_free = s->body[i].id.index1 != 0 && s->body[i].kind == CRN_BODY_FREE;
        if (is_free && s->body[i].is_fresh && m) {
            m->kept.is_fresh = true;
        }
        any = any || (is_free && (m ? m->kept.is_fresh : s->body[i].is_fresh));
    }
    if (!any && !is_other_step(s, h)) {
        return CRN_OK;
    }
    crn_step_answer answer = {0};
    for (int i = 0; i < s->forest.mechanisms; ++i) {
        crn_step_mechanism *m = &s->forest.mechanism[i];
        crn_trees_place(s, m);
        if (!crn_trees_factor(s, m, NULL)) {
            return crn_trees_singular(error);
        }
        crn_trees_known(s, m);
        crn_trees_loops(s, m, true);
        crn_trees_weigh(s, m, h);
    }
    crn_status status = crn_trees_look(s, h, error);
    for (int i = 0; i < s->rows && status == CRN_OK; ++i) { /* forces act for half as long */
        s->row[i].bound *= is_other_step(s, h) ? 0.5 * (s->last_h + h) / h : first_share(s);
    }
    if (status == CRN_OK) {
        status = kick(s, h, true, &answer, error);
    }
    for (int i = 0; i < s->bodies && status == CRN_OK; ++i) {
        s->body[i].is_fresh = false;
    }
    return status;
}

/* --- Drift --- */

/* Potential energy of rigid bodies, for what repairs raise. */
static double height_of(const crn_stepper *s, const crn_step_body *body)
{
    return -body->gravity_scale * body->rigid.mass * crn_v3_dot(s->def.gravity, body->rigid.pose.position);
}

static bool is_rigid(const crn_step_body *body)
{
    return body->id.index1 != 0 && body->kind == CRN_BODY_FREE && body->tree == 0 && !body->asleep;
}

static crn_status drift(crn_stepper *s, double h, crn_error *error)
{
    for (int i = 0; i < s->bodies; ++i) {
        crn_step_body *body = &s->body[i];
        if (is_rigid(body)) {
            body->next_w = body->end_w = body->rigid.w;
            body->next_v = body->end_v = body->rigid.v;
        }
    }
    bool is_fine = s->def.tree_scheme == CRN_TREE_EULER ? crn_trees_euler(s, h) : crn_trees_drift(s, h);
    if (!is_fine) {
        return crn_trees_singular(error);
    }
    crn_step_move_all(s, h);
    for (int i = 0; i < s->forest.mechanisms; ++i) {
        if (crn_is_awake(s, &s->forest.mechanism[i])) {
            crn_trees_arrive(s, &s->forest.mechanism[i]);
        }
    }
    for (int i = 0; i < s->bodies; ++i) {
        s->body[i].height = height_of(s, &s->body[i]);
    }
    return CRN_OK;
}

/* Rigid bodies that a repair has raised pay with their speed. */
static void keep_rigid(crn_stepper *s)
{
    for (int i = 0; i < s->problem.rigid && !s->def.is_unclamped; ++i) {
        crn_step_body *body = &s->body[s->problem.body_of[i]];
        double gain = height_of(s, body) - body->height, kinetic = crn_rigid_kinetic(&body->rigid);
        if (gain > 0.0) {
            double factor = gain < kinetic ? sqrt(1.0 - gain / kinetic) : 0.0;
            body->rigid.w = crn_v3_scale(factor, body->rigid.w);
            body->rigid.v = crn_v3_scale(factor, body->rigid.v);
        }
    }
}

/* Velocities at the repaired place. */
static void settle(crn_stepper *s, double h, int repairs, crn_step_stats *stats)
{
    for (int i = 0; i < s->forest.mechanisms; ++i) {
        crn_step_mechanism *m = &s->forest.mechanism[i];
        if (m->at < 0) {
            continue;
        }
        stats->drifts = stats->drifts > m->drifts ? stats->drifts : m->drifts;
        if (s->def.tree_scheme != CRN_TREE_REFLECT) {
            continue;
        }
        if (!m->is_drifted) { /* it was woken */
            (void)crn_trees_factor(s, m, NULL);
        } else if (repairs > 0) {
            crn_trees_project(s, m);
        }
        crn_trees_spread(s, m, s->forest.before, s->forest.V);
        crn_trees_weigh(s, m, h);
        stats->clamped += crn_trees_keep(s, m, h);
    }
    if (repairs > 0) {
        keep_rigid(s);
    }
}

/* --- The step --- */

/* One stage of Runge-Kutta: contacts where it is, and a kick of the whole step. */
static crn_status kick_stage(crn_stepper *s, double h, crn_step_answer *answer, crn_error *error)
{
    crn_trees_keep_bases(s);
    crn_step_drive(s, h);
    crn_trees_aim(s, h);
    crn_status status = crn_trees_look(s, h, error);
    crn_step_answer mine = {0};
    if (status == CRN_OK) {
        status = kick(s, h, false, &mine, error);
    }
    if (status == CRN_OK) {
        crn_step_add_answer(&mine, answer);
    }
    return status;
}

static crn_status runge_kutta(crn_stepper *s, double h, crn_step_stats *stats, crn_error *error)
{
    crn_step_answer answer = {0};
    crn_status status = crn_trees_runge_kutta(s, h, kick_stage, &answer, error);
    if (status == CRN_OK) {
        s->time -= h; /* moving the bodies that are driven brings it back */
        crn_step_move_all(s, h);
        crn_step_tell(&answer, s, stats);
        crn_step_record_contacts(s, h);
        status = crn_trees_repair(s, h, &stats->repairs, error);
    }
    for (int i = 0; i < s->forest.mechanisms && status == CRN_OK; ++i) {
        crn_trees_show(s, &s->forest.mechanism[i]);
    }
    return status;
}

static crn_status drift_and_kick(crn_stepper *s, double h, crn_step_stats *stats, crn_error *error)
{
    crn_step_answer answer = {0};
    crn_step_drive(s, h);
    crn_trees_aim(s, h);
    crn_status status = kick_fresh(s, h, error);
    if (status == CRN_OK) {
        status = drift(s, h, error);
    }
    double start = crn_seconds();
    if (status == CRN_OK) {
        status = crn_trees_repair(s, h, &stats->repairs, error);
    }
    stats->seconds_collide = crn_seconds() - start;
    if (status == CRN_OK) {
        crn_trees_keep_bases(s);
        settle(s, h, stats->repairs, stats);
        crn_step_drive(s, h);
        crn_trees_aim(s, h);
        start = crn_seconds();
        status = kick(s, h, false, &answer, error);
        stats->seconds_solve = crn_seconds() - start;
    }
    if (status == CRN_OK) {
        crn_step_tell(&answer, s, stats);
        crn_step_record_contacts(s, h);
    }
    return status;
}

/* What fell asleep is at rest. */
static void stop_sleepers(crn_stepper *s)
{
    crn_step_forest *f = &s->forest;
    for (int i = 0; i < f->trees && s->def.sleep_time > 0.0; ++i) {
        const crn_step_tree *tree = &f->tree[i];
        if (s->body[f->body[tree->link]].asleep) {
            memset(f->u + tree->u, 0, (size_t)tree->tree->velocities * sizeof *f->u);
            memset(f->before + tree->u, 0, (size_t)tree->tree->velocities * sizeof *f->before);
            for (int k = 0; k < tree->tree->links; ++k) {
                crn_step_body *body = &s->body[f->body[tree->link + k]];
                body->shown_w = body->shown_v = crn_v3(0, 0, 0);
            }
        }
    }
}

crn_status crn_step_advance_trees(crn_stepper *s, double h, crn_step_stats *stats, crn_error *error)
{
    double start = crn_seconds(), time = s->time;
    crn_step_remember(s);
    save(s);
    bool is_staged = s->def.tree_scheme == CRN_TREE_RK4;
    crn_status status = is_staged ? runge_kutta(s, h, stats, error) : drift_and_kick(s, h, stats, error);
    if (status == CRN_OK) {
        status = crn_step_make_room(s, error);
    }
    if (status != CRN_OK) {
        crn_step_undo(s);
        restore(s, time);
        return status;
    }
    s->last_h = h;
    crn_step_record_joints(s);
    crn_step_clear_forces(s);
    crn_step_keep_contacts(s);
    crn_step_sleep(s, h);
    stop_sleepers(s);
    stats->time = s->time;
    crn_step_figures_after(s, stats);
    stats->seconds = crn_seconds() - start;
    return CRN_OK;
}
