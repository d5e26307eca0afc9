/* Actuators: controls into forces along coordinates, or into shifts of the targets of springs.
 *
 *     T a' = c - a, c constant over a step:    a(t + h) = c + (a(t) - c) exp(-h/T)
 *
 * Forces of a step act at its end, so with a(t + h). */
#include "world/world.h"

#include <math.h>
#include <string.h>

static double clamp(double x, double lower, double upper)
{
    return fmin(fmax(x, lower), upper);
}

/* The joint that it drives; NULL: gone. */
static crn_step_joint *joint_of(const crn_world *w, const crn_world_actuator *a)
{
    crn_step_joint *joint = &w->stepper.joint[a->def.joint];
    return joint->is_used && joint->generation == a->generation ? joint : NULL;
}

static double force_of(const crn_world_actuator *a)
{
    double force = a->def.gain * a->activation;
    return a->def.moves_target ? force : clamp(force, a->def.force_lower, a->def.force_upper);
}

/* --- Acting --- */

/* Another force acts from now on: what the old one would have done after this moment is not done, so that the change is not late by half a
 * step. */
static void begin_anew(crn_world *w, const crn_step_joint *joint, bool moves_target)
{
    const int body[2] = {joint->a, joint->b};
    for (int side = 0; side < 2; ++side) {
        if (body[side] >= 0) {
            if (moves_target) { /* the spring holds another energy */
                crn_step_freshen(&w->stepper, body[side]);
            }
            crn_step_renew(&w->stepper, body[side]);
            crn_step_wake(&w->stepper, body[side]);
        }
    }
}

/* What all actuators make now, onto the joints. */
static void act(crn_world *w)
{
    for (int i = 0; i < w->actuators; ++i) {
        crn_step_joint *joint = joint_of(w, &w->actuator[i]);
        if (joint != NULL) {
            joint->control_force[w->actuator[i].def.coordinate] = 0.0;
            joint->control_target[w->actuator[i].def.coordinate] = 0.0;
        }
    }
    for (int i = 0; i < w->actuators; ++i) {
        const crn_world_actuator *a = &w->actuator[i];
        crn_step_joint *joint = joint_of(w, a);
        if (joint == NULL) {
            continue;
        }
        int k = a->def.coordinate;
        double stiffness = joint->def.axis[k].stiffness; /* it may have been taken away since */
        if (!a->def.moves_target) {
            joint->control_force[k] += force_of(a);
        } else if (stiffness > 0.0) {
            joint->control_target[k] += force_of(a) / stiffness;
        }
    }
}

void crn_world_activate(crn_world *w, double dt)
{
    bool any = false;
    for (int i = 0; i < w->actuators; ++i) {
        crn_world_actuator *a = &w->actuator[i];
        a->before = a->activation;
        if (a->def.time_constant > 0.0 && a->activation != a->control) {
            a->activation = a->control + (a->activation - a->control) * exp(-dt / a->def.time_constant);
            any = true;
        }
    }
    if (any) {
        act(w);
    }
}

void crn_world_deactivate(crn_world *w)
{
    for (int i = 0; i < w->actuators; ++i) {
        w->actuator[i].activation = w->actuator[i].before;
    }
    act(w);
}

static void set_control(crn_world *w, crn_world_actuator *a, double control)
{
    double within = clamp(control, a->def.lower, a->def.upper);
    const crn_step_joint *joint = joint_of(w, a);
    if (joint != NULL && within != a->control) {
        begin_anew(w, joint, a->def.moves_target);
    }
    a->control = within;
    if (!(a->def.time_constant > 0.0)) {
        a->activation = within;
    }
}

crn_status crn_world_set_controls(crn_world *w, const double *control)
{
    if (!w || !control) {
        return CRN_ERR_ARGUMENT;
    }
    for (int i = 0; i < w->actuators; ++i) {
        if (!(fabs(control[i]) <= CRN_WORLD_FORCE_MOST)) {
            return CRN_ERR_ARGUMENT;
        }
    }
    for (int i = 0; i < w->actuators; ++i) {
        set_control(w, &w->actuator[i], control[i]);
    }
    act(w);
    return CRN_OK;
}

crn_status crn_world_set_control(crn_world *w, int index, double control)
{
    if (!w || index < 0 || index >= w->actuators || !(fabs(control) <= CRN_WORLD_FORCE_MOST)) {
        return CRN_ERR_ARGUMENT;
    }
    set_control(w, &w->actuator[index], control);
    act(w);
    return CRN_OK;
}

/* --- Life --- */

crn_status crn_actuator_create(crn_world *w, const crn_actuator_def *def, crn_joint_id joint, int *index,
                               crn_error *error)
{
    crn_clear(error);
    int i = crn_world_joint_index(w, joint);
    if (!w || !def || !index || i < 0) {
        return crn_fail(error, CRN_ERR_ARGUMENT,
                        "actuator: world, def or index is NULL, or the joint's id is stale or null");
    }
    crn_step_joint *driven = &w->stepper.joint[i];
    crn_status status = crn_actuator_def_check(def, &driven->def, "actuator", error);
    if (status != CRN_OK) {
        return status;
    }
    char *name = NULL;
    const crn_allocator *allocator = &w->stepper.allocator;
    if (!crn_reserve(allocator, (void **)&w->actuator, &w->actuator_capacity, w->actuators + 1, sizeof *w->actuator) ||
        !crn_world_copy_name(allocator, def->name, &name)) {
        return crn_fail(error, CRN_ERR_MEMORY, "world: out of memory for an actuator");
    }
    crn_world_actuator *a = &w->actuator[w->actuators];
    *a = (crn_world_actuator){.def = *def, .generation = driven->generation};
    a->def.name = name;
    a->def.joint = i;
    a->control = a->activation = clamp(def->control, def->lower, def->upper);
    driven->is_servo[def->coordinate] = driven->is_servo[def->coordinate] || def->moves_target;
    *index = w->actuators++;
    act(w);
    begin_anew(w, driven, def->moves_target);
    return CRN_OK;
}

void crn_world_free_actuators(crn_world *w)
{
    for (int i = 0; i < w->actuators; ++i) {
        crn_release(&w->stepper.allocator, (void *)(uintptr_t)w->actuator[i].def.name);
    }
    crn_release(&w->stepper.allocator, w->actuator);
}

/* --- Looking --- */

int crn_world_actuators(const crn_world *w)
{
    return w ? w->actuators : 0;
}

int crn_world_find_actuator(const crn_world *w, const char *name)
{
    for (int i = 0; w && name && i < w->actuators; ++i) {
        if (w->actuator[i].def.name != NULL && strcmp(w->actuator[i].def.name, name) == 0) {
            return i;
        }
    }
    return -1;
}

const char *crn_actuator_name(const crn_world *w, int index)
{
    return w && index >= 0 && index < w->actuators ? w->actuator[index].def.name : NULL;
}

crn_joint_id crn_actuator_joint(const crn_world *w, int index)
{
    bool is_there = w && index >= 0 && index < w->actuators && joint_of(w, &w->actuator[index]) != NULL;
    return is_there ? crn_world_joint(w, w->actuator[index].def.joint + 1) : (crn_joint_id){0, 0};
}

crn_status crn_world_controls(const crn_world *w, double *control)
{
    if (!w || !control) {
        return CRN_ERR_ARGUMENT;
    }
    for (int i = 0; i < w->actuators; ++i) {
        control[i] = w->actuator[i].control;
    }
    return CRN_OK;
}

crn_status crn_actuator_force(const crn_world *w, int index, double *force)
{
    if (!w || !force || index < 0 || index >= w->actuators) {
        return CRN_ERR_ARGUMENT;
    }
    *force = joint_of(w, &w->actuator[index]) != NULL ? force_of(&w->actuator[index]) : 0.0;
    return CRN_OK;
}
