/* Meshes and height fields as triangles with normals. Corners that meet at a vertex belong together where the triangles
 * between them bend by less than CREASE at each edge: they share a point, whose normal is the mean of the triangles',
 * weighted by their angles at the vertex. Corners apart get points of their own, so that the edge looks sharp. */
#include "draw/surface.h"

#include "math/elementary.h"
#include "math/radix.h"

#include <limits.h>

#define COS_CREASE 0.8660254037844386 /* of 30 degrees */

typedef struct patchwork {
    const crn_vec3 *vertex;
    const int *face; /* 3 per triangle */
    int triangles;
    /* scratch */
    crn_vec3 *normal; /* of triangles */
    int *parent;      /* of corners: another corner of the same point; itself if it stands for them all */
    int *index;       /* of corners that stand for a point: where it is in the surface */
    crn_vec3 *sum;    /* of corners that stand for a point: of normals */
    uint64_t *key, *other_key;
    int *item, *other_item;
} patchwork;

static void layout(patchwork *w, crn_arena *arena)
{
    size_t corners = 3 * (size_t)w->triangles;
    w->normal = CRN_TAKE(arena, crn_vec3, w->triangles);
    w->parent = CRN_TAKE(arena, int, corners);
    w->index = CRN_TAKE(arena, int, corners);
    w->sum = CRN_TAKE(arena, crn_vec3, corners);
    w->key = CRN_TAKE(arena, uint64_t, corners);
    w->other_key = CRN_TAKE(arena, uint64_t, corners);
    w->item = CRN_TAKE(arena, int, corners);
    w->other_item = CRN_TAKE(arena, int, corners);
}

/* --- Which corners share a point --- */

static crn_vec3 corner_at(const patchwork *w, int corner)
{
    return w->vertex[w->face[corner]];
}

static int after(int h)
{
    return h % 3 == 2 ? h - 2 : h + 1;
}

static int before(int h)
{
    return h % 3 == 0 ? h + 2 : h - 1;
}

static int stands_for(patchwork *w, int corner)
{
    while (w->parent[corner] != corner) {
        w->parent[corner] = w->parent[w->parent[corner]];
        corner = w->parent[corner];
    }
    return corner;
}

static void share(patchwork *w, int a, int b)
{
    a = stands_for(w, a);
    b = stands_for(w, b);
    w->parent[a > b ? a : b] = a < b ? a : b;
}

/* Half-edges g and h run along the same edge in opposite directions. */
static void join_if_smooth(patchwork *w, int g, int h)
{
    if (crn_v3_dot(w->normal[g / 3], w->normal[h / 3]) >= COS_CREASE) {
        share(w, g, after(h));
        share(w, after(g), h);
    }
}

/* Neighbours are half-edges with the same ends. Edges of more than two triangles stay sharp. */
static void join_neighbours(patchwork *w)
{
    int corners = 3 * w->triangles;
    for (int h = 0; h < corners; ++h) {
        uint64_t from = (uint64_t)w->face[h], to = (uint64_t)w->face[after(h)];
        w->key[h] = from < to ? from << 32 | to : to << 32 | from;
        w->item[h] = h;
        w->parent[h] = h;
    }
    crn_radix_sort(corners, w->key, w->item, w->other_key, w->other_item);
    for (int first = 0, last; first < corners; first = last) {
        for (last = first + 1; last < corners && w->key[last] == w->key[first]; ++last) {
        }
        int g = w->item[first], h = w->item[last - 1];
        if (last - first == 2 && w->face[g] != w->face[h]) {
            join_if_smooth(w, g, h);
        }
    }
}

/* --- Normals and points --- */

static void find_face_normals(patchwork *w)
{
    for (int t = 0; t < w->triangles; ++t) {
        crn_vec3 a = corner_at(w, 3 * t);
        crn_vec3 b = crn_surface_unit(crn_v3_sub(corner_at(w, 3 * t + 1), a));
        crn_vec3 c = crn_surface_unit(crn_v3_sub(corner_at(w, 3 * t + 2), a));
        w->normal[t] = crn_surface_unit(crn_v3_cross(b, c));
    }
}

static double angle_at(const patchwork *w, int corner)
{
    crn_vec3 p = corner_at(w, corner);
    crn_vec3 to = crn_surface_unit(crn_v3_sub(corner_at(w, after(corner)), p));
    crn_vec3 from = crn_surface_unit(crn_v3_sub(corner_at(w, before(corner)), p));
    return crn_atan2(crn_v3_length(crn_v3_cross(to, from)), crn_v3_dot(to, from));
}

static void sum_normals(patchwork *w)
{
    for (int h = 0; h < 3 * w->triangles; ++h) {
        w->sum[h] = crn_v3(0, 0, 0);
    }
    for (int h = 0; h < 3 * w->triangles; ++h) {
        int point = stands_for(w, h);
        w->sum[point] = crn_v3_axpy(w->sum[point], angle_at(w, h), w->normal[h / 3]);
    }
}

static void add_points_and_triangles(crn_surface *s, patchwork *w)
{
    for (int h = 0; h < 3 * w->triangles; ++h) {
        if (w->parent[h] == h) {
            w->index[h] = crn_surface_point(s, corner_at(w, h), crn_surface_unit(w->sum[h]));
        }
    }
    for (int t = 0; t < w->triangles; ++t) {
        int corner[3];
        for (int k = 0; k < 3; ++k) {
            corner[k] = w->index[stands_for(w, 3 * t + k)];
        }
        crn_surface_triangle(s, corner[0], corner[1], corner[2]);
    }
}

static void add_patchwork(crn_surface *s, const crn_vec3 *vertex, const int *face, int triangles)
{
    patchwork work = {.vertex = vertex, .face = face, .triangles = triangles};
    crn_arena arena = crn_arena_counting();
    crn_workspace workspace = crn_workspace_with(s->to->allocator);
    layout(&work, &arena);
    s->is_short = s->is_short || arena.overflow || crn_workspace_arena(&workspace, arena.used, &arena, NULL) != CRN_OK;
    if (!s->is_short) {
        layout(&work, &arena);
        find_face_normals(&work);
        join_neighbours(&work);
        sum_normals(&work);
        add_points_and_triangles(s, &work);
    }
    crn_workspace_free(&workspace);
}

/* --- Height field: the top, a skirt down to a base below its lowest place, and the base --- */

#define SKIRT 0.05 /* how far the base is below the lowest place, as a part of the longer side */

typedef struct block {
    const crn_shape_def *field;
    crn_vec3 *vertex;
    int *face;
    int vertices, triangles;
} block;

static void add_face(block *b, int p, int q, int r)
{
    int *to = b->face + 3 * (size_t)b->triangles++;
    to[0] = p;
    to[1] = q;
    to[2] = r;
}

static void add_top(block *b)
{
    const crn_shape_def *f = b->field;
    double x0 = -0.5 * f->size.x * (f->rows - 1), y0 = -0.5 * f->size.y * (f->columns - 1);
    for (int j = 0; j < f->columns; ++j) {
        for (int i = 0; i < f->rows; ++i) {
            double z = f->points[(size_t)i + (size_t)f->rows * (size_t)j];
            b->vertex[b->vertices++] = crn_v3(x0 + f->size.x * i, y0 + f->size.y * j, z);
        }
    }
    for (int j = 0; j + 1 < f->columns; ++j) {
        for (int i = 0; i + 1 < f->rows; ++i) {
            int low = i + f->rows * j, high = low + f->rows;
            add_face(b, low, low + 1, high + 1);
            add_face(b, low, high + 1, high);
        }
    }
}

/* Sample k of the border, counter-clockwise seen from above, from sample (0, 0). */
static int border_sample(const crn_shape_def *f, int k)
{
    int across = f->rows - 1, up = f->columns - 1;
    if (k < across) {
        return k;
    }
    if (k < across + up) {
        return across + f->rows * (k - across);
    }
    if (k < 2 * across + up) {
        return 2 * across + up - k + f->rows * up;
    }
    return f->rows * (2 * (across + up) - k);
}

static int border_length(const crn_shape_def *f)
{
    return 2 * (f->rows - 1 + f->columns - 1);
}

static double base_height(const crn_shape_def *f)
{
    double lowest = f->points[0];
    for (size_t k = 1; k < (size_t)f->rows * (size_t)f->columns; ++k) {
        lowest = crn_fmin(lowest, f->points[k]);
    }
    return lowest - SKIRT * crn_fmax(f->size.x * (f->rows - 1), f->size.y * (f->columns - 1));
}

static void add_skirt_and_base(block *b)
{
    int border = border_length(b->field), first = b->vertices;
    double base = base_height(b->field);
    for (int k = 0; k < border; ++k) {
        crn_vec3 above = b->vertex[border_sample(b->field, k)];
        b->vertex[b->vertices++] = crn_v3(above.x, above.y, base);
    }
    int middle = b->vertices;
    b->vertex[b->vertices++] = crn_v3(0, 0, base);
    for (int k = 0; k < border; ++k) {
        int next = (k + 1) % border;
        int here = border_sample(b->field, k), there = border_sample(b->field, next);
        add_face(b, there, here, first + k);
        add_face(b, there, first + k, first + next);
        add_face(b, middle, first + next, first + k);
    }
}

static void add_field(crn_surface *s, const crn_shape *shape)
{
    block b = {.field = crn_shape_definition(shape)};
    size_t cells = (size_t)(b.field->rows - 1) * (size_t)(b.field->columns - 1);
    size_t border = (size_t)border_length(b.field);
    size_t vertices = (size_t)b.field->rows * (size_t)b.field->columns + border + 1, faces = 2 * cells + 3 * border;
    if (faces > INT_MAX / 3) {
        s->is_short = true;
        return;
    }
    b.vertex = (crn_vec3 *)crn_allocate(&s->to->allocator, vertices, sizeof(crn_vec3));
    b.face = (int *)crn_allocate(&s->to->allocator, 3 * faces, sizeof(int));
    if (b.vertex != NULL && b.face != NULL) {
        add_top(&b);
        add_skirt_and_base(&b);
        add_patchwork(s, b.vertex, b.face, b.triangles);
    } else {
        s->is_short = true;
    }
    crn_release(&s->to->allocator, b.vertex);
    crn_release(&s->to->allocator, b.face);
}

void crn_surface_creased(crn_surface *surface, const crn_shape *shape)
{
    if (crn_shape_definition(shape)->kind == CRN_SHAPE_HEIGHT_FIELD) {
        add_field(surface, shape);
    } else {
        const int *face;
        int triangles;
        const crn_vec3 *vertex = crn_shape_mesh_vertices(shape, &face, &triangles);
        add_patchwork(surface, vertex, face, triangles);
    }
}
