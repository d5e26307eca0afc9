/* One contact problem from its file to its answer. */
#ifndef CAIRN_CLI_CONTACT_JOB_H
#define CAIRN_CLI_CONTACT_JOB_H

#include "contact_request.h"
#include "times.h"
#include "trace.h"

typedef struct contact_job {
    const char *name;      /* file as given */
    bool is_cone;          /* a friction file: cone, else data */
    crn_contact_data data; /* bodies and contacts */
    crn_cone_data cone;    /* matrices and round cones */

    int contacts, dof, rows;
    double *impulse;          /* 3 per contact: n, t1, t2 */
    double *contact_velocity; /* 3 per contact */
    double *velocity;         /* dof, in the order of the file */
    double *row_impulse;      /* rows */
    crn_contact_state *state; /* per contact; of a friction file as far as r and u tell */
    double *z;                /* z_count: of the LCP, or r */
    int z_count;

    crn_contact_result result;
    crn_cone_result cone_result;
    bool has_uniqueness;
    crn_contact_uniqueness uniqueness;
    bool has_backward; /* steps or pivots ran out */
    crn_contact_backward backward;
    cli_changes trace; /* of the first solve, if it was asked for */
    cli_times times;
} contact_job;

/* Read the problem. job must be released with contact_job_free(), also after a failure. */
crn_status contact_job_load(contact_job *job, const contact_request *request, const char *file, crn_error *error);

/* Solve it as often as the request says. */
crn_status contact_job_run(contact_job *job, const contact_request *request, crn_workspace *workspace,
                           crn_error *error);

/* Write the problem in the formats that were asked for. */
crn_status contact_job_export(const contact_job *job, const contact_request *request, crn_workspace *workspace,
                              crn_error *error);

crn_lcp_outcome contact_job_outcome(const contact_job *job);

/* Solved by the law asked for? */
bool contact_job_is_solved(const contact_job *job);

void contact_job_free(contact_job *job);

#endif
