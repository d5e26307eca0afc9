/* Vectors of pictures: few, small, inline. */
#ifndef CAIRN_CLI_DRAW_MATH_H
#define CAIRN_CLI_DRAW_MATH_H

#include <cairn/linalg.h>

#include <math.h>

#define DRAW_PI 3.14159265358979323846

static inline crn_vec3 vec(double x, double y, double z)
{
    return (crn_vec3){x, y, z};
}

static inline crn_vec3 add(crn_vec3 a, crn_vec3 b)
{
    return vec(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline crn_vec3 sub(crn_vec3 a, crn_vec3 b)
{
    return vec(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline crn_vec3 scaled(crn_vec3 a, double s)
{
    return vec(a.x * s, a.y * s, a.z * s);
}

/* a + s b */
static inline crn_vec3 along(crn_vec3 a, double s, crn_vec3 b)
{
    return vec(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

static inline double dot(crn_vec3 a, crn_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline crn_vec3 cross(crn_vec3 a, crn_vec3 b)
{
    return vec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double length(crn_vec3 a)
{
    return sqrt(dot(a, a));
}

/* The zero vector stays what it is. */
static inline crn_vec3 unit(crn_vec3 a)
{
    double size = length(a);
    return size > 0.0 ? scaled(a, 1.0 / size) : a;
}

static inline crn_vec3 mixed(crn_vec3 a, crn_vec3 b, double t)
{
    return vec(a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z));
}

/* As fmin and fmax for numbers, but inline. */
static inline double lesser(double a, double b)
{
    return a < b ? a : b;
}

static inline double greater(double a, double b)
{
    return a > b ? a : b;
}

static inline double clamped(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

/* 0 below low, 1 above high, smooth between. */
static inline double smooth_step(double low, double high, double x)
{
    double t = clamped((x - low) / (high - low), 0.0, 1.0);
    return t * t * (3.0 - 2.0 * t);
}

static inline crn_vec3 turned(crn_quat q, crn_vec3 v)
{
    crn_vec3 u = vec(q.x, q.y, q.z), t = scaled(cross(u, v), 2.0);
    return add(along(v, q.w, t), cross(u, t));
}

/* A point of the frame at this pose, in the world. */
static inline crn_vec3 placed(const crn_pose *pose, crn_vec3 p)
{
    return add(pose->position, turned(pose->rotation, p));
}

static inline crn_quat quat_product(crn_quat a, crn_quat b)
{
    return (crn_quat){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

/* The frame `inner` that is given in the frame `outer`. */
static inline crn_pose composed(const crn_pose *outer, const crn_pose *inner)
{
    return (crn_pose){placed(outer, inner->position), quat_product(outer->rotation, inner->rotation)};
}

#endif
