/* The part of a convex solid that faces another one: its vertices, edges and faces that are nearly farthest along a
 * direction, within a slack (facing.h). They are asked for one by one, so no buffer limits how many there are.
 *
 * The rim of a cap of a drum is a circle. Its farthest point is a vertex; while the cap may come to lie flat, so are 16 points
 * that are fixed in the body (rim.h). The side of a drum is an edge, the line farthest along d. */
#ifndef CRN_COLLIDE_SIDE_H
#define CRN_COLLIDE_SIDE_H

#include "collide/convex/facing.h"

/* Sine of 11.5 degrees: the most slack. A body that turns by less than the slack during a step meets no vertex that was not
 * listed. */
#define CRN_SIDE_SLACK 0.2

typedef struct crn_side {
    const crn_solid *solid;
    crn_vec3 d;                 /* unit */
    crn_vec3 local;             /* d in the solid's axes */
    double least;               /* points whose local height is below this do not matter */
    double slack;               /* sine of the angle by which features may lie off */
    double tilt;                /* drum: sine of the angle up to which the corners of a cap count (rim.h) */
    int farthest;               /* polyhedron: vertex */
    int vertices, edges, faces; /* to be asked for */
    crn_facing facing;          /* polyhedron: those that pass */
} crn_side;

/* The side of a solid along d; depth: how much lower than the farthest points those may lie that matter; slack: see above;
 * start: a vertex of a polyhedron, best the farthest. */
void crn_side_of(crn_side *side, const crn_solid *solid, crn_vec3 d, double depth, double slack, int start);

/* The slack that a pair needs that moves so, along normal n; size: of the smaller solid. */
double crn_side_slack(const crn_collide_motion *motion, crn_vec3 n, double size);

/* The number that a feature has in the solid, by its place among those to be asked for. */
int crn_side_vertex_name(const crn_side *side, int place);
int crn_side_edge_name(const crn_side *side, int place);
int crn_side_face_name(const crn_side *side, int place);

/* Features at place 0 .. vertices, edges, faces - 1. False: this one does not face along d. */
bool crn_side_vertex(const crn_side *side, int place, crn_vec3 *point);
bool crn_side_face(const crn_side *side, int place, crn_vec3 *normal, crn_vec3 *point);

typedef struct crn_side_line {
    crn_vec3 from, to;
    int vertex[2];   /* numbers of its ends */
    double round[2]; /* radius across it at both ends; 0: sharp */
} crn_side_line;

bool crn_side_edge(const crn_side *side, int place, crn_side_line *line);

/* Is a point of the plane of a face, by its number, in that face, or nearer than tolerance? */
bool crn_side_holds(const crn_side *side, int face, crn_vec3 point, double tolerance);

/* Is the farthest point the only one? */
bool crn_side_is_single(const crn_side *side);

static inline bool crn_side_has_caps(const crn_side *side)
{
    return side->solid->kind == CRN_CORE_DRUM;
}

/* Edge numbers of a drum: its side line, and the two crossings of the rim of a cap with something. */
enum { CRN_SIDE_LINE = 0, CRN_SIDE_RIM = 1 /* + 2 cap + crossing */ };

#endif
