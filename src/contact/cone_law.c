/* One contact: u = B r + g under Coulomb's law has four candidates, tried in this order.
 *
 *     open    g_n >= 0                          r = 0
 *     stick   B r + g = 0, r in K               r = -B^-1 g
 *     slide   u_n = 0, u_t = -a r_t, a > 0      (B + a T) r = -g,  |r_t| = mu r_n       T = diag(0, 1, 1)
 *
 * Sliding is one equation in the scalar a: with r_n eliminated (S the Schur complement of B_nn, b the like of g)
 *
 *     (S + a I) r_t = -b,    r_n = -(g_n + B_nt r_t) / B_nn,     h(a) = 1/|r_t| - 1/(mu r_n) = 0
 *
 * 1/|r_t| is linear in a if S is a multiple of I, so secants on h converge fast; h < 0 at a = 0 (no stick) and h -> inf
 * with a (r_t -> 0 while r_n -> -g_n/B_nn > 0), so a bracket exists and bisection is the safeguard. */
#include "contact/cone_law.h"

#include "contact/friction_cone.h"

#include <math.h>

/* Least pivot of B relative to its largest diagonal entry: below it stick is not tried and sliding starts at a > 0. */
#define LEAST_PIVOT 1e-14
/* Steps of the root finder; bisection alone would need 53 for the last bit. */
#define MAX_STEPS 80
/* Relative width at which the bracket of a is closed. */
#define ROOT_WIDTH 4e-16

double crn_cone_tangent(int d, const double *x)
{
    return d == 2 ? fabs(x[1]) : sqrt(x[1] * x[1] + x[2] * x[2]);
}

double crn_cone_natural_map(int d, double mu, double rho, const double *r, const double *u, double *e)
{
    double y[3] = {0.0, 0.0, 0.0}, p[3], sum = 0.0;
    y[0] = r[0] - rho * (u[0] + mu * crn_cone_tangent(d, u));
    for (int k = 1; k < d; ++k) {
        y[k] = r[k] - rho * u[k];
    }
    (void)crn_cone_project(mu, y, p);
    for (int k = 0; k < d; ++k) {
        e[k] = r[k] - p[k];
        sum += e[k] * e[k];
    }
    return sqrt(sum);
}

/* The reduced problem of one sliding contact; in the plane the second tangent is absent: s11 = 1, the rest 0. */
typedef struct slider {
    double s00, s01, s10, s11, b0, b1; /* S and b */
    double n0, n1, gn;                 /* r_n = -(gn + n0 r_t0 + n1 r_t1), already divided by B_nn */
    double mu;
    double rn, r0, r1; /* answer at the last a */
} slider;

/* h(a), -inf where r_n is not positive; NaN if S + a I is singular. */
static double slide_at(slider *s, double a)
{
    const double d0 = s->s00 + a, d1 = s->s11 + a, det = d0 * d1 - s->s01 * s->s10;
    s->r0 = -(d1 * s->b0 - s->s01 * s->b1) / det;
    s->r1 = -(d0 * s->b1 - s->s10 * s->b0) / det;
    s->rn = -(s->gn + s->n0 * s->r0 + s->n1 * s->r1);
    return s->rn > 0.0 ? 1.0 / sqrt(s->r0 * s->r0 + s->r1 * s->r1) - 1.0 / (s->mu * s->rn) : -INFINITY;
}

/* The root of h in (0, inf). */
static bool slide_root(slider *s)
{
    /* where h would vanish if S were 0 and B_nt too */
    double low = 0.0, high = sqrt(s->b0 * s->b0 + s->b1 * s->b1) / (s->mu * -s->gn);
    double h_low = slide_at(s, 0.0), h_high = slide_at(s, high);
    for (int k = 0; k < MAX_STEPS && !(h_high > 0.0); ++k) {
        low = high;
        h_low = h_high;
        high *= 4.0;
        h_high = slide_at(s, high);
    }
    if (!(h_high >= 0.0) || !isfinite(high)) {
        return false;
    }
    for (int k = 0; k < MAX_STEPS && high - low > ROOT_WIDTH * high; ++k) {
        double a = high - h_high * (high - low) / (h_high - h_low); /* secant */
        /* Every third step, and where the secant is no help, halve. */
        if (!(a > low && a < high) || k % 3 == 2) {
            a = low + 0.5 * (high - low);
        }
        const double h = slide_at(s, a);
        if (h == 0.0) {
            break;
        }
        if (h > 0.0) {
            high = a;
            h_high = h;
        } else {
            low = a;
            h_low = h;
        }
    }
    return isfinite(s->rn) && isfinite(s->r0) && isfinite(s->r1) && s->rn >= 0.0;
}

/* S, b and the normal row of a contact with B_nn > 0. */
static slider reduce(int d, double mu, const double *B, const double *g)
{
    slider s = {.s11 = 1.0, .mu = mu, .gn = g[0] / B[0]};
    s.n0 = B[d] / B[0];
    s.s00 = B[1 + d] - B[1] * s.n0;
    s.b0 = g[1] - B[1] * s.gn;
    if (d == 3) {
        s.n1 = B[2 * d] / B[0];
        s.s01 = B[1 + 2 * d] - B[1] * s.n1;
        s.s10 = B[2 + d] - B[2] * s.n0;
        s.s11 = B[2 + 2 * d] - B[2] * s.n1;
        s.b1 = g[2] - B[2] * s.gn;
    }
    return s;
}

/* Stick: r at a = 0, if S is well enough conditioned for that and r is inside the cone. */
static bool stick(slider *s, double scale)
{
    if (!(s->s00 * s->s11 - s->s01 * s->s10 > LEAST_PIVOT * scale)) {
        return false;
    }
    (void)slide_at(s, 0.0);
    return s->rn >= 0.0 && s->r0 * s->r0 + s->r1 * s->r1 <= s->mu * s->mu * s->rn * s->rn;
}

/* Slip: r at the root, brought onto the cone where rounding left it outside. */
static bool slip(slider *s)
{
    if (s->b0 == 0.0 && s->b1 == 0.0) { /* nothing asks for friction */
        s->r0 = s->r1 = 0.0;
        s->rn = -s->gn;
        return true;
    }
    if (!slide_root(s)) {
        return false;
    }
    const double t = sqrt(s->r0 * s->r0 + s->r1 * s->r1), limit = s->mu * s->rn;
    if (t > limit) {
        s->r0 *= limit / t;
        s->r1 *= limit / t;
    }
    return true;
}

bool crn_cone_one_contact(int d, double mu, const double *B, const double *g, double *r)
{
    slider s = {.rn = 0.0};
    if (g[0] < 0.0) {
        if (!(B[0] > 0.0)) {
            return false;
        }
        s = reduce(d, mu, B, g);
        if (mu == 0.0) {
            s.rn = -s.gn;
        } else {
            const double first = B[0] + B[1 + d], scale = d == 2 ? first : (first + B[8]) * (first + B[8]);
            if (!stick(&s, scale) && !slip(&s)) {
                return false;
            }
        }
    }
    r[0] = s.rn;
    r[1] = s.r0;
    if (d == 3) {
        r[2] = s.r1;
    }
    return true;
}
