/* Actuators: controls into forces, clamped, through springs and with a lag; against closed forms. */
#include "tree_case.h"

#include "test_allocator.h"

#include <string.h>

/* A wheel of inertia 2 about z, with an actuator. */
static crn_world *wheel_world(const crn_actuator_def *actuator, double stiffness, double damping, double limit)
{
    crn_model *model = tree_model(tree_nothing);
    crn_joint_def joint = tree_wheel(model, 0.0, 2.0);
    joint.axis[0].stiffness = stiffness;
    joint.axis[0].damping = damping;
    joint.axis[0].spring_limit = limit;
    crn_actuator_def def = *actuator;
    def.joint = tree_add(model, &joint);
    TREE_CHECK(crn_model_add_actuator(model, &def, NULL, error));
    return physics_world(model);
}

static void set(crn_world *world, double control)
{
    assert_int_equal(crn_world_set_controls(world, &control), CRN_OK);
}

static void test_motor(void **state)
{
    (void)state;
    crn_actuator_def def = crn_actuator_def_default();
    def.name = "motor";
    def.gain = 3.0;
    def.lower = -1.0;
    def.upper = 2.0;
    def.force_upper = 4.5;
    crn_world *world = wheel_world(&def, 0.0, 0.0, 0.0);
    assert_int_equal(crn_world_actuators(world), 1);
    assert_int_equal(crn_world_find_actuator(world, "motor"), 0);
    assert_string_equal(crn_actuator_name(world, 0), "motor");
    assert_int_equal(crn_actuator_joint(world, 0).index1, 1);
    set(world, 0.5);
    physics_run(world, 0.01, 100);
    physics_figure("motor", "speed", tree_speed(world, 0), 0.75, 1e-10);
    physics_figure("motor", "angle", tree_coordinate(world, 0), 0.375, 1e-5); /* of second order in h */
    double control, force;
    set(world, 9.0); /* taken as 2, whose force is taken as 4.5 */
    assert_int_equal(crn_world_controls(world, &control), CRN_OK);
    assert_int_equal(crn_actuator_force(world, 0, &force), CRN_OK);
    assert_true(control == 2.0 && force == 4.5);
    set(world, -9.0);
    assert_int_equal(crn_actuator_force(world, 0, &force), CRN_OK);
    assert_true(force == -3.0);
    assert_int_equal(crn_joint_destroy(world, crn_world_joint(world, 1), NULL), CRN_OK);
    assert_int_equal(crn_actuator_joint(world, 0).index1, 0);
    assert_int_equal(crn_actuator_force(world, 0, &force), CRN_OK);
    assert_true(force == 0.0);
    set(world, 1.0);
    physics_run(world, 0.01, 3);
    crn_world_destroy(world);
}

/* Control 0 is clamped into the range at the start. */
static void test_start(void **state)
{
    (void)state;
    crn_actuator_def def = crn_actuator_def_default();
    def.lower = 1.0;
    crn_world *world = wheel_world(&def, 0.0, 0.0, 0.0);
    physics_run(world, 0.01, 100);
    physics_figure("start", "speed", tree_speed(world, 0), 0.5, 1e-10);
    crn_world_destroy(world);
}

/* A servo: the spring pulls to the control, no harder than its limit; critically damped it arrives. */
static void test_servo(void **state)
{
    (void)state;
    const double k = 50.0, b = 20.0;
    crn_actuator_def def = crn_actuator_def_default();
    def.gain = k;
    def.moves_target = true;
    crn_world *world = wheel_world(&def, k, b, 0.0);
    set(world, 0.7);
    physics_run(world, 0.01, 600);
    physics_figure("servo", "angle", tree_coordinate(world, 0), 0.7, 1e-9);
    crn_world_destroy(world);
    world = wheel_world(&def, k, b, 1.0); /* far away it is pulled with 1 N m: q = t^2 / 4 */
    set(world, 1e3);
    physics_run(world, 0.01, 100);
    physics_figure("servo", "angle with a limit", tree_coordinate(world, 0), 0.25, 1e-5);
    crn_world_destroy(world);
}

/* T a' = c - a from 0: speed = gain c / I (t - T (1 - exp(-t/T))); of first order in h. */
static void test_lag(void **state)
{
    (void)state;
    const double T = 0.2, right = 1.5 * (1.0 - T * (1.0 - exp(-1.0 / T)));
    double h[3] = {0.01, 0.005, 0.0025}, error[3];
    for (int i = 0; i < 3; ++i) {
        crn_actuator_def def = crn_actuator_def_default();
        def.gain = 3.0;
        def.time_constant = T;
        crn_world *world = wheel_world(&def, 0.0, 0.0, 0.0);
        set(world, 1.0);
        physics_run(world, h[i], (int)lround(1.0 / h[i]));
        error[i] = fabs(tree_speed(world, 0) - right);
        crn_world_destroy(world);
    }
    print_message("lag: errors %.2e %.2e %.2e, order %.2f\n", error[0], error[1], error[2], physics_order(h, error, 3));
    assert_true(error[2] < 5e-3 && physics_order(h, error, 3) > 0.9);
}

/* Saved in the middle of a lag, what follows is the same to the last bit; a world with other actuators refuses it. */
static void test_snapshot(void **state)
{
    (void)state;
    crn_actuator_def def = crn_actuator_def_default();
    def.time_constant = 0.3;
    crn_world *world = wheel_world(&def, 0.0, 0.0, 0.0), *other = NULL;
    set(world, 1.0);
    physics_run(world, 0.01, 10);
    size_t size = crn_world_snapshot_size(world);
    void *data = malloc(size);
    crn_error reason;
    assert_int_equal(crn_world_save(world, data, size, NULL), CRN_OK);
    physics_run(world, 0.01, 10);
    uint64_t hash = crn_world_hash(world);
    set(world, -5.0);
    assert_int_equal(crn_world_restore(world, data, size, NULL), CRN_OK);
    physics_run(world, 0.01, 10);
    assert_true(hash == crn_world_hash(world));
    crn_model *model = tree_model(tree_nothing);
    crn_joint_def joint = tree_wheel(model, 0.0, 2.0);
    (void)tree_add(model, &joint);
    other = physics_world(model);
    assert_int_equal(crn_world_restore(other, data, size, &reason), CRN_ERR_FORMAT);
    assert_string_equal(reason.text, "snapshot: of 1 actuators and 0 tendons; the world has 0 and 0");
    free(data);
    crn_world_destroy(world);
    crn_world_destroy(other);
}

/* A control wakes what sleeps. */
static void test_sleep(void **state)
{
    (void)state;
    crn_model *model = tree_model(tree_nothing);
    crn_model_world(model)->sleep_time = 0.1;
    int sledge = tree_body(model, crn_pose_identity(), 2.0, tree_diagonal(1, 1, 1));
    crn_actuator_def def = crn_actuator_def_default();
    def.joint = tree_join(model, CRN_JOINT_SLIDER, -1, sledge, tree_nothing, tree_x);
    TREE_CHECK(crn_model_add_actuator(model, &def, NULL, error));
    crn_world *world = physics_world(model);
    physics_run(world, 0.01, 50);
    set(world, 1.0);
    physics_run(world, 0.01, 100);
    physics_figure("sleep", "speed", tree_speed(world, 0), 0.5, 1e-10);
    crn_world_destroy(world);
}

static void refuse(crn_world *world, const crn_actuator_def *def, const char *text)
{
    crn_error reason;
    int index;
    crn_joint_id joint = crn_world_joint(world, 1);
    assert_int_equal(crn_actuator_create(world, def, joint, &index, &reason), CRN_ERR_ARGUMENT);
    assert_string_equal(reason.text, text);
}

static void test_bad_input(void **state)
{
    (void)state;
    crn_actuator_def good = crn_actuator_def_default(), def = good;
    crn_world *world = wheel_world(&good, 0.0, 0.0, 0.0);
    def.coordinate = 1;
    refuse(world, &def, "actuator.coordinate: is 1, but hinge joints have 1 coordinates");
    def = good;
    def.moves_target = true;
    refuse(world, &def, "actuator.moves_target: the coordinate has no spring");
    def = good;
    def.gain = NAN;
    refuse(world, &def, "actuator.gain: must be finite, but is nan");
    def = good;
    def.lower = 2.0;
    def.upper = 1.0;
    refuse(world, &def, "actuator.upper: must lie above the lower limit, 2, but is 1");
    def = good;
    def.force_upper = NAN;
    refuse(world, &def, "actuator.force_upper: must lie above the lower limit, -inf, but is nan");
    def = good;
    def.time_constant = -1.0;
    refuse(world, &def, "actuator.time_constant: must be >= 0, but is -1");
    def = good;
    def.control = INFINITY;
    refuse(world, &def, "actuator.control: must be finite, but is inf");
    const double nan = NAN, huge = 1e19;
    assert_int_equal(crn_world_set_controls(world, &nan), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_world_set_controls(world, &huge), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_world_set_controls(world, NULL), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_world_set_control(world, 1, 0.0), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_world_set_control(world, 0, 0.5), CRN_OK);
    assert_int_equal(crn_world_find_actuator(world, "x"), -1);
    assert_null(crn_actuator_name(world, 7));
    assert_int_equal(crn_world_actuators(NULL), 0);
    crn_world_destroy(world);
}

static void test_memory(void **state)
{
    (void)state;
    test_allocator counter = {0};
    crn_allocator hooks = test_allocator_hooks(&counter);
    crn_model *model = tree_model(tree_nothing);
    crn_joint_def joint = tree_wheel(model, 0.0, 2.0);
    (void)tree_add(model, &joint);
    crn_world *world = NULL;
    TREE_CHECK(crn_world_create_from(model, &hooks, &world, error));
    crn_model_destroy(model);
    crn_actuator_def def = crn_actuator_def_default();
    def.name = "motor";
    int index = -1;
    long k = 0;
    while (index < 0) {
        crn_error reason;
        counter.fail_at = counter.calls + ++k;
        crn_status status = crn_actuator_create(world, &def, crn_world_joint(world, 1), &index, &reason);
        TEST_CHECK(status == CRN_OK || status == CRN_ERR_MEMORY, "%s", reason.text);
        assert_int_equal(crn_world_actuators(world), status == CRN_OK ? 1 : 0);
    }
    assert_true(k > 1);
    crn_world_destroy(world);
    assert_int_equal(counter.live, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_motor),     cmocka_unit_test(test_start),    cmocka_unit_test(test_servo),
        cmocka_unit_test(test_lag),       cmocka_unit_test(test_snapshot), cmocka_unit_test(test_sleep),
        cmocka_unit_test(test_bad_input), cmocka_unit_test(test_memory),
    };
    return TEST_RUN(tests, argc, argv);
}
