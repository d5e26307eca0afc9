/* world_linkages.c -- closed loops of bars on hinges.
 *
 *   four-bar           crank, coupler and rocker in space: in space, 3 of the 20 rows are redundant
 *   four-bar-parallel  a parallelogram with a third crank in its middle: redundant in its plane too
 *   leg                Theo Jansen's leg with his thirteen lengths, crank driven, foot loaded (planar)
 *
 * Where a pin is at a given crank angle is known by crossing circles; crn_gallery_four_bar_at and _leg_at tell. */
#include <math.h>

#include "build.h"
#include "gallery_worlds.h"
#include "worlds.h"

static const double pi = 3.14159265358979323846;
static const double bar_radius = 0.02;

/* The point at distances rp and rq of p and q, to the left of the way from p to q. z stays 0. */
static crn_vec3 crossing(crn_vec3 p, double rp, crn_vec3 q, double rq)
{
    double dx = q.x - p.x, dy = q.y - p.y, d = hypot(dx, dy);
    double along = (d * d + rp * rp - rq * rq) / (2.0 * d), across = sqrt(rp * rp - along * along);
    return (crn_vec3){p.x + (along * dx - across * dy) / d, p.y + (along * dy + across * dx) / d, 0.0};
}

static crn_vec3 polar(double radius, double angle)
{
    return (crn_vec3){radius * cos(angle), radius * sin(angle), 0.0};
}

/* --- Four bars --- */

crn_gallery_four_bar crn_gallery_four_bar_at(double angle)
{
    const double crank = 0.4, coupler = 1.2, rocker = 0.9;
    crn_gallery_four_bar bar = {.base = {1.0, 0.0, 0.0}, .crank = polar(crank, angle)};
    bar.rocker = crossing(bar.crank, coupler, bar.base, rocker);
    return bar;
}

/* Bars in the plane z = 0, gravity along -y. */
static crn_build begin(crn_model *model, bool is_planar, double dt, double duration, crn_error *error)
{
    crn_build b = crn_build_begin(model, error);
    crn_build_world(&b, is_planar, dt, duration)->gravity = (crn_vec3){0.0, -9.81, 0.0};
    return b;
}

static const crn_vec3 axis = {0.0, 0.0, 1.0};

crn_status crn_gallery_four_bar_of(crn_model *model, bool is_planar, crn_error *error)
{
    const crn_vec3 origin = {0.0, 0.0, 0.0};
    crn_build b = begin(model, is_planar, 0.01, 60.0, error);
    crn_gallery_four_bar at = crn_gallery_four_bar_at(0.5 * pi);
    int crank = crn_build_bar(&b, "crank", origin, at.crank, bar_radius, 1.0);
    int coupler = crn_build_bar(&b, "coupler", at.crank, at.rocker, bar_radius, 2.0);
    int rocker = crn_build_bar(&b, "rocker", at.base, at.rocker, bar_radius, 1.0);
    crn_build_probe(&b, CRN_PROBE_JOINT_COORDINATE, crn_build_hinge(&b, -1, crank, origin, axis));
    crn_build_hinge(&b, crank, coupler, at.crank, axis);
    crn_build_hinge(&b, coupler, rocker, at.rocker, axis);
    crn_build_probe(&b, CRN_PROBE_JOINT_COORDINATE, crn_build_hinge(&b, -1, rocker, at.base, axis));
    return b.status;
}

crn_status crn_gallery_four_bar_space(crn_model *model, crn_error *error)
{
    return crn_gallery_four_bar_of(model, false, error);
}

crn_status crn_gallery_four_bar_parallel_of(crn_model *model, bool is_planar, crn_error *error)
{
    enum { CRANKS = 3 };
    const double pitch = 0.5;
    crn_build b = begin(model, is_planar, 0.01, 60.0, error);
    crn_vec3 arm = polar(0.5, pi / 3.0), end = {arm.x + (CRANKS - 1) * pitch, arm.y, 0.0};
    int coupler = crn_build_bar(&b, "coupler", arm, end, bar_radius, 2.0);
    for (int i = 0; i < CRANKS; ++i) {
        crn_vec3 foot = {i * pitch, 0.0, 0.0}, head = {foot.x + arm.x, arm.y, 0.0};
        int crank = crn_build_bar(&b, NULL, foot, head, bar_radius, 1.0);
        crn_build_probe(&b, CRN_PROBE_JOINT_COORDINATE, crn_build_hinge(&b, -1, crank, foot, axis));
        crn_build_hinge(&b, crank, coupler, head, axis);
    }
    return b.status;
}

crn_status crn_gallery_four_bar_parallel(crn_model *model, crn_error *error)
{
    return crn_gallery_four_bar_parallel_of(model, false, error);
}

/* --- The leg --- */

crn_gallery_leg crn_gallery_leg_at(double angle)
{
    const double a = 0.38, b = 0.415, c = 0.393, d = 0.401, e = 0.558, f = 0.394, g = 0.367, h = 0.657, i = 0.49,
                 j = 0.5, k = 0.619, l = 0.078, m = 0.15;
    crn_gallery_leg leg = {.pivot = {-a, -l, 0.0}, .pin = polar(m, angle)};
    leg.top = crossing(leg.pivot, b, leg.pin, j);
    leg.back = crossing(leg.pivot, d, leg.top, e);
    leg.bottom = crossing(leg.pin, k, leg.pivot, c);
    leg.knee = crossing(leg.bottom, g, leg.back, f);
    leg.foot = crossing(leg.bottom, i, leg.knee, h);
    return leg;
}

/* A plate with three pins; its frame is unturned, at the first of them. It touches nothing. */
static int add_plate(crn_build *b, const char *name, crn_vec3 p, crn_vec3 q, crn_vec3 r)
{
    const double points[6] = {0.0, 0.0, q.x - p.x, q.y - p.y, r.x - p.x, r.y - p.y};
    crn_body_shape shape = crn_build_disk(b, 1.0);
    shape.shape = (crn_shape_def){.kind = CRN_SHAPE_POLYGON, .points = points, .count = 3};
    shape.group = shape.mask = 0;
    crn_body_def def = crn_body_def_default();
    def.name = name;
    def.pose.position = p;
    def.shape = &shape;
    def.shapes = 1;
    return crn_build_add(b, &def);
}

/* The crank turns, the foot carries. */
static void drive(crn_build *b, int crank, int shin, const crn_gallery_leg *at, double load)
{
    crn_joint_def motor = crn_joint_def_default();
    motor.name = "crank";
    motor.kind = CRN_JOINT_HINGE;
    motor.b = crank;
    motor.frame_b.position = (crn_vec3){-0.5 * at->pin.x, -0.5 * at->pin.y, 0.0};
    motor.axis[0].has_motor = true;
    motor.axis[0].speed.value = 2.0 * pi; /* one turn a second */
    motor.axis[0].max_force = INFINITY;
    crn_build_probe(b, CRN_PROBE_JOINT_COORDINATE, crn_build_joint(b, &motor));
    crn_load_def weight = crn_load_def_default();
    weight.body = shin;
    weight.force.y = load;
    weight.point = (crn_vec3){at->foot.x - at->bottom.x, at->foot.y - at->bottom.y, 0.0};
    if (b->status == CRN_OK) {
        b->status = crn_model_add_load(b->model, &weight, NULL, b->error);
    }
}

crn_status crn_gallery_leg_of(crn_model *model, double load, crn_error *error)
{
    crn_build b = begin(model, true, 0.01, 60.0, error);
    crn_gallery_leg at = crn_gallery_leg_at(0.0);
    b.density = 10.0;
    int crank = crn_build_bar(&b, "crank", (crn_vec3){0.0, 0.0, 0.0}, at.pin, bar_radius, 0.0);
    int upper = crn_build_bar(&b, "upper rod", at.pin, at.top, bar_radius, 0.0);
    int lower = crn_build_bar(&b, "lower rod", at.pin, at.bottom, bar_radius, 0.0);
    int link = crn_build_bar(&b, "link", at.pivot, at.bottom, bar_radius, 0.0);
    int back = crn_build_bar(&b, "back rod", at.back, at.knee, bar_radius, 0.0);
    int hip = add_plate(&b, "hip", at.pivot, at.top, at.back);
    int shin = add_plate(&b, "shin", at.bottom, at.knee, at.foot);
    const struct {
        int a, b;
        crn_vec3 pin;
    } hinge[] = {{-1, hip, at.pivot},     {-1, link, at.pivot}, {crank, upper, at.pin},
                 {crank, lower, at.pin},  {upper, hip, at.top}, {lower, link, at.bottom},
                 {link, shin, at.bottom}, {hip, back, at.back}, {back, shin, at.knee}};
    for (int i = 0; i < (int)(sizeof hinge / sizeof hinge[0]); ++i) {
        crn_build_hinge(&b, hinge[i].a, hinge[i].b, hinge[i].pin, axis);
    }
    drive(&b, crank, shin, &at, load);
    crn_build_probe(&b, CRN_PROBE_POSITION, shin);
    return b.status;
}

crn_status crn_gallery_leg_loaded(crn_model *model, crn_error *error)
{
    return crn_gallery_leg_of(model, 50.0, error);
}
