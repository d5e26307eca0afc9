/* The friction polygon: d corners d_j = (cos 2 pi j/d, sin 2 pi j/d); d = 2 is the segment from (1,0) to (-1,0).
 *
 * Edge j joins the corners j and j + 1. Its normal a_j with a_j.d_j = a_j.d_{j+1} = 1 makes the cone condition
 * |friction in the polygon| <= mu theta the same as  mu theta - a_j.f >= 0 for all j. */
#ifndef CRN_CONTACT_POLYGON_H
#define CRN_CONTACT_POLYGON_H

/* 4 d numbers: the corners, then the edge normals (unused for d = 2). */
void crn_polygon_fill(int d, double *table);

/* The same for the commonest d, without computing anything; NULL for others. */
const double *crn_polygon_known(int d);

static inline const double *crn_polygon_corner(const double *table, int j)
{
    return table + 2 * j;
}

static inline const double *crn_polygon_normal(const double *table, int d, int j)
{
    return table + 2 * (d + j);
}

/* The corner with the least d_j.u: where friction acts when the slip is u. */
int crn_polygon_against(const double *table, int d, const double *u);

#endif
