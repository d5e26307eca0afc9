/* Which links a robot has, and the tree that they make. The order is that of the stepper's trees; bodies without joints come last. */
#include "world/robot.h"

#include <string.h>

/* --- Links of the world --- */

typedef struct listed {
    int body, joint; /* joint -1: it floats */
} listed;

/* Walks over the links: trees one after another, then bodies that are in none. */
typedef struct walk {
    const crn_stepper *s;
    int tree, trees; /* those that are left */
    int link;        /* next of the tree */
    int body, end;   /* bodies that are left */
} walk;

static walk begin_walk(const crn_world *w, crn_body_id of)
{
    const crn_stepper *s = &w->stepper;
    if (of.index1 == 0) {
        return (walk){s, 0, s->forest.trees, 0, 0, s->bodies};
    }
    int body = crn_world_body_index(w, of);
    if (body < 0 || s->body[body].kind != CRN_BODY_FREE) {
        return (walk){s, 0, 0, 0, 0, 0};
    }
    int tree = s->body[body].tree - 1;
    return tree >= 0 ? (walk){s, tree, tree + 1, 0, 0, 0} : (walk){s, 0, 0, 0, body, body + 1};
}

static bool next_link(walk *at, listed *next)
{
    const crn_step_forest *f = &at->s->forest;
    while (at->tree < at->trees && at->link == f->tree[at->tree].tree->links) {
        at->tree++;
        at->link = 0;
    }
    if (at->tree < at->trees) {
        int link = f->tree[at->tree].link + at->link++;
        *next = (listed){f->body[link], f->joint[link]};
        return true;
    }
    for (; at->body < at->end; ++at->body) {
        const crn_step_body *b = &at->s->body[at->body];
        if (b->id.index1 != 0 && b->kind == CRN_BODY_FREE && b->tree == 0) {
            *next = (listed){at->body++, -1};
            return true;
        }
    }
    return false;
}

bool crn_robot_is_current(crn_robot *r)
{
    if (r == NULL || crn_step_plant(&r->world->stepper, NULL) != CRN_OK) {
        return false;
    }
    walk at = begin_walk(r->world, r->of);
    listed next;
    int link = 0;
    for (; next_link(&at, &next); ++link) {
        if (link == r->links) {
            return false;
        }
        crn_body_id body = crn_world_body(r->world, next.body + 1);
        crn_joint_id joint = crn_world_joint(r->world, next.joint + 1);
        if (body.index1 != r->body[link].index1 || body.generation != r->body[link].generation ||
            joint.index1 != r->joint[link].index1 || joint.generation != r->joint[link].generation) {
            return false;
        }
    }
    return link == r->links;
}

/* --- The tree --- */

static crn_pose pose_of(const crn_frame *frame)
{
    return (crn_pose){frame->position, crn_quat_of_matrix(&frame->rotation)};
}

/* The joint's frame on its parent, in the parent's own frame, or in the world if that does not move. */
static crn_pose frame_on_parent(const crn_stepper *s, const crn_step_joint *joint, int parent)
{
    crn_frame frame = joint->frame_a;
    if (parent >= 0) {
        frame.position = crn_v3_add(frame.position, s->body[joint->a].com);
    } else if (joint->a >= 0) {
        const crn_rigid *base = &s->body[joint->a].rigid;
        crn_frame there = {base->rotation, base->pose.position};
        frame = crn_frame_product(&there, &frame);
    }
    return pose_of(&frame);
}

static crn_status define_link(const crn_robot *r, int k, crn_link_def *def, crn_error *error)
{
    const crn_stepper *s = &r->world->stepper;
    const crn_step_body *body = &s->body[r->body[k].index1 - 1];
    *def = crn_link_def_default();
    def->mass = body->rigid.mass;
    def->com = body->com;
    def->inertia = body->rigid.inertia;
    if (r->joint[k].index1 == 0) {
        def->kind = crn_step_link_kind(s, -1);
        return CRN_OK;
    }
    const crn_step_joint *joint = &s->joint[r->joint[k].index1 - 1];
    if (joint->a >= 0 && s->body[joint->a].kind == CRN_BODY_DRIVEN) {
        return crn_fail(error, CRN_ERR_UNSUPPORTED, "robot: body %d, which carries it, is driven", joint->a + 1);
    }
    def->parent = joint->a >= 0 ? crn_robot_find_body(r, s->body[joint->a].id) : -1;
    def->kind = crn_step_link_kind(s, r->joint[k].index1 - 1);
    def->frame_a = frame_on_parent(s, joint, def->parent);
    def->frame_b = pose_of(&joint->frame_b);
    def->frame_b.position = crn_v3_add(def->frame_b.position, body->com);
    for (int i = 0; i < crn_joint_kind_freedom(def->kind); ++i) {
        def->armature[i] = joint->def.axis[crn_joint_kind_coordinates(def->kind) == 0 ? 0 : i].armature;
    }
    return CRN_OK;
}

static crn_status make_tree(crn_robot *r, crn_error *error)
{
    const crn_allocator *allocator = &r->world->stepper.allocator;
    crn_link_def *def = crn_allocate(allocator, (size_t)r->links, sizeof *def);
    crn_status status = def ? CRN_OK : crn_fail(error, CRN_ERR_MEMORY, "robot: out of memory");
    for (int k = 0; k < r->links && status == CRN_OK; ++k) {
        status = define_link(r, k, &def[k], error);
    }
    status = status == CRN_OK ? crn_tree_create(def, r->links, allocator, &r->tree, error) : status;
    crn_release(allocator, def);
    return status;
}

/* --- Life --- */

static crn_status list_links(crn_robot *r, crn_error *error)
{
    const crn_allocator *allocator = &r->world->stepper.allocator;
    walk at = begin_walk(r->world, r->of);
    listed next;
    for (walk count = at; next_link(&count, &next);) {
        r->links++;
    }
    if (r->links == 0) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "robot: the world has no free body");
    }
    r->body = crn_allocate(allocator, (size_t)r->links, sizeof *r->body);
    r->joint = crn_allocate(allocator, (size_t)r->links, sizeof *r->joint);
    if (!r->body || !r->joint) {
        return crn_fail(error, CRN_ERR_MEMORY, "robot: out of memory");
    }
    for (int k = 0; next_link(&at, &next); ++k) {
        r->body[k] = crn_world_body(r->world, next.body + 1);
        r->joint[k] = crn_world_joint(r->world, next.joint + 1);
    }
    return CRN_OK;
}

static crn_status take_vectors(crn_robot *r, crn_error *error)
{
    const crn_allocator *allocator = &r->world->stepper.allocator;
    size_t q = (size_t)r->tree->coordinates, u = (size_t)r->tree->velocities;
    r->q = crn_allocate(allocator, q, sizeof *r->q);
    r->u = crn_allocate(allocator, u, sizeof *r->u);
    r->force = crn_allocate(allocator, u, sizeof *r->force);
    r->wrench = crn_allocate(allocator, 6 * (size_t)r->links, sizeof *r->wrench);
    bool has_room = r->q && r->u && r->force && r->wrench;
    return has_room ? CRN_OK : crn_fail(error, CRN_ERR_MEMORY, "robot: out of memory");
}

static crn_status check_world(crn_world *w, crn_body_id body, crn_error *error)
{
    if (w->stepper.def.integrator == CRN_INTEGRATOR_HART) {
        return crn_fail(error, CRN_ERR_UNSUPPORTED, "robot: joints have no coordinates with the integrator hart");
    }
    int i = crn_world_body_index(w, body);
    if (body.index1 != 0 && i < 0) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "robot: the body's id is stale");
    }
    if (i >= 0 && w->stepper.body[i].kind != CRN_BODY_FREE) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "robot: body %d is not free", i + 1);
    }
    return crn_step_plant(&w->stepper, error);
}

crn_status crn_robot_create(crn_world *w, crn_body_id body, crn_robot **robot, crn_error *error)
{
    crn_clear(error);
    if (!w || !robot) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "world or robot is NULL");
    }
    *robot = NULL;
    crn_status status = check_world(w, body, error);
    if (status != CRN_OK) {
        return status;
    }
    crn_robot *r = crn_allocate(&w->stepper.allocator, 1, sizeof *r);
    if (!r) {
        return crn_fail(error, CRN_ERR_MEMORY, "robot: out of memory");
    }
    memset(r, 0, sizeof *r);
    r->world = w;
    r->of = body;
    status = list_links(r, error);
    status = status == CRN_OK ? make_tree(r, error) : status;
    status = status == CRN_OK ? take_vectors(r, error) : status;
    if (status != CRN_OK) {
        crn_robot_destroy(r);
        return status;
    }
    *robot = r;
    return CRN_OK;
}

void crn_robot_destroy(crn_robot *r)
{
    if (!r) {
        return;
    }
    const crn_allocator allocator = r->world->stepper.allocator;
    void *const owned[] = {r->body, r->joint, r->q, r->u, r->force, r->wrench};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; ++i) {
        crn_release(&allocator, owned[i]);
    }
    crn_tree_destroy(r->tree);
    crn_release(&allocator, r);
}

/* --- What it consists of --- */

int crn_robot_links(const crn_robot *r)
{
    return r ? r->links : 0;
}

int crn_robot_coordinates(const crn_robot *r)
{
    return r ? r->tree->coordinates : 0;
}

int crn_robot_velocities(const crn_robot *r)
{
    return r ? r->tree->velocities : 0;
}

crn_body_id crn_robot_body(const crn_robot *r, int link)
{
    return r && link >= 0 && link < r->links ? r->body[link] : (crn_body_id){0, 0};
}

crn_joint_id crn_robot_joint(const crn_robot *r, int link)
{
    return r && link >= 0 && link < r->links ? r->joint[link] : (crn_joint_id){0, 0};
}

int crn_robot_find_body(const crn_robot *r, crn_body_id body)
{
    for (int k = 0; r && body.index1 != 0 && k < r->links; ++k) {
        if (r->body[k].index1 == body.index1 && r->body[k].generation == body.generation) {
            return k;
        }
    }
    return -1;
}

int crn_robot_find_joint(const crn_robot *r, crn_joint_id joint)
{
    for (int k = 0; r && joint.index1 != 0 && k < r->links; ++k) {
        if (r->joint[k].index1 == joint.index1 && r->joint[k].generation == joint.generation) {
            return k;
        }
    }
    return -1;
}

int crn_robot_place(const crn_robot *r, int link, int *q, int *u)
{
    if (!r || link < 0 || link >= r->links) {
        return -1;
    }
    if (q) {
        *q = r->tree->link[link].q;
    }
    if (u) {
        *u = r->tree->link[link].u;
    }
    return r->tree->link[link].freedom;
}

crn_tree *crn_robot_tree(crn_robot *r)
{
    return r ? r->tree : NULL;
}
