/* A triangle mesh; a closed one is a solid. */
#include "collide/convex/bounds.h"
#include "collide/mesh/mesh_parts.h"
#include "collide/mesh/mesh_shapes.h"
#include "collide/ray.h"
#include "collide/shape_types.h"

static crn_status prepare(crn_shape *shape, double *numbers, crn_error *error)
{
    (void)numbers;
    return crn_mesh_build(&shape->def, &shape->allocator, &shape->mesh, error);
}

static double radius(const crn_shape_def *def)
{
    return crn_farthest_point(def->points, def->count, 3);
}

static crn_mass_properties mass(const crn_shape *shape)
{
    return crn_mesh_mass(shape->mesh);
}

/* Of the box around the mesh, or a hull's, in its own frame: wider than the mesh where it is turned, but found at once. */
static crn_bounds bounds(const crn_shape *shape, const crn_frame *f)
{
    const crn_mesh *mesh = shape->mesh;
    crn_vec3 low = crn_v3_of(mesh->node[0].low), high = crn_v3_of(mesh->node[0].high);
    crn_frame centred = {f->rotation, crn_frame_point(f, crn_v3_scale(0.5, crn_v3_add(low, high)))};
    return crn_bounds_of_box(&centred, crn_v3_scale(0.5, crn_v3_sub(high, low)));
}

enum { VERTICES_FEW = 24 }; /* of a hull: the farthest of so many along an axis is found soon enough */

crn_bounds crn_shape_broad_bounds(const crn_shape *shape, const crn_frame *frame, double grow)
{
    bool is_large = shape->polyhedron != NULL && shape->mesh != NULL && shape->polyhedron->vertices > VERTICES_FEW;
    return is_large ? crn_bounds_grown(bounds(shape, frame), grow) : crn_shape_bounds(shape, frame, grow);
}

/* --- Rays: triangle by triangle of the boxes that are met --- */

static bool meets_box(const crn_cut *c, const crn_mesh_node *node)
{
    double from[3], along[3], in = 0.0, out = c->leave;
    crn_v3_to(c->from, from);
    crn_v3_to(c->along, along);
    for (int k = 0; k < 3; ++k) {
        if (along[k] == 0.0) {
            if (from[k] < node->low[k] || from[k] > node->high[k]) {
                return false;
            }
            continue;
        }
        double low = (node->low[k] - from[k]) / along[k], high = (node->high[k] - from[k]) / along[k];
        double first = low < high ? low : high, last = low < high ? high : low;
        in = first > in ? first : in;
        out = last < out ? last : out;
    }
    return in <= out * (1.0 + 1e-12);
}

static void cast(const crn_shape *shape, crn_cut *cut)
{
    const crn_mesh *m = shape->mesh;
    if (m->is_closed && crn_mesh_distance(m, cut->from, NULL) < 0.0) {
        return;
    }
    crn_cut end = *cut;
    int waiting[64], count = 0;
    waiting[count++] = 0;
    while (count > 0) {
        const crn_mesh_node *node = &m->node[waiting[--count]];
        if (!meets_box(cut, node)) {
            continue;
        }
        for (int i = 0; i < node->count; ++i) {
            const int *v = m->face + 3 * (ptrdiff_t)m->tree_face[node->first + i];
            crn_cut_triangle(cut, m->vertex[v[0]], m->vertex[v[1]], m->vertex[v[2]]);
        }
        if (node->count == 0) {
            waiting[count++] = node->first;
            waiting[count++] = node->first + 1;
        }
    }
    crn_cut_need_triangle(cut, &end);
}

static bool on_mesh(const crn_query *query, crn_collide_scratch *scratch, crn_touches *out)
{
    return crn_mesh_mesh(query, query->a->mesh, scratch, out);
}

const crn_shape_type crn_shape_mesh = {
    .traits = {.name = "mesh",
               .size = {{"points", 0, 0, true, false}, {"triangles", 0, 0, true, false}},
               .dimension = 3,
               .least_points = 3,
               .has_triangles = true},
    .check = crn_mesh_check,
    .prepare = prepare,
    .radius = radius,
    .mass = mass,
    .bounds = bounds,
    .cast = cast,
    .on_plane = crn_mesh_plane,
    .on_mesh = on_mesh};
