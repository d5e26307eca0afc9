/* Bodies of a world. */
#include <math.h>
#include <string.h>

#include "math/elementary.h"
#include "world/world.h"

/* --- Creation --- */

/* An empty slot; one more if there is none. -1 without memory. Slots are zero when first taken. */
static int take_slot(crn_world *w)
{
    crn_stepper *s = &w->stepper;
    for (; w->first_empty < s->bodies; ++w->first_empty) {
        if (s->body[w->first_empty].id.index1 == 0) {
            return w->first_empty;
        }
    }
    int needed = s->bodies + 1;
    if (!crn_reserve(&s->allocator, (void **)&s->body, &s->body_capacity, needed, sizeof *s->body) ||
        !crn_reserve(&s->allocator, (void **)&w->body, &w->body_capacity, needed, sizeof *w->body)) {
        return -1;
    }
    memset(&s->body[s->bodies], 0, sizeof *s->body);
    memset(&w->body[s->bodies], 0, sizeof *w->body);
    return s->bodies;
}

static void destroy_shapes(const crn_allocator *allocator, crn_shape **shape, int count)
{
    for (int i = 0; i < count; ++i) {
        crn_shape_destroy(shape[i]);
    }
    crn_release(allocator, shape);
}

/* Prepare all shapes of a definition. */
static crn_status create_shapes(const crn_allocator *allocator, const crn_body_def *def, crn_shape ***shape,
                                crn_error *error)
{
    crn_status status = CRN_OK;
    *shape = crn_allocate(allocator, (size_t)def->shapes, sizeof(crn_shape *));
    if (!*shape) {
        return crn_fail(error, CRN_ERR_MEMORY, "world: out of memory for a body");
    }
    for (int i = 0; i < def->shapes; ++i) {
        status = crn_shape_create(&def->shape[i].shape, allocator, &(*shape)[i], error);
        if (status == CRN_OK && def->kind == CRN_BODY_FREE) {
            status = crn_shape_check_solid((*shape)[i], error); /* what only the prepared shape knows: an open mesh */
        }
        if (status != CRN_OK) {
            destroy_shapes(allocator, *shape, (*shape)[i] != NULL ? i + 1 : i);
            return status;
        }
    }
    return CRN_OK;
}

/* The body's shapes into the stepper; room has been made. */
static void place_shapes(crn_stepper *s, int body, const crn_body_def *def, crn_shape *const *shape)
{
    crn_step_body *b = &s->body[body];
    for (int i = 0; i < def->shapes; ++i) {
        const crn_body_shape *from = &def->shape[i];
        crn_step_shape *to = &s->shape[s->shapes++];
        crn_pose pose = {crn_v3_sub(from->pose.position, b->com), from->pose.rotation};
        double radius = crn_shape_radius(shape[i]);
        bool is_round = from->shape.kind == CRN_SHAPE_SPHERE || from->shape.kind == CRN_SHAPE_DISK;
        memset(to, 0, sizeof *to);
        to->body = body;
        to->index = i;
        to->shape = shape[i];
        to->local = crn_frame_of(&pose);
        to->friction = from->friction;
        to->restitution = from->restitution;
        to->group = from->group;
        to->mask = from->mask;
        to->reach = radius + crn_v3_length(pose.position);
        if (isfinite(to->reach)) {
            b->radius = crn_fmax(b->radius, to->reach);
            b->turn_radius = crn_fmax(b->turn_radius, is_round ? crn_v3_length(pose.position) : to->reach);
        }
    }
}

static void place_body(crn_stepper *s, int i, const crn_body_def *def, const crn_mass_properties *mass)
{
    crn_step_body *b = &s->body[i];
    memset(b, 0, sizeof *b);
    b->kind = def->kind;
    b->com = mass->com;
    b->rigid.is_planar = s->def.is_planar;
    b->rigid.mass = mass->mass;
    b->rigid.inertia = mass->inertia;
    b->linear_damping = def->linear_damping;
    b->angular_damping = def->angular_damping;
    b->gravity_scale = def->gravity_scale;
    b->start = def->pose;
    b->at = -1;
    if (def->kind == CRN_BODY_FREE) {
        b->rigid.w = def->angular;
        b->rigid.v = def->velocity;
    }
    crn_step_set_body_pose(b, &def->pose);
    b->shown_w = b->rigid.w;
    b->shown_v = b->rigid.v;
    b->is_fresh = true;
}

/* All that may fail has been done: room for shapes, shapes; owned: table and name. */
static void place(crn_world *w, int slot, const crn_body_def *def, crn_shape *const *shape,
                  const crn_mass_properties *mass, const crn_motion *motion, const crn_slot *owned)
{
    crn_stepper *s = &w->stepper;
    place_body(s, slot, def, mass);
    place_shapes(s, slot, def, shape);
    s->body[slot].motion = *motion;
    s->body[slot].id = (crn_body_id){(int32_t)slot + 1, ++w->body[slot].generation};
    w->body[slot].user = def->user;
    w->body[slot].table = owned->table;
    w->body[slot].name = owned->name;
    s->bodies += slot == s->bodies;
    if (def->kind == CRN_BODY_DRIVEN) {
        crn_pose pose = crn_step_driven_pose(&s->body[slot], s->time);
        crn_step_set_body_pose(&s->body[slot], &pose);
    }
}

/* Quaternions of a definition are unit only as well as the caller's; make them so. */
static crn_body_def normalised(const crn_body_def *def)
{
    crn_body_def copy = *def;
    copy.pose.rotation = crn_quat_unit(copy.pose.rotation);
    return copy;
}

/* Numbers of a definition that setters would refuse. */
static crn_status check_size(const crn_body_def *def, crn_error *error)
{
    if (!crn_world_is_position(def->pose.position)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "body.position: is beyond %g m", CRN_WORLD_POSITION_MOST);
    }
    if (!crn_world_is_speed(def->velocity)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "body.velocity: is beyond %g m/s", CRN_WORLD_SPEED_MOST);
    }
    if (!crn_world_is_speed(def->angular)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "body.angular: is beyond %g rad/s", CRN_WORLD_SPEED_MOST);
    }
    return CRN_OK;
}

crn_status crn_body_create(crn_world *w, const crn_body_def *def, crn_body_id *body, crn_error *error)
{
    crn_clear(error);
    if (!w || !def || !body) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "world, def or body is NULL");
    }
    crn_stepper *s = &w->stepper;
    crn_status status = crn_body_def_check(def, s->def.is_planar, "body", error);
    status = status == CRN_OK ? check_size(def, error) : status;
    if (status != CRN_OK) {
        return status;
    }
    crn_body_def mine = normalised(def);
    crn_motion motion = def->motion;
    crn_mass_properties mass;
    crn_shape **shape;
    crn_slot owned = {.table = NULL};
    status = create_shapes(&s->allocator, &mine, &shape, error);
    if (status != CRN_OK) {
        return status;
    }
    status = crn_body_mass_of(&mine, s->def.is_planar, shape, &mass, error);
    if (status != CRN_OK) {
        destroy_shapes(&s->allocator, shape, mine.shapes);
        return status;
    }
    int slot = take_slot(w);
    bool has_room = slot >= 0 && crn_reserve(&s->allocator, (void **)&s->shape, &s->shape_capacity,
                                             s->shapes + mine.shapes, sizeof *s->shape);
    if (!has_room || !crn_copy_motion(&s->allocator, &motion, &owned.table) ||
        !crn_world_copy_name(&s->allocator, def->name, &owned.name)) {
        crn_world_clear_slot(&s->allocator, &owned);
        destroy_shapes(&s->allocator, shape, mine.shapes);
        return crn_fail(error, CRN_ERR_MEMORY, "world: out of memory for a body");
    }
    place(w, slot, &mine, shape, &mass, &motion, &owned);
    crn_release(&s->allocator, shape); /* the list; the shapes are the stepper's */
    *body = s->body[slot].id;
    s->books.is_closed = false;
    s->forest.is_stale = s->forest.is_stale || mine.is_massless || s->def.integrator != CRN_INTEGRATOR_REFLECT;
    w->has_stepped = false;
    return CRN_OK;
}

/* --- Destruction --- */

/* Contacts of the last step that name the body are forgotten: its slot may get another one. */
static void forget_contacts(crn_stepper *s, int body)
{
    int kept = 0;
    for (int i = 0; i < s->last.contacts; ++i) {
        if (s->last.contact[i].a.index1 != body + 1 && s->last.contact[i].b.index1 != body + 1) {
            s->last.contact[kept] = s->last.contact[i];
            s->last.pair[kept++] = s->last.pair[i];
        }
    }
    s->last.contacts = kept;
    s->events = 0;
}

/* Take the body's shapes out; others keep their order, so that what follows is as if it had never been there. */
static void drop_shapes(crn_stepper *s, int body)
{
    int kept = 0;
    for (int i = 0; i < s->shapes; ++i) {
        if (s->shape[i].body == body) {
            crn_shape_destroy(s->shape[i].shape);
            continue;
        }
        for (int c = 0; kept != i && c < s->last.contacts; ++c) {
            crn_step_pair *pair = &s->last.pair[c];
            pair->shape_a = pair->shape_a == i ? kept : pair->shape_a;
            pair->shape_b = pair->shape_b == i ? kept : pair->shape_b;
        }
        s->shape[kept++] = s->shape[i];
    }
    s->shapes = kept;
}

crn_status crn_body_destroy(crn_world *w, crn_body_id body, crn_error *error)
{
    int i = crn_world_body_index(w, body);
    crn_clear(error);
    if (i < 0) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "body: the id is stale or null");
    }
    crn_stepper *s = &w->stepper;
    for (int j = 0; j < s->joints; ++j) {
        if (s->joint[j].is_used && (s->joint[j].a == i || s->joint[j].b == i)) {
            crn_world_drop_joint(w, j);
        }
    }
    for (int j = 0; j < s->loads; ++j) {
        if (s->load[j].is_used && s->load[j].def.body == i) {
            crn_world_drop_load(w, j);
        }
    }
    crn_world_drop_sites(w, i);
    crn_world_drop_tendons(w, i, -1);
    crn_step_drop_rules(s, i);
    crn_step_placed(s, i);
    for (int c = 0; c < s->last.contacts; ++c) { /* what rested on it must fall */
        if (s->last.contact[c].a.index1 == i + 1 || s->last.contact[c].b.index1 == i + 1) {
            int a = (int)s->last.contact[c].a.index1 - 1, b = (int)s->last.contact[c].b.index1 - 1;
            crn_step_wake(s, a);
            crn_step_wake(s, b);
            crn_step_freshen(s, a == i ? b : a);
        }
    }
    s->books.is_closed = false;
    s->forest.is_stale = s->forest.is_stale || s->body[i].tree > 0;
    forget_contacts(s, i);
    drop_shapes(s, i);
    crn_world_clear_slot(&s->allocator, &w->body[i]);
    memset(&s->body[i], 0, sizeof s->body[i]);
    w->first_empty = i < w->first_empty ? i : w->first_empty;
    w->has_stepped = false;
    return CRN_OK;
}

/* --- Looking and changing --- */

crn_status crn_body_pose(const crn_world *w, crn_body_id body, crn_pose *pose)
{
    int i = crn_world_body_index(w, body);
    if (i < 0 || !pose) {
        return CRN_ERR_ARGUMENT;
    }
    *pose = crn_step_body_pose(&w->stepper.body[i]);
    return CRN_OK;
}

/* Can a body be there? In a planar world only in the plane, as crn_body_def_check() wants it. */
static bool is_possible_pose(const crn_pose *pose, bool is_planar)
{
    const double length_least = 1e-6, length_most = 1e6; /* quaternions beyond were not meant to be unit */
    const double tilt_most = 1e-6;                       /* of a turn about z: seven printed digits are near enough */
    const crn_quat *q = &pose->rotation;
    double length = sqrt(q->w * q->w + q->x * q->x + q->y * q->y + q->z * q->z);
    if (!crn_world_is_position(pose->position) || !(length >= length_least && length <= length_most)) {
        return false;
    }
    bool is_flat = pose->position.z == 0.0 && fabs(q->x) <= tilt_most * length && fabs(q->y) <= tilt_most * length;
    return !is_planar || is_flat;
}

crn_status crn_body_set_pose(crn_world *w, crn_body_id body, const crn_pose *pose)
{
    int i = crn_world_body_index(w, body);
    if (i < 0 || !pose || !is_possible_pose(pose, w->stepper.def.is_planar)) {
        return CRN_ERR_ARGUMENT;
    }
    crn_pose unit = {pose->position, crn_quat_unit(pose->rotation)};
    if (crn_world_is_link(w, i)) {
        return crn_world_set_root_pose(w, i, &unit);
    }
    crn_step_freshen(&w->stepper, i);
    crn_step_set_body_pose(&w->stepper.body[i], &unit);
    crn_step_placed(&w->stepper, i);
    return CRN_OK;
}

crn_status crn_body_velocity(const crn_world *w, crn_body_id body, crn_twist *velocity)
{
    int i = crn_world_body_index(w, body);
    if (i < 0 || !velocity) {
        return CRN_ERR_ARGUMENT;
    }
    const crn_step_body *b = &w->stepper.body[i];
    bool is_hart = w->stepper.def.integrator == CRN_INTEGRATOR_HART;
    *velocity = is_hart ? (crn_twist){b->rigid.w, b->rigid.v} : (crn_twist){b->shown_w, b->shown_v};
    return CRN_OK;
}

static bool is_possible_velocity(const crn_twist *velocity, bool is_planar)
{
    bool is_flat = velocity->linear.z == 0.0 && velocity->angular.x == 0.0 && velocity->angular.y == 0.0;
    return crn_world_is_speed(velocity->angular) && crn_world_is_speed(velocity->linear) && (!is_planar || is_flat);
}

crn_status crn_body_set_velocity(crn_world *w, crn_body_id body, const crn_twist *velocity)
{
    int i = crn_world_body_index(w, body);
    if (i < 0 || !velocity || !is_possible_velocity(velocity, w->stepper.def.is_planar) ||
        w->stepper.body[i].kind != CRN_BODY_FREE) {
        return CRN_ERR_ARGUMENT;
    }
    crn_step_body *b = &w->stepper.body[i];
    if (crn_world_is_link(w, i)) {
        return crn_world_set_root_velocity(w, i, velocity);
    }
    crn_step_freshen(&w->stepper, i);
    b->rigid.w = b->shown_w = velocity->angular;
    b->rigid.v = b->shown_v = velocity->linear;
    b->is_fresh = true;
    crn_step_placed(&w->stepper, i);
    return CRN_OK;
}

crn_status crn_body_mass(const crn_world *w, crn_body_id body, double *mass, crn_vec3 *com, crn_mat3 *inertia)
{
    int i = crn_world_body_index(w, body);
    if (i < 0) {
        return CRN_ERR_ARGUMENT;
    }
    const crn_step_body *b = &w->stepper.body[i];
    if (mass) {
        *mass = b->rigid.mass;
    }
    if (com) {
        *com = b->com;
    }
    if (inertia) {
        *inertia = b->rigid.inertia;
    }
    return CRN_OK;
}

crn_status crn_body_apply_force(crn_world *w, crn_body_id body, crn_vec3 force, crn_vec3 point)
{
    int i = crn_world_body_index(w, body);
    if (i < 0 || !crn_world_is_force(force) || !crn_world_is_position(point)) {
        return CRN_ERR_ARGUMENT;
    }
    crn_step_body *b = &w->stepper.body[i];
    crn_vec3 torque = crn_v3_cross(crn_v3_sub(point, b->rigid.pose.position), force);
    b->force = crn_v3_add(b->force, force);
    b->torque = crn_v3_add(b->torque, torque);
    return CRN_OK;
}

crn_status crn_body_apply_torque(crn_world *w, crn_body_id body, crn_vec3 torque)
{
    int i = crn_world_body_index(w, body);
    if (i < 0 || !crn_world_is_force(torque)) {
        return CRN_ERR_ARGUMENT;
    }
    w->stepper.body[i].torque = crn_v3_add(w->stepper.body[i].torque, torque);
    return CRN_OK;
}

/* +1: the contact's impulse acts on the body; -1: its opposite does; 0: the contact is not one of the body. */
static double side_of(const crn_contact *contact, crn_body_id body)
{
    bool is_a = contact->a.index1 == body.index1, is_b = contact->b.index1 == body.index1;
    return is_a ? 1.0 : is_b ? -1.0 : 0.0;
}

/* 1/h of the last step; 0 before the first one. */
static double last_rate(const crn_world *w)
{
    return w->last_dt > 0.0 ? 1.0 / w->last_dt : 0.0;
}

crn_status crn_contact_force_on(const crn_world *w, int contact, crn_body_id body, crn_vec3 *force, crn_vec3 *point)
{
    if (crn_world_body_index(w, body) < 0 || contact < 0 || contact >= w->stepper.last.contacts) {
        return CRN_ERR_ARGUMENT;
    }
    const crn_contact *c = &w->stepper.last.contact[contact];
    double side = side_of(c, body);
    if (side == 0.0) {
        return CRN_ERR_ARGUMENT;
    }
    if (force) {
        *force = crn_v3_scale(side * last_rate(w), c->impulse);
    }
    if (point) {
        *point = c->point;
    }
    return CRN_OK;
}

/* Sum of the contact forces on a body, and of their torques about its centre of mass; other {0}: of all bodies. */
static void sum_contacts(const crn_world *w, crn_body_id body, crn_body_id other, crn_vec3 *force, crn_vec3 *torque)
{
    crn_vec3 sum = {0, 0, 0}, turn = {0, 0, 0}, com = w->stepper.body[body.index1 - 1].rigid.pose.position;
    const crn_stepper *s = &w->stepper;
    for (int c = 0; c < s->last.contacts; ++c) {
        const crn_contact *contact = &s->last.contact[c];
        double side = side_of(contact, body);
        if (side != 0.0 && (other.index1 == 0 || side_of(contact, other) != 0.0)) {
            crn_vec3 f = crn_v3_scale(side * last_rate(w), contact->impulse);
            sum = crn_v3_add(sum, f);
            turn = crn_v3_add(turn, crn_v3_cross(crn_v3_sub(contact->point, com), f));
        }
    }
    if (force) {
        *force = sum;
    }
    if (torque) {
        *torque = turn;
    }
}

crn_status crn_body_contact_force(const crn_world *w, crn_body_id body, crn_vec3 *force, crn_vec3 *torque)
{
    if (crn_world_body_index(w, body) < 0) {
        return CRN_ERR_ARGUMENT;
    }
    sum_contacts(w, body, (crn_body_id){0, 0}, force, torque);
    return CRN_OK;
}

crn_status crn_pair_contact_force(const crn_world *w, crn_body_id a, crn_body_id b, crn_vec3 *force, crn_vec3 *torque)
{
    if (crn_world_body_index(w, a) < 0 || crn_world_body_index(w, b) < 0 || a.index1 == b.index1) {
        return CRN_ERR_ARGUMENT;
    }
    sum_contacts(w, a, b, force, torque);
    return CRN_OK;
}

crn_status crn_body_set_user(crn_world *w, crn_body_id body, void *user)
{
    int i = crn_world_body_index(w, body);
    if (i < 0) {
        return CRN_ERR_ARGUMENT;
    }
    w->body[i].user = user;
    return CRN_OK;
}

void *crn_body_user(const crn_world *w, crn_body_id body)
{
    int i = crn_world_body_index(w, body);
    return i < 0 ? NULL : w->body[i].user;
}

crn_status crn_body_set_motion(crn_world *w, crn_body_id body, crn_motion_function motion, void *user)
{
    int i = crn_world_body_index(w, body);
    if (i < 0 || w->stepper.body[i].kind != CRN_BODY_DRIVEN) {
        return CRN_ERR_ARGUMENT;
    }
    w->stepper.body[i].function = motion;
    w->stepper.body[i].function_user = user;
    return CRN_OK;
}
