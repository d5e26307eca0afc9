/* bench_world_ours.c -- steps of our worlds: time, certificates, overlap, for the scenes that door 3 is judged by. */
#include "bench_world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gallery_worlds.h"
#include "machine.h"
#include "progress.h"
#include "stats.h"

/* A scene with numbers of its own. */
typedef struct bench_scene {
    const char *name;
    int size;
    double dt, duration, radius; /* radius: overlap is told relative to it */
    crn_status (*fill)(const struct bench_scene *scene, crn_model *model, crn_error *error);
} bench_scene;

/* Figures of a run. */
typedef struct bench_run {
    int steps, uncertified, convex, relaxed;
    double mean, p99, worst, collide, solve; /* [s], processor time of the thread */
    double certificate, deepest, overlap;    /* overlap: mean over steps of the mean over touching contacts */
    double contacts, iterations, moved;      /* moved: the last body's way from start to end */
} bench_run;

/* --- Scenes --- */

static crn_status fill_stack(const bench_scene *scene, double lean, double drop, double ratio, crn_model *model,
                             crn_error *error)
{
    crn_gallery_stack stack = {.boxes = scene->size, .lean = lean, .drop = drop, .mass = 1.0, .mass_ratio = ratio};
    return crn_gallery_stack_of(model, &stack, error);
}

static crn_status rest(const bench_scene *scene, crn_model *model, crn_error *error)
{
    return fill_stack(scene, 0.0, 0.0, 1.0, model, error);
}

static crn_status leaning(const bench_scene *scene, crn_model *model, crn_error *error)
{
    return fill_stack(scene, 0.05, 0.0, 1.0, model, error);
}

static crn_status dropped(const bench_scene *scene, crn_model *model, crn_error *error)
{
    return fill_stack(scene, 0.0, 1e-3, 1.0, model, error);
}

static crn_status masses(const bench_scene *scene, crn_model *model, crn_error *error)
{
    return fill_stack(scene, 0.0, 0.0, 1e4, model, error);
}

static crn_status nut(const bench_scene *scene, crn_model *model, crn_error *error)
{
    crn_gallery_nut of = {scene->dt, (uint64_t)scene->size, CRN_SCHEME_CONVEX};
    return crn_gallery_brazil_nut_of(model, &of, error);
}

static crn_status nut_coulomb(const bench_scene *scene, crn_model *model, crn_error *error)
{
    crn_gallery_nut of = {scene->dt, (uint64_t)scene->size, CRN_SCHEME_COULOMB};
    return crn_gallery_brazil_nut_of(model, &of, error);
}

static crn_status pour(const bench_scene *scene, crn_model *model, crn_error *error)
{
    return crn_gallery_pour_of(model, scene->size, 1, error);
}

static crn_status pour_convex(const bench_scene *scene, crn_model *model, crn_error *error)
{
    crn_status status = crn_gallery_pour_of(model, scene->size, 1, error);
    crn_model_world(model)->scheme = CRN_SCHEME_CONVEX;
    return status;
}

static const bench_scene scenes[] = {
    {"stack", 10, 0.01, 10.0, 0.5, rest},
    {"stack", 30, 0.01, 10.0, 0.5, rest},
    {"stack", 100, 0.01, 10.0, 0.5, rest},
    {"leaning", 25, 0.01, 10.0, 0.5, leaning},
    {"leaning", 50, 0.01, 10.0, 0.5, leaning},
    {"leaning", 100, 0.01, 10.0, 0.5, leaning},
    {"leaning", 200, 0.01, 10.0, 0.5, leaning},
    {"leaning", 400, 0.01, 10.0, 0.5, leaning},
    {"dropped", 100, 0.01, 10.0, 0.5, dropped},
    {"masses", 5, 0.01, 10.0, 0.5, masses},
    {"masses", 100, 0.01, 10.0, 0.5, masses},
    {"nut", 1, 0.1, 75.0, CRN_GALLERY_NUT_SMALL, nut},
    {"nut", 2, 0.1, 75.0, CRN_GALLERY_NUT_SMALL, nut},
    {"nut", 3, 0.1, 75.0, CRN_GALLERY_NUT_SMALL, nut},
    {"nut-fine", 1, 0.01, 20.0, CRN_GALLERY_NUT_SMALL, nut},
    {"nut-coulomb", 1, 0.01, 3.0, CRN_GALLERY_NUT_SMALL, nut_coulomb},
    {"pour-convex", 200, 0.01, 10.0, 0.1, pour_convex},
    {"pour-convex", 1000, 0.01, 10.0, 0.1, pour_convex},
    {"pour", 200, 0.01, 10.0, 0.1, pour},
    {"pour", 1000, 0.01, 10.0, 0.1, pour},
};
enum { SCENES = sizeof scenes / sizeof *scenes };

/* --- A run --- */

static void add_step(bench_run *run, const crn_step_stats *stats)
{
    run->steps++;
    run->uncertified += stats->verdict != CRN_VERDICT_CERTIFIED;
    run->convex += stats->law == CRN_LAW_CONVEX;
    run->relaxed += stats->is_relaxed;
    run->certificate = fmax(run->certificate, stats->certificate);
    run->deepest = fmax(run->deepest, stats->penetration);
    run->overlap += stats->penetration_mean;
    run->contacts += stats->contacts;
    run->iterations += stats->iterations;
    run->collide += stats->seconds_collide;
    run->solve += stats->seconds_solve;
}

static void finish(bench_run *run, double *times)
{
    double n = run->steps;
    for (int i = 0; i < run->steps; ++i) {
        run->mean += times[i] / n;
        run->worst = fmax(run->worst, times[i]);
    }
    run->p99 = bench_quantile(times, run->steps, 0.99);
    run->overlap /= n;
    run->contacts /= n;
    run->iterations /= n;
    run->collide /= n;
    run->solve /= n;
}

static double way(crn_vec3 a, crn_vec3 b)
{
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

static crn_status step_through(crn_world *world, const bench_scene *scene, double *times, int steps, bench_run *run,
                               crn_error *error)
{
    crn_body_id last = crn_world_body(world, crn_world_bodies(world));
    crn_pose from, to;
    crn_status status = crn_body_pose(world, last, &from);
    for (int k = 0; k < steps && status == CRN_OK; ++k) {
        crn_step_stats stats;
        double start = bench_thread_seconds();
        status = crn_world_step(world, scene->dt, &stats, error);
        times[k] = bench_thread_seconds() - start;
        add_step(run, &stats);
        bench_progress(scene->name, "steps", k + 1, steps);
    }
    (void)crn_body_pose(world, last, &to);
    run->moved = way(from.position, to.position);
    finish(run, times);
    return status;
}

static crn_status run_scene(const bench_scene *scene, double duration, bench_run *run, crn_error *error)
{
    crn_model *model = NULL;
    crn_world *world = NULL;
    int steps = (int)lround(duration / scene->dt);
    double *times = calloc((size_t)steps + 1, sizeof *times);
    memset(run, 0, sizeof *run);
    crn_status status =
        times ? crn_model_create(NULL, &model, error) : crn_fail(error, CRN_ERR_MEMORY, "out of memory");
    if (status == CRN_OK) {
        status = scene->fill(scene, model, error);
    }
    if (status == CRN_OK) {
        status = crn_world_create_from(model, NULL, &world, error);
    }
    if (status == CRN_OK) {
        status = step_through(world, scene, times, steps, run, error);
    }
    crn_world_destroy(world);
    crn_model_destroy(model);
    free(times);
    return status;
}

/* --- Telling --- */

static void print_heading(void)
{
    printf("%-12s %5s %6s | %8s %8s %8s %8s %8s | %5s %6s %5s %5s | %8s %8s %8s %9s %6s %5s\n", "scene", "size", "h",
           "mean ms", "p99", "worst", "collide", "solve", "steps", "uncert", "convx", "relax", "certif.", "deepest",
           "overlap", "moved", "conts", "iters");
}

static void print_run(const bench_scene *scene, const bench_run *run)
{
    bench_progress_clear();
    printf("%-12s %5d %6g | %8.4f %8.4f %8.3f %8.4f %8.4f | %5d %6d %5d %5d | %8.1e %8.1e %7.3f%% %9.2e %6.0f %5.1f\n",
           scene->name, scene->size, scene->dt, 1e3 * run->mean, 1e3 * run->p99, 1e3 * run->worst, 1e3 * run->collide,
           1e3 * run->solve, run->steps, run->uncertified, run->convex, run->relaxed, run->certificate, run->deepest,
           100.0 * run->overlap / scene->radius, run->moved, run->contacts, run->iterations);
    fflush(stdout);
}

static void write_run(FILE *csv, const bench_scene *scene, const bench_run *run)
{
    fprintf(csv, "\"%s\",\"%s\",\"%s\",%d,%g,%d,%.6g,%.6g,%.6g,%d,%d,%d,%.3g,%.3g,%.3g,%.3g\n", bench_machine_cpu(),
            bench_machine_compiler(), scene->name, scene->size, scene->dt, run->steps, 1e3 * run->mean, 1e3 * run->p99,
            1e3 * run->worst, run->uncertified, run->convex, run->relaxed, run->certificate, run->deepest, run->overlap,
            run->moved);
}

/* Exponent of the mean time in the size, over scenes of a name. */
static void print_growth(const char *name, const bench_run *runs)
{
    double sx = 0, sy = 0, sxx = 0, sxy = 0, n = 0;
    for (int i = 0; i < SCENES; ++i) {
        if (strcmp(scenes[i].name, name) == 0 && runs[i].steps > 0) {
            double x = log(scenes[i].size), y = log(runs[i].mean);
            sx += x;
            sy += y;
            sxx += x * x;
            sxy += x * y;
            n++;
        }
    }
    if (n > 2) {
        printf("%s: time a step grows with size^%.2f\n", name, (n * sxy - sx * sy) / (n * sxx - sx * sx));
    }
}

static void write_heading(FILE *csv)
{
    fputs("machine,compiler,scene,size,h,steps,mean_ms,p99_ms,worst_ms,uncertified,convex,relaxed,certificate,deepest,"
          "overlap,moved\n",
          csv);
}

bool bench_world_ours(const bench_world_options *options)
{
    bench_run runs[SCENES] = {{0}};
    if (options->csv) {
        write_heading(options->csv);
    }
    print_heading();
    for (int i = 0; i < SCENES; ++i) {
        crn_error error;
        const bench_scene *scene = &scenes[i];
        if (!strstr(scene->name, options->scene)) {
            continue;
        }
        double duration = options->duration > 0.0 ? options->duration : scene->duration;
        if (run_scene(scene, duration, &runs[i], &error) != CRN_OK) {
            fprintf(stderr, "%s: %s\n", scene->name, error.text);
            return false;
        }
        print_run(scene, &runs[i]);
        if (options->csv) {
            write_run(options->csv, scene, &runs[i]);
        }
    }
    print_growth("leaning", runs);
    return true;
}
