/* Where a ray first meets a shape.
 *
 * A convex shape is cut out of space by half-spaces and quadrics, and the ray is in it between the last point where it enters one of
 * them and the first where it leaves one. Along p + t d a quadric  q(x) = x'Dx + e  (D diagonal) is  a t^2 + 2 b t + c.  Meshes and
 * height fields are asked triangle by triangle. A ray that begins inside meets the shape at once. What a kind is made of is in its
 * file of shapes/. */
#include "collide/ray.h"

/* Keep what is between in and out. */
static void clip(crn_cut *c, double in, double out, crn_vec3 normal)
{
    if (in > c->enter) {
        c->enter = in;
        c->normal = normal;
    }
    c->leave = out < c->leave ? out : c->leave;
}

void crn_cut_half_space(crn_cut *c, crn_vec3 n, double d)
{
    double height = crn_v3_dot(n, c->from) - d, rate = crn_v3_dot(n, c->along);
    if (rate < 0.0) {
        clip(c, -height / rate, (double)INFINITY, n);
    } else if (rate > 0.0) {
        clip(c, -(double)INFINITY, -height / rate, n);
    } else if (height > 0.0) {
        crn_cut_nothing(c);
    }
}

void crn_cut_quadric(crn_cut *c, crn_vec3 D, double e, crn_vec3 centre)
{
    crn_vec3 p = crn_v3_sub(c->from, centre), d = c->along;
    crn_vec3 Dp = {D.x * p.x, D.y * p.y, D.z * p.z}, Dd = {D.x * d.x, D.y * d.y, D.z * d.z};
    double a = crn_v3_dot(d, Dd), b = crn_v3_dot(p, Dd), q = crn_v3_dot(p, Dp) - e;
    double root = b * b - a * q;
    if (a == 0.0) { /* along a ruling, or all parallel */
        if (b == 0.0 && q > 0.0) {
            crn_cut_nothing(c);
        } else if (b != 0.0) {
            double t = -0.5 * q / b;
            crn_vec3 n = crn_v3_axpy(Dp, t, Dd);
            clip(c, b < 0.0 ? t : -(double)INFINITY, b < 0.0 ? (double)INFINITY : t, n);
        }
        return;
    }
    if (root < 0.0) {
        if (a > 0.0) {
            crn_cut_nothing(c);
        }
        return;
    }
    double s = -(b + copysign(sqrt(root), b)), t = s / a, u = s != 0.0 ? q / s : 0.0; /* without cancellation */
    double first = t < u ? t : u, last = t < u ? u : t;
    if (a > 0.0) {
        clip(c, first, last, crn_v3_axpy(Dp, first, Dd));
    } else if (d.z < 0.0) { /* steeper than the cone: into the nappe, or out of it */
        clip(c, last, (double)INFINITY, crn_v3_axpy(Dp, last, Dd));
    } else {
        clip(c, -(double)INFINITY, first, Dp);
    }
}

void crn_cut_slab(crn_cut *c, crn_vec3 n, double half)
{
    crn_cut_half_space(c, n, half);
    crn_cut_half_space(c, crn_v3_scale(-1.0, n), half);
}

void crn_cut_first(crn_cut *best, const crn_cut *part)
{
    if (part->enter <= part->leave && (best->enter > best->leave || part->enter < best->enter)) {
        *best = *part;
    }
}

/* --- Triangles --- */

void crn_cut_triangle(crn_cut *best, crn_vec3 a, crn_vec3 b, crn_vec3 c)
{
    crn_vec3 n = crn_v3_cross(crn_v3_sub(b, a), crn_v3_sub(c, a));
    double rate = crn_v3_dot(n, best->along);
    double t = rate != 0.0 ? crn_v3_dot(n, crn_v3_sub(a, best->from)) / rate : -1.0;
    if (!(t >= 0.0 && t < best->leave)) { /* leave: the nearest so far, or the ray's end */
        return;
    }
    crn_vec3 p = crn_cut_at(best, t);
    const crn_vec3 corner[4] = {a, b, c, a};
    double rounding = 1e-12 * crn_v3_dot(n, n); /* a ray through an edge must meet one of its triangles */
    for (int k = 0; k < 3; ++k) {
        crn_vec3 side = crn_v3_sub(corner[k + 1], corner[k]);
        if (crn_v3_dot(n, crn_v3_cross(side, crn_v3_sub(p, corner[k]))) < -rounding) {
            return;
        }
    }
    best->enter = best->leave = t;
    best->normal = rate < 0.0 ? n : crn_v3_scale(-1.0, n);
}

void crn_cut_need_triangle(crn_cut *best, const crn_cut *before)
{
    if (best->leave == before->leave && crn_v3_dot(best->normal, best->normal) == 0.0) {
        crn_cut_nothing(best);
    }
}

bool crn_shape_cast_ray(const crn_shape *shape, const crn_frame *frame, const crn_ray *ray, crn_ray_hit *hit)
{
    if (shape == NULL || frame == NULL || ray == NULL || hit == NULL) {
        return false;
    }
    crn_cut c = {.from = crn_frame_local(frame, ray->from),
                 .along = crn_m3_transposed_times(&frame->rotation, ray->direction),
                 .leave = ray->reach};
    if (shape->type->traits.is_planar) {
        c.from.z = c.along.z = 0.0;
    }
    shape->type->cast(shape, &c);
    if (!(c.enter <= c.leave)) {
        return false;
    }
    double length = crn_v3_length(c.normal);
    crn_vec3 n = length > 0.0 ? crn_m3_times(&frame->rotation, crn_v3_scale(1.0 / length, c.normal))
                              : crn_v3_scale(-1.0, ray->direction);
    *hit = (crn_ray_hit){c.enter, crn_v3_axpy(ray->from, c.enter, ray->direction), n};
    return true;
}
