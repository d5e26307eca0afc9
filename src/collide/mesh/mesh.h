/* A triangle mesh ready for queries, built once. Not for other rooms. docs/theory/meshes.md has the rules.
 *
 * Every feature pair is found once: a vertex and an edge are tested with the triangle that owns them (the lowest index). */
#ifndef CRN_COLLIDE_MESH_H
#define CRN_COLLIDE_MESH_H

#include "collide/shape.h"

typedef struct crn_mesh_edge {
    int vertex[2];     /* from, to as in the loop of face[0] */
    int face[2];       /* -1: none, in an open mesh */
    int kind;          /* +1 convex, -1 concave, 0 flat (dihedral below 1e-6 rad) or without a second face */
    crn_vec3 middle;   /* unit: axis of the cone of normals */
    double half;       /* half the dihedral [rad]: the cone's half angle */
    bool is_reflex[2]; /* is the point just past end k on the edge's line inside the solid? Of convex edges only */
    crn_vec3 pseudo;   /* sum of the normals of all triangles between these vertices: sign of distance */
} crn_mesh_edge;

#define CRN_MESH_LEAF 2 /* triangles of a leaf, at most */

typedef struct crn_mesh_node { /* of the tree of boxes; node 0 is the root, children are neighbours */
    double low[3], high[3];
    int first; /* leaf: first of its triangles in tree_face; else: left child, the right one is first + 1 */
    int count; /* leaf: triangles; 0: not a leaf */
} crn_mesh_node;

struct crn_mesh {
    int vertices, triangles, edges, nodes;
    bool is_closed;
    double size;      /* diagonal of the bounds */
    crn_vec3 *vertex; /* joined, in the shape's frame */
    crn_vec3 *pseudo; /* of vertices: normal weighted by angles, unit: sign of distance */
    int *face;        /* 3 per triangle, counter-clockwise seen from outside */
    int *given_of;    /* of triangles: their number in the definition */
    int *face_edge;   /* 3 per triangle: edge from corner k to corner k+1 */
    crn_vec3 *normal; /* of triangles, unit, outward */
    crn_mesh_edge *edge;
    int *vertex_owner; /* triangle */
    int *edge_owner;
    int *around_start; /* vertices + 1: neighbours of vertex v are around[around_start[v]] .. */
    int *around;
    crn_mesh_node *node;
    int *tree_face; /* triangles in the order of the leaves */
    int open_edges;
    int open_point[2]; /* of an open mesh: points of the definition at the ends of the first open edge */
    int open_triangle; /* and the triangle of the definition that has it */
};
typedef struct crn_mesh crn_mesh;

/* Build from def: of kind mesh; or box or hull, whose faces are cut into triangles. The message names the field. */
crn_status crn_mesh_build(const crn_shape_def *def, const crn_allocator *allocator, crn_mesh **mesh, crn_error *error);
crn_status crn_mesh_of_convex(const crn_shape_def *def, const crn_allocator *allocator, crn_mesh **mesh,
                              crn_error *error);
void crn_mesh_free(const crn_allocator *allocator, crn_mesh *mesh);
crn_mass_properties crn_mesh_mass(const crn_mesh *mesh);

/* Signed distance of a point in the mesh's frame: negative inside. closest (may be NULL): the nearest point of the surface.
 * Open meshes: the distance, positive. */
double crn_mesh_distance(const crn_mesh *mesh, crn_vec3 point, crn_vec3 *closest);

#endif
