/* Input that is not allowed: a status, one line that names the entry, and nothing written. */
#include "judge.h"

enum { N = 3 };

#define INF ((double)INFINITY)
#define NOT ((double)NAN)

/* A sound problem, dense and sparse at once; each test spoils one thing. */
typedef struct spoiled {
    double M[N * N], q[N], lower[N], upper[N], value[5];
    int start[N + 1], row[5];
    unsigned char basis[N];
    crn_lcp_problem dense, sparse;
    crn_lcp_options options;
} spoiled;

static spoiled sound(void)
{
    return (spoiled){.M = {4, 1, 0, 1, 4, 1, 0, 1, 4},
                     .q = {-1, 2, -3},
                     .lower = {0, -INF, -1},
                     .upper = {INF, 5, 1},
                     .value = {4, 1, 4, 1, 4},
                     .start = {0, 2, 3, 5},
                     .row = {0, 2, 1, 0, 2},
                     .options = crn_lcp_options_default(CRN_LCP_SEARCH)};
}

/* Pointers into t itself, which must not move any more. */
static void connect(spoiled *t)
{
    t->dense = (crn_lcp_problem){.n = N, .M = t->M, .ld = N, .q = t->q, .lower = t->lower, .upper = t->upper};
    t->sparse = (crn_lcp_problem){.n = N, .start = t->start, .row = t->row, .value = t->value, .q = t->q};
    t->sparse.lower = t->lower;
    t->sparse.upper = t->upper;
}

/* --- refusals --- */

/* Arrays that show every write. */
typedef struct canaries {
    double z[N], w[N], ray[N], history[N];
    unsigned char basis[N];
} canaries;

static canaries fresh_canaries(void)
{
    canaries c;
    memset(&c, 0x5A, sizeof c);
    return c;
}

static crn_lcp_solution solution_of(canaries *c)
{
    return (crn_lcp_solution){
        .z = c->z, .w = c->w, .ray = c->ray, .basis = c->basis, .history = c->history, .history_size = N};
}

static void check_message(const crn_error *error, const char *part)
{
    TEST_CHECK(error->status == CRN_ERR_ARGUMENT, "status %s: %s", crn_status_name(error->status), error->text);
    TEST_CHECK(strstr(error->text, part) != NULL, "the message '%s' does not name '%s'", error->text, part);
    TEST_CHECK(strchr(error->text, '\n') == NULL, "the message '%s' is more than one line", error->text);
}

/* Every method refuses the problem and names `part`; so do the check and the certificate if it is the problem's fault. */
static void refused(const crn_lcp_problem *p, const crn_lcp_options *options, bool is_problem, const char *part)
{
    for (int m = 0; m < CRN_LCP_METHOD_COUNT; ++m) {
        canaries c = fresh_canaries(), before = c;
        crn_lcp_solution solution = solution_of(&c);
        crn_lcp_options changed = *options;
        changed.method = is_problem ? (crn_lcp_method)m : options->method;
        crn_workspace workspace = {0};
        crn_lcp_result result;
        crn_error error = {CRN_OK, ""};
        crn_status status = crn_lcp_solve(p, &changed, &workspace, &solution, &result, &error);
        TEST_CHECK(status == CRN_ERR_ARGUMENT, "%s: accepted by %d", part, m);
        assert_int_equal(result.outcome, CRN_LCP_UNSOLVED);
        check_message(&error, part);
        assert_memory_equal(&c, &before, sizeof c);
        crn_workspace_free(&workspace);
    }
    if (is_problem) {
        crn_error error = {CRN_OK, ""};
        crn_workspace workspace = {0};
        crn_lcp_certificate certificate;
        const double z[N] = {0, 0, 0};
        assert_int_equal(crn_lcp_check(p, &error), CRN_ERR_ARGUMENT);
        check_message(&error, part);
        assert_int_equal(crn_lcp_certify(p, z, &workspace, &certificate, &error), CRN_ERR_ARGUMENT);
        check_message(&error, part);
        crn_workspace_free(&workspace);
    }
}

static void refused_problem(const spoiled *t, const crn_lcp_problem *p, const char *part)
{
    refused(p, &t->options, true, part);
}

/* --- what is refused --- */

static void the_sound_problem_is_accepted(void **state)
{
    (void)state;
    spoiled t = sound();
    connect(&t);
    crn_error error = {CRN_ERR_IO, "before"};
    assert_int_equal(crn_lcp_check(&t.dense, &error), CRN_OK);
    assert_int_equal(crn_lcp_check(&t.sparse, &error), CRN_OK);
    answer a = solve(&t.dense, &t.options), b = solve(&t.sparse, &t.options);
    judge_solved("dense", &t.dense, &a);
    judge_solved("sparse", &t.sparse, &b);
    assert_int_equal(a.error.status, CRN_OK);
    assert_string_equal(a.error.text, "");
    answer_free(&a);
    answer_free(&b);
}

static void numbers_that_are_none(void **state)
{
    (void)state;
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int k = 0; k < 3; ++k) {
        for (int i = 0; i < N; ++i) {
            char part[32];
            spoiled t = sound();
            connect(&t);
            t.q[i] = bad[k];
            (void)snprintf(part, sizeof part, "q(%d)", i + 1);
            refused_problem(&t, &t.dense, part);
            refused_problem(&t, &t.sparse, part);
            for (int j = 0; j < N; ++j) {
                t = sound();
                connect(&t);
                t.M[i + j * N] = bad[k];
                (void)snprintf(part, sizeof part, "M(%d,%d)", i + 1, j + 1);
                refused_problem(&t, &t.dense, part);
            }
        }
        spoiled t = sound();
        connect(&t);
        t.value[3] = bad[k]; /* column 3, row 1 */
        refused_problem(&t, &t.sparse, "M(1,3)");
    }
}

/* Large enough to be scanned in blocks and compressed. */
static void a_bad_number_in_a_large_matrix(void **state)
{
    (void)state;
    enum { ORDER = 70 };
    double *M = (double *)take(ORDER * ORDER, sizeof *M), q[ORDER] = {0}, z[ORDER];
    crn_lcp_problem p = {.n = ORDER, .M = M, .ld = ORDER, .q = q};
    static const int places[][2] = {{0, 0}, {69, 69}, {3, 68}, {67, 0}, {33, 34}};
    for (size_t k = 0; k < sizeof places / sizeof places[0]; ++k) {
        char part[32];
        double *entry = &M[places[k][0] + places[k][1] * ORDER];
        *entry = k % 2 == 0 ? NOT : -INF;
        crn_workspace workspace = {0};
        crn_lcp_solution solution = {.z = z};
        crn_error error;
        assert_int_equal(crn_lcp_solve(&p, NULL, &workspace, &solution, NULL, &error), CRN_ERR_ARGUMENT);
        (void)snprintf(part, sizeof part, "M(%d,%d)", places[k][0] + 1, places[k][1] + 1);
        check_message(&error, part);
        crn_workspace_free(&workspace);
        *entry = 0.0;
    }
    free(M);
}

static void bounds_that_are_none(void **state)
{
    (void)state;
    static const double lower[][2] = {{NAN, 1}, {INFINITY, INFINITY}, {2, 1}, {1e-300, 0}};
    static const double upper[][2] = {{0, NAN}, {-INFINITY, -INFINITY}};
    for (int i = 0; i < N; ++i) {
        char part[32];
        for (size_t k = 0; k < sizeof lower / sizeof lower[0]; ++k) {
            spoiled t = sound();
            connect(&t);
            t.lower[i] = lower[k][0];
            t.upper[i] = lower[k][1];
            (void)snprintf(part, sizeof part, "lower(%d)", i + 1);
            refused_problem(&t, &t.dense, part);
        }
        for (size_t k = 0; k < sizeof upper / sizeof upper[0]; ++k) {
            spoiled t = sound();
            connect(&t);
            t.lower[i] = upper[k][0];
            t.upper[i] = upper[k][1];
            (void)snprintf(part, sizeof part, "upper(%d)", i + 1);
            refused_problem(&t, &t.sparse, part);
        }
    }
    /* A negative upper bound without a lower one given: 0 > u. */
    spoiled t = sound();
    connect(&t);
    t.upper[1] = -1.0;
    t.dense.lower = NULL;
    refused_problem(&t, &t.dense, "lower(2)");
}

static void sizes_and_pointers(void **state)
{
    (void)state;
    spoiled t = sound();
    connect(&t);
    crn_lcp_problem p = t.dense;
    p.n = -1;
    refused_problem(&t, &p, "n: -1");
    p = t.dense;
    p.ld = N - 1;
    refused_problem(&t, &p, "ld: 2");
    p = t.dense;
    p.q = NULL;
    refused_problem(&t, &p, "q: NULL");
    p = t.dense;
    p.M = NULL;
    refused_problem(&t, &p, "M");
    const int *const start = t.sparse.start;
    for (int k = 0; k < 3; ++k) {
        p = t.sparse;
        p.start = k == 0 ? NULL : start;
        p.row = k == 1 ? NULL : t.row;
        p.value = k == 2 ? NULL : t.value;
        refused_problem(&t, &p, "M");
    }
    refused_problem(&t, NULL, "problem");
}

static void sparse_columns_out_of_order(void **state)
{
    (void)state;
    static const struct {
        int place, value;
        bool is_start;
        const char *part;
    } cases[] = {
        {0, 1, true, "start[0]"}, {2, 1, true, "start[2]"}, {0, 2, false, "row[1]"}, {1, 0, false, "row[1]"},
        {1, 3, false, "row[1]"},  {2, -1, false, "row[2]"}, {4, 0, false, "row[4]"}, {4, 1 << 30, false, "row[4]"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) {
        spoiled t = sound();
        connect(&t);
        *(cases[k].is_start ? &t.start[cases[k].place] : &t.row[cases[k].place]) = cases[k].value;
        refused_problem(&t, &t.sparse, cases[k].part);
    }
}

static void options_out_of_range(void **state)
{
    (void)state;
    spoiled t = sound();
    connect(&t);
    static const double tolerances[] = {0.0, -1e-9, NAN, INFINITY};
    static const double factors[] = {0.0, -1.0, 2.0, 3.0, NAN, INFINITY};
    for (size_t k = 0; k < sizeof tolerances / sizeof tolerances[0]; ++k) {
        crn_lcp_options o = t.options;
        o.tol = tolerances[k];
        refused(&t.dense, &o, false, "tol");
    }
    for (size_t k = 0; k < sizeof factors / sizeof factors[0]; ++k) {
        crn_lcp_options o = t.options;
        o.relaxation = factors[k];
        refused(&t.dense, &o, false, "relaxation");
    }
    for (int k = 0; k < 6; ++k) {
        crn_lcp_options o = t.options;
        static const char *const parts[] = {"tie_width", "epsilon", "error_max"};
        *(k % 3 == 0 ? &o.tie_width : k % 3 == 1 ? &o.epsilon : &o.error_max) = k < 3 ? -1.0 : NOT;
        refused(&t.dense, &o, false, parts[k % 3]);
    }
    crn_lcp_options o = t.options;
    o.max_pivots = -1;
    refused(&t.dense, &o, false, "max_pivots");
    o = t.options;
    o.method = (crn_lcp_method)CRN_LCP_METHOD_COUNT;
    refused(&t.dense, &o, false, "method");
    o.method = (crn_lcp_method)-1;
    refused(&t.dense, &o, false, "method");
    o = t.options;
    o.start = t.basis;
    t.basis[1] = 3;
    refused(&t.dense, &o, false, "start(2)");
}

static void missing_places_for_results(void **state)
{
    (void)state;
    spoiled t = sound();
    connect(&t);
    canaries c = fresh_canaries(), before = c;
    crn_lcp_solution solution = solution_of(&c);
    crn_workspace workspace = {0};
    crn_error error;
    crn_lcp_result result;
    assert_int_equal(crn_lcp_solve(&t.dense, NULL, &workspace, NULL, &result, &error), CRN_ERR_ARGUMENT);
    check_message(&error, "solution");
    solution.z = NULL;
    assert_int_equal(crn_lcp_solve(&t.dense, NULL, &workspace, &solution, &result, &error), CRN_ERR_ARGUMENT);
    check_message(&error, "z");
    solution.z = c.z;
    assert_int_equal(crn_lcp_solve(&t.dense, NULL, NULL, &solution, &result, &error), CRN_ERR_ARGUMENT);
    check_message(&error, "workspace");
    assert_memory_equal(&c, &before, sizeof c);
    crn_lcp_certificate certificate;
    assert_int_equal(crn_lcp_certify(&t.dense, NULL, &workspace, &certificate, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_lcp_certify(&t.dense, c.z, &workspace, NULL, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_lcp_certify(&t.dense, c.z, NULL, &certificate, &error), CRN_ERR_ARGUMENT);
    crn_workspace_free(&workspace);
}

/* Everything but z, the result and the message may be left out. */
static void optional_results_may_be_left_out(void **state)
{
    (void)state;
    spoiled t = sound();
    connect(&t);
    double z[N];
    for (int v = 0; v < VARIANT_COUNT; ++v) {
        crn_workspace workspace = {0};
        crn_lcp_options options = variant_options(v);
        crn_lcp_solution solution = {.z = z};
        assert_int_equal(crn_lcp_solve(&t.dense, &options, &workspace, &solution, NULL, NULL), CRN_OK);
        crn_lcp_problem none = {.n = 0};
        crn_lcp_solution nothing = {0};
        crn_lcp_result result;
        assert_int_equal(crn_lcp_solve(&none, &options, &workspace, &nothing, &result, NULL), CRN_OK);
        assert_int_equal(result.outcome, CRN_LCP_SOLVED);
        assert_int_equal(result.certificate.worst, -1);
        t.q[1] = NOT;
        assert_int_equal(crn_lcp_solve(&t.dense, &options, &workspace, &solution, NULL, NULL), CRN_ERR_ARGUMENT);
        t.q[1] = 2.0;
        crn_workspace_free(&workspace);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sound_problem_is_accepted),
        cmocka_unit_test(numbers_that_are_none),
        cmocka_unit_test(a_bad_number_in_a_large_matrix),
        cmocka_unit_test(bounds_that_are_none),
        cmocka_unit_test(sizes_and_pointers),
        cmocka_unit_test(sparse_columns_out_of_order),
        cmocka_unit_test(options_out_of_range),
        cmocka_unit_test(missing_places_for_results),
        cmocka_unit_test(optional_results_may_be_left_out),
    };
    return TEST_RUN(tests, argc, argv);
}
