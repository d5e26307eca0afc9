/* What stands, and what hits: tables, stacks, mass ratios; balls, boxes on hinges. Scenes of gallery/world_table.c,
 * world_stacks.c and world_collisions.c. */
#include "paper_physics.h"

#include <math.h>

static const double h = 0.01; /* [s] */

/* --- Tables --- */

static bool look_at_legs(paper *p, const crn_gallery_table *table, double *off)
{
    const double right = 24.0 * SCENE_G / table->legs;
    crn_model *model = scene_model(p);
    crn_world *world = scene_world(p, model, model && crn_gallery_table_of(model, table, &p->error) == CRN_OK);
    bool ok = world && scene_run(p, world, h, 50);
    int contacts = 0;
    const crn_contact *contact = ok ? crn_world_contacts(world, &contacts) : NULL;
    *off = contacts == table->legs ? *off : INFINITY;
    for (int i = 0; i < contacts; ++i) {
        *off = fmax(*off, fabs(fabs(contact[i].impulse.z) / h / right - 1.0));
    }
    crn_world_destroy(world);
    return ok;
}

static bool tables(paper *p, physics_answer *answer)
{
    double off = 0.0;
    bool ok = true;
    crn_random random = crn_random_seed(4);
    for (int legs = 4; legs <= 8; legs += 2) {
        int order[8] = {0, 1, 2, 3, 4, 5, 6, 7};
        for (int shuffle = 0; shuffle < 4 && ok; ++shuffle) {
            ok = look_at_legs(p, &(crn_gallery_table){legs, order, shuffle % 2 == 1}, &off);
            for (int i = legs - 1; i > 0; --i) {
                int j = crn_random_below(&random, i + 1), kept = order[i];
                order[i] = order[j];
                order[j] = kept;
            }
        }
    }
    return ok && physics_got(answer, off <= 1e-8, "off by %.1g of a share", off);
}

/* --- Stacks --- */

typedef struct standing {
    double way, overlap; /* of the top; deepest [m] */
} standing;

static bool stand(paper *p, const crn_gallery_stack *stack, double seconds, standing *found)
{
    crn_model *model = scene_model(p);
    crn_world *world = scene_world(p, model, model && crn_gallery_stack_of(model, stack, &p->error) == CRN_OK);
    bool ok = world != NULL;
    crn_vec3 start = {0.0, 0.0, 0.0};
    if (ok) {
        start = scene_pose(world, stack->boxes).position;
    }
    for (int k = 0; k < (int)lround(seconds / h) && ok; ++k) {
        crn_step_stats stats = {0};
        ok = scene_step(p, world, h, &stats);
        found->overlap = fmax(found->overlap, stats.penetration);
        found->way = fmax(found->way, scene_distance(scene_pose(world, stack->boxes).position, start));
    }
    found->overlap = ok ? fmax(found->overlap, scene_overlap(world)) : found->overlap;
    crn_world_destroy(world);
    return ok;
}

static bool got_standing(physics_answer *answer, const standing *found)
{
    bool is_right = found->way <= 1e-4 && found->overlap <= 1e-7;
    return physics_got(answer, is_right, "top moves by %.1g m, overlap %.1g m", found->way, found->overlap);
}

static bool mass_ratios(paper *p, physics_answer *answer)
{
    standing found = {0.0, 0.0};
    bool ok = true;
    for (double ratio = 1.0; ratio < 2e4 && ok; ratio *= 10.0) {
        ok = stand(p, &(crn_gallery_stack){.boxes = 2, .mass = 1.0, .mass_ratio = ratio}, 5.0, &found);
    }
    return ok && got_standing(answer, &found);
}

static bool stacks(paper *p, physics_answer *answer)
{
    static const int boxes[3] = {10, 30, 100};
    standing found = {0.0, 0.0};
    bool ok = true;
    for (int i = 0; i < 3 && ok; ++i) {
        crn_gallery_stack stack = {.boxes = boxes[i], .mass = 1.0, .mass_ratio = 1.0};
        ok = stand(p, &stack, p->is_quick ? 1.0 : 10.0, &found);
    }
    return ok && got_standing(answer, &found);
}

static const physics_case standing_cases[] = {
    {"tables on four, six, eight legs: load of a leg", "table-4, table-6, table-8", "an equal share each, in any order",
     "within 1e-8", tables},
    {"1 to 10\u2074 kg on 1 kg, 5 s", "heavy-on-light", "stands; overlap of order h\u00b2", "1e-4 m; overlap 1e-7 m",
     mass_ratios},
    {"stacks of 10, 30, 100 boxes, 10 s (quick: 1 s)", "stack-10, stack-30, stack-100", "stand still",
     "1e-4 m; overlap 1e-7 m", stacks},
};

const physics_group physics_support = {
    "One run per figure, steps of 10 ms, every step solved and certified to 1e-8 or the row is broken; the worst of "
    "all runs and steps. Legs: forces after 0.5 s in four orders of legs and bodies. Overlap: the deepest at any "
    "step\u2019s end.",
    standing_cases, sizeof standing_cases / sizeof standing_cases[0]};

/* --- Balls --- */

static bool two_balls(paper *p, physics_answer *answer)
{
    crn_world *world = scene_named(p, "two-balls");
    bool ok = world && scene_run(p, world, h, 100);
    double first = ok ? scene_velocity(world, 0).linear.x : NAN, second = ok ? scene_velocity(world, 1).linear.x : NAN;
    crn_world_destroy(world);
    return ok && physics_got(answer, fabs(first) <= 1e-12 && fabs(second - 1.0) <= 1e-12, "%.15g and %.15g m/s", first,
                             second);
}

/* Height of the first rise of a ball that fell from 1 m. */
static bool bounce_peak(paper *p, double e, double dt, double *peak)
{
    crn_model *model = scene_model(p);
    crn_world *world = scene_world(p, model, model && crn_gallery_bounce_of(model, e, 1.0, &p->error) == CRN_OK);
    bool ok = world != NULL, has_hit = false, is_rising = false;
    *peak = 0.0;
    while (ok && (!has_hit || is_rising)) {
        ok = scene_step(p, world, dt, NULL) && crn_world_time(world) < 10.0;
        is_rising = ok && scene_velocity(world, 1).linear.z > 0.0;
        has_hit = has_hit || is_rising;
        *peak = has_hit && ok ? fmax(*peak, scene_pose(world, 1).position.z - 0.1) : 0.0;
    }
    crn_world_destroy(world);
    return ok;
}

/* The speed at the floor is off by up to g h / 2, and a rise at speed v falls short by h v / 2. */
static bool bounce(paper *p, physics_answer *answer)
{
    const double e = 0.8, dt = 0.001, speed = sqrt(2.0 * SCENE_G);
    double peak, within = 0.5 * dt * speed * e * (1.0 + e) + SCENE_G * dt * dt;
    return bounce_peak(p, e, dt, &peak) &&
           physics_got(answer, fabs(peak - e * e) <= within, "%.4f m (h = 1 ms; h v / 2 = %.4f m)", peak,
                       0.5 * dt * speed * e);
}

/* --- Boxes on hinges --- */

/* Equal inertias: after the hit the spins are (1 -+ e) / 2 of the first one's. */
static bool hinged(paper *p, physics_answer *answer)
{
    double off = 0.0;
    int fewest = 1000;
    bool ok = true;
    for (int i = 0; i < 3 && ok; ++i) {
        const double e[3] = {0.0, 0.4, 1.0}, spin = -1.0;
        crn_gallery_hinged def = {.spin = spin, .restitution = e[i]};
        crn_model *model = scene_model(p);
        bool is_filled = model && crn_gallery_hinged_boxes_of(model, &def, &p->error) == CRN_OK;
        if (is_filled) {
            crn_model_world(model)->joint_tolerance =
                0.0; /* the law of the step alone, without closing hinges after it */
        }
        crn_world *world = scene_world(p, model, is_filled);
        crn_step_stats stats = {0};
        ok = world && scene_step(p, world, h, &stats);
        if (ok) {
            off = fmax(off, fabs(scene_velocity(world, 0).angular.y - 0.5 * (1.0 - e[i]) * spin));
            off = fmax(off, fabs(scene_velocity(world, 1).angular.y - 0.5 * (1.0 + e[i]) * spin));
            fewest = stats.contacts < fewest ? stats.contacts : fewest;
        }
        crn_world_destroy(world);
    }
    return ok && physics_got(answer, off <= 0.06 * h && fewest == 10, "off by %.1g rad/s, %d contacts", off, fewest);
}

static const physics_case hit_cases[] = {
    {"elastic hit of two equal balls", "two-balls", "velocities swap: 0 and 1 m/s", "within 1e-12 m/s", two_balls},
    {"ball from 1 m, restitution 0.8: height", "bounce", "e\u00b2 = 0.64 m", "within 0.5 h v e (1 + e)", bounce},
    {"two boxes on parallel hinges collide, restitution 0, 0.4, 1: spins", "hinged-boxes",
     "(1 \u2213 e) / 2 of the first one\u2019s; momentum kept, 10 contacts",
     "within 0.06 h w: they turn in the step of the hit", hinged},
};

const physics_group physics_hits = {"One run per figure, steps of 10 ms (ball: 1 ms), every step solved or the row "
                                    "is broken; the worst of all runs. Hits: velocities after the step that has the "
                                    "hit.",
                                    hit_cases, sizeof hit_cases / sizeof hit_cases[0]};
