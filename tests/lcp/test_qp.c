/* Quadratic programmes: conditions of optimality on random ones, known answers, infeasible and unbounded ones. */
#include "test_support.h"

#include <cairn/qp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TEST_SEED = 20261121, MOST = 24, TRIALS = 300 };

/* A programme with dense matrices in compressed columns. */
typedef struct programme {
    crn_qp_problem p;
    int P_start[MOST + 1], P_row[MOST * MOST], A_start[MOST + 1], A_row[MOST * MOST];
    double P_value[MOST * MOST], A_value[MOST * MOST], q[MOST], l[MOST], u[MOST], P[MOST][MOST], A[MOST][MOST];
} programme;

static void compress(programme *g, int n, int m)
{
    int used = 0;
    for (int j = 0; j < n; ++j) {
        g->P_start[j] = used;
        for (int i = 0; i < n; ++i) {
            if (g->P[i][j] != 0.0) {
                g->P_row[used] = i;
                g->P_value[used++] = g->P[i][j];
            }
        }
    }
    g->P_start[n] = used;
    used = 0;
    for (int j = 0; j < n; ++j) {
        g->A_start[j] = used;
        for (int i = 0; i < m; ++i) {
            if (g->A[i][j] != 0.0) {
                g->A_row[used] = i;
                g->A_value[used++] = g->A[i][j];
            }
        }
    }
    g->A_start[n] = used;
    g->p = (crn_qp_problem){.n = n,
                            .m = m,
                            .P = {g->P_start, g->P_row, g->P_value},
                            .A = {g->A_start, g->A_row, g->A_value},
                            .q = g->q,
                            .l = g->l,
                            .u = g->u};
}

/* P = B'B of low rank, rows around a point that fulfils them, every kind of row. */
static void draw(programme *g, crn_random *random)
{
    const int n = 1 + crn_random_below(random, 12), m = crn_random_below(random, MOST),
              rank = crn_random_below(random, n + 1);
    double x[MOST], B[MOST][MOST];
    memset(g, 0, sizeof *g);
    for (int j = 0; j < n; ++j) {
        x[j] = crn_random_normal(random);
        g->q[j] = crn_random_normal(random);
        for (int k = 0; k < rank; ++k) {
            B[k][j] = crn_random_normal(random);
        }
    }
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j <= i; ++j) {
            for (int k = 0; k < rank; ++k) {
                g->P[i][j] += B[k][i] * B[k][j];
            }
            g->P[j][i] = g->P[i][j];
        }
    }
    for (int i = 0; i < m; ++i) {
        double at = 0.0;
        for (int j = 0; j < n; ++j) {
            g->A[i][j] = i < n ? (i == j ? 1.0 : 0.0) : crn_random_normal(random); /* a box first: it is bounded */
            at += g->A[i][j] * x[j];
        }
        int kind = i < n ? 2 : crn_random_below(random, 5);
        g->l[i] = kind == 1 ? -INFINITY : at - (kind == 3 ? 0.0 : crn_random_uniform(random, 0.0, 1.0));
        g->u[i] = kind == 0 ? INFINITY : at + (kind == 3 ? 0.0 : crn_random_uniform(random, 0.0, 1.0));
        g->u[i] = kind == 3 ? g->l[i] : g->u[i];
        if (kind == 4) { /* a row that asks for nothing */
            g->l[i] = -INFINITY;
            g->u[i] = INFINITY;
        }
    }
    compress(g, n, m);
}

/* Px + q + A'y = 0, l <= Ax <= u, y of the right sign and 0 where the row is slack. */
static void check_conditions(const programme *g, const double *x, const double *y)
{
    const double tol = 1e-7;
    for (int j = 0; j < g->p.n; ++j) {
        double sum = g->q[j], size = 1.0 + fabs(g->q[j]);
        for (int i = 0; i < g->p.n; ++i) {
            sum += g->P[j][i] * x[i];
            size += fabs(g->P[j][i] * x[i]);
        }
        for (int i = 0; i < g->p.m; ++i) {
            sum += g->A[i][j] * y[i];
            size += fabs(g->A[i][j] * y[i]);
        }
        TEST_CHECK(fabs(sum) <= tol * size, "gradient(%d) = %g", j, sum);
    }
    for (int i = 0; i < g->p.m; ++i) {
        double sum = 0.0, size = 1.0;
        for (int j = 0; j < g->p.n; ++j) {
            sum += g->A[i][j] * x[j];
            size += fabs(g->A[i][j] * x[j]);
        }
        TEST_CHECK(sum >= g->l[i] - tol * size && sum <= g->u[i] + tol * size, "row %d: %g is not in %g .. %g", i, sum,
                   g->l[i], g->u[i]);
        TEST_CHECK(y[i] <= tol || sum >= g->u[i] - tol * size, "y(%d) = %g above", i, y[i]);
        TEST_CHECK(y[i] >= -tol || sum <= g->l[i] + tol * size, "y(%d) = %g below", i, y[i]);
    }
}

static void random_programmes_are_solved(void **state)
{
    (void)state;
    static programme g;
    crn_random random = test_random(__func__, TEST_SEED);
    crn_workspace workspace = {0};
    int solved = 0, unbounded = 0;
    for (int trial = 0; trial < TRIALS; ++trial) {
        double x[MOST], y[MOST];
        crn_qp_result result;
        crn_error error = {CRN_OK, ""};
        draw(&g, &random);
        TEST_CHECK(crn_qp_solve(&g.p, NULL, &workspace, x, y, &result, &error) == CRN_OK, "%s", error.text);
        if (result.outcome == CRN_QP_SOLVED) {
            check_conditions(&g, x, y);
            ++solved;
        }
        unbounded += result.outcome == CRN_QP_UNBOUNDED;
        bool may_be_unbounded = g.p.m < g.p.n; /* the box is not whole then */
        TEST_CHECK(result.outcome == CRN_QP_SOLVED || (may_be_unbounded && result.outcome == CRN_QP_UNBOUNDED),
                   "trial %d: n = %d, m = %d: %s", trial, g.p.n, g.p.m, crn_qp_outcome_name(result.outcome));
    }
    print_message("%d solved, %d unbounded of %d\n", solved, unbounded, TRIALS);
    assert_true(solved > TRIALS / 2 && unbounded > 0);
    crn_workspace_free(&workspace);
}

/* The example of OSQP's pages: x = (0.3, 0.7), y = (-2.9, 0, 0.2). */
static void the_textbook_example(void **state)
{
    (void)state;
    const int P_start[] = {0, 2, 4}, P_row[] = {0, 1, 0, 1}, A_start[] = {0, 2, 4}, A_row[] = {0, 1, 0, 2};
    const double P[] = {4, 1, 1, 2}, A[] = {1, 1, 1, 1}, q[] = {1, 1}, l[] = {1, 0, 0}, u[] = {1, 0.7, 0.7};
    crn_qp_problem p = {.n = 2, .m = 3, .P = {P_start, P_row, P}, .A = {A_start, A_row, A}, .q = q, .l = l, .u = u};
    crn_workspace workspace = {0};
    double x[2], y[3];
    crn_qp_result result;
    assert_int_equal(crn_qp_solve(&p, NULL, &workspace, x, y, &result, NULL), CRN_OK);
    assert_int_equal(result.outcome, CRN_QP_SOLVED);
    assert_true(fabs(x[0] - 0.3) < 1e-12 && fabs(x[1] - 0.7) < 1e-12);
    assert_true(fabs(y[0] + 2.9) < 1e-12 && fabs(y[1]) < 1e-12 && fabs(y[2] - 0.2) < 1e-12);
    assert_true(fabs(result.objective - 1.88) < 1e-12);
    const double far[] = {3, 0.7, 0.7}; /* x1 + x2 = 3 with both at most 0.7 */
    p.l = p.u = far;
    const double low[] = {3, 0, 0};
    p.l = low;
    assert_int_equal(crn_qp_solve(&p, NULL, &workspace, x, y, &result, NULL), CRN_OK);
    assert_int_equal(result.outcome, CRN_QP_INFEASIBLE);
    p = (crn_qp_problem){.n = 2, .q = q}; /* a linear programme without rows */
    assert_int_equal(crn_qp_solve(&p, NULL, &workspace, x, NULL, &result, NULL), CRN_OK);
    assert_int_equal(result.outcome, CRN_QP_UNBOUNDED);
    crn_workspace_free(&workspace);
}

static void bad_programmes_are_refused(void **state)
{
    (void)state;
    const int start[] = {0, 2, 4}, row[] = {0, 1, 0, 1};
    const double P[] = {4, 1, 2, 2}, q[] = {1, 1}, l[] = {2}, u[] = {1};
    crn_qp_problem p = {.n = 2, .P = {start, row, P}, .q = q};
    crn_workspace workspace = {0};
    crn_error error = {CRN_OK, ""};
    double x[2], y[2];
    assert_int_equal(crn_qp_solve(&p, NULL, &workspace, x, NULL, NULL, &error), CRN_ERR_ARGUMENT);
    TEST_CHECK(strstr(error.text, "P(2,1) = 1, but P(1,2) = 2") != NULL, "%s", error.text);
    p = (crn_qp_problem){.n = 2, .m = 1, .q = q, .l = l, .u = u};
    assert_int_equal(crn_qp_solve(&p, NULL, &workspace, x, y, NULL, &error), CRN_ERR_ARGUMENT);
    TEST_CHECK(strstr(error.text, "l(1), u(1): 2 and 1") != NULL, "%s", error.text);
    crn_workspace_free(&workspace);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_programmes_are_solved),
        cmocka_unit_test(the_textbook_example),
        cmocka_unit_test(bad_programmes_are_refused),
    };
    return TEST_RUN(tests, argc, argv);
}
