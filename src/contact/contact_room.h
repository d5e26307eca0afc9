/* The door of this room for the rooms above: what a problem's contacts are as columns, and solving without the checks that
 * strangers need. */
#ifndef CRN_CONTACT_ROOM_H
#define CRN_CONTACT_ROOM_H

#include "contact/problem.h"

/* crn_contact_solve() for a problem that the library built itself: indices, frames and masses are right, which is asserted,
 * so that only its numbers are looked at, whether they are finite. Contacts are taken in the order given, which decides where
 * Coulomb's law leaves the motion open: a step's order is its bodies' and shapes'. solution and result must be there. */
crn_status crn_contact_solve_built(const crn_contact_problem *problem, const crn_contact_options *options,
                                   crn_workspace *workspace, const crn_contact_solution *solution,
                                   crn_contact_result *result, crn_error *error);

#endif
