/* Inside the making and checking of proofs: what an answer gives, enclosures, rational numbers. */
#ifndef CRN_LCP_PROVE_H
#define CRN_LCP_PROVE_H

#include "lcp/job.h"

#include <cairn/proof.h>

#include <math.h>

/* The parts of a problem that belong to a basis, and room to compute with them; memory of one call. */
typedef struct crn_prover {
    const crn_lcp_problem *problem;
    crn_job job;   /* view, w = M z + q, and low + n: the sums of the rows' |terms| */
    int k, *index; /* basic variables in order */
    double *block; /* k x k: M on them */
    double *room, *right, *spread;
    crn_workspace workspace;
} crn_prover;

/* Entries of column j: row(e) and value(e) for e = 0 .. the number returned. A dense column has all n. */
typedef struct crn_column {
    int count;
    const int *row; /* NULL: entry e is row e */
    const double *value;
} crn_column;

static inline crn_column crn_column_of(const crn_lcp_problem *p, int j)
{
    if (p->M != NULL) {
        return (crn_column){p->n, NULL, p->M + (long)j * p->ld};
    }
    return (crn_column){p->start[j + 1] - p->start[j], p->row + p->start[j], p->value + p->start[j]};
}

/* Drop what has been tried, and begin a proof of another kind; false if there is no memory. */
bool crn_proof_begin(crn_proof *proof, crn_proof_kind kind, int n, int k);

/* The largest that y'(M z + q) can be within the bounds, and on the given sides (CRN_LCP_AT_LOWER, _BASIC, _AT_UPPER or
 * CRN_SIDE_OPEN; NULL: all open), must be negative. Returns the eps by which data must change for that to be so: 0 if they need
 * not, NaN if y proves nothing. */
enum { CRN_SIDE_OPEN = 3 };
double crn_farkas_change(const crn_lcp_problem *problem, const unsigned char *sides, const double *y);

/* A proof from a ray; none if that proves nothing. */
crn_status crn_prove_infeasible(const crn_lcp_problem *problem, const double *ray, crn_proof *proof, crn_error *error);

/* A proof by a tree of sides; none if that is too large, or a leaf needs a change of the data. */
crn_status crn_prove_exhausted(const crn_lcp_problem *problem, crn_proof *proof, crn_error *error);

/* Is every choice of sides refuted by the tree? */
bool crn_exhausted_holds(const crn_lcp_problem *problem, const crn_proof *proof, crn_error *error);

/* A bound on the motion, at z or at a point near it; none if there is no point within the bounds all of whose w have the signs that
 * infinite bounds ask for, or the problem is too large. */
crn_status crn_prove_motion(const crn_lcp_problem *problem, const double *z, crn_proof *proof, crn_error *error);

/* Is the gap at proof->z at most proof->gap? */
bool crn_motion_holds(const crn_lcp_problem *problem, const crn_proof *proof, crn_error *error);

/* Radii of an enclosure about proof->z with proof->inverse and proof->weight, in prover->spread; false if the inverse is too
 * poor to prove that there is a solution of the basic equations. */
bool crn_enclosure_radii(crn_prover *prover, const crn_proof *proof);

/* Do all points within proof->radius have the signs that the basis asks for? */
bool crn_enclosure_holds(crn_prover *prover, const crn_proof *proof, crn_error *error);

/* proof->weight and proof->inverse of the basic block; false if it is singular. */
bool crn_enclosure_invert(crn_prover *prover, crn_proof *proof);

/* Rational numbers. Solve the basic equations: proof->number;
 * false if they are singular or there is no memory. */
bool crn_exact_solve(const crn_prover *prover, crn_proof *proof);

/* Are proof->number a solution? */
bool crn_exact_holds(const crn_prover *prover, const crn_proof *proof, crn_error *error);

#endif
