/* Axis-aligned bounds of hull, cylinder, ellipsoid and height field: along each world axis the support both ways. */
#include "collide/solid.h"

#include <float.h>

static crn_bounds of_solid(const crn_shape *shape, const crn_frame *frame)
{
    crn_solid solid;
    crn_bounds bounds = {{0, 0, 0}, {0, 0, 0}};
    if (!crn_solid_of(&solid, shape, frame, crn_v3(0, 0, 0))) {
        return bounds;
    }
    int vertex = 0;
    for (int k = 0; k < 3; ++k) {
        double p[3];
        crn_vec3 axis = crn_v3(k == 0, k == 1, k == 2);
        crn_v3_to(crn_solid_support(&solid, axis, &vertex), p);
        bounds.high[k] = p[k];
        crn_v3_to(crn_solid_support(&solid, crn_v3_scale(-1.0, axis), &vertex), p);
        bounds.low[k] = p[k];
    }
    return bounds;
}

static void range_of(const double *x, size_t count, double *low, double *high)
{
    *low = *high = x[0];
    for (size_t k = 1; k < count; ++k) {
        *low = x[k] < *low ? x[k] : *low;
        *high = x[k] > *high ? x[k] : *high;
    }
}

/* A component of the downward direction this small is the rounding of a turned frame. */
#define LEVEL (4.0 * DBL_EPSILON)

/* The box around the samples, open below: it has no end along a world axis that looks downward in the field. */
static crn_bounds of_height_field(const crn_shape *shape, const crn_frame *frame)
{
    const crn_shape_def *def = &shape->def;
    double low, high, inf = (double)INFINITY;
    range_of(def->points, (size_t)def->rows * (size_t)def->columns, &low, &high);
    double x = 0.5 * def->size.x * (def->rows - 1), y = 0.5 * def->size.y * (def->columns - 1);
    const double *r = frame->rotation.m;
    double at[3];
    crn_bounds bounds;
    crn_v3_to(frame->position, at);
    for (int k = 0; k < 3; ++k) {
        double flat = fabs(r[k]) * x + fabs(r[k + 3]) * y, up = r[k + 6];
        double top = (up > 0.0 ? high : low) * up, bottom = (up > 0.0 ? low : high) * up;
        bounds.high[k] = up < -LEVEL ? inf : at[k] + flat + (fabs(up) > LEVEL ? top : 0.0);
        bounds.low[k] = up > LEVEL ? -inf : at[k] - flat + (fabs(up) > LEVEL ? bottom : 0.0);
    }
    return bounds;
}

crn_bounds crn_convex_bounds(const crn_shape *shape, const crn_frame *frame)
{
    return shape->def.kind == CRN_SHAPE_HEIGHT_FIELD ? of_height_field(shape, frame) : of_solid(shape, frame);
}
