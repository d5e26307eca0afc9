/* The matrix block of Siconos files:
 *
 *     STORAGE ROWS COLUMNS, then
 *     0 dense:  ROWS COLUMNS again, then the values column by column (although the line breaks suggest rows)
 *     1 blocks: see siconos_blocks.c
 *     2 sparse: see siconos_csparse.c */
#include "io/siconos_matrix.h"

#include <limits.h>

/* ROWS COLUMNS, which must be n and n. */
static crn_status read_order(crn_io_text *text, int n)
{
    int rows = 0, columns = 0;
    crn_status status = crn_io_text_int(text, "rows of M", 0, INT_MAX, &rows);
    if (status == CRN_OK) {
        status = crn_io_text_int(text, "columns of M", 0, INT_MAX, &columns);
    }
    if (status == CRN_OK && rows != columns) {
        status = crn_io_text_fail(text, text->line, "M", "not square: %d rows and %d columns", rows, columns);
    }
    if (status == CRN_OK && rows != n) {
        status = crn_io_text_fail(text, text->line, "M", "%d x %d, but the problem has %d variables", rows, columns, n);
    }
    return status;
}

static crn_status read_dense(crn_io_text *text, int n, crn_lcp_data *data)
{
    crn_status status = read_order(text, n);
    if (status != CRN_OK) {
        return status;
    }
    uint64_t count = (uint64_t)n * (uint64_t)n;
    if (!crn_io_text_could_hold(text, count, 1)) {
        return crn_io_text_fail(text, text->line, "M", "%d x %d values claimed, but only %zu bytes follow", n, n,
                                (size_t)(text->end - text->at));
    }
    double *M = NULL;
    status = crn_io_take_reals(data, CRN_IO_SLOT_M, text->name, (size_t)count, &M, text->error);
    if (status == CRN_OK) {
        status = crn_io_text_reals(text, "M", CRN_IO_FINITE, (size_t)count, M);
    }
    data->problem.n = n;
    data->problem.ld = n > 0 ? n : 1;
    data->problem.M = M;
    return status;
}

crn_status crn_io_siconos_matrix(crn_io_text *text, int n, crn_lcp_data *data)
{
    int storage = 0;
    crn_status status = crn_io_text_int(text, "storage of M", 0, 2, &storage);
    if (status == CRN_OK) {
        status = read_order(text, n);
    }
    if (status != CRN_OK) {
        return status;
    }
    switch (storage) {
    case 0: return read_dense(text, n, data);
    case 1: return crn_io_siconos_blocks(text, n, data);
    default: return crn_io_siconos_csparse(text, n, data);
    }
}
