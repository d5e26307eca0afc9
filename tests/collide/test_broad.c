/* Broad phase against all pairs, one by one: random crowds in space and in the plane, equal coordinates, touching and
 * infinite bounds, filters; the same list whatever came before; memory. */
#include "collide/collide_room.h"
#include "test_allocator.h"
#include "test_support.h"

#include <math.h>

#define ITEMS_MAX 400

static bool meet(const crn_broad_item *a, const crn_broad_item *b)
{
    for (int k = 0; k < 3; ++k) {
        if (!(a->bounds.low[k] <= b->bounds.high[k]) || !(b->bounds.low[k] <= a->bounds.high[k])) {
            return false;
        }
    }
    return a->owner != b->owner && !(a->is_still && b->is_still) && (a->group & b->mask) && (b->group & a->mask);
}

/* Compare the library's list with all pairs in order; returns how many there are. */
static int check_pairs(crn_broad *broad, const crn_broad_item *item, int count, const char *what)
{
    const crn_broad_pair *pair = NULL;
    int pairs = -1, expected = 0;
    crn_error error;
    assert_int_equal(crn_broad_find(broad, item, count, &pair, &pairs, &error), CRN_OK);
    assert_int_equal(error.status, CRN_OK);
    for (int i = 0; i < count; ++i) {
        for (int j = i + 1; j < count; ++j) {
            if (meet(&item[i], &item[j])) {
                TEST_CHECK(expected < pairs && pair[expected].a == i && pair[expected].b == j,
                           "%s: pair %d of %d is not (%d, %d)", what, expected, pairs, i, j);
                expected += 1;
            }
        }
    }
    TEST_CHECK(pairs == expected, "%s: %d pairs, not %d", what, pairs, expected);
    return pairs;
}

typedef struct crowd {
    int count;
    double spread;    /* of the centres */
    double size;      /* half sides up to this */
    bool is_planar;   /* all in z = 0 */
    bool is_grid;     /* whole coordinates: many equal and touching bounds */
    bool has_wide;    /* some infinite bounds */
    bool has_filters; /* owners, still ones, groups */
} crowd;

static crn_bounds random_bounds(crn_random *random, const crowd *c)
{
    crn_bounds b;
    for (int k = 0; k < 3; ++k) {
        double centre = crn_random_uniform(random, -c->spread, c->spread);
        double half = crn_random_uniform(random, 0.0, c->size);
        if (c->is_grid) {
            centre = floor(centre);
            half = 0.5 * crn_random_below(random, 3);
        }
        if (c->is_planar && k == 2) {
            centre = half = 0.0;
        }
        b.low[k] = centre - half;
        b.high[k] = centre + half;
        if (c->has_wide && crn_random_below(random, 12) == 0) {
            int side = crn_random_below(random, 3);
            b.low[k] = side != 1 ? -INFINITY : b.low[k];
            b.high[k] = side != 0 ? INFINITY : b.high[k];
        }
    }
    return b;
}

static void fill(crn_random *random, const crowd *c, crn_broad_item *item)
{
    for (int i = 0; i < c->count; ++i) {
        item[i] = (crn_broad_item){.bounds = random_bounds(random, c), .owner = i, .group = 1, .mask = 1};
        if (c->has_filters) {
            item[i].owner = crn_random_below(random, c->count / 3 + 1);
            item[i].is_still = crn_random_below(random, 3) == 0;
            item[i].group = 1U << crn_random_below(random, 4);
            item[i].mask = (uint32_t)crn_random_below(random, 16);
        }
    }
}

static crowd random_crowd(crn_random *random)
{
    return (crowd){.count = crn_random_below(random, ITEMS_MAX),
                   .spread = crn_random_uniform(random, 0.0, 10.0),
                   .size = crn_random_uniform(random, 0.0, 1.0),
                   .is_planar = crn_random_below(random, 2) == 0,
                   .is_grid = crn_random_below(random, 3) == 0,
                   .has_wide = crn_random_below(random, 3) == 0,
                   .has_filters = crn_random_below(random, 2) == 0};
}

static void test_against_all_pairs(void **state)
{
    (void)state;
    crn_random random = test_random("all pairs", 1);
    crn_broad broad = {.allocator = crn_allocator_default()};
    static crn_broad_item item[ITEMS_MAX];
    long total = 0;
    for (int run = 0; run < 400; ++run) {
        crowd c = random_crowd(&random);
        fill(&random, &c, item);
        total += check_pairs(&broad, item, c.count, "fresh crowd");
        for (int step = 0; step < 3; ++step) { /* the tree of the last call is fitted */
            for (int i = 0; i < c.count; ++i) {
                for (int k = 0; k < 3; ++k) {
                    double d = crn_random_uniform(&random, -0.2, 0.2);
                    item[i].bounds.low[k] += d;
                    item[i].bounds.high[k] += d;
                }
            }
            total += check_pairs(&broad, item, c.count, "moved crowd");
        }
    }
    print_message("%ld pairs\n", total);
    assert_true(total > 100000);
    crn_broad_free(&broad);
}

/* Few items, all sizes from none on: every shape of a small tree. */
static void test_small(void **state)
{
    (void)state;
    crn_random random = test_random("small", 2);
    crn_broad broad = {0};
    crn_broad_item item[40];
    for (int count = 0; count < 40; ++count) {
        for (int run = 0; run < 20; ++run) {
            crowd c = {.count = count, .spread = 2.0, .size = 1.0, .is_grid = run % 2 == 0, .has_wide = run % 5 == 0};
            fill(&random, &c, item);
            check_pairs(&broad, item, count, "small");
        }
    }
    crn_broad_free(&broad);
    crn_broad_free(&broad);
    crn_broad_free(NULL);
}

/* Everything in one place: all pairs, and none if they are still or of one owner. */
static void test_all_equal(void **state)
{
    (void)state;
    crn_broad broad = {0};
    static crn_broad_item item[300];
    for (int kind = 0; kind < 4; ++kind) {
        for (int i = 0; i < 300; ++i) {
            item[i] = (crn_broad_item){.owner = kind == 1 ? 7 : i, .is_still = kind == 2, .group = 1, .mask = 1};
            item[i].mask = kind == 3 ? 2 : 1;
        }
        assert_int_equal(check_pairs(&broad, item, 300, "equal"), kind == 0 ? 300 * 299 / 2 : 0);
    }
    crn_broad_free(&broad);
}

/* Touching counts; a hair apart does not; NaN meets nobody; the largest numbers do no harm. */
static void test_borders(void **state)
{
    (void)state;
    crn_broad broad = {0};
    crn_broad_item item[40];
    for (int i = 0; i < 40; ++i) {
        item[i] = (crn_broad_item){.bounds = {{i, 0, 0}, {i + 1, 1, 1}}, .owner = i, .group = 1, .mask = 1};
    }
    assert_int_equal(check_pairs(&broad, item, 40, "touching"), 39);
    for (int i = 0; i < 40; ++i) {
        item[i].bounds.high[0] = nextafter(i + 1, 0.0);
    }
    assert_int_equal(check_pairs(&broad, item, 40, "apart"), 0);
    item[3].bounds.low[1] = NAN;
    item[4].bounds = (crn_bounds){{-1.7e308, -1.7e308, -1.7e308}, {1.7e308, 1.7e308, 1.7e308}};
    assert_int_equal(check_pairs(&broad, item, 40, "odd numbers"), 38);
    crn_broad_free(&broad);
}

/* Many fixed planes: nothing among themselves, and with a moving one all of them. */
static void test_planes(void **state)
{
    (void)state;
    enum { PLANES = 200000 };
    crn_broad broad = {0};
    crn_broad_item *item = (crn_broad_item *)calloc(PLANES, sizeof *item);
    assert_non_null(item);
    for (int i = 0; i < PLANES; ++i) {
        item[i] = (crn_broad_item){.owner = i, .is_still = true, .group = 1, .mask = 1};
        for (int k = 0; k < 3; ++k) {
            item[i].bounds.low[k] = -INFINITY;
            item[i].bounds.high[k] = INFINITY;
        }
    }
    const crn_broad_pair *pair = NULL;
    int pairs = 0;
    double start = crn_seconds();
    assert_int_equal(crn_broad_find(&broad, item, PLANES, &pair, &pairs, NULL), CRN_OK);
    assert_int_equal(pairs, 0);
    item[77].is_still = false;
    item[78].bounds = (crn_bounds){{0, 0, 0}, {1, 1, 1}};
    item[78].is_still = false;
    assert_int_equal(crn_broad_find(&broad, item, PLANES, &pair, &pairs, NULL), CRN_OK);
    assert_int_equal(pairs, 2 * PLANES - 3);
    assert_true(crn_seconds() - start < 5.0); /* all pairs of planes would take minutes */
    crn_broad_free(&broad);
    free(item);
}

static void test_bad_arguments(void **state)
{
    (void)state;
    crn_broad broad = {0};
    const crn_broad_pair *pair = NULL;
    int pairs = 5;
    crn_error error;
    assert_int_equal(crn_broad_find(&broad, NULL, 3, &pair, &pairs, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(pairs, 0);
    assert_int_equal(crn_broad_find(&broad, NULL, -1, &pair, &pairs, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_broad_find(&broad, NULL, 0, &pair, &pairs, &error), CRN_OK);
    assert_int_equal(pairs, 0);
    crn_broad_free(&broad);
}

/* Let the k-th request fail, for every k; then try again. Nothing leaks, and the answer is right in the end. */
static void test_memory_runs_out(void **state)
{
    (void)state;
    crn_random random = test_random("memory", 3);
    static crn_broad_item item[ITEMS_MAX];
    crowd c = {.count = 300, .spread = 2.0, .size = 0.5, .has_wide = true};
    fill(&random, &c, item);
    int failures = 0;
    for (long k = 1;; ++k) {
        test_allocator counter = {.fail_at = k};
        crn_broad broad = {.allocator = test_allocator_hooks(&counter)};
        const crn_broad_pair *pair = NULL;
        int pairs = 0;
        crn_error error;
        crn_status status = crn_broad_find(&broad, item, c.count, &pair, &pairs, &error);
        if (status != CRN_OK) {
            assert_int_equal(status, CRN_ERR_MEMORY);
            assert_int_equal(error.status, CRN_ERR_MEMORY);
            assert_int_equal(pairs, 0);
            failures += 1;
        }
        check_pairs(&broad, item, c.count, "after failure");
        crn_broad_free(&broad);
        assert_int_equal(counter.live, 0);
        if (counter.calls < k) {
            break;
        }
    }
    assert_true(failures >= 4);
}

static void test_warm_takes_no_memory(void **state)
{
    (void)state;
    crn_random random = test_random("warm", 4);
    static crn_broad_item item[ITEMS_MAX];
    crowd c = {.count = ITEMS_MAX, .spread = 2.0, .size = 0.5, .has_wide = true};
    fill(&random, &c, item);
    test_allocator counter = {0};
    crn_broad broad = {.allocator = test_allocator_hooks(&counter)};
    check_pairs(&broad, item, c.count, "first");
    long calls = counter.calls;
    for (int step = 0; step < 200; ++step) { /* through several builds; never more items or pairs than at first */
        for (int i = 0; i < c.count; ++i) {
            item[i].bounds.low[0] += 0.01 * i;
            item[i].bounds.high[0] += 0.01 * i;
        }
        check_pairs(&broad, item, c.count - step, "later");
    }
    assert_int_equal(counter.calls, calls);
    crn_broad_free(&broad);
    assert_int_equal(counter.live, 0);
}

/* One broad phase that has seen other crowds, and a new one: the same list, byte for byte. */
static void test_past_does_not_matter(void **state)
{
    (void)state;
    crn_random random = test_random("past", 5);
    static crn_broad_item item[ITEMS_MAX];
    crn_broad old = {0};
    for (int run = 0; run < 100; ++run) {
        crowd c = random_crowd(&random);
        fill(&random, &c, item);
        crn_broad fresh = {0};
        const crn_broad_pair *one = NULL, *other = NULL;
        int ones = 0, others = 0;
        assert_int_equal(crn_broad_find(&old, item, c.count, &one, &ones, NULL), CRN_OK);
        assert_int_equal(crn_broad_find(&fresh, item, c.count, &other, &others, NULL), CRN_OK);
        assert_int_equal(ones, others);
        assert_true(ones == 0 || memcmp(one, other, (size_t)ones * sizeof *one) == 0);
        crn_broad_free(&fresh);
    }
    crn_broad_free(&old);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_all_pairs),
        cmocka_unit_test(test_small),
        cmocka_unit_test(test_all_equal),
        cmocka_unit_test(test_borders),
        cmocka_unit_test(test_planes),
        cmocka_unit_test(test_bad_arguments),
        cmocka_unit_test(test_memory_runs_out),
        cmocka_unit_test(test_warm_takes_no_memory),
        cmocka_unit_test(test_past_does_not_matter),
    };
    return TEST_RUN(tests, argc, argv);
}
