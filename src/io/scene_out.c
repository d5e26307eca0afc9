/* A JSON text that grows, and writing the fields of simple types by the tables of scene_fields.c. Only what differs, in its
 * bits, from the defaults is written; numbers have 17 digits. */
#include "text/number.h"
#include "io/scene.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* First size of the text; doubled whenever it is full. */
enum { FIRST_SIZE = 1 << 12 };

/* --- Text --- */

/* Room for more bytes and a '\0'. */
static bool make_room(crn_scene_out *out, size_t more)
{
    if (out->is_full || more >= SIZE_MAX - out->length) {
        out->is_full = true;
        return false;
    }
    size_t capacity = out->capacity > 0 ? out->capacity : FIRST_SIZE;
    while (capacity <= out->length + more && capacity <= SIZE_MAX / 2) {
        capacity *= 2;
    }
    if (capacity == out->capacity) {
        return true;
    }
    char *grown =
        capacity > out->length + more ? out->allocator.resize(out->allocator.user, out->text, capacity) : NULL;
    out->is_full = grown == NULL;
    if (grown != NULL) {
        out->text = grown;
        out->capacity = capacity;
    }
    return grown != NULL;
}

void crn_scene_put(crn_scene_out *out, const char *text)
{
    size_t size = strlen(text);
    if (make_room(out, size)) {
        memcpy(out->text + out->length, text, size + 1);
        out->length += size;
    }
}

void crn_scene_put_real(crn_scene_out *out, double value)
{
    char text[CRN_IO_NUMBER_SIZE];
    if (isinf(value)) {
        crn_scene_put(out, value > 0.0 ? "\"inf\"" : "\"-inf\"");
        return;
    }
    crn_io_number_write(value, text);
    crn_scene_put(out, text);
}

void crn_scene_put_reals(crn_scene_out *out, const double *values, size_t count)
{
    crn_scene_put(out, "[");
    for (size_t i = 0; i < count; ++i) {
        crn_scene_put(out, i == 0 ? "" : ", ");
        crn_scene_put_real(out, values[i]);
    }
    crn_scene_put(out, "]");
}

void crn_scene_put_string(crn_scene_out *out, const char *text)
{
    crn_scene_put(out, "\"");
    for (const char *c = text; *c != '\0'; ++c) {
        char piece[8] = {*c, '\0'};
        if (*c == '"' || *c == '\\') {
            (void)snprintf(piece, sizeof piece, "\\%c", *c);
        } else if ((unsigned char)*c < 0x20) {
            (void)snprintf(piece, sizeof piece, "\\u%04x", (unsigned)(unsigned char)*c);
        }
        crn_scene_put(out, piece);
    }
    crn_scene_put(out, "\"");
}

void crn_scene_begin(crn_scene_out *out)
{
    crn_scene_put(out, "{");
    out->is_first = true;
}

void crn_scene_end(crn_scene_out *out)
{
    crn_scene_put(out, "}");
    out->is_first = false;
}

void crn_scene_key(crn_scene_out *out, const char *key)
{
    crn_scene_put(out, out->is_first ? "" : ", ");
    out->is_first = false;
    crn_scene_put_string(out, key);
    crn_scene_put(out, ": ");
}

/* --- Values --- */

/* 0 and not -0. */
static bool is_plain_zero(double value)
{
    return value == 0.0 && !signbit(value);
}

static void put_vector(crn_scene_out *out, const crn_vec3 *v, bool is_of_plane)
{
    const double numbers[3] = {v->x, v->y, v->z};
    crn_scene_put_reals(out, numbers, is_of_plane && out->is_planar && is_plain_zero(v->z) ? 2 : 3);
}

static void put_spin(crn_scene_out *out, const crn_vec3 *v)
{
    if (out->is_planar && is_plain_zero(v->x) && is_plain_zero(v->y)) {
        crn_scene_put_real(out, v->z);
    } else {
        put_vector(out, v, false);
    }
}

bool crn_scene_same_bits(const double *a, const double *b, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        if (!(a[i] == b[i]) || signbit(a[i]) != signbit(b[i])) { /* definitions hold no NaN */
            return false;
        }
    }
    return true;
}

bool crn_scene_same_profile(const crn_profile *a, const crn_profile *b)
{
    size_t count = (size_t)a->count;
    return crn_scene_same_bits(&a->value, &b->value, 1) && crn_scene_same_bits(&a->amplitude, &b->amplitude, 1) &&
           crn_scene_same_bits(&a->frequency, &b->frequency, 1) && crn_scene_same_bits(&a->phase, &b->phase, 1) &&
           a->count == b->count && crn_scene_same_bits(a->times, b->times, count) &&
           crn_scene_same_bits(a->values, b->values, count);
}

static void put_profile(crn_scene_out *out, const crn_profile *profile)
{
    const crn_profile zero = {.value = 0.0};
    crn_profile rest = *profile;
    rest.value = 0.0;
    if (crn_scene_same_profile(&rest, &zero)) {
        crn_scene_put_real(out, profile->value);
        return;
    }
    crn_scene_begin(out);
    crn_scene_put_fields(out, CRN_SCENE_WAVE, profile, &zero);
    if (profile->count > 0) {
        crn_scene_key(out, "times");
        crn_scene_put_reals(out, profile->times, (size_t)profile->count);
        crn_scene_key(out, "values");
        crn_scene_put_reals(out, profile->values, (size_t)profile->count);
    }
    crn_scene_end(out);
}

/* --- Fields; straight-line: one case per type --- */

/* Is the value the same, to the bit? */
static bool is_same(const crn_scene_field *field, const void *a, const void *b)
{
    switch (field->type) {
    case CRN_SCENE_OTHER:
    case CRN_SCENE_REMARK: return true;
    case CRN_SCENE_REAL:
    case CRN_SCENE_EXTENDED: return crn_scene_same_bits(a, b, 1);
    case CRN_SCENE_INT:
    case CRN_SCENE_NAME: return memcmp(a, b, sizeof(int)) == 0;
    case CRN_SCENE_BITS: return *(const uint32_t *)a == *(const uint32_t *)b;
    case CRN_SCENE_BOOL:
    case CRN_SCENE_NOT: return *(const bool *)a == *(const bool *)b;
    case CRN_SCENE_STRING: return *(const char *const *)a == NULL;
    case CRN_SCENE_VECTOR:
    case CRN_SCENE_SPIN:
    case CRN_SCENE_AXIS: return crn_scene_same_bits(a, b, 3);
    case CRN_SCENE_PROFILE: return crn_scene_same_profile(a, b);
    }
    return true;
}

static void put_value(crn_scene_out *out, const crn_scene_field *field, const void *value)
{
    char number[CRN_IO_NUMBER_SIZE];
    int kind = 0;
    switch (field->type) {
    case CRN_SCENE_OTHER:
    case CRN_SCENE_REMARK: return;
    case CRN_SCENE_REAL:
    case CRN_SCENE_EXTENDED: crn_scene_put_real(out, *(const double *)value); return;
    case CRN_SCENE_INT:
        (void)snprintf(number, sizeof number, "%d", *(const int *)value);
        crn_scene_put(out, number);
        return;
    case CRN_SCENE_BITS:
        (void)snprintf(number, sizeof number, "%lu", (unsigned long)*(const uint32_t *)value);
        crn_scene_put(out, number);
        return;
    case CRN_SCENE_BOOL: crn_scene_put(out, *(const bool *)value ? "true" : "false"); return;
    case CRN_SCENE_NOT: crn_scene_put(out, *(const bool *)value ? "false" : "true"); return;
    case CRN_SCENE_STRING: crn_scene_put_string(out, *(const char *const *)value); return;
    case CRN_SCENE_VECTOR: put_vector(out, value, true); return;
    case CRN_SCENE_SPIN: put_spin(out, value); return;
    case CRN_SCENE_AXIS: put_vector(out, value, false); return;
    case CRN_SCENE_PROFILE: put_profile(out, value); return;
    case CRN_SCENE_NAME:
        memcpy(&kind, value, sizeof kind);
        crn_scene_put_string(out, field->name(kind));
        return;
    }
}

void crn_scene_put_fields(crn_scene_out *out, crn_scene_part part, const void *def, const void *plain)
{
    const crn_scene_object *known = crn_scene_object_of(part);
    for (int i = 0; i < known->fields; ++i) {
        const crn_scene_field *field = &known->field[i];
        const char *value = (const char *)def + field->offset, *usual = (const char *)plain + field->offset;
        if (!is_same(field, value, usual)) {
            crn_scene_key(out, field->key);
            put_value(out, field, value);
        }
    }
}
