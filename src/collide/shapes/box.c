/* A box of half sides h: a polyhedron whose faces, edges and vertices have fixed numbers. */
#include "collide/convex/bounds.h"
#include "collide/mass.h"
#include "collide/mesh/mesh_box.h"
#include "collide/mesh/mesh_shapes.h"
#include "collide/plane.h"
#include "collide/ray.h"
#include "collide/convex/seam.h"
#include "collide/shape_types.h"

static double radius(const crn_shape_def *def)
{
    return crn_v3_length(def->size);
}

static crn_mass_properties mass(const crn_shape *shape)
{
    crn_vec3 h = shape->def.size;
    return crn_mass_of_half_sides(8.0 * h.x * h.y * h.z, h, 3.0);
}

static crn_bounds bounds(const crn_shape *shape, const crn_frame *frame)
{
    return crn_bounds_of_box(frame, shape->def.size);
}

static void cast(const crn_shape *shape, crn_cut *cut)
{
    crn_vec3 h = shape->def.size;
    crn_cut_slab(cut, crn_v3(1, 0, 0), h.x);
    crn_cut_slab(cut, crn_v3(0, 1, 0), h.y);
    crn_cut_slab(cut, crn_v3(0, 0, 1), h.z);
}

/* --- As a polyhedron: vertex k lies on the positive side of axis j if bit j of k is set --- */

static const int face_start[7] = {0, 4, 8, 12, 16, 20, 24};
static const int face_vertex[24] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4, 2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};
static const double face_normal[18] = {-1, 0, 0, 1, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, -1, 0, 0, 1};
/* from, to as in the loop of the left face; left, right */
static const int edge[48] = {0, 4, 0, 2, 4, 6, 0, 5, 6, 2, 0, 3, 2, 0, 0, 4, 1, 3, 1, 4, 3, 7, 1, 3,
                             7, 5, 1, 5, 5, 1, 1, 2, 0, 1, 2, 4, 5, 4, 2, 5, 6, 7, 3, 5, 3, 2, 3, 4};
static const int around_start[9] = {0, 3, 6, 9, 12, 15, 18, 21, 24};
static const int around[24] = {1, 2, 4, 0, 3, 5, 0, 3, 6, 1, 2, 7, 0, 5, 6, 1, 4, 7, 2, 4, 7, 3, 5, 6};
static const int around_edge[24] = {8, 3, 0, 8, 4, 7, 3, 11, 2, 4, 11, 5, 0, 9, 1, 7, 9, 6, 2, 1, 10, 5, 6, 10};

static void core(const crn_shape *shape, crn_solid *solid)
{
    crn_vec3 half = shape->def.size;
    for (int k = 0; k < 8; ++k) {
        crn_v3_to(crn_v3(k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z),
                  solid->corner + 3 * (ptrdiff_t)k);
    }
    solid->kind = CRN_CORE_POLYHEDRON;
    solid->vertices = 8;
    solid->faces = 6;
    solid->edges = 12;
    solid->vertex = solid->corner;
    solid->face_normal = face_normal;
    solid->face_start = face_start;
    solid->face_vertex = face_vertex;
    solid->edge = edge;
    solid->around_start = around_start;
    solid->around = around;
    solid->around_edge = around_edge;
    solid->guide = NULL;
}

/* --- Touches --- */

/* Corner number: bit k is set on the positive side of axis k. */
static void on_plane(const crn_query *query, crn_touches *out)
{
    crn_ground g = crn_ground_of(query);
    const crn_vec3 h = query->a->def.size;
    const crn_mat3 *r = &query->frame_a->rotation;
    crn_vec3 x = crn_v3_scale(h.x, crn_m3_column(r, 0)), y = crn_v3_scale(h.y, crn_m3_column(r, 1));
    crn_vec3 z = crn_v3_scale(h.z, crn_m3_column(r, 2));
    double level = crn_ground_height(&g, query->frame_a->position);
    double gx = crn_v3_dot(g.normal, x), gy = crn_v3_dot(g.normal, y), gz = crn_v3_dot(g.normal, z);
    for (uint32_t k = 0; k < 8; ++k) {
        double sx = k & 1 ? 1.0 : -1.0, sy = k & 2 ? 1.0 : -1.0, sz = k & 4 ? 1.0 : -1.0;
        double gap = level + sx * gx + sy * gy + sz * gz;
        if (gap <= g.reach) {
            crn_vec3 p = crn_v3_axpy(crn_v3_axpy(crn_v3_axpy(query->frame_a->position, sx, x), sy, y), sz, z);
            crn_touches_add(out, crn_v3_axpy(p, -0.5 * gap, g.normal), g.normal, gap, k);
        }
    }
}

static bool on_mesh(const crn_query *query, crn_collide_scratch *scratch, crn_touches *out)
{
    crn_box_mesh box;
    crn_box_mesh_of(&box, query->a->def.size);
    return crn_mesh_mesh(query, &box.mesh, scratch, out);
}

static int normals(const crn_shape *shape, const crn_frame *frame, crn_vec3 p, crn_vec3 d, crn_vec3 *normal)
{
    (void)shape;
    (void)frame;
    (void)d;
    normal[0] = crn_v3(crn_seam_sign(p.x), 0, 0);
    normal[1] = crn_v3(0, crn_seam_sign(p.y), 0);
    normal[2] = crn_v3(0, 0, crn_seam_sign(p.z));
    return 3;
}

static const crn_seam_type seam = {.normals = normals};

const crn_shape_type crn_shape_box = {.traits = {.name = "box", .size = {{"half", 0, 3, false, false}}},
                                      .radius = radius,
                                      .mass = mass,
                                      .bounds = bounds,
                                      .cast = cast,
                                      .core = core,
                                      .seam = &seam,
                                      .on_plane = on_plane,
                                      .on_mesh = on_mesh};
