/* A height field: samples joined by triangles (field.h), solid all the way down. */
#include "collide/convex/bounds.h"
#include "collide/mesh/field.h"
#include "collide/ray.h"
#include "collide/shape_types.h"
#include "math/elementary.h"

#include <float.h>

/* The lowest and the highest sample. */
static crn_status prepare(crn_shape *shape, double *numbers, crn_error *error)
{
    (void)error;
    size_t count = (size_t)shape->def.rows * (size_t)shape->def.columns;
    shape->low = shape->high = numbers[0];
    for (size_t k = 1; k < count; ++k) {
        shape->low = numbers[k] < shape->low ? numbers[k] : shape->low;
        shape->high = numbers[k] > shape->high ? numbers[k] : shape->high;
    }
    return CRN_OK;
}

/* A component of the downward direction this small is the rounding of a turned frame. */
#define LEVEL (4.0 * DBL_EPSILON)

/* The box around the samples, open below: it has no end along a world axis that looks downward in the field. */
static crn_bounds bounds(const crn_shape *shape, const crn_frame *frame)
{
    const crn_shape_def *def = &shape->def;
    double low = shape->low, high = shape->high, inf = (double)INFINITY;
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

/* --- Rays: along the cells that they pass over --- */

/* Cells from low to high of n that hold the numbers between x and y, in units of cells. */
static void cells_between(double x, double y, int n, int *low, int *high)
{
    double first = (x < y ? x : y) - 1e-9, last = (x < y ? y : x) + 1e-9;
    *low = first > 0.0 ? (int)crn_fmin(first, n - 1) : 0;
    *high = last < n ? (int)crn_fmax(last, -1.0) : n - 1;
}

/* Row of cells by row of cells that the part `over` of the ray passes over. */
static void meet_cells(crn_cut *best, const crn_cut *over, const crn_field *f)
{
    double end = isfinite(over->leave) ? over->leave : over->enter; /* endless only if straight up or down */
    crn_vec3 p = crn_cut_at(best, over->enter), q = crn_cut_at(best, end);
    double u0 = (p.x - f->x0) / f->dx, u1 = (q.x - f->x0) / f->dx;
    double v0 = (p.y - f->y0) / f->dy, v1 = (q.y - f->y0) / f->dy;
    int low, high, from, to;
    cells_between(u0, u1, f->rows - 1, &low, &high);
    for (int i = low; i <= high; ++i) {
        double a = u1 != u0 ? crn_fmin(crn_fmax((i - u0) / (u1 - u0), 0.0), 1.0) : 0.0;
        double b = u1 != u0 ? crn_fmin(crn_fmax((i + 1 - u0) / (u1 - u0), 0.0), 1.0) : 1.0;
        cells_between(v0 + a * (v1 - v0), v0 + b * (v1 - v0), f->columns - 1, &from, &to);
        for (int j = from; j <= to; ++j) {
            crn_vec3 corner = crn_field_vertex(f, i, j), opposite = crn_field_vertex(f, i + 1, j + 1);
            crn_cut_triangle(best, corner, crn_field_vertex(f, i + 1, j), opposite);
            crn_cut_triangle(best, corner, opposite, crn_field_vertex(f, i, j + 1));
        }
    }
}

static bool is_below(const crn_field *f, crn_vec3 p)
{
    crn_field_face face;
    return crn_field_face_under(f, p.x, p.y, &face) && crn_v3_dot(face.normal, crn_v3_sub(p, face.point)) < 0.0;
}

static void cast(const crn_shape *shape, crn_cut *cut)
{
    crn_field f = crn_field_of(shape);
    if (is_below(&f, cut->from)) {
        return;
    }
    crn_cut end = *cut, over = *cut; /* the part above the field's rectangle */
    crn_cut_slab(&over, crn_v3(1, 0, 0), 0.5 * f.dx * (f.rows - 1));
    crn_cut_slab(&over, crn_v3(0, 1, 0), 0.5 * f.dy * (f.columns - 1));
    if (over.enter <= over.leave) {
        meet_cells(cut, &over, &f);
    }
    crn_cut_need_triangle(cut, &end);
}

const crn_shape_type crn_shape_height_field = {
    .traits = {.name = "height_field",
               .size = {{"spacing", 0, 2, false, false}, {"heights", 0, 0, false, false}},
               .has_grid = true,
               .is_endless = true},
    .prepare = prepare,
    .bounds = bounds,
    .cast = cast};
