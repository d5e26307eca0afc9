/* The problem as the solvers see it: equilibrated, dense or sparse, never copied when dense.
 *
 * With powers of two r_i, c_j and s (so that scaling rounds nothing), the solvers work on
 *
 *     A = R M C,   q' = R q / s,   z = s C z',   w = s R^-1 w',   l' = C^-1 l / s,   u' = C^-1 u / s
 *
 * which has the same complementary solutions because R, C and s are positive. R and C come from Ruiz's sweeps [R01 s2]:
 * divide rows and columns by the square roots of their largest entries until those are near 1. What is left open, one
 * unit for each connected part of M, makes the largest q of the part near 1. s is just above the largest entry of R (M z_start + q),
 * z_start being 0 clamped to the bounds, so the data that drive the problem have size 1 and tolerances are plain numbers. */
#ifndef CRN_LCP_VIEW_H
#define CRN_LCP_VIEW_H

#include "base/memory.h"
#include "math/sparse.h"

#include <cairn/lcp.h>

#include <math.h>

typedef struct crn_view {
    int n;
    const crn_lcp_problem *problem;
    bool is_sparse;        /* given so, or dense with few non-zeros */
    crn_sparse columns;    /* sparse: M by columns; the caller's arrays, or compressed from dense */
    double *r, *c;         /* row and column scales */
    double scale;          /* largest entry of R (M z_start + q), or 1 if that is 0 */
    double s;              /* the power of two above scale */
    double *q;             /* q' */
    double *lower, *upper; /* l', u' */
    double *work;          /* 3 n */
    int sweeps;            /* of the scaling */
} crn_view;

/* Bounds in the caller's units, given or not. */
static inline double crn_lower_bound(const crn_lcp_problem *p, int i)
{
    return p->lower != NULL ? p->lower[i] : 0.0;
}

static inline double crn_upper_bound(const crn_lcp_problem *p, int i)
{
    return p->upper != NULL ? p->upper[i] : INFINITY;
}

/* Where a variable with that value stands. */
static inline unsigned char crn_state_of(double z, double lower, double upper)
{
    if (z <= lower) {
        return CRN_LCP_AT_LOWER;
    }
    return z >= upper ? CRN_LCP_AT_UPPER : CRN_LCP_BASIC;
}

/* z_start of a variable: 0 clamped to its bounds, in the caller's units. */
static inline double crn_view_start(const crn_view *view, int i)
{
    const crn_lcp_problem *p = view->problem;
    if (p->lower != NULL && p->lower[i] > 0.0) {
        return p->lower[i];
    }
    return p->upper != NULL && p->upper[i] < 0.0 ? p->upper[i] : 0.0;
}

void crn_view_layout(crn_view *view, const crn_lcp_problem *problem, crn_arena *arena);

/* Scale the problem. Fails, naming the entry, if M, q or a bound is not what it should be. */
crn_status crn_view_open(crn_view *view, crn_error *error);

/* y = A(:, column) x for the listed columns (entries outside 0..n-1 are passed over). */
void crn_view_product(const crn_view *view, int count, const int *column, const double *x, double *y);

/* a = A(:,j) */
void crn_view_column(const crn_view *view, int j, double *a);

/* g[k] = A(i, column[k]) for the listed columns (entries outside 0..n-1 are passed over). */
void crn_view_row(const crn_view *view, int i, int count, const int *column, double *g);

/* A(i,j) */
double crn_view_entry(const crn_view *view, int i, int j);

/* high = M z + q in the caller's units, summed in double-double (low is scratch); size is |M| |z| + |q|. */
void crn_view_residual(const crn_view *view, const double *z, double *high, double *low, double *size);

/* y = M' x, and y = |M|' |x|, in the caller's units. */
void crn_view_transposed_product(const crn_view *view, const double *x, double *y);
void crn_view_transposed_scale(const crn_view *view, const double *x, double *y);

#endif
