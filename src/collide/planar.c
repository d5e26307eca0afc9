/* Pairs of planar shapes: which file answers for which pair; bounds of planar shapes.
 *
 * The signed gap of convex shapes is the largest separation over all directions
 *     gap = max over |n| = 1 of s(n),   s(n) = -h_A(-n) - h_B(n),   h(n) = max over x of the shape of n'x,
 * whether they overlap or not; n is the normal out of b into a. Shapes with a flat side get one touch per vertex that is
 * near the other's side, all of them measured along that side's normal. Frames turn about z; only their part in the plane
 * is read. */
#include "collide/planar.h"

/* --- Disks: thousands of them per step ---------------------------------------------------------------------------- */

static void disk_disk(const crn_query *query, crn_touches *out)
{
    double radius_b = query->b->def.size.x, sum = query->a->def.size.x + radius_b;
    double x = query->frame_a->position.x - query->frame_b->position.x;
    double y = query->frame_a->position.y - query->frame_b->position.y;
    double square = x * x + y * y, far = sum + query->reach;
    if (square > far * far) {
        return;
    }
    /* Equal centres: every direction is right; up is the choice. */
    double distance = sqrt(square);
    crn_vec3 normal = distance > 0.0 ? crn_v3(x / distance, y / distance, 0.0) : crn_v3(0.0, 1.0, 0.0);
    double gap = distance - sum;
    if (gap <= query->reach) {
        double s = radius_b + 0.5 * gap;
        crn_vec3 point = {query->frame_b->position.x + s * normal.x, query->frame_b->position.y + s * normal.y, 0.0};
        crn_touches_add(out, point, normal, gap, 0);
    }
}

/* --- Dispatch ----------------------------------------------------------------------------------------------------- */

static crn_planar_pair swapped(const crn_planar_pair *pair)
{
    crn_planar_pair other = *pair;
    other.a = pair->b;
    other.b = pair->a;
    other.pose_a = pair->pose_b;
    other.pose_b = pair->pose_a;
    other.sign = -pair->sign;
    return other;
}

static bool is_planar(const crn_shape *shape)
{
    return shape->def.kind >= CRN_SHAPE_DISK && shape->def.kind <= CRN_SHAPE_HALF_PLANE;
}

bool crn_collide_planar(const crn_query *query, crn_touches *out)
{
    crn_shape_kind a = query->a->def.kind, b = query->b->def.kind;
    if (a == CRN_SHAPE_DISK && b == CRN_SHAPE_DISK) {
        disk_disk(query, out);
        return true;
    }
    if (!is_planar(query->a) || !is_planar(query->b)) {
        return false;
    }
    crn_planar_pair pair = {
        query->a, query->b, crn_pose2_of(query->frame_a), crn_pose2_of(query->frame_b), query->reach, 1.0, out};
    crn_planar_pair turned = swapped(&pair);
    if (a == CRN_SHAPE_HALF_PLANE || b == CRN_SHAPE_HALF_PLANE) {
        if (a != b) { /* two half-planes do not meet: neither can move */
            crn_shape_half_plane(b == CRN_SHAPE_HALF_PLANE ? &pair : &turned);
        }
    } else if (a == CRN_SHAPE_ELLIPSE && b == CRN_SHAPE_ELLIPSE) {
        crn_ellipse_ellipse(&pair);
    } else if (a == CRN_SHAPE_ELLIPSE || b == CRN_SHAPE_ELLIPSE) {
        crn_ellipse_outline(a == CRN_SHAPE_ELLIPSE ? &pair : &turned);
    } else {
        crn_outline_outline(&pair);
    }
    return true;
}

/* --- Bounds ------------------------------------------------------------------------------------------------------- */

static crn_bounds flat_bounds(double x_low, double x_high, double y_low, double y_high)
{
    return (crn_bounds){{x_low, y_low, 0.0}, {x_high, y_high, 0.0}};
}

static crn_bounds outline_bounds(const crn_outline *outline)
{
    crn_vec2 low = crn_pose2_point(&outline->pose, crn_v2_at(outline->point, 0)), high = low;
    for (int i = 1; i < outline->count; ++i) {
        crn_vec2 p = crn_pose2_point(&outline->pose, crn_v2_at(outline->point, i));
        low.x = p.x < low.x ? p.x : low.x;
        low.y = p.y < low.y ? p.y : low.y;
        high.x = p.x > high.x ? p.x : high.x;
        high.y = p.y > high.y ? p.y : high.y;
    }
    double r = outline->radius;
    return flat_bounds(low.x - r, high.x + r, low.y - r, high.y + r);
}

/* Infinite, but for the side to which a half-plane along the axes is open; compared exactly: the frames that people give
 * are exact there, and a half-plane that is a hair off is infinite. */
static crn_bounds half_plane_bounds(const crn_pose2 *pose)
{
    crn_bounds bounds = flat_bounds(-INFINITY, INFINITY, -INFINITY, INFINITY);
    crn_vec2 normal = crn_v2_left(pose->axis);
    if (normal.x == 0.0) {
        *(normal.y > 0.0 ? &bounds.high[1] : &bounds.low[1]) = pose->origin.y;
    } else if (normal.y == 0.0) {
        *(normal.x > 0.0 ? &bounds.high[0] : &bounds.low[0]) = pose->origin.x;
    }
    return bounds;
}

crn_bounds crn_planar_bounds(const crn_shape *shape, const crn_frame *frame)
{
    crn_pose2 pose = crn_pose2_of(frame);
    if (shape->def.kind == CRN_SHAPE_HALF_PLANE) {
        return half_plane_bounds(&pose);
    }
    if (shape->def.kind == CRN_SHAPE_ELLIPSE) {
        /* h(n) = |(a, b) times n in the ellipse's axes| for n = x and n = y */
        double a = shape->def.size.x, b = shape->def.size.y, c = pose.axis.x, s = pose.axis.y;
        double x = crn_v2_length(crn_v2(a * c, b * s)), y = crn_v2_length(crn_v2(a * s, b * c));
        return flat_bounds(pose.origin.x - x, pose.origin.x + x, pose.origin.y - y, pose.origin.y + y);
    }
    double ends[4];
    crn_outline outline = crn_outline_of(shape, &pose, ends);
    return outline_bounds(&outline);
}
