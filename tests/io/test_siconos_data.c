/* Every LCP, box and MLCP file of the shared collections is read, found to be of its kind, and has its known
 * solution. Skipped where the collections are absent. */
#include <cairn/io.h>

#include "test_data.h"
#include "test_support.h"

#include <math.h>

enum { MOST = 9 };

/* What is known about a file. */
typedef struct fact {
    const char *name;
    crn_siconos_kind kind;
    int n, free; /* variables, and how many of them are free */
    bool is_sparse;
    int known;          /* numbers in z; 0: no solution is known */
    double z[MOST + 1]; /* solution: documented, or plain to see where M is diagonal or tiny */
} fact;

static const fact facts[] = {
    {"lcp/lcp_CPS_1.dat", CRN_SICONOS_LCP, 2, 0, false, 2, {0.25, 0.75}},
    {"lcp/lcp_CPS_2.dat", CRN_SICONOS_LCP, 3, 0, false, 3, {0, 1, 3}},
    {"lcp/lcp_CPS_4.dat", CRN_SICONOS_LCP, 4, 0, false, 4, {2, 2, 2, 92}},
    {"lcp/lcp_CPS_4bis.dat", CRN_SICONOS_LCP, 4, 0, false, 4, {3, 3, 0, 83}},
    {"lcp/lcp_CPS_5.dat", CRN_SICONOS_LCP, 2, 0, false, 2, {0, 1}},
    {"lcp/lcp_Pang_isolated_sol.dat", CRN_SICONOS_LCP, 3, 0, false, 3, {1, 0, 0}},
    {"lcp/lcp_deudeu.dat", CRN_SICONOS_LCP, 2, 0, false, 2, {4.0 / 3.0, 7.0 / 3.0}},
    {"lcp/lcp_deudeu_block.dat", CRN_SICONOS_LCP, 2, 0, true, 2, {4.0 / 3.0, 7.0 / 3.0}},
    {"lcp/lcp_enum_fails.dat", CRN_SICONOS_LCP, 9, 0, false, 0, {0}},
    {"lcp/lcp_exp_murty.dat", CRN_SICONOS_LCP, 6, 0, false, 6, {0, 0, 0, 0, 0, 1}},
    {"lcp/lcp_exp_murty2.dat", CRN_SICONOS_LCP, 6, 0, false, 6, {0, 0, 0, 0, 0, 64}},
    {"lcp/lcp_mmc.dat", CRN_SICONOS_LCP, 26, 0, false, 0, {0}},
    {"lcp/lcp_ortiz.dat", CRN_SICONOS_LCP, 4, 0, false, 4, {2.0 / 3.0, 0, 1.0 / 3.0, 0}},
    {"lcp/lcp_ortiz_block.dat", CRN_SICONOS_LCP, 4, 0, true, 4, {2.0 / 3.0, 0, 1.0 / 3.0, 0}},
    {"lcp/lcp_trivial.dat",
     CRN_SICONOS_LCP,
     9,
     0,
     false,
     9,
     {1, 1 / 2., 1 / 3., 1 / 4., .2, 1 / 6., 1 / 7., .125, 1 / 9.}},
    {"lcp/lcp_trivial_block.dat",
     CRN_SICONOS_LCP,
     9,
     0,
     true,
     9,
     {1, 1 / 2., 1 / 3., 1 / 4., .2, 1 / 6., 1 / 7., .125, 1 / 9.}},
    {"boxlcp/relay_2x2.dat", CRN_SICONOS_BOX, 2, 0, false, 2, {0.5, -0.5}},
    {"boxlcp/relay_4x4.dat", CRN_SICONOS_BOX, 4, 0, false, 4, {1, 0.5, -0.5, -1}},
    {"boxlcp/relay_simple2.dat", CRN_SICONOS_BOX, 2, 0, false, 2, {1, 1}},
    {"boxlcp/step_1x1.dat", CRN_SICONOS_BOX, 1, 0, false, 1, {0}},
    {"boxlcp/step_2x2.dat", CRN_SICONOS_BOX, 2, 0, false, 2, {0.5, 0}},
    {"boxlcp/step_4x4.dat", CRN_SICONOS_BOX, 4, 0, false, 4, {1, 0.5, 0.1, 0.1}},
    {"mlcp/Buck2_mlcp.dat", CRN_SICONOS_MLCP, 32, 20, false, 0, {0}},
    {"mlcp/BuckFirstStep_mlcp.dat", CRN_SICONOS_MLCP, 32, 20, false, 0, {0}},
    {"mlcp/PDSym_mlcp.dat", CRN_SICONOS_MLCP, 7, 3, false, 0, {0}},
    {"mlcp/PD_mlcp.dat", CRN_SICONOS_MLCP, 7, 3, false, 0, {0}},
    {"mlcp/RCD_mlcp.dat", CRN_SICONOS_MLCP, 3, 2, false, 0, {0}},
    {"mlcp/RLCD_mlcp.dat", CRN_SICONOS_MLCP, 8, 6, false, 0, {0}},
    {"mlcp/deltasigma_mlcp.dat", CRN_SICONOS_MLCP, 221, 65, false, 0, {0}},
    {"mlcp/deudeu_mlcp.dat", CRN_SICONOS_MLCP, 2, 1, false, 2, {1, 0}},
    {"mlcp/diodeBridge20_mlcp.dat", CRN_SICONOS_MLCP, 31, 11, false, 0, {0}},
    {"mlcp/diodeBridge_mlcp.dat", CRN_SICONOS_MLCP, 7, 3, false, 0, {0}},
    {"mlcp/m2n1_mlcp.dat", CRN_SICONOS_MLCP, 3, 1, false, 3, {1, 0, 3}},
    {"mlcp/m3n2_mlcp.dat", CRN_SICONOS_MLCP, 5, 2, false, 0, {0}},
    {"mlcp/relay2_mlcp.dat", CRN_SICONOS_MLCP, 6, 4, false, 0, {0}},
};

/* Read a file that is known to be there. */
static void load(const char *name, crn_siconos_kind kind, crn_lcp_data *data)
{
    char path[1024];
    crn_error error = {CRN_OK, ""};
    TEST_CHECK(test_data_path(name, path, sizeof path) != NULL, "%s is absent", name);
    crn_status status = crn_io_read_siconos(path, kind, NULL, data, &error);
    TEST_CHECK(status == CRN_OK, "%s", error.text);
}

/* Row i of M z + q. */
static double row_value(const crn_lcp_problem *p, int i, const double *z)
{
    double sum = p->q[i];
    for (int j = 0; j < p->n; ++j) {
        if (p->M != NULL) {
            sum += p->M[i + j * p->ld] * z[j];
            continue;
        }
        for (int k = p->start[j]; k < p->start[j + 1]; ++k) {
            sum += p->row[k] == i ? p->value[k] * z[j] : 0.0;
        }
    }
    return sum;
}

/* Largest |z - clamp(z - w, lower, upper)|. */
static double natural_residual(const crn_lcp_problem *p, const double *z)
{
    double worst = 0.0;
    for (int i = 0; i < p->n; ++i) {
        double lower = p->lower != NULL ? p->lower[i] : 0.0, upper = p->upper != NULL ? p->upper[i] : INFINITY;
        double moved = fmin(fmax(z[i] - row_value(p, i, z), lower), upper);
        worst = fmax(worst, fabs(z[i] - moved));
    }
    return worst;
}

static int count_free(const crn_lcp_problem *p)
{
    int count = 0;
    for (int i = 0; i < p->n && p->lower != NULL; ++i) {
        count += p->lower[i] == -INFINITY && p->upper[i] == INFINITY;
    }
    return count;
}

static void check_fact(const fact *f, crn_siconos_kind kind)
{
    crn_lcp_data data = {0};
    load(f->name, kind, &data);
    const crn_lcp_problem *p = &data.problem;
    TEST_CHECK(p->n == f->n, "%s: n = %d", f->name, p->n);
    TEST_CHECK((p->M == NULL) == f->is_sparse, "%s: wrong storage", f->name);
    TEST_CHECK((p->lower == NULL) == (f->kind == CRN_SICONOS_LCP), "%s: read as the wrong kind", f->name);
    TEST_CHECK(count_free(p) == f->free, "%s: %d free variables", f->name, count_free(p));
    if (f->known > 0) {
        double residual = natural_residual(p, f->z);
        TEST_CHECK(residual <= 1e-10, "%s: its known solution has residual %g", f->name, residual);
    }
    crn_lcp_data_free(&data);
}

static void test_every_file(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; ++i) {
        check_fact(&facts[i], facts[i].kind);
        check_fact(&facts[i], CRN_SICONOS_ANY);
    }
}

/* Blocks and dense storage of the same problem give the same matrix. */
static void test_blocks_equal_dense(void **state)
{
    (void)state;
    const char *pairs[][2] = {{"lcp/lcp_deudeu.dat", "lcp/lcp_deudeu_block.dat"},
                              {"lcp/lcp_ortiz.dat", "lcp/lcp_ortiz_block.dat"},
                              {"lcp/lcp_trivial.dat", "lcp/lcp_trivial_block.dat"}};
    for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; ++k) {
        crn_lcp_data dense = {0}, blocks = {0};
        load(pairs[k][0], CRN_SICONOS_ANY, &dense);
        load(pairs[k][1], CRN_SICONOS_ANY, &blocks);
        for (int j = 0; j < dense.problem.n; ++j) {
            double unit[MOST + 1] = {0};
            unit[j] = 1.0;
            for (int i = 0; i < dense.problem.n; ++i) {
                assert_true(row_value(&dense.problem, i, unit) == row_value(&blocks.problem, i, unit));
            }
        }
        crn_lcp_data_free(&dense);
        crn_lcp_data_free(&blocks);
    }
}

static void test_rectangular(void **state)
{
    (void)state;
    char path[1024];
    crn_lcp_data data = {0};
    crn_error error = {CRN_OK, ""};
    assert_non_null(test_data_path("mlcp/Rectangular_mlcp.dat", path, sizeof path));
    assert_int_equal(crn_io_read_siconos(path, CRN_SICONOS_ANY, NULL, &data, &error), CRN_ERR_FORMAT);
    TEST_CHECK(strstr(error.text, ":9: M: not square: 3 rows and 2 columns") != NULL, "%s", error.text);
}

/* Files of other problems are refused, not misread. */
static void test_other_problems(void **state)
{
    (void)state;
    const char *names[] = {"friction_local/FC3D_Example1.dat", "friction_local/NESpheres_10_1.dat",
                           "friction_global/GFC3D_OneContact.dat", "MANIFEST.tsv"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        char path[1024];
        crn_lcp_data data = {0};
        crn_error error = {CRN_OK, ""};
        if (test_data_path(names[i], path, sizeof path) != NULL) {
            crn_status status = crn_io_read_siconos(path, CRN_SICONOS_ANY, NULL, &data, &error);
            TEST_CHECK(status == CRN_ERR_FORMAT, "%s was accepted", names[i]);
        }
    }
}

int main(int argc, char **argv)
{
    test_data_require("lcp/lcp_CPS_1.dat");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_file),
        cmocka_unit_test(test_blocks_equal_dense),
        cmocka_unit_test(test_rectangular),
        cmocka_unit_test(test_other_problems),
    };
    return TEST_RUN(tests, argc, argv);
}
