/* Right-looking LU over tiles:
 *
 *     for each tile K:   P D_KK = L U,   L_IK = A_IK U^-1,   U_KJ = L^-1 P A_KJ,   A_IJ -= L_IK U_KJ
 *
 * I and J run over the tiles below K in its column, which the order has closed under elimination. */
#include "contact/cone_lu.h"

#include "math/simd.h"
#include "math/vec.h"

#include <math.h>
#include <string.h>

/* --- kernels --- */

/* Two columns of C less four columns of A times a 4 x 2 part of B: each entry of A that is loaded serves twice. The
 * accumulating order is written down by the parentheses, so it does not depend on the vector width. */
static inline __attribute__((always_inline)) void four_by_two(int m, const double *restrict A, int lda,
                                                              const double *restrict B, int ldb, double *restrict C,
                                                              int ldc)
{
    const double *restrict a0 = A, *restrict a1 = A + lda, *restrict a2 = A + 2 * lda, *restrict a3 = A + 3 * lda;
    const double b00 = B[0], b10 = B[1], b20 = B[2], b30 = B[3];
    const double b01 = B[ldb], b11 = B[ldb + 1], b21 = B[ldb + 2], b31 = B[ldb + 3];
    double *restrict c0 = C, *restrict c1 = C + ldc;
    for (int i = 0; i < m; ++i) {
        c0[i] -= (a0[i] * b00 + a1[i] * b10) + (a2[i] * b20 + a3[i] * b30);
        c1[i] -= (a0[i] * b01 + a1[i] * b11) + (a2[i] * b21 + a3[i] * b31);
    }
}

static inline __attribute__((always_inline)) void one_by_one(int m, const double *restrict a, double b,
                                                             double *restrict c)
{
    for (int i = 0; i < m; ++i) {
        c[i] -= a[i] * b;
    }
}

/* C -= A B with A m x k, B k x n */
CRN_CLONES static void subtract_product(int m, int n, int k, const double *A, int lda, const double *B, int ldb,
                                        double *C, int ldc)
{
    const int k0 = k - k % 4, n0 = n - n % 2;
    for (int j = 0; j < n0; j += 2) {
        for (int p = 0; p < k0; p += 4) {
            four_by_two(m, A + p * lda, lda, B + p + j * ldb, ldb, C + j * ldc, ldc);
        }
    }
    /* whatever is left over at the rims */
    for (int j = 0; j < n; ++j) {
        for (int p = j < n0 ? k0 : 0; p < k; ++p) {
            one_by_one(m, A + p * lda, B[p + j * ldb], C + j * ldc);
        }
    }
}

/* Columns of a panel: triangular work stays within it, all else is products. */
enum { PANEL = 8 };

static int panel_end(int begin, int n)
{
    return begin + PANEL < n ? begin + PANEL : n;
}

/* Rows k of columns from .. to-1 of a, n rows: exchanged as pivot says. */
static void exchange_rows(int n, int k, int other, int from, int to, double *a)
{
    for (int j = from; other != k && j < to; ++j) {
        const double swap = a[k + j * n];
        a[k + j * n] = a[other + j * n];
        a[other + j * n] = swap;
    }
}

/* Columns begin .. end-1, rows from begin down, of P A = L U. */
static bool factor_panel(int n, int begin, int end, double *a, int *pivot)
{
    for (int k = begin; k < end; ++k) {
        double *column = a + k * n;
        int best = k;
        for (int i = k + 1; i < n; ++i) {
            best = fabs(column[i]) > fabs(column[best]) ? i : best;
        }
        pivot[k] = best;
        if (column[best] == 0.0 || !isfinite(column[best])) {
            return false;
        }
        exchange_rows(n, k, best, 0, n, a);
        crn_scal(n - k - 1, 1.0 / column[k], column + k + 1);
        for (int j = k + 1; j < end; ++j) {
            crn_axpy(n - k - 1, -a[k + j * n], column + k + 1, a + k + 1 + j * n);
        }
    }
    return true;
}

/* Rows begin .. end-1 of B, leading dimension ldb: B = L^-1 B with the unit lower part of the panel l, leading dim. n. */
static void solve_panel(int n, int begin, int end, const double *l, int columns, double *B, int ldb)
{
    for (int j = 0; j < columns; ++j) {
        double *b = B + j * ldb;
        for (int k = begin; k < end; ++k) {
            for (int i = k + 1; i < end; ++i) {
                b[i] -= b[k] * l[i + k * n];
            }
        }
    }
}

/* P A = L U in place, n x n with leading dimension n. */
static bool factor_tile(int n, double *a, int *pivot)
{
    for (int begin = 0; begin < n; begin += PANEL) {
        const int end = panel_end(begin, n), rest = n - end;
        if (!factor_panel(n, begin, end, a, pivot)) {
            return false;
        }
        double *right = a + end * n;
        solve_panel(n, begin, end, a, rest, right, n);
        subtract_product(rest, rest, end - begin, a + end + begin * n, n, right + begin, n, right + end, n);
    }
    return true;
}

/* B = B U^-1, B m x n */
static void solve_right(int m, int n, const double *u, double *B)
{
    for (int begin = 0; begin < n; begin += PANEL) {
        const int end = panel_end(begin, n);
        subtract_product(m, end - begin, begin, B, m, u + begin * n, n, B + begin * m, m);
        for (int j = begin; j < end; ++j) {
            for (int k = begin; k < j; ++k) {
                crn_axpy(m, -u[k + j * n], B + k * m, B + j * m);
            }
            crn_scal(m, 1.0 / u[j + j * n], B + j * m);
        }
    }
}

/* B = L^-1 P B, B n x m */
static void solve_left(int m, int n, const double *l, const int *pivot, double *B)
{
    for (int k = 0; k < n; ++k) {
        exchange_rows(n, k, pivot[k], 0, m, B);
    }
    for (int begin = 0; begin < n; begin += PANEL) {
        const int end = panel_end(begin, n);
        solve_panel(n, begin, end, l, m, B, n);
        subtract_product(n - end, m, end - begin, l + end + begin * n, n, B + begin, n, B + end, n);
    }
}

/* b = L^-1 P b */
static void solve_lower(int n, const double *l, const int *pivot, double *b)
{
    for (int k = 0; k < n; ++k) {
        const double swap = b[k];
        b[k] = b[pivot[k]];
        b[pivot[k]] = swap;
    }
    for (int k = 0; k < n; ++k) {
        crn_axpy(n - k - 1, -b[k], l + k + 1 + k * n, b + k + 1);
    }
}

/* b = U^-1 b */
static void solve_upper(int n, const double *u, double *b)
{
    for (int k = n - 1; k >= 0; --k) {
        b[k] /= u[k + k * n];
        crn_axpy(k, -b[k], u + k * n, b);
    }
}

/* --- tiles --- */

static int tile_capacity(const crn_cone_lu *lu, int t)
{
    return lu->d * (lu->order->tile_start[t + 1] - lu->order->tile_start[t]);
}

void crn_cone_lu_layout(crn_cone_lu *lu, const crn_cone_order *order, int d, crn_arena *arena)
{
    const int entries = order->row_start[order->tiles];
    *lu = (crn_cone_lu){.order = order, .d = d};
    lu->rows = CRN_TAKE(arena, int, order->tiles);
    lu->place = CRN_TAKE(arena, int, order->nodes);
    lu->pivot = CRN_TAKE(arena, int, (size_t)order->nodes *(size_t)d);
    lu->diagonal = CRN_TAKE(arena, size_t, order->tiles);
    lu->lower = CRN_TAKE(arena, size_t, entries);
    lu->upper = CRN_TAKE(arena, size_t, entries);
}

bool crn_cone_lu_take(crn_cone_lu *lu, crn_arena *arena)
{
    if (arena->overflow) {
        return false;
    }
    const crn_cone_order *o = lu->order;
    size_t at = 0;
    for (int t = 0; t < o->tiles; ++t) {
        const size_t rows = (size_t)tile_capacity(lu, t);
        lu->diagonal[t] = at;
        at += rows * rows;
        for (int e = o->row_start[t]; e < o->row_start[t + 1]; ++e) {
            const size_t entries = rows * (size_t)tile_capacity(lu, o->row[e]);
            lu->lower[e] = at;
            lu->upper[e] = at + entries;
            at += 2 * entries;
        }
    }
    lu->values = at;
    lu->value = CRN_TAKE(arena, double, at);
    return !arena->overflow;
}

void crn_cone_lu_begin(crn_cone_lu *lu, const bool *is_active)
{
    const crn_cone_order *o = lu->order;
    for (int t = 0; t < o->tiles; ++t) {
        lu->rows[t] = 0;
        for (int p = o->tile_start[t]; p < o->tile_start[t + 1]; ++p) {
            const int v = o->sequence[p];
            lu->place[v] = is_active[v] ? lu->rows[t] : -1;
            lu->rows[t] += is_active[v] ? lu->d : 0;
        }
        const size_t rows = (size_t)lu->rows[t];
        memset(lu->value + lu->diagonal[t], 0, rows * rows * sizeof *lu->value);
        for (int e = o->row_start[t]; e < o->row_start[t + 1]; ++e) {
            const size_t bytes = rows * (size_t)lu->rows[o->row[e]] * sizeof *lu->value;
            memset(lu->value + lu->lower[e], 0, bytes);
            memset(lu->value + lu->upper[e], 0, bytes);
        }
    }
}

/* The entry (I,J), I > J, of the tile pattern; it is there. */
static int find_entry(const crn_cone_order *o, int I, int J)
{
    int low = o->row_start[I], high = o->row_start[I + 1] - 1;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (o->row[middle] < J) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

double *crn_cone_lu_block(const crn_cone_lu *lu, int i, int j, int *ld)
{
    const int I = lu->order->tile_of[i], J = lu->order->tile_of[j];
    size_t at;
    if (I == J) {
        at = lu->diagonal[I];
    } else if (I > J) {
        at = lu->lower[find_entry(lu->order, I, J)];
    } else {
        at = lu->upper[find_entry(lu->order, J, I)];
    }
    *ld = lu->rows[I];
    return lu->value + at + lu->place[i] + (size_t)lu->place[j] * (size_t)lu->rows[I];
}

/* A_IJ -= L_IK U_KJ for all J below K, I fixed. at: where L_IK stands in row I. */
static void update_row(crn_cone_lu *lu, int K, int I, int at)
{
    const crn_cone_order *o = lu->order;
    const int k = lu->rows[K], m = lu->rows[I];
    const double *L = lu->value + lu->lower[at], *U = lu->value + lu->upper[at];
    int e = at;
    for (int c = o->col_start[K]; o->col[c] < I; ++c) {
        const int J = o->col[c], n = lu->rows[J], other = o->col_place[c];
        while (o->row[e] != J) {
            ++e;
        }
        const double *LJ = lu->value + lu->lower[other], *UJ = lu->value + lu->upper[other];
        subtract_product(m, n, k, L, m, UJ, k, lu->value + lu->lower[e], m);
        subtract_product(n, m, k, LJ, n, U, k, lu->value + lu->upper[e], n);
    }
    subtract_product(m, m, k, L, m, U, k, lu->value + lu->diagonal[I], m);
}

bool crn_cone_lu_factor(crn_cone_lu *lu)
{
    const crn_cone_order *o = lu->order;
    for (int K = 0; K < o->tiles; ++K) {
        const int n = lu->rows[K];
        double *D = lu->value + lu->diagonal[K];
        int *pivot = lu->pivot + lu->d * o->tile_start[K];
        if (n == 0) {
            continue;
        }
        if (!factor_tile(n, D, pivot)) {
            return false;
        }
        for (int c = o->col_start[K]; c < o->col_start[K + 1]; ++c) {
            const int m = lu->rows[o->col[c]], e = o->col_place[c];
            solve_right(m, n, D, lu->value + lu->lower[e]);
            solve_left(m, n, D, pivot, lu->value + lu->upper[e]);
        }
        for (int c = o->col_start[K]; c < o->col_start[K + 1]; ++c) {
            if (lu->rows[o->col[c]] > 0) {
                update_row(lu, K, o->col[c], o->col_place[c]);
            }
        }
    }
    return true;
}

void crn_cone_lu_solve(const crn_cone_lu *lu, double *x, double *work)
{
    const crn_cone_order *o = lu->order;
    const int d = lu->d;
    /* Active entries, tile after tile: that of tile t begins at d tile_start[t]. */
    for (int p = 0; p < o->nodes; ++p) {
        const int v = o->sequence[p], t = o->tile_of[v];
        if (lu->place[v] >= 0) {
            memcpy(work + d * o->tile_start[t] + lu->place[v], x + d * v, (size_t)d * sizeof *x);
        }
    }
    for (int K = 0; K < o->tiles; ++K) {
        const int n = lu->rows[K];
        double *b = work + d * o->tile_start[K];
        solve_lower(n, lu->value + lu->diagonal[K], lu->pivot + d * o->tile_start[K], b);
        for (int c = o->col_start[K]; c < o->col_start[K + 1]; ++c) {
            const int m = lu->rows[o->col[c]];
            const double *L = lu->value + lu->lower[o->col_place[c]];
            for (int k = 0; k < n; ++k) {
                crn_axpy(m, -b[k], L + k * m, work + d * o->tile_start[o->col[c]]);
            }
        }
    }
    for (int K = o->tiles - 1; K >= 0; --K) {
        const int n = lu->rows[K];
        double *b = work + d * o->tile_start[K];
        for (int c = o->col_start[K]; c < o->col_start[K + 1]; ++c) {
            const int m = lu->rows[o->col[c]];
            const double *U = lu->value + lu->upper[o->col_place[c]], *y = work + d * o->tile_start[o->col[c]];
            for (int k = 0; k < m; ++k) {
                crn_axpy(n, -y[k], U + k * n, b);
            }
        }
        solve_upper(n, lu->value + lu->diagonal[K], b);
    }
    for (int p = 0; p < o->nodes; ++p) {
        const int v = o->sequence[p], t = o->tile_of[v];
        if (lu->place[v] >= 0) {
            memcpy(x + d * v, work + d * o->tile_start[t] + lu->place[v], (size_t)d * sizeof *x);
        }
    }
}
