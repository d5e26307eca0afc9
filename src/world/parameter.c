/* Parameters that a step is differentiated by. */
#include <math.h>
#include <string.h>

#include "world/gradient.h"

static const char *const names[CRN_PARAMETER_KIND_COUNT] = {
    "force", "joint_force", "control", "friction", "restitution", "mass", "inertia", "gravity", "motor"};

const char *crn_parameter_kind_name(crn_parameter_kind kind)
{
    return (unsigned)kind < CRN_PARAMETER_KIND_COUNT ? names[kind] : NULL;
}

bool crn_parameter_kind_find(const char *name, crn_parameter_kind *kind)
{
    for (int i = 0; name && i < CRN_PARAMETER_KIND_COUNT; ++i) {
        if (strcmp(name, names[i]) == 0) {
            *kind = (crn_parameter_kind)i;
            return true;
        }
    }
    return false;
}

bool crn_parameter_is_input(const crn_parameter *p)
{
    return p->kind == CRN_PARAMETER_FORCE || p->kind == CRN_PARAMETER_JOINT_FORCE || p->kind == CRN_PARAMETER_CONTROL;
}

/* --- Checks --- */

static bool is_of_body(crn_parameter_kind kind)
{
    return kind == CRN_PARAMETER_FORCE || kind == CRN_PARAMETER_FRICTION || kind == CRN_PARAMETER_RESTITUTION ||
           kind == CRN_PARAMETER_MASS || kind == CRN_PARAMETER_INERTIA;
}

static bool is_of_joint(crn_parameter_kind kind)
{
    return kind == CRN_PARAMETER_JOINT_FORCE || kind == CRN_PARAMETER_MOTOR;
}

/* How many an index may choose from. */
static int choices(const crn_world *w, const crn_parameter *p)
{
    switch (p->kind) {
    case CRN_PARAMETER_FORCE: return 6;
    case CRN_PARAMETER_CONTROL: return w->actuators;
    case CRN_PARAMETER_GRAVITY: return 3;
    case CRN_PARAMETER_JOINT_FORCE:
    case CRN_PARAMETER_MOTOR:
        return crn_joint_kind_coordinates(w->stepper.joint[crn_world_joint_index(w, p->joint)].def.kind);
    case CRN_PARAMETER_FRICTION:
    case CRN_PARAMETER_RESTITUTION:
    case CRN_PARAMETER_MASS:
    case CRN_PARAMETER_INERTIA:
    default: return 1;
    }
}

static crn_status check(const crn_world *w, const crn_parameter *p, int number, crn_error *error)
{
    if (!crn_parameter_kind_name(p->kind)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "parameter %d: there is no kind %d", number, (int)p->kind);
    }
    int body = crn_world_body_index(w, p->body);
    if (is_of_body(p->kind) && body < 0) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "parameter %d (%s): the body's id is stale or null", number,
                        names[p->kind]);
    }
    bool must_be_free =
        p->kind == CRN_PARAMETER_FORCE || p->kind == CRN_PARAMETER_MASS || p->kind == CRN_PARAMETER_INERTIA;
    if (must_be_free && w->stepper.body[body].kind != CRN_BODY_FREE) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "parameter %d (%s): the body is not free", number, names[p->kind]);
    }
    if (is_of_joint(p->kind) && crn_world_joint_index(w, p->joint) < 0) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "parameter %d (%s): the joint's id is stale or null", number,
                        names[p->kind]);
    }
    if (p->index < 0 || p->index >= choices(w, p)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "parameter %d (%s): index %d, of %d", number, names[p->kind], p->index,
                        choices(w, p));
    }
    return CRN_OK;
}

crn_status crn_parameters_check(const crn_world *w, const crn_parameter *parameter, int count, crn_error *error)
{
    if (count < 0 || (count > 0 && !parameter)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "parameters %d: fewer than 0, or the list is NULL", count);
    }
    crn_status status = CRN_OK;
    for (int i = 0; i < count && status == CRN_OK; ++i) {
        status = check(w, &parameter[i], i, error);
    }
    return status;
}

/* --- Changes --- */

static void scale_inertia(double by, crn_mat3 *inertia)
{
    for (int k = 0; k < 9; ++k) {
        inertia->m[k] *= 1.0 + by;
    }
}

static crn_link *link_of(crn_stepper *s, int body)
{
    const crn_step_body *b = &s->body[body];
    return b->tree > 0 ? &s->forest.tree[b->tree - 1].tree->link[b->link] : NULL;
}

static void add_to_body(crn_stepper *s, int i, const crn_parameter *p, double by)
{
    crn_step_body *body = &s->body[i];
    crn_link *link = link_of(s, i);
    double *torque = &body->torque.x, *force = &body->force.x;
    if (p->kind == CRN_PARAMETER_FORCE) {
        *(p->index < 3 ? &torque[p->index] : &force[p->index - 3]) += by;
    } else if (p->kind == CRN_PARAMETER_MASS) {
        body->rigid.mass += by;
        if (link) {
            link->mass += by;
        }
    } else if (p->kind == CRN_PARAMETER_INERTIA) {
        scale_inertia(by, &body->rigid.inertia);
        crn_rigid_refresh(&body->rigid);
        if (link) {
            scale_inertia(by, &link->inertia);
        }
    }
    for (int k = 0; k < s->shapes; ++k) {
        bool is_mine = s->shape[k].body == i;
        s->shape[k].friction += is_mine && p->kind == CRN_PARAMETER_FRICTION ? by : 0.0;
        s->shape[k].restitution += is_mine && p->kind == CRN_PARAMETER_RESTITUTION ? by : 0.0;
    }
}

static void add_to_motor(crn_joint_axis *axis, double by)
{
    bool is_target = axis->is_servo || axis->stiffness > 0.0;
    *(is_target ? &axis->target.value : &axis->speed.value) += by;
}

void crn_parameter_add(crn_world *w, const crn_parameter *p, double by)
{
    crn_stepper *s = &w->stepper;
    double *gravity = &s->def.gravity.x;
    if (is_of_body(p->kind)) {
        add_to_body(s, crn_world_body_index(w, p->body), p, by);
    } else if (p->kind == CRN_PARAMETER_GRAVITY) {
        gravity[p->index] += by;
    } else if (p->kind == CRN_PARAMETER_CONTROL) {
        (void)crn_world_set_control(w, p->index, w->actuator[p->index].control + by);
    } else if (p->kind == CRN_PARAMETER_JOINT_FORCE) {
        s->joint[crn_world_joint_index(w, p->joint)].force[p->index] += by;
    } else {
        add_to_motor(&s->joint[crn_world_joint_index(w, p->joint)].def.axis[p->index], by);
    }
}

double crn_parameter_unit(const crn_world *w, const crn_parameter *p, double dt)
{
    const crn_stepper *s = &w->stepper;
    int body = is_of_body(p->kind) ? crn_world_body_index(w, p->body) : -1;
    switch (p->kind) {
    case CRN_PARAMETER_FORCE:
        return p->index < 3 ? s->body[body].rigid.inertia.m[4] / dt : s->body[body].rigid.mass / dt;
    case CRN_PARAMETER_MASS: return s->body[body].rigid.mass;
    case CRN_PARAMETER_JOINT_FORCE: return 1.0;
    case CRN_PARAMETER_CONTROL: return 1.0 + fabs(w->actuator[p->index].control);
    case CRN_PARAMETER_GRAVITY: return 1.0 / dt;
    case CRN_PARAMETER_FRICTION:
    case CRN_PARAMETER_RESTITUTION:
    case CRN_PARAMETER_INERTIA:
    case CRN_PARAMETER_MOTOR:
    default: return 1.0;
    }
}

/* --- Keeping --- */

enum { PER_BODY = 10, PER_SHAPE = 2, PER_AXIS = 2 };

static size_t numbers(const crn_stepper *s)
{
    return (size_t)(PER_BODY * s->bodies + PER_SHAPE * s->shapes) +
           (size_t)(PER_AXIS * CRN_JOINT_COORDINATES_MAX) * (size_t)s->joints;
}

bool crn_parameters_keep(const crn_world *w, crn_parameter_kept *kept)
{
    const crn_stepper *s = &w->stepper;
    kept->gravity = s->def.gravity;
    kept->number = crn_allocate(&s->allocator, numbers(s), sizeof *kept->number);
    double *to = kept->number;
    if (!to) {
        return false;
    }
    for (int i = 0; i < s->bodies; ++i, to += PER_BODY) {
        to[0] = s->body[i].rigid.mass;
        memcpy(to + 1, s->body[i].rigid.inertia.m, 9 * sizeof *to);
    }
    for (int i = 0; i < s->shapes; ++i, to += PER_SHAPE) {
        to[0] = s->shape[i].friction;
        to[1] = s->shape[i].restitution;
    }
    for (int i = 0; i < CRN_JOINT_COORDINATES_MAX * s->joints; ++i, to += PER_AXIS) {
        const crn_joint_axis *axis = &s->joint[i / CRN_JOINT_COORDINATES_MAX].def.axis[i % CRN_JOINT_COORDINATES_MAX];
        to[0] = axis->target.value;
        to[1] = axis->speed.value;
    }
    return true;
}

void crn_parameters_restore(crn_world *w, const crn_parameter_kept *kept)
{
    crn_stepper *s = &w->stepper;
    const double *from = kept->number;
    s->def.gravity = kept->gravity;
    for (int i = 0; i < s->bodies; ++i, from += PER_BODY) {
        crn_step_body *body = &s->body[i];
        crn_link *link = body->id.index1 != 0 ? link_of(s, i) : NULL;
        bool is_same = body->rigid.mass == from[0] && memcmp(body->rigid.inertia.m, from + 1, 9 * sizeof *from) == 0;
        if (is_same) {
            continue;
        }
        body->rigid.mass = from[0];
        memcpy(body->rigid.inertia.m, from + 1, 9 * sizeof *from);
        if (link) {
            link->mass = from[0];
            memcpy(link->inertia.m, from + 1, 9 * sizeof *from);
        }
    }
    for (int i = 0; i < s->shapes; ++i, from += PER_SHAPE) {
        s->shape[i].friction = from[0];
        s->shape[i].restitution = from[1];
    }
    for (int i = 0; i < CRN_JOINT_COORDINATES_MAX * s->joints; ++i, from += PER_AXIS) {
        crn_joint_axis *axis = &s->joint[i / CRN_JOINT_COORDINATES_MAX].def.axis[i % CRN_JOINT_COORDINATES_MAX];
        axis->target.value = from[0];
        axis->speed.value = from[1];
    }
}

void crn_parameters_free(const crn_world *w, crn_parameter_kept *kept)
{
    crn_release(&w->stepper.allocator, kept->number);
}
