/* Primal-dual active sets on sparse factors. */
#ifndef CRN_LCP_ACTIVE_SET_H
#define CRN_LCP_ACTIVE_SET_H

#include "lcp/factor.h"

typedef struct crn_active_set {
    crn_lcp_factor factor;
    unsigned char *state, *chosen; /* n: where variables stand; 1 where they are basic */
} crn_active_set;

void crn_active_set_layout(crn_active_set *active, const crn_job *job, crn_arena *arena);

/* For a sparse M. CRN_LCP_SINGULAR if a block is. */
crn_lcp_outcome crn_active_set_run(crn_active_set *active, crn_job *job);

#endif
