/* Triangles of a mesh near a box. */
#include "collide/mesh/mesh_shapes.h"

#define STACK 64 /* levels of a tree, split at the median */

static bool is_apart(const double low[3], const double high[3], const double other_low[3], const double other_high[3])
{
    for (int k = 0; k < 3; ++k) {
        if (low[k] > other_high[k] || other_low[k] > high[k]) {
            return true;
        }
    }
    return false;
}

static bool is_lower(const void *context, int i, int k)
{
    (void)context;
    return i < k;
}

int crn_mesh_near(const crn_mesh *mesh, const double low[3], const double high[3], crn_collide_scratch *scratch)
{
    int stack[STACK], top = 0, count = 0;
    stack[top++] = 0;
    while (top > 0) {
        const crn_mesh_node *node = &mesh->node[stack[--top]];
        if (is_apart(low, high, node->low, node->high)) {
            continue;
        }
        if (node->count == 0) {
            stack[top++] = node->first + 1;
            stack[top++] = node->first;
            continue;
        }
        if (!crn_scratch_reserve(scratch, CRN_LIST_SPARE, count + node->count, sizeof(int))) {
            return -1;
        }
        int *list = (int *)scratch->list[CRN_LIST_SPARE].item;
        for (int k = 0; k < node->count; ++k) {
            list[count++] = mesh->tree_face[node->first + k];
        }
    }
    crn_sort_numbers((int *)scratch->list[CRN_LIST_SPARE].item, count, is_lower, NULL);
    return count;
}
