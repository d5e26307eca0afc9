/* How far impulse and velocity of one item, a contact or a row, are from its law, as both iterative solvers measure it
 * (docs/theory/bodies.md, "How well"): the larger of the error as a speed over U and as an impulse over R. */
#ifndef CRN_CONTACT_ITEM_ERROR_H
#define CRN_CONTACT_ITEM_ERROR_H

#include <cairn/contact.h>

/* What errors are measured by: the speed of the free motion (system.h) and the largest impulse. */
typedef struct crn_error_scale {
    double U, R;
} crn_error_scale;

/* A contact with a round cone; delta: its inverse mass. */
double crn_contact_item_error(crn_contact_law law, double mu, double delta, const double *r, const double *u,
                              const crn_error_scale *scale);

/* A row; factor brings it to the length of the longest normal. */
double crn_row_item_error(double bound, double delta, double factor, double l, double e, const crn_error_scale *scale);

#endif
