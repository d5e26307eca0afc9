/* thread.c -- screw threads as closed meshes.
 *
 * The surface is a grid. Column j stands at the angle 2 pi j / around and holds the corners of the section, four to a pitch (the
 * two ends of the ridge and of the groove), raised by pitch j / around. So corner k of column `around` is corner k + 4 of column
 * 0, and the two are one vertex: the grid closes in itself, a pitch higher. What bounds it below and above is one turn of a
 * helix and the step of one pitch where it ends. A rod is closed there by a point on the axis; a ring by helical faces out to a
 * wall that is a grid of the same kind with one corner to a pitch, and by the face of the step. */
#include <math.h>
#include <stdlib.h>

#include "thread.h"

enum { CORNERS = 4 };

static const double two_pi = 6.28318530717958647692;

double crn_thread_lead(const crn_thread *thread, double radius)
{
    return thread->pitch / (two_pi * radius);
}

typedef struct mesh {
    double *points;
    int *triangles, count, triangle_count;
} mesh;

static int add_point(mesh *m, double radius, double angle, double z)
{
    double *p = m->points + 3 * (size_t)m->count;
    p[0] = radius * cos(angle);
    p[1] = radius * sin(angle);
    p[2] = z;
    return m->count++;
}

static void add_triangle(mesh *m, int a, int b, int c)
{
    int *t = m->triangles + 3 * (size_t)m->triangle_count++;
    t[0] = a;
    t[1] = b;
    t[2] = c;
}

/* --- A grid that closes in itself --- */

typedef struct grid {
    int first;          /* vertex */
    int around, height; /* columns; corners in a column */
    int rise;           /* corners to a pitch */
} grid;

/* Corner k of column j, 0 <= j <= around. */
static int at(const grid *g, int j, int k)
{
    return j < g->around ? g->first + j * g->height + k : g->first + k + g->rise;
}

/* The top corner between columns j and j + 1. */
static int top_of(const grid *g, int j)
{
    return g->height - 1 - (j + 1 < g->around ? 0 : g->rise);
}

/* Quads between neighbouring columns, seen from outside (or inside); the last column has a pitch less above it. */
static void add_quads(mesh *m, const grid *g, bool is_inward)
{
    for (int j = 0; j < g->around; ++j) {
        for (int k = 0; k < top_of(g, j); ++k) {
            int a = at(g, j, k), b = at(g, j + 1, k), c = at(g, j + 1, k + 1), d = at(g, j, k + 1);
            add_triangle(m, a, is_inward ? c : b, is_inward ? b : c);
            add_triangle(m, a, is_inward ? d : c, is_inward ? c : d);
        }
    }
}

/* The corner of the section: 0, 1 the ends of the groove's bottom, 2, 3 those of the ridge; of a ring it is the other way. */
static void corner_of(const crn_thread *t, int k, double *radius, double *z)
{
    double slope = tan(t->flank);
    double half_out = 0.25 * t->pitch - (t->outer - t->middle) * slope; /* half widths of the rod's ridge */
    double half_in = 0.25 * t->pitch + (t->middle - t->inner) * slope;
    const double offset[CORNERS] = {half_in - t->pitch, -half_in, -half_out, half_out};
    *radius = k % CORNERS < 2 ? t->inner : t->outer;
    *z = t->pitch * (k / CORNERS) + offset[k % CORNERS];
}

static grid add_thread(mesh *m, const crn_thread *t)
{
    grid g = {m->count, t->around, CORNERS * (t->turns + 1), CORNERS};
    for (int j = 0; j < t->around; ++j) {
        for (int k = 0; k < g.height; ++k) {
            double radius, z;
            corner_of(t, k, &radius, &z);
            (void)add_point(m, radius, two_pi * j / t->around, t->low + z + t->pitch * j / t->around);
        }
    }
    add_quads(m, &g, t->wall > 0.0);
    return g;
}

/* --- Rod --- */

/* Close both ends by fans around points of the axis: a turn of the helix, and the step, below at column 0, above at the last. */
static void close_rod(mesh *m, const crn_thread *t, const grid *g)
{
    int below = add_point(m, 0.0, 0.0, t->low - t->pitch), last = g->around - 1;
    int above = add_point(m, 0.0, 0.0, t->low + t->pitch * (t->turns + 2));
    for (int j = 0; j < g->around; ++j) {
        add_triangle(m, below, at(g, j + 1, 0), at(g, j, 0));
        add_triangle(m, above, at(g, j, top_of(g, j)), at(g, j + 1, top_of(g, j)));
    }
    for (int k = 0; k < g->rise; ++k) {
        add_triangle(m, below, at(g, 0, k), at(g, 0, k + 1));
        add_triangle(m, above, at(g, last, top_of(g, last) + k + 1), at(g, last, top_of(g, last) + k));
    }
}

/* --- Ring --- */

static grid add_wall(mesh *m, const crn_thread *t)
{
    grid g = {m->count, t->around, t->turns + 1, 1};
    for (int j = 0; j < t->around; ++j) {
        for (int k = 0; k < g.height; ++k) {
            (void)add_point(m, t->wall, two_pi * j / t->around, t->low + t->pitch * (k + (double)j / t->around));
        }
    }
    add_quads(m, &g, false);
    return g;
}

/* The face of a step: corners row .. row + rise of the thread's column, two corners of the wall's. */
static void add_step(mesh *m, const grid *inner, int row, const grid *wall, int wall_row, int column, bool is_top)
{
    int low = at(wall, column, wall_row), high = at(wall, column, wall_row + 1);
    for (int k = 0; k < inner->rise; ++k) {
        int a = at(inner, column, row + k), b = at(inner, column, row + k + 1), c = 2 * k < inner->rise ? low : high;
        add_triangle(m, is_top ? a : b, is_top ? b : a, c);
    }
    int middle = at(inner, column, row + (inner->rise + 1) / 2);
    add_triangle(m, middle, is_top ? high : low, is_top ? low : high);
}

static void close_ring(mesh *m, const grid *inner, const grid *wall)
{
    for (int j = 0; j < inner->around; ++j) {
        int a = at(inner, j, 0), b = at(inner, j + 1, 0), c = at(wall, j + 1, 0), d = at(wall, j, 0);
        add_triangle(m, a, b, c);
        add_triangle(m, a, c, d);
        a = at(inner, j, top_of(inner, j));
        b = at(inner, j + 1, top_of(inner, j));
        c = at(wall, j + 1, top_of(wall, j));
        d = at(wall, j, top_of(wall, j));
        add_triangle(m, a, c, b);
        add_triangle(m, a, d, c);
    }
    int last = inner->around - 1;
    add_step(m, inner, 0, wall, 0, 0, false);
    add_step(m, inner, top_of(inner, last), wall, top_of(wall, last), last, true);
}

/* --- All --- */

bool crn_thread_mesh(const crn_thread *thread, crn_shape_def *shape)
{
    size_t columns = (size_t)thread->around, corners = (size_t)(CORNERS + 1) * (size_t)(thread->turns + 1);
    mesh m = {.points = malloc(3 * (columns * corners + 2) * sizeof(double)),
              .triangles = malloc(6 * (columns * (corners + 4) + 4 * CORNERS) * sizeof(int))};
    *shape = (crn_shape_def){.kind = CRN_SHAPE_MESH, .points = m.points, .triangles = m.triangles};
    if (m.points == NULL || m.triangles == NULL) {
        crn_thread_free(shape);
        return false;
    }
    grid inner = add_thread(&m, thread);
    if (thread->wall > 0.0) {
        grid wall = add_wall(&m, thread);
        close_ring(&m, &inner, &wall);
    } else {
        close_rod(&m, thread, &inner);
    }
    shape->count = m.count;
    shape->triangle_count = m.triangle_count;
    return true;
}

void crn_thread_free(crn_shape_def *shape)
{
    free((void *)(uintptr_t)shape->points);
    free((void *)(uintptr_t)shape->triangles);
    *shape = (crn_shape_def){.kind = CRN_SHAPE_MESH};
}
