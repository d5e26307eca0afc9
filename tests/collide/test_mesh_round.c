/* Cylinder and ellipsoid with meshes, meshes with height fields: the same answers as convex solids give where the
 * mesh is convex, and as the formula gives where the field is flat. */
#include "mesh_pair_case.h"

static crn_touch touch[MESH_TOUCHES], other[MESH_TOUCHES];

/* --- Against the box --- */

/* Apart the lowest gaps are the same; in shallow overlap nearly always, and never far off; overlap is never missed. */
static void compare_with_box(crn_shape *solid, uint64_t seed)
{
    crn_random random = test_random("round", seed);
    crn_shape *mesh = mesh_slab(0.1, 0.07, 0.05, 2, 1), *box = mesh_partner(CRN_SHAPE_BOX, 0.1, 0.07, 0.05);
    int apart = 0, shallow = 0, off = 0;
    for (int k = 0; k < 2000; ++k) {
        mesh_pair p = {solid, mesh, mesh_random_frame(&random, 0.16), mesh_random_frame(&random, 0.02)};
        double gap = mesh_gap(touch, mesh_collide(&p, 0.02, touch));
        p.b = box;
        double exact = mesh_gap(other, mesh_collide(&p, 0.02, other));
        TEST_CHECK((gap < (double)INFINITY) == (exact < (double)INFINITY), "pose %d: gap %g instead of %g", k, gap,
                   exact);
        if (exact >= 0.0 && exact < (double)INFINITY) {
            apart += 1;
            TEST_CHECK(fabs(gap - exact) < 1e-9, "pose %d: gap %.12g instead of %.12g", k, gap, exact);
        } else if (exact > -0.01) {
            shallow += exact < 0.0;
            off += exact < 0.0 && fabs(gap - exact) > 1e-3 * fabs(exact);
        }
        TEST_CHECK(exact >= 0.0 || gap < 0.3 * exact, "pose %d: gap %g, overlap %g", k, gap, exact);
    }
    print_message("%d apart, %d in shallow overlap, %d of these another way out\n", apart, shallow, off);
    assert_true(apart > 200 && shallow > 100 && 20 * off <= shallow);
    crn_shape_destroy(mesh);
    crn_shape_destroy(box);
    crn_shape_destroy(solid);
}

static void test_cylinder_on_box_mesh_is_cylinder_on_box(void **state)
{
    (void)state;
    compare_with_box(mesh_partner(CRN_SHAPE_CYLINDER, 0.04, 0.06, 0), 5);
}

static void test_cone_on_box_mesh_is_cone_on_box(void **state)
{
    (void)state;
    compare_with_box(mesh_partner(CRN_SHAPE_CONE, 0.05, 0.05, 0), 7);
}

static void test_ellipsoid_on_box_mesh_is_ellipsoid_on_box(void **state)
{
    (void)state;
    compare_with_box(mesh_partner(CRN_SHAPE_ELLIPSOID, 0.04, 0.06, 0.05), 6);
}

/* --- Grooves and walls --- */

static void test_round_solids_touch_both_walls_of_a_groove(void **state)
{
    (void)state;
    const double xy[] = {-0.2, -0.2, 0.2, -0.2, 0.2, 0.1, 0.1, 0.1, 0.0, 0.0, -0.1, 0.1, -0.2, 0.1};
    crn_shape *block = mesh_prism(xy, 7, 0.5); /* along z, a notch of 90 degrees */
    crn_shape *solid[2] = {mesh_partner(CRN_SHAPE_CYLINDER, 0.05, 0.1, 0),
                           mesh_partner(CRN_SHAPE_ELLIPSOID, 0.05, 0.05, 0.1)};
    for (int i = 0; i < 2; ++i) {
        for (int k = -10; k <= 10; ++k) {
            double gap = 1e-3 * k;
            mesh_pair p = {solid[i], block, mesh_frame(0, (0.05 + gap) * sqrt(2.0), 0, 0, 0, 0.4),
                           mesh_frame(0, 0, 0, 0, 0, 0)};
            int count = mesh_collide(&p, 0.02, touch);
            assert_int_equal(count, i == 0 ? 4 : 2); /* both ends of the cylinder's side */
            double sides = 0.0;
            for (int n = 0; n < count; ++n) {
                assert_true(fabs(touch[n].gap - gap) < 1e-12 && fabs(touch[n].normal.y - sqrt(0.5)) < 1e-12);
                sides += touch[n].normal.x;
            }
            assert_true(fabs(sides) < 1e-12);
        }
    }
    crn_shape_destroy(block);
    crn_shape_destroy(solid[0]);
    crn_shape_destroy(solid[1]);
}

/* Through a plate thinner than they are: back to the side where the centre is. */
static void test_round_solids_go_back_out_of_a_plate(void **state)
{
    (void)state;
    crn_shape *plate = mesh_slab(0.3, 0.3, 0.005, 5, 5);
    crn_shape *solid[2] = {mesh_partner(CRN_SHAPE_CYLINDER, 0.05, 0.05, 0),
                           mesh_partner(CRN_SHAPE_ELLIPSOID, 0.05, 0.05, 0.05)};
    for (int i = 0; i < 2; ++i) {
        for (double depth = 1e-3; depth < 0.05; depth += 2e-3) {
            mesh_pair p = {solid[i], plate, mesh_frame(0.011, 0.017, 0.055 - depth, 0, 0, 0.3),
                           mesh_frame(0, 0, 0, 0, 0, 0)};
            int count = mesh_collide(&p, 1e-3, touch);
            TEST_CHECK(count > 0 && fabs(mesh_gap(touch, count) + depth) < 1e-9, "solid %d, depth %g: gap %g", i, depth,
                       mesh_gap(touch, count));
            for (int n = 0; n < count; ++n) {
                TEST_CHECK(touch[n].normal.z > 0.99, "solid %d, depth %g: a normal sideways", i, depth);
            }
        }
    }
    crn_shape_destroy(plate);
    crn_shape_destroy(solid[0]);
    crn_shape_destroy(solid[1]);
}

/* A sheet, 4 m by 4 m, with its middle raised to z = top: four triangles. */
static crn_shape *tent(double top)
{
    mesh_draft d = mesh_draft_of(5, 4);
    int middle = mesh_point(&d, 0, 0, top), corner[4];
    for (int k = 0; k < 4; ++k) {
        corner[k] = mesh_point(&d, k == 0 || k == 3 ? -2 : 2, k < 2 ? -2 : 2, 0);
    }
    for (int k = 0; k < 4; ++k) {
        mesh_triangle(&d, middle, corner[k], corner[(k + 1) % 4]);
    }
    return mesh_finish(&d);
}

/* A cylinder leans on the middle of a sheet with its cap and has gone through the sheet beside it, deeper than reach: the rim is
 * told, whether the cap is above or below the middle by rounding. */
static void test_rim_through_a_sheet_is_told(void **state)
{
    (void)state;
    const double radius = 0.04, half = 0.06, lean = 0.13, top = 1e-3;
    crn_shape *sheet = tent(top), *solid = mesh_partner(CRN_SHAPE_CYLINDER, radius, half, 0);
    for (double aside = 0.0; aside < 0.011; aside += 0.002) { /* of the cap's middle, along the cap */
        for (int k = -1; k <= 1; ++k) {
            double up = half + 1e-12 * k;
            mesh_pair p = {
                solid, sheet,
                mesh_frame(aside * cos(lean) + up * sin(lean), 0, top - aside * sin(lean) + up * cos(lean), 0, lean, 0),
                mesh_frame(0, 0, 0, 0, 0, 0)};
            int count = mesh_collide(&p, 1e-4, touch);
            double x = (aside + radius) * cos(lean), z = top - (aside + radius) * sin(lean), slope = 0.5 * top;
            double depth = (top - slope * x - z) / sqrt(1.0 + slope * slope);
            TEST_CHECK(fabs(mesh_gap(touch, count) + depth) < 1e-6 * depth, "aside %g, %d: gap %g, not %g", aside, k,
                       mesh_gap(touch, count), -depth);
        }
    }
    crn_shape_destroy(solid);
    crn_shape_destroy(sheet);
}

/* --- Height fields --- */

static crn_shape *field_of(const double *height, int rows, int columns, double dx, double dy)
{
    crn_shape *shape = NULL;
    crn_shape_def def = {
        .kind = CRN_SHAPE_HEIGHT_FIELD, .size = {dx, dy, 0}, .points = height, .rows = rows, .columns = columns};
    assert_int_equal(crn_shape_create(&def, NULL, &shape, NULL), CRN_OK);
    return shape;
}

/* Rough ground: a mesh of a box over it has the gap that the box has. */
static void test_mesh_on_ground_is_box_on_ground(void **state)
{
    (void)state;
    crn_random random = test_random("ground", 3);
    double height[21 * 17];
    for (int k = 0; k < 21 * 17; ++k) {
        height[k] = crn_random_uniform(&random, 0.0, 0.06);
    }
    crn_shape *ground = field_of(height, 21, 17, 0.1, 0.12);
    crn_shape *box = mesh_partner(CRN_SHAPE_BOX, 0.12, 0.08, 0.1), *mesh = mesh_box(0.12, 0.08, 0.1);
    int apart = 0, shallow = 0, off = 0;
    for (int k = 0; k < 1500; ++k) {
        mesh_pair p = {mesh, ground, mesh_random_frame(&random, 0.6), mesh_frame(0, 0, 0, 0, 0, 0)};
        p.fa.position.z = crn_random_uniform(&random, 0.1, 0.25);
        double gap = mesh_gap(touch, mesh_collide(&p, 0.02, touch));
        p.a = box;
        int count = crn_collide(p.a, &p.fa, p.b, &p.fb, 0.02, other, MESH_TOUCHES);
        double exact = mesh_gap(other, count);
        TEST_CHECK((gap < (double)INFINITY) == (exact < (double)INFINITY), "pose %d: gap %g instead of %g", k, gap,
                   exact);
        if (exact >= 0.0 && exact < (double)INFINITY) {
            apart += 1;
            TEST_CHECK(fabs(gap - exact) < 1e-9, "pose %d: gap %g instead of %g", k, gap, exact);
        }
        shallow += exact < 0.0 && exact > -0.01;
        off += exact < 0.0 && exact > -0.01 && fabs(gap - exact) > 1e-9;
        TEST_CHECK(exact >= 0.0 || gap < 0.0, "pose %d: overlap %g is missed", k, exact);
    }
    print_message("%d apart, %d in shallow overlap, %d of these another way out\n", apart, shallow, off);
    assert_true(apart > 80 && shallow > 80 && 20 * off <= shallow);
    crn_shape_destroy(ground);
    crn_shape_destroy(box);
    crn_shape_destroy(mesh);
}

/* Flat ground: vertical normals only, keys that stay while the mesh moves along, and out from any depth. */
static void test_ring_on_flat_ground(void **state)
{
    (void)state;
    double height[30 * 30] = {0};
    crn_shape *ground = field_of(height, 30, 30, 0.05, 0.05), *ring = mesh_ring(0.1, 0.02, 24, 12);
    uint32_t key = 0;
    for (int k = 0; k < 40; ++k) {
        double gap = 1e-4 * (k % 5 - 2);
        mesh_pair p = {ring, ground, mesh_frame(1e-5 * k, 0.003, 0.02 + gap, 0, 0, 0), mesh_frame(0, 0, 0, 0, 0, 0)};
        int count = mesh_collide(&p, 5e-4, touch);
        assert_true(count >= 24);
        for (int i = 0; i < count; ++i) {
            assert_true(touch[i].normal.z > 1.0 - 1e-12 && fabs(touch[i].gap - gap) < 1e-12);
        }
        TEST_CHECK(k == 0 || touch[0].key == key, "key changed at step %d", k);
        key = touch[0].key;
    }
    for (double depth = 0.01; depth < 2.0; depth *= 2.0) {
        mesh_pair p = {ring, ground, mesh_frame(0.01, 0.003, 0.02 - depth, 0.02, 0.01, 0),
                       mesh_frame(0, 0, 0, 0, 0, 0)};
        int count = mesh_collide(&p, 5e-4, touch);
        TEST_CHECK(mesh_gap(touch, count) < -0.9 * depth && touch[mesh_lowest(touch, count)].normal.z > 0.999,
                   "depth %g: gap %g", depth, mesh_gap(touch, count));
    }
    crn_shape_destroy(ground);
    crn_shape_destroy(ring);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cylinder_on_box_mesh_is_cylinder_on_box),
        cmocka_unit_test(test_cone_on_box_mesh_is_cone_on_box),
        cmocka_unit_test(test_ellipsoid_on_box_mesh_is_ellipsoid_on_box),
        cmocka_unit_test(test_round_solids_touch_both_walls_of_a_groove),
        cmocka_unit_test(test_round_solids_go_back_out_of_a_plate),
        cmocka_unit_test(test_rim_through_a_sheet_is_told),
        cmocka_unit_test(test_mesh_on_ground_is_box_on_ground),
        cmocka_unit_test(test_ring_on_flat_ground),
    };
    return TEST_RUN(tests, argc, argv);
}
