/* Parameters that a step is differentiated by. */
#include <math.h>
#include <string.h>

#include "world/gradient.h"

static const char *const names[CRN_PARAMETER_KIND_COUNT] = {"force",       "joint_force", "control", "friction",
                                                            "restitution", "mass",        "inertia", "gravity",
                                                            "motor",       "size",        "place",   "frame"};

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

/* --- Checks --- */

static bool is_of_shape(crn_parameter_kind kind)
{
    return kind == CRN_PARAMETER_SIZE || kind == CRN_PARAMETER_PLACE;
}

static bool is_of_body(crn_parameter_kind kind)
{
    return kind == CRN_PARAMETER_FORCE || kind == CRN_PARAMETER_FRICTION || kind == CRN_PARAMETER_RESTITUTION ||
           kind == CRN_PARAMETER_MASS || kind == CRN_PARAMETER_INERTIA || is_of_shape(kind);
}

static bool is_of_joint(crn_parameter_kind kind)
{
    return kind == CRN_PARAMETER_JOINT_FORCE || kind == CRN_PARAMETER_MOTOR || kind == CRN_PARAMETER_FRAME;
}

/* Of a parameter of shapes; NULL: the body has fewer. */
static crn_step_shape *shape_of(const crn_world *w, const crn_parameter *p)
{
    const crn_stepper *s = &w->stepper;
    int body = crn_world_body_index(w, p->body);
    for (int k = 0; k < s->shapes; ++k) {
        if (s->shape[k].body == body && s->shape[k].index == p->index / 3) {
            return &s->shape[k];
        }
    }
    return NULL;
}

static int shapes_of(const crn_world *w, const crn_parameter *p)
{
    int count = 0, body = crn_world_body_index(w, p->body);
    for (int k = 0; k < w->stepper.shapes; ++k) {
        count += w->stepper.shape[k].body == body;
    }
    return count;
}

/* How many an index may choose from. */
static int choices(const crn_world *w, const crn_parameter *p)
{
    switch (p->kind) {
    case CRN_PARAMETER_FORCE: return 6;
    case CRN_PARAMETER_CONTROL: return w->actuators;
    case CRN_PARAMETER_GRAVITY: return 3;
    case CRN_PARAMETER_SIZE:
    case CRN_PARAMETER_PLACE: return 3 * shapes_of(w, p);
    case CRN_PARAMETER_FRAME: return 6;
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
    if (p->kind == CRN_PARAMETER_SIZE && !crn_shape_has_size(shape_of(w, p)->shape, p->index % 3)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "parameter %d (%s): shape %d has no size.%c that can be changed",
                        number, names[p->kind], p->index / 3, "xyz"[p->index % 3]);
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

static void add_to_shape(crn_step_shape *shape, const crn_parameter *p, double by)
{
    crn_vec3 size = crn_shape_definition(shape->shape)->size;
    double *number = p->kind == CRN_PARAMETER_SIZE ? &size.x : &shape->local.position.x;
    number[p->index % 3] += by;
    crn_shape_resize(shape->shape, size);
    shape->reach = crn_shape_radius(shape->shape) + crn_v3_length(shape->local.position);
}

/* A joint's frames, and in a tree its link's. */
static void place_frames(crn_stepper *s, crn_step_joint *joint, crn_vec3 a, crn_vec3 b)
{
    crn_link *link = joint->is_link ? link_of(s, joint->b) : NULL;
    joint->frame_a.position = a;
    joint->frame_b.position = b;
    if (link) {
        link->frame_a.position = a;
        link->frame_b.position = b;
        link->from_b.position = crn_v3_scale(-1.0, crn_m3_transposed_times(&link->frame_b.rotation, b));
    }
}

static void add_to_frame(crn_stepper *s, crn_step_joint *joint, int index, double by)
{
    crn_vec3 position[2] = {joint->frame_a.position, joint->frame_b.position};
    (&position[index / 3].x)[index % 3] += by;
    place_frames(s, joint, position[0], position[1]);
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
    if (is_of_shape(p->kind)) {
        add_to_shape(shape_of(w, p), p, by);
    } else if (is_of_body(p->kind)) {
        add_to_body(s, crn_world_body_index(w, p->body), p, by);
    } else if (p->kind == CRN_PARAMETER_GRAVITY) {
        gravity[p->index] += by;
    } else if (p->kind == CRN_PARAMETER_CONTROL) {
        (void)crn_world_set_control(w, p->index, w->actuator[p->index].control + by);
    } else if (p->kind == CRN_PARAMETER_JOINT_FORCE) {
        s->joint[crn_world_joint_index(w, p->joint)].force[p->index] += by;
    } else if (p->kind == CRN_PARAMETER_FRAME) {
        add_to_frame(s, &s->joint[crn_world_joint_index(w, p->joint)], p->index, by);
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
    case CRN_PARAMETER_SIZE:
    case CRN_PARAMETER_PLACE:
    case CRN_PARAMETER_FRAME:
    default: return 1.0;
    }
}

/* --- Keeping --- */

enum { PER_BODY = 10, PER_SHAPE = 8, PER_JOINT = 6 + 2 * CRN_JOINT_COORDINATES_MAX };

static size_t numbers(const crn_stepper *s)
{
    return (size_t)(PER_BODY * s->bodies + PER_SHAPE * s->shapes + PER_JOINT * s->joints);
}

static void keep_shape(const crn_step_shape *shape, double *to)
{
    to[0] = shape->friction;
    to[1] = shape->restitution;
    crn_v3_to(shape->shape ? crn_shape_definition(shape->shape)->size : crn_v3(0, 0, 0), to + 2);
    crn_v3_to(shape->local.position, to + 5);
}

static void restore_shape(crn_step_shape *shape, const double *from)
{
    double now[PER_SHAPE];
    keep_shape(shape, now);
    shape->friction = from[0];
    shape->restitution = from[1];
    if (shape->shape && memcmp(now + 2, from + 2, 6 * sizeof *from) != 0) {
        shape->local.position = crn_v3_of(from + 5);
        crn_shape_resize(shape->shape, crn_v3_of(from + 2));
        shape->reach = crn_shape_radius(shape->shape) + crn_v3_length(shape->local.position);
    }
}

static void keep_joint(const crn_step_joint *joint, double *to)
{
    crn_v3_to(joint->frame_a.position, to);
    crn_v3_to(joint->frame_b.position, to + 3);
    for (int k = 0; k < CRN_JOINT_COORDINATES_MAX; ++k) {
        to[6 + 2 * k] = joint->def.axis[k].target.value;
        to[7 + 2 * k] = joint->def.axis[k].speed.value;
    }
}

static void restore_joint(crn_stepper *s, crn_step_joint *joint, const double *from)
{
    double now[PER_JOINT];
    keep_joint(joint, now);
    if (joint->is_used && memcmp(now, from, 6 * sizeof *from) != 0) {
        place_frames(s, joint, crn_v3_of(from), crn_v3_of(from + 3));
    }
    for (int k = 0; k < CRN_JOINT_COORDINATES_MAX; ++k) {
        joint->def.axis[k].target.value = from[6 + 2 * k];
        joint->def.axis[k].speed.value = from[7 + 2 * k];
    }
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
        keep_shape(&s->shape[i], to);
    }
    for (int i = 0; i < s->joints; ++i, to += PER_JOINT) {
        keep_joint(&s->joint[i], to);
    }
    return true;
}

static void restore_body(crn_stepper *s, int i, const double *from)
{
    crn_step_body *body = &s->body[i];
    crn_link *link = body->id.index1 != 0 ? link_of(s, i) : NULL;
    if (body->rigid.mass == from[0] && memcmp(body->rigid.inertia.m, from + 1, 9 * sizeof *from) == 0) {
        return;
    }
    body->rigid.mass = from[0];
    memcpy(body->rigid.inertia.m, from + 1, 9 * sizeof *from);
    if (link) {
        link->mass = from[0];
        memcpy(link->inertia.m, from + 1, 9 * sizeof *from);
    }
}

void crn_parameters_restore(crn_world *w, const crn_parameter_kept *kept)
{
    crn_stepper *s = &w->stepper;
    const double *from = kept->number;
    s->def.gravity = kept->gravity;
    for (int i = 0; i < s->bodies; ++i, from += PER_BODY) {
        restore_body(s, i, from);
    }
    for (int i = 0; i < s->shapes; ++i, from += PER_SHAPE) {
        restore_shape(&s->shape[i], from);
    }
    for (int i = 0; i < s->joints; ++i, from += PER_JOINT) {
        restore_joint(s, &s->joint[i], from);
    }
}

void crn_parameters_free(const crn_world *w, crn_parameter_kept *kept)
{
    crn_release(&w->stepper.allocator, kept->number);
}
