/* The half-plane y <= 0. */
#include "collide/planar/planar.h"
#include "collide/ray.h"
#include "collide/shape_types.h"

/* Infinite, but for the side to which a half-plane along the axes is open; compared exactly: the frames that people give
 * are exact there, and a half-plane that is a hair off is infinite. */
static crn_bounds bounds(const crn_shape *shape, const crn_frame *frame)
{
    crn_pose2 pose = crn_pose2_of(frame);
    crn_bounds bounds = crn_bounds_flat(-INFINITY, INFINITY, -INFINITY, INFINITY);
    crn_vec2 normal = crn_v2_left(pose.axis);
    (void)shape;
    if (normal.x == 0.0) {
        *(normal.y > 0.0 ? &bounds.high[1] : &bounds.low[1]) = pose.origin.y;
    } else if (normal.y == 0.0) {
        *(normal.x > 0.0 ? &bounds.high[0] : &bounds.low[0]) = pose.origin.x;
    }
    return bounds;
}

static void cast(const crn_shape *shape, crn_cut *cut)
{
    (void)shape;
    crn_cut_half_space(cut, crn_v3(0, 1, 0), 0.0);
}

const crn_shape_type crn_shape_half_plane = {
    .traits = {.name = "half_plane", .is_planar = true, .is_endless = true}, .bounds = bounds, .cast = cast};
