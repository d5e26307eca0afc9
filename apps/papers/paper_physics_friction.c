/* Coulomb's law: what rests, rests; what slides, slides as it should, whatever the heading. Scenes of gallery/world_friction.c. */
#include "paper_physics.h"

#include <math.h>

static const double slope = SCENE_PI / 6.0;
static const double h = 0.01; /* [s] */
enum { BOX = 1 };             /* body 0 is what it stands on */

/* --- Incline --- */

static crn_world *incline(paper *p, bool is_planar, crn_contact_cone cone, double heading, double factor)
{
    crn_gallery_incline def = {.is_planar = is_planar, .angle = slope, .heading = heading, .factor = factor};
    crn_model *model = scene_model(p);
    bool is_filled = model && crn_gallery_incline_of(model, &def, &p->error) == CRN_OK;
    if (is_filled) {
        crn_model_world(model)->cone = cone;
    }
    return scene_world(p, model, is_filled);
}

/* Fastest speed of the box in 2 s, the first 0.1 s left out. */
static bool find_creep(paper *p, bool is_planar, double heading, double *creep)
{
    crn_world *world = incline(p, is_planar, CRN_CONE_ROUND, heading, 1.02);
    bool ok = world && scene_run(p, world, h, 10);
    for (int k = 10; k < 200 && ok; ++k) {
        ok = scene_step(p, world, h, NULL);
        *creep = fmax(*creep, scene_length(scene_velocity(world, BOX).linear));
    }
    crn_world_destroy(world);
    return ok;
}

static bool incline_rests(paper *p, physics_answer *answer)
{
    double plane = 0.0, space = 0.0;
    bool ok = find_creep(p, true, 0.0, &plane);
    for (int degrees = 0; degrees <= 45 && ok; degrees += 15) {
        ok = find_creep(p, false, degrees * SCENE_PI / 180.0, &space);
    }
    return ok && physics_got(answer, fmax(plane, space) <= 1e-10, "%.1g m/s (2D: %.1g)", space, plane);
}

static double sliding_acceleration(void)
{
    return SCENE_G * (sin(slope) - 0.95 * tan(slope) * cos(slope));
}

/* Largest relative error of v / t over a second: the scheme's velocity grows by h a in every step. */
static bool find_slide(paper *p, bool is_planar, crn_contact_cone cone, double heading, double *off)
{
    crn_world *world = incline(p, is_planar, cone, heading, 0.95);
    bool ok = world != NULL;
    for (int k = 1; k <= 100 && ok; ++k) {
        ok = scene_step(p, world, h, NULL);
        double a = scene_length(scene_velocity(world, BOX).linear) / (k * h);
        *off = fmax(*off, fabs(a / sliding_acceleration() - 1.0));
    }
    crn_world_destroy(world);
    return ok;
}

static bool incline_slides(paper *p, physics_answer *answer)
{
    double exact = 0.0, round = 0.0;
    bool ok = find_slide(p, true, CRN_CONE_POLYGON, 0.0, &exact);
    for (int degrees = 0; degrees <= 45 && ok; degrees += 15) {
        double heading = degrees * SCENE_PI / 180.0;
        ok = find_slide(p, false, CRN_CONE_POLYGON, heading, &exact) &&
             find_slide(p, false, CRN_CONE_ROUND, heading, &round);
    }
    return ok && physics_got(answer, exact <= 1e-9 && round <= 1e-7, "off by %.1g (round cone: %.1g)", exact, round);
}

/* --- Push --- */

static bool push(paper *p, double force, double heading, crn_contact_cone cone, double *speed)
{
    crn_model *model = scene_model(p);
    bool is_filled = model && crn_gallery_push_of(model, force, heading, &p->error) == CRN_OK;
    if (is_filled) {
        crn_model_world(model)->cone = cone;
    }
    crn_world *world = scene_world(p, model, is_filled);
    bool ok = world && scene_run(p, world, h, 50);
    *speed = ok ? scene_length(scene_velocity(world, BOX).linear) : NAN;
    crn_world_destroy(world);
    return ok;
}

static bool push_rests(paper *p, physics_answer *answer)
{
    double speed;
    return push(p, 4.90, 0.0, CRN_CONE_ROUND, &speed) && physics_got(answer, speed <= 1e-9, "%.1g m/s", speed);
}

static bool push_moves(paper *p, physics_answer *answer)
{
    double speed, right = 0.5 * (4.91 - 4.905);
    return push(p, 4.91, 0.0, CRN_CONE_ROUND, &speed) &&
           physics_got(answer, fabs(speed - right) <= 1e-8, "%.4f mm/s", 1e3 * speed);
}

/* The least force that moves the box, by bisection: it moves if it gains more than 1e-7 m/s^2. */
static bool find_threshold(paper *p, double heading, crn_contact_cone cone, double *force)
{
    double rests = 4.5, moves = 5.5, speed;
    bool ok = true;
    while (moves - rests > 1e-7 && ok) {
        *force = 0.5 * (rests + moves);
        ok = push(p, *force, heading, cone, &speed);
        *(speed > 0.5e-7 ? &moves : &rests) = *force;
    }
    return ok;
}

static bool push_any_heading(paper *p, physics_answer *answer)
{
    double off[2] = {0.0, 0.0}, force = 0.0;
    bool ok = true;
    for (int degrees = 0; degrees <= 90 && ok; degrees += p->is_quick ? 45 : 18) {
        for (int cone = 0; cone < 2 && ok; ++cone) {
            ok = find_threshold(p, degrees * SCENE_PI / 180.0, (crn_contact_cone)cone, &force);
            off[cone] = fmax(off[cone], fabs(force - 0.5 * SCENE_G));
        }
    }
    return ok && physics_got(answer, fmax(off[0], off[1]) <= 1e-6, "4.905 N to %.1g N (polygon along the slip: %.1g)",
                             off[CRN_CONE_ROUND], off[CRN_CONE_POLYGON]);
}

/* --- Launch --- */

static const double launch_h = 0.005, launch_way = 36.0 / SCENE_G;

typedef struct launch {
    double lift, aside, way;
} launch;

static bool run_launch(paper *p, double heading, launch *found)
{
    crn_model *model = scene_model(p);
    crn_world *world = scene_world(p, model, model && crn_gallery_launch_of(model, heading, &p->error) == CRN_OK);
    bool ok = world != NULL;
    for (int k = 0; k < 400 && ok; ++k) {
        ok = scene_step(p, world, launch_h, NULL);
        crn_vec3 x = scene_pose(world, BOX).position;
        found->lift = fmax(found->lift, fabs(x.z - 0.05));
        found->aside = fmax(found->aside, fabs(x.y * cos(heading) - x.x * sin(heading)));
        found->way = x.x * cos(heading) + x.y * sin(heading);
    }
    crn_world_destroy(world);
    return ok;
}

/* Second order: but for the step in which it stops the way is exact. */
static bool launch_stops(paper *p, physics_answer *answer)
{
    double off = 0.0, lift = 0.0, aside = 0.0, way = 0.0;
    bool ok = true;
    for (int degrees = 0; degrees <= 30 && ok; degrees += 15) {
        launch found = {0.0, 0.0, 0.0};
        ok = run_launch(p, degrees * SCENE_PI / 180.0, &found);
        off = fmax(off, fabs(found.way - launch_way));
        lift = fmax(lift, found.lift);
        aside = fmax(aside, found.aside);
        way = found.way;
    }
    bool is_right = off <= launch_h * launch_h * SCENE_G && fmax(lift, aside) <= 1e-9;
    return ok &&
           physics_got(answer, is_right, "%.4f m, right to %.1g m; lifts %.1g m, %.1g m aside", way, off, lift, aside);
}

/* --- Held --- */

static bool wall_holds(paper *p, physics_answer *answer)
{
    crn_world *world = scene_named(p, "wall");
    crn_vec3 force = {NAN, NAN, NAN}, start = {NAN, NAN, NAN};
    if (world) {
        start = scene_pose(world, BOX).position;
    }
    bool ok = world && scene_run(p, world, h, 200);
    double way = ok ? scene_distance(scene_pose(world, BOX).position, start) : NAN;
    ok = ok && crn_body_contact_force(world, crn_world_body(world, BOX + 1), &force, NULL) == CRN_OK;
    crn_world_destroy(world);
    bool is_right = way <= 1e-8 && fabs(force.z - SCENE_G) <= 1e-6;
    return ok && physics_got(answer, is_right, "%.1g m in 2 s; friction %.6f N", way, force.z);
}

static bool pinch_holds(paper *p, physics_answer *answer)
{
    double way = 0.0;
    bool ok = true;
    for (int i = 0; i < 10 && ok; ++i) {
        crn_model *model = scene_model(p);
        bool is_filled = model && crn_gallery_pinch_of(model, 12.0 + 12.0 * (i % 5), i < 5, &p->error) == CRN_OK;
        crn_world *world = scene_world(p, model, is_filled);
        ok = world && scene_run(p, world, h, 200);
        way = ok ? fmax(way, scene_length(scene_pose(world, 0).position)) : way;
        crn_world_destroy(world);
    }
    return ok && physics_got(answer, way <= 1e-9, "%.1g m in 2 s", way);
}

/* --- The group --- */

static const physics_case cases[] = {
    {"box on a slope of 30\u00b0, \u03bc = 1.02 tan: speed", "incline-rest", "rests: no creep at all",
     "at most 1e-10 m/s", incline_rests},
    {"the same, \u03bc = 0.95 tan: acceleration", "incline-slide", "g (sin \u2212 \u03bc cos) = 0.2453 m/s\u00b2",
     "within 1e-9, round cones 1e-7", incline_slides},
    {"1 kg, \u03bc = 0.5, pushed with 4.90 N (limit 4.905): speed after 0.5 s", "push-rest", "rests",
     "at most 1e-9 m/s", push_rests},
    {"the same with 4.91 N", "push-move", "2.5 mm/s", "within 1e-8 m/s", push_moves},
    {"least push that moves it, any heading", "push-rest", "4.905 N", "within 1e-6 N", push_any_heading},
    {"cube of 0.1 m from 6 m/s, \u03bc = 0.5, h = 5 ms, three headings", "launch",
     "stops after v\u00b2 / (2 \u03bc g) = 3.6697 m, straight, without lifting",
     "within h\u00b2 g; 1e-9 m aside and up", launch_stops},
    {"1 kg pressed to a wall with 20 N, \u03bc = 1", "wall", "holds; friction = weight = 9.81 N",
     "at most 1e-8 m; within 1e-6 N", wall_holds},
    {"capsule of 45 g pinched with 12 to 60 N, \u03bc = 0.7, upright and level", "pinch", "does not sink",
     "at most 1e-9 m", pinch_holds},
};

const physics_group physics_friction = {"One run per figure, steps of 10 ms if not said, every step solved and "
                                        "certified to 1e-8 or the row is broken. The figure is the worst over the "
                                        "headings 0 to 45\u00b0 (thresholds: 0 to 90\u00b0, bisection to 1e-7 N) "
                                        "and over all steps. Friction polygons have a corner along the slip.",
                                        cases, sizeof cases / sizeof cases[0]};

/* --- Plot --- */

enum { SHOWN = 100 };

static bool speeds_on_slope(paper *p, double factor, double *time, double *speed)
{
    crn_world *world = incline(p, false, CRN_CONE_ROUND, 0.0, factor);
    bool ok = world != NULL;
    for (int k = 0; k < SHOWN && ok; ++k) {
        ok = scene_step(p, world, h, NULL);
        time[k] = (k + 1) * h;
        speed[k] = scene_length(scene_velocity(world, BOX).linear);
    }
    crn_world_destroy(world);
    return ok;
}

bool physics_plot_friction(paper *p)
{
    double time[SHOWN], rest[SHOWN], slide[SHOWN], ends[2] = {0.0, SHOWN * h};
    double right[2] = {0.0, SHOWN * h * sliding_acceleration()};
    if (!speeds_on_slope(p, 1.02, time, rest) || !speeds_on_slope(p, 0.95, time, slide)) {
        return false;
    }
    cli_series series[3] = {
        {.name = "\u03bc = 0.95 tan", .x = time, .y = slide, .count = SHOWN, .color = 1, .is_plain = true},
        {.name = "\u03bc = 1.02 tan", .x = time, .y = rest, .count = SHOWN, .color = 2, .is_plain = true},
        {.name = "g (sin \u2212 \u03bc cos) t", .x = ends, .y = right, .count = 2, .color = 0, .is_dashed = true}};
    cli_plot plot = {.title = "A box on a slope of 30\u00b0",
                     .x_label = "time [s]",
                     .y_label = "speed [m/s]",
                     .series = series,
                     .count = 3};
    paper_plot(p, "incline", &plot,
               "Two per cent above the limit of friction nothing moves; five per cent below it the box slides with "
               "the acceleration of Coulomb\u2019s law, hollow marks.");
    return true;
}
