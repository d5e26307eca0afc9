/* Placeholder until the pairs of a mesh are there: no pair is known. */
#include "collide/shape.h"

bool crn_collide_mesh(const crn_query *query, crn_touches *out)
{
    (void)query;
    (void)out;
    return false;
}
