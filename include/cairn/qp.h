/* cairn/qp.h -- convex quadratic and linear programmes, by way of the complementarity problem of their conditions (lcp.h):
 *
 *     minimise x'Px/2 + q'x   subject to   l <= A x <= u
 *
 * with P symmetric and positive semidefinite. Signs of the multipliers y are those of OSQP: P x + q + A'y = 0, y_i <= 0 where the
 * lower bound of row i holds, >= 0 where the upper one does. */
#ifndef CAIRN_QP_H
#define CAIRN_QP_H

#include <cairn/lcp.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A matrix in compressed columns, borrowed; entries of a column with increasing rows. start NULL: all zero. */
typedef struct crn_qp_matrix {
    const int *start; /* columns + 1 */
    const int *row;
    const double *value;
} crn_qp_matrix;

/** A programme, borrowed: read during the call, never kept, never changed. */
typedef struct crn_qp_problem {
    int n, m;        /* variables and rows of A */
    crn_qp_matrix P; /* n x n, both triangles; all zero: a linear programme */
    crn_qp_matrix A; /* m x n */
    const double *q; /* n */
    const double *l; /* m; -inf allowed; NULL: all -inf */
    const double *u; /* m; inf allowed; l_i = u_i is an equation; NULL: all inf */
} crn_qp_problem;

/** What became of it. */
typedef enum crn_qp_outcome {
    CRN_QP_UNSOLVED = 0, /* the call was not well made, or the budget ran out, or M'y is not known: see lcp */
    CRN_QP_SOLVED,
    CRN_QP_INFEASIBLE, /* proved: no x fulfils the rows */
    CRN_QP_UNBOUNDED   /* proved: the objective falls for ever along a direction, if there is any feasible x */
} crn_qp_outcome;

/** "unsolved", "solved", "infeasible" or "unbounded"; static. */
CRN_API const char *crn_qp_outcome_name(crn_qp_outcome outcome);

typedef struct crn_qp_result {
    crn_qp_outcome outcome;
    double objective;   /* at x */
    crn_lcp_result lcp; /* of the complementarity problem: certificate, method, seconds */
} crn_qp_result;

/** Solve. Takes memory for the complementarity problem through the workspace's allocator, and gives it back.
 *  @param options of the complementarity problem; NULL: the defaults of CRN_LCP_AUTO. start is not used
 *  @param x      n numbers, the answer or the best point found
 *  @param y      m numbers, multipliers; may be NULL
 *  @param result may be NULL
 *  @return CRN_OK if a method ran: result->outcome tells what it found */
CRN_API crn_status crn_qp_solve(const crn_qp_problem *problem, const crn_lcp_options *options, crn_workspace *workspace,
                                double *x, double *y, crn_qp_result *result, crn_error *error);

#ifdef __cplusplus
}
#endif
#endif
