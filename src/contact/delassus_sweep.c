/* Gauss-Seidel sweeps: one contact, or row, after the other is solved exactly with all others held [JAJ98]. */
#include <math.h>
#include <string.h>

#include "contact/cone_law.h"
#include "contact/delassus.h"
#include "math/vec.h"

/* Impulses of an item from its first unknown on become x: velocities follow. */
static void take(crn_delassus *d, int first, int width, const double *x)
{
    for (int k = 0; k < width; ++k) {
        crn_axpy(d->n, x[k] - d->r[first + k], d->G + (size_t)(first + k) * (size_t)d->n, d->u);
        d->r[first + k] = x[k];
    }
}

static void visit_contact(crn_delassus *d, int i)
{
    const int first = d->first[i], width = d->first[i + 1] - first;
    const double *G = d->G + (size_t)first * (size_t)d->n + first;
    double B[9], g[3], x[3];
    if (width == 1) {
        x[0] = crn_max(0.0, d->r[first] - d->u[first] / d->delta[i]);
        take(d, first, 1, x);
        return;
    }
    for (int k = 0; k < width; ++k) {
        memcpy(B + (size_t)k * (size_t)width, G + (size_t)k * (size_t)d->n, (size_t)width * sizeof *B);
        g[k] = d->u[first + k];
        x[k] = d->r[first + k];
    }
    for (int k = 0; k < width; ++k) {
        for (int j = 0; j < width; ++j) {
            g[j] -= B[j + k * width] * x[k];
        }
    }
    if (crn_cone_one_contact(width, d->system->mu[i], B, g, x)) { /* where there is no answer it stays */
        take(d, first, width, x);
    }
}

static void visit_row(crn_delassus *d, int i)
{
    const int at = d->first[d->contacts + i];
    const double bound = d->system->row_bound[i], x = d->r[at] - d->u[at] / d->delta[d->contacts + i];
    double clipped = crn_clamp(x, -bound, bound);
    take(d, at, 1, &clipped);
}

void crn_delassus_sweep(crn_delassus *d, int count)
{
    crn_delassus_velocity(d, d->r, d->u);
    for (int k = 0; k < count; ++k) {
        for (int i = 0; i < d->contacts; ++i) {
            visit_contact(d, k % 2 == 0 ? i : d->contacts - 1 - i);
        }
        for (int i = 0; i < d->rows; ++i) {
            visit_row(d, i);
        }
    }
}
