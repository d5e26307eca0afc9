/* What is a mesh like: is it closed, how many pieces, does it pass through itself?
 *
 * An edge passes through a triangle that shares no vertex with it if its ends lie on different sides of the plane and the
 * point between them lies in the triangle, all by more than TOUCH: pieces that merely touch do not count. Candidates come
 * from the tree of boxes.
 *
 * A mesh that passes through itself is reported, not refused. Where two solid pieces overlap (the pieces of a convex
 * decomposition do) its surface is still right seen from outside, and contacts shallower than the overlap are too; what is
 * wrong is the mass, which counts the overlap twice, and the distance of points deep inside. Pieces that are inside out
 * show in volume and inertia, which are checked when a shape is made. */
#include "collide/mesh/mesh_parts.h"

#include <stdio.h>
#include <string.h>

/* Relative to the size: above the rounding of coordinates and below any overlap that matters. */
#define TOUCH 1e-9

/* Triangles that all edges together may be tested with: some seconds. Only meshes that are tangled everywhere need more;
 * what has been counted by then is reported. */
#define MOST_TESTS 100000000LL

enum { STACK = 64 };

typedef struct search {
    const crn_mesh *mesh;
    const crn_mesh_edge *edge;
    crn_vec3 from, to;
    double low[3], high[3], touch;
    long long tests; /* left to do */
    int crossed;     /* the first triangle found; -1: none yet */
} search;

static bool has_corner(const crn_mesh *m, int t, int vertex)
{
    const int *corner = m->face + 3 * (size_t)t;
    return corner[0] == vertex || corner[1] == vertex || corner[2] == vertex;
}

/* Is x, in the triangle's plane, inside by more than touch? */
static bool is_within(const crn_mesh *m, int t, crn_vec3 x, double touch)
{
    for (int k = 0; k < 3; ++k) {
        crn_vec3 a = m->vertex[m->face[3 * (size_t)t + (size_t)k]];
        crn_vec3 side = crn_v3_sub(m->vertex[m->face[3 * (size_t)t + (size_t)(k + 1) % 3]], a);
        crn_vec3 inward = crn_v3_cross(m->normal[t], side);
        if (!(crn_v3_dot(inward, crn_v3_sub(x, a)) > touch * crn_v3_length(side))) {
            return false;
        }
    }
    return true;
}

static bool passes_through(const search *s, int t)
{
    const crn_mesh *m = s->mesh;
    if (has_corner(m, t, s->edge->vertex[0]) || has_corner(m, t, s->edge->vertex[1])) {
        return false;
    }
    crn_vec3 corner = m->vertex[m->face[3 * (size_t)t]], n = m->normal[t];
    double from = crn_v3_dot(n, crn_v3_sub(s->from, corner)), to = crn_v3_dot(n, crn_v3_sub(s->to, corner));
    bool is_across = (from > s->touch && to < -s->touch) || (from < -s->touch && to > s->touch);
    return is_across && is_within(m, t, crn_v3_axpy(s->from, from / (from - to), crn_v3_sub(s->to, s->from)), s->touch);
}

static bool overlaps(const search *s, const crn_mesh_node *node)
{
    for (int k = 0; k < 3; ++k) {
        if (node->low[k] > s->high[k] || node->high[k] < s->low[k]) {
            return false;
        }
    }
    return true;
}

static bool finds_crossing(search *s)
{
    int waiting[STACK], count = 0;
    waiting[count++] = 0;
    while (count > 0 && s->tests > 0) {
        const crn_mesh_node *node = &s->mesh->node[waiting[--count]];
        s->tests--;
        if (!overlaps(s, node)) {
            continue;
        }
        for (int i = 0; i < node->count; ++i) {
            int t = s->mesh->tree_face[node->first + i];
            if (passes_through(s, t)) {
                s->crossed = s->crossed < 0 ? t : s->crossed;
                return true;
            }
        }
        if (node->count == 0) {
            waiting[count++] = node->first;
            waiting[count++] = node->first + 1;
        }
    }
    return false;
}

/* How many edges pass through a triangle; *crossed: the first triangle found, -1 if there is none. */
static int count_crossings(const crn_mesh *m, int *crossed)
{
    search s = {.mesh = m, .touch = TOUCH * m->size, .tests = MOST_TESTS, .crossed = -1};
    int crossings = 0;
    for (int e = 0; e < m->edges; ++e) {
        s.edge = &m->edge[e];
        s.from = m->vertex[s.edge->vertex[0]];
        s.to = m->vertex[s.edge->vertex[1]];
        double from[3], to[3];
        crn_v3_to(s.from, from);
        crn_v3_to(s.to, to);
        for (int k = 0; k < 3; ++k) {
            s.low[k] = from[k] < to[k] ? from[k] : to[k];
            s.high[k] = from[k] < to[k] ? to[k] : from[k];
        }
        crossings += finds_crossing(&s) ? 1 : 0;
    }
    *crossed = s.crossed;
    return crossings;
}

crn_status crn_mesh_inspect(const crn_shape_def *def, const crn_allocator *allocator, crn_mesh_report *report,
                            crn_error *error)
{
    crn_clear(error);
    if (def == NULL || report == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s: missing", def == NULL ? "def" : "report");
    }
    *report = (crn_mesh_report){.open_triangle = -1, .crossed_triangle = -1};
    if (def->kind != CRN_SHAPE_MESH) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "kind: not a mesh");
    }
    crn_mesh *mesh = NULL;
    crn_mesh_facts facts;
    crn_status status = crn_mesh_make(def, allocator, &mesh, &facts, error);
    if (status != CRN_OK) {
        return status;
    }
    int crossed = -1, crossings = count_crossings(mesh, &crossed);
    *report = (crn_mesh_report){.vertices = mesh->vertices,
                                .triangles = mesh->triangles,
                                .shells = facts.shells,
                                .open_edges = facts.open_edges,
                                .crossings = crossings,
                                .flipped = facts.flipped,
                                .volume = crn_mesh_mass(mesh).mass,
                                .collapsed = facts.collapsed,
                                .duplicates = facts.duplicates,
                                .turned = facts.turned,
                                .open_triangle = facts.open_edges > 0 ? facts.open_triangle : -1,
                                .crossed_triangle = crossed >= 0 ? mesh->given_of[crossed] : -1};
    crn_mesh_free(allocator, mesh);
    return CRN_OK;
}

/* --- Telling --- */

/* Append "; 3 what" to a text. */
static void tell(char *text, size_t size, int count, const char *what)
{
    size_t used = strlen(text);
    if (count > 0 && used < size) {
        (void)snprintf(text + used, size - used, "%s%d %s", used > 0 ? "; " : "", count, what);
    }
}

/* Append " (triangle 7)". */
static void tell_triangle(char *text, size_t size, int triangle)
{
    size_t used = strlen(text);
    if (triangle >= 0 && used < size) {
        (void)snprintf(text + used, size - used, " (triangle %d)", triangle);
    }
}

bool crn_mesh_report_tell(const crn_mesh_report *report, char *text, size_t size)
{
    if (text == NULL || size == 0) {
        return false;
    }
    text[0] = '\0';
    if (report == NULL) {
        return false;
    }
    tell(text, size, report->turned, "triangles turned to agree with their neighbours");
    tell(text, size, report->flipped, "pieces that were inside out turned");
    tell(text, size, report->duplicates, "duplicated triangles dropped");
    tell(text, size, report->collapsed, "triangles with equal corners dropped");
    tell(text, size, report->open_edges, "open edges");
    tell_triangle(text, size, report->open_triangle);
    tell(text, size, report->crossings, "edges pass through the mesh itself");
    tell_triangle(text, size, report->crossed_triangle);
    return text[0] != '\0';
}
