/* A build without HDF5: no file opens, so nothing else is ever asked. */
#include "io/hdf5.h"

bool crn_io_has_fclib(void)
{
    return false;
}

static crn_status refuse(const char *name, crn_error *error)
{
    return crn_fail(error, CRN_ERR_UNSUPPORTED, "%s: this build of the library has no HDF5 (CAIRN_HDF5)", name);
}

crn_status crn_hdf5_open(crn_hdf5 *hdf5, const crn_io_source *source, crn_error *error)
{
    *hdf5 = (crn_hdf5){.file = -1, .name = source->name};
    return refuse(source->name, error);
}

crn_status crn_hdf5_create(crn_hdf5 *hdf5, const char *name, crn_error *error)
{
    *hdf5 = (crn_hdf5){.file = -1, .name = name};
    return refuse(name, error);
}

void crn_hdf5_close(crn_hdf5 *hdf5)
{
    *hdf5 = (crn_hdf5){.file = -1};
}

bool crn_hdf5_has(const crn_hdf5 *hdf5, const char *path)
{
    (void)hdf5;
    (void)path;
    return false;
}

crn_status crn_hdf5_count(const crn_hdf5 *hdf5, const char *path, crn_hdf5_type type, size_t *count, crn_error *error)
{
    (void)path;
    (void)type;
    *count = 0;
    return refuse(hdf5->name, error);
}

crn_status crn_hdf5_ints(const crn_hdf5 *hdf5, const char *path, size_t count, int *values, crn_error *error)
{
    (void)path;
    (void)count;
    (void)values;
    return refuse(hdf5->name, error);
}

crn_status crn_hdf5_reals(const crn_hdf5 *hdf5, const char *path, size_t count, double *values, crn_error *error)
{
    (void)path;
    (void)count;
    (void)values;
    return refuse(hdf5->name, error);
}

crn_status crn_hdf5_add_group(const crn_hdf5 *hdf5, const char *path, crn_error *error)
{
    (void)path;
    return refuse(hdf5->name, error);
}

crn_status crn_hdf5_add_ints(const crn_hdf5 *hdf5, const char *path, size_t count, const int *values, crn_error *error)
{
    (void)path;
    (void)count;
    (void)values;
    return refuse(hdf5->name, error);
}

crn_status crn_hdf5_add_reals(const crn_hdf5 *hdf5, const char *path, size_t count, const double *values,
                              crn_error *error)
{
    (void)path;
    (void)count;
    (void)values;
    return refuse(hdf5->name, error);
}

crn_status crn_hdf5_add_string(const crn_hdf5 *hdf5, const char *path, const char *text, crn_error *error)
{
    (void)path;
    (void)text;
    return refuse(hdf5->name, error);
}

crn_status crn_hdf5_bytes(const crn_hdf5 *hdf5, const crn_allocator *allocator, void **bytes, size_t *size,
                          crn_error *error)
{
    (void)allocator;
    *bytes = NULL;
    *size = 0;
    return refuse(hdf5->name, error);
}
