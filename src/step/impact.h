/* Impacts within a kick: docs/theory/stepping.md, "Impacts". */
#ifndef CRN_STEP_IMPACT_H
#define CRN_STEP_IMPACT_H

#include "step/parts.h"

/* Which contacts collide, by their restitution; how many. next_w and next_v still are the free motion's. */
crn_status crn_impact_list(crn_stepper *stepper, double h, int *colliding, crn_error *error);

/* The kick's problem has been solved. Finds what collisions make of it: all moments, the impulses of the kick without what
 * collides and those of the impact in stepper->impact, and those after the impact in the problem's answer. */
crn_status crn_impact_solve(crn_stepper *stepper, double h, crn_step_answer *answer, crn_error *error);

#endif
