/* Thinning out touches: what stays implies what went, nothing is lost that is not implied, and the rules about order,
 * normals and the deepest one.
 *
 * The oracle is a motion: the plane under the touches tilts by a slope s. If the touches that stay are all at least c over
 * it, the dropped ones are too, but for distance times |s|; tried for many slopes. */
#include "collide/shape.h"
#include "test_support.h"

#include <math.h>
#include <stddef.h>

#define PI        3.14159265358979323846
#define COUNT_MAX 1000

typedef struct face {
    crn_vec3 n, t, u, origin;
} face;

static crn_vec3 random_unit(crn_random *random)
{
    return crn_v3_unit(crn_v3(crn_random_normal(random), crn_random_normal(random), crn_random_normal(random)));
}

static face random_face(crn_random *random)
{
    face f = {.n = random_unit(random)};
    f.t = crn_v3_orthogonal(f.n);
    f.u = crn_v3_cross(f.n, f.t);
    f.origin = crn_v3(crn_random_uniform(random, -5, 5), crn_random_uniform(random, -5, 5), 0.0);
    return f;
}

static crn_touch touch_at(const face *f, double x, double y, double gap, uint32_t key)
{
    crn_vec3 p = crn_v3_axpy(crn_v3_axpy(f->origin, x, f->t), y, f->u);
    return (crn_touch){p, f->n, gap, key};
}

static double x_of(const face *f, const crn_touch *t)
{
    return crn_v3_dot(f->t, crn_v3_sub(t->point, f->origin));
}

static double y_of(const face *f, const crn_touch *t)
{
    return crn_v3_dot(f->u, crn_v3_sub(t->point, f->origin));
}

static bool is_same(const crn_touch *a, const crn_touch *b)
{
    return a->key == b->key && memcmp(a, b, offsetof(crn_touch, key)) == 0;
}

/* The kept ones are some of the given ones, in their order, untouched. */
static void check_order(const crn_touch *all, int count, const crn_touch *kept, int left)
{
    int i = 0;
    for (int k = 0; k < left; ++k) {
        while (i < count && !is_same(&all[i], &kept[k])) {
            i += 1;
        }
        TEST_CHECK(i < count, "touch %d is new or out of order", k);
        i += 1;
    }
}

static double lowest(const crn_touch *touch, int count)
{
    double low = INFINITY;
    for (int i = 0; i < count; ++i) {
        low = fmin(low, touch[i].gap);
    }
    return low;
}

/* min over touches of gap + s'(x, y) */
static double tilted(const face *f, const crn_touch *touch, int count, double p, double q)
{
    double low = INFINITY;
    for (int i = 0; i < count; ++i) {
        low = fmin(low, touch[i].gap + p * x_of(f, &touch[i]) + q * y_of(f, &touch[i]));
    }
    return low;
}

/* All of one normal: no tilt finds a dropped touch lower than the kept ones, but for slack |s|. */
static void check_implied(crn_random *random, const face *f, const crn_touch *all, int count, const crn_touch *kept,
                          int left, double slack)
{
    check_order(all, count, kept, left);
    TEST_CHECK(lowest(kept, left) - lowest(all, count) <= 1e-11, "the deepest is gone");
    for (int k = 0; k < 200; ++k) {
        double angle = crn_random_uniform(random, -PI, PI), s = pow(10.0, crn_random_uniform(random, -3.0, 2.0));
        double p = s * cos(angle), q = s * sin(angle);
        double lost = tilted(f, kept, left, p, q) - tilted(f, all, count, p, q);
        TEST_CHECK(lost <= slack * s + 1e-12 * (1.0 + s), "slope %g: %g lost of %d -> %d", s, lost, count, left);
    }
}

/* Is touch i, moved inwards by `shrink` of its place, above the lower hull of the others? By all triangles of them. */
static bool is_implied(const face *f, const crn_touch *t, int count, int i, double shrink)
{
    double x = (1.0 - shrink) * x_of(f, &t[i]), y = (1.0 - shrink) * y_of(f, &t[i]);
    for (int a = 0; a < count; ++a) {
        for (int b = 0; b < a; ++b) {
            for (int c = 0; c < b; ++c) {
                if (a == i || b == i || c == i) {
                    continue;
                }
                double ax = x_of(f, &t[a]) - x, ay = y_of(f, &t[a]) - y, bx = x_of(f, &t[b]) - x;
                double by = y_of(f, &t[b]) - y, cx = x_of(f, &t[c]) - x, cy = y_of(f, &t[c]) - y;
                double wa = bx * cy - by * cx, wb = cx * ay - cy * ax, wc = ax * by - ay * bx, sum = wa + wb + wc;
                bool is_inside = (wa >= 0.0 && wb >= 0.0 && wc >= 0.0) || (wa <= 0.0 && wb <= 0.0 && wc <= 0.0);
                if (is_inside && sum != 0.0 && (wa * t[a].gap + wb * t[b].gap + wc * t[c].gap) / sum <= t[i].gap) {
                    return true;
                }
            }
        }
    }
    return false;
}

/* Random heights: exactly the vertices of the lower hull stay. */
static void test_lower_hull(void **state)
{
    (void)state;
    crn_random random = test_random("lower hull", 1);
    int dropped = 0, stayed = 0;
    for (int run = 0; run < 300; ++run) {
        face f = random_face(&random);
        crn_touch all[24], kept[24];
        int count = 1 + crn_random_below(&random, 24);
        double bowl = crn_random_uniform(&random, 0.0, 2.0);
        for (int i = 0; i < count; ++i) {
            double x = crn_random_uniform(&random, -1, 1), y = crn_random_uniform(&random, -1, 1);
            all[i] = touch_at(&f, x, y, bowl * (x * x + y * y) + crn_random_uniform(&random, -0.5, 0.5), (uint32_t)i);
        }
        memcpy(kept, all, (size_t)count * sizeof *all);
        int left = crn_touch_reduce(kept, count, 1e-9);
        check_implied(&random, &f, all, count, kept, left, 2e-3);
        for (int i = 0, k = 0; i < count; ++i) {
            bool is_kept = k < left && kept[k].key == all[i].key;
            /* slopes above 1000 do not count: what sticks out by a thousandth of its height may go */
            bool is_needed = !is_implied(&f, all, count, i, 0.0), is_close = is_implied(&f, all, count, i, 3e-3);
            TEST_CHECK(is_kept ? is_needed : !is_needed || is_close, "run %d: touch %d of %d", run, i, count);
            k += is_kept;
            dropped += !is_kept;
            stayed += is_kept;
        }
    }
    print_message("%d dropped, %d stayed\n", dropped, stayed);
    assert_true(dropped > 500 && stayed > 500);
}

/* A face in contact: all gaps equal but for rounding; the corners of the hull stay. */
static void test_flat_face(void **state)
{
    (void)state;
    crn_random random = test_random("flat face", 2);
    for (int run = 0; run < 300; ++run) {
        face f = random_face(&random);
        crn_touch all[60], kept[60];
        double p[2 * 60];
        int count = 3 + crn_random_below(&random, 57);
        bool is_grid = run % 2 == 0;
        for (int i = 0; i < count; ++i) {
            p[2 * i] = is_grid ? 0.1 * crn_random_below(&random, 5) : crn_random_uniform(&random, 0.0, 1.0);
            p[2 * i + 1] = is_grid ? 0.1 * crn_random_below(&random, 5) : crn_random_uniform(&random, 0.0, 1.0);
            all[i] = touch_at(&f, p[2 * i], p[2 * i + 1], crn_random_uniform(&random, -1e-16, 1e-16), (uint32_t)i);
        }
        memcpy(kept, all, (size_t)count * sizeof *all);
        int left = crn_touch_reduce(kept, count, 1e-6);
        check_implied(&random, &f, all, count, kept, left, 2e-6);
        int corners = crn_polygon_hull(p, count);
        TEST_CHECK(left == corners, "run %d: %d stay of %d, the hull has %d", run, left, count, corners);
    }
}

/* A box of 5 by 10 tiles, tilted: its four corners. */
static void test_tiled_box(void **state)
{
    (void)state;
    crn_random random = test_random("tiled box", 3);
    face f = random_face(&random);
    crn_touch touch[50];
    for (int i = 0; i < 50; ++i) {
        double x = 0.02 * (i % 5), y = 0.01 * (i / 5);
        touch[i] = touch_at(&f, x, y, 1e-4 + 0.003 * x - 0.002 * y, (uint32_t)i);
    }
    assert_int_equal(crn_touch_reduce(touch, 50, 1e-3), 4);
    assert_true(touch[0].key == 0 && touch[1].key == 4 && touch[2].key == 45 && touch[3].key == 49);
}

/* A round face: the corners that stay leave no more than `distance` between the rim and their chords. */
static int reduce_round(crn_random *random, double radius, int count, double slack)
{
    static crn_touch all[COUNT_MAX], kept[COUNT_MAX];
    face f = random_face(random);
    double turn = crn_random_uniform(random, 0.0, 1.0);
    for (int i = 0; i < count; ++i) {
        double a = turn + 2.0 * PI * i / count;
        all[i] = touch_at(&f, radius * cos(a), radius * sin(a), crn_random_uniform(random, -1e-16, 1e-16), (uint32_t)i);
    }
    memcpy(kept, all, (size_t)count * sizeof *all);
    int left = crn_touch_reduce(kept, count, 1e-3);
    check_implied(random, &f, all, count, kept, left, slack);
    return left;
}

/* Radius 0.1, distance 1e-3: chords of at most twice acos(1 - d/r), so at least pi/acos(1 - d/r) = 22.2 corners. */
static void test_round_face(void **state)
{
    (void)state;
    crn_random random = test_random("round face", 4);
    for (int run = 0; run < 20; ++run) {
        int left = reduce_round(&random, 0.1, 64, 1e-3);
        TEST_CHECK(left >= 22 && left <= 33, "64-gon: %d stay", left);
        if (run == 0) {
            print_message("64-gon: %d stay\n", left);
        }
        /* corners hardly farther apart than the distance: dropping one after the other must not eat up the rim */
        left = reduce_round(&random, 0.03, 120, 1e-3);
        TEST_CHECK(left >= 12 && left <= 24, "small 120-gon: %d stay", left);
        /* more than one block: the slack of two rounds, merging included */
        left = reduce_round(&random, 0.1, 130 + 40 * run, 4e-3);
        TEST_CHECK(left >= 10 && left <= 40, "%d-gon: %d stay", 130 + 40 * run, left);
    }
}

/* Points, heights and distances of all kinds. */
static void test_random_sets(void **state)
{
    (void)state;
    crn_random random = test_random("random sets", 5);
    for (int run = 0; run < 500; ++run) {
        face f = random_face(&random);
        static crn_touch all[COUNT_MAX], kept[COUNT_MAX];
        int count = 1 + crn_random_below(&random, run % 10 == 0 ? 128 : 30);
        double distance = pow(10.0, crn_random_uniform(&random, -4.0, 0.0));
        double height = pow(10.0, crn_random_uniform(&random, -6.0, 0.0));
        bool is_planar = run % 3 == 0;
        for (int i = 0; i < count; ++i) {
            double y = is_planar ? 0.0 : crn_random_uniform(&random, -1, 1);
            all[i] =
                touch_at(&f, crn_random_uniform(&random, -1, 1), y, height * crn_random_normal(&random), (uint32_t)i);
        }
        memcpy(kept, all, (size_t)count * sizeof *all);
        int left = crn_touch_reduce(kept, count, distance);
        check_implied(&random, &f, all, count, kept, left, 2.0 * distance);
        /* again: little is left to do, and the same touch is deepest */
        int again = crn_touch_reduce(kept, left, distance);
        TEST_CHECK(again <= left && lowest(kept, again) - lowest(all, count) <= 1e-11, "run %d: %d then %d", run, left,
                   again);
    }
}

static void test_merging(void **state)
{
    (void)state;
    face f = {.n = {0, 0, 1}, .t = {1, 0, 0}, .u = {0, 1, 0}, .origin = {0, 0, 0}};
    double five = 5.0 * PI / 180.0;
    for (int k = 0; k < 2; ++k) {
        /* normals 4.9 and 5.1 degrees apart */
        double angle = k == 0 ? 0.98 * five : 1.02 * five;
        crn_touch t[2] = {touch_at(&f, 0.0, 0.0, 2e-3, 1), touch_at(&f, 0.9e-3, 0.0, 1e-3, 2)};
        t[1].normal = crn_v3(sin(angle), 0.0, cos(angle));
        int left = crn_touch_reduce(t, 2, 1e-3);
        assert_int_equal(left, k == 0 ? 1 : 2);
        assert_int_equal(t[left - 1].key, 2); /* the lower one */
    }
    /* a tie goes to the lower key; no nearer than distance is not near */
    crn_touch t[2] = {touch_at(&f, 0.0, 0.0, 1e-3, 9), touch_at(&f, 0.5e-3, 0.0, 1e-3, 4)};
    assert_int_equal(crn_touch_reduce(t, 2, 1e-3), 1);
    assert_int_equal(t[0].key, 4);
    crn_touch apart[2] = {touch_at(&f, 0.0, 0.0, 1e-3, 1), touch_at(&f, 1e-3, 0.0, 1e-3, 2)};
    assert_int_equal(crn_touch_reduce(apart, 2, 1e-3), 2);
    /* a row of touches nearer than distance each: not one heap; the far end stays within distance of one that stays */
    crn_touch row[50];
    for (int i = 0; i < 50; ++i) {
        row[i] = touch_at(&f, 0.9e-3 * i, 0.0, 1e-6 * i, (uint32_t)i);
    }
    int left = crn_touch_reduce(row, 50, 1e-3);
    TEST_CHECK(left >= 2 && x_of(&f, &row[left - 1]) > 0.9e-3 * 49 - 1e-3, "%d stay, to %g", left,
               x_of(&f, &row[left - 1]));
    assert_int_equal(crn_touch_reduce(row, 0, 1e-3), 0);
    assert_int_equal(crn_touch_reduce(row, 1, 1e-3), 1);
    /* the same touch several times, distance 0 */
    crn_touch same[3] = {touch_at(&f, 0, 0, 0, 1), touch_at(&f, 0, 0, 0, 2), touch_at(&f, 0, 0, 0, 3)};
    assert_int_equal(crn_touch_reduce(same, 3, 0.0), 1);
    assert_int_equal(same[0].key, 1);
}

/* A ring on a cone: each touch has a normal of its own, nothing goes. Two walls of a groove: each keeps its corners. */
static void test_different_normals(void **state)
{
    (void)state;
    crn_touch ring[113];
    for (int i = 0; i < 113; ++i) {
        double a = 2.0 * PI * i / 113.0, c = sqrt(0.5);
        ring[i] =
            (crn_touch){{0.1 * cos(a), 0.1 * sin(a), 0.0}, {c * cos(a), c * sin(a), c}, 1e-5 * (i % 7), (uint32_t)i};
    }
    assert_int_equal(crn_touch_reduce(ring, 113, 1e-3), 113);

    crn_touch groove[32];
    for (int i = 0; i < 32; ++i) {
        double side = i % 2 == 0 ? 1.0 : -1.0, c = sqrt(0.5);
        int k = i / 2;
        double along = 0.01 * (k % 4), up = 0.01 * (k / 4);
        groove[i] = (crn_touch){{side * c * up, along, c * up}, {-side * c, 0.0, c}, 0.0, (uint32_t)i};
    }
    assert_int_equal(crn_touch_reduce(groove, 32, 1e-3), 8);
    for (int i = 0; i < 8; ++i) {
        int k = (int)groove[i].key / 2;
        TEST_CHECK((k % 4 == 0 || k % 4 == 3) && (k / 4 == 0 || k / 4 == 3), "corner %d is %d", i, k);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lower_hull),        cmocka_unit_test(test_flat_face),   cmocka_unit_test(test_tiled_box),
        cmocka_unit_test(test_round_face),        cmocka_unit_test(test_random_sets), cmocka_unit_test(test_merging),
        cmocka_unit_test(test_different_normals),
    };
    return TEST_RUN(tests, argc, argv);
}
