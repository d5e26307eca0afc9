/* Convex pairs: closed forms, the best separation found by other means, and the same answer when bodies are swapped, moved
 * together, or described in another way. */
#include "convex_case.h"

#include "collide/collide_room.h"

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

static void close_to(crn_vec3 x, crn_vec3 y, double tolerance)
{
    double d = crn_v3_length(crn_v3_sub(x, y));
    TEST_CHECK(d <= tolerance, "(%.15g %.15g %.15g) is not (%.15g %.15g %.15g)", x.x, x.y, x.z, y.x, y.y, y.z);
}

static const crn_vec3 straight = {0, 0, 0};

/* --- The shapes of the property tests: the last six are of this family, the others are met by them --- */

enum { SHAPES = 9, FIRST_OWN = 3 };
static const char *const name[SHAPES] = {"sphere",  "box",      "capsule",  "cylinder", "ellipsoid",
                                         "hull 20", "hull box", "hull 150", "cone"};

static void make_shapes(crn_shape *shape[SHAPES], crn_random *random)
{
    shape[0] = convex_shape(CRN_SHAPE_SPHERE, 0.4, 0, 0);
    shape[1] = convex_shape(CRN_SHAPE_BOX, 0.5, 0.3, 0.4);
    shape[2] = convex_shape(CRN_SHAPE_CAPSULE, 0.2, 0.5, 0);
    shape[3] = convex_shape(CRN_SHAPE_CYLINDER, 0.3, 0.5, 0);
    shape[4] = convex_shape(CRN_SHAPE_ELLIPSOID, 0.6, 0.3, 0.2);
    shape[5] = convex_random_hull(random, 20, 0.5, 0.5, 0.4);
    shape[6] = convex_box_hull(0.4, 0.3, 0.5);
    shape[7] = convex_random_hull(random, 150, 0.5, 0.6, 0.4);
    shape[8] = convex_shape(CRN_SHAPE_CONE, 0.4, 0.5, 0);
}

static void destroy_shapes(crn_shape *shape[SHAPES])
{
    for (int k = 0; k < SHAPES; ++k) {
        crn_shape_destroy(shape[k]);
    }
}

/* A random pose; every other one is moved along the normal to a gap of 1e-12 to 1e-2, half of them overlaps. */
static void pose(convex_pair *p, crn_random *random, int trial)
{
    crn_touch touch[CONVEX_TOUCHES];
    p->fa = convex_random_frame(random, 0.5);
    p->fb = convex_random_frame(random, 0.5);
    if (trial % 2 == 0) {
        int count = find(p, 10.0, touch), low = 0;
        for (int k = 0; k < count; ++k) {
            low = touch[k].gap < touch[low].gap ? k : low;
        }
        double size = pow(10.0, crn_random_uniform(random, -12.0, -2.0));
        double wanted = trial % 4 == 0 ? size : -size;
        p->fa.position = crn_v3_axpy(p->fa.position, wanted - touch[low].gap, touch[low].normal);
    }
}

/* --- Best separation --- */

/* Each touch has the same normal n and s(n) is the lowest gap; no direction separates more; apart, the points of the lowest
 * touch lie in the two bodies, so that no direction can. */
static void check_separation(const convex_pair *p, double reach, double tolerance, double other_best, const char *what)
{
    crn_touch touch[CONVEX_TOUCHES];
    int count = find(p, reach, touch);
    if (other_best > reach) {
        TEST_CHECK(count == 0, "%s: touches at %g", what, other_best);
        return;
    }
    if (count == 0) {
        TEST_CHECK(other_best > reach - tolerance, "%s: nothing found, separation %g", what, other_best);
        return;
    }
    double lowest = convex_lowest(touch, count);
    TEST_CHECK(lowest >= other_best - tolerance, "%s: gap %.15g, but %.15g is possible", what, lowest, other_best);
    for (int k = 0; k < count; ++k) {
        double s = convex_separation(p, touch[k].normal);
        TEST_CHECK(fabs(s - lowest) < 1e-9, "%s: s(n) = %.15g, gap %.15g", what, s, lowest);
        if (touch[k].gap == lowest && lowest > 0.0) {
            crn_vec3 on_a = crn_v3_axpy(touch[k].point, 0.5 * lowest, touch[k].normal);
            crn_vec3 on_b = crn_v3_axpy(touch[k].point, -0.5 * lowest, touch[k].normal);
            double off = fmax(convex_outside(p->a, &p->fa, on_a), convex_outside(p->b, &p->fb, on_b));
            TEST_CHECK(off < 1e-6, "%s: point off by %g", what, off);
        }
    }
}

static void test_best_separation(void **state)
{
    (void)state;
    crn_random random = test_random("test_best_separation", 1);
    crn_shape *shape[SHAPES];
    make_shapes(shape, &random);
    for (int i = 0; i < SHAPES; ++i) {
        for (int j = i < FIRST_OWN ? FIRST_OWN : i; j < SHAPES; ++j) {
            char what[64];
            (void)snprintf(what, sizeof what, "%s, %s", name[i], name[j]);
            for (int trial = 0; trial < 16; ++trial) {
                convex_pair p = {.a = shape[i], .b = shape[j]};
                pose(&p, &random, trial);
                check_separation(&p, 0.1, 1e-9, convex_best_separation(&p, 200), what);
            }
        }
    }
    destroy_shapes(shape);
}

/* Of overlapping polyhedra the best direction is the normal of a face or across two edges: all of them. */
static double all_directions(const convex_pair *p)
{
    const crn_polyhedron *h[2] = {p->a->polyhedron, p->b->polyhedron};
    const crn_frame *f[2] = {&p->fa, &p->fb};
    double best = -(double)INFINITY;
    for (int k = 0; k < 2; ++k) {
        for (int i = 0; i < h[k]->faces; ++i) {
            crn_vec3 n = crn_m3_times(&f[k]->rotation, crn_v3_of(h[k]->face_normal + 3 * (ptrdiff_t)i));
            best = fmax(best, convex_separation(p, crn_v3_scale(k == 0 ? -1.0 : 1.0, n)));
        }
    }
    for (int i = 0; i < h[0]->edges; ++i) {
        for (int j = 0; j < h[1]->edges; ++j) {
            crn_vec3 e[2];
            for (int k = 0; k < 2; ++k) {
                const int *edge = h[k]->edge + 4 * (ptrdiff_t)(k == 0 ? i : j);
                e[k] = crn_m3_times(&f[k]->rotation, crn_v3_sub(crn_v3_of(h[k]->vertex + 3 * (ptrdiff_t)edge[1]),
                                                                crn_v3_of(h[k]->vertex + 3 * (ptrdiff_t)edge[0])));
            }
            crn_vec3 n = crn_v3_cross(e[0], e[1]);
            if (crn_v3_length(n) > 1e-9 * crn_v3_length(e[0]) * crn_v3_length(e[1])) {
                n = crn_v3_unit(n);
                best = fmax(best, convex_separation(p, n));
                best = fmax(best, convex_separation(p, crn_v3_scale(-1.0, n)));
            }
        }
    }
    return best;
}

static void test_overlapping_hulls(void **state)
{
    (void)state;
    crn_random random = test_random("test_overlapping_hulls", 2);
    crn_touch touch[CONVEX_TOUCHES];
    int overlaps = 0;
    for (int trial = 0; trial < 300; ++trial) {
        crn_shape *a = trial % 3 == 0 ? convex_box_hull(0.3, 0.4, 0.5)
                                      : convex_random_hull(&random, 6 + trial % 20, 0.5, 0.4, 0.6);
        crn_shape *b = trial % 5 == 0 ? convex_box_hull(0.5, 0.4, 0.2) : convex_random_hull(&random, 15, 0.5, 0.5, 0.5);
        convex_pair p = {.a = a, .b = b};
        pose(&p, &random, trial);
        double best = all_directions(&p);
        if (best < 0.0) {
            overlaps++;
            double lowest = convex_lowest(touch, find(&p, 0.1, touch));
            TEST_CHECK(fabs(lowest - best) < 1e-12, "trial %d: gap %.15g, best of all directions %.15g", trial, lowest,
                       best);
        }
        crn_shape_destroy(a);
        crn_shape_destroy(b);
    }
    assert_true(overlaps > 150);
}

/* --- Closed forms --- */

static void test_sphere_with_cylinder(void **state)
{
    (void)state;
    crn_random random = test_random("test_sphere_with_cylinder", 3);
    crn_touch touch[CONVEX_TOUCHES];
    crn_shape *ball = convex_shape(CRN_SHAPE_SPHERE, 0.2, 0, 0),
              *cylinder = convex_shape(CRN_SHAPE_CYLINDER, 0.5, 0.7, 0);
    for (int trial = 0; trial < 2000; ++trial) {
        convex_pair p = {ball, cylinder, convex_random_frame(&random, 1.2), convex_random_frame(&random, 1.0)};
        crn_vec3 x = crn_frame_local(&p.fb, p.fa.position);
        double side = sqrt(x.x * x.x + x.y * x.y) - 0.5, cap = fabs(x.z) - 0.7, gap;
        if (side > 0.0 && cap > 0.0) {
            gap = sqrt(side * side + cap * cap) - 0.2;
        } else {
            gap = fmax(side, cap) - 0.2;
        }
        int count = find(&p, 0.3, touch);
        if (gap > 0.3) {
            assert_int_equal(count, 0);
        } else {
            assert_int_equal(count, 1);
            TEST_CHECK(fabs(touch[0].gap - gap) < 1e-13, "gap %.15g, not %.15g", touch[0].gap, gap);
            crn_vec3 on_ball = crn_v3_axpy(touch[0].point, 0.5 * gap + 0.2, touch[0].normal);
            close_to(on_ball, p.fa.position, 1e-7);
        }
    }
    crn_shape_destroy(ball);
    crn_shape_destroy(cylinder);
}

/* Along their common axes ellipsoids are apart by what is left between the tips. */
static void test_ellipsoids_on_an_axis(void **state)
{
    (void)state;
    crn_touch touch[CONVEX_TOUCHES];
    crn_shape *a = convex_shape(CRN_SHAPE_ELLIPSOID, 0.5, 0.3, 0.2),
              *b = convex_shape(CRN_SHAPE_ELLIPSOID, 0.4, 0.6, 0.3);
    for (int k = -20; k <= 10; ++k) {
        double gap = 1e-3 * k;
        convex_pair p = {a, b, convex_frame(0, 0, 0.5 + gap, straight), convex_frame(0, 0, 0, straight)};
        int count = find(&p, 0.1, touch);
        assert_int_equal(count, 1);
        assert_true(fabs(touch[0].gap - gap) < 1e-15);
        close_to(touch[0].normal, crn_v3(0, 0, 1), 1e-9);
        close_to(touch[0].point, crn_v3(0, 0, 0.3 + 0.5 * gap), 1e-9);
    }
    crn_shape_destroy(a);
    crn_shape_destroy(b);
}

/* Ellipsoids of equal half axes are balls. */
static void test_round_ellipsoids(void **state)
{
    (void)state;
    crn_random random = test_random("test_round_ellipsoids", 4);
    crn_touch touch[CONVEX_TOUCHES];
    crn_shape *a = convex_shape(CRN_SHAPE_ELLIPSOID, 0.5, 0.5, 0.5),
              *b = convex_shape(CRN_SHAPE_ELLIPSOID, 0.3, 0.3, 0.3);
    for (int trial = 0; trial < 500; ++trial) {
        convex_pair p = {a, b, convex_random_frame(&random, 0.5), convex_random_frame(&random, 0.5)};
        double gap = crn_v3_length(crn_v3_sub(p.fa.position, p.fb.position)) - 0.8;
        int count = find(&p, 1.0, touch);
        assert_int_equal(count, 1);
        TEST_CHECK(fabs(touch[0].gap - gap) < 1e-12, "gap %.15g, not %.15g", touch[0].gap, gap);
    }
    crn_shape_destroy(a);
    crn_shape_destroy(b);
}

/* --- All points of faces and lines --- */

static void test_hull_on_hull(void **state)
{
    (void)state;
    crn_touch touch[CONVEX_TOUCHES];
    crn_shape *a = convex_box_hull(0.5, 0.5, 0.5), *b = convex_box_hull(0.5, 0.5, 0.5);
    for (int k = -3; k <= 3; ++k) {
        double gap = 1e-4 * k;
        /* turned by 45 degrees: the 8 corners of the overlap */
        convex_pair p = {a, b, convex_frame(0, 0, 1.0 + gap, crn_v3(0, 0, 0.78539816339744831)),
                         convex_frame(0, 0, 0, straight)};
        int count = find(&p, 1e-2, touch);
        TEST_CHECK(count == 8, "%d points", count);
        for (int i = 0; i < count; ++i) {
            assert_true(fabs(touch[i].gap - gap) < 1e-15 && touch[i].normal.z == 1.0);
            crn_vec3 q = touch[i].point;
            assert_true(fabs(fmax(fabs(q.x), fabs(q.y)) - 0.5) < 1e-12);
            assert_true(fabs(q.z - 0.5 - 0.5 * gap) < 1e-15);
        }
        /* shifted: the 4 corners of a rectangle */
        p.fa = convex_frame(0.3, -0.2, 1.0 + gap, straight);
        count = find(&p, 1e-2, touch);
        TEST_CHECK(count == 4, "%d points", count);
        /* aligned: each corner of the square from either side, and nothing else */
        p.fa = convex_frame(0, 0, 1.0 + gap, straight);
        count = find(&p, 1e-2, touch);
        TEST_CHECK(count >= 4 && count <= 16, "%d points", count);
        for (int i = 0; i < count; ++i) {
            assert_true(fabs(fabs(touch[i].point.x) - 0.5) < 1e-12 && fabs(fabs(touch[i].point.y) - 0.5) < 1e-12);
        }
    }
    crn_shape_destroy(a);
    crn_shape_destroy(b);
}

/* A prism with 60 sides stands on a face: all 60 corners, no cap on their number. */
static void test_many_corners(void **state)
{
    (void)state;
    enum { SIDES = 60 };
    double points[6 * SIDES];
    for (int k = 0; k < 2 * SIDES; ++k) {
        double angle = 2.0 * 3.14159265358979323846 * k / SIDES;
        crn_v3_to(crn_v3(0.5 * cos(angle), 0.5 * sin(angle), k < SIDES ? -0.2 : 0.2), points + 3 * (ptrdiff_t)k);
    }
    crn_shape_def def = {.kind = CRN_SHAPE_HULL, .points = points, .count = 2 * SIDES};
    crn_shape *prism = convex_make(&def), *box = convex_shape(CRN_SHAPE_BOX, 1, 1, 1);
    crn_touch touch[CONVEX_TOUCHES];
    convex_pair p = {prism, box, convex_frame(0.1, 0.2, 1.2, straight), convex_frame(0, 0, 0, straight)};
    assert_int_equal(prism->polyhedron->faces, SIDES + 2);
    assert_int_equal(find(&p, 1e-3, touch), SIDES);
    /* room for ten: the number is still told */
    assert_int_equal(crn_collide(p.a, &p.fa, p.b, &p.fb, 1e-3, touch, 10), SIDES);
    assert_int_equal(crn_collide(p.a, &p.fa, p.b, &p.fb, 1e-3, NULL, 0), SIDES);
    crn_shape_destroy(prism);
    crn_shape_destroy(box);
}

static void test_cylinder_on_box(void **state)
{
    (void)state;
    crn_touch touch[CONVEX_TOUCHES];
    crn_shape *cylinder = convex_shape(CRN_SHAPE_CYLINDER, 0.3, 0.4, 0), *box = convex_shape(CRN_SHAPE_BOX, 1, 1, 1);
    for (int k = -3; k <= 3; ++k) {
        double gap = 1e-4 * k;
        /* upright: 16 corners of the rim */
        convex_pair p = {cylinder, box, convex_frame(0.1, 0.2, 1.4 + gap, crn_v3(0, 0, 0.3)),
                         convex_frame(0, 0, 0, straight)};
        int count = find(&p, 1e-2, touch);
        TEST_CHECK(count == 16, "upright: %d points", count);
        for (int i = 0; i < count; ++i) {
            assert_true(fabs(touch[i].gap - gap) < 1e-15);
        }
        /* half over the edge: the rim crosses the edge of the box twice */
        p.fa = convex_frame(1.0, 0.2, 1.4 + gap, crn_v3(0, 0, 0.3));
        count = find(&p, 1e-2, touch);
        int crossings = 0;
        for (int i = 0; i < count; ++i) {
            crn_vec3 q = touch[i].point;
            assert_true(q.x < 1.0 + 1e-12);
            crossings += fabs(q.x - 1.0) < 1e-12 && fabs(fabs(q.y - 0.2) - 0.3) < 1e-12;
        }
        TEST_CHECK(count == 10 && crossings == 2, "over the edge: %d points, %d crossings", count, crossings);
        /* tilted: the lowest point of the rim is exact */
        p.fa = convex_frame(0.1, 0.2, 1.0 + gap + 0.4 * cos(0.05) + 0.3 * sin(0.05), crn_v3(0.03, 0.04, 0));
        count = find(&p, 1e-2, touch);
        TEST_CHECK(count > 1 && fabs(convex_lowest(touch, count) - gap) < 1e-15, "tilted: %d points, %g", count,
                   convex_lowest(touch, count) - gap);
        /* lying: the two ends of the line */
        p.fa = convex_frame(0.1, 0.2, 1.3 + gap, crn_v3(0, 1.5707963267948966, 0));
        count = find(&p, 1e-2, touch);
        TEST_CHECK(count == 2, "lying: %d points", count);
        for (int i = 0; i < count; ++i) {
            assert_true(fabs(touch[i].gap - gap) < 1e-15 && fabs(fabs(touch[i].point.x - 0.1) - 0.4) < 1e-12);
        }
    }
    crn_shape_destroy(cylinder);
    crn_shape_destroy(box);
}

/* Parallel rods touch in the two ends of their common stretch; crossed ones in a point. */
static void test_rods(void **state)
{
    (void)state;
    crn_touch touch[CONVEX_TOUCHES];
    crn_shape *rod[2] = {convex_shape(CRN_SHAPE_CAPSULE, 0.2, 0.5, 0), convex_shape(CRN_SHAPE_CYLINDER, 0.3, 0.5, 0)};
    crn_shape *cylinder = convex_shape(CRN_SHAPE_CYLINDER, 0.1, 0.6, 0);
    for (int k = -3; k <= 3; ++k) {
        for (int r = 0; r < 2; ++r) {
            double gap = 1e-4 * k, apart = (r == 0 ? 0.2 : 0.3) + 0.1 + gap;
            convex_pair p = {rod[r], cylinder, convex_frame(apart, 0, 0.3, straight), convex_frame(0, 0, 0, straight)};
            int count = find(&p, 1e-3, touch);
            TEST_CHECK(count == 2, "parallel: %d points", count);
            double low = fmin(touch[0].point.z, touch[1].point.z), high = fmax(touch[0].point.z, touch[1].point.z);
            assert_true(fabs(low + 0.2) < 1e-9 && fabs(high - 0.6) < 1e-9);
            for (int i = 0; i < count; ++i) {
                assert_true(fabs(touch[i].gap - gap) < 1e-12);
                close_to(touch[i].normal, crn_v3(1, 0, 0), 1e-9);
            }
            p.fa = convex_frame(apart, 0.1, 0.2, crn_v3(1.2, 0, 0));
            count = find(&p, 1e-3, touch);
            TEST_CHECK(count == 1, "crossed: %d points", count);
            assert_true(fabs(touch[0].gap - gap) < 1e-12);
        }
    }
    crn_shape_destroy(rod[0]);
    crn_shape_destroy(rod[1]);
    crn_shape_destroy(cylinder);
}

/* Cubes whose edges cross 10 mm deep: that depth, along the common normal of the edges. */
static void test_crossed_edges(void **state)
{
    (void)state;
    crn_touch touch[CONVEX_TOUCHES];
    crn_shape *a = convex_box_hull(0.5, 0.5, 0.5), *b = convex_box_hull(0.5, 0.5, 0.5);
    const double quarter = 0.78539816339744831, depth = 0.01;
    convex_pair p = {a, b, convex_frame(0, 0, 2.0 * 0.5 * sqrt(2.0) - depth, crn_v3(quarter, 0, 0)),
                     convex_frame(0, 0, 0, crn_v3(0, quarter, 0))};
    int count = find(&p, 1e-3, touch);
    assert_int_equal(count, 1);
    assert_true(fabs(touch[0].gap + depth) < 1e-15);
    close_to(touch[0].normal, crn_v3(0, 0, 1), 1e-15);
    close_to(touch[0].point, crn_v3(0, 0, 0.5 * sqrt(2.0) - 0.5 * depth), 1e-15);
    crn_shape_destroy(a);
    crn_shape_destroy(b);
}

/* --- The same in another way --- */

/* A box and its hull, against boxes, balls and rods: the same gap. */
static void test_box_as_hull(void **state)
{
    (void)state;
    crn_random random = test_random("test_box_as_hull", 5);
    crn_touch touch[CONVEX_TOUCHES];
    crn_shape *box = convex_shape(CRN_SHAPE_BOX, 0.4, 0.3, 0.5), *hull = convex_box_hull(0.4, 0.3, 0.5);
    crn_shape *other[4] = {convex_shape(CRN_SHAPE_BOX, 0.5, 0.2, 0.3), convex_shape(CRN_SHAPE_SPHERE, 0.3, 0, 0),
                           convex_shape(CRN_SHAPE_CAPSULE, 0.2, 0.4, 0), convex_shape(CRN_SHAPE_CYLINDER, 0.2, 0.4, 0)};
    for (int k = 0; k < 4; ++k) {
        for (int trial = 0; trial < 500; ++trial) {
            convex_pair p = {.a = other[k], .b = hull};
            pose(&p, &random, trial);
            double of_hull = convex_lowest(touch, find(&p, 0.2, touch));
            p.b = box;
            double of_box = convex_lowest(touch, find(&p, 0.2, touch));
            /* box with box has its own way, which is held to less */
            TEST_CHECK(of_hull == of_box || fabs(of_hull - of_box) < (k == 0 ? 1e-8 : 1e-9),
                       "other %d, trial %d: hull %.15g, box %.15g", k, trial, of_hull, of_box);
            TEST_CHECK(of_hull > of_box - 1e-9 || of_hull == of_box, "other %d, trial %d: hull %.15g, box %.15g", k,
                       trial, of_hull, of_box);
        }
        crn_shape_destroy(other[k]);
    }
    crn_shape_destroy(box);
    crn_shape_destroy(hull);
}

/* Swapping a and b turns the normals round and changes no other bit. */
static void test_swap(void **state)
{
    (void)state;
    crn_random random = test_random("test_swap", 6);
    crn_touch touch[CONVEX_TOUCHES], other[CONVEX_TOUCHES];
    crn_shape *shape[SHAPES];
    make_shapes(shape, &random);
    for (int i = 0; i < SHAPES; ++i) {
        for (int j = i < FIRST_OWN ? FIRST_OWN : i; j < SHAPES; ++j) {
            for (int trial = 0; trial < 50; ++trial) {
                convex_pair p = {.a = shape[i], .b = shape[j]};
                pose(&p, &random, trial);
                convex_pair q = {p.b, p.a, p.fb, p.fa};
                int count = find(&p, 0.1, touch);
                assert_int_equal(count, find(&q, 0.1, other));
                for (int k = 0; k < count; ++k) {
                    other[k].normal = crn_v3_scale(-1.0, other[k].normal);
                    assert_memory_equal(&touch[k].point, &other[k].point, sizeof touch[k].point);
                    assert_memory_equal(&touch[k].normal, &other[k].normal, sizeof touch[k].normal);
                    assert_true(touch[k].gap == other[k].gap && touch[k].key == other[k].key);
                }
            }
        }
    }
    destroy_shapes(shape);
}

/* Moving both bodies together moves the touches. */
static void test_moved_together(void **state)
{
    (void)state;
    crn_random random = test_random("test_moved_together", 7);
    crn_touch touch[CONVEX_TOUCHES], other[CONVEX_TOUCHES];
    crn_shape *shape[SHAPES];
    make_shapes(shape, &random);
    int poses = 0, same_count = 0;
    for (int i = 0; i < SHAPES; ++i) {
        for (int j = i < FIRST_OWN ? FIRST_OWN : i; j < SHAPES; ++j) {
            for (int trial = 0; trial < 50; ++trial) {
                convex_pair p = {.a = shape[i], .b = shape[j]};
                pose(&p, &random, trial);
                crn_frame move = convex_random_frame(&random, 3.0);
                convex_pair q = {p.a, p.b, crn_frame_product(&move, &p.fa), crn_frame_product(&move, &p.fb)};
                int count = find(&p, 0.1, touch), moved = find(&q, 0.1, other);
                poses++;
                same_count += count == moved;
                if (count == 0 || moved == 0) {
                    assert_int_equal(count, moved);
                    continue;
                }
                double gap = convex_lowest(touch, count), own = convex_lowest(other, moved);
                TEST_CHECK(fabs(gap - own) < 1e-10, "%s, %s: gap %.15g, moved %.15g", name[i], name[j], gap, own);
            }
        }
    }
    TEST_CHECK(same_count > 0.99 * poses, "%d of %d poses have as many points", same_count, poses);
    destroy_shapes(shape);
}

/* Along straight paths from apart to deep the gap never changes by more than the way. */
static void test_through_zero(void **state)
{
    (void)state;
    crn_random random = test_random("test_through_zero", 8);
    crn_touch touch[CONVEX_TOUCHES];
    crn_shape *shape[SHAPES];
    make_shapes(shape, &random);
    for (int i = 0; i < SHAPES; ++i) {
        for (int j = i < FIRST_OWN ? FIRST_OWN : i; j < SHAPES; ++j) {
            for (int path = 0; path < 3; ++path) {
                convex_pair p = {.a = shape[i], .b = shape[j]};
                pose(&p, &random, 0);
                crn_vec3 way = convex_direction(&random);
                const double step = path < 2 ? 1e-9 : 5e-4;
                double before = (double)INFINITY;
                p.fa.position = crn_v3_axpy(p.fa.position, -20.0 * step, way);
                for (int k = 0; k < 40; ++k) {
                    p.fa.position = crn_v3_axpy(p.fa.position, step, way);
                    int count = find(&p, 1.0, touch);
                    assert_true(count > 0);
                    double gap = convex_lowest(touch, count);
                    TEST_CHECK(k == 0 || fabs(gap - before) <= step * (1.0 + 1e-9) + 2e-11, "%s, %s: gap %g after %g",
                               name[i], name[j], gap, before);
                    before = gap;
                }
            }
        }
    }
    destroy_shapes(shape);
}

/* Bodies with the same centre: depth, not nonsense. */
static void test_same_place(void **state)
{
    (void)state;
    crn_random random = test_random("test_same_place", 9);
    crn_shape *shape[SHAPES];
    make_shapes(shape, &random);
    for (int i = 0; i < SHAPES; ++i) {
        for (int j = i < FIRST_OWN ? FIRST_OWN : i; j < SHAPES; ++j) {
            for (int turned = 0; turned < 2; ++turned) {
                convex_pair p = {shape[i], shape[j], convex_frame(0, 0, 0, turned ? crn_v3(0.3, 0.2, 0.1) : straight),
                                 convex_frame(0, 0, 0, straight)};
                check_separation(&p, 0.1, 1e-9, convex_best_separation(&p, 200), name[j]);
            }
        }
    }
    destroy_shapes(shape);
}

/* Thin plates, needles and sizes from 1e-4 to 1e4. */
static void test_odd_sizes(void **state)
{
    (void)state;
    crn_random random = test_random("test_odd_sizes", 10);
    for (int trial = 0; trial < 100; ++trial) {
        crn_shape *shape[2];
        double scale = pow(10.0, crn_random_uniform(&random, -4.0, 4.0));
        for (int k = 0; k < 2; ++k) {
            double x = scale * pow(10.0, crn_random_uniform(&random, -2.0, 0.0));
            double y = scale * pow(10.0, crn_random_uniform(&random, -2.0, 0.0));
            double z = scale * pow(10.0, crn_random_uniform(&random, -2.0, 0.0));
            int kind = crn_random_below(&random, 4);
            shape[k] = kind == 0   ? convex_shape(CRN_SHAPE_CYLINDER, x, y, 0)
                       : kind == 1 ? convex_shape(CRN_SHAPE_ELLIPSOID, x, y, z)
                       : kind == 2 ? convex_box_hull(x, y, z)
                                   : convex_random_hull(&random, 12, x, y, z);
        }
        convex_pair p = {shape[0], shape[1], convex_random_frame(&random, 0.6 * scale),
                         convex_random_frame(&random, 0.6 * scale)};
        crn_touch touch[CONVEX_TOUCHES];
        int count = find(&p, 0.2 * scale, touch);
        double best = convex_best_separation(&p, 600);
        if (count == 0) {
            TEST_CHECK(best > 0.2 * scale * (1.0 - 1e-9), "trial %d: nothing at %g of %g", trial, best, scale);
        } else {
            double lowest = convex_lowest(touch, count);
            TEST_CHECK(lowest > best - 1e-9 * scale, "trial %d: gap %.12g, possible %.12g, scale %g", trial, lowest,
                       best, scale);
            TEST_CHECK(fabs(convex_separation(&p, touch[0].normal) - lowest) < 1e-9 * scale, "trial %d", trial);
        }
        crn_shape_destroy(shape[0]);
        crn_shape_destroy(shape[1]);
    }
}

static void test_bounds(void **state)
{
    (void)state;
    crn_random random = test_random("test_bounds", 11);
    crn_shape *shape[SHAPES];
    make_shapes(shape, &random);
    for (int i = FIRST_OWN; i < SHAPES; ++i) {
        for (int trial = 0; trial < 50; ++trial) {
            crn_frame f = convex_random_frame(&random, 2.0);
            crn_bounds b = crn_shape_bounds(shape[i], &f, 0.0);
            for (int k = 0; k < 3; ++k) {
                crn_vec3 axis = crn_v3(k == 0, k == 1, k == 2);
                assert_true(fabs(b.high[k] - convex_support(shape[i], &f, axis)) < 1e-14);
                assert_true(fabs(b.low[k] + convex_support(shape[i], &f, crn_v3_scale(-1.0, axis))) < 1e-14);
            }
        }
    }
    destroy_shapes(shape);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_best_separation),
        cmocka_unit_test(test_overlapping_hulls),
        cmocka_unit_test(test_sphere_with_cylinder),
        cmocka_unit_test(test_ellipsoids_on_an_axis),
        cmocka_unit_test(test_round_ellipsoids),
        cmocka_unit_test(test_hull_on_hull),
        cmocka_unit_test(test_many_corners),
        cmocka_unit_test(test_cylinder_on_box),
        cmocka_unit_test(test_rods),
        cmocka_unit_test(test_crossed_edges),
        cmocka_unit_test(test_box_as_hull),
        cmocka_unit_test(test_swap),
        cmocka_unit_test(test_moved_together),
        cmocka_unit_test(test_through_zero),
        cmocka_unit_test(test_same_place),
        cmocka_unit_test(test_odd_sizes),
        cmocka_unit_test(test_bounds),
    };
    return TEST_RUN(tests, argc, argv);
}
