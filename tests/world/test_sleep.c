/* Sleeping: what must wake a group, and what must not keep it from sleeping. */
#include "joint_scene.h"

static const double h = 0.01;

static crn_world *sleepy_world(void)
{
    crn_world_def def = crn_world_def_default();
    def.sleep_time = 0.2;
    return new_world(&def);
}

/* A fixed table, 2 m wide, its top at z = 0. */
static crn_body_id add_table(crn_world *world)
{
    return add_shape(world, CRN_BODY_FIXED, CRN_SHAPE_BOX, (crn_vec3){1, 1, 0.1}, (crn_vec3){0, 0, -0.1}, 0.0);
}

static void check_asleep(crn_world *world)
{
    assert_int_equal(step_for(world, h, 0.5).bodies, 0);
}

static void sweep(void *user, double time, crn_pose *pose)
{
    (void)user;
    *pose = (crn_pose){{-0.6 + (time > 1.0 ? time - 1.0 : 0.0), 0, 0.1}, {1, 0, 0, 0}};
}

/* Still things do not look for each other; a driven body that starts to move is not still. */
static void test_a_driven_body_wakes(void **state)
{
    (void)state;
    crn_world *world = sleepy_world();
    add_table(world);
    crn_body_id box = add_box(world, 0.1, (crn_vec3){0, 0, 0.1}, 1.0);
    crn_body_id pusher =
        add_shape(world, CRN_BODY_DRIVEN, CRN_SHAPE_BOX, (crn_vec3){0.05, 0.05, 0.05}, (crn_vec3){-0.6, 0, 0.1}, 0.0);
    assert_int_equal(crn_body_set_motion(world, pusher, sweep, NULL), CRN_OK);
    check_asleep(world);
    step_for(world, h, 1.3); /* the pusher has gone 0.8 m; the box was 0.45 m before it */
    CHECK_NEAR(position_of(world, box).x, 0.2 + 0.15, 1e-3);
    crn_world_destroy(world);
}

static void test_a_driven_body_wakes_by_joints(void **state)
{
    (void)state;
    crn_world *world = sleepy_world();
    crn_body_def hand = crn_body_def_default();
    hand.kind = CRN_BODY_DRIVEN;
    hand.pose.position = crn_v3(-0.6, 0, 0.1);
    crn_body_id driven = add_body(world, &hand);
    assert_int_equal(crn_body_set_motion(world, driven, sweep, NULL), CRN_OK);
    crn_body_id ball = add_sphere(world, 0.1, (crn_vec3){-0.6, 0, -0.4}, 1.0);
    crn_joint_def joint = joint_at(world, CRN_JOINT_BALL, driven, ball, (crn_pose){{-0.6, 0, 0.1}, {1, 0, 0, 0}});
    add_joint(world, &joint, driven, ball);
    check_asleep(world);
    step_for(world, h, 2.5);
    TEST_CHECK(position_of(world, ball).x > 0.5, "the hand went 2 m, the ball stayed at %g",
               position_of(world, ball).x);
    assert_true(worst_error(world) < 2e-9);
    crn_world_destroy(world);
}

static void test_a_motor_starts_later(void **state)
{
    (void)state;
    crn_world *world = sleepy_world();
    crn_body_id ball = add_sphere(world, 0.1, (crn_vec3){0, 0, 0}, 1.0);
    crn_joint_def joint = crn_joint_def_default();
    const double times[3] = {0.0, 1.0, 1.5}, speeds[3] = {0.0, 0.0, 2.0};
    joint.kind = CRN_JOINT_HINGE;
    joint.axis[0].has_motor = true;
    joint.axis[0].speed = (crn_profile){.times = times, .values = speeds, .count = 3};
    crn_joint_id id = add_joint(world, &joint, nobody, ball);
    step_for(world, h, 2.0);
    CHECK_NEAR(speed_of(world, id, 0), 2.0, 1e-9);
    crn_joint_axis brake = joint.axis[0];
    brake.speed = (crn_profile){0};
    assert_int_equal(crn_joint_set_axis(world, id, 0, &brake, NULL), CRN_OK);
    check_asleep(world); /* a brake may sleep */
    crn_world_destroy(world);
}

/* What sleeps on something must notice when that goes away. */
static void test_supports_that_go(void **state)
{
    (void)state;
    for (int way = 0; way < 2; ++way) {
        crn_world *world = sleepy_world();
        crn_body_id table = add_table(world), low = add_box(world, 0.1, (crn_vec3){0, 0, 0.1}, 1.0);
        crn_body_id high = add_box(world, 0.1, (crn_vec3){0, 0, 0.3}, 1.0);
        check_asleep(world);
        if (way == 0) {
            assert_int_equal(crn_body_destroy(world, table, NULL), CRN_OK);
        } else {
            crn_pose away = {{5, 0, 0}, {1, 0, 0, 0}};
            assert_int_equal(crn_body_set_pose(world, table, &away), CRN_OK);
        }
        step_for(world, h, 0.5);
        CHECK_NEAR(velocity_of(world, low).linear.z, -9.81 * 0.5, 1e-9);
        CHECK_NEAR(velocity_of(world, high).linear.z, -9.81 * 0.5, 1e-9);
        crn_world_destroy(world);
    }
}

static void test_removing_a_joint_wakes(void **state)
{
    (void)state;
    crn_world *world = sleepy_world();
    crn_body_id ball = add_sphere(world, 0.1, (crn_vec3){0, 0, 0}, 1.0);
    crn_joint_def joint = crn_joint_def_default();
    crn_joint_id id = add_joint(world, &joint, nobody, ball);
    check_asleep(world);
    assert_int_equal(crn_joint_destroy(world, id, NULL), CRN_OK);
    step_for(world, h, 0.5);
    CHECK_NEAR(velocity_of(world, ball).linear.z, -9.81 * 0.5, 1e-9);
    crn_world_destroy(world);
}

static void test_forces_wake(void **state)
{
    (void)state;
    crn_world *world = sleepy_world();
    add_table(world);
    crn_body_id box = add_box(world, 0.1, (crn_vec3){0, 0, 0.1}, 1.0);
    check_asleep(world);
    assert_int_equal(crn_body_apply_force(world, box, crn_v3(0, 0, 109.81), crn_v3(0, 0, 0.1)), CRN_OK);
    step_once(world, h); /* 100 N more than the weight */
    CHECK_NEAR(velocity_of(world, box).linear.z, 1.0, 1e-9);
    CHECK_NEAR(position_of(world, box).z, 0.1 + 0.5 * h * 1.0, 1e-9);
    step_once(world, h);
    CHECK_NEAR(velocity_of(world, box).linear.z, 1.0 - h * 9.81, 1e-9);
    crn_world_destroy(world);
}

/* What sleeps is at rest, and says so. */
static void test_sleepers_are_at_rest(void **state)
{
    (void)state;
    crn_world_def def = joint_world(false, 0.0);
    def.sleep_time = 0.2;
    crn_world *world = new_world(&def);
    crn_body_def slow = lump_def(false);
    slow.velocity.x = 0.5 * def.sleep_speed;
    crn_body_id body = add_body(world, &slow);
    check_asleep(world);
    crn_vec3 before = position_of(world, body);
    crn_step_stats stats = step_once(world, h);
    CHECK_NEAR3(position_of(world, body), before, 0.0);
    CHECK_NEAR3(velocity_of(world, body).linear, crn_v3(0, 0, 0), 0.0);
    CHECK_NEAR(stats.kinetic, 0.0, 0.0);
    crn_world_destroy(world);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_driven_body_wakes),    cmocka_unit_test(test_a_driven_body_wakes_by_joints),
        cmocka_unit_test(test_a_motor_starts_later),   cmocka_unit_test(test_supports_that_go),
        cmocka_unit_test(test_removing_a_joint_wakes), cmocka_unit_test(test_forces_wake),
        cmocka_unit_test(test_sleepers_are_at_rest),
    };
    return TEST_RUN(tests, argc, argv);
}
