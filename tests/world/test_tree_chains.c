/* Chains and trees that move freely: joints that never open, momentum in flight, energy that is never gained. */
#include "tree_case.h"

/* --- Joints --- */

/* A chain of 1 m with a hinge, a universal joint and balls; the rounding of a metre is 2e-16. */
static void test_exact_joints(void **state)
{
    (void)state;
    enum { LINKS = 10 };
    static const crn_integrator schemes[] = {CRN_INTEGRATOR_REFLECT, CRN_INTEGRATOR_REFLECT, CRN_INTEGRATOR_RK4};
    static const double steps[] = {0.01, 0.001, 0.001};
    for (int run = 0; run < 3; ++run) {
        crn_model *model = tree_model(tree_down);
        for (int i = 0; i < LINKS; ++i) {
            crn_joint_kind kind = i == 3 ? CRN_JOINT_HINGE : i == 6 ? CRN_JOINT_UNIVERSAL : CRN_JOINT_BALL;
            crn_vec3 p = {0.1 * i, 0.0, 0.0}, q = {0.1 * (i + 1), 0.0, 0.0};
            int rod = tree_rod(model, p, q, 0.1);
            tree_join(model, kind, rod - 1, rod, p, tree_y);
        }
        crn_model_world(model)->integrator = schemes[run];
        crn_world *world = tree_world(model);
        const double kick[3] = {0.0, 1.0, 3.0};
        assert_int_equal(crn_joint_set_velocity(world, crn_world_joint(world, 1), kick), CRN_OK);
        double worst = 0.0, told = 0.0, fastest = 0.0;
        for (int k = 0; k < (int)lround(2.0 / steps[run]); ++k) {
            physics_step(world, steps[run]);
            for (int i = 0; i < LINKS; ++i) {
                double distance, angle;
                worst = fmax(worst, tree_opening(world, model, i));
                assert_int_equal(crn_joint_error(world, crn_world_joint(world, i + 1), &distance, &angle), CRN_OK);
                told = fmax(told, fmax(distance, angle));
                fastest = fmax(fastest, crn_v3_length(physics_velocity(world, i).angular));
            }
        }
        physics_at_most(crn_integrator_name(schemes[run]), "joints, open by [m]", worst, 1e-14);
        physics_at_most(crn_integrator_name(schemes[run]), "joint errors, as told", told, 1e-14);
        assert_true(fastest > 3.0);
        crn_world_destroy(world);
        crn_model_destroy(model);
    }
}

/* --- Momentum --- */

typedef struct momentum {
    crn_vec3 linear, angular; /* about the origin */
    crn_vec3 centre;
    double mass;
} momentum;

/* Summed over the bodies. */
static momentum momentum_of(const crn_world *world, int bodies)
{
    momentum sum = {.mass = 0.0};
    for (int i = 0; i < bodies; ++i) {
        double mass;
        crn_vec3 com;
        crn_mat3 inertia;
        crn_body_id id = crn_world_body(world, i + 1);
        assert_int_equal(crn_body_mass(world, id, &mass, &com, &inertia), CRN_OK);
        crn_pose pose = physics_pose(world, i);
        crn_frame frame = crn_frame_of(&pose);
        crn_twist velocity = physics_velocity(world, i);
        crn_mat3 turned = crn_m3_turned(&frame.rotation, &inertia);
        crn_vec3 centre = crn_frame_point(&frame, com), p = crn_v3_scale(mass, velocity.linear);
        sum.mass += mass;
        sum.centre = crn_v3_axpy(sum.centre, mass, centre);
        sum.linear = crn_v3_add(sum.linear, p);
        sum.angular =
            crn_v3_add(sum.angular, crn_v3_add(crn_v3_cross(centre, p), crn_m3_times(&turned, velocity.angular)));
    }
    sum.centre = crn_v3_scale(1.0 / sum.mass, sum.centre);
    return sum;
}

/* A body with four limbs of two links each: ball joints at the body, hinges in the limbs. It flies. */
static crn_model *spider(crn_vec3 gravity)
{
    crn_model *model = tree_model(gravity);
    tree_body(model, (crn_pose){{0.3, 0.2, 0.1}, {1.0, 0.0, 0.0, 0.0}}, 2.0, tree_diagonal(0.1, 0.15, 0.2));
    for (int i = 0; i < 4; ++i) {
        double c = cos(0.5 * PHYSICS_PI * i), s = sin(0.5 * PHYSICS_PI * i);
        crn_vec3 p = {0.3 + 0.2 * c, 0.2 + 0.2 * s, 0.1}, q = {0.3 + 0.6 * c, 0.2 + 0.6 * s, 0.1},
                 r = {0.3 + 0.9 * c, 0.2 + 0.9 * s, -0.1};
        int thigh = tree_rod(model, p, q, 0.5), shin = tree_rod(model, q, r, 0.3);
        tree_join(model, CRN_JOINT_BALL, 0, thigh, p, tree_z);
        tree_join(model, CRN_JOINT_HINGE, thigh, shin, q, (crn_vec3){-s, c, 0.0});
    }
    return model;
}

static crn_world *flying_spider(crn_vec3 gravity, crn_integrator scheme)
{
    crn_model *model = spider(gravity);
    crn_model_world(model)->integrator = scheme;
    crn_world *world = physics_world(model);
    crn_random random = crn_random_seed(5);
    const crn_twist velocity = {{1.0, 2.0, 3.0}, {0.4, -0.5, 0.6}};
    assert_int_equal(crn_body_set_velocity(world, crn_world_body(world, 1), &velocity), CRN_OK);
    for (int i = 0; i < 8; ++i) {
        double u[3];
        for (int k = 0; k < 3; ++k) {
            u[k] = 2.0 * crn_random_normal(&random);
        }
        assert_int_equal(crn_joint_set_velocity(world, crn_world_joint(world, i + 1), u), CRN_OK);
    }
    return world;
}

static void test_momentum(void **state)
{
    (void)state;
    static const double steps[2] = {0.001, 0.01};
    for (int run = 0; run < 2; ++run) {
        crn_world *world = flying_spider(tree_nothing, CRN_INTEGRATOR_REFLECT);
        momentum start = momentum_of(world, 9), now;
        double linear = 0.0, angular = 0.0, told = 0.0;
        for (int k = 0; k < (int)lround(10.0 / steps[run]); ++k) {
            crn_step_stats stats = physics_step(world, steps[run]);
            if (k % 20 == 19) {
                now = momentum_of(world, 9);
                linear = fmax(linear, physics_distance(now.linear, start.linear));
                angular = fmax(angular, physics_distance(now.angular, start.angular));
                told = fmax(told, physics_distance(stats.angular_momentum, now.angular));
                told = fmax(told, physics_distance(stats.momentum, now.linear));
            }
        }
        double p = crn_v3_length(start.linear), l = crn_v3_length(start.angular);
        assert_true(p > 1.0 && l > 1.0);
        physics_at_most("flight", "linear momentum, changed by", linear / p, 1e-10);
        physics_at_most("flight", "angular momentum, changed by", angular / l, 1e-10);
        physics_at_most("flight", "figures of the step, off by", told, 1e-10);
        crn_world_destroy(world);
    }
}

/* Gravity adds M g t to the momentum and nothing to the angular momentum about the centre of mass, which falls as a stone. */
static void test_fall(void **state)
{
    (void)state;
    const double h = 0.005, time = 2.0;
    crn_world *world = flying_spider(tree_down, CRN_INTEGRATOR_REFLECT);
    momentum start = momentum_of(world, 9);
    physics_run(world, h, (int)lround(time / h));
    momentum now = momentum_of(world, 9);
    crn_vec3 spin = crn_v3_sub(now.angular, crn_v3_cross(now.centre, now.linear));
    crn_vec3 spin_start = crn_v3_sub(start.angular, crn_v3_cross(start.centre, start.linear));
    physics_figure("fall", "momentum [kg m/s]", now.linear.z, start.linear.z - now.mass * PHYSICS_G * time, 1e-9);
    physics_at_most("fall", "spin, changed by", physics_distance(spin, spin_start), 1e-9 * crn_v3_length(spin_start));
    double right = start.centre.z + start.linear.z / start.mass * time - 0.5 * PHYSICS_G * time * time;
    physics_figure("fall", "height of the centre [m]", now.centre.z, right, 1e-4);
    crn_world_destroy(world);
}

/* --- Energy --- */

/* 25 rods of 0.1 m on balls, let go from level: it whips. Energy 0 at the beginning. */
static void test_energy(void **state)
{
    (void)state;
    enum { LINKS = 25 };
    static const double steps[3] = {0.001, 0.005, 0.01};
    for (int run = 0; run < 3; ++run) {
        crn_model *model = tree_chain(LINKS, 0.1, 0.1);
        crn_world *world = physics_world(model);
        const double scale = LINKS * 0.1 * PHYSICS_G * 0.05 * LINKS; /* hanging: that much lower */
        double highest = -INFINITY, last = 0.0;
        for (int k = 0; k < (int)lround(10.0 / steps[run]); ++k) {
            crn_step_stats stats = physics_step(world, steps[run]);
            last = stats.kinetic + stats.potential;
            highest = fmax(highest, last);
        }
        print_message("chain of 25, h = %g: energy at the end %.3g of the scale\n", steps[run], last / scale);
        physics_at_most("chain of 25", "energy above the start, relative", highest / scale, 1e-9);
        assert_true(last / scale > -1.0);
        crn_world_destroy(world);
    }
}

/* With speeds at random on every joint. */
static void test_energy_perturbed(void **state)
{
    (void)state;
    enum { LINKS = 25 };
    crn_random random = test_random("perturbed chains", 11);
    for (int run = 0; run < 4; ++run) {
        crn_world *world = physics_world(tree_chain(LINKS, 0.1, 0.1));
        for (int i = 0; i < LINKS; ++i) {
            double u[3];
            for (int k = 0; k < 3; ++k) {
                u[k] = crn_random_uniform(&random, -0.2, 0.2);
            }
            assert_int_equal(crn_joint_set_velocity(world, crn_world_joint(world, i + 1), u), CRN_OK);
        }
        double start = 0.0;
        for (int i = 0; i < LINKS; ++i) {
            crn_twist v = physics_velocity(world, i);
            crn_pose pose = physics_pose(world, i);
            crn_mat3 inertia, turned;
            double mass;
            assert_int_equal(crn_body_mass(world, crn_world_body(world, i + 1), &mass, NULL, &inertia), CRN_OK);
            crn_frame frame = crn_frame_of(&pose);
            turned = crn_m3_turned(&frame.rotation, &inertia);
            start += 0.5 * mass * crn_v3_dot(v.linear, v.linear) +
                     0.5 * crn_v3_dot(v.angular, crn_m3_times(&turned, v.angular));
        }
        const double scale = LINKS * 0.1 * PHYSICS_G * 0.05 * LINKS;
        double highest = -INFINITY;
        for (int k = 0; k < 500; ++k) {
            crn_step_stats stats = physics_step(world, 0.01);
            highest = fmax(highest, stats.kinetic + stats.potential - start);
        }
        physics_at_most("perturbed chain", "energy above the start, relative", highest / scale, 1e-9);
        crn_world_destroy(world);
    }
}

/* Steps of random length: kicks are as long as half of the steps on their sides, and energy stays as near as with equal ones. */
static void test_random_steps(void **state)
{
    (void)state;
    crn_random random = test_random("random steps", 5);
    for (int run = 0; run < 3; ++run) {
        crn_world *world = physics_world(tree_chain(2, 0.5, 0.5));
        double start = NAN, most = 0.0, scale = 0.0;
        for (int k = 0; k < 400; ++k) {
            crn_step_stats stats = tree_step(world, crn_random_uniform(&random, 0.001, 0.01));
            double energy = stats.kinetic + stats.potential;
            start = k == 0 ? energy : start;
            scale = fmax(scale, fabs(stats.potential));
            most = fmax(most, fabs(energy - start));
        }
        physics_at_most("random steps", "energy off, relative", most / scale, 3e-3);
        crn_world_destroy(world);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_steps), cmocka_unit_test(test_exact_joints),
        cmocka_unit_test(test_momentum),     cmocka_unit_test(test_fall),
        cmocka_unit_test(test_energy),       cmocka_unit_test(test_energy_perturbed),
    };
    return TEST_RUN(tests, argc, argv);
}
