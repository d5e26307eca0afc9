/* Meshes for tests, made from formulas: tubes, boxes, prisms, balls; and pairs of them. */
#ifndef CRN_TEST_MESH_PAIR_CASE_H
#define CRN_TEST_MESH_PAIR_CASE_H

#include "collide/mesh/mesh.h"
#include "test_support.h"

#include <math.h>

#define MESH_PI 3.14159265358979323846

enum { MESH_TOUCHES = 20000 };

/* Points and triangles while they are made. */
typedef struct mesh_draft {
    double *point;
    int *triangle;
    int points, triangles;
} mesh_draft;

static inline mesh_draft mesh_draft_of(int points, int triangles)
{
    mesh_draft d = {malloc(sizeof(double) * 3 * (size_t)points), malloc(sizeof(int) * 3 * (size_t)triangles), 0, 0};
    assert_true(d.point != NULL && d.triangle != NULL);
    return d;
}

static inline int mesh_point(mesh_draft *d, double x, double y, double z)
{
    crn_v3_to(crn_v3(x, y, z), d->point + 3 * (ptrdiff_t)d->points);
    return d->points++;
}

static inline void mesh_triangle(mesh_draft *d, int a, int b, int c)
{
    int *t = d->triangle + 3 * (ptrdiff_t)d->triangles++;
    t[0] = a;
    t[1] = b;
    t[2] = c;
}

static inline void mesh_quad(mesh_draft *d, int a, int b, int c, int e)
{
    mesh_triangle(d, a, b, c);
    mesh_triangle(d, a, c, e);
}

/* The shape; the draft's memory goes. */
static inline crn_shape *mesh_finish(mesh_draft *d)
{
    crn_shape_def def = {.kind = CRN_SHAPE_MESH,
                         .points = d->point,
                         .count = d->points,
                         .triangles = d->triangle,
                         .triangle_count = d->triangles};
    crn_shape *shape = NULL;
    crn_error error;
    TEST_CHECK(crn_shape_create(&def, NULL, &shape, &error) == CRN_OK, "%s", error.text);
    free(d->point);
    free(d->triangle);
    return shape;
}

/* A convex shape to meet a mesh. */
static inline crn_shape *mesh_partner(crn_shape_kind kind, double x, double y, double z)
{
    crn_shape *shape = NULL;
    crn_shape_def def = {.kind = kind, .size = {x, y, z}};
    assert_int_equal(crn_shape_create(&def, NULL, &shape, NULL), CRN_OK);
    return shape;
}

/* A tube of radius r around a circle of radius R in the plane z = 0: 2 around across triangles. */
static inline crn_shape *mesh_ring(double big, double small, int around, int across)
{
    mesh_draft d = mesh_draft_of(around * across, 2 * around * across);
    for (int i = 0; i < around; ++i) {
        double u = 2.0 * MESH_PI * i / around;
        for (int k = 0; k < across; ++k) {
            double v = 2.0 * MESH_PI * k / across, radius = big + small * cos(v);
            mesh_point(&d, radius * cos(u), radius * sin(u), small * sin(v));
        }
    }
    for (int i = 0; i < around; ++i) {
        for (int k = 0; k < across; ++k) {
            int i1 = (i + 1) % around, k1 = (k + 1) % across;
            mesh_quad(&d, i * across + k, i1 * across + k, i1 * across + k1, i * across + k1);
        }
    }
    return mesh_finish(&d);
}

/* A box of half sides x, y, z with n by m squares on its top and bottom. */
static inline crn_shape *mesh_slab(double x, double y, double z, int n, int m)
{
    mesh_draft d = mesh_draft_of(2 * (n + 1) * (m + 1), 4 * n * m + 4 * (n + m));
    int layer = (n + 1) * (m + 1);
    for (int side = 0; side < 2; ++side) {
        for (int i = 0; i <= n; ++i) {
            for (int k = 0; k <= m; ++k) {
                mesh_point(&d, x * (2.0 * i / n - 1.0), y * (2.0 * k / m - 1.0), side == 0 ? -z : z);
            }
        }
    }
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < m; ++k) {
            int a = i * (m + 1) + k, b = a + m + 1;
            mesh_quad(&d, layer + a, layer + b, layer + b + 1, layer + a + 1);
            mesh_quad(&d, a, a + 1, b + 1, b);
        }
    }
    for (int i = 0; i < n; ++i) {
        int a = i * (m + 1), b = a + m + 1;
        mesh_quad(&d, a, b, layer + b, layer + a);
        mesh_quad(&d, b + m, a + m, layer + a + m, layer + b + m);
    }
    for (int k = 0; k < m; ++k) {
        int e = n * (m + 1) + k;
        mesh_quad(&d, k + 1, k, layer + k, layer + k + 1);
        mesh_quad(&d, e, e + 1, layer + e + 1, layer + e);
    }
    return mesh_finish(&d);
}

static inline crn_shape *mesh_box(double x, double y, double z)
{
    return mesh_slab(x, y, z, 1, 1);
}

static inline double mesh_turn(const double *a, const double *b, const double *c)
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/* Is corner k of the loop an ear: convex, and no other corner in it? */
static inline bool mesh_is_ear(const double *xy, const int *loop, int count, int k)
{
    int ia = loop[(k + count - 1) % count], ib = loop[k], ic = loop[(k + 1) % count];
    const double *a = xy + 2 * (ptrdiff_t)ia, *b = xy + 2 * (ptrdiff_t)ib, *c = xy + 2 * (ptrdiff_t)ic;
    if (mesh_turn(a, b, c) <= 0.0) {
        return false;
    }
    for (int i = 0; i < count; ++i) {
        const double *p = xy + 2 * (ptrdiff_t)loop[i];
        if (loop[i] != ia && loop[i] != ib && loop[i] != ic && mesh_turn(a, b, p) >= 0.0 && mesh_turn(b, c, p) >= 0.0 &&
            mesh_turn(c, a, p) >= 0.0) {
            return false;
        }
    }
    return true;
}

/* A prism over a simple polygon in x, y (counter-clockwise), from -z to z. */
static inline crn_shape *mesh_prism(const double *xy, int count, double z)
{
    mesh_draft d = mesh_draft_of(2 * count, 4 * count);
    int loop[512], left = count;
    assert_true(count <= 512);
    for (int k = 0; k < 2 * count; ++k) {
        mesh_point(&d, xy[2 * (k % count)], xy[2 * (k % count) + 1], k < count ? -z : z);
        loop[k % count] = k % count;
    }
    for (int k = 0; k < count; ++k) {
        int next = (k + 1) % count;
        mesh_quad(&d, k, next, count + next, count + k);
    }
    while (left > 2) {
        int k = 0;
        while (k < left && !mesh_is_ear(xy, loop, left, k)) {
            k += 1;
        }
        assert_true(k < left);
        int a = loop[(k + left - 1) % left], b = loop[k], c = loop[(k + 1) % left];
        mesh_triangle(&d, count + a, count + b, count + c);
        mesh_triangle(&d, c, b, a);
        memmove(loop + k, loop + k + 1, sizeof(int) * (size_t)(left - k - 1));
        left -= 1;
    }
    return mesh_finish(&d);
}

/* A ball: 2 around (rows - 1) triangles. */
static inline crn_shape *mesh_ball(double radius, int around, int rows)
{
    mesh_draft d = mesh_draft_of(around * (rows - 1) + 2, 2 * around * (rows - 1));
    for (int i = 1; i < rows; ++i) {
        double u = MESH_PI * i / rows;
        for (int k = 0; k < around; ++k) {
            double v = 2.0 * MESH_PI * k / around;
            mesh_point(&d, radius * sin(u) * cos(v), radius * sin(u) * sin(v), radius * cos(u));
        }
    }
    int top = mesh_point(&d, 0, 0, radius), bottom = mesh_point(&d, 0, 0, -radius), last = around * (rows - 2);
    for (int k = 0; k < around; ++k) {
        int next = (k + 1) % around;
        mesh_triangle(&d, top, k, next);
        mesh_triangle(&d, bottom, last + next, last + k);
        for (int i = 0; i + 2 < rows; ++i) {
            mesh_quad(&d, i * around + k, (i + 1) * around + k, (i + 1) * around + next, i * around + next);
        }
    }
    return mesh_finish(&d);
}

/* A pyramid: square base of half side x in the plane z = 0, tip at -height. */
static inline crn_shape *mesh_spike(double x, double height)
{
    mesh_draft d = mesh_draft_of(5, 6);
    for (int k = 0; k < 4; ++k) {
        mesh_point(&d, k == 0 || k == 3 ? x : -x, k < 2 ? x : -x, 0.0);
    }
    int tip = mesh_point(&d, 0, 0, -height);
    mesh_quad(&d, 0, 1, 2, 3);
    for (int k = 0; k < 4; ++k) {
        mesh_triangle(&d, (k + 1) % 4, k, tip);
    }
    return mesh_finish(&d);
}

/* --- Pairs --- */

typedef struct mesh_pair {
    const crn_shape *a, *b;
    crn_frame fa, fb;
} mesh_pair;

static inline crn_frame mesh_frame(double x, double y, double z, double rx, double ry, double rz)
{
    crn_pose pose = {{x, y, z}, crn_quat_exp(crn_v3(rx, ry, rz))};
    return crn_frame_of(&pose);
}

static inline crn_frame mesh_random_frame(crn_random *random, double spread)
{
    double s = spread;
    crn_vec3 w = {crn_random_normal(random), crn_random_normal(random), crn_random_normal(random)};
    w = crn_v3_scale(crn_random_uniform(random, 0.0, 3.1), crn_v3_unit(w));
    return mesh_frame(crn_random_uniform(random, -s, s), crn_random_uniform(random, -s, s),
                      crn_random_uniform(random, -s, s), w.x, w.y, w.z);
}

/* All touches; checks what always holds: room, order of keys, unit normals, gaps. */
static inline int mesh_collide(const mesh_pair *p, double reach, crn_touch *touch)
{
    int count = crn_collide(p->a, &p->fa, p->b, &p->fb, reach, touch, MESH_TOUCHES);
    assert_in_range(count, 0, MESH_TOUCHES);
    for (int k = 0; k < count; ++k) {
        TEST_CHECK(k == 0 || touch[k].key > touch[k - 1].key, "keys %u and %u of %d", k > 0 ? touch[k - 1].key : 0,
                   touch[k].key, count);
        TEST_CHECK(fabs(crn_v3_length(touch[k].normal) - 1.0) < 1e-12, "normal of touch %d", k);
        TEST_CHECK(touch[k].gap <= reach, "gap %g of touch %d", touch[k].gap, k);
    }
    return count;
}

static inline int mesh_lowest(const crn_touch *touch, int count)
{
    int lowest = 0;
    for (int k = 1; k < count; ++k) {
        lowest = touch[k].gap < touch[lowest].gap ? k : lowest;
    }
    return lowest;
}

static inline double mesh_gap(const crn_touch *touch, int count)
{
    return count > 0 ? touch[mesh_lowest(touch, count)].gap : (double)INFINITY;
}

#endif
