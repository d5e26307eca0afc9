/* Order of convergence without contact: a double pendulum against its equations, integrated here with tiny steps, and a
 * chain of balls against itself. Reflection 2, semi-implicit Euler 1, Runge-Kutta 4. */
#include "tree_case.h"

enum { SIZES = 4 };

static const double wanted[TREE_INTEGRATORS] = {2.0, 1.0, 4.0};
static const double within[TREE_INTEGRATORS] = {0.25, 0.25, 0.5};

/* --- Two uniform rods of length and mass 1, angles from hanging ---
 *
 *     [4/3, c/2; c/2, 1/3] (a1, a2) = (-s/2 w2^2 - 3/2 g sin q1, s/2 w1^2 - 1/2 g sin q2),    c, s of q1 - q2 */

static void slope_of(const double y[4], double dy[4])
{
    double c = cos(y[0] - y[1]), s = sin(y[0] - y[1]);
    double f1 = -0.5 * s * y[3] * y[3] - 1.5 * PHYSICS_G * sin(y[0]);
    double f2 = 0.5 * s * y[2] * y[2] - 0.5 * PHYSICS_G * sin(y[1]);
    double det = 4.0 / 9.0 - 0.25 * c * c;
    dy[0] = y[2];
    dy[1] = y[3];
    dy[2] = (f1 / 3.0 - 0.5 * c * f2) / det;
    dy[3] = (4.0 / 3.0 * f2 - 0.5 * c * f1) / det;
}

static void exact(double time, int steps, double y[4])
{
    double h = time / steps;
    for (int n = 0; n < steps; ++n) {
        double k[4][4], x[4];
        for (int stage = 0; stage < 4; ++stage) {
            double part = stage == 0 ? 0.0 : stage == 3 ? h : 0.5 * h;
            for (int i = 0; i < 4; ++i) {
                x[i] = y[i] + (stage == 0 ? 0.0 : part * k[stage - 1][i]);
            }
            slope_of(x, k[stage]);
        }
        for (int i = 0; i < 4; ++i) {
            y[i] += h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
        }
    }
}

static crn_vec3 exact_end(double time)
{
    double y[4] = {0.5 * PHYSICS_PI, 0.5 * PHYSICS_PI, 0.0, 0.0};
    exact(time, 20000, y);
    return (crn_vec3){sin(y[0]) + sin(y[1]), 0.0, -cos(y[0]) - cos(y[1])};
}

/* --- The same as a tree --- */

static crn_world *double_pendulum(crn_integrator scheme)
{
    crn_model *model = tree_model(tree_down);
    crn_world_def *def = crn_model_world(model);
    def->integrator = scheme;
    def->drift_turn = 10.0; /* one part per step, or the order is not that of the step */
    def->is_unclamped = true;
    for (int i = 0; i < 2; ++i) {
        crn_vec3 p = {i, 0.0, 0.0}, q = {i + 1, 0.0, 0.0};
        int rod = tree_rod(model, p, q, 1.0);
        tree_join(model, CRN_JOINT_HINGE, rod - 1, rod, p, tree_y);
    }
    return physics_world(model);
}

/* The far end of a rod of length 1. */
static crn_vec3 end_of(const crn_world *world, int body, double half)
{
    crn_pose pose = physics_pose(world, body);
    return crn_v3_add(pose.position, crn_quat_turn(pose.rotation, crn_v3(0.0, 0.0, half)));
}

static void check_order(const char *scene, const double *h, const double *error, int scheme)
{
    for (int i = 0; i < SIZES; ++i) {
        print_message("%s, %s: h = %.5g, error %.3g\n", scene, crn_integrator_name((crn_integrator)scheme), h[i],
                      error[i]);
    }
    physics_figure(scene, "order", physics_order(h, error, SIZES), wanted[scheme], within[scheme]);
}

static void test_double_pendulum(void **state)
{
    (void)state;
    const double time = 1.0;
    crn_vec3 right = exact_end(time);
    for (int scheme = 0; scheme < TREE_INTEGRATORS; ++scheme) {
        double h[SIZES], error[SIZES];
        for (int i = 0; i < SIZES; ++i) {
            int steps = 50 << i;
            h[i] = time / steps;
            crn_world *world = double_pendulum((crn_integrator)scheme);
            physics_run(world, h[i], steps);
            error[i] = physics_distance(end_of(world, 1, 0.5), right);
            crn_world_destroy(world);
        }
        check_order("double pendulum", h, error, scheme);
        if (scheme == CRN_INTEGRATOR_REFLECT) {
            physics_at_most("double pendulum", "error at T/400 [m]", error[SIZES - 1], 5e-5);
        }
    }
}

/* Parts of the drift and the clamp leave the order as it is, or better. */
static void test_default_step(void **state)
{
    (void)state;
    const double time = 1.0;
    crn_vec3 right = exact_end(time);
    double off[2];
    for (int i = 0; i < 2; ++i) {
        crn_world *world = double_pendulum(CRN_INTEGRATOR_REFLECT);
        crn_world_def def = *crn_world_definition(world);
        def.drift_turn = 0.0;
        def.is_unclamped = false;
        TREE_CHECK(crn_world_configure(world, &def, error));
        physics_run(world, 0.01 / (1 << 2 * i), 100 << 2 * i);
        off[i] = physics_distance(end_of(world, 1, 0.5), right);
        print_message("double pendulum as usual: h = %g, error %.3g\n", 0.01 / (1 << 2 * i), off[i]);
        crn_world_destroy(world);
    }
    physics_at_most("double pendulum as usual", "error at a quarter of h, relative", off[1] / off[0], 1.0 / 8.0);
}

/* --- Balls, in space --- */

enum { LINKS = 4 };

static crn_world *swung_chain(crn_integrator scheme)
{
    crn_model *model = tree_chain(LINKS, 0.25, 0.5);
    crn_model_world(model)->integrator = scheme;
    crn_model_world(model)->drift_turn = 10.0;
    crn_model_world(model)->is_unclamped = true;
    crn_world *world = physics_world(model);
    for (int i = 0; i < LINKS; ++i) {
        const double u[3] = {0.5 + i, 0.3, 1.0 - 0.7 * i};
        assert_int_equal(crn_joint_set_velocity(world, crn_world_joint(world, i + 1), u), CRN_OK);
    }
    return world;
}

static crn_vec3 chain_end(crn_integrator scheme, double h, int steps)
{
    crn_world *world = swung_chain(scheme);
    physics_run(world, h, steps);
    crn_vec3 end = end_of(world, LINKS - 1, 0.125);
    crn_world_destroy(world);
    return end;
}

static void test_chain(void **state)
{
    (void)state;
    const double time = 0.4;
    crn_vec3 right = chain_end(CRN_INTEGRATOR_RK4, time / 6400, 6400);
    for (int scheme = 0; scheme < TREE_INTEGRATORS; ++scheme) {
        double h[SIZES], error[SIZES];
        for (int i = 0; i < SIZES; ++i) {
            int steps = 50 << i;
            h[i] = time / steps;
            error[i] = physics_distance(chain_end((crn_integrator)scheme, h[i], steps), right);
        }
        check_order("chain of balls", h, error, scheme);
    }
}

/* --- Energy of Runge-Kutta --- */

static double energy_of(const crn_world *world, int bodies)
{
    double sum = 0.0;
    for (int i = 0; i < bodies; ++i) {
        double mass;
        crn_vec3 com;
        crn_mat3 inertia;
        assert_int_equal(crn_body_mass(world, crn_world_body(world, i + 1), &mass, &com, &inertia), CRN_OK);
        crn_pose pose = physics_pose(world, i);
        crn_twist v = physics_velocity(world, i);
        crn_frame frame = crn_frame_of(&pose);
        crn_mat3 turned = crn_m3_turned(&frame.rotation, &inertia);
        sum += 0.5 * mass * crn_v3_dot(v.linear, v.linear) + mass * PHYSICS_G * crn_frame_point(&frame, com).z;
        sum += 0.5 * crn_v3_dot(v.angular, crn_m3_times(&turned, v.angular));
    }
    return sum;
}

static void check_energy(const char *scene, crn_world *(*make)(crn_integrator), int bodies, double time)
{
    double h[SIZES], drift[SIZES];
    for (int i = 0; i < SIZES; ++i) {
        int steps = 50 << i;
        h[i] = time / steps;
        crn_world *world = make(CRN_INTEGRATOR_RK4);
        double start = energy_of(world, bodies);
        crn_step_stats stats = physics_run(world, h[i], steps);
        drift[i] = fabs(stats.kinetic + stats.potential - start);
        print_message("%s, rk4: h = %g, energy off by %.3g J\n", scene, h[i], drift[i]);
        crn_world_destroy(world);
    }
    double order = physics_order(h, drift, SIZES);
    print_message("%s, rk4: the energy's error is of order %.3g\n", scene, order);
    TEST_CHECK(order >= 3.7, "%s: the energy's error is of order %.3g", scene, order);
}

static void test_energy(void **state)
{
    (void)state;
    check_energy("double pendulum", double_pendulum, 2, 1.0);
    check_energy("chain of balls", swung_chain, LINKS, 0.4);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_double_pendulum),
        cmocka_unit_test(test_default_step),
        cmocka_unit_test(test_chain),
        cmocka_unit_test(test_energy),
    };
    return TEST_RUN(tests, argc, argv);
}
