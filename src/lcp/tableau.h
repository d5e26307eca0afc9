/* A full tableau of the covered problem, as the classical methods keep it  [YN08 eq. 5, eq. 8], [CPS92 s2.3]:
 *
 *     basic = v + T (non-basic - their values),   T is n x (n + 1), column-major, unscaled.
 *
 * One pivot updates all n (n + 1) entries and rounding errors stay for ever: that is the baseline which the
 * factorised basis (basis.h) is measured against. Bounds on both sides are handled by the ratio test. */
#ifndef CRN_LCP_TABLEAU_H
#define CRN_LCP_TABLEAU_H

#include "lcp/job.h"

typedef struct crn_tableau {
    const crn_job *job;
    int n;
    double *T;            /* n x (n + 1) */
    double *v;            /* n: values of the basic variables */
    int *basic;           /* n: variable of each row; z_j is j, z0 is n, w_i is -1 - i */
    int *nonbasic;        /* n + 1: variable of each column */
    int *z_place;         /* n + 1: row of z_j or z0 if basic, -1 - column otherwise */
    int *w_place;         /* n: row of w_i if basic, -1 - column otherwise */
    unsigned char *state; /* n: where z_i stands */
    double *l, *u;        /* n: bounds, caller's units */
} crn_tableau;

void crn_tableau_layout(crn_tableau *tableau, const crn_job *job, crn_arena *arena);

/* The problem itself, with `state` pivoted in. False if that block is singular. */
bool crn_tableau_begin(crn_tableau *tableau, const unsigned char *state);

/* Give z0 its column: ones towards the inside (cold), or whatever makes the start feasible at z0 = 1 (warm). Returns
 * the value of z0, 0 if the start is a solution. */
double crn_tableau_cover(crn_tableau *tableau, bool is_warm);

/* Step 0: z0 comes in for the row that it holds at its bound. Returns the variable that drives next, n if
 * no row needs it. */
int crn_tableau_enter_cover(crn_tableau *tableau, double z0, double *direction);

/* Exchange row r and column e; values are the caller's to set. */
void crn_tableau_pivot(crn_tableau *tableau, int r, int e);

/* Column of a non-basic variable. */
int crn_tableau_column(const crn_tableau *tableau, int variable);

/* How far the basic variable of row r can move with this rate before a bound, and where a z comes to stand. */
double crn_tableau_room(const crn_tableau *tableau, int r, double rate, unsigned char *state);

/* Move the entering variable (column e) by step * direction, from its bound `from`. */
void crn_tableau_advance(crn_tableau *tableau, int e, double direction, double step);

/* Pivot with the bookkeeping of states: column e enters with value `value`, row r leaves to `state`. Returns the
 * complement of the leaving variable, its direction in *direction; or n if z0 left. */
int crn_tableau_exchange(crn_tableau *tableau, int r, int e, double value, unsigned char state, double *direction);

/* Value of a non-basic variable. */
double crn_tableau_value(const crn_tableau *tableau, int variable);

/* The point of the tableau into job->z and job->basis. */
void crn_tableau_point(const crn_tableau *tableau, crn_job *job);

/* Direction of the edge of column e into job->ray. */
void crn_tableau_ray(const crn_tableau *tableau, crn_job *job, int e, double direction);

/* Hash of the basis: its basic variables, and the z that stand at their upper bounds. */
uint64_t crn_tableau_hash(const crn_tableau *tableau);

#endif
