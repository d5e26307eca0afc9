/* Newton's method on what is active: the equations of Coulomb's law with disks once it is known which contacts slip, which
 * stick and which rows are held. Small and dense; no parameter weighs impulses against velocities, so that masses of any ratio
 * do not matter. The answer may leave the cone: whoever asks has it judged.
 *
 *     state    unknowns                            equations
 *     ON       r_n                                 u_n = 0
 *     slip     r_n; angle a, r_t = mu r_n d(a)     u_n = 0; u_t d'(a) = 0, so that friction is along the slip
 *     STICK    r_n, r_t                            u = 0
 *     row      l                                   its speed = 0
 */
#ifndef CRN_CONTACT_ACTIVE_H
#define CRN_CONTACT_ACTIVE_H

#include "contact/system.h"
#include "math/lu.h"

/* One unknown and the equation at its place. */
typedef struct crn_active_item {
    int contact;  /* or contacts + row */
    int part;     /* 0: normal; 1, 2: along a tangent, or 1 across the friction of a contact that slips */
    double scale; /* 1 / |normal|, or of the row: equations and unknowns are of one size */
    double slope; /* slip: change of the equation with the angle itself, over mu r_n */
} crn_active_item;

typedef struct crn_active {
    int items, capacity;
    crn_active_item *item;
    double *column, *row; /* dof x capacity: how unknowns change the motion; the motion's part in the equations */
    double *matrix, *x;   /* capacity x capacity; steps */
    int *pivot;
    double *y, *u, *e; /* motion, contact velocities, rows' speeds */
    double *r, *l;     /* the best so far */
} crn_active;

void crn_active_layout(crn_active *active, const crn_system *system, crn_arena *arena);

/* Improve r (3 per contact) and l (1 per row); they stay where no step makes the equations' errors smaller. is_held: 1 per
 * row, NULL without rows. */
void crn_active_solve(crn_active *active, const crn_system *system, const crn_contact_state *state, const bool *is_held,
                      double *r, double *l);

#endif
