/* Murty's principal pivoting, one index or whole blocks at a time. */
#ifndef CRN_LCP_MURTY_H
#define CRN_LCP_MURTY_H

#include "lcp/basis.h"

typedef struct crn_murty {
    crn_basis *basis;
    unsigned char *state; /* n: the next complementary basis */
} crn_murty;

void crn_murty_layout(crn_murty *murty, const crn_job *job, crn_basis *basis, crn_arena *arena);
crn_lcp_outcome crn_murty_run(crn_murty *murty, crn_job *job);

#endif
