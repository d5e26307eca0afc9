/* Which parts of a solution does the problem determine? One island at a time. */
#ifndef CRN_CONTACT_UNIQUE_H
#define CRN_CONTACT_UNIQUE_H

#include "contact/even.h"

typedef struct crn_unique {
    crn_even even;
    double *column;  /* dof x most: columns under study, overwritten by the orthonormal ones */
    double *R;       /* most x most: their triangular factor */
    int *order;      /* most: which column was taken as k-th */
    int most;        /* 3 contacts + rows */
    int count;       /* columns at column */
    double *r, *l;   /* impulses that were pulled away from the given ones */
    double *speed;   /* rows: their speeds; */
    bool *may_leave; /* rows: at the bound, with speed 0 */
    double *used;    /* 3 per contact: columns of the bound: normal's place in R and the tangential norm */
} crn_unique;

void crn_unique_layout(crn_unique *q, const crn_system *system, crn_arena *arena);

/* Judge the island's solution and add to *answer: counts add up, answers combine by crn_both(). u are its contact
 * velocities, noise its largest natural map as a velocity. */
void crn_unique_island(crn_unique *q, const crn_system *system, const double *r, const double *l, const double *u,
                       double noise, crn_contact_uniqueness *answer);

/* Is the motion proved to be the same for all solutions? CRN_YES or CRN_UNDECIDED. */
crn_answer crn_unique_motion(crn_unique *q, const crn_system *system);

/* Rank of the columns: pivoted Gram-Schmidt, leaving an orthonormal basis in column and the factor in R. */
int crn_unique_rank(crn_unique *q, int dof);

/* Both: no if one is no, yes if both are yes. */
static inline crn_answer crn_both(crn_answer a, crn_answer b)
{
    return a == CRN_NO || b == CRN_NO ? CRN_NO : a == CRN_YES && b == CRN_YES ? CRN_YES : CRN_UNDECIDED;
}

#endif
