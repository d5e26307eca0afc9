/* The rim of a flat cap: which of its points can touch a plane with normal n.
 *
 * With s the sine of the angle between axis and n, the lowest point of the rim is lower than its centre by R s, and it rolls
 * along the rim: a point that is fixed in the body, at an angle t from it, is R s (1 - cos t) higher and, seen from its velocity
 * alone, falls below the plane by R s (h w)^2/2 as the body turns. So fixed points would brake what rolls or spins on its rim.
 * They are needed where the tilt may vanish before the next look, for then the lowest point may be anywhere. In that time the
 * axis turns by
 *
 *     D = |turn across the axis| + (approach + 2 fall) / R,
 *
 * spin about the axis does not move the rim as a set, and corners are listed while s <= 2 D. */
#ifndef CRN_COLLIDE_RIM_H
#define CRN_COLLIDE_RIM_H

#include <math.h>

#include "collide/shape.h"

/* A cap that lies flat is met in the corners of a 16-gon that is fixed in the body. */
#define CRN_RIM_CORNERS 16

/* Cosine of the place of corner k; the sine is that of k - 4. Opposite corners are opposite to the last bit. */
static inline double crn_rim_cosine(int k)
{
    static const double quarter[5] = {1.0, 0.92387953251128674, 0.70710678118654752, 0.38268343236508977, 0.0};
    k &= CRN_RIM_CORNERS - 1;
    k = k > 8 ? 16 - k : k;
    return k <= 4 ? quarter[k] : -quarter[8 - k];
}

/* The largest sine between axis and normal with which the corners of a rim still count. */
static inline double crn_rim_tilt(const crn_collide_motion *motion, crn_vec3 axis, crn_vec3 normal, double radius)
{
    const double room = 2.0; /* over the angle that the axis turns by at most: by then it points the other way */
    crn_vec3 across = crn_v3_axpy(motion->turn, -crn_v3_dot(motion->turn, axis), axis);
    double approach = fabs(crn_v3_dot(normal, motion->shift)) + 2.0 * motion->fall;
    return room * (crn_v3_length(across) + approach / radius);
}

#endif
