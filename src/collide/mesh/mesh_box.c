/* A box as a mesh. Its normals, cones and neighbours are the same for all boxes; only vertices and the boxes of the
 * tree are scaled. So it needs no memory of its own: a query makes it in a fraction of a microsecond. */
#include "collide/mesh/mesh_box.h"

/* Faces -x, +x, -y, +y, -z, +z, two triangles each. */
static const crn_box_topology topology = {
    .face = {4, 6, 2, 4, 2, 0, 1, 3, 7, 1, 7, 5, 1, 5, 4, 1, 4, 0,
             2, 6, 7, 2, 7, 3, 2, 3, 1, 2, 1, 0, 4, 5, 7, 4, 7, 6},
    .face_edge = {0, 1,  2,  2,  3, 4,  5,  6, 7,  7,  8,  9, 9,  10, 11, 11, 4,  12,
                  1, 13, 14, 14, 6, 15, 15, 5, 16, 16, 12, 3, 10, 8,  17, 17, 13, 0},
    .vertex_owner = {1, 2, 0, 2, 0, 3, 0, 2},
    .edge_owner = {0, 0, 0, 1, 1, 2, 2, 2, 3, 3, 4, 4, 5, 6, 6, 7, 8, 10},
    .around_start = {0, 3, 9, 15, 18, 24, 27, 30, 36},
    .around = {1, 2, 4, 0, 2, 3, 4, 5, 7, 0, 1, 3, 4, 6, 7, 1, 2, 7,
               0, 1, 2, 5, 6, 7, 1, 4, 7, 2, 4, 7, 1, 2, 3, 4, 5, 6},
    .tree_face = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
};

/* From, to, face of that loop, other face. */
static const int edge_ends[CRN_BOX_MESH_EDGES][4] = {
    {4, 6, 0, 11}, {6, 2, 0, 6},  {2, 4, 0, 1},  {2, 0, 1, 9}, {0, 4, 1, 5},  {1, 3, 2, 8},
    {3, 7, 2, 7},  {7, 1, 2, 3},  {7, 5, 3, 10}, {5, 1, 3, 4}, {5, 4, 4, 10}, {4, 1, 4, 5},
    {0, 1, 5, 9},  {6, 7, 6, 11}, {7, 2, 6, 7},  {3, 2, 7, 8}, {1, 2, 8, 9},  {7, 4, 10, 11}};

/* Left child, or minus the number of the face (from 1 on) of a leaf. */
static const int tree[CRN_BOX_MESH_NODES] = {1, 3, 5, 7, -1, 9, -2, -3, -5, -4, -6};

#define QUARTER_TURN_HALVED 0.78539816339744831 /* pi / 4 */

static crn_vec3 corner(int k)
{
    return crn_v3(k & 1 ? 1.0 : -1.0, k & 2 ? 1.0 : -1.0, k & 4 ? 1.0 : -1.0);
}

static void set_edges(crn_box_mesh *box)
{
    for (int e = 0; e < CRN_BOX_MESH_EDGES; ++e) {
        const int *x = edge_ends[e];
        bool is_flat = x[2] / 2 == x[3] / 2;
        crn_vec3 sum = crn_v3_add(box->normal[x[2]], box->normal[x[3]]);
        crn_vec3 middle = crn_v3_scale(is_flat ? 0.5 : 0.70710678118654752, sum);
        box->edge[e] = (crn_mesh_edge){.vertex = {x[0], x[1]},
                                       .face = {x[2], x[3]},
                                       .kind = is_flat ? 0 : 1,
                                       .middle = middle,
                                       .half = is_flat ? 0.0 : QUARTER_TURN_HALVED,
                                       .pseudo = middle};
    }
}

static void set_tree(crn_box_mesh *box, const double half[3])
{
    for (int k = 0; k < CRN_BOX_MESH_NODES; ++k) {
        bool is_leaf = tree[k] < 0;
        int face = -tree[k] - 1;
        crn_mesh_node *node = &box->node[k];
        node->first = is_leaf ? 2 * face : tree[k];
        node->count = is_leaf ? 2 : 0;
        for (int i = 0; i < 3; ++i) {
            bool is_across = is_leaf && face / 2 == i;
            node->low[i] = is_across && face % 2 == 1 ? half[i] : -half[i];
            node->high[i] = is_across && face % 2 == 0 ? -half[i] : half[i];
        }
    }
}

void crn_box_mesh_of(crn_box_mesh *box, crn_vec3 half)
{
    double h[3];
    crn_v3_to(half, h);
    box->topology = topology;
    for (int k = 0; k < 8; ++k) {
        crn_vec3 c = corner(k);
        box->vertex[k] = crn_v3(c.x * half.x, c.y * half.y, c.z * half.z);
        box->pseudo[k] = crn_v3_scale(0.57735026918962576, c);
    }
    for (int k = 0; k < CRN_BOX_MESH_TRIANGLES; ++k) {
        double sign = k & 2 ? 1.0 : -1.0;
        box->normal[k] = crn_v3(k / 4 == 0 ? sign : 0.0, k / 4 == 1 ? sign : 0.0, k / 4 == 2 ? sign : 0.0);
    }
    set_edges(box);
    set_tree(box, h);
    box->mesh = (crn_mesh){.vertices = 8,
                           .triangles = CRN_BOX_MESH_TRIANGLES,
                           .edges = CRN_BOX_MESH_EDGES,
                           .nodes = CRN_BOX_MESH_NODES,
                           .is_closed = true,
                           .size = 2.0 * crn_v3_length(half),
                           .vertex = box->vertex,
                           .pseudo = box->pseudo,
                           .face = box->topology.face,
                           .face_edge = box->topology.face_edge,
                           .normal = box->normal,
                           .edge = box->edge,
                           .vertex_owner = box->topology.vertex_owner,
                           .edge_owner = box->topology.edge_owner,
                           .around_start = box->topology.around_start,
                           .around = box->topology.around,
                           .node = box->node,
                           .tree_face = box->topology.tree_face};
}
