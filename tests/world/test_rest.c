/* Rest, and its end: what stands stays to the last bit, sees what comes, and falls from rest when its support goes. */
#include "joint_scene.h"

static const double h = 0.01, g = 9.81;

static crn_body_id add_table(crn_world *world)
{
    return add_shape(world, CRN_BODY_FIXED, CRN_SHAPE_BOX, (crn_vec3){2, 2, 0.1}, (crn_vec3){0, 0, -0.1}, 0.0);
}

/* Boxes that lean by a fifth of their width each: a stack with a moment at every contact. */
static void add_stack(crn_world *world, int boxes, crn_body_id *box)
{
    for (int i = 0; i < boxes; ++i) {
        box[i] = add_box(world, 0.1, (crn_vec3){0.002 * i, 0, 0.1 + 0.2 * i}, 1.0 + i % 3);
    }
}

static void test_a_stack_stays(void **state)
{
    (void)state;
    enum { BOXES = 12 };
    crn_body_id box[BOXES];
    crn_vec3 before[BOXES];
    crn_world_def def = crn_world_def_default();
    crn_world *world = new_world(&def);
    add_table(world);
    add_stack(world, BOXES, box);
    step_for(world, h, 2.0);
    for (int i = 0; i < BOXES; ++i) {
        before[i] = position_of(world, box[i]);
    }
    step_for(world, h, 10.0);
    for (int i = 0; i < BOXES; ++i) {
        CHECK_NEAR3(position_of(world, box[i]), before[i], 0.0);
    }
    crn_world_destroy(world);
}

/* What stands is answered by the impulses of the step before, whatever the cone. */
static void test_rest_costs_nothing(void **state)
{
    (void)state;
    const crn_contact_cone cone[2] = {CRN_CONE_POLYGON, CRN_CONE_ROUND};
    for (int k = 0; k < 2; ++k) {
        enum { BOXES = 10, STEPS = 400 };
        crn_body_id box[BOXES];
        crn_world_def def = crn_world_def_default();
        def.cone = cone[k];
        crn_world *world = new_world(&def);
        add_table(world);
        add_stack(world, BOXES, box);
        step_for(world, h, 1.0);
        int idle = 0;
        for (int i = 0; i < STEPS; ++i) {
            crn_step_stats stats = step_once(world, h);
            idle += stats.is_warm && stats.pivots == 0 && stats.iterations == 0;
        }
        TEST_CHECK(idle >= 0.95 * STEPS, "cone %d: %d of %d steps cost nothing", k, idle, STEPS);
        crn_world_destroy(world);
    }
}

/* A wall that the caller puts where a box rests, a lid that he puts on it, a ball that rolls against it: contacts of what has
 * not moved are not those of the last step then. */
static crn_world *new_pile(crn_contact_cone cone)
{
    enum { SIDE = 3 };
    const double inside = 0.36, half = 0.05;
    crn_world_def def = crn_world_def_default();
    crn_random random = crn_random_seed(1);
    def.cone = cone;
    crn_world *world = new_world(&def);
    add_table(world);
    for (int k = 0; k < 4; ++k) {
        double away = (k % 2 ? -1.0 : 1.0) * (inside + half);
        crn_vec3 size = k < 2 ? (crn_vec3){half, 1, 1} : (crn_vec3){1, half, 1};
        crn_vec3 place = k < 2 ? (crn_vec3){away, 0, 1} : (crn_vec3){0, away, 1};
        add_shape(world, CRN_BODY_FIXED, CRN_SHAPE_BOX, size, place, 0.0);
    }
    for (int i = 0; i < SIDE * SIDE * SIDE; ++i) {
        double r = crn_random_uniform(&random, 0.09, 0.11), x = crn_random_uniform(&random, -0.01, 0.01);
        double y = crn_random_uniform(&random, -0.01, 0.01);
        crn_vec3 place = {0.23 * (i % SIDE - 1) + x, 0.23 * (i / SIDE % SIDE - 1) + y,
                          0.15 + 0.24 * (i / (SIDE * SIDE))};
        add_shape(world, CRN_BODY_FREE, CRN_SHAPE_SPHERE, (crn_vec3){r, 0, 0}, place, 1000.0 * r * r * r);
    }
    return world;
}

/* A pile in which a ball may roll or spin for ever is answered from the step before: polygons began anew in each step, since the
 * look at disks, which comes first in larger islands, had overwritten the states to start from. */
static void test_a_pile_starts_from_before(void **state)
{
    (void)state;
    const crn_contact_cone cone[2] = {CRN_CONE_POLYGON, CRN_CONE_ROUND};
    for (int k = 0; k < 2; ++k) {
        enum { STEPS = 200 };
        crn_world *world = new_pile(cone[k]);
        step_for(world, h, 6.0);
        int warm = 0, pivots = 0;
        for (int i = 0; i < STEPS; ++i) {
            crn_step_stats stats = step_once(world, h);
            warm += stats.is_warm;
            pivots += stats.pivots;
        }
        TEST_CHECK(warm >= 0.95 * STEPS && pivots <= 2 * STEPS, "cone %d: %d of %d steps warm, %d pivots", k, warm,
                   STEPS, pivots);
        crn_world_destroy(world);
    }
}

static void test_a_wall_is_seen(void **state)
{
    (void)state;
    crn_world_def def = crn_world_def_default();
    crn_world *world = new_world(&def);
    add_table(world);
    crn_body_id box = add_box(world, 0.1, (crn_vec3){0, 0, 0.1}, 1.0);
    crn_body_id wall =
        add_shape(world, CRN_BODY_FIXED, CRN_SHAPE_BOX, (crn_vec3){0.1, 1, 1}, (crn_vec3){-1, 0, 1}, 0.0);
    step_for(world, h, 0.5);
    crn_pose near = {{-0.15, 0, 1}, {1, 0, 0, 0}}; /* 5 cm into the box */
    assert_int_equal(crn_body_set_pose(world, wall, &near), CRN_OK);
    step_for(world, h, 0.5);
    TEST_CHECK(position_of(world, box).x > 0.05 - 1e-6, "the wall is in the box, which stays at %g",
               position_of(world, box).x);
    crn_body_id ball = add_sphere(world, 0.1, (crn_vec3){0.5, 0, 0.1}, 1.0);
    crn_twist twist = {{0, 0, 0}, {-2.0, 0, 0}};
    assert_int_equal(crn_body_set_velocity(world, ball, &twist), CRN_OK);
    step_for(world, h, 1.0);
    TEST_CHECK(position_of(world, ball).x > position_of(world, box).x + 0.19, "the ball went through, to %g",
               position_of(world, ball).x);
    crn_world_destroy(world);
}

/* The caller lowers a table: what stands on it does not hang where it was. */
static void test_a_table_is_lowered(void **state)
{
    (void)state;
    crn_world_def def = crn_world_def_default();
    crn_world *world = new_world(&def);
    crn_body_id table = add_table(world), box = add_box(world, 0.1, (crn_vec3){0, 0, 0.1}, 1.0);
    step_for(world, h, 0.5);
    crn_pose lower = {{0, 0, -0.1005}, {1, 0, 0, 0}}; /* by less than the margin: the pair is still one */
    assert_int_equal(crn_body_set_pose(world, table, &lower), CRN_OK);
    step_for(world, h, 0.5);
    CHECK_NEAR(position_of(world, box).z, 0.0995, 1e-9);
    crn_world_destroy(world);
}

static void drop(void *user, double time, crn_pose *pose)
{
    (void)user;
    double t = time > 0.5 ? time - 0.5 : 0.0;
    *pose = (crn_pose){{0, 0, -0.1 - g * t * t}, {1, 0, 0, 0}}; /* twice as fast as anything falls */
}

/* A box whose support falls away faster than it: it falls from rest, and energy does not grow. */
static void test_support_that_falls(void **state)
{
    (void)state;
    for (int part = 1; part <= 16; part *= 4) {
        crn_world_def def = crn_world_def_default();
        crn_world *world = new_world(&def);
        crn_body_id table =
            add_shape(world, CRN_BODY_DRIVEN, CRN_SHAPE_BOX, (crn_vec3){1, 1, 0.1}, (crn_vec3){0, 0, -0.1}, 0.0);
        assert_int_equal(crn_body_set_motion(world, table, drop, NULL), CRN_OK);
        crn_body_id low = add_box(world, 0.1, (crn_vec3){0, 0, 0.1}, 1.0);
        crn_body_id high = add_box(world, 0.1, (crn_vec3){0, 0, 0.3}, 3.0);
        double start = g * (0.1 + 3.0 * 0.3), most = 0.0;
        for (int k = 0; k < 80 * part; ++k) {
            crn_step_stats stats = step_once(world, h / part);
            assert_int_equal(stats.verdict, CRN_VERDICT_CERTIFIED);
            most = fmax(most, stats.kinetic + stats.potential - start);
        }
        double fallen = 0.1 - position_of(world, low).z, speed = -velocity_of(world, low).linear.z;
        print_message("h = %g: energy gained %.2g J, v^2/2 less what it fell %.2g m\n", h / part, most,
                      speed * speed / (2.0 * g) - fallen);
        assert_true(most <= 1e-12);
        CHECK_NEAR(speed * speed / (2.0 * g), fallen, 1e-12);
        CHECK_NEAR3(velocity_of(world, high).linear, velocity_of(world, low).linear, 1e-12);
        CHECK_NEAR(speed, 0.3 * g, 2.0 * g * h / part);
        crn_world_destroy(world);
    }
}

/* What the caller changes acts at once and as a whole: gravity, the friction of a joint. */
static void test_changes_act_at_once(void **state)
{
    (void)state;
    crn_world_def def = crn_world_def_default();
    crn_world *world = new_world(&def);
    add_table(world);
    crn_body_id box = add_box(world, 0.1, (crn_vec3){0, 0, 0.1}, 1.0);
    step_for(world, h, 0.5);
    def.gravity = (crn_vec3){0, 0, g};
    assert_int_equal(crn_world_configure(world, &def, NULL), CRN_OK);
    step_once(world, h);
    CHECK_NEAR(velocity_of(world, box).linear.z, g * h, 1e-12);
    CHECK_NEAR(position_of(world, box).z, 0.1 + 0.5 * g * h * h, 1e-12);
    crn_world_destroy(world);
}

/* A press of 1,000 times its weight on a box that could bounce: what forces press together does not collide. It did, in every step. */
static void test_a_press_does_not_bounce(void **state)
{
    (void)state;
    crn_world_def def = crn_world_def_default();
    crn_world *world = new_world(&def);
    crn_body_shape shape = crn_body_shape_default();
    crn_body_def body = crn_body_def_default();
    crn_body_id table, box;
    crn_error error;
    shape.shape.kind = CRN_SHAPE_BOX;
    shape.shape.size = (crn_vec3){2, 2, 0.1};
    shape.restitution = 0.9;
    body.shape = &shape;
    body.shapes = 1;
    body.kind = CRN_BODY_FIXED;
    body.pose.position = (crn_vec3){0, 0, -0.1};
    TEST_CHECK(crn_body_create(world, &body, &table, &error) == CRN_OK, "%s", error.text);
    shape.shape.size = (crn_vec3){0.1, 0.1, 0.1};
    body.kind = CRN_BODY_FREE;
    body.pose.position = (crn_vec3){0, 0, 0.1};
    body.mass = 1.0;
    TEST_CHECK(crn_body_create(world, &body, &box, &error) == CRN_OK, "%s", error.text);
    for (int k = 0; k < 100; ++k) {
        crn_step_stats stats;
        assert_int_equal(crn_body_apply_force(world, box, (crn_vec3){0, 0, -1e3 * g}, position_of(world, box)), CRN_OK);
        TEST_CHECK(crn_world_step(world, h, &stats, &error) == CRN_OK, "%s", error.text);
        TEST_CHECK(stats.verdict == CRN_VERDICT_CERTIFIED, "step %d: %s", k, crn_verdict_name(stats.verdict));
        TEST_CHECK(fabs(stats.ledger.loads) <= 1e-9, "step %d: the press does %g J", k, stats.ledger.loads);
    }
    CHECK_NEAR3(position_of(world, box), ((crn_vec3){0, 0, 0.1}), 1e-12);
    crn_world_destroy(world);
}

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_stack_stays),
        cmocka_unit_test(test_rest_costs_nothing),
        cmocka_unit_test(test_a_pile_starts_from_before),
        cmocka_unit_test(test_a_wall_is_seen),
        cmocka_unit_test(test_a_table_is_lowered),
        cmocka_unit_test(test_support_that_falls),
        cmocka_unit_test(test_changes_act_at_once),
        cmocka_unit_test(test_a_press_does_not_bounce),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
