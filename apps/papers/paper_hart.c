/* cairn-papers hart: figures 1 to 9 of [HA03 s3].
 *
 * The paper's numbers are in its text: sizes, friction, steps, and what it says of each figure; the curves themselves carry
 * no numbers. Each sentence is an aim with our figure beside it. Infeasibility is the deepest overlap at the end of a step. */
#include "paper_hart.h"

#include "gallery_worlds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VARIANTS = 3, SEEDS = 3, DISKS = 21 };

static const char *const variant_name[VARIANTS] = {"stabilised", "unstabilised", "plain"};

/* Aims. */
static const double aim_ratio = 100.0;       /* the paper's own */
static const double aim_narrow = 1.1;        /* "narrow range": of maxima over windows of 2 s, last to first */
static const double aim_share = 0.95;        /* of the steps */
static const double aim_on_table = 1e-6;     /* [m], centre height against the radius of 3 m */
static const double aim_overlap = 0.03;      /* of the small radius, h = 0.1 */
static const double aim_overlap_fine = 1e-5; /* of the small radius, h = 0.01 */
static const double aim_ms = 6.0;            /* mean of a step */
static const double window = 2.0;            /* [s] */
static const double last_seconds = 10.0;     /* the nut stays on top for so long */
static const double rounding = 1e-9;         /* [m]: overlap below this is rounding of gaps, 1e-10 of a body of 3 m */
static const double drawn_least = 1e-12;     /* zeros are drawn here on logarithmic axes */
static const double large_infeasibility = 1e-3; /* [m] */

typedef struct hart_all {
    hart_run ellipse[2], disks[VARIANTS];
    hart_run nut[SEEDS], fine;
    int seeds;
} hart_all;

/* --- Measuring --- */

static const double ellipse_times[10] = {0.0, 0.3, 0.6, 0.9, 1.1, 1.2, 1.7, 2.5, 3.0, 20.0};
static const double disks_times[4] = {0.0, 3.0, 8.0, 20.0};
static const double nut_times[4] = {0.0, 10.0, 25.0, 75.0};

static bool measure(paper *p, hart_all *all)
{
    double seconds = p->is_quick ? 5.0 : 75.0, fine_seconds = p->is_quick ? 0.5 : 20.0;
    bool ok = true;
    all->seeds = p->is_quick ? 1 : SEEDS;
    paper_steps(p, 5 * 20 + (int)(all->seeds * seconds + fine_seconds));
    for (int v = 0; v < 2 && ok; ++v) {
        hart_request request = {"ellipse", (hart_variant)v, .frame_times = ellipse_times, .frames = v == 0 ? 10 : 0};
        ok = hart_run_make(p, &request, &all->ellipse[v]);
    }
    for (int v = 0; v < VARIANTS && ok; ++v) {
        hart_request request = {"disks", (hart_variant)v, .frame_times = disks_times, .frames = 4};
        ok = hart_run_make(p, &request, &all->disks[v]);
    }
    for (int s = 0; s < all->seeds && ok; ++s) {
        hart_request request = {.dt = 0.1,
                                .seed = (uint64_t)s + 1,
                                .seconds = seconds,
                                .frame_times = nut_times,
                                .frames = s == 0 && !p->is_quick ? 4 : 1};
        ok = hart_run_make(p, &request, &all->nut[s]);
    }
    hart_request fine = {.dt = 0.01, .seed = 1, .seconds = fine_seconds};
    return ok && hart_run_make(p, &fine, &all->fine);
}

static void release(hart_all *all)
{
    for (int v = 0; v < VARIANTS; ++v) {
        hart_run_free(&all->disks[v]);
    }
    for (int v = 0; v < 2; ++v) {
        hart_run_free(&all->ellipse[v]);
    }
    for (int s = 0; s < SEEDS; ++s) {
        hart_run_free(&all->nut[s]);
    }
    hart_run_free(&all->fine);
}

/* --- Aims: the ellipse --- */

static double at_end(const hart_run *run)
{
    return run->overlap[run->steps - 1];
}

static void aim_ellipse(paper *p, const hart_run *with, const hart_run *without)
{
    double end = without->time[without->steps - 1];
    double ratio = at_end(without) / at_end(with);
    double ratio_window = hart_largest(without, end - window, end) / hart_largest(with, end - window, end);
    double first = hart_largest(with, window, 2.0 * window), last = hart_largest(with, end - window, end), most = 0.0;
    bool is_growing = true;
    for (int w = 1; w < (int)lround(end / window); ++w) {
        double t = w * window;
        most = fmax(most, hart_largest(with, t, t + window));
        is_growing = is_growing && hart_largest(without, t, t + window) > hart_largest(without, t - window, t);
    }
    paper_how(
        p,
        "One run each, stabilised and not, of 400 steps of 0.05 s with the paper\u2019s sizes. Infeasibility: "
        "deepest overlap of the bodies where they are at the end of a step, found anew, not what the solver reports.");
    paper_published(p, "s3, Figure 2", "more than 100 times smaller toward the end");
    paper_aim(p, fmin(ratio, ratio_window) >= aim_ratio, "ellipse: infeasibility at 20 s, unstabilised / stabilised",
              "at least 100", "%.0f (largest of the last 2 s: %.0f)", ratio, ratio_window);
    paper_published(p, "s3, Figure 2", "oscillates in a narrow range without exhibiting a substantial increase");
    paper_aim(p, most <= aim_narrow * first && most <= hart_largest(with, 0.0, window),
              "ellipse, stabilised: largest of each 2 s, last against 2 to 4 s", "at most 1.1, and below the first 2 s",
              "%.2f (%.2e to %.2e m; first 2 s: %.2g m)", most / first, first, last, hart_largest(with, 0.0, window));
    paper_published(p, "s3, Figure 2", "exhibits a continuous drift");
    paper_aim(p, is_growing, "ellipse, unstabilised: largest of each 2 s", "grows every time", "%.2f to %.2f m%s",
              hart_largest(without, 0.0, window), hart_largest(without, end - window, end),
              is_growing ? ", every time" : "");
}

/* --- Aims: the disks --- */

typedef struct comparison {
    int below, rounding, above;
} comparison;

static comparison compare(const hart_run *with, const hart_run *without)
{
    comparison c = {0, 0, 0};
    for (int k = 0; k < with->steps; ++k) {
        bool is_rounding = with->overlap[k] < rounding && without->overlap[k] < rounding;
        c.rounding += is_rounding;
        c.below += !is_rounding && with->overlap[k] < without->overlap[k];
        c.above += !is_rounding && with->overlap[k] >= without->overlap[k];
    }
    return c;
}

/* The most steps in a row with an overlap above the limit. */
static int longest_above(const hart_run *run, double limit)
{
    int longest = 0, now = 0;
    for (int k = 0; k < run->steps; ++k) {
        now = run->overlap[k] > limit ? now + 1 : 0;
        longest = now > longest ? now : longest;
    }
    return longest;
}

typedef struct resting {
    int on_table, touching;   /* disks; pairs of them */
    double height, least_gap; /* largest | centre height - radius |; between two disks */
} resting;

static resting look_at_rest(const hart_frame *frame)
{
    resting r = {.least_gap = (double)INFINITY};
    for (int i = 0; i < frame->bodies; ++i) {
        const hart_body *a = &frame->body[i];
        double height = fabs(a->y - a->ry);
        r.on_table += height <= aim_on_table;
        r.height = fmax(r.height, height);
        for (int j = 0; j < i; ++j) {
            const hart_body *b = &frame->body[j];
            double gap = hypot(a->x - b->x, a->y - b->y) - a->rx - b->rx;
            r.least_gap = fmin(r.least_gap, gap);
            r.touching += gap <= aim_on_table;
        }
    }
    return r;
}

static void aim_disks(paper *p, const hart_run *disks)
{
    const hart_run *with = &disks[HART_STABILISED], *without = &disks[HART_UNSTABILISED];
    comparison c = compare(with, without);
    resting r = look_at_rest(&with->frame[with->frames - 1]);
    int longest = longest_above(with, large_infeasibility), other = longest_above(without, large_infeasibility);
    paper_how(p, "One run each of 400 steps of 0.05 s; table, walls and a turn of 1e-6 rad of the top disk are "
                 "ours. Certified: the step\u2019s problem is solved to 1e-8 by a certificate from its data.");
    paper_published(p, "s3, Figure 8", "the stabilized method has smaller constraint infeasibility");
    paper_aim(p, c.below + c.rounding >= aim_share * with->steps,
              "disks: steps with less infeasibility than unstabilised", "at least 95 %, rounding of both counted",
              "%d of %d; in %d more both are below 1e-9 m; %d above", c.below, with->steps, c.rounding, c.above);
    paper_published(p, "s3, Figure 8",
                    "consistently corrects incidental large infeasibility; unstabilized: more persistent");
    paper_aim(p, longest < other, "disks: most steps in a row with more than 1 mm", "fewer than unstabilised",
              "%d (unstabilised: %d)", longest, other);
    paper_published(p, "s3, Figure 6", "at the end all disks are in contact with the tabletop");
    paper_aim(p, r.on_table == DISKS, "disks on the table at 20 s", "21, height right to 1e-6 m", "%d, right to %.0e m",
              r.on_table, r.height);
    paper_published(p, "s3, Figure 6", "at the end all disks are separated");
    paper_aim(p, r.least_gap >= -rounding, "disks at 20 s: deepest overlap of two", "at most 1e-9 m",
              "%.0e m; %d pairs still touch", fmax(0.0, -r.least_gap), r.touching);
    paper_published(p, "s3, Figure 8", "essentially zero infeasibility in both methods toward the end");
    paper_reason(
        p, "stabilised disks are apart; of the unstabilised ones one fell more than the margin in a step and stays "
           "sunk in the table, which the scheme without its correction never undoes");
    paper_aim(p, fmax(at_end(with), at_end(without)) < rounding, "disks: infeasibility at 20 s", "both below 1e-9 m",
              "%.0e m; unstabilised: %.2g m", at_end(with), at_end(without));
    paper_published(p, "s3", "one LCP per step with a constant time step");
    paper_aim(p, with->most_problems == 1 && with->certified == with->steps,
              "disks: problems per step, certified steps", "1, all", "%d, %d of %d", with->most_problems,
              with->certified, with->steps);
}

/* --- Aims: the Brazil nut --- */

/* The nut's top above the highest small disk's: the least from a time on. */
static double least_lead(const hart_run *run, double from)
{
    double least = (double)INFINITY;
    for (int k = 0; k < run->steps; ++k) {
        least = run->time[k] > from ? fmin(least, run->large_top[k] - run->small_top[k]) : least;
    }
    return least;
}

/* When the nut came to the top for good: since then at no step's end was a small disk higher. NaN: it did not. */
static double on_top_since(const hart_run *run)
{
    int k = run->steps;
    while (k > 0 && run->above[k - 1] < 0.5) {
        --k;
    }
    return k < run->steps ? run->time[k] : (double)NAN;
}

static bool is_on_top(const hart_run *run)
{
    return least_lead(run, run->time[run->steps - 1] - last_seconds) > 0.0;
}

static double relative_overlap(const hart_run *run)
{
    return run->mean_overlap / run->small_radius;
}

static void aim_certified(paper *p, const hart_all *all)
{
    int steps = all->fine.steps, certified = all->fine.certified, relaxed = all->fine.relaxed;
    double worst = all->fine.certificate;
    for (int s = 0; s < all->seeds; ++s) {
        steps += all->nut[s].steps;
        certified += all->nut[s].certified;
        relaxed += all->nut[s].relaxed;
        worst = fmax(worst, all->nut[s].certificate);
    }
    paper_aim(p, certified == steps, "nut: certified steps, all runs", "all", "%d of %d, worst %.0e, %d relaxed",
              certified, steps, worst, relaxed);
}

static void aim_rise(paper *p, const hart_all *all)
{
    static const char *const what = "nut, 201 bodies, h = 0.1 s, 75 s: above every small disk in the last 10 s";
    const hart_run *run = &all->nut[0];
    int risen = 0;
    for (int s = 0; s < all->seeds; ++s) {
        risen += is_on_top(&all->nut[s]);
    }
    paper_published(p, "s3, Figure 9", "a large particle that, after a while, emerges on top");
    if (p->is_quick) {
        paper_incomparable(p, "a quick run ends long before", what, "%.0f s simulated", run->time[run->steps - 1]);
        return;
    }
    paper_aim(p, is_on_top(run), what, "yes", "by %.2f m, since %.1f s; %d of %d seeds",
              least_lead(run, run->time[run->steps - 1] - last_seconds), on_top_since(run), risen, all->seeds);
}

static void aim_nut(paper *p, const hart_all *all)
{
    const hart_run *run = &all->nut[0];
    paper_how(p, "Three arrangements (quick: one, for 5 s) of 201 bodies, h = 0.1 s, 75 s; one again with h = 0.01 "
                 "s for 20 s. Box, shaking and radii are ours. Time of a step: processor time of one thread, "
                 "collision detection and certificate included.");
    aim_rise(p, all);
    paper_published(p, "s3", "solved with PATH; no certificate given");
    aim_certified(p, all);
    paper_published(p, "s2", "infeasibility of order h^2 |v|^2; no figure for this example");
    paper_aim(p, relative_overlap(run) <= aim_overlap, "nut: mean overlap / small radius while shaken, h = 0.1 s",
              "at most 3 %", "%.3f %%", 100.0 * relative_overlap(run));
    paper_published(p, "s2", "infeasibility of order h^2 |v|^2; no figure for this example");
    paper_aim(p, relative_overlap(&all->fine) <= aim_overlap_fine,
              "nut: mean overlap / small radius while shaken, h = 0.01 s", "at most 1e-5", "%.1e",
              relative_overlap(&all->fine));
    paper_published(p, "s3, Figure 7", "a curve, without numbers in the text: the aim is ours");
    paper_aim(p, run->mean_ms <= aim_ms, "nut: processor time of a step while shaken, h = 0.1 s, mean", "at most 6 ms",
              "%.2f ms (whole run %.2f, worst step %.1f; h = 0.01 s: %.2f, worst %.1f)", run->mean_ms, run->whole_ms,
              run->worst_ms, all->fine.mean_ms, all->fine.worst_ms);
}

/* --- Rows --- */

static void write_frames(paper *p, const char *const *figures, const hart_run *run)
{
    for (int f = 0; f < run->frames; ++f) {
        const hart_frame *frame = &run->frame[f];
        cli_json row = paper_row(p, figures[f]);
        cli_json_int(&row, "frame", f + 1);
        cli_json_real(&row, "time", frame->time);
        cli_json_open(&row, "bodies", '[');
        for (int i = 0; i < frame->bodies; ++i) {
            const hart_body *b = &frame->body[i];
            double values[5] = {b->x, b->y, b->angle, b->rx, b->ry};
            cli_json_reals(&row, NULL, 5, values);
        }
        cli_json_shut(&row, ']');
        cli_json_end(&row);
    }
}

static void write_infeasibility(paper *p, const char *figure, const hart_run *runs, int count)
{
    for (int v = 0; v < count; ++v) {
        cli_json row = paper_row(p, figure);
        cli_json_string(&row, "variant", variant_name[v]);
        cli_json_real(&row, "h", runs[v].dt);
        cli_json_int(&row, "steps", runs[v].steps);
        cli_json_int(&row, "certified", runs[v].certified);
        cli_json_reals(&row, "time", runs[v].steps, runs[v].time);
        cli_json_reals(&row, "infeasibility", runs[v].steps, runs[v].overlap);
        cli_json_end(&row);
    }
}

static void write_nut(paper *p, const hart_run *run, int seed)
{
    cli_json row = paper_row(p, "7");
    cli_json_int(&row, "seed", seed);
    cli_json_real(&row, "h", run->dt);
    cli_json_int(&row, "bodies", run->bodies);
    cli_json_int(&row, "steps", run->steps);
    cli_json_int(&row, "certified", run->certified);
    cli_json_int(&row, "relaxed", run->relaxed);
    cli_json_real(&row, "worst_certificate", run->certificate);
    cli_json_int(&row, "shaken_steps", run->shaken);
    cli_json_real(&row, "mean_ms", run->mean_ms);
    cli_json_real(&row, "whole_ms", run->whole_ms);
    cli_json_real(&row, "p99_ms", run->p99_ms);
    cli_json_real(&row, "worst_ms", run->worst_ms);
    cli_json_real(&row, "mean_overlap", relative_overlap(run));
    cli_json_real(&row, "deepest", run->deepest / run->small_radius);
    cli_json_real(&row, "nut_top", run->large_top[run->steps - 1]);
    cli_json_real(&row, "small_top", run->small_top[run->steps - 1]);
    cli_json_bool(&row, "is_on_top", is_on_top(run));
    cli_json_real(&row, "on_top_since", on_top_since(run));
    cli_json_reals(&row, "time", run->steps, run->time);
    cli_json_reals(&row, "ms", run->steps, run->ms);
    cli_json_reals(&row, "contacts", run->steps, run->contacts);
    cli_json_reals(&row, "active", run->steps, run->active);
    cli_json_reals(&row, "nut_top_over_time", run->steps, run->large_top);
    cli_json_reals(&row, "small_above_nut", run->steps, run->above);
    cli_json_end(&row);
}

/* --- Plots --- */

static bool plot_infeasibility(paper *p, const char *file, const char *title, const hart_run *runs, int count,
                               const char *caption)
{
    cli_series series[VARIANTS];
    static const int color[VARIANTS] = {1, 0, 2};
    double *drawn = malloc((size_t)count * (size_t)runs[0].steps * sizeof *drawn);
    if (!drawn) {
        return false;
    }
    for (int v = 0; v < count; ++v) {
        double *y = drawn + (size_t)v * (size_t)runs[v].steps;
        for (int k = 0; k < runs[v].steps; ++k) {
            y[k] = fmax(runs[v].overlap[k], drawn_least);
        }
        series[v] = (cli_series){.name = variant_name[v],
                                 .x = runs[v].time,
                                 .y = y,
                                 .count = runs[v].steps,
                                 .color = color[v],
                                 .is_plain = true};
    }
    cli_plot plot = {.title = title,
                     .x_label = "time [s]",
                     .y_label = "infeasibility [m]",
                     .is_log_y = true,
                     .series = series,
                     .count = count};
    paper_plot(p, file, &plot, caption);
    free(drawn);
    return true;
}

static void plot_steps(paper *p, const char *file, const char *title, const char *y_label, const hart_run *run,
                       const char *const *names, const double *const *values, int count, const char *caption)
{
    static const int color[2] = {1, 0};
    cli_series series[2];
    for (int i = 0; i < count; ++i) {
        series[i] = (cli_series){
            .name = names[i], .x = run->time, .y = values[i], .count = run->steps, .color = color[i], .is_plain = true};
    }
    cli_plot plot = {.title = title, .x_label = "time [s]", .y_label = y_label, .series = series, .count = count};
    paper_plot(p, file, &plot, caption);
}

/* --- The page --- */

static bool show_ellipse(paper *p, const hart_all *all)
{
    static const char *const figures[10] = {"1", "1", "1", "1", "1", "1", "1", "1", "1", "1"};
    const hart_run *run = &all->ellipse[0];
    hart_picture picture = {"Figure 1: an ellipse on a tabletop", run->frame, run->frames, 5, -4.9, 5.3, -0.8};
    cli_page_heading(&p->report, "The ellipse");
    cli_page_text(&p->report,
                  "Axes 8 and 4 m, dropped from a height of 8 m turning at 3 rad/s, friction 0.3, density 10 "
                  "kg/m\u00b2, h = 0.05 s, contacts within 0.3 m, 20 s: all numbers are the paper\u2019s.");
    paper_picture(p, "figure1", hart_draw, &picture,
                  "Ten frames, stabilised. At 1.1 s it lands 0.28 m deep: in a step it falls by 0.5 m, more than "
                  "the 0.3 m within which contacts are seen. The next step takes that back, and the speed of doing "
                  "so lifts it to 3.5 m. From 3 s on it rocks, for rolling costs no energy.");
    write_frames(p, figures, run);
    write_infeasibility(p, "2", all->ellipse, 2);
    return plot_infeasibility(p, "figure2", "Figure 2: infeasibility of the ellipse", all->ellipse, 2,
                              "Deepest overlap at the end of each step. Without stabilisation every step adds its "
                              "linearisation error; with it the next step takes it back. Values below 1e-12 are "
                              "drawn there.");
}

static bool show_disks(paper *p, const hart_all *all)
{
    static const char *const figures[4] = {"3", "4", "5", "6"};
    const hart_run *run = &all->disks[0];
    hart_picture picture = {"Figures 3 to 6: 21 disks", run->frame, run->frames, 1, -78.0, 78.0, -3.0};
    cli_page_heading(&p->report, "The disks");
    cli_page_text(
        &p->report,
        "21 disks of radius 3 m, cannonball pile with six at the bottom, friction 0.2, h = 0.05 s, contacts within "
        "0.3 m, 20 s. Ours to choose: the table is 140 m wide, its walls lean out by 45 degrees, and the top disk "
        "is turned by 1e-6 rad about its left neighbour. In a pile that is symmetric to the last bit a tower of "
        "three stands in the middle until rounding topples it at about 18 s; a solver that works to 1e-6, as the "
        "paper\u2019s, never sees it.");
    paper_picture(p, "figures3to6", hart_draw, &picture, "Four frames, stabilised.");
    write_frames(p, figures, run);
    write_infeasibility(p, "8", all->disks, VARIANTS);
    return plot_infeasibility(
        p, "figure8", "Figure 8: infeasibility of the disks", all->disks, VARIANTS,
        "Plain: gaps count only while they are positive, so bodies meet exactly but overlap stays. Unstabilised: "
        "whatever is within 0.3 m counts as touching, and a disk that sinks into the table stays there; in the "
        "paper\u2019s run none had at the end. Values below 1e-12 are drawn there.");
}

static void show_runs(paper *p, const hart_all *all)
{
    static const char *const heads[] = {"run",
                                        "h [s]",
                                        "steps",
                                        "certified",
                                        "contacts|mean",
                                        "ms a step|mean",
                                        "ms a step|99 %",
                                        "ms a step|worst",
                                        "overlap / radius|mean",
                                        "overlap / radius|deepest",
                                        "nut on top|since [s]",
                                        "nut on top|by [m]"};
    cli_page_table(&p->report, 12, heads);
    for (int s = 0; s <= all->seeds; ++s) {
        const hart_run *run = s < all->seeds ? &all->nut[s] : &all->fine;
        double contacts = 0.0;
        for (int k = 0; k < run->steps; ++k) {
            contacts += run->contacts[k] / run->steps;
        }
        cli_page_cell(&p->report, "seed %d", s < all->seeds ? s + 1 : 1);
        cli_page_number(&p->report, run->dt);
        cli_page_cell(&p->report, "%d", run->steps);
        cli_page_cell(&p->report, "%d", run->certified);
        cli_page_number(&p->report, contacts);
        cli_page_number(&p->report, run->mean_ms);
        cli_page_number(&p->report, run->p99_ms);
        cli_page_number(&p->report, run->worst_ms);
        cli_page_number(&p->report, relative_overlap(run));
        cli_page_number(&p->report, run->deepest / run->small_radius);
        cli_page_number(&p->report, on_top_since(run));
        cli_page_number(&p->report,
                        is_on_top(run) ? least_lead(run, run->time[run->steps - 1] - last_seconds) : (double)NAN);
        write_nut(p, run, s < all->seeds ? s + 1 : 1);
    }
    cli_page_table_end(&p->report);
}

static void show_nut(paper *p, const hart_all *all)
{
    static const char *const figures[4] = {"9", "9", "9", "9"};
    static const char *const time_names[1] = {"step"}, *const contact_names[2] = {"within the margin",
                                                                                  "with an impulse"};
    static const char *const top_names[2] = {"the nut", "highest small disk"};
    const hart_run *run = &all->nut[0];
    const double *times[1] = {run->ms}, *contacts[2] = {run->contacts, run->active};
    const double *tops[2] = {run->large_top, run->small_top};
    hart_picture picture = {"Figure 9: a Brazil nut", run->frame, run->frames, 4, -10.5, 10.5, -1.0};
    cli_page_heading(&p->report, "The Brazil nut");
    cli_page_text(
        &p->report,
        "201 bodies, convex scheme, friction 0.5 everywhere, h = 0.1 s, 75 s, inelastic. Ours to choose: small "
        "radii 0.45 to 0.5 m, the nut 3.5 m at the bottom of a box 20 m wide that is shaken up and down by 1.5 m, "
        "once a second, for 20 s, then ever weaker until 50 s. Shaken on at full strength, the flow that friction "
        "at the walls drives can carry the nut down again.");
    paper_picture(p, "figure9", hart_draw, &picture, "Four frames, seed 1.");
    write_frames(p, figures, run);
    plot_steps(p, "figure7-time", "Figure 7: time per step", "time [ms]", run, time_names, times, 1,
               "Processor time of each step, collision detection and certificate included.");
    plot_steps(p, "figure7-contacts", "Figure 7: contacts per step", "contacts", run, contact_names, contacts, 2,
               "Contacts in each step\u2019s problem, and those that carry an impulse.");
    plot_steps(
        p, "rise", "How the nut rises", "height of the top [m]", run, top_names, tops, 2,
        "Height over the floor of the box of the nut\u2019s highest point, and of the highest small disk\u2019s.");
    show_runs(p, all);
}

/* The Brazil nut with the user's step and start. */
static bool measure_own(paper *p)
{
    hart_request request = {.dt = p->sizes.dt > 0.0 ? p->sizes.dt : 0.1,
                            .seed = p->sizes.seed > 0 ? (uint64_t)p->sizes.seed : 1,
                            .seconds = p->is_quick ? 3.0 : 0.0};
    hart_run run;
    char what[120];
    paper_steps(p, (int)(p->is_quick ? request.seconds : CRN_GALLERY_NUT_SHAKEN) + 1);
    paper_how(p, "One run of the Brazil nut with the step and start that were given; overlap is the mean over touching "
                 "contacts at the end of a step, over the steps while the box is shaken.");
    bool ok = hart_run_make(p, &request, &run);
    if (ok) {
        (void)snprintf(what, sizeof what, "Brazil nut, h = %g s, seed %d", request.dt, (int)request.seed);
        paper_incomparable(
            p, "a step of your own: the paper has no figure for it", what,
            "mean overlap %.2g m of r = %.2g m, deepest %.2g m; %d of %d steps certified; %.3g ms a step",
            run.mean_overlap, run.small_radius, run.deepest, run.certified, run.steps, run.mean_ms);
        cli_page_heading(&p->report, "A Brazil nut of your own");
        cli_page_text(&p->report, "The nut's top ends %.3g m above the floor; %g small disks reach higher.",
                      run.large_top[run.steps - 1], run.above[run.steps - 1]);
    }
    hart_run_free(&run);
    return ok;
}

bool paper_hart(paper *p)
{
    if (p->has_sizes) {
        return measure_own(p);
    }
    hart_all *all = calloc(1, sizeof *all);
    bool ok = all && measure(p, all);
    if (ok) {
        aim_ellipse(p, &all->ellipse[0], &all->ellipse[1]);
        aim_disks(p, all->disks);
        aim_nut(p, all);
        ok = show_ellipse(p, all) && show_disks(p, all);
    }
    if (ok) {
        show_nut(p, all);
    }
    if (all) {
        release(all);
    }
    free(all);
    return ok;
}
