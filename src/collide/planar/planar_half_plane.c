/* A planar shape on a half-plane {x : n'x <= d}: the gap of a point p is n'p - d, so every vertex that can be the lowest
 * one after a turn is a touch of its own. These are the vertices of the lower chain, the ones beside an edge that faces
 * the half-plane; the others are higher than the chain under them, which implies their constraint exactly. */
#include "collide/planar/planar.h"

/* Sine of the angle by which an edge must lean towards the half-plane to face it. Far above the noise of the normal
 * (1e-16), so that an upright side does not bring in the vertex on top of it, and far below the lean of any real edge. */
#define FACING 1e-9

/* {x : normal'(x - origin) <= 0} in the world */
typedef struct half_plane {
    crn_vec2 normal;
    crn_vec2 origin;
} half_plane;

static double height(const half_plane *h, crn_vec2 p)
{
    return crn_v2_dot(h->normal, crn_v2_sub(p, h->origin));
}

/* The touch of the surface point p. */
static void add_point(const crn_planar_pair *pair, const half_plane *h, crn_vec2 p, double gap, int vertex)
{
    if (gap <= pair->reach) {
        crn_planar_add(pair, crn_v2_axpy(p, -0.5 * gap, h->normal), h->normal, gap, crn_key_vertex(vertex));
    }
}

static void ellipse_half_plane(const crn_planar_pair *pair, const half_plane *h)
{
    /* lowest point: c - S n / sqrt(n'S n), S = R diag(a^2, b^2) R' */
    crn_vec2 n = crn_pose2_turn_back(&pair->pose_a, h->normal);
    crn_vec2 w = crn_v2(pair->a->def.size.x * n.x, pair->a->def.size.y * n.y);
    double support = crn_v2_length(w);
    crn_vec2 lowest = crn_v2(-pair->a->def.size.x * w.x / support, -pair->a->def.size.y * w.y / support);
    add_point(pair, h, crn_pose2_point(&pair->pose_a, lowest), height(h, pair->pose_a.origin) - support, 0);
}

/* Does the edge from p to q (counter-clockwise) face the half-plane? */
static bool is_facing(const half_plane *h, crn_vec2 p, crn_vec2 q)
{
    /* outward normal (d.y, -d.x) of the edge d against n */
    crn_vec2 d = crn_v2_sub(q, p);
    return crn_v2_dot(crn_v2(d.y, -d.x), h->normal) < -FACING * crn_v2_length(d);
}

static void outline_half_plane(const crn_planar_pair *pair, const half_plane *h)
{
    double ends[4];
    crn_outline outline = crn_outline_of(pair->a, &pair->pose_a, ends);
    crn_vec2 p = crn_pose2_point(&outline.pose, crn_v2_at(outline.point, outline.count - 1));
    crn_vec2 q = crn_pose2_point(&outline.pose, crn_v2_at(outline.point, 0));
    bool is_all = outline.count < 3, was_facing = !is_all && is_facing(h, p, q);
    for (int i = 0; i < outline.count; ++i) {
        p = q;
        q = crn_pose2_point(&outline.pose, crn_v2_at(outline.point, crn_outline_next(&outline, i)));
        bool facing = !is_all && is_facing(h, p, q);
        if (is_all || facing || was_facing) {
            add_point(pair, h, crn_v2_axpy(p, -outline.radius, h->normal), height(h, p) - outline.radius, i);
        }
        was_facing = facing;
    }
}

void crn_planar_on_half_plane(const crn_planar_pair *pair)
{
    half_plane h = {crn_v2_left(pair->pose_b.axis), pair->pose_b.origin};
    if (pair->a->def.kind == CRN_SHAPE_ELLIPSE) {
        ellipse_half_plane(pair, &h);
    } else {
        outline_half_plane(pair, &h);
    }
}
