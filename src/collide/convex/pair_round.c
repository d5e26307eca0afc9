/* Spheres and capsules among themselves and spheres with boxes: a core (point or segment) grown by a radius.
 *
 *   gap = signed distance of the cores - sum of the radii,  n along the shortest connection of the cores.
 *
 * The gap passes through zero without noticing, since the cores are still apart there. Only where the cores meet has the
 * connection no direction; then a direction that is right for touching cores is taken: across both. */
#include "collide/convex/primitive.h"
#include "collide/convex/segment.h"

/* Cores nearer than this, relative to the radii, have no direction worth trusting: coordinates carry 1e-16, so at 1e-10
 * it would be off by 1e-6 rad. */
#define CORE_APART 1e-10

/* A touch between core points p of a and q of b along n. */
static void meet(const crn_query *query, crn_vec3 p, crn_vec3 q, crn_vec3 n, double gap, uint32_t key, crn_touches *out)
{
    if (gap <= query->reach) {
        /* midway between the surfaces p - r_a n and q + r_b n */
        crn_vec3 sum = crn_v3_axpy(crn_v3_add(p, q), query->b->def.size.x - query->a->def.size.x, n);
        crn_touches_add(out, crn_v3_scale(0.5, sum), n, gap, key);
    }
}

void crn_sphere_sphere(const crn_query *query, crn_touches *out)
{
    crn_vec3 p = query->frame_a->position, q = query->frame_b->position, d = crn_v3_sub(p, q);
    double radii = query->a->def.size.x + query->b->def.size.x, distance = crn_v3_length(d);
    crn_vec3 n = distance > CORE_APART * radii ? crn_v3_scale(1.0 / distance, d) : crn_v3(0, 0, 1);
    meet(query, p, q, n, distance - radii, 0, out);
}

static crn_segment core_of(const crn_shape *shape, const crn_frame *frame)
{
    return (crn_segment){frame->position, crn_v3_scale(shape->def.size.y, crn_m3_column(&frame->rotation, 2))};
}

void crn_sphere_capsule(const crn_query *query, crn_touches *out)
{
    crn_segment core = core_of(query->b, query->frame_b);
    crn_vec3 p = query->frame_a->position, q = crn_segment_point(&core, crn_segment_nearest(&core, p));
    crn_vec3 d = crn_v3_sub(p, q);
    double radii = query->a->def.size.x + query->b->def.size.x, distance = crn_v3_length(d);
    crn_vec3 n = distance > CORE_APART * radii ? crn_v3_scale(1.0 / distance, d)
                                               : crn_v3_orthogonal(crn_m3_column(&query->frame_b->rotation, 2));
    meet(query, p, q, n, distance - radii, 0, out);
}

/* --- Capsule with capsule --- */

/* A direction across both cores when they meet, on the side where a's centre is. */
static crn_vec3 across_both(const crn_query *query)
{
    crn_vec3 u = crn_m3_column(&query->frame_a->rotation, 2), v = crn_m3_column(&query->frame_b->rotation, 2);
    crn_vec3 n = crn_v3_cross(u, v);
    double length = crn_v3_length(n);
    n = length > CORE_APART ? crn_v3_scale(1.0 / length, n) : crn_v3_orthogonal(u);
    crn_vec3 d = crn_v3_sub(query->frame_a->position, query->frame_b->position);
    return crn_v3_dot(n, d) < 0.0 ? crn_v3_scale(-1.0, n) : n;
}

/* The nearest points are left out if the ends of the common stretch are as low, to this part of the radii: between
 * parallel capsules their place along the stretch is noise. */
#define MIDDLE_NOTABLE 1e-9

enum { KEY_NEAREST = 4 }; /* 0 .. 3: the owner of an end */

/* Nearly parallel capsules touch along a line, whose ends are reported: there two circles of radii r_a, r_b whose centres
 * lie y aside meet after  height - sqrt((r_a + r_b)^2 - y^2).  The nearest points are added unless an end is as low. */
void crn_capsule_capsule(const crn_query *query, crn_touches *out)
{
    crn_segment a = core_of(query->a, query->frame_a), b = core_of(query->b, query->frame_b);
    double radii = query->a->def.size.x + query->b->def.size.x;
    crn_segment_pair nearest = crn_segments_nearest(&a, &b);
    double gap = nearest.distance - radii;
    if (gap > query->reach) {
        return;
    }
    crn_vec3 p = crn_segment_point(&a, nearest.x), q = crn_segment_point(&b, nearest.y);
    crn_vec3 n = nearest.distance > CORE_APART * radii ? crn_v3_scale(1.0 / nearest.distance, crn_v3_sub(p, q))
                                                       : across_both(query);
    crn_segment_end end[2];
    double lowest = (double)INFINITY;
    if (crn_segments_side_by_side(&a, &b, n, end)) {
        for (int k = 0; k < 2; ++k) {
            if (fabs(end[k].aside) < radii) {
                double own = end[k].height - sqrt(radii * radii - end[k].aside * end[k].aside);
                lowest = own < lowest ? own : lowest;
                meet(query, end[k].on_a, end[k].on_b, n, own, (uint32_t)end[k].owner, out);
            }
        }
    }
    if (lowest > gap + MIDDLE_NOTABLE * radii) {
        meet(query, p, q, n, gap, KEY_NEAREST, out);
    }
}

/* --- Sphere with box --- */

/* Depth below the nearest face of a point inside (or on) the box, negative; axis: which one. */
static double face_depth(const double p[3], const double h[3], int *axis)
{
    double best = fabs(p[0]) - h[0];
    *axis = 0;
    for (int k = 1; k < 3; ++k) {
        double own = fabs(p[k]) - h[k];
        if (own > best) {
            best = own;
            *axis = k;
        }
    }
    return best;
}

/* Outside, the nearest point of the box is p clamped to it; inside, the nearest face. */
void crn_sphere_box(const crn_query *query, crn_touches *out)
{
    double p[3], h[3], n[3], square = 0.0;
    crn_v3_to(crn_frame_local(query->frame_b, query->frame_a->position), p);
    crn_v3_to(query->b->def.size, h);
    for (int k = 0; k < 3; ++k) {
        n[k] = p[k] > h[k] ? p[k] - h[k] : p[k] < -h[k] ? p[k] + h[k] : 0.0;
        square += n[k] * n[k];
    }
    double radius = query->a->def.size.x, distance = sqrt(square), scale = 1.0 / distance;
    if (distance - radius > query->reach) {
        return;
    }
    if (!(distance > CORE_APART * radius)) {
        int axis;
        distance = face_depth(p, h, &axis);
        n[0] = n[1] = n[2] = 0.0;
        n[axis] = p[axis] < 0.0 ? -1.0 : 1.0;
        scale = 1.0;
    }
    crn_vec3 normal = crn_m3_times(&query->frame_b->rotation, crn_v3_scale(scale, crn_v3_of(n)));
    double gap = distance - radius;
    if (gap <= query->reach) {
        crn_vec3 point = crn_v3_axpy(query->frame_a->position, -(radius + 0.5 * gap), normal);
        crn_touches_add(out, point, normal, gap, 0);
    }
}
