/* cairn paper: which papers there are, and where their reports go. */
#include "paper.h"

#include "args.h"
#include "cli.h"

#include <stdarg.h>

typedef struct known_paper {
    const char *name, *title, *what;
    const char *lead; /* of the report */
    bool (*run)(paper *p);
} known_paper;

static const known_paper papers[] = {
    {"lloyd", "Lloyd: Fast Implementation of Lemke\u2019s Algorithm for Rigid Body Contact Simulation",
     "Figures 5 to 8 and 10: one body and stacked blocks by four methods, and growth far beyond the paper\u2019s "
     "sizes.",
     "Published figures were taken in Java on a 1 GHz Pentium III-M, so ratios between methods are what compares. "
     "Ours: one thread, times of whole calls with their certificate, averaged over the random wrenches solved.",
     paper_lloyd},
    {"enzenhofer",
     "Enzenh\u00f6fer, Teichmann, K\u00f6vecses: Pivoting Algorithms for LCPs in Redundant Contact Dynamics",
     "Frictionless n-legged frames: who solves them, which legs carry the load, and what does not depend on the order.",
     "More than three legs carry a load in infinitely many ways. Lemke\u2019s method picks three of them, which three "
     "depends on the order; the motion does not, and neither do the most even impulses.",
     paper_enzenhofer},
    {"hart", "Hart, Anitescu: A Hard-Constraint Time-Stepping Approach for Rigid Multibody Dynamics",
     "Figures 1 to 9: an ellipse, a pile of 21 disks and a Brazil nut, with and without constraint stabilisation.",
     "One complementarity problem per step moves the bodies and takes back what the last step left of overlap. The "
     "paper prints its figures without numbers, so its sentences are what compares; infeasibility is the deepest "
     "overlap "
     "at the end of a step.",
     paper_hart},
    {"yamane", "Yamane, Nakamura: A Numerically Robust LCP Solver for Simulating Articulated Rigid Bodies in Contact",
     "Tables I to III and Figure 2: a humanoid squats and dances, a chain over a rod, rings, a net; who solves which "
     "frames.",
     "Joints are coordinates, so that they are exact and the contact LCP is dense and ill-conditioned. Methods are "
     "compared on the same "
     "frames and each in a run of its own. Published times were taken on a Xeon of 3.8 GHz, so ratios between methods "
     "are what compares.",
     paper_yamane},
};
enum { PAPER_COUNT = sizeof papers / sizeof papers[0] };

enum { OPT_OUT, OPT_QUICK, OPT_JSON, OPT_HELP, OPT_TOTAL };
static const cli_option options[OPT_TOTAL] = {
    {"--out", "DIR", "where the files go (default out/papers)"},
    {"--quick", NULL, "fewer repetitions and sizes: a look, not a measurement"},
    {"--json", NULL, "print the measured rows as one JSON array instead of the summary"},
    {"--help", NULL, "this text"},
};

void paper_steps(paper *p, int total)
{
    p->progress = cli_progress_begin(p->name, total);
    p->done = 0;
}

void paper_step(paper *p)
{
    cli_progress_update(&p->progress, ++p->done);
}

cli_json paper_row(paper *p, const char *figure)
{
    fputs(p->has_rows ? "," : "", p->json);
    p->has_rows = true;
    cli_json row = cli_json_begin(p->json);
    cli_json_string(&row, "figure", figure);
    return row;
}

void paper_published(paper *p, const char *claim)
{
    p->published = claim;
}

void paper_aim(paper *p, bool is_met, const char *what, const char *wanted, const char *got_format, ...)
{
    va_list arguments;
    cli_aim *aim = &p->aims[p->aim_count];
    if (p->aim_count == PAPER_AIMS_MAX) {
        return;
    }
    ++p->aim_count;
    va_start(arguments, got_format);
    (void)vsnprintf(aim->got, sizeof aim->got, got_format, arguments);
    va_end(arguments);
    (void)snprintf(aim->what, sizeof aim->what, "%s", what);
    (void)snprintf(aim->wanted, sizeof aim->wanted, "%s", wanted);
    (void)snprintf(aim->published, sizeof aim->published, "%s", p->published ? p->published : "");
    aim->is_met = is_met;
    cli_json row = paper_row(p, "aim");
    cli_json_string(&row, "what", what);
    if (p->published) {
        cli_json_string(&row, "published", p->published);
        p->published = NULL;
    }
    cli_json_string(&row, "aim", wanted);
    cli_json_string(&row, "got", aim->got);
    cli_json_bool(&row, "is_met", is_met);
    cli_json_end(&row);
}

static FILE *open_file(const char *directory, const char *name, const char *ending)
{
    char path[1200];
    int length = snprintf(path, sizeof path, "%s/%s%s", directory, name, ending);
    return length > 0 && (size_t)length < sizeof path ? fopen(path, "w+") : NULL;
}

void paper_picture(paper *p, const char *file, void (*draw)(FILE *out, const void *what), const void *what,
                   const char *caption)
{
    char name[80];
    (void)snprintf(name, sizeof name, "%s-%s", p->name, file);
    FILE *svg = open_file(p->directory, name, ".svg");
    if (!svg) {
        p->is_broken = true;
        (void)crn_fail(&p->error, CRN_ERR_IO, "%s/%s.svg cannot be written", p->directory, name);
        return;
    }
    draw(svg, what);
    p->is_broken = fclose(svg) != 0 || p->is_broken;
    cli_page_figure(&p->report);
    draw(p->html, what);
    cli_page_figure_end(&p->report, caption);
}

static void draw_plot(FILE *out, const void *what)
{
    cli_plot_write(what, out);
}

void paper_plot(paper *p, const char *file, const cli_plot *plot, const char *caption)
{
    paper_picture(p, file, draw_plot, plot, caption);
}

/* --- command --- */

static bool has_report(const char *directory, const char *name)
{
    char path[1200];
    (void)snprintf(path, sizeof path, "%s/%s.html", directory, name);
    FILE *file = fopen(path, "r");
    return file != NULL && fclose(file) == 0;
}

/* A page with a link to every report there is. */
static bool write_index(const char *directory)
{
    FILE *file = open_file(directory, "index", ".html");
    if (!file) {
        return false;
    }
    cli_page report = cli_page_begin(file, "Papers, measured again",
                                     "Each page shows a paper\u2019s figures with Cairn\u2019s beside them, and "
                                     "says which aims are met. Numbers are in the JSON files next to the pages.");
    for (int i = 0; i < PAPER_COUNT; ++i) {
        if (has_report(directory, papers[i].name)) {
            char address[64];
            (void)snprintf(address, sizeof address, "%s.html", papers[i].name);
            cli_page_link(&report, address, papers[i].title, papers[i].what);
        }
    }
    cli_page_end(&report);
    return fclose(file) == 0;
}

static void print_summary(const paper *p)
{
    int met = 0;
    for (int i = 0; i < p->aim_count; ++i) {
        met += p->aims[i].is_met;
        printf("%-8s %-66s %s (aim: %s)\n", p->aims[i].is_met ? "met" : "NOT MET", p->aims[i].what, p->aims[i].got,
               p->aims[i].wanted);
    }
    printf("%d of %d aims met; report in %s/%s.html\n", met, p->aim_count, p->directory, p->name);
}

static void print_file(FILE *file)
{
    char block[4096];
    size_t length;
    rewind(file);
    while ((length = fread(block, 1, sizeof block, file)) > 0) {
        fwrite(block, 1, length, stdout);
    }
}

/* The head of both files, the paper, their end. */
static bool run_paper(const known_paper *known, paper *p)
{
    fputs("[\n", p->json);
    p->report = cli_page_begin(p->html, known->title, known->lead);
    if (p->is_quick) {
        cli_page_text(&p->report, "This is a quick run: few repetitions, small sizes.");
    }
    bool ok = known->run(p) && !p->is_broken;
    cli_progress_clear(&p->progress);
    cli_page_end(&p->report);
    fputs("]\n", p->json);
    return ok;
}

static int make_report(const known_paper *known, const char *directory, bool is_quick, bool is_json)
{
    paper p = {.name = known->name, .directory = directory, .is_quick = is_quick};
    if (!cli_make_directory(directory)) {
        return cli_fail("paper: --out: no directory '%s', and none can be made", directory);
    }
    p.json = open_file(directory, known->name, ".json");
    p.html = open_file(directory, known->name, ".html");
    bool has_files = p.json && p.html;
    bool ok = has_files && run_paper(known, &p);
    if (ok && is_json) {
        print_file(p.json);
    } else if (ok) {
        print_summary(&p);
    }
    bool is_written = (!p.json || fclose(p.json) == 0) && (!p.html || fclose(p.html) == 0) && write_index(directory);
    crn_workspace_free(&p.work);
    if (!ok && has_files) {
        return cli_fail("paper: %s: %s", known->name, p.error.text[0] ? p.error.text : "out of memory");
    }
    return has_files && is_written ? CLI_DONE : cli_fail("paper: files in '%s' cannot be written", directory);
}

static const char *paper_name(int i)
{
    return i < PAPER_COUNT ? papers[i].name : NULL;
}

static int run(int argc, char **argv)
{
    const char *given[OPT_TOTAL] = {0}, *files[1] = {NULL};
    cli_args args = {"paper", options, OPT_TOTAL, given, files, 0, 1};
    if (!cli_args_read(&args, argc, argv)) {
        return CLI_BAD;
    }
    if (args.file_count == 0) {
        return cli_fail("paper: no paper named; try 'cairn paper --help'");
    }
    int choice = cli_args_argument(&args, 0, "paper", paper_name);
    if (choice < 0) {
        return CLI_BAD;
    }
    const char *directory = given[OPT_OUT] ? given[OPT_OUT] : "out/papers";
    return make_report(&papers[choice], directory, given[OPT_QUICK] != NULL, given[OPT_JSON] != NULL);
}

static const char *paper_title(int i)
{
    return papers[i].title;
}

static const cli_names names[] = {{.name = paper_name, .title = "papers", .about = paper_title}};

const cli_command cli_paper_command = {
    .name = "paper",
    .summary = "measure a paper's figures again, with the published numbers beside",
    .usage = "paper NAME [OPTIONS]",
    .about = "Measures a paper's figures again; writes NAME.html, NAME.json and pictures.",
    .options = options,
    .option_count = OPT_TOTAL,
    .names = names,
    .name_count = sizeof names / sizeof names[0],
    .run = run,
};
