/* A mesh of a scene: "points" and "triangles", or a "file" of its own (OBJ, STL, PLY, COLLADA), with a "scale", found from the folder
 * of the scene. A model knows no files: what was read from one is written as points and triangles. */
#include "io/scene.h"

#include <cairn/file_format.h>

#include <string.h>

/* --- In the scene --- */

static crn_status read_triangles(crn_scene_reader *reader, const crn_json_place *place, crn_shape_def *shape)
{
    int rows = 0;
    void *memory = NULL;
    crn_status status = crn_json_array(place, &rows);
    status = status == CRN_OK ? crn_json_check_table(place, (size_t)rows, 3) : status;
    status = status == CRN_OK ? crn_scene_take(reader, 3 * (size_t)rows, sizeof(int), &memory) : status;
    int *corner = memory;
    for (size_t i = 0; i < (size_t)rows && status == CRN_OK; ++i) {
        crn_json_place row = crn_json_at(place, i);
        for (size_t k = 0; k < 3 && status == CRN_OK; ++k) {
            crn_json_place item = crn_json_at(&row, k);
            status = crn_json_int(&item, 0, shape->count > 0 ? shape->count - 1 : 0, &corner[3 * i + k]);
        }
    }
    shape->triangles = corner;
    shape->triangle_count = status == CRN_OK ? rows : 0;
    return status;
}

/* --- In a file --- */

/* The scene's folder and the name; the name alone if it begins at the root. */
static crn_status path_of(crn_scene_reader *reader, const char *file, char **path)
{
    const char *scene = reader->source->name, *slash = strrchr(scene, '/');
    size_t folder = file[0] != '/' && slash != NULL ? (size_t)(slash - scene) + 1 : 0, length = strlen(file);
    void *memory = NULL;
    crn_status status = crn_scene_take(reader, folder + length + 1, 1, &memory);
    if (status == CRN_OK) {
        *path = memory;
        memcpy(*path, scene, folder);
        memcpy(*path + folder, file, length + 1);
    }
    return status;
}

/* A number for all axes, or three. */
static crn_status read_scale(const crn_json_place *place, crn_vec3 *scale)
{
    double number[3] = {1.0, 1.0, 1.0};
    crn_status status = CRN_OK;
    if (place->value != NULL && crn_json_kind_of(place->value) == CRN_JSON_NUMBER) {
        status = crn_json_real(place, &number[0]);
        number[1] = number[2] = number[0];
    } else if (place->value != NULL) {
        status = crn_json_reals(place, 3, number);
    }
    if (status == CRN_OK && (number[0] == 0.0 || number[1] == 0.0 || number[2] == 0.0)) {
        status = crn_json_fail(place, "must not be 0");
    }
    *scale = (crn_vec3){number[0], number[1], number[2]};
    return status;
}

/* What the mesh's reader says, at the place of "file"; a name may hold any characters, a message is one line. */
static crn_status blame_file(const crn_json_place *place, crn_error *reason)
{
    for (char *c = reason->text; *c != '\0'; ++c) {
        *c = (unsigned char)*c < ' ' ? '?' : *c;
    }
    return crn_json_fail(place, "%s", reason->text);
}

/* Points and triangles into the reader's memory, which is released with the definition. */
static crn_status keep(crn_scene_reader *reader, const crn_mesh_data *data, crn_shape_def *shape)
{
    size_t numbers = 3 * (size_t)data->count, corners = 3 * (size_t)data->triangle_count;
    void *points = NULL, *triangles = NULL;
    crn_status status = crn_scene_take(reader, numbers, sizeof(double), &points);
    status = status == CRN_OK ? crn_scene_take(reader, corners, sizeof(int), &triangles) : status;
    if (status == CRN_OK) {
        memcpy(points, data->points, numbers * sizeof(double));
        memcpy(triangles, data->triangles, corners * sizeof(int));
        shape->points = points;
        shape->count = data->count;
        shape->triangles = triangles;
        shape->triangle_count = data->triangle_count;
    }
    return status;
}

static crn_status read_file(crn_scene_reader *reader, const crn_json_place *object, const crn_json_place *file,
                            crn_shape_def *shape)
{
    crn_json_place scale_place = crn_json_find(object, "scale");
    crn_vec3 scale = {1.0, 1.0, 1.0};
    char *path = NULL;
    crn_status status = crn_json_need(file, CRN_JSON_STRING);
    /* Only names that a mesh file has are opened: a scene from elsewhere shall not make us read a device. */
    if (status == CRN_OK && !crn_file_is_mesh(crn_json_string(file->value))) {
        status = crn_json_fail(file, "must be the name of an " CRN_FILE_MESH_ENDINGS " file");
    }
    status = status == CRN_OK ? read_scale(&scale_place, &scale) : status;
    status = status == CRN_OK ? path_of(reader, crn_json_string(file->value), &path) : status;
    if (status != CRN_OK) {
        return status;
    }
    crn_mesh_data data;
    crn_error reason = {.status = CRN_OK};
    if (crn_io_read_mesh(path, scale, &reader->allocator, &data, &reason) != CRN_OK) {
        return reason.status == CRN_ERR_MEMORY
                   ? crn_fail(reader->error, reason.status, "%s: %s", reader->source->name, reason.text)
                   : blame_file(file, &reason);
    }
    status = keep(reader, &data, shape);
    crn_mesh_data_free(&data);
    return status;
}

crn_status crn_scene_read_mesh(crn_scene_reader *reader, const crn_json_place *object, crn_shape_def *shape)
{
    crn_json_place file = crn_json_find(object, "file"), points = crn_json_find(object, "points"),
                   triangles = crn_json_find(object, "triangles"), scale = crn_json_find(object, "scale");
    if (file.value == NULL) {
        if (scale.value != NULL) {
            return crn_json_fail(&scale, "is for a mesh with a file");
        }
        crn_status status = crn_scene_rows(reader, &points, 3, false, shape);
        return status == CRN_OK ? read_triangles(reader, &triangles, shape) : status;
    }
    if (points.value != NULL || triangles.value != NULL) {
        return crn_json_fail(&file, "given beside %s", points.value != NULL ? "points" : "triangles");
    }
    return read_file(reader, object, &file, shape);
}
