/* Proof that no motion satisfies the contacts. */
#ifndef CRN_CONTACT_BODY_RAY_H
#define CRN_CONTACT_BODY_RAY_H

#include "contact/body_drive.h"

/* Does bodies->ray, made fit, prove that the law has no solution? Leaves the fitted ray there, all 0 if it proves nothing. */
bool crn_body_ray(crn_bodies *bodies, crn_contact_law law);

#endif
