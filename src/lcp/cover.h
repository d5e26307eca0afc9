/* Covering vectors: what makes a start feasible for z0 > 0. */
#ifndef CRN_LCP_COVER_H
#define CRN_LCP_COVER_H

#include "lcp/basis.h"

/* Worst violation (scaled) of the bounds of basic z and of the watched signs of w; 0 if feasible. */
double crn_cover_violation(const crn_basis *basis);

/* Is a variable with bounds basic? Then rows alone cannot cover the start. */
bool crn_cover_needs_point(const crn_basis *basis);

/* With basis->cover set, pointing inwards in every violated row: the least z0 that covers, and w there. Returns the row
 * that is at 0 then. */
int crn_cover_start(crn_basis *basis);

/* Lemke's cover, c_i in [1, 2) towards the sign asked for  [CPS92 s4.4]; for a start whose basic variables are all
 * free. Returns the row that holds z0. */
int crn_cover_rows(crn_basis *basis, crn_random *random);

/* Cover for a start from any basis: every variable moves inside its bounds by a random margin of the size of the
 * violation, and c is what makes that point a solution at z0 = 1. */
void crn_cover_point(crn_basis *basis, double violation, crn_random *random);

#endif
