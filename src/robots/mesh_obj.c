/* OBJ: lines "v x y z", and "f" with corners "v", "v/vt", "v/vt/vn" or "v//vn" that count from 1, or backwards from -1, the
 * last vertex before this line. A backslash at the end of a line goes on with the next. All other lines are skipped: they
 * say how things look. Vertices are read first, so that faces may lead to later ones. */
#include "robots/mesh_file.h"
#include "text/number.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

/* The next word of the current line, which may go on behind a backslash; a '#' ends it. */
static bool next_on_line(crn_io_text *text, crn_io_word *word)
{
    while (crn_io_text_more_on_line(text)) {
        if (*text->at == '#' || !crn_io_text_word(text, word)) {
            return false;
        }
        bool goes_on = word->text[word->length - 1] == '\\' && !crn_io_text_more_on_line(text);
        if (goes_on) {
            word->length--;
            (void)crn_io_text_rest_of_line(text);
        }
        if (word->length > 0) {
            return true;
        }
    }
    return false;
}

static void skip_line(crn_io_text *text)
{
    crn_io_word word;
    while (next_on_line(text, &word)) {
    }
    (void)crn_io_text_rest_of_line(text);
}

static crn_status read_vertex(crn_mesh_reader *reader, crn_io_text *text, int line)
{
    double point[3];
    for (int k = 0; k < 3; ++k) {
        crn_io_word word;
        char seen[CRN_IO_WORD_SHOWN + 4];
        if (!next_on_line(text, &word)) {
            return crn_io_text_fail(text, line, "v", "3 numbers are needed, but there are %d", k);
        }
        if (!crn_io_number_read(word.text, word.length, &point[k]) || !isfinite(point[k])) {
            return crn_io_text_fail(text, word.line, "v", "'%s' is not a finite number", crn_io_word_show(&word, seen));
        }
    }
    return crn_mesh_add_point(reader, point);
}

/* The number before the first '/'; 0 if it is none. */
static long long leading_integer(const crn_io_word *word)
{
    size_t at = word->text[0] == '-' || word->text[0] == '+' ? 1 : 0;
    long long value = 0;
    for (; at < word->length && word->text[at] >= '0' && word->text[at] <= '9'; ++at) {
        value = value <= INT_MAX ? value * 10 + (word->text[at] - '0') : value;
    }
    bool is_whole = at == word->length || word->text[at] == '/';
    return !is_whole ? 0 : word->text[0] == '-' ? -value : value;
}

static crn_status read_corner(crn_mesh_reader *reader, crn_io_text *text, const crn_io_word *word, int before)
{
    char seen[CRN_IO_WORD_SHOWN + 4];
    long long index = leading_integer(word);
    if (index == 0) {
        return crn_io_text_fail(text, word->line, "f", "'%s' is not a corner", crn_io_word_show(word, seen));
    }
    long long point = index > 0 ? index - 1 : before + index;
    if (point < 0 || point >= reader->mesh->count) {
        return crn_io_text_fail(text, word->line, "f", "'%s': there is no such vertex, of %d (%d before this line)",
                                crn_io_word_show(word, seen), reader->mesh->count, before);
    }
    return crn_mesh_add_corner(reader, (int)point);
}

static crn_status read_face(crn_mesh_reader *reader, crn_io_text *text, int line, int before)
{
    crn_io_word word;
    crn_status status = CRN_OK;
    reader->corners = 0;
    while (status == CRN_OK && next_on_line(text, &word)) {
        status = read_corner(reader, text, &word, before);
    }
    if (status == CRN_OK && reader->corners < 3) {
        status = crn_io_text_fail(text, line, "f", "at least 3 corners are needed, but there are %d", reader->corners);
    }
    char where[24];
    (void)snprintf(where, sizeof where, ":%d: f", line);
    return status == CRN_OK ? crn_mesh_add_polygon(reader, where) : status;
}

crn_status crn_mesh_read_obj(crn_mesh_reader *reader)
{
    crn_status status = CRN_OK;
    for (int pass = 0; pass < 2; ++pass) {
        crn_io_text text = crn_io_text_begin(reader->source, '\0', reader->error);
        int before = 0;
        while (status == CRN_OK && text.at < text.end) {
            crn_io_word word;
            int line = text.line;
            if (next_on_line(&text, &word) && word.length == 1) {
                bool is_vertex = word.text[0] == 'v', is_face = word.text[0] == 'f';
                before += is_vertex ? 1 : 0;
                if (is_vertex && pass == 0) {
                    status = read_vertex(reader, &text, line);
                } else if (is_face && pass == 1) {
                    status = read_face(reader, &text, line, before);
                }
            }
            skip_line(&text);
        }
    }
    return status;
}
