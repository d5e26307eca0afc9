/* The tree of links that a model's joints make, for the functions of tree.h.
 *
 * A free body is a link; its parent is body a of the joint in a tree whose body b it is. Going up from a body ends at its
 * root: a body without such a joint, which floats, or one whose joint begins at the world or at a body that is not free.
 * Walking down from there, parents before children, numbers the links. Nothing recurses. */
#include "model/model_room.h"

#include "base/memory.h"
#include "math/rigid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct plan {
    const crn_model *model;
    int bodies;
    int *joint;           /* per body: of which it is b; -1: none */
    int *child, *sibling; /* per body: first child, next of the same parent; -1: none */
    int *link;            /* per body: its place in the tree */
    int *order;           /* per link: its body */
    int links;
    crn_link_def *def; /* per link */
    crn_shape **shape; /* of the body at hand */
} plan;

static bool is_free_body(const crn_model *model, int body)
{
    const crn_body_def *def = crn_model_body(model, body);
    return def != NULL && def->kind == CRN_BODY_FREE;
}

/* The body above; -1: it is a root. */
static int parent_of(const plan *p, int body)
{
    int joint = p->joint[body], a = joint >= 0 ? crn_model_joint(p->model, joint)->a : -1;
    return is_free_body(p->model, a) ? a : -1;
}

static void join_bodies(plan *p)
{
    for (int i = 0; i < p->bodies; ++i) {
        p->joint[i] = p->child[i] = p->sibling[i] = -1;
    }
    for (int i = crn_model_joints(p->model) - 1; i >= 0; --i) {
        const crn_joint_def *joint = crn_model_joint(p->model, i);
        if (!joint->in_tree) {
            continue;
        }
        p->joint[joint->b] = i;
        int parent = parent_of(p, joint->b);
        if (parent >= 0) {
            p->sibling[joint->b] = p->child[parent];
            p->child[parent] = joint->b;
        }
    }
}

static void find_order(plan *p, int body)
{
    int root = body;
    while (parent_of(p, root) >= 0) {
        root = parent_of(p, root);
    }
    p->links = 0;
    for (int at = root; at >= 0;) {
        p->link[at] = p->links;
        p->order[p->links++] = at;
        if (p->child[at] >= 0) {
            at = p->child[at];
            continue;
        }
        while (at != root && p->sibling[at] < 0) {
            at = parent_of(p, at);
        }
        at = at != root ? p->sibling[at] : -1;
    }
}

/* --- Links --- */

/* Shapes are needed only where mass or inertia come from them. */
static crn_status find_mass(const plan *p, const crn_body_def *body, const crn_allocator *allocator,
                            crn_mass_properties *mass, crn_error *error)
{
    crn_body_def def = *body;
    if (def.mass > 0.0 && crn_body_has_inertia(&def)) {
        def.shapes = 0;
    }
    crn_status status = CRN_OK;
    int made = 0;
    for (; made < def.shapes && status == CRN_OK; ++made) {
        p->shape[made] = NULL;
        status = crn_shape_create(&def.shape[made].shape, allocator, &p->shape[made], error);
    }
    if (status == CRN_OK) {
        status = crn_body_mass_of(&def, false, p->shape, mass, error);
    }
    for (int i = 0; i < made; ++i) {
        crn_shape_destroy(p->shape[i]);
    }
    return status;
}

static void set_joint(const plan *p, const crn_joint_def *joint, crn_link_def *link)
{
    link->kind = joint->kind;
    link->frame_a = joint->frame_a;
    link->frame_b = joint->frame_b;
    if (is_free_body(p->model, joint->a)) {
        link->parent = p->link[joint->a];
    } else if (joint->a >= 0) {
        link->frame_a = crn_pose_product(&crn_model_body(p->model, joint->a)->pose, &joint->frame_a);
    }
    for (int k = 0; k < crn_joint_kind_freedom(joint->kind) && joint->kind != CRN_JOINT_FREE; ++k) {
        link->armature[k] = joint->axis[joint->kind == CRN_JOINT_BALL ? 0 : k].armature;
    }
}

static crn_status set_link(plan *p, int k, const crn_allocator *allocator, crn_error *error)
{
    const crn_body_def *body = crn_model_body(p->model, p->order[k]);
    crn_link_def *link = &p->def[k];
    *link = crn_link_def_default();
    int joint = p->joint[p->order[k]];
    if (joint >= 0) {
        set_joint(p, crn_model_joint(p->model, joint), link);
    }
    crn_mass_properties mass = {.mass = 0.0};
    crn_error reason = {.status = CRN_OK};
    crn_status status = find_mass(p, body, allocator, &mass, &reason);
    if (status != CRN_OK) {
        const char *text = strncmp(reason.text, "body.", 5) == 0 ? reason.text + 5 : reason.text;
        return crn_fail(error, status, "bodies[%d].%s", p->order[k], text);
    }
    link->mass = mass.mass;
    link->com = mass.com;
    link->inertia = mass.inertia;
    return CRN_OK;
}

/* --- The whole --- */

static void lay_out(plan *p, crn_arena *arena)
{
    int shapes = 0;
    for (int i = 0; i < p->bodies; ++i) {
        int count = crn_model_body(p->model, i)->shapes;
        shapes = count > shapes ? count : shapes;
    }
    p->joint = CRN_TAKE(arena, int, p->bodies);
    p->child = CRN_TAKE(arena, int, p->bodies);
    p->sibling = CRN_TAKE(arena, int, p->bodies);
    p->link = CRN_TAKE(arena, int, p->bodies);
    p->order = CRN_TAKE(arena, int, p->bodies);
    p->def = CRN_TAKE(arena, crn_link_def, p->bodies);
    p->shape = CRN_TAKE(arena, crn_shape *, shapes);
}

/* "links[3].mass: ..." of crn_tree_create() as "bodies[7].mass: ...". */
static crn_status blame(const plan *p, const crn_error *reason, crn_error *error)
{
    char *end = NULL;
    long link = strncmp(reason->text, "links[", 6) == 0 ? strtol(reason->text + 6, &end, 10) : -1;
    bool is_known = link >= 0 && link < p->links && end != NULL && *end == ']';
    return is_known ? crn_fail(error, reason->status, "bodies[%d]%s", p->order[link], end + 1)
                    : crn_fail(error, reason->status, "%s", reason->text);
}

static crn_status make_tree(plan *p, int body, const crn_allocator *allocator, crn_tree **tree, int **body_of_link,
                            crn_error *error)
{
    join_bodies(p);
    find_order(p, body);
    crn_status status = CRN_OK;
    for (int k = 0; k < p->links && status == CRN_OK; ++k) {
        status = set_link(p, k, allocator, error);
    }
    if (status != CRN_OK) {
        return status;
    }
    crn_error reason = {.status = CRN_OK};
    status = crn_tree_create(p->def, p->links, allocator, tree, &reason);
    if (status != CRN_OK) {
        return blame(p, &reason, error);
    }
    if (body_of_link == NULL) {
        return CRN_OK;
    }
    *body_of_link = crn_allocate(allocator, (size_t)p->links, sizeof(int));
    if (*body_of_link == NULL) {
        crn_tree_destroy(*tree);
        *tree = NULL;
        return crn_fail(error, CRN_ERR_MEMORY, "model: no memory for a tree");
    }
    memcpy(*body_of_link, p->order, (size_t)p->links * sizeof(int));
    return CRN_OK;
}

crn_status crn_model_tree(const crn_model *model, int body, const crn_allocator *allocator, crn_tree **tree,
                          int **body_of_link, crn_error *error)
{
    if (model == NULL || tree == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s: NULL", model == NULL ? "model" : "tree");
    }
    *tree = NULL;
    if (body_of_link != NULL) {
        *body_of_link = NULL;
    }
    if (!is_free_body(model, body)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "body: %d is no free body of the model", body);
    }
    if (crn_model_world_of(model)->is_planar) {
        return crn_fail(error, CRN_ERR_UNSUPPORTED, "trees move in space, and the model's world is planar");
    }
    plan p = {.model = model, .bodies = crn_model_bodies(model)};
    crn_arena arena = crn_arena_counting();
    lay_out(&p, &arena);
    void *block = arena.overflow ? NULL : crn_allocate(allocator, arena.used, 1);
    if (block == NULL) {
        return crn_fail(error, CRN_ERR_MEMORY, "model: no memory for a tree");
    }
    arena = (crn_arena){.data = block, .size = arena.used};
    lay_out(&p, &arena);
    crn_status status = make_tree(&p, body, allocator, tree, body_of_link, error);
    crn_release(allocator, block);
    if (status == CRN_OK) {
        crn_clear(error);
    }
    return status;
}
