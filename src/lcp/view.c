/* The matrix behind the solvers: one scan, storage, products. */
#include "lcp/view.h"

#include "lcp/scale.h"

#include "math/dd.h"
#include "math/vec.h"

#include <math.h>
#include <string.h>

enum {
    SPARSE_FROM = 48,  /* smaller dense problems stay dense: compressing costs more than it saves */
    SPARSE_DENSITY = 8 /* compress when at most one entry in eight is not 0: a scattered update costs about eight
                             times a contiguous one */
};

/* Entries that a compressed copy of a dense matrix may have. */
static size_t compressed_capacity(int n)
{
    return (size_t)n * (size_t)n / SPARSE_DENSITY;
}

static void sparse_layout(crn_sparse *A, int n, size_t entries, crn_arena *arena)
{
    A->rows = A->columns = n;
    A->start = CRN_TAKE(arena, int, n + 1);
    A->index = CRN_TAKE(arena, int, entries);
    A->value = CRN_TAKE(arena, double, entries);
}

void crn_view_layout(crn_view *view, const crn_lcp_problem *problem, crn_arena *arena)
{
    const int n = problem->n;
    *view = (crn_view){.n = n, .problem = problem};
    view->r = CRN_TAKE(arena, double, n);
    view->c = CRN_TAKE(arena, double, n);
    view->q = CRN_TAKE(arena, double, n);
    view->lower = CRN_TAKE(arena, double, n);
    view->upper = CRN_TAKE(arena, double, n);
    view->z_start = CRN_TAKE(arena, double, n);
    view->work = CRN_TAKE(arena, double, 3 * (size_t)n);
    view->row_part = CRN_TAKE(arena, int, n);
    view->col_part = CRN_TAKE(arena, int, n);
    if (problem->M == NULL && n > 0) {
        view->is_sparse = true;
        /* The caller's arrays are only read: the type is shared with matrices that are built here. */
        view->columns = (crn_sparse){n, n, (int *)problem->start, (int *)problem->row, (double *)problem->value};
    } else if (n >= SPARSE_FROM) {
        sparse_layout(&view->columns, n, compressed_capacity(n), arena);
    }
}

/* Largest |entries| of rows and columns of a sparse M, and its facts. */
static void scan_sparse(const crn_view *view, double *row_max, double *col_max, crn_matrix_facts *facts)
{
    *facts = (crn_matrix_facts){.is_finite = true};
    memset(row_max, 0, (size_t)view->n * sizeof *row_max);
    for (int j = 0; j < view->n; ++j) {
        col_max[j] = 0.0;
        for (int e = view->columns.start[j]; e < view->columns.start[j + 1]; ++e) {
            int i = view->columns.index[e];
            double v = fabs(view->columns.value[e]);
            facts->is_finite = facts->is_finite && isfinite(v);
            facts->nonzeros += v != 0.0;
            col_max[j] = crn_max(v, col_max[j]);
            row_max[i] = crn_max(v, row_max[i]);
        }
    }
}

/* Name the first entry that is NaN or infinite. */
static crn_status not_finite(const crn_view *view, crn_error *error)
{
    const crn_lcp_problem *p = view->problem;
    for (int j = 0; j < view->n; ++j) {
        for (int i = 0; i < view->n; ++i) {
            double v = p->M != NULL ? p->M[i + (long)j * p->ld] : crn_sparse_entry(&view->columns, i, j);
            if (!isfinite(v)) {
                return crn_fail(error, CRN_ERR_ARGUMENT, "M(%d,%d): %g is not a finite number", i + 1, j + 1, v);
            }
        }
    }
    return crn_fail(error, CRN_ERR_ARGUMENT, "M: an entry is not a finite number");
}

/* Compress a dense matrix that is mostly zeros. */
static void choose_storage(crn_view *view, size_t nonzeros)
{
    const crn_lcp_problem *p = view->problem;
    if (!view->is_sparse && view->n >= SPARSE_FROM && nonzeros <= compressed_capacity(view->n)) {
        crn_sparse_from_dense(view->n, view->n, p->M, p->ld, &view->columns);
        view->is_sparse = true;
    }
}

crn_status crn_view_open(crn_view *view, crn_error *error)
{
    const crn_lcp_problem *p = view->problem;
    double *row_max = view->q, *col_max = view->z_start; /* both are filled for good by crn_scale() */
    crn_matrix_facts facts;
    if (view->is_sparse) {
        scan_sparse(view, row_max, col_max, &facts);
    } else {
        crn_scan_matrix(view->n, p->M, p->ld, row_max, col_max, view->work, &facts);
    }
    if (!facts.is_finite) {
        return not_finite(view, error);
    }
    choose_storage(view, facts.nonzeros);
    crn_scale(view, row_max, col_max, facts.nonzeros);
    return CRN_OK;
}

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
