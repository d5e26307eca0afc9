/* bench_robots.c -- every URDF and MJCF of the collection, loaded and dropped on a floor.
 *
 *     bench_robots [--file NAME] [--seconds S] [--dt S] [--drop M] [--turn SEED] [--self] [--csv FILE] [--dump PREFIX]
 *                  [--trace] [--contacts] [--peers]
 *
 * The collection is in the folder that CAIRN_DATA names, else in ../shared/data. Robots that float fall 0.1 m; arms and what
 * hangs swing from their base. Times are processor time of the thread, collision included. */
#include "bench_robots.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"

static const char usage[] = "bench_robots: every URDF and MJCF of the collection, dropped on a floor\n"
                            "  --file NAME    only files whose name contains this\n"
                            "  --seconds S    of motion (5)\n"
                            "  --dt S         step (0.001)\n"
                            "  --drop M       height of fall (0.1)\n"
                            "  --turn SEED    begin in a random orientation\n"
                            "  --self         links of URDF touch one another\n"
                            "  --csv FILE     write the figures there too\n"
                            "  --dump PREFIX  write problems that are not solved to files that begin so\n"
                            "  --contacts     instead: contacts over the last second, before and after reduction\n"
                            "  --peers        instead: microseconds a step beside MuJoCo, every MJCF file as it is\n"
                            "  --trace        print steps that are not solved, and every 100th\n";

typedef struct command {
    robot_options options;
    robot_start start;
    const char *file, *folder;
    FILE *csv;
    bool has_peers;
} command;

static void print_heading(const command *c)
{
    printf("%s, %s; %g s at %g ms, drop %g m\n", bench_machine_cpu(), bench_machine_compiler(), c->options.seconds,
           1e3 * c->options.dt, c->start.drop);
    if (c->options.are_contacts_counted) {
        printf("%-44s %6s %10s %10s %10s %10s\n", "file", "pairs", "candidates", "merged", "contacts", "active");
        return;
    }
    printf("%-44s %6s %3s %8s %4s %8s %8s %5s %5s %5s %8s %9s %9s %9s %9s %8s %9s %7s %4s\n", "file", "bodies", "dof",
           "mass", "warn", "steps/s", "slow ms", "fail", "relax", "convex", "certif.", "penetr.", "gain", "rise",
           "clamped", "force", "speed", "contact", "nan");
    if (c->csv) {
        fprintf(c->csv,
                "file,loaded,bodies,dof,mass,warnings,steps,seconds,slowest,unsolved,relaxed,convex,certificate,"
                "penetration,gain,rise,clamped,force,speed,contacts,pivots,iterations,repairs,finite,message\n");
    }
}

static void print_failure(const command *c, const robot_file *file, const char *text)
{
    printf("%-44s not loaded: %s\n", file->name, text);
    if (c->csv) {
        fprintf(c->csv, "%s,0,,,,,,,,,,,,,,,,,,,,,,,\"%s\"\n", file->name, text);
    }
}

static void print_figures(const command *c, const robot_file *file, const robot_scene *s, const robot_figures *f,
                          const char *text)
{
    printf("%-44s %6d %3d %8.3g %4d %8.0f %8.2f %5d %5d %5d %9.1e %9.1e %9.1e %9.1e %9.1e", file->name, s->bodies,
           s->freedom, s->mass, s->warnings, f->steps / f->seconds, 1e3 * f->slowest, f->unsolved, f->relaxed,
           f->convex, f->certificate, f->penetration, f->gain, f->rise, f->clamped);
    if (s->is_held) {
        printf(" %8s", "held");
    } else {
        printf(" %8.4f", f->force);
    }
    printf(" %9.1e %7.1f %4s %s\n", f->speed, f->contacts, f->is_finite ? "no" : "YES", text);
    if (c->csv) {
        fprintf(c->csv,
                "%s,1,%d,%d,%.17g,%d,%d,%.6g,%.6g,%d,%d,%d,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%d,"
                "\"%s\"\n",
                file->name, s->bodies, s->freedom, s->mass, s->warnings, f->steps, f->seconds, f->slowest, f->unsolved,
                f->relaxed, f->convex, f->certificate, f->penetration, f->gain, f->rise, f->clamped, f->force, f->speed,
                f->contacts, f->pivots, f->iterations, f->repairs, f->is_finite, text);
    }
    fflush(stdout);
}

static void print_contacts(const robot_file *file, const robot_contacts *k)
{
    double n = k->looks > 0 ? k->looks : 1;
    printf("%-44s %6.1f %10.1f %10.1f %10.1f %10.1f\n", file->name, k->pairs / n, k->candidates / n, k->merged / n,
           k->contacts / n, k->active / n);
    fflush(stdout);
}

/* Files of MJCF only. */
static void compare(const robot_file *file, FILE *csv)
{
    const char *end = strrchr(file->name, '.');
    if (end != NULL && strcmp(end, ".xml") == 0) {
        robot_compare(file, csv);
    }
}

static void run(const command *c, const robot_file *file)
{
    if (c->has_peers) {
        compare(file, c->csv);
        return;
    }
    robot_scene scene;
    robot_figures figures;
    crn_error error = {CRN_OK, ""};
    if (robot_load(file, &c->start, &scene, &error) != CRN_OK) {
        print_failure(c, file, error.text);
    } else {
        crn_status status = robot_drop(file, &scene, &c->options, &figures, &error);
        if (c->options.are_contacts_counted) {
            print_contacts(file, &figures.counted);
        } else {
            print_figures(c, file, &scene, &figures, status == CRN_OK ? "" : error.text);
        }
        if (c->options.is_traced && scene.warnings > 0) {
            printf("  first warning: %s\n", scene.warning);
        }
    }
    robot_free(&scene);
}

static bool read_number(const char *text, double *value)
{
    char *end = NULL;
    *value = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*value) && *value > 0.0;
}

static bool read_option(command *c, const char *name, const char *value)
{
    if (strcmp(name, "--file") == 0) {
        c->file = value;
    } else if (strcmp(name, "--dump") == 0) {
        c->options.dump = value;
    } else if (strcmp(name, "--seconds") == 0) {
        return read_number(value, &c->options.seconds);
    } else if (strcmp(name, "--dt") == 0) {
        return read_number(value, &c->options.dt);
    } else if (strcmp(name, "--drop") == 0) {
        return read_number(value, &c->start.drop);
    } else if (strcmp(name, "--turn") == 0) {
        c->start.turn = strtoull(value, NULL, 10);
    } else if (strcmp(name, "--csv") == 0) {
        c->csv = fopen(value, "w");
        return c->csv != NULL;
    } else {
        return false;
    }
    return true;
}

static bool read_options(command *c, int count, char **argument)
{
    for (int i = 1; i < count; ++i) {
        if (strcmp(argument[i], "--trace") == 0) {
            c->options.is_traced = true;
        } else if (strcmp(argument[i], "--contacts") == 0) {
            c->options.are_contacts_counted = true;
        } else if (strcmp(argument[i], "--peers") == 0) {
            c->has_peers = true;
        } else if (strcmp(argument[i], "--self") == 0) {
            c->start.self_collision = true;
        } else if (i + 1 < count && read_option(c, argument[i], argument[i + 1])) {
            ++i;
        } else {
            fputs(usage, stderr);
            return false;
        }
    }
    return true;
}

int main(int count, char **argument)
{
    command c = {.options = {.dt = 1e-3, .seconds = 5.0}, .start = {.drop = 0.1}, .folder = getenv("CAIRN_DATA")};
    robot_file *file = NULL;
    c.folder = c.folder ? c.folder : CAIRN_SOURCE_DIR "/../shared/data";
    if (!read_options(&c, count, argument)) {
        return 2;
    }
    int files = robot_list(c.folder, &file);
    if (files <= 0) {
        printf("skipped: no robots in %s (set CAIRN_DATA to the folder of the collections)\n", c.folder);
        free(file);
        return 0;
    }
    if (c.has_peers && !robot_has_peers()) {
        printf("skipped: built without MuJoCo (tools/setup --peers)\n");
        free(file);
        return 0;
    }
    if (c.has_peers) {
        printf("%s, %s\n", bench_machine_cpu(), bench_machine_compiler());
        robot_print_comparison_heading(c.csv);
    } else {
        print_heading(&c);
    }
    for (int i = 0; i < files; ++i) {
        if (!c.file || strstr(file[i].name, c.file)) {
            run(&c, &file[i]);
        }
    }
    free(file);
    return c.csv && fclose(c.csv) != 0 ? 1 : 0;
}
