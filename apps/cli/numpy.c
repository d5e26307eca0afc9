/* NumPy's files. An .npy file is a magic word, a version, the length of a Python dictionary and the dictionary, then the numbers; an
 * .npz file is a zip archive of those. Little-endian numbers only, which is what NumPy writes on all machines that it runs on today. */
#include "numpy.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Bytes of a file, or of a member of an archive. */
typedef struct bytes {
    unsigned char *data;
    size_t size;
} bytes;

/* An array as it stands in the file. */
typedef struct array {
    char type; /* 'f', 'i' or 'S', 'U': real, integer, text */
    int width; /* bytes of a number, or letters */
    int rows, columns, dimensions;
    bool is_fortran;
    const unsigned char *values;
} array;

bool numpy_is_name(const char *path)
{
    crn_file_format format = crn_file_format_of(path);
    return format == CRN_FILE_NPY || format == CRN_FILE_NPZ;
}

static crn_status read_file(const char *path, bytes *file, crn_error *error)
{
    FILE *stream = fopen(path, "rb");
    size_t capacity = 0, got = 1;
    *file = (bytes){NULL, 0};
    if (stream == NULL) {
        return crn_fail(error, CRN_ERR_IO, "%s: cannot be opened: %s", path, strerror(errno));
    }
    while (got > 0) {
        if (file->size == capacity) {
            capacity = 2 * capacity + 65536;
            unsigned char *grown = realloc(file->data, capacity);
            if (grown == NULL) {
                fclose(stream);
                return crn_fail(error, CRN_ERR_MEMORY, "%s: no memory for %zu bytes", path, capacity);
            }
            file->data = grown;
        }
        got = fread(file->data + file->size, 1, capacity - file->size, stream);
        file->size += got;
    }
    fclose(stream);
    return CRN_OK;
}

static unsigned little(const unsigned char *at, int count)
{
    unsigned value = 0;
    for (int i = count - 1; i >= 0; --i) {
        value = value << 8 | at[i];
    }
    return value;
}

/* --- .npy --- */

/* What stands behind a key of the header; NULL if it is not there. */
static const char *value_of(const char *header, const char *key)
{
    const char *at = strstr(header, key);
    at = at != NULL ? strchr(at, ':') : NULL;
    return at != NULL ? at + 1 + strspn(at + 1, " ") : NULL;
}

static bool read_shape(const char *text, array *a)
{
    int used = 0;
    a->rows = a->columns = 1;
    if (text[0] != '(') {
        return false;
    }
    a->dimensions = sscanf(text, "(%d,%d%n", &a->rows, &a->columns, &used);
    a->dimensions = a->dimensions < 0 ? 0 : a->dimensions;
    return a->rows >= 0 && a->columns >= 0 && (a->dimensions < 2 || text[used + (int)strspn(text + used, ", ")] == ')');
}

static crn_status parse_array(const char *path, const bytes *file, array *a, crn_error *error)
{
    static const unsigned char magic[] = {0x93, 'N', 'U', 'M', 'P', 'Y'};
    char header[512];
    if (file->size < 12 || memcmp(file->data, magic, sizeof magic) != 0) {
        return crn_fail(error, CRN_ERR_FORMAT, "%s: no .npy array", path);
    }
    const int before = file->data[6] == 1 ? 10 : 12;
    const size_t length = little(file->data + 8, before - 8);
    if (length >= sizeof header || file->size - (size_t)before < length) {
        return crn_fail(error, CRN_ERR_FORMAT, "%s: the header is cut, or too long", path);
    }
    memcpy(header, file->data + before, length);
    header[length] = '\0';
    const char *descr = value_of(header, "'descr'"), *order = value_of(header, "'fortran_order'");
    const char *shape = value_of(header, "'shape'");
    if (descr == NULL || order == NULL || shape == NULL || sscanf(descr, "'%*[<|=]%c%d'", &a->type, &a->width) != 2 ||
        !read_shape(shape, a)) {
        return crn_fail(error, CRN_ERR_FORMAT,
                        "%s: header: not understood: little-endian arrays of one or two dimensions only", path);
    }
    a->is_fortran = order[0] == 'T';
    a->values = file->data + before + length;
    const size_t each = (size_t)a->width * (a->type == 'U' ? 4 : 1), count = (size_t)a->rows * (size_t)a->columns;
    if (a->width < 1 || a->width > 64 || (file->size - (size_t)before - length) / each < count) {
        return crn_fail(error, CRN_ERR_FORMAT, "%s: %d x %d values claimed, but the file is shorter", path, a->rows,
                        a->columns);
    }
    return CRN_OK;
}

/* Number k of the array. */
static double number_at(const array *a, size_t k)
{
    const unsigned char *at = a->values + k * (size_t)a->width;
    if (a->type == 'f' && a->width == 8) {
        double value;
        memcpy(&value, at, sizeof value);
        return value;
    }
    if (a->type == 'f' && a->width == 4) {
        float value;
        memcpy(&value, at, sizeof value);
        return (double)value;
    }
    int64_t value = 0;
    memcpy(&value, at, (size_t)a->width);
    const int unused = 64 - 8 * a->width; /* sign bits */
    return (double)((int64_t)((uint64_t)value << unused) >> unused);
}

static crn_status need_numbers(const char *path, const array *a, crn_error *error)
{
    bool is_real = a->type == 'f' && (a->width == 4 || a->width == 8);
    bool is_integer = a->type == 'i' && a->width <= 8;
    return is_real || is_integer ? CRN_OK
                                 : crn_fail(error, CRN_ERR_FORMAT, "%s: type %c%d: real or integer numbers are needed",
                                            path, a->type, a->width);
}

/* --- .npz --- */

/* Inflate or copy a member. */
static crn_status unpack(const char *path, const unsigned char *at, size_t packed, size_t size, unsigned method,
                         bytes *out, crn_error *error)
{
    enum { MOST_DEFLATED = 1032 }; /* bytes that one can stand for: more is claimed only by a file that is not honest */
    if (size / MOST_DEFLATED > packed) {
        return crn_fail(error, CRN_ERR_FORMAT, "%s: a member of %zu bytes claims to unpack to %zu", path, packed, size);
    }
    *out = (bytes){malloc(size + 1), size};
    bool is_good = out->data != NULL && (method == 0 || method == 8);
    if (is_good && method == 0) {
        is_good = packed == size;
        memcpy(out->data, at, is_good ? size : 0);
    } else if (is_good) {
        z_stream z = {.next_in = (Bytef *)(uintptr_t)at,
                      .avail_in = (uInt)packed,
                      .next_out = out->data,
                      .avail_out = (uInt)size};
        is_good = inflateInit2(&z, -MAX_WBITS) == Z_OK;
        if (is_good) {
            is_good = inflate(&z, Z_FINISH) == Z_STREAM_END && z.total_out == size;
            (void)inflateEnd(&z);
        }
    }
    return is_good ? CRN_OK : crn_fail(error, CRN_ERR_FORMAT, "%s: a member of the archive cannot be unpacked", path);
}

/* The member of that name; sizes beyond 4 GB are not understood. */
static crn_status find_member(const char *path, const bytes *zip, const char *name, bytes *out, crn_error *error)
{
    size_t end = zip->size >= 22 ? zip->size - 22 : 0;
    while (end > 0 && little(zip->data + end, 4) != 0x06054b50u) {
        --end;
    }
    size_t at = zip->size >= 22 ? little(zip->data + end + 16, 4) : 0;
    unsigned count = zip->size >= 22 ? little(zip->data + end + 10, 2) : 0;
    for (unsigned k = 0; k < count && at + 46 <= zip->size && little(zip->data + at, 4) == 0x02014b50u; ++k) {
        const unsigned char *entry = zip->data + at;
        const size_t length = little(entry + 28, 2), packed = little(entry + 20, 4), size = little(entry + 24, 4);
        const size_t local = little(entry + 42, 4);
        if (at + 46 + length <= zip->size && length == strlen(name) && memcmp(entry + 46, name, length) == 0 &&
            local + 30 <= zip->size) {
            size_t data = local + 30 + little(zip->data + local + 26, 2) + little(zip->data + local + 28, 2);
            if (data <= zip->size && packed <= zip->size - data) {
                return unpack(path, zip->data + data, packed, size, little(entry + 10, 2), out, error);
            }
        }
        at += 46 + length + little(entry + 30, 2) + little(entry + 32, 2);
    }
    return crn_fail(error, CRN_ERR_FORMAT, "%s: no member %s: is this a matrix by scipy.sparse.save_npz()?", path,
                    name);
}

/* A sparse matrix's members. */
typedef struct members {
    bytes file[5];
    array a[5];
} members;

static crn_status parse_members(const char *path, const bytes *zip, members *m, crn_error *error)
{
    static const char *const names[5] = {"indices.npy", "indptr.npy", "format.npy", "shape.npy", "data.npy"};
    crn_status status = CRN_OK;
    for (int k = 0; k < 5 && status == CRN_OK; ++k) {
        status = find_member(path, zip, names[k], &m->file[k], error);
        status = status == CRN_OK ? parse_array(path, &m->file[k], &m->a[k], error) : status;
        status = status == CRN_OK && k != 2 ? need_numbers(path, &m->a[k], error) : status;
    }
    return status;
}

/* Is number k of the array an integer from 0 to `most`? */
static bool is_index(const array *a, size_t k, double most)
{
    const double value = number_at(a, k);
    return value >= 0.0 && value <= most && value == floor(value);
}

/* 'r' or 'c' of a csr or csc matrix, else 0. */
static char format_of(const array *format)
{
    if (format->width != 3 || (format->type != 'S' && format->type != 'U') || format->rows < 1) {
        return 0;
    }
    const int letter = format->type == 'U' ? 4 : 1; /* bytes of one */
    const char third = (char)format->values[2 * letter];
    return format->values[0] == 'c' && format->values[letter] == 's' && (third == 'c' || third == 'r') ? third : 0;
}

/* Compressed rows (or columns, sorted or not) into compressed columns, by the transpose: rows come out sorted. */
static crn_status transpose(const char *path, int n, const int *start, const int *index, const double *value,
                            int *to_start, int *to_index, double *to_value, crn_error *error)
{
    memset(to_start, 0, ((size_t)n + 1) * sizeof *to_start);
    for (int e = 0; e < start[n]; ++e) {
        ++to_start[index[e] + 1];
    }
    for (int i = 0; i < n; ++i) {
        to_start[i + 1] += to_start[i];
    }
    for (int j = 0; j < n; ++j) {
        for (int e = start[j]; e < start[j + 1]; ++e) {
            int place = to_start[index[e]]++;
            to_index[place] = j;
            to_value[place] = value[e];
        }
    }
    for (int i = n; i > 0; --i) {
        to_start[i] = to_start[i - 1];
    }
    to_start[0] = 0;
    for (int i = 0; i < n; ++i) {
        for (int e = to_start[i] + 1; e < to_start[i + 1]; ++e) {
            if (to_index[e] == to_index[e - 1]) {
                return crn_fail(error, CRN_ERR_FORMAT, "%s: an entry of row or column %d is given twice", path, i + 1);
            }
        }
    }
    return CRN_OK;
}

static crn_status check_pattern(const char *path, int n, int entries, const int *start, const int *index,
                                crn_error *error)
{
    bool is_good = start[0] == 0 && start[n] == entries;
    for (int j = 0; j < n && is_good; ++j) {
        is_good = start[j + 1] >= start[j];
    }
    for (int e = 0; e < entries && is_good; ++e) {
        is_good = index[e] >= 0 && index[e] < n;
    }
    return is_good ? CRN_OK : crn_fail(error, CRN_ERR_FORMAT, "%s: indptr or indices are out of range", path);
}

static crn_status fill_sparse(const char *path, const members *m, crn_lcp_data *data, crn_error *error)
{
    const array *indices = &m->a[0], *indptr = &m->a[1], *shape = &m->a[3], *values = &m->a[4];
    const char third = format_of(&m->a[2]);
    if (third == 0) {
        return crn_fail(error, CRN_ERR_FORMAT, "%s: format: only csc and csr matrices are read", path);
    }
    const bool has_order =
        shape->rows == 2 && is_index(shape, 0, INT_MAX - 1) && number_at(shape, 0) == number_at(shape, 1);
    const int n = has_order ? (int)number_at(shape, 0) : -1, entries = values->rows;
    const bool is_flat = indptr->columns == 1 && indices->columns == 1 && values->columns == 1;
    if (!has_order || !is_flat || indptr->rows - 1 != n || indices->rows != entries) {
        return crn_fail(error, CRN_ERR_FORMAT, "%s: M: not square, or sizes that do not agree", path);
    }
    const size_t count = (size_t)entries + 1, order = (size_t)n + 1;
    int *start = malloc(order * sizeof *start), *index = malloc(count * sizeof *index);
    double *value = malloc(count * sizeof *value);
    int *s1 = malloc(order * sizeof *s1), *i1 = malloc(count * sizeof *i1);
    double *v1 = malloc(count * sizeof *v1);
    crn_status status = CRN_ERR_MEMORY;
    if (start == NULL || index == NULL || value == NULL || s1 == NULL || i1 == NULL || v1 == NULL) {
        (void)crn_fail(error, CRN_ERR_MEMORY, "%s: no memory for %d entries", path, entries);
    } else {
        for (int j = 0; j <= n; ++j) { /* -1 is out of range */
            start[j] = is_index(indptr, (size_t)j, entries) ? (int)number_at(indptr, (size_t)j) : -1;
        }
        for (int e = 0; e < entries; ++e) {
            index[e] = is_index(indices, (size_t)e, n) ? (int)number_at(indices, (size_t)e) : -1;
            value[e] = number_at(values, (size_t)e);
        }
        status = check_pattern(path, n, entries, start, index, error);
        status = status == CRN_OK ? transpose(path, n, start, index, value, s1, i1, v1, error) : status;
        if (status == CRN_OK && third == 'c') { /* columns: once more, which sorts them */
            status = transpose(path, n, s1, i1, v1, start, index, value, error);
        }
    }
    const bool is_csc = third == 'c';
    data->storage[0] = is_csc ? start : s1;
    data->storage[1] = is_csc ? index : i1;
    data->storage[2] = is_csc ? value : v1;
    free(is_csc ? s1 : start);
    free(is_csc ? i1 : index);
    free(is_csc ? v1 : value);
    data->problem =
        (crn_lcp_problem){.n = n, .start = data->storage[0], .row = data->storage[1], .value = data->storage[2]};
    return status;
}

/* --- problems --- */

static crn_status parse_dense(const char *path, const bytes *file, crn_lcp_data *data, crn_error *error)
{
    array a;
    crn_status status = parse_array(path, file, &a, error);
    status = status == CRN_OK ? need_numbers(path, &a, error) : status;
    if (status == CRN_OK && (a.dimensions != 2 || a.rows != a.columns)) {
        status = crn_fail(error, CRN_ERR_FORMAT, "%s: M: not square: %d x %d", path, a.rows, a.columns);
    }
    if (status == CRN_OK) {
        const size_t n = (size_t)a.rows;
        double *M = malloc((n * n + 1) * sizeof *M);
        for (size_t k = 0; M != NULL && k < n * n; ++k) {
            size_t to = a.is_fortran ? k : k / n + k % n * n;
            M[to] = number_at(&a, k);
        }
        data->storage[0] = M;
        data->problem = (crn_lcp_problem){.n = a.rows, .M = M, .ld = a.rows > 0 ? a.rows : 1};
        status = M != NULL ? CRN_OK : crn_fail(error, CRN_ERR_MEMORY, "%s: no memory", path);
    }
    return status;
}

crn_status numpy_read_matrix(const char *path, crn_lcp_data *data, crn_error *error)
{
    bytes file;
    crn_status status = read_file(path, &file, error);
    status = status == CRN_OK ? numpy_parse_matrix(path, file.data, file.size, data, error) : status;
    free(file.data);
    return status;
}

crn_status numpy_parse_matrix(const char *path, unsigned char *text, size_t size, crn_lcp_data *data, crn_error *error)
{
    const bytes file = {text, size};
    data->allocator = crn_allocator_default();
    if (crn_file_format_of(path) == CRN_FILE_NPY) {
        return parse_dense(path, &file, data, error);
    }
    members m = {.file = {{NULL, 0}}};
    crn_status status = parse_members(path, &file, &m, error);
    status = status == CRN_OK ? fill_sparse(path, &m, data, error) : status;
    for (int k = 0; k < 5; ++k) {
        free(m.file[k].data);
    }
    return status;
}

crn_status numpy_read_vector(const char *path, int n, double *values, crn_error *error)
{
    if (crn_file_format_of(path) != CRN_FILE_NPY) {
        return crn_io_read_vector(path, n, values, NULL, error);
    }
    bytes file;
    array a;
    crn_status status = read_file(path, &file, error);
    status = status == CRN_OK ? parse_array(path, &file, &a, error) : status;
    status = status == CRN_OK ? need_numbers(path, &a, error) : status;
    if (status == CRN_OK && (size_t)a.rows * (size_t)a.columns != (size_t)n) {
        status = crn_fail(error, CRN_ERR_FORMAT, "%s: %d x %d numbers instead of %d", path, a.rows, a.columns, n);
    }
    for (int i = 0; i < n && status == CRN_OK; ++i) {
        values[i] = number_at(&a, (size_t)i);
    }
    free(file.data);
    return status;
}

/* As '<f8' says, whatever the machine. */
static void write_little_endian(FILE *file, double value)
{
    uint64_t bits;
    unsigned char byte[8];
    memcpy(&bits, &value, sizeof bits);
    for (int k = 0; k < 8; ++k) {
        byte[k] = (unsigned char)(bits >> (8 * k));
    }
    (void)fwrite(byte, 1, sizeof byte, file);
}

crn_status numpy_write_vector(const char *path, int n, const double *values, crn_error *error)
{
    if (crn_file_format_of(path) != CRN_FILE_NPY) {
        return crn_io_write_vector(path, n, values, error);
    }
    char header[128];
    int length = snprintf(header, sizeof header, "{'descr': '<f8', 'fortran_order': False, 'shape': (%d,), }", n);
    memset(header + length, ' ', sizeof header - (size_t)length);
    header[117] = '\n'; /* ten bytes and these are two lines of a cache */
    crn_io_output output;
    crn_status status = crn_io_output_open(&output, path, error);
    if (status != CRN_OK) {
        return status;
    }
    const unsigned char magic[10] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, 118, 0};
    (void)fwrite(magic, 1, sizeof magic, output.file); /* closing it finds out whether all could be written */
    (void)fwrite(header, 1, 118, output.file);
    for (int i = 0; i < n; ++i) {
        write_little_endian(output.file, values[i]);
    }
    return crn_io_output_close(&output, CRN_OK, error);
}

crn_status numpy_read_problem(const char *M, const char *q, const char *lower, const char *upper, crn_lcp_data *data,
                              crn_error *error)
{
    const char *const files[4] = {M, q, lower, upper};
    bool is_numpy = false;
    for (int k = 0; k < 4; ++k) {
        is_numpy = is_numpy || (files[k] != NULL && numpy_is_name(files[k]));
    }
    if (!is_numpy) {
        return crn_io_read_matrix_market(M, q, lower, upper, NULL, data, error);
    }
    const char *const paths[3] = {q, lower, upper};
    double *vectors[3] = {NULL, NULL, NULL};
    int rows = 0;
    crn_status status =
        numpy_is_name(M) ? numpy_read_matrix(M, data, error) : crn_io_read_matrix(M, NULL, data, &rows, error);
    if (status == CRN_OK && rows > 0 && rows != data->problem.n) {
        status = crn_fail(error, CRN_ERR_FORMAT, "%s: M: not square: %d x %d", M, rows, data->problem.n);
    }
    for (int k = 0; k < 3 && status == CRN_OK; ++k) {
        if (paths[k] == NULL) {
            continue;
        }
        data->storage[3 + k] = vectors[k] = malloc(((size_t)data->problem.n + 1) * sizeof(double));
        status = vectors[k] != NULL ? numpy_read_vector(paths[k], data->problem.n, vectors[k], error)
                                    : crn_fail(error, CRN_ERR_MEMORY, "%s: no memory", paths[k]);
    }
    data->problem.q = vectors[0];
    data->problem.lower = vectors[1];
    data->problem.upper = vectors[2];
    return status;
}
