/* Infeasibility: O(h^2 |v|^2) of the stabilised step [HA03 s2.3], halving h quarters it; repaired in the order of every world. And
 * Painleve's rod, whose impulse does not shrink with h at all. Scenes of gallery/world_rolling.c and gallery/world_pendulum.c. */
#include "physics_case.h"

enum { SIZES = 5 };

/* What is measured after a step. */
typedef double measure(crn_world *world);

static double overlap(crn_world *world)
{
    return physics_overlap(world);
}

/* Of a contact that pushes: also when it is a gap, as between two disks. */
static double gap(crn_world *world)
{
    int contacts;
    double worst = 0.0;
    const crn_contact *contact = crn_world_contacts(world, &contacts);
    for (int i = 0; i < contacts; ++i) {
        worst = physics_length(contact[i].impulse) > 0.0 ? fmax(worst, fabs(contact[i].gap)) : worst;
    }
    return worst;
}

static double rope_stretch(crn_world *world)
{
    double length;
    assert_int_equal(crn_joint_coordinate(world, crn_world_joint(world, 1), &length, NULL), CRN_OK);
    return fmax(length - 1.0, 0.0);
}

static double joint_gap(crn_world *world)
{
    double distance, angle;
    assert_int_equal(crn_joint_error(world, crn_world_joint(world, 1), &distance, &angle), CRN_OK);
    return distance;
}

static double worst_over(crn_integrator order, const char *scene, measure *measured, double h, double seconds)
{
    double worst = 0.0;
    crn_model *model = physics_scene(scene);
    crn_model_world(model)->integrator = order;
    crn_model_world(model)->joint_tolerance = 0.0;
    crn_world *world = physics_world(model);
    for (int k = 0; k < (int)(seconds / h + 0.5); ++k) {
        physics_step(world, h);
        worst = fmax(worst, measured(world));
    }
    crn_world_destroy(world);
    return worst;
}

/* Returns the worst over h^2, at the smallest h. */
static double check_order(const char *scene, const char *what, measure *measured, double seconds)
{
    double h[SIZES], worst[SIZES];
    char figure[64];
    for (int i = 0; i < SIZES; ++i) {
        h[i] = 0.02 / (1 << i);
        worst[i] = worst_over(CRN_INTEGRATOR_HART, scene, measured, h[i], seconds);
        print_message("%s: worst %s at h = %g: %.4g m\n", scene, what, h[i], worst[i]);
    }
    (void)snprintf(figure, sizeof figure, "order of the worst %s in h", what);
    physics_figure(scene, figure, physics_order(h, worst, SIZES), 2.0, 0.2);
    return worst[SIZES - 1] / (h[SIZES - 1] * h[SIZES - 1]);
}

/* Half the square of the pendulum's speed at its lowest point, over the distance of its centre from the hinge. */
static double pendulum_bend(void)
{
    const double arm = 0.5;
    double mass;
    crn_mat3 inertia;
    crn_world *world = physics_world(physics_scene("pendulum"));
    assert_int_equal(crn_body_mass(world, crn_world_body(world, 1), &mass, NULL, &inertia), CRN_OK);
    crn_world_destroy(world);
    return mass * PHYSICS_G * arm * arm / (inertia.m[8] + mass * arm * arm);
}

static void test_order(void **state)
{
    (void)state;
    check_order("rolling-ellipse", "overlap", overlap, 1.0);
    check_order("rolling-disk", "gap", gap, 0.5);
    /* the error is h^2 / 2 times the acceleration across the constraint: v^2 / r, largest at the lowest point */
    double rope = check_order("rope", "stretch", rope_stretch, 1.0);
    physics_figure("rope", "worst stretch / h^2 [m/s^2]", rope, PHYSICS_G, 0.005 * PHYSICS_G);
    double bend = check_order("pendulum", "joint error", joint_gap, 1.0), right = pendulum_bend();
    physics_figure("pendulum", "worst joint error / h^2 [m/s^2]", bend, right, 0.005 * right);
    check_order("double-pendulum", "joint error", joint_gap, 0.7);
}

/* Positions are repaired to 1e-7 m, however large h is; joints in trees are exact. */
static void check_repaired(const char *scene, const char *what, measure *measured, double seconds, double most)
{
    char figure[64];
    for (int i = 0; i < SIZES; ++i) {
        double h = 0.02 / (1 << i);
        (void)snprintf(figure, sizeof figure, "worst %s at h = %g [m]", what, h);
        physics_at_most(scene, figure, worst_over(CRN_INTEGRATOR_REFLECT, scene, measured, h, seconds), most);
    }
}

static void test_repaired(void **state)
{
    (void)state;
    check_repaired("rolling-ellipse", "overlap", overlap, 1.0, 1e-7);
    check_repaired("rolling-disk", "overlap", overlap, 0.5, 1e-7);
    check_repaired("rope", "stretch", rope_stretch, 1.0, 1e-7);
    check_repaired("pendulum", "joint error", joint_gap, 1.0, 1e-14);
    check_repaired("double-pendulum", "joint error", joint_gap, 0.7, 1e-14);
}

/* --- Painleve's rod --- */

enum { ROD = 1 }; /* body 0 is the floor */

/* With u_n, u_t of the lower end and a rod of mass 1 and half length l at an angle with sine s, cosine c:
 *     (u_n, u_t) = (-g h, v) + A r,    A = [1 + 3 c^2, -3 c s; -3 c s, 1 + 3 s^2],    det A = 4
 * Sliding on to the left asks for r_n = g h / (1 + 3 c^2 - 3 mu c s): where that is negative the end sticks, r = A^-1 (g h, -v). */
static void check_jam(double angle, double mu, double h)
{
    const double speed = -3.0, c = cos(angle), s = sin(angle), g = PHYSICS_G;
    double normal = 0.25 * ((1.0 + 3.0 * s * s) * g * h - 3.0 * c * s * speed);
    double tangent = 0.25 * (3.0 * c * s * g * h - (1.0 + 3.0 * c * c) * speed);
    char scene[64];
    crn_model *model;
    int contacts;
    PHYSICS_FILL(model, crn_gallery_painleve_of(model, &(crn_gallery_rod){angle, mu, speed, 0.0}, &error));
    crn_model_world(model)->integrator = CRN_INTEGRATOR_HART;
    crn_world *world = physics_world(model);
    physics_step(world, h);
    const crn_contact *contact = crn_world_contacts(world, &contacts);
    (void)snprintf(scene, sizeof scene, "painleve, angle %g, mu %g, h %g", angle, mu, h);
    assert_true(1.0 + 3.0 * c * c - 3.0 * mu * c * s < 0.0 && tangent <= mu * normal);
    double sign = contact[0].a.index1 == ROD + 1 ? 1.0 : -1.0;
    physics_figure(scene, "normal impulse of the first step [N s]", sign * contact[0].impulse.y, normal, 1e-8);
    physics_figure(scene, "friction impulse [N s]", sign * contact[0].impulse.x, tangent, 1e-8);
    crn_world_destroy(world);
}

/* In the order of every world what is placed so jams in the kick before the first drift. It leaves the rod with
 * v = (v + r_t, r_n) and w = 6 (s r_t - c r_n), which a step of h changes by h times accelerations of some 20 m/s^2. */
static void check_jammed(double angle, double mu)
{
    const double speed = -3.0, c = cos(angle), s = sin(angle), h = 1e-8;
    double normal = -0.75 * c * s * speed, tangent = -0.25 * (1.0 + 3.0 * c * c) * speed;
    char scene[64];
    crn_model *model;
    PHYSICS_FILL(model, crn_gallery_painleve_of(model, &(crn_gallery_rod){angle, mu, speed, 0.0}, &error));
    crn_world *world = physics_world(model);
    physics_step(world, h);
    crn_twist v = physics_velocity(world, ROD);
    (void)snprintf(scene, sizeof scene, "painleve, angle %g, mu %g, a first kick", angle, mu);
    physics_figure(scene, "velocity along the floor [m/s]", v.linear.x, speed + tangent, 100.0 * h);
    physics_figure(scene, "velocity up [m/s]", v.linear.y, normal, 100.0 * h);
    physics_figure(scene, "w [1/s]", v.angular.z, 6.0 * (s * tangent - c * normal), 100.0 * h);
    crn_world_destroy(world);
}

static void test_painleve_jam(void **state)
{
    (void)state;
    for (double h = 0.01; h > 0.5e-5; h *= 0.1) {
        check_jam(1.1, 3.0, h);
    }
    check_jam(0.95, 2.0, 0.01);
    check_jam(1.1, 1.5, 0.01);
    check_jammed(1.1, 3.0);
    check_jammed(0.95, 2.0);
    check_jammed(1.1, 1.5);
}

/* Every step is solved, and friction makes no energy: what a step of hart's may gain is what taking back an overlap d gives, the
 * impulse times d/h. */
static double step_gain(const crn_world *world, const crn_step_stats *stats, double before, double h)
{
    int contacts;
    const crn_contact *contact = crn_world_contacts(world, &contacts);
    double given = 0.0;
    for (int i = 0; i < contacts; ++i) {
        given += fmax(-contact[i].gap, 0.0) * fabs(contact[i].impulse.y) / h;
    }
    return stats->kinetic + stats->potential - before - given;
}

static void check_rod(const crn_gallery_rod *rod)
{
    const double h = 0.01;
    double gain = 0.0, before = INFINITY;
    crn_model *model;
    PHYSICS_FILL(model, crn_gallery_painleve_of(model, rod, &error));
    crn_model_world(model)->integrator = CRN_INTEGRATOR_HART;
    crn_world *world = physics_world(model);
    for (int k = 0; k < 100; ++k) {
        crn_step_stats stats = physics_step(world, h);
        gain = k > 0 ? fmax(gain, step_gain(world, &stats, before, h)) : 0.0;
        before = stats.kinetic + stats.potential;
    }
    TEST_CHECK(gain <= 1e-7, "rod at %g, mu %g, speed %g, spin %g: gains %g J", rod->angle, rod->friction, rod->speed,
               rod->spin, gain);
    crn_world_destroy(world);
}

/* The highest energy in a second above that of the beginning. In the order of every world it swings with the error of the time
 * step, as a rod on a hinge would. */
static double highest_gain(const crn_gallery_rod *rod, double h)
{
    double gain = 0.0;
    crn_model *model;
    PHYSICS_FILL(model, crn_gallery_painleve_of(model, rod, &error));
    crn_world *world = physics_world(model);
    for (int k = 0; k < (int)lround(1.0 / h); ++k) {
        crn_step_stats stats = physics_step(world, h);
        gain = fmax(gain, stats.ledger.gained);
    }
    crn_world_destroy(world);
    return gain;
}

enum { RODS = 900 };

static crn_gallery_rod rod_at(int i)
{
    return (crn_gallery_rod){.angle = 0.1 + 0.1 * (i / 15 % 15),
                             .friction = 1.5 + 0.5 * (i / 225),
                             .speed = -6.0 + 3.0 * (i / 3 % 5),
                             .spin = -3.0 + 3.0 * (i % 3)};
}

static void test_painleve_many(void **state)
{
    (void)state;
    for (int i = 0; i < RODS; ++i) {
        crn_gallery_rod rod = rod_at(i);
        check_rod(&rod);
    }
    physics_figure("painleve", "runs of 100 steps, every step solved", RODS, 900, 0.0);
}

/* Friction and pivoting make no energy, at any step. */
static void test_painleve_energy(void **state)
{
    (void)state;
    const double h[3] = {0.02, 0.01, 0.005};
    for (int k = 0; k < 3; ++k) {
        double most = 0.0;
        for (int i = 0; i < RODS; ++i) {
            crn_gallery_rod rod = rod_at(i);
            most = fmax(most, highest_gain(&rod, h[k]));
        }
        print_message("h = %g: ", h[k]);
        physics_at_most("painleve", "most energy gained, of some 10 J", most, 1e-12);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),           cmocka_unit_test(test_repaired),
        cmocka_unit_test(test_painleve_jam),    cmocka_unit_test(test_painleve_many),
        cmocka_unit_test(test_painleve_energy),
    };
    return TEST_RUN(tests, argc, argv);
}
