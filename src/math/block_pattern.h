/* Where a block factorisation has its blocks: the symbolic part, made once for a graph and kept while that stays.
 *
 * Nodes (bodies) have sizes of their own; the matrix has a block for each node and each edge. Nodes are eliminated in a
 * minimum degree order; "place" is the position of a node there. Column k of the factor is one panel: its diagonal block
 * on top, below it the blocks of row[start[k]] .. (places, increasing), all in one column-major array with `height` rows.
 *
 * Consecutive columns with the same rows below form a supernode: they update later columns together. */
#ifndef CRN_MATH_BLOCK_PATTERN_H
#define CRN_MATH_BLOCK_PATTERN_H

#include <stdbool.h>

#include "base/memory.h"
#include "math/block_order.h"

typedef struct crn_block_pattern {
    int n;           /* nodes */
    int dim;         /* scalar unknowns */
    int size_most;   /* largest block */
    int height_most; /* largest panel */
    int *node;       /* node at each place */
    int *place;      /* place of each node */
    int *size;       /* of the block at each place */
    int *first;      /* n + 1: first scalar unknown of each place */
    int *start;      /* n + 1: blocks below the diagonal of each column */
    int *row;        /* place of each such block, increasing within a column */
    int *offset;     /* row of the panel where that block begins */
    int *height;     /* rows of each panel */
    size_t *panel;   /* n + 1: where each panel begins among the values */
    int *head;       /* first column of the supernode of each column */
    int *left_start; /* n + 1: supernodes that reach into row k from the left ... */
    int *left;       /* ... by their first column ... */
    int *left_block; /* ... and the block of that column that is in row k */
    int *parent, *scratch;
    int tasks;    /* intervals of columns that need nothing from each other, if the factorisation is large; else 0 */
    int *task;    /* first column of each, and the first after it; what is in none needs all of them */
    double *work; /* n: flops of the subtree of each column */
    double flops; /* of a Cholesky factorisation: sum of size height^2; counting mode: at most */
    size_t bound; /* counting mode: doubles of all panels, at most */
    crn_order_room order;
} crn_block_pattern;

/* From so many flops on, about a millisecond, a factorisation is worth several threads: starting them and waiting for each
 * other costs some hundredths of that. */
#define CRN_BLOCK_FLOPS_LARGE 2e7

/* Take memory and, if the arena has memory, analyse. The unknowns of node i are first[i] .. first[i+1]-1.
 *
 * In counting mode the graph need not be known; what is counted then is a bound from the number of edges alone: nodes of
 * degree at most 2 leave at most two blocks each, and what remains of a connected graph with c independent cycles after
 * they are gone has at most 2 (c - 1) nodes. A chain or a stack gets its true size, a pile at most a full matrix. */
void crn_block_pattern_layout(crn_block_pattern *pattern, const crn_graph *graph, size_t edges, const int *first,
                              crn_arena *arena);

/* The same in two stages, for whoever begins again with more memory where it ran out, and so needs no bound: what depends on the
 * numbers of nodes and edges alone, then the analysis. Both are false where the arena has no room. */
bool crn_block_pattern_begin(crn_block_pattern *pattern, int nodes, size_t edges, const int *first, crn_arena *arena);
bool crn_block_pattern_analyse(crn_block_pattern *pattern, const crn_graph *graph, const int *first, crn_arena *arena);

/* Doubles of all panels of one triangle: exact after the analysis, in counting mode the bound. */
size_t crn_block_values_count(const crn_block_pattern *pattern);

/* Where block (row, column) of the lower triangle begins among the values, column <= row in places. The block must be in
 * the pattern; its leading dimension is height[column]. */
size_t crn_block_locate(const crn_block_pattern *pattern, int row, int column);

#endif
