/* A convex solid over a convex edge: the direction that separates them most among the normals of the edge. */
#ifndef CRN_COLLIDE_RIDGE_H
#define CRN_COLLIDE_RIDGE_H

#include "collide/convex/solid.h"

typedef struct crn_ridge {
    crn_vec3 from, to;
    crn_vec3 normal[2]; /* of the faces on its two sides: its normals lie between them */
} crn_ridge;

/* That direction, out of the edge, and the gap along it; is_end: it is one of the two normals. */
crn_vec3 crn_ridge_best(const crn_solid *solid, const crn_ridge *ridge, double *gap, bool *is_end);

/* Does p, the point of the solid lowest along a direction n inside of the arc, lie right over the edge? Then they
 * touch there. (Over a crossing of two edges p is an end of the solid's edge and lies aside.) */
bool crn_ridge_is_under(const crn_solid *solid, const crn_ridge *ridge, crn_vec3 n, crn_vec3 p);

#endif
