/* world_disk_on_table.c -- a disk is set on a table at speed v without spin: friction mu g slows it and spins it up until
 * it rolls, at v / (3 mu g) = 0.34 s. Its momentum about the point it touches is kept, so that it rolls at 2/3 v. */
#include "worlds.h"

static const double radius = 0.1, friction = 0.2, speed = 2.0; /* [m], 1, [m/s] */

static crn_status add_table(crn_model *model, crn_error *error)
{
    crn_body_def table = crn_body_def_default();
    crn_body_shape shape = crn_body_shape_default();
    shape.shape = (crn_shape_def){.kind = CRN_SHAPE_HALF_PLANE};
    shape.friction = friction;
    table.name = "table";
    table.kind = CRN_BODY_FIXED;
    table.shape = &shape;
    table.shapes = 1;
    return crn_model_add_body(model, &table, NULL, error);
}

static crn_status add_disk(crn_model *model, int *index, crn_error *error)
{
    crn_body_def disk = crn_body_def_default();
    crn_body_shape shape = crn_body_shape_default();
    shape.shape = (crn_shape_def){.kind = CRN_SHAPE_DISK, .size = {radius, 0.0, 0.0}};
    shape.friction = friction;
    disk.name = "disk";
    disk.pose.position = (crn_vec3){0.0, radius, 0.0};
    disk.velocity = (crn_vec3){speed, 0.0, 0.0};
    disk.mass = 1.0;
    disk.shape = &shape;
    disk.shapes = 1;
    return crn_model_add_body(model, &disk, index, error);
}

crn_status crn_gallery_disk_on_table(crn_model *model, crn_error *error)
{
    crn_world_def *world = crn_model_world(model);
    world->is_planar = true;
    world->gravity = (crn_vec3){0.0, -9.81, 0.0};
    world->dt = 0.01;
    world->duration = 1.0;
    int disk = 0;
    crn_status status = add_table(model, error);
    if (status == CRN_OK) {
        status = add_disk(model, &disk, error);
    }
    static const crn_probe_kind kinds[] = {CRN_PROBE_POSITION, CRN_PROBE_ROTATION, CRN_PROBE_VELOCITY,
                                           CRN_PROBE_ANGULAR};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0] && status == CRN_OK; ++i) {
        crn_probe_def probe = {.kind = kinds[i], .target = disk};
        status = crn_model_add_probe(model, &probe, NULL, error);
    }
    return status;
}
