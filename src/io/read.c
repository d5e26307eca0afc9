/* Reading problems from files: load, parse, unload. */
#include "io/io_room.h"

crn_status crn_io_read_matrix_market(const char *M_path, const char *q_path, const char *lower_path,
                                     const char *upper_path, const crn_allocator *allocator, crn_lcp_data *data,
                                     crn_error *error)
{
    if (data == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "data: NULL");
    }
    crn_io_begin(data, allocator);
    if (M_path == NULL || q_path == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s: NULL", M_path == NULL ? "M_path" : "q_path");
    }
    crn_allocator hooks = crn_io_allocator(allocator);
    const char *paths[4] = {M_path, q_path, lower_path, upper_path};
    crn_io_source sources[4] = {{0}};
    crn_status status = CRN_OK;
    for (int i = 0; i < 4 && status == CRN_OK; ++i) {
        if (paths[i] != NULL) {
            status = crn_io_load(paths[i], &hooks, &sources[i], error);
        }
    }
    if (status == CRN_OK) {
        status = crn_io_parse_matrix_market(&sources[0], &sources[1], lower_path != NULL ? &sources[2] : NULL,
                                            upper_path != NULL ? &sources[3] : NULL, &hooks, data, error);
    }
    for (int i = 0; i < 4; ++i) {
        crn_io_unload(&hooks, &sources[i]);
    }
    return status;
}

crn_status crn_io_read_vector(const char *path, int n, double *values, const crn_allocator *allocator, crn_error *error)
{
    if (path == NULL || n < 0 || (n > 0 && values == NULL)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s",
                        path == NULL ? "path: NULL"
                        : n < 0      ? "n: negative"
                                     : "values: NULL");
    }
    crn_allocator hooks = crn_io_allocator(allocator);
    crn_io_source source;
    crn_status status = crn_io_load(path, &hooks, &source, error);
    if (status == CRN_OK) {
        status = crn_io_parse_vector(&source, n, values, error);
    }
    crn_io_unload(&hooks, &source);
    return status;
}

crn_status crn_io_read_siconos(const char *path, crn_siconos_kind kind, const crn_allocator *allocator,
                               crn_lcp_data *data, crn_error *error)
{
    if (data == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "data: NULL");
    }
    crn_io_begin(data, allocator);
    if (path == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "path: NULL");
    }
    crn_allocator hooks = crn_io_allocator(allocator);
    crn_io_source source;
    crn_status status = crn_io_load(path, &hooks, &source, error);
    if (status == CRN_OK) {
        status = crn_io_parse_siconos(&source, kind, &hooks, data, error);
    }
    crn_io_unload(&hooks, &source);
    return status;
}
