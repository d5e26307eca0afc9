/* Nearest points of two segments  c_a + x h_a,  c_b + y h_b,  |x|, |y| <= 1:  a convex quadratic over a square, so its
 * minimum is inside, or on a side where it is the projection of an end onto the other segment. All five are tried and the
 * shortest wins, the earlier one in a tie: no case distinction can be wrong by rounding. */
#include "collide/convex/segment.h"

/* The inner solution divides by sin^2 of the angle between the segments; below this it is noise, and the ends do as well:
 * the distance then differs by less than the angle squared times length. */
#define PARALLEL_SQUARE 1e-20

static void try_pair(const crn_segment *a, const crn_segment *b, double x, double y, crn_segment_pair *best)
{
    double distance = crn_v3_length(crn_v3_sub(crn_segment_point(a, x), crn_segment_point(b, y)));
    if (distance < best->distance) {
        *best = (crn_segment_pair){x, y, distance};
    }
}

crn_segment_pair crn_segments_nearest(const crn_segment *a, const crn_segment *b)
{
    crn_segment_pair best = {0.0, 0.0, (double)INFINITY};
    double aa = crn_v3_dot(a->half, a->half), bb = crn_v3_dot(b->half, b->half), ab = crn_v3_dot(a->half, b->half);
    crn_vec3 normal = crn_v3_cross(a->half, b->half);
    double square = crn_v3_dot(normal, normal);
    if (square > PARALLEL_SQUARE * aa * bb) {
        crn_vec3 d = crn_v3_sub(b->centre, a->centre);
        double da = crn_v3_dot(d, a->half), db = crn_v3_dot(d, b->half);
        double x = (da * bb - db * ab) / square, y = (da * ab - db * aa) / square;
        if (fabs(x) <= 1.0 && fabs(y) <= 1.0) {
            try_pair(a, b, x, y, &best);
        }
    }
    for (int k = -1; k <= 1; k += 2) {
        double end = (double)k;
        try_pair(a, b, end, crn_segment_nearest(b, crn_segment_point(a, end)), &best);
        try_pair(a, b, crn_segment_nearest(a, crn_segment_point(b, end)), end, &best);
    }
    return best;
}

/* --- Side by side --- */

/* sin^2 of the angle up to which two segments count as nearly parallel: 11 degrees. */
#define SIDE_SQUARE 0.04

/* A stretch shorter than this, relative to the shorter segment, is a point, and its two ends would name it twice. */
#define SHORTEST 1e-6

bool crn_segments_side_by_side(const crn_segment *a, const crn_segment *b, crn_vec3 n, crn_segment_end end[2])
{
    double aa = crn_v3_dot(a->half, a->half), bb = crn_v3_dot(b->half, b->half);
    crn_vec3 normal = crn_v3_cross(a->half, b->half);
    if (aa == 0.0 || bb == 0.0 || crn_v3_dot(normal, normal) > SIDE_SQUARE * aa * bb) {
        return false;
    }
    /* lengthwise coordinate along the mean direction, from a's centre */
    double sign = crn_v3_dot(a->half, b->half) < 0.0 ? -1.0 : 1.0, la = sqrt(aa), lb = sqrt(bb);
    crn_vec3 along = crn_v3_unit(crn_v3_axpy(crn_v3_scale(1.0 / la, a->half), sign / lb, b->half));
    double ha = crn_v3_dot(a->half, along), hb = crn_v3_dot(b->half, along) * sign;
    double shift = crn_v3_dot(crn_v3_sub(b->centre, a->centre), along);
    double low = -ha > shift - hb ? -ha : shift - hb, high = ha < shift + hb ? ha : shift + hb;
    if (!(high - low > SHORTEST * (la < lb ? la : lb))) {
        return false;
    }
    crn_vec3 across = crn_v3_cross(n, along);
    for (int k = 0; k < 2; ++k) {
        double at = k == 0 ? low : high;
        bool of_a = k == 0 ? -ha >= shift - hb : ha <= shift + hb;
        double x = of_a ? (k == 0 ? -1.0 : 1.0) : at / ha;
        double y = sign * (of_a ? (at - shift) / hb : (k == 0 ? -1.0 : 1.0));
        end[k].on_a = crn_segment_point(a, x);
        end[k].on_b = crn_segment_point(b, y);
        end[k].owner = of_a ? k : 2 + (y > 0.0);
        crn_vec3 d = crn_v3_sub(end[k].on_a, end[k].on_b);
        end[k].height = crn_v3_dot(n, d);
        end[k].aside = crn_v3_dot(across, d);
    }
    return true;
}
