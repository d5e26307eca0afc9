/* Shapes as triangles: options, and which kind goes where. The definition is prepared as for contact, so it is
 * checked by the same rules, and hulls, polygons and meshes are what the contacts see. */
#include "draw/surface.h"

#include <math.h>
#include <string.h>

#define DEFAULT_SEGMENTS 32
#define LEAST_SEGMENTS   3
#define MOST_SEGMENTS    1024 /* half a million points of a sphere: finer than any screen */
#define DEFAULT_REACH    10.0

/* --- Options --- */

static crn_status read_options(const crn_triangles_options *options, crn_surface *s, crn_error *error)
{
    crn_triangles_options o = {0};
    if (options != NULL) {
        o = *options;
    }
    if (o.segments != 0 && (o.segments < LEAST_SEGMENTS || o.segments > MOST_SEGMENTS)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "segments: must be 0 or %d .. %d, is %d", LEAST_SEGMENTS,
                        MOST_SEGMENTS, o.segments);
    }
    if (!(o.reach >= 0.0 && isfinite(o.reach))) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "reach: must be finite and >= 0, is %g", o.reach);
    }
    if (!(o.thickness >= 0.0 && isfinite(o.thickness))) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "thickness: must be finite and >= 0, is %g", o.thickness);
    }
    s->segments = o.segments == 0 ? DEFAULT_SEGMENTS : o.segments;
    s->reach = o.reach == 0.0 ? DEFAULT_REACH : o.reach;
    s->half_up = 0.5 * o.thickness;
    return CRN_OK;
}

/* --- Kinds --- */

typedef void draw_function(crn_surface *surface, const crn_shape *shape);

/* Kinds that are not here are convex and drawn by their support. */
static draw_function *const draw_of[CRN_SHAPE_KIND_COUNT] = {
    [CRN_SHAPE_SPHERE] = crn_surface_ball,
    [CRN_SHAPE_CAPSULE] = crn_surface_ball,
    [CRN_SHAPE_ELLIPSOID] = crn_surface_ellipsoid,
    [CRN_SHAPE_CYLINDER] = crn_surface_cylinder,
    [CRN_SHAPE_CONE] = crn_surface_cone,
    [CRN_SHAPE_BOX] = crn_surface_box,
    [CRN_SHAPE_HULL] = crn_surface_hull,
    [CRN_SHAPE_PLANE] = crn_surface_plane,
    [CRN_SHAPE_HEIGHT_FIELD] = crn_surface_creased,
    [CRN_SHAPE_MESH] = crn_surface_creased,
    [CRN_SHAPE_DISK] = crn_surface_flat,
    [CRN_SHAPE_ELLIPSE] = crn_surface_flat,
    [CRN_SHAPE_POLYGON] = crn_surface_flat,
    [CRN_SHAPE_SEGMENT] = crn_surface_flat,
    [CRN_SHAPE_HALF_PLANE] = crn_surface_flat,
};

static void add_shape(crn_surface *surface, const crn_shape *shape)
{
    draw_function *own = draw_of[crn_shape_definition(shape)->kind];
    draw_function *draw = own != NULL ? own : crn_surface_convex;
    draw(surface, shape);
}

crn_status crn_shape_triangles(const crn_shape_def *def, const crn_triangles_options *options,
                               const crn_allocator *allocator, crn_triangles *triangles, crn_error *error)
{
    crn_clear(error);
    if (triangles == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "triangles: missing");
    }
    memset(triangles, 0, sizeof *triangles);
    triangles->allocator = allocator != NULL ? *allocator : crn_allocator_default();
    crn_surface surface = {.to = triangles};
    crn_shape *shape = NULL;
    crn_status status = read_options(options, &surface, error);
    status = status == CRN_OK ? crn_shape_create(def, allocator, &shape, error) : status;
    if (status != CRN_OK) {
        return status;
    }
    add_shape(&surface, shape);
    crn_shape_destroy(shape);
    if (surface.is_short) {
        crn_triangles_free(triangles);
        return crn_fail(error, CRN_ERR_MEMORY, "triangles: out of memory");
    }
    return CRN_OK;
}

void crn_triangles_free(crn_triangles *triangles)
{
    if (triangles == NULL) {
        return;
    }
    crn_release(&triangles->allocator, triangles->points);
    crn_release(&triangles->allocator, triangles->normals);
    crn_release(&triangles->allocator, triangles->triangles);
    triangles->points = triangles->normals = NULL;
    triangles->triangles = NULL;
    triangles->count = triangles->triangle_count = 0;
}
