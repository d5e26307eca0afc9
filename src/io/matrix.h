/* A matrix on its way from a file to a problem: dense, or in compressed columns. */
#ifndef CAIRN_IO_MATRIX_H
#define CAIRN_IO_MATRIX_H

#include "io/io_room.h"

typedef struct crn_io_matrix {
    int rows, columns;
    double *dense;    /* column by column; NULL: compressed */
    int *start, *row; /* column j is entries start[j] .. start[j+1]-1, rows increasing */
    double *value;
} crn_io_matrix;

/** Room for a matrix with count entries in compressed columns; nothing is written yet. name is the file to blame. */
crn_status crn_io_matrix_take(crn_io_matrix *matrix, int rows, int columns, int count, const crn_allocator *allocator,
                              const char *name, crn_error *error);

/** Turn a dense matrix into compressed columns without zeros. One that is compressed already stays as it is. */
crn_status crn_io_matrix_compress(crn_io_matrix *matrix, const crn_allocator *allocator, const char *name,
                                  crn_error *error);

/** Release the arrays; matrix is empty afterwards. */
void crn_io_matrix_free(crn_io_matrix *matrix, const crn_allocator *allocator);

/** Hand the arrays of a square matrix over to data, whose problem gets them; matrix is empty afterwards. */
void crn_io_adopt(crn_lcp_data *data, crn_io_matrix *matrix);

#endif
