/* Lloyd's structural and reduced Lemke for one island  [L05 s5, s5.3, app. A-D].
 *
 * Lemke's method on the contact LCP [L05 eq. 8] without its matrix: every basis is solved through a dense system of order
 * at most dof + 2, made and factorised afresh at each pivot. "Structural" has all rows from the start; "reduced" starts
 * without friction and adds the friction rows of a contact when its theta becomes the driving variable for the first
 * time. They are here for the paper's tables and as an independent check of the default solver, not as the fastest way.
 *
 * Where this departs from the paper:
 *   - Misprints are corrected as told in docs/theory/lloyd.md.
 *   - Contacts are scaled by 1/|n_i| (whitened), velocities by the largest of the free motion; c = 1 in these units.
 *   - Ties: z0 leaves whenever it ties; otherwise, of all that block within Harris' slack [H73], the fastest. The paper
 *     names the lexicographic rule without details.
 *   - Reduced: friction rows come when theta starts to grow, not after its pivot. The paper leaves the moment open; later
 *     could be too late, since z0 may leave in that very pivot, and (59) needs z0 > 0.
 *   - Reduced: (59) is an inequality; we take the c for which the least new sigma equals z0, as it would with d'v = 0.
 *   - A path that goes round (ties can do that), or ends in a singular basis, is left for one with another c.
 *   - Reduced: a problem that grows on the way is no longer sure to be on a path that begins at the primary ray: the path
 *     may close in on itself or end on a ray where Lemke's would not. Then we start again, with the friction rows that
 *     have come in so far open from the start; in the end this is the structural method.
 *   - Bilateral rows, which the paper leaves out: their impulses are basic throughout and never tested; of dependent rows
 *     the later ones get impulse 0. */
#ifndef CRN_CONTACT_LLOYD_H
#define CRN_CONTACT_LLOYD_H

#include "contact/lloyd_basis.h"
#include "contact/run.h"

typedef struct crn_lloyd {
    crn_lloyd_basis basis;
    crn_lloyd_point point;         /* the basic variables */
    crn_lloyd_point rate;          /* their growth per unit of the driving variable */
    double largest_cover;          /* of all rows that take part */
    int opened;                    /* contacts whose friction rows came in on the present path */
    unsigned char *mark;           /* pairs: a basis that the path has passed, */
    int mark_r;                    /* its r, */
    crn_lloyd_source mark_driving; /* what drove there, */
    int mark_next;                 /* and the pivot at which the next one is marked */
} crn_lloyd;

/* Take memory; looks at dof, contacts, rows and directions of the system only. */
void crn_lloyd_layout(crn_lloyd *lloyd, const crn_system *system, crn_arena *arena);

/* Solve.
 *   is_reduced  friction rows on demand [L05 s5.3]; otherwise all at once
 *   max_pivots  0: our own bound
 *   r           3 per contact: impulses along n, t1, t2
 *   l           1 per bilateral row; may be NULL without rows
 *   run         outcome solved, ray, limit (pivots ran out), singular (a basis could not be solved) or error (the end was
 *               reached, but variables are negative); r and l are written in every case, and of use only if solved */
void crn_lloyd_solve(crn_lloyd *lloyd, const crn_system *system, bool is_reduced, int max_pivots, double *r, double *l,
                     crn_run *run);

#endif
