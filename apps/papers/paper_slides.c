/* cairn-papers slides: the kinematic map, the example of a constraint, joints and contacts of [SLCP], as our world has them. */
#include "paper_slides.h"

#include "paper_scene.h"

#include <cairn/collide.h>
#include <cairn/contact.h>

#include <math.h>

/* --- q' = H u --- */

/* G (Q) w of the slides, for w in world axes: rows s, x, y, z. */
static void apply_map(const double Q[4], crn_vec3 w, double out[4])
{
    out[0] = 0.5 * (-Q[1] * w.x - Q[2] * w.y - Q[3] * w.z);
    out[1] = 0.5 * (Q[0] * w.x + Q[3] * w.y - Q[2] * w.z);
    out[2] = 0.5 * (-Q[3] * w.x + Q[0] * w.y + Q[1] * w.z);
    out[3] = 0.5 * (Q[2] * w.x - Q[1] * w.y + Q[0] * w.z);
}

static void rotation_of(const crn_world *world, double Q[4])
{
    crn_quat q = scene_pose(world, 0).rotation;
    Q[0] = q.w;
    Q[1] = q.x;
    Q[2] = q.y;
    Q[3] = q.z;
}

/* Largest | (Q1 - Q0) / h - G w | of a tumbling body, Q and w midway between both ends of a step. */
static bool map_error(paper *p, double h, double *worst)
{
    crn_world *world = scene_named(p, "tumbling");
    bool ok = world != NULL;
    *worst = 0.0;
    for (int k = 0; k < 100 && ok; ++k) {
        double before[4], after[4], middle[4], rate[4];
        crn_vec3 w0 = scene_velocity(world, 0).angular;
        rotation_of(world, before);
        ok = scene_step(p, world, h, NULL);
        rotation_of(world, after);
        crn_vec3 w1 = scene_velocity(world, 0).angular;
        double sign = before[0] * after[0] + before[1] * after[1] + before[2] * after[2] + before[3] * after[3];
        for (int i = 0; i < 4; ++i) {
            after[i] = sign < 0.0 ? -after[i] : after[i]; /* Q and -Q are the same rotation */
            middle[i] = 0.5 * (before[i] + after[i]);
        }
        apply_map(middle, (crn_vec3){0.5 * (w0.x + w1.x), 0.5 * (w0.y + w1.y), 0.5 * (w0.z + w1.z)}, rate);
        for (int i = 0; i < 4; ++i) {
            *worst = fmax(*worst, fabs((after[i] - before[i]) / h - rate[i]));
        }
    }
    crn_world_destroy(world);
    return ok;
}

static bool check_map(paper *p)
{
    enum { SIZES = 4 };
    double h[SIZES], worst[SIZES], order = NAN, factor;
    for (int i = 0; i < SIZES; ++i) {
        h[i] = 0.01 / (1 << i);
        if (!map_error(p, h[i], &worst[i])) {
            return false;
        }
    }
    (void)cli_fit_power(h, worst, SIZES, &order, &factor);
    paper_published(p, "Nomenclature, Kinematic map", "dq/dt = H u, with the matrix G of the quaternion");
    paper_aim(p, order >= 1.8, "orientation of a tumbling body against H u", "difference falls as h\u00b2",
              "h^%.2f; %.1g /s at 1.25 ms", order, worst[SIZES - 1]);
    return true;
}

/* --- Two spheres --- */

static crn_shape *make_sphere(paper *p, double radius)
{
    crn_shape *shape = NULL;
    crn_shape_def def = {.kind = CRN_SHAPE_SPHERE, .size = {radius, 0.0, 0.0}};
    (void)crn_shape_create(&def, NULL, &shape, &p->error);
    return shape;
}

/* Our gap of a random pair against C; negative: overlap. */
static bool sphere_pair(paper *p, crn_random *random, double *off)
{
    double r1 = crn_random_uniform(random, 0.1, 2.0), r2 = crn_random_uniform(random, 0.1, 2.0);
    crn_frame f1 = {.rotation = {{1, 0, 0, 0, 1, 0, 0, 0, 1}}}, f2 = f1;
    f2.position = (crn_vec3){crn_random_uniform(random, -2.0, 2.0), crn_random_uniform(random, -2.0, 2.0),
                             crn_random_uniform(random, -2.0, 2.0)};
    crn_shape *a = make_sphere(p, r1), *b = make_sphere(p, r2);
    crn_touch touch;
    bool ok = a && b && crn_collide(a, &f1, b, &f2, 10.0, &touch, 1) == 1;
    *off = ok ? fmax(*off, fabs(touch.gap - (scene_length(f2.position) - (r1 + r2)))) : *off;
    crn_shape_destroy(a);
    crn_shape_destroy(b);
    return ok;
}

static bool check_spheres(paper *p)
{
    enum { PAIRS = 1000 };
    crn_random random = crn_random_seed(1);
    double off = 0.0;
    bool ok = true;
    for (int i = 0; i < PAIRS && ok; ++i) {
        ok = sphere_pair(p, &random, &off);
    }
    paper_published(p, "Constraints", "C(x1, x2) = |x1 \u2212 x2| \u2212 (r1 + r2)");
    if (ok) {
        paper_aim(p, off <= 1e-14, "gap of two spheres against C", "within 1e-14 m", "%.1g m", off);
    }
    return ok;
}

/* --- Joints --- */

static bool check_joints(paper *p)
{
    crn_world *world = scene_named(p, "pendulum");
    double worst = 0.0, least = INFINITY, most = -INFINITY;
    bool ok = world != NULL;
    for (int k = 0; k < 300 && ok; ++k) {
        crn_vec3 force = {NAN, NAN, NAN};
        ok = scene_step(p, world, 0.01, NULL) &&
             crn_joint_force(world, crn_world_joint(world, 1), &force, NULL) == CRN_OK;
        worst = fmax(worst, scene_joint_error(world));
        least = fmin(least, force.x);
        most = fmax(most, force.x);
    }
    crn_world_destroy(world);
    paper_published(p, "Model components", "joints: C = 0, handled by unconstrained forces");
    paper_aim(p, ok && worst <= 1e-6 && least < 0.0 && most > 0.0,
              "pendulum: joint error; sign of the hinge\u2019s force", "at most 1e-6 m; both signs",
              "%.1g m; %.1f to %.1f N", worst, least, most);
    return ok;
}

/* --- One contact: 0 <= f complementary to a >= 0 --- */

enum { PULLS = 41 };
static const double mass = 2.0, h = 0.01;

/* A body of 2 kg on the floor, pulled up with a force: contact force and acceleration. */
static bool pull_up(paper *p, double pull, double *force, double *acceleration)
{
    const crn_contact_body body = {
        .kind = CRN_MASS_RIGID, .dof = 6, .mass = mass, .inertia = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    const double velocity[6] = {0, 0, 0, 0, 0, h * (pull / mass - SCENE_G)};
    const crn_contact_point point = {.a = 0, .b = -1, .normal = {0, 0, 1}};
    const crn_contact_problem problem = {1, 1, 0, &body, &point, NULL, velocity};
    double impulse[3] = {NAN, NAN, NAN}, found[6] = {NAN};
    const crn_contact_solution solution = {.impulse = impulse, .velocity = found};
    crn_contact_result result;
    bool ok = crn_contact_solve(&problem, NULL, &p->work, &solution, &result, &p->error) == CRN_OK;
    *force = impulse[0] / h;
    *acceleration = found[5] / h;
    return ok && result.outcome == CRN_LCP_SOLVED;
}

static bool check_contact(paper *p)
{
    double pull[PULLS], force[PULLS], lift[PULLS], off = 0.0;
    for (int i = 0; i < PULLS; ++i) {
        pull[i] = i; /* N; the weight is 19.62 */
        if (!pull_up(p, pull[i], &force[i], &lift[i])) {
            return false;
        }
        off = fmax(off, fabs(force[i] - fmax(mass * SCENE_G - pull[i], 0.0)));
        off = fmax(off, fabs(mass * lift[i] - fmax(pull[i] - mass * SCENE_G, 0.0)));
        lift[i] *= mass;
    }
    paper_published(p, "Contact constraints", "0 \u2264 f \u22a5 a \u2265 0");
    paper_aim(p, off <= 1e-12, "force and acceleration against max(0, m g \u2212 F), max(0, F \u2212 m g)",
              "within 1e-12 N", "%.1g N", off);
    cli_series series[2] = {
        {.name = "contact force", .x = pull, .y = force, .count = PULLS, .color = 1, .is_plain = true},
        {.name = "mass \u00d7 acceleration", .x = pull, .y = lift, .count = PULLS, .color = 0, .is_plain = true}};
    cli_plot plot = {.title = "Complementarity of one contact",
                     .x_label = "pull [N]",
                     .y_label = "force [N]",
                     .series = series,
                     .count = 2};
    cli_page_heading(&p->report, "Contact: one of the two is zero");
    paper_plot(p, "contact", &plot,
               "While the pull is below the weight of 19.62 N the contact carries the rest and nothing moves; above "
               "it the contact is free.");
    return true;
}

typedef struct part {
    const char *what; /* for the row that says that it broke */
    const char *how;
    bool (*check)(paper *p);
} part;

static const part parts[] = {
    {"orientation of a tumbling body against H u",
     "A box thrown about its middle axis, 100 steps each of 10, 5, 2.5, 1.25 ms. Difference quotient of the "
     "quaternion against the printed matrix at the middle of the step.",
     check_map},
    {"gap of two spheres against C",
     "1000 random pairs of spheres, apart and overlapping, through collision detection alone.", check_spheres},
    {"pendulum: joint error; sign of the hinge\u2019s force",
     "A bar on a hinge swings for 3 s, 300 steps of 10 ms; joint error and hinge force after each.", check_joints},
    {"one contact: force and acceleration",
     "A body of 2 kg on the floor pulled up with 0 to 40 N, door 2 with one contact and h = 10 ms; force = impulse "
     "/ h.",
     check_contact},
    {"answers against Definitions 2 and 4",
     "40 problems (quick: 5) of each of seven families of the gallery, and of the mixed one, order 5 to 320, by "
     "\u2018auto\u2019. The answer is put into the printed lines by code of its own; figures are relative to the "
     "largest |b|.",
     slides_definitions},
    {"NCP against LCP",
     "1 kg slides over the floor at 91 headings, \u03bc = 0.5, normal impulse 1 N s; door 2 with round cones and "
     "with polygons of 4 to 64 corners. The worst heading counts.",
     slides_cones},
    {"sweeping (PGS) against pivoting (Lemke)",
     "One problem of each of three families: projected Gauss-Seidel to a relative residual of 1e-9 or 400 sweeps, "
     "and lexicographic Lemke, certified to 1e-9.",
     slides_methods},
};
enum { PARTS = sizeof parts / sizeof parts[0] };

bool paper_slides(paper *p)
{
    paper_steps(p, PARTS);
    for (int i = 0; i < PARTS; ++i) {
        paper_how(p, parts[i].how);
        if (!parts[i].check(p)) {
            paper_failed(p, parts[i].what, "");
        }
        paper_step(p);
    }
    return true;
}
