/* Shapes, frames and support functions for the tests of primitive pairs, written without the room's own code. */
#ifndef CRN_TEST_PRIMITIVE_CASE_H
#define CRN_TEST_PRIMITIVE_CASE_H

#include "collide/collide_room.h"
#include "math/rigid.h"
#include "test_support.h"

#include <float.h>
#include <math.h>

enum { CASE_TOUCHES = 64 };

static inline crn_shape *case_shape(crn_shape_kind kind, double x, double y, double z)
{
    crn_shape_def def = {.kind = kind, .size = {x, y, z}};
    crn_shape *shape = NULL;
    crn_error error;
    TEST_CHECK(crn_shape_create(&def, NULL, &shape, &error) == CRN_OK, "%s", error.text);
    return shape;
}

static inline crn_frame case_frame(double x, double y, double z, crn_vec3 turn)
{
    crn_pose pose = {{x, y, z}, crn_quat_exp(turn)};
    return crn_frame_of(&pose);
}

static inline crn_vec3 case_direction(crn_random *random)
{
    crn_vec3 n = {crn_random_normal(random), crn_random_normal(random), crn_random_normal(random)};
    return crn_v3_unit(n);
}

static inline crn_frame case_random_frame(crn_random *random, double spread)
{
    crn_vec3 p = {crn_random_uniform(random, -spread, spread), crn_random_uniform(random, -spread, spread),
                  crn_random_uniform(random, -spread, spread)};
    crn_vec3 turn = crn_v3_scale(crn_random_uniform(random, 0.0, 3.0), case_direction(random));
    return case_frame(p.x, p.y, p.z, turn);
}

/* max over the shape of n'x, in the world */
static inline double case_support(const crn_shape *shape, const crn_frame *frame, crn_vec3 n)
{
    crn_vec3 m = crn_m3_transposed_times(&frame->rotation, n), s = crn_shape_definition(shape)->size;
    double middle = crn_v3_dot(n, frame->position);
    switch (crn_shape_definition(shape)->kind) {
    case CRN_SHAPE_SPHERE: return middle + s.x;
    case CRN_SHAPE_BOX: return middle + s.x * fabs(m.x) + s.y * fabs(m.y) + s.z * fabs(m.z);
    case CRN_SHAPE_CAPSULE: return middle + s.x + s.y * fabs(m.z);
    case CRN_SHAPE_CYLINDER: return middle + s.x * hypot(m.x, m.y) + s.y * fabs(m.z);
    case CRN_SHAPE_CONE: return middle + fmax(s.y * m.z, s.x * sqrt(m.x * m.x + m.y * m.y) - s.y * m.z);
    case CRN_SHAPE_ELLIPSOID:
        return middle + sqrt(s.x * s.x * m.x * m.x + s.y * s.y * m.y * m.y + s.z * s.z * m.z * m.z);
    case CRN_SHAPE_PLANE: return 1.0 - m.z < 1e-12 ? middle : (double)INFINITY;
    default: break;
    }
    fail_msg("no support function");
    return 0.0;
}

/* s(n): how far n, out of b into a, separates them */
static inline double case_separation(const crn_shape *a, const crn_frame *fa, const crn_shape *b, const crn_frame *fb,
                                     crn_vec3 n)
{
    return -case_support(a, fa, crn_v3_scale(-1.0, n)) - case_support(b, fb, n);
}

/* How far p is outside of a sphere, box or capsule; 0 inside. */
static inline double case_outside(const crn_shape *shape, const crn_frame *frame, crn_vec3 p)
{
    crn_vec3 x = crn_frame_local(frame, p), s = crn_shape_definition(shape)->size;
    double radius = s.x;
    switch (crn_shape_definition(shape)->kind) {
    case CRN_SHAPE_BOX:
        x = crn_v3(fmax(fabs(x.x) - s.x, 0.0), fmax(fabs(x.y) - s.y, 0.0), fmax(fabs(x.z) - s.z, 0.0));
        radius = 0.0;
        break;
    case CRN_SHAPE_CAPSULE: x.z = fmax(fabs(x.z) - s.y, 0.0); break;
    default: break;
    }
    return fmax(crn_v3_length(x) - radius, 0.0);
}

static inline double case_lowest(const crn_touch *touch, int count)
{
    double lowest = (double)INFINITY;
    for (int k = 0; k < count; ++k) {
        lowest = fmin(lowest, touch[k].gap);
    }
    return lowest;
}

/* Two shapes, and what crn_collide() says. */
typedef struct touching {
    const crn_shape *a, *b;
    crn_frame fa, fb;
    crn_touch touch[CASE_TOUCHES];
    int count;
    double lowest;
} touching;

static inline void case_collide(touching *t, double reach)
{
    t->count = crn_collide(t->a, &t->fa, t->b, &t->fb, reach, t->touch, CASE_TOUCHES);
    assert_in_range(t->count, 0, CASE_TOUCHES);
    t->lowest = case_lowest(t->touch, t->count);
    for (int k = 0; k < t->count; ++k) {
        TEST_CHECK(fabs(crn_v3_length(t->touch[k].normal) - 1.0) < 1e-14, "normal of length %g",
                   crn_v3_length(t->touch[k].normal));
        TEST_CHECK(t->touch[k].gap <= reach, "gap %g beyond reach %g", t->touch[k].gap, reach);
        TEST_CHECK(k == 0 || t->touch[k].key > t->touch[k - 1].key, "keys %u, %u", t->touch[k - 1].key,
                   t->touch[k].key);
    }
}

static inline void case_close(crn_vec3 x, crn_vec3 y, double tolerance)
{
    double d = crn_v3_length(crn_v3_sub(x, y));
    TEST_CHECK(d <= tolerance, "(%.17g %.17g %.17g) is not (%.17g %.17g %.17g): %g > %g", x.x, x.y, x.z, y.x, y.y, y.z,
               d, tolerance);
}

static inline void case_near(double x, double y, double tolerance)
{
    TEST_CHECK(fabs(x - y) <= tolerance, "%.17g is not %.17g: %g > %g", x, y, fabs(x - y), tolerance);
}

#endif
