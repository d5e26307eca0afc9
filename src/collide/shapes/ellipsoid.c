/* An ellipsoid of half axes e. With E = diag(e) its support function is h(d) = |E d|, so the farthest point along d is
 * E^2 d / |E d| and the matrix of the radii of curvature is  H = (E^2 - p p') / |E d|  with p = E^2 d / |E d|. */
#include "collide/convex/bounds.h"
#include "collide/mass.h"
#include "collide/mesh/mesh_shapes.h"
#include "collide/plane.h"
#include "collide/ray.h"
#include "collide/convex/seam.h"
#include "collide/shape_types.h"

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

static double radius(const crn_shape_def *def)
{
    return larger(def->size.x, larger(def->size.y, def->size.z));
}

static crn_mass_properties mass(const crn_shape *shape)
{
    crn_vec3 e = shape->def.size;
    return crn_mass_of_half_sides(4.0 / 3.0 * CRN_MASS_PI * e.x * e.y * e.z, e, 5.0);
}

static void cast(const crn_shape *shape, crn_cut *cut)
{
    crn_vec3 e = shape->def.size;
    crn_cut_quadric(cut, crn_v3(1 / (e.x * e.x), 1 / (e.y * e.y), 1 / (e.z * e.z)), 1.0, crn_v3(0, 0, 0));
}

/* --- As a smooth core --- */

static crn_vec3 stretched(crn_vec3 e, crn_vec3 d)
{
    return crn_v3(e.x * d.x, e.y * d.y, e.z * d.z);
}

static crn_vec3 support(crn_vec3 e, crn_vec3 d)
{
    crn_vec3 ed = stretched(e, d);
    double scale = 1.0 / crn_v3_length(ed);
    return crn_v3(scale * e.x * ed.x, scale * e.y * ed.y, scale * e.z * ed.z);
}

static double curvature(crn_vec3 e, crn_vec3 d, crn_vec3 u, crn_vec3 v)
{
    crn_vec3 x = stretched(e, d), y = stretched(e, u), z = stretched(e, v);
    double square = crn_v3_dot(x, x);
    return (crn_v3_dot(y, z) - crn_v3_dot(x, y) * crn_v3_dot(x, z) / square) / sqrt(square);
}

/* Shortest half axis squared over longest. */
static double least_radius(crn_vec3 e)
{
    double low = smaller(e.x, smaller(e.y, e.z)), high = larger(e.x, larger(e.y, e.z));
    return low * low / high;
}

/* (|q| - 1) times the shortest half axis, q = p over the half axes; without cancellation. */
static double outside(crn_vec3 e, crn_vec3 p)
{
    crn_vec3 q = crn_v3(p.x / e.x, p.y / e.y, p.z / e.z);
    double square = crn_v3_dot(q, q);
    return (square - 1.0) / (sqrt(square) + 1.0) * smaller(e.x, smaller(e.y, e.z));
}

static const crn_smooth smooth = {support, curvature, least_radius, outside};

/* The point of an ellipsoid with half axes e whose outward normal is -n is  -S n / sqrt(n'S n),  S = R diag(e^2) R'. */
static void on_plane(const crn_query *query, crn_touches *out)
{
    crn_ground g = crn_ground_of(query);
    crn_vec3 e = query->a->def.size, n = crn_m3_transposed_times(&query->frame_a->rotation, g.normal);
    crn_vec3 en = stretched(e, n);
    crn_vec3 low = crn_v3_scale(-1.0 / crn_v3_length(en), stretched(e, en));
    crn_ground_meet(&g, crn_frame_point(query->frame_a, low), 0.0, 0, out);
}

const crn_shape_type crn_shape_ellipsoid = {.traits = {.name = "ellipsoid", .size = {{"half", 0, 3, false, false}}},
                                            .radius = radius,
                                            .mass = mass,
                                            .bounds = crn_bounds_of_core,
                                            .cast = cast,
                                            .core = crn_smooth_core,
                                            .smooth = &smooth,
                                            .seam = &crn_seam_smooth,
                                            .on_plane = on_plane,
                                            .on_mesh = crn_round_mesh};
