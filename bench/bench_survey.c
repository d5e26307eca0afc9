/* bench_survey.c -- random worlds (gallery/random_world.h), each stepped and judged from outside (gallery/survey.h).
 *
 *     bench_survey [--worlds N] [--steps N] [--seed S] [--jobs N] [--csv FILE] [--only SEED] [--verbose]
 *     bench_survey --scene FILE [--dt S] [--steps N] [--verbose]
 *     bench_survey --dump SEED FILE
 *
 * Ends with 0 only if every state is finite and no step that says it is certified has gained energy. */
#include "bench_survey.h"

#include <stdlib.h>
#include <string.h>

#include <cairn/io.h>

#include "machine.h"
#include "random_world.h"

static const char usage[] = "bench_survey: random worlds, stepped and judged\n"
                            "  --worlds N        how many (1000)\n"
                            "  --steps N         of each (100)\n"
                            "  --seed S          of the first world (1); the others follow\n"
                            "  --jobs N          processes (1)\n"
                            "  --csv FILE        a line per world\n"
                            "  --only SEED       one world; with --verbose a line per step\n"
                            "  --verbose         a line for each world that is not fine\n"
                            "  --scene FILE      judge a scene instead; --dt S: with another step\n"
                            "  --dump SEED FILE  write the scene, for `cairn sim FILE`\n";

typedef struct command {
    survey_options options;
    bool has_only, has_dump;
    uint64_t only;
    const char *dump, *scene;
    double dt; /* of the scene; 0: its own */
} command;

/* --- Arguments --- */

static bool read_seed(const char *text, uint64_t *seed)
{
    char *end = NULL;
    *seed = strtoull(text, &end, 10);
    return end != text && *end == '\0';
}

static bool read_count(const char *text, int *count)
{
    char *end = NULL;
    long value = strtol(text, &end, 10);
    *count = (int)value;
    return end != text && *end == '\0' && value > 0 && value <= 100000000;
}

static bool read_option(command *c, const char *name, const char *value)
{
    if (strcmp(name, "--worlds") == 0) {
        return read_count(value, &c->options.worlds);
    }
    if (strcmp(name, "--steps") == 0) {
        return read_count(value, &c->options.steps);
    }
    if (strcmp(name, "--jobs") == 0) {
        return read_count(value, &c->options.jobs);
    }
    if (strcmp(name, "--seed") == 0) {
        return read_seed(value, &c->options.seed);
    }
    if (strcmp(name, "--only") == 0) {
        c->has_only = true;
        return read_seed(value, &c->only);
    }
    if (strcmp(name, "--scene") == 0) {
        c->scene = value;
        return true;
    }
    if (strcmp(name, "--dt") == 0) {
        c->dt = strtod(value, NULL);
        return c->dt > 0.0;
    }
    if (strcmp(name, "--csv") == 0) {
        c->options.csv = fopen(value, "w");
        return c->options.csv != NULL;
    }
    return false;
}

static bool read_arguments(command *c, int argc, char **argv)
{
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "--verbose") == 0) {
            c->options.is_verbose = true;
        } else if (strcmp(argv[i], "--dump") == 0 && i + 2 < argc && read_seed(argv[i + 1], &c->only)) {
            c->has_dump = true;
            c->dump = argv[i + 2];
            i += 2;
        } else if (i + 1 < argc && read_option(c, argv[i], argv[i + 1])) {
            i += 1;
        } else {
            fprintf(stderr, "%s: not understood\n%s", argv[i], usage);
            return false;
        }
    }
    return true;
}

/* --- What it does --- */

static int dump(const command *c)
{
    crn_error error = {CRN_OK, ""};
    crn_model *model = NULL;
    crn_status status = crn_model_create(NULL, &model, &error);
    if (status == CRN_OK) {
        status = crn_random_world(c->only, model, &error);
    }
    if (status == CRN_OK) {
        status = crn_io_write_scene(c->dump, model, &error);
    }
    if (status != CRN_OK) {
        fprintf(stderr, "seed %llu: %s\n", (unsigned long long)c->only, error.text);
    }
    crn_model_destroy(model);
    return status == CRN_OK ? 0 : 1;
}

static void print_world(const survey_result *result)
{
    const crn_survey *v = &result->survey;
    printf("%-24s%s%s bodies %d joints %d (loops %d rows %d)%s%s%s%s dt %.2e: ", v->name,
           result->is_crashed ? " CRASHED" : "", result->is_refused ? " REFUSED" : "", v->bodies, v->joints, v->loops,
           v->rows, v->has_restitution ? " bounces" : "", v->has_overlap ? " overlapped" : "",
           v->opening_start > crn_survey_joint_tolerance ? " ajar" : "", v->is_closed ? "" : " worked", v->dt);
    printf("gain %.2e in %d from %d, unsolved %d convex %d, overlap %.1e in %d, open %.1e in %d %s%s\n", v->ratio,
           v->exceeded, v->first, v->unsolved, v->other_law, v->overlap, v->overlapping, v->opening, v->open,
           v->is_finite ? "" : "NOT FINITE ", v->text);
}

/* A scene of a file, judged as a random world is. */
static int judge_scene(const command *c)
{
    crn_error error = {CRN_OK, ""};
    crn_model *model = NULL;
    survey_result result = {0};
    crn_status status = crn_io_read_scene(c->scene, NULL, &model, &error);
    if (status == CRN_OK) {
        crn_world_def *world = crn_model_world(model);
        world->dt = c->dt > 0.0 ? c->dt : world->dt;
        status = crn_survey_run(model, c->options.steps, c->options.is_verbose ? stdout : NULL, &result.survey, &error);
    }
    if (status != CRN_OK) {
        fprintf(stderr, "%s\n", error.text);
    } else {
        print_world(&result);
    }
    crn_model_destroy(model);
    return status == CRN_OK && result.survey.is_finite && result.survey.exceeded_certified == 0 ? 0 : 1;
}

typedef struct tally {
    survey_sums sums;
    const survey_options *options;
} tally;

static bool is_fine(const survey_result *result)
{
    const crn_survey *v = &result->survey;
    bool is_run = !result->is_crashed && !result->is_refused && v->status == CRN_OK && v->is_finite;
    return is_run && v->exceeded == 0 && v->unsolved == 0 && v->overlapping == 0 && v->open == 0;
}

static void tell(void *user, const survey_result *result)
{
    tally *t = user;
    survey_sums_add(&t->sums, result);
    if (t->options->is_verbose && !is_fine(result)) {
        print_world(result);
    }
    if (t->options->csv != NULL) {
        survey_csv_line(t->options->csv, result);
    }
}

static int run(const command *c)
{
    tally t = {.options = &c->options};
    survey_sums_begin(&t.sums);
    if (c->options.csv != NULL) {
        survey_csv_heading(c->options.csv);
    }
    if (c->has_only) {
        survey_result result;
        survey_world(c->only, c->options.steps, c->options.is_verbose ? stdout : NULL, &result);
        tell(&t, &result);
        print_world(&result);
        return survey_sums_are_fine(&t.sums) ? 0 : 1;
    }
    printf("%s, %s; seeds %llu to %llu, %d steps each\n", bench_machine_cpu(), bench_machine_compiler(),
           (unsigned long long)c->options.seed, (unsigned long long)(c->options.seed + (uint64_t)c->options.worlds - 1),
           c->options.steps);
    bool is_run = survey_all(&c->options, tell, &t);
    survey_sums_print(&t.sums);
    return is_run && survey_sums_are_fine(&t.sums) ? 0 : 1;
}

int main(int argc, char **argv)
{
    command c = {.options = {.worlds = 1000, .steps = 100, .jobs = 1, .seed = 1}};
    if (!read_arguments(&c, argc, argv)) {
        return 2;
    }
    int code = c.has_dump ? dump(&c) : c.scene != NULL ? judge_scene(&c) : run(&c);
    if (c.options.csv != NULL && fclose(c.options.csv) != 0) {
        fprintf(stderr, "the CSV file could not be written\n");
        return 1;
    }
    return code;
}
