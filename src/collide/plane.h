/* A plane with every solid shape:  gap = n'(p - o)  at the points p of the shape that can be lowest.
 *
 * The normal is the plane's, so the gap is the same formula above and below the surface. Corners, ends and rims are
 * reported one by one, each with the number it has in the body as its key. */
#ifndef CRN_COLLIDE_PLANE_H
#define CRN_COLLIDE_PLANE_H

#include "collide/shape.h"

typedef struct crn_ground {
    crn_vec3 normal;
    double offset; /* n'o */
    double reach;
} crn_ground;

/* b is the plane. */
static inline crn_ground crn_ground_of(const crn_query *q)
{
    crn_vec3 n = crn_m3_column(&q->frame_b->rotation, 2);
    return (crn_ground){n, crn_v3_dot(n, q->frame_b->position), q->reach};
}

static inline double crn_ground_height(const crn_ground *g, crn_vec3 p)
{
    return crn_v3_dot(g->normal, p) - g->offset;
}

/* p is a point of the shape's surface, or the centre of a ball of that radius. */
static inline void crn_ground_meet(const crn_ground *g, crn_vec3 p, double radius, uint32_t key, crn_touches *out)
{
    double gap = crn_ground_height(g, p) - radius;
    if (gap <= g->reach) {
        crn_touches_add(out, crn_v3_axpy(p, -(radius + 0.5 * gap), g->normal), g->normal, gap, key);
    }
}

#endif
