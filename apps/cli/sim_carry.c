/* Points that go along with a body. */
#include "sim_carry.h"

#include <stdbool.h>

static crn_vec3 cross(crn_vec3 a, crn_vec3 b)
{
    return (crn_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* v turned by q, or by its inverse: v + 2 w (u x v) + 2 u x (u x v) with q = (w, u). */
static crn_vec3 turned(const crn_quat *q, crn_vec3 v, bool is_inverse)
{
    double s = is_inverse ? -1.0 : 1.0;
    crn_vec3 u = {s * q->x, s * q->y, s * q->z}, t = cross(u, v), r = cross(u, t);
    return (crn_vec3){v.x + 2.0 * (q->w * t.x + r.x), v.y + 2.0 * (q->w * t.y + r.y), v.z + 2.0 * (q->w * t.z + r.z)};
}

crn_vec3 sim_carried(const crn_pose *before, const crn_pose *after, crn_vec3 point)
{
    const crn_vec3 *from = &before->position, *to = &after->position;
    crn_vec3 arm = {point.x - from->x, point.y - from->y, point.z - from->z};
    arm = turned(&after->rotation, turned(&before->rotation, arm, true), false);
    return (crn_vec3){to->x + arm.x, to->y + arm.y, to->z + arm.z};
}
