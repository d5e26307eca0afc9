/* Box with capsule: the core segment  t + x w,  |x| <= 1,  against the box, grown by the radius r:
 *
 *   gap = max_m s(m) - r,  s(m) = m't - sum_i h_i |m_i| - |m'w|,  m a unit vector out of the box (box frame).
 *
 * When the core is inside, the best m is a face's or e_i x w; outside, also the direction from a corner of one to the
 * other. All are tried in turn, and a later one must be better by BIAS.
 *
 * Touches. The core is carried along m onto the face that looks most along m and cut by its sides: both ends of what is
 * left are touches. Where m leans over an edge of the box and the core runs along that edge, the ends of their common
 * stretch are touches too, as between two capsules of which one has radius 0. */
#include "collide/convex/box.h"
#include "collide/convex/primitive.h"
#include "collide/convex/segment.h"
#include "math/elementary.h"

/* As in pair_box_box.c; relative to radius plus half length of the capsule. */
#define BIAS 4e-9

/* sin^2 below which the core is parallel to an edge and their cross product is noise. */
#define PARALLEL_SQUARE 1e-14

/* Keys: 0, 1: ends of the core. */
enum { KEY_EDGE = 2, KEY_CORNER = KEY_EDGE + 12, KEY_NEAREST = KEY_CORNER + 8 };

typedef struct capsule_pair {
    double h[3];
    crn_segment core; /* in the box's frame */
    double r, size;
    const crn_query *query;
} capsule_pair;

typedef struct direction {
    double s;
    crn_vec3 m;
    crn_vec3 lowest; /* the point of the core that is nearest along m */
} direction;

static double separation(const capsule_pair *p, crn_vec3 m)
{
    return crn_v3_dot(m, p->core.centre) - p->h[0] * fabs(m.x) - p->h[1] * fabs(m.y) - p->h[2] * fabs(m.z) -
           fabs(crn_v3_dot(m, p->core.half));
}

/* --- Directions --- */

/* Take the unit vector m if it is better by the bias. */
static void try_unit(const capsule_pair *p, crn_vec3 m, double bias, direction *d)
{
    double s = separation(p, m);
    if (s > d->s + bias) {
        double down = crn_v3_dot(m, p->core.half) > 0.0 ? -1.0 : 1.0;
        *d = (direction){s, m, crn_segment_point(&p->core, down)};
    }
}

static void try_faces_and_edges(const capsule_pair *p, direction *d)
{
    double t[3], w[3];
    crn_v3_to(p->core.centre, t);
    crn_v3_to(p->core.half, w);
    for (int k = 0; k < 3; ++k) {
        double m[3] = {0.0, 0.0, 0.0};
        m[k] = t[k] < 0.0 ? -1.0 : 1.0;
        try_unit(p, crn_v3_of(m), BIAS * p->size, d);
    }
    double length = crn_v3_dot(p->core.half, p->core.half);
    for (int k = 0; k < 3; ++k) {
        int k1 = crn_box_next(k), k2 = crn_box_next(k1);
        double square = w[k1] * w[k1] + w[k2] * w[k2], m[3] = {0.0, 0.0, 0.0};
        if (square > PARALLEL_SQUARE * length) {
            double scale = (t[k2] * w[k1] - t[k1] * w[k2] < 0.0 ? -1.0 : 1.0) / sqrt(square);
            m[k1] = -w[k2] * scale;
            m[k2] = w[k1] * scale;
            try_unit(p, crn_v3_of(m), BIAS * p->size, d);
        }
    }
}

/* Is the nearest end of the core over the face that m is the normal of? Then s is the distance. */
static bool is_over_face(const capsule_pair *p, const direction *d)
{
    double m[3], x[3];
    crn_v3_to(d->m, m);
    crn_v3_to(d->lowest, x);
    int over = 0;
    for (int k = 0; k < 3; ++k) {
        over += m[k] != 0.0 || fabs(x[k]) <= p->h[k];
    }
    return over == 3 && fabs(m[0]) + fabs(m[1]) + fabs(m[2]) == 1.0; /* exactly: face normals are stored as 0 and 1 */
}

static double outside(double x, double h)
{
    return x > h ? x - h : x < -h ? x + h : 0.0;
}

/* From the ends of the core to the box, and from the box's corners to the core: the shortest way. */
static void try_corners(const capsule_pair *p, direction *d)
{
    crn_vec3 best = {0, 0, 0}, from = {0, 0, 0};
    double square = (double)INFINITY;
    for (int k = 0; k < 10; ++k) {
        crn_vec3 point, way;
        if (k < 2) {
            point = crn_segment_point(&p->core, k == 0 ? -1.0 : 1.0);
            way = crn_v3(outside(point.x, p->h[0]), outside(point.y, p->h[1]), outside(point.z, p->h[2]));
        } else {
            int c = k - 2;
            crn_vec3 corner =
                crn_v3(c & 1 ? p->h[0] : -p->h[0], c & 2 ? p->h[1] : -p->h[1], c & 4 ? p->h[2] : -p->h[2]);
            point = crn_segment_point(&p->core, crn_segment_nearest(&p->core, corner));
            way = crn_v3_sub(point, corner);
        }
        double own = crn_v3_dot(way, way);
        if (own < square) {
            square = own;
            best = way;
            from = point;
        }
    }
    double before = d->s;
    if (square > BIAS * BIAS * p->size * p->size) {
        double bias = BIAS * p->size; /* shrinks with the height, as in pair_box_box.c */
        try_unit(p, crn_v3_unit(best), d->s > bias ? bias * bias / d->s : bias, d);
        d->lowest = d->s > before ? from : d->lowest;
    }
}

/* --- Touches --- */

/* Found so far: where on the core, listed or beyond reach. A face gives two, an edge two, the nearest point one. */
typedef struct touch_list {
    double lowest;
    int count;
    crn_vec3 at[5];
    uint32_t key[5];
} touch_list;

/* An end of the stretch along an edge that lies this near to a touch on the face, relative to the capsule, is the same
 * place by another name. */
#define SAME_PLACE 1e-3

static bool is_listed(const capsule_pair *p, const touch_list *list, crn_vec3 point, uint32_t key)
{
    for (int k = 0; k < list->count; ++k) {
        if (list->key[k] == key || crn_v3_length(crn_v3_sub(point, list->at[k])) <= SAME_PLACE * p->size) {
            return true;
        }
    }
    return false;
}

/* A touch at a point of the core, with the gap that the grown surfaces have there. */
static void meet(const capsule_pair *p, const direction *d, crn_vec3 point, double gap, uint32_t key, touch_list *list,
                 crn_touches *out)
{
    list->lowest = gap < list->lowest ? gap : list->lowest;
    list->at[list->count] = point;
    list->key[list->count++] = key;
    if (gap <= p->query->reach) {
        crn_vec3 midway = crn_v3_axpy(point, -(p->r + 0.5 * gap), d->m);
        crn_vec3 normal = crn_m3_times(&p->query->frame_a->rotation, crn_v3_scale(-1.0, d->m));
        crn_touches_add(out, crn_frame_point(p->query->frame_a, midway), normal, gap, key);
    }
}

/* One end of the part of the core that lies over the face, and what it ends by. */
typedef struct cut_end {
    double x;
    uint32_t key;
} cut_end;

/* Cut the core by the sides of the face. low and high are how far outside its ends are. */
static bool cut_by_side(double low, double high, double slack, uint32_t key, cut_end end[2])
{
    if (low > slack && high > slack) {
        return false;
    }
    bool low_is_out = low > slack, high_is_out = high > slack;
    if (!low_is_out && !high_is_out) {
        return true;
    }
    /* from truly inside to truly outside there is a crossing; an end within the slack is kept */
    double inner = low_is_out ? high : low;
    double x = inner < -slack ? -1.0 + 2.0 * low / (low - high) : low_is_out ? 1.0 : -1.0;
    if (low_is_out && x > end[0].x) {
        end[0] = (cut_end){x, inner < -slack ? key : 1};
    } else if (high_is_out && x < end[1].x) {
        end[1] = (cut_end){x, inner < -slack ? key : 0};
    }
    return true;
}

/* The core as seen along m: ends as (u, v, gap) on the face. */
typedef struct carried {
    crn_box_view view;
    double slack, at[2][3];
} carried;

static carried carry(const capsule_pair *p, const direction *d)
{
    double m[3];
    crn_v3_to(d->m, m);
    carried c = {.view = crn_box_view_along(p->h, m)};
    c.slack = crn_box_view_slack(&c.view);
    for (int e = 0; e < 2; ++e) {
        double x[3];
        crn_v3_to(crn_segment_point(&p->core, e == 0 ? -1.0 : 1.0), x);
        double w = c.view.sign * x[c.view.k] - c.view.hk;
        c.at[e][0] = x[c.view.p] - w * c.view.slope_u;
        c.at[e][1] = x[c.view.q] - w * c.view.slope_v;
        c.at[e][2] = w * c.view.stretch;
    }
    return c;
}

static double coordinate(const carried *c, double x, int k)
{
    return c->at[0][k] + 0.5 * (1.0 + x) * (c->at[1][k] - c->at[0][k]);
}

/* Where the core passes a corner of the face, rounding decides which side cuts it: name the corner. */
static uint32_t name_of_cut(const carried *c, const cut_end *end)
{
    double u = coordinate(c, end->x, 0), v = coordinate(c, end->x, 1);
    bool at_corner = fabs(fabs(u) - c->view.hu) <= 4.0 * c->slack && fabs(fabs(v) - c->view.hv) <= 4.0 * c->slack;
    if (end->key < KEY_EDGE || !at_corner) {
        return end->key;
    }
    int corner = (u > 0.0) << c->view.p | (v > 0.0) << c->view.q | c->view.side << c->view.k;
    return (uint32_t)(KEY_CORNER + corner);
}

static void meet_face(const capsule_pair *p, const direction *d, touch_list *list, crn_touches *out)
{
    carried c = carry(p, d);
    cut_end end[2] = {{-1.0, 0}, {1.0, 1}};
    for (int s = 0; s < 4; ++s) {
        double sign = s < 2 ? 1.0 : -1.0, half = s & 1 ? c.view.hv : c.view.hu;
        uint32_t key = (uint32_t)(KEY_EDGE + crn_box_view_edge(&c.view, s) - CRN_BOX_EDGES);
        if (!cut_by_side(sign * c.at[0][s & 1] - half, sign * c.at[1][s & 1] - half, c.slack, key, end)) {
            return;
        }
    }
    double length = crn_hypot(c.at[1][0] - c.at[0][0], c.at[1][1] - c.at[0][1]) * 0.5 * (end[1].x - end[0].x);
    if (length < -4.0 * c.slack) {
        return;
    }
    /* a stretch within the slack, or seen end on, is one point: the lower end */
    double gap[2] = {coordinate(&c, end[0].x, 2) - p->r, coordinate(&c, end[1].x, 2) - p->r};
    bool is_point = length <= 4.0 * c.slack;
    for (int e = 0; e < 2; ++e) {
        if (!is_point || e == (gap[1] < gap[0])) {
            meet(p, d, crn_segment_point(&p->core, end[e].x), gap[e], name_of_cut(&c, end + e), list, out);
        }
    }
}

/* The edge of the box that is farthest along m, if m leans over one. */
static void meet_edge(const capsule_pair *p, const direction *d, touch_list *list, crn_touches *out)
{
    double m[3], centre[3], half[3] = {0.0, 0.0, 0.0};
    crn_v3_to(d->m, m);
    double x = fabs(m[0]), y = fabs(m[1]), z = fabs(m[2]);
    int along = x <= y && x <= z ? 0 : y <= z ? 1 : 2, corner = 0;
    for (int k = 0; k < 3; ++k) {
        centre[k] = k == along ? 0.0 : m[k] > 0.0 ? p->h[k] : -p->h[k];
        corner |= k != along && m[k] > 0.0 ? 1 << k : 0;
        if (k != along && m[k] == 0.0) {
            return; /* a face normal */
        }
    }
    half[along] = p->h[along];
    crn_segment edge = {crn_v3_of(centre), crn_v3_of(half)};
    crn_segment_end end[2];
    if (!crn_segments_side_by_side(&p->core, &edge, d->m, end)) {
        return;
    }
    for (int k = 0; k < 2; ++k) {
        bool of_core = end[k].owner < 2;
        uint32_t key =
            of_core ? (uint32_t)end[k].owner : (uint32_t)(KEY_CORNER + (corner | (end[k].owner == 3 ? 1 << along : 0)));
        if (fabs(end[k].aside) < p->r && !is_listed(p, list, end[k].on_a, key)) {
            double gap = end[k].height - sqrt(p->r * p->r - end[k].aside * end[k].aside);
            meet(p, d, end[k].on_a, gap, key, list, out);
        }
    }
}

void crn_box_capsule(const crn_query *query, crn_touches *out)
{
    capsule_pair p = {.r = query->b->def.size.x, .query = query};
    crn_v3_to(query->a->def.size, p.h);
    p.core.centre = crn_frame_local(query->frame_a, query->frame_b->position);
    p.core.half =
        crn_v3_scale(query->b->def.size.y,
                     crn_m3_transposed_times(&query->frame_a->rotation, crn_m3_column(&query->frame_b->rotation, 2)));
    p.size = query->b->def.size.x + query->b->def.size.y;

    direction d = {.s = -(double)INFINITY};
    try_faces_and_edges(&p, &d);
    if (d.s > 0.0 && d.s - p.r <= query->reach && !is_over_face(&p, &d)) {
        try_corners(&p, &d);
    }
    if (d.s - p.r > query->reach) {
        return;
    }
    touch_list list = {.lowest = (double)INFINITY};
    meet_face(&p, &d, &list, out);
    meet_edge(&p, &d, &list, out);
    if (list.lowest > d.s - p.r + 2.0 * BIAS * p.size) {
        meet(&p, &d, d.lowest, d.s - p.r, KEY_NEAREST, &list, out);
    }
}
