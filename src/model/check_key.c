/* Is a key well described? What it names must be in the model. */
#include "model/check.h"

#include <math.h>

/* Is the body b of a joint in a tree? */
static bool is_link(const crn_key_owner *owner, int body)
{
    for (int i = 0; i < owner->joints; ++i) {
        if (owner->joint[i].in_tree && owner->joint[i].b == body) {
            return true;
        }
    }
    return false;
}

/* The kind of joint whose numbers a state has; -1: it names nothing that has any. */
static int kind_of(const crn_key_owner *owner, const crn_key_state *state, crn_check *check)
{
    bool has_joint = state->joint >= 0 && state->joint < owner->joints;
    bool has_body = state->body >= 0 && state->body < owner->bodies;
    const crn_joint_def *joint = has_joint ? &owner->joint[state->joint] : NULL;
    const crn_body_def *body = has_body ? &owner->body[state->body] : NULL;
    if ((joint != NULL) == (body != NULL)) {
        crn_check_fail(check, "joint", "%d, and body %d: needs one of them", state->joint, state->body);
    } else if (joint != NULL && (!joint->in_tree || crn_joint_kind_freedom(joint->kind) <= 0)) {
        crn_check_fail(check, "joint", "%d is not a joint in a tree that moves", state->joint);
    } else if (joint != NULL) {
        return (int)joint->kind;
    } else if (body->kind != CRN_BODY_FREE || is_link(owner, state->body)) {
        crn_check_fail(check, "body", "%d does not float", state->body);
    } else {
        return owner->is_planar ? (int)CRN_JOINT_PLANAR : (int)CRN_JOINT_FREE;
    }
    return -1;
}

static void check_state(const crn_key_owner *owner, const crn_key_state *state, crn_check *check)
{
    int kind = kind_of(owner, state, check);
    if (kind < 0) {
        return;
    }
    int numbers = crn_joint_kind_numbers((crn_joint_kind)kind), freedom = crn_joint_kind_freedom((crn_joint_kind)kind);
    for (int i = 0; i < numbers; ++i) {
        crn_check_finite(check, "q", state->q[i]);
    }
    for (int i = 0; i < freedom; ++i) {
        crn_check_finite(check, "u", state->u[i]);
    }
    const double *x = state->q + numbers - 4;
    if (numbers > freedom && !(fabs(x[0]) + fabs(x[1]) + fabs(x[2]) + fabs(x[3]) > 0.0)) {
        crn_check_fail(check, "q", "its quaternion must not be 0");
    }
}

crn_status crn_key_def_check(const crn_key_owner *owner, const crn_key_def *def, const char *where, crn_error *error)
{
    crn_check check = crn_check_begin(def, where, false, error);
    if (check.status != CRN_OK) {
        return check.status;
    }
    crn_check_name(&check, "name", def->name);
    if (def->states < 0 || (def->states > 0 && def->state == NULL)) {
        crn_check_fail(&check, "states", "%d of them, at NULL", def->states);
    }
    for (int i = 0; i < def->states && check.status == CRN_OK; ++i) {
        char name[CRN_CHECK_WHERE];
        crn_check part = crn_check_part(&check, "states", i, name);
        check_state(owner, &def->state[i], &part);
        check.status = part.status;
    }
    if (def->controls < 0 || def->controls > owner->actuators || (def->controls > 0 && def->control == NULL)) {
        crn_check_fail(&check, "controls", "%d of them, but there are %d actuators", def->controls, owner->actuators);
    }
    for (int i = 0; i < def->controls && check.status == CRN_OK; ++i) {
        crn_check_finite(&check, "controls", def->control[i]);
    }
    return check.status;
}
