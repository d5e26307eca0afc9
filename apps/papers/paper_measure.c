/* One problem, one method. Times are of the processor, for this thread: other programs on the machine do not count. */
#include "paper_measure.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

enum { REPEAT_MAX = 15 };

/* Calls are repeated while they all together take less than this. */
static const double repeat_seconds = 0.02;

/* So long a time is measured to a per cent: quicker calls are timed several in a row. */
static const double clock_seconds = 3e-5;

double paper_thread_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* A call to be timed: false if it failed. */
typedef bool timed_call(void *what);

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Median time of a call after one that warms up caches and workspace; a slow call is made once. */
static bool time_call(timed_call *call, void *what, double *seconds)
{
    double times[REPEAT_MAX], begin = paper_thread_seconds();
    int count = 0;
    if (!call(what)) {
        return false;
    }
    double first = paper_thread_seconds() - begin;
    int in_a_row = first < clock_seconds ? (int)ceil(clock_seconds / fmax(first, 1e-8)) : 1;
    while (count < REPEAT_MAX && paper_thread_seconds() - begin + first < repeat_seconds) {
        double start = paper_thread_seconds();
        for (int k = 0; k < in_a_row; ++k) {
            if (!call(what)) {
                return false;
            }
        }
        times[count++] = (paper_thread_seconds() - start) / in_a_row;
    }
    qsort(times, (size_t)count, sizeof *times, by_value);
    *seconds = count > 0 ? times[count / 2] : first;
    return true;
}

typedef struct lcp_call {
    const crn_lcp_problem *problem;
    crn_lcp_options options;
    crn_workspace *work;
    crn_lcp_solution solution;
    crn_lcp_result result;
    crn_error *error;
} lcp_call;

static bool call_lcp(void *what)
{
    lcp_call *c = what;
    return crn_lcp_solve(c->problem, &c->options, c->work, &c->solution, &c->result, c->error) == CRN_OK;
}

bool paper_time_lcp(const crn_lcp_problem *problem, crn_lcp_method method, crn_workspace *work, double *z, double *w,
                    paper_time *time, crn_error *error)
{
    lcp_call call = {.problem = problem, .options = crn_lcp_options_default(method), .work = work, .error = error};
    double *own = z ? NULL : malloc(((size_t)problem->n + 1) * sizeof *own);
    call.solution.z = z ? z : own;
    call.solution.w = w;
    bool ok = call.solution.z && time_call(call_lcp, &call, &time->seconds);
    time->is_solved = ok && call.result.outcome == CRN_LCP_SOLVED;
    time->pivots = call.result.pivots;
    time->refactorizations = call.result.refactorizations;
    time->certificate = call.result.certificate.relative;
    time->solving = time->seconds;
    free(own);
    return ok;
}

typedef struct contact_call {
    const crn_contact_problem *problem;
    const crn_contact_options *options;
    crn_workspace *work;
    const crn_contact_solution *solution;
    crn_contact_result result;
    double setup; /* least of all calls */
    crn_error *error;
} contact_call;

static bool call_contact(void *what)
{
    contact_call *c = what;
    bool ok = crn_contact_solve(c->problem, c->options, c->work, c->solution, &c->result, c->error) == CRN_OK;
    c->setup = fmin(c->setup, c->result.seconds_setup);
    return ok;
}

bool paper_time_contact(const crn_contact_problem *problem, const crn_contact_options *options, crn_workspace *work,
                        const crn_contact_solution *solution, paper_time *time, crn_error *error)
{
    contact_call call = {.problem = problem, .options = options, .work = work, .solution = solution, .error = error};
    call.setup = (double)INFINITY;
    bool ok = time_call(call_contact, &call, &time->seconds);
    time->is_solved = ok && call.result.outcome == CRN_LCP_SOLVED;
    time->pivots = call.result.pivots > 0 ? call.result.pivots : call.result.iterations;
    time->refactorizations = call.result.refactorizations;
    time->certificate = call.result.certificate.relative;
    time->solving = fmax(time->seconds - call.setup, 0.0);
    return ok;
}
