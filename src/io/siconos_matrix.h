/* The matrix block of Siconos files, in its three storages. */
#ifndef CAIRN_IO_SICONOS_MATRIX_H
#define CAIRN_IO_SICONOS_MATRIX_H

#include "io/matrix.h"
#include "text/text.h"

/** What is known of a matrix before it is read. */
typedef struct crn_io_shape {
    const char *name;  /* for messages */
    int rows, columns; /* both -1: square, of an order that the file tells */
} crn_io_shape;

/** Read a matrix block: storage 0 becomes dense, 1 and 2 compressed columns. Release matrix with crn_io_matrix_free(),
 *  also after a failure. */
crn_status crn_io_siconos_matrix(crn_io_text *text, crn_io_shape shape, const crn_allocator *allocator,
                                 crn_io_matrix *matrix);

/** Read the square matrix M of order n into data's problem. */
crn_status crn_io_siconos_M(crn_io_text *text, int n, crn_lcp_data *data);

/** Storage 1: blocks with values column by column, in block rows (siconos_blocks.c). The sizes have been read. */
crn_status crn_io_siconos_blocks(crn_io_text *text, int rows, int columns, const crn_allocator *allocator,
                                 crn_io_matrix *matrix);

/** Storage 2: what CSparse prints, entry by entry or column by column (siconos_csparse.c). The sizes have been read. */
crn_status crn_io_siconos_csparse(crn_io_text *text, int rows, int columns, const crn_allocator *allocator,
                                  crn_io_matrix *matrix);

#endif
