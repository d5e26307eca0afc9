/* Meshes from files: a torus of 8,700 triangles against its formula, and a gear drive of 43,368, too many for packed
 * keys. */
#include "mesh_pair_case.h"
#include "test_data.h"

static crn_touch touch[MESH_TOUCHES];

/* The bytes of a file; the caller frees them. */
static unsigned char *read_all(const char *name, long *size)
{
    char path[1024];
    test_data_require(name);
    FILE *file = fopen(test_data_path(name, path, sizeof path), "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *size = ftell(file);
    rewind(file);
    unsigned char *bytes = malloc((size_t)*size);
    assert_true(bytes != NULL && fread(bytes, 1, (size_t)*size, file) == (size_t)*size);
    (void)fclose(file);
    return bytes;
}

static void point_at(mesh_draft *d, const unsigned char *bytes)
{
    float x[3];
    memcpy(x, bytes, sizeof x);
    (void)mesh_point(d, (double)x[0], (double)x[1], (double)x[2]);
}

/* Binary STL: 80 bytes, a count, and 50 bytes a triangle: normal, corners, attribute. */
static crn_shape *read_stl(const char *name)
{
    long size;
    unsigned char *bytes = read_all(name, &size);
    uint32_t count;
    memcpy(&count, bytes + 80, sizeof count);
    assert_int_equal(size, 84 + 50 * (long)count);
    mesh_draft d = mesh_draft_of(3 * (int)count, (int)count);
    for (int t = 0; t < (int)count; ++t) {
        for (int k = 0; k < 3; ++k) {
            point_at(&d, bytes + 84 + 50 * (ptrdiff_t)t + 12 + 12 * (ptrdiff_t)k);
        }
        mesh_triangle(&d, 3 * t, 3 * t + 1, 3 * t + 2);
    }
    free(bytes);
    return mesh_finish(&d);
}

/* The gear drive: points of 16 bytes, faces of a count, three indices and 4 bytes. */
static crn_shape *read_gear_drive(void)
{
    const int points = 21384, triangles = 43368;
    long size;
    unsigned char *bytes = read_all("meshes/trimesh/cycloidal.ply", &size);
    const unsigned char *at = bytes + size - 17 * (long)triangles - 16 * (long)points;
    mesh_draft d = mesh_draft_of(points, triangles);
    for (int k = 0; k < points; ++k) {
        point_at(&d, at + 16 * (ptrdiff_t)k);
    }
    at += 16 * (ptrdiff_t)points;
    for (int t = 0; t < triangles; ++t) {
        int corner[3];
        assert_int_equal(at[17 * (ptrdiff_t)t], 3);
        memcpy(corner, at + 17 * (ptrdiff_t)t + 1, sizeof corner);
        mesh_triangle(&d, corner[0], corner[1], corner[2]);
    }
    free(bytes);
    return mesh_finish(&d);
}

/* --- Torus --- */

/* Large and small radius of the file's torus, found from its vertices: the largest and smallest distance from the
 * axis. */
static void radii_of(const crn_mesh *m, double *big, double *small)
{
    double least = (double)INFINITY, most = 0.0;
    for (int v = 0; v < m->vertices; ++v) {
        double r = hypot(m->vertex[v].x, m->vertex[v].y);
        least = fmin(least, r);
        most = fmax(most, r);
    }
    *big = 0.5 * (most + least);
    *small = 0.5 * (most - least);
}

/* Beside each other. */
static void test_torus_file_follows_the_torus(void **state)
{
    (void)state;
    crn_shape *torus = read_stl("meshes/trimesh/torus.STL");
    double big, small;
    radii_of(torus->mesh, &big, &small);
    print_message("torus of radii %g and %g, %d triangles\n", big, small, torus->mesh->triangles);
    for (int k = -4; k <= 4; ++k) {
        double gap = 0.005 * k;
        mesh_pair p = {torus, torus, mesh_frame(2.0 * (big + small) + gap, 0, 0, 0, 0, 0.13 * k),
                       mesh_frame(0, 0, 0, 0, 0, 0)};
        int count = mesh_collide(&p, 0.03, touch);
        double own = mesh_gap(touch, count);
        TEST_CHECK(count > 0 && fabs(own - gap) < 0.01 * small, "gap %g instead of %g", own, gap);
        const crn_touch *t = &touch[mesh_lowest(touch, count)];
        TEST_CHECK(t->normal.x > 0.98, "normal %g %g %g", t->normal.x, t->normal.y, t->normal.z);
    }
    crn_shape_destroy(torus);
}

/* --- Gear drive --- */

/* Both ends of every gap lie on the surfaces; no vertex is nearer than the least gap; keys are unique. */
static void test_gear_drive_touches_on_its_surface(void **state)
{
    (void)state;
    crn_random random = test_random("gears", 2);
    crn_shape *gears = read_gear_drive(), *box = mesh_box(0.4, 0.3, 0.2);
    int met = 0;
    for (int k = 0; k < 60; ++k) {
        mesh_pair p = {k % 2 == 0 ? gears : box, gears, mesh_random_frame(&random, 1.0), mesh_frame(0, 0, 0, 0, 0, 0)};
        double away = crn_random_uniform(&random, k % 2 == 0 ? 1.4 : 1.1, 1.7) / crn_v3_length(p.fa.position);
        p.fa.position = crn_v3_scale(away, p.fa.position);
        int count = mesh_collide(&p, 0.05, touch);
        if (count == 0 || mesh_gap(touch, count) <= 0.0) {
            continue;
        }
        met += 1;
        for (int i = 0; i < count; ++i) {
            crn_vec3 h = crn_v3_scale(0.5 * touch[i].gap, touch[i].normal);
            crn_vec3 on_a = crn_frame_local(&p.fa, crn_v3_add(touch[i].point, h));
            crn_vec3 on_b = crn_frame_local(&p.fb, crn_v3_sub(touch[i].point, h));
            /* to within what the nearest face's normal makes of two edges (0.1 rad) */
            double slack = 0.1 * touch[i].gap + 1e-9;
            assert_true(fabs(crn_mesh_distance(p.a->mesh, on_a, NULL)) < slack);
            assert_true(fabs(crn_mesh_distance(p.b->mesh, on_b, NULL)) < slack);
        }
        for (int v = 0; v < p.a->mesh->vertices; v += 11) {
            crn_vec3 q = crn_frame_local(&p.fb, crn_frame_point(&p.fa, p.a->mesh->vertex[v]));
            assert_true(crn_mesh_distance(p.b->mesh, q, NULL) > mesh_gap(touch, count) - 1e-9);
        }
    }
    print_message("%d poses met\n", met);
    assert_true(met >= 2);
    crn_shape_destroy(gears);
    crn_shape_destroy(box);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_torus_file_follows_the_torus),
        cmocka_unit_test(test_gear_drive_touches_on_its_surface),
    };
    return TEST_RUN(tests, argc, argv);
}
