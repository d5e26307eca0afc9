/* The judge of impulses: both residuals of crn_cone_result, from the caller's data alone. */
#ifndef CRN_CONTACT_CONE_JUDGE_H
#define CRN_CONTACT_CONE_JUDGE_H

#include <cairn/cone.h>

#include "contact/cone_global.h"

typedef struct crn_cone_judge {
    const crn_cone_problem *problem;
    crn_cone_global *global; /* NULL for the local form */
    double *q;               /* n: contact velocities without impulses */
    double *u;               /* n: those of the last r */
    double *delta;           /* contacts: mean inverse masses */
    double speed, q_norm;
} crn_cone_judge;

/* What does not depend on r. False if the arena is too small. */
bool crn_cone_judge_build(crn_cone_judge *judge, const crn_cone_problem *problem, crn_cone_global *global,
                          crn_arena *arena);

typedef struct crn_cone_verdict {
    double residual, residual_cone; /* as in crn_cone_result; infinity in place of NaN */
    double rounding;                /* what the first cannot be told from 0 by: eps ||r|| / ||q|| */
} crn_cone_verdict;

/* Judge r; leaves its u, and v and l in judge->global. */
crn_cone_verdict crn_cone_judge_run(crn_cone_judge *judge, const double *r);

/* Both residuals within tol, or the plain one lost in the rounding of r. */
bool crn_cone_verdict_is_good(const crn_cone_verdict *verdict, double tol);

#endif
