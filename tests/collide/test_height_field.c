/* Height fields: planes cut into triangles count as planes, roofs as convex bodies, terrain against the distance of all
 * triangles; no line between cells is felt; deep points come out. */
#include "convex_case.h"

#include "collide/convex/segment.h"

enum { SOLIDS = 8 };

/* One of each kind that may lie on a field, all about 0.3 m large. */
static crn_shape *solid(int number, crn_random *random)
{
    switch (number) {
    case 0: return convex_shape(CRN_SHAPE_SPHERE, 0.3, 0, 0);
    case 1: return convex_shape(CRN_SHAPE_BOX, 0.3, 0.2, 0.25);
    case 2: return convex_shape(CRN_SHAPE_CAPSULE, 0.15, 0.25, 0);
    case 3: return convex_shape(CRN_SHAPE_CYLINDER, 0.2, 0.3, 0);
    case 4: return convex_shape(CRN_SHAPE_ELLIPSOID, 0.35, 0.2, 0.15);
    case 5: return convex_random_hull(random, 12, 0.3, 0.3, 0.25);
    case 6: return convex_shape(CRN_SHAPE_CONE, 0.25, 0.2, 0);
    default: return convex_random_hull(random, 80, 0.3, 0.25, 0.3);
    }
}

typedef double surface(double x, double y);

static crn_shape *field_of(surface *z, int rows, int columns, double dx, double dy)
{
    double heights[40 * 40];
    assert_true(rows * columns <= 40 * 40);
    for (int j = 0; j < columns; ++j) {
        for (int i = 0; i < rows; ++i) {
            heights[i + rows * j] = z(dx * (i - 0.5 * (rows - 1)), dy * (j - 0.5 * (columns - 1)));
        }
    }
    crn_shape_def def = {
        .kind = CRN_SHAPE_HEIGHT_FIELD, .size = {dx, dy, 0}, .points = heights, .rows = rows, .columns = columns};
    return convex_make(&def);
}

static double flat(double x, double y)
{
    (void)x;
    (void)y;
    return 0.25;
}

static double slope(double x, double y)
{
    return 0.4 * x - 0.3 * y + 0.1;
}

static double roof(double x, double y)
{
    (void)y;
    return -0.5 * fabs(x);
}

static double valley(double x, double y)
{
    (void)y;
    return 0.5 * fabs(x);
}

static double wavy(double x, double y)
{
    return 0.15 * sin(3.1 * x) * cos(2.3 * y) + 0.05 * sin(11.0 * x + 5.0 * y);
}

static int find(const convex_pair *p, double reach, crn_touch *touch)
{
    int count = crn_collide(p->a, &p->fa, p->b, &p->fb, reach, touch, CONVEX_TOUCHES);
    assert_in_range(count, 0, CONVEX_TOUCHES);
    for (int k = 0; k < count; ++k) {
        assert_true(fabs(crn_v3_length(touch[k].normal) - 1.0) < 1e-14);
        assert_true(touch[k].gap <= reach);
        TEST_CHECK(k == 0 || touch[k].key > touch[k - 1].key, "keys %u and %u", touch[k - 1].key, touch[k].key);
    }
    return count;
}

/* --- Planes --- */

/* All normals are the plane's and the lowest gap is the support of the solid, from far below to reach above. */
static void check_plane(surface *z, crn_vec3 normal, double offset, uint64_t seed)
{
    crn_random random = test_random("check_plane", seed);
    crn_touch touch[CONVEX_TOUCHES];
    crn_shape *field = field_of(z, 31, 21, 0.11, 0.17);
    for (int number = 0; number < SOLIDS; ++number) {
        crn_shape *a = solid(number, &random);
        for (int trial = 0; trial < 300; ++trial) {
            convex_pair p = {a, field, convex_random_frame(&random, 0.4), convex_random_frame(&random, 3.0)};
            if (trial % 3 == 0) { /* straight on the plane, with the seams */
                p.fa.rotation = crn_quat_matrix(crn_quat_exp(crn_v3_scale(0.5, crn_v3(0, 0, trial))));
            }
            crn_frame local = p.fa;
            double low = -convex_support(a, &local, crn_v3_scale(-1.0, normal)) - offset;
            double wanted = crn_random_uniform(&random, -0.2, 0.05);
            local.position = crn_v3_axpy(local.position, wanted - low, normal);
            p.fa = crn_frame_product(&p.fb, &local);
            int count = find(&p, 0.06, touch);
            TEST_CHECK(count > 0, "solid %d, trial %d: nothing at %g", number, trial, wanted);
            double lowest = convex_lowest(touch, count);
            TEST_CHECK(fabs(lowest - wanted) < 1e-10, "solid %d, trial %d: gap %g, not %g", number, trial, lowest,
                       wanted);
            crn_vec3 up = crn_m3_times(&p.fb.rotation, normal);
            for (int k = 0; k < count; ++k) {
                crn_vec3 d = crn_v3_sub(touch[k].normal, up);
                TEST_CHECK(crn_v3_length(d) < 1e-9, "solid %d, trial %d: normal off by %g, key %x", number, trial,
                           crn_v3_length(d), touch[k].key);
                crn_vec3 foot = crn_frame_local(&p.fb, crn_v3_axpy(touch[k].point, -0.5 * touch[k].gap, up));
                assert_true(fabs(crn_v3_dot(normal, foot) - offset) < 1e-12);
            }
        }
        crn_shape_destroy(a);
    }
    crn_shape_destroy(field);
}

static void test_flat(void **state)
{
    (void)state;
    check_plane(flat, crn_v3(0, 0, 1), 0.25, 1);
}

static void test_slope(void **state)
{
    (void)state;
    crn_vec3 n = crn_v3_unit(crn_v3(-0.4, 0.3, 1.0));
    check_plane(slope, n, 0.1 * n.z, 2);
}

/* A box that slides over the seams touches with its four corners, a ball with one point, all the way. */
static void test_seams_are_not_felt(void **state)
{
    (void)state;
    crn_touch touch[CONVEX_TOUCHES];
    crn_shape *field = field_of(flat, 31, 31, 0.1, 0.1), *box = convex_shape(CRN_SHAPE_BOX, 0.2, 0.3, 0.1);
    crn_shape *ball = convex_shape(CRN_SHAPE_SPHERE, 0.2, 0, 0), *rod = convex_shape(CRN_SHAPE_CAPSULE, 0.1, 0.3, 0);
    for (int k = 0; k <= 400; ++k) {
        double x = -0.5 + 0.0025 * k, gap = k % 3 == 0 ? 0.0 : k % 3 == 1 ? 1e-4 : -1e-4;
        convex_pair p = {box, field, convex_frame(x, 0.3 * x, 0.35 + gap, crn_v3(0, 0, 0.01 * (k % 7))),
                         convex_frame(0, 0, 0, crn_v3(0, 0, 0))};
        int count = find(&p, 1e-3, touch);
        TEST_CHECK(count == 4, "box at %g: %d points", x, count);
        for (int i = 0; i < count; ++i) {
            assert_true(touch[i].normal.z == 1.0 && fabs(touch[i].gap - gap) < 1e-15);
        }
        p.a = ball;
        p.fa.position.z = 0.45 + gap;
        count = find(&p, 1e-3, touch);
        TEST_CHECK(count == 1 && touch[0].normal.z == 1.0, "ball at %g: %d points", x, count);
        p.a = rod;
        p.fa = convex_frame(x, 0.3 * x, 0.35 + gap, crn_v3(0, 1.5707963267948966, 0));
        count = find(&p, 1e-3, touch);
        TEST_CHECK(count == 2 && touch[0].normal.z == 1.0, "rod at %g: %d points", x, count);
    }
    crn_shape_destroy(field);
    crn_shape_destroy(box);
    crn_shape_destroy(ball);
    crn_shape_destroy(rod);
}

/* --- Roof: convex, so the signed gap of a convex body with the same surface is the answer --- */

static crn_shape *roof_hull(void)
{
    /* as wide and long as the field of test_roof, deep below */
    const double points[18] = {-1.5, -1.5, -3, 1.5, -1.5, -3, -1.5, 1.5, -3, 1.5, 1.5, -3, 0, -1.5, 0, 0, 1.5, 0};
    double all[30];
    memcpy(all, points, sizeof points);
    for (int k = 0; k < 4; ++k) {
        crn_v3_to(crn_v3(k & 1 ? 1.5 : -1.5, k & 2 ? 1.5 : -1.5, -0.75), all + 18 + 3 * (ptrdiff_t)k);
    }
    crn_shape_def def = {.kind = CRN_SHAPE_HULL, .points = all, .count = 10};
    return convex_make(&def);
}

static void test_roof(void **state)
{
    (void)state;
    crn_random random = test_random("test_roof", 3);
    crn_touch touch[CONVEX_TOUCHES], other[CONVEX_TOUCHES];
    crn_shape *field = field_of(roof, 31, 16, 0.1, 0.2), *hull = roof_hull();
    crn_frame home = convex_frame(0, 0, 0, crn_v3(0, 0, 0));
    for (int number = 0; number < SOLIDS; ++number) {
        crn_shape *a = solid(number, &random);
        int met = 0, same = 0;
        for (int trial = 0; trial < 1000; ++trial) {
            convex_pair p = {a, hull, convex_random_frame(&random, 0.5), home};
            p.fa.position.z += 0.3;
            if (trial % 2 == 0) { /* bring it to a small gap or overlap */
                int count = find(&p, 2.0, touch), low = 0;
                for (int k = 0; k < count; ++k) {
                    low = touch[k].gap < touch[low].gap ? k : low;
                }
                assert_true(count > 0);
                double wanted = pow(10.0, crn_random_uniform(&random, -9.0, -2.0)) * (trial % 4 == 0 ? 1.0 : -1.0);
                p.fa.position = crn_v3_axpy(p.fa.position, wanted - touch[low].gap, touch[low].normal);
            }
            int of_hull = find(&p, 0.05, other);
            double expected = convex_lowest(other, of_hull);
            p.b = field;
            int count = find(&p, 0.05, touch);
            double lowest = convex_lowest(touch, count);
            if (of_hull == 0 || expected < -0.03) {
                TEST_CHECK((of_hull == 0) == (count == 0), "solid %d, trial %d: %d points, hull %d", number, trial,
                           count, of_hull);
                continue; /* deep: the field's way out need not be the hull's, but there is one */
            }
            met++;
            bool is_same = fabs(lowest - expected) < 1e-9;
            same += is_same;
            /* in an overlap each feature pushes its own shortest way */
            TEST_CHECK(is_same || (expected < 0.0 && lowest < 0.5 * expected && lowest > 3.0 * expected),
                       "solid %d, trial %d: gap %.12g, hull %.12g", number, trial, lowest, expected);
        }
        print_message("solid %d: %d of %d gaps are those of the convex body\n", number, same, met);
        TEST_CHECK(same > 0.9 * met, "solid %d: %d of %d", number, same, met);
        TEST_CHECK(met > 400, "solid %d met %d times only", number, met);
        crn_shape_destroy(a);
    }
    crn_shape_destroy(field);
    crn_shape_destroy(hull);
}

/* In a valley a ball rests on both walls, a box across it on two edges. */
static void test_valley(void **state)
{
    (void)state;
    crn_touch touch[CONVEX_TOUCHES];
    crn_shape *field = field_of(valley, 31, 16, 0.1, 0.2), *ball = convex_shape(CRN_SHAPE_SPHERE, 0.2, 0, 0);
    crn_shape *box = convex_shape(CRN_SHAPE_BOX, 0.3, 0.25, 0.1);
    double rise = 0.2 * sqrt(1.25); /* of the centre over the bottom when both walls touch */
    for (int k = -4; k <= 4; ++k) {
        double lift = 1e-4 * k;
        convex_pair p = {ball, field, convex_frame(0.0, 0.03, rise + lift, crn_v3(0, 0, 0)),
                         convex_frame(0, 0, 0, crn_v3(0, 0, 0))};
        int count = find(&p, 1e-2, touch);
        TEST_CHECK(count == 2, "ball: %d points", count);
        for (int i = 0; i < count; ++i) {
            assert_true(fabs(touch[i].gap - lift / sqrt(1.25)) < 1e-15);
        }
        assert_true(touch[0].normal.x * touch[1].normal.x < 0.0);
        p.a = box;
        p.fa.position = crn_v3(0.0, 0.03, 0.15 + 0.1 + lift);
        count = find(&p, 1e-2, touch);
        TEST_CHECK(count == 4, "box: %d points", count);
        for (int i = 0; i < count; ++i) {
            assert_true(fabs(touch[i].gap - lift / sqrt(1.25)) < 1e-15);
            assert_true(fabs(fabs(touch[i].normal.x) - 0.5 / sqrt(1.25)) < 1e-15);
        }
    }
    crn_shape_destroy(field);
    crn_shape_destroy(ball);
    crn_shape_destroy(box);
}

/* A tip that went through the bottom of a valley has its foot on neither wall; both push it back. */
static void test_tip_below_a_valley(void **state)
{
    (void)state;
    crn_touch touch[CONVEX_TOUCHES];
    const double points[12] = {0, 0, 0, 0.2, 0.2, 0.5, -0.2, 0.2, 0.5, 0, -0.25, 0.5};
    crn_shape_def def = {.kind = CRN_SHAPE_HULL, .points = points, .count = 4};
    crn_shape *field = field_of(valley, 31, 16, 0.1, 0.2), *tip = convex_make(&def);
    for (int k = -5; k <= 5; ++k) {
        double depth = 1e-3, x = 1e-4 * k;
        convex_pair p = {tip, field, convex_frame(x, 0.03, -depth, crn_v3(0, 0, 0)),
                         convex_frame(0, 0, 0, crn_v3(0, 0, 0))};
        int count = find(&p, 1e-4, touch);
        TEST_CHECK(count == 2, "tip at %g: %d points", x, count);
        for (int i = 0; i < count; ++i) {
            double along = touch[i].normal.x < 0.0 ? -x : x; /* n = (-+0.5, 0, 1) / sqrt(1.25) */
            assert_true(fabs(touch[i].gap - (0.5 * along - depth) / sqrt(1.25)) < 1e-15);
        }
        assert_true(touch[0].normal.x * touch[1].normal.x < 0.0);
    }
    crn_shape_destroy(field);
    crn_shape_destroy(tip);
}

/* --- Terrain against all triangles --- */

static double point_triangle(crn_vec3 p, const crn_vec3 t[3])
{
    crn_vec3 d = crn_v3_sub(t[1], t[0]), e = crn_v3_sub(t[2], t[0]), n = crn_v3_cross(d, e), q = crn_v3_sub(p, t[0]);
    double square = crn_v3_dot(n, n), u = crn_v3_dot(n, crn_v3_cross(q, e)) / square;
    double v = crn_v3_dot(n, crn_v3_cross(d, q)) / square, best = (double)INFINITY;
    if (u >= 0.0 && v >= 0.0 && u + v <= 1.0) {
        return fabs(crn_v3_dot(n, q)) / sqrt(square);
    }
    for (int k = 0; k < 3; ++k) {
        crn_vec3 half = crn_v3_scale(0.5, crn_v3_sub(t[(k + 1) % 3], t[k]));
        crn_segment s = {crn_v3_add(t[k], half), half};
        best = fmin(best, crn_v3_length(crn_v3_sub(p, crn_segment_point(&s, crn_segment_nearest(&s, p)))));
    }
    return best;
}

static double triangle_triangle(const crn_vec3 s[3], const crn_vec3 t[3])
{
    double best = (double)INFINITY;
    for (int i = 0; i < 3; ++i) {
        best = fmin(best, fmin(point_triangle(s[i], t), point_triangle(t[i], s)));
        for (int j = 0; j < 3; ++j) {
            crn_vec3 half = crn_v3_scale(0.5, crn_v3_sub(s[(i + 1) % 3], s[i]));
            crn_vec3 other = crn_v3_scale(0.5, crn_v3_sub(t[(j + 1) % 3], t[j]));
            crn_segment a = {crn_v3_add(s[i], half), half}, b = {crn_v3_add(t[j], other), other};
            best = fmin(best, crn_segments_nearest(&a, &b).distance);
        }
    }
    return best;
}

static void field_triangle(const crn_shape_def *d, int i, int j, int upper, crn_vec3 t[3])
{
    const int di[2][3] = {{0, 1, 1}, {0, 1, 0}}, dj[2][3] = {{0, 0, 1}, {0, 1, 1}};
    for (int k = 0; k < 3; ++k) {
        int r = i + di[upper][k], c = j + dj[upper][k];
        t[k] = crn_v3(d->size.x * (r - 0.5 * (d->rows - 1)), d->size.y * (c - 0.5 * (d->columns - 1)),
                      d->points[r + d->rows * c]);
    }
}

/* Distance of a hull (or of the point p if hull is NULL) from all triangles; its points must be above the surface. */
static double terrain_distance(const crn_shape *field, const crn_polyhedron *hull, const crn_frame *frame, crn_vec3 p)
{
    const crn_shape_def *d = crn_shape_definition(field);
    double best = (double)INFINITY;
    crn_vec3 t[3], s[3];
    for (int k = 0; k < 2 * (d->rows - 1) * (d->columns - 1); ++k) {
        field_triangle(d, k / 2 % (d->rows - 1), k / 2 / (d->rows - 1), k % 2, t);
        if (hull == NULL) {
            best = fmin(best, point_triangle(p, t));
            continue;
        }
        if (point_triangle(frame->position, t) > 0.6) {
            continue; /* larger than the solids */
        }
        for (int f = 0; f < hull->faces; ++f) {
            for (int c = hull->face_start[f] + 1; c + 1 < hull->face_start[f + 1]; ++c) {
                const int corner[3] = {hull->face_vertex[hull->face_start[f]], hull->face_vertex[c],
                                       hull->face_vertex[c + 1]};
                for (int i = 0; i < 3; ++i) {
                    s[i] = crn_frame_point(frame, crn_v3_of(hull->vertex + 3 * (ptrdiff_t)corner[i]));
                }
                best = fmin(best, triangle_triangle(s, t));
            }
        }
    }
    return best;
}

/* Balls whose centre is above the surface. */
static void test_ball_on_terrain(void **state)
{
    (void)state;
    crn_random random = test_random("test_ball_on_terrain", 4);
    crn_touch touch[CONVEX_TOUCHES];
    crn_shape *field = field_of(wavy, 25, 25, 0.15, 0.12), *ball = convex_shape(CRN_SHAPE_SPHERE, 0.2, 0, 0);
    crn_frame home = convex_frame(0, 0, 0, crn_v3(0, 0, 0));
    for (int trial = 0; trial < 2000; ++trial) {
        double x = crn_random_uniform(&random, -1.2, 1.2), y = crn_random_uniform(&random, -1.0, 1.0);
        convex_pair p = {ball, field,
                         convex_frame(x, y, wavy(x, y) + crn_random_uniform(&random, 0.1, 0.3), crn_v3(0, 0, 0)), home};
        double gap = terrain_distance(field, NULL, NULL, p.fa.position) - 0.2;
        int count = find(&p, 0.05, touch);
        if (gap > 0.05) {
            assert_int_equal(count, 0);
        } else {
            TEST_CHECK(fabs(convex_lowest(touch, count) - gap) < 1e-9, "trial %d: gap %.12g, not %.12g", trial,
                       convex_lowest(touch, count), gap);
        }
    }
    crn_shape_destroy(field);
    crn_shape_destroy(ball);
}

/* Hulls above the surface: the nearest of all pairs of triangles. */
static void test_hull_on_terrain(void **state)
{
    (void)state;
    crn_random random = test_random("test_hull_on_terrain", 5);
    crn_touch touch[CONVEX_TOUCHES];
    crn_shape *field = field_of(wavy, 16, 16, 0.2, 0.2);
    crn_frame home = convex_frame(0, 0, 0, crn_v3(0, 0, 0));
    int met = 0;
    for (int trial = 0; trial < 120; ++trial) {
        crn_shape *a =
            trial % 2 == 0 ? convex_box_hull(0.3, 0.2, 0.25) : convex_random_hull(&random, 10, 0.3, 0.3, 0.3);
        convex_pair p = {a, field, convex_random_frame(&random, 0.5), home};
        p.fa.position.z = 1.0;
        double before = (double)INFINITY;
        for (int step = 0; step < 60; ++step) { /* fall by less than the distance: never through */
            double distance = terrain_distance(field, a->polyhedron, &p.fa, crn_v3(0, 0, 0));
            if (distance < 1e-5) {
                break;
            }
            before = distance;
            int count = find(&p, 0.1, touch);
            if (distance <= 0.1) {
                double lowest = convex_lowest(touch, count);
                TEST_CHECK(fabs(lowest - distance) < 1e-9, "trial %d: gap %.12g, not %.12g", trial, lowest, distance);
                met++;
            } else {
                TEST_CHECK(count == 0, "trial %d: %d points at %g", trial, count, distance);
            }
            p.fa.position.z -= distance < 0.1 ? distance : 0.1;
        }
        assert_true(before < 0.1);
        crn_shape_destroy(a);
    }
    TEST_CHECK(met > 300, "%d", met);
    crn_shape_destroy(field);
}

/* However deep, something pushes up. */
static void test_deep(void **state)
{
    (void)state;
    crn_random random = test_random("test_deep", 6);
    crn_touch touch[CONVEX_TOUCHES];
    crn_shape *field = field_of(wavy, 25, 25, 0.15, 0.12);
    crn_frame home = convex_frame(0, 0, 0, crn_v3(0, 0, 0));
    for (int number = 0; number < SOLIDS; ++number) {
        crn_shape *a = solid(number, &random);
        for (int trial = 0; trial < 300; ++trial) {
            convex_pair p = {a, field, convex_random_frame(&random, 0.8), home};
            p.fa.position.z = wavy(p.fa.position.x, p.fa.position.y) - crn_random_uniform(&random, 0.0, 1.0);
            int count = find(&p, 0.01, touch), pushes = 0;
            for (int k = 0; k < count; ++k) {
                pushes += touch[k].gap < -0.05 && touch[k].normal.z > 0.3;
            }
            TEST_CHECK(pushes > 0, "solid %d, trial %d: nothing pushes up (%d points)", number, trial, count);
        }
        crn_shape_destroy(a);
    }
    crn_shape_destroy(field);
}

/* Over ridges, valleys and seams the lowest gap of a body that moves by d changes by no more than 2 d, near the surface: apart
 * it is d, but in an overlap each feature has its own way out. */
static void test_continuity(void **state)
{
    (void)state;
    crn_random random = test_random("test_continuity", 7);
    crn_touch touch[CONVEX_TOUCHES];
    crn_shape *field = field_of(wavy, 25, 25, 0.15, 0.12);
    crn_frame home = convex_frame(0, 0, 0, crn_v3(0, 0, 0));
    const double step = 5e-4;
    for (int number = 0; number < SOLIDS; ++number) {
        crn_shape *a = solid(number, &random);
        int jumps = 0, steps = 0;
        double worst = 0.0;
        for (int path = 0; path < 10; ++path) {
            convex_pair p = {a, field, convex_random_frame(&random, 0.3), home};
            p.fa.position.z = 0.6;
            double angle = crn_random_uniform(&random, 0.0, 6.28), before = (double)INFINITY, moved = 0.0;
            int count = find(&p, 2.0, touch);
            p.fa.position.z -= convex_lowest(touch, count);
            for (int k = 0; k < 300; ++k) {
                p.fa.position.x += step * cos(angle);
                p.fa.position.y += step * sin(angle);
                count = find(&p, 0.1, touch);
                double gap = convex_lowest(touch, count);
                if (fabs(gap) < 0.02 && fabs(before) < 0.02) {
                    steps++;
                    jumps += fabs(gap - before) > 2.0 * moved;
                    worst = fmax(worst, fabs(gap - before) / moved);
                }
                double sink = count > 0 ? 0.2 * (gap + 0.001) : 0.0; /* follow the ground, 1 mm in it */
                before = gap;
                p.fa.position.z -= sink;
                moved = sqrt(step * step + sink * sink);
            }
        }
        print_message("solid %d: %d jumps in %d steps, worst %.2g of the way\n", number, jumps, steps, worst);
        TEST_CHECK(jumps == 0, "solid %d: %d jumps in %d steps, worst %g of the way", number, jumps, steps, worst);
        crn_shape_destroy(a);
    }
    crn_shape_destroy(field);
}

/* Swapping a and b turns the normals round and changes nothing else. */
static void test_swap(void **state)
{
    (void)state;
    crn_random random = test_random("test_swap", 8);
    crn_touch touch[CONVEX_TOUCHES], other[CONVEX_TOUCHES];
    crn_shape *field = field_of(wavy, 25, 25, 0.15, 0.12);
    for (int number = 0; number < SOLIDS; ++number) {
        crn_shape *a = solid(number, &random);
        for (int trial = 0; trial < 50; ++trial) {
            convex_pair p = {a, field, convex_random_frame(&random, 0.3), convex_random_frame(&random, 0.1)};
            convex_pair q = {field, a, p.fb, p.fa};
            int count = find(&p, 0.1, touch);
            assert_int_equal(count, find(&q, 0.1, other));
            for (int k = 0; k < count; ++k) {
                other[k].normal = crn_v3_scale(-1.0, other[k].normal);
                assert_memory_equal(&touch[k].point, &other[k].point, sizeof touch[k].point);
                assert_memory_equal(&touch[k].normal, &other[k].normal, sizeof touch[k].normal);
                assert_true(touch[k].gap == other[k].gap && touch[k].key == other[k].key);
            }
        }
        crn_shape_destroy(a);
    }
    crn_shape_destroy(field);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flat),
        cmocka_unit_test(test_slope),
        cmocka_unit_test(test_seams_are_not_felt),
        cmocka_unit_test(test_roof),
        cmocka_unit_test(test_valley),
        cmocka_unit_test(test_tip_below_a_valley),
        cmocka_unit_test(test_ball_on_terrain),
        cmocka_unit_test(test_hull_on_terrain),
        cmocka_unit_test(test_deep),
        cmocka_unit_test(test_continuity),
        cmocka_unit_test(test_swap),
    };
    return TEST_RUN(tests, argc, argv);
}
