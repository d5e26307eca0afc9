/* exponential.c -- problems on which pivoting methods visit exponentially many bases.
 *
 * L is unit lower triangular with 2 below the diagonal. Order by index % 15: 2, 3, ..., 16; the seed plays no part.
 * The pivot counts were taken in exact arithmetic for n <= 8, Lemke's method with covering vector e.
 *
 * `murty-exp` [M78; M88 s6], kind by index / 15 % 3:
 *     0  M = L,  q_i = -(2^n + 2^(n-1) + ... + 2^(n-i+1))    Lemke: 2^n pivots
 *     1  M = L', q = -e                                      principal pivoting, least index: 2^n - 1 pivots
 *     2  M = L', q of kind 0 from the last to the first      both
 * `fathi-exp`, symmetric positive definite [F79], kind by index / 15 % 3:
 *     0  M = L'L, q = -e    least index: 2^n - 1 pivots
 *     1  M = LL', q = -e    the same in the opposite order: easy for the least index, so orders can be compared
 *     2  M_ij = 2 g^min(i,j), M_ii = g^i, g = 16, q of murty-exp 0    Lemke: 2^n pivots
 *        Not from the literature: with column i divided by g^i it tends to L as g grows, and Lemke's path does not see
 *        the scale of columns. It is definite: scaled to a unit diagonal its entries are 2 (1/4)^|i-j|, a Toeplitz
 *        matrix with eigenvalues above 1 - 4/5. */
#include <math.h>

#include "families.h"
#include "gallery_data.h"

static double lower_entry(int i, int j)
{
    return i == j ? 1.0 : i > j ? 2.0 : 0.0;
}

/* -(2^n + 2^(n-1) + ... + 2^(n-i)) = -(2^(n+1) - 2^(n-i)) for i = 0, 1, ... */
static double murty_q(int n, int i)
{
    return -(ldexp(1.0, n + 1) - ldexp(1.0, n - i));
}

/* The solution of all kinds has one positive entry, at the first or the last place. */
static void write_witness(double *witness, int n, int place, double value)
{
    for (int i = 0; i < n && witness; ++i) {
        witness[i] = i == place ? value : 0.0;
    }
}

crn_status crn_gallery_murty_exp(int index, uint64_t seed, double *witness, crn_lcp_data *data, crn_error *error)
{
    (void)seed;
    int n = 2 + index % 15;
    int kind = index / 15 % 3;
    crn_status status = crn_gallery_dense(data, n, false, error);
    if (status != CRN_OK) {
        return status;
    }
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            crn_gallery_set(data, i, j, kind == 0 ? lower_entry(i, j) : lower_entry(j, i));
        }
        crn_gallery_q(data)[i] = kind == 0 ? murty_q(n, i) : kind == 1 ? -1.0 : murty_q(n, n - 1 - i);
    }
    /* M = L: z_1 = -q_1 makes w_i = q_i - 2 q_1 = 2^(n-i+1) > 0. M = L' is the same from the other end. */
    write_witness(witness, n, kind == 0 ? 0 : n - 1, kind == 1 ? 1.0 : ldexp(1.0, n));
    return CRN_OK;
}

/* (L'L)_ij, or (LL')_ij if is_reversed. */
static double fathi_entry(int n, int i, int j, bool is_reversed)
{
    double sum = 0.0;
    for (int k = 0; k < n; ++k) {
        sum += is_reversed ? lower_entry(i, k) * lower_entry(j, k) : lower_entry(k, i) * lower_entry(k, j);
    }
    return sum;
}

static double graded_entry(int i, int j)
{
    return (i == j ? 1.0 : 2.0) * ldexp(1.0, 4 * (i < j ? i : j)); /* g = 2^4 */
}

crn_status crn_gallery_fathi_exp(int index, uint64_t seed, double *witness, crn_lcp_data *data, crn_error *error)
{
    (void)seed;
    int n = 2 + index % 15;
    int kind = index / 15 % 3;
    crn_status status = crn_gallery_dense(data, n, false, error);
    if (status != CRN_OK) {
        return status;
    }
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            crn_gallery_set(data, i, j, kind == 2 ? graded_entry(i, j) : fathi_entry(n, i, j, kind == 1));
        }
        crn_gallery_q(data)[i] = kind == 2 ? murty_q(n, i) : -1.0;
    }
    /* The row of the smallest diagonal entry is (1, 2, ..., 2): its variable alone does it. */
    write_witness(witness, n, kind == 0 ? n - 1 : 0, kind == 2 ? ldexp(1.0, n) : 1.0);
    return CRN_OK;
}
