/* An almost complementary basis of the covered problem  w = A z + c z0 + q'  [CPS92 s4.4], factorised.
 *
 *   rows   the equations in force, w_i = 0        (w_i non-basic)
 *   cols   the unknowns that may move, z_j or z0  (basic)
 *   K      A restricted to rows and cols, z0's column being c; W = K^-1 is kept (math/inverse.h)
 *
 * All other z stand at a bound, all other w follow from z. The order k of K is what a basis costs: k^2 for a pivot's
 * update and n k for its direction, where a tableau pays n^2. Values and directions come from W and are judged by
 * their residuals in the rows in force, which cost nothing because the product A z is formed over all rows anyway; a
 * residual that has grown is first refined away, then cured by fresh factors. */
#ifndef CRN_LCP_BASIS_H
#define CRN_LCP_BASIS_H

#include "lcp/job.h"
#include "math/inverse.h"
#include "math/lu.h"

/* Variables by number: z_j is j, z0 is n, w_i is crn_w(i). */
static inline int crn_w(int i)
{
    return -1 - i;
}

typedef struct crn_basis {
    const crn_job *job;
    const crn_view *view;
    int n;
    int k;                /* order of K */
    int *rows, *cols;     /* lists of length k */
    int *row_at, *col_at; /* place in the list, or -1; lengths n and n + 1 */
    unsigned char *state; /* n: where z_i stands; CRN_LCP_BASIC iff in cols */
    double *sense;        /* n: +1 if w_i >= 0 is watched, -1 if w_i <= 0, 0 if neither (in force, or l = u) */
    double *cover;        /* n: c */
    double *z;            /* n + 1: values, z0 last */
    double *w;            /* n */
    double *rate;         /* k: rates of cols along the edge */
    double *dw;           /* n: rates of w along the edge */
    double *column;       /* n: the entering column */
    double *g, *t;        /* n + 1 each: scratch of pivots */
    crn_inverse inverse;
    crn_lu lu; /* fresh factors, order up to n + 1 */
    int refactorizations;
} crn_basis;

void crn_basis_layout(crn_basis *basis, const crn_job *job, crn_arena *arena);

/* Begin with these states (read, not kept), no z0, cover 0: factorise, find z and w. False if the block of basic
 * variables is singular. */
bool crn_basis_begin(crn_basis *basis, const unsigned char *state);

/* The lists alone for these states, cover and z0 kept, for going back; crn_basis_refactor() must follow. */
void crn_basis_begin_lists(crn_basis *basis, const unsigned char *state);

/* w = A z + c z0 + q' for the z as they are. */
void crn_basis_compute_w(crn_basis *basis);

/* W from the factors that crn_basis_begin() made; needed before the first pivot. */
void crn_basis_invert(crn_basis *basis);

/* Rates of cols and of w when variable `enter` moves with speed `direction` (+1 or -1). False if the basis is
 * numerically singular. */
bool crn_basis_direction(crn_basis *basis, int enter, double direction);

/* Move along that edge by `step`. */
void crn_basis_advance(crn_basis *basis, int enter, double direction, double step);

/* Exchange: `enter` becomes basic, `leave` non-basic (a z at `leave_state`). The rates of crn_basis_direction() with
 * direction +1 or -1 must be those of this entering variable. */
void crn_basis_exchange(crn_basis *basis, int enter, double direction, int leave, unsigned char leave_state);

/* The same on the lists alone, for going back; crn_basis_refactor() must follow. */
void crn_basis_exchange_lists(crn_basis *basis, int enter, int leave, unsigned char leave_state);

/* Fresh factors, W and values for the lists as they are. False if singular. */
bool crn_basis_refactor(crn_basis *basis);

/* The direction of the edge just computed, z's part in the caller's units (but for one factor), into ray. */
void crn_basis_ray(const crn_basis *basis, int enter, double direction, double *ray);

/* Largest |w_i| over the rows in force: how far the values are from their equations. */
double crn_basis_residual(const crn_basis *basis);

#endif
