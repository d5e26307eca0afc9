/* cairn solve -- one linear complementarity problem, or a list of them. */
#include "cli.h"
#include "numpy.h"
#include "solve_batch.h"
#include "solve_dump.h"
#include "solve_forms.h"
#include "solve_job.h"
#include "solve_report.h"
#include "solve_request.h"

#include <stdlib.h>

/* The basis as a vector that --start can read. */
static crn_status write_basis(const char *path, const solve_job *job, crn_error *error)
{
    int n = job->data.problem.n;
    double *values = malloc(((size_t)n + 1) * sizeof(double));
    if (values == NULL) {
        return crn_fail(error, CRN_ERR_MEMORY, "%s: no memory for %d entries", path, n);
    }
    for (int i = 0; i < n; ++i) {
        values[i] = job->basis[i];
    }
    crn_status status = crn_io_write_vector(path, n, values, error);
    free(values);
    return status;
}

/* The files that were asked for: the answer if there is one, else the dump. */
static crn_status write_files(const solve_job *job, const solve_request *request, crn_error *error)
{
    if (job->result.outcome != CRN_LCP_SOLVED) {
        return request->dump != NULL ? solve_dump(request->dump, job, request, error) : CRN_OK;
    }
    crn_status status = CRN_OK;
    if (request->output != NULL) {
        status = numpy_write_vector(request->output, job->data.problem.n, job->z, error);
    }
    if (status == CRN_OK && request->basis_output != NULL) {
        status = write_basis(request->basis_output, job, error);
    }
    return status;
}

static int solve_one(const solve_request *request)
{
    solve_job job;
    crn_workspace workspace = {.data = NULL};
    crn_error error = {.status = CRN_OK};
    crn_status status = solve_job_load(&job, request, request->files, request->file_count, &error);
    if (status == CRN_OK) {
        status = solve_job_run(&job, request, &workspace, &error);
    }
    if (status == CRN_OK) {
        status = write_files(&job, request, &error);
    }
    int code = CLI_BAD;
    if (status != CRN_OK) {
        (void)cli_fail("%s", error.text);
    } else {
        bool is_solved = job.result.outcome == CRN_LCP_SOLVED;
        const char *dump = is_solved ? NULL : request->dump;
        if (request->is_json) {
            solve_report_json(&job, request, dump);
        } else {
            solve_report_text(&job, request, dump);
        }
        code = is_solved ? CLI_DONE : CLI_NO;
    }
    solve_job_free(&job);
    crn_workspace_free(&workspace);
    return code;
}

int solve_run(int argc, char **argv)
{
    solve_request request;
    if (!solve_request_read(&request, argc, argv)) {
        return CLI_BAD;
    }
    if (request.is_game) {
        return solve_game(&request);
    }
    if (request.is_qp) {
        return solve_qp(&request);
    }
    return request.batch != NULL ? solve_batch(&request) : solve_one(&request);
}
