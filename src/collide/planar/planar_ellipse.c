/* An ellipse against another ellipse, or against an outline (disk, segment, polygon).
 *
 * In the frame of ellipse a, with n out of b into a and t = n turned left, x_a and x_b the support points,
 *     s(n) = n'(x_a - x_b),   s' = t'(x_a - x_b),   s'' = -s - (rho_a + rho_b)        (by the angle of n)
 * where x_a = -S n/h, h = sqrt(n'S n), S = diag(a^2, b^2), and rho_a = a^2 b^2/h^3 is the radius of curvature there. So the
 * gap is the largest value of a function of one angle, by Newton's method.
 *
 * Which local maximum? The difference of the shapes has, inside at each point of its border, a tangent disk of radius
 * rho = the sum of the smallest radii of curvature. At a local maximum with -s <= rho the disk of radius -s about the
 * origin therefore lies inside, and no direction separates better: it is the global one. Only deeper overlaps are
 * searched: from directions that are spread evenly over the border of each ellipse (not over the angle: a thin ellipse
 * turns its normal at the tips).
 *
 * Against an outline b, s has a kink at each edge normal. It is a maximum if x_a stands over the edge; else a maximum lies
 * between the normals of two edges if s rises at the first and falls at the second, and belongs to their common vertex. */
#include "collide/planar/planar.h"
#include "math/elementary.h"

/* Newton's method is quadratic: after a step of this angle [rad] the next would be at rounding. */
#define ANGLE_DONE 1e-9
/* Longest step [rad], and the angle below which s cannot judge a step: its change (the square) nears rounding. */
#define STEP_MAX  0.5
#define STEP_FINE 1e-5
/* More than any case needs (4 to 8, halvings included up to 30); the best direction so far serves then. */
#define STEPS_MAX 100
/* Slopes below this, relative to the ellipse and the edge, are 0: many roundings. An ellipse that stands exactly over the
 * end of an edge has its maximum there, on neither side. */
#define LEVEL 1e-14
/* Directions per ellipse between which deep overlaps are searched, and halvings between two of them: to 1e-9 rad. */
#define SEARCH   32
#define HALVINGS 30

typedef struct direction {
    crn_vec2 n;
    double s, slope, curve; /* s, s', s'' */
    crn_vec2 x_a, x_b;
} direction;

typedef struct ellipse_pair {
    crn_vec2 size_a;
    bool is_ellipse_b;
    crn_vec2 size_b; /* of ellipse b */
    crn_pose2 b;     /* pose of b in a */
    crn_vec2 vertex; /* of outline b, in a: the one that n is seen from */
    double radius;   /* of outline b */
} ellipse_pair;

/* --- The function of one angle ------------------------------------------------------------------------------------ */

/* Support point of an ellipse along m, and its radius of curvature there. */
static crn_vec2 ellipse_support(crn_vec2 size, crn_vec2 m, double *curvature_radius)
{
    double u = size.x * m.x, v = size.y * m.y, h = sqrt(u * u + v * v), area = size.x * size.y;
    *curvature_radius = area * area / (h * h * h);
    return crn_v2(size.x * u / h, size.y * v / h);
}

static direction look(const ellipse_pair *p, crn_vec2 n)
{
    direction d;
    double rho_a, rho_b = p->radius;
    d.n = n;
    d.x_a = ellipse_support(p->size_a, crn_v2_scale(-1.0, n), &rho_a);
    if (p->is_ellipse_b) {
        crn_vec2 x = ellipse_support(p->size_b, crn_pose2_turn_back(&p->b, n), &rho_b);
        d.x_b = crn_pose2_point(&p->b, x);
    } else {
        d.x_b = crn_v2_axpy(p->vertex, p->radius, n);
    }
    crn_vec2 w = crn_v2_sub(d.x_a, d.x_b);
    d.s = crn_v2_dot(n, w);
    d.slope = crn_v2_dot(crn_v2_left(n), w);
    d.curve = -d.s - rho_a - rho_b;
    return d;
}

static crn_vec2 turned(crn_vec2 n, double step)
{
    return crn_v2_unit(crn_v2_axpy(n, step, crn_v2_left(n)));
}

/* Smallest radius of curvature of an ellipse: at the tips of its long axis. */
static double sharpest(crn_vec2 size)
{
    return size.x > size.y ? size.y * size.y / size.x : size.x * size.x / size.y;
}

/* --- Maxima ------------------------------------------------------------------------------------------------------- */

/* Newton's step, made to lead uphill where s is not concave. */
static double newton_step(const direction *d)
{
    double step = d->curve < 0.0 ? -d->slope / d->curve : (d->slope > 0.0 ? STEP_MAX : -STEP_MAX);
    return step > STEP_MAX ? STEP_MAX : step < -STEP_MAX ? -STEP_MAX : step;
}

/* The local maximum uphill of n. */
static direction climb(const ellipse_pair *p, crn_vec2 n)
{
    direction d = look(p, n);
    for (int i = 0; i < STEPS_MAX && d.slope != 0.0; ++i) {
        double step = newton_step(&d);
        direction e = look(p, turned(d.n, step));
        while (e.s < d.s && fabs(step) > STEP_FINE) {
            step *= 0.5;
            e = look(p, turned(d.n, step));
        }
        d = e;
        if (fabs(step) <= ANGLE_DONE) {
            break;
        }
    }
    return d;
}

/* A direction between lo and hi (less than half a turn to the left of lo, or exactly half a turn). */
static crn_vec2 between(crn_vec2 lo, crn_vec2 hi)
{
    crn_vec2 sum = crn_v2_add(lo, hi);
    return crn_v2_dot(sum, sum) > 0.25 ? crn_v2_unit(sum) : crn_v2_unit(crn_v2_add(crn_v2_left(lo), sum));
}

/* Is n strictly inside the turn from lo to hi? */
static bool is_inside(crn_vec2 n, crn_vec2 lo, crn_vec2 hi)
{
    return crn_v2_cross(lo, n) > 0.0 && crn_v2_cross(n, hi) > 0.0;
}

/* Roughly out of the vertex of b into a: the gradient of v'(S_a + radius^2)^-1 v. The vertex must not be the centre of a. */
static crn_vec2 out_of_vertex(const ellipse_pair *p)
{
    double rr = p->radius * p->radius;
    double xx = p->size_a.x * p->size_a.x + rr, yy = p->size_a.y * p->size_a.y + rr;
    return crn_v2_unit(crn_v2(-yy * p->vertex.x, -xx * p->vertex.y));
}

/* The maximum between lo, where s rises, and hi, where it falls, seen from the vertex of b: Newton's method, halving when
 * it leaves the turn. */
static direction peak_between(const ellipse_pair *p, crn_vec2 lo, crn_vec2 hi)
{
    bool is_centre = p->vertex.x == 0.0 && p->vertex.y == 0.0;
    crn_vec2 start = is_centre ? lo : out_of_vertex(p);
    direction d = look(p, is_inside(start, lo, hi) ? start : between(lo, hi));
    for (int i = 0; i < STEPS_MAX && d.slope != 0.0; ++i) {
        *(d.slope > 0.0 ? &lo : &hi) = d.n;
        double step = d.curve < 0.0 ? -d.slope / d.curve : INFINITY;
        bool is_done = fabs(step) <= ANGLE_DONE;
        crn_vec2 n = fabs(step) <= STEP_MAX ? turned(d.n, step) : lo;
        d = look(p, is_done || is_inside(n, lo, hi) ? n : between(lo, hi));
        if (is_done) {
            break;
        }
    }
    return d;
}

/* Direction i of SEARCH, in the frame of the ellipse: normals at points spread evenly over its border. */
static crn_vec2 search_direction(crn_vec2 size, int i)
{
    const double turn = 6.283185307179586477;
    double t = turn * (i + 0.5) / SEARCH;
    return crn_v2_unit(crn_v2(size.y * crn_cos(t), size.x * crn_sin(t)));
}

static void keep_better(direction *best, direction d)
{
    if (d.s > best->s) {
        *best = d;
    }
}

/* The maximum between two neighbouring directions, if there is one. It may hide beside a minimum: then the slope has one
 * sign at both, but turns towards 0 at both too, and changes sign at the place where it turns. */
static void search_between(const ellipse_pair *p, const direction *d, const direction *e, direction *best)
{
    if (d->slope > 0.0 && e->slope < 0.0) {
        keep_better(best, peak_between(p, d->n, e->n));
        return;
    }
    double sign = d->slope > 0.0 ? 1.0 : -1.0;
    if (sign * e->slope <= 0.0 || sign * d->curve >= 0.0 || sign * e->curve <= 0.0) {
        return;
    }
    crn_vec2 lo = d->n, hi = e->n;
    for (int i = 0; i < HALVINGS; ++i) {
        direction m = look(p, between(lo, hi));
        if (sign * m.slope < 0.0) {
            keep_better(best, sign > 0.0 ? peak_between(p, d->n, m.n) : peak_between(p, m.n, e->n));
            return;
        }
        *(sign * m.curve < 0.0 ? &lo : &hi) = m.n;
    }
}

/* --- Ellipse against ellipse -------------------------------------------------------------------------------------- */

/* Maxima of s between neighbours among the directions spread over one of the two. */
static void search_ellipse(const ellipse_pair *p, bool is_b, direction *best)
{
    direction d = {.s = -INFINITY};
    for (int i = 0; i <= SEARCH; ++i) {
        crn_vec2 n = search_direction(is_b ? p->size_b : p->size_a, i % SEARCH);
        direction e = look(p, is_b ? crn_pose2_turn(&p->b, n) : n);
        if (i > 0) {
            search_between(p, &d, &e, best);
        }
        d = e;
    }
}

/* Where to begin: the gradient of c'(S_a + S_b)^-1 c at the vector c between the centres. */
static crn_vec2 first_direction(const ellipse_pair *p)
{
    double ax = p->size_a.x * p->size_a.x, ay = p->size_a.y * p->size_a.y;
    double bx = p->size_b.x * p->size_b.x, by = p->size_b.y * p->size_b.y;
    double c = p->b.axis.x, s = p->b.axis.y;
    double xx = ax + c * c * bx + s * s * by, yy = ay + s * s * bx + c * c * by, xy = c * s * (bx - by);
    crn_vec2 d = crn_v2_scale(-1.0, p->b.origin);
    crn_vec2 n = {yy * d.x - xy * d.y, xx * d.y - xy * d.x};
    double length = crn_v2_length(n);
    return length > 0.0 ? crn_v2_scale(1.0 / length, n) : crn_v2(0.0, 1.0);
}

static void add_direction(const crn_planar_pair *pair, const direction *d, uint32_t key)
{
    if (d->s <= pair->reach) {
        crn_vec2 middle = crn_v2_scale(0.5, crn_v2_add(d->x_a, d->x_b));
        crn_planar_add(pair, crn_pose2_point(&pair->pose_a, middle), crn_pose2_turn(&pair->pose_a, d->n), d->s, key);
    }
}

void crn_ellipse_ellipse(const crn_planar_pair *pair)
{
    ellipse_pair p = {.size_a = crn_v2(pair->a->def.size.x, pair->a->def.size.y),
                      .is_ellipse_b = true,
                      .size_b = crn_v2(pair->b->def.size.x, pair->b->def.size.y),
                      .b = crn_pose2_relative(&pair->pose_a, &pair->pose_b)};
    crn_vec2 n = first_direction(&p);
    if (look(&p, n).s > pair->reach) {
        return; /* any s(n) is a bound */
    }
    direction best = climb(&p, n);
    if (best.s < -(sharpest(p.size_a) + sharpest(p.size_b))) {
        search_ellipse(&p, false, &best);
        search_ellipse(&p, true, &best);
    }
    add_direction(pair, &best, 0);
}

/* --- Ellipse against outline -------------------------------------------------------------------------------------- */

/* Ellipse against a point: the nearest point of the ellipse lies in the point's own quadrant of the ellipse, and there s
 * has one maximum, on an axis only if s falls away from the axis. Any direction with s beyond reach ends it. */
static direction best_around_point(const ellipse_pair *p, double reach)
{
    crn_vec2 x = {p->vertex.x < 0.0 ? 1.0 : -1.0, 0.0}, y = {0.0, p->vertex.y < 0.0 ? 1.0 : -1.0};
    bool is_x_first = x.x * y.y > 0.0, is_centre = p->vertex.x == 0.0 && p->vertex.y == 0.0;
    if (!is_centre) {
        direction bound = look(p, out_of_vertex(p));
        if (bound.s > reach) {
            return bound;
        }
    }
    crn_vec2 lo = is_x_first ? x : y, hi = is_x_first ? y : x;
    direction first = look(p, lo), last = look(p, hi);
    if (first.slope <= 0.0 && first.curve < 0.0) {
        return first;
    }
    if (last.slope >= 0.0 && last.curve < 0.0) {
        return last;
    }
    return peak_between(p, lo, hi);
}

/* What s does at edge k: the touch there, and its slope on either side of the kink. */
typedef struct edge_look {
    crn_vec2 n;
    direction at;         /* x_b is under x_a */
    double before, after; /* slope just before and just after n */
} edge_look;

static crn_vec2 outline_vertex(const ellipse_pair *p, const crn_outline *b, int k)
{
    return crn_pose2_point(&p->b, crn_v2_at(b->point, k));
}

static edge_look look_at_edge(const ellipse_pair *p, const crn_outline *b, int k)
{
    edge_look e;
    crn_vec2 from = outline_vertex(p, b, k), to = outline_vertex(p, b, crn_outline_next(b, k));
    crn_vec2 along = crn_v2_unit(crn_v2_sub(to, from));
    double rho;
    e.n = crn_v2(along.y, -along.x);
    e.at.n = e.n;
    e.at.x_a = ellipse_support(p->size_a, crn_v2_scale(-1.0, e.n), &rho);
    e.before = crn_v2_dot(along, crn_v2_sub(e.at.x_a, from));
    e.after = crn_v2_dot(along, crn_v2_sub(e.at.x_a, to));
    e.at.s = crn_v2_dot(e.n, crn_v2_sub(e.at.x_a, from)) - p->radius;
    e.at.x_b = crn_v2_axpy(e.at.x_a, -e.at.s, e.n);
    e.at.slope = e.at.curve = 0.0;
    return e;
}

/* Maxima between the normals of two edges, seen from their common vertex: all that the spread directions bracket, or the
 * best of these directions. */
static void search_vertex(const ellipse_pair *p, crn_vec2 lo, crn_vec2 hi, direction *best)
{
    /* Begin with the first direction after lo. */
    int first = 0;
    for (int i = 0; i < SEARCH; ++i) {
        crn_vec2 n = search_direction(p->size_a, i), before = search_direction(p->size_a, i + SEARCH - 1);
        first = crn_v2_cross(lo, n) > 0.0 && crn_v2_cross(lo, before) <= 0.0 ? i : first;
    }
    direction d = look(p, lo);
    for (int i = 0; i <= SEARCH; ++i) {
        crn_vec2 n = search_direction(p->size_a, (first + i) % SEARCH);
        bool is_last = i == SEARCH || !is_inside(n, lo, hi);
        direction e = look(p, is_last ? hi : n);
        search_between(p, &d, &e, best);
        if (is_last) {
            break;
        }
        keep_better(best, e);
        d = e;
    }
}

typedef struct outline_best {
    direction at;
    uint32_t key;
} outline_best;

/* The largest s over the edges and vertices of b; with is_deep, search between edges too. Ends early beyond reach. */
static outline_best best_around(ellipse_pair *p, const crn_outline *b, double reach, bool is_deep)
{
    outline_best best = {.at = {.s = -INFINITY}};
    edge_look last = look_at_edge(p, b, b->count - 1);
    for (int k = 0; k < b->count && best.at.s <= reach; ++k) {
        edge_look e = look_at_edge(p, b, k);
        direction d = {.s = -INFINITY};
        uint32_t key = crn_key_edge(k);
        double level = LEVEL * (p->size_a.x + p->size_a.y + e.before - e.after);
        if (is_deep || e.at.s > reach || (e.before >= -level && e.after <= level)) {
            d = e.at; /* a maximum, or a proof that there is no touch, or at least a direction */
        }
        p->vertex = outline_vertex(p, b, k);
        direction v = {.s = -INFINITY};
        if (last.after > 0.0 && e.before < 0.0) {
            v = peak_between(p, last.n, e.n);
        }
        if (is_deep) {
            search_vertex(p, last.n, e.n, &v);
        }
        if (v.s > d.s) {
            d = v;
            key = crn_key_vertex(k);
        }
        if (d.s > best.at.s) {
            best = (outline_best){d, key};
        }
        last = e;
    }
    return best;
}

void crn_ellipse_outline(const crn_planar_pair *pair)
{
    double ends[4];
    crn_outline b = crn_outline_of(pair->b, &pair->pose_b, ends);
    ellipse_pair p = {.size_a = crn_v2(pair->a->def.size.x, pair->a->def.size.y),
                      .b = crn_pose2_relative(&pair->pose_a, &pair->pose_b),
                      .radius = b.radius};
    outline_best best = {.key = 0};
    if (b.count == 1) {
        p.vertex = p.b.origin;
        best.at = best_around_point(&p, pair->reach);
    } else {
        best = best_around(&p, &b, pair->reach, false);
        if (best.at.s < -(sharpest(p.size_a) + b.radius)) {
            best = best_around(&p, &b, pair->reach, true);
        }
    }
    add_direction(pair, &best.at, best.key);
}
