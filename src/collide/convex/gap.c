/* Signed gap of two convex solids: the largest  s(n) = -h_a(-n) - h_b(n) - r_a - r_b  over unit n.
 *
 * GJK (apart) or EPA (overlap) finds the neighbourhood of the maximum; the rest is done here. The gradient of s is the
 * support point  w = a - b,  and on the sphere its second derivative along tangents u, v is
 *
 *   -u'(H_a + H_b) v - s u'v,      H: second derivative of h, the matrix of the radii of curvature.
 *
 * s has kinks. It is not smooth across the circle  c'n = k  where c is an edge, or the axis of a cylinder or segment, and k = 0,
 * or c is the axis of a cone and k the height of its side's normals; nor at the normals of faces and caps. So the maximum is at
 * a face normal, at the crossing of two such circles, on one of them (Newton in one angle) or on none (Newton in two). All
 * those near n are tried and the largest s wins: no test of which case it is can fail by rounding, and a normal of a face is
 * that normal to the last bit. */
#include "collide/convex/gap.h"

#include "collide/convex/drum.h"
#include "collide/convex/facing.h"

#include <float.h>

/* Most circles that are looked at at once. */
#define MOST_KINKS 24

/* How near n must be to a circle or a face normal for it to be tried [rad]: what the searches leave open. */
#define NEAR        0.02
#define NEAR_CURVED 0.15

#define MOST_ROUNDS  6
#define NEWTON_STEPS 12
#define HALVINGS     6
#define LONGEST_STEP 0.3 /* rad: within it the second derivative still means something */

/* An overlap of this part of the size may be a direction that is off by the rounding of a gap near CRN_GAP_TOUCH. */
#define BARELY 1e-5

/* A gain of this part of the size is rounding. */
#define NOTABLE (4.0 * DBL_EPSILON)

/* A slope of this part of the size is a maximum: s is then off by its square. */
#define SETTLED 1e-8

/* Sine of the angle below which two circles are one. */
#define SAME_CIRCLE 1e-9

typedef struct search {
    const crn_solid *a, *b;
    double size;
    crn_vec3 n; /* best so far */
    double s;   /* s(n) of the cores */
    crn_difference point;
} search;

/* s at n, which becomes the best if it is. */
static double try_normal(search *f, crn_vec3 n, crn_difference *point)
{
    *point = f->point;
    crn_difference_along(f->a, f->b, n, point);
    double s = crn_v3_dot(n, point->w);
    if (s > f->s) {
        f->s = s;
        f->n = n;
        f->point = *point;
    }
    return s;
}

/* --- Curvature: u' H(d) v for a unit direction d --- */

static double curvature(const crn_solid *solid, crn_vec3 d, crn_vec3 u, crn_vec3 v)
{
    if (solid->kind == CRN_CORE_DRUM) {
        crn_vec3 axis = crn_solid_axis(solid), t = crn_v3_cross(axis, d);
        int cap = crn_drum_rise(solid, crn_m3_transposed_times(&solid->rotation, d)) >= 0.0;
        double square = crn_v3_dot(t, t), length = sqrt(square), radius = crn_drum_radius(solid, cap);
        return square > 0.0 ? radius * crn_v3_dot(u, t) * crn_v3_dot(v, t) / (square * length) : 0.0;
    }
    if (solid->kind == CRN_CORE_SMOOTH) {
        const crn_mat3 *r = &solid->rotation;
        return solid->smooth->curvature(solid->size, crn_m3_transposed_times(r, d), crn_m3_transposed_times(r, u),
                                        crn_m3_transposed_times(r, v));
    }
    return 0.0;
}

static double both_curvatures(const search *f, crn_vec3 n, crn_vec3 u, crn_vec3 v)
{
    return curvature(f->a, crn_v3_scale(-1.0, n), u, v) + curvature(f->b, n, u, v);
}

/* --- Newton's method --- */

/* Go from n along the tangent step, shorter while s does not rise. False if it never does. */
static bool go_along(search *f, crn_vec3 *n, crn_vec3 step, double *s, crn_difference *point)
{
    double length = crn_v3_length(step);
    if (!(length > 0.0)) {
        return false;
    }
    double scale = length > LONGEST_STEP ? LONGEST_STEP / length : 1.0;
    for (int k = 0; k < HALVINGS; ++k, scale *= 0.5) {
        crn_vec3 next = crn_v3_unit(crn_v3_axpy(*n, scale, step));
        crn_difference there;
        double own = try_normal(f, next, &there);
        if (own > *s + NOTABLE * f->size) {
            *n = next;
            *s = own;
            *point = there;
            return true;
        }
    }
    return false;
}

/* A circle of directions  c'n = k,  with c a unit vector. */
typedef struct circle {
    crn_vec3 c;
    double k;
} circle;

/* The direction of a circle on the side of m. */
static crn_vec3 on_circle(const circle *o, crn_vec3 m)
{
    crn_vec3 across = crn_v3_unit(crn_v3_axpy(m, -crn_v3_dot(m, o->c), o->c));
    return o->k == 0.0 ? across : crn_v3_axpy(crn_v3_scale(sqrt(1.0 - o->k * o->k), across), o->k, o->c);
}

/* Turn n about the axis of its circle by the angle, by less while s does not rise. False if it never does. */
static bool turn_along(search *f, const circle *o, crn_vec3 *n, double angle, double *s, crn_difference *point)
{
    crn_vec3 m = crn_v3_unit(crn_v3_axpy(*n, -o->k, o->c)), t = crn_v3_cross(o->c, m);
    double turn = fabs(angle) > LONGEST_STEP ? copysign(LONGEST_STEP, angle) : angle;
    for (int k = 0; k < HALVINGS && turn != 0.0; ++k, turn *= 0.5) {
        crn_vec3 next = on_circle(o, crn_v3_axpy(m, turn, t));
        crn_difference there;
        double own = try_normal(f, next, &there);
        if (own > *s + NOTABLE * f->size) {
            *n = next;
            *s = own;
            *point = there;
            return true;
        }
    }
    return false;
}

/* With n = k c + r m the angle a about c has  n' = r t, n'' = -r m,  so  s'' = -r (m'w + r t'H t). */
static void climb_circle(search *f, crn_vec3 n, const circle *o)
{
    double r = sqrt(1.0 - o->k * o->k);
    n = on_circle(o, n);
    crn_difference point;
    double s = try_normal(f, n, &point);
    for (int k = 0; k < NEWTON_STEPS; ++k) {
        crn_vec3 m = crn_v3_unit(crn_v3_axpy(n, -o->k, o->c)), t = crn_v3_cross(o->c, m);
        double slope = crn_v3_dot(point.w, t), bend = r * both_curvatures(f, n, t, t) + crn_v3_dot(point.w, m);
        if (!(bend > 0.0) || !turn_along(f, o, &n, slope / bend, &s, &point)) {
            return;
        }
    }
}

static void climb_sphere(search *f)
{
    crn_vec3 n = f->n;
    crn_difference point = f->point;
    double s = f->s;
    for (int k = 0; k < NEWTON_STEPS; ++k) {
        crn_vec3 t = crn_v3_orthogonal(n), u = crn_v3_cross(n, t);
        double tt = both_curvatures(f, n, t, t) + s, tu = both_curvatures(f, n, t, u);
        double uu = both_curvatures(f, n, u, u) + s, det = tt * uu - tu * tu;
        if (!(tt > 0.0 && det > 0.0)) {
            return;
        }
        double along_t = crn_v3_dot(point.w, t), along_u = crn_v3_dot(point.w, u);
        crn_vec3 step =
            crn_v3_axpy(crn_v3_scale((along_t * uu - along_u * tu) / det, t), (along_u * tt - along_t * tu) / det, u);
        if (!go_along(f, &n, step, &s, &point)) {
            return;
        }
    }
}

/* --- Kinks --- */

typedef struct kinks {
    circle list[MOST_KINKS];
    int count;
} kinks;

static void add_circle(kinks *all, crn_vec3 c, double k)
{
    if (all->count < MOST_KINKS) {
        all->list[all->count++] = (circle){c, k};
    }
}

/* Circles near the direction d of one solid; normals of faces and caps are tried at once. sign: n = sign d. */
static void gather(search *f, const crn_solid *solid, crn_vec3 d, int vertex, double sign, double near_by, kinks *k)
{
    double cosine = 1.0 - 0.5 * near_by * near_by;
    crn_difference there;
    if (solid->kind == CRN_CORE_SEGMENT || solid->kind == CRN_CORE_DRUM) {
        crn_vec3 axis = crn_solid_axis(solid);
        double along = crn_v3_dot(axis, d), lean = solid->kind == CRN_CORE_DRUM ? crn_drum_lean(solid) : 0.0;
        if (fabs(along - lean) < near_by) {
            add_circle(k, axis, sign * lean);
        }
        if (solid->kind == CRN_CORE_DRUM && fabs(along) > cosine) {
            (void)try_normal(f, crn_v3_scale(along > 0.0 ? sign : -sign, axis), &there);
        }
    }
    if (solid->kind != CRN_CORE_POLYHEDRON) {
        return;
    }
    crn_vec3 local = crn_m3_transposed_times(&solid->rotation, d), p = crn_v3_of(solid->vertex + 3 * (ptrdiff_t)vertex);
    crn_facing_test test = {solid, local, -(double)INFINITY, near_by};
    crn_facing facing;
    crn_facing_find_faces(&test, vertex, &facing);
    for (int i = 0; i < (facing.is_listed ? facing.faces : solid->faces); ++i) {
        int face = facing.is_listed ? facing.face[i] : i;
        if (crn_facing_face(&test, face)) {
            (void)try_normal(f, crn_v3_scale(sign, crn_solid_normal(solid, face)), &there);
        }
    }
    for (int i = solid->around_start[vertex]; i < solid->around_start[vertex + 1]; ++i) {
        crn_vec3 e = crn_v3_sub(crn_v3_of(solid->vertex + 3 * (ptrdiff_t)solid->around[i]), p);
        double along = crn_v3_dot(e, local), length = crn_v3_length(e);
        if (fabs(along) < near_by * length) {
            add_circle(k, crn_m3_times(&solid->rotation, crn_v3_scale(1.0 / length, e)), 0.0);
        }
    }
}

/* Of the two crossings of two circles the one on the side of n: the point nearest to the origin of both their planes, and
 * along the line in which these meet. */
static void try_crossing(search *f, crn_vec3 n, const circle *o, const circle *p)
{
    crn_vec3 m = crn_v3_cross(o->c, p->c), nearest = crn_v3(0, 0, 0);
    double square = crn_v3_dot(m, m), length = sqrt(square), rest = 1.0;
    if (!(length > SAME_CIRCLE)) {
        return;
    }
    if (o->k != 0.0 || p->k != 0.0) {
        double both = crn_v3_dot(o->c, p->c);
        nearest = crn_v3_axpy(crn_v3_scale((o->k - p->k * both) / square, o->c), (p->k - o->k * both) / square, p->c);
        rest = 1.0 - crn_v3_dot(nearest, nearest);
    }
    if (rest > 0.0) {
        double along = (crn_v3_dot(m, n) < 0.0 ? -1.0 : 1.0) * sqrt(rest) / length;
        crn_difference there;
        (void)try_normal(f, crn_v3_axpy(nearest, along, m), &there);
    }
}

static void one_round(search *f, double near_by, bool is_curved)
{
    crn_vec3 n = f->n;
    crn_difference at = f->point;
    kinks k = {.count = 0};
    gather(f, f->a, crn_v3_scale(-1.0, n), at.vertex_a, -1.0, near_by, &k);
    gather(f, f->b, n, at.vertex_b, 1.0, near_by, &k);
    for (int i = 0; i < k.count; ++i) {
        for (int j = 0; j < i; ++j) {
            try_crossing(f, n, &k.list[i], &k.list[j]);
        }
    }
    if (is_curved || f->s > -BARELY * f->size) { /* vertices that overlap have no maximum off the crossings */
        for (int i = 0; i < k.count; ++i) {
            climb_circle(f, n, &k.list[i]);
        }
        climb_sphere(f);
    }
}

void crn_gap_polish(const crn_solid *a, const crn_solid *b, crn_gap *gap)
{
    bool is_curved = !crn_gap_is_polyhedral(a, b);
    search f = {a,
                b,
                crn_gap_size(a, b),
                gap->normal,
                -(double)INFINITY,
                {.vertex_a = gap->vertex_a, .vertex_b = gap->vertex_b}};
    crn_difference there;
    (void)try_normal(&f, gap->normal, &there);
    for (int k = 0; k < MOST_ROUNDS; ++k) {
        double before = f.s;
        one_round(&f, is_curved ? NEAR_CURVED : NEAR, is_curved);
        if (!(f.s > before + NOTABLE * f.size)) {
            break;
        }
    }
    gap->normal = f.n;
    gap->gap = f.s - a->radius - b->radius;
    gap->vertex_a = f.point.vertex_a;
    gap->vertex_b = f.point.vertex_b;
}

/* --- Smooth cores and points --- */

static double least_radius(const crn_solid *s)
{
    return s->kind == CRN_CORE_SMOOTH ? s->smooth->least_radius(s->size) : 0.0;
}

/* Newton's method right from the centres. If all radii of curvature of a - b are at least r, it is a ball of radius r rolled
 * over a smaller convex body, and s + r has one maximum only where it is positive: so a maximum with s > -r is the largest.
 * False if that is not where the search ends. */
static bool find_smooth(const crn_solid *a, const crn_solid *b, crn_gap *gap)
{
    crn_vec3 apart = crn_v3_sub(a->centre, b->centre);
    double length = crn_v3_length(apart), size = crn_gap_size(a, b);
    if (!(length > CRN_GAP_TOUCH * size)) {
        return false;
    }
    search f = {a, b, size, crn_v3_scale(1.0 / length, apart), -(double)INFINITY, {.vertex_a = 0, .vertex_b = 0}};
    crn_difference there;
    (void)try_normal(&f, f.n, &there);
    climb_sphere(&f);
    crn_vec3 slope = crn_v3_axpy(f.point.w, -f.s, f.n);
    if (!(f.s > -least_radius(a) - least_radius(b)) || crn_v3_length(slope) > SETTLED * size) {
        return false;
    }
    *gap = (crn_gap){f.n, f.s - a->radius - b->radius, f.point.a, f.point.b, 0, 0};
    return true;
}

static bool is_smooth(const crn_solid *s)
{
    return s->kind == CRN_CORE_SMOOTH || s->kind == CRN_CORE_POINT;
}

bool crn_gap_find(const crn_solid *a, const crn_solid *b, double reach, crn_gap *gap)
{
    if (is_smooth(a) && is_smooth(b) && find_smooth(a, b, gap)) {
        return gap->gap <= reach;
    }
    crn_simplex simplex;
    double core_reach = reach + a->radius + b->radius;
    crn_gjk_answer answer = crn_gjk(a, b, core_reach, &simplex, gap);
    if (answer == CRN_GJK_FAR) {
        return false;
    }
    if (answer == CRN_GJK_MEET) {
        crn_epa(a, b, &simplex, gap);
    }
    crn_gap_polish(a, b, gap);
    bool is_settled = answer == CRN_GJK_MEET || crn_gap_is_polyhedral(a, b);
    if (!is_settled && crn_gjk_confirm(a, b, &simplex, gap)) {
        crn_gap_polish(a, b, gap);
    }
    return gap->gap <= reach;
}
