/* The side of a convex solid: see side.h. */
#include "collide/side.h"

#include <math.h>

/* Cosine to CRN_SIDE_SLACK. */
static const double steep = 0.97979589711327123;

/* Heights are compared with this much room, relative to the size: what rounding does to coordinates. */
#define ROUNDING 1e-14

#define RIM_CORNERS 16

/* Tilt below which the farthest point of a rim is no farther than its corners, and its place on the rim is noise. */
#define UPRIGHT 1e-9

/* cos(2 pi k / 16), k = 0 .. 4; the rest by symmetry, so that opposite corners are opposite to the last bit */
static const double quarter[5] = {1.0, 0.92387953251128674, 0.70710678118654752, 0.38268343236508977, 0.0};

static double rim_cosine(int k)
{
    k &= RIM_CORNERS - 1;
    k = k > 8 ? 16 - k : k;
    return k <= 4 ? quarter[k] : -quarter[8 - k];
}

static crn_vec3 to_world(const crn_side *side, crn_vec3 p)
{
    return crn_v3_add(side->solid->centre, crn_m3_times(&side->solid->rotation, p));
}

static crn_vec3 local_vertex(const crn_solid *solid, int k)
{
    return crn_v3_of(solid->vertex + 3 * (ptrdiff_t)k);
}

static double highest(const crn_solid *s, crn_vec3 local, crn_vec3 d)
{
    switch (s->kind) {
    case CRN_CORE_SEGMENT: return s->size.y * fabs(local.z);
    case CRN_CORE_CYLINDER: return s->size.y * fabs(local.z) + s->size.x * sqrt(local.x * local.x + local.y * local.y);
    case CRN_CORE_POLYHEDRON: {
        int vertex = 0;
        (void)crn_solid_support(s, d, &vertex);
        return crn_v3_dot(local, local_vertex(s, vertex));
    }
    default: return 0.0; /* point, ellipsoid: no features */
    }
}

void crn_side_of(crn_side *side, const crn_solid *solid, crn_vec3 d, double depth)
{
    side->solid = solid;
    side->d = d;
    side->local = crn_m3_transposed_times(&solid->rotation, d);
    side->least = highest(solid, side->local, d) - depth - ROUNDING * solid->extent;
    side->vertices = side->edges = side->faces = 0;
    switch (solid->kind) {
    case CRN_CORE_SEGMENT:
        side->vertices = 2;
        side->edges = 1;
        break;
    case CRN_CORE_CYLINDER:
        side->vertices = 2 * RIM_CORNERS + 2;
        side->edges = 1;
        side->faces = 2;
        break;
    case CRN_CORE_POLYHEDRON:
        side->vertices = solid->vertices;
        side->edges = solid->edges;
        side->faces = solid->faces;
        break;
    default: break;
    }
}

/* --- Cylinder --- */

static bool cap_faces(const crn_side *side, int cap)
{
    return (cap == 0 ? -side->local.z : side->local.z) >= steep;
}

static bool line_faces(const crn_side *side)
{
    return fabs(side->local.z) <= CRN_SIDE_SLACK;
}

/* The point of the rim of a cap farthest along d. */
static crn_vec3 farthest_on_rim(const crn_side *side, int cap)
{
    crn_vec3 d = side->local, size = side->solid->size;
    double scale = size.x / sqrt(d.x * d.x + d.y * d.y);
    return crn_v3(scale * d.x, scale * d.y, cap == 0 ? -size.y : size.y);
}

static bool cylinder_vertex(const crn_side *side, int number, crn_vec3 *point)
{
    crn_vec3 size = side->solid->size, d = side->local, p;
    bool is_farthest = number >= 2 * RIM_CORNERS;
    int cap = is_farthest ? number - 2 * RIM_CORNERS : number / RIM_CORNERS;
    bool is_cap = cap_faces(side, cap);
    if (!is_cap && !(is_farthest && line_faces(side))) {
        return false;
    }
    if (is_farthest) {
        if (!(d.x * d.x + d.y * d.y > UPRIGHT * UPRIGHT)) {
            return false;
        }
        p = farthest_on_rim(side, cap);
    } else {
        p = crn_v3(size.x * rim_cosine(number), size.x * rim_cosine(number - 4), cap == 0 ? -size.y : size.y);
    }
    *point = to_world(side, p);
    return crn_v3_dot(d, p) >= side->least;
}

/* --- Vertices --- */

static bool polyhedron_vertex(const crn_side *side, int number, crn_vec3 *point)
{
    const crn_solid *s = side->solid;
    crn_vec3 p = local_vertex(s, number);
    if (crn_v3_dot(side->local, p) < side->least) {
        return false;
    }
    for (int k = s->around_start[number]; k < s->around_start[number + 1]; ++k) {
        crn_vec3 e = crn_v3_sub(local_vertex(s, s->around[k]), p);
        double rise = crn_v3_dot(side->local, e);
        if (rise > 0.0 && rise * rise > CRN_SIDE_SLACK * CRN_SIDE_SLACK * crn_v3_dot(e, e)) {
            return false;
        }
    }
    *point = to_world(side, p);
    return true;
}

bool crn_side_vertex(const crn_side *side, int number, crn_vec3 *point)
{
    const crn_solid *s = side->solid;
    if (s->kind == CRN_CORE_POLYHEDRON) {
        return polyhedron_vertex(side, number, point);
    }
    if (s->kind == CRN_CORE_CYLINDER) {
        return cylinder_vertex(side, number, point);
    }
    double sign = number == 0 ? -1.0 : 1.0, height = sign * s->size.y * side->local.z;
    *point = to_world(side, crn_v3(0, 0, sign * s->size.y));
    return s->kind == CRN_CORE_SEGMENT && -sign * side->local.z <= CRN_SIDE_SLACK && height >= side->least;
}

/* --- Edges --- */

static bool polyhedron_edge(const crn_side *side, int number, crn_side_line *line)
{
    const crn_solid *s = side->solid;
    const int *edge = s->edge + 4 * (ptrdiff_t)number;
    crn_vec3 p = local_vertex(s, edge[0]), q = local_vertex(s, edge[1]), d = side->local;
    if (crn_v3_dot(d, p) < side->least && crn_v3_dot(d, q) < side->least) {
        return false;
    }
    crn_vec3 e = crn_v3_sub(q, p);
    double square = crn_v3_dot(e, e), along = crn_v3_dot(d, e);
    if (along * along > CRN_SIDE_SLACK * CRN_SIDE_SLACK * square) {
        return false;
    }
    /* into the left face goes m x e, into the right one e x m */
    double slack = CRN_SIDE_SLACK * sqrt(square);
    crn_vec3 left = crn_v3_of(s->face_normal + 3 * (ptrdiff_t)edge[2]);
    crn_vec3 right = crn_v3_of(s->face_normal + 3 * (ptrdiff_t)edge[3]);
    if (crn_v3_dot(d, crn_v3_cross(left, e)) > slack || crn_v3_dot(d, crn_v3_cross(e, right)) > slack) {
        return false;
    }
    *line = (crn_side_line){to_world(side, p), to_world(side, q), {edge[0], edge[1]}, 0.0};
    return true;
}

bool crn_side_edge(const crn_side *side, int number, crn_side_line *line)
{
    const crn_solid *s = side->solid;
    if (s->kind == CRN_CORE_POLYHEDRON) {
        return polyhedron_edge(side, number, line);
    }
    if (!line_faces(side)) {
        return false;
    }
    if (s->kind == CRN_CORE_CYLINDER) {
        *line = (crn_side_line){to_world(side, farthest_on_rim(side, 0)),
                                to_world(side, farthest_on_rim(side, 1)),
                                {2 * RIM_CORNERS, 2 * RIM_CORNERS + 1},
                                s->size.x};
    } else {
        crn_vec3 half = crn_v3_scale(s->size.y, crn_solid_axis(s));
        *line = (crn_side_line){crn_v3_sub(s->centre, half), crn_v3_add(s->centre, half), {0, 1}, s->radius};
    }
    return true;
}

/* Sine of the angle within which a line lies across d: what a search of a direction leaves open. */
#define ACROSS 1e-7

bool crn_side_is_single(const crn_side *side)
{
    const crn_solid *s = side->solid;
    crn_vec3 d = side->local;
    switch (s->kind) {
    case CRN_CORE_SEGMENT: return fabs(d.z) > ACROSS;
    case CRN_CORE_CYLINDER: return fabs(d.z) > ACROSS && d.x * d.x + d.y * d.y > ACROSS * ACROSS;
    case CRN_CORE_POLYHEDRON: break;
    default: return true;
    }
    int vertex = 0;
    (void)crn_solid_support(s, side->d, &vertex);
    for (int k = s->around_start[vertex]; k < s->around_start[vertex + 1]; ++k) {
        crn_vec3 e = crn_v3_sub(local_vertex(s, s->around[k]), local_vertex(s, vertex));
        double rise = crn_v3_dot(d, e);
        if (rise * rise <= ACROSS * ACROSS * crn_v3_dot(e, e)) {
            return false;
        }
    }
    return true;
}

/* --- Faces --- */

bool crn_side_face(const crn_side *side, int number, crn_vec3 *normal, crn_vec3 *point)
{
    const crn_solid *s = side->solid;
    if (s->kind == CRN_CORE_CYLINDER) {
        double sign = number == 0 ? -1.0 : 1.0;
        *normal = crn_v3_scale(sign, crn_solid_axis(s));
        *point = crn_v3_axpy(s->centre, s->size.y, *normal);
        return cap_faces(side, number);
    }
    crn_vec3 local = crn_v3_of(s->face_normal + 3 * (ptrdiff_t)number);
    if (crn_v3_dot(local, side->local) < steep) {
        return false;
    }
    *normal = crn_m3_times(&s->rotation, local);
    *point = crn_solid_vertex(s, s->face_vertex[s->face_start[number]]);
    return true;
}

bool crn_side_holds(const crn_side *side, int face, crn_vec3 point, double tolerance)
{
    const crn_solid *s = side->solid;
    crn_vec3 p = crn_m3_transposed_times(&s->rotation, crn_v3_sub(point, s->centre));
    if (s->kind == CRN_CORE_CYLINDER) {
        double radius = s->size.x + tolerance;
        return p.x * p.x + p.y * p.y <= radius * radius;
    }
    crn_vec3 normal = crn_v3_of(s->face_normal + 3 * (ptrdiff_t)face);
    const int *loop = s->face_vertex + s->face_start[face];
    int count = s->face_start[face + 1] - s->face_start[face];
    crn_vec3 from = local_vertex(s, loop[count - 1]);
    for (int k = 0; k < count; ++k) {
        crn_vec3 to = local_vertex(s, loop[k]), e = crn_v3_sub(to, from);
        double across = crn_v3_dot(normal, crn_v3_cross(e, crn_v3_sub(p, from)));
        if (across < 0.0 && across * across > tolerance * tolerance * crn_v3_dot(e, e)) {
            return false;
        }
        from = to;
    }
    return true;
}
