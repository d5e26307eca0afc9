/* Sparse storage of Siconos matrices: an integer ORIGIN, then what CSparse prints, line by line and 0-based.
 *
 *     CSparse Version ...
 *     triplet: R-by-C, nzmax: N nnz: K          or   R-by-C, nzmax: N nnz: K, 1-norm: X
 *         ROW COLUMN : VALUE                             col J : locations A to B
 *                                                          ROW : VALUE
 *
 * ORIGIN is 1 for triplets, 2 for compressed columns, 3 for compressed rows ("col" is then a row), 4 for one triangle
 * of a symmetric matrix as triplets. Entries given twice add up, as in CSparse. */
#include "text/number.h"
#include "io/siconos_matrix.h"
#include "io/triplets.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

enum { TRIPLET = 1, COLUMNS = 2, ROWS = 3, HALF_TRIPLET = 4 };

/* --- Words of a line --- */

/* Next word of the line. */
static crn_status line_word(crn_io_text *text, const char *field, crn_io_word *word)
{
    if (!crn_io_text_more_on_line(text) || !crn_io_text_word(text, word)) {
        return crn_io_text_fail(text, text->line, field, "missing on this line");
    }
    return CRN_OK;
}

/* A comma at the end of a word belongs to the line, not to the word. */
static void drop_comma(crn_io_word *word)
{
    if (word->length > 0 && word->text[word->length - 1] == ',') {
        --word->length;
    }
}

/* Next word of the line, which must be this one. */
static crn_status expect(crn_io_text *text, const char *wanted)
{
    crn_io_word word = {.text = ""};
    crn_status status = line_word(text, NULL, &word);
    if (status == CRN_OK && !crn_io_word_is(&word, wanted)) {
        char seen[CRN_IO_WORD_SHOWN + 4];
        status = crn_io_text_fail(text, word.line, NULL, "'%s' where '%s' was expected", crn_io_word_show(&word, seen),
                                  wanted);
    }
    return status;
}

/* An integer that may have been printed with "%g". */
static bool whole_number(const char *start, size_t length, int *value)
{
    double read = 0.0;
    if (!crn_io_number_read(start, length, &read) || !(read >= 0.0 && read <= INT_MAX) || read != floor(read)) {
        return false;
    }
    *value = (int)read;
    return true;
}

/* Next word of the line as a count or index of 0 .. limit; a comma behind it belongs to the line. */
static crn_status line_count(crn_io_text *text, const char *field, int limit, int *value)
{
    crn_io_word word = {.text = ""};
    crn_status status = line_word(text, field, &word);
    if (status != CRN_OK) {
        return status;
    }
    drop_comma(&word);
    char seen[CRN_IO_WORD_SHOWN + 4];
    if (!whole_number(word.text, word.length, value) || *value > limit) {
        return crn_io_text_fail(text, word.line, field, "'%s' is not an integer in 0 .. %d",
                                crn_io_word_show(&word, seen), limit);
    }
    return CRN_OK;
}

/* ": VALUE" and the end of the line. */
static crn_status line_value(crn_io_text *text, double *value)
{
    crn_status status = expect(text, ":");
    if (status == CRN_OK && !crn_io_text_more_on_line(text)) {
        status = crn_io_text_fail(text, text->line, NULL, "value missing on this line");
    }
    if (status == CRN_OK) {
        status = crn_io_text_real(text, NULL, CRN_IO_FINITE, value);
    }
    if (status == CRN_OK && crn_io_text_more_on_line(text)) {
        status = crn_io_text_fail(text, text->line, NULL, "unexpected text after the value");
    }
    return status;
}

/* Step over the end of the line and blank lines behind it; the next word begins a line. */
static crn_status next_line(crn_io_text *text)
{
    while (!crn_io_text_more_on_line(text)) {
        if (text->at == text->end) {
            return crn_io_text_fail(text, text->line, NULL, "missing: the file ends here");
        }
        (void)crn_io_text_rest_of_line(text);
    }
    return CRN_OK;
}

/* --- Head --- */

/* The word "R-by-C,". */
static crn_status read_by(crn_io_text *text, int rows, int columns)
{
    crn_io_word word = {.text = ""};
    crn_status status = line_word(text, "sizes", &word);
    if (status != CRN_OK) {
        return status;
    }
    char wanted[40];
    (void)snprintf(wanted, sizeof wanted, "%d-by-%d", rows, columns);
    drop_comma(&word);
    if (!crn_io_word_is(&word, wanted)) {
        char seen[CRN_IO_WORD_SHOWN + 4];
        return crn_io_text_fail(text, word.line, "sizes", "'%s' where '%s' was expected", crn_io_word_show(&word, seen),
                                wanted);
    }
    return CRN_OK;
}

/* The two lines before the entries; *entries is their number. */
static crn_status read_head(crn_io_text *text, int rows, int columns, bool is_triplet, int *entries)
{
    crn_io_word version;
    if (!crn_io_text_word(text, &version) || !crn_io_word_is(&version, "csparse")) {
        return crn_io_text_fail(text, version.line, NULL, "the line 'CSparse Version ...' was expected");
    }
    (void)crn_io_text_rest_of_line(text);
    crn_status status = next_line(text);
    if (status == CRN_OK && is_triplet) {
        status = expect(text, "triplet:");
    }
    if (status == CRN_OK) {
        status = read_by(text, rows, columns);
    }
    int room = 0;
    if (status == CRN_OK) {
        status = expect(text, "nzmax:");
    }
    if (status == CRN_OK) {
        status = line_count(text, "nzmax", INT_MAX, &room);
    }
    if (status == CRN_OK) {
        status = expect(text, "nnz:");
    }
    if (status == CRN_OK) {
        status = line_count(text, "nnz", INT_MAX / 2, entries);
    }
    if (status == CRN_OK && !crn_io_text_could_hold(text, (uint64_t)*entries, 3)) {
        status = crn_io_text_fail(text, text->line, "nnz", "%d entries claimed, but only %zu bytes follow", *entries,
                                  (size_t)(text->end - text->at));
    }
    if (status == CRN_OK) {
        (void)crn_io_text_rest_of_line(text);
    }
    return status;
}

/* --- Entries --- */

static crn_status read_triplets(crn_io_text *text, int rows, int columns, int entries, bool is_half,
                                crn_io_triplets *triplets)
{
    for (int k = 0; k < entries; ++k) {
        int row = 0, column = 0;
        double value = 0.0;
        crn_status status = next_line(text);
        if (status == CRN_OK) {
            status = line_count(text, "row", rows - 1, &row);
        }
        if (status == CRN_OK) {
            status = line_count(text, "column", columns - 1, &column);
        }
        if (status == CRN_OK) {
            status = line_value(text, &value);
        }
        if (status != CRN_OK) {
            return status;
        }
        crn_io_triplets_add(triplets, row, column, value, text->line);
        if (is_half && row != column) {
            crn_io_triplets_add(triplets, column, row, value, text->line);
        }
    }
    return CRN_OK;
}

/* "col J : locations A to B": J and A must be as expected; *end becomes B + 1. */
static crn_status read_column_line(crn_io_text *text, int column, int first, int entries, int *end)
{
    int label = 0, from = 0;
    crn_status status = next_line(text);
    if (status == CRN_OK) {
        status = expect(text, "col");
    }
    if (status == CRN_OK) {
        status = line_count(text, "column", INT_MAX, &label);
    }
    if (status == CRN_OK) {
        status = expect(text, ":");
    }
    if (status == CRN_OK) {
        status = expect(text, "locations");
    }
    if (status == CRN_OK) {
        status = line_count(text, "locations", entries, &from);
    }
    if (status == CRN_OK && (label != column || from != first)) {
        status = crn_io_text_fail(text, text->line, NULL, "column %d from location %d was expected", column, first);
    }
    if (status == CRN_OK) {
        status = expect(text, "to");
    }

    /* The last location of an empty column is one before the first, and so may be -1. */
    crn_io_word word = {.text = ""};
    if (status == CRN_OK) {
        status = line_word(text, "locations", &word);
    }
    if (status != CRN_OK) {
        return status;
    }
    int last = -1;
    bool is_read = crn_io_word_is(&word, "-1") || whole_number(word.text, word.length, &last);
    if (!is_read || last < first - 1 || last >= entries) {
        return crn_io_text_fail(text, text->line, "locations", "they must end in %d .. %d", first - 1, entries - 1);
    }
    *end = last + 1;
    return CRN_OK;
}

/* Compressed columns, or compressed rows printed as if they were columns. */
static crn_status read_columns(crn_io_text *text, int rows, int columns, int entries, bool is_by_rows,
                               crn_io_triplets *triplets)
{
    int k = 0, groups = is_by_rows ? rows : columns, places = is_by_rows ? columns : rows;
    for (int j = 0; j < groups; ++j) {
        int end = 0;
        crn_status status = read_column_line(text, j, k, entries, &end);
        for (; status == CRN_OK && k < end; ++k) {
            int i = 0;
            double value = 0.0;
            status = next_line(text);
            if (status == CRN_OK) {
                status = line_count(text, "row", places - 1, &i);
            }
            if (status == CRN_OK) {
                status = line_value(text, &value);
            }
            if (status == CRN_OK) {
                crn_io_triplets_add(triplets, is_by_rows ? j : i, is_by_rows ? i : j, value, text->line);
            }
        }
        if (status != CRN_OK) {
            return status;
        }
    }
    if (k != entries) {
        return crn_io_text_fail(text, text->line, "nnz", "%d entries claimed, %d found", entries, k);
    }
    return CRN_OK;
}

crn_status crn_io_siconos_csparse(crn_io_text *text, int rows, int columns, const crn_allocator *allocator,
                                  crn_io_matrix *matrix)
{
    int origin = 0, entries = 0;
    crn_status status = crn_io_text_int(text, "origin", TRIPLET, HALF_TRIPLET, &origin);
    bool is_half = origin == HALF_TRIPLET, is_triplet = origin == TRIPLET || is_half;
    if (status == CRN_OK && is_half && rows != columns) {
        status = crn_io_text_fail(text, text->line, "origin", "one triangle of a matrix that is not square");
    }
    if (status == CRN_OK) {
        status = read_head(text, rows, columns, is_triplet, &entries);
    }
    if (status != CRN_OK) {
        return status;
    }
    crn_io_triplets triplets;
    status = crn_io_triplets_take(&triplets, allocator, text->name, is_half ? 2 * entries : entries, text->error);
    if (status == CRN_OK) {
        status = is_triplet ? read_triplets(text, rows, columns, entries, is_half, &triplets)
                            : read_columns(text, rows, columns, entries, origin == ROWS, &triplets);
    }
    if (status == CRN_OK) {
        status = crn_io_triplets_compress(&triplets, rows, columns, CRN_IO_DUPLICATES_ADD, text, allocator, matrix);
    }
    crn_io_triplets_free(&triplets, allocator);
    return status;
}
