/* Convex hull of points: quickhull [BDH96] on integers, then faces that lie in one plane made one.
 *
 * The points are rounded to a grid of 2^40 steps along the longest side; on it the sign of a determinant
 *
 *   orient(a, b, c, d) = (b - a) x (c - a) . (d - a)
 *
 * needs 123 bits and is computed exactly. So the hull of the rounded points is exactly right, whatever their position:
 * points in a plane or on a line need no special care. The vertices of the result are the points as given.
 *
 * Invariants whenever a point has been added:
 *   the triangles in use are the hull of the points added so far, each with its three neighbours;
 *   a point not yet added that lies outside is in the list of one triangle that sees it. */
#include "collide/convex/hull.h"

#include <math.h>
#include <string.h>

#include "math/wide.h"

#define GRID_STEPS 1099511627776.0 /* 2^40: three differences of 40 bits and six terms make 123 bits */

/* Thinner than this part of its size, a hull has no inside to speak of: its inertia would be noise. */
#define FLAT 1e-9

enum { NONE = -1 };

typedef crn_hull_triangle triangle;

/* A side of the rim of the triangles that a new point sees. */
typedef struct rim_side {
    int from, to;    /* corners */
    int outer, side; /* the unseen triangle there, and which of its sides this is */
    int made;        /* the new triangle on it */
} rim_side;

typedef struct work {
    const double *points;
    int count;
    double size; /* longest side of the box around the points */
    int64_t (*grid)[3];
    int *next; /* lists of points outside of a triangle */
    triangle *tri;
    int tris, spare; /* tri[0 .. tris) were handed out; spare: first of those given back, linked by outside */
    int *stack;      /* seen triangles */
    rim_side *rim;
    int *starts; /* by point: the new triangle whose first corner it is */
} work;

static void layout(work *w, crn_arena *arena)
{
    size_t n = (size_t)w->count;
    w->grid = (int64_t(*)[3])crn_arena_take(arena, n, sizeof *w->grid);
    w->next = CRN_TAKE(arena, int, n);
    w->tri = CRN_TAKE(arena, triangle, 2 * n); /* V points make 2 V - 4 */
    w->stack = CRN_TAKE(arena, int, 2 * n);
    w->rim = CRN_TAKE(arena, rim_side, n);
    w->starts = CRN_TAKE(arena, int, n);
}

static crn_vec3 at(const work *w, int k)
{
    return crn_v3_of(w->points + 3 * (size_t)k);
}

/* --- Exact signs --- */

/* Six times the volume of the tetrahedron, in grid steps; positive if the point lies outside of the triangle. */
static crn_wide orient(const work *w, const int *corner, int point)
{
    const int64_t *a = w->grid[corner[0]], *b = w->grid[corner[1]], *c = w->grid[corner[2]], *d = w->grid[point];
    int64_t bx = b[0] - a[0], by = b[1] - a[1], bz = b[2] - a[2];
    int64_t cx = c[0] - a[0], cy = c[1] - a[1], cz = c[2] - a[2];
    crn_wide x = crn_wide_scale(crn_wide_minor(by, cz, bz, cy), d[0] - a[0]);
    crn_wide y = crn_wide_scale(crn_wide_minor(bz, cx, bx, cz), d[1] - a[1]);
    crn_wide z = crn_wide_scale(crn_wide_minor(bx, cy, by, cx), d[2] - a[2]);
    return crn_wide_add(crn_wide_add(x, y), z);
}

static bool sees(const work *w, int t, int point)
{
    return crn_wide_compare(orient(w, w->tri[t].corner, point), crn_wide_of(0)) > 0;
}

static void round_to_grid(work *w, const double low[3])
{
    for (int i = 0; i < w->count; ++i) {
        for (int k = 0; k < 3; ++k) {
            w->grid[i][k] = (int64_t)nearbyint((w->points[3 * (size_t)i + (size_t)k] - low[k]) / w->size * GRID_STEPS);
        }
    }
}

/* --- First simplex --- */

/* Points with the lowest and highest coordinate along each axis; the longest side. */
static double find_extremes(const work *w, double low[3], int extreme[6])
{
    double high[3], longest = 0.0;
    for (int k = 0; k < 3; ++k) {
        low[k] = high[k] = w->points[k];
        extreme[2 * k] = extreme[2 * k + 1] = 0;
        for (int i = 1; i < w->count; ++i) {
            double x = w->points[3 * (size_t)i + (size_t)k];
            if (x < low[k]) {
                low[k] = x;
                extreme[2 * k] = i;
            } else if (x > high[k]) {
                high[k] = x;
                extreme[2 * k + 1] = i;
            }
        }
        double side = high[k] - low[k];
        longest = side > longest ? side : longest;
    }
    return longest;
}

static double distance_to_line(crn_vec3 p, crn_vec3 a, crn_vec3 direction)
{
    return crn_v3_length(crn_v3_cross(direction, crn_v3_sub(p, a)));
}

/* The point farthest from the line through a along direction (unit), or from the plane through a across it. */
static int farthest(const work *w, crn_vec3 a, crn_vec3 direction, bool from_plane, double *distance)
{
    int best = 0;
    *distance = -1.0;
    for (int i = 0; i < w->count; ++i) {
        double own = from_plane ? fabs(crn_v3_dot(direction, crn_v3_sub(at(w, i), a)))
                                : distance_to_line(at(w, i), a, direction);
        if (own > *distance) {
            *distance = own;
            best = i;
        }
    }
    return best;
}

/* Four points that span a simplex; what they do not span is said in the message. */
static crn_status find_simplex(const work *w, const int extreme[6], double size, int simplex[4], crn_error *error)
{
    double longest = -1.0, distance;
    for (int k = 0; k < 3; ++k) {
        double own = crn_v3_length(crn_v3_sub(at(w, extreme[2 * k + 1]), at(w, extreme[2 * k])));
        if (own > longest) {
            longest = own;
            simplex[0] = extreme[2 * k];
            simplex[1] = extreme[2 * k + 1];
        }
    }
    crn_vec3 a = at(w, simplex[0]), b = at(w, simplex[1]);
    crn_vec3 along = crn_v3_unit(crn_v3_sub(b, a));
    simplex[2] = farthest(w, a, along, false, &distance);
    if (!(distance > FLAT * size)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "points: all %d lie on one line", w->count);
    }
    crn_vec3 across = crn_v3_unit(crn_v3_cross(along, crn_v3_sub(at(w, simplex[2]), a)));
    simplex[3] = farthest(w, a, across, true, &distance);
    if (!(distance > FLAT * size)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "points: all %d lie in one plane", w->count);
    }
    return CRN_OK;
}

/* --- Growth --- */

static int new_triangle(work *w, int a, int b, int c)
{
    int t = w->spare;
    if (t != NONE) {
        w->spare = w->tri[t].outside;
    } else {
        t = w->tris++;
    }
    w->tri[t] = (triangle){{a, b, c}, {NONE, NONE, NONE}, NONE, false};
    return t;
}

/* corner[0] < 0 marks a triangle that is not in use. */
static void drop_triangle(work *w, int t)
{
    w->tri[t].corner[0] = NONE;
    w->tri[t].outside = w->spare;
    w->spare = t;
}

static void push_outside(work *w, int t, int point)
{
    w->next[point] = w->tri[t].outside;
    w->tri[t].outside = point;
}

static void start(work *w, int simplex[4])
{
    static const int corner[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    static const int beside[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
    if (crn_wide_compare(orient(w, simplex, simplex[3]), crn_wide_of(0)) >
        0) { /* the first triangle must not see the fourth point */
        int swap = simplex[1];
        simplex[1] = simplex[2];
        simplex[2] = swap;
    }
    for (int t = 0; t < 4; ++t) {
        (void)new_triangle(w, simplex[corner[t][0]], simplex[corner[t][1]], simplex[corner[t][2]]);
        memcpy(w->tri[t].beside, beside[t], sizeof beside[t]);
    }
    for (int i = 0; i < w->count; ++i) {
        for (int t = 0; t < 4; ++t) {
            if (sees(w, t, i)) {
                push_outside(w, t, i);
                break;
            }
        }
    }
}

/* The point of t's list farthest from it. */
static int farthest_outside(const work *w, int t)
{
    int best = w->tri[t].outside;
    crn_wide most = orient(w, w->tri[t].corner, best);
    for (int p = w->next[best]; p != NONE; p = w->next[p]) {
        crn_wide own = orient(w, w->tri[t].corner, p);
        if (crn_wide_compare(own, most) > 0) {
            most = own;
            best = p;
        }
    }
    return best;
}

static int side_towards(const triangle *t, int other)
{
    return t->beside[0] == other ? 0 : t->beside[1] == other ? 1 : 2;
}

/* All triangles that point sees, from t on, in stack; the sides of their rim in rim. */
static int find_rim(work *w, int t, int point, int *seen)
{
    int sides = 0;
    *seen = 1;
    w->stack[0] = t;
    w->tri[t].is_seen = true;
    for (int done = 0; done < *seen; ++done) {
        int own = w->stack[done];
        for (int k = 0; k < 3; ++k) {
            const triangle *tri = &w->tri[own];
            int other = tri->beside[k];
            if (w->tri[other].is_seen) {
                continue;
            }
            if (sees(w, other, point)) {
                w->tri[other].is_seen = true;
                w->stack[(*seen)++] = other;
            } else {
                w->rim[sides++] = (rim_side){tri->corner[k], tri->corner[(k + 1) % 3], other,
                                             side_towards(&w->tri[other], own), NONE};
            }
        }
    }
    return sides;
}

/* Points of the seen triangles but the new one, in one list. */
static int gather_loose(work *w, int seen, int point)
{
    int loose = NONE;
    for (int k = 0; k < seen; ++k) {
        for (int p = w->tri[w->stack[k]].outside, after; p != NONE; p = after) {
            after = w->next[p];
            if (p != point) {
                w->next[p] = loose;
                loose = p;
            }
        }
    }
    return loose;
}

/* Replace what point sees by triangles from the rim to it. */
static void add_point(work *w, int t, int point)
{
    int seen, sides = find_rim(w, t, point, &seen), loose = gather_loose(w, seen, point);
    for (int k = 0; k < seen; ++k) {
        drop_triangle(w, w->stack[k]);
    }
    for (int s = 0; s < sides; ++s) {
        rim_side *rim = &w->rim[s];
        rim->made = new_triangle(w, rim->from, rim->to, point);
        w->tri[rim->made].beside[0] = rim->outer;
        w->tri[rim->outer].beside[rim->side] = rim->made;
        w->starts[rim->from] = rim->made;
    }
    for (int s = 0; s < sides; ++s) {
        int made = w->rim[s].made, after = w->starts[w->rim[s].to];
        w->tri[made].beside[1] = after;
        w->tri[after].beside[2] = made;
    }
    for (int p = loose, after; p != NONE; p = after) {
        after = w->next[p];
        for (int s = 0; s < sides; ++s) {
            if (sees(w, w->rim[s].made, p)) {
                push_outside(w, w->rim[s].made, p);
                break;
            }
        }
    }
}

/* A triangle that is replaced hands its place to a new one, so the places are gone through until none has points left. */
static void grow(work *w)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (int t = 0; t < w->tris; ++t) {
            while (w->tri[t].corner[0] != NONE && w->tri[t].outside != NONE) {
                add_point(w, t, farthest_outside(w, t));
                changed = true;
            }
        }
    }
}

/* Close the holes that dropped triangles left in the numbering. */
static void compact(work *w)
{
    int used = 0;
    for (int t = 0; t < w->tris; ++t) {
        w->stack[t] = w->tri[t].corner[0] != NONE ? used++ : NONE;
    }
    for (int t = 0; t < w->tris; ++t) {
        if (w->stack[t] != NONE) {
            triangle moved = w->tri[t];
            for (int k = 0; k < 3; ++k) {
                moved.beside[k] = w->stack[moved.beside[k]];
            }
            w->tri[w->stack[t]] = moved;
        }
    }
    w->tris = used;
}

static crn_status find_triangles(work *w, crn_error *error)
{
    double low[3];
    int extreme[6], simplex[4] = {0, 0, 0, 0};
    w->size = find_extremes(w, low, extreme);
    if (!(w->size > 0.0)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "points: all %d are the same", w->count);
    }
    if (!isfinite(w->size)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "points: too far apart");
    }
    crn_status status = find_simplex(w, extreme, w->size, simplex, error);
    if (status != CRN_OK) {
        return status;
    }
    round_to_grid(w, low);
    start(w, simplex);
    grow(w);
    compact(w);
    return CRN_OK;
}

crn_status crn_hull_build(const double *points, int count, const crn_allocator *allocator, crn_polyhedron **hull,
                          crn_error *error)
{
    *hull = NULL;
    if (count < 4) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "points: a hull needs at least 4, there are %d", count);
    }
    work w = {.points = points, .count = count, .spare = NONE};
    crn_arena counting = crn_arena_counting();
    layout(&w, &counting);
    void *block = counting.overflow ? NULL : crn_allocate(allocator, counting.used, 1);
    if (block == NULL) {
        return crn_fail(error, CRN_ERR_MEMORY, "hull: out of memory for %d points", count);
    }
    crn_arena arena = {block, counting.used, 0, false};
    layout(&w, &arena);
    crn_status status = find_triangles(&w, error);
    if (status == CRN_OK) {
        status = crn_hull_faces(points, count, w.tri, w.tris, w.size, allocator, hull, error);
    }
    crn_release(allocator, block);
    return status;
}
