/* Kernels on panels: tall column-major matrices with few columns.
 *
 * All are inlined into functions marked CRN_CLONES. They run down the rows with the sums over columns written out in a
 * fixed order, so a row's bits depend neither on the vector width nor on which path was taken. Blocks of 6 (free bodies)
 * and 3 (planar ones) have paths of constant size. */
#ifndef CRN_MATH_BLOCK_KERNEL_H
#define CRN_MATH_BLOCK_KERNEL_H

#include <stdbool.h>
#include <stddef.h>

#define CRN_KERNEL static inline __attribute__((always_inline))

/* c(0..m-1) -= sum_b a(:,b) w_b with six columns */
CRN_KERNEL void crn_panel_sub6(int m, const double *restrict a, int lda, const double *w, double *restrict c)
{
    const double *a1 = a + lda, *a2 = a1 + lda, *a3 = a2 + lda, *a4 = a3 + lda, *a5 = a4 + lda;
    double w0 = w[0], w1 = w[1], w2 = w[2], w3 = w[3], w4 = w[4], w5 = w[5];
    for (int i = 0; i < m; ++i) {
        c[i] -= a[i] * w0 + a1[i] * w1 + a2[i] * w2 + a3[i] * w3 + a4[i] * w4 + a5[i] * w5;
    }
}

/* The same for two columns of c at once: each a is loaded for both. */
CRN_KERNEL void crn_panel_sub6x2(int m, const double *restrict a, int lda, const double *v, const double *w,
                                 double *restrict c, double *restrict d)
{
    const double *a1 = a + lda, *a2 = a1 + lda, *a3 = a2 + lda, *a4 = a3 + lda, *a5 = a4 + lda;
    double v0 = v[0], v1 = v[1], v2 = v[2], v3 = v[3], v4 = v[4], v5 = v[5];
    double w0 = w[0], w1 = w[1], w2 = w[2], w3 = w[3], w4 = w[4], w5 = w[5];
    for (int i = 0; i < m; ++i) {
        double x0 = a[i], x1 = a1[i], x2 = a2[i], x3 = a3[i], x4 = a4[i], x5 = a5[i];
        c[i] -= x0 * v0 + x1 * v1 + x2 * v2 + x3 * v3 + x4 * v4 + x5 * v5;
        d[i] -= x0 * w0 + x1 * w1 + x2 * w2 + x3 * w3 + x4 * w4 + x5 * w5;
    }
}

/* C (m x 6) -= A (m x 6) B' with B 6 x 6 */
CRN_KERNEL void crn_panel_update6(int m, const double *a, int lda, const double *b, int ldb, double *c, int ldc)
{
    double w[36];
    for (int col = 0; col < 6; ++col) {
        for (int k = 0; k < 6; ++k) {
            w[6 * col + k] = b[col + k * ldb];
        }
    }
    for (int col = 0; col < 6; col += 2) {
        crn_panel_sub6x2(m, a, lda, w + 6 * col, w + 6 * col + 6, c + (long)col * ldc, c + (long)(col + 1) * ldc);
    }
}

/* C (m x nc) -= A (m x na) B' with B nc x na; any sizes */
CRN_KERNEL void crn_panel_update_any(int m, int nc, int na, const double *restrict a, int lda, const double *b, int ldb,
                                     double *restrict c, int ldc)
{
    for (int col = 0; col < nc; ++col) {
        double *restrict to = c + (long)col * ldc;
        int k = 0;
        for (; k + 3 <= na; k += 3) {
            const double *restrict a0 = a + (long)k * lda, *restrict a1 = a0 + lda, *restrict a2 = a1 + lda;
            double w0 = b[col + k * ldb], w1 = b[col + (k + 1) * ldb], w2 = b[col + (k + 2) * ldb];
            for (int i = 0; i < m; ++i) {
                to[i] -= a0[i] * w0 + a1[i] * w1 + a2[i] * w2;
            }
        }
        for (; k < na; ++k) {
            const double *restrict a0 = a + (long)k * lda;
            double w0 = b[col + k * ldb];
            for (int i = 0; i < m; ++i) {
                to[i] -= a0[i] * w0;
            }
        }
    }
}

/* C -= A B'; the usual heights of a stack's panels get constant trip counts. */
CRN_KERNEL void crn_panel_update(int m, int nc, int na, const double *a, int lda, const double *b, int ldb, double *c,
                                 int ldc)
{
    if (nc == 6 && na == 6) {
        if (m == 6) {
            crn_panel_update6(6, a, lda, b, ldb, c, ldc);
        } else if (m == 12) {
            crn_panel_update6(12, a, lda, b, ldb, c, ldc);
        } else {
            crn_panel_update6(m, a, lda, b, ldb, c, ldc);
        }
    } else if (nc == 3 && na == 3) {
        crn_panel_update_any(m, 3, 3, a, lda, b, ldb, c, ldc);
    } else {
        crn_panel_update_any(m, nc, na, a, lda, b, ldb, c, ldc);
    }
}

/* y(0..m-1) -= P x with P m x n */
CRN_KERNEL void crn_panel_times(int m, int n, const double *restrict p, int ld, const double *x, double *restrict y)
{
    if (n == 6) {
        crn_panel_sub6(m, p, ld, x, y);
        return;
    }
    for (int k = 0; k < n; ++k) {
        for (int i = 0; i < m; ++i) {
            y[i] -= p[i + (long)k * ld] * x[k];
        }
    }
}

/* x(0..n-1) -= P'y; four partial sums per column, folded at the end */
CRN_KERNEL void crn_panel_transposed_times(int m, int n, const double *restrict p, int ld, const double *restrict y,
                                           double *x)
{
    for (int k = 0; k < n; ++k) {
        const double *restrict c = p + (long)k * ld;
        double s[4] = {0.0, 0.0, 0.0, 0.0};
        int i = 0;
        for (; i + 4 <= m; i += 4) {
            for (int l = 0; l < 4; ++l) {
                s[l] += c[i + l] * y[i + l];
            }
        }
        for (int l = 0; i < m; ++i, ++l) {
            s[l] += c[i] * y[i];
        }
        x[k] -= (s[0] + s[2]) + (s[1] + s[3]);
    }
}

#endif
