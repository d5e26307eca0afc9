/* Friction problems given by matrices: known answers, another solver's answers, honest failures, bad input, memory. */
#include "cone_case.h"
#include "test_allocator.h"

/* What the judge above may find in an answer that the library calls solved at 1e-8: its scales differ by some hundreds. */
#define LAW_TOL 1e-6

static crn_cone_result solve(const crn_cone_problem *problem, const crn_cone_options *options, double *r, double *u)
{
    crn_workspace workspace = {0};
    crn_cone_solution solution = {.r = r, .u = u};
    crn_cone_result result;
    crn_error error;
    const crn_status status = crn_cone_solve(problem, options, &workspace, &solution, &result, &error);
    TEST_CHECK(status == CRN_OK, "%s", error.text);
    crn_workspace_free(&workspace);
    return result;
}

/* --- one contact --- */

static void one(int dim, double mu, const double *diagonal, const double *q, const double *r, const double *u)
{
    cone_case c = cone_case_new(dim, 1);
    double found_r[3], found_u[3];
    for (int k = 0; k < dim; ++k) {
        c.dense[k + k * dim] = diagonal[k];
        c.q[k] = q[k];
    }
    c.mu[0] = mu;
    cone_case_close(&c);
    crn_cone_result result = solve(&c.problem, NULL, found_r, found_u);
    assert_int_equal(result.outcome, CRN_LCP_SOLVED);
    for (int k = 0; k < dim; ++k) {
        TEST_CHECK(fabs(found_r[k] - r[k]) < 1e-12 && fabs(found_u[k] - u[k]) < 1e-12,
                   "component %d: r %.17g, not %.17g; u %.17g, not %.17g", k, found_r[k], r[k], found_u[k], u[k]);
    }
    cone_case_free(&c);
}

static void test_one_contact(void **state)
{
    (void)state;
    const double W[3] = {4.0, 2.0, 2.0};
    /* separates: no impulse */
    one(3, 0.5, W, (double[]){1.0, 2.0, -3.0}, (double[]){0, 0, 0}, (double[]){1.0, 2.0, -3.0});
    one(2, 0.5, W, (double[]){1.0, 2.0}, (double[]){0, 0}, (double[]){1.0, 2.0});
    /* sticks: r = -W^-1 q is inside the cone */
    one(3, 0.5, W, (double[]){-4.0, 0.6, -0.4}, (double[]){1.0, -0.3, 0.2}, (double[]){0, 0, 0});
    one(2, 0.5, W, (double[]){-4.0, 0.6}, (double[]){1.0, -0.3}, (double[]){0, 0});
    /* slips: r_n = 1, friction mu against (3, 4)/5, u_t = q_t + 2 r_t */
    one(3, 0.5, W, (double[]){-4.0, 3.0, 4.0}, (double[]){1.0, -0.3, -0.4}, (double[]){0, 2.4, 3.2});
    one(2, 0.5, W, (double[]){-4.0, -3.0}, (double[]){1.0, 0.5}, (double[]){0, -2.0});
    /* without friction */
    one(3, 0.0, W, (double[]){-4.0, 3.0, 4.0}, (double[]){1.0, 0, 0}, (double[]){0, 3.0, 4.0});
}

/* A block whose normal impulse depends on its friction: slip with W_nt not 0, by its two equations. */
static void test_coupled_slip(void **state)
{
    (void)state;
    cone_case c = cone_case_new(2, 1);
    double r[2], u[2];
    const double W[4] = {2.0, 0.5, 0.5, 1.0}, mu = 0.4;
    memcpy(c.dense, W, sizeof W);
    c.q[0] = -1.0;
    c.q[1] = 3.0;
    c.mu[0] = mu;
    cone_case_close(&c);
    assert_int_equal(solve(&c.problem, NULL, r, u).outcome, CRN_LCP_SOLVED);
    /* r_t = -mu r_n, 0 = 2 r_n + 0.5 r_t - 1 */
    const double rn = 1.0 / (2.0 - 0.5 * mu);
    assert_true(fabs(r[0] - rn) < 1e-12 && fabs(r[1] + mu * rn) < 1e-12);
    assert_true(fabs(u[0]) < 1e-12 && fabs(u[1] - (3.0 + (0.5 - mu) * rn)) < 1e-12);
    cone_case_free(&c);
}

/* --- known answers --- */

static void judged(const cone_case *c, const char *what, int seed, bool is_unique)
{
    double *r = cone_doubles(c->n), *u = cone_doubles(c->n), *again = cone_doubles(c->n);
    const crn_cone_result result = solve(&c->problem, NULL, r, u);
    TEST_CHECK(result.outcome == CRN_LCP_SOLVED, "%s %d: %s, %g and %g", what, seed,
               crn_lcp_outcome_name(result.outcome), result.residual, result.residual_cone);
    assert_true(result.residual <= 1e-8 && result.residual_cone <= 1e-8);
    cone_case_velocity(c, r, again);
    for (int i = 0; i < c->n; ++i) {
        TEST_CHECK(fabs(again[i] - u[i]) <= 1e-12 * (cone_largest(c->n, again) + cone_largest(c->n, c->q)),
                   "%s %d: u is not W r + q at %d", what, seed, i);
        TEST_CHECK(!is_unique || fabs(u[i] - c->u[i]) <= 1e-6 * cone_largest(c->n, c->u), "%s %d: u(%d) = %g, not %g",
                   what, seed, i, u[i], c->u[i]);
    }
    TEST_CHECK(cone_worst(&c->problem, c->q, r, again) <= LAW_TOL, "%s %d: law missed by %g", what, seed,
               cone_worst(&c->problem, c->q, r, again));
    free(r);
    free(u);
    free(again);
}

static void test_round_trip(void **state)
{
    (void)state;
    crn_random random = test_random("round trip", 11);
    for (int k = 0; k < 60; ++k) {
        const int dim = 2 + k % 2, contacts = 1 + crn_random_below(&random, 20), n = dim * contacts;
        /* small friction and full rank: one answer only */
        cone_case full = cone_case_random(&random, dim, contacts, 2 * n, 0.05, 0.0, 1.0);
        judged(&full, "full rank", k, true);
        cone_case_free(&full);
        cone_case thin = cone_case_random(&random, dim, contacts, n / 2 + 1, 0.5, 0.0, 1.0);
        judged(&thin, "half rank", k, false);
        cone_case_free(&thin);
        cone_case wide = cone_case_random(&random, dim, contacts, n, 0.3, 0.0, 1e3);
        judged(&wide, "spread", k, false);
        cone_case_free(&wide);
        cone_case skew = cone_case_random(&random, dim, contacts, n + 1, 0.5, 1e-3, 1.0);
        judged(&skew, "unsymmetric", k, false);
        cone_case_free(&skew);
    }
}

/* Without friction the normal rows are an LCP, which door 1 solves by pivoting. */
static void test_frictionless_is_lcp(void **state)
{
    (void)state;
    crn_random random = test_random("frictionless", 12);
    for (int k = 0; k < 20; ++k) {
        const int dim = 2 + k % 2, contacts = 1 + crn_random_below(&random, 15);
        cone_case c = cone_case_random(&random, dim, contacts, 2 * dim * contacts, 0.0, 0.0, 1.0);
        double *r = cone_doubles(c.n), *u = cone_doubles(c.n), *z = cone_doubles(contacts), *w = cone_doubles(contacts);
        double *M = cone_doubles(contacts * contacts), *q = cone_doubles(contacts);
        for (int i = 0; i < contacts; ++i) {
            q[i] = c.q[dim * i];
            for (int j = 0; j < contacts; ++j) {
                M[i + j * contacts] = c.dense[dim * i + dim * j * c.n];
            }
        }
        crn_lcp_problem lcp = {.n = contacts, .M = M, .ld = contacts, .q = q};
        crn_lcp_solution solution = {.z = z, .w = w};
        crn_lcp_result result;
        crn_workspace workspace = {0};
        assert_int_equal(crn_lcp_solve(&lcp, NULL, &workspace, &solution, &result, NULL), CRN_OK);
        assert_int_equal(result.outcome, CRN_LCP_SOLVED);
        assert_int_equal(solve(&c.problem, NULL, r, u).outcome, CRN_LCP_SOLVED);
        for (int i = 0; i < contacts; ++i) {
            TEST_CHECK(fabs(r[dim * i] - z[i]) <= 1e-6 * cone_largest(contacts, z), "%d: r_n(%d) %g, not %g", k, i,
                       r[dim * i], z[i]);
            assert_true(r[dim * i + 1] == 0.0);
        }
        crn_workspace_free(&workspace);
        free(M);
        free(q);
        free(r);
        free(u);
        free(z);
        free(w);
        cone_case_free(&c);
    }
}

/* The same contacts in another order: the same velocities. */
static void test_order_does_not_matter(void **state)
{
    (void)state;
    crn_random random = test_random("order", 13);
    for (int k = 0; k < 20; ++k) {
        const int contacts = 2 + crn_random_below(&random, 25), n = 3 * contacts;
        cone_case c = cone_case_random(&random, 3, contacts, 2 * n, 0.1, 0.0, 1.0);
        cone_case p = cone_case_new(3, contacts);
        int *to = cone_memory((size_t)contacts, sizeof *to);
        for (int i = 0; i < contacts; ++i) {
            to[i] = i;
        }
        for (int i = contacts - 1; i > 0; --i) {
            const int j = crn_random_below(&random, i + 1), swap = to[i];
            to[i] = to[j];
            to[j] = swap;
        }
        for (int i = 0; i < n; ++i) {
            const int pi = 3 * to[i / 3] + i % 3;
            p.q[pi] = c.q[i];
            p.mu[pi / 3] = c.mu[i / 3];
            for (int j = 0; j < n; ++j) {
                p.dense[pi + (3 * to[j / 3] + j % 3) * n] = c.dense[i + j * n];
            }
        }
        cone_case_close(&p);
        double *r = cone_doubles(n), *u = cone_doubles(n), *pu = cone_doubles(n);
        assert_int_equal(solve(&c.problem, NULL, r, u).outcome, CRN_LCP_SOLVED);
        assert_int_equal(solve(&p.problem, NULL, r, pu).outcome, CRN_LCP_SOLVED);
        for (int i = 0; i < n; ++i) {
            const double gap = fabs(u[i] - pu[3 * to[i / 3] + i % 3]);
            TEST_CHECK(gap <= 1e-7 * cone_largest(n, c.q), "%d: u(%d) differs by %g", k, i, gap);
        }
        free(to);
        free(r);
        free(u);
        free(pu);
        cone_case_free(&c);
        cone_case_free(&p);
    }
}

/* --- units, starts, bits --- */

/* The scaled residual does not change with the units of impulses and velocities; the plain one does. */
static void test_units(void **state)
{
    (void)state;
    crn_random random = test_random("units", 14);
    cone_case c = cone_case_random(&random, 3, 8, 20, 0.4, 0.0, 10.0);
    double *r = cone_doubles(c.n);
    crn_workspace workspace = {0};
    crn_cone_result before, after;
    for (int i = 0; i < c.n; ++i) {
        r[i] = c.r[i] + 1e-3 * crn_random_normal(&random);
    }
    assert_int_equal(crn_cone_certify(&c.problem, r, &workspace, &before, NULL), CRN_OK);
    assert_int_equal(before.outcome, CRN_LCP_STALLED);
    const double a = 1e5, b = 1e-3; /* r -> a r, u -> b u */
    for (int i = 0; i < c.n; ++i) {
        r[i] *= a;
        c.q[i] *= b;
        for (int j = 0; j < c.n; ++j) {
            c.dense[i + j * c.n] *= b / a;
        }
    }
    cone_case_close(&c);
    assert_int_equal(crn_cone_certify(&c.problem, r, &workspace, &after, NULL), CRN_OK);
    assert_true(fabs(after.residual_cone - before.residual_cone) <= 1e-9 * before.residual_cone);
    assert_true(fabs(after.residual - before.residual) > 0.1 * before.residual);
    judged(&c, "other units", 0, false);
    crn_workspace_free(&workspace);
    free(r);
    cone_case_free(&c);
}

static void test_start_and_bits(void **state)
{
    (void)state;
    crn_random random = test_random("start", 15);
    cone_case c = cone_case_random(&random, 3, 30, 40, 0.6, 1e-3, 1.0);
    double *r = cone_doubles(c.n), *again = cone_doubles(c.n);
    crn_cone_options options = crn_cone_options_default();
    const crn_cone_result cold = solve(&c.problem, NULL, r, NULL);
    assert_int_equal(cold.outcome, CRN_LCP_SOLVED);
    assert_true(cold.iterations > 0);
    (void)solve(&c.problem, NULL, again, NULL);
    assert_memory_equal(r, again, (size_t)c.n * sizeof *r);
    options.start = r;
    const crn_cone_result warm = solve(&c.problem, &options, again, NULL);
    assert_int_equal(warm.outcome, CRN_LCP_SOLVED);
    assert_string_equal(warm.route, "start");
    assert_int_equal(warm.iterations, 0);
    /* a start that is no good is no harm */
    for (int i = 0; i < c.n; ++i) {
        again[i] = 1e3 * crn_random_normal(&random);
    }
    options.start = again;
    assert_int_equal(solve(&c.problem, &options, r, NULL).outcome, CRN_LCP_SOLVED);
    /* and a bound on the steps is kept, and told */
    options.start = NULL;
    options.max_iterations = 1;
    const crn_cone_result bounded = solve(&c.problem, &options, r, NULL);
    assert_int_equal(bounded.outcome, CRN_LCP_LIMIT);
    assert_true(bounded.iterations <= 1 && bounded.residual_cone > 1e-8);
    free(r);
    free(again);
    cone_case_free(&c);
}

/* --- no answer --- */

static void test_unsolvable(void **state)
{
    (void)state;
    double r[9], u[9];
    /* nothing moves: closing stays closing, opening needs no impulse */
    cone_case still = cone_case_new(3, 3);
    for (int i = 0; i < 3; ++i) {
        still.mu[i] = 0.5;
        still.q[3 * i] = i == 1 ? -1.0 : 1.0;
        still.q[3 * i + 1] = 0.3;
    }
    cone_case_close(&still);
    crn_cone_result result = solve(&still.problem, NULL, r, u);
    assert_int_equal(result.outcome, CRN_LCP_LIMIT);
    assert_true(result.residual > 0.1 && result.residual_cone > 0.1);
    still.q[3] = 1.0;
    assert_int_equal(solve(&still.problem, NULL, r, u).outcome, CRN_LCP_SOLVED);
    cone_case_free(&still);
    /* jammed between two walls that both close: r_1 = r_2 moves nothing */
    cone_case jam = cone_case_new(2, 2);
    jam.dense[0] = jam.dense[2 + 2 * 4] = 1.0;
    jam.dense[2] = jam.dense[2 * 4] = -1.0;
    jam.dense[1 + 4] = jam.dense[3 + 3 * 4] = 1.0;
    jam.q[0] = jam.q[2] = -1.0;
    jam.mu[0] = jam.mu[1] = 0.3;
    cone_case_close(&jam);
    result = solve(&jam.problem, NULL, r, u);
    assert_int_equal(result.outcome, CRN_LCP_LIMIT);
    assert_true(result.residual_cone > 0.1);
    for (int i = 0; i < 4; ++i) {
        assert_true(isfinite(r[i]) && isfinite(u[i]));
    }
    cone_case_free(&jam);
    /* indefinite, with no solution at all: u_n = -r_n - 1 */
    cone_case pull = cone_case_new(2, 1);
    pull.dense[0] = -1.0;
    pull.dense[3] = 1.0;
    pull.q[0] = -1.0;
    cone_case_close(&pull);
    assert_int_equal(solve(&pull.problem, NULL, r, u).outcome, CRN_LCP_LIMIT);
    cone_case_free(&pull);
}

static void test_empty(void **state)
{
    (void)state;
    crn_cone_problem local = {.form = CRN_CONE_LOCAL, .dim = 3};
    const crn_cone_result result = solve(&local, NULL, NULL, NULL);
    assert_int_equal(result.outcome, CRN_LCP_SOLVED);
    assert_true(result.residual == 0.0 && result.residual_cone == 0.0);
    crn_workspace workspace = {0};
    crn_cone_result judged_result;
    assert_int_equal(crn_cone_certify(&local, NULL, &workspace, &judged_result, NULL), CRN_OK);
    assert_int_equal(judged_result.outcome, CRN_LCP_SOLVED);
    crn_workspace_free(&workspace);
}

/* --- bad input --- */

static void refused(const crn_cone_problem *problem, const crn_cone_options *options, const char *word)
{
    crn_workspace workspace = {0};
    crn_cone_result result;
    crn_error error = {0};
    double r[6] = {7, 7, 7, 7, 7, 7};
    crn_cone_solution solution = {.r = r};
    const crn_status status = crn_cone_solve(problem, options, &workspace, &solution, &result, &error);
    TEST_CHECK(status == CRN_ERR_ARGUMENT && strstr(error.text, word) != NULL, "\"%s\" instead of \"%s\"", error.text,
               word);
    assert_int_equal(result.outcome, CRN_LCP_UNSOLVED);
    assert_true(r[0] == 7.0);
    if (options == NULL) {
        assert_int_equal(crn_cone_check(problem, &error), CRN_ERR_ARGUMENT);
        assert_int_equal(crn_cone_certify(problem, r, &workspace, &result, &error), CRN_ERR_ARGUMENT);
    }
    crn_workspace_free(&workspace);
}

static void test_bad_input(void **state)
{
    (void)state;
    crn_random random = test_random("bad input", 16);
    cone_case c = cone_case_random(&random, 3, 2, 12, 0.5, 0.0, 1.0);
    crn_cone_problem p = c.problem;
    crn_error error;
    assert_int_equal(crn_cone_check(&p, &error), CRN_OK);
    assert_int_equal(crn_cone_check(NULL, &error), CRN_ERR_ARGUMENT);
#define REFUSED(change, word)    \
    do {                         \
        p = c.problem;           \
        change;                  \
        refused(&p, NULL, word); \
    } while (0)
    REFUSED(p.form = (crn_cone_form)7, "form");
    REFUSED(p.dim = 4, "dim");
    REFUSED(p.dim = 2, "W: is 6 x 6, must be 4 x 4");
    REFUSED(p.contacts = -1, "contacts");
    REFUSED(p.W.rows = 5, "W: is 5 x 6");
    REFUSED(p.W.start = NULL, "W: absent");
    REFUSED(p.W.row = NULL, "W: row");
    REFUSED(p.q = NULL, "q: NULL");
    REFUSED(p.mu = NULL, "mu: NULL");
    const double mu[2] = {0.5, -0.1}, mu_nan[2] = {(double)NAN, 0.5};
    REFUSED(p.mu = mu, "mu(2): -0.1 is negative");
    REFUSED(p.mu = mu_nan, "mu(1)");
    c.q[4] = (double)INFINITY;
    REFUSED((void)0, "q(5): inf");
    c.q[4] = 0.0;
    c.value[7] = (double)NAN;
    REFUSED((void)0, "W(2,2)");
    c.value[7] = 0.0;
    c.row[3] = 6;
    REFUSED((void)0, "W: row 7 in column 1 is out of range");
    c.row[3] = 2;
    REFUSED((void)0, "W: row 3 in column 1 is out of order");
    c.row[3] = -1;
    REFUSED((void)0, "out of range");
    c.row[3] = 3;
    c.start[2] = 3;
    REFUSED((void)0, "W: start[2]");
    c.start[2] = 12;
    c.start[0] = 1;
    REFUSED((void)0, "W: start[0]");
    c.start[0] = 0;
    assert_int_equal(crn_cone_check(&c.problem, &error), CRN_OK);
    crn_cone_options options = crn_cone_options_default();
    options.tol = 0.0;
    refused(&c.problem, &options, "tol");
    options.tol = (double)NAN;
    refused(&c.problem, &options, "tol");
    options = crn_cone_options_default();
    options.max_iterations = -1;
    refused(&c.problem, &options, "max_iterations");
    const double start[6] = {0, 0, 0, 0, (double)NAN, 0};
    options = crn_cone_options_default();
    options.start = start;
    refused(&c.problem, &options, "start(5)");
    cone_case_free(&c);
}

/* --- memory --- */

static void test_memory(void **state)
{
    (void)state;
    crn_random random = test_random("memory", 17);
    cone_case c = cone_case_random(&random, 3, 25, 40, 0.5, 0.0, 1.0);
    double *r = cone_doubles(c.n);
    crn_cone_solution solution = {.r = r};
    crn_cone_result result;
    crn_error error;
    long calls = 0;
    /* the k-th request fails, for every k until the call succeeds */
    for (long k = 1;; ++k) {
        test_allocator counter = {.fail_at = k};
        crn_workspace workspace = crn_workspace_with(test_allocator_hooks(&counter));
        const crn_status status = crn_cone_solve(&c.problem, NULL, &workspace, &solution, &result, &error);
        calls = counter.calls;
        if (status == CRN_OK) {
            assert_int_equal(result.outcome, CRN_LCP_SOLVED);
            assert_int_equal(crn_cone_solve(&c.problem, NULL, &workspace, &solution, &result, &error), CRN_OK);
            assert_int_equal(counter.calls, calls); /* the second time takes nothing */
        } else {
            assert_int_equal(status, CRN_ERR_MEMORY);
        }
        crn_workspace_free(&workspace);
        assert_int_equal(counter.live, 0);
        if (status == CRN_OK) {
            break;
        }
        assert_true(k < 100);
    }
    unsigned char small[4096];
    crn_workspace fixed = crn_workspace_fixed(small, sizeof small);
    assert_int_equal(crn_cone_solve(&c.problem, NULL, &fixed, &solution, &result, &error), CRN_ERR_WORKSPACE);
    free(r);
    cone_case_free(&c);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_contact),
        cmocka_unit_test(test_coupled_slip),
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_frictionless_is_lcp),
        cmocka_unit_test(test_order_does_not_matter),
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_start_and_bits),
        cmocka_unit_test(test_unsolvable),
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_bad_input),
        cmocka_unit_test(test_memory),
    };
    return TEST_RUN(tests, argc, argv);
}
