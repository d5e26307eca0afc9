/* Boxes on boxes and on planes: which points, how many, and that they stay the same when a resting box stirs. */
#include "primitive_case.h"

static const double quarter_turn = 1.5707963267948966;

static touching two_boxes(const crn_shape *upper, crn_frame fa, const crn_shape *lower, double reach)
{
    touching t = {.a = upper, .b = lower, .fa = fa, .fb = case_frame(0, 0, 0, crn_v3(0, 0, 0))};
    case_collide(&t, reach);
    return t;
}

/* Is there a touch at (x, y), with this gap and a normal straight up? */
static void expect_touch(const touching *t, double x, double y, double gap)
{
    for (int k = 0; k < t->count; ++k) {
        if (hypot(t->touch[k].point.x - x, t->touch[k].point.y - y) < 1e-12) {
            case_near(t->touch[k].gap, gap, 1e-15);
            case_close(t->touch[k].normal, crn_v3(0, 0, 1), 1e-15);
            case_near(t->touch[k].point.z, 0.5 + 0.5 * gap, 1e-15);
            return;
        }
    }
    fail_msg("no touch at %g, %g", x, y);
}

/* Equal cubes exactly on each other, at gaps from deep overlap through zero to reach: four corners, never more. */
static void test_aligned_cubes(void **state)
{
    (void)state;
    crn_shape *cube = case_shape(CRN_SHAPE_BOX, 0.5, 0.5, 0.5);
    const double gaps[] = {-0.3, -1e-3, -1e-9, -1e-16, 0.0, 1e-17, 2.3e-16, 1e-12, 1e-9, 1e-6, 1e-3, 0.3};
    for (size_t k = 0; k < sizeof gaps / sizeof *gaps; ++k) {
        touching t = two_boxes(cube, case_frame(0, 0, 1.0 + gaps[k], crn_v3(0, 0, 0)), cube, 0.4);
        double gap = (1.0 + gaps[k]) - 1.0; /* what the position can hold */
        assert_int_equal(t.count, 4);
        expect_touch(&t, 0.5, 0.5, gap);
        expect_touch(&t, -0.5, 0.5, gap);
        expect_touch(&t, -0.5, -0.5, gap);
        expect_touch(&t, 0.5, -0.5, gap);
    }
    crn_shape_destroy(cube);
}

/* Turned by 45 degrees: an octagon, corners at distance tan(22.5 degrees)/2 from the middles of the sides. */
static void test_octagon(void **state)
{
    (void)state;
    crn_shape *cube = case_shape(CRN_SHAPE_BOX, 0.5, 0.5, 0.5);
    touching t = two_boxes(cube, case_frame(0, 0, 1.01, crn_v3(0, 0, 0.5 * quarter_turn)), cube, 0.02);
    double c = 0.5 * (sqrt(2.0) - 1.0), gap = 1.01 - 1.0;
    assert_int_equal(t.count, 8);
    for (int k = 0; k < 4; ++k) {
        double sx = k & 1 ? 1.0 : -1.0, sy = k & 2 ? 1.0 : -1.0;
        expect_touch(&t, 0.5 * sx, c * sy, gap);
        expect_touch(&t, c * sx, 0.5 * sy, gap);
    }
    crn_shape_destroy(cube);
}

/* Shifted, overhanging, smaller, larger, and a plank across another. */
static void test_overlap_rectangles(void **state)
{
    (void)state;
    crn_shape *cube = case_shape(CRN_SHAPE_BOX, 0.5, 0.5, 0.5), *small = case_shape(CRN_SHAPE_BOX, 0.1, 0.2, 0.3);
    crn_shape *plank = case_shape(CRN_SHAPE_BOX, 2.0, 0.1, 0.5);
    touching t = two_boxes(cube, case_frame(0.3, -0.2, 1.0, crn_v3(0, 0, 0)), cube, 0.01);
    assert_int_equal(t.count, 4);
    expect_touch(&t, -0.2, -0.5, 0.0);
    expect_touch(&t, 0.5, -0.5, 0.0);
    expect_touch(&t, 0.5, 0.3, 0.0);
    expect_touch(&t, -0.2, 0.3, 0.0);

    t = two_boxes(small, case_frame(0.1, 0.2, 0.8, crn_v3(0, 0, quarter_turn)), cube, 0.01);
    assert_int_equal(t.count, 4);
    for (int k = 0; k < 4; ++k) {
        expect_touch(&t, 0.1 + (k & 1 ? 0.2 : -0.2), 0.2 + (k & 2 ? 0.1 : -0.1), 0.8 - 0.5 - 0.3);
    }
    touching on_plank = {.a = plank,
                         .b = plank,
                         .fa = case_frame(0, 0, 1.0, crn_v3(0, 0, quarter_turn)),
                         .fb = case_frame(0, 0, 0, crn_v3(0, 0, 0))};
    case_collide(&on_plank, 0.01);
    assert_int_equal(on_plank.count, 4);
    for (int k = 0; k < 4; ++k) {
        expect_touch(&on_plank, k & 1 ? 0.1 : -0.1, k & 2 ? 0.1 : -0.1, 0.0);
    }
    crn_shape_destroy(cube);
    crn_shape_destroy(small);
    crn_shape_destroy(plank);
}

/* Edges crossing at right angles, each a roof of 45 degrees: one touch, straight up, at any gap. */
static void test_crossed_edges(void **state)
{
    (void)state;
    crn_shape *cube = case_shape(CRN_SHAPE_BOX, 0.5, 0.5, 0.5);
    double ridge = sqrt(0.5);
    for (double gap = -0.2; gap < 0.2; gap += 0.01) {
        touching t = {.a = cube,
                      .b = cube,
                      .fa = case_frame(0.1, 0.05, 2.0 * ridge + gap, crn_v3(0.5 * quarter_turn, 0, 0)),
                      .fb = case_frame(0, 0, 0, crn_v3(0, 0.5 * quarter_turn, 0))};
        case_collide(&t, fmax(gap, 0.0) + 1e-3);
        TEST_CHECK(t.count >= 1, "nothing at gap %g", gap);
        case_near(t.lowest, gap, 1e-14);
        for (int k = 0; k < t.count; ++k) {
            case_close(t.touch[k].normal, crn_v3(0, 0, 1), 1e-14);
            if (t.touch[k].gap == t.lowest) {
                case_close(t.touch[k].point, crn_v3(0, 0.05, ridge + 0.5 * gap), 1e-14);
            }
        }
    }
    crn_shape_destroy(cube);
}

/* Apart beside an edge and beside a corner: the shortest way, with two touches for edge along edge and one for corners. */
static void test_beside_edges_and_corners(void **state)
{
    (void)state;
    crn_shape *cube = case_shape(CRN_SHAPE_BOX, 0.5, 0.5, 0.5);
    touching t = two_boxes(cube, case_frame(1.03, 0.2, 1.04, crn_v3(0, 0, 0)), cube, 0.1);
    assert_int_equal(t.count, 2);
    for (int k = 0; k < 2; ++k) {
        case_near(t.touch[k].gap, 0.05, 1e-14);
        case_close(t.touch[k].normal, crn_v3(0.6, 0, 0.8), 1e-13);
        case_near(fabs(t.touch[k].point.y - 0.1), 0.4, 1e-14); /* from -0.3 to 0.5 */
    }
    t = two_boxes(cube, case_frame(1.02, -1.03, 1.06, crn_v3(0, 0, 0)), cube, 0.1);
    assert_int_equal(t.count, 1);
    case_near(t.lowest, 0.07, 1e-14);
    case_close(t.touch[0].normal, crn_v3(2.0 / 7.0, -3.0 / 7.0, 6.0 / 7.0), 1e-13);
    case_close(t.touch[0].point, crn_v3(0.51, -0.515, 0.53), 1e-14);
    t = two_boxes(cube, case_frame(1.02, -1.03, 1.06, crn_v3(0, 0, 0)), cube, 0.0699);
    assert_int_equal(t.count, 0);
    crn_shape_destroy(cube);
}

/* The same edge along edge with a twist, so that seen along the normal they pass each other by a hair: still both ends, up to
 * a twist of 5e-5 (1e-4 of the half side over the common stretch). */
static void test_twisted_edges(void **state)
{
    (void)state;
    crn_random random = test_random("test_twisted_edges", 44);
    crn_shape *cube = case_shape(CRN_SHAPE_BOX, 0.5, 0.5, 0.5);
    for (int trial = 0; trial < 3000; ++trial) {
        double angle = pow(10.0, crn_random_uniform(&random, -14.0, -4.3));
        touching t =
            two_boxes(cube, case_frame(1.03, 0.2, 1.04, crn_v3_scale(angle, case_direction(&random))), cube, 0.1);
        double low = (double)INFINITY, high = -(double)INFINITY;
        for (int k = 0; k < t.count; ++k) {
            if (t.touch[k].gap < 0.05 + 10.0 * angle + 1e-8) {
                low = fmin(low, t.touch[k].point.y);
                high = fmax(high, t.touch[k].point.y);
            }
            case_close(t.touch[k].normal, crn_v3(0.6, 0, 0.8), 40.0 * angle + 1e-12);
        }
        TEST_CHECK(low < -0.29 && high > 0.49, "twist %g: %d touches from %g to %g", angle, t.count, low, high);
        case_near(t.lowest, case_separation(t.a, &t.fa, t.b, &t.fb, t.touch[0].normal), 1e-8);
    }
    crn_shape_destroy(cube);
}

/* Sliding off sideways at a height: as the common strip shrinks to nothing and the corners pass, two touches stay. */
static void test_sliding_off(void **state)
{
    (void)state;
    crn_shape *cube = case_shape(CRN_SHAPE_BOX, 0.5, 0.5, 0.5);
    for (int sign = -1; sign <= 1; sign += 2) {
        for (double x = 1e-16; x < 0.1; x *= 3.0) {
            touching t = two_boxes(cube, case_frame(1.0 + sign * x, 0, 1.25, crn_v3(0, 0, 0)), cube, 0.5);
            double aside = fmax(1.0 + sign * x - 1.0, 0.0);
            TEST_CHECK(t.count == (sign < 0 && x > 1e-6 ? 4 : 2) || (x > 1e-7 && x < 1e-5), "%d touches at %g", t.count,
                       sign * x);
            case_near(t.lowest, hypot(aside, 0.25), 1e-11);
            case_close(t.touch[0].normal, crn_v3_unit(crn_v3(aside, 0, 0.25)), 1e-5);
        }
    }
    crn_shape_destroy(cube);
}

/* --- Resting boxes that stir --- */

static void expect_same_keys(const touching *t, const touching *u, const char *what, double angle)
{
    TEST_CHECK(t->count == u->count, "%s %g: %d touches, not %d", what, angle, u->count, t->count);
    for (int k = 0; k < t->count; ++k) {
        TEST_CHECK(t->touch[k].key == u->touch[k].key, "%s %g: key %u is now %u", what, angle, t->touch[k].key,
                   u->touch[k].key);
    }
}

/* A box tilted by 1e-12 to 1e-3 about any level axis, on a floor, on an equal box, on a plane: four touches, the same by
 * name, and the gaps are those of the corners. */
static void test_tilts(void **state)
{
    (void)state;
    crn_random random = test_random("test_tilts", 41);
    crn_shape *cube = case_shape(CRN_SHAPE_BOX, 0.5, 0.5, 0.5), *wide = case_shape(CRN_SHAPE_BOX, 5, 5, 0.5);
    crn_shape *plane = case_shape(CRN_SHAPE_PLANE, 0, 0, 0);
    const crn_shape *lower[] = {wide, plane, cube};
    for (int which = 0; which < 3; ++which) {
        double top = which == 1 ? 0.0 : 0.5;
        touching still = two_boxes(cube, case_frame(0, 0, top + 0.5, crn_v3(0, 0, 0)), lower[which], 0.01);
        assert_int_equal(still.count, 4);
        for (int trial = 0; trial < 3000; ++trial) {
            double angle = pow(10.0, crn_random_uniform(&random, -12.0, -3.0)),
                   way = crn_random_uniform(&random, -4, 4);
            crn_vec3 turn = {angle * cos(way), angle * sin(way), 0.0};
            touching t = two_boxes(cube, case_frame(0, 0, top + 0.5, turn), lower[which], 0.01);
            TEST_CHECK(t.count == 4, "%d: %d touches at tilt %g", which, t.count, angle);
            if (which < 2) {
                expect_same_keys(&still, &t, "tilt", angle);
                double s = 0.5 * angle * (fabs(cos(way)) + fabs(sin(way)));
                case_near(t.lowest, -s, 1e-15 + angle * angle);
            }
        }
    }
    crn_shape_destroy(cube);
    crn_shape_destroy(wide);
    crn_shape_destroy(plane);
}

/* Equal boxes, shifted, leaning by 1e-9 this way and that: one and the same reference face, so one and the same normal. */
static void test_reference_face_stays(void **state)
{
    (void)state;
    crn_random random = test_random("test_reference_face_stays", 42);
    crn_shape *cube = case_shape(CRN_SHAPE_BOX, 0.5, 0.5, 0.5);
    double dx = 0.2, dy = -0.1;
    touching still = two_boxes(cube, case_frame(dx, dy, 1.0, crn_v3(0, 0, 0)), cube, 0.01);
    for (int trial = 0; trial < 3000; ++trial) {
        double angle = pow(10.0, crn_random_uniform(&random, -16.0, -9.0));
        double up = crn_random_uniform(&random, -1e-9, 1e-9);
        touching t =
            two_boxes(cube, case_frame(dx, dy, 1.0 + up, crn_v3_scale(angle, case_direction(&random))), cube, 0.01);
        expect_same_keys(&still, &t, "turn", angle);
        case_close(t.touch[0].normal, crn_v3(0, 0, 1), 0.0); /* the lower one's, not nearly so */
    }
    /* exactly on each other, any small motion of 1e-8: the same four names */
    still = two_boxes(cube, case_frame(0, 0, 1.0, crn_v3(0, 0, 0)), cube, 0.01);
    for (int trial = 0; trial < 3000; ++trial) {
        crn_vec3 p = crn_v3_scale(1e-8, case_direction(&random)), turn = crn_v3_scale(1e-8, case_direction(&random));
        touching t = two_boxes(cube, case_frame(p.x, p.y, 1.0 + p.z, turn), cube, 0.01);
        expect_same_keys(&still, &t, "stir", 1e-8);
    }
    crn_shape_destroy(cube);
}

/* Larger tilts of crossed planks: the nearest features are two edges, and still all four corners of the common square are
 * touches. */
static void test_crossed_planks_keep_four(void **state)
{
    (void)state;
    crn_random random = test_random("test_crossed_planks_keep_four", 43);
    crn_shape *plank = case_shape(CRN_SHAPE_BOX, 2.0, 0.1, 0.5);
    for (int trial = 0; trial < 3000; ++trial) {
        double angle = pow(10.0, crn_random_uniform(&random, -12.0, -2.0));
        crn_frame small = case_frame(0, 0, 0, crn_v3_scale(angle, case_direction(&random)));
        crn_frame across = case_frame(0, 0, 1.0, crn_v3(0, 0, quarter_turn));
        across.rotation = crn_m3_product(&small.rotation, &across.rotation);
        touching t = two_boxes(plank, across, plank, 0.05);
        TEST_CHECK(t.count == 4, "%d touches at angle %g", t.count, angle);
        double s = case_separation(t.a, &t.fa, t.b, &t.fb, t.touch[0].normal);
        case_near(t.lowest, s, 1e-8);
        /* tilting the long arms lifts the common square by no more than angle times its half diagonal */
        TEST_CHECK(fabs(t.lowest) <= 0.15 * angle + 4.0 * angle * angle + 1e-8, "gap %g at angle %g", t.lowest, angle);
    }
    crn_shape_destroy(plank);
}

/* Two cubes that overlap at a corner by (d, d, d): depth d, the way out along an axis, four touches. */
static void test_corner_overlap(void **state)
{
    (void)state;
    crn_shape *cube = case_shape(CRN_SHAPE_BOX, 0.5, 0.5, 0.5);
    for (double d = 1e-12; d < 0.5; d *= 3.0) {
        touching t = two_boxes(cube, case_frame(1.0 - d, 1.0 - d, 1.0 - d, crn_v3(0, 0, 0)), cube, 0.0);
        double largest = fmax(fabs(t.touch[0].normal.x), fmax(fabs(t.touch[0].normal.y), fabs(t.touch[0].normal.z)));
        case_near(t.lowest, -d, 1e-15);
        case_near(largest, 1.0, 0.0);
        if (d > 1e-5) { /* below the slack the corner region is a point */
            assert_int_equal(t.count, 4);
        }
    }
    crn_shape_destroy(cube);
}

/* Thin plates and needles: the slack follows the face, not the longest side. */
static void test_thin_boxes(void **state)
{
    (void)state;
    crn_shape *plate = case_shape(CRN_SHAPE_BOX, 1.0, 1.0, 1e-7), *needle = case_shape(CRN_SHAPE_BOX, 1e-6, 1e-6, 1.0);
    touching t = {.a = plate,
                  .b = plate,
                  .fa = case_frame(2.0, 0, 0, crn_v3(0, 0, 0)),
                  .fb = case_frame(0, 0, 0, crn_v3(0, 0, 0))};
    case_collide(&t, 1e-3); /* side against side */
    assert_int_equal(t.count, 4);
    case_close(t.touch[0].normal, crn_v3(1, 0, 0), 0.0);
    case_near(t.lowest, 0.0, 1e-15);
    t = (touching){.a = needle, .b = plate, .fa = case_frame(0.2, 0.3, 1.0 + 1e-7, crn_v3(0, 0, 0.4)), .fb = t.fb};
    case_collide(&t, 1e-3); /* standing on it */
    assert_int_equal(t.count, 4);
    case_near(t.lowest, 0.0, 1e-15);
    crn_shape_destroy(plate);
    crn_shape_destroy(needle);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_aligned_cubes),
        cmocka_unit_test(test_octagon),
        cmocka_unit_test(test_overlap_rectangles),
        cmocka_unit_test(test_crossed_edges),
        cmocka_unit_test(test_beside_edges_and_corners),
        cmocka_unit_test(test_twisted_edges),
        cmocka_unit_test(test_sliding_off),
        cmocka_unit_test(test_tilts),
        cmocka_unit_test(test_reference_face_stays),
        cmocka_unit_test(test_crossed_planks_keep_four),
        cmocka_unit_test(test_corner_overlap),
        cmocka_unit_test(test_thin_boxes),
    };
    return TEST_RUN(tests, argc, argv);
}
