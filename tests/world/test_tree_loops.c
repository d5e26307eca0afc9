/* Loops: trees that are closed by joints outside of trees. Four bars of gallery/world_linkages.c, whose pins are known by
 * crossing circles, and strings that are held at both ends; a loop said twice changes nothing. */
#include "tree_case.h"

/* A copy of a model with some joints in trees; the last joint once more if is_doubled. */
static crn_model *with_trees(crn_model *from, const bool *in_tree, bool is_doubled)
{
    crn_model *model = physics_model();
    *crn_model_world(model) = *crn_model_world_of(from);
    for (int i = 0; i < crn_model_bodies(from); ++i) {
        TREE_CHECK(crn_model_add_body(model, crn_model_body(from, i), NULL, error));
    }
    int joints = crn_model_joints(from);
    for (int i = 0; i < joints + is_doubled; ++i) {
        crn_joint_def def = *crn_model_joint(from, i < joints ? i : joints - 1);
        def.in_tree = i < joints && in_tree[i];
        def.name = NULL;
        tree_add(model, &def);
    }
    crn_model_destroy(from);
    return model;
}

static const bool four_bar_tree[4] = {true, true, true, false};

static crn_model *four_bar(bool is_planar, bool is_doubled)
{
    crn_model *model;
    PHYSICS_FILL(model, crn_gallery_four_bar_of(model, is_planar, &error));
    return with_trees(model, four_bar_tree, is_doubled);
}

static double joint_error(const crn_world *world, int joint)
{
    double distance, angle;
    assert_int_equal(crn_joint_error(world, crn_world_joint(world, joint + 1), &distance, &angle), CRN_OK);
    return fmax(distance, angle);
}

/* The rocker's angle, by its own joint, against crossing circles. */
static double rocker_error(const crn_world *world)
{
    crn_gallery_four_bar start = crn_gallery_four_bar_at(0.5 * PHYSICS_PI);
    crn_gallery_four_bar now = crn_gallery_four_bar_at(0.5 * PHYSICS_PI + tree_coordinate(world, 0));
    double turned =
        atan2(now.rocker.y, now.rocker.x - now.base.x) - atan2(start.rocker.y, start.rocker.x - start.base.x);
    return fabs(remainder(turned - tree_coordinate(world, 3), 2.0 * PHYSICS_PI));
}

/* At rest, gravity along -y. */
static double start_energy(const crn_world *world, int bodies)
{
    double sum = 0.0, mass;
    for (int i = 0; i < bodies; ++i) {
        assert_int_equal(crn_body_mass(world, crn_world_body(world, i + 1), &mass, NULL, NULL), CRN_OK);
        sum += mass * PHYSICS_G * physics_pose(world, i).position.y;
    }
    return sum;
}

static void check_four_bar(const char *scene, bool is_planar, double h)
{
    crn_model *model = four_bar(is_planar, false);
    crn_world *world = tree_world(model);
    double loop = 0.0, open = 0.0, rocker = 0.0, highest = -INFINITY, start = start_energy(world, 3);
    for (int k = 0; k < (int)lround(10.0 / h); ++k) {
        crn_step_stats stats = physics_step(world, h);
        highest = fmax(highest, stats.kinetic + stats.potential - start);
        loop = fmax(loop, joint_error(world, 3));
        rocker = fmax(rocker, rocker_error(world));
        for (int i = 0; i < 3; ++i) {
            open = fmax(open, tree_opening(world, model, i));
        }
    }
    physics_at_most(scene, "joints of the tree, open by", open, 1e-14);
    physics_at_most(scene, "loop, open by [m, rad]", loop, 1e-6);
    physics_at_most(scene, "rocker, off by [rad]", rocker, 1e-5);
    physics_at_most(scene, "energy above the start [J]", highest,
                    40.0 * 1e-7); /* weight times the repair's tolerance */
    crn_world_destroy(world);
    crn_model_destroy(model);
}

static void test_four_bar(void **state)
{
    (void)state;
    check_four_bar("four bars, 1 ms", false, 0.001);
    check_four_bar("four bars, 10 ms", false, 0.01);
    check_four_bar("four bars, planar, 10 ms", true, 0.01);
}

/* A motor that is as strong as it takes turns the crank: it arrives, loop or not. */
static void test_driven_crank(void **state)
{
    (void)state;
    crn_model *model;
    PHYSICS_FILL(model, crn_gallery_four_bar_of(model, false, &error));
    crn_model *driven = physics_model();
    *crn_model_world(driven) = *crn_model_world_of(model);
    for (int i = 0; i < crn_model_bodies(model); ++i) {
        TREE_CHECK(crn_model_add_body(driven, crn_model_body(model, i), NULL, error));
    }
    for (int i = 0; i < 4; ++i) {
        crn_joint_def def = *crn_model_joint(model, i);
        def.in_tree = four_bar_tree[i];
        def.axis[0].has_motor = i == 0;
        def.axis[0].speed.value = i == 0 ? 4.0 : 0.0;
        tree_add(driven, &def);
    }
    crn_model_destroy(model);
    crn_world *world = physics_world(driven);
    double loop = 0.0, rocker = 0.0;
    for (int k = 0; k < 1000; ++k) {
        physics_step(world, 0.005);
        loop = fmax(loop, joint_error(world, 3));
        rocker = fmax(rocker, rocker_error(world));
    }
    physics_figure("driven crank", "angle [rad]", tree_coordinate(world, 0), 20.0, 1e-9);
    physics_at_most("driven crank", "loop, open by [m, rad]", loop, 1e-6);
    physics_at_most("driven crank", "rocker, off by [rad]", rocker, 1e-5);
    crn_world_destroy(world);
}

/* --- Redundant loops --- */

static double apart(const crn_world *a, const crn_world *b, int bodies)
{
    double worst = 0.0;
    for (int i = 0; i < bodies; ++i) {
        worst = fmax(worst, physics_distance(physics_pose(a, i).position, physics_pose(b, i).position));
    }
    return worst;
}

static void test_doubled(void **state)
{
    (void)state;
    crn_world *once = physics_world(four_bar(false, false)), *twice = physics_world(four_bar(false, true));
    double worst = 0.0;
    for (int k = 0; k < 200; ++k) {
        physics_step(once, 0.01);
        physics_step(twice, 0.01);
        worst = fmax(worst, apart(once, twice, 3));
    }
    physics_at_most("four bars, the loop said twice", "apart [m]", worst, 1e-7);
    crn_world_destroy(once);
    crn_world_destroy(twice);
}

/* A slack string, zigzag to begin with, whose far end is held by a ball joint that is said `times` times. */
enum { LINKS = 12 };

static crn_model *slack_string(int times)
{
    crn_model *model = tree_model(tree_down);
    const double length = 0.1, side = length * sin(0.25 * PHYSICS_PI);
    for (int i = 0; i < LINKS; ++i) {
        crn_vec3 p = {i * side, 0.0, i % 2 * -side}, q = {(i + 1) * side, 0.0, (i + 1) % 2 * -side};
        int rod = tree_rod(model, p, q, 0.1);
        crn_joint_def ball = tree_joint(model, CRN_JOINT_BALL, rod - 1, rod, p, tree_z);
        ball.axis[0].damping = 2e-2;
        tree_add(model, &ball);
    }
    crn_vec3 there = {LINKS * side, 0.0, 0.0};
    crn_joint_def end = tree_joint(model, CRN_JOINT_BALL, -1, LINKS - 1, there, tree_z);
    end.in_tree = false;
    for (int i = 0; i < times; ++i) {
        tree_add(model, &end);
    }
    return model;
}

static void test_doubled_string(void **state)
{
    (void)state;
    crn_world *once = physics_world(slack_string(1)), *thrice = physics_world(slack_string(3));
    double worst = 0.0;
    for (int k = 0; k < 100; ++k) {
        physics_step(once, 0.01);
        physics_step(thrice, 0.01);
        worst = fmax(worst, apart(once, thrice, LINKS));
    }
    physics_at_most("slack string, the loop said thrice", "apart [m]", worst, 1e-7);
    crn_world_destroy(once);
    crn_world_destroy(thrice);
}

/* At rest both halves are alike, and what holds the ends is the weight. */
static void test_string_at_rest(void **state)
{
    (void)state;
    crn_world *world = physics_world(slack_string(2));
    double loop = 0.0, highest = -INFINITY, start = NAN;
    for (int k = 0; k < 2000; ++k) {
        crn_step_stats stats = physics_step(world, 0.01);
        start = k == 0 ? stats.kinetic + stats.potential : start;
        highest = fmax(highest, stats.kinetic + stats.potential - start);
        loop = fmax(loop, joint_error(world, LINKS));
    }
    physics_at_most("slack string", "loop, open by [m]", loop, 1e-6);
    physics_at_most("slack string", "energy above the start [J]", highest, 1e-6);
    for (int i = 0; i < LINKS / 2; ++i) {
        double left = physics_pose(world, i).position.z, right = physics_pose(world, LINKS - 1 - i).position.z;
        physics_figure("slack string", "height of a link and its twin [m]", left, right, 1e-4);
    }
    crn_vec3 near_end, far_end, other_end, torque;
    assert_int_equal(crn_joint_force(world, crn_world_joint(world, 1), &near_end, &torque), CRN_OK);
    assert_int_equal(crn_joint_force(world, crn_world_joint(world, LINKS + 1), &far_end, &torque), CRN_OK);
    assert_int_equal(crn_joint_force(world, crn_world_joint(world, LINKS + 2), &other_end, &torque), CRN_OK);
    double weight = LINKS * 0.1 * PHYSICS_G;
    physics_figure("slack string", "near end carries [N]", near_end.z, 0.5 * weight, 1e-3 * weight);
    physics_figure("slack string", "far ends carry [N]", far_end.z + other_end.z, 0.5 * weight, 1e-3 * weight);
    physics_figure("slack string", "ends pull [N]", near_end.x, -far_end.x - other_end.x, 1e-3 * weight);
    crn_world_destroy(world);
}

/* Two sliders that motors lead, and a third between them with friction and a limit: there is nothing to solve for. */
static void test_led_by_all_joints(void **state)
{
    (void)state;
    const double speed = 0.3, h = 0.01;
    crn_model *model = tree_model(tree_down);
    int body[2];
    for (int i = 0; i < 3; ++i) {
        crn_joint_def joint = crn_joint_def_default();
        joint.kind = CRN_JOINT_SLIDER;
        joint.frame_a.position.x = i < 2 ? i : 1.0;
        if (i < 2) {
            joint.b = body[i] = tree_body(model, joint.frame_a, 1.0 + i, tree_diagonal(0.1, 0.1, 0.1));
            joint.in_tree = joint.axis[0].has_motor = true;
            joint.axis[0].speed.value = speed;
            joint.axis[0].max_force = INFINITY;
        } else {
            joint.a = body[0];
            joint.b = body[1];
            joint.axis[0].friction = 2.0;
            joint.axis[0].lower = 0.0;
        }
        tree_add(model, &joint);
    }
    crn_world *world = physics_world(model);
    physics_run(world, h, 100);
    physics_figure("led by all joints", "way of the first [m]", tree_coordinate(world, 0), speed, 1e-12);
    physics_figure("led by all joints", "way of the second [m]", tree_coordinate(world, 1), speed, 1e-12);
    crn_world_destroy(world);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_led_by_all_joints), cmocka_unit_test(test_four_bar),
        cmocka_unit_test(test_driven_crank),      cmocka_unit_test(test_doubled),
        cmocka_unit_test(test_doubled_string),    cmocka_unit_test(test_string_at_rest),
    };
    return TEST_RUN(tests, argc, argv);
}
