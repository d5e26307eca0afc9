/* world_collisions.c -- hits: what comes out is known.
 *
 *   two-balls     equal balls, elastic: the velocities are exchanged
 *   bounce        a ball dropped from height H with restitution e rises to e^2 H
 *   hinged-boxes  two boxes hang side by side from parallel hinges, five bars of one along the face of the other: 10 contact
 *                 points, all of them with the same impulse row but for its arm. The turning one gives (1 + e)/2 of its w. */
#include <math.h>

#include "build.h"
#include "gallery_worlds.h"
#include "worlds.h"

crn_status crn_gallery_two_balls_of(crn_model *model, double restitution, double mass_ratio, crn_error *error)
{
    const double radius = 0.1, speed = 1.0, apart = 0.503; /* between the centres */
    crn_build b = crn_build_begin(model, error);
    crn_build_world(&b, false, 0.01, 1.0)->gravity = (crn_vec3){0.0, 0.0, 0.0};
    b.friction = 0.0;
    b.restitution = restitution;
    crn_body_shape shape = crn_build_sphere(&b, radius);
    crn_body_def ball = crn_body_def_default();
    ball.name = "first";
    ball.mass = 1.0;
    ball.velocity.x = speed;
    ball.shape = &shape;
    ball.shapes = 1;
    crn_build_probe(&b, CRN_PROBE_VELOCITY, crn_build_add(&b, &ball));
    crn_vec3 at = {apart, 0.0, 0.0};
    crn_build_probe(&b, CRN_PROBE_VELOCITY, crn_build_body(&b, "second", shape, mass_ratio, at));
    return b.status;
}

crn_status crn_gallery_two_balls(crn_model *model, crn_error *error)
{
    return crn_gallery_two_balls_of(model, 1.0, 1.0, error);
}

crn_status crn_gallery_bounce_of(crn_model *model, double restitution, double height, crn_error *error)
{
    const double radius = 0.1;
    crn_build b = crn_build_begin(model, error);
    crn_build_world(&b, false, 0.01, 3.0);
    b.restitution = restitution;
    crn_build_floor(&b);
    crn_vec3 at = {0.0, 0.0, radius + height};
    crn_build_probe(&b, CRN_PROBE_POSITION, crn_build_body(&b, "ball", crn_build_sphere(&b, radius), 1.0, at));
    return b.status;
}

crn_status crn_gallery_bounce(crn_model *model, crn_error *error)
{
    return crn_gallery_bounce_of(model, 0.8, 1.0, error);
}

/* --- Boxes on parallel hinges --- */

enum { BARS = 5 };

/* A door that hangs from a hinge along y above its middle; with bars along its side x > 0. */
static int add_door(crn_build *b, const char *name, double side, double angle, double spin)
{
    const double half = 0.1, depth = 0.5, radius = 0.03; /* hinge above the middle by depth */
    bool has_bars = side < 0.0;
    crn_body_shape shape[1 + BARS];
    shape[0] = crn_build_box(b, has_bars ? half - radius : half, 0.3, 0.3);
    for (int i = 0; i < BARS; ++i) {
        shape[1 + i] = crn_build_capsule(b, radius, 0.25);
        shape[1 + i].pose = (crn_pose){{half - radius, -0.2 + 0.1 * i, 0.0}, {1.0, 0.0, 0.0, 0.0}};
    }
    crn_vec3 hinge = {side * half, 0.0, 0.0};
    crn_body_def def = crn_body_def_default();
    def.name = name;
    def.mass = 5.0;
    def.pose.position = (crn_vec3){hinge.x - depth * sin(angle), 0.0, -depth * cos(angle)};
    def.pose.rotation = (crn_quat){cos(0.5 * angle), 0.0, sin(0.5 * angle), 0.0};
    def.angular.y = spin;
    def.velocity = (crn_vec3){-spin * depth * cos(angle), 0.0, spin * depth * sin(angle)};
    def.inertia = (crn_mat3){{0.3, 0.0, 0.0, 0.0, 0.2, 0.0, 0.0, 0.0, 0.25}};
    def.shape = shape;
    def.shapes = has_bars ? 1 + BARS : 1;
    int body = crn_build_add(b, &def);
    crn_joint_def joint = crn_joint_def_default();
    joint.kind = CRN_JOINT_HINGE;
    joint.b = body;
    joint.frame_a = (crn_pose){hinge, {sqrt(0.5), -sqrt(0.5), 0.0, 0.0}}; /* its z along y */
    joint.frame_b = (crn_pose){{0.0, 0.0, depth}, joint.frame_a.rotation};
    crn_build_joint(b, &joint);
    return body;
}

crn_status crn_gallery_hinged_boxes_of(crn_model *model, const crn_gallery_hinged *hinged, crn_error *error)
{
    crn_build b = crn_build_begin(model, error);
    crn_world_def *world = crn_build_world(&b, false, 0.01, 5.0);
    world->gravity.z = hinged->has_gravity ? world->gravity.z : 0.0;
    b.friction = hinged->friction;
    b.restitution = hinged->restitution;
    int left = add_door(&b, "left", -1.0, hinged->angle, hinged->spin);
    int right = add_door(&b, "right", 1.0, 0.0, 0.0);
    crn_build_probe(&b, CRN_PROBE_ANGULAR, left);
    crn_build_probe(&b, CRN_PROBE_ANGULAR, right);
    return b.status;
}

crn_status crn_gallery_hinged_boxes(crn_model *model, crn_error *error)
{
    crn_gallery_hinged hinged = {.angle = 0.5, .friction = 0.3, .restitution = 0.3, .has_gravity = true};
    return crn_gallery_hinged_boxes_of(model, &hinged, error);
}
