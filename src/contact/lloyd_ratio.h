/* The ratio test of Lloyd's methods. */
#ifndef CRN_CONTACT_LLOYD_RATIO_H
#define CRN_CONTACT_LLOYD_RATIO_H

#include "contact/lloyd_basis.h"

/* How far below 0 a variable may fall in one step (scaled units), so that ties at the noise of the data become a choice. */
#define CRN_LLOYD_SLACK 1e-11

/* Leaving "pairs" that are none. */
enum { CRN_LLOYD_Z0 = -1, CRN_LLOYD_NONE = -2 };

/* The pair whose basic variable leaves: z0 if it ties, otherwise the fastest of those that block within the slack
 * [H73]; CRN_LLOYD_NONE if nothing does. *length is the length of the edge. */
int crn_lloyd_ratio(int pairs, const crn_lloyd_point *point, const crn_lloyd_point *rate, double *length);

#endif
