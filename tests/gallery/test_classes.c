/* The matrices belong to the classes their families promise: P by all principal minors, semidefinite and copositive by
 * eigenvalues, exponential by the number of pivots that textbook methods take. */
#include "test_support.h"

#include <lapacke.h>
#include <math.h>

#include "gallery.h"

enum { TEST_SEED = 20260103, SMALL = 10 };

static crn_lcp_data make(const char *name, int index)
{
    crn_error error = {0};
    crn_lcp_data data = {0};
    crn_status status = crn_gallery_find(name)->make(index, TEST_SEED, &data, &error);
    TEST_CHECK(status == CRN_OK, "%s %d: %s", name, index, error.text);
    return data;
}

static double at(const crn_lcp_problem *p, int i, int j)
{
    return p->M[i + j * p->ld];
}

/* Copy the rows and columns in `members` (a bit each) of M, or of M + M', into block; returns its order. */
static int take_principal(const crn_lcp_problem *p, unsigned members, bool is_symmetrized, double *block)
{
    int place[SMALL], order = 0;
    for (int i = 0; i < p->n; ++i) {
        if (members >> i & 1u) {
            place[order++] = i;
        }
    }
    for (int j = 0; j < order; ++j) {
        for (int i = 0; i < order; ++i) {
            double other = is_symmetrized ? at(p, place[j], place[i]) : 0.0;
            block[i + j * order] = at(p, place[i], place[j]) + other;
        }
    }
    return order;
}

static double determinant(double *block, int order)
{
    lapack_int pivots[SMALL];
    double product = 1.0;
    (void)LAPACKE_dgetrf(LAPACK_COL_MAJOR, order, order, block, order, pivots);
    for (int i = 0; i < order; ++i) {
        product *= pivots[i] == i + 1 ? block[i + i * order] : -block[i + i * order];
    }
    return product;
}

static void random_P_has_positive_principal_minors(void **state)
{
    (void)state;
    double block[SMALL * SMALL];
    print_message("seed %d\n", TEST_SEED);
    for (int index = 0; index < 60; ++index) {
        if (index % 5 > 1) {
            continue; /* orders 5 and 10 only: 2^n minors */
        }
        crn_lcp_data data = make("random-P", index);
        for (unsigned members = 1; members < 1u << data.problem.n; ++members) {
            double minor = determinant(block, take_principal(&data.problem, members, false, block));
            TEST_CHECK(minor > 0.0, "random-P %d: minor %x is %g", index, members, minor);
        }
        crn_lcp_data_free(&data);
    }
}

/* Eigenvalues of (M + M')/2, increasing. Release with free(). */
static double *symmetric_eigenvalues(const crn_lcp_problem *p)
{
    size_t n = (size_t)p->n;
    double *block = malloc(n * n * sizeof *block), *values = malloc(n * sizeof *values);
    assert_true(block && values);
    for (int j = 0; j < p->n; ++j) {
        for (int i = 0; i < p->n; ++i) {
            block[i + j * p->n] = 0.5 * (at(p, i, j) + at(p, j, i));
        }
    }
    assert_int_equal(LAPACKE_dsyev(LAPACK_COL_MAJOR, 'N', 'U', p->n, block, p->n, values), 0);
    free(block);
    return values;
}

static void check_semidefinite(const char *name, int index, int rank)
{
    crn_lcp_data data = make(name, index);
    double *values = symmetric_eigenvalues(&data.problem);
    int n = data.problem.n, above = 0;
    double noise = 1e-12 * values[n - 1];
    for (int i = 0; i < n; ++i) {
        above += values[i] > noise;
    }
    TEST_CHECK(values[0] >= -noise, "%s %d: eigenvalue %g", name, index, values[0]);
    TEST_CHECK(above <= rank, "%s %d: rank %d, more than %d", name, index, above, rank);
    free(values);
    crn_lcp_data_free(&data);
}

static void semidefinite_families_are(void **state)
{
    (void)state;
    static const int orders[5] = {5, 10, 20, 40, 80}, qp_orders[5] = {6, 12, 20, 40, 60};
    for (int index = 0; index < 40; ++index) {
        int n = orders[index % 5], kind = index / 5 % 4;
        check_semidefinite("psd-lowrank", index, kind == 0 || kind == 2 ? n / 2 : (n + 3) / 4);
        check_semidefinite("qp", index, qp_orders[index % 5]);
        check_semidefinite("mixed", index, 48);
    }
}

static void psd_lowrank_is_symmetric_but_for_kind_two(void **state)
{
    (void)state;
    for (int index = 0; index < 20; ++index) {
        crn_lcp_data data = make("psd-lowrank", index);
        bool is_symmetric = true;
        for (int j = 0; j < data.problem.n; ++j) {
            for (int i = 0; i < j; ++i) {
                is_symmetric = is_symmetric && at(&data.problem, i, j) == at(&data.problem, j, i);
            }
        }
        assert_true(is_symmetric == (index / 5 % 4 != 2));
        crn_lcp_data_free(&data);
    }
}

/* Is there an eigenvector of one sign with a negative eigenvalue? A symmetric matrix is copositive if no principal
 * block has one with all entries positive. */
static bool has_bad_eigenvector(double *block, int order)
{
    double values[SMALL];
    assert_int_equal(LAPACKE_dsyev(LAPACK_COL_MAJOR, 'V', 'U', order, block, order, values), 0);
    for (int j = 0; j < order && values[j] < -1e-10; ++j) {
        int positive = 0, negative = 0;
        for (int i = 0; i < order; ++i) {
            positive += block[i + j * order] > 1e-10;
            negative += block[i + j * order] < -1e-10;
        }
        if (positive == order || negative == order) {
            return true;
        }
    }
    return false;
}

static void copositive_is_and_is_not_semidefinite(void **state)
{
    (void)state;
    double block[SMALL * SMALL];
    for (int index = 0; index < 64; ++index) {
        if (index % 4 > 1) {
            continue; /* orders 5 and 10 only */
        }
        crn_lcp_data data = make("copositive", index);
        double *values = symmetric_eigenvalues(&data.problem);
        TEST_CHECK(values[0] < -0.01, "copositive %d is semidefinite", index);
        for (unsigned members = 1; members < 1u << data.problem.n; ++members) {
            bool is_bad = has_bad_eigenvector(block, take_principal(&data.problem, members, true, block));
            TEST_CHECK(!is_bad, "copositive %d is not copositive", index);
        }
        free(values);
        crn_lcp_data_free(&data);
    }
}

static void fathi_exp_is_symmetric_and_definite(void **state)
{
    (void)state;
    for (int index = 0; index < 45; ++index) {
        crn_lcp_data data = make("fathi-exp", index);
        int n = data.problem.n;
        double block[16 * 16];
        for (int j = 0; j < n; ++j) {
            for (int i = 0; i < n; ++i) {
                assert_true(at(&data.problem, i, j) == at(&data.problem, j, i));
                block[i + j * n] = at(&data.problem, i, j);
            }
        }
        TEST_CHECK(LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', n, block, n) == 0, "fathi-exp %d", index);
        crn_lcp_data_free(&data);
    }
}

/* A tableau in whole numbers and halves: w - M z - e z0 = q, columns w, z, z0, right-hand side. */
typedef struct tableau {
    int n, basis[SMALL];
    double T[SMALL][2 * SMALL + 2];
} tableau;

static tableau tableau_of(const crn_lcp_problem *p)
{
    tableau t = {.n = p->n};
    for (int i = 0; i < p->n; ++i) {
        t.basis[i] = i;
        t.T[i][i] = 1.0;
        t.T[i][2 * p->n] = -1.0;
        t.T[i][2 * p->n + 1] = p->q[i];
        for (int j = 0; j < p->n; ++j) {
            t.T[i][p->n + j] = -at(p, i, j);
        }
    }
    return t;
}

/* Exchange the variable of the row with the entering one; returns the complement of the one that left. */
static int pivot(tableau *t, int row, int entering)
{
    double scale = t->T[row][entering];
    for (int j = 0; j < 2 * t->n + 2; ++j) {
        t->T[row][j] /= scale;
    }
    for (int i = 0; i < t->n; ++i) {
        double factor = t->T[i][entering];
        for (int j = 0; j < 2 * t->n + 2 && i != row; ++j) {
            t->T[i][j] -= factor * t->T[row][j];
        }
    }
    int left = t->basis[row];
    t->basis[row] = entering;
    return left == 2 * t->n ? -1 : left < t->n ? left + t->n : left - t->n;
}

static int lemke_pivots(const crn_lcp_problem *p)
{
    tableau t = tableau_of(p);
    int row = 0, count = 1;
    for (int i = 1; i < p->n; ++i) {
        row = p->q[i] < p->q[row] ? i : row;
    }
    for (int entering = pivot(&t, row, 2 * p->n); entering >= 0; ++count) {
        double least = (double)INFINITY;
        for (int i = 0; i < p->n; ++i) {
            double ratio = t.T[i][entering] > 1e-9 ? t.T[i][2 * p->n + 1] / t.T[i][entering] : (double)INFINITY;
            row = ratio < least ? i : row;
            least = ratio < least ? ratio : least;
        }
        entering = pivot(&t, row, entering);
    }
    return count;
}

static int least_index_pivots(const crn_lcp_problem *p)
{
    tableau t = tableau_of(p);
    for (int count = 0;; ++count) {
        int row = 0;
        while (row < p->n && t.T[row][2 * p->n + 1] >= 0.0) {
            ++row;
        }
        if (row == p->n) {
            return count;
        }
        (void)pivot(&t, row, t.basis[row] < p->n ? t.basis[row] + p->n : t.basis[row] - p->n);
    }
}

static void exponential_examples_take_exponentially_many_pivots(void **state)
{
    (void)state;
    for (int n = 2; n <= 7; ++n) {
        for (int kind = 0; kind < 3; ++kind) {
            crn_lcp_data murty = make("murty-exp", 15 * kind + n - 2), fathi = make("fathi-exp", 15 * kind + n - 2);
            if (kind != 1) {
                assert_int_equal(lemke_pivots(&murty.problem), 1 << n);
            }
            if (kind != 0) {
                assert_int_equal(least_index_pivots(&murty.problem), (1 << n) - 1);
            }
            if (kind == 0) {
                assert_int_equal(least_index_pivots(&fathi.problem), (1 << n) - 1);
            }
            if (kind == 2) {
                assert_int_equal(lemke_pivots(&fathi.problem), 1 << n);
            }
            crn_lcp_data_free(&murty);
            crn_lcp_data_free(&fathi);
        }
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_P_has_positive_principal_minors),
        cmocka_unit_test(semidefinite_families_are),
        cmocka_unit_test(psd_lowrank_is_symmetric_but_for_kind_two),
        cmocka_unit_test(copositive_is_and_is_not_semidefinite),
        cmocka_unit_test(fathi_exp_is_symmetric_and_definite),
        cmocka_unit_test(exponential_examples_take_exponentially_many_pivots),
    };
    return TEST_RUN(tests, argc, argv);
}
