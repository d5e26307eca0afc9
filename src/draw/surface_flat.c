/* Planar shapes as triangles: the area inside of a convex outline, seen from +z; or a slab of it, with a back and sides. */
#include "draw/surface.h"
#include "math/elementary.h"

#define BAR_WIDTH 0.01 /* of a segment without radius: half its width, as a part of half its length */

/* Corners counter-clockwise, each with the outward normal of the outline there. A sharp outline has its normals by sides:
 * that of the side which begins at the corner. */
typedef struct outline {
    crn_vec3 *corner, *normal;
    int count;
    bool is_smooth;
} outline;

static void add_corner(outline *o, crn_vec3 corner, crn_vec3 normal)
{
    o->corner[o->count] = corner;
    o->normal[o->count++] = normal;
}

/* --- Outlines --- */

static void add_ellipse(outline *o, double a, double b, int segments)
{
    o->is_smooth = true;
    for (int k = 0; k < segments; ++k) {
        crn_vec3 turn = crn_surface_turn(k, segments);
        add_corner(o, crn_v3(a * turn.x, b * turn.y, 0), crn_surface_unit(crn_v3(turn.x / a, turn.y / b, 0)));
    }
}

/* Sides in half a turn of the ends of a bar. */
static int half_turn(const crn_surface *s)
{
    return (s->segments + 1) / 2;
}

/* Two half turns, joined by the straight sides. */
static void add_round_bar(outline *o, double half_length, double radius, int half)
{
    o->is_smooth = true;
    for (int end = 0; end < 2; ++end) {
        double sign = end == 0 ? 1.0 : -1.0;
        for (int k = 0; k <= half; ++k) {
            double angle = 3.141592653589793 * ((double)k / half - 0.5);
            crn_vec3 out = crn_v3(sign * crn_cos(angle), sign * crn_sin(angle), 0);
            add_corner(o, crn_v3(sign * half_length + radius * out.x, radius * out.y, 0), out);
        }
    }
}

/* Corners given as pairs of numbers. */
static void add_polygon(outline *o, const double *points, int count)
{
    for (int k = 0; k < count; ++k) {
        const double *here = points + 2 * (size_t)k, *next = points + 2 * (size_t)((k + 1) % count);
        add_corner(o, crn_v3(here[0], here[1], 0), crn_surface_unit(crn_v3(next[1] - here[1], here[0] - next[0], 0)));
    }
}

static void add_rectangle(outline *o, double half_length, double low, double high)
{
    const double corners[8] = {-half_length, low, half_length, low, half_length, high, -half_length, high};
    add_polygon(o, corners, 4);
}

static int most_corners(const crn_surface *s, const crn_shape_def *def)
{
    switch (def->kind) {
    case CRN_SHAPE_DISK:
    case CRN_SHAPE_ELLIPSE: return s->segments;
    case CRN_SHAPE_SEGMENT: return 2 * half_turn(s) + 2;
    case CRN_SHAPE_POLYGON: return def->count;
    default: return 4;
    }
}

static void add_outline(const crn_surface *s, const crn_shape_def *def, outline *o)
{
    crn_vec3 size = def->size;
    switch (def->kind) {
    case CRN_SHAPE_DISK: add_ellipse(o, size.x, size.x, s->segments); return;
    case CRN_SHAPE_ELLIPSE: add_ellipse(o, size.x, size.y, s->segments); return;
    case CRN_SHAPE_POLYGON: add_polygon(o, def->points, def->count); return;
    case CRN_SHAPE_SEGMENT:
        if (size.y > 0.0) {
            add_round_bar(o, size.x, size.y, half_turn(s));
        } else {
            add_rectangle(o, size.x, -BAR_WIDTH * size.x, BAR_WIDTH * size.x);
        }
        return;
    default: add_rectangle(o, s->reach, -s->reach, 0.0); return;
    }
}

/* --- Surfaces --- */

static crn_vec3 at_height(crn_vec3 corner, double up)
{
    return crn_v3(corner.x, corner.y, up);
}

static void add_face(crn_surface *s, const outline *o, double up, double facing)
{
    int first = s->to->count;
    for (int k = 0; k < o->count; ++k) {
        (void)crn_surface_point(s, at_height(o->corner[k], up), crn_v3(0, 0, facing));
    }
    crn_surface_fan(s, first, o->count, facing < 0.0);
}

/* Points of the sides at a corner: below, then above. */
static int add_post(crn_surface *s, crn_vec3 corner, crn_vec3 normal)
{
    int below = crn_surface_point(s, at_height(corner, -s->half_up), normal);
    (void)crn_surface_point(s, at_height(corner, s->half_up), normal);
    return below;
}

static void add_sides(crn_surface *s, const outline *o)
{
    int first = s->to->count;
    for (int k = 0; k < o->count && o->is_smooth; ++k) {
        (void)add_post(s, o->corner[k], o->normal[k]);
    }
    for (int k = 0; k < o->count; ++k) {
        int next = (k + 1) % o->count, here = first + 2 * k, there = first + 2 * next;
        if (!o->is_smooth) {
            here = add_post(s, o->corner[k], o->normal[k]);
            there = add_post(s, o->corner[next], o->normal[k]);
        }
        crn_surface_quad(s, here, there, there + 1, here + 1);
    }
}

void crn_surface_flat(crn_surface *surface, const crn_shape *shape)
{
    const crn_shape_def *def = crn_shape_definition(shape);
    size_t most = (size_t)most_corners(surface, def);
    crn_vec3 *memory = (crn_vec3 *)crn_allocate(&surface->to->allocator, 2 * most, sizeof(crn_vec3));
    if (memory == NULL) {
        surface->is_short = true;
        return;
    }
    outline o = {.corner = memory, .normal = memory + most};
    add_outline(surface, def, &o);
    add_face(surface, &o, surface->half_up, 1.0);
    if (surface->half_up > 0.0) {
        add_face(surface, &o, -surface->half_up, -1.0);
        add_sides(surface, &o);
    }
    crn_release(&surface->to->allocator, memory);
}
