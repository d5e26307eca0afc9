/* A parsed JSON text, and reading typed values from it with messages that name their place: "contacts[3].normal".
 *
 * The text is parsed by jansson, in json.c alone; a build without it has a parser of our own, json_own.c. */
#ifndef CAIRN_IO_JSON_H
#define CAIRN_IO_JSON_H

#include "io/io_room.h"

/** A value of a parsed text. */
typedef struct crn_json crn_json;

typedef enum crn_json_kind {
    CRN_JSON_OTHER = 0, /* null */
    CRN_JSON_NUMBER,
    CRN_JSON_STRING,
    CRN_JSON_ARRAY,
    CRN_JSON_OBJECT,
    CRN_JSON_BOOL
} crn_json_kind;

/** Parse a text; a key that is given twice is an error. Release with crn_json_free(). */
crn_status crn_json_parse(const crn_io_source *source, crn_json **root, crn_error *error);
void crn_json_free(crn_json *root);

crn_json_kind crn_json_kind_of(const crn_json *value);
double crn_json_number(const crn_json *number);
const char *crn_json_string(const crn_json *string);
bool crn_json_bool(const crn_json *truth);
size_t crn_json_count(const crn_json *array);
const crn_json *crn_json_item(const crn_json *array, size_t index);
const crn_json *crn_json_member(const crn_json *object, const char *key); /* NULL: there is none */

/** Call visit for each key of an object until it returns false. */
void crn_json_each_key(const crn_json *object, bool (*visit)(void *user, const char *key), void *user);

/* --- Places: a value and how one gets there (json_place.c) --- */

typedef struct crn_json_place {
    const crn_json *value;
    const struct crn_json_place *parent; /* NULL: the whole text */
    const char *key;                     /* member of parent; NULL: item */
    size_t index;                        /* item of parent */
    const char *file;
    const crn_io_source *source; /* the text, to find lines in; NULL: messages name none */
    crn_error *error;
} crn_json_place;

/** The whole text. */
crn_json_place crn_json_root(const crn_json *root, const char *file, crn_error *error);

/** The whole text, whose messages name lines: "FILE:LINE: PLACE: what is wrong". */
crn_json_place crn_json_root_of(const crn_json *root, const crn_io_source *source, crn_error *error);

/** Member key of an object; its value is NULL if there is none. */
crn_json_place crn_json_find(const crn_json_place *object, const char *key);

/** Item of an array. */
crn_json_place crn_json_at(const crn_json_place *array, size_t index);

/** Fail with CRN_ERR_FORMAT: "FILE: PLACE: what is wrong", or with a line behind FILE. */
crn_status crn_json_fail(const crn_json_place *place, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/** Fail with CRN_ERR_FORMAT: "FILE:LINE: message", the line being that of the path with which the message begins. */
crn_status crn_json_fail_path(const crn_io_source *source, const char *message, crn_error *error);

/** Is the value there and of this kind? */
crn_status crn_json_need(const crn_json_place *place, crn_json_kind kind);

crn_status crn_json_real(const crn_json_place *place, double *value);
crn_status crn_json_int(const crn_json_place *place, int lowest, int highest, int *value);

/** An array of exactly count numbers. */
crn_status crn_json_reals(const crn_json_place *place, size_t count, double *values);

/** An array; its length must fit int. */
crn_status crn_json_array(const crn_json_place *place, int *count);

/** An array of exactly rows arrays of exactly columns numbers each: is it one? Nothing is read. */
crn_status crn_json_check_table(const crn_json_place *place, size_t rows, size_t columns);

/** The numbers of a table that has been checked, row by row. */
crn_status crn_json_table(const crn_json_place *place, size_t rows, size_t columns, double *values);

/** Fail if a key of the object is one of the known ones misspelt by one letter, or in another case. Other keys are none
 *  of our business. */
crn_status crn_json_check_keys(const crn_json_place *object, const char *const *known, int count);

/** Fail because `seen` is none of the names, with the nearest of them: "unknown field 'mas'; did you mean 'mass'?"; if
 *  none is near, with a list. */
crn_status crn_json_fail_unknown(const crn_json_place *place, const char *what, const char *seen,
                                 const char *const *names, int count);

/* --- Lines (json_line.c); the text has been parsed, so it is well formed --- */

/** Line of a place, or of its nearest owner that is there; 1-based. */
int crn_json_line(const crn_io_source *source, const crn_json_place *place);

/** The same of a path as messages write it: "bodies[3].mass". */
int crn_json_line_of(const crn_io_source *source, const char *path);

#endif
