/* Normals, edges, owners and neighbours of a mesh that has vertices, faces and mates.
 *
 * Edge between triangles with unit normals m0, m1, d along the loop of the first:
 *   dihedral       angle between m0 and m1; convex if  d . (m0 x m1) > 0
 *   cone           directions orthogonal to d within half the dihedral of its axis. The axis is along m0 + m1; for a sharp
 *                  edge, where this sum is small, along -(u0 + u1) with u_k from the edge into triangle k (concave: +)
 * Sign of distance, by [BA05]:
 *   of an edge     sum of the normals of all triangles on it
 *   of a vertex    sum of the normals, each weighted by the triangle's angle there
 * Both hold at edges and vertices where several pieces meet: the proof needs no more than that the point is the nearest
 * one of a closed surface.
 *
 * A sliver, a triangle so thin that its normal is noise, takes the normal of the neighbour across its longest side (then
 * the side between them is flat, which is what a corner in the middle of another triangle's side means). */
#include "collide/mesh/mesh_parts.h"
#include "math/elementary.h"

/* Height of a triangle below which its normal may be noise, relative to the size of the mesh: 1e-8 is the rounding of
 * coordinates in single precision, which files have; and relative to its longest side, so that small but well-shaped
 * triangles keep their own. */
#define SLIVER_HEIGHT 1e-8
#define SLIVER_SHAPE  1e-3

/* Dihedral [rad] below which an edge is flat: rounding. Flat edges make no contacts of their own. */
#define FLAT 1e-6

/* The sum that an edge's axis is along is at least sqrt 2 long where the normals are across the edge. Those that slivers took may lie along
 * it and cancel out: below this they say nothing. Without it 0 was made a unit vector: a cone and contacts that are no numbers. */
#define ASTRAY 1e-6

/* How far past an edge's end the point lies that tells whether the end is reflex, relative to the size; and how deep it must
 * be inside, relative to that step, so that an edge that goes on in a flat face is not taken for one. */
#define PAST 1e-6
#define DEEP 1e-2

/* Nodes of the tree that may be looked at to find the reflex ends: for each edge, and for all. An ordinary mesh needs some 50 for
 * an edge, the most tangled of the collected ones 210; one that needs more than this has thousands of triangles at one place,
 * and would be as slow in every query. */
#define VISITS_EACH 1000LL
#define VISITS_ALL  10000000LL

static crn_vec3 side(const crn_mesh *m, int h)
{
    return crn_v3_sub(m->vertex[crn_mesh_end(m->face, h)], m->vertex[m->face[h]]);
}

/* --- Normals of triangles --- */

static int longest_side(const crn_mesh *m, int t)
{
    int found = 3 * t;
    double longest = -1.0;
    for (int h = 3 * t; h < 3 * t + 3; ++h) {
        double square = crn_v3_dot(side(m, h), side(m, h));
        if (square > longest) {
            longest = square;
            found = h;
        }
    }
    return found;
}

/* Twice the area along the normal: from the corner opposite of the longest side, where rounding is smallest. */
static crn_vec3 area_of(const crn_mesh *m, int t, double *height, double *longest)
{
    int h = longest_side(m, t), after = crn_mesh_next(h), before = crn_mesh_next(after);
    crn_vec3 area = crn_v3_cross(side(m, after), side(m, before));
    *longest = crn_v3_length(side(m, h));
    *height = crn_v3_length(area) / *longest;
    return area;
}

static bool has_normal(const crn_mesh *m, int t)
{
    return m->normal[t].x != 0.0 || m->normal[t].y != 0.0 || m->normal[t].z != 0.0;
}

/* Own normals; 0 for slivers. */
static void find_own_normals(crn_mesh *m)
{
    for (int t = 0; t < m->triangles; ++t) {
        double height, longest;
        crn_vec3 area = area_of(m, t, &height, &longest);
        bool is_sliver = !(height > SLIVER_HEIGHT * m->size || height > SLIVER_SHAPE * longest);
        m->normal[t] = is_sliver ? crn_v3(0, 0, 0) : crn_v3_unit(area);
    }
}

/* Follow slivers across their longest sides to a normal, and give it to all on the way. on_way[t]: t's place on it. */
static void follow(crn_mesh *m, const int *mate, int t, int *way, int *on_way)
{
    int steps = 0, at = t;
    while (at >= 0 && !has_normal(m, at) && on_way[at] < 0) {
        on_way[at] = steps;
        way[steps++] = at;
        int across = mate[longest_side(m, at)];
        at = across >= 0 ? across / 3 : -1;
    }
    for (int i = 0; at >= 0 && i < steps; ++i) {
        m->normal[way[i]] = m->normal[at]; /* 0 if the way ran into itself */
    }
}

/* Slivers that are still without take that of any neighbour, in the order in which they are reached. */
static void spread(crn_mesh *m, const int *mate, int *queue)
{
    int waiting = 0;
    for (int t = 0; t < m->triangles; ++t) {
        if (has_normal(m, t)) {
            queue[waiting++] = t;
        }
    }
    for (int i = 0; i < waiting; ++i) {
        for (int h = 3 * queue[i]; h < 3 * queue[i] + 3; ++h) {
            int beside = mate[h] >= 0 ? mate[h] / 3 : -1;
            if (beside >= 0 && !has_normal(m, beside)) {
                m->normal[beside] = m->normal[queue[i]];
                queue[waiting++] = beside;
            }
        }
    }
}

static void find_normals(crn_mesh *m, const crn_mesh_draft *d)
{
    int slivers = 0;
    find_own_normals(m);
    for (int t = 0; t < m->triangles; ++t) {
        slivers += has_normal(m, t) ? 0 : 1;
        d->list[1][t] = -1;
    }
    for (int t = 0; slivers > 0 && t < m->triangles; ++t) {
        follow(m, d->mate, t, d->list[0], d->list[1]);
    }
    if (slivers > 0) {
        spread(m, d->mate, d->list[0]);
    }
    for (int t = 0; slivers > 0 && t < m->triangles; ++t) { /* a piece of nothing but slivers */
        if (!has_normal(m, t)) {
            double height, longest;
            crn_vec3 area = area_of(m, t, &height, &longest);
            m->normal[t] =
                height > 0.0 ? crn_v3_unit(area) : crn_v3_orthogonal(crn_v3_unit(side(m, longest_side(m, t))));
        }
    }
}

/* --- Edges --- */

/* Unit, from the side into the triangle, orthogonal to the side. */
static crn_vec3 into_triangle(const crn_mesh *m, int h)
{
    return crn_v3_cross(m->normal[h / 3], crn_v3_unit(side(m, h)));
}

static void find_cone(const crn_mesh *m, crn_mesh_edge *e, int h, int mate)
{
    crn_vec3 m0 = m->normal[h / 3], m1 = m->normal[mate / 3], turn = crn_v3_cross(m0, m1);
    double along = crn_v3_dot(crn_v3_unit(side(m, h)), turn), cosine = crn_v3_dot(m0, m1);
    double angle = crn_atan2(crn_v3_length(turn), cosine);
    double sign = along >= 0.0 ? 1.0 : -1.0;
    e->kind = angle < FLAT ? 0 : sign > 0.0 ? 1 : -1;
    e->half = 0.5 * angle;
    crn_vec3 sum = crn_v3_add(m0, m1);
    if (cosine < 0.0) {
        sum = crn_v3_scale(-sign, crn_v3_add(into_triangle(m, h), into_triangle(m, mate)));
    }
    e->middle = crn_v3_length(sum) > ASTRAY ? crn_v3_unit(sum) : crn_v3_orthogonal(crn_v3_unit(side(m, h)));
}

static void write_edges(crn_mesh *m, const crn_mesh_draft *d)
{
    int made = 0;
    for (int i = 0; i < 3 * m->triangles; ++i) {
        int h = d->sorted[i], mate = d->mate[h];
        if (mate >= 0 && mate / 3 < h / 3) {
            continue; /* written, or to be written, from the other side */
        }
        crn_mesh_edge *e = &m->edge[made];
        *e = (crn_mesh_edge){.vertex = {m->face[h], crn_mesh_end(m->face, h)}, .face = {h / 3, -1}};
        e->middle = m->normal[h / 3];
        if (mate >= 0) {
            e->face[1] = mate / 3;
            find_cone(m, e, h, mate);
            m->face_edge[mate] = made;
        }
        m->face_edge[h] = made;
        m->edge_owner[made] = h / 3;
        made++;
    }
}

static uint64_t ends_of(const crn_mesh_edge *e)
{
    uint64_t from = (uint64_t)e->vertex[0], to = (uint64_t)e->vertex[1];
    return from < to ? from << 32 | to : to << 32 | from;
}

/* Edges between the same two vertices lie one behind another: they share the sum of all normals. */
static void find_edge_signs(crn_mesh *m)
{
    for (int first = 0, last; first < m->edges; first = last) {
        crn_vec3 sum = crn_v3(0, 0, 0);
        for (last = first; last < m->edges && ends_of(&m->edge[last]) == ends_of(&m->edge[first]); ++last) {
            const int *face = m->edge[last].face;
            sum = crn_v3_add(sum, m->normal[face[0]]);
            sum = face[1] >= 0 ? crn_v3_add(sum, m->normal[face[1]]) : sum;
        }
        for (int e = first; e < last; ++e) {
            m->edge[e].pseudo = last == first + 1 ? m->edge[e].middle : sum;
        }
    }
}

static bool find_reflex_ends(crn_mesh *m)
{
    double step = PAST * m->size;
    long long visits = VISITS_ALL + VISITS_EACH * m->edges;
    for (int i = 0; m->is_closed && i < m->edges && visits > 0; ++i) {
        crn_mesh_edge *e = &m->edge[i];
        if (e->kind != 1) {
            continue;
        }
        crn_vec3 from = m->vertex[e->vertex[0]], to = m->vertex[e->vertex[1]];
        crn_vec3 along = crn_v3_unit(crn_v3_sub(to, from));
        e->is_reflex[0] = crn_mesh_distance_within(m, crn_v3_axpy(from, -step, along), &visits) < -DEEP * step;
        e->is_reflex[1] = crn_mesh_distance_within(m, crn_v3_axpy(to, step, along), &visits) < -DEEP * step;
    }
    return visits > 0;
}

/* --- Vertices --- */

/* Interior angle at the beginning of half-edge h. */
static double angle_at(const crn_mesh *m, int h)
{
    crn_vec3 a = side(m, h), b = crn_v3_scale(-1.0, side(m, crn_mesh_next(crn_mesh_next(h))));
    return crn_atan2(crn_v3_length(crn_v3_cross(a, b)), crn_v3_dot(a, b));
}

static void find_vertex_normals(crn_mesh *m)
{
    for (int v = 0; v < m->vertices; ++v) {
        m->pseudo[v] = crn_v3(0, 0, 0);
        m->vertex_owner[v] = -1;
    }
    for (int h = 0; h < 3 * m->triangles; ++h) {
        int v = m->face[h];
        m->pseudo[v] = crn_v3_axpy(m->pseudo[v], angle_at(m, h), m->normal[h / 3]);
        m->vertex_owner[v] = m->vertex_owner[v] < 0 ? h / 3 : m->vertex_owner[v];
    }
    for (int v = 0; v < m->vertices; ++v) {
        double length = crn_v3_length(m->pseudo[v]);
        m->pseudo[v] = length > 0.0 ? crn_v3_scale(1.0 / length, m->pseudo[v]) : m->normal[m->vertex_owner[v]];
    }
}

/* Each pair of neighbours once, also where several edges join them. */
static void find_neighbours(crn_mesh *m, int *filled)
{
    for (int v = 0; v <= m->vertices; ++v) {
        m->around_start[v] = 0;
    }
    for (int pass = 0; pass < 2; ++pass) {
        for (int e = 0; e < m->edges; ++e) {
            if (e > 0 && ends_of(&m->edge[e]) == ends_of(&m->edge[e - 1])) {
                continue;
            }
            for (int k = 0; k < 2; ++k) {
                int v = m->edge[e].vertex[k];
                if (pass == 0) {
                    m->around_start[v + 1]++;
                } else {
                    m->around[filled[v]++] = m->edge[e].vertex[1 - k];
                }
            }
        }
        for (int v = 0; pass == 0 && v < m->vertices; ++v) {
            m->around_start[v + 1] += m->around_start[v];
            filled[v] = m->around_start[v];
        }
    }
}

bool crn_mesh_features(crn_mesh *mesh, const crn_mesh_draft *draft)
{
    find_normals(mesh, draft);
    write_edges(mesh, draft);
    find_edge_signs(mesh);
    find_vertex_normals(mesh);
    find_neighbours(mesh, draft->list[0]);
    return find_reflex_ends(mesh);
}
