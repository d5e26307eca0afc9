/* A matrix on its way from a file to a problem. */
#include "io/matrix.h"

#include "base/memory.h"

#include <limits.h>

crn_status crn_io_matrix_take(crn_io_matrix *matrix, int rows, int columns, int count, const crn_allocator *allocator,
                              const char *name, crn_error *error)
{
    *matrix = (crn_io_matrix){.rows = rows, .columns = columns};
    void *start = NULL, *row = NULL, *value = NULL;
    crn_status status = crn_io_take(allocator, name, (size_t)columns + 1, sizeof(int), &start, error);
    if (status == CRN_OK) {
        status = crn_io_take(allocator, name, (size_t)count, sizeof(int), &row, error);
    }
    if (status == CRN_OK) {
        status = crn_io_take(allocator, name, (size_t)count, sizeof(double), &value, error);
    }
    matrix->start = start;
    matrix->row = row;
    matrix->value = value;
    return status;
}

/* How many entries of a dense matrix are not 0? */
static size_t count_entries(const crn_io_matrix *dense)
{
    size_t size = (size_t)dense->rows * (size_t)dense->columns, count = 0;
    for (size_t i = 0; i < size; ++i) {
        count += dense->dense[i] != 0.0;
    }
    return count;
}

crn_status crn_io_matrix_compress(crn_io_matrix *matrix, const crn_allocator *allocator, const char *name,
                                  crn_error *error)
{
    if (matrix->dense == NULL) {
        return CRN_OK;
    }
    size_t count = count_entries(matrix);
    if (count > INT_MAX) {
        return crn_fail(error, CRN_ERR_UNSUPPORTED, "%s: a matrix with %zu entries is too large", name, count);
    }
    crn_io_matrix sparse;
    crn_status status = crn_io_matrix_take(&sparse, matrix->rows, matrix->columns, (int)count, allocator, name, error);
    if (status != CRN_OK) {
        crn_io_matrix_free(&sparse, allocator);
        return status;
    }
    int size = 0;
    const double *value = matrix->dense;
    for (int j = 0; j < matrix->columns; ++j) {
        sparse.start[j] = size;
        for (int i = 0; i < matrix->rows; ++i, ++value) {
            if (*value != 0.0) {
                sparse.row[size] = i;
                sparse.value[size++] = *value;
            }
        }
    }
    sparse.start[matrix->columns] = size;
    crn_io_matrix_free(matrix, allocator);
    *matrix = sparse;
    return CRN_OK;
}

void crn_io_matrix_free(crn_io_matrix *matrix, const crn_allocator *allocator)
{
    crn_release(allocator, matrix->dense);
    crn_release(allocator, matrix->start);
    crn_release(allocator, matrix->row);
    crn_release(allocator, matrix->value);
    *matrix = (crn_io_matrix){0};
}

void crn_io_adopt(crn_lcp_data *data, crn_io_matrix *matrix)
{
    bool is_dense = matrix->dense != NULL;
    data->storage[CRN_IO_SLOT_START] = is_dense ? (void *)matrix->dense : (void *)matrix->start;
    data->storage[CRN_IO_SLOT_ROW] = matrix->row;
    data->storage[CRN_IO_SLOT_VALUE] = matrix->value;
    data->problem.n = matrix->columns;
    data->problem.M = matrix->dense;
    data->problem.ld = is_dense && matrix->rows > 0 ? matrix->rows : is_dense ? 1 : 0;
    data->problem.start = matrix->start;
    data->problem.row = matrix->row;
    data->problem.value = matrix->value;
    *matrix = (crn_io_matrix){0};
}
