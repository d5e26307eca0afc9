/* Enclosures: a solution of the basic equations exists near z, and has the right signs  [R10 s10].
 *
 * With A the basic block, R about its inverse, rho = A z + b the residual and D = diag(weight):
 *
 *     kappa = max row sum of D^-1 |I - R A| D < 1   implies   A is regular, and the solution z* of A z* = -b has
 *     |z* - z| <= |R rho| + D kappa / (1 - kappa) max |D^-1 R rho|
 *
 * Everything is computed in doubles, rounded to nearest, and made larger by what rounding can have taken away: a sum of m
 * products errs by at most gamma_m = m u / (1 - m u) of the sum of their magnitudes, in any order  [H02 s3.1]. */
#include "lcp/prove.h"

#include "math/lu.h"
#include "math/vec.h"

#include <math.h>
#include <string.h>

/* A contraction above this has radii that prove nothing of use. */
static const double MOST_KAPPA = 0.5;
static const double UNIT = 0x1p-53; /* of rounding */

static double growth(double m)
{
    return m * UNIT / (1.0 - m * UNIT);
}

bool crn_enclosure_invert(crn_prover *prover, crn_proof *proof)
{
    const crn_view *view = &prover->job.view;
    const int k = prover->k;
    int *pivot = (int *)(void *)prover->spread;
    crn_lu lu = {.n = k, .ld = k, .a = prover->room, .pivot = pivot};
    for (int b = 0; b < k; ++b) {
        proof->weight[b] = view->c[prover->index[b]];
        for (int a = 0; a < k; ++a) {
            double scale = view->r[prover->index[a]] * view->c[prover->index[b]];
            prover->room[a + (long)b * k] = prover->block[a + (long)b * k] * scale;
        }
    }
    if (!crn_lu_factor(&lu, 0.0)) {
        return false;
    }
    crn_lu_inverse(&lu, proof->inverse, k);
    for (int a = 0; a < k; ++a) { /* back into the caller's units: powers of two, nothing is rounded */
        for (int b = 0; b < k; ++b) {
            proof->inverse[b + (long)a * k] *= view->c[prover->index[b]] * view->r[prover->index[a]];
        }
    }
    return true;
}

/* y = |R| x */
static void multiply_magnitudes(int k, const double *R, const double *x, double *y)
{
    memset(y, 0, (size_t)k * sizeof *y);
    for (int a = 0; a < k; ++a) {
        for (int b = 0; b < k; ++b) {
            y[b] += fabs(R[b + (long)a * k]) * x[a];
        }
    }
}

/* An upper bound of kappa. */
static double contraction(crn_prover *prover, const crn_proof *proof)
{
    const int k = prover->k;
    double *sum = prover->right, *product = prover->room, *sizes = prover->room + k,
           *total = prover->room + 2 * (long)k;
    memset(sum, 0, (size_t)k * sizeof *sum);
    memset(sizes, 0, (size_t)k * sizeof *sizes);
    for (int j = 0; j < k; ++j) { /* rows of |I - R A| D, and |A| D e */
        const double *column = prover->block + (long)j * k;
        memset(product, 0, (size_t)k * sizeof *product);
        crn_gemv_columns(k, k, proof->inverse, k, NULL, column, product);
        for (int i = 0; i < k; ++i) {
            sum[i] += fabs((i == j ? 1.0 : 0.0) - product[i]) * proof->weight[j];
            sizes[i] += fabs(column[i]) * proof->weight[j];
        }
    }
    multiply_magnitudes(k, proof->inverse, sizes, total);
    double worst = 0.0;
    for (int i = 0; i < k; ++i) {
        double row = sum[i] / proof->weight[i] + growth(k + 2) * (total[i] / proof->weight[i] + 1.0);
        worst = row > worst || isnan(row) ? row : worst;
    }
    return worst * (1.0 + growth(4.0 * k + 16.0));
}

/* Upper bounds of |M z + q| in the basic rows: what was computed in double-double, and what that can be wrong by. */
static double residual_bound(const crn_prover *prover, int i)
{
    const double terms = prover->problem->n + 2.0, size = prover->job.low[prover->problem->n + i];
    return (fabs(prover->job.w[i]) * (1.0 + 4.0 * UNIT) + 4.0 * growth(terms) * growth(terms) * size) *
           (1.0 + growth(terms));
}

bool crn_enclosure_radii(crn_prover *prover, const crn_proof *proof)
{
    const int k = prover->k;
    const double kappa = contraction(prover, proof);
    if (!(kappa < MOST_KAPPA)) {
        return false;
    }
    for (int b = 0; b < k; ++b) {
        prover->right[b] = residual_bound(prover, prover->index[b]);
    }
    multiply_magnitudes(k, proof->inverse, prover->right, prover->spread);
    double most = 0.0;
    for (int b = 0; b < k; ++b) {
        most = crn_max(most, prover->spread[b] / proof->weight[b]);
    }
    for (int b = 0; b < k; ++b) {
        double rest = proof->weight[b] * (kappa / (1.0 - kappa)) * most;
        prover->spread[b] = (prover->spread[b] + rest) * (1.0 + growth(2.0 * k + 16.0));
    }
    return isfinite(most);
}

/* How far w can move within the radii, into prover->right... for all rows, which is why it has n entries. */
static void spread_w(const crn_prover *prover, const crn_proof *proof, double *moved)
{
    memset(moved, 0, (size_t)proof->n * sizeof *moved);
    for (int b = 0; b < prover->k; ++b) {
        crn_column c = crn_column_of(prover->problem, prover->index[b]);
        double radius = proof->radius[prover->index[b]];
        for (int e = 0; e < c.count; ++e) {
            moved[c.row != NULL ? c.row[e] : e] += fabs(c.value[e]) * radius;
        }
    }
}

bool crn_enclosure_holds(crn_prover *prover, const crn_proof *proof, crn_error *error)
{
    const crn_lcp_problem *p = prover->problem;
    double *moved = prover->job.view.work;
    spread_w(prover, proof, moved);
    for (int i = 0; i < p->n; ++i) {
        const double l = crn_lower_bound(p, i), u = crn_upper_bound(p, i), z = proof->z[i];
        const double radius = proof->radius[i] * (1.0 + 8.0 * UNIT);
        if (proof->basis[i] == CRN_LCP_BASIC) {
            if (!(z - l >= radius && u - z >= radius)) {
                (void)crn_fail(error, CRN_OK, "z(%d) may be outside of its bounds", i + 1);
                return false;
            }
            continue;
        }
        const bool is_lower = proof->basis[i] == CRN_LCP_AT_LOWER;
        const double w = is_lower ? prover->job.w[i] : -prover->job.w[i];
        const double error_of_w = residual_bound(prover, i) - fabs(w);
        const double slack = (crn_max(error_of_w, 0.0) + moved[i]) * (1.0 + growth(p->n + 8.0)) + 4.0 * UNIT * fabs(w);
        if (z != (is_lower ? l : u) || (l < u && !(w >= slack))) {
            (void)crn_fail(error, CRN_OK, "w(%d) may have the wrong sign", i + 1);
            return false;
        }
    }
    return true;
}
