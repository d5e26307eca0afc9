/* A convex solid on a height field. The surface is not convex, so it has no one normal; each of its features answers for
 * the directions that belong to it:
 *
 *   triangle   its normal m: the points of the solid lowest along m that lie over it (vertices, ends, rims, support point)
 *   edge       if convex, the directions between the normals of its two triangles: the one that separates most, then the
 *              points where the solid's side and the edge meet (patch.h)
 *   vertex     the directions below all its edges: faces of the solid that lie on it, or the nearest points
 *
 * Flat and concave edges have no directions of their own, so nothing catches on the lines between cells. The gap has one
 * formula on both sides of the surface. A point below the surface is pushed out through the nearest triangle, and through
 * others too if the way out leaves it inside of them (a valley); the triangle above it is always a candidate, so it is
 * pushed out however deep it is. A vertex of the field that is inside of the solid, and would stay there if the solid moved
 * as any one touch asks, pushes too. The field ends at its border: beside it there is nothing, and only the solid's top counts. */
#include "collide/convex/drum.h"
#include "collide/mesh/field.h"
#include "collide/convex/patch.h"
#include "collide/convex/rim.h"

#include <float.h>

/* Points nearer than this to the rim of a triangle, relative to the solid and the cell, lie in it. */
#define BESIDE 1e-9

/* A point is still inside after it was pushed out if it is deeper than this, relative to the solid. */
#define STILL_INSIDE 1e-9

/* How far past a concave edge a foot may lie, in depths of its point: enough for walls that rise by four to one. */
#define REFLEX 4.0

/* A way out so many times longer than the one straight ahead is none. */
#define OUT_OF_THE_WAY 2.0

/* How far a direction may leave the directions of a vertex by rounding; for a face of the solid CRN_SIDE_SLACK is right: the
 * vertex is in its way whatever the slopes. */
#define OFF_CONE 1e-9

/* First and last step of the search of a way out [rad]. */
#define PUSH_FIRST 0.3
#define PUSH_LAST  1e-6

/* Halvings of a depth: to rounding. */
#define ARC_STEPS 52

/* Normals so near to each other are of one plane. */
#define SAME_NORMAL  1e-9
#define MOST_NORMALS 8

typedef struct meeting {
    crn_field field;
    crn_solid solid; /* in the field's frame */
    const crn_frame *frame;
    double reach, tolerance;
    crn_field_range range; /* cells near the solid */
    double lowest;         /* z of the solid */
    int bits_a, bits_i, bits_j;
    crn_touches *out;
} meeting;

/* --- Keys: kind, feature of the solid, feature of the cell, cell --- */

enum { KEY_FACE, KEY_CROSSING, KEY_ALONG, KEY_VERTEX };

/* The cell counts modulo what is left of 32 bits: 2^11 x 2^12 cells for a box, 2^6 x 2^7 for the largest hull. */
static void set_bits(meeting *t)
{
    const crn_solid *s = &t->solid;
    int most = s->kind == CRN_CORE_POLYHEDRON ? (s->vertices > s->edges ? s->vertices : s->edges) : 64;
    t->bits_a = 1;
    while (1 << t->bits_a < most) {
        t->bits_a++;
    }
    t->bits_i = (28 - t->bits_a) / 2;
    t->bits_j = 28 - t->bits_a - t->bits_i;
}

static uint32_t key_of(const meeting *t, int kind, int of_solid, int of_cell, int i, int j)
{
    uint32_t key = (uint32_t)kind;
    key = key << 2 | (uint32_t)of_cell;
    key = key << t->bits_a | (uint32_t)of_solid;
    key = key << t->bits_i | ((uint32_t)i & ((1u << t->bits_i) - 1));
    return key << t->bits_j | ((uint32_t)j & ((1u << t->bits_j) - 1));
}

/* p: a point of the core, at `height` over the surface along the unit vector n, both in the field's frame. */
static void meet(meeting *t, crn_vec3 p, crn_vec3 n, double height, uint32_t key)
{
    double gap = height - t->solid.radius;
    if (gap <= t->reach) {
        crn_vec3 middle = crn_v3_axpy(p, -(t->solid.radius + 0.5 * gap), n);
        crn_touches_add(t->out, crn_frame_point(t->frame, middle), crn_m3_times(&t->frame->rotation, n), gap, key);
    }
}

/* --- Points of the solid over triangles --- */

/* Normals that one point has met already: on a plane cut into triangles it counts once. */
typedef struct normals {
    crn_vec3 normal[MOST_NORMALS];
    int count;
} normals;

static bool is_new(normals *seen, crn_vec3 n)
{
    for (int k = 0; k < seen->count; ++k) {
        crn_vec3 d = crn_v3_sub(n, seen->normal[k]);
        if (crn_v3_dot(d, d) <= SAME_NORMAL * SAME_NORMAL) {
            return false;
        }
    }
    if (seen->count < MOST_NORMALS) {
        seen->normal[seen->count++] = n;
    }
    return true;
}

/* Does vertex number k, at p, of the solid look towards a plane with normal m: does no edge at it fall steeply? */
static bool looks_down(const crn_solid *s, int k, crn_vec3 m)
{
    crn_vec3 d = crn_m3_transposed_times(&s->rotation, m);
    switch (s->kind) {
    case CRN_CORE_SEGMENT: return (k == 0 ? d.z : -d.z) >= -CRN_SIDE_SLACK;
    case CRN_CORE_DRUM: {
        double tilt = crn_rim_tilt(&s->motion, crn_solid_axis(s), m, s->size.x), slack = CRN_SIDE_SLACK;
        return (k < 16 ? d.z : -d.z) >= sqrt(1.0 - slack * slack) && d.x * d.x + d.y * d.y <= tilt * tilt;
    }
    case CRN_CORE_POLYHEDRON: break;
    default: return true;
    }
    crn_vec3 p = crn_v3_of(s->vertex + 3 * (ptrdiff_t)k);
    for (int i = s->around_start[k]; i < s->around_start[k + 1]; ++i) {
        crn_vec3 e = crn_v3_sub(crn_v3_of(s->vertex + 3 * (ptrdiff_t)s->around[i]), p);
        double fall = -crn_v3_dot(d, e);
        if (fall > 0.0 && fall * fall > CRN_SIDE_SLACK * CRN_SIDE_SLACK * crn_v3_dot(e, e)) {
            return false;
        }
    }
    return true;
}

static crn_field_range cells_around(const meeting *t, crn_vec3 p, double distance)
{
    return crn_field_cells(&t->field, p.x - distance, p.x + distance, p.y - distance, p.y + distance);
}

/* Does the foot of p on the plane of a triangle, at height over it, lie in the triangle? Under a concave edge it may lie
 * past it: below the bottom of a valley there is no foot on either wall. */
static bool foot_in(const meeting *t, const crn_field_face *face, crn_vec3 p, double height)
{
    crn_vec3 foot = crn_v3_axpy(p, -height, face->normal);
    return crn_field_face_holds(&t->field, face, foot.x, foot.y, t->tolerance, height < 0.0 ? -REFLEX * height : 0.0);
}

/* A point above the surface: all triangles on which it has its foot, within reach. */
static void meet_above(meeting *t, crn_vec3 p, int number)
{
    double limit = t->reach + t->solid.radius;
    crn_field_range r = cells_around(t, p, limit);
    normals seen = {.count = 0};
    for (int j = r.low_j; j < r.high_j; ++j) {
        for (int k = 2 * r.low_i; k < 2 * r.high_i; ++k) {
            crn_field_face face = crn_field_face_at(&t->field, k / 2, j, k % 2);
            double height = crn_field_over(&face, p);
            if (height >= 0.0 && height <= limit && foot_in(t, &face, p, height) &&
                looks_down(&t->solid, number, face.normal) && is_new(&seen, face.normal)) {
                meet(t, p, face.normal, height, key_of(t, KEY_FACE, number, face.upper, face.i, face.j));
            }
        }
    }
}

/* Is a point at `height` < 0 to be pushed out through this triangle: `above` it, or one on which it has its foot? */
static bool is_way_out(const meeting *t, const crn_field_face *face, const crn_field_face *above, crn_vec3 p,
                       double height, int number)
{
    bool is_above = face->i == above->i && face->j == above->j && face->upper == above->upper;
    return height < 0.0 && (is_above || foot_in(t, face, p, height)) && looks_down(&t->solid, number, face->normal);
}

/* A point below the surface, under the triangle `above`: out through the nearest triangle, then through others in which it
 * still is when it is out of this one. */
static void meet_below(meeting *t, crn_vec3 p, int number, const crn_field_face *above)
{
    double depth = -(double)INFINITY, still = -STILL_INSIDE * (t->solid.extent + t->solid.radius);
    crn_field_face best = *above, there;
    crn_field_range r = cells_around(t, p, -crn_field_over(above, p));
    for (int j = r.low_j; j < r.high_j; ++j) {
        for (int k = 2 * r.low_i; k < 2 * r.high_i; ++k) {
            crn_field_face face = crn_field_face_at(&t->field, k / 2, j, k % 2);
            double height = crn_field_over(&face, p);
            if (height > depth && is_way_out(t, &face, above, p, height, number)) {
                depth = height;
                best = face;
            }
        }
    }
    if (!(depth > -(double)INFINITY)) {
        return;
    }
    normals seen = {.count = 0};
    (void)is_new(&seen, best.normal);
    meet(t, p, best.normal, depth, key_of(t, KEY_FACE, number, best.upper, best.i, best.j));
    crn_vec3 out = crn_v3_axpy(p, -depth, best.normal);
    if (!crn_field_face_under(&t->field, out.x, out.y, &there) || crn_field_over(&there, out) >= still) {
        return;
    }
    for (int j = r.low_j; j < r.high_j; ++j) {
        for (int k = 2 * r.low_i; k < 2 * r.high_i; ++k) {
            crn_field_face face = crn_field_face_at(&t->field, k / 2, j, k % 2);
            double height = crn_field_over(&face, p);
            if (crn_field_over(&face, out) < still && is_way_out(t, &face, above, p, height, number) &&
                is_new(&seen, face.normal)) {
                meet(t, p, face.normal, height, key_of(t, KEY_FACE, number, face.upper, face.i, face.j));
            }
        }
    }
}

static void meet_point(meeting *t, crn_vec3 p, int number)
{
    crn_field_face face;
    if (crn_field_face_under(&t->field, p.x, p.y, &face) && crn_field_over(&face, p) < 0.0) {
        meet_below(t, p, number, &face);
    } else {
        meet_above(t, p, number);
    }
}

/* Vertices that are fixed in the solid. */
static void meet_vertices(meeting *t)
{
    const crn_solid *s = &t->solid;
    crn_vec3 p;
    if (s->kind == CRN_CORE_POINT) {
        meet_point(t, s->centre, 0);
    } else if (s->kind == CRN_CORE_SEGMENT) {
        for (int k = 0; k < 2; ++k) {
            meet_point(t, crn_v3_axpy(s->centre, k == 0 ? -s->size.y : s->size.y, crn_solid_axis(s)), k);
        }
    } else if (s->kind == CRN_CORE_POLYHEDRON) {
        for (int k = 0; k < s->vertices; ++k) {
            meet_point(t, crn_solid_vertex(s, k), k);
        }
    } else if (s->kind == CRN_CORE_DRUM) {
        crn_side side; /* both caps in turn */
        for (int k = 0; k < 32; ++k) {
            crn_side_of(&side, s, crn_v3_scale(k < 16 ? -1.0 : 1.0, crn_solid_axis(s)), 0.0, CRN_SIDE_SLACK, 0);
            if (crn_side_vertex(&side, k, &p)) {
                meet_point(t, p, k);
            }
        }
    }
}

/* --- Points of curved solids that depend on the triangle --- */

/* Is p below the surface, and the way out through a plane at `height` < 0 no longer than it may be? Planes of triangles far
 * away pass high above p. */
static bool is_overlap(const meeting *t, crn_vec3 p, double height)
{
    crn_field_face above;
    return crn_field_face_under(&t->field, p.x, p.y, &above) &&
           height >= OUT_OF_THE_WAY * crn_field_over(&above, p) - t->tolerance;
}

static void meet_lowest(meeting *t, const crn_field_face *face, crn_vec3 p, int number)
{
    double height = crn_field_over(face, p);
    if (height <= t->reach && foot_in(t, face, p, height) && (height >= 0.0 || is_overlap(t, p, height))) {
        meet(t, p, face->normal, height, key_of(t, KEY_FACE, number, face->upper, face->i, face->j));
    }
}

/* The support point of a smooth core; of a drum the lowest points of its rims. */
static void meet_face(meeting *t, const crn_field_face *face)
{
    crn_vec3 d = crn_v3_scale(-1.0, face->normal), p;
    int vertex = 0;
    if (t->solid.kind == CRN_CORE_SMOOTH) {
        meet_lowest(t, face, crn_solid_support(&t->solid, d, &vertex), 0);
        return;
    }
    crn_side side;
    crn_side_of(&side, &t->solid, d, (double)INFINITY, CRN_SIDE_SLACK, 0);
    for (int k = 32; k < 34; ++k) {
        if (crn_side_vertex(&side, k, &p)) {
            meet_lowest(t, face, p, k);
        }
    }
}

static void meet_faces(meeting *t)
{
    for (int j = t->range.low_j; j < t->range.high_j; ++j) {
        for (int k = 2 * t->range.low_i; k < 2 * t->range.high_i; ++k) {
            crn_field_face face = crn_field_face_at(&t->field, k / 2, j, k % 2);
            meet_face(t, &face);
        }
    }
}

/* --- Edges --- */

/* Touches from `first` on are in the field's frame and have keys of a patch: give them those of the field. */
static void rename_touches(meeting *t, int first, int way, int i, int j)
{
    for (int k = first; k < t->out->count && k < t->out->capacity; ++k) {
        crn_touch *touch = &t->out->touch[k];
        int kind = (int)(touch->key >> 30), of_a = (int)(touch->key >> 15 & 0x7fff), last = (int)(touch->key & 0x7fff);
        touch->key = kind == CRN_KEY_EDGE_EDGE ? key_of(t, KEY_CROSSING, of_a, way, i, j)
                                               : key_of(t, KEY_ALONG, of_a == 0 ? last : 0, way, i, j);
        touch->point = crn_frame_point(t->frame, touch->point);
        touch->normal = crn_m3_times(&t->frame->rotation, touch->normal);
    }
}

static double lowest_since(const crn_touches *out, int first)
{
    double lowest = (double)INFINITY;
    for (int k = first; k < out->count && k < out->capacity; ++k) {
        lowest = out->touch[k].gap < lowest ? out->touch[k].gap : lowest;
    }
    return lowest;
}

/* An overlap under the end of an edge that runs on into the ground (a saddle) belongs to no edge there: let such ends reach
 * further. */
static void extend(const meeting *t, double depth, crn_field_edge *edge)
{
    crn_vec3 further = crn_v3_scale(REFLEX * depth, crn_v3_unit(crn_v3_sub(edge->to, edge->from)));
    crn_vec3 past[2] = {crn_v3_sub(edge->from, further), crn_v3_add(edge->to, further)};
    crn_field_face face;
    for (int k = 0; k < 2; ++k) {
        if (crn_field_face_under(&t->field, past[k].x, past[k].y, &face) && crn_field_over(&face, past[k]) < 0.0) {
            *(k == 0 ? &edge->from : &edge->to) = past[k];
        }
    }
}

static void meet_edge(meeting *t, int i, int j, int way)
{
    crn_field_edge edge;
    if (crn_field_edge_top(&t->field, i, j, way) < t->lowest - t->reach ||
        !crn_field_edge_at(&t->field, i, j, way, &edge)) {
        return;
    }
    /* any direction of the arc is a lower bound */
    crn_vec3 middle = crn_v3_unit(crn_v3_add(edge.normal[0], edge.normal[1]));
    int vertex = 0;
    crn_vec3 p = crn_solid_support(&t->solid, crn_v3_scale(-1.0, middle), &vertex);
    if (crn_v3_dot(middle, crn_v3_sub(p, edge.from)) - t->solid.radius > t->reach) {
        return;
    }
    bool is_end;
    crn_gap gap;
    gap.normal = crn_ridge_best(&t->solid, &edge, &gap.gap, &is_end);
    if (gap.gap > t->reach) {
        return;
    }
    double of_core = gap.gap + t->solid.radius;
    if (of_core < 0.0) {
        extend(t, -of_core, &edge);
    }
    p = gap.on_a = crn_solid_support(&t->solid, crn_v3_scale(-1.0, gap.normal), &vertex);
    gap.on_b = edge.from;
    gap.vertex_a = vertex;
    gap.vertex_b = 0;
    int first = t->out->count;
    if (t->solid.kind != CRN_CORE_POINT && t->solid.kind != CRN_CORE_SMOOTH) {
        crn_solid segment;
        crn_solid_segment(&segment, edge.from, edge.to);
        crn_patch_find(&t->solid, &segment, &gap, t->reach, crn_v3(0, 0, 0), CRN_PATCH_NOT_OF_B | CRN_PATCH_NO_DEEPEST,
                       t->out);
        rename_touches(t, first, way, i, j);
    }
    if (!is_end && crn_ridge_is_under(&t->solid, &edge, gap.normal, p) &&
        lowest_since(t->out, first) > gap.gap + t->tolerance) {
        meet(t, p, gap.normal, gap.gap + t->solid.radius, key_of(t, KEY_VERTEX, 0, 1 + way, i, j));
    }
}

/* --- Vertices of the field --- */

/* Is n an upward direction in which the surface falls away from v on all sides, up to slack? */
static bool is_on_cone(crn_vec3 v, const crn_vec3 *around, int count, crn_vec3 n, double slack)
{
    if (!(n.z > 0.0)) { /* into the ground: all pits fall away downward */
        return false;
    }
    for (int k = 0; k < count; ++k) {
        crn_vec3 d = crn_v3_sub(around[k], v);
        double rise = crn_v3_dot(n, d);
        if (rise > 0.0 && rise * rise > slack * slack * crn_v3_dot(d, d)) {
            return false;
        }
    }
    return true;
}

/* Is v outside of the core? */
static bool is_outside(const crn_solid *s, crn_vec3 v)
{
    crn_vec3 p = crn_m3_transposed_times(&s->rotation, crn_v3_sub(v, s->centre)), e = s->size;
    switch (s->kind) {
    case CRN_CORE_DRUM: {
        double width = crn_drum_width(s, p.z);
        return fabs(p.z) > e.y || p.x * p.x + p.y * p.y > width * width;
    }
    case CRN_CORE_SMOOTH: return s->smooth->outside(e, p) > 0.0;
    case CRN_CORE_POLYHEDRON: break;
    default: return true; /* no inside */
    }
    for (int f = 0; f < s->faces; ++f) {
        crn_vec3 o = crn_v3_of(s->vertex + 3 * (ptrdiff_t)s->face_vertex[s->face_start[f]]);
        if (crn_v3_dot(crn_v3_of(s->face_normal + 3 * (ptrdiff_t)f), crn_v3_sub(p, o)) > 0.0) {
            return true;
        }
    }
    return false;
}

/* A face or cap of the solid that lies on v: the one with the largest gap. A vertex behind a face, but not inside of the
 * solid, does not touch it. */
static bool meet_solid_face(meeting *t, crn_vec3 v, const crn_vec3 *around, int count, uint32_t key)
{
    const crn_solid *s = &t->solid;
    int faces = s->kind == CRN_CORE_POLYHEDRON ? s->faces : s->kind == CRN_CORE_DRUM ? 2 : 0;
    double most = -(double)INFINITY, least = faces > 0 && is_outside(s, v) ? 0.0 : most;
    crn_vec3 best = crn_v3(0, 0, 1);
    for (int f = 0; f < faces; ++f) {
        crn_vec3 normal, point;
        if (s->kind == CRN_CORE_POLYHEDRON) {
            normal = crn_solid_normal(s, f);
            point = crn_solid_vertex(s, s->face_vertex[s->face_start[f]]);
        } else {
            normal = crn_v3_scale(f == 0 ? -1.0 : 1.0, crn_solid_axis(s));
            point = crn_v3_axpy(s->centre, s->size.y, normal);
        }
        double height = crn_v3_dot(normal, crn_v3_sub(v, point));
        crn_vec3 n = crn_v3_scale(-1.0, normal);
        if (height > most && height >= least && height <= t->reach && is_on_cone(v, around, count, n, CRN_SIDE_SLACK)) {
            crn_side side = {.solid = s};
            bool is_apex = s->kind == CRN_CORE_DRUM && !(crn_drum_radius(s, f) > 0.0);
            if (!is_apex && crn_side_holds(&side, f, crn_v3_axpy(v, height, n), t->tolerance)) {
                most = height;
                best = n;
            }
        }
    }
    if (most > -(double)INFINITY) {
        meet(t, crn_v3_axpy(v, most, best), best, most, key);
        return true;
    }
    return false;
}

static void meet_field_vertex(meeting *t, int i, int j)
{
    crn_vec3 around[6], v = crn_field_vertex(&t->field, i, j);
    bool is_convex;
    int count = crn_field_around(&t->field, i, j, around, &is_convex);
    if (!is_convex || v.z < t->lowest - t->reach) {
        return;
    }
    uint32_t key = key_of(t, KEY_VERTEX, 0, 0, i, j);
    if (meet_solid_face(t, v, around, count, key)) {
        return;
    }
    crn_solid point;
    crn_gap gap;
    crn_solid_point(&point, v);
    if (crn_gap_find(&t->solid, &point, t->reach, &gap) && is_on_cone(v, around, count, gap.normal, OFF_CONE)) {
        double height = gap.gap + t->solid.radius;
        crn_vec3 p = crn_v3_axpy(v, height, gap.normal);
        meet(t, p, gap.normal, height, key);
    }
}

static void meet_edges_and_vertices(meeting *t)
{
    for (int j = t->range.low_j; j <= t->range.high_j; ++j) {
        for (int i = t->range.low_i; i <= t->range.high_i; ++i) {
            for (int way = 0; way < 3; ++way) {
                meet_edge(t, i, j, way);
            }
            meet_field_vertex(t, i, j);
        }
    }
}

/* --- Vertices of the field inside of the solid that nothing pushes out --- */

/* Would one of the touches since `first`, by itself, push v out of the solid? */
static bool is_pushed_out(const meeting *t, crn_vec3 v, int first)
{
    for (int k = first; k < t->out->count && k < t->out->capacity; ++k) {
        const crn_touch *touch = &t->out->touch[k];
        if (touch->gap < 0.0) {
            crn_vec3 n = crn_m3_transposed_times(&t->frame->rotation, touch->normal);
            if (is_outside(&t->solid, crn_v3_axpy(v, touch->gap * (1.0 + STILL_INSIDE) - t->tolerance, n))) {
                return true;
            }
        }
    }
    return false;
}

static crn_vec3 normal_at(const crn_field *f, int i, int j)
{
    crn_vec3 sum = crn_v3(0, 0, 0);
    for (int k = 0; k < 8; ++k) {
        int cell_i = i - (k & 1), cell_j = j - (k >> 1 & 1);
        if (cell_i >= 0 && cell_j >= 0 && cell_i < f->rows - 1 && cell_j < f->columns - 1) {
            sum = crn_v3_add(sum, crn_field_face_at(f, cell_i, cell_j, k >> 2).normal);
        }
    }
    return crn_v3_unit(sum);
}

/* How far v, inside of the solid, must go along -n to come out. */
static double depth_along(const meeting *t, crn_vec3 v, crn_vec3 n)
{
    double low = 0.0, high = 2.0 * t->solid.extent;
    for (int k = 0; k < ARC_STEPS; ++k) {
        double middle = 0.5 * (low + high);
        if (is_outside(&t->solid, crn_v3_axpy(v, -middle, n))) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return high;
}

/* The way out of the solid is sought among the directions of v, by steps to all sides that get shorter; where v has none (a
 * saddle) it is the mean normal. */
static void push_out(meeting *t, int i, int j, crn_vec3 v)
{
    crn_vec3 around[6], n = normal_at(&t->field, i, j);
    bool is_convex;
    int count = crn_field_around(&t->field, i, j, around, &is_convex), vertex = 0;
    double s = crn_v3_dot(n, crn_v3_sub(crn_solid_support(&t->solid, crn_v3_scale(-1.0, n), &vertex), v));
    for (double step = PUSH_FIRST; step > PUSH_LAST && is_on_cone(v, around, count, n, OFF_CONE); step *= 0.5) {
        crn_vec3 x = crn_v3_orthogonal(n), y = crn_v3_cross(n, x);
        for (int k = 0; k < 8; ++k) {
            double a = k < 4 ? step : 0.7 * step, b = k < 4 ? 0.0 : 0.7 * step;
            crn_vec3 d = k & 1 ? crn_v3_axpy(crn_v3_scale(-a, x), b, y) : crn_v3_axpy(crn_v3_scale(a, x), b, y);
            crn_vec3 turned = k & 2 ? crn_v3_cross(n, d) : d, m = crn_v3_unit(crn_v3_add(n, turned));
            double own = crn_v3_dot(m, crn_v3_sub(crn_solid_support(&t->solid, crn_v3_scale(-1.0, m), &vertex), v));
            if (own > s && is_on_cone(v, around, count, m, OFF_CONE)) {
                s = own;
                n = m;
            }
        }
    }
    double depth = depth_along(t, v, n);
    meet(t, crn_v3_axpy(v, -depth, n), n, -depth, key_of(t, KEY_VERTEX, 0, 0, i, j));
}

static void meet_buried_vertices(meeting *t, int first)
{
    for (int j = t->range.low_j; j <= t->range.high_j; ++j) {
        for (int i = t->range.low_i; i <= t->range.high_i; ++i) {
            crn_vec3 v = crn_field_vertex(&t->field, i, j);
            if (v.z > t->lowest && !is_outside(&t->solid, v) && !is_pushed_out(t, v, first)) {
                push_out(t, i, j, v);
            }
        }
    }
}

/* --- All --- */

/* Nothing found, but the lowest point is below the surface: out along the normal above it. */
static void meet_deep(meeting *t)
{
    int vertex = 0;
    crn_vec3 p = crn_solid_support(&t->solid, crn_v3(0, 0, -1), &vertex);
    crn_field_face face;
    if (crn_field_face_under(&t->field, p.x, p.y, &face) && crn_field_over(&face, p) < 0.0) {
        p = crn_solid_support(&t->solid, crn_v3_scale(-1.0, face.normal), &vertex);
        meet(t, p, face.normal, crn_field_over(&face, p), key_of(t, KEY_VERTEX, 1, 0, face.i, face.j));
    }
}

static void set_range(meeting *t)
{
    double grow = t->reach + t->solid.radius, low[2], high[2];
    int vertex = 0;
    for (int k = 0; k < 2; ++k) {
        double p[3];
        crn_vec3 axis = crn_v3(k == 0, k == 1, 0);
        crn_v3_to(crn_solid_support(&t->solid, axis, &vertex), p);
        high[k] = p[k] + grow;
        crn_v3_to(crn_solid_support(&t->solid, crn_v3_scale(-1.0, axis), &vertex), p);
        low[k] = p[k] - grow;
    }
    t->lowest = crn_solid_support(&t->solid, crn_v3(0, 0, -1), &vertex).z - t->solid.radius;
    t->range = crn_field_cells(&t->field, low[0], high[0], low[1], high[1]);
}

/* Is the solid higher than all samples near it? */
static bool is_above_all(const meeting *t)
{
    const crn_field *f = &t->field;
    for (int j = t->range.low_j; j <= t->range.high_j; ++j) {
        for (int i = t->range.low_i; i <= t->range.high_i; ++i) {
            if (f->height[(size_t)i + (size_t)f->rows * (size_t)j] >= t->lowest - t->reach) {
                return false;
            }
        }
    }
    return true;
}

/* a: a convex solid, b: the field. */
static void collide(const crn_query *query, crn_touches *out)
{
    meeting t = {.field = crn_field_of(query->b), .frame = query->frame_b, .reach = query->reach, .out = out};
    crn_frame frame = {crn_m3_transposed_product(&query->frame_b->rotation, &query->frame_a->rotation),
                       crn_frame_local(query->frame_b, query->frame_a->position)};
    if (!crn_solid_of(&t.solid, query->a, &frame, crn_v3(0, 0, 0))) {
        return;
    }
    crn_solid_moves(&t.solid, &query->motion, &query->frame_b->rotation);
    set_bits(&t);
    set_range(&t);
    if (t.range.low_i >= t.range.high_i || t.range.low_j >= t.range.high_j || is_above_all(&t)) {
        return;
    }
    t.tolerance = BESIDE * (t.solid.extent + t.solid.radius);
    int first = out->count;
    meet_vertices(&t);
    if (t.solid.kind == CRN_CORE_DRUM || t.solid.kind == CRN_CORE_SMOOTH) {
        meet_faces(&t);
    }
    meet_edges_and_vertices(&t);
    meet_buried_vertices(&t, first);
    if (out->count == first) {
        meet_deep(&t);
    }
}

bool crn_collide_field(const crn_query *query, crn_touches *out)
{
    bool is_turned = query->a->type->traits.has_grid;
    if (!is_turned && !query->b->type->traits.has_grid) {
        return false;
    }
    crn_query other = crn_query_turned(query);
    int first = out->count;
    collide(is_turned ? &other : query, out);
    if (is_turned) {
        crn_touches_turn(out, first);
    }
    return true;
}
