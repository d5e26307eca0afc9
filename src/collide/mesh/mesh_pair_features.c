/* Which features of two triangles face each other: the local separating pairs, with one formula for gaps of either sign.
 *
 *   VF, FV      gap = n'(v - p), n the face's normal: the foot lies in the face, and v looks at it (nearly extremal along n)
 *   EE          both convex; n across both, inside of the cone of b's edge, -n inside of that of a's; the nearest points
 *               lie on both. Outside of a cone by less than EE_SLACK the nearest normal of it, a face's, is taken: so two
 *               nearly parallel faces meet in all corners of their overlap. A gap is then too small, by 0.5 % of itself
 *               (1 - cos EE_SLACK) at most: nothing where they touch
 *   VE, EV, VV  gap = |p - q| > 0 only: p - q inside of the cones of both. (Nearly will not do: a vertex in the middle of
 *               a flat floor would catch an edge that passes over it.)
 *
 * Flat and concave edges have no cone, so nothing catches on the lines between triangles. For negative gaps a face ends
 * later at a concave edge, and an edge at an end behind which there is solid (CRN_PAIR_REFLEX): under such an edge there
 * is no foot on either side. Each vertex and edge is tested with the triangle that owns it only, so each pair is found
 * once. */
#include "collide/mesh/mesh_pair.h"
#include "math/elementary.h"

/* How far outside of the cones a normal of two edges may lie [rad]. */
#define EE_SLACK 0.1

/* Edges that run along each other have no common normal: sine of 1.1 degrees. */
#define EE_PARALLEL 0.0192

/* Slack of directions p - q in a cone: rounding. */
#define CONE_SLACK 1e-9

/* A vertex from which no edge falls by a larger slope is one of a flat patch, or in a pit: its faces speak for it,
 * and a slanted face that passes over it must not catch on it. */
#define FLAT_VERTEX 1e-6

/* Points nearer than this, relative to the size, have no direction: the axis of the cone is taken. */
#define TOUCH 1e-10

/* --- What was found --- */

bool crn_pair_add(crn_mesh_pair *t, int type, int ia, int ib, double gap, crn_vec3 n, crn_vec3 on_a, crn_vec3 on_b)
{
    if (!crn_scratch_reserve(t->scratch, CRN_LIST_FOUND, t->found_count + 1, sizeof *t->found)) {
        return false;
    }
    t->found = (crn_feature_pair *)t->scratch->list[CRN_LIST_FOUND].item;
    t->found[t->found_count++] = (crn_feature_pair){type, ia, ib, gap, n, on_a, on_b};
    return true;
}

static bool add_crossing(crn_mesh_pair *t, const crn_crossing *crossing)
{
    if (!crn_scratch_reserve(t->scratch, CRN_LIST_CROSSING, t->crossings + 1, sizeof *t->crossing)) {
        return false;
    }
    t->crossing = (crn_crossing *)t->scratch->list[CRN_LIST_CROSSING].item;
    t->crossing[t->crossings++] = *crossing;
    return true;
}

/* --- Triangles with what they own --- */

/* Convex sides and corners that belong to the triangle. */
static void find_owned(const crn_mesh *mesh, const crn_mat3 *rotation, crn_facet *f)
{
    f->sides = 0;
    for (int k = 0; k < 3; ++k) {
        ptrdiff_t at = 3 * (ptrdiff_t)f->index + k;
        int index = mesh->face_edge[at], next = k == 2 ? 0 : k + 1;
        const crn_mesh_edge *edge = &mesh->edge[index];
        f->owns_corner[k] = mesh->vertex_owner[mesh->face[at]] == f->index;
        if (edge->kind > 0 && mesh->edge_owner[index] == f->index) {
            bool is_forward = mesh->face[at] == edge->vertex[0];
            crn_vec3 from = f->p[is_forward ? k : next], to = f->p[is_forward ? next : k];
            crn_vec3 middle = rotation ? crn_m3_times(rotation, edge->middle) : edge->middle;
            f->side[f->sides++] = (crn_pair_side){edge, index, from, crn_v3_sub(to, from), middle};
        }
    }
}

void crn_facet_of_a(const crn_mesh_pair *t, int triangle, crn_facet *f)
{
    const int *v = t->a->face + 3 * (ptrdiff_t)triangle;
    f->index = triangle;
    for (int k = 0; k < 3; ++k) {
        f->p[k] = t->a->vertex[v[k]];
    }
    f->n = t->a->normal[triangle];
    f->n_in_b = crn_m3_transposed_times(&t->frame.rotation, f->n);
    find_owned(t->a, NULL, f);
}

void crn_facet_of_b(const crn_mesh_pair *t, int triangle, crn_facet *f)
{
    const int *v = t->b->face + 3 * (ptrdiff_t)triangle;
    f->index = triangle;
    for (int k = 0; k < 3; ++k) {
        f->p[k] = crn_pair_b_vertex(t, v[k]);
    }
    f->n_in_b = t->b->normal[triangle];
    f->n = crn_m3_times(&t->frame.rotation, f->n_in_b);
    find_owned(t->b, &t->frame.rotation, f);
}

/* --- Cones --- */

/* Has the vertex's normal a part along -n? */
static bool faces(const crn_mesh *mesh, int v, crn_vec3 n)
{
    return crn_v3_dot(n, mesh->pseudo[v]) < -CRN_PAIR_FACING;
}

bool crn_pair_is_extremal(const crn_mesh *mesh, int v, crn_vec3 n)
{
    crn_vec3 p = mesh->vertex[v], out = mesh->pseudo[v];
    if (!faces(mesh, v, n)) {
        return false;
    }
    bool is_flat = true;
    for (int k = mesh->around_start[v]; k < mesh->around_start[v + 1]; ++k) {
        crn_vec3 d = crn_v3_sub(mesh->vertex[mesh->around[k]], p);
        double rise = crn_v3_dot(d, n), fall = -crn_v3_dot(d, out), square = crn_v3_dot(d, d);
        if (rise < 0.0 && rise * rise > CRN_PAIR_TILT * CRN_PAIR_TILT * square) {
            return false;
        }
        is_flat = is_flat && !(fall > 0.0 && fall * fall > FLAT_VERTEX * FLAT_VERTEX * square);
    }
    return !is_flat;
}

bool crn_pair_in_vertex_cone(const crn_mesh *mesh, int v, crn_vec3 n, double slack)
{
    if (!(crn_v3_dot(n, mesh->pseudo[v]) > 0.0)) {
        return false;
    }
    crn_vec3 p = mesh->vertex[v];
    bool falls = false;
    for (int k = mesh->around_start[v]; k < mesh->around_start[v + 1]; ++k) {
        crn_vec3 d = crn_v3_sub(mesh->vertex[mesh->around[k]], p);
        double rise = crn_v3_dot(d, n), square = crn_v3_dot(d, d);
        if (rise > 0.0 && rise * rise > slack * slack * square) {
            return false;
        }
        falls = falls || (rise < 0.0 && rise * rise > FLAT_VERTEX * FLAT_VERTEX * square);
    }
    return falls;
}

static bool in_edge_cone(const crn_mesh_edge *edge, crn_vec3 n)
{
    return crn_v3_dot(n, edge->middle) >= crn_cos(edge->half) - CONE_SLACK;
}

/* How far a normal of an edge, n, lies outside of its cone [rad]; 0 inside. */
static double outside_cone(const crn_mesh_edge *edge, double cosine)
{
    if (cosine >= crn_cos(edge->half)) {
        return 0.0;
    }
    return crn_acos(crn_pair_larger(cosine, -1.0)) - edge->half;
}

/* The face of an edge whose normal is nearer to n. */
static crn_vec3 nearer_normal(const crn_mesh *mesh, const crn_mesh_edge *edge, crn_vec3 n)
{
    crn_vec3 x = mesh->normal[edge->face[0]], y = mesh->normal[edge->face[1]];
    return crn_v3_dot(n, x) >= crn_v3_dot(n, y) ? x : y;
}

/* --- A vertex and a face --- */

/* What a reflex side lends a pair of this gap. */
static double lent(const crn_mesh_pair *t, double gap)
{
    double square = t->depth * t->depth - gap * gap;
    return gap >= 0.0 || square <= 0.0 ? 0.0 : crn_pair_smaller(-CRN_PAIR_REFLEX * gap, sqrt(square));
}

static bool foot_is_in(const crn_mesh_pair *t, const crn_mesh *mesh, const crn_facet *f, crn_vec3 v, double gap)
{
    for (int k = 0; k < 3; ++k) {
        crn_vec3 d = crn_v3_sub(f->p[k == 2 ? 0 : k + 1], f->p[k]);
        double out = crn_v3_dot(crn_v3_sub(v, f->p[k]), crn_v3_cross(d, f->n)), square = crn_v3_dot(d, d);
        if (out <= 0.0 || out * out <= t->slack * t->slack * square) {
            continue;
        }
        if (gap >= 0.0 || mesh->edge[mesh->face_edge[3 * (ptrdiff_t)f->index + k]].kind >= 0) {
            return false;
        }
        double beyond = lent(t, gap);
        if (out * out > beyond * beyond * square) {
            return false;
        }
    }
    return true;
}

static bool meet_vertex_face(crn_mesh_pair *t, int v, crn_vec3 p, double gap, const crn_facet *f)
{
    if (gap > t->reach || gap < -t->depth || !faces(t->a, v, f->n) || !foot_is_in(t, t->b, f, p, gap) ||
        !crn_pair_is_extremal(t->a, v, f->n)) {
        return true;
    }
    return crn_pair_add(t, CRN_FEATURE_VF, v, f->index, gap, f->n, p, crn_v3_axpy(p, -gap, f->n));
}

static bool meet_face_vertex(crn_mesh_pair *t, const crn_facet *f, int v, crn_vec3 p, double gap)
{
    if (gap > t->reach || gap < -t->depth || !faces(t->b, v, f->n_in_b) || !foot_is_in(t, t->a, f, p, gap) ||
        !crn_pair_is_extremal(t->b, v, f->n_in_b)) {
        return true;
    }
    return crn_pair_add(t, CRN_FEATURE_FV, f->index, v, gap, crn_v3_scale(-1.0, f->n), crn_v3_axpy(p, -gap, f->n), p);
}

/* --- Two edges --- */

/* Move *x, a place on the edge, to its end if it is past it by no more than it may. */
static bool clamp_to_end(const crn_mesh_pair *t, const crn_pair_side *s, double length, double gap, double *x)
{
    int end = *x > 1.0;
    double past = (end ? *x - 1.0 : -*x) * length;
    if (past <= 0.0) {
        return true;
    }
    if (past > t->slack && !(gap < 0.0 && s->edge->is_reflex[end] && past <= lent(t, gap))) {
        return false;
    }
    *x = end;
    return true;
}

/* Nearest points of the two lines, on both edges? */
static bool find_nearest(const crn_mesh_pair *t, const crn_pair_side *a, const crn_pair_side *b, double square,
                         double gap, crn_vec3 *on_a, crn_vec3 *on_b)
{
    crn_vec3 r = crn_v3_sub(a->from, b->from);
    double aa = crn_v3_dot(a->along, a->along), ab = crn_v3_dot(a->along, b->along),
           bb = crn_v3_dot(b->along, b->along);
    double ar = crn_v3_dot(a->along, r), br = crn_v3_dot(b->along, r);
    double x = (ab * br - bb * ar) / square, y = (aa * br - ab * ar) / square;
    if (!clamp_to_end(t, a, sqrt(aa), gap, &x) || !clamp_to_end(t, b, sqrt(bb), gap, &y)) {
        return false;
    }
    *on_a = crn_v3_axpy(a->from, x, a->along);
    *on_b = crn_v3_axpy(b->from, y, b->along);
    return true;
}

static bool meet_edges(crn_mesh_pair *t, const crn_pair_side *a, const crn_pair_side *b)
{
    crn_vec3 n = crn_v3_cross(a->along, b->along), apart = crn_v3_sub(a->from, b->from);
    double square = crn_v3_dot(n, n), gap = crn_v3_dot(n, apart), margin = crn_pair_larger(t->reach, t->depth);
    double along_a = crn_v3_dot(n, a->middle), along_b = crn_v3_dot(n, b->middle);
    bool is_turned_away = (along_a < 0.0) == (along_b < 0.0) && along_a * along_a > EE_SLACK * EE_SLACK * square;
    if (gap * gap > margin * margin * square || is_turned_away ||
        square <= EE_PARALLEL * EE_PARALLEL * crn_v3_dot(a->along, a->along) * crn_v3_dot(b->along, b->along)) {
        return true;
    }
    double scale = (along_b < 0.0 ? -1.0 : 1.0) / sqrt(square), cos_a = -scale * along_a, cos_b = scale * along_b;
    gap *= scale;
    if (gap > t->reach || gap < -t->depth) {
        return true;
    }
    crn_vec3 on_a, on_b;
    if (!find_nearest(t, a, b, square, gap, &on_a, &on_b)) {
        return true;
    }
    double out_a = outside_cone(a->edge, cos_a), out_b = outside_cone(b->edge, cos_b);
    apart = crn_v3_sub(on_a, on_b);
    if (out_a > EE_SLACK || out_b > EE_SLACK || crn_v3_dot(apart, apart) > (margin + t->slack) * (margin + t->slack)) {
        return true;
    }
    n = crn_v3_scale(scale, n);
    if (out_b > 0.0 && out_b >= out_a) {
        crn_vec3 local = crn_m3_transposed_times(&t->frame.rotation, n);
        n = crn_m3_times(&t->frame.rotation, nearer_normal(t->b, b->edge, local));
        gap = crn_v3_dot(n, apart);
    } else if (out_a > 0.0) {
        n = crn_v3_scale(-1.0, nearer_normal(t->a, a->edge, crn_v3_scale(-1.0, n)));
        gap = crn_v3_dot(n, apart);
    }
    return crn_pair_add(t, CRN_FEATURE_EE, a->index, b->index, gap, n, on_a, on_b);
}

/* --- A vertex with an edge or a vertex: apart only --- */

/* The point of the edge nearest to p, if it is inside of the edge and nearer than reach. */
static bool nearest_on(const crn_mesh_pair *t, const crn_pair_side *s, crn_vec3 p, crn_vec3 *q, double *distance)
{
    crn_vec3 r = crn_v3_sub(p, s->from);
    double square = crn_v3_dot(s->along, s->along), x = crn_v3_dot(r, s->along);
    if (!(x > 0.0 && x < square)) {
        return false;
    }
    crn_vec3 d = crn_v3_axpy(r, -x / square, s->along);
    double apart = crn_v3_dot(d, d);
    if (apart > t->reach * t->reach) {
        return false;
    }
    *distance = sqrt(apart);
    *q = crn_v3_sub(p, d);
    return true;
}

static bool meet_vertex_edge(crn_mesh_pair *t, int v, crn_vec3 p, const crn_pair_side *s)
{
    crn_vec3 q;
    double gap;
    if (!nearest_on(t, s, p, &q, &gap)) {
        return true;
    }
    bool is_touch = gap <= TOUCH * t->size;
    crn_vec3 n = is_touch ? s->middle : crn_v3_scale(1.0 / gap, crn_v3_sub(p, q));
    if ((!is_touch && !in_edge_cone(s->edge, crn_m3_transposed_times(&t->frame.rotation, n))) ||
        !crn_pair_in_vertex_cone(t->a, v, crn_v3_scale(-1.0, n), CONE_SLACK)) {
        return true;
    }
    return crn_pair_add(t, CRN_FEATURE_VE, v, s->index, gap, n, p, q);
}

static bool meet_edge_vertex(crn_mesh_pair *t, const crn_pair_side *s, int v, crn_vec3 p)
{
    crn_vec3 q;
    double gap;
    if (!nearest_on(t, s, p, &q, &gap)) {
        return true;
    }
    bool is_touch = gap <= TOUCH * t->size;
    crn_vec3 m = is_touch ? s->edge->middle : crn_v3_scale(1.0 / gap, crn_v3_sub(p, q)); /* out of a */
    crn_vec3 back = crn_v3_scale(-1.0, m);
    if ((!is_touch && !in_edge_cone(s->edge, m)) ||
        !crn_pair_in_vertex_cone(t->b, v, crn_m3_transposed_times(&t->frame.rotation, back), CONE_SLACK)) {
        return true;
    }
    return crn_pair_add(t, CRN_FEATURE_EV, s->index, v, gap, back, q, p);
}

static bool meet_vertices(crn_mesh_pair *t, int v, crn_vec3 p, int w, crn_vec3 q)
{
    crn_vec3 d = crn_v3_sub(p, q);
    double square = crn_v3_dot(d, d);
    if (square > t->reach * t->reach) {
        return true;
    }
    double gap = sqrt(square);
    crn_vec3 n =
        gap <= TOUCH * t->size ? crn_m3_times(&t->frame.rotation, t->b->pseudo[w]) : crn_v3_scale(1.0 / gap, d);
    bool is_pair = crn_pair_in_vertex_cone(t->b, w, crn_m3_transposed_times(&t->frame.rotation, n), CONE_SLACK) &&
                   crn_pair_in_vertex_cone(t->a, v, crn_v3_scale(-1.0, n), CONE_SLACK);
    return is_pair ? crn_pair_add(t, CRN_FEATURE_VV, v, w, gap, n, p, q) : true;
}

/* --- Crossings --- */

static bool is_in(const crn_facet *f, crn_vec3 p)
{
    for (int k = 0; k < 3; ++k) {
        crn_vec3 d = crn_v3_sub(f->p[k == 2 ? 0 : k + 1], f->p[k]);
        if (crn_v3_dot(crn_v3_sub(p, f->p[k]), crn_v3_cross(d, f->n)) > 0.0) {
            return false;
        }
    }
    return true;
}

/* Sides that f owns, with corners at these heights over the plane of g, through g. */
static bool meet_crossings(crn_mesh_pair *t, int of, const crn_facet *f, const double *height, const crn_facet *g)
{
    const crn_mesh *mesh = of == 0 ? t->a : t->b;
    for (int k = 0; k < 3; ++k) {
        int next = k == 2 ? 0 : k + 1, edge = mesh->face_edge[3 * (ptrdiff_t)f->index + k];
        if ((height[k] < 0.0) == (height[next] < 0.0) || mesh->edge_owner[edge] != f->index) {
            continue;
        }
        double x = height[k] / (height[k] - height[next]);
        crn_vec3 p = crn_v3_axpy(f->p[k], x, crn_v3_sub(f->p[next], f->p[k]));
        if (is_in(g, p)) {
            int inner = mesh->face[3 * (ptrdiff_t)f->index + (height[k] < 0.0 ? k : next)];
            crn_crossing crossing = {of, edge, g->index, inner, 0, p, of == 0 ? g->n : crn_v3_scale(-1.0, g->n)};
            if (!add_crossing(t, &crossing)) {
                return false;
            }
        }
    }
    return true;
}

/* --- Two triangles --- */

/* How far apart x1, x2, x3 and y1, y2, y3 are on a line; negative if they overlap. */
static double spans_apart(double x1, double x2, double x3, double y1, double y2, double y3)
{
    double low_x = crn_pair_smaller(x1, crn_pair_smaller(x2, x3)),
           low_y = crn_pair_smaller(y1, crn_pair_smaller(y2, y3));
    double high_x = crn_pair_larger(x1, crn_pair_larger(x2, x3)), high_y = crn_pair_larger(y1, crn_pair_larger(y2, y3));
    return crn_pair_larger(low_x - high_y, low_y - high_x);
}

/* The same of the boxes of two triangles: the axis along which they are farthest apart. */
static double boxes_apart(const crn_facet *a, const crn_facet *b)
{
    const crn_vec3 *p = a->p, *q = b->p;
    double x = spans_apart(p[0].x, p[1].x, p[2].x, q[0].x, q[1].x, q[2].x);
    double y = spans_apart(p[0].y, p[1].y, p[2].y, q[0].y, q[1].y, q[2].y);
    double z = spans_apart(p[0].z, p[1].z, p[2].z, q[0].z, q[1].z, q[2].z);
    return crn_pair_larger(x, crn_pair_larger(y, z));
}

/* Heights of the corners of f over the plane of g; false if all are farther than margin, on one side. */
static inline bool heights_over(const crn_facet *f, const crn_facet *g, double margin, double *height)
{
    for (int k = 0; k < 3; ++k) {
        height[k] = crn_v3_dot(g->n, crn_v3_sub(f->p[k], g->p[0]));
    }
    return !(height[0] > margin && height[1] > margin && height[2] > margin) &&
           !(height[0] < -margin && height[1] < -margin && height[2] < -margin);
}

/* Vertices that each owns with the face, the edges and the vertices of the other. */
static bool meet_corners(crn_mesh_pair *t, const crn_facet *a, const crn_facet *b, const double *over_b,
                         const double *over_a)
{
    const int *va = t->a->face + 3 * (ptrdiff_t)a->index, *vb = t->b->face + 3 * (ptrdiff_t)b->index;
    bool is_fine = true;
    for (int i = 0; i < 3 && is_fine; ++i) {
        if (a->owns_corner[i]) {
            is_fine = meet_vertex_face(t, va[i], a->p[i], over_b[i], b);
            for (int k = 0; k < 3 && is_fine; ++k) {
                is_fine = !b->owns_corner[k] || meet_vertices(t, va[i], a->p[i], vb[k], b->p[k]);
            }
            for (int k = 0; k < b->sides && is_fine; ++k) {
                is_fine = meet_vertex_edge(t, va[i], a->p[i], &b->side[k]);
            }
        }
        if (is_fine && b->owns_corner[i]) {
            is_fine = meet_face_vertex(t, a, vb[i], b->p[i], over_a[i]);
            for (int k = 0; k < a->sides && is_fine; ++k) {
                is_fine = meet_edge_vertex(t, &a->side[k], vb[i], b->p[i]);
            }
        }
    }
    return is_fine;
}

static inline bool has_both_signs(const double *height)
{
    return (height[0] < 0.0) != (height[1] < 0.0) || (height[0] < 0.0) != (height[2] < 0.0);
}

/* Two triangles that are near: heights of the corners of each over the plane of the other, and how far their boxes are apart. */
static bool meet_near(crn_mesh_pair *t, const crn_facet *a, const crn_facet *b, const double *over_b,
                      const double *over_a, double boxes)
{
    bool may_cross = t->wants_crossings && boxes <= 0.0 && has_both_signs(over_a) && has_both_signs(over_b);
    if (may_cross && (!meet_crossings(t, 0, a, over_b, b) || !meet_crossings(t, 1, b, over_a, a))) {
        return false;
    }
    bool is_fine = meet_corners(t, a, b, over_b, over_a);
    for (int i = 0; i < a->sides && is_fine; ++i) {
        for (int k = 0; k < b->sides && is_fine; ++k) {
            is_fine = meet_edges(t, &a->side[i], &b->side[k]);
        }
    }
    return is_fine;
}

bool crn_pair_facets(crn_mesh_pair *t, const crn_facet *a, const crn_facet *b)
{
    double margin = crn_pair_larger(t->reach, t->depth) + t->slack, over_a[3], over_b[3];
    if (!heights_over(b, a, margin, over_a) || !heights_over(a, b, margin, over_b)) {
        return true;
    }
    double boxes = boxes_apart(a, b);
    return boxes > margin || meet_near(t, a, b, over_b, over_a, boxes);
}
