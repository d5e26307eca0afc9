/* Every solid shape on a plane: which points, and how high. */
#include "primitive_case.h"

static const crn_vec3 none = {0, 0, 0};
static const double quarter_turn = 1.5707963267948966;

static touching on_plane(const crn_shape *shape, crn_frame frame, double reach)
{
    static crn_shape *plane; /* of this test program only */
    plane = plane != NULL ? plane : case_shape(CRN_SHAPE_PLANE, 0, 0, 0);
    touching t = {.a = shape, .b = plane, .fa = frame, .fb = case_frame(0, 0, 0, none)};
    case_collide(&t, reach);
    return t;
}

/* Each touch lies halfway between its surface point and the plane. */
static void expect_halfway(const touching *t)
{
    for (int k = 0; k < t->count; ++k) {
        case_close(t->touch[k].normal, crn_v3(0, 0, 1), 0.0);
        case_near(t->touch[k].point.z, 0.5 * t->touch[k].gap, 1e-15);
    }
}

static void test_box(void **state)
{
    (void)state;
    crn_shape *box = case_shape(CRN_SHAPE_BOX, 0.5, 0.25, 0.125);
    const double gaps[] = {-0.05, 0.0, 1e-17, 0.05};
    for (int k = 0; k < 4; ++k) {
        touching t = on_plane(box, case_frame(0, 0, 0.125 + gaps[k], none), 0.1);
        assert_int_equal(t.count, 4);
        expect_halfway(&t);
        case_near(t.lowest, (0.125 + gaps[k]) - 0.125, 0.0); /* what the position can hold */
    }
    touching t = on_plane(box, case_frame(0, 0, -0.3, none), 0.0); /* drowned */
    assert_int_equal(t.count, 8);
    case_near(t.lowest, -0.425, 1e-16);
    t = on_plane(box, case_frame(0, 0, 0.3, none), 0.1);
    assert_int_equal(t.count, 0);
    crn_shape_destroy(box);
}

static void test_round_shapes(void **state)
{
    (void)state;
    crn_shape *ball = case_shape(CRN_SHAPE_SPHERE, 0.5, 0, 0), *pill = case_shape(CRN_SHAPE_CAPSULE, 0.25, 0.5, 0);
    crn_shape *egg = case_shape(CRN_SHAPE_ELLIPSOID, 0.5, 0.25, 1.0);
    touching t = on_plane(ball, case_frame(1, 2, 0.5, none), 0.1);
    assert_int_equal(t.count, 1);
    case_close(t.touch[0].point, crn_v3(1, 2, 0), 1e-16);
    case_near(t.lowest, 0.0, 0.0);
    t = on_plane(pill, case_frame(0, 0, 0.25, crn_v3(quarter_turn, 0, 0)), 0.1);
    assert_int_equal(t.count, 2);
    case_near(t.touch[0].gap, 0.0, 1e-15);
    case_near(t.touch[1].gap, 0.0, 1e-15);
    t = on_plane(pill, case_frame(0, 0, 0.75, none), 0.1);
    assert_int_equal(t.count, 1);
    const crn_vec3 turn[] = {{0, 0, 0}, {quarter_turn, 0, 0}, {0, quarter_turn, 0}};
    const double height[] = {1.0, 0.25, 0.5};
    for (int k = 0; k < 3; ++k) {
        t = on_plane(egg, case_frame(0.1, 0.2, height[k], turn[k]), 0.1);
        assert_int_equal(t.count, 1);
        case_close(t.touch[0].point, crn_v3(0.1, 0.2, 0.0), 1e-14);
        case_near(t.lowest, 0.0, 1e-15);
    }
    crn_shape_destroy(ball);
    crn_shape_destroy(pill);
    crn_shape_destroy(egg);
}

/* Upright: the 16-gon. Lying: the two lowest points of the rims. Slanting: the exact lowest point. */
static void test_cylinder(void **state)
{
    (void)state;
    crn_shape *can = case_shape(CRN_SHAPE_CYLINDER, 0.5, 1.0, 0);
    touching still = on_plane(can, case_frame(0, 0, 1.0, none), 0.01);
    assert_int_equal(still.count, 16);
    expect_halfway(&still);
    crn_vec3 sum = none;
    for (int k = 0; k < 16; ++k) {
        case_near(hypot(still.touch[k].point.x, still.touch[k].point.y), 0.5, 1e-15);
        sum = crn_v3_add(sum, still.touch[k].point);
        for (int j = 0; j < k; ++j) { /* evenly around */
            double chord = crn_v3_length(crn_v3_sub(still.touch[k].point, still.touch[j].point));
            case_near(chord, 2.0 * 0.5 * sin((double)(k - j) * quarter_turn / 8.0), 1e-15);
        }
    }
    case_close(sum, none, 1e-15);
    for (double angle = 1e-16; angle < 0.05; angle *= 4.0) {
        touching t = on_plane(can, case_frame(0, 0, 1.0, crn_v3(0.6 * angle, 0.8 * angle, 0)), 0.1);
        double lowest = 1.0 - cos(angle) - 0.5 * sin(angle);
        case_near(t.lowest, lowest, 1e-9);
        TEST_CHECK(t.count == 16 + (angle > 1e-6) || (angle > 1e-9 && angle < 1e-6), "%d touches at %g", t.count,
                   angle);
        for (int k = 0; k < 16; ++k) {
            assert_int_equal(t.touch[k].key, still.touch[k].key);
        }
        if (angle > 1e-6) { /* where the rim is noticeably lower between the corners */
            case_near(t.lowest, lowest, 1e-15);
        }
    }
    touching t =
        on_plane(can, case_frame(0, 0, 0.5, crn_v3(quarter_turn, 0, 0)), 1e-3); /* lying on a corner of the 16-gon */
    assert_int_equal(t.count, 2);
    crn_frame lying = case_frame(0, 0, 0.5, crn_v3(quarter_turn, 0, 0)), roll = case_frame(0, 0, 0, crn_v3(0, 0, 0.1));
    lying.rotation = crn_m3_product(&lying.rotation, &roll.rotation);
    t = on_plane(can, lying, 1e-3); /* between two */
    assert_int_equal(t.count, 2);
    for (int k = 0; k < 2; ++k) {
        case_near(t.touch[k].gap, 0.0, 1e-15);
        case_near(fabs(t.touch[k].point.y), 1.0, 1e-15);
        case_near(t.touch[k].point.x, 0.0, 1e-15);
    }
    crn_shape_destroy(can);
}

/* Corners count while the tilt may vanish before the next look; spin about the axis does not tilt. */
static void test_corners_by_motion(void **state)
{
    (void)state;
    crn_shape *can = case_shape(CRN_SHAPE_CYLINDER, 0.5, 1.0, 0), *cone = case_shape(CRN_SHAPE_CONE, 0.5, 1.0, 0);
    crn_shape *plane = case_shape(CRN_SHAPE_PLANE, 0, 0, 0);
    crn_collide_scratch scratch = {.is_short = false};
    crn_frame ground = case_frame(0, 0, 0, none), tilted = case_frame(0, 0, 1.0, crn_v3(0.06, 0.08, 0));
    crn_vec3 axis = crn_m3_column(&tilted.rotation, 2);
    const struct {
        crn_collide_motion motion;
        int count;
    } looks[] = {
        {{none, none, 0.0}, 1},          {{crn_v3_scale(0.5, axis), none, 0.0}, 1},
        {{{0.06, 0, 0}, none, 0.0}, 17}, {{{0.04, 0, 0}, none, 0.0}, 1},
        {{none, {0.5, 0, 0}, 0.0}, 1},   {{none, {0, 0, -0.03}, 0.0}, 17},
        {{none, none, 0.02}, 17},
    };
    crn_touch touch[64];
    for (size_t k = 0; k < sizeof looks / sizeof *looks; ++k) {
        const crn_collide_motion *motion = &looks[k].motion;
        int of_can = crn_collide_with(&scratch, can, &tilted, plane, &ground, 0.2, motion, touch, 64);
        int of_cone = crn_collide_with(&scratch, cone, &tilted, plane, &ground, 0.2, motion, touch, 64);
        TEST_CHECK(of_can == looks[k].count && of_cone == looks[k].count, "look %zu: %d, %d", k, of_can, of_cone);
    }
    crn_shape_destroy(can);
    crn_shape_destroy(cone);
    crn_shape_destroy(plane);
}

/* All vertices within reach, named by their number. */
static void test_hull(void **state)
{
    (void)state;
    double points[3 * 6] = {1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1};
    crn_shape_def def = {.kind = CRN_SHAPE_HULL, .points = points, .count = 6};
    crn_shape *hull;
    crn_error error;
    TEST_CHECK(crn_shape_create(&def, NULL, &hull, &error) == CRN_OK, "%s", error.text);
    touching t = on_plane(hull, case_frame(0, 0, 1, none), 0.5);
    assert_int_equal(t.count, 1);
    case_near(t.lowest, 0.0, 0.0);
    t = on_plane(hull, case_frame(0, 0, 1, none), 1.0);
    assert_int_equal(t.count, 5);
    t = on_plane(hull, case_frame(0, 0, sqrt(0.5), crn_v3(0.5 * quarter_turn, 0, 0)), 0.1);
    assert_int_equal(t.count, 2);
    expect_halfway(&t);
    crn_shape_destroy(hull);
}

/* A plane in a frame of its own, and as a. */
static void test_turned_plane(void **state)
{
    (void)state;
    crn_shape *ball = case_shape(CRN_SHAPE_SPHERE, 0.5, 0, 0), *plane = case_shape(CRN_SHAPE_PLANE, 0, 0, 0);
    crn_shape *other = case_shape(CRN_SHAPE_PLANE, 0, 0, 0);
    crn_frame wall = case_frame(2, 0, 0, crn_v3(0, -quarter_turn, 0)), origin = case_frame(0, 0, 0, none); /* x >= 2 */
    touching t = {.a = plane, .b = ball, .fa = wall, .fb = case_frame(1.25, 0, 0, none)};
    case_collide(&t, 0.5);
    assert_int_equal(t.count, 1);
    case_near(t.lowest, 0.25, 1e-15);
    case_close(t.touch[0].normal, crn_v3(1, 0, 0), 1e-15);
    case_close(t.touch[0].point, crn_v3(1.875, 0, 0), 1e-15);
    assert_int_equal(crn_collide(plane, &wall, other, &origin, 1.0, NULL, 0), 0); /* both are fixed */
    crn_shape_destroy(ball);
    crn_shape_destroy(plane);
    crn_shape_destroy(other);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_box),      cmocka_unit_test(test_round_shapes),
        cmocka_unit_test(test_cylinder), cmocka_unit_test(test_corners_by_motion),
        cmocka_unit_test(test_hull),     cmocka_unit_test(test_turned_plane),
    };
    return TEST_RUN(tests, argc, argv);
}
