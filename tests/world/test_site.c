/* Sites: frames that go with their bodies, are found by name, and leave with them. */
#include "tree_case.h"

#include "test_allocator.h"

#include <cairn/robot.h>

/* A tumbling body: the site is where the body's frame says, its velocity is that of differences and of the Jacobian. */
static void test_motion(void **state)
{
    (void)state;
    crn_model *model = tree_model(tree_down);
    crn_body_def body = crn_body_def_default();
    body.name = "hand";
    body.mass = 1.0;
    body.com = crn_v3(0.1, 0.2, 0.3);
    body.inertia = tree_diagonal(0.1, 0.2, 0.25);
    body.angular = crn_v3(1, 2, 3);
    body.velocity = crn_v3(0.5, 0, 1);
    TREE_CHECK(crn_model_add_body(model, &body, NULL, error));
    crn_site_def site = crn_site_def_default(), mark = crn_site_def_default();
    site.name = "tool";
    site.body = 0;
    site.pose = (crn_pose){{0.3, -0.4, 0.5}, crn_quat_exp(crn_v3(0.3, 0.2, 0.1))};
    mark.name = "mark";
    mark.pose = (crn_pose){{1, 2, 3}, {1, 0, 0, 0}};
    TREE_CHECK(crn_model_add_site(model, &site, NULL, error));
    TREE_CHECK(crn_model_add_site(model, &mark, NULL, error));
    crn_world *world = physics_world(model);
    crn_site_id tool = crn_world_find_site(world, "tool"), fixed = crn_world_find_site(world, "mark");
    assert_true(crn_site_is_valid(world, tool) && crn_world_sites(world) == 2);
    assert_string_equal(crn_site_name(world, tool), "tool");
    physics_run(world, 0.001, 100);
    crn_pose there = physics_pose(world, 0), before, now, after;
    crn_twist velocity;
    assert_int_equal(crn_site_pose(world, tool, &now), CRN_OK);
    assert_int_equal(crn_site_velocity(world, tool, &velocity), CRN_OK);
    crn_pose right = crn_pose_product(&there, &site.pose);
    assert_true(physics_distance(now.position, right.position) < 1e-15);
    assert_true(fabs(now.rotation.w - right.rotation.w) < 1e-15);
    /* the Jacobian of its point */
    crn_robot *robot = NULL;
    crn_body_id hand;
    crn_pose on_hand;
    double J[36], u[6], v[6] = {0};
    assert_int_equal(crn_site_frame(world, tool, &hand, &on_hand), CRN_OK);
    TREE_CHECK(crn_robot_create(world, hand, &robot, error));
    assert_int_equal(crn_robot_jacobian(robot, hand, on_hand.position, J), CRN_OK);
    assert_int_equal(crn_robot_state(robot, NULL, u), CRN_OK);
    for (int i = 0; i < 36; ++i) {
        v[i % 6] += J[i] * u[i / 6];
    }
    assert_true(physics_distance(velocity.angular, crn_v3_of(v)) < 1e-14);
    assert_true(physics_distance(velocity.linear, crn_v3_of(v + 3)) < 1e-14);
    crn_robot_destroy(robot);
    /* differences of one step back and one forth: the velocity at the moment between */
    const double h = 1e-4;
    for (int k = 0; k < 2; ++k) {
        before = now;
        physics_step(world, h);
        assert_int_equal(crn_site_pose(world, tool, k == 0 ? &now : &after), CRN_OK);
        assert_int_equal(k == 0 ? crn_site_velocity(world, tool, &velocity) : CRN_OK, CRN_OK);
        before = k == 0 ? before : right;
    }
    crn_vec3 mean = crn_v3_scale(0.5 / h, crn_v3_sub(after.position, right.position));
    assert_true(physics_distance(mean, velocity.linear) < 1e-6);
    assert_int_equal(crn_site_pose(world, fixed, &now), CRN_OK);
    assert_int_equal(crn_site_velocity(world, fixed, &velocity), CRN_OK);
    assert_true(now.position.z == 3.0 && physics_length(velocity.linear) == 0.0);
    crn_world_destroy(world);
}

static void test_life(void **state)
{
    (void)state;
    test_allocator counter = {0};
    crn_allocator hooks = test_allocator_hooks(&counter);
    crn_world *world = NULL;
    crn_body_id body;
    crn_site_id site = {0, 0}, other;
    crn_pose pose;
    crn_error reason;
    TREE_CHECK(crn_world_create(NULL, &hooks, &world, error));
    crn_body_def def = crn_body_def_default();
    def.kind = CRN_BODY_FIXED;
    TREE_CHECK(crn_body_create(world, &def, &body, error));
    crn_site_def frame = crn_site_def_default();
    frame.name = "foot";
    long live = counter.live;
    for (long k = 1; site.index1 == 0; ++k) { /* the k-th request fails */
        counter.fail_at = counter.calls + k;
        crn_status status = crn_site_create(world, &frame, body, &site, &reason);
        TEST_CHECK(status == CRN_OK || (status == CRN_ERR_MEMORY && counter.live <= live + 2), "%s", reason.text);
    }
    counter.fail_at = 0;
    frame.name = NULL;
    TREE_CHECK(crn_site_create(world, &frame, (crn_body_id){0, 0}, &other, error));
    assert_null(crn_site_name(world, other));
    assert_int_equal(crn_body_destroy(world, body, NULL), CRN_OK); /* takes its site along */
    assert_false(crn_site_is_valid(world, site));
    assert_int_equal(crn_site_pose(world, site, &pose), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_world_find_site(world, "foot").index1, 0);
    assert_int_equal(crn_site_create(world, &frame, body, &site, &reason), CRN_ERR_ARGUMENT);
    assert_string_equal(reason.text, "site.body: the id is stale");
    assert_int_equal(crn_site_destroy(world, other, &reason), CRN_OK);
    assert_int_equal(crn_site_destroy(world, other, &reason), CRN_ERR_ARGUMENT);
    assert_string_equal(reason.text, "site: the id is stale or null");
    frame.pose.position.x = NAN;
    assert_int_equal(crn_site_create(world, &frame, (crn_body_id){0, 0}, &site, &reason), CRN_ERR_ARGUMENT);
    assert_string_equal(reason.text, "site.position: must be finite, but is (nan, 0, 0)");
    assert_int_equal(crn_site_create(NULL, &frame, body, &site, &reason), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_world_sites(NULL), 0);
    crn_world_destroy(world);
    assert_int_equal(counter.live, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_motion), cmocka_unit_test(test_life)};
    return TEST_RUN(tests, argc, argv);
}
