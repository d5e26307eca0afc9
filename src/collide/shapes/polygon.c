/* A convex polygon: the hull of points (polygon.h finds it). */
#include "collide/convex/bounds.h"
#include "collide/planar/planar.h"
#include "collide/ray.h"
#include "collide/convex/seam.h"
#include "collide/shape_types.h"

static crn_status prepare(crn_shape *shape, double *numbers, crn_error *error)
{
    shape->def.count = crn_polygon_hull(numbers, shape->def.count);
    return shape->def.count >= 3 ? CRN_OK : crn_fail(error, CRN_ERR_ARGUMENT, "points: they lie on one line");
}

static double radius(const crn_shape_def *def)
{
    return crn_farthest_point(def->points, def->count, 2);
}

static crn_mass_properties mass(const crn_shape *shape)
{
    return crn_polygon_mass(shape->def.points, shape->def.count);
}

static void cast(const crn_shape *shape, crn_cut *cut)
{
    const crn_shape_def *d = &shape->def;
    for (int k = 0; k < d->count; ++k) {
        const double *p = d->points + 2 * (ptrdiff_t)k, *q = d->points + 2 * (ptrdiff_t)((k + 1) % d->count);
        crn_vec3 n = crn_v3_unit(crn_v3(q[1] - p[1], p[0] - q[0], 0.0));
        crn_cut_half_space(cut, n, n.x * p[0] + n.y * p[1]);
    }
}

static crn_vec3 corner(const crn_shape *shape, int k)
{
    return crn_v3(shape->def.points[2 * (ptrdiff_t)k], shape->def.points[2 * (ptrdiff_t)k + 1], 0.0);
}

static int farthest(const crn_shape *shape, crn_vec3 local)
{
    int best = 0;
    for (int k = 1; k < shape->def.count; ++k) {
        if (crn_v3_dot(local, crn_v3_sub(corner(shape, k), corner(shape, best))) > 0.0) {
            best = k;
        }
    }
    return best;
}

static double support(const crn_shape *shape, crn_vec3 d)
{
    return crn_v3_dot(d, corner(shape, farthest(shape, d)));
}

static int normals(const crn_shape *shape, const crn_frame *frame, crn_vec3 p, crn_vec3 d, crn_vec3 *normal)
{
    crn_vec3 towards = crn_v3_axpy(d, CRN_SEAM_BY_PLACE / shape->radius, crn_v3_sub(p, shape->mass.com));
    int count = shape->def.count, k = farthest(shape, towards);
    (void)frame;
    for (int side = 0; side < 2; ++side) {
        int from = side == 0 ? k : (k + count - 1) % count;
        crn_vec3 e = crn_v3_sub(corner(shape, (from + 1) % count), corner(shape, from));
        normal[side] = crn_v3_unit(crn_v3(e.y, -e.x, 0.0));
    }
    return 2;
}

static const crn_seam_type seam = {.normals = normals, .support = support};

const crn_shape_type crn_shape_polygon = {.traits = {.name = "polygon",
                                                     .size = {{"points", 0, 0, false, false}},
                                                     .dimension = 2,
                                                     .least_points = 3,
                                                     .is_planar = true},
                                          .prepare = prepare,
                                          .radius = radius,
                                          .mass = mass,
                                          .bounds = crn_bounds_of_outline,
                                          .cast = cast,
                                          .seam = &seam};
