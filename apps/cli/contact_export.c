/* Writing a contact problem in other formats. */
#include "contact_job.h"
#include "folder.h"

#include <math.h>
#include <stdlib.h>

/* The assembled LCP as M.mtx and q.mtx, lower.mtx if some variables are free, and upper.mtx if rows have bounds. */
static crn_status export_lcp(const contact_job *job, const char *folder, crn_workspace *workspace, crn_error *error)
{
    const crn_contact_problem *problem = &job->data.problem;
    int n = crn_contact_lcp_size(problem);
    size_t size = n > 0 ? (size_t)n : 1;
    double *M = calloc(size, size * sizeof(double)), *q = calloc(size, sizeof(double)),
           *lower = calloc(size, sizeof(double)), *upper = calloc(size, sizeof(double));
    bool has_upper = false;
    char path[CLI_PATH_SIZE];
    crn_status status = n < 0 || M == NULL || q == NULL || lower == NULL || upper == NULL
                            ? crn_fail(error, CRN_ERR_MEMORY, "%s: no memory for an LCP of order %d", job->name, n)
                            : crn_contact_assemble(problem, workspace, M, q, lower, error);
    if (status == CRN_OK) {
        status = crn_contact_lcp_bounds(problem, NULL, upper, error);
    }
    for (int i = 0; status == CRN_OK && upper != NULL && i < n; ++i) {
        has_upper = has_upper || isfinite(upper[i]);
    }
    if (status == CRN_OK) {
        status = cli_folder_make(folder, error);
    }
    if (status == CRN_OK) {
        crn_lcp_problem lcp = {.n = n, .M = M, .ld = (int)size, .q = q};
        status = crn_io_write_matrix(cli_folder_path(folder, "M.mtx", path), &lcp, error);
    }
    if (status == CRN_OK) {
        status = crn_io_write_vector(cli_folder_path(folder, "q.mtx", path), n, q, error);
    }
    if (status == CRN_OK && problem->rows > 0) {
        status = crn_io_write_vector(cli_folder_path(folder, "lower.mtx", path), n, lower, error);
    }
    if (status == CRN_OK && has_upper) {
        status = crn_io_write_vector(cli_folder_path(folder, "upper.mtx", path), n, upper, error);
    }
    free(M);
    free(q);
    free(lower);
    free(upper);
    return status;
}

/* An FCLIB file: friction files as they are, contacts as a global problem; both made local if that is wanted. */
static crn_status export_fclib(const contact_job *job, const contact_request *request, crn_error *error)
{
    crn_cone_data global = {.problem = {.dof = 0}}, local = {.problem = {.dof = 0}};
    const crn_cone_problem *problem = &job->cone.problem;
    crn_status status = CRN_OK;
    if (!job->is_cone) {
        status = crn_io_contact_to_cone(&job->data.problem, NULL, &global, error);
        problem = &global.problem;
    }
    if (status == CRN_OK && request->is_local_export && problem->form == CRN_CONE_GLOBAL) {
        status = crn_io_cone_to_local(problem, NULL, &local, error);
        problem = &local.problem;
    }
    if (status == CRN_OK) {
        status = crn_io_write_fclib(request->export_fclib, problem, job->name, NULL, error);
    }
    crn_cone_data_free(&global);
    crn_cone_data_free(&local);
    return status;
}

crn_status contact_job_export(const contact_job *job, const contact_request *request, crn_workspace *workspace,
                              crn_error *error)
{
    crn_status status = CRN_OK;
    if (request->export_json != NULL) {
        status = crn_io_write_contact_json(request->export_json, &job->data, NULL, error);
    }
    if (status == CRN_OK && request->export_fclib != NULL) {
        status = export_fclib(job, request, error);
    }
    if (status == CRN_OK && request->export_lcp != NULL) {
        status = export_lcp(job, request->export_lcp, workspace, error);
    }
    return status;
}
