/* Hits: velocities exchanged, heights e^2, momentum kept. Scenes of gallery/world_collisions.c. */
#include "physics_case.h"

/* --- Two balls --- */

static void check_two_balls(double e, double ratio)
{
    char scene[64];
    crn_model *model;
    PHYSICS_FILL(model, crn_gallery_two_balls_of(model, e, ratio, &error));
    crn_world *world = physics_world(model);
    crn_step_stats stats = physics_run(world, 0.01, 100);
    (void)snprintf(scene, sizeof scene, "two balls, e %g, 1 and %g kg", e, ratio);
    physics_figure(scene, "velocity of the first [m/s]", physics_velocity(world, 0).linear.x,
                   (1.0 - e * ratio) / (1.0 + ratio), 1e-12);
    physics_figure(scene, "velocity of the second [m/s]", physics_velocity(world, 1).linear.x,
                   (1.0 + e) / (1.0 + ratio), 1e-12);
    physics_figure(scene, "momentum [kg m/s]", stats.momentum.x, 1.0, 1e-12);
    crn_world_destroy(world);
}

static void test_two_balls(void **state)
{
    (void)state;
    check_two_balls(1.0, 1.0);
    check_two_balls(1.0, 3.0);
    check_two_balls(0.5, 1.0);
    check_two_balls(0.0, 2.0);
}

/* --- Bouncing ball --- */

static double peak_after_bounce(double e, double height, double h)
{
    crn_model *model;
    double peak = 0.0;
    bool has_hit = false;
    PHYSICS_FILL(model, crn_gallery_bounce_of(model, e, height, &error));
    crn_world *world = physics_world(model);
    do {
        physics_step(world, h);
        has_hit = has_hit || physics_velocity(world, 1).linear.z > 0.0;
        peak = has_hit ? fmax(peak, physics_pose(world, 1).position.z - 0.1) : 0.0;
    } while (!has_hit || physics_velocity(world, 1).linear.z > 0.0);
    crn_world_destroy(world);
    return peak;
}

/* The scheme's own answer: falls with v_k = k g h until it would be below 0, stops there, leaves with e v_k. */
static double peak_of_scheme(double e, double height, double h)
{
    double v = 0.0, x = height, peak = 0.0;
    while (x > 0.0) {
        v += PHYSICS_G * h;
        x -= h * v;
    }
    for (x = 0.0, v *= e; v > PHYSICS_G * h; peak = x) {
        v -= PHYSICS_G * h;
        x += h * v;
    }
    return peak;
}

/* The speed at the floor is off by at most g h / 2, and a rise at speed v falls short by h v / 2. */
static void test_bounce(void **state)
{
    (void)state;
    const double e[3] = {0.9, 0.6, 0.3}, height = 1.0, speed = sqrt(2.0 * PHYSICS_G * height);
    for (int i = 0; i < 3; ++i) {
        for (double h = 0.01; h > 0.002; h *= 0.5) {
            char scene[64];
            double peak = peak_after_bounce(e[i], height, h);
            (void)snprintf(scene, sizeof scene, "bounce, e %g, h %g", e[i], h);
            physics_figure(scene, "peak, of the scheme [m]", peak, peak_of_scheme(e[i], height, h), 1e-9);
            physics_figure(scene, "peak [m]", peak, e[i] * e[i] * height,
                           0.5 * h * speed * e[i] * (1.0 + e[i]) + PHYSICS_G * h * h);
        }
    }
}

/* With a time of fall that is a whole number of steps only the rise is off: by e v h / 2, of order 1. */
static void test_bounce_order(void **state)
{
    (void)state;
    const double e = 0.8, fall = 0.4, height = 0.5 * PHYSICS_G * fall * fall * (1.0 - 1e-9);
    double error[4];
    for (int i = 0; i < 4; ++i) {
        error[i] = e * e * height - peak_after_bounce(e, height, 0.02 / (1 << i));
    }
    physics_figure("bounce", "order of the peak's error in h", log2(error[0] / error[3]) / 3.0, 1.0, 0.1);
}

/* --- Boxes on parallel hinges --- */

enum { CONTACTS = 10 };
static const double HINGE_INERTIA = 0.2 + 5.0 * 0.5 * 0.5; /* of either box about its hinge */

/* Moment about the line (x, z) = (at, 0) along y of all contact impulses on the left box. */
static double contact_moment(const crn_world *world, double at)
{
    int contacts;
    double sum = 0.0;
    const crn_contact *contact = crn_world_contacts(world, &contacts);
    assert_true(contacts >= CONTACTS);
    for (int i = 0; i < contacts; ++i) {
        double sign = contact[i].a.index1 == 1 ? 1.0 : -1.0;
        crn_vec3 r = {contact[i].point.x - at, 0.0, contact[i].point.z}, p = contact[i].impulse;
        sum += sign * (r.z * p.x - r.x * p.z);
    }
    return sum;
}

/* Change of the left box's momentum in a step: contacts and hinge. */
static void check_momentum(const char *scene, const crn_world *world, crn_vec3 before, double h)
{
    int contacts;
    crn_vec3 force, sum = {0.0, 0.0, 0.0}, after = physics_velocity(world, 0).linear;
    const crn_contact *contact = crn_world_contacts(world, &contacts);
    assert_int_equal(crn_joint_force(world, crn_world_joint(world, 1), &force, NULL), CRN_OK);
    for (int i = 0; i < contacts; ++i) {
        double sign = contact[i].a.index1 == 1 ? 1.0 : -1.0;
        sum.x += sign * contact[i].impulse.x;
        sum.z += sign * contact[i].impulse.z;
    }
    physics_figure(scene, "gain of momentum along x [kg m/s]", 5.0 * (after.x - before.x), sum.x + h * force.x, 1e-12);
    physics_figure(scene, "gain of momentum along z [kg m/s]", 5.0 * (after.z - before.z), sum.z + h * force.z, 1e-12);
}

/* The law of the step is exact. Closing the hinges after it, along the chord in place of the arc, changes w by its share
 * (h w)^2 / 20 at most; momentum stays exact. */
static void check_hinged(double e, double joint_tolerance)
{
    const double h = 0.01, spin = -1.0;
    crn_model *model;
    char scene[64];
    crn_gallery_hinged hinged = {.spin = spin, .restitution = e};
    PHYSICS_FILL(model, crn_gallery_hinged_boxes_of(model, &hinged, &error));
    crn_model_world(model)->joint_tolerance = joint_tolerance;
    crn_world *world = physics_world(model);
    double within = 1e-9 + (joint_tolerance > 0.0 ? h * h / 20.0 : 0.0);
    crn_vec3 before = physics_velocity(world, 0).linear;
    crn_step_stats stats = physics_step(world, h);
    double left = physics_velocity(world, 0).angular.y, right = physics_velocity(world, 1).angular.y;
    (void)snprintf(scene, sizeof scene, "hinged boxes, e %g%s", e, joint_tolerance > 0.0 ? ", closed" : "");
    assert_int_equal(stats.contacts, CONTACTS);
    physics_figure(scene, "w of the left one [1/s]", left, 0.5 * (1.0 - e) * spin, within);
    physics_figure(scene, "w of the right one [1/s]", right, 0.5 * (1.0 + e) * spin, within);
    physics_figure(scene, "moment of the contacts [N m s]", contact_moment(world, -0.1), HINGE_INERTIA * (left - spin),
                   within);
    check_momentum(scene, world, before, h);
    crn_world_destroy(world);
}

static void test_hinged_boxes(void **state)
{
    (void)state;
    for (int i = 0; i < 2; ++i) {
        double tolerance = i == 0 ? 0.0 : crn_world_def_default().joint_tolerance;
        check_hinged(0.0, tolerance);
        check_hinged(0.4, tolerance);
        check_hinged(1.0, tolerance);
    }
}

/* The whole scene, with weight and friction: solved throughout, and no hit makes energy. Closing hinges lets the energy of
 * 2 J or so that swings go up and down by its share (h w)^2, at 7/s. */
static void check_swing(double joint_tolerance, double most_gain)
{
    const double h = 0.01;
    crn_model *model = physics_scene("hinged-boxes");
    crn_model_world(model)->joint_tolerance = joint_tolerance;
    crn_world *world = physics_world(model);
    crn_step_stats stats = physics_step(world, h);
    double start = stats.kinetic + stats.potential, most = start, contacts = 0.0;
    for (int k = 0; k < 500; ++k) {
        stats = physics_step(world, h);
        most = fmax(most, stats.kinetic + stats.potential);
        contacts = fmax(contacts, stats.contacts);
    }
    physics_figure("hinged boxes, swinging", "most contacts", contacts, CONTACTS, 0.0);
    physics_at_most("hinged boxes, swinging", "gain of energy [J]", most - start, most_gain);
    crn_world_destroy(world);
}

static void test_hinged_boxes_swing(void **state)
{
    (void)state;
    check_swing(0.0, 1e-6);
    check_swing(crn_world_def_default().joint_tolerance, 0.01);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_balls),          cmocka_unit_test(test_bounce),
        cmocka_unit_test(test_bounce_order),       cmocka_unit_test(test_hinged_boxes),
        cmocka_unit_test(test_hinged_boxes_swing),
    };
    return TEST_RUN(tests, argc, argv);
}
