/* Sphere, box, capsule and plane among themselves, and a plane with every solid shape.
 *
 * Order. Features are named as (feature of the first shape, feature of the second), and where two directions are equally
 * good the first shape's is taken; so "first" must not depend on who is called a. It is what may move, then the lower kind; of one
 * kind the larger; of equals the one that lies lower along a slanted direction, then by position and rotation. Swapping a and b
 * therefore repeats the same computation and turns its normals round: the mirror image is exact. (Two equal shapes in the
 * same place have no order: there the swapped call is the same call.) */
#include "collide/convex/primitive.h"

typedef void pair_function(const crn_query *query, crn_touches *out);

/* Planes and height fields never move, so they have nothing to tell each other. */
static void nothing(const crn_query *query, crn_touches *out)
{
    (void)query;
    (void)out;
}

#define OWN_PAIRS 3 /* kinds that have pairs of their own */
static pair_function *const pairs[OWN_PAIRS][OWN_PAIRS] = {
    [CRN_SHAPE_SPHERE][CRN_SHAPE_SPHERE] = crn_sphere_sphere,
    [CRN_SHAPE_SPHERE][CRN_SHAPE_BOX] = crn_sphere_box,
    [CRN_SHAPE_SPHERE][CRN_SHAPE_CAPSULE] = crn_sphere_capsule,
    [CRN_SHAPE_BOX][CRN_SHAPE_BOX] = crn_box_box,
    [CRN_SHAPE_BOX][CRN_SHAPE_CAPSULE] = crn_box_capsule,
    [CRN_SHAPE_CAPSULE][CRN_SHAPE_CAPSULE] = crn_capsule_capsule,
};

/* Of shapes in order, what never moves second; NULL: there is none here. */
static pair_function *pair_of(const crn_shape *first, const crn_shape *second)
{
    if (first->type->traits.is_endless) {
        return nothing;
    }
    if (second->def.kind == CRN_SHAPE_PLANE) {
        return first->type->on_plane;
    }
    bool is_own = first->def.kind < OWN_PAIRS && second->def.kind < OWN_PAIRS;
    return is_own ? pairs[first->def.kind][second->def.kind] : NULL;
}

/* Does b come before a? */
static bool is_turned(const crn_query *q)
{
    if (q->a->def.kind != q->b->def.kind) {
        return crn_query_is_kind_turned(q);
    }
    const crn_vec3 *s = &q->a->def.size, *t = &q->b->def.size;
    double sizes[2][4] = {{s->x + s->y + s->z, s->x, s->y, s->z}, {t->x + t->y + t->z, t->x, t->y, t->z}};
    int by_size = crn_compare_numbers(sizes[0], sizes[1], 4);
    if (by_size != 0) {
        return by_size < 0;
    }
    return crn_query_is_above(q);
}

bool crn_collide_primitive(const crn_query *query, crn_touches *out)
{
    bool turned = is_turned(query);
    pair_function *find = turned ? pair_of(query->b, query->a) : pair_of(query->a, query->b);
    if (find == NULL) {
        return false;
    }
    if (!turned) {
        find(query, out);
        return true;
    }
    crn_query other = crn_query_turned(query);
    int first = out->count;
    find(&other, out);
    crn_touches_turn(out, first);
    return true;
}
