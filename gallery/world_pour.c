/* world_pour.c -- spheres poured into a box: they start in layers above it, a little disordered, and fall. */
#include <math.h>

#include "build.h"
#include "gallery_worlds.h"
#include "worlds.h"

crn_status crn_gallery_pour_of(crn_model *model, int spheres, uint64_t seed, crn_error *error)
{
    enum { SIDE = 9 }; /* spheres along a layer's side */
    const double radius = 0.1, pitch = 2.2 * radius, half_width = 1.05 * radius * (SIDE + 1);
    crn_build b = crn_build_begin(model, error);
    crn_build_world(&b, false, 0.01, 10.0);
    crn_random random = crn_random_seed(seed);
    crn_body_shape box[5] = {crn_build_plane(&b, (crn_vec3){0, 0, 0}, (crn_vec3){0, 0, 1}),
                             crn_build_plane(&b, (crn_vec3){-half_width, 0, 0}, (crn_vec3){1, 0, 0}),
                             crn_build_plane(&b, (crn_vec3){half_width, 0, 0}, (crn_vec3){-1, 0, 0}),
                             crn_build_plane(&b, (crn_vec3){0, -half_width, 0}, (crn_vec3){0, 1, 0}),
                             crn_build_plane(&b, (crn_vec3){0, half_width, 0}, (crn_vec3){0, -1, 0})};
    crn_build_fixed(&b, "box", box, 5);
    for (int i = 0; i < spheres; ++i) {
        int layer = i / (SIDE * SIDE), row = i % (SIDE * SIDE) / SIDE, column = i % SIDE;
        crn_vec3 at = {pitch * (column - (SIDE - 1) / 2.0), pitch * (row - (SIDE - 1) / 2.0),
                       radius * 1.5 + 1.5 * pitch * layer};
        at.x += 0.3 * (half_width - radius - 0.5 * pitch * (SIDE - 1)) * crn_random_uniform(&random, -1.0, 1.0);
        at.y += 0.3 * (half_width - radius - 0.5 * pitch * (SIDE - 1)) * crn_random_uniform(&random, -1.0, 1.0);
        crn_build_body(&b, NULL, crn_build_sphere(&b, radius), 0.0, at);
    }
    return b.status;
}

crn_status crn_gallery_pour(crn_model *model, crn_error *error)
{
    return crn_gallery_pour_of(model, 1000, 1, error);
}
