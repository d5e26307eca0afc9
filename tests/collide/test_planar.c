/* Planar shapes: analytic cases; the separation s(n) as oracle for every pair over random poses; swapping, moving both,
 * sweeping through zero; hull, mass and bounds of polygons.
 *
 * The oracle is independent of the library: support functions in world coordinates and a scan over the angle. */
#include "collide/shape.h"
#include "test_support.h"

#include <math.h>

#define PI       3.14159265358979323846
#define CAPACITY 64

/* Sizes are about 1 and positions up to 3: a few tens of roundings. */
#define ROUNDING 2e-14

/* --- Shapes and frames -------------------------------------------------------------------------------------------- */

static crn_shape *make(crn_shape_kind kind, double x, double y)
{
    crn_shape_def def = {.kind = kind, .size = {x, y, 0.0}};
    crn_shape *shape = NULL;
    assert_int_equal(crn_shape_create(&def, NULL, &shape, NULL), CRN_OK);
    return shape;
}

static crn_shape *make_polygon(const double *points, int count)
{
    crn_shape_def def = {.kind = CRN_SHAPE_POLYGON, .points = points, .count = count};
    crn_shape *shape = NULL;
    assert_int_equal(crn_shape_create(&def, NULL, &shape, NULL), CRN_OK);
    return shape;
}

static crn_shape *make_box(double half_x, double half_y)
{
    const double p[] = {-half_x, -half_y, half_x, -half_y, half_x, half_y, -half_x, half_y};
    return make_polygon(p, 4);
}

static crn_shape *make_regular(int count, double radius)
{
    double p[2 * 128];
    for (int i = 0; i < count; ++i) {
        p[2 * i] = radius * cos(2.0 * PI * i / count);
        p[2 * i + 1] = radius * sin(2.0 * PI * i / count);
    }
    return make_polygon(p, count);
}

static crn_shape *make_random(crn_random *random, crn_shape_kind kind)
{
    switch (kind) {
    case CRN_SHAPE_DISK: return make(kind, crn_random_uniform(random, 0.1, 1.0), 0.0);
    case CRN_SHAPE_ELLIPSE:
        return make(kind, crn_random_uniform(random, 0.1, 1.0), crn_random_uniform(random, 0.1, 1.0));
    case CRN_SHAPE_SEGMENT: {
        double radius = crn_random_below(random, 3) == 0 ? 0.0 : crn_random_uniform(random, 0.05, 0.5);
        return make(kind, crn_random_uniform(random, 0.1, 1.0), radius);
    }
    case CRN_SHAPE_POLYGON: {
        double p[2 * 12];
        int count = 3 + crn_random_below(random, 10);
        for (int i = 0; i < 2 * count; ++i) {
            p[i] = crn_random_uniform(random, -1.0, 1.0);
        }
        return make_polygon(p, count);
    }
    default: return make(CRN_SHAPE_HALF_PLANE, 0.0, 0.0);
    }
}

static crn_frame frame_at(double x, double y, double angle)
{
    double c = cos(angle), s = sin(angle);
    return (crn_frame){{{c, s, 0.0, -s, c, 0.0, 0.0, 0.0, 1.0}}, {x, y, 0.0}};
}

static crn_frame random_frame(crn_random *random, double spread)
{
    return frame_at(crn_random_uniform(random, -spread, spread), crn_random_uniform(random, -spread, spread),
                    crn_random_uniform(random, -PI, PI));
}

static const crn_shape_kind all_kinds[] = {CRN_SHAPE_DISK, CRN_SHAPE_ELLIPSE, CRN_SHAPE_POLYGON, CRN_SHAPE_SEGMENT,
                                           CRN_SHAPE_HALF_PLANE};
#define KINDS 5

/* --- The oracle --------------------------------------------------------------------------------------------------- */

/* max of n'x over the shape */
static double support(const crn_shape *shape, const crn_frame *f, double nx, double ny)
{
    const crn_shape_def *def = crn_shape_definition(shape);
    double c = f->rotation.m[0], s = f->rotation.m[1];
    double lx = c * nx + s * ny, ly = c * ny - s * nx, at = nx * f->position.x + ny * f->position.y;
    switch (def->kind) {
    case CRN_SHAPE_DISK: return at + def->size.x;
    case CRN_SHAPE_ELLIPSE: return at + hypot(def->size.x * lx, def->size.y * ly);
    case CRN_SHAPE_SEGMENT: return at + def->size.x * fabs(lx) + def->size.y;
    case CRN_SHAPE_HALF_PLANE: return lx == 0.0 || fabs(lx) < 1e-15 ? (ly > 0.0 ? at : INFINITY) : INFINITY;
    default: {
        double best = -INFINITY;
        for (int i = 0; i < def->count; ++i) {
            best = fmax(best, def->points[2 * i] * lx + def->points[2 * i + 1] * ly);
        }
        return at + best;
    }
    }
}

typedef struct two {
    const crn_shape *a, *b;
    crn_frame fa, fb;
} two;

static double separation(const two *t, double nx, double ny)
{
    return -support(t->a, &t->fa, -nx, -ny) - support(t->b, &t->fb, nx, ny);
}

static double separation_at(const two *t, double angle)
{
    return separation(t, cos(angle), sin(angle));
}

/* max of s over the angle: a scan, then golden section about each local maximum of it. */
static double signed_gap(const two *t)
{
    enum { STEPS = 2000 };
    static double s[STEPS];
    double best = -INFINITY;
    for (int i = 0; i < STEPS; ++i) {
        s[i] = separation_at(t, 2.0 * PI * i / STEPS);
        best = fmax(best, s[i]);
    }
    for (int i = 0; i < STEPS; ++i) {
        if (s[i] < s[(i + STEPS - 1) % STEPS] || s[i] < s[(i + 1) % STEPS]) {
            continue;
        }
        const double g = 0.6180339887498949;
        double lo = 2.0 * PI * (i - 1) / STEPS, hi = 2.0 * PI * (i + 1) / STEPS;
        double x = hi - g * (hi - lo), y = lo + g * (hi - lo), sx = separation_at(t, x), sy = separation_at(t, y);
        for (int k = 0; k < 80; ++k) {
            if (sx > sy) {
                hi = y, y = x, sy = sx, x = hi - g * (hi - lo), sx = separation_at(t, x);
            } else {
                lo = x, x = y, sx = sy, y = lo + g * (hi - lo), sy = separation_at(t, y);
            }
        }
        best = fmax(best, fmax(sx, sy));
    }
    return best;
}

/* A half-plane separates along its own normal only. */
static double signed_gap_any(const two *t)
{
    for (int k = 0; k < 2; ++k) {
        const crn_frame *f = k == 0 ? &t->fa : &t->fb;
        double sign = k == 0 ? -1.0 : 1.0;
        if (crn_shape_definition(k == 0 ? t->a : t->b)->kind == CRN_SHAPE_HALF_PLANE) {
            return separation(t, -sign * f->rotation.m[1], sign * f->rotation.m[0]);
        }
    }
    return signed_gap(t);
}

static int touch_them(const two *t, double reach, crn_touch *touch)
{
    int count = crn_collide(t->a, &t->fa, t->b, &t->fb, reach, touch, CAPACITY);
    assert_in_range(count, 0, CAPACITY);
    return count;
}

static int deepest(const crn_touch *touch, int count)
{
    int best = 0;
    for (int i = 1; i < count; ++i) {
        best = touch[i].gap < touch[best].gap ? i : best;
    }
    return best;
}

/* --- Analytic cases ----------------------------------------------------------------------------------------------- */

static void check_touch(const crn_touch *t, double x, double y, double nx, double ny, double gap)
{
    TEST_CHECK(fabs(t->point.x - x) < 1e-15 && fabs(t->point.y - y) < 1e-15 && t->point.z == 0.0,
               "point (%.17g %.17g %g) is not (%g %g)", t->point.x, t->point.y, t->point.z, x, y);
    TEST_CHECK(fabs(t->normal.x - nx) < 1e-15 && fabs(t->normal.y - ny) < 1e-15 && t->normal.z == 0.0,
               "normal (%.17g %.17g) is not (%g %g)", t->normal.x, t->normal.y, nx, ny);
    TEST_CHECK(fabs(t->gap - gap) < 1e-15, "gap %.17g is not %g", t->gap, gap);
}

static void test_disks(void **state)
{
    (void)state;
    crn_shape *a = make(CRN_SHAPE_DISK, 0.5, 0.0), *b = make(CRN_SHAPE_DISK, 0.25, 0.0);
    two t = {a, b, frame_at(0.6, 0.8, 1.0), frame_at(0.0, 0.0, 2.0)};
    crn_touch touch[CAPACITY];
    assert_int_equal(touch_them(&t, 0.25, touch), 1);
    check_touch(&touch[0], 0.375 * 0.6, 0.375 * 0.8, 0.6, 0.8, 0.25);
    assert_int_equal(touch_them(&t, 0.249, touch), 0);
    t.fa = frame_at(0.3, 0.4, 0.0); /* overlap */
    assert_int_equal(touch_them(&t, 0.0, touch), 1);
    check_touch(&touch[0], 0.125 * 0.6, 0.125 * 0.8, 0.6, 0.8, -0.25);
    t.fa = t.fb; /* one centre */
    assert_int_equal(touch_them(&t, 0.0, touch), 1);
    assert_true(touch[0].gap == -0.75 && fabs(hypot(touch[0].normal.x, touch[0].normal.y) - 1.0) < 1e-15);
    crn_shape_destroy(a);
    crn_shape_destroy(b);
}

static void test_box_on_box(void **state)
{
    (void)state;
    crn_shape *a = make_box(0.5, 0.5), *b = make_box(2.0, 0.5);
    crn_touch touch[CAPACITY];
    const double gaps[] = {0.125, 0.0, -0.125};
    for (int k = 0; k < 3; ++k) {
        two t = {a, b, frame_at(0.25, 1.0 + gaps[k], 0.0), frame_at(0.0, 0.0, 0.0)};
        assert_int_equal(touch_them(&t, 0.125, touch), 2);
        int left = touch[0].point.x < touch[1].point.x ? 0 : 1;
        check_touch(&touch[left], -0.25, 0.5 + 0.5 * gaps[k], 0.0, 1.0, gaps[k]);
        check_touch(&touch[1 - left], 0.75, 0.5 + 0.5 * gaps[k], 0.0, 1.0, gaps[k]);
        assert_true(touch[0].key < touch[1].key);
    }
    /* overhanging: one end from each */
    two t = {a, b, frame_at(2.25, 1.0, 0.0), frame_at(0.0, 0.0, 0.0)};
    assert_int_equal(touch_them(&t, 0.0, touch), 2);
    int left = touch[0].point.x < touch[1].point.x ? 0 : 1;
    check_touch(&touch[left], 1.75, 0.5, 0.0, 1.0, 0.0);
    check_touch(&touch[1 - left], 2.0, 0.5, 0.0, 1.0, 0.0);
    /* corner to corner: 3-4-5 */
    t.fa = frame_at(2.5 + 0.3, 1.0 + 0.4, 0.0);
    assert_int_equal(touch_them(&t, 0.6, touch), 1);
    check_touch(&touch[0], 2.15, 0.7, 0.6, 0.8, 0.5);
    assert_int_equal(touch_them(&t, 0.4, touch), 0);
    crn_shape_destroy(a);
    crn_shape_destroy(b);
}

/* A pile of equal blocks: rounding may not change which keys they get, nor may the order of the pair. */
static void test_aligned_blocks_keep_keys(void **state)
{
    (void)state;
    crn_random random = test_random("aligned", 11);
    crn_shape *a = make_box(0.5, 0.25);
    uint32_t keys[2] = {0, 0};
    for (int i = 0; i < 200; ++i) {
        crn_touch touch[CAPACITY];
        two t = {a, a,
                 frame_at(crn_random_uniform(&random, -1e-13, 1e-13), 0.5 + crn_random_uniform(&random, -1e-13, 1e-13),
                          crn_random_uniform(&random, -1e-13, 1e-13)),
                 frame_at(0.0, 0.0, 0.0)};
        assert_int_equal(touch_them(&t, 0.01, touch), 2);
        for (int k = 0; k < 2; ++k) {
            TEST_CHECK(i == 0 || touch[k].key == keys[k], "run %d: key %x was %x", i, touch[k].key, keys[k]);
            TEST_CHECK(fabs(touch[k].gap) < 1e-12 && touch[k].normal.y > 1.0 - 1e-12, "run %d: gap %g", i,
                       touch[k].gap);
            keys[k] = touch[k].key;
        }
    }
    /* shifted: start of each edge on the other; the features mirror one another, the keys must still differ */
    for (int k = 0; k < 2; ++k) {
        crn_touch touch[CAPACITY];
        two t = {a, a, frame_at(0.25, k * 0.5, 0.0), frame_at(0.0, (1 - k) * 0.5, 0.0)};
        assert_int_equal(touch_them(&t, 0.01, touch), 2);
        assert_true(touch[0].key != touch[1].key);
    }
    crn_shape_destroy(a);
}

static void test_segments(void **state)
{
    (void)state;
    crn_shape *a = make(CRN_SHAPE_SEGMENT, 1.0, 0.125), *b = make(CRN_SHAPE_SEGMENT, 1.0, 0.0);
    crn_touch touch[CAPACITY];
    two t = {a, b, frame_at(0.5, 0.25, 0.0), frame_at(0.0, 0.0, 0.0)};
    assert_int_equal(touch_them(&t, 0.2, touch), 2); /* side by side: both ends of the overlap */
    int left = touch[0].point.x < touch[1].point.x ? 0 : 1;
    check_touch(&touch[left], -0.5, 0.0625, 0.0, 1.0, 0.125);
    check_touch(&touch[1 - left], 1.0, 0.0625, 0.0, 1.0, 0.125);
    t.fa = frame_at(2.5, 0.0, 0.0); /* end to end */
    assert_int_equal(touch_them(&t, 0.5, touch), 1);
    check_touch(&touch[0], 1.1875, 0.0, 1.0, 0.0, 0.375);
    t.fa = frame_at(0.0, 1.5, 0.5 * PI); /* a T */
    assert_int_equal(touch_them(&t, 0.5, touch), 1);
    check_touch(&touch[0], 0.0, 0.1875, 0.0, 1.0, 0.375);
    crn_shape_destroy(a);
    crn_shape_destroy(b);
}

static void test_on_half_plane(void **state)
{
    (void)state;
    crn_shape *plane = make(CRN_SHAPE_HALF_PLANE, 0.0, 0.0);
    crn_shape *box = make_box(1.0, 0.5), *ellipse = make(CRN_SHAPE_ELLIPSE, 2.0, 1.0),
              *disk = make(CRN_SHAPE_DISK, 0.5, 0.0);
    crn_shape *bar = make(CRN_SHAPE_SEGMENT, 1.0, 0.25);
    crn_touch touch[CAPACITY];
    crn_frame ground = frame_at(0.0, 0.0, 0.0);
    two t = {box, plane, frame_at(3.0, 0.625, 0.0), ground};
    assert_int_equal(touch_them(&t, 10.0, touch), 2); /* never the vertices on top */
    check_touch(&touch[0], 2.0, 0.0625, 0.0, 1.0, 0.125);
    check_touch(&touch[1], 4.0, 0.0625, 0.0, 1.0, 0.125);
    t = (two){plane, box, ground, frame_at(3.0, 0.625, 0.0)};
    assert_int_equal(touch_them(&t, 0.125, touch), 2);
    check_touch(&touch[0], 2.0, 0.0625, 0.0, -1.0, 0.125);
    t = (two){ellipse, plane, frame_at(1.0, 2.25, 0.5 * PI), ground};
    assert_int_equal(touch_them(&t, 0.25, touch), 1);
    check_touch(&touch[0], 1.0, 0.125, 0.0, 1.0, 0.25);
    t = (two){disk, plane, frame_at(1.0, 0.25, 0.0), ground};
    assert_int_equal(touch_them(&t, 0.0, touch), 1);
    check_touch(&touch[0], 1.0, -0.125, 0.0, 1.0, -0.25);
    t = (two){bar, plane, frame_at(1.0, 0.5, 0.0), ground};
    assert_int_equal(touch_them(&t, 0.25, touch), 2);
    check_touch(&touch[0], 0.0, 0.125, 0.0, 1.0, 0.25);
    t = (two){plane, plane, ground, frame_at(0.0, 0.0, 1.0)};
    assert_int_equal(touch_them(&t, 1.0, touch), 0);
    crn_shape_destroy(plane);
    crn_shape_destroy(box);
    crn_shape_destroy(ellipse);
    crn_shape_destroy(disk);
    crn_shape_destroy(bar);
}

/* A finely cut wheel on a block: all vertices that it may roll onto. */
static void test_wheel_on_block(void **state)
{
    (void)state;
    crn_shape *wheel = make_regular(64, 1.0), *block = make_box(5.0, 1.0);
    crn_touch touch[CAPACITY];
    double angle = PI / 64.0; /* an edge at the bottom */
    two t = {wheel, block, frame_at(0.0, 2.0 + 1e-3, angle), frame_at(0.0, 0.0, 0.0)};
    int count = touch_them(&t, 0.05, touch);
    int expected = 0;
    for (int i = 0; i < 64; ++i) {
        double a = angle + 2.0 * PI * i / 64.0;
        expected += sin(a) < 0.0 && 1.0 + sin(a) + 1e-3 <= 0.05 && fabs(cos(a)) < 0.35;
    }
    TEST_CHECK(count == expected && count >= 6, "%d touches, not %d", count, expected);
    for (int i = 0; i < count; ++i) {
        double a = asin(touch[i].gap - 1e-3 - 1.0);
        TEST_CHECK(fabs(fabs(touch[i].point.x) - cos(a)) < 1e-13, "touch %d at x %.17g, gap %.17g", i, touch[i].point.x,
                   touch[i].gap);
    }
    crn_shape_destroy(wheel);
    crn_shape_destroy(block);
}

/* Two ellipses touch where their normals are opposite: build the pose from the touch. */
static void test_ellipses_from_touch(void **state)
{
    (void)state;
    crn_random random = test_random("ellipses", 5);
    double worst_gap = 0.0, worst_normal = 0.0;
    for (int i = 0; i < 2000; ++i) {
        double ratio = pow(10.0, crn_random_uniform(&random, -1.5, 0.0));
        crn_shape *a = make(CRN_SHAPE_ELLIPSE, 1.0, ratio);
        crn_shape *b =
            make(CRN_SHAPE_ELLIPSE, crn_random_uniform(&random, 0.2, 1.0), crn_random_uniform(&random, 0.2, 1.0));
        const crn_shape_def *da = crn_shape_definition(a), *db = crn_shape_definition(b);
        double angle = crn_random_uniform(&random, -PI, PI), nx = cos(angle), ny = sin(angle);
        double gap = crn_random_uniform(&random, -0.02 * ratio, 0.3);
        two t = {a, b, random_frame(&random, 2.0), random_frame(&random, 2.0)};
        /* support points relative to the centres: of a along -n, of b along n */
        double x[2][2];
        for (int k = 0; k < 2; ++k) {
            const crn_frame *f = k == 0 ? &t.fa : &t.fb;
            const crn_shape_def *d = k == 0 ? da : db;
            double sign = k == 0 ? -1.0 : 1.0, c = f->rotation.m[0], s = f->rotation.m[1];
            double lx = sign * (c * nx + s * ny), ly = sign * (c * ny - s * nx),
                   h = hypot(d->size.x * lx, d->size.y * ly);
            double px = d->size.x * d->size.x * lx / h, py = d->size.y * d->size.y * ly / h;
            x[k][0] = c * px - s * py;
            x[k][1] = s * px + c * py;
        }
        t.fa.position.x = t.fb.position.x + x[1][0] + gap * nx - x[0][0];
        t.fa.position.y = t.fb.position.y + x[1][1] + gap * ny - x[0][1];
        crn_touch touch[CAPACITY];
        assert_int_equal(touch_them(&t, 0.5, touch), 1);
        worst_gap = fmax(worst_gap, fabs(touch[0].gap - gap));
        worst_normal = fmax(worst_normal, hypot(touch[0].normal.x - nx, touch[0].normal.y - ny));
        TEST_CHECK(fabs(touch[0].gap - gap) < 1e-14, "run %d: gap %.17g is not %.17g", i, touch[0].gap, gap);
        crn_shape_destroy(a);
        crn_shape_destroy(b);
    }
    print_message("ellipses: gap error %.1e, normal error %.1e\n", worst_gap, worst_normal);
    assert_true(worst_normal < 1e-12);
}

/* --- Every pair over random poses --------------------------------------------------------------------------------- */

static void check_pose(const two *t, double reach, const char *what, int run)
{
    crn_touch touch[CAPACITY];
    int count = touch_them(t, reach, touch);
    double gap = signed_gap_any(t);
    /* the scan of the oracle is good to about 1e-9 where s is smooth and to 1e-13 at kinks (golden section) */
    if (gap > reach + 1e-8) {
        TEST_CHECK(count == 0, "%s run %d: %d touches at gap %g", what, run, count, gap);
        return;
    }
    if (gap > reach - 1e-8) {
        return;
    }
    TEST_CHECK(count > 0, "%s run %d: no touch at gap %.17g", what, run, gap);
    const crn_touch *low = &touch[deepest(touch, count)];
    TEST_CHECK(fabs(low->gap - gap) < 1e-9, "%s run %d: gap %.17g is not %.17g", what, run, low->gap, gap);
    double s = separation(t, low->normal.x, low->normal.y);
    bool has_plane = crn_shape_definition(t->a)->kind == CRN_SHAPE_HALF_PLANE ||
                     crn_shape_definition(t->b)->kind == CRN_SHAPE_HALF_PLANE;
    TEST_CHECK(has_plane || fabs(s - low->gap) < ROUNDING, "%s run %d: s(n) %.17g is not %.17g", what, run, s,
               low->gap);
    for (int i = 0; i < count; ++i) {
        TEST_CHECK(fabs(hypot(touch[i].normal.x, touch[i].normal.y) - 1.0) < 1e-15, "%s run %d: normal", what, run);
        TEST_CHECK(touch[i].gap <= reach && touch[i].point.z == 0.0 && touch[i].normal.z == 0.0, "%s run %d", what,
                   run);
        TEST_CHECK(i == 0 || touch[i - 1].key < touch[i].key, "%s run %d: keys %x %x", what, run, touch[i - 1].key,
                   touch[i].key);
    }
}

/* Each touch's two surface points lie on the shapes: point + gap n/2 in a, point - gap n/2 in b, and not deep inside. */
static void check_surfaces(const two *t, const crn_touch *touch, const char *what, int run)
{
    for (int side = 0; side < 2; ++side) {
        const crn_shape *shape = side == 0 ? t->a : t->b;
        const crn_frame *f = side == 0 ? &t->fa : &t->fb;
        double half = side == 0 ? 0.5 * touch->gap : -0.5 * touch->gap, sign = side == 0 ? -1.0 : 1.0;
        double x = touch->point.x + half * touch->normal.x, y = touch->point.y + half * touch->normal.y;
        /* on the supporting line of the deepest touch, and inside the shape */
        double nx = sign * touch->normal.x, ny = sign * touch->normal.y;
        double over = nx * x + ny * y - support(shape, f, nx, ny);
        TEST_CHECK(fabs(over) < ROUNDING, "%s run %d side %d: surface off by %g", what, run, side, over);
        for (int k = 0; k < 64; ++k) {
            double mx = cos(2.0 * PI * k / 64), my = sin(2.0 * PI * k / 64);
            double outside = mx * x + my * y - support(shape, f, mx, my);
            TEST_CHECK(outside < ROUNDING, "%s run %d side %d: point outside by %g", what, run, side, outside);
        }
    }
}

static void check_swap(const two *t, double reach, const char *what, int run)
{
    crn_touch one[CAPACITY], other[CAPACITY];
    two swapped = {t->b, t->a, t->fb, t->fa};
    int count = touch_them(t, reach, one);
    int count_swapped = touch_them(&swapped, reach, other);
    TEST_CHECK(count == count_swapped, "%s run %d: %d and %d", what, run, count, count_swapped);
    for (int i = 0; i < count; ++i) {
        TEST_CHECK(one[i].key == other[i].key, "%s run %d: keys %x %x", what, run, one[i].key, other[i].key);
        double gap = fabs(one[i].gap - other[i].gap),
               normal = hypot(one[i].normal.x + other[i].normal.x, one[i].normal.y + other[i].normal.y);
        double point = hypot(one[i].point.x - other[i].point.x, one[i].point.y - other[i].point.y);
        /* where an ellipse ends in a tip, 1e-16 in the touch is 1e-14 and more in the normal */
        TEST_CHECK(gap < ROUNDING && normal < 1e-11 && point < 1e-11, "%s run %d: swap %g %g %g", what, run, gap,
                   normal, point);
    }
}

/* The weaker form for poses with ties: as many touches, the same lowest gap. */
static void check_swapped_gaps(const two *t, double reach, int run)
{
    crn_touch one[CAPACITY], other[CAPACITY];
    two swapped = {t->b, t->a, t->fb, t->fa};
    int count = touch_them(t, reach, one);
    TEST_CHECK(touch_them(&swapped, reach, other) == count, "run %d: not %d", run, count);
    if (count > 0) {
        double gap = one[deepest(one, count)].gap - other[deepest(other, count)].gap;
        TEST_CHECK(fabs(gap) < ROUNDING, "run %d: swapped gap off by %g", run, gap);
    }
}

static void check_motion(const two *t, double reach, crn_random *random, const char *what, int run)
{
    crn_touch one[CAPACITY], other[CAPACITY];
    crn_frame motion = random_frame(random, 1.0);
    two moved = {t->a, t->b, crn_frame_product(&motion, &t->fa), crn_frame_product(&motion, &t->fb)};
    int count = touch_them(t, reach, one);
    int count_moved = touch_them(&moved, reach, other);
    if (count > 0 && fabs(one[count - 1].gap - reach) < 1e-12) {
        return;
    }
    TEST_CHECK(count == count_moved, "%s run %d: %d and %d", what, run, count, count_moved);
    if (count == 0) {
        return;
    }
    int i = deepest(one, count), k = deepest(other, count);
    crn_vec3 n = crn_m3_times(&motion.rotation, one[i].normal);
    TEST_CHECK(fabs(one[i].gap - other[k].gap) < ROUNDING, "%s run %d: gaps %.17g %.17g", what, run, one[i].gap,
               other[k].gap);
    TEST_CHECK(hypot(n.x - other[k].normal.x, n.y - other[k].normal.y) < 1e-11, "%s run %d: normals", what, run);
}

/* Is the largest s unique? Where two directions are equally good the answer may be either. */
static bool is_clear(const two *t, double gap)
{
    enum { STEPS = 720 };
    double best_angle = 0.0, best = -INFINITY, second = -INFINITY;
    for (int i = 0; i < STEPS; ++i) {
        double s = separation_at(t, 2.0 * PI * i / STEPS);
        if (s > best) {
            best = s;
            best_angle = 2.0 * PI * i / STEPS;
        }
    }
    for (int i = 0; i < STEPS; ++i) {
        double angle = 2.0 * PI * i / STEPS;
        if (cos(angle - best_angle) < 0.9) {
            second = fmax(second, separation_at(t, angle));
        }
    }
    return second < gap - 1e-3;
}

static void test_random_poses(void **state)
{
    (void)state;
    crn_random random = test_random("random poses", 1);
    int touching = 0, overlapping = 0;
    for (int i = 0; i < KINDS * KINDS; ++i) {
        crn_shape_kind ka = all_kinds[i / KINDS], kb = all_kinds[i % KINDS];
        if (ka == CRN_SHAPE_HALF_PLANE && kb == CRN_SHAPE_HALF_PLANE) {
            continue;
        }
        char what[64];
        (void)snprintf(what, sizeof what, "%d-%d", (int)ka, (int)kb);
        for (int run = 0; run < 150; ++run) {
            crn_shape *a = make_random(&random, ka), *b = make_random(&random, kb);
            two t = {a, b, random_frame(&random, 1.5), random_frame(&random, 1.5)};
            double reach = crn_random_uniform(&random, 0.0, 1.0);
            check_pose(&t, reach, what, run);
            check_swap(&t, reach, what, run);
            crn_touch touch[CAPACITY];
            int count = touch_them(&t, reach, touch);
            if (count > 0) {
                int low = deepest(touch, count);
                touching += 1;
                overlapping += touch[low].gap < 0.0;
                bool has_plane = ka == CRN_SHAPE_HALF_PLANE || kb == CRN_SHAPE_HALF_PLANE;
                if (!has_plane) {
                    check_surfaces(&t, &touch[low], what, run);
                    if (is_clear(&t, touch[low].gap)) {
                        check_motion(&t, reach, &random, what, run);
                    }
                }
            }
            crn_shape_destroy(a);
            crn_shape_destroy(b);
        }
    }
    print_message("%d touching, %d of them overlapping\n", touching, overlapping);
    assert_true(touching > 1500 && overlapping > 500);
}

/* Everything aligned: parallel edges, points in line, corners on corners, equal centres. */
static void test_grid_poses(void **state)
{
    (void)state;
    crn_random random = test_random("grid poses", 6);
    crn_shape *shapes[] = {make_box(0.5, 0.5),
                           make_box(1.0, 0.25),
                           make(CRN_SHAPE_SEGMENT, 0.5, 0.25),
                           make(CRN_SHAPE_SEGMENT, 1.0, 0.0),
                           make(CRN_SHAPE_DISK, 0.5, 0.0),
                           make(CRN_SHAPE_ELLIPSE, 1.0, 0.5),
                           make(CRN_SHAPE_ELLIPSE, 0.5, 0.5),
                           make_regular(3, 1.0),
                           make_regular(8, 0.5)};
    for (int run = 0; run < 8000; ++run) {
        two t = {shapes[crn_random_below(&random, 9)], shapes[crn_random_below(&random, 9)], frame_at(0.0, 0.0, 0.0),
                 frame_at(0.25 * crn_random_below(&random, 8) - 1.0, 0.25 * crn_random_below(&random, 8) - 1.0,
                          0.25 * PI * crn_random_below(&random, 8))};
        double reach = 0.3 * crn_random_below(&random, 3);
        check_pose(&t, reach, "grid", run);
        bool is_centred = t.fb.position.x == 0.0 && t.fb.position.y == 0.0;
        bool is_at_reach = fabs(signed_gap_any(&t) - reach) < 1e-8;
        if (!is_centred && !is_at_reach) { /* equal centres leave the sign of the normal open */
            check_swapped_gaps(&t, reach, run);
        }
    }
    for (int i = 0; i < 9; ++i) {
        crn_shape_destroy(shapes[i]);
    }
}

/* Thin ellipses, deep inside other shapes: the search must find the global maximum. */
static void test_deep_ellipses(void **state)
{
    (void)state;
    crn_random random = test_random("deep ellipses", 3);
    const crn_shape_kind kinds[] = {CRN_SHAPE_DISK, CRN_SHAPE_ELLIPSE, CRN_SHAPE_POLYGON, CRN_SHAPE_SEGMENT};
    for (int run = 0; run < 2000; ++run) {
        double thin = pow(10.0, crn_random_uniform(&random, -2.0, 0.0));
        bool is_upright = crn_random_below(&random, 2) == 0;
        crn_shape *a = make(CRN_SHAPE_ELLIPSE, is_upright ? thin : 1.0, is_upright ? 1.0 : thin);
        crn_shape *b = make_random(&random, kinds[run % 4]);
        two t = {a, b, random_frame(&random, 0.5), random_frame(&random, 0.5)};
        check_pose(&t, 0.2, "deep", run);
        crn_shape_destroy(a);
        crn_shape_destroy(b);
    }
}

/* Along a path through touch the gap changes no faster than the motion, and the touch is never lost. */
static void test_sweeps(void **state)
{
    (void)state;
    crn_random random = test_random("sweeps", 9);
    int steps = 0;
    for (int i = 0; i < KINDS * KINDS; ++i) {
        crn_shape_kind ka = all_kinds[i / KINDS], kb = all_kinds[i % KINDS];
        if (ka == CRN_SHAPE_HALF_PLANE) {
            continue;
        }
        for (int run = 0; run < 10; ++run) {
            crn_shape *a = make_random(&random, ka), *b = make_random(&random, kb);
            crn_frame fb = random_frame(&random, 0.1);
            double way = crn_random_uniform(&random, -PI, PI), turn = crn_random_uniform(&random, -1.0, 1.0);
            double last = NAN;
            for (int k = 0; k <= 400; ++k) {
                double x = 2.0 - 4.0 * k / 400.0, motion = 0.01 + 0.01 * fabs(turn) * 2.0;
                two t = {a, b, frame_at(x * cos(way), x * sin(way), turn * x), fb};
                crn_touch touch[CAPACITY];
                int count = touch_them(&t, 0.5, touch);
                double gap = count > 0 ? touch[deepest(touch, count)].gap : NAN;
                TEST_CHECK(isnan(last) || isnan(gap) || fabs(gap - last) <= motion, "%d-%d run %d step %d: %g after %g",
                           (int)ka, (int)kb, run, k, gap, last);
                TEST_CHECK(isnan(last) || !isnan(gap) || last > 0.5 - motion, "%d-%d run %d step %d: lost at %g",
                           (int)ka, (int)kb, run, k, last);
                last = gap;
                steps += count > 0;
            }
            crn_shape_destroy(a);
            crn_shape_destroy(b);
        }
    }
    assert_true(steps > 10000);
}

/* A tilted block over another of the same width: the far end is a touch too, wherever the near corners stand. */
static void test_far_end_near_corner(void **state)
{
    (void)state;
    crn_shape *a = make_box(0.5, 0.5);
    for (int i = -100; i <= 100; ++i) {
        double tilt = 0.01, shift = i * 1e-6;
        /* lower left corner of the upper block at (shift, 1e-3) from the upper left corner of the lower one */
        double x = 0.5 * cos(tilt) - 0.5 * sin(tilt), y = 0.5 * sin(tilt) + 0.5 * cos(tilt);
        two t = {a, a, frame_at(-0.5 + shift + x, 0.5 + 1e-3 + y, tilt), frame_at(0.0, 0.0, 0.0)};
        crn_touch touch[CAPACITY];
        int count = touch_them(&t, 0.02, touch);
        TEST_CHECK(count == 2, "shift %g: %d touches", shift, count);
        double far = fmax(touch[0].gap, touch[1].gap), near = fmin(touch[0].gap, touch[1].gap);
        TEST_CHECK(fabs(near - 1e-3) < 2e-6 && fabs(far - 1e-3 - tilt) < 1e-4, "shift %g: %g %g", shift, near, far);
    }
    crn_shape_destroy(a);
}

static void test_solid_is_not_planar(void **state)
{
    (void)state;
    crn_shape *disk = make(CRN_SHAPE_DISK, 1.0, 0.0), *sphere = make(CRN_SHAPE_SPHERE, 1.0, 0.0);
    crn_frame f = frame_at(0.0, 0.0, 0.0);
    crn_touch touch[1];
    crn_touches out = {touch, 0, 1};
    crn_query query = {sphere, disk, &f, &f, 1.0, crn_collide_motion_unknown()};
    assert_false(crn_collide_planar(&query, &out));
    query = (crn_query){sphere, sphere, &f, &f, 1.0, crn_collide_motion_unknown()};
    assert_false(crn_collide_planar(&query, &out));
    assert_int_equal(out.count, 0);
    crn_shape_destroy(disk);
    crn_shape_destroy(sphere);
}

/* --- Hull, mass, bounds ------------------------------------------------------------------------------------------- */

static double cross_at(const double *p, int i, int j, int k)
{
    return (p[2 * j] - p[2 * i]) * (p[2 * k + 1] - p[2 * i + 1]) -
           (p[2 * j + 1] - p[2 * i + 1]) * (p[2 * k] - p[2 * i]);
}

static void test_hull(void **state)
{
    (void)state;
    crn_random random = test_random("hull", 2);
    for (int run = 0; run < 3000; ++run) {
        double p[2 * 40], all[2 * 40];
        int count = 3 + crn_random_below(&random, 38);
        bool is_grid = run % 2 == 0; /* many equal coordinates, doubles and points in line */
        for (int i = 0; i < 2 * count; ++i) {
            p[i] = is_grid ? crn_random_below(&random, 4) : crn_random_uniform(&random, -1.0, 1.0);
        }
        memcpy(all, p, sizeof all);
        int size = crn_polygon_hull(p, count);
        assert_in_range(size, 1, count);
        for (int i = 0; i < size; ++i) {
            bool is_given = false;
            for (int k = 0; k < count; ++k) {
                is_given = is_given || (all[2 * k] == p[2 * i] && all[2 * k + 1] == p[2 * i + 1]);
            }
            TEST_CHECK(is_given, "run %d: corner %d is no point", run, i);
            int j = (i + 1) % size;
            TEST_CHECK(size < 3 || cross_at(p, i, j, (i + 2) % size) > 0.0, "run %d: corner %d", run, j);
            for (int k = 0; k < count && size > 1; ++k) {
                double x = (p[2 * j] - p[2 * i]) * (all[2 * k + 1] - p[2 * i + 1]) -
                           (p[2 * j + 1] - p[2 * i + 1]) * (all[2 * k] - p[2 * i]);
                TEST_CHECK(x >= -1e-11, "run %d: point %d is %g outside of edge %d", run, k, -x, i);
            }
        }
        if (size == 1) {
            for (int k = 0; k < count; ++k) {
                assert_true(all[2 * k] == p[0] && all[2 * k + 1] == p[1]);
            }
        }
    }
    double line[] = {0.0, 0.0, 1.0, 1.0, 0.5, 0.5, 2.0, 2.0};
    assert_int_equal(crn_polygon_hull(line, 4), 2);
    double noise[] = {0.0, 0.0, 1.0, 1e-14, 2.0, 0.0, 2.0, 1.0, 0.0, 1.0, 1.0, 1.0 + 1e-14};
    assert_int_equal(crn_polygon_hull(noise, 6), 4);
}

static void test_mass(void **state)
{
    (void)state;
    /* a box of 2 by 4 far from the origin: m (w^2 + h^2)/12 */
    double box[] = {99.0, 48.0, 101.0, 48.0, 101.0, 52.0, 99.0, 52.0};
    crn_mass_properties m = crn_polygon_mass(box, 4);
    assert_true(fabs(m.mass - 8.0) < 1e-13 && fabs(m.com.x - 100.0) < 1e-12 && fabs(m.com.y - 50.0) < 1e-12);
    assert_true(m.com.z == 0.0 && fabs(m.inertia.m[8] - 8.0 * 20.0 / 12.0) < 1e-12 && m.inertia.m[0] == 0.0);
    /* right triangle with legs 3 and 6: (b^2 + h^2)/18 m */
    double triangle[] = {0.0, 0.0, 3.0, 0.0, 0.0, 6.0};
    m = crn_polygon_mass(triangle, 3);
    assert_true(fabs(m.mass - 9.0) < 1e-14 && fabs(m.com.x - 1.0) < 1e-15 && fabs(m.com.y - 2.0) < 1e-15);
    assert_true(fabs(m.inertia.m[8] - 9.0 * 45.0 / 18.0) < 1e-13);
    /* regular polygon: m r^2 (2 + cos(2 pi/n))/6 */
    crn_shape *gon = make_regular(7, 2.0);
    m = crn_polygon_mass(crn_shape_definition(gon)->points, 7);
    double area = 3.5 * 4.0 * sin(2.0 * PI / 7.0);
    assert_true(fabs(m.mass - area) < 1e-13 && fabs(m.com.x) < 1e-14 && fabs(m.com.y) < 1e-14);
    assert_true(fabs(m.inertia.m[8] - area * 4.0 * (2.0 + cos(2.0 * PI / 7.0)) / 6.0) < 1e-13);
    crn_shape_destroy(gon);
    assert_true(crn_polygon_mass(box, 2).mass == 0.0);
}

static void test_bounds(void **state)
{
    (void)state;
    crn_random random = test_random("bounds", 4);
    for (int run = 0; run < 400; ++run) {
        crn_shape *a = make_random(&random, all_kinds[run % 4]);
        crn_frame f = random_frame(&random, 2.0);
        crn_bounds b = crn_shape_bounds(a, &f, 0.0);
        assert_true(fabs(b.high[0] - support(a, &f, 1.0, 0.0)) < ROUNDING && b.high[2] == 0.0);
        assert_true(fabs(b.high[1] - support(a, &f, 0.0, 1.0)) < ROUNDING && b.low[2] == 0.0);
        assert_true(fabs(b.low[0] + support(a, &f, -1.0, 0.0)) < ROUNDING);
        assert_true(fabs(b.low[1] + support(a, &f, 0.0, -1.0)) < ROUNDING);
        crn_shape_destroy(a);
    }
    crn_shape *plane = make(CRN_SHAPE_HALF_PLANE, 0.0, 0.0);
    crn_frame level = frame_at(1.0, 2.0, 0.0), tilted = frame_at(1.0, 2.0, 0.1);
    crn_bounds b = crn_shape_bounds(plane, &level, 0.0);
    assert_true(b.high[1] == 2.0 && b.low[1] == -INFINITY && b.high[0] == INFINITY && b.low[0] == -INFINITY);
    b = crn_shape_bounds(plane, &tilted, 0.0);
    assert_true(b.high[1] == INFINITY && b.low[1] == -INFINITY && b.high[0] == INFINITY);
    crn_shape_destroy(plane);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_disks),
        cmocka_unit_test(test_box_on_box),
        cmocka_unit_test(test_aligned_blocks_keep_keys),
        cmocka_unit_test(test_segments),
        cmocka_unit_test(test_on_half_plane),
        cmocka_unit_test(test_wheel_on_block),
        cmocka_unit_test(test_ellipses_from_touch),
        cmocka_unit_test(test_random_poses),
        cmocka_unit_test(test_grid_poses),
        cmocka_unit_test(test_deep_ellipses),
        cmocka_unit_test(test_sweeps),
        cmocka_unit_test(test_far_end_near_corner),
        cmocka_unit_test(test_solid_is_not_planar),
        cmocka_unit_test(test_hull),
        cmocka_unit_test(test_mass),
        cmocka_unit_test(test_bounds),
    };
    return TEST_RUN(tests, argc, argv);
}
