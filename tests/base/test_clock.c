/* The clock runs forward, in seconds. */
#include "test_support.h"

#include <time.h>

static void test_never_runs_back(void **state)
{
    (void)state;
    double last = crn_seconds();
    for (int k = 0; k < 100000; ++k) {
        double now = crn_seconds();
        assert_true(now >= last);
        last = now;
    }
}

/* Milliseconds of the system's clock, in integers. */
static long milliseconds(void)
{
    struct timespec now;
    assert_int_equal(clock_gettime(CLOCK_MONOTONIC, &now), 0);
    return (long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* A pause lasts at least as long as asked for, and at most as long as the system's clock says. */
static void test_counts_seconds(void **state)
{
    (void)state;
    const double pause = 0.02;
    long before = milliseconds();
    double start = crn_seconds();
    struct timespec request = {0, (long)(pause * 1e9)};
    while (nanosleep(&request, &request) != 0) {
    }
    double passed = crn_seconds() - start;
    double outer = 1e-3 * (double)(milliseconds() - before + 1);
    TEST_CHECK(passed >= pause && passed <= outer, "a pause of %g s took %g", pause, passed);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_never_runs_back), cmocka_unit_test(test_counts_seconds)};
    return TEST_RUN(tests, argc, argv);
}
