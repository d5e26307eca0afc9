/* Dense kernels against loops that say the order of additions in another way: equal bit for bit, at every alignment,
 * so the clone that the loader picked and the vector width do not show. */
#include "math/vec.h"

#include "test_support.h"

#include <math.h>

enum { MAX_N = 120, PAD = 8, SIZE = MAX_N + 2 * PAD };

/* Numbers of many magnitudes and both signs: any other order of additions rounds differently. */
static void draw(crn_random *random, int n, double *x)
{
    for (int i = 0; i < n; ++i) {
        x[i] = ldexp(crn_random_uniform(random, -1.0, 1.0), crn_random_below(random, 40) - 20);
    }
}

static void draw_integers(crn_random *random, int n, double *x)
{
    for (int i = 0; i < n; ++i) {
        x[i] = crn_random_below(random, 2001) - 1000;
    }
}

static bool same_bits(int n, const double *x, const double *y)
{
    return memcmp(x, y, (size_t)n * sizeof *x) == 0;
}

/* Lane l sums the products at l, l + 8, ...; then the lanes are folded in halves: l + 4 onto l, 2 onto 0, 1 onto 0. */
static double dot_by_lanes(int n, const double *x, const double *y)
{
    double lane[8];
    for (int l = 0; l < 8; ++l) {
        lane[l] = 0.0;
        for (int i = l; i < n; i += 8) {
            volatile double product = x[i] * y[i];
            lane[l] += product;
        }
    }
    for (int width = 4; width > 0; width /= 2) {
        for (int l = 0; l < width; ++l) {
            lane[l] += lane[l + width];
        }
    }
    return lane[0];
}

static void test_dot_bits(void **state)
{
    (void)state;
    crn_random random = test_random("test_dot_bits", 31);
    for (int n = 0; n <= MAX_N; ++n) {
        double x[SIZE], y[SIZE];
        draw(&random, n, x);
        draw(&random, n, y);
        double expected = dot_by_lanes(n, x, y), got = crn_dot(n, x, y);
        TEST_CHECK(same_bits(1, &expected, &got), "n = %d: %a instead of %a", n, got, expected);
    }
}

static void test_dot_of_integers_is_exact(void **state)
{
    (void)state;
    crn_random random = test_random("test_dot_of_integers_is_exact", 32);
    for (int n = 0; n <= MAX_N; ++n) {
        double x[SIZE], y[SIZE];
        draw_integers(&random, n, x);
        draw_integers(&random, n, y);
        long sum = 0;
        for (int i = 0; i < n; ++i) {
            sum += (long)x[i] * (long)y[i];
        }
        assert_true(crn_dot(n, x, y) == (double)sum);
    }
}

/* Move the same numbers to each pair of offsets: no result may change. */
static void test_alignment_does_not_matter(void **state)
{
    (void)state;
    crn_random random = test_random("test_alignment_does_not_matter", 33);
    for (int trial = 0; trial < 64 * 5; ++trial) {
        const int n = crn_random_below(&random, MAX_N + 1), at = trial % 8, bt = trial / 8 % 8;
        _Alignas(64) double x[SIZE], y[SIZE], u[SIZE], v[SIZE];
        draw(&random, n, x);
        draw(&random, n, y);
        memcpy(u + at, x, (size_t)n * sizeof *x);
        memcpy(v + bt, y, (size_t)n * sizeof *y);
        double a = crn_dot(n, x, y), b = crn_dot(n, u + at, v + bt);
        assert_true(same_bits(1, &a, &b));
        assert_true(crn_max_abs(n, x) == crn_max_abs(n, u + at));
        crn_axpy(n, 0.3, x, y);
        crn_axpy(n, 0.3, u + at, v + bt);
        assert_true(same_bits(n, y, v + bt));
        crn_scal(n, 0.7, x);
        crn_scal(n, 0.7, u + at);
        assert_true(same_bits(n, x, u + at));
    }
}

/* axpy and scal entry by entry, and nothing outside of their n entries. */
static void test_axpy_scal_bits(void **state)
{
    (void)state;
    crn_random random = test_random("test_axpy_scal_bits", 34);
    for (int n = 0; n <= MAX_N; ++n) {
        double x[SIZE], y[SIZE], expected[SIZE];
        draw(&random, SIZE, x);
        draw(&random, SIZE, y);
        const double a = crn_random_uniform(&random, -2.0, 2.0);
        memcpy(expected, y, sizeof y);
        for (int i = PAD; i < PAD + n; ++i) {
            volatile double product = a * x[i];
            expected[i] += product;
        }
        crn_axpy(n, a, x + PAD, y + PAD);
        assert_true(same_bits(SIZE, y, expected));
        for (int i = PAD; i < PAD + n; ++i) {
            expected[i] *= a;
        }
        crn_scal(n, a, y + PAD);
        assert_true(same_bits(SIZE, y, expected));
    }
}

/* The largest entry at each place in turn, with either sign. */
static void test_max_abs(void **state)
{
    (void)state;
    crn_random random = test_random("test_max_abs", 35);
    assert_true(crn_max_abs(0, NULL) == 0.0);
    for (int n = 1; n <= 40; ++n) {
        for (int place = 0; place < n; ++place) {
            double x[SIZE];
            draw(&random, n + 1, x);
            x[n] = 9e9; /* not part of it */
            x[place] = place % 2 == 0 ? 3e7 : -3e7;
            assert_true(crn_max_abs(n, x) == 3e7);
        }
    }
}

/* y += A(:,list) x: groups of four columns with nonzero x, two by two within a group, the rest one by one. */
static void gemv_reference(int rows, int count, const double *A, int ld, const int *list, const double *x, double *y)
{
    int used[MAX_N], m = 0;
    for (int k = 0; k < count; ++k) {
        if (x[k] != 0.0) {
            used[m++] = k;
        }
    }
    for (int i = 0; i < rows; ++i) {
        double p[MAX_N];
        for (int h = 0; h < m; ++h) {
            p[h] = x[used[h]] * A[i + (list != NULL ? list[used[h]] : used[h]) * ld];
        }
        int h = 0;
        for (; h + 3 < m; h += 4) {
            y[i] += (p[h] + p[h + 1]) + (p[h + 2] + p[h + 3]);
        }
        for (; h < m; ++h) {
            y[i] += p[h];
        }
    }
}

static void test_gemv_columns(void **state)
{
    (void)state;
    crn_random random = test_random("test_gemv_columns", 36);
    enum { LD = 37, COLUMNS = 30 };
    for (int trial = 0; trial < 300; ++trial) {
        const int rows = crn_random_below(&random, LD), count = crn_random_below(&random, COLUMNS);
        double A[LD * COLUMNS], x[COLUMNS], y[LD], expected[LD];
        int list[COLUMNS];
        draw(&random, LD * COLUMNS, A);
        draw(&random, COLUMNS, x);
        draw(&random, LD, y);
        for (int k = 0; k < COLUMNS; ++k) {
            list[k] = crn_random_below(&random, COLUMNS);
            x[k] = crn_random_below(&random, 3) == 0 ? 0.0 : x[k];
        }
        memcpy(expected, y, sizeof y);
        const int *column = trial % 2 == 0 ? list : NULL;
        gemv_reference(rows, count, A, LD, column, x, expected);
        crn_gemv_columns(rows, count, A, LD, column, x, y);
        assert_true(same_bits(LD, y, expected));
    }
}

/* A column with x_k = 0 is passed over, even if it holds no numbers. */
static void test_gemv_skips_zeros(void **state)
{
    (void)state;
    const double A[6] = {1.0, 2.0, NAN, INFINITY, 3.0, 4.0}, x[3] = {2.0, 0.0, 10.0};
    double y[2] = {0.5, 0.25};
    crn_gemv_columns(2, 3, A, 2, NULL, x, y);
    assert_true(y[0] == 32.5 && y[1] == 44.25);
}

static void test_gemv_transposed_and_rank_one(void **state)
{
    (void)state;
    crn_random random = test_random("test_gemv_transposed_and_rank_one", 37);
    enum { LD = 37, COLUMNS = 20 };
    for (int trial = 0; trial < 200; ++trial) {
        const int rows = crn_random_below(&random, LD), columns = crn_random_below(&random, COLUMNS + 1);
        double A[LD * COLUMNS], before[LD * COLUMNS], g[LD], t[COLUMNS + 1];
        draw_integers(&random, LD * COLUMNS, A);
        draw_integers(&random, LD, g);
        t[columns] = 4.5;
        crn_gemv_transposed(rows, columns, A, LD, g, t);
        for (int j = 0; j < columns; ++j) { /* integers: exact in any order */
            double sum = 0.0;
            for (int i = 0; i < rows; ++i) {
                sum += A[i + j * LD] * g[i];
            }
            assert_true(t[j] == sum);
        }
        assert_true(t[columns] == 4.5);
        memcpy(before, A, sizeof A);
        crn_rank_one(rows, columns, g, t, A, LD);
        for (int j = 0; j < COLUMNS; ++j) {
            for (int i = 0; i < LD; ++i) {
                double change = i < rows && j < columns ? g[i] * t[j] : 0.0;
                assert_true(A[i + j * LD] == before[i + j * LD] + change);
            }
        }
    }
}

static void test_scan_matrix(void **state)
{
    (void)state;
    crn_random random = test_random("test_scan_matrix", 38);
    for (int trial = 0; trial < 300; ++trial) {
        const int n = crn_random_below(&random, 41), ld = n + crn_random_below(&random, 3);
        double A[43 * 41], row_max[41], col_max[41], work[82], row_most[41] = {0}, col_most[41] = {0};
        size_t nonzeros = 0;
        for (int j = 0; j < n; ++j) {
            for (int i = 0; i < ld; ++i) {
                int kind = crn_random_below(&random, 4);
                double v = kind == 0 ? 0.0 : kind == 1 ? -0.0 : crn_random_normal(&random);
                A[i + j * ld] = i < n ? v : 1e9; /* what lies between the columns is not looked at */
                if (i < n) {
                    nonzeros += kind > 1;
                    row_most[i] = fmax(row_most[i], fabs(v));
                    col_most[j] = fmax(col_most[j], fabs(v));
                }
            }
        }
        crn_matrix_facts facts;
        crn_scan_matrix(n, A, ld, row_max, col_max, work, &facts);
        assert_true(facts.is_finite);
        assert_int_equal(facts.nonzeros, nonzeros);
        for (int i = 0; i < n; ++i) {
            assert_true(row_max[i] == row_most[i] && col_max[i] == col_most[i]);
        }
    }
}

/* One entry that is no finite number is seen wherever it is; the largest finite number is not mistaken for one. */
static void test_scan_matrix_not_finite(void **state)
{
    (void)state;
    const double bad[] = {NAN, -NAN, INFINITY, -INFINITY};
    for (int n = 1; n <= 20; ++n) {
        for (int place = 0; place < n * n; ++place) {
            double A[400], row_max[20], col_max[20], work[40];
            for (int i = 0; i < n * n; ++i) {
                A[i] = 0x1.fffffffffffffp1023;
            }
            crn_matrix_facts facts;
            crn_scan_matrix(n, A, n, row_max, col_max, work, &facts);
            assert_true(facts.is_finite);
            A[place] = bad[(n + place) % 4];
            crn_scan_matrix(n, A, n, row_max, col_max, work, &facts);
            TEST_CHECK(!facts.is_finite, "n = %d: %g at %d not seen", n, A[place], place);
        }
    }
}

static void test_count_between(void **state)
{
    (void)state;
    crn_random random = test_random("test_count_between", 39);
    for (int trial = 0; trial < 300; ++trial) {
        const int n = crn_random_below(&random, 61);
        double x[60], r[60];
        int count = 0;
        for (int i = 0; i < n; ++i) {
            x[i] = crn_random_uniform(&random, -2.0, 2.0);
            r[i] = crn_random_uniform(&random, 0.5, 2.0);
            double v = fabs(x[i] * r[i] * 0.5);
            count += v > 0.25 && v < 0.75;
        }
        assert_int_equal(crn_count_between(n, x, r, 0.5, 0.25, 0.75), count);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dot_bits),
        cmocka_unit_test(test_dot_of_integers_is_exact),
        cmocka_unit_test(test_alignment_does_not_matter),
        cmocka_unit_test(test_axpy_scal_bits),
        cmocka_unit_test(test_max_abs),
        cmocka_unit_test(test_gemv_columns),
        cmocka_unit_test(test_gemv_skips_zeros),
        cmocka_unit_test(test_gemv_transposed_and_rank_one),
        cmocka_unit_test(test_scan_matrix),
        cmocka_unit_test(test_scan_matrix_not_finite),
        cmocka_unit_test(test_count_between),
    };
    return TEST_RUN(tests, argc, argv);
}
