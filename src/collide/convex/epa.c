/* Depth of two overlapping convex cores: the point of the surface of  a - b  nearest to the origin, by a polytope inside of
 * it that grows where it is nearest [B01].
 *
 * Invariant at the top of the loop: the faces in use are the surface of a convex polytope inside of a - b, each with its
 * outward unit normal m and the height d = m'w of its plane; the least d is a lower bound of the depth, and -s(-m) for any m
 * an upper one. The search ends when they meet, or when the room is used up; the best direction seen is the answer.
 *
 * Normals look away from a point inside the polytope, not from the origin: so it does no harm if the origin lies on its
 * surface, or outside by rounding. */
#include "collide/convex/gap.h"

/* Room for the polytope. A deep overlap of two curved cores takes most of it. */
#define MOST_VERTICES 192
#define MOST_FACES    (2 * MOST_VERTICES)
#define MOST_SIDES    (3 * MOST_VERTICES)

/* The bounds have met, relative to the size of the cores. */
#define CLOSE        1e-12
#define CLOSE_CURVED 1e-7

/* A point this little above a face, relative to the size, does not see it; a simplex this thin has no inside. */
#define SEEN 1e-13
#define THIN 1e-9

typedef struct face {
    int corner[3], beside[3]; /* the neighbour across the side from corner k to k + 1 */
    crn_vec3 normal;
    double height;
    bool is_used, is_seen;
} face;

typedef struct polytope {
    const crn_solid *a, *b;
    double size;
    crn_difference vertex[MOST_VERTICES];
    int vertices, faces, spare; /* spare: number of faces given back, in place */
    face face[MOST_FACES];
    int place[MOST_FACES];
    int last_a, last_b; /* vertices found last */
} polytope;

/* --- First simplex --- */

/* From where the last one was found: most are near it. */
static void reach_along(polytope *p, crn_vec3 direction, crn_difference *point)
{
    point->vertex_a = p->last_a;
    point->vertex_b = p->last_b;
    crn_difference_along(p->a, p->b, crn_v3_scale(-1.0, direction), point);
    p->last_a = point->vertex_a;
    p->last_b = point->vertex_b;
}

/* How much the simplex of `count` vertices gains by w: distance from the point, line or plane of the first ones. */
static double gain(const polytope *p, crn_vec3 w)
{
    crn_vec3 o = p->vertex[0].w, d = crn_v3_sub(w, o);
    if (p->vertices == 1) {
        return crn_v3_length(d);
    }
    crn_vec3 e = crn_v3_sub(p->vertex[1].w, o);
    if (p->vertices == 2) {
        return crn_v3_length(crn_v3_cross(crn_v3_unit(e), d));
    }
    crn_vec3 n = crn_v3_cross(e, crn_v3_sub(p->vertex[2].w, o));
    return fabs(crn_v3_dot(crn_v3_unit(n), d));
}

/* A direction in which the simplex may grow: of a triangle its normal both ways, else axes and diagonals. */
static crn_vec3 direction_of(const polytope *p, int number)
{
    if (p->vertices == 3) {
        crn_vec3 o = p->vertex[0].w;
        crn_vec3 n = crn_v3_cross(crn_v3_sub(p->vertex[1].w, o), crn_v3_sub(p->vertex[2].w, o));
        crn_vec3 m = crn_v3_unit(n);
        double towards_origin = crn_v3_dot(m, o) > 0.0 ? -1.0 : 1.0;
        return crn_v3_scale(number == 0 ? towards_origin : -towards_origin, m);
    }
    double sign = number & 1 ? -1.0 : 1.0;
    crn_vec3 axis = crn_v3(number / 2 == 0 ? sign : 0.0, number / 2 == 1 ? sign : 0.0, number / 2 == 2 ? sign : 0.0);
    if (p->vertices == 2) {
        crn_vec3 e = crn_v3_unit(crn_v3_sub(p->vertex[1].w, p->vertex[0].w));
        axis = crn_v3_axpy(axis, -crn_v3_dot(axis, e), e);
    }
    return axis;
}

/* Keep what spans of the start, then add the best of a few support points until there are four. */
static bool start_simplex(polytope *p, const crn_simplex *start)
{
    p->vertices = 0;
    for (int k = 0; k < start->count; ++k) {
        if (k == 0 || gain(p, start->point[k].w) > THIN * p->size) {
            p->vertex[p->vertices++] = start->point[k];
        }
    }
    while (p->vertices < 4) {
        crn_difference best = p->vertex[0];
        double most = 0.0;
        for (int k = 0; k < (p->vertices == 3 ? 2 : 6); ++k) {
            crn_vec3 direction = direction_of(p, k);
            if (!(crn_v3_dot(direction, direction) > 0.0)) {
                continue;
            }
            crn_difference point;
            reach_along(p, direction, &point);
            double own = gain(p, point.w);
            if (own > most) {
                most = own;
                best = point;
            }
            if (p->vertices == 3 && own > THIN * p->size) {
                break; /* the side of the origin comes first */
            }
        }
        if (!(most > THIN * p->size)) {
            return false;
        }
        p->vertex[p->vertices++] = best;
    }
    return true;
}

/* --- Faces --- */

static void set_plane(polytope *p, face *f)
{
    crn_vec3 o = p->vertex[f->corner[0]].w;
    crn_vec3 n = crn_v3_cross(crn_v3_sub(p->vertex[f->corner[1]].w, o), crn_v3_sub(p->vertex[f->corner[2]].w, o));
    double length = crn_v3_length(n);
    if (length > SEEN * SEEN * p->size * p->size) {
        f->normal = crn_v3_scale(1.0 / length, n);
        f->height = crn_v3_dot(f->normal, o);
    } else { /* a line: kept for its neighbours, never chosen, never seen */
        f->normal = crn_v3(0, 0, 0);
        f->height = (double)INFINITY;
    }
}

static int new_face(polytope *p, int i, int j, int k)
{
    int number = p->spare > 0 ? p->place[--p->spare] : p->faces++;
    face *f = &p->face[number];
    *f = (face){.corner = {i, j, k}, .is_used = true};
    set_plane(p, f);
    return number;
}

static void start_faces(polytope *p)
{
    static const int corner[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    static const int beside[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
    crn_vec3 o = p->vertex[0].w;
    crn_vec3 n = crn_v3_cross(crn_v3_sub(p->vertex[1].w, o), crn_v3_sub(p->vertex[2].w, o));
    if (crn_v3_dot(n, crn_v3_sub(p->vertex[3].w, o)) > 0.0) {
        crn_difference swap = p->vertex[1];
        p->vertex[1] = p->vertex[2];
        p->vertex[2] = swap;
    }
    p->faces = p->spare = 0;
    for (int f = 0; f < 4; ++f) {
        (void)new_face(p, corner[f][0], corner[f][1], corner[f][2]);
        for (int k = 0; k < 3; ++k) {
            p->face[f].beside[k] = beside[f][k];
        }
    }
}

static int lowest_face(const polytope *p)
{
    int best = -1;
    double least = (double)INFINITY;
    for (int f = 0; f < p->faces; ++f) {
        if (p->face[f].is_used && p->face[f].height < least) {
            least = p->face[f].height;
            best = f;
        }
    }
    return best;
}

/* --- Growth --- */

typedef struct rim_side {
    int from, to, outer, side, made;
} rim_side;

static int side_towards(const face *f, int other)
{
    return f->beside[0] == other ? 0 : f->beside[1] == other ? 1 : 2;
}

static bool sees(const polytope *p, int f, crn_vec3 w)
{
    return crn_v3_dot(p->face[f].normal, w) > p->face[f].height + SEEN * p->size;
}

/* Faces that w sees, from the face `from` on, in place[]; their rim. -1 if the rim is no ring. */
static int find_rim(polytope *p, int from, crn_vec3 w, int *stack, int *seen, rim_side *rim)
{
    int sides = 0;
    *seen = 1;
    stack[0] = from;
    p->face[from].is_seen = true;
    for (int done = 0; done < *seen; ++done) {
        int own = stack[done];
        for (int k = 0; k < 3; ++k) {
            const face *f = &p->face[own];
            int other = f->beside[k];
            if (p->face[other].is_seen) {
                continue;
            }
            if (sees(p, other, w)) {
                p->face[other].is_seen = true;
                stack[(*seen)++] = other;
            } else {
                rim[sides++] =
                    (rim_side){f->corner[k], f->corner[(k + 1) % 3], other, side_towards(&p->face[other], own), -1};
            }
        }
    }
    bool starts[MOST_VERTICES] = {false};
    for (int s = 0; s < sides; ++s) {
        if (starts[rim[s].from]) {
            return -1;
        }
        starts[rim[s].from] = true;
    }
    return sides;
}

/* Join a new vertex, seen by the face `from`. False if rounding stands in the way: the polytope is then done for. */
static bool add_vertex(polytope *p, int from, const crn_difference *point)
{
    int stack[MOST_FACES], starts[MOST_VERTICES], seen;
    rim_side rim[MOST_SIDES];
    int sides = find_rim(p, from, point->w, stack, &seen, rim), number = p->vertices++;
    if (sides < 3) {
        return false;
    }
    p->vertex[number] = *point;
    for (int k = 0; k < seen; ++k) {
        p->face[stack[k]].is_used = false;
        p->place[p->spare++] = stack[k];
    }
    for (int s = 0; s < sides; ++s) {
        rim[s].made = new_face(p, rim[s].from, rim[s].to, number);
        p->face[rim[s].made].beside[0] = rim[s].outer;
        p->face[rim[s].outer].beside[rim[s].side] = rim[s].made;
        starts[rim[s].from] = rim[s].made;
    }
    for (int s = 0; s < sides; ++s) {
        int after = starts[rim[s].to];
        p->face[rim[s].made].beside[1] = after;
        p->face[after].beside[2] = rim[s].made;
    }
    return true;
}

/* Where the origin projects onto a face: the points of the cores there. */
static void set_points(const polytope *p, const face *f, crn_gap *gap)
{
    const crn_difference *q[3];
    double weight[3], sum = 0.0;
    crn_vec3 foot = crn_v3_scale(f->height, f->normal);
    for (int k = 0; k < 3; ++k) {
        q[k] = &p->vertex[f->corner[k]];
    }
    for (int k = 0; k < 3; ++k) {
        crn_vec3 d = crn_v3_sub(q[(k + 1) % 3]->w, foot), e = crn_v3_sub(q[(k + 2) % 3]->w, foot);
        double own = crn_v3_dot(f->normal, crn_v3_cross(d, e));
        weight[k] = own > 0.0 ? own : 0.0;
        sum += weight[k];
    }
    gap->on_a = gap->on_b = crn_v3(0, 0, 0);
    for (int k = 0; k < 3; ++k) {
        double own = sum > 0.0 ? weight[k] / sum : 1.0 / 3.0;
        gap->on_a = crn_v3_axpy(gap->on_a, own, q[k]->a);
        gap->on_b = crn_v3_axpy(gap->on_b, own, q[k]->b);
    }
}

void crn_epa(const crn_solid *a, const crn_solid *b, const crn_simplex *start, crn_gap *gap)
{
    polytope p;
    p.a = a;
    p.b = b;
    p.size = crn_gap_size(a, b);
    p.last_a = gap->vertex_a = start->point[0].vertex_a;
    p.last_b = gap->vertex_b = start->point[0].vertex_b;
    double close = (crn_gap_is_polyhedral(a, b) ? CLOSE : CLOSE_CURVED) * p.size;
    gap->gap = -(double)INFINITY;
    gap->normal = crn_v3(0, 0, 1);
    gap->on_a = start->point[0].a;
    gap->on_b = start->point[0].b;
    if (!start_simplex(&p, start)) {
        return;
    }
    start_faces(&p);
    for (;;) {
        int lowest = lowest_face(&p);
        if (lowest < 0) {
            return;
        }
        const face *f = &p.face[lowest];
        crn_difference point = p.vertex[f->corner[0]];
        crn_difference_along(a, b, crn_v3_scale(-1.0, f->normal), &point);
        double depth = crn_v3_dot(f->normal, point.w);
        if (-depth > gap->gap) { /* keep the best direction seen */
            gap->gap = -depth;
            gap->normal = crn_v3_scale(-1.0, f->normal);
            gap->vertex_a = point.vertex_a;
            gap->vertex_b = point.vertex_b;
            set_points(&p, f, gap);
        }
        if (-gap->gap <= f->height + close || p.vertices == MOST_VERTICES || depth <= f->height + SEEN * p.size ||
            !add_vertex(&p, lowest, &point)) {
            return;
        }
    }
}
