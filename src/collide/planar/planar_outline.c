/* Disk, segment and polygon among themselves: convex polygons P and Q (the cores) swept by disks.
 *
 * The separation s(n) of the cores is piecewise smooth with kinks at the normals of the edges of both. Overlapping cores
 * have their largest s at such a normal. Separated ones have it there too, or between two neighbouring normals, where a
 * vertex is nearest to a vertex; since s is quasi-concave where it is positive, the better of the two neighbours is the
 * best normal of all. So:
 *   1. best edge of P against Q and of Q against P: for edge k with normal n the support vertex j of Q along -n; as n
 *      turns counter-clockwise, j moves counter-clockwise too (rotating calipers), so this is O(|P| + |Q|);
 *   2. the better edge is the reference. If the support vertex lies past an end of it and the cores are apart, the nearest
 *      points are two vertices, and the line between them is the normal;
 *   3. the other's chain of edges about the support vertex is clipped to the strip over the reference edge: a touch at each
 *      vertex in the strip and where the chain crosses its border, the gap measured along the reference normal.
 * The chain is the edge that is nearest to parallel, and those that follow within SLOPE.
 *
 * The keys name the two features that touch, whichever edge was the reference. */
#include "collide/planar/planar.h"

/* Sine of the tilt up to which further edges of the chain count: a finely cut polygon that rolls by this angle in a step
 * meets only vertices that have a touch. */
#define SLOPE 0.3
/* Vertices nearer than this to the border of the strip, relative to the length of the edge, lie on it: aligned blocks keep
 * their keys in spite of rounding (1e-16), blocks that are off by more than a part in a billion do too. */
#define ALIGNED 1e-9
/* Heights over an edge that differ by less than this, relative to its length, are equal: many roundings. Two edges are
 * parallel if the heights of both ends, or at the border of the strip, are. */
#define PARALLEL 1e-12
/* Vertices nearer than this, relative to the edge, have no direction between them but noise; the edge's normal serves. */
#define COINCIDENT 1e-12

/* An edge of P as a separating line: Q in P's frame is at relative. */
typedef struct face {
    const crn_outline *p, *q;
    crn_pose2 relative; /* of q in p */
    int edge;           /* of p; -1: none */
    int support;        /* vertex of q with the smallest height over the edge */
    double separation;  /* that height */
    crn_vec2 normal;    /* outward, in p */
    crn_vec2 along;     /* of the edge, in p */
    double length;
} face;

/* --- The best edge ------------------------------------------------------------------------------------------------ */

static int lowest_vertex(const crn_outline *q, crn_vec2 direction)
{
    int best = 0;
    double low = crn_v2_dot(direction, crn_v2_at(q->point, 0));
    for (int j = 1; j < q->count; ++j) {
        double d = crn_v2_dot(direction, crn_v2_at(q->point, j));
        if (d < low) {
            low = d;
            best = j;
        }
    }
    return best;
}

/* The edge of p with the largest separation; stops early when one is beyond `limit`. */
static face best_face(const crn_outline *p, const crn_outline *q, double limit)
{
    face best = {.p = p, .q = q, .edge = -1, .separation = -INFINITY};
    best.relative = crn_pose2_relative(&p->pose, &q->pose);
    int j = -1;
    for (int k = 0; k < p->count && p->count > 1 && best.separation <= limit; ++k) {
        crn_vec2 start = crn_v2_at(p->point, k);
        crn_vec2 d = crn_v2_sub(crn_v2_at(p->point, crn_outline_next(p, k)), start);
        double length = crn_v2_length(d);
        crn_vec2 along = crn_v2_scale(1.0 / length, d), normal = {along.y, -along.x};
        crn_vec2 turned = crn_pose2_turn_back(&best.relative, normal);
        if (j < 0) {
            j = lowest_vertex(q, turned);
        }
        double low = crn_v2_dot(turned, crn_v2_at(q->point, j));
        for (int step = 0; step < q->count; ++step) {
            int next = crn_outline_next(q, j);
            double d_next = crn_v2_dot(turned, crn_v2_at(q->point, next));
            if (d_next > low) {
                break; /* equal ones are passed: after half a turn they would be the two highest */
            }
            low = d_next;
            j = next;
        }
        double separation = low + crn_v2_dot(normal, crn_v2_sub(best.relative.origin, start));
        if (separation > best.separation) {
            best.edge = k;
            best.support = j;
            best.separation = separation;
            best.normal = normal;
            best.along = along;
            best.length = length;
        }
    }
    return best;
}

/* Of two equally good edges: the one whose line is nearer to the world's x axis in normal. Only exact ties come here; the
 * choice must not depend on which outline is called a. */
static bool is_preferred(const face *f, const face *g)
{
    crn_vec2 n = crn_pose2_turn(&f->p->pose, f->normal), m = crn_pose2_turn(&g->p->pose, g->normal);
    if (fabs(n.x) != fabs(m.x)) {
        return fabs(n.x) > fabs(m.x);
    }
    return n.x * n.y > m.x * m.y;
}

/* --- Touches ------------------------------------------------------------------------------------------------------ */

/* Report the touch of the core point x of q, given in p, at height h over the reference line with normal n in p. */
static void add_touch(const crn_planar_pair *pair, const face *f, crn_vec2 x, crn_vec2 n, double h, uint32_t key)
{
    double gap = h - f->p->radius - f->q->radius;
    if (gap > pair->reach) {
        return;
    }
    /* Surfaces at x - q.radius n and x - (h - p.radius) n. */
    crn_vec2 middle = crn_v2_axpy(x, -0.5 * (h - f->p->radius + f->q->radius), n);
    crn_planar_add(pair, crn_pose2_point(&f->p->pose, middle), crn_pose2_turn(&f->p->pose, n), gap, key);
}

/* Vertex j of q in the coordinates of the reference edge: x along it, y over it. */
static crn_vec2 over_edge(const face *f, int j)
{
    crn_vec2 v = crn_pose2_point(&f->relative, crn_v2_at(f->q->point, j));
    v = crn_v2_sub(v, crn_v2_at(f->p->point, f->edge));
    return crn_v2(crn_v2_dot(f->along, v), crn_v2_dot(f->normal, v));
}

static crn_vec2 from_edge(const face *f, crn_vec2 v)
{
    crn_vec2 x = crn_v2_axpy(crn_v2_at(f->p->point, f->edge), v.x, f->along);
    return crn_v2_axpy(x, v.y, f->normal);
}

/* Which border of the strip x is at: -1 left, 1 right, 0 neither. */
static int border_at(const face *f, double x)
{
    double near = ALIGNED * f->length;
    return fabs(x) <= near ? -1 : fabs(x - f->length) <= near ? 1 : 0;
}

static int vertex_at_border(const face *f, int border)
{
    return border < 0 ? f->edge : crn_outline_next(f->p, f->edge);
}

/* A touch at vertex j of q if it stands over the strip. */
static bool add_vertex(const crn_planar_pair *pair, const face *f, int j, crn_vec2 v)
{
    int border = border_at(f, v.x);
    if (border == 0 && (v.x < 0.0 || v.x > f->length)) {
        return false;
    }
    uint32_t of_p = border == 0 ? crn_key_edge(f->edge) : crn_key_vertex(vertex_at_border(f, border));
    add_touch(pair, f, from_edge(f, v), f->normal, v.y, crn_key_of(of_p, crn_key_vertex(j)));
    return true;
}

/* A touch where edge k of q, from v to w, crosses a border of the strip. */
static void add_crossing(const crn_planar_pair *pair, const face *f, int k, crn_vec2 v, crn_vec2 w, int border)
{
    double x = border < 0 ? 0.0 : f->length;
    bool is_crossing = border_at(f, v.x) != border && border_at(f, w.x) != border && (v.x < x) != (w.x < x);
    if (is_crossing) {
        double y = v.y + (x - v.x) / (w.x - v.x) * (w.y - v.y);
        uint32_t key = crn_key_of(crn_key_vertex(vertex_at_border(f, border)), crn_key_edge(k));
        add_touch(pair, f, from_edge(f, crn_v2(x, y)), f->normal, y, key);
    }
}

/* Sine of the tilt of the edge from v to w, seen walking left (-1) or right (1); above 1 if it leads the other way. */
static double slope(crn_vec2 v, crn_vec2 w, int way)
{
    crn_vec2 d = crn_v2_sub(w, v);
    return way * d.x > 0.0 ? d.y / crn_v2_length(d) : 2.0;
}

/* Is the edge of q to this side of its support vertex v nearer to parallel than the one to the other side? */
static bool is_flatter(const face *f, crn_vec2 v, int way)
{
    int count = f->q->count;
    double left = slope(v, over_edge(f, (f->support + 1) % count), -1);
    double right = slope(v, over_edge(f, (f->support + count - 1) % count), 1);
    return way < 0 ? left <= right : right < left;
}

/* Follow the chain of q from its support vertex v to one side while it is flat, over the strip and within reach; no touch
 * where it crosses border `skip`. Walking left means counter-clockwise on q, since its lower side faces the edge. */
static void walk(const crn_planar_pair *pair, const face *f, crn_vec2 v, int way, int skip)
{
    double far = pair->reach + f->p->radius + f->q->radius;
    int j = f->support, count = f->q->count;
    for (int step = 1; step < count; ++step) {
        int next = way < 0 ? (j + 1) % count : (j + count - 1) % count;
        crn_vec2 w = over_edge(f, next);
        double tilt = slope(v, w, way);
        if (tilt > SLOPE && !(step == 1 && tilt <= 1.0 && is_flatter(f, v, way))) {
            return;
        }
        int edge = way < 0 ? j : next;
        for (int border = -1; border <= 1; border += 2) {
            if (border != skip) {
                add_crossing(pair, f, edge, v, w, border);
            }
        }
        bool is_beyond = way < 0 ? w.x < 0.0 : w.x > f->length;
        if (add_vertex(pair, f, next, w) ? border_at(f, w.x) == way : is_beyond) {
            return;
        }
        if (w.y > far) {
            return;
        }
        v = w;
        j = next;
    }
}

/* Touches with one key among those from `first` on: the later one along world x, then y, gets the mark. */
static void mark_equal_keys(crn_touches *out, int first)
{
    int last = out->count < out->capacity ? out->count : out->capacity;
    for (int i = first; i < last; ++i) {
        for (int k = i + 1; k < last; ++k) {
            crn_touch *a = &out->touch[i], *b = &out->touch[k];
            if (a->key == b->key) {
                bool is_a_later = a->point.x != b->point.x ? a->point.x > b->point.x : a->point.y > b->point.y;
                (is_a_later ? a : b)->key |= CRN_KEY_MARK;
            }
        }
    }
}

static void add_chain(const crn_planar_pair *pair, const face *f, crn_vec2 v)
{
    int first = pair->out->count;
    bool is_in_strip = add_vertex(pair, f, f->support, v);
    walk(pair, f, v, -1, 0);
    walk(pair, f, v, 1, 0);
    if (!is_in_strip && pair->out->count == first) { /* by rounding only: the support vertex of overlapping cores */
        add_touch(pair, f, from_edge(f, v), f->normal, v.y,
                  crn_key_of(crn_key_edge(f->edge), crn_key_vertex(f->support)));
    }
}

/* The vertex of q beside its support vertex at x, on the side of the strip. */
static int inner_neighbour(const face *f, double x)
{
    int count = f->q->count;
    return (x < 0.0 ? f->support + count - 1 : f->support + 1) % count;
}

static bool is_outside(const face *f, double x)
{
    return x < 0.0 || x > f->length;
}

/* Of an edge of q parallel to the reference either end is lowest: take the one nearer to the strip. */
static crn_vec2 settle_support(face *f)
{
    crn_vec2 v = over_edge(f, f->support);
    if (is_outside(f, v.x)) {
        int inner = inner_neighbour(f, v.x);
        crn_vec2 w = over_edge(f, inner);
        bool is_nearer = v.x < 0.0 ? w.x > v.x : w.x < v.x;
        if (is_nearer && w.y - v.y <= PARALLEL * f->length) {
            f->support = inner;
            return w;
        }
    }
    return v;
}

/* Is the support vertex past an end of the edge, and no parallel edge of q reaches over the strip? Of cores that overlap
 * it never is; but two on one line are apart with a separation of 0, give or take rounding. */
static bool is_past_end(const face *f, crn_vec2 v)
{
    if (f->separation < -PARALLEL * f->length || !is_outside(f, v.x)) {
        return false;
    }
    double x = v.x < 0.0 ? 0.0 : f->length;
    crn_vec2 w = over_edge(f, inner_neighbour(f, v.x));
    bool is_over = v.x < 0.0 ? w.x > x : w.x < x;
    return !is_over || (x - v.x) / (w.x - v.x) * (w.y - v.y) > PARALLEL * f->length;
}

/* Vertex against vertex; and the rest of the chain, if it leads over the strip. */
static void add_vertex_vertex(const crn_planar_pair *pair, const face *f, crn_vec2 v)
{
    int border = v.x < 0.0 ? -1 : 1;
    crn_vec2 end = {border < 0 ? 0.0 : f->length, 0.0}, d = crn_v2_sub(v, end);
    double distance = crn_v2_length(d);
    crn_vec2 normal = f->normal;
    if (distance > COINCIDENT * f->length) {
        d = crn_v2_scale(1.0 / distance, d);
        normal = crn_v2_axpy(crn_v2_scale(d.x, f->along), d.y, f->normal);
    }
    uint32_t key = crn_key_of(crn_key_vertex(vertex_at_border(f, border)), crn_key_vertex(f->support));
    add_touch(pair, f, from_edge(f, v), normal, distance, key);
    walk(pair, f, v, -border, border);
}

void crn_outline_outline(const crn_planar_pair *pair)
{
    double ends_a[4], ends_b[4];
    crn_outline a = crn_outline_of(pair->a, &pair->pose_a, ends_a);
    crn_outline b = crn_outline_of(pair->b, &pair->pose_b, ends_b);
    double limit = pair->reach + a.radius + b.radius;
    face over_a = best_face(&a, &b, limit);
    if (over_a.separation > limit) {
        return;
    }
    face over_b = best_face(&b, &a, limit);
    if (over_b.separation > limit) {
        return;
    }
    bool is_a =
        over_a.separation != over_b.separation ? over_a.separation > over_b.separation : is_preferred(&over_a, &over_b);
    face *f = is_a ? &over_a : &over_b;

    /* The normal points out of the reference; the touch wants it out of b. */
    crn_planar_pair oriented = *pair;
    oriented.sign = is_a ? -pair->sign : pair->sign;
    crn_vec2 v = settle_support(f);
    int first = pair->out->count;
    if (is_past_end(f, v)) {
        add_vertex_vertex(&oriented, f, v);
    } else {
        add_chain(&oriented, f, v);
    }
    mark_equal_keys(pair->out, first);
}
