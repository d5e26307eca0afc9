/* Planar shapes as outlines. */
#include "collide/planar.h"

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
