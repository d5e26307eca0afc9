/* The natural map of one contact's law: 0 exactly where impulse and velocity obey it. Everything is measured as an impulse,
 * w = u / delta; with friction f = r_t
 *
 *     Coulomb   e_n = min(r_n, w_n),   e_t = f - Proj_F(f - w_t),   F = mu max(r_n, 0) x polygon, disk or segment
 *     convex    e = r - Proj_K(r - w),  K = {|r_t| <= mu r_n}                                [HA03 eq. 2.10]
 */
#include "contact/natural_map.h"

#include <math.h>

#include "math/elementary.h"
#include "math/vec.h"
#include "math/vec3.h"

static void set_polygon(crn_map_polygon *p, int directions)
{
    if (p->directions != directions) {
        double half = 3.14159265358979323846 / directions;
        bool is_common = directions == 8; /* nearly every problem's: no call of cos and sin for it */
        p->directions = directions;
        p->cos_half = is_common ? 0.92387953251128675613 : crn_cos(half);
        p->sin_half = is_common ? 0.38268343236508977173 : crn_sin(half);
        p->cos_step = p->cos_half * p->cos_half - p->sin_half * p->sin_half;
        p->sin_step = 2.0 * p->sin_half * p->cos_half;
    }
}

static void rotate_back(double c, double s, double *x)
{
    double x0 = c * x[0] + s * x[1];
    x[1] = c * x[1] - s * x[0];
    x[0] = x0;
}

/* |f - Proj(f - w)|^2 on the polygon with corners (radius, 0), ... The polygon is even: it is its own mirror image in
 * both axes, so y = f - w is mirrored into the first quadrant, then turned until it looks at the first edge. f and w go
 * with it, since only the length of e is wanted. e is w itself along what is not projected: a large f does not swallow it. */
static double polygon_square(const crn_map_polygon *g, double radius, const double *friction, const double *slip)
{
    double f[2], w[2], y[2];
    for (int k = 0; k < 2; ++k) {
        double sign = friction[k] - slip[k] < 0.0 ? -1.0 : 1.0;
        f[k] = sign * friction[k];
        w[k] = sign * slip[k];
        y[k] = f[k] - w[k];
    }
    double inner = radius * g->cos_half;
    if (y[0] * y[0] + y[1] * y[1] <= inner * inner) { /* within the inscribed circle */
        return w[0] * w[0] + w[1] * w[1];
    }
    for (int j = 0; j < g->directions / 4 && g->cos_step * y[1] > g->sin_step * y[0]; ++j) {
        rotate_back(g->cos_step, g->sin_step, f);
        rotate_back(g->cos_step, g->sin_step, w);
        rotate_back(g->cos_step, g->sin_step, y);
    }
    rotate_back(g->cos_half, g->sin_half, f); /* now the edge is x = apothem, |y| <= side */
    rotate_back(g->cos_half, g->sin_half, w);
    rotate_back(g->cos_half, g->sin_half, y);
    double apothem = radius * g->cos_half, side = radius * g->sin_half;
    if (y[0] <= apothem) {
        return w[0] * w[0] + w[1] * w[1];
    }
    double across = f[0] - apothem;
    double along = y[1] > side ? f[1] - side : y[1] < -side ? f[1] + side : w[1];
    return across * across + along * along;
}

/* The same on the disk. */
static double disk_square(double radius, const double *f, const double *w)
{
    double y[2] = {f[0] - w[0], f[1] - w[1]};
    double length = sqrt(y[0] * y[0] + y[1] * y[1]);
    if (length <= radius) {
        return w[0] * w[0] + w[1] * w[1];
    }
    double e[2] = {f[0] - y[0] * (radius / length), f[1] - y[1] * (radius / length)};
    return e[0] * e[0] + e[1] * e[1];
}

/* The same on the segment along t1; friction along t2 is wrong altogether. */
static double segment_square(double radius, const double *f, const double *w)
{
    double y = f[0] - w[0];
    double e = y > radius ? f[0] - radius : y < -radius ? f[0] + radius : w[0];
    return e * e + f[1] * f[1];
}

/* |r - Proj_K(r - w)|^2 on the round cone. */
static double cone_square(double mu, const double *r, const double *w)
{
    double y[3] = {r[0] - w[0], r[1] - w[1], r[2] - w[2]};
    double tangent = sqrt(y[1] * y[1] + y[2] * y[2]);
    if (tangent <= mu * y[0]) {
        return crn_dot3(w, w);
    }
    if (mu * tangent <= -y[0]) {
        return crn_dot3(r, r);
    }
    double alpha = (y[0] + mu * tangent) / (1.0 + mu * mu), along = mu * alpha / tangent;
    double e[3] = {r[0] - alpha, r[1] - along * y[1], r[2] - along * y[2]};
    return crn_dot3(e, e);
}

double crn_natural_square(crn_contact_cone cone, crn_contact_law law, crn_map_polygon *polygon,
                          const crn_contact_point *contact, const double *r, const double *w)
{
    int columns = crn_used_columns(contact);
    double normal = r[0] < w[0] ? r[0] : w[0]; /* a NaN in r or w stays one, see judge_contact() */
    double radius = contact->mu * crn_max(r[0], 0.0);
    if (columns == 1) {
        return normal * normal + r[1] * r[1] + r[2] * r[2];
    }
    if (law == CRN_LAW_CONVEX) {
        double planar[3] = {w[0], w[1], 0.0}, in_plane[3] = {r[0], r[1], 0.0};
        return columns == 2 ? cone_square(contact->mu, in_plane, planar) + r[2] * r[2] : cone_square(contact->mu, r, w);
    }
    if (r[0] == 0.0 && r[1] == 0.0 && r[2] == 0.0) { /* no impulse: F is a point */
        return normal * normal;
    }
    if (columns == 2) {
        return normal * normal + segment_square(radius, r + 1, w + 1);
    }
    if (cone == CRN_CONE_ROUND) {
        return normal * normal + disk_square(radius, r + 1, w + 1);
    }
    set_polygon(polygon, contact->directions);
    return normal * normal + polygon_square(polygon, radius, r + 1, w + 1);
}
