/* section_proofs.c -- what can be proved of the gallery's answers, and what that costs; games; infeasible problems. */
#include "sections.h"

#include <cairn/proof.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PROBLEMS = 30 };

static double cpu_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Counts of one family, and times. */
typedef struct grades {
    int kind[CRN_PROOF_KIND_COUNT], unproved, refused;
    double eps, solve, prove; /* worst, and sums of seconds */
} grades;

/* Solve, prove and check one problem. */
static void grade(const crn_lcp_problem *p, crn_workspace *workspace, grades *g)
{
    const size_t n = (size_t)p->n + 1;
    crn_lcp_solution s = {.z = calloc(n, sizeof(double)), .ray = calloc(n, sizeof(double)), .basis = calloc(n, 1)};
    crn_lcp_result result = {0};
    crn_proof proof = {0};
    bool holds = false;
    double begin = cpu_seconds();
    (void)crn_lcp_solve(p, NULL, workspace, &s, &result, NULL);
    double middle = cpu_seconds();
    (void)crn_lcp_prove(p, result.outcome, &s, NULL, &proof, NULL);
    g->prove += cpu_seconds() - middle;
    g->solve += middle - begin;
    ++g->kind[proof.kind];
    g->unproved += proof.kind == CRN_PROOF_NONE;
    g->eps = fmax(g->eps, proof.eps);
    if (proof.kind != CRN_PROOF_NONE) {
        g->refused += crn_proof_check(p, &proof, &holds, NULL) != CRN_OK || !holds;
    }
    crn_proof_free(&proof);
    free(s.z);
    free(s.ray);
    free(s.basis);
}

static void print_grades(const char *name, const grades *g)
{
    printf("  %-16s", name);
    for (int k = 1; k <= CRN_PROOF_EXHAUSTED; ++k) { /* motions are not asked for */
        printf(" %9d", g->kind[k]);
    }
    printf(" %6d %9.1e %10.3f %10.3f\n", g->unproved, g->eps, 1e3 * g->solve, 1e3 * g->prove);
    fflush(stdout);
}

static void print_head(const char *what)
{
    printf("  %-16s %9s %9s %9s %9s %9s %9s %6s %9s %10s %10s\n", what, "enclosure", "exact", "backward", "infeas.",
           "within", "exhausted", "none", "worst eps", "solve ms", "prove ms");
}

static bool grade_families(int *unproved, int *refused)
{
    int families;
    const crn_gallery_family *family = crn_gallery_families(&families);
    crn_workspace workspace = {0};
    print_head("family");
    for (int f = 0; f < families; ++f) {
        grades g = {.eps = 0.0};
        int count = family[f].default_count < PROBLEMS ? family[f].default_count : PROBLEMS;
        for (int i = 0; i < count; ++i) {
            crn_lcp_data data = {0};
            if (family[f].make(i, 1, &data, NULL) != CRN_OK) {
                return false;
            }
            grade(&data.problem, &workspace, &g);
            crn_lcp_data_free(&data);
        }
        print_grades(family[f].name, &g);
        *unproved += g.unproved;
        *refused += g.refused;
    }
    crn_workspace_free(&workspace);
    return true;
}

/* Random P-matrices of given orders. */
static void grade_orders(int *refused)
{
    static const int orders[] = {10, 50, 100, 500};
    crn_workspace workspace = {0};
    printf("\n");
    print_head("P-matrix, n");
    for (size_t k = 0; k < sizeof orders / sizeof *orders; ++k) {
        const int n = orders[k];
        double *M = calloc((size_t)n * (size_t)n, sizeof *M), *q = calloc((size_t)n, sizeof *q);
        crn_random random = crn_random_seed(k + 1);
        grades g = {.eps = 0.0};
        for (int i = 0; i < n; ++i) {
            q[i] = crn_random_uniform(&random, -1.0, 1.0);
            for (int j = 0; j < n; ++j) {
                double v = crn_random_uniform(&random, -1.0, 1.0);
                M[i + (long)j * n] = i == j ? 0.7 * n : v;
            }
        }
        grade(&(crn_lcp_problem){.n = n, .M = M, .ld = n, .q = q}, &workspace, &g);
        char name[24];
        (void)snprintf(name, sizeof name, "%d", n);
        print_grades(name, &g);
        *refused += g.refused;
        free(M);
        free(q);
    }
    crn_workspace_free(&workspace);
}

/* Games of order m x m: uniform, integer 1 .. 4, zero-sum. */
static bool solve_game(int m, int kind, uint64_t seed, double *seconds)
{
    const int n = 2 * m;
    double *M = calloc((size_t)n * (size_t)n, sizeof *M), *q = calloc((size_t)n, sizeof *q),
           *z = calloc((size_t)n, sizeof *z);
    crn_random random = crn_random_seed(seed);
    for (int i = 0; i < m; ++i) {
        for (int j = m; j < n; ++j) {
            double a = crn_random_uniform(&random, 0.1, 1.0), b = crn_random_uniform(&random, 0.1, 1.0);
            a = kind == 1 ? 1.0 + crn_random_below(&random, 4) : a;
            b = kind == 1 ? 1.0 + crn_random_below(&random, 4) : b;
            M[i + (long)j * n] = a;
            M[j + (long)i * n] = kind == 2 ? 1.2 - a : b;
        }
    }
    for (int i = 0; i < n; ++i) {
        q[i] = -1.0;
    }
    crn_lcp_problem p = {.n = n, .M = M, .ld = n, .q = q};
    crn_workspace workspace = {0};
    crn_lcp_solution solution = {.z = z};
    crn_lcp_result result = {0};
    double begin = cpu_seconds();
    (void)crn_lcp_solve(&p, NULL, &workspace, &solution, &result, NULL);
    *seconds += cpu_seconds() - begin;
    crn_workspace_free(&workspace);
    free(M);
    free(q);
    free(z);
    return result.outcome == CRN_LCP_SOLVED;
}

static void play_games(int *unsolved)
{
    static const int orders[] = {5, 25, 50, 100, 250, 500};
    static const char *const kinds[] = {"uniform", "integer", "zero-sum"};
    printf("\n  games, n = 2 m   kind       solved  mean s\n");
    for (size_t k = 0; k < sizeof orders / sizeof *orders; ++k) {
        for (int kind = 0; kind < 3; ++kind) {
            const int count = orders[k] <= 100 ? 20 : 3;
            int solved = 0;
            double seconds = 0.0;
            for (int i = 0; i < count; ++i) {
                solved += solve_game(orders[k], kind, (uint64_t)(1000 * kind + i + 1), &seconds);
            }
            printf("  %8d         %-10s %3d/%-3d %8.4f\n", 2 * orders[k], kinds[kind], solved, count, seconds / count);
            fflush(stdout);
            *unsolved += count - solved;
        }
    }
}

/* --- problems without a solution, by construction --- */

/* A Gaussian problem of order n on its way to have none. */
typedef struct refuted {
    int n;
    double *M, *q;
    crn_random random;
} refuted;

/* Make y'M = target, by the least change. */
static void plant_rows(refuted *p, const double *y, const double *target)
{
    double square = 0.0;
    for (int i = 0; i < p->n; ++i) {
        square += y[i] * y[i];
    }
    for (int j = 0; j < p->n; ++j) {
        double *column = p->M + (long)j * p->n, value = 0.0;
        for (int i = 0; i < p->n; ++i) {
            value += y[i] * column[i];
        }
        for (int i = 0; i < p->n; ++i) {
            column[i] += (target[j] - value) / square * y[i];
        }
    }
}

/* A vector y on `rows` rows, of which there is one in every n / rows, the first at `first`. */
static void draw_vector(refuted *p, int rows, int first, double *y)
{
    memset(y, 0, (size_t)p->n * sizeof *y);
    for (int k = 0; k < rows; ++k) {
        y[first + k * (p->n / rows)] = crn_random_uniform(&p->random, 0.5, 2.0);
    }
}

/* y'M < 0 and y'q = -1 for a y on that many rows: no z >= 0 has w >= 0. */
static void plant_farkas(refuted *p, int rows)
{
    double *y = calloc((size_t)p->n, sizeof *y), *target = calloc((size_t)p->n, sizeof *target), value = 0.0,
           square = 0.0;
    draw_vector(p, rows, 0, y);
    for (int i = 0; i < p->n; ++i) {
        target[i] = -crn_random_uniform(&p->random, 0.1, 1.0);
        value += y[i] * p->q[i];
        square += y[i] * y[i];
    }
    plant_rows(p, y, target);
    for (int i = 0; i < p->n; ++i) {
        p->q[i] -= (value + 1.0) / square * y[i];
    }
    free(y);
    free(target);
}

/* Feasible: z and w > 0 are drawn and q = w - M z. But on both sides of the last index there is nothing: y >= 0 on eight rows has
 * y'M < 0 in all other columns, and another y, -1 there and >= 0 on eight rows, has it in all. */
static void plant_disjunction(refuted *p)
{
    enum { ROWS = 8 };
    const int n = p->n, last = n - 1;
    double *y = calloc((size_t)n, sizeof *y), *target = calloc((size_t)n, sizeof *target);
    double *z = calloc((size_t)n, sizeof *z), *w = calloc((size_t)n, sizeof *w);
    for (int i = 0; i < n; ++i) {
        z[i] = crn_random_uniform(&p->random, 0.1, 1.0);
        w[i] = crn_random_uniform(&p->random, 0.1, 1.0);
    }
    for (int side = 0; side < 2; ++side) {
        draw_vector(p, ROWS, side, y);
        y[last] = side == 0 ? 0.0 : -1.0;
        double others = 1.0; /* y'q = -1 makes the last column's target, or the last w */
        for (int j = 0; j < n; ++j) {
            target[j] = -crn_random_uniform(&p->random, 0.1, 1.0);
            others += j != last ? y[j] * w[j] - target[j] * z[j] : 0.0;
        }
        if (side == 0) {
            target[last] = others / z[last];
        } else {
            w[last] = others - target[last] * z[last];
        }
        plant_rows(p, y, target);
    }
    for (int i = 0; i < n; ++i) {
        p->q[i] = w[i];
        for (int j = 0; j < n; ++j) {
            p->q[i] -= p->M[i + (long)j * n] * z[j];
        }
    }
    free(y);
    free(target);
    free(z);
    free(w);
}

enum { REFUTED_KINDS = 4 };

static bool is_refuted(int n, int kind, uint64_t seed, double *seconds)
{
    refuted p = {.n = n, .random = crn_random_seed(seed)};
    p.M = calloc((size_t)n * (size_t)n, sizeof *p.M);
    p.q = calloc((size_t)n, sizeof *p.q);
    double *z = calloc((size_t)n, sizeof *z);
    for (long e = 0; e < (long)n * n; ++e) {
        p.M[e] = crn_random_normal(&p.random);
    }
    for (int i = 0; i < n; ++i) {
        p.q[i] = crn_random_normal(&p.random);
    }
    const int rows[REFUTED_KINDS - 1] = {1, 8, n};
    if (kind < REFUTED_KINDS - 1) {
        plant_farkas(&p, rows[kind]);
    } else {
        plant_disjunction(&p);
    }
    crn_lcp_problem problem = {.n = n, .M = p.M, .ld = n, .q = p.q};
    crn_workspace workspace = {0};
    crn_lcp_solution solution = {.z = z};
    crn_lcp_result result = {0};
    const double begin = cpu_seconds();
    (void)crn_lcp_solve(&problem, NULL, &workspace, &solution, &result, NULL);
    *seconds += cpu_seconds() - begin;
    crn_workspace_free(&workspace);
    free(p.M);
    free(p.q);
    free(z);
    return result.outcome == CRN_LCP_INFEASIBLE;
}

static void refute_planted(void)
{
    static const int orders[] = {65, 100, 500};
    static const char *const kinds[REFUTED_KINDS] = {"one row", "eight rows", "all rows", "disjunctive"};
    printf("\n  no solution, n   planted      proved  mean s\n");
    for (size_t k = 0; k < sizeof orders / sizeof *orders; ++k) {
        for (int kind = 0; kind < REFUTED_KINDS; ++kind) {
            const bool is_long = orders[k] > 100 && kind == REFUTED_KINDS - 1; /* minutes each */
            const int many = orders[k] <= 100 ? 20 : 4, count = is_long ? 1 : many;
            int proved = 0;
            double seconds = 0.0;
            for (int i = 0; i < count; ++i) {
                proved += is_refuted(orders[k], kind, (uint64_t)(1000 * kind + i + 1), &seconds);
            }
            printf("  %8d         %-12s %3d/%-3d %8.3f\n", orders[k], kinds[kind], proved, count, seconds / count);
            fflush(stdout);
        }
    }
}

bool bench_section_proofs(const bench_options *options)
{
    (void)options;
    int unproved = 0, refused = 0, unsolved = 0;
    printf("\n=== Proofs ===\n\nGrades of the answers of `auto`, seed 1, the first %d problems of each family\n\n",
           PROBLEMS);
    if (!grade_families(&unproved, &refused)) {
        return false;
    }
    grade_orders(&refused);
    play_games(&unsolved);
    refute_planted();
    printf("\nVerdicts\n  answers without a grade: %d: %s\n", unproved, bench_verdict_name(unproved == 0));
    printf("  proofs that their own check refuses: %d: %s\n", refused, bench_verdict_name(refused == 0));
    printf("  games not solved: %d: %s\n", unsolved, bench_verdict_name(unsolved == 0));
    return true;
}
