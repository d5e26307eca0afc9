/* Corners of the friction polygon: unit vectors at the angles 2 pi j / d. */
#ifndef CRN_CONTACT_CORNER_H
#define CRN_CONTACT_CORNER_H

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
    corner[0] = cos(two_pi * j / d);
    corner[1] = sin(two_pi * j / d);
}

#endif
