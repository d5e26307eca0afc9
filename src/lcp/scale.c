/* Equilibration: Ruiz's sweeps, then one unit for each connected part of M.
 *
 * Largest entries are all that is looked at. Means of the exponents of all entries, which would recover units that largest
 * entries leave open, take small numbers for a matter of units: in a flat chain the couplings out of the plane are 2^-44 to
 * 2^-18 of the largest entry, and scaled up to the size of the others they make bases singular that are not. */
#include "lcp/scale.h"

#include "math/forest.h"
#include "math/vec.h"

#include <math.h>
#include <string.h>

enum { MAX_SWEEPS = 12 };            /* of Ruiz: each halves the exponents left, 2^12 covers all doubles */
static const double NEAR_ONE = 16.0; /* rows and columns with largest entries in [1/16, 16] need no further sweep */
/* No row or column is scaled by more: products of two scales and a datum stay within the range of doubles. */
static const double LARGEST_SCALE = 0x1p300;
/* The power of two nearest to 1/sqrt(x), exact, or 1 for x = 0. */
static double inverse_root_of_two(double x)
{
    if (x == 0.0) {
        return 1.0;
    }
    int exponent;
    (void)frexp(x, &exponent);
    return ldexp(1.0, -(int)floor((double)exponent / 2.0));
}

/* Largest entries of the rows and columns of R M C. */
static void scaled_scan(crn_view *view, double *row_max, double *col_max)
{
    const crn_lcp_problem *p = view->problem;
    memset(row_max, 0, (size_t)view->n * sizeof *row_max);
    for (int j = 0; j < view->n; ++j) {
        double largest = 0.0;
        if (view->is_sparse) {
            for (int e = view->columns.start[j]; e < view->columns.start[j + 1]; ++e) {
                int i = view->columns.index[e];
                double v = fabs(view->columns.value[e]) * view->r[i] * view->c[j];
                largest = v > largest ? v : largest;
                row_max[i] = v > row_max[i] ? v : row_max[i];
            }
        } else {
            const double *column = p->M + (long)j * p->ld;
            for (int i = 0; i < view->n; ++i) {
                double v = fabs(column[i]) * view->r[i] * view->c[j];
                largest = v > largest ? v : largest;
                row_max[i] = v > row_max[i] ? v : row_max[i];
            }
        }
        col_max[j] = largest;
    }
}

/* Are all positive entries within [1/NEAR_ONE, NEAR_ONE]? */
static bool is_near_one(int n, const double *x)
{
    for (int i = 0; i < n; ++i) {
        if (x[i] != 0.0 && (x[i] > NEAR_ONE || x[i] < 1.0 / NEAR_ONE)) {
            return false;
        }
    }
    return true;
}

static double limited(double scale)
{
    return crn_min(crn_max(scale, 1.0 / LARGEST_SCALE), LARGEST_SCALE);
}

/* Ruiz's sweeps [R01 s2]; row_max and col_max hold the first scan. */
static void equilibrate(crn_view *view, double *row_max, double *col_max)
{
    const int n = view->n;
    for (view->sweeps = 0; view->sweeps < MAX_SWEEPS; ++view->sweeps) {
        if (is_near_one(n, row_max) && is_near_one(n, col_max)) {
            return;
        }
        for (int i = 0; i < n; ++i) {
            view->r[i] = limited(view->r[i] * inverse_root_of_two(row_max[i]));
            view->c[i] = limited(view->c[i] * inverse_root_of_two(col_max[i]));
        }
        scaled_scan(view, row_max, col_max);
    }
}

/* --- units of components --- */

/* Join the rows that column j meets; returns how many trees that leaves fewer, and one of the rows in *met, -1 if none. */
static int join_column(const crn_view *view, int j, int *parent, int *met)
{
    const crn_lcp_problem *p = view->problem;
    const int first = view->is_sparse ? view->columns.start[j] : 0;
    const int entries = view->is_sparse ? view->columns.start[j + 1] - first : view->n;
    const double *value = view->is_sparse ? view->columns.value + first : p->M + (long)j * p->ld;
    int joined = 0;
    *met = -1;
    for (int e = 0; e < entries; ++e) {
        if (value[e] == 0.0) {
            continue;
        }
        int i = view->is_sparse ? view->columns.index[first + e] : e;
        joined += *met >= 0 ? crn_forest_join(parent, *met, i) : 0;
        *met = i;
    }
    return joined;
}

/* Connected components of the graph of rows and columns that M's entries join; each is known by one of its rows. Columns
 * without an entry get -1. Returns the number of components; stops early once everything is connected, which is the usual
 * case, without telling what belongs where. */
static int find_parts(const crn_view *view, int *row_part, int *col_part)
{
    const int n = view->n;
    int parts = n;
    for (int i = 0; i < n; ++i) {
        row_part[i] = i;
    }
    for (int j = 0; j < n && parts > 1; ++j) {
        parts -= join_column(view, j, row_part, &col_part[j]);
    }
    for (int i = 0; i < n && parts > 1; ++i) {
        row_part[i] = crn_forest_root(row_part, i);
    }
    for (int j = 0; j < n && parts > 1; ++j) {
        col_part[j] = col_part[j] >= 0 ? row_part[col_part[j]] : -1;
    }
    return parts;
}

/* The power of two just below x > 0. */
static double power_below(double x)
{
    int exponent;
    (void)frexp(x, &exponent);
    return ldexp(1.0, exponent - 1);
}

/* In a component all rows can be multiplied and all columns divided by one factor without changing its part of M. That
 * factor is a unit, and is chosen so that the component's largest |q| is near 1: parts of a problem that share no entry
 * of M are judged each in its own units. size_q holds |R (M z_start + q)|, largest is scratch of length 2 n. */
static void unify_parts(crn_view *view, double *size_q, double *largest)
{
    const int n = view->n;
    int *row_part = (int *)(void *)(largest + n), *col_part = row_part + n;
    if (find_parts(view, row_part, col_part) == 1) {
        return;
    }
    memset(largest, 0, (size_t)n * sizeof *largest);
    for (int i = 0; i < n; ++i) {
        double *most = &largest[row_part[i]];
        *most = crn_max(size_q[i], *most);
    }
    for (int i = 0; i < n; ++i) {
        double row_most = largest[row_part[i]];
        double col_most = col_part[i] >= 0 ? largest[col_part[i]] : 0.0;
        if (row_most > 0.0) {
            view->r[i] = limited(view->r[i] / power_below(row_most));
            size_q[i] /= power_below(row_most);
        }
        if (col_most > 0.0) {
            view->c[i] = limited(view->c[i] * power_below(col_most));
        }
    }
    ++view->sweeps; /* r and c are no longer all 1 */
}

/* s and the scaled vectors. */
static void scale_vectors(crn_view *view)
{
    const crn_lcp_problem *p = view->problem;
    const int n = view->n;
    double *start = view->q; /* until that is filled */
    bool is_zero = true;
    for (int i = 0; i < n; ++i) {
        start[i] = crn_view_start(view, i);
        is_zero = is_zero && start[i] == 0.0;
    }
    double *size_q = view->work;
    if (is_zero) {
        memcpy(size_q, p->q, (size_t)n * sizeof *size_q);
    } else {
        crn_view_residual(view, start, size_q, view->work + n, view->work + 2 * (long)n);
    }
    for (int i = 0; i < n; ++i) {
        size_q[i] = fabs(size_q[i]) * view->r[i];
    }
    unify_parts(view, size_q, view->work + n);
    double largest = crn_max_abs(n, size_q);
    view->scale = largest > 0.0 ? largest : 1.0;
    view->s = 2.0 * power_below(view->scale);
    for (int i = 0; i < n; ++i) {
        double to_scaled = 1.0 / (view->c[i] * view->s);
        view->q[i] = p->q[i] * view->r[i] / view->s;
        view->lower[i] = p->lower != NULL ? p->lower[i] * to_scaled : 0.0;
        view->upper[i] = p->upper != NULL ? p->upper[i] * to_scaled : INFINITY;
    }
}

void crn_scale(crn_view *view, double *row_max, double *col_max)
{
    for (int i = 0; i < view->n; ++i) {
        view->r[i] = view->c[i] = 1.0;
    }
    equilibrate(view, row_max, col_max);
    scale_vectors(view);
}
