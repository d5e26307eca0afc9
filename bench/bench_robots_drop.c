/* A robot falls: steps, and what they were like.
 *
 * Energy is that of motion, of weight and of the springs of joints. A world with trees shows velocities that are the mean of
 * those before and after the forces, so that energy is too low in the step of an impact and as it was after it: what rises is
 * judged by the larger energy of two steps. */
#include "bench_robots.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <cairn/io.h>

#include "thread.h"

enum { DUMPS_MOST = 3 };                             /* of a robot, of each kind */
static const double last_part = 1.0;                 /* [s]: forces are taken over so long */
static const int trace_every = 100, look_every = 20; /* steps */

/* Vertical contact force on all that moves: what its parts do to each other cancels. */
static double lift(const robot_scene *scene)
{
    double sum = 0.0;
    for (int i = 0; i < scene->bodies; ++i) {
        crn_vec3 force = {0.0, 0.0, 0.0}, torque;
        (void)crn_body_contact_force(scene->world, scene->moving[i], &force, &torque);
        sum += force.z;
    }
    return sum;
}

static double spring_energy(const robot_scene *scene)
{
    double sum = 0.0;
    for (int i = 0; i < scene->springs; ++i) {
        const robot_spring *spring = &scene->spring[i];
        double value[CRN_JOINT_COORDINATES_MAX] = {0.0}, speed[CRN_JOINT_COORDINATES_MAX];
        (void)crn_joint_coordinate(scene->world, spring->joint, value, speed);
        double off = value[spring->coordinate] - spring->target;
        sum += 0.5 * spring->stiffness * off * off;
    }
    return sum;
}

static void dump(const robot_file *file, const crn_world *world, const robot_options *options, int step)
{
    char path[ROBOT_PATH + ROBOT_NAME];
    char name[ROBOT_NAME];
    crn_error error;
    crn_contact_data data = {.h = options->dt};
    (void)snprintf(name, sizeof name, "%s", file->name);
    for (char *c = name; *c; ++c) {
        *c = *c == '/' ? '-' : *c;
    }
    (void)snprintf(path, sizeof path, "%s%s-%d.json", options->dump, name, step);
    if (crn_world_problem(world)) {
        data.problem = *crn_world_problem(world);
        if (crn_io_write_contact_json(path, &data, NULL, &error) != CRN_OK) {
            fprintf(stderr, "bench_robots: %s\n", error.text);
        }
    }
}

static void trace(const crn_step_stats *s, int step)
{
    printf("  step %5d %-10s %-7s law %d contacts %3d active %3d rows %2d islands %2d pivots %4d iterations %4d "
           "repairs %2d "
           "drifts %d %s certificate %.1e penetration %.1e energy %.6g %.6g  %.0f us (%.0f collide, %.0f solve)\n",
           step, crn_lcp_outcome_name(s->outcome), crn_contact_method_name(s->method), (int)s->law, s->contacts,
           s->active, s->rows, s->islands, s->pivots, s->iterations, s->repairs, s->drifts,
           s->is_relaxed ? "relaxed"
           : s->is_warm  ? "warm"
                         : "cold",
           s->certificate, s->penetration, s->kinetic, s->potential, 1e6 * s->seconds, 1e6 * s->seconds_collide,
           1e6 * s->seconds_solve);
}

static void note(robot_figures *f, const crn_step_stats *s, double seconds)
{
    f->steps++;
    f->unsolved += s->outcome != CRN_LCP_SOLVED;
    f->relaxed += s->is_relaxed;
    f->convex += s->law != CRN_LAW_COULOMB;
    f->is_finite = f->is_finite && isfinite(s->kinetic) && isfinite(s->potential);
    f->certificate = fmax(f->certificate, s->certificate);
    f->penetration = fmax(f->penetration, s->penetration);
    f->clamped += s->clamped;
    f->seconds += seconds;
    f->slowest = fmax(f->slowest, seconds);
    f->contacts += s->contacts;
    f->pivots += s->pivots;
    f->iterations += s->iterations;
    f->repairs += s->repairs;
    f->contacts_most = s->contacts > f->contacts_most ? s->contacts : f->contacts_most;
    if (s->contacts > 0) {
        f->method = s->method;
    }
}

/* Sums become means and shares. */
static void settle(robot_figures *f, const robot_scene *scene, int last)
{
    double n = f->steps > 0 ? f->steps : 1, unit = scene->weight * fabs(scene->height);
    f->contacts /= n;
    f->pivots /= n;
    f->iterations /= n;
    f->repairs /= n;
    f->force /= last > 0 && scene->weight > 0.0 ? last * scene->weight : 1.0;
    if (unit > 0.0) {
        f->gain /= unit;
        f->rise /= unit;
        f->clamped /= unit;
    }
}

crn_status robot_drop(const robot_file *file, robot_scene *scene, const robot_options *options, robot_figures *figures,
                      crn_error *error)
{
    int steps = (int)lround(options->seconds / options->dt), last = 0, dumps[2] = {0, 0};
    double first = 0.0, before = INFINITY, least = INFINITY, overlap = 0.0;
    crn_status status = CRN_OK;
    memset(figures, 0, sizeof *figures);
    figures->is_finite = true;
    for (int i = 0; i < steps && status == CRN_OK; ++i) {
        crn_step_stats stats;
        double start = bench_thread_seconds();
        status = crn_world_step(scene->world, options->dt, &stats, error);
        if (status != CRN_OK) {
            break;
        }
        note(figures, &stats, bench_thread_seconds() - start);
        double energy = stats.kinetic + stats.potential + spring_energy(scene);
        first = i == 0 ? energy : first;
        least = fmin(least, fmax(energy, before));
        before = energy;
        figures->gain = fmax(figures->gain, energy - first);
        figures->rise = fmax(figures->rise, energy - least);
        if (stats.time > options->seconds - last_part) {
            ++last;
            figures->force += lift(scene);
            if (options->are_contacts_counted && i % look_every == 0) {
                robot_count_contacts(scene, &figures->counted);
            }
            figures->speed = fmax(figures->speed, sqrt(2.0 * stats.kinetic / scene->mass));
        }
        bool is_failed = stats.outcome != CRN_LCP_SOLVED;
        bool is_other = stats.is_relaxed || stats.law != CRN_LAW_COULOMB;
        if (options->is_traced && (is_failed || is_other || i % trace_every == 0)) {
            trace(&stats, i);
        }
        if (options->dump && (is_failed || is_other) && dumps[is_failed]++ < DUMPS_MOST) {
            dump(file, scene->world, options, i);
        }
    }
    if (status == CRN_OK && crn_world_overlap(scene->world, &overlap, NULL, NULL) == CRN_OK) {
        figures->penetration = fmax(figures->penetration, overlap);
    }
    settle(figures, scene, last);
    return status;
}
