/* Coulomb's law exactly: an unsymmetric Newton near a solution. */
#ifndef CRN_CONTACT_BODY_COULOMB_H
#define CRN_CONTACT_BODY_COULOMB_H

#include "contact/body_newton.h"

/* Improve bodies->r for Coulomb's law with bodies->offset by proximal Alart-Curnier Newton; returns its certificate. r is
 * never left worse than it was: away from a solution the method may diverge. */
double crn_body_alart_curnier(crn_bodies *bodies, const crn_newton_plan *plan);

/* The same from impulses that are near but for what balances itself: the penalty grows, as long as a factor can be kept. */
double crn_body_creep(crn_bodies *bodies, const crn_newton_plan *plan);

/* From a plateau whose errors are little too large: the largest of them is made smaller at the cost of the others. */
double crn_body_level(crn_bodies *bodies, const crn_newton_plan *plan);

#endif
