/* cairn showcase -- the best scenes of the gallery, one row each. */
#include "args.h"
#include "cli.h"
#include "json.h"
#include "sim_run.h"

#include <stdio.h>
#include <string.h>

/* A scene and for how long. */
typedef struct exhibit {
    const char *scene;
    double time; /* [s] */
} exhibit;

static const exhibit exhibits[] = {
    {"gallery:stack-100", 10.0}, {"gallery:stack-leaning", 5.0}, {"gallery:stack-masses", 10.0},
    {"gallery:hoist", 5.0},      {"gallery:net", 2.0},           {"gallery:ring2", 4.0},
    {"gallery:humanoid", 5.0},   {"gallery:box-on-floor", 1.0},  {"gallery:ellipse", 20.0},
    {"gallery:disks", 20.0},     {"gallery:brazil-nut", 75.0},
};
enum { EXHIBITS = sizeof exhibits / sizeof exhibits[0] };

enum { OPT_JSON, OPT_HELP, OPT_TOTAL };
static const cli_option options[OPT_TOTAL] = {
    {"--json", NULL, "one JSON object per scene instead of the table"},
    {"--help", NULL, "this text"},
};

static void print_heading(void)
{
    printf("%-14s %6s %6s %9s %10s %12s %12s %9s %10s\n", "scene", "steps", "bodies", "contacts", "certified",
           "certificate", "overlap [m]", "ms/step", "real time");
}

static void print_row(const exhibit *e, const sim_run *run)
{
    const sim_totals *t = &run->totals;
    double seconds = sim_mean(t->seconds_all, t->steps), dt = crn_world_definition(run->world)->dt;
    printf("%-14s %6d %6d %9.0f %9.1f%% %12.0e %12.0e %9.3f %9.0fx\n", strchr(e->scene, ':') + 1, t->steps,
           crn_model_bodies(run->model), sim_mean(t->contacts, t->steps), 100.0 * t->certified / t->steps,
           t->certificate.value, t->penetration.value, 1e3 * seconds, seconds > 0.0 ? dt / seconds : 0.0);
    (void)fflush(stdout);
}

static void print_json(const exhibit *e, const sim_run *run)
{
    const sim_totals *t = &run->totals;
    cli_json json = cli_json_begin(stdout);
    cli_json_string(&json, "scene", e->scene);
    cli_json_int(&json, "steps", t->steps);
    cli_json_int(&json, "certified_steps", t->certified);
    cli_json_real(&json, "certificate_worst", t->certificate.value);
    cli_json_real(&json, "penetration_worst", t->penetration.value);
    cli_json_real(&json, "contacts_mean", sim_mean(t->contacts, t->steps));
    cli_json_real(&json, "step_ms_mean", 1e3 * sim_mean(t->seconds_all, t->steps));
    cli_json_end(&json);
}

/* Run one scene; CLI_NO if a step was not solved. */
static int show(const exhibit *e, bool is_json)
{
    sim_request request = {.scheme = -1, .method = -1, .cone = -1};
    sim_run run;
    crn_error error = {.status = CRN_OK};
    int code = CLI_BAD;
    request.scene = e->scene;
    request.time = e->time;
    crn_status status = sim_run_prepare(&run, &request, &error);
    if (status == CRN_OK) {
        status = sim_run_go(&run, &error);
    }
    if (status == CRN_OK) {
        (is_json ? print_json : print_row)(e, &run);
        code = run.outcome == SIM_SOLVED ? CLI_DONE : CLI_NO;
    } else {
        (void)cli_fail("%s: %s", e->scene, error.text);
    }
    sim_run_free(&run);
    return code;
}

static int run(int argc, char **argv)
{
    const char *given[OPT_TOTAL] = {NULL};
    cli_args args = {.command = "showcase", .options = options, .option_count = OPT_TOTAL, .given = given};
    int code = CLI_DONE;
    if (!cli_args_read(&args, argc, argv)) {
        return CLI_BAD;
    }
    if (given[OPT_JSON] == NULL) {
        print_heading();
    }
    for (int i = 0; i < EXHIBITS && code != CLI_BAD; ++i) {
        int shown = show(&exhibits[i], given[OPT_JSON] != NULL);
        code = shown > code ? shown : code;
    }
    return code;
}

const cli_command cli_showcase_command = {
    .name = "showcase",
    .summary = "simulate the best scenes of the gallery and print the table",
    .usage = "showcase [--json]",
    .about = "Simulate the best scenes of the gallery and print a row for each.",
    .options = options,
    .option_count = OPT_TOTAL,
    .run = run,
};
