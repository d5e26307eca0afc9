/* Planted solutions solve their problems, and the vectors given with problems without a solution prove it exactly. */
#include "test_support.h"

#include <math.h>

#include "gallery.h"

enum { TEST_SEED = 20260104 };

static crn_lcp_data make(const crn_gallery_family *family, int index, double **witness)
{
    crn_error error = {0};
    crn_lcp_data plain = {0}, data = {0};
    crn_status status = family->make(index, TEST_SEED, &plain, &error);
    TEST_CHECK(status == CRN_OK, "%s %d: %s", family->name, index, error.text);
    *witness = calloc((size_t)plain.problem.n + 1, sizeof **witness);
    assert_non_null(*witness);
    status = family->make_with_witness(index, TEST_SEED, *witness, &data, &error);
    TEST_CHECK(status == CRN_OK, "%s %d: %s", family->name, index, error.text);
    size_t entries = (size_t)plain.problem.n * (size_t)plain.problem.n;
    assert_memory_equal(plain.problem.M, data.problem.M, entries * sizeof(double)); /* the witness changes nothing */
    crn_lcp_data_free(&plain);
    return data;
}

/* Largest |z - clamp(z - w, l, u)|, and the size of what was added up for it. */
static double natural_residual(const crn_lcp_problem *p, const double *z, double *scale)
{
    double worst = 0.0;
    *scale = 1.0;
    for (int i = 0; i < p->n; ++i) {
        double lower = p->lower ? p->lower[i] : 0.0, upper = p->upper ? p->upper[i] : (double)INFINITY;
        double w = p->q[i], size = fabs(p->q[i]);
        for (int j = 0; j < p->n; ++j) {
            w += p->M[i + j * p->ld] * z[j];
            size += fabs(p->M[i + j * p->ld] * z[j]);
        }
        worst = fmax(worst, fabs(z[i] - fmin(fmax(z[i] - w, lower), upper)));
        *scale = fmax(*scale, size);
    }
    return worst;
}

static void planted_solutions_solve(void **state)
{
    (void)state;
    int count, checked = 0;
    const crn_gallery_family *families = crn_gallery_families(&count);
    print_message("seed %d\n", TEST_SEED);
    for (int f = 0; f < count; ++f) {
        bool is_planted = families[f].make_with_witness && families[f].truth == CRN_GALLERY_SOLVABLE;
        for (int index = 0; index < families[f].default_count && is_planted; ++index, ++checked) {
            double *z, scale;
            crn_lcp_data data = make(&families[f], index, &z);
            double residual = natural_residual(&data.problem, z, &scale);
            TEST_CHECK(residual <= 1e-12 * scale, "%s %d: %g of %g", families[f].name, index, residual, scale);
            free(z);
            crn_lcp_data_free(&data);
        }
    }
    assert_true(checked > 500);
}

/* y'w < 0 for every z within the bounds: the signs asked of w cannot all hold. Exact: no tolerance. */
static bool proves_infeasibility(const crn_lcp_problem *p, const double *y)
{
    double product = 0.0;
    for (int j = 0; j < p->n; ++j) {
        bool is_free = p->lower && p->lower[j] < 0.0;
        double column = 0.0;
        for (int i = 0; i < p->n; ++i) {
            column += p->M[i + j * p->ld] * y[i];
        }
        if (column > 0.0 || (is_free && column != 0.0) || (!is_free && y[j] < 0.0)) {
            return false;
        }
        product += p->q[j] * y[j];
    }
    return product < 0.0;
}

/* A pair (i, j) with w_i = a z_j + q_i, q_i < 0, and w_j = q_j > 0: w_i >= 0 needs z_j > 0, which needs w_j = 0. */
static bool has_contradicting_pair(const crn_lcp_problem *p)
{
    for (int i = 0; i < p->n; ++i) {
        for (int j = 0; j < p->n; ++j) {
            bool is_pair = i != j && p->q[i] < 0.0 && p->q[j] > 0.0;
            for (int k = 0; k < p->n; ++k) {
                is_pair = is_pair && p->M[j + k * p->ld] == 0.0 && (k == j || p->M[i + k * p->ld] == 0.0);
            }
            if (is_pair) {
                return true;
            }
        }
    }
    return false;
}

static void problems_without_a_solution_are_proved_so(void **state)
{
    (void)state;
    const crn_gallery_family *family = crn_gallery_find("no-solution");
    for (int index = 0; index < 200; ++index) {
        double *y;
        crn_lcp_data data = make(family, index, &y);
        bool is_proved =
            index % 8 == 6 ? has_contradicting_pair(&data.problem) : proves_infeasibility(&data.problem, y);
        TEST_CHECK(is_proved, "no-solution %d (kind %d) is not proved", index, index % 8);
        free(y);
        crn_lcp_data_free(&data);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planted_solutions_solve),
        cmocka_unit_test(problems_without_a_solution_are_proved_so),
    };
    return TEST_RUN(tests, argc, argv);
}
