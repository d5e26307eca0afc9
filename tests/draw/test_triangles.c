/* Shapes as triangles: closed, of the right volume, on the surface, with unit normals that look outward; creases; memory
 * and bad input. The oracles are the implicit equations of the shapes and the divergence theorem. */
#include <cairn/draw.h>

#include "../collide/mesh_case.h"
#include "test_allocator.h"

static crn_triangles made_of(const crn_shape_def *def, const crn_triangles_options *options)
{
    crn_triangles t;
    crn_error error;
    TEST_CHECK(crn_shape_triangles(def, options, NULL, &t, &error) == CRN_OK, "%s: %s", crn_shape_kind_name(def->kind),
               error.text);
    return t;
}

static crn_triangles sized(crn_shape_kind kind, double x, double y, double z, int segments)
{
    crn_shape_def def = {.kind = kind, .size = {x, y, z}};
    crn_triangles_options options = {.segments = segments};
    return made_of(&def, &options);
}

static crn_vec3 point_of(const crn_triangles *t, int k)
{
    return crn_v3_of(t->points + 3 * k);
}

static crn_vec3 normal_of(const crn_triangles *t, int k)
{
    return crn_v3_of(t->normals + 3 * k);
}

/* --- What holds for every surface --- */

static int compare_points(const void *a, const void *b)
{
    return memcmp(a, b, 3 * sizeof(double));
}

typedef struct side {
    int from, to;
} side;

static int compare_sides(const void *a, const void *b)
{
    const side *x = (const side *)a, *y = (const side *)b;
    return x->from != y->from ? (x->from > y->from) - (x->from < y->from) : (x->to > y->to) - (x->to < y->to);
}

/* Of each point its place in the sorted list of different positions, bit by bit but for the sign of 0. */
static int *positions_of(const crn_triangles *t)
{
    size_t count = (size_t)t->count;
    double *sorted = (double *)malloc(3 * count * sizeof(double)), *own = (double *)malloc(3 * count * sizeof(double));
    int *position = (int *)malloc(count * sizeof(int));
    assert_true(sorted != NULL && own != NULL && position != NULL);
    for (size_t k = 0; k < 3 * count; ++k) {
        own[k] = sorted[k] = t->points[k] + 0.0;
    }
    qsort(sorted, count, 3 * sizeof(double), compare_points);
    size_t different = 0;
    for (size_t k = 0; k < count; ++k) {
        if (different == 0 || compare_points(sorted + 3 * k, sorted + 3 * (different - 1)) != 0) {
            memmove(sorted + 3 * different++, sorted + 3 * k, 3 * sizeof(double));
        }
    }
    for (size_t k = 0; k < count; ++k) {
        double *found = (double *)bsearch(own + 3 * k, sorted, different, 3 * sizeof(double), compare_points);
        position[k] = (int)((found - sorted) / 3);
    }
    free(sorted);
    free(own);
    return position;
}

/* Sides of triangles without one that runs back; -1 if a side is there twice. */
static int open_sides(const crn_triangles *t)
{
    int *position = positions_of(t), open = 0, sides = 3 * t->triangle_count;
    side *list = (side *)malloc((size_t)sides * sizeof(side));
    assert_non_null(list);
    for (int h = 0; h < sides; ++h) {
        int next = h % 3 == 2 ? h - 2 : h + 1;
        list[h] = (side){position[t->triangles[h]], position[t->triangles[next]]};
        assert_int_not_equal(list[h].from, list[h].to);
    }
    qsort(list, (size_t)sides, sizeof(side), compare_sides);
    for (int h = 0; h < sides && open >= 0; ++h) {
        side back = {list[h].to, list[h].from};
        open += bsearch(&back, list, (size_t)sides, sizeof(side), compare_sides) == NULL ? 1 : 0;
        open = h > 0 && compare_sides(list + h, list + h - 1) == 0 ? -1 : open;
    }
    free(list);
    free(position);
    return open;
}

/* By the divergence theorem. */
static double volume_of(const crn_triangles *t)
{
    double six = 0.0;
    for (int k = 0; k < t->triangle_count; ++k) {
        const int *c = t->triangles + 3 * k;
        six += crn_v3_dot(point_of(t, c[0]), crn_v3_cross(point_of(t, c[1]), point_of(t, c[2])));
    }
    return six / 6.0;
}

static crn_vec3 face_normal(const crn_triangles *t, int k)
{
    const int *c = t->triangles + 3 * k;
    crn_vec3 a = point_of(t, c[0]);
    return crn_v3_cross(crn_v3_sub(point_of(t, c[1]), a), crn_v3_sub(point_of(t, c[2]), a));
}

/* Unit normals, every index there, every point used, and corners' normals on the side of their triangle: within the angle
 * of the cosine. */
static void check_normals(const crn_triangles *t, double cosine)
{
    char *used = (char *)calloc((size_t)t->count, 1);
    assert_non_null(used);
    for (int k = 0; k < t->count; ++k) {
        TEST_CHECK(fabs(crn_v3_length(normal_of(t, k)) - 1.0) < 1e-14, "normal %d is not unit", k);
    }
    for (int k = 0; k < 3 * t->triangle_count; ++k) {
        int corner = t->triangles[k];
        assert_true(corner >= 0 && corner < t->count);
        used[corner] = 1;
        crn_vec3 flat = crn_v3_unit(face_normal(t, k / 3));
        TEST_CHECK(crn_v3_dot(flat, normal_of(t, corner)) >= cosine, "triangle %d: corner looks elsewhere", k / 3);
    }
    for (int k = 0; k < t->count; ++k) {
        assert_true(used[k]);
    }
    free(used);
}

static double mass_of(const crn_shape_def *def)
{
    crn_shape *shape;
    assert_int_equal(crn_shape_create(def, NULL, &shape, NULL), CRN_OK);
    double mass = crn_shape_mass(shape).mass;
    crn_shape_destroy(shape);
    return mass;
}

/* --- Round solids --- */

/* Distance from the surface, or of the same order; and the outward direction there. */
static double off_surface(const crn_shape_def *def, crn_vec3 p, crn_vec3 *out)
{
    crn_vec3 s = def->size;
    if (def->kind == CRN_SHAPE_ELLIPSOID) {
        *out = crn_v3_unit(crn_v3(p.x / (s.x * s.x), p.y / (s.y * s.y), p.z / (s.z * s.z)));
        return crn_v3_length(crn_v3(p.x / s.x, p.y / s.y, p.z / s.z)) - 1.0;
    }
    double core = def->kind == CRN_SHAPE_SPHERE ? 0.0 : s.y;
    crn_vec3 from = crn_v3(p.x, p.y, p.z > core ? p.z - core : p.z < -core ? p.z + core : 0.0);
    *out = crn_v3_unit(from);
    return crn_v3_length(from) - s.x;
}

static const crn_shape_def smooth_solids[] = {
    {.kind = CRN_SHAPE_SPHERE, .size = {0.7, 0, 0}},       {.kind = CRN_SHAPE_CAPSULE, .size = {0.3, 0.8, 0}},
    {.kind = CRN_SHAPE_CAPSULE, .size = {0.3, 0, 0}},      {.kind = CRN_SHAPE_ELLIPSOID, .size = {0.5, 0.3, 0.9}},
    {.kind = CRN_SHAPE_ELLIPSOID, .size = {2, 0.02, 0.9}},
};
enum { SMOOTH = sizeof smooth_solids / sizeof *smooth_solids };

static void test_smooth_solids(void **state)
{
    (void)state;
    for (int k = 0; k < SMOOTH; ++k) {
        for (int segments = 3; segments < 70; segments = 2 * segments + 1) {
            crn_triangles_options options = {.segments = segments};
            crn_triangles t = made_of(smooth_solids + k, &options);
            assert_int_equal(open_sides(&t), 0);
            check_normals(&t, segments < 31 || k == 4 ? -1.0 : 0.9); /* coarse and very flat ones: below */
            for (int i = 0; i < t.count; ++i) {
                crn_vec3 out;
                double off = off_surface(smooth_solids + k, point_of(&t, i), &out);
                TEST_CHECK(fabs(off) < 1e-15, "shape %d, point %d is off by %g", k, i, off);
                TEST_CHECK(crn_v3_dot(out, normal_of(&t, i)) > 1.0 - 1e-14, "shape %d: normal %d", k, i);
            }
            crn_triangles_free(&t);
        }
    }
}

static double missing_volume(const crn_shape_def *def, int segments, double thickness)
{
    crn_triangles_options options = {.segments = segments, .thickness = thickness};
    crn_triangles t = made_of(def, &options);
    double volume = volume_of(&t);
    crn_triangles_free(&t);
    return mass_of(def) * (thickness > 0.0 ? thickness : 1.0) - volume;
}

/* All points lie on a convex surface: the volume comes from below, by the square of the segments. */
static void test_volume_converges(void **state)
{
    (void)state;
    const crn_shape_def round[] = {smooth_solids[0],
                                   smooth_solids[1],
                                   smooth_solids[3],
                                   {.kind = CRN_SHAPE_CYLINDER, .size = {0.4, 1.5, 0}},
                                   {.kind = CRN_SHAPE_CONE, .size = {0.4, 1.5, 0}},
                                   {.kind = CRN_SHAPE_DISK, .size = {0.4, 0, 0}},
                                   {.kind = CRN_SHAPE_ELLIPSE, .size = {0.4, 0.9, 0}},
                                   {.kind = CRN_SHAPE_SEGMENT, .size = {1.0, 0.2, 0}}};
    for (size_t k = 0; k < sizeof round / sizeof *round; ++k) {
        double thickness = crn_shape_kind_is_planar(round[k].kind) ? 0.5 : 0.0;
        double coarse = missing_volume(round + k, 32, thickness), fine = missing_volume(round + k, 64, thickness);
        TEST_CHECK(coarse > 0.0 && coarse < 0.025 * mass_of(round + k), "shape %zu lacks %g", k, coarse);
        TEST_CHECK(coarse / fine > 3.9 && coarse / fine < 4.1, "shape %zu: %g, %g", k, coarse, fine);
    }
}

static void test_cylinder(void **state)
{
    (void)state;
    crn_triangles t = sized(CRN_SHAPE_CYLINDER, 0.4, 1.5, 0, 24);
    assert_int_equal(open_sides(&t), 0);
    assert_int_equal(t.count, 4 * 24); /* rims are sharp: a point for the side, one for the cap */
    check_normals(&t, 0.99);
    for (int k = 0; k < t.count; ++k) {
        crn_vec3 p = point_of(&t, k), n = normal_of(&t, k);
        assert_true(fabs(hypot(p.x, p.y) - 0.4) < 1e-15 && fabs(p.z) == 1.5);
        bool is_cap = n.z == (p.z > 0 ? 1.0 : -1.0) && n.x == 0.0 && n.y == 0.0;
        bool is_wall = n.z == 0.0 && fabs(n.x * p.x + n.y * p.y - 0.4) < 1e-15;
        assert_true(is_cap != is_wall);
    }
    crn_triangles_free(&t);
}

static void test_cone(void **state)
{
    (void)state;
    crn_triangles t = sized(CRN_SHAPE_CONE, 0.4, 1.5, 0, 24);
    assert_int_equal(open_sides(&t), 0);
    assert_int_equal(t.count, 3 * 24); /* side, apex, base */
    check_normals(&t, 0.98);
    crn_triangles_free(&t);
}

/* --- Polyhedra --- */

static void test_box(void **state)
{
    (void)state;
    crn_triangles t = sized(CRN_SHAPE_BOX, 0.5, 1.0, 2.0, 0);
    assert_int_equal(t.count, 24);
    assert_int_equal(t.triangle_count, 12);
    assert_int_equal(open_sides(&t), 0);
    check_normals(&t, 1.0);
    assert_true(fabs(volume_of(&t) - 8.0) < 1e-14);
    crn_triangles_free(&t);
}

static void test_hulls(void **state)
{
    (void)state;
    crn_random random = test_random("test_hulls", 7);
    for (int trial = 0; trial < 20; ++trial) {
        double points[300];
        int count = trial == 0 ? 8 : 4 + crn_random_below(&random, 97);
        for (int k = 0; k < 3 * count; ++k) {
            points[k] = trial == 0 ? (k / 3 >> k % 3 & 1) : crn_random_normal(&random); /* first: a cube */
        }
        crn_shape_def def = {.kind = CRN_SHAPE_HULL, .points = points, .count = count};
        crn_triangles t = made_of(&def, NULL);
        assert_int_equal(open_sides(&t), 0);
        check_normals(&t, 1.0 - 1e-9);
        assert_true(fabs(volume_of(&t) - mass_of(&def)) < 1e-12 * (1.0 + mass_of(&def)));
        for (int f = 0; f < t.triangle_count; ++f) { /* no given point is outside of any face */
            const int *c = t.triangles + 3 * f;
            for (int k = 0; k < count; ++k) {
                crn_vec3 from = crn_v3_sub(crn_v3_of(points + 3 * k), point_of(&t, c[0]));
                assert_true(crn_v3_dot(from, normal_of(&t, c[0])) < 1e-9);
            }
        }
        assert_int_equal(trial == 0 ? t.count : 24, 24);
        crn_triangles_free(&t);
    }
}

/* --- Meshes --- */

static mesh_case room;

static void test_meshes(void **state)
{
    (void)state;
    for (int which = 0; which < 4; ++which) {
        room.count = room.triangle_count = 0;
        switch (which) {
        case 0: mesh_case_torus(&room, 1.0, 0.3, 48, 24); break;
        case 1: mesh_case_star(&room, 5, 0.4, 0.25); break;
        case 2: /* a box with a hollow */
            mesh_case_box(&room, crn_v3(0, 0, 0), crn_v3(1, 1, 1), false);
            mesh_case_box(&room, crn_v3(0, 0, 0), crn_v3(0.5, 0.5, 0.5), true);
            break;
        default: /* given inside out */
            mesh_case_torus(&room, 1.0, 0.3, 48, 24);
            mesh_case_turn_inside_out(&room, 0);
            break;
        }
        crn_shape_def def = mesh_case_def(&room);
        crn_triangles t = made_of(&def, NULL);
        assert_int_equal(open_sides(&t), 0);
        assert_true(fabs(volume_of(&t) - mass_of(&def)) < 1e-12);
        check_normals(&t, which == 0 || which == 3 ? 0.97 : 1.0 - 1e-12);
        assert_int_equal(t.count, which == 1 ? 10 * 4 + 11 * 2 : which == 2 ? 48 : 48 * 24);
        for (int k = 0; k < t.count && which == 0; ++k) { /* near the true normal of the torus */
            crn_vec3 p = point_of(&t, k), ring = crn_v3_unit(crn_v3(p.x, p.y, 0));
            assert_true(crn_v3_dot(crn_v3_unit(crn_v3_sub(p, ring)), normal_of(&t, k)) > 0.999);
        }
        crn_triangles_free(&t);
    }
}

/* Two triangles bent at an edge: smooth up to 30 degrees, sharp beyond. An open mesh. */
static void test_crease_angle(void **state)
{
    (void)state;
    for (int sharp = 0; sharp < 2; ++sharp) {
        double angle = (sharp ? 31.0 : 29.0) * 3.141592653589793 / 180.0;
        double points[12] = {0, 0, 0, 0, 1, 0, -1, 0.5, 0, cos(angle), 0.5, -sin(angle)};
        int triangles[6] = {0, 1, 2, 1, 0, 3};
        crn_shape_def def = {
            .kind = CRN_SHAPE_MESH, .points = points, .count = 4, .triangles = triangles, .triangle_count = 2};
        crn_triangles t = made_of(&def, NULL);
        assert_int_equal(t.count, sharp ? 6 : 4);
        assert_int_equal(open_sides(&t), 4);
        check_normals(&t, sharp ? 1.0 - 1e-15 : 0.9);
        crn_triangles_free(&t);
    }
}

/* The top of a low pyramid looks up, though one of its sides is cut in two: triangles count by their angles. */
static void test_normal_ignores_cuts(void **state)
{
    (void)state;
    double points[18] = {-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0, 0, -1, 0, 0, 0, 0.2};
    int triangles[15] = {0, 4, 5, 4, 1, 5, 1, 2, 5, 2, 3, 5, 3, 0, 5};
    crn_shape_def def = {
        .kind = CRN_SHAPE_MESH, .points = points, .count = 6, .triangles = triangles, .triangle_count = 5};
    crn_triangles t = made_of(&def, NULL);
    assert_int_equal(t.count, 6);
    for (int k = 0; k < t.count; ++k) {
        assert_true(point_of(&t, k).z == 0.0 || normal_of(&t, k).z > 1.0 - 1e-14);
    }
    crn_triangles_free(&t);
}

/* --- Height fields --- */

enum { ROWS = 7, COLUMNS = 5 };

static double bump(int i, int j)
{
    return 0.3 * sin(0.9 * i) + 0.2 * cos(1.3 * j) + 0.01 * i * j;
}

/* A closed block: its top is the field, its volume the sum of the prisms under the triangles. */
static void test_height_field(void **state)
{
    (void)state;
    double heights[ROWS * COLUMNS], lowest = 1e9;
    for (int k = 0; k < ROWS * COLUMNS; ++k) {
        heights[k] = bump(k % ROWS, k / ROWS);
        lowest = fmin(lowest, heights[k]);
    }
    crn_shape_def def = {
        .kind = CRN_SHAPE_HEIGHT_FIELD, .size = {0.5, 0.25, 0}, .points = heights, .rows = ROWS, .columns = COLUMNS};
    crn_triangles t = made_of(&def, NULL);
    assert_int_equal(open_sides(&t), 0);
    check_normals(&t, 0.7);
    double base = 1e9, prisms = 0.0;
    int on_top = 0;
    for (int k = 0; k < t.count; ++k) {
        base = fmin(base, point_of(&t, k).z);
    }
    assert_true(base < lowest && base > lowest - 1.0);
    for (int k = 0; k < t.count; ++k) {
        crn_vec3 p = point_of(&t, k);
        double i = p.x / 0.5 + 0.5 * (ROWS - 1), j = p.y / 0.25 + 0.5 * (COLUMNS - 1);
        bool is_top = p.z == bump((int)lround(i), (int)lround(j));
        assert_true(is_top || p.z == base);
        assert_true(fabs(i - (double)lround(i)) < 1e-12 && fabs(j - (double)lround(j)) < 1e-12);
        on_top += is_top && normal_of(&t, k).z > 0.5 ? 1 : 0;
    }
    assert_true(on_top >= ROWS * COLUMNS);
    for (int j = 0; j + 1 < COLUMNS; ++j) {
        for (int i = 0; i + 1 < ROWS; ++i) {
            double ends = bump(i, j) + bump(i + 1, j + 1); /* of the diagonal, in both triangles */
            prisms += 0.5 * 0.5 * 0.25 * ((2 * ends + bump(i + 1, j) + bump(i, j + 1)) / 3.0 - 2 * base);
        }
    }
    assert_true(fabs(volume_of(&t) - prisms) < 1e-12);
    crn_triangles_free(&t);
}

/* A flat field is one smooth top; a step in it is sharp. */
static void test_height_field_creases(void **state)
{
    (void)state;
    double flat[9] = {0}, step[9] = {0, 0, 0, 0, 0, 0, 1, 1, 1};
    crn_shape_def def = {.kind = CRN_SHAPE_HEIGHT_FIELD, .size = {1, 1, 0}, .points = flat, .rows = 3, .columns = 3};
    crn_triangles t = made_of(&def, NULL);
    assert_int_equal(t.count, 9 + 4 * 2 * 3 + 9); /* top, four sides of 3 x 2, base with its middle */
    check_normals(&t, 1.0 - 1e-15);
    crn_triangles_free(&t);
    def.points = step;
    t = made_of(&def, NULL);
    check_normals(&t, 1.0 - 1e-15);
    crn_triangles_free(&t);
}

/* --- Planes and planar shapes --- */

static void test_plane(void **state)
{
    (void)state;
    crn_shape_def def = {.kind = CRN_SHAPE_PLANE};
    for (int k = 0; k < 2; ++k) {
        crn_triangles_options options = {.reach = k == 0 ? 0.0 : 3.0};
        double reach = k == 0 ? 10.0 : 3.0;
        crn_triangles t = made_of(&def, &options);
        assert_int_equal(t.count, 4);
        assert_int_equal(t.triangle_count, 2);
        check_normals(&t, 1.0);
        for (int i = 0; i < 4; ++i) {
            assert_true(fabs(point_of(&t, i).x) == reach && fabs(point_of(&t, i).y) == reach);
            assert_true(point_of(&t, i).z == 0.0 && normal_of(&t, i).z == 1.0);
        }
        crn_triangles_free(&t);
    }
}

/* Six points, two of them inside of the hull of the others, off the origin. */
static const double corners[12] = {1, 1, 3, 1, 2, 1.5, 3, 2, 1.5, 1.2, 1, 2};

static const crn_shape_def planar_shapes[] = {{.kind = CRN_SHAPE_DISK, .size = {0.4, 0, 0}},
                                              {.kind = CRN_SHAPE_ELLIPSE, .size = {0.4, 0.9, 0}},
                                              {.kind = CRN_SHAPE_SEGMENT, .size = {1.0, 0.2, 0}},
                                              {.kind = CRN_SHAPE_SEGMENT, .size = {1.0, 0, 0}},
                                              {.kind = CRN_SHAPE_POLYGON, .points = corners, .count = 6},
                                              {.kind = CRN_SHAPE_HALF_PLANE}};
enum { PLANAR = sizeof planar_shapes / sizeof *planar_shapes };

static double area_of(const crn_triangles *t)
{
    double area = 0.0;
    for (int k = 0; k < t->triangle_count; ++k) {
        crn_vec3 n = face_normal(t, k);
        assert_true(n.x == 0.0 && n.y == 0.0 && n.z > 0.0);
        area += 0.5 * n.z;
    }
    return area;
}

static double right_area(const crn_shape_def *def)
{
    switch (def->kind) {
    case CRN_SHAPE_HALF_PLANE: return 10.0 * 20.0;
    case CRN_SHAPE_SEGMENT:
        return def->size.y > 0.0 ? mass_of(def) : 2.0 * 0.02; /* a bar without radius is drawn thin */
    default: return mass_of(def);
    }
}

static void test_planar_flat(void **state)
{
    (void)state;
    for (int k = 0; k < PLANAR; ++k) {
        crn_triangles t = made_of(planar_shapes + k, NULL);
        check_normals(&t, 1.0 - 1e-15);
        double area = area_of(&t), right = right_area(planar_shapes + k);
        TEST_CHECK(fabs(area - right) < (k < 3 ? 0.01 : 1e-14) * right, "shape %d: area %g, not %g", k, area, right);
        for (int i = 0; i < t.count; ++i) {
            assert_true(point_of(&t, i).z == 0.0);
        }
        crn_triangles_free(&t);
    }
}

static void test_planar_slabs(void **state)
{
    (void)state;
    crn_triangles_options options = {.thickness = 0.25};
    for (int k = 0; k < PLANAR; ++k) {
        crn_triangles flat = made_of(planar_shapes + k, NULL), t = made_of(planar_shapes + k, &options);
        assert_int_equal(open_sides(&t), 0);
        check_normals(&t, k < 3 ? 0.9 : 1.0 - 1e-15);
        assert_true(fabs(volume_of(&t) - 0.25 * area_of(&flat)) < 1e-12);
        for (int i = 0; i < t.count; ++i) {
            assert_true(fabs(point_of(&t, i).z) == 0.125);
        }
        crn_triangles_free(&flat);
        crn_triangles_free(&t);
    }
}

/* Points of outlines lie on them, with the normals of the curve on the sides of a slab. */
static void test_planar_outlines(void **state)
{
    (void)state;
    crn_triangles_options options = {.thickness = 1.0};
    for (int k = 0; k < 3; ++k) {
        crn_triangles t = made_of(planar_shapes + k, &options);
        crn_vec3 s = planar_shapes[k].size;
        for (int i = 0; i < t.count; ++i) {
            crn_vec3 p = point_of(&t, i), n = normal_of(&t, i), out;
            p.z = 0.0;
            if (k < 2) {
                double b = k == 0 ? s.x : s.y;
                assert_true(fabs(hypot(p.x / s.x, p.y / b) - 1.0) < 1e-15);
                out = crn_v3_unit(crn_v3(p.x / (s.x * s.x), p.y / (b * b), 0));
            } else {
                crn_vec3 from = crn_v3(fabs(p.x) - s.x, p.y, 0);
                assert_true(from.x > -1e-15 && fabs(crn_v3_length(from) - s.y) < 1e-15);
                out = crn_v3_scale(1.0 / s.y, crn_v3(copysign(from.x, p.x), p.y, 0));
            }
            assert_true(fabs(n.z) == 1.0 || crn_v3_dot(out, n) > 1.0 - 1e-14);
        }
        crn_triangles_free(&t);
    }
}

/* --- Bad input and memory --- */

static void test_refusals(void **state)
{
    (void)state;
    const crn_shape_def ball = {.kind = CRN_SHAPE_SPHERE, .size = {1, 0, 0}}, none = {.kind = CRN_SHAPE_SPHERE};
    const double nan = (double)NAN;
    const struct {
        const crn_shape_def *def;
        crn_triangles_options options;
        const char *begins;
    } wrong[] = {
        {NULL, {0}, "def: missing"},
        {&none, {0}, "size.x: must be > 0"},
        {&ball, {.segments = 2}, "segments: must be 0 or 3 .. 1024, is 2"},
        {&ball, {.segments = -1}, "segments: "},
        {&ball, {.segments = 1025}, "segments: "},
        {&ball, {.reach = -1.0}, "reach: "},
        {&ball, {.reach = nan}, "reach: "},
        {&ball, {.thickness = -1.0}, "thickness: "},
        {&ball, {.thickness = (double)INFINITY}, "thickness: "},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
        crn_triangles t;
        crn_error error;
        memset(&t, 0x55, sizeof t);
        assert_int_equal(crn_shape_triangles(wrong[k].def, &wrong[k].options, NULL, &t, &error), CRN_ERR_ARGUMENT);
        TEST_CHECK(strncmp(error.text, wrong[k].begins, strlen(wrong[k].begins)) == 0, "'%s' does not begin with '%s'",
                   error.text, wrong[k].begins);
        assert_true(t.points == NULL && t.normals == NULL && t.triangles == NULL && t.count == 0);
        crn_triangles_free(&t);
    }
    assert_int_equal(crn_shape_triangles(&ball, NULL, NULL, NULL, NULL), CRN_ERR_ARGUMENT);
    crn_triangles_free(NULL);
    crn_triangles empty = {0};
    crn_triangles_free(&empty);
}

/* The k-th request for memory fails, for every k, until the call succeeds; nothing is left over. */
static void test_memory(void **state)
{
    (void)state;
    double tetrahedron[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, heights[4] = {0, 1, 2, 0};
    int faces[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    const crn_shape_def defs[] = {
        smooth_solids[0],
        {.kind = CRN_SHAPE_BOX, .size = {1, 1, 1}},
        {.kind = CRN_SHAPE_HULL, .points = tetrahedron, .count = 4},
        {.kind = CRN_SHAPE_MESH, .points = tetrahedron, .count = 4, .triangles = faces, .triangle_count = 4},
        {.kind = CRN_SHAPE_HEIGHT_FIELD, .size = {1, 1, 0}, .points = heights, .rows = 2, .columns = 2},
        planar_shapes[0],
        planar_shapes[4]};
    for (size_t d = 0; d < sizeof defs / sizeof *defs; ++d) {
        crn_status status = CRN_ERR_MEMORY;
        for (long k = 1; status != CRN_OK; ++k) {
            test_allocator counter = {.fail_at = k};
            crn_allocator hooks = test_allocator_hooks(&counter);
            crn_triangles t;
            status = crn_shape_triangles(defs + d, NULL, &hooks, &t, NULL);
            assert_true(status == CRN_OK || (status == CRN_ERR_MEMORY && t.points == NULL && k < 200));
            assert_int_equal(counter.live, status == CRN_OK ? 3 : 0);
            crn_triangles_free(&t);
            assert_int_equal(counter.live, 0);
        }
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_smooth_solids),
        cmocka_unit_test(test_volume_converges),
        cmocka_unit_test(test_cylinder),
        cmocka_unit_test(test_cone),
        cmocka_unit_test(test_box),
        cmocka_unit_test(test_hulls),
        cmocka_unit_test(test_meshes),
        cmocka_unit_test(test_crease_angle),
        cmocka_unit_test(test_normal_ignores_cuts),
        cmocka_unit_test(test_height_field),
        cmocka_unit_test(test_height_field_creases),
        cmocka_unit_test(test_plane),
        cmocka_unit_test(test_planar_flat),
        cmocka_unit_test(test_planar_slabs),
        cmocka_unit_test(test_planar_outlines),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_memory),
    };
    return TEST_RUN(tests, argc, argv);
}
