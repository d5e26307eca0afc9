/* The convex hull of points: a polyhedron (hull_faces.c finds its faces), and these as a mesh, by which it meets meshes. */
#include "collide/convex/bounds.h"
#include "collide/convex/facing.h"
#include "collide/mesh/mesh_shapes.h"
#include "collide/plane.h"
#include "collide/ray.h"
#include "collide/convex/seam.h"
#include "collide/shape_types.h"
#include "collide/convex/side.h"

/* Without the mesh, if that is not closed (corners closer than files can tell are joined). */
static crn_status prepare(crn_shape *shape, double *numbers, crn_error *error)
{
    crn_error refused;
    crn_status status = crn_hull_build(numbers, shape->def.count, &shape->allocator, &shape->polyhedron, error);
    if (status != CRN_OK) {
        return status;
    }
    status = crn_mesh_of_convex(&shape->def, &shape->allocator, &shape->mesh, &refused);
    if (status == CRN_OK && !shape->mesh->is_closed) {
        crn_mesh_free(&shape->allocator, shape->mesh);
        shape->mesh = NULL;
    }
    return status == CRN_ERR_MEMORY ? crn_fail(error, status, "%s", refused.text) : CRN_OK;
}

static double radius(const crn_shape_def *def)
{
    return crn_farthest_point(def->points, def->count, 3);
}

static crn_mass_properties mass(const crn_shape *shape)
{
    return crn_hull_mass(shape->polyhedron);
}

static void cast(const crn_shape *shape, crn_cut *cut)
{
    const crn_polyhedron *h = shape->polyhedron;
    for (int f = 0; f < h->faces; ++f) {
        crn_vec3 n = crn_v3_of(h->face_normal + 3 * (ptrdiff_t)f);
        crn_vec3 p = crn_v3_of(h->vertex + 3 * (ptrdiff_t)h->face_vertex[h->face_start[f]]);
        crn_cut_half_space(cut, n, crn_v3_dot(n, p));
    }
}

static void core(const crn_shape *shape, crn_solid *solid)
{
    const crn_polyhedron *hull = shape->polyhedron;
    solid->kind = CRN_CORE_POLYHEDRON;
    solid->vertices = hull->vertices;
    solid->faces = hull->faces;
    solid->edges = hull->edges;
    solid->vertex = hull->vertex;
    solid->face_normal = hull->face_normal;
    solid->face_start = hull->face_start;
    solid->face_vertex = hull->face_vertex;
    solid->edge = hull->edge;
    solid->around_start = hull->around_start;
    solid->around = hull->around;
    solid->around_edge = hull->around_edge;
    solid->guide = hull->guide;
}

/* --- Touches --- */

/* Hulls with fewer vertices are looked at as a whole. */
#define LARGE 24

/* Vertices within reach; of large hulls that move as is known, those of them that can come lowest. */
static void on_plane(const crn_query *query, crn_touches *out)
{
    crn_ground g = crn_ground_of(query);
    const crn_polyhedron *hull = query->a->polyhedron;
    crn_facing facing = {.is_listed = false};
    crn_solid solid;
    if (hull->vertices >= LARGE && query->motion.fall < (double)INFINITY &&
        crn_solid_of(&solid, query->a, query->frame_a, query->frame_a->position)) {
        int lowest = 0;
        crn_vec3 d = crn_v3_scale(-1.0, g.normal), p = crn_solid_support(&solid, d, &lowest);
        double depth = g.reach - crn_ground_height(&g, crn_v3_add(p, query->frame_a->position));
        if (depth < 0.0) {
            return;
        }
        crn_facing_test test = {&solid, crn_m3_transposed_times(&solid.rotation, d), crn_v3_dot(d, p) - depth,
                                crn_side_slack(&query->motion, g.normal, solid.extent)};
        crn_facing_find(&test, lowest, &facing);
    }
    for (int k = 0; k < (facing.is_listed ? facing.vertices : hull->vertices); ++k) {
        int v = facing.is_listed ? facing.vertex[k] : k;
        crn_vec3 p = crn_frame_point(query->frame_a, crn_v3_of(hull->vertex + 3 * (ptrdiff_t)v));
        crn_ground_meet(&g, p, 0.0, (uint32_t)v, out);
    }
}

static bool on_mesh(const crn_query *query, crn_collide_scratch *scratch, crn_touches *out)
{
    const struct crn_mesh *own = query->a->mesh;
    return own != NULL ? crn_mesh_mesh(query, own, scratch, out) : crn_round_mesh(query, scratch, out);
}

static int normals(const crn_shape *shape, const crn_frame *frame, crn_vec3 p, crn_vec3 d, crn_vec3 *normal)
{
    crn_solid hull;
    (void)crn_solid_of(&hull, shape, frame, frame->position);
    crn_vec3 towards = crn_v3_axpy(d, CRN_SEAM_BY_PLACE / hull.extent, crn_v3_sub(p, shape->mass.com));
    int vertex = 0, count = 0;
    (void)crn_solid_support(&hull, crn_m3_times(&hull.rotation, towards), &vertex);
    for (int k = hull.around_start[vertex]; k < hull.around_start[vertex + 1] && count < CRN_FACE_NORMALS; ++k) {
        const int *edge = hull.edge + 4 * (ptrdiff_t)hull.around_edge[k];
        int face = edge[0] == vertex ? edge[2] : edge[3];
        normal[count++] = crn_v3_of(hull.face_normal + 3 * (ptrdiff_t)face);
    }
    return count;
}

static const crn_seam_type seam = {.normals = normals};

const crn_shape_type crn_shape_hull = {
    .traits = {.name = "hull", .size = {{"points", 0, 0, false, false}}, .dimension = 3, .least_points = 4},
    .prepare = prepare,
    .radius = radius,
    .mass = mass,
    .bounds = crn_bounds_of_core,
    .cast = cast,
    .core = core,
    .seam = &seam,
    .on_plane = on_plane,
    .on_mesh = on_mesh};
