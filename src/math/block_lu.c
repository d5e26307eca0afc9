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

/* D_k on top of column k, U_k. in `rows` rows of the upper panel from `first` on. */
CRN_KERNEL void solve_rows(crn_block_matrix *m, int k, int first, int rows)
{
    const crn_block_pattern *p = m->pattern;
    const double *top = m->lower + p->panel[k], *inverse = m->inverse + p->first[k];
    double *upper = m->upper + p->panel[k] + first;
    const int *pivot = m->pivot + p->first[k];
    if (p->size[k] == 6) {
        solve_panel(6, p->height[k], top, pivot, inverse, rows, upper);
    } else {
        solve_panel(p->size[k], p->height[k], top, pivot, inverse, rows, upper);
    }
}

/* Both panels of column k, rows `row` .. stop-1, -= what columns chunk .. k-1 owe them. */
CRN_KERNEL void within(crn_block_matrix *m, int chunk, int k, int row, int stop)
{
    crn_block_within(m->pattern, k, chunk, k, row, stop, m->lower, m->upper, m->lower);
    crn_block_within(m->pattern, k, chunk, k, row, stop, m->upper, m->lower, m->upper);
}

/* Columns chunk .. end-1 of a supernode but for the last `below` rows, after the columns before have paid. */
CRN_KERNEL bool factor_top(crn_block_matrix *m, int chunk, int end, int below)
{
    const crn_block_pattern *p = m->pattern;
    for (int k = chunk; k < end; ++k) {
        int d = p->size[k], rows = p->height[k] - below;
        within(m, chunk, k, 0, rows);
        if (!factor_diagonal(d, p->height[k], m->lower + p->panel[k], m->pivot + p->first[k],
                             m->inverse + p->first[k])) {
            return false;
        }
        solve_rows(m, k, d, rows - d);
    }
    return true;
}

CRN_KERNEL void collect_both(crn_block_matrix *m, const crn_block_hand *hand, int head, int end)
{
    crn_block_positions(m->pattern, head, hand->position);
    crn_block_collect(m->pattern, hand, head, end, m->lower, m->upper, m->lower);
    crn_block_collect(m->pattern, hand, head, end, m->upper, m->lower, m->upper);
}

CRN_KERNEL void update_both(crn_block_matrix *m, const crn_block_hand *hand, int head, int chunk, int end)
{
    crn_block_chunk(m->pattern, hand, head, chunk, end, m->lower, m->upper, m->lower);
    crn_block_chunk(m->pattern, hand, head, chunk, end, m->upper, m->lower, m->upper);
}

CRN_CLONES static void collect(crn_block_matrix *m, const crn_block_hand *hand, int head, int end)
{
    collect_both(m, hand, head, end);
}

CRN_CLONES static void update(crn_block_matrix *m, const crn_block_hand *hand, int head, int chunk, int end)
{
    update_both(m, hand, head, chunk, end);
}

CRN_CLONES static bool finish_top(crn_block_matrix *m, int chunk, int end)
{
    return factor_top(m, chunk, end, crn_block_below(m->pattern, end - 1));
}

CRN_CLONES static void finish_below(crn_block_matrix *m, const crn_block_hand *hand, int chunk, int end)
{
    int below = crn_block_below(m->pattern, end - 1);
    crn_block_rows rows = crn_block_rows_of(hand, below);
    for (int k = chunk; k < end; ++k) {
        int first = m->pattern->height[k] - below + rows.first, count = rows.end - rows.first;
        within(m, chunk, k, first, first + count);
        solve_rows(m, k, first, count);
    }
}

CRN_CLONES static bool factor_columns(crn_block_matrix *m, const crn_block_hand *hand, int first, int stop)
{
    const crn_block_hand alone = {0, 1, hand->buffer, hand->position};
    for (int head = first, end; head < stop; head = end) {
        end = crn_block_supernode_end(m->pattern, head);
        collect_both(m, &alone, head, end);
        for (int chunk = head, next; chunk < end; chunk = next) {
            next = chunk + CRN_BLOCK_CHUNK < end ? chunk + CRN_BLOCK_CHUNK : end;
            update_both(m, &alone, head, chunk, next);
            if (!factor_top(m, chunk, next, 0)) {
                return false;
            }
        }
    }
    return true;
}

bool crn_block_lu(crn_block_matrix *m)
{
    static const crn_block_method method = {factor_columns, collect, update, finish_top, finish_below};
    return crn_block_factorise(m, &method);
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

CRN_CLONES int crn_block_lu_sign(const crn_block_matrix *m)
{
    const crn_block_pattern *p = m->pattern;
    bool is_negative = false;
    for (int k = 0; k < p->n; ++k) {
        for (int j = 0; j < p->size[k]; ++j) {
            int at = p->first[k] + j;
            is_negative ^= (m->inverse[at] < 0.0) ^ (m->pivot[at] != j);
        }
    }
    return is_negative ? -1 : 1;
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
