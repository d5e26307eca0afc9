/* Materials, bodies and their shapes.
 *
 * What a shape's surface is like: the defaults, then the body's material, the body's own fields, the shape's material, the
 * shape's own fields; what comes later wins. */
#include "io/scene.h"

#include "collide/collide_room.h"
#include "math/rigid.h"

#include <string.h>

/* --- Materials --- */

/* Into the fields of a shape that a material has. */
static crn_status read_material(crn_scene_reader *reader, const crn_json_place *place, crn_body_shape *shape)
{
    crn_status status = crn_scene_open(place, CRN_SCENE_MATERIAL);
    if (status == CRN_OK) {
        status = crn_scene_fill(reader, place, CRN_SCENE_MATERIAL, shape);
    }
    crn_json_place friction = crn_json_find(place, "friction"), density = crn_json_find(place, "density"),
                   restitution = crn_json_find(place, "restitution");
    if (status == CRN_OK && shape->friction < 0.0) {
        status = crn_json_fail(&friction, "must be >= 0, but is %.9g", shape->friction);
    }
    if (status == CRN_OK && (shape->restitution < 0.0 || shape->restitution > 1.0)) {
        status = crn_json_fail(&restitution, "must be in 0 .. 1, but is %.9g", shape->restitution);
    }
    if (status == CRN_OK && shape->density < 0.0) {
        status = crn_json_fail(&density, "must be >= 0, but is %.9g", shape->density);
    }
    return status;
}

typedef struct material_walk {
    crn_scene_reader *reader;
    const crn_json_place *materials;
    const char **name; /* NULL: read each; else list the first `capacity` names */
    int names, capacity;
    crn_status status;
} material_walk;

static bool visit_material(void *user, const char *key)
{
    material_walk *walk = user;
    if (walk->name != NULL) {
        if (walk->names < walk->capacity) {
            walk->name[walk->names++] = key;
        }
        return true;
    }
    crn_json_place place = crn_json_find(walk->materials, key);
    crn_body_shape ignored = crn_body_shape_default();
    walk->status = read_material(walk->reader, &place, &ignored);
    return walk->status == CRN_OK;
}

crn_status crn_scene_read_materials(crn_scene_reader *reader)
{
    crn_json_place materials = crn_json_find(&reader->root, "materials");
    if (materials.value == NULL) {
        return CRN_OK;
    }
    material_walk walk = {.reader = reader, .materials = &materials};
    walk.status = crn_json_need(&materials, CRN_JSON_OBJECT);
    if (walk.status == CRN_OK) {
        crn_json_each_key(materials.value, visit_material, &walk);
    }
    return walk.status;
}

static crn_status use_material(crn_scene_reader *reader, const crn_json_place *place, crn_body_shape *shape)
{
    crn_status status = crn_json_need(place, CRN_JSON_STRING);
    if (status != CRN_OK) {
        return status;
    }
    const char *wanted = crn_json_string(place->value);
    crn_json_place materials = crn_json_find(&reader->root, "materials");
    crn_json_place material = materials;
    if (materials.value != NULL) {
        material = crn_json_find(&materials, wanted);
    }
    if (material.value != NULL) {
        return read_material(reader, &material, shape);
    }
    const char *names[CRN_SCENE_FIELDS_MAX];
    material_walk walk = {.name = names, .capacity = CRN_SCENE_FIELDS_MAX};
    if (materials.value != NULL) {
        crn_json_each_key(materials.value, visit_material, &walk);
    }
    return crn_json_fail_unknown(place, "material", wanted, names, walk.names);
}

/* Material, then own fields. */
static crn_status read_surface(crn_scene_reader *reader, const crn_json_place *object, crn_body_shape *shape)
{
    crn_json_place material = crn_json_find(object, "material");
    crn_status status = material.value != NULL ? use_material(reader, &material, shape) : CRN_OK;
    return status == CRN_OK ? crn_scene_fill(reader, object, CRN_SCENE_SURFACE, shape) : status;
}

/* --- Shapes --- */

static crn_status read_size(crn_scene_reader *reader, const crn_json_place *object, const crn_shape_size *size,
                            crn_shape_def *shape)
{
    crn_json_place place = crn_json_find(object, size->key);
    if (place.value == NULL && size->is_optional) {
        return CRN_OK;
    }
    if (size->count == 0) {
        const crn_shape_traits *traits = crn_shape_kind_traits(shape->kind);
        return crn_scene_rows(reader, &place, traits->dimension, traits->has_grid, shape);
    }
    double numbers[3] = {shape->size.x, shape->size.y, shape->size.z};
    crn_status status = size->count == 1 ? crn_json_real(&place, &numbers[size->first])
                                         : crn_json_reals(&place, (size_t)size->count, &numbers[size->first]);
    shape->size = crn_v3_of(numbers);
    return status;
}

static bool has_size(const crn_shape_traits *traits, const char *key)
{
    for (int i = 0; i < CRN_SHAPE_SIZES_MAX && traits->size[i].key != NULL; ++i) {
        if (strcmp(key, traits->size[i].key) == 0) {
            return true;
        }
    }
    return traits->has_triangles && (strcmp(key, "file") == 0 || strcmp(key, "scale") == 0);
}

static crn_status refuse_size(const crn_json_place *object, const crn_shape_traits *traits, const char *key)
{
    crn_json_place place = crn_json_find(object, key);
    bool is_foreign = place.value != NULL && !has_size(traits, key);
    return is_foreign ? crn_json_fail(&place, "a %s has none", traits->name) : CRN_OK;
}

/* Sizes of other kinds are mistakes. */
static crn_status refuse_foreign(const crn_json_place *object, const crn_shape_traits *traits)
{
    crn_status status = CRN_OK;
    for (int kind = 0; kind < CRN_SHAPE_KIND_COUNT; ++kind) {
        const crn_shape_size *size = crn_shape_kind_traits((crn_shape_kind)kind)->size;
        for (int i = 0; i < CRN_SHAPE_SIZES_MAX && size[i].key != NULL && status == CRN_OK; ++i) {
            status = refuse_size(object, traits, size[i].key);
        }
    }
    status = status == CRN_OK ? refuse_size(object, traits, "file") : status;
    return status == CRN_OK ? refuse_size(object, traits, "scale") : status;
}

/* All sizes of the kind, and none of another. */
static crn_status read_sizes(crn_scene_reader *reader, const crn_json_place *object, crn_shape_def *shape)
{
    const crn_shape_traits *traits = crn_shape_kind_traits(shape->kind);
    shape->size = crn_v3(0.0, 0.0, 0.0);
    crn_status status = traits->has_triangles ? crn_scene_read_mesh(reader, object, shape) : CRN_OK;
    for (int i = 0; !traits->has_triangles && i < CRN_SHAPE_SIZES_MAX && status == CRN_OK; ++i) {
        if (traits->size[i].key != NULL) {
            status = read_size(reader, object, &traits->size[i], shape);
        }
    }
    return status == CRN_OK ? refuse_foreign(object, traits) : status;
}

/* A kind that there is not, and the field "size", which no kind has, get the answer that helps, before anything else is said. */
static crn_status check_kind(const crn_json_place *place, const crn_json_place *kind)
{
    const char *names[CRN_SHAPE_KIND_COUNT], *text = crn_json_string(kind->value);
    crn_json_place size = crn_json_find(place, "size");
    crn_shape_kind known;
    if (!crn_shape_kind_find(text, &known)) {
        for (int k = 0; k < CRN_SHAPE_KIND_COUNT; ++k) {
            names[k] = crn_shape_kind_name((crn_shape_kind)k);
        }
        return crn_json_fail_unknown(kind, "value", text, names, CRN_SHAPE_KIND_COUNT);
    }
    const crn_shape_size *own = crn_shape_kind_traits(known)->size;
    if (size.value == NULL || own[0].key == NULL) {
        return CRN_OK;
    }
    return crn_json_fail(&size, "unknown field; a %s has '%s'%s%s%s", text, own[0].key,
                         own[1].key != NULL ? " and '" : "", own[1].key != NULL ? own[1].key : "",
                         own[1].key != NULL ? "'" : "");
}

static crn_status read_shape(crn_scene_reader *reader, const crn_json_place *place, crn_body_shape *shape)
{
    crn_status status = crn_json_need(place, CRN_JSON_OBJECT);
    crn_json_place kind = status == CRN_OK ? crn_json_find(place, "kind") : *place;
    if (status == CRN_OK && kind.value != NULL && crn_json_kind_of(kind.value) == CRN_JSON_STRING) {
        status = check_kind(place, &kind);
    }
    status = status == CRN_OK ? crn_scene_open(place, CRN_SCENE_SHAPE) : status;
    if (status != CRN_OK) {
        return status;
    }
    if (kind.value == NULL) {
        return crn_json_fail(&kind, "missing");
    }
    status = read_surface(reader, place, shape);
    if (status == CRN_OK) {
        status = crn_scene_fill(reader, place, CRN_SCENE_SHAPE, shape);
    }
    if (status == CRN_OK) {
        status = read_sizes(reader, place, &shape->shape);
    }
    crn_json_place color = crn_json_find(place, "color");
    if (status == CRN_OK && color.value != NULL) {
        double rgb[3] = {0.0, 0.0, 0.0};
        status = crn_json_reals(&color, 3, rgb);
        shape->color = crn_v3_of(rgb);
    }
    return status == CRN_OK ? crn_scene_pose(reader, place, &shape->pose) : status;
}

/* A list of the body, shapes or pictures. */
static crn_status read_shapes(crn_scene_reader *reader, const crn_json_place *body, const char *name,
                              const crn_body_shape **shapes, int *number)
{
    crn_body_shape common = crn_body_shape_default();
    crn_status status = read_surface(reader, body, &common);
    crn_json_place list = crn_json_find(body, name);
    if (status != CRN_OK || list.value == NULL) {
        return status;
    }
    int count = 0;
    status = crn_json_array(&list, &count);
    void *memory = NULL;
    if (status == CRN_OK) {
        status = crn_scene_take(reader, (size_t)count, sizeof(crn_body_shape), &memory);
    }
    crn_body_shape *shape = memory;
    for (int i = 0; i < count && status == CRN_OK; ++i) {
        crn_json_place place = crn_json_at(&list, (size_t)i);
        shape[i] = common;
        status = read_shape(reader, &place, &shape[i]);
    }
    *shapes = shape;
    *number = status == CRN_OK ? count : 0;
    return status;
}

/* --- Bodies --- */

/* A number in planar scenes; 3 numbers, the diagonal; or 9, row by row. */
static crn_status read_inertia(const crn_scene_reader *reader, const crn_json_place *place, crn_mat3 *inertia)
{
    double v[9] = {0.0};
    crn_status status = CRN_OK;
    if (reader->is_planar && crn_json_kind_of(place->value) == CRN_JSON_NUMBER) {
        status = crn_json_real(place, &inertia->m[8]);
    } else {
        status = crn_json_need(place, CRN_JSON_ARRAY);
        size_t count = status == CRN_OK && crn_json_count(place->value) == 9 ? 9 : 3;
        status = status == CRN_OK ? crn_json_reals(place, count, v) : status;
        for (int k = 0; k < 9 && count == 9; ++k) {
            inertia->m[k] = v[3 * (k % 3) + k / 3];
        }
        for (int k = 0; k < 3 && count == 3; ++k) {
            inertia->m[4 * k] = v[k];
        }
    }
    bool is_zero = true;
    for (int k = 0; k < 9; ++k) {
        is_zero = is_zero && inertia->m[k] == 0.0;
    }
    return status == CRN_OK && is_zero ? crn_json_fail(place, "must be positive definite, but is 0") : status;
}

static crn_status read_motion(crn_scene_reader *reader, const crn_json_place *place, crn_motion *motion)
{
    crn_status status = crn_scene_open(place, CRN_SCENE_MOTION);
    return status == CRN_OK ? crn_scene_fill(reader, place, CRN_SCENE_MOTION, motion) : status;
}

static crn_status read_parts(crn_scene_reader *reader, const crn_json_place *place, crn_body_def *def)
{
    crn_json_place mass = crn_json_find(place, "mass"), inertia = crn_json_find(place, "inertia"),
                   motion = crn_json_find(place, "motion");
    crn_status status = crn_scene_pose(reader, place, &def->pose);
    if (status == CRN_OK && mass.value != NULL && def->mass == 0.0) {
        status = crn_json_fail(&mass, "must be > 0, but is 0 (leave it out to have it by density)");
    }
    if (status == CRN_OK && inertia.value != NULL) {
        status = read_inertia(reader, &inertia, &def->inertia);
    }
    if (status == CRN_OK && motion.value != NULL) {
        status = read_motion(reader, &motion, &def->motion);
    }
    status = status == CRN_OK ? read_shapes(reader, place, "shapes", &def->shape, &def->shapes) : status;
    return status == CRN_OK ? read_shapes(reader, place, "pictures", &def->picture, &def->pictures) : status;
}

crn_status crn_scene_read_body(crn_scene_reader *reader, const crn_json_place *place)
{
    crn_body_def def = crn_body_def_default();
    crn_status status = crn_scene_open(place, CRN_SCENE_BODY);
    if (status == CRN_OK) {
        status = crn_scene_fill(reader, place, CRN_SCENE_BODY, &def);
    }
    if (status == CRN_OK) {
        status = read_parts(reader, place, &def);
    }
    crn_error reason = {.status = CRN_OK};
    if (status == CRN_OK && crn_model_add_body(reader->model, &def, NULL, &reason) != CRN_OK) {
        status = crn_scene_blame(reader, &reason, "");
    }
    return status;
}
