/* docs/guide/adding_a_method.md: the method of the page, laid out and run as the door does it, on a small problem. */
#include "lcp/job.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* FRAGMENT */
int main(void)
{
    const double M[] = {2, 1, 1, 2}, q[] = {-5, -6};
    const int columns[] = {0, 1};
    crn_lcp_problem problem = {.n = 2, .M = M, .ld = 2, .q = q};
    crn_lcp_result result = {0};
    crn_job job = {.problem = &problem, .result = &result, .options = {.tol = 1e-9}};
    crn_jacobi jacobi;
    crn_arena counting = crn_arena_counting();
    crn_job_layout(&job, &counting);
    crn_jacobi_layout(&jacobi, &job, &counting);
    crn_arena arena = {.data = aligned_alloc(CRN_ARENA_ALIGN, counting.used), .size = counting.used};
    crn_job_layout(&job, &arena);
    crn_jacobi_layout(&jacobi, &job, &arena);
    if (arena.overflow || crn_view_open(&job.view, NULL) != CRN_OK ||
        crn_jacobi_run(&jacobi, &job, columns) != CRN_LCP_SOLVED) {
        printf("not solved after %d sweeps\n", result.pivots);
        return 1;
    }
    if (fabs(job.z[0] - 4.0 / 3.0) > 1e-8 || fabs(job.z[1] - 7.0 / 3.0) > 1e-8) {
        printf("%g %g\n", job.z[0], job.z[1]);
        return 1;
    }
    free(arena.data);
    return 0;
}
