/* Keys: states of motion with a name, put into a world by way of a view of all its links. */
#include "world/robot.h"

#include <string.h>

/* The link whose state it is; -1: the world has no such joint in a tree, or body that floats. */
static int find_link(const crn_robot *robot, const crn_key_state *state)
{
    const crn_world *w = robot->world;
    if (state->joint >= 0) {
        return crn_robot_find_joint(robot, crn_world_joint(w, state->joint + 1));
    }
    int link = crn_robot_find_body(robot, crn_world_body(w, state->body + 1));
    return link >= 0 && robot->joint[link].index1 == 0 ? link : -1;
}

static crn_status set_states(crn_robot *robot, const crn_key_def *key, double *q, double *u, crn_error *error)
{
    crn_status status = crn_robot_state(robot, q, u);
    for (int i = 0; i < key->states && status == CRN_OK; ++i) {
        int index = find_link(robot, &key->state[i]);
        if (index < 0) {
            return crn_fail(error, CRN_ERR_ARGUMENT,
                            "key.states[%d]: the world has no such joint in a tree, or body that floats", i);
        }
        const crn_link *link = &robot->tree->link[index];
        memcpy(q + link->q, key->state[i].q, (size_t)link->coordinates * sizeof *q);
        memcpy(u + link->u, key->state[i].u, (size_t)link->freedom * sizeof *u);
    }
    status = status == CRN_OK ? crn_robot_set_state(robot, q, u) : status;
    return status == CRN_OK ? CRN_OK : crn_fail(error, status, "key: a coordinate or velocity is not possible");
}

static crn_status set_controls(crn_world *w, const crn_key_def *key, crn_error *error)
{
    crn_status status = CRN_OK;
    for (int i = 0; i < key->controls && status == CRN_OK; ++i) {
        status = crn_world_set_control(w, i, key->control[i]);
    }
    return status == CRN_OK ? CRN_OK : crn_fail(error, status, "key.controls: one is not possible");
}

crn_status crn_world_set_key(crn_world *w, const crn_key_def *key, crn_error *error)
{
    crn_robot *robot = NULL;
    crn_clear(error);
    if (!w || !key || key->controls > w->actuators) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "key: world or key is NULL, or it has more controls than actuators");
    }
    crn_status status = crn_robot_create(w, (crn_body_id){0, 0}, &robot, error);
    if (status != CRN_OK) {
        return status;
    }
    const crn_allocator *allocator = &w->stepper.allocator;
    double *q = crn_allocate(allocator, (size_t)robot->tree->coordinates, sizeof *q);
    double *u = crn_allocate(allocator, (size_t)robot->tree->velocities, sizeof *u);
    status = q && u ? set_states(robot, key, q, u, error) : crn_fail(error, CRN_ERR_MEMORY, "key: out of memory");
    status = status == CRN_OK ? set_controls(w, key, error) : status;
    crn_release(allocator, q);
    crn_release(allocator, u);
    crn_robot_destroy(robot);
    return status;
}
