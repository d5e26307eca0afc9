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

CRN_CLONES void crn_add_products(int n, int a, const double *x, int b, const double *y, double *G, int ld)
{
    for (int k = 0; k < b; ++k) {
        for (int j = 0; j < a; ++j) {
            G[(long)k * ld + j] += dot(n, x + (long)j * n, y + (long)k * n);
        }
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

/* Largest of the lanes. */
static inline double fold_max(const double m[CRN_LANES])
{
    return crn_max(crn_max(crn_max(m[0], m[4]), crn_max(m[2], m[6])),
                   crn_max(crn_max(m[1], m[5]), crn_max(m[3], m[7])));
}

/* Row by row what column x adds: largest |x_i|, x_i - x_i (0 if finite, NaN if not), 1 if not 0. */
static inline void scan_rows(int n, const double *restrict x, double *restrict row_max, double *restrict difference,
                             double *restrict nonzeros)
{
    for (int i = 0; i < n; ++i) {
        double v = fabs(x[i]);
        row_max[i] = v > row_max[i] ? v : row_max[i];
        difference[i] += v - v;
        nonzeros[i] += v != 0.0 ? 1.0 : 0.0;
    }
}

static inline double largest(int n, const double *restrict x)
{
    double m[CRN_LANES] = {0};
    int i = 0;
    for (; i + CRN_LANES <= n; i += CRN_LANES) {
        for (int l = 0; l < CRN_LANES; ++l) {
            double v = fabs(x[i + l]);
            m[l] = v > m[l] ? v : m[l];
        }
    }
    for (int l = 0; i < n; ++i, ++l) {
        m[l] = crn_max(fabs(x[i]), m[l]);
    }
    return fold_max(m);
}

CRN_CLONES void crn_scan_matrix(int n, const double *A, int ld, double *row_max, double *col_max, double *work,
                                crn_matrix_facts *facts)
{
    double *difference = work, *nonzeros = work + n;
    for (int i = 0; i < n; ++i) {
        row_max[i] = difference[i] = nonzeros[i] = 0.0;
    }
    for (int j = 0; j < n; ++j) {
        scan_rows(n, A + (long)j * ld, row_max, difference, nonzeros);
        col_max[j] = largest(n, A + (long)j * ld);
    }
    double count = 0.0, sum = 0.0;
    for (int i = 0; i < n; ++i) {
        count += nonzeros[i];
        sum += difference[i];
    }
    *facts = (crn_matrix_facts){.nonzeros = (size_t)count, .is_finite = sum == 0.0};
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
