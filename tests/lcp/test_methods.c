/* What is known about each method: pivot counts on the exponential examples, singular blocks, rays, limits, histories. */
#include "judge.h"

#include "gallery.h"

#include "test_matrix.h"

#include <limits.h>

enum { TEST_SEED = 20260407 };

/* --- names --- */

static void names_lead_back_to_methods(void **state)
{
    (void)state;
    for (int m = 0; m < CRN_LCP_METHOD_COUNT; ++m) {
        const char *name = crn_lcp_method_name((crn_lcp_method)m);
        crn_lcp_method found = (crn_lcp_method)-1;
        assert_non_null(name);
        assert_true(crn_lcp_method_find(name, &found));
        assert_int_equal(found, m);
        assert_int_equal(crn_lcp_options_default((crn_lcp_method)m).method, m);
    }
    crn_lcp_method untouched = CRN_LCP_PGS;
    assert_null(crn_lcp_method_name((crn_lcp_method)CRN_LCP_METHOD_COUNT));
    assert_null(crn_lcp_method_name((crn_lcp_method)-1));
    assert_false(crn_lcp_method_find("lemk", &untouched));
    assert_false(crn_lcp_method_find("", &untouched));
    assert_int_equal(untouched, CRN_LCP_PGS);
}

static void outcomes_have_different_names(void **state)
{
    (void)state;
    for (int a = CRN_LCP_UNSOLVED; a <= CRN_LCP_STALLED; ++a) {
        for (int b = CRN_LCP_UNSOLVED; b < a; ++b) {
            assert_string_not_equal(crn_lcp_outcome_name((crn_lcp_outcome)a), crn_lcp_outcome_name((crn_lcp_outcome)b));
        }
    }
    assert_string_equal(crn_lcp_outcome_name(CRN_LCP_SOLVED), "solved");
}

/* --- exponential examples --- */

static answer solve_family(const char *family, int index, crn_lcp_method method, crn_lcp_variant kind)
{
    crn_lcp_data data = {0};
    assert_int_equal(crn_gallery_find(family)->make(index, TEST_SEED, &data, NULL), CRN_OK);
    crn_lcp_options options = crn_lcp_options_default(method);
    options.variant = kind;
    options.max_pivots = 1 << 16;
    answer a = solve(&data.problem, &options);
    judge_solved(family, &data.problem, &a);
    crn_lcp_data_free(&data);
    return a;
}

/* Kind 1 of murty-exp (index 15 + n - 2) and kind 0 of fathi-exp are built against the least index [M78], [F79]. */
static void least_index_takes_every_basis(void **state)
{
    (void)state;
    for (int n = 2; n <= 12; ++n) {
        answer murty = solve_family("murty-exp", 15 + n - 2, CRN_LCP_MURTY, CRN_LCP_PLAIN);
        answer fathi = solve_family("fathi-exp", n - 2, CRN_LCP_MURTY, CRN_LCP_PLAIN);
        assert_int_equal(murty.result.pivots, (1 << n) - 1);
        assert_int_equal(fathi.result.pivots, (1 << n) - 1);
        answer_free(&murty);
        answer_free(&fathi);
    }
}

static void blocks_take_few(void **state)
{
    (void)state;
    for (int n = 2; n <= 16; ++n) {
        answer a = solve_family("murty-exp", 15 + n - 2, CRN_LCP_MURTY, CRN_LCP_BLOCK);
        TEST_CHECK(a.result.pivots <= 4 * n, "n = %d: %d rounds", n, a.result.pivots);
        answer_free(&a);
    }
}

/* Kind 0 is built against Lemke's method with a covering vector of ones. */
static void lemke_takes_exponentially_many(void **state)
{
    (void)state;
    for (int n = 2; n <= 10; ++n) {
        answer a = solve_family("murty-exp", n - 2, CRN_LCP_LEMKE, CRN_LCP_PLAIN);
        assert_int_equal(a.result.pivots, 1 << n);
        answer_free(&a);
    }
}

/* --- frames --- */

/* Frictionless frames on n legs: Lemke always solves, at most three legs carry; w is unique [E15]. */
static void at_most_three_legs_carry(void **state)
{
    (void)state;
    const crn_gallery_family *family = crn_gallery_find("frames");
    int singular = 0;
    for (int index = 0; index < family->default_count; ++index) {
        crn_lcp_data data = {0};
        assert_int_equal(family->make(index, TEST_SEED, &data, NULL), CRN_OK);
        answer lemke = solve_by(&data.problem, CRN_LCP_LEMKE), search = solve_by(&data.problem, CRN_LCP_SEARCH);
        answer murty = solve_by(&data.problem, CRN_LCP_MURTY);
        judge_solved("lemke", &data.problem, &lemke);
        judge_solved("search", &data.problem, &search);
        judge_honest("murty", &data.problem, &murty);
        int carrying = 0;
        double largest = 0.0;
        for (int i = 0; i < data.problem.n; ++i) {
            carrying += lemke.z[i] > 0.0;
            largest = fmax(largest, fabs(data.problem.q[i]));
            TEST_CHECK(fabs(lemke.w[i] - search.w[i]) <= 1e-8 * largest, "frame %d: w(%d) is not unique", index, i);
        }
        TEST_CHECK(carrying <= 3, "frame %d: %d legs", index, carrying);
        bool is_known = murty.result.outcome == CRN_LCP_SINGULAR || murty.result.outcome == CRN_LCP_SOLVED;
        TEST_CHECK(is_known, "frame %d: murty says %s", index, crn_lcp_outcome_name(murty.result.outcome));
        singular += murty.result.outcome == CRN_LCP_SINGULAR;
        answer_free(&lemke);
        answer_free(&search);
        answer_free(&murty);
        crn_lcp_data_free(&data);
    }
    print_message("murty: %d singular of %d, seed %d\n", singular, family->default_count, TEST_SEED);
    assert_true(singular > 0);
}

/* --- ties --- */

/* Problems of a family that a method solves, and its pivots, over the first `count` of them. */
static int count_solved(const char *family, int count, int v, int *pivots)
{
    int solved = 0;
    *pivots = 0;
    for (int index = 0; index < count; ++index) {
        crn_lcp_data data = {0};
        assert_int_equal(crn_gallery_find(family)->make(index, TEST_SEED, &data, NULL), CRN_OK);
        crn_lcp_options options = variant_options(v);
        answer a = solve(&data.problem, &options);
        judge_honest(VARIANTS[v].name, &data.problem, &a);
        solved += a.result.ending == CRN_LCP_SOLVED; /* by its own path: what it leaves on a ray may pass the judge */
        *pivots += a.result.pivots;
        answer_free(&a);
        crn_lcp_data_free(&data);
    }
    return solved;
}

static int find_variant(const char *name)
{
    for (int v = 0; v < VARIANT_COUNT; ++v) {
        if (strcmp(VARIANTS[v].name, name) == 0) {
            return v;
        }
    }
    fail_msg("no variant %s", name);
    return -1;
}

/* On contact problems ties are everywhere, and what is done about them makes the difference between few and nearly all
 * [YN08 table 1]. For low rank it is the rule that z0 leaves whenever it ties. */
static void ties_decide_about_success(void **state)
{
    (void)state;
    enum { COUNT = 30, LOW_RANK = 60 };
    int pivots, plain = count_solved("single", COUNT, find_variant("lemke"), &pivots);
    int lex = count_solved("single", COUNT, find_variant("lemke-lex 1e-8"), &pivots);
    int wide = count_solved("single", COUNT, find_variant("lemke-lex 1e-4"), &pivots);
    print_message("single bodies: lemke %d, lemke-lex 1e-8 %d, 1e-4 %d of %d, seed %d\n", plain, lex, wide, COUNT,
                  TEST_SEED);
    assert_true(lex >= COUNT - 2 && plain < COUNT - 5 && wide <= lex);
    assert_int_equal(count_solved("psd-lowrank", LOW_RANK, find_variant("lemke-lex 1e-8"), &pivots), LOW_RANK);
}

/* The authors' order subtracts the depth from the cost, so it goes deep where the printed one goes broad. */
static void the_authors_order_needs_fewer_pivots(void **state)
{
    (void)state;
    enum { COUNT = 10 };
    int printed, authors;
    int solved = count_solved("single", COUNT, find_variant("yamane"), &printed);
    int solved_authors = count_solved("single", COUNT, find_variant("yamane authors"), &authors);
    print_message("pivots: as printed %d (%d solved), authors %d (%d solved)\n", printed, solved, authors,
                  solved_authors);
    assert_true(4 * authors < 3 * printed && solved_authors >= solved);
}

/* --- singular blocks --- */

static void murty_reports_singular_blocks(void **state)
{
    (void)state;
    const double zero[4] = {0, 0, 0, 0}, q[2] = {-1, -1};
    crn_lcp_problem p = {.n = 2, .M = zero, .ld = 2, .q = q};
    for (int v = 0; v < VARIANT_COUNT; ++v) {
        if (VARIANTS[v].method == CRN_LCP_MURTY || VARIANTS[v].method == CRN_LCP_PGS) {
            crn_lcp_options options = variant_options(v);
            answer a = solve(&p, &options);
            assert_int_equal(a.result.outcome, CRN_LCP_SINGULAR);
            answer_free(&a);
        }
    }
}

/* --- rays --- */

/* z2 >= 1 is asked for by w1 and costs w2 = 1 > 0: feasible, no solution, and nothing that a vector could prove. */
static void a_ray_that_proves_nothing_is_only_a_ray(void **state)
{
    (void)state;
    const double M[4] = {0, 0, 1, 0}, q[2] = {-1, 1};
    crn_lcp_problem p = {.n = 2, .M = M, .ld = 2, .q = q};
    static const crn_lcp_method methods[] = {CRN_LCP_LEMKE, CRN_LCP_LEMKE_LEX};
    for (int k = 0; k < 2; ++k) {
        answer a = solve_by(&p, methods[k]);
        judge_honest("feasible", &p, &a);
        assert_int_equal(a.result.outcome, CRN_LCP_RAY);
        assert_false(is_all_zero(2, a.ray));
        answer_free(&a);
    }
    answer a = solve_by(&p, CRN_LCP_SEARCH);
    judge_honest("feasible", &p, &a);
    assert_int_equal(a.result.outcome, CRN_LCP_INFEASIBLE);
    assert_int_equal(a.result.proof, CRN_LCP_EXHAUSTED);
    answer_free(&a);
}

/* For copositive-plus M Lemke's ray is a proof [CPS92 s4.4]. */
static void a_ray_of_a_semidefinite_problem_is_a_proof(void **state)
{
    (void)state;
    const double M[4] = {1, -1, -1, 1}, q[2] = {-1, -1};
    crn_lcp_problem p = {.n = 2, .M = M, .ld = 2, .q = q};
    /* yamane once gave the outcome without the ray. */
    static const crn_lcp_method methods[] = {CRN_LCP_LEMKE, CRN_LCP_LEMKE_LEX, CRN_LCP_SEARCH, CRN_LCP_AUTO,
                                             CRN_LCP_YAMANE};
    for (int k = 0; k < 5; ++k) {
        answer a = solve_by(&p, methods[k]);
        judge_honest("semidefinite", &p, &a);
        assert_int_equal(a.result.outcome, CRN_LCP_INFEASIBLE);
        assert_int_equal(a.result.proof, CRN_LCP_FARKAS);
        answer_free(&a);
    }
}

/* --- limits --- */

static void a_limit_of_one_is_kept(void **state)
{
    (void)state;
    crn_lcp_data data = {0};
    for (int index = 0; data.problem.n < 20; ++index) {
        crn_lcp_data_free(&data);
        assert_int_equal(crn_gallery_find("random-P")->make(index, TEST_SEED, &data, NULL), CRN_OK);
    }
    for (int v = 0; v < VARIANT_COUNT; ++v) {
        crn_lcp_options options = variant_options(v);
        options.max_pivots = 1;
        answer a = solve(&data.problem, &options);
        judge_honest(VARIANTS[v].name, &data.problem, &a);
        if (options.method == CRN_LCP_MURTY || options.method == CRN_LCP_PGS || options.method == CRN_LCP_LEMKE) {
            assert_int_equal(a.result.outcome, CRN_LCP_LIMIT);
            assert_in_range(a.result.pivots, 1, 2);
        }
        answer_free(&a);
    }
    crn_lcp_data_free(&data);
}

/* Limits that no memory can hold are refused or kept, never wrapped around. */
static void the_largest_limits_do_no_harm(void **state)
{
    (void)state;
    const double M[4] = {2, 1, 1, 2}, q[2] = {-1, -1};
    crn_lcp_problem p = {.n = 2, .M = M, .ld = 2, .q = q};
    for (int v = 0; v < VARIANT_COUNT; ++v) {
        crn_lcp_options options = variant_options(v);
        options.max_pivots = INT_MAX;
        size_t bytes = crn_lcp_workspace_size(&p, &options);
        assert_true(bytes != 0 || sizeof bytes < 8);
        if (bytes == 0 || bytes > ((size_t)1 << 26)) { /* yamane: a node for each */
            continue;
        }
        answer a = solve(&p, &options);
        judge_solved(VARIANTS[v].name, &p, &a);
        answer_free(&a);
    }
}

/* --- projected Gauss-Seidel --- */

enum { SWEEPS = 64, BAND = 200 };

/* Tridiagonal, strictly diagonally dominant, sparse. */
typedef struct band {
    int start[BAND + 1], row[3 * BAND];
    double value[3 * BAND], q[BAND];
} band;

static crn_lcp_problem draw_band(band *t, crn_random *random)
{
    int e = 0;
    for (int j = 0; j < BAND; ++j) {
        t->start[j] = e;
        t->q[j] = crn_random_uniform(random, -1.0, 1.0);
        for (int i = j > 0 ? j - 1 : 0; i <= j + 1 && i < BAND; ++i, ++e) {
            t->row[e] = i;
            t->value[e] = i == j ? 2.5 : -1.0;
        }
    }
    t->start[BAND] = e;
    return (crn_lcp_problem){.n = BAND, .start = t->start, .row = t->row, .value = t->value, .q = t->q};
}

static void the_history_falls(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED);
    static band t;
    crn_lcp_problem p = draw_band(&t, &random);
    double z[BAND], history[SWEEPS];
    for (int k = 0; k < SWEEPS; ++k) {
        history[k] = -1.0;
    }
    crn_workspace workspace = {0};
    crn_lcp_result result;
    crn_lcp_options options = crn_lcp_options_default(CRN_LCP_PGS);
    crn_lcp_solution solution = {.z = z, .history = history, .history_size = SWEEPS};
    assert_int_equal(crn_lcp_solve(&p, &options, &workspace, &solution, &result, NULL), CRN_OK);
    assert_int_equal(result.outcome, CRN_LCP_SOLVED);
    assert_in_range(result.pivots, 5, SWEEPS);
    assert_true(judge_point(&p, z) <= JUDGE_TOL);
    for (int k = 0; k < SWEEPS; ++k) {
        bool is_written = k < result.pivots;
        TEST_CHECK(is_written == (history[k] >= 0.0), "entry %d of %d: %g", k, result.pivots, history[k]);
        TEST_CHECK(k == 0 || !is_written || history[k] < history[k - 1], "sweep %d: %g after %g", k, history[k],
                   history[k - 1]);
    }
    assert_true(history[result.pivots - 1] <= 1e-9);
    crn_workspace_free(&workspace);
}

/* A short history is filled and not overrun; the sweeps go on. */
static void the_history_has_its_length(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED);
    static band t;
    crn_lcp_problem p = draw_band(&t, &random);
    double z[BAND], history[4] = {-1, -1, -1, -1};
    crn_workspace workspace = {0};
    crn_lcp_result result;
    crn_lcp_options options = crn_lcp_options_default(CRN_LCP_PGS);
    crn_lcp_solution solution = {.z = z, .history = history, .history_size = 3};
    assert_int_equal(crn_lcp_solve(&p, &options, &workspace, &solution, &result, NULL), CRN_OK);
    assert_true(result.pivots > 3 && history[2] > 0.0);
    assert_true(history[3] == -1.0);
    options.max_pivots = 2;
    assert_int_equal(crn_lcp_solve(&p, &options, &workspace, &solution, &result, NULL), CRN_OK);
    assert_int_equal(result.outcome, CRN_LCP_LIMIT);
    assert_int_equal(result.pivots, 2);
    crn_workspace_free(&workspace);
}

/* --- auto --- */

static void auto_says_what_it_chose(void **state)
{
    (void)state;
    const double M[4] = {2, 1, 1, 2}, q[2] = {-1, -1};
    crn_lcp_problem p = {.n = 2, .M = M, .ld = 2, .q = q};
    answer a = solve(&p, NULL); /* no options: auto */
    judge_solved("auto", &p, &a);
    assert_true(a.result.method != CRN_LCP_AUTO && crn_lcp_method_name(a.result.method) != NULL);
    assert_true(a.result.seconds >= 0.0);
    answer_free(&a);
    const int start[3] = {0, 2, 4}, row[4] = {0, 1, 0, 1};
    crn_lcp_problem sparse = {.n = 2, .start = start, .row = row, .value = M, .q = q};
    for (int m = 1; m < CRN_LCP_GAME; ++m) { /* this is no game, and there is nothing to refute */
        a = solve_by(&sparse, (crn_lcp_method)m);
        judge_solved(crn_lcp_method_name((crn_lcp_method)m), &p, &a);
        assert_int_equal(a.result.method, m);
        answer_free(&a);
    }
}

/* Large, sparse, diagonally dominant: what projected Gauss-Seidel is for; nothing of order n^2 is asked for. */
static void auto_solves_large_sparse_problems(void **state)
{
    (void)state;
    enum { LARGE = 20000 };
    int *start = (int *)take(LARGE + 1, sizeof *start), *row = (int *)take(LARGE, sizeof *row);
    double *value = test_doubles(LARGE), *q = test_doubles(LARGE), *z = test_doubles(LARGE);
    for (int j = 0; j < LARGE; ++j) {
        start[j + 1] = j + 1;
        row[j] = j;
        value[j] = 1.0 + j % 7;
        q[j] = j % 3 - 1.0;
    }
    crn_lcp_problem p = {.n = LARGE, .start = start, .row = row, .value = value, .q = q};
    crn_workspace workspace = {0};
    crn_lcp_solution solution = {.z = z};
    crn_lcp_result result;
    assert_true(crn_lcp_workspace_size(&p, NULL) < (size_t)LARGE * 1000);
    assert_int_equal(crn_lcp_solve(&p, NULL, &workspace, &solution, &result, NULL), CRN_OK);
    assert_int_equal(result.outcome, CRN_LCP_SOLVED);
    for (int j = 0; j < LARGE; ++j) {
        assert_true(fabs(z[j] - fmax(0.0, -q[j] / value[j])) <= 1e-9);
    }
    crn_workspace_free(&workspace);
    free(start);
    free(row);
    free(value);
    free(q);
    free(z);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_lead_back_to_methods),
        cmocka_unit_test(outcomes_have_different_names),
        cmocka_unit_test(least_index_takes_every_basis),
        cmocka_unit_test(blocks_take_few),
        cmocka_unit_test(lemke_takes_exponentially_many),
        cmocka_unit_test(at_most_three_legs_carry),
        cmocka_unit_test(ties_decide_about_success),
        cmocka_unit_test(the_authors_order_needs_fewer_pivots),
        cmocka_unit_test(murty_reports_singular_blocks),
        cmocka_unit_test(a_ray_that_proves_nothing_is_only_a_ray),
        cmocka_unit_test(a_ray_of_a_semidefinite_problem_is_a_proof),
        cmocka_unit_test(a_limit_of_one_is_kept),
        cmocka_unit_test(the_largest_limits_do_no_harm),
        cmocka_unit_test(the_history_falls),
        cmocka_unit_test(the_history_has_its_length),
        cmocka_unit_test(auto_says_what_it_chose),
        cmocka_unit_test(auto_solves_large_sparse_problems),
    };
    return TEST_RUN(tests, argc, argv);
}
