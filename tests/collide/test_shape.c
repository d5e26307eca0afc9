/* Shapes: names, what is refused and with which words, memory; and crn_collide()'s order and counting. */
#include "collide/shape.h"

#include "primitive_case.h"
#include "test_allocator.h"

static void test_names(void **state)
{
    (void)state;
    for (int k = 0; k < CRN_SHAPE_KIND_COUNT; ++k) {
        crn_shape_kind kind = CRN_SHAPE_SPHERE;
        const char *name = crn_shape_kind_name((crn_shape_kind)k);
        assert_non_null(name);
        assert_true(crn_shape_kind_find(name, &kind));
        assert_int_equal(kind, k);
        assert_int_equal(crn_shape_kind_is_planar(kind), k >= CRN_SHAPE_DISK && k <= CRN_SHAPE_HALF_PLANE);
    }
    crn_shape_kind kind = CRN_SHAPE_BOX;
    assert_string_equal(crn_shape_kind_name(CRN_SHAPE_HEIGHT_FIELD), "height_field");
    assert_string_equal(crn_shape_kind_name(CRN_SHAPE_HALF_PLANE), "half_plane");
    assert_null(crn_shape_kind_name((crn_shape_kind)CRN_SHAPE_KIND_COUNT));
    assert_null(crn_shape_kind_name((crn_shape_kind)-1));
    assert_false(crn_shape_kind_find("cube", &kind) || crn_shape_kind_find("", &kind) ||
                 crn_shape_kind_find(NULL, &kind));
    assert_int_equal(kind, CRN_SHAPE_BOX);
}

static void test_refusals(void **state)
{
    (void)state;
    double inf = (double)INFINITY, numbers[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    double bad[12] = {0, 0, 0, 1, 0, 0, 0, (double)NAN, 0, 0, 0, 1};
    double line[6] = {0, 0, 1, 1, 2, 2};
    const struct {
        crn_shape_def def;
        const char *begins;
    } wrong[] = {
        {{.kind = CRN_SHAPE_SPHERE}, "size.x: must be > 0"},
        {{.kind = CRN_SHAPE_SPHERE, .size = {-1, 0, 0}}, "size.x: must be > 0, is -1"},
        {{.kind = CRN_SHAPE_SPHERE, .size = {(double)NAN, 0, 0}}, "size.x: not finite"},
        {{.kind = CRN_SHAPE_BOX, .size = {1, 1, 0}}, "size.z: must be > 0"},
        {{.kind = CRN_SHAPE_BOX, .size = {1, inf, 1}}, "size.y: not finite"},
        {{.kind = CRN_SHAPE_CAPSULE, .size = {1, -1, 0}}, "size.y: must be >= 0"},
        {{.kind = CRN_SHAPE_CYLINDER, .size = {1, 0, 0}}, "size.y: must be > 0"},
        {{.kind = CRN_SHAPE_ELLIPSOID, .size = {1, 1, -1}}, "size.z: must be > 0"},
        {{.kind = CRN_SHAPE_DISK}, "size.x: must be > 0"},
        {{.kind = CRN_SHAPE_ELLIPSE, .size = {1, 0, 0}}, "size.y: must be > 0"},
        {{.kind = CRN_SHAPE_SEGMENT, .size = {1, -1, 0}}, "size.y: must be >= 0"},
        {{.kind = CRN_SHAPE_SPHERE, .size = {1e120, 0, 0}}, "size: too large or too small"},
        {{.kind = CRN_SHAPE_SPHERE, .size = {1e-120, 0, 0}}, "size: too large or too small"},
        {{.kind = CRN_SHAPE_HULL, .points = numbers, .count = 3}, "count: must be at least 4, is 3"},
        {{.kind = CRN_SHAPE_HULL, .count = 4}, "points: missing"},
        {{.kind = CRN_SHAPE_HULL, .points = bad, .count = 4}, "points[7]: not finite"},
        {{.kind = CRN_SHAPE_POLYGON, .points = numbers, .count = 2}, "count: must be at least 3, is 2"},
        {{.kind = CRN_SHAPE_HEIGHT_FIELD, .size = {1, 1, 0}, .rows = 1, .columns = 3},
         "rows: must be at least 2, is 1"},
        {{.kind = CRN_SHAPE_HEIGHT_FIELD, .size = {1, 1, 0}, .rows = 3}, "columns: must be at least 2, is 0"},
        {{.kind = CRN_SHAPE_HEIGHT_FIELD, .size = {1, 0, 0}, .rows = 2, .columns = 2}, "size.y: must be > 0"},
        {{.kind = CRN_SHAPE_HEIGHT_FIELD, .size = {1, 1, 0}, .points = numbers, .rows = 1 << 20, .columns = 1 << 20},
         "rows, columns:"},
        {{.kind = CRN_SHAPE_POLYGON, .points = line, .count = 3}, "points: "},
        {{.kind = (crn_shape_kind)99}, "kind: there is no shape 99"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
        crn_error error;
        crn_shape *shape = (crn_shape *)&error;
        assert_int_equal(crn_shape_create(&wrong[k].def, NULL, &shape, &error), CRN_ERR_ARGUMENT);
        assert_null(shape);
        TEST_CHECK(strncmp(error.text, wrong[k].begins, strlen(wrong[k].begins)) == 0, "'%s' does not begin with '%s'",
                   error.text, wrong[k].begins);
    }
    crn_shape *shape;
    assert_int_equal(crn_shape_create(NULL, NULL, &shape, NULL), CRN_ERR_ARGUMENT);
    crn_shape_def ball = {.kind = CRN_SHAPE_SPHERE, .size = {1, 0, 0}};
    assert_int_equal(crn_shape_create(&ball, NULL, NULL, NULL), CRN_ERR_ARGUMENT);
    crn_shape_destroy(NULL);
}

/* The copy keeps what its kind uses and nothing else; points are its own. */
static void test_definition_is_copied(void **state)
{
    (void)state;
    double heights[6] = {1, 2, 3, 4, 5, 6};
    crn_shape_def def = {.kind = CRN_SHAPE_HEIGHT_FIELD,
                         .size = {0.5, 0.25, 7.0},
                         .points = heights,
                         .count = 9,
                         .rows = 3,
                         .columns = 2};
    crn_shape *field;
    assert_int_equal(crn_shape_create(&def, NULL, &field, NULL), CRN_OK);
    heights[4] = 99.0;
    const crn_shape_def *copy = crn_shape_definition(field);
    assert_ptr_not_equal(copy->points, heights);
    assert_true(copy->points[4] == 5.0 && copy->size.z == 0.0 && copy->count == 0 && copy->rows == 3 &&
                copy->columns == 2);
    assert_true(isinf(crn_shape_radius(field)) && crn_shape_mass(field).mass == 0.0);
    crn_shape_destroy(field);

    crn_shape *ball = case_shape(CRN_SHAPE_SPHERE, 2, 3, 4);
    assert_true(crn_shape_definition(ball)->size.y == 0.0 && crn_shape_definition(ball)->points == NULL);
    crn_shape_destroy(ball);
}

/* The k-th request for memory fails, for every k, until the call succeeds; nothing is left over. */
static void test_memory(void **state)
{
    (void)state;
    double corners[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, square[8] = {0, 0, 1, 0, 1, 1, 0, 1};
    const crn_shape_def defs[] = {{.kind = CRN_SHAPE_BOX, .size = {1, 1, 1}},
                                  {.kind = CRN_SHAPE_HULL, .points = corners, .count = 4},
                                  {.kind = CRN_SHAPE_POLYGON, .points = square, .count = 4}};
    for (int d = 0; d < 3; ++d) {
        crn_status status = CRN_ERR_MEMORY;
        for (long k = 1; status != CRN_OK; ++k) {
            test_allocator counter = {.fail_at = k};
            crn_allocator hooks = test_allocator_hooks(&counter);
            crn_shape *shape;
            status = crn_shape_create(defs + d, &hooks, &shape, NULL);
            assert_true(status == CRN_OK || (status == CRN_ERR_MEMORY && shape == NULL && k < 100));
            crn_shape_destroy(shape);
            assert_int_equal(counter.live, 0);
        }
    }
}

static void test_radius(void **state)
{
    (void)state;
    const struct {
        crn_shape_kind kind;
        crn_vec3 size;
        double radius;
    } known[] = {
        {CRN_SHAPE_SPHERE, {2, 0, 0}, 2},
        {CRN_SHAPE_BOX, {2, 3, 6}, 7},
        {CRN_SHAPE_CAPSULE, {1, 2, 0}, 3},
        {CRN_SHAPE_CYLINDER, {3, 4, 0}, 5},
        {CRN_SHAPE_ELLIPSOID, {1, 4, 2}, 4},
        {CRN_SHAPE_PLANE, {0, 0, 0}, INFINITY},
        {CRN_SHAPE_DISK, {3, 0, 0}, 3},
        {CRN_SHAPE_ELLIPSE, {1, 2, 0}, 2},
        {CRN_SHAPE_SEGMENT, {3, 1, 0}, 4},
        {CRN_SHAPE_SEGMENT, {3, 0, 0}, 3},
        {CRN_SHAPE_HALF_PLANE, {0, 0, 0}, INFINITY},
    };
    for (size_t k = 0; k < sizeof known / sizeof *known; ++k) {
        crn_shape *shape = case_shape(known[k].kind, known[k].size.x, known[k].size.y, known[k].size.z);
        assert_true(crn_shape_radius(shape) == known[k].radius);
        crn_shape_destroy(shape);
    }
}

/* --- crn_collide() --- */

/* Too little room: the count is right, what is written is sorted, and nothing beyond is touched. */
static void test_capacity(void **state)
{
    (void)state;
    crn_shape *cube = case_shape(CRN_SHAPE_BOX, 0.5, 0.5, 0.5), *disk = case_shape(CRN_SHAPE_DISK, 1, 0, 0);
    crn_frame low = case_frame(0, 0, 0, crn_v3(0, 0, 0)), high = case_frame(0, 0, 1, crn_v3(0, 0, 0.78));
    crn_touch all[16];
    assert_int_equal(crn_collide(cube, &high, cube, &low, 0.1, all, 16), 8);
    for (int room = 0; room <= 16; ++room) {
        crn_touch few[17];
        memset(few, 0x55, sizeof few);
        assert_int_equal(crn_collide(cube, &high, cube, &low, 0.1, few, room), 8);
        for (int k = 0; k < room && k < 8; ++k) {
            int found = 0;
            for (int j = 0; j < 8; ++j) {
                found += memcmp(&all[j].gap, &few[k].gap, sizeof(double)) == 0 && all[j].key == few[k].key;
            }
            assert_int_equal(found, 1);
            assert_true(k == 0 || few[k].key > few[k - 1].key);
        }
        const unsigned char *beyond = (const unsigned char *)(few + (room < 8 ? room : 8));
        assert_int_equal(*beyond, 0x55);
    }
    assert_int_equal(crn_collide(cube, &high, cube, &low, 0.1, NULL, 0), 8);
    assert_int_equal(crn_collide(cube, &low, disk, &low, 0.1, NULL, 0), 0); /* solid with planar: never */
    crn_shape_destroy(cube);
    crn_shape_destroy(disk);
}

/* A hull of many vertices on a plane: more touches than any fixed list. */
static void test_many_touches(void **state)
{
    (void)state;
    enum { COUNT = 500 };
    crn_random random = test_random("test_many_touches", 51);
    double *points = (double *)malloc(3 * COUNT * sizeof(double));
    crn_touch *touch = (crn_touch *)malloc(COUNT * sizeof(crn_touch));
    assert_true(points != NULL && touch != NULL);
    for (int k = 0; k < COUNT; ++k) {
        crn_v3_to(case_direction(&random), points + 3 * k);
    }
    crn_shape_def def = {.kind = CRN_SHAPE_HULL, .points = points, .count = COUNT};
    crn_shape *hull, *plane = case_shape(CRN_SHAPE_PLANE, 0, 0, 0);
    assert_int_equal(crn_shape_create(&def, NULL, &hull, NULL), CRN_OK);
    crn_frame origin = case_frame(0, 0, 0, crn_v3(0, 0, 0)), up = case_frame(0, 0, 1, crn_v3(0, 0, 0));
    assert_int_equal(crn_collide(hull, &up, plane, &origin, 10.0, touch, COUNT), COUNT);
    for (int k = 1; k < COUNT; ++k) {
        assert_true(touch[k].key > touch[k - 1].key);
    }
    crn_shape_destroy(hull);
    crn_shape_destroy(plane);
    free(points);
    free(touch);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_definition_is_copied),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_radius),
        cmocka_unit_test(test_capacity),
        cmocka_unit_test(test_many_touches),
    };
    return TEST_RUN(tests, argc, argv);
}
