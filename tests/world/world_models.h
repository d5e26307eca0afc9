/* Small scenes of many kinds as models, for tests of what does not depend on the physics: memory, snapshots, hashes. */
#ifndef CRN_TEST_WORLD_MODELS_H
#define CRN_TEST_WORLD_MODELS_H

#include "world_case.h"

#include "gallery_worlds.h"

static inline int model_add(crn_model *model, crn_body_kind kind, crn_shape_kind shape_kind, crn_vec3 size,
                            crn_vec3 position, double restitution)
{
    crn_body_shape shape = crn_body_shape_default();
    crn_body_def def = crn_body_def_default();
    crn_error error;
    int index = -1;
    shape.shape = (crn_shape_def){.kind = shape_kind, .size = size};
    shape.restitution = restitution;
    def.kind = kind;
    def.pose.position = position;
    def.mass = kind == CRN_BODY_FREE ? 1.0 : 0.0;
    def.shape = &shape;
    def.shapes = 1;
    TEST_CHECK(crn_model_add_body(model, &def, &index, &error) == CRN_OK, "%s", error.text);
    return index;
}

static inline void model_join(crn_model *model, const crn_joint_def *def)
{
    crn_error error;
    TEST_CHECK(crn_model_add_joint(model, def, NULL, &error) == CRN_OK, "%s", error.text);
}

static inline void fill_stack(crn_model *model)
{
    crn_gallery_stack stack = {.boxes = 6, .lean = 0.02, .mass = 1.0, .mass_ratio = 2.0};
    assert_int_equal(crn_gallery_stack_of(model, &stack, NULL), CRN_OK);
}

static inline void fill_pour(crn_model *model)
{
    assert_int_equal(crn_gallery_pour_of(model, 30, 4, NULL), CRN_OK);
}

/* An ellipse that topples and rolls, as in [HA03 s3.1]. */
static inline void fill_ellipse(crn_model *model)
{
    crn_world_def *world = crn_model_world(model);
    world->is_planar = true;
    world->gravity = (crn_vec3){0, -9.81, 0};
    model_add(model, CRN_BODY_FIXED, CRN_SHAPE_HALF_PLANE, (crn_vec3){0, 0, 0}, (crn_vec3){0, 0, 0}, 0.0);
    model_add(model, CRN_BODY_FREE, CRN_SHAPE_ELLIPSE, (crn_vec3){0.5, 0.2, 0}, (crn_vec3){0, 0.2, 0}, 0.0);
    crn_load_def load = crn_load_def_default();
    load.body = 1;
    load.torque = (crn_vec3){0, 0, 4};
    load.factor = (crn_profile){.amplitude = 1.0, .frequency = 3.0};
    assert_int_equal(crn_model_add_load(model, &load, NULL, NULL), CRN_OK);
}

/* Disks on the ground and on one another, some of which bounce, with one driven among them. */
static inline void fill_disks(crn_model *model)
{
    crn_world_def *world = crn_model_world(model);
    world->is_planar = true;
    world->gravity = (crn_vec3){0, -9.81, 0};
    model_add(model, CRN_BODY_FIXED, CRN_SHAPE_HALF_PLANE, (crn_vec3){0, 0, 0}, (crn_vec3){0, 0, 0}, 0.0);
    for (int i = 0; i < 12; ++i) {
        crn_vec3 at = {0.21 * (i % 4) + 0.03 * (i / 4), 0.1 + 0.25 * (i / 4), 0};
        model_add(model, CRN_BODY_FREE, CRN_SHAPE_DISK, (crn_vec3){0.1, 0, 0}, at, i % 3 == 0 ? 0.6 : 0.0);
    }
    crn_body_shape shape = crn_body_shape_default();
    crn_body_def paddle = crn_body_def_default();
    shape.shape = (crn_shape_def){.kind = CRN_SHAPE_SEGMENT, .size = {0.3, 0.05, 0}};
    paddle.kind = CRN_BODY_DRIVEN;
    paddle.pose.position = (crn_vec3){-0.6, 0.4, 0};
    paddle.motion.x = (crn_profile){.amplitude = 0.3, .frequency = 1.0};
    paddle.motion.angle = (crn_profile){.amplitude = 1.0, .frequency = 2.0};
    paddle.shape = &shape;
    paddle.shapes = 1;
    assert_int_equal(crn_model_add_body(model, &paddle, NULL, NULL), CRN_OK);
}

/* A chain with a motor that makes turns, a brake, a limit, a rope, and a loop of doubled hinges. */
static inline void fill_mechanism(crn_model *model)
{
    int body[4];
    for (int i = 0; i < 4; ++i) {
        body[i] = model_add(model, CRN_BODY_FREE, CRN_SHAPE_BOX, (crn_vec3){0.2, 0.05, 0.03},
                            (crn_vec3){0.2 + 0.4 * i, 0, 0.5}, 0.0);
    }
    model_add(model, CRN_BODY_FIXED, CRN_SHAPE_PLANE, (crn_vec3){0, 0, 0}, (crn_vec3){0, 0, 0}, 0.0);
    const double times[3] = {0.0, 0.2, 5.0}, speeds[3] = {0.0, 12.0, 15.0};
    for (int i = 0; i < 5; ++i) { /* the second hinge twice */
        int at = i < 2 ? i : i - 1;
        crn_joint_def joint = crn_joint_def_default();
        joint.kind = at == 2 ? CRN_JOINT_UNIVERSAL : CRN_JOINT_HINGE;
        joint.a = at == 0 ? -1 : body[at - 1];
        joint.b = body[at];
        joint.frame_a.position = at == 0 ? (crn_vec3){0, 0, 0.5} : (crn_vec3){0.2, 0, 0};
        joint.frame_b.position = (crn_vec3){-0.2, 0, 0};
        if (at == 0) {
            joint.axis[0].has_motor = true;
            joint.axis[0].max_force = 8.0;
            joint.axis[0].speed = (crn_profile){.times = times, .values = speeds, .count = 3};
        }
        joint.axis[0].friction = at == 2 ? 0.05 : 0.0;
        joint.axis[0].lower = at == 3 ? -0.5 : INFINITY;
        joint.axis[0].upper = at == 3 ? 0.3 : -INFINITY;
        model_join(model, &joint);
    }
    crn_joint_def rope = crn_joint_def_default();
    rope.kind = CRN_JOINT_DISTANCE;
    rope.b = body[3];
    rope.frame_a.position = (crn_vec3){0, 0, 1.5};
    rope.axis[0].lower = 0.0;
    rope.axis[0].upper = 1.7;
    model_join(model, &rope);
}

/* Boxes that fall asleep, and a ball that falls on them later. */
static inline void fill_sleepers(crn_model *model)
{
    crn_model_world(model)->sleep_time = 0.1;
    model_add(model, CRN_BODY_FIXED, CRN_SHAPE_PLANE, (crn_vec3){0, 0, 0}, (crn_vec3){0, 0, 0}, 0.0);
    for (int i = 0; i < 3; ++i) {
        model_add(model, CRN_BODY_FREE, CRN_SHAPE_BOX, (crn_vec3){0.2, 0.2, 0.1},
                  (crn_vec3){0.01 * i, 0, 0.1 + 0.2 * i}, 0.0);
    }
    model_add(model, CRN_BODY_FREE, CRN_SHAPE_SPHERE, (crn_vec3){0.1, 0, 0}, (crn_vec3){0.05, 0.02, 2.5}, 0.3);
}

/* Many balls that meet the floor in the same step, and boxes that tumble. */
static inline void fill_bouncers(crn_model *model)
{
    model_add(model, CRN_BODY_FIXED, CRN_SHAPE_PLANE, (crn_vec3){0, 0, 0}, (crn_vec3){0, 0, 0}, 0.0);
    for (int i = 0; i < 20; ++i) {
        crn_vec3 at = {0.3 * (i % 5), 0.3 * (double)(i / 5), 0.105};
        model_add(model, CRN_BODY_FREE, CRN_SHAPE_SPHERE, (crn_vec3){0.1, 0, 0}, at, 0.9);
    }
    for (int i = 0; i < 3; ++i) {
        crn_vec3 at = {-1.0 - 0.15 * i, 0.02 * i, 0.1 + 0.2 * i};
        model_add(model, CRN_BODY_FREE, CRN_SHAPE_BOX, (crn_vec3){0.1, 0.08, 0.06}, at, 0.8);
    }
}

static inline crn_joint_def link_joint(crn_joint_kind kind, int a, int b, crn_vec3 on_a, crn_vec3 on_b)
{
    crn_joint_def joint = crn_joint_def_default();
    joint.kind = kind;
    joint.a = a;
    joint.b = b;
    joint.frame_a.position = on_a;
    joint.frame_b.position = on_b;
    joint.in_tree = true;
    return joint;
}

/* A robot that floats and lands: a trunk with two arms on balls and hinges (spring, limit, friction, one that follows the
 * other), a leg on two hinges with a link without mass between them, a loop from leg to trunk, a motor that is as strong as
 * it takes; a second tree on the world, a ball that falls on all of it. */
static inline void fill_robot(crn_model *model)
{
    model_add(model, CRN_BODY_FIXED, CRN_SHAPE_PLANE, (crn_vec3){0, 0, 0}, (crn_vec3){0, 0, 0}, 0.0);
    const crn_vec3 bone = {0.2, 0.04, 0.03}, end = {0.2, 0, 0}, begin = {-0.2, 0, 0}, origin = {0, 0, 0};
    int trunk = model_add(model, CRN_BODY_FREE, CRN_SHAPE_BOX, (crn_vec3){0.2, 0.1, 0.1}, (crn_vec3){0, 0, 0.5}, 0.0);
    int arm = model_add(model, CRN_BODY_FREE, CRN_SHAPE_BOX, bone, (crn_vec3){0.4, 0, 0.5}, 0.0);
    int hand = model_add(model, CRN_BODY_FREE, CRN_SHAPE_BOX, bone, (crn_vec3){0.8, 0, 0.5}, 0.0);
    int other = model_add(model, CRN_BODY_FREE, CRN_SHAPE_BOX, bone, (crn_vec3){-0.4, 0, 0.5}, 0.0);
    crn_body_def empty = crn_body_def_default();
    int hip = -1;
    empty.is_massless = true;
    empty.pose.position = (crn_vec3){0, 0.1, 0.5};
    assert_int_equal(crn_model_add_body(model, &empty, &hip, NULL), CRN_OK);
    int leg = model_add(model, CRN_BODY_FREE, CRN_SHAPE_BOX, bone, (crn_vec3){0.2, 0.15, 0.5}, 0.0);
    crn_joint_def shoulder = link_joint(CRN_JOINT_BALL, trunk, arm, end, begin);
    shoulder.axis[0].damping = 0.05;
    model_join(model, &shoulder);
    crn_joint_def elbow = link_joint(CRN_JOINT_HINGE, arm, hand, end, begin);
    elbow.axis[0].lower = -0.3;
    elbow.axis[0].upper = 1.0;
    elbow.axis[0].stiffness = 3.0;
    elbow.axis[0].damping = 0.1;
    elbow.axis[0].target = (crn_profile){.amplitude = 0.5, .frequency = 1.0};
    model_join(model, &elbow);
    crn_joint_def wing = link_joint(CRN_JOINT_HINGE, trunk, other, begin, end);
    wing.axis[0].follows = 2;
    wing.axis[0].ratio = -0.5;
    wing.axis[0].friction = 0.02;
    model_join(model, &wing);
    crn_joint_def swing = link_joint(CRN_JOINT_HINGE, trunk, hip, (crn_vec3){0, 0.1, 0}, origin);
    swing.axis[0].has_motor = true;
    swing.axis[0].speed = (crn_profile){.amplitude = 1.0, .frequency = 2.0};
    model_join(model, &swing);
    crn_joint_def spread = link_joint(CRN_JOINT_HINGE, hip, leg, origin, (crn_vec3){-0.2, -0.05, 0});
    spread.frame_a.rotation = spread.frame_b.rotation = (crn_quat){0.6, 0.8, 0, 0};
    spread.axis[0].armature = 0.01;
    model_join(model, &spread);
    crn_joint_def rope = crn_joint_def_default();
    rope.kind = CRN_JOINT_DISTANCE;
    rope.a = trunk;
    rope.b = leg;
    rope.frame_a.position = rope.frame_b.position = end;
    rope.axis[0].lower = 0.0;
    rope.axis[0].upper = 0.6;
    model_join(model, &rope);
    int post =
        model_add(model, CRN_BODY_FREE, CRN_SHAPE_CAPSULE, (crn_vec3){0.05, 0.3, 0}, (crn_vec3){0, 0.5, 0.4}, 0.0);
    int twig =
        model_add(model, CRN_BODY_FREE, CRN_SHAPE_CAPSULE, (crn_vec3){0.05, 0.3, 0}, (crn_vec3){0, 0.5, 1.0}, 0.0);
    crn_joint_def root = link_joint(CRN_JOINT_UNIVERSAL, -1, post, (crn_vec3){0, 0.5, 0.1}, (crn_vec3){0, 0, -0.3});
    root.axis[0].friction = 0.1;
    model_join(model, &root);
    crn_joint_def fork = link_joint(CRN_JOINT_BALL, post, twig, (crn_vec3){0, 0, 0.3}, (crn_vec3){0, 0, -0.3});
    fork.axis[0].friction = 0.05;
    model_join(model, &fork);
    model_add(model, CRN_BODY_FREE, CRN_SHAPE_SPHERE, (crn_vec3){0.1, 0, 0}, (crn_vec3){0.1, 0.05, 1.0}, 0.3);
}

/* A closed loop of four bars in the plane that falls on the ground, three joints of it in a tree that floats. */
static inline void fill_frame(crn_model *model)
{
    crn_world_def *world = crn_model_world(model);
    world->is_planar = true;
    world->gravity = (crn_vec3){0, -9.81, 0};
    model_add(model, CRN_BODY_FIXED, CRN_SHAPE_HALF_PLANE, (crn_vec3){0, 0, 0}, (crn_vec3){0, 0, 0}, 0.0);
    crn_body_shape shape = crn_body_shape_default();
    shape.shape = (crn_shape_def){.kind = CRN_SHAPE_SEGMENT, .size = {0.2, 0.02, 0}};
    const double half = 0.70710678118654752;
    const crn_quat turn[4] = {{1, 0, 0, 0}, {half, 0, 0, half}, {0, 0, 0, 1}, {half, 0, 0, -half}};
    const crn_vec3 at[4] = {{0, 0.3, 0}, {0.2, 0.5, 0}, {0, 0.7, 0}, {-0.2, 0.5, 0}}, end = {0.2, 0, 0},
                   begin = {-0.2, 0, 0};
    for (int i = 0; i < 4; ++i) {
        crn_body_def bar = crn_body_def_default();
        bar.pose = (crn_pose){at[i], turn[i]};
        bar.angular.z = 0.5;
        bar.mass = 1.0;
        bar.shape = &shape;
        bar.shapes = 1;
        assert_int_equal(crn_model_add_body(model, &bar, NULL, NULL), CRN_OK);
    }
    for (int i = 0; i < 4; ++i) {
        crn_joint_def pin = link_joint(CRN_JOINT_HINGE, i + 1, i < 3 ? i + 2 : 1, end, begin);
        pin.in_tree = i < 3;
        pin.axis[0].damping = i == 0 ? 0.05 : 0.0;
        model_join(model, &pin);
    }
}

typedef struct world_model {
    const char *name;
    void (*fill)(crn_model *model);
} world_model;

static const world_model world_models[] = {
    {"stack", fill_stack},       {"pour", fill_pour},           {"ellipse", fill_ellipse},
    {"disks", fill_disks},       {"mechanism", fill_mechanism}, {"sleepers", fill_sleepers},
    {"bouncers", fill_bouncers}, {"robot", fill_robot},         {"frame", fill_frame},
};
enum { WORLD_MODELS = sizeof world_models / sizeof *world_models };

static inline crn_model *make_model(int i)
{
    crn_model *model = NULL;
    assert_int_equal(crn_model_create(NULL, &model, NULL), CRN_OK);
    world_models[i].fill(model);
    return model;
}

static inline crn_world *make_world(int i, const crn_allocator *allocator)
{
    crn_model *model = make_model(i);
    crn_world *world = NULL;
    crn_error error;
    TEST_CHECK(crn_world_create_from(model, allocator, &world, &error) == CRN_OK, "%s", error.text);
    crn_model_destroy(model);
    return world;
}

#endif
