/* Energy from above: what hangs together in contacts and joints does not gain any by the error of the time step. */
#ifndef CRN_STEP_CLAMP_H
#define CRN_STEP_CLAMP_H

#include "step/ledger.h"

/* Room for it; false without memory. */
bool crn_clamp_room(crn_stepper *stepper);

/* A step begins, as shown: energy of each body. */
void crn_clamp_begin(crn_stepper *stepper);

/* Before its own kick another one was made, of what the caller has placed: who pushed whom in it. */
void crn_clamp_note_first(crn_stepper *stepper);

/* After the kick, where the work of all that acts until `shown` is known by body: groups that have gained are slowed. Returns
 * whether any was: then `shown` and `after` have changed. until, later: what
 * that took at the moment of `shown`, and after it. */
bool crn_clamp_groups(crn_stepper *stepper, crn_account *until, crn_account *later);

/* What is at rest stays where it is, to the last bit: solutions are right to a tolerance, and would creep. */
void crn_clamp_rest(crn_stepper *stepper, crn_account *later);

#endif
