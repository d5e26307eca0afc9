/* The surface of a height field: samples joined by two triangles per cell, cut along the diagonal from low to high
 * indices. In the field's frame; solid below. */
#ifndef CRN_COLLIDE_FIELD_H
#define CRN_COLLIDE_FIELD_H

#include "collide/convex/ridge.h"

typedef struct crn_field {
    int rows, columns;
    double dx, dy, x0, y0; /* spacing; place of sample (0, 0) */
    const double *height;
} crn_field;

crn_field crn_field_of(const crn_shape *shape);

static inline crn_vec3 crn_field_vertex(const crn_field *f, int i, int j)
{
    return crn_v3(f->x0 + f->dx * i, f->y0 + f->dy * j, f->height[(size_t)i + (size_t)f->rows * (size_t)j]);
}

/* Triangle `upper` of cell (i, j): the lower one holds (1, 0), the upper one (0, 1). Its upward unit normal. */
typedef struct crn_field_face {
    int i, j, upper;
    crn_vec3 normal, point;
} crn_field_face;

crn_field_face crn_field_face_at(const crn_field *f, int i, int j, int upper);

/* The triangle above or below (x, y); false outside of the field. */
bool crn_field_face_under(const crn_field *f, double x, double y, crn_field_face *face);

/* Is (x, y) in the triangle, or nearer than tolerance? Past a concave edge it may lie as far as beyond. */
bool crn_field_face_holds(const crn_field *f, const crn_field_face *face, double x, double y, double tolerance,
                          double beyond);

/* Height of a point over the plane of a triangle. */
static inline double crn_field_over(const crn_field_face *face, crn_vec3 p)
{
    return crn_v3_dot(face->normal, crn_v3_sub(p, face->point));
}

/* How an edge bends: convex (or the border of the field), flat, concave. The edge must be there. */
typedef enum crn_field_bend { CRN_FIELD_CONCAVE = -1, CRN_FIELD_FLAT = 0, CRN_FIELD_CONVEX = 1 } crn_field_bend;

/* Edge `way` of sample (i, j): 0 to (i + 1, j), 1 to (i, j + 1), 2 to (i + 1, j + 1), with the normals of the triangles on
 * its two sides; at the border of the field the second one looks outward. False if there is no such edge or it is not
 * convex: then nothing can touch it that does not touch a triangle. */
typedef crn_ridge crn_field_edge;

/* Height of its higher end; -infinity if there is no such edge. */
double crn_field_edge_top(const crn_field *f, int i, int j, int way);

bool crn_field_edge_at(const crn_field *f, int i, int j, int way, crn_field_edge *edge);

/* Neighbours of a sample along edges; returns how many of the six there are. is_convex: one of those edges is. */
int crn_field_around(const crn_field *f, int i, int j, crn_vec3 around[6], bool *is_convex);

/* Cells that meet a rectangle: i in [low_i, high_i), j likewise. */
typedef struct crn_field_range {
    int low_i, high_i, low_j, high_j;
} crn_field_range;

crn_field_range crn_field_cells(const crn_field *f, double low_x, double high_x, double low_y, double high_y);

#endif
