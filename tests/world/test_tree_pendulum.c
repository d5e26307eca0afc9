/* A rod on a hinge in a tree, against elliptic integrals, against the same as rows, in planar worlds; what a
 * joint carries; limits and bouncing. */
#include "tree_case.h"

static const double third = 1.0 / 3.0; /* inertia of the rod about its end */

static crn_world *pendulum_world(double angle, const crn_joint_axis *axis, bool in_tree, crn_integrator scheme)
{
    crn_model *model = tree_model(tree_down);
    crn_joint_def hinge = tree_pendulum(model, angle);
    crn_model_world(model)->integrator = scheme;
    hinge.in_tree = in_tree;
    hinge.as_rows = !in_tree;
    if (axis != NULL) {
        hinge.axis[0] = *axis;
    }
    tree_add(model, &hinge);
    return physics_world(model);
}

/* Let go at 1 rad. The error of the period is that of a leapfrog step, (w h)^2/24 of it at small angles. */
static void test_period(void **state)
{
    (void)state;
    static const double within[TREE_INTEGRATORS] = {5e-6, 5e-6, 1e-8};
    for (int scheme = 0; scheme < TREE_INTEGRATORS; ++scheme) {
        const double angle = 1.0, h = 0.001, right = tree_period(third, 0.5, 1.0, angle);
        crn_world *world = pendulum_world(angle, NULL, true, (crn_integrator)scheme);
        double period = tree_measured_period(world, angle, h, 3);
        physics_figure(crn_integrator_name((crn_integrator)scheme), "period [s]", period, right,
                       within[scheme] * right);
        crn_world_destroy(world);
    }
}

/* Inertia of a motor seen at the joint: added to that of the rod, and not moved by gravity. */
static void test_armature(void **state)
{
    (void)state;
    for (double armature = 0.1; armature < 20.0; armature *= 10.0) {
        const double angle = 0.5, h = 0.001, right = tree_period(third + armature, 0.5, 1.0, angle);
        crn_joint_axis axis = crn_joint_def_default().axis[0];
        axis.armature = armature;
        crn_world *world = pendulum_world(angle, &axis, true, CRN_INTEGRATOR_REFLECT);
        physics_figure("armature", "period [s]", tree_measured_period(world, angle, h, 2), right, 5e-6 * right);
        crn_world_destroy(world);
    }
}

/* Both converge to the same motion: of first order with hart, else of second. */
static double apart_from_rows(crn_integrator scheme, double h)
{
    crn_world *tree = pendulum_world(1.5, NULL, true, CRN_INTEGRATOR_REFLECT);
    crn_world *rows = pendulum_world(1.5, NULL, false, scheme);
    double worst = 0.0;
    for (int k = 0; k < (int)lround(1.0 / h); ++k) {
        physics_step(tree, h);
        physics_step(rows, h);
        worst = fmax(worst, fabs(tree_coordinate(tree, 0) - tree_coordinate(rows, 0)));
        worst = fmax(worst, physics_distance(physics_pose(tree, 0).position, physics_pose(rows, 0).position));
    }
    crn_world_destroy(tree);
    crn_world_destroy(rows);
    return worst;
}

static void test_rows(void **state)
{
    (void)state;
    double coarse = apart_from_rows(CRN_INTEGRATOR_HART, 0.002), fine = apart_from_rows(CRN_INTEGRATOR_HART, 0.0005);
    physics_at_most("in a tree and as rows, hart", "apart at h = 0.002 [rad]", coarse, 0.02);
    physics_at_most("in a tree and as rows, hart", "apart at h = 0.0005 [rad]", fine, 0.3 * coarse);
    coarse = apart_from_rows(CRN_INTEGRATOR_REFLECT, 0.002);
    fine = apart_from_rows(CRN_INTEGRATOR_REFLECT, 0.0005);
    physics_at_most("in a tree and as rows", "apart at h = 0.002 [rad]", coarse, 1e-4);
    physics_at_most("in a tree and as rows", "apart at h = 0.0005 [rad]", fine, 0.1 * coarse + 1e-6);
}

/* --- Planar worlds --- */

/* Two rods on hinges about z, under gravity along -y. */
static crn_world *double_pendulum(bool is_planar)
{
    crn_model *model = tree_model((crn_vec3){0.0, -PHYSICS_G, 0.0});
    crn_model_world(model)->is_planar = is_planar;
    for (int i = 0; i < 2; ++i) {
        crn_pose pose = {{i + 0.5, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};
        int rod = tree_body(model, pose, 1.0, tree_diagonal(1.0 / 1200.0, 1.0 / 12.0, 1.0 / 12.0));
        tree_join(model, CRN_JOINT_HINGE, rod - 1, rod, (crn_vec3){i, 0.0, 0.0}, tree_z);
    }
    return physics_world(model);
}

static void test_planar(void **state)
{
    (void)state;
    crn_world *plane = double_pendulum(true), *space = double_pendulum(false);
    double worst = 0.0;
    for (int k = 0; k < 500; ++k) {
        physics_step(plane, 0.002);
        physics_step(space, 0.002);
        for (int i = 0; i < 2; ++i) {
            crn_pose p = physics_pose(plane, i), q = physics_pose(space, i);
            worst = fmax(worst, physics_distance(p.position, q.position));
            assert_true(p.position.z == 0.0 && p.rotation.x == 0.0 && p.rotation.y == 0.0);
            worst = fmax(worst, fabs(tree_coordinate(plane, i) - tree_coordinate(space, i)));
        }
    }
    physics_at_most("double pendulum", "plane and space, apart", worst, 1e-10);
    crn_world_destroy(plane);
    crn_world_destroy(space);
}

/* --- What joints carry --- */

static void test_hanging_chain(void **state)
{
    (void)state;
    enum { LINKS = 3 };
    crn_model *model = tree_model(tree_down);
    for (int i = 0; i < LINKS; ++i) {
        int rod = tree_rod(model, (crn_vec3){0.0, 0.0, -i}, (crn_vec3){0.0, 0.0, -i - 1.0}, 1.0 + i);
        tree_join(model, i == 1 ? CRN_JOINT_HINGE : CRN_JOINT_BALL, rod - 1, rod, (crn_vec3){0.0, 0.0, -i}, tree_y);
    }
    crn_world *world = physics_world(model);
    physics_run(world, 0.01, 100);
    double weight = 0.0;
    for (int i = LINKS - 1; i >= 0; --i) {
        crn_vec3 force, torque;
        weight += (1.0 + i) * PHYSICS_G;
        assert_int_equal(crn_joint_force(world, crn_world_joint(world, i + 1), &force, &torque), CRN_OK);
        physics_figure("hanging chain", "force of a joint [N]", force.z, weight, 1e-9 * weight);
        physics_at_most("hanging chain", "other forces [N, N m]", fmax(hypot(force.x, force.y), crn_v3_length(torque)),
                        1e-9);
    }
    crn_world_destroy(world);
}

/* --- Limits --- */

/* A level rod falls by 0.4 rad and stays there: the limit carries its weight. */
static void check_limit(double h, crn_integrator scheme)
{
    const double angle = 0.5 * PHYSICS_PI, limit = 0.4;
    crn_joint_axis axis = crn_joint_def_default().axis[0];
    axis.lower = -limit;
    axis.upper = limit;
    crn_world *world = pendulum_world(angle, &axis, true, scheme);
    double deepest = 0.0;
    for (int k = 0; k < (int)lround(2.0 / h); ++k) {
        physics_step(world, h);
        deepest = fmax(deepest, fabs(tree_coordinate(world, 0)) - limit);
    }
    crn_vec3 force, torque;
    const char *name = crn_integrator_name(scheme);
    assert_int_equal(crn_joint_force(world, crn_world_joint(world, 1), &force, &torque), CRN_OK);
    physics_at_most(name, "past the limit [rad]", deepest, 1e-6);
    physics_figure(name, "angle at rest [rad]", fabs(tree_coordinate(world, 0)), limit, 1e-6);
    physics_at_most(name, "speed at rest [rad/s]", fabs(tree_speed(world, 0)), 1e-9);
    physics_figure(name, "torque of the limit [N m]", fabs(torque.y), 0.5 * PHYSICS_G * cos(limit), 1e-5);
    crn_world_destroy(world);
}

static void test_limits(void **state)
{
    (void)state;
    check_limit(0.001, CRN_INTEGRATOR_REFLECT);
    check_limit(0.01, CRN_INTEGRATOR_REFLECT);
    check_limit(0.001, CRN_INTEGRATOR_EULER);
}

/* A ball on a slider: a tree of one link. It falls 0.5 m and rises to e^2 of that. */
static void test_bounce(void **state)
{
    (void)state;
    const double radius = 0.1, drop = 0.5, e = 0.6, h = 0.0005;
    crn_model *model = tree_model(tree_down);
    crn_body_shape shape = crn_body_shape_default();
    crn_body_def def = crn_body_def_default();
    tree_floor(model, 0.5);
    shape.shape = (crn_shape_def){.kind = CRN_SHAPE_SPHERE, .size = {radius, 0.0, 0.0}};
    shape.restitution = e;
    def.pose.position.z = radius + drop;
    def.mass = 1.0;
    def.shape = &shape;
    def.shapes = 1;
    TREE_CHECK(crn_model_add_body(model, &def, NULL, error));
    tree_join(model, CRN_JOINT_SLIDER, -1, 1, def.pose.position, tree_z);
    crn_world *world = physics_world(model);
    double top = 0.0, lowest = drop;
    bool has_met = false;
    double fall = h * floor(sqrt(2.0 * drop / PHYSICS_G) / h), met = drop - 0.5 * PHYSICS_G * fall * fall;
    while (crn_world_time(world) < sqrt(2.0 * drop / PHYSICS_G) * (1.0 + 1.5 * e)) {
        physics_step(world, h);
        double height = physics_pose(world, 1).position.z - radius;
        lowest = fmin(lowest, height);
        has_met = has_met || tree_speed(world, 0) > 0.0;
        top = has_met ? fmax(top, height) : top;
    }
    physics_at_most("bounce", "below the floor [m]", -lowest, 1e-6);
    /* it bounces a step before the floor at most, where it is `met` above it, and is seen half a step off its top */
    physics_figure("bounce", "height after it [m]", top, met + e * e * (drop - met), PHYSICS_G * h * h / 8.0 + 1e-9);
    crn_world_destroy(world);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_period), cmocka_unit_test(test_armature),      cmocka_unit_test(test_rows),
        cmocka_unit_test(test_planar), cmocka_unit_test(test_hanging_chain), cmocka_unit_test(test_limits),
        cmocka_unit_test(test_bounce),
    };
    return TEST_RUN(tests, argc, argv);
}
