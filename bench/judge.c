/* judge.c -- is z a solution? */
#include "judge.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* w += M z and size += |M| |z|, dense or sparse. */
static void add_product(const crn_lcp_problem *problem, const double *z, long double *w, long double *size)
{
    for (int j = 0; j < problem->n; ++j) {
        int first = problem->M ? 0 : problem->start[j];
        int last = problem->M ? problem->n : problem->start[j + 1];
        for (int k = first; k < last; ++k) {
            int i = problem->M ? k : problem->row[k];
            double entry = problem->M ? problem->M[(size_t)i + (size_t)j * (size_t)problem->ld] : problem->value[k];
            long double term = (long double)entry * z[j];
            w[i] += term;
            size[i] += fabsl(term);
        }
    }
}

/* The conditions on one pair, given what counts as zero for z and for w. */
static bool pair_holds(double z, long double w, double lower, double upper, long double zero_z, long double zero_w)
{
    bool is_in_bounds = z >= lower - zero_z && z <= upper + zero_z;
    bool is_at_lower = z <= lower + zero_z;
    bool is_at_upper = z >= upper - zero_z;
    return is_in_bounds && (w <= zero_w || is_at_lower) && (w >= -zero_w || is_at_upper);
}

static bool pairs_hold(const crn_lcp_problem *problem, const double *z, const long double *w, const long double *size,
                       double tol)
{
    long double z_max = 0.0L;
    long double w_max = 0.0L;
    for (int i = 0; i < problem->n; ++i) {
        if (!isfinite(z[i]) || !isfinite(w[i])) {
            return false;
        }
        z_max = fmaxl(z_max, fabsl((long double)z[i]));
        w_max = fmaxl(w_max, size[i]);
    }
    for (int i = 0; i < problem->n; ++i) {
        double lower = problem->lower ? problem->lower[i] : 0.0;
        double upper = problem->upper ? problem->upper[i] : (double)INFINITY;
        if (!pair_holds(z[i], w[i], lower, upper, tol * z_max, tol * w_max)) {
            return false;
        }
    }
    return true;
}

bool bench_judge_plain(const crn_lcp_problem *problem, const double *z, double tol)
{
    size_t n = (size_t)problem->n;
    if (n == 0) {
        return true;
    }
    long double *w = malloc(2 * n * sizeof *w);
    if (!w) {
        return false;
    }
    long double *size = w + n;
    for (size_t i = 0; i < n; ++i) {
        w[i] = problem->q[i];
        size[i] = fabsl(w[i]);
    }
    add_product(problem, z, w, size);
    bool holds = pairs_hold(problem, z, w, size, tol);
    free(w);
    return holds;
}

static bool is_finite(int n, const double *z)
{
    for (int i = 0; i < n; ++i) {
        if (!isfinite(z[i])) {
            return false;
        }
    }
    return true;
}

bench_verdict bench_judge(const crn_lcp_problem *problem, const double *z, double tol, crn_workspace *workspace)
{
    bench_verdict verdict = {.relative = (double)INFINITY};
    crn_lcp_certificate certificate = {0};
    if (!is_finite(problem->n, z)) {
        return verdict;
    }
    if (crn_lcp_certify(problem, z, workspace, &certificate, NULL) == CRN_OK) {
        verdict.relative = certificate.relative;
        verdict.is_certified = certificate.relative <= tol;
    }
    verdict.is_plain_ok = bench_judge_plain(problem, z, tol);
    verdict.is_solution = verdict.is_certified && verdict.is_plain_ok;
    return verdict;
}
