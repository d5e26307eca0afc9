/* Writing Matrix Market files with 17 digits, so that reading them gives the same bits. */
#include "io/io_room.h"
#include "text/number.h"

static void write_value(FILE *file, double value)
{
    char text[CRN_IO_NUMBER_SIZE];
    crn_io_number_write(value, text);
    fprintf(file, "%s\n", text);
}

static void write_dense(FILE *file, const crn_lcp_problem *problem)
{
    fprintf(file, "%%%%MatrixMarket matrix array real general\n%d %d\n", problem->n, problem->n);
    for (int j = 0; j < problem->n; ++j) {
        for (int i = 0; i < problem->n; ++i) {
            write_value(file, problem->M[(size_t)i + (size_t)j * (size_t)problem->ld]);
        }
    }
}

static void write_sparse(FILE *file, const crn_lcp_problem *problem)
{
    bool is_empty = problem->start == NULL; /* only allowed if n is 0 */
    fprintf(file, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n", problem->n, problem->n,
            is_empty ? 0 : problem->start[problem->n]);
    for (int j = 0; j < problem->n && !is_empty; ++j) {
        for (int k = problem->start[j]; k < problem->start[j + 1]; ++k) {
            fprintf(file, "%d %d ", problem->row[k] + 1, j + 1);
            write_value(file, problem->value[k]);
        }
    }
}

crn_status crn_io_write_matrix(const char *path, const crn_lcp_problem *problem, crn_error *error)
{
    if (path == NULL || problem == NULL || problem->n < 0 ||
        (problem->n > 0 && problem->M == NULL && problem->start == NULL)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "path, problem or M: NULL or of negative order");
    }
    crn_io_output d;
    crn_status status = crn_io_output_open(&d, path, error);
    if (status != CRN_OK) {
        return status;
    }
    if (problem->M != NULL) {
        write_dense(d.file, problem);
    } else {
        write_sparse(d.file, problem);
    }
    return crn_io_output_close(&d, CRN_OK, error);
}

crn_status crn_io_write_vector(const char *path, int n, const double *values, crn_error *error)
{
    if (path == NULL || n < 0 || (n > 0 && values == NULL)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "path, n or values: NULL or negative");
    }
    crn_io_output d;
    crn_status status = crn_io_output_open(&d, path, error);
    if (status != CRN_OK) {
        return status;
    }
    fprintf(d.file, "%%%%MatrixMarket matrix array real general\n%d 1\n", n);
    for (int i = 0; i < n; ++i) {
        write_value(d.file, values[i]);
    }
    return crn_io_output_close(&d, CRN_OK, error);
}
