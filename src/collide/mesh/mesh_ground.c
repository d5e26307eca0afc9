/* A mesh on a height field: the field near the mesh is made a mesh for the time of the query, and the two meet in
 * feature pairs. What is inside is told by the field: below its surface.
 *
 * Cells are numbered along rows; cell (i, j) has triangles 2 c and 2 c + 1, vertex v has edges 3 v + way (field.h);
 * the tree halves the rectangle of cells along its longer side. Edges at the border of the part have no second face
 * and no contacts of their own; so the part is one cell wider than the mesh, and only the border of the field itself
 * is without. */
#include "collide/mesh/mesh_shapes.h"
#include "math/elementary.h"

/* Dihedral [rad] below which an edge is flat, as of meshes. */
#define FLAT 1e-6

/* How far past an edge's end the point lies that tells whether it is reflex, relative to the edge; and how deep it
 * must be, relative to that step. */
#define PAST 1e-6
#define DEEP 1e-2

typedef struct part {
    crn_field field;
    crn_field_range range;
    int rows, columns; /* of cells */
    crn_mesh mesh;
    int *corner; /* of the tree: 4 per node: first and last cell along i and j */
} part;

/* --- Memory --- */

static void lay_out(part *p, crn_arena *arena)
{
    crn_mesh *m = &p->mesh;
    size_t cells = (size_t)p->rows * (size_t)p->columns, vertices = (size_t)m->vertices;
    m->vertex = CRN_TAKE(arena, crn_vec3, vertices);
    m->pseudo = CRN_TAKE(arena, crn_vec3, vertices);
    m->face = CRN_TAKE(arena, int, 6 * cells);
    m->face_edge = CRN_TAKE(arena, int, 6 * cells);
    m->normal = CRN_TAKE(arena, crn_vec3, 2 * cells);
    m->edge = CRN_TAKE(arena, crn_mesh_edge, 3 * vertices);
    m->vertex_owner = CRN_TAKE(arena, int, vertices);
    m->edge_owner = CRN_TAKE(arena, int, 3 * vertices);
    m->around_start = CRN_TAKE(arena, int, vertices + 1);
    m->around = CRN_TAKE(arena, int, 6 * vertices);
    m->node = CRN_TAKE(arena, crn_mesh_node, 2 * cells);
    m->tree_face = CRN_TAKE(arena, int, 2 * cells);
    p->corner = CRN_TAKE(arena, int, 8 * cells);
}

/* The part of the field around a box, one cell wider. False without memory. */
static bool make_room(part *p, crn_collide_scratch *scratch)
{
    const crn_field *f = &p->field;
    crn_field_range *r = &p->range;
    r->low_i -= r->low_i > 0;
    r->low_j -= r->low_j > 0;
    r->high_i += r->high_i < f->rows - 1;
    r->high_j += r->high_j < f->columns - 1;
    p->rows = r->high_i - r->low_i;
    p->columns = r->high_j - r->low_j;
    p->mesh.vertices = (p->rows + 1) * (p->columns + 1);
    p->mesh.triangles = 2 * p->rows * p->columns;
    p->mesh.edges = 3 * p->mesh.vertices;
    crn_arena arena = crn_arena_counting();
    lay_out(p, &arena);
    size_t blocks = arena.used / CRN_ARENA_ALIGN + 1; /* one more, to begin at a multiple */
    if (arena.overflow || blocks > INT32_MAX / 2 ||
        !crn_scratch_reserve(scratch, CRN_LIST_FIELD, (int)blocks, CRN_ARENA_ALIGN)) {
        scratch->is_short = true;
        return false;
    }
    unsigned char *memory = (unsigned char *)scratch->list[CRN_LIST_FIELD].item;
    size_t off = (uintptr_t)memory % CRN_ARENA_ALIGN;
    memory += off > 0 ? CRN_ARENA_ALIGN - off : 0;
    arena = (crn_arena){memory, arena.used, 0, false};
    lay_out(p, &arena);
    return true;
}

/* --- Triangles --- */

static int vertex_at(const part *p, int i, int j)
{
    return i + (p->rows + 1) * j;
}

static void set_vertices(part *p)
{
    crn_mesh *m = &p->mesh;
    for (int j = 0; j <= p->columns; ++j) {
        for (int i = 0; i <= p->rows; ++i) {
            int v = vertex_at(p, i, j);
            m->vertex[v] = crn_field_vertex(&p->field, p->range.low_i + i, p->range.low_j + j);
            m->pseudo[v] = crn_v3(0, 0, 0);
            m->vertex_owner[v] = -1;
        }
    }
}

/* Corners (0,0), (1,0), (1,1) and (0,0), (1,1), (0,1) of the cell; edge k leads from corner k to the next. */
static void set_triangles(part *p)
{
    crn_mesh *m = &p->mesh;
    for (int j = 0; j < p->columns; ++j) {
        for (int i = 0; i < p->rows; ++i) {
            int a = vertex_at(p, i, j), b = a + 1, d = vertex_at(p, i, j + 1), c = d + 1, t = 2 * (i + p->rows * j);
            const int corner[6] = {a, b, c, a, c, d},
                      edge[6] = {3 * a, 3 * b + 1, 3 * a + 2, 3 * a + 2, 3 * d, 3 * a + 1};
            for (int k = 0; k < 6; ++k) {
                m->face[3 * t + k] = corner[k];
                m->face_edge[3 * t + k] = edge[k];
            }
            for (int upper = 0; upper < 2; ++upper) {
                m->normal[t + upper] =
                    crn_field_face_at(&p->field, p->range.low_i + i, p->range.low_j + j, upper).normal;
                m->tree_face[t + upper] = t + upper;
            }
        }
    }
    for (int k = 0; k < 3 * m->triangles; ++k) {
        int v = m->face[k];
        m->pseudo[v] = crn_v3_add(m->pseudo[v], m->normal[k / 3]);
        m->vertex_owner[v] = m->vertex_owner[v] < 0 ? k / 3 : m->vertex_owner[v];
    }
    for (int v = 0; v < m->vertices; ++v) {
        m->pseudo[v] = crn_v3_unit(m->pseudo[v]); /* all normals look up: the sum is not 0 */
    }
}

/* --- Edges --- */

static bool is_below(const part *p, crn_vec3 from, crn_vec3 step)
{
    crn_vec3 q = crn_v3_add(from, step);
    crn_field_face face;
    return crn_field_face_under(&p->field, q.x, q.y, &face) && crn_field_over(&face, q) < -DEEP * crn_v3_length(step);
}

static void set_bend(const part *p, crn_mesh_edge *e)
{
    const crn_mesh *m = &p->mesh;
    crn_vec3 from = m->vertex[e->vertex[0]], to = m->vertex[e->vertex[1]], d = crn_v3_sub(to, from);
    crn_vec3 n = m->normal[e->face[0]], o = m->normal[e->face[1]], turn = crn_v3_cross(n, o);
    double angle = crn_atan2(crn_v3_length(turn), crn_v3_dot(n, o));
    e->kind = angle < FLAT ? 0 : crn_v3_dot(d, turn) > 0.0 ? 1 : -1;
    e->half = 0.5 * angle;
    e->middle = crn_v3_unit(crn_v3_add(n, o)); /* both look up */
    if (e->kind > 0) {
        crn_vec3 step = crn_v3_scale(PAST, d);
        e->is_reflex[0] = is_below(p, from, crn_v3_scale(-1.0, step));
        e->is_reflex[1] = is_below(p, to, step);
    }
}

static void set_edges(part *p)
{
    crn_mesh *m = &p->mesh;
    for (int e = 0; e < m->edges; ++e) {
        m->edge_owner[e] = -1;
    }
    for (int k = 0; k < 3 * m->triangles; ++k) {
        int e = m->face_edge[k], t = k / 3;
        if (m->edge_owner[e] < 0) {
            int next = k % 3 == 2 ? k - 2 : k + 1;
            m->edge_owner[e] = t;
            m->edge[e] =
                (crn_mesh_edge){.vertex = {m->face[k], m->face[next]}, .face = {t, -1}, .middle = m->normal[t]};
        } else {
            m->edge[e].face[1] = t;
            set_bend(p, &m->edge[e]);
        }
    }
}

static void set_neighbours(part *p)
{
    static const int way[6][2] = {{1, 0}, {0, 1}, {1, 1}, {-1, 0}, {0, -1}, {-1, -1}};
    crn_mesh *m = &p->mesh;
    int count = 0;
    for (int v = 0; v < m->vertices; ++v) {
        int i = v % (p->rows + 1), j = v / (p->rows + 1);
        m->around_start[v] = count;
        for (int k = 0; k < 6; ++k) {
            int x = i + way[k][0], y = j + way[k][1];
            if (x >= 0 && x <= p->rows && y >= 0 && y <= p->columns) {
                m->around[count++] = vertex_at(p, x, y);
            }
        }
    }
    m->around_start[m->vertices] = count;
}

/* --- Tree --- */

static void set_leaf(part *p, crn_mesh_node *node, int i, int j)
{
    node->first = 2 * (i + p->rows * j);
    node->count = 2;
    for (int k = 0; k < 4; ++k) {
        double x[3];
        crn_v3_to(p->mesh.vertex[vertex_at(p, i + (k & 1), j + (k >> 1))], x);
        for (int axis = 0; axis < 3; ++axis) {
            node->low[axis] = k == 0 ? x[axis] : crn_pair_smaller(node->low[axis], x[axis]);
            node->high[axis] = k == 0 ? x[axis] : crn_pair_larger(node->high[axis], x[axis]);
        }
    }
}

static void set_tree(part *p)
{
    crn_mesh *m = &p->mesh;
    const int all[4] = {0, p->rows - 1, 0, p->columns - 1};
    for (int k = 0; k < 4; ++k) {
        p->corner[k] = all[k];
    }
    m->nodes = 1;
    for (int n = 0; n < m->nodes; ++n) {
        const int *c = p->corner + 4 * (ptrdiff_t)n;
        int along = c[1] - c[0] >= c[3] - c[2] ? 0 : 2; /* halve i or j */
        if (c[along] == c[along + 1]) {
            set_leaf(p, &m->node[n], c[0], c[2]);
            continue;
        }
        int middle = (c[along] + c[along + 1]) / 2;
        for (int side = 0; side < 2; ++side) {
            int *to = p->corner + 4 * (ptrdiff_t)(m->nodes + side);
            for (int k = 0; k < 4; ++k) {
                to[k] = c[k];
            }
            to[along + 1 - side] = side == 0 ? middle : middle + 1;
        }
        m->node[n] = (crn_mesh_node){.first = m->nodes, .count = 0};
        m->nodes += 2;
    }
    for (int n = m->nodes - 1; n >= 0; --n) {
        crn_mesh_node *node = &m->node[n], *child = m->node + node->first;
        for (int k = 0; k < 3 && node->count == 0; ++k) {
            node->low[k] = crn_pair_smaller(child[0].low[k], child[1].low[k]);
            node->high[k] = crn_pair_larger(child[0].high[k], child[1].high[k]);
        }
    }
}

/* --- The pair --- */

/* Bounds of a mesh in the field's frame. */
static void bounds_of(const crn_mesh *m, const crn_frame *in_field, double low[3], double high[3])
{
    double centre[3], half[3], at[3];
    for (int k = 0; k < 3; ++k) {
        centre[k] = 0.5 * (m->node[0].low[k] + m->node[0].high[k]);
        half[k] = 0.5 * (m->node[0].high[k] - m->node[0].low[k]);
    }
    crn_v3_to(crn_frame_point(in_field, crn_v3_of(centre)), at);
    for (int k = 0; k < 3; ++k) {
        const double *r = in_field->rotation.m + k;
        double reach = fabs(r[0]) * half[0] + fabs(r[3]) * half[1] + fabs(r[6]) * half[2];
        low[k] = at[k] - reach;
        high[k] = at[k] + reach;
    }
}

/* Below the ground without a crossing: out along the normal above its deepest vertex. */
static bool meet_sunk(crn_mesh_pair *t)
{
    double deepest = -t->tolerance;
    crn_feature_pair f = {.gap = 0.0};
    for (int v = 0; v < t->a->vertices; ++v) {
        crn_vec3 p = t->a->vertex[v], q = crn_frame_local(&t->frame, p);
        crn_field_face face;
        double over = crn_field_face_under(t->ground, q.x, q.y, &face) ? crn_field_over(&face, q) : 0.0;
        if (over < deepest) {
            crn_vec3 n = crn_m3_times(&t->frame.rotation, face.normal);
            deepest = over;
            f = (crn_feature_pair){CRN_FEATURE_DEEP_A, v, 0, over, n, p, crn_v3_axpy(p, -over, n)};
        }
    }
    return f.gap == 0.0 || crn_pair_keep(t, &f);
}

/* Features of the part, by their numbers in the whole field: so keys stay when the mesh moves on. */
static void rename_features(const part *p, crn_mesh_pair *t)
{
    for (int k = 0; k < t->kept_count; ++k) {
        crn_feature_pair *f = &t->found[t->kept[k]];
        bool is_face = f->type == CRN_FEATURE_VF, is_edge = f->type == CRN_FEATURE_EE || f->type == CRN_FEATURE_VE;
        int per = is_face ? 2 : is_edge ? 3 : 1, wide = is_face ? p->rows : p->rows + 1;
        int at = f->b / per, i = p->range.low_i + at % wide, j = p->range.low_j + at / wide;
        f->b = f->type >= CRN_FEATURE_DEEP_A ? 0 : per * (i + p->field.rows * j) + f->b % per;
    }
}

bool crn_mesh_ground(const crn_query *query, crn_collide_scratch *scratch, crn_touches *out)
{
    part p = {.field = crn_field_of(query->b)};
    const crn_mesh *a = query->a->mesh;
    crn_frame in_field = {crn_m3_transposed_product(&query->frame_b->rotation, &query->frame_a->rotation),
                          crn_frame_local(query->frame_b, query->frame_a->position)};
    double low[3], high[3];
    bounds_of(a, &in_field, low, high);
    double grow = query->reach;
    p.range = crn_field_cells(&p.field, low[0] - grow, high[0] + grow, low[1] - grow, high[1] + grow);
    if (p.range.low_i >= p.range.high_i || p.range.low_j >= p.range.high_j) {
        return true;
    }
    if (!make_room(&p, scratch)) {
        return false;
    }
    set_vertices(&p);
    set_triangles(&p);
    set_edges(&p);
    set_neighbours(&p);
    set_tree(&p);
    if (p.mesh.node[0].high[2] < low[2] - grow) {
        return true;
    }
    p.mesh.size = a->size;
    crn_mesh_pair t = crn_pair_of(a, query->frame_a, &p.mesh, query->frame_b, query->reach, scratch);
    t.ground = &p.field;
    t.ground_features = 3 * p.field.rows * p.field.columns;
    if (!crn_pair_find(&t) || (!crn_pair_has_negative(&t) && !meet_sunk(&t))) {
        return false;
    }
    rename_features(&p, &t);
    crn_pair_write(&t, query->frame_a, out);
    return true;
}
