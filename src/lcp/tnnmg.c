/* Truncated nonsmooth Newton multigrid for symmetric positive definite M  [GK09 s3].
 *
 *     minimise J(z) = z'Mz/2 + q'z over l <= z <= u, whose optimality conditions are the complementarity problem
 *
 * One iteration:
 *   1. projected Gauss-Seidel sweeps, up, down and up again, which find out where the bounds hold,
 *   2. F = {l < z < u}; solve M_FF c = -(Mz + q)_F about, by conjugate gradients with a multigrid cycle each,
 *   3. d = clamp(z + c) - z, and z += a d with the a <= 1 that minimises J along d.
 * J falls in each part, so that the iteration converges for every such M; once F is right it is Newton's method on a linear
 * system. The free boundary moves one layer a sweep, so it should begin near its place: the problem is first solved on the
 * coarse levels, the answer of each carried to the next finer one.
 *
 * Everything is in the caller's units: sweeps and cycles do not depend on them, as all are relative to the diagonal. */
#include "lcp/tnnmg.h"

#include "math/elementary.h"
#include "math/vec.h"

#include <math.h>
#include <string.h>

enum {
    ITERATIONS = 300,      /* on the problem itself, */
    ITERATIONS_COARSE = 3, /* on a coarse level, */
    ITERATIONS_LAST = 30,  /* and on the last one, where they cost nothing */
    STEPS = 4,             /* of conjugate gradients while F is moving */
    STEPS_SETTLED = 40,    /* when it has come to rest */
    PATIENCE = 10          /* iterations without a better certificate while F stays */
};
/* F has settled when fewer than one unknown in so many changed sides. */
enum { SETTLED_SHARE = 200 };
/* Residual, relative to the one before, to which a settled system is solved: the next iteration gains the same again. */
static const double REDUCTION = 1e-8;
/* A certificate is better if it is at most this much of the best before. */
static const double BETTER = 0.5;
enum { RESIDUAL = 4, RIGHT = 5, CORRECTION = 6 }; /* scratch vectors of a level that its solver leaves alone */

/* q, both bounds and z of the unknowns of all coarse levels. */
enum { COARSE_ARRAYS = 4 };

static size_t coarse_numbers(int n)
{
    return crn_multigrid_coarse_unknowns(n) * COARSE_ARRAYS;
}

void crn_tnnmg_layout(crn_tnnmg *tnnmg, const crn_job *job, crn_arena *arena)
{
    const size_t n = (size_t)job->problem->n;
    const size_t nonzeros = job->problem->M == NULL && n > 0 ? (size_t)job->problem->start[n] : n * n;
    double *vectors[CRN_GRID_VECTORS] = {NULL};
    if (job->w != NULL) { /* not counting: the job's own scratch serves the first level */
        vectors[0] = job->ray;
        vectors[1] = job->low;
        vectors[2] = job->low + n;
        vectors[3] = job->view.work;
        vectors[4] = job->view.work + n;
        vectors[5] = job->view.work + 2 * n;
        vectors[6] = job->w;
    }
    crn_multigrid_layout(&tnnmg->grid, job->problem->n, nonzeros, vectors, arena);
    tnnmg->pool_size = coarse_numbers(job->problem->n);
    tnnmg->pool = CRN_TAKE(arena, double, tnnmg->pool_size);
}

static double lower_of(const crn_tnnmg_level *p, int i)
{
    return p->lower != NULL ? p->lower[i] : 0.0;
}

static double upper_of(const crn_tnnmg_level *p, int i)
{
    return p->upper != NULL ? p->upper[i] : INFINITY;
}

static double clamp(const crn_tnnmg_level *p, int i, double z)
{
    return crn_clamp(z, lower_of(p, i), upper_of(p, i));
}

/* (A z + q)_i, and A_ii. */
static double row_residual(const crn_sparse *A, const crn_tnnmg_level *p, int i, double *diagonal)
{
    double sum = p->q[i];
    for (int e = A->start[i]; e < A->start[i + 1]; ++e) {
        sum += A->value[e] * p->z[A->index[e]];
        *diagonal = A->index[e] == i ? A->value[e] : *diagonal;
    }
    return sum;
}

static void sweep(const crn_sparse *A, const crn_tnnmg_level *p, bool is_upward)
{
    for (int t = 0; t < A->columns; ++t) {
        int i = is_upward ? t : A->columns - 1 - t;
        double diagonal = 1.0, w = row_residual(A, p, i, &diagonal);
        p->z[i] = clamp(p, i, p->z[i] - w / diagonal);
    }
}

/* The residual, its free part (negative) as the right-hand side, and F; returns how many unknowns changed sides. */
static int truncate(const crn_grid_level *grid, const crn_tnnmg_level *p)
{
    int changes = 0;
    for (int i = 0; i < grid->n; ++i) {
        double unused = 0.0, w = row_residual(&grid->A, p, i, &unused);
        unsigned char is_free = p->z[i] > lower_of(p, i) && p->z[i] < upper_of(p, i);
        changes += is_free != grid->active[i];
        grid->active[i] = is_free;
        grid->vector[RESIDUAL][i] = w;
        grid->vector[RIGHT][i] = is_free ? -w : 0.0;
    }
    return changes;
}

/* d'A d */
static double energy_of(const crn_sparse *A, const double *d)
{
    double sum = 0.0;
    for (int j = 0; j < A->columns; ++j) {
        double product = 0.0;
        for (int e = A->start[j]; d[j] != 0.0 && e < A->start[j + 1]; ++e) {
            product += A->value[e] * d[A->index[e]];
        }
        sum += d[j] * product;
    }
    return sum;
}

/* z += a d for d = clamp(z + c) - z. */
static void advance(const crn_grid_level *grid, const crn_tnnmg_level *p)
{
    double *d = grid->vector[CORRECTION];
    for (int i = 0; i < grid->n; ++i) {
        d[i] = clamp(p, i, p->z[i] + d[i]) - p->z[i];
    }
    const double slope = crn_dot(grid->n, grid->vector[RESIDUAL], d), energy = energy_of(&grid->A, d);
    const double step = energy > 0.0 ? crn_min(1.0, -slope / energy) : 0.0;
    for (int i = 0; i < grid->n; ++i) {
        p->z[i] = clamp(p, i, p->z[i] + step * d[i]);
    }
}

/* Is F near enough to its end that it pays to solve the system well? */
static bool is_settled(int n, int changes)
{
    return changes <= n / SETTLED_SHARE;
}

/* One iteration on a level; returns how many unknowns changed sides. */
static int iterate(crn_tnnmg *tnnmg, int level)
{
    crn_grid_level *grid = &tnnmg->grid.level[level];
    const crn_tnnmg_level *p = &tnnmg->level[level];
    sweep(&grid->A, p, true);
    sweep(&grid->A, p, false);
    sweep(&grid->A, p, true);
    const int changes = truncate(grid, p);
    crn_multigrid_fill(&tnnmg->grid, level);
    (void)crn_multigrid_solve(&tnnmg->grid, level, grid->vector[RIGHT], grid->vector[CORRECTION],
                              is_settled(grid->n, changes) ? STEPS_SETTLED : STEPS, REDUCTION);
    advance(grid, p);
    return changes;
}

/* --- the start --- */

/* Constant prolongation makes the matrix of a coarse grid too stiff by the factor by which its width grows [B95]: the root
 * of the size of aggregates whose order is the dimension, half the number of neighbours on a grid. */
static double stiffness(const crn_grid_level *grid, int groups)
{
    double neighbours = (double)grid->A.start[grid->n] / grid->n - 1.0;
    return crn_exp(crn_log((double)grid->n / groups) / crn_max(1.0, 0.5 * neighbours));
}

/* The obstacle problem of the next level: q summed, bounds averaged. */
static void coarse_problem(const crn_grid_level *grid, const crn_tnnmg_level *fine, int groups, double *numbers,
                           crn_tnnmg_level *coarse)
{
    const double too_stiff = stiffness(grid, groups);
    double *q = numbers, *lower = q + groups, *upper = lower + groups;
    for (int g = 0; g < groups; ++g) {
        double size = grid->member_start[g + 1] - grid->member_start[g];
        q[g] = lower[g] = upper[g] = 0.0;
        for (int m = grid->member_start[g]; m < grid->member_start[g + 1]; ++m) {
            int i = grid->member[m];
            q[g] += too_stiff * fine->q[i];
            lower[g] += lower_of(fine, i) / size;
            upper[g] += upper_of(fine, i) / size;
        }
    }
    *coarse = (crn_tnnmg_level){.q = q, .lower = lower, .upper = upper, .z = upper + groups};
}

/* The problems of all coarse levels, and a start for the last one. Returns how many levels there are. */
static int lay_problems(crn_tnnmg *tnnmg)
{
    double *numbers = tnnmg->pool;
    size_t left = tnnmg->pool_size;
    int count = 1;
    for (; count < tnnmg->grid.count; ++count) {
        const int groups = tnnmg->grid.level[count].n;
        if (left < COARSE_ARRAYS * (size_t)groups) {
            break;
        }
        coarse_problem(&tnnmg->grid.level[count - 1], &tnnmg->level[count - 1], groups, numbers, &tnnmg->level[count]);
        numbers += COARSE_ARRAYS * (size_t)groups;
        left -= COARSE_ARRAYS * (size_t)groups;
    }
    for (int i = 0; i < tnnmg->grid.level[count - 1].n; ++i) {
        tnnmg->level[count - 1].z[i] = clamp(&tnnmg->level[count - 1], i, 0.0);
    }
    return count;
}

/* An answer of a level as a start of the one above: what stands at a bound stands at that bound there too. */
static void prolong(crn_tnnmg *tnnmg, int level)
{
    const crn_grid_level *grid = &tnnmg->grid.level[level - 1];
    const crn_tnnmg_level *coarse = &tnnmg->level[level], *fine = &tnnmg->level[level - 1];
    for (int i = 0; i < grid->n; ++i) {
        const int g = grid->aggregate[i];
        double z = clamp(fine, i, coarse->z[g]);
        z = coarse->z[g] >= upper_of(coarse, g) ? upper_of(fine, i) : z;
        fine->z[i] = coarse->z[g] <= lower_of(coarse, g) ? lower_of(fine, i) : z;
    }
}

/* From the last level up to the problem itself, a few iterations on each. */
static void start_nested(crn_tnnmg *tnnmg, crn_job *job)
{
    const int count = lay_problems(tnnmg);
    for (int level = count - 1; level > 0; --level) {
        const int iterations = level == count - 1 ? ITERATIONS_LAST : ITERATIONS_COARSE;
        for (int t = 0; t < iterations && crn_job_goes_on(job, 0); ++t) {
            (void)iterate(tnnmg, level);
        }
        prolong(tnnmg, level);
    }
}

/* --- the method --- */

static void set_basis(crn_job *job, const crn_tnnmg_level *p)
{
    for (int i = 0; i < job->problem->n; ++i) {
        job->basis[i] = crn_state_of(p->z[i], lower_of(p, i), upper_of(p, i));
    }
}

/* The start: what a warm one says about sides, or the coarse levels' answer. */
static void begin(crn_tnnmg *tnnmg, crn_job *job)
{
    const crn_lcp_problem *problem = job->problem;
    tnnmg->level[0] = (crn_tnnmg_level){.q = problem->q, .lower = problem->lower, .upper = problem->upper, .z = job->z};
    crn_multigrid_build(&tnnmg->grid, &job->view.columns);
    if (job->options.start == NULL) {
        start_nested(tnnmg, job);
        return;
    }
    for (int i = 0; i < problem->n; ++i) {
        bool is_upper = job->options.start[i] == CRN_LCP_AT_UPPER && isfinite(upper_of(&tnnmg->level[0], i));
        job->z[i] = clamp(&tnnmg->level[0], i, is_upper ? upper_of(&tnnmg->level[0], i) : 0.0);
    }
}

crn_lcp_outcome crn_tnnmg_run(crn_tnnmg *tnnmg, crn_job *job)
{
    const int most = job->options.max_pivots > 0 ? job->options.max_pivots : ITERATIONS;
    double best = INFINITY;
    int patience = PATIENCE;
    begin(tnnmg, job);
    while (job->result->pivots < most && patience > 0 && crn_job_goes_on(job, 1)) {
        const int changes = iterate(tnnmg, 0);
        ++job->result->pivots;
        if (!is_settled(job->problem->n, changes)) {
            continue;
        }
        set_basis(job, &tnnmg->level[0]);
        if (crn_job_accept(job) == CRN_LCP_SOLVED) {
            return CRN_LCP_SOLVED;
        }
        patience = changes > 0 || job->result->certificate.relative < BETTER * best ? PATIENCE : patience - 1;
        best = crn_min(best, job->result->certificate.relative);
    }
    set_basis(job, &tnnmg->level[0]);
    (void)crn_job_accept(job);
    return patience > 0 ? CRN_LCP_LIMIT : CRN_LCP_STALLED;
}
