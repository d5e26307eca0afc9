/* world_friction.c -- boxes and a capsule that rest or slide, by Coulomb's law.
 *
 *   incline   rests if mu >= tan(angle); else slides with g (sin(angle) - mu cos(angle)), whatever way downhill is
 *   push      1 kg on the floor, mu 0.5: moves if pushed with more than mu m g = 4.905 N, whatever the heading
 *   launch    0.1 m cube at 6 m/s, mu 0.5: slides straight for v^2 / (2 mu g) = 3.67 m
 *   wall      1 kg pressed to a wall with 20 N, mu 1: 20 N of friction hold 9.81 N
 * *   pinch     45 g between two jaws, mu 0.7: 2 mu F hold 0.44 N */
#include <math.h>

#include "build.h"
#include "gallery_worlds.h"
#include "worlds.h"

static const double pi = 3.14159265358979323846;

/* Of the certificate, relative to g h: what rests creeps no faster than tolerance g h = 1e-11 m/s. Door 2's own tolerance
 * for round cones, 1e-8, lets it creep by 1e-9 m/s. */
static const double tolerance = 1e-10;

/* --- Incline --- */

/* A box on the slope, turned as the slope is. */
static int add_box_on(crn_build *b, crn_body_shape slope, crn_vec3 normal, double half)
{
    crn_body_def def = crn_body_def_default();
    crn_body_shape shape = crn_build_box(b, half, half, half);
    const double corners[8] = {-half, -half, half, -half, half, half, -half, half};
    if (crn_model_world(b->model)->is_planar) {
        shape.shape = (crn_shape_def){.kind = CRN_SHAPE_POLYGON, .points = corners, .count = 4};
    }
    def.name = "box";
    def.pose.position = (crn_vec3){half * normal.x, half * normal.y, half * normal.z};
    def.pose.rotation = slope.pose.rotation;
    def.mass = 1.0;
    def.shape = &shape;
    def.shapes = 1;
    return crn_build_add(b, &def);
}

crn_status crn_gallery_incline_of(crn_model *model, const crn_gallery_incline *incline, crn_error *error)
{
    const double half = 0.1, s = sin(incline->angle), c = cos(incline->angle);
    crn_build b = crn_build_begin(model, error);
    crn_build_world(&b, incline->is_planar, 0.01, 2.0)->tol = tolerance;
    b.friction = incline->factor * tan(incline->angle);
    crn_vec3 origin = {0.0, 0.0, 0.0}, normal = {s * cos(incline->heading), s * sin(incline->heading), c};
    crn_body_shape slope = crn_build_plane(&b, origin, normal);
    if (incline->is_planar) {
        normal = (crn_vec3){s, c, 0.0};
        slope = crn_build_half_plane(&b, origin, -incline->angle);
    }
    if (!incline->is_slope_last) {
        crn_build_fixed(&b, "slope", &slope, 1);
    }
    int box = add_box_on(&b, slope, normal, half);
    if (incline->is_slope_last) {
        crn_build_fixed(&b, "slope", &slope, 1);
    }
    crn_build_probe(&b, CRN_PROBE_POSITION, box);
    crn_build_probe(&b, CRN_PROBE_VELOCITY, box);
    return b.status;
}

crn_status crn_gallery_incline_rest(crn_model *model, crn_error *error)
{
    return crn_gallery_incline_of(model, &(crn_gallery_incline){.angle = pi / 6.0, .heading = pi / 4.0, .factor = 1.02},
                                  error);
}

crn_status crn_gallery_incline_slide(crn_model *model, crn_error *error)
{
    return crn_gallery_incline_of(model, &(crn_gallery_incline){.angle = pi / 6.0, .heading = pi / 4.0, .factor = 0.95},
                                  error);
}

/* --- On the floor --- */

crn_status crn_gallery_push_of(crn_model *model, double force, double heading, crn_error *error)
{
    const double half = 0.1;
    crn_build b = crn_build_begin(model, error);
    crn_build_world(&b, false, 0.01, 2.0)->tol = tolerance;
    crn_build_floor(&b);
    int box = crn_build_body(&b, "box", crn_build_box(&b, half, half, half), 1.0, (crn_vec3){0.0, 0.0, half});
    crn_build_load(&b, box, (crn_vec3){force * cos(heading), force * sin(heading), 0.0}, 0.0, INFINITY);
    crn_build_probe(&b, CRN_PROBE_POSITION, box);
    return b.status;
}

crn_status crn_gallery_push_rest(crn_model *model, crn_error *error)
{
    return crn_gallery_push_of(model, 4.90, pi / 6.0, error);
}

crn_status crn_gallery_push_move(crn_model *model, crn_error *error)
{
    return crn_gallery_push_of(model, 4.91, pi / 6.0, error);
}

crn_status crn_gallery_launch_of(crn_model *model, double heading, crn_error *error)
{
    const double half = 0.05, speed = 6.0;
    crn_build b = crn_build_begin(model, error);
    crn_build_world(&b, false, 0.005, 2.0)->tol = tolerance;
    crn_build_floor(&b);
    crn_body_shape shape = crn_build_box(&b, half, half, half);
    crn_body_def def = crn_body_def_default();
    def.name = "cube";
    def.pose.position.z = half;
    def.velocity = (crn_vec3){speed * cos(heading), speed * sin(heading), 0.0};
    def.shape = &shape;
    def.shapes = 1;
    int cube = crn_build_add(&b, &def);
    crn_build_probe(&b, CRN_PROBE_POSITION, cube);
    crn_build_probe(&b, CRN_PROBE_VELOCITY, cube);
    return b.status;
}

crn_status crn_gallery_launch(crn_model *model, crn_error *error)
{
    return crn_gallery_launch_of(model, 0.0, error);
}

/* --- Held by friction --- */

crn_status crn_gallery_wall(crn_model *model, crn_error *error)
{
    const double half = 0.1, force = 20.0;
    crn_build b = crn_build_begin(model, error);
    crn_build_world(&b, false, 0.01, 2.0)->tol = tolerance;
    b.friction = 1.0;
    crn_body_shape wall = crn_build_plane(&b, (crn_vec3){0.0, 0.0, 0.0}, (crn_vec3){1.0, 0.0, 0.0});
    crn_build_fixed(&b, "wall", &wall, 1);
    int cube = crn_build_body(&b, "cube", crn_build_box(&b, half, half, half), 1.0, (crn_vec3){half, 0.0, 0.0});
    crn_build_load(&b, cube, (crn_vec3){-force, 0.0, 0.0}, 0.0, INFINITY);
    crn_build_probe(&b, CRN_PROBE_POSITION, cube);
    return b.status;
}

/* A jaw on a rail along x, pushed towards x = 0. */
static void add_jaw(crn_build *b, const char *name, double x, double force)
{
    const double half_thickness = 0.01, half_side = 0.05, mass = 0.2;
    crn_vec3 at = {x + copysign(half_thickness, x), 0.0, 0.0};
    int jaw = crn_build_body(b, name, crn_build_box(b, half_thickness, half_side, half_side), mass, at);
    crn_joint_def rail = crn_joint_def_default();
    rail.kind = CRN_JOINT_SLIDER;
    rail.b = jaw;
    rail.frame_a = (crn_pose){at, {sqrt(0.5), 0.0, sqrt(0.5), 0.0}}; /* its z along x */
    rail.frame_b.rotation = rail.frame_a.rotation;
    crn_build_joint(b, &rail);
    crn_build_load(b, jaw, (crn_vec3){copysign(force, -x), 0.0, 0.0}, 0.0, INFINITY);
}

crn_status crn_gallery_pinch_of(crn_model *model, double force, bool is_upright, crn_error *error)
{
    const double radius = 0.01, half_length = 0.02, mass = 0.045;
    crn_build b = crn_build_begin(model, error);
    crn_build_world(&b, false, 0.01, 2.0)->method = CRN_CONTACT_BODIES; /* shares the force evenly where it may */
    b.friction = 0.7;
    crn_body_shape shape = crn_build_capsule(&b, radius, half_length);
    crn_body_def def = crn_body_def_default();
    def.name = "capsule";
    def.mass = mass;
    def.pose.rotation = is_upright ? (crn_quat){1.0, 0.0, 0.0, 0.0} : (crn_quat){sqrt(0.5), sqrt(0.5), 0.0, 0.0};
    def.shape = &shape;
    def.shapes = 1;
    int capsule = crn_build_add(&b, &def);
    add_jaw(&b, "left", -radius, force);
    add_jaw(&b, "right", radius, force);
    crn_build_probe(&b, CRN_PROBE_POSITION, capsule);
    return b.status;
}

crn_status crn_gallery_pinch(crn_model *model, crn_error *error)
{
    return crn_gallery_pinch_of(model, 12.0, true, error);
}
