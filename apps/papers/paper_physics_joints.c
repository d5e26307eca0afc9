/* Bodies on joints, on nothing, and a rod that jams. Scenes of gallery/world_linkages.c, world_pendulum.c and world_rolling.c. */
#include "paper_physics.h"

#include <math.h>

static const double h = 0.01; /* [s] */

/* --- Closed loops --- */

static double angle_between(double a, double b)
{
    return fabs(remainder(a - b, 2.0 * SCENE_PI));
}

/* How far the rocker is from where circles round the pins cross, for the crank's angle. */
static double rocker_error(const crn_world *world)
{
    crn_gallery_four_bar start = crn_gallery_four_bar_at(0.5 * SCENE_PI);
    crn_gallery_four_bar now = crn_gallery_four_bar_at(0.5 * SCENE_PI + scene_coordinate(world, 0));
    double turned =
        atan2(now.rocker.y, now.rocker.x - now.base.x) - atan2(start.rocker.y, start.rocker.x - start.base.x);
    return angle_between(turned, scene_coordinate(world, 3));
}

static bool run_loop(paper *p, crn_world *world, int steps, double *worst)
{
    bool ok = world != NULL;
    for (int k = 0; k < steps && ok; ++k) {
        ok = scene_step(p, world, h, NULL);
        *worst = fmax(*worst, scene_joint_error(world));
    }
    return ok;
}

static bool four_bar(paper *p, physics_answer *answer)
{
    double worst = 0.0, rocker = NAN;
    crn_world *world = scene_named(p, "four-bar");
    bool ok = run_loop(p, world, p->is_quick ? 1000 : 6000, &worst);
    rocker = ok ? rocker_error(world) : rocker;
    crn_world_destroy(world);
    return ok &&
           physics_got(answer, worst <= 1e-6 && rocker <= 1e-5, "%.1g m, rad; rocker off by %.1g rad", worst, rocker);
}

enum { SHIN = 6, CRANK = 9 }; /* a body and a joint of the leg */

static double foot_error(const crn_world *world)
{
    crn_gallery_leg start = crn_gallery_leg_at(0.0), now = crn_gallery_leg_at(scene_coordinate(world, CRANK));
    crn_pose shin = scene_pose(world, SHIN);
    double angle = 2.0 * atan2(shin.rotation.z, shin.rotation.w), c = cos(angle), s = sin(angle);
    double x = start.foot.x - start.bottom.x, y = start.foot.y - start.bottom.y;
    crn_vec3 foot = {shin.position.x + c * x - s * y, shin.position.y + s * x + c * y, 0.0};
    return scene_distance(foot, now.foot);
}

static bool leg(paper *p, physics_answer *answer)
{
    double worst = 0.0, foot = 0.0;
    crn_world *world = scene_named(p, "leg");
    bool ok = world != NULL;
    for (int k = 0; k < 1000 && ok; ++k) {
        ok = scene_step(p, world, h, NULL);
        worst = fmax(worst, scene_joint_error(world));
        foot = fmax(foot, foot_error(world));
    }
    crn_world_destroy(world);
    return ok && physics_got(answer, worst <= 1e-6 && foot <= 1e-5, "%.1g m, rad; foot off by %.1g m", worst, foot);
}

/* --- Effective mass near 0 --- */

/* A row, or a contact (kind 1), so short that nothing can follow it, asked for 1 m/s. */
static bool is_short_row_reported(paper *p, int kind, bool *is_reported)
{
    const crn_contact_body body = {
        .kind = CRN_MASS_RIGID, .dof = 6, .mass = 1.0, .inertia = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    const double velocity[6] = {0, 0, 0, -1, 0, 0};
    const double jacobian[18] = {0, 0, 0, 1e-200};
    double impulse[3] = {0}, found[6] = {0}, row_impulse = 0.0;
    const crn_contact_row row = {.a = 0, .b = -1, .jacobian_a = jacobian, .offset = -1.0};
    const crn_contact_point point = {.a = 0, .b = -1, .jacobian_a = jacobian, .offset = {-1.0, 0, 0}};
    const crn_contact_problem problem = {1, kind, 1 - kind, &body, &point, &row, velocity};
    const crn_contact_solution solution = {.impulse = impulse, .velocity = found, .row_impulse = &row_impulse};
    crn_contact_result result;
    bool ok = crn_contact_solve(&problem, NULL, &p->work, &solution, &result, &p->error) == CRN_OK;
    *is_reported =
        ok && result.outcome != CRN_LCP_SOLVED && isfinite(impulse[0]) && isfinite(row_impulse) && isfinite(found[3]);
    return ok;
}

static bool short_row(paper *p, physics_answer *answer)
{
    bool is_row = false, is_contact = false;
    return is_short_row_reported(p, 0, &is_row) && is_short_row_reported(p, 1, &is_contact) &&
           physics_got(answer, is_row && is_contact, "row %s, contact %s", is_row ? "reported" : "NOT reported",
                       is_contact ? "reported" : "NOT reported");
}

static bool flywheel(paper *p, physics_answer *answer)
{
    double off = 0.0;
    bool ok = true;
    for (double inertia = 1.0; inertia < 1e16 && ok; inertia *= 1e5) {
        crn_vec3 torque = {NAN, NAN, NAN};
        crn_model *model = scene_model(p);
        bool is_filled = model && crn_gallery_flywheel_of(model, inertia, &p->error) == CRN_OK;
        if (is_filled) { /* where a motion is given, it has no first step with a torque */
            crn_model_world(model)->integrator = CRN_INTEGRATOR_HART;
        }
        crn_world *world = scene_world(p, model, is_filled);
        ok = world && scene_step(p, world, h, NULL) &&
             crn_joint_force(world, crn_world_joint(world, 1), NULL, &torque) == CRN_OK;
        off = ok ? fmax(off, fabs(scene_velocity(world, 0).angular.z - 1.0)) : off;
        off = ok ? fmax(off, fabs(torque.z * h / inertia - 1.0)) : off;
        crn_world_destroy(world);
    }
    return ok && physics_got(answer, off <= 1e-9, "speed and torque off by %.1g", off);
}

/* --- Nothing but inertia, and gravity --- */

static bool tumbling(paper *p, physics_answer *answer)
{
    int steps = p->is_quick ? 1000 : 6000;
    double turned = 0.0, energy = 0.0;
    crn_step_stats start = {0}, stats = {0};
    crn_world *world = scene_named(p, "tumbling");
    bool ok = world && scene_step(p, world, h, &start);
    double size = scene_length(start.angular_momentum);
    for (int k = 0; k < steps && ok; ++k) {
        ok = scene_step(p, world, h, &stats);
        turned = fmax(turned, scene_distance(stats.angular_momentum, start.angular_momentum) / size);
        energy = fmax(energy, fabs(stats.kinetic / start.kinetic - 1.0));
    }
    crn_world_destroy(world);
    const double rounding = 4.0 * 0x1p-52; /* of a step */
    bool is_right = turned <= steps * rounding && energy <= 2.0 * steps * rounding;
    return ok && physics_got(answer, is_right, "momentum turns by %.1g, energy %.1g", turned, energy);
}

enum { SIZES = 5 };

/* Change of the double pendulum's energy in a second: released level and at rest it has none. */
static bool find_drift(paper *p, double dt, double *drift)
{
    crn_step_stats stats = {0};
    crn_model *model = scene_model(p);
    crn_world *world = scene_world(p, model, model && crn_gallery_pendulum_of(model, 2, dt, &p->error) == CRN_OK);
    bool ok = world != NULL;
    for (int k = 0; k < (int)lround(1.0 / dt) && ok; ++k) {
        ok = scene_step(p, world, dt, &stats);
    }
    *drift = fabs(stats.kinetic + stats.potential);
    crn_world_destroy(world);
    return ok;
}

static bool find_drifts(paper *p, double *dt, double *drift)
{
    bool ok = true;
    for (int i = 0; i < SIZES && ok; ++i) {
        dt[i] = 0.01 / (1 << i);
        ok = find_drift(p, dt[i], &drift[i]);
    }
    return ok;
}

static bool double_pendulum(paper *p, physics_answer *answer)
{
    double dt[SIZES], drift[SIZES], order = NAN, factor;
    bool ok = find_drifts(p, dt, drift) && cli_fit_power(dt, drift, SIZES, &order, &factor);
    return ok && physics_got(answer, fabs(order - 2.0) <= 0.1, "h^%.2f: %.3f J at 10 ms, %.3f J at 0.6 ms", order,
                             drift[0], drift[SIZES - 1]);
}

/* --- Painleve's rod --- */

static bool run_rod(paper *p, const crn_gallery_rod *rod)
{
    crn_model *model = scene_model(p);
    crn_world *world = scene_world(p, model, model && crn_gallery_painleve_of(model, rod, &p->error) == CRN_OK);
    bool ok = world && scene_run(p, world, h, 100);
    crn_world_destroy(world);
    return ok;
}

static bool painleve(paper *p, physics_answer *answer)
{
    int runs = 0;
    bool ok = true;
    for (int tenths = 1; tenths <= 15; tenths += p->is_quick ? 5 : 1) {
        for (int k = 0; k < 20 && ok; ++k) {
            int row = k / 5, column = k % 5;
            crn_gallery_rod rod = {0.1 * tenths, 1.5 + 0.5 * row, 3.0 * (column - 2), 0.0};
            ok = run_rod(p, &rod);
            ++runs;
        }
    }
    return ok && physics_got(answer, true, "every step of %d runs solved", runs);
}

/* Where sliding on would ask for a negative impulse the end sticks at once: r = A^-1 (g h, -v), which does not shrink with h. */
static bool painleve_jam(paper *p, physics_answer *answer)
{
    const double angle = 1.1, speed = -3.0, c = cos(angle), s = sin(angle);
    double off = 0.0, normal = 0.0;
    bool ok = true;
    for (double dt = 0.01; dt > 0.5e-5 && ok; dt *= 0.1) {
        int contacts = 0;
        crn_model *model = scene_model(p);
        bool is_filled =
            model && crn_gallery_painleve_of(model, &(crn_gallery_rod){angle, 3.0, speed, 0.0}, &p->error) == CRN_OK;
        if (is_filled) { /* whose first step has the whole hit */
            crn_model_world(model)->integrator = CRN_INTEGRATOR_HART;
        }
        crn_world *world = scene_world(p, model, is_filled);
        ok = world && scene_step(p, world, dt, NULL);
        const crn_contact *contact = ok ? crn_world_contacts(world, &contacts) : NULL;
        normal = 0.25 * ((1.0 + 3.0 * s * s) * SCENE_G * dt - 3.0 * c * s * speed);
        off = contacts > 0 ? fmax(off, fabs(fabs(contact[0].impulse.y) - normal)) : INFINITY;
        crn_world_destroy(world);
    }
    return ok && physics_got(answer, off <= 1e-8, "%.4f N s at h = 10 \u00b5s; off by %.1g N s", normal, off);
}

/* --- The group --- */

static const physics_case cases[] = {
    {"four-bar linkage, 60 s (quick: 10 s): joints, rocker", "four-bar", "closed; the rocker where circles cross",
     "1e-6 m, rad; 1e-5 rad", four_bar},
    {"Jansen\u2019s leg under load, ten turns: joints, foot", "leg", "closed; the foot where circles cross",
     "1e-6 m, rad; 1e-5 m", leg},
    {"a row and a contact of length 1e-200 asked for 1 m/s", "none: door 2 alone",
     "cannot be: said, and no infinite impulse", "reported, finite", short_row},
    {"motor on wheels of 1 to 10\u00b9\u2075 kg m\u00b2, one step", "flywheel", "1 rad/s; torque = inertia / h",
     "within 1e-9", flywheel},
    {"torque-free tumbling about the middle axis, 60 s (quick: 10 s)", "tumbling", "momentum and energy kept",
     "rounding: 1e-15 a step", tumbling},
    {"double pendulum, 1 s: order of the energy\u2019s drift", "double-pendulum", "that of the integrator: 2",
     "within 0.1", double_pendulum},
    {"Painlev\u00e9\u2019s rod, \u03bc 1.5 to 3, angles and speeds", "painleve", "a solution in every step, no failure",
     "all steps solved", painleve},
    {"Painlev\u00e9\u2019s rod, first step, h = 10 ms to 10 \u00b5s: impulse", "painleve",
     "jams: does not shrink with h", "within 1e-8 N s", painleve_jam},
};

const physics_group physics_joints = {
    "One run per figure, steps of 10 ms if not said, every step solved and certified or the row is broken; the "
    "worst of all steps and runs. Right positions by crossing circles, impulses by the closed form of one contact.",
    cases, sizeof cases / sizeof cases[0]};

bool physics_plot_joints(paper *p)
{
    double dt[SIZES], drift[SIZES];
    if (!find_drifts(p, dt, drift)) {
        return false;
    }
    cli_series series = {.name = "energy drift", .x = dt, .y = drift, .count = SIZES, .color = 1, .has_fit = true};
    cli_plot plot = {
        "Double pendulum: energy lost or won in 1 s", "step h [s]", "energy [J]", true, true, dt, SIZES, &series, 1};
    paper_plot(p, "pendulum", &plot,
               "Halving the step halves the drift: the scheme is of order 1. Joints stay closed meanwhile.");
    return true;
}
