/* The tables of fields, docs/scene.schema.json and docs/guide/scenes.md know the same fields, types, values and defaults. */
#include "collide/collide_room.h"
#include "io/scene.h"

#include "test_support.h"

#include <jansson.h>
#include <math.h>

#ifndef CAIRN_SOURCE_DIR
#error "the schema is found by CAIRN_SOURCE_DIR"
#endif

static json_t *schema;

static int load_schema(void **state)
{
    (void)state;
    json_error_t reason;
    schema = json_load_file(CAIRN_SOURCE_DIR "/docs/scene.schema.json", JSON_REJECT_DUPLICATES, &reason);
    TEST_CHECK(schema != NULL, "line %d: %s", reason.line, reason.text);
    return 0;
}

static int free_schema(void **state)
{
    (void)state;
    json_decref(schema);
    return 0;
}

static const json_t *definition(const crn_scene_object *object)
{
    return strcmp(object->name, "scene") == 0 ? schema
                                              : json_object_get(json_object_get(schema, "$defs"), object->name);
}

static const crn_scene_object *object_at(int part)
{
    return crn_scene_object_of((crn_scene_part)part);
}

static bool has_field(const crn_scene_object *object, const char *key)
{
    for (int i = 0; i < object->fields; ++i) {
        if (strcmp(object->field[i].key, key) == 0) {
            return true;
        }
    }
    return false;
}

/* Both ways; nothing else is allowed; every field has a description; every other definition is a type of ours. */
static void test_same_fields(void **state)
{
    (void)state;
    for (int part = 0; part < CRN_SCENE_PARTS; ++part) {
        const crn_scene_object *object = object_at(part);
        assert_true(object->fields <= CRN_SCENE_FIELDS_MAX);
        if (object->name == NULL) {
            continue;
        }
        const json_t *own = definition(object), *properties = json_object_get(own, "properties");
        TEST_CHECK(json_is_object(properties), "%s is not in the schema", object->name);
        TEST_CHECK(json_is_false(json_object_get(own, "additionalProperties")), "%s is open", object->name);
        for (int i = 0; i < object->fields; ++i) {
            const json_t *field = json_object_get(properties, object->field[i].key);
            TEST_CHECK(field != NULL, "%s.%s is not in the schema", object->name, object->field[i].key);
            TEST_CHECK(json_is_string(json_object_get(field, "description")), "%s.%s is not described", object->name,
                       object->field[i].key);
        }
        const char *key;
        json_t *value;
        json_object_foreach((json_t *)(uintptr_t)properties, key, value)
        {
            TEST_CHECK(has_field(object, key), "%s.%s is only in the schema", object->name, key);
        }
    }
}

/* --- Types and defaults --- */

static const char *wanted_type(crn_scene_type type)
{
    switch (type) {
    case CRN_SCENE_REMARK:
    case CRN_SCENE_STRING: return "string";
    case CRN_SCENE_REAL: return "number";
    case CRN_SCENE_INT:
    case CRN_SCENE_BITS: return "integer";
    case CRN_SCENE_BOOL:
    case CRN_SCENE_NOT: return "boolean";
    case CRN_SCENE_EXTENDED: return "#/$defs/extended";
    case CRN_SCENE_VECTOR: return "#/$defs/vector";
    case CRN_SCENE_SPIN: return "#/$defs/spin";
    case CRN_SCENE_AXIS: return "#/$defs/axis";
    case CRN_SCENE_PROFILE: return "#/$defs/profile";
    default: return NULL;
    }
}

static void check_names(const json_t *field, const crn_scene_field *wanted, const char *object)
{
    const json_t *names = json_object_get(field, "enum");
    size_t count = 0;
    for (; wanted->name((int)count) != NULL; ++count) {
        const char *name = json_string_value(json_array_get(names, count));
        TEST_CHECK(name != NULL && strcmp(name, wanted->name((int)count)) == 0, "%s.%s: value %zu is not '%s'", object,
                   wanted->key, count, wanted->name((int)count));
    }
    assert_int_equal(json_array_size(names), count);
}

static void test_same_types(void **state)
{
    (void)state;
    int checked = 0;
    for (int part = 0; part < CRN_SCENE_PARTS; ++part) {
        const crn_scene_object *object = object_at(part);
        for (int i = 0; object->name != NULL && i < object->fields; ++i) {
            const crn_scene_field *wanted = &object->field[i];
            const json_t *field = json_object_get(json_object_get(definition(object), "properties"), wanted->key);
            if (wanted->type == CRN_SCENE_NAME) {
                check_names(field, wanted, object->name);
            } else if (wanted_type(wanted->type) != NULL) {
                const json_t *type = json_object_get(field, wanted_type(wanted->type)[0] == '#' ? "$ref" : "type");
                TEST_CHECK(json_is_string(type) && strcmp(json_string_value(type), wanted_type(wanted->type)) == 0,
                           "%s.%s: not of type %s", object->name, wanted->key, wanted_type(wanted->type));
                checked++;
            }
        }
    }
    assert_true(checked > 60);
}

static double number_of(const json_t *value)
{
    const char *text = json_string_value(value);
    if (text != NULL) {
        return strcmp(text, "inf") == 0 ? INFINITY : -INFINITY;
    }
    return json_number_value(value);
}

/* The default in the schema against that of the definition; fields without one are checked by hand elsewhere. */
static void check_default(const crn_scene_object *object, const crn_scene_field *field, const void *at)
{
    const json_t *entry = json_object_get(json_object_get(definition(object), "properties"), field->key);
    const json_t *usual = json_object_get(entry, "default");
    bool is_good = true;
    int number = 0;
    switch (field->type) {
    case CRN_SCENE_REAL:
    case CRN_SCENE_EXTENDED: is_good = number_of(usual) == *(const double *)at; break;
    case CRN_SCENE_PROFILE: is_good = number_of(usual) == ((const crn_profile *)at)->value; break;
    case CRN_SCENE_INT: is_good = json_integer_value(usual) == *(const int *)at; break;
    case CRN_SCENE_BITS: is_good = json_integer_value(usual) == (json_int_t) * (const uint32_t *)at; break;
    case CRN_SCENE_BOOL: is_good = json_is_true(usual) == *(const bool *)at; break;
    case CRN_SCENE_NOT: is_good = json_is_true(usual) != *(const bool *)at; break;
    case CRN_SCENE_NAME:
        memcpy(&number, at, sizeof number);
        is_good = json_is_string(usual) && strcmp(json_string_value(usual), field->name(number)) == 0;
        break;
    case CRN_SCENE_VECTOR:
    case CRN_SCENE_SPIN:
    case CRN_SCENE_AXIS:
        is_good = json_array_size(usual) == 3;
        for (size_t k = 0; k < 3; ++k) {
            is_good = is_good && number_of(json_array_get(usual, k)) == ((const double *)at)[k];
        }
        break;
    default: return;
    }
    TEST_CHECK(usual != NULL && is_good, "%s.%s: the schema has another default", object->name, field->key);
}

/* Fields whose absence means something that is no value: by density, as target says, as the graph allows, needed. */
static bool has_no_default(const crn_scene_object *object, const char *key)
{
    static const char *const list[] = {"body.mass",     "motor.servo",      "joint.length",
                                       "joint.in_tree", "shape.kind",       "joint.kind",
                                       "probe.kind",    "tendon_part.kind", "tendon_part.radius"};
    char name[64];
    (void)snprintf(name, sizeof name, "%s.%s", object->name, key);
    for (size_t i = 0; i < sizeof list / sizeof list[0]; ++i) {
        if (strcmp(name, list[i]) == 0) {
            return true;
        }
    }
    return false;
}

static void test_same_defaults(void **state)
{
    (void)state;
    const crn_world_def world = crn_world_def_default();
    const crn_body_def body = crn_body_def_default();
    const crn_body_shape shape = crn_body_shape_default();
    const crn_joint_def joint = crn_joint_def_default();
    const crn_load_def load = crn_load_def_default();
    const crn_actuator_def actuator = crn_actuator_def_default();
    const crn_pair_def pair = crn_pair_def_default();
    const crn_site_def site = crn_site_def_default();
    const crn_tendon_def tendon = crn_tendon_def_default();
    const crn_tendon_part part_of_tendon = crn_tendon_part_default();
    const crn_profile profile = {0};
    const crn_probe_def probe = {0};
    const crn_robot_options robot = crn_robot_options_default();
    crn_joint_axis motor = joint.axis[0];
    motor.has_motor = true; /* of a motor that a file mentions */
    const void *const defs[CRN_SCENE_PARTS] = {
        [CRN_SCENE_FILE] = &world,        [CRN_SCENE_SOLVER] = &world,  [CRN_SCENE_MATERIAL] = &shape,
        [CRN_SCENE_BODY] = &body,         [CRN_SCENE_SHAPE] = &shape,   [CRN_SCENE_MOTION] = &body.motion,
        [CRN_SCENE_WAVE] = &profile,      [CRN_SCENE_JOINT] = &joint,   [CRN_SCENE_FRAME] = &body.pose,
        [CRN_SCENE_COORDINATE] = &motor,  [CRN_SCENE_MOTOR] = &motor,   [CRN_SCENE_LOAD] = &load,
        [CRN_SCENE_ACTUATOR] = &actuator, [CRN_SCENE_PROBE] = &probe,   [CRN_SCENE_SPRING] = &motor,
        [CRN_SCENE_FOLLOWS] = &motor,     [CRN_SCENE_ROBOT] = &robot,   [CRN_SCENE_PAIR] = &pair,
        [CRN_SCENE_SITE] = &site,         [CRN_SCENE_TENDON] = &tendon, [CRN_SCENE_TENDON_PART] = &part_of_tendon,
    };
    for (int part = 0; part < CRN_SCENE_PARTS; ++part) {
        const crn_scene_object *object = object_at(part);
        for (int i = 0; object->name != NULL && i < object->fields; ++i) {
            const crn_scene_field *field = &object->field[i];
            if (!has_no_default(object, field->key)) {
                check_default(object, field, (const char *)defs[part] + field->offset);
            }
        }
    }
}

/* Which sizes each kind of shape needs. */
static void test_same_sizes(void **state)
{
    (void)state;
    const json_t *kinds = json_object_get(json_object_get(json_object_get(schema, "$defs"), "shape"), "oneOf");
    assert_int_equal(json_array_size(kinds), CRN_SHAPE_KIND_COUNT);
    for (int kind = 0; kind < CRN_SHAPE_KIND_COUNT; ++kind) {
        const json_t *entry = json_array_get(kinds, (size_t)kind), *needed = json_object_get(entry, "required");
        const json_t *name = json_object_get(json_object_get(json_object_get(entry, "properties"), "kind"), "const");
        assert_string_equal(json_string_value(name), crn_shape_kind_name((crn_shape_kind)kind));
        assert_string_equal(json_string_value(json_array_get(needed, 0)), "kind");
        const crn_shape_size *size = crn_shape_kind_traits((crn_shape_kind)kind)->size;
        size_t count = 1;
        for (int i = 0; i < CRN_SHAPE_SIZES_MAX && size[i].key != NULL; ++i) {
            assert_true(has_field(crn_scene_object_of(CRN_SCENE_SHAPE), size[i].key));
            if (!size[i].is_optional) {
                assert_string_equal(json_string_value(json_array_get(needed, count++)), size[i].key);
            }
        }
        assert_int_equal(json_array_size(needed), count);
    }
}

/* --- The guide --- */

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    TEST_CHECK(file != NULL, "%s cannot be opened", path);
    enum { LARGEST = 1 << 20 };
    char *text = calloc(LARGEST, 1);
    assert_non_null(text);
    size_t size = fread(text, 1, LARGEST - 1, file);
    assert_true(size > 0 && size < LARGEST - 1);
    (void)fclose(file);
    return text;
}

static void need_in_guide(const char *text, const char *object, const char *word)
{
    char quoted[80];
    (void)snprintf(quoted, sizeof quoted, "`%s`", word);
    TEST_CHECK(strstr(text, quoted) != NULL, "%s: the guide does not name %s", object, quoted);
}

static void test_guide(void **state)
{
    (void)state;
    char *text = read_text(CAIRN_SOURCE_DIR "/docs/guide/scenes.md");
    for (int part = 0; part < CRN_SCENE_PARTS; ++part) {
        const crn_scene_object *object = object_at(part);
        for (int i = 0; object->name != NULL && i < object->fields; ++i) {
            const crn_scene_field *field = &object->field[i];
            need_in_guide(text, object->name, field->key);
            for (int k = 0; field->type == CRN_SCENE_NAME && field->name(k) != NULL; ++k) {
                need_in_guide(text, object->name, field->name(k));
            }
        }
    }
    free(text);
}

/* The whole scene that the guide shows can be read. */
static void test_guide_example(void **state)
{
    (void)state;
    char *text = read_text(CAIRN_SOURCE_DIR "/docs/guide/scenes.md");
    const char *begin = strstr(text, "{\"$schema\""), *end = begin != NULL ? strstr(begin, "\n```") : NULL;
    assert_non_null(end);
    crn_model *model = NULL;
    crn_error error = {CRN_OK, ""};
    crn_status status = crn_io_read_scene_text(begin, (size_t)(end - begin), "guide", NULL, &model, &error);
    TEST_CHECK(status == CRN_OK, "%s", error.text);
    assert_int_equal(crn_model_bodies(model), 2);
    assert_true(crn_model_body(model, 1)->shape[0].density == 700);
    crn_model_destroy(model);
    free(text);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_fields), cmocka_unit_test(test_same_types), cmocka_unit_test(test_same_defaults),
        cmocka_unit_test(test_same_sizes),  cmocka_unit_test(test_guide),      cmocka_unit_test(test_guide_example),
    };
    if (argc > 1) {
        cmocka_set_test_filter(argv[1]);
    }
    return cmocka_run_group_tests(tests, load_schema, free_schema);
}
