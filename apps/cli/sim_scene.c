/* Where scenes come from: files of scenes and robots, and the gallery. */
#include "sim_scene.h"

#include "json.h"
#include "lessons.h"
#include "sim_change.h"
#include "sim_robot.h"
#include "suggest.h"

#include "gallery_worlds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char prefix[] = "gallery:";

/* "gallery: there is no scene 'x'; did you mean ...?" */
static crn_status unknown_scene(const char *name, crn_error *error)
{
    int count = crn_gallery_world_count();
    const char **names = calloc((size_t)count + 1, sizeof *names);
    char nearest[CLI_SUGGEST_SIZE] = "";
    for (int i = 0; i < count && names != NULL; ++i) {
        names[i] = crn_gallery_world_name(i);
    }
    if (names != NULL) {
        (void)cli_suggest(name, names, count, nearest);
    }
    free(names);
    return crn_fail(error, CRN_ERR_ARGUMENT, "gallery: there is no scene '%.40s'%s", name, nearest);
}

/* The number of the scene in the gallery; -1 if there is none of that name. */
static int find_scene(const char *name)
{
    for (int i = 0; i < crn_gallery_world_count(); ++i) {
        if (strcmp(name, crn_gallery_world_name(i)) == 0) {
            return i;
        }
    }
    return -1;
}

static crn_status load_gallery(const char *name, crn_model **model, crn_error *error)
{
    return find_scene(name) >= 0 ? crn_gallery_world(name, model, error) : unknown_scene(name, error);
}

static bool is_of_gallery(const char *scene)
{
    return strncmp(scene, prefix, sizeof prefix - 1) == 0;
}

const char *sim_scene_about(const char *scene)
{
    int i = is_of_gallery(scene) ? find_scene(scene + (sizeof prefix - 1)) : -1;
    return i >= 0 ? crn_gallery_world_about(i) : "";
}

/* What to do about a mesh that is missing, and about what strict readers refuse. */
static void add_advice(crn_error *error)
{
    size_t used = strlen(error->text);
    if (strstr(error->text, ": there is no file '") != NULL) {
        (void)snprintf(error->text + used, sizeof error->text - used, "; see --packages and --skip-meshes");
    } else if (strstr(error->text, ": refused, since options are strict") != NULL) {
        (void)snprintf(error->text + used, sizeof error->text - used, "; without --strict it is a warning");
    }
}

/* A scene of the gallery, or the lesson's own. */
static crn_status load_lesson(const char *scene, crn_model **model, crn_error *error)
{
    const lesson *taught = lessons_find(scene);
    if (taught == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "there is no '%.60s'", scene);
    }
    if (is_of_gallery(taught->scene)) {
        return load_gallery(taught->scene + (sizeof prefix - 1), model, error);
    }
    return crn_io_read_scene_text(taught->scene, strlen(taught->scene), taught->name, NULL, model, error);
}

/* Does the file begin as recordings do? */
static bool is_recording(const char *path)
{
    static const char magic[] = "\211CRN";
    char head[sizeof magic] = "";
    FILE *file = crn_file_is_robot(path) ? NULL : fopen(path, "rb");
    size_t size = file != NULL ? fread(head, 1, sizeof magic - 1, file) : 0;
    if (file != NULL) {
        (void)fclose(file);
    }
    return size == sizeof magic - 1 && memcmp(head, magic, size) == 0;
}

static crn_status load_scene(const sim_request *request, crn_model **model, crn_error *error)
{
    if (lessons_is_named(request->scene)) {
        return load_lesson(request->scene, model, error);
    }
    if (is_of_gallery(request->scene)) {
        return load_gallery(request->scene + (sizeof prefix - 1), model, error);
    }
    if (is_recording(request->scene)) {
        return crn_fail(error, CRN_ERR_FORMAT,
                        "%s: a recording, not a scene; 'cairn view' plays it, 'cairn export' converts it",
                        request->scene);
    }
    if (!crn_file_is_robot(request->scene)) {
        return crn_io_read_scene_warned(request->scene, sim_robot_warn, NULL, NULL, model, error);
    }
    crn_status status = sim_robot_load(request, model, error);
    if (status != CRN_OK) {
        add_advice(error);
    }
    return status;
}

crn_status sim_scene_load(const sim_request *request, crn_model **model, crn_error *error)
{
    *model = NULL;
    crn_status status = load_scene(request, model, error);
    status = status == CRN_OK ? sim_change_apply(request, model, error) : status;
    if (status != CRN_OK) {
        crn_model_destroy(*model);
        *model = NULL;
    }
    return status;
}

void sim_scene_list(bool is_json)
{
    int count = crn_gallery_world_count();
    if (!is_json) {
        for (int i = 0; i < count; ++i) {
            printf("gallery:%-24s %s\n", crn_gallery_world_name(i), crn_gallery_world_about(i));
        }
        return;
    }
    cli_json json = cli_json_begin(stdout);
    cli_json_open(&json, "scenes", '[');
    for (int i = 0; i < count; ++i) {
        cli_json_open(&json, NULL, '{');
        cli_json_string(&json, "name", crn_gallery_world_name(i));
        cli_json_string(&json, "about", crn_gallery_world_about(i));
        cli_json_shut(&json, '}');
    }
    cli_json_shut(&json, ']');
    cli_json_end(&json);
}

const char *sim_scene_body(const crn_model *model, int body, char text[SIM_NAME_SIZE])
{
    const crn_body_def *def = crn_model_body(model, body);
    if (def == NULL) {
        (void)snprintf(text, SIM_NAME_SIZE, "the world");
    } else if (def->name == NULL || def->name[0] == '\0') {
        (void)snprintf(text, SIM_NAME_SIZE, "%d", body);
    } else {
        char shown[61];
        (void)crn_show(def->name, shown, sizeof shown);
        (void)snprintf(text, SIM_NAME_SIZE, "'%s'", shown);
    }
    return text;
}
