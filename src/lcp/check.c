/* Certificates.
 *
 * A point: the natural map  z - clamp(z - w, l, u)  is 0 exactly at the solutions  [CPS92 s1.4]. It is taken in
 * equilibrated units (view.h), so that the relative figure does not change when a row or a column changes its unit,
 * with w = M z + q summed in double-double from the caller's data. Each row is judged by its own size, the sum of the
 * |q_i| and |M_ij z_j| it is made of: that is the smallest relative change of the data that would make the row right.
 * Rows smaller than ROW_FLOOR of the problem's scale are judged by that instead, for where everything in a row cancels
 * to 0 its own size is rounding error.
 *
 * A proof (Farkas): rows with one finite bound ask for a sign of w, rows of free variables for w = 0, rows with two
 * finite bounds for nothing that holds everywhere. If y has y_i >= 0 where w_i >= 0 is asked for, y_i <= 0 where
 * w_i <= 0 is, any sign where w_i = 0 is, 0 elsewhere, and  max over l <= z <= u of  y'(M z + q)  is negative, then no
 * z fulfils all rows. For an LCP this reads  y >= 0, M'y <= 0, y'q < 0  [CPS92 s2.7]. */
#include "lcp/check.h"

#include "math/vec.h"

#include <math.h>
#include <string.h>

/* The size, relative to the problem's, below which a row is not taken at its own. tol * ROW_FLOOR = 1e-11 is above
 * what the ratio test of a path leaves in degenerate rows (ratio.c); a much lower floor would call such answers wrong: with
 * 1e-4 a mixed problem of 221 variables, otherwise solved to 1e-12 of the scale, fails by one row at 1e-8 of its own. */
static const double ROW_FLOOR = 1e-2;
/* (M'y)_j counts as 0 below this fraction of sum |M_ij y_i|: what summing the data in doubles can leave. */
static const double TOL_FARKAS_ZERO = 1e-12;
/* y'q must be below minus this fraction of sum |y_i q_i|, far above what the line before neglects. */
static const double TOL_FARKAS_GAP = 1e-6;
/* Entries of y below this fraction of the largest (equilibrated) are noise of the solve that found it. */
static const double TOL_FARKAS_NOISE = 1e-11;

/* z - clamp(z - w, l, u) as the median of z - l, w and z - u: the same number, but a large z does not swallow w. */
static double natural_map(double z, double w, double l, double u)
{
    return crn_max(z - u, crn_min(z - l, w));
}

/* What the natural map of row i is relative to, in units of view->scale; size is the sum of the row's |terms|. */
static double row_scale(const crn_view *view, int i, double size)
{
    return crn_max(crn_min(size * view->r[i] / view->scale, 1.0), ROW_FLOOR);
}

void crn_check_point(const crn_view *view, const double *z, double *w, double *work, crn_lcp_certificate *certificate)
{
    const crn_lcp_problem *p = view->problem;
    double *low = work, *size = work + view->n;
    crn_lcp_certificate worst = {.relative = isfinite(view->s) ? 0.0 : INFINITY, .scale = view->scale, .worst = -1};
    crn_view_residual(view, z, w, low, size);
    for (int i = 0; i < view->n; ++i) {
        double l = crn_lower_bound(p, i);
        double u = crn_upper_bound(p, i);
        double zs = z[i] / (view->c[i] * view->s), ws = w[i] * view->r[i] / view->s;
        double map = fabs(natural_map(zs, ws, view->lower[i], view->upper[i])) * (view->s / view->scale);
        double relative = map / row_scale(view, i, size[i]);
        if (!isfinite(relative) || !isfinite(z[i])) { /* an infinite z is lost where all M_ij of its column are 0 */
            relative = INFINITY;                      /* beyond the range of doubles: not an answer */
        }
        if (relative > worst.relative) {
            worst.relative = relative;
            worst.worst = i;
        }
        worst.absolute = crn_max(worst.absolute, fabs(natural_map(z[i], w[i], l, u)));
        worst.bound_error = crn_max(worst.bound_error, crn_max(l - z[i], z[i] - u));
        double gap = w[i] > 0.0 ? z[i] - l : u - z[i]; /* what has to vanish beside w_i */
        if (isinf(gap)) {
            worst.sign_error = crn_max(worst.sign_error, fabs(w[i]));
        } else {
            worst.product_error = crn_max(worst.product_error, fabs(w[i] * gap));
        }
    }
    *certificate = worst;
}

/* What row i asks of w_i: +1 for w_i >= 0, -1 for w_i <= 0, 0 for nothing, 2 for w_i = 0. */
static int row_demand(const crn_view *view, int i)
{
    bool has_lower = isfinite(view->lower[i]), has_upper = isfinite(view->upper[i]);
    if (has_lower != has_upper) {
        return has_lower ? 1 : -1;
    }
    return has_lower ? 0 : 2;
}

/* Drop noise and entries of the wrong sign that are as small; false if a large one has the wrong sign. */
static bool clean(const crn_view *view, double *y)
{
    double largest = 0.0;
    for (int i = 0; i < view->n; ++i) {
        largest = crn_max(largest, fabs(y[i]) / view->r[i]);
    }
    for (int i = 0; i < view->n; ++i) {
        int demand = row_demand(view, i);
        if (fabs(y[i]) / view->r[i] <= TOL_FARKAS_NOISE * largest) {
            y[i] = 0.0;
        }
        if (demand != 2 && y[i] != 0.0 && (demand == 0 || y[i] * demand < 0.0)) {
            return false;
        }
    }
    return largest > 0.0;
}

bool crn_check_farkas(const crn_view *view, double *y, double *work)
{
    const crn_lcp_problem *p = view->problem;
    if (!clean(view, y)) {
        return false;
    }
    /* Signed sums M'y and their rounding scale |M|'|y|, then the best that z can do within its bounds. */
    double *v = work, *scale = work + view->n;
    crn_view_transposed_product(view, y, v);
    crn_view_transposed_scale(view, y, scale);
    double value = 0.0, size = 0.0;
    for (int i = 0; i < view->n; ++i) {
        value += y[i] * p->q[i];
        size += fabs(y[i] * p->q[i]);
        if (fabs(v[i]) <= TOL_FARKAS_ZERO * scale[i]) {
            continue;
        }
        double best = v[i] > 0.0 ? crn_upper_bound(p, i) : crn_lower_bound(p, i);
        if (isinf(best)) {
            return false;
        }
        value += v[i] * best;
        size += fabs(v[i] * best);
    }
    return value < -TOL_FARKAS_GAP * size;
}
