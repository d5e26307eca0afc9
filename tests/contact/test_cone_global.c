/* Global friction problems: every equation multiplied out again from the data, redundant rows, bad input. */
#include "cone_case.h"

/* Relative to the largest term of each equation; the solver's own arithmetic is the only error. */
#define EQUATION_TOL 1e-11
#define LAW_TOL      1e-6

typedef struct scene {
    crn_cone_problem problem;
    int n;
    double *M, *H, *G, *f, *w, *b, *mu; /* dense, column-major */
    crn_cone_matrix sparse[3];
} scene;

static crn_cone_matrix compress(int rows, int columns, const double *A)
{
    int *start = cone_memory((size_t)columns + 1, sizeof *start);
    int *row = cone_memory((size_t)(rows * columns), sizeof *row);
    double *value = cone_doubles(rows * columns);
    int entries = 0;
    for (int j = 0; j < columns; ++j) {
        start[j] = entries;
        for (int i = 0; i < rows; ++i) {
            if (A[i + j * rows] != 0.0) {
                row[entries] = i;
                value[entries++] = A[i + j * rows];
            }
        }
    }
    start[columns] = entries;
    return (crn_cone_matrix){rows, columns, start, row, value};
}

static void compress_all(scene *s)
{
    crn_cone_problem *p = &s->problem;
    s->sparse[0] = p->M = compress(p->dof, p->dof, s->M);
    s->sparse[1] = p->H = compress(p->dof, s->n, s->H);
    s->sparse[2] = p->G = compress(p->dof, p->rows, s->G);
}

static void release(scene *s)
{
    for (int k = 0; k < 3; ++k) {
        free((void *)(uintptr_t)s->sparse[k].start);
        free((void *)(uintptr_t)s->sparse[k].row);
        free((void *)(uintptr_t)s->sparse[k].value);
    }
    free(s->M);
    free(s->H);
    free(s->G);
    free(s->f);
    free(s->w);
    free(s->b);
    free(s->mu);
}

/* Bodies of `size` velocities each with dense mass matrices, contacts between two of them or with the ground, rows between
 * two; the last row repeats the first if is_redundant. A velocity with all contacts open exists, so there is an answer. */
static scene make(crn_random *random, int dim, int bodies, int size, int contacts, int rows, bool is_redundant)
{
    const int dof = bodies * size, n = dim * contacts;
    scene s = {.n = n};
    s.M = cone_doubles(dof * dof);
    s.H = cone_doubles(dof * n);
    s.G = cone_doubles(dof * rows);
    s.f = cone_doubles(dof);
    s.w = cone_doubles(n);
    s.b = cone_doubles(rows);
    s.mu = cone_doubles(contacts);
    double *target = cone_doubles(dof);
    for (int i = 0; i < dof; ++i) {
        s.f[i] = 3.0 * crn_random_normal(random);
        target[i] = crn_random_normal(random);
    }
    for (int k = 0; k < bodies; ++k) {
        double *B = cone_doubles(size * size);
        for (int i = 0; i < size * size; ++i) {
            B[i] = crn_random_normal(random);
        }
        for (int i = 0; i < size; ++i) {
            for (int j = 0; j < size; ++j) {
                double sum = i == j ? 1.0 : 0.0;
                for (int l = 0; l < size; ++l) {
                    sum += B[i + l * size] * B[j + l * size];
                }
                s.M[k * size + i + (k * size + j) * dof] = sum;
            }
        }
        free(B);
    }
    for (int j = 0; j < n + rows; ++j) {
        const bool is_row = j >= n;
        double *column = is_row ? s.G + (j - n) * dof : s.H + j * dof;
        /* the columns of a contact touch the same bodies */
        const int item = is_row ? j : j / dim, a = (item * 7) % bodies, b = (item * 5 + 1) % bodies;
        for (int i = 0; i < size; ++i) {
            column[a * size + i] = crn_random_normal(random);
            if (b != a && item % 3 != 0) {
                column[b * size + i] = crn_random_normal(random);
            }
        }
        if (is_row && is_redundant && j == n + rows - 1) {
            memcpy(column, s.G, (size_t)dof * sizeof *column);
        }
        double sum = 0.0;
        for (int i = 0; i < dof; ++i) {
            sum += column[i] * target[i];
        }
        *(is_row ? &s.b[j - n] : &s.w[j]) =
            -sum + (!is_row && j % dim == 0 ? crn_random_uniform(random, 0.0, 0.2) : 0.0);
    }
    for (int i = 0; i < contacts; ++i) {
        s.mu[i] = crn_random_uniform(random, 0.0, 0.6);
    }
    s.problem = (crn_cone_problem){.form = CRN_CONE_GLOBAL, .dim = dim, .contacts = contacts, .mu = s.mu, .dof = dof};
    s.problem.rows = rows;
    s.problem.f = s.f;
    s.problem.w = s.w;
    s.problem.b = s.b;
    compress_all(&s);
    free(target);
    return s;
}

static void check_motion(const scene *s, const double *r, const double *u, const double *v, const double *l)
{
    const crn_cone_problem *p = &s->problem;
    for (int i = 0; i < p->dof; ++i) {
        long double sum = -s->f[i], size = fabs(s->f[i]);
        for (int j = 0; j < p->dof + s->n + p->rows; ++j) {
            const long double term = j < p->dof ? (long double)s->M[i + j * p->dof] * v[j]
                                     : j < p->dof + s->n
                                         ? -(long double)s->H[i + (j - p->dof) * p->dof] * r[j - p->dof]
                                         : -(long double)s->G[i + (j - p->dof - s->n) * p->dof] * l[j - p->dof - s->n];
            sum += term;
            size = fmaxl(size, fabsl(term));
        }
        TEST_CHECK(fabsl(sum) <= EQUATION_TOL * size, "M v = H r + G l + f missed by %Lg in row %d", sum, i);
    }
    for (int j = 0; j < s->n + p->rows; ++j) {
        const bool is_row = j >= s->n;
        const double *column = is_row ? s->G + (j - s->n) * p->dof : s->H + j * p->dof;
        long double sum = is_row ? s->b[j - s->n] : s->w[j] - u[j], size = fabsl(sum) + 1.0L;
        for (int i = 0; i < p->dof; ++i) {
            sum += (long double)column[i] * v[i];
            size = fmaxl(size, fabsl((long double)column[i] * v[i]));
        }
        TEST_CHECK(fabsl(sum) <= EQUATION_TOL * size, "%s missed by %Lg at %d", is_row ? "G'v + b = 0" : "u = H'v + w",
                   sum, j);
    }
}

static void test_motion_and_law(void **state)
{
    (void)state;
    crn_random random = test_random("motion and law", 21);
    for (int k = 0; k < 40; ++k) {
        const int dim = 2 + k % 2, bodies = 1 + crn_random_below(&random, 6),
                  size = 3 + 3 * crn_random_below(&random, 2);
        const int contacts = crn_random_below(&random, 2 * bodies + 1), rows = crn_random_below(&random, bodies + 1);
        scene s = make(&random, dim, bodies, size, contacts, rows, k % 4 == 0 && rows > 1);
        double *r = cone_doubles(s.n), *u = cone_doubles(s.n), *v = cone_doubles(s.problem.dof),
               *l = cone_doubles(rows);
        crn_cone_solution solution = {r, u, v, l};
        crn_cone_result result, judged;
        crn_workspace workspace = {0};
        crn_error error;
        TEST_CHECK(crn_cone_solve(&s.problem, NULL, &workspace, &solution, &result, &error) == CRN_OK, "%s",
                   error.text);
        TEST_CHECK(result.outcome == CRN_LCP_SOLVED, "case %d: %g %g", k, result.residual, result.residual_cone);
        check_motion(&s, r, u, v, l);
        TEST_CHECK(cone_worst(&s.problem, s.w, r, u) <= LAW_TOL, "case %d: law missed by %g", k,
                   cone_worst(&s.problem, s.w, r, u));
        assert_int_equal(crn_cone_certify(&s.problem, r, &workspace, &judged, &error), CRN_OK);
        assert_true(judged.residual == result.residual && judged.residual_cone == result.residual_cone);
        crn_workspace_free(&workspace);
        free(r);
        free(u);
        free(v);
        free(l);
        release(&s);
    }
}

/* A unit mass on a plane, thrown at it: M = m I, H = I, so W = I / m. */
static void test_thrown_mass(void **state)
{
    (void)state;
    crn_random random = test_random("thrown mass", 22);
    scene s = make(&random, 3, 1, 3, 1, 0, false);
    const double m = 2.0, momentum[3] = {-4.0, 3.0, 4.0};
    double r[3], u[3], v[3];
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            s.M[i + 3 * j] = i == j ? m : 0.0;
            s.H[i + 3 * j] = i == j ? 1.0 : 0.0;
        }
        s.f[i] = momentum[i];
    }
    s.mu[0] = 0.5;
    for (int k = 0; k < 3; ++k) {
        free((void *)(uintptr_t)s.sparse[k].start);
        free((void *)(uintptr_t)s.sparse[k].row);
        free((void *)(uintptr_t)s.sparse[k].value);
    }
    compress_all(&s);
    s.problem.w = NULL;
    crn_workspace workspace = {0};
    crn_cone_solution solution = {r, u, v, NULL};
    crn_cone_result result;
    assert_int_equal(crn_cone_solve(&s.problem, NULL, &workspace, &solution, &result, NULL), CRN_OK);
    assert_int_equal(result.outcome, CRN_LCP_SOLVED);
    /* r_n takes all of the normal momentum, friction 0.5 of that against (3, 4)/5 */
    const double expected[3] = {4.0, -1.2, -1.6};
    for (int i = 0; i < 3; ++i) {
        assert_true(fabs(r[i] - expected[i]) < 1e-12);
        assert_true(fabs(v[i] - (momentum[i] + expected[i]) / m) < 1e-12);
        assert_true(fabs(u[i] - v[i]) < 1e-12);
    }
    crn_workspace_free(&workspace);
    release(&s);
}

static void test_bad_input(void **state)
{
    (void)state;
    crn_random random = test_random("bad input", 23);
    scene s = make(&random, 3, 2, 6, 3, 2, false);
    crn_cone_problem p;
    crn_error error;
    crn_workspace workspace = {0};
    crn_cone_result result;
    assert_int_equal(crn_cone_check(&s.problem, &error), CRN_OK);
#define REFUSED(change, word)                                                                            \
    do {                                                                                                 \
        p = s.problem;                                                                                   \
        change;                                                                                          \
        assert_int_equal(crn_cone_solve(&p, NULL, &workspace, NULL, &result, &error), CRN_ERR_ARGUMENT); \
        TEST_CHECK(strstr(error.text, word) != NULL, "\"%s\" instead of \"%s\"", error.text, word);      \
    } while (0)
    REFUSED(p.dof = -1, "dof");
    REFUSED(p.rows = -2, "rows");
    REFUSED(p.dof = 11, "M: is 12 x 12, must be 11 x 11");
    REFUSED(p.H.columns = 8, "H: is 12 x 8");
    REFUSED(p.G.start = NULL, "G: absent");
    REFUSED(p.f = NULL, "f: NULL");
    double *value = (double *)(uintptr_t)s.sparse[0].value;
    const double kept = value[1];
    value[1] += 1.0;
    REFUSED((void)0, "M(2,1)");
    value[1] = kept;
    s.w[2] = (double)NAN;
    REFUSED((void)0, "w(3)");
    s.w[2] = 0.0;
    s.b[1] = (double)INFINITY;
    REFUSED((void)0, "b(2)");
    s.b[1] = 0.0;
    value[0] = -value[0];
    REFUSED((void)0, "M: not positive definite at velocity 1");
    crn_workspace_free(&workspace);
    release(&s);
}

/* Rows that contradict each other: no motion keeps both, and the answer says so. */
static void test_contradiction(void **state)
{
    (void)state;
    crn_random random = test_random("contradiction", 24);
    scene s = make(&random, 3, 2, 6, 2, 2, true);
    s.b[1] = s.b[0] + 1.0;
    crn_workspace workspace = {0};
    crn_cone_result result;
    assert_int_equal(crn_cone_solve(&s.problem, NULL, &workspace, NULL, &result, NULL), CRN_OK);
    assert_int_equal(result.outcome, CRN_LCP_LIMIT);
    crn_workspace_free(&workspace);
    release(&s);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_motion_and_law),
        cmocka_unit_test(test_thrown_mass),
        cmocka_unit_test(test_bad_input),
        cmocka_unit_test(test_contradiction),
    };
    return TEST_RUN(tests, argc, argv);
}
