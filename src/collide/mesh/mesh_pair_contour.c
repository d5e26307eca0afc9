/* Where two surfaces cross: edges through triangles, joined to contours.
 *
 * Two triangles cross in a segment whose ends are such crossings, so crossings that share a pair of triangles belong
 * together. A contour tells how deep the overlap around it may be: by its extent along the mean normal of what it
 * crosses, and by the depth of the ends of its edges that are inside. Sums are formed in the order of (whose edge,
 * edge, triangle), so that the order of the search does not matter. */
#include "collide/mesh/mesh_pair.h"
#include "math/forest.h"

#include <string.h>

static bool comes_before(const crn_crossing *x, const crn_crossing *y)
{
    if (x->of != y->of) {
        return x->of < y->of;
    }
    return x->edge != y->edge ? x->edge < y->edge : x->face < y->face;
}

static bool is_crossing_before(const void *context, int i, int k)
{
    const crn_crossing *c = (const crn_crossing *)context;
    return comes_before(&c[i], &c[k]);
}

static bool is_link_before(const void *context, int i, int k)
{
    const crn_link *l = (const crn_link *)context;
    if (l[i].a != l[k].a) {
        return l[i].a < l[k].a;
    }
    return l[i].b != l[k].b ? l[i].b < l[k].b : l[i].crossing < l[k].crossing;
}

static bool is_inner_before(const void *context, int i, int k)
{
    const crn_crossing *c = (const crn_crossing *)context;
    if (c[i].of != c[k].of) {
        return c[i].of < c[k].of;
    }
    return c[i].inner != c[k].inner ? c[i].inner < c[k].inner : i < k;
}

/* 0 .. count - 1, in the spare list; NULL without memory. room: how many more numbers. */
static int *numbers(crn_mesh_pair *t, int count, int room)
{
    if (!crn_scratch_reserve(t->scratch, CRN_LIST_SPARE, count + room, sizeof(int))) {
        return NULL;
    }
    int *number = (int *)t->scratch->list[CRN_LIST_SPARE].item;
    for (int k = 0; k < count; ++k) {
        number[k] = k;
    }
    return number;
}

static bool sort_crossings(crn_mesh_pair *t)
{
    int *order = numbers(t, t->crossings, 0);
    if (order == NULL || !crn_scratch_reserve(t->scratch, CRN_LIST_CROSSING, 2 * t->crossings, sizeof *t->crossing)) {
        return false;
    }
    t->crossing = (crn_crossing *)t->scratch->list[CRN_LIST_CROSSING].item;
    crn_sort_numbers(order, t->crossings, is_crossing_before, t->crossing);
    crn_crossing *sorted = t->crossing + t->crossings;
    for (int k = 0; k < t->crossings; ++k) {
        sorted[k] = t->crossing[order[k]];
    }
    memcpy(t->crossing, sorted, (size_t)t->crossings * sizeof *sorted);
    return true;
}

/* Each crossing lies on the triangle and on both faces of the edge. */
static int make_links(const crn_mesh_pair *t, crn_link *l)
{
    int count = 0;
    for (int k = 0; k < t->crossings; ++k) {
        const crn_crossing *c = &t->crossing[k];
        const int *face = (c->of == 0 ? t->a : t->b)->edge[c->edge].face;
        for (int i = 0; i < 2; ++i) {
            if (face[i] >= 0) {
                l[count++] = c->of == 0 ? (crn_link){face[i], c->face, k} : (crn_link){c->face, face[i], k};
            }
        }
    }
    return count;
}

/* crossing.contour = lowest crossing of the same contour */
static bool join_crossings(crn_mesh_pair *t)
{
    int most = 2 * t->crossings;
    if (!crn_scratch_reserve(t->scratch, CRN_LIST_LINK, most, sizeof(crn_link))) {
        return false;
    }
    crn_link *l = (crn_link *)t->scratch->list[CRN_LIST_LINK].item;
    int count = make_links(t, l), *order = numbers(t, count, t->crossings);
    if (order == NULL) {
        return false;
    }
    int *parent = order + count;
    for (int k = 0; k < t->crossings; ++k) {
        parent[k] = k;
    }
    crn_sort_numbers(order, count, is_link_before, l);
    for (int k = 1; k < count; ++k) {
        const crn_link *x = &l[order[k - 1]], *y = &l[order[k]];
        if (x->a == y->a && x->b == y->b) {
            (void)crn_forest_join(parent, x->crossing, y->crossing);
        }
    }
    for (int k = 0; k < t->crossings; ++k) {
        t->crossing[k].contour = crn_forest_root(parent, k);
    }
    return true;
}

/* Number the contours and give each its box, middle and normal. */
static bool measure(crn_mesh_pair *t)
{
    if (!crn_scratch_reserve(t->scratch, CRN_LIST_CONTOUR, t->crossings, sizeof *t->contour)) {
        return false;
    }
    t->contour = (crn_contour *)t->scratch->list[CRN_LIST_CONTOUR].item;
    t->contours = 0;
    for (int k = 0; k < t->crossings; ++k) {
        crn_crossing *c = &t->crossing[k];
        double p[3];
        crn_v3_to(c->point, p);
        if (c->contour == k) { /* the root comes first */
            crn_contour *fresh = &t->contour[t->contours];
            *fresh = (crn_contour){.first = k, .least = (double)INFINITY, .most = -(double)INFINITY};
            memcpy(fresh->low, p, sizeof p);
            memcpy(fresh->high, p, sizeof p);
            c->contour = t->contours++;
        } else {
            c->contour = t->crossing[c->contour].contour;
        }
        crn_contour *x = &t->contour[c->contour];
        for (int i = 0; i < 3; ++i) {
            x->low[i] = crn_pair_smaller(x->low[i], p[i]);
            x->high[i] = crn_pair_larger(x->high[i], p[i]);
        }
        x->middle = crn_v3_add(x->middle, c->point);
        x->normal = crn_v3_add(x->normal, c->normal);
        x->crossings++;
    }
    return true;
}

/* Mean normals shorter than this cancel. */
#define NO_NORMAL 1e-3

static void finish(crn_mesh_pair *t)
{
    for (int k = 0; k < t->contours; ++k) {
        crn_contour *x = &t->contour[k];
        double length = crn_v3_length(x->normal);
        x->middle = crn_v3_scale(1.0 / x->crossings, x->middle);
        x->normal = crn_v3_scale(length > NO_NORMAL * x->crossings ? 1.0 / length : 0.0, x->normal);
    }
    for (int k = 0; k < t->crossings; ++k) {
        crn_contour *x = &t->contour[t->crossing[k].contour];
        crn_vec3 d = crn_v3_sub(t->crossing[k].point, t->crossing[x->first].point);
        double height = crn_v3_dot(x->normal, t->crossing[k].point);
        x->least = crn_pair_smaller(x->least, height);
        x->most = crn_pair_larger(x->most, height);
        x->along = crn_v3_dot(d, d) > crn_v3_dot(x->along, x->along) ? d : x->along;
    }
    for (int k = 0; k < t->crossings; ++k) {
        crn_contour *x = &t->contour[t->crossing[k].contour];
        crn_vec3 d = crn_v3_sub(t->crossing[k].point, t->crossing[x->first].point);
        double length = crn_v3_length(x->along);
        double width = length > 0.0 ? crn_v3_length(crn_v3_cross(d, x->along)) / length : 0.0;
        x->width = crn_pair_larger(x->width, width);
    }
}

/* Depths of the inner ends; each vertex is asked for once. */
static bool find_depths(crn_mesh_pair *t)
{
    int *order = numbers(t, t->crossings, 0);
    if (order == NULL) {
        return false;
    }
    crn_sort_numbers(order, t->crossings, is_inner_before, t->crossing);
    double depth = 0.0;
    for (int k = 0; k < t->crossings; ++k) {
        const crn_crossing *c = &t->crossing[order[k]], *last = k > 0 ? &t->crossing[order[k - 1]] : NULL;
        if (last == NULL || last->of != c->of || last->inner != c->inner) {
            depth = c->of == 0 ? -crn_pair_distance_b(t, t->a->vertex[c->inner])
                               : -crn_pair_distance_a(t, crn_pair_b_vertex(t, c->inner));
        }
        crn_contour *x = &t->contour[c->contour];
        x->depth = crn_pair_larger(x->depth, depth);
    }
    return true;
}

bool crn_pair_contours(crn_mesh_pair *t)
{
    t->contours = 0;
    if (t->crossings == 0) {
        return true;
    }
    if (!sort_crossings(t) || !join_crossings(t) || !measure(t)) {
        return false;
    }
    finish(t);
    return find_depths(t);
}

static bool is_in_box(const crn_contour *x, crn_vec3 p, double grow)
{
    double at[3];
    crn_v3_to(p, at);
    for (int k = 0; k < 3; ++k) {
        if (at[k] < x->low[k] - grow || at[k] > x->high[k] + grow) {
            return false;
        }
    }
    return true;
}

/* An inner end that lies x inside needs a motion of x at least: pairs that ask for less than this part of it explain
 * nothing. */
#define DEEP_ENOUGH 0.5

/* Does a kept pair without a gap, and as deep as the contour asks, lie at it; or is that a bare touch, of points in a
 * line? */
static bool is_explained(const crn_mesh_pair *t, const crn_contour *x)
{
    if (x->width <= 2.0 * t->tolerance) {
        return true;
    }
    for (int k = 0; k < t->kept_count; ++k) {
        const crn_feature_pair *f = &t->found[t->kept[k]];
        double grow = t->tolerance + fabs(f->gap);
        if (f->gap <= t->tolerance - DEEP_ENOUGH * x->depth &&
            (is_in_box(x, f->on_a, grow) || is_in_box(x, f->on_b, grow))) {
            return true;
        }
    }
    return false;
}

bool crn_pair_explain(crn_mesh_pair *t)
{
    bool all = true;
    for (int k = 0; k < t->contours; ++k) {
        t->contour[k].is_explained = is_explained(t, &t->contour[k]);
        all = all && t->contour[k].is_explained;
    }
    return all;
}
