/* Sleeping: groups of bodies that touch or are joined, and that have all been at rest for a while, are not stepped until
 * something awake comes near. Off unless the world's definition asks for it. */
#include <string.h>

#include "base/memory.h"
#include "math/forest.h"
#include "math/rigid.h"
#include "step/parts.h"

void crn_step_wake(crn_stepper *s, int body)
{
    int group = s->body[body].asleep;
    s->body[body].rest = 0.0;
    for (int i = 0; group != 0 && i < s->bodies; ++i) {
        if (s->body[i].asleep == group) {
            s->body[i].asleep = 0;
            s->body[i].rest = 0.0;
            s->body[i].is_fresh = true; /* at rest: no force is under way */
        }
    }
}

void crn_step_wake_all(crn_stepper *s)
{
    for (int i = 0; i < s->bodies; ++i) {
        crn_step_wake(s, i);
    }
}

bool crn_step_is_moving(const crn_step_body *body)
{
    return body->kind == CRN_BODY_DRIVEN &&
           (crn_v3_dot(body->next_v, body->next_v) > 0.0 || crn_v3_dot(body->next_w, body->next_w) > 0.0);
}

static bool is_awake(const crn_step_body *body)
{
    return (body->kind == CRN_BODY_FREE && !body->asleep) || crn_step_is_moving(body);
}

/* Wake either of two bodies if it sleeps and the other does not. */
static bool wake_pair(crn_stepper *s, int a, int b)
{
    bool wakes_a = s->body[a].asleep && is_awake(&s->body[b]), wakes_b = s->body[b].asleep && is_awake(&s->body[a]);
    if (wakes_a || wakes_b) {
        crn_step_wake(s, wakes_a ? a : b);
    }
    return wakes_a || wakes_b;
}

bool crn_step_wake_touched(crn_stepper *s)
{
    bool any = false;
    if (!(s->def.sleep_time > 0.0)) {
        return false;
    }
    for (int i = 0; i < s->now.contacts; ++i) {
        int a = s->shape[s->now.pair[i].shape_a].body, b = s->shape[s->now.pair[i].shape_b].body;
        any = wake_pair(s, a, b) || any;
    }
    for (int i = 0; i < s->joints; ++i) {
        const crn_step_joint *joint = &s->joint[i];
        if (joint->is_used && joint->a >= 0 && joint->b >= 0) {
            any = wake_pair(s, joint->a, joint->b) || any;
        }
    }
    return any;
}

static void join(crn_stepper *s, int a, int b)
{
    if (a >= 0 && b >= 0 && s->body[a].kind == CRN_BODY_FREE && s->body[b].kind == CRN_BODY_FREE) {
        (void)crn_forest_join(s->group, a, b);
    }
}

static void join_all(crn_stepper *s)
{
    for (int i = 0; i < s->bodies; ++i) {
        s->group[i] = i;
    }
    for (int i = 0; i < s->last.contacts; ++i) {
        if (s->last.contact[i].kind != CRN_CONTACT_OFF) {
            join(s, s->shape[s->last.pair[i].shape_a].body, s->shape[s->last.pair[i].shape_b].body);
        }
    }
    for (int i = 0; i < s->joints; ++i) {
        if (s->joint[i].is_used) {
            join(s, s->joint[i].a, s->joint[i].b);
        }
    }
}

static bool is_varying(const crn_profile *profile)
{
    return profile->amplitude != 0.0 || profile->times != NULL;
}

/* What a motor moves that may start at any time is never at rest. */
static void keep_motors_awake(crn_stepper *s)
{
    for (int i = 0; i < s->joints; ++i) {
        const crn_step_joint *joint = &s->joint[i];
        for (int k = 0; joint->is_used && k < CRN_JOINT_COORDINATES_MAX; ++k) {
            const crn_joint_axis *axis = &joint->def.axis[k];
            if (axis->has_motor && is_varying(axis->is_servo ? &axis->target : &axis->speed)) {
                s->body[joint->a >= 0 ? joint->a : joint->b].rest = 0.0;
                s->body[joint->b >= 0 ? joint->b : joint->a].rest = 0.0;
            }
        }
    }
}

/* Count how long each body has been at rest; the shortest of a group is its root's. */
static void count_rest(crn_stepper *s, double h)
{
    for (int i = 0; i < s->bodies; ++i) {
        crn_step_body *body = &s->body[i];
        double speed = crn_v3_length(body->rigid.v) + crn_v3_length(body->rigid.w) * body->radius;
        body->rest = speed <= s->def.sleep_speed ? body->rest + h : 0.0;
    }
    keep_motors_awake(s);
    for (int i = 0; i < s->bodies; ++i) {
        int root = crn_forest_root(s->group, i);
        if (s->body[i].rest < s->body[root].rest) {
            s->body[root].rest = s->body[i].rest;
        }
    }
}

crn_status crn_step_sleep_begin(crn_stepper *s, crn_error *error)
{
    bool is_wanted = s->def.sleep_time > 0.0;
    if (is_wanted && !crn_reserve(&s->allocator, (void **)&s->group, &s->group_capacity, s->bodies, sizeof *s->group)) {
        return crn_fail(error, CRN_ERR_MEMORY, "world: out of memory for sleeping groups");
    }
    return CRN_OK;
}

void crn_step_sleep(crn_stepper *s, double h)
{
    if (!(s->def.sleep_time > 0.0)) {
        return;
    }
    join_all(s);
    count_rest(s, h);
    for (int i = 0; i < s->bodies; ++i) {
        crn_step_body *body = &s->body[i];
        int root = crn_forest_root(s->group, i);
        if (body->id.index1 != 0 && body->kind == CRN_BODY_FREE && !body->asleep &&
            s->body[root].rest >= s->def.sleep_time) {
            body->asleep = root + 1;
            body->rigid.w = body->rigid.v = crn_v3(0, 0, 0);
            body->shown_w = body->shown_v = crn_v3(0, 0, 0);
        }
    }
}
