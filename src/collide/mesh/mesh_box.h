/* A box as a mesh, on the stack of a query: 12 triangles. */
#ifndef CRN_COLLIDE_MESH_BOX_H
#define CRN_COLLIDE_MESH_BOX_H

#include "collide/mesh/mesh.h"

enum { CRN_BOX_MESH_TRIANGLES = 12, CRN_BOX_MESH_EDGES = 18, CRN_BOX_MESH_NODES = 11 };

/* What does not depend on the sides. */
typedef struct crn_box_topology {
    int face[3 * CRN_BOX_MESH_TRIANGLES], face_edge[3 * CRN_BOX_MESH_TRIANGLES];
    int vertex_owner[8], edge_owner[CRN_BOX_MESH_EDGES];
    int around_start[9], around[2 * CRN_BOX_MESH_EDGES];
    int tree_face[CRN_BOX_MESH_TRIANGLES];
} crn_box_topology;

typedef struct crn_box_mesh {
    crn_mesh mesh; /* leads into this structure, which must stay where it was made */
    crn_box_topology topology;
    crn_vec3 vertex[8], pseudo[8], normal[CRN_BOX_MESH_TRIANGLES];
    crn_mesh_edge edge[CRN_BOX_MESH_EDGES];
    crn_mesh_node node[CRN_BOX_MESH_NODES];
} crn_box_mesh;

/* Corner k: bit i is set on the positive side of axis i. half: half sides. */
void crn_box_mesh_of(crn_box_mesh *box, crn_vec3 half);

#endif
