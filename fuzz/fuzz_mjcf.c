/* Any bytes as MJCF.
 *
 * Nothing may crash or leak; a failure leaves a message of one line that names the file; what is read is a model that can be
 * written as a scene. Files that the bytes name are not looked for: inputs that name some are passed over. */
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

static bool names_files(const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i + 4 <= size; ++i) {
        if (memcmp(bytes + i, "file", 4) == 0) {
            return true;
        }
    }
    return false;
}

static void count_warning(void *user, const char *text)
{
    ++*(int *)user;
    demand(strncmp(text, "m.xml:", 6) == 0 && strchr(text, '\n') == NULL);
}

static void write_scene(const crn_model *model)
{
    char *text = NULL;
    crn_error error = {.status = CRN_OK};
    demand(crn_io_write_scene_text(model, NULL, &text, NULL, &error) == CRN_OK);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size == 0 || names_files(bytes, size)) {
        return -1;
    }
    crn_model *model = NULL;
    crn_error error = {.status = CRN_OK};
    int warnings = 0;
    crn_robot_options options = crn_robot_options_default();
    options.warn = count_warning;
    options.user = &warnings;
    demand(crn_model_create(NULL, &model, &error) == CRN_OK);
    crn_status status = crn_io_read_mjcf_text((const char *)bytes, size, "m.xml", &options, model, &error);
    demand(error.status == status);
    if (status == CRN_OK) {
        demand(error.text[0] == '\0');
        write_scene(model);
    } else {
        demand(strncmp(error.text, "m.xml", 5) == 0 && strchr(error.text, '\n') == NULL);
    }
    crn_model_destroy(model);
    return 0;
}
