/* Coulomb's law at one contact: natural map, and the exact answer for one contact alone.
 *
 *     K = {|r_t| <= mu r_n},   K* = {u_n >= mu |u_t|},   law: K* contains u~ = u + mu |u_t| e_n, orthogonal to r in K [SF98]
 *
 * Normal component first, then one or two tangential ones (d = 2 or 3). */
#ifndef CRN_CONTACT_CONE_LAW_H
#define CRN_CONTACT_CONE_LAW_H

#include <stdbool.h>

/* |x_t| of a vector of dimension d */
double crn_cone_tangent(int d, const double *x);

/* e = r - Proj_K(r - rho u~): zero if and only if the law holds, whatever rho > 0. Returns |e|. */
double crn_cone_natural_map(int d, double mu, double rho, const double *r, const double *u, double *e);

/* r such that u = B r + g and r obey the law. B: d x d, column-major, positive definite or nearly so. False, with r
 * untouched, if B gives no answer. */
bool crn_cone_one_contact(int d, double mu, const double *B, const double *g, double *r);

#endif
