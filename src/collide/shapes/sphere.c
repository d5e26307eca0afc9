/* A ball: its core is a point. */
#include "collide/convex/bounds.h"
#include "collide/mass.h"
#include "collide/mesh/mesh_shapes.h"
#include "collide/plane.h"
#include "collide/ray.h"
#include "collide/convex/seam.h"
#include "collide/shape_types.h"

static double radius(const crn_shape_def *def)
{
    return def->size.x;
}

static crn_mass_properties mass(const crn_shape *shape)
{
    double r = shape->def.size.x;
    return crn_mass_of_half_sides(4.0 / 3.0 * CRN_MASS_PI * r * r * r, crn_v3(r, r, r), 5.0);
}

static crn_bounds bounds(const crn_shape *shape, const crn_frame *frame)
{
    double r = shape->def.size.x;
    return crn_bounds_around(frame->position, r, r, r);
}

static void cast(const crn_shape *shape, crn_cut *cut)
{
    double r = shape->def.size.x;
    crn_cut_quadric(cut, crn_v3(1, 1, 1), r * r, crn_v3(0, 0, 0));
}

static void core(const crn_shape *shape, crn_solid *solid)
{
    solid->kind = CRN_CORE_POINT;
    solid->radius = shape->def.size.x;
    solid->extent = 0.0;
}

static void on_plane(const crn_query *query, crn_touches *out)
{
    crn_ground g = crn_ground_of(query);
    crn_ground_meet(&g, query->frame_a->position, query->a->def.size.x, 0, out);
}

static bool round_point(const crn_shape *shape, crn_vec3 d, crn_vec3 p, crn_vec3 *point)
{
    (void)p;
    *point = crn_v3_scale(shape->def.size.x, d);
    return true;
}

static const crn_seam_type seam = {
    .is_smooth = crn_seam_always, .is_round = crn_seam_is_ball, .round_point = round_point};

const crn_shape_type crn_shape_sphere = {.traits = {.name = "sphere", .size = {{"radius", 0, 1, false, false}}},
                                         .radius = radius,
                                         .mass = mass,
                                         .bounds = bounds,
                                         .cast = cast,
                                         .core = core,
                                         .seam = &seam,
                                         .on_plane = on_plane,
                                         .on_mesh = crn_core_mesh};
