/* Collision meshes of robots as shapes.
 *
 * Most of them are convex, or were made to stand for their hull; then the hull is the shape itself and costs little. What
 * is closed and not convex stays a mesh, holes and all. A mesh that is not closed has no inside: its hull stands for it,
 * as in other simulators, and the caller says so. */
#include "robots/robot.h"

#include <math.h>

/* A mesh counts as convex if its hull has no more than this share of volume more: far above the rounding of STL's single
 * precision (1e-6 of the size of a mesh, some 1e-5 of the volume of a flat one), far below what one sees. */
static const double CONVEX_SHARE = 1e-4;

static crn_status find_hull_volume(const crn_shape_def *hull, const crn_allocator *allocator, double *volume,
                                   crn_error *error)
{
    crn_shape *shape = NULL;
    crn_status status = crn_shape_create(hull, allocator, &shape, error);
    if (status == CRN_OK) {
        *volume = crn_shape_mass(shape).mass;
    }
    crn_shape_destroy(shape);
    return status;
}

/* The mesh itself, if it is closed and not its own hull; else the hull. */
static crn_status choose(const crn_shape_def *mesh, const crn_shape_def *hull, const crn_allocator *allocator,
                         crn_shape_def *shape, crn_robot_mesh_kind *kind, crn_error *error)
{
    *shape = *hull;
    crn_mesh_report report = {0};
    crn_error reason = {.status = CRN_OK};
    crn_status status = crn_mesh_inspect(mesh, allocator, &report, &reason);
    if (status == CRN_ERR_MEMORY) {
        return crn_fail(error, status, "%s", reason.text);
    }
    if (status != CRN_OK || report.open_edges > 0 || report.crossings > 0 || !(report.volume > 0.0)) {
        bool is_crossed = status == CRN_OK && report.open_edges == 0 && report.crossings > 0;
        *kind = is_crossed ? CRN_ROBOT_MESH_CROSSED : CRN_ROBOT_MESH_OPEN;
        return CRN_OK;
    }
    double volume = INFINITY;
    status = find_hull_volume(hull, allocator, &volume, error);
    if (status != CRN_OK) {
        return status;
    }
    bool is_convex = report.shells == 1 && volume <= (1.0 + CONVEX_SHARE) * report.volume;
    if (!is_convex && mesh->triangle_count > CRN_ROBOT_TRIANGLES_MOST) {
        *kind = CRN_ROBOT_MESH_LARGE;
    } else if (!is_convex) {
        *shape = *mesh;
    }
    return CRN_OK;
}

crn_status crn_robot_read_mesh(const char *path, crn_vec3 scale, const crn_allocator *allocator, crn_mesh_data *data,
                               crn_shape_def *shape, crn_robot_mesh_kind *kind, crn_error *error)
{
    *kind = CRN_ROBOT_MESH_SOLID;
    *data = (crn_mesh_data){.points = NULL};
    crn_status status = crn_io_read_mesh(path, scale, allocator, data, error);
    if (status != CRN_OK) {
        return status;
    }
    crn_shape_def hull = {.kind = CRN_SHAPE_HULL, .points = data->points, .count = data->count};
    crn_shape_def mesh = hull;
    mesh.kind = CRN_SHAPE_MESH;
    mesh.triangles = data->triangles;
    mesh.triangle_count = data->triangle_count;
    status = choose(&mesh, &hull, allocator, shape, kind, error);
    if (status != CRN_OK) {
        crn_mesh_data_free(data);
    }
    return status;
}
