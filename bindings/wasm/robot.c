/* A robot's file (URDF or MJCF) as a scene. Its meshes are files beside it. */
#include "module.h"

#include "apps/cli/sim_robot.h"
#include "apps/cli/text_buffer.h"

#include <stdlib.h>

static text_buffer warnings; /* of the last robot, a line each */

static void hear(void *user, const char *text)
{
    (void)user;
    text_put(&warnings, text);
    text_put(&warnings, "\n");
}

EXPORT(robot_warnings) const char *robot_warnings(void)
{
    return warnings.data != NULL ? warnings.data : "";
}

/* The scene as JSON, to be released with cairn_free(); NULL: cairn_message() says why. Shapes whose mesh is missing are left out. */
EXPORT(robot_scene) char *robot_scene(const char *path, int is_fixed)
{
    crn_robot_options options = crn_robot_options_default();
    crn_model *model = NULL;
    char *scene = NULL;
    text_clear(&warnings);
    options.is_fixed = is_fixed != 0;
    options.skip_missing_meshes = true;
    options.warn = hear;
    crn_status status = sim_robot_read(path, &options, true, &model, module_error());
    if (status == CRN_OK) {
        status = crn_io_write_scene_text(model, NULL, &scene, NULL, module_error());
    }
    crn_model_destroy(model);
    return status == CRN_OK ? scene : NULL;
}
