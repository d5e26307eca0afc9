/* Block storage of Siconos matrices:
 *
 *     BLOCKS BLOCK_ROWS BLOCK_COLUMNS
 *     the last row of each block row, counted from 1; the same for columns
 *     FILLED1 FILLED2
 *     FILLED1 numbers: where each block row begins in the list of blocks (and, last, where the list ends)
 *     FILLED2 numbers: the block column of each block
 *     for each block: its number, then its values column by column */
#include "base/memory.h"
#include "io/siconos_matrix.h"
#include "io/triplets.h"

#include <limits.h>

/* The index part. All arrays lie in one piece of memory. */
typedef struct blocks {
    int count, rows, columns; /* blocks, block rows, block columns */
    int filled_rows;          /* FILLED1 - 1 */
    int *row_end, *column_end;
    int *first;  /* filled_rows + 1: first block of each block row */
    int *column; /* of each block */
    void *memory;
} blocks;

/* The five counts. They are spread over the index part, so this looks ahead over the two lists of ends. */
static crn_status read_counts(crn_io_text *text, int rows, int columns, blocks *b)
{
    crn_status status = crn_io_text_int(text, "blocks", 0, INT_MAX, &b->count);
    if (status == CRN_OK) {
        status = crn_io_text_int(text, "block rows", 0, rows, &b->rows);
    }
    if (status == CRN_OK) {
        status = crn_io_text_int(text, "block columns", 0, columns, &b->columns);
    }
    uint64_t words = 2 * (uint64_t)b->count + (uint64_t)b->rows + (uint64_t)b->columns;
    if (status == CRN_OK && !crn_io_text_could_hold(text, words, 1)) {
        status = crn_io_text_fail(text, text->line, NULL, "%d blocks claimed, but only %zu bytes follow", b->count,
                                  (size_t)(text->end - text->at));
    }
    return status;
}

static crn_status take_memory(crn_io_text *text, const crn_allocator *allocator, blocks *b)
{
    size_t rows = (size_t)b->rows, columns = (size_t)b->columns;
    size_t count = rows + columns + (rows + 1) + (size_t)b->count;
    crn_status status = crn_io_take(allocator, text->name, count, sizeof(int), &b->memory, text->error);
    if (status == CRN_OK) {
        b->row_end = b->memory;
        b->column_end = b->row_end + rows;
        b->first = b->column_end + columns;
        b->column = b->first + rows + 1;
    }
    return status;
}

/* count ends that increase up to n. */
static crn_status read_ends(crn_io_text *text, const char *field, int n, int count, int *ends)
{
    int last = 0;
    for (int i = 0; i < count; ++i) {
        crn_status status = crn_io_text_int(text, field, last, n, &ends[i]);
        if (status != CRN_OK) {
            return status;
        }
        last = ends[i];
    }
    if (last != n) {
        return crn_io_text_fail(text, text->line, field, "they end at %d instead of %d", last, n);
    }
    return CRN_OK;
}

/* FILLED1, FILLED2 and the two lists that follow. */
static crn_status read_lists(crn_io_text *text, blocks *b)
{
    int filled1 = 0, filled2 = 0;
    crn_status status = crn_io_text_int(text, "block row pointers", 1, b->rows + 1, &filled1);
    if (status == CRN_OK) {
        status = crn_io_text_int(text, "block column indices", b->count, b->count, &filled2);
    }
    b->filled_rows = filled1 - 1;
    int last = 0;
    for (int i = 0; i < filled1 && status == CRN_OK; ++i) {
        status = crn_io_text_int(text, "block row pointers", last, i == 0 ? 0 : b->count, &b->first[i]);
        last = b->first[i];
    }
    if (status == CRN_OK && last != b->count) {
        status =
            crn_io_text_fail(text, text->line, "block row pointers", "they end at %d instead of %d", last, b->count);
    }
    for (int k = 0; k < b->count && status == CRN_OK; ++k) {
        status = crn_io_text_int(text, "block column indices", 0, b->columns - 1, &b->column[k]);
    }
    return status;
}

/* Size of group k, from the list of ends. */
static int group_size(const int *ends, int k)
{
    return k == 0 ? ends[0] : ends[k] - ends[k - 1];
}

/* How many values all blocks hold together; at most INT_MAX, and no more than the text can hold. */
static crn_status count_values(const crn_io_text *text, const blocks *b, int *values)
{
    uint64_t sum = 0;
    for (int i = 0; i < b->filled_rows; ++i) {
        for (int k = b->first[i]; k < b->first[i + 1]; ++k) {
            sum += (uint64_t)group_size(b->row_end, i) * (uint64_t)group_size(b->column_end, b->column[k]);
            if (sum > INT_MAX || !crn_io_text_could_hold(text, sum, 1)) {
                return crn_io_text_fail(text, text->line, NULL, "more values claimed than the %zu bytes that follow",
                                        (size_t)(text->end - text->at));
            }
        }
    }
    *values = (int)sum;
    return CRN_OK;
}

/* One block: its number and its values. */
static crn_status read_block(crn_io_text *text, const blocks *b, int block_row, int k, crn_io_triplets *triplets)
{
    int number = 0;
    crn_status status = crn_io_text_int(text, "block number", k, k, &number);
    int rows = group_size(b->row_end, block_row), columns = group_size(b->column_end, b->column[k]);
    int first_row = b->row_end[block_row] - rows, first_column = b->column_end[b->column[k]] - columns;
    for (int j = 0; j < columns && status == CRN_OK; ++j) {
        for (int i = 0; i < rows && status == CRN_OK; ++i) {
            double value = 0.0;
            status = crn_io_text_real(text, NULL, CRN_IO_FINITE, &value);
            crn_io_triplets_add(triplets, first_row + i, first_column + j, value, text->line);
        }
    }
    return status;
}

static crn_status read_values(crn_io_text *text, const blocks *b, crn_io_triplets *triplets)
{
    crn_status status = CRN_OK;
    for (int i = 0; i < b->filled_rows; ++i) {
        for (int k = b->first[i]; k < b->first[i + 1] && status == CRN_OK; ++k) {
            status = read_block(text, b, i, k, triplets);
        }
    }
    return status;
}

/* The index part, once the counts are known. */
static crn_status read_index(crn_io_text *text, int rows, int columns, const crn_allocator *allocator, blocks *b)
{
    crn_status status = take_memory(text, allocator, b);
    if (status == CRN_OK) {
        status = read_ends(text, "block row ends", rows, b->rows, b->row_end);
    }
    if (status == CRN_OK) {
        status = read_ends(text, "block column ends", columns, b->columns, b->column_end);
    }
    if (status == CRN_OK) {
        status = read_lists(text, b);
    }
    return status;
}

crn_status crn_io_siconos_blocks(crn_io_text *text, int rows, int columns, const crn_allocator *allocator,
                                 crn_io_matrix *matrix)
{
    blocks b = {0};
    crn_io_triplets triplets = {0};
    int values = 0;
    crn_status status = read_counts(text, rows, columns, &b);
    if (status == CRN_OK) {
        status = read_index(text, rows, columns, allocator, &b);
    }
    if (status == CRN_OK) {
        status = count_values(text, &b, &values);
    }
    if (status == CRN_OK) {
        status = crn_io_triplets_take(&triplets, allocator, text->name, values, text->error);
    }
    if (status == CRN_OK) {
        status = read_values(text, &b, &triplets);
    }
    if (status == CRN_OK) {
        status = crn_io_triplets_compress(&triplets, rows, columns, CRN_IO_DUPLICATES_FAIL, text, allocator, matrix);
    }
    crn_io_triplets_free(&triplets, allocator);
    crn_release(allocator, b.memory);
    return status;
}
