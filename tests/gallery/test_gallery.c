/* The table of families, and what holds for all of them: the same seed gives the same bits, sizes follow the index as
 * each file says, entries are finite, and a failing allocator leaves nothing behind. */
#include "test_allocator.h"
#include "test_support.h"

#include <math.h>

#include "gallery.h"

enum { TEST_SEED = 20260101 };

/* Orders by index, repeating. A contact with friction gives 10 rows. */
typedef struct size_cycle {
    const char *name;
    int period;
    int orders[16];
} size_cycle;

static const size_cycle cycles[] = {
    {"peg", 5, {80, 120, 160, 240, 320}},
    {"single", 10, {10, 20, 30, 40, 60, 80, 90, 100, 120, 160}},
    {"stacks", 10, {40, 80, 120, 120, 160, 160, 200, 200, 320, 280}},
    {"stacks-tall", 3, {400, 600, 800}},
    {"chain", 4, {300, 400, 500, 600}},
    {"humanoid", 3, {120, 150, 180}},
    {"mass-ratio", 16, {80, 80, 80, 80, 120, 120, 120, 120, 160, 160, 160, 160, 200, 200, 200, 200}},
    {"frames", 9, {3, 4, 5, 6, 8, 12, 16, 32, 64}},
    {"random-P", 5, {5, 10, 20, 50, 100}},
    {"psd-lowrank", 5, {5, 10, 20, 40, 80}},
    {"copositive", 4, {5, 10, 20, 40}},
    {"qp", 5, {6, 12, 20, 40, 60}},
    {"murty-exp", 15, {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}},
    {"fathi-exp", 15, {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}},
    {"textbook", 13, {2, 3, 4, 4, 4, 4, 3, 3, 2, 2, 2, 2, 16}},
    {"bimatrix", 4, {4, 6, 10, 16}},
    {"mixed", 4, {6, 12, 24, 48}},
    {"box", 4, {5, 10, 25, 50}},
    {"tiny", 16, {0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2}},
    {"no-solution", 8, {2, 2, 1, 1, 2, 2, 2, 4}},
};

static crn_lcp_data make(const crn_gallery_family *family, int index, uint64_t seed)
{
    crn_error error = {0};
    crn_lcp_data data = {0};
    crn_status status = family->make(index, seed, &data, &error);
    TEST_CHECK(status == CRN_OK, "%s %d: %s", family->name, index, error.text);
    TEST_CHECK(data.problem.M != NULL && data.problem.ld >= data.problem.n, "%s %d: no dense M", family->name, index);
    return data;
}

static void families_are_found_by_their_name(void **state)
{
    (void)state;
    int count;
    const crn_gallery_family *families = crn_gallery_families(&count);
    assert_true(count > 0);
    for (int i = 0; i < count; ++i) {
        assert_ptr_equal(crn_gallery_find(families[i].name), &families[i]);
        assert_true(families[i].default_count > 0);
        assert_true(strlen(families[i].what) > 0);
    }
    assert_null(crn_gallery_find("no such family"));
}

static bool equal_vectors(const double *a, const double *b, int count)
{
    return (a == NULL && b == NULL) || (a && b && memcmp(a, b, (size_t)count * sizeof *a) == 0);
}

static bool equal_problems(const crn_lcp_problem *a, const crn_lcp_problem *b)
{
    return a->n == b->n && equal_vectors(a->M, b->M, a->n * a->n) && equal_vectors(a->q, b->q, a->n) &&
           equal_vectors(a->lower, b->lower, a->n) && equal_vectors(a->upper, b->upper, a->n);
}

/* Printed examples do not use the seed. */
static bool is_fixed(const char *name)
{
    return strcmp(name, "murty-exp") == 0 || strcmp(name, "fathi-exp") == 0 || strcmp(name, "textbook") == 0;
}

/* Is problem `index` the same for the next seed? It must be the same for the same one. */
static bool ignores_seed(const crn_gallery_family *family, int index)
{
    crn_lcp_data first = make(family, index, TEST_SEED);
    crn_lcp_data again = make(family, index, TEST_SEED);
    crn_lcp_data other = make(family, index, TEST_SEED + 1);
    bool is_equal = equal_problems(&first.problem, &other.problem);
    TEST_CHECK(equal_problems(&first.problem, &again.problem), "%s %d differs from itself", family->name, index);
    crn_lcp_data_free(&first);
    crn_lcp_data_free(&again);
    crn_lcp_data_free(&other);
    return is_equal;
}

static void same_seed_gives_the_same_bits(void **state)
{
    (void)state;
    int count;
    const crn_gallery_family *families = crn_gallery_families(&count);
    print_message("seed %d\n", TEST_SEED);
    for (int f = 0; f < count; ++f) {
        int tried = families[f].default_count < 24 ? families[f].default_count : 24, ignoring = 0;
        for (int index = 0; index < tried; ++index) {
            ignoring += ignores_seed(&families[f], index);
        }
        /* Small problems in whole numbers may be equal by chance. */
        TEST_CHECK(is_fixed(families[f].name) || 4 * ignoring <= tried, "%s ignores its seed", families[f].name);
    }
}

static void orders_follow_the_index(void **state)
{
    (void)state;
    for (size_t c = 0; c < sizeof cycles / sizeof cycles[0]; ++c) {
        const crn_gallery_family *family = crn_gallery_find(cycles[c].name);
        assert_non_null(family);
        int rounds = family->is_contact ? 1 : 3;
        for (int index = 0; index < rounds * cycles[c].period; ++index) {
            crn_lcp_data data = make(family, index, TEST_SEED);
            int expected = cycles[c].orders[index % cycles[c].period];
            bool is_later_no_solution = index >= 8 && strcmp(cycles[c].name, "no-solution") == 0;
            TEST_CHECK(data.problem.n == expected || is_later_no_solution, "%s %d: order %d, not %d", cycles[c].name,
                       index, data.problem.n, expected);
            crn_lcp_data_free(&data);
        }
    }
}

static void entries_are_finite(void **state)
{
    (void)state;
    int count;
    const crn_gallery_family *families = crn_gallery_families(&count);
    for (int f = 0; f < count; ++f) {
        for (int index = 0; index < families[f].default_count; ++index) {
            crn_lcp_data data = make(&families[f], index, TEST_SEED);
            const crn_lcp_problem *p = &data.problem;
            bool is_fine = true;
            for (int j = 0; j < p->n; ++j) {
                is_fine = is_fine && isfinite(p->q[j]) && (!p->lower || p->lower[j] <= p->upper[j]);
                for (int i = 0; i < p->n; ++i) {
                    is_fine = is_fine && isfinite(p->M[i + j * p->ld]);
                }
            }
            TEST_CHECK(is_fine, "%s %d: an entry is not finite, or bounds cross", families[f].name, index);
            crn_lcp_data_free(&data);
        }
    }
}

static void a_failing_allocator_leaves_nothing_behind(void **state)
{
    (void)state;
    int count;
    const crn_gallery_family *families = crn_gallery_families(&count);
    for (int f = 0; f < count; ++f) {
        for (int index = 0; index < 8 && index < families[f].default_count; ++index) {
            crn_status status = CRN_ERR_MEMORY;
            for (long k = 1; status != CRN_OK; ++k) {
                test_allocator counter = {.fail_at = k};
                crn_lcp_data data = {.allocator = test_allocator_hooks(&counter)};
                status = families[f].make(index, TEST_SEED, &data, NULL);
                TEST_CHECK(status == CRN_OK || status == CRN_ERR_MEMORY, "%s %d", families[f].name, index);
                if (status == CRN_OK) {
                    crn_lcp_data_free(&data);
                }
                TEST_CHECK(counter.live == 0, "%s %d: %ld blocks leak at failure %ld", families[f].name, index,
                           counter.live, k);
            }
        }
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(families_are_found_by_their_name),
        cmocka_unit_test(same_seed_gives_the_same_bits),
        cmocka_unit_test(orders_follow_the_index),
        cmocka_unit_test(entries_are_finite),
        cmocka_unit_test(a_failing_allocator_leaves_nothing_behind),
    };
    return TEST_RUN(tests, argc, argv);
}
