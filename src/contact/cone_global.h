/* The global form, M v = H r + G l + f, u = H'v + w, G'v + b = 0, brought into block rows.
 *
 * Velocities fall into groups that neither M nor G couples: bodies, or mechanisms. With M = L L' of a group, and Q an
 * orthonormal basis of the range of L^-1 G,
 *
 *     X_i = (I - Q Q') L^-1 H_i,     W_ij = sum over groups of X_i'X_j,     q = H'v_f + w
 *
 * with v_f the motion without contact. No inverse is formed, redundant bilateral rows fall out of Q. */
#ifndef CRN_CONTACT_CONE_GLOBAL_H
#define CRN_CONTACT_CONE_GLOBAL_H

#include <cairn/cone.h>

#include "contact/cone_blocks.h"

typedef struct crn_cone_global {
    const crn_cone_problem *problem;
    int groups;
    int *group_of;                                  /* dof: which group */
    int *place;                                     /* dof: which velocity of its group */
    int *dof_start, *dof;                           /* groups + 1, dof: velocities of each group */
    int *row_start, *row;                           /* groups + 1, rows: bilateral rows of each group, pivots first */
    int *rank;                                      /* groups: columns of Q */
    int *contact_start, *contact;                   /* groups + 1, pieces: contacts that touch a group, increasing */
    size_t *factor_at, *basis_at, *triangle_at;     /* groups: where L, Q and R begin */
    size_t *piece_at;                               /* pieces: where X of a contact in a group begins, size x d */
    double *factor, *basis, *triangle, *piece;      /* R is k x k of the k rows, upper; b-side of the pivots only */
    double *v, *l, *force, *slack, *correct, *give; /* dof, rows, dof, rows, dof, rows */
} crn_cone_global;

/* Groups, factors, whitened columns. CRN_OK with arena->overflow if memory ran out; CRN_ERR_ARGUMENT if M is not
 * positive definite. */
crn_status crn_cone_global_build(crn_cone_global *g, const crn_cone_problem *problem, crn_arena *arena,
                                 crn_error *error);

/* g->v and g->l of the impulses r (NULL: none), to rounding; u = H'v + w. */
void crn_cone_global_motion(crn_cone_global *g, const double *r, double *u);

/* Largest |G'v + b| of g->v. */
double crn_cone_global_row_error(const crn_cone_global *g);

/* delta_i = trace(W_ii) / d, not mended. */
void crn_cone_global_inverse_masses(const crn_cone_global *g, double *delta);

/* Block rows of the Delassus form, scaled. False if the arena is too small. */
bool crn_cone_global_condense(crn_cone_global *g, crn_cone_blocks *W, crn_arena *arena);

/* Velocities of group k. */
static inline int crn_cone_group_size(const crn_cone_global *g, int k)
{
    return g->dof_start[k + 1] - g->dof_start[k];
}

/* start, item: the numbers 0 .. count-1 sorted by key[], those with key -1 left out. */
void crn_cone_sort_by_key(int keys, int count, const int *key, int *start, int *item);

#endif
