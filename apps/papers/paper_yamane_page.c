/* The page about [YN08]: tables with the published numbers below ours, rows of the JSON file, plots. */
#include "paper_yamane.h"

#include <math.h>

/* [YN08 tables 1, 2]. */
typedef struct published {
    const char *name;
    int frames, success, no_solution, cycle, error, pivots;
    double contacts, active, lcp_ms, step_ms;
} published;

enum { TABLE_1 = 6, TABLE_2 = 2 };
static const published table_1[TABLE_1] = {{"proposed", 999, 999, 0, 0, 0, 0, 15.4, 2.18, 0.0, 0.0},
                                           {"Lemke", 998, 506, 52, 157, 283, 0, 16.1, 3.03, 0.0, 0.0},
                                           {"lexicographic, D = 0", 998, 514, 27, 147, 310, 0, 16.0, 3.02, 0.0, 0.0},
                                           {"lexicographic, D = 1e-8", 998, 900, 17, 18, 63, 0, 15.9, 3.03, 0.0, 0.0},
                                           {"lexicographic, D = 1e-6", 1000, 990, 3, 2, 5, 0, 12.1, 2.30, 0.0, 0.0},
                                           {"lexicographic, D = 1e-4", 1000, 996, 3, 0, 1, 0, 15.5, 2.55, 0.0, 0.0}};
static const published table_2[TABLE_2] = {
    {"proposed", 9670, 9670, 0, 0, 0, 34335, 7.19, 1.70, 0.182, 3.54},
    {"lexicographic, D = 1e-10", 9656, 9620, 13, 7, 16, 71102, 6.89, 2.02, 0.375, 3.49}};

static const char *const start_name[2] = {"cold", "frictionless"};

/* --- Rows --- */

static void write_tally(paper *p, const char *table, yamane_kind kind, const char *start, const yamane_tally *tally)
{
    cli_json row = paper_row(p, table);
    cli_json_string(&row, "run", "same");
    cli_json_string(&row, "method", yamane_kind_name[kind]);
    cli_json_string(&row, "start", start);
    cli_json_int(&row, "frames", tally->frames);
    cli_json_int(&row, "success", tally->verdict[YAMANE_SUCCESS]);
    cli_json_int(&row, "certified", tally->strict);
    cli_json_int(&row, "no_solution", tally->verdict[YAMANE_NO_SOLUTION]);
    cli_json_int(&row, "cycle", tally->verdict[YAMANE_CYCLE]);
    cli_json_int(&row, "error", tally->verdict[YAMANE_ERROR]);
    cli_json_real(&row, "worst_certificate", tally->worst);
    cli_json_int(&row, "pivots", tally->pivots);
    cli_json_real(&row, "lcp_ms", yamane_mean_ms(tally));
    cli_json_end(&row);
}

static void write_run(paper *p, const char *table, const yamane_run *run, yamane_kind kind)
{
    cli_json row = paper_row(p, table);
    cli_json_string(&row, "run", "own");
    cli_json_string(&row, "scene", run->scene);
    cli_json_string(&row, "method", yamane_kind_name[kind]);
    cli_json_real(&row, "h", run->dt);
    cli_json_int(&row, "steps", run->steps);
    cli_json_int(&row, "frames", run->frames);
    cli_json_int(&row, "failures", run->failures);
    cli_json_int(&row, "without_any", run->fallbacks);
    cli_json_real(&row, "contacts", run->contacts);
    cli_json_real(&row, "active", run->active);
    cli_json_int(&row, "no_solution", run->own.verdict[YAMANE_NO_SOLUTION]);
    cli_json_int(&row, "cycle", run->own.verdict[YAMANE_CYCLE]);
    cli_json_int(&row, "error", run->own.verdict[YAMANE_ERROR]);
    cli_json_int(&row, "pivots", run->own.pivots);
    cli_json_real(&row, "lcp_ms", run->lcp_ms);
    cli_json_real(&row, "step_ms", run->step_ms);
    cli_json_real(&row, "worst_step_ms", run->worst_ms);
    cli_json_real(&row, "worst_certificate", run->certificate);
    cli_json_real(&row, "overlap", run->overlap);
    cli_json_real(&row, "loop", run->loop);
    cli_json_real(&row, "joint", run->joint);
    cli_json_real(&row, "gain", yamane_gain(run));
    cli_json_real(&row, "lowest", run->lowest);
    cli_json_real(&row, "least_upright", run->least_up);
    cli_json_end(&row);
}

static void write_starts(paper *p, const yamane_scene *scene, const yamane_starts *starts)
{
    cli_json row = paper_row(p, "starts");
    cli_json_string(&row, "scene", scene->name);
    cli_json_real(&row, "h", scene->dt);
    cli_json_int(&row, "runs", starts->runs);
    cli_json_int(&row, "frames", starts->frames);
    cli_json_int(&row, "failures", starts->failures);
    cli_json_real(&row, "overlap", starts->overlap);
    cli_json_real(&row, "loop", starts->loop);
    cli_json_real(&row, "joint", starts->joint);
    cli_json_real(&row, "gain", starts->gain);
    cli_json_real(&row, "lowest", starts->lowest);
    cli_json_end(&row);
}

static void write_force(paper *p, const yamane_run *run, yamane_kind kind)
{
    cli_json row = paper_row(p, "2");
    cli_json_string(&row, "method", yamane_kind_name[kind]);
    cli_json_real(&row, "weight", run->weight);
    cli_json_reals(&row, "time", run->steps, run->time);
    cli_json_reals(&row, "force", run->steps, run->force);
    cli_json_end(&row);
}

/* --- Tables 1 and 2 --- */

static const char *const own_heads[] = {
    "each in its own run", "contacts",      "active",        "frames", "success",       "failure|all",
    "failure|no solution", "failure|cycle", "failure|error", "pivots", "LCP time [ms]", "simulation time [ms]"};

static void count_cells(paper *p, const int *verdict, int frames)
{
    cli_page_cell(&p->report, "%d", frames);
    cli_page_cell(&p->report, "%d", verdict[YAMANE_SUCCESS]);
    cli_page_cell(&p->report, "%d", frames - verdict[YAMANE_SUCCESS]);
    for (int v = YAMANE_NO_SOLUTION; v < YAMANE_VERDICTS; ++v) {
        cli_page_cell(&p->report, "%d", verdict[v]);
    }
}

static void own_cells(paper *p, const char *table, const yamane_run *run, yamane_kind kind)
{
    cli_page_cell(&p->report, "%s%s", kind == YAMANE_STATES ? "ours: " : "", yamane_kind_name[kind]);
    cli_page_number(&p->report, run->contacts);
    cli_page_number(&p->report, run->active);
    count_cells(p, run->own.verdict, run->own.frames);
    cli_page_cell(&p->report, "%lld", run->own.pivots);
    cli_page_number(&p->report, run->lcp_ms);
    cli_page_number(&p->report, run->step_ms);
    write_run(p, table, run, kind);
}

/* A number that may not have been published. */
static void known_cell(paper *p, double value)
{
    cli_page_number(&p->report, value > 0.0 ? value : (double)NAN);
}

static void published_cells(paper *p, const published *m)
{
    int verdict[YAMANE_VERDICTS] = {m->success, m->no_solution, m->cycle, m->error};
    cli_page_cell(&p->report, "published: %s", m->name);
    cli_page_number(&p->report, m->contacts);
    cli_page_number(&p->report, m->active);
    count_cells(p, verdict, m->frames);
    known_cell(p, m->pivots);
    known_cell(p, m->lcp_ms);
    known_cell(p, m->step_ms);
}

static void show_same_frames(paper *p, const char *table, const yamane_run *run)
{
    static const char *const heads[] = {
        "on the same frames",  "start",         "frames",        "success",           "failure|all",
        "failure|no solution", "failure|cycle", "failure|error", "certified to 1e-9", "pivots",
        "LCP time [ms]"};
    cli_page_text(&p->report,
                  "The same frames for all: those of our own run%s. Start: cold, or from the frictionless solution as "
                  "the paper does. Success is an error of at most e_max = 1e-3 in the paper\u2019s units by our "
                  "certificate of the LCP as it was given. The paper\u2019s search as printed goes broad; in the order "
                  "of its authors\u2019 program it goes deep. More than 8000 nodes count as a cycle, and from a cold "
                  "start both run on every tenth frame only.",
                  run->compared < run->frames ? ", every tenth of them" : "");
    cli_page_table(&p->report, 11, heads);
    for (int warm = 0; warm < 2; ++warm) {
        for (int kind = 0; kind < YAMANE_KINDS; ++kind) {
            const yamane_tally *tally = &run->same[kind][warm];
            cli_page_cell(&p->report, "%s", yamane_kind_name[kind]);
            cli_page_cell(&p->report, "%s", start_name[warm]);
            count_cells(p, tally->verdict, tally->frames);
            cli_page_cell(&p->report, "%d", tally->strict);
            cli_page_cell(&p->report, "%lld", tally->pivots);
            cli_page_number(&p->report, yamane_mean_ms(tally));
            write_tally(p, table, (yamane_kind)kind, start_name[warm], tally);
        }
    }
    cli_page_table_end(&p->report);
}

/* --- Plots --- */

static cli_series line(const char *name, const yamane_run *run, const double *y, int color)
{
    return (cli_series){.name = name, .x = run->time, .y = y, .count = run->steps, .color = color, .is_plain = true};
}

static void plot_lines(paper *p, const char *file, const char *title, const char *y_label, const cli_series *series,
                       int count, const char *caption)
{
    cli_plot plot = {.title = title, .x_label = "time [s]", .y_label = y_label, .series = series, .count = count};
    paper_plot(p, file, &plot, caption);
}

static void plot_forces(paper *p, const yamane_all *all)
{
    enum { SHOWN = 4 };
    static const int which[SHOWN] = {0, 1, 3, 7};
    cli_series one = line("both feet", &all->squat[0], all->squat[0].force, 1), many[SHOWN];
    plot_lines(p, "figure2", "Figure 2: vertical force in the squat", "force [N]", &one, 1,
               "Total vertical force of both feet: less than the weight as the robot sets out downward and as it comes "
               "to rest above, most at the bottom.");
    for (int i = 0; i < SHOWN; ++i) {
        const yamane_run *run = &all->squat[which[i]];
        many[i] = line(yamane_kind_name[yamane_own[which[i]]], run, run->force, i);
    }
    plot_lines(p, "figure2-methods", "The same, each method in its own run", "force [N]", many, SHOWN,
               "Where a method fails its frictionless solution is applied, as in the paper.");
    for (int i = 0; i < YAMANE_OWN; ++i) {
        write_force(p, &all->squat[i], yamane_own[i]);
    }
}

static void plot_dance(paper *p, const yamane_run *run)
{
    cli_series times[2] = {line("lexicographic, D = 1e-10", run, run->lex_ms, 0), line("ours", run, run->frame_ms, 1)};
    times[0].is_scatter = true;
    cli_plot plot = {.title = "Solve time in the tap dance",
                     .x_label = "time [s]",
                     .y_label = "time [ms]",
                     .is_log_y = true,
                     .series = times,
                     .count = 2};
    paper_plot(p, "table2-times", &plot,
               "Processor time of each frame\u2019s problem: lexicographic Lemke from the frictionless solution, ours "
               "from the step before, whitening and certificate included.");
    cli_series number = line("contacts", run, run->number, 2), force = line("both feet", run, run->force, 1);
    plot_lines(p, "table2-contacts", "Contacts in the tap dance", "contacts", &number, 1,
               "Sixteen while both feet stand, eight while one is up.");
    plot_lines(p, "table2-force", "Vertical force in the tap dance", "force [N]", &force, 1,
               "Total vertical force of both feet; every tap is an impact.");
}

/* --- The page --- */

static void show_squat(paper *p, const yamane_all *all)
{
    cli_page_heading(&p->report, "Table I and Figure 2: squat");
    cli_page_text(
        &p->report,
        "A humanoid of 20 joints, all driven, goes down by 4 cm and up again in 1 s; h = 1 ms, friction cones "
        "of 8 sides, contact points merged within 1 mm. Robot and motion are ours, the paper\u2019s come "
        "from its CAD data; feet are meshes with eight corners to stand on. Frames are steps with contact. "
        "In its own run a method\u2019s impulses move the robot.");
    cli_page_table(&p->report, 12, own_heads);
    for (int i = 0; i < YAMANE_OWN; ++i) {
        own_cells(p, "table 1", &all->squat[i], yamane_own[i]);
    }
    for (int i = 0; i < TABLE_1; ++i) {
        published_cells(p, &table_1[i]);
    }
    cli_page_table_end(&p->report);
    show_same_frames(p, "table 1", &all->squat[0]);
    plot_forces(p, all);
}

static void show_dance(paper *p, const yamane_all *all)
{
    cli_page_heading(&p->report, "Table II: tap dance");
    cli_page_text(&p->report,
                  "The same robot shifts its weight from foot to foot and taps with the other one, 28 times in 9.67 s. "
                  "LCP time is that of the problem with friction; the simulation time has everything.");
    cli_page_table(&p->report, 12, own_heads);
    own_cells(p, "table 2", &all->dance, YAMANE_STATES);
    own_cells(p, "table 2", &all->dance_lex, YAMANE_LEX_10);
    own_cells(p, "table 2", &all->dance_authors, YAMANE_AUTHORS);
    for (int i = 0; i < TABLE_2; ++i) {
        published_cells(p, &table_2[i]);
    }
    cli_page_table_end(&p->report);
    show_same_frames(p, "table 2", &all->dance);
    plot_dance(p, &all->dance);
}

static void show_scene(paper *p, const yamane_run *run, const yamane_scene *theirs)
{
    const double number[] = {1e3 * run->dt, run->contacts, run->active, run->frames},
                 published_number[] = {theirs->contacts, theirs->active, theirs->frames};
    cli_page_cell(&p->report, "%s", run->scene);
    cli_page_number(&p->report, number[0]);
    for (int i = 0; i < 2; ++i) {
        cli_page_number(&p->report, number[i + 1]);
        known_cell(p, published_number[i]);
    }
    cli_page_cell(&p->report, "%d", run->frames);
    known_cell(p, published_number[2]);
    cli_page_cell(&p->report, "%d", run->failures);
    cli_page_number(&p->report, run->lcp_ms);
    known_cell(p, theirs->lcp_ms);
    cli_page_number(&p->report, run->step_ms);
    known_cell(p, theirs->step_ms);
    cli_page_number(&p->report, run->overlap);
    cli_page_number(&p->report, run->loop);
    cli_page_number(&p->report, run->joint);
    cli_page_number(&p->report, yamane_gain(run));
    write_run(p, "table 3", run, YAMANE_STATES);
}

static void show_starts(paper *p, const yamane_all *all)
{
    static const char *const heads[] = {"scene",       "h [ms]",    "starts",     "frames",     "failure",
                                        "overlap [m]", "loops [m]", "joints [m]", "energy gain"};
    cli_page_text(&p->report, "The same from random starts: up to 0.2 rad/s on every joint. The worst of all of them.");
    cli_page_table(&p->report, 9, heads);
    for (int i = 0; i < YAMANE_TABLE_3; ++i) {
        const yamane_starts *starts = &all->starts[i];
        cli_page_cell(&p->report, "%s", yamane_scenes[i].name);
        cli_page_number(&p->report, 1e3 * yamane_scenes[i].dt);
        cli_page_cell(&p->report, "%d", starts->runs);
        cli_page_cell(&p->report, "%d", starts->frames);
        cli_page_cell(&p->report, "%d", starts->failures);
        cli_page_number(&p->report, starts->overlap);
        cli_page_number(&p->report, starts->loop);
        cli_page_number(&p->report, starts->joint);
        cli_page_number(&p->report, starts->gain);
        write_starts(p, &yamane_scenes[i], starts);
    }
    cli_page_table_end(&p->report);
}

static void show_scenes(paper *p, const yamane_all *all)
{
    static const char *const heads[] = {"scene",
                                        "h [ms]",
                                        "contacts|ours",
                                        "contacts|published",
                                        "active|ours",
                                        "active|published",
                                        "frames|ours",
                                        "frames|published",
                                        "failure",
                                        "LCP time [ms]|ours",
                                        "LCP time [ms]|published",
                                        "simulation time [ms]|ours",
                                        "simulation time [ms]|published",
                                        "overlap [m]",
                                        "loops [m]",
                                        "joints [m]",
                                        "energy gain"};
    cli_page_heading(&p->report, "Table III: long and closed chains");
    cli_page_text(&p->report,
                  "hoist: a chain of 25 ball joints over a rod, 10 s. ring2, ring3: wires of five ball joints with "
                  "rings at their ends, meshes of 192 triangles, ring through ring, 4 s. net: four strings of 16 links "
                  "held at both ends, five capsules fall on them, 2 s. Sizes are ours. Links are capsules, which touch "
                  "in fewer points than polyhedra. humanoid is not in the paper: 27 degrees of freedom fall on the "
                  "floor, 5 s. Overlap, loops and joints are the worst at a step\u2019s end; the energy gain is "
                  "relative to the energy before the first step.");
    cli_page_table(&p->report, 17, heads);
    for (int i = 0; i < YAMANE_TABLE_3; ++i) {
        show_scene(p, &all->scene[i], &yamane_scenes[i]);
    }
    cli_page_table_end(&p->report);
    show_starts(p, all);
    const yamane_run *hoist = &all->scene[0];
    cli_series time = line("a frame", hoist, hoist->frame_ms, 1), number = line("contacts", hoist, hoist->number, 2);
    plot_lines(p, "table3-hoist-time", "Hoist, h = 1 ms: solve time", "time [ms]", &time, 1,
               "Processor time of each frame\u2019s problem.");
    plot_lines(p, "table3-hoist-contacts", "Hoist, h = 1 ms: contacts", "contacts", &number, 1,
               "Contacts within the margin.");
}

void yamane_show(paper *p, const yamane_all *all)
{
    show_squat(p, all);
    show_dance(p, all);
    show_scenes(p, all);
}
