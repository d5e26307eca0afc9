/* The local friction problem in block rows and in the contacts' own units: what sweeps and Newton steps work on.
 *
 *     u = W r + q,   r = U s_i r^,   u = U / s_i u^,   s_i = delta_i^(-1/2),   delta_i = trace(W_ii) / d
 *
 * gives u^ = W^ r^ + q^ with W^_ij = s_i s_j W_ij, whose diagonal blocks have mean 1, whatever the masses and units. One
 * number per contact leaves cones, complementarity and the direction of slip as they are. U is the speed at which the free
 * motion closes contacts (crn_cone_speed()). */
#ifndef CRN_CONTACT_CONE_BLOCKS_H
#define CRN_CONTACT_CONE_BLOCKS_H

#include "base/memory.h"

/* Largest d: normal and two tangents. */
#define CRN_CONE_DIM 3

typedef struct crn_cone_blocks {
    int d, contacts, n; /* n = d contacts */
    int *start;         /* contacts + 1: blocks of row i are start[i] .. start[i+1]-1 */
    int *column;        /* contact of each block, increasing within a row; the pattern is symmetric */
    int *diagonal;      /* contacts: which block is (i,i) */
    double *block;      /* d x d each, column-major */
    double *q;          /* n, scaled */
    const double *mu;   /* contacts */
    double *s;          /* contacts: scale */
    double speed;       /* U */
    double q_norm;      /* ||q||_2 unscaled, 1 if that is 0 */
} crn_cone_blocks;

/* Share of the largest |q_i| that always counts in U: where free motion hardly closes contacts, closing speeds fall to
 * rounding. */
#define CRN_CONE_SLIP_SHARE 1e-3

/* U = max(max_i -q_n, CRN_CONE_SLIP_SHARE max_i |q_i|), 1 if that is 0. */
double crn_cone_speed(int d, int contacts, const double *q);

/* ||x||_2 without overflow, and 1 in place of 0: what residuals are divided by. */
double crn_cone_size(int n, const double *x);

/* Where delta_i is not positive, the mean of the others takes its place (1 if there is none). */
void crn_cone_mend_masses(int contacts, double *delta);

/* Room for `blocks` blocks. */
void crn_cone_blocks_layout(crn_cone_blocks *W, int d, int contacts, int blocks, crn_arena *arena);

/* With pattern, unscaled blocks, unscaled q and mu in place: find the diagonal, scale all of it. delta: contacts. */
void crn_cone_blocks_finish(crn_cone_blocks *W, double *delta);

/* y = W x */
void crn_cone_blocks_product(const crn_cone_blocks *W, const double *x, double *y);

/* y_i = sum over j of W_ij x_j, one row of blocks */
void crn_cone_blocks_row(const crn_cone_blocks *W, int i, const double *x, double *y);

/* How far r^ with its u^ is from a solution: both residuals of crn_cone_result, as judged in the caller's units. */
typedef struct crn_cone_error {
    double plain;  /* ||natural map|| / ||q|| */
    double scaled; /* largest over contacts, see contact.h */
    double worst;  /* the larger of the two */
} crn_cone_error;

crn_cone_error crn_cone_blocks_error(const crn_cone_blocks *W, const double *r, const double *u);

#endif
