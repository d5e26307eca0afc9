/* Dense kernels; see simd.h for why their bits do not depend on the instruction set. */
#include "math/vec.h"

#include "math/simd.h"

#include <math.h>
#include <stddef.h>

enum { SHORT = 2 * CRN_LANES }; /* vectors with fewer entries are not worth the lanes */

/* The loops themselves, inlined into every clone that uses them. */
static inline double dot(int n, const double *restrict x, const double *restrict y)
{
    double s[CRN_LANES] = {0};
    int i = 0;
    for (; i + CRN_LANES <= n; i += CRN_LANES) {
        for (int l = 0; l < CRN_LANES; ++l) {
            s[l] += x[i + l] * y[i + l];
        }
    }
    for (int l = 0; i < n; ++i, ++l) {
        s[l] += x[i] * y[i];
    }
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

static inline void axpy(int n, double a, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; ++i) {
        y[i] += a * x[i];
    }
}

CRN_CLONES double crn_dot(int n, const double *x, const double *y)
{
    return dot(n, x, y);
}

CRN_CLONES void crn_axpy(int n, double a, const double *x, double *y)
{
    axpy(n, a, x, y);
}

CRN_CLONES void crn_scal(int n, double a, double *restrict x)
{
    for (int i = 0; i < n; ++i) {
        x[i] *= a;
    }
}

CRN_CLONES double crn_max_abs(int n, const double *restrict x)
{
    double m[CRN_LANES] = {0};
    int i = 0;
    if (n < SHORT) { /* maxima do not depend on the order: no lanes to fold for a few entries */
        for (; i < n; ++i) {
            m[0] = crn_max(fabs(x[i]), m[0]);
        }
        return m[0];
    }
    for (; i + CRN_LANES <= n; i += CRN_LANES) {
        for (int l = 0; l < CRN_LANES; ++l) {
            double a = fabs(x[i + l]);
            m[l] = a > m[l] ? a : m[l];
        }
    }
    for (; i < n; ++i) {
        m[0] = fabs(x[i]) > m[0] ? fabs(x[i]) : m[0];
    }
    for (int l = 1; l < CRN_LANES; ++l) {
        m[0] = m[l] > m[0] ? m[l] : m[0];
    }
    return m[0];
}

/* y += x0 a0 + x1 a1 + x2 a2 + x3 a3: four columns per pass over y. */
static inline void add_four(int rows, const double *f, const double *const *a, double *restrict y)
{
    const double f0 = f[0], f1 = f[1], f2 = f[2], f3 = f[3];
    const double *restrict a0 = a[0], *restrict a1 = a[1], *restrict a2 = a[2], *restrict a3 = a[3];
    for (int i = 0; i < rows; ++i) {
        y[i] += (f0 * a0[i] + f1 * a1[i]) + (f2 * a2[i] + f3 * a3[i]);
    }
}

CRN_CLONES void crn_gemv_columns(int rows, int count, const double *A, int ld, const int *column, const double *x,
                                 double *y)
{
    const double *a[4];
    double f[4];
    int held = 0;
    for (int k = 0; k < count; ++k) {
        if (x[k] == 0.0) {
            continue;
        }
        a[held] = A + (long)(column != NULL ? column[k] : k) * ld;
        f[held++] = x[k];
        if (held == 4) {
            add_four(rows, f, a, y);
            held = 0;
        }
    }
    for (int h = 0; h < held; ++h) {
        axpy(rows, f[h], a[h], y);
    }
}

CRN_CLONES void crn_gemv_transposed(int rows, int columns, const double *A, int ld, const double *g, double *t)
{
    for (int j = 0; j < columns; ++j) {
        t[j] = dot(rows, A + (long)j * ld, g);
    }
}

CRN_CLONES void crn_rank_one(int rows, int columns, const double *x, const double *t, double *A, int ld)
{
    for (int j = 0; j < columns; ++j) {
        if (t[j] != 0.0) {
            axpy(rows, t[j], x, A + (long)j * ld);
        }
    }
}

static bool all_finite(int n, const double *x)
{
    for (int i = 0; i < n; ++i) {
        if (!isfinite(x[i])) {
            return false;
        }
    }
    return true;
}

/* The same for few entries, of which a finite sum tells that all are finite. */
static void scan_short(int n, const double *restrict x, double *restrict row_max, crn_column_facts *facts)
{
    double sum = 0.0, most = 0.0;
    int zeros = 0;
    for (int i = 0; i < n; ++i) {
        double v = fabs(x[i]);
        sum += v;
        zeros += v == 0.0;
        most = crn_max(v, most);
        row_max[i] = crn_max(v, row_max[i]);
    }
    *facts = (crn_column_facts){.max_abs = most, .nonzeros = n - zeros, .is_finite = isfinite(sum) || all_finite(n, x)};
}

CRN_CLONES void crn_scan_column(int n, const double *restrict x, double *restrict row_max, crn_column_facts *facts)
{
    double m[CRN_LANES] = {0};
    double d[CRN_LANES] = {0};     /* x - x is 0 for a finite x and NaN otherwise */
    double count[CRN_LANES] = {0}; /* of entries that are not 0, as doubles to keep to one vector type */
    int i = 0;
    if (n < SHORT) {
        scan_short(n, x, row_max, facts);
        return;
    }
    for (; i + CRN_LANES <= n; i += CRN_LANES) {
        for (int l = 0; l < CRN_LANES; ++l) {
            double v = fabs(x[i + l]);
            d[l] += v - v;
            count[l] += v != 0.0 ? 1.0 : 0.0;
            m[l] = v > m[l] ? v : m[l];
            row_max[i + l] = v > row_max[i + l] ? v : row_max[i + l];
        }
    }
    for (; i < n; ++i) {
        double v = fabs(x[i]);
        d[0] += v - v;
        count[0] += v != 0.0 ? 1.0 : 0.0;
        m[0] = v > m[0] ? v : m[0];
        row_max[i] = v > row_max[i] ? v : row_max[i];
    }
    for (int l = 1; l < CRN_LANES; ++l) {
        m[0] = m[l] > m[0] ? m[l] : m[0];
        d[0] += d[l];
        count[0] += count[l];
    }
    *facts = (crn_column_facts){.max_abs = m[0], .nonzeros = (int)count[0], .is_finite = d[0] == 0.0};
}

CRN_CLONES int crn_count_between(int n, const double *restrict x, const double *restrict r, double a, double low,
                                 double high)
{
    double count[CRN_LANES] = {0};
    int i = 0;
    for (; n >= SHORT && i + CRN_LANES <= n; i += CRN_LANES) {
        for (int l = 0; l < CRN_LANES; ++l) {
            double v = fabs(x[i + l] * r[i + l] * a);
            count[l] += (v > low ? 1.0 : 0.0) * (v < high ? 1.0 : 0.0);
        }
    }
    for (; i < n; ++i) {
        double v = fabs(x[i] * r[i] * a);
        count[0] += v > low && v < high ? 1.0 : 0.0;
    }
    for (int l = 1; n >= SHORT && l < CRN_LANES; ++l) {
        count[0] += count[l];
    }
    return (int)count[0];
}
