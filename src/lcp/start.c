/* Regular starts.
 *
 * The free variables' columns are eliminated one after another, each by the strongest row of a free variable that is
 * left. A column that only rows of bounded variables could serve takes such a row w_s, and z_s in turn takes a row of a
 * free variable: s becomes basic too, as the partner in a block pivot  [BK77]. Rows and columns need not pair up on the
 * way; at the end both lists hold the same variables. */
#include "lcp/start.h"

#include "math/vec.h"

#include <math.h>

/* A pivot below this fraction of its column is taken as 0. */
static const double TOL_PIVOT = 1e-9;
/* An own pivot below this fraction of its column is passed over for a pair. */
static const double WEAK_PIVOT = 1e-3;
/* Partners tried for a variable. */
enum { MAX_PARTNERS = 8 };

static bool is_free(const crn_view *view, int i)
{
    return isinf(view->lower[i]) && isinf(view->upper[i]);
}

/* The smallest |dw| that counts as a pivot along the edge just computed. */
static double least_pivot(const crn_basis *basis)
{
    double largest = crn_max(crn_max_abs(basis->n, basis->dw), crn_max_abs(basis->k, basis->rate));
    return TOL_PIVOT * crn_max(largest, 1.0);
}

/* The row not in force, of a free variable or of a bounded one, with the largest |dw| below `limit`; -1 if that is no
 * pivot. */
static int strongest_row(const crn_basis *basis, bool of_free, double limit, double floor_pivot)
{
    int best = -1;
    for (int i = 0; i < basis->n; ++i) {
        double size = fabs(basis->dw[i]);
        if (basis->row_at[i] < 0 && is_free(basis->view, i) == of_free && size < limit && size > floor_pivot) {
            best = best < 0 || size > fabs(basis->dw[best]) ? i : best;
        }
    }
    return best;
}

/* z_j comes in for row w_s, then z_s for a row that is left over: that of a free variable, or row `only` if >= 0. */
static bool bring_in_with(crn_basis *basis, int j, int s, int only)
{
    crn_basis_exchange(basis, j, 1.0, crn_w(s), 0);
    if (crn_basis_direction(basis, s, 1.0)) {
        double floor_pivot = least_pivot(basis);
        int r = only >= 0 ? only : strongest_row(basis, true, INFINITY, floor_pivot);
        if (r >= 0 && fabs(basis->dw[r]) > floor_pivot) {
            crn_basis_exchange(basis, s, 1.0, crn_w(r), 0);
            return true;
        }
    }
    /* Not this partner: undo. */
    if (crn_basis_direction(basis, crn_w(s), 1.0)) {
        crn_basis_exchange(basis, crn_w(s), 1.0, j, CRN_LCP_AT_LOWER);
    }
    return false;
}

/* Try the strongest bounded rows as partners of z_j. */
static bool bring_in_with_partner(crn_basis *basis, int j, int only)
{
    double limit = INFINITY;
    for (int tries = 0; tries < MAX_PARTNERS && crn_basis_direction(basis, j, 1.0); ++tries) {
        int s = strongest_row(basis, false, limit, least_pivot(basis));
        if (s < 0) {
            return false;
        }
        limit = fabs(basis->dw[s]);
        if (s != j && basis->col_at[s] < 0 && bring_in_with(basis, j, s, only)) {
            return true;
        }
    }
    return false;
}

/* Free variable j comes in for the row of any free variable, or of a bounded one whose z then takes such a row. */
static bool bring_in_free(crn_basis *basis, int j)
{
    if (!crn_basis_direction(basis, j, 1.0)) {
        return false;
    }
    int r = strongest_row(basis, true, INFINITY, least_pivot(basis));
    if (r >= 0) {
        crn_basis_exchange(basis, j, 1.0, crn_w(r), 0);
        return true;
    }
    return bring_in_with_partner(basis, j, -1);
}

/* Bounded variable j comes in by a principal pivot of order 1, or 2 where its own pivot is weak. */
static bool bring_in_bounded(crn_basis *basis, int j)
{
    if (!crn_basis_direction(basis, j, 1.0)) {
        return false;
    }
    double own = fabs(basis->dw[j]), floor_pivot = least_pivot(basis);
    if (own > floor_pivot && own > WEAK_PIVOT * crn_max_abs(basis->n, basis->dw)) {
        crn_basis_exchange(basis, j, 1.0, crn_w(j), 0);
        return true;
    }
    return bring_in_with_partner(basis, j, j);
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
            if (basis->col_at[j] >= 0 || is_free(basis->view, j) != (pass == 0)) {
                continue;
            }
            if (pass == 0) {
                (void)bring_in_free(basis, j); /* one that does not come in depends on the others */
            } else {
                extra -= bring_in_bounded(basis, j);
            }
        }
    }
    for (int i = 0; i < n; ++i) {
        state[i] = basis->state[i];
    }
    return true;
}
