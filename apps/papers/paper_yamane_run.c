/* One run of a scene of [YN08], and what its frames tell. A frame is a step with contact. Times are of the processor, for this
 * thread: other programs on the machine do not count. */
#include "paper_yamane.h"

#include "paper_measure.h"

#include "gallery_worlds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 5, PARTS = 100 };
enum { SEARCH_EVERY = 10 }; /* the paper's searches from a cold start are slow: on every so many frames only */

static const double start_speed = 0.2; /* [rad/s], of random starts */

typedef struct watch {
    const yamane_request *request;
    crn_model *model;
    crn_world *world;
    yamane_driver driver;
    yamane_lcp lcp; /* of the comparison */
    crn_body_id foot[2], trunk;
} watch;

/* --- Begin and end --- */

static bool take_memory(yamane_run *run, crn_error *error)
{
    double **column[COLUMNS] = {&run->time, &run->force, &run->number, &run->frame_ms, &run->lex_ms};
    run->memory = calloc((size_t)COLUMNS * (size_t)run->steps + 1, sizeof *run->memory);
    if (!run->memory) {
        (void)crn_fail(error, CRN_ERR_MEMORY, "out of memory");
        return false;
    }
    for (int c = 0; c < COLUMNS; ++c) {
        *column[c] = run->memory + (size_t)c * (size_t)run->steps;
    }
    return true;
}

void yamane_run_free(yamane_run *run)
{
    free(run->memory);
    *run = (yamane_run){.steps = 0};
}

static crn_body_id body_named(const watch *w, const char *name)
{
    int index = crn_model_find_body(w->model, name);
    return index >= 0 ? crn_world_body(w->world, index + 1) : (crn_body_id){0};
}

static double dot(crn_vec3 a, crn_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* I w, I symmetric. */
static crn_vec3 times(const crn_mat3 *I, crn_vec3 w)
{
    return (crn_vec3){I->m[0] * w.x + I->m[1] * w.y + I->m[2] * w.z, I->m[3] * w.x + I->m[4] * w.y + I->m[5] * w.z,
                      I->m[6] * w.x + I->m[7] * w.y + I->m[8] * w.z};
}

/* v turned by q, or back. */
static crn_vec3 turned(crn_quat q, crn_vec3 v, double sign)
{
    crn_vec3 u = {sign * q.x, sign * q.y, sign * q.z};
    crn_vec3 t = {2.0 * (u.y * v.z - u.z * v.y), 2.0 * (u.z * v.x - u.x * v.z), 2.0 * (u.x * v.y - u.y * v.x)};
    return (crn_vec3){v.x + q.w * t.x + u.y * t.z - u.z * t.y, v.y + q.w * t.y + u.z * t.x - u.x * t.z,
                      v.z + q.w * t.z + u.x * t.y - u.y * t.x};
}

/* Kinetic energy of the joints' armatures. */
static double armature_energy(const watch *w)
{
    double energy = 0.0;
    for (int j = 0; j < crn_model_joints(w->model); ++j) {
        const crn_joint_def *joint = crn_model_joint(w->model, j);
        double speed[CRN_JOINT_FREEDOM_MAX];
        if (joint->in_tree && crn_joint_velocity(w->world, crn_world_joint(w->world, j + 1), speed) == CRN_OK) {
            for (int k = 0; k < crn_joint_kind_freedom(joint->kind); ++k) {
                int axis = k < crn_joint_kind_coordinates(joint->kind) ? k : 0; /* a ball's first counts for all */
                energy += 0.5 * joint->axis[axis].armature * speed[k] * speed[k];
            }
        }
    }
    return energy;
}

/* Weight of the free bodies, and the energy that they have before the first step. */
static void weigh(const watch *w, yamane_run *run)
{
    crn_vec3 gravity = crn_model_world_of(w->model)->gravity;
    for (int i = 0; i < crn_model_bodies(w->model); ++i) {
        crn_body_id body = crn_world_body(w->world, i + 1);
        crn_pose pose;
        crn_twist velocity;
        crn_mat3 inertia;
        crn_vec3 com;
        double mass;
        if (crn_model_body(w->model, i)->kind == CRN_BODY_FREE && crn_body_pose(w->world, body, &pose) == CRN_OK &&
            crn_body_velocity(w->world, body, &velocity) == CRN_OK &&
            crn_body_mass(w->world, body, &mass, &com, &inertia) == CRN_OK) {
            crn_vec3 arm = turned(pose.rotation, com, 1.0), spin = turned(pose.rotation, velocity.angular, -1.0);
            crn_vec3 at = {pose.position.x + arm.x, pose.position.y + arm.y, pose.position.z + arm.z};
            run->start_energy += 0.5 * mass * dot(velocity.linear, velocity.linear) +
                                 0.5 * dot(spin, times(&inertia, spin)) - mass * dot(gravity, at);
            run->weight -= mass * gravity.z;
        }
    }
    run->start_energy += armature_energy(w);
    run->most_energy = run->start_energy;
}

static bool begin(watch *w, yamane_run *run, crn_error *error)
{
    const yamane_request *request = w->request;
    if (crn_gallery_world(request->scene, &w->model, error) != CRN_OK ||
        crn_world_create_from(w->model, NULL, &w->world, error) != CRN_OK) {
        return false;
    }
    const crn_world_def *def = crn_model_world_of(w->model);
    (void)snprintf(run->scene, sizeof run->scene, "%s", request->scene);
    run->dt = request->dt > 0.0 ? request->dt : def->dt;
    run->steps = (int)lround((request->seconds > 0.0 ? request->seconds : def->duration) / run->dt);
    run->least_up = 1.0;
    w->driver.kind = request->kind;
    w->driver.h = run->dt;
    w->foot[0] = body_named(w, "left foot");
    w->foot[1] = body_named(w, "right foot");
    w->trunk = body_named(w, "trunk");
    if (request->seed > 0 && crn_gallery_perturb(w->model, w->world, request->seed, start_speed) != CRN_OK) {
        (void)crn_fail(error, CRN_ERR_ARGUMENT, "%s: its joints take no velocities", request->scene);
        return false;
    }
    weigh(w, run);
    return take_memory(run, error) && crn_world_set_solver(w->world, yamane_drive, &w->driver) == CRN_OK;
}

static void end(watch *w)
{
    crn_world_destroy(w->world);
    crn_model_destroy(w->model);
    yamane_driver_free(&w->driver);
    yamane_lcp_free(&w->lcp);
}

/* --- Looking --- */

/* Every method on the problem of the last step, cold and from the frictionless solution. */
static bool compare(watch *w, yamane_run *run, int k, crn_error *error)
{
    const crn_contact_problem *problem = crn_world_problem(w->world);
    if (!yamane_lcp_load(&w->lcp, problem, run->dt, error)) {
        return false;
    }
    run->compared++;
    for (int warm = 0; warm < 2; ++warm) {
        yamane_start_cold(&w->lcp);
        if (warm == 1) {
            (void)yamane_start(&w->lcp, YAMANE_SEARCH, error);
        }
        for (int kind = 0; kind < YAMANE_KINDS; ++kind) {
            yamane_try answer;
            bool is_paper = kind == YAMANE_PRINTED || kind == YAMANE_AUTHORS;
            if (warm == 0 && is_paper && (run->compared - 1) % SEARCH_EVERY != 0) {
                continue;
            }
            if (!yamane_solve(&w->lcp, problem, (yamane_kind)kind, warm == 1, &answer, error)) {
                return false;
            }
            yamane_count(&run->same[kind][warm], &answer);
            if (kind == YAMANE_LEX_10 && warm == 1) {
                run->lex_ms[k] = 1e3 * answer.seconds;
            }
        }
    }
    return true;
}

/* Largest errors of joints in the tree, and of the others, which are loops. */
static void look_at_joints(const watch *w, yamane_run *run)
{
    for (int j = 0; j < crn_model_joints(w->model); ++j) {
        double distance = 0.0, angle = 0.0;
        (void)crn_joint_error(w->world, crn_world_joint(w->world, j + 1), &distance, &angle);
        double *worst = crn_model_joint(w->model, j)->in_tree ? &run->joint : &run->loop;
        *worst = fmax(*worst, distance);
    }
}

static void look(const watch *w, yamane_run *run, int k, const crn_step_stats *stats)
{
    double energy = stats->kinetic + stats->potential, overlap = 0.0;
    crn_pose pose = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};
    run->time[k] = stats->time;
    run->number[k] = stats->contacts;
    for (int i = 0; i < 2; ++i) {
        crn_vec3 force = {0.0, 0.0, 0.0}, torque;
        if (crn_body_contact_force(w->world, w->foot[i], &force, &torque) == CRN_OK) {
            run->force[k] += force.z;
        }
    }
    if (crn_body_pose(w->world, w->trunk, &pose) == CRN_OK) {
        double x = pose.rotation.x, y = pose.rotation.y;
        run->least_up = fmin(run->least_up, 1.0 - 2.0 * (x * x + y * y));
    }
    (void)crn_world_overlap(w->world, &overlap, NULL, NULL);
    run->overlap = fmax(run->overlap, overlap);
    run->most_energy = fmax(run->most_energy, energy);
    run->certificate = fmax(run->certificate, stats->certificate);
    look_at_joints(w, run);
}

/* --- Stepping --- */

static bool step(watch *w, yamane_run *run, int k, crn_error *error)
{
    crn_step_stats stats;
    double before = w->driver.tally.seconds, start = paper_thread_seconds();
    if (crn_world_step(w->world, run->dt, &stats, error) != CRN_OK) {
        return false;
    }
    double ms = 1e3 * (paper_thread_seconds() - start);
    run->step_ms += ms;
    run->worst_ms = fmax(run->worst_ms, ms);
    run->frame_ms[k] = 1e3 * (w->driver.tally.seconds - before);
    look(w, run, k, &stats);
    if (stats.contacts == 0) {
        return true;
    }
    run->frames++;
    run->failures += w->request->kind == YAMANE_STATES && stats.outcome != CRN_LCP_SOLVED;
    run->contacts += stats.contacts;
    run->active += stats.active;
    run->lcp_ms += run->frame_ms[k];
    bool is_due = w->request->is_compared && (run->frames - 1) % (w->request->every > 0 ? w->request->every : 1) == 0;
    return !is_due || compare(w, run, k, error);
}

static double lowest_body(const watch *w)
{
    double lowest = (double)INFINITY;
    for (int i = 0; i < crn_model_bodies(w->model); ++i) {
        crn_pose pose;
        if (crn_model_body(w->model, i)->kind == CRN_BODY_FREE &&
            crn_body_pose(w->world, crn_world_body(w->world, i + 1), &pose) == CRN_OK) {
            lowest = fmin(lowest, pose.position.z);
        }
    }
    return lowest;
}

static void sum_up(const watch *w, yamane_run *run)
{
    double frames = run->frames > 0 ? run->frames : 1.0;
    run->own = w->driver.tally;
    run->lowest = lowest_body(w);
    if (w->request->kind != YAMANE_STATES) {
        run->failures = w->driver.failures;
        run->fallbacks = w->driver.fallbacks;
        run->active = w->driver.tally.active;
    }
    run->contacts /= frames;
    run->active /= frames;
    run->lcp_ms /= frames;
    run->step_ms /= run->steps;
}

double yamane_gain(const yamane_run *run)
{
    return (run->most_energy - run->start_energy) / fabs(run->start_energy);
}

bool yamane_run_make(paper *p, const yamane_request *request, yamane_run *run)
{
    watch w = {.request = request};
    *run = (yamane_run){.steps = 0};
    bool ok = begin(&w, run, &p->error) && paper_keep_scene(p, w.model, request->scene);
    for (int k = 0, shown = 0; k < run->steps && ok; ++k) {
        ok = step(&w, run, k, &p->error);
        for (; shown < PARTS * (k + 1) / run->steps; ++shown) {
            paper_step(p);
        }
    }
    if (ok) {
        sum_up(&w, run);
    }
    end(&w);
    p->is_broken = p->is_broken || !ok;
    return ok;
}
