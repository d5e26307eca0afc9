/* Two segments: nearest points, and where nearly parallel ones run side by side. */
#ifndef CRN_COLLIDE_SEGMENT_H
#define CRN_COLLIDE_SEGMENT_H

#include "math/rigid.h"

#include <stdbool.h>

/* The points centre + x half, -1 <= x <= 1. */
typedef struct crn_segment {
    crn_vec3 centre, half;
} crn_segment;

static inline crn_vec3 crn_segment_point(const crn_segment *s, double x)
{
    return crn_v3_axpy(s->centre, x, s->half);
}

/* x of the point nearest to p; 0 if the segment is a point */
static inline double crn_segment_nearest(const crn_segment *s, crn_vec3 p)
{
    double square = crn_v3_dot(s->half, s->half), along = crn_v3_dot(crn_v3_sub(p, s->centre), s->half);
    return square == 0.0 ? 0.0 : along >= square ? 1.0 : along <= -square ? -1.0 : along / square;
}

/* Points at x on a and y on b with the smallest distance. */
typedef struct crn_segment_pair {
    double x, y, distance;
} crn_segment_pair;

crn_segment_pair crn_segments_nearest(const crn_segment *a, const crn_segment *b);

/* One end of the stretch over which two nearly parallel segments run side by side. */
typedef struct crn_segment_end {
    crn_vec3 on_a, on_b;
    int owner;     /* whose end it is: 0, 1: of a at -1, +1; 2, 3: of b */
    double height; /* n'(on_a - on_b) */
    double aside;  /* how far they lie apart across n and across the segments */
} crn_segment_end;

/* Both ends of that stretch; false if the segments are not nearly parallel or do not overlap lengthwise. n: unit. */
bool crn_segments_side_by_side(const crn_segment *a, const crn_segment *b, crn_vec3 n, crn_segment_end end[2]);

#endif
