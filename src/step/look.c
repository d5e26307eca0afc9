/* Contacts and rows where everything is, and the bodies of the problem. */
#include <math.h>

#include "math/rigid.h"
#include "step/loops.h"
#include "step/trees.h"
#include "step/verdict.h"

crn_status crn_step_detect_awake(crn_stepper *s, double h, crn_error *error)
{
    crn_status status;
    do {
        status = crn_step_detect(s, h, error);
    } while (status == CRN_OK && crn_step_wake_touched(s));
    return status;
}

crn_status crn_trees_singular(crn_error *error)
{
    return crn_fail(error, CRN_ERR_DIVERGED, "step: the mass matrix of a tree is not positive definite");
}

static crn_status list_all_but_contacts(crn_stepper *s, double h, crn_error *error)
{
    crn_status status = crn_step_list_rows(s, h, error);
    if (status == CRN_OK) {
        crn_loops_list_all_stops(s);
    }
    return status == CRN_OK ? crn_step_number(s, error) : status;
}

crn_status crn_trees_look(crn_stepper *s, double h, crn_error *error)
{
    crn_status status = crn_step_detect_awake(s, h, error);
    return status == CRN_OK ? list_all_but_contacts(s, h, error) : status;
}

/* --- After a small repair ---
 *
 * A contact that two bodies carry along when they are moved by d is off by d^2 over the radius of their surfaces, and by more where
 * edges are nearly parallel. Where bodies are moved by some tolerances only, it need not be looked for again. Unless a way out was
 * chosen of several: what it leads to, others may tell. */

static const double CARRIED_MOST = 10.0; /* tolerances of the repair */

/* Where a point of a body has come to. */
static crn_vec3 carried(const crn_step_body *body, crn_vec3 point)
{
    crn_quat back = crn_quat_conjugate(body->repair.pose.rotation);
    crn_vec3 local = crn_quat_turn(back, crn_v3_sub(point, body->repair.pose.position));
    return crn_v3_add(body->rigid.pose.position, crn_quat_turn(body->rigid.pose.rotation, local));
}

/* How far its surface was moved. */
static double moved(const crn_step_body *body)
{
    crn_quat turn = crn_quat_product(body->rigid.pose.rotation, crn_quat_conjugate(body->repair.pose.rotation));
    double shift = crn_v3_length(crn_v3_sub(body->rigid.pose.position, body->repair.pose.position));
    return shift + crn_v3_length(crn_quat_log(turn)) * body->radius;
}

static bool is_moved_little(const crn_stepper *s)
{
    double most = CARRIED_MOST * crn_repair_tolerance(&s->def);
    bool is_little = true;
    for (int i = 0; i < s->bodies && is_little; ++i) {
        const crn_step_body *body = &s->body[i];
        if (body->id.index1 != 0 && body->kind == CRN_BODY_FREE && !body->asleep) {
            is_little = moved(body) <= most;
        }
    }
    return is_little;
}

static void carry_contacts(crn_stepper *s)
{
    for (int i = 0; i < s->now.contacts; ++i) {
        crn_contact *c = &s->now.contact[i];
        const crn_step_body *a = &s->body[s->shape[s->now.pair[i].shape_a].body];
        const crn_step_body *b = &s->body[s->shape[s->now.pair[i].shape_b].body];
        crn_vec3 at_a = a->kind == CRN_BODY_FREE ? carried(a, c->point) : c->point;
        crn_vec3 at_b = b->kind == CRN_BODY_FREE ? carried(b, c->point) : c->point;
        c->gap += crn_v3_dot(c->normal, crn_v3_sub(at_a, at_b));
        c->point = crn_v3_scale(0.5, crn_v3_add(at_a, at_b));
    }
}

crn_status crn_trees_look_again(crn_stepper *s, double h, crn_error *error)
{
    if (s->find.scratch.is_chosen || !is_moved_little(s)) {
        return crn_trees_look(s, h, error);
    }
    carry_contacts(s);
    return list_all_but_contacts(s, h, error);
}
