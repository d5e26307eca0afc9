/* crn_profile_at() against closed forms and a plain search. */
#include <cairn/model.h>

#include "test_support.h"

#include <math.h>

static void test_constant_and_wave(void **state)
{
    (void)state;
    crn_profile zero = {.value = 0.0};
    assert_true(crn_profile_at(&zero, 3.0) == 0.0);
    crn_profile constant = {.value = 2.5};
    assert_true(crn_profile_at(&constant, -7.0) == 2.5);
    /* 1 + 2 sin(2 pi 0.5 t + pi/2) = 1 + 2 cos(pi t) */
    crn_profile wave = {.value = 1.0, .amplitude = 2.0, .frequency = 0.5, .phase = acos(0.0)};
    for (int i = -8; i <= 8; ++i) {
        double wanted = 1.0 + 2.0 * (i % 2 == 0 ? 1.0 : -1.0);
        assert_true(fabs(crn_profile_at(&wave, (double)i) - wanted) <= 1e-14);
        assert_true(fabs(crn_profile_at(&wave, (double)i + 0.5) - 1.0) <= 1e-14);
    }
}

static void test_table(void **state)
{
    (void)state;
    const double times[] = {-1.0, 0.0, 0.1, 3.0}, values[] = {4.0, -2.0, 0.3, 1e3};
    crn_profile table = {.times = times, .values = values, .count = 4};
    for (int i = 0; i < 4; ++i) {
        assert_true(crn_profile_at(&table, times[i]) == values[i]);
    }
    assert_true(crn_profile_at(&table, -1e9) == 4.0);
    assert_true(crn_profile_at(&table, INFINITY) == 1e3);
    assert_true(crn_profile_at(&table, -0.5) == 1.0);
    assert_true(fabs(crn_profile_at(&table, 0.05) - -0.85) <= 1e-15);
    table.value = 10.0;
    assert_true(crn_profile_at(&table, 0.0) == 8.0);
    crn_profile one = {.times = times, .values = values, .count = 1};
    assert_true(crn_profile_at(&one, -2.0) == 4.0 && crn_profile_at(&one, 2.0) == 4.0);
}

/* Long tables: the search finds the interval that a walk finds. */
static void test_search(void **state)
{
    (void)state;
    crn_random random = test_random("search", 1);
    enum { COUNT = 57 };
    double times[COUNT], values[COUNT];
    for (int count = 1; count <= COUNT; ++count) {
        double time = -3.0;
        for (int i = 0; i < count; ++i) {
            time += crn_random_uniform(&random, 0.01, 1.0);
            times[i] = time;
            values[i] = crn_random_normal(&random);
        }
        crn_profile table = {.times = times, .values = values, .count = count};
        for (int k = 0; k < 200; ++k) {
            double at = crn_random_uniform(&random, -4.0, time + 1.0);
            int i = 0;
            while (i < count && times[i] <= at) {
                ++i;
            }
            double wanted = i == 0 ? values[0] : i == count ? values[count - 1] : NAN;
            if (isnan(wanted)) {
                double share = (at - times[i - 1]) / (times[i] - times[i - 1]);
                wanted = (1.0 - share) * values[i - 1] + share * values[i];
            }
            assert_true(fabs(crn_profile_at(&table, at) - wanted) <= 1e-13);
        }
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_constant_and_wave), cmocka_unit_test(test_table),
                                       cmocka_unit_test(test_search)};
    return TEST_RUN(tests, argc, argv);
}
