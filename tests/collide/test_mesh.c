/* Meshes: topology, tree, signed distance and mass, against closed forms and against oracles over all triangles. */
#include "mesh_case.h"
#include "test_allocator.h"

static const double pi = 3.14159265358979323846;

/* --- What a mesh promises --- */

static void check_tree(const crn_mesh *m)
{
    int *seen = calloc((size_t)m->triangles, sizeof *seen), leaves = 0;
    for (int n = 0; n < m->nodes; ++n) {
        const crn_mesh_node *node = &m->node[n];
        assert_true(node->count <= 2);
        if (node->count == 0) {
            assert_true(node->first > n && node->first + 1 < m->nodes);
            for (int k = 0; k < 6; ++k) {
                const crn_mesh_node *child = &m->node[node->first + k / 3];
                assert_true(node->low[k % 3] <= child->low[k % 3] && node->high[k % 3] >= child->high[k % 3]);
            }
            continue;
        }
        for (int i = 0; i < 3 * node->count; ++i) {
            int t = m->tree_face[node->first + i / 3];
            double p[3];
            crn_v3_to(mesh_corner(m, t, i % 3), p);
            for (int k = 0; k < 3; ++k) {
                assert_true(node->low[k] <= p[k] && p[k] <= node->high[k]);
            }
            seen[t] += i % 3 == 0 ? 1 : 0;
        }
        leaves++;
    }
    assert_int_equal(m->nodes, 2 * leaves - 1);
    for (int t = 0; t < m->triangles; ++t) {
        TEST_CHECK(seen[t] == 1, "triangle %d is in %d leaves", t, seen[t]);
    }
    free(seen);
}

static bool runs(const crn_mesh *m, int t, int from, int to)
{
    for (int k = 0; k < 3; ++k) {
        if (m->face[3 * t + k] == from && m->face[3 * t + (k + 1) % 3] == to) {
            return true;
        }
    }
    return false;
}

static void check_edges(const crn_mesh *m)
{
    int sides = 0;
    for (int e = 0; e < m->edges; ++e) {
        const crn_mesh_edge *edge = &m->edge[e];
        assert_true(runs(m, edge->face[0], edge->vertex[0], edge->vertex[1]));
        assert_true(edge->face[1] < 0 || runs(m, edge->face[1], edge->vertex[1], edge->vertex[0]));
        assert_int_equal(m->edge_owner[e], edge->face[0]);
        assert_true(edge->face[1] < 0 || edge->face[1] > edge->face[0]);
        assert_true(fabs(crn_v3_length(edge->middle) - 1.0) < 1e-12);
        crn_vec3 along = crn_v3_unit(crn_v3_sub(m->vertex[edge->vertex[1]], m->vertex[edge->vertex[0]]));
        TEST_CHECK(fabs(crn_v3_dot(along, edge->middle)) < 1e-9, "edge %d: its cone is not across it", e);
        for (int k = 0; k < 2 && edge->face[1] >= 0; ++k) {
            double cosine = crn_v3_dot(edge->middle, m->normal[edge->face[k]]);
            TEST_CHECK(fabs(cosine - cos(edge->half)) < 1e-9, "edge %d: its axis is not in the middle", e);
        }
        sides += edge->face[1] < 0 ? 1 : 2;
    }
    assert_int_equal(sides, 3 * m->triangles);
    for (int h = 0; h < 3 * m->triangles; ++h) {
        const crn_mesh_edge *edge = &m->edge[m->face_edge[h]];
        assert_true(edge->face[0] == h / 3 || edge->face[1] == h / 3);
        int from = m->face[h];
        assert_true(edge->vertex[0] == from || edge->vertex[1] == from);
    }
}

static void check_vertices(const crn_mesh *m)
{
    for (int v = 0; v < m->vertices; ++v) {
        int owner = -1;
        for (int h = 0; h < 3 * m->triangles && owner < 0; ++h) {
            owner = m->face[h] == v ? h / 3 : -1;
        }
        assert_int_equal(m->vertex_owner[v], owner);
        assert_true(m->around_start[v + 1] - m->around_start[v] >= 2);
        for (int i = m->around_start[v]; i < m->around_start[v + 1]; ++i) {
            for (int j = i + 1; j < m->around_start[v + 1]; ++j) {
                TEST_CHECK(m->around[i] != m->around[j], "vertex %d has neighbour %d twice", v, m->around[i]);
            }
        }
    }
    for (int h = 0; h < 3 * m->triangles; ++h) {
        int v = m->face[h], to = m->face[h % 3 == 2 ? h - 2 : h + 1], found = 0;
        for (int i = m->around_start[v]; i < m->around_start[v + 1]; ++i) {
            found += m->around[i] == to ? 1 : 0;
        }
        assert_int_equal(found, 1);
    }
}

static void check_mesh(const crn_mesh *m)
{
    check_tree(m);
    check_edges(m);
    check_vertices(m);
}

static void check_distances(const crn_mesh *m, crn_random *random, int count, const char *name)
{
    for (int k = 0; k < count; ++k) {
        check_distance(m, random_point(random, m, 0.2), name);
    }
    for (int k = 0; k < count; ++k) { /* near the surface, its edges and corners: where the sign is decided */
        int t = crn_random_below(random, m->triangles), kind = crn_random_below(random, 3);
        double u = kind == 0 ? 0.0 : crn_random_uniform(random, 0, 1),
               v = kind == 2 ? crn_random_uniform(random, 0, 1) : 0.0;
        crn_vec3 a = mesh_corner(m, t, 0), b = mesh_corner(m, t, 1), c = mesh_corner(m, t, 2);
        crn_vec3 p = crn_v3_axpy(crn_v3_axpy(a, u, crn_v3_sub(b, a)), v * (1.0 - u), crn_v3_sub(c, a));
        crn_vec3 off = crn_v3(crn_random_normal(random), crn_random_normal(random), crn_random_normal(random));
        double scale = pow(10.0, crn_random_uniform(random, -6, -1)) * m->size;
        check_distance(m, crn_v3_axpy(p, scale, off), name);
    }
}

/* --- Tests --- */

static mesh_case work; /* large: not for the stack */

static mesh_case *start(void)
{
    work.count = work.triangle_count = 0;
    return &work;
}

static void test_cube(void **state)
{
    (void)state;
    crn_random random = test_random("test_cube", 1);
    mesh_case *c = start();
    mesh_case_box(c, crn_v3(3, -2, 1), crn_v3(0.5, 0.5, 0.5), false);
    crn_mesh *m = mesh_case_build(c);
    assert_int_equal(m->vertices, 8);
    assert_int_equal(m->edges, 18);
    assert_true(m->is_closed);
    check_mesh(m);
    int convex = 0;
    for (int e = 0; e < m->edges; ++e) {
        convex += m->edge[e].kind;
        assert_true(m->edge[e].kind == 0 || fabs(m->edge[e].half - pi / 4) < 1e-15);
        assert_true(!m->edge[e].is_reflex[0] && !m->edge[e].is_reflex[1]);
    }
    assert_int_equal(convex, 12);
    for (int v = 0; v < 8; ++v) { /* each corner's three faces count the same, however they are cut */
        crn_vec3 out = crn_v3_unit(crn_v3_sub(m->vertex[v], crn_v3(3, -2, 1)));
        assert_true(crn_v3_length(crn_v3_sub(out, m->pseudo[v])) < 1e-14);
    }
    crn_mass_properties mass = crn_mesh_mass(m);
    assert_true(mass.mass == 1.0); /* halves and sixths of halves: exact */
    assert_true(crn_v3_length(crn_v3_sub(mass.com, crn_v3(3, -2, 1))) < 1e-15);
    for (int k = 0; k < 9; ++k) {
        assert_true(fabs(mass.inertia.m[k] - (k % 4 == 0 ? 1.0 / 6.0 : 0.0)) < 1e-15);
    }
    assert_true(fabs(crn_mesh_distance(m, crn_v3(3, -2, 1.25), NULL) + 0.25) < 1e-15);
    check_distances(m, &random, 2000, "cube");
    crn_mesh_free(NULL, m);
}

static void test_distance_of_many(void **state)
{
    (void)state;
    crn_random random = test_random("test_distance_of_many", 2);
    static const double ell[6][2] = {{0, 0}, {2, 0}, {2, 0.5}, {0.5, 0.5}, {0.5, 2}, {0, 2}};
    for (int which = 0; which < 6; ++which) {
        mesh_case *c = start();
        switch (which) {
        case 0: mesh_case_torus(c, 1.0, 0.3, 24, 12); break;
        case 1: mesh_case_prism(c, ell, 6, 0.25); break;
        case 2: mesh_case_star(c, 7, 0.2, 0.1); break; /* needles and deep grooves */
        case 3:                                        /* a hollow box with a box in its hole */
            mesh_case_box(c, crn_v3(0, 0, 0), crn_v3(1, 1, 1), false);
            mesh_case_box(c, crn_v3(0, 0, 0), crn_v3(0.8, 0.7, 0.6), true);
            mesh_case_box(c, crn_v3(0.1, 0, 0), crn_v3(0.3, 0.3, 0.3), false);
            break;
        case 4: /* two boxes that touch along an edge */
            mesh_case_box(c, crn_v3(-1, -1, 0), crn_v3(1, 1, 1), false);
            mesh_case_box(c, crn_v3(1, 1, 0), crn_v3(1, 1, 1), false);
            break;
        default: /* two boxes that touch in a corner */
            mesh_case_box(c, crn_v3(-1, -1, -1), crn_v3(1, 1, 1), false);
            mesh_case_box(c, crn_v3(1, 1, 1), crn_v3(1, 1, 1), false);
            break;
        }
        crn_mesh *m = mesh_case_build(c);
        check_mesh(m);
        check_distances(m, &random, 1500, (const char *[]){"torus", "L", "star", "nest", "edge", "corner"}[which]);
        crn_mesh_free(NULL, m);
    }
}

static void test_torus_mass(void **state)
{
    (void)state;
    const double R = 1.0, r = 0.3, volume = 2 * pi * pi * R * r * r;
    double last[3] = {0};
    for (int n = 16; n <= 64; n *= 2) { /* the error of a facetted torus falls by 4 */
        mesh_case *c = start();
        mesh_case_torus(c, R, r, n, n);
        crn_mesh *m = mesh_case_build(c);
        crn_mass_properties mass = crn_mesh_mass(m);
        double error[3] = {mass.mass / volume - 1.0, mass.inertia.m[8] / (volume * (R * R + 0.75 * r * r)) - 1.0,
                           mass.inertia.m[0] / (volume * (R * R / 2 + 0.625 * r * r)) - 1.0};
        for (int k = 0; k < 3; ++k) {
            assert_true(n == 16 || fabs(error[k] / last[k] - 0.25) < 0.01);
            last[k] = error[k];
        }
        assert_true(fabs(mass.inertia.m[0] - mass.inertia.m[4]) < 1e-13);
        crn_mesh_free(NULL, m);
    }
    assert_true(fabs(last[0]) < 0.005);
}

/* The kinds of the edges of a groove, and which ends are reflex. */
static void test_edge_kinds(void **state)
{
    (void)state;
    static const double ell[6][2] = {{0, 0}, {2, 0}, {2, 0.5}, {0.5, 0.5}, {0.5, 2}, {0, 2}};
    mesh_case *c = start();
    mesh_case_prism(c, ell, 6, 0.25);
    crn_mesh *m = mesh_case_build(c);
    int convex = 0, concave = 0, reflex = 0;
    for (int e = 0; e < m->edges; ++e) {
        const crn_mesh_edge *edge = &m->edge[e];
        convex += edge->kind == 1 ? 1 : 0;
        concave += edge->kind == -1 ? 1 : 0;
        for (int k = 0; k < 2; ++k) {
            if (edge->is_reflex[k]) { /* only edges that run into the inner corner go on inside the solid */
                crn_vec3 end = m->vertex[edge->vertex[k]];
                assert_true(end.x == 0.5 && end.y == 0.5);
                reflex++;
            }
        }
        if (edge->kind == -1) { /* the inner corner: its axis leaves the solid */
            assert_true(crn_v3_dot(edge->middle, crn_v3(sqrt(0.5), sqrt(0.5), 0)) > 1 - 1e-12);
        }
    }
    assert_int_equal(convex, 17);
    assert_int_equal(concave, 1);
    assert_int_equal(reflex, 0); /* the edges that end there go on along a flat face: neither in nor out */
    crn_mesh_free(NULL, m);
}

/* Ends of convex edges on the inner side of a torus are reflex; by the winding number a little past them. */
static void test_reflex(void **state)
{
    (void)state;
    mesh_case *c = start();
    mesh_case_torus(c, 1.0, 0.3, 16, 10);
    crn_mesh *m = mesh_case_build(c);
    int inside = 0, outside = 0;
    for (int e = 0; e < m->edges; ++e) {
        const crn_mesh_edge *edge = &m->edge[e];
        for (int k = 0; k < 2 && edge->kind == 1; ++k) {
            crn_vec3 end = m->vertex[edge->vertex[k]], other = m->vertex[edge->vertex[1 - k]];
            crn_vec3 past = crn_v3_axpy(end, 1e-4, crn_v3_unit(crn_v3_sub(end, other)));
            double winding = mesh_winding(m, past);
            bool is_on = mesh_brute_distance(m, past) < 1e-9; /* the edge goes on in a flat face: not reflex */
            TEST_CHECK(edge->is_reflex[k] == (winding > 0.5 && !is_on), "edge %d, end %d: winding number %g", e, k,
                       winding);
            inside += edge->is_reflex[k] ? 1 : 0;
            outside += edge->is_reflex[k] ? 0 : 1;
        }
    }
    assert_true(inside > 50 && outside > 50);
    crn_mesh_free(NULL, m);
}

/* Three corners in a line: the point of the plane was noise, and 0.2 too far along it. */
static void test_corners_in_a_line(void **state)
{
    (void)state;
    crn_random random = test_random("test_corners_in_a_line", 4);
    mesh_case *c = start();
    mesh_case_point(c, 0, 0, 0);
    mesh_case_point(c, 3, 3, 0);
    mesh_case_point(c, 5, 3, 4);
    mesh_case_point(c, 2, 2, 0);
    mesh_case_triangle(c, 1, 2, 3);
    mesh_case_triangle(c, 1, 3, 0);
    crn_mesh *m = mesh_case_build(c);
    assert_int_equal(m->triangles, 2);
    for (int k = 0; k < 2000; ++k) {
        crn_vec3 q, p = crn_v3(crn_random_uniform(&random, -1, 3), crn_random_uniform(&random, -1, 3),
                               crn_random_uniform(&random, -1, 1));
        double distance = fabs(crn_mesh_distance(m, p, &q));
        for (int i = 0; i <= 100; ++i) { /* along the line */
            double at = 0.03 * i;
            TEST_CHECK(distance <= crn_v3_length(crn_v3_sub(p, crn_v3(at, at, 0.0))) + 1e-12, "point %d: %g at %g", k,
                       distance, at);
        }
    }
    crn_mesh_free(NULL, m);
}

/* A fin of two slivers, back to back, takes the normals of the plate below it, which lie along its upright sides: the axis of the cone
 * there was 0/0. The box is there for the volume. */
static void test_normals_along_an_edge(void **state)
{
    (void)state;
    mesh_case *c = start();
    mesh_case_point(c, 0, 0, 0);
    mesh_case_point(c, 0, 1, 0);
    mesh_case_point(c, 1, 0, 0);
    mesh_case_point(c, 0, 0, 2e8);
    mesh_case_triangle(c, 0, 1, 3);
    mesh_case_triangle(c, 1, 0, 3);
    mesh_case_triangle(c, 1, 0, 2);
    mesh_case_triangle(c, 0, 1, 2);
    mesh_case_box(c, crn_v3(1e8, 1e8, 0), crn_v3(5e7, 5e7, 5e7), false);
    crn_mesh *m = mesh_case_build(c);
    for (int e = 0; e < m->edges; ++e) {
        const crn_mesh_edge *edge = &m->edge[e];
        crn_vec3 along = crn_v3_unit(crn_v3_sub(m->vertex[edge->vertex[1]], m->vertex[edge->vertex[0]]));
        double length = crn_v3_length(edge->middle), lean = crn_v3_dot(along, edge->middle);
        TEST_CHECK(fabs(length - 1.0) < 1e-12 && fabs(lean) < 1e-9, "edge %d: axis %g long, %g along it", e, length,
                   lean);
    }
    crn_mesh_free(NULL, m);
}

static void test_box_and_hull(void **state)
{
    (void)state;
    crn_random random = test_random("test_box_and_hull", 3);
    crn_shape_def box = {.kind = CRN_SHAPE_BOX, .size = {0.3, 0.5, 0.7}};
    double points[3 * 40];
    for (int k = 0; k < 120; ++k) {
        points[k] = crn_random_normal(&random);
    }
    crn_shape_def hull = {.kind = CRN_SHAPE_HULL, .points = points, .count = 40};
    const crn_shape_def *def[2] = {&box, &hull};
    for (int k = 0; k < 2; ++k) {
        crn_mesh *m = NULL;
        crn_shape *shape = NULL;
        crn_error error;
        assert_int_equal(crn_mesh_of_convex(def[k], NULL, &m, &error), CRN_OK);
        assert_int_equal(crn_shape_create(def[k], NULL, &shape, &error), CRN_OK);
        check_mesh(m);
        check_distances(m, &random, 300, "convex");
        crn_mass_properties mass = crn_mesh_mass(m), expected = crn_shape_mass(shape);
        assert_true(fabs(mass.mass / expected.mass - 1) < 1e-13);
        for (int i = 0; i < 9; ++i) {
            assert_true(fabs(mass.inertia.m[i] - expected.inertia.m[i]) < 1e-13 * expected.inertia.m[0] * 10);
        }
        for (int e = 0; e < m->edges; ++e) {
            assert_true(m->edge[e].kind >= 0);
        }
        crn_mesh_free(NULL, m);
        crn_shape_destroy(shape);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cube),
        cmocka_unit_test(test_distance_of_many),
        cmocka_unit_test(test_torus_mass),
        cmocka_unit_test(test_edge_kinds),
        cmocka_unit_test(test_reflex),
        cmocka_unit_test(test_box_and_hull),
        cmocka_unit_test(test_corners_in_a_line),
        cmocka_unit_test(test_normals_along_an_edge),
    };
    return TEST_RUN(tests, argc, argv);
}
