/* Kinds of shapes by number and by name. */
#include "collide/shape_types.h"

#include <string.h>

#define OF_KIND(KIND, name) [CRN_SHAPE_##KIND] = &crn_shape_##name,
static const crn_shape_type *const type_of_kind[] = {CRN_SHAPE_TYPES(OF_KIND)};
_Static_assert(sizeof type_of_kind / sizeof *type_of_kind == CRN_SHAPE_KIND_COUNT, "a type for each kind");

const crn_shape_type *crn_shape_type_of(crn_shape_kind kind)
{
    return (unsigned)kind < CRN_SHAPE_KIND_COUNT ? type_of_kind[kind] : NULL;
}

const char *crn_shape_kind_name(crn_shape_kind kind)
{
    const crn_shape_type *type = crn_shape_type_of(kind);
    return type != NULL ? type->name : NULL;
}

bool crn_shape_kind_find(const char *name, crn_shape_kind *kind)
{
    for (int k = 0; name != NULL && k < CRN_SHAPE_KIND_COUNT; ++k) {
        if (strcmp(name, type_of_kind[k]->name) == 0) {
            *kind = (crn_shape_kind)k;
            return true;
        }
    }
    return false;
}

bool crn_shape_kind_is_planar(crn_shape_kind kind)
{
    const crn_shape_type *type = crn_shape_type_of(kind);
    return type != NULL && type->is_planar;
}

bool crn_shape_kind_is_endless(crn_shape_kind kind)
{
    return type_of_kind[kind]->is_endless;
}

const crn_shape_size *crn_shape_kind_sizes(crn_shape_kind kind)
{
    return type_of_kind[kind]->size;
}

int crn_shape_kind_dimension(crn_shape_kind kind)
{
    return type_of_kind[kind]->dimension;
}

int crn_shape_kind_least_points(crn_shape_kind kind)
{
    return type_of_kind[kind]->least_points;
}

size_t crn_shape_def_numbers(const crn_shape_def *def)
{
    const crn_shape_type *type = type_of_kind[def->kind];
    if (type->has_grid) {
        return (size_t)def->rows * (size_t)def->columns;
    }
    return type->dimension > 0 ? (size_t)type->dimension * (size_t)def->count : 0;
}

crn_shape_def crn_shape_def_settled(const crn_shape_def *def)
{
    const crn_shape_type *type = type_of_kind[def->kind];
    double from[3] = {def->size.x, def->size.y, def->size.z}, to[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < CRN_SHAPE_SIZES_MAX && type->size[i].key != NULL; ++i) {
        for (int k = type->size[i].first; k < type->size[i].first + type->size[i].count; ++k) {
            to[k] = from[k];
        }
    }
    return (crn_shape_def){.kind = def->kind,
                           .size = {to[0], to[1], to[2]},
                           .points = type->dimension > 0 || type->has_grid ? def->points : NULL,
                           .count = type->dimension > 0 ? def->count : 0,
                           .rows = type->has_grid ? def->rows : 0,
                           .columns = type->has_grid ? def->columns : 0,
                           .triangles = type->has_triangles ? def->triangles : NULL,
                           .triangle_count = type->has_triangles ? def->triangle_count : 0};
}
