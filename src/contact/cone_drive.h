/* How a local friction problem is solved: sweeps, then proximal Newton steps with rho following their success. */
#ifndef CRN_CONTACT_CONE_DRIVE_H
#define CRN_CONTACT_CONE_DRIVE_H

#include "contact/cone_newton.h"

typedef struct crn_cone_drive {
    const crn_cone_blocks *W;
    crn_cone_newton newton;
    double *r, *u, *anchor, *inside, *best; /* n each; inside: r put into its cones; best: that of least error so far */
    double error;                           /* of best, the larger of both residuals */
    double goal;                            /* stop at this error */
    int max_steps, sweeps;
    const char *route; /* what led to best */
} crn_cone_drive;

/* Order the contacts and take all memory. False if the arena is too small. */
bool crn_cone_drive_build(crn_cone_drive *s, const crn_cone_blocks *W, crn_arena *arena);

/* Find the r of least error into s->best (contacts' units). start: where to begin, contacts' units; NULL: cold.
 * max_steps 0: the method's own bound. */
void crn_cone_drive_run(crn_cone_drive *s, const double *start, double goal, int max_steps);

#endif
