/* Regular starts by principal pivots of order 1 and 2, as in Bunch and Kaufman's factorisation [BK77]. */
#include "lcp/start.h"

#include "math/vec.h"

#include <math.h>

/* A pivot below this fraction of its column is taken as 0. */
static const double TOL_PIVOT = 1e-9;
/* Partners tried for a variable whose own pivot is 0. */
enum { MAX_PARTNERS = 8 };

/* Largest |dw| over rows that are not in force, among those below `limit`; -1 if none is a pivot. */
static int strongest_row(const crn_basis *basis, double limit, double floor_pivot)
{
    int best = -1;
    for (int i = 0; i < basis->n; ++i) {
        double size = fabs(basis->dw[i]);
        if (basis->row_at[i] < 0 && size < limit && size > floor_pivot) {
            best = best < 0 || size > fabs(basis->dw[best]) ? i : best;
        }
    }
    return best;
}

/* z_j and z_s come in together, as a pivot block of order 2 with rows j and s. */
static bool bring_in_pair(crn_basis *basis, int j, int s)
{
    crn_basis_exchange(basis, j, 1.0, crn_w(s), 0);
    if (basis->row_at[s] >= 0 && crn_basis_direction(basis, s, 1.0)) {
        double floor_pivot = TOL_PIVOT * fmax(crn_max_abs(basis->n, basis->dw), 1.0);
        if (basis->row_at[j] < 0 && fabs(basis->dw[j]) > floor_pivot) {
            crn_basis_exchange(basis, s, 1.0, crn_w(j), 0);
            return true;
        }
    }
    /* Not this partner: undo. */
    if (crn_basis_direction(basis, crn_w(s), 1.0)) {
        crn_basis_exchange(basis, crn_w(s), 1.0, j, CRN_LCP_AT_LOWER);
    }
    return false;
}

/* Bring z_j in by a pivot of order 1 or 2; false if its column is 0 in the rows left. */
static bool bring_in(crn_basis *basis, int j)
{
    if (!crn_basis_direction(basis, j, 1.0)) {
        return false;
    }
    double largest = crn_max_abs(basis->n, basis->dw);
    double floor_pivot = TOL_PIVOT * fmax(largest, fmax(crn_max_abs(basis->k, basis->rate), 1.0));
    if (fabs(basis->dw[j]) > floor_pivot && fabs(basis->dw[j]) > 1e-3 * largest) {
        crn_basis_exchange(basis, j, 1.0, crn_w(j), 0);
        return true;
    }
    double limit = INFINITY;
    for (int tries = 0; tries < MAX_PARTNERS; ++tries) {
        int s = strongest_row(basis, limit, floor_pivot);
        if (s < 0) {
            return false;
        }
        limit = fabs(basis->dw[s]);
        if (s == j) {
            crn_basis_exchange(basis, j, 1.0, crn_w(j), 0);
            return true;
        }
        if (bring_in_pair(basis, j, s)) {
            return true;
        }
        if (!crn_basis_direction(basis, j, 1.0)) {
            return false;
        }
    }
    return false;
}

static bool is_free(const crn_view *view, int i)
{
    return isinf(view->lower[i]) && isinf(view->upper[i]);
}

static void shuffle(int n, int *order, crn_random *random)
{
    for (int i = 0; i < n; ++i) {
        order[i] = i;
    }
    for (int i = n - 1; i > 0 && random != NULL; --i) {
        int other = crn_random_below(random, i + 1);
        int t = order[i];
        order[i] = order[other];
        order[other] = t;
    }
}

bool crn_start_random(crn_basis *basis, unsigned char *state, int extra, crn_random *random, int *order)
{
    const int n = basis->n;
    shuffle(n, order, random);
    for (int i = 0; i < n; ++i) {
        bool was_basic = state[i] == CRN_LCP_BASIC;
        state[i] = was_basic ? CRN_LCP_AT_LOWER : state[i];
    }
    if (!crn_basis_begin(basis, state)) {
        return false;
    }
    crn_basis_invert(basis);
    for (int pass = 0; pass < 2; ++pass) { /* free variables, then whatever comes */
        for (int t = 0; t < n && (pass == 0 || extra > 0); ++t) {
            int j = order[t];
            if (basis->col_at[j] < 0 && is_free(basis->view, j) == (pass == 0)) {
                extra -= bring_in(basis, j) && pass == 1;
            }
        }
    }
    for (int i = 0; i < n; ++i) {
        state[i] = basis->state[i];
    }
    return true;
}

bool crn_start_regular(crn_basis *basis, unsigned char *state, int *order)
{
    return crn_start_random(basis, state, 0, NULL, order);
}
