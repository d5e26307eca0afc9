/* One problem from its files to its answer. */
#ifndef CAIRN_CLI_SOLVE_JOB_H
#define CAIRN_CLI_SOLVE_JOB_H

#include "solve_request.h"
#include "times.h"
#include "trace.h"

typedef struct solve_job {
    const char *name;  /* first file as given */
    crn_lcp_data data; /* the problem */
    double *z;         /* best point found */
    unsigned char *basis;
    unsigned char *start; /* basis to start from, or NULL */
    cli_times times;
    crn_lcp_result result;
    cli_pivots trace; /* of the first solve, if it was asked for */
} solve_job;

/* Read the problem (and the basis to start from) from files: a pair or one .dat file. job must be released with
 * solve_job_free(), also after a failure. */
crn_status solve_job_load(solve_job *job, const solve_request *request, const char *const *files, int file_count,
                          crn_error *error);

/* Solve it as often as the request says. */
crn_status solve_job_run(solve_job *job, const solve_request *request, crn_workspace *workspace, crn_error *error);

void solve_job_free(solve_job *job);

#endif
