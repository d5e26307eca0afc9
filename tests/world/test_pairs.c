/* Pairs of bodies: friction and restitution of their own, bodies kept apart and let touch again, and links of a mechanism that
 * overlap at the start. */
#include <cairn/io.h>

#include "world_case.h"

#include <math.h>

static crn_world *make(const char *scene)
{
    crn_model *model = NULL;
    crn_world *world = NULL;
    crn_error error;
    TEST_CHECK(crn_io_read_scene_text(scene, strlen(scene), "scene", NULL, &model, &error) == CRN_OK, "%s", error.text);
    TEST_CHECK(crn_world_create_from(model, NULL, &world, &error) == CRN_OK, "%s", error.text);
    crn_model_destroy(model);
    return world;
}

static void run(crn_world *world, int steps, double h)
{
    for (int k = 0; k < steps; ++k) {
        crn_step_stats stats;
        crn_error error;
        TEST_CHECK(crn_world_step(world, h, &stats, &error) == CRN_OK, "%s", error.text);
        assert_int_equal(stats.verdict, CRN_VERDICT_CERTIFIED);
    }
}

static crn_vec3 velocity(const crn_world *world, int index1)
{
    crn_twist twist;
    assert_int_equal(crn_body_velocity(world, crn_world_body(world, index1), &twist), CRN_OK);
    return twist.linear;
}

static crn_vec3 place(const crn_world *world, int index1)
{
    crn_pose pose;
    assert_int_equal(crn_body_pose(world, crn_world_body(world, index1), &pose), CRN_OK);
    return pose.position;
}

/* Three equal boxes slide on one floor; one pair has mu 0.1, one 0, one the materials' 0.5. Each loses mu g t of its speed. */
static void test_friction(void **state)
{
    (void)state;
    crn_world *world =
        make("{\"bodies\": [{\"name\": \"floor\", \"kind\": \"fixed\", \"shapes\": [{\"kind\": \"plane\"}]},"
             "{\"name\": \"a\", \"position\": [0, 0, 0.1], \"velocity\": [3, 0, 0], \"shapes\": [{\"kind\": \"box\", "
             "\"half\": [0.5, 0.5, 0.1]}]},"
             "{\"name\": \"b\", \"position\": [0, 5, 0.1], \"velocity\": [3, 0, 0], \"shapes\": [{\"kind\": \"box\", "
             "\"half\": [0.5, 0.5, 0.1]}]},"
             "{\"name\": \"c\", \"position\": [0, 10, 0.1], \"velocity\": [3, 0, 0], \"shapes\": [{\"kind\": \"box\", "
             "\"half\": [0.5, 0.5, 0.1]}]}],"
             "\"pairs\": [{\"a\": \"floor\", \"b\": \"b\", \"friction\": 0.1}, {\"a\": \"c\", \"b\": \"floor\", "
             "\"friction\": 0}]}");
    run(world, 40, 0.01);
    const double mu[3] = {0.5, 0.1, 0.0};
    for (int k = 0; k < 3; ++k) {
        double right = 3.0 - mu[k] * 9.81 * 0.4;
        TEST_CHECK(fabs(velocity(world, 2 + k).x - right) < 1e-9, "box %d: %.12g, not %.12g", k,
                   velocity(world, 2 + k).x, right);
    }
    /* another coefficient from now on, and then none of its own */
    crn_pair_def def = crn_pair_def_default();
    crn_error error;
    def.friction = 0.2;
    assert_int_equal(crn_world_set_pair(world, crn_world_body(world, 1), crn_world_body(world, 4), &def, &error),
                     CRN_OK);
    crn_pair_def told;
    assert_true(crn_world_pair(world, crn_world_body(world, 4), crn_world_body(world, 1), &told));
    assert_true(told.friction == 0.2 && told.collides && told.restitution < 0.0);
    run(world, 20, 0.01);
    TEST_CHECK(fabs(velocity(world, 4).x - (3.0 - 0.2 * 9.81 * 0.2)) < 1e-9, "%.12g", velocity(world, 4).x);
    assert_int_equal(crn_world_set_pair(world, crn_world_body(world, 1), crn_world_body(world, 4), NULL, &error),
                     CRN_OK);
    assert_false(crn_world_pair(world, crn_world_body(world, 1), crn_world_body(world, 4), NULL));
    run(world, 20, 0.01);
    TEST_CHECK(fabs(velocity(world, 4).x - (3.0 - (0.2 + 0.5) * 9.81 * 0.2)) < 1e-9, "%.12g", velocity(world, 4).x);
    crn_world_destroy(world);
}

/* Of two boxes that fall on a table one does not touch it; let to touch, it would. The other bounces as the pair says. */
static void test_apart(void **state)
{
    (void)state;
    crn_world *world =
        make("{\"bodies\": [{\"name\": \"table\", \"kind\": \"fixed\", \"shapes\": [{\"kind\": \"box\", \"half\": [5, "
             "5, 0.5]}]},"
             "{\"name\": \"ghost\", \"position\": [0, 0, 1], \"shapes\": [{\"kind\": \"sphere\", \"radius\": 0.2}]},"
             "{\"name\": \"ball\", \"position\": [2, 0, 1.2], \"shapes\": [{\"kind\": \"sphere\", \"radius\": 0.2}]}],"
             "\"pairs\": [{\"a\": \"table\", \"b\": \"ghost\", \"collide\": false}, {\"a\": \"table\", \"b\": "
             "\"ball\", \"restitution\": 1}]}");
    run(world, 1000, 1e-3);
    TEST_CHECK(fabs(place(world, 2).z - (1.0 - 0.5 * 9.81)) < 1e-9, "the ghost is at %.12g", place(world, 2).z);
    assert_true(place(world, 3).z > 0.69);
    crn_body_id stale = crn_world_body(world, 2);
    crn_error error;
    assert_int_equal(crn_body_destroy(world, stale, &error), CRN_OK);
    assert_int_equal(crn_world_set_pair(world, stale, crn_world_body(world, 1), NULL, &error), CRN_ERR_ARGUMENT);
    assert_false(crn_world_pair(world, stale, crn_world_body(world, 1), NULL));
    crn_world_destroy(world);
}

/* A chain of five links, each as long as the way between its joints and half as thick: every other link overlaps its like, with two
 * joints between; the first and the last are bent back into each other: four joints. */
static const char chain[] =
    "{\"gravity\": [0, 0, 0], \"bodies\": ["
    "{\"name\": \"l0\", \"position\": [0, 0, 0], \"shapes\": [{\"kind\": \"sphere\", \"radius\": 0.6}]},"
    "{\"name\": \"l1\", \"position\": [0.5, 0, 0], \"shapes\": [{\"kind\": \"sphere\", \"radius\": 0.3}]},"
    "{\"name\": \"l2\", \"position\": [1, 0, 0], \"shapes\": [{\"kind\": \"sphere\", \"radius\": 0.6}]},"
    "{\"name\": \"l3\", \"position\": [1, 0.7, 0], \"shapes\": [{\"kind\": \"sphere\", \"radius\": 0.05}]},"
    "{\"name\": \"l4\", \"position\": [0, 0.7, 0], \"shapes\": [{\"kind\": \"sphere\", \"radius\": 0.2}]}],"
    "\"joints\": [{\"kind\": \"ball\", \"a\": 0, \"b\": 1, \"frame_a\": {\"position\": [0.25, 0, 0]}, \"frame_b\": "
    "{\"position\": [-0.25, 0, 0]}},"
    "{\"kind\": \"ball\", \"a\": 1, \"b\": 2, \"frame_a\": {\"position\": [0.25, 0, 0]}, \"frame_b\": {\"position\": "
    "[-0.25, 0, 0]}},"
    "{\"kind\": \"ball\", \"a\": 2, \"b\": 3, \"frame_a\": {\"position\": [0, 0.35, 0]}, \"frame_b\": {\"position\": "
    "[0, -0.35, 0]}},"
    "{\"kind\": \"ball\", \"a\": 3, \"b\": 4, \"frame_a\": {\"position\": [-0.5, 0, 0]}, \"frame_b\": {\"position\": "
    "[0.5, 0, 0]}}]%s}";

static void test_start_overlaps(void **state)
{
    (void)state;
    char scene[4096];
    (void)snprintf(scene, sizeof scene, chain, "");
    crn_world *world = make(scene);
    int count = 0;
    const crn_start_overlap *list = crn_world_start_overlaps(world, &count);
    assert_int_equal(count, 2);
    assert_true(list[0].a.index1 == 1 && list[0].b.index1 == 3 && list[0].joints == 2 && list[0].is_excluded);
    assert_true(fabs(list[0].depth - 0.2) < 1e-12);
    assert_true(list[1].a.index1 == 1 && list[1].b.index1 == 5 && list[1].joints == 3 && !list[1].is_excluded);
    assert_true(fabs(list[1].depth - 0.1) < 1e-12);
    /* what is excluded stays where it is; switched on again it is pushed apart */
    crn_pair_def def = crn_pair_def_default(), told;
    crn_error error;
    assert_true(crn_world_pair(world, list[0].a, list[0].b, &told) && !told.collides);
    double overlap = 0.0;
    crn_body_id a, b;
    assert_int_equal(crn_world_overlap(world, &overlap, &a, &b), CRN_OK);
    assert_true(b.index1 == 5 && fabs(overlap - 0.1) < 1e-12);
    assert_int_equal(crn_world_set_pair(world, list[0].a, list[0].b, &def, &error), CRN_OK);
    assert_int_equal(crn_world_overlap(world, &overlap, &a, &b), CRN_OK);
    assert_true(b.index1 == 3 && fabs(overlap - 0.2) < 1e-12);
    crn_world_destroy(world);

    (void)snprintf(scene, sizeof scene, chain, ", \"pairs\": [{\"a\": \"l2\", \"b\": \"l0\"}, {\"a\": 1, \"b\": 2}]");
    world = make(scene); /* the model says that they touch, and two neighbours as well */
    list = crn_world_start_overlaps(world, &count);
    assert_int_equal(count, 3);
    for (int k = 0; k < count; ++k) {
        assert_false(list[k].is_excluded);
    }
    assert_true(list[2].a.index1 == 2 && list[2].b.index1 == 3 && list[2].joints == 1);
    crn_world_destroy(world);
}

/* Two fingers of a hand that are drawn closed, 0.5 % of their size into each other: told, and they still touch. */
static void test_fingers(void **state)
{
    (void)state;
    crn_world *world =
        make("{\"gravity\": [0, 0, 0], \"bodies\": [{\"name\": \"hand\", \"kind\": \"fixed\"},"
             "{\"name\": \"left\", \"position\": [-0.995, 0, 0], \"shapes\": [{\"kind\": \"sphere\", \"radius\": 1}]},"
             "{\"name\": \"right\", \"position\": [1, 0, 0], \"shapes\": [{\"kind\": \"sphere\", \"radius\": 1}]}],"
             "\"joints\": [{\"kind\": \"slider\", \"a\": 0, \"b\": 1, \"frame_a\": {\"position\": [-0.995, 0, 0]}},"
             "{\"kind\": \"slider\", \"a\": 0, \"b\": 2, \"frame_a\": {\"position\": [1, 0, 0]}}]}");
    int count = 0;
    const crn_start_overlap *list = crn_world_start_overlaps(world, &count);
    assert_int_equal(count, 1);
    assert_true(list[0].joints == 2 && !list[0].is_excluded && fabs(list[0].depth - 0.005) < 1e-12);
    double overlap = 0.0;
    assert_int_equal(crn_world_overlap(world, &overlap, NULL, NULL), CRN_OK);
    assert_true(fabs(overlap - 0.005) < 1e-12);
    crn_world_destroy(world);
}

static void test_bad(void **state)
{
    (void)state;
    static const struct {
        const char *pair, *message;
    } cases[] = {{"{\"a\": 0, \"b\": 0}", "is body a too"},
                 {"{\"a\": 0, \"b\": 7}", "pairs[0].b"},
                 {"{\"a\": 0, \"b\": 1, \"restitution\": 2}", "restitution"},
                 {"{\"a\": 0}", "b"},
                 {"{\"a\": 0, \"b\": 1, \"colide\": true}", "colide"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        char scene[512];
        crn_model *model = NULL;
        crn_error error;
        (void)snprintf(scene, sizeof scene,
                       "{\"bodies\": [{\"shapes\": [{\"kind\": \"sphere\", \"radius\": 1}]}, {\"kind\": \"fixed\"}], "
                       "\"pairs\": [%s]}",
                       cases[k].pair);
        crn_status status = crn_io_read_scene_text(scene, strlen(scene), "scene", NULL, &model, &error);
        TEST_CHECK(status != CRN_OK && strstr(error.text, cases[k].message) != NULL, "%s: %s", cases[k].pair,
                   error.text);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_friction), cmocka_unit_test(test_apart),
                                       cmocka_unit_test(test_start_overlaps), cmocka_unit_test(test_fingers),
                                       cmocka_unit_test(test_bad)};
    return TEST_RUN(tests, argc, argv);
}
