/* Entries of a sparse matrix in the order of a file, and their way into compressed columns. */
#ifndef CAIRN_IO_TRIPLETS_H
#define CAIRN_IO_TRIPLETS_H

#include "io/matrix.h"
#include "text/text.h"

typedef struct crn_io_triplets {
    int count, capacity;
    int *row, *column, *line; /* 0-based; line of the file, for messages */
    double *value;
} crn_io_triplets;

/** What an entry given twice means. */
typedef enum crn_io_duplicates { CRN_IO_DUPLICATES_FAIL, CRN_IO_DUPLICATES_ADD } crn_io_duplicates;

/** Room for capacity entries; release with crn_io_triplets_free(), also after a failure. */
crn_status crn_io_triplets_take(crn_io_triplets *triplets, const crn_allocator *allocator, const char *name,
                                int capacity, crn_error *error);
void crn_io_triplets_free(crn_io_triplets *triplets, const crn_allocator *allocator);

/** Append an entry; there must be room. */
void crn_io_triplets_add(crn_io_triplets *triplets, int row, int column, double value, int line);

/** The rows x columns matrix with these entries in compressed columns: rows increase within a column and zeros are left
 *  out. text is for messages. Release matrix with crn_io_matrix_free(), also after a failure. */
crn_status crn_io_triplets_compress(const crn_io_triplets *triplets, int rows, int columns,
                                    crn_io_duplicates duplicates, const crn_io_text *text,
                                    const crn_allocator *allocator, crn_io_matrix *matrix);

#endif
