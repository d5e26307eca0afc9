/* A contact problem in whitened columns: what every solver of this room works on.
 *
 * Each body's mass matrix is G G'; velocities become y = G'v, columns x = G^-1 J', so that all masses are 1 and
 *
 *     y = k + sum_i X_i r_i + B l,    u_i = X_i'y + offset_i,    B'y + row_offset = 0          [L05 s2]
 *
 * A bounded row has |l| <= row_bound instead, and B'y + row_offset is 0 inside, >= 0 at -row_bound, <= 0 at row_bound.
 *
 * A column is zero but on the bodies of its contact: it is stored in pieces, one per body. "Item" is a contact (three
 * columns n, t1, t2) or a bilateral row (one column); contacts come first. Islands (parts of the contact graph that share
 * no body) are consecutive in bodies, contacts and rows, so an island is the same struct with shifted pointers. */
#ifndef CRN_CONTACT_SYSTEM_H
#define CRN_CONTACT_SYSTEM_H

#include <cairn/contact.h>

#include "base/memory.h"

/* The part of an item's columns on one body. */
typedef struct crn_piece {
    int body;  /* within the system */
    int first; /* first velocity of that body */
    int dof;   /* velocities of that body */
    int width; /* columns: 3 for a contact, 1 for a row */
    double *x; /* dof x width, column-major, contiguous */
} crn_piece;

typedef struct crn_system {
    int dof, bodies, contacts, rows;
    const int *body_start;  /* bodies + 1: first velocity of each body */
    const int *piece_start; /* contacts + 1: pieces of contact i are piece[piece_start[i]] .. */
    const crn_piece *piece;
    const int *row_piece_start; /* rows + 1 */
    const crn_piece *row_piece;
    const double *mu;         /* contacts; 0 where there is no friction */
    const int *directions;    /* contacts: d of the polygon, 0 or 1 where mu = 0 or d = 0 */
    const double *offset;     /* 3 per contact */
    const double *row_offset; /* rows */
    const double *row_bound;  /* rows: largest |l|, infinite for bilateral rows */
    int bounded;              /* rows with a bound */
    const double *k;          /* dof: whitened free velocity */
} crn_system;

/* y = k + sum_i X_i r_i + B l; l may be NULL without rows. */
void crn_system_motion(const crn_system *system, const double *r, const double *l, double *y);

/* u = X'y + offset of all contacts. */
void crn_system_contact_velocity(const crn_system *system, const double *y, double *u);

/* e = B'y + row_offset */
void crn_system_row_velocity(const crn_system *system, const double *y, double *e);

/* delta_i = trace(X_i'X_i)/3 (or the mean over the columns that are not zero): inverse mass of contact i. */
void crn_system_inverse_mass(const crn_system *system, double *delta);

/* Columns of contact i that take part: 1 without friction, 2 with friction along t1 only, else 3. */
int crn_system_columns(const crn_system *system, int i);

/* Length of the longest normal; 1 without contacts. */
double crn_system_longest_normal(const crn_system *system);

/* U of the certificate, from the free motion: the largest of the closing speeds -u_n, of CRN_SCALE_SLIP |u|, of
 * CRN_SCALE_SLIP |B v + offset| f, and of CRN_SCALE_TERMS times the sum of the magnitudes that u_n, or a row's speed
 * times f, is made of; without contacts the first of these is |B v + offset| f; 1 if all are 0. Bilateral rows have units of their own; f brings a row to the
 * (whitened) length of the longest normal, to 1 without contacts, so that the units do not matter.
 *
 * A contact with a wide gap must not count by its offset, or the test loosens by orders of magnitude; but in a frame that
 * falls with the bodies closing speeds go down to rounding, and where both bodies move alike even |u| does. */
double crn_system_velocity_scale(const crn_system *system);

/* What the violation of a row is measured by whose speed is made of impulses' parts with that sum of magnitudes: U, or
 * CRN_SCALE_TERMS times the sum where that is more, because impulses are numbers with 53 bits and leave 2^-53 of the sum. Beyond
 * CRN_SCALE_MOST U it is U again: impulses without bound, which problems without solution have, are no excuse for themselves. */
double crn_rounding_scale(double U, double terms);

#define CRN_SCALE_SLIP  1e-3
#define CRN_SCALE_TERMS 1e-6 /* rounding of the terms, 1e-16, is then 1e-10 of U */
#define CRN_SCALE_MOST  1e3
#define CRN_SCALE_LEAST 1e-290 /* [m/s] a slower motion is rest: 2^-53 of it is no number */

#endif
