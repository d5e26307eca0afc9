/* Minimum degree, elimination tree, postorder, tiles.
 *
 * Quotient graph: eliminated contacts live on as elements, each the list of contacts it has made a clique. A contact's list
 * holds its elements first, then those neighbours that share no element with it. Lists live in one pool; a new element
 * takes the room at the end, and what is dead is squeezed out when the end is reached: the live lists never hold more
 * entries than the graph had. Degrees are exact, and the order is a function of the graph alone. */
#include "contact/cone_order.h"

#include <limits.h>
#include <string.h>

/* Chains are merged while a tile would hold no more than this many rows of blocks that are not in every column: explicit
 * zeros cost arithmetic, small tiles cost speed. */
#define SLACK_ROWS 3
/* A subtree of at most largest / SMALL_SHARE contacts becomes one tile as a whole. */
#define SMALL_SHARE 2

void crn_cone_order_layout(crn_cone_order *o, int nodes, int edges, crn_arena *arena)
{
    *o = (crn_cone_order){.nodes = nodes, .pool_size = edges + nodes};
    o->sequence = CRN_TAKE(arena, int, nodes);
    o->tile_start = CRN_TAKE(arena, int, nodes + 1);
    o->tile_of = CRN_TAKE(arena, int, nodes);
    o->row_start = CRN_TAKE(arena, int, nodes + 1);
    o->col_start = CRN_TAKE(arena, int, nodes + 1);
    o->scratch = CRN_TAKE(arena, int, (size_t)nodes *CRN_CONE_ORDER_SCRATCH);
    o->pool = CRN_TAKE(arena, int, o->pool_size);
}

/* --- minimum degree --- */

typedef struct quotient {
    int nodes;
    int *pool, size, end;
    int *first, *length, *elements; /* of each node's list: where, entries, how many of them are elements at its head */
    int *degree;                    /* of a contact; of an element: live entries; -1: dead */
    int *mark, stamp;
    int *head, *next, *before; /* contacts by degree, doubly linked; -1 ends */
    int least;                 /* no contact has a smaller degree */
} quotient;

static void link_in(quotient *g, int v)
{
    const int k = g->degree[v];
    g->before[v] = -1;
    g->next[v] = g->head[k];
    if (g->head[k] >= 0) {
        g->before[g->head[k]] = v;
    }
    g->head[k] = v;
    g->least = k < g->least ? k : g->least;
}

static void link_out(quotient *g, int v)
{
    if (g->before[v] >= 0) {
        g->next[g->before[v]] = g->next[v];
    } else {
        g->head[g->degree[v]] = g->next[v];
    }
    if (g->next[v] >= 0) {
        g->before[g->next[v]] = g->before[v];
    }
}

/* Move the live lists to the front of the pool. Their heads are found by storing -(node + 1) there for a moment. */
static void squeeze(quotient *g)
{
    for (int v = 0; v < g->nodes; ++v) {
        if (g->length[v] > 0) {
            const int head = g->pool[g->first[v]];
            g->pool[g->first[v]] = -(v + 1);
            g->first[v] = head;
        }
    }
    int to = 0;
    for (int from = 0; from < g->end;) {
        if (g->pool[from] >= 0) {
            ++from; /* dead */
            continue;
        }
        const int v = -g->pool[from] - 1, length = g->length[v];
        g->pool[from] = g->first[v];
        g->first[v] = to;
        memmove(g->pool + to, g->pool + from, (size_t)length * sizeof *g->pool);
        to += length;
        from += length;
    }
    g->end = to;
}

static void open_quotient(quotient *g, crn_cone_order *o, const int *start, const int *column)
{
    const size_t n = (size_t)o->nodes;
    int *s = o->scratch;
    *g = (quotient){.nodes = o->nodes,
                    .pool = o->pool,
                    .size = o->pool_size,
                    .first = s,
                    .length = s + n,
                    .elements = s + 2 * n,
                    .degree = s + 3 * n,
                    .mark = s + 4 * n,
                    .head = s + 5 * n,
                    .next = s + 6 * n,
                    .before = s + 7 * n,
                    .least = o->nodes};
    for (int v = 0; v < o->nodes; ++v) {
        g->first[v] = g->end;
        for (int e = start[v]; e < start[v + 1]; ++e) {
            if (column[e] != v) {
                g->pool[g->end++] = column[e];
            }
        }
        g->length[v] = g->end - g->first[v];
        g->degree[v] = g->length[v];
        g->elements[v] = 0;
        g->mark[v] = 0;
        g->head[v] = -1;
    }
    for (int v = o->nodes - 1; v >= 0; --v) {
        link_in(g, v);
    }
}

static int new_stamp(quotient *g)
{
    if (g->stamp == INT_MAX) {
        memset(g->mark, 0, (size_t)g->nodes * sizeof *g->mark);
        g->stamp = 0;
    }
    return ++g->stamp;
}

/* Append to the pool those of `count` entries that carry no stamp yet, and stamp them. */
static void gather(quotient *g, const int *list, int count)
{
    for (int k = 0; k < count; ++k) {
        if (g->mark[list[k]] != g->stamp) {
            g->mark[list[k]] = g->stamp;
            g->pool[g->end++] = list[k];
        }
    }
}

/* Contact p becomes an element: its neighbours and those of its elements, which are absorbed. */
static void form_element(quotient *g, int p)
{
    if (g->end + g->degree[p] > g->size) {
        squeeze(g);
    }
    g->mark[p] = new_stamp(g);
    const int begin = g->end, *list = g->pool + g->first[p];
    for (int k = 0; k < g->elements[p]; ++k) {
        const int e = list[k];
        gather(g, g->pool + g->first[e], g->length[e]);
        g->length[e] = 0;
        g->degree[e] = -1;
    }
    gather(g, list + g->elements[p], g->length[p] - g->elements[p]);
    g->first[p] = begin;
    g->length[p] = g->end - begin;
    g->elements[p] = -1; /* an element now */
}

/* v lies in the new element p: drop dead elements and neighbours that p covers (they carry the stamp), enter p. */
static void shorten(quotient *g, int v, int p)
{
    int *list = g->pool + g->first[v];
    int kept = 0, others = 0;
    for (int k = 0; k < g->elements[v]; ++k) {
        if (g->degree[list[k]] >= 0) {
            list[kept++] = list[k];
        }
    }
    const int elements = kept;
    for (int k = g->elements[v]; k < g->length[v]; ++k) {
        if (g->mark[list[k]] != g->stamp) {
            list[kept + others++] = list[k];
        }
    }
    /* At least one entry was dropped: p itself or an element that p absorbed. So there is room. */
    memmove(list + elements + 1, list + elements, (size_t)others * sizeof *list);
    list[elements] = p;
    g->elements[v] = elements + 1;
    g->length[v] = elements + 1 + others;
}

static int count_neighbours(quotient *g, int v)
{
    const int stamp = new_stamp(g), *list = g->pool + g->first[v];
    int count = g->length[v] - g->elements[v];
    g->mark[v] = stamp;
    for (int k = 0; k < g->elements[v]; ++k) {
        const int e = list[k], *members = g->pool + g->first[e];
        for (int m = 0; m < g->length[e]; ++m) {
            count += g->mark[members[m]] != stamp;
            g->mark[members[m]] = stamp;
        }
    }
    return count;
}

/* Members of element p that have no other neighbours can go at once without further fill; returns the new length of the
 * sequence. In a dense problem that is everything. */
static int absorb_members(quotient *g, int p, int *sequence, int done)
{
    int *list = g->pool + g->first[p], kept = 0;
    for (int m = 0; m < g->length[p]; ++m) {
        const int v = list[m];
        if (g->length[v] == 1) {
            link_out(g, v);
            g->length[v] = 0;
            sequence[done++] = v;
        } else {
            list[kept++] = v;
        }
    }
    g->length[p] = kept;
    return done;
}

static void minimum_degree(crn_cone_order *o, const int *start, const int *column)
{
    quotient g;
    open_quotient(&g, o, start, column);
    for (int done = 0; done < o->nodes;) {
        while (g.head[g.least] < 0) {
            ++g.least;
        }
        const int p = g.head[g.least];
        link_out(&g, p);
        o->sequence[done++] = p;
        form_element(&g, p);
        for (int m = 0; m < g.length[p]; ++m) {
            shorten(&g, g.pool[g.first[p] + m], p);
        }
        done = absorb_members(&g, p, o->sequence, done);
        for (int m = 0; m < g.length[p]; ++m) {
            const int v = g.pool[g.first[p] + m];
            link_out(&g, v);
            g.degree[v] = count_neighbours(&g, v);
            link_in(&g, v);
        }
    }
}

/* --- elimination tree --- */

/* parent[k] of place k in the sequence [L90]; place[] is the inverse of the sequence. */
static void elimination_tree(const int nodes, const int *sequence, const int *place, const int *start,
                             const int *column, int *parent, int *ancestor)
{
    for (int k = 0; k < nodes; ++k) {
        parent[k] = ancestor[k] = -1;
        const int v = sequence[k];
        for (int e = start[v]; e < start[v + 1]; ++e) {
            for (int j = place[column[e]]; j >= 0 && j < k;) {
                const int up = ancestor[j];
                ancestor[j] = k; /* path compression */
                if (up < 0) {
                    parent[j] = k;
                }
                j = up;
            }
        }
    }
}

/* Children before parents, subtrees contiguous. new_place[k] is where place k goes. */
static void postorder(int nodes, const int *parent, int *child, int *sibling, int *stack, int *new_place)
{
    for (int k = 0; k < nodes; ++k) {
        child[k] = -1;
    }
    for (int k = nodes - 1; k >= 0; --k) {
        if (parent[k] >= 0) {
            sibling[k] = child[parent[k]];
            child[parent[k]] = k;
        }
    }
    int next = 0;
    for (int root = 0; root < nodes; ++root) {
        int depth = 0;
        if (parent[root] < 0) {
            stack[depth++] = root;
        }
        while (depth > 0) {
            const int k = stack[depth - 1];
            if (child[k] >= 0) {
                stack[depth++] = child[k];
                child[k] = sibling[child[k]];
            } else {
                new_place[k] = next++;
                --depth;
            }
        }
    }
}

/* Put the sequence and the tree into postorder. Leaves place[] and parent[] valid. */
static void arrange(crn_cone_order *o, const int *start, const int *column, int *place, int *parent, int *work)
{
    const size_t n = (size_t)o->nodes;
    int *ancestor = work, *child = work, *sibling = work + n, *stack = work + 2 * n, *new_place = work + 3 * n;
    for (int k = 0; k < o->nodes; ++k) {
        place[o->sequence[k]] = k;
    }
    elimination_tree(o->nodes, o->sequence, place, start, column, parent, ancestor);
    postorder(o->nodes, parent, child, sibling, stack, new_place);
    for (int k = 0; k < o->nodes; ++k) {
        child[new_place[k]] = parent[k] < 0 ? -1 : new_place[parent[k]];
        stack[new_place[k]] = o->sequence[k];
    }
    memcpy(parent, child, n * sizeof *parent);
    memcpy(o->sequence, stack, n * sizeof *stack);
    for (int k = 0; k < o->nodes; ++k) {
        place[o->sequence[k]] = k;
    }
}

/* --- tiles --- */

/* count[k]: contacts below k in column k of the factor; size[k]: contacts in the subtree of k. */
static void count_columns(const crn_cone_order *o, const int *start, const int *column, const int *place,
                          const int *parent, int *count, int *size, int *mark)
{
    for (int k = 0; k < o->nodes; ++k) {
        count[k] = 0;
        size[k] = 1;
        mark[k] = -1;
    }
    for (int k = 0; k < o->nodes; ++k) {
        const int v = o->sequence[k];
        mark[k] = k;
        for (int e = start[v]; e < start[v + 1]; ++e) {
            for (int j = place[column[e]]; j < k && mark[j] != k; j = parent[j]) {
                mark[j] = k;
                ++count[j];
            }
        }
        if (parent[k] >= 0) {
            size[parent[k]] += size[k];
        }
    }
}

/* Cut the sequence into tiles. */
static void cut(crn_cone_order *o, int largest, const int *parent, const int *count, const int *size)
{
    const int small = largest / SMALL_SHARE;
    int k = 0;
    o->tiles = 0;
    while (k < o->nodes) {
        o->tile_start[o->tiles++] = k;
        int last = k;
        /* the largest small subtree that begins at k */
        while (parent[last] >= 0 && size[parent[last]] <= small && parent[last] - size[parent[last]] + 1 == k) {
            last = parent[last];
        }
        /* then up the chain while the columns have nearly the same shape */
        const int shape = count[last];
        const int begin = last;
        while (parent[last] == last + 1 && last + 2 - k <= largest &&
               (count[last + 1] + (last + 1 - begin) <= shape + SLACK_ROWS)) {
            ++last;
        }
        k = last + 1;
    }
    o->tile_start[o->tiles] = o->nodes;
    for (int t = 0; t < o->tiles; ++t) {
        for (int p = o->tile_start[t]; p < o->tile_start[t + 1]; ++p) {
            o->tile_of[o->sequence[p]] = t;
        }
    }
}

/* Walk the rows of the tile factor; with list NULL only count. The tree of tiles is built on the way: parent of a tile
 * is its first row below the diagonal. */
static int walk_rows(const crn_cone_order *o, const int *start, const int *column, int *parent, int *mark, int *list)
{
    int found = 0;
    for (int t = 0; t < o->tiles; ++t) {
        parent[t] = list == NULL ? -1 : parent[t];
        mark[t] = -1;
    }
    for (int t = 0; t < o->tiles; ++t) {
        mark[t] = t;
        const int begin = found;
        for (int p = o->tile_start[t]; p < o->tile_start[t + 1]; ++p) {
            const int v = o->sequence[p];
            for (int e = start[v]; e < start[v + 1]; ++e) {
                for (int j = o->tile_of[column[e]]; j >= 0 && j < t && mark[j] != t; j = parent[j]) {
                    mark[j] = t;
                    if (list != NULL) {
                        list[found] = j;
                    }
                    ++found;
                    if (parent[j] < 0) {
                        parent[j] = t;
                    }
                }
            }
        }
        if (list != NULL) {
            /* insertion sort: rows are short and nearly in order */
            for (int a = begin + 1; a < found; ++a) {
                const int j = list[a];
                int b = a;
                for (; b > begin && list[b - 1] > j; --b) {
                    list[b] = list[b - 1];
                }
                list[b] = j;
            }
        }
        o->row_start[t + 1] = found;
    }
    return found;
}

static void transpose_rows(crn_cone_order *o, int *next)
{
    memset(o->col_start, 0, ((size_t)o->tiles + 1) * sizeof *o->col_start);
    for (int e = 0; e < o->row_start[o->tiles]; ++e) {
        ++o->col_start[o->row[e] + 1];
    }
    for (int t = 0; t < o->tiles; ++t) {
        o->col_start[t + 1] += o->col_start[t];
        next[t] = o->col_start[t];
    }
    for (int t = 0; t < o->tiles; ++t) {
        for (int e = o->row_start[t]; e < o->row_start[t + 1]; ++e) {
            const int place = next[o->row[e]]++;
            o->col[place] = t;
            o->col_place[place] = e;
        }
    }
}

bool crn_cone_order_run(crn_cone_order *o, const int *start, const int *column, int largest, crn_arena *arena)
{
    const size_t n = (size_t)o->nodes;
    int *place = o->scratch, *parent = place + n, *work = parent + n;
    minimum_degree(o, start, column);
    arrange(o, start, column, place, parent, work);
    count_columns(o, start, column, place, parent, work, work + n, work + 2 * n);
    cut(o, largest, parent, work, work + n);
    o->row_start[0] = 0;
    const int entries = walk_rows(o, start, column, parent, place, NULL);
    o->row = CRN_TAKE(arena, int, entries);
    o->col = CRN_TAKE(arena, int, entries);
    o->col_place = CRN_TAKE(arena, int, entries);
    if (arena->overflow) {
        return false;
    }
    (void)walk_rows(o, start, column, parent, place, o->row);
    transpose_rows(o, place);
    return true;
}
