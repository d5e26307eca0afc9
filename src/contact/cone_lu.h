/* LU of a matrix whose blocks follow the contact graph, in dense tiles.
 *
 * Rows and columns of contacts that take no part (open ones) are left out; the tiles only shrink by that, so the room is
 * settled once for all. Partial pivoting stays within a diagonal tile: exact for small problems, which are one tile, and
 * for larger ones the caller checks the residual. */
#ifndef CRN_CONTACT_CONE_LU_H
#define CRN_CONTACT_CONE_LU_H

#include "contact/cone_order.h"

/* Rows of the largest tile: three 48 x 48 tiles of doubles are 55 kB, two of them live in a first-level cache. */
#define CRN_CONE_TILE 48

typedef struct crn_cone_lu {
    const crn_cone_order *order;
    int d;
    int *rows;        /* tiles: rows that take part */
    int *place;       /* contacts: first row within its tile, -1 if it takes no part */
    size_t *diagonal; /* tiles: where D_tt begins in value */
    size_t *lower;    /* entries of order->row: where L_IJ begins (rows of I x rows of J) */
    size_t *upper;    /* likewise U_JI (rows of J x rows of I) */
    int *pivot;       /* n */
    double *value;
    size_t values;
} crn_cone_lu;

/* Everything but the values; sets how many there are. */
void crn_cone_lu_layout(crn_cone_lu *lu, const crn_cone_order *order, int d, crn_arena *arena);

/* False if the values do not fit. */
bool crn_cone_lu_take(crn_cone_lu *lu, crn_arena *arena);

/* Begin a matrix over the contacts with is_active[i]: all entries 0. */
void crn_cone_lu_begin(crn_cone_lu *lu, const bool *is_active);

/* Where the d x d block (i,j) of two active contacts of the graph begins; *ld is the distance of its columns. */
double *crn_cone_lu_block(const crn_cone_lu *lu, int i, int j, int *ld);

/* False if a pivot is 0 or not finite. */
bool crn_cone_lu_factor(crn_cone_lu *lu);

/* x = A \ x over all contacts; entries of contacts that take no part are not touched. */
void crn_cone_lu_solve(const crn_cone_lu *lu, double *x, double *work);

#endif
