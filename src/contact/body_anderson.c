/* Anderson acceleration  [A65]: with f_j = g_j - r_j of the last m + 1 points, choose gamma to minimise
 *
 *     | f_m - sum_j gamma_j (f_(j+1) - f_j) |,      r <- g_m - sum_j gamma_j (g_(j+1) - g_j)
 *
 * by normal equations: m is at most CRN_ANDERSON_DEPTH, and a poor combination is thrown away by the caller. */
#include "contact/body_anderson.h"

#include <string.h>

#include "math/ldl.h"

/* Added to the diagonal of the normal equations, as a share of it: where one slow mode is left all differences are
 * parallel, and any share of each will do. */
static const double RIDGE = 1e-10;
static const double SINGULAR = 1e-14; /* pivots below this share of their diagonal: rounding */

void crn_anderson_layout(crn_anderson *a, int length, crn_arena *arena)
{
    a->length = length;
    a->count = 0;
    for (int j = 0; j <= CRN_ANDERSON_DEPTH; ++j) {
        a->r[j] = CRN_TAKE(arena, double, length);
        a->g[j] = CRN_TAKE(arena, double, length);
    }
}

void crn_anderson_reset(crn_anderson *a)
{
    a->count = 0;
}

void crn_anderson_note(crn_anderson *a, const double *r, const double *g)
{
    if (a->count > CRN_ANDERSON_DEPTH) { /* the oldest pair's memory becomes the newest's */
        double *oldest_r = a->r[0], *oldest_g = a->g[0];
        memmove(a->r, a->r + 1, CRN_ANDERSON_DEPTH * sizeof *a->r);
        memmove(a->g, a->g + 1, CRN_ANDERSON_DEPTH * sizeof *a->g);
        a->count = CRN_ANDERSON_DEPTH;
        a->r[a->count] = oldest_r;
        a->g[a->count] = oldest_g;
    }
    memcpy(a->r[a->count], r, (size_t)a->length * sizeof *r);
    memcpy(a->g[a->count], g, (size_t)a->length * sizeof *g);
    a->count++;
}

bool crn_anderson_combine(const crn_anderson *a, const double *weight, double *to)
{
    double gram[CRN_ANDERSON_DEPTH * CRN_ANDERSON_DEPTH] = {0}, gamma[CRN_ANDERSON_DEPTH] = {0};
    double work[CRN_ANDERSON_DEPTH];
    int m = a->count - 1;
    if (m < 1) {
        return false;
    }
    for (int e = 0; e < a->length; ++e) {
        double last = a->g[m][e] - a->r[m][e], difference[CRN_ANDERSON_DEPTH];
        for (int j = 0; j < m; ++j) {
            difference[j] = (a->g[j + 1][e] - a->r[j + 1][e]) - (a->g[j][e] - a->r[j][e]);
            gamma[j] += weight[e] * difference[j] * last;
            for (int i = 0; i <= j; ++i) {
                gram[j + i * m] += weight[e] * difference[i] * difference[j];
            }
        }
    }
    for (int j = 0; j < m; ++j) {
        gram[j + j * m] *= 1.0 + RIDGE;
    }
    crn_ldl ldl = {.n = m, .ld = m, .a = gram, .work = work};
    if (!crn_ldl_factor(&ldl, SINGULAR)) {
        return false;
    }
    crn_ldl_solve(&ldl, gamma);
    memcpy(to, a->g[m], (size_t)a->length * sizeof *to);
    for (int j = 0; j < m; ++j) {
        for (int e = 0; e < a->length; ++e) {
            to[e] -= gamma[j] * (a->g[j + 1][e] - a->g[j][e]);
        }
    }
    return true;
}
