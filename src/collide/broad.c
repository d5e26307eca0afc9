/* Broad phase: all pairs of items whose bounds meet and whose filters agree, sorted by (a, b).
 *
 * Items with finite bounds stand in a tree (broad_tree.c). Those with a bound that is not finite, planes, would make every
 * node above them infinite, so they stand apart: each is taken down the tree by itself, and of two of them at least one
 * must be able to move, so that many fixed planes cost nothing among themselves. An item with a NaN meets nobody.
 *
 * The pairs come in the order of the tree and are then sorted by counting, b first and then a: O(items + pairs). */
#include "collide/broad_tree.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct broad_memory {
    crn_broad_tree tree;
    crn_pair_list found;
    crn_broad_pair *sorted; /* room for as many as found->capacity had */
    int sorted_capacity;
    void *block;       /* box, node, centre, wide, starts */
    int item_capacity; /* of block */
    int items;         /* of the last call */
    int wides;         /* items outside the tree */
    int *wide;
    int *starts; /* items + 1: scratch of the sort */
} broad_memory;

/* --- Memory ------------------------------------------------------------------------------------------------------- */

static void lay_out(broad_memory *m, crn_arena *arena, int capacity)
{
    m->tree.box = CRN_TAKE(arena, crn_broad_box, capacity);
    m->tree.node = CRN_TAKE(arena, crn_broad_node, capacity);
    m->tree.centre = CRN_TAKE(arena, crn_broad_centre, capacity);
    m->wide = CRN_TAKE(arena, int, capacity);
    m->starts = CRN_TAKE(arena, int, (size_t)capacity + 1);
}

/* Room for `count` items. What the tree knew is lost: it is built again. */
static bool reserve_items(broad_memory *m, const crn_allocator *allocator, int count)
{
    if (count <= m->item_capacity) {
        return true;
    }
    int capacity = count < INT32_MAX / 2 ? count + count / 2 + 16 : count;
    crn_arena arena = crn_arena_counting();
    lay_out(m, &arena, capacity);
    size_t bytes = arena.used + CRN_ARENA_ALIGN;
    crn_release(allocator, m->block);
    m->block = arena.overflow ? NULL : crn_allocate(allocator, bytes, 1);
    m->tree.boxes = m->tree.nodes = 0;
    m->items = -1;
    m->item_capacity = 0;
    if (m->block == NULL) {
        return false;
    }
    size_t shift = (CRN_ARENA_ALIGN - (uintptr_t)m->block % CRN_ARENA_ALIGN) % CRN_ARENA_ALIGN;
    arena = (crn_arena){.data = (unsigned char *)m->block + shift, .size = bytes - shift};
    lay_out(m, &arena, capacity);
    m->item_capacity = capacity;
    return true;
}

static bool reserve_sorted(broad_memory *m, const crn_allocator *allocator)
{
    if (m->sorted_capacity >= m->found.count) {
        return true;
    }
    crn_release(allocator, m->sorted);
    m->sorted = (crn_broad_pair *)crn_allocate(allocator, (size_t)m->found.capacity, sizeof *m->sorted);
    m->sorted_capacity = m->sorted != NULL ? m->found.capacity : 0;
    return m->sorted != NULL;
}

static broad_memory *memory_of(crn_broad *broad)
{
    if (broad->memory == NULL) {
        broad_memory *m = (broad_memory *)crn_allocate(&broad->allocator, 1, sizeof *m);
        if (m != NULL) {
            memset(m, 0, sizeof *m);
            m->items = -1;
        }
        broad->memory = m;
    }
    return (broad_memory *)broad->memory;
}

void crn_broad_free(crn_broad *broad)
{
    broad_memory *m = broad != NULL ? (broad_memory *)broad->memory : NULL;
    if (m != NULL) {
        crn_release(&broad->allocator, m->block);
        crn_release(&broad->allocator, m->found.pair);
        crn_release(&broad->allocator, m->sorted);
        crn_release(&broad->allocator, m);
        broad->memory = NULL;
    }
}

/* --- Which items stand in the tree -------------------------------------------------------------------------------- */

static bool is_wide(const crn_bounds *b)
{
    bool is_finite = true;
    for (int k = 0; k < 3; ++k) {
        is_finite = is_finite && fabs(b->low[k]) <= DBL_MAX && fabs(b->high[k]) <= DBL_MAX;
    }
    return !is_finite;
}

/* Is the tree over the same items as it would be now? */
static bool is_tree_valid(const broad_memory *m, const crn_broad_item *item, int count)
{
    if (m->items != count) {
        return false;
    }
    for (int i = 0; i < m->wides; ++i) {
        if (!is_wide(&item[m->wide[i]].bounds)) {
            return false;
        }
    }
    for (int i = 0; i < m->tree.boxes; ++i) {
        if (is_wide(&item[m->tree.box[i].id].bounds)) {
            return false;
        }
    }
    return true;
}

static void place_items(broad_memory *m, const crn_broad_item *item, int count)
{
    if (is_tree_valid(m, item, count)) {
        crn_broad_tree_update(&m->tree, item);
        return;
    }
    m->wides = m->tree.boxes = 0;
    for (int i = 0; i < count; ++i) {
        if (is_wide(&item[i].bounds)) {
            m->wide[m->wides++] = i;
        } else {
            m->tree.box[m->tree.boxes++].id = i;
        }
    }
    m->items = count;
    crn_broad_tree_build(&m->tree, item);
}

/* Pairs with at least one item outside the tree. */
static void find_wide(broad_memory *m, const crn_broad_item *item)
{
    for (int i = 0; i < m->wides; ++i) {
        int a = m->wide[i];
        crn_broad_tree_pairs_with(&m->tree, a, &m->found);
        for (int k = 0; k < m->wides && !item[a].is_still; ++k) {
            int b = m->wide[k];
            bool is_counted = k < i && !item[b].is_still; /* from the other side */
            if (k != i && !is_counted && crn_bounds_meet(&item[a].bounds, &item[b].bounds)) {
                crn_pair_list_add(&m->found, item, a, b);
            }
        }
    }
}

/* --- Order -------------------------------------------------------------------------------------------------------- */

static int key_of(const crn_broad_pair *pair, bool is_b)
{
    return is_b ? pair->b : pair->a;
}

/* Stable counting sort by a or by b. */
static void sort_by(const crn_broad_pair *from, crn_broad_pair *to, int pairs, int *starts, int items, bool is_b)
{
    memset(starts, 0, ((size_t)items + 1) * sizeof *starts);
    for (int i = 0; i < pairs; ++i) {
        starts[key_of(&from[i], is_b) + 1] += 1;
    }
    for (int i = 0; i < items; ++i) {
        starts[i + 1] += starts[i];
    }
    for (int i = 0; i < pairs; ++i) {
        to[starts[key_of(&from[i], is_b)]++] = from[i];
    }
}

crn_status crn_broad_find(crn_broad *broad, const crn_broad_item *item, int count, const crn_broad_pair **pair,
                          int *pairs, crn_error *error)
{
    crn_clear(error);
    *pair = NULL;
    *pairs = 0;
    if (count < 0 || (count > 0 && item == NULL)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "broad phase: %d items", count);
    }
    broad_memory *m = memory_of(broad);
    if (m == NULL || !reserve_items(m, &broad->allocator, count)) {
        return crn_fail(error, CRN_ERR_MEMORY, "broad phase: out of memory (%d items)", count);
    }
    place_items(m, item, count);
    m->found.allocator = broad->allocator;
    m->found.count = 0;
    m->found.is_out_of_memory = false;
    crn_broad_tree_pairs(&m->tree, &m->found);
    find_wide(m, item);
    if (m->found.is_out_of_memory || !reserve_sorted(m, &broad->allocator)) {
        return crn_fail(error, CRN_ERR_MEMORY, "broad phase: out of memory (more than %d pairs)", m->found.count);
    }
    if (m->found.count > 0) {
        sort_by(m->found.pair, m->sorted, m->found.count, m->starts, count, true);
        sort_by(m->sorted, m->found.pair, m->found.count, m->starts, count, false);
    }
    *pair = m->found.pair;
    *pairs = m->found.count;
    return CRN_OK;
}
