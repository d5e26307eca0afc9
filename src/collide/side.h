/* The part of a convex solid that faces another one: its vertices, edges and faces that are nearly farthest along a
 * direction. They are asked for one by one, so no buffer limits how many there are.
 *
 *   vertex   no edge at it rises along d by more than SLACK
 *   edge     across d within SLACK, and neither of its faces rises from it by more
 *   face     normal within SLACK of d
 *
 * The rim of a cap of a cylinder is a circle, of which 16 points, fixed in the body, and the farthest one are vertices. Its
 * side is an edge, the line farthest along d. */
#ifndef CRN_COLLIDE_SIDE_H
#define CRN_COLLIDE_SIDE_H

#include "collide/solid.h"

/* Sine of 11.5 degrees. A body that turns by less during a step meets no vertex that was not listed. */
#define CRN_SIDE_SLACK 0.2

typedef struct crn_side {
    const crn_solid *solid;
    crn_vec3 d;     /* unit */
    crn_vec3 local; /* d in the solid's axes */
    double least;   /* points whose local height is below this do not matter */
    int vertices, edges, faces;
} crn_side;

/* The side of a solid along d; depth: how much lower than the farthest points those may lie that matter. */
void crn_side_of(crn_side *side, const crn_solid *solid, crn_vec3 d, double depth);

/* Features number 0 .. vertices, edges, faces - 1. False: this one does not face along d. */
bool crn_side_vertex(const crn_side *side, int number, crn_vec3 *point);
bool crn_side_face(const crn_side *side, int number, crn_vec3 *normal, crn_vec3 *point);

typedef struct crn_side_line {
    crn_vec3 from, to;
    int vertex[2]; /* numbers of its ends */
    double round;  /* radius across it; 0: sharp */
} crn_side_line;

bool crn_side_edge(const crn_side *side, int number, crn_side_line *line);

/* Is a point of the plane of a face in that face, or nearer than tolerance? */
bool crn_side_holds(const crn_side *side, int face, crn_vec3 point, double tolerance);

/* Is the farthest point the only one? */
bool crn_side_is_single(const crn_side *side);

static inline bool crn_side_has_caps(const crn_side *side)
{
    return side->solid->kind == CRN_CORE_CYLINDER;
}

/* Edge numbers of a cylinder: its side line, and the two crossings of the rim of a cap with something. */
enum { CRN_SIDE_LINE = 0, CRN_SIDE_RIM = 1 /* + 2 cap + crossing */ };

#endif
