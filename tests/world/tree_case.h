/* Trees in few lines, for tests: rods and flywheels on joints that are placed by a point and an axis of the world.
 *
 * A rod has its centre of mass in the middle and mass m, inertia m L^2/12 across it and a hundredth of that along it. */
#ifndef CRN_TEST_TREE_CASE_H
#define CRN_TEST_TREE_CASE_H

#include "math/rigid.h"
#include "physics_case.h"

/* A call with `error` in it must succeed. */
#define TREE_CHECK(call)                                                      \
    do {                                                                      \
        crn_error tree_reason = {CRN_OK, ""};                                 \
        crn_error *error = &tree_reason;                                      \
        crn_status tree_status = (call);                                      \
        TEST_CHECK(tree_status == CRN_OK, "%s: %s", #call, tree_reason.text); \
    } while (0)

/* Integrators that have trees: all but the last, which holds joints by rows. */
enum { TREE_INTEGRATORS = CRN_INTEGRATOR_HART };

/* --- Models --- */

static inline crn_model *tree_model(crn_vec3 gravity)
{
    crn_model *model = physics_model();
    crn_model_world(model)->gravity = gravity;
    return model;
}

static const crn_vec3 tree_down = {0.0, 0.0, -PHYSICS_G}, tree_nothing = {0.0, 0.0, 0.0};

static inline crn_mat3 tree_diagonal(double x, double y, double z)
{
    return (crn_mat3){{x, 0, 0, 0, y, 0, 0, 0, z}};
}

/* A body without shapes. */
static inline int tree_body(crn_model *model, crn_pose pose, double mass, crn_mat3 inertia)
{
    crn_body_def def = crn_body_def_default();
    int index = -1;
    def.pose = pose;
    def.mass = mass;
    def.inertia = inertia;
    TREE_CHECK(crn_model_add_body(model, &def, &index, error));
    return index;
}

/* The turn that takes z to the unit vector n, half a turn about x if that is -z. */
static inline crn_quat tree_turn_to(crn_vec3 n)
{
    if (n.z < -0.999999) {
        return (crn_quat){0.0, 1.0, 0.0, 0.0};
    }
    return crn_quat_unit((crn_quat){1.0 + n.z, -n.y, n.x, 0.0});
}

/* A rod from p to q; its frame is in the middle, z along it. */
static inline int tree_rod(crn_model *model, crn_vec3 p, crn_vec3 q, double mass)
{
    crn_vec3 way = crn_v3_sub(q, p);
    double across = mass * crn_v3_dot(way, way) / 12.0;
    crn_pose pose = {crn_v3_axpy(p, 0.5, way), tree_turn_to(crn_v3_unit(way))};
    return tree_body(model, pose, mass, tree_diagonal(across, across, 0.01 * across));
}

/* A rod with a capsule for a shape. */
static inline int tree_capsule(crn_model *model, crn_vec3 p, crn_vec3 q, double radius, double friction, double mass)
{
    crn_vec3 way = crn_v3_sub(q, p);
    crn_body_shape shape = crn_body_shape_default();
    crn_body_def def = crn_body_def_default();
    int index = -1;
    shape.shape = (crn_shape_def){.kind = CRN_SHAPE_CAPSULE, .size = {radius, 0.5 * crn_v3_length(way), 0.0}};
    shape.friction = friction;
    def.pose = (crn_pose){crn_v3_axpy(p, 0.5, way), tree_turn_to(crn_v3_unit(way))};
    def.mass = mass;
    def.shape = &shape;
    def.shapes = 1;
    TREE_CHECK(crn_model_add_body(model, &def, &index, error));
    return index;
}

static inline int tree_shape(crn_model *model, crn_body_kind kind, crn_shape_kind shape_kind, crn_vec3 size,
                             crn_vec3 position, double friction, double mass)
{
    crn_body_shape shape = crn_body_shape_default();
    crn_body_def def = crn_body_def_default();
    int index = -1;
    shape.shape = (crn_shape_def){.kind = shape_kind, .size = size};
    shape.friction = friction;
    def.kind = kind;
    def.pose.position = position;
    def.mass = mass;
    def.shape = &shape;
    def.shapes = 1;
    TREE_CHECK(crn_model_add_body(model, &def, &index, error));
    return index;
}

static inline int tree_floor(crn_model *model, double friction)
{
    return tree_shape(model, CRN_BODY_FIXED, CRN_SHAPE_PLANE, tree_nothing, tree_nothing, friction, 0.0);
}

/* X^-1 W */
static inline crn_pose tree_seen_from(const crn_model *model, int body, const crn_pose *w)
{
    crn_pose x = body < 0 ? crn_pose_identity() : crn_model_body(model, body)->pose;
    crn_quat back = crn_quat_conjugate(x.rotation);
    return (crn_pose){crn_quat_turn(back, crn_v3_sub(w->position, x.position)), crn_quat_product(back, w->rotation)};
}

/* A joint in a tree at a point of the world, its z along axis; all coordinates 0. */
static inline crn_joint_def tree_joint(const crn_model *model, crn_joint_kind kind, int a, int b, crn_vec3 point,
                                       crn_vec3 axis)
{
    crn_joint_def def = crn_joint_def_default();
    crn_pose world = {point, tree_turn_to(axis)};
    def.kind = kind;
    def.a = a;
    def.b = b;
    def.frame_a = tree_seen_from(model, a, &world);
    def.frame_b = tree_seen_from(model, b, &world);
    def.in_tree = true;
    return def;
}

static inline int tree_add(crn_model *model, const crn_joint_def *def)
{
    int index = -1;
    TREE_CHECK(crn_model_add_joint(model, def, &index, error));
    return index;
}

static inline int tree_join(crn_model *model, crn_joint_kind kind, int a, int b, crn_vec3 point, crn_vec3 axis)
{
    crn_joint_def def = tree_joint(model, kind, a, b, point, axis);
    return tree_add(model, &def);
}

static const crn_vec3 tree_x = {1.0, 0.0, 0.0}, tree_y = {0.0, 1.0, 0.0}, tree_z = {0.0, 0.0, 1.0};

/* A rod of length 1 and mass 1 on a hinge about y at the origin, at an angle from hanging: angle 0 hangs down, pi/2 points
 * to x. The hinge's coordinate is 0 there; it hangs where that is the angle. */
static inline crn_joint_def tree_pendulum(crn_model *model, double angle)
{
    crn_vec3 end = {sin(angle), 0.0, -cos(angle)};
    int rod = tree_rod(model, tree_nothing, end, 1.0);
    return tree_joint(model, CRN_JOINT_HINGE, -1, rod, tree_nothing, tree_y);
}

/* A wheel about z at (at, 0, 0): inertia about the axis is given. */
static inline crn_joint_def tree_wheel(crn_model *model, double at, double inertia)
{
    crn_pose pose = {{at, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};
    int wheel = tree_body(model, pose, 1.0, tree_diagonal(inertia, inertia, inertia));
    return tree_joint(model, CRN_JOINT_HINGE, -1, wheel, pose.position, tree_z);
}

/* `links` rods of a length on ball joints, from the origin along x; free at the far end. Body i is link i, joint i above it. */
static inline crn_model *tree_chain(int links, double length, double mass)
{
    crn_model *model = tree_model(tree_down);
    for (int i = 0; i < links; ++i) {
        crn_vec3 p = {i * length, 0.0, 0.0}, q = {(i + 1) * length, 0.0, 0.0};
        int rod = tree_rod(model, p, q, mass);
        tree_join(model, CRN_JOINT_BALL, rod - 1, rod, p, tree_z);
    }
    return model;
}

/* --- Worlds --- */

static inline double tree_coordinate(const crn_world *world, int joint)
{
    double value[CRN_JOINT_COORDINATES_MAX] = {0.0};
    assert_int_equal(crn_joint_coordinate(world, crn_world_joint(world, joint + 1), value, NULL), CRN_OK);
    return value[0];
}

static inline double tree_speed(const crn_world *world, int joint)
{
    double value[CRN_JOINT_COORDINATES_MAX], speed[CRN_JOINT_COORDINATES_MAX] = {0.0};
    assert_int_equal(crn_joint_coordinate(world, crn_world_joint(world, joint + 1), value, speed), CRN_OK);
    return speed[0];
}

/* How far the two frames of a joint are apart, from the poses of its bodies: what the world says of it is not asked. */
static inline double tree_opening(const crn_world *world, const crn_model *model, int joint)
{
    const crn_joint_def *def = crn_model_joint(model, joint);
    crn_pose a = def->a < 0 ? crn_pose_identity() : physics_pose(world, def->a), b = physics_pose(world, def->b);
    a = crn_pose_product(&a, &def->frame_a);
    b = crn_pose_product(&b, &def->frame_b);
    double apart = physics_distance(a.position, b.position);
    if (def->kind == CRN_JOINT_HINGE || def->kind == CRN_JOINT_SLIDER || def->kind == CRN_JOINT_PLANAR) {
        crn_vec3 za = crn_quat_turn(a.rotation, tree_z), zb = crn_quat_turn(b.rotation, tree_z);
        double tilt = crn_v3_length(crn_v3_cross(za, zb));
        apart = def->kind == CRN_JOINT_HINGE ? fmax(apart, tilt) : tilt;
    }
    return apart;
}

/* A world of a model that is kept. */
static inline crn_world *tree_world(const crn_model *model)
{
    crn_world *world = NULL;
    TREE_CHECK(crn_world_create_from(model, NULL, &world, error));
    return world;
}

/* One step that must be certified; where Coulomb's law is not reached by the solver, by the convex one. */
static inline crn_step_stats tree_step(crn_world *world, double h)
{
    crn_step_stats stats;
    TREE_CHECK(crn_world_step(world, h, &stats, error));
    TEST_CHECK(stats.outcome == CRN_LCP_SOLVED && !stats.is_relaxed, "step to %g s: outcome %d, relaxed %d", stats.time,
               (int)stats.outcome, stats.is_relaxed);
    return stats;
}

/* Arithmetic-geometric mean. */
static inline double tree_agm(double a, double b)
{
    for (int i = 0; i < 40; ++i) {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return a;
}

/* Period of a pendulum with inertia I about its axis, arm d and mass m, let go at an angle: 2 pi sqrt(I/(m g d)) / agm. */
static inline double tree_period(double inertia, double arm, double mass, double angle)
{
    return 2.0 * PHYSICS_PI * sqrt(inertia / (mass * PHYSICS_G * arm)) / tree_agm(1.0, cos(0.5 * angle));
}

/* Mean of the first whole periods of joint 0, by where coordinate - middle changes its sign from + to -. */
static inline double tree_measured_period(crn_world *world, double middle, double h, int periods)
{
    double first = NAN, last = NAN, before = tree_coordinate(world, 0) - middle;
    for (int found = 0; found <= periods;) {
        physics_step(world, h);
        double now = tree_coordinate(world, 0) - middle, time = crn_world_time(world);
        assert_true(time < 100.0);
        if (before > 0.0 && now <= 0.0) {
            last = time - h * now / (now - before);
            first = found == 0 ? last : first;
            found++;
        }
        before = now;
    }
    return (last - first) / periods;
}

#endif
