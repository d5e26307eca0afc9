/* build_tree.h -- trees of links in few lines: links and joints where they are in the world at t = 0, meshes.
 *
 * Links are bodies; a joint with in_tree makes b a link and a its parent. Joint coordinates are 0 at t = 0. */
#ifndef CAIRN_GALLERY_BUILD_TREE_H
#define CAIRN_GALLERY_BUILD_TREE_H

#include "build.h"

/* --- Rotations --- */

crn_quat crn_build_multiply(crn_quat a, crn_quat b); /* first b, then a */
crn_vec3 crn_build_rotate(crn_quat q, crn_vec3 v);
crn_pose crn_build_compose(crn_pose a, crn_pose b); /* b seen in a's frame */
crn_pose crn_build_invert(crn_pose a);

/* --- Links and joints --- */

/** The world of the scenes of [YN08 s5]: 8 directions, contact points merged within 1 mm. */
crn_world_def *crn_build_tree_world(crn_build *b, double dt, double duration);

/** A free capsule whose core goes from p to q, body frame in its middle, z towards q. It touches what it meets. */
int crn_build_link(crn_build *b, const char *name, crn_vec3 p, crn_vec3 q, double radius, double mass);

/** Add def with its frames set such that both are `at` (in the world) now, however the bodies are turned. */
int crn_build_joint_at(crn_build *b, crn_joint_def def, crn_pose at);

/** A ball joint at a point of the world; in_tree: body_b becomes a link of body_a's tree. */
int crn_build_ball(crn_build *b, int body_a, int body_b, crn_vec3 point, bool in_tree);

/** Keep the shapes of two bodies from touching. */
void crn_build_apart(crn_build *b, int body_a, int body_b);

/* --- Meshes: written to the caller's arrays, which the definition leads to --- */

/** A ring about z: a tube of radius r bent to a circle of radius R. points: 3 around * across numbers, triangles: 6 around *
 *  across indices. The corners of the tube's section lie at distance r, so that the mesh is inside the smooth ring. */
crn_shape_def crn_build_ring(double R, double r, int around, int across, double *points, int *triangles);

/** An upright prism over a convex outline (count corners x, y, counter-clockwise) from z = low to high, with a vertex more in
 *  the middle of bottom and top. points: 6 (count + 1) numbers, triangles: 12 count indices. */
crn_shape_def crn_build_prism(const double *outline, int count, double low, double high, double *points,
                              int *triangles);

#endif
