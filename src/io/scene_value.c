/* Reading the fields of simple types by the tables of scene_fields.c, and what several objects share: names of kinds,
 * profiles, poses, references. */
#include "io/scene.h"

#include "base/memory.h"
#include "math/elementary.h"
#include "math/rigid.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* --- Memory while a definition is read --- */

typedef union block {
    union block *next;
    max_align_t align;
} block;

crn_status crn_scene_take(crn_scene_reader *reader, size_t count, size_t size, void **memory)
{
    block *taken = NULL;
    *memory = NULL;
    if (size == 0 || count <= (SIZE_MAX - sizeof(block)) / size) {
        taken = crn_allocate(&reader->allocator, sizeof(block) + count * size, 1);
    }
    if (taken == NULL) {
        return crn_fail(reader->error, CRN_ERR_MEMORY, "%s: no memory for %zu items of %zu bytes", reader->source->name,
                        count, size);
    }
    taken->next = reader->scratch;
    reader->scratch = taken;
    *memory = taken + 1;
    return CRN_OK;
}

void crn_scene_drop(crn_scene_reader *reader)
{
    block *at = reader->scratch;
    while (at != NULL) {
        block *next = at->next;
        crn_release(&reader->allocator, at);
        at = next;
    }
    reader->scratch = NULL;
}

/* --- Objects and their fields --- */

typedef struct key_search {
    const crn_json_place *object;
    const crn_scene_object *known;
    crn_status status;
} key_search;

static bool check_key(void *user, const char *key)
{
    key_search *search = user;
    const char *names[CRN_SCENE_FIELDS_MAX];
    int count = 0;
    for (int i = 0; i < search->known->fields && count < CRN_SCENE_FIELDS_MAX; ++i) {
        if (strcmp(key, search->known->field[i].key) == 0) {
            return true;
        }
        if (search->known->field[i].type != CRN_SCENE_REMARK) {
            names[count++] = search->known->field[i].key;
        }
    }
    crn_json_place place = crn_json_find(search->object, key);
    search->status = crn_json_fail_unknown(&place, "field", key, names, count);
    return false;
}

crn_status crn_scene_open(const crn_json_place *object, crn_scene_part part)
{
    crn_status status = crn_json_need(object, CRN_JSON_OBJECT);
    key_search search = {.object = object, .known = crn_scene_object_of(part), .status = status};
    if (status == CRN_OK) {
        crn_json_each_key(object->value, check_key, &search);
    }
    return search.status;
}

crn_status crn_scene_extended(const crn_json_place *place, double *value)
{
    if (place->value != NULL && crn_json_kind_of(place->value) == CRN_JSON_STRING) {
        const char *text = crn_json_string(place->value);
        bool is_low = strcmp(text, "-inf") == 0;
        *value = is_low ? -INFINITY : INFINITY;
        return is_low || strcmp(text, "inf") == 0 ? CRN_OK
                                                  : crn_json_fail(place, "must be a number, \"inf\" or \"-inf\"");
    }
    return crn_json_real(place, value);
}

crn_status crn_scene_name(const crn_json_place *place, const char *(*name)(int at), int *value)
{
    crn_status status = crn_json_need(place, CRN_JSON_STRING);
    if (status != CRN_OK) {
        return status;
    }
    const char *names[CRN_SCENE_FIELDS_MAX];
    int count = 0;
    for (; count < CRN_SCENE_FIELDS_MAX && name(count) != NULL; ++count) {
        names[count] = name(count);
        if (strcmp(names[count], crn_json_string(place->value)) == 0) {
            *value = count;
            return CRN_OK;
        }
    }
    return crn_json_fail_unknown(place, "value", crn_json_string(place->value), names, count);
}

crn_status crn_scene_vector(const crn_scene_reader *reader, const crn_json_place *place, crn_vec3 *value)
{
    crn_status status = crn_json_need(place, CRN_JSON_ARRAY);
    if (status != CRN_OK) {
        return status;
    }
    double numbers[3] = {0.0, 0.0, 0.0};
    bool is_short = reader->is_planar && crn_json_count(place->value) == 2;
    status = crn_json_reals(place, is_short ? 2 : 3, numbers);
    *value = crn_v3_of(numbers);
    return status;
}

/* A turn or torque: in planar scenes a number is one about z. */
static crn_status read_spin(const crn_scene_reader *reader, const crn_json_place *place, crn_vec3 *value)
{
    if (reader->is_planar && crn_json_kind_of(place->value) == CRN_JSON_NUMBER) {
        *value = crn_v3(0.0, 0.0, 0.0);
        return crn_json_real(place, &value->z);
    }
    double numbers[3] = {0.0, 0.0, 0.0};
    crn_status status = crn_json_reals(place, 3, numbers);
    *value = crn_v3_of(numbers);
    return status;
}

static crn_status read_bits(const crn_json_place *place, uint32_t *bits)
{
    double value = 0.0;
    crn_status status = crn_json_real(place, &value);
    if (status == CRN_OK && !(value >= 0.0 && value <= (double)UINT32_MAX && value == floor(value))) {
        status = crn_json_fail(place, "must be an integer in 0 .. 4294967295, but is %.10g", value);
    }
    *bits = status == CRN_OK ? (uint32_t)value : 0;
    return status;
}

static crn_status read_bool(const crn_json_place *place, bool is_inverted, bool *value)
{
    crn_status status = crn_json_need(place, CRN_JSON_BOOL);
    if (status == CRN_OK) {
        *value = crn_json_bool(place->value) != is_inverted;
    }
    return status;
}

/* --- Profiles --- */

static crn_status read_numbers(crn_scene_reader *reader, const crn_json_place *place, int count, const double **values)
{
    void *memory = NULL;
    crn_status status = crn_scene_take(reader, (size_t)count, sizeof(double), &memory);
    *values = memory;
    return status == CRN_OK ? crn_json_reals(place, (size_t)count, memory) : status;
}

static crn_status read_table(crn_scene_reader *reader, const crn_json_place *object, crn_profile *profile)
{
    crn_json_place times = crn_json_find(object, "times"), values = crn_json_find(object, "values");
    if (times.value == NULL && values.value == NULL) {
        return CRN_OK;
    }
    int count = 0;
    crn_status status = crn_json_array(&times, &count);
    if (status == CRN_OK && count == 0) {
        status = crn_json_fail(&times, "must not be empty");
    }
    if (status == CRN_OK) {
        status = crn_json_need(&values, CRN_JSON_ARRAY);
    }
    if (status == CRN_OK) {
        status = read_numbers(reader, &times, count, &profile->times);
    }
    if (status == CRN_OK) {
        status = read_numbers(reader, &values, count, &profile->values);
    }
    profile->count = status == CRN_OK ? count : 0;
    return status;
}

/* A number, or an object whose fields are 0 unless given. */
static crn_status read_profile(crn_scene_reader *reader, const crn_json_place *place, crn_profile *profile)
{
    *profile = (crn_profile){.value = 0.0};
    if (crn_json_kind_of(place->value) == CRN_JSON_NUMBER) {
        return crn_json_real(place, &profile->value);
    }
    if (crn_json_kind_of(place->value) != CRN_JSON_OBJECT) {
        return crn_json_fail(place, "not a number or an object");
    }
    crn_status status = crn_scene_open(place, CRN_SCENE_WAVE);
    if (status == CRN_OK) {
        status = crn_scene_fill(reader, place, CRN_SCENE_WAVE, profile);
    }
    return status == CRN_OK ? read_table(reader, place, profile) : status;
}

/* --- Filling by table; straight-line: one case per type --- */

static crn_status read_field(crn_scene_reader *reader, const crn_json_place *place, const crn_scene_field *field,
                             void *target)
{
    crn_status status = CRN_OK;
    double numbers[3];
    switch (field->type) {
    case CRN_SCENE_OTHER: return CRN_OK;
    case CRN_SCENE_REMARK: return crn_json_need(place, CRN_JSON_STRING);
    case CRN_SCENE_REAL: return crn_json_real(place, target);
    case CRN_SCENE_EXTENDED: return crn_scene_extended(place, target);
    case CRN_SCENE_INT: return crn_json_int(place, INT_MIN, INT_MAX, target);
    case CRN_SCENE_BITS: return read_bits(place, target);
    case CRN_SCENE_BOOL: return read_bool(place, false, target);
    case CRN_SCENE_NOT: return read_bool(place, true, target);
    case CRN_SCENE_STRING:
        status = crn_json_need(place, CRN_JSON_STRING);
        *(const char **)target = status == CRN_OK ? crn_json_string(place->value) : NULL;
        return status;
    case CRN_SCENE_VECTOR: return crn_scene_vector(reader, place, target);
    case CRN_SCENE_SPIN: return read_spin(reader, place, target);
    case CRN_SCENE_AXIS:
        status = crn_json_reals(place, 3, numbers);
        if (status == CRN_OK) {
            *(crn_vec3 *)target = crn_v3_of(numbers);
        }
        return status;
    case CRN_SCENE_PROFILE: return read_profile(reader, place, target);
    case CRN_SCENE_NAME: return crn_scene_name(place, field->name, target);
    }
    return CRN_OK;
}

crn_status crn_scene_fill(crn_scene_reader *reader, const crn_json_place *object, crn_scene_part part, void *def)
{
    const crn_scene_object *known = crn_scene_object_of(part);
    crn_status status = CRN_OK;
    for (int i = 0; i < known->fields && status == CRN_OK; ++i) {
        crn_json_place place = crn_json_find(object, known->field[i].key);
        if (place.value != NULL) {
            status = read_field(reader, &place, &known->field[i], (char *)def + known->field[i].offset);
        }
    }
    return status;
}

/* --- Poses --- */

static crn_status read_axis_angle(const crn_json_place *place, crn_quat *rotation)
{
    double v[4] = {0.0, 0.0, 0.0, 0.0};
    crn_status status = crn_json_reals(place, 4, v);
    double length = crn_v3_length(crn_v3_of(v)), s = crn_sin(0.5 * v[3]);
    if (status == CRN_OK && !(fabs(length - 1.0) <= CRN_SCENE_UNIT_TOLERANCE)) {
        status = crn_json_fail(place, "the axis must be a unit vector, but its length is %.9g", length);
    }
    if (status == CRN_OK) {
        *rotation = (crn_quat){crn_cos(0.5 * v[3]), s * v[0] / length, s * v[1] / length, s * v[2] / length};
    }
    return status;
}

static crn_status read_angle(const crn_scene_reader *reader, const crn_json_place *place, crn_quat *rotation)
{
    double angle = 0.0;
    if (!reader->is_planar) {
        return crn_json_fail(place, "is for planar scenes only: use axis_angle or rotation");
    }
    crn_status status = crn_json_real(place, &angle);
    *rotation = (crn_quat){crn_cos(0.5 * angle), 0.0, 0.0, crn_sin(0.5 * angle)};
    return status;
}

crn_status crn_scene_pose(crn_scene_reader *reader, const crn_json_place *object, crn_pose *pose)
{
    crn_json_place position = crn_json_find(object, "position"), rotation = crn_json_find(object, "rotation"),
                   angle = crn_json_find(object, "angle"), axis_angle = crn_json_find(object, "axis_angle");
    crn_status status = CRN_OK;
    if (position.value != NULL) {
        status = crn_scene_vector(reader, &position, &pose->position);
    }
    if (status != CRN_OK) {
        return status;
    }
    if (rotation.value != NULL && (angle.value != NULL || axis_angle.value != NULL)) {
        return crn_json_fail(&rotation, "given beside %s", angle.value != NULL ? "angle" : "axis_angle");
    }
    if (angle.value != NULL && axis_angle.value != NULL) {
        return crn_json_fail(&axis_angle, "given beside angle");
    }
    if (rotation.value != NULL) {
        double q[4] = {1.0, 0.0, 0.0, 0.0};
        status = crn_json_reals(&rotation, 4, q);
        pose->rotation = (crn_quat){q[0], q[1], q[2], q[3]};
    } else if (angle.value != NULL) {
        status = read_angle(reader, &angle, &pose->rotation);
    } else if (axis_angle.value != NULL) {
        status = read_axis_angle(&axis_angle, &pose->rotation);
    }
    return status;
}

/* --- References --- */

/* Names are few where they are used; the nearest is found among the first of them. */
enum { NAMES_SHOWN = 64 };

static crn_status read_reference(const crn_json_place *place, int lowest, int count, const char *what,
                                 const char *(*name)(const crn_model *model, int at), const crn_model *model,
                                 int *index)
{
    if (crn_json_kind_of(place->value) == CRN_JSON_NUMBER) {
        double value = crn_json_number(place->value);
        if (!(value >= lowest && value < count && value == floor(value))) {
            return crn_json_fail(place, "there is no %s %.9g", what, value);
        }
        *index = (int)value;
        return CRN_OK;
    }
    if (crn_json_kind_of(place->value) != CRN_JSON_STRING) {
        return crn_json_fail(place, "not a name or a number");
    }
    const char *wanted = crn_json_string(place->value), *names[NAMES_SHOWN];
    int shown = 0;
    for (int i = 0; i < count; ++i) {
        const char *given = name(model, i);
        if (given != NULL && strcmp(given, wanted) == 0) {
            *index = i;
            return CRN_OK;
        }
        if (given != NULL && shown < NAMES_SHOWN) {
            names[shown++] = given;
        }
    }
    if (lowest < 0 && strcmp(wanted, "world") == 0) {
        *index = -1;
        return CRN_OK;
    }
    return crn_json_fail_unknown(place, what, wanted, names, shown);
}

static const char *body_name(const crn_model *model, int at)
{
    return crn_model_body(model, at)->name;
}

static const char *site_name(const crn_model *model, int at)
{
    return crn_model_site(model, at)->name;
}

static const char *tendon_name(const crn_model *model, int at)
{
    return crn_model_tendon(model, at)->name;
}

static const char *actuator_name(const crn_model *model, int at)
{
    return crn_model_actuator(model, at)->name;
}

static const char *joint_name(const crn_model *model, int at)
{
    return crn_model_joint(model, at)->name;
}

crn_status crn_scene_body_reference(const crn_scene_reader *reader, const crn_json_place *place, bool has_world,
                                    int *index)
{
    *index = -1;
    if (place->value == NULL) {
        return has_world ? CRN_OK : crn_json_fail(place, "missing");
    }
    return read_reference(place, has_world ? -1 : 0, crn_model_bodies(reader->model), "body", body_name, reader->model,
                          index);
}

crn_status crn_scene_joint_reference(const crn_scene_reader *reader, const crn_json_place *place, int *index)
{
    *index = -1;
    if (place->value == NULL) {
        return crn_json_fail(place, "missing");
    }
    return read_reference(place, 0, crn_model_joints(reader->model), "joint", joint_name, reader->model, index);
}

crn_status crn_scene_site_reference(const crn_scene_reader *reader, const crn_json_place *place, int *index)
{
    *index = -1;
    if (place->value == NULL) {
        return crn_json_fail(place, "missing");
    }
    return read_reference(place, 0, crn_model_sites(reader->model), "site", site_name, reader->model, index);
}

crn_status crn_scene_tendon_reference(const crn_scene_reader *reader, const crn_json_place *place, int *index)
{
    *index = -1;
    if (place->value == NULL) {
        return crn_json_fail(place, "missing");
    }
    return read_reference(place, 0, crn_model_tendons(reader->model), "tendon", tendon_name, reader->model, index);
}

crn_status crn_scene_actuator_reference(const crn_scene_reader *reader, const crn_json_place *place, int *index)
{
    *index = -1;
    if (place->value == NULL) {
        return crn_json_fail(place, "missing");
    }
    return read_reference(place, 0, crn_model_actuators(reader->model), "actuator", actuator_name, reader->model,
                          index);
}

/* --- What the model found wrong --- */

crn_status crn_scene_blame(const crn_scene_reader *reader, const crn_error *reason, const char *prefix)
{
    char text[sizeof reason->text];
    (void)snprintf(text, sizeof text, "%s%s", prefix, reason->text);
    /* Joints, sites, tendons, actuators and keys of the file's robots come before its own: joints[24] of the model may be joints[0] of the file. */
    const struct {
        const char *name, *format;
        int first;
    } list[] = {{"joints", "joints[%d]%n", reader->first_joint},
                {"sites", "sites[%d]%n", reader->first_site},
                {"tendons", "tendons[%d]%n", reader->first_tendon},
                {"actuators", "actuators[%d]%n", reader->first_actuator},
                {"keys", "keys[%d]%n", reader->first_key}};
    for (size_t k = 0; k < sizeof list / sizeof *list; ++k) {
        int index = 0, length = 0;
        if (sscanf(reason->text, list[k].format, &index, &length) == 1 && length > 0 && index >= list[k].first) {
            (void)snprintf(text, sizeof text, "%s[%d]%s", list[k].name, index - list[k].first, reason->text + length);
        }
    }
    if (reason->status != CRN_ERR_ARGUMENT) {
        return crn_fail(reader->error, reason->status, "%s: %s", reader->source->name, text);
    }
    return crn_json_fail_path(reader->source, text, reader->error);
}

/* --- Tables of points and heights --- */

/* An array of rows of the same length; columns 0: as long as the first. */
static crn_status count_rows(const crn_json_place *place, int *rows, int *columns)
{
    crn_status status = crn_json_array(place, rows);
    if (status == CRN_OK && *columns == 0 && *rows > 0) {
        crn_json_place first = crn_json_at(place, 0);
        status = crn_json_array(&first, columns);
    }
    return status == CRN_OK ? crn_json_check_table(place, (size_t)*rows, (size_t)*columns) : status;
}

/* Points one after another; heights, which the file has row by row, column-major. */
crn_status crn_scene_rows(crn_scene_reader *reader, const crn_json_place *place, int columns, bool is_field,
                          crn_shape_def *shape)
{
    int rows = 0;
    crn_status status = count_rows(place, &rows, &columns);
    if (status != CRN_OK) {
        return status;
    }
    size_t count = (size_t)rows * (size_t)columns;
    void *as_read = NULL, *as_kept = NULL;
    status = crn_scene_take(reader, count, sizeof(double), &as_read);
    if (status == CRN_OK) {
        status = crn_scene_take(reader, is_field ? count : 0, sizeof(double), &as_kept);
    }
    if (status == CRN_OK) {
        status = crn_json_table(place, (size_t)rows, (size_t)columns, as_read);
    }
    const double *read = as_read;
    double *kept = as_kept;
    for (size_t k = 0; is_field && status == CRN_OK && k < count; ++k) {
        kept[k / (size_t)columns + k % (size_t)columns * (size_t)rows] = read[k];
    }
    shape->points = is_field ? kept : read;
    shape->count = is_field ? 0 : rows;
    shape->rows = is_field ? rows : 0;
    shape->columns = is_field ? columns : 0;
    return status;
}
