/* Primal-dual interior point for the convex law: near a solution from anywhere, in some fifteen iterations. */
#ifndef CRN_CONTACT_BODY_IPM_H
#define CRN_CONTACT_BODY_IPM_H

#include "contact/body_drive.h"

/* Set bodies->r to impulses near the solution of the convex law with bodies->offset, for Newton to finish; their
 * certificate is the caller's to take. It starts near bodies->r, as near as their certificate allows, or cold: from the free
 * motion. False if a Cholesky factor broke down before a first step. */
bool crn_body_interior_point(crn_bodies *bodies, bool is_cold);

#endif
