/* One value of a scene changed by its place: "bodies.box.mass", "joints.hip.limits.0".
 *
 * The model is written as JSON, the value is put in where the place leads, and the text is read again: so a place is what the format
 * says, and the reader judges the value. The text is our own, so that walking it needs no care about wrong JSON. */
#include "io/io_room.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Walking JSON: each function begins at a value, or at the blanks before it --- */

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

/* Behind a string that begins at the quotes. */
static const char *skip_string(const char *at)
{
    for (++at; *at != '"' && *at != '\0'; ++at) {
        at += *at == '\\' && at[1] != '\0' ? 1 : 0;
    }
    return *at == '"' ? at + 1 : at;
}

/* Behind a value. */
static const char *skip_value(const char *at)
{
    int depth = 0;
    at = skip_blanks(at);
    do {
        at = skip_blanks(at);
        if (*at == '"') {
            at = skip_string(at);
        } else if (*at == '{' || *at == '[') {
            ++depth;
            ++at;
        } else if (*at == '}' || *at == ']') {
            --depth;
            ++at;
        } else {
            at += strcspn(at, ",:{}[]\" \t\r\n");
            at += depth > 0 && (*at == ',' || *at == ':') ? 1 : 0;
        }
    } while (depth > 0 && *at != '\0');
    return at;
}

/* A word of a place. */
typedef struct word {
    const char *text;
    size_t length;
} word;

/* Is the string at the quotes this word? Names of our own scenes that hold escapes are not found. */
static bool is_string(const char *at, word name)
{
    return *at == '"' && strncmp(at + 1, name.text, name.length) == 0 && at[1 + name.length] == '"';
}

/* The value of a field; NULL: the object has none. */
static const char *find_field(const char *object, word name)
{
    const char *at = skip_blanks(object + 1);
    while (*at == '"') {
        bool is_it = is_string(at, name);
        at = skip_blanks(skip_string(at)) + 1; /* the colon */
        if (is_it) {
            return skip_blanks(at);
        }
        at = skip_blanks(skip_value(at));
        at = *at == ',' ? skip_blanks(at + 1) : at;
    }
    return NULL;
}

/* The entry of a list by its number from 0, or by its name; NULL: there is none. */
static const char *find_entry(const char *list, word which)
{
    static const word name = {"name", 4};
    bool is_number = which.length > 0 && strspn(which.text, "0123456789") >= which.length;
    long number = is_number ? strtol(which.text, NULL, 10) : -1;
    const char *at = skip_blanks(list + 1);
    for (long i = 0; *at != ']' && *at != '\0'; ++i) {
        const char *named = *at == '{' ? find_field(at, name) : NULL;
        if (i == number || (named != NULL && is_string(named, which))) {
            return at;
        }
        at = skip_blanks(skip_value(at));
        at = *at == ',' ? skip_blanks(at + 1) : at;
    }
    return NULL;
}

/* --- The place --- */

/* Where the value goes: it replaces the text from begin to end; field: as a new field of the object that begins before. */
typedef struct slot {
    const char *begin, *end;
    bool is_field, is_first;
} slot;

static crn_status find_slot(const char *scene, const char *place, slot *found, word *last, crn_error *error)
{
    const char *at = skip_blanks(scene);
    for (const char *from = place;;) {
        word next = {from, strcspn(from, ".")};
        bool is_last = from[next.length] == '\0', is_object = *at == '{';
        const char *inside = NULL;
        if (is_object || *at == '[') {
            inside = is_object ? find_field(at, next) : find_entry(at, next);
        }
        *last = next;
        if (is_last && inside != NULL) {
            *found = (slot){inside, skip_value(inside), false, false};
            return CRN_OK;
        }
        if (is_last && is_object) { /* a field that has its default */
            *found = (slot){at + 1, at + 1, true, *skip_blanks(at + 1) == '}'};
            return CRN_OK;
        }
        if (inside == NULL) {
            return crn_fail(error, CRN_ERR_ARGUMENT, "%.80s: there is no '%.*s'", place,
                            (int)(next.length < 40 ? next.length : 40), next.text);
        }
        at = inside;
        from += next.length + 1;
    }
}

/* --- The value --- */

/* Numbers, lists, objects, strings in quotes, true, false and null are JSON; other words are strings. */
static bool is_json(const char *value)
{
    return strchr("-0123456789[{\"", value[0]) != NULL || strcmp(value, "true") == 0 || strcmp(value, "false") == 0 ||
           strcmp(value, "null") == 0;
}

/* The scene with the value in its slot; NULL: no memory. */
static char *put_in(const char *scene, const slot *to, word field, const char *value, const crn_allocator *allocator)
{
    size_t size = strlen(scene) + strlen(value) + field.length + 16;
    char *changed = crn_allocate(allocator, size, 1);
    const char *quotes = is_json(value) ? "" : "\"";
    char name[200] = "";
    if (to->is_field) {
        (void)snprintf(name, sizeof name, "\"%.*s\": ", (int)field.length, field.text);
    }
    if (changed != NULL) {
        (void)snprintf(changed, size, "%.*s%s%s%s%s%s%s", (int)(to->begin - scene), scene, name, quotes, value, quotes,
                       to->is_field && !to->is_first ? ", " : "", to->end);
    }
    return changed;
}

static crn_status check_words(const char *place, const char *value, crn_error *error)
{
    for (const char *at = place; *at != '\0' || at == place;) {
        size_t length = strcspn(at, ".");
        if (length == 0 || length > 100 || memchr(at, '"', length) != NULL ||
            (at[length] == '.' && at[length + 1] == '\0')) {
            return crn_fail(error, CRN_ERR_ARGUMENT, "'%.80s': is not a place: names, with dots between them", place);
        }
        at += length + (at[length] == '.' ? 1 : 0);
    }
    if (value[0] == '\0' || (!is_json(value) && strpbrk(value, "\"\\") != NULL)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%.80s: '%.40s' is neither a value of JSON nor a word", place, value);
    }
    return CRN_OK;
}

crn_status crn_io_change_scene(const crn_model *model, const char *place, const char *value,
                               const crn_allocator *allocator, crn_model **changed, crn_error *error)
{
    if (model == NULL || place == NULL || value == NULL || changed == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "model, place, value, changed: NULL");
    }
    crn_allocator hooks = crn_io_allocator(allocator);
    char *scene = NULL, *text = NULL;
    slot to = {NULL, NULL, false, false};
    word last = {"", 0};
    *changed = NULL;
    crn_status status = check_words(place, value, error);
    status = status == CRN_OK ? crn_io_write_scene_text(model, &hooks, &scene, NULL, error) : status;
    status = status == CRN_OK ? find_slot(scene, place, &to, &last, error) : status;
    if (status == CRN_OK) {
        text = put_in(scene, &to, last, value, &hooks);
        status = text != NULL ? CRN_OK : crn_fail(error, CRN_ERR_MEMORY, "%.80s: no memory for the scene", place);
    }
    status = status == CRN_OK ? crn_io_read_scene_text(text, strlen(text), place, &hooks, changed, error) : status;
    crn_release(&hooks, scene);
    crn_release(&hooks, text);
    return status;
}
