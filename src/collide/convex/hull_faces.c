/* From the triangles of a hull to its faces: triangles in one plane become one polygon, points inside of a face or of an
 * edge are left out, and neighbours are listed.
 *
 * A face grows from its largest triangle over neighbours whose corners all lie in its plane, so that slivers, whose own
 * normals are noise, never decide. The result must satisfy Euler's formula  V - E + F = 2;  if rounding has made a mess of
 * it, the triangles themselves are the faces. */
#include "collide/convex/hull.h"

#include <math.h>

typedef crn_hull_triangle triangle;

enum { NONE = -1 };

typedef struct work {
    const double *point;
    const triangle *tri;
    int points, tris;
    double size;
    int *order;   /* triangles by falling area */
    double *area; /* twice, of each triangle */
    int *region;  /* by triangle: its face */
    int *stack;
    int *first; /* by face: a side on its rim: 3 triangle + side */
    int *loops; /* by point: number of faces around it, NONE if it is left out */
    int *name;  /* by point: its number among the vertices */
    int faces;
} work;

static void layout(work *w, crn_arena *arena)
{
    size_t t = (size_t)w->tris, p = (size_t)w->points;
    w->order = CRN_TAKE(arena, int, t);
    w->area = CRN_TAKE(arena, double, t);
    w->region = CRN_TAKE(arena, int, t);
    w->stack = CRN_TAKE(arena, int, t);
    w->first = CRN_TAKE(arena, int, t);
    w->loops = CRN_TAKE(arena, int, p);
    w->name = CRN_TAKE(arena, int, p);
}

static crn_vec3 at(const work *w, int k)
{
    return crn_v3_of(w->point + 3 * (size_t)k);
}

/* Twice the area times the normal. */
static crn_vec3 area_vector(const work *w, int t)
{
    const int *c = w->tri[t].corner;
    crn_vec3 a = at(w, c[0]);
    return crn_v3_cross(crn_v3_sub(at(w, c[1]), a), crn_v3_sub(at(w, c[2]), a));
}

/* --- Regions --- */

static void sort_by_area(work *w)
{
    for (int t = 0; t < w->tris; ++t) {
        w->order[t] = t;
        w->area[t] = crn_v3_length(area_vector(w, t));
    }
    int step = 1;
    while (step < w->tris / 3) {
        step = 3 * step + 1;
    }
    for (; step >= 1; step /= 3) { /* Shell's sort; equal areas by number, so the order is one only */
        for (int k = step; k < w->tris; ++k) {
            int moved = w->order[k], place = k;
            double own = w->area[moved];
            while (place >= step) {
                int other = w->order[place - step];
                if (w->area[other] > own || (other < moved && w->area[other] == own)) {
                    break;
                }
                w->order[place] = other;
                place -= step;
            }
            w->order[place] = moved;
        }
    }
}

static bool lies_in_plane(const work *w, int t, crn_vec3 normal, double offset)
{
    for (int k = 0; k < 3; ++k) {
        if (fabs(crn_v3_dot(normal, at(w, w->tri[t].corner[k])) - offset) > CRN_HULL_PLANAR * w->size) {
            return false;
        }
    }
    return true;
}

static void grow_region(work *w, int seed, int face)
{
    crn_vec3 normal = crn_v3_scale(1.0 / w->area[seed], area_vector(w, seed));
    double offset = crn_v3_dot(normal, at(w, w->tri[seed].corner[0]));
    int depth = 0;
    w->stack[depth++] = seed;
    w->region[seed] = face;
    while (depth > 0) {
        int t = w->stack[--depth];
        for (int k = 0; k < 3; ++k) {
            int other = w->tri[t].beside[k];
            if (w->region[other] == NONE && lies_in_plane(w, other, normal, offset)) {
                w->region[other] = face;
                w->stack[depth++] = other;
            }
        }
    }
}

static void find_regions(work *w, bool merge)
{
    w->faces = 0;
    for (int t = 0; t < w->tris; ++t) {
        w->region[t] = merge ? NONE : t;
    }
    if (!merge) {
        w->faces = w->tris;
        return;
    }
    sort_by_area(w);
    for (int k = 0; k < w->tris; ++k) {
        if (w->region[w->order[k]] == NONE) {
            if (w->area[w->order[k]] > 0.0) {
                grow_region(w, w->order[k], w->faces++);
            } else {
                w->region[w->order[k]] = w->faces++; /* no plane of its own: Euler's formula will tell */
            }
        }
    }
}

/* --- Rims --- */

static bool is_rim(const work *w, int t, int k)
{
    return w->region[w->tri[t].beside[k]] != w->region[t];
}

/* The side after `side` on the rim of its face. */
static int next_on_rim(const work *w, int side)
{
    int t = side / 3, k = (side % 3 + 1) % 3;
    for (int steps = 0; !is_rim(w, t, k) && steps < w->tris; ++steps) {
        int other = w->tri[t].beside[k];
        const int *beside = w->tri[other].beside;
        k = ((beside[0] == t ? 0 : beside[1] == t ? 1 : 2) + 1) % 3;
        t = other;
    }
    return 3 * t + k;
}

static int from_of(const work *w, int side)
{
    return w->tri[side / 3].corner[side % 3];
}

/* One loop per face, and around how many faces each point lies. False if a face has more than one loop. */
static bool find_rims(work *w)
{
    for (int p = 0; p < w->points; ++p) {
        w->loops[p] = 0;
    }
    for (int f = 0; f < w->faces; ++f) {
        w->first[f] = NONE;
    }
    int sides = 0, walked = 0;
    for (int t = 0; t < w->tris; ++t) {
        for (int k = 0; k < 3; ++k) {
            if (is_rim(w, t, k)) {
                sides++;
                if (w->first[w->region[t]] == NONE) {
                    w->first[w->region[t]] = 3 * t + k;
                }
            }
        }
    }
    for (int f = 0; f < w->faces; ++f) {
        if (w->first[f] == NONE) {
            return false;
        }
        int side = w->first[f];
        do {
            w->loops[from_of(w, side)]++;
            side = next_on_rim(w, side);
        } while (++walked <= sides && side != w->first[f]);
    }
    return walked == sides;
}

/* Leave out points that only divide an edge: two faces around, and in line with the points before and after. */
static void leave_out(work *w)
{
    for (int f = 0; f < w->faces; ++f) {
        int before = w->first[f];
        do {
            int side = next_on_rim(w, before), after = next_on_rim(w, side), p = from_of(w, side);
            if (w->loops[p] == 2 || w->loops[p] == NONE) {
                crn_vec3 chord = crn_v3_sub(at(w, from_of(w, after)), at(w, from_of(w, before)));
                crn_vec3 rise = crn_v3_sub(at(w, p), at(w, from_of(w, before)));
                double height = crn_v3_length(crn_v3_cross(chord, rise)) / crn_v3_length(chord);
                w->loops[p] = height <= CRN_HULL_PLANAR * w->size ? NONE : 2;
            }
            before = side;
        } while (before != w->first[f]);
    }
}

/* --- The polyhedron --- */

static crn_polyhedron *take_polyhedron(crn_arena *arena, int vertices, int faces, int corners)
{
    crn_polyhedron *made = CRN_TAKE(arena, crn_polyhedron, 1);
    crn_polyhedron parts = {vertices,
                            faces,
                            corners / 2,
                            CRN_TAKE(arena, double, 3 * (size_t)vertices),
                            CRN_TAKE(arena, int, faces + 1),
                            CRN_TAKE(arena, int, corners),
                            CRN_TAKE(arena, double, 3 * (size_t)faces),
                            CRN_TAKE(arena, int, 2 * (size_t)corners),
                            CRN_TAKE(arena, int, vertices + 1),
                            CRN_TAKE(arena, int, corners),
                            CRN_TAKE(arena, int, corners),
                            CRN_TAKE(arena, int, CRN_GUIDE_CELLS),
                            0};
    if (made != NULL) {
        *made = parts;
    }
    return made;
}

/* Names for the kept points, and their number; corners: of all faces together. False if that is no polyhedron. */
static bool count_parts(work *w, int *vertices, int *corners)
{
    *vertices = *corners = 0;
    for (int p = 0; p < w->points; ++p) {
        w->name[p] = w->loops[p] > 0 ? (*vertices)++ : NONE;
        *corners += w->loops[p] > 0 ? w->loops[p] : 0;
    }
    for (int f = 0; f < w->faces; ++f) {
        int side = w->first[f], kept = 0;
        do {
            kept += w->name[from_of(w, side)] != NONE;
            side = next_on_rim(w, side);
        } while (side != w->first[f]);
        if (kept < 3) {
            return false;
        }
    }
    return *vertices - *corners / 2 + w->faces == 2;
}

/* Loops and edges; an edge stands where its face of lower number is on the left. */
static void write_faces(const work *w, crn_polyhedron *hull)
{
    int corners = 0, edges = 0;
    for (int p = 0; p < w->points; ++p) {
        if (w->name[p] != NONE) {
            crn_v3_to(at(w, p), hull->vertex + 3 * (size_t)w->name[p]);
        }
    }
    for (int f = 0; f < w->faces; ++f) {
        hull->face_start[f] = corners;
        int side = w->first[f];
        while (w->name[from_of(w, side)] == NONE) {
            side = next_on_rim(w, side);
        }
        int start = side;
        do {
            int from = w->name[from_of(w, side)], right = w->region[w->tri[side / 3].beside[side % 3]];
            hull->face_vertex[corners++] = from;
            do {
                side = next_on_rim(w, side);
            } while (w->name[from_of(w, side)] == NONE);
            if (f < right) {
                int *edge = hull->edge + 4 * (size_t)edges++;
                edge[0] = from;
                edge[1] = w->name[from_of(w, side)];
                edge[2] = f;
                edge[3] = right;
            }
        } while (side != start);
    }
    hull->face_start[w->faces] = corners;
}

/* Area vector of the loop: its direction is the normal that fits all corners. */
static void write_normals(crn_polyhedron *hull)
{
    for (int f = 0; f < hull->faces; ++f) {
        const int *loop = hull->face_vertex + hull->face_start[f];
        int count = hull->face_start[f + 1] - hull->face_start[f];
        crn_vec3 a = crn_v3_of(hull->vertex + 3 * (size_t)loop[0]), sum = crn_v3(0, 0, 0);
        for (int k = 1; k + 1 < count; ++k) {
            crn_vec3 b = crn_v3_sub(crn_v3_of(hull->vertex + 3 * (size_t)loop[k]), a);
            crn_vec3 c = crn_v3_sub(crn_v3_of(hull->vertex + 3 * (size_t)loop[k + 1]), a);
            sum = crn_v3_add(sum, crn_v3_cross(b, c));
        }
        crn_v3_to(crn_v3_unit(sum), hull->face_normal + 3 * (size_t)f);
    }
}

static void write_neighbours(crn_polyhedron *hull)
{
    int *start = hull->around_start;
    for (int v = 0; v <= hull->vertices; ++v) {
        start[v] = 0;
    }
    for (int e = 0; e < hull->edges; ++e) {
        start[hull->edge[4 * e]]++;
        start[hull->edge[4 * e + 1]]++;
    }
    for (int v = 0, sum = 0; v <= hull->vertices;
         ++v) { /* to ends of the lists, which then move back to their starts */
        sum += start[v];
        start[v] = sum;
    }
    for (int e = hull->edges - 1; e >= 0; --e) {
        int from = hull->edge[4 * e], to = hull->edge[4 * e + 1];
        hull->around[--start[from]] = to;
        hull->around_edge[start[from]] = e;
        hull->around[--start[to]] = from;
        hull->around_edge[start[to]] = e;
    }
}

static int farthest(const crn_polyhedron *hull, crn_vec3 d, int from)
{
    double most = crn_v3_dot(d, crn_v3_of(hull->vertex + 3 * (size_t)from));
    for (int best = from;; from = best) {
        for (int k = hull->around_start[from]; k < hull->around_start[from + 1]; ++k) {
            double own = crn_v3_dot(d, crn_v3_of(hull->vertex + 3 * (size_t)hull->around[k]));
            if (own > most) {
                most = own;
                best = hull->around[k];
            }
        }
        if (best == from) {
            return best;
        }
    }
}

/* The farthest vertex along the middle of each cell. */
static void write_guide(crn_polyhedron *hull)
{
    for (int cell = 0, from = 0; cell < CRN_GUIDE_CELLS; ++cell) {
        int face = cell / (CRN_GUIDE_SIDE * CRN_GUIDE_SIDE), axis = face / 2;
        double x[3];
        x[axis] = face % 2 == 0 ? -1.0 : 1.0;
        x[(axis + 1) % 3] = (2.0 * (cell / CRN_GUIDE_SIDE % CRN_GUIDE_SIDE) + 1.0) / CRN_GUIDE_SIDE - 1.0;
        x[(axis + 2) % 3] = (2.0 * (cell % CRN_GUIDE_SIDE) + 1.0) / CRN_GUIDE_SIDE - 1.0;
        from = farthest(hull, crn_v3_of(x), from);
        hull->guide[cell] = from;
    }
}

/* [Fowler, Noll, Vo] over the bytes of the vertices. */
static uint64_t digest_of(const crn_polyhedron *hull)
{
    uint64_t digest = 14695981039346656037u;
    const unsigned char *byte = (const unsigned char *)hull->vertex;
    for (size_t k = 0; k < 3 * (size_t)hull->vertices * sizeof *hull->vertex; ++k) {
        digest = (digest ^ byte[k]) * 1099511628211u;
    }
    return digest;
}

static crn_status write_polyhedron(work *w, int vertices, int corners, const crn_allocator *allocator,
                                   crn_polyhedron **hull, crn_error *error)
{
    if (corners / 2 > CRN_HULL_MOST_EDGES) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "points: the hull has %d edges, more than %d", corners / 2,
                        CRN_HULL_MOST_EDGES);
    }
    crn_arena counting = crn_arena_counting();
    (void)take_polyhedron(&counting, vertices, w->faces, corners);
    void *block = counting.overflow ? NULL : crn_allocate(allocator, counting.used, 1);
    if (block == NULL) {
        return crn_fail(error, CRN_ERR_MEMORY, "hull: out of memory for %d vertices", vertices);
    }
    crn_arena arena = {block, counting.used, 0, false};
    crn_polyhedron *made = take_polyhedron(&arena, vertices, w->faces, corners);
    write_faces(w, made);
    write_normals(made);
    write_neighbours(made);
    write_guide(made);
    made->digest = digest_of(made);
    *hull = made;
    return CRN_OK;
}

crn_status crn_hull_faces(const double *point, int points, const crn_hull_triangle *triangles, int count, double size,
                          const crn_allocator *allocator, crn_polyhedron **hull, crn_error *error)
{
    work w = {.point = point, .tri = triangles, .points = points, .tris = count, .size = size};
    crn_arena counting = crn_arena_counting();
    layout(&w, &counting);
    void *block = counting.overflow ? NULL : crn_allocate(allocator, counting.used, 1);
    if (block == NULL) {
        return crn_fail(error, CRN_ERR_MEMORY, "hull: out of memory for %d triangles", count);
    }
    crn_arena arena = {block, counting.used, 0, false};
    layout(&w, &arena);
    int vertices = 0, corners = 0;
    bool good = false;
    for (int merge = 1; merge >= 0 && !good; --merge) {
        find_regions(&w, merge == 1);
        if (find_rims(&w)) {
            leave_out(&w);
            good = count_parts(&w, &vertices, &corners);
        }
    }
    crn_status status = good ? write_polyhedron(&w, vertices, corners, allocator, hull, error)
                             : crn_fail(error, CRN_ERR_ARGUMENT, "points: their hull has no proper faces");
    crn_release(allocator, block);
    return status;
}

void crn_hull_free(const crn_allocator *allocator, crn_polyhedron *hull)
{
    crn_release(allocator, hull);
}

/* Of tetrahedra from the first vertex o to the triangles a, b, c of each face, with d = a.(b x c) and s = a + b + c:
 *   V = sum d / 6,  V com = sum d s / 24,  S = int x x' = sum d/120 (a a' + b b' + c c' + s s'),  I = tr(S) 1 - S. */
crn_mass_properties crn_hull_mass(const crn_polyhedron *hull)
{
    crn_vec3 o = crn_v3_of(hull->vertex), first = crn_v3(0, 0, 0);
    double volume = 0.0, second[6] = {0}; /* xx yy zz xy xz yz */
    for (int f = 0; f < hull->faces; ++f) {
        const int *loop = hull->face_vertex + hull->face_start[f];
        int count = hull->face_start[f + 1] - hull->face_start[f];
        crn_vec3 p[4];
        p[0] = crn_v3_sub(crn_v3_of(hull->vertex + 3 * (size_t)loop[0]), o);
        for (int k = 1; k + 1 < count; ++k) {
            p[1] = crn_v3_sub(crn_v3_of(hull->vertex + 3 * (size_t)loop[k]), o);
            p[2] = crn_v3_sub(crn_v3_of(hull->vertex + 3 * (size_t)loop[k + 1]), o);
            p[3] = crn_v3_add(p[0], crn_v3_add(p[1], p[2]));
            double d = crn_v3_dot(p[0], crn_v3_cross(p[1], p[2]));
            volume += d / 6.0;
            first = crn_v3_axpy(first, d / 24.0, p[3]);
            for (int i = 0; i < 4; ++i) {
                second[0] += d / 120.0 * p[i].x * p[i].x;
                second[1] += d / 120.0 * p[i].y * p[i].y;
                second[2] += d / 120.0 * p[i].z * p[i].z;
                second[3] += d / 120.0 * p[i].x * p[i].y;
                second[4] += d / 120.0 * p[i].x * p[i].z;
                second[5] += d / 120.0 * p[i].y * p[i].z;
            }
        }
    }
    crn_vec3 c = crn_v3_scale(1.0 / volume, first);
    double xx = second[0] - volume * c.x * c.x, yy = second[1] - volume * c.y * c.y,
           zz = second[2] - volume * c.z * c.z;
    double xy = second[3] - volume * c.x * c.y, xz = second[4] - volume * c.x * c.z,
           yz = second[5] - volume * c.y * c.z;
    return (crn_mass_properties){volume, crn_v3_add(o, c), {{yy + zz, -xy, -xz, -xy, xx + zz, -yz, -xz, -yz, xx + yy}}};
}
