/* Even impulses: of all impulses with the same motion, the ones of least sum of squares. */
#ifndef CRN_CONTACT_EVEN_H
#define CRN_CONTACT_EVEN_H

#include "contact/even_cone.h"
#include "contact/even_profile.h"
#include "contact/even_rows.h"
#include "contact/system.h"

typedef struct crn_even {
    int closed;         /* contacts that may carry an impulse */
    int *contact;       /* which */
    crn_face *face;     /* what each may carry */
    crn_piece *piece;   /* columns of the closed contacts without what bilateral rows can do */
    int *piece_start;   /* closed + 1 */
    double *columns;    /* with bilateral rows: 3 dof per contact, NULL without */
    double *corner;     /* half of the corners of each polygon; shared by neighbours with the same d */
    int *corner_start;  /* contacts */
    crn_even_rows rows; /* bilateral rows, orthonormal */
    double *fixed;      /* rows: impulses of those that are kept, 0 elsewhere */
    bool *is_fixed;     /* rows: which these are */
    bool keeps_bounded; /* they are all rows with bounds, not only those at them */
    double *held_r, *held_l;
    crn_profile profile; /* Newton matrix */
    double *delta;       /* contacts: inverse mass */
    double *p;           /* dof: body impulse of the closed contacts, less what rows can do */
    double *y;           /* dof: multiplier, the impulses are projections of X'y */
    double *best;        /* dof: y of the least residual */
    double *step;        /* dof */
    double *trial;       /* dof: y + t step */
    double *residual;    /* dof: p - X r(y) */
    double *before;      /* dof: the motion to keep */
    double *diagonal;    /* dof: of the matrix with every closed contact active */
    double *r;           /* 3 per closed contact */
    double *pull;        /* 3 per closed contact: |x|^2 / 2 - pull'r is minimised; 0 but for questions of uniqueness */
    double proximal;     /* share of the diagonal that is added to the matrix */
    double scale;        /* size of the terms that p is the sum of */
} crn_even;

/* A row's impulse nearer to its bound than this share of it is at the bound: solvers put it there exactly, or to the
 * certificate's tolerance. */
#define CRN_EVEN_AT_BOUND 1e-9

/* Take memory for one island. */
void crn_even_layout(crn_even *even, const crn_system *system, crn_arena *arena);

/* Make the impulses r (3 per contact) and l (1 per row) of a solution even, whose contact velocities are u and whose
 * certificate has the velocity_error noise. False, with r and l as they were, if no impulses were found that give the
 * same motion to 1e-12. */
bool crn_even_impulses(crn_even *even, const crn_system *system, crn_contact_cone cone, crn_contact_law law, double *r,
                       double *l, const double *u, double noise);

/* The two halves of it: find what each contact may carry, then minimise. Between them the pull may be set. */
void crn_even_start(crn_even *even, const crn_system *system, crn_contact_cone cone, crn_contact_law law,
                    const double *r, const double *l, const double *u, double noise);
bool crn_even_finish(crn_even *even, const crn_system *system, double *r, double *l);

#endif
