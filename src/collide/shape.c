/* Shapes: checks, and a prepared copy.
 *
 * A definition is copied field by field: what its kind does not use is set to 0, so that two shapes made from the same
 * numbers are the same. One block holds the shape, its points and triangles; the faces of a hull, or what a mesh needs for
 * queries, are a second one. */
#include "collide/mesh/mesh_parts.h"
#include "collide/shape_types.h"

#include <math.h>
#include <string.h>

/* --- Checks --- */

static crn_status check_number(const crn_shape_size *size, int k, double x, crn_error *error)
{
    if (!isfinite(x)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "size.%c: not finite", "xyz"[k]);
    }
    if (size->may_be_zero ? !(x >= 0.0) : !(x > 0.0)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "size.%c: must be %s 0, is %g", "xyz"[k],
                        size -> may_be_zero ? ">=" : ">", x);
    }
    return CRN_OK;
}

static crn_status check_size(const crn_shape_def *def, const crn_shape_type *type, crn_error *error)
{
    const double number[3] = {def->size.x, def->size.y, def->size.z};
    crn_status status = CRN_OK;
    for (int i = 0; i < CRN_SHAPE_SIZES_MAX && type->traits.size[i].key != NULL; ++i) {
        const crn_shape_size *size = &type->traits.size[i];
        for (int k = size->first; k < size->first + size->count && status == CRN_OK; ++k) {
            status = check_number(size, k, number[k], error);
        }
    }
    return status;
}

/* Points of a hull or polygon, and samples of a height field, are counted with int: 2^31 of them are refused here. */
#define MOST_POINTS 0x3fffffff

static crn_status check_counts(const crn_shape_def *def, const crn_shape_type *type, crn_error *error)
{
    int least = type->traits.least_points;
    if (least > 0 && (def->count < least || def->count > MOST_POINTS)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "count: must be at least %d, is %d", least, def->count);
    }
    if (type->traits.has_grid) {
        if (def->rows < 2 || def->columns < 2) {
            return crn_fail(error, CRN_ERR_ARGUMENT, "%s: must be at least 2, is %d",
                            def->rows < 2 ? "rows" : "columns", def->rows < 2 ? def->rows : def->columns);
        }
        if (def->columns > MOST_POINTS / def->rows) {
            return crn_fail(error, CRN_ERR_ARGUMENT, "rows, columns: %d x %d heights are too many", def->rows,
                            def->columns);
        }
    }
    return CRN_OK;
}

static crn_status check_points(const crn_shape_def *def, crn_error *error)
{
    size_t numbers = crn_shape_def_numbers(def);
    if (numbers > 0 && def->points == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "points: missing");
    }
    for (size_t k = 0; k < numbers; ++k) {
        if (!isfinite(def->points[k])) {
            return crn_fail(error, CRN_ERR_ARGUMENT, "points[%zu]: not finite", k);
        }
    }
    return CRN_OK;
}

static crn_status check_definition(const crn_shape_def *def, crn_error *error)
{
    if (def == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "def: missing");
    }
    const crn_shape_type *type = crn_shape_type_of(def->kind);
    if (type == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "kind: there is no shape %d", (int)def->kind);
    }
    if (type->check != NULL) {
        return type->check(def, error);
    }
    crn_status status = check_size(def, type, error);
    status = status == CRN_OK ? check_counts(def, type, error) : status;
    return status == CRN_OK ? check_points(def, error) : status;
}

/* --- Preparation --- */

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* Only what the kind uses, with points copied to numbers and triangles to indices. */
static crn_shape_def copy_definition(const crn_shape_def *def, double *numbers, int *indices)
{
    crn_shape_def copy = crn_shape_def_settled(def);
    size_t count = crn_shape_def_numbers(&copy);
    if (count > 0) {
        memcpy(numbers, def->points, count * sizeof(double));
        copy.points = numbers;
    }
    if (copy.triangle_count > 0) {
        memcpy(indices, def->triangles, 3 * (size_t)copy.triangle_count * sizeof(int));
        copy.triangles = indices;
    }
    return copy;
}

/* Faces, mass and radius. Sizes whose volume or inertia leaves the range of numbers are refused: a body made from them
 * would have a mass of 0 or infinity. */
static crn_status prepare(crn_shape *shape, double *numbers, crn_error *error)
{
    const crn_shape_type *type = shape->type;
    crn_status status = type->prepare != NULL ? type->prepare(shape, numbers, error) : CRN_OK;
    if (status != CRN_OK) {
        return status;
    }
    shape->radius = type->radius != NULL ? type->radius(&shape->def) : (double)INFINITY;
    if (type->mass != NULL) {
        shape->mass = type->mass(shape);
    }
    bool has_mass = crn_shape_is_solid(shape);
    double largest = larger(shape->mass.inertia.m[0], larger(shape->mass.inertia.m[4], shape->mass.inertia.m[8]));
    if (has_mass && !(shape->mass.mass > 0.0 && isfinite(shape->mass.mass) && largest > 0.0 && isfinite(largest))) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s: too large or too small: mass %g, inertia %g at density 1",
                        shape->def.points != NULL ? "points" : "size", shape->mass.mass, largest);
    }
    return CRN_OK;
}

crn_status crn_shape_create(const crn_shape_def *def, const crn_allocator *allocator, crn_shape **shape,
                            crn_error *error)
{
    crn_clear(error);
    if (shape == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "shape: missing");
    }
    *shape = NULL;
    crn_status status = check_definition(def, error);
    if (status != CRN_OK) {
        return status;
    }
    /* a whole number of doubles, so that the numbers behind the structure are aligned */
    size_t doubles = (sizeof(crn_shape) + sizeof(double) - 1) / sizeof(double);
    size_t numbers = crn_shape_def_numbers(def), triangles = (size_t)crn_shape_def_settled(def).triangle_count;
    size_t indices = (3 * triangles * sizeof(int) + sizeof(double) - 1) / sizeof(double);
    double *block = (double *)crn_allocate(allocator, doubles + numbers + indices, sizeof(double));
    if (block == NULL) {
        return crn_fail(error, CRN_ERR_MEMORY, "shape: out of memory");
    }
    crn_shape *made = (crn_shape *)(void *)block;
    double *points = block + doubles;
    *made = (crn_shape){.type = crn_shape_type_of(def->kind),
                        .def = copy_definition(def, points, (int *)(void *)(points + numbers))};
    made->allocator = allocator != NULL ? *allocator : crn_allocator_default();
    status = prepare(made, points, error);
    if (status != CRN_OK) {
        crn_shape_destroy(made);
        return status;
    }
    *shape = made;
    return CRN_OK;
}

void crn_shape_destroy(crn_shape *shape)
{
    if (shape == NULL) {
        return;
    }
    crn_allocator allocator = shape->allocator;
    if (shape->polyhedron != NULL) {
        crn_hull_free(&allocator, shape->polyhedron);
    }
    crn_mesh_free(&allocator, shape->mesh);
    crn_release(&allocator, shape);
}

/* --- Other sizes --- */

bool crn_shape_has_size(const crn_shape *shape, int axis)
{
    bool has = false;
    for (int i = 0; i < CRN_SHAPE_SIZES_MAX && shape->type->prepare == NULL; ++i) {
        const crn_shape_size *size = &shape->type->traits.size[i];
        has = has || (size->key != NULL && axis >= size->first && axis < size->first + size->count);
    }
    return has;
}

void crn_shape_resize(crn_shape *shape, crn_vec3 size)
{
    shape->def.size = size;
    shape->radius = shape->type->radius != NULL ? shape->type->radius(&shape->def) : (double)INFINITY;
}

/* --- Reading --- */

const crn_shape_def *crn_shape_definition(const crn_shape *shape)
{
    return shape ? &shape->def : NULL;
}

bool crn_shape_is_solid(const crn_shape *shape)
{
    if (shape == NULL) {
        return false;
    }
    return !shape->type->traits.is_endless &&
           (!shape->type->traits.has_triangles || (shape->mesh != NULL && shape->mesh->is_closed));
}

crn_status crn_shape_check_solid(const crn_shape *shape, crn_error *error)
{
    if (crn_shape_is_solid(shape)) {
        return CRN_OK;
    }
    if (shape->mesh == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "kind: a %s is for fixed and driven bodies only",
                        shape->type->traits.name);
    }
    const int *end = shape->mesh->open_point;
    const double *p = shape->def.points + 3 * (size_t)end[0];
    return crn_fail(
        error, CRN_ERR_ARGUMENT,
        "triangles: an open mesh is for fixed and driven bodies only: %d edges are open, the first from point "
        "%d at (%.6g, %.6g, %.6g) to point %d, of triangle %d",
        shape->mesh->open_edges, end[0], p[0], p[1], p[2], end[1], shape->mesh->open_triangle);
}

crn_mass_properties crn_shape_mass(const crn_shape *shape)
{
    return shape != NULL ? shape->mass : (crn_mass_properties){0};
}

double crn_shape_radius(const crn_shape *shape)
{
    return shape != NULL ? shape->radius : 0.0;
}

const crn_polyhedron *crn_shape_polyhedron(const crn_shape *shape)
{
    return shape->polyhedron;
}

const crn_vec3 *crn_shape_mesh_vertices(const crn_shape *shape, const int **face, int *triangles)
{
    *face = shape->mesh->face;
    *triangles = shape->mesh->triangles;
    return shape->mesh->vertex;
}
