/* Meshes on bodies of a world: mass from a closed one; an open one on fixed bodies only. */
#include "test_support.h"
#include "test_allocator.h"

#include <cairn/world.h>

#include <math.h>

static const double points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
static const int triangles[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};

static crn_body_def body_with(crn_body_shape *shape, crn_body_kind kind, int triangle_count)
{
    *shape = crn_body_shape_default();
    shape->shape = (crn_shape_def){
        .kind = CRN_SHAPE_MESH, .points = points, .count = 4, .triangles = triangles, .triangle_count = triangle_count};
    crn_body_def def = crn_body_def_default();
    def.kind = kind;
    def.shape = shape;
    def.shapes = 1;
    return def;
}

static void test_bodies(void **state)
{
    (void)state;
    test_allocator counter = {0};
    crn_allocator hooks = test_allocator_hooks(&counter);
    crn_world_def world_def = crn_world_def_default();
    crn_world *world = NULL;
    crn_body_shape shape;
    crn_body_id id;
    crn_error error;
    assert_int_equal(crn_world_create(&world_def, &hooks, &world, &error), CRN_OK);
    crn_body_def def = body_with(&shape, CRN_BODY_FREE, 4);
    assert_int_equal(crn_body_create(world, &def, &id, &error), CRN_OK);
    long live = counter.live;
    def = body_with(&shape, CRN_BODY_FREE, 3);
    assert_int_equal(crn_body_create(world, &def, &id, &error), CRN_ERR_ARGUMENT);
    TEST_CHECK(strstr(error.text,
                      "open mesh is for fixed and driven bodies only: 3 edges are open, the first from point") != NULL,
               "%s", error.text);
    assert_int_equal(counter.live, live);
    def.kind = CRN_BODY_FIXED;
    crn_status status = crn_body_create(world, &def, &id, &error);
    TEST_CHECK(status == CRN_OK, "%s", error.text);
    crn_world_destroy(world);
    assert_int_equal(counter.live, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bodies)};
    return TEST_RUN(tests, argc, argv);
}
