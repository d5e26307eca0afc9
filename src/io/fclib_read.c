/* FCLIB files: HDF5 with one of the groups
 *
 *     /fclib_local    spacedim, W, vectors/q, vectors/mu                    u = W r + q
 *     /fclib_global   spacedim, M, H, vectors/f, vectors/w, vectors/mu      M v = H r + G l + f,   u = H'v + w
 *                     if there are bilateral rows also G, vectors/b         G'v + b = 0
 *
 * A matrix is a group: nzmax, m (rows), n (columns), nz, p, i, x. nz >= 0: nz triplets with rows i and columns p; -1:
 * compressed columns, p points and i are rows; -2: compressed rows, p points and i are columns. Entries given twice add
 * up. Vectors tell the sizes, matrices must agree. /solution and /guesses are not read. */
#include "io/cone_data.h"
#include "io/hdf5.h"
#include "io/triplets.h"

#include "base/memory.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Longest path of a dataset. */
enum { PATH_SIZE = 64 };

/* Codes of nz. */
enum { BY_COLUMNS = -1, BY_ROWS = -2 };

/* A file being read. */
typedef struct reader {
    crn_hdf5 hdf5;
    const char *root; /* "/fclib_local" */
    crn_cone_data *data;
    crn_error *error;
} reader;

/* "/fclib_local/W/x" of "W" and "x"; without a group "/fclib_local/x". Returns path. */
static const char *join(const reader *r, const char *group, const char *name, char path[PATH_SIZE])
{
    (void)snprintf(path, PATH_SIZE, "%s/%s%s%s", r->root, group, group[0] != '\0' ? "/" : "", name);
    return path;
}

static bool has(const reader *r, const char *group, const char *name)
{
    char path[PATH_SIZE];
    return crn_hdf5_has(&r->hdf5, join(r, group, name, path));
}

static crn_status fail_at(const reader *r, const char *path, size_t entry, double value, const char *what)
{
    return crn_fail(r->error, CRN_ERR_FORMAT, "%s: %s: entry %zu: %g %s", r->hdf5.name, path, entry, value, what);
}

/* --- Numbers and vectors --- */

/* A dataset of one integer. */
static crn_status read_int(const reader *r, const char *group, const char *name, int lowest, int highest, int *value)
{
    char path[PATH_SIZE];
    size_t count = 0;
    (void)join(r, group, name, path);
    crn_status status = crn_hdf5_count(&r->hdf5, path, CRN_HDF5_INT, &count, r->error);
    if (status == CRN_OK && count != 1) {
        status = crn_fail(r->error, CRN_ERR_FORMAT, "%s: %s: %zu numbers instead of 1", r->hdf5.name, path, count);
    }
    if (status == CRN_OK) {
        status = crn_hdf5_ints(&r->hdf5, path, 1, value, r->error);
    }
    if (status == CRN_OK && (*value < lowest || *value > highest)) {
        status = crn_fail(r->error, CRN_ERR_FORMAT, "%s: %s: %d is not in %d .. %d", r->hdf5.name, path, *value, lowest,
                          highest);
    }
    return status;
}

static crn_status check_finite(const reader *r, const char *path, size_t count, const double *values)
{
    for (size_t i = 0; i < count; ++i) {
        if (!isfinite(values[i])) {
            return fail_at(r, path, i, values[i], "is not finite");
        }
    }
    return CRN_OK;
}

/* A vector of the group "vectors" into a slot. wanted: its length, or -1 for any that fits int; *length is what it is. */
static crn_status read_vector(const reader *r, const char *name, int wanted, int slot, const double **target,
                              int *length)
{
    char path[PATH_SIZE];
    size_t count = 0;
    double *values = NULL;
    (void)join(r, "vectors", name, path);
    crn_status status = crn_hdf5_count(&r->hdf5, path, CRN_HDF5_REAL, &count, r->error);
    if (status == CRN_OK && (count > INT_MAX || (wanted >= 0 && count != (size_t)wanted))) {
        status = crn_fail(r->error, CRN_ERR_FORMAT, "%s: %s: %zu numbers, but %d are needed", r->hdf5.name, path, count,
                          wanted);
    }
    if (status == CRN_OK) {
        status = crn_io_cone_reals(r->data, slot, r->hdf5.name, count, &values, r->error);
    }
    if (status == CRN_OK) {
        status = crn_hdf5_reals(&r->hdf5, path, count, values, r->error);
    }
    *target = values;
    *length = (int)count;
    return status == CRN_OK ? check_finite(r, path, count, values) : status;
}

/* --- Matrices --- */

/* A matrix group as it is stored. */
typedef struct stored {
    const char *group; /* "W" */
    int rows, columns;
    int nz;           /* triplets, BY_COLUMNS or BY_ROWS */
    int entries;      /* how many count */
    int *p, *i;       /* in one piece of memory */
    double *x;        /* what they have */
    size_t pointers;  /* length of p */
    size_t positions; /* length of i */
    size_t values;    /* length of x */
} stored;

/* m, n and nz; nzmax says nothing that the lengths of p, i and x do not say. */
static crn_status read_sizes(const reader *r, stored *s, int rows, int columns)
{
    crn_status status = read_int(r, s->group, "m", 0, INT_MAX, &s->rows);
    if (status == CRN_OK) {
        status = read_int(r, s->group, "n", 0, INT_MAX, &s->columns);
    }
    if (status == CRN_OK) {
        status = read_int(r, s->group, "nz", BY_ROWS, INT_MAX, &s->nz);
    }
    if (status == CRN_OK && (s->rows != rows || (columns >= 0 && s->columns != columns))) {
        status = crn_fail(r->error, CRN_ERR_FORMAT, "%s: %s/%s: %d x %d, but %d x %d is needed", r->hdf5.name, r->root,
                          s->group, s->rows, s->columns, rows, columns >= 0 ? columns : s->columns);
    }
    /* Each bilateral row has a number somewhere in the file. */
    if (status == CRN_OK && (size_t)s->columns > r->hdf5.size) {
        status = crn_fail(r->error, CRN_ERR_FORMAT, "%s: %s/%s/n: %d columns claimed, but the file has %zu bytes",
                          r->hdf5.name, r->root, s->group, s->columns, r->hdf5.size);
    }
    return status;
}

/* Length of a member of the group, which must be at least `least`. */
static crn_status count_member(const reader *r, const stored *s, const char *name, crn_hdf5_type type, size_t least,
                               size_t *count)
{
    char path[PATH_SIZE];
    (void)join(r, s->group, name, path);
    crn_status status = crn_hdf5_count(&r->hdf5, path, type, count, r->error);
    if (status == CRN_OK && (*count < least || *count > INT_MAX)) {
        status = crn_fail(r->error, CRN_ERR_FORMAT, "%s: %s: %zu numbers, but at least %zu are needed", r->hdf5.name,
                          path, *count, least);
    }
    return status;
}

/* Read p, i and x into memory of s. */
static crn_status read_arrays(const reader *r, stored *s)
{
    static const char *const names[] = {"p", "i", "x"};
    size_t least = s->nz >= 0 ? (size_t)s->nz : s->nz == BY_COLUMNS ? (size_t)s->columns + 1 : (size_t)s->rows + 1;
    const crn_allocator *allocator = &r->data->allocator;
    void *indices = NULL, *values = NULL;
    crn_status status = count_member(r, s, "p", CRN_HDF5_INT, least, &s->pointers);
    if (status == CRN_OK) {
        status = count_member(r, s, "i", CRN_HDF5_INT, s->nz >= 0 ? (size_t)s->nz : 0, &s->positions);
    }
    if (status == CRN_OK) {
        status = count_member(r, s, "x", CRN_HDF5_REAL, s->nz >= 0 ? (size_t)s->nz : 0, &s->values);
    }
    if (status == CRN_OK) {
        status = crn_io_take(allocator, r->hdf5.name, s->pointers + s->positions, sizeof(int), &indices, r->error);
    }
    s->p = indices;
    if (status == CRN_OK) {
        s->i = s->p + s->pointers;
        status = crn_io_take(allocator, r->hdf5.name, s->values, sizeof(double), &values, r->error);
    }
    s->x = values;
    for (int k = 0; k < 3 && status == CRN_OK; ++k) {
        char path[PATH_SIZE];
        (void)join(r, s->group, names[k], path);
        status =
            k == 2 ? crn_hdf5_reals(&r->hdf5, path, s->values, s->x, r->error)
                   : crn_hdf5_ints(&r->hdf5, path, k == 0 ? s->pointers : s->positions, k == 0 ? s->p : s->i, r->error);
    }
    return status;
}

/* Entries of p[first] .. p[last] must not decrease, and lead into i and x. */
static crn_status check_pointers(const reader *r, stored *s, int groups)
{
    size_t room = s->positions < s->values ? s->positions : s->values;
    int last = 0;
    for (int k = 0; k <= groups; ++k) {
        if (s->p[k] < last || (size_t)s->p[k] > room || (k == 0 && s->p[0] != 0)) {
            char path[PATH_SIZE];
            (void)join(r, s->group, "p", path);
            return fail_at(r, path, (size_t)k, s->p[k], "is no place in i and x that follows the one before");
        }
        last = s->p[k];
    }
    s->entries = last;
    return CRN_OK;
}

/* count indices must be in 0 .. limit-1. */
static crn_status check_indices(const reader *r, const stored *s, const char *name, const int *indices, int limit)
{
    for (int k = 0; k < s->entries; ++k) {
        if (indices[k] < 0 || indices[k] >= limit) {
            char path[PATH_SIZE];
            (void)join(r, s->group, name, path);
            return fail_at(r, path, (size_t)k, indices[k], "is out of range");
        }
    }
    return CRN_OK;
}

/* Is everything in range? s->entries is set. */
static crn_status check_arrays(const reader *r, stored *s)
{
    crn_status status = CRN_OK;
    s->entries = s->nz;
    if (s->nz >= 0) {
        status = check_indices(r, s, "p", s->p, s->columns);
    } else {
        status = check_pointers(r, s, s->nz == BY_COLUMNS ? s->columns : s->rows);
    }
    if (status == CRN_OK) {
        status = check_indices(r, s, "i", s->i, s->nz == BY_ROWS ? s->columns : s->rows);
    }
    if (status == CRN_OK) {
        char path[PATH_SIZE];
        (void)join(r, s->group, "x", path);
        status = check_finite(r, path, (size_t)s->entries, s->x);
    }
    return status;
}

static void add_entries(const stored *s, crn_io_triplets *triplets)
{
    for (int k = 0; s->nz >= 0 && k < s->entries; ++k) {
        crn_io_triplets_add(triplets, s->i[k], s->p[k], s->x[k], 0);
    }
    int groups = s->nz >= 0 ? 0 : s->nz == BY_COLUMNS ? s->columns : s->rows;
    for (int j = 0; j < groups; ++j) {
        for (int k = s->p[j]; k < s->p[j + 1]; ++k) {
            bool is_row = s->nz == BY_ROWS;
            crn_io_triplets_add(triplets, is_row ? j : s->i[k], is_row ? s->i[k] : j, s->x[k], 0);
        }
    }
}

/* From what is stored to compressed columns without zeros. */
static crn_status convert(const reader *r, const stored *s, crn_io_matrix *matrix)
{
    const crn_allocator *allocator = &r->data->allocator;
    crn_io_text text = {.name = r->hdf5.name, .owner = s->group, .error = r->error};
    crn_io_triplets triplets;
    crn_status status = crn_io_triplets_take(&triplets, allocator, text.name, s->entries, r->error);
    if (status == CRN_OK) {
        add_entries(s, &triplets);
        status =
            crn_io_triplets_compress(&triplets, s->rows, s->columns, CRN_IO_DUPLICATES_ADD, &text, allocator, matrix);
    }
    crn_io_triplets_free(&triplets, allocator);
    return status;
}

/* A rows x columns matrix; columns -1: as many as the file says. */
static crn_status read_matrix(const reader *r, const char *group, int rows, int columns, int slot,
                              crn_cone_matrix *target)
{
    stored s = {.group = group};
    crn_io_matrix matrix = {0};
    crn_status status = read_sizes(r, &s, rows, columns);
    if (status == CRN_OK) {
        status = read_arrays(r, &s);
    }
    if (status == CRN_OK) {
        status = check_arrays(r, &s);
    }
    if (status == CRN_OK) {
        status = convert(r, &s, &matrix);
    }
    crn_release(&r->data->allocator, s.p);
    crn_release(&r->data->allocator, s.x);
    if (status != CRN_OK) {
        crn_io_matrix_free(&matrix, &r->data->allocator);
        return status;
    }
    crn_io_cone_adopt(r->data, slot, &matrix, target);
    return CRN_OK;
}

/* --- Problems --- */

/* spacedim and mu, which tells the number of contacts. */
static crn_status read_contacts(const reader *r)
{
    crn_cone_problem *problem = &r->data->problem;
    crn_status status = read_int(r, "", "spacedim", 2, 3, &problem->dim);
    if (status == CRN_OK) {
        status = read_vector(r, "mu", -1, CRN_IO_CONE_MU, &problem->mu, &problem->contacts);
    }
    for (int i = 0; i < problem->contacts && status == CRN_OK; ++i) {
        if (problem->mu[i] < 0.0) {
            char path[PATH_SIZE];
            status = fail_at(r, join(r, "vectors", "mu", path), (size_t)i, problem->mu[i], "is negative");
        }
    }
    if (status == CRN_OK && problem->contacts > INT_MAX / problem->dim) {
        status = crn_fail(r->error, CRN_ERR_FORMAT, "%s: %s/vectors/mu: too many contacts", r->hdf5.name, r->root);
    }
    return status;
}

static crn_status read_local(const reader *r)
{
    crn_cone_problem *problem = &r->data->problem;
    problem->form = CRN_CONE_LOCAL;
    if (has(r, "", "V") || has(r, "", "R")) {
        return crn_fail(r->error, CRN_ERR_UNSUPPORTED, "%s: %s/%s: bilateral rows of a local problem are not supported",
                        r->hdf5.name, r->root, has(r, "", "V") ? "V" : "R");
    }
    int length = 0;
    crn_status status = read_contacts(r);
    int n = status == CRN_OK ? problem->dim * problem->contacts : 0;
    if (status == CRN_OK) {
        status = read_vector(r, "q", n, CRN_IO_CONE_Q, &problem->q, &length);
    }
    return status == CRN_OK ? read_matrix(r, "W", n, n, CRN_IO_CONE_W, &problem->W) : status;
}

/* G and b; both may be absent. */
static crn_status read_bilateral(const reader *r)
{
    crn_cone_problem *problem = &r->data->problem;
    crn_status status = CRN_OK;
    bool has_b = has(r, "vectors", "b");
    if (has_b) {
        status = read_vector(r, "b", -1, CRN_IO_CONE_B, &problem->b, &problem->rows);
    }
    if (status == CRN_OK && has(r, "", "G")) {
        status = read_matrix(r, "G", problem->dof, has_b ? problem->rows : -1, CRN_IO_CONE_G, &problem->G);
        problem->rows = problem->G.columns;
    } else if (status == CRN_OK && problem->rows > 0) {
        status = crn_fail(r->error, CRN_ERR_FORMAT, "%s: %s/G: missing, although vectors/b has %d numbers",
                          r->hdf5.name, r->root, problem->rows);
    }
    return status;
}

static crn_status read_global(const reader *r)
{
    crn_cone_problem *problem = &r->data->problem;
    problem->form = CRN_CONE_GLOBAL;
    int length = 0;
    crn_status status = read_contacts(r);
    int n = status == CRN_OK ? problem->dim * problem->contacts : 0;
    if (status == CRN_OK) {
        status = read_vector(r, "f", -1, CRN_IO_CONE_Q, &problem->f, &problem->dof);
    }
    if (status == CRN_OK) {
        status = read_vector(r, "w", n, CRN_IO_CONE_W_VECTOR, &problem->w, &length);
    }
    if (status == CRN_OK) {
        status = read_matrix(r, "M", problem->dof, problem->dof, CRN_IO_CONE_M, &problem->M);
    }
    if (status == CRN_OK) {
        status = read_matrix(r, "H", problem->dof, n, CRN_IO_CONE_H, &problem->H);
    }
    return status == CRN_OK ? read_bilateral(r) : status;
}

static crn_status read_problem(reader *r)
{
    static const char *const rolling[] = {"/fclib_global_rolling", "/fclib_local_rolling"};
    r->root = "/fclib_local";
    if (crn_hdf5_has(&r->hdf5, r->root)) {
        return read_local(r);
    }
    r->root = "/fclib_global";
    if (crn_hdf5_has(&r->hdf5, r->root)) {
        return read_global(r);
    }
    for (int i = 0; i < 2; ++i) {
        if (crn_hdf5_has(&r->hdf5, rolling[i])) {
            return crn_fail(r->error, CRN_ERR_UNSUPPORTED, "%s: %s: rolling friction is not supported", r->hdf5.name,
                            rolling[i]);
        }
    }
    return crn_fail(r->error, CRN_ERR_FORMAT, "%s: no group /fclib_local or /fclib_global: not an FCLIB file",
                    r->hdf5.name);
}

crn_status crn_io_parse_fclib(const crn_io_source *source, const crn_allocator *allocator, crn_cone_data *data,
                              crn_error *error)
{
    crn_io_cone_begin(data, allocator);
    reader r = {.data = data, .error = error};
    crn_status status = crn_hdf5_open(&r.hdf5, source, error);
    if (status == CRN_OK) {
        status = read_problem(&r);
    }
    crn_hdf5_close(&r.hdf5);
    if (status != CRN_OK) {
        crn_cone_data_free(data);
        return status;
    }
    crn_io_cone_look_at_symmetry(data);
    return crn_fail(error, CRN_OK, "%s", "");
}
