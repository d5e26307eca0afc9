/* cairn paper yamane: tables 1 to 3 and figure 2 of [YN08 s5].
 *
 * Table 1 and 2 are made twice: every method on the same frames, those of the run that our own solver drives; and each method in a run of
 * its own, where its impulses move the robot. */
#include "paper_yamane.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Published: [YN08 tables 1 to 3]. */
typedef struct published_method {
    yamane_kind kind;
    int frames, success, no_solution, cycle, error;
    double contacts, active;
} published_method;

enum { TABLE_1 = 6, TABLE_3 = 5, OWN_MAX = 8 };
static const published_method table_1[TABLE_1] = {
    {YAMANE_STATES, 999, 999, 0, 0, 0, 15.4, 2.18},     {YAMANE_LEMKE, 998, 506, 52, 157, 283, 16.1, 3.03},
    {YAMANE_LEX_0, 998, 514, 27, 147, 310, 16.0, 3.02}, {YAMANE_LEX_8, 998, 900, 17, 18, 63, 15.9, 3.03},
    {YAMANE_LEX_6, 1000, 990, 3, 2, 5, 12.1, 2.30},     {YAMANE_LEX_4, 1000, 996, 3, 0, 1, 15.5, 2.55}};

typedef struct published_scene {
    const char *scene;
    double dt, seconds;
    double contacts, active;
    int frames;
    double lcp_ms, step_ms;
} published_scene;

static const published_scene table_3[TABLE_3] = {
    {"hoist", 1e-3, 10.0, 34.2, 20.8, 9357, 62.0, 120.0},
    {"hoist", 1e-2, 10.0, 48.4, 23.0, 935, 96.5, 187.0},
    {"ring2", 1e-3, 4.0, 26.1, 21.7, 3926, 35.0, 80.6},
    {"ring3", 1e-3, 4.0, (double)NAN, (double)NAN, 0, (double)NAN, (double)NAN},
    {"net", 1e-3, 2.0, 25.7, 16.9, 1818, 9.72, 62.5}};

static const yamane_kind own_1[OWN_MAX] = {YAMANE_STATES, YAMANE_LEMKE, YAMANE_LEX_0,   YAMANE_LEX_8,
                                           YAMANE_LEX_6,  YAMANE_LEX_4, YAMANE_PRINTED, YAMANE_SEARCH};

/* Aims. */
static const double aim_time = 0.5;      /* of lexicographic Lemke's time on the same frames */
static const double aim_hoist_ms = 0.2;  /* a step */
static const double aim_overlap = 1e-6;  /* [m], loops too */
static const double aim_joint = 1e-14;   /* [m] */
static const double aim_weight = 0.01;   /* of the mean force */
static const double aim_upright = 0.999; /* cosine of the trunk's tilt in the squat */
static const double aim_dancing = 0.9;   /* in the dance */
static const double rounding = 1e-9;     /* of the energy at the start: what adding up leaves */

typedef struct yamane_all {
    yamane_run squat[OWN_MAX]; /* own_1 */
    yamane_run dance, dance_lex, dance_printed;
    yamane_run scene[TABLE_3];
} yamane_all;

/* --- Measuring --- */

static bool measure(paper *p, yamane_all *all)
{
    bool is_quick = p->is_quick, ok = true;
    paper_steps(p, 100 * (OWN_MAX + 3 + TABLE_3));
    for (int i = 0; i < OWN_MAX && ok; ++i) {
        yamane_request request = {
            .scene = "squat", .seconds = is_quick ? 0.03 : 0.0, .kind = own_1[i], .is_compared = i == 0};
        ok = yamane_run_make(p, &request, &all->squat[i]);
    }
    yamane_request dance = {.scene = "tap-dance",
                            .seconds = is_quick ? 0.05 : 0.0,
                            .kind = YAMANE_STATES,
                            .is_compared = true,
                            .every = is_quick ? 1 : 5};
    ok = ok && yamane_run_make(p, &dance, &all->dance);
    dance.is_compared = false;
    dance.kind = YAMANE_LEX_10;
    ok = ok && yamane_run_make(p, &dance, &all->dance_lex);
    dance.kind = YAMANE_PRINTED;
    ok = ok && yamane_run_make(p, &dance, &all->dance_printed);
    for (int i = 0; i < TABLE_3 && ok; ++i) {
        yamane_request request = {.scene = table_3[i].scene,
                                  .dt = table_3[i].dt,
                                  .seconds = is_quick ? 30.0 * table_3[i].dt : 0.0,
                                  .kind = YAMANE_STATES};
        ok = yamane_run_make(p, &request, &all->scene[i]);
    }
    return ok;
}

static void release(yamane_all *all)
{
    for (int i = 0; i < OWN_MAX; ++i) {
        yamane_run_free(&all->squat[i]);
    }
    yamane_run_free(&all->dance);
    yamane_run_free(&all->dance_lex);
    yamane_run_free(&all->dance_printed);
    for (int i = 0; i < TABLE_3; ++i) {
        yamane_run_free(&all->scene[i]);
    }
}

/* --- Aims --- */

static int failures_of(const yamane_tally *tally)
{
    return tally->frames - tally->verdict[YAMANE_SUCCESS];
}

/* Best of the lexicographic methods on the same frames, which is best for one scene and not for another. */
static yamane_kind best_lex(const yamane_run *run, int warm)
{
    int best = YAMANE_LEX_0;
    for (int kind = YAMANE_LEX_0; kind <= YAMANE_LEX_4; ++kind) {
        best = failures_of(&run->same[kind][warm]) < failures_of(&run->same[best][warm]) ? kind : best;
    }
    return (yamane_kind)best;
}

static double mean_ms(const yamane_tally *tally)
{
    return tally->frames > 0 ? 1e3 * tally->seconds / tally->frames : (double)NAN;
}

static double mean_force(const yamane_run *run)
{
    double sum = 0.0;
    for (int k = 0; k < run->steps; ++k) {
        sum += run->force[k] / run->steps;
    }
    return sum;
}

static void aim_squat(paper *p, const yamane_all *all)
{
    const yamane_run *run = &all->squat[0];
    int worst = 0, least = run->frames;
    for (int i = 1; i <= 5; ++i) { /* lemke and its lexicographic variants */
        int fail = failures_of(&run->same[own_1[i]][1]);
        worst = fail > worst ? fail : worst;
        least = fail < least ? fail : least;
    }
    paper_published(p, "999 of 999 frames solved");
    paper_aim(p, run->failures == 0 && run->frames > 0, "squat, own run: frames not solved", "0, certified to 1e-9",
              "%d of %d (worst certificate %.0e)", run->failures, run->frames, run->certificate);
    paper_aim(p, failures_of(&run->same[YAMANE_SEARCH][0]) == 0 && failures_of(&run->same[YAMANE_STATES][0]) == 0,
              "squat, same frames: not solved by search, by contact states", "0, 0", "%d, %d of %d",
              failures_of(&run->same[YAMANE_SEARCH][0]), failures_of(&run->same[YAMANE_STATES][0]), run->compared);
    paper_published(p, "Lemke and lexicographic Lemke fail in 492 to 4 of 998 frames");
    paper_aim(p, worst > 0, "squat, same frames: not solved by Lemke, five variants, as the paper starts them",
              "some: the paper's point", "%d to %d of %d", worst, least, run->compared);
    paper_published(p, "Figure 2: a pattern similar to the measured force");
    paper_aim(p, run->least_up >= aim_upright && fabs(mean_force(run) / run->weight - 1.0) <= aim_weight,
              "squat: stands upright; mean force of the feet against the weight", "within 1 %", "%.3f %% (%.2f N)",
              100.0 * (mean_force(run) / run->weight - 1.0), mean_force(run));
}

static void aim_dance(paper *p, const yamane_all *all)
{
    const yamane_run *run = &all->dance;
    yamane_kind lex = best_lex(run, 1);
    const yamane_tally *theirs = &run->same[lex][1], *ours = &run->same[YAMANE_STATES][0];
    paper_published(p, "0 of 9670 frames not solved");
    paper_aim(p, run->failures == 0 && run->least_up >= aim_dancing, "tap dance, own run: frames not solved",
              "0, and it stands", "%d of %d (worst certificate %.0e)", run->failures, run->frames, run->certificate);
    paper_published(p, "0.182 ms against 0.375 ms: 0.49");
    paper_aim(p, mean_ms(ours) <= aim_time * mean_ms(theirs),
              "tap dance, same frames: solve time against the best lexicographic Lemke's", "at most 0.5",
              "%.3f (%.4f ms, %.4f ms)", mean_ms(ours) / mean_ms(theirs), mean_ms(ours), mean_ms(theirs));
    paper_published(p, "34335 pivots against 71102: 0.48");
    paper_aim(p, (double)ours->pivots <= aim_time * (double)theirs->pivots, "tap dance, same frames: pivots likewise",
              "at most 0.5", "%.2f (%lld, %lld)", (double)ours->pivots / (double)theirs->pivots, ours->pivots,
              theirs->pivots);
}

static void aim_scenes(paper *p, const yamane_all *all)
{
    int failures = 0, frames = 0;
    double overlap = 0.0, joint = 0.0, gain = 0.0;
    for (int i = 0; i < TABLE_3; ++i) {
        const yamane_run *run = &all->scene[i];
        failures += run->failures;
        frames += run->frames;
        overlap = fmax(overlap, fmax(run->overlap, run->loop));
        joint = fmax(joint, run->joint);
        gain = fmax(gain, (run->most_energy - run->start_energy) / fabs(run->start_energy));
    }
    paper_published(p, "no failure in 9357, 935, 3926, 1818 frames");
    paper_aim(p, failures == 0, "hoist at 1 and 10 ms, ring2, ring3, net: frames not solved", "0", "%d of %d", failures,
              frames);
    paper_aim(p, overlap <= aim_overlap, "the same: deepest overlap or widest loop at a step's end", "at most 1e-6 m",
              "%.1e m", overlap);
    paper_aim(p, joint <= aim_joint, "the same: largest joint error", "at most 1e-14 m", "%.0e m", joint);
    paper_aim(p, gain <= rounding, "the same: energy above its start, relative", "none", "%.1e", fmax(gain, 0.0));
    paper_published(p, "120 ms on a Xeon of 3.8 GHz");
    paper_aim(p, all->scene[0].step_ms <= aim_hoist_ms, "hoist, 1 ms: processor time of a step", "at most 0.2 ms",
              "%.3f ms (LCP %.3f; 10 ms: %.3f)", all->scene[0].step_ms, all->scene[0].lcp_ms, all->scene[1].step_ms);
    double ratio = all->scene[0].step_ms * all->scene[0].steps / (all->scene[1].step_ms * all->scene[1].steps);
    paper_published(p, "at 10 ms the computation is about 4.5 times shorter");
    paper_aim(p, ratio > 4.5 || p->is_quick, "hoist: whole computation, 1 ms against 10 ms", "at least 4.5 times",
              "%.1f", ratio);
}

/* --- Rows --- */

static void write_tally(paper *p, const char *table, const char *run, yamane_kind kind, const char *start,
                        const yamane_tally *tally)
{
    cli_json row = paper_row(p, table);
    cli_json_string(&row, "run", run);
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
    cli_json_real(&row, "lcp_ms", mean_ms(tally));
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
    cli_json_real(&row, "start_energy", run->start_energy);
    cli_json_real(&row, "most_energy", run->most_energy);
    cli_json_real(&row, "least_upright", run->least_up);
    cli_json_end(&row);
}

static void write_force(paper *p, const yamane_run *run, yamane_kind kind)
{
    cli_json row = paper_row(p, "figure 2");
    cli_json_string(&row, "method", yamane_kind_name[kind]);
    cli_json_real(&row, "weight", run->weight);
    cli_json_reals(&row, "time", run->steps, run->time);
    cli_json_reals(&row, "force", run->steps, run->force);
    cli_json_end(&row);
}

/* --- The page --- */

static void count_cells(paper *p, const int *verdict, int frames)
{
    cli_page_cell(&p->report, "%d", frames);
    cli_page_cell(&p->report, "%d", verdict[YAMANE_SUCCESS]);
    cli_page_cell(&p->report, "%d", frames - verdict[YAMANE_SUCCESS]);
    for (int v = YAMANE_NO_SOLUTION; v < YAMANE_VERDICTS; ++v) {
        cli_page_cell(&p->report, "%d", verdict[v]);
    }
}

static void show_same_frames(paper *p, const char *table, const yamane_run *run)
{
    static const char *const heads[] = {"method",        "start",         "frames",
                                        "success",       "failure",       "failure|no solution",
                                        "failure|cycle", "failure|error", "certified to 1e-9",
                                        "pivots",        "LCP time [ms]"};
    static const char *const start[2] = {"cold", "frictionless"};
    cli_page_text(&p->report,
                  "The same frames for all: those of the run above%s. Start: cold, or from the frictionless solution "
                  "as the paper does. "
                  "Success is an error of at most e_max = 1e-3 in the paper\u2019s units, by our certificate of the "
                  "LCP as it was given.",
                  run->compared < run->frames ? ", every fifth of them" : "");
    cli_page_table(&p->report, 11, heads);
    for (int warm = 0; warm < 2; ++warm) {
        for (int kind = 0; kind < YAMANE_KINDS; ++kind) {
            const yamane_tally *tally = &run->same[kind][warm];
            cli_page_cell(&p->report, "%s", yamane_kind_name[kind]);
            cli_page_cell(&p->report, "%s", start[warm]);
            count_cells(p, tally->verdict, tally->frames);
            cli_page_cell(&p->report, "%d", tally->strict);
            cli_page_cell(&p->report, "%lld", tally->pivots);
            cli_page_number(&p->report, mean_ms(tally));
            write_tally(p, table, "same", (yamane_kind)kind, start[warm], tally);
        }
    }
    cli_page_table_end(&p->report);
}

static void own_cells(paper *p, const yamane_run *run, const char *name)
{
    cli_page_cell(&p->report, "%s", name);
    cli_page_number(&p->report, run->contacts);
    cli_page_number(&p->report, run->active);
    count_cells(p, run->own.verdict, run->own.frames);
    cli_page_cell(&p->report, "%lld", run->own.pivots);
    cli_page_number(&p->report, run->lcp_ms);
    cli_page_number(&p->report, run->step_ms);
}

static const char *const own_heads[] = {"method",
                                        "contacts",
                                        "active",
                                        "frames",
                                        "success",
                                        "failure",
                                        "failure|no solution",
                                        "failure|cycle",
                                        "failure|error",
                                        "pivots",
                                        "LCP time [ms]",
                                        "simulation time [ms]"};

static void published_cells(paper *p, const published_method *m)
{
    int verdict[YAMANE_VERDICTS] = {m->success, m->no_solution, m->cycle, m->error};
    cli_page_cell(&p->report, "%s (published)", m->kind == YAMANE_STATES ? "proposed" : yamane_kind_name[m->kind]);
    cli_page_number(&p->report, m->contacts);
    cli_page_number(&p->report, m->active);
    count_cells(p, verdict, m->frames);
    for (int i = 0; i < 3; ++i) {
        cli_page_number(&p->report, (double)NAN);
    }
}

static void plot_forces(paper *p, const yamane_all *all)
{
    const yamane_run *run = &all->squat[0];
    cli_series one = {
        .name = "both feet", .x = run->time, .y = run->force, .count = run->steps, .color = 1, .is_plain = true};
    cli_plot plot = {.title = "Figure 2: vertical force in the squat",
                     .x_label = "time [s]",
                     .y_label = "force [N]",
                     .series = &one,
                     .count = 1};
    paper_plot(p, "figure2", &plot,
               "Total vertical force of both feet. It begins and ends below the weight, when the robot sets out "
               "downward and when it "
               "comes to rest from below, and is largest at the bottom.");
    cli_series many[4];
    static const int which[4] = {0, 1, 3, 6};
    for (int i = 0; i < 4; ++i) {
        const yamane_run *other = &all->squat[which[i]];
        many[i] = (cli_series){.name = yamane_kind_name[own_1[which[i]]],
                               .x = other->time,
                               .y = other->force,
                               .count = other->steps,
                               .color = i,
                               .is_plain = true};
    }
    plot.title = "The same by methods, each in its own run";
    plot.series = many;
    plot.count = 4;
    paper_plot(p, "figure2-methods", &plot,
               "Where a method fails the frictionless solution is applied, as in the paper; where that fails too "
               "nothing pushes.");
    for (int i = 0; i < OWN_MAX; ++i) {
        write_force(p, &all->squat[i], own_1[i]);
    }
}

static void show_squat(paper *p, const yamane_all *all)
{
    cli_page_heading(&p->report, "Table I and Figure 2: squat");
    cli_page_text(&p->report, "A humanoid of 20 joints, all driven, goes down by 4 cm and up again in 1 s; h = 1 ms, "
                              "cones of 8 sides, contact points merged "
                              "within 1 mm. Robot and motion are ours (the paper\u2019s come from its own CAD data); "
                              "feet are meshes with eight corners. "
                              "Each method drives a run of its own; frames are steps with contact.");
    cli_page_table(&p->report, 12, own_heads);
    for (int i = 0; i < OWN_MAX; ++i) {
        own_cells(p, &all->squat[i], i == 0 ? "ours, contact states" : yamane_kind_name[own_1[i]]);
        write_run(p, "table 1", &all->squat[i], own_1[i]);
    }
    for (int i = 0; i < TABLE_1; ++i) {
        published_cells(p, &table_1[i]);
    }
    cli_page_table_end(&p->report);
    show_same_frames(p, "table 1", &all->squat[0]);
    plot_forces(p, all);
}

static void plot_dance(paper *p, const yamane_run *run)
{
    cli_series times[2] = {{.name = "lexicographic, D = 1e-8, cold",
                            .x = run->time,
                            .y = run->lex_ms,
                            .count = run->steps,
                            .color = 0,
                            .is_scatter = true},
                           {.name = "ours, in the run",
                            .x = run->time,
                            .y = run->frame_ms,
                            .count = run->steps,
                            .color = 1,
                            .is_plain = true}};
    cli_plot plot = {.title = "Solve time in the tap dance",
                     .x_label = "time [s]",
                     .y_label = "ms",
                     .is_log_y = true,
                     .series = times,
                     .count = 2};
    paper_plot(p, "table2-times", &plot,
               "Processor time of each frame\u2019s problem. Ours starts from the step before and includes whitening "
               "and the certificate.");
    cli_series number = {
        .name = "contacts", .x = run->time, .y = run->number, .count = run->steps, .color = 2, .is_plain = true};
    plot = (cli_plot){.title = "Contacts in the tap dance",
                      .x_label = "time [s]",
                      .y_label = "contacts",
                      .series = &number,
                      .count = 1};
    paper_plot(p, "table2-contacts", &plot, "Sixteen while both feet stand, eight while one taps.");
    cli_series force = {
        .name = "both feet", .x = run->time, .y = run->force, .count = run->steps, .color = 1, .is_plain = true};
    plot = (cli_plot){.title = "Vertical force in the tap dance",
                      .x_label = "time [s]",
                      .y_label = "force [N]",
                      .series = &force,
                      .count = 1};
    paper_plot(p, "table2-force", &plot, "Total vertical force of both feet; every tap is an impact.");
}

static void show_dance(paper *p, const yamane_all *all)
{
    static const published_method lex = {YAMANE_LEX_10, 9656, 9620, 13, 7, 16, 6.89, 2.02},
                                  proposed = {YAMANE_STATES, 9670, 9670, 0, 0, 0, 7.19, 1.70};
    cli_page_heading(&p->report, "Table II: tap dance");
    cli_page_text(
        &p->report,
        "The same robot shifts its weight from foot to foot and taps with the other, 28 times in 9.67 s. Published "
        "times: 0.375 ms for lexicographic "
        "Lemke (71102 pivots), 0.182 ms proposed (34335), on a Xeon of 3.8 GHz; the whole step 3.49 and 3.54 ms.");
    cli_page_table(&p->report, 12, own_heads);
    own_cells(p, &all->dance, "ours, contact states");
    own_cells(p, &all->dance_lex, yamane_kind_name[YAMANE_LEX_10]);
    own_cells(p, &all->dance_printed, yamane_kind_name[YAMANE_PRINTED]);
    published_cells(p, &lex);
    published_cells(p, &proposed);
    cli_page_table_end(&p->report);
    write_run(p, "table 2", &all->dance, YAMANE_STATES);
    write_run(p, "table 2", &all->dance_lex, YAMANE_LEX_10);
    write_run(p, "table 2", &all->dance_printed, YAMANE_PRINTED);
    show_same_frames(p, "table 2", &all->dance);
    plot_dance(p, &all->dance);
}

static void show_scenes(paper *p, const yamane_all *all)
{
    static const char *const heads[] = {"scene",
                                        "h [ms]",
                                        "contacts",
                                        "contacts|published",
                                        "active",
                                        "active|published",
                                        "frames",
                                        "frames|published",
                                        "failure",
                                        "LCP time [ms]",
                                        "LCP time [ms]|published",
                                        "simulation time [ms]",
                                        "simulation time [ms]|published",
                                        "overlap [m]",
                                        "loops [m]",
                                        "joints [m]"};
    cli_page_heading(&p->report, "Table III: long and closed chains");
    cli_page_text(&p->report, "hoist: 25 ball joints over a rod, 10 s. ring: wires of five ball joints with rings at "
                              "their ends, meshes of 192 triangles, ring through ring, 4 s. net: "
                              "four strings of 16 links held at both ends, five capsules fall on them, 2 s. Sizes are "
                              "ours. Links are capsules, so there are fewer contacts than between polyhedra.");
    cli_page_table(&p->report, 16, heads);
    for (int i = 0; i < TABLE_3; ++i) {
        const yamane_run *run = &all->scene[i];
        const published_scene *theirs = &table_3[i];
        cli_page_cell(&p->report, "%s", run->scene);
        cli_page_number(&p->report, 1e3 * run->dt);
        cli_page_number(&p->report, run->contacts);
        cli_page_number(&p->report, theirs->contacts);
        cli_page_number(&p->report, run->active);
        cli_page_number(&p->report, theirs->active);
        cli_page_cell(&p->report, "%d", run->frames);
        cli_page_cell(&p->report, "%d", theirs->frames);
        cli_page_cell(&p->report, "%d", run->failures);
        cli_page_number(&p->report, run->lcp_ms);
        cli_page_number(&p->report, theirs->lcp_ms);
        cli_page_number(&p->report, run->step_ms);
        cli_page_number(&p->report, theirs->step_ms);
        cli_page_number(&p->report, run->overlap);
        cli_page_number(&p->report, run->loop);
        cli_page_number(&p->report, run->joint);
        write_run(p, "table 3", run, YAMANE_STATES);
    }
    cli_page_table_end(&p->report);
    const yamane_run *hoist = &all->scene[0];
    cli_series series = {
        .name = "LCP", .x = hoist->time, .y = hoist->frame_ms, .count = hoist->steps, .color = 1, .is_plain = true};
    cli_plot plot = {
        .title = "Hoist, h = 1 ms: solve time", .x_label = "time [s]", .y_label = "ms", .series = &series, .count = 1};
    paper_plot(p, "table3-hoist", &plot, "Processor time of each frame\u2019s problem.");
}

bool paper_yamane(paper *p)
{
    yamane_all *all = calloc(1, sizeof *all);
    bool ok = all && measure(p, all);
    if (ok) {
        aim_squat(p, all);
        aim_dance(p, all);
        aim_scenes(p, all);
        cli_page_claims(&p->report, p->aims, p->aim_count);
        show_squat(p, all);
        show_dance(p, all);
        show_scenes(p, all);
    }
    if (all) {
        release(all);
    }
    free(all);
    return ok;
}
