/* As much of cmocka as the tests use, for machines that have a C compiler and an emulator and no libraries (tests/machines). A test that
 * fails says where and the next one runs, as with cmocka itself. */
#ifndef CAIRN_TESTS_MACHINES_CMOCKA_H
#define CAIRN_TESTS_MACHINES_CMOCKA_H

#include <fnmatch.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct CMUnitTest {
    const char *name;
    void (*test)(void **state);
    int (*setup)(void **state);
    int (*teardown)(void **state);
};

#define cmocka_unit_test(f) \
    {                       \
#f, f, NULL, NULL   \
    }
#define cmocka_unit_test_setup(f, before) \
    {                                     \
#f, f, before, NULL               \
    }
#define cmocka_unit_test_setup_teardown(f, before, after) \
    {                                                     \
#f, f, before, after                              \
    }

typedef struct shim_state {
    jmp_buf escape;
    const char *filter;
    int is_skipped;
} shim_state;

static shim_state shim;

static inline void print_message(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vprintf(format, arguments);
    va_end(arguments);
}
#define print_error print_message

static inline void cmocka_set_test_filter(const char *pattern)
{
    shim.filter = pattern;
}

static inline void _assert_true(int holds, const char *text, const char *file, int line)
{
    if (!holds) {
        printf("%s:%d: %s\n", file, line, text);
        longjmp(shim.escape, 1);
    }
}

static inline void shim_skip(void)
{
    shim.is_skipped = 1;
    longjmp(shim.escape, 2);
}
#define skip() shim_skip() /* a macro, as in cmocka: what is tested may have a function of that name */

#define assert_true(c)             _assert_true((c) ? 1 : 0, #c, __FILE__, __LINE__)
#define assert_false(c)            _assert_true((c) ? 0 : 1, "not: " #c, __FILE__, __LINE__)
#define assert_non_null(p)         _assert_true((p) != NULL, #p " is NULL", __FILE__, __LINE__)
#define assert_null(p)             _assert_true((p) == NULL, #p " is not NULL", __FILE__, __LINE__)
#define assert_int_equal(a, b)     _assert_true((uintmax_t)(a) == (uintmax_t)(b), #a " == " #b, __FILE__, __LINE__)
#define assert_int_not_equal(a, b) _assert_true((uintmax_t)(a) != (uintmax_t)(b), #a " != " #b, __FILE__, __LINE__)
#define assert_ptr_equal(a, b)     _assert_true((const void *)(a) == (const void *)(b), #a " == " #b, __FILE__, __LINE__)
#define assert_ptr_not_equal(a, b) \
    _assert_true((const void *)(a) != (const void *)(b), #a " != " #b, __FILE__, __LINE__)
#define assert_string_not_equal(a, b)    _assert_true(strcmp((a), (b)) != 0, #a " != " #b, __FILE__, __LINE__)
#define assert_string_equal(a, b)        _assert_true(strcmp((a), (b)) == 0, #a " == " #b, __FILE__, __LINE__)
#define assert_memory_equal(a, b, n)     _assert_true(memcmp((a), (b), (n)) == 0, #a " == " #b, __FILE__, __LINE__)
#define assert_memory_not_equal(a, b, n) _assert_true(memcmp((a), (b), (n)) != 0, #a " != " #b, __FILE__, __LINE__)
#define assert_in_range(x, low, high)                                                                                 \
    _assert_true((uintmax_t)(x) >= (uintmax_t)(low) && (uintmax_t)(x) <= (uintmax_t)(high), #x " in range", __FILE__, \
                 __LINE__)
#define fail_msg(...) (print_message(__VA_ARGS__), _assert_true(0, "failed", __FILE__, __LINE__))
#define fail()        _assert_true(0, "failed", __FILE__, __LINE__)

static inline int shim_run(const struct CMUnitTest *tests, size_t count)
{
    int failed = 0, run = 0, skipped = 0;
    for (size_t i = 0; i < count; ++i) {
        void *state = NULL;
        if (shim.filter != NULL && fnmatch(shim.filter, tests[i].name, 0) != 0) {
            continue;
        }
        ++run;
        shim.is_skipped = 0;
        int how = setjmp(shim.escape);
        if (how == 0) {
            if (tests[i].setup != NULL && tests[i].setup(&state) != 0) {
                longjmp(shim.escape, 1);
            }
            tests[i].test(&state);
        } else if (how == 1) {
            ++failed;
            printf("[  FAILED  ] %s\n", tests[i].name);
        }
        skipped += shim.is_skipped;
        if (tests[i].teardown != NULL) {
            (void)tests[i].teardown(&state);
        }
        fflush(stdout);
    }
    printf("%d tests, %d failed, %d skipped\n", run, failed, skipped);
    return failed;
}
#define cmocka_run_group_tests(tests, setup, teardown) shim_run((tests), sizeof(tests) / sizeof((tests)[0]))

#endif
