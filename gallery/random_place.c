/* Places of bodies in random worlds: beside one another with a plane between them. */
#include "random_parts.h"

#include <math.h>
#include <stddef.h>

/* --- Beside and clear --- */

void crn_random_put_beside(const crn_random_scene *s, crn_random_solid *solid, const crn_random_solid *other,
                           crn_vec3 along, double gap)
{
    crn_vec3 back = {-along.x, -along.y, -along.z}, up = crn_random_up(s), down = {-up.x, -up.y, -up.z};
    if (other == NULL) { /* the ground: keep the place along it */
        double height = crn_random_dot(solid->pose.position, up);
        solid->pose.position = crn_random_axpy(solid->pose.position, crn_random_reach(solid, down) + gap - height, up);
        return;
    }
    double distance = crn_random_reach(other, along) + crn_random_reach(solid, back) + gap;
    solid->pose.position = crn_random_axpy(other->pose.position, distance, along);
}

/* Rounding of places, of their size: bodies that touch exactly are clear of one another. */
static const double touching = 1e-12;

static bool is_apart(const crn_random_solid *a, const crn_random_solid *b)
{
    crn_vec3 d = crn_random_toward(a->pose.position, b->pose.position), back = {-d.x, -d.y, -d.z};
    double distance = crn_random_distance(a->pose.position, b->pose.position);
    return crn_random_reach(a, d) + crn_random_reach(b, back) <= distance * (1.0 + touching);
}

static bool is_inside(const crn_random_scene *s, const crn_random_solid *solid)
{
    crn_vec3 up = crn_random_up(s), down = {-up.x, -up.y, -up.z};
    const crn_vec3 side[4] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
    double height = crn_random_dot(solid->pose.position, up), deep = crn_random_reach(solid, down);
    bool is_clear = !s->has_ground || height - deep >= -touching * (1.0 + deep);
    for (int i = 0; i < (s->is_planar ? 2 : 4) && s->has_walls; ++i) {
        double out = crn_random_dot(solid->pose.position, side[i]) + crn_random_reach(solid, side[i]);
        is_clear = is_clear && out <= s->wall;
    }
    return is_clear;
}

bool crn_random_is_clear(const crn_random_scene *s, const crn_random_solid *solid, const crn_random_solid *but)
{
    bool is_clear = is_inside(s, solid);
    for (int i = 0; i < s->solids && is_clear; ++i) {
        const crn_random_solid *other = &s->solid[i];
        is_clear = other == solid || other == but || is_apart(solid, other);
    }
    return is_clear;
}

void crn_random_put_above(const crn_random_scene *s, crn_random_solid *solid, double gap)
{
    crn_vec3 up = crn_random_up(s), down = {-up.x, -up.y, -up.z};
    double top = 0.0;
    for (int i = 0; i < s->solids; ++i) {
        const crn_random_solid *other = &s->solid[i];
        top = fmax(top, crn_random_dot(other->pose.position, up) + crn_random_reach(other, up));
    }
    solid->pose.position = crn_random_axpy((crn_vec3){0.0, 0.0, 0.0}, top + crn_random_reach(solid, down) + gap, up);
}

/* Gaps between bodies: none, tiny or a part of their size; in worlds with overlaps some are negative. */
static double gap_of(crn_random_scene *s)
{
    if (s->has_overlaps && crn_random_chance(s, 0.5)) {
        return -s->size * crn_random_log(s, 1e-4, 0.8);
    }
    return crn_random_chance(s, 0.4) ? 0.0 : s->size * crn_random_log(s, 1e-6, 1.0);
}

void crn_random_put_near(crn_random_scene *s, crn_random_solid *solid)
{
    enum { TRIES = 40 };
    crn_vec3 up = crn_random_up(s);
    for (int i = 0; i < TRIES; ++i) {
        bool is_on_ground = s->has_ground && (s->solids == 0 || crn_random_chance(s, 0.3));
        double gap = gap_of(s);
        if (is_on_ground || s->solids == 0) {
            solid->pose.position = crn_random_axpy((crn_vec3){0.0, 0.0, 0.0}, s->size * crn_random_between(s, 0.0, 4.0),
                                                   crn_random_direction(s));
            crn_random_put_beside(s, solid, NULL, up, gap);
        } else {
            const crn_random_solid *other = &s->solid[crn_random_count(s, 0, s->solids - 1)];
            crn_random_put_beside(s, solid, other, crn_random_direction(s), gap);
        }
        if ((s->has_overlaps && gap < 0.0 && !s->has_walls) || crn_random_is_clear(s, solid, NULL)) {
            return;
        }
    }
    crn_random_put_above(s, solid, 0.1 * s->size);
}

/* --- Add --- */

crn_vec3 crn_random_velocity(crn_random_scene *s)
{
    return crn_random_axpy((crn_vec3){0.0, 0.0, 0.0}, crn_random_between(s, 0.0, s->speed), crn_random_direction(s));
}

int crn_random_add(crn_random_scene *s, crn_random_solid *solid, crn_vec3 velocity)
{
    crn_body_shape shape[CRN_RANDOM_SHAPES];
    crn_body_def def = crn_body_def_default();
    for (int i = 0; i < solid->shapes; ++i) {
        shape[i] = solid->shape[i].def;
    }
    double spin = crn_random_between(s, -s->spin, s->spin);
    crn_vec3 axis = s->is_planar ? (crn_vec3){0.0, 0.0, 1.0} : crn_random_direction(s);
    def.pose = solid->pose;
    def.mass = solid->mass;
    def.velocity = velocity;
    def.angular = (crn_vec3){spin * axis.x, spin * axis.y, spin * axis.z};
    if (crn_random_chance(s, 0.05)) {
        def.linear_damping = crn_random_log(s, 0.01, 100.0);
        def.angular_damping = crn_random_log(s, 0.01, 100.0);
    }
    if (crn_random_chance(s, 0.03)) {
        def.gravity_scale = crn_random_between(s, -1.0, 2.0);
    }
    if (crn_random_chance(s, 0.1)) { /* centre of mass off the middle */
        def.com = crn_random_axpy((crn_vec3){0.0, 0.0, 0.0}, 0.2 * s->size, crn_random_direction(s));
    }
    def.shape = shape;
    def.shapes = solid->shapes;
    solid->body = crn_build_add(&s->b, &def);
    s->solids++;
    return solid->body;
}
