/* The friction polygon: d corners d_j = (cos 2 pi j/d, sin 2 pi j/d); d = 2 is the segment from (1,0) to (-1,0).
 *
 * Edge j joins the corners j and j + 1. Its normal a_j with a_j.d_j = a_j.d_{j+1} = 1 makes the cone condition
 * |friction in the polygon| <= mu theta the same as  mu theta - a_j.f >= 0 for all j. */
#ifndef CRN_CONTACT_POLYGON_H
#define CRN_CONTACT_POLYGON_H

#include "math/elementary.h"

#include <math.h>

/* corner = (cos, sin) of 2 pi j / d for 0 <= j < d; whole quarter turns are exact, so d = 2 never feels t2. */
static inline void crn_corner(int d, int j, double *corner)
{
    static const double quarter[4][2] = {{1.0, 0.0}, {0.0, 1.0}, {-1.0, 0.0}, {0.0, -1.0}};
    static const double two_pi = 6.283185307179586;
    int turn = 4 * j / d;
    if (turn * d == 4 * j) {
        corner[0] = quarter[turn][0];
        corner[1] = quarter[turn][1];
        return;
    }
    crn_turn angle = crn_sin_cos(two_pi * j / d);
    corner[0] = angle.cos;
    corner[1] = angle.sin;
}

/* 4 d numbers: the corners, then the edge normals (unused for d = 2). */
void crn_polygon_fill(int d, double *table);

/* The same with corners at d angles that grow, by less than pi from one to the next and around. */
void crn_polygon_fill_at(int d, const double *angle, double *table);

/* The regular one for the commonest d, without computing anything; NULL for others. */
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
