/* Entries of a sparse matrix in the order of a file, and their way into compressed columns. */
#include "io/triplets.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

crn_status crn_io_triplets_take(crn_io_triplets *triplets, const crn_allocator *allocator, const char *name,
                                int capacity, crn_error *error)
{
    *triplets = (crn_io_triplets){.capacity = capacity};
    int **indices[3] = {&triplets->row, &triplets->column, &triplets->line};
    void *block = NULL;
    for (int i = 0; i < 3; ++i) {
        crn_status status = crn_io_take(allocator, name, (size_t)capacity, sizeof(int), &block, error);
        if (status != CRN_OK) {
            return status;
        }
        *indices[i] = block;
    }
    crn_status status = crn_io_take(allocator, name, (size_t)capacity, sizeof(double), &block, error);
    triplets->value = block;
    return status;
}

void crn_io_triplets_free(crn_io_triplets *triplets, const crn_allocator *allocator)
{
    crn_release(allocator, triplets->row);
    crn_release(allocator, triplets->column);
    crn_release(allocator, triplets->line);
    crn_release(allocator, triplets->value);
    *triplets = (crn_io_triplets){0};
}

void crn_io_triplets_add(crn_io_triplets *triplets, int row, int column, double value, int line)
{
    int k = triplets->count++;
    triplets->row[k] = row;
    triplets->column[k] = column;
    triplets->value[k] = value;
    triplets->line[k] = line;
}

/* Stable counting sort of the entries `from` (NULL: 0, 1, 2, ...) by key into `to`; position is scratch of n+1. */
static void sort_by(const int *key, int count, int n, const int *from, int *to, int *position)
{
    memset(position, 0, ((size_t)n + 1) * sizeof(int));
    for (int k = 0; k < count; ++k) {
        ++position[key[k] + 1];
    }
    for (int i = 0; i < n; ++i) {
        position[i + 1] += position[i];
    }
    for (int k = 0; k < count; ++k) {
        int entry = from != NULL ? from[k] : k;
        to[position[key[entry]]++] = entry;
    }
}

/* Write the entries, sorted by column and then row, into start, row and value. */
static crn_status fill(const crn_io_triplets *t, const int *order, int n, crn_io_duplicates duplicates,
                       const crn_io_text *text, int *start, int *row, double *value)
{
    int size = 0, k = 0;
    start[0] = 0;
    for (int j = 0; j < n; ++j) {
        while (k < t->count && t->column[order[k]] == j) {
            int i = t->row[order[k]];
            double sum = t->value[order[k++]];
            /* All further entries of the same place. */
            while (k < t->count && t->column[order[k]] == j && t->row[order[k]] == i) {
                if (duplicates == CRN_IO_DUPLICATES_FAIL) {
                    return crn_io_text_fail(text, t->line[order[k]], "entry", "(%d, %d) is given twice", i + 1, j + 1);
                }
                sum += t->value[order[k++]];
            }
            if (!isfinite(sum)) {
                return crn_io_text_fail(text, t->line[order[k - 1]], "entry", "the sum at (%d, %d) is not finite",
                                        i + 1, j + 1);
            }
            if (sum != 0.0) {
                row[size] = i;
                value[size++] = sum;
            }
        }
        start[j + 1] = size;
    }
    return CRN_OK;
}

crn_status crn_io_triplets_compress(const crn_io_triplets *triplets, int rows, int columns,
                                    crn_io_duplicates duplicates, const crn_io_text *text,
                                    const crn_allocator *allocator, crn_io_matrix *matrix)
{
    crn_status status = crn_io_matrix_take(matrix, rows, columns, triplets->count, allocator, text->name, text->error);
    if (status != CRN_OK) {
        return status;
    }

    /* Scratch: two orders of the entries and the positions of the sort. */
    size_t count = (size_t)triplets->count, longest = (size_t)(rows > columns ? rows : columns);
    void *scratch = NULL;
    status = crn_io_take(allocator, text->name, 2 * count + longest + 1, sizeof(int), &scratch, text->error);
    if (status != CRN_OK) {
        return status;
    }
    int *by_row = scratch, *by_column = by_row + count, *position = by_column + count;

    /* Sorting by row and then, stably, by column orders the rows within each column. */
    sort_by(triplets->row, triplets->count, rows, NULL, by_row, position);
    sort_by(triplets->column, triplets->count, columns, by_row, by_column, position);
    status = fill(triplets, by_column, columns, duplicates, text, matrix->start, matrix->row, matrix->value);
    crn_release(allocator, scratch);
    return status;
}
