/* HDF5 files in memory: what FCLIB needs of them. HDF5 is included by hdf5.c alone; a build without it has hdf5_none.c.
 *
 * Paths are absolute: "/fclib_local/W/x". Only plain links are followed, so that a file cannot lead to other files.
 * Messages have the form "FILE: PATH: what is wrong". */
#ifndef CAIRN_IO_HDF5_H
#define CAIRN_IO_HDF5_H

#include "io/io_room.h"

/** A file in memory; the members are HDF5's business. */
typedef struct crn_hdf5 {
    int64_t file;
    const char *name;        /* for messages */
    size_t size;             /* bytes, of a file that was opened */
    void *handler, *handled; /* what HDF5 did with errors before; it is silent in between */
    bool is_silent;
} crn_hdf5;

/** Open the bytes of a file for reading. Close with crn_hdf5_close(), also after a failure. */
crn_status crn_hdf5_open(crn_hdf5 *hdf5, const crn_io_source *source, crn_error *error);

/** Begin a new file. Close with crn_hdf5_close(), also after a failure. */
crn_status crn_hdf5_create(crn_hdf5 *hdf5, const char *name, crn_error *error);

void crn_hdf5_close(crn_hdf5 *hdf5);

/* --- Reading --- */

bool crn_hdf5_has(const crn_hdf5 *hdf5, const char *path);

typedef enum crn_hdf5_type { CRN_HDF5_INT, CRN_HDF5_REAL } crn_hdf5_type;

/** How many numbers has this dataset? Fails if it is missing, of another type, not a list, or claims more than the file
 *  can hold. */
crn_status crn_hdf5_count(const crn_hdf5 *hdf5, const char *path, crn_hdf5_type type, size_t *count, crn_error *error);

/** Read a dataset of exactly count numbers, as crn_hdf5_count() told. */
crn_status crn_hdf5_ints(const crn_hdf5 *hdf5, const char *path, size_t count, int *values, crn_error *error);
crn_status crn_hdf5_reals(const crn_hdf5 *hdf5, const char *path, size_t count, double *values, crn_error *error);

/* --- Writing --- */

crn_status crn_hdf5_add_group(const crn_hdf5 *hdf5, const char *path, crn_error *error);
crn_status crn_hdf5_add_ints(const crn_hdf5 *hdf5, const char *path, size_t count, const int *values, crn_error *error);
crn_status crn_hdf5_add_reals(const crn_hdf5 *hdf5, const char *path, size_t count, const double *values,
                              crn_error *error);
crn_status crn_hdf5_add_string(const crn_hdf5 *hdf5, const char *path, const char *text, crn_error *error);

/** The bytes of the file so far; release with crn_release(). */
crn_status crn_hdf5_bytes(const crn_hdf5 *hdf5, const crn_allocator *allocator, void **bytes, size_t *size,
                          crn_error *error);

#endif
