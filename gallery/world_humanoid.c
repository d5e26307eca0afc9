/* world_humanoid.c -- a body of 27 degrees of freedom, 60 kg, without muscles: falls on the floor and lies there.
 *
 *   waist 2 + 1, hips 2 + 1, knees 1, ankles 2, shoulders 2, elbows 1: 21, and 6 of the pelvis, which floats
 *
 * Joints have limits and a little damping. It begins upright but aslant, so that it falls to one side. Where two turns and a third
 * meet (waist, hips) there is a small link between them that touches nothing. x is forward, y to the left. */
#include "build_tree.h"
#include "gallery_worlds.h"
#include "worlds.h"

#include <math.h>

/* The body is described standing upright; `place` puts it into the world. */
typedef struct figure {
    crn_build build;
    crn_pose place;
} figure;

static crn_vec3 placed(const figure *f, crn_vec3 p)
{
    return crn_build_compose(f->place, (crn_pose){p, {1.0, 0.0, 0.0, 0.0}}).position;
}

static int add_limb(figure *f, const char *name, crn_vec3 p, crn_vec3 q, double radius, double mass)
{
    return crn_build_link(&f->build, name, placed(f, p), placed(f, q), radius, mass);
}

static int add_part(figure *f, const char *name, crn_vec3 at, const crn_body_shape *shape, int shapes, double mass)
{
    crn_body_def def = crn_body_def_default();
    def.name = name;
    def.pose = (crn_pose){placed(f, at), f->place.rotation};
    def.mass = mass;
    def.shape = shape;
    def.shapes = shapes;
    return crn_build_add(&f->build, &def);
}

/* A small link inside others. */
static int add_knuckle(figure *f, const char *name, crn_vec3 at, double radius, double mass)
{
    crn_body_shape shape = crn_build_sphere(&f->build, radius);
    shape.group = shape.mask = 0;
    return add_part(f, name, at, &shape, 1, mass);
}

typedef struct range {
    double lower, upper; /* [rad] */
} range;

/* Swapped for the right side, where turns about x and z go the other way. */
static range mirrored(range r, double side)
{
    return side > 0.0 ? r : (range){-r.upper, -r.lower};
}

static void limit(crn_joint_axis *axis, range r)
{
    const double damping = 0.5, armature = 0.01; /* [N m s/rad], [kg m^2] */
    axis->lower = r.lower;
    axis->upper = r.upper;
    axis->damping = damping;
    axis->armature = armature;
}

/* Turns about x (forward), then y (left). */
static void add_universal(figure *f, const char *name, int a, int b, crn_vec3 at, range x, range y)
{
    crn_joint_def def = crn_joint_def_default();
    def.name = name;
    def.kind = CRN_JOINT_UNIVERSAL;
    def.a = a;
    def.b = b;
    def.in_tree = true;
    limit(&def.axis[0], x);
    limit(&def.axis[1], y);
    crn_build_joint_at(&f->build, def, (crn_pose){placed(f, at), f->place.rotation});
}

static void add_hinge(figure *f, const char *name, int a, int b, crn_vec3 at, crn_vec3 axis, range r)
{
    crn_joint_def def = crn_joint_def_default();
    def.name = name;
    def.kind = CRN_JOINT_HINGE;
    def.a = a;
    def.b = b;
    def.in_tree = true;
    limit(&def.axis[0], r);
    crn_pose turn = {{0.0, 0.0, 0.0}, crn_build_turn_z_to(axis)};
    crn_build_joint_at(&f->build, def, (crn_pose){placed(f, at), crn_build_multiply(f->place.rotation, turn.rotation)});
}

static const crn_vec3 left = {0.0, 1.0, 0.0}, up = {0.0, 0.0, 1.0};

static const char *side_name(double side, const char *of_left, const char *of_right)
{
    return side > 0.0 ? of_left : of_right;
}

static void add_leg(figure *f, int pelvis, double side)
{
    const double y = 0.1 * side;
    crn_vec3 hip = {0.0, y, 0.93}, knee = {0.0, y, 0.5}, ankle = {0.0, y, 0.08};
    crn_body_shape sole = crn_build_box(&f->build, 0.11, 0.045, 0.03);
    int knuckle = add_knuckle(f, side_name(side, "left hip", "right hip"), hip, 0.05, 1.0);
    int thigh = add_limb(f, side_name(side, "left thigh", "right thigh"), (crn_vec3){0.0, y, 0.87}, knee, 0.06, 7.0);
    int shin = add_limb(f, side_name(side, "left shin", "right shin"), knee, (crn_vec3){0.0, y, 0.12}, 0.045, 3.5);
    int foot = add_part(f, side_name(side, "left foot", "right foot"), (crn_vec3){0.05, y, 0.035}, &sole, 1, 1.0);
    add_universal(f, side_name(side, "left hip", "right hip"), pelvis, knuckle, hip, mirrored((range){-0.5, 0.9}, side),
                  (range){-1.9, 0.35});
    add_hinge(f, side_name(side, "left hip turn", "right hip turn"), knuckle, thigh, hip, up,
              mirrored((range){-0.6, 0.8}, side));
    add_hinge(f, side_name(side, "left knee", "right knee"), thigh, shin, knee, left, (range){-0.05, 2.6});
    add_universal(f, side_name(side, "left ankle", "right ankle"), shin, foot, ankle, (range){-0.4, 0.4},
                  (range){-0.7, 0.7});
    crn_build_apart(&f->build, pelvis, thigh);
}

static void add_arm(figure *f, int chest, double side)
{
    const double y = 0.2 * side;
    crn_vec3 shoulder = {0.0, y, 1.42}, elbow = {0.0, y, 1.14}, hand = {0.0, y, 0.88};
    int upper = add_limb(f, side_name(side, "left upper arm", "right upper arm"), shoulder, elbow, 0.04, 2.0);
    int lower = add_limb(f, side_name(side, "left forearm", "right forearm"), elbow, hand, 0.035, 1.4);
    add_universal(f, side_name(side, "left shoulder", "right shoulder"), chest, upper, shoulder,
                  mirrored((range){-0.3, 2.5}, side), (range){-2.8, 1.0});
    add_hinge(f, side_name(side, "left elbow", "right elbow"), upper, lower, elbow, left, (range){-2.4, 0.05});
}

crn_status crn_gallery_humanoid_of(crn_model *model, double dt, crn_error *error)
{
    const double aslant = 0.25, drop = 0.1; /* [rad, m] */
    figure f = {crn_build_begin(model, error), {{0.0, 0.0, drop}, {1.0, 0.0, 0.0, 0.0}}};
    crn_build *b = &f.build;
    f.place.rotation = (crn_quat){cos(0.5 * aslant), 0.5 * sin(0.5 * aslant), sqrt(0.75) * sin(0.5 * aslant), 0.0};
    crn_build_tree_world(b, dt, 5.0);
    b->friction = 0.7;
    crn_build_floor(b);
    int pelvis = add_limb(&f, "pelvis", (crn_vec3){0.0, -0.07, 1.0}, (crn_vec3){0.0, 0.07, 1.0}, 0.09, 9.0);
    int waist = add_knuckle(&f, "waist", (crn_vec3){0.0, 0.0, 1.13}, 0.05, 2.0);
    crn_body_shape trunk[2] = {crn_build_box(b, 0.09, 0.14, 0.13), crn_build_sphere(b, 0.1)};
    trunk[1].pose.position = (crn_vec3){0.0, 0.0, 0.28};
    int chest = add_part(&f, "chest", (crn_vec3){0.0, 0.0, 1.32}, trunk, 2, 0.0);
    add_universal(&f, "waist", pelvis, waist, (crn_vec3){0.0, 0.0, 1.1}, (range){-0.6, 0.6}, (range){-0.5, 1.2});
    add_hinge(&f, "waist turn", waist, chest, (crn_vec3){0.0, 0.0, 1.16}, up, (range){-0.8, 0.8});
    add_leg(&f, pelvis, 1.0);
    add_leg(&f, pelvis, -1.0);
    add_arm(&f, chest, 1.0);
    add_arm(&f, chest, -1.0);
    crn_build_probe(b, CRN_PROBE_POSITION, pelvis);
    return b->status;
}

crn_status crn_gallery_humanoid_falls(crn_model *model, crn_error *error)
{
    return crn_gallery_humanoid_of(model, 1e-3, error);
}
