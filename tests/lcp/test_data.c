/* Every LCP, box and mixed problem of the shared collections, solved and compared with what is documented. Skipped where
 * the collections are absent. */
#include "judge.h"

#include "test_data.h"

#include <cairn/io.h>
#include <jansson.h>

enum { MOST = 16 };

/* A file; `known` entries of its only solution, 0 if it is not known or not unique. */
typedef struct file_fact {
    const char *name;
    crn_siconos_kind kind;
    int known;
    double z[MOST];
} file_fact;

static const file_fact files[] = {
    {"lcp/lcp_CPS_1.dat", CRN_SICONOS_LCP, 0, {0}}, /* z1 + z2 = 1 */
    {"lcp/lcp_CPS_2.dat", CRN_SICONOS_LCP, 3, {0, 1, 3}},
    {"lcp/lcp_CPS_4.dat", CRN_SICONOS_LCP, 4, {2, 2, 2, 92}},
    {"lcp/lcp_CPS_4bis.dat", CRN_SICONOS_LCP, 4, {3, 3, 0, 83}},
    {"lcp/lcp_CPS_5.dat", CRN_SICONOS_LCP, 2, {0, 1}},
    {"lcp/lcp_Pang_isolated_sol.dat", CRN_SICONOS_LCP, 0, {0}}, /* isolated, but not the only one */
    {"lcp/lcp_deudeu.dat", CRN_SICONOS_LCP, 2, {4.0 / 3.0, 7.0 / 3.0}},
    {"lcp/lcp_deudeu_block.dat", CRN_SICONOS_LCP, 2, {4.0 / 3.0, 7.0 / 3.0}},
    {"lcp/lcp_enum_fails.dat", CRN_SICONOS_LCP, 0, {0}},
    {"lcp/lcp_exp_murty.dat", CRN_SICONOS_LCP, 6, {0, 0, 0, 0, 0, 1}},
    {"lcp/lcp_exp_murty2.dat", CRN_SICONOS_LCP, 6, {0, 0, 0, 0, 0, 64}},
    {"lcp/lcp_mmc.dat", CRN_SICONOS_LCP, 0, {0}},
    {"lcp/lcp_ortiz.dat", CRN_SICONOS_LCP, 4, {2.0 / 3.0, 0, 1.0 / 3.0, 0}},
    {"lcp/lcp_ortiz_block.dat", CRN_SICONOS_LCP, 4, {2.0 / 3.0, 0, 1.0 / 3.0, 0}},
    {"lcp/lcp_trivial.dat", CRN_SICONOS_LCP, 9, {1, 1 / 2., 1 / 3., 1 / 4., .2, 1 / 6., 1 / 7., .125, 1 / 9.}},
    {"lcp/lcp_trivial_block.dat", CRN_SICONOS_LCP, 9, {1, 1 / 2., 1 / 3., 1 / 4., .2, 1 / 6., 1 / 7., .125, 1 / 9.}},
    {"boxlcp/relay_2x2.dat", CRN_SICONOS_BOX, 0, {0}},
    {"boxlcp/relay_4x4.dat", CRN_SICONOS_BOX, 0, {0}},
    {"boxlcp/relay_simple2.dat", CRN_SICONOS_BOX, 0, {0}},
    {"boxlcp/step_1x1.dat", CRN_SICONOS_BOX, 0, {0}},
    {"boxlcp/step_2x2.dat", CRN_SICONOS_BOX, 0, {0}},
    {"boxlcp/step_4x4.dat", CRN_SICONOS_BOX, 0, {0}},
    {"mlcp/Buck2_mlcp.dat", CRN_SICONOS_MLCP, 0, {0}},
    {"mlcp/BuckFirstStep_mlcp.dat", CRN_SICONOS_MLCP, 0, {0}},
    {"mlcp/PDSym_mlcp.dat", CRN_SICONOS_MLCP, 0, {0}},
    {"mlcp/PD_mlcp.dat", CRN_SICONOS_MLCP, 0, {0}},
    {"mlcp/RCD_mlcp.dat", CRN_SICONOS_MLCP, 0, {0}},
    {"mlcp/RLCD_mlcp.dat", CRN_SICONOS_MLCP, 0, {0}},
    {"mlcp/deltasigma_mlcp.dat", CRN_SICONOS_MLCP, 0, {0}},
    {"mlcp/deudeu_mlcp.dat", CRN_SICONOS_MLCP, 0, {0}},
    {"mlcp/diodeBridge20_mlcp.dat", CRN_SICONOS_MLCP, 0, {0}},
    {"mlcp/diodeBridge_mlcp.dat", CRN_SICONOS_MLCP, 0, {0}},
    {"mlcp/m2n1_mlcp.dat", CRN_SICONOS_MLCP, 0, {0}},
    {"mlcp/m3n2_mlcp.dat", CRN_SICONOS_MLCP, 0, {0}},
    {"mlcp/relay2_mlcp.dat", CRN_SICONOS_MLCP, 0, {0}},
};
enum { FILE_COUNT = sizeof files / sizeof files[0] };

static void check_known(const char *name, int known, const double *expected, const double *z)
{
    for (int i = 0; i < known; ++i) {
        TEST_CHECK(fabs(z[i] - expected[i]) <= 1e-8 * fmax(1.0, fabs(expected[i])), "%s: z(%d) = %.12g, not %.12g",
                   name, i + 1, z[i], expected[i]);
    }
}

static crn_lcp_data load(const file_fact *f)
{
    char path[1024];
    crn_lcp_data data = {0};
    crn_error error = {CRN_OK, ""};
    TEST_CHECK(test_data_path(f->name, path, sizeof path) != NULL, "%s is absent", f->name);
    TEST_CHECK(crn_io_read_siconos(path, f->kind, NULL, &data, &error) == CRN_OK, "%s", error.text);
    return data;
}

static void every_file_is_solved(void **state)
{
    (void)state;
    for (int k = 0; k < FILE_COUNT; ++k) {
        crn_lcp_data data = load(&files[k]);
        for (int v = 0; v < VARIANT_COUNT; ++v) {
            char name[96];
            crn_lcp_options options = variant_options(v);
            options.max_pivots = is_slow(v) ? 2000 : 0;
            (void)snprintf(name, sizeof name, "%s on %s", VARIANTS[v].name, files[k].name);
            answer a = solve(&data.problem, &options);
            judge_honest(name, &data.problem, &a);
            if (options.method == CRN_LCP_SEARCH || options.method == CRN_LCP_AUTO) {
                judge_solved(name, &data.problem, &a);
            }
            if (a.result.outcome == CRN_LCP_SOLVED) {
                check_known(name, files[k].known, files[k].z, a.z);
            }
            answer_free(&a);
        }
        crn_lcp_data_free(&data);
    }
}

static void a_rectangular_problem_is_refused(void **state)
{
    (void)state;
    char path[1024];
    crn_lcp_data data = {0};
    crn_error error = {CRN_OK, ""};
    const char *name = "mlcp/Rectangular_mlcp.dat";
    TEST_CHECK(test_data_path(name, path, sizeof path) != NULL, "%s is absent", name);
    crn_status status = crn_io_read_siconos(path, CRN_SICONOS_MLCP, NULL, &data, &error);
    assert_int_not_equal(status, CRN_OK);
    assert_non_null(strstr(error.text, "Rectangular_mlcp.dat"));
    assert_int_equal(data.problem.n, 0);
}

/* --- reference/lcp_literature.json --- */

typedef struct literature {
    const char *name;
    int n;
    double M[MOST * MOST], q[MOST];
} literature;

/* Entry (i, j) of M, by rows in the file, or by the rule of the one problem that has no entries. */
static double literature_entry(const json_t *problem, int i, int j)
{
    const json_t *rows = json_object_get(problem, "M");
    if (rows == NULL) {
        assert_string_equal(json_string_value(json_object_get(problem, "M_rule")),
                            "M[i][i]=1, M[i][j]=2 for j>i, 0 for j<i");
        return j > i ? 2.0 : j == i ? 1.0 : 0.0;
    }
    return json_number_value(json_array_get(json_array_get(rows, (size_t)i), (size_t)j));
}

static literature read_literature(const json_t *problem)
{
    literature t = {.name = json_string_value(json_object_get(problem, "name"))};
    t.n = (int)json_integer_value(json_object_get(problem, "n"));
    assert_non_null(t.name);
    assert_in_range(t.n, 1, MOST);
    const json_t *q = json_object_get(problem, "q");
    for (int i = 0; i < t.n; ++i) {
        t.q[i] = q != NULL ? json_number_value(json_array_get(q, (size_t)i)) : -1.0;
        for (int j = 0; j < t.n; ++j) {
            t.M[i + j * t.n] = literature_entry(problem, i, j);
        }
    }
    return t;
}

/* The answer that the literature gives: a solution, none, or any. */
static void judge_literature(const json_t *problem, const literature *t, const char *name, const crn_lcp_problem *p,
                             const answer *a, bool is_sure)
{
    const json_t *z = json_object_get(problem, "z");
    judge_honest(name, p, a);
    if (json_object_get(problem, "expect") != NULL) { /* "no solution; ..." */
        assert_non_null(strstr(json_string_value(json_object_get(problem, "expect")), "no solution"));
        TEST_CHECK(a->result.outcome != CRN_LCP_SOLVED, "%s: solved, which cannot be", name);
        TEST_CHECK(!is_sure || a->result.outcome == CRN_LCP_INFEASIBLE, "%s: %s", name,
                   crn_lcp_outcome_name(a->result.outcome));
        return;
    }
    if (is_sure) {
        judge_solved(name, p, a);
    }
    for (int i = 0; i < t->n && z != NULL && a->result.outcome == CRN_LCP_SOLVED; ++i) {
        double expected = json_number_value(json_array_get(z, (size_t)i));
        check_known(name, 1, &expected, &a->z[i]);
    }
}

static void judge_by_all(const json_t *problem, const literature *t)
{
    crn_lcp_problem p = {.n = t->n, .M = t->M, .ld = t->n, .q = t->q};
    for (int v = 0; v < VARIANT_COUNT; ++v) {
        char name[96];
        crn_lcp_options options = variant_options(v);
        (void)snprintf(name, sizeof name, "%s on %s", VARIANTS[v].name, t->name);
        answer a = solve(&p, &options);
        bool is_sure = options.method == CRN_LCP_SEARCH || options.method == CRN_LCP_AUTO;
        judge_literature(problem, t, name, &p, &a, is_sure);
        answer_free(&a);
    }
}

static json_t *load_literature(void)
{
    char path[1024];
    json_error_t error;
    TEST_CHECK(test_data_path("reference/lcp_literature.json", path, sizeof path) != NULL, "no reference file");
    json_t *root = json_load_file(path, 0, &error);
    TEST_CHECK(root != NULL, "%s:%d: %s", path, error.line, error.text);
    return root;
}

static void the_literature_is_matched(void **state)
{
    (void)state;
    json_t *root = load_literature();
    const json_t *problems = json_object_get(root, "problems");
    assert_int_equal(json_array_size(problems), 13);
    for (size_t k = 0; k < json_array_size(problems); ++k) {
        const json_t *problem = json_array_get(problems, k);
        literature t = read_literature(problem);
        judge_by_all(problem, &t);
    }
    json_decref(root);
}

/* The file asks for dart_4d_contact with the other sign of q as well: q > 0, so z = 0. */
static void the_other_sign_of_a_contact(void **state)
{
    (void)state;
    json_t *root = load_literature();
    const json_t *problem;
    size_t k;
    json_array_foreach(json_object_get(root, "problems"), k, problem)
    {
        literature t = read_literature(problem);
        if (strcmp(t.name, "dart_4d_contact") != 0) {
            continue;
        }
        for (int i = 0; i < t.n; ++i) {
            t.q[i] = -t.q[i];
        }
        crn_lcp_problem p = {.n = t.n, .M = t.M, .ld = t.n, .q = t.q};
        answer a = solve_by(&p, CRN_LCP_SEARCH);
        judge_solved(t.name, &p, &a);
        assert_true(is_all_zero(t.n, a.z));
        answer_free(&a);
    }
    json_decref(root);
}

int main(int argc, char **argv)
{
    test_data_require("reference/lcp_literature.json");
    for (int k = 0; k < FILE_COUNT; ++k) {
        test_data_require(files[k].name);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_file_is_solved),
        cmocka_unit_test(a_rectangular_problem_is_refused),
        cmocka_unit_test(the_literature_is_matched),
        cmocka_unit_test(the_other_sign_of_a_contact),
    };
    return TEST_RUN(tests, argc, argv);
}
