/* Meshes that are not as they should be: open, inside out, degenerate, crossing themselves, nonsense. */
#include "mesh_case.h"
#include "test_allocator.h"

#include "collide/collide_room.h"

static mesh_case work; /* large: not for the stack */

static mesh_case *start(void)
{
    work.count = work.triangle_count = 0;
    return &work;
}

static crn_mesh_report inspect(const mesh_case *c)
{
    crn_shape_def def = mesh_case_def(c);
    crn_mesh_report report;
    crn_error error;
    crn_status status = crn_mesh_inspect(&def, NULL, &report, &error);
    TEST_CHECK(status == CRN_OK, "%s", error.text);
    return report;
}

static void check_refused(const crn_shape_def *def, const char *words)
{
    crn_shape *shape = NULL;
    crn_error error;
    assert_int_equal(crn_shape_create(def, NULL, &shape, &error), CRN_ERR_ARGUMENT);
    assert_null(shape);
    TEST_CHECK(strstr(error.text, words) != NULL, "'%s' has no '%s'", error.text, words);
}

static crn_vec3 v(double x, double y, double z)
{
    return crn_v3(x, y, z);
}

static void test_nonsense(void **state)
{
    (void)state;
    mesh_case *c = start();
    mesh_case_box(c, v(0, 0, 0), v(1, 1, 1), false);
    crn_shape_def def = mesh_case_def(c), wrong = def;
    wrong.count = 2;
    check_refused(&wrong, "count");
    wrong = def;
    wrong.triangle_count = 0;
    check_refused(&wrong, "triangle_count");
    wrong.triangle_count = 0x7fffffff;
    check_refused(&wrong, "triangle_count");
    wrong = def;
    wrong.points = NULL;
    check_refused(&wrong, "points: missing");
    wrong = def;
    wrong.triangles = NULL;
    check_refused(&wrong, "triangles: missing");
    c->points[5] = NAN;
    check_refused(&def, "points[5]: not finite");
    c->points[5] = 1e60;
    check_refused(&def, "points[5]: too large");
    c->points[5] = -1;
    c->triangles[7] = 8;
    check_refused(&def, "triangles[7]: there is no point 8");
    c->triangles[7] = -1;
    check_refused(&def, "triangles[7]: there is no point -1");
    for (int k = 0; k < 36; ++k) {
        c->triangles[k] = k % 3 == 2 ? 1 : 0;
    }
    check_refused(&def, "none of 12");
}

/* Thousands of triangles at one place are refused in reasonable time, not looked at pair by pair. */
static void test_heap(void **state)
{
    (void)state;
    mesh_case *c = start();
    (void)mesh_case_point(c, 0, 0, 0);
    (void)mesh_case_point(c, 1, 0, 0);
    for (int k = 0; k < 5000; k += 2) { /* sheets, each with an apex of its own */
        int apex = mesh_case_point(c, 1e-4 * k, 1, 0);
        mesh_case_triangle(c, 0, 1, apex);
        mesh_case_triangle(c, 1, 0, apex);
    }
    crn_shape_def def = mesh_case_def(c);
    check_refused(&def, "too many of 5000 lie on top of each other");
    c = start(); /* shells in shells, all inside out */
    for (int k = 0; k < 900; ++k) {
        mesh_case_box(c, v(0, 0, 0), v(1 + k, 1 + k, 1 + k), true);
    }
    assert_int_equal(inspect(c).flipped, 900);
}

/* Volume and inertia that a body can have? */
static void test_volume(void **state)
{
    (void)state;
    mesh_case *c = start(); /* a sheet: two triangles back to back */
    (void)mesh_case_point(c, 0, 0, 0);
    (void)mesh_case_point(c, 1, 0, 0);
    (void)mesh_case_point(c, 0, 1, 0);
    mesh_case_triangle(c, 0, 1, 2);
    mesh_case_triangle(c, 0, 2, 1);
    crn_shape_def def = mesh_case_def(c);
    check_refused(&def, "volume is 0");
    assert_int_equal(inspect(c).open_edges, 0);

    c = start(); /* a tube that closes on itself in a figure of eight has as much volume as anti-volume */
    for (int side = 0; side < 2; ++side) {
        (void)mesh_case_point(c, -1, -1, side);
        (void)mesh_case_point(c, 1, 1, side);
        (void)mesh_case_point(c, 1, -1, side);
        (void)mesh_case_point(c, -1, 1, side);
    }
    for (int k = 0; k < 4; ++k) {
        mesh_case_quad(c, k, (k + 1) % 4, 4 + (k + 1) % 4, 4 + k);
    }
    mesh_case_quad(c, 3, 2, 1, 0);
    mesh_case_quad(c, 4, 5, 6, 7);
    def = mesh_case_def(c);
    check_refused(&def, "volume is");
}

/* A box from which a long bar is taken away that is mostly outside of it: some volume is left, but along the bar less than
 * nothing. */
static void test_inertia(void **state)
{
    (void)state;
    mesh_case *c = start();
    mesh_case_box(c, v(0, 0, 0), v(1, 1, 1), false);
    mesh_case_box(c, v(-20.5, 0, 0), v(20, 0.1, 0.1), true);
    crn_shape_def def = mesh_case_def(c);
    crn_mesh_report report = inspect(c);
    assert_int_equal(report.flipped, 0); /* its end is in the box: it is a hole */
    assert_int_equal(report.open_edges, 0);
    assert_true(report.crossings > 0);
    assert_true(fabs(report.volume - (8 - 1.6)) < 1e-12);
    check_refused(&def, "inertia");
}

/* A box without one triangle: on fixed bodies only, and the message says where it is open. */
static void test_open(void **state)
{
    (void)state;
    mesh_case *c = start();
    mesh_case_box(c, v(0, 0, 0), v(1, 2, 3), false);
    c->triangle_count--;
    crn_shape_def def = mesh_case_def(c);
    crn_mesh_report report = inspect(c);
    assert_int_equal(report.open_edges, 3);
    assert_true(report.volume == 0.0);
    crn_shape *shape = NULL;
    crn_error error;
    assert_int_equal(crn_shape_create(&def, NULL, &shape, &error), CRN_OK);
    assert_false(crn_shape_is_solid(shape));
    assert_true(crn_shape_mass(shape).mass == 0.0);
    assert_true(fabs(crn_shape_radius(shape) - sqrt(14)) < 1e-15);
    assert_int_equal(crn_shape_check_solid(shape, &error), CRN_ERR_ARGUMENT);
    TEST_CHECK(strstr(error.text, "3 edges are open, the first from point 4 at (-1, -2, 3) to point 6, of triangle ") !=
                   NULL,
               "%s", error.text);
    assert_true(crn_mesh_distance(shape->mesh, v(0, 0, 0), NULL) == 1.0); /* no inside */
    int rim = 0;
    for (int e = 0; e < shape->mesh->edges; ++e) {
        rim += shape->mesh->edge[e].face[1] < 0 ? 1 : 0;
        assert_true(shape->mesh->edge[e].face[1] >= 0 || shape->mesh->edge[e].kind == 0);
    }
    assert_int_equal(rim, 3);
    crn_shape_destroy(shape);
}

/* --- Mending --- */

static bool told(mesh_case *c, const char *expected)
{
    char text[256];
    crn_mesh_report report = inspect(c);
    bool is_told = crn_mesh_report_tell(&report, text, sizeof text);
    TEST_CHECK(strcmp(text, expected) == 0, "'%s' is not '%s'", text, expected);
    return is_told;
}

/* Triangles the other way round, any of them: turned back, told, and the box is the box. */
static void test_inconsistent(void **state)
{
    (void)state;
    crn_random random = test_random("test_inconsistent", 3);
    mesh_case *c = start();
    mesh_case_box(c, v(0, 0, 0), v(1, 1, 1), false);
    assert_false(told(c, ""));
    mesh_case_turn_inside_out(c, 11);
    assert_true(told(c, "1 triangles turned to agree with their neighbours"));
    for (int round = 0; round < 50; ++round) {
        c = start();
        mesh_case_box(c, v(0, 0, 0), v(1, 1, 1), false);
        int turned = 0;
        for (int t = 0; t < 12; ++t) {
            if (crn_random_uniform(&random, 0.0, 1.0) < 0.5) {
                int *corner = c->triangles + 3 * t, swap = corner[1];
                corner[1] = corner[2];
                corner[2] = swap;
                turned++;
            }
        }
        crn_mesh_report report = inspect(c);
        assert_int_equal(report.turned, turned < 6 ? turned : 12 - turned);
        assert_true(report.flipped == (turned > 6) || turned == 6);
        assert_int_equal(report.open_edges, 0);
        assert_true(fabs(report.volume - 8.0) < 1e-14);
        crn_mesh *m = mesh_case_build(c);
        for (int k = 0; k < 20; ++k) {
            check_distance(m, random_point(&random, m, 0.1), "mended");
        }
        crn_mesh_free(NULL, m);
    }
}

/* A strip with one side only has no inside: refused with the number of a triangle. */
static void test_one_sided(void **state)
{
    (void)state;
    enum { AROUND = 12 };
    mesh_case *c = start();
    for (int k = 0; k < AROUND; ++k) {
        double turn = 6.283185307179586 * k / AROUND, half = 0.5 * turn;
        for (int side = -1; side < 2; side += 2) {
            double r = 3.0 + side * cos(half);
            (void)mesh_case_point(c, r * cos(turn), r * sin(turn), side * sin(half));
        }
    }
    for (int k = 0; k < AROUND; ++k) {
        int a = 2 * k, b = a + 1, next = 2 * ((k + 1) % AROUND), flip = k + 1 == AROUND ? 1 : 0;
        mesh_case_quad(c, a, b, next + 1 - flip, next + flip);
    }
    crn_shape_def def = mesh_case_def(c);
    check_refused(&def, "cannot be turned so that all agree");
    check_refused(&def, "around triangle ");
}

/* Triangles given twice or thrice, turned or not, collapsed ones, and a hole: told in one sentence. */
static void test_duplicates(void **state)
{
    (void)state;
    mesh_case *c = start();
    mesh_case_box(c, v(0, 0, 0), v(1, 1, 1), false);
    for (int k = 0; k < 3; ++k) { /* the same sense, beginning elsewhere */
        const int *corner = c->triangles + 3 * 4;
        mesh_case_triangle(c, corner[k], corner[(k + 1) % 3], corner[(k + 2) % 3]);
    }
    mesh_case_triangle(c, 1, 1, 3);
    assert_true(told(c, "3 duplicated triangles dropped; 1 triangles with equal corners dropped"));
    assert_true(fabs(inspect(c).volume - 8.0) < 1e-14);
    c->triangles[3 * 7 + 1] = c->triangles[3 * 7]; /* and one collapses: a hole */
    crn_mesh_report report = inspect(c);
    assert_int_equal(report.open_edges, 3);
    assert_true(report.open_triangle >= 0 && report.open_triangle < 12 && report.open_triangle != 7);
}

static void test_turned_shells(void **state)
{
    (void)state;
    crn_random random = test_random("test_turned_shells", 5);
    for (int which = 0; which < 5; ++which) {
        mesh_case *c = start();
        int flipped = 0, shells = 0;
        double volume = 0.0;
        switch (which) {
        case 0: /* a lone box inside out */
            mesh_case_box(c, v(5, 0, 0), v(1, 1, 1), true);
            flipped = 1;
            shells = 1;
            volume = 8;
            break;
        case 1: /* a hollow box: nothing to do */
            mesh_case_box(c, v(0, 0, 0), v(0.5, 0.5, 0.5), true);
            mesh_case_box(c, v(0, 0, 0), v(1, 1, 1), false);
            shells = 2;
            volume = 7;
            break;
        case 2: /* the same inside out, beside a good box */
            mesh_case_box(c, v(5, 0, 0), v(0.5, 0.5, 0.5), false);
            mesh_case_box(c, v(5, 0, 0), v(1, 1, 1), true);
            mesh_case_box(c, v(0, 0, 0), v(1, 1, 1), false);
            flipped = 2;
            shells = 3;
            volume = 15;
            break;
        case 3: /* a box in the hole of a hollow box, inside out by itself: it would be a hole in a hole */
            mesh_case_box(c, v(0, 0, 0), v(0.25, 0.25, 0.25), true);
            mesh_case_box(c, v(0, 0, 0), v(0.5, 0.5, 0.5), true);
            mesh_case_box(c, v(0, 0, 0), v(1, 1, 1), false);
            flipped = 1;
            shells = 3;
            volume = 7.125;
            break;
        default: /* a torus round a box, both inside out */
            mesh_case_torus(c, 3, 1, 12, 8);
            mesh_case_turn_inside_out(c, 0);
            mesh_case_box(c, v(0, 0, 0), v(1, 1, 1), true);
            flipped = 2;
            shells = 2;
            break;
        }
        crn_mesh_report report = inspect(c);
        TEST_CHECK(report.flipped == flipped && report.shells == shells, "case %d: %d of %d shells turned", which,
                   report.flipped, report.shells);
        TEST_CHECK(volume == 0.0 || fabs(report.volume - volume) < 1e-12, "case %d: volume %g", which, report.volume);
        assert_int_equal(report.crossings, 0);
        crn_mesh *m = mesh_case_build(c);
        for (int k = 0; k < 200; ++k) {
            check_distance(m, random_point(&random, m, 0.1), "turned");
        }
        crn_mesh_free(NULL, m);
    }
}

/* Two boxes along an edge: four triangles there, and each box keeps its convex edge. */
static void test_four_at_an_edge(void **state)
{
    (void)state;
    mesh_case *c = start();
    mesh_case_box(c, v(-1, -1, 0), v(1, 1, 1), false);
    mesh_case_box(c, v(1, 1, 0), v(1, 1, 1), false);
    crn_mesh_report report = inspect(c);
    assert_int_equal(report.vertices, 14);
    assert_int_equal(report.shells, 2);
    assert_int_equal(report.open_edges, 0);
    assert_int_equal(report.crossings, 0);
    crn_mesh *m = mesh_case_build(c);
    int found = 0;
    for (int e = 0; e < m->edges; ++e) {
        crn_vec3 a = m->vertex[m->edge[e].vertex[0]], b = m->vertex[m->edge[e].vertex[1]];
        if (a.x == 0 && a.y == 0 && b.x == 0 && b.y == 0) {
            assert_int_equal(m->edge[e].kind, 1);
            assert_true(m->edge[e].face[0] / 12 == m->edge[e].face[1] / 12); /* both of one box */
            found++;
        }
        assert_true(m->edge[e].kind >= 0);
    }
    assert_int_equal(found, 2);
    crn_mesh_free(NULL, m);
}

/* A corner in the middle of another triangle's side, closed by a triangle without area: it takes its neighbour's normal. */
static void test_sliver(void **state)
{
    (void)state;
    crn_random random = test_random("test_sliver", 6);
    mesh_case *c = start();
    mesh_case_box(c, v(0, 0, 0), v(1, 1, 1), false);
    /* the edge 4-5 of the top and of the front side: the top's triangle (4, 5, 7) is cut at its middle */
    int middle = mesh_case_point(c, 0, -1, 1);
    for (int t = 0; t < 12; ++t) {
        int *corner = c->triangles + 3 * t;
        if (corner[0] == 4 && corner[1] == 5 && corner[2] == 7) {
            corner[1] = middle;
            mesh_case_triangle(c, middle, 5, 7);
            mesh_case_triangle(c, 4, 5, middle); /* no area */
            break;
        }
    }
    assert_int_equal(c->triangle_count, 14);
    crn_mesh_report report = inspect(c);
    assert_int_equal(report.open_edges, 0);
    assert_int_equal(report.triangles, 14);
    assert_true(fabs(report.volume - 8) < 1e-14);
    crn_mesh *m = mesh_case_build(c);
    for (int e = 0; e < m->edges; ++e) {
        assert_true(m->edge[e].kind >= 0 &&
                    (m->edge[e].kind == 0 || fabs(m->edge[e].half - 0.7853981633974483) < 1e-12));
    }
    for (int k = 0; k < 1000; ++k) {
        crn_vec3 p = random_point(&random, m, 0.1);
        double inside = fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z))) - 1.0;
        double found = crn_mesh_distance(m, p, NULL);
        assert_true((inside < 0) == (found < 0) && (inside > 0 || fabs(found - inside) < 1e-14));
    }
    crn_mesh_free(NULL, m);
}

/* Points that differ only in the sign of 0 are one; unused points do not count; collapsed triangles are dropped. */
static void test_weld(void **state)
{
    (void)state;
    mesh_case *c = start();
    (void)mesh_case_point(c, 100, 100, 100); /* unused */
    for (int t = 0; t < 4; ++t) {
        static const double corner[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        static const int face[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
        for (int k = 0; k < 3; ++k) {
            const double *p = corner[face[t][k]];
            double zero = t % 2 == 0 ? -0.0 : 0.0;
            (void)mesh_case_point(c, p[0] + zero, p[1] + zero, p[2] == 0 ? zero : p[2]);
        }
        mesh_case_triangle(c, 1 + 3 * t, 2 + 3 * t, 3 + 3 * t);
    }
    mesh_case_triangle(c, 1, 4, 2); /* points 1 and 4 are at one place */
    crn_mesh_report report = inspect(c);
    assert_int_equal(report.vertices, 4);
    assert_int_equal(report.triangles, 4);
    assert_int_equal(report.open_edges, 0);
    assert_true(fabs(report.volume - 1.0 / 6.0) < 1e-15);
}

static void test_crossings(void **state)
{
    (void)state;
    mesh_case *c = start();
    mesh_case_box(c, v(0, 0, 0), v(1, 1, 1), false);
    mesh_case_box(c, v(1.5, 0.25, 0.125), v(1, 0.5, 0.25), false);
    assert_true(inspect(c).crossed_triangle >= 0);
    /* four edges of the small one, the four diagonals of its sides, and the diagonal of the large one's side */
    assert_int_equal(inspect(c).crossings, 4 + 4 + 1);
    c = start();
    mesh_case_box(c, v(0, 0, 0), v(1, 1, 1), false);
    mesh_case_box(c, v(2, 0, 0), v(1, 1, 1), false); /* touching faces */
    crn_mesh_report report = inspect(c);
    assert_int_equal(report.crossings, 0);
    assert_int_equal(report.open_edges, 0);
    assert_int_equal(report.shells, 2);
}

/* Every allocation may fail; nothing is lost. */
static void test_memory(void **state)
{
    (void)state;
    mesh_case *c = start();
    mesh_case_torus(c, 1, 0.25, 8, 6);
    crn_shape_def def = mesh_case_def(c);
    bool done = false;
    for (long k = 1; !done; ++k) {
        test_allocator counter = {.fail_at = k};
        crn_allocator hooks = test_allocator_hooks(&counter);
        crn_shape *shape = NULL;
        crn_mesh_report report;
        crn_error error;
        crn_status first = crn_shape_create(&def, &hooks, &shape, &error);
        crn_status second = first == CRN_OK ? crn_mesh_inspect(&def, &hooks, &report, &error) : first;
        assert_true(second == CRN_OK || second == CRN_ERR_MEMORY);
        crn_shape_destroy(shape);
        assert_int_equal(counter.live, 0);
        done = second == CRN_OK;
        assert_true(k < 20);
    }
}

/* The definition is copied, bounds hold the mesh. */
static void test_shape(void **state)
{
    (void)state;
    crn_random random = test_random("test_shape", 8);
    mesh_case *c = start();
    mesh_case_torus(c, 1, 0.25, 8, 6);
    crn_shape_def def = mesh_case_def(c);
    crn_shape *shape = NULL;
    crn_error error;
    assert_int_equal(crn_shape_create(&def, NULL, &shape, &error), CRN_OK);
    assert_true(crn_shape_is_solid(shape));
    const crn_shape_def *copy = crn_shape_definition(shape);
    assert_true(copy->points != def.points && copy->triangles != def.triangles);
    assert_memory_equal(copy->points, def.points, 3 * (size_t)def.count * sizeof(double));
    assert_memory_equal(copy->triangles, def.triangles, 3 * (size_t)def.triangle_count * sizeof(int));
    for (int k = 0; k < 50; ++k) {
        crn_pose pose = {v(crn_random_normal(&random), crn_random_normal(&random), crn_random_normal(&random)),
                         crn_quat_exp(v(crn_random_normal(&random), crn_random_normal(&random), 1))};
        crn_frame frame = crn_frame_of(&pose);
        crn_bounds bounds = crn_shape_bounds(shape, &frame, 1e-12);
        for (int i = 0; i < def.count; ++i) {
            double p[3];
            crn_v3_to(crn_frame_point(&frame, crn_v3_of(def.points + 3 * i)), p);
            for (int j = 0; j < 3; ++j) {
                assert_true(bounds.low[j] <= p[j] && p[j] <= bounds.high[j]);
                assert_true(bounds.high[j] - bounds.low[j] < 2 * sqrt(2.0) * 1.3 + 0.6);
            }
        }
    }
    crn_shape_destroy(shape);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nonsense),        cmocka_unit_test(test_heap),       cmocka_unit_test(test_volume),
        cmocka_unit_test(test_inertia),         cmocka_unit_test(test_open),       cmocka_unit_test(test_inconsistent),
        cmocka_unit_test(test_one_sided),       cmocka_unit_test(test_duplicates), cmocka_unit_test(test_turned_shells),
        cmocka_unit_test(test_four_at_an_edge), cmocka_unit_test(test_sliver),     cmocka_unit_test(test_weld),
        cmocka_unit_test(test_crossings),       cmocka_unit_test(test_memory),     cmocka_unit_test(test_shape),
    };
    return TEST_RUN(tests, argc, argv);
}
