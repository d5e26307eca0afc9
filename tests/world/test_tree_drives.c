/* What acts along the coordinates of a tree: springs, dampers, friction, forces, motors that are as strong as it takes,
 * joints that follow others, bases that are driven. Wheels about z have no gravity along their coordinate: their motion is
 * known to the last digit. */
#include "tree_case.h"

/* --- Springs --- */

/* A level rod on a spring: k q = m g d cos q. */
static double sag(double stiffness)
{
    double q = 0.0;
    for (int i = 0; i < 200; ++i) {
        q = 0.5 * PHYSICS_G * cos(q) / stiffness;
    }
    return q;
}

static crn_world *spring_world(const crn_joint_axis *axis)
{
    crn_model *model = tree_model(tree_down);
    crn_joint_def hinge = tree_pendulum(model, 0.5 * PHYSICS_PI);
    hinge.axis[0] = *axis;
    tree_add(model, &hinge);
    return physics_world(model);
}

static void test_sag(void **state)
{
    (void)state;
    for (double h = 0.001; h < 0.02; h *= 10.0) {
        crn_joint_axis axis = crn_joint_def_default().axis[0];
        axis.stiffness = 20.0;
        axis.damping = 4.0;
        crn_world *world = spring_world(&axis);
        physics_run(world, h, (int)lround(10.0 / h));
        physics_figure("spring", "sag [rad]", tree_coordinate(world, 0), sag(20.0), 1e-9);
        crn_world_destroy(world);
    }
}

/* As stiff as you like: 1e8 N m/rad at 10 ms, without a damper. */
static void test_stiff(void **state)
{
    (void)state;
    for (double stiffness = 1e4; stiffness < 2e8; stiffness *= 100.0) {
        crn_joint_axis axis = crn_joint_def_default().axis[0];
        axis.stiffness = stiffness;
        crn_world *world = spring_world(&axis);
        double farthest = 0.0;
        for (int k = 0; k < 300; ++k) {
            physics_step(world, 0.01);
            farthest = fmax(farthest, fabs(tree_coordinate(world, 0)));
        }
        physics_at_most("stiff spring", "farthest [sags]", farthest / sag(stiffness), 2.01);
        physics_figure("stiff spring", "at the end [sags]", tree_coordinate(world, 0) / sag(stiffness), 1.0, 1.0);
        crn_world_destroy(world);
    }
}

/* A stiff controller follows its target. */
static void test_target(void **state)
{
    (void)state;
    const double h = 0.001;
    crn_joint_axis axis = crn_joint_def_default().axis[0];
    axis.stiffness = 1e8;
    axis.damping = 1e3;
    axis.target = (crn_profile){.amplitude = 0.5, .frequency = 1.0};
    crn_world *world = spring_world(&axis);
    double off = 0.0;
    for (int k = 0; k < 1000; ++k) {
        physics_step(world, h);
        off = fmax(off, fabs(tree_coordinate(world, 0) - crn_profile_at(&axis.target, crn_world_time(world))));
    }
    physics_at_most("target", "coordinate, off by [rad]", off, 2.0 * h * PHYSICS_PI * 0.5 * 1.1); /* one step behind */
    crn_world_destroy(world);
}

/* A spring that is too weak: its largest torque is less than the weight's, and the rod falls with the rest. */
static void test_spring_limit(void **state)
{
    (void)state;
    const double h = 0.0005, time = 0.1, most = 2.0, inertia = 1.0 / 3.0;
    crn_joint_axis axis = crn_joint_def_default().axis[0];
    axis.stiffness = 1e6;
    axis.spring_limit = most;
    crn_world *world = spring_world(&axis);
    physics_run(world, h, (int)lround(time / h));
    double right = 0.5 * (0.5 * PHYSICS_G - most) / inertia * time * time;
    physics_figure("weak spring", "angle [rad]", tree_coordinate(world, 0), right, 0.01 * right);
    crn_world_destroy(world);
}

/* --- Wheels --- */

static crn_world *wheel_world(const crn_joint_axis *axis, double inertia)
{
    crn_model *model = tree_model(tree_down);
    crn_joint_def hinge = tree_wheel(model, 0.0, inertia);
    hinge.axis[0] = *axis;
    tree_add(model, &hinge);
    return physics_world(model);
}

static void spin(crn_world *world, double speed)
{
    assert_int_equal(crn_joint_set_velocity(world, crn_world_joint(world, 1), &speed), CRN_OK);
}

/* w = w0 exp(-b t / I): of second order in h at least. */
static double damping_error(double h)
{
    const double inertia = 0.5, time = 2.0;
    crn_joint_axis axis = crn_joint_def_default().axis[0];
    axis.damping = 0.6;
    crn_world *world = wheel_world(&axis, inertia);
    spin(world, 3.0);
    physics_run(world, h, (int)lround(time / h));
    double right = 3.0 * exp(-axis.damping * time / inertia);
    double error = fabs(tree_speed(world, 0) - right) / right;
    crn_world_destroy(world);
    return error;
}

static void test_damping(void **state)
{
    (void)state;
    double coarse = damping_error(0.04), fine = damping_error(0.01);
    physics_at_most("damping", "speed at h = 0.04, relative error", coarse, 2e-4);
    physics_at_most("damping", "speed at h = 0.01, relative error", fine, coarse / 15.0);
}

/* As strong as you like: it stops the wheel, never turns it back by more than a tenth, and does no harm where another force makes a
 * new half kick of every step. */
static void test_strong_damping(void **state)
{
    (void)state;
    const double h = 0.01, inertia = 0.5;
    for (double damping = 1.0; damping < 1e10; damping *= 10.0) {
        crn_joint_axis axis = crn_joint_def_default().axis[0];
        axis.damping = damping;
        crn_world *world = wheel_world(&axis, inertia);
        spin(world, 3.0);
        double least = 3.0, rate = fmax(damping / inertia, 1.0);
        for (int k = 0; k < 200; ++k) {
            double push = k % 2 == 0 ? 1e-9 : -1e-9;
            assert_int_equal(crn_joint_apply_force(world, crn_world_joint(world, 1), 0, push), CRN_OK);
            physics_step(world, h);
            least = fmin(least, tree_speed(world, 0));
        }
        physics_at_most("strong damping", "turned back at [rad/s]", -least, 0.3);
        physics_figure("strong damping", "speed [rad/s]", tree_speed(world, 0), 3.0 * exp(-2.0 * rate), 2e-4);
        crn_world_destroy(world);
    }
}

/* What a wheel on a spring, without a damper, loses of its amplitude in 10 s: only what steps of h make of its energy. */
static double spring_loss(double h)
{
    const double stiffness = 40.0, inertia = 0.5, start = 0.5;
    crn_joint_axis axis = crn_joint_def_default().axis[0];
    axis.stiffness = stiffness;
    crn_world *world = wheel_world(&axis, inertia);
    assert_int_equal(crn_joint_set_coordinate(world, crn_world_joint(world, 1), &start), CRN_OK);
    physics_run(world, h, (int)lround(10.0 / h));
    double q = tree_coordinate(world, 0), u = tree_speed(world, 0);
    crn_world_destroy(world);
    return fabs(hypot(q, u * sqrt(inertia / stiffness)) / start - 1.0);
}

static void test_swing_on_spring(void **state)
{
    (void)state;
    double coarse = spring_loss(0.004), fine = spring_loss(0.001);
    physics_at_most("swing on a spring", "share lost in 14 turns, h = 0.004", coarse, 0.015);
    physics_at_most("swing on a spring", "share lost in 14 turns, h = 0.001", fine, coarse / 14.0);
}

/* The same about all axes of a ball joint at the centre of a sphere. */
static void test_damped_ball(void **state)
{
    (void)state;
    const double inertia = 0.5, h = 0.0005, damping = 0.6, time = 1.0, start[3] = {1.0, -2.0, 3.0};
    crn_model *model = tree_model(tree_down);
    int body = tree_body(model, crn_pose_identity(), 1.0, tree_diagonal(inertia, inertia, inertia));
    crn_joint_def ball = tree_joint(model, CRN_JOINT_BALL, -1, body, tree_nothing, tree_z);
    ball.axis[0].damping = damping;
    tree_add(model, &ball);
    crn_world *world = physics_world(model);
    assert_int_equal(crn_joint_set_velocity(world, crn_world_joint(world, 1), start), CRN_OK);
    physics_run(world, h, (int)lround(time / h));
    crn_vec3 w = physics_velocity(world, 0).angular;
    double left = exp(-damping * time / inertia);
    physics_figure("damped ball", "speed about x [rad/s]", w.x, start[0] * left, 2e-3);
    physics_figure("damped ball", "speed about y [rad/s]", w.y, start[1] * left, 2e-3);
    physics_figure("damped ball", "speed about z [rad/s]", w.z, start[2] * left, 2e-3);
    crn_world_destroy(world);
}

/* A constant torque gives t^2/2. Reflection turns by h w cos(h w/2) in a step: up to (h w)^2/8 less. */
static void test_force(void **state)
{
    (void)state;
    for (int scheme = 0; scheme < TREE_INTEGRATORS; ++scheme) {
        const double inertia = 0.5, h = 0.01, time = 1.0;
        crn_joint_axis axis = crn_joint_def_default().axis[0];
        axis.force.value = 0.7;
        crn_model *model = tree_model(tree_down);
        crn_joint_def hinge = tree_wheel(model, 0.0, inertia);
        hinge.axis[0] = axis;
        crn_model_world(model)->integrator = (crn_integrator)scheme;
        tree_add(model, &hinge);
        crn_world *world = physics_world(model);
        physics_run(world, h, (int)lround(time / h));
        const double speed = 0.7 / inertia * time, less = 0.125 * h * h * speed * speed;
        const double off[TREE_INTEGRATORS] = {less * speed * time, 0.51 * speed * h, 1e-12};
        physics_figure(crn_integrator_name((crn_integrator)scheme), "angle [rad]", tree_coordinate(world, 0),
                       0.5 * speed * time, off[scheme]);
        physics_figure(crn_integrator_name((crn_integrator)scheme), "speed [rad/s]", tree_speed(world, 0), speed,
                       1e-11);
        crn_world_destroy(world);
    }
}

static void test_friction(void **state)
{
    (void)state;
    const double inertia = 0.5, h = 0.01;
    crn_joint_axis axis = crn_joint_def_default().axis[0];
    axis.force.value = 2.0;
    axis.friction = 2.5; /* holds */
    crn_world *world = wheel_world(&axis, inertia);
    physics_run(world, h, 200);
    physics_at_most("friction above the torque", "angle [rad]", fabs(tree_coordinate(world, 0)), 1e-14);
    crn_world_destroy(world);
    axis.friction = 1.5; /* slips */
    world = wheel_world(&axis, inertia);
    physics_run(world, h, 100);
    physics_figure("friction below the torque", "speed [rad/s]", tree_speed(world, 0), 0.5 / inertia, 1e-9);
    physics_figure("friction below the torque", "angle [rad]", tree_coordinate(world, 0), 0.25 / inertia,
                   1e-2 * h + 1e-9);
    crn_world_destroy(world);
    axis.force.value = 0.0; /* stops after I w/F seconds and I w^2/(2 F) rad */
    world = wheel_world(&axis, inertia);
    spin(world, 4.0);
    physics_run(world, h, 200);
    physics_figure("spin down", "angle [rad]", tree_coordinate(world, 0), 0.5 * inertia * 16.0 / 1.5, 0.5 * 4.0 * h);
    physics_at_most("spin down", "speed [rad/s]", fabs(tree_speed(world, 0)), 1e-12);
    crn_world_destroy(world);
}

/* --- Motors --- */

/* As strong as it takes: the arm moves as it says, whatever hangs on it. */
static crn_model *driven_arm(const crn_joint_axis *axis)
{
    crn_model *model = tree_model(tree_down);
    crn_joint_def hinge = tree_pendulum(model, 0.5 * PHYSICS_PI);
    hinge.axis[0] = *axis;
    tree_add(model, &hinge);
    int load = tree_rod(model, tree_x, (crn_vec3){2.0, 0.0, 0.0}, 50.0);
    tree_join(model, CRN_JOINT_BALL, 0, load, tree_x, tree_z);
    return model;
}

static void test_driven(void **state)
{
    (void)state;
    crn_joint_axis axis = crn_joint_def_default().axis[0];
    axis.has_motor = axis.is_servo = true;
    axis.target = (crn_profile){.amplitude = 0.8, .frequency = 1.5};
    crn_world *world = physics_world(driven_arm(&axis));
    double off = 0.0;
    for (int k = 0; k < 400; ++k) {
        physics_step(world, 0.005);
        off = fmax(off, fabs(tree_coordinate(world, 0) - crn_profile_at(&axis.target, crn_world_time(world))));
    }
    physics_at_most("driven to a target", "off by [rad]", off, 1e-12);
    crn_world_destroy(world);
    axis.is_servo = false;
    axis.speed.value = -3.0;
    world = physics_world(driven_arm(&axis));
    off = 0.0;
    for (int k = 0; k < 400; ++k) {
        physics_step(world, 0.005);
        off = fmax(off, fabs(tree_coordinate(world, 0) + 3.0 * crn_world_time(world)));
    }
    physics_at_most("driven at a speed", "off by [rad]", off, 1e-11);
    crn_world_destroy(world);
}

/* A motor with a largest torque: the rest of it accelerates. */
static void test_motor(void **state)
{
    (void)state;
    const double inertia = 0.5;
    crn_joint_axis axis = crn_joint_def_default().axis[0];
    axis.has_motor = true;
    axis.speed.value = 10.0;
    axis.max_force = 2.0;
    crn_world *world = wheel_world(&axis, inertia);
    physics_run(world, 0.01, 100);
    physics_figure("motor", "speed on the way [rad/s]", tree_speed(world, 0), 2.0 / inertia, 1e-6);
    physics_run(world, 0.01, 300);
    physics_figure("motor", "speed at the end [rad/s]", tree_speed(world, 0), 10.0, 1e-6);
    crn_world_destroy(world);
}

/* --- Joints that follow --- */

/* Two wheels and a gear: a = torque / (I1 + ratio^2 I2). */
static void test_gear(void **state)
{
    (void)state;
    const double ratio = -2.0, first = 0.5, second = 0.3, torque = 1.0;
    for (int order = 0; order < 2; ++order) { /* the follower comes second, or first */
        crn_model *model = tree_model(tree_down);
        crn_joint_def driver = tree_wheel(model, 0.0, first), follower = tree_wheel(model, 1.0, second);
        driver.axis[0].force.value = torque;
        follower.axis[0].follows = order == 0 ? 1 : 2;
        follower.axis[0].ratio = ratio;
        tree_add(model, order == 0 ? &driver : &follower);
        tree_add(model, order == 0 ? &follower : &driver);
        crn_world *world = physics_world(model);
        physics_run(world, 0.01, 100);
        double right = 0.5 * torque / (first + ratio * ratio * second), speed = 2.0 * 2.0 * right;
        double less = 0.125 * 1e-4 * speed * speed * right; /* as in test_force, of the faster one */
        physics_figure("gear", "angle of the driver [rad]", tree_coordinate(world, order), right, less);
        physics_figure("gear", "angle of the follower [rad]", tree_coordinate(world, 1 - order), ratio * right,
                       2.0 * less);
        crn_world_destroy(world);
    }
}

/* Two rods that bend together, falling. */
static void test_follows(void **state)
{
    (void)state;
    crn_model *model = tree_model(tree_down);
    crn_joint_def knee = tree_pendulum(model, 0.5 * PHYSICS_PI);
    tree_add(model, &knee);
    int shin = tree_rod(model, tree_x, (crn_vec3){1.8, 0.0, 0.0}, 0.7);
    crn_joint_def ankle = tree_joint(model, CRN_JOINT_HINGE, 0, shin, tree_x, tree_y);
    ankle.axis[0].follows = 1;
    ankle.axis[0].ratio = -0.7;
    tree_add(model, &ankle);
    crn_world *world = physics_world(model);
    double off = 0.0, highest = -INFINITY;
    for (int k = 0; k < 1000; ++k) {
        crn_step_stats stats = physics_step(world, 0.005);
        off = fmax(off, fabs(tree_coordinate(world, 1) + 0.7 * tree_coordinate(world, 0)));
        highest = fmax(highest, stats.kinetic + stats.potential);
    }
    physics_at_most("two that bend together", "off by [rad]", off, 1e-6);
    physics_at_most("two that bend together", "energy above the start [J]", highest, 1e-6);
    crn_world_destroy(world);
}

/* --- Driven bases --- */

/* A profile that begins at 0 with speed 0. */
static crn_profile from_rest(double amplitude, double frequency)
{
    return (crn_profile){
        .value = -amplitude, .amplitude = amplitude, .frequency = frequency, .phase = 0.5 * PHYSICS_PI};
}

/* A link on a slider along the motion of its base stays where it is. */
static void test_driven_base(void **state)
{
    (void)state;
    crn_model *model = tree_model(tree_nothing);
    crn_body_def base = crn_body_def_default();
    base.kind = CRN_BODY_DRIVEN;
    base.motion.x = from_rest(0.3, 2.0);
    TREE_CHECK(crn_model_add_body(model, &base, NULL, error));
    crn_pose pose = {{0.0, 0.5, 0.0}, {1.0, 0.0, 0.0, 0.0}};
    int link = tree_body(model, pose, 1.0, tree_diagonal(1.0, 1.0, 1.0));
    tree_join(model, CRN_JOINT_SLIDER, 0, link, pose.position, tree_x);
    int arm = tree_rod(model, pose.position, (crn_vec3){0.0, 0.5, -1.0}, 1.0);
    tree_join(model, CRN_JOINT_HINGE, link, arm, pose.position, tree_y);
    crn_world *world = physics_world(model);
    double off = 0.0, open = 0.0;
    for (int k = 0; k < 500; ++k) {
        physics_step(world, 0.002);
        crn_pose here = physics_pose(world, 1), there = physics_pose(world, 0);
        off = fmax(off, fabs(here.position.x));
        open = fmax(open, fabs(here.position.x - there.position.x - tree_coordinate(world, 0)));
        open = fmax(open, fabs(here.position.y - 0.5));
    }
    physics_at_most("slider on a driven base", "moved [m]", off, 1e-9);
    physics_at_most("slider on a driven base", "open by [m]", open, 1e-14);
    crn_world_destroy(world);
}

/* A pendulum whose pivot shakes up and down fast stands upright [Kapitza]; without shaking it falls. */
static double fallen(double amplitude)
{
    crn_model *model = tree_model(tree_down);
    crn_body_def base = crn_body_def_default();
    base.kind = CRN_BODY_DRIVEN;
    base.motion.z = from_rest(amplitude, 40.0);
    TREE_CHECK(crn_model_add_body(model, &base, NULL, error));
    int rod = tree_rod(model, tree_nothing, (crn_vec3){0.02, 0.0, 0.9998}, 1.0);
    tree_join(model, CRN_JOINT_HINGE, 0, rod, tree_nothing, tree_y);
    crn_world *world = physics_world(model);
    double farthest = 0.0;
    for (int k = 0; k < 4000; ++k) {
        physics_step(world, 0.0005);
        farthest = fmax(farthest, fabs(tree_coordinate(world, 0)));
    }
    crn_world_destroy(world);
    return farthest;
}

static void test_shaken_base(void **state)
{
    (void)state;
    /* upright is stable if (amplitude 2 pi f)^2 > 2 g l, with l = I/(m d) = 2/3: amplitude > 0.0144 */
    assert_true(fallen(0.0) > 1.0);
    physics_at_most("shaken pendulum", "leans [rad]", fallen(0.04), 0.1);
}

/* A lift whose only joint is driven: nothing of it is unknown, and what stands on it feels how it moves. */
static void test_lift(void **state)
{
    (void)state;
    crn_model *model = tree_model(tree_down);
    int floor = tree_shape(model, CRN_BODY_FREE, CRN_SHAPE_BOX, (crn_vec3){1, 1, 0.1}, (crn_vec3){0, 0, 0}, 0.5, 10.0);
    int box =
        tree_shape(model, CRN_BODY_FREE, CRN_SHAPE_BOX, (crn_vec3){0.2, 0.2, 0.2}, (crn_vec3){0, 0, 0.3}, 0.5, 1.0);
    crn_joint_def slider = tree_joint(model, CRN_JOINT_SLIDER, -1, floor, (crn_vec3){0, 0, 0}, (crn_vec3){0, 0, 1});
    slider.axis[0].has_motor = true;
    slider.axis[0].speed.value = 0.2;
    tree_add(model, &slider);
    crn_world *world = physics_world(model);
    physics_run(world, 0.01, 100);
    physics_figure("lift", "height of what stands on it [m]", physics_pose(world, box).position.z, 0.5, 1e-3);
    physics_figure("lift", "its speed [m/s]", physics_velocity(world, box).linear.z, 0.2, 1e-9);
    physics_figure("lift", "speed of the lift [m/s]", physics_velocity(world, floor).linear.z, 0.2, 1e-12);
    crn_world_destroy(world);
}

/* A table of forces is the world's own: once, worlds led into the memory of the model that they were made from. */
static void test_force_table_outlives_the_model(void **state)
{
    (void)state;
    crn_model *model = tree_model(tree_nothing);
    crn_joint_def def = tree_wheel(model, 0.0, 2.0);
    double times[2] = {0.0, 1.0}, values[2] = {3.0, 3.0};
    def.axis[0].force = (crn_profile){.times = times, .values = values, .count = 2};
    def.a = -1;
    crn_world *world = physics_world(model);
    crn_joint_id joint;
    TREE_CHECK(crn_joint_create(world, &def, (crn_body_id){0, 0}, crn_world_body(world, 1), &joint, error));
    times[0] = times[1] = values[0] = values[1] = NAN;
    physics_run(world, 0.01, 100);
    physics_figure("table of forces", "speed", tree_speed(world, 0), 1.5, 1e-10);
    crn_world_destroy(world);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_force_table_outlives_the_model),
        cmocka_unit_test(test_sag),
        cmocka_unit_test(test_stiff),
        cmocka_unit_test(test_target),
        cmocka_unit_test(test_spring_limit),
        cmocka_unit_test(test_damping),
        cmocka_unit_test(test_strong_damping),
        cmocka_unit_test(test_swing_on_spring),
        cmocka_unit_test(test_damped_ball),
        cmocka_unit_test(test_force),
        cmocka_unit_test(test_friction),
        cmocka_unit_test(test_driven),
        cmocka_unit_test(test_motor),
        cmocka_unit_test(test_gear),
        cmocka_unit_test(test_follows),
        cmocka_unit_test(test_driven_base),
        cmocka_unit_test(test_shaken_base),
        cmocka_unit_test(test_lift),
    };
    return TEST_RUN(tests, argc, argv);
}
