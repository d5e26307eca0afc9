/* A mesh on a plane:  gap = n'(v - o)  at the vertices v that look at it and are near enough.
 *
 * The plane is flat and has no end, so vertices are all there is; the gap is the same formula above and below. */
#include "collide/mesh/mesh_shapes.h"

#define STACK 64 /* levels of a tree, split at the median */

/* Least height of a box over the plane z = level along n. */
static double lowest_of(const crn_mesh_node *node, const double n[3])
{
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) {
        sum += n[k] * (n[k] > 0.0 ? node->low[k] : node->high[k]);
    }
    return sum;
}

void crn_mesh_plane(const crn_query *query, crn_touches *out)
{
    const crn_mesh *m = query->a->mesh;
    crn_vec3 normal = crn_m3_column(&query->frame_b->rotation, 2);
    crn_vec3 n = crn_m3_transposed_times(&query->frame_a->rotation, normal);
    double level = crn_v3_dot(normal, crn_v3_sub(query->frame_b->position, query->frame_a->position)), along[3];
    int stack[STACK], top = 0;
    crn_v3_to(n, along);
    stack[top++] = 0;
    while (top > 0) {
        const crn_mesh_node *node = &m->node[stack[--top]];
        if (lowest_of(node, along) - level > query->reach) {
            continue;
        }
        if (node->count == 0) {
            stack[top++] = node->first + 1;
            stack[top++] = node->first;
            continue;
        }
        for (int k = 0; k < 3 * node->count; ++k) {
            int t = m->tree_face[node->first + k / 3], v = m->face[3 * (ptrdiff_t)t + k % 3];
            double gap = crn_v3_dot(n, m->vertex[v]) - level;
            if (m->vertex_owner[v] == t && gap <= query->reach && crn_pair_is_extremal(m, v, n)) {
                crn_vec3 p = crn_v3_axpy(crn_frame_point(query->frame_a, m->vertex[v]), -0.5 * gap, normal);
                crn_touches_add(out, p, normal, gap, (uint32_t)v);
            }
        }
    }
}
