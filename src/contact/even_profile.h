/* Symmetric positive definite matrices over the velocities of an island, stored by rows from the first entry that can be
 * other than 0 (the profile), and their Cholesky factors in the same place. */
#ifndef CRN_CONTACT_EVEN_PROFILE_H
#define CRN_CONTACT_EVEN_PROFILE_H

#include "contact/system.h"

typedef struct crn_profile {
    int n;
    int *first;       /* n: first column of each row */
    ptrdiff_t *start; /* n: entry (i,j) is a[start[i] + j], first[i] <= j <= i */
    double *a;
    size_t entries; /* at a */
} crn_profile;

/* Take memory; rows of the island are taken as full if it has bilateral rows. */
void crn_profile_layout(crn_profile *profile, const crn_system *system, crn_arena *arena);

/* The pattern of the island, all entries 0. */
void crn_profile_start(crn_profile *profile, const crn_system *system);

void crn_profile_clear(crn_profile *profile);

/* += x S y' for columns x (dof of p) and y (dof of q) of one contact, lower triangle only. */
void crn_profile_add(crn_profile *profile, const crn_piece *p, const crn_piece *q, const double *S);

/* A = L L', in place; false if a pivot is not positive. */
bool crn_profile_factor(crn_profile *profile);

/* x = A \ x */
void crn_profile_solve(const crn_profile *profile, double *x);

#endif
