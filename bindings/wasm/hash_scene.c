/* hash_scene STEPS SCENE.json ...: the hash of each scene's motion after so many steps, by the same files as cairn.wasm. For
 * machines whose bits are to be compared (tools/same_bits). */
#include <cairn/cairn.h>

#include <stdio.h>
#include <stdlib.h>

static int hash(const char *path, int steps)
{
    crn_model *model = NULL;
    crn_world *world = NULL;
    crn_error error = {.status = CRN_OK};
    crn_status status = crn_io_read_scene(path, NULL, &model, &error);
    if (status == CRN_OK) {
        status = crn_world_create_from(model, NULL, &world, &error);
    }
    for (int k = 0; k < steps && status == CRN_OK; ++k) {
        status = crn_world_step(world, crn_model_world_of(model)->dt, NULL, &error);
    }
    printf("%s %016llx %s\n", path, (unsigned long long)crn_world_hash(world), error.text);
    crn_world_destroy(world);
    crn_model_destroy(model);
    return status == CRN_OK ? 0 : 1;
}

int main(int argc, char **argv)
{
    int code = argc < 3 ? 2 : 0;
    for (int i = 2; i < argc; ++i) {
        code |= hash(argv[i], atoi(argv[1]));
    }
    return code;
}
