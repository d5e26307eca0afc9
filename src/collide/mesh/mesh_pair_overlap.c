/* Of the negative pairs: which are real, and which are needed.
 *
 * Real. A vertex behind the plane of a face need not be inside of the body. VF is kept if v is inside of b, FV if v
 * is inside of a, EE if either point is inside of the other body (of acute wedges one of them is not). A point on the
 * surface, where rounding decides, counts as inside for a gap that is rounding too; for a deeper one it does not:
 * then it touches another face, and only lies behind the plane of this one.
 *
 * Needed. Where a corner has passed several faces of a convex corner one way out is enough, and asking for all of
 * them would throw the bodies apart. From the shallowest on: c is dropped if the motion D that the accepted ones o
 * near it ask for,
 *     n_o' D >= -gap_o,
 * takes its points out. In a concave corner it does not, and both walls stay. D is found by projecting onto one
 * half-space after the other, from 0 on, a few times. Bare touches count as overlaps of TOUCH for deeper candidates:
 * a vertex that touches one face may lie behind the plane of another, far from it. */
#include "collide/convex/drum.h"
#include "collide/mesh/mesh_pair.h"

/* Accepted pairs are near a candidate within so many times the sum of the depths, */
#define NEAR 3.0
/* and count if their normals differ: cosine of 25 degrees. The same normal leads the same way. */
#define SAME_WAY 0.9
/* Gaps up to so many tolerances are touches. */
#define TOUCH 2.0
/* Rounds of projections: corners have up to three walls. */
#define ROUNDS 8

/* --- Inside --- */

/* How far a point is outside of a convex solid, at most; negative inside. */
static double outside_solid(const crn_solid *s, crn_vec3 point)
{
    crn_vec3 p = crn_m3_transposed_times(&s->rotation, crn_v3_sub(point, s->centre)), e = s->size;
    double most = -(double)INFINITY;
    switch (s->kind) {
    case CRN_CORE_DRUM: {
        double lean = crn_drum_lean(s), aside = sqrt(p.x * p.x + p.y * p.y) - crn_drum_width(s, p.z);
        return crn_pair_larger(fabs(p.z) - e.y, sqrt(1.0 - lean * lean) * aside);
    }
    case CRN_CORE_SMOOTH: return s->smooth->outside(e, p);
    case CRN_CORE_POLYHEDRON: break;
    default: return (double)INFINITY; /* no inside */
    }
    for (int f = 0; f < s->faces; ++f) {
        crn_vec3 o = crn_v3_of(s->vertex + 3 * (ptrdiff_t)s->face_vertex[s->face_start[f]]);
        most = crn_pair_larger(most, crn_v3_dot(crn_v3_of(s->face_normal + 3 * (ptrdiff_t)f), crn_v3_sub(p, o)));
    }
    return most;
}

double crn_pair_distance_a(const crn_mesh_pair *t, crn_vec3 p)
{
    return t->solid != NULL ? outside_solid(t->solid, p) : crn_mesh_distance(t->a, p, NULL);
}

double crn_pair_distance_b(const crn_mesh_pair *t, crn_vec3 p)
{
    crn_vec3 q = crn_frame_local(&t->frame, p);
    if (t->ground != NULL) { /* over the triangle above or below: near the surface that is the distance */
        crn_field_face face;
        return crn_field_face_under(t->ground, q.x, q.y, &face) ? crn_field_over(&face, q) : (double)INFINITY;
    }
    return crn_mesh_distance(t->b, q, NULL);
}

static bool a_has_inside(const crn_mesh_pair *t)
{
    return t->solid != NULL || t->a->is_closed;
}

static bool b_has_inside(const crn_mesh_pair *t)
{
    return t->b->is_closed || t->ground != NULL;
}

/* Do the points of a pair overlap if a is moved by d: is one of them inside by more than -level? Without an inside
 * the face decides. */
static bool overlaps(const crn_mesh_pair *t, const crn_feature_pair *f, crn_vec3 d, double level)
{
    bool asks_b = f->type != CRN_FEATURE_FV && b_has_inside(t), asks_a = f->type != CRN_FEATURE_VF && a_has_inside(t);
    if (!asks_a && !asks_b) {
        return f->gap + crn_v3_dot(f->normal, d) < level;
    }
    return (asks_b && crn_pair_distance_b(t, crn_v3_add(f->on_a, d)) < level) ||
           (asks_a && crn_pair_distance_a(t, crn_v3_sub(f->on_b, d)) < level);
}

/* --- Real --- */

/* The vertex of a pair; -1 for two edges, and for solids, whose points have no place of their own. */
static int vertex_of(const crn_mesh_pair *t, const crn_feature_pair *f)
{
    return t->solid != NULL ? -1 : f->type == CRN_FEATURE_VF ? f->a : f->type == CRN_FEATURE_FV ? f->b : -1;
}

/* By type, then features; those of one vertex lie one behind another. */
static bool is_before(const void *context, int i, int k)
{
    const crn_feature_pair *found = (const crn_feature_pair *)context, *x = &found[i], *y = &found[k];
    if (x->type != y->type) {
        return x->type < y->type;
    }
    bool b_first = x->type == CRN_FEATURE_FV;
    int x1 = b_first ? x->b : x->a, y1 = b_first ? y->b : y->a, x2 = b_first ? x->a : x->b, y2 = b_first ? y->a : y->b;
    return x1 != y1 ? x1 < y1 : x2 < y2;
}

static bool is_shallower(const void *context, int i, int k)
{
    const crn_feature_pair *found = (const crn_feature_pair *)context;
    return found[i].gap != found[k].gap ? found[i].gap > found[k].gap : is_before(context, i, k);
}

/* Split the sorted numbers: gaps >= 0 are kept, real negative ones are moved to the front of order. Their count. */
static int keep_real(crn_mesh_pair *t, int *order)
{
    const crn_vec3 still = {0, 0, 0};
    int negative = 0, last = -1;
    bool is_last_real = false;
    for (int k = 0; k < t->found_count; ++k) {
        const crn_feature_pair *f = &t->found[order[k]];
        if (f->gap >= 0.0) {
            t->kept[t->kept_count++] = order[k];
            continue;
        }
        bool is_same = last >= 0 && vertex_of(t, f) >= 0 && t->found[last].type == f->type &&
                       vertex_of(t, f) == vertex_of(t, &t->found[last]);
        bool is_open =
            (f->type == CRN_FEATURE_VF && !b_has_inside(t)) || (f->type == CRN_FEATURE_FV && !a_has_inside(t));
        bool is_real = is_same && !is_open ? is_last_real : overlaps(t, f, still, t->tolerance);
        last = order[k];
        is_last_real = is_real;
        if (is_real &&
            (!is_open || t->solid != NULL || f->gap >= -t->reach)) { /* faces ask that of solids themselves */
            order[negative++] = order[k];
        }
    }
    return negative;
}

/* --- Needed --- */

static crn_vec3 middle_of(const crn_feature_pair *f)
{
    return crn_v3_scale(0.5, crn_v3_add(f->on_a, f->on_b));
}

static bool is_near(const crn_mesh_pair *t, const crn_feature_pair *c, const crn_feature_pair *o)
{
    if (vertex_of(t, c) >= 0 && c->type == o->type && vertex_of(t, c) == vertex_of(t, o)) {
        return true;
    }
    crn_vec3 d = crn_v3_sub(middle_of(c), middle_of(o));
    double distance = NEAR * (c->gap + o->gap);
    return crn_v3_dot(d, d) < distance * distance && crn_v3_dot(c->normal, o->normal) < SAME_WAY;
}

/* How far a kept pair asks a to move for the sake of candidate c; 0: not at all. */
static double asked_by(const crn_mesh_pair *t, const crn_feature_pair *o, const crn_feature_pair *c)
{
    double touch = TOUCH * t->tolerance;
    if (c->gap < -touch && o->gap <= touch) {
        return crn_pair_larger(-o->gap, touch);
    }
    return crn_pair_larger(-o->gap, 0.0);
}

bool crn_pair_still_overlaps(const crn_mesh_pair *t, int c, int first, bool everywhere)
{
    const crn_feature_pair *f = &t->found[c];
    int *near = (int *)t->scratch->list[CRN_LIST_SPARE].item, count = 0;
    for (int k = everywhere ? first : 0; k < t->kept_count; ++k) {
        const crn_feature_pair *o = &t->found[t->kept[k]];
        if (asked_by(t, o, f) > 0.0 && (everywhere || is_near(t, f, o))) {
            near[count++] = t->kept[k];
        }
    }
    if (count == 0) {
        return true;
    }
    crn_vec3 d = {0, 0, 0};
    for (int round = 0; round < ROUNDS; ++round) {
        for (int k = 0; k < count; ++k) {
            const crn_feature_pair *o = &t->found[near[k]];
            double missing = asked_by(t, o, f) - crn_v3_dot(o->normal, d);
            if (missing > 0.0) {
                d = crn_v3_axpy(d, missing, o->normal);
            }
        }
    }
    return overlaps(t, f, d, -t->tolerance);
}

bool crn_pair_filter(crn_mesh_pair *t)
{
    crn_collide_scratch *s = t->scratch;
    if (!crn_scratch_reserve(s, CRN_LIST_ORDER, t->found_count, sizeof(int)) ||
        !crn_scratch_reserve(s, CRN_LIST_KEPT, t->found_count, sizeof(int)) ||
        !crn_scratch_reserve(s, CRN_LIST_SPARE, t->found_count, sizeof(int))) {
        return false;
    }
    int *order = (int *)s->list[CRN_LIST_ORDER].item;
    t->kept = (int *)s->list[CRN_LIST_KEPT].item;
    t->kept_count = 0;
    for (int k = 0; k < t->found_count; ++k) {
        order[k] = k;
    }
    crn_sort_numbers(order, t->found_count, is_before, t->found);
    int negative = keep_real(t, order);
    crn_sort_numbers(order, negative, is_shallower, t->found);
    for (int k = 0; k < negative; ++k) {
        if (crn_pair_still_overlaps(t, order[k], 0, false)) {
            t->kept[t->kept_count++] = order[k];
        } else {
            s->is_chosen = true;
        }
    }
    return true;
}
