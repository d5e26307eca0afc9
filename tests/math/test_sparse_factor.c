/* Sparse factors of principal parts against LAPACK, for symmetric matrices, those that are so but for signs, and others. */
#include "test_matrix.h"
#include "test_support.h"

#include "math/sparse_factor.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>

enum { TEST_SEED = 20261116, TRIALS = 200, MOST = 60 };

typedef enum shape { SYMMETRIC, UNSYMMETRIC, SIGNED, SHAPES } shape;

/* A random sparse matrix whose principal parts are all positive definite, dense and compressed. */
typedef struct matrix {
    int n, start[MOST + 1], row[MOST * MOST];
    double dense[MOST * MOST], value[MOST * MOST];
    signed char sign[MOST];
    crn_sparse sparse;
} matrix;

static void draw(matrix *m, shape kind, crn_random *random)
{
    const int n = m->n = crn_random_below(random, MOST) + 1;
    const double density = crn_random_uniform(random, 0.0, 0.3);
    memset(m->dense, 0, sizeof m->dense);
    for (int i = 0; i < n; ++i) {
        m->sign[i] = kind == SIGNED && crn_random_below(random, 2) > 0 ? -1 : 1;
        for (int j = 0; j < i; ++j) {
            if (crn_random_uniform(random, 0.0, 1.0) < density) {
                double v = crn_random_uniform(random, -1.0, 1.0);
                m->dense[i + j * n] = v;
                double other = kind == UNSYMMETRIC ? crn_random_uniform(random, -1.0, 1.0) : v;
                m->dense[j + i * n] = other * m->sign[i] * m->sign[j];
            }
        }
        m->dense[i + i * n] = 0.6 * n; /* outweighs its row and column */
    }
    m->sparse = (crn_sparse){.start = m->start, .index = m->row, .value = m->value};
    crn_sparse_from_dense(n, n, m->dense, n, &m->sparse);
}

/* x = (A + diag(shift)) \ x on the chosen rows, by LAPACK. */
static void solve_dense(const matrix *m, const unsigned char *chosen, const double *shift, double *x)
{
    double a[MOST * MOST], b[MOST];
    int index[MOST], k = 0;
    lapack_int pivot[MOST];
    for (int i = 0; i < m->n; ++i) {
        index[k] = i;
        k += chosen[i];
    }
    for (int c = 0; c < k; ++c) {
        for (int r = 0; r < k; ++r) {
            a[r + c * k] = m->dense[index[r] + index[c] * m->n] + (r == c ? shift[index[r]] : 0.0);
        }
        b[c] = x[index[c]];
    }
    if (k > 0) {
        assert_int_equal(LAPACKE_dgesv(LAPACK_COL_MAJOR, k, 1, a, k, pivot, b, k), 0);
    }
    for (int c = 0; c < k; ++c) {
        x[index[c]] = b[c];
    }
}

static void open_factor(crn_sparse_factor *factor, const matrix *m, const crn_sparse *transposed, shape kind,
                        size_t capacity, void **memory)
{
    const bool is_symmetric = kind != UNSYMMETRIC;
    crn_arena counting = crn_arena_counting();
    size_t entries = (size_t)m->start[m->n];
    crn_sparse_factor_layout(factor, m->n, entries, capacity, is_symmetric, &counting);
    *memory = aligned_alloc(CRN_ARENA_ALIGN, counting.used + CRN_ARENA_ALIGN);
    crn_arena arena = {.data = *memory, .size = counting.used};
    crn_sparse_factor_layout(factor, m->n, entries, capacity, is_symmetric, &arena);
    assert_false(arena.overflow);
    crn_sparse_factor_order(factor, &m->sparse, is_symmetric ? &m->sparse : transposed,
                            kind == SIGNED ? m->sign : NULL);
}

static void check_parts(shape kind, crn_random *random)
{
    static matrix m, t;
    draw(&m, kind, random);
    t.sparse = (crn_sparse){.start = t.start, .index = t.row, .value = t.value};
    crn_sparse_transpose(&m.sparse, &t.sparse);
    crn_sparse_factor factor;
    void *memory;
    open_factor(&factor, &m, &t.sparse, kind, MOST * MOST, &memory);
    for (int part = 0; part < 3; ++part) {
        unsigned char chosen[MOST];
        double shift[MOST], x[MOST], expected[MOST];
        for (int i = 0; i < m.n; ++i) {
            chosen[i] = part == 0 || crn_random_below(random, 3) > 0;
            shift[i] = crn_random_uniform(random, 0.0, 1.0);
            x[i] = expected[i] = crn_random_normal(random);
        }
        assert_int_equal(crn_sparse_factorise(&factor, part == 0 ? NULL : chosen, shift), CRN_FACTOR_OK);
        crn_sparse_factor_solve(&factor, x);
        solve_dense(&m, chosen, shift, expected);
        for (int i = 0; i < m.n; ++i) {
            TEST_CHECK(fabs(x[i] - expected[i]) <= 1e-12, "n = %d: x(%d) = %g, not %g", m.n, i, x[i], expected[i]);
        }
    }
    free(memory);
}

static void parts_agree_with_lapack(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED);
    for (int trial = 0; trial < TRIALS; ++trial) {
        check_parts((shape)(trial % SHAPES), &random);
    }
}

/* A full matrix does not fit into the least room there is, and says what it needs; then it fits. */
static void what_does_not_fit_is_told(void **state)
{
    (void)state;
    static matrix m;
    m.n = 40;
    m.sparse = (crn_sparse){.start = m.start, .index = m.row, .value = m.value};
    for (int i = 0; i < m.n; ++i) { /* an arrow whose order does not matter, and a full block */
        for (int j = 0; j < m.n; ++j) {
            m.dense[i + j * m.n] = i == j ? 100.0 : 1.0;
        }
    }
    crn_sparse_from_dense(m.n, m.n, m.dense, m.n, &m.sparse);
    crn_sparse_factor factor;
    void *memory;
    open_factor(&factor, &m, NULL, SYMMETRIC, 1, &memory);
    factor.capacity = 10; /* the ordering needs more than the factors here */
    assert_int_equal(crn_sparse_factorise(&factor, NULL, NULL), CRN_FACTOR_LARGE);
    assert_int_equal(factor.needed, m.n * (m.n - 1) / 2);
    free(memory);
}

static void a_singular_part_is_told(void **state)
{
    (void)state;
    static matrix m;
    m.n = 2;
    m.dense[0] = m.dense[1] = m.dense[2] = m.dense[3] = 1.0;
    m.sparse = (crn_sparse){.start = m.start, .index = m.row, .value = m.value};
    crn_sparse_from_dense(2, 2, m.dense, 2, &m.sparse);
    crn_sparse_factor factor;
    void *memory;
    open_factor(&factor, &m, NULL, SYMMETRIC, 16, &memory);
    const unsigned char first[2] = {1, 0};
    assert_int_equal(crn_sparse_factorise(&factor, NULL, NULL), CRN_FACTOR_SINGULAR);
    assert_int_equal(crn_sparse_factorise(&factor, first, NULL), CRN_FACTOR_OK);
    free(memory);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_agree_with_lapack),
        cmocka_unit_test(what_does_not_fit_is_told),
        cmocka_unit_test(a_singular_part_is_told),
    };
    return TEST_RUN(tests, argc, argv);
}
