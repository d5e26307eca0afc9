/* Keys: a world goes where they say, and goes on from there. */
#include "tree_case.h"

#include "test_allocator.h"

#include <cairn/robot.h>

/* A body that floats, with a ball joint and a hinge on it, and a motor. */
static crn_model *key_model(void)
{
    crn_model *model = tree_model(tree_down);
    int trunk = tree_body(model, crn_pose_identity(), 2.0, tree_diagonal(1, 1, 1));
    int arm = tree_rod(model, tree_nothing, tree_x, 1.0), hand = tree_rod(model, tree_x, crn_v3(2, 0, 0), 1.0);
    (void)tree_join(model, CRN_JOINT_BALL, trunk, arm, tree_nothing, tree_z);
    crn_actuator_def motor = crn_actuator_def_default();
    motor.joint = tree_join(model, CRN_JOINT_HINGE, arm, hand, tree_x, tree_y);
    TREE_CHECK(crn_model_add_actuator(model, &motor, NULL, error));
    return model;
}

static void test_set(void **state)
{
    (void)state;
    crn_model *model = key_model();
    const crn_key_state states[] = {
        {.joint = -1, .body = 0, .q = {1, 2, 3, 0, 0, 0, 2}, .u = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6}},
        {.joint = 0, .body = -1, .q = {0.6, 0.8, 0, 0}, .u = {1, 2, 3}},
        {.joint = 1, .body = -1, .q = {0.7}, .u = {-1}},
    };
    const double control = 4.0;
    crn_key_def key = {.name = "home", .state = states, .states = 3, .control = &control, .controls = 1};
    TREE_CHECK(crn_model_add_key(model, &key, NULL, error));
    crn_world *world = tree_world(model);
    TREE_CHECK(crn_world_set_key(world, crn_model_key(model, crn_model_find_key(model, "home")), error));
    crn_pose pose = physics_pose(world, 0);
    assert_true(physics_distance(pose.position, crn_v3(1, 2, 3)) < 1e-15 && fabs(fabs(pose.rotation.z) - 1.0) < 1e-15);
    crn_robot *robot = NULL;
    double q[12], u[10], now;
    TREE_CHECK(crn_robot_create(world, (crn_body_id){0, 0}, &robot, error));
    assert_int_equal(crn_robot_coordinates(robot), 12);
    assert_int_equal(crn_robot_state(robot, q, u), CRN_OK);
    for (int i = 0; i < 3; ++i) {
        int link = i == 0 ? 0 : crn_robot_find_joint(robot, crn_world_joint(world, i)), at_q, at_u;
        int freedom = crn_robot_place(robot, link, &at_q, &at_u);
        for (int k = 0; k < freedom; ++k) {
            assert_true(fabs(u[at_u + k] - states[i].u[k]) < 1e-14);
        }
        assert_true(i == 0 || fabs(q[at_q] - states[i].q[0]) < 1e-15);
    }
    assert_int_equal(crn_world_controls(world, &now), CRN_OK);
    assert_true(now == 4.0);
    physics_run(world, 0.001, 10); /* and on */
    crn_robot_destroy(robot);
    /* a key of another world */
    const crn_key_state wrong = {.joint = 7, .body = -1};
    crn_key_def other = {.state = &wrong, .states = 1};
    crn_error reason;
    assert_int_equal(crn_world_set_key(world, &other, &reason), CRN_ERR_ARGUMENT);
    assert_string_equal(reason.text, "key.states[0]: the world has no such joint in a tree, or body that floats");
    assert_int_equal(crn_world_set_key(world, NULL, &reason), CRN_ERR_ARGUMENT);
    crn_world_destroy(world);
    crn_model_destroy(model);
}

static void test_memory(void **state)
{
    (void)state;
    test_allocator counter = {0};
    crn_allocator hooks = test_allocator_hooks(&counter);
    crn_model *model = key_model();
    crn_key_def key = {.states = 0};
    crn_world *world = NULL;
    TREE_CHECK(crn_world_create_from(model, &hooks, &world, error));
    long live = counter.live, k = 0;
    crn_status status = CRN_ERR_MEMORY;
    while (status != CRN_OK) {
        crn_error reason;
        counter.fail_at = counter.calls + ++k;
        status = crn_world_set_key(world, &key, &reason);
        TEST_CHECK(status == CRN_OK || status == CRN_ERR_MEMORY, "%s", reason.text);
        assert_int_equal(counter.live, live);
    }
    assert_true(k > 5);
    crn_world_destroy(world);
    crn_model_destroy(model);
    assert_int_equal(counter.live, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_set), cmocka_unit_test(test_memory)};
    return TEST_RUN(tests, argc, argv);
}
