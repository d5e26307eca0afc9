/* Coulomb's law by an interior point that goes down its central path and, where that folds back, on to another branch of it. */
#ifndef CRN_CONTACT_BODY_DESCENT_H
#define CRN_CONTACT_BODY_DESCENT_H

#include "contact/body_drive.h"

/* Where a descent is. */
typedef struct crn_body_descent {
    bool is_crossing; /* towards the point of some branch at ... */
    double sigma;     /* ... this mean product s o z, lower at each crossing */
    double kappa;     /* proximal term of the next step there; the largest one means none */
    int crossed;      /* steps of the crossing */
    bool is_offered;  /* Newton's method has been tried in it */
    double step;      /* length of the last step, at most 1 */
    double aim;       /* gap at which to stop next */
    bool is_paused;   /* the point is kept in bodies->from */
    bool is_lost;     /* no way on */
} crn_body_descent;

/* From bodies->r, as near to it as its certificate allows, but no nearer than `least`. */
crn_body_descent crn_body_descent_begin(crn_bodies *bodies, double least);

/* Go on, by at most so many factorisations, to where Newton is worth a trial: false if that was not reached. bodies->r are the impulses
 * there; bodies->from may not be touched if the descent is to be resumed. bodies->is_marked says whether bodies->mark is a point of the
 * path, the last on the way, where the determinant is positive. */
bool crn_body_descent_follow(crn_body_descent *descent, crn_bodies *bodies, int most);

#endif
