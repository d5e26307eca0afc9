/* The line of a value: the parser keeps none, so the text is walked again along the value's path. Only messages need it.
 *
 * The text has been parsed, so it is well formed; nevertheless every step stays inside of it. A key that is written with
 * escapes is not recognised, and its owner's line is given instead. */
#include "io/json.h"

#include <string.h>

typedef struct walker {
    const char *at, *end;
} walker;

/* A step of a path: a member, or an item if key is NULL. */
typedef struct step {
    const char *key;
    size_t length; /* of key */
    size_t index;
} step;

static char next(const walker *w)
{
    return w->at < w->end ? *w->at : '\0';
}

static void skip_space(walker *w)
{
    while (w->at < w->end && strchr(" \t\r\n", *w->at) != NULL && *w->at != '\0') {
        ++w->at;
    }
}

/* Over a string, beginning at its quote. */
static void skip_string(walker *w)
{
    ++w->at;
    while (w->at < w->end && *w->at != '"') {
        w->at += *w->at == '\\' ? 2 : 1;
    }
    w->at = w->at < w->end ? w->at + 1 : w->end;
}

/* Over a whole value; nesting is counted, not followed. */
static void skip_value(walker *w)
{
    size_t depth = 0;
    do {
        char c = next(w);
        if (c == '"') {
            skip_string(w);
            continue;
        }
        if (depth == 0 && (c == ',' || c == ']' || c == '}')) {
            return;
        }
        depth += c == '[' || c == '{' ? 1 : 0;
        depth -= c == ']' || c == '}' ? 1 : 0;
        ++w->at;
        if (depth == 0 && (c == ']' || c == '}')) {
            return;
        }
    } while (w->at < w->end);
}

/* From a container to one of its values; false, at an unknown place, if it has none such. */
static bool enter(walker *w, const step *to)
{
    char open = to->key != NULL ? '{' : '[';
    if (next(w) != open) {
        return false;
    }
    ++w->at;
    for (size_t i = 0; w->at < w->end; ++i) {
        skip_space(w);
        bool is_it = to->key == NULL && i == to->index;
        if (next(w) == ']' || next(w) == '}') {
            return false;
        }
        if (to->key != NULL) {
            const char *name = w->at + 1;
            skip_string(w);
            is_it = (size_t)(w->at - name) == to->length + 1 && memcmp(name, to->key, to->length) == 0;
            skip_space(w);
            ++w->at; /* the colon */
            skip_space(w);
        }
        if (is_it) {
            return true;
        }
        skip_value(w);
        skip_space(w);
        ++w->at; /* the comma, or the end */
    }
    return false;
}

static walker begin(const crn_io_source *source)
{
    walker w = {source->text, source->text + source->size};
    skip_space(&w);
    return w;
}

static int line_at(const crn_io_source *source, const char *at)
{
    int line = 1;
    for (const char *c = source->text; c < at; ++c) {
        line += *c == '\n' ? 1 : 0;
    }
    return line;
}

/* Walk to a place; false at its nearest owner that is there. */
static bool walk(const crn_json_place *place, walker *w)
{
    if (place->parent == NULL) {
        return true;
    }
    if (!walk(place->parent, w)) {
        return false;
    }
    step to = {place->key, place->key != NULL ? strlen(place->key) : 0, place->index};
    walker ahead = *w;
    if (!enter(&ahead, &to)) {
        return false;
    }
    *w = ahead;
    return true;
}

int crn_json_line(const crn_io_source *source, const crn_json_place *place)
{
    if (source->text == NULL) {
        return 1;
    }
    walker w = begin(source);
    (void)walk(place, &w);
    return line_at(source, w.at);
}

/* The next step of a path as messages write it; false at its end. */
static bool next_step(const char **path, step *to)
{
    const char *at = *path + (**path == '.' ? 1 : 0);
    *to = (step){.key = NULL};
    if (*at == '[') {
        for (++at; *at >= '0' && *at <= '9'; ++at) {
            to->index = 10 * to->index + (size_t)(*at - '0');
        }
        *path = at + (*at == ']' ? 1 : 0);
        return true;
    }
    to->key = at;
    to->length = strcspn(at, ".[: ");
    *path = at + to->length;
    return to->length > 0;
}

int crn_json_line_of(const crn_io_source *source, const char *path)
{
    if (source->text == NULL) {
        return 1;
    }
    walker w = begin(source);
    step to;
    while (next_step(&path, &to)) {
        walker ahead = w;
        if (!enter(&ahead, &to)) {
            break;
        }
        w = ahead;
    }
    return line_at(source, w.at);
}
