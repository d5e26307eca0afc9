/* cairn demo: the gallery's families of problems against every method, judged, as three small tables. */
#include "args.h"
#include "cli.h"
#include "json.h"
#include "progress.h"

#include "gallery.h"

#include <cairn/lcp.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A method with its settings, as a column of the tables. */
typedef struct entrant {
    const char *name;
    crn_lcp_method method;
    crn_lcp_variant variant;
    int max_pivots; /* 0: the method's own bound */
} entrant;

static const entrant entrants[] = {
    {"lemke", CRN_LCP_LEMKE, CRN_LCP_PLAIN, 0},     {"lemke-lex", CRN_LCP_LEMKE_LEX, CRN_LCP_PLAIN, 0},
    {"yamane", CRN_LCP_YAMANE, CRN_LCP_PLAIN, 600}, /* nodes: enough to see whether more would help */
    {"murty", CRN_LCP_MURTY, CRN_LCP_PLAIN, 2000},  {"block", CRN_LCP_MURTY, CRN_LCP_BLOCK, 2000},
    {"pgs", CRN_LCP_PGS, CRN_LCP_PLAIN, 2000},      {"search", CRN_LCP_SEARCH, CRN_LCP_PLAIN, 0},
    {"auto", CRN_LCP_AUTO, CRN_LCP_PLAIN, 0},
};
enum { ENTRANT_COUNT = sizeof entrants / sizeof entrants[0], MAX_PROBLEMS = 1000, DEFAULT_PROBLEMS = 15 };

/* What one entrant did on one family. */
typedef struct score {
    int problems;
    int right;        /* solved, or proved unsolvable where that is the truth */
    int false_solved; /* called solved, but the judge says no or there is no solution */
    double worst;     /* largest certificate of what was called solved */
    double median_us;
} score;

enum { OPT_COUNT, OPT_SEED, OPT_FAMILY, OPT_JSON, OPT_HELP, OPT_TOTAL };
static const cli_option options[OPT_TOTAL] = {
    {"--count", "N", "problems per family (default 15, or all of a smaller family)"},
    {"--seed", "N", "seed of the problems (default 1)"},
    {"--family", "NAME", "only this family"},
    {"--json", NULL, "one JSON object per family and method instead of the tables"},
    {"--help", NULL, "this text"},
};

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Solve one problem and judge the answer from the data, not from what the solver says. */
static bool meet(const entrant *e, const crn_gallery_family *family, const crn_lcp_problem *problem,
                 crn_workspace *work, score *s, double *microseconds)
{
    crn_lcp_options settings = crn_lcp_options_default(e->method);
    settings.variant = e->variant;
    settings.max_pivots = e->max_pivots;
    double *z = malloc(((size_t)problem->n + 1) * sizeof *z);
    crn_lcp_solution solution = {.z = z};
    crn_lcp_certificate judged = {0};
    crn_lcp_result result;
    crn_error error;
    bool ran = z != NULL && crn_lcp_solve(problem, &settings, work, &solution, &result, &error) == CRN_OK &&
               crn_lcp_certify(problem, z, work, &judged, &error) == CRN_OK;
    free(z);
    if (!ran) {
        return false;
    }
    bool says_solved = result.outcome == CRN_LCP_SOLVED;
    bool is_solvable = family->truth == CRN_GALLERY_SOLVABLE;
    bool is_true = says_solved && is_solvable && judged.relative <= settings.tol;
    ++s->problems;
    s->right += is_solvable ? is_true : result.outcome == CRN_LCP_INFEASIBLE;
    s->false_solved += says_solved && !is_true;
    s->worst = says_solved ? fmax(s->worst, judged.relative) : s->worst;
    *microseconds = 1e6 * result.seconds;
    return true;
}

/* One family against all entrants. */
static bool play(const crn_gallery_family *family, int count, uint64_t seed, crn_workspace *work,
                 score scores[ENTRANT_COUNT], cli_progress *progress, int *done)
{
    static const crn_lcp_data empty;
    double *times = malloc((size_t)count * ENTRANT_COUNT * sizeof *times);
    bool ok = times != NULL;
    for (int i = 0; i < count && ok; ++i) {
        crn_lcp_data data = empty;
        crn_error error;
        ok = family->make(i, seed, &data, &error) == CRN_OK;
        for (int m = 0; m < ENTRANT_COUNT && ok; ++m) {
            ok = meet(&entrants[m], family, &data.problem, work, &scores[m], &times[m * count + i]);
        }
        crn_lcp_data_free(&data);
        cli_progress_update(progress, ++*done);
    }
    for (int m = 0; m < ENTRANT_COUNT && ok; ++m) {
        qsort(times + m * count, (size_t)count, sizeof *times, by_value);
        scores[m].median_us = times[m * count + count / 2];
    }
    free(times);
    return ok;
}

/* --- tables --- */

typedef void cell_printer(const score *s);

static void print_right(const score *s)
{
    printf(" %9.0f%%", 100.0 * s->right / s->problems);
}

static void print_median(const score *s)
{
    printf(" %10.*f", s->median_us < 100.0 ? 1 : 0, s->median_us);
}

static void print_worst(const score *s)
{
    if (s->right + s->false_solved == 0 || s->worst == 0.0) {
        printf(" %10s", s->right > 0 ? "0" : "-");
    } else {
        printf(" %10.0e", s->worst);
    }
}

static void print_table(const char *title, const crn_gallery_family *families, int count,
                        score (*scores)[ENTRANT_COUNT], cell_printer *print_cell)
{
    printf("\n%s\n%-13s%9s", title, "", "problems");
    for (int m = 0; m < ENTRANT_COUNT; ++m) {
        printf(" %10s", entrants[m].name);
    }
    printf("\n");
    for (int f = 0; f < count; ++f) {
        if (scores[f][0].problems == 0) {
            continue;
        }
        printf("%-13s%9d", families[f].name, scores[f][0].problems);
        for (int m = 0; m < ENTRANT_COUNT; ++m) {
            print_cell(&scores[f][m]);
        }
        printf("\n");
    }
}

static void print_totals(int count, score (*scores)[ENTRANT_COUNT])
{
    printf("\n%-22s", "right answers");
    for (int m = 0; m < ENTRANT_COUNT; ++m) {
        int right = 0, problems = 0;
        for (int f = 0; f < count; ++f) {
            right += scores[f][m].right;
            problems += scores[f][m].problems;
        }
        printf(" %6d/%-3d", right, problems);
    }
    printf("\n%-22s", "false \"solved\"");
    for (int m = 0; m < ENTRANT_COUNT; ++m) {
        int wrong = 0;
        for (int f = 0; f < count; ++f) {
            wrong += scores[f][m].false_solved;
        }
        printf(" %10d", wrong);
    }
    printf("\n");
}

static void print_json(const crn_gallery_family *families, int count, score (*scores)[ENTRANT_COUNT])
{
    for (int f = 0; f < count; ++f) {
        for (int m = 0; m < ENTRANT_COUNT && scores[f][m].problems > 0; ++m) {
            const score *s = &scores[f][m];
            cli_json json = cli_json_begin(stdout);
            cli_json_string(&json, "family", families[f].name);
            cli_json_string(&json, "method", entrants[m].name);
            cli_json_int(&json, "problems", s->problems);
            cli_json_int(&json, "right", s->right);
            cli_json_int(&json, "false_solved", s->false_solved);
            cli_json_real(&json, "worst_certificate", s->worst);
            cli_json_fixed(&json, "median_us", s->median_us);
            cli_json_end(&json);
        }
    }
}

static void print_report(const crn_gallery_family *families, int count, score (*scores)[ENTRANT_COUNT])
{
    printf("Cairn %s: the gallery against every method. Each answer is judged from the original data.\n",
           crn_version());
    print_table("Right answers: solved with a certificate of at most 1e-9, or proved unsolvable (no-solution)",
                families, count, scores, print_right);
    print_table("Median time of a solve, microseconds (failures included)", families, count, scores, print_median);
    print_table("Worst certificate among the answers called solved", families, count, scores, print_worst);
    print_totals(count, scores);
    printf("\nyamane is bounded to 600 nodes here, murty, block and pgs to 2000 changes or sweeps.\n");
}

/* --- command --- */

/* Problems of a family in this run: 0 if it is not asked for. */
static int problems_of(const crn_gallery_family *family, const char *only, int wanted)
{
    if (only != NULL && strcmp(only, family->name) != 0) {
        return 0;
    }
    int count = wanted > 0 ? wanted : DEFAULT_PROBLEMS;
    return wanted <= 0 && family->default_count < count ? family->default_count : count;
}

static int play_all(const char *only, int wanted, uint64_t seed, bool is_json)
{
    int count, total = 0, done = 0;
    const crn_gallery_family *families = crn_gallery_families(&count);
    score(*scores)[ENTRANT_COUNT] = calloc((size_t)count, sizeof *scores);
    crn_workspace work = {0};
    for (int f = 0; f < count; ++f) {
        total += problems_of(&families[f], only, wanted);
    }
    cli_progress progress = cli_progress_begin("gallery", total);
    bool ok = scores != NULL;
    for (int f = 0; f < count && ok; ++f) {
        int problems = problems_of(&families[f], only, wanted);
        ok = problems == 0 || play(&families[f], problems, seed, &work, scores[f], &progress, &done);
    }
    cli_progress_clear(&progress);
    if (ok && is_json) {
        print_json(families, count, scores);
    } else if (ok) {
        print_report(families, count, scores);
    }
    crn_workspace_free(&work);
    free(scores);
    return ok ? CLI_DONE : cli_fail("demo: out of memory");
}

static const char *family_name(int i)
{
    int count;
    const crn_gallery_family *families = crn_gallery_families(&count);
    return i < count ? families[i].name : NULL;
}

static const char *family_about(int i)
{
    int count;
    return crn_gallery_families(&count)[i].what;
}

static int run(int argc, char **argv)
{
    const char *given[OPT_TOTAL] = {0}, *files[1];
    cli_args args = {"demo", options, OPT_TOTAL, given, files, 0, 0};
    int wanted = 0, family = 0;
    uint64_t seed = 1;
    if (!cli_args_read(&args, argc, argv) || !cli_args_name(&args, OPT_FAMILY, family_name, &family) ||
        !cli_args_int(&args, OPT_COUNT, 1, MAX_PROBLEMS, &wanted) || !cli_args_seed(&args, OPT_SEED, &seed)) {
        return CLI_BAD;
    }
    return play_all(given[OPT_FAMILY], wanted, seed, given[OPT_JSON] != NULL);
}

static const cli_names names[] = {
    {.option = "--family", .name = family_name, .title = "families", .about = family_about}};

const cli_command cli_demo_command = {
    .name = "demo",
    .summary = "solve the gallery's families with every method and print the table",
    .usage = "demo [OPTIONS]",
    .about = "Solves the gallery's families with every method and prints the tables.",
    .options = options,
    .option_count = OPT_TOTAL,
    .names = names,
    .name_count = sizeof names / sizeof names[0],
    .run = run,
};
