/* Covering vectors. */
#include "lcp/cover.h"

#include "math/vec.h"

#include <math.h>

static double fraction(crn_random *random)
{
    return crn_random_uniform(random, 0.0, 1.0);
}

double crn_cover_violation(const crn_basis *basis)
{
    double worst = 0.0;
    for (int i = 0; i < basis->n; ++i) {
        worst = crn_max(worst, -basis->sense[i] * basis->w[i]);
    }
    for (int b = 0; b < basis->k; ++b) {
        int j = basis->cols[b];
        if (j < basis->n) {
            worst = crn_max(worst, crn_max(basis->view->lower[j] - basis->z[j], basis->z[j] - basis->view->upper[j]));
        }
    }
    return worst;
}

bool crn_cover_needs_point(const crn_basis *basis)
{
    for (int b = 0; b < basis->k; ++b) {
        int j = basis->cols[b];
        if (j < basis->n && (isfinite(basis->view->lower[j]) || isfinite(basis->view->upper[j]))) {
            return true;
        }
    }
    return false;
}

int crn_cover_start(crn_basis *basis)
{
    double z0 = 0.0;
    int row = 0;
    for (int i = 0; i < basis->n; ++i) {
        double needed = basis->sense[i] != 0.0 ? -basis->w[i] / basis->cover[i] : 0.0;
        if (needed > z0) {
            z0 = needed;
            row = i;
        }
    }
    basis->z[basis->n] = z0;
    for (int i = 0; i < basis->n; ++i) {
        basis->w[i] += basis->cover[i] * z0;
    }
    return row;
}

int crn_cover_rows(crn_basis *basis, crn_random *random)
{
    for (int i = 0; i < basis->n; ++i) {
        basis->cover[i] = basis->sense[i] * (1.0 + fraction(random));
    }
    return crn_cover_start(basis);
}

void crn_cover_point(crn_basis *basis, double violation, crn_random *random)
{
    const crn_view *view = basis->view;
    for (int b = 0; b < basis->k; ++b) {
        int j = basis->cols[b];
        double margin = violation * (0.5 + fraction(random));
        margin = crn_min(margin, (view->upper[j] - view->lower[j]) * (0.25 + 0.25 * fraction(random)));
        basis->z[j] = crn_min(crn_max(basis->z[j], view->lower[j] + margin), view->upper[j] - margin);
    }
    crn_basis_compute_w(basis);
    for (int i = 0; i < basis->n; ++i) {
        double margin = violation * (0.5 + fraction(random));
        double wanted = basis->row_at[i] >= 0 ? 0.0 : basis->w[i];
        if (basis->sense[i] * basis->w[i] < margin && basis->sense[i] != 0.0) {
            wanted = basis->sense[i] * margin;
        }
        basis->cover[i] = wanted - basis->w[i];
        basis->w[i] = wanted;
    }
    basis->z[basis->n] = 1.0;
}
