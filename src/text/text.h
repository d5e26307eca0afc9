/* Words and numbers of a text in memory, with the line they stand on.
 *
 * Every failure has the form "FILE:LINE: FIELD: what is wrong", or "FILE:LINE: FIELD of OWNER: what is wrong". */
#ifndef CAIRN_TEXT_TEXT_H
#define CAIRN_TEXT_TEXT_H

#include "text/source.h"

/** A position in a text. Copy it to look ahead. */
typedef struct crn_io_text {
    const char *name;
    const char *at, *end; /* what has not been read yet */
    int line;             /* of at, 1-based */
    char comment;         /* lines after the first that start with it are skipped; '\0': none */
    const char *owner;    /* whose fields are being read: "M"; NULL: nobody's */
    crn_error *error;     /* where failures are written; may be NULL */
} crn_io_text;

/** A run of characters without white space. */
typedef struct crn_io_word {
    const char *text;
    size_t length;
    int line;
} crn_io_word;

/** Which numbers a field may hold. NaN is never allowed. */
typedef enum crn_io_range { CRN_IO_FINITE, CRN_IO_MAY_BE_INFINITE } crn_io_range;

/** Begin at the first line of source. */
crn_io_text crn_io_text_begin(const crn_io_source *source, char comment, crn_error *error);

/** Next word, over as many lines as it takes; false at the end of the text. */
bool crn_io_text_word(crn_io_text *text, crn_io_word *word);

/** Is there another word on the current line? */
bool crn_io_text_more_on_line(crn_io_text *text);

/** The rest of the current line as one word without the white space around it; moves to the next line. */
crn_io_word crn_io_text_rest_of_line(crn_io_text *text);

/** Can the rest of the text hold count items of this many words each? A claim that fails here is a lie, and nothing
 *  should be allocated for it. */
bool crn_io_text_could_hold(const crn_io_text *text, uint64_t count, int words_each);

/** Next word as an integer of lowest .. highest. */
crn_status crn_io_text_int(crn_io_text *text, const char *field, int lowest, int highest, int *value);

/** Next word as a number. */
crn_status crn_io_text_real(crn_io_text *text, const char *field, crn_io_range range, double *value);

/** Next count words as numbers. */
crn_status crn_io_text_reals(crn_io_text *text, const char *field, crn_io_range range, size_t count, double *values);

/** How many of the next words are numbers, up to limit? Does not move. */
size_t crn_io_text_count_numbers(const crn_io_text *text, size_t limit);

/** Is the word this lower-case name, in any case? */
bool crn_io_word_is(const crn_io_word *word, const char *name);

/** Longest part of a word that messages show. */
enum { CRN_IO_WORD_SHOWN = 24 };

/** The word made fit for a message: cut, with odd characters as '?'. Returns text. */
const char *crn_io_word_show(const crn_io_word *word, char text[CRN_IO_WORD_SHOWN + 4]);

/** Fail with CRN_ERR_FORMAT at a line (0: the file has no lines). field NULL: the owner itself. */
crn_status crn_io_text_fail(const crn_io_text *text, int line, const char *field, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 4, 5)))
#endif
    ;

#endif
