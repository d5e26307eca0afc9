/* Worlds that ask for what cannot be: a motor without bound against its own limit, two of them against one another, a wall that
 * drags a box into a corner where friction jams it. Each step says so (is_relaxed), is solved all the same, and what can be had
 * is had. */
#include "joint_scene.h"

static const double h = 0.01;

static void set_motor(crn_world *world, crn_joint_id joint, double speed, double upper)
{
    crn_joint_axis axis = crn_joint_def_default().axis[0];
    axis.has_motor = true;
    axis.speed.value = speed;
    axis.max_force = INFINITY;
    if (upper > 0.0) {
        axis.lower = -1.0;
        axis.upper = upper;
    }
    assert_int_equal(crn_joint_set_axis(world, joint, 0, &axis, NULL), CRN_OK);
}

/* A planar joint of which one coordinate has a motor: that is a row. Where all have one, they give the joint's motion, and know no
 * limit. */
static crn_joint_id add_table(crn_world *world, crn_body_id body)
{
    crn_joint_def def = joint_at(world, CRN_JOINT_PLANAR, nobody, body, crn_pose_identity());
    return add_joint(world, &def, nobody, body);
}

/* --- A motor and its limit --- */

static void test_a_motor_ends_at_its_limit(void **state)
{
    (void)state;
    const double limit = 0.215;
    crn_world_def def = joint_world(false, 9.81);
    crn_world *world = new_world(&def);
    crn_body_id bar = add_bar(world, crn_v3(-0.5, 0, 0), crn_v3(0.5, 0, 0));
    crn_body_id next = add_bar(world, crn_v3(0.5, 0, 0), crn_v3(1.0, 0.2, 0));
    crn_joint_id joint = add_table(world, bar);
    add_hinge_z(world, bar, next, crn_v3(0.5, 0, 0));
    set_motor(world, joint, 2.0, limit);
    int relaxed = 0;
    for (int k = 0; k < 50; ++k) {
        relaxed += step_once(world, h).is_relaxed;
        TEST_CHECK(coordinate_of(world, joint, 0) <= limit + 1e-9, "step %d: at %.12g, over the limit", k,
                   coordinate_of(world, joint, 0));
    }
    TEST_CHECK(relaxed > 30, "%d of 50 steps say that the motor cannot do what it wants", relaxed);
    CHECK_NEAR(coordinate_of(world, joint, 0), limit, 1e-3);
    crn_world_destroy(world);
}

/* --- Two motors --- */

static void test_motors_against_one_another_stop(void **state)
{
    (void)state;
    crn_world_def def = joint_world(false, 9.81);
    crn_world *world = new_world(&def);
    crn_body_id bar = add_bar(world, crn_v3(-0.5, 0, 0), crn_v3(0.5, 0, 0));
    crn_joint_id first = add_table(world, bar), second = add_table(world, bar);
    set_motor(world, first, 1.0, 0.0);
    set_motor(world, second, -1.0, 0.0);
    for (int k = 0; k < 50; ++k) {
        crn_step_stats stats = step_once(world, h);
        TEST_CHECK(stats.is_relaxed, "step %d: two motors that contradict one another are not told of", k);
        TEST_CHECK(fabs(speed_of(world, first, 0)) <= 1.0 + 1e-6, "step %d: %g m/s", k, speed_of(world, first, 0));
        TEST_CHECK(worst_error(world) < 1e-6, "step %d: joints are open by %g", k, worst_error(world));
    }
    crn_world_destroy(world);
}

/* --- A wall that drags --- */

static void press(void *user, double time, crn_pose *pose)
{
    (void)user;
    *pose = (crn_pose){{-1.1 - 0.0999 + 0.3 * time, 0, 1.0 - 6.0 * time}, {1, 0, 0, 0}};
}

/* The wall moves towards the box, which would have to slide on the floor, and downwards faster: by friction above 1 it presses the
 * box to the floor with more than it pushes it away. */
static void test_a_wall_jams_a_box(void **state)
{
    (void)state;
    crn_world_def def = crn_world_def_default();
    def.cone = CRN_CONE_ROUND;
    crn_world *world = new_world(&def);
    crn_body_shape shape = crn_body_shape_default();
    crn_body_def body = crn_body_def_default();
    shape.friction = 1.7;
    shape.shape.kind = CRN_SHAPE_PLANE;
    body.shape = &shape;
    body.shapes = 1;
    body.kind = CRN_BODY_FIXED;
    add_body(world, &body);
    shape.shape = (crn_shape_def){.kind = CRN_SHAPE_BOX, .size = {1, 1, 1}};
    body.kind = CRN_BODY_DRIVEN;
    body.pose.position = crn_v3(-1.1 - 0.0999, 0, 1.0);
    crn_body_id wall = add_body(world, &body);
    assert_int_equal(crn_body_set_motion(world, wall, press, NULL), CRN_OK);
    shape.shape = (crn_shape_def){.kind = CRN_SHAPE_BOX, .size = {0.1, 0.1, 0.1}};
    body.kind = CRN_BODY_FREE;
    body.mass = 2.0;
    body.pose.position = crn_v3(-0.1, 0, 0.1);
    crn_body_id box = add_body(world, &body);
    int relaxed = 0;
    for (int k = 0; k < 20; ++k) {
        crn_step_stats stats = step_once(world, 0.005);
        crn_twist velocity = velocity_of(world, box);
        relaxed += stats.is_relaxed;
        TEST_CHECK(stats.law == CRN_LAW_COULOMB, "step %d: solved by the convex law", k);
        TEST_CHECK(crn_v3_length(velocity.linear) < 1.0, "step %d: it is thrown away at %g m/s", k,
                   crn_v3_length(velocity.linear));
    }
    TEST_CHECK(relaxed > 0, "a box that is jammed is not told of");
    crn_world_destroy(world);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_motor_ends_at_its_limit),
        cmocka_unit_test(test_motors_against_one_another_stop),
        cmocka_unit_test(test_a_wall_jams_a_box),
    };
    return TEST_RUN(tests, argc, argv);
}
