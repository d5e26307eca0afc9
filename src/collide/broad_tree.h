/* A tree of boxes over the items of the broad phase, and the list that its pairs go to. */
#ifndef CRN_COLLIDE_BROAD_TREE_H
#define CRN_COLLIDE_BROAD_TREE_H

#include "base/memory.h"
#include "collide/collide_room.h"

/* Pairs found so far; grows through the allocator. */
typedef struct crn_pair_list {
    crn_allocator allocator;
    crn_broad_pair *pair;
    int count, capacity;
    bool is_out_of_memory; /* a pair was lost; nothing is added from then on */
} crn_pair_list;

/* One item in the order of the tree. */
typedef struct crn_broad_box {
    crn_bounds bounds;
    int id; /* index of the item */
    bool is_still;
} crn_broad_box;

/* Nodes stand in the order of a walk from the root, left before right: the left child follows its parent. */
typedef struct crn_broad_node {
    crn_bounds bounds;
    int first, count; /* boxes first .. first + count - 1 are below; few: a leaf */
    int right;        /* right child, 0 for a leaf */
    bool is_still;    /* all items below are */
    bool is_of_one;   /* all items below have one owner ... */
    int owner;        /* ... this */
} crn_broad_node;

/* Centre of an item while the tree is built. */
typedef struct crn_broad_centre {
    double at[3];
    int id;
} crn_broad_centre;

typedef struct crn_broad_tree {
    const crn_broad_item *item; /* of the present call */
    int boxes, nodes;
    crn_broad_box *box;       /* room for every item */
    crn_broad_node *node;     /* room for as many */
    crn_broad_centre *centre; /* room for as many; scratch of the build */
    double built_size;        /* size of the nodes when the tree was built */
    int age;                  /* calls since */
} crn_broad_tree;

/* Do two bounds meet? Closed intervals; false if a number is NaN. */
static inline bool crn_bounds_meet(const crn_bounds *a, const crn_bounds *b)
{
    return (int)(a->low[0] <= b->high[0]) & (int)(b->low[0] <= a->high[0]) & (int)(a->low[1] <= b->high[1]) &
           (int)(b->low[1] <= a->high[1]) & (int)(a->low[2] <= b->high[2]) & (int)(b->low[2] <= a->high[2]);
}

/* Append a pair of items, lower first, if their filters let them meet. */
void crn_pair_list_add(crn_pair_list *list, const crn_broad_item *item, int i, int j);

/* Bring the tree to the bounds that the items have now: the old shape of it, or a new one when that is poor. */
void crn_broad_tree_update(crn_broad_tree *tree, const crn_broad_item *item);

/* A new tree over the items box[..].id. */
void crn_broad_tree_build(crn_broad_tree *tree, const crn_broad_item *item);

/* All pairs within the tree. */
void crn_broad_tree_pairs(const crn_broad_tree *tree, crn_pair_list *list);

/* All pairs of one item outside the tree with items inside. */
void crn_broad_tree_pairs_with(const crn_broad_tree *tree, int id, crn_pair_list *list);

#endif
