/* Integers of any size: products by their residues, quotients by multiplying back, text there and back, memory that runs out. */
#include "test_allocator.h"
#include "test_support.h"

#include "math/integer.h"

#include <math.h>

enum { MOST = 40 };

/* A random integer; limbs of zeros and ones are frequent, since guesses of quotients go wrong there. */
static void make(crn_integers *by, crn_random *random, int most, crn_integer *x)
{
    char text[8 * MOST + 2] = "";
    int limbs = 1 + crn_random_below(random, most), length = 0;
    for (int i = 0; i < limbs; ++i) {
        int kind = crn_random_below(random, 6);
        unsigned limb = kind == 0   ? 0U
                        : kind == 1 ? 0xffffffffU
                        : kind == 2 ? 0x80000000U
                                    : (unsigned)crn_random_bits(random);
        length += snprintf(text + length, sizeof text - (size_t)length, "%08x", limb);
    }
    assert_true(crn_integer_read(by, x, text));
}

static void test_products(void **state)
{
    (void)state;
    static const uint32_t primes[] = {2147483647u, 4294967291u, 65537u};
    crn_random random = test_random("test_products", 1);
    crn_integers by = {.allocator = NULL};
    crn_integer a = {0}, b = {0}, x = {0};
    for (int round = 0; round < 2000; ++round) {
        make(&by, &random, MOST, &a);
        make(&by, &random, MOST, &b);
        crn_integer_multiply(&by, &x, &a, &b);
        for (int i = 0; i < 3; ++i) {
            uint64_t p = primes[i], wanted = (uint64_t)crn_integer_modulo_small(&a, primes[i]) *
                                             crn_integer_modulo_small(&b, primes[i]) % p;
            assert_int_equal(crn_integer_modulo_small(&x, primes[i]), wanted);
        }
    }
    assert_false(by.has_failed);
    crn_integer_free(&by, &a);
    crn_integer_free(&by, &b);
    crn_integer_free(&by, &x);
}

static void test_sums(void **state)
{
    (void)state;
    crn_random random = test_random("test_sums", 2);
    crn_integers by = {.allocator = NULL};
    crn_integer a = {0}, x = {0};
    const uint32_t p = 4294967291u;
    for (int round = 0; round < 5000; ++round) {
        uint32_t factor = (uint32_t)crn_random_bits(&random) >> crn_random_below(&random, 31);
        int sign = crn_random_below(&random, 2) == 0 ? -1 : 1;
        make(&by, &random, 4, &a);
        uint64_t before = crn_integer_modulo_small(&x, p);
        uint64_t change = (uint64_t)crn_integer_modulo_small(&a, p) * (factor % p) % p;
        crn_integer_add(&by, &x, &a, factor, sign);
        assert_int_equal(crn_integer_modulo_small(&x, p), (before + (sign > 0 ? change : p - change)) % p);
        assert_true(x.size == 0 || x.limb[x.size - 1] != 0);
        assert_int_equal(x.sign == 0, x.size == 0);
    }
    crn_integer_free(&by, &a);
    crn_integer_free(&by, &x);
}

static void test_quotients(void **state)
{
    (void)state;
    crn_random random = test_random("test_quotients", 3);
    crn_integers by = {.allocator = NULL};
    crn_integer a = {0}, b = {0}, q = {0}, r = {0}, back = {0};
    for (int round = 0; round < 20000; ++round) {
        make(&by, &random, 12, &a);
        make(&by, &random, 6, &b);
        if (b.sign == 0) {
            continue;
        }
        crn_integer_divide(&by, &q, &r, &a, &b);
        assert_true(r.sign >= 0 && crn_integer_compare(&r, &b) < 0);
        crn_integer_multiply(&by, &back, &q, &b);
        crn_integer_add(&by, &back, &r, 1, 1);
        assert_int_equal(crn_integer_compare(&back, &a), 0);
    }
    assert_false(by.has_failed);
    crn_integer_set(&by, &b, 0);
    crn_integer_divide(&by, &q, &r, &a, &b); /* by 0: told, not computed */
    assert_true(by.has_failed);
    crn_integer *const all[] = {&a, &b, &q, &r, &back};
    for (int i = 0; i < 5; ++i) {
        crn_integer_free(&by, all[i]);
    }
}

static void test_small(void **state)
{
    (void)state;
    crn_random random = test_random("test_small", 4);
    crn_integers by = {.allocator = NULL};
    crn_integer x = {0}, y = {0};
    for (int round = 0; round < 2000; ++round) {
        int64_t value = (int64_t)crn_random_bits(&random) >> crn_random_below(&random, 60);
        int bits = crn_random_below(&random, 200);
        char text[64], wanted[64];
        crn_integer_set(&by, &x, value);
        crn_integer_write(&x, text);
        (void)snprintf(wanted, sizeof wanted, "%s%llx", value < 0 ? "-" : "",
                       value < 0 ? 0ULL - (unsigned long long)value : (unsigned long long)value);
        assert_string_equal(text, wanted);
        assert_true(crn_integer_read(&by, &y, text));
        assert_int_equal(crn_integer_compare(&x, &y), 0);
        assert_int_equal(x.sign, y.sign);
        int size = crn_integer_bits(&x);
        crn_integer_shift(&by, &x, bits);
        assert_int_equal(crn_integer_bits(&x), value == 0 ? 0 : size + bits);
        double ratio = y.sign != 0 ? crn_integer_ratio(&by, &x, (y.sign = 1, &y)) : 0.0;
        assert_true(ratio == (y.sign == 0 ? 0.0 : ldexp(value < 0 ? -1.0 : 1.0, bits)));
        crn_integer_set(&by, &x, 3 * (value >> 3));
        crn_integer_divide_small(&x, 3);
        crn_integer_set(&by, &y, value >> 3);
        assert_int_equal(crn_integer_compare(&x, &y), 0);
    }
    for (int round = 0; round < 2000; ++round) { /* quotients to the last place */
        int64_t a = (int64_t)(crn_random_bits(&random) >> (11 + crn_random_below(&random, 30)));
        int64_t b = 1 + (int64_t)(crn_random_bits(&random) >> (11 + crn_random_below(&random, 30)));
        crn_integer_set(&by, &x, a);
        crn_integer_set(&by, &y, b);
        double wanted = (double)a / (double)b, ratio = crn_integer_ratio(&by, &x, &y);
        assert_true(ratio >= nextafter(wanted, -INFINITY) && ratio <= nextafter(wanted, INFINITY));
    }
    assert_false(crn_integer_read(&by, &x, ""));
    assert_false(crn_integer_read(&by, &x, "-"));
    assert_false(crn_integer_read(&by, &x, "12g"));
    crn_integer_free(&by, &x);
    crn_integer_free(&by, &y);
}

static void test_failing_allocations(void **state)
{
    (void)state;
    bool has_failed = true;
    for (long fail_at = 1; has_failed; ++fail_at) {
        test_allocator counter = {.fail_at = fail_at};
        crn_allocator hooks = test_allocator_hooks(&counter);
        crn_integers by = {.allocator = &hooks};
        crn_integer a = {0}, b = {0}, q = {0}, r = {0};
        crn_integer_set(&by, &a, 77);
        crn_integer_shift(&by, &a, 500);
        crn_integer_set(&by, &b, 5);
        crn_integer_shift(&by, &b, 100);
        crn_integer_divide(&by, &q, &r, &a, &b);
        (void)crn_integer_ratio(&by, &a, &b);
        has_failed = by.has_failed;
        crn_integer *const all[] = {&a, &b, &q, &r};
        for (int i = 0; i < 4; ++i) {
            crn_integer_free(&by, all[i]);
        }
        assert_int_equal(counter.live, 0);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_products), cmocka_unit_test(test_sums),
                                       cmocka_unit_test(test_quotients), cmocka_unit_test(test_small),
                                       cmocka_unit_test(test_failing_allocations)};
    return TEST_RUN(tests, argc, argv);
}
