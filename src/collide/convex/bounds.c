/* Bounds that several types of shapes share: see bounds.h. */
#include "collide/convex/bounds.h"

#include <math.h>

crn_bounds crn_bounds_of_box(const crn_frame *f, crn_vec3 h)
{
    const double *r = f->rotation.m;
    return crn_bounds_around(f->position, fabs(r[0]) * h.x + fabs(r[3]) * h.y + fabs(r[6]) * h.z,
                             fabs(r[1]) * h.x + fabs(r[4]) * h.y + fabs(r[7]) * h.z,
                             fabs(r[2]) * h.x + fabs(r[5]) * h.y + fabs(r[8]) * h.z);
}

crn_bounds crn_bounds_of_core(const crn_shape *shape, const crn_frame *frame)
{
    crn_solid solid;
    crn_bounds bounds = {{0, 0, 0}, {0, 0, 0}};
    (void)crn_solid_of(&solid, shape, frame, crn_v3(0, 0, 0));
    int vertex = 0;
    for (int k = 0; k < 3; ++k) {
        double p[3];
        crn_vec3 axis = crn_v3(k == 0, k == 1, k == 2);
        crn_v3_to(crn_solid_support(&solid, axis, &vertex), p);
        bounds.high[k] = p[k] + solid.radius;
        crn_v3_to(crn_solid_support(&solid, crn_v3_scale(-1.0, axis), &vertex), p);
        bounds.low[k] = p[k] - solid.radius;
    }
    return bounds;
}

double crn_farthest_point(const double *points, int count, int dimension)
{
    double square = 0.0;
    for (int k = 0; k < count; ++k) {
        const double *p = points + (size_t)dimension * (size_t)k;
        double own = p[0] * p[0] + p[1] * p[1] + (dimension == 3 ? p[2] * p[2] : 0.0);
        square = own > square ? own : square;
    }
    return sqrt(square);
}

crn_bounds crn_bounds_grown(crn_bounds bounds, double grow)
{
    for (int k = 0; k < 3; ++k) {
        bounds.low[k] -= grow;
        bounds.high[k] += grow;
    }
    return bounds;
}

crn_bounds crn_shape_bounds(const crn_shape *shape, const crn_frame *frame, double grow)
{
    return crn_bounds_grown(shape->type->bounds(shape, frame), grow);
}
