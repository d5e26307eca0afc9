/* Round cones by pivoting: polygons that are aimed.
 *
 * Where a disk and a polygon inscribed in it differ is the space behind the edges: 1/8 of the square of an edge's angle, and
 * nothing at a corner. So the polygon of each contact gets a corner where friction points, with others near it, and the
 * problem of these polygons is solved by pivoting, which needs no good start and does not mind masses of any ratio. The answer
 * tells where friction points; the polygons are aimed again and their corners drawn together, until Newton's method on what
 * is active, or the body level's, leads from the polygons' answer to that of the disks [docs/theory/states.md]. */
#ifndef CRN_CONTACT_AIM_H
#define CRN_CONTACT_AIM_H

#include "contact/active.h"
#include "contact/body_drive.h"
#include "contact/states.h"

typedef struct crn_aim {
    double *angle,
        *width;     /* contacts: where friction points, from t1 to t2 [rad]; how far corners are drawn apart [rad] */
    double *delta;  /* contacts: inverse masses */
    double *tables; /* polygons */
    double *r, *l, *u, *y;    /* the last polygons' answer: impulses, rows, contact velocities, motion */
    crn_contact_state *state; /* contacts: what they do, and what to begin with */
    bool *is_held;            /* rows: in the basis */
    crn_active active;
} crn_aim;

void crn_aim_layout(crn_aim *aim, const crn_system *system, crn_arena *arena);

/* Impulses r and rows l of Coulomb's law with disks, certified by the body level to tol; false if they are not found. States
 * are loaded with the system, and have its own polygons again afterwards. */
bool crn_aim_solve(crn_aim *aim, crn_states *states, crn_bodies *bodies, double tol, double *r, double *l,
                   crn_run *run);

#endif
