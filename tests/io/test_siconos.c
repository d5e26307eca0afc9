/* Siconos .dat files: the kinds and storages on small texts of our own, every way to be wrong, failing allocations. */
#include "io/io_room.h"

#include "test_allocator.h"
#include "test_support.h"

#include <math.h>

static crn_status parse(const char *text, crn_siconos_kind kind, crn_lcp_data *data, crn_error *error)
{
    crn_io_source source = {.name = "p.dat", .text = text, .size = strlen(text)};
    return crn_io_parse_siconos(&source, kind, NULL, data, error);
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

/* What a text must be read as. Bounds NULL: none. */
typedef struct expected {
    int n;
    bool is_sparse;
    const double *M; /* row by row */
    const double *q, *lower, *upper;
} expected;

static void expect(const char *text, crn_siconos_kind kind, const expected *e)
{
    crn_lcp_data data = {0};
    crn_error error = {CRN_OK, ""};
    crn_status status = parse(text, kind, &data, &error);
    TEST_CHECK(status == CRN_OK, "kind %d: %s", (int)kind, error.text);
    const crn_lcp_problem *p = &data.problem;
    assert_int_equal(p->n, e->n);
    assert_true((p->M == NULL) == e->is_sparse);
    for (int i = 0; i < e->n; ++i) {
        for (int j = 0; j < e->n; ++j) {
            assert_true(entry(p, i, j) == e->M[i * e->n + j]);
        }
        assert_true(p->q[i] == e->q[i]);
        assert_true(e->lower == NULL ? p->lower == NULL : p->lower[i] == e->lower[i]);
        assert_true(e->upper == NULL ? p->upper == NULL : p->upper[i] == e->upper[i]);
    }
    crn_lcp_data_free(&data);
}

/* [1 2; 3 4] in each storage. */
#define DENSE  "2 0 2 2 2 2 1 3 2 4\n"
#define BLOCKS "2 1 2 2 2 2 1 1 2 2 3 2 0 1 2 0 0 0 1 2 1 3 4\n"
#define CSC                                                                              \
    "2 2 2 2 2\nCSparse Version 3.1.9, some date.\n2-by-2, nzmax: 4 nnz: 4, 1-norm: 6\n" \
    " col 0 : locations 0 to 1\n 1 : 3\n 0 : 1\n col 1 : locations 2 to 3\n 0 : 2\n 1 : 4\n"
#define CSR                                                            \
    "2 2 2 2 3\nCSparse Version\n2-by-2, nzmax: 4 nnz: 4, 1-norm: 7\n" \
    " col 0 : locations 0 to 1\n 0 : 1\n 1 : 2\n col 1 : locations 2 to 3\n 0 : 3\n 1 : 4\n"
#define TRIPLET \
    "2 2 2 2 1\nCSparse Version\ntriplet: 2-by-2, nzmax: 9 nnz: 5\n0 0 : 1\n0 1 : 1.5\n1 0 : 3\n1 1 : 4\n0 1 : .5\n"

static const double M[] = {1, 2, 3, 4}, q[] = {-5, -6};

static void test_lcp(void **state)
{
    (void)state;
    const expected dense = {.n = 2, .M = M, .q = q}, sparse = {.n = 2, .is_sparse = true, .M = M, .q = q};
    for (int any = 0; any < 2; ++any) {
        crn_siconos_kind kind = any ? CRN_SICONOS_ANY : CRN_SICONOS_LCP;
        expect(DENSE "-5 -6", kind, &dense);
        expect(DENSE "-5 -6\n\nRemark 4 5 6: a comment\n", kind, &dense);
        expect(BLOCKS "-5 -6\n", kind, &sparse);
        expect(CSC "-5 -6\n", kind, &sparse);
        expect(CSR "-5 -6\n", kind, &sparse);
        expect(TRIPLET "-5 -6\n", kind, &sparse);
    }
    expect(DENSE "-5 -6 7 8 9", CRN_SICONOS_LCP, &dense);
}

/* A block storage in which the last block row and a block column are empty. */
static void test_sparse_shapes(void **state)
{
    (void)state;
    const double corner[] = {0, 7, 0, 0, 8, 0, 0, 0, 0}, q3[] = {1, 2, 3};
    const expected blocks = {.n = 3, .is_sparse = true, .M = corner, .q = q3};
    expect("3 1 3 3 1 2 3 2 3 1 2 3 2 1 0 1 1 0 7 8 1 2 3", CRN_SICONOS_ANY, &blocks);

    const double symmetric[] = {1, 5, 5, 0};
    const expected half = {.n = 2, .is_sparse = true, .M = symmetric, .q = q};
    expect("2 2 2 2 4\nCSparse\ntriplet: 2-by-2, nzmax: 2 nnz: 2\n0 0 : 1\n0 1 : 5\n-5 -6", CRN_SICONOS_ANY, &half);

    const double zero[] = {0, 0, 0, 0};
    const expected empty = {.n = 2, .is_sparse = true, .M = zero, .q = q};
    expect("2 2 2 2 2\nCSparse\n2-by-2, nzmax: 0 nnz: 0, 1-norm: 0\ncol 0 : locations 0 to -1\n"
           "col 1 : locations 0 to -1\n-5 -6",
           CRN_SICONOS_ANY, &empty);
    const expected none = {.n = 0};
    expect("0 0 0 0 0 0\n", CRN_SICONOS_ANY, &none);
}

static void test_box(void **state)
{
    (void)state;
    const double lower[] = {-1, -INFINITY}, upper[] = {1, INFINITY};
    const expected box = {.n = 2, .M = M, .q = q, .lower = lower, .upper = upper};
    expect(DENSE "-5 -6 -1 -inf 1 inf", CRN_SICONOS_BOX, &box);
    expect(DENSE "-5 -6 -1 -inf 1 inf", CRN_SICONOS_ANY, &box);
    expect(DENSE "-5 -6 -1 -inf 1 inf 17 comment", CRN_SICONOS_ANY, &box);
}

/* One equality and two pairs. A = 1, B = [5 6; 8 9], C = [2 3], D = [4; 7]. */
static const double M3[] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, q3[] = {-1, -2, -3};
#define M_FORM "0 1 3\n0 1\n0 3 3 3 3\n1 4 7 2 5 8 3 6 9\n-1 -2 -3\n"
#define PARTS  "1\n5 6\n8 9\n2 3\n4\n7\n-1\n-2 -3\n"

static void test_mlcp(void **state)
{
    (void)state;
    const double lower[] = {-INFINITY, 0, 0}, upper[] = {INFINITY, INFINITY, INFINITY};
    const expected e = {.n = 3, .M = M3, .q = q3, .lower = lower, .upper = upper};
    for (int any = 0; any < 2; ++any) {
        crn_siconos_kind kind = any ? CRN_SICONOS_ANY : CRN_SICONOS_MLCP;
        expect("1 0 1 2\n" M_FORM, kind, &e);
        expect("0 1 1 2\n" PARTS, kind, &e);
        expect("1 1 1 2\n" M_FORM PARTS, kind, &e);
        expect("1 1 1 2\n" M_FORM PARTS "0.5 0.25 solution", kind, &e);
    }
}

/* The equality in the middle: the problem keeps the order of M, and the parts are compared through it. */
static void test_mlcp_order(void **state)
{
    (void)state;
    const double lower[] = {0, -INFINITY, 0}, upper[] = {INFINITY, INFINITY, INFINITY};
    const expected e = {.n = 3, .M = M3, .q = q3, .lower = lower, .upper = upper};
    const char *text = "1 1 1 2\n0 1 2 3\n1 0 1\n0 3 3 3 3\n1 4 7 2 5 8 3 6 9\n-1 -2 -3\n"
                       "5\n1 3\n7 9\n4 6\n2\n8\n-2\n-1 -3\n";
    expect(text, CRN_SICONOS_MLCP, &e);
}

/* --- Wrong files --- */

typedef struct wrong {
    crn_siconos_kind kind;
    const char *text;
    const char *message; /* how the message must begin */
} wrong;

static const wrong wrongs[] = {
    {CRN_SICONOS_LCP, "", "p.dat:1: n: missing"},
    {CRN_SICONOS_LCP, "-1 0", "p.dat:1: n: -1 is negative"},
    {CRN_SICONOS_LCP, "two", "p.dat:1: n: 'two' is not an integer"},
    {CRN_SICONOS_LCP, "1000000000 0", "p.dat:1: n: 1000000000 claimed"},
    {CRN_SICONOS_LCP, "2\n3 2 2", "p.dat:2: storage of M: 3 is not in 0 .. 2"},
    {CRN_SICONOS_LCP, "2\n0\n3\n2\n", "p.dat:4: M: not square: 3 rows and 2 columns"},
    {CRN_SICONOS_LCP, "2\n0\n3\n3\n", "p.dat:4: M: 3 x 3, but 2 x 2 is needed"},
    {CRN_SICONOS_LCP, "2 0 2 2 2 2\n1 2\n", "p.dat:1: M: 2 x 2 values claimed"},
    {CRN_SICONOS_LCP, "2 0 2 2 2 2\n1 2 3 abc -5 -6", "p.dat:2: M: 'abc' is not a number"},
    {CRN_SICONOS_LCP, "2 0 2 2 2 2\n1 2 3 nan -5 -6", "p.dat:2: M: 'nan'"},
    {CRN_SICONOS_LCP, DENSE "-5", "p.dat:2: q: missing"},
    {CRN_SICONOS_LCP, DENSE "-5 inf", "p.dat:2: q: 'inf' is not finite"},
    {CRN_SICONOS_BOX, DENSE "-5 -6 0 0 1", "p.dat:2: upper: missing"},
    {CRN_SICONOS_BOX, DENSE "-5 -6 0 2 1 1", "p.dat:2: upper: entry 2: no z is in [2, 1]"},
    {CRN_SICONOS_BOX, DENSE "-5 -6 inf 0 inf 1", "p.dat:2: upper: entry 1: no z is in [inf, inf]"},
    {CRN_SICONOS_BOX, DENSE "-5 -6 0 nan 1 1", "p.dat:2: lower: 'nan'"},
    {CRN_SICONOS_ANY, DENSE "-5 -6 0 0 1", "p.dat:2: bounds: 3 numbers follow q"},
    {CRN_SICONOS_ANY, "2 0 3 2", "p.dat:1: M: not square: 3 rows and 2 columns (read as lcp or box)"},
    {CRN_SICONOS_ANY, "1 1 1 1 0 1 2 0 1 0 3 2 3 2", "p.dat:1: M: not square: 3 rows and 2 columns (read as mlcp)"},
    {CRN_SICONOS_ANY, "hello", "p.dat:1: n: 'hello' is not an integer (read as lcp or box)"},
    {CRN_SICONOS_MLCP, "0 0 1 1 2", "p.dat:1: flags of mlcp: both forms are absent"},
    {CRN_SICONOS_MLCP, "1 0 2147483647 1 2", "p.dat:1: m: 1 is not in 0 .. 0"},
    {CRN_SICONOS_MLCP, "0 1 100 100 2 3 4 5", "p.dat:1: n, m: 200 variables claimed"},
    {CRN_SICONOS_MLCP, "0 1 2 2 2 3 4 5", "p.dat:1: A, B, C, D: 4 x 4 values claimed"},
    {CRN_SICONOS_MLCP, "1 0 1 2\n0 1 2\n", "p.dat:3: block ends of mlcp: missing"},
    {CRN_SICONOS_MLCP, "1 0 1 2\n0 2 1 3\n1 1 1", "p.dat:2: block ends of mlcp: 1 is not in 2 .. 3"},
    {CRN_SICONOS_MLCP, "1 0 1 2\n0 1 3\n0 0\n 1 2 3", "p.dat:3: block flags of mlcp: 3 equalities, but n is 1"},
    {CRN_SICONOS_MLCP, "1 0 1 2\n0 1 3\n0 5\n 1 2 3", "p.dat:3: block flags of mlcp: 5 is not in 0 .. 1"},
    {CRN_SICONOS_MLCP, "1 1 1 2\n" M_FORM, "p.dat:6: A, B, C, D: 3 x 3 values claimed"},
    {CRN_SICONOS_MLCP, "1 1 1 2\n" M_FORM "1 5 6 8 9 2 3 4 7 -1 -2", "p.dat:7: b: missing"},
    {CRN_SICONOS_MLCP, "1 1 1 2\n" M_FORM "1 5 6 8 9 3 2 4 7 -1 -2 -3", "p.dat:7: M: entry (1, 2) is 2, but 3"},
    {CRN_SICONOS_MLCP, "1 1 1 2\n" M_FORM "1 5 6 8 9 2 3 4 7 -1 -2 -4", "p.dat:7: q: entry 3 is -3, but -4"},
    {CRN_SICONOS_LCP, "2 1 2 2 5 9 2", "p.dat:1: block rows of M: 9 is not in 0 .. 2"},
    {CRN_SICONOS_LCP, "2 1 2 2 1000000 2 2 1 2 1 2", "p.dat:1: M: 1000000 blocks claimed"},
    {CRN_SICONOS_LCP, "2 1 2 2 1 2 1 1 1 2 3 1 0 1 1 0", "p.dat:1: block row ends of M: they end at 1"},
    {CRN_SICONOS_LCP, "2 1 2 2 1 1 1 2 2 9 1 0 1 0 0 5", "p.dat:1: block row pointers of M: 9 is not in 1 .. 2"},
    {CRN_SICONOS_LCP, "2 1 2 2 1 1 1 2 2 2 1 0 0 0 0 5 6 7 8", "p.dat:1: block row pointers of M: they end at 0"},
    {CRN_SICONOS_LCP, "2 1 2 2 1 1 1 2 2 2 1 0 1 3 0 5 6 7 8", "p.dat:1: block column indices of M: 3 is not"},
    {CRN_SICONOS_LCP, "2 1 2 2 1 1 1 2 2 2 1 0 1 0 4 5 6 7 8", "p.dat:1: block number of M: 4 is not in 0 .. 0"},
    {CRN_SICONOS_LCP, "2 1 2 2 1 1 1 2 2 2 1 0 1 0 0 5", "p.dat:1: M: more values claimed"},
    {CRN_SICONOS_LCP, "1 1 1 1 2 1 1 1 1 2 2 0 2 0 0 0 7 1 8 9", "p.dat:1: entry of M: (1, 1) is given twice"},
    {CRN_SICONOS_LCP, "2 2 2 2 7", "p.dat:1: origin of M: 7 is not in 1 .. 4"},
    {CRN_SICONOS_LCP, "2 2 2 2 1\nMatrix", "p.dat:2: M: the line 'CSparse Version ...' was expected"},
    {CRN_SICONOS_LCP, "2 2 2 2 1\nCSparse\n2-by-2, nzmax: 1", "p.dat:3: M: '2-by-2,' where 'triplet:'"},
    {CRN_SICONOS_LCP, "2 2 2 2 1\nCSparse\ntriplet: 2-by-3, nz", "p.dat:3: sizes of M: '2-by-3' where '2-by-2'"},
    {CRN_SICONOS_LCP, "2 2 2 2 1\nCSparse\ntriplet: 2-by-2, nzmax: 9 nnz: 1000000\n", "p.dat:3: nnz of M: 1000000"},
    {CRN_SICONOS_LCP, "2 2 2 2 1\nCSparse\ntriplet: 2-by-2, nzmax: 9 nnz: 1\n2 0 : 1\n", "p.dat:4: row of M: '2'"},
    {CRN_SICONOS_LCP, "2 2 2 2 1\nCSparse\ntriplet: 2-by-2, nzmax: 9 nnz: 1\n1 0 = 1\n", "p.dat:4: M: '=' where ':'"},
    {CRN_SICONOS_LCP, "2 2 2 2 2\nCSparse\n2-by-2, nzmax: 1 nnz: 1, 1-norm: 1\ncol 1 : locations 0 to 0\n0 : 1\n",
     "p.dat:4: M: column 0 from location 0 was expected"},
    {CRN_SICONOS_LCP, "2 2 2 2 2\nCSparse\n2-by-2, nzmax: 1 nnz: 1, 1-norm: 1\ncol 0 : locations 0 to 5\n0 : 1\n",
     "p.dat:4: locations of M: they must end in -1 .. 0"},
    {CRN_SICONOS_LCP,
     "1 2 1 1 2\nCSparse\n1-by-1, nzmax: 1 nnz: 1, 1-norm: 1\ncol 0 : locations 0 to -1\n 5 more words here",
     "p.dat:4: nnz of M: 1 entries claimed, 0 found"},
};

static void test_wrong_files(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrongs / sizeof wrongs[0]; ++i) {
        const wrong *w = &wrongs[i];
        crn_lcp_data data = {0};
        crn_error error = {CRN_OK, ""};
        crn_status status = parse(w->text, w->kind, &data, &error);
        TEST_CHECK(status == CRN_ERR_FORMAT, "case %zu has status %d: %s", i, (int)status, w->message);
        TEST_CHECK(strncmp(error.text, w->message, strlen(w->message)) == 0, "case %zu: '%s' instead of '%s'", i,
                   error.text, w->message);
        for (size_t k = 0; k < sizeof data.storage / sizeof data.storage[0]; ++k) {
            assert_null(data.storage[k]);
        }
    }
    crn_lcp_data data = {0};
    assert_int_equal(parse(DENSE "-5 -6", (crn_siconos_kind)9, &data, NULL), CRN_ERR_ARGUMENT);
}

/* Every prefix of a good file is refused or, where the cut is in the last number, read. Nothing crashes. */
static void test_truncated_files(void **state)
{
    (void)state;
    const char *texts[] = {DENSE "-5 -6", BLOCKS "-5 -6", CSC "-5 -6", TRIPLET "-5 -6", "1 1 1 2\n" M_FORM PARTS};
    for (size_t t = 0; t < sizeof texts / sizeof texts[0]; ++t) {
        size_t whole = strlen(texts[t]);
        for (size_t size = 0; size + 3 < whole; ++size) {
            crn_io_source cut = {.name = "p.dat", .text = texts[t], .size = size};
            crn_lcp_data data = {0};
            crn_error error = {CRN_OK, ""};
            crn_status status = crn_io_parse_siconos(&cut, CRN_SICONOS_ANY, NULL, &data, &error);
            TEST_CHECK(status == CRN_ERR_FORMAT, "text %zu cut at %zu: status %d", t, size, (int)status);
        }
    }
}

/* --- Memory --- */

static void test_failing_allocations(void **state)
{
    (void)state;
    const char *texts[] = {DENSE "-5 -6 0 0 1 1",      BLOCKS "-5 -6",     CSC "-5 -6", TRIPLET "-5 -6",
                           ("1 1 1 2\n" M_FORM PARTS), ("0 1 1 2\n" PARTS)};
    for (size_t t = 0; t < sizeof texts / sizeof texts[0]; ++t) {
        crn_io_source source = {.name = "p.dat", .text = texts[t], .size = strlen(texts[t])};
        crn_status status = CRN_ERR_MEMORY;
        for (long k = 1; status != CRN_OK; ++k) {
            test_allocator counter = {.fail_at = k};
            crn_allocator hooks = test_allocator_hooks(&counter);
            crn_lcp_data data = {0};
            crn_error error = {CRN_OK, ""};
            status = crn_io_parse_siconos(&source, CRN_SICONOS_ANY, &hooks, &data, &error);
            TEST_CHECK(status == CRN_OK || status == CRN_ERR_MEMORY, "text %zu, k %ld: %s", t, k, error.text);
            crn_lcp_data_free(&data);
            assert_int_equal(counter.live, 0);
        }
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lcp),
        cmocka_unit_test(test_sparse_shapes),
        cmocka_unit_test(test_box),
        cmocka_unit_test(test_mlcp),
        cmocka_unit_test(test_mlcp_order),
        cmocka_unit_test(test_wrong_files),
        cmocka_unit_test(test_truncated_files),
        cmocka_unit_test(test_failing_allocations),
    };
    return TEST_RUN(tests, argc, argv);
}
