/* Any bytes as a scene.
 *
 * Nothing may crash or leak, a failure must leave no model and a message of one line that names the file, and what is read
 * must be written and read again to the same text: what the reader accepts, and what the model makes of it, stays. */
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

static void write_and_read(const crn_model *model)
{
    char *text = NULL, *again = NULL;
    size_t length = 0;
    crn_model *copy = NULL;
    crn_error error = {.status = CRN_OK};
    demand(crn_io_write_scene_text(model, NULL, &text, &length, &error) == CRN_OK);
    demand(strlen(text) == length);
    demand(crn_io_read_scene_text(text, length, "again", NULL, &copy, &error) == CRN_OK);
    demand(crn_model_bodies(copy) == crn_model_bodies(model) && crn_model_joints(copy) == crn_model_joints(model));
    demand(crn_model_sites(copy) == crn_model_sites(model) && crn_model_actuators(copy) == crn_model_actuators(model));
    demand(crn_model_keys(copy) == crn_model_keys(model));
    demand(crn_model_loads(copy) == crn_model_loads(model) && crn_model_probes(copy) == crn_model_probes(model));
    demand(crn_io_write_scene_text(copy, NULL, &again, NULL, &error) == CRN_OK);
    demand(strcmp(text, again) == 0);
    free(text);
    free(again);
    crn_model_destroy(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    crn_model *model = NULL;
    crn_error error = {.status = CRN_OK};
    crn_status status = crn_io_read_scene_text((const char *)bytes, size, "s.json", NULL, &model, &error);
    demand(error.status == status);
    if (status == CRN_OK) {
        demand(model != NULL && error.text[0] == '\0');
        write_and_read(model);
    } else {
        demand(model == NULL);
        demand(strncmp(error.text, "s.json:", 7) == 0 && strchr(error.text, '\n') == NULL);
    }
    crn_model_destroy(model);
    return 0;
}
