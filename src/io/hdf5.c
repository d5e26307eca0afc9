/* HDF5 files in memory. This is the only file that knows HDF5. */
#include "io/hdf5.h"

#include "base/memory.h"

#include <hdf5.h>

#include <limits.h>
#include <string.h>

/* Longest path of a dataset. */
enum { LONGEST_PATH = 200 };

/* A compressed dataset may be this many times as large as the file. More is a lie, or made to fill our memory. */
enum { MOST_EXPANSION = 256 };

/* Memory of a file under work grows by this many bytes. */
enum { INCREMENT = 1 << 16 };

/* Name of every file in memory. HDF5 refuses one that is there on disk; below a device nothing ever is. */
static const char no_file[] = "/dev/null/memory";

bool crn_io_has_fclib(void)
{
    return true;
}

static crn_status fail(const crn_hdf5 *hdf5, const char *path, const char *what, crn_error *error)
{
    return crn_fail(error, CRN_ERR_FORMAT, "%s: %s: %s", hdf5->name, path, what);
}

/* --- Files --- */

/* Nothing is printed from here to crn_hdf5_close(). */
static void silence(crn_hdf5 *hdf5)
{
    H5E_auto2_t handler = NULL;
    (void)H5Eget_auto2(H5E_DEFAULT, &handler, &hdf5->handled);
    memcpy(&hdf5->handler, &handler, sizeof handler);
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    hdf5->is_silent = true;
}

/* Access to a file that lives in memory only; bytes is what it begins with, or NULL. */
static hid_t memory_access(const crn_io_source *source)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    bool is_good = access >= 0 && H5Pset_fapl_core(access, INCREMENT, false) >= 0;
    if (is_good && source != NULL) {
        is_good = H5Pset_file_image(access, (void *)(uintptr_t)source->text, source->size) >= 0;
    }
    if (!is_good) {
        (void)H5Pclose(access);
        return -1;
    }
    return access;
}

crn_status crn_hdf5_open(crn_hdf5 *hdf5, const crn_io_source *source, crn_error *error)
{
    static const char signature[] = "\211HDF\r\n\032\n";
    *hdf5 = (crn_hdf5){.file = -1, .name = source->name, .size = source->size};
    if (source->size < sizeof signature - 1 || memcmp(source->text, signature, sizeof signature - 1) != 0) {
        return crn_fail(error, CRN_ERR_FORMAT, "%s: not an HDF5 file", source->name);
    }
    silence(hdf5);
    hid_t access = memory_access(source);
    hdf5->file = access >= 0 ? H5Fopen(no_file, H5F_ACC_RDONLY, access) : -1;
    (void)H5Pclose(access);
    if (hdf5->file < 0) {
        return crn_fail(error, CRN_ERR_FORMAT, "%s: a damaged or truncated HDF5 file", source->name);
    }
    return CRN_OK;
}

crn_status crn_hdf5_create(crn_hdf5 *hdf5, const char *name, crn_error *error)
{
    *hdf5 = (crn_hdf5){.file = -1, .name = name};
    silence(hdf5);
    hid_t access = memory_access(NULL);
    hdf5->file = access >= 0 ? H5Fcreate(no_file, H5F_ACC_TRUNC, H5P_DEFAULT, access) : -1;
    (void)H5Pclose(access);
    return hdf5->file >= 0 ? CRN_OK : crn_fail(error, CRN_ERR_MEMORY, "%s: HDF5 cannot make a file in memory", name);
}

void crn_hdf5_close(crn_hdf5 *hdf5)
{
    if (hdf5->file >= 0) {
        (void)H5Fclose(hdf5->file);
    }
    if (hdf5->is_silent) {
        H5E_auto2_t handler = NULL;
        memcpy(&handler, &hdf5->handler, sizeof handler);
        (void)H5Eset_auto2(H5E_DEFAULT, handler, hdf5->handled);
    }
    *hdf5 = (crn_hdf5){.file = -1};
}

/* --- Reading --- */

/* Is the link with this path there, and a plain one? Those before it have been looked at. */
static bool has_link(const crn_hdf5 *hdf5, const char *path)
{
    H5L_info_t about;
    return H5Lexists(hdf5->file, path, H5P_DEFAULT) > 0 && H5Lget_info(hdf5->file, path, &about, H5P_DEFAULT) >= 0 &&
           about.type == H5L_TYPE_HARD;
}

bool crn_hdf5_has(const crn_hdf5 *hdf5, const char *path)
{
    char part[LONGEST_PATH];
    size_t length = strlen(path);
    if (length >= sizeof part) {
        return false;
    }
    /* "/a", then "/a/b": a link is only asked for in a group that is there. */
    for (size_t end = 1; end <= length; ++end) {
        if (path[end] == '/' || path[end] == '\0') {
            memcpy(part, path, end);
            part[end] = '\0';
            if (!has_link(hdf5, part)) {
                return false;
            }
        }
    }
    return true;
}

/* Bytes of the numbers that a chunk holds; 0 if they cannot be told. */
static size_t chunk_bytes(hid_t creation, size_t item)
{
    hsize_t length = 0;
    if (H5Pget_chunk(creation, 1, &length) != 1 || length > SIZE_MAX / item) {
        return 0;
    }
    return (size_t)length * item;
}

/* Are count items of this size what the file can hold, in itself? */
static bool is_believable(const crn_hdf5 *hdf5, hid_t dataset, size_t count, size_t item)
{
    hid_t creation = H5Dget_create_plist(dataset);
    H5D_layout_t layout = creation >= 0 ? H5Pget_layout(creation) : H5D_LAYOUT_ERROR;
    bool is_good = layout == H5D_COMPACT || layout == H5D_CONTIGUOUS || layout == H5D_CHUNKED;
    is_good = is_good && H5Pget_external_count(creation) == 0;
    size_t limit = hdf5->size;
    if (is_good && layout == H5D_CHUNKED) {
        limit = limit < SIZE_MAX / MOST_EXPANSION ? limit * MOST_EXPANSION : SIZE_MAX;
        size_t chunk = chunk_bytes(creation, item);
        is_good = chunk > 0 && chunk <= limit;
    }
    (void)H5Pclose(creation);
    return is_good && count <= limit / item;
}

/* The same for an open dataset; NULL if all is well, else what is wrong. */
static const char *inspect(const crn_hdf5 *hdf5, hid_t dataset, crn_hdf5_type wanted, size_t *count)
{
    hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
    H5T_class_t class = type >= 0 ? H5Tget_class(type) : H5T_NO_CLASS;
    size_t item = type >= 0 ? H5Tget_size(type) : 0;
    int rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
    hssize_t points = rank == 0 || rank == 1 ? H5Sget_simple_extent_npoints(space) : -1;
    const char *wrong = NULL;
    if (class != (wanted == CRN_HDF5_INT ? H5T_INTEGER : H5T_FLOAT)) {
        wrong = wanted == CRN_HDF5_INT ? "not of an integer type" : "not of a floating-point type";
    } else if (points < 0) {
        wrong = "not a list of numbers";
    } else if (item == 0 || item > 16 || (uint64_t)points > SIZE_MAX ||
               !is_believable(hdf5, dataset, (size_t)points, item)) {
        wrong = "claims more numbers than the file can hold";
    }
    *count = wrong == NULL ? (size_t)points : 0;
    (void)H5Tclose(type);
    (void)H5Sclose(space);
    return wrong;
}

/* Open a dataset and count it; a handle below 0 after a failure. */
static hid_t open_dataset(const crn_hdf5 *hdf5, const char *path, crn_hdf5_type type, size_t *count, crn_error *error)
{
    *count = 0;
    if (!crn_hdf5_has(hdf5, path)) {
        (void)fail(hdf5, path, "missing", error);
        return -1;
    }
    hid_t dataset = H5Dopen2(hdf5->file, path, H5P_DEFAULT);
    const char *wrong = dataset >= 0 ? inspect(hdf5, dataset, type, count) : "not a dataset";
    if (wrong != NULL) {
        (void)fail(hdf5, path, wrong, error);
        if (dataset >= 0) {
            (void)H5Dclose(dataset);
        }
        return -1;
    }
    return dataset;
}

crn_status crn_hdf5_count(const crn_hdf5 *hdf5, const char *path, crn_hdf5_type type, size_t *count, crn_error *error)
{
    hid_t dataset = open_dataset(hdf5, path, type, count, error);
    if (dataset < 0) {
        return CRN_ERR_FORMAT;
    }
    (void)H5Dclose(dataset);
    return CRN_OK;
}

static crn_status read_values(const crn_hdf5 *hdf5, const char *path, crn_hdf5_type type, size_t count, void *values,
                              crn_error *error)
{
    size_t found = 0;
    hid_t dataset = open_dataset(hdf5, path, type, &found, error);
    if (dataset < 0) {
        return CRN_ERR_FORMAT;
    }
    hid_t native = type == CRN_HDF5_INT ? H5T_NATIVE_INT : H5T_NATIVE_DOUBLE;
    bool is_good =
        found == count && (count == 0 || H5Dread(dataset, native, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    (void)H5Dclose(dataset);
    return is_good ? CRN_OK : fail(hdf5, path, "cannot be read: the file is damaged", error);
}

crn_status crn_hdf5_ints(const crn_hdf5 *hdf5, const char *path, size_t count, int *values, crn_error *error)
{
    return read_values(hdf5, path, CRN_HDF5_INT, count, values, error);
}

crn_status crn_hdf5_reals(const crn_hdf5 *hdf5, const char *path, size_t count, double *values, crn_error *error)
{
    return read_values(hdf5, path, CRN_HDF5_REAL, count, values, error);
}

/* --- Writing --- */

static crn_status cannot_write(const crn_hdf5 *hdf5, const char *path, crn_error *error)
{
    return crn_fail(error, CRN_ERR_MEMORY, "%s: %s: cannot be added", hdf5->name, path);
}

crn_status crn_hdf5_add_group(const crn_hdf5 *hdf5, const char *path, crn_error *error)
{
    hid_t group = H5Gcreate2(hdf5->file, path, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (group < 0) {
        return cannot_write(hdf5, path, error);
    }
    (void)H5Gclose(group);
    return CRN_OK;
}

/* A dataset without the time of its making: the same problem gives the same bytes. */
static crn_status add_dataset(const crn_hdf5 *hdf5, const char *path, hid_t stored, hid_t native, hid_t space,
                              const void *values, crn_error *error)
{
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    bool is_good = creation >= 0 && space >= 0 && H5Pset_obj_track_times(creation, false) >= 0;
    hid_t dataset = is_good ? H5Dcreate2(hdf5->file, path, stored, space, H5P_DEFAULT, creation, H5P_DEFAULT) : -1;
    is_good = dataset >= 0;
    if (is_good && H5Sget_simple_extent_npoints(space) > 0) {
        is_good = H5Dwrite(dataset, native, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
    }
    (void)H5Dclose(dataset);
    (void)H5Pclose(creation);
    (void)H5Sclose(space);
    return is_good ? CRN_OK : cannot_write(hdf5, path, error);
}

static hid_t list_space(size_t count)
{
    hsize_t length = count;
    return H5Screate_simple(1, &length, NULL);
}

crn_status crn_hdf5_add_ints(const crn_hdf5 *hdf5, const char *path, size_t count, const int *values, crn_error *error)
{
    return add_dataset(hdf5, path, H5T_STD_I32LE, H5T_NATIVE_INT, list_space(count), values, error);
}

crn_status crn_hdf5_add_reals(const crn_hdf5 *hdf5, const char *path, size_t count, const double *values,
                              crn_error *error)
{
    return add_dataset(hdf5, path, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, list_space(count), values, error);
}

crn_status crn_hdf5_add_string(const crn_hdf5 *hdf5, const char *path, const char *text, crn_error *error)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    if (type < 0 || H5Tset_size(type, strlen(text) + 1) < 0) {
        (void)H5Tclose(type);
        return cannot_write(hdf5, path, error);
    }
    crn_status status = add_dataset(hdf5, path, type, type, H5Screate(H5S_SCALAR), text, error);
    (void)H5Tclose(type);
    return status;
}

crn_status crn_hdf5_bytes(const crn_hdf5 *hdf5, const crn_allocator *allocator, void **bytes, size_t *size,
                          crn_error *error)
{
    *bytes = NULL;
    *size = 0;
    ssize_t needed = H5Fflush(hdf5->file, H5F_SCOPE_LOCAL) >= 0 ? H5Fget_file_image(hdf5->file, NULL, 0) : -1;
    if (needed < 0) {
        return crn_fail(error, CRN_ERR_MEMORY, "%s: HDF5 cannot give its file", hdf5->name);
    }
    crn_status status = crn_io_take(allocator, hdf5->name, (size_t)needed, 1, bytes, error);
    if (status == CRN_OK && H5Fget_file_image(hdf5->file, *bytes, (size_t)needed) != needed) {
        status = crn_fail(error, CRN_ERR_MEMORY, "%s: HDF5 cannot give its file", hdf5->name);
    }
    *size = (size_t)needed;
    return status;
}
