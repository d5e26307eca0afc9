/* world_disk_on_table.c -- a disk is set on a table at speed v without spin: friction mu g slows it and spins it up until
 * it rolls, at v / (3 mu g) = 0.34 s. Its momentum about the point it touches is kept, so that it rolls at 2/3 v. */
#include "build.h"
#include "worlds.h"

crn_status crn_gallery_disk_on_table(crn_model *model, crn_error *error)
{
    const double radius = 0.1, speed = 2.0; /* [m], [m/s] */
    crn_build b = crn_build_begin(model, error);
    crn_build_world(&b, true, 0.01, 1.0);
    b.friction = 0.2;
    crn_build_floor(&b);
    crn_body_shape shape = crn_build_disk(&b, radius);
    crn_body_def disk = crn_body_def_default();
    disk.name = "disk";
    disk.pose.position = (crn_vec3){0.0, radius, 0.0};
    disk.velocity = (crn_vec3){speed, 0.0, 0.0};
    disk.mass = 1.0;
    disk.shape = &shape;
    disk.shapes = 1;
    int index = crn_build_add(&b, &disk);
    crn_build_probe(&b, CRN_PROBE_POSITION, index);
    crn_build_probe(&b, CRN_PROBE_ROTATION, index);
    crn_build_probe(&b, CRN_PROBE_VELOCITY, index);
    crn_build_probe(&b, CRN_PROBE_ANGULAR, index);
    return b.status;
}
