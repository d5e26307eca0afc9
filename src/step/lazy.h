/* A step's problem by the contacts that matter: lazy.c. */
#ifndef CRN_STEP_LAZY_H
#define CRN_STEP_LAZY_H

#include "step/parts.h"

/* Are there many contacts, of which few pushed in the last step? */
bool crn_lazy_is_worth(const crn_stepper *stepper);

/* Solve the problem at hand. is_solved: the answer is one of the whole problem, found velocities and impulses are in
 * stepper->problem; else it is to be solved at once. */
crn_status crn_lazy_solve(crn_stepper *stepper, crn_contact_result *result, bool *is_solved, crn_error *error);

#endif
