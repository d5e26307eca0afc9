/* Contact points of two convex solids along a given normal. */
#ifndef CRN_COLLIDE_PATCH_H
#define CRN_COLLIDE_PATCH_H

#include "collide/convex/gap.h"
#include "collide/convex/side.h"

/* What touches are made of, packed into a key: kind and the numbers of two features, 15 bits each. */
enum {
    CRN_KEY_VERTEX_FACE = 0,
    CRN_KEY_FACE_VERTEX = 1,
    CRN_KEY_EDGE_EDGE = 2,
    CRN_KEY_OTHER = 3 /* an end of an edge beside an edge: which solid's, vertex; or the deepest points */
};

static inline uint32_t crn_key(int kind, int i, int j)
{
    return (uint32_t)kind << 30 | (uint32_t)i << 15 | (uint32_t)j;
}

/* What to leave out. */
enum {
    CRN_PATCH_NOT_OF_B = 1,   /* vertices and ends of b: somebody else speaks for them */
    CRN_PATCH_NO_DEEPEST = 2, /* the deepest points, if no other point is as deep */
};

/* Add all points of a and b that face each other along gap->normal with a gap up to reach; the deepest is gap->gap. origin
 * is added to points. */
void crn_patch_find(const crn_solid *a, const crn_solid *b, const crn_gap *gap, double reach, crn_vec3 origin,
                    unsigned without, crn_touches *out);

#endif
