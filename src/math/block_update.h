/* The step that both factorisations share: subtract from column k what the supernodes to its left owe it. */
#ifndef CRN_MATH_BLOCK_UPDATE_H
#define CRN_MATH_BLOCK_UPDATE_H

#include "math/block_cholesky.h"
#include "math/block_kernel.h"

/* Where the block rows of panel k begin: position[place]. */
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
    int d = p->size[k], height = p->height[k];
    for (int b = block; b < p->start[j + 1]; ++b) {
        const double *from = buffer + (p->offset[b] - p->offset[block]);
        double *to = panel + position[p->row[b]];
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

/* Panel k -= tails of `from` times row k of `other`', over all supernodes that reach row k. For Cholesky both are the
 * lower panels; for LU the lower panel takes (lower, upper), the upper one (upper, lower). */
CRN_KERNEL void crn_block_collect(const crn_block_matrix *m, int k, const double *from, const double *other,
                                  double *panel)
{
    const crn_block_pattern *p = m->pattern;
    int d = p->size[k], height = p->height[k];
    for (int e = p->left_start[k]; e < p->left_start[k + 1]; ++e) {
        int j = p->left[e], block = p->left_block[e];
        int tail = p->height[j] - p->offset[block];
        /* As many rows as the panel means the same rows: no detour through the buffer. */
        bool is_direct = tail == height;
        double *to = is_direct ? panel : m->buffer;
        int ld = is_direct ? height : tail;
        if (!is_direct) {
            for (int i = 0; i < tail * d; ++i) {
                to[i] = 0.0;
            }
        }
        for (int c = j; c < k && p->head[c] == j; ++c) {
            size_t at = p->panel[c] + (size_t)(p->height[c] - tail);
            crn_panel_update(tail, d, p->size[c], from + at, p->height[c], other + at, p->height[c], to, ld);
        }
        if (!is_direct) {
            crn_block_scatter(p, k, j, block, m->position, to, ld, panel);
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
