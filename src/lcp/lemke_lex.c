/* Lexicographic ties for Lemke's method  [CPS92 s4.9], as implemented in [YN08 s5]:
 *
 *   A row ties if its ratio is within Delta of the least. Among tied rows the same test is repeated on the columns of
 *   the basis inverse, one after another and with the same Delta, until one row is left; if several are left after the
 *   last column, the least value decides. If z0 is among the tied rows of any test it leaves at once.
 *
 * The basis inverse needs no memory of its own: its column i is minus the tableau's column of w_i while w_i is
 * non-basic, and a unit vector while it is basic. */
#include "lcp/lemke.h"

#include "math/vec.h"

#include <math.h>

static const double TOL_PIVOT = 1e-12; /* as in lemke.c */

/* Entry of row r in column i of the basis inverse. */
static double inverse_entry(const crn_tableau *tableau, int r, int i)
{
    int place = tableau->w_place[i];
    if (place >= 0) {
        return place == r ? 1.0 : 0.0;
    }
    return -tableau->T[r + (long)(-1 - place) * tableau->n];
}

/* Keep the rows whose key is within width of the least; *best is the row of the least. Returns how many are left. */
static int keep_least(int count, int *rows, const double *keys, double width, int *best)
{
    double least = INFINITY;
    for (int t = 0; t < count; ++t) {
        if (keys[t] < least) {
            least = keys[t];
            *best = rows[t];
        }
    }
    int kept = 0;
    for (int t = 0; t < count; ++t) {
        if (keys[t] <= least + width) {
            rows[kept++] = rows[t];
        }
    }
    return kept;
}

static int row_of_z0(const crn_tableau *tableau, int count, const int *rows)
{
    for (int t = 0; t < count; ++t) {
        if (tableau->basic[rows[t]] == tableau->n) {
            return rows[t];
        }
    }
    return -1;
}

int crn_lemke_lex_row(const crn_tableau *tableau, int e, double direction, double tie_width, int *tied, int *ties)
{
    const int n = tableau->n;
    const double *column = tableau->T + (long)e * n;
    const double floor_rate = TOL_PIVOT * crn_max_abs(n, column);
    double *keys = tableau->job->low; /* the judge's scratch is free during a solve */
    int count = 0, best = -1;
    for (int r = 0; r < n; ++r) {
        double rate = direction * column[r];
        unsigned char state;
        if (fabs(rate) > floor_rate) {
            double room = crn_tableau_room(tableau, r, rate, &state);
            if (!isinf(room)) {
                keys[count] = room / fabs(rate);
                tied[count++] = r;
            }
        }
    }
    if (count == 0) {
        return -1;
    }
    count = keep_least(count, tied, keys, tie_width, &best);
    *ties = count;
    for (int i = 0; i < n && count > 1; ++i) {
        int z0_row = row_of_z0(tableau, count, tied);
        if (z0_row >= 0) {
            return z0_row;
        }
        for (int t = 0; t < count; ++t) {
            keys[t] = inverse_entry(tableau, tied[t], i) / -(direction * column[tied[t]]);
        }
        count = keep_least(count, tied, keys, tie_width, &best);
    }
    return best;
}
