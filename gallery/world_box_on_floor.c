/* world_box_on_floor.c -- a box of 1 kg slides on the floor: friction mu g stops it after v^2 / (2 mu g) = 0.102 m, at
 * v / (mu g) = 0.204 s, and it rests from then on. It slides flat: the pressure shifts to the front, but mu times its height
 * is less than its length. */
#include "worlds.h"

static const double half_side = 0.1, friction = 0.5, speed = 1.0; /* [m], 1, [m/s] */

static crn_status add_floor(crn_model *model, crn_error *error)
{
    crn_body_def floor = crn_body_def_default();
    crn_body_shape shape = crn_body_shape_default();
    shape.shape = (crn_shape_def){.kind = CRN_SHAPE_PLANE};
    shape.friction = friction;
    floor.name = "floor";
    floor.kind = CRN_BODY_FIXED;
    floor.shape = &shape;
    floor.shapes = 1;
    return crn_model_add_body(model, &floor, NULL, error);
}

static crn_status add_box(crn_model *model, int *index, crn_error *error)
{
    crn_body_def box = crn_body_def_default();
    crn_body_shape shape = crn_body_shape_default();
    shape.shape = (crn_shape_def){.kind = CRN_SHAPE_BOX, .size = {half_side, half_side, half_side}};
    shape.friction = friction;
    box.name = "box";
    box.pose.position = (crn_vec3){0.0, 0.0, half_side};
    box.velocity = (crn_vec3){speed, 0.0, 0.0};
    box.mass = 1.0;
    box.shape = &shape;
    box.shapes = 1;
    return crn_model_add_body(model, &box, index, error);
}

crn_status crn_gallery_box_on_floor(crn_model *model, crn_error *error)
{
    crn_world_def *world = crn_model_world(model);
    world->dt = 0.01;
    world->duration = 1.0;
    int box = 0;
    crn_status status = add_floor(model, error);
    if (status == CRN_OK) {
        status = add_box(model, &box, error);
    }
    if (status == CRN_OK) {
        crn_probe_def probe = {.name = "box position", .kind = CRN_PROBE_POSITION, .target = box};
        status = crn_model_add_probe(model, &probe, NULL, error);
    }
    if (status == CRN_OK) {
        crn_probe_def probe = {.name = "box velocity", .kind = CRN_PROBE_VELOCITY, .target = box};
        status = crn_model_add_probe(model, &probe, NULL, error);
    }
    return status;
}
