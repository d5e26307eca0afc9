/* A step: drift, then kick [docs/theory/stepping.md].
 *
 *     drift   trees by reflection and projection, rigid bodies by their own free motion, no forces
 *     repair  overlap and loops, positions only
 *     keep    momentum in flight, energy from above
 *     kick    forces and one complementarity problem, where everything now is
 *
 * So contacts and impulses belong to the poses that the step ends with. What the caller has placed gets half a kick before
 * its first drift, and velocities shown are those at the moment of the kick: second order, and 0 at rest. */
#include <math.h>
#include <string.h>

#include "step/clamp.h"
#include "step/energy.h"
#include "step/kick.h"
#include "step/loops.h"
#include "step/verdict.h"

/* --- Roll back a failed step --- */

static void save(crn_stepper *s)
{
    crn_step_forest *f = &s->forest;
    crn_copy_numbers(f->q_begin, f->q, f->coordinates);
    crn_copy_numbers(f->u_begin, f->u, f->velocities);
    crn_copy_numbers(f->before_begin, f->before, f->velocities);
    crn_copy_numbers(f->shown_begin, f->shown, f->velocities);
    crn_copy_numbers(f->solved_begin, f->solved, f->velocities);
    s->books_begin = s->books;
    for (int i = 0; i < f->mechanisms; ++i) {
        f->mechanism[i].begin = f->mechanism[i].kept;
        f->mechanism[i].closure.wide = 0.0;
    }
    for (int i = 0; i < f->trees; ++i) {
        crn_copy_numbers(f->tree[i].carried_begin, f->tree[i].carried, 6);
        crn_copy_numbers(f->tree[i].carried_begin + 6, f->tree[i].carried_before, 6);
    }
    for (int i = 0; i < s->joints; ++i) {
        crn_copy_numbers(s->joint[i].last_begin, s->joint[i].last, CRN_JOINT_COORDINATES_MAX);
    }
    for (int i = 0; i < s->bodies; ++i) {
        s->body[i].repair.overlap = CRN_OVERLAP_PARTS;
        s->body[i].begin.pose = s->body[i].rigid.pose;
        s->body[i].begin.shown_w = s->body[i].shown_w;
        s->body[i].begin.shown_v = s->body[i].shown_v;
        s->body[i].begin.is_fresh = s->body[i].is_fresh;
        s->body[i].begin.worked = s->body[i].worked[0];
        s->body[i].begin.owed = s->body[i].owed;
        s->body[i].begin.w = s->body[i].rigid.w;
        s->body[i].begin.v = s->body[i].rigid.v;
    }
}

static void restore(crn_stepper *s, double time, int64_t steps)
{
    for (int i = 0; i < s->forest.mechanisms; ++i) {
        s->forest.mechanism[i].kept = s->forest.mechanism[i].begin;
    }
    crn_step_forest *f = &s->forest;
    for (int i = 0; i < f->trees; ++i) {
        crn_copy_numbers(f->tree[i].carried, f->tree[i].carried_begin, 6);
        crn_copy_numbers(f->tree[i].carried_before, f->tree[i].carried_begin + 6, 6);
    }
    for (int i = 0; i < s->joints; ++i) {
        crn_copy_numbers(s->joint[i].last, s->joint[i].last_begin, CRN_JOINT_COORDINATES_MAX);
    }
    crn_step_restore_pairs(s);
    s->time = time;
    s->steps = steps;
    crn_copy_numbers(f->q, f->q_begin, f->coordinates);
    crn_copy_numbers(f->u, f->u_begin, f->velocities);
    crn_copy_numbers(f->before, f->before_begin, f->velocities);
    crn_copy_numbers(f->shown, f->shown_begin, f->velocities);
    crn_copy_numbers(f->solved, f->solved_begin, f->velocities);
    s->books = s->books_begin;
    for (int i = 0; i < s->bodies; ++i) {
        crn_step_body *body = &s->body[i];
        if (body->id.index1 != 0) {
            body->rigid.pose = body->begin.pose;
            body->rigid.w = body->begin.w;
            body->rigid.v = body->begin.v;
            crn_rigid_refresh(&body->rigid);
            body->shown_w = body->begin.shown_w;
            body->shown_v = body->begin.shown_v;
            body->is_fresh = body->begin.is_fresh;
            body->worked[0] = body->begin.worked;
            body->owed = body->begin.owed;
            body->worked[1] = 0.0;
        }
    }
    crn_step_place_links(s);
}

/* --- Drift --- */

static bool is_rigid(const crn_step_body *body)
{
    return body->id.index1 != 0 && body->kind == CRN_BODY_FREE && body->tree == 0 && !body->asleep;
}

static crn_status drift(crn_stepper *s, double h, crn_error *error)
{
    for (int i = 0; i < s->bodies; ++i) {
        crn_step_body *body = &s->body[i];
        if (is_rigid(body)) {
            body->next_w = body->rigid.w;
            body->next_v = body->rigid.v;
        }
    }
    if (s->branch && s->branch->chain) {
        crn_chain_note_drift(s->branch->chain);
    }
    bool is_fine = s->def.integrator == CRN_INTEGRATOR_EULER ? crn_trees_euler(s, h) : crn_trees_drift(s, h);
    if (!is_fine) {
        return crn_trees_singular(error);
    }
    crn_step_move_all(s, h);
    for (int i = 0; i < s->forest.mechanisms; ++i) {
        if (crn_is_awake(s, &s->forest.mechanism[i])) {
            crn_trees_arrive(s, &s->forest.mechanism[i]);
        }
    }
    return CRN_OK;
}

/* Velocities at the repaired place. */
static void settle(crn_stepper *s, int repairs, crn_step_stats *stats)
{
    for (int i = 0; i < s->forest.mechanisms; ++i) {
        crn_step_mechanism *m = &s->forest.mechanism[i];
        if (m->at < 0) {
            continue;
        }
        stats->drifts = stats->drifts > m->drifts ? stats->drifts : m->drifts;
        if (s->def.integrator != CRN_INTEGRATOR_REFLECT) {
            continue;
        }
        if (!m->is_drifted) { /* it was woken */
            (void)crn_trees_factor(s, m, NULL);
        } else if (repairs > 0) {
            crn_trees_project(s, m);
        }
        if (repairs > 0 && m->is_unheld && !m->kept.is_touched) { /* alone in the air */
            crn_trees_spread(s, m, s->forest.before, s->forest.V);
            crn_trees_restore_momentum(s, m);
        }
    }
}

/* --- The step --- */

/* One stage of Runge-Kutta: contacts where it is, and a kick of the whole step. */
static crn_status kick_stage(crn_stepper *s, double h, crn_step_answer *answer, crn_error *error)
{
    crn_trees_keep_bases(s);
    crn_trees_show_before(s);
    crn_step_drive(s, h);
    crn_trees_aim(s, h);
    crn_status status = crn_trees_look(s, h, error);
    crn_step_answer mine = {0};
    crn_account account = {0};
    int rounds;
    if (status == CRN_OK) {
        status = crn_step_kick(s, h, CRN_KICK_WHOLE, &mine, &account, &rounds, error);
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
        status = crn_trees_look(s, h, error);
    }
    if (status == CRN_OK) {
        status = crn_trees_repair(s, h, &stats->repairs, &s->is_jammed, error);
    }
    if (status == CRN_OK) {
        crn_copy_numbers(s->forest.shown, s->forest.u, s->forest.velocities);
        crn_copy_numbers(s->forest.solved, s->forest.u, s->forest.velocities);
    }
    for (int i = 0; i < s->forest.mechanisms && status == CRN_OK; ++i) {
        crn_trees_show(s, &s->forest.mechanism[i]);
    }
    return status;
}

/* Where bodies part, energy is added to the work of what is outside: the caller has placed them so. They raise others. */
static void count_parting(crn_stepper *s, double sign)
{
    for (int i = 0; i < s->bodies && s->books.parting > 0; ++i) {
        if (crn_has_energy(&s->body[i])) {
            crn_twist now = {s->body[i].rigid.w, s->body[i].rigid.v};
            double energy =
                crn_energy_height(s, i) + crn_energy_springs(s, i) + crn_energy_kinetic(s, i, &now, s->forest.before);
            s->body[i].worked[0] += sign * energy;
            s->books.excused += sign * energy;
        }
    }
}

/* Contacts where the drift has ended, and repairs. */
static crn_status arrive(crn_stepper *s, double h, crn_step_stats *stats, crn_error *error)
{
    crn_trees_keep_bases(s);
    crn_ledger_drifted(s, &stats->ledger);
    crn_step_drive(s, h); /* what is driven goes on as it will: contacts are looked for by that */
    crn_status status = crn_trees_look(s, h, error);
    if (status == CRN_OK) {
        stats->unseen = crn_step_count_unseen(s);
        if (crn_trees_is_off(s)) {
            crn_ledger_repairing(s);
        }
        count_parting(s, -1.0);
        status = crn_trees_repair(s, h, &stats->repairs, &s->is_jammed, error);
    }
    if (status == CRN_OK) {
        settle(s, stats->repairs, stats);
        if (stats->repairs > 0) {
            crn_ledger_repaired(s, &stats->ledger);
        }
        count_parting(s, 1.0);
        s->books.parting -= s->books.parting > 0 ? 1 : 0;
    }
    return status;
}

/* What the caller pushes wakes. */
static void wake_pushed(crn_stepper *s)
{
    for (int i = 0; i < s->bodies && s->def.sleep_time > 0.0; ++i) {
        const crn_step_body *body = &s->body[i];
        bool is_pushed = crn_v3_dot(body->force, body->force) > 0.0 || crn_v3_dot(body->torque, body->torque) > 0.0;
        if (is_pushed && body->asleep) {
            crn_step_wake(s, i);
        }
    }
}

static crn_status drift_and_kick(crn_stepper *s, double h, crn_step_stats *stats, crn_error *error)
{
    crn_step_answer answer = {0};
    crn_account account = {0};
    wake_pushed(s);
    crn_status status = crn_step_begin_changed(s, error);
    crn_ledger_begin(s, &stats->ledger);
    crn_clamp_begin(s);
    crn_step_drive(s, h);
    crn_trees_aim(s, h);
    status = status == CRN_OK ? crn_step_kick_first(s, h, error) : status;
    crn_ledger_kick_done(s);
    if (status == CRN_OK) {
        status = drift(s, h, error);
    }
    double drifted = crn_seconds();
    if (status == CRN_OK) {
        status = arrive(s, h, stats, error);
    }
    double arrived = crn_seconds(); /* reading the clock takes as long as a link: no more often than needed */
    stats->seconds_collide = arrived - drifted;
    if (status == CRN_OK) {
        crn_trees_aim(s, h);
        status = crn_step_kick(s, h, CRN_KICK_WHOLE, &answer, &account, &stats->rounds, error);
        stats->seconds_solve = crn_seconds() - arrived;
    }
    if (status == CRN_OK) {
        crn_ledger_kicked(s, &account, &stats->ledger);
        stats->clamped = -account.clamp;
        crn_step_tell(&answer, s, stats);
        stats->is_relaxed = stats->is_relaxed || s->is_jammed;
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

/* What a step that is taken leaves for the next one, and to be looked at. */
static void finish(crn_stepper *s, double h, crn_step_stats *stats)
{
    s->last_h = h;
    crn_step_record_joints(s);
    crn_step_clear_forces(s);
    crn_step_keep_contacts(s);
    crn_step_sleep(s, h);
    stop_sleepers(s);
    stats->time = s->time;
    stats->parts = 1;
    stats->part_time = h;
    crn_step_figures_after(s, stats);
    crn_step_release_motors(s);
}

static crn_status no_memory(crn_error *error)
{
    return crn_fail(error, CRN_ERR_MEMORY, "world: out of memory for velocities and contacts");
}

static bool is_refused(const crn_step_stats *stats, unsigned refused)
{
    unsigned verdicts = stats->failed != 0 ? stats->failed : 1u << CRN_VERDICT_CERTIFIED;
    return (verdicts & refused) != 0;
}

crn_status crn_step_advance_drifting(crn_stepper *s, double h, const crn_step_part *part, crn_step_stats *stats,
                                     bool *is_taken, crn_error *error)
{
    double start = crn_seconds(), time = s->time;
    int64_t steps = s->steps;
    if (!crn_moment_room(s) || !crn_clamp_room(s) || !crn_step_remember_pairs(s)) {
        return no_memory(error);
    }
    if (!part->is_later) {
        s->events = 0;
    } else {
        crn_step_push_on_further(s);
    }
    crn_step_remember(s);
    save(s);
    int events = s->events;
    bool is_staged = s->def.integrator == CRN_INTEGRATOR_RK4;
    crn_status status = is_staged ? runge_kutta(s, h, stats, error) : drift_and_kick(s, h, stats, error);
    if (status == CRN_OK) {
        status = crn_step_make_room(s, error);
    }
    if (status == CRN_OK || status == CRN_ERR_DIVERGED) {
        crn_trees_find_contradicted(s);
    }
    if (status == CRN_OK) {
        crn_verdict_judge(&s->def, stats);
        *is_taken = !is_refused(stats, part->refused);
    }
    if (*is_taken && !is_staged && !crn_step_know_pairs(s)) {
        status = no_memory(error);
        *is_taken = false;
    }
    if (*is_taken) {
        finish(s, h, stats);
    } else {
        crn_step_undo(s);
        restore(s, time, steps);
        s->events = events;
    }
    stats->seconds = crn_seconds() - start;
    return status;
}
