/* A string round a circle of radius r about the origin, from p to q, both outside: it leaves p for the tangent point that is
 *
 *     b = acos(r / |p|)
 *
 * away from p's own direction, to the left or to the right, and comes to q likewise. So with a the angle from p to q, counted in the
 * sense in which it goes round, the arc is a - b_p - b_q; where that is negative there is no such way. A sphere is cut by the plane of
 * p, q and its centre; round a cylinder the string is straight once the surface is unrolled. */
#include "step/tendon_wrap.h"

#include "math/elementary.h"

#include <math.h>
#include <stddef.h>

typedef struct point {
    double x, y;
} point;

static double dot(point a, point b)
{
    return a.x * b.x + a.y * b.y;
}

/* r times the unit vector of p, turned by an angle. */
static point on_circle(point p, double angle, double r)
{
    double c = r * crn_cos(angle) / sqrt(dot(p, p)), s = r * crn_sin(angle) / sqrt(dot(p, p));
    return (point){c * p.x - s * p.y, s * p.x + c * p.y};
}

/* The point of the way from p to q that is nearest to the origin. */
static point nearest(point p, point q)
{
    point d = {q.x - p.x, q.y - p.y};
    double share = crn_fmin(crn_fmax(-dot(d, p) / dot(d, d), 0.0), 1.0);
    return (point){p.x + share * d.x, p.y + share * d.y};
}

/* One of both ways. */
typedef struct way {
    point touch[2];
    double arc;  /* angle; < 0: there is none */
    double good; /* the larger the better */
} way;

static way way_round(point p, point q, double r, double sense, const point *side)
{
    const double turn = 2.0 * crn_acos(-1.0);
    double before = crn_acos(r / sqrt(dot(p, p))), behind = crn_acos(r / sqrt(dot(q, q)));
    double angle = sense * crn_atan2(p.x * q.y - p.y * q.x, dot(p, q));
    way w = {{on_circle(p, sense * before, r), on_circle(q, -sense * behind, r)}, 0.0, 0.0};
    w.arc = (angle < 0.0 ? angle + turn : angle) - before - behind;
    point sum = {w.touch[0].x + w.touch[1].x, w.touch[0].y + w.touch[1].y};
    double length = sqrt(dot(sum, sum));
    w.good = side != NULL && length > 0.0 ? dot(sum, *side) / length : -w.arc;
    return w;
}

static bool round_circle(point p, point q, double r, const point *side, way *best)
{
    double rr = r * r, d = (p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y);
    if (dot(p, p) < rr || dot(q, q) < rr || !(d > 0.0)) {
        return false;
    }
    point near = nearest(p, q);
    if (dot(near, near) > rr && (side == NULL || dot(near, *side) >= 0.0)) {
        return false;
    }
    way left = way_round(p, q, r, 1.0, side), right = way_round(p, q, r, -1.0, side);
    bool is_left = left.arc >= 0.0 && (right.arc < 0.0 || left.good >= right.good);
    *best = is_left ? left : right;
    return best->arc >= 0.0;
}

/* Axes of the plane of the circle, in the frame of what is round. */
static void plane_of(const crn_wrap *wrap, crn_vec3 p, crn_vec3 q, crn_vec3 axis[2])
{
    axis[0] = crn_v3(1, 0, 0);
    axis[1] = crn_v3(0, 1, 0);
    crn_vec3 normal = crn_v3_cross(p, q);
    double size = crn_v3_length(normal);
    if (!wrap->is_cylinder && size > 0.0) {
        axis[0] = crn_v3_scale(1.0 / crn_v3_length(p), p);
        axis[1] = crn_v3_cross(crn_v3_scale(1.0 / size, normal), axis[0]);
    }
}

static point in_plane(const crn_vec3 axis[2], crn_vec3 p)
{
    return (point){crn_v3_dot(axis[0], p), crn_v3_dot(axis[1], p)};
}

static double apart(crn_vec3 p, crn_vec3 q)
{
    return crn_hypot(p.x - q.x, p.y - q.y);
}

bool crn_wrap_round(const crn_wrap *wrap, crn_vec3 from, crn_vec3 to, crn_vec3 touch[2], double *length)
{
    crn_vec3 p = crn_frame_local(wrap->frame, from), q = crn_frame_local(wrap->frame, to), axis[2];
    plane_of(wrap, p, q, axis);
    point side = {0, 0};
    if (wrap->side != NULL) {
        side = in_plane(axis, crn_frame_local(wrap->frame, *wrap->side));
    }
    way best;
    if (!round_circle(in_plane(axis, p), in_plane(axis, q), wrap->radius, wrap->side != NULL ? &side : NULL, &best)) {
        return false;
    }
    for (int k = 0; k < 2; ++k) {
        touch[k] = crn_v3_axpy(crn_v3_scale(best.touch[k].x, axis[0]), best.touch[k].y, axis[1]);
    }
    *length = wrap->radius * best.arc;
    if (wrap->is_cylinder) { /* it rises evenly along the unrolled way */
        double before = apart(p, touch[0]), behind = apart(q, touch[1]);
        double slope = (q.z - p.z) / (before + *length + behind);
        touch[0].z = p.z + slope * before;
        touch[1].z = q.z - slope * behind;
        *length = crn_hypot(*length, slope * *length);
    }
    for (int k = 0; k < 2; ++k) {
        touch[k] = crn_frame_point(wrap->frame, touch[k]);
    }
    return true;
}
