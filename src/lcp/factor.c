/* Memory, order and factors of a sparse problem's matrix. */
#include "lcp/factor.h"

/* Entries of L that there is room for at first, per entry of M: a grid of 10^4 points needs about four, what is
 * nearly banded less than one. The door takes more memory and begins again when a factorisation says that it needs more. */
enum { FILL = 2 };

/* Does one triangle of the factors do? */
static bool has_one_triangle(const crn_job *job)
{
    return job->structure.is_paired && (job->structure.is_symmetric || job->structure.is_mirrored);
}

void crn_lcp_factor_layout(crn_lcp_factor *factor, const crn_job *job, crn_arena *arena)
{
    const crn_lcp_problem *p = job->problem;
    const size_t entries = p->n > 0 ? (size_t)p->start[p->n] : 0;
    factor->sign = NULL;
    if (!has_one_triangle(job)) {
        factor->transposed = (crn_sparse){.rows = p->n, .columns = p->n};
        factor->transposed.start = CRN_TAKE(arena, int, (size_t)p->n + 1);
        factor->transposed.index = CRN_TAKE(arena, int, entries);
        factor->transposed.value = CRN_TAKE(arena, double, entries);
    } else if (!job->structure.is_symmetric) {
        factor->sign = CRN_TAKE(arena, signed char, p->n);
    }
    crn_sparse_factor_layout(&factor->sparse, p->n, entries, job->entries > 0 ? job->entries : FILL * entries,
                             has_one_triangle(job), arena);
}

bool crn_lcp_factor_open(crn_lcp_factor *factor, crn_job *job)
{
    const crn_sparse *A = &job->view.columns;
    if (factor->sign != NULL && !crn_structure_signs(A, factor->sign, factor->sparse.stack)) {
        job->structure.is_mirrored = false; /* in magnitude only: begin again with two triangles */
        job->entries_needed = factor->sparse.capacity;
        return false;
    }
    if (!has_one_triangle(job)) {
        crn_sparse_transpose(A, &factor->transposed);
    }
    crn_sparse_factor_order(&factor->sparse, A, has_one_triangle(job) ? A : &factor->transposed, factor->sign);
    return true;
}

bool crn_lcp_factorise(crn_lcp_factor *factor, crn_job *job, const unsigned char *chosen, const double *shift)
{
    crn_factor_status status = crn_sparse_factorise(&factor->sparse, chosen, shift);
    ++job->result->refactorizations;
    if (status == CRN_FACTOR_LARGE) {
        const size_t more = factor->sparse.needed + factor->sparse.needed / 4; /* another part may have more */
        job->entries_needed = more < factor->sparse.whole ? more : factor->sparse.whole;
    }
    return status == CRN_FACTOR_OK;
}
