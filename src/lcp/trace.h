/* Telling the caller's trace what a method does. Variables here are numbered as in the room: z_j is j, z0 is n, w_i is
 * -1 - i. Call these only where crn_is_traced(): a solve without a trace pays one branch per pivot. */
#ifndef CRN_LCP_TRACE_H
#define CRN_LCP_TRACE_H

#include "lcp/job.h"

static inline bool crn_is_traced(const crn_job *job)
{
    return job->options.trace != NULL;
}

/* An event whose variables are numbered as here; -1 - n: none. Its cover is in the caller's units. */
void crn_trace(const crn_job *job, crn_lcp_event event);

/* The pivots of this depth and deeper are taken back; all of them are, also those of the start. */
void crn_trace_back(const crn_job *job, int depth);
void crn_trace_restart(const crn_job *job);

/* z_i and w_i change sides: z_i goes from one state to another. */
void crn_trace_change(const crn_job *job, int i, unsigned char from, unsigned char to, int ties, int depth);

/* The basis that a path begins from. */
void crn_trace_start(const crn_job *job, const unsigned char *state);

#endif
