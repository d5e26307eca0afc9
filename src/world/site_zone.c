/* The zone of a site: where a ray passes through it, as an interval of the ray. All zones are convex, along the site's axes. */
#include "world/world.h"

#include <math.h>

#include "math/elementary.h"

typedef struct interval {
    double from, to;
} interval;

static const interval nowhere = {1.0, 0.0};

static interval common(interval x, interval y)
{
    return (interval){crn_fmax(x.from, y.from), crn_fmin(x.to, y.to)};
}

/* Where |x + t v| <= half. */
static interval within_slab(double x, double v, double half)
{
    if (v == 0.0) {
        return fabs(x) <= half ? (interval){-(double)INFINITY, (double)INFINITY} : nowhere;
    }
    double one = (-half - x) / v, two = (half - x) / v;
    return (interval){crn_fmin(one, two), crn_fmax(one, two)};
}

/* Where a t^2 + 2 b t + c <= 0. */
static interval within_quadric(double a, double b, double c)
{
    double square = b * b - a * c;
    if (!(a > 0.0)) { /* along the axis of a cylinder */
        return c <= 0.0 ? (interval){-(double)INFINITY, (double)INFINITY} : nowhere;
    }
    return square >= 0.0 ? (interval){(-b - sqrt(square)) / a, (-b + sqrt(square)) / a} : nowhere;
}

static interval within_ball(crn_vec3 p, crn_vec3 d, double radius)
{
    return within_quadric(crn_v3_dot(d, d), crn_v3_dot(p, d), crn_v3_dot(p, p) - radius * radius);
}

static interval within_tube(crn_vec3 p, crn_vec3 d, double radius, double half)
{
    interval round =
        within_quadric(d.x * d.x + d.y * d.y, p.x * d.x + p.y * d.y, p.x * p.x + p.y * p.y - radius * radius);
    return common(round, within_slab(p.z, d.z, half));
}

static bool is_ahead(interval x)
{
    return x.to >= crn_fmax(x.from, 0.0);
}

bool crn_zone_meets_ray(crn_shape_kind kind, crn_vec3 size, crn_vec3 from, crn_vec3 direction)
{
    crn_vec3 p = from, d = direction, up = {0, 0, size.y};
    switch (kind) {
    case CRN_SHAPE_BOX:
        return is_ahead(common(within_slab(p.x, d.x, size.x),
                               common(within_slab(p.y, d.y, size.y), within_slab(p.z, d.z, size.z))));
    case CRN_SHAPE_ELLIPSOID:
        return is_ahead(within_ball(crn_v3(p.x / size.x, p.y / size.y, p.z / size.z),
                                    crn_v3(d.x / size.x, d.y / size.y, d.z / size.z), 1.0));
    case CRN_SHAPE_CYLINDER: return is_ahead(within_tube(p, d, size.x, size.y));
    case CRN_SHAPE_CAPSULE:
        return is_ahead(within_tube(p, d, size.x, size.y)) || is_ahead(within_ball(crn_v3_sub(p, up), d, size.x)) ||
               is_ahead(within_ball(crn_v3_add(p, up), d, size.x));
    default: return is_ahead(within_ball(p, d, size.x));
    }
}
