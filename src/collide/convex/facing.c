/* What of a polyhedron faces along a direction: see facing.h. */
#include "collide/convex/facing.h"

#include <math.h>
#include <string.h>

/* Polyhedra with fewer vertices are looked at as a whole. */
#define LISTED_FROM 24

/* Vertices that are looked at, those that fail included. */
#define MOST_SEEN 512

/* Vertices of a hull have numbers of 15 bits. */
#define WORDS (32768 / 64)

/* --- Tests --- */

static crn_vec3 vertex_at(const crn_solid *s, int k)
{
    return crn_v3_of(s->vertex + 3 * (ptrdiff_t)k);
}

bool crn_facing_vertex(const crn_facing_test *t, int vertex)
{
    const crn_solid *s = t->solid;
    crn_vec3 p = vertex_at(s, vertex);
    if (crn_v3_dot(t->d, p) < t->least) {
        return false;
    }
    for (int k = s->around_start[vertex]; k < s->around_start[vertex + 1]; ++k) {
        crn_vec3 e = crn_v3_sub(vertex_at(s, s->around[k]), p);
        double rise = crn_v3_dot(t->d, e);
        if (rise > 0.0 && rise * rise > t->slack * t->slack * crn_v3_dot(e, e)) {
            return false;
        }
    }
    return true;
}

bool crn_facing_edge(const crn_facing_test *t, int number)
{
    const crn_solid *s = t->solid;
    const int *edge = s->edge + 4 * (ptrdiff_t)number;
    crn_vec3 p = vertex_at(s, edge[0]), q = vertex_at(s, edge[1]), d = t->d;
    if (crn_v3_dot(d, p) < t->least && crn_v3_dot(d, q) < t->least) {
        return false;
    }
    crn_vec3 e = crn_v3_sub(q, p);
    double square = crn_v3_dot(e, e), along = crn_v3_dot(d, e);
    if (along * along > t->slack * t->slack * square) {
        return false;
    }
    /* into the left face goes m x e, into the right one e x m */
    double slack = t->slack * sqrt(square);
    crn_vec3 left = crn_v3_of(s->face_normal + 3 * (ptrdiff_t)edge[2]);
    crn_vec3 right = crn_v3_of(s->face_normal + 3 * (ptrdiff_t)edge[3]);
    return crn_v3_dot(d, crn_v3_cross(left, e)) <= slack && crn_v3_dot(d, crn_v3_cross(e, right)) <= slack;
}

bool crn_facing_face(const crn_facing_test *t, int face)
{
    crn_vec3 normal = crn_v3_of(t->solid->face_normal + 3 * (ptrdiff_t)face);
    double cosine = crn_v3_dot(normal, t->d);
    return cosine > 0.0 && cosine * cosine >= 1.0 - t->slack * t->slack;
}

/* --- Search --- */

typedef struct flood {
    const crn_facing_test *test;
    uint64_t seen[WORDS];
    int vertex[MOST_SEEN];
    unsigned char is_passed[MOST_SEEN];
    int count;
} flood;

/* Is this the first visit? */
static bool mark(uint64_t *seen, int number)
{
    uint64_t bit = (uint64_t)1 << (number & 63);
    bool is_new = !(seen[number >> 6] & bit);
    seen[number >> 6] |= bit;
    return is_new;
}

/* False: too many. */
static bool visit(flood *f, int vertex)
{
    if (!mark(f->seen, vertex)) {
        return true;
    }
    if (f->count == MOST_SEEN) {
        return false;
    }
    f->vertex[f->count] = vertex;
    f->is_passed[f->count++] = crn_facing_vertex(f->test, vertex);
    return true;
}

/* From vertices that pass to all their neighbours. */
static bool spread(flood *f, int start)
{
    const crn_solid *s = f->test->solid;
    if (!visit(f, start)) {
        return false;
    }
    f->is_passed[0] = true; /* the farthest one passes but for rounding */
    for (int at = 0; at < f->count; ++at) {
        if (!f->is_passed[at]) {
            continue;
        }
        int v = f->vertex[at];
        for (int k = s->around_start[v]; k < s->around_start[v + 1]; ++k) {
            if (!visit(f, s->around[k])) {
                return false;
            }
        }
    }
    return true;
}

/* Vertices around which to look for edges and faces, and that many words of marks are clean. */
static bool begin(flood *f, const crn_facing_test *test, int start)
{
    const crn_solid *s = test->solid;
    if (s->vertices < LISTED_FROM || s->vertices > 64 * WORDS) {
        return false;
    }
    f->test = test;
    f->count = 0;
    memset(f->seen, 0, ((size_t)s->vertices + 63) / 64 * sizeof *f->seen);
    return spread(f, start);
}

static bool list_vertices(const flood *f, crn_facing *found)
{
    for (int k = 0; k < f->count; ++k) {
        if (!f->is_passed[k]) {
            continue;
        }
        if (found->vertices == CRN_FACING_VERTICES) {
            return false;
        }
        found->vertex[found->vertices++] = f->vertex[k];
    }
    return true;
}

static bool add_once(int *list, int *count, int most, int number)
{
    for (int k = *count - 1; k >= 0; --k) {
        if (list[k] == number) {
            return true;
        }
    }
    if (*count == most) {
        return false;
    }
    list[(*count)++] = number;
    return true;
}

/* Edges at the vertices that were seen. */
static bool list_edges(const flood *f, crn_facing *found)
{
    const crn_solid *s = f->test->solid;
    for (int at = 0; at < f->count; ++at) {
        int v = f->vertex[at];
        for (int k = s->around_start[v]; k < s->around_start[v + 1]; ++k) {
            int e = s->around_edge[k];
            if (crn_facing_edge(f->test, e) && !add_once(found->edge, &found->edges, CRN_FACING_EDGES, e)) {
                return false;
            }
        }
    }
    return true;
}

static bool list_faces(const flood *f, crn_facing *found)
{
    const crn_solid *s = f->test->solid;
    for (int at = 0; at < f->count; ++at) {
        int v = f->vertex[at];
        for (int k = s->around_start[v]; k < s->around_start[v + 1]; ++k) {
            const int *edge = s->edge + 4 * (ptrdiff_t)s->around_edge[k];
            int face = edge[0] == v ? edge[2] : edge[3]; /* each face at v once */
            if (crn_facing_face(f->test, face) && !add_once(found->face, &found->faces, CRN_FACING_FACES, face)) {
                return false;
            }
        }
    }
    return true;
}

/* In the order of numbers, so that a side that is listed is looked at as one that is not. */
static void sort(int *list, int count)
{
    for (int k = 1; k < count; ++k) {
        int own = list[k], at = k;
        for (; at > 0 && list[at - 1] > own; --at) {
            list[at] = list[at - 1];
        }
        list[at] = own;
    }
}

static void sort_all(crn_facing *found)
{
    sort(found->vertex, found->vertices);
    sort(found->edge, found->edges);
    sort(found->face, found->faces);
}

void crn_facing_find(const crn_facing_test *test, int start, crn_facing *found)
{
    flood f;
    found->vertices = found->edges = found->faces = 0;
    found->is_listed =
        begin(&f, test, start) && list_vertices(&f, found) && list_edges(&f, found) && list_faces(&f, found);
    sort_all(found);
}

void crn_facing_find_faces(const crn_facing_test *test, int start, crn_facing *found)
{
    flood f;
    found->vertices = found->edges = found->faces = 0;
    found->is_listed = begin(&f, test, start) && list_faces(&f, found);
    sort_all(found);
}
