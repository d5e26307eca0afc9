/* crn_gallery_transform: definition, equivalence of solutions, dense and sparse alike, bad arguments, no leaks. */
#include "test_allocator.h"
#include "test_support.h"

#include <math.h>

#include "gallery.h"

enum { TEST_SEED = 20260105, ORDER_MAX = 64 };

typedef struct change {
    int permutation[ORDER_MAX];
    double row[ORDER_MAX], column[ORDER_MAX];
} change;

static change random_change(int n, crn_random *random)
{
    change c;
    for (int i = 0; i < n; ++i) {
        int other = crn_random_below(random, i + 1);
        c.permutation[i] = i;
        c.permutation[i] = c.permutation[other];
        c.permutation[other] = i;
        c.row[i] = pow(10.0, crn_random_uniform(random, -6.0, 6.0));
        c.column[i] = pow(10.0, crn_random_uniform(random, -6.0, 6.0));
    }
    return c;
}

static double at(const crn_lcp_problem *p, int i, int j)
{
    if (p->M) {
        return p->M[i + j * p->ld];
    }
    for (int k = p->start[j]; k < p->start[j + 1]; ++k) {
        if (p->row[k] == i) {
            return p->value[k];
        }
    }
    return 0.0;
}

static bool is_near(double a, double b)
{
    return a == b || fabs(a - b) <= 1e-15 * (fabs(a) + fabs(b));
}

static void check_definition(const crn_lcp_problem *in, const change *c, const crn_lcp_problem *out)
{
    assert_int_equal(in->n, out->n);
    for (int i = 0; i < in->n; ++i) {
        int p = c->permutation[i];
        assert_true(is_near(out->q[i], c->row[p] * in->q[p]));
        assert_true(!in->lower || is_near(out->lower[i], in->lower[p] / c->column[p]));
        assert_true(!in->upper || is_near(out->upper[i], in->upper[p] / c->column[p]));
        for (int j = 0; j < in->n; ++j) {
            int r = c->permutation[j];
            assert_true(is_near(at(out, i, j), c->row[p] * at(in, p, r) * c->column[r]));
        }
    }
}

static void dense_problems_follow_the_definition(void **state)
{
    (void)state;
    static const char *const names[4] = {"random-P", "box", "mixed", "tiny"};
    crn_random random = test_random("dense_problems_follow_the_definition", TEST_SEED);
    for (int k = 0; k < 40; ++k) {
        crn_lcp_data in = {0}, out = {0};
        int index = strcmp(names[k % 4], "random-P") == 0 ? k / 4 * 5 : k / 4; /* orders of at most 64 */
        assert_int_equal(crn_gallery_find(names[k % 4])->make(index, TEST_SEED, &in, NULL), CRN_OK);
        change c = random_change(in.problem.n, &random);
        assert_int_equal(crn_gallery_transform(&in.problem, c.permutation, c.row, c.column, &out, NULL), CRN_OK);
        check_definition(&in.problem, &c, &out.problem);
        crn_lcp_data_free(&in);
        crn_lcp_data_free(&out);
    }
}

static void nothing_given_copies(void **state)
{
    (void)state;
    crn_lcp_data in = {0}, out = {0};
    assert_int_equal(crn_gallery_find("box")->make(2, TEST_SEED, &in, NULL), CRN_OK);
    assert_int_equal(crn_gallery_transform(&in.problem, NULL, NULL, NULL, &out, NULL), CRN_OK);
    size_t n = (size_t)in.problem.n;
    assert_memory_equal(in.problem.M, out.problem.M, n * n * sizeof(double));
    assert_memory_equal(in.problem.q, out.problem.q, n * sizeof(double));
    assert_memory_equal(in.problem.lower, out.problem.lower, n * sizeof(double));
    crn_lcp_data_free(&in);
    crn_lcp_data_free(&out);
}

static const int sparse_start[5] = {0, 2, 3, 3, 6};
static const int sparse_row[6] = {0, 3, 1, 0, 2, 3};
static const double sparse_value[6] = {2.0, -1.0, 3.0, 4.0, 5.0, 6.0};
static const double sparse_q[4] = {-1.0, 2.0, -3.0, 4.0};
static const crn_lcp_problem sparse = {
    .n = 4, .start = sparse_start, .row = sparse_row, .value = sparse_value, .q = sparse_q};

static void sparse_problems_stay_sparse_and_sorted(void **state)
{
    (void)state;
    crn_random random = test_random("sparse_problems_stay_sparse_and_sorted", TEST_SEED);
    for (int k = 0; k < 24; ++k) {
        crn_lcp_data out = {0};
        change c = random_change(4, &random);
        assert_int_equal(crn_gallery_transform(&sparse, c.permutation, c.row, c.column, &out, NULL), CRN_OK);
        assert_null(out.problem.M);
        assert_int_equal(out.problem.start[4], 6);
        check_definition(&sparse, &c, &out.problem);
        for (int j = 0; j < 4; ++j) {
            for (int e = out.problem.start[j] + 1; e < out.problem.start[j + 1]; ++e) {
                assert_true(out.problem.row[e - 1] < out.problem.row[e]);
            }
        }
        crn_lcp_data_free(&out);
    }
}

static void a_solution_goes_along(void **state)
{
    (void)state;
    const crn_gallery_family *family = crn_gallery_find("random-P");
    crn_random random = test_random("a_solution_goes_along", TEST_SEED);
    double z[ORDER_MAX];
    crn_lcp_data in = {0}, out = {0};
    assert_int_equal(family->make_with_witness(2, TEST_SEED, z, &in, NULL), CRN_OK);
    change c = random_change(in.problem.n, &random);
    assert_int_equal(crn_gallery_transform(&in.problem, c.permutation, c.row, c.column, &out, NULL), CRN_OK);
    for (int i = 0; i < out.problem.n; ++i) {
        int p = c.permutation[i];
        double w = out.problem.q[i], size = fabs(w);
        for (int j = 0; j < out.problem.n; ++j) {
            double part = at(&out.problem, i, j) * z[c.permutation[j]] / c.column[c.permutation[j]];
            w += part;
            size += fabs(part);
        }
        assert_true(z[p] > 0.0 ? fabs(w) <= 1e-13 * size : w > 0.0);
    }
    crn_lcp_data_free(&in);
    crn_lcp_data_free(&out);
}

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    const int twice[4] = {0, 1, 1, 3}, outside[4] = {0, 1, 2, 4};
    const double zero[4] = {1.0, 0.0, 1.0, 1.0}, huge[4] = {1.0, (double)INFINITY, 1.0, 1.0};
    crn_error error;
    for (int k = 0; k < 4; ++k) {
        test_allocator counter = {0};
        crn_lcp_data out = {.allocator = test_allocator_hooks(&counter)};
        const int *permutation = k == 0 ? twice : k == 1 ? outside : NULL;
        crn_status status =
            crn_gallery_transform(&sparse, permutation, k == 2 ? zero : NULL, k == 3 ? huge : NULL, &out, &error);
        assert_int_equal(status, CRN_ERR_ARGUMENT);
        assert_true(strlen(error.text) > 0);
        assert_int_equal(counter.live, 0);
    }
}

static void a_failing_allocator_leaves_nothing_behind(void **state)
{
    (void)state;
    crn_status status = CRN_ERR_MEMORY;
    for (long k = 1; status != CRN_OK; ++k) {
        test_allocator counter = {.fail_at = k};
        crn_lcp_data out = {.allocator = test_allocator_hooks(&counter)};
        status = crn_gallery_transform(&sparse, NULL, NULL, NULL, &out, NULL);
        assert_true(status == CRN_OK || status == CRN_ERR_MEMORY);
        if (status == CRN_OK) {
            crn_lcp_data_free(&out);
        }
        assert_int_equal(counter.live, 0);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dense_problems_follow_the_definition),
        cmocka_unit_test(nothing_given_copies),
        cmocka_unit_test(sparse_problems_stay_sparse_and_sorted),
        cmocka_unit_test(a_solution_goes_along),
        cmocka_unit_test(bad_arguments_are_refused),
        cmocka_unit_test(a_failing_allocator_leaves_nothing_behind),
    };
    return TEST_RUN(tests, argc, argv);
}
