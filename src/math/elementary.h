/* Sine, cosine, arc tangent, exponential, logarithm and length with the same bits on every machine.
 *
 * The platform's own differ: between C libraries, and within one of them by what the processor has (glibc takes other code where
 * there are fused multiply-adds). These here use additions, multiplications, divisions and square roots only, which IEEE 754
 * rounds in one way. Errors are below 0.9 units in the last place, at every argument. */
#ifndef CRN_MATH_ELEMENTARY_H
#define CRN_MATH_ELEMENTARY_H

#include "base/shared.h"

#include <math.h>

typedef struct crn_turn {
    double sin, cos;
} crn_turn;

/* Both of one angle. */
CRN_SHARED crn_turn crn_sin_cos(double angle);
CRN_SHARED double crn_sin(double angle);
CRN_SHARED double crn_cos(double angle);

/* The angle of (x, y), -pi to pi; signs of zeros count as in the C library. */
CRN_SHARED double crn_atan2(double y, double x);
CRN_SHARED double crn_acos(double x);

CRN_SHARED double crn_exp(double x);
CRN_SHARED double crn_log(double x);

/* sqrt(x^2 + y^2), without overflow on the way. */
double crn_hypot(double x, double y);

/* As fmax() and fmin(): a NaN loses. Which zero they return of 0 and -0 is the platform's choice; here 0 is the larger. */
static inline double crn_fmax(double a, double b)
{
    if (a == b) {
        return signbit(a) ? b : a;
    }
    return a > b || isnan(b) ? a : b;
}

static inline double crn_fmin(double a, double b)
{
    if (a == b) {
        return signbit(a) ? a : b;
    }
    return a < b || isnan(b) ? a : b;
}

#endif
