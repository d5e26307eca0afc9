/* An egg: two halves of spheroids about z that share their equator, of radius r; they reach c_1 down and c_2 up.
 *
 * Along d it is the half on the side of d that reaches farthest, so with E = diag(r, r, c), c = c_1 for d_z < 0 and c_2 else,
 *
 *   h(d) = |E d|,   farthest point  E^2 d / |E d|,   u'H v = (u'E^2 v - (u'E^2 d)(v'E^2 d) / |E d|^2) / |E d|.
 *
 * At d_z = 0 both halves have the same farthest point: the surface is smooth, though its curvature jumps there. */
#include "collide/convex/bounds.h"
#include "collide/mass.h"
#include "collide/mesh/mesh_shapes.h"
#include "collide/ray.h"
#include "collide/convex/seam.h"
#include "collide/shape_types.h"

/* Half axes of the half on the side of z; size: r, c_1, c_2. */
static crn_vec3 axes(crn_vec3 size, double z)
{
    return crn_v3(size.x, size.x, z < 0.0 ? size.y : size.z);
}

static crn_vec3 times(crn_vec3 e, crn_vec3 d)
{
    return crn_v3(e.x * d.x, e.y * d.y, e.z * d.z);
}

static double radius(const crn_shape_def *def)
{
    return fmax(def->size.x, fmax(def->size.y, def->size.z));
}

/* A half of a spheroid has the mass 2/3 pi r^2 c, its centre 3/8 c from the equator, and the moments of the whole one about
 * the middle, m (r^2 + c^2) / 5 and m 2 r^2 / 5. */
static crn_mass_properties mass(const crn_shape *shape)
{
    double r = shape->def.size.x, c1 = shape->def.size.y, c2 = shape->def.size.z;
    double down = 2.0 / 3.0 * CRN_MASS_PI * r * r * c1, up = 2.0 / 3.0 * CRN_MASS_PI * r * r * c2, all = down + up;
    double centre = 0.375 * (c2 - c1);
    double across = (down * (r * r + c1 * c1) + up * (r * r + c2 * c2)) / 5.0 - all * centre * centre;
    crn_mass_properties made = crn_mass_diagonal(all, across, across, 0.4 * all * r * r);
    made.com.z = centre;
    return made;
}

/* The union of both halves, each a quadric cut off at the equator. */
static void cast(const crn_shape *shape, crn_cut *cut)
{
    crn_cut best = *cut;
    crn_cut_nothing(&best);
    for (int side = -1; side < 2; side += 2) {
        crn_cut half = *cut;
        crn_vec3 e = axes(shape->def.size, side);
        crn_cut_half_space(&half, crn_v3(0, 0, -side), 0.0);
        crn_cut_quadric(&half, crn_v3(1 / (e.x * e.x), 1 / (e.y * e.y), 1 / (e.z * e.z)), 1.0, crn_v3(0, 0, 0));
        crn_cut_first(&best, &half);
    }
    *cut = best;
}

/* --- As a smooth core --- */

static crn_vec3 support(crn_vec3 size, crn_vec3 d)
{
    crn_vec3 e = axes(size, d.z), ed = times(e, d);
    return crn_v3_scale(1.0 / crn_v3_length(ed), times(e, ed));
}

static double curvature(crn_vec3 size, crn_vec3 d, crn_vec3 u, crn_vec3 v)
{
    crn_vec3 e = axes(size, d.z), x = times(e, d), y = times(e, u), z = times(e, v);
    double square = crn_v3_dot(x, x);
    return (crn_v3_dot(y, z) - crn_v3_dot(x, y) * crn_v3_dot(x, z) / square) / sqrt(square);
}

/* Of a spheroid: the shorter half axis squared over the longer. */
static double least_radius(crn_vec3 size)
{
    double least = (double)INFINITY;
    for (int side = -1; side < 2; side += 2) {
        crn_vec3 e = axes(size, side);
        double shorter = fmin(e.x, e.z), longer = fmax(e.x, e.z);
        least = fmin(least, shorter * shorter / longer);
    }
    return least;
}

static double outside(crn_vec3 size, crn_vec3 p)
{
    crn_vec3 e = axes(size, p.z), q = crn_v3(p.x / e.x, p.y / e.y, p.z / e.z);
    double square = crn_v3_dot(q, q);
    return (square - 1.0) / (sqrt(square) + 1.0) * fmin(e.x, e.z);
}

static const crn_smooth smooth = {support, curvature, least_radius, outside};

const crn_shape_type crn_shape_egg = {
    .traits = {.name = "egg", .size = {{"radius", 0, 1, false, false}, {"half", 1, 2, false, false}}},
    .radius = radius,
    .mass = mass,
    .bounds = crn_bounds_of_core,
    .cast = cast,
    .core = crn_smooth_core,
    .smooth = &smooth,
    .seam = &crn_seam_smooth,
    .on_plane = crn_smooth_on_plane,
    .on_mesh = crn_round_mesh};
