/* Compressed columns against the dense matrix they were made from. */
#include "math/sparse.h"

#include "test_support.h"

#include <math.h>

enum { MAX_ROWS = 30, MAX_COLUMNS = 25, LD = MAX_ROWS + 3, MAX_ENTRIES = MAX_ROWS * MAX_COLUMNS };
enum { MARK = 0x55555555 };

/* The arrays of a sparse matrix, one longer than needed; filled with a mark that shows what was written. */
typedef struct storage {
    int start[MAX_ROWS + 2], index[MAX_ENTRIES + 1];
    double value[MAX_ENTRIES + 1];
} storage;

static crn_sparse sparse_on(storage *s)
{
    memset(s, 0x55, sizeof *s);
    return (crn_sparse){-1, -1, s->start, s->index, s->value};
}

typedef struct dense {
    int rows, columns;
    double M[LD * MAX_COLUMNS];
} dense;

/* Fill of 0, 1/4, ..., 1; sizes from 0. What is beyond the rows is junk that must not be read. */
static dense draw_dense(crn_random *random)
{
    dense d = {crn_random_below(random, MAX_ROWS + 1), crn_random_below(random, MAX_COLUMNS + 1), {0}};
    const int quarters = crn_random_below(random, 5);
    for (int j = 0; j < MAX_COLUMNS; ++j) {
        for (int i = 0; i < LD; ++i) {
            bool is_stored = crn_random_below(random, 4) < quarters || i >= d.rows;
            d.M[i + j * LD] = is_stored ? crn_random_uniform(random, 0.5, 1.0) : (i % 2 == 0 ? 0.0 : -0.0);
        }
    }
    return d;
}

static void test_from_dense(void **state)
{
    (void)state;
    crn_random random = test_random("test_from_dense", 51);
    for (int trial = 0; trial < 300; ++trial) {
        dense d = draw_dense(&random);
        storage s;
        crn_sparse A = sparse_on(&s);
        crn_sparse_from_dense(d.rows, d.columns, d.M, LD, &A);
        assert_int_equal(A.rows, d.rows);
        assert_int_equal(A.columns, d.columns);
        assert_int_equal(A.start[0], 0);
        int nonzeros = 0;
        for (int j = 0; j < d.columns; ++j) {
            for (int e = A.start[j]; e < A.start[j + 1]; ++e) {
                assert_true(e == A.start[j] || A.index[e] > A.index[e - 1]);
                assert_true(A.value[e] != 0.0);
            }
            for (int i = 0; i < d.rows; ++i) {
                nonzeros += d.M[i + j * LD] != 0.0;
                assert_true(crn_sparse_entry(&A, i, j) == d.M[i + j * LD]);
            }
        }
        assert_int_equal(A.start[d.columns], nonzeros);
        assert_int_equal(s.index[MAX_ENTRIES], MARK);
    }
}

static void test_axpy_equals_dense(void **state)
{
    (void)state;
    crn_random random = test_random("test_axpy_equals_dense", 52);
    for (int trial = 0; trial < 300; ++trial) {
        dense d = draw_dense(&random);
        storage s;
        crn_sparse A = sparse_on(&s);
        crn_sparse_from_dense(d.rows, d.columns, d.M, LD, &A);
        for (int j = 0; j < d.columns; ++j) {
            double y[MAX_ROWS + 1], expected[MAX_ROWS + 1];
            const double a = crn_random_uniform(&random, -2.0, 2.0);
            for (int i = 0; i <= MAX_ROWS; ++i) {
                y[i] = expected[i] = crn_random_uniform(&random, -1.0, 1.0);
            }
            for (int i = 0; i < d.rows; ++i) {
                volatile double product = a * d.M[i + j * LD];
                expected[i] += product;
            }
            crn_sparse_axpy(&A, j, a, y);
            for (int i = 0; i <= MAX_ROWS; ++i) {
                assert_true(y[i] == expected[i]);
            }
        }
    }
}

static void check_same(const crn_sparse *A, const crn_sparse *B)
{
    assert_int_equal(A->rows, B->rows);
    assert_int_equal(A->columns, B->columns);
    assert_memory_equal(A->start, B->start, ((size_t)A->columns + 1) * sizeof *A->start);
    const size_t entries = (size_t)A->start[A->columns];
    if (entries > 0) {
        assert_memory_equal(A->index, B->index, entries * sizeof *A->index);
        assert_memory_equal(A->value, B->value, entries * sizeof *A->value);
    }
}

/* A' has A's entries, its rows sorted; A'' is A with the same arrays. */
static void test_transpose(void **state)
{
    (void)state;
    crn_random random = test_random("test_transpose", 53);
    for (int trial = 0; trial < 300; ++trial) {
        dense d = draw_dense(&random);
        storage s1, s2, s3;
        crn_sparse A = sparse_on(&s1), At = sparse_on(&s2), Att = sparse_on(&s3);
        crn_sparse_from_dense(d.rows, d.columns, d.M, LD, &A);
        crn_sparse_transpose(&A, &At);
        assert_int_equal(At.rows, d.columns);
        assert_int_equal(At.columns, d.rows);
        for (int i = 0; i < d.rows; ++i) {
            for (int e = At.start[i]; e < At.start[i + 1]; ++e) {
                assert_true(e == At.start[i] || At.index[e] > At.index[e - 1]);
            }
            for (int j = 0; j < d.columns; ++j) {
                assert_true(crn_sparse_entry(&At, j, i) == d.M[i + j * LD]);
            }
        }
        assert_int_equal(s2.start[d.rows + 1], MARK); /* not one entry further */
        crn_sparse_transpose(&At, &Att);
        check_same(&A, &Att);
    }
}

/* Bisection at its ends: first, last and only entries, and rows before, between and behind them. */
static void test_entry_at_ends(void **state)
{
    (void)state;
    int start[] = {0, 0, 1, 4}, index[] = {2, 0, 3, 5};
    double value[] = {7.0, 1.0, 2.0, 3.0};
    crn_sparse A = {6, 3, start, index, value};
    const double expected[3][6] = {{0}, {0, 0, 7.0, 0, 0, 0}, {1.0, 0, 0, 2.0, 0, 3.0}};
    for (int j = 0; j < 3; ++j) {
        for (int i = 0; i < 6; ++i) {
            assert_true(crn_sparse_entry(&A, i, j) == expected[j][i]);
        }
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_from_dense),
        cmocka_unit_test(test_axpy_equals_dense),
        cmocka_unit_test(test_transpose),
        cmocka_unit_test(test_entry_at_ends),
    };
    return TEST_RUN(tests, argc, argv);
}
