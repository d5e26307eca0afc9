/* Shapes: names of kinds, checks, and a prepared copy.
 *
 * A definition is copied field by field: what its kind does not use is set to 0, so that two shapes made from the same
 * numbers are the same. One block holds the shape, its points and triangles; the faces of a hull, or what a mesh needs for
 * queries, are a second one. */
#include "collide/shape.h"

#include "collide/mass.h"
#include "collide/mesh_parts.h"

#include <math.h>
#include <string.h>

/* --- Kinds --- */

static const char *const kind_name[CRN_SHAPE_KIND_COUNT] = {
    "sphere",       "box",  "capsule", "cylinder", "ellipsoid", "hull",    "cone",      "plane",
    "height_field", "mesh", "disk",    "ellipse",  "polygon",   "segment", "half_plane"};

const char *crn_shape_kind_name(crn_shape_kind kind)
{
    int index = (int)kind;
    return index >= 0 && index < CRN_SHAPE_KIND_COUNT ? kind_name[index] : NULL;
}

bool crn_shape_kind_find(const char *name, crn_shape_kind *kind)
{
    for (int k = 0; name != NULL && k < CRN_SHAPE_KIND_COUNT; ++k) {
        if (strcmp(name, kind_name[k]) == 0) {
            *kind = (crn_shape_kind)k;
            return true;
        }
    }
    return false;
}

bool crn_shape_kind_is_planar(crn_shape_kind kind)
{
    return kind >= CRN_SHAPE_DISK && kind <= CRN_SHAPE_HALF_PLANE;
}

/* --- Checks --- */

/* What a kind asks of each number of size: unused, >= 0, or > 0. */
enum { UNUSED, NOT_NEGATIVE, POSITIVE };
static const unsigned char size_rule[CRN_SHAPE_KIND_COUNT][3] = {
    [CRN_SHAPE_SPHERE] = {POSITIVE},
    [CRN_SHAPE_BOX] = {POSITIVE, POSITIVE, POSITIVE},
    [CRN_SHAPE_CAPSULE] = {POSITIVE, NOT_NEGATIVE},
    [CRN_SHAPE_CYLINDER] = {POSITIVE, POSITIVE},
    [CRN_SHAPE_CONE] = {POSITIVE, POSITIVE},
    [CRN_SHAPE_ELLIPSOID] = {POSITIVE, POSITIVE, POSITIVE},
    [CRN_SHAPE_HEIGHT_FIELD] = {POSITIVE, POSITIVE},
    [CRN_SHAPE_DISK] = {POSITIVE},
    [CRN_SHAPE_ELLIPSE] = {POSITIVE, POSITIVE},
    [CRN_SHAPE_SEGMENT] = {POSITIVE, NOT_NEGATIVE},
};

static crn_status check_size(const crn_shape_def *def, crn_error *error)
{
    const double size[3] = {def->size.x, def->size.y, def->size.z};
    for (int k = 0; k < 3; ++k) {
        int rule = size_rule[def->kind][k];
        if (rule == UNUSED) {
            continue;
        }
        if (!isfinite(size[k])) {
            return crn_fail(error, CRN_ERR_ARGUMENT, "size.%c: not finite", "xyz"[k]);
        }
        if (rule == POSITIVE ? !(size[k] > 0.0) : !(size[k] >= 0.0)) {
            return crn_fail(error, CRN_ERR_ARGUMENT, "size.%c: must be %s 0, is %g", "xyz"[k],
                            rule == POSITIVE ? ">" : ">=", size[k]);
        }
    }
    return CRN_OK;
}

/* Numbers at points: 0 for kinds without. */
static size_t number_count(const crn_shape_def *def)
{
    switch (def->kind) {
    case CRN_SHAPE_HULL:
    case CRN_SHAPE_MESH: return 3 * (size_t)def->count;
    case CRN_SHAPE_POLYGON: return 2 * (size_t)def->count;
    case CRN_SHAPE_HEIGHT_FIELD: return (size_t)def->rows * (size_t)def->columns;
    default: return 0;
    }
}

/* Points of a hull or polygon, and samples of a height field, are counted with int: 2^31 of them are refused here. */
#define MOST_POINTS 0x3fffffff

static crn_status check_counts(const crn_shape_def *def, crn_error *error)
{
    int least = def->kind == CRN_SHAPE_HULL ? 4 : def->kind == CRN_SHAPE_POLYGON ? 3 : 0;
    if (least > 0 && (def->count < least || def->count > MOST_POINTS)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "count: must be at least %d, is %d", least, def->count);
    }
    if (def->kind == CRN_SHAPE_HEIGHT_FIELD) {
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
    size_t numbers = number_count(def);
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
    if (crn_shape_kind_name(def->kind) == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "kind: there is no shape %d", (int)def->kind);
    }
    if (def->kind == CRN_SHAPE_MESH) {
        return crn_mesh_check(def, error);
    }
    crn_status status = check_size(def, error);
    status = status == CRN_OK ? check_counts(def, error) : status;
    return status == CRN_OK ? check_points(def, error) : status;
}

/* --- Preparation --- */

/* The largest distance of a point from the origin; dimension numbers each. */
static double farthest(const double *points, int count, int dimension)
{
    double square = 0.0;
    for (int k = 0; k < count; ++k) {
        const double *p = points + (size_t)dimension * (size_t)k;
        double own = p[0] * p[0] + p[1] * p[1] + (dimension == 3 ? p[2] * p[2] : 0.0);
        square = own > square ? own : square;
    }
    return sqrt(square);
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double radius_of(const crn_shape_def *def)
{
    crn_vec3 s = def->size;
    switch (def->kind) {
    case CRN_SHAPE_SPHERE:
    case CRN_SHAPE_DISK: return s.x;
    case CRN_SHAPE_BOX: return crn_v3_length(s);
    case CRN_SHAPE_CAPSULE:
    case CRN_SHAPE_SEGMENT: return s.x + s.y;
    case CRN_SHAPE_CONE:
    case CRN_SHAPE_CYLINDER: return sqrt(s.x * s.x + s.y * s.y);
    case CRN_SHAPE_ELLIPSOID: return larger(s.x, larger(s.y, s.z));
    case CRN_SHAPE_ELLIPSE: return larger(s.x, s.y);
    case CRN_SHAPE_HULL:
    case CRN_SHAPE_MESH: return farthest(def->points, def->count, 3);
    case CRN_SHAPE_POLYGON: return farthest(def->points, def->count, 2);
    case CRN_SHAPE_PLANE:
    case CRN_SHAPE_HALF_PLANE:
    case CRN_SHAPE_HEIGHT_FIELD: return (double)INFINITY; /* a height field is solid all the way down */
    }
    return 0.0;
}

/* Indices at triangles. */
static size_t index_count(const crn_shape_def *def)
{
    return def->kind == CRN_SHAPE_MESH ? 3 * (size_t)def->triangle_count : 0;
}

/* Only what the kind uses, with points leading to numbers and triangles to indices. */
static crn_shape_def clean_definition(const crn_shape_def *def, double *numbers, int *indices)
{
    const unsigned char *rule = size_rule[def->kind];
    crn_shape_def clean = {.kind = def->kind};
    clean.size = crn_v3(rule[0] != UNUSED ? def->size.x : 0.0, rule[1] != UNUSED ? def->size.y : 0.0,
                        rule[2] != UNUSED ? def->size.z : 0.0);
    size_t count = number_count(def);
    if (count > 0) {
        memcpy(numbers, def->points, count * sizeof(double));
        clean.points = numbers;
    }
    if (def->kind == CRN_SHAPE_HULL || def->kind == CRN_SHAPE_POLYGON || def->kind == CRN_SHAPE_MESH) {
        clean.count = def->count;
    }
    if (def->kind == CRN_SHAPE_MESH) {
        memcpy(indices, def->triangles, index_count(def) * sizeof(int));
        clean.triangles = indices;
        clean.triangle_count = def->triangle_count;
    } else if (def->kind == CRN_SHAPE_HEIGHT_FIELD) {
        clean.rows = def->rows;
        clean.columns = def->columns;
    }
    return clean;
}

/* The faces, and these as a mesh, by which it meets meshes; without, if that mesh is not closed (corners closer than files
 * can tell are joined). */
static crn_status prepare_hull(crn_shape *shape, const double *numbers, crn_error *error)
{
    crn_error refused;
    crn_status status = crn_hull_build(numbers, shape->def.count, &shape->allocator, &shape->polyhedron, error);
    if (status != CRN_OK) {
        return status;
    }
    status = crn_mesh_of_convex(&shape->def, &shape->allocator, &shape->mesh, &refused);
    if (status == CRN_OK && !shape->mesh->is_closed) {
        crn_mesh_free(&shape->allocator, shape->mesh);
        shape->mesh = NULL;
    }
    return status == CRN_ERR_MEMORY ? crn_fail(error, status, "%s", refused.text) : CRN_OK;
}

static crn_status prepare_faces(crn_shape *shape, double *numbers, crn_error *error)
{
    switch (shape->def.kind) {
    case CRN_SHAPE_HULL: return prepare_hull(shape, numbers, error);
    case CRN_SHAPE_MESH: return crn_mesh_build(&shape->def, &shape->allocator, &shape->mesh, error);
    case CRN_SHAPE_POLYGON:
        shape->def.count = crn_polygon_hull(numbers, shape->def.count);
        return shape->def.count >= 3 ? CRN_OK : crn_fail(error, CRN_ERR_ARGUMENT, "points: they lie on one line");
    default: return CRN_OK;
    }
}

/* Faces, mass and radius. Sizes whose volume or inertia leaves the range of numbers are refused: a body made from them
 * would have a mass of 0 or infinity. */
static crn_status prepare(crn_shape *shape, double *numbers, crn_error *error)
{
    crn_status status = prepare_faces(shape, numbers, error);
    if (status != CRN_OK) {
        return status;
    }
    shape->radius = radius_of(&shape->def);
    shape->mass = crn_mass_of(shape);
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
    /* the structure is a whole number of doubles long, so the numbers behind it are aligned */
    _Static_assert(sizeof(crn_shape) % sizeof(double) == 0, "points follow the shape");
    size_t doubles = sizeof(crn_shape) / sizeof(double);
    size_t numbers = number_count(def),
           indices = (index_count(def) * sizeof(int) + sizeof(double) - 1) / sizeof(double);
    double *block = (double *)crn_allocate(allocator, doubles + numbers + indices, sizeof(double));
    if (block == NULL) {
        return crn_fail(error, CRN_ERR_MEMORY, "shape: out of memory");
    }
    crn_shape *made = (crn_shape *)(void *)block;
    double *points = block + doubles;
    *made = (crn_shape){.def = clean_definition(def, points, (int *)(void *)(points + numbers))};
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

/* --- Reading --- */

const crn_shape_def *crn_shape_definition(const crn_shape *shape)
{
    return &shape->def;
}

bool crn_shape_is_solid(const crn_shape *shape)
{
    switch (shape->def.kind) {
    case CRN_SHAPE_PLANE:
    case CRN_SHAPE_HALF_PLANE:
    case CRN_SHAPE_HEIGHT_FIELD: return false;
    case CRN_SHAPE_MESH: return shape->mesh != NULL && shape->mesh->is_closed;
    default: return true;
    }
}

crn_status crn_shape_check_solid(const crn_shape *shape, crn_error *error)
{
    if (crn_shape_is_solid(shape)) {
        return CRN_OK;
    }
    if (shape->mesh == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "kind: a %s is for fixed and driven bodies only",
                        crn_shape_kind_name(shape->def.kind));
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
    return shape->mass;
}

double crn_shape_radius(const crn_shape *shape)
{
    return shape->radius;
}
