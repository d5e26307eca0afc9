/* Tendons: what their limits hold, their springs, dampers, friction and actuators do, against what is known of one weight on a string,
 * and that they change nothing of energy, momentum and snapshots that they should not. */
#include "tree_case.h"

#include <string.h>

/* Two sliders along z, 1 and 2 kg, and a site at the end of each; one string. */
static crn_model *two_sliders(const crn_tendon_def *string, const crn_actuator_def *actuator)
{
    crn_model *model = tree_model(crn_v3(0, 0, -PHYSICS_G));
    crn_tendon_part part[4] = {crn_tendon_part_default(), crn_tendon_part_default(), crn_tendon_part_default(),
                               crn_tendon_part_default()};
    for (int i = 0; i < 2; ++i) {
        crn_pose pose = crn_pose_identity();
        pose.position.x = i;
        int body = tree_body(model, pose, 1.0 + i, tree_diagonal(0.1, 0.1, 0.1));
        crn_joint_def joint = crn_joint_def_default();
        joint.kind = CRN_JOINT_SLIDER;
        joint.b = body;
        joint.in_tree = true;
        joint.frame_a = pose;
        tree_add(model, &joint);
        crn_site_def on = crn_site_def_default(), above = crn_site_def_default();
        on.body = body;
        above.pose.position = crn_v3(i, 0, 3);
        TREE_CHECK(crn_model_add_site(model, &on, &part[i == 0 ? 0 : 3].site, error));
        TREE_CHECK(crn_model_add_site(model, &above, &part[i == 0 ? 1 : 2].site, error));
    }
    crn_tendon_def def = *string;
    for (int i = 0; i < 4; ++i) {
        part[i].kind = CRN_TENDON_SITE;
    }
    def.part = part;
    def.parts = 4;
    TREE_CHECK(crn_model_add_tendon(model, &def, NULL, error));
    if (actuator != NULL) {
        TREE_CHECK(crn_model_add_actuator(model, actuator, NULL, error));
    }
    return model;
}

static double length_of(const crn_world *world)
{
    double length;
    assert_int_equal(crn_tendon_length(world, 0, &length, NULL), CRN_OK);
    return length;
}

/* Atwood's machine: the string is taut at 7 m, a = g (m2 - m1)/(m1 + m2) = g/3. */
static void test_limit(void **state)
{
    (void)state;
    crn_tendon_def def = crn_tendon_def_default();
    def.lower = 0.0;
    def.upper = 7.0;
    crn_world *world = physics_world(two_sliders(&def, NULL));
    physics_figure("string", "length [m]", length_of(world), 7.0, 1e-12);
    physics_run(world, 0.001, 500);
    physics_figure("string", "length after 0.5 s [m]", length_of(world), 7.0, 1e-7);
    physics_figure("string", "way of the lighter one [m]", tree_coordinate(world, 0), 0.5 * PHYSICS_G / 3.0 * 0.25,
                   1e-9);
    crn_world_destroy(world);
}

/* Both fall, and the string gets longer: each slider feels its friction upwards. */
static void test_friction(void **state)
{
    (void)state;
    crn_tendon_def def = crn_tendon_def_default();
    def.friction = 2.0;
    crn_world *world = physics_world(two_sliders(&def, NULL));
    physics_run(world, 0.001, 200);
    physics_figure("friction of a string", "way of 1 kg [m]", tree_coordinate(world, 0), 0.5 * (2.0 - PHYSICS_G) * 0.04,
                   1e-9);
    physics_figure("friction of a string", "way of 2 kg [m]", tree_coordinate(world, 1), 0.5 * (1.0 - PHYSICS_G) * 0.04,
                   1e-9);
    crn_world_destroy(world);
}

/* With k along the string and no gravity along it: the length swings at w = sqrt(k (1/m1 + 1/m2)). */
static double swing_error(double h)
{
    crn_tendon_def def = crn_tendon_def_default();
    def.stiffness = 50.0;
    def.rest_lower = def.rest_upper = 6.9;
    crn_model *model = two_sliders(&def, NULL);
    crn_model_world(model)->gravity = crn_v3(0, 0, 0);
    crn_world *world = physics_world(model);
    physics_run(world, h, (int)lround(1.0 / h));
    double error = fabs(length_of(world) - 6.9 - 0.1 * cos(sqrt(50.0 * 1.5)));
    crn_world_destroy(world);
    return error;
}

static void test_spring(void **state)
{
    (void)state;
    double coarse = swing_error(0.004), fine = swing_error(0.001);
    physics_at_most("spring of a string", "length at h = 0.004, off by [m]", coarse, 2e-4);
    physics_at_most("spring of a string", "length at h = 0.001, off by [m]", fine, coarse / 14.0);
}

/* As stiff as you like, several in parallel too: they come to rest where weights and springs are in balance. */
static void test_stiff(void **state)
{
    (void)state;
    for (double stiffness = 1e3; stiffness < 1e11; stiffness *= 100.0) {
        crn_tendon_def def = crn_tendon_def_default();
        def.stiffness = stiffness;
        def.damping = 1e-2 * stiffness;
        crn_model *model = two_sliders(&def, NULL);
        for (int i = 0; i < 3; ++i) {
            crn_tendon_def twin = *crn_model_tendon(model, 0);
            TREE_CHECK(crn_model_add_tendon(model, &twin, NULL, error));
        }
        crn_world *world = physics_world(model);
        double farthest = 0.0, sag = 4.0 * PHYSICS_G / 3.0 / (4.0 * stiffness); /* tension 2 m1 m2 g/(m1 + m2) */
        for (int k = 0; k < 100; ++k) {
            physics_step(world, 0.005);
            farthest = fmax(farthest, fabs(length_of(world) - 7.0));
        }
        physics_at_most("stiff strings", "longest [sags]", farthest / sag, 2.01);
        physics_figure("stiff strings", "length at the end [sags]", (length_of(world) - 7.0) / sag, 1.0, 0.1);
        crn_world_destroy(world);
    }
}

/* A motor along it lifts both alike; a servo brings the length where its control says. */
static void test_actuators(void **state)
{
    (void)state;
    crn_tendon_def def = crn_tendon_def_default();
    crn_actuator_def motor = crn_actuator_def_default();
    motor.tendon = 0;
    motor.control = -12.0;
    crn_world *world = physics_world(two_sliders(&def, &motor));
    physics_run(world, 0.001, 100);
    physics_figure("motor of a string", "way of 1 kg [m]", tree_coordinate(world, 0), 0.005 * (12.0 - PHYSICS_G),
                   1e-12);
    physics_figure("motor of a string", "way of 2 kg [m]", tree_coordinate(world, 1), 0.005 * (6.0 - PHYSICS_G), 1e-12);
    crn_world_destroy(world);
    def.stiffness = 1e6;
    def.damping = 1e4;
    motor.moves_target = true;
    motor.gain = 1e6;
    motor.control = -0.5; /* of a target at the start, 7 m */
    world = physics_world(two_sliders(&def, &motor));
    physics_run(world, 0.001, 300);
    physics_figure("servo of a string", "length [m]", length_of(world), 6.5 + 4.0 * PHYSICS_G / 3.0 / 1e6, 1e-6);
    crn_world_destroy(world);
}

/* A ball joint whose turn a tendon limits: a rod that falls from upright hangs at 0.7 rad, and swings on a cone about z without
 * leaving it. */
static void test_ball(void **state)
{
    (void)state;
    crn_model *model = tree_model(crn_v3(0, 0, -PHYSICS_G));
    int rod = tree_rod(model, crn_v3(0, 0, 0), crn_v3(0, 0, 1), 1.0);
    crn_tendon_part part = crn_tendon_part_default();
    part.joint = tree_join(model, CRN_JOINT_BALL, -1, rod, crn_v3(0, 0, 0), tree_z);
    crn_tendon_def def = crn_tendon_def_default();
    def.part = &part;
    def.parts = 1;
    def.lower = -1.0;
    def.upper = 0.7;
    TREE_CHECK(crn_model_add_tendon(model, &def, NULL, error));
    crn_world *world = physics_world(model);
    double push[3] = {0.3, 0.1, 0.0}, most = 0.0;
    assert_int_equal(crn_joint_set_velocity(world, crn_world_joint(world, 1), push), CRN_OK);
    for (int k = 0; k < 2000; ++k) {
        physics_step(world, 0.001);
        most = fmax(most, length_of(world));
    }
    physics_figure("limited ball joint", "largest angle [rad]", most, 0.7, 1e-6);
    physics_figure("limited ball joint", "angle at the end [rad]", length_of(world), 0.7, 1e-6);
    crn_world_destroy(world);
}

/* A snapshot goes on to the same bits; what is placed by it has nothing else. */
static void test_snapshot(void **state)
{
    (void)state;
    crn_tendon_def def = crn_tendon_def_default();
    def.stiffness = 100.0;
    def.damping = 1.0;
    def.lower = 0.0;
    def.upper = 7.01;
    crn_world *world = physics_world(two_sliders(&def, NULL));
    unsigned char bytes[20000];
    physics_run(world, 0.002, 50);
    assert_true(crn_world_snapshot_size(world) <= sizeof bytes);
    assert_int_equal(crn_world_save(world, bytes, sizeof bytes, NULL), CRN_OK);
    physics_run(world, 0.002, 50);
    uint64_t there = crn_world_hash(world);
    assert_int_equal(crn_world_restore(world, bytes, sizeof bytes, NULL), CRN_OK);
    physics_run(world, 0.002, 50);
    assert_true(crn_world_hash(world) == there);
    crn_world_destroy(world);
}

/* It is gone with a body that it passes; wrong parts are told. */
static void test_life(void **state)
{
    (void)state;
    crn_tendon_def def = crn_tendon_def_default();
    crn_tendon_part part = crn_tendon_part_default();
    crn_error reason;
    int index;
    crn_model *model = two_sliders(&def, NULL);
    crn_world *world = NULL;
    TREE_CHECK(crn_world_create_from(model, NULL, &world, error));
    def.part = &part;
    def.parts = 1;
    assert_int_equal(crn_tendon_create(world, &def, &index, &reason), CRN_ERR_ARGUMENT);
    assert_string_equal(reason.text, "tendon.parts[0]: the world has no such body, joint or site");
    part.kind = CRN_TENDON_SITE;
    assert_int_equal(crn_tendon_create(world, &def, &index, &reason), CRN_ERR_ARGUMENT);
    assert_string_equal(reason.text, "tendon.parts: a path must have two sites; it has 1 before part 1");
    part.kind = CRN_TENDON_JOINT;
    part.joint = 9;
    assert_int_equal(crn_model_add_tendon(model, &def, NULL, &reason), CRN_ERR_ARGUMENT);
    assert_string_equal(reason.text, "tendons[1].parts[0].joint: 9 is no joint in a tree that has a coordinate 0");
    part.joint = 1;
    assert_int_equal(crn_tendon_create(world, &def, &index, &reason), CRN_OK);
    assert_int_equal(index, 1);
    assert_int_equal(crn_body_destroy(world, crn_world_body(world, 2), &reason), CRN_OK);
    assert_int_equal(crn_tendon_length(world, 0, NULL, NULL), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_tendon_length(world, 1, NULL, NULL), CRN_ERR_ARGUMENT);
    physics_step(world, 0.001);
    crn_world_destroy(world);
    crn_model_destroy(model);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_limit), cmocka_unit_test(test_friction),  cmocka_unit_test(test_spring),
        cmocka_unit_test(test_stiff), cmocka_unit_test(test_actuators), cmocka_unit_test(test_snapshot),
        cmocka_unit_test(test_life),  cmocka_unit_test(test_ball),
    };
    return TEST_RUN(tests, argc, argv);
}
