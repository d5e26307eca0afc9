/* Radix sort: the order of keys, equal keys in their order, numbers in the order of their keys. */
#include "test_support.h"

#include "math/radix.h"

#include <math.h>

static void test_sort(void **state)
{
    (void)state;
    crn_random random = test_random("test_sort", 1);
    enum { MOST = 3000 };
    static uint64_t key[MOST], other_key[MOST], given[MOST];
    static int item[MOST], other_item[MOST];
    for (int round = 0; round < 60; ++round) {
        int count = round < 20 ? round * 5 : crn_random_below(&random, MOST), bits = 1 + crn_random_below(&random, 64);
        for (int i = 0; i < count; ++i) {
            given[i] = key[i] = crn_random_bits(&random) >> (64 - bits) << (round % 2 == 0 ? 0 : 64 - bits);
            item[i] = i;
        }
        crn_radix_sort(count, key, item, other_key, other_item);
        for (int i = 0; i < count; ++i) {
            assert_true(given[item[i]] == key[i]);
            assert_true(i == 0 || key[i - 1] < key[i] || (key[i - 1] == key[i] && item[i - 1] < item[i]));
        }
    }
}

static void test_keys(void **state)
{
    (void)state;
    const double rising[] = {
        -(double)INFINITY, -1e300, -2.0, -1.0, -1e-300, -5e-324, 0.0, 5e-324, 1e-300, 1.0, 2.0, 1e300,
        (double)INFINITY};
    for (size_t i = 1; i < sizeof rising / sizeof rising[0]; ++i) {
        assert_true(crn_radix_key(rising[i - 1]) < crn_radix_key(rising[i]));
    }
    assert_true(crn_radix_key(-0.0) == crn_radix_key(0.0));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sort), cmocka_unit_test(test_keys)};
    return TEST_RUN(tests, argc, argv);
}
