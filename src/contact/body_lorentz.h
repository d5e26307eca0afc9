/* One contact's cone in an interior point: Nesterov and Todd's scaling and the products of the Lorentz cone  [NT97].
 *
 * With J = diag(1, -1, -1), s- = s/sqrt(s'Js), z- likewise, g = sqrt((1 + s-'z-)/2):
 *
 *     w = (s- + J z-)/(2 g),  eta^2 = sqrt(s'Js / z'Jz),  W = eta [w0, w1'; w1, I + w1 w1'/(1 + w0)],  W z = W^-1 s = lambda
 *     W^-2 = eta^-2 (2 (Jw)(Jw)' - J) */
#ifndef CRN_CONTACT_BODY_LORENTZ_H
#define CRN_CONTACT_BODY_LORENTZ_H

#include <math.h>

#include "contact/friction_cone.h"
#include "contact/body_drive.h"
#include "math/vec3.h"

/* x'Jx without cancellation */
static inline double crn_lorentz(const double *x)
{
    double t = crn_cone_length(x + 1);
    return (x[0] - t) * (x[0] + t);
}

/* --- Scaling --- */

static inline void crn_apply_W(const crn_body_cone_state *c, const double *x, double sign, double scale, double *to)
{
    double t = c->w[1] * x[1] + c->w[2] * x[2], f = sign * x[0] + t / (1.0 + c->w[0]);
    to[0] = scale * (c->w[0] * x[0] + sign * t);
    to[1] = scale * (x[1] + f * c->w[1]);
    to[2] = scale * (x[2] + f * c->w[2]);
}

static inline void crn_times_W(const crn_body_cone_state *c, const double *x, double *to) /* W x */
{
    crn_apply_W(c, x, 1.0, c->eta, to);
}

static inline void crn_over_W(const crn_body_cone_state *c, const double *x, double *to) /* W^-1 x */
{
    crn_apply_W(c, x, -1.0, 1.0 / c->eta, to);
}

static inline void crn_over_W_twice(const crn_body_cone_state *c, const double *x, double *to) /* W^-2 x */
{
    double scale = 1.0 / (c->eta * c->eta), q = 2.0 * (c->w[0] * x[0] - c->w[1] * x[1] - c->w[2] * x[2]);
    to[0] = scale * (q * c->w[0] - x[0]);
    to[1] = scale * (x[1] - q * c->w[1]);
    to[2] = scale * (x[2] - q * c->w[2]);
}

/* (W^2 + beta)^-1 x: W^2 has the eigenvectors (1, t), (1, -t) and across, t = w_1/|w_1|, with eta^2 (w0 + |w1|)^2, its inverse and eta^2. */
static inline void crn_over_damped_W(const crn_body_cone_state *c, double beta, const double *x, double *to)
{
    double length = crn_cone_length(c->w + 1), scale = c->eta * c->eta, along = (c->w[0] + length) * (c->w[0] + length);
    double t[2] = {length > 0.0 ? c->w[1] / length : 1.0, length > 0.0 ? c->w[2] / length : 0.0};
    double tail = t[0] * x[1] + t[1] * x[2], across = (t[0] * x[2] - t[1] * x[1]) / (scale + beta);
    double first = 0.5 * (x[0] + tail) / (scale * along + beta), second = 0.5 * (x[0] - tail) / (scale / along + beta);
    to[0] = first + second;
    to[1] = (first - second) * t[0] - across * t[1];
    to[2] = (first - second) * t[1] + across * t[0];
}

/* The change of z that c asks for where s changes by x + beta times that: (W^2 + beta)^-1 (W c - x) */
static inline void crn_cone_damped_answer(const crn_body_cone_state *c, double beta, const double *x, double *to)
{
    double rest[3];
    crn_times_W(c, c->c, rest);
    for (int j = 0; j < 3; ++j) {
        rest[j] -= x[j];
    }
    crn_over_damped_W(c, beta, rest, to);
}

/* The change of z that c asks for where s changes by x: W^-1 c - W^-2 x */
static inline void crn_cone_answer(const crn_body_cone_state *c, const double *x, double *to)
{
    double first[3], second[3];
    crn_over_W(c, c->c, first);
    crn_over_W_twice(c, x, second);
    for (int j = 0; j < 3; ++j) {
        to[j] = first[j] - second[j];
    }
}

static inline void crn_set_scaling(crn_body_cone_state *c)
{
    double ss = crn_lorentz(c->s), zz = crn_lorentz(c->z), root_s = 1.0 / sqrt(ss), root_z = 1.0 / sqrt(zz);
    double s[3] = {c->s[0] * root_s, c->s[1] * root_s, c->s[2] * root_s};
    double z[3] = {c->z[0] * root_z, c->z[1] * root_z, c->z[2] * root_z};
    double scale = 0.5 / sqrt(0.5 * (1.0 + crn_dot3(s, z)));
    c->w[1] = scale * (s[1] - z[1]);
    c->w[2] = scale * (s[2] - z[2]);
    c->w[0] = sqrt(1.0 + c->w[1] * c->w[1] + c->w[2] * c->w[2]); /* w'Jw = 1 */
    c->eta = sqrt(sqrt(ss / zz));
    crn_times_W(c, c->z, c->lambda);
}

/* c with lambda o c = d */
static inline void crn_arrow_solve(const double *lambda, const double *d, double *c)
{
    c[0] = (lambda[0] * d[0] - lambda[1] * d[1] - lambda[2] * d[2]) / crn_lorentz(lambda);
    c[1] = (d[1] - c[0] * lambda[1]) / lambda[0];
    c[2] = (d[2] - c[0] * lambda[2]) / lambda[0];
}

static inline void crn_arrow_times(const double *x, const double *y, double *to) /* x o y */
{
    double head = crn_dot3(x, y);
    to[1] = x[0] * y[1] + y[0] * x[1];
    to[2] = x[0] * y[2] + y[0] * x[2];
    to[0] = head;
}

#endif
