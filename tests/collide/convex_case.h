/* Convex shapes, their support functions and the best separation, written without the room's searches: an oracle. */
#ifndef CRN_TEST_CONVEX_CASE_H
#define CRN_TEST_CONVEX_CASE_H

#include "collide/shape.h"
#include "test_support.h"

#include <float.h>
#include <math.h>

enum { CONVEX_TOUCHES = 4096 };

static inline crn_shape *convex_make(const crn_shape_def *def)
{
    crn_shape *shape = NULL;
    crn_error error;
    TEST_CHECK(crn_shape_create(def, NULL, &shape, &error) == CRN_OK, "%s", error.text);
    return shape;
}

static inline crn_shape *convex_shape(crn_shape_kind kind, double x, double y, double z)
{
    crn_shape_def def = {.kind = kind, .size = {x, y, z}};
    return convex_make(&def);
}

/* A box of half sides x, y, z as a hull. */
static inline crn_shape *convex_box_hull(double x, double y, double z)
{
    double points[24];
    for (int k = 0; k < 8; ++k) {
        crn_v3_to(crn_v3(k & 1 ? x : -x, k & 2 ? y : -y, k & 4 ? z : -z), points + 3 * (ptrdiff_t)k);
    }
    crn_shape_def def = {.kind = CRN_SHAPE_HULL, .points = points, .count = 8};
    return convex_make(&def);
}

static inline crn_vec3 convex_direction(crn_random *random)
{
    crn_vec3 n = {crn_random_normal(random), crn_random_normal(random), crn_random_normal(random)};
    return crn_v3_unit(n);
}

/* A hull of random points in a stretched ball. */
static inline crn_shape *convex_random_hull(crn_random *random, int count, double x, double y, double z)
{
    double points[3 * 1000];
    assert_true(count <= 1000);
    for (int k = 0; k < count; ++k) {
        crn_vec3 p = crn_v3_scale(crn_random_uniform(random, 0.7, 1.0), convex_direction(random));
        crn_v3_to(crn_v3(x * p.x, y * p.y, z * p.z), points + 3 * (ptrdiff_t)k);
    }
    crn_shape_def def = {.kind = CRN_SHAPE_HULL, .points = points, .count = count};
    return convex_make(&def);
}

static inline crn_frame convex_frame(double x, double y, double z, crn_vec3 turn)
{
    crn_pose pose = {{x, y, z}, crn_quat_exp(turn)};
    return crn_frame_of(&pose);
}

static inline crn_frame convex_random_frame(crn_random *random, double spread)
{
    crn_vec3 p = crn_v3_scale(spread * cbrt(crn_random_uniform(random, 0.0, 1.0)), convex_direction(random));
    return convex_frame(p.x, p.y, p.z, crn_v3_scale(crn_random_uniform(random, 0.0, 3.1), convex_direction(random)));
}

/* max over the shape of n'x, in the world */
static inline double convex_support(const crn_shape *shape, const crn_frame *frame, crn_vec3 n)
{
    const crn_shape_def *def = crn_shape_definition(shape);
    crn_vec3 m = crn_m3_transposed_times(&frame->rotation, n), s = def->size;
    double middle = crn_v3_dot(n, frame->position), best = -(double)INFINITY;
    switch (def->kind) {
    case CRN_SHAPE_SPHERE: return middle + s.x;
    case CRN_SHAPE_BOX: return middle + s.x * fabs(m.x) + s.y * fabs(m.y) + s.z * fabs(m.z);
    case CRN_SHAPE_CAPSULE: return middle + s.x + s.y * fabs(m.z);
    case CRN_SHAPE_CYLINDER: return middle + s.x * sqrt(m.x * m.x + m.y * m.y) + s.y * fabs(m.z);
    case CRN_SHAPE_CONE: return middle + fmax(s.y * m.z, s.x * sqrt(m.x * m.x + m.y * m.y) - s.y * m.z);
    case CRN_SHAPE_ELLIPSOID:
        return middle + sqrt(s.x * s.x * m.x * m.x + s.y * s.y * m.y * m.y + s.z * s.z * m.z * m.z);
    case CRN_SHAPE_HULL:
        for (int k = 0; k < def->count; ++k) {
            double own = crn_v3_dot(m, crn_v3_of(def->points + 3 * (ptrdiff_t)k));
            best = own > best ? own : best;
        }
        return middle + best;
    default: break;
    }
    fail_msg("no support function");
    return 0.0;
}

typedef struct convex_pair {
    const crn_shape *a, *b;
    crn_frame fa, fb;
} convex_pair;

/* s(n): how far n, out of b into a, separates them */
static inline double convex_separation(const convex_pair *p, crn_vec3 n)
{
    return -convex_support(p->a, &p->fa, crn_v3_scale(-1.0, n)) - convex_support(p->b, &p->fb, n);
}

/* How far p is outside of a shape, at least; negative inside. */
static inline double convex_outside(const crn_shape *shape, const crn_frame *frame, crn_vec3 p)
{
    const crn_shape_def *def = crn_shape_definition(shape);
    crn_vec3 x = crn_frame_local(frame, p), s = def->size;
    double best = -(double)INFINITY;
    switch (def->kind) {
    case CRN_SHAPE_SPHERE: return crn_v3_length(x) - s.x;
    case CRN_SHAPE_BOX: return fmax(fabs(x.x) - s.x, fmax(fabs(x.y) - s.y, fabs(x.z) - s.z));
    case CRN_SHAPE_CAPSULE: return crn_v3_length(crn_v3(x.x, x.y, fmax(fabs(x.z) - s.y, 0.0))) - s.x;
    case CRN_SHAPE_CYLINDER: return fmax(sqrt(x.x * x.x + x.y * x.y) - s.x, fabs(x.z) - s.y);
    case CRN_SHAPE_CONE: {
        double aside = sqrt(x.x * x.x + x.y * x.y) - 0.5 * s.x * (1.0 - x.z / s.y);
        return fmax(aside * 2.0 * s.y / sqrt(s.x * s.x + 4.0 * s.y * s.y), -x.z - s.y);
    }
    case CRN_SHAPE_ELLIPSOID: {
        double level = crn_v3_length(crn_v3(x.x / s.x, x.y / s.y, x.z / s.z));
        return (level - 1.0) * fmin(s.x, fmin(s.y, s.z));
    }
    case CRN_SHAPE_HULL:
        for (int f = 0; f < shape->polyhedron->faces; ++f) {
            const crn_polyhedron *h = shape->polyhedron;
            crn_vec3 o = crn_v3_of(h->vertex + 3 * (ptrdiff_t)h->face_vertex[h->face_start[f]]);
            best = fmax(best, crn_v3_dot(crn_v3_of(h->face_normal + 3 * (ptrdiff_t)f), crn_v3_sub(x, o)));
        }
        return best;
    default: break;
    }
    fail_msg("no inside");
    return 0.0;
}

static inline double convex_lowest(const crn_touch *touch, int count)
{
    double lowest = (double)INFINITY;
    for (int k = 0; k < count; ++k) {
        lowest = touch[k].gap < lowest ? touch[k].gap : lowest;
    }
    return lowest;
}

/* Climb from n by trying steps to all sides, shorter and shorter: slow, simple, stops at a maximum or in a kink. */
static inline double convex_climb(const convex_pair *p, crn_vec3 n, double step, double s)
{
    while (step > 1e-11) {
        crn_vec3 t = crn_v3_orthogonal(n), u = crn_v3_cross(n, t), best = n;
        double most = s;
        for (int k = 0; k < 12; ++k) {
            double c = cos(0.5235987755982988 * k), d = sin(0.5235987755982988 * k);
            crn_vec3 m = crn_v3_unit(crn_v3_axpy(crn_v3_axpy(n, step * c, t), step * d, u));
            double own = convex_separation(p, m);
            if (own > most) {
                most = own;
                best = m;
            }
        }
        if (most > s) {
            s = most;
            n = best;
        } else {
            step *= 0.4;
        }
    }
    return s;
}

/* A lower bound of the largest separation: many directions evenly over the sphere, the best ones climbed from. */
static inline double convex_best_separation(const convex_pair *p, int directions)
{
    enum { KEPT = 6 };
    double s[KEPT];
    crn_vec3 n[KEPT];
    for (int k = 0; k < KEPT; ++k) {
        s[k] = -(double)INFINITY;
        n[k] = crn_v3(0, 0, 1);
    }
    for (int k = 0; k < directions; ++k) {
        double z = 1.0 - (2.0 * k + 1.0) / directions, r = sqrt(1.0 - z * z), angle = 2.399963229728653 * k;
        crn_vec3 m = crn_v3(r * cos(angle), r * sin(angle), z);
        double own = convex_separation(p, m);
        for (int i = 0; i < KEPT; ++i) {
            if (own > s[i]) {
                double other = s[i];
                crn_vec3 o = n[i];
                s[i] = own;
                n[i] = m;
                own = other;
                m = o;
            }
        }
    }
    double best = -(double)INFINITY;
    for (int k = 0; k < KEPT; ++k) {
        best = fmax(best, convex_climb(p, n[k], 2.0 / sqrt((double)directions), s[k]));
    }
    return best;
}

#endif
