/* What the planar pair files share: vectors of two, poses in the plane, outlines, and how a touch leaves the plane.
 *
 * An outline is a convex polygon swept by a disk: the polygon has one vertex (disk), two (segment) or more, the disk has
 * radius >= 0. Edge k leads from vertex k to the next one, counter-clockwise; the two edges of a segment are its sides. */
#ifndef CRN_COLLIDE_PLANAR_H
#define CRN_COLLIDE_PLANAR_H

#include "collide/shape.h"

#include <math.h>

typedef struct crn_vec2 {
    double x, y;
} crn_vec2;

static inline crn_vec2 crn_v2(double x, double y)
{
    return (crn_vec2){x, y};
}

static inline crn_vec2 crn_v2_at(const double *point, int i)
{
    return (crn_vec2){point[2 * i], point[2 * i + 1]};
}

static inline crn_vec2 crn_v2_add(crn_vec2 a, crn_vec2 b)
{
    return (crn_vec2){a.x + b.x, a.y + b.y};
}

static inline crn_vec2 crn_v2_sub(crn_vec2 a, crn_vec2 b)
{
    return (crn_vec2){a.x - b.x, a.y - b.y};
}

static inline crn_vec2 crn_v2_scale(double s, crn_vec2 a)
{
    return (crn_vec2){s * a.x, s * a.y};
}

/* a + s b */
static inline crn_vec2 crn_v2_axpy(crn_vec2 a, double s, crn_vec2 b)
{
    return (crn_vec2){a.x + s * b.x, a.y + s * b.y};
}

static inline double crn_v2_dot(crn_vec2 a, crn_vec2 b)
{
    return a.x * b.x + a.y * b.y;
}

/* z component of a x b: positive if b is to the left of a */
static inline double crn_v2_cross(crn_vec2 a, crn_vec2 b)
{
    return a.x * b.y - a.y * b.x;
}

/* a turned left by a right angle */
static inline crn_vec2 crn_v2_left(crn_vec2 a)
{
    return (crn_vec2){-a.y, a.x};
}

static inline double crn_v2_length(crn_vec2 a)
{
    return sqrt(a.x * a.x + a.y * a.y);
}

/* a / |a|; a must not be 0 */
static inline crn_vec2 crn_v2_unit(crn_vec2 a)
{
    return crn_v2_scale(1.0 / crn_v2_length(a), a);
}

/* A pose in the plane: p is at origin + x axis p.x + y axis p.y. */
typedef struct crn_pose2 {
    crn_vec2 axis; /* the x axis; the y axis is to its left */
    crn_vec2 origin;
} crn_pose2;

/* The part in the plane of a frame that turns about z. */
static inline crn_pose2 crn_pose2_of(const crn_frame *frame)
{
    return (crn_pose2){{frame->rotation.m[0], frame->rotation.m[1]}, {frame->position.x, frame->position.y}};
}

static inline crn_vec2 crn_pose2_turn(const crn_pose2 *pose, crn_vec2 v)
{
    return (crn_vec2){pose->axis.x * v.x - pose->axis.y * v.y, pose->axis.y * v.x + pose->axis.x * v.y};
}

static inline crn_vec2 crn_pose2_turn_back(const crn_pose2 *pose, crn_vec2 v)
{
    return (crn_vec2){pose->axis.x * v.x + pose->axis.y * v.y, pose->axis.x * v.y - pose->axis.y * v.x};
}

static inline crn_vec2 crn_pose2_point(const crn_pose2 *pose, crn_vec2 p)
{
    return crn_v2_add(pose->origin, crn_pose2_turn(pose, p));
}

/* b given in a */
static inline crn_pose2 crn_pose2_relative(const crn_pose2 *a, const crn_pose2 *b)
{
    return (crn_pose2){crn_pose2_turn_back(a, b->axis), crn_pose2_turn_back(a, crn_v2_sub(b->origin, a->origin))};
}

typedef struct crn_outline {
    const double *point; /* 2 numbers per vertex */
    int count;
    double radius;
    crn_pose2 pose;
} crn_outline;

static inline int crn_outline_next(const crn_outline *outline, int k)
{
    return k + 1 < outline->count ? k + 1 : 0;
}

/* Two planar shapes in a canonical order, and where their touches go. */
typedef struct crn_planar_pair {
    const crn_shape *a, *b;
    crn_pose2 pose_a, pose_b;
    double reach;
    double sign; /* -1 if a and b are swapped against the query: normals turn around */
    crn_touches *out;
} crn_planar_pair;

/* Report a touch given in world coordinates, normal out of pair->b into pair->a. */
static inline void crn_planar_add(const crn_planar_pair *pair, crn_vec2 point, crn_vec2 normal, double gap,
                                  uint32_t key)
{
    crn_touches_add(pair->out, crn_v3(point.x, point.y, 0.0), crn_v3(pair->sign * normal.x, pair->sign * normal.y, 0.0),
                    gap, key);
}

/* Keys: a feature is a vertex or an edge; the key of two features does not depend on their order. Two touches of a pair
 * may get the same one (vertex 0 of a on edge 0 of b, and the other way round): the pair file then sets the mark. */
#define CRN_KEY_FEATURE_BITS 15
#define CRN_KEY_MARK         UINT32_C(0x80000000)

static inline uint32_t crn_key_vertex(int i)
{
    return ((uint32_t)i << 1) & ((UINT32_C(1) << CRN_KEY_FEATURE_BITS) - 1);
}

static inline uint32_t crn_key_edge(int k)
{
    return crn_key_vertex(k) | 1U;
}

static inline uint32_t crn_key_of(uint32_t f, uint32_t g)
{
    return f < g ? (f << CRN_KEY_FEATURE_BITS) | g : (g << CRN_KEY_FEATURE_BITS) | f;
}

/* The outline of a disk, segment or polygon; a segment's two vertices are written to `ends`. */
crn_outline crn_outline_of(const crn_shape *shape, const crn_pose2 *pose, double ends[4]);

/* Bounds of one, and in general. */
crn_bounds crn_bounds_of_outline(const crn_shape *shape, const crn_frame *frame);

static inline crn_bounds crn_bounds_flat(double x_low, double x_high, double y_low, double y_high)
{
    return (crn_bounds){{x_low, y_low, 0.0}, {x_high, y_high, 0.0}};
}

/* The pair files. */
void crn_outline_outline(const crn_planar_pair *pair);      /* disk, segment, polygon among themselves */
void crn_ellipse_ellipse(const crn_planar_pair *pair);      /* a, b: ellipses */
void crn_ellipse_outline(const crn_planar_pair *pair);      /* a: ellipse; b: disk, segment, polygon */
void crn_planar_on_half_plane(const crn_planar_pair *pair); /* b: half-plane; a: any other planar shape */

#endif
