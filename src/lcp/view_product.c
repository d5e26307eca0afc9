/* Products with the matrix behind the solvers, its columns, rows and entries. */
#include "lcp/view.h"

#include "math/dd.h"
#include "math/vec.h"

#include <math.h>
#include <string.h>

/* y_i *= r_i */
static void scale_rows(const crn_view *view, double *y)
{
    if (view->sweeps == 0) {
        return; /* nothing was scaled */
    }
    for (int i = 0; i < view->n; ++i) {
        y[i] *= view->r[i];
    }
}

void crn_view_product(const crn_view *view, int count, const int *column, const double *x, double *y)
{
    const crn_lcp_problem *p = view->problem;
    memset(y, 0, (size_t)view->n * sizeof *y);
    if (view->is_sparse) {
        for (int k = 0; k < count; ++k) {
            int j = column[k];
            if (j >= 0 && j < view->n && x[k] != 0.0) {
                crn_sparse_axpy(&view->columns, j, x[k] * view->c[j], y);
            }
        }
    } else {
        /* Column scales go into the coefficients; a column outside the matrix gets coefficient 0 and is passed over. */
        double *f = view->work;
        for (int k = 0; k < count; ++k) {
            int j = column[k];
            f[k] = j >= 0 && j < view->n ? x[k] * view->c[j] : 0.0;
        }
        crn_gemv_columns(view->n, count, p->M, p->ld, column, f, y);
    }
    scale_rows(view, y);
}

void crn_view_column(const crn_view *view, int j, double *a)
{
    const crn_lcp_problem *p = view->problem;
    if (view->is_sparse) {
        memset(a, 0, (size_t)view->n * sizeof *a);
        crn_sparse_axpy(&view->columns, j, view->c[j], a);
        scale_rows(view, a);
    } else {
        const double *column = p->M + (long)j * p->ld;
        if (view->sweeps == 0) {
            memcpy(a, column, (size_t)view->n * sizeof *a);
            return;
        }
        for (int i = 0; i < view->n; ++i) {
            a[i] = column[i] * view->c[j] * view->r[i];
        }
    }
}

double crn_view_entry(const crn_view *view, int i, int j)
{
    const crn_lcp_problem *p = view->problem;
    double v = view->is_sparse ? crn_sparse_entry(&view->columns, i, j) : p->M[i + (long)j * p->ld];
    return v * view->r[i] * view->c[j];
}

void crn_view_row(const crn_view *view, int i, int count, const int *column, double *g)
{
    const crn_lcp_problem *p = view->problem;
    for (int k = 0; k < count; ++k) {
        int j = column[k];
        if (j < 0 || j >= view->n) {
            continue;
        }
        double v = view->is_sparse ? crn_sparse_entry(&view->columns, i, j) : p->M[i + (long)j * p->ld];
        g[k] = v * view->r[i] * view->c[j];
    }
}

void crn_view_residual(const crn_view *view, const double *z, double *high, double *low, double *size)
{
    const crn_lcp_problem *p = view->problem;
    const int n = view->n;
    memcpy(high, p->q, (size_t)n * sizeof *high);
    memset(low, 0, (size_t)n * sizeof *low);
    for (int i = 0; i < n; ++i) {
        size[i] = fabs(p->q[i]);
    }
    for (int j = 0; j < n; ++j) {
        if (z[j] == 0.0) {
            continue;
        }
        if (!view->is_sparse) {
            crn_dd_axpy_sized(n, z[j], p->M + (long)j * p->ld, high, low, size);
            continue;
        }
        for (int e = view->columns.start[j]; e < view->columns.start[j + 1]; ++e) {
            int i = view->columns.index[e];
            crn_dd sum = {high[i], low[i]};
            crn_dd_add_product(&sum, z[j], view->columns.value[e]);
            high[i] = sum.high;
            low[i] = sum.low;
            size[i] += fabs(z[j] * view->columns.value[e]);
        }
    }
    for (int i = 0; i < n; ++i) {
        high[i] += low[i];
    }
}

void crn_view_transposed_product(const crn_view *view, const double *x, double *y)
{
    const crn_lcp_problem *p = view->problem;
    for (int j = 0; j < view->n; ++j) {
        if (!view->is_sparse) {
            y[j] = crn_dot(view->n, p->M + (long)j * p->ld, x);
            continue;
        }
        y[j] = 0.0;
        for (int e = view->columns.start[j]; e < view->columns.start[j + 1]; ++e) {
            y[j] += view->columns.value[e] * x[view->columns.index[e]];
        }
    }
}

void crn_view_transposed_scale(const crn_view *view, const double *x, double *y)
{
    const crn_lcp_problem *p = view->problem;
    for (int j = 0; j < view->n; ++j) {
        y[j] = 0.0;
        if (view->is_sparse) {
            for (int e = view->columns.start[j]; e < view->columns.start[j + 1]; ++e) {
                y[j] += fabs(view->columns.value[e] * x[view->columns.index[e]]);
            }
        } else {
            for (int i = 0; i < view->n; ++i) {
                y[j] += fabs(p->M[i + (long)j * p->ld] * x[i]);
            }
        }
    }
}
