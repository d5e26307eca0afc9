/* A plane with every solid shape:  gap = n'(p - o)  at the points p of the shape that can be lowest.
 *
 * The normal is the plane's, so the gap is the same formula above and below the surface. Corners, ends and rims are
 * reported one by one, each with the number it has in the body as its key. A cap of a cylinder is met in the corners of a
 * 16-gon that is fixed in the body, plus the lowest point of the rim. */
#include "collide/primitive.h"

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

#define RIM_CORNERS 16

/* The lowest point of the rim is listed beside the corners only if it lies this much lower, relative to the radius. When a
 * cylinder stands upright it does not, and its place on the rim would be noise; the gap is off by no more than this. */
#define RIM_NOTABLE 1e-9

/* cos(2 pi k / 16), k = 0 .. 4; the rest by symmetry, so that opposite corners are opposite to the last bit */
static const double quarter[5] = {1.0, 0.92387953251128674, 0.70710678118654752, 0.38268343236508977, 0.0};

static double rim_cosine(int k)
{
    k &= RIM_CORNERS - 1;
    k = k > 8 ? 16 - k : k;
    return k <= 4 ? quarter[k] : -quarter[8 - k];
}

/* One cap: corners have keys first .. first + 15, the lowest point first + 16. */
static void meet_cap(const ground *g, const crn_frame *frame, crn_vec3 size, double side, uint32_t first,
                     crn_touches *out)
{
    crn_vec3 x = crn_m3_column(&frame->rotation, 0), y = crn_m3_column(&frame->rotation, 1);
    crn_vec3 centre = crn_v3_axpy(frame->position, side * size.y, crn_m3_column(&frame->rotation, 2));
    double nx = crn_v3_dot(g->normal, x), ny = crn_v3_dot(g->normal, y), slope = sqrt(nx * nx + ny * ny);
    double middle = height(g, centre), lowest = middle - size.x * slope;
    if (lowest > g->reach) {
        return;
    }
    double lowest_corner = middle;
    for (int k = 0; k < RIM_CORNERS; ++k) {
        double c = size.x * rim_cosine(k), s = size.x * rim_cosine(k - 4);
        double gap = middle + c * nx + s * ny;
        lowest_corner = gap < lowest_corner ? gap : lowest_corner;
        if (gap <= g->reach) {
            crn_vec3 p = crn_v3_axpy(crn_v3_axpy(centre, c, x), s, y);
            crn_touches_add(out, crn_v3_axpy(p, -0.5 * gap, g->normal), g->normal, gap, first + (uint32_t)k);
        }
    }
    if (lowest_corner - lowest > RIM_NOTABLE * size.x) {
        double c = -size.x * nx / slope, s = -size.x * ny / slope;
        meet(g, crn_v3_axpy(crn_v3_axpy(centre, c, x), s, y), 0.0, first + RIM_CORNERS, out);
    }
}

void crn_cylinder_plane(const crn_query *query, crn_touches *out)
{
    ground g = ground_of(query);
    meet_cap(&g, query->frame_a, query->a->def.size, -1.0, 0, out);
    meet_cap(&g, query->frame_a, query->a->def.size, 1.0, RIM_CORNERS + 1, out);
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

void crn_hull_plane(const crn_query *query, crn_touches *out)
{
    ground g = ground_of(query);
    const crn_polyhedron *hull = query->a->polyhedron;
    for (int k = 0; k < hull->vertices; ++k) {
        meet(&g, crn_frame_point(query->frame_a, crn_v3_of(hull->vertex + 3 * k)), 0.0, (uint32_t)k, out);
    }
}
