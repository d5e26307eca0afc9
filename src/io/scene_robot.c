/* Robots of a scene (`models`): from files of their own. Paths are relative to the scene's file. */
#include "io/scene.h"

#include <cairn/file_format.h>

#include "math/rigid.h"

#include <stdio.h>
#include <string.h>

/* Longest path of such a file. */
enum { PATH_SIZE = 4096 };

static crn_status find_path(const crn_scene_reader *reader, const crn_json_place *file, char path[PATH_SIZE])
{
    crn_status status = crn_json_need(file, CRN_JSON_STRING);
    if (status != CRN_OK) {
        return status;
    }
    const char *name = crn_json_string(file->value), *scene = reader->source->name, *slash = strrchr(scene, '/');
    int folder = slash != NULL && name[0] != '/' ? (int)(slash - scene) + 1 : 0;
    int size = snprintf(path, PATH_SIZE, "%.*s%s", folder, scene, name);
    if (name[0] == '\0' || size < 0 || size >= PATH_SIZE) {
        return crn_json_fail(file, name[0] == '\0' ? "must not be empty" : "is too long");
    }
    return CRN_OK;
}

/* Only names that a robot's file has are opened: a scene from elsewhere shall not make us read a device. */
static crn_status check_name(const crn_json_place *file)
{
    crn_status status = crn_json_need(file, CRN_JSON_STRING);
    if (status != CRN_OK) {
        return status;
    }
    bool is_robot = crn_file_is_robot(crn_json_string(file->value));
    return is_robot ? CRN_OK : crn_json_fail(file, "must be the name of an " CRN_FILE_ROBOT_ENDINGS " file");
}

/* A failure in another file: its message behind the place that names it. Names may hold any characters, a message is one
 * line. */
static crn_status blame_file(const crn_scene_reader *reader, const crn_json_place *file, crn_error *reason)
{
    for (char *c = reason->text; *c != '\0'; ++c) {
        *c = (unsigned char)*c < ' ' ? '?' : *c;
    }
    return reason->status == CRN_ERR_MEMORY
               ? crn_fail(reader->error, reason->status, "%s: %s", reader->source->name, reason->text)
               : crn_json_fail(file, "%s", reason->text);
}

crn_status crn_scene_read_robot(crn_scene_reader *reader, const crn_json_place *place)
{
    crn_robot_options options = crn_robot_options_default();
    crn_json_place file = crn_json_find(place, "file"), packages = crn_json_find(place, "packages");
    char path[PATH_SIZE], folder[PATH_SIZE];
    crn_status status = crn_scene_open(place, CRN_SCENE_ROBOT);
    if (status == CRN_OK) {
        status = crn_scene_fill(reader, place, CRN_SCENE_ROBOT, &options);
    }
    if (status == CRN_OK) {
        status = crn_scene_pose(reader, place, &options.pose);
    }
    if (status == CRN_OK) {
        status = file.value != NULL ? check_name(&file) : crn_json_fail(&file, "missing");
    }
    if (status == CRN_OK) {
        status = find_path(reader, &file, path);
    }
    if (status == CRN_OK && packages.value != NULL) {
        status = find_path(reader, &packages, folder);
        options.package_path = folder;
    }
    if (status != CRN_OK) {
        return status;
    }
    options.warn = reader->warn;
    options.user = reader->user;
    crn_world_def world = *crn_model_world(reader->model); /* the scene's own word counts, not the robot's */
    crn_error reason = {.status = CRN_OK};
    status = crn_io_read_robot(path, &options, reader->model, &reason);
    *crn_model_world(reader->model) = world;
    return status == CRN_OK ? CRN_OK : blame_file(reader, &file, &reason);
}
