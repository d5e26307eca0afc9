/* Bounds are the support along the axes: they hold the shape, and touch it. */
#include "primitive_case.h"

static void test_support_along_axes(void **state)
{
    (void)state;
    crn_random random = test_random("test_support_along_axes", 61);
    crn_shape *const shapes[] = {case_shape(CRN_SHAPE_SPHERE, 0.4, 0, 0), case_shape(CRN_SHAPE_BOX, 0.2, 0.5, 0.9),
                                 case_shape(CRN_SHAPE_CAPSULE, 0.3, 0.8, 0)};
    for (int k = 0; k < 3; ++k) {
        for (int trial = 0; trial < 1000; ++trial) {
            crn_frame frame = case_random_frame(&random, 3.0);
            double grow = trial % 3 == 0 ? 0.0 : crn_random_uniform(&random, 0.0, 0.1);
            crn_bounds bounds = crn_shape_bounds(shapes[k], &frame, grow);
            for (int i = 0; i < 3; ++i) {
                crn_vec3 n = {i == 0, i == 1, i == 2};
                case_near(bounds.high[i], case_support(shapes[k], &frame, n) + grow, 1e-14);
                case_near(bounds.low[i], -case_support(shapes[k], &frame, crn_v3_scale(-1.0, n)) - grow, 1e-14);
            }
        }
        crn_shape_destroy(shapes[k]);
    }
}

/* A half-space ends at its surface if that is level with two axes, and nowhere if not. */
static void test_planes(void **state)
{
    (void)state;
    crn_shape *plane = case_shape(CRN_SHAPE_PLANE, 0, 0, 0);
    const double quarter_turn = 1.5707963267948966;
    const crn_vec3 turn[] = {{0, 0, 0}, {0, quarter_turn, 0}, {-quarter_turn, 0, 0}, {2 * quarter_turn, 0, 0}};
    const int axis[] = {2, 0, 1, 2}, is_high[] = {1, 1, 1, 0};
    const double at[3] = {1.0, 2.0, 3.0};
    for (int k = 0; k < 4; ++k) {
        crn_frame frame = case_frame(at[0], at[1], at[2], turn[k]);
        crn_bounds bounds = crn_shape_bounds(plane, &frame, 0.5);
        for (int i = 0; i < 3; ++i) {
            bool ends = i == axis[k];
            assert_true(bounds.high[i] == (ends && is_high[k] ? at[i] + 0.5 : (double)INFINITY));
            assert_true(bounds.low[i] == (ends && !is_high[k] ? at[i] - 0.5 : -(double)INFINITY));
        }
    }
    crn_frame slant = case_frame(0, 0, 0, crn_v3(1e-12, 0, 0));
    crn_bounds bounds = crn_shape_bounds(plane, &slant, 0.0);
    for (int i = 0; i < 3; ++i) {
        assert_true(isinf(bounds.low[i]) && isinf(bounds.high[i]));
    }
    crn_shape_destroy(plane);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_support_along_axes),
        cmocka_unit_test(test_planes),
    };
    return TEST_RUN(tests, argc, argv);
}
