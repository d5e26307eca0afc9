/* The scaling of view.h: fills r, c, scale, s, q, lower and upper of a view whose storage is chosen. */
#ifndef CRN_LCP_SCALE_H
#define CRN_LCP_SCALE_H

#include "lcp/view.h"

/* row_max and col_max hold the largest |entries| of M's rows and columns; they may be view->q and view->lower. */
void crn_scale(crn_view *view, double *row_max, double *col_max);

#endif
