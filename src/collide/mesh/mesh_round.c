/* A cylinder, an ellipsoid, or any convex solid on a mesh: each feature of the mesh answers for its own directions.
 *
 *   face     its normal: the points of the solid lowest along it (corners, rims, ends, support point) over the face
 *   edge     if convex, the direction between its faces that separates most (ridge.h), and the points where the side
 *            of the solid and the edge meet along it (patch.h)
 *   vertex   the directions below all its edges: a cap that lies on it, or the nearest point of the solid
 *
 * in the frame of the mesh. Negative ones are filtered as those of two meshes are (mesh_pair_overlap.c). If there is
 * an overlap that none of them tells of, the solid goes back to the side of the faces on which its centre is. */
#include "collide/mesh/mesh_shapes.h"
#include "collide/convex/drum.h"
#include "collide/convex/gap.h"
#include "collide/convex/patch.h"
#include "collide/convex/ridge.h"

/* Rounding of places, and of inside and outside, relative to the smaller of mesh and solid. */
#define SLACK     1e-9
#define TOLERANCE 1e-6

/* Rounding of directions. */
#define CONE_SLACK 1e-9

/* First and last step of the search of a way out [rad]. */
#define PUSH_FIRST 0.4
#define PUSH_LAST  1e-5

/* Numbers of features of the solid that it has not: the point lowest along a normal; that lowest over an edge. */
enum { POINT_LOWEST = 62, POINT_OVER_EDGE = 63 };

/* Touches of a patch along one edge: two crossings for each of three rims and lines, and ends. Of a polyhedron more
 * may be left out; the ends of its edges are met by faces too. */
#define PATCH_ROOM 64

typedef struct meeting {
    crn_mesh_pair pair; /* a is the solid */
    const crn_mesh *mesh;
    crn_solid solid; /* in the mesh's frame */
    bool is_fine;    /* there is memory */
} meeting;

/* p: point of the core, height over the surface along n. */
static crn_feature_pair pair_of(const meeting *t, int type, int of_solid, int of_mesh, crn_vec3 p, crn_vec3 n,
                                double height)
{
    return (crn_feature_pair){type,
                              of_solid,
                              of_mesh,
                              height - t->solid.radius,
                              n,
                              crn_v3_axpy(p, -t->solid.radius, n),
                              crn_v3_axpy(p, -height, n)};
}

static void meet(meeting *t, int type, int of_solid, int of_mesh, crn_vec3 p, crn_vec3 n, double height)
{
    crn_feature_pair f = pair_of(t, type, of_solid, of_mesh, p, n, height);
    if (f.gap <= t->pair.reach && t->is_fine) {
        t->is_fine = crn_pair_add(&t->pair, type, of_solid, of_mesh, f.gap, n, f.on_a, f.on_b);
    }
}

/* --- Faces --- */

static bool foot_is_in(const meeting *t, int face, crn_vec3 p, double height)
{
    const crn_mesh *m = t->mesh;
    double beyond = height < 0.0 ? -CRN_PAIR_REFLEX * height : 0.0;
    for (int k = 0; k < 3; ++k) {
        crn_vec3 from = m->vertex[m->face[3 * (ptrdiff_t)face + k]];
        crn_vec3 d = crn_v3_sub(m->vertex[m->face[3 * (ptrdiff_t)face + (k + 1) % 3]], from);
        double out = crn_v3_dot(crn_v3_sub(p, from), crn_v3_cross(d, m->normal[face])) / crn_v3_length(d);
        bool is_concave = m->edge[m->face_edge[3 * (ptrdiff_t)face + k]].kind < 0;
        if (out > t->pair.slack && !(is_concave && out <= beyond)) {
            return false;
        }
    }
    return true;
}

static bool meets_triangle(const meeting *t, int face)
{
    const int *corner = t->mesh->face + 3 * (ptrdiff_t)face;
    const crn_vec3 *vertex = t->mesh->vertex;
    crn_solid triangle;
    crn_simplex simplex;
    crn_gap gap;
    crn_solid_triangle(&triangle, vertex[corner[0]], vertex[corner[1]], vertex[corner[2]]);
    return crn_gjk(&t->solid, &triangle, t->solid.radius, &simplex, &gap) != CRN_GJK_FAR;
}

/* Does it reach into the solid, whose middle is in front? */
static bool is_crossed(const meeting *t, int face)
{
    const crn_mesh *m = t->mesh;
    crn_vec3 corner = m->vertex[m->face[3 * (ptrdiff_t)face]];
    return crn_v3_dot(m->normal[face], crn_v3_sub(t->solid.centre, corner)) >= 0.0 && meets_triangle(t, face);
}

/* How far behind a face the solid may be for the face to tell of it: behind a sheet there is room for others. */
static double told_depth(const meeting *t, int face, double least)
{
    bool is_near = t->mesh->is_closed || least - t->solid.radius >= -t->pair.reach;
    return is_near || is_crossed(t, face) ? (double)INFINITY : t->pair.reach;
}

static void meet_face(meeting *t, int face)
{
    const crn_mesh *m = t->mesh;
    crn_vec3 n = m->normal[face], d = crn_v3_scale(-1.0, n), o = m->vertex[m->face[3 * (ptrdiff_t)face]], p;
    int vertex = 0;
    crn_vec3 lowest = crn_solid_support(&t->solid, d, &vertex);
    double least = crn_v3_dot(n, crn_v3_sub(lowest, o));
    if (least - t->solid.radius > t->pair.reach) {
        return;
    }
    crn_side side;
    crn_side_of(&side, &t->solid, d, t->pair.reach + t->solid.radius - least, CRN_SIDE_SLACK, vertex);
    double lowest_told = t->solid.radius - told_depth(t, face, least);
    bool has_lowest = false;
    for (int k = 0; k < side.vertices; ++k) {
        if (!crn_side_vertex(&side, k, &p)) {
            continue;
        }
        double height = crn_v3_dot(n, crn_v3_sub(p, o));
        has_lowest = has_lowest || height <= least + t->pair.slack;
        if (height >= lowest_told && foot_is_in(t, face, p, height)) {
            meet(t, CRN_FEATURE_VF, crn_side_vertex_name(&side, k), face, p, n, height);
        }
    }
    if (!has_lowest && least >= lowest_told && foot_is_in(t, face, lowest, least)) {
        meet(t, CRN_FEATURE_VF, POINT_LOWEST, face, lowest, n, least);
    }
}

/* --- Edges --- */

static void extend(const crn_mesh_edge *e, double depth, crn_ridge *ridge)
{
    crn_vec3 further = crn_v3_scale(CRN_PAIR_REFLEX * depth, crn_v3_unit(crn_v3_sub(ridge->to, ridge->from)));
    if (e->is_reflex[0]) {
        ridge->from = crn_v3_sub(ridge->from, further);
    }
    if (e->is_reflex[1]) {
        ridge->to = crn_v3_add(ridge->to, further);
    }
}

/* Does p lie past an end of the edge? */
static bool is_past(const crn_ridge *edge, crn_vec3 p, double slack)
{
    crn_vec3 d = crn_v3_sub(edge->to, edge->from);
    double length = crn_v3_length(d), along = crn_v3_dot(crn_v3_sub(p, edge->from), d) / length;
    return along < -slack || along > length + slack;
}

/* Where the side of the solid and the edge meet along the direction; the lowest gap. Overlaps are looked for on the ridge, which may
 * be longer than the edge: apart, only the edge itself can be touched. */
static double meet_patch(meeting *t, int edge, const crn_ridge *own, const crn_ridge *ridge, const crn_gap *gap)
{
    crn_touch touch[PATCH_ROOM];
    crn_touches list = {touch, 0, PATCH_ROOM};
    crn_solid segment;
    double lowest = (double)INFINITY;
    crn_solid_segment(&segment, ridge->from, ridge->to);
    crn_patch_find(&t->solid, &segment, gap, t->pair.reach, crn_v3(0, 0, 0), CRN_PATCH_NOT_OF_B | CRN_PATCH_NO_DEEPEST,
                   &list);
    for (int k = 0; k < list.count && k < PATCH_ROOM; ++k) {
        const crn_touch *x = &touch[k];
        if (x->gap > 0.0 && is_past(own, x->point, t->pair.slack)) {
            continue;
        }
        bool is_crossing = x->key >> 30 == CRN_KEY_EDGE_EDGE;
        int of_solid = (int)(is_crossing ? x->key >> 15 & 0x7fff : x->key & 0x7fff);
        double height = x->gap + t->solid.radius;
        meet(t, is_crossing ? CRN_FEATURE_EE : CRN_FEATURE_VE, of_solid, edge,
             crn_v3_axpy(x->point, t->solid.radius + 0.5 * x->gap, x->normal), x->normal, height);
        lowest = x->gap < lowest ? x->gap : lowest;
    }
    return lowest;
}

static void meet_edge(meeting *t, int index)
{
    const crn_mesh_edge *e = &t->mesh->edge[index];
    crn_ridge ridge = {t->mesh->vertex[e->vertex[0]],
                       t->mesh->vertex[e->vertex[1]],
                       {t->mesh->normal[e->face[0]], t->mesh->normal[e->face[1]]}};
    int vertex = 0;
    crn_vec3 p = crn_solid_support(&t->solid, crn_v3_scale(-1.0, e->middle), &vertex);
    if (crn_v3_dot(e->middle, crn_v3_sub(p, ridge.from)) - t->solid.radius > t->pair.reach) {
        return; /* any direction of the arc is a lower bound */
    }
    bool is_end;
    crn_gap gap;
    gap.normal = crn_ridge_best(&t->solid, &ridge, &gap.gap, &is_end);
    if (gap.gap > t->pair.reach) {
        return;
    }
    crn_ridge own = ridge;
    if (gap.gap + t->solid.radius < 0.0) {
        extend(e, -gap.gap - t->solid.radius, &ridge);
    }
    p = gap.on_a = crn_solid_support(&t->solid, crn_v3_scale(-1.0, gap.normal), &vertex);
    gap.on_b = ridge.from;
    gap.vertex_a = vertex;
    gap.vertex_b = 0;
    double lowest = (double)INFINITY;
    if (t->solid.kind != CRN_CORE_SMOOTH) {
        lowest = meet_patch(t, index, &own, &ridge, &gap);
    }
    if (!is_end && crn_ridge_is_under(&t->solid, &ridge, gap.normal, p) && lowest > gap.gap + t->pair.slack) {
        meet(t, CRN_FEATURE_EE, POINT_OVER_EDGE, index, p, gap.normal, gap.gap + t->solid.radius);
    }
}

/* --- Vertices --- */

/* A cap that lies on v, nearly level with it: the nearer one. */
static bool meet_cap(meeting *t, int v)
{
    const crn_solid *s = &t->solid;
    crn_vec3 w = t->mesh->vertex[v];
    for (int cap = 0; s->kind == CRN_CORE_DRUM && cap < 2 && crn_drum_radius(s, cap) > 0.0; ++cap) {
        crn_vec3 out = crn_v3_scale(cap == 0 ? -1.0 : 1.0, crn_solid_axis(s)), n = crn_v3_scale(-1.0, out);
        double height = crn_v3_dot(out, crn_v3_sub(w, crn_v3_axpy(s->centre, s->size.y, out)));
        crn_side side = {.solid = s};
        if (height <= t->pair.reach && height > -s->size.y && crn_pair_in_vertex_cone(t->mesh, v, n, CRN_SIDE_SLACK) &&
            crn_side_holds(&side, cap, crn_v3_axpy(w, height, n), t->pair.slack)) {
            meet(t, CRN_FEATURE_FV, cap, v, crn_v3_axpy(w, height, n), n, height);
            return true;
        }
    }
    return false;
}

static void meet_vertex(meeting *t, int v)
{
    crn_vec3 w = t->mesh->vertex[v];
    crn_solid point;
    crn_gap gap;
    if (meet_cap(t, v)) {
        return;
    }
    crn_solid_point(&point, w);
    if (!crn_gap_find(&t->solid, &point, t->pair.reach, &gap)) {
        return;
    }
    double height = gap.gap + t->solid.radius;
    if (crn_pair_in_vertex_cone(t->mesh, v, gap.normal, CONE_SLACK)) {
        meet(t, CRN_FEATURE_VV, 0, v, crn_v3_axpy(w, height, gap.normal), gap.normal, height);
    }
}

/* --- Overlaps that are none ---
 *
 * A feature on the far side of a hole or a notch may be told to be deep below a solid that is not there. */

static bool does_overlap(const meeting *t, const int *near, int count)
{
    for (int k = 0; k < count; ++k) {
        if (meets_triangle(t, near[k])) {
            return true;
        }
    }
    return t->mesh->is_closed && crn_mesh_distance(t->mesh, t->solid.centre, NULL) < 0.0;
}

static void drop_false(meeting *t, const int *near, int count)
{
    crn_mesh_pair *p = &t->pair;
    bool is_deep = false;
    for (int k = 0; k < p->kept_count; ++k) {
        is_deep = is_deep || p->found[p->kept[k]].gap < -p->tolerance;
    }
    if (!is_deep || does_overlap(t, near, count)) {
        return;
    }
    int kept = 0;
    for (int k = 0; k < p->kept_count; ++k) {
        if (p->found[p->kept[k]].gap >= -p->tolerance) {
            p->kept[kept++] = p->kept[k];
        }
    }
    p->kept_count = kept;
}

/* --- Overlaps that are not explained --- */

static double separation(const meeting *t, crn_vec3 w, crn_vec3 n)
{
    int vertex = 0;
    return crn_v3_dot(n, crn_v3_sub(crn_solid_support(&t->solid, crn_v3_scale(-1.0, n), &vertex), w));
}

/* The best of the directions of a vertex inside of the solid, by steps to all sides that get shorter. */
static void push_out(meeting *t, int v)
{
    crn_vec3 w = t->mesh->vertex[v], n = t->mesh->pseudo[v];
    double s = separation(t, w, n);
    double step = PUSH_FIRST;
    while (step > PUSH_LAST) {
        crn_vec3 x = crn_v3_orthogonal(n), y = crn_v3_cross(n, x), from = n;
        for (int k = 0; k < 8; ++k) {
            static const double c[8] = {1, 0.7, 0, -0.7, -1, -0.7, 0, 0.7};
            crn_vec3 m = crn_v3_unit(crn_v3_axpy(crn_v3_axpy(from, step * c[k], x), step * c[(k + 6) % 8], y));
            double own = separation(t, w, m);
            if (own > s && crn_pair_in_vertex_cone(t->mesh, v, m, CONE_SLACK)) {
                s = own;
                n = m;
            }
        }
        step *= 0.5;
    }
    crn_feature_pair f = pair_of(t, CRN_FEATURE_VV, 1, v, crn_v3_axpy(w, s, n), n, s);
    t->is_fine = crn_pair_keep(&t->pair, &f);
}

/* Would one of the pairs that are kept, by itself, take v out of the solid? */
static bool is_pushed_out(const meeting *t, crn_vec3 v)
{
    for (int k = 0; k < t->pair.kept_count; ++k) {
        const crn_feature_pair *f = &t->pair.found[t->pair.kept[k]];
        if (f->gap < 0.0 &&
            crn_pair_distance_a(&t->pair, crn_v3_axpy(v, f->gap - t->pair.tolerance, f->normal)) > -t->pair.tolerance) {
            return true;
        }
    }
    return false;
}

/* Vertices that are inside of the solid and stay there. */
static void meet_buried(meeting *t, const int *near, int count)
{
    const crn_mesh *m = t->mesh;
    for (int k = 0; k < 3 * count && t->is_fine; ++k) {
        int face = near[k / 3], v = m->face[3 * (ptrdiff_t)face + k % 3];
        if (m->vertex_owner[v] == face && crn_pair_distance_a(&t->pair, m->vertex[v]) < -t->pair.tolerance &&
            crn_pair_in_vertex_cone(m, v, m->pseudo[v], CONE_SLACK) && !is_pushed_out(t, m->vertex[v])) {
            push_out(t, v);
        }
    }
}

/* Does a triangle reach into the solid, and is the centre in front of it? */
static bool is_in_front(const meeting *t, int face)
{
    const crn_mesh *m = t->mesh;
    crn_vec3 n = m->normal[face], o = m->vertex[m->face[3 * (ptrdiff_t)face]], c = t->solid.centre;
    double height = crn_v3_dot(n, crn_v3_sub(c, o));
    if (height < 0.0) {
        return false;
    }
    crn_vec3 foot = crn_v3_axpy(c, -height, n);
    return foot_is_in(t, face, c, height) && crn_pair_distance_a(&t->pair, foot) < -t->pair.tolerance;
}

/* The shallowest way out through a triangle that passes the test; -1 if there is none. */
static int shallowest(const meeting *t, const int *near, int count, bool (*is_candidate)(const meeting *, int),
                      double *height)
{
    const crn_mesh *m = t->mesh;
    int best = -1, vertex = 0;
    *height = -(double)INFINITY;
    for (int k = 0; k < count; ++k) {
        crn_vec3 n = m->normal[near[k]], o = m->vertex[m->face[3 * (ptrdiff_t)near[k]]];
        crn_vec3 p = crn_solid_support(&t->solid, crn_v3_scale(-1.0, n), &vertex);
        double own = crn_v3_dot(n, crn_v3_sub(p, o));
        if (own < 0.0 && own > *height && is_candidate(t, near[k])) {
            *height = own;
            best = near[k];
        }
    }
    return best;
}

static void meet_deep(meeting *t, const int *near, int count)
{
    const crn_mesh *m = t->mesh;
    double least;
    int vertex = 0, best = shallowest(t, near, count, is_in_front, &least);
    crn_vec3 n, exit, c = t->solid.centre;
    double inside = count > 0 && m->is_closed ? -crn_mesh_distance(m, c, &exit) : 0.0;
    crn_feature_pair f;
    if (best >= 0) {
        n = m->normal[best];
        crn_vec3 p = crn_solid_support(&t->solid, crn_v3_scale(-1.0, n), &vertex);
        f = pair_of(t, CRN_FEATURE_DEEP_B, 0, best, p, n, least);
        t->is_fine = crn_pair_keep(&t->pair, &f);
    } else if (inside > t->pair.tolerance) {
        n = crn_v3_scale(1.0 / inside, crn_v3_sub(exit, c));
        crn_vec3 p = crn_solid_support(&t->solid, crn_v3_scale(-1.0, n), &vertex);
        f = pair_of(t, CRN_FEATURE_DEEP_A, 0, 0, p, n, crn_v3_dot(n, crn_v3_sub(p, exit)));
        t->is_fine = crn_pair_keep(&t->pair, &f);
    } else if ((best = shallowest(t, near, count, is_crossed, &least)) >= 0) {
        n = m->normal[best];
        f = pair_of(t, CRN_FEATURE_DEEP_B, 0, best, crn_solid_support(&t->solid, crn_v3_scale(-1.0, n), &vertex), n,
                    least);
        t->is_fine = crn_pair_keep(&t->pair, &f);
    }
}

/* --- All --- */

static void meet_triangle(meeting *t, int face)
{
    const crn_mesh *m = t->mesh;
    meet_face(t, face);
    for (int k = 0; k < 3; ++k) {
        int edge = m->face_edge[3 * (ptrdiff_t)face + k], v = m->face[3 * (ptrdiff_t)face + k];
        if (m->edge_owner[edge] == face && m->edge[edge].kind > 0) {
            meet_edge(t, edge);
        }
        if (m->vertex_owner[v] == face) {
            meet_vertex(t, v);
        }
    }
}

static void set_bounds(const meeting *t, double low[3], double high[3])
{
    double grow = t->pair.reach + t->solid.radius, p[3];
    int vertex = 0;
    for (int k = 0; k < 3; ++k) {
        crn_vec3 axis = crn_v3(k == 0, k == 1, k == 2);
        crn_v3_to(crn_solid_support(&t->solid, axis, &vertex), p);
        high[k] = p[k] + grow;
        crn_v3_to(crn_solid_support(&t->solid, crn_v3_scale(-1.0, axis), &vertex), p);
        low[k] = p[k] - grow;
    }
}

/* The filter uses the spare list too: near triangles go to another one. */
static int *near_triangles(meeting *t, int *count)
{
    double low[3], high[3];
    set_bounds(t, low, high);
    crn_collide_scratch *s = t->pair.scratch;
    *count = crn_mesh_near(t->mesh, low, high, s);
    if (*count < 0 || !crn_scratch_reserve(s, CRN_LIST_LINK, *count, sizeof(crn_link))) {
        t->is_fine = false;
        return NULL;
    }
    int *list = (int *)s->list[CRN_LIST_LINK].item;
    for (int k = 0; k < *count; ++k) {
        list[k] = ((const int *)s->list[CRN_LIST_SPARE].item)[k];
    }
    return list;
}

bool crn_round_mesh(const crn_query *query, crn_collide_scratch *scratch, crn_touches *out)
{
    meeting t = {.mesh = query->b->mesh, .is_fine = true};
    crn_frame frame = {crn_m3_transposed_product(&query->frame_b->rotation, &query->frame_a->rotation),
                       crn_frame_local(query->frame_b, query->frame_a->position)};
    if (!crn_solid_of(&t.solid, query->a, &frame, crn_v3(0, 0, 0))) {
        return true;
    }
    crn_solid_moves(&t.solid, &query->motion, &query->frame_b->rotation);
    double size = crn_pair_smaller(t.mesh->size, 2.0 * (t.solid.extent + t.solid.radius));
    t.pair = (crn_mesh_pair){.solid = &t.solid,
                             .b = t.mesh,
                             .frame = {{{1, 0, 0, 0, 1, 0, 0, 0, 1}}, {0, 0, 0}},
                             .reach = query->reach,
                             .depth = (double)INFINITY,
                             .size = size,
                             .slack = SLACK * size,
                             .tolerance = TOLERANCE * size,
                             .scratch = scratch};
    int count = 0;
    const int *near = near_triangles(&t, &count);
    for (int k = 0; k < count && t.is_fine; ++k) {
        meet_triangle(&t, near[k]);
    }
    t.is_fine = t.is_fine && crn_pair_filter(&t.pair);
    if (t.is_fine) {
        drop_false(&t, near, count);
        meet_buried(&t, near, count);
    }
    if (t.is_fine && !crn_pair_has_negative(&t.pair)) {
        meet_deep(&t, near, count);
    }
    if (t.is_fine) {
        crn_pair_write(&t.pair, query->frame_b, out);
    }
    return t.is_fine;
}
