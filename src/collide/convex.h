/* What convex.c calls. */
#ifndef CRN_COLLIDE_CONVEX_H
#define CRN_COLLIDE_CONVEX_H

#include "collide/shape.h"

/* a: a convex solid, b: a height field. */
void crn_collide_height_field(const crn_query *query, crn_touches *out);

#endif
