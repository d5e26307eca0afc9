/* Every method meets every family of the gallery. The verdict is the tests' own (judge.h) and what theory says about
 * the family, never the solver's. */
#include "judge.h"

#include "gallery.h"

enum {
    TEST_SEED = 20260401,
    COUNT = 24,      /* problems of a family for the quick methods, */
    COUNT_SLOW = 8,  /* for those that failing problems keep busy, */
    COUNT_HUGE = 2,  /* and of families with problems over ORDER_HUGE */
    ORDER_HUGE = 400 /* a slow method has few of these */
};

static crn_lcp_data make(const crn_gallery_family *family, int index)
{
    crn_error error = {CRN_OK, ""};
    crn_lcp_data data = {0};
    TEST_CHECK(family->make(index, TEST_SEED, &data, &error) == CRN_OK, "%s %d: %s", family->name, index, error.text);
    return data;
}

/* Not solved where there is no solution, not proved unsolvable where there is one. */
static void judge_truth(const char *name, const crn_gallery_family *family, const answer *a)
{
    crn_lcp_outcome wrong = family->truth == CRN_GALLERY_SOLVABLE ? CRN_LCP_INFEASIBLE : CRN_LCP_SOLVED;
    TEST_CHECK(a->result.outcome != wrong, "%s: %s, which cannot be", name, crn_lcp_outcome_name(wrong));
}

/* One problem; the answer is used up. Returns whether it was solved. */
static bool run(const crn_gallery_family *family, int index, int v)
{
    char name[96];
    crn_lcp_data data = make(family, index);
    crn_lcp_options options = variant_options(v);
    options.max_pivots = is_slow(v) && data.problem.n > 100 ? 4 * data.problem.n : 0;
    (void)snprintf(name, sizeof name, "%s on %s %d", VARIANTS[v].name, family->name, index);
    answer a = solve(&data.problem, &options);
    judge_honest(name, &data.problem, &a);
    judge_truth(name, family, &a);
    bool is_sure = options.method == CRN_LCP_SEARCH || options.method == CRN_LCP_AUTO;
    if (is_sure && family->truth == CRN_GALLERY_SOLVABLE) {
        judge_solved(name, &data.problem, &a);
    } else if (is_sure) {
        TEST_CHECK(a.result.outcome == CRN_LCP_INFEASIBLE, "%s: %s", name, crn_lcp_outcome_name(a.result.outcome));
    }
    bool is_solved = a.result.outcome == CRN_LCP_SOLVED;
    answer_free(&a);
    crn_lcp_data_free(&data);
    return is_solved;
}

static int count_for(const crn_gallery_family *family, int v)
{
    crn_lcp_data data = make(family, 0);
    int count = is_slow(v) ? COUNT_SLOW : COUNT;
    count = data.problem.n > ORDER_HUGE ? COUNT_HUGE : count;
    crn_lcp_data_free(&data);
    return count < family->default_count ? count : family->default_count;
}

/* All families by one variant; prints how many it solved. */
static void meet_families(int v)
{
    int families, solved = 0, total = 0;
    const crn_gallery_family *family = crn_gallery_families(&families);
    assert_true(families >= 15);
    for (int f = 0; f < families; ++f) {
        int count = count_for(&family[f], v);
        /* Spread over the family, whose sizes vary with the index. */
        for (int k = 0; k < count; ++k, ++total) {
            solved += run(&family[f], k * (family[f].default_count / count), v);
        }
    }
    print_message("%-15s solved %d of %d, seed %d\n", VARIANTS[v].name, solved, total, TEST_SEED);
    assert_true(solved > 0);
}

static void every_method_is_honest_on_every_family(void **state)
{
    (void)state;
    for (int v = 0; v < VARIANT_COUNT; ++v) {
        meet_families(v);
    }
}

/* z = (q_size / (2 m), 0) solves the problem below; where that is under the range of doubles, 0 is its rounding. */
static bool is_extreme_solution(const double *z, double m, double q_size)
{
    double first = q_size / m / 2.0;
    return z[1] == 0.0 && (fabs(z[0] / first - 1.0) <= 1e-8 || (first < 1e-300 && fabs(z[0]) < 1e-300));
}

static void answer_extreme(int v, double m, double q_size)
{
    double M[4] = {2.0 * m, -m, -m, 2.0 * m}, q[2] = {-q_size, q_size};
    crn_lcp_problem p = {.n = 2, .M = M, .ld = 2, .q = q};
    crn_lcp_options options = variant_options(v);
    answer a = solve(&p, &options);
    TEST_CHECK(a.status == CRN_OK, "%s: %s", VARIANTS[v].name, a.error.text);
    bool is_right = a.result.outcome != CRN_LCP_SOLVED || is_extreme_solution(a.z, m, q_size);
    TEST_CHECK(is_right && a.result.outcome != CRN_LCP_INFEASIBLE, "%s, M ~ %g, q ~ %g: %s, z = (%g, %g)",
               VARIANTS[v].name, m, q_size, crn_lcp_outcome_name(a.result.outcome), a.z[0], a.z[1]);
    answer_free(&a);
}

/* Numbers at the ends of what doubles hold: an honest answer, whatever it is. The largest entry of R q overflowed for
 * M ~ 1e-300 and q ~ 1e200, which made the scale infinite, every relative figure 0, and z = 0 "solved". */
static void extreme_numbers_are_answered_honestly(void **state)
{
    (void)state;
    static const double sizes[] = {1e-300, 1e-200, 1e-100, 1.0, 1e100, 1e200, 1e300};
    enum { SIZES = sizeof sizes / sizeof sizes[0] };
    for (int v = 0; v < VARIANT_COUNT; ++v) {
        for (int k = 0; k < SIZES * SIZES; ++k) {
            answer_extreme(v, sizes[k / SIZES], sizes[k % SIZES]);
        }
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_is_honest_on_every_family),
        cmocka_unit_test(extreme_numbers_are_answered_honestly),
    };
    return TEST_RUN(tests, argc, argv);
}
