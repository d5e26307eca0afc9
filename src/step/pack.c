/* Velocities of rigid bodies as door 2 wants them, and back. */
#include "math/rigid.h"
#include "step/parts.h"

static int dof_of(const crn_stepper *s)
{
    return s->def.is_planar ? 3 : 6;
}

/* (w, v) as door 2 wants it. */
static void pack(const crn_stepper *s, crn_vec3 w, crn_vec3 v, double *to)
{
    if (s->def.is_planar) {
        to[0] = w.z;
        to[1] = v.x;
        to[2] = v.y;
    } else {
        crn_v3_to(w, to);
        crn_v3_to(v, to + 3);
    }
}

void crn_step_pack(const crn_stepper *s, crn_vec3 w, crn_vec3 v, double *velocity, int at)
{
    pack(s, w, v, velocity + (size_t)at * (size_t)dof_of(s));
}

void crn_step_found(const crn_stepper *s, const double *velocity, int at, crn_vec3 *w, crn_vec3 *v)
{
    const double *from = velocity + (size_t)at * (size_t)dof_of(s);
    *w = s->def.is_planar ? crn_v3(0, 0, from[0]) : crn_v3_of(from);
    *v = s->def.is_planar ? crn_v3(from[1], from[2], 0) : crn_v3_of(from + 3);
}
