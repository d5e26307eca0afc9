/* `cairn solve --game A B` and `cairn solve --qp P q A l u`. */
#include "solve_forms.h"

#include "cli.h"
#include "json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Entry (i, j) of a matrix that was read. */
static double entry_of(const crn_lcp_data *data, int i, int j)
{
    const crn_lcp_problem *p = &data->problem;
    if (p->M != NULL) {
        return p->M[i + (long)j * p->ld];
    }
    for (int e = p->start[j]; e < p->start[j + 1]; ++e) {
        if (p->row[e] == i) {
            return p->value[e];
        }
    }
    return 0.0;
}

/* --- games --- */

typedef struct game {
    crn_lcp_data A, B;
    int rows, columns;
    double *M, *q, *z;
    crn_lcp_result result;
    double value[2]; /* payoffs at the equilibrium */
} game;

static crn_status read_game(game *g, const solve_request *request, crn_error *error)
{
    int rows = 0;
    crn_status status = crn_io_read_matrix(request->files[0], NULL, &g->A, &g->rows, error);
    status = status == CRN_OK ? crn_io_read_matrix(request->files[1], NULL, &g->B, &rows, error) : status;
    g->columns = g->A.problem.n;
    if (status == CRN_OK && (rows != g->rows || g->B.problem.n != g->columns)) {
        return crn_fail(error, CRN_ERR_FORMAT, "%s: %d x %d, but %s is %d x %d", request->files[1], rows,
                        g->B.problem.n, request->files[0], g->rows, g->columns);
    }
    if (status == CRN_OK && (g->rows == 0 || g->columns == 0)) {
        return crn_fail(error, CRN_ERR_FORMAT, "%s: a player needs a strategy", request->files[0]);
    }
    return status;
}

/* Costs K - payoff as a complementarity problem: M = [0 K-A; (K-B)' 0], q = -1. */
static crn_status assemble_game(game *g, crn_error *error)
{
    const int m = g->rows, n = m + g->columns;
    double most = -INFINITY, least = INFINITY;
    g->M = calloc((size_t)n * (size_t)n, sizeof *g->M);
    g->q = calloc((size_t)n, sizeof *g->q);
    g->z = calloc((size_t)n, sizeof *g->z);
    if (g->M == NULL || g->q == NULL || g->z == NULL) {
        return crn_fail(error, CRN_ERR_MEMORY, "no memory for a game of %d strategies", n);
    }
    for (int i = 0; i < m; ++i) {
        for (int j = 0; j < g->columns; ++j) {
            double a = entry_of(&g->A, i, j), b = entry_of(&g->B, i, j);
            most = fmax(most, fmax(a, b));
            least = fmin(least, fmin(a, b));
        }
    }
    const double K = most + fmax(1e-3 * fmax(fabs(most), 1.0), 0.5 * (most - least)); /* costs are positive */
    for (int i = 0; i < m; ++i) {
        for (int j = 0; j < g->columns; ++j) {
            g->M[i + (long)(m + j) * n] = K - entry_of(&g->A, i, j);
            g->M[(m + j) + (long)i * n] = K - entry_of(&g->B, i, j);
        }
    }
    for (int i = 0; i < n; ++i) {
        g->q[i] = -1.0;
    }
    return CRN_OK;
}

/* Mixed strategies from the solution, and what they pay. */
static void find_strategies(game *g)
{
    double sum[2] = {0.0, 0.0};
    for (int i = 0; i < g->rows + g->columns; ++i) {
        sum[i >= g->rows] += g->z[i];
    }
    for (int i = 0; i < g->rows + g->columns; ++i) {
        g->z[i] /= sum[i >= g->rows];
    }
    for (int i = 0; i < g->rows; ++i) {
        for (int j = 0; j < g->columns; ++j) {
            double weight = g->z[i] * g->z[g->rows + j];
            g->value[0] += weight * entry_of(&g->A, i, j);
            g->value[1] += weight * entry_of(&g->B, i, j);
        }
    }
}

static void print_strategy(const char *who, const double *z, int count)
{
    printf("%s", who);
    for (int i = 0; i < count; ++i) {
        if (z[i] > 0.0) {
            printf("  %d: %.6g", i + 1, z[i]);
        }
    }
    printf("\n");
}

static void report_game(const game *g, const solve_request *request, bool is_solved)
{
    if (request->is_json) {
        cli_json json = cli_json_begin(stdout);
        cli_json_string(&json, "problem", request->files[0]);
        cli_json_string(&json, "outcome", crn_lcp_outcome_name(g->result.outcome));
        cli_json_real(&json, "residual", g->result.certificate.relative);
        cli_json_reals(&json, "x", is_solved ? g->rows : 0, g->z);
        cli_json_reals(&json, "y", is_solved ? g->columns : 0, g->z + g->rows);
        cli_json_reals(&json, "value", 2, g->value);
        cli_json_int(&json, "pivots", g->result.pivots);
        cli_json_real(&json, "time_us", 1e6 * g->result.seconds);
        cli_json_end(&json);
        return;
    }
    printf("game         %d x %d strategies\noutcome      %s\ncertificate  %.3g relative\n", g->rows, g->columns,
           crn_lcp_outcome_name(g->result.outcome), g->result.certificate.relative);
    if (is_solved) {
        printf("payoffs      %.9g and %.9g\n", g->value[0], g->value[1]);
        print_strategy("player one ", g->z, g->rows);
        print_strategy("player two ", g->z + g->rows, g->columns);
    }
    printf("time         %.3f ms\n", 1e3 * g->result.seconds);
}

int solve_game(const solve_request *request)
{
    game g = {.rows = 0};
    crn_error error = {.status = CRN_OK};
    crn_workspace workspace = {.data = NULL};
    crn_status status = read_game(&g, request, &error);
    status = status == CRN_OK ? assemble_game(&g, &error) : status;
    if (status == CRN_OK) {
        const int n = g.rows + g.columns;
        crn_lcp_problem p = {.n = n, .M = g.M, .ld = n, .q = g.q};
        crn_lcp_options options = request->options;
        options.method = options.method == CRN_LCP_AUTO ? CRN_LCP_GAME : options.method;
        crn_lcp_solution solution = {.z = g.z};
        status = crn_lcp_solve(&p, &options, &workspace, &solution, &g.result, &error);
    }
    int code = CLI_BAD;
    if (status != CRN_OK) {
        (void)cli_fail("%s", error.text);
    } else {
        bool is_solved = g.result.outcome == CRN_LCP_SOLVED;
        if (is_solved) {
            find_strategies(&g);
        }
        report_game(&g, request, is_solved);
        code = is_solved ? CLI_DONE : CLI_NO;
    }
    crn_workspace_free(&workspace);
    crn_lcp_data_free(&g.A);
    crn_lcp_data_free(&g.B);
    free(g.M);
    free(g.q);
    free(g.z);
    return code;
}

/* --- quadratic programmes --- */

typedef struct programme {
    crn_lcp_data P, A;
    int m;
    int *start[2], *row[2]; /* of dense files, compressed */
    double *value[2], *q, *l, *u, *x, *y;
    crn_qp_result result;
} programme;

/* A matrix that was read as compressed columns. */
static bool compress(programme *g, int which, const crn_lcp_data *data, int rows, crn_qp_matrix *matrix)
{
    const crn_lcp_problem *p = &data->problem;
    if (p->M == NULL) {
        *matrix = (crn_qp_matrix){p->start, p->row, p->value};
        return true;
    }
    const size_t most = (size_t)rows * (size_t)p->n + 1;
    g->start[which] = malloc(((size_t)p->n + 1) * sizeof(int));
    g->row[which] = malloc(most * sizeof(int));
    g->value[which] = malloc(most * sizeof(double));
    if (g->start[which] == NULL || g->row[which] == NULL || g->value[which] == NULL) {
        return false;
    }
    int used = 0;
    for (int j = 0; j < p->n; ++j) {
        g->start[which][j] = used;
        for (int i = 0; i < rows; ++i) {
            double v = p->M[i + (long)j * p->ld];
            if (v != 0.0) {
                g->row[which][used] = i;
                g->value[which][used++] = v;
            }
        }
    }
    g->start[which][p->n] = used;
    *matrix = (crn_qp_matrix){g->start[which], g->row[which], g->value[which]};
    return true;
}

static crn_status read_programme(programme *g, const solve_request *request, crn_qp_problem *qp, crn_error *error)
{
    const char *const *files = request->files;
    int rows = 0;
    crn_status status = crn_io_read_matrix(files[0], NULL, &g->P, &rows, error);
    status = status == CRN_OK ? crn_io_read_matrix(files[2], NULL, &g->A, &g->m, error) : status;
    if (status != CRN_OK) {
        return status;
    }
    const int n = g->P.problem.n;
    if (rows != n || g->A.problem.n != n) {
        return crn_fail(error, CRN_ERR_FORMAT,
                        "%s is %d x %d and %s %d x %d: P must be square, and A have as many columns", files[0], rows, n,
                        files[2], g->m, g->A.problem.n);
    }
    double **vectors[] = {&g->q, &g->l, &g->u, &g->x, &g->y};
    const int sizes[] = {n, g->m, g->m, n, g->m}, sources[] = {1, 3, 4};
    *qp = (crn_qp_problem){.n = n, .m = g->m};
    for (int k = 0; k < 5; ++k) {
        *vectors[k] = calloc((size_t)sizes[k] + 1, sizeof(double));
        if (*vectors[k] == NULL) {
            return crn_fail(error, CRN_ERR_MEMORY, "%s: no memory", files[0]);
        }
    }
    for (int k = 0; k < 3 && status == CRN_OK; ++k) {
        status = crn_io_read_vector(files[sources[k]], sizes[k], *vectors[k], NULL, error);
    }
    if (status == CRN_OK && (!compress(g, 0, &g->P, n, &qp->P) || !compress(g, 1, &g->A, g->m, &qp->A))) {
        status = crn_fail(error, CRN_ERR_MEMORY, "%s: no memory", files[0]);
    }
    qp->q = g->q;
    qp->l = g->l;
    qp->u = g->u;
    return status;
}

static void report_programme(const programme *g, const solve_request *request, int n)
{
    const crn_qp_result *r = &g->result;
    if (request->is_json) {
        cli_json json = cli_json_begin(stdout);
        cli_json_string(&json, "problem", request->files[0]);
        cli_json_string(&json, "outcome", crn_qp_outcome_name(r->outcome));
        cli_json_real(&json, "residual", r->lcp.certificate.relative);
        cli_json_real(&json, "objective", r->objective);
        cli_json_reals(&json, "x", n, g->x);
        cli_json_reals(&json, "y", g->m, g->y);
        cli_json_string(&json, "method", crn_lcp_method_name(r->lcp.method));
        cli_json_real(&json, "time_us", 1e6 * r->lcp.seconds);
        cli_json_end(&json);
        return;
    }
    printf("programme    %d variables, %d rows\noutcome      %s\nobjective    %.15g\ncertificate  %.3g relative\n", n,
           g->m, crn_qp_outcome_name(r->outcome), r->objective, r->lcp.certificate.relative);
    printf("method       %s\ntime         %.3f ms\n", crn_lcp_method_name(r->lcp.method), 1e3 * r->lcp.seconds);
}

static void free_programme(programme *g)
{
    void *const blocks[] = {g->start[0], g->start[1], g->row[0], g->row[1], g->value[0], g->value[1],
                            g->q,        g->l,        g->u,      g->x,      g->y};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; ++k) {
        free(blocks[k]);
    }
    crn_lcp_data_free(&g->P);
    crn_lcp_data_free(&g->A);
}

int solve_qp(const solve_request *request)
{
    programme g = {.m = 0};
    crn_qp_problem qp;
    crn_error error = {.status = CRN_OK};
    crn_workspace workspace = {.data = NULL};
    crn_status status = read_programme(&g, request, &qp, &error);
    if (status == CRN_OK) {
        status = crn_qp_solve(&qp, &request->options, &workspace, g.x, g.y, &g.result, &error);
    }
    const bool is_solved = status == CRN_OK && g.result.outcome == CRN_QP_SOLVED;
    if (is_solved && request->output != NULL) {
        status = crn_io_write_vector(request->output, qp.n, g.x, &error);
    }
    int code = CLI_BAD;
    if (status != CRN_OK) {
        (void)cli_fail("%s", error.text);
    } else {
        report_programme(&g, request, qp.n);
        code = is_solved ? CLI_DONE : CLI_NO;
    }
    crn_workspace_free(&workspace);
    free_programme(&g);
    return code;
}
