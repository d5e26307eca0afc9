/* Boxes and hulls as meshes: each face is cut into triangles that fan out from its first corner. The sides between
 * triangles of one face are flat, so they make no contacts. */
#include "collide/mesh/mesh_parts.h"

/* --- Box: corner k has the sign of bit i of k along axis i --- */

static const int box_faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};

static crn_status of_box(const crn_shape_def *def, const crn_allocator *allocator, crn_mesh **mesh, crn_error *error)
{
    double points[24];
    int triangles[36];
    for (int k = 0; k < 8; ++k) {
        crn_v3_to(crn_v3(k & 1 ? def->size.x : -def->size.x, k & 2 ? def->size.y : -def->size.y,
                         k & 4 ? def->size.z : -def->size.z),
                  points + 3 * (size_t)k);
    }
    for (int f = 0; f < 6; ++f) {
        const int *loop = box_faces[f];
        const int two[6] = {loop[0], loop[1], loop[2], loop[0], loop[2], loop[3]};
        for (int k = 0; k < 6; ++k) {
            triangles[6 * f + k] = two[k];
        }
    }
    crn_shape_def as_mesh = {
        .kind = CRN_SHAPE_MESH, .points = points, .count = 8, .triangles = triangles, .triangle_count = 12};
    return crn_mesh_build(&as_mesh, allocator, mesh, error);
}

/* --- Hull --- */

static crn_status of_polyhedron(const crn_polyhedron *hull, const crn_allocator *allocator, crn_mesh **mesh,
                                crn_error *error)
{
    size_t most = (size_t)hull->face_start[hull->faces];
    int *triangles = (int *)crn_allocate(allocator, 3 * most, sizeof(int)), made = 0;
    if (triangles == NULL) {
        return crn_fail(error, CRN_ERR_MEMORY, "mesh: out of memory for %d faces", hull->faces);
    }
    for (int f = 0; f < hull->faces; ++f) {
        const int *loop = hull->face_vertex + hull->face_start[f];
        for (int k = 1; k + 1 < hull->face_start[f + 1] - hull->face_start[f]; ++k) {
            int *to = triangles + 3 * (size_t)made++;
            to[0] = loop[0];
            to[1] = loop[k];
            to[2] = loop[k + 1];
        }
    }
    crn_shape_def as_mesh = {.kind = CRN_SHAPE_MESH,
                             .points = hull->vertex,
                             .count = hull->vertices,
                             .triangles = triangles,
                             .triangle_count = made};
    crn_status status = crn_mesh_build(&as_mesh, allocator, mesh, error);
    crn_release(allocator, triangles);
    return status;
}

static crn_status of_hull(const crn_shape_def *def, const crn_allocator *allocator, crn_mesh **mesh, crn_error *error)
{
    crn_polyhedron *hull = NULL;
    crn_status status = crn_hull_build(def->points, def->count, allocator, &hull, error);
    if (status != CRN_OK) {
        return status;
    }
    status = of_polyhedron(hull, allocator, mesh, error);
    crn_hull_free(allocator, hull);
    return status;
}

crn_status crn_mesh_of_convex(const crn_shape_def *def, const crn_allocator *allocator, crn_mesh **mesh,
                              crn_error *error)
{
    return def->kind == CRN_SHAPE_BOX ? of_box(def, allocator, mesh, error) : of_hull(def, allocator, mesh, error);
}
