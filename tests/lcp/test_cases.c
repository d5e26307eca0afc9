/* Problems on which an earlier version was found wrong, kept beside the source folder (CAIRN_CASES, else ../shared/cases).
 * Skipped where they are absent. */
#include "judge.h"

#include <cairn/io.h>
#include <unistd.h>

static const char *case_path(const char *name, char *path, size_t size)
{
    const char *folder = getenv("CAIRN_CASES");
    if (folder != NULL) {
        (void)snprintf(path, size, "%s/lcp/%s", folder, name);
    } else {
        (void)snprintf(path, size, "%s/../shared/cases/lcp/%s", CAIRN_SOURCE_DIR, name);
    }
    return access(path, R_OK) == 0 ? path : NULL;
}

static crn_lcp_data load(const char *M, const char *q)
{
    char M_path[1024], q_path[1024];
    crn_lcp_data data = {0};
    crn_error error = {CRN_OK, ""};
    TEST_CHECK(case_path(M, M_path, sizeof M_path) != NULL && case_path(q, q_path, sizeof q_path) != NULL,
               "%s or %s is absent", M, q);
    TEST_CHECK(crn_io_read_matrix_market(M_path, q_path, NULL, NULL, NULL, &data, &error) == CRN_OK, "%s", error.text);
    return data;
}

/* Contacts of a chain that lies flat. Scaling took its small couplings for a matter of units: 23 restarts, then an error.
 * And Lemke's method ended on a ray from a point with residual 3e-15, which was thrown away. */
static void flat_chains_are_solved(void **state)
{
    (void)state;
    static const char *const q[] = {"chain25-n30-00.q.mtx", "chain25-n30-02.q.mtx"};
    for (int k = 0; k < 2; ++k) {
        crn_lcp_data data = load("chain25-n30.M.mtx", q[k]);
        static const crn_lcp_method methods[] = {CRN_LCP_AUTO, CRN_LCP_SEARCH};
        for (int m = 0; m < 2; ++m) {
            answer a = solve_by(&data.problem, methods[m]);
            judge_solved(q[k], &data.problem, &a);
            assert_int_equal(a.result.restarts, 0);
            answer_free(&a);
        }
        answer a = solve_by(&data.problem, CRN_LCP_LEMKE);
        judge_honest("lemke", &data.problem, &a);
        assert_true(a.result.outcome == CRN_LCP_SOLVED || a.result.certificate.relative > 1e-9);
        answer_free(&a);
        crn_lcp_data_free(&data);
    }
}

/* One row M <= 0 with q < 0 in a matrix of no class: proved at n = 64, and a ray at 65. */
static void a_row_is_refuted_beyond_64(void **state)
{
    (void)state;
    crn_lcp_data data = load("infeas65_M.mtx", "infeas65_q.mtx");
    answer a = solve_by(&data.problem, CRN_LCP_AUTO);
    judge_honest("infeas65", &data.problem, &a);
    assert_int_equal(a.result.outcome, CRN_LCP_INFEASIBLE);
    assert_int_equal(a.result.proof, CRN_LCP_FARKAS);
    answer_free(&a);
    crn_lcp_data_free(&data);
}

/* A bimatrix game always has an equilibrium; Lemke's paths end on rays. */
static void a_game_is_solved(void **state)
{
    (void)state;
    crn_lcp_data data = load("game_M.mtx", "game_q.mtx");
    answer a = solve_by(&data.problem, CRN_LCP_AUTO);
    judge_solved("game", &data.problem, &a);
    answer_free(&a);
    crn_lcp_data_free(&data);
}

int main(int argc, char **argv)
{
    char path[1024];
    if (case_path("chain25-n30.M.mtx", path, sizeof path) == NULL) {
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flat_chains_are_solved),
        cmocka_unit_test(a_row_is_refuted_beyond_64),
        cmocka_unit_test(a_game_is_solved),
    };
    return TEST_RUN(tests, argc, argv);
}
