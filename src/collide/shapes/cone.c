/* A cone: a drum whose upper cap is a point, its apex. */
#include "collide/convex/bounds.h"
#include "collide/convex/drum.h"
#include "collide/mass.h"
#include "collide/mesh/mesh_shapes.h"
#include "collide/ray.h"
#include "collide/convex/seam.h"
#include "collide/shape_types.h"

/* Of height 2 l; its centre is a quarter of that above the base. */
static crn_mass_properties mass(const crn_shape *shape)
{
    double r = shape->def.size.x, l = shape->def.size.y;
    double all = 2.0 / 3.0 * CRN_MASS_PI * r * r * l, across = 0.15 * all * (r * r + l * l);
    crn_mass_properties made = crn_mass_diagonal(all, across, across, 0.3 * all * r * r);
    made.com.z = -0.5 * l;
    return made;
}

static void cast(const crn_shape *shape, crn_cut *cut)
{
    crn_vec3 s = shape->def.size;
    double slope = 0.5 * s.x / s.y;
    crn_cut_slab(cut, crn_v3(0, 0, 1), s.y);
    crn_cut_quadric(cut, crn_v3(1, 1, -slope * slope), 0.0, crn_v3(0, 0, s.y));
}

static void core(const crn_shape *shape, crn_solid *solid)
{
    (void)shape;
    solid->kind = CRN_CORE_DRUM; /* size.z, the radius of its upper cap, is 0 */
}

/* The apex has the key that the lowest point of an upper rim would have. */
static void on_plane(const crn_query *query, crn_touches *out)
{
    crn_ground g = crn_ground_of(query);
    double half = query->a->def.size.y;
    crn_vec3 apex = crn_v3_axpy(query->frame_a->position, half, crn_m3_column(&query->frame_a->rotation, 2));
    crn_drum_meet_cap(&g, query, -1.0, -half, 0, out);
    crn_ground_meet(&g, apex, 0.0, 2 * CRN_RIM_CORNERS + 1, out);
}

const crn_shape_type crn_shape_cone = {
    .traits = {.name = "cone", .size = {{"radius", 0, 1, false, false}, {"half_length", 1, 1, false, false}}},
    .radius = crn_drum_reach,
    .mass = mass,
    .bounds = crn_bounds_of_core,
    .cast = cast,
    .core = core,
    .seam = &crn_seam_drum,
    .on_plane = on_plane,
    .on_mesh = crn_round_mesh};
