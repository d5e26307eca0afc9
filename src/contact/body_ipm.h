/* Primal-dual interior point for the convex law: near a solution from anywhere, in some fifteen iterations. */
#ifndef CRN_CONTACT_BODY_IPM_H
#define CRN_CONTACT_BODY_IPM_H

#include "contact/body_drive.h"

/* From impulses nearer than this the convex law's steps are short. */
#define CRN_IPM_LEAST 0.1

/* Iterations that are enough where there is no other limit. */
#define CRN_IPM_MOST 100

typedef struct crn_ipm_plan {
    bool is_cold; /* start at the free motion; else near bodies->r, as near as their certificate allows ... */
    double least; /* ... but no nearer than this certificate: at the boundary steps are short */
    int most;     /* iterations */
    double gap;   /* at which to stop, as crn_inside_progress has it; 0: where Newton's method is near enough */
} crn_ipm_plan;

/* Set bodies->r to impulses near a solution with bodies->offset, for Newton to finish; their certificate is the caller's to take.
 * False if a factor broke down before a first step. */
bool crn_body_interior_point(crn_bodies *bodies, const crn_ipm_plan *plan);

#endif
