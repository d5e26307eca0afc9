/* Sphere, capsule and plane with meshes: one touch on a floor of tiles, one on each wall of a groove, and the same
 * answers as the box gives where the mesh is that box. */
#include "mesh_pair_case.h"

static crn_touch touch[MESH_TOUCHES], other[MESH_TOUCHES];

/* --- Sphere --- */

static void test_sphere_has_one_touch_on_tiles(void **state)
{
    (void)state;
    crn_random random = test_random("tiles", 1);
    crn_shape *floor = mesh_slab(1.0, 1.0, 0.05, 20, 20), *ball = mesh_partner(CRN_SHAPE_SPHERE, 0.06, 0, 0);
    for (int k = 0; k < 500; ++k) {
        double gap = k % 4 == 0 ? 0.0 : crn_random_uniform(&random, -0.05, 0.01);
        double x = crn_random_uniform(&random, -0.9, 0.9), y = crn_random_uniform(&random, -0.9, 0.9);
        x = k % 3 == 0 ? 0.1 * (k % 7) : x; /* over a line between tiles, or a corner */
        y = k % 6 == 0 ? 0.1 * (k % 5) : k % 3 == 1 ? x : y;
        mesh_pair p = {ball, floor, mesh_frame(x, y, 0.06 + gap, 0, 0, 0), mesh_frame(0, 0, -0.05, 0, 0, 0)};
        int count = mesh_collide(&p, 0.01, touch);
        TEST_CHECK(count == 1, "%d touches at (%g, %g), gap %g", count, x, y, gap);
        assert_true(fabs(touch[0].gap - gap) < 1e-16 + 1e-15 && touch[0].normal.z > 1.0 - 1e-15);
        assert_true(fabs(touch[0].point.x - x) < 1e-15 && fabs(touch[0].point.z - 0.5 * gap) < 1e-15);
    }
    crn_shape_destroy(floor);
    crn_shape_destroy(ball);
}

static void test_sphere_in_a_groove_touches_both_walls(void **state)
{
    (void)state;
    /* a block along z with a notch of 90 degrees in its top */
    const double xy[] = {-0.2, -0.2, 0.2, -0.2, 0.2, 0.1, 0.1, 0.1, 0.0, 0.0, -0.1, 0.1, -0.2, 0.1};
    crn_shape *block = mesh_prism(xy, 7, 0.5), *ball = mesh_partner(CRN_SHAPE_SPHERE, 0.05, 0, 0);
    for (int k = -20; k <= 20; ++k) {
        double gap = 1e-3 * k;
        mesh_pair p = {ball, block, mesh_frame(0.0, (0.05 + gap) * sqrt(2.0), 0.03, 0, 0, 0),
                       mesh_frame(0, 0, 0, 0, 0, 0)};
        int count = mesh_collide(&p, 0.03, touch);
        assert_int_equal(count, 2);
        for (int i = 0; i < 2; ++i) {
            assert_true(fabs(touch[i].gap - gap) < 1e-15);
            assert_true(fabs(touch[i].normal.y - sqrt(0.5)) < 1e-15);
        }
        assert_true(fabs(touch[0].normal.x + touch[1].normal.x) < 1e-15);
    }
    crn_shape_destroy(block);
    crn_shape_destroy(ball);
}

/* Also with its centre inside of the tube: out to the nearest point. */
static void test_sphere_follows_a_ring(void **state)
{
    (void)state;
    crn_random random = test_random("ring", 8);
    crn_shape *ring = mesh_ring(0.1, 0.03, 48, 24), *ball = mesh_partner(CRN_SHAPE_SPHERE, 0.02, 0, 0);
    double sag = 0.13 * (1.0 - cos(MESH_PI / 48)) + 0.03 * (1.0 - cos(MESH_PI / 24));
    for (int k = 0; k < 1000; ++k) {
        double u = crn_random_uniform(&random, 0, 2.0 * MESH_PI), v = crn_random_uniform(&random, 0, 2.0 * MESH_PI);
        double away = 0.05 + crn_random_uniform(&random, -0.045, 0.01); /* of the centre from the circle */
        double radius = 0.1 + away * cos(v);
        mesh_pair p = {ball, ring, mesh_frame(radius * cos(u), radius * sin(u), away * sin(v), 0, 0, 0),
                       mesh_frame(0, 0, 0, 0, 0, 0)};
        int count = mesh_collide(&p, 0.02, touch);
        double gap = mesh_gap(touch, count), exact = away - 0.05;
        TEST_CHECK(fabs(gap - exact) <= sag, "pose %d: gap %g instead of %g", k, gap, exact);
    }
    crn_shape_destroy(ring);
    crn_shape_destroy(ball);
}

/* --- Against the box --- */

/* The lowest gap, and where it is not in a corner its normal, are those of the box. */
static void compare_with_box(const crn_shape *solid, crn_random *random, double deepest)
{
    crn_shape *mesh = mesh_slab(0.1, 0.07, 0.05, 3, 2), *box = mesh_partner(CRN_SHAPE_BOX, 0.1, 0.07, 0.05);
    int met = 0, compared = 0;
    for (int k = 0; k < 2000; ++k) {
        mesh_pair p = {solid, mesh, mesh_random_frame(random, 0.16), mesh_random_frame(random, 0.02)};
        int count = mesh_collide(&p, 0.02, touch);
        p.b = box;
        int others = mesh_collide(&p, 0.02, other);
        double gap = mesh_gap(touch, count), exact = mesh_gap(other, others);
        met += others > 0;
        if (exact > deepest) { /* deeper the core is inside */
            compared += others > 0;
            TEST_CHECK((count > 0) == (others > 0), "pose %d: %d touches, the box has %d, gap %g", k, count, others,
                       exact);
            TEST_CHECK(others == 0 || fabs(gap - exact) < 1e-12, "pose %d: gap %.15g, the box's is %.15g", k, gap,
                       exact);
        } else {
            TEST_CHECK(count > 0 && gap < 0.5 * deepest, "pose %d: nothing pushes out, gap %g of %g", k, gap, exact);
        }
    }
    print_message("%d met, %d compared\n", met, compared);
    assert_true(met > 400 && compared > 200);
    crn_shape_destroy(mesh);
    crn_shape_destroy(box);
}

static void test_sphere_on_box_mesh_is_sphere_on_box(void **state)
{
    (void)state;
    crn_random random = test_random("sphere", 14);
    crn_shape *ball = mesh_partner(CRN_SHAPE_SPHERE, 0.04, 0, 0);
    compare_with_box(ball, &random, -0.08);
    crn_shape_destroy(ball);
}

static void test_capsule_on_box_mesh_is_capsule_on_box(void **state)
{
    (void)state;
    crn_random random = test_random("capsule", 15);
    crn_shape *rod = mesh_partner(CRN_SHAPE_CAPSULE, 0.03, 0.06, 0);
    compare_with_box(rod, &random, -0.03);
    crn_shape_destroy(rod);
}

/* A capsule along a floor has a touch at each end; across a ridge one. */
static void test_capsule_lies_on_its_ends(void **state)
{
    (void)state;
    crn_shape *floor = mesh_slab(1.0, 1.0, 0.05, 20, 20), *rod = mesh_partner(CRN_SHAPE_CAPSULE, 0.03, 0.2, 0);
    for (int k = 0; k < 20; ++k) {
        double gap = k % 2 == 0 ? 0.0 : 1e-4 * (k - 10);
        mesh_pair p = {rod, floor, mesh_frame(0.013 * k, 0.1, 0.03 + gap, 0, MESH_PI / 2, 0),
                       mesh_frame(0, 0, -0.05, 0, 0, 0)};
        int count = mesh_collide(&p, 0.002, touch);
        assert_int_equal(count, 2);
        for (int i = 0; i < 2; ++i) {
            assert_true(fabs(touch[i].gap - gap) < 1e-14 && touch[i].normal.z > 1.0 - 1e-15);
            assert_true(fabs(fabs(touch[i].point.x - 0.013 * k) - 0.2) < 1e-14);
        }
    }
    const double roof[] = {-0.2, 0.0, 0.2, 0.0, 0.0, 0.1};
    crn_shape *ridge = mesh_prism(roof, 3, 0.3); /* along z, top at y = 0.1 */
    for (int k = -5; k <= 5; ++k) {
        mesh_pair p = {rod, ridge, mesh_frame(0.02, 0.13 + 1e-3 * k, 0.01, 0, MESH_PI / 2, 0),
                       mesh_frame(0, 0, 0, 0, 0, 0)};
        int count = mesh_collide(&p, 0.02, touch);
        assert_int_equal(count, 1);
        assert_true(fabs(touch[0].gap - 1e-3 * k) < 1e-15 && touch[0].normal.y > 1.0 - 1e-15);
        assert_true(fabs(touch[0].point.x) < 1e-15);
    }
    crn_shape_destroy(floor);
    crn_shape_destroy(ridge);
    crn_shape_destroy(rod);
}

/* A capsule across a narrow block rests on both its edges, also when it is tilted a little. */
static void test_capsule_rests_on_two_edges(void **state)
{
    (void)state;
    crn_shape *block = mesh_box(0.05, 0.3, 0.1), *rod = mesh_partner(CRN_SHAPE_CAPSULE, 0.03, 0.2, 0);
    for (int k = -2; k <= 2; ++k) {
        double tilt = 0.01 * k;
        mesh_pair p = {rod, block, mesh_frame(0, 0.02, 0.13, 0, MESH_PI / 2 + tilt, 0), mesh_frame(0, 0, 0, 0, 0, 0)};
        int count = mesh_collide(&p, 0.002, touch);
        assert_int_equal(count, 2);
        for (int i = 0; i < 2; ++i) {
            assert_true(fabs(fabs(touch[i].point.x) - 0.05) < 1e-3 && touch[i].normal.z > 0.999);
            assert_true(fabs(fabs(touch[i].gap) - 0.05 * fabs(tan(tilt))) < 3e-5);
        }
        assert_true(k == 0 || touch[0].gap * touch[1].gap < 0.0);
    }
    crn_shape_destroy(block);
    crn_shape_destroy(rod);
}

/* --- Plane --- */

static void test_mesh_on_plane_is_box_on_plane(void **state)
{
    (void)state;
    crn_random random = test_random("plane", 16);
    crn_shape *mesh = mesh_slab(0.1, 0.07, 0.05, 3, 2), *box = mesh_partner(CRN_SHAPE_BOX, 0.1, 0.07, 0.05);
    crn_shape *plane = mesh_partner(CRN_SHAPE_PLANE, 0, 0, 0);
    for (int k = 0; k < 500; ++k) {
        mesh_pair p = {mesh, plane, mesh_random_frame(&random, 0.15), mesh_random_frame(&random, 0.02)};
        int count = mesh_collide(&p, 0.01, touch);
        double gap = mesh_gap(touch, count);
        p.a = box;
        double exact = mesh_gap(other, mesh_collide(&p, 0.01, other));
        TEST_CHECK(exact == (double)INFINITY ? count == 0 : fabs(gap - exact) < 1e-15, "gap %g instead of %g", gap,
                   exact);
    }
    crn_shape_destroy(mesh);
    crn_shape_destroy(box);
    crn_shape_destroy(plane);
}

/* However far below; a ring has all vertices of its lowest circle, and few others. */
static void test_ring_lies_on_plane(void **state)
{
    (void)state;
    crn_shape *ring = mesh_ring(0.1, 0.02, 32, 16), *plane = mesh_partner(CRN_SHAPE_PLANE, 0, 0, 0);
    mesh_pair p = {ring, plane, mesh_frame(0, 0, 0.02, 0, 0, 0), mesh_frame(0, 0, 0, 0, 0, 0)};
    int count = mesh_collide(&p, 1e-4, touch);
    assert_int_equal(count, 32);
    assert_true(fabs(mesh_gap(touch, count)) < 1e-15);
    p.fa.position.z = -3.0;
    count = mesh_collide(&p, 1e-4, touch);
    assert_in_range(count, 32, 3 * 32);
    assert_true(fabs(mesh_gap(touch, count) + 3.02) < 1e-14);
    crn_shape_destroy(ring);
    crn_shape_destroy(plane);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sphere_has_one_touch_on_tiles),
        cmocka_unit_test(test_sphere_in_a_groove_touches_both_walls),
        cmocka_unit_test(test_sphere_follows_a_ring),
        cmocka_unit_test(test_sphere_on_box_mesh_is_sphere_on_box),
        cmocka_unit_test(test_capsule_on_box_mesh_is_capsule_on_box),
        cmocka_unit_test(test_capsule_lies_on_its_ends),
        cmocka_unit_test(test_capsule_rests_on_two_edges),
        cmocka_unit_test(test_mesh_on_plane_is_box_on_plane),
        cmocka_unit_test(test_ring_lies_on_plane),
    };
    return TEST_RUN(tests, argc, argv);
}
