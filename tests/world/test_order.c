/* One order for every world: drift, then kick. What it gives exactly, and what it gives to second order: flight, sliding,
 * rolling, momentum, energy, rest, and books that balance in every step of every scene of the gallery. */
#include "physics_case.h"

static const crn_body_id nothing = {0, 0};

static crn_world *new_world(bool is_planar, crn_vec3 gravity)
{
    crn_world_def def = crn_world_def_default();
    crn_world *world = NULL;
    crn_error error = {CRN_OK, ""};
    def.is_planar = is_planar;
    def.gravity = gravity;
    TEST_CHECK(crn_world_create(&def, NULL, &world, &error) == CRN_OK, "%s", error.text);
    return world;
}

static crn_body_id add(crn_world *world, const crn_body_def *def)
{
    crn_body_id body = nothing;
    crn_error error = {CRN_OK, ""};
    TEST_CHECK(crn_body_create(world, def, &body, &error) == CRN_OK, "%s", error.text);
    return body;
}

/* A body of one shape, 1 kg if it is free. */
static crn_body_id add_shape(crn_world *world, crn_body_kind kind, crn_shape_def shape_def, double friction,
                             crn_pose pose, crn_twist velocity)
{
    crn_body_shape shape = crn_body_shape_default();
    crn_body_def def = crn_body_def_default();
    shape.shape = shape_def;
    shape.friction = friction;
    def.kind = kind;
    def.pose = pose;
    def.mass = kind == CRN_BODY_FREE ? 1.0 : 0.0;
    def.velocity = velocity.linear;
    def.angular = velocity.angular;
    def.shape = &shape;
    def.shapes = 1;
    return add(world, &def);
}

static crn_pose at(double x, double y, double z)
{
    return (crn_pose){{x, y, z}, {1.0, 0.0, 0.0, 0.0}};
}

static const crn_twist still = {{0, 0, 0}, {0, 0, 0}};
static const crn_vec3 down = {0.0, 0.0, -PHYSICS_G}, no_weight = {0.0, 0.0, 0.0};

static void join(crn_world *world, const crn_joint_def *def, crn_body_id a, crn_body_id b)
{
    crn_joint_id joint;
    crn_error error = {CRN_OK, ""};
    TEST_CHECK(crn_joint_create(world, def, a, b, &joint, &error) == CRN_OK, "%s", error.text);
}

/* A sphere on a ball joint in a tree, 100 m from everything. */
static void add_pendulum(crn_world *world)
{
    crn_joint_def joint = crn_joint_def_default();
    crn_body_id bob = add_shape(world, CRN_BODY_FREE, (crn_shape_def){.kind = CRN_SHAPE_SPHERE, .size = {0.1, 0, 0}},
                                0.5, at(100.8, 0.0, 5.4), still);
    joint.kind = CRN_JOINT_BALL;
    joint.in_tree = true;
    joint.frame_a.position = (crn_vec3){100.0, 0.0, 6.0};
    joint.frame_b.position = (crn_vec3){-0.8, 0.0, 0.6};
    join(world, &joint, nothing, bob);
}

/* --- Flight --- */

static const crn_twist THROWN = {{2.0, -1.0, 5.0}, {3.0, -2.0, 4.0}};

static crn_body_id throw_ball(crn_world *world)
{
    return add_shape(world, CRN_BODY_FREE, (crn_shape_def){.kind = CRN_SHAPE_SPHERE, .size = {0.1, 0, 0}}, 0.5,
                     at(1.0, 2.0, 3.0), THROWN);
}

/* x = x0 + v t + g t^2/2 and v + g t at every step, whatever h is. */
static void check_flight(double h, bool has_neighbour)
{
    crn_world *world = new_world(false, down);
    crn_vec3 v = THROWN.linear;
    double off = 0.0, slow = 0.0, energy = 0.0;
    (void)throw_ball(world);
    if (has_neighbour) {
        add_pendulum(world);
    }
    for (int k = 1; k <= (int)lround(0.5 / h); ++k) {
        double t = k * h;
        physics_step(world, h);
        crn_vec3 x = physics_pose(world, 0).position, u = physics_velocity(world, 0).linear;
        crn_vec3 right = {1.0 + v.x * t, 2.0 + v.y * t, 3.0 + v.z * t - 0.5 * PHYSICS_G * t * t};
        off = fmax(off, physics_distance(x, right));
        slow = fmax(slow, physics_distance(u, (crn_vec3){v.x, v.y, v.z - PHYSICS_G * t}));
        energy = fmax(energy, fabs(0.5 * (u.z * u.z - v.z * v.z) + PHYSICS_G * (x.z - 3.0)));
    }
    char scene[64];
    (void)snprintf(scene, sizeof scene, "flight, h %g%s", h, has_neighbour ? ", beside a pendulum" : "");
    physics_at_most(scene, "off the parabola [m]", off, 1e-12);
    physics_at_most(scene, "speed, off by [m/s]", slow, 1e-12);
    physics_at_most(scene, "energy, off by [J]", energy, 1e-11);
    crn_world_destroy(world);
}

static void test_flight(void **state)
{
    (void)state;
    for (double h = 1e-4; h < 0.2; h *= 10.0) {
        check_flight(h, false);
        check_flight(h, true);
    }
}

/* What is 100 m away changes no bit: body 1 flies, or slides on body 0. */
static void check_same_bits(const char *scene, double h, bool is_sliding)
{
    crn_world *world[2];
    for (int i = 0; i < 2; ++i) {
        world[i] = new_world(false, down);
        add_shape(world[i], CRN_BODY_FIXED, (crn_shape_def){.kind = CRN_SHAPE_PLANE}, 0.5, at(0, 0, 0), still);
        if (is_sliding) {
            add_shape(world[i], CRN_BODY_FREE, (crn_shape_def){.kind = CRN_SHAPE_BOX, .size = {0.5, 0.5, 0.5}}, 0.5,
                      at(0, 0, 0.5), (crn_twist){{0, 0, 0}, {3.0, 0, 0}});
        } else {
            (void)throw_ball(world[i]);
        }
        if (i == 1) {
            add_pendulum(world[i]);
        }
    }
    for (int k = 0; k < 100; ++k) {
        physics_step(world[0], h);
        physics_step(world[1], h);
        crn_pose a = physics_pose(world[0], 1), b = physics_pose(world[1], 1);
        crn_twist v = physics_velocity(world[0], 1), w = physics_velocity(world[1], 1);
        TEST_CHECK(memcmp(&a, &b, sizeof a) == 0 && memcmp(&v, &w, sizeof v) == 0,
                   "%s, h %g: a pendulum 100 m away changes step %d by %g m", scene, h, k,
                   physics_distance(a.position, b.position));
    }
    crn_world_destroy(world[0]);
    crn_world_destroy(world[1]);
}

static void test_neighbours(void **state)
{
    (void)state;
    for (double h = 1e-4; h < 0.2; h *= 10.0) {
        check_same_bits("flight", h, false);
        check_same_bits("slide", h, true);
    }
}

/* --- Sliding --- */

/* Every velocity but the last falls by a h, the first by half of that: x = h (n v - a h n^2/2), where n is the nearest whole
 * number to v/(a h). So it stops short of v^2/(2 a) by (v - n a h)^2/(2 a), at most a h^2/8. */
static double short_of(double v, double mu, double h)
{
    const double a = mu * PHYSICS_G, right = 0.5 * v * v / a;
    crn_world *world = new_world(false, down);
    add_shape(world, CRN_BODY_FIXED, (crn_shape_def){.kind = CRN_SHAPE_PLANE}, mu, at(0, 0, 0), still);
    add_shape(world, CRN_BODY_FREE, (crn_shape_def){.kind = CRN_SHAPE_BOX, .size = {0.5, 0.5, 0.1}}, mu, at(0, 0, 0.1),
              (crn_twist){{0, 0, 0}, {v, 0, 0}});
    physics_run(world, h, (int)ceil(v / (a * h)) + 3);
    double way = physics_pose(world, 1).position.x, n = nearbyint(v / (a * h));
    TEST_CHECK(physics_length(physics_velocity(world, 1).linear) <= 1e-12, "it slides on at %g m/s",
               physics_length(physics_velocity(world, 1).linear));
    TEST_CHECK(fabs(right - way - 0.5 * (v - n * a * h) * (v - n * a * h) / a) <= 1e-9,
               "v %g, mu %g, h %g: stops after %.12g m", v, mu, h, way);
    crn_world_destroy(world);
    return right - way;
}

static void test_sliding_stop(void **state)
{
    (void)state;
    enum { SIZES = 4, SPEEDS = 8 };
    const double mu = 0.5;
    double h[SIZES], worst[SIZES];
    for (int i = 0; i < SIZES; ++i) {
        h[i] = 0.02 / (1 << i);
        worst[i] = 0.0;
        for (int k = 0; k < SPEEDS; ++k) { /* from half a kick off a whole number of them to a whole number */
            double v = (floor(2.0 / (mu * PHYSICS_G * h[i])) + 0.499 - k / 16.0) * mu * PHYSICS_G * h[i];
            double off = short_of(v, mu, h[i]);
            TEST_CHECK(off >= -1e-9 && off <= 0.125 * mu * PHYSICS_G * h[i] * h[i] + 1e-9,
                       "v %g, h %g: stops %g m short", v, h[i], off);
            worst[i] = fmax(worst[i], off);
        }
        print_message("sliding stop: h = %g, short by %.3g m at most\n", h[i], worst[i]);
    }
    physics_figure("sliding stop", "order of what is missing in h", physics_order(h, worst, SIZES), 2.0, 0.05);
}

/* --- Rolling --- */

enum { ROLLING_STEPS = 100 };

/* Speed along the slope after each step: a t, with a = 2/3 g sin of what rolls and is solid; x = a t^2/2. */
static void check_roll(const char *scene, crn_world *world, int body, crn_vec3 downhill, double slope, double h)
{
    const double a = 2.0 / 3.0 * PHYSICS_G * sin(slope), radius = 0.3;
    crn_vec3 start = physics_pose(world, body).position;
    double worst = a, way = 0.0, slip = 0.0;
    for (int k = 1; k <= ROLLING_STEPS; ++k) {
        double t = k * h;
        physics_step(world, h);
        crn_twist v = physics_velocity(world, body);
        crn_vec3 x = physics_pose(world, body).position;
        double speed = v.linear.x * downhill.x + v.linear.y * downhill.y + v.linear.z * downhill.z;
        double gone = (x.x - start.x) * downhill.x + (x.y - start.y) * downhill.y + (x.z - start.z) * downhill.z;
        worst = fabs(speed / t - a) > fabs(worst - a) ? speed / t : worst;
        way = fmax(way, fabs(gone - 0.5 * a * t * t));
        slip = fmax(slip, fabs(speed - radius * physics_length(v.angular)));
    }
    physics_figure(scene, "worst acceleration [m/s^2]", worst, a, 1e-9 * a);
    physics_at_most(scene, "way, off by [m]", way, 1e-9);
    physics_at_most(scene, "slip [m/s]", slip, 1e-9);
    crn_world_destroy(world);
}

/* A cylinder across a box that is tilted about y: down is towards x. */
static crn_world *cylinder_world(double slope)
{
    crn_world *world = new_world(false, down);
    crn_quat tilt = {cos(0.5 * slope), 0.0, sin(0.5 * slope), 0.0}, across = {sqrt(0.5), sqrt(0.5), 0.0, 0.0};
    crn_vec3 normal = {sin(slope), 0.0, cos(slope)};
    add_shape(world, CRN_BODY_FIXED, (crn_shape_def){.kind = CRN_SHAPE_BOX, .size = {10.0, 5.0, 0.5}}, 0.8,
              (crn_pose){{-0.5 * normal.x, 0.0, -0.5 * normal.z}, tilt}, still);
    add_shape(world, CRN_BODY_FREE, (crn_shape_def){.kind = CRN_SHAPE_CYLINDER, .size = {0.3, 0.4, 0.0}}, 0.8,
              (crn_pose){{0.3 * normal.x, 0.0, 0.3 * normal.z}, across}, still);
    return world;
}

static void test_rolling_cylinder(void **state)
{
    (void)state;
    const double slope = 0.3, h[3] = {0.002, 0.005, 0.01};
    for (int i = 0; i < 3; ++i) {
        char scene[64];
        (void)snprintf(scene, sizeof scene, "cylinder on a tilted box, h %g", h[i]);
        check_roll(scene, cylinder_world(slope), 1, (crn_vec3){cos(slope), 0.0, -sin(slope)}, slope, h[i]);
    }
}

/* A disk on a half-plane, or on a segment, whose normal leans to the right. */
static crn_world *disk_world(double slope, bool is_segment)
{
    crn_world *world = new_world(true, (crn_vec3){0.0, -PHYSICS_G, 0.0});
    crn_shape_def ground = is_segment ? (crn_shape_def){.kind = CRN_SHAPE_SEGMENT, .size = {10.0, 0.0, 0.0}}
                                      : (crn_shape_def){.kind = CRN_SHAPE_HALF_PLANE};
    crn_quat tilt = {cos(0.5 * slope), 0.0, 0.0, -sin(0.5 * slope)};
    add_shape(world, CRN_BODY_FIXED, ground, 0.8, (crn_pose){{0, 0, 0}, tilt}, still);
    add_shape(world, CRN_BODY_FREE, (crn_shape_def){.kind = CRN_SHAPE_DISK, .size = {0.3, 0, 0}}, 0.8,
              at(0.3 * sin(slope), 0.3 * cos(slope), 0.0), still);
    return world;
}

static void test_rolling_disk(void **state)
{
    (void)state;
    const double slope = 0.3, h[3] = {0.002, 0.005, 0.01};
    for (int i = 0; i < 6; ++i) {
        char scene[64];
        (void)snprintf(scene, sizeof scene, "disk on a %s, h %g", i % 2 ? "segment" : "half-plane", h[i / 2]);
        check_roll(scene, disk_world(slope, i % 2), 1, (crn_vec3){cos(slope), -sin(slope), 0.0}, slope, h[i / 2]);
    }
}

/* --- Momentum of what floats --- */

enum { LINKS = 5 };

/* Lumps in a row, joined by one kind after the other, each with a motion of its own; nothing else acts. */
static crn_world *floating_world(bool as_rows)
{
    static const crn_joint_kind kinds[LINKS - 1] = {CRN_JOINT_BALL, CRN_JOINT_HINGE, CRN_JOINT_UNIVERSAL,
                                                    CRN_JOINT_SLIDER};
    crn_world *world = new_world(false, no_weight);
    crn_body_id last = nothing;
    for (int i = 0; i < LINKS; ++i) {
        crn_body_def def = crn_body_def_default();
        def.mass = 1.0 + 0.5 * i;
        def.inertia = (crn_mat3){{0.02 + 0.01 * i, 0, 0, 0, 0.05, 0, 0, 0, 0.06}};
        def.com = (crn_vec3){0.03, -0.02, 0.01 * i};
        def.pose.position.x = 0.5 * i;
        def.angular = (crn_vec3){0.7, 0.4 * i, 1.0 - 0.3 * i};
        def.velocity = (crn_vec3){0.05, 0.3 - 0.2 * i, 0.1 * i};
        crn_body_id body = add(world, &def);
        if (i > 0) {
            crn_joint_def joint = crn_joint_def_default();
            joint.kind = kinds[i - 1];
            joint.as_rows = as_rows;
            joint.frame_a.position.x = 0.25;
            joint.frame_b.position.x = -0.25;
            if (joint.kind == CRN_JOINT_SLIDER) { /* it hits its ends now and then */
                joint.axis[0].lower = -0.1;
                joint.axis[0].upper = 0.1;
            }
            join(world, &joint, last, body);
        }
        last = body;
    }
    return world;
}

static void check_floating(const char *scene, bool as_rows)
{
    crn_world *world = floating_world(as_rows);
    crn_step_stats first = physics_step(world, 0.01), last = first;
    double linear = 0.0, angular = 0.0, highest = first.kinetic;
    for (int k = 0; k < 1000; ++k) {
        last = physics_step(world, 0.01);
        linear = fmax(linear, physics_distance(last.momentum, first.momentum));
        angular = fmax(angular, physics_distance(last.angular_momentum, first.angular_momentum));
        highest = fmax(highest, last.kinetic);
    }
    physics_at_most(scene, "momentum, relative change in 10 s", linear / physics_length(first.momentum), 1e-12);
    physics_at_most(scene, "angular momentum, relative change in 10 s",
                    angular / physics_length(first.angular_momentum), 1e-12);
    physics_at_most(scene, "energy gained, relative", highest / first.kinetic - 1.0, 1e-12);
    crn_world_destroy(world);
}

static void test_floating_tree(void **state)
{
    (void)state;
    check_floating("floating chain, a tree", false);
}

static void test_floating_rows(void **state)
{
    (void)state;
    check_floating("floating chain, rows", true);
}

/* --- Energy --- */

/* Two bars released level swing for a second: the energy at the end, nothing clamped. */
static double energy_error(double h, bool as_rows)
{
    crn_model *model;
    PHYSICS_FILL(model, crn_gallery_pendulum_of(model, 2, h, &error));
    crn_model_world(model)->is_unclamped = true;
    crn_world *world = NULL;
    assert_int_equal(crn_world_create(crn_model_world_of(model), NULL, &world, NULL), CRN_OK);
    for (int i = 0; i < crn_model_bodies(model); ++i) {
        (void)add(world, crn_model_body(model, i));
    }
    for (int i = 0; i < crn_model_joints(model); ++i) {
        crn_joint_def joint = *crn_model_joint(model, i);
        joint.as_rows = as_rows;
        join(world, &joint, joint.a < 0 ? nothing : crn_world_body(world, joint.a + 1),
             crn_world_body(world, joint.b + 1));
    }
    crn_model_destroy(model);
    crn_step_stats stats = physics_run(world, h, (int)lround(1.0 / h));
    crn_world_destroy(world);
    return fabs(stats.kinetic + stats.potential); /* released at height 0, at rest */
}

static void check_energy_order(const char *scene, bool as_rows)
{
    enum { SIZES = 4 };
    double h[SIZES], off[SIZES];
    for (int i = 0; i < SIZES; ++i) {
        h[i] = 0.005 / (1 << i);
        off[i] = energy_error(h[i], as_rows);
        print_message("%s: h = %g, energy off by %.4g J\n", scene, h[i], off[i]);
    }
    double order = physics_order(h, off, SIZES);
    print_message("%s: order of the energy's error in h = %.4g, right = 2\n", scene, order);
    TEST_CHECK(order >= 1.9, "%s: the energy's error is of order %g", scene, order);
    physics_at_most(scene, "energy's error at 5 ms [J], of 10 that swing", off[0], 1e-3);
}

static void test_energy_of_a_tree(void **state)
{
    (void)state;
    check_energy_order("double pendulum, a tree", false);
}

static void test_energy_of_rows(void **state)
{
    (void)state;
    check_energy_order("double pendulum, rows", true);
}

/* --- Rest --- */

static void test_rest(void **state)
{
    (void)state;
    for (double h = 1e-3; h < 0.2; h *= 10.0) {
        crn_world *world = new_world(false, down);
        add_shape(world, CRN_BODY_FIXED, (crn_shape_def){.kind = CRN_SHAPE_PLANE}, 0.5, at(0, 0, 0), still);
        add_shape(world, CRN_BODY_FREE, (crn_shape_def){.kind = CRN_SHAPE_BOX, .size = {0.5, 0.5, 0.5}}, 0.5,
                  at(0, 0, 0.5), still);
        double fastest = 0.0, way = 0.0;
        for (int k = 0; k < 200; ++k) {
            physics_step(world, h);
            crn_twist v = physics_velocity(world, 1);
            fastest = fmax(fastest, physics_length(v.linear) + physics_length(v.angular));
            way = fmax(way, physics_distance(physics_pose(world, 1).position, (crn_vec3){0, 0, 0.5}));
        }
        char scene[64];
        (void)snprintf(scene, sizeof scene, "box on the floor, h %g", h);
        physics_at_most(scene, "speed [m/s]", fastest, 1e-12);
        physics_at_most(scene, "way [m]", way, 1e-12);
        crn_vec3 force;
        assert_int_equal(crn_body_contact_force(world, crn_world_body(world, 2), &force, NULL), CRN_OK);
        physics_figure(scene, "force of the floor [N]", force.z, PHYSICS_G, 1e-9);
        crn_world_destroy(world);
    }
}

/* --- Books --- */

/* Steps of a scene: 500, fewer of large ones. */
static int steps_of(const crn_model *model)
{
    const int most = 500, work = 20000, bodies = crn_model_bodies(model);
    return work / bodies < most ? work / bodies : most;
}

/* The worst share of something that nothing explains in a step; which step. */
typedef struct worst {
    double share;
    int step;
} worst;

static void note(worst *all, double amount, double scale, int step)
{
    double share = scale > 0.0 ? amount / scale : amount;
    if (!(share <= all->share)) {
        *all = (worst){share, step};
    }
}

typedef struct books {
    worst energy, momentum, angular;
} books;

static books run_scene(const char *name)
{
    books all = {0};
    crn_model *model = physics_scene(name);
    double h = crn_model_world_of(model)->dt;
    int steps = steps_of(model);
    crn_world *world = physics_world(model);
    for (int k = 0; k < steps; ++k) {
        crn_step_stats stats;
        crn_error error = {CRN_OK, ""};
        TEST_CHECK(crn_world_step(world, h, &stats, &error) == CRN_OK, "%s, step %d: %s", name, k, error.text);
        const crn_ledger *ledger = &stats.ledger;
        note(&all.energy, fabs(ledger->unexplained), ledger->scale, k);
        note(&all.momentum, physics_length(ledger->momentum), ledger->momentum_scale, k);
        note(&all.angular, physics_length(ledger->angular_momentum), ledger->angular_scale, k);
    }
    crn_world_destroy(world);
    return all;
}

/* Of scene i; each is run once. */
static books books_of(int i)
{
    enum { SCENES_MOST = 100 };
    static books known[SCENES_MOST];
    static bool is_known[SCENES_MOST];
    assert_true(i < SCENES_MOST);
    if (!is_known[i]) {
        known[i] = run_scene(crn_gallery_world_name(i));
        is_known[i] = true;
    }
    return known[i];
}

static const double UNEXPLAINED = 1e-10; /* of the energy or momentum that was moved; rounding is 1e-15 */

static void test_books_balance(void **state)
{
    (void)state;
    int wrong = 0;
    for (int i = 0; i < crn_gallery_world_count(); ++i) {
        const char *name = crn_gallery_world_name(i);
        worst energy = books_of(i).energy;
        bool is_right = energy.share <= UNEXPLAINED;
        print_message("%s%s: unexplained %.2g of the energy, in step %d\n", is_right ? "" : "WRONG: ", name,
                      energy.share, energy.step);
        wrong += !is_right;
    }
    assert_int_equal(wrong, 0);
}

static void test_momentum_is_explained(void **state)
{
    (void)state;
    int wrong = 0;
    for (int i = 0; i < crn_gallery_world_count(); ++i) {
        const char *name = crn_gallery_world_name(i);
        books all = books_of(i);
        bool is_right = all.momentum.share <= UNEXPLAINED && all.angular.share <= UNEXPLAINED;
        print_message("%s%s: unexplained %.2g of the momentum, in step %d, %.2g of the angular one, in step %d\n",
                      is_right ? "" : "WRONG: ", name, all.momentum.share, all.momentum.step, all.angular.share,
                      all.angular.step);
        wrong += !is_right;
    }
    assert_int_equal(wrong, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flight),           cmocka_unit_test(test_neighbours),
        cmocka_unit_test(test_sliding_stop),     cmocka_unit_test(test_rolling_disk),
        cmocka_unit_test(test_rolling_cylinder), cmocka_unit_test(test_floating_tree),
        cmocka_unit_test(test_floating_rows),    cmocka_unit_test(test_energy_of_a_tree),
        cmocka_unit_test(test_energy_of_rows),   cmocka_unit_test(test_rest),
        cmocka_unit_test(test_books_balance),    cmocka_unit_test(test_momentum_is_explained),
    };
    return TEST_RUN(tests, argc, argv);
}
