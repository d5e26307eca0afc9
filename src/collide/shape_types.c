/* Kinds of shapes by number and by name. */
#include "collide/shape_types.h"

#include <string.h>

#define OF_KIND(KIND, name) [CRN_SHAPE_##KIND] = &crn_shape_##name,
static const crn_shape_type *const type_of_kind[CRN_SHAPE_KIND_COUNT] = {CRN_SHAPE_TYPES(OF_KIND)};

#define NUMBER_OF(KIND, name) LINE_OF_##KIND,
enum { CRN_SHAPE_TYPES(NUMBER_OF) LINES };
_Static_assert((int)LINES == CRN_SHAPE_KIND_COUNT, "a type for each kind");

const crn_shape_type *crn_shape_type_of(crn_shape_kind kind)
{
    return (unsigned)kind < CRN_SHAPE_KIND_COUNT ? type_of_kind[kind] : NULL;
}

const char *crn_shape_kind_name(crn_shape_kind kind)
{
    const crn_shape_type *type = crn_shape_type_of(kind);
    return type != NULL ? type->traits.name : NULL;
}

bool crn_shape_kind_find(const char *name, crn_shape_kind *kind)
{
    if (kind == NULL) {
        return false;
    }
    for (int k = 0; name != NULL && k < CRN_SHAPE_KIND_COUNT; ++k) {
        if (strcmp(name, type_of_kind[k]->traits.name) == 0) {
            *kind = (crn_shape_kind)k;
            return true;
        }
    }
    return false;
}

bool crn_shape_kind_is_planar(crn_shape_kind kind)
{
    const crn_shape_type *type = crn_shape_type_of(kind);
    return type != NULL && type->traits.is_planar;
}

const crn_shape_traits *crn_shape_kind_traits(crn_shape_kind kind)
{
    const crn_shape_type *type = crn_shape_type_of(kind);
    return type != NULL ? &type->traits : NULL;
}

size_t crn_shape_def_numbers(const crn_shape_def *def)
{
    const crn_shape_traits *traits = &type_of_kind[def->kind]->traits;
    if (traits->has_grid) {
        return (size_t)def->rows * (size_t)def->columns;
    }
    return traits->dimension > 0 ? (size_t)traits->dimension * (size_t)def->count : 0;
}

crn_shape_def crn_shape_def_settled(const crn_shape_def *def)
{
    const crn_shape_traits *traits = &type_of_kind[def->kind]->traits;
    double from[3] = {def->size.x, def->size.y, def->size.z}, to[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < CRN_SHAPE_SIZES_MAX && traits->size[i].key != NULL; ++i) {
        for (int k = traits->size[i].first; k < traits->size[i].first + traits->size[i].count; ++k) {
            to[k] = from[k];
        }
    }
    return (crn_shape_def){.kind = def->kind,
                           .size = {to[0], to[1], to[2]},
                           .points = traits->dimension > 0 || traits->has_grid ? def->points : NULL,
                           .count = traits->dimension > 0 ? def->count : 0,
                           .rows = traits->has_grid ? def->rows : 0,
                           .columns = traits->has_grid ? def->columns : 0,
                           .triangles = traits->has_triangles ? def->triangles : NULL,
                           .triangle_count = traits->has_triangles ? def->triangle_count : 0};
}
