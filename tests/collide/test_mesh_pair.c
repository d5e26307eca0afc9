/* Meshes on meshes where the answer is known: edges that cross, corners that overlap, faces that touch, a spike in a
 * plate. */
#include "mesh_pair_case.h"

static crn_touch touch[MESH_TOUCHES];

/* Along the axis, either way. */
static bool is_along(crn_vec3 n, crn_vec3 axis, double tolerance)
{
    return crn_v3_length(crn_v3_cross(n, axis)) <= tolerance;
}

/* --- Edges --- */

/* Two cubes, each on an edge, the edges across each other and 10 mm past: inside tests say 7.1 mm, 45 degrees off. */
static void test_crossing_edges_are_exact(void **state)
{
    (void)state;
    crn_shape *cube = mesh_box(0.1, 0.1, 0.1);
    const double gaps[] = {0.01, 1e-3, 1e-9, 0.0, -1e-9, -1e-3, -0.01};
    for (size_t k = 0; k < sizeof gaps / sizeof *gaps; ++k) {
        double z = 0.2 * sqrt(2.0) + gaps[k];
        mesh_pair p = {cube, cube, mesh_frame(0.013, 0.007, z, MESH_PI / 4, 0, 0),
                       mesh_frame(0, 0, 0, 0, MESH_PI / 4, 0)};
        int count = mesh_collide(&p, 0.02, touch);
        assert_true(count >= 1);
        const crn_touch *t = &touch[mesh_lowest(touch, count)];
        TEST_CHECK(fabs(t->gap - gaps[k]) < 1e-16 + 1e-15, "gap %.17g instead of %g", t->gap, gaps[k]);
        TEST_CHECK(fabs(t->normal.z - 1.0) < 1e-15, "normal %g %g %g", t->normal.x, t->normal.y, t->normal.z);
        assert_true(fabs(t->point.x) < 0.014 && fabs(t->point.y) < 0.008);
        for (int i = 0; gaps[k] < 0.0 && i < count; ++i) { /* and nothing pushes sideways */
            TEST_CHECK(touch[i].gap >= 0.0 || is_along(touch[i].normal, crn_v3(0, 0, 1), 1e-12), "pushes sideways");
        }
    }
    crn_shape_destroy(cube);
}

/* --- Corners --- */

/* Cubes that overlap in a corner by (d, d, d) need d along one axis, in four points. */
static void test_overlapping_corner_has_one_way_out(void **state)
{
    (void)state;
    crn_shape *cube = mesh_box(0.1, 0.1, 0.1);
    const double reaches[] = {0.03, 0.001};
    for (int k = 0; k < 2; ++k) {
        for (double d = 1e-4; d < 0.02; d *= 3.0) {
            mesh_pair p = {cube, cube, mesh_frame(0.2 - d, 0.2 - d, 0.2 - d, 0, 0, 0), mesh_frame(0, 0, 0, 0, 0, 0)};
            int count = mesh_collide(&p, reaches[k], touch), negative = 0;
            for (int i = 0; i < count; ++i) {
                if (touch[i].gap < 0.0) {
                    negative += 1;
                    TEST_CHECK(fabs(touch[i].gap + d) < 1e-15, "gap %g at d = %g", touch[i].gap, d);
                    TEST_CHECK(crn_v3_dot(touch[i].normal, touch[0].normal) > 1.0 - 1e-12, "two ways out");
                }
            }
            TEST_CHECK(negative == 4, "%d points at d = %g, reach %g", negative, d, reaches[k]);
        }
    }
    crn_shape_destroy(cube);
}

/* --- Faces --- */

/* One cube on another, drifted aside, at gaps around 0: vertical normals, the gap to rounding, a corner at each end. */
static void test_stack_touches_straight_up(void **state)
{
    (void)state;
    crn_shape *cube = mesh_box(0.5, 0.5, 0.5);
    const double gaps[] = {1e-3, 1e-9, 1e-17, 0.0, -1e-17, -1e-12, -1e-7, -1e-4},
                 drifts[] = {0.0, 1e-17, 1e-9, 1e-5, 0.01};
    for (size_t g = 0; g < sizeof gaps / sizeof *gaps; ++g) {
        for (size_t k = 0; k < sizeof drifts / sizeof *drifts; ++k) {
            double d = drifts[k];
            mesh_pair p = {cube, cube, mesh_frame(d, -0.5 * d, 1.0 + gaps[g], 0, 0, 0), mesh_frame(0, 0, 0, 0, 0, 0)};
            int count = mesh_collide(&p, 2e-3, touch);
            for (int i = 0; i < count; ++i) {
                /* two corners, one above the other, are pushed along the line between them */
                double slant = 1e-12 + (gaps[g] > 0.0 && d < 1e-6 ? 1.2 * d / gaps[g] : 0.0);
                TEST_CHECK(is_along(touch[i].normal, crn_v3(0, 0, 1), slant), "gap %g, drift %g: normal %g %g %g",
                           gaps[g], d, touch[i].normal.x, touch[i].normal.y, touch[i].normal.z);
                TEST_CHECK(fabs(touch[i].gap - gaps[g]) < 3e-16, "gap %.17g instead of %g", touch[i].gap, gaps[g]);
            }
            int left = crn_touch_reduce(touch, count, 1e-3);
            TEST_CHECK(left == 4, "gap %g, drift %g: %d points of %d", gaps[g], d, left, count);
        }
    }
    crn_shape_destroy(cube);
}

/* Nearer than the room of this test: a tilt by 0.01 keeps all corners of the overlap. */
static void test_turned_cube_has_eight_points(void **state)
{
    (void)state;
    crn_shape *cube = mesh_box(0.1, 0.1, 0.1);
    for (int k = 0; k < 3; ++k) {
        double gap = k == 0 ? 0.0 : k == 1 ? 5e-4 : -5e-4;
        mesh_pair p = {cube, cube, mesh_frame(0, 0, 0.2 + gap, 0, 0, MESH_PI / 4), mesh_frame(0, 0, 0, 0, 0, 0)};
        int count = mesh_collide(&p, 0.005, touch);
        int left = crn_touch_reduce(touch, count, 1e-3);
        assert_int_equal(left, 8);
        for (int i = 0; i < left; ++i) {
            double x = fabs(touch[i].point.x), y = fabs(touch[i].point.y); /* octagon: one at the side, one on it */
            assert_true(fabs(fmax(x, y) - 0.1) < 1e-12 && fabs(fmin(x, y) - 0.1 * (sqrt(2.0) - 1.0)) < 1e-12);
        }
        p.fa = mesh_frame(0, 0, 0.2 + gap, 0.006, -0.008, 0);
        crn_frame turn = mesh_frame(0, 0, 0, 0, 0, MESH_PI / 4);
        p.fa.rotation = crn_m3_product(&p.fa.rotation, &turn.rotation);
        count = mesh_collide(&p, 0.005, touch);
        left = crn_touch_reduce(touch, count, 1e-3);
        TEST_CHECK(left >= 8, "tilted: %d points", left);
    }
    crn_shape_destroy(cube);
}

/* A box on a floor of many triangles: no normal but the floor's, wherever it is. */
static void test_tiles_have_no_inner_edges(void **state)
{
    (void)state;
    crn_random random = test_random("tiles", 21);
    crn_shape *floor = mesh_slab(1.0, 1.0, 0.05, 24, 32), *cube = mesh_box(0.1, 0.07, 0.04);
    for (int k = 0; k < 200; ++k) {
        double gap = k % 3 == 0 ? 0.0 : crn_random_uniform(&random, -1e-3, 1e-3);
        mesh_pair p = {cube, floor, mesh_frame(0, 0, 0, 0, 0, k % 2 == 0 ? 0.0 : 0.01 * k),
                       mesh_frame(0, 0, -0.05, 0, 0, 0)};
        p.fa.position =
            crn_v3(crn_random_uniform(&random, -0.8, 0.8), crn_random_uniform(&random, -0.8, 0.8), 0.04 + gap);
        int count = mesh_collide(&p, 2e-3, touch);
        for (int i = 0; i < count; ++i) {
            TEST_CHECK(is_along(touch[i].normal, crn_v3(0, 0, 1), 1e-12), "a tile's edge");
            TEST_CHECK(fabs(touch[i].gap - gap) < 1e-15, "gap %g instead of %g", touch[i].gap, gap);
        }
        TEST_CHECK(crn_touch_reduce(touch, count, 1e-3) == 4, "%d of %d points", count, count);
    }
    crn_shape_destroy(floor);
    crn_shape_destroy(cube);
}

/* --- A spike in a plate --- */

/* The tip past the middle of the plate, and right through it: back out the way it came. */
static void test_spike_goes_back(void **state)
{
    (void)state;
    crn_shape *spike = mesh_spike(0.02, 0.1), *plate = mesh_slab(0.2, 0.2, 0.005, 4, 4);
    const double depths[] = {0.001, 0.004, 0.006, 0.009, 0.0099, 0.011, 0.02, 0.05};
    for (int reach = 0; reach < 2; ++reach) {
        for (size_t k = 0; k < sizeof depths / sizeof *depths; ++k) {
            double d = depths[k];
            mesh_pair p = {spike, plate, mesh_frame(0.013, 0.021, 0.105 - d, 0, 0, 0.3), mesh_frame(0, 0, 0, 0, 0, 0)};
            int count = mesh_collide(&p, reach == 0 ? 0.001 : 0.012, touch);
            const crn_touch *t = &touch[mesh_lowest(touch, count)];
            TEST_CHECK(count > 0 && t->normal.z > 0.99, "depth %g: normal %g %g %g", d, t->normal.x, t->normal.y,
                       t->normal.z);
            TEST_CHECK(fabs(t->gap + d) < 1e-12, "gap %g instead of %g", t->gap, -d);
            for (int i = 0; i < count; ++i) {
                TEST_CHECK(touch[i].gap >= 0.0 || touch[i].normal.z > 0.9, "depth %g: something pulls on", d);
            }
        }
    }
    crn_shape_destroy(spike);
    crn_shape_destroy(plate);
}

/* --- Behind a plane, but not inside --- */

/* The base of a spike touches the bottom of a block beside its wall: two corners lie 10 mm behind the plane of the wall, on
 * the surface of the block. They touch; they do not overlap. */
static void test_touch_beside_a_wall_is_no_overlap(void **state)
{
    (void)state;
    crn_shape *spike = mesh_spike(0.03, 0.12), *block = mesh_box(0.2, 0.2, 0.2);
    mesh_pair p = {spike, block, mesh_frame(-0.22, -0.048, -0.2, 0, 0, 0), mesh_frame(0, 0, 0, 0, 0, 0)};
    int count = mesh_collide(&p, 1e-3, touch);
    assert_true(count >= 4);
    for (int i = 0; i < count; ++i) {
        TEST_CHECK(fabs(touch[i].gap) < 1e-15 && is_along(touch[i].normal, crn_v3(0, 0, 1), 1e-12),
                   "gap %g, normal %g %g %g", touch[i].gap, touch[i].normal.x, touch[i].normal.y, touch[i].normal.z);
    }
    crn_shape_destroy(spike);
    crn_shape_destroy(block);
}

/* A small box on the other side of a thin plate lies behind the plane of its front. */
static void test_box_behind_a_plate_does_not_overlap(void **state)
{
    (void)state;
    crn_shape *plate = mesh_slab(0.2, 0.2, 0.005, 4, 4), *small = mesh_box(0.01, 0.01, 0.01);
    mesh_pair p = {small, plate, mesh_frame(0.013, 0.021, -0.02, 0, 0, 0.3), mesh_frame(0, 0, 0, 0, 0, 0)};
    int count = mesh_collide(&p, 0.05, touch);
    assert_true(count >= 4 && fabs(mesh_gap(touch, count) - 0.005) < 1e-15);
    for (int i = 0; i < count; ++i) {
        assert_true(touch[i].normal.z < -0.5);
    }
    crn_shape_destroy(plate);
    crn_shape_destroy(small);
}

/* --- One inside of the other --- */

static void test_swallowed_is_pushed_out(void **state)
{
    (void)state;
    crn_shape *small = mesh_box(0.01, 0.01, 0.01), *large = mesh_box(0.2, 0.2, 0.2);
    mesh_pair p = {small, large, mesh_frame(0.02, 0.01, 0.15, 0.1, 0.2, 0), mesh_frame(0, 0, 0, 0, 0, 0)};
    for (int swap = 0; swap < 2; ++swap) {
        mesh_pair q = {p.b, p.a, p.fb, p.fa};
        int count = mesh_collide(swap == 0 ? &p : &q, 1e-3, touch);
        assert_int_equal(count, 1);
        assert_true(touch[0].gap < -0.05 && touch[0].gap > -0.075);
        assert_true((swap == 0 ? 1.0 : -1.0) * touch[0].normal.z > 1.0 - 1e-12);
    }
    crn_shape_destroy(small);
    crn_shape_destroy(large);
}

/* --- Boxes and hulls as meshes --- */

/* A box, a hull of its corners and a mesh of it give the same, though each cuts its faces another way. (Not where the
 * overlap is deeper than any feature pair: the last resort goes by the edges that cross.) */
static void test_box_hull_and_mesh_agree(void **state)
{
    (void)state;
    crn_random random = test_random("box", 5);
    static crn_touch other[MESH_TOUCHES];
    double points[24];
    for (int k = 0; k < 8; ++k) {
        crn_v3_to(crn_v3(k & 1 ? 0.1 : -0.1, k & 2 ? 0.15 : -0.15, k & 4 ? 0.05 : -0.05), points + 3 * (ptrdiff_t)k);
    }
    crn_shape *made[3] = {NULL, NULL, mesh_box(0.1, 0.15, 0.05)}, *ring = mesh_ring(0.2, 0.05, 24, 12);
    crn_shape_def box = {.kind = CRN_SHAPE_BOX, .size = {0.1, 0.15, 0.05}};
    crn_shape_def hull = {.kind = CRN_SHAPE_HULL, .points = points, .count = 8};
    assert_int_equal(crn_shape_create(&box, NULL, &made[0], NULL), CRN_OK);
    assert_int_equal(crn_shape_create(&hull, NULL, &made[1], NULL), CRN_OK);
    int compared = 0;
    for (int k = 0; k < 300; ++k) {
        mesh_pair p = {made[0], ring, mesh_random_frame(&random, 0.25), mesh_random_frame(&random, 0.01)};
        int count = mesh_collide(&p, 0.005, touch);
        for (int i = 1; i < 3; ++i) {
            p.a = made[i];
            int others = mesh_collide(&p, 0.005, other);
            TEST_CHECK((count > 0) == (others > 0), "pose %d: %d and %d touches", k, count, others);
            double gap = mesh_gap(touch, count), own = mesh_gap(other, others);
            if (count > 0 && gap > -0.03 && own > -0.03) {
                compared += 1;
                TEST_CHECK(fabs(gap - own) < 1e-12, "pose %d: gap %g of the box, %g of %d", k, gap, own, i);
            }
        }
    }
    assert_true(compared > 100);
    for (int i = 0; i < 3; ++i) {
        crn_shape_destroy(made[i]);
    }
    crn_shape_destroy(ring);
}

/* A roof, 4 m by 4 m, that falls by `slope` to both sides of the ridge along y. */
static crn_shape *roof(double slope)
{
    mesh_draft d = mesh_draft_of(6, 4);
    int at[6];
    for (int k = 0; k < 6; ++k) {
        double x = k % 3 - 1.0;
        at[k] = mesh_point(&d, 2.0 * x, k < 3 ? -2 : 2, -2.0 * fabs(x) * slope);
    }
    mesh_quad(&d, at[0], at[1], at[4], at[3]);
    mesh_quad(&d, at[1], at[2], at[5], at[4]);
    return mesh_finish(&d);
}

/* However flat a ridge is, an edge across it is as deep as it is. Up to 0.2 degrees the ridge was taken for flat, and the box
 * thrown up by what the edge's end is behind the plane of a side. */
static void test_edge_across_a_flat_ridge(void **state)
{
    (void)state;
    crn_shape *box = mesh_partner(CRN_SHAPE_BOX, 0.9, 0.46, 0.48);
    const double slopes[] = {1e-4, 5e-4, 1.5e-3, 1e-2}, lean = 2e-4;
    for (int i = 0; i < 4; ++i) {
        crn_shape *ridge = roof(slopes[i]);
        for (double depth = 1e-7; depth < 3e-5; depth *= 3.0) { /* the edge at y = -0.46 is lowest */
            double z = 0.48 * cos(lean) + 0.46 * sin(lean) - depth;
            mesh_pair p = {box, ridge, mesh_frame(0.01, 0, z, lean, 0, 0), mesh_frame(0, 0, 0, 0, 0, 0)};
            int count = mesh_collide(&p, 1e-4, touch);
            TEST_CHECK(fabs(mesh_gap(touch, count) + depth) < 1e-3 * depth, "slope %g, depth %g: gap %g", slopes[i],
                       depth, mesh_gap(touch, count));
        }
        crn_shape_destroy(ridge);
    }
    crn_shape_destroy(box);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_crossing_edges_are_exact),
        cmocka_unit_test(test_overlapping_corner_has_one_way_out),
        cmocka_unit_test(test_stack_touches_straight_up),
        cmocka_unit_test(test_turned_cube_has_eight_points),
        cmocka_unit_test(test_tiles_have_no_inner_edges),
        cmocka_unit_test(test_edge_across_a_flat_ridge),
        cmocka_unit_test(test_spike_goes_back),
        cmocka_unit_test(test_touch_beside_a_wall_is_no_overlap),
        cmocka_unit_test(test_box_behind_a_plate_does_not_overlap),
        cmocka_unit_test(test_swallowed_is_pushed_out),
        cmocka_unit_test(test_box_hull_and_mesh_agree),
    };
    return TEST_RUN(tests, argc, argv);
}
