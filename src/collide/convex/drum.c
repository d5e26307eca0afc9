/* What cylinders and cones share: see drum.h. A cap is met in the lowest point of its rim, and in corners that are fixed in the
 * body while it is nearly flat on the plane (rim.h). */
#include "collide/convex/drum.h"

double crn_drum_reach(const crn_shape_def *def)
{
    crn_vec3 s = def->size;
    return sqrt(s.x * s.x + s.y * s.y);
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
static double meet_corners(const crn_ground *g, const rim *r, uint32_t first, crn_touches *out)
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

void crn_drum_meet_cap(const crn_ground *g, const crn_query *q, double side, double along, uint32_t first,
                       crn_touches *out)
{
    const crn_mat3 *turn = &q->frame_a->rotation;
    crn_vec3 axis = crn_m3_column(turn, 2);
    rim r = {.x = crn_m3_column(turn, 0), .y = crn_m3_column(turn, 1), .radius = q->a->def.size.x};
    r.centre = crn_v3_axpy(q->frame_a->position, along, axis);
    r.nx = crn_v3_dot(g->normal, r.x);
    r.ny = crn_v3_dot(g->normal, r.y);
    r.slope = sqrt(r.nx * r.nx + r.ny * r.ny);
    r.middle = crn_ground_height(g, r.centre);
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
        crn_ground_meet(g, crn_v3_axpy(crn_v3_axpy(r.centre, c, r.x), s, r.y), 0.0, first + CRN_RIM_CORNERS, out);
    }
}
