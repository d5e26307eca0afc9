/* Motions between kicks: of driven bodies as they are told, of rigid ones by their velocity; speeds that are out of bounds. */
#include <math.h>

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
        body->rigid.v = body->next_v;
        body->rigid.w = body->next_w;
    }
}

/* --- Out of bounds --- */

bool crn_step_is_sane(crn_vec3 a)
{
    return crn_v3_dot(a, a) < SPEED_MOST * SPEED_MOST; /* false for NaN */
}

crn_status crn_step_diverged(const crn_step_body *body, double time, const char *what, crn_error *error)
{
    return crn_fail(error, CRN_ERR_DIVERGED, "step at t = %.9g: %s of body %d is not finite or beyond %g m/s", time,
                    what, (int)body->id.index1 - 1, SPEED_MOST);
}

/* --- Free bodies --- */

void crn_step_move_body(crn_step_body *body, double h)
{
    body->rigid.w = body->next_w;
    body->rigid.v = body->next_v;
    crn_rigid_move(&body->rigid, h);
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
            body->begin.pose = body->rigid.pose;
            crn_step_move_body(body, h);
        }
    }
    s->time += h;
    s->steps++;
}
