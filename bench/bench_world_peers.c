/* bench_world_peers.c -- the section of the comparison: a table per scene, a line per engine and setting. */
#include "bench_world.h"

#include <string.h>

#include "machine.h"

static void print_head(const bench_world_options *options)
{
    printf("machine   %s\ncompiler  %s\ncairn     %s\nengines  ", bench_machine_cpu(), bench_machine_compiler(),
           crn_version());
    for (int k = 0; k < bench_world_known_count(); ++k) {
        bench_world_known known = bench_world_known_at(k);
        printf(" %s %s%s", known.name, known.peer ? known.peer->version : "not installed",
               k + 1 < bench_world_known_count() ? "," : "\n");
    }
    printf("settings  as delivered, then the best offered; nobody sleeps; at most %g s of processor time a line\n",
           options->limit);
    fflush(stdout);
}

static void print_heading(const bench_rival_scene *scene)
{
    printf("\n%s: %s, h = %g s\n", scene->name, scene->about, scene->h);
    printf("  %-9s %-33s %12s %10s %10s %10s %10s  %s\n", "engine", "setting", bench_rival_figure_name(scene->asks),
           "deepest m", "at end m", "ms a step", "worst ms", "verdict");
}

static void tell(const bench_rival_scene *scene, const bench_world_peer *peer, int setting, const bench_rival_run *run,
                 FILE *csv)
{
    char verdict[BENCH_FIGURE_TEXT];
    double figure = bench_rival_figure(scene, run), steps = run->done > 0 ? run->done : 1;
    bench_rival_verdict(scene, run, verdict);
    printf("  %-9s %-33s %12.3g %10.2e %10.2e %10.4f %10.3f  %s\n", peer->name, peer->settings[setting], figure,
           run->deepest, run->final, 1e3 * run->seconds / steps, 1e3 * run->worst, verdict);
    fflush(stdout);
    if (csv) {
        fprintf(csv, "\"%s\",\"%s\",%s,%g,%s,%s,\"%s\",%d,%d,%s,%.6g,%.6g,%.6g,%.6g,%.6g,%d,%d,\"%s\"\n",
                bench_machine_cpu(), bench_machine_compiler(), scene->name, scene->h, peer->name, peer->version,
                peer->settings[setting], run->steps, run->done, bench_rival_figure_name(scene->asks), figure,
                run->deepest, run->final, 1e3 * run->seconds / steps, 1e3 * run->worst, run->lost, run->complaints,
                verdict);
    }
}

static bool takes(const bench_world_peer *peer, const bench_rival_scene *scene)
{
    bool is_of_disks = scene->asks == BENCH_ASKS_SHAKE;
    bool is_planar = is_of_disks || strstr(scene->name, "-2d");
    return (peer->takes & BENCH_TAKES_SPATIAL && !is_planar) || (peer->takes & BENCH_TAKES_PLANAR && is_planar) ||
           (peer->takes & BENCH_TAKES_DISKS && is_of_disks);
}

static bool run_engine(const bench_rival_scene *scene, const bench_world_peer *peer, const bench_world_options *options)
{
    if (!takes(peer, scene) || !strstr(peer->name, options->engine)) {
        return true;
    }
    for (int setting = 0; setting < BENCH_SETTINGS; ++setting) {
        bench_rival_run run;
        if (!bench_rival_run_in_child(scene, peer, setting, options, &run)) {
            fprintf(stderr, "bench_world: %s in %s could not be started\n", peer->name, scene->name);
            return false;
        }
        tell(scene, peer, setting, &run, options->csv);
    }
    return true;
}

static bool run_scene(const bench_rival_scene *scene, const bench_world_options *options)
{
    print_heading(scene);
    bool is_ok = run_engine(scene, &bench_world_cairn, options);
    for (int k = 0; k < bench_world_known_count() && is_ok; ++k) {
        bench_world_known known = bench_world_known_at(k);
        is_ok = !known.peer || run_engine(scene, known.peer, options);
    }
    return is_ok;
}

bool bench_world_peers(const bench_world_options *options)
{
    if (options->csv) {
        fputs("machine,compiler,scene,h,engine,version,setting,steps,done,figure,value,deepest,at_end,mean_ms,worst_ms,"
              "lost,"
              "complaints,verdict\n",
              options->csv);
    }
    print_head(options);
    for (int i = 0; i < bench_rival_count(); ++i) {
        const bench_rival_scene *scene = bench_rival_at(i);
        if (strstr(scene->name, options->scene) && !run_scene(scene, options)) {
            return false;
        }
    }
    return true;
}
