/* Random numbers: published values, an independent generator, moments and ranges. */
#include "test_support.h"

#include <math.h>

/* splitmix64 and xoshiro256** written apart from the library's, from the recurrences of Blackman and Vigna. */
static uint64_t reference_split(uint64_t seed, int k)
{
    uint64_t z = seed + (uint64_t)(k + 1) * 0x9e3779b97f4a7c15u;
    z ^= z >> 30;
    z *= 0xbf58476d1ce4e5b9u;
    z ^= z >> 27;
    z *= 0x94d049bb133111ebu;
    z ^= z >> 31;
    return z;
}

static uint64_t turn(uint64_t x, unsigned bits)
{
    uint64_t high = x;
    for (unsigned k = 0; k < bits; ++k) {
        high = (high << 1) + (high >> 63);
    }
    return high;
}

static uint64_t reference_next(uint64_t w[4])
{
    uint64_t a = w[0], b = w[1], c = w[2], d = w[3];
    w[0] = a ^ b ^ d;
    w[1] = a ^ b ^ c;
    w[2] = a ^ c ^ (b << 17);
    w[3] = turn(b ^ d, 45);
    return 9 * turn(5 * b, 7);
}

static void test_published_values(void **state)
{
    (void)state;
    /* The first outputs of splitmix64 from seed 0, and of xoshiro256** from state 1 2 3 4. */
    const uint64_t split[4] = {0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f, 0xf88bb8a8724c81ec};
    crn_random seeded = crn_random_seed(0);
    for (int k = 0; k < 4; ++k) {
        assert_true(seeded.state[k] == split[k]);
        assert_true(reference_split(0, k) == split[k]);
    }
    const uint64_t star[10] = {11520u,
                               0u,
                               1509978240u,
                               1215971899390074240u,
                               1216172134540287360u,
                               607988272756665600u,
                               16172922978634559625u,
                               8476171486693032832u,
                               10595114339597558777u,
                               2904607092377533576u};
    crn_random random = {{1, 2, 3, 4}};
    for (int k = 0; k < 10; ++k) {
        assert_true(crn_random_bits(&random) == star[k]);
    }
}

static void test_equals_reference(void **state)
{
    (void)state;
    crn_random seeds = test_random("test_equals_reference", 11);
    for (int trial = 0; trial < 50; ++trial) {
        uint64_t seed = trial == 0 ? UINT64_MAX : crn_random_bits(&seeds);
        uint64_t words[4];
        for (int k = 0; k < 4; ++k) {
            words[k] = reference_split(seed, k);
        }
        crn_random random = crn_random_seed(seed);
        for (int k = 0; k < 1000; ++k) {
            uint64_t bits = reference_next(words);
            TEST_CHECK(crn_random_bits(&random) == bits, "seed %llu, draw %d", (unsigned long long)seed, k);
        }
    }
}

/* uniform() is the top 53 bits, scaled: exact for bounds 0 and 1. */
static void test_uniform_is_scaled_bits(void **state)
{
    (void)state;
    crn_random a = test_random("test_uniform_is_scaled_bits", 12), b = a;
    for (int k = 0; k < 10000; ++k) {
        assert_true(ldexp(crn_random_uniform(&a, 0.0, 1.0), 53) == (double)(crn_random_bits(&b) / 2048));
    }
}

/* Mean, variance and range; the allowed deviation of a mean of N draws is five standard errors. */
static void test_uniform_moments(void **state)
{
    (void)state;
    enum { N = 200000 };
    const double low = -3.0, high = 5.0;
    crn_random random = test_random("test_uniform_moments", 13);
    double sum = 0.0, square = 0.0, least = high, most = low;
    for (int k = 0; k < N; ++k) {
        double u = crn_random_uniform(&random, low, high);
        assert_true(u >= low && u < high);
        sum += u - 1.0;
        square += (u - 1.0) * (u - 1.0);
        least = fmin(least, u);
        most = fmax(most, u);
    }
    const double variance = (high - low) * (high - low) / 12.0;
    const double deviation_of_square = sqrt(pow(0.5 * (high - low), 4) * (1.0 / 5.0 - 1.0 / 9.0));
    assert_true(fabs(sum / N) < 5.0 * sqrt(variance / N));
    assert_true(fabs(square / N - variance) < 5.0 * deviation_of_square / sqrt(N));
    assert_true(least < low + 1e-3 && most > high - 1e-3);
}

static void test_normal_moments(void **state)
{
    (void)state;
    enum { N = 200000 };
    crn_random random = test_random("test_normal_moments", 14);
    double moment[5] = {0};
    for (int k = 0; k < N; ++k) {
        double x = crn_random_normal(&random), power = 1.0;
        assert_true(isfinite(x));
        for (int p = 0; p <= 4; ++p, power *= x) {
            moment[p] += power / N;
        }
    }
    /* E x^p = 0, 1, 0, 3 with variances 1, 2, 15, 96. */
    const double expected[5] = {1.0, 0.0, 1.0, 0.0, 3.0}, variance[5] = {0.0, 1.0, 2.0, 15.0, 96.0};
    for (int p = 1; p <= 4; ++p) {
        double allowed = 5.0 * sqrt(variance[p] / N);
        TEST_CHECK(fabs(moment[p] - expected[p]) < allowed, "moment %d is %g, not %g", p, moment[p], expected[p]);
    }
}

/* The first draw may be 0 and the logarithm must stay finite: state 0 0 0 0 draws only zeros. */
static void test_normal_at_zero_bits(void **state)
{
    (void)state;
    crn_random zeros = {{0, 0, 0, 0}};
    assert_true(crn_random_normal(&zeros) == 0.0);
}

static void test_below_range(void **state)
{
    (void)state;
    crn_random random = test_random("test_below_range", 15);
    const int counts[] = {1, 2, 3, 7, 1000, 1 << 20, INT32_MAX};
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; ++c) {
        int most = 0;
        for (int k = 0; k < 20000; ++k) {
            int value = crn_random_below(&random, counts[c]);
            TEST_CHECK(value >= 0 && value < counts[c], "%d is not below %d", value, counts[c]);
            most = value > most ? value : most;
        }
        assert_true((double)most >= 0.999 * (double)(counts[c] - 1) - 1.0);
    }
}

/* Every value comes equally often: chi-square with 9 degrees of freedom stays below 40 (probability 1 - 8e-6). */
static void test_below_is_even(void **state)
{
    (void)state;
    enum { N = 100000, COUNT = 10 };
    crn_random random = test_random("test_below_is_even", 16);
    int seen[COUNT] = {0};
    for (int k = 0; k < N; ++k) {
        seen[crn_random_below(&random, COUNT)] += 1;
    }
    const double expected = (double)N / COUNT;
    double chi = 0.0;
    for (int v = 0; v < COUNT; ++v) {
        chi += (seen[v] - expected) * (seen[v] - expected) / expected;
    }
    TEST_CHECK(chi < 40.0, "chi-square %g", chi);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published_values),
        cmocka_unit_test(test_equals_reference),
        cmocka_unit_test(test_uniform_is_scaled_bits),
        cmocka_unit_test(test_uniform_moments),
        cmocka_unit_test(test_normal_moments),
        cmocka_unit_test(test_normal_at_zero_bits),
        cmocka_unit_test(test_below_range),
        cmocka_unit_test(test_below_is_even),
    };
    return TEST_RUN(tests, argc, argv);
}
