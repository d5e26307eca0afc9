/* JSON where there is no jansson, as in WebAssembly: a tree of values, parsed by descent.
 *
 * Strict as jansson is: no duplicate keys, no trailing text, no NaN, nesting no deeper than DEPTH_MOST. Memory comes from
 * malloc(), as jansson's does. */
#include "io/json.h"

#include "base/utf8.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MOST = 2048 }; /* as jansson has it */

struct crn_json {
    crn_json_kind kind;
    bool truth;
    double number;
    char *string;    /* CRN_JSON_STRING */
    char *key;       /* of a member */
    crn_json **item; /* of an array or object, in the order of the text */
    size_t count, capacity;
};

typedef struct parser {
    const char *at, *end;
    int line, depth;
    const char *fault; /* NULL: none yet */
} parser;

bool crn_io_has_json(void)
{
    return true;
}

void crn_json_free(crn_json *root)
{
    if (root == NULL) {
        return;
    }
    for (size_t i = 0; i < root->count; ++i) {
        crn_json_free(root->item[i]);
    }
    free(root->item);
    free(root->string);
    free(root->key);
    free(root);
}

static void *fail(parser *p, const char *fault)
{
    p->fault = p->fault != NULL ? p->fault : fault;
    return NULL;
}

static char next(parser *p)
{
    while (p->at < p->end && (*p->at == ' ' || *p->at == '\t' || *p->at == '\r' || *p->at == '\n')) {
        p->line += *p->at++ == '\n';
    }
    return p->at < p->end ? *p->at : '\0';
}

static bool take(parser *p, char wanted)
{
    bool is_there = next(p) == wanted && p->at < p->end;
    p->at += is_there;
    return is_there;
}

static crn_json *new_value(parser *p, crn_json_kind kind)
{
    crn_json *value = calloc(1, sizeof *value);
    if (value == NULL) {
        return fail(p, "out of memory");
    }
    value->kind = kind;
    return value;
}

/* --- Strings --- */

static bool hex4(parser *p, unsigned *code)
{
    *code = 0;
    for (int i = 0; i < 4; ++i) {
        const char *digits = "0123456789abcdef";
        char c = p->at < p->end ? *p->at++ : '\0';
        const char *found = c != '\0' ? strchr(digits, c >= 'A' && c <= 'F' ? c + 32 : c) : NULL;
        if (found == NULL) {
            return false;
        }
        *code = 16 * *code + (unsigned)(found - digits);
    }
    return true;
}

/* What follows a backslash. */
static char *read_escape(parser *p, char *to)
{
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    char c = p->at < p->end ? *p->at++ : '\0';
    const char *found = c != '\0' ? strchr(names, c) : NULL;
    if (found != NULL) {
        *to++ = values[found - names];
        return to;
    }
    unsigned code = 0, low = 0;
    if (c != 'u' || !hex4(p, &code) || code == 0) {
        return fail(p, "invalid escape");
    }
    if (code >= 0xD800 && code < 0xDC00) {
        bool is_pair = p->end - p->at >= 2 && p->at[0] == '\\' && p->at[1] == 'u';
        p->at += is_pair ? 2 : 0;
        if (!is_pair || !hex4(p, &low) || low < 0xDC00 || low > 0xDFFF) {
            return fail(p, "invalid Unicode escape");
        }
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    return code >= 0xDC00 && code <= 0xDFFF ? fail(p, "invalid Unicode escape") : crn_utf8_put(to, code);
}

/* A string, whose opening quote has been taken. No escape is longer than what it stands for. */
static char *read_string(parser *p)
{
    const char *stop = p->at;
    while (stop < p->end && *stop != '"') {
        stop += *stop == '\\' ? 2 : 1;
    }
    if (stop >= p->end) {
        return fail(p, "unexpected end of input in a string");
    }
    char *text = malloc((size_t)(stop - p->at) + 1), *to = text;
    if (text == NULL) {
        return fail(p, "out of memory");
    }
    while (*p->at != '"' && p->fault == NULL) {
        if ((unsigned char)*p->at < ' ') {
            (void)fail(p, "control character in a string");
        } else if (*p->at == '\\') {
            ++p->at;
            to = read_escape(p, to);
        } else {
            size_t size = crn_utf8_size(p->at, (size_t)(p->end - p->at));
            if (size == 0) {
                (void)fail(p, "not UTF-8");
            }
            memcpy(to, p->at, size);
            to += size;
            p->at += size;
        }
    }
    if (p->fault != NULL) {
        free(text);
        return NULL;
    }
    ++p->at;
    *to = '\0';
    return text;
}

/* --- Values --- */

static crn_json *read_value(parser *p);

static const char *digits(const char *at, const char *end)
{
    while (at < end && *at >= '0' && *at <= '9') {
        ++at;
    }
    return at;
}

/* -?(0|[1-9][0-9]*)(.[0-9]+)?([eE][+-]?[0-9]+)? */
static const char *number_end(const char *at, const char *end)
{
    at += at < end && *at == '-';
    const char *first = at;
    at = digits(at, end);
    if (at == first || (*first == '0' && at - first > 1)) {
        return NULL;
    }
    if (at < end && *at == '.') {
        first = ++at;
        at = digits(at, end);
        if (at == first) {
            return NULL;
        }
    }
    if (at < end && (*at == 'e' || *at == 'E')) {
        ++at;
        at += at < end && (*at == '+' || *at == '-');
        first = at;
        at = digits(at, end);
        return at > first ? at : NULL;
    }
    return at;
}

static crn_json *read_number(parser *p)
{
    const char *stop = number_end(p->at, p->end);
    char text[64], *copy = text;
    if (stop == NULL) {
        return fail(p, "invalid token");
    }
    size_t length = (size_t)(stop - p->at);
    if (length >= sizeof text && (copy = malloc(length + 1)) == NULL) {
        return fail(p, "out of memory");
    }
    memcpy(copy, p->at, length);
    copy[length] = '\0';
    crn_json *value = new_value(p, CRN_JSON_NUMBER);
    if (value != NULL) {
        value->number = strtod(copy, NULL);
    }
    if (value != NULL && isinf(value->number)) {
        (void)fail(p, "real number overflow");
    }
    if (copy != text) {
        free(copy);
    }
    p->at = stop;
    return value;
}

static crn_json *read_word(parser *p)
{
    static const struct {
        const char *word;
        crn_json_kind kind;
        bool truth;
    } known[] = {{"true", CRN_JSON_BOOL, true}, {"false", CRN_JSON_BOOL, false}, {"null", CRN_JSON_OTHER, false}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i) {
        size_t length = strlen(known[i].word);
        if ((size_t)(p->end - p->at) >= length && memcmp(p->at, known[i].word, length) == 0) {
            p->at += length;
            crn_json *value = new_value(p, known[i].kind);
            if (value != NULL) {
                value->truth = known[i].truth;
            }
            return value;
        }
    }
    return fail(p, "invalid token");
}

static bool append(parser *p, crn_json *owner, crn_json *value)
{
    if (owner->count == owner->capacity) {
        size_t wanted = 2 * owner->capacity + 4;
        crn_json **grown = realloc(owner->item, wanted * sizeof *grown);
        if (grown == NULL) {
            (void)fail(p, "out of memory");
            return false;
        }
        owner->item = grown;
        owner->capacity = wanted;
    }
    owner->item[owner->count++] = value;
    return true;
}

/* "key": value */
static crn_json *read_member(parser *p, const crn_json *object)
{
    char *key = take(p, '"') ? read_string(p) : fail(p, "string or '}' expected");
    if (key != NULL && crn_json_member(object, key) != NULL) {
        (void)fail(p, "duplicate object key");
    }
    if (p->fault == NULL && !take(p, ':')) {
        (void)fail(p, "':' expected");
    }
    crn_json *value = p->fault == NULL ? read_value(p) : NULL;
    if (value == NULL) {
        free(key);
        return NULL;
    }
    value->key = key;
    return value;
}

/* An array or object, whose opening bracket has been taken. */
static crn_json *read_list(parser *p, crn_json_kind kind, char closing)
{
    crn_json *list = new_value(p, kind);
    if (++p->depth > DEPTH_MOST) {
        (void)fail(p, "nested too deeply");
    }
    bool is_done = list != NULL && take(p, closing);
    while (!is_done && p->fault == NULL) {
        crn_json *value = kind == CRN_JSON_OBJECT ? read_member(p, list) : read_value(p);
        if (value != NULL && !append(p, list, value)) {
            crn_json_free(value);
        }
        is_done = p->fault == NULL && take(p, closing);
        if (p->fault == NULL && !is_done && !take(p, ',')) {
            (void)fail(p, "',' or a closing bracket expected");
        }
    }
    --p->depth;
    if (p->fault != NULL) {
        crn_json_free(list);
        return NULL;
    }
    return list;
}

static crn_json *read_value(parser *p)
{
    switch (next(p)) {
    case '{': ++p->at; return read_list(p, CRN_JSON_OBJECT, '}');
    case '[': ++p->at; return read_list(p, CRN_JSON_ARRAY, ']');
    case '"': {
        ++p->at;
        char *text = read_string(p);
        crn_json *value = text != NULL ? new_value(p, CRN_JSON_STRING) : NULL;
        if (value == NULL) {
            free(text);
        } else {
            value->string = text;
        }
        return value;
    }
    case 't':
    case 'f':
    case 'n': return read_word(p);
    default: return read_number(p);
    }
}

crn_status crn_json_parse(const crn_io_source *source, crn_json **root, crn_error *error)
{
    const char *text = source->text != NULL ? source->text : "";
    parser p = {.at = text, .end = text + source->size, .line = 1};
    *root = read_value(&p);
    if (p.fault == NULL && next(&p) != '\0') {
        (void)fail(&p, "end of file expected");
    }
    if (p.fault == NULL) {
        return CRN_OK;
    }
    crn_json_free(*root);
    *root = NULL;
    return crn_fail(error, CRN_ERR_FORMAT, "%s:%d: syntax: %s", source->name, p.line, p.fault);
}

/* --- Reading: as with jansson, what is not there has no members and no items, and is 0 --- */

crn_json_kind crn_json_kind_of(const crn_json *value)
{
    return value != NULL ? value->kind : CRN_JSON_OTHER;
}

double crn_json_number(const crn_json *number)
{
    return number != NULL ? number->number : 0.0;
}

const char *crn_json_string(const crn_json *string)
{
    return string != NULL ? string->string : NULL;
}

bool crn_json_bool(const crn_json *truth)
{
    return truth != NULL && truth->truth;
}

size_t crn_json_count(const crn_json *array)
{
    return array != NULL ? array->count : 0;
}

const crn_json *crn_json_item(const crn_json *array, size_t index)
{
    return index < crn_json_count(array) ? array->item[index] : NULL;
}

static size_t members(const crn_json *object)
{
    return crn_json_kind_of(object) == CRN_JSON_OBJECT ? object->count : 0;
}

const crn_json *crn_json_member(const crn_json *object, const char *key)
{
    for (size_t i = 0; i < members(object); ++i) {
        if (strcmp(object->item[i]->key, key) == 0) {
            return object->item[i];
        }
    }
    return NULL;
}

void crn_json_each_key(const crn_json *object, bool (*visit)(void *user, const char *key), void *user)
{
    for (size_t i = 0; i < members(object); ++i) {
        if (!visit(user, object->item[i]->key)) {
            return;
        }
    }
}
