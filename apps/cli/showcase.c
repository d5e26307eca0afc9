/* cairn showcase -- the best scenes of the gallery, a row and a page for each. */
#include "showcase.h"

#include "args.h"
#include "cli.h"
#include "json.h"
#include "lessons.h"

#include <stdio.h>
#include <string.h>

/* The first one plays on the index page. */
static const exhibit exhibits[] = {
    {"gallery:cairn", "A cairn", 5.0},
    {"gallery:brazil-nut", "Brazil nut", 75.0},
    {"gallery:hoist", "Chain over a rod", 10.0},
    {"gallery:ring2", "Ring through ring", 4.0},
    {"gallery:humanoid", "Falling humanoid", 5.0},
    {"gallery:stack-100", "A hundred boxes", 10.0},
    {"gallery:table-8", "Table on eight legs", 2.0},
    {"gallery:net", "Capsules in a net", 2.0},
    {"gallery:stack-leaning", "Leaning tower", 5.0},
    {"gallery:stack-masses", "Heaviest on top", 10.0},
    {"gallery:disks", "A pile falls apart", 20.0},
    {"gallery:ellipse", "Rocking ellipse", 20.0},
    {"gallery:box-on-floor", "Sliding box", 1.0},
};
/* Of each scene that --quick runs. */
static const double quick_share = 0.1;

enum { EXHIBITS = sizeof exhibits / sizeof exhibits[0] };

enum { OPT_OUT, OPT_QUICK, OPT_JSON, OPT_HELP, OPT_TOTAL };
static const cli_option options[OPT_TOTAL] = {
    {"--out", "DIR", "write recordings and pages there: open DIR/index.html"},
    {"--quick", NULL, "a tenth of each scene: a look, not the show"},
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

/* Run a share of one scene; CLI_NO if a step was not solved. */
static int show(const exhibit *e, double share, showcase_pages *pages, bool is_json)
{
    sim_request request = {.scene = e->scene, .time = share * e->time, .scheme = -1, .method = -1, .cone = -1};
    sim_run run;
    crn_error error = {.status = CRN_OK};
    int code = CLI_BAD;
    crn_status status = sim_run_prepare(&run, &request, &error);
    if (status == CRN_OK) {
        showcase_pages_plan(pages, e, &request, crn_model_world_of(run.model)->dt);
        status = sim_run_go(&run, &error);
    }
    if (status == CRN_OK) {
        status = showcase_pages_add(pages, e, &run, &error);
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

static int show_all(double share, showcase_pages *pages, bool is_json)
{
    int code = CLI_DONE;
    crn_error error = {.status = CRN_OK};
    if (!is_json) {
        print_heading();
    }
    for (int i = 0; i < EXHIBITS && code != CLI_BAD; ++i) {
        int shown = show(&exhibits[i], share, pages, is_json);
        code = shown > code ? shown : code;
    }
    if (code != CLI_BAD && showcase_pages_finish(pages, &error) != CRN_OK) {
        code = cli_fail("%s", error.text);
    }
    if (code != CLI_BAD && pages->folder != NULL) {
        char lessons[CLI_PATH_SIZE];
        crn_status status = lessons_write(cli_folder_path(pages->folder, "lessons", lessons), &error);
        code = status == CRN_OK ? code : cli_fail("%s", error.text);
    }
    if (code != CLI_BAD && pages->folder != NULL && !is_json) {
        printf("written: %s/index.html and %s/lessons/index.html; open them in a browser\n", pages->folder,
               pages->folder);
    }
    return code;
}

static int run(int argc, char **argv)
{
    const char *given[OPT_TOTAL] = {NULL};
    cli_args args = {.command = "showcase", .options = options, .option_count = OPT_TOTAL, .given = given};
    showcase_pages pages;
    crn_error error = {.status = CRN_OK};
    if (!cli_args_read(&args, argc, argv)) {
        return CLI_BAD;
    }
    crn_status status = showcase_pages_open(&pages, given[OPT_OUT], EXHIBITS, &error);
    if (status == CRN_ERR_UNSUPPORTED) {
        (void)cli_fail("warning: no pages: %s", error.text);
        pages.folder = NULL;
        status = CRN_OK;
    }
    int code = status == CRN_OK
                   ? show_all(given[OPT_QUICK] != NULL ? quick_share : 1.0, &pages, given[OPT_JSON] != NULL)
                   : cli_fail("%s", error.text);
    showcase_pages_free(&pages);
    return code;
}

const cli_command cli_showcase_command = {
    .name = "showcase",
    .summary = "simulate the best scenes of the gallery and print the table",
    .usage = "showcase [--out DIR] [--quick] [--json]",
    .about = "Simulate the best scenes of the gallery and print a row for each. With --out, write a page for each that "
             "plays it,\n"
             "and an index page with pictures and figures.",
    .options = options,
    .option_count = OPT_TOTAL,
    .run = run,
};
