/* A value of a scene changed by its place. */
#include <cairn/io.h>

#include "test_support.h"

static const char scene[] =
    "{\"bodies\": [{\"name\": \"a{\\\\\", \"mass\": 1, \"inertia\": [1, 1, 1]}, {\"name\": \"box\", \"mass\": 2,"
    " \"shapes\": [{\"kind\": \"sphere\", \"radius\": 1}]}],"
    " \"joints\": [{\"name\": \"hip\", \"kind\": \"hinge\", \"a\": 0, \"b\": 1, \"point\": [0, 0, 0], \"axis\": [0, 0, "
    "1], \"limits\": [-1, 1]}]}";

static crn_model *read_scene(void)
{
    crn_model *model = NULL;
    crn_error error = {CRN_OK, ""};
    crn_status status = crn_io_read_scene_text(scene, strlen(scene), "s", NULL, &model, &error);
    TEST_CHECK(status == CRN_OK, "%s", error.text);
    return model;
}

static void test_values(void **state)
{
    (void)state;
    crn_model *model = read_scene(), *changed = NULL;
    assert_int_equal(crn_io_change_scene(model, "bodies.box.mass", "3", NULL, &changed, NULL), CRN_OK);
    assert_true(crn_model_body(changed, 1)->mass == 3.0 && crn_model_body(changed, 0)->mass == 1.0);
    assert_true(crn_model_body(model, 1)->mass == 2.0);
    crn_model_destroy(changed);
    assert_int_equal(crn_io_change_scene(model, "joints.0.limits.1", "2.5", NULL, &changed, NULL), CRN_OK);
    assert_true(crn_model_joint(changed, 0)->axis[0].upper == 2.5 &&
                crn_model_joint(changed, 0)->axis[0].lower == -1.0);
    crn_model_destroy(changed);
    /* fields that are not written, because they have their defaults */
    assert_int_equal(crn_io_change_scene(model, "gravity", "[1, 0, 0]", NULL, &changed, NULL), CRN_OK);
    assert_true(crn_model_world_of(changed)->gravity.x == 1.0);
    crn_model_destroy(changed);
    assert_int_equal(crn_io_change_scene(model, "bodies.1.shapes.0.friction", "0.25", NULL, &changed, NULL), CRN_OK);
    assert_true(crn_model_body(changed, 1)->shape[0].friction == 0.25);
    crn_model_destroy(changed);
    assert_int_equal(crn_io_change_scene(model, "bodies.box.name", "crate", NULL, &changed, NULL), CRN_OK);
    assert_string_equal(crn_model_body(changed, 1)->name, "crate");
    crn_model_destroy(changed);
    crn_model_destroy(model);
}

static void test_wrong(void **state)
{
    (void)state;
    static const char *const table[][3] = {
        {"bodies.bx.mass", "1", "bodies.bx.mass: there is no 'bx'"},
        {"bodies.2.mass", "1", "bodies.2.mass: there is no '2'"},
        {"bodies.99999999999999999999.mass", "1", "there is no '99999999999999999999'"},
        {"bodies.box.mas", "1", "unknown field 'mas'; did you mean 'mass'?"},
        {"bodies.box.mass", "-1", "bodies[1].mass: must be > 0, but is -1"},
        {"bodies.box.mass.x", "1", "there is no 'x'"},
        {"bodies.box.mass", "1}", "syntax"},
        {"bodies.box.mass", "", "neither a value of JSON nor a word"},
        {"bodies.box.name", "a\"b", "neither a value of JSON nor a word"},
        {"", "1", "is not a place"},
        {"bodies.", "1", "is not a place"},
        {"bodies..mass", "1", "is not a place"},
        {"bodies.b\"x.mass", "1", "is not a place"},
    };
    crn_model *model = read_scene();
    for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
        crn_model *changed = NULL;
        crn_error error = {CRN_OK, ""};
        assert_true(crn_io_change_scene(model, table[i][0], table[i][1], NULL, &changed, &error) != CRN_OK);
        TEST_CHECK(strstr(error.text, table[i][2]) != NULL, "%s=%s: %s", table[i][0], table[i][1], error.text);
        assert_null(changed);
    }
    crn_model *changed = NULL;
    assert_int_equal(crn_io_change_scene(NULL, "a", "1", NULL, &changed, NULL), CRN_ERR_ARGUMENT);
    crn_model_destroy(model);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_values), cmocka_unit_test(test_wrong)};
    return TEST_RUN(tests, argc, argv);
}
