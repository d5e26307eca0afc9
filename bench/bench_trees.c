/* bench_trees.c -- scenes of mechanisms: trees, loops, rings. Does anything pass through anything, do joints hold, is energy
 * gained, and what does a step cost?
 *
 * Each scene at each of its steps, as it is and from perturbed starts: a random velocity on every joint. Of perturbed starts
 * a line tells the mean of what is counted per step and the worst of what is not to be. */
#define _POSIX_C_SOURCE 200809L
#include "bench_trees.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"

static const char usage[] = "bench_trees: mechanisms in contact\n"
                            "  --scene TEXT       only scenes whose name contains TEXT\n"
                            "  --seeds N          perturbed starts of each (10)\n"
                            "  --seed N           only the start N; 0: the scene's own\n"
                            "  --speed X          of the perturbation, on every joint [rad/s, m/s] (0.2)\n"
                            "  --h MS             only this step [ms]\n"
                            "  --time S           seconds of each run (each scene's own)\n"
                            "  --each             a line for every run\n"
                            "  --csv FILE         write a line for every run there\n"
                            "scenes made otherwise:\n"
                            "  --friction X       of all shapes\n"
                            "  --cone round       instead of polygons with 8 corners\n"
                            "  --tree-scheme S    reflect, euler, rk4\n"
                            "  --tolerance M      of the repair [m]\n"
                            "  --turn R           largest turn of a part of the drift [rad]\n"
                            "  --end-mass X       hoist: mass of the last link, in links\n";

/* --- Options --- */

static bool read_number(const char *text, double least, double *value)
{
    char *end = NULL;
    *value = strtod(text, &end);
    return end != text && !*end && *value >= least && *value < 1e9;
}

static bool read_count(const char *text, int *value)
{
    double number;
    bool is_fine = read_number(text, 0.0, &number);
    *value = is_fine ? (int)number : 0;
    return is_fine && number == floor(number) && number < 1e6;
}

static bool read_otherwise(const char *name, const char *value, bench_trees_options *o)
{
    if (strcmp(name, "--friction") == 0) {
        return read_number(value, 0.0, &o->friction);
    }
    if (strcmp(name, "--cone") == 0) {
        o->is_round = strcmp(value, "round") == 0;
        return o->is_round || strcmp(value, "polygon") == 0;
    }
    if (strcmp(name, "--tree-scheme") == 0) {
        return crn_integrator_find(value, &o->scheme);
    }
    return (strcmp(name, "--tolerance") == 0 && read_number(value, 0.0, &o->tolerance)) ||
           (strcmp(name, "--turn") == 0 && read_number(value, 0.0, &o->turn)) ||
           (strcmp(name, "--end-mass") == 0 && read_number(value, 0.0, &o->end_mass));
}

static bool read_pair(const char *name, const char *value, bench_trees_options *o, const char **csv)
{
    if (strcmp(name, "--scene") == 0) {
        o->scene = value;
        return true;
    }
    if (strcmp(name, "--csv") == 0) {
        *csv = value;
        return true;
    }
    if (strcmp(name, "--h") == 0) {
        bool is_fine = read_number(value, 1e-3, &o->h);
        o->h *= 1e-3;
        return is_fine;
    }
    return (strcmp(name, "--seeds") == 0 && read_count(value, &o->seeds)) ||
           (strcmp(name, "--seed") == 0 && read_count(value, &o->seed)) ||
           (strcmp(name, "--speed") == 0 && read_number(value, 0.0, &o->speed)) ||
           (strcmp(name, "--time") == 0 && read_number(value, 0.0, &o->duration)) || read_otherwise(name, value, o);
}

/* false: a message was printed, or the help; *exit_code says how to end. */
static bool read_options(int argc, char **argv, bench_trees_options *options, const char **csv, int *exit_code)
{
    for (int k = 1; k < argc; ++k) {
        if (strcmp(argv[k], "--help") == 0) {
            fputs(usage, stdout);
            *exit_code = 0;
            return false;
        }
        if (strcmp(argv[k], "--each") == 0) {
            options->is_each = true;
        } else if (k + 1 < argc && read_pair(argv[k], argv[k + 1], options, csv)) {
            ++k;
        } else {
            fprintf(stderr, "bench_trees: bad argument %s %s\n%s", argv[k], k + 1 < argc ? argv[k + 1] : "", usage);
            *exit_code = 2;
            return false;
        }
    }
    return true;
}

/* --- Lines --- */

/* Figures of one run, or of several: means of the first, the worst of the others. */
typedef struct line {
    double ms, problems, contacts, drifts, repairs;
    double penetration, joint, loop, gain, end, clamped, certificate;
    int unsolved, other_law, passes, runs, bad;
    char verdict[BENCH_TREES_TEXT];
} line;

static line line_of(const bench_trees_run *run)
{
    const crn_gallery_watch *w = &run->watch;
    double steps = w->steps > 0 ? w->steps : 1.0, scale = crn_gallery_watch_scale(w);
    scale = scale > 0.0 ? scale : 1.0;
    line l = {.ms = 1e3 * w->seconds / steps,
              .problems = w->problems / steps,
              .contacts = w->contacts / steps,
              .drifts = w->drifts / steps,
              .repairs = w->repairs / steps,
              .penetration = w->penetration,
              .joint = w->joint,
              .loop = w->loop,
              .gain = (w->highest - w->start) / scale,
              .end = (w->now - w->start) / scale,
              .clamped = w->clamped / scale,
              .certificate = w->certificate,
              .unsolved = w->unsolved,
              .other_law = w->other_law,
              .passes = w->crossings + w->below + w->links_changed,
              .runs = 1};
    bench_trees_verdict(run, l.verdict);
    l.bad = strcmp(l.verdict, "ok") != 0;
    return l;
}

static void add_line(line *sum, const line *l)
{
    double share = 1.0 / (sum->runs + 1);
    sum->ms += share * (l->ms - sum->ms);
    sum->problems += share * (l->problems - sum->problems);
    sum->contacts += share * (l->contacts - sum->contacts);
    sum->drifts += share * (l->drifts - sum->drifts);
    sum->repairs += share * (l->repairs - sum->repairs);
    sum->end += share * (l->end - sum->end);
    sum->clamped += share * (l->clamped - sum->clamped);
    sum->penetration = fmax(sum->penetration, l->penetration);
    sum->joint = fmax(sum->joint, l->joint);
    sum->loop = fmax(sum->loop, l->loop);
    sum->gain = sum->runs > 0 ? fmax(sum->gain, l->gain) : l->gain;
    sum->certificate = fmax(sum->certificate, l->certificate);
    sum->unsolved += l->unsolved;
    sum->other_law += l->other_law;
    sum->passes += l->passes;
    sum->bad += l->bad;
    sum->runs++;
    (void)snprintf(sum->verdict, sizeof sum->verdict, "%d of %d ok", sum->runs - sum->bad, sum->runs);
}

static void print_head(void)
{
    printf("%-13s %5s %9s %8s %5s %8s %6s %7s %8s %8s %8s %9s %9s %8s %6s %6s %8s %6s  %s\n", "scene", "h ms", "start",
           "ms/step", "LCPs", "contacts", "drifts", "repairs", "overlap", "joints", "loops", "dE end", "E highest",
           "clamped", "unsol.", "convex", "certif.", "passes", "verdict");
}

static void print_line(const char *scene, double h, const char *start, const line *l)
{
    printf("%-13s %5g %9s %8.4f %5.2f %8.2f %6.2f %7.2f %8.1e %8.1e %8.1e %+9.4f %+9.1e %8.1e %6d %6d %8.1e %6d  %s\n",
           scene, 1e3 * h, start, l->ms, l->problems, l->contacts, l->drifts, l->repairs, l->penetration, l->joint,
           l->loop, l->end, l->gain, l->clamped, l->unsolved, l->other_law, l->certificate, l->passes, l->verdict);
    (void)fflush(stdout);
}

static void write_head(FILE *csv)
{
    fprintf(csv,
            "cpu,scene,h_ms,seed,steps,wanted,ms_per_step,problems,contacts,active,drifts,repairs,pivots,penetration_m,"
            "joint_m,"
            "loop_m,energy_end,energy_highest,clamped,energy_scale_J,unsolved,other_law,relaxed,certificate,crossings,"
            "below,links_changed,fastest_rad_s,verdict\n");
}

static void write_run(FILE *csv, const bench_trees_run *run, const line *l)
{
    const crn_gallery_watch *w = &run->watch;
    double steps = w->steps > 0 ? w->steps : 1.0;
    fprintf(csv, "\"%s\",%s,%g,%d,%d,%d,%.6g,%.4g,%.4g,%.4g,%.4g,%.4g,%.4g,%.4g,%.4g,%.4g,%.6g,%.4g,%.4g,%.6g,",
            bench_machine_cpu(), run->scene->name, 1e3 * run->h, run->seed, w->steps, run->wanted, l->ms, l->problems,
            l->contacts, w->active / steps, l->drifts, l->repairs, w->pivots / steps, l->penetration, l->joint, l->loop,
            l->end, l->gain, l->clamped, crn_gallery_watch_scale(w));
    fprintf(csv, "%d,%d,%d,%.3g,%d,%d,%d,%.4g,%s\n", l->unsolved, l->other_law, w->relaxed, l->certificate,
            w->crossings, w->below, w->links_changed, w->fastest, l->verdict);
}

/* --- Runs --- */

/* Returns how many runs were not as they should be; < 0: a scene could not be made. */
static int bench_step(const bench_trees_options *o, const bench_trees_scene *scene, double h)
{
    int first = o->seed >= 0 ? o->seed : 0, last = o->seed >= 0 ? o->seed : o->seeds, bad = 0;
    line sum = {0};
    for (int seed = first; seed <= last; ++seed) {
        bench_trees_run run;
        char start[16] = "own";
        if (!bench_trees_run_one(o, scene, h, seed, &run)) {
            return -1;
        }
        line l = line_of(&run);
        if (seed > 0) {
            (void)snprintf(start, sizeof start, "seed %d", seed);
            add_line(&sum, &l);
        }
        if (seed == 0 || o->is_each || l.bad) {
            print_line(scene->name, h, start, &l);
        }
        if (run.status != CRN_OK) {
            printf("    ended after %d of %d steps: %s\n", run.watch.steps, run.wanted, run.reason);
        }
        if (o->csv) {
            write_run(o->csv, &run, &l);
        }
        bad += l.bad;
    }
    if (sum.runs > 0) {
        print_line(scene->name, h, "perturbed", &sum);
    }
    return bad;
}

static int bench_all(const bench_trees_options *o)
{
    int bad = 0;
    print_head();
    for (int i = 0; i < bench_trees_count(); ++i) {
        const bench_trees_scene *scene = bench_trees_at(i);
        if (!strstr(scene->name, o->scene)) {
            continue;
        }
        for (int k = 0; k < BENCH_TREES_STEPS && scene->h[k] > 0.0; ++k) {
            double h = o->h > 0.0 ? o->h : scene->h[k];
            int here = k > 0 && o->h > 0.0 ? 0 : bench_step(o, scene, h);
            if (here < 0) {
                return -1;
            }
            bad += here;
        }
    }
    printf("\n%d runs not as they should be. Energies are relative to the larger of the start's and the way of the "
           "potential "
           "one.\nOverlap: crn_world_overlap() at the end of every step.\n",
           bad);
    return bad;
}

int main(int argc, char **argv)
{
    bench_trees_options options = {.scene = "", .seeds = 10, .seed = -1, .speed = 0.2, .friction = -1.0};
    const char *csv = NULL;
    int exit_code = 0;
    if (!read_options(argc, argv, &options, &csv, &exit_code)) {
        return exit_code;
    }
    options.csv = csv ? fopen(csv, "w") : NULL;
    if (csv && !options.csv) {
        perror(csv);
        return 2;
    }
    if (options.csv) {
        write_head(options.csv);
    }
    printf("%s, %s\n\n", bench_machine_cpu(), bench_machine_compiler());
    int bad = bench_all(&options);
    bool is_written = !options.csv || fclose(options.csv) == 0;
    return bad == 0 && is_written ? 0 : 1;
}
