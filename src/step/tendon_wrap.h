/* The way of a string round a sphere or cylinder. */
#ifndef CRN_STEP_TENDON_WRAP_H
#define CRN_STEP_TENDON_WRAP_H

#include "math/rigid.h"

typedef struct crn_wrap {
    const crn_frame *frame; /* of what is round, in the world; the cylinder is along z */
    bool is_cylinder;
    double radius;
    const crn_vec3 *side; /* the string goes round on this side, world; NULL: by the shorter way */
} crn_wrap;

/* From one point to another: where the string meets the surface and leaves it, and how far it goes on it. False: straight. */
bool crn_wrap_round(const crn_wrap *wrap, crn_vec3 from, crn_vec3 to, crn_vec3 touch[2], double *length);

#endif
