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

#endif
