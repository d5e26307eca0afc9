/* An explicit inverse W = K^-1 of a small matrix that changes by a row and/or a column at a time.
 *
 * K has rows and columns in lists that the owner keeps; position a of the row list is column a of W, position b of the
 * column list is row b of W. Each update costs one rank-one change of W. With
 *
 *     s    the response of the columns present to the entering one: s = -W a for an entering column a, and
 *          s = W e_p for a row p that is given up (its residual grows at unit rate)
 *     t    g'W for an entering row g
 *     rho  the pivot: rate of the entering row's residual, or of the leaving column's unknown
 *
 * the four changes are (Schur complement and Sherman-Morrison formulas, [GVL s2.1])
 *
 *     border          K gains row g and column a         W := [W - s t/rho, s/rho; -t/rho, 1/rho]
 *     replace column  a comes for column c (rho = s_c)   row c := -row c/rho, other rows += s_i (new row c)
 *     replace row     g comes for row p (rho = t_p)      column j -= s t_j/rho, column p := s/rho
 *     remove          row p and column c go (rho = W_cp) W -= W_.p W_c./rho without them
 *
 * W loses accuracy with the condition of the matrices passed through; the owner watches residuals of what it solves
 * and fills W afresh after crn_inverse_reset() when they grow. */
#ifndef CRN_MATH_INVERSE_H
#define CRN_MATH_INVERSE_H

#include "base/memory.h"

typedef struct crn_inverse {
    int k;        /* order */
    int ld;       /* leading dimension in use: a small one keeps W in few cache lines while k is small */
    int capacity; /* largest order */
    double *W;
} crn_inverse;

/* Take memory for order up to capacity. */
void crn_inverse_layout(crn_inverse *inverse, int capacity, crn_arena *arena);

/* Order k with room to grow; the content of W is the caller's to fill. */
void crn_inverse_reset(crn_inverse *inverse, int k);

/* f is scratch of length k. */
void crn_inverse_border(crn_inverse *inverse, const double *s, const double *t, double rho, double *f);
void crn_inverse_replace_column(crn_inverse *inverse, int c, const double *s, double *f);
void crn_inverse_replace_row(crn_inverse *inverse, int p, const double *t, double *f);
/* The last row and column move into the gaps: the owner's lists must do the same. s is scratch of length k too. */
void crn_inverse_remove(crn_inverse *inverse, int p, int c, double *s, double *f);

#endif
