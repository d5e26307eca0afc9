/* Union-find: which of n things hang together. parent[i] = i at first; the root of a tree is its lowest member. */
#ifndef CRN_MATH_FOREST_H
#define CRN_MATH_FOREST_H

static inline int crn_forest_root(int *parent, int i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

/* Join the trees of i and j; nonzero if they were two. */
static inline int crn_forest_join(int *parent, int i, int j)
{
    int a = crn_forest_root(parent, i), b = crn_forest_root(parent, j);
    parent[a > b ? a : b] = a > b ? b : a;
    return a != b;
}

#endif
