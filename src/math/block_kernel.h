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
