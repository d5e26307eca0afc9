/* JSON by jansson. This is the only file that knows it. */
#include "io/json.h"

#include <jansson.h>

bool crn_io_has_json(void)
{
    return true;
}

static const json_t *inside(const crn_json *value)
{
    return (const json_t *)(const void *)value;
}

crn_status crn_json_parse(const crn_io_source *source, crn_json **root, crn_error *error)
{
    /* All numbers as doubles: "1" and "1.0" are the same mass, and "-0" keeps its sign. */
    json_error_t reason;
    size_t flags = JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL;
    json_t *parsed = json_loadb(source->text != NULL ? source->text : "", source->size, flags, &reason);
    *root = (crn_json *)(void *)parsed;
    if (parsed != NULL) {
        return CRN_OK;
    }
    if (json_error_code(&reason) == json_error_out_of_memory) {
        return crn_fail(error, CRN_ERR_MEMORY, "%s: no memory for %zu bytes of JSON", source->name, source->size);
    }
    for (char *c = reason.text; *c != '\0'; ++c) {
        *c = *c >= ' ' && *c <= '~' ? *c : '?';
    }
    return crn_fail(error, CRN_ERR_FORMAT, "%s:%d: syntax: %s", source->name, reason.line, reason.text);
}

void crn_json_free(crn_json *root)
{
    json_decref((json_t *)(void *)root);
}

crn_json_kind crn_json_kind_of(const crn_json *value)
{
    switch (json_typeof(inside(value))) {
    case JSON_INTEGER:
    case JSON_REAL: return CRN_JSON_NUMBER;
    case JSON_STRING: return CRN_JSON_STRING;
    case JSON_ARRAY: return CRN_JSON_ARRAY;
    case JSON_OBJECT: return CRN_JSON_OBJECT;
    case JSON_TRUE:
    case JSON_FALSE: return CRN_JSON_BOOL;
    default: return CRN_JSON_OTHER;
    }
}

double crn_json_number(const crn_json *number)
{
    return json_number_value(inside(number));
}

const char *crn_json_string(const crn_json *string)
{
    return json_string_value(inside(string));
}

bool crn_json_bool(const crn_json *truth)
{
    return json_is_true(inside(truth));
}

size_t crn_json_count(const crn_json *array)
{
    return json_array_size(inside(array));
}

const crn_json *crn_json_item(const crn_json *array, size_t index)
{
    return (const crn_json *)(const void *)json_array_get(inside(array), index);
}

const crn_json *crn_json_member(const crn_json *object, const char *key)
{
    return (const crn_json *)(const void *)json_object_get(inside(object), key);
}

void crn_json_each_key(const crn_json *object, bool (*visit)(void *user, const char *key), void *user)
{
    json_t *members = (json_t *)(uintptr_t)object;
    for (void *at = json_object_iter(members); at != NULL; at = json_object_iter_next(members, at)) {
        if (!visit(user, json_object_iter_key(at))) {
            return;
        }
    }
}
