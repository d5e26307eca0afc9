/* world_rolling.c -- curved outlines that roll: the gap at the end of a step is off by its curvature, O(h^2 |v|^2).
 *
 *   rolling-ellipse  an ellipse set upright and a little aside rolls over its flat and its pointed ends
 *   rolling-disk     a disk rolls off the top of a fixed one
 *   painleve         a thin rod slides on its lower end, leaning back: towards -x, its upper end behind. Where mu > 4/3 there are angles at which no finite force
 *                    lets it slide on (Painleve's paradox): friction that grows with the force presses it down faster than
 *                    the force lifts it. The end then stops at once, by an impulse that does not shrink with the step. */
#include <math.h>

#include "build.h"
#include "gallery_worlds.h"
#include "worlds.h"

static const double pi = 3.14159265358979323846;

/* Height of the centre above the floor, for half axes a, b and an ellipse turned by angle. */
static double support(double a, double b, double angle)
{
    return hypot(a * sin(angle), b * cos(angle));
}

static void add_ellipse(crn_build *b, double x, double angle, double spin)
{
    const double half[2] = {0.4, 0.2};
    crn_body_shape shape = crn_build_disk(b, 1.0);
    shape.shape = (crn_shape_def){.kind = CRN_SHAPE_ELLIPSE, .size = {half[0], half[1], 0.0}};
    crn_body_def def = crn_body_def_default();
    double height = support(half[0], half[1], angle);
    /* the support point is ahead of the centre by the derivative of the height: its velocity is 0 */
    double ahead = (half[0] * half[0] - half[1] * half[1]) * sin(angle) * cos(angle) / height;
    def.pose = (crn_pose){{x, height, 0.0}, {cos(0.5 * angle), 0.0, 0.0, sin(0.5 * angle)}};
    def.angular.z = spin;
    def.velocity = (crn_vec3){-spin * height, spin * ahead, 0.0};
    def.shape = &shape;
    def.shapes = 1;
    crn_build_probe(b, CRN_PROBE_POSITION, crn_build_add(b, &def));
}

crn_status crn_gallery_rolling_ellipse_of(crn_model *model, const crn_gallery_rolling *rolling, crn_error *error)
{
    const double place[2] = {0.0, 3.0}, angle[2] = {0.4 * pi, 0.3 * pi}, spin[2] = {-2.0, 1.0};
    crn_build b = crn_build_begin(model, error);
    crn_build_world(&b, true, 0.01, 2.0);
    b.friction = 1.0;
    if (!rolling->is_reversed) {
        crn_build_floor(&b);
    }
    for (int k = 0; k < rolling->ellipses && k < 2; ++k) {
        int i = rolling->is_reversed ? rolling->ellipses - 1 - k : k;
        add_ellipse(&b, place[i], angle[i], spin[i]);
    }
    if (rolling->is_reversed) {
        crn_build_floor(&b);
    }
    return b.status;
}

crn_status crn_gallery_rolling_ellipse(crn_model *model, crn_error *error)
{
    return crn_gallery_rolling_ellipse_of(model, &(crn_gallery_rolling){.ellipses = 1}, error);
}

crn_status crn_gallery_rolling_disk(crn_model *model, crn_error *error)
{
    const double large = 1.0, small = 0.3, lean = 0.2; /* [m], [m], [rad] from the top */
    crn_build b = crn_build_begin(model, error);
    crn_build_world(&b, true, 0.01, 0.5);
    b.friction = 1.0;
    crn_body_shape ground = crn_build_disk(&b, large);
    crn_build_fixed(&b, "ground", &ground, 1);
    crn_vec3 at = {(large + small) * sin(lean), (large + small) * cos(lean), 0.0};
    crn_build_probe(&b, CRN_PROBE_POSITION, crn_build_body(&b, "disk", crn_build_disk(&b, small), 1.0, at));
    return b.status;
}

/* --- Painleve's rod --- */

crn_status crn_gallery_painleve_of(crn_model *model, const crn_gallery_rod *rod, crn_error *error)
{
    const double half = 0.5;
    double angle = rod->angle;
    crn_build b = crn_build_begin(model, error);
    crn_build_world(&b, true, 0.01, 2.0)->cone = CRN_CONE_POLYGON; /* in the plane both are one; this one pivots */
    b.friction = rod->friction;
    crn_build_floor(&b);
    crn_body_shape shape = crn_build_disk(&b, 1.0);
    shape.shape = (crn_shape_def){.kind = CRN_SHAPE_SEGMENT, .size = {half, 0.0, 0.0}};
    crn_body_def def = crn_body_def_default();
    def.name = "rod";
    def.mass = 1.0;
    def.pose = (crn_pose){{0.0, half * sin(angle), 0.0}, {cos(0.5 * angle), 0.0, 0.0, sin(0.5 * angle)}};
    def.velocity.x = rod->speed;
    def.angular.z = rod->spin;
    def.velocity.y = rod->spin * half * cos(angle); /* the lower end keeps its height */
    def.velocity.x -= rod->spin * half * sin(angle);
    def.shape = &shape;
    def.shapes = 1;
    int body = crn_build_add(&b, &def);
    crn_build_probe(&b, CRN_PROBE_POSITION, body);
    crn_build_probe(&b, CRN_PROBE_ROTATION, body);
    return b.status;
}

crn_status crn_gallery_painleve(crn_model *model, crn_error *error)
{
    return crn_gallery_painleve_of(model, &(crn_gallery_rod){.angle = 1.1, .friction = 3.0, .speed = -3.0}, error);
}
