/* Between the two halves of the hull builder: hull.c finds the triangles, hull_faces.c makes faces of them. */
#ifndef CRN_COLLIDE_HULL_H
#define CRN_COLLIDE_HULL_H

#include "collide/shape.h"

typedef struct crn_hull_triangle {
    int corner[3]; /* points, counter-clockwise seen from outside */
    int beside[3]; /* the neighbour across the side from corner k to k + 1 */
    int outside;   /* first point of its list while the hull grows */
    bool is_seen;
} crn_hull_triangle;

/* Distance from a plane, relative to the size of the hull, up to which a point lies in it: far above the rounding of
 * points computed in double precision, far below what the gap of a contact is held to. */
#define CRN_HULL_PLANAR 1e-11

/* Most edges: keys of touches hold two numbers of 15 bits. */
#define CRN_HULL_MOST_EDGES 32767

/* Make the polyhedron: triangles [0, count) of points [0, points), size: of the longest side. */
crn_status crn_hull_faces(const double *point, int points, const crn_hull_triangle *triangle, int count, double size,
                          const crn_allocator *allocator, crn_polyhedron **hull, crn_error *error);

#endif
