/* The matrix behind the solvers: one scan, storage, scales. view_product.c has what is done with it. */
#include "lcp/view.h"

#include "lcp/scale.h"

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
    view->work = CRN_TAKE(arena, double, 3 * (size_t)n);
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
    double *row_max = view->q, *col_max = view->lower; /* both are filled for good by crn_scale() */
    crn_matrix_facts facts;
    if (view->is_sparse) {
        scan_sparse(view, row_max, col_max, &facts);
    } else {
        crn_scan_matrix(view->n, p->M, p->ld, row_max, col_max, view->work, &facts);
    }
    if (!facts.is_finite) {
        return crn_lcp_check(p, error); /* names the entry */
    }
    choose_storage(view, facts.nonzeros);
    crn_scale(view, row_max, col_max);
    return CRN_OK;
}
