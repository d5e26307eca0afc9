/* Equilibration: Ruiz's sweeps, for badly scaled problems means of exponents, then one unit for each connected part of
 * M. */
#include "lcp/scale.h"

#include "math/vec.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { MAX_SWEEPS = 12 }; /* of Ruiz: each halves the exponents left, 2^12 covers all doubles */
enum { CENTRING_SWEEPS = 30, ROUGH_SWEEPS = 8 };
static const double NEAR_ONE = 16.0; /* rows and columns with largest entries in [1/16, 16] need no further sweep */
/* No row or column is scaled by more: products of two scales and a datum stay within the range of doubles. */
static const double LARGEST_SCALE = 0x1p300;
/* Entries (scaled) between these call for centring when there are more than one in SMALL_SHARE; below the first they are
 * taken as rounding errors. */
static const double LEAST_ENTRY = 0x1p-44, SMALL_ENTRY = 0x1p-18;
enum { SMALL_SHARE = 16 };

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

/* --- badly scaled problems --- */

/* Sum of the exponents of the entries that count, and their number. */
typedef struct exponents {
    double sum;
    int count;
} exponents;

/* Exponent e of x in [2^e, 2^(e+1)), for a normal x > 0. */
static int exponent_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (int)((bits >> 52) & 0x7ff) - 1023;
}

static void count_exponent(exponents *e, double scaled, double least)
{
    if (scaled > least && isfinite(scaled)) {
        e->sum += exponent_of(scaled);
        ++e->count;
    }
}

/* The power of two that brings the mean exponent to 0. */
static double centring(const exponents *e)
{
    return e->count > 0 ? ldexp(1.0, -(int)floor(e->sum / e->count + 0.5)) : 1.0;
}

/* Column j of R M C: its own exponents, and those of the rows it meets if by_row is given. */
static exponents visit_column(const crn_view *view, int j, double least, exponents *by_row)
{
    const crn_lcp_problem *p = view->problem;
    const int first = view->is_sparse ? view->columns.start[j] : 0;
    const int entries = view->is_sparse ? view->columns.start[j + 1] - first : view->n;
    exponents own = {0.0, 0};
    for (int e = 0; e < entries; ++e) {
        int i = view->is_sparse ? view->columns.index[first + e] : e;
        double v = view->is_sparse ? view->columns.value[first + e] : p->M[i + (long)j * p->ld];
        double scaled = fabs(v) * view->r[i] * view->c[j];
        count_exponent(&own, scaled, least);
        if (by_row != NULL) {
            count_exponent(&by_row[i], scaled, least);
        }
    }
    return own;
}

/* Has equilibration left a good share of the entries small, though not so small that they are rounding errors? Then
 * units, not numbers, must have caused it. */
static bool is_badly_scaled(const crn_view *view, size_t nonzeros)
{
    const crn_lcp_problem *p = view->problem;
    size_t small = 0;
    for (int j = 0; j < view->n; ++j) {
        if (!view->is_sparse) {
            small += (size_t)crn_count_between(view->n, p->M + (long)j * p->ld, view->r, view->c[j], LEAST_ENTRY,
                                               SMALL_ENTRY);
            continue;
        }
        for (int e = view->columns.start[j]; e < view->columns.start[j + 1]; ++e) {
            double v = fabs(view->columns.value[e]) * view->r[view->columns.index[e]] * view->c[j];
            small += v > LEAST_ENTRY && v < SMALL_ENTRY;
        }
    }
    return small * SMALL_SHARE > nonzeros;
}

/* Centre one scale; true if it changed. */
static bool centre(double *scale, const exponents *e)
{
    double before = *scale;
    *scale = limited(before * centring(e));
    return *scale != before;
}

/* Alternating means of the exponents of [M q]: least squares in the logarithms. Largest entries leave scales open where
 * a few entries of M dominate; the mean of all of them recovers the units from which the problem was scaled. Entries
 * that should be 0 and are rounding errors spoil a mean: they show once the others are near 1, and are left out then. */
static void centre_exponents(crn_view *view, exponents *by_row)
{
    const crn_lcp_problem *p = view->problem;
    double q_scale = 1.0;
    bool is_changing = true, is_rough = true;
    for (int sweep = 0; sweep < CENTRING_SWEEPS && (is_changing || is_rough); ++sweep) {
        is_rough = is_rough && is_changing && sweep < ROUGH_SWEEPS;
        double least = is_rough ? 0.0 : LEAST_ENTRY;
        exponents of_q = {0.0, 0};
        is_changing = false;
        for (int j = 0; j < view->n; ++j) {
            exponents own = visit_column(view, j, least, NULL);
            is_changing = centre(&view->c[j], &own) || is_changing;
            count_exponent(&of_q, fabs(p->q[j]) * view->r[j] * q_scale, 0.0);
        }
        q_scale *= centring(&of_q);
        memset(by_row, 0, (size_t)view->n * sizeof *by_row);
        for (int j = 0; j < view->n; ++j) {
            (void)visit_column(view, j, least, by_row);
        }
        for (int i = 0; i < view->n; ++i) {
            count_exponent(&by_row[i], fabs(p->q[i]) * view->r[i] * q_scale, 0.0);
            is_changing = centre(&view->r[i], &by_row[i]) || is_changing;
        }
    }
}

/* --- units of components --- */

static bool has_entry(const crn_view *view, int i, int j)
{
    const crn_lcp_problem *p = view->problem;
    return view->is_sparse ? crn_sparse_entry(&view->columns, i, j) != 0.0 : p->M[i + (long)j * p->ld] != 0.0;
}

/* Put column j into component k, with all rows that it meets; returns how many of those were without one. */
static int join_column(const crn_view *view, int j, int k, int *row_part, int *col_part)
{
    int from = view->is_sparse ? view->columns.start[j] : 0;
    int to = view->is_sparse ? view->columns.start[j + 1] : view->n;
    int joined = 0;
    col_part[j] = k;
    for (int e = from; e < to; ++e) {
        int i = view->is_sparse ? view->columns.index[e] : e;
        if (row_part[i] < 0 && has_entry(view, i, j)) {
            row_part[i] = k;
            ++joined;
        }
    }
    return joined;
}

/* Does column j meet a row of component k? */
static bool meets_part(const crn_view *view, int j, int k, const int *row_part)
{
    int from = view->is_sparse ? view->columns.start[j] : 0;
    int to = view->is_sparse ? view->columns.start[j + 1] : view->n;
    for (int e = from; e < to; ++e) {
        int i = view->is_sparse ? view->columns.index[e] : e;
        if (row_part[i] == k && has_entry(view, i, j)) {
            return true;
        }
    }
    return false;
}

/* Connected components of the graph of rows and columns that M's entries join. Returns their number; rows without an
 * entry are components of their own. Stops early once everything is connected, which is the usual case. */
static int find_parts(const crn_view *view, int *row_part, int *col_part)
{
    const int n = view->n;
    int parts = 0, rows_left = n;
    for (int i = 0; i < n; ++i) {
        row_part[i] = col_part[i] = -1;
    }
    for (int seed = 0; seed < n && rows_left > 0; ++seed) {
        if (col_part[seed] >= 0) {
            continue;
        }
        int k = parts++, joined = join_column(view, seed, k, row_part, col_part);
        rows_left -= joined;
        while (joined > 0 && rows_left > 0) {
            joined = 0;
            for (int j = seed + 1; j < n && rows_left > 0; ++j) {
                if (col_part[j] < 0 && meets_part(view, j, k, row_part)) {
                    int more = join_column(view, j, k, row_part, col_part);
                    joined += 1 + more;
                    rows_left -= more;
                }
            }
        }
    }
    for (int i = 0; i < n && rows_left > 0; ++i) {
        row_part[i] = row_part[i] < 0 ? parts++ : row_part[i];
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
    int parts = find_parts(view, view->row_part, view->col_part);
    if (parts == 1) {
        return;
    }
    memset(largest, 0, (size_t)parts * sizeof *largest);
    for (int i = 0; i < n; ++i) {
        double *most = &largest[view->row_part[i]];
        *most = crn_max(size_q[i], *most);
    }
    for (int i = 0; i < n; ++i) {
        double row_most = largest[view->row_part[i]];
        double col_most = view->col_part[i] >= 0 ? largest[view->col_part[i]] : 0.0;
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

/* z_start, then s and the scaled vectors. */
static void scale_vectors(crn_view *view)
{
    const crn_lcp_problem *p = view->problem;
    const int n = view->n;
    bool is_zero = true;
    for (int i = 0; i < n; ++i) {
        double l = p->lower != NULL ? p->lower[i] : 0.0;
        double u = p->upper != NULL ? p->upper[i] : INFINITY;
        view->z_start[i] = l > 0.0 ? l : (u < 0.0 ? u : 0.0);
        is_zero = is_zero && view->z_start[i] == 0.0;
    }
    double *size_q = view->work;
    if (is_zero) {
        memcpy(size_q, p->q, (size_t)n * sizeof *size_q);
    } else {
        crn_view_residual(view, view->z_start, size_q, view->work + n, view->work + 2 * (long)n);
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

void crn_scale(crn_view *view, double *row_max, double *col_max, size_t nonzeros)
{
    for (int i = 0; i < view->n; ++i) {
        view->r[i] = view->c[i] = 1.0;
    }
    equilibrate(view, row_max, col_max);
    if (view->sweeps > 0 && is_badly_scaled(view, nonzeros)) {
        centre_exponents(view, (exponents *)(void *)view->work);
    }
    scale_vectors(view);
}
