/* The matrix block of Siconos files:
 *
 *     STORAGE ROWS COLUMNS, then
 *     0 dense:  ROWS COLUMNS again, then the values column by column (although the line breaks suggest rows)
 *     1 blocks: see siconos_blocks.c
 *     2 sparse: see siconos_csparse.c */
#include "io/siconos_matrix.h"

#include <limits.h>

/* ROWS COLUMNS, which must be as in shape; an order that is not known yet is learned. */
static crn_status read_order(crn_io_text *text, crn_io_shape *shape)
{
    int rows = 0, columns = 0;
    crn_status status = crn_io_text_int(text, "rows", 0, INT_MAX, &rows);
    if (status == CRN_OK) {
        status = crn_io_text_int(text, "columns", 0, INT_MAX, &columns);
    }
    if (status == CRN_OK && shape->rows == shape->columns && rows != columns) {
        status = crn_io_text_fail(text, text->line, NULL, "not square: %d rows and %d columns", rows, columns);
    }
    /* A vector of a length that is learned here follows. */
    bool is_new = status == CRN_OK && shape->rows < 0;
    if (is_new && !crn_io_text_could_hold(text, (uint64_t)rows, 1)) {
        status = crn_io_text_fail(text, text->line, NULL, "%d x %d claimed, but only %zu bytes follow", rows, columns,
                                  (size_t)(text->end - text->at));
    }
    if (is_new) {
        shape->rows = shape->columns = rows;
    }
    if (status == CRN_OK && (rows != shape->rows || columns != shape->columns)) {
        status = crn_io_text_fail(text, text->line, NULL, "%d x %d, but %d x %d is needed", rows, columns, shape->rows,
                                  shape->columns);
    }
    return status;
}

static crn_status read_dense(crn_io_text *text, crn_io_shape *shape, const crn_allocator *allocator,
                             crn_io_matrix *matrix)
{
    crn_status status = read_order(text, shape);
    if (status != CRN_OK) {
        return status;
    }
    int rows = shape->rows, columns = shape->columns;
    uint64_t count = (uint64_t)rows * (uint64_t)columns;
    if (!crn_io_text_could_hold(text, count, 1)) {
        return crn_io_text_fail(text, text->line, NULL, "%d x %d values claimed, but only %zu bytes follow", rows,
                                columns, (size_t)(text->end - text->at));
    }
    void *values = NULL;
    status = crn_io_take(allocator, text->name, (size_t)count, sizeof(double), &values, text->error);
    *matrix = (crn_io_matrix){.rows = rows, .columns = columns, .dense = values};
    return status == CRN_OK ? crn_io_text_reals(text, NULL, CRN_IO_FINITE, (size_t)count, values) : status;
}

crn_status crn_io_siconos_matrix(crn_io_text *text, crn_io_shape shape, const crn_allocator *allocator,
                                 crn_io_matrix *matrix)
{
    *matrix = (crn_io_matrix){0};
    text->owner = shape.name;
    int storage = 0;
    crn_status status = crn_io_text_int(text, "storage", 0, 2, &storage);
    if (status == CRN_OK) {
        status = read_order(text, &shape);
    }
    if (status == CRN_OK) {
        switch (storage) {
        case 0: status = read_dense(text, &shape, allocator, matrix); break;
        case 1: status = crn_io_siconos_blocks(text, shape.rows, shape.columns, allocator, matrix); break;
        default: status = crn_io_siconos_csparse(text, shape.rows, shape.columns, allocator, matrix); break;
        }
    }
    text->owner = NULL;
    return status;
}

crn_status crn_io_siconos_M(crn_io_text *text, int n, crn_lcp_data *data)
{
    crn_io_matrix matrix;
    crn_io_shape shape = {.name = "M", .rows = n, .columns = n};
    crn_status status = crn_io_siconos_matrix(text, shape, &data->allocator, &matrix);
    crn_io_adopt(data, &matrix);
    return status;
}
