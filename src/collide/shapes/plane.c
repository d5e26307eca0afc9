/* The half-space z <= 0. */
#include "collide/convex/bounds.h"
#include "collide/ray.h"
#include "collide/shape_types.h"

#include <float.h>

/* A normal counts as a world axis if its other components are no more than the rounding of a turned frame: the half-space
 * is then cut off at its surface, too low by at most LEVEL times the distance, 1e-9 m at a distance of 1000 km. */
#define LEVEL (4.0 * DBL_EPSILON)

static crn_bounds bounds(const crn_shape *shape, const crn_frame *frame)
{
    const double *n = frame->rotation.m + 6;
    const double at[3] = {frame->position.x, frame->position.y, frame->position.z};
    const double inf = (double)INFINITY;
    crn_bounds bounds = {{-inf, -inf, -inf}, {inf, inf, inf}};
    (void)shape;
    for (int k = 0; k < 3; ++k) {
        if (fabs(n[(k + 1) % 3]) <= LEVEL && fabs(n[(k + 2) % 3]) <= LEVEL) {
            double *side = n[k] > 0.0 ? bounds.high : bounds.low;
            side[k] = at[k];
        }
    }
    return bounds;
}

static void cast(const crn_shape *shape, crn_cut *cut)
{
    (void)shape;
    crn_cut_half_space(cut, crn_v3(0, 0, 1), 0.0);
}

const crn_shape_type crn_shape_plane = {
    .traits = {.name = "plane", .is_endless = true}, .bounds = bounds, .cast = cast};
