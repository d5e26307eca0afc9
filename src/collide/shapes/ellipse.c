/* An ellipse of half axes a, b: planar, but it is measured as the ellipsoid is, h(d) = |(a d_x, b d_y)|. */
#include "collide/mass.h"
#include "collide/planar/planar.h"
#include "collide/ray.h"
#include "collide/convex/seam.h"
#include "collide/shape_types.h"

static double radius(const crn_shape_def *def)
{
    return def->size.x > def->size.y ? def->size.x : def->size.y;
}

static crn_mass_properties mass(const crn_shape *shape)
{
    crn_vec3 s = shape->def.size;
    return crn_mass_planar(CRN_MASS_PI * s.x * s.y, CRN_MASS_PI * s.x * s.y * (s.x * s.x + s.y * s.y) / 4.0);
}

static crn_bounds bounds(const crn_shape *shape, const crn_frame *frame)
{
    crn_pose2 pose = crn_pose2_of(frame);
    double a = shape->def.size.x, b = shape->def.size.y, c = pose.axis.x, s = pose.axis.y;
    double x = crn_v2_length(crn_v2(a * c, b * s)), y = crn_v2_length(crn_v2(a * s, b * c));
    return crn_bounds_flat(pose.origin.x - x, pose.origin.x + x, pose.origin.y - y, pose.origin.y + y);
}

static void cast(const crn_shape *shape, crn_cut *cut)
{
    crn_vec3 s = shape->def.size;
    crn_cut_quadric(cut, crn_v3(1 / (s.x * s.x), 1 / (s.y * s.y), 0), 1.0, crn_v3(0, 0, 0));
}

static double support(const crn_shape *shape, crn_vec3 d)
{
    crn_vec3 s = shape->def.size;
    return sqrt(s.x * s.x * d.x * d.x + s.y * s.y * d.y * d.y);
}

static bool round_point(const crn_shape *shape, crn_vec3 d, crn_vec3 p, crn_vec3 *point)
{
    crn_vec3 s = shape->def.size, stretched = crn_v3(s.x * d.x, s.y * d.y, 0.0);
    double scale = 1.0 / crn_v3_length(stretched);
    (void)p;
    *point = crn_v3(scale * s.x * stretched.x, scale * s.y * stretched.y, 0.0);
    return true;
}

static const crn_seam_type seam = {
    .is_smooth = crn_seam_always, .is_round = crn_seam_is_ball, .round_point = round_point, .support = support};

const crn_shape_type crn_shape_ellipse = {
    .traits = {.name = "ellipse", .size = {{"half", 0, 2, false, false}}, .is_planar = true},
    .radius = radius,
    .mass = mass,
    .bounds = bounds,
    .cast = cast,
    .seam = &seam};
