/* One call of crn_lcp_solve() on its way through the room: what every method gets, and how it gives its answer back.
 *
 * A method has two functions of the same shape:
 *     void x_layout(crn_x *x, const crn_job *job, crn_arena *arena)   take memory (or count it)
 *     crn_lcp_outcome x_run(crn_x *x, crn_job *job)                   fill job->z, count, say what came out
 * Only crn_job_accept() turns a point into CRN_LCP_SOLVED, after the judge (check.h) has seen it. */
#ifndef CRN_LCP_JOB_H
#define CRN_LCP_JOB_H

#include "lcp/check.h"
#include "lcp/structure.h"
#include "lcp/view.h"

typedef struct crn_job {
    const crn_lcp_problem *problem;
    crn_lcp_options options;
    crn_view view;
    double *z, *w;        /* answer, caller's units */
    unsigned char *basis; /* where the variables stand */
    double *ray;          /* caller's units */
    double *low;          /* 2 n: scratch of the judge */
    double *history;      /* pgs: residual after each sweep, or NULL */
    int history_size;
    crn_structure structure; /* of a sparse problem */
    int attempts;            /* paths that search may try, nodes that refute may look at; 0: the usual number. pgs: if
                                positive, it gives up when it is slow */
    size_t entries;          /* of factors that there is room for; 0: the method's own guess */
    size_t entries_needed;   /* set by a method for which that is not enough */
    double begin;            /* crn_seconds() when the solve began */
    bool is_stopped;         /* the time limit has passed, or the caller said so */
    crn_lcp_result *result;
} crn_job;

/* Memory for the view and the answer of a job whose problem is set. */
void crn_job_layout(crn_job *job, crn_arena *arena);

/* Judge job->z; CRN_LCP_SOLVED if within options.tol, otherwise CRN_LCP_STALLED. Fills w and result->certificate. */
crn_lcp_outcome crn_job_accept(crn_job *job);

/* May the method go on? Looks at the clock and tells the caller of its progress; result->pivots counts the iterations.
 * Call it once every millisecond or so of work: at each multiple of `every` iterations. */
bool crn_job_goes_on(crn_job *job, int every);

/* Judge a ray already in job->ray: CRN_LCP_INFEASIBLE with proof if it is one, otherwise CRN_LCP_RAY. */
crn_lcp_outcome crn_job_judge_ray(crn_job *job);

/* job->z := s C z', with variables at a bound put exactly there, according to state (CRN_LCP_AT_LOWER, ...); a basic
 * variable is clamped to its bounds. */
void crn_job_set_point(crn_job *job, const double *z_scaled, const unsigned char *state);

/* The state of a variable in a cold start: basic if free, else the bound nearest to 0. */
unsigned char crn_job_cold_state(const crn_job *job, int i);

/* States of the start: the caller's if is_warm, else cold. */
void crn_job_start(const crn_job *job, bool is_warm, unsigned char *state);

/* Value (scaled) of a variable that is not basic: its bound, or 0 if that is infinite. */
double crn_job_bound(const crn_job *job, int i, unsigned char state);

#endif
