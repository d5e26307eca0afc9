/* Convex solids with each other, but for the pairs of primitive.c.
 *
 * Order. The first solid is the one of lower kind; of one kind the larger; of equals the one that lies lower along a
 * slanted direction, then by position and rotation. So swapping a and b repeats the same computation and turns its normals
 * round: the mirror image is exact. (Two equal shapes in the same place have no order: there the swapped call is the same
 * call.) */
#include "collide/convex/patch.h"

/* --- Order --- */

/* Sign of the first difference; 0 if there is none. */
static int compare_shapes(const crn_shape *a, const crn_shape *b)
{
    double x[4] = {a->radius, 0, 0, 0}, y[4] = {b->radius, 0, 0, 0};
    crn_v3_to(a->def.size, x + 1);
    crn_v3_to(b->def.size, y + 1);
    int by_size = crn_compare_numbers(x, y, 4);
    if (by_size != 0 || a->polyhedron == NULL) {
        return by_size;
    }
    int more = a->polyhedron->vertices - b->polyhedron->vertices;
    uint64_t of_a = a->polyhedron->digest, of_b = b->polyhedron->digest;
    return more != 0 ? more : (of_a > of_b) - (of_a < of_b);
}

/* Does b come before a? */
static bool is_turned(const crn_query *q)
{
    if (q->a->def.kind != q->b->def.kind) {
        return crn_query_is_kind_turned(q);
    }
    int by_shape = compare_shapes(q->a, q->b);
    if (by_shape != 0) {
        return by_shape < 0;
    }
    return crn_query_is_above(q);
}

/* --- Pairs --- */

static void solid_solid(const crn_query *q, crn_touches *out)
{
    crn_solid a, b;
    crn_gap gap;
    crn_vec3 origin = q->frame_a->position;
    if (!crn_solid_of(&a, q->a, q->frame_a, origin) || !crn_solid_of(&b, q->b, q->frame_b, origin)) {
        return;
    }
    crn_solid_moves(&a, &q->motion, NULL);
    crn_solid_moves(&b, &q->motion, NULL);
    double apart = crn_v3_length(b.centre) - a.extent - b.extent - a.radius - b.radius;
    if (apart <= q->reach && crn_gap_find(&a, &b, q->reach, &gap)) {
        crn_patch_find(&a, &b, &gap, q->reach, origin, 0, out);
    }
}

bool crn_collide_convex(const crn_query *query, crn_touches *out)
{
    if (query->a->type->core == NULL || query->b->type->core == NULL) {
        return false;
    }
    if (!is_turned(query)) {
        solid_solid(query, out);
        return true;
    }
    crn_query other = crn_query_turned(query);
    int first = out->count;
    solid_solid(&other, out);
    crn_touches_turn(out, first);
    return true;
}
