/* Integers of 128 bits made of two halves: as the compiler's, where it has them, and as products that are known. */
#define CRN_WIDE_HALVES
#include "math/wide.h"

#include "test_support.h"

static int64_t draw(crn_random *random)
{
    uint64_t bits = 0;
    for (int i = 0; i < 4; ++i) {
        bits = bits << 16 | (uint64_t)crn_random_below(random, 65536);
    }
    return (int64_t)bits >> crn_random_below(random, 64);
}

static void check(crn_wide a, uint64_t high, uint64_t low)
{
    assert_true(a.high == high && a.low == low);
}

static void test_known_products(void **state)
{
    (void)state;
    const int64_t big = (int64_t)1 << 62;
    check(crn_wide_scale(crn_wide_of(big), 8), 2, 0);
    check(crn_wide_scale(crn_wide_of(-big), 8), (uint64_t)-2, 0);
    check(crn_wide_scale(crn_wide_of(-1), -1), 0, 1);
    check(crn_wide_scale(crn_wide_of(INT64_MIN), INT64_MIN), (uint64_t)1 << 62, 0);
    check(crn_wide_minor(3, 5, 4, 4), UINT64_MAX, UINT64_MAX);
    check(crn_wide_add(crn_wide_of(-1), crn_wide_of(1)), 0, 0);
}

/* (a + b) c and (a - b) c, |a|, |b| < 2^62: the sign is that of both factors. */
static void test_order(void **state)
{
    (void)state;
    crn_random random = test_random("wide", 1);
    for (int k = 0; k < 100000; ++k) {
        int64_t a = draw(&random) / 2, b = draw(&random) / 2, c = draw(&random);
        crn_wide ac = crn_wide_scale(crn_wide_of(a), c), bc = crn_wide_scale(crn_wide_of(b), c);
        int sign = c > 0 ? 1 : c < 0 ? -1 : 0;
        assert_int_equal(crn_wide_compare(ac, bc), sign * ((a > b) - (a < b)));
        assert_int_equal(crn_wide_compare(crn_wide_add(ac, bc), crn_wide_scale(crn_wide_of(a + b), c)), 0);
    }
}

#ifdef __SIZEOF_INT128__
__extension__ typedef __int128 native;
__extension__ typedef unsigned __int128 native_bits;

static native value(crn_wide a)
{
    return (native)((native_bits)a.high << 64 | (native_bits)a.low);
}

/* As in a determinant of differences of 41 bits. */
static void test_as_the_compiler(void **state)
{
    (void)state;
    crn_random random = test_random("wide", 2);
    for (int k = 0; k < 100000; ++k) {
        int64_t x[5];
        for (int i = 0; i < 5; ++i) {
            x[i] = draw(&random) >> 23;
        }
        crn_wide found = crn_wide_scale(crn_wide_minor(x[0], x[1], x[2], x[3]), x[4]);
        assert_true(value(found) == ((native)x[0] * x[1] - (native)x[2] * x[3]) * x[4]);
    }
}
#else
static void test_as_the_compiler(void **state)
{
    (void)state;
}
#endif

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_products),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_as_the_compiler),
    };
    return TEST_RUN(tests, argc, argv);
}
