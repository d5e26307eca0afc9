/* Distance of two convex cores [GJK88]: the point nearest to the origin of the difference  a - b,  by simplices.
 *
 * Invariant at the top of the loop: v is the point of the simplex nearest to the origin, every vertex of the simplex has
 * positive weight in it, and |v| is an upper bound of the distance. The support point w in direction v gives the lower
 * bound  v'w / |v| = s(v / |v|).  The search ends when the two meet, when the simplex holds the origin, or when the lower
 * bound exceeds reach.
 *
 * Departs from the paper: the nearest point of a simplex is the best over its faces, each by projection, instead of by
 * determinants, which lose their signs in thin simplices. */
#include "collide/convex/gap.h"

#include <float.h>

/* A search on vertices ends by itself; this guards against rounding. On curved cores the rest is left to the polish. */
#define MOST_STEPS        100
#define MOST_STEPS_CURVED 40

/* Relative distance of the bounds at which the search ends. On curved cores the direction is then right to about a
 * hundredth, where Newton's method takes over. */
#define CLOSE        1e-12
#define CLOSE_CURVED 1e-4

/* The same when what the polish has found is to be confirmed. */
#define CONFIRMED             1e-10
#define MOST_STEPS_CONFIRMING 200

/* Twice the area of a triangle, relative to its longest side squared, below which it is a line. */
#define THIN 1e-14

void crn_difference_along(const crn_solid *a, const crn_solid *b, crn_vec3 n, crn_difference *point)
{
    point->a = crn_solid_support(a, crn_v3_scale(-1.0, n), &point->vertex_a);
    point->b = crn_solid_support(b, n, &point->vertex_b);
    point->w = crn_v3_sub(point->a, point->b);
}

/* --- Nearest point of a simplex --- */

typedef struct nearest {
    crn_vec3 v;
    double square;
    double weight[4];
} nearest;

static void offer(nearest *best, crn_vec3 v, const double weight[4])
{
    double square = crn_v3_dot(v, v);
    if (square < best->square) {
        best->v = v;
        best->square = square;
        for (int k = 0; k < 4; ++k) {
            best->weight[k] = weight[k];
        }
    }
}

static void try_segment(const crn_simplex *s, int i, int j, nearest *best)
{
    crn_vec3 p = s->point[i].w, d = crn_v3_sub(s->point[j].w, p);
    double square = crn_v3_dot(d, d), along = -crn_v3_dot(p, d);
    double x = along <= 0.0 || square == 0.0 ? 0.0 : along >= square ? 1.0 : along / square;
    double weight[4] = {0.0, 0.0, 0.0, 0.0};
    weight[i] = 1.0 - x;
    weight[j] = x;
    offer(best, x == 1.0 ? s->point[j].w : crn_v3_axpy(p, x, d), weight);
}

/* Inside, v is the projection onto the plane, taken along the normal and not from the weights. */
static void try_triangle(const crn_simplex *s, int i, int j, int k, nearest *best)
{
    crn_vec3 p = s->point[i].w, q = s->point[j].w, r = s->point[k].w;
    crn_vec3 d = crn_v3_sub(q, p), e = crn_v3_sub(r, p), n = crn_v3_cross(d, e);
    double square = crn_v3_dot(n, n), longest = crn_v3_dot(d, d) + crn_v3_dot(e, e);
    if (square > THIN * THIN * longest * longest) {
        double weight[4] = {0.0, 0.0, 0.0, 0.0};
        double at_p = crn_v3_dot(n, crn_v3_cross(q, r)), at_q = crn_v3_dot(n, crn_v3_cross(r, p));
        double at_r = crn_v3_dot(n, crn_v3_cross(p, q));
        if (at_p > 0.0 && at_q > 0.0 && at_r > 0.0) {
            double sum = at_p + at_q + at_r;
            weight[i] = at_p / sum;
            weight[j] = at_q / sum;
            weight[k] = at_r / sum;
            offer(best, crn_v3_scale(crn_v3_dot(n, p) / square, n), weight);
            return;
        }
    }
    try_segment(s, i, j, best);
    try_segment(s, j, k, best);
    try_segment(s, k, i, best);
}

/* Of a tetrahedron: does it hold the origin? Else the nearest of its faces. */
static bool try_tetrahedron(const crn_simplex *s, nearest *best)
{
    static const int face[4][4] = {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}};
    bool is_inside = true;
    for (int f = 0; f < 4; ++f) {
        crn_vec3 p = s->point[face[f][0]].w, q = s->point[face[f][1]].w, r = s->point[face[f][2]].w;
        crn_vec3 n = crn_v3_cross(crn_v3_sub(q, p), crn_v3_sub(r, p));
        double inner = crn_v3_dot(n, crn_v3_sub(s->point[face[f][3]].w, p)), origin = -crn_v3_dot(n, p);
        if (!(inner * origin > 0.0)) {
            is_inside = false;
            try_triangle(s, face[f][0], face[f][1], face[f][2], best);
        }
    }
    return is_inside;
}

/* Reduce the simplex to the vertices that make its nearest point v. False if it holds the origin. */
static bool reduce(crn_simplex *s, crn_vec3 *v)
{
    nearest best = {crn_v3(0, 0, 0), (double)INFINITY, {1.0, 0.0, 0.0, 0.0}};
    switch (s->count) {
    case 1: best.v = s->point[0].w; break;
    case 2: try_segment(s, 0, 1, &best); break;
    case 3: try_triangle(s, 0, 1, 2, &best); break;
    default:
        if (try_tetrahedron(s, &best)) {
            return false;
        }
    }
    int count = 0;
    for (int k = 0; k < s->count; ++k) {
        if (best.weight[k] > 0.0) {
            s->point[count] = s->point[k];
            s->weight[count++] = best.weight[k];
        }
    }
    s->count = count;
    *v = best.v;
    return true;
}

static bool holds(const crn_simplex *s, const crn_difference *p)
{
    for (int k = 0; k < s->count; ++k) {
        crn_vec3 w = s->point[k].w;
        if (w.x == p->w.x && w.y == p->w.y && w.z == p->w.z) {
            return true;
        }
    }
    return false;
}

static void set_points(const crn_simplex *s, crn_gap *gap)
{
    gap->on_a = gap->on_b = crn_v3(0, 0, 0);
    for (int k = 0; k < s->count; ++k) {
        gap->on_a = crn_v3_axpy(gap->on_a, s->weight[k], s->point[k].a);
        gap->on_b = crn_v3_axpy(gap->on_b, s->weight[k], s->point[k].b);
    }
}

/* A search under way. */
typedef struct march {
    const crn_solid *a, *b;
    double reach, size, close;
    int steps;
    crn_vec3 v; /* the simplex's nearest point */
    crn_difference next;
} march;

/* Step until the bounds meet. gap->gap holds the best s so far. */
static crn_gjk_answer go_on(march *m, crn_simplex *simplex, crn_gap *gap)
{
    for (int step = 0; step < m->steps; ++step) {
        double square = crn_v3_dot(m->v, m->v), length = sqrt(square);
        if (!(length > CRN_GAP_TOUCH * m->size)) {
            return CRN_GJK_MEET;
        }
        crn_difference_along(m->a, m->b, m->v, &m->next);
        double low = crn_v3_dot(m->v, m->next.w) / length;
        if (low > m->reach) {
            return CRN_GJK_FAR;
        }
        if (low > gap->gap) { /* keep the best direction seen */
            gap->gap = low;
            gap->normal = crn_v3_scale(1.0 / length, m->v);
            gap->vertex_a = m->next.vertex_a;
            gap->vertex_b = m->next.vertex_b;
            set_points(simplex, gap);
        }
        if (length - gap->gap <= m->close * length + 4.0 * DBL_EPSILON * m->size || holds(simplex, &m->next)) {
            break;
        }
        crn_simplex before = *simplex;
        simplex->point[simplex->count++] = m->next;
        if (!reduce(simplex, &m->v)) {
            return CRN_GJK_MEET;
        }
        if (!(crn_v3_dot(m->v, m->v) < square)) { /* rounding: the bound no longer falls */
            *simplex = before;
            break;
        }
    }
    return CRN_GJK_APART;
}

crn_gjk_answer crn_gjk(const crn_solid *a, const crn_solid *b, double reach, crn_simplex *simplex, crn_gap *gap)
{
    bool is_polyhedral = crn_gap_is_polyhedral(a, b);
    march m = {.a = a,
               .b = b,
               .reach = reach,
               .size = crn_gap_size(a, b),
               .close = is_polyhedral ? CLOSE : CLOSE_CURVED,
               .steps = is_polyhedral ? MOST_STEPS : MOST_STEPS_CURVED,
               .v = crn_v3_sub(a->centre, b->centre),
               .next = {.vertex_a = 0, .vertex_b = 0}};
    if (!(crn_v3_length(m.v) > CRN_GAP_TOUCH * m.size)) {
        m.v = crn_v3(0, 0, 1);
    }
    crn_difference_along(a, b, m.v, &m.next);
    simplex->point[0] = m.next;
    simplex->weight[0] = 1.0;
    simplex->count = 1;
    m.v = m.next.w;
    gap->gap = -(double)INFINITY;
    gap->vertex_a = gap->vertex_b = 0;
    return go_on(&m, simplex, gap);
}

bool crn_gjk_confirm(const crn_solid *a, const crn_solid *b, crn_simplex *simplex, crn_gap *gap)
{
    march m = {.a = a,
               .b = b,
               .reach = (double)INFINITY,
               .size = crn_gap_size(a, b),
               .close = CONFIRMED,
               .steps = MOST_STEPS_CONFIRMING,
               .next = {.vertex_a = gap->vertex_a, .vertex_b = gap->vertex_b}};
    double before = gap->gap;
    crn_difference_along(a, b, gap->normal, &m.next);
    gap->gap = crn_v3_dot(gap->normal, m.next.w);
    crn_simplex with = *simplex;
    with.point[with.count++] = m.next;
    double s = gap->gap;
    if (simplex->count < 4 && reduce(&with, &m.v)) {
        *simplex = with;
        if (!(crn_v3_length(m.v) - s <= CONFIRMED * s + 4.0 * DBL_EPSILON * m.size)) {
            (void)go_on(&m, simplex, gap);
        }
        set_points(simplex, gap);
    }
    bool is_better = gap->gap > s + CONFIRMED * m.size;
    gap->gap = before;
    return is_better;
}
