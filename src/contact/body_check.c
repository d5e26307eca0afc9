/* How well impulses r solve the problem:
 *
 *     v = k + X r,   u = X'v + offset,   u~ = u (convex) or u + mu |u_t| e_n (Coulomb),   e_i = r_i - Proj_K(r_i - u~_i/delta_i)
 *
 * relative: the largest of |e_i| delta_i / U and |e_i| / max(R, U/delta_i), with R the largest impulse and U the speed of
 * the free motion (system.h). A contact far away must not enter U, or it would loosen the test for all; in free flight R
 * tends to 0, hence U/delta. The dynamics hold to rounding because v is made from r. A bilateral row has
 * e = (B'v + offset)/delta, or with a bound e = l - Proj(l - (B'v + offset)/delta); it is measured in units in which the row
 * is as long as the longest normal.
 *
 * Impulses that balance one another may be of any size where a problem has no solution; u then drowns in their rounding
 * and the natural map with it. So epsilon |r_i| delta_i / U, what the velocities are known to, is a lower bound. */
#include "contact/body_check.h"

#include <float.h>
#include <math.h>

#include "contact/body_cone.h"
#include "math/vec.h"

static double largest_impulse(const crn_bodies *b)
{
    double square = 0.0, row = 0.0;
    for (int c = 0; c < b->system.contacts; ++c) {
        const double *r = b->r + 3 * (long)c;
        square = crn_max(square, r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
    }
    for (int c = 0; c < b->system.rows; ++c) {
        row = crn_max(row, fabs(b->r[3 * b->system.contacts + c]) / b->system.row_factor[c]);
    }
    return crn_max(row, sqrt(square));
}

static double measure(double e, double delta, double R, double U)
{
    return crn_max(e * delta / U, e / crn_max(R, U / delta));
}

/* Coulomb's law has a second natural map, normal and friction apart: min(r_n, u_n/delta), r_t - Proj_F(r_t - u_t/delta) with the
 * disk F of radius mu r_n. The two bound one another; who judges by either shall find what is promised. */
static double parted_map(double mu, const double *r, const double *u, double inverse)
{
    double q[3] = {u[0] * inverse, u[1] * inverse, u[2] * inverse}, y[2] = {r[1] - q[1], r[2] - q[2]};
    double length = crn_cone_length(y), radius = mu * crn_max(r[0], 0.0), normal = crn_min(r[0], q[0]);
    bool is_inside = length <= radius;
    double scale = is_inside ? 1.0 : radius / length;
    double t1 = is_inside ? q[1] : r[1] - scale * y[0], t2 = is_inside ? q[2] : r[2] - scale * y[1];
    return sqrt(normal * normal + t1 * t1 + t2 * t2);
}

/* Natural map of a row: its speed as an impulse, but where the projection ends at a bound. */
static double row_map(double bound, double l, double u, double delta)
{
    double p;
    return crn_row_clip(bound, l - u / delta, &p) ? fabs(u) / delta : fabs(l - p);
}

double crn_body_check(crn_bodies *b, crn_contact_law law, const double *offset)
{
    const crn_body_system *s = &b->system;
    crn_body_push(s, s->k, b->r, b->v);
    crn_body_slip(s, b->v, offset, b->u);
    double R = largest_impulse(b), U = b->scale, worst = 0.0;
    b->off = 0;
    for (int c = 0; c < s->contacts; ++c) {
        const double *r = b->r + 3 * (long)c, *u = b->u + 3 * (long)c;
        double mu = s->mu[c], inverse = 1.0 / s->delta[c], p[3];
        double lifted = law == CRN_LAW_COULOMB ? u[0] + mu * crn_cone_length(u + 1) : u[0];
        double q[3] = {lifted * inverse, u[1] * inverse, u[2] * inverse};
        double y[3] = {r[0] - q[0], r[1] - q[1], r[2] - q[2]};
        bool is_inside = crn_cone_project(mu, y, p) == CRN_CONE_STICK; /* then e = q: no cancellation */
        double e[3] = {is_inside ? q[0] : r[0] - p[0], is_inside ? q[1] : r[1] - p[1], is_inside ? q[2] : r[2] - p[2]};
        double size = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
        size = law == CRN_LAW_COULOMB ? crn_max(size, parted_map(mu, r, u, inverse)) : size;
        double scale = crn_rounding_scale(U, fabs(r[0]) * s->delta[c]), error = measure(size, s->delta[c], R, scale);
        error = crn_max(error, DBL_EPSILON * fabs(r[0]) * s->delta[c] / scale);
        b->off += error > CRN_BODIES_NEAR;
        worst = error > worst || isnan(error) ? error : worst;
    }
    for (int c = 0; c < s->rows; ++c) {
        double delta = s->delta[s->contacts + c], r = b->r[3 * s->contacts + c], factor = s->row_factor[c];
        double size = row_map(s->bound[c], r, b->u[3 * s->contacts + c], delta) / factor;
        double scale = crn_rounding_scale(U, fabs(r) * delta * factor),
               e = measure(size, delta * factor * factor, R, scale);
        e = crn_max(e, DBL_EPSILON * fabs(r) * delta * factor / scale);
        b->off += e > CRN_BODIES_NEAR;
        worst = e > worst || isnan(e) ? e : worst;
    }
    return isnan(worst) ? INFINITY : worst;
}

void crn_body_set_offsets(crn_bodies *b)
{
    const crn_body_system *s = &b->system;
    double band = CRN_BODIES_BAND * b->tol * b->scale;
    for (int i = 0; i < s->length; ++i) {
        b->offset[i] = fabs(s->offset[i]) < band ? 0.0 : s->offset[i];
    }
    for (int c = 0; c < s->contacts; ++c) {
        b->offset[3 * c] += s->mu[c] * b->slip[c];
    }
}

void crn_body_project(const crn_bodies *b, double *r)
{
    for (int c = 0; c < b->system.contacts; ++c) {
        (void)crn_cone_project(b->system.mu[c], r + 3 * (long)c, r + 3 * (long)c);
    }
    for (int c = 0; c < b->system.rows; ++c) {
        double *l = r + 3 * (long)b->system.contacts + c;
        (void)crn_row_clip(b->system.bound[c], *l, l);
    }
}
