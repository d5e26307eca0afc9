/* Forces of a kick on bodies: loads at the present time, what the caller pushes with, forces along tendons, and along coordinates of joints that are
 * rows. Joints in trees take theirs themselves: trees_kick.c. */
#include <string.h>

#include "base/memory.h"
#include "math/rigid.h"
#include "step/tendons.h"

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

/* Forces along the coordinates of a joint between bodies; joints in trees take them themselves. */
static void add_joint_force(crn_stepper *s, const crn_step_joint *joint)
{
    const crn_joint_type *type = crn_joint_type_of(joint->def.kind);
    crn_joint_row row[CRN_JOINT_COORDINATES_MAX];
    double force[CRN_JOINT_COORDINATES_MAX];
    bool any = false;
    for (int k = 0; k < type->coordinates; ++k) {
        force[k] = joint->force[k] + joint->control_force[k] + crn_profile_at(&joint->def.axis[k].force, s->time);
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
void crn_step_add_forces(crn_stepper *s)
{
    for (int i = 0; i < s->bodies; ++i) {
        crn_step_body *body = &s->body[i];
        body->load_force = body->force;
        body->load_torque = body->torque;
    }
    for (int i = 0; i < s->loads; ++i) {
        if (s->load[i].is_used) {
            add_load(s, &s->load[i].def);
        }
    }
    for (int i = 0; i < s->joints; ++i) {
        memset(s->joint[i].tendon_force, 0, sizeof s->joint[i].tendon_force);
        if (s->joint[i].is_used && !s->joint[i].is_link) {
            add_joint_force(s, &s->joint[i]);
        }
    }
    for (int i = 0; i < s->tendons; ++i) {
        if (s->tendon[i].is_used) {
            crn_tendon_push(s, &s->tendon[i]);
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

/* Does the caller push otherwise than in the last step? */
bool crn_step_is_pushed_anew(const crn_stepper *s)
{
    bool is_anew = false;
    for (int i = 0; i < s->bodies && !is_anew; ++i) {
        const crn_step_body *body = &s->body[i];
        crn_vec3 force = crn_v3_sub(body->force, body->acted_force);
        crn_vec3 torque = crn_v3_sub(body->torque, body->acted_torque);
        is_anew = crn_v3_dot(force, force) + crn_v3_dot(torque, torque) > 0.0;
    }
    for (int i = 0; i < s->joints && !is_anew; ++i) {
        for (int k = 0; k < CRN_JOINT_COORDINATES_MAX; ++k) {
            is_anew = is_anew || s->joint[i].force[k] != s->joint[i].acted[k];
        }
    }
    return is_anew;
}

/* A later part of a step: what the caller pushes with goes on. */
void crn_step_push_on_further(crn_stepper *s)
{
    for (int i = 0; i < s->bodies; ++i) {
        s->body[i].force = s->body[i].acted_force;
        s->body[i].torque = s->body[i].acted_torque;
    }
    for (int i = 0; i < s->joints; ++i) {
        memcpy(s->joint[i].force, s->joint[i].acted, sizeof s->joint[i].force);
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
