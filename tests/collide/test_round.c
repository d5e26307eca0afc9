/* Spheres, capsules and boxes: closed answers, line contacts, and cores that meet. */
#include "primitive_case.h"

static const crn_vec3 none = {0, 0, 0};
static const double quarter_turn = 1.5707963267948966;

static touching meet(const crn_shape *a, crn_frame fa, const crn_shape *b, crn_frame fb, double reach)
{
    touching t = {.a = a, .b = b, .fa = fa, .fb = fb};
    case_collide(&t, reach);
    return t;
}

static void expect_one(const touching *t, crn_vec3 point, crn_vec3 normal, double gap)
{
    assert_int_equal(t->count, 1);
    case_close(t->touch[0].point, point, 1e-14);
    case_close(t->touch[0].normal, normal, 1e-14);
    case_near(t->touch[0].gap, gap, 1e-14);
}

/* The answer must be usable where no direction is given: unit normal, s(n) = gap, the same twice. */
static void expect_sound(const touching *t, double gap)
{
    assert_true(t->count > 0);
    case_near(t->lowest, gap, 1e-14);
    case_near(case_separation(t->a, &t->fa, t->b, &t->fb, t->touch[0].normal), gap, 1e-14);
    touching again = meet(t->a, t->fa, t->b, t->fb, 1.0);
    case_close(again.touch[0].normal, t->touch[0].normal, 0.0);
}

static void test_spheres(void **state)
{
    (void)state;
    crn_shape *large = case_shape(CRN_SHAPE_SPHERE, 0.75, 0, 0), *small = case_shape(CRN_SHAPE_SPHERE, 0.5, 0, 0);
    crn_frame origin = case_frame(0, 0, 0, none);
    touching t = meet(small, case_frame(0, 1.5, 0, none), large, origin, 0.5);
    expect_one(&t, crn_v3(0, 0.875, 0), crn_v3(0, 1, 0), 0.25);
    t = meet(large, origin, small, case_frame(0.6, 0, 0.8, none), 0.5);
    expect_one(&t, crn_v3(0.375, 0, 0.5), crn_v3(-0.6, 0, -0.8), -0.25);
    t = meet(small, case_frame(0, 1.75, 0, none), large, origin, 0.4);
    assert_int_equal(t.count, 0);
    t = meet(small, origin, large, origin, 0.1); /* concentric */
    expect_sound(&t, -1.25);
    t = meet(small, case_frame(0, 1e-17, 0, none), small, origin, 0.1);
    expect_sound(&t, -1.0);
    crn_shape_destroy(large);
    crn_shape_destroy(small);
}

static void test_sphere_box(void **state)
{
    (void)state;
    crn_shape *ball = case_shape(CRN_SHAPE_SPHERE, 0.25, 0, 0), *box = case_shape(CRN_SHAPE_BOX, 0.5, 1.0, 2.0);
    crn_frame origin = case_frame(0, 0, 0, none);
    touching t = meet(ball, case_frame(0.75, 0.5, -1.0, none), box, origin, 0.5); /* exact touch */
    expect_one(&t, crn_v3(0.5, 0.5, -1.0), crn_v3(1, 0, 0), 0.0);
    t = meet(ball, case_frame(0.8, 1.4, 0.0, none), box, origin, 0.5); /* edge */
    expect_one(&t, crn_v3(0.575, 1.1, 0.0), crn_v3(0.6, 0.8, 0), 0.25);
    t = meet(ball, case_frame(0.5, 1.0, 2.0, none), box, origin, 0.5); /* centre in the corner */
    expect_sound(&t, -0.25);
    t = meet(ball, case_frame(-0.4, 0.1, 0.2, none), box, origin, 0.5); /* inside */
    expect_one(&t, crn_v3(-0.325, 0.1, 0.2), crn_v3(-1, 0, 0), -0.35);
    t = meet(ball, origin, box, origin, 0.5);
    expect_sound(&t, -0.75);
    /* through the face: one formula on both sides */
    for (double x = 0.49; x < 0.51; x += 1e-4) {
        t = meet(ball, case_frame(x, 0.3, 0.4, none), box, origin, 0.5);
        expect_one(&t, crn_v3(0.5 + 0.5 * (x - 0.75), 0.3, 0.4), crn_v3(1, 0, 0), x - 0.75);
    }
    crn_shape_destroy(ball);
    crn_shape_destroy(box);
}

static void test_capsules(void **state)
{
    (void)state;
    crn_shape *a = case_shape(CRN_SHAPE_CAPSULE, 0.25, 1.0, 0), *ball = case_shape(CRN_SHAPE_SPHERE, 0.25, 0, 0);
    crn_shape *point = case_shape(CRN_SHAPE_CAPSULE, 0.25, 0.0, 0);
    crn_frame origin = case_frame(0, 0, 0, none);
    /* side by side, shifted lengthwise: both ends of the common stretch */
    touching t = meet(a, case_frame(0.5, 0, 0.5, none), a, origin, 0.1);
    assert_int_equal(t.count, 2);
    for (int k = 0; k < 2; ++k) {
        case_near(t.touch[k].gap, 0.0, 1e-15);
        case_close(t.touch[k].normal, crn_v3(1, 0, 0), 1e-15);
        case_near(t.touch[k].point.x, 0.25, 1e-15);
        case_near(fabs(t.touch[k].point.z - 0.25), 0.75, 1e-15);
    }
    /* stable under tiny turns */
    for (double angle = 1e-15; angle < 1e-4; angle *= 7.0) {
        for (int k = 0; k < 3; ++k) {
            touching u =
                meet(a, case_frame(0.5, 0, 0.5, crn_v3(k == 0 ? angle : 0, k == 1 ? angle : 0, k == 2 ? angle : 0)), a,
                     origin, 0.1);
            TEST_CHECK(u.count == 2 || angle > 1e-5, "%d touches at angle %g", u.count, angle);
            for (int j = 0; j < 2; ++j) {
                assert_int_equal(u.touch[j].key, t.touch[j].key);
                case_close(u.touch[j].point, t.touch[j].point, 2.0 * angle + 1e-14);
            }
        }
    }
    /* crossed, in line, coincident, crossing in one point, and spheres in disguise */
    t = meet(a, case_frame(0.7, 0, 0, crn_v3(quarter_turn, 0, 0)), a, origin, 0.5);
    expect_one(&t, crn_v3(0.35, 0, 0), crn_v3(1, 0, 0), 0.2);
    t = meet(a, case_frame(0, 0, 2.6, none), a, origin, 0.5);
    expect_one(&t, crn_v3(0, 0, 1.3), crn_v3(0, 0, 1), 0.1);
    t = meet(a, origin, a, origin, 0.5);
    expect_sound(&t, -0.5);
    assert_int_equal(t.count, 2);
    t = meet(a, case_frame(0, 0, 0, crn_v3(1.0, 0, 0)), a, origin, 0.1);
    expect_sound(&t, -0.5);
    t = meet(point, case_frame(0, 0.6, 0, none), point, origin, 0.5);
    expect_one(&t, crn_v3(0, 0.3, 0), crn_v3(0, 1, 0), 0.1);
    t = meet(point, case_frame(0, 0.6, 0, none), a, origin, 0.5);
    expect_one(&t, crn_v3(0, 0.3, 0), crn_v3(0, 1, 0), 0.1);
    t = meet(ball, case_frame(0, 0, -1.5, none), a, origin, 0.1);
    expect_one(&t, crn_v3(0, 0, -1.25), crn_v3(0, 0, -1), 0.0);
    t = meet(ball, case_frame(0, 0, 0.5, none), a, origin, 0.1); /* centre on the core */
    expect_sound(&t, -0.5);
    crn_shape_destroy(a);
    crn_shape_destroy(ball);
    crn_shape_destroy(point);
}

static void test_box_capsule(void **state)
{
    (void)state;
    crn_shape *box = case_shape(CRN_SHAPE_BOX, 1.0, 1.0, 0.5), *pill = case_shape(CRN_SHAPE_CAPSULE, 0.25, 0.6, 0);
    crn_frame origin = case_frame(0, 0, 0, none);
    const crn_vec3 lying = {quarter_turn, 0, 0}; /* along y */
    touching still = meet(pill, case_frame(0.2, 0.1, 0.75, lying), box, origin, 0.1);
    assert_int_equal(still.count, 2);
    for (int k = 0; k < 2; ++k) {
        case_near(still.touch[k].gap, 0.0, 1e-15);
        case_close(still.touch[k].normal, crn_v3(0, 0, 1), 1e-15);
        case_near(fabs(still.touch[k].point.y - 0.1), 0.6, 1e-14);
    }
    for (double angle = 1e-15; angle < 1e-2; angle *= 5.0) {
        touching t = meet(pill, case_frame(0.2, 0.1, 0.75, crn_v3(quarter_turn + angle, 0, 0)), box, origin, 0.1);
        assert_int_equal(t.count, 2);
        assert_true(t.touch[0].key == still.touch[0].key && t.touch[1].key == still.touch[1].key);
        case_near(t.lowest, -0.6 * angle, angle * angle + 1e-15);
    }
    /* hanging over the side: cut there */
    touching t = meet(pill, case_frame(0.2, 0.8, 0.75, lying), box, origin, 0.1);
    assert_int_equal(t.count, 2);
    case_near(fabs(t.touch[0].point.y - t.touch[1].point.y), 0.8, 1e-14);
    /* along an edge, beside it: both ends, slanting normal; a little twist does not lose one */
    for (double angle = 1e-12; angle < 2e-3; angle *= 10.0) {
        t = meet(pill, case_frame(1.18, 0.0, 0.74, crn_v3(quarter_turn, 0, angle)), box, origin, 0.1);
        double low = (double)INFINITY, high = -(double)INFINITY;
        for (int k = 0; k < t.count; ++k) {
            low = fmin(low, t.touch[k].point.y);
            high = fmax(high, t.touch[k].point.y);
            case_close(t.touch[k].normal, crn_v3(0.6, 0, 0.8), 4.0 * angle + 1e-12);
        }
        case_near(t.lowest, 0.05, angle + 1e-12);
        TEST_CHECK(low < -0.59 && high > 0.59, "twist %g: from %g to %g", angle, low, high);
    }
    /* upright on its end, core in the box, core through its centre */
    t = meet(pill, case_frame(0.3, 0.2, 1.35, none), box, origin, 0.1);
    expect_one(&t, crn_v3(0.3, 0.2, 0.5), crn_v3(0, 0, 1), 0.0);
    t = meet(pill, origin, box, origin, 0.1);
    expect_sound(&t, -1.25); /* out sideways: 1 + 0.25 */
    t = meet(pill, case_frame(0, 0, 0.1, lying), box, origin, 0.1);
    expect_sound(&t, -0.65);
    assert_int_equal(t.count, 2);
    crn_shape_destroy(box);
    crn_shape_destroy(pill);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spheres),
        cmocka_unit_test(test_sphere_box),
        cmocka_unit_test(test_capsules),
        cmocka_unit_test(test_box_capsule),
    };
    return TEST_RUN(tests, argc, argv);
}
