/* A mesh with the other shapes: the pairs of pair_mesh.c, each with a and b in the order told there. */
#ifndef CRN_COLLIDE_MESH_SHAPES_H
#define CRN_COLLIDE_MESH_SHAPES_H

#include "collide/mesh/mesh_pair.h"

void crn_mesh_plane(const crn_query *query, crn_touches *out); /* a: mesh, b: plane */

/* a: sphere or capsule, b: mesh */
bool crn_core_mesh(const crn_query *query, crn_collide_scratch *scratch, crn_touches *out);

/* a: any convex solid, b: mesh */
bool crn_round_mesh(const crn_query *query, crn_collide_scratch *scratch, crn_touches *out);

/* a: mesh, b: height field */
bool crn_mesh_ground(const crn_query *query, crn_collide_scratch *scratch, crn_touches *out);

/* Triangles of the mesh whose boxes are within `margin` of a box (low, high in the mesh's frame), in rising order,
 * into the spare list of the scratch. Returns how many; -1 without memory. */
int crn_mesh_near(const crn_mesh *mesh, const double low[3], const double high[3], crn_collide_scratch *scratch);

#endif
