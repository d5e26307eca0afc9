/* Double-double against exact arithmetic: integers, fused multiply-add, and sums of known value. */
#include "math/dd.h"

#include "test_support.h"

#include <math.h>

/* A random integer of up to 53 bits, either sign. */
static int64_t draw_integer(crn_random *random)
{
    int64_t magnitude = (int64_t)(crn_random_bits(random) >> (11 + crn_random_below(random, 53)));
    return crn_random_below(random, 2) == 0 ? magnitude : -magnitude;
}

/* a + b as 64-bit integers, a shifted by up to 9 bits: high is the rounded sum, high + low the sum. */
static void test_two_sum_is_exact(void **state)
{
    (void)state;
    crn_random random = test_random("test_two_sum_is_exact", 41);
    for (int k = 0; k < 200000; ++k) {
        int64_t a = draw_integer(&random) * (INT64_C(1) << crn_random_below(&random, 10)), b = draw_integer(&random);
        crn_dd s = k % 2 == 0 ? crn_two_sum((double)a, (double)b) : crn_two_sum((double)b, (double)a);
        assert_true(s.high == (double)(a + b));
        TEST_CHECK((int64_t)s.high + (int64_t)s.low == a + b && s.low == rint(s.low), "%lld + %lld", (long long)a,
                   (long long)b);
    }
}

/* fma() rounds once, so it gives the exact error of a rounded product. */
static void test_two_product_is_exact(void **state)
{
    (void)state;
    crn_random random = test_random("test_two_product_is_exact", 42);
    for (int k = 0; k < 200000; ++k) {
        double a = ldexp((double)draw_integer(&random), crn_random_below(&random, 400) - 200);
        double b = ldexp((double)draw_integer(&random), crn_random_below(&random, 400) - 200);
        crn_dd p = crn_two_product(a, b);
        assert_true(p.high == a * b);
        TEST_CHECK(p.low == fma(a, b, -p.high), "%a * %a: low part %a", a, b, p.low);
    }
}

/* Squares of 53-bit integers, which needs no library function. high and low are integers; their sum and the square
 * differ by less than 2^64, so they are equal if they are equal modulo 2^64, where unsigned integers compute. */
static void test_two_product_of_integers(void **state)
{
    (void)state;
    crn_random random = test_random("test_two_product_of_integers", 43);
    for (int k = 0; k < 100000; ++k) {
        uint64_t a = crn_random_bits(&random) >> 11;
        crn_dd p = crn_two_product((double)a, (double)a);
        double upper = floor(ldexp(p.high, -53)); /* p.high = upper 2^53 + lower */
        uint64_t high = ((uint64_t)upper << 53) + (uint64_t)(p.high - ldexp(upper, 53));
        assert_true(fabs(p.low) <= 0x1p52);
        assert_true(high + (uint64_t)(int64_t)p.low == a * a);
    }
}

enum { TRIPLES = 40, SMALL = 30, TERMS = 3 * TRIPLES + SMALL };

typedef struct hard_dot {
    double x[TERMS], y[TERMS];
    double exact; /* the value of x'y */
    double size;  /* |x|'|y| */
} hard_dot;

/* Huge products x y - x y_1 - x y_2 with y = y_1 + y_2: they cancel, their rounding errors do not. Small integer
 * products remain. All in random order. */
static hard_dot draw_hard_dot(crn_random *random, int exponent)
{
    hard_dot h = {.exact = 0.0};
    int n = 0;
    for (int k = 0; k < TRIPLES; ++k, n += 3) {
        double x = ldexp(crn_random_uniform(random, -1.0, 1.0), crn_random_below(random, exponent));
        double y = crn_random_uniform(random, 0.5, 1.0);
        h.x[n] = x;
        h.x[n + 1] = h.x[n + 2] = -x;
        h.y[n] = y;
        h.y[n + 1] = (double)(float)y;
        h.y[n + 2] = y - (double)(float)y; /* exact */
    }
    for (; n < TERMS; ++n) {
        h.x[n] = crn_random_below(random, 2001) - 1000;
        h.y[n] = crn_random_below(random, 2001) - 1000;
        h.exact += h.x[n] * h.y[n];
    }
    for (int i = TERMS - 1; i > 0; --i) {
        int j = crn_random_below(random, i + 1);
        double x = h.x[i], y = h.y[i];
        h.x[i] = h.x[j];
        h.y[i] = h.y[j];
        h.x[j] = x;
        h.y[j] = y;
    }
    for (int i = 0; i < TERMS; ++i) {
        h.size += fabs(h.x[i] * h.y[i]);
    }
    return h;
}

/* |Dot2 - x'y| <= u |x'y| + gamma_n^2 |x|'|y|  [ORO05 s5], which a plain sum misses by far. */
static void test_hard_dots(void **state)
{
    (void)state;
    crn_random random = test_random("test_hard_dots", 44);
    const double u = 0x1p-53, gamma = TERMS * u / (1.0 - TERMS * u);
    int plain_misses = 0, cases = 0;
    for (int exponent = 10; exponent <= 90; exponent += 10) {
        for (int trial = 0; trial < 50; ++trial, ++cases) {
            hard_dot h = draw_hard_dot(&random, exponent);
            crn_dd sum = {0.0, 0.0};
            double plain = 0.0;
            for (int i = 0; i < TERMS; ++i) {
                crn_dd_add_product(&sum, h.x[i], h.y[i]);
                plain += h.x[i] * h.y[i];
            }
            double bound = u * fabs(h.exact) + gamma * gamma * h.size;
            double error = fabs((sum.high + sum.low) - h.exact);
            TEST_CHECK(error <= bound, "2^%d: error %g, allowed %g", exponent, error, bound);
            plain_misses += fabs(plain - h.exact) > bound;
        }
    }
    TEST_CHECK(plain_misses > cases * 3 / 4, "only %d of %d cases were hard", plain_misses, cases);
}

/* Each row of a product by crn_dd_axpy is the same Dot2, bit for bit, at any length and alignment. */
static void test_axpy_is_dot2_per_row(void **state)
{
    (void)state;
    crn_random random = test_random("test_axpy_is_dot2_per_row", 45);
    enum { ROWS = 70, COLUMNS = 9 };
    for (int trial = 0; trial < 300; ++trial) {
        const int n = crn_random_below(&random, ROWS - 8), at = trial % 8;
        double x[ROWS], high[ROWS], low[ROWS];
        crn_dd expected[ROWS];
        for (int i = 0; i < ROWS; ++i) {
            expected[i] = (crn_dd){crn_random_uniform(&random, -1.0, 1.0), crn_random_uniform(&random, -1e-17, 1e-17)};
            high[i] = expected[i].high;
            low[i] = expected[i].low;
        }
        for (int j = 0; j < COLUMNS; ++j) {
            double a = ldexp(crn_random_uniform(&random, -1.0, 1.0), crn_random_below(&random, 60) - 30);
            for (int i = 0; i < ROWS; ++i) {
                x[i] = crn_random_uniform(&random, -1.0, 1.0);
                if (i >= at && i < at + n) {
                    crn_dd_add_product(&expected[i], a, x[i]);
                }
            }
            crn_dd_axpy(n, a, x + at, high + at, low + at);
        }
        for (int i = 0; i < ROWS; ++i) {
            assert_true(high[i] == expected[i].high && low[i] == expected[i].low);
        }
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_sum_is_exact),        cmocka_unit_test(test_two_product_is_exact),
        cmocka_unit_test(test_two_product_of_integers), cmocka_unit_test(test_hard_dots),
        cmocka_unit_test(test_axpy_is_dot2_per_row),
    };
    return TEST_RUN(tests, argc, argv);
}
