/* From a list of triangles to vertices that triangles share.
 *
 * Points at exactly the same place (-0 = +0) become one vertex. They are found by sorting along z, then y, then x with a
 * sort that keeps the order of equals: after it points at one place are neighbours, the one of lowest index first.
 * Vertices keep the order of the points; points that no triangle uses are left out. A triangle with two corners at one
 * place has collapsed and is dropped: its two other sides are then each other's mates. A triangle whose three different
 * corners lie on a line stays, because its neighbours need it to be closed; mesh_features.c gives it a normal. */
#include "collide/mesh/mesh_parts.h"

#include <math.h>

/* Half-edges are counted with int, and keys hold two vertices of 32 bits; the limit is also what fits in memory. */
#define MOST_TRIANGLES 0x0fffffff
#define MOST_POINTS    0x1fffffff

/* Sizes whose fifth power, the inertia, is a number; the same for smallness. */
#define LARGEST  1e50
#define SMALLEST 1e-50

crn_status crn_mesh_check(const crn_shape_def *def, crn_error *error)
{
    if (def->count < 3 || def->count > MOST_POINTS) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "count: must be at least 3 and at most %d, is %d", MOST_POINTS,
                        def->count);
    }
    if (def->triangle_count < 1 || def->triangle_count > MOST_TRIANGLES) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "triangle_count: must be at least 1 and at most %d, is %d",
                        MOST_TRIANGLES, def->triangle_count);
    }
    if (def->points == NULL || def->triangles == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s: missing", def->points == NULL ? "points" : "triangles");
    }
    for (size_t k = 0; k < 3 * (size_t)def->count; ++k) {
        if (!(fabs(def->points[k]) <= LARGEST)) {
            return crn_fail(error, CRN_ERR_ARGUMENT, "points[%zu]: %s", k,
                            isfinite(def->points[k]) ? "too large" : "not finite");
        }
    }
    for (size_t k = 0; k < 3 * (size_t)def->triangle_count; ++k) {
        if (def->triangles[k] < 0 || def->triangles[k] >= def->count) {
            return crn_fail(error, CRN_ERR_ARGUMENT, "triangles[%zu]: there is no point %d, only 0 .. %d", k,
                            def->triangles[k], def->count - 1);
        }
    }
    return CRN_OK;
}

/* list[0]: of each point the lowest point at the same place. */
static void find_same(crn_mesh_draft *d, const double *points)
{
    for (int i = 0; i < d->points; ++i) {
        d->item[i] = i;
    }
    for (int axis = 2; axis >= 0; --axis) {
        for (int i = 0; i < d->points; ++i) {
            d->key[i] = crn_radix_key(points[3 * (size_t)d->item[i] + (size_t)axis]);
        }
        crn_radix_sort(d->points, d->key, d->item, d->other_key, d->other_item);
    }
    for (int i = 0; i < d->points; ++i) {
        const double *own = points + 3 * (size_t)d->item[i];
        const double *last = i > 0 ? points + 3 * (size_t)d->item[i - 1] : NULL;
        bool is_same = last != NULL && own[0] == last[0] && own[1] == last[1] && own[2] == last[2];
        d->list[0][d->item[i]] = is_same ? d->list[0][d->item[i - 1]] : d->item[i];
    }
}

/* Triangles whose corners differ, by points; numbering makes vertices of these. */
static void keep_triangles(crn_mesh_draft *d, const int *triangles)
{
    d->triangles = 0;
    for (size_t t = 0; t < (size_t)d->given; ++t) {
        int a = d->list[0][triangles[3 * t]], b = d->list[0][triangles[3 * t + 1]],
            c = d->list[0][triangles[3 * t + 2]];
        if (a != b && b != c && c != a) {
            int *to = d->face + 3 * (size_t)d->triangles;
            d->given_of[d->triangles++] = (int)t;
            to[0] = a;
            to[1] = b;
            to[2] = c;
        }
    }
}

/* Number the points that are in use, and write faces in these numbers. */
static void number_vertices(crn_mesh_draft *d, const double *points)
{
    int *number = d->list[1];
    for (int i = 0; i < d->points; ++i) {
        number[i] = -1;
    }
    for (int h = 0; h < 3 * d->triangles; ++h) {
        number[d->face[h]] = 0;
    }
    d->vertices = 0;
    for (int i = 0; i < d->points; ++i) {
        if (number[i] == 0) {
            const double *p = points + 3 * (size_t)i;
            d->vertex[d->vertices] = crn_v3(p[0] + 0.0, p[1] + 0.0, p[2] + 0.0); /* -0 becomes +0 */
            d->origin[d->vertices] = i;
            number[i] = d->vertices++;
        }
    }
    for (int h = 0; h < 3 * d->triangles; ++h) {
        d->face[h] = number[d->face[h]];
    }
}

static void find_bounds(crn_mesh_draft *d)
{
    for (int i = 0; i < d->vertices; ++i) {
        double p[3];
        crn_v3_to(d->vertex[i], p);
        for (int k = 0; k < 3; ++k) {
            d->low[k] = i == 0 || p[k] < d->low[k] ? p[k] : d->low[k];
            d->high[k] = i == 0 || p[k] > d->high[k] ? p[k] : d->high[k];
        }
    }
}

crn_status crn_mesh_weld(crn_mesh_draft *draft, const crn_shape_def *def, crn_error *error)
{
    find_same(draft, def->points);
    keep_triangles(draft, def->triangles);
    if (draft->triangles == 0) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "triangles: none of %d has three different corners", draft->given);
    }
    draft->facts.collapsed = draft->given - draft->triangles;
    number_vertices(draft, def->points);
    find_bounds(draft);
    crn_vec3 sides = crn_v3_sub(crn_v3_of(draft->high), crn_v3_of(draft->low));
    if (!(crn_v3_length(sides) >= SMALLEST)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "points: too small: %g across", crn_v3_length(sides));
    }
    return CRN_OK;
}
