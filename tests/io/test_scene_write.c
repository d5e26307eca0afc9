/* Scenes written and read back: the same to the bit, over random models; failing allocations on both ways. */
#include "io/io_room.h"

#include "gallery_worlds.h"
#include "model_case.h"
#include "test_allocator.h"

#include <locale.h>
#include <unistd.h>

static crn_model *write_and_read(const crn_model *model)
{
    char *text = NULL;
    size_t length = 0;
    crn_model *again = NULL;
    crn_error error = {CRN_OK, ""};
    crn_status status = crn_io_write_scene_text(model, NULL, &text, &length, &error);
    TEST_CHECK(status == CRN_OK, "%s", error.text);
    assert_int_equal(length, strlen(text));
    status = crn_io_read_scene_text(text, length, "again", NULL, &again, &error);
    TEST_CHECK(status == CRN_OK, "%s\n%s", error.text, text);
    free(text);
    return again;
}

static void test_random_models(void **state)
{
    (void)state;
    crn_random random = test_random("random models", 1);
    int bodies = 0, joints = 0;
    for (int k = 0; k < 2000; ++k) {
        crn_model *model = any_model(&random, NULL), *again = write_and_read(model);
        same_model(model, again);
        bodies += crn_model_bodies(model);
        joints += crn_model_joints(model);
        crn_model_destroy(model);
        crn_model_destroy(again);
    }
    assert_true(bodies > 4000 && joints > 3000);
}

/* Every scene of the gallery. */
static void test_gallery(void **state)
{
    (void)state;
    for (int i = 0; i < crn_gallery_world_count(); ++i) {
        crn_model *model = NULL;
        MODEL_GOOD(crn_gallery_world(crn_gallery_world_name(i), &model, error));
        crn_model *again = write_and_read(model);
        same_model(model, again);
        crn_model_destroy(model);
        crn_model_destroy(again);
    }
}

static void test_file(void **state)
{
    (void)state;
    crn_random random = test_random("file", 2);
    crn_model *model = any_model(&random, NULL), *again = NULL;
    char path[64];
    (void)snprintf(path, sizeof path, "test_scene_%ld.json", (long)getpid());
    MODEL_GOOD(crn_io_write_scene(path, model, error));
    MODEL_GOOD(crn_io_read_scene(path, NULL, &again, error));
    same_model(model, again);
    (void)remove(path);
    crn_error error = {CRN_OK, ""};
    assert_int_equal(crn_io_write_scene("/no/such/folder/s", model, &error), CRN_ERR_IO);
    assert_int_equal(crn_io_write_scene(NULL, model, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_io_write_scene(path, NULL, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_io_write_scene_text(model, NULL, NULL, NULL, &error), CRN_ERR_ARGUMENT);
    crn_model_destroy(again);
    again = model;
    assert_int_equal(crn_io_read_scene("/no/such/file", NULL, &again, &error), CRN_ERR_IO);
    assert_null(again);
    assert_int_equal(crn_io_read_scene(NULL, NULL, &again, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_io_read_scene(path, NULL, NULL, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_io_read_scene_text("{}", 2, NULL, NULL, NULL, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_io_read_scene_text(NULL, 2, NULL, NULL, &again, &error), CRN_ERR_ARGUMENT);

    /* A world that was made wrong behind the model's back is not written. */
    crn_model_world(model)->dt = -1.0;
    char *text = NULL;
    assert_int_equal(crn_io_write_scene_text(model, NULL, &text, NULL, &error), CRN_ERR_ARGUMENT);
    assert_string_equal(error.text, "world.dt: must be > 0, but is -1");
    assert_null(text);
    crn_model_destroy(model);
}

/* The text of a small scene, so that a change of the format is seen. */
static void test_text(void **state)
{
    (void)state;
    static const char wanted[] =
        "{\"name\": \"small\", \"planar\": true, \"dt\": 0.5,\n"
        " \"solver\": {\"scheme\": \"plain\"},\n"
        " \"bodies\": [\n"
        "  {\"name\": \"a \\\"b\\\"\\u000a\", \"velocity\": [1, 2], \"angular\": 3, \"position\": [4, 5], \"shapes\": "
        "[{\"kind\": \"disk\", \"radius\": 0.25}]},\n"
        "  {\"kind\": \"fixed\", \"shapes\": [{\"kind\": \"half_plane\", \"friction\": 1}]}],\n"
        " \"joints\": [\n"
        "  {\"kind\": \"hinge\", \"a\": 0, \"b\": 1, \"frame_a\": {}, \"frame_b\": {\"position\": [4, 5]}, \"limits\": "
        "[\"-inf\", 1], \"motor\": {\"speed\": {\"times\": [0, 1], \"values\": [2, 3]}}, \"friction\": 2}]}\n";
    crn_model *model = NULL;
    MODEL_GOOD(crn_io_read_scene_text(wanted, strlen(wanted), "small", NULL, &model, error));
    char *text = NULL;
    MODEL_GOOD(crn_io_write_scene_text(model, NULL, &text, NULL, error));
    assert_string_equal(text, wanted);
    free(text);
    crn_model_destroy(model);
}

/* A host program may have a locale whose decimal point is a comma. */
static void test_locale(void **state)
{
    (void)state;
    if (setlocale(LC_NUMERIC, "de_DE.UTF-8") == NULL) {
        print_message("no such locale: nothing tested\n");
        return;
    }
    crn_random random = test_random("locale", 3);
    crn_model *model = any_model(&random, NULL), *again = write_and_read(model);
    same_model(model, again);
    (void)setlocale(LC_NUMERIC, "C");
    crn_model_destroy(model);
    crn_model_destroy(again);
}

static void test_failing_allocations(void **state)
{
    (void)state;
    crn_random random = test_random("failing allocations", 4);
    for (int round = 0; round < 20; ++round) {
        crn_model *model = any_model(&random, NULL);
        char *text = NULL;
        size_t length = 0;
        crn_status status = CRN_ERR_MEMORY;
        crn_error error = {CRN_OK, ""};
        test_allocator counter = {0};
        crn_allocator hooks = test_allocator_hooks(&counter);
        for (long k = 1; status != CRN_OK; ++k) {
            counter.calls = 0;
            counter.fail_at = k;
            status = crn_io_write_scene_text(model, &hooks, &text, &length, &error);
            TEST_CHECK(status == CRN_OK || status == CRN_ERR_MEMORY, "k %ld: %s", k, error.text);
            assert_int_equal(counter.live, status == CRN_OK ? 1 : 0);
        }
        status = CRN_ERR_MEMORY;
        for (long k = 1; status != CRN_OK; ++k) {
            test_allocator own = {.fail_at = k};
            crn_allocator reading = test_allocator_hooks(&own);
            crn_model *again = NULL;
            status = crn_io_read_scene_text(text, length, "s", &reading, &again, &error);
            TEST_CHECK(status == CRN_OK || status == CRN_ERR_MEMORY, "k %ld: %s", k, error.text);
            assert_true((again != NULL) == (status == CRN_OK) && error.status == status);
            crn_model_destroy(again);
            assert_int_equal(own.live, 0);
        }
        hooks.release(hooks.user, text);
        crn_model_destroy(model);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_models), cmocka_unit_test(test_gallery),
        cmocka_unit_test(test_file),          cmocka_unit_test(test_text),
        cmocka_unit_test(test_locale),        cmocka_unit_test(test_failing_allocations),
    };
    return TEST_RUN(tests, argc, argv);
}
