/* Left-looking block LU without exchanges between blocks  [GVL s3.2]: A = L U with L_kk = D_k and U_kk = I,
 *
 *     A_.k -= sum over j < k of L_.j U_jk,    A_k. -= sum over j < k of L_kj U_j.,    U_k. = D_k^-1 A_k.
 *
 * D_k is kept as P D_k = (unit lower)(upper), rows exchanged within the block. Block rows of U are stored transposed, so
 * that they are panels like the columns of L and the same kernels serve.
 *
 * Exists where every leading block of A is regular. For the matrices of contact problems with friction that is the rule, not
 * a theorem; elsewhere a small pivot spoils the answer, and the caller's residual shows it. */
#include "math/block_cholesky.h"

#include <math.h>

#include "math/block_update.h"
#include "math/simd.h"

/* Factorise the d x d block on top of the panel in place, partial pivoting. Rows are exchanged within the block only. */
CRN_KERNEL bool factor_diagonal(int d, int ld, double *a, int *pivot, double *inverse)
{
    for (int k = 0; k < d; ++k) {
        int best = k;
        for (int i = k + 1; i < d; ++i) {
            best = fabs(a[i + (long)k * ld]) > fabs(a[best + (long)k * ld]) ? i : best;
        }
        pivot[k] = best;
        double largest = a[best + (long)k * ld];
        if (!(fabs(largest) > 0.0 && fabs(largest) < INFINITY)) {
            return false;
        }
        for (int j = 0; best != k && j < d; ++j) {
            double *column = a + (long)j * ld;
            double held = column[k];
            column[k] = column[best];
            column[best] = held;
        }
        inverse[k] = 1.0 / largest;
        for (int i = k + 1; i < d; ++i) {
            a[i + (long)k * ld] *= inverse[k];
        }
        for (int j = k + 1; j < d; ++j) {
            double w = a[k + (long)j * ld];
            for (int i = k + 1; i < d; ++i) {
                a[i + (long)j * ld] -= a[i + (long)k * ld] * w;
            }
        }
    }
    return true;
}

/* x := D \ x for all rows x of the panel (rows x d): the same steps as for one vector, whole columns at a time. */
CRN_KERNEL void solve_panel(int d, int ld, const double *a, const int *pivot, const double *inverse, int rows,
                            double *restrict panel)
{
    for (int k = 0; k < d; ++k) {
        double *x = panel + (long)k * ld, *other = panel + (long)pivot[k] * ld;
        for (int i = 0; pivot[k] != k && i < rows; ++i) {
            double held = x[i];
            x[i] = other[i];
            other[i] = held;
        }
    }
    for (int k = 0; k < d; ++k) {
        const double *restrict x = panel + (long)k * ld;
        for (int j = k + 1; j < d; ++j) {
            double w = a[j + (long)k * ld], *restrict y = panel + (long)j * ld;
            for (int i = 0; i < rows; ++i) {
                y[i] -= w * x[i];
            }
        }
    }
    for (int k = d; k-- > 0;) {
        double *restrict x = panel + (long)k * ld;
        for (int i = 0; i < rows; ++i) {
            x[i] *= inverse[k];
        }
        for (int j = 0; j < k; ++j) {
            double w = a[j + (long)k * ld], *restrict y = panel + (long)j * ld;
            for (int i = 0; i < rows; ++i) {
                y[i] -= w * x[i];
            }
        }
    }
}

CRN_KERNEL bool factor_column(crn_block_matrix *m, int k)
{
    const crn_block_pattern *p = m->pattern;
    double *lower = m->lower + p->panel[k], *upper = m->upper + p->panel[k], *inverse = m->inverse + p->first[k];
    int *pivot = m->pivot + p->first[k], d = p->size[k], height = p->height[k];
    if (!factor_diagonal(d, height, lower, pivot, inverse)) {
        return false;
    }
    if (d == 6) {
        solve_panel(6, height, lower, pivot, inverse, height - 6, upper + 6);
    } else {
        solve_panel(d, height, lower, pivot, inverse, height - d, upper + d);
    }
    return true;
}

/* Finish columns chunk .. end-1 of the supernode that begins with head. */
CRN_KERNEL bool factor_chunk(crn_block_matrix *m, int head, int chunk, int end)
{
    bool is_regular = true;
    crn_block_chunk(m, head, chunk, end, m->lower, m->upper, m->lower);
    crn_block_chunk(m, head, chunk, end, m->upper, m->lower, m->upper);
    for (int k = chunk; k < end && is_regular; ++k) {
        crn_block_within(m, k, chunk, k, m->lower, m->upper, m->lower);
        crn_block_within(m, k, chunk, k, m->upper, m->lower, m->upper);
        is_regular = factor_column(m, k);
    }
    return is_regular;
}

CRN_CLONES bool crn_block_lu(crn_block_matrix *m)
{
    const crn_block_pattern *p = m->pattern;
    for (int head = 0, end; head < p->n; head = end) {
        end = crn_block_supernode_end(p, head);
        crn_block_positions(p, head, m->position);
        crn_block_collect(m, head, end, m->lower, m->upper, m->lower);
        crn_block_collect(m, head, end, m->upper, m->lower, m->upper);
        for (int chunk = head; chunk < end; chunk += CRN_CHUNK) {
            if (!factor_chunk(m, head, chunk, chunk + CRN_CHUNK < end ? chunk + CRN_CHUNK : end)) {
                return false;
            }
        }
    }
    return true;
}

/* x := D \ x */
CRN_KERNEL void solve_diagonal(int d, int ld, const double *a, const int *pivot, const double *inverse, double *x)
{
    for (int k = 0; k < d; ++k) {
        double held = x[pivot[k]];
        x[pivot[k]] = x[k];
        x[k] = held;
    }
    for (int k = 0; k < d; ++k) {
        for (int i = k + 1; i < d; ++i) {
            x[i] -= a[i + (long)k * ld] * x[k];
        }
    }
    for (int k = d; k-- > 0;) {
        x[k] *= inverse[k];
        for (int i = 0; i < k; ++i) {
            x[i] -= a[i + (long)k * ld] * x[k];
        }
    }
}

CRN_CLONES void crn_block_lu_solve(const crn_block_matrix *m, double *x)
{
    const crn_block_pattern *p = m->pattern;
    for (int k = 0; k < p->n; ++k) {
        const double *panel = m->lower + p->panel[k];
        int d = p->size[k], height = p->height[k];
        double *part = x + p->first[k];
        solve_diagonal(d, height, panel, m->pivot + p->first[k], m->inverse + p->first[k], part);
        crn_block_gather(p, k, x, m->gather);
        crn_panel_times(height - d, d, panel + d, height, part, m->gather);
        crn_block_return(p, k, m->gather, x);
    }
    for (int k = p->n; k-- > 0;) {
        const double *panel = m->upper + p->panel[k];
        int d = p->size[k], height = p->height[k];
        crn_block_gather(p, k, x, m->gather);
        crn_panel_transposed_times(height - d, d, panel + d, height, m->gather, x + p->first[k]);
    }
}
