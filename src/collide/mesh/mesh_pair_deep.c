/* Overlaps that the feature pairs within reach do not explain.
 *
 *   pierce     an edge has gone through a face, and its end lies behind it: back along the face's normal, however far.
 *              In each contour the shallowest direction wins. This pulls a spike that went right through a wall back
 *              the way it came.
 *   mean       nothing negative at all: apart along the mean normal of the crossed triangles, by the contour's extent
 *   swallowed  no crossing, but one mesh lies inside of the other: out to the nearest point of the surface */
#include "collide/mesh/mesh_pair.h"

/* Directions within 25 degrees count as one. */
#define ONE_WAY 0.90630778703664996

/* --- Pierce --- */

/* The pair of a vertex and a plane that crossing c stands for; false if the vertex does not look at the plane. */
static bool pierced_by(const crn_mesh_pair *t, const crn_crossing *c, crn_feature_pair *f)
{
    if (c->of == 0) {
        crn_vec3 v = t->a->vertex[c->inner], p = crn_pair_b_vertex(t, t->b->face[3 * (ptrdiff_t)c->face]);
        double gap = crn_v3_dot(c->normal, crn_v3_sub(v, p));
        *f = (crn_feature_pair){CRN_FEATURE_VF, c->inner, c->face, gap, c->normal, v, crn_v3_axpy(v, -gap, c->normal)};
        return crn_pair_is_extremal(t->a, c->inner, c->normal);
    }
    crn_vec3 m = crn_v3_scale(-1.0, c->normal), v = crn_pair_b_vertex(t, c->inner);
    crn_vec3 p = t->a->vertex[t->a->face[3 * (ptrdiff_t)c->face]];
    double gap = crn_v3_dot(m, crn_v3_sub(v, p));
    *f = (crn_feature_pair){CRN_FEATURE_FV, c->face, c->inner, gap, c->normal, crn_v3_axpy(v, -gap, m), v};
    return crn_pair_is_extremal(t->b, c->inner, crn_m3_transposed_times(&t->frame.rotation, m));
}

static bool is_known(const crn_mesh_pair *t, const crn_feature_pair *f)
{
    for (int k = 0; k < t->kept_count; ++k) {
        const crn_feature_pair *o = &t->found[t->kept[k]];
        if (o->type == f->type && o->a == f->a && o->b == f->b) {
            return true;
        }
    }
    return false;
}

bool crn_pair_keep(crn_mesh_pair *t, const crn_feature_pair *f)
{
    if (!crn_pair_add(t, f->type, f->a, f->b, f->gap, f->normal, f->on_a, f->on_b) ||
        !crn_scratch_reserve(t->scratch, CRN_LIST_KEPT, t->kept_count + 1, sizeof(int))) {
        return false;
    }
    t->kept = (int *)t->scratch->list[CRN_LIST_KEPT].item;
    t->kept[t->kept_count++] = t->found_count - 1;
    return true;
}

/* The crossing with the shallowest pair, of each contour that is not explained. */
static void find_shallowest(crn_mesh_pair *t)
{
    crn_feature_pair f;
    for (int k = 0; k < t->contours; ++k) {
        t->contour[k].shallowest = -1;
        t->contour[k].shallow_gap = -(double)INFINITY;
    }
    for (int k = 0; k < t->crossings; ++k) {
        crn_contour *x = &t->contour[t->crossing[k].contour];
        if (!x->is_explained && pierced_by(t, &t->crossing[k], &f) && f.gap > x->shallow_gap) {
            x->shallow_gap = f.gap;
            x->shallowest = k;
        }
    }
}

/* All pairs of the contour along the direction of the shallowest, unless what has been pulled back so far suffices. */
static bool pierce_contour(crn_mesh_pair *t, int contour, const crn_feature_pair *best, int first)
{
    int before = t->kept_count;
    if (!crn_scratch_reserve(t->scratch, CRN_LIST_SPARE, t->found_count + t->crossings + 1, sizeof(int))) {
        return false;
    }
    if (before > first) {
        if (!crn_pair_add(t, best->type, best->a, best->b, best->gap, best->normal, best->on_a, best->on_b)) {
            return false;
        }
        bool is_needed = crn_pair_still_overlaps(t, t->found_count - 1, first, true);
        t->found_count--;
        if (!is_needed) {
            return true;
        }
    }
    for (int k = t->contour[contour].first; k < t->crossings; ++k) {
        crn_feature_pair f;
        if (t->crossing[k].contour == contour && pierced_by(t, &t->crossing[k], &f) &&
            crn_v3_dot(f.normal, best->normal) >= ONE_WAY && !is_known(t, &f) && !crn_pair_keep(t, &f)) {
            return false;
        }
    }
    return true;
}

/* Contours that nothing explains, the shallowest way back first. */
static bool pierce_all(crn_mesh_pair *t)
{
    int first = t->kept_count;
    find_shallowest(t);
    for (;;) {
        int contour = -1;
        for (int k = 0; k < t->contours; ++k) {
            const crn_contour *x = &t->contour[k];
            if (x->shallowest >= 0 && (contour < 0 || x->shallow_gap > t->contour[contour].shallow_gap)) {
                contour = k;
            }
        }
        if (contour < 0) {
            return true;
        }
        crn_feature_pair best;
        (void)pierced_by(t, &t->crossing[t->contour[contour].shallowest], &best);
        t->contour[contour].is_explained = true;
        t->contour[contour].shallowest = -1;
        if (!pierce_contour(t, contour, &best, first)) {
            return false;
        }
    }
}

/* --- Mean normal --- */

bool crn_pair_has_negative(const crn_mesh_pair *t)
{
    for (int k = 0; k < t->kept_count; ++k) {
        if (t->found[t->kept[k]].gap < 0.0) {
            return true;
        }
    }
    return false;
}

static bool part_along_mean(crn_mesh_pair *t)
{
    for (int k = 0; k < t->contours; ++k) {
        const crn_contour *x = &t->contour[k];
        const crn_crossing *c = &t->crossing[x->first];
        if (x->is_explained) {
            continue;
        }
        bool is_normal = crn_v3_dot(x->normal, x->normal) > 0.0;
        crn_vec3 n = is_normal ? x->normal : c->normal;
        double extent = is_normal ? x->most - x->least : x->depth;
        crn_feature_pair f = {.type = c->of == 0 ? CRN_FEATURE_DEEP_A : CRN_FEATURE_DEEP_B,
                              .a = c->of == 0 ? c->edge : c->face,
                              .b = c->of == 0 ? c->face : c->edge,
                              .gap = -crn_pair_larger(extent, t->tolerance),
                              .normal = n};
        f.on_a = crn_v3_axpy(x->middle, 0.5 * f.gap, n);
        f.on_b = crn_v3_axpy(x->middle, -0.5 * f.gap, n);
        if (!crn_pair_keep(t, &f)) {
            return false;
        }
    }
    return true;
}

bool crn_pair_pierce(crn_mesh_pair *t)
{
    return pierce_all(t) && (crn_pair_has_negative(t) || part_along_mean(t));
}

/* --- Swallowed --- */

/* Least n'x over the vertices, and where. */
static int lowest_along(const crn_mesh *mesh, crn_vec3 n, double *height)
{
    int lowest = 0;
    *height = crn_v3_dot(n, mesh->vertex[0]);
    for (int v = 1; v < mesh->vertices; ++v) {
        double own = crn_v3_dot(n, mesh->vertex[v]);
        if (own < *height) {
            *height = own;
            lowest = v;
        }
    }
    return lowest;
}

/* Is `in`, whose frame in that of `out` is given, small enough, and a vertex of it inside? The way out, in the frame
 * of out. */
static bool is_swallowed(const crn_mesh *in, const crn_frame *frame, const crn_mesh *out, double tolerance,
                         crn_vec3 *way, crn_vec3 *exit)
{
    double p[3];
    crn_vec3 v = crn_frame_point(frame, in->vertex[0]);
    crn_v3_to(v, p);
    for (int k = 0; k < 3; ++k) {
        if (!out->is_closed || in->size >= out->size || p[k] < out->node[0].low[k] || p[k] > out->node[0].high[k]) {
            return false;
        }
    }
    double distance = crn_mesh_distance(out, v, exit);
    if (distance >= -tolerance) {
        return false;
    }
    *way = crn_v3_scale(-1.0 / distance, crn_v3_sub(*exit, v));
    return true;
}

bool crn_pair_swallowed(crn_mesh_pair *t)
{
    crn_vec3 way, exit;
    crn_frame back = {crn_m3_transposed_product(&t->frame.rotation, &(crn_mat3){{1, 0, 0, 0, 1, 0, 0, 0, 1}}),
                      crn_frame_local(&t->frame, crn_v3(0, 0, 0))};
    double lowest;
    if (t->ground == NULL && is_swallowed(t->a, &back, t->b, t->tolerance, &way, &exit)) {
        crn_vec3 n = crn_m3_times(&t->frame.rotation, way);
        int v = lowest_along(t->a, n, &lowest);
        double gap = lowest - crn_v3_dot(n, crn_frame_point(&t->frame, exit));
        crn_vec3 p = t->a->vertex[v];
        crn_feature_pair f = {CRN_FEATURE_DEEP_A, v, 0, gap, n, p, crn_v3_axpy(p, -gap, n)};
        return crn_pair_keep(t, &f);
    }
    if (t->ground == NULL && is_swallowed(t->b, &t->frame, t->a, t->tolerance, &way, &exit)) {
        int v = lowest_along(t->b, crn_m3_transposed_times(&t->frame.rotation, way), &lowest);
        crn_vec3 p = crn_pair_b_vertex(t, v);
        double gap = crn_v3_dot(way, crn_v3_sub(p, exit));
        crn_feature_pair f = {CRN_FEATURE_DEEP_B, 0, v, gap, crn_v3_scale(-1.0, way), crn_v3_axpy(p, -gap, way), p};
        return crn_pair_keep(t, &f);
    }
    return true;
}
