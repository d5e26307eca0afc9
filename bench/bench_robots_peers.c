/* bench_robots_peers.c -- an MJCF file as it is, in Cairn and in MuJoCo: the file's own step, controls 0, one second after a warm-up,
 * the one after the other in one run, the best of five rounds, and of more where a second is over in some hundred microseconds. Times are
 * processor time. */
#include "bench_robots.h"

#ifndef BENCH_HAVE_MUJOCO

bool robot_has_peers(void)
{
    return false;
}

void robot_print_comparison_heading(FILE *csv)
{
    (void)csv;
}

void robot_compare(const robot_file *file, FILE *csv)
{
    (void)file;
    (void)csv;
}

#else

#include <cairn/io.h>

#include <mujoco/mujoco.h>

#include <math.h>
#include <time.h>

enum { WARM_STEPS = 20, STEPS_MOST = 1000, ROUNDS = 5, ROUNDS_MOST = 100 };
static const double ENOUGH = 0.05; /* [s] measured of both: the first rounds of a short run meet cold caches */

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
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
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

/* One second of both, from the start; false: Cairn does not load it. */
static bool run_both(const robot_file *file, mjModel *m, mjData *d, double *theirs, timing *ours)
{
    crn_model *model = NULL;
    crn_world *world = load_cairn(file, &model);
    double h = m->opt.timestep;
    int steps = h * STEPS_MOST > 1.0 ? (int)(1.0 / h) : STEPS_MOST;
    if (world != NULL) {
        mj_resetData(m, d);
        (void)time_mujoco(m, d, WARM_STEPS);
        (void)time_cairn(world, h, WARM_STEPS);
        *theirs = time_mujoco(m, d, steps) / steps;
        *ours = time_cairn(world, h, steps);
    }
    crn_world_destroy(world);
    crn_model_destroy(model);
    return world != NULL;
}

/* The best of some rounds, in turns. */
static bool run_rounds(const robot_file *file, mjModel *m, double *theirs, timing *ours)
{
    mjData *d = mj_makeData(m);
    bool is_loaded = run_both(file, m, d, theirs, ours);
    double measured = 0.0;
    for (int round = 1; round < ROUNDS_MOST && (round < ROUNDS || measured < ENOUGH) && is_loaded; ++round) {
        double other = INFINITY;
        timing own = {.seconds = INFINITY};
        is_loaded = run_both(file, m, d, &other, &own);
        measured += own.seconds + other * own.steps;
        *theirs = other < *theirs ? other : *theirs;
        *ours = own.seconds < ours->seconds ? own : *ours;
    }
    mj_deleteData(d);
    return is_loaded;
}

void robot_print_comparison_heading(FILE *csv)
{
    printf("%-44s %8s %10s %10s %7s %8s %6s\n", "file", "h [ms]", "MuJoCo us", "Cairn us", "ratio", "contacts",
           "uncert");
    if (csv != NULL) {
        (void)fprintf(csv, "file,step_ms,mujoco_us,cairn_us,ratio,contacts,uncertified\n");
    }
}

static void print_comparison(const robot_file *file, double h, double theirs, const timing *ours, FILE *csv)
{
    double own = ours->seconds / ours->steps, contacts = ours->contacts / ours->steps;
    printf("%-44s %8.4g %10.1f %10.1f %7.2f %8.1f %6d\n", file->name, 1e3 * h, 1e6 * theirs, 1e6 * own, theirs / own,
           contacts, ours->uncertified);
    if (csv != NULL) {
        (void)fprintf(csv, "%s,%.4g,%.2f,%.2f,%.3f,%.2f,%d\n", file->name, 1e3 * h, 1e6 * theirs, 1e6 * own,
                      theirs / own, contacts, ours->uncertified);
    }
}

void robot_compare(const robot_file *file, FILE *csv)
{
    char reason[200] = "";
    double theirs = 0.0;
    timing ours = {.steps = 0};
    mju_user_warning = be_quiet;
    mjModel *m = mj_loadXML(file->path, NULL, reason, sizeof reason);
    if (m != NULL && run_rounds(file, m, &theirs, &ours)) {
        print_comparison(file, m->opt.timestep, theirs, &ours, csv);
    } else {
        printf("%-44s not loaded by %s\n", file->name, m == NULL ? "MuJoCo" : "Cairn");
    }
    (void)fflush(stdout);
    if (m != NULL) {
        mj_deleteModel(m);
    }
}

#endif
