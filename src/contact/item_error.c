/* Errors of one contact, or row: natural maps, and what velocities are known to. */
#include "contact/item_error.h"

#include <float.h>
#include <math.h>

#include "contact/friction_cone.h"
#include "contact/system.h"
#include "math/vec.h"

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

double crn_contact_item_error(crn_contact_law law, double mu, double delta, const double *r, const double *u,
                              const crn_error_scale *scale)
{
    double inverse = 1.0 / delta, p[3];
    double lifted = law == CRN_LAW_COULOMB ? u[0] + mu * crn_cone_length(u + 1) : u[0];
    double q[3] = {lifted * inverse, u[1] * inverse, u[2] * inverse};
    double y[3] = {r[0] - q[0], r[1] - q[1], r[2] - q[2]};
    bool is_inside = crn_cone_project(mu, y, p) == CRN_CONE_STICK; /* then e = q: no cancellation */
    double e[3] = {is_inside ? q[0] : r[0] - p[0], is_inside ? q[1] : r[1] - p[1], is_inside ? q[2] : r[2] - p[2]};
    double size = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
    size = law == CRN_LAW_COULOMB ? crn_max(size, parted_map(mu, r, u, inverse)) : size;
    double U = crn_rounding_scale(scale->U, fabs(r[0]) * delta);
    return crn_max(measure(size, delta, scale->R, U), DBL_EPSILON * fabs(r[0]) * delta / U);
}

/* Natural map of a row: its speed as an impulse, but where the projection ends at a bound. */
static double row_map(double bound, double l, double u, double delta)
{
    double p;
    return crn_row_clip(bound, l - u / delta, &p) ? fabs(u) / delta : fabs(l - p);
}

double crn_row_item_error(double bound, double delta, double factor, double l, double e, const crn_error_scale *scale)
{
    double size = row_map(bound, l, e, delta) / factor;
    double U = crn_rounding_scale(scale->U, fabs(l) * delta * factor);
    return crn_max(measure(size, delta * factor * factor, scale->R, U), DBL_EPSILON * fabs(l) * delta * factor / U);
}
