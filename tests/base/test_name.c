/* Distances of names, against a plain recursion. */
#include <cairn/base.h>

#include "test_support.h"

static void test_known(void **state)
{
    (void)state;
    assert_int_equal(crn_name_distance("mass", "mass"), 0);
    assert_int_equal(crn_name_distance("mas", "mass"), 1);
    assert_int_equal(crn_name_distance("m", "mass"), 1); /* begins so */
    assert_int_equal(crn_name_distance("", "mass"), 4);
    assert_int_equal(crn_name_distance("mass", ""), 4);
    assert_int_equal(crn_name_distance("frcition", "friction"), 2);
    assert_int_equal(crn_name_distance("kitten", "sitting"), 3);
    char most[64], more[65];
    memset(most, 'a', sizeof most);
    memset(more, 'a', sizeof more);
    most[63] = more[64] = '\0';
    assert_int_equal(crn_name_distance(most, most), 0);
    assert_int_equal(crn_name_distance(more, "a"), 63);
    assert_int_equal(crn_name_distance("a", more), 63);
}

static int slow(const char *a, const char *b)
{
    if (*a == '\0' || *b == '\0') {
        return (int)(strlen(a) + strlen(b));
    }
    int change = slow(a + 1, b + 1) + (*a != *b), without = slow(a + 1, b) + 1, with = slow(a, b + 1) + 1;
    int least = change < without ? change : without;
    return least < with ? least : with;
}

static void test_against_recursion(void **state)
{
    (void)state;
    crn_random random = test_random("recursion", 1);
    for (int k = 0; k < 300; ++k) {
        char a[8] = "", b[8] = "";
        int size_a = crn_random_below(&random, 7), size_b = crn_random_below(&random, 7);
        for (int i = 0; i < size_a; ++i) {
            a[i] = (char)('a' + crn_random_below(&random, 3));
        }
        for (int i = 0; i < size_b; ++i) {
            b[i] = (char)('a' + crn_random_below(&random, 3));
        }
        bool begins = size_a > 0 && size_a < size_b && strncmp(a, b, (size_t)size_a) == 0;
        assert_int_equal(crn_name_distance(a, b), begins ? 1 : slow(a, b));
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_known), cmocka_unit_test(test_against_recursion)};
    return TEST_RUN(tests, argc, argv);
}
