/* Is a call well made? */
#ifndef CRN_LCP_INPUT_H
#define CRN_LCP_INPUT_H

#include <cairn/lcp.h>

/* The largest order: small multiples of it fit an int. No machine has the memory for a larger one. */
enum { CRN_MAX_ORDER = 1 << 26 };

/* All of crn_lcp_check() but the finiteness of M's entries, which the scaling sees anyway (view.h). */
crn_status crn_input_check(const crn_lcp_problem *problem, crn_error *error);

crn_status crn_input_check_options(const crn_lcp_options *options, int n, crn_error *error);

#endif
