/* Several right-hand sides at once: lanes.h. Inner loops are over lanes, of a constant number, and need no sums across them. */
#include "math/lanes.h"

#include <string.h>

enum { LANES = CRN_LANES };

/* Compilers do not make vectors of short loops by themselves, but have vector types, for any instruction set; one entry of all lanes is two. */
typedef double quad __attribute__((vector_size(32), aligned(8), may_alias));

static inline quad *at(double *x, int i)
{
    return (quad *)(x + LANES * i);
}

static inline const quad *from(const double *x, int i)
{
    return (const quad *)(x + LANES * i);
}

/* x_i += sign (a_i s + b_i t), one after the other, for rows i < n; s and t follow one another */
static inline void add_two(int n, double sign, const double *a, const double *b, const double *s, double *x)
{
    quad low = sign * from(s, 0)[0], high = sign * from(s, 0)[1];
    quad next_low = sign * from(s, 1)[0], next_high = sign * from(s, 1)[1];
    for (int i = 0; i < n; ++i) {
        at(x, i)[0] = (at(x, i)[0] + a[i] * low) + b[i] * next_low;
        at(x, i)[1] = (at(x, i)[1] + a[i] * high) + b[i] * next_high;
    }
}

/* x_i += sign a_i s for rows i < n */
static inline void add(int n, double sign, const double *a, const double *s, double *x)
{
    quad low = sign * from(s, 0)[0], high = sign * from(s, 0)[1];
    for (int i = 0; i < n; ++i) {
        at(x, i)[0] += a[i] * low;
        at(x, i)[1] += a[i] * high;
    }
}

/* to += sign a'x; even and odd entries apart, so that sums need not wait for one another */
static inline void add_dot(int n, double sign, const double *a, const double *x, double *to)
{
    quad low[2] = {{0}, {0}}, high[2] = {{0}, {0}};
    for (int i = 0; i + 1 < n; i += 2) {
        low[0] += a[i] * from(x, i)[0];
        high[0] += a[i] * from(x, i)[1];
        low[1] += a[i + 1] * from(x, i + 1)[0];
        high[1] += a[i + 1] * from(x, i + 1)[1];
    }
    if (n % 2 != 0) {
        low[0] += a[n - 1] * from(x, n - 1)[0];
        high[0] += a[n - 1] * from(x, n - 1)[1];
    }
    at(to, 0)[0] += sign * (low[0] + low[1]);
    at(to, 0)[1] += sign * (high[0] + high[1]);
}

static inline void divide(double a, double *x)
{
    at(x, 0)[0] /= a;
    at(x, 0)[1] /= a;
}

CRN_CLONES void crn_lanes_add(int n, int m, double sign, const double *A, const double *s, double *x)
{
    int k = 0;
    for (; k + 1 < m; k += 2) {
        add_two(n, sign, A + (long)k * n, A + (long)(k + 1) * n, s + LANES * k, x);
    }
    if (k < m) {
        add(n, sign, A + (long)k * n, s + LANES * k, x);
    }
}

CRN_CLONES void crn_lanes_add_transposed(int n, int m, double sign, const double *A, const double *x, double *s)
{
    for (int k = 0; k < m; ++k) {
        add_dot(n, sign, A + (long)k * n, x, s + LANES * k);
    }
}

CRN_CLONES void crn_lanes_solve_lower(int n, int ld, const double *G, double *x)
{
    int k = 0;
    for (; k + 1 < n; k += 2) {
        const double *column = G + (long)k * ld, *next = column + ld;
        divide(column[k], x + LANES * k);
        add(1, -1.0, column + k + 1, x + LANES * k, x + LANES * (k + 1));
        divide(next[k + 1], x + LANES * (k + 1));
        add_two(n - k - 2, -1.0, column + k + 2, next + k + 2, x + LANES * k, x + LANES * (k + 2));
    }
    if (k < n) {
        divide(G[(long)k * (ld + 1)], x + LANES * k);
    }
}

CRN_CLONES void crn_lanes_solve_upper(int n, int ld, const double *G, double *x)
{
    for (int k = n - 1; k >= 0; --k) {
        const double *column = G + (long)k * ld;
        add_dot(n - k - 1, -1.0, column + k + 1, x + LANES * (k + 1), x + LANES * k);
        divide(column[k], x + LANES * k);
    }
}

CRN_CLONES void crn_lanes_lu_solve(const crn_lu *lu, double *x)
{
    for (int k = 0; k < lu->n; ++k) {
        double kept[LANES], *other = x + LANES * lu->pivot[k];
        memcpy(kept, other, sizeof kept);
        memcpy(other, x + LANES * k, sizeof kept);
        memcpy(x + LANES * k, kept, sizeof kept);
    }
    for (int k = 0; k < lu->n; ++k) { /* x = L \ x */
        const double *column = lu->a + (long)k * lu->ld;
        add(lu->n - k - 1, -1.0, column + k + 1, x + LANES * k, x + LANES * (k + 1));
    }
    for (int k = lu->n - 1; k >= 0; --k) { /* x = U \ x */
        const double *column = lu->a + (long)k * lu->ld;
        divide(column[k], x + LANES * k);
        add(k, -1.0, column, x + LANES * k, x);
    }
}

CRN_CLONES void crn_lanes_scale(int n, const double *a, double *x)
{
    for (int i = 0; i < n; ++i) {
        at(x, i)[0] *= a[i];
        at(x, i)[1] *= a[i];
    }
}

void crn_lanes_put(int n, const double *from, int lane, double *x)
{
    for (int i = 0; i < n; ++i) {
        x[LANES * i + lane] = from[i];
    }
}

void crn_lanes_get(int n, const double *x, int lane, double *to)
{
    for (int i = 0; i < n; ++i) {
        to[i] = x[LANES * i + lane];
    }
}
