/* A balanced tree of boxes: built by halving the items at the median of their centres along the axis of largest spread,
 * kept from call to call, and fitted anew to the bounds each time (from the last node to the first: children before
 * parents). Pairs are found by a descent of the tree against itself. Which pairs there are does not depend on the shape of
 * the tree, only the time does: O(n log n + pairs) while leaves are small against the whole.
 *
 * The shape is kept while bodies move little. It is given up when the nodes have grown by GROWTH against the day they were
 * built, and after AGE calls anyhow: a crowd that has drawn together would not show by growth. Building starts from the
 * order of the old tree, which is nearly right, so that few items change places. */
#include "collide/broad_tree.h"

#include <math.h>
#include <string.h>

/* Items per leaf: fewer make more nodes, more make more tests; 8 was fastest for spheres in a pile (4: 1.1, 2: 1.2 times). */
#define LEAF   8
#define GROWTH 1.3
#define AGE    64

/* --- Build -------------------------------------------------------------------------------------------------------- */

static void swap_centres(crn_broad_centre *a, crn_broad_centre *b)
{
    crn_broad_centre c = *a;
    *a = *b;
    *b = c;
}

/* Order c[0 .. count-1] along the axis so that none before `middle` is greater than one from there on (quickselect,
 * Hoare's partition about the middle element: equal keys are shared out, sorted input is split in halves). */
static void split_at(crn_broad_centre *c, int count, int middle, int axis)
{
    int low = 0, high = count - 1;
    while (low < high) {
        double pivot = c[low + (high - low) / 2].at[axis];
        int i = low, j = high;
        while (i <= j) {
            while (c[i].at[axis] < pivot) {
                i += 1;
            }
            while (c[j].at[axis] > pivot) {
                j -= 1;
            }
            if (i <= j) {
                swap_centres(&c[i], &c[j]);
                i += 1;
                j -= 1;
            }
        }
        if (middle <= j) {
            high = j;
        } else if (middle >= i) {
            low = i;
        } else {
            return;
        }
    }
}

static int widest_axis(const crn_broad_centre *c, int count)
{
    double low[3], high[3];
    for (int k = 0; k < 3; ++k) {
        low[k] = high[k] = c[0].at[k];
    }
    for (int i = 1; i < count; ++i) {
        for (int k = 0; k < 3; ++k) {
            low[k] = c[i].at[k] < low[k] ? c[i].at[k] : low[k];
            high[k] = c[i].at[k] > high[k] ? c[i].at[k] : high[k];
        }
    }
    int axis = high[1] - low[1] > high[0] - low[0] ? 1 : 0;
    return high[2] - low[2] > high[axis] - low[axis] ? 2 : axis;
}

/* The subtree over centres first .. first + count - 1; its depth is log2 of the number of items. */
static void build_subtree(crn_broad_tree *tree, int first, int count)
{
    crn_broad_node *node = &tree->node[tree->nodes++];
    node->first = first;
    node->count = count;
    node->right = 0;
    if (count <= LEAF) {
        return;
    }
    crn_broad_centre *c = tree->centre + first;
    int half = count / 2;
    split_at(c, count, half, widest_axis(c, count));
    build_subtree(tree, first, half);
    node->right = tree->nodes;
    build_subtree(tree, first + half, count - half);
}

/* --- Fit ---------------------------------------------------------------------------------------------------------- */

static void enclose(crn_bounds *to, const crn_bounds *b)
{
    for (int k = 0; k < 3; ++k) {
        to->low[k] = b->low[k] < to->low[k] ? b->low[k] : to->low[k];
        to->high[k] = b->high[k] > to->high[k] ? b->high[k] : to->high[k];
    }
}

/* Set bounds of boxes and nodes; returns the size of the nodes, a sum of lengths. */
static double fit(crn_broad_tree *tree)
{
    for (int i = 0; i < tree->boxes; ++i) {
        crn_broad_box *box = &tree->box[i];
        box->bounds = tree->item[box->id].bounds;
        box->is_still = tree->item[box->id].is_still;
    }
    double size = 0.0;
    for (int i = tree->nodes - 1; i >= 0; --i) {
        crn_broad_node *node = &tree->node[i];
        if (node->right == 0) {
            const crn_broad_box *box = tree->box + node->first;
            node->bounds = box[0].bounds;
            node->is_still = box[0].is_still;
            node->is_of_one = true;
            node->owner = tree->item[box[0].id].owner;
            for (int k = 1; k < node->count; ++k) {
                enclose(&node->bounds, &box[k].bounds);
                node->is_still = node->is_still && box[k].is_still;
                node->is_of_one = node->is_of_one && tree->item[box[k].id].owner == node->owner;
            }
        } else {
            const crn_broad_node *left = node + 1, *right = tree->node + node->right;
            node->bounds = left->bounds;
            enclose(&node->bounds, &right->bounds);
            node->is_still = left->is_still && right->is_still;
            node->is_of_one = left->is_of_one && right->is_of_one && left->owner == right->owner;
            node->owner = left->owner;
        }
        const crn_bounds *b = &node->bounds;
        size += (b->high[0] - b->low[0]) + (b->high[1] - b->low[1]) + (b->high[2] - b->low[2]);
    }
    return size;
}

void crn_broad_tree_build(crn_broad_tree *tree, const crn_broad_item *item)
{
    tree->item = item;
    tree->nodes = 0;
    tree->age = 0;
    for (int i = 0; i < tree->boxes; ++i) {
        int id = tree->box[i].id;
        const crn_bounds *b = &item[id].bounds;
        /* halves first: the sum of two finite numbers may not be finite */
        tree->centre[i] = (crn_broad_centre){{0.5 * b->low[0] + 0.5 * b->high[0], 0.5 * b->low[1] + 0.5 * b->high[1],
                                              0.5 * b->low[2] + 0.5 * b->high[2]},
                                             id};
    }
    if (tree->boxes > 0) {
        build_subtree(tree, 0, tree->boxes);
    }
    for (int i = 0; i < tree->boxes; ++i) {
        tree->box[i].id = tree->centre[i].id;
    }
    tree->built_size = fit(tree);
}

void crn_broad_tree_update(crn_broad_tree *tree, const crn_broad_item *item)
{
    tree->item = item;
    tree->age += 1;
    if (tree->age >= AGE || !(fit(tree) <= GROWTH * tree->built_size)) {
        crn_broad_tree_build(tree, item);
    }
}

/* --- Pairs -------------------------------------------------------------------------------------------------------- */

static void grow_list(crn_pair_list *list)
{
    int capacity = list->capacity < INT32_MAX / 4 ? 2 * list->capacity + 64 : INT32_MAX;
    crn_broad_pair *pair = NULL;
    if (list->capacity < capacity) {
        pair = (crn_broad_pair *)crn_allocate(&list->allocator, (size_t)capacity, sizeof *pair);
    }
    if (pair == NULL) {
        list->is_out_of_memory = true;
        return;
    }
    if (list->count > 0) {
        memcpy(pair, list->pair, (size_t)list->count * sizeof *pair);
    }
    crn_release(&list->allocator, list->pair);
    list->pair = pair;
    list->capacity = capacity;
}

void crn_pair_list_add(crn_pair_list *list, const crn_broad_item *item, int i, int j)
{
    const crn_broad_item *a = &item[i], *b = &item[j];
    bool is_allowed =
        a->owner != b->owner && !(a->is_still && b->is_still) && (a->group & b->mask) != 0 && (b->group & a->mask) != 0;
    if (!is_allowed || list->is_out_of_memory) {
        return;
    }
    if (list->count == list->capacity) {
        grow_list(list);
        if (list->is_out_of_memory) {
            return;
        }
    }
    list->pair[list->count++] = i < j ? (crn_broad_pair){i, j} : (crn_broad_pair){j, i};
}

static void pairs_in_leaf(const crn_broad_tree *tree, const crn_broad_node *leaf, crn_pair_list *list)
{
    const crn_broad_box *box = tree->box + leaf->first;
    for (int i = 1; i < leaf->count; ++i) {
        for (int j = 0; j < i; ++j) {
            if (crn_bounds_meet(&box[i].bounds, &box[j].bounds)) {
                crn_pair_list_add(list, tree->item, box[i].id, box[j].id);
            }
        }
    }
}

/* Pairs of one box with those of a leaf. All tests first, then the hits: which box meets which cannot be foreseen, and a
 * branch per test would cost more than the test. */
static void pairs_with_leaf(const crn_broad_tree *tree, const crn_bounds *bounds, int id, const crn_broad_node *leaf,
                            crn_pair_list *list)
{
    const crn_broad_box *box = tree->box + leaf->first;
    int hit[LEAF] = {0}, hits = 0;
    for (int k = 0; k < leaf->count; ++k) {
        hit[hits] = box[k].id;
        hits += crn_bounds_meet(bounds, &box[k].bounds);
    }
    for (int k = 0; k < hits; ++k) {
        crn_pair_list_add(list, tree->item, id, hit[k]);
    }
}

/* Can an item below a meet one below b? Not if both stand still, nor if they are of one owner: thousands of shapes of one body
 * at one place are not compared with each other. */
static bool may_meet(const crn_broad_node *a, const crn_broad_node *b)
{
    bool is_of_one = a->is_of_one && b->is_of_one && a->owner == b->owner;
    return crn_bounds_meet(&a->bounds, &b->bounds) && !(a->is_still && b->is_still) && !is_of_one;
}

/* Pairs of one item of a and one of b, whose bounds meet. */
static void pairs_across(const crn_broad_tree *tree, const crn_broad_node *a, const crn_broad_node *b,
                         crn_pair_list *list)
{
    if (a->right == 0 && b->right == 0) {
        for (int i = a->first; i < a->first + a->count; ++i) {
            if (crn_bounds_meet(&tree->box[i].bounds, &b->bounds)) {
                pairs_with_leaf(tree, &tree->box[i].bounds, tree->box[i].id, b, list);
            }
        }
        return;
    }
    if (b->count > a->count) { /* open the one with more below it; never a leaf, since the other is none */
        const crn_broad_node *c = a;
        a = b;
        b = c;
    }
    const crn_broad_node *child[2] = {a + 1, tree->node + a->right};
    for (int k = 0; k < 2; ++k) {
        if (may_meet(child[k], b)) {
            pairs_across(tree, child[k], b, list);
        }
    }
}

static void pairs_below(const crn_broad_tree *tree, const crn_broad_node *node, crn_pair_list *list)
{
    if (node->is_still || node->is_of_one) {
        return;
    }
    if (node->right == 0) {
        pairs_in_leaf(tree, node, list);
        return;
    }
    const crn_broad_node *left = node + 1, *right = tree->node + node->right;
    pairs_below(tree, left, list);
    pairs_below(tree, right, list);
    if (may_meet(left, right)) {
        pairs_across(tree, left, right, list);
    }
}

void crn_broad_tree_pairs(const crn_broad_tree *tree, crn_pair_list *list)
{
    if (tree->nodes > 0) {
        pairs_below(tree, tree->node, list);
    }
}

static void pairs_with(const crn_broad_tree *tree, const crn_broad_node *node, int id, crn_pair_list *list)
{
    const crn_broad_item *item = &tree->item[id];
    bool is_own = node->is_of_one && node->owner == item->owner;
    if ((item->is_still && node->is_still) || is_own || !crn_bounds_meet(&item->bounds, &node->bounds)) {
        return;
    }
    if (node->right == 0) {
        pairs_with_leaf(tree, &item->bounds, id, node, list);
        return;
    }
    pairs_with(tree, node + 1, id, list);
    pairs_with(tree, tree->node + node->right, id, list);
}

void crn_broad_tree_pairs_with(const crn_broad_tree *tree, int id, crn_pair_list *list)
{
    if (tree->nodes > 0) {
        pairs_with(tree, tree->node, id, list);
    }
}
