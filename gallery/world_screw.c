/* world_screw.c -- a nut on a bolt M16, both meshes: does it screw itself down by its weight?
 *
 * On an inclined thread the nut stays if  mu > cos(flank) tan(lead),  lead at the radius where they touch: the wedge of the flank
 * makes the normal force larger by 1 / cos(flank). The threads touch between the crest of the nut and the crest of the bolt, so
 * that the radius is known to lie there; it is stated which end of the range is meant.
 *
 * The meshes are polyhedra. A flank's facets are off the helicoid by  r (1 - cos(pi / N)) tan(flank),  5 um for N = 64, and
 * if nut and bolt have the same N, facet lies in facet and the nut has to climb over all of them at once (64 and 64: it turns
 * with a sixth of the acceleration at half of the friction that holds it). So the numbers of facets
 * have no common divisor, and differ by three: there are always three places around the axis where the highest
 * points meet, these wander round quickly as the nut turns, and its height is that of a smooth screw to a share of 3 / N of
 * those 5 um. */
#include <math.h>

#include "build.h"
#include "gallery_worlds.h"
#include "thread.h"
#include "worlds.h"

static const double steel = 7850.0; /* [kg/m^3] */

crn_gallery_screw crn_gallery_screw_default(void)
{
    return (crn_gallery_screw){.friction = 0.15,
                               .flank = 0.52359877559829887, /* 30 degrees: ISO metric */
                               .clearance = 5e-5,
                               .bolt_around = 64,
                               .nut_around = 67};
}

static crn_thread bolt_thread(const crn_gallery_screw *screw)
{
    return (crn_thread){.pitch = 2e-3,
                        .flank = screw->flank,
                        .middle = 7.3505e-3,
                        .inner = 6.773e-3,
                        .outer = 8e-3,
                        .around = screw->bolt_around,
                        .turns = 12,
                        .low = -12e-3};
}

static crn_thread nut_thread(const crn_gallery_screw *screw)
{
    double c = screw->clearance;
    return (crn_thread){.pitch = 2e-3,
                        .flank = screw->flank,
                        .middle = 7.3505e-3 + c,
                        .inner = 6.9175e-3 + c,
                        .outer = 8e-3 + c,
                        .wall = 12e-3,
                        .around = screw->nut_around,
                        .turns = 6,
                        .low = -6e-3};
}

double crn_gallery_screw_limit(const crn_gallery_screw *screw, bool is_upper)
{
    crn_thread bolt = bolt_thread(screw), own = nut_thread(screw);
    return cos(screw->flank) * crn_thread_lead(&bolt, is_upper ? own.inner : bolt.outer);
}

crn_status crn_gallery_screw_of(crn_model *model, const crn_gallery_screw *screw, crn_error *error)
{
    crn_build b = crn_build_begin(model, error);
    (void)crn_build_world(&b, false, 2e-3, 1.0);
    b.friction = screw->friction;
    b.density = steel;
    crn_thread thread[2] = {bolt_thread(screw), nut_thread(screw)};
    crn_shape_def mesh[2] = {{.kind = CRN_SHAPE_MESH}, {.kind = CRN_SHAPE_MESH}};
    if (!crn_thread_mesh(&thread[0], &mesh[0]) || !crn_thread_mesh(&thread[1], &mesh[1])) {
        b.status = CRN_ERR_MEMORY;
    }
    crn_body_shape shape[2] = {crn_build_sphere(&b, 1.0), crn_build_sphere(&b, 1.0)};
    shape[0].shape = mesh[0];
    shape[1].shape = mesh[1];
    (void)crn_build_fixed(&b, "bolt", &shape[0], 1);
    int body = crn_build_body(&b, "nut", shape[1], 0.0, (crn_vec3){0.0, 0.0, 0.0});
    crn_build_probe(&b, CRN_PROBE_POSITION, body);
    crn_build_probe(&b, CRN_PROBE_ANGULAR, body);
    crn_thread_free(&mesh[0]);
    crn_thread_free(&mesh[1]);
    return b.status;
}

crn_status crn_gallery_nut_on_bolt(crn_model *model, crn_error *error)
{
    crn_gallery_screw screw = crn_gallery_screw_default();
    return crn_gallery_screw_of(model, &screw, error);
}

crn_status crn_gallery_nut_spins(crn_model *model, crn_error *error)
{
    crn_gallery_screw screw = crn_gallery_screw_default();
    screw.friction = 0.02;
    return crn_gallery_screw_of(model, &screw, error);
}
