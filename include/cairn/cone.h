/* cairn/cone.h -- friction problems given by matrices, with round cones: what the field's archives hold.
 *
 *     local    u = W r + q                                                        (W need not be symmetric)
 *     global   M v = H r + G l + f,    u = H'v + w,    G'v + b = 0
 *
 * with r_i in K = {|r_t| <= mu_i r_n} and u_i + mu_i |u_t| e_n in the dual cone K*, orthogonal to r_i: Coulomb's law. The
 * normal component of each contact comes first, then one (dim 2) or two (dim 3) tangential ones. */
#ifndef CAIRN_CONE_H
#define CAIRN_CONE_H

#include <cairn/base.h>
#include <cairn/contact.h>
#include <cairn/lcp.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A sparse matrix in compressed columns, borrowed: column j is entries start[j] .. start[j+1]-1, rows increasing. */
typedef struct crn_cone_matrix {
    int rows, columns;
    const int *start; /* columns + 1; NULL: the matrix is absent */
    const int *row;
    const double *value;
} crn_cone_matrix;

/** Which matrices a problem has: W and q of the contacts, or those of the velocities. */
typedef enum crn_cone_form { CRN_CONE_LOCAL = 0, CRN_CONE_GLOBAL } crn_cone_form;

/** A problem, borrowed: read during the call, never kept, never changed. */
typedef struct crn_cone_problem {
    crn_cone_form form;
    int dim;           /* components per contact: 2 or 3 */
    int contacts;      /* 0 is a valid problem */
    const double *mu;  /* contacts */
    crn_cone_matrix W; /* local: (dim contacts) square */
    const double *q;   /* local: dim contacts */
    int dof, rows;     /* global: velocities, bilateral rows */
    crn_cone_matrix M; /* global: dof x dof, symmetric positive definite */
    crn_cone_matrix H; /* global: dof x (dim contacts) */
    crn_cone_matrix G; /* global: dof x rows; absent if rows = 0 */
    const double *f;   /* global: dof */
    const double *w;   /* global: dim contacts; NULL: 0 */
    const double *b;   /* global: rows; NULL: 0 */
} crn_cone_problem;

/** Fill with crn_cone_options_default(), then change fields. */
typedef struct crn_cone_options {
    double tol;          /* largest relative residual that counts as solved; default 1e-8 */
    int max_iterations;  /* Newton, interior-point and sweep rounds; 0: the solver's own bound */
    const double *start; /* impulses to start from, dim per contact; NULL: cold */
    uint32_t cookie;     /* set by crn_cone_options_default(): one that was not made there is refused */
} crn_cone_options;

CRN_API crn_cone_options crn_cone_options_default(void); /* cold, with the solver's own bounds */

/** Where results go: the caller's arrays. Any may be NULL. */
typedef struct crn_cone_solution {
    double *r; /* dim per contact */
    double *u; /* dim per contact */
    double *v; /* global: dof */
    double *l; /* global: rows */
} crn_cone_solution;

/** Written on every return. */
typedef struct crn_cone_result {
    crn_lcp_outcome outcome;
    double residual;      /* relative: ||natural map|| / ||q|| (global: of the Delassus form, u recomputed from r) */
    double residual_cone; /* the scaled certificate of contact.h: largest over contacts */
    int iterations;       /* Newton and interior-point steps */
    int sweeps;           /* Gauss-Seidel sweeps */
    const char *route;    /* static: which method gave the answer, "newton", "sweeps", ... */
    double seconds;
} crn_cone_result;

/** Check sizes, index ranges, finiteness, signs; the message names matrix or vector and entry. */
CRN_API crn_status crn_cone_check(const crn_cone_problem *problem, crn_error *error);

/** Solve. Takes no memory but through workspace. options NULL: defaults; solution, result, error may be NULL.
 *  @return CRN_OK if a method ran: result->outcome tells what it found. */
CRN_API crn_status crn_cone_solve(const crn_cone_problem *problem, const crn_cone_options *options,
                                  crn_workspace *workspace, const crn_cone_solution *solution, crn_cone_result *result,
                                  crn_error *error);

/** Judge any r: both residuals of crn_cone_result, from the data given. */
CRN_API crn_status crn_cone_certify(const crn_cone_problem *problem, const double *r, crn_workspace *workspace,
                                    crn_cone_result *result, crn_error *error);

#ifdef __cplusplus
}
#endif
#endif
