/* Status names, messages that are too long, and the version's shape. */
#include "test_support.h"

static void test_names_are_distinct(void **state)
{
    (void)state;
    for (int a = CRN_OK; a <= CRN_ERR_DIVERGED; ++a) {
        const char *name = crn_status_name((crn_status)a);
        assert_true(strlen(name) > 0);
        assert_string_not_equal(name, "unknown");
        for (int b = CRN_OK; b < a; ++b) {
            assert_string_not_equal(name, crn_status_name((crn_status)b));
        }
    }
    assert_string_equal(crn_status_name(CRN_OK), "ok");
    assert_string_equal(crn_status_name(CRN_ERR_ARGUMENT), "argument");
    assert_string_equal(crn_status_name((crn_status)(CRN_ERR_DIVERGED + 1)), "unknown");
}

static void test_fail_formats(void **state)
{
    (void)state;
    crn_error error = {CRN_OK, "old text that is longer than the new one"};
    assert_int_equal(crn_fail(&error, CRN_ERR_ARGUMENT, "n = %d, tol = %g", -3, 0.5), CRN_ERR_ARGUMENT);
    assert_int_equal(error.status, CRN_ERR_ARGUMENT);
    assert_string_equal(error.text, "n = -3, tol = 0.5");
}

static void test_fail_without_error(void **state)
{
    (void)state;
    assert_int_equal(crn_fail(NULL, CRN_ERR_IO, "%s", "nobody listens"), CRN_ERR_IO);
}

/* Messages around the size of the text: the first 255 characters stay, then '\0', and nothing behind is written. */
static void test_fail_truncates(void **state)
{
    (void)state;
    enum { SIZE = sizeof((crn_error *)0)->text };
    char message[2 * SIZE + 1];
    for (int i = 0; i < 2 * SIZE; ++i) {
        message[i] = (char)('a' + i % 26);
    }
    for (int length = SIZE - 2; length <= 2 * SIZE; ++length) {
        struct {
            crn_error error;
            unsigned char guard[64];
        } s;
        memset(&s, 0x5A, sizeof s);
        assert_int_equal(crn_fail(&s.error, CRN_ERR_FORMAT, "%.*s", length, message), CRN_ERR_FORMAT);
        size_t kept = (size_t)(length < SIZE ? length : SIZE - 1);
        assert_int_equal(strlen(s.error.text), kept);
        assert_memory_equal(s.error.text, message, kept);
        for (size_t i = 0; i < sizeof s.guard; ++i) {
            assert_int_equal(s.guard[i], 0x5A);
        }
    }
}

static void test_version_shape(void **state)
{
    (void)state;
    int major = -1, minor = -1, patch = -1, end = 0;
    assert_int_equal(sscanf(crn_version(), "%d.%d.%d%n", &major, &minor, &patch, &end), 3);
    assert_int_equal(crn_version()[end], '\0');
    assert_true(major >= 0 && minor >= 0 && patch >= 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_are_distinct), cmocka_unit_test(test_fail_formats),
        cmocka_unit_test(test_fail_without_error), cmocka_unit_test(test_fail_truncates),
        cmocka_unit_test(test_version_shape),
    };
    return TEST_RUN(tests, argc, argv);
}
