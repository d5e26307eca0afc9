/* The caller's problem: checks, and the rows of a contact from its geometry. */
#ifndef CRN_CONTACT_PROBLEM_H
#define CRN_CONTACT_PROBLEM_H

#include <cairn/contact.h>

/* Limits that keep every product of sizes within int, and z within an LCP that could be written down. */
#define CRN_DIRECTIONS_MAX 4096
#define CRN_CONTACTS_MAX   (1 << 24)

/* Are all n numbers finite? */
bool crn_all_finite(const double *x, int n);

/* Are the contact's columns given by position, normal and tangents? */
bool crn_contact_is_geometric(const crn_contact_problem *problem, const crn_contact_point *contact);

/* The columns of one side (dof x 3): side 0 is body a, side 1 body b; that body must not be the world. A pointer to
 * the caller's Jacobian, or to `space` (18 numbers) where they were computed from the geometry. */
const double *crn_contact_columns(const crn_contact_problem *problem, const crn_contact_point *contact, int side,
                                  double *space);

#endif
