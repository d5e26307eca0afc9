/* Coulomb's law in motion: what rests, rests; what slides, slides as it should, in every direction. Scenes of
 * gallery/world_friction.c. */
#include "physics_case.h"

static const double SLOPE = PHYSICS_PI / 6.0;

/* --- Incline --- */

/* Fastest speed of the box after the first 0.1 s of 2 s. */
static double creep_of(crn_world *world)
{
    double worst = 0.0;
    for (int k = 0; k < 200; ++k) {
        physics_step(world, 0.01);
        crn_twist velocity = physics_velocity(world, 1);
        double speed = physics_length(velocity.linear) + 0.1 * physics_length(velocity.angular);
        worst = k >= 10 && speed > worst ? speed : worst;
    }
    return worst;
}

static crn_world *incline(bool is_planar, crn_contact_cone cone, double heading, double factor)
{
    crn_model *model;
    crn_gallery_incline def = {.is_planar = is_planar, .angle = SLOPE, .heading = heading, .factor = factor};
    PHYSICS_FILL(model, crn_gallery_incline_of(model, &def, &error));
    crn_model_world(model)->cone = cone;
    return physics_world(model);
}

static void test_incline_rests(void **state)
{
    (void)state;
    for (int degrees = 0; degrees <= 45; degrees += 15) {
        char figure[64];
        (void)snprintf(figure, sizeof figure, "creep at heading %d [m/s]", degrees);
        crn_world *world = incline(false, CRN_CONE_ROUND, degrees * PHYSICS_PI / 180.0, 1.02);
        physics_at_most("incline", figure, creep_of(world), 1e-10);
        crn_world_destroy(world);
    }
    crn_world *world = incline(true, CRN_CONE_ROUND, 0.0, 1.02);
    physics_at_most("incline, planar", "creep [m/s]", creep_of(world), 1e-10);
    crn_world_destroy(world);
}

/* Acceleration of the first second: velocity and way after k steps are a t and a t^2/2, without error. */
static void check_slide(const char *scene, crn_world *world, double within)
{
    const double mu = 0.95 * tan(SLOPE), a = PHYSICS_G * (sin(SLOPE) - mu * cos(SLOPE));
    crn_vec3 start = physics_pose(world, 1).position;
    double worst = a, way = 0.0;
    for (int k = 1; k <= 100; ++k) {
        double t = 0.01 * k;
        physics_step(world, 0.01);
        double found = physics_length(physics_velocity(world, 1).linear) / t;
        worst = fabs(found - a) > fabs(worst - a) ? found : worst;
        way = fmax(way, fabs(physics_distance(physics_pose(world, 1).position, start) - 0.5 * a * t * t));
    }
    physics_figure(scene, "worst acceleration [m/s^2]", worst, a, within * a);
    physics_at_most(scene, "way, off by [m]", way, within * a);
    crn_world_destroy(world);
}

static void test_incline_slides(void **state)
{
    (void)state;
    for (int degrees = 0; degrees <= 45; degrees += 15) {
        char scene[64];
        double heading = degrees * PHYSICS_PI / 180.0;
        (void)snprintf(scene, sizeof scene, "incline, round cone, heading %d", degrees);
        check_slide(scene, incline(false, CRN_CONE_ROUND, heading, 0.95), 1e-7);
        (void)snprintf(scene, sizeof scene, "incline, polygon, heading %d", degrees);
        check_slide(scene, incline(false, CRN_CONE_POLYGON, heading, 0.95), 1e-9);
    }
    check_slide("incline, planar", incline(true, CRN_CONE_ROUND, 0.0, 0.95), 1e-9);
    check_slide("incline, planar, polygon", incline(true, CRN_CONE_POLYGON, 0.0, 0.95), 1e-9);
}

/* --- Push --- */

static double pushed_speed(double force, double heading, crn_contact_cone cone)
{
    crn_model *model;
    PHYSICS_FILL(model, crn_gallery_push_of(model, force, heading, &error));
    crn_model_world(model)->cone = cone;
    crn_world *world = physics_world(model);
    physics_run(world, 0.01, 50);
    double speed = physics_length(physics_velocity(world, 1).linear);
    crn_world_destroy(world);
    return speed;
}

static void test_push(void **state)
{
    (void)state;
    for (int degrees = 0; degrees <= 90; degrees += 15) {
        char figure[64];
        double heading = degrees * PHYSICS_PI / 180.0;
        (void)snprintf(figure, sizeof figure, "speed after 0.5 s of 4.90 N at %d", degrees);
        physics_at_most("push", figure, pushed_speed(4.90, heading, CRN_CONE_ROUND), 1e-9);
        (void)snprintf(figure, sizeof figure, "speed after 0.5 s of 4.91 N at %d", degrees);
        physics_figure("push", figure, pushed_speed(4.91, heading, CRN_CONE_ROUND), 0.5 * (4.91 - 4.905), 1e-8);
    }
}

/* The least force that moves the box, by bisection: it moves if it gains more than 1e-7 m/s^2. */
static double threshold(double heading, crn_contact_cone cone)
{
    double rests = 4.5, moves = 5.5;
    while (moves - rests > 1e-7) {
        double force = 0.5 * (rests + moves);
        *(pushed_speed(force, heading, cone) > 0.5 * 1e-7 ? &moves : &rests) = force;
    }
    return 0.5 * (rests + moves);
}

static void test_push_threshold(void **state)
{
    (void)state;
    for (int degrees = 0; degrees <= 90; degrees += 18) {
        char figure[64];
        double heading = degrees * PHYSICS_PI / 180.0;
        (void)snprintf(figure, sizeof figure, "threshold at %d, round cone [N]", degrees);
        physics_figure("push", figure, threshold(heading, CRN_CONE_ROUND), 0.5 * PHYSICS_G, 1e-6);
        (void)snprintf(figure, sizeof figure, "threshold at %d, polygon [N]", degrees);
        physics_figure("push", figure, threshold(heading, CRN_CONE_POLYGON), 0.5 * PHYSICS_G, 1e-6);
    }
}

/* --- Launch --- */

/* Velocities of the drifts are v - (k - 1/2) h a while that is positive, then 0: N = v/(h a), rounded, of them. That is exact but
 * for the last step, whose velocity is a mean: short of v^2/(2 a) by (v - N a h)^2/(2 a), at most a h^2/8. */
static double launch_distance(double h)
{
    const double v = 6.0, a = 0.5 * PHYSICS_G, steps = nearbyint(v / (h * a));
    return h * (steps * v - 0.5 * h * a * steps * steps);
}

static void check_launch(int degrees)
{
    const double h = 0.005, heading = degrees * PHYSICS_PI / 180.0, half = 0.05;
    crn_model *model;
    char scene[64];
    double lift = 0.0, aside = 0.0;
    PHYSICS_FILL(model, crn_gallery_launch_of(model, heading, &error));
    crn_world *world = physics_world(model);
    for (int k = 0; k < 400; ++k) {
        physics_step(world, h);
        crn_vec3 x = physics_pose(world, 1).position;
        lift = fmax(lift, fabs(x.z - half));
        aside = fmax(aside, fabs(x.y * cos(heading) - x.x * sin(heading)));
    }
    crn_vec3 x = physics_pose(world, 1).position;
    double way = x.x * cos(heading) + x.y * sin(heading), exact = 36.0 / PHYSICS_G;
    (void)snprintf(scene, sizeof scene, "launch at heading %d", degrees);
    physics_at_most(scene, "lift [m]", lift, 1e-9);
    physics_at_most(scene, "aside [m]", aside, 1e-9);
    physics_figure(scene, "way, of the scheme [m]", way, launch_distance(h), 1e-9);
    physics_figure(scene, "way [m]", way, exact, 0.125 * 0.5 * PHYSICS_G * h * h + 1e-9);
    physics_at_most(scene, "speed at the end [m/s]", physics_length(physics_velocity(world, 1).linear), 1e-9);
    crn_world_destroy(world);
}

static void test_launch(void **state)
{
    (void)state;
    check_launch(0);
    check_launch(30);
    check_launch(45);
}

/* --- Held --- */

static void test_wall(void **state)
{
    (void)state;
    crn_world *world = physics_world(physics_scene("wall"));
    crn_vec3 start = physics_pose(world, 1).position, force;
    physics_run(world, 0.01, 200);
    physics_at_most("wall", "way in 2 s [m]", physics_distance(physics_pose(world, 1).position, start), 1e-8);
    assert_int_equal(crn_body_contact_force(world, crn_world_body(world, 2), &force, NULL), CRN_OK);
    physics_figure("wall", "pressure [N]", force.x, 20.0, 1e-6);
    physics_figure("wall", "friction [N]", force.z, PHYSICS_G, 1e-6);
    crn_world_destroy(world);
}

static void check_pinch(double force, bool is_upright)
{
    crn_model *model;
    char scene[64];
    PHYSICS_FILL(model, crn_gallery_pinch_of(model, force, is_upright, &error));
    crn_world *world = physics_world(model);
    physics_run(world, 0.01, 200);
    (void)snprintf(scene, sizeof scene, "pinch, %s, %g N", is_upright ? "upright" : "level", force);
    physics_at_most(scene, "way in 2 s [m]", physics_length(physics_pose(world, 0).position), 1e-9);
    crn_world_destroy(world);
}

static void test_pinch(void **state)
{
    (void)state;
    for (int i = 0; i <= 4; ++i) {
        check_pinch(12.0 + 12.0 * i, true);
        check_pinch(12.0 + 12.0 * i, false);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_incline_rests),  cmocka_unit_test(test_incline_slides), cmocka_unit_test(test_push),
        cmocka_unit_test(test_push_threshold), cmocka_unit_test(test_launch),         cmocka_unit_test(test_wall),
        cmocka_unit_test(test_pinch),
    };
    return TEST_RUN(tests, argc, argv);
}
