/* watch_cores.c -- has one body gone through another within a step?
 *
 * Bodies that are thin have a core: the axis of a capsule, the centre line of a ring, cut into segments. While their ends move
 * evenly from where they were to where they are, two segments pq and rs cross at a time at which all four ends are in one
 * plane and the segments meet,
 *
 *     V(t) = (q - p) x (s - r) . (r - p) = 0,      |pq - rs| = 0.
 *
 * V is of third degree in t: its changes of sign are looked for between some times and found by halving. */
#include "build_tree.h"
#include "watch.h"

#include <math.h>
#include <stdlib.h>

enum { PARTS = 8, HALVINGS = 40, RING_PARTS = 16 };
static const double MEET = 1e-6; /* segments this near at V = 0 meet; relative to their lengths */
static const double RING_INNER =
    0.5; /* a mesh is a ring if no point is nearer to z than this, relative to the farthest */

/* --- Vectors --- */

static crn_vec3 minus(crn_vec3 a, crn_vec3 b)
{
    return (crn_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static double dot(crn_vec3 a, crn_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static crn_vec3 cross(crn_vec3 a, crn_vec3 b)
{
    return (crn_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* (1 - t) a + t b */
static crn_vec3 between(crn_vec3 a, crn_vec3 b, double t)
{
    return (crn_vec3){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z)};
}

/* --- Crossing --- */

typedef struct moving {
    const crn_vec3 *a_was, *a_is, *b_was, *b_is;
} moving;

static double volume_at(const moving *m, double t)
{
    crn_vec3 p = between(m->a_was[0], m->a_is[0], t), q = between(m->a_was[1], m->a_is[1], t);
    crn_vec3 r = between(m->b_was[0], m->b_is[0], t), s = between(m->b_was[1], m->b_is[1], t);
    return dot(cross(minus(q, p), minus(s, r)), minus(r, p));
}

/* At a time when all is in one plane: do they meet? Segments in line do not. */
static bool meets_at(const moving *m, double t)
{
    crn_vec3 p = between(m->a_was[0], m->a_is[0], t), q = between(m->a_was[1], m->a_is[1], t);
    crn_vec3 r = between(m->b_was[0], m->b_is[0], t), s = between(m->b_was[1], m->b_is[1], t);
    crn_vec3 u = minus(q, p), v = minus(s, r), w = minus(r, p), n = cross(u, v);
    double square = dot(n, n);
    if (!(square > MEET * MEET * dot(u, u) * dot(v, v))) {
        return false;
    }
    double along_a = dot(cross(w, v), n) / square, along_b = dot(cross(w, u), n) / square;
    return along_a > 0.0 && along_a < 1.0 && along_b > 0.0 && along_b < 1.0;
}

static bool crosses_within(const moving *m, double low, double high, double volume)
{
    for (int i = 0; i < HALVINGS; ++i) {
        double middle = 0.5 * (low + high), here = volume_at(m, middle);
        *((here > 0.0) == (volume > 0.0) ? &low : &high) = middle;
    }
    return meets_at(m, low);
}

bool crn_gallery_segments_cross(const crn_vec3 a_was[2], const crn_vec3 a_is[2], const crn_vec3 b_was[2],
                                const crn_vec3 b_is[2])
{
    moving m = {a_was, a_is, b_was, b_is};
    double before = volume_at(&m, 0.0);
    bool is_crossed = false;
    for (int i = 1; i <= PARTS && !is_crossed; ++i) {
        double now = volume_at(&m, (double)i / PARTS);
        if ((now > 0.0) != (before > 0.0)) {
            is_crossed = crosses_within(&m, (i - 1.0) / PARTS, (double)i / PARTS, before);
        }
        before = now;
    }
    return is_crossed;
}

/* --- Pairs --- */

static void widen(const crn_gallery_core *core, int axis, double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (int i = 0; i < 4; ++i) {
        const crn_vec3 *p = i < 2 ? &core->was[i] : &core->is[i - 2];
        double x = axis == 0 ? p->x : axis == 1 ? p->y : p->z;
        *low = fmin(*low, x);
        *high = fmax(*high, x);
    }
}

static bool are_near(const crn_gallery_core *a, const crn_gallery_core *b)
{
    bool are = true;
    for (int axis = 0; axis < 3 && are; ++axis) {
        double low_a, high_a, low_b, high_b;
        widen(a, axis, &low_a, &high_a);
        widen(b, axis, &low_b, &high_b);
        are = low_a <= high_b && low_b <= high_a;
    }
    return are;
}

/* Bodies with a joint between them do not touch; the ends of their cores may meet. */
static bool are_joined(const crn_model *model, int a, int b)
{
    bool are = a == b;
    for (int j = 0; j < crn_model_joints(model) && !are; ++j) {
        const crn_joint_def *joint = crn_model_joint(model, j);
        are = !joint->bodies_collide && ((joint->a == a && joint->b == b) || (joint->a == b && joint->b == a));
    }
    return are;
}

int crn_gallery_cores_crossed(const crn_gallery_watch *w)
{
    int crossed = 0;
    for (int i = 0; i < w->cores; ++i) {
        const crn_gallery_core *a = &w->core[i];
        for (int j = 0; j < i; ++j) {
            const crn_gallery_core *b = &w->core[j];
            bool may_touch = a->body != b->body && (a->group & b->mask) && (b->group & a->mask);
            crossed += may_touch && are_near(a, b) && crn_gallery_segments_cross(a->was, a->is, b->was, b->is) &&
                       !are_joined(w->model, a->body, b->body);
        }
    }
    return crossed;
}

/* --- Cores of a model --- */

void crn_gallery_cores_place(crn_gallery_watch *w)
{
    for (int i = 0; i < w->cores; ++i) {
        crn_gallery_core *core = &w->core[i];
        crn_pose pose;
        (void)crn_body_pose(w->world, crn_world_body(w->world, core->body + 1), &pose);
        for (int k = 0; k < 2; ++k) {
            core->was[k] = core->is[k];
            core->is[k] = crn_build_compose(pose, (crn_pose){core->end[k], {1.0, 0.0, 0.0, 0.0}}).position;
        }
    }
}

/* Radius of the centre line of a ring about z; 0: it is none. */
static double ring_radius(const crn_shape_def *shape)
{
    double least = INFINITY, most = 0.0;
    for (int i = 0; i < shape->count && shape->kind == CRN_SHAPE_MESH; ++i) {
        double r = hypot(shape->points[3 * i], shape->points[3 * i + 1]);
        least = fmin(least, r);
        most = fmax(most, r);
    }
    return least > RING_INNER * most && most > 0.0 ? 0.5 * (least + most) : 0.0;
}

static void add_core(crn_gallery_watch *w, int body, const crn_body_shape *shape, crn_vec3 p, crn_vec3 q)
{
    crn_gallery_core *core = &w->core[w->cores++];
    core->body = body;
    core->group = shape->group;
    core->mask = shape->mask;
    core->end[0] = crn_build_compose(shape->pose, (crn_pose){p, {1.0, 0.0, 0.0, 0.0}}).position;
    core->end[1] = crn_build_compose(shape->pose, (crn_pose){q, {1.0, 0.0, 0.0, 0.0}}).position;
}

static void add_ring(crn_gallery_watch *w, int body, const crn_body_shape *shape, double radius)
{
    const double turn = 2.0 * acos(-1.0) / RING_PARTS;
    w->ring[w->rings] = body;
    w->ring_radius[w->rings++] = radius;
    for (int i = 0; i < RING_PARTS; ++i) {
        crn_vec3 p = {radius * cos(turn * i), radius * sin(turn * i), 0.0};
        crn_vec3 q = {radius * cos(turn * (i + 1)), radius * sin(turn * (i + 1)), 0.0};
        add_core(w, body, shape, p, q);
    }
}

crn_status crn_gallery_cores_find(crn_gallery_watch *w)
{
    int cores = 0, rings = 0;
    for (int i = 0; i < crn_model_bodies(w->model); ++i) {
        const crn_body_def *body = crn_model_body(w->model, i);
        for (int k = 0; k < body->shapes; ++k) {
            bool is_ring = ring_radius(&body->shape[k].shape) > 0.0;
            rings += is_ring;
            cores += is_ring ? RING_PARTS : body->shape[k].shape.kind == CRN_SHAPE_CAPSULE;
        }
    }
    w->core = calloc((size_t)cores + 1, sizeof *w->core);
    w->ring = calloc((size_t)rings + 1, sizeof *w->ring);
    w->ring_radius = calloc((size_t)rings + 1, sizeof *w->ring_radius);
    w->link = calloc((size_t)rings * (size_t)rings + 1, sizeof *w->link);
    if (!w->core || !w->ring || !w->ring_radius || !w->link) {
        return CRN_ERR_MEMORY;
    }
    for (int i = 0; i < crn_model_bodies(w->model); ++i) {
        const crn_body_def *body = crn_model_body(w->model, i);
        for (int k = 0; k < body->shapes; ++k) {
            const crn_body_shape *shape = &body->shape[k];
            double half = shape->shape.size.y, radius = ring_radius(&shape->shape);
            if (radius > 0.0) {
                add_ring(w, i, shape, radius);
            } else if (shape->shape.kind == CRN_SHAPE_CAPSULE) {
                add_core(w, i, shape, (crn_vec3){0.0, 0.0, -half}, (crn_vec3){0.0, 0.0, half});
            }
        }
    }
    return CRN_OK;
}
