/* Pairs of planar shapes: which file answers for which pair; bounds of planar shapes.
 *
 * The signed gap of convex shapes is the largest separation over all directions
 *     gap = max over |n| = 1 of s(n),   s(n) = -h_A(-n) - h_B(n),   h(n) = max over x of the shape of n'x,
 * whether they overlap or not; n is the normal out of b into a. Shapes with a flat side get one touch per vertex that is
 * near the other's side, all of them measured along that side's normal. Frames turn about z; only their part in the plane
 * is read. */
#include "collide/planar/planar.h"

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

bool crn_collide_planar(const crn_query *query, crn_touches *out)
{
    crn_shape_kind a = query->a->def.kind, b = query->b->def.kind;
    if (a == CRN_SHAPE_DISK && b == CRN_SHAPE_DISK) {
        disk_disk(query, out);
        return true;
    }
    if (!query->a->type->traits.is_planar || !query->b->type->traits.is_planar) {
        return false;
    }
    crn_planar_pair pair = {
        query->a, query->b, crn_pose2_of(query->frame_a), crn_pose2_of(query->frame_b), query->reach, 1.0, out};
    crn_planar_pair turned = swapped(&pair);
    if (a == CRN_SHAPE_HALF_PLANE || b == CRN_SHAPE_HALF_PLANE) {
        if (a != b) { /* two half-planes do not meet: neither can move */
            crn_planar_on_half_plane(b == CRN_SHAPE_HALF_PLANE ? &pair : &turned);
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
