/* Box with box:  Phi = max_n s(n),  s(n) = n'(c_a - c_b) - sum_i a_i |n'e_i| - sum_j b_j |n'f_j|,  |n| = 1.
 *
 * Any n with s(n) > 0 separates the boxes by that much, so every n gives an admissible contact plane; the best is looked for.
 * Overlapping, the maximum is at one of 15 directions: the faces of a and b and the crossed edges e_i x f_j  [GLM96].
 * Apart, the same 15 are right where a corner is over a face or two edges cross; where a corner is next to an edge or a
 * corner, the direction from corner to box is, and it is tried when the faces' common region does not confirm s(n). So
 * Phi is the signed distance everywhere, and continuous.
 *
 * The touches are the corners of the common region of the two nearest faces, seen along n (box_clip.c).
 *
 * Ties. A direction replaces an earlier one only if it is better by BIAS: a's faces, b's faces, edges. a is the larger
 * box, or the lower of equal ones (primitive.c). Both faces of a resting contact are nearly as good; without the bias
 * rounding would choose, and the normal flicker between them. Names of touches do not depend on that choice.
 *
 *   a, b: half sides        turn: axis j of b in a's frame is turn[3 j ..]       t: centre of b in a's frame */
#include "collide/convex/box_clip.h"
#include "collide/convex/primitive.h"
#include "collide/convex/segment.h"

/* Relative to the smaller box's longest half side: a box turned by 1e-9 on another one changes the order of their faces by
 * that much times the overhang. The gap is short by at most this. */
#define BIAS 4e-9

/* sin^2 below which two edges are parallel and their cross product is noise: then faces do as well. */
#define PARALLEL_SQUARE 1e-14

/* Corners beyond a side by more than this (relative to the smaller box) do not confirm that the faces are nearest. */
#define BEYOND 1e-9

typedef struct box_pair {
    double a[3], b[3], turn[9], t[3], tb[3]; /* tb: t in b's frame */
    double size;                             /* longest half side of the smaller box */
    double reach;
} box_pair;

/* A direction out of b into a, in both frames, and its s(n). */
typedef struct direction {
    double s;
    double in_a[3], in_b[3];
    bool by_b;    /* the reference face is b's */
    bool is_face; /* n is its normal */
} direction;

static double longest(const double h[3])
{
    double x = h[0] > h[1] ? h[0] : h[1];
    return x > h[2] ? x : h[2];
}

static void turned_back(const double *turn, const double x[3], double to[3])
{
    for (int j = 0; j < 3; ++j) {
        to[j] = turn[3 * j] * x[0] + turn[3 * j + 1] * x[1] + turn[3 * j + 2] * x[2];
    }
}

static void set_up(const crn_query *query, box_pair *p)
{
    crn_v3_to(query->a->def.size, p->a);
    crn_v3_to(query->b->def.size, p->b);
    crn_mat3 turn = crn_m3_transposed_product(&query->frame_a->rotation, &query->frame_b->rotation);
    for (int k = 0; k < 9; ++k) {
        p->turn[k] = turn.m[k];
    }
    crn_v3_to(crn_frame_local(query->frame_a, query->frame_b->position), p->t);
    turned_back(p->turn, p->t, p->tb);
    double la = longest(p->a), lb = longest(p->b);
    p->size = la < lb ? la : lb;
    p->reach = query->reach;
}

/* --- Directions --- */

/* s(n) by its definition; in_b must be in_a turned. */
static double separation(const box_pair *p, const double in_a[3], const double in_b[3])
{
    double s = 0.0;
    for (int k = 0; k < 3; ++k) {
        s -= in_a[k] * p->t[k] + p->a[k] * fabs(in_a[k]) + p->b[k] * fabs(in_b[k]);
    }
    return s;
}

/* The best face: number 0 .. 2 of a, 3 .. 5 of b; -1 if one of them is farther than reach. */
static int best_face(const box_pair *p, const double size[9], double *best)
{
    int face = -1;
    *best = -(double)INFINITY;
    for (int k = 0; k < 6; ++k) {
        int j = k < 3 ? k : k - 3;
        double s = k < 3 ? fabs(p->t[j]) - p->a[j] - (p->b[0] * size[j] + p->b[1] * size[j + 3] + p->b[2] * size[j + 6])
                         : fabs(p->tb[j]) - p->b[j] -
                               (p->a[0] * size[3 * j] + p->a[1] * size[3 * j + 1] + p->a[2] * size[3 * j + 2]);
        if (s > p->reach) {
            return -1;
        }
        if (s > *best + BIAS * p->size) {
            *best = s;
            face = k;
        }
    }
    return face;
}

static void face_direction(const box_pair *p, int face, double s, direction *d)
{
    int j = face < 3 ? face : face - 3;
    double sign = (face < 3 ? p->t[j] : p->tb[j]) < 0.0 ? 1.0 : -1.0;
    d->s = s;
    d->by_b = face >= 3;
    d->is_face = true;
    for (int k = 0; k < 3; ++k) {
        d->in_a[k] = face < 3 ? (k == j ? sign : 0.0) : sign * p->turn[k + 3 * j];
        d->in_b[k] = face < 3 ? sign * p->turn[j + 3 * k] : (k == j ? sign : 0.0);
    }
}

/* Which reference face looks more along n. */
static void choose_reference(direction *d)
{
    d->by_b = longest((double[3]){fabs(d->in_b[0]), fabs(d->in_b[1]), fabs(d->in_b[2])}) >
              longest((double[3]){fabs(d->in_a[0]), fabs(d->in_a[1]), fabs(d->in_a[2])});
}

/* Take n (a's frame, any sign and length) if its s(n) is better by the bias. */
static void try_direction(const box_pair *p, crn_vec3 n, double bias, direction *d)
{
    direction own = {.is_face = false};
    n = crn_v3_unit(n);
    double sign = n.x * p->t[0] + n.y * p->t[1] + n.z * p->t[2] > 0.0 ? -1.0 : 1.0;
    crn_v3_to(crn_v3_scale(sign, n), own.in_a);
    turned_back(p->turn, own.in_a, own.in_b);
    own.s = separation(p, own.in_a, own.in_b);
    if (own.s > d->s + bias) {
        choose_reference(&own);
        *d = own;
    }
}

/* e = |n| s(n) of the nine crossed edges n = e_i x f_j, not yet of unit length, at 3 i + j. It needs no division: n'e_k and
 * n'f_k are entries of the turn. */
static void edge_separations(const box_pair *p, const double size[9], double e[9])
{
    for (int i = 0; i < 3; ++i) {
        int i1 = crn_box_next(i), i2 = crn_box_next(i1);
        for (int j = 0; j < 3; ++j) {
            int j1 = crn_box_next(j), j2 = crn_box_next(j1);
            double along = p->t[i2] * p->turn[i1 + 3 * j] - p->t[i1] * p->turn[i2 + 3 * j];
            e[3 * i + j] = fabs(along) - p->a[i1] * size[i2 + 3 * j] - p->a[i2] * size[i1 + 3 * j] -
                           p->b[j1] * size[i + 3 * j2] - p->b[j2] * size[i + 3 * j1];
        }
    }
}

/* Take edges i and j, crossed, if they are better; e is theirs. */
static void try_edge(const box_pair *p, int i, int j, double e, direction *d)
{
    int i1 = crn_box_next(i), i2 = crn_box_next(i1);
    const double *f = p->turn + 3 * j;
    double wanted = d->s + BIAS * p->size, square = f[i1] * f[i1] + f[i2] * f[i2];
    if (square <= PARALLEL_SQUARE || (wanted > 0.0 && e * e <= wanted * wanted * square) ||
        (wanted <= 0.0 && e < 0.0 && e * e >= wanted * wanted * square)) {
        return;
    }
    double n[3] = {0.0, 0.0, 0.0};
    n[i1] = -f[i2];
    n[i2] = f[i1];
    try_direction(p, crn_v3_of(n), BIAS * p->size, d);
}

/* The nine crossed edges. False if one of them is farther than reach. */
static bool try_edges(const box_pair *p, const double size[9], direction *d)
{
    double e[9];
    edge_separations(p, size, e);
    for (int k = 0; k < 9; ++k) {
        /* |n| <= 1: dividing by it makes a negative e smaller, so it cannot win */
        if (e[k] <= 0.0 && e[k] <= d->s + BIAS * p->size) {
            continue;
        }
        try_edge(p, k / 3, k % 3, e[k], d);
        if (d->s > p->reach) {
            return false;
        }
    }
    return true;
}

/* The shortest way from a corner of the second box (half sides g, centre c and axes in the first's frame) to the first
 * box. */
static void nearest_corner(const double h[3], const double g[3], const double c[3], const crn_vec3 axis[3],
                           double *square, crn_vec3 *way)
{
    for (int k = 0; k < 8; ++k) {
        crn_vec3 p = crn_v3_of(c);
        for (int j = 0; j < 3; ++j) {
            p = crn_v3_axpy(p, k >> j & 1 ? g[j] : -g[j], axis[j]);
        }
        double x[3] = {p.x, p.y, p.z}, own = 0.0;
        for (int j = 0; j < 3; ++j) {
            x[j] = x[j] > h[j] ? x[j] - h[j] : x[j] < -h[j] ? x[j] + h[j] : 0.0;
            own += x[j] * x[j];
        }
        if (own < *square) {
            *square = own;
            *way = crn_v3_of(x);
        }
    }
}

/* Corner against edge or corner. A corner that is x beyond the side of a face at height s is nearer to its edge by
 * x^2 / 2 s; a bias of BIAS^2 / s therefore ignores x up to 1.5 BIAS at any height, which is within the slack. */
static void try_corners(const box_pair *p, direction *d)
{
    double square = (double)INFINITY, square_b = (double)INFINITY;
    crn_vec3 way = {0, 0, 0}, way_b = {0, 0, 0}, axis[3], axis_b[3];
    double back[3] = {-p->tb[0], -p->tb[1], -p->tb[2]};
    for (int j = 0; j < 3; ++j) {
        axis[j] = crn_v3_of(p->turn + 3 * j);
        axis_b[j] = crn_v3(p->turn[j], p->turn[j + 3], p->turn[j + 6]);
    }
    nearest_corner(p->a, p->b, p->t, axis, &square, &way);
    nearest_corner(p->b, p->a, back, axis_b, &square_b, &way_b);
    if (square_b < square) {
        square = square_b;
        way = crn_v3_add(crn_v3_add(crn_v3_scale(way_b.x, axis[0]), crn_v3_scale(way_b.y, axis[1])),
                         crn_v3_scale(way_b.z, axis[2]));
    }
    if (square > BEYOND * BEYOND * p->size * p->size) {
        double bias = BIAS * p->size;
        try_direction(p, way, d->s > bias ? bias * bias / d->s : bias, d);
    }
}

/* --- Touches --- */

static void find_patch(const box_pair *p, const direction *d, crn_box_patch *patch)
{
    if (d->by_b) {
        double back[9], centre[3];
        for (int i = 0; i < 3; ++i) {
            centre[i] = -p->tb[i];
            for (int j = 0; j < 3; ++j) {
                back[j + 3 * i] = p->turn[i + 3 * j];
            }
        }
        crn_box_other other = {p->a, centre, back};
        crn_box_clip(p->b, d->in_b, &other, d->in_a, patch);
    } else {
        const double out_a[3] = {-d->in_a[0], -d->in_a[1], -d->in_a[2]};
        const double out_b[3] = {-d->in_b[0], -d->in_b[1], -d->in_b[2]};
        crn_box_other other = {p->b, p->t, p->turn};
        crn_box_clip(p->a, out_a, &other, out_b, patch);
    }
}

/* Is there a corner, truly over the face, as low as s? Then s is the distance. */
static bool is_confirmed(const box_pair *p, const direction *d, const crn_box_patch *patch)
{
    double beyond = BEYOND * p->size, low = d->s + 2.0 * BIAS * p->size;
    for (int k = 0; k < patch->count; ++k) {
        const crn_box_corner *c = patch->corner + k;
        if (c->gap <= low && fabs(c->u) <= patch->view.hu + beyond && fabs(c->v) <= patch->view.hv + beyond) {
            return true;
        }
    }
    return false;
}

/* --- Edges --- */

/* Two edges that are nearly parallel and pass each other by a hair, seen along n, have only a part of their common stretch
 * in the region, or none. Ends that pass each other by at most this (relative to the smaller box) are touches; what lies
 * that near to a corner of the region is listed already. */
#define ASIDE 1e-4

typedef struct edge_pair {
    crn_segment a, b; /* in a's frame */
    int along_a, along_b, corner_a, corner_b;
} edge_pair;

/* The edge of a box that is farthest along sign m, in the box's frame; corner: of its end at -1. */
static crn_segment farthest_edge(const double h[3], const double m[3], double sign, int *along, int *corner)
{
    double x = fabs(m[0]), y = fabs(m[1]), z = fabs(m[2]), centre[3], half[3] = {0.0, 0.0, 0.0};
    *along = x <= y && x <= z ? 0 : y <= z ? 1 : 2;
    *corner = 0;
    for (int k = 0; k < 3; ++k) {
        bool plus = sign * m[k] > 0.0 && k != *along;
        centre[k] = k == *along ? 0.0 : plus ? h[k] : -h[k];
        *corner |= plus << k;
    }
    half[*along] = h[*along];
    return (crn_segment){crn_v3_of(centre), crn_v3_of(half)};
}

static edge_pair farthest_edges(const box_pair *p, const direction *d)
{
    edge_pair e;
    e.a = farthest_edge(p->a, d->in_a, -1.0, &e.along_a, &e.corner_a);
    e.b = farthest_edge(p->b, d->in_b, 1.0, &e.along_b, &e.corner_b);
    crn_mat3 turn;
    for (int k = 0; k < 9; ++k) {
        turn.m[k] = p->turn[k];
    }
    e.b.centre = crn_v3_add(crn_v3_of(p->t), crn_m3_times(&turn, e.b.centre));
    e.b.half = crn_m3_times(&turn, e.b.half);
    return e;
}

static int edge_name(int along, int corner)
{
    int next = crn_box_next(along);
    return crn_box_edge(along, corner >> next & 1, corner >> crn_box_next(next) & 1);
}

/* Is there a corner of the region at this point of the reference box (a's frame)? */
static bool is_listed(const box_pair *p, const direction *d, const crn_box_patch *patch, crn_vec3 point)
{
    double x[3], from_b[3];
    crn_v3_to(point, x);
    if (d->by_b) {
        for (int k = 0; k < 3; ++k) {
            from_b[k] = x[k] - p->t[k];
        }
        turned_back(p->turn, from_b, x);
    }
    double near = ASIDE * p->size;
    for (int k = 0; k < patch->count; ++k) {
        const crn_box_corner *c = patch->corner + k;
        if (fabs(c->u - x[patch->view.p]) <= near && fabs(c->v - x[patch->view.q]) <= near) {
            return true;
        }
    }
    return false;
}

/* n in the world, by the reference box: the same bits for all touches. */
static crn_vec3 world_normal(const crn_query *query, const direction *d)
{
    const crn_frame *frame = d->by_b ? query->frame_b : query->frame_a;
    return crn_m3_times(&frame->rotation, crn_v3_of(d->by_b ? d->in_b : d->in_a));
}

static void add_between(const crn_query *query, crn_vec3 normal, crn_vec3 on_a, crn_vec3 on_b, double gap, int of_a,
                        int of_b, crn_touches *out)
{
    if (gap <= query->reach) {
        crn_vec3 middle = crn_frame_point(query->frame_a, crn_v3_scale(0.5, crn_v3_add(on_a, on_b)));
        crn_touches_add(out, middle, normal, gap, (uint32_t)(of_a | of_b << CRN_BOX_FEATURE_BITS));
    }
}

/* Touches of the two edges that are farthest towards each other: ends of their common stretch that the region does not
 * hold, and if nothing is as low as s(n), their nearest points. */
static void report_edges(const crn_query *query, const box_pair *p, const direction *d, const crn_box_patch *patch,
                         crn_touches *out)
{
    double low = d->s + 2.0 * BIAS * p->size, lowest = (double)INFINITY;
    for (int k = 0; k < patch->count; ++k) {
        lowest = patch->corner[k].gap < lowest ? patch->corner[k].gap : lowest;
    }
    edge_pair e = farthest_edges(p, d);
    crn_vec3 normal = world_normal(query, d);
    int edge_a = edge_name(e.along_a, e.corner_a), edge_b = edge_name(e.along_b, e.corner_b);
    crn_segment_end end[2];
    bool is_long = crn_segments_side_by_side(&e.a, &e.b, crn_v3_of(d->in_a), end);
    for (int k = 0; is_long && k < 2; ++k) {
        if (fabs(end[k].aside) <= ASIDE * p->size && !is_listed(p, d, patch, d->by_b ? end[k].on_b : end[k].on_a)) {
            bool ends_a = end[k].owner < 2;
            add_between(query, normal, end[k].on_a, end[k].on_b, end[k].height,
                        ends_a ? e.corner_a | end[k].owner << e.along_a : edge_a,
                        ends_a ? edge_b : e.corner_b | (end[k].owner - 2) << e.along_b, out);
            lowest = end[k].height < lowest ? end[k].height : lowest;
        }
    }
    if (lowest > low) {
        crn_segment_pair nearest = crn_segments_nearest(&e.a, &e.b);
        /* as the corner of a and of b between which they lie: no other touch has this name */
        add_between(query, normal, crn_segment_point(&e.a, nearest.x), crn_segment_point(&e.b, nearest.y), d->s,
                    e.corner_a | (nearest.x > 0.0) << e.along_a, e.corner_b | (nearest.y > 0.0) << e.along_b, out);
    }
}

/* --- All --- */

static void report(const crn_query *query, const direction *d, const crn_box_patch *patch, crn_touches *out)
{
    const crn_frame *frame = d->by_b ? query->frame_b : query->frame_a;
    const crn_box_view *view = &patch->view;
    crn_vec3 normal = world_normal(query, d), along_u = crn_m3_column(&frame->rotation, view->p);
    crn_vec3 along_v = crn_m3_column(&frame->rotation, view->q);
    crn_vec3 middle = crn_v3_axpy(frame->position, view->sign * view->hk, crn_m3_column(&frame->rotation, view->k));
    for (int k = 0; k < patch->count; ++k) {
        const crn_box_corner *c = patch->corner + k;
        if (c->gap <= query->reach) {
            int first, other;
            crn_box_corner_names(patch, c->tag, &first, &other);
            int of_a = d->by_b ? other : first, of_b = d->by_b ? first : other;
            crn_vec3 point = crn_v3_axpy(crn_v3_axpy(middle, c->u, along_u), c->v, along_v);
            point = crn_v3_axpy(point, d->by_b ? 0.5 * c->gap : -0.5 * c->gap, normal);
            crn_touches_add(out, point, normal, c->gap, (uint32_t)(of_a | of_b << CRN_BOX_FEATURE_BITS));
        }
    }
}

void crn_box_box(const crn_query *query, crn_touches *out)
{
    box_pair p;
    set_up(query, &p);
    double size[9];
    for (int k = 0; k < 9; ++k) {
        size[k] = fabs(p.turn[k]);
    }
    double s;
    int face = best_face(&p, size, &s);
    if (face < 0) {
        return;
    }
    direction d;
    face_direction(&p, face, s, &d);
    if (!try_edges(&p, size, &d)) {
        return;
    }
    crn_box_patch patch;
    find_patch(&p, &d, &patch);
    if (d.s > BEYOND * p.size && !is_confirmed(&p, &d, &patch)) {
        double before = d.s;
        try_corners(&p, &d);
        if (d.s > p.reach) {
            return;
        }
        if (d.s > before) {
            find_patch(&p, &d, &patch);
        }
    }
    report(query, &d, &patch, out);
    if (!d.is_face || !is_confirmed(&p, &d, &patch)) {
        report_edges(query, &p, &d, &patch, out);
    }
}
