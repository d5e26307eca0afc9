/* A mesh ready for queries, from a definition: a draft in scratch memory, then one block that holds all.
 *
 *   weld -> duplicates dropped, neighbours agree -> mates -> tree -> shells, turned where inside out -> mates again -> edges, normals, owners, neighbours  */
#include "collide/mesh/mesh_parts.h"

#include <string.h>

/* --- Memory --- */

static void lay_out_draft(crn_mesh_draft *d, crn_arena *arena)
{
    size_t points = (size_t)d->points, given = (size_t)d->given;
    size_t most = points > 3 * given ? points : 3 * given;
    d->vertex = CRN_TAKE(arena, crn_vec3, points);
    d->origin = CRN_TAKE(arena, int, points);
    d->face = CRN_TAKE(arena, int, 3 * given);
    d->given_of = CRN_TAKE(arena, int, given);
    d->mate = CRN_TAKE(arena, int, 3 * given);
    d->sorted = CRN_TAKE(arena, int, 3 * given);
    d->shell_of = CRN_TAKE(arena, int, given);
    d->shell = CRN_TAKE(arena, crn_mesh_shell, given);
    d->node = CRN_TAKE(arena, crn_mesh_node, 2 * given);
    d->tree_face = CRN_TAKE(arena, int, given);
    d->key = CRN_TAKE(arena, uint64_t, most);
    d->other_key = CRN_TAKE(arena, uint64_t, most);
    d->third_key = CRN_TAKE(arena, uint64_t, most);
    d->item = CRN_TAKE(arena, int, most);
    d->other_item = CRN_TAKE(arena, int, most);
    d->list[0] = CRN_TAKE(arena, int, most);
    d->list[1] = CRN_TAKE(arena, int, most);
}

static crn_mesh *lay_out_mesh(const crn_mesh_draft *d, crn_mesh *m, crn_arena *arena)
{
    crn_mesh *at = CRN_TAKE(arena, crn_mesh, 1);
    m->vertex = CRN_TAKE(arena, crn_vec3, d->vertices);
    m->pseudo = CRN_TAKE(arena, crn_vec3, d->vertices);
    m->face = CRN_TAKE(arena, int, 3 * (size_t)d->triangles);
    m->given_of = CRN_TAKE(arena, int, d->triangles);
    m->face_edge = CRN_TAKE(arena, int, 3 * (size_t)d->triangles);
    m->normal = CRN_TAKE(arena, crn_vec3, d->triangles);
    m->edge = CRN_TAKE(arena, crn_mesh_edge, d->edges);
    m->vertex_owner = CRN_TAKE(arena, int, d->vertices);
    m->edge_owner = CRN_TAKE(arena, int, d->edges);
    m->around_start = CRN_TAKE(arena, int, (size_t)d->vertices + 1);
    m->around = CRN_TAKE(arena, int, 2 * (size_t)d->edges);
    m->node = CRN_TAKE(arena, crn_mesh_node, d->nodes);
    m->tree_face = CRN_TAKE(arena, int, d->triangles);
    return at;
}

static crn_status out_of_memory(int triangles, crn_error *error)
{
    return crn_fail(error, CRN_ERR_MEMORY, "mesh: out of memory for %d triangles", triangles);
}

/* --- Building --- */

static crn_status draw(crn_mesh_draft *d, const crn_shape_def *def, crn_error *error)
{
    crn_status status = crn_mesh_weld(d, def, error);
    if (status == CRN_OK) {
        crn_mesh_drop_duplicates(d);
        status = crn_mesh_agree(d, error);
    }
    if (status != CRN_OK) {
        return status;
    }
    crn_mesh_join(d);
    crn_mesh_tree(d);
    status = crn_mesh_orient(d, error);
    if (status == CRN_OK && d->facts.flipped > 0) {
        crn_mesh_join(d);
    }
    return status;
}

static crn_status finish(const crn_mesh_draft *d, const crn_allocator *allocator, crn_mesh **mesh, crn_error *error)
{
    crn_mesh plan = {0};
    crn_arena arena = crn_arena_counting();
    (void)lay_out_mesh(d, &plan, &arena);
    void *memory = arena.overflow ? NULL : crn_allocate(allocator, arena.used, 1);
    if (memory == NULL) {
        return out_of_memory(d->triangles, error);
    }
    arena = (crn_arena){memory, arena.used, 0, false};
    crn_mesh *made = lay_out_mesh(d, &plan, &arena);
    *made = plan;
    made->vertices = d->vertices;
    made->triangles = d->triangles;
    made->edges = d->edges;
    made->nodes = d->nodes;
    made->is_closed = d->facts.open_edges == 0;
    made->open_edges = d->facts.open_edges;
    made->open_point[0] = d->facts.open_point[0];
    made->open_point[1] = d->facts.open_point[1];
    made->open_triangle = d->facts.open_triangle;
    made->size = crn_v3_length(crn_v3_sub(crn_v3_of(d->high), crn_v3_of(d->low)));
    memcpy(made->vertex, d->vertex, (size_t)d->vertices * sizeof *made->vertex);
    memcpy(made->face, d->face, 3 * (size_t)d->triangles * sizeof *made->face);
    memcpy(made->given_of, d->given_of, (size_t)d->triangles * sizeof *made->given_of);
    memcpy(made->node, d->node, (size_t)d->nodes * sizeof *made->node);
    memcpy(made->tree_face, d->tree_face, (size_t)d->triangles * sizeof *made->tree_face);
    if (!crn_mesh_features(made, d)) {
        crn_release(allocator, memory);
        return crn_fail(error, CRN_ERR_ARGUMENT, "triangles: too many of %d lie on top of each other", d->triangles);
    }
    *mesh = made;
    return CRN_OK;
}

crn_status crn_mesh_make(const crn_shape_def *def, const crn_allocator *allocator, crn_mesh **mesh,
                         crn_mesh_facts *facts, crn_error *error)
{
    *mesh = NULL;
    crn_status status = crn_mesh_check(def, error);
    if (status != CRN_OK) {
        return status;
    }
    crn_mesh_draft draft = {.points = def->count, .given = def->triangle_count};
    crn_arena arena = crn_arena_counting();
    lay_out_draft(&draft, &arena);
    void *memory = arena.overflow ? NULL : crn_allocate(allocator, arena.used, 1);
    if (memory == NULL) {
        return out_of_memory(def->triangle_count, error);
    }
    arena = (crn_arena){memory, arena.used, 0, false};
    lay_out_draft(&draft, &arena);
    status = draw(&draft, def, error);
    status = status == CRN_OK ? finish(&draft, allocator, mesh, error) : status;
    *facts = draft.facts;
    crn_release(allocator, memory);
    return status;
}

crn_status crn_mesh_build(const crn_shape_def *def, const crn_allocator *allocator, crn_mesh **mesh, crn_error *error)
{
    *mesh = NULL;
    crn_mesh_facts facts;
    crn_status status = crn_mesh_make(def, allocator, mesh, &facts, error);
    if (*mesh != NULL && (*mesh)->is_closed) {
        status = crn_mesh_check_mass(*mesh, error);
    }
    if (status != CRN_OK) {
        crn_mesh_free(allocator, *mesh);
        *mesh = NULL;
    }
    return status;
}

void crn_mesh_free(const crn_allocator *allocator, crn_mesh *mesh)
{
    crn_release(allocator, mesh);
}
