/* Signed distance from a point to a closed mesh: the nearest point of the surface by descending the tree of boxes, nearer
 * child first; its sign by the normal of the nearest feature (triangle, edge or vertex) [BA05].
 *
 * Where pieces touch face to face, the same point is nearest on both, and each has its own opinion: a point inside one is
 * outside of the other. So of features that are nearest to rounding one that says "inside" is enough. (Of a single piece
 * all say the same.)
 *
 * On a triangle a, b, c the nearest point of p is found by the regions of its plane: outside of a corner, outside of a
 * side, or inside [Eri05 s5.1.5]. */
#include "collide/mesh/mesh_parts.h"

#include <limits.h>
#include <math.h>

/* The tree halves the count at each level, so 64 levels are never reached; each level leaves one node waiting. */
enum { STACK = 64 };

/* How much farther than the nearest feature another one is as near, relative to the size: the rounding of distances. */
#define AS_NEAR 1e-14

/* The square of a triangle's area against the products that it is the difference of: below this their rounding is felt in the point of
 * its plane. Without it a point of three corners in a line was 0.2 too far along it. */
#define THIN 1e-9

typedef struct nearest {
    double square, limit; /* limit: square of the distance that is as near */
    double inside;        /* the least square of features that say so */
    double slack;         /* [m] */
    long long visits;     /* nodes that may still be looked at */
    crn_vec3 point;
} nearest;

static double square_to_box(const crn_mesh_node *node, const double *p)
{
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) {
        double below = node->low[k] - p[k], above = p[k] - node->high[k];
        double d = below > above ? below : above;
        sum += d > 0.0 ? d * d : 0.0;
    }
    return sum;
}

typedef enum feature { CORNER, SIDE, FACE } feature;

/* Normal of corner or side 0, 1, 2, or of all of triangle t. */
static crn_vec3 normal_of(const crn_mesh *m, int t, feature kind, int which)
{
    size_t at = 3 * (size_t)t + (size_t)which;
    return kind == FACE ? m->normal[t] : kind == SIDE ? m->edge[m->face_edge[at]].pseudo : m->pseudo[m->face[at]];
}

/* q is the nearest point of triangle t, on this feature: is it the nearest of all, or as near? */
static void offer(const crn_mesh *m, int t, crn_vec3 p, crn_vec3 q, feature kind, int which, nearest *best)
{
    crn_vec3 to = crn_v3_sub(p, q);
    double square = crn_v3_dot(to, to);
    if (!(square <= best->limit)) {
        return;
    }
    if (square < best->square) {
        double limit = sqrt(square) + best->slack;
        best->square = square;
        best->limit = limit * limit;
        best->point = q;
    }
    if (square < best->inside && crn_v3_dot(to, normal_of(m, t, kind, which)) < 0.0) {
        best->inside = square;
    }
}

/* Of side k, from a along ab, with the point at share x / (x + y) of it. */
static void offer_side(const crn_mesh *m, int t, crn_vec3 p, crn_vec3 a, crn_vec3 ab, double x, double y, int k,
                       nearest *best)
{
    double share = x + y > 0.0 ? x / (x + y) : 0.0;
    offer(m, t, p, crn_v3_axpy(a, share, ab), SIDE, k, best);
}

/* Side k, also where the triangle says nothing about the region. */
static void offer_segment(const crn_mesh *m, int t, crn_vec3 p, int k, nearest *best)
{
    const int *corner = m->face + 3 * (size_t)t;
    crn_vec3 a = m->vertex[corner[k]], ab = crn_v3_sub(m->vertex[corner[(k + 1) % 3]], a);
    double along = crn_v3_dot(ab, crn_v3_sub(p, a)), square = crn_v3_dot(ab, ab);
    if (along <= 0.0) {
        offer(m, t, p, a, CORNER, k, best);
    } else if (along >= square) {
        offer(m, t, p, m->vertex[corner[(k + 1) % 3]], CORNER, (k + 1) % 3, best);
    } else {
        offer(m, t, p, crn_v3_axpy(a, along / square, ab), SIDE, k, best);
    }
}

static void offer_sides(const crn_mesh *m, int t, crn_vec3 p, nearest *best)
{
    for (int k = 0; k < 3; ++k) {
        offer_segment(m, t, p, k, best);
    }
}

static void visit_triangle(const crn_mesh *m, int t, crn_vec3 p, nearest *best)
{
    const int *corner = m->face + 3 * (size_t)t;
    crn_vec3 a = m->vertex[corner[0]], b = m->vertex[corner[1]], c = m->vertex[corner[2]];
    crn_vec3 ab = crn_v3_sub(b, a), ac = crn_v3_sub(c, a), bc = crn_v3_sub(c, b);
    crn_vec3 ap = crn_v3_sub(p, a), bp = crn_v3_sub(p, b), cp = crn_v3_sub(p, c);
    double d1 = crn_v3_dot(ab, ap), d2 = crn_v3_dot(ac, ap);
    if (d1 <= 0.0 && d2 <= 0.0) {
        offer(m, t, p, a, CORNER, 0, best);
        return;
    }
    double d3 = crn_v3_dot(ab, bp), d4 = crn_v3_dot(ac, bp);
    if (d3 >= 0.0 && d4 <= d3) {
        offer(m, t, p, b, CORNER, 1, best);
        return;
    }
    double d5 = crn_v3_dot(ab, cp), d6 = crn_v3_dot(ac, cp);
    if (d6 >= 0.0 && d5 <= d6) {
        offer(m, t, p, c, CORNER, 2, best);
        return;
    }
    double vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4;
    if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) {
        offer_side(m, t, p, a, ab, d1, -d3, 0, best);
    } else if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) {
        offer_side(m, t, p, a, ac, d2, -d6, 2, best);
    } else if (va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0) {
        offer_side(m, t, p, b, bc, d4 - d3, d5 - d6, 1, best);
    } else if (va > 0.0 && vb > 0.0 && vc > 0.0) {
        double sum = va + vb + vc, parts = fabs(d1 * d4) + fabs(d3 * d2) + fabs(d5 * d2) + fabs(d1 * d6);
        parts += fabs(d3 * d6) + fabs(d5 * d4);
        offer(m, t, p, crn_v3_axpy(crn_v3_axpy(a, vb / sum, ab), vc / sum, ac), FACE, 0, best);
        if (sum <= THIN * parts) {
            offer_sides(m, t, p, best);
        }
    } else { /* so thin that the regions are noise: the sides are all there is */
        offer_sides(m, t, p, best);
    }
}

static void visit_tree(const crn_mesh *m, crn_vec3 p, nearest *best)
{
    double at[3], waiting_square[STACK];
    int waiting[STACK], count = 0;
    crn_v3_to(p, at);
    waiting[count] = 0;
    waiting_square[count++] = square_to_box(&m->node[0], at);
    while (count > 0 && best->visits-- > 0) {
        const crn_mesh_node *node = &m->node[waiting[--count]];
        if (!(waiting_square[count] <= best->limit)) {
            continue;
        }
        if (node->count > 0) {
            for (int i = 0; i < node->count; ++i) {
                visit_triangle(m, m->tree_face[node->first + i], p, best);
            }
            continue;
        }
        double left = square_to_box(&m->node[node->first], at), right = square_to_box(&m->node[node->first + 1], at);
        int nearer = left <= right ? 0 : 1; /* the last in is the first out */
        waiting[count] = node->first + 1 - nearer;
        waiting_square[count++] = left <= right ? right : left;
        waiting[count] = node->first + nearer;
        waiting_square[count++] = left <= right ? left : right;
    }
}

static double find(const crn_mesh *mesh, crn_vec3 point, crn_vec3 *closest, long long *visits)
{
    const double inf = (double)INFINITY;
    nearest best = {inf, inf, inf, AS_NEAR * mesh->size, *visits, mesh->vertex[0]};
    visit_tree(mesh, point, &best);
    *visits = best.visits;
    if (closest != NULL) {
        *closest = best.point;
    }
    double distance = sqrt(best.square);
    return mesh->is_closed && best.inside <= best.limit ? -distance : distance;
}

double crn_mesh_distance(const crn_mesh *mesh, crn_vec3 point, crn_vec3 *closest)
{
    long long visits = LLONG_MAX;
    return find(mesh, point, closest, &visits);
}

double crn_mesh_distance_within(const crn_mesh *mesh, crn_vec3 point, long long *visits)
{
    return find(mesh, point, NULL, visits);
}
