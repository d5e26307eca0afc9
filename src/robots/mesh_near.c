/* Points nearer than a tolerance become one: each point, in their order, becomes the first point before it that is near
 * enough and has itself not become another.
 *
 * The points that stay are kept in cells of a grid four tolerances wide; a point looks in the cells that a cube of one
 * tolerance around it meets. Points that stay are farther apart than the tolerance, so a cell has room for a limited number
 * of them, and time is bounded whatever the points are. Cells are found by sorting. */
#include "robots/mesh_file.h"

#include "base/memory.h"
#include "math/elementary.h"
#include "math/radix.h"

#include <math.h>

/* Width of a cell in tolerances. */
#define CELL 4.0

/* Cells along an axis: keys have 21 bits for each. */
#define MOST_CELLS 2097151.0

typedef struct grid {
    const double *points;
    int count;
    double low[3], width, tolerance;
    uint64_t *key; /* of cells, ascending, one for each point */
    int *item;     /* the points in this order */
    int *first;    /* of the first point of each cell, in the same order: the last point that stays there; -1: none */
    int *next;     /* of points that stay: the one that came before in its cell; -1: none */
    int *becomes;  /* of points */
    uint64_t *spare_key;
    int *spare_item;
} grid;

static void lay_out(grid *g, crn_arena *arena)
{
    size_t n = (size_t)g->count;
    g->key = CRN_TAKE(arena, uint64_t, n);
    g->spare_key = CRN_TAKE(arena, uint64_t, n);
    g->item = CRN_TAKE(arena, int, n);
    g->spare_item = CRN_TAKE(arena, int, n);
    g->first = CRN_TAKE(arena, int, n);
    g->next = CRN_TAKE(arena, int, n);
    g->becomes = CRN_TAKE(arena, int, n);
}

static uint64_t cell_along(const grid *g, double x, int axis)
{
    double cell = floor((x - g->low[axis]) / g->width);
    return cell < 0.0 ? 0 : cell > MOST_CELLS ? (uint64_t)MOST_CELLS : (uint64_t)cell;
}

static uint64_t key_of(const uint64_t cell[3])
{
    return cell[0] << 42 | cell[1] << 21 | cell[2];
}

static void sort_into_cells(grid *g)
{
    for (int i = 0; i < g->count; ++i) {
        uint64_t cell[3];
        for (int k = 0; k < 3; ++k) {
            cell[k] = cell_along(g, g->points[3 * (size_t)i + (size_t)k], k);
        }
        g->key[i] = key_of(cell);
        g->item[i] = i;
        g->first[i] = g->next[i] = -1;
    }
    crn_radix_sort(g->count, g->key, g->item, g->spare_key, g->spare_item);
}

/* Where the cell begins; -1 if it has no points. */
static int find_cell(const grid *g, uint64_t key)
{
    int low = 0, high = g->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (g->key[middle] < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < g->count && g->key[low] == key ? low : -1;
}

static bool is_near(const grid *g, const double *a, const double *b)
{
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return x * x + y * y + z * z <= g->tolerance * g->tolerance;
}

/* The lowest point of the cell that stays and is near p; found if there is none that is lower. */
static int lowest_near(const grid *g, int cell, const double *p, int found)
{
    for (int i = cell >= 0 ? g->first[cell] : -1; i >= 0; i = g->next[i]) {
        if ((found < 0 || i < found) && is_near(g, p, g->points + 3 * (size_t)i)) {
            found = i;
        }
    }
    return found;
}

static void place(grid *g, int point)
{
    const double *p = g->points + 3 * (size_t)point;
    uint64_t from[3], to[3], cell[3];
    for (int k = 0; k < 3; ++k) {
        cell[k] = cell_along(g, p[k], k);
        from[k] = cell_along(g, p[k] - g->tolerance, k);
        to[k] = cell_along(g, p[k] + g->tolerance, k);
    }
    int found = -1;
    for (uint64_t i = from[0]; i <= to[0]; ++i) {
        for (uint64_t j = from[1]; j <= to[1]; ++j) {
            for (uint64_t k = from[2]; k <= to[2]; ++k) {
                found = lowest_near(g, find_cell(g, key_of((const uint64_t[3]){i, j, k})), p, found);
            }
        }
    }
    g->becomes[point] = found >= 0 ? found : point;
    if (found < 0) {
        int own = find_cell(g, key_of(cell));
        g->next[point] = g->first[own];
        g->first[own] = point;
    }
}

static void measure(grid *g)
{
    double high[3], longest = 0.0;
    for (int k = 0; k < 3; ++k) {
        g->low[k] = high[k] = g->points[k];
        for (int i = 1; i < g->count; ++i) {
            double x = g->points[3 * (size_t)i + (size_t)k];
            g->low[k] = x < g->low[k] ? x : g->low[k];
            high[k] = x > high[k] ? x : high[k];
        }
        longest = crn_fmax(longest, high[k] - g->low[k]);
    }
    g->tolerance *= longest;
    g->width = crn_fmax(CELL * g->tolerance, longest / MOST_CELLS);
    g->width = g->width > 0.0 ? g->width : 1.0;
}

/* Leave out the points that have become others, and renumber the triangles. */
static void compact(grid *g, crn_mesh_data *mesh)
{
    int kept = 0, *number = g->first;
    for (int i = 0; i < g->count; ++i) {
        if (g->becomes[i] == i) {
            for (size_t k = 0; k < 3; ++k) {
                mesh->points[3 * (size_t)kept + k] = mesh->points[3 * (size_t)i + k];
            }
            number[i] = kept++;
        }
    }
    for (size_t k = 0; k < 3 * (size_t)mesh->triangle_count; ++k) {
        mesh->triangles[k] = number[g->becomes[mesh->triangles[k]]];
    }
    mesh->count = kept;
}

crn_status crn_mesh_join_near(crn_mesh_reader *reader, double tolerance)
{
    grid g = {.points = reader->mesh->points, .count = reader->mesh->count, .tolerance = tolerance};
    if (g.count == 0) {
        return CRN_OK;
    }
    crn_arena arena = crn_arena_counting();
    lay_out(&g, &arena);
    void *memory = arena.overflow ? NULL : crn_allocate(&reader->allocator, arena.used, 1);
    if (memory == NULL) {
        return crn_mesh_no_memory(reader);
    }
    arena = (crn_arena){memory, arena.used, 0, false};
    lay_out(&g, &arena);
    measure(&g);
    sort_into_cells(&g);
    for (int i = 0; i < g.count; ++i) {
        place(&g, i);
    }
    compact(&g, reader->mesh);
    crn_release(&reader->allocator, memory);
    return CRN_OK;
}
