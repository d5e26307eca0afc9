/* cairn-papers: which papers there are, one of them or all, and what the answer is. */
#include "paper.h"

#include "cli/args.h"
#include "cli/cli.h"
#include "cli/folder.h"

#include <stdlib.h>
#include <string.h>

static const paper_known papers[] = {
    {"lloyd", "Lloyd: Fast Implementation of Lemke\u2019s Algorithm for Rigid Body Contact Simulation",
     "One body and stacked blocks by four methods, and growth far beyond the paper\u2019s sizes. Published figures "
     "were taken in Java on a 1 GHz Pentium III-M, so ratios between methods are what compares.",
     paper_lloyd, PAPER_TAKES_CONTACTS | PAPER_TAKES_DIRECTIONS | PAPER_TAKES_RUNS | PAPER_TAKES_SEED},
    {"enzenhofer",
     "Enzenh\u00f6fer, Teichmann, K\u00f6vecses: Pivoting Algorithms for LCPs in Redundant Contact Dynamics",
     "More than three legs carry a load in infinitely many ways. Lemke\u2019s method picks three of them, which "
     "three depends on the order; the motion does not, and neither do the most even impulses.",
     paper_enzenhofer, PAPER_TAKES_LEGS | PAPER_TAKES_RUNS},
    {"hart", "Hart, Anitescu: A Hard-Constraint Time-Stepping Approach for Rigid Multibody Dynamics",
     "One complementarity problem per step moves the bodies and takes back what the last step left of overlap. The "
     "paper prints its figures without numbers, so its sentences are what compares; infeasibility is the deepest "
     "overlap at the end of a step.",
     paper_hart, PAPER_TAKES_DT | PAPER_TAKES_SEED},
    {"yamane", "Yamane, Nakamura: A Numerically Robust LCP Solver for Simulating Articulated Rigid Bodies in Contact",
     "Joints are coordinates, so that they are exact and the contact LCP is dense and ill-conditioned. Methods are "
     "compared on the same frames and each in a run of its own. Published times were taken on a Xeon of 3.8 GHz, so "
     "ratios between methods are what compares.",
     paper_yamane, 0},
    {"slides", "Slides: How Linear Complementarity Problems Are Used in Physics Simulation",
     "The slides define the problems and give no measurements. Each definition that can be checked is held against "
     "our solvers: what they return has to satisfy it as it is written there.",
     paper_slides, 0},
    {"physics", "Physics that must come out right",
     "Scenes with a known answer, most of them from public reports of what goes wrong in simulators. Each is a "
     "scene of the gallery, simulated through the public interface. \u2018Published\u2019 is the answer of "
     "mechanics.",
     paper_physics, 0},
};
enum { PAPER_COUNT = sizeof papers / sizeof papers[0] };

static const char *const all_name = "all";

enum {
    OPT_OUT,
    OPT_CONTACTS,
    OPT_DIRECTIONS,
    OPT_LEGS,
    OPT_RUNS,
    OPT_DT,
    OPT_SEED,
    OPT_PROBLEMS,
    OPT_QUICK,
    OPT_JSON,
    OPT_HELP,
    OPT_TOTAL
};
static const cli_option options[OPT_TOTAL] = {
    {"--out", "DIR", "where the files go (default out/papers)"},
    {"--contacts", "N", "lloyd: the peg with N contacts, even, instead of the paper's sizes"},
    {"--directions", "D", "lloyd: corners of the friction polygon, even, 4 to 64 (8)"},
    {"--legs", "N", "enzenhofer: a frame with N legs, 3 to 64, instead of the paper's"},
    {"--runs", "N", "lloyd: random wrenches of a size; enzenhofer: loads on a frame"},
    {"--dt", "H", "hart: the Brazil nut with steps of H seconds, instead of the paper's figures"},
    {"--seed", "N", "hart: the start of the Brazil nut; lloyd: the wrenches"},
    {"--problems", "DIR", "write the problems and scenes of the papers there too"},
    {"--quick", NULL, "fewer repetitions and sizes: a look, not a measurement"},
    {"--json", NULL, "print the measured rows as one JSON array instead of the summary"},
    {"--help", NULL, "this text"},
};

typedef struct request {
    const char *directory, *problems; /* problems: NULL if they are not wanted */
    paper_sizes sizes;
    unsigned given; /* PAPER_TAKES_... of the sizes that were given */
    bool is_quick, is_json;
} request;

/* --- The answer --- */

static bool is_whole(const paper *p)
{
    return !p->is_broken && paper_count(p, CLI_BROKEN) == 0;
}

/* 0: every aim is met or cannot be compared. 1: one is not met. 2: something broke, which is said. */
static int judge(const paper *run, int count)
{
    int code = CLI_DONE;
    for (int i = 0; i < count; ++i) {
        if (!is_whole(&run[i])) {
            code = cli_fail("%s: %s", run[i].name,
                            run[i].is_broken ? run[i].error.text : "a measurement failed; the report says which");
        }
        code = code == CLI_DONE && paper_count(&run[i], CLI_NOT_MET) > 0 ? CLI_NO : code;
    }
    return code;
}

/* What is not met comes first. */
static void print_aims(const paper *p, bool is_full)
{
    static const char *const words[CLI_VERDICTS] = {"met", "NOT MET", "open", "BROKEN"};
    int order[PAPER_AIMS_MAX];
    cli_aim_order(p->aims, p->aim_count, order);
    for (int i = 0; i < p->aim_count; ++i) {
        const cli_aim *aim = &p->aims[order[i]];
        if (is_full || aim->verdict == CLI_NOT_MET || aim->verdict == CLI_BROKEN) {
            bool has_got = aim->got[0] != '\0', has_wanted = aim->wanted[0] != '\0';
            printf("%-8s %-66s %s%s%s%s\n", words[aim->verdict], aim->what, has_got ? aim->got : aim->why,
                   has_wanted ? " (aim: " : "", aim->wanted, has_wanted ? ")" : "");
            if (aim->verdict == CLI_NOT_MET) {
                printf("%-8s why: %s\n", "", aim->why);
            }
        }
    }
}

/* Of one paper all aims, of several those that are not met; then the counts. */
static void print_summary(const paper *run, int count)
{
    for (int i = 0; i < count; ++i) {
        if (count > 1) {
            printf("%-11s %2d rows: %2d met, %d not met, %d not comparable%s\n", run[i].name, run[i].aim_count,
                   paper_count(&run[i], CLI_MET), paper_count(&run[i], CLI_NOT_MET),
                   paper_count(&run[i], CLI_NOT_COMPARABLE), is_whole(&run[i]) ? "" : ", BROKEN");
        }
        print_aims(&run[i], count == 1);
    }
    if (count == 1 && run->has_sizes) {
        printf("%d rows measured; ", run->aim_count);
    } else if (count == 1) {
        printf("%d of %d aims met; ", paper_count(run, CLI_MET), run->aim_count);
    }
    printf("report in %s/%s.html\n", run->directory, count == 1 ? run->name : "index");
}

/* One paper: its rows. Several: an object of each, with its counts. */
static void print_json(const paper *run, int count)
{
    if (count == 1) {
        fwrite(run->json_text, 1, run->json_size, stdout);
        return;
    }
    for (int i = 0; i < count; ++i) {
        printf("%s{\"paper\":\"%s\",\"met\":%d,\"not_met\":%d,\"not_comparable\":%d,\"broken\":%d,\"is_whole\":%s,"
               "\"rows\":",
               i == 0 ? "[" : ",", run[i].name, paper_count(&run[i], CLI_MET), paper_count(&run[i], CLI_NOT_MET),
               paper_count(&run[i], CLI_NOT_COMPARABLE), paper_count(&run[i], CLI_BROKEN),
               is_whole(&run[i]) ? "true" : "false");
        fwrite(run[i].json_text, 1, run[i].json_size, stdout);
        printf("}");
    }
    printf("]\n");
}

/* --- Running --- */

/* Number `at` of `count` papers: measure and write its own files. */
static bool run_paper(const paper_known *known, const request *wanted, int at, int count, paper *p)
{
    *p = (paper){.known = known,
                 .name = known->name,
                 .directory = wanted->directory,
                 .problems = wanted->problems,
                 .sizes = wanted->sizes,
                 .has_sizes = wanted->given != 0,
                 .is_quick = wanted->is_quick};
    (void)snprintf(p->label, sizeof p->label, count > 1 ? "%s (%d of %d)" : "%s", known->name, at + 1, count);
    if (!paper_open(p)) {
        return false;
    }
    paper_run(p);
    return paper_write(p);
}

static bool write_index(const request *wanted, const paper *run, int count)
{
    char path[1200];
    (void)snprintf(path, sizeof path, "%s/index.html", wanted->directory);
    FILE *file = fopen(path, "w");
    if (!file) {
        return false;
    }
    paper_write_report(file, run, count);
    return fclose(file) == 0;
}

/* Papers first, ..., first + count - 1. All of them give the report over all. */
static int run_papers(const request *wanted, int first, int count)
{
    crn_error error = {.status = CRN_OK};
    if (cli_folder_make(wanted->directory, &error) != CRN_OK) {
        return cli_fail("--out: %s", error.text);
    }
    if (wanted->problems && cli_folder_make(wanted->problems, &error) != CRN_OK) {
        return cli_fail("--problems: %s", error.text);
    }
    paper *run = calloc((size_t)count, sizeof *run);
    bool ok = run != NULL;
    for (int i = 0; i < count && run; ++i) {
        ok = run_paper(&papers[first + i], wanted, i, count, &run[i]) && ok;
    }
    ok = ok && (count == 1 || write_index(wanted, run, count));
    int code = run ? judge(run, count) : cli_fail("out of memory");
    if (run && wanted->is_json) {
        print_json(run, count);
    } else if (run) {
        print_summary(run, count);
    }
    for (int i = 0; i < count && run; ++i) {
        paper_close(&run[i]);
    }
    free(run);
    return ok || code == CLI_BAD ? code : cli_fail("files in '%s' cannot be written", wanted->directory);
}

/* --- Command --- */

/* The papers, then "all". */
static const char *paper_name(int i)
{
    return i < PAPER_COUNT ? papers[i].name : i == PAPER_COUNT ? all_name : NULL;
}

/* The sizes that were given, and which. False after a message. */
static bool read_sizes(const cli_args *args, request *wanted)
{
    static const int option[] = {OPT_CONTACTS, OPT_DIRECTIONS, OPT_LEGS, OPT_RUNS, OPT_DT, OPT_SEED};
    paper_sizes *s = &wanted->sizes;
    for (int i = 0; i < (int)(sizeof option / sizeof option[0]); ++i) {
        wanted->given |= args->given[option[i]] ? 1U << i : 0U;
    }
    if (!cli_args_int(args, OPT_CONTACTS, 2, 4096, &s->contacts) ||
        !cli_args_int(args, OPT_DIRECTIONS, 4, 64, &s->directions) || !cli_args_int(args, OPT_LEGS, 3, 64, &s->legs) ||
        !cli_args_int(args, OPT_RUNS, 1, 20, &s->runs) || !cli_args_real(args, OPT_DT, 1e-5, 1.0, &s->dt) ||
        !cli_args_int(args, OPT_SEED, 1, 1000000, &s->seed)) {
        return false;
    }
    if (s->contacts % 2 != 0 || s->directions % 2 != 0) {
        (void)cli_fail("--%s: must be even", s->contacts % 2 != 0 ? "contacts" : "directions");
        return false;
    }
    return true;
}

/* Does the paper know every size that was given? False after a message. */
static bool takes_sizes(const request *wanted, int choice)
{
    unsigned known = choice < PAPER_COUNT ? papers[choice].takes : 0;
    const char *name = choice < PAPER_COUNT ? papers[choice].name : all_name;
    for (int i = 0; i < 6; ++i) {
        if (wanted->given & ~known & 1U << i) {
            (void)cli_fail("%s has no %s", name, options[OPT_CONTACTS + i].name);
            return false;
        }
    }
    return true;
}

static int run(int argc, char **argv)
{
    const char *given[OPT_TOTAL] = {0}, *files[1] = {NULL};
    cli_args args = {"papers", options, OPT_TOTAL, given, files, 0, 1};
    if (!cli_args_read(&args, argc, argv)) {
        return CLI_BAD;
    }
    if (args.file_count == 0) {
        return cli_fail("no paper named; try 'cairn-papers all' or 'cairn-papers --help'");
    }
    request wanted = {.directory = given[OPT_OUT] ? given[OPT_OUT] : "out/papers",
                      .problems = given[OPT_PROBLEMS],
                      .is_quick = given[OPT_QUICK] != NULL,
                      .is_json = given[OPT_JSON] != NULL};
    int choice = cli_args_argument(&args, 0, "paper", paper_name);
    if (choice < 0 || !read_sizes(&args, &wanted) || !takes_sizes(&wanted, choice)) {
        return CLI_BAD;
    }
    return choice == PAPER_COUNT ? run_papers(&wanted, 0, PAPER_COUNT) : run_papers(&wanted, choice, 1);
}

static const char *paper_title(int i)
{
    return i < PAPER_COUNT ? papers[i].title : "every paper, and one report over them";
}

static const cli_names names[] = {{.name = paper_name, .title = "papers", .about = paper_title}};

const cli_command papers_command = {
    .name = "papers",
    .summary = "measure a paper's figures again, with the published numbers beside",
    .usage = "NAME [OPTIONS]\n"
             "all [OPTIONS]",
    .about =
        "Measures a paper's figures again, with the published numbers beside ours; writes NAME.html, NAME.json and\n"
        "pictures. 'all' does so for every paper and writes one report over them, index.html. Rows that are not met "
        "come\n"
        "first, with the reason. Sizes of your own (--contacts, --legs, --dt, ...) are measured instead of the "
        "paper's.",
    .after = "Exit codes: 0 every aim is met, 1 one is not, 2 bad usage or a measurement broke.",
    .options = options,
    .option_count = OPT_TOTAL,
    .names = names,
    .name_count = sizeof names / sizeof names[0],
    .run = run,
};
