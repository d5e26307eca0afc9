/* From compressed columns of scalars to block rows: the pattern made symmetric, diagonal blocks always there. */
#include "contact/cone_local.h"

#include <string.h>

/* Lists of contacts, one list per contact. */
typedef struct lists {
    int *start; /* contacts + 1 */
    int *item;
} lists;

/* Row contacts of each block column, increasing because rows are; item NULL: only count. Returns their number. */
static int block_columns(const crn_cone_problem *p, lists *columns, int *mark)
{
    const int d = p->dim;
    int found = 0;
    for (int j = 0; j < p->contacts; ++j) {
        mark[j] = -1;
    }
    for (int j = 0; j < p->contacts; ++j) {
        columns->start[j] = found;
        for (int e = p->W.start[d * j]; e < p->W.start[d * j + d]; ++e) {
            const int i = p->W.row[e] / d;
            if (mark[i] != j) {
                mark[i] = j;
                if (columns->item != NULL) {
                    columns->item[found] = i;
                }
                ++found;
            }
        }
    }
    columns->start[p->contacts] = found;
    return found;
}

static void transpose(int contacts, const lists *from, lists *to)
{
    memset(to->start, 0, ((size_t)contacts + 1) * sizeof *to->start);
    for (int e = 0; e < from->start[contacts]; ++e) {
        ++to->start[from->item[e] + 1];
    }
    for (int i = 0; i < contacts; ++i) {
        to->start[i + 1] += to->start[i];
    }
    for (int j = 0; j < contacts; ++j) {
        for (int e = from->start[j]; e < from->start[j + 1]; ++e) {
            to->item[to->start[from->item[e]]++] = j;
        }
    }
    for (int i = contacts; i > 0; --i) {
        to->start[i] = to->start[i - 1];
    }
    to->start[0] = 0;
}

/* Entries of a's and b's list of contact i and i itself, without repetition; out NULL: only count. */
static int merge(const lists *a, const lists *b, int i, int *mark, int *out)
{
    const lists *both[2] = {a, b};
    int found = 1;
    mark[i] = i;
    if (out != NULL) {
        out[0] = i;
    }
    for (int k = 0; k < 2; ++k) {
        for (int e = both[k]->start[i]; e < both[k]->start[i + 1]; ++e) {
            const int j = both[k]->item[e];
            if (mark[j] != i) {
                mark[j] = i;
                if (out != NULL) {
                    out[found] = j;
                }
                ++found;
            }
        }
    }
    return found;
}

static double *find_block(const crn_cone_blocks *W, int i, int j)
{
    int low = W->start[i], high = W->start[i + 1] - 1;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (W->column[middle] < j) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return W->block + (size_t)(W->d * W->d) * (size_t)low;
}

static void fill(const crn_cone_problem *p, crn_cone_blocks *W, double *delta)
{
    const int d = W->d;
    memset(W->block, 0, (size_t)(d * d) * (size_t)W->start[W->contacts] * sizeof *W->block);
    for (int c = 0; c < W->n; ++c) {
        int last = -1;
        double *block = NULL;
        for (int e = p->W.start[c]; e < p->W.start[c + 1]; ++e) {
            const int i = p->W.row[e] / d;
            if (i != last) {
                block = find_block(W, i, c / d);
                last = i;
            }
            block[p->W.row[e] % d + d * (c % d)] = p->W.value[e];
        }
    }
    if (W->n > 0) { /* an empty vector may be NULL */
        memcpy(W->q, p->q, (size_t)W->n * sizeof *W->q);
    }
    crn_cone_blocks_finish(W, delta);
}

bool crn_cone_local_build(crn_cone_blocks *W, const crn_cone_problem *p, crn_arena *arena)
{
    const int contacts = p->contacts;
    int *mark = CRN_TAKE(arena, int, contacts);
    lists columns = {CRN_TAKE(arena, int, contacts + 1), NULL};
    lists rows = {CRN_TAKE(arena, int, contacts + 1), NULL};
    lists graph = {CRN_TAKE(arena, int, contacts + 1), NULL};
    double *delta = CRN_TAKE(arena, double, contacts);
    if (arena->overflow || columns.start == NULL || graph.start == NULL) {
        return false;
    }
    const int directed = block_columns(p, &columns, mark);
    columns.item = CRN_TAKE(arena, int, directed);
    rows.item = CRN_TAKE(arena, int, directed);
    if (arena->overflow) {
        return false;
    }
    (void)block_columns(p, &columns, mark);
    transpose(contacts, &columns, &rows);
    for (int i = 0; i < contacts; ++i) {
        mark[i] = -1;
    }
    int blocks = 0;
    for (int i = 0; i < contacts; ++i) {
        graph.start[i] = blocks;
        blocks += merge(&columns, &rows, i, mark, NULL);
    }
    graph.start[contacts] = blocks;
    graph.item = CRN_TAKE(arena, int, blocks);
    crn_cone_blocks_layout(W, p->dim, contacts, blocks, arena);
    if (arena->overflow) {
        return false;
    }
    for (int i = 0; i < contacts; ++i) {
        mark[i] = -1;
    }
    for (int i = 0; i < contacts; ++i) {
        (void)merge(&columns, &rows, i, mark, graph.item + graph.start[i]);
    }
    /* The pattern is symmetric, so the transpose has the same lists, and each of them in order. */
    lists sorted = {W->start, W->column};
    transpose(contacts, &graph, &sorted);
    W->mu = p->mu;
    fill(p, W, delta);
    return true;
}
