/* Trees of links: made from definitions, numbered, taken apart.
 *
 * A definition gives joint frames, centre of mass and inertia in a frame of the link's own. Inside, a link's frame is that
 * of its centre of mass with the same axes; crn_tree.body keeps where that is in the definition's frame. */
#include "tree/tree_parts.h"

#include "base/memory.h"

crn_link_def crn_link_def_default(void)
{
    return (crn_link_def){
        .parent = -1, .kind = CRN_JOINT_FREE, .frame_a = crn_pose_identity(), .frame_b = crn_pose_identity()};
}

/* --- Making --- */

static int coordinates_of(crn_joint_kind kind)
{
    return kind == CRN_JOINT_BALL ? 4 : kind == CRN_JOINT_FREE ? 7 : crn_joint_kind_freedom(kind);
}

/* A pose given in the frame of a definition, in that of the centre of mass at com. */
static crn_frame from_com(const crn_pose *pose, crn_vec3 com)
{
    return (crn_frame){crn_quat_matrix(crn_quat_unit(pose->rotation)), crn_v3_sub(pose->position, com)};
}

static crn_frame backwards(const crn_frame *f)
{
    crn_frame back;
    for (int i = 0; i < 9; ++i) {
        back.rotation.m[i] = f->rotation.m[i / 3 + 3 * (i % 3)];
    }
    back.position = crn_v3_scale(-1.0, crn_m3_times(&back.rotation, f->position));
    return back;
}

static void fill(crn_tree *tree, const crn_link_def *def)
{
    static const crn_mat3 one = {{1, 0, 0, 0, 1, 0, 0, 0, 1}};
    int coordinates = 0, velocities = 0;
    for (int i = 0; i < tree->links; ++i) {
        crn_link *link = &tree->link[i];
        crn_vec3 base = {0, 0, 0};
        *link = (crn_link){.parent = def[i].parent,
                           .kind = def[i].kind,
                           .coordinates = coordinates_of(def[i].kind),
                           .freedom = crn_joint_kind_freedom(def[i].kind),
                           .q = coordinates,
                           .u = velocities,
                           .mass = def[i].mass,
                           .inertia = crn_m3_turned(&one, &def[i].inertia)};
        link->frame_a = from_com(&def[i].frame_a, link->parent < 0 ? base : def[link->parent].com);
        link->frame_b = from_com(&def[i].frame_b, def[i].com);
        link->from_b = backwards(&link->frame_b);
        for (int k = 0; k < link->freedom; ++k) {
            link->armature[k] = def[i].armature[k];
        }
        tree->body[i] = (crn_frame){one, def[i].com};
        coordinates += link->coordinates;
        velocities += link->freedom;
    }
    tree->base = (crn_frame){one, {0, 0, 0}};
    crn_tree_find_wheels(tree);
}

static void count(crn_tree *tree, const crn_link_def *def)
{
    for (int i = 0; i < tree->links; ++i) {
        tree->coordinates += coordinates_of(def[i].kind);
        tree->velocities += crn_joint_kind_freedom(def[i].kind);
    }
}

/* What the dynamics or their derivatives need, whichever is more. */
static size_t scratch_size(int links, int velocities)
{
    size_t dynamics = crn_tree_scratch_size(links, velocities),
           derivatives = crn_tree_derivatives_size(links, velocities);
    return dynamics > derivatives ? dynamics : derivatives;
}

/* All arrays in one block, which begins on a cache line. */
static void lay_out(crn_arena *arena, crn_tree *tree)
{
    tree->link = CRN_TAKE(arena, crn_link, tree->links);
    tree->body = CRN_TAKE(arena, crn_frame, tree->links);
    tree->part = CRN_TAKE(arena, crn_tree_part, tree->links);
    tree->scratch = CRN_TAKE(arena, double, scratch_size(tree->links, tree->velocities));
}

static bool take_memory(crn_tree *tree)
{
    crn_arena arena = crn_arena_counting();
    lay_out(&arena, tree);
    if (arena.overflow || arena.used > SIZE_MAX - CRN_ARENA_ALIGN) {
        return false;
    }
    tree->memory = crn_allocate(&tree->allocator, arena.used + CRN_ARENA_ALIGN, 1);
    if (tree->memory == NULL) {
        return false;
    }
    unsigned char *data = tree->memory;
    data += crn_arena_rounded((size_t)((uintptr_t)data % CRN_ARENA_ALIGN)) - (uintptr_t)data % CRN_ARENA_ALIGN;
    arena = (crn_arena){data, arena.used, 0, false};
    lay_out(&arena, tree);
    return true;
}

static crn_status check_all(const crn_link_def *link, int links, crn_error *error)
{
    if (links < 0 || (links > 0 && link == NULL)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "links: %d of them, or none given", links);
    }
    for (int i = 0; i < links; ++i) {
        crn_status status = crn_tree_check(link, i, error);
        if (status != CRN_OK) {
            return status;
        }
    }
    return CRN_OK;
}

crn_status crn_tree_create(const crn_link_def *link, int links, const crn_allocator *allocator, crn_tree **tree,
                           crn_error *error)
{
    if (tree == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "tree: NULL");
    }
    crn_clear(error);
    *tree = NULL;
    crn_status status = check_all(link, links, error);
    if (status != CRN_OK) {
        return status;
    }
    crn_tree *made = crn_allocate(allocator, 1, sizeof *made);
    if (made == NULL) {
        return crn_fail(error, CRN_ERR_MEMORY, "no memory for a tree of %d links", links);
    }
    *made = (crn_tree){.links = links, .allocator = allocator != NULL ? *allocator : crn_allocator_default()};
    count(made, link);
    if (!take_memory(made)) {
        crn_tree_destroy(made);
        return crn_fail(error, CRN_ERR_MEMORY, "no memory for a tree of %d links", links);
    }
    fill(made, link);
    crn_tree_number(made);
    crn_tree_fill_parts(made);
    int massless = crn_tree_find_massless(made);
    if (massless >= 0) {
        crn_tree_destroy(made);
        return crn_fail(error, CRN_ERR_ARGUMENT,
                        "links[%d].mass: its joint can move without moving any mass or armature", massless);
    }
    *tree = made;
    return CRN_OK;
}

void crn_tree_destroy(crn_tree *tree)
{
    if (tree != NULL) {
        crn_allocator allocator = tree->allocator;
        crn_release(&allocator, tree->memory);
        crn_release(&allocator, tree);
    }
}

void crn_tree_number(crn_tree *tree)
{
    tree->whitened = 0;
    for (int i = 0; i < tree->links; ++i) {
        crn_link *link = &tree->link[i];
        link->w = tree->whitened;
        tree->whitened += link->is_driven ? 0 : link->freedom;
    }
}

/* --- Counts --- */

int crn_tree_links(const crn_tree *tree)
{
    return tree != NULL ? tree->links : 0;
}

int crn_tree_coordinates(const crn_tree *tree)
{
    return tree != NULL ? tree->coordinates : 0;
}

int crn_tree_velocities(const crn_tree *tree)
{
    return tree != NULL ? tree->velocities : 0;
}

int crn_tree_first_coordinate(const crn_tree *tree, int link)
{
    if (tree == NULL || link < 0 || link >= tree->links) {
        return -1;
    }
    return tree->link[link].q;
}

int crn_tree_first_velocity(const crn_tree *tree, int link)
{
    if (tree == NULL || link < 0 || link >= tree->links) {
        return -1;
    }
    return tree->link[link].u;
}
