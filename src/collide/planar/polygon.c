/* Convex hull and mass of a polygon, in place and without memory.
 *
 * Hull: the points below the line from the leftmost to the rightmost one, from left to right, then the others from right
 * to left, form a closed chain; a stack that grows over the chain itself drops what is not convex (Graham's scan, Andrew's
 * order). Mass: with vertices relative to the first one,
 *     A = sum d/2,  C = sum d (p + q)/6,  J = sum d (p'p + p'q + q'q)/12,  d = p x q, over edges p to q;
 * com = C/A and the moment about it is J - A |com|^2. */
#include "collide/planar/planar.h"
#include "math/elementary.h"

#include <string.h>

/* A corner nearer than this to the line through its neighbours is flat, relative to the extent of the points: a few
 * thousand roundings. A smaller value lets edges through whose direction is noise. */
#define FLAT 1e-12

/* The line that tells the lower chain from the upper one. */
typedef struct chain {
    crn_vec2 left, across;
} chain;

static bool is_left_of(crn_vec2 p, crn_vec2 q)
{
    return p.x != q.x ? p.x < q.x : p.y < q.y;
}

/* Does p come before q on the chain? */
static bool is_before(const chain *c, crn_vec2 p, crn_vec2 q)
{
    bool p_above = crn_v2_cross(c->across, crn_v2_sub(p, c->left)) > 0.0;
    bool q_above = crn_v2_cross(c->across, crn_v2_sub(q, c->left)) > 0.0;
    if (p_above != q_above) {
        return q_above;
    }
    return p_above ? is_left_of(q, p) : is_left_of(p, q);
}

static void set_point(double *points, int i, crn_vec2 p)
{
    points[2 * i] = p.x;
    points[2 * i + 1] = p.y;
}

/* Put p into the heap of `count` points at place i or below; the last on the chain is on top. */
static void sift(const chain *c, double *points, int i, int count, crn_vec2 p)
{
    for (int child = 2 * i + 1; child < count; i = child, child = 2 * i + 1) {
        crn_vec2 q = crn_v2_at(points, child);
        if (child + 1 < count && is_before(c, q, crn_v2_at(points, child + 1))) {
            child += 1;
            q = crn_v2_at(points, child);
        }
        if (!is_before(c, p, q)) {
            break;
        }
        set_point(points, i, q);
    }
    set_point(points, i, p);
}

/* Heap sort: the C library's may take memory. */
static void sort_chain(const chain *c, double *points, int count)
{
    for (int i = count / 2 - 1; i >= 0; --i) {
        sift(c, points, i, count, crn_v2_at(points, i));
    }
    for (int last = count - 1; last > 0; --last) {
        crn_vec2 p = crn_v2_at(points, last);
        set_point(points, last, crn_v2_at(points, 0));
        sift(c, points, 0, last, p);
    }
}

/* Is b a corner of the way from a to c, turning left by more than `flat`? */
static bool is_corner(crn_vec2 a, crn_vec2 b, crn_vec2 c, double flat)
{
    crn_vec2 d = crn_v2_sub(c, a), e = crn_v2_sub(b, a);
    double length = crn_v2_length(d);
    return crn_v2_length(e) > flat && crn_v2_length(crn_v2_sub(c, b)) > flat &&
           (length <= flat || crn_v2_cross(e, d) > flat * length);
}

/* Drop corners from the end of the chain [0, size) that the next point `p` makes flat; keeps the first `fixed`. */
static int drop_flat(const double *points, int size, int fixed, crn_vec2 p, double flat)
{
    while (size > fixed && size >= 2 && !is_corner(crn_v2_at(points, size - 2), crn_v2_at(points, size - 1), p, flat)) {
        size -= 1;
    }
    return size;
}

int crn_polygon_hull(double *points, int count)
{
    if (count < 2) {
        return count;
    }
    crn_vec2 left = crn_v2_at(points, 0), right = left;
    for (int i = 1; i < count; ++i) {
        crn_vec2 p = crn_v2_at(points, i);
        left = is_left_of(p, left) ? p : left;
        right = is_left_of(right, p) ? p : right;
    }
    chain order = {left, crn_v2_sub(right, left)};
    double extent = crn_v2_length(order.across);
    for (int i = 0; i < count; ++i) { /* the points may reach farther across than along */
        extent = crn_fmax(extent, crn_v2_length(crn_v2_sub(crn_v2_at(points, i), left)));
    }
    double flat = FLAT * extent;
    sort_chain(&order, points, count);

    int size = 1, fixed = 1; /* the corners that stay: the left one, then the right one too */
    for (int i = 1; i < count; ++i) {
        crn_vec2 p = crn_v2_at(points, i);
        size = drop_flat(points, size, fixed, p, flat);
        if (crn_v2_length(crn_v2_sub(p, crn_v2_at(points, size - 1))) > flat) { /* not the same point again */
            set_point(points, size++, p);
        }
        if (p.x == right.x && p.y == right.y) {
            fixed = size;
        }
    }
    return drop_flat(points, size, fixed, left, flat);
}

crn_mass_properties crn_polygon_mass(const double *points, int count)
{
    crn_mass_properties mass;
    memset(&mass, 0, sizeof mass);
    double twice = 0.0, moment = 0.0;
    crn_vec2 sum = {0.0, 0.0};
    for (int i = 1; i + 1 < count; ++i) {
        crn_vec2 origin = crn_v2_at(points, 0);
        crn_vec2 p = crn_v2_sub(crn_v2_at(points, i), origin), q = crn_v2_sub(crn_v2_at(points, i + 1), origin);
        double d = crn_v2_cross(p, q);
        twice += d;
        sum = crn_v2_axpy(sum, d, crn_v2_add(p, q));
        moment += d * (crn_v2_dot(p, p) + crn_v2_dot(p, q) + crn_v2_dot(q, q));
    }
    if (twice > 0.0) {
        crn_vec2 com = crn_v2_scale(1.0 / (3.0 * twice), sum);
        mass.mass = 0.5 * twice;
        mass.com = crn_v3(points[0] + com.x, points[1] + com.y, 0.0);
        mass.inertia.m[8] = moment / 12.0 - mass.mass * crn_v2_dot(com, com);
    }
    return mass;
}
