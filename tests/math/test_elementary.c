/* Elementary functions against those of the C library in long double, which has 11 bits more (or 60): the error in units in the
 * last place of the right value, over arguments of every size and near the places where reduction is hard. */
#include "math/elementary.h"

#include "test_support.h"

#include <math.h>

static const double ULPS_MOST = 0.9;
enum { DRAWS = 200000 };

/* |value - right| in units in the last place of right; subnormal values have the least double for a unit. */
static double ulps(double value, long double right)
{
    if (isnan(value) || isinf(value) || right == 0.0L) {
        return (long double)value == right ? 0.0 : INFINITY;
    }
    int e;
    (void)frexpl(fabsl(right), &e);
    return (double)(fabsl((long double)value - right) / ldexpl(1.0L, e - 53 > -1074 ? e - 53 : -1074));
}

/* A number of size 2^low to 2^high, either sign. */
static double draw(crn_random *random, double low, double high)
{
    double size = exp2(crn_random_uniform(random, low, high));
    return crn_random_below(random, 2) == 0 ? size : -size;
}

typedef struct worst {
    double ulps, at, at2;
} worst;

static void note(worst *w, double value, long double right, double x, double y)
{
    double now = ulps(value, right);
    if (!(now <= w->ulps)) {
        *w = (worst){now, x, y};
    }
}

static void check(const char *name, const worst *w)
{
    print_message("%s: %.3f ulp at %a %a\n", name, w->ulps, w->at, w->at2);
    TEST_CHECK(w->ulps <= ULPS_MOST, "%s is wrong by %g ulp at %a %a", name, w->ulps, w->at, w->at2);
}

static void test_sine_and_cosine(void **state)
{
    (void)state;
    crn_random random = test_random("test_sine_and_cosine", 1);
    worst s = {0}, c = {0};
    const double half_pi = 1.57079632679489661923;
    for (int k = 0; k < DRAWS; ++k) {
        double x = crn_random_uniform(&random, -10.0, 10.0);
        switch (k % 4) {
        case 1: x = draw(&random, -60.0, 1024.0); break;
        case 2: x = draw(&random, 8.0, 12.0); break; /* on both sides of the change of method */
        case 3: x = half_pi * crn_random_below(&random, 2000) * (1.0 + 1e-16 * crn_random_below(&random, 5)); break;
        default: break;
        }
        crn_turn both = crn_sin_cos(x);
        assert_true(both.sin == crn_sin(x) && both.cos == crn_cos(x));
        note(&s, both.sin, sinl((long double)x), x, 0.0);
        note(&c, both.cos, cosl((long double)x), x, 0.0);
    }
    check("sin", &s);
    check("cos", &c);
}

/* The doubles that are nearest to a multiple of pi/2, relative to the rest, and others with long runs of zeros behind them. */
static void test_hard_angles(void **state)
{
    (void)state;
    const double hard[] = {6381956970095103.0 * 0x1p797,
                           5.319372648326541e255,
                           0x1.921fb54442d18p+0,
                           0x1.921fb54442d18p+1,
                           0x1.6c6cbc45dc8dep+5,
                           0x1.ac5b262ca1ffcp+849,
                           0x1.fffffffffffffp1023,
                           1e22,
                           0x1p10,
                           0x1.fffffffffffffp9,
                           355.0,
                           103993.0};
    for (size_t i = 0; i < sizeof hard / sizeof hard[0]; ++i) {
        for (int sign = -1; sign <= 1; sign += 2) {
            double x = sign * hard[i], s = ulps(crn_sin(x), sinl((long double)x)),
                   c = ulps(crn_cos(x), cosl((long double)x));
            TEST_CHECK(s <= ULPS_MOST && c <= ULPS_MOST, "%a: sin %g ulp, cos %g ulp", x, s, c);
        }
    }
    assert_true(isnan(crn_sin(INFINITY)) && isnan(crn_cos(-INFINITY)) && isnan(crn_sin(NAN)));
    assert_true(crn_sin(-0.0) == 0.0 && signbit(crn_sin(-0.0)) && crn_cos(0.0) == 1.0);
}

static void test_angles(void **state)
{
    (void)state;
    crn_random random = test_random("test_angles", 2);
    worst a = {0}, c = {0};
    for (int k = 0; k < DRAWS; ++k) {
        double range = k % 3 == 0 ? 1000.0 : 5.0, y = draw(&random, -range, range), x = draw(&random, -range, range);
        note(&a, crn_atan2(y, x), atan2l((long double)y, (long double)x), y, x);
        double cosine = k % 2 == 0 ? crn_random_uniform(&random, -1.0, 1.0)
                                   : copysign(1.0 - exp2(-53.0 * crn_random_uniform(&random, 0.0, 1.0)), y);
        note(&c, crn_acos(cosine), acosl((long double)cosine), cosine, 0.0);
    }
    check("atan2", &a);
    check("acos", &c);
}

/* Zeros, infinities and NaN as the C standard has them (annex F). */
static void test_special_angles(void **state)
{
    (void)state;
    const double all[] = {0.0, -0.0, 1.0, -1.0, INFINITY, -INFINITY, 1e-320, -1e308, NAN};
    enum { COUNT = sizeof all / sizeof all[0] };
    for (int i = 0; i < COUNT; ++i) {
        for (int j = 0; j < COUNT; ++j) {
            double mine = crn_atan2(all[i], all[j]), theirs = atan2(all[i], all[j]);
            bool is_same =
                isnan(theirs) ? isnan(mine) : fabs(mine - theirs) <= 4.5e-16 && signbit(mine) == signbit(theirs);
            TEST_CHECK(is_same, "atan2(%g, %g) = %g, not %g", all[i], all[j], mine, theirs);
        }
    }
    assert_true(crn_acos(1.0) == 0.0 && crn_acos(-1.0) == acos(-1.0) && isnan(crn_acos(1.5)) && isnan(crn_acos(NAN)));
}

static void test_exponential_and_logarithm(void **state)
{
    (void)state;
    crn_random random = test_random("test_exponential_and_logarithm", 3);
    worst e = {0}, l = {0};
    for (int k = 0; k < DRAWS; ++k) {
        double x = k % 2 == 0 ? crn_random_uniform(&random, -708.0, 709.7) : draw(&random, -60.0, 3.0);
        note(&e, crn_exp(x), expl((long double)x), x, 0.0);
        double y = k % 2 == 0 ? fabs(draw(&random, -1070.0, 1023.0)) : crn_random_uniform(&random, 0.5, 2.0);
        note(&l, crn_log(y), logl((long double)y), y, 0.0);
    }
    check("exp", &e);
    check("log", &l);
    assert_true(crn_exp(710.0) == INFINITY && crn_exp(-746.0) == 0.0 && isnan(crn_exp(NAN)) && crn_exp(0.0) == 1.0);
    assert_true(crn_log(0.0) == -INFINITY && isnan(crn_log(-1.0)) && isinf(crn_log(INFINITY)) && crn_log(1.0) == 0.0);
}

static void test_length(void **state)
{
    (void)state;
    crn_random random = test_random("test_length", 4);
    worst h = {0};
    for (int k = 0; k < DRAWS; ++k) {
        double around = crn_random_uniform(&random, -1000.0, 1000.0);
        double x = draw(&random, around - 8.0, around + 8.0), y = draw(&random, around - 32.0, around + 8.0);
        note(&h, crn_hypot(x, y), hypotl((long double)x, (long double)y), x, y);
    }
    check("hypot", &h);
    assert_true(crn_hypot(3.0, -4.0) == 5.0 && crn_hypot(0.0, -0.0) == 0.0 && crn_hypot(-INFINITY, NAN) == INFINITY);
    assert_true(isnan(crn_hypot(NAN, 1.0)) && crn_hypot(1e308, 0.0) == 1e308 && isinf(crn_hypot(1.7e308, 1.7e308)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sine_and_cosine),
        cmocka_unit_test(test_hard_angles),
        cmocka_unit_test(test_angles),
        cmocka_unit_test(test_special_angles),
        cmocka_unit_test(test_exponential_and_logarithm),
        cmocka_unit_test(test_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
