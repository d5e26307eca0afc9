/* The world's interface to trees: joints and links that come and go, coordinates and velocities that are set, forces for one
 * step, the same bits again. Memory and snapshots of more trees: test_memory.c, test_snapshot.c. */
#include "tree_case.h"

/* A level arm of two rods on hinges about y, and a free rod beside it. */
static crn_model *arm_model(crn_vec3 gravity)
{
    crn_model *model = tree_model(gravity);
    for (int i = 0; i < 2; ++i) {
        crn_vec3 p = {i, 0.0, 0.0}, q = {i + 1, 0.0, 0.0};
        int rod = tree_rod(model, p, q, 1.0);
        tree_join(model, CRN_JOINT_HINGE, rod - 1, rod, p, tree_y);
    }
    tree_rod(model, (crn_vec3){0.0, 1.0, 0.0}, (crn_vec3){1.0, 1.0, 0.0}, 1.0);
    return model;
}

static void expect_at(crn_vec3 at, double x, double z)
{
    double off = physics_distance(at, (crn_vec3){x, 0.0, z});
    TEST_CHECK(off <= 1e-14, "(%.17g, %.17g, %.17g) instead of (%.17g, 0, %.17g)", at.x, at.y, at.z, x, z);
}

/* --- Setting --- */

static void test_set_coordinate(void **state)
{
    (void)state;
    crn_world *world = physics_world(arm_model(tree_nothing));
    double angle = 0.5 * PHYSICS_PI;
    assert_int_equal(crn_joint_set_coordinate(world, crn_world_joint(world, 1), &angle), CRN_OK);
    expect_at(physics_pose(world, 0).position, 0.0, -0.5); /* about y: x goes to -z */
    expect_at(physics_pose(world, 1).position, 0.0, -1.5);
    assert_true(tree_coordinate(world, 0) == angle && tree_coordinate(world, 1) == 0.0);
    assert_int_equal(crn_joint_set_coordinate(world, crn_world_joint(world, 2), &angle), CRN_OK);
    expect_at(physics_pose(world, 0).position, 0.0, -0.5);
    expect_at(physics_pose(world, 1).position, -0.5, -1.0);
    angle = 7.0; /* more than a turn */
    assert_int_equal(crn_joint_set_coordinate(world, crn_world_joint(world, 2), &angle), CRN_OK);
    physics_run(world, 0.01, 10);
    assert_true(fabs(tree_coordinate(world, 1) - 7.0) <= 1e-13); /* nothing moves it */
    crn_world_destroy(world);
}

static void test_set_velocity(void **state)
{
    (void)state;
    crn_world *world = physics_world(arm_model(tree_nothing));
    double speed = 2.0, told = 0.0;
    assert_int_equal(crn_joint_set_velocity(world, crn_world_joint(world, 1), &speed), CRN_OK);
    assert_int_equal(crn_joint_velocity(world, crn_world_joint(world, 1), &told), CRN_OK);
    assert_true(told == 2.0 && tree_speed(world, 1) == 0.0);
    expect_at(physics_velocity(world, 0).linear, 0.0, -1.0);
    expect_at(physics_velocity(world, 1).linear, 0.0, -3.0);
    assert_true(fabs(physics_velocity(world, 1).angular.y - 2.0) <= 1e-15);
    speed = -2.0;
    assert_int_equal(crn_joint_set_velocity(world, crn_world_joint(world, 2), &speed), CRN_OK);
    expect_at(physics_velocity(world, 1).linear, 0.0, -2.0);
    assert_true(fabs(physics_velocity(world, 1).angular.y) <= 1e-15);
    crn_world_destroy(world);
}

/* A root that floats can be put and set in motion, in the plane too. */
static void test_set_root(void **state)
{
    (void)state;
    for (int is_planar = 0; is_planar < 2; ++is_planar) {
        crn_model *model = tree_model(tree_nothing);
        crn_model_world(model)->is_planar = is_planar;
        for (int i = 0; i < 2; ++i) {
            crn_pose pose = {{i + 0.5, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};
            int rod = tree_body(model, pose, 1.0, tree_diagonal(1.0 / 1200.0, 1.0 / 12.0, 1.0 / 12.0));
            if (i > 0) {
                tree_join(model, CRN_JOINT_HINGE, rod - 1, rod, tree_x, tree_z);
            }
        }
        crn_world *world = physics_world(model);
        const crn_pose there = {{3.0, 4.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};
        const crn_twist moving = {{0.0, 0.0, 0.0}, {2.0, 1.0, 0.0}};
        TEST_CHECK(crn_body_set_pose(world, crn_world_body(world, 1), &there) == CRN_OK, "planar %d", is_planar);
        TEST_CHECK(crn_body_set_velocity(world, crn_world_body(world, 1), &moving) == CRN_OK, "planar %d", is_planar);
        physics_run(world, 0.01, 100);
        crn_vec3 right = {3.0 + 2.0, 4.0 + 1.0, 0.0};
        physics_at_most("root that floats", "off by [m]", physics_distance(physics_pose(world, 0).position, right),
                        1e-12);
        crn_world_destroy(world);
    }
}

/* Velocities of definitions: what joints let through of them is the tree's. */
static void test_defined_velocity(void **state)
{
    (void)state;
    crn_model *model = tree_model(tree_nothing);
    crn_body_def def = crn_body_def_default();
    def.pose.position.x = 0.5;
    def.mass = 1.0;
    def.inertia = tree_diagonal(1.0, 1.0, 1.0);
    def.velocity = (crn_vec3){0.0, 0.0, -0.5};
    def.angular = (crn_vec3){0.0, 1.0, 0.0};
    TREE_CHECK(crn_model_add_body(model, &def, NULL, error));
    tree_join(model, CRN_JOINT_HINGE, -1, 0, tree_nothing, tree_y);
    crn_world *world = physics_world(model);
    assert_true(fabs(tree_speed(world, 0) - 1.0) <= 1e-14);
    crn_world_destroy(world);
}

/* A torque for one step gives its impulse once, whenever it comes. */
static void test_apply_force(void **state)
{
    (void)state;
    for (int late = 0; late < 2; ++late) {
        const double inertia = 0.5, torque = 3.0, h = 0.01;
        crn_model *model = tree_model(tree_down);
        crn_joint_def hinge = tree_wheel(model, 0.0, inertia);
        tree_add(model, &hinge);
        crn_world *world = physics_world(model);
        physics_run(world, h, late * 5);
        assert_int_equal(crn_joint_apply_force(world, crn_world_joint(world, 1), 0, 1.0), CRN_OK);
        assert_int_equal(crn_joint_apply_force(world, crn_world_joint(world, 1), 0, torque - 1.0), CRN_OK);
        physics_run(world, h, 3);
        physics_figure("torque for a step", "speed [rad/s]", tree_speed(world, 0), torque * h / inertia, 1e-14);
        assert_int_equal(crn_body_apply_torque(world, crn_world_body(world, 1), (crn_vec3){5.0, 6.0, -torque}), CRN_OK);
        physics_run(world, h, 3);
        physics_at_most("and back, on the body", "speed [rad/s]", fabs(tree_speed(world, 0)), 1e-14);
        crn_world_destroy(world);
    }
}

/* A force on a link's end has the lever of the arm. */
static void test_apply_force_on_body(void **state)
{
    (void)state;
    const double h = 0.001;
    crn_model *model = tree_model(tree_nothing);
    crn_joint_def hinge = tree_pendulum(model, 0.5 * PHYSICS_PI);
    tree_add(model, &hinge);
    crn_world *world = physics_world(model);
    assert_int_equal(crn_body_apply_force(world, crn_world_body(world, 1), (crn_vec3){7.0, 8.0, -1.0}, tree_x), CRN_OK);
    physics_run(world, h, 2);
    physics_figure("force on the end", "speed [rad/s]", tree_speed(world, 0), 3.0 * h, 1e-5 * h);
    crn_world_destroy(world);
}

/* --- What is refused --- */

static void test_refused(void **state)
{
    (void)state;
    crn_model *model = arm_model(tree_down);
    crn_joint_def ball = tree_joint(model, CRN_JOINT_BALL, 1, 2, (crn_vec3){2.0, 0.0, 0.0}, tree_z);
    ball.in_tree = false;
    ball.as_rows = true;
    crn_world *world = physics_world(model);
    crn_body_id arm = crn_world_body(world, 1), fore = crn_world_body(world, 2), rod = crn_world_body(world, 3);
    crn_joint_id joint = {0, 0}, loop;
    crn_joint_def def = crn_joint_def_default();
    crn_error error = {CRN_OK, ""};
    def.kind = CRN_JOINT_HINGE;
    def.in_tree = true;
    assert_int_equal(crn_joint_create(world, &def, rod, fore, &joint, &error), CRN_ERR_ARGUMENT); /* a link already */
    print_message("%s\n", error.text);
    assert_int_equal(crn_joint_create(world, &def, arm, (crn_body_id){0, 0}, &joint, &error), CRN_ERR_ARGUMENT);
    print_message("%s\n", error.text);
    crn_joint_def free_joint = def;
    free_joint.kind = CRN_JOINT_FREE;
    assert_int_equal(crn_joint_create(world, &free_joint, arm, rod, &joint, &error), CRN_ERR_ARGUMENT);
    print_message("%s\n", error.text);
    TEST_CHECK(crn_joint_create(world, &ball, fore, rod, &loop, &error) == CRN_OK, "%s", error.text);
    double u[3] = {0.0, 0.0, 0.0};
    assert_int_equal(crn_joint_set_velocity(world, loop, u), CRN_ERR_ARGUMENT); /* not in a tree */
    assert_int_equal(crn_joint_velocity(world, loop, u), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_joint_set_coordinate(world, loop, u), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_joint_apply_force(world, crn_world_joint(world, 1), 1, 1.0), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_joint_apply_force(world, (crn_joint_id){99, 1}, 0, 1.0), CRN_ERR_ARGUMENT);
    crn_world_destroy(world);
}

/* A joint that does not say is in a tree where it makes no loop: the same bits as one that insists. What closes a loop is
 * rows. */
static void test_by_graph(void **state)
{
    (void)state;
    crn_world *world[2];
    for (int i = 0; i < 2; ++i) {
        crn_model *model = tree_model(tree_down);
        crn_joint_def hinge = tree_pendulum(model, 1.0);
        hinge.in_tree = i == 0;
        tree_add(model, &hinge);
        world[i] = physics_world(model);
        physics_run(world[i], 0.01, 100);
    }
    assert_true(crn_world_hash(world[0]) == crn_world_hash(world[1]));
    double u = 0.0;
    assert_int_equal(crn_joint_velocity(world[1], crn_world_joint(world[1], 1), &u), CRN_OK);
    crn_joint_def again = crn_joint_def_default();
    crn_joint_id loop;
    again.kind = CRN_JOINT_DISTANCE;
    again.length = 3.0;
    again.frame_a.position.x = 3.0; /* holds the hinge's point of the rod where it is, from 3 m aside */
    again.frame_b.position.z = -0.5;
    TREE_CHECK(crn_joint_create(world[1], &again, (crn_body_id){0, 0}, crn_world_body(world[1], 1), &loop, error));
    assert_int_equal(crn_joint_velocity(world[1], loop, &u), CRN_ERR_ARGUMENT);
    crn_world_destroy(world[0]);
    crn_world_destroy(world[1]);
}

/* A chain of in-tree joints made by hand, closed at last. */
static void test_loop_refused(void **state)
{
    (void)state;
    crn_world *world = physics_world(arm_model(tree_down));
    crn_joint_id first = crn_world_joint(world, 1), joint;
    crn_joint_def def = crn_joint_def_default();
    crn_error error = {CRN_OK, ""};
    TEST_CHECK(crn_joint_destroy(world, first, &error) == CRN_OK, "%s", error.text); /* the arm floats now */
    def.kind = CRN_JOINT_HINGE;
    def.in_tree = true;
    crn_body_id arm = crn_world_body(world, 1), fore = crn_world_body(world, 2);
    assert_int_equal(crn_joint_create(world, &def, fore, arm, &joint, &error), CRN_ERR_ARGUMENT);
    physics_run(world, 0.01, 10);
    crn_world_destroy(world);
}

/* --- Coming and going --- */

/* By ids one after the other: the same motion as from a model. */
static void test_by_hand(void **state)
{
    (void)state;
    crn_model *model = arm_model(tree_down);
    crn_world *world = tree_world(model), *made = NULL;
    TREE_CHECK(crn_world_create(crn_model_world_of(model), NULL, &made, error));
    for (int i = 0; i < 3; ++i) {
        crn_body_id body;
        TREE_CHECK(crn_body_create(made, crn_model_body(model, i), &body, error));
    }
    for (int i = 0; i < 2; ++i) {
        crn_joint_id joint;
        const crn_joint_def *def = crn_model_joint(model, i);
        crn_body_id a = def->a < 0 ? (crn_body_id){0, 0} : crn_world_body(made, def->a + 1);
        TREE_CHECK(crn_joint_create(made, def, a, crn_world_body(made, def->b + 1), &joint, error));
    }
    physics_run(world, 0.01, 100);
    physics_run(made, 0.01, 100);
    assert_true(crn_world_hash(world) == crn_world_hash(made));
    crn_world_destroy(world);
    crn_world_destroy(made);
    crn_model_destroy(model);
}

/* The joint above goes: what hung on it falls. */
static void test_cut(void **state)
{
    (void)state;
    const double h = 0.001;
    crn_world *world = physics_world(arm_model(tree_down));
    physics_run(world, h, 10);
    TREE_CHECK(crn_joint_destroy(world, crn_world_joint(world, 1), error));
    crn_twist a = physics_velocity(world, 0), b = physics_velocity(world, 1);
    double before = 0.5 * (a.linear.z + b.linear.z);
    physics_run(world, h, 100);
    a = physics_velocity(world, 0);
    b = physics_velocity(world, 1);
    double after = 0.5 * (a.linear.z + b.linear.z);
    physics_figure("cut", "speed of the centre gained [m/s]", after - before, -0.1 * PHYSICS_G, 1e-9);
    TREE_CHECK(crn_body_destroy(world, crn_world_body(world, 1), error)); /* with the joint to the other */
    physics_run(world, h, 100);
    assert_false(crn_joint_is_valid(world, crn_world_joint(world, 2)));
    double fell = physics_velocity(world, 1).linear.z - b.linear.z;
    physics_figure("cut again", "speed gained [m/s]", fell, -0.1 * PHYSICS_G, 1e-9);
    crn_world_destroy(world);
}

/* --- Links without mass --- */

/* Two hinges with a link without mass between them are a universal joint. */
static void test_massless(void **state)
{
    (void)state;
    const crn_vec3 end = {0.6, 0.0, -0.8};
    crn_model *two = tree_model(tree_down), *one = tree_model(tree_down);
    crn_body_def empty = crn_body_def_default();
    empty.is_massless = true;
    TREE_CHECK(crn_model_add_body(two, &empty, NULL, error));
    int rod = tree_rod(two, tree_nothing, end, 1.0), same = tree_rod(one, tree_nothing, end, 1.0);
    tree_join(two, CRN_JOINT_HINGE, -1, 0, tree_nothing, tree_x);
    tree_join(two, CRN_JOINT_HINGE, 0, rod, tree_nothing, tree_y);
    tree_join(one, CRN_JOINT_UNIVERSAL, -1, same, tree_nothing, tree_z);
    crn_world *hinges = physics_world(two), *universal = physics_world(one);
    const double u[2] = {1.0, 0.5};
    assert_int_equal(crn_joint_set_velocity(hinges, crn_world_joint(hinges, 1), &u[0]), CRN_OK);
    assert_int_equal(crn_joint_set_velocity(hinges, crn_world_joint(hinges, 2), &u[1]), CRN_OK);
    assert_int_equal(crn_joint_set_velocity(universal, crn_world_joint(universal, 1), u), CRN_OK);
    double apart = 0.0;
    for (int k = 0; k < 1000; ++k) {
        physics_step(hinges, 0.002);
        physics_step(universal, 0.002);
        apart =
            fmax(apart, physics_distance(physics_pose(hinges, rod).position, physics_pose(universal, same).position));
    }
    physics_at_most("two hinges and a universal joint", "apart [m]", apart, 1e-9);
    crn_world_destroy(hinges);
    crn_world_destroy(universal);
}

static void test_massless_refused(void **state)
{
    (void)state;
    crn_model *model = tree_model(tree_down);
    crn_body_def empty = crn_body_def_default();
    crn_world *world = NULL;
    crn_error reason = {CRN_OK, ""};
    empty.is_massless = true;
    TREE_CHECK(crn_model_add_body(model, &empty, NULL, error));
    assert_int_equal(crn_world_create_from(model, NULL, &world, &reason), CRN_ERR_ARGUMENT);
    assert_string_equal(reason.text, "bodies[0].massless: is for links only: b of a joint in a tree");
    tree_join(model, CRN_JOINT_HINGE, -1, 0, tree_nothing, tree_y); /* a joint that moves no mass */
    assert_int_equal(crn_world_create_from(model, NULL, &world, &reason), CRN_ERR_ARGUMENT);
    print_message("%s\n", reason.text);
    crn_model_destroy(model);
}

/* --- The same bits --- */

static void test_same_bits(void **state)
{
    (void)state;
    crn_model *model = arm_model(tree_down);
    crn_world *world = tree_world(model), *twin = tree_world(model);
    physics_run(world, 0.005, 60);
    physics_run(twin, 0.005, 60);
    assert_true(crn_world_hash(world) == crn_world_hash(twin));
    size_t size = crn_world_snapshot_size(world);
    void *data = malloc(size);
    TREE_CHECK(crn_world_save(world, data, size, error));
    physics_run(world, 0.005, 60);
    uint64_t end = crn_world_hash(world);
    TREE_CHECK(crn_world_restore(world, data, size, error));
    physics_run(world, 0.005, 60);
    assert_true(crn_world_hash(world) == end);
    crn_world *other = tree_world(model); /* one that has never moved */
    TREE_CHECK(crn_world_restore(other, data, size, error));
    physics_run(other, 0.005, 60);
    assert_true(crn_world_hash(other) == end);
    free(data);
    crn_world_destroy(world);
    crn_world_destroy(twin);
    crn_world_destroy(other);
    crn_model_destroy(model);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_set_coordinate),
        cmocka_unit_test(test_set_velocity),
        cmocka_unit_test(test_set_root),
        cmocka_unit_test(test_defined_velocity),
        cmocka_unit_test(test_apply_force),
        cmocka_unit_test(test_apply_force_on_body),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_by_graph),
        cmocka_unit_test(test_loop_refused),
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_massless),
        cmocka_unit_test(test_massless_refused),
        cmocka_unit_test(test_same_bits),
    };
    return TEST_RUN(tests, argc, argv);
}
