/* Updates of an explicit inverse; the formulas are in inverse.h. */
#include "math/inverse.h"

#include "math/vec.h"

#include <string.h>

enum { FIRST_LD = 16 }; /* two cache lines per column to begin with */

void crn_inverse_layout(crn_inverse *inverse, int capacity, crn_arena *arena)
{
    inverse->k = 0;
    inverse->ld = 0;
    inverse->capacity = (capacity + 7) / 8 * 8;
    inverse->W = CRN_TAKE_MATRIX(arena, double, inverse->capacity, inverse->capacity);
}

/* The leading dimension for order k: doubling, so that moves are rare. */
static int ld_for(const crn_inverse *inverse, int k)
{
    int ld = FIRST_LD;
    while (ld < k) {
        ld *= 2;
    }
    return ld < inverse->capacity ? ld : inverse->capacity;
}

void crn_inverse_reset(crn_inverse *inverse, int k)
{
    inverse->k = k;
    inverse->ld = ld_for(inverse, k);
}

/* Spread the columns to a larger leading dimension, last first, in place. */
static void widen(crn_inverse *inverse, int ld)
{
    for (int j = inverse->k - 1; j > 0; --j) {
        memmove(inverse->W + (long)j * ld, inverse->W + (long)j * inverse->ld, (size_t)inverse->k * sizeof(double));
    }
    inverse->ld = ld;
}

/* f_j = scale * x_j */
static void scaled(int k, double scale, const double *x, double *f)
{
    for (int j = 0; j < k; ++j) {
        f[j] = scale * x[j];
    }
}

/* Row r of W: read it into f times scale, or write it. */
static void read_row(const crn_inverse *inverse, int r, double scale, double *f)
{
    for (int j = 0; j < inverse->k; ++j) {
        f[j] = scale * inverse->W[r + (long)j * inverse->ld];
    }
}

static void write_row(crn_inverse *inverse, int r, const double *f)
{
    for (int j = 0; j < inverse->k; ++j) {
        inverse->W[r + (long)j * inverse->ld] = f[j];
    }
}

void crn_inverse_border(crn_inverse *inverse, const double *s, const double *t, double rho, double *f)
{
    const int k = inverse->k;
    if (k + 1 > inverse->ld) {
        widen(inverse, ld_for(inverse, k + 1));
    }
    scaled(k, -1.0 / rho, t, f);
    crn_rank_one(k, k, s, f, inverse->W, inverse->ld);
    write_row(inverse, k, f);
    double *last = inverse->W + (long)k * inverse->ld;
    scaled(k, 1.0 / rho, s, last);
    last[k] = 1.0 / rho;
    inverse->k = k + 1;
}

void crn_inverse_replace_column(crn_inverse *inverse, int c, const double *s, double *f)
{
    read_row(inverse, c, -1.0 / s[c], f);
    crn_rank_one(inverse->k, inverse->k, s, f, inverse->W, inverse->ld);
    write_row(inverse, c, f);
}

void crn_inverse_replace_row(crn_inverse *inverse, int p, const double *t, double *f)
{
    double *leaving = inverse->W + (long)p * inverse->ld;
    crn_scal(inverse->k, 1.0 / t[p], leaving);
    scaled(inverse->k, -1.0, t, f);
    f[p] = 0.0; /* its own column is done */
    crn_rank_one(inverse->k, inverse->k, leaving, f, inverse->W, inverse->ld);
}

void crn_inverse_remove(crn_inverse *inverse, int p, int c, double *s, double *f)
{
    const int last = inverse->k - 1;
    double *leaving = inverse->W + (long)p * inverse->ld;
    scaled(inverse->k, 1.0 / leaving[c], leaving, s);
    read_row(inverse, c, -1.0, f);
    f[p] = 0.0; /* this column goes */
    crn_rank_one(inverse->k, inverse->k, s, f, inverse->W, inverse->ld);
    if (c != last) { /* the last row takes the place of row c */
        read_row(inverse, last, 1.0, f);
        write_row(inverse, c, f);
    }
    if (p != last) {
        memcpy(leaving, inverse->W + (long)last * inverse->ld, (size_t)last * sizeof(double));
    }
    inverse->k = last;
}
