/* Formats by the endings of names. */
#include <cairn/file_format.h>

#include "test_support.h"

static void test_endings(void **state)
{
    (void)state;
    assert_int_equal(crn_file_format_of("a/b.urdf"), CRN_FILE_URDF);
    assert_int_equal(crn_file_format_of("b.XML"), CRN_FILE_MJCF);
    assert_int_equal(crn_file_format_of("b.h5"), CRN_FILE_HDF5);
    assert_int_equal(crn_file_format_of("b.hdf5"), CRN_FILE_HDF5);
    assert_int_equal(crn_file_format_of("b.json.crn"), CRN_FILE_RECORDING);
    const char *const others[] = {"", ".xml", "xml", "b.xm", "b.xmlx", "b.", "/dev/zero", "b.xml/"};
    for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
        assert_int_equal(crn_file_format_of(others[i]), CRN_FILE_OTHER);
    }
    assert_int_equal(crn_file_format_of(NULL), CRN_FILE_OTHER);
}

/* What messages list is what the functions know. */
static void check_list(const char *list, bool (*is_one)(const char *), int count)
{
    int found = 0;
    for (const char *at = list; (at = strchr(at, '.')) != NULL; ++at, ++found) {
        char name[20];
        (void)snprintf(name, sizeof name, "a%.*s", (int)strcspn(at, ", "), at);
        assert_true(is_one(name));
    }
    assert_int_equal(found, count);
}

static void test_lists(void **state)
{
    (void)state;
    check_list(CRN_FILE_ROBOT_ENDINGS, crn_file_is_robot, 3);
    check_list(CRN_FILE_MESH_ENDINGS, crn_file_is_mesh, 4);
    assert_false(crn_file_is_robot("a.obj") || crn_file_is_mesh("a.xml") || crn_file_is_mesh("a.mtx"));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_endings), cmocka_unit_test(test_lists)};
    return TEST_RUN(tests, argc, argv);
}
