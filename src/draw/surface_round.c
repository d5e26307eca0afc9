/* Round solids as triangles: a profile turned about z, from the lowest point to the highest. All points lie on the
 * surface, so the volume is a little less than the solid's and grows to it with the square of the segments. */
#include "draw/surface.h"
#include "math/elementary.h"

/* A place of the profile: distance from the axis, height, and the normal there. */
typedef struct place {
    double radius, up;
    double out, along; /* parts of the normal away from the axis and along it */
} place;

/* Where the points of a place are: a single one on the axis, else a ring of them. */
typedef struct ring {
    int first;
    bool is_pole;
} ring;

static ring add_ring(crn_surface *s, place p, crn_vec3 stretch)
{
    ring made = {.is_pole = p.radius == 0.0};
    for (int k = 0; k < (made.is_pole ? 1 : s->segments); ++k) {
        crn_vec3 turn = crn_surface_turn(k, s->segments);
        crn_vec3 point = crn_v3(stretch.x * p.radius * turn.x, stretch.y * p.radius * turn.y, stretch.z * p.up);
        crn_vec3 normal = crn_v3(p.out * turn.x / stretch.x, p.out * turn.y / stretch.y, p.along / stretch.z);
        int index = crn_surface_point(s, point, crn_surface_unit(normal));
        made.first = k == 0 ? index : made.first;
    }
    return made;
}

/* The band between two rings, the second one above or inside of the first. */
static void add_band(crn_surface *s, ring low, ring high)
{
    for (int k = 0; k < s->segments; ++k) {
        int next = (k + 1) % s->segments;
        if (low.is_pole) {
            crn_surface_triangle(s, low.first, high.first + next, high.first + k);
        } else if (high.is_pole) {
            crn_surface_triangle(s, low.first + k, low.first + next, high.first);
        } else {
            crn_surface_quad(s, low.first + k, low.first + next, high.first + next, high.first + k);
        }
    }
}

/* Bands of a quarter of the outline of a ball. */
static int quarter_bands(const crn_surface *s)
{
    return s->segments < 8 ? 2 : (s->segments + 2) / 4;
}

/* A place on the unit circle; poles and equator exactly. k = -quarter .. quarter. */
static place on_circle(int k, int quarter)
{
    double angle = 1.5707963267948966 * k / quarter;
    double out = k == quarter || k == -quarter ? 0.0 : crn_cos(angle);
    return (place){out, crn_sin(angle), out, crn_sin(angle)};
}

/* A ball of the given radius, cut at its equator and drawn apart by half_length each way, then stretched. */
static void add_ball(crn_surface *s, double radius, double half_length, crn_vec3 stretch)
{
    int quarter = quarter_bands(s);
    ring below = {0};
    for (int k = -quarter; k <= quarter; ++k) {
        place p = on_circle(k, quarter);
        p.radius *= radius;
        p.up = radius * p.up + (k > 0 ? half_length : -half_length);
        ring here = add_ring(s, p, stretch);
        if (k > -quarter) {
            add_band(s, below, here);
        }
        below = here;
        if (k == 0 && half_length > 0.0) {
            p.up = half_length;
            below = add_ring(s, p, stretch);
            add_band(s, here, below);
        }
    }
}

void crn_surface_ball(crn_surface *s, const crn_shape *shape)
{
    crn_vec3 size = crn_shape_definition(shape)->size; /* of a sphere, size.y is 0 */
    add_ball(s, size.x, size.y, crn_v3(1, 1, 1));
}

void crn_surface_ellipsoid(crn_surface *s, const crn_shape *shape)
{
    add_ball(s, 1.0, 0.0, crn_shape_definition(shape)->size);
}

void crn_surface_cylinder(crn_surface *s, const crn_shape *shape)
{
    crn_vec3 size = crn_shape_definition(shape)->size;
    double radius = size.x, half_height = size.y;
    const crn_vec3 same = {1, 1, 1};
    ring low = add_ring(s, (place){radius, -half_height, 1.0, 0.0}, same);
    ring high = add_ring(s, (place){radius, half_height, 1.0, 0.0}, same);
    add_band(s, low, high);
    low = add_ring(s, (place){radius, -half_height, 0.0, -1.0}, same);
    high = add_ring(s, (place){radius, half_height, 0.0, 1.0}, same);
    crn_surface_fan(s, low.first, s->segments, true);
    crn_surface_fan(s, high.first, s->segments, false);
}

void crn_surface_cone(crn_surface *s, const crn_shape *shape)
{
    crn_vec3 size = crn_shape_definition(shape)->size;
    double radius = size.x, half_height = size.y;
    const crn_vec3 same = {1, 1, 1};
    double slant = sqrt(radius * radius + 4.0 * half_height * half_height);
    place side = {radius, -half_height, 2.0 * half_height / slant, radius / slant};
    ring low = add_ring(s, side, same);
    for (int k = 0; k < s->segments; ++k) { /* an apex for each side: it has no normal of its own */
        crn_vec3 from = crn_surface_turn(k, s->segments), to = crn_surface_turn((k + 1) % s->segments, s->segments);
        crn_vec3 across = crn_v3_unit(crn_v3_add(from, to));
        crn_vec3 normal = crn_v3(side.out * across.x, side.out * across.y, side.along);
        int apex = crn_surface_point(s, crn_v3(0, 0, half_height), crn_surface_unit(normal));
        crn_surface_triangle(s, low.first + k, low.first + (k + 1) % s->segments, apex);
    }
    low = add_ring(s, (place){radius, -half_height, 0.0, -1.0}, same);
    crn_surface_fan(s, low.first, s->segments, true);
}

/* --- Round solids of any kind: the farthest points along the directions of a ball --- */

static ring add_support_ring(crn_surface *s, const crn_shape *shape, place p)
{
    ring made = {.is_pole = p.out == 0.0};
    for (int k = 0; k < (made.is_pole ? 1 : s->segments); ++k) {
        crn_vec3 turn = crn_surface_turn(k, s->segments), d = crn_v3(p.out * turn.x, p.out * turn.y, p.along);
        int index = crn_surface_point(s, crn_shape_support_point(shape, d), d);
        made.first = k == 0 ? index : made.first;
    }
    return made;
}

void crn_surface_convex(crn_surface *s, const crn_shape *shape)
{
    int quarter = quarter_bands(s);
    ring below = add_support_ring(s, shape, on_circle(-quarter, quarter));
    for (int k = 1 - quarter; k <= quarter; ++k) {
        ring above = add_support_ring(s, shape, on_circle(k, quarter));
        add_band(s, below, above);
        below = above;
    }
}
