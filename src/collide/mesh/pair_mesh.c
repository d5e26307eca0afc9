/* A mesh with every solid shape and mesh.
 *
 *   mesh, box or hull with a mesh        feature pairs (mesh_pair.h); a box or hull is a mesh of its own
 *   sphere, capsule with a mesh          feature pairs of the core (mesh_core.c)
 *   other convex solids with a mesh      by features of the mesh (mesh_round.c)
 *   mesh with a plane                    its vertices (mesh_plane.c)
 *   mesh with a height field             feature pairs with the ground near it (mesh_ground.c)
 *
 * Order. The first is the convex shape, then the mesh, then plane or height field; of two meshes the one with more
 * triangles, then by size and mass; of equals the one that lies lower along a slanted direction, then by position and
 * rotation. So swapping a and b repeats the same computation and turns its normals round: the mirror image is exact. */
#include "collide/mesh/mesh_shapes.h"

static int rank_of(const crn_shape *shape)
{
    switch (shape->def.kind) {
    case CRN_SHAPE_MESH: return 1;
    case CRN_SHAPE_PLANE:
    case CRN_SHAPE_HEIGHT_FIELD: return 2;
    default: return 0;
    }
}

/* Sign of the first difference; what tells two meshes apart without reading them. */
static int compare_meshes(const crn_shape *a, const crn_shape *b)
{
    double number[2][16];
    const crn_shape *shape[2] = {a, b};
    for (int s = 0; s < 2; ++s) {
        double *to = number[s];
        to[0] = shape[s]->mesh->triangles;
        to[1] = shape[s]->mesh->vertices;
        to[2] = shape[s]->radius;
        to[3] = shape[s]->mass.mass;
        crn_v3_to(shape[s]->mass.com, to + 4);
        for (int k = 0; k < 9; ++k) {
            to[7 + k] = shape[s]->mass.inertia.m[k];
        }
    }
    return crn_compare_numbers(number[0], number[1], 16);
}

/* Does b come before a? */
static bool is_turned(const crn_query *q)
{
    int a = rank_of(q->a), b = rank_of(q->b);
    if (a != b) {
        return a > b;
    }
    int by_mesh = compare_meshes(q->a, q->b);
    return by_mesh != 0 ? by_mesh < 0 : crn_query_is_above(q);
}

/* In order; false without memory. */
static bool collide(const crn_query *q, crn_collide_scratch *scratch, crn_touches *out)
{
    if (q->b->def.kind == CRN_SHAPE_PLANE) {
        crn_mesh_plane(q, out);
        return true;
    }
    if (q->b->def.kind == CRN_SHAPE_HEIGHT_FIELD) {
        return crn_mesh_ground(q, scratch, out);
    }
    return q->a->type->on_mesh == NULL ||
           q->a->type->on_mesh(q, scratch, out); /* planar shapes do not meet solid ones */
}

bool crn_collide_mesh(const crn_query *query, crn_collide_scratch *scratch, crn_touches *out)
{
    if (query->a->def.kind != CRN_SHAPE_MESH && query->b->def.kind != CRN_SHAPE_MESH) {
        return false;
    }
    bool turned = is_turned(query);
    crn_query other = crn_query_turned(query);
    int first = out->count;
    (void)collide(turned ? &other : query, scratch, out); /* without memory scratch->is_short is set */
    if (turned) {
        crn_touches_turn(out, first);
    }
    return true;
}
