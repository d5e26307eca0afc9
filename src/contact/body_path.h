/* Coulomb's law: its central path followed through every fold, to a solution. */
#ifndef CRN_CONTACT_BODY_PATH_H
#define CRN_CONTACT_BODY_PATH_H

#include "contact/body_drive.h"

/* Directions at a point of the path, where the boundary is 1 away. */
typedef struct crn_body_path_lengths {
    double beta; /* N + beta T is orthogonal to T */
    double tangent, curve, correction;
} crn_body_path_lengths;

/* Where a walk along the path is. */
typedef struct crn_body_path {
    bool is_lifting; /* the parameter is bodies->lift_share, from 0 to 1; else sigma, towards 0 */
    bool is_convex;  /* at the beginning: the convex law's path, with sigma for its parameter, is still to be found */
    double sigma, from_sigma;
    double from_lift;
    crn_body_path_lengths lengths; /* of the directions at hand, */
    bool is_known;                 /* which belong to the present point */
    double length;                 /* of the step along the tangent */
    bool is_led;                   /* the last step went along the tangent, from the point kept */
    int sign;                      /* of the determinant before the last step ... */
    bool has_corner;               /* ... which went beyond a corner */
    bool ends_at_corner;           /* the next step goes up to the first corner only */
    int alone, alone_max;          /* corrections without tangent, in a row; so many are one too many */
    double gap, aim;               /* the gap at the last halving; that at which to stop */
    int slow;                      /* steps since the last halving, where the path is near its end */
    bool is_paused;                /* the point is kept in bodies->from */
    int summits;                   /* folds beyond which sigma fell; at the last power of two of them ... */
    double travelled;              /* ... bodies->lap was kept: the way since then */
    bool is_lost;                  /* no way on, or round and round */
} crn_body_path;

/* From a point of the convex law's path, far out, which is found from anywhere, whatever the masses, if that law can be obeyed at all; mu |u_t|
 * comes in along the way. Way 0 is the path of the interior point; in another the contacts have products s o z of their own, up to
 * four times or a quarter of it: it leads elsewhere, and is long where that is short. */
crn_body_path crn_body_path_begin(crn_bodies *bodies, int way);

/* The same from slacks of so many U: for what the convex law cannot obey. */
crn_body_path crn_body_path_begin_far(crn_bodies *bodies, double share, int way);

/* From bodies->mark, which a descent has left on its way. */
crn_body_path crn_body_path_resume(crn_bodies *bodies);

/* Go on, by at most so many factorisations, to where Newton is worth a trial: false if that was not reached.
 * bodies->r are the impulses there; bodies->from may not be touched if the walk is to be resumed. */
bool crn_body_path_follow(crn_body_path *path, crn_bodies *bodies, int most);

#endif
