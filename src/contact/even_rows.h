/* What bilateral rows can do, taken out of the problem: an orthonormal basis of their columns, and the row impulses of
 * least norm that give a wanted body impulse. */
#ifndef CRN_CONTACT_EVEN_ROWS_H
#define CRN_CONTACT_EVEN_ROWS_H

#include "contact/system.h"

typedef struct crn_even_rows {
    int dof, rows, rank;
    double *Q; /* dof x rank: orthonormal columns that span those of B */
    double *R; /* rows x rank: B = Q R', row i of R belongs to bilateral row i */
    double *V; /* rows x rank: R = V T, orthonormal columns */
    double *T; /* rank x rank, upper triangular, leading dimension rows */
    double *work;
} crn_even_rows;

void crn_even_rows_layout(crn_even_rows *rows, const crn_system *system, crn_arena *arena);

/* Factorise the island's B, without the rows that are fixed (NULL: none is): their impulses come out as 0. */
void crn_even_rows_start(crn_even_rows *rows, const crn_system *system, const bool *is_fixed);

/* x -= Q Q'x */
void crn_even_rows_remove(const crn_even_rows *rows, double *x);

/* l = the least-norm solution of B l = x, as far as x is in the span of B. */
void crn_even_rows_impulse(const crn_even_rows *rows, const double *x, double *l);

#endif
