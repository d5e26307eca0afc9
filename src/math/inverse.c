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
    inverse->W = CRN_TAKE(arena, double, (size_t)inverse->capacity * (size_t)inverse->capacity);
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

void crn_inverse_border(crn_inverse *inverse, const double *s, const double *t, double rho)
{
    const int k = inverse->k;
    if (k + 1 > inverse->ld) {
        widen(inverse, ld_for(inverse, k + 1));
    }
    const double scale = 1.0 / rho;
    for (int j = 0; j < k; ++j) {
        double *column = inverse->W + (long)j * inverse->ld;
        double f = -t[j] * scale;
        if (f != 0.0) {
            crn_axpy(k, f, s, column);
        }
        column[k] = f;
    }
    double *last = inverse->W + (long)k * inverse->ld;
    for (int i = 0; i < k; ++i) {
        last[i] = s[i] * scale;
    }
    last[k] = scale;
    inverse->k = k + 1;
}

void crn_inverse_replace_column(crn_inverse *inverse, int c, const double *s)
{
    const double scale = -1.0 / s[c];
    for (int j = 0; j < inverse->k; ++j) {
        double *column = inverse->W + (long)j * inverse->ld;
        double f = column[c] * scale;
        if (f != 0.0) {
            crn_axpy(inverse->k, f, s, column);
        }
        column[c] = f;
    }
}

void crn_inverse_replace_row(crn_inverse *inverse, int p, const double *t)
{
    double *leaving = inverse->W + (long)p * inverse->ld;
    crn_scal(inverse->k, 1.0 / t[p], leaving);
    for (int j = 0; j < inverse->k; ++j) {
        if (j != p && t[j] != 0.0) {
            crn_axpy(inverse->k, -t[j], leaving, inverse->W + (long)j * inverse->ld);
        }
    }
}

void crn_inverse_remove(crn_inverse *inverse, int p, int c, double *work)
{
    const int k = inverse->k, last = k - 1;
    double *leaving = inverse->W + (long)p * inverse->ld;
    const double scale = 1.0 / leaving[c];
    for (int i = 0; i < k; ++i) {
        work[i] = leaving[i] * scale;
    }
    for (int j = 0; j < k; ++j) {
        double *column = inverse->W + (long)j * inverse->ld;
        double f = column[c];
        if (j != p && f != 0.0) {
            crn_axpy(k, -f, work, column);
        }
        column[c] = column[last]; /* row c is gone, the last row takes its place */
    }
    if (p != last) {
        memcpy(leaving, inverse->W + (long)last * inverse->ld, (size_t)last * sizeof(double));
    }
    inverse->k = last;
}
