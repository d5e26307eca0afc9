/* siconos.c -- adapter to Siconos numerics: lexicographic Lemke and the Fischer-Burmeister Newton method. */
#include "../peer.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <LCP_Solvers.h>
#include <LinearComplementarityProblem.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <lcp_cst.h>

/* Siconos measures the error of z relative to ||q||, the judge row by row: a hundredth of the judge's tolerance. */
static const double tolerance = 1e-8;
static const int newton_iterations = 1000;

/* Put copies of M and q into problem: Siconos may write into both. */
static bool problem_fill(LinearComplementarityProblem *problem, int n, const double *M, const double *q)
{
    size_t order = (size_t)n;
    problem->size = n;
    problem->M = NM_create(NM_DENSE, n, n);
    problem->q = malloc(order * sizeof *q);
    if (!problem->M || !problem->q) {
        return false;
    }
    memcpy(problem->M->matrix0, M, order * order * sizeof *M);
    memcpy(problem->q, q, order * sizeof *q);
    return true;
}

static void problem_free(LinearComplementarityProblem *problem)
{
    if (problem->M) {
        NM_clear(problem->M);
        free(problem->M);
    }
    free(problem->q);
}

static SolverOptions *options_for(int solver)
{
    SolverOptions *options = solver_options_create(solver);
    if (options) {
        options->dparam[SICONOS_DPARAM_TOL] = tolerance;
        if (solver == SICONOS_LCP_NEWTON_FB_FBLSA) {
            options->iparam[SICONOS_IPARAM_MAX_ITER] = newton_iterations;
        }
    }
    return options;
}

static int run(int solver, int n, const double *M, const double *q, double *z)
{
    LinearComplementarityProblem problem = {0};
    SolverOptions *options = options_for(solver);
    double *w = calloc((size_t)n, sizeof *w);
    int info = 1;
    if (options && w && problem_fill(&problem, n, M, q)) {
        memset(z, 0, (size_t)n * sizeof *z);
        info = linearComplementarity_driver(&problem, z, w, options);
    }
    problem_free(&problem);
    free(w);
    if (options) {
        solver_options_delete(options);
        free(options);
    }
    return info == 0 ? BENCH_PEER_SOLVED : BENCH_PEER_FAILED;
}

static int lemke(int n, const double *M, const double *q, double *z)
{
    return run(SICONOS_LCP_LEMKE, n, M, q, z);
}

static int newton_fb(int n, const double *M, const double *q, double *z)
{
    return run(SICONOS_LCP_NEWTON_FB_FBLSA, n, M, q, z);
}

static int pivot(int n, const double *M, const double *q, double *z)
{
    return run(SICONOS_LCP_PIVOT, n, M, q, z);
}

const bench_peer *bench_siconos_peers(int *count)
{
    static const bench_peer peers[] = {
        {"siconos-lemke", BENCH_SICONOS_VERSION, lemke},
        {"siconos-pivot", BENCH_SICONOS_VERSION, pivot},
        {"siconos-newton-fb", BENCH_SICONOS_VERSION, newton_fb},
    };
    *count = (int)(sizeof peers / sizeof peers[0]);
    return peers;
}
