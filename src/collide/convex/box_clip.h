/* Where the nearest faces of two boxes lie over each other, seen along a common direction. */
#ifndef CRN_COLLIDE_BOX_CLIP_H
#define CRN_COLLIDE_BOX_CLIP_H

#include "collide/convex/box.h"

#include <stdbool.h>

/* The other box as the first sees it. */
typedef struct crn_box_other {
    const double *h;      /* half sides */
    const double *centre; /* in the first box's frame */
    const double *axes;   /* axis j of the other, component i along the first's: axes[i + 3 j] */
} crn_box_other;

/* A corner of the common region: where it lies on the first box's face, how far above it the other face is, and which
 * features of the two boxes cross there. */
typedef struct crn_box_corner {
    double u, v, gap;
    int tag;  /* see box_clip.c */
    int next; /* what the boundary follows to the next corner */
} crn_box_corner;

/* Four corners cut by four lines are eight; the rest is room for corners within the slack. */
enum { CRN_BOX_CORNERS = 16 };

typedef struct crn_box_patch {
    crn_box_view view;                        /* the first box's face */
    crn_box_view other;                       /* the other's */
    double centre[3], along_p[3], along_q[3]; /* the other's face before cutting: centre, half edges as (u, v, gap) */
    int count;
    crn_box_corner corner[CRN_BOX_CORNERS];
} crn_box_patch;

/* n: out of the first box, unit; n_first, n_other: in the frames of the two. */
void crn_box_clip(const double h[3], const double n_first[3], const crn_box_other *other, const double n_other[3],
                  crn_box_patch *patch);

/* Features of the first and of the other box that meet in a corner. */
void crn_box_corner_names(const crn_box_patch *patch, int tag, int *first, int *other);

#endif
