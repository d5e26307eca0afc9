/* Approximate minimum degree on a quotient graph  [ADD96].
 *
 * Eliminating node p joins its neighbours into a clique. The clique is not written out: p becomes an "element" with the
 * list L_p of its members, and the elements that p belonged to are swallowed by it. A node i that is left has a list of
 * nodes A_i and a list of elements E_i; its neighbours are A_i and all L_e. The degree is bounded as in the paper,
 *
 *     d_i <= |A_i \ i| + |L_p \ i| + sum over other e in E_i of |L_e \ L_p|,
 *
 * which costs one step per element, not per member. All lists live in as many cells as the graph has entries: those of
 * L_p are taken from A_p and from the swallowed lists, and the cell for "p in E_i" from what i gives up.
 *
 * Departs from the paper: no supervariables (graphs of bodies have few twins), and where L_p has at most three members
 * the degree is counted, so that a node of degree 2 or less is never overlooked: block_pattern.c builds on that. */
#include "math/block_order.h"

enum { VARIABLE, ELEMENT, GONE, NONE = -1 };
enum { EXACT_CLIQUE = 3 };

void crn_order_layout(crn_order_room *room, int n, size_t entries, crn_arena *arena)
{
    room->value = CRN_TAKE(arena, int, entries);
    room->next = CRN_TAKE(arena, int, entries);
    int **array[] = {&room->variables, &room->elements, &room->kind,  &room->degree, &room->size,
                     &room->mark,      &room->outside,  &room->after, &room->before};
    for (size_t i = 0; i < sizeof array / sizeof *array; ++i) {
        *array[i] = CRN_TAKE(arena, int, n);
    }
    room->bucket = CRN_TAKE(arena, int, n);
}

typedef struct ordering {
    crn_order_room r;
    int n, left, least; /* nodes left; no node has a lower degree than `least` */
    int free;           /* unused cells */
    int stamp;          /* mark[i] == stamp: i is in the clique at hand */
} ordering;

/* --- Nodes by degree --- */

static void bucket_add(ordering *o, int i)
{
    int d = o->r.degree[i], head = o->r.bucket[d];
    o->r.after[i] = head;
    o->r.before[i] = NONE;
    if (head != NONE) {
        o->r.before[head] = i;
    }
    o->r.bucket[d] = i;
    o->least = d < o->least ? d : o->least;
}

static void bucket_remove(ordering *o, int i)
{
    int after = o->r.after[i], before = o->r.before[i];
    if (after != NONE) {
        o->r.before[after] = before;
    }
    if (before != NONE) {
        o->r.after[before] = after;
    } else {
        o->r.bucket[o->r.degree[i]] = after;
    }
}

/* --- Cells --- */

static void cell_free(ordering *o, int cell)
{
    o->r.next[cell] = o->free;
    o->free = cell;
}

static void list_free(ordering *o, int *head)
{
    for (int cell = *head; cell != NONE;) {
        int next = o->r.next[cell];
        cell_free(o, cell);
        cell = next;
    }
    *head = NONE;
}

static void list_add(ordering *o, int *head, int value)
{
    int cell = o->free;
    o->free = o->r.next[cell];
    o->r.value[cell] = value;
    o->r.next[cell] = *head;
    *head = cell;
}

/* --- One elimination --- */

/* Move the unmarked nodes of a list into the clique `to`, mark them, release the rest. */
static int gather(ordering *o, int *from, int *to)
{
    int moved = 0;
    for (int cell = *from; cell != NONE;) {
        int next = o->r.next[cell], i = o->r.value[cell];
        if (o->r.mark[i] == o->stamp) {
            cell_free(o, cell);
        } else {
            o->r.mark[i] = o->stamp;
            o->r.next[cell] = *to;
            *to = cell;
            ++moved;
        }
        cell = next;
    }
    *from = NONE;
    return moved;
}

/* L_p from p's nodes and elements; the elements are gone afterwards. */
static void form_clique(ordering *o, int p)
{
    int clique = NONE, size = 0;
    o->stamp++;
    o->r.mark[p] = o->stamp;
    size += gather(o, &o->r.variables[p], &clique);
    for (int cell = o->r.elements[p]; cell != NONE; cell = o->r.next[cell]) {
        int e = o->r.value[cell];
        size += gather(o, &o->r.elements[e], &clique);
        o->r.kind[e] = GONE;
    }
    list_free(o, &o->r.elements[p]);
    o->r.kind[p] = ELEMENT;
    o->r.elements[p] = clique;
    o->r.size[p] = size;
}

/* outside[e] = |L_e \ L_p| for the elements that members of L_p belong to. They have kept mark values below the stamp. */
static void count_outside(ordering *o, int p)
{
    for (int cell = o->r.elements[p]; cell != NONE; cell = o->r.next[cell]) {
        for (int c = o->r.elements[o->r.value[cell]]; c != NONE; c = o->r.next[c]) {
            int e = o->r.value[c];
            if (o->r.kind[e] != ELEMENT) {
                continue;
            }
            if (o->r.mark[e] != o->stamp) {
                o->r.mark[e] = o->stamp;
                o->r.outside[e] = o->r.size[e];
            }
            o->r.outside[e]--;
        }
    }
}

/* Drop from a list what is gone or in L_p; returns the sum of what is left: nodes count 1, elements |L_e \ L_p|. */
static int prune(ordering *o, int *head, bool of_elements)
{
    int total = 0;
    for (int *link = head; *link != NONE;) {
        int cell = *link, j = o->r.value[cell];
        bool stays = of_elements ? o->r.kind[j] == ELEMENT && o->r.outside[j] > 0 : o->r.mark[j] != o->stamp;
        if (stays) {
            total += of_elements ? o->r.outside[j] : 1;
            link = &o->r.next[cell];
        } else {
            *link = o->r.next[cell];
            cell_free(o, cell);
        }
    }
    return total;
}

/* Neighbours of i, counted up to EXACT_CLIQUE. */
static int count_neighbours(ordering *o, int i)
{
    int count = 0, list = o->r.variables[i], element = o->r.elements[i];
    int found[EXACT_CLIQUE];
    for (;;) {
        for (int cell = list; cell != NONE && count < EXACT_CLIQUE; cell = o->r.next[cell]) {
            int j = o->r.value[cell], known = j == i;
            for (int f = 0; f < count; ++f) {
                known |= found[f] == j;
            }
            if (!known) {
                found[count++] = j;
            }
        }
        if (element == NONE || count == EXACT_CLIQUE) {
            return count;
        }
        list = o->r.elements[o->r.value[element]];
        element = o->r.next[element];
    }
}

static void update_members(ordering *o, int p)
{
    int size = o->r.size[p];
    for (int cell = o->r.elements[p]; cell != NONE; cell = o->r.next[cell]) {
        int i = o->r.value[cell];
        int beyond = prune(o, &o->r.elements[i], true);
        beyond += prune(o, &o->r.variables[i], false);
        list_add(o, &o->r.elements[i], p);
        int grown = o->r.degree[i] + size - 1, bound = beyond + size - 1;
        bound = bound < grown ? bound : grown;
        o->r.degree[i] = bound < o->left - 1 ? bound : o->left - 1;
    }
    for (int cell = o->r.elements[p]; cell != NONE; cell = o->r.next[cell]) {
        int i = o->r.value[cell];
        if (size <= EXACT_CLIQUE && o->r.degree[i] >= EXACT_CLIQUE) {
            int count = count_neighbours(o, i);
            o->r.degree[i] = count < EXACT_CLIQUE ? count : o->r.degree[i];
        }
        bucket_add(o, i);
    }
}

/* Elements within L_p serve no one any more: give their cells back. */
static void swallow(ordering *o, int p)
{
    for (int cell = o->r.elements[p]; cell != NONE; cell = o->r.next[cell]) {
        for (int c = o->r.elements[o->r.value[cell]]; c != NONE; c = o->r.next[c]) {
            int e = o->r.value[c];
            if (o->r.kind[e] == ELEMENT && o->r.outside[e] == 0) {
                o->r.kind[e] = GONE;
                list_free(o, &o->r.elements[e]);
            }
        }
    }
}

static void eliminate(ordering *o, int p)
{
    bucket_remove(o, p);
    o->left--;
    form_clique(o, p);
    for (int cell = o->r.elements[p]; cell != NONE; cell = o->r.next[cell]) {
        bucket_remove(o, o->r.value[cell]);
    }
    count_outside(o, p);
    swallow(o, p);
    update_members(o, p);
}

static void begin(ordering *o, const crn_graph *graph)
{
    for (int i = 0; i < graph->n; ++i) {
        o->r.kind[i] = VARIABLE;
        o->r.variables[i] = o->r.elements[i] = o->r.bucket[i] = NONE;
        o->r.mark[i] = o->r.outside[i] = o->r.size[i] = 0;
    }
    for (int i = graph->n; i-- > 0;) { /* backwards: of equals the first comes first */
        for (int e = graph->start[i + 1]; e-- > graph->start[i];) {
            o->r.value[e] = graph->node[e];
            o->r.next[e] = o->r.variables[i];
            o->r.variables[i] = e;
        }
        o->r.degree[i] = graph->start[i + 1] - graph->start[i];
        bucket_add(o, i);
    }
}

void crn_order_minimum_degree(const crn_graph *graph, crn_order_room *room, int *order)
{
    ordering o = {.r = *room, .n = graph->n, .left = graph->n, .least = graph->n, .free = NONE};
    begin(&o, graph);
    for (int k = 0; k < graph->n; ++k) {
        while (o.r.bucket[o.least] == NONE) {
            o.least++;
        }
        order[k] = o.r.bucket[o.least];
        eliminate(&o, order[k]);
    }
}
