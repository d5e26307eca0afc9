/* Left-looking block Cholesky  [D06 s4], [GVL s4.2]: for each column k of blocks, supernode by supernode,
 *
 *     A_.k -= sum over j < k of L_.j L_kj'        source supernode by source supernode, then within its own
 *     L_kk L_kk' = A_kk,   L_ik = A_ik L_kk^-T    down the panel, column by column
 *
 * Every entry is a difference of products in an order that the pattern fixes. */
#include "math/block_cholesky.h"

#include <math.h>
#include <string.h>

#include "math/block_update.h"
#include "math/simd.h"

void crn_block_matrix_layout(crn_block_matrix *m, const crn_block_pattern *pattern, bool has_upper, crn_arena *arena)
{
    size_t values = crn_block_values_count(pattern), dim = (size_t)pattern->dim;
    m->pattern = pattern;
    m->lower = CRN_TAKE(arena, double, values + CRN_TILE); /* tiles read beyond the last row */
    m->upper = has_upper ? CRN_TAKE(arena, double, values + CRN_TILE) : NULL;
    m->inverse = CRN_TAKE(arena, double, dim);
    m->pivot = CRN_TAKE(arena, int, dim);
    m->gather = CRN_TAKE(arena, double, dim);
    m->hands = pattern->flops > CRN_BLOCK_FLOPS_LARGE ? crn_block_team_most() : 1;
    m->buffer = CRN_TAKE_MATRIX(arena, double, (size_t)m->hands *(size_t)pattern->height_most, pattern->size_most);
    m->position = CRN_TAKE_MATRIX(arena, int, m->hands, pattern->n);
}

void crn_block_clear(crn_block_matrix *m, double diagonal, bool with_upper)
{
    const crn_block_pattern *p = m->pattern;
    size_t values = crn_block_values_count(p);
    memset(m->lower, 0, (values + CRN_TILE) * sizeof *m->lower);
    if (with_upper) {
        memset(m->upper, 0, (values + CRN_TILE) * sizeof *m->upper);
    }
    for (int k = 0; k < p->n; ++k) {
        for (int i = 0; i < p->size[k]; ++i) {
            m->lower[p->panel[k] + (size_t)i * (size_t)(p->height[k] + 1)] = diagonal;
        }
    }
}

/* The first `rows` rows of the panel: L_kk on top, L_kk^-T applied below; inverse takes 1 / diagonal. */
CRN_KERNEL bool factor_panel(int d, int rows, int ld, double *restrict panel, double *restrict inverse)
{
    bool is_positive = true;
    for (int col = 0; col < d; ++col) {
        double *restrict to = panel + (long)col * ld;
        for (int b = 0; b < col; ++b) {
            const double *restrict from = panel + (long)b * ld;
            double w = from[col];
            for (int i = 0; i < rows; ++i) { /* rows above the diagonal come along: nobody reads them */
                to[i] -= from[i] * w;
            }
        }
        double pivot = to[col];
        is_positive = is_positive && pivot > 0.0 && pivot < INFINITY;
        double scale = 1.0 / sqrt(pivot);
        inverse[col] = scale;
        for (int i = 0; i < rows; ++i) {
            to[i] *= scale;
        }
    }
    return is_positive;
}

/* L_kk^-T applied to `rows` rows further down the panel: the same operations on each. */
CRN_KERNEL void apply_panel(int d, int rows, int ld, const double *panel, const double *inverse, double *restrict below)
{
    for (int col = 0; col < d; ++col) {
        double *restrict to = below + (long)col * ld;
        for (int b = 0; b < col; ++b) {
            const double *restrict from = below + (long)b * ld;
            double w = panel[col + (long)b * ld];
            for (int i = 0; i < rows; ++i) {
                to[i] -= from[i] * w;
            }
        }
        double scale = inverse[col];
        for (int i = 0; i < rows; ++i) {
            to[i] *= scale;
        }
    }
}

/* The first `rows` rows of column k. */
CRN_KERNEL bool factor_column(crn_block_matrix *m, int k, int rows)
{
    const crn_block_pattern *p = m->pattern;
    double *panel = m->lower + p->panel[k], *inverse = m->inverse + p->first[k];
    int d = p->size[k], height = p->height[k];
    if (d == 6 && rows == 12 && height == 12) {
        return factor_panel(6, 12, 12, panel, inverse);
    }
    return d == 6 ? factor_panel(6, rows, height, panel, inverse) : factor_panel(d, rows, height, panel, inverse);
}

/* Columns chunk .. end-1 of a supernode but for the last `below` rows, after the columns before have paid. */
CRN_KERNEL bool factor_top(crn_block_matrix *m, int chunk, int end, int below)
{
    bool is_positive = true;
    for (int k = chunk; k < end && is_positive; ++k) {
        int rows = m->pattern->height[k] - below;
        crn_block_within(m->pattern, k, chunk, k, 0, rows, m->lower, m->lower, m->lower);
        is_positive = factor_column(m, k, rows);
    }
    return is_positive;
}

CRN_CLONES static void collect(crn_block_matrix *m, const crn_block_hand *hand, int head, int end)
{
    crn_block_positions(m->pattern, head, hand->position);
    crn_block_collect(m->pattern, hand, head, end, m->lower, m->lower, m->lower);
}

CRN_CLONES static void update(crn_block_matrix *m, const crn_block_hand *hand, int head, int chunk, int end)
{
    crn_block_chunk(m->pattern, hand, head, chunk, end, m->lower, m->lower, m->lower);
}

CRN_CLONES static bool finish_top(crn_block_matrix *m, int chunk, int end)
{
    return factor_top(m, chunk, end, crn_block_below(m->pattern, end - 1));
}

CRN_CLONES static void finish_below(crn_block_matrix *m, const crn_block_hand *hand, int chunk, int end)
{
    const crn_block_pattern *p = m->pattern;
    int below = crn_block_below(p, end - 1);
    crn_block_rows rows = crn_block_rows_of(hand, below);
    for (int k = chunk; k < end; ++k) {
        int d = p->size[k], height = p->height[k], first = height - below + rows.first, count = rows.end - rows.first;
        double *panel = m->lower + p->panel[k], *inverse = m->inverse + p->first[k];
        crn_block_within(p, k, chunk, k, first, first + count, m->lower, m->lower, m->lower);
        if (d == 6) {
            apply_panel(6, count, height, panel, inverse, panel + first);
        } else {
            apply_panel(d, count, height, panel, inverse, panel + first);
        }
    }
}

CRN_CLONES static bool factor_columns(crn_block_matrix *m, const crn_block_hand *hand, int first, int stop)
{
    const crn_block_pattern *p = m->pattern;
    const crn_block_hand alone = {0, 1, hand->buffer, hand->position};
    for (int head = first, end; head < stop; head = end) {
        end = crn_block_supernode_end(p, head);
        crn_block_positions(p, head, alone.position);
        crn_block_collect(p, &alone, head, end, m->lower, m->lower, m->lower);
        for (int chunk = head, next; chunk < end; chunk = next) {
            next = chunk + CRN_BLOCK_CHUNK < end ? chunk + CRN_BLOCK_CHUNK : end;
            crn_block_chunk(p, &alone, head, chunk, next, m->lower, m->lower, m->lower);
            if (!factor_top(m, chunk, next, 0)) {
                return false;
            }
        }
    }
    return true;
}

bool crn_block_cholesky(crn_block_matrix *m)
{
    static const crn_block_method method = {factor_columns, collect, update, finish_top, finish_below};
    return crn_block_factorise(m, &method);
}

/* x := L_kk \ x and x := L_kk' \ x */
CRN_KERNEL void solve_diagonal(int d, int ld, const double *a, const double *inverse, double *x)
{
    for (int k = 0; k < d; ++k) {
        x[k] *= inverse[k];
        for (int i = k + 1; i < d; ++i) {
            x[i] -= a[i + (long)k * ld] * x[k];
        }
    }
}

CRN_KERNEL void solve_diagonal_transposed(int d, int ld, const double *a, const double *inverse, double *x)
{
    for (int k = d; k-- > 0;) {
        double sum = x[k];
        for (int i = k + 1; i < d; ++i) {
            sum -= a[i + (long)k * ld] * x[i];
        }
        x[k] = sum * inverse[k];
    }
}

CRN_CLONES void crn_block_cholesky_solve(const crn_block_matrix *m, double *x)
{
    const crn_block_pattern *p = m->pattern;
    for (int k = 0; k < p->n; ++k) {
        const double *panel = m->lower + p->panel[k];
        int d = p->size[k], height = p->height[k];
        double *part = x + p->first[k];
        if (d == 6) {
            solve_diagonal(6, height, panel, m->inverse + p->first[k], part);
        } else {
            solve_diagonal(d, height, panel, m->inverse + p->first[k], part);
        }
        crn_block_gather(p, k, x, m->gather);
        crn_panel_times(height - d, d, panel + d, height, part, m->gather);
        crn_block_return(p, k, m->gather, x);
    }
    for (int k = p->n; k-- > 0;) {
        const double *panel = m->lower + p->panel[k];
        int d = p->size[k], height = p->height[k];
        double *part = x + p->first[k];
        crn_block_gather(p, k, x, m->gather);
        crn_panel_transposed_times(height - d, d, panel + d, height, m->gather, part);
        if (d == 6) {
            solve_diagonal_transposed(6, height, panel, m->inverse + p->first[k], part);
        } else {
            solve_diagonal_transposed(d, height, panel, m->inverse + p->first[k], part);
        }
    }
}
