/* The features of a polyhedron that nearly are farthest along a direction d, in its own axes.
 *
 *   vertex   not below `least`, and no edge at it rises along d by more than the slack
 *   edge     an end not below `least`, across d within the slack, and neither of its faces rises from it by more
 *   face     normal within the slack of d
 *
 * Those that a turn by the slack can make farthest have normals within the slack of d. On the sphere of normals they cover a
 * disc, so they are connected, and are found by going from the farthest vertex to its neighbours, and on from those that pass:
 * what it costs depends on what faces along d, not on the number of vertices. */
#ifndef CRN_COLLIDE_FACING_H
#define CRN_COLLIDE_FACING_H

#include "collide/convex/solid.h"

typedef struct crn_facing_test {
    const crn_solid *solid;
    crn_vec3 d;   /* unit, in the solid's axes */
    double least; /* height along d */
    double slack; /* sine of an angle */
} crn_facing_test;

bool crn_facing_vertex(const crn_facing_test *test, int vertex);
bool crn_facing_edge(const crn_facing_test *test, int edge);
bool crn_facing_face(const crn_facing_test *test, int face);

/* Room for a side; larger ones are not listed. */
enum { CRN_FACING_VERTICES = 128, CRN_FACING_EDGES = 256, CRN_FACING_FACES = 128 };

typedef struct crn_facing {
    bool is_listed; /* false: too many, or too few to be worth it; all numbers are to be tested */
    int vertices, edges, faces;
    int vertex[CRN_FACING_VERTICES], edge[CRN_FACING_EDGES], face[CRN_FACING_FACES];
} crn_facing;

/* All that pass. start: the farthest vertex along d. */
void crn_facing_find(const crn_facing_test *test, int start, crn_facing *found);

/* Only faces. */
void crn_facing_find_faces(const crn_facing_test *test, int start, crn_facing *found);

#endif
