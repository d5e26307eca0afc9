/* Events in the words of the caller. */
#include "lcp/trace.h"

/* z_j: j, w_i: n + i, z0: 2 n, none: -1. */
static int public_number(int n, int variable)
{
    if (variable == -1 - n) {
        return -1;
    }
    if (variable < 0) {
        return n - 1 - variable;
    }
    return variable == n ? 2 * n : variable;
}

void crn_trace(const crn_job *job, crn_lcp_event event)
{
    const int n = job->problem->n;
    event.cover = event.leaving == n ? 0.0 : event.cover;
    event.entering = public_number(n, event.entering);
    event.leaving = public_number(n, event.leaving);
    job->options.trace(job->options.trace_user, &event);
}

static void tell_return(const crn_job *job, crn_lcp_event_kind kind, int depth)
{
    const int none = -1 - job->problem->n;
    crn_trace(job, (crn_lcp_event){.kind = kind, .entering = none, .leaving = none, .depth = depth});
}

void crn_trace_back(const crn_job *job, int depth)
{
    tell_return(job, CRN_LCP_BACKTRACK, depth);
}

void crn_trace_restart(const crn_job *job)
{
    tell_return(job, CRN_LCP_RESTART, -1);
}

void crn_trace_change(const crn_job *job, int i, unsigned char from, unsigned char to, int ties, int depth)
{
    crn_lcp_event event = {.kind = CRN_LCP_EXCHANGE, .entering = i, .leaving = i, .ties = ties, .depth = depth};
    if (to == CRN_LCP_BASIC) {
        event.leaving = -1 - i;
    } else {
        event.bound = to;
        event.entering = from == CRN_LCP_BASIC ? -1 - i : i;
    }
    crn_trace(job, event);
}

void crn_trace_start(const crn_job *job, const unsigned char *state)
{
    for (int i = 0; i < job->problem->n; ++i) {
        unsigned char cold = crn_job_cold_state(job, i);
        cold = cold == CRN_LCP_BASIC ? CRN_LCP_AT_LOWER : cold; /* free: it stands at 0 until it comes in */
        if (state[i] != cold) {
            crn_trace_change(job, i, cold, state[i], 0, -1);
        }
    }
}
