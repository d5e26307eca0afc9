/* Any bytes as a robot.
 *
 * Nothing may crash or leak; a failure must have a message of one line that names the file; a robot that is read must be
 * written as a scene and read again to the same text. */
#include "io/io_room.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void demand(bool condition)
{
    if (!condition) {
        abort();
    }
}

/* Warnings are one line each, and name the file. */
static void listen_to(void *user, const char *text)
{
    int *count = user;
    demand(++*count <= 101 && strncmp(text, "r.urdf:", 7) == 0 && strchr(text, '\n') == NULL);
}

static void write_and_read(const crn_model *model)
{
    char *text = NULL, *again = NULL;
    size_t length = 0;
    crn_model *copy = NULL;
    crn_error error = {.status = CRN_OK};
    demand(crn_io_write_scene_text(model, NULL, &text, &length, &error) == CRN_OK);
    if (crn_io_has_json()) {
        demand(crn_io_read_scene_text(text, length, "again", NULL, &copy, &error) == CRN_OK);
        demand(crn_io_write_scene_text(copy, NULL, &again, NULL, &error) == CRN_OK);
        demand(strcmp(text, again) == 0);
    }
    free(text);
    free(again);
    crn_model_destroy(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    crn_model *model = NULL;
    crn_error error = {.status = CRN_OK};
    demand(crn_model_create(NULL, &model, &error) == CRN_OK);
    int warnings = 0;
    crn_robot_options options = crn_robot_options_default();
    options.skip_missing_meshes = true;
    options.warn = listen_to;
    options.user = &warnings;
    crn_status status = crn_io_read_urdf_text((const char *)bytes, size, "r.urdf", &options, model, &error);
    demand(error.status == status);
    if (status == CRN_OK) {
        demand(error.text[0] == '\0' && (crn_model_bodies(model) > 0 || crn_model_joints(model) == 0));
        write_and_read(model);
    } else {
        demand(strncmp(error.text, "r.urdf:", 7) == 0 && strchr(error.text, '\n') == NULL);
    }
    crn_model_destroy(model);
    return 0;
}
