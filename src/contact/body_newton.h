/* Proximal semi-smooth Newton for the convex law. */
#ifndef CRN_CONTACT_BODY_NEWTON_H
#define CRN_CONTACT_BODY_NEWTON_H

#include "contact/body_drive.h"

/* Penalties: rho = kappa/delta. The first, if the start is not near; the factor per outer iteration; the least and the most that the cap allows. */
#define CRN_KAPPA_FIRST     1e4
#define CRN_KAPPA_GROWTH    30.0
#define CRN_KAPPA_CAP_LEAST 1e5
#define CRN_KAPPA_CAP_MOST  1e9

typedef struct crn_newton_plan {
    double accept;          /* a certificate that will do ... */
    double aim;             /* ... and the one to iterate for */
    double kappa;           /* first penalty */
    int max_factorizations; /* fresh ones */
    double start;           /* certificate of r with bodies->offset, if v and u belong to them; 0: not taken yet */
} crn_newton_plan;

/* Improve bodies->r for the convex law with bodies->offset; returns its certificate there. */
double crn_body_newton(crn_bodies *bodies, const crn_newton_plan *plan);

/* The largest penalty whose rounding still allows `aim`: r changes by rho times a velocity that is known to epsilon |v|. */
double crn_body_kappa_cap(const crn_bodies *bodies, double aim);

/* rho := kappa/delta of all items */
void crn_body_set_rho(crn_bodies *bodies, double kappa);

/* y and p of the rows from bodies->u, and what their derivatives are: 1 within their bounds, 0 outside. */
void crn_body_evaluate_rows(crn_bodies *bodies);

/* rho times those derivatives, into bodies->weight */
void crn_body_weigh_rows(crn_bodies *bodies);

/* phi'(t) along the step from v with v + t step: (v - k + t step)'step - sum Proj_K(y - t rho w)'w, where y belongs to v and
 * w = X'step. In the header for its test. */
double crn_body_slope(const crn_bodies *bodies, double t);

/* y, p and pieces of the projection from bodies->u; gradient of phi at v. */
void crn_body_evaluate(crn_bodies *bodies);

/* H = I + sum rho X P X' at the pieces last evaluated, factorised; false if it is not positive definite to rounding. */
bool crn_body_factorize(crn_bodies *bodies, double kappa);

#endif
