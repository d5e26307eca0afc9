/* Between the files that turn shapes into triangles: a surface that grows.
 *
 *   triangles.c       options, which kind goes where
 *   surface.c         points and triangles, memory for them
 *   surface_round.c   sphere, capsule, cylinder, cone, ellipsoid, and round solids by their support
 *   surface_faces.c   box, hull, plane
 *   surface_crease.c  mesh, height field: smooth where neighbours bend little, sharp elsewhere
 *   surface_flat.c    the planar shapes
 *
 * A lack of memory is remembered and told at the end, so that the files above need not look after every point. */
#ifndef CRN_DRAW_SURFACE_H
#define CRN_DRAW_SURFACE_H

#include <cairn/draw.h>

#include "base/memory.h"
#include "collide/collide_room.h"
#include "math/rigid.h"

typedef struct crn_surface {
    crn_triangles *to;
    int room[3];    /* capacity of points, normals, triangles */
    bool is_short;  /* there was no memory */
    int segments;   /* of a full turn */
    double reach;   /* of what has no end [m] */
    double half_up; /* half the thickness of slabs [m]; 0: flat */
} crn_surface;

/* Add a point; its index. */
int crn_surface_point(crn_surface *surface, crn_vec3 point, crn_vec3 normal);

/* Add a triangle, or two that share the side from a to c. */
void crn_surface_triangle(crn_surface *surface, int a, int b, int c);
void crn_surface_quad(crn_surface *surface, int a, int b, int c, int d);

/* Triangles that fan out from the first of `count` points in a row; is_back: the loop runs clockwise. */
void crn_surface_fan(crn_surface *surface, int first, int count, bool is_back);

/* v / |v|, whatever its size; (0, 0, 1) for 0. */
crn_vec3 crn_surface_unit(crn_vec3 v);

/* Corner k of a circle of n: cosine and sine, the same bits for k and k + n. */
crn_vec3 crn_surface_turn(int k, int n);

/* By kind, from a prepared shape. */
void crn_surface_ball(crn_surface *surface, const crn_shape *shape); /* sphere, capsule */
void crn_surface_ellipsoid(crn_surface *surface, const crn_shape *shape);
void crn_surface_cylinder(crn_surface *surface, const crn_shape *shape);
void crn_surface_cone(crn_surface *surface, const crn_shape *shape);
void crn_surface_convex(crn_surface *surface, const crn_shape *shape); /* a round convex solid */
void crn_surface_box(crn_surface *surface, const crn_shape *shape);
void crn_surface_hull(crn_surface *surface, const crn_shape *shape);
void crn_surface_plane(crn_surface *surface, const crn_shape *shape);
void crn_surface_creased(crn_surface *surface, const crn_shape *shape);
void crn_surface_flat(crn_surface *surface, const crn_shape *shape);

#endif
