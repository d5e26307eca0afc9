/* A plane with every solid shape:  gap = n'(p - o)  at the points p of the shape that can be lowest.
 *
 * The normal is the plane's, so the gap is the same formula above and below the surface. Corners, ends and rims are
 * reported one by one, each with the number it has in the body as its key. A cap of a cylinder is met in the lowest point of
 * its rim, and in corners that are fixed in the body while it is nearly flat on the plane (rim.h). */
#include <math.h>

#include "collide/primitive.h"
#include "collide/rim.h"
#include "collide/side.h"

typedef struct ground {
    crn_vec3 normal;
    double offset; /* n'o */
    double reach;
} ground;

static ground ground_of(const crn_query *q)
{
    crn_vec3 n = crn_m3_column(&q->frame_b->rotation, 2);
    return (ground){n, crn_v3_dot(n, q->frame_b->position), q->reach};
}

static double height(const ground *g, crn_vec3 p)
{
    return crn_v3_dot(g->normal, p) - g->offset;
}

/* p is a point of the shape's surface, or the centre of a ball of that radius. */
static void meet(const ground *g, crn_vec3 p, double radius, uint32_t key, crn_touches *out)
{
    double gap = height(g, p) - radius;
    if (gap <= g->reach) {
        crn_touches_add(out, crn_v3_axpy(p, -(radius + 0.5 * gap), g->normal), g->normal, gap, key);
    }
}

void crn_sphere_plane(const crn_query *query, crn_touches *out)
{
    ground g = ground_of(query);
    meet(&g, query->frame_a->position, query->a->def.size.x, 0, out);
}

void crn_capsule_plane(const crn_query *query, crn_touches *out)
{
    ground g = ground_of(query);
    crn_vec3 size = query->a->def.size, axis = crn_m3_column(&query->frame_a->rotation, 2);
    meet(&g, crn_v3_axpy(query->frame_a->position, -size.y, axis), size.x, 0, out);
    if (size.y > 0.0) {
        meet(&g, crn_v3_axpy(query->frame_a->position, size.y, axis), size.x, 1, out);
    }
}

/* Corner number: bit k is set on the positive side of axis k. */
void crn_box_plane(const crn_query *query, crn_touches *out)
{
    ground g = ground_of(query);
    const crn_vec3 h = query->a->def.size;
    const crn_mat3 *r = &query->frame_a->rotation;
    crn_vec3 x = crn_v3_scale(h.x, crn_m3_column(r, 0)), y = crn_v3_scale(h.y, crn_m3_column(r, 1));
    crn_vec3 z = crn_v3_scale(h.z, crn_m3_column(r, 2));
    double level = height(&g, query->frame_a->position);
    double gx = crn_v3_dot(g.normal, x), gy = crn_v3_dot(g.normal, y), gz = crn_v3_dot(g.normal, z);
    for (uint32_t k = 0; k < 8; ++k) {
        double sx = k & 1 ? 1.0 : -1.0, sy = k & 2 ? 1.0 : -1.0, sz = k & 4 ? 1.0 : -1.0;
        double gap = level + sx * gx + sy * gy + sz * gz;
        if (gap <= g.reach) {
            crn_vec3 p = crn_v3_axpy(crn_v3_axpy(crn_v3_axpy(query->frame_a->position, sx, x), sy, y), sz, z);
            crn_touches_add(out, crn_v3_axpy(p, -0.5 * gap, g.normal), g.normal, gap, k);
        }
    }
}

/* The lowest point of the rim is listed beside the corners only if it lies this much lower, relative to the radius. When a
 * cylinder stands upright it does not, and its place on the rim would be noise; the gap is off by no more than this. */
#define RIM_NOTABLE 1e-9

/* Sine up to which a cap that looks up still counts as looking sideways: of a body that lies, both caps are alike. */
#define LYING 0.2

/* A cap seen from the ground. */
typedef struct rim {
    crn_vec3 centre, x, y;
    double radius, middle; /* height of the centre */
    double nx, ny, slope;  /* the ground's normal in the plane of the cap */
} rim;

/* The corners of the rim; the height of the lowest. */
static double meet_corners(const ground *g, const rim *r, uint32_t first, crn_touches *out)
{
    double lowest = r->middle;
    for (int k = 0; k < CRN_RIM_CORNERS; ++k) {
        double c = r->radius * crn_rim_cosine(k), s = r->radius * crn_rim_cosine(k - 4);
        double gap = r->middle + c * r->nx + s * r->ny;
        lowest = gap < lowest ? gap : lowest;
        if (gap <= g->reach) {
            crn_vec3 p = crn_v3_axpy(crn_v3_axpy(r->centre, c, r->x), s, r->y);
            crn_touches_add(out, crn_v3_axpy(p, -0.5 * gap, g->normal), g->normal, gap, first + (uint32_t)k);
        }
    }
    return lowest;
}

/* A cap whose outer side looks along `side` times the axis, with its centre so far along the axis: corners have keys first ..
 * first + 15, the lowest point first + 16. */
static void meet_cap(const ground *g, const crn_query *q, double side, double along, uint32_t first, crn_touches *out)
{
    const crn_mat3 *turn = &q->frame_a->rotation;
    crn_vec3 axis = crn_m3_column(turn, 2);
    rim r = {.x = crn_m3_column(turn, 0), .y = crn_m3_column(turn, 1), .radius = q->a->def.size.x};
    r.centre = crn_v3_axpy(q->frame_a->position, along, axis);
    r.nx = crn_v3_dot(g->normal, r.x);
    r.ny = crn_v3_dot(g->normal, r.y);
    r.slope = sqrt(r.nx * r.nx + r.ny * r.ny);
    r.middle = height(g, r.centre);
    double lowest = r.middle - r.radius * r.slope, lowest_corner = (double)INFINITY;
    if (lowest > g->reach) {
        return;
    }
    bool looks_down = side * crn_v3_dot(g->normal, axis) <= LYING;
    if (looks_down && r.slope <= crn_rim_tilt(&q->motion, axis, g->normal, r.radius)) {
        lowest_corner = meet_corners(g, &r, first, out);
    }
    if (lowest_corner - lowest > RIM_NOTABLE * r.radius && r.slope > RIM_NOTABLE) {
        double c = -r.radius * r.nx / r.slope, s = -r.radius * r.ny / r.slope;
        meet(g, crn_v3_axpy(crn_v3_axpy(r.centre, c, r.x), s, r.y), 0.0, first + CRN_RIM_CORNERS, out);
    }
}

void crn_cylinder_plane(const crn_query *query, crn_touches *out)
{
    ground g = ground_of(query);
    double half = query->a->def.size.y;
    meet_cap(&g, query, -1.0, -half, 0, out);
    meet_cap(&g, query, 1.0, half, CRN_RIM_CORNERS + 1, out);
}

/* The apex has the key that the lowest point of an upper rim would have. */
void crn_cone_plane(const crn_query *query, crn_touches *out)
{
    ground g = ground_of(query);
    double half = query->a->def.size.y;
    crn_vec3 apex = crn_v3_axpy(query->frame_a->position, half, crn_m3_column(&query->frame_a->rotation, 2));
    meet_cap(&g, query, -1.0, -half, 0, out);
    meet(&g, apex, 0.0, 2 * CRN_RIM_CORNERS + 1, out);
}

/* The point of an ellipsoid with half axes e whose outward normal is -n is  -S n / sqrt(n'S n),  S = R diag(e^2) R'. */
void crn_ellipsoid_plane(const crn_query *query, crn_touches *out)
{
    ground g = ground_of(query);
    crn_vec3 e = query->a->def.size, n = crn_m3_transposed_times(&query->frame_a->rotation, g.normal);
    crn_vec3 en = crn_v3(e.x * n.x, e.y * n.y, e.z * n.z);
    double support = crn_v3_length(en);
    crn_vec3 low = crn_v3_scale(-1.0 / support, crn_v3(e.x * en.x, e.y * en.y, e.z * en.z));
    meet(&g, crn_frame_point(query->frame_a, low), 0.0, 0, out);
}

/* Hulls with fewer vertices are looked at as a whole. */
#define LARGE 24

/* Vertices within reach; of large hulls that move as is known, those of them that can come lowest. */
void crn_hull_plane(const crn_query *query, crn_touches *out)
{
    ground g = ground_of(query);
    const crn_polyhedron *hull = query->a->polyhedron;
    crn_facing facing = {.is_listed = false};
    crn_solid solid;
    if (hull->vertices >= LARGE && query->motion.fall < (double)INFINITY &&
        crn_solid_of(&solid, query->a, query->frame_a, query->frame_a->position)) {
        int lowest = 0;
        crn_vec3 d = crn_v3_scale(-1.0, g.normal), p = crn_solid_support(&solid, d, &lowest);
        double depth = g.reach - height(&g, crn_v3_add(p, query->frame_a->position));
        if (depth < 0.0) {
            return;
        }
        crn_facing_test test = {&solid, crn_m3_transposed_times(&solid.rotation, d), crn_v3_dot(d, p) - depth,
                                crn_side_slack(&query->motion, g.normal, solid.extent)};
        crn_facing_find(&test, lowest, &facing);
    }
    for (int k = 0; k < (facing.is_listed ? facing.vertices : hull->vertices); ++k) {
        int v = facing.is_listed ? facing.vertex[k] : k;
        meet(&g, crn_frame_point(query->frame_a, crn_v3_of(hull->vertex + 3 * (ptrdiff_t)v)), 0.0, (uint32_t)v, out);
    }
}
