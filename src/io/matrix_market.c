/* Matrix Market files: M as array (dense) or coordinate (sparse), vectors as either.
 *
 *     %%MatrixMarket matrix FORMAT FIELD SYMMETRY
 *     % comments
 *     ROWS COLUMNS [ENTRIES]
 *     array: VALUE, column by column; coordinate: ROW COLUMN [VALUE] with indices from 1, one entry per line
 *
 * Symmetric files store one triangle: arrays the lower one column by column (skew-symmetric: without the diagonal).
 * What a file claims is checked against its length before anything is allocated. Blank lines and, beyond the standard,
 * several values of an array on one line are accepted; an entry given twice is not. */
#include "io/io_room.h"
#include "text/text.h"
#include "io/triplets.h"

#include <limits.h>
#include <math.h>

typedef enum field { FIELD_REAL, FIELD_INTEGER, FIELD_PATTERN } field;
typedef enum symmetry { GENERAL, SYMMETRIC, SKEW } symmetry;

/* The first two lines of a file. */
typedef struct header {
    bool is_array;
    field field;
    symmetry symmetry;
    int rows, columns;
    int entries; /* coordinate only */
    int line;    /* of the sizes */
} header;

/* A coordinate matrix may have empty columns, so its order is not bounded by the entries. This many rows are believed
 * without evidence; beyond them a file must have at least a byte per row. */
enum { ROWS_BELIEVED = 1 << 20 };

/* --- Header --- */

/* Next word of the header line against a list of names; *choice is its index. */
static crn_status read_choice(crn_io_text *text, const char *what, const char *const *names, int count, int *choice)
{
    crn_io_word word;
    if (!crn_io_text_more_on_line(text) || !crn_io_text_word(text, &word)) {
        return crn_io_text_fail(text, 1, "header", "%s is missing", what);
    }
    for (*choice = 0; *choice < count; ++*choice) {
        if (crn_io_word_is(&word, names[*choice])) {
            return CRN_OK;
        }
    }
    char seen[CRN_IO_WORD_SHOWN + 4];
    return crn_io_text_fail(text, 1, "header", "unknown %s '%s'", what, crn_io_word_show(&word, seen));
}

/* The banner line. */
static crn_status read_banner(crn_io_text *text, header *h)
{
    static const char *const banners[] = {"%%matrixmarket"};
    static const char *const objects[] = {"matrix"};
    static const char *const formats[] = {"coordinate", "array"};
    static const char *const fields[] = {"real", "integer", "pattern", "double", "complex"};
    static const char *const symmetries[] = {"general", "symmetric", "skew-symmetric", "hermitian"};
    int banner = 0, object = 0, format = 0, kind = 0, mirror = 0;
    crn_status status = read_choice(text, "banner (expected %%MatrixMarket)", banners, 1, &banner);
    if (status == CRN_OK) {
        status = read_choice(text, "object (expected matrix)", objects, 1, &object);
    }
    if (status == CRN_OK) {
        status = read_choice(text, "format (expected coordinate or array)", formats, 2, &format);
    }
    if (status == CRN_OK) {
        status = read_choice(text, "field (expected real, integer or pattern)", fields, 5, &kind);
    }
    if (status == CRN_OK) {
        status = read_choice(text, "symmetry (expected general, symmetric or skew-symmetric)", symmetries, 4, &mirror);
    }
    if (status != CRN_OK) {
        return status;
    }
    if (kind == 4 || mirror == 3) {
        return crn_fail(text->error, CRN_ERR_UNSUPPORTED,
                        "%s:1: header: complex and hermitian matrices are not supported", text->name);
    }
    h->is_array = format == 1;
    h->field = kind == 3 ? FIELD_REAL : (field)kind;
    h->symmetry = (symmetry)mirror;
    if (h->field == FIELD_PATTERN && (h->is_array || h->symmetry == SKEW)) {
        return crn_io_text_fail(text, 1, "header", "a pattern is neither an array nor skew-symmetric");
    }
    if (crn_io_text_more_on_line(text)) {
        return crn_io_text_fail(text, 1, "header", "unexpected text after the symmetry");
    }
    return CRN_OK;
}

/* One of the sizes, which stand on one line. */
static crn_status read_size(crn_io_text *text, const char *what, int *size)
{
    if (!crn_io_text_more_on_line(text)) {
        return crn_io_text_fail(text, text->line, what, "missing on this line");
    }
    return crn_io_text_int(text, what, 0, INT_MAX, size);
}

/* The line of sizes. */
static crn_status read_sizes(crn_io_text *text, header *h)
{
    crn_status status = crn_io_text_int(text, "rows", 0, INT_MAX, &h->rows);
    h->line = text->line;
    if (status == CRN_OK) {
        status = read_size(text, "columns", &h->columns);
    }
    if (status == CRN_OK && !h->is_array) {
        status = read_size(text, "entries", &h->entries);
    }
    if (status == CRN_OK && crn_io_text_more_on_line(text)) {
        status = crn_io_text_fail(text, h->line, "sizes", "unexpected text after them");
    }
    if (status == CRN_OK && h->symmetry != GENERAL && h->rows != h->columns) {
        status = crn_io_text_fail(text, h->line, "sizes", "symmetric, but %d x %d is not square", h->rows, h->columns);
    }
    return status;
}

/* How many values an array file stores. */
static uint64_t stored_values(const header *h)
{
    uint64_t rows = (uint64_t)h->rows, columns = (uint64_t)h->columns;
    if (h->symmetry == SYMMETRIC) {
        return rows * (rows + 1) / 2;
    }
    if (h->symmetry == SKEW) {
        return rows > 0 ? rows * (rows - 1) / 2 : 0;
    }
    return rows * columns;
}

/* Refuse claims that the rest of the file cannot keep. */
static crn_status check_claims(const crn_io_text *text, const header *h)
{
    int words_each = h->is_array ? 1 : h->field == FIELD_PATTERN ? 2 : 3;
    uint64_t claimed = h->is_array ? stored_values(h) : (uint64_t)h->entries;
    if (!crn_io_text_could_hold(text, claimed, words_each)) {
        return crn_io_text_fail(text, h->line, h->is_array ? "sizes" : "entries",
                                "%llu values claimed, but only %zu bytes follow", (unsigned long long)claimed,
                                (size_t)(text->end - text->at));
    }
    return CRN_OK;
}

/* Everything before the values. */
static crn_status read_header(crn_io_text *text, header *h)
{
    *h = (header){.is_array = false};
    crn_status status = read_banner(text, h);
    if (status == CRN_OK) {
        status = read_sizes(text, h);
    }
    if (status == CRN_OK) {
        status = check_claims(text, h);
    }
    return status;
}

/* Nothing but comments may follow the values. */
static crn_status expect_end(crn_io_text *text)
{
    crn_io_word word;
    if (crn_io_text_word(text, &word)) {
        return crn_io_text_fail(text, word.line, "end", "unexpected text after the last value");
    }
    return CRN_OK;
}

/* --- Values --- */

/* A value of the header's field. */
static crn_status read_value(crn_io_text *text, const char *name, const header *h, crn_io_range range, double *value)
{
    crn_status status = crn_io_text_real(text, name, range, value);
    if (status == CRN_OK && h->field == FIELD_INTEGER && isfinite(*value) && *value != floor(*value)) {
        status = crn_io_text_fail(text, text->line, name, "%g in a file of integers", *value);
    }
    return status;
}

/* An entry of a coordinate file. */
typedef struct entry {
    int row, column; /* 0-based */
    double value;
    int line;
} entry;

/* One line of a coordinate file. */
static crn_status read_entry(crn_io_text *text, const char *name, const header *h, crn_io_range range, entry *e)
{
    *e = (entry){.value = 1.0};
    crn_status status = crn_io_text_int(text, "row", 1, h->rows, &e->row);
    e->line = text->line;
    if (status == CRN_OK && !crn_io_text_more_on_line(text)) {
        status = crn_io_text_fail(text, e->line, "column", "missing on this line");
    }
    if (status == CRN_OK) {
        status = crn_io_text_int(text, "column", 1, h->columns, &e->column);
    }
    if (status == CRN_OK && h->field != FIELD_PATTERN) {
        if (!crn_io_text_more_on_line(text)) {
            return crn_io_text_fail(text, e->line, name, "value missing on this line");
        }
        status = read_value(text, name, h, range, &e->value);
    }
    if (status == CRN_OK && crn_io_text_more_on_line(text)) {
        status = crn_io_text_fail(text, e->line, name, "unexpected text after the entry");
    }
    --e->row;
    --e->column;
    return status;
}

/* --- The matrix --- */

/* Array: all values, mirrored if only a triangle is stored. */
static crn_status read_dense(crn_io_text *text, const header *h, crn_lcp_data *data)
{
    const size_t n = (size_t)h->rows, columns = (size_t)h->columns;
    double *M = NULL;
    if (columns > 0 && n > SIZE_MAX / columns) {
        return crn_fail(text->error, CRN_ERR_MEMORY, "%s: no memory for %zu x %zu values", text->name, n, columns);
    }
    crn_status status = crn_io_take_reals(data, CRN_IO_SLOT_M, text->name, n * columns, &M, text->error);
    for (size_t j = 0; j < columns && status == CRN_OK; ++j) {
        size_t first = h->symmetry == GENERAL ? 0 : h->symmetry == SYMMETRIC ? j : j + 1;
        if (h->symmetry == SKEW) {
            M[j + j * n] = 0.0;
        }
        for (size_t i = first; i < n && status == CRN_OK; ++i) {
            double *value = &M[i + j * n];
            status = read_value(text, "M", h, CRN_IO_FINITE, value);
            if (status == CRN_OK && h->symmetry != GENERAL) {
                M[j + i * n] = h->symmetry == SKEW ? -*value : *value;
            }
        }
    }
    data->problem.n = h->columns;
    data->problem.ld = h->rows > 0 ? h->rows : 1;
    data->problem.M = M;
    return status;
}

/* Coordinate: all entries, mirrored if only a triangle is stored. */
static crn_status read_entries(crn_io_text *text, const header *h, crn_io_triplets *triplets)
{
    for (int k = 0; k < h->entries; ++k) {
        entry e;
        crn_status status = read_entry(text, "M", h, CRN_IO_FINITE, &e);
        if (status == CRN_OK && h->symmetry == SKEW && e.row == e.column) {
            status = crn_io_text_fail(text, e.line, "M", "a skew-symmetric file has no diagonal");
        }
        if (status != CRN_OK) {
            return status;
        }
        crn_io_triplets_add(triplets, e.row, e.column, e.value, e.line);
        if (h->symmetry != GENERAL && e.row != e.column) {
            crn_io_triplets_add(triplets, e.column, e.row, h->symmetry == SKEW ? -e.value : e.value, e.line);
        }
    }
    return CRN_OK;
}

static crn_status read_sparse(crn_io_text *text, const header *h, crn_lcp_data *data)
{
    if (h->rows > ROWS_BELIEVED && text->end - text->at < h->rows) {
        return crn_io_text_fail(text, h->line, "rows", "%d rows claimed, but only %zu bytes follow", h->rows,
                                (size_t)(text->end - text->at));
    }
    if (h->symmetry != GENERAL && h->entries > INT_MAX / 2) {
        return crn_io_text_fail(text, h->line, "entries", "%d of a triangle are too many", h->entries);
    }
    crn_io_triplets triplets;
    int capacity = h->symmetry == GENERAL ? h->entries : 2 * h->entries;
    crn_status status = crn_io_triplets_take(&triplets, &data->allocator, text->name, capacity, text->error);
    if (status == CRN_OK) {
        status = read_entries(text, h, &triplets);
    }
    if (status == CRN_OK) {
        crn_io_matrix matrix = {0};
        status = crn_io_triplets_compress(&triplets, h->rows, h->columns, CRN_IO_DUPLICATES_FAIL, text,
                                          &data->allocator, &matrix);
        crn_io_adopt(data, &matrix);
    }
    crn_io_triplets_free(&triplets, &data->allocator);
    return status;
}

/* A matrix, square if rows is NULL; else the number of its rows goes there, and that of its columns is data's n. */
static crn_status parse_matrix(const crn_io_source *source, crn_lcp_data *data, int *rows, crn_error *error)
{
    crn_io_text text = crn_io_text_begin(source, '%', error);
    header h;
    crn_status status = read_header(&text, &h);
    if (status == CRN_OK && h.rows != h.columns && (rows == NULL || h.symmetry != GENERAL)) {
        status = crn_io_text_fail(&text, h.line, "M", "not square: %d rows and %d columns", h.rows, h.columns);
    }
    if (status == CRN_OK) {
        status = h.is_array ? read_dense(&text, &h, data) : read_sparse(&text, &h, data);
    }
    if (status == CRN_OK && rows != NULL) {
        *rows = h.rows;
    }
    return status == CRN_OK ? expect_end(&text) : status;
}

crn_status crn_io_read_matrix(const char *path, const crn_allocator *allocator, crn_lcp_data *data, int *rows,
                              crn_error *error)
{
    if (path == NULL || data == NULL || rows == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "path, data or rows: NULL");
    }
    crn_io_source source;
    crn_io_begin(data, allocator);
    crn_status status = crn_io_load(path, &data->allocator, &source, error);
    if (status == CRN_OK) {
        status = parse_matrix(&source, data, rows, error);
        crn_io_unload(&data->allocator, &source);
    }
    if (status != CRN_OK) {
        crn_lcp_data_free(data);
        return status;
    }
    return crn_fail(error, CRN_OK, "%s", "");
}

/* --- Vectors --- */

/* What a vector is for, and so what its values must obey. */
typedef struct purpose {
    const char *name;
    enum { ANY_NUMBER, DATA, LOWER_BOUND, UPPER_BOUND } kind;
    const double *lower; /* of an upper bound: what it must not be below; NULL: 0 */
} purpose;

static crn_status check_value(const crn_io_text *text, int line, const purpose *p, int i, double value)
{
    if (p->kind == LOWER_BOUND && value == INFINITY) {
        return crn_io_text_fail(text, line, p->name, "entry %d: a lower bound cannot be +inf", i + 1);
    }
    if (p->kind == UPPER_BOUND && value == -INFINITY) {
        return crn_io_text_fail(text, line, p->name, "entry %d: an upper bound cannot be -inf", i + 1);
    }
    double lower = p->lower != NULL ? p->lower[i] : 0.0;
    if (p->kind == UPPER_BOUND && value < lower) {
        return crn_io_text_fail(text, line, p->name, "entry %d: lower bound %g is over upper bound %g", i + 1, lower,
                                value);
    }
    return CRN_OK;
}

static crn_status read_array_vector(crn_io_text *text, const header *h, const purpose *p, int n, double *values)
{
    crn_io_range range = p->kind == DATA ? CRN_IO_FINITE : CRN_IO_MAY_BE_INFINITE;
    crn_status status = CRN_OK;
    for (int i = 0; i < n && status == CRN_OK; ++i) {
        status = read_value(text, p->name, h, range, &values[i]);
        if (status == CRN_OK) {
            status = check_value(text, text->line, p, i, values[i]);
        }
    }
    return status;
}

/* NaN, which no file may hold, marks the places that have not been given. */
static crn_status read_coordinate_vector(crn_io_text *text, const header *h, const purpose *p, int n, double *values)
{
    crn_io_range range = p->kind == DATA ? CRN_IO_FINITE : CRN_IO_MAY_BE_INFINITE;
    for (int i = 0; i < n; ++i) {
        values[i] = NAN;
    }
    for (int k = 0; k < h->entries; ++k) {
        entry e;
        crn_status status = read_entry(text, p->name, h, range, &e);
        int i = e.row + e.column; /* one of the two is 0 */
        if (status == CRN_OK && !isnan(values[i])) {
            status = crn_io_text_fail(text, e.line, p->name, "entry %d is given twice", i + 1);
        }
        if (status != CRN_OK) {
            return status;
        }
        values[i] = e.value;
    }
    crn_status status = CRN_OK;
    for (int i = 0; i < n && status == CRN_OK; ++i) {
        values[i] = isnan(values[i]) ? 0.0 : values[i];
        status = check_value(text, text->line, p, i, values[i]);
    }
    return status;
}

static crn_status parse_values(const crn_io_source *source, const purpose *p, int n, double *values, crn_error *error)
{
    crn_io_text text = crn_io_text_begin(source, '%', error);
    header h;
    crn_status status = read_header(&text, &h);
    if (status != CRN_OK) {
        return status;
    }
    bool is_column = h.rows == n && h.columns == 1, is_row = h.rows == 1 && h.columns == n;
    if (!is_column && !is_row) {
        return crn_io_text_fail(&text, h.line, p->name, "%d x %d, but %d x 1 is needed", h.rows, h.columns, n);
    }
    if (h.symmetry != GENERAL) {
        return crn_io_text_fail(&text, 1, p->name, "a vector must be general");
    }
    status = h.is_array ? read_array_vector(&text, &h, p, n, values) : read_coordinate_vector(&text, &h, p, n, values);
    return status == CRN_OK ? expect_end(&text) : status;
}

crn_status crn_io_parse_vector(const crn_io_source *source, int n, double *values, crn_error *error)
{
    purpose p = {.name = "vector", .kind = ANY_NUMBER};
    return parse_values(source, &p, n, values, error);
}

/* Take a slot of data and read a vector of length n into it. */
static crn_status read_slot(const crn_io_source *source, const purpose *p, int slot, crn_lcp_data *data,
                            const double **values, crn_error *error)
{
    double *taken = NULL;
    int n = data->problem.n;
    crn_status status = crn_io_take_reals(data, slot, source->name, (size_t)n, &taken, error);
    if (status == CRN_OK) {
        status = parse_values(source, p, n, taken, error);
    }
    *values = taken;
    return status;
}

/* --- The problem --- */

crn_status crn_io_parse_matrix_market(const crn_io_source *M, const crn_io_source *q, const crn_io_source *lower,
                                      const crn_io_source *upper, const crn_allocator *allocator, crn_lcp_data *data,
                                      crn_error *error)
{
    crn_io_begin(data, allocator);
    crn_lcp_problem *problem = &data->problem;
    crn_status status = parse_matrix(M, data, NULL, error);
    if (status == CRN_OK) {
        purpose p = {.name = "q", .kind = DATA};
        status = read_slot(q, &p, CRN_IO_SLOT_Q, data, &problem->q, error);
    }
    if (status == CRN_OK && lower != NULL) {
        purpose p = {.name = "lower", .kind = LOWER_BOUND};
        status = read_slot(lower, &p, CRN_IO_SLOT_LOWER, data, &problem->lower, error);
    }
    if (status == CRN_OK && upper != NULL) {
        purpose p = {.name = "upper", .kind = UPPER_BOUND, .lower = problem->lower};
        status = read_slot(upper, &p, CRN_IO_SLOT_UPPER, data, &problem->upper, error);
    }
    if (status != CRN_OK) {
        crn_lcp_data_free(data);
        return status;
    }
    return crn_fail(error, CRN_OK, "%s", "");
}
