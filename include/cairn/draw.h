/* cairn/draw.h -- shapes as triangles, for pictures and files. */
#ifndef CAIRN_DRAW_H
#define CAIRN_DRAW_H

#include <cairn/collide.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How finely, and how much of what has no end. 0 in any field: the default. */
typedef struct crn_triangles_options {
    int segments;     /* of a full turn of round shapes; default 32 */
    double reach;     /* half side of the square that stands for a plane [m]; half-plane: its lower half; default 10 */
    double thickness; /* planar shapes become slabs this thick, about z = 0 [m]; 0: flat, seen from +z */
} crn_triangles_options;

/** Triangles with normals. Corners are counter-clockwise seen from outside; a point on a sharp edge stands there once for
 *  each face. */
typedef struct crn_triangles {
    double *points;  /* 3 per point */
    double *normals; /* 3 per point, unit */
    int count;
    int *triangles; /* 3 indices of points each */
    int triangle_count;
    crn_allocator allocator; /* that the arrays came from */
} crn_triangles;

/** The surface of a shape in its frame, closed but for planes and flat shapes. Height fields have a skirt and a base; a
 *  segment without radius is a thin bar. options NULL: defaults; allocator NULL: the default one. */
CRN_API crn_status crn_shape_triangles(const crn_shape_def *def, const crn_triangles_options *options,
                                       const crn_allocator *allocator, crn_triangles *triangles, crn_error *error);
CRN_API void crn_triangles_free(crn_triangles *triangles); /* NULL and empty are fine */

#ifdef __cplusplus
}
#endif
#endif
