/* Bases of the contact LCP and their reduced systems  [L05 s5.1, app. A].
 *
 * Variables come in pairs z, w. Contact i has the pair (theta, nu), and if it has friction d pairs (phi_j, sigma_j) and one
 * pair (lambda, gamma), in this order from first[i] on. A basis says of each pair whether z is basic (or else w); almost
 * complementary bases have one pair r of which neither is, and z0 in its place. Bilateral impulses are always basic.
 *
 * All quantities are scaled: contact i by scale[i], velocities by 1/speed. */
#ifndef CRN_CONTACT_LLOYD_BASIS_H
#define CRN_CONTACT_LLOYD_BASIS_H

#include "contact/system.h"
#include "math/lu.h"

/* An unknown of the reduced system, and its equation. */
typedef struct crn_lloyd_item {
    int contact; /* -1 for a bilateral row */
    int pair;    /* theta or phi; the number of the row if bilateral */
} crn_lloyd_item;

typedef struct crn_lloyd_basis {
    const crn_system *system;
    int pairs;             /* of all contacts */
    int *first;            /* contacts + 1: first pair of each contact */
    int *corners;          /* contacts: d, 0 without friction */
    double *angle;         /* tables of corners */
    const double **corner; /* contacts: d cosines, then d sines; equal d share a table */

    /* scaled data */
    double speed;       /* unit of velocity */
    double *scale;      /* contacts: 1/|n_i| */
    double *row_scale;  /* rows: 1/|b|, 0 if the row depends on earlier ones */
    double *k;          /* dof */
    double *offset;     /* 3 per contact */
    double *row_offset; /* rows */

    /* basis */
    double *cover;           /* 3 per contact: c of nu, of all sigma, of gamma */
    unsigned char *is_basic; /* pairs: z is basic */
    unsigned char *is_open;  /* contacts: friction rows take part */
    int r;                   /* the pair of which neither is basic; -1: the basis is complementary, without z0 */
    int r_contact;           /* its contact, once the basis is factorised */

    /* reduced system */
    int capacity;              /* largest order */
    int count;                 /* unknowns without z0 */
    crn_lloyd_item *item;      /* count, and one for w_r */
    int *split;                /* contacts: corner of phi_x where lambda is basic, else -1 */
    double *row, *column;      /* dof x capacity: item by item, only on the bodies of its contact */
    double *cover_column;      /* dof: c* = D_x c_gamma */
    double *normal, *friction; /* contacts: theta, and the sum of all phi but phi_x, while a solution is spread */
    double *dense;             /* dof: scratch */
    double *matrix, *x, *rhs, *work;
    crn_lu lu;
} crn_lloyd_basis;

/* Which solution of the basis is wanted? The two others belong to the driving variable of pair r. */
typedef enum crn_lloyd_source {
    CRN_LLOYD_POINT, /* values of the basic variables */
    CRN_LLOYD_BY_Z,  /* their rates when z_r grows at rate 1 */
    CRN_LLOYD_BY_W   /* their rates when w_r does */
} crn_lloyd_source;

typedef struct crn_lloyd_point {
    double *value;    /* pairs: of the basic variable of each pair; 0 for pair r and for pairs that take no part */
    double *velocity; /* dof: k + N theta + D phi + B l, or its rate */
    double *row;      /* rows: bilateral impulses */
    double z0;
} crn_lloyd_point;

void crn_lloyd_basis_layout(crn_lloyd_basis *basis, const crn_system *system, crn_arena *arena);
void crn_lloyd_point_layout(crn_lloyd_point *point, const crn_lloyd_basis *basis, crn_arena *arena);

/* Scale the system, with friction rows open or not; then restart. */
void crn_lloyd_basis_begin(crn_lloyd_basis *basis, const crn_system *system, bool is_open);

/* No z basic, r = -1, every cover 1. */
void crn_lloyd_basis_restart(crn_lloyd_basis *basis);

/* Build and factorise the reduced system of the present basis; false if it is singular. */
bool crn_lloyd_basis_factor(crn_lloyd_basis *basis);

/* Solve it. */
void crn_lloyd_basis_solve(crn_lloyd_basis *basis, crn_lloyd_source source, crn_lloyd_point *point);

/* u = scaled X_i'velocity, without offset */
void crn_lloyd_contact_speed(const crn_lloyd_basis *basis, int i, const double *velocity, double *u);

/* Pairs of contact i that take part: theta, and phi and lambda if its friction rows do. */
static inline int crn_lloyd_pairs_end(const crn_lloyd_basis *basis, int i)
{
    return basis->is_open[i] ? basis->first[i + 1] : basis->first[i] + 1;
}

#endif
