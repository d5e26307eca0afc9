/* Beyond the order at which the tree of sides is searched: games are solved, infeasible problems refuted, by construction. */
#include "judge.h"

#include "test_matrix.h"

enum { TEST_SEED = 20261120, ORDER = 80, TRIALS = 6 };

static void draw_matrix(double *M, double *q, crn_random *random)
{
    for (int i = 0; i < ORDER; ++i) {
        q[i] = crn_random_normal(random);
        for (int j = 0; j < ORDER; ++j) {
            M[i + j * ORDER] = crn_random_normal(random);
        }
    }
}

static void check_refuted(const char *name, const crn_lcp_problem *p, crn_lcp_proof proof)
{
    static const crn_lcp_method methods[] = {CRN_LCP_AUTO, CRN_LCP_SEARCH, CRN_LCP_REFUTE};
    for (int m = 0; m < 3; ++m) {
        answer a = solve_by(p, methods[m]);
        judge_honest(name, p, &a);
        TEST_CHECK(a.result.outcome == CRN_LCP_INFEASIBLE && a.result.proof == proof, "%s by %s: %s", name,
                   crn_lcp_method_name(methods[m]), crn_lcp_outcome_name(a.result.outcome));
        answer_free(&a);
    }
}

/* One row that is never positive; or M'y < 0, q'y < 0 for a y on eight rows, or on all, in a matrix of no class. */
static void planted_vectors_are_found(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED);
    double *M = test_doubles(ORDER * ORDER), *q = test_doubles(ORDER), y[ORDER];
    crn_lcp_problem p = {.n = ORDER, .M = M, .ld = ORDER, .q = q};
    for (int trial = 0; trial < TRIALS; ++trial) {
        draw_matrix(M, q, &random);
        const int rows[] = {1, 8, ORDER};
        memset(y, 0, sizeof y);
        for (int k = 0; k < rows[trial % 3]; ++k) {
            y[trial % 3 == 2 ? k : crn_random_below(&random, ORDER)] = crn_random_uniform(&random, 0.5, 2.0);
        }
        double yy = 0.0, yq = 0.0;
        for (int i = 0; i < ORDER; ++i) {
            yy += y[i] * y[i];
            yq += y[i] * q[i];
        }
        for (int j = 0; j < ORDER; ++j) {
            double v = 0.0, wanted = -crn_random_uniform(&random, 0.1, 1.0);
            for (int i = 0; i < ORDER; ++i) {
                v += y[i] * M[i + j * ORDER];
            }
            for (int i = 0; i < ORDER; ++i) {
                M[i + j * ORDER] += (wanted - v) * y[i] / yy;
            }
        }
        for (int i = 0; i < ORDER; ++i) {
            q[i] -= (yq + 1.0) * y[i] / yy;
        }
        check_refuted("planted", &p, CRN_LCP_FARKAS);
    }
    free(M);
    free(q);
}

/* y'M_j = target_j for all columns, by the least change. */
static void plant_rows(double *M, const double *y, const double *target)
{
    double yy = 0.0;
    for (int i = 0; i < ORDER; ++i) {
        yy += y[i] * y[i];
    }
    for (int j = 0; j < ORDER; ++j) {
        double v = 0.0;
        for (int i = 0; i < ORDER; ++i) {
            v += y[i] * M[i + j * ORDER];
        }
        for (int i = 0; i < ORDER; ++i) {
            M[i + j * ORDER] += (target[j] - v) / yy * y[i];
        }
    }
}

/* Feasible by a point z, w > 0 that is drawn first, q = w - M z, and no solution: with z_0 = 0 a y on the even rows proves that
 * there is none, with w_0 = 0 a y on the odd rows and -1 on row 0. */
static void disjunctions_are_refuted(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED + 3);
    double *M = test_doubles(ORDER * ORDER), *q = test_doubles(ORDER), y[ORDER], target[ORDER], z[ORDER], w[ORDER];
    crn_lcp_problem p = {.n = ORDER, .M = M, .ld = ORDER, .q = q};
    for (int trial = 0; trial < TRIALS / 3; ++trial) {
        draw_matrix(M, q, &random);
        for (int i = 0; i < ORDER; ++i) {
            z[i] = crn_random_uniform(&random, 0.1, 1.0);
            w[i] = crn_random_uniform(&random, 0.1, 1.0);
        }
        for (int side = 0; side < 2; ++side) {
            double others = 1.0; /* y'q = -1 */
            for (int i = 0; i < ORDER; ++i) {
                y[i] = i > 0 && i % 2 == side ? crn_random_uniform(&random, 0.5, 2.0) : 0.0;
                target[i] = -crn_random_uniform(&random, 0.1, 1.0);
                others += i > 0 ? y[i] * w[i] - target[i] * z[i] : 0.0;
            }
            if (side == 0) {
                target[0] = others / z[0];
            } else {
                y[0] = -1.0;
                w[0] = others - target[0] * z[0];
            }
            plant_rows(M, y, target);
        }
        for (int i = 0; i < ORDER; ++i) {
            q[i] = w[i];
            for (int j = 0; j < ORDER; ++j) {
                q[i] -= M[i + j * ORDER] * z[j];
            }
        }
        check_refuted("disjunction", &p, CRN_LCP_EXHAUSTED);
    }
    free(M);
    free(q);
}

/* Upper bounds: a row whose largest value within the box is negative. */
static void boxes_are_refuted(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED + 1);
    double *M = test_doubles(ORDER * ORDER), *q = test_doubles(ORDER), lower[ORDER], upper[ORDER];
    draw_matrix(M, q, &random);
    double most = 0.0;
    for (int j = 0; j < ORDER; ++j) { /* row 0 asks for w >= 0, all other variables have two bounds */
        lower[j] = j == 0 ? 0.0 : -1.0;
        upper[j] = j == 0 ? INFINITY : 1.0;
        M[j * ORDER] = j == 0 ? -1.0 : M[j * ORDER];
        most += j == 0 ? 0.0 : fabs(M[j * ORDER]);
    }
    q[0] = -most - 1.0;
    crn_lcp_problem p = {.n = ORDER, .M = M, .ld = ORDER, .q = q, .lower = lower, .upper = upper};
    check_refuted("box", &p, CRN_LCP_FARKAS);
    free(M);
    free(q);
}

/* Costs of a random game: some equilibrium is found, whatever the ties. */
static void games_are_solved(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED + 2);
    double *M = test_doubles(ORDER * ORDER), *q = test_doubles(ORDER);
    crn_lcp_problem p = {.n = ORDER, .M = M, .ld = ORDER, .q = q};
    for (int trial = 0; trial < 3 * TRIALS; ++trial) {
        const int m = ORDER / 2 - trial;
        memset(M, 0, ORDER * ORDER * sizeof *M);
        for (int i = 0; i < m; ++i) {
            for (int j = m; j < ORDER; ++j) {
                double a = crn_random_uniform(&random, 0.1, 1.0), b = crn_random_uniform(&random, 0.1, 1.0);
                a = trial % 3 == 1 ? floor(4.0 * a) + 1.0 : a; /* many ties */
                b = trial % 3 == 1 ? floor(4.0 * b) + 1.0 : b;
                b = trial % 3 == 2 ? 1.2 - a : b; /* zero-sum */
                M[i + j * ORDER] = a;
                M[j + i * ORDER] = b;
            }
        }
        for (int i = 0; i < ORDER; ++i) {
            q[i] = trial < TRIALS ? -1.0 : -crn_random_uniform(&random, 0.5, 2.0);
        }
        answer a = solve_by(&p, CRN_LCP_GAME);
        judge_solved("game", &p, &a);
        answer_free(&a);
    }
    free(M);
    free(q);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planted_vectors_are_found),
        cmocka_unit_test(disjunctions_are_refuted),
        cmocka_unit_test(boxes_are_refuted),
        cmocka_unit_test(games_are_solved),
    };
    return TEST_RUN(tests, argc, argv);
}
