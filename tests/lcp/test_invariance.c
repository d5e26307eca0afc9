/* The same problem in another order and in other units has the same outcome, and where there is one solution the same
 * solution. */
#include "judge.h"

#include "gallery.h"

#include "test_matrix.h"

enum { TEST_SEED = 20260405, PROBLEMS = 4, PERMUTATIONS = 24, SCALINGS = 8, ORDER_MOST = 200 };

/* What is done to a problem; NULL: nothing. */
typedef struct change {
    int *permutation;
    double *row_scale, *column_scale;
} change;

static change draw_change(int n, bool is_permuted, bool is_scaled, crn_random *random)
{
    change c = {0};
    if (is_permuted) {
        c.permutation = (int *)take((size_t)n, sizeof *c.permutation);
        for (int i = 0; i < n; ++i) {
            int other = crn_random_below(random, i + 1);
            c.permutation[i] = c.permutation[other];
            c.permutation[other] = i;
        }
    }
    if (is_scaled) { /* 1e-6 .. 1e6, half of them at the ends */
        c.row_scale = test_doubles((size_t)n);
        c.column_scale = test_doubles((size_t)n);
        for (int i = 0; i < n; ++i) {
            double end = crn_random_below(random, 2) == 0 ? 1.0 : -1.0;
            c.row_scale[i] = pow(10.0, 6.0 * (i % 2 == 0 ? end : crn_random_uniform(random, -1.0, 1.0)));
            end = crn_random_below(random, 2) == 0 ? 1.0 : -1.0;
            c.column_scale[i] = pow(10.0, 6.0 * (i % 2 == 1 ? end : crn_random_uniform(random, -1.0, 1.0)));
        }
    }
    return c;
}

static void free_change(change *c)
{
    free(c->permutation);
    free(c->row_scale);
    free(c->column_scale);
}

/* z of the changed problem in the order and units of the first. */
static void change_back(const change *c, int n, const double *z, double *back)
{
    for (int i = 0; i < n; ++i) {
        int old = c->permutation != NULL ? c->permutation[i] : i;
        back[old] = z[i] * (c->column_scale != NULL ? c->column_scale[old] : 1.0);
    }
}

static double largest(int n, const double *x)
{
    double most = 0.0;
    for (int i = 0; i < n; ++i) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

/* Same outcome as `before`; same z if it is unique. */
static void check_change(const char *name, const crn_lcp_problem *p, const answer *before, const change *c,
                         bool is_unique)
{
    crn_lcp_data data = {0};
    crn_error error = {CRN_OK, ""};
    crn_status status = crn_gallery_transform(p, c->permutation, c->row_scale, c->column_scale, &data, &error);
    TEST_CHECK(status == CRN_OK, "%s: %s", name, error.text);
    answer a = solve_by(&data.problem, before->result.method);
    judge_honest(name, &data.problem, &a);
    TEST_CHECK(a.result.outcome == before->result.outcome, "%s: %s, before %s", name,
               crn_lcp_outcome_name(a.result.outcome), crn_lcp_outcome_name(before->result.outcome));
    if (is_unique) {
        double *back = test_doubles((size_t)p->n), most = largest(p->n, before->z);
        change_back(c, p->n, a.z, back);
        for (int i = 0; i < p->n; ++i) {
            TEST_CHECK(fabs(back[i] - before->z[i]) <= 1e-8 * most, "%s: z(%d) = %.12g, before %.12g", name, i, back[i],
                       before->z[i]);
        }
        free(back);
    }
    answer_free(&a);
    crn_lcp_data_free(&data);
}

/* Families of P-matrices, where theory promises one solution. */
static bool has_one_solution(const char *family)
{
    return strcmp(family, "random-P") == 0 || strcmp(family, "murty-exp") == 0 || strcmp(family, "fathi-exp") == 0;
}

static void change_problem(const crn_gallery_family *family, int index, crn_lcp_method method, crn_random *random)
{
    char name[96];
    crn_lcp_data data = {0};
    assert_int_equal(family->make(index, TEST_SEED, &data, NULL), CRN_OK);
    answer before = solve_by(&data.problem, method);
    before.result.method = method;
    bool is_unique = has_one_solution(family->name);
    for (int k = 0; k < PERMUTATIONS + 2 * SCALINGS && data.problem.n <= ORDER_MOST; ++k) {
        bool is_permuted = k < PERMUTATIONS + SCALINGS, is_scaled = k >= PERMUTATIONS;
        change c = draw_change(data.problem.n, is_permuted, is_scaled, random);
        (void)snprintf(name, sizeof name, "%s on %s %d%s%s (%d)", crn_lcp_method_name(method), family->name, index,
                       is_permuted ? ", permuted" : "", is_scaled ? ", scaled" : "", k);
        check_change(name, &data.problem, &before, &c, is_unique);
        free_change(&c);
    }
    answer_free(&before);
    crn_lcp_data_free(&data);
}

static void families_keep_their_outcome(crn_lcp_method method, crn_random *random)
{
    int families;
    const crn_gallery_family *family = crn_gallery_families(&families);
    for (int f = 0; f < families; ++f) {
        int count = family[f].default_count < PROBLEMS ? family[f].default_count : PROBLEMS;
        for (int k = 0; k < count; ++k) {
            change_problem(&family[f], k * (family[f].default_count / count) + k, method, random);
        }
    }
}

static void search_keeps_its_outcome(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED);
    families_keep_their_outcome(CRN_LCP_SEARCH, &random);
}

static void auto_keeps_its_outcome(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED + 1);
    families_keep_their_outcome(CRN_LCP_AUTO, &random);
}

/* A few dozen permutations of problems with one solution, by every pivoting method. */
static void methods_agree_on_p_matrices(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED + 2);
    static const crn_lcp_method methods[] = {CRN_LCP_AUTO, CRN_LCP_SEARCH, CRN_LCP_LEMKE, CRN_LCP_LEMKE_LEX,
                                             CRN_LCP_MURTY};
    const crn_gallery_family *family = crn_gallery_find("random-P");
    for (int index = 0; index < 12; ++index) {
        crn_lcp_data data = {0};
        assert_int_equal(family->make(index, TEST_SEED, &data, NULL), CRN_OK);
        answer first = solve_by(&data.problem, CRN_LCP_SEARCH);
        judge_solved("search", &data.problem, &first);
        for (int k = 0; k < 36; ++k) {
            change c = draw_change(data.problem.n, true, false, &random);
            first.result.method = methods[(size_t)k % (sizeof methods / sizeof methods[0])];
            check_change(crn_lcp_method_name(first.result.method), &data.problem, &first, &c, true);
            free_change(&c);
        }
        answer_free(&first);
        crn_lcp_data_free(&data);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(search_keeps_its_outcome),
        cmocka_unit_test(auto_keeps_its_outcome),
        cmocka_unit_test(methods_agree_on_p_matrices),
    };
    return TEST_RUN(tests, argc, argv);
}
