/* bench_robots_peers.c -- an MJCF file as it is, in Cairn and in MuJoCo: the file's own step, controls 0, one second after a warm-up,
 * the one after the other in one run. Times are processor time of the thread. */
#include "bench_robots.h"

#include <stdio.h>

#ifndef BENCH_HAVE_MUJOCO

bool robot_has_peers(void)
{
    return false;
}

void robot_compare(const robot_file *file)
{
    (void)file;
}

#else

#include <cairn/io.h>

#include <mujoco/mujoco.h>

#include <time.h>

enum { WARM_STEPS = 20, STEPS_MOST = 1000 };

bool robot_has_peers(void)
{
    return true;
}

static void be_quiet(const char *text)
{
    (void)text;
}

static double seconds_now(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static double time_mujoco(mjModel *m, mjData *d, int steps)
{
    double begin = seconds_now();
    for (int i = 0; i < steps; ++i) {
        mj_step(m, d);
    }
    return seconds_now() - begin;
}

typedef struct timing {
    double seconds, contacts;
    int uncertified, steps;
} timing;

static timing time_cairn(crn_world *world, double h, int steps)
{
    timing t = {.steps = 0};
    double begin = seconds_now();
    for (; t.steps < steps; ++t.steps) {
        crn_step_stats stats;
        if (crn_world_step(world, h, &stats, NULL) != CRN_OK) {
            break;
        }
        t.contacts += stats.contacts;
        t.uncertified += stats.failed != 0;
    }
    t.seconds = seconds_now() - begin;
    return t;
}

static crn_world *load_cairn(const robot_file *file, crn_model **model)
{
    crn_robot_options options = crn_robot_options_default();
    crn_world *world = NULL;
    options.skip_missing_meshes = true;
    crn_status status = crn_model_create(NULL, model, NULL);
    status = status == CRN_OK ? crn_io_read_mjcf(file->path, &options, *model, NULL) : status;
    return status == CRN_OK && crn_world_create_from(*model, NULL, &world, NULL) == CRN_OK ? world : NULL;
}

void robot_compare(const robot_file *file)
{
    char reason[200] = "";
    crn_model *model = NULL;
    mju_user_warning = be_quiet;
    mjModel *m = mj_loadXML(file->path, NULL, reason, sizeof reason);
    crn_world *world = m != NULL ? load_cairn(file, &model) : NULL;
    if (m != NULL && world != NULL) {
        mjData *d = mj_makeData(m);
        double h = m->opt.timestep;
        int steps = h * STEPS_MOST > 1.0 ? (int)(1.0 / h) : STEPS_MOST;
        (void)time_mujoco(m, d, WARM_STEPS);
        (void)time_cairn(world, h, WARM_STEPS);
        double theirs = time_mujoco(m, d, steps) / steps;
        timing ours = time_cairn(world, h, steps);
        printf("%-44s %8.4g %10.1f %10.1f %7.2f %8.1f %6d\n", file->name, 1e3 * h, 1e6 * theirs,
               1e6 * ours.seconds / ours.steps, theirs * ours.steps / ours.seconds, ours.contacts / ours.steps,
               ours.uncertified);
        mj_deleteData(d);
    } else {
        printf("%-44s not loaded by %s\n", file->name, m == NULL ? "MuJoCo" : "Cairn");
    }
    (void)fflush(stdout);
    crn_world_destroy(world);
    crn_model_destroy(model);
    if (m != NULL) {
        mj_deleteModel(m);
    }
}

#endif
