/* Vectors of three. */
#ifndef CRN_MATH_VEC3_H
#define CRN_MATH_VEC3_H

/* x'y */
static inline double crn_dot3(const double *x, const double *y)
{
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

/* z = x cross y; z is neither x nor y */
static inline void crn_cross(const double *x, const double *y, double *z)
{
    z[0] = x[1] * y[2] - x[2] * y[1];
    z[1] = x[2] * y[0] - x[0] * y[2];
    z[2] = x[0] * y[1] - x[1] * y[0];
}

#endif
