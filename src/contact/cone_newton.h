/* Proximal semi-smooth Newton on the local friction problem, in the contacts' own units (cone_blocks.h). */
#ifndef CRN_CONTACT_CONE_NEWTON_H
#define CRN_CONTACT_CONE_NEWTON_H

#include "contact/cone_blocks.h"
#include "contact/cone_jacobian.h"

typedef struct crn_cone_newton {
    const crn_cone_blocks *W;
    crn_cone_jacobian jacobian;
    double *u, *target, *F, *step, *trial, *product; /* n each; target: anchor - rho u */
    double *y, *A;                                   /* 3 per contact: the same; 9: rho dP/dy */
    unsigned char *piece;                            /* contacts: crn_cone_piece of y */
    bool *is_active;                                 /* contacts: not open where the factor is from */
    int steps;                                       /* since it was built: one factorisation each */
} crn_cone_newton;

/* Order the contacts and take all memory. False if the arena is too small. */
bool crn_cone_newton_build(crn_cone_newton *s, const crn_cone_blocks *W, crn_arena *arena);

/* Solve r = P(anchor - rho (W r + q)) for r, beginning at r. True if |F| fell to CRN_PROXIMAL_INNER of its first value;
 * otherwise r is where it stopped: after max_steps, at a step that hardly helps, or at a singular matrix. */
bool crn_cone_newton_run(crn_cone_newton *s, const double *anchor, double rho, double *r, int max_steps);

#endif
