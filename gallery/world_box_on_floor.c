/* world_box_on_floor.c -- a box of 1 kg slides on the floor: friction mu g stops it after v^2 / (2 mu g) = 0.102 m, at
 * v / (mu g) = 0.204 s, and it rests from then on. It slides flat: the pressure shifts to the front, but mu times its height
 * is less than its length. */
#include "build.h"
#include "worlds.h"

crn_status crn_gallery_box_on_floor(crn_model *model, crn_error *error)
{
    const double half_side = 0.1, speed = 1.0; /* [m], [m/s] */
    crn_build b = crn_build_begin(model, error);
    crn_build_world(&b, false, 0.01, 1.0);
    crn_build_floor(&b);
    crn_body_shape shape = crn_build_box(&b, half_side, half_side, half_side);
    crn_body_def box = crn_body_def_default();
    box.name = "box";
    box.pose.position = (crn_vec3){0.0, 0.0, half_side};
    box.velocity = (crn_vec3){speed, 0.0, 0.0};
    box.mass = 1.0;
    box.shape = &shape;
    box.shapes = 1;
    int index = crn_build_add(&b, &box);
    crn_build_probe(&b, CRN_PROBE_VELOCITY, index);
    crn_probe_def position = {.name = "box position", .kind = CRN_PROBE_POSITION, .target = index};
    return b.status == CRN_OK ? crn_model_add_probe(model, &position, NULL, error) : b.status;
}
