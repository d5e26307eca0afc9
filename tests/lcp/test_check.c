/* The certificate: against sums in whole numbers, under changes of units, on wrong points; and the judge of proofs. */
#include "judge.h"

#include "gallery.h"
#include "lcp/check.h"

#include "test_matrix.h"

enum { TEST_SEED = 20260402 };

static crn_lcp_certificate certify(const crn_lcp_problem *p, const double *z)
{
    crn_workspace workspace = {0};
    crn_lcp_certificate c;
    crn_error error = {CRN_OK, ""};
    crn_status status = crn_lcp_certify(p, z, &workspace, &c, &error);
    TEST_CHECK(status == CRN_OK, "%s", error.text);
    crn_workspace_free(&workspace);
    return c;
}

/* --- exact sums --- */

enum { ORDER = 48 }; /* with entries below 2^27, sums of products stay below 2^60 */

typedef struct whole_problem {
    int64_t M[ORDER * ORDER], z[ORDER], w[ORDER];
    double M_real[ORDER * ORDER], z_real[ORDER], q_real[ORDER];
} whole_problem;

static int64_t whole(crn_random *random, int bits)
{
    return (int64_t)(crn_random_bits(random) >> (63 - bits)) - ((int64_t)1 << bits);
}

/* q is the nearest double to -M z, so that w is what rounding left: nothing of it survives a plain sum. */
static void fill_cancelling(whole_problem *t, crn_random *random)
{
    for (int i = 0; i < ORDER * ORDER; ++i) {
        t->M[i] = whole(random, 27);
        t->M_real[i] = (double)t->M[i];
    }
    for (int i = 0; i < ORDER; ++i) {
        t->z[i] = llabs(whole(random, 27));
        t->z_real[i] = (double)t->z[i];
    }
    for (int i = 0; i < ORDER; ++i) {
        int64_t sum = 0;
        for (int j = 0; j < ORDER; ++j) {
            sum += t->M[i + j * ORDER] * t->z[j];
        }
        t->q_real[i] = -(double)sum;
        t->w[i] = sum + (int64_t)t->q_real[i];
    }
}

static void check_against_whole_numbers(const whole_problem *t)
{
    crn_lcp_problem p = {.n = ORDER, .M = t->M_real, .ld = ORDER, .q = t->q_real};
    crn_lcp_certificate c = certify(&p, t->z_real);
    double absolute = 0.0, product = 0.0, sign = 0.0;
    for (int i = 0; i < ORDER; ++i) {
        double w = (double)t->w[i], z = t->z_real[i];
        absolute = fmax(absolute, fabs(fmin(z, w)));
        product = fmax(product, w > 0.0 ? w * z : 0.0);
        sign = fmax(sign, -w);
    }
    assert_true(absolute > 0.0);
    TEST_CHECK(c.absolute == absolute, "absolute %.17g, not %.17g", c.absolute, absolute);
    TEST_CHECK(c.sign_error == sign, "sign %.17g, not %.17g", c.sign_error, sign);
    TEST_CHECK(fabs(c.product_error - product) <= 1e-15 * product, "product %.17g, not %.17g", c.product_error,
               product);
    assert_true(c.bound_error == 0.0);
}

static void sums_are_those_of_whole_numbers(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED);
    whole_problem *t = (whole_problem *)take(1, sizeof *t);
    for (int trial = 0; trial < 20; ++trial) {
        fill_cancelling(t, &random);
        check_against_whole_numbers(t);
    }
    free(t);
}

/* Where every row and column has a largest entry of 1 there is nothing to scale: relative is plain arithmetic. */
static void relative_is_the_natural_map_over_q(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED);
    enum { N = 6 };
    for (int trial = 0; trial < 200; ++trial) {
        double M[N * N], q[N], z[N];
        long double worst = 0.0L, scale = 0.0L;
        test_matrix_uniform(&random, N, M, N);
        for (int i = 0; i < N; ++i) {
            M[i + i * N] = 1.0;
            q[i] = crn_random_uniform(&random, -1.0, 1.0);
            z[i] = crn_random_uniform(&random, -1.0, 1.0);
        }
        crn_lcp_problem p = {.n = N, .M = M, .ld = N, .q = q};
        long double *w = slack_of(&p, M, z);
        for (int i = 0; i < N; ++i) {
            worst = fmaxl(worst, fabsl(fminl(z[i], w[i])));
            scale = fmaxl(scale, fabsl(q[i]));
        }
        crn_lcp_certificate c = certify(&p, z);
        TEST_CHECK(fabsl(c.relative - worst / scale) <= 1e-15L * c.relative, "%g, not %Lg", c.relative, worst / scale);
        assert_true(c.worst >= 0 && c.worst < N && fabsl(fabsl(fminl(z[c.worst], w[c.worst])) - worst) <= 1e-15L);
        free(w);
    }
}

/* --- one variable, by hand --- */

typedef struct single {
    double M, q, lower, upper, z;
    double absolute, bound, sign, product;
} single;

#define INF ((double)INFINITY)

static void one_variable_by_hand(void **state)
{
    (void)state;
    static const single cases[] = {
        {1, -3, 0, INF, 3, 0, 0, 0, 0},      /* a solution */
        {1, 2, 0, INF, 0, 0, 0, 0, 0},       /* another */
        {1, -3, 0, INF, 0, 3, 0, 3, 0},      /* w = -3 */
        {1, -3, 0, INF, 5, 2, 0, 0, 10},     /* w = 2 beside z = 5 */
        {1, 3, 0, INF, -1, 1, 1, 0, 2},      /* w = 2, z below 0 */
        {1, -3, 0, 2, 2, 0, 0, 0, 0},        /* at the upper bound, w = -1 */
        {1, -3, 0, 2, 1, 1, 0, 0, 2},        /* w = -2, room 1 */
        {1, -3, 0, 2, 4, 2, 2, 0, 4},        /* w = 1 asks for z = 0; beyond the upper bound by 2 */
        {2, -3, -INF, INF, 1.5, 0, 0, 0, 0}, /* free */
        {2, -3, -INF, INF, 2, 1, 0, 1, 0},   /* free, w = 1 */
        {1, 3, -INF, 0, 0, 3, 0, 3, 0},      /* upper bound only: w must not be positive */
        {1, -3, -INF, 0, 0, 0, 0, 0, 0},     /* upper bound only, w = -3 */
        {1, 7, 4, 4, 4, 0, 0, 0, 0},         /* fixed: any w */
        {1, 7, 4, 4, 5, 1, 1, 0, 12},        /* fixed, and not there */
        {1, 0, 0, INF, 0, 0, 0, 0, 0},       /* nothing to do; the scale is then 1 */
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) {
        const single *t = &cases[k];
        crn_lcp_problem p = {.n = 1, .M = &t->M, .ld = 1, .q = &t->q, .lower = &t->lower, .upper = &t->upper};
        crn_lcp_certificate c = certify(&p, &t->z);
        TEST_CHECK(c.absolute == t->absolute, "case %zu: absolute %g", k, c.absolute);
        TEST_CHECK(c.bound_error == t->bound, "case %zu: bound error %g", k, c.bound_error);
        TEST_CHECK(c.sign_error == t->sign, "case %zu: sign error %g", k, c.sign_error);
        TEST_CHECK(c.product_error == t->product, "case %zu: product error %g", k, c.product_error);
        TEST_CHECK((c.relative == 0.0) == (t->absolute == 0.0), "case %zu: relative %g", k, c.relative);
        assert_true(c.scale > 0.0);
    }
}

static void nothing_to_judge(void **state)
{
    (void)state;
    crn_lcp_problem p = {.n = 0};
    crn_lcp_certificate c = certify(&p, NULL);
    assert_true(c.relative == 0.0 && c.absolute == 0.0 && c.bound_error == 0.0 && c.sign_error == 0.0);
    assert_true(c.product_error == 0.0 && c.scale == 1.0 && c.worst == -1);
}

/* --- wrong points --- */

/* A positive definite problem and its solution. */
static answer definite(int n, double *M, double *q, crn_lcp_problem *p, crn_random *random)
{
    test_matrix_definite(random, n, 0.1, M, n);
    for (int i = 0; i < n; ++i) {
        q[i] = crn_random_uniform(random, -1.0, 1.0);
    }
    *p = (crn_lcp_problem){.n = n, .M = M, .ld = n, .q = q};
    answer a = solve_by(p, CRN_LCP_SEARCH);
    judge_solved("definite", p, &a);
    return a;
}

static void each_wrong_entry_is_seen(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED);
    enum { N = 20 };
    double M[N * N], q[N];
    crn_lcp_problem p;
    answer a = definite(N, M, q, &p, &random);
    assert_true(certify(&p, a.z).relative <= 1e-14);
    for (int i = 0; i < N; ++i) {
        double before = a.z[i], least = 1e-6 * (fabs(before) + fabs(a.w[i]) + 0.01);
        for (int sign = -1; sign <= 1; sign += 2) {
            a.z[i] = before + sign * least;
            crn_lcp_certificate c = certify(&p, a.z);
            TEST_CHECK(c.relative > 1e-9, "z(%d) wrong by %g is not seen: %g", i, sign * least, c.relative);
        }
        a.z[i] = before;
    }
    answer_free(&a);
}

/* Diagonal, sparse: a NaN in one place reaches no other row. It once gave way to the next row's 0. */
static void not_a_number_is_never_accepted(void **state)
{
    (void)state;
    enum { N = 4 };
    const int start[N + 1] = {0, 1, 2, 3, 4}, row[N] = {0, 1, 2, 3};
    const double value[N] = {1, 1, 1, 1}, q[N] = {-1, -1, 1, -1};
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    crn_lcp_problem p = {.n = N, .start = start, .row = row, .value = value, .q = q};
    for (int k = 0; k < 3 * N; ++k) {
        double z[N] = {1, 1, 0, 1};
        assert_true(certify(&p, z).relative == 0.0);
        z[k / 3] = bad[k % 3];
        crn_lcp_certificate c = certify(&p, z);
        TEST_CHECK(!(c.relative <= 1e-9), "z(%d) = %g: relative %g", k / 3, bad[k % 3], c.relative);
        TEST_CHECK(c.worst == k / 3, "z(%d) = %g: worst %d", k / 3, bad[k % 3], c.worst);
    }
}

/* --- units --- */

/* Factors 2^-20 .. 2^20, or 1e-6, 1, 1e6. */
static void draw_factors(crn_random *random, int n, bool is_binary, double *factor)
{
    for (int i = 0; i < n; ++i) {
        double decimal = pow(10.0, 6.0 * (crn_random_below(random, 3) - 1));
        factor[i] = is_binary ? ldexp(1.0, crn_random_below(random, 41) - 20) : decimal;
    }
}

/* The units in which an error hides best: small numbers for what is solved, large ones for the rest. */
static void hide(int n, const double *z, double *row_factor, double *column_factor)
{
    for (int i = 0; i < n; ++i) {
        row_factor[i] = z[i] > 0.01 ? 1e-6 : 1e6;
        column_factor[i] = 1e6;
    }
}

/* relative of the same point in other units, over relative before. */
static double change_of_relative(const crn_lcp_problem *p, const double *z, int kind, crn_random *random)
{
    double *r = test_doubles((size_t)p->n), *c = test_doubles((size_t)p->n), *moved = test_doubles((size_t)p->n);
    draw_factors(random, p->n, kind == 0, r);
    draw_factors(random, p->n, kind == 0, c);
    if (kind == 2) {
        hide(p->n, z, r, c);
    }
    crn_lcp_data data = {0};
    crn_error error = {CRN_OK, ""};
    TEST_CHECK(crn_gallery_transform(p, NULL, r, c, &data, &error) == CRN_OK, "%s", error.text);
    for (int i = 0; i < p->n; ++i) {
        moved[i] = z[i] / c[i];
    }
    double change = certify(&data.problem, moved).relative / certify(p, z).relative;
    crn_lcp_data_free(&data);
    free(moved);
    free(c);
    free(r);
    return change;
}

/* Equilibration ends when largest entries are within 1/16 .. 16, so the figure may move by such factors, while the
 * units move by 2^40 or 1e12. */
static void relative_does_not_depend_on_units(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED);
    enum { N = 20 };
    const double most = 64.0;
    double least_change = 1.0, largest_change = 1.0;
    for (int trial = 0; trial < 60; ++trial) {
        double M[N * N], q[N];
        crn_lcp_problem p;
        answer a = definite(N, M, q, &p, &random);
        for (int i = 0; i < N; ++i) {
            a.z[i] += 1e-7 * crn_random_uniform(&random, -1.0, 1.0);
        }
        double change = change_of_relative(&p, a.z, trial % 3, &random);
        TEST_CHECK(change < most && change > 1.0 / most, "trial %d: changed by %g", trial, change);
        least_change = fmin(least_change, change);
        largest_change = fmax(largest_change, change);
        answer_free(&a);
    }
    print_message("changes between %.2g and %.2g\n", least_change, largest_change);
}

/* Parts that have nothing to do with each other are judged each in its own units: q = -1e-12 is violated by z = 0 no
 * less for standing beside q = -1e6. It was once a "solved" of M = 0, q = (8e5, -2e-4), which has no solution. */
static void large_numbers_do_not_hide_small_ones(void **state)
{
    (void)state;
    const double identity[4] = {1, 0, 0, 1}, empty_row[4] = {0, 0, 0, 1}, zero[4] = {0}, q[2] = {-1e-12, -1e6};
    const double z[2] = {0, 1e6}, q_zero[2] = {-2e-4, 8e5}, z_zero[2] = {0, 0};
    crn_lcp_problem p = {.n = 2, .M = identity, .ld = 2, .q = q};
    assert_true(certify(&p, z).relative > 1e-3);
    p.M = empty_row;
    assert_true(certify(&p, z).relative > 1e-3);
    p.M = zero;
    p.q = q_zero;
    assert_true(certify(&p, z_zero).relative > 1e-3);
    for (int v = 0; v < VARIANT_COUNT; ++v) {
        crn_lcp_options options = variant_options(v);
        answer a = solve(&p, &options);
        assert_int_not_equal(a.result.outcome, CRN_LCP_SOLVED);
        answer_free(&a);
    }
}

/* --- proofs --- */

/* The judge of proofs on one problem; y is not changed. */
static bool is_farkas(const crn_lcp_problem *p, const double *y)
{
    static unsigned char memory[1 << 16];
    crn_arena arena = {.data = memory, .size = sizeof memory};
    crn_view view;
    double copy[8], work[16];
    crn_view_layout(&view, p, &arena);
    assert_false(arena.overflow);
    assert_int_equal(crn_view_open(&view, NULL), CRN_OK);
    memcpy(copy, y, (size_t)p->n * sizeof *copy);
    return crn_check_farkas(&view, copy, work);
}

static void proofs_by_hand(void **state)
{
    (void)state;
    /* w = (-z1 + z2 - 1, z1 - z2 - 1): the rows add up to -2. */
    const double M[4] = {-1, 1, 1, -1}, q[2] = {-1, -1}, q_solvable[2] = {-1, 2};
    crn_lcp_problem p = {.n = 2, .M = M, .ld = 2, .q = q};
    assert_true(is_farkas(&p, (double[]){1, 1}));
    assert_true(is_farkas(&p, (double[]){3e-9, 3e-9}));
    assert_false(is_farkas(&p, (double[]){1, 2})); /* M'y = (1, -1) */
    assert_false(is_farkas(&p, (double[]){1, 1.0001}));
    assert_false(is_farkas(&p, (double[]){-1, -1})); /* y < 0 */
    assert_false(is_farkas(&p, (double[]){0, 0}));
    p.q = q_solvable;
    assert_false(is_farkas(&p, (double[]){1, 1})); /* y'q > 0 */
}

static void proofs_with_bounds_by_hand(void **state)
{
    (void)state;
    /* w1 = z2 - 3 >= 0 and 0 <= z2 <= u: impossible for u < 3 only. */
    const double M[4] = {0, 0, 1, 0}, q[2] = {-3, 0}, lower[2] = {0, 0};
    const double low[2] = {INFINITY, 2}, high[2] = {INFINITY, 4}, y[2] = {1, 0};
    crn_lcp_problem p = {.n = 2, .M = M, .ld = 2, .q = q, .lower = lower, .upper = low};
    assert_true(is_farkas(&p, y));
    assert_false(is_farkas(&p, (double[]){1, 1e-3})); /* row 2 asks for nothing that holds everywhere */
    p.upper = high;
    assert_false(is_farkas(&p, y));
    /* Two equations z1 = 1, z1 = 2 of free variables: y of any sign, M'y = 0. */
    const double E[4] = {1, 1, 0, 0}, e[2] = {-1, -2}, minus[2] = {-INFINITY, -INFINITY};
    crn_lcp_problem mixed = {.n = 2, .M = E, .ld = 2, .q = e, .lower = minus};
    assert_true(is_farkas(&mixed, (double[]){-1, 1}));
    assert_false(is_farkas(&mixed, (double[]){1, -1})); /* y'q = 1 */
    assert_false(is_farkas(&mixed, (double[]){0, 1}));  /* M'y = (1, 0), z1 free */
    /* z <= 0 asks for w <= 0; w = -z + 1 is at least 1: y = -1. */
    const double one = 1, minus_one = -1, zero = 0, minus_infinity = -INFINITY;
    crn_lcp_problem upper_only = {
        .n = 1, .M = &minus_one, .ld = 1, .q = &one, .lower = &minus_infinity, .upper = &zero};
    assert_true(is_farkas(&upper_only, &minus_one));
    assert_false(is_farkas(&upper_only, &one));
}

/* Proofs that come with answers hold on the original data, multiplied out by the tests' own judge. */
static void proofs_of_answers_hold(void **state)
{
    (void)state;
    const crn_gallery_family *family = crn_gallery_find("no-solution");
    int vectors = 0, trees = 0;
    for (int index = 0; index < 160; ++index) {
        crn_lcp_data data = {0};
        assert_int_equal(family->make(index, TEST_SEED, &data, NULL), CRN_OK);
        answer a = solve_by(&data.problem, CRN_LCP_SEARCH);
        char name[32];
        (void)snprintf(name, sizeof name, "no-solution %d", index);
        judge_honest(name, &data.problem, &a);
        TEST_CHECK(a.result.outcome == CRN_LCP_INFEASIBLE, "%s: %s", name, crn_lcp_outcome_name(a.result.outcome));
        vectors += a.result.proof == CRN_LCP_FARKAS;
        trees += a.result.proof == CRN_LCP_EXHAUSTED;
        answer_free(&a);
        crn_lcp_data_free(&data);
    }
    print_message("%d vectors, %d trees, seed %d\n", vectors, trees, TEST_SEED);
    assert_true(vectors >= 7 * 160 / 8 && trees >= 160 / 8);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_those_of_whole_numbers),
        cmocka_unit_test(relative_is_the_natural_map_over_q),
        cmocka_unit_test(one_variable_by_hand),
        cmocka_unit_test(nothing_to_judge),
        cmocka_unit_test(each_wrong_entry_is_seen),
        cmocka_unit_test(not_a_number_is_never_accepted),
        cmocka_unit_test(relative_does_not_depend_on_units),
        cmocka_unit_test(large_numbers_do_not_hide_small_ones),
        cmocka_unit_test(proofs_by_hand),
        cmocka_unit_test(proofs_with_bounds_by_hand),
        cmocka_unit_test(proofs_of_answers_hold),
    };
    return TEST_RUN(tests, argc, argv);
}
