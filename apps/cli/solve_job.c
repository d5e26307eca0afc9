/* One problem from its files to its answer. */
#include "solve_job.h"

#include "numpy.h"
#include "progress.h"

#include <stdlib.h>
#include <string.h>

/* count items, at least one, all zero. */
static void *take(int count, size_t size)
{
    return calloc(count > 0 ? (size_t)count : 1, size);
}

static crn_status load_problem(solve_job *job, const solve_request *request, const char *const *files, int file_count,
                               crn_error *error)
{
    if (file_count == 2) {
        return numpy_read_problem(files[0], files[1], request->lower, request->upper, &job->data, error);
    }
    if (crn_file_format_of(files[0]) == CRN_FILE_MATRIX_MARKET || numpy_is_name(files[0])) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s: q is missing: a problem of matrices is a pair of files",
                        files[0]);
    }
    return crn_io_read_siconos(files[0], request->kind, NULL, &job->data, error);
}

/* A vector of 0, 1 and 2 becomes the basis to start from. */
static crn_status convert_basis(const char *path, int n, const double *values, unsigned char *basis, crn_error *error)
{
    for (int i = 0; i < n; ++i) {
        if (values[i] != CRN_LCP_AT_LOWER && values[i] != CRN_LCP_BASIC && values[i] != CRN_LCP_AT_UPPER) {
            return crn_fail(error, CRN_ERR_FORMAT, "%s: entry %d: %g is not 0 (at lower), 1 (basic) or 2 (at upper)",
                            path, i + 1, values[i]);
        }
        basis[i] = (unsigned char)values[i];
    }
    return CRN_OK;
}

static crn_status load_start(solve_job *job, const char *path, crn_error *error)
{
    int n = job->data.problem.n;
    double *values = take(n, sizeof(double));
    job->start = take(n, 1);
    if (values == NULL || job->start == NULL) {
        free(values);
        return crn_fail(error, CRN_ERR_MEMORY, "%s: no memory for %d entries", path, n);
    }
    crn_status status = crn_io_read_vector(path, n, values, NULL, error);
    if (status == CRN_OK) {
        status = convert_basis(path, n, values, job->start, error);
    }
    free(values);
    return status;
}

crn_status solve_job_load(solve_job *job, const solve_request *request, const char *const *files, int file_count,
                          crn_error *error)
{
    *job = (solve_job){.name = files[0]};
    crn_status status = load_problem(job, request, files, file_count, error);
    if (status == CRN_OK && request->start != NULL) {
        status = load_start(job, request->start, error);
    }
    if (status != CRN_OK) {
        return status;
    }
    int n = job->data.problem.n;
    job->z = take(n, sizeof(double));
    job->basis = take(n, 1);
    if (job->z == NULL || job->basis == NULL || !cli_times_take(&job->times, request->repeat)) {
        return crn_fail(error, CRN_ERR_MEMORY, "%s: no memory for an answer of %d numbers", job->name, n);
    }
    return CRN_OK;
}

/* Tell a terminal what a long solve is at. */
static bool show_progress(void *user, crn_lcp_method method, int iterations, double seconds)
{
    if (seconds >= 1.0) {
        cli_progress_tell((cli_progress *)user, "%s: %d iterations, %.0f s", crn_lcp_method_name(method), iterations,
                          seconds);
    }
    return true;
}

crn_status solve_job_run(solve_job *job, const solve_request *request, crn_workspace *workspace, crn_error *error)
{
    crn_lcp_options options = request->options;
    options.start = job->start;
    crn_lcp_solution solution = {.z = job->z, .basis = job->basis};
    cli_progress bar = cli_progress_begin("solving", 0);
    options.progress = bar.is_shown && request->batch == NULL ? show_progress : NULL;
    options.progress_user = &bar;
    for (int k = 0; k < job->times.count; ++k) {
        crn_error reason = {.status = CRN_OK};
        options.trace = request->has_trace && k == 0 ? cli_pivots_keep : NULL;
        options.trace_user = &job->trace;
        crn_status status = crn_lcp_solve(&job->data.problem, &options, workspace, &solution, &job->result, &reason);
        cli_progress_clear(&bar);
        if (status != CRN_OK) {
            return crn_fail(error, status, "%s: %s", job->name, reason.text);
        }
        job->times.seconds[k] = job->result.seconds;
    }
    return CRN_OK;
}

void solve_job_free(solve_job *job)
{
    crn_lcp_data_free(&job->data);
    free(job->z);
    free(job->basis);
    free(job->start);
    cli_times_free(&job->times);
    cli_pivots_free(&job->trace);
    *job = (solve_job){.name = NULL};
}
