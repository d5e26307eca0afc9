/* The pairs of primitive.c. Each is called with a and b in canonical order (see there), finds touches with normals out of
 * b into a, and adds those with gap <= reach. */
#ifndef CRN_COLLIDE_PRIMITIVE_H
#define CRN_COLLIDE_PRIMITIVE_H

#include "collide/shape.h"

void crn_sphere_sphere(const crn_query *query, crn_touches *out);
void crn_sphere_box(const crn_query *query, crn_touches *out);
void crn_sphere_capsule(const crn_query *query, crn_touches *out);
void crn_box_box(const crn_query *query, crn_touches *out);
void crn_box_capsule(const crn_query *query, crn_touches *out);
void crn_capsule_capsule(const crn_query *query, crn_touches *out);

/* a: any solid shape, b: a plane */
void crn_sphere_plane(const crn_query *query, crn_touches *out);
void crn_box_plane(const crn_query *query, crn_touches *out);
void crn_capsule_plane(const crn_query *query, crn_touches *out);
void crn_cylinder_plane(const crn_query *query, crn_touches *out);
void crn_cone_plane(const crn_query *query, crn_touches *out);
void crn_ellipsoid_plane(const crn_query *query, crn_touches *out);
void crn_hull_plane(const crn_query *query, crn_touches *out);

#endif
