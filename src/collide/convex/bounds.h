/* Axis-aligned bounds: along each world axis the support of the shape both ways. */
#ifndef CRN_COLLIDE_BOUNDS_H
#define CRN_COLLIDE_BOUNDS_H

#include "collide/convex/solid.h"

static inline crn_bounds crn_bounds_around(crn_vec3 centre, double x, double y, double z)
{
    return (crn_bounds){{centre.x - x, centre.y - y, centre.z - z}, {centre.x + x, centre.y + y, centre.z + z}};
}

/* A box of half sides h turned by R reaches  sum_k |R_ik| h_k  along axis i. */
crn_bounds crn_bounds_of_box(const crn_frame *frame, crn_vec3 half);

/* Of a convex solid, by the support of its core. */
crn_bounds crn_bounds_of_core(const crn_shape *shape, const crn_frame *frame);

/* Larger on every side. */
crn_bounds crn_bounds_grown(crn_bounds bounds, double grow);

/* The largest distance of a point from the origin; dimension numbers each. */
double crn_farthest_point(const double *points, int count, int dimension);

#endif
