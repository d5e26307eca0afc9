/* A cylinder along z: a drum with equal caps. */
#include "collide/convex/bounds.h"
#include "collide/convex/drum.h"
#include "collide/mass.h"
#include "collide/mesh/mesh_shapes.h"
#include "collide/ray.h"
#include "collide/convex/seam.h"
#include "collide/shape_types.h"

static crn_mass_properties mass(const crn_shape *shape)
{
    return crn_mass_of_cylinder(shape->def.size.x, shape->def.size.y);
}

static void cast(const crn_shape *shape, crn_cut *cut)
{
    double r = shape->def.size.x;
    crn_cut_slab(cut, crn_v3(0, 0, 1), shape->def.size.y);
    crn_cut_quadric(cut, crn_v3(1, 1, 0), r * r, crn_v3(0, 0, 0));
}

static void core(const crn_shape *shape, crn_solid *solid)
{
    solid->kind = CRN_CORE_DRUM;
    solid->size.z = shape->def.size.x;
}

static void on_plane(const crn_query *query, crn_touches *out)
{
    crn_ground g = crn_ground_of(query);
    double half = query->a->def.size.y;
    crn_drum_meet_cap(&g, query, -1.0, -half, 0, out);
    crn_drum_meet_cap(&g, query, 1.0, half, CRN_RIM_CORNERS + 1, out);
}

const crn_shape_type crn_shape_cylinder = {
    .traits = {.name = "cylinder", .size = {{"radius", 0, 1, false, false}, {"half_length", 1, 1, false, false}}},
    .radius = crn_drum_reach,
    .mass = mass,
    .bounds = crn_bounds_of_core,
    .cast = cast,
    .core = core,
    .seam = &crn_seam_drum,
    .on_plane = on_plane,
    .on_mesh = crn_round_mesh};
