/* The order of [HA03]: kick, then drift, with joints as rows. For the paper, and for comparison.
 *
 *     v_f   = v + h M^-1 f                                 free motion
 *     Phi   at q: contacts within the margin               detect.c
 *     M (v+ - v_f) = sum J'r + B'l,  0 <= n v+ + Phi/h complementary to r_n >= 0, friction, joints + Theta/h
 *     q+    = q + h v+
 *
 * Overlap and the drift of joints are taken back by the velocity; repair.c closes joints after the step. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "math/rigid.h"
#include "step/trees.h"
#include "step/verdict.h"

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

static crn_status take_found(crn_stepper *s, crn_error *error)
{
    for (int i = 0; i < s->problem.rigid; ++i) {
        crn_step_body *body = &s->body[s->problem.body_of[i]];
        crn_step_found(s, s->problem.found, i, &body->next_w, &body->next_v);
        if (!crn_step_is_sane(body->next_v) || !crn_step_is_sane(body->next_w)) {
            return crn_step_diverged(body, s->time, "the velocity", error);
        }
    }
    return CRN_OK;
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
        status = crn_step_solve(s, &answer, error);
    }
    if (status == CRN_OK) {
        status = take_found(s, error);
    }
    if (status == CRN_OK) {
        crn_step_tell(&answer, s, stats);
    }
    stats->seconds_collide = found - start;
    stats->seconds_solve = crn_seconds() - built;
    return status;
}

crn_status crn_step_advance_hart(crn_stepper *s, double h, crn_step_stats *stats, crn_error *error)
{
    double start = crn_seconds();
    memset(stats, 0, sizeof *stats);
    s->events = 0;
    crn_step_remember(s);
    crn_step_drive(s, h);
    crn_step_add_forces(s);
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
    stats->parts = 1;
    stats->part_time = h;
    crn_step_figures_after(s, stats);
    crn_verdict_judge(&s->def, stats);
    stats->seconds = crn_seconds() - start;
    return CRN_OK;
}
