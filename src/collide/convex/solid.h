/* A convex solid as the pairs of this room see it: a core (point, segment, drum, smooth body, polyhedron) grown by a
 * radius, in a frame with the axes of the world and an origin near both bodies.
 *
 * Everything about a pair of convex solids follows from support functions  h(d) = max d'x.  With the normal n out of b
 * into a, the signed gap is
 *
 *   Phi = max over |n| = 1 of  s(n) = -h_a(-n) - h_b(n) - r_a - r_b        (h of the cores),
 *
 * apart or overlapping alike. */
#ifndef CRN_COLLIDE_SOLID_H
#define CRN_COLLIDE_SOLID_H

#include "collide/shape.h"

typedef enum crn_core_kind {
    CRN_CORE_POINT,
    CRN_CORE_SEGMENT, /* size.y: half length along z */
    CRN_CORE_DRUM, /* cylinder, cone: size.x, size.z: radius of the lower and upper cap, size.y: half height along z */
    CRN_CORE_SMOOTH, /* one farthest point in every direction, which moves without jumps: an ellipsoid */
    CRN_CORE_POLYHEDRON
} crn_core_kind;

/* A smooth core, in its own axes, from the size of its shape. */
struct crn_smooth {
    crn_vec3 (*support)(crn_vec3 size, crn_vec3 d); /* the point farthest along d, which need not be a unit vector */
    double (*curvature)(crn_vec3 size, crn_vec3 d, crn_vec3 u,
                        crn_vec3 v);              /* u'H v at unit d; H: second derivative of h */
    double (*least_radius)(crn_vec3 size);        /* of curvature, or less */
    double (*outside)(crn_vec3 size, crn_vec3 p); /* how far p is outside, at most; negative inside */
};

struct crn_solid {
    crn_core_kind kind;
    const crn_smooth *smooth;
    crn_mat3 rotation;
    crn_vec3 centre;
    crn_vec3 size;
    double radius;             /* by which the core is grown */
    double extent;             /* no point of the core is farther from centre */
    crn_collide_motion motion; /* against the other solid, in these axes */
    /* polyhedron: as in crn_polyhedron, vertices and normals in the solid's axes */
    int vertices, faces, edges;
    const double *vertex, *face_normal;
    const int *face_start, *face_vertex, *edge, *around_start, *around, *around_edge;
    const int *guide;  /* NULL: none */
    double corner[24]; /* vertices of a box; the solid must stay where it was made */
};

/* The convex solid of a shape whose frame is given; centre relative to origin. False: the shape is none of these kinds. */
bool crn_solid_of(crn_solid *solid, const crn_shape *shape, const crn_frame *frame, crn_vec3 origin);

/* core and on_plane of types that are smooth. */
void crn_smooth_core(const crn_shape *shape, crn_solid *solid);
void crn_smooth_on_plane(const crn_query *query, crn_touches *out);

/* Known motion of a pair, turned into the axes of a frame that is given in the world; NULL: these are the world's. */
void crn_solid_moves(crn_solid *solid, const crn_collide_motion *motion, const crn_mat3 *axes);

/* The segment from p to q, and the point p, as solids. */
void crn_solid_segment(crn_solid *solid, crn_vec3 p, crn_vec3 q);
void crn_solid_point(crn_solid *solid, crn_vec3 p);

/* A triangle: it has a support function, and no faces. */
void crn_solid_triangle(crn_solid *solid, crn_vec3 p, crn_vec3 q, crn_vec3 r);

/* The point of the core farthest along d, which need not be a unit vector. *vertex: of a polyhedron where to begin to look
 * (0 if unknown) and which one it is; of others 0. */
crn_vec3 crn_solid_support(const crn_solid *solid, crn_vec3 d, int *vertex);

static inline crn_vec3 crn_solid_vertex(const crn_solid *solid, int vertex)
{
    return crn_v3_add(solid->centre, crn_m3_times(&solid->rotation, crn_v3_of(solid->vertex + 3 * (size_t)vertex)));
}

static inline crn_vec3 crn_solid_normal(const crn_solid *solid, int face)
{
    return crn_m3_times(&solid->rotation, crn_v3_of(solid->face_normal + 3 * (size_t)face));
}

static inline crn_vec3 crn_solid_axis(const crn_solid *solid)
{
    return crn_m3_column(&solid->rotation, 2);
}

#endif
