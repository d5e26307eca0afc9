/* A random world: settings first, then a theme, then what acts from outside. */
#include "random_world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "random_parts.h"

/* --- Themes --- */

/* How many free bodies: most worlds have few. */
static int bodies(crn_random_scene *s)
{
    return crn_random_chance(s, 0.1) ? crn_random_count(s, 9, 20) : crn_random_count(s, 1, 8);
}

/* Anything, near one another. */
static void pile(crn_random_scene *s)
{
    for (int i = bodies(s); i > 0; --i) {
        crn_random_solid *solid = crn_random_any(s);
        if (solid != NULL) {
            crn_random_put_near(s, solid);
            crn_random_add(s, solid, crn_random_velocity(s));
        }
    }
}

/* Blocks on one another, at rest or nearly; heavy above light or the other way round. */
static void stack(crn_random_scene *s)
{
    int count = crn_random_count(s, 1, 8), order = crn_random_count(s, 0, 2);
    double gap = crn_random_chance(s, 0.6) ? 0.0 : s->size * crn_random_log(s, 1e-8, 1e-1);
    double lean = crn_random_chance(s, 0.5) ? 0.0 : crn_random_between(s, 0.0, 0.4);
    double ratio = crn_random_log(s, 1.0, s->mass_high / s->mass_low);
    crn_vec3 rest = {0.0, 0.0, 0.0};
    if (s->has_overlaps && crn_random_chance(s, 0.5)) {
        gap = -s->size * crn_random_log(s, 1e-6, 0.3);
    }
    s->spin = crn_random_chance(s, 0.8) ? 0.0 : 0.1 * s->spin;
    for (int i = 0; i < count; ++i) {
        crn_random_solid *solid = crn_random_block(s);
        if (solid == NULL) {
            return;
        }
        double share = count > 1 ? (double)i / (count - 1) : 0.0;
        if (order < 2) {
            solid->mass = s->mass_low * pow(ratio, order == 0 ? share : 1.0 - share);
        }
        crn_random_put_above(s, solid, gap);
        solid->pose.position.x += lean * s->size * (i % 2 == 0 ? 0.5 : -0.5);
        crn_random_add(s, solid, rest);
    }
}

/* Bars that come down with a corner first. */
static void bars(crn_random_scene *s)
{
    crn_vec3 up = crn_random_up(s);
    for (int i = crn_random_count(s, 1, 5); i > 0; --i) {
        crn_random_solid *bar = crn_random_bar(s);
        if (bar != NULL) {
            crn_random_put_near(s, bar);
            crn_random_add(s, bar, crn_random_axpy(crn_random_velocity(s), -s->speed, up));
        }
    }
}

/* Bodies that fly at one another. */
static void bullets(crn_random_scene *s)
{
    crn_vec3 middle = crn_random_axpy((crn_vec3){0.0, 0.0, 0.0}, 6.0 * s->size, crn_random_up(s));
    for (int i = crn_random_count(s, 2, 7); i > 0; --i) {
        crn_random_solid *solid = crn_random_any(s);
        if (solid == NULL) {
            return;
        }
        crn_random_put_near(s, solid);
        if (s->solids > 0 && crn_random_chance(s, 0.5)) {
            middle = s->solid[crn_random_count(s, 0, s->solids - 1)].pose.position;
        }
        crn_vec3 aim = crn_random_toward(solid->pose.position, middle), still = {0.0, 0.0, 0.0};
        crn_random_add(s, solid, crn_random_axpy(still, crn_random_between(s, 0.0, s->speed), aim));
    }
}

/* Round bodies on the ground that roll and slide. */
static void rollers(crn_random_scene *s)
{
    crn_vec3 up = crn_random_up(s);
    for (int i = crn_random_count(s, 1, 4); i > 0; --i) {
        crn_random_solid *solid = crn_random_round(s);
        if (solid == NULL) {
            return;
        }
        solid->pose.position.x = 3.6 * s->size * (i - 2.5); /* clear of one another and of walls */
        crn_random_put_beside(s, solid, NULL, up, 0.0);
        crn_vec3 velocity = crn_random_velocity(s);
        crn_random_add(s, solid, crn_random_axpy(velocity, -crn_random_dot(velocity, up), up));
    }
}

/* Links that hang on the world. */
static void hanging(crn_random_scene *s)
{
    int links = crn_random_count(s, 1, 8);
    crn_vec3 anchor =
        crn_random_axpy((crn_vec3){0.0, 0.0, 0.0}, s->size * crn_random_between(s, 2.0, 3.0 + links), crn_random_up(s));
    crn_random_grow(s, links, &anchor);
}

/* A mechanism that nothing holds. */
static void floating(crn_random_scene *s)
{
    crn_random_grow(s, crn_random_count(s, 2, 8), NULL);
}

/* Links and loose bodies. */
static void mixed(crn_random_scene *s)
{
    floating(s);
    for (int i = crn_random_count(s, 1, 5); i > 0; --i) {
        crn_random_solid *solid = crn_random_any(s);
        if (solid != NULL) {
            crn_random_put_near(s, solid);
            crn_random_add(s, solid, crn_random_velocity(s));
        }
    }
}

typedef struct theme {
    const char *name;
    void (*make)(crn_random_scene *s);
    double share;    /* of all worlds */
    bool has_ground; /* always */
} theme;

static const theme themes[] = {{"pile", pile, 0.24, false},
                               {"stack", stack, 0.14, true},
                               {"bars", bars, 0.10, true},
                               {"bullets", bullets, 0.10, false},
                               {"rollers", rollers, 0.08, true},
                               {"hanging", hanging, 0.10, false},
                               {"floating", floating, 0.08, false},
                               {"mixed", mixed, 0.06, false},
                               {"four-bar", crn_random_four_bar, 0.05, false},
                               {"bridge", crn_random_bridge, 0.05, false}};
enum { THEMES = (int)(sizeof themes / sizeof *themes) };

int crn_random_theme_count(void)
{
    return THEMES;
}

const char *crn_random_theme_name(int i)
{
    return i >= 0 && i < THEMES ? themes[i].name : NULL;
}

static const theme *choose_theme(crn_random_scene *s)
{
    double at = crn_random_between(s, 0.0, 1.0);
    int i = 0;
    while (i + 1 < THEMES && at >= themes[i].share) {
        at -= themes[i].share;
        ++i;
    }
    return &themes[i];
}

/* --- Settings --- */

static void choose_world(crn_random_scene *s)
{
    const double g = 9.81;
    double dt = crn_random_log(s, 1e-4, 2e-2);
    crn_world_def *world = crn_build_world(&s->b, s->is_planar, dt, 100.0 * dt);
    double tilt = crn_random_chance(s, 0.2) ? crn_random_between(s, 0.0, 0.6) : 0.0;
    crn_vec3 down =
        s->is_planar ? (crn_vec3){g * sin(tilt), -g * cos(tilt), 0.0} : (crn_vec3){g * sin(tilt), 0.0, -g * cos(tilt)};
    crn_vec3 none = {0.0, 0.0, 0.0};
    world->gravity = crn_random_chance(s, 0.85) ? down : none;
    world->friction_rule = (crn_friction_rule)crn_random_count(s, 0, CRN_FRICTION_RULE_COUNT - 1);
}

/* One value for all shapes, or a value of its own for each: then -1. */
static double one_or_mixed(crn_random_scene *s, double none, double mixed, double most)
{
    double at = crn_random_between(s, 0.0, 1.0), value = crn_random_between(s, 0.0, most);
    if (at < none) {
        return 0.0;
    }
    return at < none + mixed ? -1.0 : value;
}

static void choose_bodies(crn_random_scene *s)
{
    bool is_even = crn_random_chance(s, 0.4); /* masses of one decade */
    s->size = crn_random_log(s, 0.01, 0.7);
    s->mass_low = is_even ? crn_random_log(s, 1e-4, 1e3) : 1e-4;
    s->mass_high = is_even ? 10.0 * s->mass_low : 1e4;
    s->speed = crn_random_chance(s, 0.25) ? 0.0 : crn_random_log(s, 0.01, 100.0);
    s->spin = crn_random_chance(s, 0.4) ? 0.0 : crn_random_log(s, 0.1, 100.0);
    s->friction = one_or_mixed(s, 0.15, 0.35, 2.0);
    s->restitution = one_or_mixed(s, 0.5, 0.25, 1.0);
    if (s->restitution > 0.0 && crn_random_chance(s, 0.2)) {
        s->restitution = 1.0;
    }
    s->has_overlaps = crn_random_chance(s, 0.12);
}

static void choose_joints(crn_random_scene *s)
{
    s->has_motors = crn_random_chance(s, 0.15);
    s->has_springs = crn_random_chance(s, 0.5);
    s->doubled = crn_random_chance(s, 0.1) ? 0.3 : 0.0;
    s->tilt = crn_random_chance(s, 0.4) ? 0.0 : crn_random_log(s, 1e-8, 1e-2);
    s->is_aloof = crn_random_chance(s, 0.5);
    s->hold = (crn_random_hold)crn_random_count(s, 0, 3);
}

static void make(crn_random_scene *s, const theme *t)
{
    if (t->has_ground || crn_random_chance(s, 0.75)) {
        crn_random_ground(s);
    }
    t->make(s);
    if (crn_random_chance(s, 0.12)) {
        crn_random_paddle(s);
    }
    if (crn_random_chance(s, 0.10)) {
        crn_random_loads(s);
    }
}

crn_status crn_random_world(uint64_t seed, crn_model *model, crn_error *error)
{
    char name[64];
    crn_random_scene *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return crn_fail(error, CRN_ERR_MEMORY, "random world: no memory");
    }
    s->b = crn_build_begin(model, error);
    s->random = crn_random_seed(seed);
    s->is_planar = crn_random_chance(s, 0.35);
    const theme *t = choose_theme(s);
    choose_world(s);
    choose_bodies(s);
    choose_joints(s);
    make(s, t);
    (void)snprintf(name, sizeof name, "random %llu %s", (unsigned long long)seed, t->name);
    crn_status status = s->b.status == CRN_OK ? crn_model_set_name(model, name, error) : s->b.status;
    free(s);
    return status;
}
