/* The table of scenes: names that differ, one line about each, models that are whole and come out the same every time. */
#include "gallery_worlds.h"

#include "test_support.h"

#include <cairn/model.h>

static crn_model *make(const char *name)
{
    crn_model *model = NULL;
    crn_error error = {CRN_OK, ""};
    crn_status status = crn_gallery_world(name, &model, &error);
    TEST_CHECK(status == CRN_OK && model != NULL, "%s: %s", name, error.text);
    return model;
}

static void test_names(void **state)
{
    (void)state;
    int count = crn_gallery_world_count();
    assert_true(count >= 2);
    for (int i = 0; i < count; ++i) {
        const char *name = crn_gallery_world_name(i), *about = crn_gallery_world_about(i);
        TEST_CHECK(strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(name) && name[0] != '\0', "'%s'",
                   name);
        TEST_CHECK(about[0] != '\0' && strchr(about, '\n') == NULL, "%s: '%s'", name, about);
        for (int j = 0; j < i; ++j) {
            assert_string_not_equal(name, crn_gallery_world_name(j));
        }
    }
    assert_null(crn_gallery_world_name(-1));
    assert_null(crn_gallery_world_name(count));
    assert_null(crn_gallery_world_about(-1));
    assert_null(crn_gallery_world_about(count));
}

static void test_every_scene_is_a_model(void **state)
{
    (void)state;
    for (int i = 0; i < crn_gallery_world_count(); ++i) {
        const char *name = crn_gallery_world_name(i);
        crn_model *model = make(name), *again = make(name);
        const crn_world_def *def = crn_model_world_of(model);
        crn_error error = {CRN_OK, ""};
        assert_string_equal(crn_model_name(model), name);
        TEST_CHECK(crn_world_def_check(def, "world", &error) == CRN_OK, "%s: %s", name, error.text);
        TEST_CHECK(def->dt > 0.0 && def->duration > def->dt, "%s: dt %g, duration %g", name, def->dt, def->duration);
        int moving = 0;
        for (int k = 0; k < crn_model_bodies(model); ++k) {
            moving += crn_model_body(model, k)->kind != CRN_BODY_FIXED;
        }
        TEST_CHECK(moving > 0, "%s: nothing moves", name);
        assert_int_equal(crn_model_bodies(model), crn_model_bodies(again));
        assert_int_equal(crn_model_joints(model), crn_model_joints(again));
        crn_model_destroy(model);
        crn_model_destroy(again);
    }
}

static void test_unknown_scene(void **state)
{
    (void)state;
    crn_model *model = NULL;
    crn_error error = {CRN_OK, ""};
    assert_int_equal(crn_gallery_world("no-such-scene", &model, &error), CRN_ERR_ARGUMENT);
    assert_null(model);
    assert_non_null(strstr(error.text, "no-such-scene"));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_every_scene_is_a_model),
        cmocka_unit_test(test_unknown_scene),
    };
    return TEST_RUN(tests, argc, argv);
}
