/* Trees in contact: with the ground, with free bodies, with one another; rest that is rest; sleep. */
#include "tree_case.h"

/* --- Slopes --- */

/* Two capsules in a line down a slope, which gravity makes: x points down. mu a little above the angle's tangent. */
static crn_world *jointed_capsules(crn_joint_kind kind, double mu)
{
    const double slope = PHYSICS_PI / 6.0, radius = 0.05;
    crn_model *model = tree_model((crn_vec3){PHYSICS_G * sin(slope), 0.0, -PHYSICS_G * cos(slope)});
    tree_floor(model, mu);
    tree_capsule(model, (crn_vec3){-0.4, 0.0, radius}, (crn_vec3){0.0, 0.0, radius}, radius, mu, 1.0);
    tree_capsule(model, (crn_vec3){0.0, 0.0, radius}, (crn_vec3){0.4, 0.0, radius}, radius, mu, 1.0);
    tree_join(model, kind, 1, 2, (crn_vec3){0.0, 0.0, radius}, tree_y);
    return physics_world(model);
}

static void test_slope(void **state)
{
    (void)state;
    static const double steps[2] = {0.001, 0.01};
    static const crn_joint_kind kinds[3] = {CRN_JOINT_BALL, CRN_JOINT_HINGE, CRN_JOINT_FIXED};
    double worst = 0.0;
    for (int run = 0; run < 6; ++run) {
        crn_world *world = jointed_capsules(kinds[run / 2], 1.02 * tan(PHYSICS_PI / 6.0));
        crn_pose start[2] = {physics_pose(world, 1), physics_pose(world, 2)};
        double moved = 0.0;
        for (int k = 0; k < (int)lround(4.0 / steps[run % 2]); ++k) {
            physics_step(world, steps[run % 2]);
            for (int i = 0; i < 2; ++i) {
                moved = fmax(moved, physics_distance(physics_pose(world, i + 1).position, start[i].position));
            }
        }
        print_message("slope, mu 1.02 tan 30, %s joint, h = %g: moved in 4 s %.3g m\n",
                      crn_joint_kind_name(kinds[run / 2]), steps[run % 2], moved);
        worst = fmax(worst, moved);
        crn_world_destroy(world);
    }
    physics_at_most("slope, mu 1.02 tan 30", "moved in 4 s [m]", worst, 1e-15);
}

/* Below the angle of friction they slide: a = g (sin - mu cos). */
static void test_slide(void **state)
{
    (void)state;
    const double mu = 0.5 * tan(PHYSICS_PI / 6.0), h = 0.001, time = 0.5;
    crn_world *world = jointed_capsules(CRN_JOINT_BALL, mu);
    physics_run(world, h, (int)lround(time / h));
    double right = PHYSICS_G * (sin(PHYSICS_PI / 6.0) - mu * cos(PHYSICS_PI / 6.0)) * time;
    physics_figure("slope, half of that mu", "speed [m/s]", physics_velocity(world, 1).linear.x, right, 1e-6 * right);
    crn_world_destroy(world);
}

/* --- Free bodies on trees --- */

/* A tray on a hinge at one end, which a limit holds level, and a box on it. */
static void test_box_on_link(void **state)
{
    (void)state;
    for (double h = 0.001; h < 0.02; h *= 10.0) {
        crn_model *model = tree_model(tree_down);
        int tray = tree_shape(model, CRN_BODY_FREE, CRN_SHAPE_BOX, (crn_vec3){0.5, 0.3, 0.02},
                              (crn_vec3){0.5, 0.0, -0.02}, 0.5, 2.0);
        int box = tree_shape(model, CRN_BODY_FREE, CRN_SHAPE_BOX, (crn_vec3){0.1, 0.1, 0.1}, (crn_vec3){0.6, 0.0, 0.1},
                             0.5, 3.0);
        crn_joint_def hinge = tree_joint(model, CRN_JOINT_HINGE, -1, tray, (crn_vec3){0.0, 0.0, -0.02}, tree_y);
        hinge.axis[0].lower = -0.5;
        hinge.axis[0].upper = 0.0;
        tree_add(model, &hinge);
        crn_world *world = physics_world(model);
        physics_run(world, h, (int)lround(2.0 / h));
        crn_vec3 force, torque, hold;
        assert_int_equal(crn_body_contact_force(world, crn_world_body(world, box + 1), &force, NULL), CRN_OK);
        physics_figure("box on a tray", "force on the box [N]", force.z, 3.0 * PHYSICS_G, 1e-6);
        assert_int_equal(crn_joint_force(world, crn_world_joint(world, 1), &hold, &torque), CRN_OK);
        physics_figure("box on a tray", "force of the hinge [N]", hold.z, 5.0 * PHYSICS_G, 1e-6);
        double lever = (2.0 * 0.5 + 3.0 * 0.6) * PHYSICS_G;
        physics_figure("box on a tray", "torque of the limit [N m]", fabs(torque.y), lever, 1e-5);
        physics_at_most("box on a tray", "moved [m]",
                        physics_distance(physics_pose(world, box).position, (crn_vec3){0.6, 0.0, 0.1}), 1e-6);
        physics_at_most("box on a tray", "speed [m/s]", crn_v3_length(physics_velocity(world, box).linear), 1e-9);
        crn_world_destroy(world);
    }
}

/* An arm that is driven sweeps a ball away, and does not notice. */
static void test_driven_arm_pushes(void **state)
{
    (void)state;
    crn_model *model = tree_model(tree_down);
    tree_floor(model, 0.3);
    int arm = tree_capsule(model, (crn_vec3){0.0, 0.0, 0.1}, (crn_vec3){1.0, 0.0, 0.1}, 0.05, 0.3, 1.0);
    int ball = tree_shape(model, CRN_BODY_FREE, CRN_SHAPE_SPHERE, (crn_vec3){0.1, 0.0, 0.0}, (crn_vec3){0.7, 0.3, 0.1},
                          0.3, 1000.0);
    crn_joint_def hinge = tree_joint(model, CRN_JOINT_HINGE, -1, arm, (crn_vec3){0.0, 0.0, 0.1}, tree_z);
    hinge.axis[0].has_motor = true;
    hinge.axis[0].speed.value = 1.0;
    tree_add(model, &hinge);
    crn_world *world = physics_world(model);
    double deepest = 0.0;
    for (int k = 0; k < 600; ++k) {
        tree_step(world, 0.002);
        deepest = fmax(deepest, physics_overlap(world));
    }
    physics_figure("driven arm", "angle [rad]", tree_coordinate(world, 0), 1.2, 1e-11);
    physics_at_most("driven arm", "overlap [m]", deepest, 1e-5);
    crn_vec3 at = physics_pose(world, ball).position;
    assert_true(atan2(at.y, at.x) > 1.2);
    crn_world_destroy(world);
}

/* --- Trees on trees --- */

/* An arm that falls across another one, which a limit keeps from sinking. */
static void test_tree_on_tree(void **state)
{
    (void)state;
    for (double h = 0.001; h < 0.02; h *= 10.0) {
        const double radius = 0.03;
        crn_model *model = tree_model(tree_down);
        crn_vec3 pivot = {0.5, -0.3, 0.1};
        int lower = tree_capsule(model, tree_nothing, (crn_vec3){0.8, 0.0, 0.0}, radius, 0.4, 1.0);
        int upper = tree_capsule(model, pivot, (crn_vec3){0.5, 0.3, 0.5}, radius, 0.4, 1.0);
        crn_joint_def hinge = tree_joint(model, CRN_JOINT_HINGE, -1, lower, tree_nothing, tree_y);
        hinge.axis[0].lower = -1.0;
        hinge.axis[0].upper = 0.0;
        tree_add(model, &hinge);
        tree_join(model, CRN_JOINT_HINGE, -1, upper, pivot, tree_x);
        crn_world *world = physics_world(model);
        double deepest = 0.0, highest = -INFINITY, start = 0.3 * PHYSICS_G;
        crn_step_stats stats = {0};
        for (int k = 0; k < (int)lround(4.0 / h); ++k) {
            stats = tree_step(world, h);
            deepest = fmax(deepest, physics_overlap(world));
            highest = fmax(highest, stats.kinetic + stats.potential - start);
        }
        assert_true(stats.active > 0);
        physics_at_most("arm across an arm", "overlap [m]", deepest, 1e-6);
        physics_at_most("arm across an arm", "energy above the start [J]", highest, 1e-6);
        physics_at_most("arm across an arm", "energy left [J]", stats.kinetic, 1e-12);
        /* it leans on the other at a distance of two radii from its axis: in the plane across, sin(lean + a) d = 2 r */
        double d = hypot(0.3, 0.1), a = atan2(0.1, 0.3), lean = asin(2.0 * radius / d) - a;
        double begun = atan2(0.4, 0.6);
        physics_figure("arm across an arm", "turned by [rad]", -tree_coordinate(world, 1), begun - lean, 1e-6);
        crn_world_destroy(world);
    }
}

/* A chain falls on the floor in a heap: links touch the floor and one another. */
static void test_heap(void **state)
{
    (void)state;
    enum { LINKS = 8 };
    for (double h = 0.001; h < 0.02; h *= 10.0) {
        crn_model *model = tree_model(tree_down);
        const double radius = 0.03;
        for (int i = 0; i < LINKS; ++i) {
            crn_vec3 p = {0.02 * (i % 2), 0.01 * i, 0.2 + 0.15 * i},
                     q = {0.02 * ((i + 1) % 2), 0.01 * (i + 1), 0.35 + 0.15 * i};
            int rod = tree_capsule(model, p, q, radius, 0.4, 0.2);
            if (i > 0) {
                tree_join(model, CRN_JOINT_BALL, rod - 1, rod, p, tree_z);
            }
        }
        tree_floor(model, 0.4);
        crn_world *world = tree_world(model);
        double deepest = 0.0, open = 0.0, highest = -INFINITY, start = NAN;
        crn_step_stats stats = {0};
        for (int k = 0; k < (int)lround(3.0 / h); ++k) {
            stats = tree_step(world, h);
            start = k == 0 ? stats.kinetic + stats.potential : start;
            highest = fmax(highest, stats.kinetic + stats.potential - start);
            deepest = fmax(deepest, physics_overlap(world));
            for (int i = 0; i < LINKS - 1; ++i) {
                open = fmax(open, tree_opening(world, model, i));
            }
        }
        physics_at_most("heap", "overlap [m]", deepest, 1e-6);
        physics_at_most("heap", "joints, open by [m]", open, 1e-14);
        physics_at_most("heap", "energy above the start [J]", highest, 1e-6);
        crn_vec3 sum = tree_nothing, force;
        assert_int_equal(crn_body_contact_force(world, crn_world_body(world, LINKS + 1), &force, NULL), CRN_OK);
        sum = crn_v3_add(sum, force);
        print_message("heap: force on the floor %.6g N, weight %.6g N, speed left %.3g J\n", -sum.z,
                      LINKS * 0.2 * PHYSICS_G, stats.kinetic);
        crn_world_destroy(world);
        crn_model_destroy(model);
    }
}

/* --- Sleep --- */

static void test_sleep(void **state)
{
    (void)state;
    const double radius = 0.05;
    crn_model *model = tree_model(tree_down);
    crn_model_world(model)->sleep_time = 0.2;
    tree_floor(model, 0.5);
    tree_capsule(model, (crn_vec3){-0.4, 0.0, radius}, (crn_vec3){0.0, 0.0, radius}, radius, 0.5, 1.0);
    tree_capsule(model, (crn_vec3){0.0, 0.0, radius}, (crn_vec3){0.4, 0.0, radius}, radius, 0.5, 1.0);
    tree_join(model, CRN_JOINT_BALL, 1, 2, (crn_vec3){0.0, 0.0, radius}, tree_z);
    int ball = tree_shape(model, CRN_BODY_FREE, CRN_SHAPE_SPHERE, (crn_vec3){0.1, 0.0, 0.0}, (crn_vec3){0.2, 0.03, 5.0},
                          0.5, 1.0);
    crn_world *world = physics_world(model);
    bool slept = false, woke = false;
    for (int k = 0; k < 150; ++k) {
        crn_step_stats stats = physics_step(world, 0.01);
        slept = slept || stats.bodies == 1; /* the ball alone */
        woke = woke || (slept && stats.bodies == 3);
    }
    assert_true(slept);
    assert_true(woke);
    assert_true(physics_pose(world, ball).position.z < 1.0);
    crn_world_destroy(world);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slope),        cmocka_unit_test(test_slide),
        cmocka_unit_test(test_box_on_link),  cmocka_unit_test(test_driven_arm_pushes),
        cmocka_unit_test(test_tree_on_tree), cmocka_unit_test(test_heap),
        cmocka_unit_test(test_sleep),
    };
    return TEST_RUN(tests, argc, argv);
}
