/* The watch over mechanisms can see: linking numbers against Gauss's integral, segments that cross, and worlds in which
 * something is made to go wrong. */
#include "watch.h"

#include "gallery_worlds.h"
#include "math/rigid.h"
#include "test_support.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/* --- Linking numbers --- */

static crn_vec3 on_circle(const crn_pose *pose, double radius, double turn)
{
    crn_vec3 p = {radius * cos(turn), radius * sin(turn), 0.0};
    return crn_v3_add(pose->position, crn_quat_turn(pose->rotation, p));
}

/* 1/(4 pi) times the double integral of (a - b) . (da x db) / |a - b|^3, by midpoints. */
static double gauss_integral(const crn_pose *a, double radius_a, const crn_pose *b, double radius_b)
{
    enum { PARTS = 200 };
    double sum = 0.0, part = 2.0 * pi / PARTS;
    for (int i = 0; i < PARTS; ++i) {
        crn_vec3 p = on_circle(a, radius_a, part * i);
        crn_vec3 dp = crn_v3_scale(part, crn_v3_sub(on_circle(a, radius_a, part * i + 0.5 * pi), a->position));
        for (int j = 0; j < PARTS; ++j) {
            crn_vec3 q = on_circle(b, radius_b, part * j);
            crn_vec3 dq = crn_v3_scale(part, crn_v3_sub(on_circle(b, radius_b, part * j + 0.5 * pi), b->position));
            crn_vec3 d = crn_v3_sub(p, q);
            double length = crn_v3_length(d);
            sum += crn_v3_dot(d, crn_v3_cross(dp, dq)) / (length * length * length);
        }
    }
    return sum / (4.0 * pi);
}

static double nearest(const crn_pose *a, double radius_a, const crn_pose *b, double radius_b)
{
    enum { PARTS = 60 };
    double least = INFINITY;
    for (int i = 0; i < PARTS * PARTS; ++i) {
        crn_vec3 p = on_circle(a, radius_a, 2.0 * pi * (i / PARTS) / PARTS);
        crn_vec3 q = on_circle(b, radius_b, 2.0 * pi * (i % PARTS) / PARTS);
        least = fmin(least, crn_v3_length(crn_v3_sub(p, q)));
    }
    return least;
}

static crn_pose random_pose(crn_random *random, double reach)
{
    crn_pose pose;
    pose.position = crn_v3(crn_random_uniform(random, -reach, reach), crn_random_uniform(random, -reach, reach),
                           crn_random_uniform(random, -reach, reach));
    pose.rotation = crn_quat_unit((crn_quat){crn_random_normal(random), crn_random_normal(random),
                                             crn_random_normal(random), crn_random_normal(random)});
    return pose;
}

static void test_linking(void **state)
{
    (void)state;
    crn_random random = test_random("linking numbers", 3);
    int seen[3] = {0, 0, 0};
    for (int i = 0; i < 120; ++i) {
        double radius_a = 1.0, radius_b = crn_random_uniform(&random, 0.5, 1.5);
        crn_pose a = random_pose(&random, 0.7), b = random_pose(&random, 0.7);
        if (nearest(&a, radius_a, &b, radius_b) < 0.15) {
            continue; /* too near for the midpoint rule */
        }
        double right = gauss_integral(&a, radius_a, &b, radius_b);
        int number = crn_gallery_linking(&a, radius_a, &b, radius_b);
        TEST_CHECK(fabs(right - number) < 0.01 || fabs(right + number) < 0.01, "pair %d: %d, Gauss says %g", i, number,
                   right);
        /* Their signs agree throughout or differ throughout: the orientation of the normal is a convention. */
        if (number != 0) {
            seen[right * number > 0.0 ? 2 : 1]++;
        } else {
            seen[0]++;
        }
    }
    print_message("apart %d, linked %d and %d\n", seen[0], seen[1], seen[2]);
    assert_true(seen[0] > 10 && seen[1] + seen[2] > 10 && (seen[1] == 0 || seen[2] == 0));
}

/* --- Segments --- */

static void test_segments(void **state)
{
    (void)state;
    const crn_vec3 along_x[2] = {{-1.0, 0.0, 0.0}, {1.0, 0.0, 0.0}};
    for (int i = 0; i < 2; ++i) {
        double aside = i == 0 ? 0.0 : 1.5; /* over it, and past its end */
        const crn_vec3 was[2] = {{aside, -1.0, 0.1}, {aside, 1.0, 0.1}};
        const crn_vec3 is[2] = {{aside + 0.1, -1.0, -0.2}, {aside + 0.1, 1.0, -0.1}};
        assert_int_equal(crn_gallery_segments_cross(along_x, along_x, was, is), i == 0);
        assert_int_equal(crn_gallery_segments_cross(is, was, along_x, along_x), i == 0);
        assert_false(crn_gallery_segments_cross(along_x, along_x, was, was));
    }
    /* Through and back within the step is not seen as a crossing of ends that move evenly; there and away is none. */
    const crn_vec3 high[2] = {{0.0, -1.0, 0.3}, {0.0, 1.0, 0.3}}, low[2] = {{0.3, -1.0, 0.01}, {0.3, 1.0, 0.01}};
    assert_false(crn_gallery_segments_cross(along_x, along_x, high, low));
}

/* --- Worlds --- */

static crn_world *world_of(const char *scene, crn_model **model, crn_gallery_watch *watch)
{
    crn_world *world = NULL;
    assert_int_equal(crn_gallery_world(scene, model, NULL), CRN_OK);
    assert_int_equal(crn_world_create_from(*model, NULL, &world, NULL), CRN_OK);
    assert_int_equal(crn_gallery_watch_begin(watch, *model, world, NULL), CRN_OK);
    return world;
}

static void end_all(crn_gallery_watch *watch, crn_world *world, crn_model *model)
{
    crn_gallery_watch_end(watch);
    crn_world_destroy(world);
    crn_model_destroy(model);
}

/* One of two free rings is put elsewhere: they are no longer linked, and their centre lines have crossed. */
static void test_unlinked(void **state)
{
    (void)state;
    crn_model *model;
    crn_gallery_watch watch;
    crn_world *world = world_of("double-rings", &model, &watch);
    assert_int_equal(watch.linked_start, 1);
    assert_int_equal(crn_gallery_watch_step(&watch, 1e-3, true, NULL), CRN_OK);
    assert_int_equal(watch.links_changed + watch.crossings, 0);
    crn_pose pose;
    crn_body_id ring = crn_world_body(world, 2);
    assert_int_equal(crn_body_pose(world, ring, &pose), CRN_OK);
    pose.position.x += 0.25;
    assert_int_equal(crn_body_set_pose(world, ring, &pose), CRN_OK);
    assert_int_equal(crn_gallery_watch_step(&watch, 1e-3, true, NULL), CRN_OK);
    assert_int_equal(watch.linked, 0);
    assert_int_equal(watch.links_changed, 1);
    assert_true(watch.crossings > 0);
    end_all(&watch, world, model);
}

/* A push from outside shows as energy; a capsule of the net put below its string shows as a crossing. */
static void test_wrong(void **state)
{
    (void)state;
    crn_model *model;
    crn_gallery_watch watch;
    crn_world *world = world_of("net", &model, &watch);
    crn_body_id top = crn_world_body(world, crn_model_bodies(model));
    assert_int_equal(crn_gallery_watch_step(&watch, 1e-3, true, NULL), CRN_OK);
    double scale = fabs(watch.start);
    assert_true(watch.highest - watch.start < 1e-9 * scale && watch.crossings == 0);
    crn_twist v;
    assert_int_equal(crn_body_velocity(world, top, &v), CRN_OK);
    v.linear.z += 1.0;
    assert_int_equal(crn_body_set_velocity(world, top, &v), CRN_OK);
    assert_int_equal(crn_gallery_watch_step(&watch, 1e-3, true, NULL), CRN_OK);
    assert_true(watch.highest - watch.start > 1e-3 * scale && watch.crossings == 0);
    crn_pose pose;
    assert_int_equal(crn_body_pose(world, top, &pose), CRN_OK);
    pose.position.z -= 1.0;
    assert_int_equal(crn_body_set_pose(world, top, &pose), CRN_OK);
    assert_int_equal(crn_gallery_watch_step(&watch, 1e-3, true, NULL), CRN_OK);
    assert_true(watch.crossings > 0);
    end_all(&watch, world, model);
}

/* Energy from poses and velocities is that which steps tell, but for rotors of motors (the humanoid has some); looking changes
 * nothing. */
static void test_same(void **state)
{
    (void)state;
    static const char *const scenes[] = {"hoist", "net", "ring2", "humanoid", "double-rings"};
    for (int i = 0; i < 5; ++i) {
        crn_model *model;
        crn_gallery_watch watch;
        crn_world *world = world_of(scenes[i], &model, &watch), *alone = NULL;
        assert_int_equal(crn_world_create_from(model, NULL, &alone, NULL), CRN_OK);
        crn_step_stats stats;
        for (int k = 0; k < 100; ++k) {
            assert_int_equal(crn_gallery_watch_step(&watch, 5e-3, true, NULL), CRN_OK);
            assert_int_equal(crn_world_step(alone, 5e-3, &stats, NULL), CRN_OK);
        }
        TEST_CHECK(crn_world_hash(world) == crn_world_hash(alone), "%s: looking changes the motion", scenes[i]);
        double seen = crn_gallery_energy(alone, model, NULL);
        print_message("%s: energy %.6g J, as told %.6g J\n", scenes[i], seen, watch.now);
        double rotors = watch.now - seen, rounding = 1e-12 * crn_gallery_watch_scale(&watch);
        TEST_CHECK(rotors >= -rounding && rotors <= (i == 3 ? 1.0 : rounding), "%s: energy as told is off", scenes[i]);
        crn_world_destroy(alone);
        end_all(&watch, world, model);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linking), cmocka_unit_test(test_segments), cmocka_unit_test(test_unlinked),
        cmocka_unit_test(test_wrong),   cmocka_unit_test(test_same),
    };
    return TEST_RUN(tests, argc, argv);
}
