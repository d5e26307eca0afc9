/* Warm starts: from the right basis one factorisation is all the work; from any other an honest answer. */
#include "judge.h"

#include "gallery.h"

#include "test_matrix.h"

enum { TEST_SEED = 20260406, PROBLEMS = 6, ORDER_MOST = 200 };

static crn_lcp_data make(const crn_gallery_family *family, int index)
{
    crn_lcp_data data = {0};
    crn_error error = {CRN_OK, ""};
    TEST_CHECK(family->make(index, TEST_SEED, &data, &error) == CRN_OK, "%s", error.text);
    return data;
}

/* Call check for a few problems of every family that search solves, with search's answer. */
static void for_families(void (*check)(const char *name, const crn_lcp_problem *p, const answer *cold,
                                       crn_random *random),
                         crn_random *random)
{
    int families;
    const crn_gallery_family *family = crn_gallery_families(&families);
    for (int f = 0; f < families; ++f) {
        int count = family[f].default_count < PROBLEMS ? family[f].default_count : PROBLEMS;
        for (int k = 0; k < count; ++k) {
            char name[64];
            int index = k * (family[f].default_count / count);
            crn_lcp_data data = make(&family[f], index);
            (void)snprintf(name, sizeof name, "%s %d", family[f].name, index);
            answer cold = solve_by(&data.problem, CRN_LCP_SEARCH);
            if (cold.result.outcome == CRN_LCP_SOLVED && data.problem.n <= ORDER_MOST) {
                check(name, &data.problem, &cold, random);
            }
            answer_free(&cold);
            crn_lcp_data_free(&data);
        }
    }
}

/* --- the right basis --- */

static bool has_free(const crn_lcp_problem *p)
{
    for (int i = 0; i < p->n; ++i) {
        if (isinf(lower_of(p, i)) && isinf(upper_of(p, i))) {
            return true;
        }
    }
    return false;
}

/* No pivot and one factorisation, or none if nothing is basic. Problems with redundant equations keep a free variable out of the basis, which a warm
 * start does not; those only have to be solved. */
static void check_right_basis(const char *name, const crn_lcp_problem *p, const answer *cold, crn_random *random)
{
    (void)random;
    crn_lcp_options options = crn_lcp_options_default(CRN_LCP_SEARCH);
    options.start = cold->basis;
    answer a = solve(p, &options);
    judge_solved(name, p, &a);
    bool is_plain = !has_free(p), has_basic = p->n > 0 && memchr(cold->basis, CRN_LCP_BASIC, (size_t)p->n) != NULL;
    TEST_CHECK(!is_plain || a.result.pivots == 0, "%s: %d pivots from the right basis", name, a.result.pivots);
    TEST_CHECK(!is_plain || a.result.refactorizations == has_basic, "%s: %d factorisations from the right basis", name,
               a.result.refactorizations);
    answer_free(&a);
}

static void the_right_basis_costs_one_factorisation(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED);
    for_families(check_right_basis, &random);
}

/* Mixed problems with regular equations too. */
static void the_right_basis_of_a_mixed_problem(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED + 1);
    enum { N = 15 };
    for (int trial = 0; trial < 30; ++trial) {
        double M[N * N], q[N], lower[N];
        test_matrix_definite(&random, N, 0.1, M, N);
        for (int i = 0; i < N; ++i) {
            q[i] = crn_random_uniform(&random, -1.0, 1.0);
            lower[i] = i % 3 == 0 ? -(double)INFINITY : 0.0;
        }
        crn_lcp_problem p = {.n = N, .M = M, .ld = N, .q = q, .lower = lower};
        crn_lcp_options options = crn_lcp_options_default(CRN_LCP_SEARCH);
        answer cold = solve(&p, &options);
        options.start = cold.basis;
        answer warm = solve(&p, &options);
        judge_solved("warm", &p, &warm);
        assert_int_equal(warm.result.pivots, 0);
        assert_int_equal(warm.result.refactorizations, 1);
        answer_free(&cold);
        answer_free(&warm);
    }
}

/* --- any basis --- */

/* Every method from this basis: an honest answer; from search and auto the solution. */
static void start_from(const char *name, const crn_lcp_problem *p, const unsigned char *start)
{
    for (int v = 0; v < VARIANT_COUNT; ++v) {
        char label[128];
        crn_lcp_options options = variant_options(v);
        options.start = start;
        options.max_pivots = is_slow(v) || options.method == CRN_LCP_PGS ? 300 : 0;
        (void)snprintf(label, sizeof label, "%s, %s", VARIANTS[v].name, name);
        answer a = solve(p, &options);
        judge_honest(label, p, &a);
        TEST_CHECK(a.result.outcome != CRN_LCP_INFEASIBLE, "%s: infeasible, but it has a solution", label);
        if (options.method == CRN_LCP_AUTO || options.method == CRN_LCP_SEARCH) {
            judge_solved(label, p, &a);
        }
        answer_free(&a);
    }
}

static void check_solution_basis(const char *name, const crn_lcp_problem *p, const answer *cold, crn_random *random)
{
    (void)random;
    start_from(name, p, cold->basis);
}

static void every_method_from_the_solution(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED + 2);
    for_families(check_solution_basis, &random);
}

/* Random states, also such as no variable of the problem can have: at an infinite bound. */
static void check_random_basis(const char *name, const crn_lcp_problem *p, const answer *cold, crn_random *random)
{
    (void)cold;
    unsigned char *start = (unsigned char *)take((size_t)p->n, 1);
    for (int i = 0; i < p->n; ++i) {
        start[i] = (unsigned char)crn_random_below(random, 3);
    }
    start_from(name, p, start);
    for (int i = 0; i < p->n; ++i) {
        start[i] = (unsigned char)crn_random_below(random, 2);
    }
    start_from(name, p, start);
    free(start);
}

static void every_method_from_a_random_basis(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED + 3);
    for_families(check_random_basis, &random);
}

/* All basic: of low-rank and contact problems that block is singular. */
static void check_full_basis(const char *name, const crn_lcp_problem *p, const answer *cold, crn_random *random)
{
    (void)cold;
    (void)random;
    unsigned char *start = (unsigned char *)take((size_t)p->n, 1);
    memset(start, CRN_LCP_BASIC, (size_t)p->n);
    start_from(name, p, start);
    free(start);
}

static void every_method_from_a_full_basis(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED + 4);
    for_families(check_full_basis, &random);
}

/* Exactly singular: M of ones. */
static void every_method_from_a_singular_basis(void **state)
{
    (void)state;
    const double M[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1}, q[3] = {-1, -1, -1};
    const unsigned char start[3] = {CRN_LCP_BASIC, CRN_LCP_BASIC, CRN_LCP_AT_LOWER};
    crn_lcp_problem p = {.n = 3, .M = M, .ld = 3, .q = q};
    start_from("ones", &p, start);
}

/* Murty says so when the basis that it is given is singular. */
static void murty_reports_a_singular_start(void **state)
{
    (void)state;
    const double M[4] = {1, 1, 1, 1}, q[2] = {-1, -1};
    const unsigned char start[2] = {CRN_LCP_BASIC, CRN_LCP_BASIC};
    crn_lcp_problem p = {.n = 2, .M = M, .ld = 2, .q = q};
    crn_lcp_options options = crn_lcp_options_default(CRN_LCP_MURTY);
    options.start = start;
    answer a = solve(&p, &options);
    assert_int_equal(a.result.outcome, CRN_LCP_SINGULAR);
    answer_free(&a);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_right_basis_costs_one_factorisation), cmocka_unit_test(the_right_basis_of_a_mixed_problem),
        cmocka_unit_test(every_method_from_the_solution),          cmocka_unit_test(every_method_from_a_random_basis),
        cmocka_unit_test(every_method_from_a_full_basis),          cmocka_unit_test(every_method_from_a_singular_basis),
        cmocka_unit_test(murty_reports_a_singular_start),
    };
    return TEST_RUN(tests, argc, argv);
}
