/* Memory, order and factors of a sparse problem's matrix. */
#include "lcp/factor.h"

/* Entries of L that there is room for at first, per entry of M: a grid of 10^4 points needs about four, what is
 * nearly banded less than one. The door takes more
 * memory and begins again when a factorisation says that it needs more. */
enum { FILL = 2 };

void crn_lcp_factor_layout(crn_lcp_factor *factor, const crn_job *job, crn_arena *arena)
{
    const crn_lcp_problem *p = job->problem;
    const size_t entries = p->n > 0 ? (size_t)p->start[p->n] : 0;
    const bool is_symmetric = job->structure.is_symmetric;
    if (!is_symmetric) {
        factor->transposed = (crn_sparse){.rows = p->n, .columns = p->n};
        factor->transposed.start = CRN_TAKE(arena, int, (size_t)p->n + 1);
        factor->transposed.index = CRN_TAKE(arena, int, entries);
        factor->transposed.value = CRN_TAKE(arena, double, entries);
    }
    crn_sparse_factor_layout(&factor->sparse, p->n, entries, job->entries > 0 ? job->entries : FILL * entries,
                             is_symmetric, arena);
}

void crn_lcp_factor_open(crn_lcp_factor *factor, const crn_job *job)
{
    const crn_sparse *A = &job->view.columns;
    if (!job->structure.is_symmetric) {
        crn_sparse_transpose(A, &factor->transposed);
    }
    crn_sparse_factor_order(&factor->sparse, A, job->structure.is_symmetric ? A : &factor->transposed);
}

bool crn_lcp_factorise(crn_lcp_factor *factor, crn_job *job, const unsigned char *chosen, const double *shift)
{
    crn_factor_status status = crn_sparse_factorise(&factor->sparse, chosen, shift);
    ++job->result->refactorizations;
    if (status == CRN_FACTOR_LARGE) {
        job->entries_needed = factor->sparse.needed;
    }
    return status == CRN_FACTOR_OK;
}
