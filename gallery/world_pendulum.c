/* world_pendulum.c -- bodies on joints, and one on nothing.
 *
 *   pendulum         a bar on a hinge, released level
 *   double-pendulum  two bars: energy drifts with the step size, the hinge carries the change of momentum
 *   rope             a ball in a hollow sphere: a distance that must not exceed its limit. Swings without friction
 *   flywheel         a motor brings a wheel of 10^12 kg m^2 to speed in one step: rows of effective mass ~ 0
 *   tumbling         a box thrown about its middle axis, without weight: angular momentum and energy stay */
#include <math.h>

#include "build.h"
#include "gallery_worlds.h"
#include "worlds.h"

static const crn_vec3 axis = {0.0, 0.0, 1.0};

crn_status crn_gallery_pendulum_of(crn_model *model, int bars, double dt, crn_error *error)
{
    const double length = 1.0, radius = 0.02;
    crn_build b = crn_build_begin(model, error);
    crn_build_world(&b, true, dt, 10.0);
    crn_vec3 from = {0.0, 0.0, 0.0};
    for (int i = 0, last = -1; i < bars; ++i) {
        crn_vec3 to = {from.x + length, 0.0, 0.0};
        int bar = crn_build_bar(&b, NULL, from, to, radius, 1.0);
        crn_build_probe(&b, CRN_PROBE_JOINT_COORDINATE, crn_build_hinge(&b, last, bar, from, axis));
        from = to;
        last = bar;
    }
    return b.status;
}

crn_status crn_gallery_pendulum(crn_model *model, crn_error *error)
{
    return crn_gallery_pendulum_of(model, 1, 0.01, error);
}

crn_status crn_gallery_double_pendulum(crn_model *model, crn_error *error)
{
    return crn_gallery_pendulum_of(model, 2, 0.01, error);
}

crn_status crn_gallery_rope(crn_model *model, crn_error *error)
{
    const double length = 1.0, radius = 0.1;
    crn_build b = crn_build_begin(model, error);
    crn_build_world(&b, false, 0.01, 10.0);
    crn_vec3 at = {length, 0.0, 0.0};
    int ball = crn_build_body(&b, "ball", crn_build_sphere(&b, radius), 1.0, at);
    crn_joint_def rope = crn_joint_def_default();
    rope.kind = CRN_JOINT_DISTANCE;
    rope.b = ball;
    rope.axis[0].lower = 0.0;
    rope.axis[0].upper = length;
    crn_build_probe(&b, CRN_PROBE_JOINT_COORDINATE, crn_build_joint(&b, &rope));
    return b.status;
}

crn_status crn_gallery_flywheel_of(crn_model *model, double inertia, crn_error *error)
{
    crn_build b = crn_build_begin(model, error);
    crn_build_world(&b, true, 0.01, 1.0);
    crn_body_shape shape = crn_build_disk(&b, 1.0);
    crn_body_def wheel = crn_body_def_default();
    wheel.name = "wheel";
    wheel.mass = inertia;
    wheel.inertia.m[8] = inertia;
    wheel.gravity_scale = 0.0;
    wheel.shape = &shape;
    wheel.shapes = 1;
    crn_joint_def motor = crn_joint_def_default();
    motor.kind = CRN_JOINT_HINGE;
    motor.b = crn_build_add(&b, &wheel);
    motor.axis[0].has_motor = true;
    motor.axis[0].speed.value = 1.0;
    motor.axis[0].max_force = INFINITY;
    crn_build_probe(&b, CRN_PROBE_JOINT_COORDINATE, crn_build_joint(&b, &motor));
    return b.status;
}

crn_status crn_gallery_flywheel(crn_model *model, crn_error *error)
{
    return crn_gallery_flywheel_of(model, 1e12, error);
}

crn_status crn_gallery_tumbling(crn_model *model, crn_error *error)
{
    crn_build b = crn_build_begin(model, error);
    crn_build_world(&b, false, 0.01, 60.0)->gravity = (crn_vec3){0.0, 0.0, 0.0};
    crn_body_shape shape = crn_build_box(&b, 0.05, 0.15, 0.3);
    crn_body_def def = crn_body_def_default();
    def.name = "box";
    def.mass = 1.0;
    def.velocity = (crn_vec3){0.1, 0.2, 0.3};
    def.angular = (crn_vec3){0.01, 5.0, 0.02};
    def.shape = &shape;
    def.shapes = 1;
    crn_build_probe(&b, CRN_PROBE_ANGULAR, crn_build_add(&b, &def));
    return b.status;
}
