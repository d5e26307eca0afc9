/* A complementary basis to start from when the obvious one is singular, or led nowhere. */
#ifndef CRN_LCP_START_H
#define CRN_LCP_START_H

#include "lcp/basis.h"

/* Make `state` a regular start that holds every free variable, as far as there is one, if need be with bounded partners;
 * and about `extra` further variables, in random order (random NULL: in order). A free variable whose row and column
 * depend on those of the others is left out at 0; if its equation is consistent with theirs the answer satisfies it, and
 * the judge will see. False if there is no way. `order` is scratch of length n. */
bool crn_start_random(crn_basis *basis, unsigned char *state, int extra, crn_random *random, int *order);

#endif
