/* The table of shape types: a line for each kind, with the name of its constant in <cairn/collide.h>, without CRN_SHAPE_, and
 * that of its type, without crn_shape_. */
#ifndef CRN_COLLIDE_SHAPE_TYPES_H
#define CRN_COLLIDE_SHAPE_TYPES_H

#include "collide/shape.h"

#define CRN_SHAPE_TYPES(TYPE)        \
    TYPE(SPHERE, sphere)             \
    TYPE(BOX, box)                   \
    TYPE(CAPSULE, capsule)           \
    TYPE(CYLINDER, cylinder)         \
    TYPE(ELLIPSOID, ellipsoid)       \
    TYPE(HULL, hull)                 \
    TYPE(CONE, cone)                 \
    TYPE(PLANE, plane)               \
    TYPE(HEIGHT_FIELD, height_field) \
    TYPE(MESH, mesh)                 \
    TYPE(DISK, disk)                 \
    TYPE(ELLIPSE, ellipse)           \
    TYPE(POLYGON, polygon)           \
    TYPE(SEGMENT, segment)           \
    TYPE(HALF_PLANE, half_plane)

#define CRN_SHAPE_DECLARE(KIND, name) extern const crn_shape_type crn_shape_##name;
CRN_SHAPE_TYPES(CRN_SHAPE_DECLARE)
#undef CRN_SHAPE_DECLARE

/* NULL if there is no such kind. */
const crn_shape_type *crn_shape_type_of(crn_shape_kind kind);

#endif
