/* Writing a problem that was not solved, so that the solve can be replayed. */
#include "solve_dump.h"

#include "folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static crn_status write_vector(const char *folder, const char *name, int n, const double *values, crn_error *error)
{
    char path[CLI_PATH_SIZE];
    return values != NULL ? crn_io_write_vector(cli_folder_path(folder, name, path), n, values, error) : CRN_OK;
}

/* The basis to start from as a vector. */
static crn_status write_start(const char *folder, int n, const unsigned char *start, crn_error *error)
{
    if (start == NULL) {
        return CRN_OK;
    }
    double *values = malloc(((size_t)n + 1) * sizeof(double));
    if (values == NULL) {
        return crn_fail(error, CRN_ERR_MEMORY, "%s: no memory for %d entries", folder, n);
    }
    for (int i = 0; i < n; ++i) {
        values[i] = start[i];
    }
    crn_status status = write_vector(folder, "start.mtx", n, values, error);
    free(values);
    return status;
}

/* A space and folder/name, quoted for the shell. */
static void write_path(FILE *file, const char *folder, const char *name)
{
    fputs(" '", file);
    for (const char *c = folder; *c != '\0'; ++c) {
        if (*c == '\'') {
            fputs("'\\''", file);
        } else {
            fputc(*c, file);
        }
    }
    fprintf(file, "/%s'", name);
}

/* The command line that replays the solve. */
static void write_command(FILE *file, const char *folder, const solve_job *job, const crn_lcp_options *o)
{
    fprintf(file, "# outcome: %s\ncairn solve", crn_lcp_outcome_name(job->result.outcome));
    write_path(file, folder, "M.mtx");
    write_path(file, folder, "q.mtx");
    if (job->data.problem.lower != NULL) {
        fputs(" --lower", file);
        write_path(file, folder, "lower.mtx");
    }
    if (job->data.problem.upper != NULL) {
        fputs(" --upper", file);
        write_path(file, folder, "upper.mtx");
    }
    if (job->start != NULL) {
        fputs(" --start", file);
        write_path(file, folder, "start.mtx");
    }
    fprintf(file, " --method %s --variant %s --tol %.17g --tie %.17g --epsilon %.17g --error-max %.17g --omega %.17g",
            crn_lcp_method_name(o->method), solve_variant_name(o->variant), o->tol, o->tie_width, o->epsilon,
            o->error_max, o->relaxation);
    fprintf(file, " --max-pivots %d --seed %llu --time-limit %.17g\n", o->max_pivots, (unsigned long long)o->seed,
            o->time_limit);
}

static crn_status write_options(const char *folder, const solve_job *job, const crn_lcp_options *options,
                                crn_error *error)
{
    char path[CLI_PATH_SIZE];
    crn_io_output output;
    crn_status status = crn_io_output_open(&output, cli_folder_path(folder, "options.txt", path), error);
    if (status == CRN_OK) {
        write_command(output.file, folder, job, options);
        status = crn_io_output_close(&output, CRN_OK, error);
    }
    return status;
}

crn_status solve_dump(const char *folder, const solve_job *job, const solve_request *request, crn_error *error)
{
    char path[CLI_PATH_SIZE];
    const crn_lcp_problem *problem = &job->data.problem;
    if (strlen(folder) + sizeof "/options.txt" > CLI_PATH_SIZE) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "--dump: the path is too long");
    }
    crn_status status = cli_folder_make(folder, error);
    if (status == CRN_OK) {
        status = crn_io_write_matrix(cli_folder_path(folder, "M.mtx", path), problem, error);
    }
    if (status == CRN_OK) {
        status = write_vector(folder, "q.mtx", problem->n, problem->q, error);
    }
    if (status == CRN_OK) {
        status = write_vector(folder, "lower.mtx", problem->n, problem->lower, error);
    }
    if (status == CRN_OK) {
        status = write_vector(folder, "upper.mtx", problem->n, problem->upper, error);
    }
    if (status == CRN_OK) {
        status = write_start(folder, problem->n, job->start, error);
    }
    if (status == CRN_OK) {
        status = write_options(folder, job, &request->options, error);
    }
    return status;
}
