/* Elimination tree, column counts, structure of the factor  [D06 s4].
 *
 *     parent of column k     its first block below the diagonal
 *     row i of the factor    all columns on the tree paths from the entries of row i of the matrix up to i
 *
 * Walking these paths row by row gives first the counts, then the blocks in order. The tree is put into postorder, which
 * changes neither fill nor work and makes the columns of a supernode neighbours. */
#include "math/block_pattern.h"

#include <string.h>

enum { NONE = -1 };

/* A task has at most this part of all flops: enough tasks for a handful of threads to end at about the same time. */
static const double task_part = 1.0 / 32.0;

/* Blocks below the diagonal, at most; see the header. */
static size_t blocks_bound(size_t n, size_t edges)
{
    size_t full = crn_size_times(n, n > 0 ? n - 1 : 0) / 2;
    size_t cycles = edges + 1 > n ? edges + 1 - n : 0;
    size_t core = cycles > 0 ? 2 * (cycles - 1) : 0;
    core = core < n ? core : n;
    size_t bound = 2 * n + crn_size_times(core, core > 0 ? core - 1 : 0) / 2;
    return bound < full ? bound : full;
}

/* Flops, at most: nodes of low degree have two blocks below, what remains after them is full. */
static double flops_bound(size_t n, size_t edges, int size_most)
{
    double size = size_most, cycles = edges + 1 > n ? (double)(edges + 1 - n) : 0.0;
    double core = cycles > 0.0 ? 2.0 * (cycles - 1.0) : 0.0;
    core = core < (double)n ? core : (double)n;
    return size * size * size * (9.0 * (double)n + core * (core + 1.0) * (2.0 * core + 1.0) / 6.0);
}

static void take_blocks(crn_block_pattern *p, size_t blocks, crn_arena *arena)
{
    p->row = CRN_TAKE(arena, int, blocks);
    p->offset = CRN_TAKE(arena, int, blocks);
    p->left = CRN_TAKE(arena, int, blocks);
    p->left_block = CRN_TAKE(arena, int, blocks);
}

/* --- Tree --- */

/* parent[] for the matrix in the order of node[]; ancestor is scratch. */
static void find_tree(crn_block_pattern *p, const crn_graph *graph, int *ancestor)
{
    for (int k = 0; k < p->n; ++k) {
        p->parent[k] = ancestor[k] = NONE;
        for (int e = graph->start[p->node[k]]; e < graph->start[p->node[k] + 1]; ++e) {
            for (int j = p->place[graph->node[e]]; j != NONE && j < k;) {
                int up = ancestor[j]; /* path compression: k is the new root of all on the way */
                ancestor[j] = k;
                if (up == NONE) {
                    p->parent[j] = k;
                }
                j = up;
            }
        }
    }
}

/* Reorder node[] so that every subtree is an interval. scratch: child[n], sibling[n], stack[n]. */
static void postorder(crn_block_pattern *p)
{
    int n = p->n, count = 0;
    int *child = p->scratch, *sibling = child + n, *stack = sibling + n, *new_node = p->place;
    for (int k = 0; k < n; ++k) {
        child[k] = NONE;
    }
    for (int k = n; k-- > 0;) {
        int *list = p->parent[k] == NONE ? NULL : &child[p->parent[k]];
        sibling[k] = list ? *list : NONE;
        if (list) {
            *list = k;
        }
    }
    for (int root = 0; root < n; ++root) {
        if (p->parent[root] != NONE) {
            continue;
        }
        int depth = 0;
        stack[depth++] = root;
        while (depth > 0) {
            int k = stack[depth - 1], below = child[k];
            if (below != NONE) {
                child[k] = sibling[below];
                stack[depth++] = below;
            } else {
                new_node[count++] = p->node[k];
                --depth;
            }
        }
    }
    memcpy(p->node, new_node, (size_t)n * sizeof *p->node);
}

static void number_places(crn_block_pattern *p)
{
    for (int k = 0; k < p->n; ++k) {
        p->place[p->node[k]] = k;
    }
}

/* --- Structure --- */

/* Visit the blocks of the factor left of the diagonal, row by row: count them per column, or write them down. */
static void walk_rows(crn_block_pattern *p, const crn_graph *graph, int *next, bool is_writing)
{
    int *mark = p->scratch;
    for (int i = 0; i < p->n; ++i) {
        mark[i] = i;
        for (int e = graph->start[p->node[i]]; e < graph->start[p->node[i] + 1]; ++e) {
            for (int k = p->place[graph->node[e]]; k < i && mark[k] != i; k = p->parent[k]) {
                mark[k] = i;
                if (is_writing) {
                    p->row[next[k]] = i;
                }
                next[k]++;
            }
        }
    }
}

static void set_panels(crn_block_pattern *p, const int *first)
{
    p->size_most = p->height_most = p->first[0] = 0;
    p->panel[0] = 0;
    for (int k = 0; k < p->n; ++k) {
        p->size[k] = first[p->node[k] + 1] - first[p->node[k]];
        p->first[k + 1] = p->first[k] + p->size[k];
        p->size_most = p->size[k] > p->size_most ? p->size[k] : p->size_most;
    }
    for (int k = 0; k < p->n; ++k) {
        int height = p->size[k];
        for (int b = p->start[k]; b < p->start[k + 1]; ++b) {
            p->offset[b] = height;
            height += p->size[p->row[b]];
        }
        p->height[k] = height;
        p->height_most = height > p->height_most ? height : p->height_most;
        p->panel[k + 1] = p->panel[k] + (size_t)height * (size_t)p->size[k];
    }
}

/* Column k continues the supernode of k - 1 if that has k and k's rows below, and nothing else. */
static void find_supernodes(crn_block_pattern *p)
{
    for (int k = 0; k < p->n; ++k) {
        int before = k > 0 ? p->start[k] - p->start[k - 1] : 0;
        bool continues = k > 0 && p->parent[k - 1] == k && before == p->start[k + 1] - p->start[k] + 1;
        p->head[k] = continues ? p->head[k - 1] : k;
    }
}

static void list_left(crn_block_pattern *p)
{
    int *next = p->scratch;
    memset(p->left_start, 0, ((size_t)p->n + 1) * sizeof *p->left_start);
    for (int pass = 0; pass < 2; ++pass) {
        for (int k = 0; k < p->n; ++k) {
            for (int b = p->start[k]; p->head[k] == k && b < p->start[k + 1]; ++b) {
                if (pass == 0) {
                    p->left_start[p->row[b] + 1]++;
                } else {
                    int at = next[p->row[b]]++;
                    p->left[at] = k;
                    p->left_block[at] = b;
                }
            }
        }
        for (int k = 0; pass == 0 && k < p->n; ++k) {
            p->left_start[k + 1] += p->left_start[k];
            next[k] = p->left_start[k];
        }
    }
}

/* --- Tasks --- */

/* Flops and columns (scratch) of every subtree. */
static void weigh_subtrees(crn_block_pattern *p)
{
    int *count = p->scratch;
    p->flops = 0.0;
    for (int k = 0; k < p->n; ++k) {
        p->work[k] = (double)p->size[k] * (double)p->height[k] * (double)p->height[k];
        p->flops += p->work[k];
        count[k] = 1;
    }
    for (int k = 0; k < p->n; ++k) {
        int up = p->parent[k];
        if (up != NONE) {
            p->work[up] += p->work[k];
            count[up] += count[k];
        }
    }
}

/* Does the supernode of column k, with all below it, fit into a task? */
static bool fits_task(const crn_block_pattern *p, int k)
{
    int last = k;
    while (last + 1 < p->n && p->head[last + 1] == p->head[k]) {
        ++last;
    }
    return p->work[last] <= task_part * p->flops;
}

/* The largest subtrees that fit, neighbours put together while they still do. */
static void find_tasks(crn_block_pattern *p)
{
    double load = 0.0;
    weigh_subtrees(p);
    p->tasks = 0;
    for (int k = 0; p->flops > CRN_BLOCK_FLOPS_LARGE && k < p->n; ++k) {
        bool ends_supernode = k + 1 == p->n || p->head[k + 1] == k + 1;
        bool is_inner = p->parent[k] != NONE && fits_task(p, p->parent[k]);
        if (!ends_supernode || is_inner || !fits_task(p, k)) {
            continue;
        }
        int first = k + 1 - p->scratch[k], *last = p->task + 2 * p->tasks - 1;
        if (p->tasks > 0 && *last == first && load + p->work[k] <= task_part * p->flops) {
            *last = k + 1;
            load += p->work[k];
        } else {
            p->task[2 * p->tasks] = first;
            p->task[2 * p->tasks + 1] = k + 1;
            p->tasks++;
            load = p->work[k];
        }
    }
}

static size_t count_blocks(crn_block_pattern *p, const crn_graph *graph)
{
    int *count = p->start + 1;
    p->start[0] = 0;
    memset(count, 0, (size_t)p->n * sizeof *count);
    walk_rows(p, graph, count, false);
    for (int k = 0; k < p->n; ++k) {
        count[k] += p->start[k];
    }
    return (size_t)p->start[p->n];
}

static void fill_blocks(crn_block_pattern *p, const crn_graph *graph, const int *first)
{
    memcpy(p->height, p->start, (size_t)p->n * sizeof *p->height); /* height serves as the cursor */
    walk_rows(p, graph, p->height, true);
    set_panels(p, first);
    find_supernodes(p);
    list_left(p);
    find_tasks(p);
}

/* Counting mode: what crn_block_values_count() shall say. */
static size_t values_bound(size_t n, size_t blocks, const int *first)
{
    size_t dim = 0, squares = 0, most = 0;
    for (size_t i = 0; i < n; ++i) {
        size_t d = (size_t)(first[i + 1] - first[i]);
        dim += d;
        squares += d * d;
        most = d > most ? d : most;
    }
    size_t full = crn_size_times(dim, dim) / 2 + squares / 2 + 1, by_blocks = crn_size_times(blocks, most * most);
    by_blocks = by_blocks < SIZE_MAX - squares ? by_blocks + squares : SIZE_MAX;
    return full < by_blocks ? full : by_blocks;
}

static void take_nodes(crn_block_pattern *p, size_t n, crn_arena *arena)
{
    int **array[] = {&p->node, &p->place, &p->size, &p->height, &p->head, &p->parent};
    for (size_t i = 0; i < sizeof array / sizeof *array; ++i) {
        *array[i] = CRN_TAKE(arena, int, n);
    }
    p->first = CRN_TAKE(arena, int, n + 1);
    p->start = CRN_TAKE(arena, int, n + 1);
    p->left_start = CRN_TAKE(arena, int, n + 1);
    p->panel = CRN_TAKE(arena, size_t, n + 1);
    p->task = CRN_TAKE(arena, int, 2 * n);
    p->work = CRN_TAKE(arena, double, n);
    p->scratch = CRN_TAKE(arena, int, 3 * n);
}

bool crn_block_pattern_begin(crn_block_pattern *p, int n, size_t edges, const int *first, crn_arena *arena)
{
    p->n = n;
    p->dim = p->size_most = p->tasks = 0;
    for (int i = 0; i < n; ++i) {
        int d = first[i + 1] - first[i];
        p->dim += d;
        p->size_most = d > p->size_most ? d : p->size_most;
    }
    p->height_most = p->dim;
    take_nodes(p, (size_t)n, arena);
    crn_order_layout(&p->order, n, 2 * edges, arena);
    return p->scratch && p->order.bucket && !arena->overflow;
}

bool crn_block_pattern_analyse(crn_block_pattern *p, const crn_graph *graph, const int *first, crn_arena *arena)
{
    crn_order_minimum_degree(graph, &p->order, p->node);
    number_places(p);
    find_tree(p, graph, p->scratch);
    postorder(p);
    number_places(p);
    find_tree(p, graph, p->scratch);
    take_blocks(p, count_blocks(p, graph), arena);
    if (!arena->overflow) {
        fill_blocks(p, graph, first);
    }
    return !arena->overflow;
}

void crn_block_pattern_layout(crn_block_pattern *p, const crn_graph *graph, size_t edges, const int *first,
                              crn_arena *arena)
{
    size_t n = (size_t)graph->n;
    if (crn_block_pattern_begin(p, graph->n, edges, first, arena)) {
        (void)crn_block_pattern_analyse(p, graph, first, arena);
        return;
    }
    size_t blocks = blocks_bound(n, edges);
    take_blocks(p, blocks, arena);
    p->panel = NULL;
    p->bound = values_bound(n, blocks, first);
    p->flops = flops_bound(n, edges, p->size_most);
}

size_t crn_block_values_count(const crn_block_pattern *p)
{
    return p->panel ? p->panel[p->n] : p->bound;
}

size_t crn_block_locate(const crn_block_pattern *p, int row, int column)
{
    if (row == column) {
        return p->panel[column];
    }
    int low = p->start[column], high = p->start[column + 1] - 1;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (p->row[middle] < row) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return p->panel[column] + (size_t)p->offset[low];
}
