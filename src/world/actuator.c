/* Actuators: controls into forces along coordinates and tendons, or into shifts of the targets of springs.
 *
 *     T a' = c - a, c constant over a step:    a(t + h) = c + (a(t) - c) exp(-h/T)
 *
 * Forces of a step act at its end, so with a(t + h). */
#include "math/elementary.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

static double clamp(double x, double lower, double upper)
{
    return crn_fmin(crn_fmax(x, lower), upper);
}

/* The joint that it drives; NULL: gone, or none. */
static crn_step_joint *joint_of(const crn_world *w, const crn_world_actuator *a)
{
    crn_step_joint *joint = a->def.joint >= 0 ? &w->stepper.joint[a->def.joint] : NULL;
    return joint != NULL && joint->is_used && joint->generation == a->generation ? joint : NULL;
}

/* The tendon, likewise. */
static crn_step_tendon *tendon_of(const crn_world *w, const crn_world_actuator *a)
{
    crn_step_tendon *tendon = a->def.tendon >= 0 ? &w->stepper.tendon[a->def.tendon] : NULL;
    return tendon != NULL && tendon->is_used ? tendon : NULL;
}

/* What an actuator makes is added up here. */
typedef struct effect {
    double *force, *target; /* NULL: it drives nothing */
    double stiffness;
} effect;

static effect effect_of(const crn_world *w, const crn_world_actuator *a)
{
    crn_step_joint *joint = joint_of(w, a);
    crn_step_tendon *tendon = tendon_of(w, a);
    int k = a->def.coordinate;
    if (joint != NULL) { /* its spring may have been taken away since */
        return (effect){&joint->control_force[k], &joint->control_target[k], joint->def.axis[k].stiffness};
    }
    if (tendon != NULL) {
        return (effect){&tendon->control_force, &tendon->control_target, tendon->def.stiffness};
    }
    return (effect){NULL, NULL, 0.0};
}

static double force_of(const crn_world_actuator *a)
{
    double force = a->def.gain * a->activation;
    return a->def.moves_target ? force : clamp(force, a->def.force_lower, a->def.force_upper);
}

/* --- Acting --- */

/* Another force acts on a body from now on: what the old one would have done after this moment is not done, so that the change is not late
 * by half a step. */
static void begin_anew_body(crn_world *w, int body, bool moves_target)
{
    if (body >= 0) {
        if (moves_target) { /* the spring holds another energy */
            crn_step_freshen(&w->stepper, body);
        }
        crn_step_renew(&w->stepper, body);
        crn_step_wake(&w->stepper, body);
    }
}

static void begin_anew(crn_world *w, const crn_world_actuator *a)
{
    const crn_step_joint *joint = joint_of(w, a);
    const crn_step_tendon *tendon = tendon_of(w, a);
    if (joint != NULL) {
        begin_anew_body(w, joint->a, a->def.moves_target);
        begin_anew_body(w, joint->b, a->def.moves_target);
    }
    for (int i = 0; tendon != NULL && i < tendon->def.parts; ++i) {
        const crn_step_tendon_part *part = &tendon->part[i];
        bool is_joint = part->kind == CRN_TENDON_JOINT;
        begin_anew_body(w, is_joint ? w->stepper.joint[part->joint].b : part->body, false);
    }
}

/* What all actuators make now, onto joints and tendons. */
static void act(crn_world *w)
{
    for (int i = 0; i < w->actuators; ++i) {
        effect to = effect_of(w, &w->actuator[i]);
        if (to.force != NULL) {
            *to.force = *to.target = 0.0;
        }
    }
    for (int i = 0; i < w->actuators; ++i) {
        const crn_world_actuator *a = &w->actuator[i];
        effect to = effect_of(w, a);
        if (to.force != NULL && !a->def.moves_target) {
            *to.force += force_of(a);
        } else if (to.force != NULL && to.stiffness > 0.0) {
            *to.target += force_of(a) / to.stiffness;
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
            a->activation = a->control + (a->activation - a->control) * crn_exp(-dt / a->def.time_constant);
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
    if (within != a->control) {
        begin_anew(w, a);
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
    bool is_joint = joint.index1 != 0;
    if (!w || !def || !index || (is_joint && i < 0)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "actuator: world, def or index is NULL, or the joint's id is stale");
    }
    crn_actuator_def own = *def;
    own.joint = i;
    own.tendon = is_joint ? -1 : def->tendon;
    crn_step_joint *driven = is_joint ? &w->stepper.joint[i] : NULL;
    bool has_tendon = own.tendon >= 0 && own.tendon < w->stepper.tendons && w->stepper.tendon[own.tendon].is_used;
    const crn_tendon_def *tendon = has_tendon ? &w->stepper.tendon[own.tendon].def : NULL;
    crn_status status = crn_actuator_def_check(&own, driven ? &driven->def : NULL, tendon, "actuator", error);
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
    *a = (crn_world_actuator){.def = own, .generation = driven ? driven->generation : 0};
    a->def.name = name;
    a->control = a->activation = clamp(def->control, def->lower, def->upper);
    if (driven) {
        driven->is_servo[def->coordinate] = driven->is_servo[def->coordinate] || def->moves_target;
    }
    *index = w->actuators++;
    act(w);
    begin_anew(w, a);
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
    *force = effect_of(w, &w->actuator[index]).force != NULL ? force_of(&w->actuator[index]) : 0.0;
    return CRN_OK;
}
