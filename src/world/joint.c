/* Joints and loads of a world. */
#include <math.h>
#include <string.h>

#include "math/elementary.h"
#include "model/model_room.h"
#include "world/world.h"

static void wake_joint(crn_world *world, int joint)
{
    for (int side = 0; side < 2; ++side) {
        int body = side ? world->stepper.joint[joint].b : world->stepper.joint[joint].a;
        if (body >= 0) {
            crn_step_wake(&world->stepper, body);
        }
    }
}

/* --- Creation --- */

static int take_joint_slot(crn_world *w)
{
    crn_stepper *s = &w->stepper;
    for (int i = 0; i < s->joints; ++i) {
        if (!s->joint[i].is_used) {
            return i;
        }
    }
    int needed = s->joints + 1;
    if (!crn_reserve(&s->allocator, (void **)&s->joint, &s->joint_capacity, needed, sizeof *s->joint) ||
        !crn_reserve(&s->allocator, (void **)&w->joint, &w->joint_capacity, needed, sizeof *w->joint)) {
        return -1;
    }
    memset(&s->joint[s->joints], 0, sizeof *s->joint);
    memset(&w->joint[s->joints], 0, sizeof *w->joint);
    return s->joints;
}

/* A joint frame given in the body's frame, in that of its centre of mass. */
static crn_frame frame_from_com(const crn_stepper *s, int body, const crn_pose *pose)
{
    crn_pose unit = {pose->position, crn_quat_unit(pose->rotation)};
    crn_frame frame = crn_frame_of(&unit);
    if (body >= 0) {
        frame.position = crn_v3_sub(frame.position, s->body[body].com);
    }
    return frame;
}

/* The part of a rotation that is about z; of one that stands upside down (w = z = 0), turned over. */
static crn_mat3 turn_in_plane(const crn_pose *frame, bool is_over)
{
    crn_quat q = frame->rotation;
    return crn_quat_matrix(crn_quat_unit(is_over ? (crn_quat){q.x, 0, 0, q.y} : (crn_quat){q.w, 0, 0, q.z}));
}

/* In a planar world the rows of a joint (along the axes of a's frame) are independent only if one of these axes is the
 * world's z. Turning both frames alike changes nothing else: of a ball, free or fixed joint by any rotation, of a slider about
 * its own z. Hinges have it already. */
static void settle_in_plane(crn_step_joint *joint)
{
    crn_frame *a = &joint->frame_a, *b = &joint->frame_b;
    if (joint->def.kind == CRN_JOINT_BALL || joint->def.kind == CRN_JOINT_FREE) {
        crn_quat q = joint->def.frame_a.rotation;
        bool is_over = q.w * q.w + q.z * q.z < q.x * q.x + q.y * q.y;
        a->rotation = turn_in_plane(&joint->def.frame_a, is_over);
        b->rotation = turn_in_plane(&joint->def.frame_b, is_over);
    } else if (joint->def.kind == CRN_JOINT_FIXED || joint->def.kind == CRN_JOINT_SLIDER) {
        crn_vec3 up = crn_v3(a->rotation.m[2], a->rotation.m[5], a->rotation.m[8]); /* the world's z in the frame */
        crn_quat turn = joint->def.kind == CRN_JOINT_SLIDER
                            ? crn_quat_exp(crn_v3(0, 0, crn_atan2(-up.x, up.y)))       /* y becomes it */
                            : crn_quat_unit((crn_quat){1.0 + up.z, -up.y, up.x, 0.0}); /* z becomes it */
        crn_mat3 q = crn_quat_matrix(turn);
        a->rotation = crn_m3_product(&a->rotation, &q);
        b->rotation = crn_m3_product(&b->rotation, &q);
    }
}

/* A joint in a tree: b is free, has no other parent, and is not above a. */
static crn_status check_link(const crn_stepper *s, const crn_joint_def *def, crn_error *error)
{
    if (!def->in_tree) {
        return CRN_OK;
    }
    if (def->b < 0 || s->body[def->b].kind != CRN_BODY_FREE) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "joint.b: a link of a tree must be a free body");
    }
    bool is_free = def->a >= 0 && s->body[def->a].kind == CRN_BODY_FREE;
    if (def->kind == CRN_JOINT_FREE && is_free) {
        return crn_fail(error, CRN_ERR_ARGUMENT,
                        "joint.a: a free joint in a tree begins at the world or a body that is not free");
    }
    for (int i = 0, above = def->a; i <= s->joints; ++i) {
        int parent = -1;
        if (above == def->b) {
            return crn_fail(error, CRN_ERR_ARGUMENT, "joint.b: joints in trees would make a loop");
        }
        for (int k = 0; k < s->joints; ++k) {
            const crn_step_joint *joint = &s->joint[k];
            bool is_link = joint->is_used && joint->def.in_tree;
            if (is_link && joint->b == def->b) {
                return crn_fail(error, CRN_ERR_ARGUMENT, "joint.b: the body is a link of a tree already");
            }
            parent = is_link && joint->b == above ? joint->a : parent;
        }
        above = parent;
        if (above < 0) {
            break;
        }
    }
    return CRN_OK;
}

/* Whom its coordinates follow: not itself, and nothing that has no coordinate. Joints that they name may still come, so
 * that one without a coordinate must not take a place that is named. joint: its slot. */
static crn_status check_follows(const crn_stepper *s, const crn_joint_def *def, int joint, crn_error *error)
{
    for (int k = 0; k < crn_joint_kind_coordinates(def->kind); ++k) {
        int leader = def->axis[k].follows - 1;
        bool is_there = leader >= 0 && leader < s->joints && s->joint[leader].is_used;
        if (leader == joint) {
            return crn_fail(error, CRN_ERR_ARGUMENT, "joint.follows: joint %d is the joint itself", leader);
        }
        if (is_there && crn_joint_kind_coordinates(s->joint[leader].def.kind) == 0) {
            return crn_fail(error, CRN_ERR_ARGUMENT, "joint.follows: joint %d has no coordinate", leader);
        }
    }
    for (int i = 0; i < s->joints && crn_joint_kind_coordinates(def->kind) == 0; ++i) {
        for (int k = 0; k < crn_joint_kind_coordinates(s->joint[i].def.kind) && s->joint[i].is_used; ++k) {
            if (s->joint[i].def.axis[k].follows - 1 == joint) {
                return crn_fail(error, CRN_ERR_ARGUMENT, "joint.kind: joints[%d] follows it, and it has no coordinate",
                                i);
            }
        }
    }
    return CRN_OK;
}

/* A joint is between two different things. */
static crn_status check_sides(const crn_joint_def *def, crn_error *error)
{
    if (def->a != def->b) {
        return CRN_OK;
    }
    return def->a < 0 ? crn_fail(error, CRN_ERR_ARGUMENT, "joint.b: is the world, as joint.a is")
                      : crn_fail(error, CRN_ERR_ARGUMENT, "joint.b: body %d is joint.a too", def->b);
}

crn_status crn_joint_create(crn_world *w, const crn_joint_def *def, crn_body_id a, crn_body_id b, crn_joint_id *joint,
                            crn_error *error)
{
    crn_clear(error);
    if (!w || !def || !joint) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "world, def or joint is NULL");
    }
    crn_stepper *s = &w->stepper;
    int ia = crn_world_body_index(w, a), ib = crn_world_body_index(w, b);
    if ((a.index1 != 0 && ia < 0) || (b.index1 != 0 && ib < 0)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "joint.%s: the id is stale", ia < 0 && a.index1 != 0 ? "a" : "b");
    }
    crn_joint_def mine = *def;
    crn_slot owned = {.table = NULL};
    mine.a = ia;
    mine.b = ib;
    crn_status status = crn_joint_def_check(&mine, s->def.is_planar, "joint", error);
    status = status == CRN_OK ? check_sides(&mine, error) : status;
    status = status == CRN_OK ? check_link(s, &mine, error) : status;
    if (status != CRN_OK) {
        return status;
    }
    int slot = take_joint_slot(w);
    status = slot >= 0 ? check_follows(s, &mine, slot, error) : CRN_OK;
    if (status != CRN_OK) {
        return status;
    }
    if (slot < 0 || !crn_copy_axes(&s->allocator, mine.axis, &owned.table) ||
        !crn_world_copy_name(&s->allocator, def->name, &owned.name)) {
        crn_world_clear_slot(&s->allocator, &owned);
        return crn_fail(error, CRN_ERR_MEMORY, "world: out of memory for a joint");
    }
    crn_step_joint *to = &s->joint[slot];
    memset(to, 0, sizeof *to);
    to->is_used = true;
    to->generation = ++w->joint[slot].generation;
    to->a = ia;
    to->b = ib;
    to->def = mine;
    to->def.name = NULL; /* the slot has a copy */
    to->frame_a = frame_from_com(s, ia, &def->frame_a);
    to->frame_b = frame_from_com(s, ib, &def->frame_b);
    if (s->def.is_planar) {
        settle_in_plane(to);
    }
    w->joint[slot].user = def->user;
    w->joint[slot].table = owned.table;
    w->joint[slot].name = owned.name;
    s->joints += slot == s->joints;
    s->find.is_joined_stale = true;
    s->forest.is_stale = true;
    s->books.is_closed = false;
    for (int side = 0; side < 2; ++side) {
        if ((side ? ib : ia) >= 0) {
            crn_step_wake(s, side ? ib : ia);
        }
    }
    crn_step_joint_coordinates(s, to, to->last, NULL);
    *joint = (crn_joint_id){(int32_t)slot + 1, to->generation};
    w->has_stepped = false;
    return CRN_OK;
}

void crn_world_drop_joint(crn_world *w, int i)
{
    crn_world_drop_tendons(w, -1, i);
    crn_stepper *s = &w->stepper;
    wake_joint(w, i);
    s->joint[i].is_used = false;
    s->find.is_joined_stale = true;
    s->forest.is_stale = true;
    s->books.is_closed = false;
    s->last_rows = 0; /* row impulses are kept by position in the list */
    s->rows = 0;
    crn_world_clear_slot(&s->allocator, &w->joint[i]);
    w->has_stepped = false;
}

crn_status crn_joint_destroy(crn_world *w, crn_joint_id joint, crn_error *error)
{
    int i = crn_world_joint_index(w, joint);
    crn_clear(error);
    if (i < 0) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "joint: the id is stale or null");
    }
    crn_world_drop_joint(w, i);
    return CRN_OK;
}

/* --- Looking and changing --- */

crn_status crn_joint_coordinate(const crn_world *w, crn_joint_id joint, double *value, double *speed)
{
    int i = crn_world_joint_index(w, joint);
    if (i < 0) {
        return CRN_ERR_ARGUMENT;
    }
    crn_step_joint_coordinates(&w->stepper, &w->stepper.joint[i], value, speed);
    return CRN_OK;
}

crn_status crn_joint_error(const crn_world *w, crn_joint_id joint, double *distance, double *angle)
{
    int i = crn_world_joint_index(w, joint);
    double length, turn;
    if (i < 0) {
        return CRN_ERR_ARGUMENT;
    }
    crn_step_joint_error(&w->stepper, &w->stepper.joint[i], &length, &turn);
    if (distance) {
        *distance = length;
    }
    if (angle) {
        *angle = turn;
    }
    return CRN_OK;
}

crn_status crn_joint_apply_force(crn_world *w, crn_joint_id joint, int coordinate, double force)
{
    int i = crn_world_joint_index(w, joint);
    if (i < 0 || coordinate < 0 || coordinate >= crn_joint_kind_coordinates(w->stepper.joint[i].def.kind) ||
        !(fabs(force) <= CRN_WORLD_FORCE_MOST)) {
        return CRN_ERR_ARGUMENT;
    }
    w->stepper.joint[i].force[coordinate] += force;
    wake_joint(w, i);
    return CRN_OK;
}

/* Add rate times a row's wrench on b: torque and force at b's centre of mass. */
static void add_wrench(const crn_joint_row *row, double scale, crn_vec3 *torque, crn_vec3 *force)
{
    *torque = crn_v3_axpy(*torque, scale, crn_v3_of(row->b));
    *force = crn_v3_axpy(*force, scale, crn_v3_of(row->b + 3));
}

crn_status crn_joint_force(const crn_world *w, crn_joint_id joint, crn_vec3 *force, crn_vec3 *torque)
{
    int index = crn_world_joint_index(w, joint);
    if (index < 0) {
        return CRN_ERR_ARGUMENT;
    }
    const crn_stepper *s = &w->stepper;
    crn_vec3 f = {0, 0, 0}, t = {0, 0, 0};
    bool is_in_mechanism = false;
    for (int side = 0; side < 2; ++side) {
        int body = side ? s->joint[index].b : s->joint[index].a;
        is_in_mechanism = is_in_mechanism || (body >= 0 && s->body[body].tree > 0);
    }
    if (is_in_mechanism) {
        if (w->last_dt > 0.0 && s->joint[index].def.kind != CRN_JOINT_FREE) {
            crn_stepper copy = *s; /* its arrays serve as scratch */
            crn_step_mechanism_force(&copy, index, w->last_dt, &f, &t);
        }
        if (force) {
            *force = f;
        }
        if (torque) {
            *torque = t;
        }
        return CRN_OK;
    }
    double rate = w->last_dt > 0.0 ? 1.0 / w->last_dt : 0.0;
    for (int i = 0; i < s->rows && i < s->last_rows; ++i) {
        if (s->row[i].joint == index) {
            add_wrench(&s->row[i].row, rate * (s->last_row[i] + s->closing[i]), &t, &f);
        }
    }
    for (int i = 0; i < s->limits; ++i) {
        if (s->limit[i].joint == index) {
            add_wrench(&s->limit[i].row, rate * s->joint[index].limit[s->limit[i].slot], &t, &f);
        }
    }
    if (force) {
        *force = f;
    }
    if (torque) { /* moved from the centre of mass to the joint */
        *torque = crn_v3_sub(t, crn_v3_cross(s->joint[index].arm, f));
    }
    return CRN_OK;
}

/* Does another force act from now on, beside another target? */
static bool acts_otherwise(const crn_joint_axis *a, const crn_joint_axis *b)
{
    return a->lower != b->lower || a->upper != b->upper || a->has_motor != b->has_motor || a->is_servo != b->is_servo ||
           a->max_force != b->max_force || a->friction != b->friction || a->stiffness != b->stiffness ||
           a->damping != b->damping || a->spring_limit != b->spring_limit;
}

/* What the old force would have done after the moment that is shown is not done. */
static void freshen_joint(crn_stepper *s, const crn_step_joint *joint)
{
    const int body[2] = {joint->a, joint->b};
    for (int side = 0; side < 2; ++side) {
        if (body[side] >= 0) {
            crn_step_freshen(s, body[side]);
        }
    }
}

crn_status crn_joint_set_axis(crn_world *w, crn_joint_id joint, int coordinate, const crn_joint_axis *axis,
                              crn_error *error)
{
    int i = crn_world_joint_index(w, joint);
    crn_clear(error);
    if (i < 0 || !axis) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "joint: the id is stale or null, or axis is NULL");
    }
    crn_stepper *s = &w->stepper;
    if (coordinate < 0 || coordinate >= crn_joint_kind_coordinates(s->joint[i].def.kind)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "coordinate %d: the joint has %d", coordinate,
                        crn_joint_kind_coordinates(s->joint[i].def.kind));
    }
    crn_joint_def def = s->joint[i].def;
    double *table;
    def.axis[coordinate] = *axis;
    crn_status status = crn_joint_def_check(&def, s->def.is_planar, "joint", error);
    status = status == CRN_OK ? check_follows(s, &def, i, error) : status;
    if (status != CRN_OK) {
        return status;
    }
    if (!crn_copy_axes(&s->allocator, def.axis, &table)) {
        return crn_fail(error, CRN_ERR_MEMORY, "world: out of memory for a joint");
    }
    crn_release(&s->allocator, w->joint[i].table);
    w->joint[i].table = table;
    if (acts_otherwise(&s->joint[i].def.axis[coordinate], axis)) {
        freshen_joint(s, &s->joint[i]);
    }
    s->joint[i].def = def;
    s->joint[i].gives_way = false;
    s->books.is_closed = false;                                     /* springs and rotors may hold another energy */
    s->forest.is_stale = s->forest.is_stale || s->joint[i].is_link; /* it may be driven now, or no longer */
    wake_joint(w, i);
    return CRN_OK;
}

/* --- Loads --- */

static int take_load_slot(crn_world *w)
{
    crn_stepper *s = &w->stepper;
    for (int i = 0; i < s->loads; ++i) {
        if (!s->load[i].is_used) {
            return i;
        }
    }
    int needed = s->loads + 1;
    if (!crn_reserve(&s->allocator, (void **)&s->load, &s->load_capacity, needed, sizeof *s->load) ||
        !crn_reserve(&s->allocator, (void **)&w->load, &w->load_capacity, needed, sizeof *w->load)) {
        return -1;
    }
    memset(&s->load[s->loads], 0, sizeof *s->load);
    memset(&w->load[s->loads], 0, sizeof *w->load);
    return s->loads;
}

crn_status crn_load_create(crn_world *w, const crn_load_def *def, crn_body_id body, crn_load_id *load, crn_error *error)
{
    int index = crn_world_body_index(w, body);
    crn_clear(error);
    if (!w || !def || !load || index < 0) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "load: world, def or load is NULL, or the body's id is stale or null");
    }
    crn_stepper *s = &w->stepper;
    crn_load_def mine = *def;
    double *table;
    mine.body = index;
    mine.name = NULL;
    crn_status status = crn_load_def_check_in(&mine, s->def.is_planar, "load", error);
    if (status != CRN_OK) {
        return status;
    }
    int slot = take_load_slot(w);
    if (slot < 0 || !crn_copy_load(&s->allocator, &mine, &table)) {
        return crn_fail(error, CRN_ERR_MEMORY, "world: out of memory for a load");
    }
    s->load[slot] = (crn_step_load){true, ++w->load[slot].generation, mine};
    w->load[slot].table = table;
    s->loads += slot == s->loads;
    *load = (crn_load_id){(int32_t)slot + 1, s->load[slot].generation};
    return CRN_OK;
}

void crn_world_drop_load(crn_world *w, int i)
{
    w->stepper.load[i].is_used = false;
    crn_release(&w->stepper.allocator, w->load[i].table);
    w->load[i].table = NULL;
}

crn_status crn_load_destroy(crn_world *w, crn_load_id load, crn_error *error)
{
    int i = (int)load.index1 - 1;
    crn_clear(error);
    if (!w || i < 0 || i >= w->stepper.loads || !w->stepper.load[i].is_used ||
        w->stepper.load[i].generation != load.generation) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "load: the id is stale or null");
    }
    crn_world_drop_load(w, i);
    return CRN_OK;
}
