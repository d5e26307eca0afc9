/* What holds for all touches of two meshes: the tree finds what all pairs of triangles give, bit for bit; swapping
 * the meshes mirrors them; moving both moves them; no memory on the second call; without memory it says so. */
#include "collide/mesh/mesh_pair.h"
#include "mesh_pair_case.h"
#include "test_allocator.h"

#include <limits.h>

static crn_touch touch[MESH_TOUCHES], other[MESH_TOUCHES];

static int compare_pairs(const void *x, const void *y)
{
    const crn_feature_pair *a = x, *b = y;
    int by_type = a->type - b->type, by_a = a->a - b->a;
    return by_type != 0 ? by_type : by_a != 0 ? by_a : a->b - b->b;
}

static bool same_vector(crn_vec3 x, crn_vec3 y)
{
    return x.x == y.x && x.y == y.y && x.z == y.z;
}

static void check_same(const crn_feature_pair *x, const crn_feature_pair *y, int count)
{
    for (int k = 0; k < count; ++k) {
        TEST_CHECK(compare_pairs(&x[k], &y[k]) == 0 && x[k].gap == y[k].gap && same_vector(x[k].normal, y[k].normal) &&
                       same_vector(x[k].on_a, y[k].on_a) && same_vector(x[k].on_b, y[k].on_b),
                   "pair %d differs", k);
        TEST_CHECK(k == 0 || compare_pairs(&x[k], &x[k - 1]) > 0, "pair %d was found twice", k);
    }
}

/* --- The tree --- */

static void compare_with_all(const crn_shape *a, const crn_shape *b, const crn_frame *fa, const crn_frame *fb,
                             double reach, double depth, int *met)
{
    crn_collide_scratch tree = {.allocator = crn_allocator_default()}, all = {.allocator = crn_allocator_default()};
    crn_mesh_pair x = crn_pair_of(a->mesh, fa, b->mesh, fb, reach, &tree);
    crn_mesh_pair y = crn_pair_of(a->mesh, fa, b->mesh, fb, reach, &all);
    x.depth = y.depth = depth;
    x.wants_crossings = y.wants_crossings = true;
    x.pairs_left = LONG_MAX;
    assert_true(crn_pair_descend(&x));
    for (int i = 0; i < a->mesh->triangles; ++i) {
        crn_facet of_a, of_b;
        crn_facet_of_a(&y, i, &of_a);
        for (int k = 0; k < b->mesh->triangles; ++k) {
            crn_facet_of_b(&y, k, &of_b);
            assert_true(crn_pair_facets(&y, &of_a, &of_b));
        }
    }
    TEST_CHECK(x.found_count == y.found_count && x.crossings == y.crossings, "%d of %d pairs, %d of %d crossings",
               x.found_count, y.found_count, x.crossings, y.crossings);
    if (x.found_count > 0) {
        qsort(x.found, (size_t)x.found_count, sizeof *x.found, compare_pairs);
        qsort(y.found, (size_t)y.found_count, sizeof *y.found, compare_pairs);
        check_same(x.found, y.found, x.found_count);
    }
    *met += x.found_count > 0;
    crn_collide_scratch_free(&tree);
    crn_collide_scratch_free(&all);
}

static void test_tree_finds_what_all_pairs_give(void **state)
{
    (void)state;
    crn_random random = test_random("all pairs", 77);
    crn_shape *shape[4] = {mesh_ring(0.1, 0.02, 20, 8), mesh_box(0.05, 0.08, 0.03), mesh_ball(0.08, 12, 8),
                           mesh_spike(0.03, 0.12)};
    int met = 0;
    for (int k = 0; k < 300; ++k) {
        crn_frame fa = mesh_random_frame(&random, 0.05), fb = mesh_random_frame(&random, 0.02);
        double reach = k % 5 == 0 ? 0.001 : 0.015;
        compare_with_all(shape[k % 4], shape[k / 4 % 4], &fa, &fb, reach, k % 3 == 0 ? 3.0 * reach : reach, &met);
    }
    print_message("%d poses met\n", met);
    assert_true(met > 100);
    for (int k = 0; k < 4; ++k) {
        crn_shape_destroy(shape[k]);
    }
}

/* --- Swapping, moving --- */

static void check_mirrored(const crn_touch *x, int count, const crn_touch *y, int others, int pose)
{
    TEST_CHECK(count == others, "pose %d: %d and %d touches", pose, count, others);
    for (int k = 0; k < count; ++k) {
        TEST_CHECK(x[k].key == y[k].key && x[k].gap == y[k].gap && same_vector(x[k].point, y[k].point) &&
                       same_vector(x[k].normal, crn_v3_scale(-1.0, y[k].normal)),
                   "pose %d: touch %d is not mirrored", pose, k);
    }
}

static void test_swapping_mirrors(void **state)
{
    (void)state;
    crn_random random = test_random("swap", 3);
    crn_shape *shape[4] = {mesh_ring(0.1, 0.02, 20, 8), mesh_box(0.05, 0.08, 0.03), mesh_ball(0.08, 12, 8),
                           mesh_ring(0.1, 0.02, 20, 8)};
    const crn_shape_kind kinds[] = {CRN_SHAPE_SPHERE, CRN_SHAPE_BOX, CRN_SHAPE_CAPSULE, CRN_SHAPE_CYLINDER,
                                    CRN_SHAPE_ELLIPSOID};
    int met = 0;
    for (int k = 0; k < 1200; ++k) {
        crn_shape *made = NULL;
        crn_shape_def def = {.kind = kinds[k % 5], .size = {0.05, 0.04, 0.03}};
        assert_int_equal(crn_shape_create(&def, NULL, &made, NULL), CRN_OK);
        mesh_pair p = {k % 3 == 0 ? made : shape[k / 2 % 4], shape[k % 4], mesh_random_frame(&random, 0.15),
                       mesh_random_frame(&random, 0.05)};
        mesh_pair q = {p.b, p.a, p.fb, p.fa};
        int count = mesh_collide(&p, 0.01, touch), others = mesh_collide(&q, 0.01, other);
        check_mirrored(touch, count, other, others, k);
        met += count > 0;
        crn_shape_destroy(made);
    }
    assert_true(met > 500);
    for (int k = 0; k < 4; ++k) {
        crn_shape_destroy(shape[k]);
    }
}

static crn_frame moved(const crn_frame *by, const crn_frame *f)
{
    return crn_frame_product(by, f);
}

static void test_moving_both_moves_all(void **state)
{
    (void)state;
    crn_random random = test_random("move", 4);
    crn_shape *a = mesh_ring(0.1, 0.02, 20, 8), *b = mesh_ball(0.08, 12, 8);
    int met = 0, differ = 0;
    for (int k = 0; k < 400; ++k) {
        mesh_pair p = {a, b, mesh_random_frame(&random, 0.15), mesh_random_frame(&random, 0.05)}, q = p;
        crn_frame by = mesh_random_frame(&random, 3.0);
        q.fa = moved(&by, &p.fa);
        q.fb = moved(&by, &p.fb);
        int count = mesh_collide(&p, 0.01, touch), others = mesh_collide(&q, 0.01, other);
        met += count > 0;
        if (count != others) { /* a pair at the border of a rule */
            differ += 1;
            continue;
        }
        for (int i = 0; i < count; ++i) {
            TEST_CHECK(touch[i].key == other[i].key && fabs(touch[i].gap - other[i].gap) < 1e-14,
                       "pose %d: gap %g becomes %g", k, touch[i].gap, other[i].gap);
            crn_vec3 d = crn_v3_sub(crn_m3_times(&by.rotation, touch[i].normal), other[i].normal);
            crn_vec3 e = crn_v3_sub(crn_frame_point(&by, touch[i].point), other[i].point);
            assert_true(crn_v3_length(d) < 1e-10 && crn_v3_length(e) < 1e-10);
        }
    }
    assert_true(met > 100 && differ == 0);
    crn_shape_destroy(a);
    crn_shape_destroy(b);
}

/* --- Keys, room, memory --- */

/* Keys do not change while the same features touch. */
static void test_keys_stay(void **state)
{
    (void)state;
    crn_shape *cube = mesh_box(0.1, 0.1, 0.1);
    uint32_t key[64];
    int first = 0;
    for (int k = 0; k < 20; ++k) {
        mesh_pair p = {cube, cube, mesh_frame(1e-3 * k, 0, 0.2 + 1e-5 * (k - 10), 0, 0, 0.3),
                       mesh_frame(0, 0, 0, 0, 0, 0)};
        int count = mesh_collide(&p, 1e-3, touch);
        assert_in_range(count, 1, 64);
        for (int i = 0; i < count; ++i) {
            TEST_CHECK(k == 0 || (count == first && key[i] == touch[i].key), "key %d changed at step %d", i, k);
            key[i] = touch[i].key;
        }
        first = count;
    }
    crn_shape_destroy(cube);
}

static void test_room_is_respected(void **state)
{
    (void)state;
    crn_shape *cube = mesh_box(0.1, 0.1, 0.1);
    crn_frame up = mesh_frame(0, 0, 0.2, 0, 0, 0.3), origin = mesh_frame(0, 0, 0, 0, 0, 0);
    int count = crn_collide(cube, &up, cube, &origin, 1e-3, touch, MESH_TOUCHES);
    assert_true(count >= 8);
    assert_int_equal(crn_collide(cube, &up, cube, &origin, 1e-3, NULL, 0), count);
    memset(other, 0, sizeof other);
    assert_int_equal(crn_collide(cube, &up, cube, &origin, 1e-3, other, 3), count);
    assert_int_equal(other[3].key, 0);
    crn_shape_destroy(cube);
}

static void test_second_call_takes_no_memory(void **state)
{
    (void)state;
    crn_shape *ring = mesh_ring(0.1, 0.02, 32, 16);
    test_allocator counter = {0};
    crn_collide_scratch scratch = {.allocator = test_allocator_hooks(&counter)};
    crn_frame a = mesh_frame(0, 0, 0, 0, 0, 0.3), b = mesh_frame(0.166, 0, 0, MESH_PI / 2, 0, 0);
    int count = crn_collide_with(&scratch, ring, &a, ring, &b, 1e-3, NULL, touch, MESH_TOUCHES);
    assert_true(count > 0 && counter.calls > 0);
    long calls = counter.calls;
    assert_int_equal(crn_collide_with(&scratch, ring, &a, ring, &b, 1e-3, NULL, other, MESH_TOUCHES), count);
    assert_int_equal(counter.calls, calls);
    assert_memory_equal(touch, other, (size_t)count * sizeof *touch);
    crn_collide_scratch_free(&scratch);
    assert_int_equal(counter.live, 0);
    /* with the k-th request refused it says so, and the answer is whole once there is memory */
    for (long k = 1; k <= calls; ++k) {
        test_allocator failing = {.fail_at = k};
        crn_collide_scratch poor = {.allocator = test_allocator_hooks(&failing)};
        assert_int_equal(crn_collide_with(&poor, ring, &a, ring, &b, 1e-3, NULL, other, MESH_TOUCHES), -1);
        assert_int_equal(crn_collide_with(&poor, ring, &a, ring, &b, 1e-3, NULL, other, MESH_TOUCHES), count);
        crn_collide_scratch_free(&poor);
        assert_int_equal(failing.live, 0);
    }
    crn_shape_destroy(ring);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tree_finds_what_all_pairs_give),
        cmocka_unit_test(test_swapping_mirrors),
        cmocka_unit_test(test_moving_both_moves_all),
        cmocka_unit_test(test_keys_stay),
        cmocka_unit_test(test_room_is_respected),
        cmocka_unit_test(test_second_call_takes_no_memory),
    };
    return TEST_RUN(tests, argc, argv);
}
