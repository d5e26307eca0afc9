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
    m->buffer = CRN_TAKE(arena, double, (size_t)pattern->height_most *(size_t)pattern->size_most);
    m->gather = CRN_TAKE(arena, double, dim);
    m->position = CRN_TAKE(arena, int, pattern->n);
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

/* Columns of the panel: L_kk on top, L_kk^-T applied below; inverse takes 1 / diagonal. */
CRN_KERNEL bool factor_panel(int d, int height, double *restrict panel, double *restrict inverse)
{
    bool is_positive = true;
    for (int col = 0; col < d; ++col) {
        double *restrict to = panel + (long)col * height;
        for (int b = 0; b < col; ++b) {
            const double *restrict from = panel + (long)b * height;
            double w = from[col];
            for (int i = 0; i < height; ++i) { /* rows above the diagonal come along: nobody reads them */
                to[i] -= from[i] * w;
            }
        }
        double pivot = to[col];
        is_positive = is_positive && pivot > 0.0 && pivot < INFINITY;
        double scale = 1.0 / sqrt(pivot);
        inverse[col] = scale;
        for (int i = 0; i < height; ++i) {
            to[i] *= scale;
        }
    }
    return is_positive;
}

CRN_KERNEL bool factor_column(crn_block_matrix *m, int k)
{
    const crn_block_pattern *p = m->pattern;
    double *panel = m->lower + p->panel[k], *inverse = m->inverse + p->first[k];
    int d = p->size[k], height = p->height[k];
    if (d == 6 && height == 12) {
        return factor_panel(6, 12, panel, inverse);
    }
    return d == 6 ? factor_panel(6, height, panel, inverse) : factor_panel(d, height, panel, inverse);
}

/* Finish columns chunk .. end-1 of the supernode that begins with head. */
CRN_KERNEL bool factor_chunk(crn_block_matrix *m, int head, int chunk, int end)
{
    bool is_positive = true;
    crn_block_chunk(m, head, chunk, end, m->lower, m->lower, m->lower);
    for (int k = chunk; k < end && is_positive; ++k) {
        crn_block_within(m, k, chunk, k, m->lower, m->lower, m->lower);
        is_positive = factor_column(m, k);
    }
    return is_positive;
}

CRN_CLONES bool crn_block_cholesky(crn_block_matrix *m)
{
    const crn_block_pattern *p = m->pattern;
    for (int head = 0, end; head < p->n; head = end) {
        end = crn_block_supernode_end(p, head);
        crn_block_positions(p, head, m->position);
        crn_block_collect(m, head, end, m->lower, m->lower, m->lower);
        for (int chunk = head; chunk < end; chunk += CRN_CHUNK) {
            if (!factor_chunk(m, head, chunk, chunk + CRN_CHUNK < end ? chunk + CRN_CHUNK : end)) {
                return false;
            }
        }
    }
    return true;
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
