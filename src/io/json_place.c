/* Reading typed values from parsed JSON; every message names the place of the value. */
#include "io/json.h"
#include "text/text.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Longest path and file name in a message; the end of a file name tells more than its start. */
enum { PATH_SIZE = 80, NAME_SHOWN = 100 };

/* Shortest key that can be a misspelt one: of two letters most pairs are one letter apart. */
enum { SHORTEST_TYPO = 3 };

crn_json_place crn_json_root(const crn_json *root, const char *file, crn_error *error)
{
    return (crn_json_place){.value = root, .file = file, .error = error};
}

crn_json_place crn_json_root_of(const crn_json *root, const crn_io_source *source, crn_error *error)
{
    return (crn_json_place){.value = root, .file = source->name, .source = source, .error = error};
}

crn_json_place crn_json_find(const crn_json_place *object, const char *key)
{
    return (crn_json_place){.value = crn_json_member(object->value, key),
                            .parent = object,
                            .key = key,
                            .file = object->file,
                            .source = object->source,
                            .error = object->error};
}

crn_json_place crn_json_at(const crn_json_place *array, size_t index)
{
    return (crn_json_place){.value = crn_json_item(array->value, index),
                            .parent = array,
                            .index = index,
                            .file = array->file,
                            .source = array->source,
                            .error = array->error};
}

/* "contacts[3].normal" into path, which begins empty. */
static void write_path(const crn_json_place *place, char path[PATH_SIZE])
{
    if (place->parent == NULL) {
        return;
    }
    write_path(place->parent, path);
    size_t used = strlen(path);
    if (place->key != NULL) {
        (void)snprintf(path + used, PATH_SIZE - used, "%s%s", used > 0 ? "." : "", place->key);
        for (char *c = path + used; *c != '\0'; ++c) { /* a key of the file's own may hold anything */
            *c = *c >= ' ' && *c <= '~' ? *c : '?';
        }
    } else {
        (void)snprintf(path + used, PATH_SIZE - used, "[%zu]", place->index);
    }
}

/* The end of a file name that messages show, and what stands before it. */
static const char *end_of(const char *file)
{
    size_t length = strlen(file);
    return length > NAME_SHOWN ? file + (length - NAME_SHOWN) : file;
}

static const char *dots_of(const char *file)
{
    return strlen(file) > NAME_SHOWN ? "..." : "";
}

crn_status crn_json_fail(const crn_json_place *place, const char *format, ...)
{
    char what[160], path[PATH_SIZE] = "", line[16] = "";
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    write_path(place, path);
    if (place->source != NULL) {
        (void)snprintf(line, sizeof line, ":%d", crn_json_line(place->source, place));
    }
    return crn_fail(place->error, CRN_ERR_FORMAT, "%s%s%s: %s%s%s", dots_of(place->file), end_of(place->file), line,
                    path, path[0] != '\0' ? ": " : "", what);
}

crn_status crn_json_fail_path(const crn_io_source *source, const char *message, crn_error *error)
{
    return crn_fail(error, CRN_ERR_FORMAT, "%s%s:%d: %s", dots_of(source->name), end_of(source->name),
                    crn_json_line_of(source, message), message);
}

crn_status crn_json_need(const crn_json_place *place, crn_json_kind kind)
{
    static const char *const names[] = {"a value", "a number", "a string", "an array", "an object", "true or false"};
    if (place->value == NULL) {
        return crn_json_fail(place, "missing");
    }
    if (crn_json_kind_of(place->value) != kind) {
        return crn_json_fail(place, "not %s", names[kind]);
    }
    return CRN_OK;
}

crn_status crn_json_real(const crn_json_place *place, double *value)
{
    crn_status status = crn_json_need(place, CRN_JSON_NUMBER);
    if (status != CRN_OK) {
        return status;
    }
    *value = crn_json_number(place->value);
    return isfinite(*value) ? CRN_OK : crn_json_fail(place, "not finite");
}

crn_status crn_json_int(const crn_json_place *place, int lowest, int highest, int *value)
{
    double read = 0.0;
    crn_status status = crn_json_real(place, &read);
    if (status != CRN_OK) {
        return status;
    }
    if (read != floor(read)) {
        return crn_json_fail(place, "%g is not an integer", read);
    }
    if (read < lowest || read > highest) {
        return crn_json_fail(place, "%.9g is not in %d .. %d", read, lowest, highest);
    }
    *value = (int)read;
    return CRN_OK;
}

crn_status crn_json_array(const crn_json_place *place, int *count)
{
    crn_status status = crn_json_need(place, CRN_JSON_ARRAY);
    size_t size = status == CRN_OK ? crn_json_count(place->value) : 0;
    if (size > INT_MAX) {
        return crn_json_fail(place, "%zu items are too many", size);
    }
    *count = (int)size;
    return status;
}

/* An array of exactly count items. */
static crn_status need_items(const crn_json_place *place, size_t count)
{
    crn_status status = crn_json_need(place, CRN_JSON_ARRAY);
    if (status == CRN_OK && crn_json_count(place->value) != count) {
        status = crn_json_fail(place, "%zu items, but %zu are needed", crn_json_count(place->value), count);
    }
    return status;
}

crn_status crn_json_reals(const crn_json_place *place, size_t count, double *values)
{
    crn_status status = need_items(place, count);
    for (size_t i = 0; i < count && status == CRN_OK; ++i) {
        crn_json_place item = crn_json_at(place, i);
        status = crn_json_real(&item, &values[i]);
    }
    return status;
}

crn_status crn_json_check_table(const crn_json_place *place, size_t rows, size_t columns)
{
    crn_status status = need_items(place, rows);
    for (size_t i = 0; i < rows && status == CRN_OK; ++i) {
        crn_json_place row = crn_json_at(place, i);
        status = need_items(&row, columns);
    }
    return status;
}

crn_status crn_json_table(const crn_json_place *place, size_t rows, size_t columns, double *values)
{
    crn_status status = CRN_OK;
    for (size_t i = 0; i < rows && status == CRN_OK; ++i) {
        crn_json_place row = crn_json_at(place, i);
        status = crn_json_reals(&row, columns, values + i * columns);
    }
    return status;
}

/* --- Misspelt keys --- */

static char lower_case(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool same_letter(char a, char b)
{
    return lower_case(a) == lower_case(b);
}

/* How many letters, at most `most`, are the same from the start? */
static size_t common_front(const char *a, const char *b, size_t most)
{
    size_t count = 0;
    while (count < most && same_letter(a[count], b[count])) {
        ++count;
    }
    return count;
}

/* The same from the ends, which are at a and b. */
static size_t common_back(const char *a, const char *b, size_t most)
{
    size_t count = 0;
    while (count < most && same_letter(*(a - count - 1), *(b - count - 1))) {
        ++count;
    }
    return count;
}

/* Is `seen` the word `meant` with one letter changed, missing or too many, two neighbours exchanged, or another case? */
static bool is_typo(const char *seen, const char *meant)
{
    size_t a = strlen(seen), b = strlen(meant), shorter = a < b ? a : b, longer = a < b ? b : a;
    if (shorter < SHORTEST_TYPO || longer - shorter > 1) {
        return a == b && common_front(seen, meant, a) == a;
    }
    size_t front = common_front(seen, meant, shorter);
    size_t back = common_back(seen + a, meant + b, shorter - front);
    size_t left = longer - front - back;
    return left <= 1 || (a == b && left == 2 && same_letter(seen[front], meant[front + 1]) &&
                         same_letter(seen[front + 1], meant[front]));
}

typedef struct key_check {
    const crn_json_place *object;
    const char *const *known;
    int count;
    crn_status status;
} key_check;

static bool check_key(void *user, const char *key)
{
    key_check *check = user;
    const char *meant = NULL;
    for (int i = 0; i < check->count; ++i) {
        if (strcmp(key, check->known[i]) == 0) {
            return true;
        }
        meant = is_typo(key, check->known[i]) ? check->known[i] : meant;
    }
    if (meant != NULL) {
        crn_io_word word = {.text = key, .length = strlen(key)};
        char shown[CRN_IO_WORD_SHOWN + 4];
        check->status =
            crn_json_fail(check->object, "unknown key '%s'; did you mean '%s'?", crn_io_word_show(&word, shown), meant);
    }
    return meant == NULL;
}

crn_status crn_json_check_keys(const crn_json_place *object, const char *const *known, int count)
{
    key_check check = {.object = object, .known = known, .count = count, .status = CRN_OK};
    crn_json_each_key(object->value, check_key, &check);
    return check.status;
}

/* --- Unknown names --- */

/* Longest list of names in a message. */
enum { LIST_SIZE = 128 };

/* "a, b, c", or "a, b, ..." if there are more than fit. */
static void list_names(const char *const *names, int count, char list[LIST_SIZE])
{
    size_t used = 0;
    list[0] = '\0';
    for (int i = 0; i < count; ++i) {
        const char *comma = i == 0 ? "" : ", ";
        size_t size = strlen(comma) + strlen(names[i]), rest = i + 1 < count ? sizeof ", ..." : 1;
        bool is_room = used + size + rest <= LIST_SIZE;
        used += (size_t)snprintf(list + used, LIST_SIZE - used, "%s%s", comma, is_room ? names[i] : "...");
        if (!is_room) {
            return;
        }
    }
}

crn_status crn_json_fail_unknown(const crn_json_place *place, const char *what, const char *seen,
                                 const char *const *names, int count)
{
    crn_io_word word = {.text = seen, .length = strlen(seen)};
    char shown[CRN_IO_WORD_SHOWN + 4], list[LIST_SIZE];
    (void)crn_io_word_show(&word, shown);
    int best = INT_MAX, nearest = -1;
    for (int i = 0; i < count; ++i) {
        int distance = crn_name_distance(seen, names[i]);
        nearest = distance < best ? i : nearest;
        best = distance < best ? distance : best;
    }
    if (nearest < 0) {
        return crn_json_fail(place, "unknown %s '%s'", what, shown);
    }
    /* A name that shares half of its letters is a guess worth making. */
    if (2 * (size_t)best <= word.length) {
        crn_io_word guess = {.text = names[nearest], .length = strlen(names[nearest])};
        char known[CRN_IO_WORD_SHOWN + 4];
        return crn_json_fail(place, "unknown %s '%s'; did you mean '%s'?", what, shown,
                             crn_io_word_show(&guess, known));
    }
    list_names(names, count, list);
    for (char *c = list; *c != '\0'; ++c) { /* a name of the file's own may hold anything */
        *c = *c >= ' ' && *c <= '~' ? *c : '?';
    }
    return crn_json_fail(place, "unknown %s '%s'; known: %s", what, shown, list);
}
