/* A disk: a point grown by a radius. */
#include "collide/mass.h"
#include "collide/planar/planar.h"
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
    return crn_mass_planar(CRN_MASS_PI * r * r, CRN_MASS_PI * r * r * r * r / 2.0);
}

static void cast(const crn_shape *shape, crn_cut *cut)
{
    double r = shape->def.size.x;
    crn_cut_quadric(cut, crn_v3(1, 1, 0), r * r, crn_v3(0, 0, 0));
}

static double support(const crn_shape *shape, crn_vec3 d)
{
    (void)d;
    return shape->def.size.x;
}

static bool round_point(const crn_shape *shape, crn_vec3 d, crn_vec3 p, crn_vec3 *point)
{
    (void)p;
    *point = crn_v3_scale(shape->def.size.x, d);
    return true;
}

static const crn_seam_type seam = {
    .is_smooth = crn_seam_always, .is_round = crn_seam_is_ball, .round_point = round_point, .support = support};

const crn_shape_type crn_shape_disk = {
    .traits = {.name = "disk", .size = {{"radius", 0, 1, false, false}}, .is_planar = true},
    .radius = radius,
    .mass = mass,
    .bounds = crn_bounds_of_outline,
    .cast = cast,
    .seam = &seam};
