/* Words and numbers of a text in memory. */
#include "text/text.h"

#include "text/number.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Longest part of a file name that messages show; the end of a name tells more than its start. */
enum { NAME_SHOWN = 120 };

crn_io_text crn_io_text_begin(const crn_io_source *source, char comment, crn_error *error)
{
    const char *first = source->text != NULL ? source->text : "";
    return (crn_io_text){
        .name = source->name, .at = first, .end = first + source->size, .line = 1, .comment = comment, .error = error};
}

crn_status crn_io_text_fail(const crn_io_text *text, int line, const char *field, const char *format, ...)
{
    char what[160];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);

    size_t length = strlen(text->name);
    bool is_long = length > NAME_SHOWN;
    char at[16] = "";
    if (line > 0) {
        (void)snprintf(at, sizeof at, ":%d", line);
    }
    bool is_part = field != NULL && text->owner != NULL;
    return crn_fail(text->error, CRN_ERR_FORMAT, "%s%s%s: %s%s%s: %s", is_long ? "..." : "",
                    is_long ? text->name + (length - NAME_SHOWN) : text->name, at, field != NULL ? field : "",
                    is_part ? " of " : "", is_part || field == NULL ? text->owner : "", what);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/* Move over blanks and line ends; returns whether a line end was passed. */
static bool skip_space(crn_io_text *text)
{
    bool is_new_line = false;
    while (text->at < text->end && (is_blank(*text->at) || *text->at == '\n')) {
        if (*text->at == '\n') {
            is_new_line = true;
            text->line += text->line < INT_MAX;
        }
        ++text->at;
    }
    return is_new_line;
}

/* Move to the end of the current line, not over it. */
static void skip_line(crn_io_text *text)
{
    while (text->at < text->end && *text->at != '\n') {
        ++text->at;
    }
}

bool crn_io_text_word(crn_io_text *text, crn_io_word *word)
{
    bool is_first = skip_space(text);
    while (is_first && text->at < text->end && text->comment != '\0' && *text->at == text->comment) {
        skip_line(text);
        is_first = skip_space(text);
    }
    word->text = text->at;
    word->line = text->line;
    while (text->at < text->end && !is_blank(*text->at) && *text->at != '\n') {
        ++text->at;
    }
    word->length = (size_t)(text->at - word->text);
    return word->length > 0;
}

bool crn_io_text_more_on_line(crn_io_text *text)
{
    while (text->at < text->end && is_blank(*text->at)) {
        ++text->at;
    }
    return text->at < text->end && *text->at != '\n';
}

crn_io_word crn_io_text_rest_of_line(crn_io_text *text)
{
    (void)crn_io_text_more_on_line(text);
    crn_io_word word = {.text = text->at, .line = text->line};
    skip_line(text);
    const char *end = text->at;
    while (end > word.text && is_blank(end[-1])) {
        --end;
    }
    word.length = (size_t)(end - word.text);
    if (text->at < text->end) {
        ++text->at;
        text->line += text->line < INT_MAX;
    }
    return word;
}

bool crn_io_text_could_hold(const crn_io_text *text, uint64_t count, int words_each)
{
    /* A word takes a character and, but for the last one, a separator. */
    uint64_t words = ((uint64_t)(text->end - text->at) + 1) / 2;
    return count <= words / (uint64_t)words_each;
}

bool crn_io_word_is(const crn_io_word *word, const char *name)
{
    if (word->length != strlen(name)) {
        return false;
    }
    for (size_t i = 0; i < word->length; ++i) {
        char c = word->text[i];
        if ((c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c) != name[i]) {
            return false;
        }
    }
    return true;
}

const char *crn_io_word_show(const crn_io_word *word, char text[CRN_IO_WORD_SHOWN + 4])
{
    size_t length = word->length < CRN_IO_WORD_SHOWN ? word->length : CRN_IO_WORD_SHOWN;
    for (size_t i = 0; i < length; ++i) {
        text[i] = word->text[i] >= ' ' && word->text[i] <= '~' ? word->text[i] : '?';
    }
    text[length] = '\0';
    if (word->length > CRN_IO_WORD_SHOWN) {
        memcpy(text + length, "...", sizeof "...");
    }
    return text;
}

/* Next word, which must be there. */
static crn_status need_word(crn_io_text *text, const char *field, crn_io_word *word)
{
    if (!crn_io_text_word(text, word)) {
        return crn_io_text_fail(text, text->line, field, "missing: the file ends here");
    }
    return CRN_OK;
}

/* Digits with a sign, cut off at a size beyond every int. */
static bool read_integer(const crn_io_word *word, long long *value)
{
    size_t at = word->text[0] == '-' || word->text[0] == '+' ? 1 : 0;
    if (at == word->length) {
        return false;
    }
    long long sum = 0;
    for (; at < word->length; ++at) {
        if (word->text[at] < '0' || word->text[at] > '9') {
            return false;
        }
        sum = sum <= INT_MAX ? sum * 10 + (word->text[at] - '0') : sum;
    }
    *value = word->text[0] == '-' ? -sum : sum;
    return true;
}

crn_status crn_io_text_int(crn_io_text *text, const char *field, int lowest, int highest, int *value)
{
    crn_io_word word;
    crn_status status = need_word(text, field, &word);
    if (status != CRN_OK) {
        return status;
    }
    char seen[CRN_IO_WORD_SHOWN + 4];
    long long read = 0;
    if (!read_integer(&word, &read)) {
        return crn_io_text_fail(text, word.line, field, "'%s' is not an integer", crn_io_word_show(&word, seen));
    }
    if (read < 0 && lowest >= 0) {
        return crn_io_text_fail(text, word.line, field, "%s is negative", crn_io_word_show(&word, seen));
    }
    if (read < lowest || read > highest) {
        return crn_io_text_fail(text, word.line, field, "%s is not in %d .. %d", crn_io_word_show(&word, seen), lowest,
                                highest);
    }
    *value = (int)read;
    return CRN_OK;
}

crn_status crn_io_text_real(crn_io_text *text, const char *field, crn_io_range range, double *value)
{
    crn_io_word word;
    crn_status status = need_word(text, field, &word);
    if (status != CRN_OK) {
        return status;
    }
    char seen[CRN_IO_WORD_SHOWN + 4];
    if (!crn_io_number_read(word.text, word.length, value)) {
        return crn_io_text_fail(text, word.line, field, "'%s' is not a number", crn_io_word_show(&word, seen));
    }
    if (isnan(*value)) {
        return crn_io_text_fail(text, word.line, field, "'%s' is not allowed", crn_io_word_show(&word, seen));
    }
    bool is_written_out = strpbrk(crn_io_word_show(&word, seen), "0123456789") != NULL;
    if (isinf(*value) && (range == CRN_IO_FINITE || is_written_out)) {
        return crn_io_text_fail(text, word.line, field, "'%s' is not finite", seen);
    }
    return CRN_OK;
}

crn_status crn_io_text_reals(crn_io_text *text, const char *field, crn_io_range range, size_t count, double *values)
{
    for (size_t i = 0; i < count; ++i) {
        crn_status status = crn_io_text_real(text, field, range, &values[i]);
        if (status != CRN_OK) {
            return status;
        }
    }
    return CRN_OK;
}

size_t crn_io_text_count_numbers(const crn_io_text *text, size_t limit)
{
    crn_io_text ahead = *text;
    crn_io_word word;
    double value;
    size_t count = 0;
    while (count < limit && crn_io_text_word(&ahead, &word) && crn_io_number_read(word.text, word.length, &value)) {
        ++count;
    }
    return count;
}
