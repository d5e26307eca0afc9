/* Updates of an explicit inverse: long random sequences, each step compared with LAPACK's inverse of the matrix that
 * the owner's lists of rows and columns describe. */
#include "math/inverse.h"

#include "test_matrix.h"
#include "test_support.h"

#include <lapacke.h>
#include <math.h>

enum { POOL = 70, CAPACITY = 45, STEPS = 1000 };

typedef enum change { BORDER, REPLACE_COLUMN, REPLACE_ROW, REMOVE, CHANGES } change;

/* The owner: K is G on these rows and columns. Position a of rows is column a of W, position b of columns is row b. */
typedef struct owner {
    const double *G;
    int k, rows[CAPACITY + 1], columns[CAPACITY + 1];
    crn_inverse inverse;
} owner;

static double entry(const owner *o, int row, int column)
{
    return o->G[row + column * POOL];
}

/* A row or column of the pool that the list does not hold. */
static int draw_absent(crn_random *random, int k, const int *list)
{
    for (;;) {
        int candidate = crn_random_below(random, POOL), a = 0;
        while (a < k && list[a] != candidate) {
            ++a;
        }
        if (a == k) {
            return candidate;
        }
    }
}

/* V = K^-1 by LAPACK with leading dimension k; false if K is singular. *condition = |K|_1 |V|_1. */
static bool fresh_inverse(const owner *o, double *V, double *condition)
{
    const int k = o->k;
    int exchanges[CAPACITY + 1];
    for (int a = 0; a < k; ++a) {
        for (int b = 0; b < k; ++b) {
            V[a + b * k] = entry(o, o->rows[a], o->columns[b]);
        }
    }
    *condition = 1.0;
    if (k == 0) {
        return true;
    }
    double norm = LAPACKE_dlange(LAPACK_COL_MAJOR, '1', k, k, V, k);
    if (LAPACKE_dgetrf(LAPACK_COL_MAJOR, k, k, V, k, exchanges) != 0) {
        return false;
    }
    assert_int_equal(LAPACKE_dgetri(LAPACK_COL_MAJOR, k, V, k, exchanges), 0);
    *condition = norm * LAPACKE_dlange(LAPACK_COL_MAJOR, '1', k, k, V, k);
    return true;
}

/* max |W - V| / max |V| */
static double distance_from(const owner *o, const double *V)
{
    double apart = 0.0, most = 0.0;
    for (int a = 0; a < o->k; ++a) {
        for (int b = 0; b < o->k; ++b) {
            double w = o->inverse.W[b + (long)a * o->inverse.ld], v = V[b + a * o->k];
            apart = fmax(apart, isnan(w) ? INFINITY : fabs(w - v));
            most = fmax(most, fabs(v));
        }
    }
    return most > 0.0 ? apart / most : apart;
}

/* s = -W a for column `column` of the pool, and t = g'W for its row `row`, from the W under test. */
static void response(const owner *o, int column, double *s)
{
    for (int b = 0; b < o->k; ++b) {
        s[b] = 0.0;
        for (int a = 0; a < o->k; ++a) {
            s[b] -= o->inverse.W[b + (long)a * o->inverse.ld] * entry(o, o->rows[a], column);
        }
    }
}

static void row_times_inverse(const owner *o, int row, double *t)
{
    for (int a = 0; a < o->k; ++a) {
        t[a] = 0.0;
        for (int b = 0; b < o->k; ++b) {
            t[a] += entry(o, row, o->columns[b]) * o->inverse.W[b + (long)a * o->inverse.ld];
        }
    }
}

/* What a step does to the lists: row/column are the pool's entering ones, p/c the leaving positions. */
typedef struct step {
    change what;
    int row, column, p, c;
} step;

static void change_lists(owner *o, const step *d)
{
    const int last = o->k - 1;
    switch (d->what) {
    case BORDER:
        o->rows[o->k] = d->row;
        o->columns[o->k] = d->column;
        o->k += 1;
        break;
    case REPLACE_COLUMN: o->columns[d->c] = d->column; break;
    case REPLACE_ROW: o->rows[d->p] = d->row; break;
    default:
        o->rows[d->p] = o->rows[last];
        o->columns[d->c] = o->columns[last];
        o->k = last;
        break;
    }
}

static void change_inverse(owner *o, const step *d)
{
    double s[CAPACITY + 1], t[CAPACITY + 1], f[CAPACITY + 1], rho = entry(o, d->row, d->column);
    response(o, d->column, s);
    row_times_inverse(o, d->row, t);
    switch (d->what) {
    case BORDER:
        for (int b = 0; b < o->k; ++b) {
            rho += entry(o, d->row, o->columns[b]) * s[b];
        }
        crn_inverse_border(&o->inverse, s, t, rho, f);
        break;
    case REPLACE_COLUMN: crn_inverse_replace_column(&o->inverse, d->c, s, f); break;
    case REPLACE_ROW: crn_inverse_replace_row(&o->inverse, d->p, t, f); break;
    default: crn_inverse_remove(&o->inverse, d->p, d->c, s, f); break;
    }
}

/* A step that is possible at this order and leads to a K whose condition is below `limit`. V is its inverse. */
static step draw_step(crn_random *random, const owner *o, int grow, double limit, double *V)
{
    for (;;) {
        change what = (change)crn_random_below(random, CHANGES);
        if (crn_random_below(random, 3) == 0) {
            what = grow ? BORDER : REMOVE; /* drift up and down through all the orders */
        }
        if ((what == BORDER && o->k == CAPACITY) || (what != BORDER && o->k == 0)) {
            continue;
        }
        step d = {what, draw_absent(random, o->k, o->rows), draw_absent(random, o->k, o->columns), 0, 0};
        if (o->k > 0) {
            d.p = crn_random_below(random, 4) == 0 ? o->k - 1 : crn_random_below(random, o->k);
            d.c = crn_random_below(random, 4) == 0 ? o->k - 1 : crn_random_below(random, o->k);
        }
        owner trial = *o;
        double condition = INFINITY;
        change_lists(&trial, &d);
        if (fresh_inverse(&trial, V, &condition) && condition < limit) {
            return d;
        }
    }
}

static owner owner_create(const double *G, int capacity, crn_workspace *workspace)
{
    owner o = {.G = G};
    crn_arena counting = crn_arena_counting(), arena;
    crn_inverse_layout(&o.inverse, capacity, &counting);
    assert_int_equal(crn_workspace_arena(workspace, counting.used, &arena, NULL), CRN_OK);
    memset(arena.data, 0xFF, arena.size); /* NaN: what was not written shows */
    crn_inverse_layout(&o.inverse, capacity, &arena);
    assert_non_null(o.inverse.W);
    assert_int_equal(o.inverse.k, 0);
    assert_true(o.inverse.capacity >= capacity);
    return o;
}

static void test_random_sequences(void **state)
{
    (void)state;
    crn_random random = test_random("test_random_sequences", 81);
    /* Errors of an update are u times the conditions before and after, and stay: with conditions below 1e4, 1000 steps
     * keep eight digits; a wrong formula keeps none. */
    const double limit = 1e4, allowed = 1e-8;
    int taken[CHANGES] = {0}, most = 0;
    static double G[POOL * POOL];
    test_matrix_uniform(&random, POOL, G, POOL);
    crn_workspace workspace = {0};
    owner o = owner_create(G, CAPACITY, &workspace);
    for (int n = 0, grow = 1; n < STEPS; ++n) {
        double V[(CAPACITY + 1) * (CAPACITY + 1)];
        step d = draw_step(&random, &o, grow, limit, V);
        change_inverse(&o, &d);
        change_lists(&o, &d);
        taken[d.what] += 1;
        most = o.k > most ? o.k : most;
        grow = o.k == 0 ? 1 : o.k == CAPACITY ? 0 : grow;
        assert_int_equal(o.inverse.k, o.k);
        assert_true(o.inverse.ld >= o.k && o.inverse.ld <= o.inverse.capacity);
        double apart = distance_from(&o, V);
        TEST_CHECK(apart <= allowed, "step %d, change %d to order %d: %g apart", n, d.what, o.k, apart);
    }
    assert_int_equal(most, CAPACITY); /* through every leading dimension */
    for (int w = 0; w < CHANGES; ++w) {
        assert_true(taken[w] > STEPS / 20);
    }
    crn_workspace_free(&workspace);
}

/* G of zeros and few integers: zeros in s and t, where updates pass columns over. The arithmetic is exact on
 * permutation-like matrices, so W is, too. */
static void test_sparse_pool_is_exact(void **state)
{
    (void)state;
    crn_random random = test_random("test_sparse_pool_is_exact", 82);
    static double G[POOL * POOL];
    memset(G, 0, sizeof G);
    for (int i = 0; i < POOL; ++i) {
        G[i + i * POOL] = crn_random_below(&random, 2) == 0 ? 2.0 : -0.5;
        G[i + (i + 1) % POOL * POOL] = crn_random_below(&random, 2) == 0 ? 1.0 : -1.0;
    }
    crn_workspace workspace = {0};
    owner o = owner_create(G, CAPACITY, &workspace);
    for (int k = 0; k < CAPACITY; ++k) { /* upper bidiagonal of powers of two: nothing rounds */
        double V[(CAPACITY + 1) * (CAPACITY + 1)], condition = 0.0;
        step d = {BORDER, k, k, 0, 0};
        change_inverse(&o, &d);
        change_lists(&o, &d);
        assert_true(fresh_inverse(&o, V, &condition));
        for (int b = 0; b <= k; ++b) {
            for (int a = 0; a <= k; ++a) {
                assert_true(o.inverse.W[b + (long)a * o.inverse.ld] == V[b + a * (k + 1)]);
            }
        }
    }
    while (o.k > 0) { /* from the end, in both lists: what is left is bidiagonal again */
        double V[(CAPACITY + 1) * (CAPACITY + 1)], condition = 0.0;
        step d = {REMOVE, 0, 0, o.k - 1, o.k - 1};
        change_inverse(&o, &d);
        change_lists(&o, &d);
        assert_true(fresh_inverse(&o, V, &condition));
        assert_true(distance_from(&o, V) == 0.0);
    }
    crn_workspace_free(&workspace);
}

/* A replacement and the one that undoes it bring W back. */
static void test_replace_and_undo(void **state)
{
    (void)state;
    crn_random random = test_random("test_replace_and_undo", 83);
    static double G[POOL * POOL];
    test_matrix_uniform(&random, POOL, G, POOL);
    crn_workspace workspace = {0};
    owner o = owner_create(G, 24, &workspace);
    double V[(CAPACITY + 1) * (CAPACITY + 1)], condition = 0.0;
    for (int k = 0; k < 20; ++k) {
        o.rows[k] = o.columns[k] = k;
    }
    o.k = 20;
    crn_inverse_reset(&o.inverse, 20); /* filled from outside */
    assert_true(o.inverse.ld >= 20 && o.inverse.ld <= 24);
    assert_true(fresh_inverse(&o, V, &condition));
    for (int a = 0; a < 20; ++a) {
        memcpy(o.inverse.W + (long)a * o.inverse.ld, V + a * 20, 20 * sizeof *V);
    }
    for (int c = 0; c < 20; ++c) {
        const step changes[4] = {{REPLACE_COLUMN, 40, 30, 0, c},
                                 {REPLACE_COLUMN, 40, c, 0, c},
                                 {REPLACE_ROW, 30, 40, c, 0},
                                 {REPLACE_ROW, c, 40, c, 0}};
        for (int n = 0; n < 4; ++n) {
            change_inverse(&o, &changes[n]);
            change_lists(&o, &changes[n]);
        }
        double apart = distance_from(&o, V);
        TEST_CHECK(apart < 1e-8, "position %d: %g apart", c, apart);
    }
    crn_workspace_free(&workspace);
}

/* Capacities at and around the leading dimensions: filled to the last place and emptied again. */
static void test_capacities(void **state)
{
    (void)state;
    crn_random random = test_random("test_capacities", 84);
    static double G[POOL * POOL];
    test_matrix_uniform(&random, POOL, G, POOL);
    for (int i = 0; i < POOL; ++i) {
        G[i + i * POOL] += 20.0; /* every leading block is well conditioned */
    }
    const int capacities[] = {1, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 40, 45};
    for (size_t n = 0; n < sizeof capacities / sizeof capacities[0]; ++n) {
        crn_workspace workspace = {0};
        owner o = owner_create(G, capacities[n], &workspace);
        double V[(CAPACITY + 1) * (CAPACITY + 1)], condition = 0.0;
        for (int k = 0; k < capacities[n]; ++k) {
            step d = {BORDER, k, k, 0, 0};
            change_inverse(&o, &d);
            change_lists(&o, &d);
        }
        assert_true(fresh_inverse(&o, V, &condition));
        TEST_CHECK(distance_from(&o, V) < 1e-12, "capacity %d", capacities[n]);
        while (o.k > 0) {
            step d = {REMOVE, 0, 0, 0, 0};
            change_inverse(&o, &d);
            change_lists(&o, &d);
            assert_true(fresh_inverse(&o, V, &condition));
            TEST_CHECK(distance_from(&o, V) < 1e-12, "capacity %d, order %d", capacities[n], o.k);
        }
        crn_workspace_free(&workspace);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_sequences),
        cmocka_unit_test(test_sparse_pool_is_exact),
        cmocka_unit_test(test_replace_and_undo),
        cmocka_unit_test(test_capacities),
    };
    return TEST_RUN(tests, argc, argv);
}
