/* Sphere and capsule on a mesh: a core, point or segment, grown by a radius.
 *
 * A point is a vertex that looks in all directions, a segment an edge whose cone is all directions across it; so the
 * feature pairs of mesh_pair_features.c are
 *     end with face, edge, vertex;   segment with edge, vertex;        gap = (that of the core) - radius.
 * While the core is outside, all of them hold together: a ball in a groove has one on each wall. A core that has come
 * inside goes out to the nearest point of the surface. */
#include "collide/mesh/mesh_shapes.h"
#include "math/elementary.h"

/* Normals of the segment and an edge count up to so far outside of the edge's cone [rad]; then the face's is taken. A
 * capsule that lies on a face meets the edges of it exactly at the border of their cones. */
#define EDGE_SLACK 0.1

/* Sine of 1.1 degrees: nearly parallel ones meet in their ends. */
#define PARALLEL 0.0192

/* Rounding: of places, relative to the mesh; of directions; distances that have no direction, relative to the mesh. */
#define SLACK      1e-9
#define CONE_SLACK 1e-9
#define TOUCH      1e-10

/* Touches of one end whose normals are so near to each other are one: of a plane that is cut into triangles, or at
 * the border of a cone. Of so many this is known. */
#define SAME_NORMAL 1e-7
#define MOST_SEEN   64

/* Crossings of the segment with the surface that are remembered: of more, any few will do. */
#define MOST_CROSSINGS 16

enum { KEY_FACE, KEY_EDGE, KEY_VERTEX, KEY_CROSSING, KEY_UNDER, KEY_INSIDE };

typedef struct core {
    const crn_mesh *mesh;
    const crn_frame *frame; /* of the mesh */
    crn_vec3 end[2];        /* in that frame */
    crn_vec3 along;         /* end[1] - end[0] */
    double length, radius, limit;
    int ends;
    bool is_inside[2];
    double crossing[MOST_CROSSINGS]; /* where the segment crosses the surface: 0 .. 1, in order */
    int crossings;
    bool has_overlap; /* of the core */
    int seen;
    crn_vec3 seen_normal[MOST_SEEN];
    int seen_end[MOST_SEEN];
    crn_touches *out;
} core;

/* p: point of the core at distance height along n (mesh frame) from the surface. */
static void meet(core *t, crn_vec3 p, crn_vec3 n, double height, int kind, int end, int feature)
{
    double gap = height - t->radius;
    crn_vec3 middle = crn_frame_point(t->frame, crn_v3_axpy(p, -(t->radius + 0.5 * gap), n));
    uint32_t key = (uint32_t)kind << 29 | (uint32_t)end << 28 | (uint32_t)feature;
    t->has_overlap = t->has_overlap || height < 0.0;
    crn_touches_add(t->out, middle, crn_m3_times(&t->frame->rotation, n), gap, key);
}

/* Is this the first touch of that end along n? */
static bool is_new(core *t, int end, crn_vec3 n)
{
    for (int k = 0; k < t->seen; ++k) {
        crn_vec3 d = crn_v3_sub(n, t->seen_normal[k]);
        if (t->seen_end[k] == end && crn_v3_dot(d, d) <= SAME_NORMAL * SAME_NORMAL) {
            return false;
        }
    }
    if (t->seen < MOST_SEEN) {
        t->seen_normal[t->seen] = n;
        t->seen_end[t->seen++] = end;
    }
    return true;
}

/* Does an end look along -n: does the segment not fall by a larger slope? */
static bool looks(const core *t, int end, crn_vec3 n, double slope)
{
    double rise = crn_v3_dot(t->along, n);
    return t->ends == 1 || (end == 0 ? rise : -rise) >= -slope * t->length;
}

/* --- Faces --- */

static bool foot_is_in(const core *t, int face, crn_vec3 p)
{
    const crn_mesh *m = t->mesh;
    for (int k = 0; k < 3; ++k) {
        crn_vec3 from = m->vertex[m->face[3 * (ptrdiff_t)face + k]];
        crn_vec3 d = crn_v3_sub(m->vertex[m->face[3 * (ptrdiff_t)face + (k + 1) % 3]], from);
        double out = crn_v3_dot(crn_v3_sub(p, from), crn_v3_cross(d, m->normal[face])), square = crn_v3_dot(d, d);
        if (out > 0.0 && out * out > SLACK * SLACK * m->size * m->size * square) {
            return false;
        }
    }
    return true;
}

static void add_crossing(core *t, double x)
{
    if (t->crossings == MOST_CROSSINGS) {
        return;
    }
    int at = t->crossings++;
    for (; at > 0 && t->crossing[at - 1] > x; --at) {
        t->crossing[at] = t->crossing[at - 1];
    }
    t->crossing[at] = x;
}

static void meet_face(core *t, int face)
{
    const crn_mesh *m = t->mesh;
    crn_vec3 n = m->normal[face], at = m->vertex[m->face[3 * (ptrdiff_t)face]];
    double height[2] = {0.0, 0.0}, least = m->is_closed ? -TOUCH * m->size : -t->limit;
    for (int k = 0; k < t->ends; ++k) {
        height[k] = crn_v3_dot(n, crn_v3_sub(t->end[k], at));
        if (!t->is_inside[k] && height[k] <= t->limit && height[k] >= least && foot_is_in(t, face, t->end[k]) &&
            looks(t, k, n, CRN_PAIR_TILT) && is_new(t, k, n)) {
            meet(t, t->end[k], n, height[k], KEY_FACE, k, face);
        }
    }
    if (t->ends == 2 && (height[0] < 0.0) != (height[1] < 0.0)) {
        double x = height[0] / (height[0] - height[1]);
        if (foot_is_in(t, face, crn_v3_axpy(t->end[0], x, t->along))) {
            add_crossing(t, x);
        }
    }
}

/* --- Edges --- */

static void meet_end_edge(core *t, int end, int index)
{
    const crn_mesh_edge *e = &t->mesh->edge[index];
    crn_vec3 from = t->mesh->vertex[e->vertex[0]], d = crn_v3_sub(t->mesh->vertex[e->vertex[1]], from);
    crn_vec3 r = crn_v3_sub(t->end[end], from);
    double square = crn_v3_dot(d, d), x = crn_v3_dot(r, d);
    if (t->is_inside[end] || !(x > 0.0 && x < square)) {
        return;
    }
    crn_vec3 apart = crn_v3_axpy(r, -x / square, d);
    double distance = crn_v3_length(apart);
    if (distance > t->limit) {
        return;
    }
    bool is_touch = distance <= TOUCH * t->mesh->size;
    crn_vec3 n = is_touch ? e->middle : crn_v3_scale(1.0 / distance, apart);
    if ((is_touch || crn_v3_dot(n, e->middle) >= crn_cos(e->half) - CONE_SLACK) && looks(t, end, n, CONE_SLACK) &&
        is_new(t, end, n)) {
        meet(t, t->end[end], n, distance, KEY_EDGE, end, index);
    }
}

/* The normal of the segment and an edge, n, or that of a face if it is a little outside of the cone. */
static bool clamp_to_cone(const crn_mesh *m, const crn_mesh_edge *e, crn_vec3 *n)
{
    double cosine = crn_v3_dot(*n, e->middle);
    if (cosine >= crn_cos(e->half)) {
        return true;
    }
    if (cosine < crn_cos(e->half + EDGE_SLACK)) {
        return false;
    }
    crn_vec3 x = m->normal[e->face[0]], y = m->normal[e->face[1]];
    *n = crn_v3_dot(*n, x) >= crn_v3_dot(*n, y) ? x : y;
    return true;
}

static void meet_segment_edge(core *t, int index)
{
    const crn_mesh_edge *e = &t->mesh->edge[index];
    crn_vec3 from = t->mesh->vertex[e->vertex[0]], d = crn_v3_sub(t->mesh->vertex[e->vertex[1]], from);
    crn_vec3 n = crn_v3_cross(t->along, d), r = crn_v3_sub(t->end[0], from);
    double aa = t->length * t->length, bb = crn_v3_dot(d, d), square = crn_v3_dot(n, n);
    if (square <= PARALLEL * PARALLEL * aa * bb) {
        return;
    }
    n = crn_v3_scale((crn_v3_dot(n, e->middle) < 0.0 ? -1.0 : 1.0) / sqrt(square), n);
    double height = crn_v3_dot(n, r);
    if (fabs(height) > t->limit || !clamp_to_cone(t->mesh, e, &n)) {
        return;
    }
    double ab = crn_v3_dot(t->along, d), ar = crn_v3_dot(t->along, r), br = crn_v3_dot(d, r);
    double x = (ab * br - bb * ar) / square, y = (aa * br - ab * ar) / square;
    double slack_y = SLACK * t->mesh->size / sqrt(bb);
    if (!(x > 0.0 && x < 1.0) || !(y >= -slack_y && y <= 1.0 + slack_y)) {
        return;
    }
    crn_vec3 p = crn_v3_axpy(t->end[0], x, t->along), q = crn_v3_axpy(from, y, d);
    height = crn_v3_dot(n, crn_v3_sub(p, q));
    if (height >= 0.0 || (t->mesh->is_closed && crn_mesh_distance(t->mesh, p, NULL) < 0.0)) {
        meet(t, p, n, height, KEY_CROSSING, 0, index);
    }
}

/* --- Vertices --- */

static void meet_vertex(core *t, int v)
{
    const crn_mesh *m = t->mesh;
    crn_vec3 w = m->vertex[v];
    double x = t->ends == 1 ? 0.0 : crn_v3_dot(crn_v3_sub(w, t->end[0]), t->along) / (t->length * t->length);
    int end = x >= 1.0;
    bool is_end = t->ends == 1 || !(x > 0.0 && x < 1.0);
    crn_vec3 p = is_end ? t->end[end] : crn_v3_axpy(t->end[0], x, t->along), d = crn_v3_sub(p, w);
    double distance = crn_v3_length(d);
    if (distance > t->limit || (is_end && t->is_inside[end])) {
        return;
    }
    bool is_touch = distance <= TOUCH * m->size;
    crn_vec3 n = is_touch ? m->pseudo[v] : crn_v3_scale(1.0 / distance, d);
    if (crn_pair_in_vertex_cone(m, v, n, CONE_SLACK) &&
        (!is_end || (looks(t, end, n, CONE_SLACK) && is_new(t, end, n)))) {
        meet(t, p, n, distance, is_end ? KEY_VERTEX : KEY_UNDER, is_end ? end : 0, v);
    }
}

/* --- Inside --- */

static void meet_inside(core *t, crn_vec3 p, int end)
{
    crn_vec3 q;
    double depth = -crn_mesh_distance(t->mesh, p, &q);
    if (depth > TOUCH * t->mesh->size) {
        meet(t, p, crn_v3_scale(1.0 / depth, crn_v3_sub(q, p)), -depth, KEY_INSIDE, end & 1, end >> 1);
    }
}

/* A segment across the mesh with both ends outside: out from the deepest of the middles between its crossings. */
static void meet_across(core *t)
{
    double deepest = 0.0;
    crn_vec3 from = t->end[0];
    for (int k = 1; k < t->crossings; ++k) {
        crn_vec3 p = crn_v3_axpy(t->end[0], 0.5 * (t->crossing[k - 1] + t->crossing[k]), t->along);
        double depth = -crn_mesh_distance(t->mesh, p, NULL);
        if (depth > deepest) {
            deepest = depth;
            from = p;
        }
    }
    if (deepest > 0.0) {
        meet_inside(t, from, 2);
    }
}

static bool is_in_bounds(const crn_mesh *m, crn_vec3 p)
{
    double x[3];
    crn_v3_to(p, x);
    for (int k = 0; k < 3; ++k) {
        if (x[k] < m->node[0].low[k] || x[k] > m->node[0].high[k]) {
            return false;
        }
    }
    return true;
}

/* --- All --- */

static void set_core(core *t, const crn_query *q)
{
    crn_vec3 size = q->a->def.size, centre = crn_frame_local(q->frame_b, q->frame_a->position);
    bool is_capsule = q->a->def.kind == CRN_SHAPE_CAPSULE && size.y > 0.0;
    crn_vec3 axis = crn_m3_transposed_times(&q->frame_b->rotation, crn_m3_column(&q->frame_a->rotation, 2));
    t->ends = is_capsule ? 2 : 1;
    t->length = is_capsule ? 2.0 * size.y : 0.0;
    t->along = crn_v3_scale(t->length, axis);
    t->end[0] = is_capsule ? crn_v3_axpy(centre, -size.y, axis) : centre;
    t->end[1] = is_capsule ? crn_v3_axpy(centre, size.y, axis) : centre;
    t->radius = size.x;
    t->limit = t->radius + q->reach;
    for (int k = 0; k < t->ends; ++k) {
        t->is_inside[k] = t->mesh->is_closed && is_in_bounds(t->mesh, t->end[k]) &&
                          crn_mesh_distance(t->mesh, t->end[k], NULL) < -TOUCH * t->mesh->size;
    }
}

static void set_bounds(const core *t, double low[3], double high[3])
{
    double p[2][3];
    crn_v3_to(t->end[0], p[0]);
    crn_v3_to(t->end[1], p[1]);
    for (int k = 0; k < 3; ++k) {
        low[k] = crn_pair_smaller(p[0][k], p[1][k]) - t->limit;
        high[k] = crn_pair_larger(p[0][k], p[1][k]) + t->limit;
    }
}

static void meet_triangle(core *t, int face)
{
    const crn_mesh *m = t->mesh;
    meet_face(t, face);
    for (int k = 0; k < 3; ++k) {
        int edge = m->face_edge[3 * (ptrdiff_t)face + k], v = m->face[3 * (ptrdiff_t)face + k];
        if (m->edge_owner[edge] == face && m->edge[edge].kind > 0) {
            for (int end = 0; end < t->ends; ++end) {
                meet_end_edge(t, end, edge);
            }
            if (t->ends == 2) {
                meet_segment_edge(t, edge);
            }
        }
        if (m->vertex_owner[v] == face) {
            meet_vertex(t, v);
        }
    }
}

bool crn_core_mesh(const crn_query *query, crn_collide_scratch *scratch, crn_touches *out)
{
    core t = {.mesh = query->b->mesh, .frame = query->frame_b, .out = out};
    double low[3], high[3];
    set_core(&t, query);
    set_bounds(&t, low, high);
    int count = crn_mesh_near(t.mesh, low, high, scratch);
    const int *near = (const int *)scratch->list[CRN_LIST_SPARE].item;
    for (int k = 0; k < count; ++k) {
        meet_triangle(&t, near[k]);
    }
    for (int k = 0; k < t.ends; ++k) {
        if (t.is_inside[k]) {
            meet_inside(&t, t.end[k], k);
        }
    }
    if (t.mesh->is_closed && !t.has_overlap) {
        meet_across(&t);
    }
    return count >= 0;
}
