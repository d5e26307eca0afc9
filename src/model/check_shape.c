/* Is a shape on a body well described? Whether points span a hull, and whether a mesh is closed, is found when the shape is
 * made (crn_shape_create). */
#include "model/check.h"

#include <math.h>
#include <stdio.h>

/* Fewest points of a hull, of a polygon and of a mesh; fewest rows and columns of a height field. */
enum { HULL_POINTS = 4, POLYGON_POINTS = 3, MESH_POINTS = 3, FIELD_LINES = 2 };

bool crn_shape_kind_has_mass(crn_shape_kind kind)
{
    return kind != CRN_SHAPE_PLANE && kind != CRN_SHAPE_HEIGHT_FIELD && kind != CRN_SHAPE_HALF_PLANE;
}

/* Half sides or half axes, the first `count` of them. */
static void check_half(crn_check *check, crn_vec3 size, int count)
{
    const double half[3] = {size.x, size.y, size.z};
    for (int i = 0; i < count; ++i) {
        char field[24];
        (void)snprintf(field, sizeof field, "half[%d]", i);
        crn_check_positive(check, field, half[i]);
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
    crn_check_positive(check, "spacing[0]", shape->size.x);
    crn_check_positive(check, "spacing[1]", shape->size.y);
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

static void check_size(crn_check *check, const crn_shape_def *shape)
{
    crn_vec3 size = shape->size;
    switch (shape->kind) {
    case CRN_SHAPE_SPHERE:
    case CRN_SHAPE_DISK: crn_check_positive(check, "radius", size.x); return;
    case CRN_SHAPE_BOX:
    case CRN_SHAPE_ELLIPSOID: check_half(check, size, 3); return;
    case CRN_SHAPE_ELLIPSE: check_half(check, size, 2); return;
    case CRN_SHAPE_CAPSULE:
    case CRN_SHAPE_CYLINDER:
    case CRN_SHAPE_CONE:
        crn_check_positive(check, "radius", size.x);
        crn_check_positive(check, "half_length", size.y);
        return;
    case CRN_SHAPE_SEGMENT:
        crn_check_positive(check, "half_length", size.x);
        crn_check_not_negative(check, "radius", size.y);
        return;
    case CRN_SHAPE_HULL: check_points(check, shape, HULL_POINTS, 3); return;
    case CRN_SHAPE_MESH:
        check_points(check, shape, MESH_POINTS, 3);
        check_triangles(check, shape);
        return;
    case CRN_SHAPE_POLYGON: check_points(check, shape, POLYGON_POINTS, 2); return;
    case CRN_SHAPE_HEIGHT_FIELD: check_heights(check, shape); return;
    case CRN_SHAPE_PLANE:
    case CRN_SHAPE_HALF_PLANE: return;
    }
}

void crn_check_shape(crn_check *check, const crn_body_shape *shape, bool is_free)
{
    crn_shape_kind kind = shape->shape.kind;
    if ((unsigned)kind >= CRN_SHAPE_KIND_COUNT) {
        crn_check_fail(check, "kind", "%d is unknown", (int)kind);
        return;
    }
    if (crn_shape_kind_is_planar(kind) != check->is_planar) {
        crn_check_fail(check, "kind", "a %s is not for %s world", crn_shape_kind_name(kind),
                       check->is_planar ? "a planar" : "a spatial");
    }
    if (is_free && !crn_shape_kind_has_mass(kind)) {
        crn_check_fail(check, "kind", "a %s is for fixed and driven bodies only", crn_shape_kind_name(kind));
    }
    check_size(check, &shape->shape);
    crn_check_pose(check, &shape->pose);
    crn_check_not_negative(check, "friction", shape->friction);
    if (!(shape->restitution >= 0.0 && shape->restitution <= 1.0)) {
        crn_check_fail(check, "restitution", "must be in 0 .. 1, but is %.9g", shape->restitution);
    }
    crn_check_not_negative(check, "density", shape->density);
}
