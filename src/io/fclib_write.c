/* Writing FCLIB files: the layout is in fclib_read.c; matrices are written in compressed columns. */
#include "io/cone_data.h"
#include "io/hdf5.h"

#include "base/memory.h"

#include <stdio.h>

/* Longest path of a dataset. */
enum { PATH_SIZE = 64 };

/* A file being made. */
typedef struct writer {
    crn_hdf5 hdf5;
    const char *root; /* "/fclib_local" */
    crn_status status;
    crn_error *error;
} writer;

static const char *join(const writer *w, const char *group, const char *name, char path[PATH_SIZE])
{
    (void)snprintf(path, PATH_SIZE, "%s/%s%s%s", w->root, group, group[0] != '\0' ? "/" : "", name);
    return path;
}

/* Each of these does nothing after a failure. */

static void add_group(writer *w, const char *path)
{
    w->status = w->status == CRN_OK ? crn_hdf5_add_group(&w->hdf5, path, w->error) : w->status;
}

static void add_ints(writer *w, const char *group, const char *name, size_t count, const int *values)
{
    char path[PATH_SIZE];
    w->status = w->status == CRN_OK ? crn_hdf5_add_ints(&w->hdf5, join(w, group, name, path), count, values, w->error)
                                    : w->status;
}

static void add_reals(writer *w, const char *group, const char *name, size_t count, const double *values)
{
    char path[PATH_SIZE];
    w->status = w->status == CRN_OK ? crn_hdf5_add_reals(&w->hdf5, join(w, group, name, path), count, values, w->error)
                                    : w->status;
}

static void add_string(writer *w, const char *name, const char *text)
{
    char path[PATH_SIZE];
    w->status =
        w->status == CRN_OK ? crn_hdf5_add_string(&w->hdf5, join(w, "info", name, path), text, w->error) : w->status;
}

static void add_matrix(writer *w, const char *group, const crn_cone_matrix *matrix)
{
    char path[PATH_SIZE];
    const int by_columns = -1;
    size_t columns = (size_t)matrix->columns, entries = (size_t)matrix->start[columns];
    add_group(w, join(w, "", group, path));
    add_ints(w, group, "nzmax", 1, &matrix->start[columns]);
    add_ints(w, group, "m", 1, &matrix->rows);
    add_ints(w, group, "n", 1, &matrix->columns);
    add_ints(w, group, "nz", 1, &by_columns);
    add_ints(w, group, "p", columns + 1, matrix->start);
    add_ints(w, group, "i", entries, matrix->row);
    add_reals(w, group, "x", entries, matrix->value);
}

/* Offsets of a global problem, which may be left out in memory but not in the file. */
static void add_offsets(writer *w, const char *name, size_t count, const double *values, const crn_allocator *allocator)
{
    if (values != NULL || w->status != CRN_OK) {
        add_reals(w, "vectors", name, count, values);
        return;
    }
    void *zeros = NULL;
    w->status = crn_io_take(allocator, w->hdf5.name, count, sizeof(double), &zeros, w->error);
    for (size_t i = 0; i < count && w->status == CRN_OK; ++i) {
        ((double *)zeros)[i] = 0.0;
    }
    add_reals(w, "vectors", name, count, zeros);
    crn_release(allocator, zeros);
}

static void add_problem(writer *w, const crn_cone_problem *problem, const char *title, const crn_allocator *allocator)
{
    char path[PATH_SIZE];
    bool is_local = problem->form == CRN_CONE_LOCAL;
    size_t contacts = (size_t)problem->contacts, n = contacts * (size_t)problem->dim;
    add_group(w, w->root);
    add_group(w, join(w, "", "info", path));
    add_string(w, "title", title != NULL ? title : "");
    add_string(w, "description", "written by cairn");
    add_string(w, "math_info", is_local ? "u = W r + q" : "M v = H r + G l + f, u = H'v + w, G'v + b = 0");
    add_ints(w, "", "spacedim", 1, &problem->dim);
    add_group(w, join(w, "", "vectors", path));
    add_reals(w, "vectors", "mu", contacts, problem->mu);
    if (is_local) {
        add_reals(w, "vectors", "q", n, problem->q);
        add_matrix(w, "W", &problem->W);
        return;
    }
    add_reals(w, "vectors", "f", (size_t)problem->dof, problem->f);
    add_offsets(w, "w", n, problem->w, allocator);
    add_matrix(w, "M", &problem->M);
    add_matrix(w, "H", &problem->H);
    if (problem->rows > 0) {
        add_offsets(w, "b", (size_t)problem->rows, problem->b, allocator);
        add_matrix(w, "G", &problem->G);
    }
}

/* Bytes to a file that appears whole or not at all. */
static crn_status save(const char *path, const void *bytes, size_t size, crn_error *error)
{
    crn_io_output output;
    crn_status status = crn_io_output_open(&output, path, error);
    if (status != CRN_OK) {
        return status;
    }
    (void)fwrite(bytes, 1, size, output.file);
    return crn_io_output_close(&output, CRN_OK, error);
}

crn_status crn_io_write_fclib(const char *path, const crn_cone_problem *problem, const char *title,
                              const crn_allocator *allocator, crn_error *error)
{
    if (path == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "path: NULL");
    }
    crn_status status = crn_cone_check(problem, error);
    if (status != CRN_OK) {
        return status;
    }
    crn_allocator hooks = crn_io_allocator(allocator);
    writer w = {.root = problem->form == CRN_CONE_LOCAL ? "/fclib_local" : "/fclib_global", .error = error};
    void *bytes = NULL;
    size_t size = 0;
    w.status = crn_hdf5_create(&w.hdf5, path, error);
    if (w.status == CRN_OK) {
        add_problem(&w, problem, title, &hooks);
    }
    if (w.status == CRN_OK) {
        w.status = crn_hdf5_bytes(&w.hdf5, &hooks, &bytes, &size, error);
    }
    crn_hdf5_close(&w.hdf5);
    if (w.status == CRN_OK) {
        w.status = save(path, bytes, size, error);
    }
    crn_release(&hooks, bytes);
    return w.status;
}
