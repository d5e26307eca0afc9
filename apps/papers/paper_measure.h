/* One problem, one method: is it solved, in what time, with how many pivots? */
#ifndef CAIRN_CLI_PAPER_MEASURE_H
#define CAIRN_CLI_PAPER_MEASURE_H

#include <cairn/contact.h>
#include <cairn/lcp.h>

/* Processor time of this thread [s]: other programs on the machine do not count. */
double paper_thread_seconds(void);

typedef struct paper_time {
    bool is_solved;
    double seconds; /* whole call, processor time: median of several */
    double solving; /* of it: without checks, copying and islands (door 2) */
    int pivots;     /* of one call; iterations of a method without pivots */
    int refactorizations;
    double certificate; /* relative */
} paper_time;

/* Door 1 on an assembled problem. z (order n) receives the answer; NULL: not wanted. */
bool paper_time_lcp(const crn_lcp_problem *problem, crn_lcp_method method, crn_workspace *work, double *z, double *w,
                    paper_time *time, crn_error *error);

/* Door 2. solution may be NULL. */
bool paper_time_contact(const crn_contact_problem *problem, const crn_contact_options *options, crn_workspace *work,
                        const crn_contact_solution *solution, paper_time *time, crn_error *error);

#endif
