/* Friction cones K = {|r_t| <= mu r_n}: projection, its derivative, and Alart and Curnier's map  [AC91].
 *
 *     Proj_K(y)   |y_t| <= mu y_n: y;   mu |y_t| <= -y_n: 0;   else alpha (1, mu t),  t = y_t/|y_t|,
 *                 alpha = (y_n + mu |y_t|)/(1 + mu^2)
 *     derivative  I, 0, or d d'/(1 + mu^2) + (mu alpha/|y_t|)(I_t - t t'),  d = (1, mu t);  symmetric, between 0 and I
 *
 * Where columns of a contact are 0, y_t is 0 there and the same formulas give the half-line and the plane cone. */
#ifndef CRN_CONTACT_FRICTION_CONE_H
#define CRN_CONTACT_FRICTION_CONE_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Pieces of the projection on which its derivative is constant; on CONE_RIM it is not. */
typedef enum crn_cone_piece { CRN_CONE_OPEN = 0, CRN_CONE_STICK, CRN_CONE_RIM } crn_cone_piece;

/* A contact in the plane has two numbers: x as three, and the first d of three. */
static inline void crn_cone_three(int d, const double *x, double *three)
{
    three[0] = x[0];
    three[1] = x[1];
    three[2] = d > 2 ? x[2] : 0.0;
}

static inline void crn_cone_first(int d, const double *three, double *x)
{
    memcpy(x, three, (size_t)d * sizeof *x);
}

/* sqrt(x^2 + y^2) without overflow only where hypot() is not needed: velocities and impulses are of moderate size. */
static inline double crn_cone_length(const double *t)
{
    return sqrt(t[0] * t[0] + t[1] * t[1]);
}

static inline crn_cone_piece crn_cone_project(double mu, const double *y, double *p)
{
    double length = crn_cone_length(y + 1);
    if (y[0] >= 0.0 && length <= mu * y[0]) { /* the sign by itself: with mu = 0 both sides may be 0 */
        p[0] = y[0];
        p[1] = y[1];
        p[2] = y[2];
        return CRN_CONE_STICK;
    }
    if (mu * length <= -y[0]) {
        p[0] = p[1] = p[2] = 0.0;
        return CRN_CONE_OPEN;
    }
    double alpha = (y[0] + mu * length) / (1.0 + mu * mu), scale = length > 0.0 ? mu * alpha / length : 0.0;
    p[0] = alpha;
    p[1] = scale * y[1];
    p[2] = scale * y[2];
    return CRN_CONE_RIM;
}

/* rho times the derivative at y, whose projection is p: nn, n1, n2, 11, 12, 22 */
static inline void crn_cone_derivative(double mu, double rho, crn_cone_piece piece, const double *y, const double *p,
                                       double *P)
{
    memset(P, 0, 6 * sizeof *P);
    if (piece == CRN_CONE_STICK) {
        P[0] = P[3] = P[5] = rho;
    } else if (piece == CRN_CONE_RIM) {
        double length = crn_cone_length(y + 1), inverse = length > 0.0 ? 1.0 / length : 0.0;
        double t1 = y[1] * inverse, t2 = y[2] * inverse;
        double radial = rho / (1.0 + mu * mu), across = rho * mu * p[0] * inverse;
        P[0] = radial;
        P[1] = radial * mu * t1;
        P[2] = radial * mu * t2;
        P[3] = radial * mu * mu * t1 * t1 + across * t2 * t2;
        P[4] = (radial * mu * mu - across) * t1 * t2;
        P[5] = radial * mu * mu * t2 * t2 + across * t1 * t1;
    }
}

/* A row's impulse y within its bound, which may be infinite; true if it is not changed. A NaN passes. */
static inline bool crn_row_clip(double bound, double y, double *p)
{
    bool is_outside = fabs(y) > bound;
    *p = is_outside ? copysign(bound, y) : y;
    return !is_outside;
}

/* Alart and Curnier: p_n = max(0, y_n), p_t = y_t clipped to the disk of radius mu p_n. */
static inline crn_cone_piece crn_cone_clip(double mu, const double *y, double *p)
{
    if (!(y[0] > 0.0)) {
        p[0] = p[1] = p[2] = 0.0;
        return CRN_CONE_OPEN;
    }
    double length = crn_cone_length(y + 1), radius = mu * y[0];
    double scale = length <= radius ? 1.0 : radius / length;
    p[0] = y[0];
    p[1] = scale * y[1];
    p[2] = scale * y[2];
    return length <= radius ? CRN_CONE_STICK : CRN_CONE_RIM;
}

/* rho times the derivative of the clip, 3 x 3, column-major; unsymmetric on the rim */
static inline void crn_cone_clip_derivative(double mu, double rho, crn_cone_piece piece, const double *y, double *A)
{
    memset(A, 0, 9 * sizeof *A);
    if (piece == CRN_CONE_STICK) {
        A[0] = A[4] = A[8] = rho;
    } else if (piece == CRN_CONE_RIM) {
        double inverse = 1.0 / crn_cone_length(y + 1), t1 = y[1] * inverse, t2 = y[2] * inverse;
        double across = rho * mu * y[0] * inverse;
        A[0] = rho;
        A[1] = rho * mu * t1;
        A[2] = rho * mu * t2;
        A[4] = across * t2 * t2;
        A[5] = A[7] = -across * t1 * t2;
        A[8] = across * t1 * t1;
    }
}

#endif
