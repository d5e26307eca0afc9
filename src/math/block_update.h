/* The step that both factorisations share: subtract from the columns of a supernode what columns to their left owe them. */
#ifndef CRN_MATH_BLOCK_UPDATE_H
#define CRN_MATH_BLOCK_UPDATE_H

#include "math/block_cholesky.h"
#include "math/block_kernel.h"
#include "math/block_team.h"

/* A range of source columns first .. end-1 of one supernode. Their panels end with the same `tail` rows. */
typedef struct crn_block_source {
    int first, end;
    int tail;
} crn_block_source;

/* Rows of a tile: two AVX2 registers. Six columns of it are twelve sums, which stay in registers over all of a source. */
#define CRN_TILE 8

typedef double crn_lanes __attribute__((vector_size(32), aligned(8), may_alias));

/* c (CRN_TILE rows x width, leading dimension ldc) = its old value, or 0, minus A B' over the source's columns, where A are
 * CRN_TILE rows from row i of the tail of `from`, and B are the tail's first rows of `other` plus `column`. Every entry is
 * c - a b - a b ... in the order of the source's columns. A may reach up to CRN_TILE rows beyond the tail: what belongs to
 * those rows is not looked at, so another thread may be writing them. */
CRN_KERNEL void crn_block_tile(const crn_block_pattern *p, const crn_block_source *s, const double *from,
                               const double *other, int i, int column, int width, bool is_added, double *restrict c,
                               int ldc)
{
    crn_lanes low[6], high[6];
    for (int j = 0; j < width; ++j) {
        low[j] = high[j] = (crn_lanes){0.0, 0.0, 0.0, 0.0};
        if (is_added) {
            low[j] = *(const crn_lanes *)(c + (long)j * ldc);
            high[j] = *(const crn_lanes *)(c + (long)j * ldc + 4);
        }
    }
    for (int k = s->first; k < s->end; ++k) {
        int ld = p->height[k];
        size_t at = p->panel[k] + (size_t)(ld - s->tail);
        const double *a = from + at + i, *b = other + at + column;
        for (int l = 0; l < p->size[k]; ++l, a += ld, b += ld) {
            crn_lanes a0 = *(const crn_lanes *)a, a1 = *(const crn_lanes *)(a + 4);
            for (int j = 0; j < width; ++j) {
                low[j] -= a0 * b[j];
                high[j] -= a1 * b[j];
            }
        }
    }
    for (int j = 0; j < width; ++j) {
        *(crn_lanes *)(c + (long)j * ldc) = low[j];
        *(crn_lanes *)(c + (long)j * ldc + 4) = high[j];
    }
}

/* The last rows, fewer than a tile: through a copy, so that nothing beyond them is written. */
CRN_KERNEL void crn_block_tile_end(const crn_block_pattern *p, const crn_block_source *s, const double *from,
                                   const double *other, int i, int rows, int column, int width, bool is_added,
                                   double *restrict c, int ldc)
{
    double copy[6 * CRN_TILE] = {0.0};
    for (int j = 0; j < width && is_added; ++j) {
        for (int l = 0; l < rows; ++l) {
            copy[CRN_TILE * j + l] = c[l + (long)j * ldc];
        }
    }
    crn_block_tile(p, s, from, other, i, column, width, true, copy, CRN_TILE);
    for (int j = 0; j < width; ++j) {
        for (int l = 0; l < rows; ++l) {
            c[l + (long)j * ldc] = copy[CRN_TILE * j + l];
        }
    }
}

/* The same for rows `row` .. stop-1 of the tail, c being row `row` of the target. */
CRN_KERNEL void crn_block_strip(const crn_block_pattern *p, const crn_block_source *s, const double *from,
                                const double *other, int row, int stop, int column, int width, bool is_added,
                                double *restrict c, int ldc)
{
    int i = row;
    for (; i + CRN_TILE <= stop; i += CRN_TILE) {
        crn_block_tile(p, s, from, other, i, column, width, is_added, c + (i - row), ldc);
    }
    if (i < stop) {
        crn_block_tile_end(p, s, from, other, i, stop - i, column, width, is_added, c + (i - row), ldc);
    }
}

/* C (stop - row rows x d) = or -= the source's rows `row` .. stop-1, times its d rows from `column` on'. */
CRN_KERNEL void crn_block_product(const crn_block_pattern *p, const crn_block_source *s, const double *from,
                                  const double *other, int row, int stop, int column, int d, bool is_added, double *c,
                                  int ldc)
{
    if (d == 6) {
        crn_block_strip(p, s, from, other, row, stop, column, 6, is_added, c, ldc);
        return;
    }
    int j = 0;
    for (; j + 3 <= d; j += 3) {
        crn_block_strip(p, s, from, other, row, stop, column + j, 3, is_added, c + (long)j * ldc, ldc);
    }
    if (j + 2 <= d) {
        crn_block_strip(p, s, from, other, row, stop, column + j, 2, is_added, c + (long)j * ldc, ldc);
        j += 2;
    }
    if (j < d) {
        crn_block_strip(p, s, from, other, row, stop, column + j, 1, is_added, c + (long)j * ldc, ldc);
    }
}

/* Where the block rows of the supernode that begins with column k are in the panel of k: position[place]. In the panel
 * of a later column of the supernode they are position[that column] higher. */
CRN_KERNEL void crn_block_positions(const crn_block_pattern *p, int k, int *position)
{
    position[k] = 0;
    for (int b = p->start[k]; b < p->start[k + 1]; ++b) {
        position[p->row[b]] = p->offset[b];
    }
}

/* Panel k += buffer, whose rows are those of the blocks from `block` on in column j. */
CRN_KERNEL void crn_block_scatter(const crn_block_pattern *p, int k, int j, int block, const int *position,
                                  const double *restrict buffer, int ld, double *restrict panel)
{
    int d = p->size[k], height = p->height[k], above = position[k];
    for (int b = block; b < p->start[j + 1]; ++b) {
        const double *from = buffer + (p->offset[b] - p->offset[block]);
        double *to = panel + (position[p->row[b]] - above);
        int rows = p->size[p->row[b]];
        for (int col = 0; col < d; ++col, from += ld, to += height) {
            if (rows == 6) {
                for (int i = 0; i < 6; ++i) {
                    to[i] += from[i];
                }
            } else {
                for (int i = 0; i < rows; ++i) {
                    to[i] += from[i];
                }
            }
        }
    }
}

/* First column after the supernode of column `head`. */
CRN_KERNEL int crn_block_supernode_end(const crn_block_pattern *p, int head)
{
    int end = head + 1;
    while (end < p->n && p->head[end] == head) {
        ++end;
    }
    return end;
}

/* Source columns are read CRN_DEPTH at a time, for all targets: so many stay in the cache meanwhile. */
enum { CRN_DEPTH = 8 };

/* What a part of supernode j owes the columns before `end`, from its block `block` on, as far as they are this hand's. */
CRN_KERNEL void crn_block_pay(const crn_block_pattern *p, const crn_block_hand *hand, const crn_block_source *s, int j,
                              int block, int end, const double *from, const double *other, double *values)
{
    for (int b = block; b < p->start[j + 1] && p->row[b] < end; ++b) {
        int k = p->row[b], row = p->offset[b] - p->offset[block], d = p->size[k];
        double *panel = values + p->panel[k];
        if (hand->team > 1 && k % hand->team != hand->rank) {
            continue;
        }
        if (s->tail - row == p->height[k]) { /* as many rows as the panel means the same rows: no detour */
            crn_block_product(p, s, from, other, row, s->tail, row, d, true, panel, p->height[k]);
        } else {
            crn_block_product(p, s, from, other, row, s->tail, row, d, false, hand->buffer, s->tail - row);
            crn_block_scatter(p, k, j, b, hand->position, hand->buffer, s->tail - row, panel);
        }
    }
}

/* The panels of columns head .. end-1, a supernode, -= tails of `from` times rows of `other`', over all supernodes before
 * it. For Cholesky both are the lower panels; for LU the lower panels take (lower, upper), the upper ones (upper, lower).
 */
CRN_KERNEL void crn_block_collect(const crn_block_pattern *p, const crn_block_hand *hand, int head, int end,
                                  const double *from, const double *other, double *values)
{
    for (int k = head; k < end; ++k) {
        for (int e = p->left_start[k]; e < p->left_start[k + 1]; ++e) {
            int j = p->left[e], block = p->left_block[e];
            bool has_paid = block > p->start[j] && p->row[block - 1] >= head;
            int last = j == head || has_paid ? j : crn_block_supernode_end(p, j);
            for (int first = j; first < last; first += CRN_DEPTH) {
                int stop = first + CRN_DEPTH < last ? first + CRN_DEPTH : last;
                crn_block_source s = {first, stop, p->height[j] - p->offset[block]};
                crn_block_pay(p, hand, &s, j, block, end, from, other, values);
            }
        }
    }
}

/* The rows of a panel that are a hand's: whole tiles but for the last. */
typedef struct crn_block_rows {
    int first, end;
} crn_block_rows;

CRN_KERNEL crn_block_rows crn_block_rows_of(const crn_block_hand *hand, int height)
{
    if (hand->team == 1) {
        return (crn_block_rows){0, height};
    }
    int tiles = (height + CRN_TILE - 1) / CRN_TILE;
    int first = CRN_TILE * (tiles * hand->rank / hand->team), end = CRN_TILE * (tiles * (hand->rank + 1) / hand->team);
    return (crn_block_rows){first, end < height ? end : height};
}

/* Rows below column `last` in its panel: the same in the panels of its supernode before it. */
CRN_KERNEL int crn_block_below(const crn_block_pattern *p, int last)
{
    return p->height[last] - p->size[last];
}

/* Rows `row` .. stop-1 of panel k -= what columns first .. end-1 of its own supernode owe them, end <= k. */
CRN_KERNEL void crn_block_within(const crn_block_pattern *p, int k, int first, int end, int row, int stop,
                                 const double *from, const double *other, double *values)
{
    crn_block_source s = {first, end, p->height[k]};
    if (first < end && row < stop) {
        crn_block_product(p, &s, from, other, row, stop, 0, p->size[k], true, values + p->panel[k] + row, p->height[k]);
    }
}

/* Columns chunk .. end-1 -= what columns head .. chunk-1 of their supernode owe them, in the rows that are this hand's. */
CRN_KERNEL void crn_block_chunk(const crn_block_pattern *p, const crn_block_hand *hand, int head, int chunk, int end,
                                const double *from, const double *other, double *values)
{
    for (int first = head; first < chunk; first += CRN_DEPTH) {
        int last = first + CRN_DEPTH < chunk ? first + CRN_DEPTH : chunk;
        for (int k = chunk; k < end; ++k) {
            crn_block_rows rows = crn_block_rows_of(hand, p->height[k]);
            crn_block_within(p, k, first, last, rows.first, rows.end, from, other, values);
        }
    }
}

/* gather(0..) = the parts of x below the diagonal of column k, and back. */
CRN_KERNEL void crn_block_gather(const crn_block_pattern *p, int k, const double *x, double *gather)
{
    for (int b = p->start[k]; b < p->start[k + 1]; ++b) {
        const double *from = x + p->first[p->row[b]];
        int rows = p->size[p->row[b]];
        for (int i = 0; i < rows; ++i) {
            gather[i] = from[i];
        }
        gather += rows;
    }
}

CRN_KERNEL void crn_block_return(const crn_block_pattern *p, int k, const double *gather, double *x)
{
    for (int b = p->start[k]; b < p->start[k + 1]; ++b) {
        double *to = x + p->first[p->row[b]];
        int rows = p->size[p->row[b]];
        for (int i = 0; i < rows; ++i) {
            to[i] = gather[i];
        }
        gather += rows;
    }
}

#endif
