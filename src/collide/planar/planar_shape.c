/* Planar shapes as outlines. */
#include "collide/planar/planar.h"

crn_outline crn_outline_of(const crn_shape *shape, const crn_pose2 *pose, double ends[4])
{
    ends[0] = ends[1] = ends[2] = ends[3] = 0.0;
    switch (shape->def.kind) {
    case CRN_SHAPE_POLYGON: return (crn_outline){shape->def.points, shape->def.count, 0.0, *pose};
    case CRN_SHAPE_SEGMENT:
        ends[0] = -shape->def.size.x;
        ends[2] = shape->def.size.x;
        return (crn_outline){ends, 2, shape->def.size.y, *pose};
    default: return (crn_outline){ends, 1, shape->def.size.x, *pose};
    }
}

crn_bounds crn_bounds_of_outline(const crn_shape *shape, const crn_frame *frame)
{
    double ends[4];
    crn_pose2 pose = crn_pose2_of(frame);
    crn_outline outline = crn_outline_of(shape, &pose, ends);
    crn_vec2 low = crn_pose2_point(&pose, crn_v2_at(outline.point, 0)), high = low;
    for (int i = 1; i < outline.count; ++i) {
        crn_vec2 p = crn_pose2_point(&pose, crn_v2_at(outline.point, i));
        low.x = p.x < low.x ? p.x : low.x;
        low.y = p.y < low.y ? p.y : low.y;
        high.x = p.x > high.x ? p.x : high.x;
        high.y = p.y > high.y ? p.y : high.y;
    }
    double r = outline.radius;
    return crn_bounds_flat(low.x - r, high.x + r, low.y - r, high.y + r);
}
