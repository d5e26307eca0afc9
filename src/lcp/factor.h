/* Factors of a sparse problem's matrix: what the methods that factorise large blocks share. */
#ifndef CRN_LCP_FACTOR_H
#define CRN_LCP_FACTOR_H

#include "lcp/job.h"
#include "math/sparse_factor.h"

typedef struct crn_lcp_factor {
    crn_sparse_factor sparse;
    crn_sparse transposed; /* of an unsymmetric matrix */
    signed char *sign;     /* n: of one that is symmetric but for signs */
} crn_lcp_factor;

void crn_lcp_factor_layout(crn_lcp_factor *factor, const crn_job *job, crn_arena *arena);

/* Transpose and order the matrix. False if the memory at hand does not do: job->entries_needed is set then. */
bool crn_lcp_factor_open(crn_lcp_factor *factor, crn_job *job);

/* Factorise M + diag(shift) on the chosen variables (NULL: all; shift NULL: 0). False if that is singular, or too large for the
 * memory at hand: job->entries_needed is set then. */
bool crn_lcp_factorise(crn_lcp_factor *factor, crn_job *job, const unsigned char *chosen, const double *shift);

#endif
