/* The certificate of impulses, from the stacked columns. */
#ifndef CRN_CONTACT_BODY_CHECK_H
#define CRN_CONTACT_BODY_CHECK_H

#include "contact/body_drive.h"

/* Relative certificate of bodies->r; sets v and u to the motion that belongs to r, u with the given offsets. */
double crn_body_check(crn_bodies *bodies, crn_contact_law law, const double *offset);

/* The largest impulse of bodies->r, rows in the unit of contacts. */
double crn_body_largest_impulse(const crn_bodies *bodies);

/* offset := as given to the solver, small ones 0. */
void crn_body_set_offsets(crn_bodies *bodies);

/* r := its projection onto the cones, rows within their bounds */
void crn_body_project(const crn_bodies *bodies, double *r);

#endif
