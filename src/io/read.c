/* Reading problems from files: load, parse, unload. */
#include "io/cone_data.h"
#include "io/contact_data.h"

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

/* --- Problems that are one file: all but the parser is the same --- */

typedef crn_status parser(const crn_io_source *source, int kind, const crn_allocator *allocator, void *data,
                          crn_error *error);

/* data has been made empty. */
static crn_status read_file(const char *path, parser *parse, int kind, const crn_allocator *allocator, void *data,
                            crn_error *error)
{
    if (path == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "path: NULL");
    }
    crn_allocator hooks = crn_io_allocator(allocator);
    crn_io_source source;
    crn_status status = crn_io_load(path, &hooks, &source, error);
    if (status == CRN_OK) {
        status = parse(&source, kind, &hooks, data, error);
    }
    crn_io_unload(&hooks, &source);
    return status;
}

static crn_status parse_siconos(const crn_io_source *source, int kind, const crn_allocator *allocator, void *data,
                                crn_error *error)
{
    return crn_io_parse_siconos(source, (crn_siconos_kind)kind, allocator, data, error);
}

static crn_status parse_friction(const crn_io_source *source, int kind, const crn_allocator *allocator, void *data,
                                 crn_error *error)
{
    return crn_io_parse_siconos_friction(source, (crn_siconos_friction)kind, allocator, data, error);
}

static crn_status parse_fclib(const crn_io_source *source, int kind, const crn_allocator *allocator, void *data,
                              crn_error *error)
{
    (void)kind;
    return crn_io_parse_fclib(source, allocator, data, error);
}

static crn_status parse_json(const crn_io_source *source, int kind, const crn_allocator *allocator, void *data,
                             crn_error *error)
{
    (void)kind;
    return crn_io_parse_contact_json(source, allocator, data, error);
}

crn_status crn_io_read_siconos(const char *path, crn_siconos_kind kind, const crn_allocator *allocator,
                               crn_lcp_data *data, crn_error *error)
{
    if (data == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "data: NULL");
    }
    crn_io_begin(data, allocator);
    return read_file(path, parse_siconos, (int)kind, allocator, data, error);
}

crn_status crn_io_read_siconos_friction(const char *path, crn_siconos_friction kind, const crn_allocator *allocator,
                                        crn_cone_data *data, crn_error *error)
{
    if (data == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "data: NULL");
    }
    crn_io_cone_begin(data, allocator);
    return read_file(path, parse_friction, (int)kind, allocator, data, error);
}

crn_status crn_io_read_fclib(const char *path, const crn_allocator *allocator, crn_cone_data *data, crn_error *error)
{
    if (data == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "data: NULL");
    }
    crn_io_cone_begin(data, allocator);
    return read_file(path, parse_fclib, 0, allocator, data, error);
}

crn_status crn_io_read_contact_json(const char *path, const crn_allocator *allocator, crn_contact_data *data,
                                    crn_error *error)
{
    if (data == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "data: NULL");
    }
    crn_io_contact_begin(data, allocator);
    return read_file(path, parse_json, 0, allocator, data, error);
}
