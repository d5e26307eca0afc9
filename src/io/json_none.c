/* A build without JSON: nothing parses, so nothing else is ever asked. */
#include "io/json.h"

bool crn_io_has_json(void)
{
    return false;
}

crn_status crn_json_parse(const crn_io_source *source, crn_json **root, crn_error *error)
{
    *root = NULL;
    return crn_fail(error, CRN_ERR_UNSUPPORTED, "%s: this build of the library has no JSON (CAIRN_JSON)", source->name);
}

void crn_json_free(crn_json *root)
{
    (void)root;
}

crn_json_kind crn_json_kind_of(const crn_json *value)
{
    (void)value;
    return CRN_JSON_OTHER;
}

double crn_json_number(const crn_json *number)
{
    (void)number;
    return 0.0;
}

const char *crn_json_string(const crn_json *string)
{
    (void)string;
    return "";
}

bool crn_json_bool(const crn_json *truth)
{
    (void)truth;
    return false;
}

size_t crn_json_count(const crn_json *array)
{
    (void)array;
    return 0;
}

const crn_json *crn_json_item(const crn_json *array, size_t index)
{
    (void)array;
    (void)index;
    return NULL;
}

const crn_json *crn_json_member(const crn_json *object, const char *key)
{
    (void)object;
    (void)key;
    return NULL;
}

void crn_json_each_key(const crn_json *object, bool (*visit)(void *user, const char *key), void *user)
{
    (void)object;
    (void)visit;
    (void)user;
}
