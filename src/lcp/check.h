/* The judge: how well a point solves the problem, and whether a vector proves that none does. Knows no solver. */
#ifndef CRN_LCP_CHECK_H
#define CRN_LCP_CHECK_H

#include "lcp/view.h"

/* Certificate of z (caller's units), and w = M z + q. work has 2 n entries. */
void crn_check_point(const crn_view *view, const double *z, double *w, double *work, crn_lcp_certificate *certificate);

/* Does y (caller's units, changed: noise is set to 0) prove that no z within the bounds has every w of the sign that
 * its row asks for? work has 2 n entries. */
bool crn_check_farkas(const crn_view *view, double *y, double *work);

#endif
