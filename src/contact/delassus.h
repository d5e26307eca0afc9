/* A small island in contact space: impulses r of contacts and rows are the unknowns,
 *
 *     u = G r + q,    G = X'X  (Delassus' operator: the inverse mass that contacts see),    q = X'k + offset
 *
 * and Coulomb's law with round cones is solved by Newton's method on Alart and Curnier's map, with Gauss-Seidel sweeps where
 * that leads nowhere. A mechanism of thirty velocities that stands on two contacts is a system of six unknowns here. It is the
 * first attempt: where it does not end in an answer, body_drive.h goes on. docs/theory/states.md, "Contact space". */
#ifndef CRN_CONTACT_DELASSUS_H
#define CRN_CONTACT_DELASSUS_H

#include "contact/run.h"
#include "contact/system.h"
#include "math/lu.h"

typedef struct crn_delassus {
    const crn_system *system;
    int contacts, rows, items; /* items: contacts, then rows */
    int n;                     /* unknowns: columns that take part, item by item */
    int *first;                /* items + 1: first unknown of each */
    double *G, *q;             /* n x n, symmetric; with offsets below the dead band taken as 0 */
    double *rest;              /* n: what the dead band took from q */
    double *delta;             /* items: inverse masses */
    double *factor;            /* rows: bring them to the length of the longest normal */
    double scale;              /* U of the certificate */
    double tol, aim; /* certificates that are good enough, and that Newton's method goes on to where that is cheap */

    double *r, *u;         /* the iterate, and its velocities */
    double *fitted, *v;    /* the same put into cones and bounds, and its velocities: what is certified */
    double *best, reached; /* best of these so far, its certificate */

    double kappa, *anchor; /* rho = kappa/delta; what y is measured from if ... */
    bool is_anchored;
    double *F, *A;           /* r - P(y); rho dP/dy, 9 per contact */
    unsigned char *piece;    /* items: crn_cone_piece; rows: open at a bound, else stick */
    unsigned char *factored; /* the same where the factor is from */
    double *step, *from, *w;
    int *unknown, *owner; /* of Newton's system: which they are, and whose */
    crn_lu lu;
    int iterations, factorizations;
} crn_delassus;

/* Is the island small enough? */
bool crn_delassus_fits(const crn_system *system);

void crn_delassus_layout(crn_delassus *d, const crn_system *system, crn_arena *arena);

/* From r and l to impulses that certify to tol; r and l that certify to start_share tol are the answer themselves, and with a share
 * of 0 there is no start. False, with r and l as they were, if none are found. scale: U of the free motion. */
bool crn_delassus_solve(crn_delassus *d, double scale, double tol, double start_share, double *r, double *l,
                        crn_run *run);

/* --- Parts --- */

/* Matrix and free velocities of the system. */
void crn_delassus_load(crn_delassus *d, double scale, double tol);

/* A contact's columns of x as n, t1, t2; 0 along those that take no part. */
static inline void crn_delassus_take(const crn_delassus *d, int i, const double *x, double *three)
{
    const int first = d->first[i], columns = d->first[i + 1] - first;
    three[0] = x[first];
    three[1] = columns > 1 ? x[first + 1] : 0.0;
    three[2] = columns > 2 ? x[first + 2] : 0.0;
}

/* The columns that take part. */
static inline void crn_delassus_put(const crn_delassus *d, int i, const double *three, double *x)
{
    for (int k = d->first[i]; k < d->first[i + 1]; ++k) {
        x[k] = three[k - d->first[i]];
    }
}

/* u = G r + q; the certificate of Coulomb's law for r, put into its cones. */
void crn_delassus_velocity(const crn_delassus *d, const double *r, double *u);
double crn_delassus_check(crn_delassus *d);

/* Improve d->r until it certifies to aim or so many steps are done, or to tol and steps gain no more: by Newton's method, plainly with so
 * many whole steps first, or along proximal steps; by sweeps. */
void crn_delassus_newton(crn_delassus *d, int whole, int steps);
void crn_delassus_proximal(crn_delassus *d, int steps);
void crn_delassus_sweep(crn_delassus *d, int count);

#endif
