/* A drum: the convex hull of two circles about the z axis, at -half and +half: a cylinder, or a cone if the upper circle is a
 * point, its apex.
 *
 * Along a direction d of its own axes, with |d_xy| = r, the farthest points of the two circles differ in height by
 *
 *     rise = 2 half d_z + (upper radius - lower radius) r,
 *
 * so the upper one is farther where it is positive, and where it is 0 the straight line between the two is farthest. */
#ifndef CRN_COLLIDE_DRUM_H
#define CRN_COLLIDE_DRUM_H

#include <math.h>

#include "collide/plane.h"
#include "collide/convex/rim.h"
#include "collide/convex/solid.h"

/* Cap 0 is the lower one. */
static inline double crn_drum_radius(const crn_solid *drum, int cap)
{
    return cap == 0 ? drum->size.x : drum->size.z;
}

static inline double crn_drum_rise(const crn_solid *drum, crn_vec3 local)
{
    double across = sqrt(local.x * local.x + local.y * local.y);
    return 2.0 * drum->size.y * local.z + (drum->size.z - drum->size.x) * across;
}

/* Length of the straight lines of its side. */
static inline double crn_drum_slant(const crn_solid *drum)
{
    double wider = drum->size.x - drum->size.z;
    return sqrt(4.0 * drum->size.y * drum->size.y + wider * wider);
}

/* The normals of its side are at this height over the plane across the axis: 0 for a cylinder. */
static inline double crn_drum_lean(const crn_solid *drum)
{
    return drum->size.x == drum->size.z ? 0.0 : (drum->size.x - drum->size.z) / crn_drum_slant(drum);
}

/* Where the side ends at a height z. */
static inline double crn_drum_width(const crn_solid *drum, double z)
{
    double upper = 0.5 + 0.5 * z / drum->size.y;
    return drum->size.x + upper * (drum->size.z - drum->size.x);
}

/* The distance of its lower rim from the middle of its axis. */
double crn_drum_reach(const crn_shape_def *def);

/* With the ground: a cap whose outer side looks along `side` times the axis, with its centre so far along the axis. Corners have
 * keys first .. first + 15, the lowest point first + 16. */
void crn_drum_meet_cap(const crn_ground *g, const crn_query *q, double side, double along, uint32_t first,
                       crn_touches *out);

#endif
