/* LU with partial pivoting: right-looking, so that every inner loop runs down a column. */
#include "math/lu.h"

#include "math/dd.h"
#include "math/elementary.h"
#include "math/simd.h"
#include "math/vec.h"

#include <math.h>
#include <string.h>

static void exchange_rows(crn_lu *lu, int r, int s)
{
    for (int j = 0; j < lu->n; ++j) {
        double *column = lu->a + (long)j * lu->ld;
        double t = column[r];
        column[r] = column[s];
        column[s] = t;
    }
}

static int largest_below(const double *column, int from, int n)
{
    int best = from;
    for (int i = from + 1; i < n; ++i) {
        if (fabs(column[i]) > fabs(column[best])) {
            best = i;
        }
    }
    return best;
}

/* y += a x, in place: a call per column costs more than the columns of a small system. */
static inline void add_multiple(int n, double a, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; ++i) {
        y[i] += a * x[i];
    }
}

CRN_CLONES bool crn_lu_factor(crn_lu *lu, double tol_singular)
{
    const int n = lu->n;
    double least = INFINITY, most = 0.0;
    for (int k = 0; k < n; ++k) {
        /* The column before its own elimination step still has the scale that pivots are judged by: the part above
         * the diagonal is U, the part below is what is left. */
        double *column = lu->a + (long)k * lu->ld;
        double scale = crn_max_abs(n, column);
        int p = largest_below(column, k, n);
        double pivot = fabs(column[p]);
        if (!(pivot > tol_singular * scale)) {
            return false;
        }
        lu->pivot[k] = p;
        if (p != k) {
            exchange_rows(lu, k, p);
        }
        double inverse = 1.0 / column[k];
        for (int i = k + 1; i < n; ++i) {
            column[i] *= inverse;
        }
        for (int j = k + 1; j < n; ++j) {
            double *other = lu->a + (long)j * lu->ld;
            if (other[k] != 0.0) {
                add_multiple(n - k - 1, -other[k], column + k + 1, other + k + 1);
            }
        }
        least = pivot < least ? pivot : least;
        most = pivot > most ? pivot : most;
    }
    lu->rcond = n > 0 ? least / most : 1.0;
    return true;
}

CRN_CLONES void crn_lu_solve(const crn_lu *lu, double *x)
{
    const int n = lu->n;
    for (int k = 0; k < n; ++k) {
        int p = lu->pivot[k];
        double t = x[p];
        x[p] = x[k];
        x[k] = t;
    }
    for (int k = 0; k < n; ++k) { /* x = L \ x */
        if (x[k] != 0.0) {
            add_multiple(n - k - 1, -x[k], lu->a + (long)k * lu->ld + k + 1, x + k + 1);
        }
    }
    for (int k = n - 1; k >= 0; --k) { /* x = U \ x */
        x[k] /= lu->a[(long)k * lu->ld + k];
        if (x[k] != 0.0) {
            add_multiple(k, -x[k], lu->a + (long)k * lu->ld, x);
        }
    }
}

void crn_lu_solve_transposed(const crn_lu *lu, double *x)
{
    const int n = lu->n;
    for (int k = 0; k < n; ++k) { /* x = U' \ x */
        const double *column = lu->a + (long)k * lu->ld;
        x[k] = (x[k] - crn_dot(k, column, x)) / column[k];
    }
    for (int k = n - 1; k >= 0; --k) { /* x = L' \ x */
        x[k] -= crn_dot(n - k - 1, lu->a + (long)k * lu->ld + k + 1, x + k + 1);
    }
    for (int k = n - 1; k >= 0; --k) {
        int p = lu->pivot[k];
        double t = x[p];
        x[p] = x[k];
        x[k] = t;
    }
}

void crn_lu_inverse(const crn_lu *lu, double *W, int ldw)
{
    for (int j = 0; j < lu->n; ++j) {
        double *column = W + (long)j * ldw;
        memset(column, 0, (size_t)lu->n * sizeof *column);
        column[j] = 1.0;
        crn_lu_solve(lu, column);
    }
}

/* r = A x - b in double-double, rounded; low is scratch. */
static double residual(int n, const double *A, int lda, const double *b, const double *x, double *r, double *low)
{
    for (int i = 0; i < n; ++i) {
        r[i] = -b[i];
        low[i] = 0.0;
    }
    for (int j = 0; j < n; ++j) {
        if (x[j] != 0.0) {
            crn_dd_axpy(n, x[j], A + (long)j * lda, r, low);
        }
    }
    double worst = 0.0;
    for (int i = 0; i < n; ++i) {
        r[i] += low[i];
        if (!isfinite(r[i])) {
            return INFINITY;
        }
        worst = crn_fmax(worst, fabs(r[i]));
    }
    return worst;
}

double crn_lu_refine(const crn_lu *lu, const double *A, int lda, const double *b, double *x, double *work,
                     int max_steps)
{
    const int n = lu->n;
    double *r = work, *low = work + n, *step = work + 2 * n;
    double last_step = INFINITY, last_worst = INFINITY;
    for (int k = 0;; ++k) {
        double worst = residual(n, A, lda, b, x, r, low);
        if (worst > 2.0 * last_worst) {
            crn_axpy(n, 1.0, step, x); /* the last correction made it worse: take it back */
            return last_worst;
        }
        last_worst = worst;
        if (k == max_steps || worst == 0.0 || isinf(worst)) {
            return worst;
        }
        memcpy(step, r, (size_t)n * sizeof *step);
        crn_lu_solve(lu, step);
        double size = crn_max_abs(n, step);
        if (!(size < 0.5 * last_step)) {
            return worst; /* corrections no longer shrink: x is as good as these factors make it */
        }
        last_step = size;
        crn_axpy(n, -1.0, step, x);
    }
}
