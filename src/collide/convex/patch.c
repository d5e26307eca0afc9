/* All points where two convex solids face each other, along one normal n.
 *
 * The sides of both (side.h) are polygons seen along n; the corners of their overlap are
 *
 *   vertices of a over faces of b,  vertices of b under faces of a,  crossings of edges,
 *
 * each with the gap  n'(p_a - p_b)  between the two surfaces there. Since  s(n) <= n'(x - y)  for all x of a and y of b, none
 * is lower than s(n). Where the solids meet in edges or points only, the ends of nearly parallel edges are added, and the
 * deepest points unless one of the others is as low. */
#include "collide/convex/patch.h"

#include "collide/convex/drum.h"
#include "math/elementary.h"

/* How far outside of a face a vertex still belongs to it, relative to the size of the solids: rounding, and no more, since the
 * plane of a face that is not quite across n rises outside of it. */
#define BESIDE 1e-12

/* How much deeper than all other points the deepest must be to be listed, relative to the size of the solids. */
#define NOTABLE 1e-11

/* Sine of the angle below which edges do not cross, as far as rounding lets one say, but lie along each other; and of that
 * above which they have no common stretch: 11 degrees. */
#define CROSSING 1e-13
#define ALONG    0.2

typedef struct patch {
    const crn_solid *a, *b;
    crn_side side_a, side_b;
    crn_vec3 n, origin;
    double reach, tolerance;
    double least;  /* s(n): below it are only rounding, and crossings of rims that are not quite circles along n */
    double lowest; /* gap so far */
    crn_touches *out;
} patch;

/* A touch between points p, q of the cores; extra: what curvature adds to their gap along n. */
static void meet(patch *t, crn_vec3 p, crn_vec3 q, double extra, uint32_t key)
{
    double gap = crn_v3_dot(t->n, crn_v3_sub(p, q)) - t->a->radius - t->b->radius + extra;
    gap = gap < t->least ? t->least : gap;
    if (gap <= t->reach) {
        crn_vec3 sum = crn_v3_axpy(crn_v3_add(p, q), t->b->radius - t->a->radius, t->n);
        crn_touches_add(t->out, crn_v3_axpy(t->origin, 0.5, sum), t->n, gap, key);
        t->lowest = gap < t->lowest ? gap : t->lowest;
    }
}

/* From p along the direction n to the plane of a face. */
static crn_vec3 onto_plane(crn_vec3 p, crn_vec3 n, crn_vec3 normal, crn_vec3 point)
{
    double distance = crn_v3_dot(normal, crn_v3_sub(point, p)) / crn_v3_dot(normal, n);
    return crn_v3_axpy(p, distance, n);
}

/* --- Vertices and faces --- */

static bool has_face(const crn_side *side)
{
    crn_vec3 normal, point;
    for (int f = 0; f < side->faces; ++f) {
        if (crn_side_face(side, f, &normal, &point)) {
            return true;
        }
    }
    return false;
}

/* Vertices of `corners` against faces of `plates`. */
static void meet_vertices(patch *t, const crn_side *corners, const crn_side *plates, bool corners_are_a)
{
    crn_vec3 p, normal, point;
    for (int v = 0; v < corners->vertices; ++v) {
        if (!crn_side_vertex(corners, v, &p)) {
            continue;
        }
        for (int f = 0; f < plates->faces; ++f) {
            if (!crn_side_face(plates, f, &normal, &point)) {
                continue;
            }
            crn_vec3 q = onto_plane(p, t->n, normal, point);
            int vertex = crn_side_vertex_name(corners, v), face = crn_side_face_name(plates, f);
            if (!crn_side_holds(plates, face, q, t->tolerance)) {
                continue;
            }
            if (corners_are_a) {
                meet(t, p, q, 0.0, crn_key(CRN_KEY_VERTEX_FACE, vertex, face));
            } else {
                meet(t, q, p, 0.0, crn_key(CRN_KEY_FACE_VERTEX, face, vertex));
            }
        }
    }
}

/* --- Edges --- */

/* Where two segments cross, seen along n: the places on each, 0 to 1. False if nearly parallel or not crossing. */
static bool find_crossing(const crn_side_line *p, const crn_side_line *q, crn_vec3 n, double *on_p, double *on_q)
{
    crn_vec3 u = crn_v3_sub(p->to, p->from), v = crn_v3_sub(q->to, q->from), r = crn_v3_sub(q->from, p->from);
    double area = crn_v3_dot(n, crn_v3_cross(u, v));
    if (area * area <= CROSSING * CROSSING * crn_v3_dot(u, u) * crn_v3_dot(v, v)) {
        return false;
    }
    *on_p = crn_v3_dot(n, crn_v3_cross(r, v)) / area;
    /* from there on: the same quotient for q would be off by another rounding, large if they are nearly parallel */
    crn_vec3 w = crn_v3_sub(crn_v3_axpy(p->from, *on_p, u), q->from), flat = crn_v3_axpy(v, -crn_v3_dot(n, v), n);
    *on_q = crn_v3_dot(w, flat) / crn_v3_dot(v, flat);
    return *on_p > 0.0 && *on_p < 1.0 && *on_q > 0.0 && *on_q < 1.0;
}

static crn_vec3 on_line(const crn_side_line *l, double x)
{
    return crn_v3_axpy(l->from, x, crn_v3_sub(l->to, l->from));
}

static void meet_edges(patch *t)
{
    crn_side_line p, q;
    double x, y;
    for (int i = 0; i < t->side_a.edges; ++i) {
        if (!crn_side_edge(&t->side_a, i, &p)) {
            continue;
        }
        for (int j = 0; j < t->side_b.edges; ++j) {
            if (crn_side_edge(&t->side_b, j, &q) && find_crossing(&p, &q, t->n, &x, &y)) {
                int of_a = crn_side_edge_name(&t->side_a, i), of_b = crn_side_edge_name(&t->side_b, j);
                meet(t, on_line(&p, x), on_line(&q, y), 0.0, crn_key(CRN_KEY_EDGE_EDGE, of_a, of_b));
            }
        }
    }
}

/* --- Rims of caps --- */

/* Crossings of the rim of a cap with the edges of the other side. */
static void meet_rim(patch *t, const crn_side *round, int cap, const crn_side *other, bool round_is_a)
{
    crn_vec3 normal, centre;
    if (!crn_side_face(round, cap, &normal, &centre)) {
        return;
    }
    double radius = crn_drum_radius(round->solid, cap);
    crn_side_line line;
    for (int e = 0; e < other->edges; ++e) {
        if (!crn_side_edge(other, e, &line)) {
            continue;
        }
        /* |p + x d| = r in the plane of the cap */
        crn_vec3 p = crn_v3_sub(onto_plane(line.from, t->n, normal, centre), centre);
        crn_vec3 d = crn_v3_sub(crn_v3_sub(onto_plane(line.to, t->n, normal, centre), centre), p);
        double dd = crn_v3_dot(d, d), pd = crn_v3_dot(p, d), root = pd * pd - dd * (crn_v3_dot(p, p) - radius * radius);
        if (!(root > 0.0)) {
            continue;
        }
        for (int k = 0; k < 2; ++k) {
            double x = (-pd + (k == 0 ? -1.0 : 1.0) * sqrt(root)) / dd;
            if (x > 0.0 && x < 1.0) {
                crn_vec3 on_rim = crn_v3_add(centre, crn_v3_axpy(p, x, d)), on_edge = on_line(&line, x);
                int rim = CRN_SIDE_RIM + 2 * cap + k, edge = crn_side_edge_name(other, e);
                meet(t, round_is_a ? on_rim : on_edge, round_is_a ? on_edge : on_rim, 0.0,
                     round_is_a ? crn_key(CRN_KEY_EDGE_EDGE, rim, edge) : crn_key(CRN_KEY_EDGE_EDGE, edge, rim));
            }
        }
    }
}

/* Crossings of two rims, seen along n as circles: exact for caps that lie flat on each other. */
static void meet_two_rims(patch *t, int cap_a, int cap_b)
{
    crn_vec3 normal_a, centre_a, normal_b, centre_b;
    if (!crn_side_face(&t->side_a, cap_a, &normal_a, &centre_a) ||
        !crn_side_face(&t->side_b, cap_b, &normal_b, &centre_b)) {
        return;
    }
    crn_vec3 apart = crn_v3_sub(onto_plane(centre_b, t->n, normal_a, centre_a), centre_a);
    double r = crn_drum_radius(t->a, cap_a), q = crn_drum_radius(t->b, cap_b), distance = crn_v3_length(apart);
    if (!(distance < r + q && distance > fabs(r - q))) {
        return;
    }
    double x = (distance * distance + r * r - q * q) / (2.0 * distance), square = r * r - x * x;
    double y = square > 0.0 ? sqrt(square) : 0.0;
    crn_vec3 along = crn_v3_scale(1.0 / distance, apart), across = crn_v3_cross(normal_a, along);
    for (int k = 0; k < 2; ++k) {
        crn_vec3 p = crn_v3_axpy(crn_v3_axpy(centre_a, x, along), k == 0 ? -y : y, across);
        meet(t, p, onto_plane(p, t->n, normal_b, centre_b), 0.0,
             crn_key(CRN_KEY_EDGE_EDGE, CRN_SIDE_RIM + 2 * cap_a + k, CRN_SIDE_RIM + 2 * cap_b));
    }
}

static void meet_rims(patch *t)
{
    for (int cap = 0; cap < 2; ++cap) {
        if (crn_side_has_caps(&t->side_a)) {
            meet_rim(t, &t->side_a, cap, &t->side_b, true);
        }
        if (crn_side_has_caps(&t->side_b)) {
            meet_rim(t, &t->side_b, cap, &t->side_a, false);
        }
    }
    if (crn_side_has_caps(&t->side_a) && crn_side_has_caps(&t->side_b)) {
        for (int k = 0; k < 4; ++k) {
            meet_two_rims(t, k / 2, k % 2);
        }
    }
}

/* --- Edges along edges --- */

/* The edge that reaches farthest in its middle. */
static bool foremost_edge(const crn_side *side, crn_side_line *best)
{
    double most = -(double)INFINITY;
    crn_side_line line;
    for (int e = 0; e < side->edges; ++e) {
        if (crn_side_edge(side, e, &line)) {
            double own = crn_v3_dot(side->d, crn_v3_add(line.from, line.to));
            if (own > most) {
                most = own;
                *best = line;
            }
        }
    }
    return most > -(double)INFINITY;
}

/* What the gap gains at y aside of the line: two circles of radii that sum to r meet after r - sqrt(r^2 - y^2); between sharp
 * edges it is taken to be y, as of right angles. */
static double gain_aside(double r, double y)
{
    if (r == 0.0) {
        return fabs(y);
    }
    return fabs(y) < r ? r - sqrt(r * r - y * y) : (double)INFINITY;
}

/* The same for the apex of a cone over a sharp edge: it is a point, so the gap is its distance from the edge, as long as that is not
 * overlapped. */
static double gain_of_apex(double height, double y)
{
    return height + fabs(y) < 0.0 ? fabs(y) : sqrt(height * height + y * y) - height;
}

/* Ends of `line` beside `other`; n from other to line if line is a's. */
static void meet_ends(patch *t, const crn_side_line *line, const crn_side_line *other, bool line_is_a)
{
    crn_vec3 d = crn_v3_sub(other->to, other->from);
    double square = crn_v3_dot(d, d);
    crn_vec3 across = crn_v3_scale(1.0 / sqrt(square), crn_v3_cross(t->n, d));
    for (int k = 0; k < 2; ++k) {
        crn_vec3 p = k == 0 ? line->from : line->to;
        double x = crn_v3_dot(crn_v3_sub(p, other->from), d) / square;
        if (x >= 0.0 && x <= 1.0) {
            crn_vec3 q = on_line(other, x);
            double round = line->round[k] + other->round[0] + x * (other->round[1] - other->round[0]);
            crn_vec3 apart = crn_v3_sub(p, q);
            double aside = crn_v3_dot(across, apart), height = (line_is_a ? 1.0 : -1.0) * crn_v3_dot(t->n, apart);
            bool is_apex = round == 0.0 && line->round[1 - k] > 0.0;
            double extra = is_apex ? gain_of_apex(height, aside) : gain_aside(round, aside);
            meet(t, line_is_a ? p : q, line_is_a ? q : p, extra,
                 crn_key(CRN_KEY_OTHER, line_is_a ? 0 : 1, line->vertex[k]));
        }
    }
}

static void meet_along(patch *t, bool with_ends_of_b)
{
    crn_side_line p = {.round = {0.0, 0.0}}, q = p;
    if (!foremost_edge(&t->side_a, &p) || !foremost_edge(&t->side_b, &q)) {
        return;
    }
    crn_vec3 u = crn_v3_sub(p.to, p.from), v = crn_v3_sub(q.to, q.from), w = crn_v3_cross(u, v);
    if (crn_v3_dot(w, w) <= ALONG * ALONG * crn_v3_dot(u, u) * crn_v3_dot(v, v)) {
        meet_ends(t, &p, &q, true);
        if (with_ends_of_b) {
            meet_ends(t, &q, &p, false);
        }
    }
}

/* --- The deepest points --- */

/* A side without edges and faces is a point. */
static bool is_point(const crn_side *side, bool side_has_face)
{
    crn_side_line line;
    for (int e = 0; e < side->edges && !side_has_face; ++e) {
        if (crn_side_edge(side, e, &line)) {
            return false;
        }
    }
    return !side_has_face;
}

/* A farthest point that is the only one is exact; else the points that the search ended with are near enough. */
static void meet_deepest(patch *t, const crn_gap *gap)
{
    crn_vec3 p = gap->on_a, q = gap->on_b;
    double core = gap->gap + t->a->radius + t->b->radius;
    bool single_a = crn_side_is_single(&t->side_a), single_b = crn_side_is_single(&t->side_b);
    int vertex = t->side_a.farthest;
    if (single_a) {
        p = crn_solid_support(t->a, t->side_a.d, &vertex);
    }
    if (single_b) {
        vertex = t->side_b.farthest;
        q = crn_solid_support(t->b, t->side_b.d, &vertex);
    }
    if (single_a && !single_b) {
        q = crn_v3_axpy(p, -core, t->n);
    } else if (single_b && !single_a) {
        p = crn_v3_axpy(q, core, t->n);
    }
    meet(t, p, q, core - crn_v3_dot(t->n, crn_v3_sub(p, q)), crn_key(CRN_KEY_OTHER, 2, 0));
}

void crn_patch_find(const crn_solid *a, const crn_solid *b, const crn_gap *gap, double reach, crn_vec3 origin,
                    unsigned without, crn_touches *out)
{
    patch t = {
        .a = a, .b = b, .n = gap->normal, .origin = origin, .reach = reach, .lowest = (double)INFINITY, .out = out};
    double size = crn_gap_size(a, b), depth = reach - gap->gap;
    t.least = gap->gap;
    t.tolerance = BESIDE * size;
    double smaller = crn_fmin(a->extent + a->radius, b->extent + b->radius);
    double slack = crn_side_slack(&a->motion, gap->normal, smaller);
    crn_side_of(&t.side_a, a, crn_v3_scale(-1.0, gap->normal), depth, slack, gap->vertex_a);
    crn_side_of(&t.side_b, b, gap->normal, depth, slack, gap->vertex_b);
    bool a_has_face = has_face(&t.side_a), b_has_face = has_face(&t.side_b);
    bool a_is_point = is_point(&t.side_a, a_has_face), b_is_point = is_point(&t.side_b, b_has_face);
    if (b_has_face) {
        meet_vertices(&t, &t.side_a, &t.side_b, true);
    }
    if (a_has_face && !(without & CRN_PATCH_NOT_OF_B)) {
        meet_vertices(&t, &t.side_b, &t.side_a, false);
    }
    if (!a_is_point && !b_is_point) {
        meet_edges(&t);
        meet_rims(&t);
        if (!a_has_face && !b_has_face) {
            meet_along(&t, !(without & CRN_PATCH_NOT_OF_B));
        }
    }
    if (!(without & CRN_PATCH_NO_DEEPEST) && t.lowest > gap->gap + NOTABLE * size) {
        meet_deepest(&t, gap);
    }
}
