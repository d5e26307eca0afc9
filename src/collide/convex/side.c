/* The side of a convex solid: see side.h. */
#include "collide/convex/side.h"

#include "collide/convex/drum.h"
#include "collide/convex/rim.h"

/* Heights are compared with this much room, relative to the size: what rounding does to coordinates. */
#define ROUNDING 1e-14

/* Tilt below which the farthest point of a rim is no farther than its corners, and its place on the rim is noise. */
#define UPRIGHT 1e-9

static crn_vec3 to_world(const crn_side *side, crn_vec3 p)
{
    return crn_v3_add(side->solid->centre, crn_m3_times(&side->solid->rotation, p));
}

static crn_vec3 local_vertex(const crn_solid *solid, int k)
{
    return crn_v3_of(solid->vertex + 3 * (ptrdiff_t)k);
}

static double highest(const crn_solid *s, crn_vec3 local, crn_vec3 d, int *start)
{
    switch (s->kind) {
    case CRN_CORE_SEGMENT: return s->size.y * fabs(local.z);
    case CRN_CORE_DRUM: {
        double rise = crn_drum_rise(s, local);
        return s->size.x * sqrt(local.x * local.x + local.y * local.y) - s->size.y * local.z +
               (rise > 0.0 ? rise : 0.0);
    }
    case CRN_CORE_POLYHEDRON: {
        (void)crn_solid_support(s, d, start);
        return crn_v3_dot(local, local_vertex(s, *start));
    }
    default: return 0.0; /* point, smooth core: no features */
    }
}

static crn_facing_test test_of(const crn_side *side)
{
    return (crn_facing_test){side->solid, side->local, side->least, side->slack};
}

static void list_polyhedron(crn_side *side, int start)
{
    const crn_solid *s = side->solid;
    crn_facing_test test = test_of(side);
    crn_facing_find(&test, start, &side->facing);
    side->vertices = side->facing.is_listed ? side->facing.vertices : s->vertices;
    side->edges = side->facing.is_listed ? side->facing.edges : s->edges;
    side->faces = side->facing.is_listed ? side->facing.faces : s->faces;
}

void crn_side_of(crn_side *side, const crn_solid *solid, crn_vec3 d, double depth, double slack, int start)
{
    side->solid = solid;
    side->d = d;
    side->local = crn_m3_transposed_times(&solid->rotation, d);
    side->least = highest(solid, side->local, d, &start) - depth - ROUNDING * solid->extent;
    side->farthest = start;
    side->slack = slack;
    side->tilt = 0.0;
    side->vertices = side->edges = side->faces = 0;
    side->facing.is_listed = false;
    switch (solid->kind) {
    case CRN_CORE_SEGMENT:
        side->vertices = 2;
        side->edges = 1;
        break;
    case CRN_CORE_DRUM:
        side->vertices = 2 * CRN_RIM_CORNERS + 2;
        side->edges = 1;
        side->faces = 2;
        side->tilt = crn_rim_tilt(&solid->motion, crn_solid_axis(solid), d, solid->size.x);
        break;
    case CRN_CORE_POLYHEDRON: list_polyhedron(side, start); break;
    default: break;
    }
}

/* A pair that turns by less meets no other vertex; less than this is not worth it. */
#define LEAST_SLACK 0.02

double crn_side_slack(const crn_collide_motion *motion, crn_vec3 n, double size)
{
    const double room = 2.0; /* over the turn that is expected: impulses of others may add to it */
    double approach = fabs(crn_v3_dot(n, motion->shift)) + 2.0 * motion->fall;
    double slack = room * (crn_v3_length(motion->turn) + approach / size);
    return slack < LEAST_SLACK ? LEAST_SLACK : slack < CRN_SIDE_SLACK ? slack : CRN_SIDE_SLACK;
}

int crn_side_vertex_name(const crn_side *side, int place)
{
    return side->facing.is_listed ? side->facing.vertex[place] : place;
}

int crn_side_edge_name(const crn_side *side, int place)
{
    return side->facing.is_listed ? side->facing.edge[place] : place;
}

int crn_side_face_name(const crn_side *side, int place)
{
    return side->facing.is_listed ? side->facing.face[place] : place;
}

/* --- Drum --- */

static double cosine_of(double sine)
{
    return sqrt(1.0 - sine * sine);
}

static bool cap_faces(const crn_side *side, int cap)
{
    double height = cap == 0 ? -side->local.z : side->local.z;
    return height >= cosine_of(side->slack) && crn_drum_radius(side->solid, cap) > 0.0;
}

static bool line_faces(const crn_side *side)
{
    return fabs(crn_drum_rise(side->solid, side->local)) <= side->slack * crn_drum_slant(side->solid);
}

/* Is the farthest point of a rim, or the apex, nearly as far as that of the other? */
static bool rim_faces(const crn_side *side, int cap)
{
    double rise = crn_drum_rise(side->solid, side->local);
    return (cap == 0 ? rise : -rise) <= side->slack * crn_drum_slant(side->solid);
}

/* The point of the rim of a cap farthest along d. */
static crn_vec3 farthest_on_rim(const crn_side *side, int cap)
{
    crn_vec3 d = side->local;
    double radius = crn_drum_radius(side->solid, cap), half = side->solid->size.y;
    double scale = radius > 0.0 ? radius / sqrt(d.x * d.x + d.y * d.y) : 0.0;
    return crn_v3(scale * d.x, scale * d.y, cap == 0 ? -half : half);
}

static bool rim_corner(const crn_side *side, int number, crn_vec3 *p)
{
    crn_vec3 d = side->local;
    int cap = number / CRN_RIM_CORNERS;
    double radius = crn_drum_radius(side->solid, cap), half = side->solid->size.y;
    *p = crn_v3(radius * crn_rim_cosine(number), radius * crn_rim_cosine(number - 4), cap == 0 ? -half : half);
    return cap_faces(side, cap) && d.x * d.x + d.y * d.y <= side->tilt * side->tilt;
}

static bool rim_farthest(const crn_side *side, int cap, crn_vec3 *p)
{
    crn_vec3 d = side->local;
    bool is_apex = !(crn_drum_radius(side->solid, cap) > 0.0);
    if (!is_apex && !(d.x * d.x + d.y * d.y > UPRIGHT * UPRIGHT)) {
        return false;
    }
    *p = farthest_on_rim(side, cap);
    return rim_faces(side, cap);
}

static bool drum_vertex(const crn_side *side, int number, crn_vec3 *point)
{
    crn_vec3 p;
    bool is_farthest = number >= 2 * CRN_RIM_CORNERS;
    bool faces = is_farthest ? rim_farthest(side, number - 2 * CRN_RIM_CORNERS, &p) : rim_corner(side, number, &p);
    if (!faces || crn_v3_dot(side->local, p) < side->least) {
        return false;
    }
    *point = to_world(side, p);
    return true;
}

/* --- Vertices --- */

static bool polyhedron_vertex(const crn_side *side, int place, crn_vec3 *point)
{
    int vertex = crn_side_vertex_name(side, place);
    crn_facing_test test = test_of(side);
    if (!side->facing.is_listed && !crn_facing_vertex(&test, vertex)) {
        return false;
    }
    *point = to_world(side, local_vertex(side->solid, vertex));
    return true;
}

bool crn_side_vertex(const crn_side *side, int number, crn_vec3 *point)
{
    const crn_solid *s = side->solid;
    if (s->kind == CRN_CORE_POLYHEDRON) {
        return polyhedron_vertex(side, number, point);
    }
    if (s->kind == CRN_CORE_DRUM) {
        return drum_vertex(side, number, point);
    }
    double sign = number == 0 ? -1.0 : 1.0, height = sign * s->size.y * side->local.z;
    *point = to_world(side, crn_v3(0, 0, sign * s->size.y));
    return s->kind == CRN_CORE_SEGMENT && -sign * side->local.z <= side->slack && height >= side->least;
}

/* --- Edges --- */

static bool polyhedron_edge(const crn_side *side, int place, crn_side_line *line)
{
    const crn_solid *s = side->solid;
    int number = crn_side_edge_name(side, place);
    crn_facing_test test = test_of(side);
    if (!side->facing.is_listed && !crn_facing_edge(&test, number)) {
        return false;
    }
    const int *edge = s->edge + 4 * (ptrdiff_t)number;
    crn_vec3 p = local_vertex(s, edge[0]), q = local_vertex(s, edge[1]);
    *line = (crn_side_line){to_world(side, p), to_world(side, q), {edge[0], edge[1]}, {0.0, 0.0}};
    return true;
}

bool crn_side_edge(const crn_side *side, int place, crn_side_line *line)
{
    const crn_solid *s = side->solid;
    if (s->kind == CRN_CORE_POLYHEDRON) {
        return polyhedron_edge(side, place, line);
    }
    if (s->kind == CRN_CORE_DRUM) {
        if (!line_faces(side)) {
            return false;
        }
        *line = (crn_side_line){to_world(side, farthest_on_rim(side, 0)),
                                to_world(side, farthest_on_rim(side, 1)),
                                {2 * CRN_RIM_CORNERS, 2 * CRN_RIM_CORNERS + 1},
                                {crn_drum_radius(s, 0), crn_drum_radius(s, 1)}};
    } else {
        if (fabs(side->local.z) > side->slack) {
            return false;
        }
        crn_vec3 half = crn_v3_scale(s->size.y, crn_solid_axis(s));
        *line =
            (crn_side_line){crn_v3_sub(s->centre, half), crn_v3_add(s->centre, half), {0, 1}, {s->radius, s->radius}};
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
    case CRN_CORE_DRUM: {
        bool is_flat = !(d.x * d.x + d.y * d.y > ACROSS * ACROSS) && crn_drum_radius(s, d.z > 0.0) > 0.0;
        return !is_flat && fabs(crn_drum_rise(s, d)) > ACROSS * crn_drum_slant(s);
    }
    case CRN_CORE_POLYHEDRON: break;
    default: return true;
    }
    int vertex = side->farthest;
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

bool crn_side_face(const crn_side *side, int place, crn_vec3 *normal, crn_vec3 *point)
{
    const crn_solid *s = side->solid;
    if (s->kind == CRN_CORE_DRUM) {
        double sign = place == 0 ? -1.0 : 1.0;
        *normal = crn_v3_scale(sign, crn_solid_axis(s));
        *point = crn_v3_axpy(s->centre, s->size.y, *normal);
        return cap_faces(side, place);
    }
    int face = crn_side_face_name(side, place);
    crn_facing_test test = test_of(side);
    if (!side->facing.is_listed && !crn_facing_face(&test, face)) {
        return false;
    }
    *normal = crn_solid_normal(s, face);
    *point = crn_solid_vertex(s, s->face_vertex[s->face_start[face]]);
    return true;
}

bool crn_side_holds(const crn_side *side, int face, crn_vec3 point, double tolerance)
{
    const crn_solid *s = side->solid;
    crn_vec3 p = crn_m3_transposed_times(&s->rotation, crn_v3_sub(point, s->centre));
    if (s->kind == CRN_CORE_DRUM) {
        double radius = crn_drum_radius(s, face) + tolerance;
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
