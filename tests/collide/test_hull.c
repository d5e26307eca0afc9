/* Hulls: they hold their points, are convex, satisfy Euler's formula, have one face per plane, and the mass of the solid. */
#include "test_support.h"
#include "test_allocator.h"

#include "collide/shape.h"

#include <math.h>

static crn_polyhedron *build(const double *points, int count)
{
    crn_polyhedron *hull = NULL;
    crn_error error;
    crn_status status = crn_hull_build(points, count, NULL, &hull, &error);
    TEST_CHECK(status == CRN_OK, "refused: %s", error.text);
    return hull;
}

static crn_vec3 vertex(const crn_polyhedron *h, int k)
{
    return crn_v3_of(h->vertex + 3 * k);
}

/* Everything that crn_polyhedron promises; tolerance: how far a point may stick out. */
static void check_hull(const crn_polyhedron *h, const double *points, int count, double tolerance)
{
    TEST_CHECK(h->vertices - h->edges + h->faces == 2, "V %d E %d F %d", h->vertices, h->edges, h->faces);
    assert_int_equal(h->face_start[h->faces], 2 * h->edges);
    assert_int_equal(h->around_start[h->vertices], 2 * h->edges);
    for (int f = 0; f < h->faces; ++f) {
        crn_vec3 n = crn_v3_of(h->face_normal + 3 * f), o = vertex(h, h->face_vertex[h->face_start[f]]);
        assert_true(fabs(crn_v3_length(n) - 1.0) < 1e-14);
        assert_true(h->face_start[f + 1] - h->face_start[f] >= 3);
        for (int k = 0; k < count; ++k) {
            double height = crn_v3_dot(n, crn_v3_sub(crn_v3_of(points + 3 * k), o));
            TEST_CHECK(height <= tolerance, "point %d is %g above face %d", k, height, f);
        }
        /* the loop turns left at each corner and lies in the plane */
        int first = h->face_start[f], corners = h->face_start[f + 1] - first;
        for (int k = 0; k < corners; ++k) {
            crn_vec3 p = vertex(h, h->face_vertex[first + k]), q = vertex(h, h->face_vertex[first + (k + 1) % corners]);
            crn_vec3 r = vertex(h, h->face_vertex[first + (k + 2) % corners]);
            TEST_CHECK(fabs(crn_v3_dot(n, crn_v3_sub(p, o))) <= tolerance, "face %d is not flat", f);
            TEST_CHECK(crn_v3_dot(n, crn_v3_cross(crn_v3_sub(q, p), crn_v3_sub(r, q))) > 0.0, "face %d, corner %d", f,
                       k);
        }
    }
    for (int e = 0; e < h->edges; ++e) {
        const int *edge = h->edge + 4 * e;
        int found = 0;
        for (int side = 0; side < 2; ++side) {
            int f = edge[2 + side], first = h->face_start[f], corners = h->face_start[f + 1] - first;
            for (int k = 0; k < corners; ++k) {
                found += h->face_vertex[first + k] == edge[side] &&
                         h->face_vertex[first + (k + 1) % corners] == edge[1 - side];
            }
        }
        TEST_CHECK(found == 2, "edge %d is not in the loops of its faces", e);
        int near = 0;
        for (int k = h->around_start[edge[0]]; k < h->around_start[edge[0] + 1]; ++k) {
            near += h->around[k] == edge[1];
        }
        for (int k = h->around_start[edge[1]]; k < h->around_start[edge[1] + 1]; ++k) {
            near += h->around[k] == edge[0];
        }
        TEST_CHECK(near == 2, "edge %d is not in the lists of its vertices", e);
    }
}

static crn_quat random_turn(crn_random *random)
{
    crn_quat q = {crn_random_normal(random), crn_random_normal(random), crn_random_normal(random),
                  crn_random_normal(random)};
    return crn_quat_unit(q);
}

static void test_random_points(void **state)
{
    (void)state;
    crn_random random = test_random("test_random_points", 1);
    double points[3 * 600];
    for (int trial = 0; trial < 300; ++trial) {
        int count = 4 + crn_random_below(&random, trial < 250 ? 60 : 590);
        double scale = pow(10.0, crn_random_uniform(&random, -6.0, 6.0));
        for (int k = 0; k < count; ++k) {
            crn_vec3 p = crn_v3(crn_random_normal(&random), crn_random_normal(&random), crn_random_normal(&random));
            if (trial % 2 == 1) {
                p = crn_v3_unit(p); /* on a sphere all are vertices */
            }
            crn_v3_to(crn_v3_scale(scale, p), points + 3 * k);
        }
        crn_polyhedron *h = build(points, count);
        check_hull(h, points, count, 1e-11 * scale);
        if (trial % 2 == 1) {
            assert_int_equal(h->vertices, count);
        }
        crn_hull_free(NULL, h);
    }
}

/* Points of a grid of small whole numbers: many in a plane, on a line, and twice. */
static void test_grid_points(void **state)
{
    (void)state;
    crn_random random = test_random("test_grid_points", 2);
    double points[3 * 200];
    int built = 0;
    for (int trial = 0; trial < 2000; ++trial) {
        int count = 4 + crn_random_below(&random, 60), side = 2 + crn_random_below(&random, 4);
        crn_mat3 turn = crn_quat_matrix(random_turn(&random));
        for (int k = 0; k < count; ++k) {
            crn_vec3 p = crn_v3(crn_random_below(&random, side), crn_random_below(&random, side),
                                crn_random_below(&random, side));
            crn_v3_to(trial % 2 == 0 ? p : crn_m3_times(&turn, p), points + 3 * k);
        }
        crn_polyhedron *h = NULL;
        if (crn_hull_build(points, count, NULL, &h, NULL) == CRN_OK) {
            built++;
            check_hull(h, points, count, 1e-10);
            for (int e = 0; e < h->edges; ++e) { /* no two faces in one plane */
                const int *edge = h->edge + 4 * e;
                double cosine =
                    crn_v3_dot(crn_v3_of(h->face_normal + 3 * edge[2]), crn_v3_of(h->face_normal + 3 * edge[3]));
                TEST_CHECK(cosine < 1.0 - 1e-4, "trial %d: edge %d between faces in one plane", trial, e);
            }
            crn_hull_free(NULL, h);
        } else {
            assert_null(h);
        }
    }
    assert_true(built > 1500);
}

/* A box with its sides, edges and inside full of points: 8 vertices, 12 edges, 6 faces, and the mass of a box. */
static void test_box_with_many_points(void **state)
{
    (void)state;
    crn_random random = test_random("test_box_with_many_points", 3);
    for (int trial = 0; trial < 50; ++trial) {
        crn_mat3 turn = crn_quat_matrix(random_turn(&random));
        crn_vec3 half = crn_v3(crn_random_uniform(&random, 0.1, 2.0), crn_random_uniform(&random, 0.1, 2.0),
                               crn_random_uniform(&random, 0.1, 2.0));
        crn_vec3 shift = crn_v3(crn_random_normal(&random), crn_random_normal(&random), crn_random_normal(&random));
        double points[3 * 125];
        for (int k = 0; k < 125; ++k) {
            crn_vec3 p = crn_v3(half.x * (0.5 * (k % 5) - 1.0), half.y * (0.5 * (k / 5 % 5) - 1.0),
                                half.z * (0.5 * (k / 25) - 1.0));
            crn_v3_to(crn_v3_add(shift, crn_m3_times(&turn, p)), points + 3 * k);
        }
        crn_polyhedron *h = build(points, 125);
        check_hull(h, points, 125, 1e-12);
        assert_int_equal(h->vertices, 8);
        assert_int_equal(h->edges, 12);
        assert_int_equal(h->faces, 6);
        crn_mass_properties m = crn_hull_mass(h);
        double mass = 8.0 * half.x * half.y * half.z, third = mass / 3.0;
        crn_mat3 own = {{third * (half.y * half.y + half.z * half.z), 0, 0, 0,
                         third * (half.x * half.x + half.z * half.z), 0, 0, 0,
                         third * (half.x * half.x + half.y * half.y)}};
        crn_mat3 turned = crn_m3_turned(&turn, &own);
        assert_true(fabs(m.mass - mass) < 1e-12 * mass);
        assert_true(crn_v3_length(crn_v3_sub(m.com, shift)) < 1e-13 * (1.0 + crn_v3_length(shift)) * 10.0);
        for (int k = 0; k < 9; ++k) {
            TEST_CHECK(fabs(m.inertia.m[k] - turned.m[k]) < 1e-10 * third, "inertia %d: %g, not %g", k, m.inertia.m[k],
                       turned.m[k]);
        }
        crn_hull_free(NULL, h);
    }
}

/* The corner tetrahedron 0, e_x, e_y, e_z: V = 1/6, com = 1/4, int x^2 = 1/60, int x y = 1/120. */
static void test_tetrahedron_mass(void **state)
{
    (void)state;
    const double points[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    crn_polyhedron *h = build(points, 4);
    assert_int_equal(h->faces, 4);
    crn_mass_properties m = crn_hull_mass(h);
    assert_true(fabs(m.mass - 1.0 / 6.0) < 1e-16);
    assert_true(fabs(m.com.x - 0.25) < 1e-15 && fabs(m.com.y - 0.25) < 1e-15 && fabs(m.com.z - 0.25) < 1e-15);
    double square = 1.0 / 60.0 - 1.0 / 96.0, product = 1.0 / 120.0 - 1.0 / 96.0;
    for (int k = 0; k < 9; ++k) {
        double expected = k % 4 == 0 ? 2.0 * square : -product;
        TEST_CHECK(fabs(m.inertia.m[k] - expected) < 1e-16, "inertia %d: %g, not %g", k, m.inertia.m[k], expected);
    }
    crn_hull_free(NULL, h);
}

static void refused(const double *points, int count, const char *word)
{
    crn_polyhedron *h = NULL;
    crn_error error;
    assert_int_equal(crn_hull_build(points, count, NULL, &h, &error), CRN_ERR_ARGUMENT);
    TEST_CHECK(strstr(error.text, word) != NULL, "'%s' does not say '%s'", error.text, word);
    assert_null(h);
}

static void test_degenerate_input_is_refused(void **state)
{
    (void)state;
    crn_random random = test_random("test_degenerate_input_is_refused", 4);
    double points[3 * 50];
    for (int trial = 0; trial < 100; ++trial) {
        crn_vec3 o = crn_v3(crn_random_normal(&random), crn_random_normal(&random), crn_random_normal(&random));
        crn_vec3 u = crn_v3(crn_random_normal(&random), crn_random_normal(&random), crn_random_normal(&random));
        crn_vec3 v = crn_v3(crn_random_normal(&random), crn_random_normal(&random), crn_random_normal(&random));
        for (int k = 0; k < 50; ++k) {
            crn_v3_to(o, points + 3 * k);
        }
        refused(points, 50, "are the same");
        for (int k = 0; k < 50; ++k) {
            crn_v3_to(crn_v3_axpy(o, crn_random_normal(&random), u), points + 3 * k);
        }
        refused(points, 50, "on one line");
        for (int k = 0; k < 50; ++k) {
            crn_vec3 p = crn_v3_axpy(o, crn_random_normal(&random), u);
            crn_v3_to(crn_v3_axpy(p, crn_random_normal(&random), v), points + 3 * k);
        }
        refused(points, 50, "in one plane");
        refused(points, 3, "at least 4");
        refused(points, 0, "at least 4");
    }
    const double wide_apart[12] = {-1e308, 0, 0, 1.7e308, 0, 0, 0, 1, 0, 0, 0, 1};
    refused(wide_apart, 4, "too far apart");
}

/* Keys of touches hold 15 bits per edge. */
static void test_too_many_edges_are_refused(void **state)
{
    (void)state;
    enum { COUNT = 12000 };
    crn_random random = test_random("test_too_many_edges_are_refused", 5);
    double *points = malloc(3 * COUNT * sizeof *points);
    assert_non_null(points);
    for (int k = 0; k < COUNT; ++k) {
        crn_vec3 p = crn_v3(crn_random_normal(&random), crn_random_normal(&random), crn_random_normal(&random));
        crn_v3_to(crn_v3_unit(p), points + 3 * (ptrdiff_t)k);
    }
    refused(points, COUNT, "edges");
    crn_polyhedron *h = build(points, 10000);
    assert_int_equal(h->vertices, 10000);
    assert_int_equal(h->faces, 19996);
    crn_hull_free(NULL, h);
    free(points);
}

static void test_allocations_may_fail(void **state)
{
    (void)state;
    const double points[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1};
    for (long fail_at = 1;; ++fail_at) {
        test_allocator counter = {.fail_at = fail_at};
        crn_allocator hooks = test_allocator_hooks(&counter);
        crn_polyhedron *h = NULL;
        crn_error error;
        crn_status status = crn_hull_build(points, 5, &hooks, &h, &error);
        if (status == CRN_OK) {
            crn_hull_free(&hooks, h);
            assert_int_equal(counter.live, 0);
            assert_true(fail_at > 1);
            return;
        }
        assert_int_equal(status, CRN_ERR_MEMORY);
        assert_null(h);
        assert_int_equal(counter.live, 0);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_points),
        cmocka_unit_test(test_grid_points),
        cmocka_unit_test(test_box_with_many_points),
        cmocka_unit_test(test_tetrahedron_mass),
        cmocka_unit_test(test_degenerate_input_is_refused),
        cmocka_unit_test(test_too_many_edges_are_refused),
        cmocka_unit_test(test_allocations_may_fail),
    };
    return TEST_RUN(tests, argc, argv);
}
