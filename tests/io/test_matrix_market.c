/* Matrix Market: every format and symmetry, every way to be wrong, exact round trips, and failing allocations. */
#include "io/io_room.h"

#include "test_allocator.h"
#include "test_support.h"

#include <locale.h>
#include <math.h>
#include <unistd.h>

/* A text as a source of that name. */
static crn_io_source source(const char *name, const char *text)
{
    return (crn_io_source){.name = name, .text = text, .size = strlen(text)};
}

static const char q2[] = "%%MatrixMarket matrix array real general\n2 1\n-1\n-2\n";
static const char q3[] = "%%MatrixMarket matrix array real general\n3 1\n-1\n-2\n-3\n";

static crn_status parse(const char *M, const char *q, const char *lower, const char *upper, crn_lcp_data *data,
                        crn_error *error)
{
    crn_io_source sources[4] = {source("M.mtx", M), source("q.mtx", q), source("l.mtx", lower != NULL ? lower : ""),
                                source("u.mtx", upper != NULL ? upper : "")};
    return crn_io_parse_matrix_market(&sources[0], &sources[1], lower != NULL ? &sources[2] : NULL,
                                      upper != NULL ? &sources[3] : NULL, NULL, data, error);
}

/* M(i,j), dense or sparse. */
static double entry(const crn_lcp_problem *p, int i, int j)
{
    if (p->M != NULL) {
        return p->M[i + j * p->ld];
    }
    for (int k = p->start[j]; k < p->start[j + 1]; ++k) {
        if (p->row[k] == i) {
            return p->value[k];
        }
    }
    return 0.0;
}

/* Parse M (with a q of that order) and compare it with the expected matrix, given row by row. */
static void expect_matrix(const char *M, int n, const double *expected, bool is_sparse)
{
    crn_lcp_data data = {0};
    crn_error error = {CRN_OK, ""};
    crn_status status = parse(M, n == 2 ? q2 : q3, NULL, NULL, &data, &error);
    TEST_CHECK(status == CRN_OK, "%s", error.text);
    assert_int_equal(data.problem.n, n);
    assert_true((data.problem.M == NULL) == is_sparse);
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            assert_true(entry(&data.problem, i, j) == expected[i * n + j]);
        }
        assert_true(data.problem.q[i] == -1.0 - i);
    }
    assert_null(data.problem.lower);
    assert_null(data.problem.upper);
    crn_lcp_data_free(&data);
}

static void test_array_general(void **state)
{
    (void)state;
    const double expected[] = {1, 3, 2, 4};
    expect_matrix("%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n", 2, expected, false);
    expect_matrix("%%MATRIXMARKET Matrix ARRAY Integer General\n% c\n\n  %c\n 2\t2 \r\n1 2\n% c\n\n3 4", 2, expected,
                  false);
}

static void test_array_symmetric(void **state)
{
    (void)state;
    const double symmetric[] = {1, 2, 3, 2, 4, 5, 3, 5, 6};
    const double skew[] = {0, -2, -3, 2, 0, -5, 3, 5, 0};
    expect_matrix("%%MatrixMarket matrix array real symmetric\n3 3\n1\n2\n3\n4\n5\n6\n", 3, symmetric, false);
    expect_matrix("%%MatrixMarket matrix array real skew-symmetric\n3 3\n2\n3\n5\n", 3, skew, false);
}

static void test_coordinate(void **state)
{
    (void)state;
    const double general[] = {0, 0, 5, 0, 0, 0, 7, -1.5, 0};
    const double symmetric[] = {1, 2, 0, 2, 0, 0, 0, 0, 0};
    const double skew[] = {0, -2, 0, 2, 0, 0, 0, 0, 0};
    const double pattern[] = {1, 0, 0, 0, 0, 1, 0, 1, 0};
    expect_matrix("%%MatrixMarket matrix coordinate real general\n3 3 4\n3 2 -1.5\n1 3 5e0\n% c\n3 1 7.\n2 2 0\n", 3,
                  general, true);
    expect_matrix("%%MatrixMarket matrix coordinate integer symmetric\n3 3 2\n2 1 2\n1 1 1\n", 3, symmetric, true);
    expect_matrix("%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 1\n2 1 2\n", 3, skew, true);
    expect_matrix("%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n1 1\n3 2\n", 3, pattern, true);
}

/* Columns have increasing rows, and zeros are left out. */
static void test_columns_are_sorted(void **state)
{
    (void)state;
    crn_lcp_data data = {0};
    crn_error error = {CRN_OK, ""};
    const char M[] = "%%MatrixMarket matrix coordinate real general\n3 3 5\n3 1 3\n2 1 0\n1 1 1\n3 3 9\n1 3 7\n";
    assert_int_equal(parse(M, q3, NULL, NULL, &data, &error), CRN_OK);
    const int start[] = {0, 2, 2, 4}, row[] = {0, 2, 0, 2};
    const double value[] = {1, 3, 7, 9};
    assert_memory_equal(data.problem.start, start, sizeof start);
    assert_memory_equal(data.problem.row, row, sizeof row);
    assert_memory_equal(data.problem.value, value, sizeof value);
    crn_lcp_data_free(&data);
}

static void test_vectors_and_bounds(void **state)
{
    (void)state;
    crn_lcp_data data = {0};
    crn_error error = {CRN_OK, ""};
    const char M[] = "%%MatrixMarket matrix array real general\n3 3\n1 0 0 0 1 0 0 0 1\n";
    const char q[] = "%%MatrixMarket matrix coordinate real general\n3 1 1\n2 1 -4\n";
    const char lower[] = "%%MatrixMarket matrix array real general\n1 3\n-inf\n-1\n0\n";
    const char upper[] = "%%MatrixMarket matrix array real general\n3 1\nINF\n+infinity\n0\n";
    assert_int_equal(parse(M, q, lower, upper, &data, &error), CRN_OK);
    const double expected[] = {0, -4, 0};
    assert_memory_equal(data.problem.q, expected, sizeof expected);
    assert_true(data.problem.lower[0] == -INFINITY && data.problem.lower[1] == -1.0);
    assert_true(data.problem.upper[1] == INFINITY && data.problem.upper[2] == 0.0);
    crn_lcp_data_free(&data);
}

static void test_order_zero(void **state)
{
    (void)state;
    const char q[] = "%%MatrixMarket matrix array real general\n0 1\n";
    const char *matrices[] = {"%%MatrixMarket matrix array real general\n0 0\n",
                              "%%MatrixMarket matrix array real skew-symmetric\n0 0\n",
                              "%%MatrixMarket matrix coordinate real general\n0 0 0\n"};
    for (int i = 0; i < 3; ++i) {
        crn_lcp_data data = {0};
        crn_error error = {CRN_OK, ""};
        assert_int_equal(parse(matrices[i], q, NULL, NULL, &data, &error), CRN_OK);
        assert_int_equal(data.problem.n, 0);
        crn_lcp_data_free(&data);
    }
}

/* A wrong file and the start of the message it must get. */
typedef struct wrong {
    const char *M, *q, *lower, *upper;
    const char *message;
} wrong;

#define ARRAY      "%%MatrixMarket matrix array real general\n"
#define COORDINATE "%%MatrixMarket matrix coordinate real general\n"
#define GOOD_M     ARRAY "2 2\n1\n0\n0\n1\n"

static const wrong wrongs[] = {
    {"", q2, NULL, NULL, "M.mtx:1: header: banner"},
    {"1 2 3", q2, NULL, NULL, "M.mtx:1: header: unknown banner"},
    {"%%MatrixMarket matrix array real\n2 2\n", q2, NULL, NULL, "M.mtx:1: header: symmetry"},
    {"%%MatrixMarket matrix table real general\n", q2, NULL, NULL, "M.mtx:1: header: unknown format"},
    {"%%MatrixMarket matrix array pattern general\n2 2\n", q2, NULL, NULL, "M.mtx:1: header: a pattern"},
    {"%%MatrixMarket matrix array real general x\n2 2\n", q2, NULL, NULL, "M.mtx:1: header: unexpected"},
    {"%%MatrixMarket matrix array complex general\n2 2\n", q2, NULL, NULL, "M.mtx:1: header: complex"},
    {"%%MatrixMarket matrix array real hermitian\n2 2\n", q2, NULL, NULL, "M.mtx:1: header: complex"},
    {ARRAY "-2 2\n", q2, NULL, NULL, "M.mtx:2: rows: -2 is negative"},
    {ARRAY "2\n2\n", q2, NULL, NULL, "M.mtx:2: columns: missing"},
    {ARRAY "2 2 4\n", q2, NULL, NULL, "M.mtx:2: sizes: unexpected"},
    {ARRAY "2 x\n", q2, NULL, NULL, "M.mtx:2: columns: 'x' is not an integer"},
    {ARRAY "99999999999999999999 2\n", q2, NULL, NULL, "M.mtx:2: rows: 99999999999999999999 is not in"},
    {ARRAY "2 1\n1\n1\n", q2, NULL, NULL, "M.mtx:2: M: not square: 2 rows and 1 columns"},
    {"%%MatrixMarket matrix array real symmetric\n2 3\n1\n", q2, NULL, NULL, "M.mtx:2: sizes: symmetric"},
    {ARRAY "3 3\n1\n2\n3\n", q2, NULL, NULL, "M.mtx:2: sizes: 9 values claimed"},
    {ARRAY "2 2\n1.0\n2.0\n3.0\n", q2, NULL, NULL, "M.mtx:6: M: missing"},
    {ARRAY "2 2\n1\n2\n3\n4\n5\n", q2, NULL, NULL, "M.mtx:7: end: unexpected"},
    {ARRAY "2 2\n1\n2\nnan\n4\n", q2, NULL, NULL, "M.mtx:5: M: 'nan'"},
    {ARRAY "2 2\n1\n-inf\n3\n4\n", q2, NULL, NULL, "M.mtx:4: M: '-inf' is not finite"},
    {ARRAY "2 2\n1\n1e999\n3\n4\n", q2, NULL, NULL, "M.mtx:4: M: '1e999' is not finite"},
    {ARRAY "2 2\n1\n2,5\n3\n4\n", q2, NULL, NULL, "M.mtx:4: M: '2,5' is not a number"},
    {ARRAY "2 2\n1\n0x10\n3\n4\n", q2, NULL, NULL, "M.mtx:4: M: '0x10' is not a number"},
    {"%%MatrixMarket matrix array integer general\n2 2\n1\n1.5\n3\n4\n", q2, NULL, NULL, "M.mtx:4: M: 1.5 in"},
    {ARRAY "1000000000 1000000000\n1\n", q2, NULL, NULL, "M.mtx:2: sizes: 1000000000000000000 values"},
    {COORDINATE "2 2 1000000000\n1 1 1\n", q2, NULL, NULL, "M.mtx:2: entries: 1000000000 values claimed"},
    {COORDINATE "2000000000 2000000000 1\n1 1 1\n", q2, NULL, NULL, "M.mtx:2: rows: 2000000000 rows claimed"},
    {COORDINATE "2 2 1\n3 1 1\n", q2, NULL, NULL, "M.mtx:3: row: 3 is not in 1 .. 2"},
    {COORDINATE "2 2 1\n1 0 1\n", q2, NULL, NULL, "M.mtx:3: column: 0 is not in 1 .. 2"},
    {COORDINATE "2 2 2\n1 1\n2 2 3 \n", q2, NULL, NULL, "M.mtx:3: M: value missing on this line"},
    {COORDINATE "2 2 1\n1 1 1 1\n", q2, NULL, NULL, "M.mtx:3: M: unexpected"},
    {COORDINATE "2 2 3\n1 1 1\n2 1 5\n1 1 0\n", q2, NULL, NULL, "M.mtx:5: entry: (1, 1) is given twice"},
    {"%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n2 1 1\n1 2 1\n", q2, NULL, NULL, "M.mtx:4: entry: ("},
    {"%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 2 1\n", q2, NULL, NULL, "M.mtx:3: M: a skew"},
    {COORDINATE "2 2 2\n1 1 1\n", q2, NULL, NULL, "M.mtx:2: entries: 2 values claimed"},
    {COORDINATE "2 2 2\n1 1 1.0000\n", q2, NULL, NULL, "M.mtx:4: row: missing"},
    {GOOD_M, q3, NULL, NULL, "q.mtx:2: q: 3 x 1, but 2 x 1 is needed"},
    {GOOD_M, ARRAY "2 1\n1\ninf\n", NULL, NULL, "q.mtx:4: q: 'inf' is not finite"},
    {GOOD_M, COORDINATE "2 1 2\n1 1 1\n1 1 2\n", NULL, NULL, "q.mtx:4: q: entry 1 is given twice"},
    {GOOD_M, "%%MatrixMarket matrix array real symmetric\n2 1\n", NULL, NULL, "q.mtx:2: sizes: symmetric"},
    {GOOD_M, q2, ARRAY "2 1\n0\ninf\n", NULL, "l.mtx:4: lower: entry 2: a lower bound cannot be +inf"},
    {GOOD_M, q2, ARRAY "2 1\n0\nNaN\n", NULL, "l.mtx:4: lower: 'NaN'"},
    {GOOD_M, q2, NULL, ARRAY "2 1\n1\n-inf\n", "u.mtx:4: upper: entry 2: an upper bound cannot be -inf"},
    {GOOD_M, q2, NULL, ARRAY "2 1\n1\n-1\n", "u.mtx:4: upper: entry 2: lower bound 0 is over upper bound -1"},
    {GOOD_M, q2, ARRAY "2 1\n3\n0\n", ARRAY "2 1\n1\n1\n",
     "u.mtx:3: upper: entry 1: lower bound 3 is over upper bound 1"},
    {GOOD_M, q2, ARRAY "2 1\n1\n0\n", COORDINATE "2 1 1\n2 1 1\n", "u.mtx:3: upper: entry 1: lower bound 1 is over"},
};

static void test_wrong_files(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrongs / sizeof wrongs[0]; ++i) {
        const wrong *w = &wrongs[i];
        crn_lcp_data data = {0};
        crn_error error = {CRN_OK, ""};
        crn_status status = parse(w->M, w->q, w->lower, w->upper, &data, &error);
        TEST_CHECK(status == CRN_ERR_FORMAT || status == CRN_ERR_UNSUPPORTED, "case %zu was accepted: %s", i,
                   w->message);
        TEST_CHECK(strncmp(error.text, w->message, strlen(w->message)) == 0, "case %zu: '%s' instead of '%s'", i,
                   error.text, w->message);
        assert_null(strchr(error.text, '\n'));
        assert_int_equal(error.status, status);
        for (size_t k = 0; k < sizeof data.storage / sizeof data.storage[0]; ++k) {
            assert_null(data.storage[k]);
        }
    }
}

/* Every prefix of a good file is refused, except where only white space or the end of a number is missing. */
static void test_truncated_files(void **state)
{
    (void)state;
    const char M[] = COORDINATE "2 2 3\n1 1 1.5\n2 1 -2.5\n2 2 3.5\n";
    size_t whole = strlen(M) - 3; /* "3.5", cut to "3" */
    for (size_t size = 0; size < whole; ++size) {
        crn_io_source cut = {.name = "M.mtx", .text = M, .size = size}, q = source("q.mtx", q2);
        crn_lcp_data data = {0};
        crn_error error = {CRN_OK, ""};
        crn_status status = crn_io_parse_matrix_market(&cut, &q, NULL, NULL, NULL, &data, &error);
        TEST_CHECK(status == CRN_ERR_FORMAT, "cut at %zu: status %d", size, (int)status);
    }
}

/* --- Writing --- */

static const char *temporary(const char *name, char path[512])
{
    const char *folder = getenv("TMPDIR");
    (void)snprintf(path, 512, "%s/cairn-test-%ld-%s", folder != NULL ? folder : "/tmp", (long)getpid(), name);
    return path;
}

static void expect_same(const crn_lcp_problem *a, const crn_lcp_problem *b)
{
    size_t n = (size_t)a->n;
    assert_int_equal(a->n, b->n);
    assert_memory_equal(a->q, b->q, n * sizeof(double));
    if (a->M != NULL) {
        for (size_t j = 0; j < n; ++j) {
            assert_memory_equal(a->M + j * (size_t)a->ld, b->M + j * (size_t)b->ld, n * sizeof(double));
        }
        return;
    }
    size_t entries = (size_t)a->start[n];
    assert_memory_equal(a->start, b->start, (n + 1) * sizeof(int));
    assert_memory_equal(a->row, b->row, entries * sizeof(int));
    assert_memory_equal(a->value, b->value, entries * sizeof(double));
}

static void round_trip(const crn_lcp_problem *problem)
{
    char paths[4][512];
    crn_error error = {CRN_OK, ""};
    crn_lcp_data data = {0};
    assert_int_equal(crn_io_write_matrix(temporary("M.mtx", paths[0]), problem, &error), CRN_OK);
    assert_int_equal(crn_io_write_vector(temporary("q.mtx", paths[1]), problem->n, problem->q, &error), CRN_OK);
    assert_int_equal(crn_io_write_vector(temporary("l.mtx", paths[2]), problem->n, problem->lower, &error), CRN_OK);
    assert_int_equal(crn_io_write_vector(temporary("u.mtx", paths[3]), problem->n, problem->upper, &error), CRN_OK);
    crn_status status = crn_io_read_matrix_market(paths[0], paths[1], paths[2], paths[3], NULL, &data, &error);
    TEST_CHECK(status == CRN_OK, "%s", error.text);
    expect_same(problem, &data.problem);
    assert_memory_equal(problem->lower, data.problem.lower, (size_t)problem->n * sizeof(double));
    assert_memory_equal(problem->upper, data.problem.upper, (size_t)problem->n * sizeof(double));
    crn_lcp_data_free(&data);
    for (int i = 0; i < 4; ++i) {
        assert_int_equal(remove(paths[i]), 0);
    }
}

/* A double with any bits, but finite; or not 0, for entries of sparse matrices. */
static double any_double(crn_random *random, bool is_nonzero)
{
    for (;;) {
        uint64_t bits = crn_random_bits(random);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value) && (!is_nonzero || value != 0.0)) {
            return value;
        }
    }
}

static void test_round_trip(void **state)
{
    (void)state;
    crn_random random = test_random("test_round_trip", 5);
    enum { N = 7, LD = 9 };
    double M[LD * N], q[N], lower[N], upper[N], value[N];
    int start[N + 1], row[N];
    for (int trial = 0; trial < 50; ++trial) {
        for (int k = 0; k < LD * N; ++k) {
            M[k] = any_double(&random, false);
        }
        for (int i = 0; i < N; ++i) {
            q[i] = any_double(&random, false);
            double a = any_double(&random, false), b = any_double(&random, false);
            lower[i] = i == 0 ? -INFINITY : fmin(a, b);
            upper[i] = i == 1 ? INFINITY : fmax(a, b);
            start[i] = i;
            row[i] = crn_random_below(&random, N);
            value[i] = any_double(&random, true);
        }
        start[N] = N;
        round_trip(&(crn_lcp_problem){.n = N, .M = M, .ld = LD, .q = q, .lower = lower, .upper = upper});
        round_trip(&(crn_lcp_problem){
            .n = N, .start = start, .row = row, .value = value, .q = q, .lower = lower, .upper = upper});
    }
}

/* A decimal comma in the host program changes nothing. Went wrong in many a program that calls strtod() directly. */
static void test_locale(void **state)
{
    (void)state;
    const char *names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "fr_FR.utf8", "de_DE"};
    bool is_set = false;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !is_set; ++i) {
        is_set = setlocale(LC_ALL, names[i]) != NULL;
    }
    if (!is_set) {
        print_message("no locale with a decimal comma is installed\n");
        skip();
    }
    double M[] = {1.5, -0.25, 1e-300, 2.0}, q[] = {0.1, -1.25e17}, lower[] = {-1.5, 0.5}, upper[] = {2.5, 0.75};
    round_trip(&(crn_lcp_problem){.n = 2, .M = M, .ld = 2, .q = q, .lower = lower, .upper = upper});
    (void)setlocale(LC_ALL, "C");
}

/* Nothing is left behind when a file cannot be written or read. */
static void test_files_that_fail(void **state)
{
    (void)state;
    char path[512];
    crn_error error = {CRN_OK, ""};
    crn_lcp_data data = {0};
    double values[1] = {1.0};
    (void)temporary("no/such/folder", path);
    assert_int_equal(crn_io_write_vector(path, 1, values, &error), CRN_ERR_IO);
    assert_non_null(strstr(error.text, path));
    assert_int_equal(crn_io_read_matrix_market(path, path, NULL, NULL, NULL, &data, &error), CRN_ERR_IO);
    assert_int_equal(crn_io_read_vector(path, 1, values, NULL, &error), CRN_ERR_IO);
    assert_int_equal(crn_io_read_matrix_market("/", path, NULL, NULL, NULL, &data, &error), CRN_ERR_IO);
    assert_int_equal(crn_io_read_matrix_market(NULL, path, NULL, NULL, NULL, &data, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_io_write_vector("/dev/null", 1, values, &error), CRN_ERR_IO); /* never through a device */
    assert_non_null(strstr(error.text, "it is a device"));
}

/* --- Memory --- */

/* The k-th allocation fails, for every k until the call succeeds; nothing leaks. */
static void fail_each_allocation(const char *M_path, const char *q_path, const char *bound_path)
{
    for (long k = 1;; ++k) {
        test_allocator counter = {.fail_at = k};
        crn_allocator hooks = test_allocator_hooks(&counter);
        crn_lcp_data data = {0};
        crn_error error = {CRN_OK, ""};
        crn_status status = crn_io_read_matrix_market(M_path, q_path, bound_path, bound_path, &hooks, &data, &error);
        if (status == CRN_OK) {
            assert_true(k > 8);
            crn_lcp_data_free(&data);
            assert_int_equal(counter.live, 0);
            return;
        }
        assert_int_equal(status, CRN_ERR_MEMORY);
        assert_int_equal(counter.live, 0);
        assert_true(error.text[0] != '\0');
    }
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    (void)fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void test_failing_allocations(void **state)
{
    (void)state;
    char M[512], q[512];
    write_text(temporary("q.mtx", q), q2);
    write_text(temporary("M.mtx", M), "%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n3\n");
    fail_each_allocation(M, q, q);
    write_text(M, "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 1\n2 1 3\n");
    fail_each_allocation(M, q, q);
    assert_int_equal(remove(M), 0);
    assert_int_equal(remove(q), 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_array_general),      cmocka_unit_test(test_array_symmetric),
        cmocka_unit_test(test_coordinate),         cmocka_unit_test(test_columns_are_sorted),
        cmocka_unit_test(test_vectors_and_bounds), cmocka_unit_test(test_order_zero),
        cmocka_unit_test(test_wrong_files),        cmocka_unit_test(test_truncated_files),
        cmocka_unit_test(test_round_trip),         cmocka_unit_test(test_locale),
        cmocka_unit_test(test_files_that_fail),    cmocka_unit_test(test_failing_allocations),
    };
    return TEST_RUN(tests, argc, argv);
}
