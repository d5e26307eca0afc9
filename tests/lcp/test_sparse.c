/* Large sparse problems by the methods that are made for them, against analytic answers and against each other. */
#include "judge.h"

#include "gallery_sparse.h"

#include "test_matrix.h"

enum { TEST_SEED = 20261117 };

static crn_lcp_data make(const char *kind, int n)
{
    crn_lcp_data data = {0};
    crn_error error = {CRN_OK, ""};
    TEST_CHECK(crn_gallery_sparse_find(kind)->make(n, TEST_SEED, &data, &error) == CRN_OK, "%s", error.text);
    return data;
}

/* Every kind, by auto and by each method that takes it: solved, and where M is definite the same answer. */
static void kinds_are_solved(void **state)
{
    (void)state;
    static const crn_lcp_method methods[] = {CRN_LCP_AUTO, CRN_LCP_TRIDIAGONAL, CRN_LCP_MULTIGRID, CRN_LCP_ACTIVE_SET,
                                             CRN_LCP_INTERIOR};
    int count;
    const crn_gallery_sparse_kind *kind = crn_gallery_sparse_kinds(&count);
    for (int k = 0; k < count; ++k) {
        crn_lcp_data data = make(kind[k].name, 2500);
        answer first = solve_by(&data.problem, CRN_LCP_AUTO);
        judge_solved(kind[k].name, &data.problem, &first);
        bool is_definite = strcmp(kind[k].name, "qp") != 0;
        for (size_t m = 1; m < sizeof methods / sizeof methods[0]; ++m) {
            bool is_option = strcmp(kind[k].name, "put") == 0 || strcmp(kind[k].name, "call") == 0;
            bool is_grid = k < 4;
            if ((methods[m] == CRN_LCP_TRIDIAGONAL && !is_option) || (methods[m] == CRN_LCP_MULTIGRID && !is_grid) ||
                (methods[m] == CRN_LCP_ACTIVE_SET && (!is_definite || is_option))) {
                continue;
            }
            answer a = solve_by(&data.problem, methods[m]);
            char name[96];
            (void)snprintf(name, sizeof name, "%s on %s", crn_lcp_method_name(methods[m]), kind[k].name);
            judge_solved(name, &data.problem, &a);
            double most = 0.0;
            for (int i = 0; i < data.problem.n; ++i) {
                most = fmax(most, fabs(first.z[i]));
            }
            for (int i = 0; is_definite && i < data.problem.n; ++i) {
                TEST_CHECK(fabs(a.z[i] - first.z[i]) <= 1e-5 * most, "%s: z(%d) = %g, not %g", name, i, a.z[i],
                           first.z[i]);
            }
            answer_free(&a);
        }
        answer_free(&first);
        crn_lcp_data_free(&data);
    }
}

/* A string pulled down onto a flat floor, -z'' + f >= 0, z >= -d: it touches between two points and is a parabola with
 * z = f x^2 / 2 - sqrt(2 f d) x at each end. The free part is at both ends, so elimination fails and auto goes on. */
static void a_string_on_the_floor(void **state)
{
    (void)state;
    enum { POINTS = 4000 };
    const double h = 1.0 / (POINTS + 1), load = 16.0, depth = 0.5;
    int *start = take(POINTS + 1, sizeof *start), *row = take(3 * POINTS, sizeof *row), count = 0;
    double *value = test_doubles(3 * POINTS), *q = test_doubles(POINTS), *lower = test_doubles(POINTS);
    for (int j = 0; j < POINTS; ++j) {
        start[j] = count;
        for (int i = j > 0 ? j - 1 : 0; i <= j + 1 && i < POINTS; ++i) {
            row[count] = i;
            value[count++] = i == j ? 2.0 : -1.0;
        }
        q[j] = load * h * h;
        lower[j] = -depth;
    }
    start[POINTS] = count;
    crn_lcp_problem p = {.n = POINTS, .start = start, .row = row, .value = value, .q = q, .lower = lower};
    answer a = solve_by(&p, CRN_LCP_AUTO);
    judge_solved("string", &p, &a);
    assert_int_equal(a.result.method, CRN_LCP_MULTIGRID);
    const double reach = sqrt(2.0 * depth / load);
    for (int j = 0; j < POINTS; ++j) {
        double x = fmin(h * (j + 1), 1.0 - h * (j + 1));
        double z = x < reach ? 0.5 * load * x * x - load * reach * x : -depth;
        TEST_CHECK(fabs(a.z[j] - z) <= load * h, "z(%g) = %g, not %g", x, a.z[j], z);
    }
    answer_free(&a);
    crn_lcp_problem line = {.n = POINTS, .start = start, .row = row, .value = value, .q = q, .lower = lower};
    a = solve_by(&line, CRN_LCP_TRIDIAGONAL);
    judge_honest("tridiagonal", &line, &a);
    assert_int_equal(a.result.outcome, CRN_LCP_STALLED);
    answer_free(&a);
    free(start);
    free(row);
    free(value);
    free(q);
    free(lower);
}

/* M_ji = -M_ij for one pair of each three and M_ji = M_ij for the others: magnitudes are symmetric, and yet no signs of rows
 * make M so. Factors must keep two triangles. */
static void odd_signs_need_two_triangles(void **state)
{
    (void)state;
    enum { TRIPLES = 400, N = 3 * TRIPLES };
    static const double block[9] = {3, 1, 1, -1, 3, 1, 1, 1, 3}; /* by columns */
    static int start[N + 1], row[3 * N];
    static double value[3 * N], q[N];
    crn_random random = test_random(__func__, TEST_SEED);
    for (int e = 0; e < 3 * N; ++e) {
        start[e / 3] = e / 3 * 3;
        row[e] = e / 9 * 3 + e % 3;
        value[e] = block[e % 9];
        q[e / 3] = crn_random_uniform(&random, -1.0, 1.0);
    }
    start[N] = 3 * N;
    crn_lcp_problem p = {.n = N, .start = start, .row = row, .value = value, .q = q};
    answer expected = solve_by(&p, CRN_LCP_SEARCH);
    judge_solved("search", &p, &expected);
    static const crn_lcp_method methods[] = {CRN_LCP_ACTIVE_SET, CRN_LCP_INTERIOR};
    for (size_t m = 0; m < sizeof methods / sizeof methods[0]; ++m) {
        answer a = solve_by(&p, methods[m]);
        judge_solved(crn_lcp_method_name(methods[m]), &p, &a);
        for (int i = 0; i < N; ++i) {
            TEST_CHECK(fabs(a.z[i] - expected.z[i]) <= 1e-8, "z(%d) = %g, not %g", i, a.z[i], expected.z[i]);
        }
        answer_free(&a);
    }
    answer_free(&expected);
}

/* A small matrix, dense and as entries. */
enum { SMALL = 12 };

typedef struct small_matrix {
    double M[SMALL * SMALL], value[SMALL * SMALL];
    bool is_stored[SMALL * SMALL];
    int start[SMALL + 1], row[SMALL * SMALL];
} small_matrix;

static void store(small_matrix *m)
{
    int count = 0;
    for (int j = 0; j < SMALL; ++j) {
        m->start[j] = count;
        for (int i = 0; i < SMALL; ++i) {
            m->row[count] = i;
            m->value[count] = m->M[i + j * SMALL];
            count += m->is_stored[i + j * SMALL];
        }
    }
    m->start[SMALL] = count;
}

/* Symmetric and definite, but for entries of 1e-20 or 0 that are stored on one side only. */
static small_matrix make_one_sided(crn_random *random)
{
    small_matrix m = {.start = {0}};
    for (int e = 0; e < 3 * SMALL; ++e) {
        int i = crn_random_below(random, SMALL), j = crn_random_below(random, SMALL);
        m.M[i + j * SMALL] = m.M[j + i * SMALL] = crn_random_uniform(random, -1.0, 1.0);
        m.is_stored[i + j * SMALL] = m.is_stored[j + i * SMALL] = true;
    }
    for (int i = 0; i < SMALL; ++i) {
        m.M[i + i * SMALL] = 7.0;
        m.is_stored[i + i * SMALL] = true;
    }
    for (int e = 0; e < 10; ++e) {
        int at = crn_random_below(random, SMALL * SMALL);
        m.M[at] = m.is_stored[at] ? m.M[at] : 1e-20 * crn_random_below(random, 2);
        m.is_stored[at] = true;
    }
    store(&m);
    return m;
}

/* In memory that holds something else already. */
static void solve_within(unsigned char filled, const crn_lcp_problem *problem, crn_lcp_method method, double *z)
{
    enum { ROOM = 1 << 20 };
    static unsigned char room[ROOM];
    memset(room, filled, ROOM);
    crn_lcp_options options = crn_lcp_options_default(method);
    crn_workspace workspace = crn_workspace_fixed(room, ROOM);
    crn_lcp_solution solution = {.z = z};
    crn_lcp_result result;
    assert_int_equal(crn_lcp_solve(problem, &options, &workspace, &solution, &result, NULL), CRN_OK);
    assert_int_equal(result.outcome, CRN_LCP_SOLVED);
}

/* What is symmetric to rounding, or by value, may store M_ij without M_ji. One triangle was taken for both, and the order of elimination was
 * looked up in memory that nobody had written. */
static void entries_need_no_mirror_image(void **state)
{
    (void)state;
    static const crn_lcp_method methods[] = {CRN_LCP_INTERIOR, CRN_LCP_ACTIVE_SET};
    crn_random random = test_random("one-sided entries", TEST_SEED);
    for (int run = 0; run < 300; ++run) {
        small_matrix m = make_one_sided(&random);
        double q[SMALL], z[SMALL], exact[SMALL];
        for (int i = 0; i < SMALL; ++i) {
            q[i] = crn_random_normal(&random);
        }
        crn_lcp_problem sparse = {.n = SMALL, .q = q, .start = m.start, .row = m.row, .value = m.value};
        crn_lcp_problem dense = {.n = SMALL, .M = m.M, .ld = SMALL, .q = q};
        unsigned char filled = (unsigned char)(1 + 37 * (run % 7));
        solve_within(filled, &dense, CRN_LCP_LEMKE, exact);
        for (size_t k = 0; k < sizeof methods / sizeof *methods; ++k) {
            solve_within(filled, &sparse, methods[k], z);
            for (int i = 0; i < SMALL; ++i) {
                TEST_CHECK(fabs(z[i] - exact[i]) < 1e-7, "run %d, %s: z(%d) = %g, not %g", run,
                           crn_lcp_method_name(methods[k]), i, z[i], exact[i]);
            }
        }
    }
}

/* A column of zeros: elimination divides by 0, and an infinite z, which M z does not show, was called solved. */
static void zero_pivots_are_no_answer(void **state)
{
    (void)state;
    static const int start[] = {0, 0, 2}, row[] = {0, 1};
    static const double value[] = {1.0, 6.8125}, q[] = {0.0, 1.0};
    crn_lcp_problem p = {.n = 2, .start = start, .row = row, .value = value, .q = q};
    answer a = solve_by(&p, CRN_LCP_TRIDIAGONAL);
    assert_true(isfinite(a.z[0]) && isfinite(a.z[1]));
    judge_solved("tridiagonal", &p, &a);
    answer_free(&a);
    double infinite[] = {INFINITY, 0.0};
    crn_workspace workspace = {.data = NULL};
    crn_lcp_certificate certificate = {.relative = 0.0};
    crn_status status = crn_lcp_certify(&p, infinite, &workspace, &certificate, NULL);
    assert_true(status != CRN_OK || !(certificate.relative < 1.0));
    crn_workspace_free(&workspace);
}

/* A method that cannot do with M says why, and where. */
static void unfit_matrices_are_refused(void **state)
{
    (void)state;
    const int start[3] = {0, 2, 4}, row[4] = {0, 1, 0, 1};
    const double value[4] = {2, 1, 0.5, 2}, q[2] = {-1, -1};
    crn_lcp_problem p = {.n = 2, .start = start, .row = row, .value = value, .q = q};
    crn_lcp_options options = crn_lcp_options_default(CRN_LCP_MULTIGRID);
    crn_workspace workspace = {0};
    double z[2];
    crn_lcp_solution solution = {.z = z};
    crn_error error = {CRN_OK, ""};
    assert_int_equal(crn_lcp_solve(&p, &options, &workspace, &solution, NULL, &error), CRN_ERR_UNSUPPORTED);
    TEST_CHECK(strstr(error.text, "M(2,1) and M(1,2) differ by 0.25") != NULL, "%s", error.text);
    const double dense[4] = {2, 1, 1, 2};
    crn_lcp_problem d = {.n = 2, .M = dense, .ld = 2, .q = q};
    assert_int_equal(crn_lcp_solve(&d, &options, &workspace, &solution, NULL, &error), CRN_ERR_UNSUPPORTED);
    crn_workspace_free(&workspace);
}

/* --- budgets --- */

static bool stop_at_once(void *user, crn_lcp_method method, int iterations, double seconds)
{
    (void)method;
    (void)iterations;
    assert_true(seconds >= 0.0);
    ++*(int *)user;
    return false;
}

/* A limit that is over before it begins ends every method with `limit`, an honest certificate and a point within the
 * bounds; one of years changes no bit. */
static void budgets_are_kept(void **state)
{
    (void)state;
    crn_lcp_data data = make("torsion", 2500), small = make("torsion", 400);
    for (int m = 0; m < CRN_LCP_METHOD_COUNT; ++m) {
        const crn_lcp_problem *p = m == CRN_LCP_AUTO || m >= CRN_LCP_TRIDIAGONAL ? &data.problem : &small.problem;
        crn_lcp_options options = crn_lcp_options_default((crn_lcp_method)m);
        if (m == CRN_LCP_TRIDIAGONAL || m == CRN_LCP_YAMANE || m >= CRN_LCP_GAME) {
            continue; /* M is neither tridiagonal nor a game, refute solves nothing, and yamane's tree outgrows any patience */
        }
        answer plain = solve(p, &options);
        options.time_limit = 1e9;
        answer patient = solve(p, &options);
        assert_int_equal(plain.result.outcome, patient.result.outcome);
        assert_memory_equal(plain.z, patient.z, (size_t)p->n * sizeof *plain.z);
        options.time_limit = 1e-9;
        answer hasty = solve(p, &options);
        judge_honest(crn_lcp_method_name((crn_lcp_method)m), p, &hasty);
        TEST_CHECK(hasty.result.outcome == CRN_LCP_LIMIT, "%s: %s", crn_lcp_method_name((crn_lcp_method)m),
                   crn_lcp_outcome_name(hasty.result.outcome));
        int calls = 0;
        options.time_limit = 0.0;
        options.progress = stop_at_once;
        options.progress_user = &calls;
        answer stopped = solve(p, &options);
        assert_int_equal(stopped.result.outcome, CRN_LCP_LIMIT);
        assert_int_equal(calls, 1);
        answer_free(&plain);
        answer_free(&patient);
        answer_free(&hasty);
        answer_free(&stopped);
    }
    crn_lcp_data_free(&data);
    crn_lcp_data_free(&small);
}

/* Parts that share no entry are scaled each for itself, whatever the numbering: once, columns that came after the last row
 * had been reached kept the scale of no part. */
static void numbering_does_not_matter(void **state)
{
    (void)state;
    const int n = 4, forward_start[5] = {0, 1, 2, 4, 6}, forward_row[6] = {0, 1, 2, 3, 2, 3};
    const double forward[6] = {1, 1e-8, 2, 1, 1, 2}, q[4] = {-1, -1e-12, -1e6, -1e6};
    const int backward_start[5] = {0, 2, 4, 5, 6}, backward_row[6] = {0, 1, 0, 1, 2, 3};
    const double backward[6] = {2, 1, 1, 2, 1e-8, 1}, q_back[4] = {-1e6, -1e6, -1e-12, -1};
    crn_lcp_problem a = {.n = n, .start = forward_start, .row = forward_row, .value = forward, .q = q};
    crn_lcp_problem b = {.n = n, .start = backward_start, .row = backward_row, .value = backward, .q = q_back};
    const double z[4] = {1.0, 1.1e-4, 1e6 / 3.0, 1e6 / 3.0}, z_back[4] = {1e6 / 3.0, 1e6 / 3.0, 1.1e-4, 1.0};
    crn_workspace workspace = {0};
    crn_lcp_certificate first, second;
    assert_int_equal(crn_lcp_certify(&a, z, &workspace, &first, NULL), CRN_OK);
    assert_int_equal(crn_lcp_certify(&b, z_back, &workspace, &second, NULL), CRN_OK);
    assert_true(first.relative > 1e-2); /* the second variable is wrong by a tenth */
    assert_true(first.relative == second.relative);
    crn_workspace_free(&workspace);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_are_solved),
        cmocka_unit_test(a_string_on_the_floor),
        cmocka_unit_test(odd_signs_need_two_triangles),
        cmocka_unit_test(entries_need_no_mirror_image),
        cmocka_unit_test(zero_pivots_are_no_answer),
        cmocka_unit_test(unfit_matrices_are_refused),
        cmocka_unit_test(budgets_are_kept),
        cmocka_unit_test(numbering_does_not_matter),
    };
    return TEST_RUN(tests, argc, argv);
}
