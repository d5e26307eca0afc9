/* What every test program begins with: cmocka, a seed that is printed, and a main that runs one test by name.
 *
 *     test_lu                     every test
 *     test_lu '*hilbert*'         the tests whose name matches
 *     CAIRN_TEST_SEED=7 test_lu   other random numbers */
#ifndef CRN_TEST_SUPPORT_H
#define CRN_TEST_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <cairn/base.h>

/* Exit code by which a program says that its data is absent. */
#define TEST_SKIPPED 77

/* The generator of one test: seeded by CAIRN_TEST_SEED if set, else by `seed`, and printed. */
static inline crn_random test_random(const char *test, uint64_t seed)
{
    const char *given = getenv("CAIRN_TEST_SEED");
    if (given != NULL) {
        seed = strtoull(given, NULL, 0);
    }
    print_message("%s: seed %llu\n", test, (unsigned long long)seed);
    return crn_random_seed(seed);
}

/* Fail with a sentence; unlike assert_true() it can say which case. */
#define TEST_CHECK(condition, ...)                           \
    do {                                                     \
        if (!(condition)) {                                  \
            print_error(__VA_ARGS__);                        \
            print_error("\n");                               \
            _assert_true(0, #condition, __FILE__, __LINE__); \
        }                                                    \
    } while (0)

/* Run an array of CMUnitTest; the program's only argument, if any, is a pattern for names. */
#define TEST_RUN(tests, argc, argv) \
    ((argc) > 1 ? cmocka_set_test_filter((argv)[1]) : (void)0, cmocka_run_group_tests((tests), NULL, NULL))

#endif
