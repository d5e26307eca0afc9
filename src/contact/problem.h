/* The caller's problem: checks, and the rows of a contact from its geometry. */
#ifndef CRN_CONTACT_PROBLEM_H
#define CRN_CONTACT_PROBLEM_H

#include <cairn/contact.h>

#include "base/shared.h"

#include <math.h>

/* Limits that keep every product of sizes within int, and z within an LCP that could be written down. */
#define CRN_DIRECTIONS_MAX 4096
#define CRN_CONTACTS_MAX   (1 << 24)

/* Are all n numbers finite? */
bool crn_all_finite(const double *x, int n);

/* Are all numbers of a problem finite, whose indices and sizes are right? May be false where only their sum is not. */
bool crn_contact_is_finite(const crn_contact_problem *problem);

/* Are the contact's columns given by position, normal and tangents? */
bool crn_contact_is_geometric(const crn_contact_problem *problem, const crn_contact_point *contact);

/* Is one of the contact's bodies planar? */
static inline bool crn_contact_is_planar(const crn_contact_problem *problem, const crn_contact_point *contact)
{
    return problem->body[contact->a >= 0 ? contact->a : contact->b].kind == CRN_MASS_PLANAR;
}

/* Does the row's impulse have a bound? */
static inline bool crn_row_is_bounded(const crn_contact_row *row)
{
    return row->bound > 0.0 && row->bound < INFINITY;
}

/* 1 / length of a vector with that square of its length; near 1 by one term of the series, the next being below rounding. */
static inline double crn_unit_factor(double square)
{
    return fabs(square - 1.0) < 1e-8 ? 1.5 - 0.5 * square : 1.0 / sqrt(square);
}

/* Normal and tangents of a geometric contact as unit vectors: frame[0..2] n, [3..5] t1, [6..8] t2. Where the caller gives
 * no tangents they are chosen; of planar bodies t1 = (-n_y, n_x, 0) and t2 = (0, 0, 1). */
void crn_contact_frame(const crn_contact_problem *problem, const crn_contact_point *contact, double *frame);

/* The columns of one side (dof x 3): side 0 is body a, side 1 body b; that body must not be the world. A pointer to
 * the caller's Jacobian, or to `space` (18 numbers) where they were computed from the geometry. */
CRN_SHARED const double *crn_contact_columns(const crn_contact_problem *problem, const crn_contact_point *contact,
                                             int side, double *space);

#endif
