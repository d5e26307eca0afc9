/* What shapes with a smooth core (solid.h) share. */
#include "collide/plane.h"
#include "collide/convex/solid.h"

void crn_smooth_core(const crn_shape *shape, crn_solid *solid)
{
    solid->kind = CRN_CORE_SMOOTH;
    solid->smooth = shape->type->smooth;
}

/* The lowest point: the farthest one against the normal. */
void crn_smooth_on_plane(const crn_query *query, crn_touches *out)
{
    crn_ground g = crn_ground_of(query);
    crn_vec3 down = crn_m3_transposed_times(&query->frame_a->rotation, crn_v3_scale(-1.0, g.normal));
    crn_vec3 low = query->a->type->smooth->support(query->a->def.size, down);
    crn_ground_meet(&g, crn_frame_point(query->frame_a, low), 0.0, 0, out);
}
