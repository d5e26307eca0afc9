/* stack_blocks.c -- contacts of stacked blocks: the vertices of the overlap of two squares  [L05 s1, s5.4]. */
#include "gallery_stack.h"

static const double half_width = 0.1;   /* of a block [m] */
static const double half_height = 0.05; /* of a block [m] */
static const double loose = 0.005;      /* largest random shift along x and along y [m] */

typedef struct polygon {
    int count;
    double x[2 * CRN_GALLERY_OVERLAP_MAX], y[2 * CRN_GALLERY_OVERLAP_MAX];
} polygon;

/* The square below or above a block, counterclockwise. */
static polygon footprint(crn_gallery_vec centre, bool is_turned)
{
    static const double sign_x[4] = {1.0, -1.0, -1.0, 1.0};
    static const double sign_y[4] = {1.0, 1.0, -1.0, -1.0};
    const double root = 1.4142135623730951;
    polygon square = {.count = 4};
    for (int i = 0; i < 4; ++i) {
        double x = half_width * sign_x[i], y = half_width * sign_y[i];
        square.x[i] = centre.x + (is_turned ? (x - y) / root : x);
        square.y[i] = centre.y + (is_turned ? (x + y) / root : y);
    }
    return square;
}

/* The part of `in` on the left of the line from a to b (Sutherland and Hodgman's clipping by one edge). */
static polygon clip_by_edge(const polygon *in, double ax, double ay, double bx, double by)
{
    polygon out = {0};
    for (int i = 0; i < in->count; ++i) {
        int next = (i + 1) % in->count;
        double here = (bx - ax) * (in->y[i] - ay) - (by - ay) * (in->x[i] - ax);
        double there = (bx - ax) * (in->y[next] - ay) - (by - ay) * (in->x[next] - ax);
        if (here >= 0.0) {
            out.x[out.count] = in->x[i];
            out.y[out.count++] = in->y[i];
        }
        if ((here >= 0.0) != (there >= 0.0)) {
            double t = here / (here - there);
            out.x[out.count] = in->x[i] + t * (in->x[next] - in->x[i]);
            out.y[out.count++] = in->y[i] + t * (in->y[next] - in->y[i]);
        }
    }
    return out;
}

static polygon overlap(const polygon *a, const polygon *b)
{
    polygon result = *a;
    for (int i = 0; i < b->count; ++i) {
        int next = (i + 1) % b->count;
        result = clip_by_edge(&result, b->x[i], b->y[i], b->x[next], b->y[next]);
    }
    return result;
}

static void touch_supporter(crn_gallery_contacts *contacts, const crn_gallery_block *blocks,
                            const crn_gallery_body *bodies, int upper, int lower, double friction)
{
    double z = bodies[upper].centre.z - half_height;
    polygon face = footprint(bodies[upper].centre, blocks[upper].is_turned);
    if (lower != CRN_GALLERY_GROUND) {
        polygon below = footprint(bodies[lower].centre, blocks[lower].is_turned);
        face = overlap(&face, &below);
    }
    for (int i = 0; i < face.count; ++i) {
        crn_gallery_vec point = {face.x[i], face.y[i], z};
        crn_gallery_touch(contacts, bodies, lower, upper, point, crn_gallery_vec_of(0.0, 0.0, 1.0), friction);
    }
}

static crn_gallery_body shape_of(const crn_gallery_block *block, crn_random *random)
{
    crn_gallery_vec half = {half_width, half_width, half_height};
    double x = 2.0 * half_width * block->x + crn_random_uniform(random, -loose, loose);
    double y = crn_random_uniform(random, -loose, loose);
    double z = half_height * (2.0 * block->layer + 1.0);
    return crn_gallery_box(block->mass, crn_gallery_vec_of(x, y, z), half);
}

static void lay_blocks(crn_gallery_contacts *contacts, const crn_gallery_block *blocks, int count, crn_random *random)
{
    crn_gallery_body bodies[CRN_GALLERY_BLOCKS_MAX];
    double friction = crn_random_uniform(random, 0.2, 0.5);
    for (int b = 0; b < count; ++b) {
        bodies[b] = shape_of(&blocks[b], random);
        crn_gallery_place_body(contacts, b, &bodies[b]);
        crn_gallery_weigh(contacts, b, &bodies[b]);
        for (int s = 0; s < 2; ++s) {
            if (blocks[b].under[s] != CRN_GALLERY_NOTHING) {
                touch_supporter(contacts, blocks, bodies, b, blocks[b].under[s], friction);
            }
        }
    }
    double weight = crn_gallery_gravity * blocks[count - 1].mass;
    crn_gallery_push_randomly(contacts, count - 1, weight, 0.1 * weight, random);
}

crn_status crn_gallery_make_stack(const crn_gallery_block *blocks, int count, crn_random *random,
                                  crn_gallery_contacts *contacts, crn_error *error)
{
    int capacity = 2 * CRN_GALLERY_OVERLAP_MAX * count;
    crn_status status = crn_gallery_contacts_open(contacts, count, 6, capacity, CRN_GALLERY_DIRECTIONS, error);
    if (status == CRN_OK) {
        lay_blocks(contacts, blocks, count, random);
    }
    return status;
}
