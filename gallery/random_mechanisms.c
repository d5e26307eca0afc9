/* Mechanisms of random worlds: links on links, four-bars, chains that hang at both ends. */
#include "random_parts.h"

#include <math.h>
#include <stddef.h>

static const uint32_t link_group = 2;

static void keep_links_apart(const crn_random_scene *s, crn_random_solid *solid)
{
    if (s->is_aloof) {
        crn_random_keep_apart(solid, link_group, ~link_group);
    }
}

/* --- Links on links --- */

/* A point on the surface of a solid, or below it, in a direction. */
static crn_vec3 point_on(crn_random_scene *s, const crn_random_solid *solid, crn_vec3 along)
{
    return crn_random_axpy(solid->pose.position, crn_random_between(s, 0.3, 1.0) * crn_random_reach(solid, along),
                           along);
}

/* Hang a solid on a point such that it is clear of all but its parent; false: no such place was found. */
static bool put_on(crn_random_scene *s, crn_random_solid *solid, const crn_random_solid *parent, const crn_vec3 *anchor,
                   crn_vec3 *point)
{
    enum { TRIES = 40 };
    for (int i = 0; i < TRIES; ++i) {
        crn_vec3 along = crn_random_direction(s);
        *point = parent != NULL ? point_on(s, parent, along) : *anchor;
        crn_vec3 onward = crn_random_chance(s, 0.5) ? along : crn_random_direction(s);
        crn_vec3 back = {-onward.x, -onward.y, -onward.z};
        double way = crn_random_between(s, 0.3, 1.0) * crn_random_reach(solid, back);
        solid->pose.position = crn_random_axpy(*point, way, onward);
        if (crn_random_is_clear(s, solid, parent)) {
            return true;
        }
    }
    return false;
}

static void add_link(crn_random_scene *s, const crn_random_solid *parent, const crn_vec3 *anchor)
{
    crn_random_solid *solid = crn_random_chance(s, 0.5) ? crn_random_bar(s) : crn_random_any(s);
    if (solid == NULL) {
        return;
    }
    keep_links_apart(s, solid);
    crn_vec3 point;
    if (!put_on(s, solid, parent, anchor, &point) && !s->has_overlaps) {
        crn_random_keep_apart(solid, 0, 0); /* it would overlap: let it touch nothing */
    }
    crn_random_add(s, solid, crn_random_velocity(s));
    crn_random_join(s, parent != NULL ? parent->body : -1, solid, point, true);
}

/* A body that floats, with or without a joint in a tree that says so. */
static void add_root(crn_random_scene *s)
{
    crn_random_solid *solid = crn_random_any(s);
    if (solid == NULL) {
        return;
    }
    keep_links_apart(s, solid);
    crn_random_put_near(s, solid);
    crn_random_add(s, solid, crn_random_velocity(s));
    if (!s->is_planar && crn_random_chance(s, 0.2)) {
        crn_joint_def def = crn_joint_def_default();
        def.kind = CRN_JOINT_FREE;
        def.b = solid->body;
        def.in_tree = true;
        crn_build_joint(&s->b, &def);
    }
}

void crn_random_grow(crn_random_scene *s, int links, const crn_vec3 *anchor)
{
    int first = s->solids;
    bool is_chain = crn_random_chance(s, 0.6);
    if (anchor == NULL) {
        add_root(s);
    }
    while (s->solids < first + links && s->solids < CRN_RANDOM_SOLIDS) {
        bool has_parent = s->solids > first;
        int parent = has_parent ? is_chain ? s->solids - 1 : crn_random_count(s, first, s->solids - 1) : -1;
        add_link(s, has_parent ? &s->solid[parent] : NULL, anchor);
    }
}

/* --- Four-bars --- */

/* The point at distances rp and rq of p and q, left of the way from p to q, in the plane z = 0. */
static crn_vec3 crossing(crn_vec3 p, double rp, crn_vec3 q, double rq)
{
    double dx = q.x - p.x, dy = q.y - p.y, d = hypot(dx, dy);
    double along = (d * d + rp * rp - rq * rq) / (2.0 * d), across = sqrt(rp * rp - along * along);
    return (crn_vec3){p.x + (along * dx - across * dy) / d, p.y + (along * dy + across * dx) / d, 0.0};
}

static crn_random_solid *add_rod(crn_random_scene *s, crn_vec3 p, crn_vec3 q)
{
    crn_random_solid *rod = crn_random_rod(s, p, q);
    if (rod != NULL) {
        crn_random_keep_apart(rod, link_group, ~link_group);
        crn_random_add(s, rod, crn_random_velocity(s));
    }
    return rod;
}

/* A hinge of the four-bar: its axis is the normal of the plane, tilted a little. */
static void pin(crn_random_scene *s, int a, const crn_random_solid *b, crn_vec3 point, crn_quat plane, bool is_link)
{
    double way = s->is_planar ? 0.0 : crn_random_between(s, -3.1416, 3.1416);
    crn_quat tilt = {cos(0.5 * s->tilt), sin(0.5 * s->tilt) * cos(way), sin(0.5 * s->tilt) * sin(way), 0.0};
    crn_quat upright = {1.0, 0.0, 0.0, 0.0};
    crn_pose at = {point, s->is_planar ? upright : crn_build_multiply(plane, tilt)};
    crn_random_join_by(s, CRN_JOINT_HINGE, a, b, at, is_link);
}

void crn_random_four_bar(crn_random_scene *s)
{
    double unit = fmin(1.0, 2.0 * s->size), angle = crn_random_between(s, -3.1416, 3.1416);
    crn_quat plane = s->is_planar ? (crn_quat){1.0, 0.0, 0.0, 0.0} : crn_random_turn(s);
    crn_vec3 pin_at[4] = {{0.0, 0.0, 0.0}, {0.4 * unit * cos(angle), 0.4 * unit * sin(angle), 0.0}};
    pin_at[3] = (crn_vec3){unit, 0.0, 0.0};
    pin_at[2] = crossing(pin_at[1], 1.2 * unit, pin_at[3], 0.9 * unit);
    for (int i = 0; i < 4; ++i) {
        crn_vec3 turned = crn_build_rotate(plane, pin_at[i]);
        pin_at[i] = crn_random_axpy(turned, 3.0 * unit, crn_random_up(s)); /* above the ground */
    }
    crn_random_solid *crank = add_rod(s, pin_at[0], pin_at[1]), *coupler = add_rod(s, pin_at[1], pin_at[2]);
    crn_random_solid *rocker = add_rod(s, pin_at[3], pin_at[2]);
    if (crank == NULL || coupler == NULL || rocker == NULL) {
        return;
    }
    pin(s, -1, crank, pin_at[0], plane, true);
    pin(s, crank->body, coupler, pin_at[1], plane, true);
    pin(s, coupler->body, rocker, pin_at[2], plane, true);
    pin(s, -1, rocker, pin_at[3], plane, false);
}

/* --- Bridges --- */

void crn_random_bridge(crn_random_scene *s)
{
    int links = crn_random_count(s, 2, 8);
    crn_vec3 up = crn_random_up(s), right = {1.0, 0.0, 0.0};
    double piece = fmin(1.0, s->size), slack = crn_random_chance(s, 0.3) ? 0.0 : crn_random_between(s, 0.05, 0.5);
    crn_vec3 at = crn_random_axpy((crn_vec3){-0.5 * piece * links, 0.0, 0.0}, 2.0 * piece * links, up);
    crn_random_solid *before = NULL;
    crn_joint_kind kind = s->is_planar || crn_random_chance(s, 0.3) ? CRN_JOINT_HINGE : CRN_JOINT_BALL;
    crn_quat level = {sqrt(0.5), sqrt(0.5), 0.0, 0.0}, upright = {1.0, 0.0, 0.0, 0.0}; /* hinges across the bridge */
    crn_quat frame = s->is_planar ? upright : level;
    for (int i = 0; i < links; ++i) { /* down, then up again, by the slack */
        double slope = slack * (i < (links + 1) / 2 ? -1.0 : 1.0);
        crn_vec3 next = crn_random_axpy(crn_random_axpy(at, piece, right), piece * slope, up);
        crn_random_solid *rod = add_rod(s, at, next);
        if (rod == NULL) {
            break;
        }
        crn_random_join_by(s, kind, before != NULL ? before->body : -1, rod, (crn_pose){at, frame}, true);
        before = rod;
        at = next;
    }
    if (before != NULL) {
        crn_random_join_by(s, kind, -1, before, (crn_pose){at, frame}, false);
    }
}
