/* <keyframe>: states to start from.
 *
 * qpos and qvel are those of all joints in the order of the file:
 *
 *                 qpos                          qvel
 *     free        position, quaternion          velocity of the origin in world axes, angular velocity in the body's
 *     ball        quaternion                    angular velocity in the body's axes
 *     hinge       angle                         its rate
 *     slide       displacement                  its rate
 *
 * Ours: whole turns of ref are taken out, angular velocities come first and are along the axes of the parent's side. Joints of the file
 * may be coordinates of one joint of ours. Without qpos it is the start, without qvel and ctrl 0. */
#include "robots/mjcf.h"

#include "math/rigid.h"

#include <string.h>

enum { NUMBERS_MOST = 7 };

static int position_count(crn_mjcf_joint_kind kind)
{
    switch (kind) {
    case CRN_MJCF_FREE: return 7;
    case CRN_MJCF_BALL: return 4;
    default: return 1;
    }
}

static int velocity_count(crn_mjcf_joint_kind kind)
{
    switch (kind) {
    case CRN_MJCF_FREE: return 6;
    case CRN_MJCF_BALL: return 3;
    default: return 1;
    }
}

/* All numbers of an attribute, which must be `count`; NULL: it is not there. */
static crn_status read_vector(const crn_mjcf *mjcf, const crn_mjcf_element *element, const char *name, int count,
                              double **values)
{
    int given = 0;
    crn_status status = crn_mjcf_array(mjcf, element, name, values, &given);
    if (status == CRN_OK && *values != NULL && given != count) {
        return crn_mjcf_fail(mjcf, element->node, CRN_ERR_FORMAT, " %s: needs %d numbers, but has %d", name, count,
                             given);
    }
    return status;
}

/* --- States --- */

/* The state of the joint, or of the body, that a joint of the file is part of: the one at hand, or a new one. */
static crn_key_state *find_state(crn_key_state *state, int *states, int joint, int body)
{
    for (int i = 0; i < *states && joint >= 0; ++i) {
        if (state[i].joint == joint) {
            return &state[i];
        }
    }
    crn_key_state *made = &state[(*states)++];
    *made = (crn_key_state){.joint = joint, .body = joint >= 0 ? -1 : body};
    return made;
}

/* The start, where the file says nothing. */
static void start_of(const crn_mjcf *mjcf, const crn_mjcf_joint *joint, double q[NUMBERS_MOST])
{
    const crn_pose *place = &mjcf->body[joint->body].pose; /* in the file's world */
    const double free_q[] = {place->position.x, place->position.y, place->position.z, place->rotation.w,
                             place->rotation.x, place->rotation.y, place->rotation.z};
    const double ball_q[] = {1.0, 0.0, 0.0, 0.0}, one = joint->ref + joint->turns;
    const double *from = joint->kind == CRN_MJCF_FREE ? free_q : joint->kind == CRN_MJCF_BALL ? ball_q : &one;
    memcpy(q, from, (size_t)position_count(joint->kind) * sizeof *q);
}

static void set_free(const crn_mjcf *mjcf, const double *q, const double *u, crn_key_state *state)
{
    crn_pose pose = {crn_v3_of(q), crn_quat_unit((crn_quat){q[3], q[4], q[5], q[6]})};
    pose = crn_pose_product(&mjcf->options->pose, &pose);
    const double all[7] = {pose.position.x, pose.position.y, pose.position.z, pose.rotation.w,
                           pose.rotation.x, pose.rotation.y, pose.rotation.z};
    memcpy(state->q, all, sizeof all);
    crn_v3_to(crn_quat_turn(pose.rotation, crn_v3_of(u + 3)), state->u);
    crn_v3_to(crn_quat_turn(mjcf->options->pose.rotation, crn_v3_of(u)), state->u + 3);
}

static void set_state(const crn_mjcf *mjcf, const crn_mjcf_joint *joint, const double *q, const double *u,
                      crn_key_state *state)
{
    if (joint->kind == CRN_MJCF_FREE) {
        set_free(mjcf, q, u, state);
    } else if (joint->kind == CRN_MJCF_BALL) {
        crn_quat turn = crn_quat_unit((crn_quat){q[0], q[1], q[2], q[3]});
        const double all[4] = {turn.w, turn.x, turn.y, turn.z};
        memcpy(state->q, all, sizeof all);
        crn_v3_to(crn_quat_turn(turn, crn_v3_of(u)), state->u);
    } else {
        state->q[joint->coordinate] = q[0] - joint->turns;
        state->u[joint->coordinate] = u[0];
    }
}

static bool is_zero_quaternion(const crn_mjcf_joint *joint, const double *q)
{
    const double *x = joint->kind == CRN_MJCF_FREE ? q + 3 : q;
    bool has_one = joint->kind == CRN_MJCF_FREE || joint->kind == CRN_MJCF_BALL;
    return has_one && x[0] == 0.0 && x[1] == 0.0 && x[2] == 0.0 && x[3] == 0.0;
}

static crn_status fill_states(const crn_mjcf *mjcf, const crn_xml_node *node, const double *qpos, const double *qvel,
                              crn_key_state *state, int *states)
{
    static const double still[6] = {0};
    for (int i = 0, at_q = 0, at_u = 0; i < mjcf->joints; ++i) {
        const crn_mjcf_joint *joint = &mjcf->joint[i];
        double q[NUMBERS_MOST];
        start_of(mjcf, joint, q);
        if (qpos != NULL) {
            memcpy(q, qpos + at_q, (size_t)position_count(joint->kind) * sizeof *q);
        }
        if (is_zero_quaternion(joint, q)) {
            return crn_mjcf_fail(mjcf, node, CRN_ERR_FORMAT, " qpos: the quaternion at number %d must not be 0", at_q);
        }
        int body = mjcf->body[joint->body].index;
        bool is_floating = joint->kind == CRN_MJCF_FREE && mjcf->body[joint->body].mass.mass > 0.0;
        if (joint->joint >= 0 || is_floating) { /* a body that floats without mass has a joint of no name */
            crn_key_state *to = find_state(state, states, is_floating ? -1 : joint->joint, body);
            set_state(mjcf, joint, q, qvel != NULL ? qvel + at_u : still, to);
        }
        at_q += position_count(joint->kind);
        at_u += velocity_count(joint->kind);
    }
    return CRN_OK;
}

/* --- Keys --- */

static crn_status read_controls(const crn_mjcf *mjcf, const crn_mjcf_element *element, crn_key_def *key)
{
    double *read = NULL, *control = crn_mjcf_keep(mjcf, element->node, ((size_t)mjcf->actuators + 1) * sizeof *control);
    if (control == NULL) {
        return CRN_ERR_MEMORY;
    }
    crn_status status = read_vector(mjcf, element, "ctrl", mjcf->controls, &read);
    int first = crn_model_actuators(mjcf->model) - mjcf->actuators; /* others of the model come before */
    for (int i = 0; i < mjcf->actuators && status == CRN_OK; ++i) {
        control[i] = read != NULL ? read[mjcf->actuator[i].control] : 0.0;
    }
    key->control = control;
    key->controls = first == 0 ? mjcf->actuators : 0;
    return status;
}

static crn_status read_key(crn_mjcf *mjcf, crn_xml_node *node)
{
    crn_mjcf_element element = {.node = node, .owner = {node}, .owners = 1};
    int positions = 0, velocities = 0;
    for (int i = 0; i < mjcf->joints; ++i) {
        positions += position_count(mjcf->joint[i].kind);
        velocities += velocity_count(mjcf->joint[i].kind);
    }
    double *qpos = NULL, *qvel = NULL;
    crn_key_def key = {.states = 0};
    crn_key_state *state = crn_mjcf_keep(mjcf, node, ((size_t)mjcf->joints + 1) * sizeof *state);
    crn_status status = state != NULL ? CRN_OK : CRN_ERR_MEMORY;
    status = status == CRN_OK ? read_vector(mjcf, &element, "qpos", positions, &qpos) : status;
    status = status == CRN_OK ? read_vector(mjcf, &element, "qvel", velocities, &qvel) : status;
    status = status == CRN_OK ? fill_states(mjcf, node, qpos, qvel, state, &key.states) : status;
    status = status == CRN_OK ? read_controls(mjcf, &element, &key) : status;
    status = status == CRN_OK ? crn_mjcf_prefixed(mjcf, node, crn_mjcf_name(mjcf, node, ""), &key.name) : status;
    key.state = state;
    crn_error reason = {.status = CRN_OK};
    if (status == CRN_OK && crn_model_add_key(mjcf->model, &key, NULL, &reason) != CRN_OK) {
        status = crn_mjcf_blame(mjcf, node, &reason);
    }
    return status;
}

crn_status crn_mjcf_add_keys(crn_mjcf *mjcf)
{
    crn_status status = CRN_OK;
    crn_xml_node *root = crn_xml_root(mjcf->file[0]);
    int count = 0;
    for (crn_xml_node *section = NULL; (section = crn_xml_child(root, "keyframe", section)) != NULL;) {
        for (crn_xml_node *node = NULL; status == CRN_OK && (node = crn_xml_child(section, "key", node)) != NULL;) {
            status = ++count <= CRN_MJCF_LOOPS_MOST
                         ? read_key(mjcf, node)
                         : crn_mjcf_fail(mjcf, node, CRN_ERR_UNSUPPORTED, "more than %d of them", CRN_MJCF_LOOPS_MOST);
        }
    }
    return status;
}
