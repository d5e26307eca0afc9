/* A tree of boxes over the triangles: the list is sorted along the longest side of the box around the middles of its
 * triangles and cut in half, until at most two are left. So the depth is the logarithm of the count, whatever the mesh is
 * like, and time is  n log n. */
#include "collide/mesh/mesh_parts.h"

int crn_mesh_tree_nodes(int triangles)
{
    if (triangles <= CRN_MESH_LEAF) {
        return 1;
    }
    return 1 + crn_mesh_tree_nodes(triangles / 2) + crn_mesh_tree_nodes(triangles - triangles / 2);
}

static double coordinate(crn_vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/* Three times the middle. */
static double middle(const crn_mesh_draft *d, int triangle, int axis)
{
    const int *corner = d->face + 3 * (size_t)triangle;
    return coordinate(d->vertex[corner[0]], axis) + coordinate(d->vertex[corner[1]], axis) +
           coordinate(d->vertex[corner[2]], axis);
}

/* The axis along which the middles of the list reach farthest. */
static int longest_axis(const crn_mesh_draft *d, const int *list, int count)
{
    double longest = -1.0;
    int found = 0;
    for (int axis = 0; axis < 3; ++axis) {
        double low = middle(d, list[0], axis), high = low;
        for (int i = 1; i < count; ++i) {
            double own = middle(d, list[i], axis);
            low = own < low ? own : low;
            high = own > high ? own : high;
        }
        if (high - low > longest) {
            longest = high - low;
            found = axis;
        }
    }
    return found;
}

static void cut(crn_mesh_draft *d, int *list, int count)
{
    int axis = longest_axis(d, list, count);
    for (int i = 0; i < count; ++i) {
        d->key[i] = crn_radix_key(middle(d, list[i], axis));
    }
    crn_radix_sort(count, d->key, list, d->other_key, d->other_item);
}

static void box_of_leaf(const crn_mesh_draft *d, crn_mesh_node *node)
{
    for (int i = 0; i < 3 * node->count; ++i) {
        crn_vec3 p = d->vertex[d->face[3 * (size_t)d->tree_face[node->first + i / 3] + (size_t)(i % 3)]];
        for (int k = 0; k < 3; ++k) {
            double own = coordinate(p, k);
            node->low[k] = i == 0 || own < node->low[k] ? own : node->low[k];
            node->high[k] = i == 0 || own > node->high[k] ? own : node->high[k];
        }
    }
}

static void box_of_children(crn_mesh_node *node, const crn_mesh_node *child)
{
    for (int k = 0; k < 3; ++k) {
        node->low[k] = child[0].low[k] < child[1].low[k] ? child[0].low[k] : child[1].low[k];
        node->high[k] = child[0].high[k] > child[1].high[k] ? child[0].high[k] : child[1].high[k];
    }
}

void crn_mesh_tree(crn_mesh_draft *draft)
{
    for (int t = 0; t < draft->triangles; ++t) {
        draft->tree_face[t] = t;
    }
    /* a node waits with its part of the list in first and count; children come behind all nodes before them */
    draft->nodes = 1;
    draft->node[0] = (crn_mesh_node){.first = 0, .count = draft->triangles};
    for (int n = 0; n < draft->nodes; ++n) {
        crn_mesh_node *node = &draft->node[n];
        if (node->count > CRN_MESH_LEAF) {
            int half = node->count / 2, first = node->first;
            cut(draft, draft->tree_face + first, node->count);
            draft->node[draft->nodes] = (crn_mesh_node){.first = first, .count = half};
            draft->node[draft->nodes + 1] = (crn_mesh_node){.first = first + half, .count = node->count - half};
            node->first = draft->nodes;
            node->count = 0;
            draft->nodes += 2;
        }
    }
    for (int n = draft->nodes - 1; n >= 0; --n) { /* children first */
        crn_mesh_node *node = &draft->node[n];
        if (node->count > 0) {
            box_of_leaf(draft, node);
        } else {
            box_of_children(node, draft->node + node->first);
        }
    }
}
