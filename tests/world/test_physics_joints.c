/* Bodies on joints: closed loops that do not drift, energy and momentum of pendulums, a row of effective mass ~ 0, a body on
 * nothing. Scenes of gallery/world_linkages.c and gallery/world_pendulum.c. */
#include "physics_case.h"

static const double LOOP_DRIFT = 1e-6;      /* [m, rad] after a minute */
static const double CRANKS_PARALLEL = 1e-3; /* [rad]: a clearance of 3e-4 of the loop, over the crank */

static double joint_errors(const crn_world *world)
{
    double worst = 0.0, distance, angle;
    for (int i = 1; i <= crn_world_joints(world); ++i) {
        assert_int_equal(crn_joint_error(world, crn_world_joint(world, i), &distance, &angle), CRN_OK);
        worst = fmax(worst, fmax(distance, angle));
    }
    return worst;
}

static double coordinate(const crn_world *world, int joint)
{
    double value;
    assert_int_equal(crn_joint_coordinate(world, crn_world_joint(world, joint + 1), &value, NULL), CRN_OK);
    return value;
}

/* Run; the worst joint error after a step. */
static double run_loop(crn_world *world, double h, int steps)
{
    double worst = 0.0;
    for (int k = 0; k < steps; ++k) {
        physics_step(world, h);
        worst = fmax(worst, joint_errors(world));
    }
    return worst;
}

/* --- Closed loops --- */

static double angle_between(double a, double b)
{
    return fabs(remainder(a - b, 2.0 * PHYSICS_PI));
}

/* Where the rocker must be by crossing circles, for the crank's angle. */
static double rocker_error(const crn_world *world)
{
    crn_gallery_four_bar start = crn_gallery_four_bar_at(0.5 * PHYSICS_PI);
    crn_gallery_four_bar now = crn_gallery_four_bar_at(0.5 * PHYSICS_PI + coordinate(world, 0));
    double turned =
        atan2(now.rocker.y, now.rocker.x - now.base.x) - atan2(start.rocker.y, start.rocker.x - start.base.x);
    return angle_between(turned, coordinate(world, 3));
}

static void check_four_bar(const char *scene, bool is_planar)
{
    crn_model *model;
    PHYSICS_FILL(model, crn_gallery_four_bar_of(model, is_planar, &error));
    crn_world *world = physics_world(model);
    physics_at_most(scene, "worst joint error in 60 s", run_loop(world, 0.01, 6000), LOOP_DRIFT);
    physics_at_most(scene, "angle of the rocker, off by [rad]", rocker_error(world), 10.0 * LOOP_DRIFT);
    crn_world_destroy(world);
}

/* The cranks stay parallel: their joints are numbers 0, 2 and 4. Where they are in line, loops are held within their clearance
 * only. */
static void check_parallel(const char *scene, bool is_planar)
{
    crn_model *model;
    PHYSICS_FILL(model, crn_gallery_four_bar_parallel_of(model, is_planar, &error));
    crn_world *world = physics_world(model);
    double error = 0.0, used = 0.0, turned = 0.0;
    for (int k = 0; k < 6000; ++k) {
        crn_step_stats stats = physics_step(world, 0.01);
        error = fmax(error, stats.loop_error);
        used = fmax(used, stats.loop_opening / stats.loop_clearance);
        turned = k < 100 ? fmax(turned, fabs(coordinate(world, 0))) : turned;
    }
    physics_at_most(scene, "worst error of what is held in 60 s", error, LOOP_DRIFT);
    physics_at_most(scene, "opened, of the clearance", used, 1.01);
    TEST_CHECK(turned > 0.5, "%s: the cranks turn by %g rad in 1 s: they are stuck", scene, turned);
    double off = fmax(angle_between(coordinate(world, 0), coordinate(world, 2)),
                      angle_between(coordinate(world, 0), coordinate(world, 4)));
    physics_at_most(scene, "cranks, not parallel by [rad]", off, CRANKS_PARALLEL);
    crn_world_destroy(world);
}

static void test_loops(void **state)
{
    (void)state;
    check_four_bar("four-bar", false);
    check_four_bar("four-bar, planar", true);
    check_parallel("four-bar, three cranks", false);
    check_parallel("four-bar, three cranks, planar", true);
}

enum { SHIN = 6, CRANK = 9 }; /* a body and a joint of the leg */

/* The foot of the leg, from the shin's pose. */
static double foot_error(const crn_world *world, double crank)
{
    crn_gallery_leg start = crn_gallery_leg_at(0.0), now = crn_gallery_leg_at(crank);
    crn_pose shin = physics_pose(world, SHIN);
    double angle = 2.0 * atan2(shin.rotation.z, shin.rotation.w), c = cos(angle), s = sin(angle);
    double x = start.foot.x - start.bottom.x, y = start.foot.y - start.bottom.y;
    crn_vec3 foot = {shin.position.x + c * x - s * y, shin.position.y + s * x + c * y, 0.0};
    return physics_distance(foot, now.foot);
}

/* Ten turns under load: every pin in place, the foot where crossing circles say. */
static void test_leg(void **state)
{
    (void)state;
    const double h = 0.01;
    double worst = 0.0, foot = 0.0;
    crn_world *world = physics_world(physics_scene("leg"));
    for (int k = 0; k < 1000; ++k) {
        physics_step(world, h);
        worst = fmax(worst, joint_errors(world));
        foot = fmax(foot, foot_error(world, coordinate(world, CRANK)));
    }
    physics_at_most("leg", "worst joint error in 10 turns", worst, LOOP_DRIFT);
    physics_at_most("leg", "foot, off by [m]", foot, 10.0 * LOOP_DRIFT);
    physics_figure("leg", "turns of the crank", coordinate(world, CRANK) / (2.0 * PHYSICS_PI), 10.0, 1e-6);
    crn_world_destroy(world);
}

/* The same with joints as rows that are left as the step leaves them: errors of order h^2 that do not grow, and the crank exactly
 * where the motor's speed takes it. */
static void test_leg_unrepaired(void **state)
{
    (void)state;
    const double h = 0.01;
    crn_model *model = physics_scene("leg");
    crn_model_world(model)->integrator = CRN_INTEGRATOR_HART;
    crn_model_world(model)->joint_tolerance = 0.0;
    crn_world *world = physics_world(model);
    double first = run_loop(world, h, 100), rest = run_loop(world, h, 900);
    physics_figure("leg, no repair", "turns of the crank", coordinate(world, CRANK) / (2.0 * PHYSICS_PI), 10.0, 1e-9);
    physics_at_most("leg, no repair", "worst joint error in turns 2 to 10", rest, 1.1 * first);
    crn_world_destroy(world);
}

/* --- Double pendulum --- */

static double energy_drift(crn_integrator order, double h)
{
    crn_model *model;
    PHYSICS_FILL(model, crn_gallery_pendulum_of(model, 2, h, &error));
    crn_model_world(model)->integrator = order;
    crn_world *world = physics_world(model);
    crn_step_stats stats = physics_run(world, h, (int)(1.0 / h + 0.5));
    crn_world_destroy(world);
    return fabs(stats.kinetic + stats.potential); /* released at height 0, at rest */
}

static void check_energy_order(crn_integrator order, double right)
{
    const double h[5] = {0.01, 0.005, 0.0025, 0.00125, 0.000625};
    double drift[5];
    for (int i = 0; i < 5; ++i) {
        drift[i] = energy_drift(order, h[i]);
        print_message("double pendulum, %s: energy drift in 1 s at h = %g: %.4g J\n", crn_integrator_name(order), h[i],
                      drift[i]);
    }
    physics_figure("double pendulum", "order of the energy's drift in h", physics_order(h, drift, 5), right, 0.1);
}

static void test_double_pendulum_energy(void **state)
{
    (void)state;
    check_energy_order(CRN_INTEGRATOR_HART, 1.0);
    check_energy_order(CRN_INTEGRATOR_REFLECT, 2.0);
}

/* m (v+ - v) = h (weight + hinge forces) for either bar: joint j acts on bar j by its force, on bar j - 1 by the opposite. In the
 * default order forces are those at the ends of a step: their mean counts, and is off by O(h^3). */
static double momentum_missing(crn_integrator order, double h)
{
    double worst = 0.0;
    crn_vec3 last[2] = {{0, 0, 0}, {0, 0, 0}};
    crn_model *model = physics_scene("double-pendulum");
    crn_model_world(model)->integrator = order;
    crn_world *world = physics_world(model);
    for (int k = 0; k < (int)lround(2.0 / h); ++k) {
        crn_vec3 before[2] = {physics_velocity(world, 0).linear, physics_velocity(world, 1).linear}, force[2];
        physics_step(world, h);
        for (int i = 0; i < 2; ++i) {
            crn_vec3 now;
            assert_int_equal(crn_joint_force(world, crn_world_joint(world, i + 1), &now, NULL), CRN_OK);
            bool is_mean = order == CRN_INTEGRATOR_REFLECT;
            force[i] = is_mean ? (crn_vec3){0.5 * (last[i].x + now.x), 0.5 * (last[i].y + now.y), 0.0} : now;
            last[i] = now;
        }
        if (k == 0 && order == CRN_INTEGRATOR_REFLECT) {
            continue; /* no force is told of the beginning */
        }
        for (int i = 0; i < 2; ++i) {
            crn_vec3 after = physics_velocity(world, i).linear;
            crn_vec3 next = i == 0 ? force[1] : (crn_vec3){0.0, 0.0, 0.0};
            worst = fmax(worst, fabs(after.x - before[i].x - h * (force[i].x - next.x)));
            worst = fmax(worst, fabs(after.y - before[i].y - h * (force[i].y - next.y - PHYSICS_G)));
        }
    }
    crn_world_destroy(world);
    return worst;
}

static void test_double_pendulum_momentum(void **state)
{
    (void)state;
    physics_at_most("double pendulum, hart", "momentum not from weight and hinges [kg m/s]",
                    momentum_missing(CRN_INTEGRATOR_HART, 0.01), 1e-12);
    const double h[3] = {0.01, 0.005, 0.0025};
    double missing[3];
    for (int i = 0; i < 3; ++i) {
        missing[i] = momentum_missing(CRN_INTEGRATOR_REFLECT, h[i]);
        print_message("double pendulum: momentum not from weight and hinges at h = %g: %g kg m/s\n", h[i], missing[i]);
    }
    physics_figure("double pendulum", "order of the momentum missing in a step", physics_order(h, missing, 3), 3.0,
                   0.3);
}

/* The motor's torque in the first step is I w/h, of which rows must tell. In the default order it begins to turn at the first
 * kick, before the first step: no step has a torque. */
static void check_flywheel(crn_integrator order, double inertia)
{
    crn_model *model;
    char scene[64];
    crn_vec3 torque;
    PHYSICS_FILL(model, crn_gallery_flywheel_of(model, inertia, &error));
    crn_model_world(model)->integrator = order;
    crn_world *world = physics_world(model);
    physics_step(world, 0.01);
    (void)snprintf(scene, sizeof scene, "flywheel of %g kg m^2, %s", inertia, crn_integrator_name(order));
    physics_figure(scene, "w after a step [1/s]", physics_velocity(world, 0).angular.z, 1.0, 1e-9);
    assert_int_equal(crn_joint_force(world, crn_world_joint(world, 1), NULL, &torque), CRN_OK);
    double right = order == CRN_INTEGRATOR_HART ? 100.0 : 0.0;
    physics_figure(scene, "torque of the motor / inertia", torque.z / inertia, right, 1e-7);
    physics_step(world, 0.01);
    assert_int_equal(crn_joint_force(world, crn_world_joint(world, 1), NULL, &torque), CRN_OK);
    physics_figure(scene, "torque once it turns / inertia", torque.z / inertia, 0.0, 1e-7);
    crn_world_destroy(world);
}

static void test_flywheel(void **state)
{
    (void)state;
    for (double inertia = 1.0; inertia < 1e16; inertia *= 1e5) {
        check_flywheel(CRN_INTEGRATOR_HART, inertia);
    }
    for (double inertia = 1.0; inertia < 1e16; inertia *= 1e5) {
        check_flywheel(CRN_INTEGRATOR_REFLECT, inertia);
    }
}

/* A row that moves nothing, and one so short that its effective mass is lost in rounding, asked for a speed: that is said, and
 * nothing infinite comes out. Kind 0: a bilateral row; 1: a contact. */
static void check_short_row(int kind, double size, double wanted, bool is_solvable)
{
    const crn_contact_body body = {
        .kind = CRN_MASS_RIGID, .dof = 6, .mass = 1.0, .inertia = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    const double velocity[6] = {0, 0, 0, -1, 0, 0};
    double jacobian[18] = {0, 0, 0, size}, impulse[3] = {0}, found[6] = {0}, row_impulse = 0.0;
    const crn_contact_row row = {.a = 0, .b = -1, .jacobian_a = jacobian, .offset = -wanted};
    const crn_contact_point point = {.a = 0, .b = -1, .jacobian_a = jacobian, .offset = {-wanted, 0, 0}};
    const crn_contact_problem problem = {1, kind, 1 - kind, &body, &point, &row, velocity};
    const crn_contact_solution solution = {.impulse = impulse, .velocity = found, .row_impulse = &row_impulse};
    crn_contact_result result;
    crn_workspace workspace = {0};
    assert_int_equal(crn_contact_solve(&problem, NULL, &workspace, &solution, &result, NULL), CRN_OK);
    crn_workspace_free(&workspace);
    print_message("one %s of length %g, speed %g: outcome = %d, impulse %g, velocity %g, right = %s\n",
                  kind == 0 ? "row" : "contact", size, wanted, (int)result.outcome,
                  kind == 0 ? row_impulse : impulse[0], found[3], is_solvable ? "solved" : "not solved");
    assert_true((result.outcome == CRN_LCP_SOLVED) == is_solvable);
    assert_true(isfinite(impulse[0]) && isfinite(row_impulse) && isfinite(found[3]));
}

static void test_short_row(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; ++kind) {
        check_short_row(kind, 0.0, 0.0, true);
        check_short_row(kind, 0.0, 1.0, false);
        check_short_row(kind, 1e-200, 1.0, false);
        check_short_row(kind, 1e-10, 0.0, true);
    }
}

/* --- A body on nothing --- */

static const double ROUNDING = 4 * 0x1p-52; /* what a step may change */

static void test_tumbling(void **state)
{
    (void)state;
    const double h = 0.01;
    crn_world *world = physics_world(physics_scene("tumbling"));
    crn_step_stats start = physics_step(world, h);
    double size = physics_length(start.angular_momentum), turned = 0.0, energy = 0.0, swing = 1.0;
    double momentum = 0.0;
    for (int k = 0; k < 6000; ++k) {
        crn_step_stats stats = physics_step(world, h);
        crn_pose pose = physics_pose(world, 0);
        crn_quat q = pose.rotation;
        /* the middle axis of the body, along the angular momentum */
        crn_vec3 axis = {2.0 * (q.x * q.y - q.w * q.z), 1.0 - 2.0 * (q.x * q.x + q.z * q.z),
                         2.0 * (q.y * q.z + q.w * q.x)};
        crn_vec3 l = stats.angular_momentum;
        swing = fmin(swing, (axis.x * l.x + axis.y * l.y + axis.z * l.z) / size);
        turned = fmax(turned, physics_distance(l, start.angular_momentum) / size);
        momentum = fmax(momentum, physics_distance(stats.momentum, start.momentum) / physics_length(start.momentum));
        energy = fmax(energy, fabs(stats.kinetic - start.kinetic) / start.kinetic);
    }
    physics_at_most("tumbling", "momentum, relative change in 60 s", momentum, 1e-14);
    physics_at_most("tumbling", "angular momentum, relative change in 60 s", turned, 6000 * ROUNDING);
    physics_at_most("tumbling", "energy, relative change in 60 s", energy, 6000 * 2 * ROUNDING);
    physics_figure("tumbling", "least cosine of middle axis and momentum", swing, -1.0, 0.01);
    crn_world_destroy(world);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loops),
        cmocka_unit_test(test_leg),
        cmocka_unit_test(test_leg_unrepaired),
        cmocka_unit_test(test_double_pendulum_energy),
        cmocka_unit_test(test_double_pendulum_momentum),
        cmocka_unit_test(test_flywheel),
        cmocka_unit_test(test_short_row),
        cmocka_unit_test(test_tumbling),
    };
    return TEST_RUN(tests, argc, argv);
}
