/* A surface made of several shapes or bodies is one surface: tiles, planks, segments, bricks; and a real step is a wall. */
#include "surface_case.h"

#include "math/rigid.h"

/* --- Movers --- */

typedef struct mover {
    const char *name;
    crn_shape_def def;
    double height;   /* of its centre over the floor */
    double friction; /* of what rolls */
    double yaw;      /* [rad] of what slides */
    bool is_lying;   /* its axis across the way */
} mover;

static const double cube[24] = {-0.1, -0.1, -0.1, 0.1, -0.1, -0.1, -0.1, 0.1, -0.1, 0.1, 0.1, -0.1,
                                -0.1, -0.1, 0.1,  0.1, -0.1, 0.1,  -0.1, 0.1, 0.1,  0.1, 0.1, 0.1};

static const mover movers[] = {
    {"slider", {.kind = CRN_SHAPE_BOX, .size = {0.1, 0.1, 0.1}}, 0.1, 0.0, 0.0, false},
    {"slider at 17 degrees", {.kind = CRN_SHAPE_BOX, .size = {0.1, 0.1, 0.1}}, 0.1, 0.0, 0.3, false},
    {"plate", {.kind = CRN_SHAPE_BOX, .size = {0.2, 0.15, 0.01}}, 0.01, 0.0, 0.0, false},
    {"ball", {.kind = CRN_SHAPE_SPHERE, .size = {0.1, 0, 0}}, 0.1, 0.5, 0.0, false},
    {"sliding ball", {.kind = CRN_SHAPE_SPHERE, .size = {0.1, 0, 0}}, 0.1, 0.0, 0.0, false},
    {"capsule", {.kind = CRN_SHAPE_CAPSULE, .size = {0.1, 0.1, 0}}, 0.1, 0.5, 0.0, true},
    {"cylinder", {.kind = CRN_SHAPE_CYLINDER, .size = {0.1, 0.1, 0}}, 0.1, 0.5, 0.0, true},
    {"hull", {.kind = CRN_SHAPE_HULL, .points = cube, .count = 8}, 0.1, 0.0, 0.0, false},
};
enum { MOVERS = sizeof movers / sizeof *movers };

static crn_body_id add_mover(crn_world *world, const mover *m, double x, double speed)
{
    crn_pose pose = surface_pose(x, 0.0, m->height);
    crn_body_id body;
    if (m->is_lying) {
        pose.rotation = (crn_quat){sqrt(0.5), sqrt(0.5), 0, 0};
    } else {
        pose.rotation = (crn_quat){cos(0.5 * m->yaw), 0, 0, sin(0.5 * m->yaw)};
    }
    surface_body(world, &m->def, CRN_BODY_FREE, pose, m->friction, &body);
    crn_twist start = {{0, m->friction > 0.0 ? speed / m->height : 0.0, 0}, {speed, 0, 0}};
    assert_int_equal(crn_body_set_velocity(world, body, &start), CRN_OK);
    return body;
}

/* --- Tilings --- */

typedef struct tiling {
    double offset; /* of each tile's height: 0 or +- this */
    bool is_one_body, has_hulls;
} tiling;

static void set_tile(crn_body_shape *shape, double points[24], double x, double y, double z, double a, double b,
                     bool is_hull)
{
    *shape = crn_body_shape_default();
    shape->friction = 0.5;
    shape->pose.position = (crn_vec3){x, y, z - 0.1};
    for (int k = 0; k < 8; ++k) {
        crn_v3_to(crn_v3(k & 1 ? a : -a, k & 2 ? b : -b, k & 4 ? 0.1 : -0.1), points + 3 * (size_t)k);
    }
    shape->shape = is_hull ? (crn_shape_def){.kind = CRN_SHAPE_HULL, .points = points, .count = 8}
                           : (crn_shape_def){.kind = CRN_SHAPE_BOX, .size = {a, b, 0.1}};
}

enum { TILES_MOST = 400 };

/* Columns of random widths, each cut into tiles of random lengths, over x = -1 .. 4 and y = -1 .. 1. */
static void add_tiles(crn_world *world, const tiling *t, crn_random *random)
{
    static crn_body_shape shape[TILES_MOST];
    static double points[TILES_MOST][24];
    int count = 0;
    for (double x = -1.0; x < 4.0 && count < TILES_MOST;) {
        double width = crn_random_uniform(random, 0.1, 0.5);
        for (double y = -1.0; y < 1.0 && count < TILES_MOST;) {
            double length = crn_random_uniform(random, 0.15, 0.6), sign = crn_random_below(random, 2) == 0 ? -1.0 : 1.0;
            set_tile(&shape[count], points[count], x + 0.5 * width, y + 0.5 * length, sign * t->offset, 0.5 * width,
                     0.5 * length, t->has_hulls && crn_random_below(random, 2) == 0);
            ++count;
            y += length;
        }
        x += width;
    }
    crn_body_def def = crn_body_def_default();
    def.kind = CRN_BODY_FIXED;
    for (int k = 0; k < count; k += t->is_one_body ? count : 1) {
        def.shape = &shape[k];
        def.shapes = t->is_one_body ? count : 1;
        (void)add_body(world, &def);
    }
}

/* The largest change of its speed, over tiles, in 1.5 m. */
static double run_over(const mover *m, const tiling *t, double h, double speed, crn_random *random, int *failed)
{
    crn_world_def def = crn_world_def_default();
    crn_world *world = new_world(&def);
    add_tiles(world, t, random);
    crn_body_id body = add_mover(world, m, crn_random_uniform(random, -0.5, 0.5), speed);
    double worst = 0.0;
    for (int k = 0; k < (int)lround(1.5 / (speed * h)); ++k) {
        crn_step_stats stats;
        assert_int_equal(crn_world_step(world, h, &stats, NULL), CRN_OK);
        *failed += stats.failed != 0;
        worst = fmax(worst, fabs(velocity_of(world, body).linear.x - speed) / speed);
    }
    crn_world_destroy(world);
    return worst;
}

static void test_tilings(void **state)
{
    (void)state;
    /* to rise by d costs g d/v^2 of the speed: at most five rises of twice the offset */
    const double offset[3] = {0.0, 1e-9, 1e-6}, within[3] = {1e-9, 1e-7, 1e-4};
    double worst[3][MOVERS] = {{0.0}};
    int failures = 0, uncertified = 0;
    for (int k = 0; k < 1000; ++k) {
        int i = k % MOVERS, o = k / MOVERS % 3;
        tiling t = {offset[o], k % 5 == 0, k % 3 == 0};
        crn_random random = crn_random_seed((uint64_t)k);
        double off = run_over(&movers[i], &t, k % 7 == 0 ? 0.001 : 0.01, 1.0, &random, &uncertified);
        worst[o][i] = fmax(worst[o][i], off);
        failures += off > within[o];
    }
    for (int i = 0; i < MOVERS; ++i) {
        print_message("%-20s over tiles flush to 0, 1e-9, 1e-6 m: speed off by %.1e, %.1e, %.1e\n", movers[i].name,
                      worst[0][i], worst[1][i], worst[2][i]);
    }
    print_message("%d steps not certified\n", uncertified);
    TEST_CHECK(failures == 0, "%d of 1000 tilings are felt", failures);
}

/* A step of 1 mm is a wall: what slides stops there, what rolls is slowed. */
static void test_step(void **state)
{
    (void)state;
    for (int i = 0; i < MOVERS; ++i) {
        crn_world_def def = crn_world_def_default();
        crn_world *world = new_world(&def);
        crn_shape_def tile = {.kind = CRN_SHAPE_BOX, .size = {1.0, 1.0, 0.1}};
        crn_body_id body;
        surface_body(world, &tile, CRN_BODY_FIXED, surface_pose(-1.0, 0, -0.1), 0.5, &body);
        surface_body(world, &tile, CRN_BODY_FIXED, surface_pose(1.0, 0, -0.099), 0.5, &body);
        body = add_mover(world, &movers[i], -0.6, 1.0);
        double slowest = 1.0;
        for (int k = 0; k < 100; ++k) {
            (void)step_once(world, 0.01);
            slowest = fmin(slowest, velocity_of(world, body).linear.x);
        }
        bool is_round = movers[i].def.kind == CRN_SHAPE_SPHERE || movers[i].is_lying;
        print_message("%s at a step of 1 mm: slowest %.3f m/s\n", movers[i].name, slowest);
        TEST_CHECK(slowest < (is_round ? 0.99 : 0.1), "%s passes at %g m/s", movers[i].name, slowest);
        crn_world_destroy(world);
    }
}

/* --- Planks, valleys, ridges --- */

/* Planks with gaps between them: what slides keeps its speed. */
static void test_planks(void **state)
{
    (void)state;
    const double gap[3] = {1e-6, 1e-3, 1e-2};
    for (int k = 0; k < 3 * MOVERS; ++k) {
        const mover *m = &movers[k / 3];
        if (m->def.kind == CRN_SHAPE_SPHERE || m->is_lying) {
            continue; /* what is round dips into a gap */
        }
        crn_world_def def = crn_world_def_default();
        crn_world *world = new_world(&def);
        crn_body_id body;
        for (int i = -3; i < 8; ++i) {
            crn_shape_def plank = {.kind = CRN_SHAPE_BOX, .size = {0.15, 1.0, 0.1}};
            surface_body(world, &plank, CRN_BODY_FIXED, surface_pose((0.3 + gap[k % 3]) * i, 0, -0.1), 0.0, &body);
        }
        body = add_mover(world, m, -0.5, 1.0);
        double worst = 0.0;
        for (int step = 0; step < 180; ++step) {
            (void)step_once(world, 0.01);
            worst = fmax(worst, fabs(velocity_of(world, body).linear.x - 1.0));
        }
        print_message("%s over planks %g m apart: speed off by %.1e\n", m->name, gap[k % 3], worst);
        TEST_CHECK(worst <= 1e-8, "%s: %g", m->name, worst);
        crn_world_destroy(world);
    }
}

/* Two hulls that meet at an angle, a valley or a ridge: share of the kinetic energy that is lost. */
static double lost_at_angle(const mover *m, double angle, double h)
{
    crn_world_def def = crn_world_def_default();
    crn_world *world = new_world(&def);
    crn_body_id body;
    double rise = tan(angle);
    for (int k = 0; k < 2; ++k) {
        double x = k == 0 ? -2.0 : 2.0, z = k == 0 ? 0.0 : 2.0 * rise, points[24];
        for (int i = 0; i < 8; ++i) {
            double *p = points + 3 * (size_t)i;
            p[0] = i & 1 ? x : 0.0;
            p[1] = i & 2 ? 1.0 : -1.0;
            p[2] = i & 4 ? (i & 1 ? z : 0.0) : -1.0;
        }
        crn_shape_def tile = {.kind = CRN_SHAPE_HULL, .points = points, .count = 8};
        surface_body(world, &tile, CRN_BODY_FIXED, surface_pose(0, 0, 0), m->friction, &body);
    }
    body = add_mover(world, m, -0.4, 1.0);
    crn_step_stats first = step_once(world, h), last = step_for(world, h, 0.8);
    crn_world_destroy(world);
    return (first.kinetic + first.potential - last.kinetic - last.potential) / first.kinetic;
}

static void test_slight_angles(void **state)
{
    (void)state;
    const double angle[2] = {0.01, -0.01}, most[2] = {0.01, 0.02};
    for (int k = 0; k < 2 * MOVERS; ++k) {
        const mover *m = &movers[k / 2];
        double lost = lost_at_angle(m, angle[k % 2], 0.01);
        print_message("%s over a %s of 0.01 rad: %.2f %% of its energy lost\n", m->name,
                      k % 2 == 0 ? "valley" : "ridge", 100.0 * lost);
        TEST_CHECK(lost > -1e-9 && lost <= most[k % 2], "%s: %g", m->name, lost);
    }
}

/* --- Free bricks --- */

/* A box slides over a row of free bricks on the ground. */
static void test_free_bricks(void **state)
{
    (void)state;
    crn_world_def def = crn_world_def_default();
    crn_world *world = new_world(&def);
    crn_shape_def brick = {.kind = CRN_SHAPE_BOX, .size = {0.1, 0.1, 0.05}};
    crn_body_id row[10], body;
    (void)add_floor(world);
    for (int i = 0; i < 10; ++i) {
        surface_body(world, &brick, CRN_BODY_FREE, surface_pose(0.2 * i - 0.3, 0, 0.05), 0.0, &row[i]);
    }
    mover box = movers[0];
    box.height = 0.2;
    body = add_mover(world, &box, -0.25, 1.0);
    double worst = 0.0, moved = 0.0;
    for (int step = 0; step < 150; ++step) {
        (void)step_once(world, 0.01);
        worst = fmax(worst, fabs(velocity_of(world, body).linear.x - 1.0));
        for (int i = 0; i < 10; ++i) {
            moved = fmax(moved, crn_v3_length(velocity_of(world, row[i]).linear));
        }
    }
    print_message("box over free bricks: speed off by %.1e, bricks move with %.1e m/s\n", worst, moved);
    TEST_CHECK(worst <= 1e-8 && moved <= 1e-8, "%g, %g", worst, moved);
    crn_world_destroy(world);
}

/* --- In the plane --- */

static crn_world *planar_world(double friction, const double (*point)[2], int points)
{
    crn_world_def def = crn_world_def_default();
    def.is_planar = true;
    def.gravity = (crn_vec3){0, -9.81, 0};
    crn_world *world = new_world(&def);
    for (int k = 0; k + 1 < points; ++k) {
        double x = point[k + 1][0] - point[k][0], y = point[k + 1][1] - point[k][1], half = 0.5 * atan2(y, x);
        crn_shape_def segment = {.kind = CRN_SHAPE_SEGMENT, .size = {0.5 * hypot(x, y), 0, 0}};
        crn_pose pose = {{0.5 * (point[k][0] + point[k + 1][0]), 0.5 * (point[k][1] + point[k + 1][1]), 0},
                         {cos(half), 0, 0, sin(half)}};
        crn_body_id body;
        surface_body(world, &segment, CRN_BODY_FIXED, pose, friction, &body);
    }
    return world;
}

static void test_collinear_segments(void **state)
{
    (void)state;
    crn_random random = test_random("test_collinear_segments", 61);
    double point[30][2] = {{-1.0, 0.0}};
    for (int k = 1; k < 30; ++k) {
        point[k][0] = point[k - 1][0] + crn_random_uniform(&random, 0.05, 0.3);
    }
    for (int k = 0; k < 4; ++k) {
        double h = k % 2 == 0 ? 0.01 : 0.001, speed = k < 2 ? 1.0 : 5.0, worst = 0.0;
        crn_world *world = planar_world(1.0, (const double(*)[2])point, 30);
        crn_body_id disk =
            add_shape(world, CRN_BODY_FREE, CRN_SHAPE_DISK, (crn_vec3){0.1, 0, 0}, (crn_vec3){-0.5, 0.1, 0}, 1.0);
        crn_twist start = {{0, 0, -speed / 0.1}, {speed, 0, 0}};
        assert_int_equal(crn_body_set_velocity(world, disk, &start), CRN_OK);
        for (int step = 0; step < (int)lround(2.0 / (speed * h)); ++step) {
            (void)step_once(world, h);
            worst = fmax(worst, fabs(velocity_of(world, disk).linear.x - speed) / speed);
        }
        print_message("disk over collinear segments, %g m/s, %g ms: speed off by %.1e\n", speed, 1e3 * h, worst);
        TEST_CHECK(worst <= 1e-9, "%g", worst);
        crn_world_destroy(world);
    }
}

/* A small disk without friction down a cycloid x = a (t - sin t), y = -a (1 - cos t) of 200 segments, from t = 0.4 to the
 * bottom: it takes  pi sqrt(a/g)  from wherever it starts. Its centre runs on a curve beside the cycloid; it is small. */
static double cycloid_time(double h, double *lost)
{
    enum { SEGMENTS = 200 };
    const double a = 0.5, radius = 0.002, from = 0.4, pi = 3.14159265358979323846;
    double point[SEGMENTS + 1][2];
    for (int k = 0; k <= SEGMENTS; ++k) {
        double t = 2.0 * pi * k / SEGMENTS;
        point[k][0] = a * (t - sin(t));
        point[k][1] = -a * (1.0 - cos(t));
    }
    crn_world *world = planar_world(0.0, (const double(*)[2])point, SEGMENTS + 1);
    double normal_x = cos(0.5 * from), normal_y = sin(0.5 * from); /* of the curve, upward */
    crn_vec3 start = {a * (from - sin(from)) + radius * normal_x, -a * (1.0 - cos(from)) + radius * normal_y, 0};
    crn_body_id bead = add_shape(world, CRN_BODY_FREE, CRN_SHAPE_DISK, (crn_vec3){radius, 0, 0}, start, 1.0);
    double time = 0.0, before = start.x, middle = pi * a, fall = 0.0;
    for (int step = 0; step < (int)(2.0 / h); ++step) {
        (void)step_once(world, h);
        double x = position_of(world, bead).x;
        if (x >= middle) {
            double v = crn_v3_length(velocity_of(world, bead).linear);
            time = h * (step + (middle - before) / (x - before));
            fall = 9.81 * (start.y - position_of(world, bead).y);
            *lost = 1.0 - 0.5 * v * v / fall;
            break;
        }
        before = x;
    }
    crn_world_destroy(world);
    return time;
}

static void test_cycloid(void **state)
{
    (void)state;
    const double right = 3.14159265358979323846 * sqrt(0.5 / 9.81);
    for (int k = 0; k < 3; ++k) {
        double h = 0.002 / (1 << k), lost = 1.0, time = cycloid_time(h, &lost);
        print_message(
            "bead on a cycloid of 200 segments, %g ms: %.4f s instead of %.4f (%.2f %%), %.2f %% of its energy lost\n",
            1e3 * h, time, right, 100.0 * (time / right - 1.0), 100.0 * lost);
        TEST_CHECK(k == 0 || fabs(time / right - 1.0) <= 0.02, "%g s", time);
    }
}

/* --- Small piles --- */

/* Boxes, balls and capsules dropped into a box: what keeps two of them apart before a hit may not do so after it. */
static void test_mixed_piles(void **state)
{
    (void)state;
    enum { PILES = 12, BODIES = 18, STEPS = 120 };
    static const crn_shape_def kind[3] = {{.kind = CRN_SHAPE_BOX, .size = {0.1, 0.08, 0.06}},
                                          {.kind = CRN_SHAPE_SPHERE, .size = {0.09, 0, 0}},
                                          {.kind = CRN_SHAPE_CAPSULE, .size = {0.06, 0.07, 0}}};
    const crn_shape_def wall = {.kind = CRN_SHAPE_BOX, .size = {1, 1, 1}};
    const double width = 0.3;
    crn_random random = test_random(__func__, 31);
    int unseen = 0, steps = 0;
    for (int pile = 0; pile < PILES; ++pile) {
        crn_world_def def = crn_world_def_default();
        crn_world *world = new_world(&def);
        crn_body_id body;
        (void)add_floor(world);
        for (int k = 0; k < 4; ++k) {
            double side = (k % 2 ? 1 : -1) * (1.0 + width);
            surface_body(world, &wall, CRN_BODY_FIXED, surface_pose(k < 2 ? side : 0, k < 2 ? 0 : side, 1), 0.5, &body);
        }
        for (int i = 0; i < BODIES; ++i) {
            crn_pose pose = surface_pose(0.15 * (i % 2 ? 1 : -1), 0.15 * (i / 2 % 2 ? 1 : -1), 0.2 + 0.3 * (i / 4));
            double x = crn_random_uniform(&random, -2.0, 2.0), y = crn_random_uniform(&random, -2.0, 2.0);
            pose.rotation = crn_quat_exp(crn_v3(x, y, crn_random_uniform(&random, -2.0, 2.0)));
            surface_body(world, &kind[i % 3], CRN_BODY_FREE, pose, 0.5, &body);
        }
        for (int k = 0; k < STEPS; ++k) {
            crn_step_stats stats;
            assert_int_equal(crn_world_step(world, 0.01, &stats, NULL), CRN_OK);
            unseen += stats.verdict == CRN_VERDICT_OVERLAP;
            ++steps;
        }
        crn_world_destroy(world);
    }
    print_message("%d piles of %d bodies: %d of %d steps end with overlaps that no row knew\n", PILES, BODIES, unseen,
                  steps);
    TEST_CHECK(unseen == 0, "%d steps", unseen);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tilings),     cmocka_unit_test(test_step),
        cmocka_unit_test(test_planks),      cmocka_unit_test(test_slight_angles),
        cmocka_unit_test(test_free_bricks), cmocka_unit_test(test_collinear_segments),
        cmocka_unit_test(test_cycloid),     cmocka_unit_test(test_mixed_piles),
    };
    return TEST_RUN(tests, argc, argv);
}
