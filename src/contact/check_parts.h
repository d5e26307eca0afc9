/* What the certificate's files share. */
#ifndef CRN_CONTACT_CHECK_PARTS_H
#define CRN_CONTACT_CHECK_PARTS_H

#include <math.h>

#include "contact/check.h"

/* In a problem that has passed the checks a contact without any Jacobian has geometry. */
static inline bool crn_has_geometry(const crn_contact_point *contact)
{
    return !contact->jacobian_a && !contact->jacobian_b;
}

/* One side of a bilateral row: its Jacobian and body, or NULL. */
static inline const double *crn_row_side(const crn_contact_row *row, int side, int *body)
{
    *body = side == 0 ? row->a : row->b;
    const double *J = side == 0 ? row->jacobian_a : row->jacobian_b;
    return *body >= 0 ? J : NULL;
}

/* The larger, where NaN counts as infinite. */
static inline double crn_larger(double largest, double x)
{
    return x <= largest ? largest : isfinite(x) ? x : INFINITY;
}

/* The motion of all bodies from impulses: v = v_f + M^-1 (J'r + B'l). is_careful: sums are compensated. False if a factor of
 * mass.h does not belong to the caller's inertia. */
bool crn_measure_motion(const crn_measure *measure, bool is_careful, const double *r, const double *l, double *v);

/* What a violation of a contact, or of row item - contacts, is measured by: U, or more where rounding of the impulses is. */
double crn_measure_item_scale(crn_measure *measure, const double *r, const double *l, int item);

/* delta of contact i, its mean inverse mass. */
double crn_measure_inverse_mass(const crn_measure *measure, int i);

/* B v + offset of a row. */
double crn_measure_row_velocity(const crn_measure *measure, const crn_contact_row *row, const double *v);

#endif
