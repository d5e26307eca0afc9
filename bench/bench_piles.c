/* bench_piles.c -- piles under Coulomb's law: how many steps are exact, and what they cost.
 *
 *     bench_piles [--steps N] [--dt H] [--seed S] [--seeds N] [--convex] [--trace] [scene ...]
 *
 * Scenes: see below; none: all. Seeds S, S + 1, ...: one row for all of them. Steps are whole steps of a world, times the thread's
 * processor time. "exact" is the share of the steps with contacts whose problems are all solved for the law asked for, "certified" of
 * those in which nothing else is wrong either; "shift" counts steps that are exact for surfaces shifted by up to 1e-10 of a body,
 * "fail" problems not solved, "law" those solved by the convex law instead. */
#include "bench_piles.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cairn/world.h>

#include "gallery_worlds.h"
#include "machine.h"
#include "stats.h"
#include "thread.h"

/* --- Scenes --- */

typedef struct choice {
    const char *name;
    enum { POUR, RATIO, BOXES, MIXED, NUT, WALL } kind;
    int size;
    double h;
    int steps;
} choice;

static const choice choices[] = {
    {"pour-200", POUR, 200, 0.01, 400},   {"boxes-100", BOXES, 100, 0.01, 400}, {"mixed-150", MIXED, 150, 0.01, 400},
    {"ratio-200", RATIO, 200, 0.01, 400}, {"nut-fine", NUT, 0, 0.01, 400},      {"nut", NUT, 0, 0.1, 400},
    {"pour-1000", POUR, 1000, 0.01, 400}, {"pour-3000", POUR, 3000, 0.01, 200}, {"wall-170", WALL, 170, 0.01, 20},
    {"wall-700", WALL, 700, 0.01, 20},    {"wall-3500", WALL, 3500, 0.01, 20},
};
enum { CHOICES = sizeof choices / sizeof choices[0] };

static crn_status fill(const choice *c, uint64_t seed, crn_model *model, crn_error *error)
{
    switch (c->kind) {
    case POUR: return pile_pour(model, c->size, 1.0, seed, error);
    case RATIO: return pile_pour(model, c->size, 1e-3, seed, error);
    case BOXES: return pile_solids(model, c->size, false, seed, error);
    case MIXED: return pile_solids(model, c->size, true, seed, error);
    case WALL: return pile_wall(model, c->size, seed, error);
    default: return crn_gallery_brazil_nut_of(model, &(crn_gallery_nut){c->h, seed, CRN_SCHEME_COULOMB}, error);
    }
}

/* --- Running --- */

typedef struct options {
    int steps, seeds;
    double h; /* 0: the scene's */
    uint64_t seed;
    bool is_convex, is_traced;
} options;

typedef struct figures {
    double *ms;
    int steps, touching, failed, other_law, uncertified, in_parts, shifted; /* touching: steps with contacts */
    double contacts, iterations, seconds, certificate, overlap;
} figures;

static void note(figures *f, const crn_step_stats *stats, double seconds)
{
    bool is_failed = stats->failed >> CRN_VERDICT_PROBLEM & 1U, is_other = stats->failed >> CRN_VERDICT_LAW & 1U;
    f->ms[f->steps++] = 1e3 * seconds;
    f->touching += stats->contacts > 0;
    f->failed += is_failed;
    f->other_law += is_other && !is_failed;
    f->uncertified += stats->failed != 0;
    f->in_parts += stats->parts > 1;
    f->shifted += stats->shift > 0.0;
    f->contacts += stats->contacts;
    f->iterations += stats->iterations;
    f->seconds += seconds;
    f->certificate = fmax(f->certificate, stats->certificate);
    f->overlap = fmax(f->overlap, stats->penetration);
}

static void trace(int step, const crn_step_stats *stats, double seconds)
{
    printf("%5d %9.3f ms %5d contacts %3d problems %5d iterations %2d parts %-9s %.1e of %.1e\n", step, 1e3 * seconds,
           stats->contacts, stats->problems, stats->iterations, stats->parts, crn_verdict_name(stats->verdict),
           stats->amount, stats->allowed);
}

static crn_status step_through(crn_world *world, double h, int steps, bool is_traced, figures *f, crn_error *error)
{
    crn_status status = CRN_OK;
    for (int k = 0; k < steps && status == CRN_OK; ++k) {
        crn_step_stats stats;
        double start = bench_thread_seconds();
        status = crn_world_step(world, h, &stats, error);
        double seconds = bench_thread_seconds() - start;
        note(f, &stats, seconds);
        if (is_traced) {
            trace(k, &stats, seconds);
        }
    }
    return status;
}

/* One seed's run; its figures are added to those of the seeds before. */
static crn_status run(const choice *c, uint64_t seed, int steps, const options *o, figures *f, crn_error *error)
{
    crn_model *model = NULL;
    crn_world *world = NULL;
    crn_status status = crn_model_create(NULL, &model, error);
    if (status == CRN_OK) {
        status = fill(c, seed, model, error);
    }
    if (status == CRN_OK) {
        crn_model_world(model)->scheme = o->is_convex ? CRN_SCHEME_CONVEX : CRN_SCHEME_COULOMB;
        status = crn_world_create_from(model, NULL, &world, error);
    }
    if (status == CRN_OK) {
        status = step_through(world, o->h > 0.0 ? o->h : c->h, steps, o->is_traced, f, error);
    }
    crn_world_destroy(world);
    crn_model_destroy(model);
    return status;
}

static void print_row(const char *name, int seeds, figures *f)
{
    double n = f->steps, touching = f->touching > 0 ? f->touching : 1;
    printf("%-10s %5d %6d %7.0f %8.3f %9.3f %9.3f %9.3f %9.3f %9.3f %7.1f %5d %5d %5d %5d %8.1e %8.1e\n", name, seeds,
           f->steps, f->contacts / n, 100.0 * (1.0 - (f->failed + f->other_law) / touching),
           100.0 * (1.0 - f->uncertified / touching), 1e3 * f->seconds / n, bench_quantile(f->ms, f->steps, 0.5),
           bench_quantile(f->ms, f->steps, 0.99), bench_quantile(f->ms, f->steps, 1.0), f->iterations / n, f->failed,
           f->other_law, f->in_parts, f->shifted, f->certificate, f->overlap);
    fflush(stdout);
}

static bool run_choice(const choice *c, const options *o)
{
    figures f = {0};
    crn_error error;
    int steps = o->steps > 0 ? o->steps : c->steps;
    f.ms = calloc((size_t)steps * (size_t)o->seeds, sizeof *f.ms);
    crn_status status = f.ms ? CRN_OK : crn_fail(&error, CRN_ERR_MEMORY, "out of memory");
    for (int i = 0; i < o->seeds && status == CRN_OK; ++i) {
        status = run(c, o->seed + (uint64_t)i, steps, o, &f, &error);
    }
    if (status == CRN_OK) {
        print_row(c->name, o->seeds, &f);
    } else {
        fprintf(stderr, "bench_piles: %s: %s\n", c->name, error.text);
    }
    free(f.ms);
    return status == CRN_OK;
}

/* --- */

static bool read_scene(const char *text, bool *is_wanted)
{
    for (int c = 0; c < CHOICES; ++c) {
        if (strcmp(text, choices[c].name) == 0) {
            is_wanted[c] = true;
            return true;
        }
    }
    fprintf(stderr, "bench_piles: no option or scene '%s'\n", text);
    return false;
}

int main(int count, char **argument)
{
    options o = {.seed = 1, .seeds = 1};
    bool is_ok = true, is_any = false, is_wanted[CHOICES] = {false};
    for (int i = 1; i < count && is_ok; ++i) {
        bool has_value = i + 1 < count;
        if (strcmp(argument[i], "--trace") == 0) {
            o.is_traced = true;
        } else if (strcmp(argument[i], "--convex") == 0) {
            o.is_convex = true;
        } else if (strcmp(argument[i], "--steps") == 0 && has_value) {
            o.steps = atoi(argument[++i]);
        } else if (strcmp(argument[i], "--dt") == 0 && has_value) {
            o.h = atof(argument[++i]);
        } else if (strcmp(argument[i], "--seed") == 0 && has_value) {
            o.seed = (uint64_t)atoll(argument[++i]);
        } else if (strcmp(argument[i], "--seeds") == 0 && has_value) {
            ++i;
            o.seeds = atoi(argument[i]) > 1 ? atoi(argument[i]) : 1;
        } else {
            is_ok = is_any = read_scene(argument[i], is_wanted);
        }
    }
    if (!is_ok) {
        return 2;
    }
    printf("%s, %s; thread CPU time of a step [ms]\n", bench_machine_cpu(), bench_machine_compiler());
    printf("%-10s %5s %6s %7s %8s %9s %9s %9s %9s %9s %7s %5s %5s %5s %5s %8s %8s\n", "scene", "seeds", "steps",
           "contact", "exact %", "certif. %", "mean", "median", "p99", "worst", "iter", "fail", "law", "parts", "shift",
           "worst", "overlap");
    for (int c = 0; c < CHOICES && is_ok; ++c) {
        is_ok = (is_any && !is_wanted[c]) || run_choice(&choices[c], &o);
    }
    return is_ok ? 0 : 1;
}
