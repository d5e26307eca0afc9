/* Vectors of three, rotations, poses: small functions that the compiler puts in place. */
#ifndef CRN_MATH_RIGID_H
#define CRN_MATH_RIGID_H

#include <cairn/linalg.h>

#include "math/elementary.h"

#include <math.h>
#include <stdbool.h>

/* --- Vectors --- */

static inline crn_vec3 crn_v3(double x, double y, double z)
{
    return (crn_vec3){x, y, z};
}

/* The unit vector of axis 0, 1 or 2. */
static inline crn_vec3 crn_v3_axis(int axis)
{
    return crn_v3(axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0, axis == 2 ? 1.0 : 0.0);
}

static inline crn_vec3 crn_v3_of(const double *a)
{
    return (crn_vec3){a[0], a[1], a[2]};
}

static inline void crn_v3_to(crn_vec3 a, double *to)
{
    to[0] = a.x;
    to[1] = a.y;
    to[2] = a.z;
}

static inline crn_vec3 crn_v3_add(crn_vec3 a, crn_vec3 b)
{
    return (crn_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline crn_vec3 crn_v3_sub(crn_vec3 a, crn_vec3 b)
{
    return (crn_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline crn_vec3 crn_v3_scale(double s, crn_vec3 a)
{
    return (crn_vec3){s * a.x, s * a.y, s * a.z};
}

/* a + s b */
static inline crn_vec3 crn_v3_axpy(crn_vec3 a, double s, crn_vec3 b)
{
    return (crn_vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline double crn_v3_dot(crn_vec3 a, crn_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline crn_vec3 crn_v3_cross(crn_vec3 a, crn_vec3 b)
{
    return (crn_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline bool crn_v3_is_same(crn_vec3 a, crn_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static inline double crn_v3_length(crn_vec3 a)
{
    return sqrt(crn_v3_dot(a, a));
}

/* a / |a|; a must not be 0 */
static inline crn_vec3 crn_v3_unit(crn_vec3 a)
{
    return crn_v3_scale(1.0 / crn_v3_length(a), a);
}

/* A unit vector orthogonal to the unit vector n: the same for the same n, and without a jump near the axes that matter
 * (the smallest component decides). */
static inline crn_vec3 crn_v3_orthogonal(crn_vec3 n)
{
    double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
    crn_vec3 e = x <= y && x <= z ? crn_v3(1, 0, 0) : y <= z ? crn_v3(0, 1, 0) : crn_v3(0, 0, 1);
    return crn_v3_unit(crn_v3_cross(n, e));
}

/* --- Matrices --- */

static inline crn_vec3 crn_m3_column(const crn_mat3 *a, int j)
{
    return (crn_vec3){a->m[3 * j], a->m[3 * j + 1], a->m[3 * j + 2]};
}

static inline void crn_m3_set_column(crn_mat3 *a, int j, crn_vec3 x)
{
    crn_v3_to(x, a->m + 3 * j);
}

static inline crn_vec3 crn_m3_times(const crn_mat3 *a, crn_vec3 v)
{
    const double *m = a->m;
    return (crn_vec3){m[0] * v.x + m[3] * v.y + m[6] * v.z, m[1] * v.x + m[4] * v.y + m[7] * v.z,
                      m[2] * v.x + m[5] * v.y + m[8] * v.z};
}

/* a' v */
static inline crn_vec3 crn_m3_transposed_times(const crn_mat3 *a, crn_vec3 v)
{
    const double *m = a->m;
    return (crn_vec3){m[0] * v.x + m[1] * v.y + m[2] * v.z, m[3] * v.x + m[4] * v.y + m[5] * v.z,
                      m[6] * v.x + m[7] * v.y + m[8] * v.z};
}

/* a b */
static inline crn_mat3 crn_m3_product(const crn_mat3 *a, const crn_mat3 *b)
{
    crn_mat3 c = {{0}};
    for (int j = 0; j < 3; ++j) {
        crn_v3_to(crn_m3_times(a, crn_m3_column(b, j)), c.m + 3 * j);
    }
    return c;
}

/* a' b */
static inline crn_mat3 crn_m3_transposed_product(const crn_mat3 *a, const crn_mat3 *b)
{
    crn_mat3 c = {{0}};
    for (int j = 0; j < 3; ++j) {
        crn_v3_to(crn_m3_transposed_times(a, crn_m3_column(b, j)), c.m + 3 * j);
    }
    return c;
}

/* inertia += mass (|d|^2 1 - d d'): what a mass at d adds (Steiner) */
static inline void crn_m3_add_mass(crn_mat3 *inertia, double mass, crn_vec3 d)
{
    const double x[3] = {d.x, d.y, d.z};
    double square = crn_v3_dot(d, d);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            inertia->m[i + 3 * j] += mass * ((i == j ? square : 0.0) - x[i] * x[j]);
        }
    }
}

/* r s r' for a symmetric s, exactly symmetric: an inertia in world axes */
static inline crn_mat3 crn_m3_turned(const crn_mat3 *r, const crn_mat3 *s)
{
    crn_mat3 t = crn_m3_product(r, s), c = {{0}};
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j <= i; ++j) {
            c.m[i + 3 * j] = c.m[j + 3 * i] = t.m[i] * r->m[j] + t.m[i + 3] * r->m[j + 3] + t.m[i + 6] * r->m[j + 6];
        }
    }
    return c;
}

/* x with a x = b, by Cramer's rule; a must not be singular */
static inline crn_vec3 crn_m3_solve(const crn_mat3 *a, crn_vec3 b)
{
    crn_vec3 x = crn_m3_column(a, 0), y = crn_m3_column(a, 1), z = crn_m3_column(a, 2);
    crn_vec3 yz = crn_v3_cross(y, z);
    double s = 1.0 / crn_v3_dot(x, yz);
    return crn_v3(s * crn_v3_dot(b, yz), s * crn_v3_dot(x, crn_v3_cross(b, z)), s * crn_v3_dot(x, crn_v3_cross(y, b)));
}

/* --- Rotations --- */

static inline crn_quat crn_quat_product(crn_quat a, crn_quat b)
{
    return (crn_quat){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

static inline crn_quat crn_quat_conjugate(crn_quat a)
{
    return (crn_quat){a.w, -a.x, -a.y, -a.z};
}

static inline crn_quat crn_quat_unit(crn_quat a)
{
    double s = 1.0 / sqrt(a.w * a.w + a.x * a.x + a.y * a.y + a.z * a.z);
    return (crn_quat){s * a.w, s * a.x, s * a.y, s * a.z};
}

/* Rotation by |v| about v. */
static inline crn_quat crn_quat_exp(crn_vec3 v)
{
    double square = crn_v3_dot(v, v), angle = sqrt(square);
    /* sin(angle/2)/angle; the series is exact to rounding below 1e-3 */
    crn_turn half = crn_sin_cos(0.5 * angle);
    double s = angle > 1e-3 ? half.sin / angle : 0.5 - square * (1.0 / 48.0 - square / 3840.0);
    return (crn_quat){half.cos, s * v.x, s * v.y, s * v.z};
}

/* The rotation vector, |v| <= pi, with exp(v) = a or -a. */
static inline crn_vec3 crn_quat_log(crn_quat a)
{
    double sign = a.w < 0.0 ? -1.0 : 1.0;
    double s = sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
    double factor = s > 1e-12 ? 2.0 * crn_atan2(s, sign * a.w) / s : 2.0; /* below, the angle is 2 s to rounding */
    return (crn_vec3){sign * factor * a.x, sign * factor * a.y, sign * factor * a.z};
}

static inline crn_mat3 crn_quat_matrix(crn_quat q)
{
    double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z, wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return (crn_mat3){{1 - 2 * (yy + zz), 2 * (xy + wz), 2 * (xz - wy), 2 * (xy - wz), 1 - 2 * (xx + zz), 2 * (yz + wx),
                       2 * (xz + wy), 2 * (yz - wx), 1 - 2 * (xx + yy)}};
}

/* The unit quaternion, w >= 0, of a rotation matrix: from the largest of its components. */
static inline crn_quat crn_quat_of_matrix(const crn_mat3 *a)
{
    const double *m = a->m;
    double w = m[0] + m[4] + m[8], x = m[0] - m[4] - m[8], y = m[4] - m[0] - m[8], z = m[8] - m[0] - m[4];
    double xy = m[1] + m[3], xz = m[2] + m[6], yz = m[5] + m[7], wx = m[5] - m[7], wy = m[6] - m[2], wz = m[1] - m[3];
    crn_quat q;
    if (w >= x && w >= y && w >= z) {
        q = (crn_quat){1.0 + w, wx, wy, wz};
    } else if (x >= y && x >= z) {
        q = (crn_quat){wx, 1.0 + x, xy, xz};
    } else if (y >= z) {
        q = (crn_quat){wy, xy, 1.0 + y, yz};
    } else {
        q = (crn_quat){wz, xz, yz, 1.0 + z};
    }
    q = crn_quat_unit(q);
    return q.w < 0.0 ? (crn_quat){-q.w, -q.x, -q.y, -q.z} : q;
}

static inline crn_vec3 crn_quat_turn(crn_quat q, crn_vec3 v)
{
    crn_vec3 u = {q.x, q.y, q.z};
    crn_vec3 t = crn_v3_scale(2.0, crn_v3_cross(u, v));
    return crn_v3_add(crn_v3_axpy(v, q.w, t), crn_v3_cross(u, t));
}

/* --- Poses and frames --- */

static inline crn_pose crn_pose_identity(void)
{
    return (crn_pose){{0, 0, 0}, {1, 0, 0, 0}};
}

static inline crn_frame crn_frame_of(const crn_pose *pose)
{
    return (crn_frame){crn_quat_matrix(pose->rotation), pose->position};
}

static inline crn_vec3 crn_frame_point(const crn_frame *f, crn_vec3 p)
{
    return crn_v3_add(f->position, crn_m3_times(&f->rotation, p));
}

static inline crn_vec3 crn_frame_local(const crn_frame *f, crn_vec3 p)
{
    return crn_m3_transposed_times(&f->rotation, crn_v3_sub(p, f->position));
}

/* a b: b given in a */
static inline crn_pose crn_pose_product(const crn_pose *a, const crn_pose *b)
{
    return (crn_pose){crn_v3_add(a->position, crn_quat_turn(a->rotation, b->position)),
                      crn_quat_product(a->rotation, b->rotation)};
}

static inline crn_frame crn_frame_product(const crn_frame *a, const crn_frame *b)
{
    return (crn_frame){crn_m3_product(&a->rotation, &b->rotation), crn_frame_point(a, b->position)};
}

#endif
