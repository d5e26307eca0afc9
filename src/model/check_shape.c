/* Is a shape on a body well described? Whether points span a hull, and whether a mesh is closed, is found when the shape is
 * made (crn_shape_create). */
#include "model/check.h"

#include "collide/collide_room.h"

#include <math.h>
#include <stdio.h>

/* Fewest rows and columns of a height field. */
enum { FIELD_LINES = 2 };

bool crn_shape_kind_has_mass(crn_shape_kind kind)
{
    const crn_shape_traits *traits = crn_shape_kind_traits(kind);
    return traits == NULL || !traits->is_endless;
}

/* "radius", or "half[1]" of several. */
static void name_number(const crn_shape_size *size, int i, char field[40])
{
    if (size->count > 1) {
        (void)snprintf(field, 40, "%s[%d]", size->key, i);
    } else {
        (void)snprintf(field, 40, "%s", size->key);
    }
}

/* What may be left out of a file may be 0. */
static void check_size(crn_check *check, const crn_shape_size *size, const double number[3])
{
    for (int i = 0; i < size->count; ++i) {
        char field[40];
        name_number(size, i, field);
        if (size->is_optional) {
            crn_check_not_negative(check, field, number[size->first + i]);
        } else {
            crn_check_positive(check, field, number[size->first + i]);
        }
    }
}

static void check_points(crn_check *check, const crn_shape_def *shape, int least, int numbers)
{
    if (shape->points == NULL || shape->count < least) {
        crn_check_fail(check, "points", "at least %d are needed, but there are %d", least,
                       shape->points != NULL ? shape->count : 0);
        return;
    }
    for (int i = 0; i < shape->count && check->status == CRN_OK; ++i) {
        for (int k = 0; k < numbers; ++k) {
            char field[32];
            (void)snprintf(field, sizeof field, "points[%d]", i);
            crn_check_finite(check, field, shape->points[(size_t)i * (size_t)numbers + (size_t)k]);
        }
    }
}

static void check_heights(crn_check *check, const crn_shape_def *shape)
{
    if (shape->points == NULL || shape->rows < FIELD_LINES || shape->columns < FIELD_LINES) {
        crn_check_fail(check, "heights", "at least %d rows and columns are needed, but there are %d and %d",
                       (int)FIELD_LINES, shape->points != NULL ? shape->rows : 0,
                       shape->points != NULL ? shape->columns : 0);
        return;
    }
    for (int i = 0; i < shape->rows; ++i) {
        for (int j = 0; j < shape->columns && check->status == CRN_OK; ++j) {
            char field[40];
            (void)snprintf(field, sizeof field, "heights[%d][%d]", i, j);
            crn_check_finite(check, field, shape->points[(size_t)i + (size_t)j * (size_t)shape->rows]);
        }
    }
}

static void check_triangles(crn_check *check, const crn_shape_def *shape)
{
    if (shape->triangles == NULL || shape->triangle_count < 1) {
        crn_check_fail(check, "triangles", "at least 1 is needed, but there are %d",
                       shape->triangles != NULL ? shape->triangle_count : 0);
        return;
    }
    for (int i = 0; i < shape->triangle_count && check->status == CRN_OK; ++i) {
        for (size_t k = 0; k < 3; ++k) {
            int point = shape->triangles[3 * (size_t)i + k];
            if (point < 0 || point >= shape->count) {
                char field[32];
                (void)snprintf(field, sizeof field, "triangles[%d]", i);
                crn_check_fail(check, field, "there is no point %d, only 0 .. %d", point, shape->count - 1);
                return;
            }
        }
    }
}

static void check_numbers(crn_check *check, const crn_shape_traits *traits, const crn_shape_def *shape)
{
    const double number[3] = {shape->size.x, shape->size.y, shape->size.z};
    for (int i = 0; i < CRN_SHAPE_SIZES_MAX && traits->size[i].key != NULL; ++i) {
        check_size(check, &traits->size[i], number);
    }
    if (traits->dimension > 0) {
        check_points(check, shape, traits->least_points, traits->dimension);
    }
    if (traits->has_grid) {
        check_heights(check, shape);
    }
    if (traits->has_triangles) {
        check_triangles(check, shape);
    }
}

void crn_check_shape(crn_check *check, const crn_body_shape *shape, bool is_free)
{
    crn_shape_kind kind = shape->shape.kind;
    const crn_shape_traits *traits = crn_shape_kind_traits(kind);
    if (traits == NULL) {
        crn_check_fail(check, "kind", "%d is unknown", (int)kind);
        return;
    }
    if (traits->is_planar != check->is_planar) {
        crn_check_fail(check, "kind", "a %s is not for %s world", traits->name,
                       check->is_planar ? "a planar" : "a spatial");
    }
    if (is_free && !crn_shape_kind_has_mass(kind)) {
        crn_check_fail(check, "kind", "a %s is for fixed and driven bodies only", traits->name);
    }
    check_numbers(check, traits, &shape->shape);
    crn_check_pose(check, &shape->pose);
    crn_check_not_negative(check, "friction", shape->friction);
    if (!(shape->restitution >= 0.0 && shape->restitution <= 1.0)) {
        crn_check_fail(check, "restitution", "must be in 0 .. 1, but is %.9g", shape->restitution);
    }
    crn_check_not_negative(check, "density", shape->density);
    const double color[3] = {shape->color.x, shape->color.y, shape->color.z};
    for (int k = 0; k < 3; ++k) {
        if (!(shape->color.x < 0.0) && !(color[k] >= 0.0 && color[k] <= 1.0)) {
            crn_check_fail(check, "color", "must be in 0 .. 1, but is %.9g", color[k]);
        }
    }
}
