/* Energy from above: groups of bodies in contact do not gain any by the error of the time step. */
#ifndef CRN_STEP_CLAMP_H
#define CRN_STEP_CLAMP_H

#include "step/moment.h"

/* Room for it; false without memory. */
bool crn_clamp_room(crn_stepper *stepper);

/* A step begins, as shown: energy of each body. */
void crn_clamp_begin(crn_stepper *stepper);

/* After the kick: `shown` and `after` of groups that have gained are slowed. until, after: what that changed. */
void crn_clamp_groups(crn_stepper *stepper, crn_account *until, crn_account *after);

#endif
