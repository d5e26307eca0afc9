/* Hits: velocities exchanged, heights e^2, momentum kept. Scenes of gallery/world_collisions.c. */
#include "physics_case.h"

/* --- Two balls --- */

static void check_two_balls(double e, double ratio)
{
    char scene[64];
    crn_model *model;
    PHYSICS_FILL(model, crn_gallery_two_balls_of(model, e, ratio, &error));
    crn_world *world = physics_world(model);
    crn_step_stats stats = {0};
    double impulse = 0.0; /* on the second, of all steps */
    for (int k = 0; k < 100; ++k) {
        int contacts;
        stats = physics_step(world, 0.01);
        const crn_contact *contact = crn_world_contacts(world, &contacts);
        for (int i = 0; i < contacts; ++i) {
            impulse += contact[i].a.index1 == 2 ? contact[i].impulse.x : -contact[i].impulse.x;
        }
    }
    (void)snprintf(scene, sizeof scene, "two balls, e %g, 1 and %g kg", e, ratio);
    physics_figure(scene, "impulse [N s]", impulse, (1.0 + e) * ratio / (1.0 + ratio), 1e-12);
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

typedef struct bounced {
    double rise; /* height and energy after the hit: z + v^2/(2 g) [m] */
    double peak; /* the highest place seen [m] */
} bounced;

static bounced bounce_once(double e, double height, double h)
{
    crn_model *model;
    bounced found = {0.0, 0.0};
    bool has_hit = false;
    PHYSICS_FILL(model, crn_gallery_bounce_of(model, e, height, &error));
    crn_world *world = physics_world(model);
    do {
        physics_step(world, h);
        double z = physics_pose(world, 1).position.z - 0.1, v = physics_velocity(world, 1).linear.z;
        if (!has_hit && v > 0.0) {
            has_hit = true;
            found.rise = z + 0.5 * v * v / PHYSICS_G;
        }
        found.peak = has_hit ? fmax(found.peak, z) : 0.0;
    } while (!has_hit || physics_velocity(world, 1).linear.z > 0.0);
    crn_world_destroy(world);
    return found;
}

/* Flight is the parabola. The hit is at the last step before the floor, a height phi above it, with the speed g t that belongs to
 * it: the ball rises to phi + e^2 (H - phi), and is seen there up to half a step before or after. */
static double height_of_hit(double height, double h)
{
    double t = h * floor(sqrt(2.0 * height / PHYSICS_G) / h);
    return height - 0.5 * PHYSICS_G * t * t;
}

static void test_bounce(void **state)
{
    (void)state;
    const double e[4] = {1.0, 0.9, 0.6, 0.3}, height = 1.0, speed = sqrt(2.0 * PHYSICS_G * height);
    for (int i = 0; i < 4; ++i) {
        for (double h = 0.01; h > 0.002; h *= 0.5) {
            char scene[64];
            bounced found = bounce_once(e[i], height, h);
            double lost = 1.0 - e[i] * e[i], phi = height_of_hit(height, h);
            (void)snprintf(scene, sizeof scene, "bounce, e %g, h %g", e[i], h);
            physics_figure(scene, "rise [m]", found.rise, e[i] * e[i] * height + lost * phi, 1e-12);
            physics_figure(scene, "rise, of the ball [m]", found.rise, e[i] * e[i] * height, lost * speed * h + 1e-12);
            physics_figure(scene, "peak [m]", found.peak, found.rise, PHYSICS_G * h * h / 8.0 + 1e-12);
        }
    }
}

/* With a time of fall that is a whole number of steps the hit is at the floor itself, and the rise is e^2 H to rounding. A hair
 * lower, and it is a step before: (1 - e^2) v h too high, of order 1. */
static void test_bounce_order(void **state)
{
    (void)state;
    const double e = 0.8, fall = 0.4, height = 0.5 * PHYSICS_G * fall * fall;
    double h[4], early[4];
    for (int i = 0; i < 4; ++i) {
        h[i] = 0.02 / (1 << i);
        bounced late = bounce_once(e, height * (1.0 + 1e-9), h[i]);
        physics_figure("bounce at the floor", "rise [m]", late.rise, e * e * height, 1e-8);
        early[i] = bounce_once(e, height * (1.0 - 1e-9), h[i]).rise - e * e * height;
    }
    physics_figure("bounce", "order of the rise's error in h", physics_order(h, early, 4), 1.0, 0.1);
}

/* An elastic ball goes on for ever: 100 s, some 110 hits. */
static void test_elastic(void **state)
{
    (void)state;
    crn_model *model;
    PHYSICS_FILL(model, crn_gallery_bounce_of(model, 1.0, 1.0, &error));
    crn_world *world = physics_world(model);
    double start = PHYSICS_G * 1.1, off = 0.0, lowest = 1.0, before = 0.0;
    int hits = 0;
    for (int k = 0; k < 10000; ++k) {
        crn_step_stats stats = physics_step(world, 0.01);
        double v = physics_velocity(world, 1).linear.z;
        off = fmax(off, fabs(stats.kinetic + stats.potential - start));
        lowest = fmin(lowest, physics_pose(world, 1).position.z - 0.1);
        hits += before < 0.0 && v > 0.0;
        before = v;
    }
    physics_at_most("elastic ball", "energy, relative change in 100 s", off / start, 1e-12);
    physics_at_most("elastic ball", "below the floor [m]", -lowest, 1e-9);
    TEST_CHECK(hits >= 105 && hits <= 115, "%d hits; one every 2 sqrt(2 H/g) = 0.903 s are 110", hits);
    crn_world_destroy(world);
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
 * (h w)^2 / 20 at most; momentum stays exact. Rows have no restitution. */
static void check_hinged_rows(double joint_tolerance)
{
    const double h = 0.01, spin = -1.0;
    crn_model *model;
    char scene[64];
    crn_gallery_hinged hinged = {.spin = spin};
    PHYSICS_FILL(model, crn_gallery_hinged_boxes_of(model, &hinged, &error));
    crn_model_world(model)->integrator = CRN_INTEGRATOR_HART;
    crn_model_world(model)->joint_tolerance = joint_tolerance;
    crn_world *world = physics_world(model);
    double within = 1e-9 + (joint_tolerance > 0.0 ? h * h / 20.0 : 0.0);
    crn_vec3 before = physics_velocity(world, 0).linear;
    crn_step_stats stats = physics_step(world, h);
    double left = physics_velocity(world, 0).angular.y, right = physics_velocity(world, 1).angular.y;
    (void)snprintf(scene, sizeof scene, "hinged boxes, rows%s", joint_tolerance > 0.0 ? ", closed" : "");
    assert_int_equal(stats.contacts, CONTACTS);
    physics_figure(scene, "w of the left one [1/s]", left, 0.5 * spin, within);
    physics_figure(scene, "w of the right one [1/s]", right, 0.5 * spin, within);
    physics_figure(scene, "moment of the contacts [N m s]", contact_moment(world, -0.1), HINGE_INERTIA * (left - spin),
                   within);
    check_momentum(scene, world, before, h);
    crn_world_destroy(world);
}

/* They are placed in touch: the hit is in the kick before the first drift. As they turn by h w their hinges are no longer side by
 * side as seen along the face, which changes their speeds by (0.1/0.5) h w^2 or so: the step is small. */
static void check_hinged(double e)
{
    const double h = 1e-7, spin = -1.0;
    crn_model *model;
    char scene[64];
    crn_gallery_hinged hinged = {.spin = spin, .restitution = e};
    PHYSICS_FILL(model, crn_gallery_hinged_boxes_of(model, &hinged, &error));
    crn_world *world = physics_world(model);
    crn_step_stats stats = physics_step(world, h);
    double left = physics_velocity(world, 0).angular.y, right = physics_velocity(world, 1).angular.y;
    (void)snprintf(scene, sizeof scene, "hinged boxes, e %g", e);
    assert_int_equal(stats.contacts, CONTACTS);
    physics_figure(scene, "w of the left one [1/s]", left, 0.5 * (1.0 - e) * spin, 1e-9 + 0.2 * h);
    physics_figure(scene, "w of the right one [1/s]", right, 0.5 * (1.0 + e) * spin, 1e-9 + 0.2 * h);
    physics_figure(scene, "energy, of that before", stats.kinetic / (0.5 * HINGE_INERTIA * spin * spin),
                   0.5 * (1.0 + e * e), 1e-9 + h);
    crn_world_destroy(world);
}

static void test_hinged_boxes(void **state)
{
    (void)state;
    check_hinged_rows(0.0);
    check_hinged_rows(crn_world_def_default().joint_tolerance);
    check_hinged(0.0);
    check_hinged(0.4);
    check_hinged(1.0);
}

/* The whole scene, with weight and friction: solved throughout, and no hit makes energy. Closing hinges lets the energy of
 * 2 J or so that swings go up and down by its share (h w)^2, at 7/s. */
static void check_swing(crn_integrator order, double joint_tolerance, double most_gain)
{
    const double h = 0.01;
    crn_model *model = physics_scene("hinged-boxes");
    crn_model_world(model)->integrator = order;
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
    check_swing(CRN_INTEGRATOR_HART, 0.0, 1e-6);
    check_swing(CRN_INTEGRATOR_HART, crn_world_def_default().joint_tolerance, 0.01);
    check_swing(CRN_INTEGRATOR_REFLECT, crn_world_def_default().joint_tolerance, 1e-9);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_balls),    cmocka_unit_test(test_bounce),
        cmocka_unit_test(test_bounce_order), cmocka_unit_test(test_elastic),
        cmocka_unit_test(test_hinged_boxes), cmocka_unit_test(test_hinged_boxes_swing),
    };
    return TEST_RUN(tests, argc, argv);
}
