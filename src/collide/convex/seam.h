/* What a seam asks of a convex type: see crn_shape_is_smooth() and the others of collide_room.h. */
#ifndef CRN_COLLIDE_SEAM_H
#define CRN_COLLIDE_SEAM_H

#include "collide/shape.h"

struct crn_seam_type {
    bool (*is_smooth)(const crn_shape *shape);                                                    /* NULL: no */
    bool (*is_round)(const crn_shape *shape, const crn_frame *frame, crn_vec3 d, crn_vec3 *axis); /* NULL: no */
    /* In the shape's axes: */
    bool (*round_point)(const crn_shape *shape, crn_vec3 d, crn_vec3 p, crn_vec3 *point); /* NULL: no */
    int (*normals)(const crn_shape *shape, const crn_frame *frame, crn_vec3 p, crn_vec3 d,
                   crn_vec3 *normal);                      /* NULL: none */
    double (*support)(const crn_shape *shape, crn_vec3 d); /* planar shapes; of solids it is the core's */
};

/* Of every core that is smooth all over (solid.h), and of drums. */
extern const crn_seam_type crn_seam_smooth, crn_seam_drum;

/* --- Parts for types --- */

/* x, but within -most .. most. */
static inline double crn_seam_within(double x, double most)
{
    return x < -most ? -most : x > most ? most : x;
}

static inline double crn_seam_sign(double x)
{
    return x < 0.0 ? -1.0 : 1.0;
}

/* How much the place on the surface decides which of equally far vertices is meant, against the direction. */
#define CRN_SEAM_BY_PLACE 0.05

/* Smooth always; round along every direction. */
bool crn_seam_always(const crn_shape *shape);
bool crn_seam_is_ball(const crn_shape *shape, const crn_frame *frame, crn_vec3 d, crn_vec3 *axis);

#endif
