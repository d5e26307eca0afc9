/* One contact problem from its file to its answer. */
#include "contact_job.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A round-cone contact counts as off, or as sliding, if it is as near as this to the tip or the rim of its cone, relative
 * to the largest impulse or to its own normal impulse. The residual of an answer is about 1e-8; this is for counting. */
static const double near_rim = 1e-6;

/* count items, at least one, all zero. */
static void *take(int count, size_t size)
{
    return calloc(count > 0 ? (size_t)count : 1, size);
}

/* --- Reading --- */

typedef enum format { FORMAT_JSON, FORMAT_FCLIB, FORMAT_SICONOS } format;

/* By how the file begins; if that says nothing, by its name. A file that cannot be opened is the reader's to report. */
static format find_format(const char *path)
{
    char head[256] = "";
    FILE *file = fopen(path, "rb");
    size_t size = file != NULL ? fread(head, 1, sizeof head - 1, file) : 0;
    if (file != NULL) {
        fclose(file);
    }
    size_t first = strspn(head, " \t\r\n");
    if (size >= 4 && memcmp(head, "\211HDF", 4) == 0) {
        return FORMAT_FCLIB;
    }
    if (first < size && strchr("{[\"", head[first]) != NULL) {
        return FORMAT_JSON;
    }
    if (first < size && strchr("-+.0123456789", head[first]) != NULL) {
        return FORMAT_SICONOS;
    }
    crn_file_format named = crn_file_format_of(path);
    if (named == CRN_FILE_JSON) {
        return FORMAT_JSON;
    }
    return named == CRN_FILE_HDF5 ? FORMAT_FCLIB : FORMAT_SICONOS;
}

static crn_status read_problem(contact_job *job, const contact_request *request, const char *file, crn_error *error)
{
    switch (find_format(file)) {
    case FORMAT_JSON: return crn_io_read_contact_json(file, NULL, &job->data, error);
    case FORMAT_FCLIB: job->is_cone = true; return crn_io_read_fclib(file, NULL, &job->cone, error);
    default: job->is_cone = true; return crn_io_read_siconos_friction(file, request->kind, NULL, &job->cone, error);
    }
}

/* Sizes of the answer; false if they do not fit int. */
static bool find_sizes(contact_job *job, const contact_request *request)
{
    const crn_contact_problem *problem = &job->data.problem;
    const crn_cone_problem *cone = &job->cone.problem;
    job->contacts = job->is_cone ? cone->contacts : problem->contacts;
    job->dof = job->is_cone ? cone->dof : crn_contact_dof(problem);
    job->rows = job->is_cone ? cone->rows : problem->rows;
    if (job->contacts > INT32_MAX / 3) {
        return false;
    }
    if (job->is_cone) {
        job->z_count = cone->dim * cone->contacts;
    } else {
        job->z_count = request->options.cone == CRN_CONE_ROUND ? 3 * problem->contacts : crn_contact_lcp_size(problem);
    }
    return job->z_count >= 0;
}

crn_status contact_job_load(contact_job *job, const contact_request *request, const char *file, crn_error *error)
{
    *job = (contact_job){.name = file};
    crn_status status = read_problem(job, request, file, error);
    if (status == CRN_OK && job->is_cone && request->not_for_cones != NULL) {
        status =
            crn_fail(error, CRN_ERR_ARGUMENT, "%s: %s does not go with a friction file", file, request->not_for_cones);
    }
    if (status == CRN_OK && !find_sizes(job, request)) {
        status = crn_fail(error, CRN_ERR_UNSUPPORTED, "%s: its answer has too many numbers", file);
    }
    if (status != CRN_OK) {
        return status;
    }
    job->impulse = take(3 * job->contacts, sizeof(double));
    job->contact_velocity = take(3 * job->contacts, sizeof(double));
    job->velocity = take(job->dof, sizeof(double));
    job->row_impulse = take(job->rows, sizeof(double));
    job->state = take(job->contacts, sizeof(crn_contact_state));
    job->z = take(job->z_count, sizeof(double));
    if (job->impulse == NULL || job->contact_velocity == NULL || job->velocity == NULL || job->row_impulse == NULL ||
        job->state == NULL || job->z == NULL || !cli_times_take(&job->times, request->repeat)) {
        return crn_fail(error, CRN_ERR_MEMORY, "%s: no memory for the answer", file);
    }
    return CRN_OK;
}

/* --- Contact problems --- */

/* Rigid files have the linear half of a spatial vector first, the library the angular one. */
static void reorder_velocity(contact_job *job)
{
    if (job->data.kind != CRN_CONTACT_FILE_RIGID) {
        return;
    }
    for (int i = 0; i < job->data.problem.bodies; ++i) {
        double *v = job->velocity + 6 * i;
        for (int k = 0; k < 3; ++k) {
            double angular = v[k];
            v[k] = v[k + 3];
            v[k + 3] = angular;
        }
    }
}

static crn_status fill_z(contact_job *job, const contact_request *request, crn_error *error)
{
    if (request->options.cone == CRN_CONE_ROUND) {
        memcpy(job->z, job->impulse, (size_t)job->z_count * sizeof(double));
        return CRN_OK;
    }
    return crn_contact_to_lcp(&job->data.problem, job->impulse, job->contact_velocity, job->row_impulse, job->z, error);
}

static crn_status solve_contacts(contact_job *job, const contact_request *request, crn_workspace *workspace,
                                 crn_error *error)
{
    const crn_contact_problem *problem = &job->data.problem;
    crn_contact_solution solution = {.impulse = job->impulse,
                                     .velocity = job->velocity,
                                     .contact_velocity = job->contact_velocity,
                                     .row_impulse = job->row_impulse,
                                     .state = job->state};
    crn_contact_options options = request->options;
    crn_status status = CRN_OK;
    for (int k = 0; k < job->times.count && status == CRN_OK; ++k) {
        options.trace = request->has_trace && k == 0 ? cli_changes_keep : NULL;
        options.trace_user = &job->trace;
        status = crn_contact_solve(problem, &options, workspace, &solution, &job->result, error);
        job->times.seconds[k] = job->result.seconds;
    }
    if (status == CRN_OK) {
        status = fill_z(job, request, error);
    }
    bool is_wanted = request->is_uniqueness || !request->is_json;
    if (status == CRN_OK && is_wanted && contact_job_is_solved(job)) {
        crn_error ignored; /* an answer that cannot be analysed is still an answer */
        job->has_uniqueness = crn_contact_uniqueness_of(problem, job->impulse, job->row_impulse, workspace,
                                                        &job->uniqueness, &ignored) == CRN_OK;
    }
    if (status == CRN_OK && job->result.outcome == CRN_LCP_LIMIT) {
        crn_error ignored; /* likewise */
        job->has_backward = crn_contact_backward_error(problem, &request->options, job->impulse, job->row_impulse,
                                                       workspace, NULL, &job->backward, &ignored) == CRN_OK;
    }
    reorder_velocity(job);
    return status;
}

/* --- Friction files --- */

/* Components n, t1, t2 from dim per contact; places that dim 2 lacks are 0. */
static void spread(const crn_cone_problem *problem, const double *from, double *to)
{
    for (int i = 0; i < problem->contacts; ++i) {
        memcpy(to + 3 * i, from + problem->dim * i, (size_t)problem->dim * sizeof(double));
    }
}

/* What each contact does, from its impulse. */
static void find_states(contact_job *job)
{
    double largest = 0.0;
    for (int i = 0; i < job->contacts; ++i) {
        largest = fmax(largest, job->impulse[3 * i]);
    }
    for (int i = 0; i < job->contacts; ++i) {
        const double *r = job->impulse + 3 * i;
        double friction = hypot(r[1], r[2]), limit = job->cone.problem.mu[i] * r[0];
        crn_contact_kind kind = r[0] <= near_rim * largest             ? CRN_CONTACT_OFF
                                : limit == 0.0                         ? CRN_CONTACT_ON
                                : friction >= (1.0 - near_rim) * limit ? CRN_CONTACT_SLIDE
                                                                       : CRN_CONTACT_STICK;
        job->state[i].kind = (int)kind;
    }
}

static crn_status solve_cones(contact_job *job, const contact_request *request, crn_workspace *workspace,
                              crn_error *error)
{
    const crn_cone_problem *problem = &job->cone.problem;
    crn_cone_options options = crn_cone_options_default();
    options.tol = request->has_tol ? request->options.tol : options.tol;
    options.max_iterations = request->options.max_pivots;
    double *u = take(job->z_count, sizeof(double));
    if (u == NULL) {
        return crn_fail(error, CRN_ERR_MEMORY, "no memory for %d velocities", job->z_count);
    }
    crn_cone_solution solution = {.r = job->z, .u = u, .v = job->velocity, .l = job->row_impulse};
    crn_status status = CRN_OK;
    for (int k = 0; k < job->times.count && status == CRN_OK; ++k) {
        status = crn_cone_solve(problem, &options, workspace, &solution, &job->cone_result, error);
        job->times.seconds[k] = job->cone_result.seconds;
    }
    spread(problem, job->z, job->impulse);
    spread(problem, u, job->contact_velocity);
    find_states(job);
    free(u);
    return status;
}

crn_status contact_job_run(contact_job *job, const contact_request *request, crn_workspace *workspace, crn_error *error)
{
    crn_error reason = {.status = CRN_OK};
    crn_status status =
        job->is_cone ? solve_cones(job, request, workspace, &reason) : solve_contacts(job, request, workspace, &reason);
    return status == CRN_OK ? CRN_OK : crn_fail(error, status, "%s: %s", job->name, reason.text);
}

crn_lcp_outcome contact_job_outcome(const contact_job *job)
{
    return job->is_cone ? job->cone_result.outcome : job->result.outcome;
}

bool contact_job_is_solved(const contact_job *job)
{
    return contact_job_outcome(job) == CRN_LCP_SOLVED;
}

void contact_job_free(contact_job *job)
{
    crn_contact_data_free(&job->data);
    crn_cone_data_free(&job->cone);
    free(job->impulse);
    free(job->contact_velocity);
    free(job->velocity);
    free(job->row_impulse);
    free(job->state);
    free(job->z);
    cli_times_free(&job->times);
    cli_changes_free(&job->trace);
    *job = (contact_job){.name = NULL};
}
