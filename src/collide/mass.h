/* Mass properties of prepared shapes. */
#ifndef CRN_COLLIDE_MASS_H
#define CRN_COLLIDE_MASS_H

#include "collide/shape.h"

/* Of a solid of density 1: closed forms; hulls, meshes and polygons by their own files. shape->mass is not read. */
crn_mass_properties crn_mass_of(const crn_shape *shape);

#endif
