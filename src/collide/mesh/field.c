/* The surface of a height field: see field.h. */
#include "collide/mesh/field.h"

#include <math.h>

/* Sine of the bend below which two triangles lie in one plane: below it their gaps differ by less than rounding makes of
 * neighbouring samples. */
#define FLAT 1e-9

crn_field crn_field_of(const crn_shape *shape)
{
    const crn_shape_def *d = &shape->def;
    return (crn_field){d->rows,
                       d->columns,
                       d->size.x,
                       d->size.y,
                       -0.5 * d->size.x * (d->rows - 1),
                       -0.5 * d->size.y * (d->columns - 1),
                       d->points};
}

crn_field_face crn_field_face_at(const crn_field *f, int i, int j, int upper)
{
    const double *z = f->height + (size_t)i + (size_t)f->rows * (size_t)j;
    double low = z[0], along_x = z[1], along_y = z[f->rows], high = z[f->rows + 1];
    double rise_x = upper ? high - along_y : along_x - low, rise_y = upper ? along_y - low : high - along_x;
    crn_vec3 normal = crn_v3_unit(crn_v3(-rise_x / f->dx, -rise_y / f->dy, 1.0));
    return (crn_field_face){i, j, upper, normal, crn_field_vertex(f, i, j)};
}

bool crn_field_face_under(const crn_field *f, double x, double y, crn_field_face *face)
{
    double u = (x - f->x0) / f->dx, v = (y - f->y0) / f->dy;
    if (!(u >= 0.0 && v >= 0.0 && u <= f->rows - 1 && v <= f->columns - 1)) {
        return false;
    }
    int i = (int)u, j = (int)v;
    i = i > f->rows - 2 ? f->rows - 2 : i;
    j = j > f->columns - 2 ? f->columns - 2 : j;
    *face = crn_field_face_at(f, i, j, v - j > u - i);
    return true;
}

/* --- Edges --- */

static bool has_cell(const crn_field *f, int i, int j)
{
    return i >= 0 && j >= 0 && i < f->rows - 1 && j < f->columns - 1;
}

/* Where the triangles on both sides of an edge are: cell relative to (i, j), which triangle; the corner of the second one
 * off the edge relative to (i, j); the border's outward direction on either side. */
typedef struct edge_sides {
    int to_i, to_j;
    int cell[2][3];
    int corner_i, corner_j;
    crn_vec3 outward[2];
} edge_sides;

static const edge_sides sides_of[3] = {
    {1, 0, {{0, 0, 0}, {0, -1, 1}}, 0, -1, {{0, 1, 0}, {0, -1, 0}}},
    {0, 1, {{-1, 0, 0}, {0, 0, 1}}, 1, 1, {{-1, 0, 0}, {1, 0, 0}}},
    {1, 1, {{0, 0, 1}, {0, 0, 0}}, 1, 0, {{0, 0, 0}, {0, 0, 0}}},
};

static crn_field_bend bend_of(const crn_field *f, int i, int j, int way, crn_field_edge *edge)
{
    const edge_sides *s = &sides_of[way];
    edge->from = crn_field_vertex(f, i, j);
    edge->to = crn_field_vertex(f, i + s->to_i, j + s->to_j);
    bool has[2];
    for (int k = 0; k < 2; ++k) {
        int cell_i = i + s->cell[k][0], cell_j = j + s->cell[k][1];
        has[k] = has_cell(f, cell_i, cell_j);
        edge->normal[k] = has[k] ? crn_field_face_at(f, cell_i, cell_j, s->cell[k][2]).normal : s->outward[k];
    }
    if (!has[0] || !has[1]) {
        return CRN_FIELD_CONVEX; /* the border: a right angle or nearly so */
    }
    crn_vec3 bend = crn_v3_cross(edge->normal[0], edge->normal[1]);
    if (crn_v3_dot(bend, bend) <= FLAT * FLAT) {
        return CRN_FIELD_FLAT;
    }
    /* convex: the second triangle falls away from the plane of the first */
    crn_vec3 corner = crn_field_vertex(f, i + s->corner_i, j + s->corner_j);
    double rise = crn_v3_dot(edge->normal[0], crn_v3_sub(corner, edge->from));
    return rise < 0.0 ? CRN_FIELD_CONVEX : CRN_FIELD_CONCAVE;
}

double crn_field_edge_top(const crn_field *f, int i, int j, int way)
{
    const edge_sides *s = &sides_of[way];
    if (i + s->to_i >= f->rows || j + s->to_j >= f->columns) {
        return -(double)INFINITY;
    }
    double from = f->height[(size_t)i + (size_t)f->rows * (size_t)j];
    double to = f->height[(size_t)(i + s->to_i) + (size_t)f->rows * (size_t)(j + s->to_j)];
    return from > to ? from : to;
}

bool crn_field_edge_at(const crn_field *f, int i, int j, int way, crn_field_edge *edge)
{
    const edge_sides *s = &sides_of[way];
    return i + s->to_i < f->rows && j + s->to_j < f->columns && bend_of(f, i, j, way, edge) == CRN_FIELD_CONVEX;
}

/* A point outside of the side formed by edge `way` of sample (i, j) by `distance`. */
static bool is_allowed(const crn_field *f, int i, int j, int way, double distance, double tolerance, double beyond)
{
    crn_field_edge edge;
    return distance <= tolerance || (distance <= beyond && bend_of(f, i, j, way, &edge) == CRN_FIELD_CONCAVE);
}

bool crn_field_face_holds(const crn_field *f, const crn_field_face *face, double x, double y, double tolerance,
                          double beyond)
{
    int i = face->i, j = face->j, upper = face->upper;
    double u = (x - f->x0) - f->dx * i, v = (y - f->y0) - f->dy * j;
    /* outside of the side along x, along y, and of the diagonal */
    double along_x = upper ? v - f->dy : -v, along_y = upper ? -u : u - f->dx;
    double diagonal = (upper ? 1.0 : -1.0) * (u * f->dy - v * f->dx) / sqrt(f->dx * f->dx + f->dy * f->dy);
    return is_allowed(f, i, j + upper, 0, along_x, tolerance, beyond) &&
           is_allowed(f, i + 1 - upper, j, 1, along_y, tolerance, beyond) &&
           is_allowed(f, i, j, 2, diagonal, tolerance, beyond);
}

int crn_field_around(const crn_field *f, int i, int j, crn_vec3 around[6], bool *is_convex)
{
    int count = 0;
    crn_field_edge edge;
    *is_convex = false;
    for (int way = 0; way < 3; ++way) {
        int di = sides_of[way].to_i, dj = sides_of[way].to_j;
        if (i + di < f->rows && j + dj < f->columns) {
            around[count++] = crn_field_vertex(f, i + di, j + dj);
            *is_convex = *is_convex || crn_field_edge_at(f, i, j, way, &edge);
        }
        if (i >= di && j >= dj) {
            around[count++] = crn_field_vertex(f, i - di, j - dj);
            *is_convex = *is_convex || crn_field_edge_at(f, i - di, j - dj, way, &edge);
        }
    }
    return count;
}

/* --- Ranges --- */

static int cell_of(double u, int cells)
{
    return u <= 0.0 ? 0 : u >= cells ? cells : (int)u;
}

crn_field_range crn_field_cells(const crn_field *f, double low_x, double high_x, double low_y, double high_y)
{
    double u = (low_x - f->x0) / f->dx, v = (low_y - f->y0) / f->dy;
    double high_u = (high_x - f->x0) / f->dx, high_v = (high_y - f->y0) / f->dy;
    crn_field_range range = {cell_of(u, f->rows - 1), 0, cell_of(v, f->columns - 1), 0};
    range.high_i = high_u < 0.0 ? 0 : cell_of(high_u, f->rows - 2) + 1;
    range.high_j = high_v < 0.0 ? 0 : cell_of(high_v, f->columns - 2) + 1;
    return range;
}
