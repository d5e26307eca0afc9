/* Sphere, box, capsule and plane among themselves, and a plane with every solid shape.
 *
 * Order. Features are named as (feature of the first shape, feature of the second), and where two directions are equally
 * good the first shape's is taken; so "first" must not depend on who is called a. It is the lower kind; of one kind the
 * larger; of equals the one that lies lower along a slanted direction, then by position and rotation. Swapping a and b
 * therefore repeats the same computation and turns its normals round: the mirror image is exact. (Two equal shapes in the
 * same place have no order: there the swapped call is the same call.) */
#include "collide/primitive.h"

typedef void pair_function(const crn_query *query, crn_touches *out);

/* Planes and height fields never move, so they have nothing to tell each other. */
static void nothing(const crn_query *query, crn_touches *out)
{
    (void)query;
    (void)out;
}

#define SOLID_KINDS 9
static pair_function *const pairs[SOLID_KINDS][SOLID_KINDS] = {
    [CRN_SHAPE_SPHERE][CRN_SHAPE_SPHERE] = crn_sphere_sphere,
    [CRN_SHAPE_SPHERE][CRN_SHAPE_BOX] = crn_sphere_box,
    [CRN_SHAPE_SPHERE][CRN_SHAPE_CAPSULE] = crn_sphere_capsule,
    [CRN_SHAPE_BOX][CRN_SHAPE_BOX] = crn_box_box,
    [CRN_SHAPE_BOX][CRN_SHAPE_CAPSULE] = crn_box_capsule,
    [CRN_SHAPE_CAPSULE][CRN_SHAPE_CAPSULE] = crn_capsule_capsule,
    [CRN_SHAPE_SPHERE][CRN_SHAPE_PLANE] = crn_sphere_plane,
    [CRN_SHAPE_BOX][CRN_SHAPE_PLANE] = crn_box_plane,
    [CRN_SHAPE_CAPSULE][CRN_SHAPE_PLANE] = crn_capsule_plane,
    [CRN_SHAPE_CYLINDER][CRN_SHAPE_PLANE] = crn_cylinder_plane,
    [CRN_SHAPE_CONE][CRN_SHAPE_PLANE] = crn_cone_plane,
    [CRN_SHAPE_ELLIPSOID][CRN_SHAPE_PLANE] = crn_ellipsoid_plane,
    [CRN_SHAPE_HULL][CRN_SHAPE_PLANE] = crn_hull_plane,
    [CRN_SHAPE_PLANE][CRN_SHAPE_PLANE] = nothing,
    [CRN_SHAPE_PLANE][CRN_SHAPE_HEIGHT_FIELD] = nothing,
};

/* Sign of the first difference; 0 if there is none. */
/* Does b come before a? Both are of one kind. */
static bool is_turned(const crn_query *q)
{
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
    crn_shape_kind a = query->a->def.kind, b = query->b->def.kind;
    if (a >= SOLID_KINDS || b >= SOLID_KINDS) {
        return false;
    }
    bool turned = a != b ? a > b : is_turned(query);
    pair_function *find = turned ? pairs[b][a] : pairs[a][b];
    if (find == NULL) {
        return false;
    }
    if (!turned) {
        find(query, out);
        return true;
    }
    crn_query other = crn_query_turned(query);
    int k = out->count;
    find(&other, out);
    for (; k < out->count && k < out->capacity; ++k) {
        out->touch[k].normal = crn_v3_scale(-1.0, out->touch[k].normal);
    }
    return true;
}
