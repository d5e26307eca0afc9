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
#include "collide/box_clip.h"
#include "collide/primitive.h"

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
    bool by_b; /* the reference face is b's */
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
static void try_direction(const box_pair *p, crn_vec3 n, direction *d)
{
    direction own;
    n = crn_v3_unit(n);
    double sign = n.x * p->t[0] + n.y * p->t[1] + n.z * p->t[2] > 0.0 ? -1.0 : 1.0;
    crn_v3_to(crn_v3_scale(sign, n), own.in_a);
    turned_back(p->turn, own.in_a, own.in_b);
    own.s = separation(p, own.in_a, own.in_b);
    if (own.s > d->s + BIAS * p->size) {
        choose_reference(&own);
        *d = own;
    }
}

/* The nine crossed edges. With n = e_i x f_j not yet of unit length, e = |n| s(n); e needs no division:
 * n'e_k and n'f_k are entries of the turn. False if one of them is farther than reach. */
static bool try_edges(const box_pair *p, const double size[9], direction *d)
{
    for (int i = 0; i < 3; ++i) {
        int i1 = crn_box_next(i), i2 = crn_box_next(i1);
        for (int j = 0; j < 3; ++j) {
            int j1 = crn_box_next(j), j2 = crn_box_next(j1);
            const double *f = p->turn + 3 * j;
            double along = p->t[i2] * f[i1] - p->t[i1] * f[i2];
            double e = fabs(along) - p->a[i1] * size[i2 + 3 * j] - p->a[i2] * size[i1 + 3 * j] -
                       p->b[j1] * size[i + 3 * j2] - p->b[j2] * size[i + 3 * j1];
            /* |n| <= 1: dividing by it makes a negative e smaller, so it cannot win */
            double wanted = d->s + BIAS * p->size;
            if (e <= 0.0 && e <= wanted) {
                continue;
            }
            double square = f[i1] * f[i1] + f[i2] * f[i2];
            if (square <= PARALLEL_SQUARE || (wanted > 0.0 && e * e <= wanted * wanted * square) ||
                (wanted <= 0.0 && e < 0.0 && e * e >= wanted * wanted * square)) {
                continue;
            }
            double n[3] = {0.0, 0.0, 0.0};
            n[i1] = -f[i2];
            n[i2] = f[i1];
            try_direction(p, crn_v3_of(n), d);
            if (d->s > p->reach) {
                return false;
            }
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

/* Corner against edge or corner. */
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
        try_direction(p, way, d);
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

/* The touch at (u, v) on the reference face. */
static void add_touch(const crn_frame *frame, const crn_box_patch *patch, const crn_box_corner *c, crn_vec3 normal,
                      double half_way, uint32_t key, crn_touches *out)
{
    double x[3];
    x[patch->view.k] = patch->view.sign * patch->view.hk;
    x[patch->view.p] = c->u;
    x[patch->view.q] = c->v;
    crn_touches_add(out, crn_v3_axpy(crn_frame_point(frame, crn_v3_of(x)), half_way, normal), normal, c->gap, key);
}

/* The lowest corner of the other face, for a region that does not hold it (two corners side by side). */
static void add_lowest(const box_pair *p, const direction *d, crn_box_patch *patch)
{
    for (int k = 0; k < patch->count; ++k) {
        if (patch->corner[k].gap <= d->s + 2.0 * BIAS * p->size) {
            return;
        }
    }
    crn_box_corner lowest = crn_box_lowest(patch);
    lowest.gap = d->s;
    patch->corner[patch->count++] = lowest;
}

static void report(const crn_query *query, const direction *d, const crn_box_patch *patch, crn_touches *out)
{
    const crn_frame *frame = d->by_b ? query->frame_b : query->frame_a;
    crn_vec3 normal = crn_m3_times(&frame->rotation, crn_v3_of(d->by_b ? d->in_b : d->in_a));
    for (int k = 0; k < patch->count; ++k) {
        const crn_box_corner *c = patch->corner + k;
        if (c->gap <= query->reach) {
            int first, other;
            crn_box_corner_names(patch, c->tag, &first, &other);
            int of_a = d->by_b ? other : first, of_b = d->by_b ? first : other;
            add_touch(frame, patch, c, normal, d->by_b ? 0.5 * c->gap : -0.5 * c->gap,
                      (uint32_t)(of_a | of_b << CRN_BOX_FEATURE_BITS), out);
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
    add_lowest(&p, &d, &patch);
    report(query, &d, &patch, out);
}
