/* cairn-papers lloyd: figures 5 to 8 and 10 of [L05 s5.4] with the published numbers, and growth beyond them. */
#include "paper_lloyd.h"

#include <math.h>
#include <stdlib.h>

/* What the paper's text says of its figures: milliseconds at the smallest and at the largest number of contacts. */
typedef struct published {
    double contacts[2];
    double ms[3][2]; /* standard, structural, reduced */
} published;

static const published paper_peg = {{8.0, 32.0}, {{6.18, 400.75}, {2.55, 26.63}, {1.08, 4.58}}};
static const published paper_single = {{8.0, 16.0}, {{5.2, 50.9}, {2.1, 12.5}, {0.57, 1.34}}};
static const published paper_stacks = {{4.0, 32.0}, {{2.1, 2136.0}, {1.45, 224.0}, {1.32, 96.0}}};

static const char *const names[LLOYD_METHODS] = {"standard", "structural", "reduced", "contact states"};

/* Aims beside the paper's own ratios. */
static const double aim_peg_ratio = 300.0;
static const double aim_peg_exponent = 1.0;
static const double aim_states_exponent = 2.2;
static const double aim_bodies_exponent = 1.2;

/* Columns of a curve, for plots and fits. */
typedef struct columns {
    double contacts[LLOYD_POINTS_MAX];
    double ms[LLOYD_METHODS][LLOYD_POINTS_MAX], pivots[LLOYD_METHODS][LLOYD_POINTS_MAX];
    int count;
} columns;

static columns columns_of(const lloyd_curve *curve, int contacts_most)
{
    columns c = {.count = 0};
    for (int i = 0; i < curve->count; ++i) {
        const lloyd_point *point = &curve->point[i];
        if (point->contacts > contacts_most) {
            continue;
        }
        c.contacts[c.count] = point->contacts;
        for (int m = 0; m < LLOYD_METHODS; ++m) {
            c.ms[m][c.count] = 1e3 * point->seconds[m];
            c.pivots[m][c.count] = point->pivots[m];
        }
        ++c.count;
    }
    return c;
}

/* The point with that many contacts; NULL if there is none. The last one counts. */
static const lloyd_point *find_point(const lloyd_curve *curve, int contacts)
{
    const lloyd_point *found = NULL;
    for (int i = 0; i < curve->count; ++i) {
        found = curve->point[i].contacts == contacts ? &curve->point[i] : found;
    }
    return found;
}

/* Both solving only: standard Lemke starts from the assembled matrix, contact states from scaled whitened columns. What
 * each takes to get there (assembling; checks, copying, islands) is left out of both. */
static double ratio_to_states(const lloyd_point *point)
{
    return point ? point->seconds[LLOYD_STANDARD] / point->solving : (double)NAN;
}

/* Standard Lemke from the assembled matrix against the whole call of contact states. */
static double ratio_to_calls(const lloyd_point *point)
{
    return point ? point->seconds[LLOYD_STANDARD] / point->seconds[LLOYD_STATES] : (double)NAN;
}

/* --- Plots --- */

static int add_ours(cli_series *series, const columns *c, bool is_pivots, int first_method)
{
    int count = 0;
    for (int m = first_method; m < LLOYD_METHODS; ++m) {
        series[count] = (cli_series){.name = names[m],
                                     .x = c->contacts,
                                     .y = is_pivots ? c->pivots[m] : c->ms[m],
                                     .count = c->count,
                                     .color = m,
                                     .has_fit = true};
        ++count;
    }
    return count;
}

static int add_published(cli_series *series, const published *from, int first_method)
{
    static const char *const labels[3] = {"standard, paper", "structural, paper", "reduced, paper"};
    int count = 0;
    for (int m = first_method; m < LLOYD_STATES; ++m) {
        series[count] = (cli_series){.name = labels[m],
                                     .x = from->contacts,
                                     .y = from->ms[m],
                                     .count = 2,
                                     .color = m,
                                     .is_dashed = true,
                                     .has_fit = true};
        ++count;
    }
    return count;
}

/* Several problems with the same number of contacts: points are not to be joined. */
static bool has_doubles(const columns *c)
{
    bool found = false;
    for (int i = 1; i < c->count; ++i) {
        found = found || c->contacts[i] <= c->contacts[i - 1];
    }
    return found;
}

static void plot_times(paper *p, const char *file, const char *title, const columns *c, const published *from,
                       const char *caption)
{
    cli_series series[2 * LLOYD_METHODS];
    int count = add_ours(series, c, false, LLOYD_STANDARD);
    for (int s = 0; s < count; ++s) {
        series[s].is_scatter = has_doubles(c);
    }
    count += add_published(series + count, from, LLOYD_STANDARD);
    cli_plot plot = {title, "contacts n", "time [ms]", true, true, c->contacts, c->count, series, count};
    paper_plot(p, file, &plot, caption);
}

static void plot_pivots(paper *p, const char *file, const char *title, const columns *c, const char *caption)
{
    cli_series series[LLOYD_METHODS];
    int count = add_ours(series, c, true, LLOYD_STANDARD);
    cli_plot plot = {title, "contacts n", "pivots", true, true, c->contacts, c->count, series, count};
    paper_plot(p, file, &plot, caption);
}

/* Figure 6: the close-up, on linear axes. */
static void plot_close_up(paper *p, const columns *c)
{
    cli_series series[LLOYD_METHODS];
    int count = add_ours(series, c, false, LLOYD_STRUCTURAL);
    for (int s = 0; s < count; ++s) {
        series[s].has_fit = false;
    }
    cli_plot plot = {"Figure 6: peg in hole, close-up",
                     "contacts n",
                     "time [ms]",
                     false,
                     false,
                     c->contacts,
                     c->count,
                     series,
                     count};
    paper_plot(p, "fig6", &plot, "Ours only: on the paper\u2019s machine these were milliseconds to tens of them.");
}

/* Figure 8: every run as a mark. */
static void plot_scatter(paper *p, const lloyd_curve *curve)
{
    enum { MOST = LLOYD_POINTS_MAX * LLOYD_RUNS_MAX };
    double x[2][MOST], y[2][MOST];
    int count[2] = {0, 0};
    for (int i = 0; i < curve->count; ++i) {
        for (int k = 0; k < 2; ++k) {
            int m = k == 0 ? LLOYD_REDUCED : LLOYD_STATES;
            for (int run = 0; run < curve->point[i].solved[m]; ++run) {
                x[k][count[k]] = curve->point[i].contacts;
                y[k][count[k]++] = 1e6 * curve->point[i].run_seconds[m][run];
            }
        }
    }
    cli_series series[2] = {
        {.name = "reduced", .x = x[0], .y = y[0], .count = count[0], .color = LLOYD_REDUCED, .is_scatter = true},
        {.name = "contact states", .x = x[1], .y = y[1], .count = count[1], .color = LLOYD_STATES, .is_scatter = true}};
    cli_plot plot = {
        "Figure 8: ten situations, every run", "contacts n", "time [\u00b5s]", false, true, NULL, 0, series, 2};
    paper_plot(p, "fig8", &plot, "The paper\u2019s scatter plot of its reduced method, with contact states beside it.");
}

/* --- Tables and rows --- */

static void rows_of_point(paper *p, const lloyd_point *point, const char *figure)
{
    for (int m = 0; m < LLOYD_METHODS; ++m) {
        cli_json row = paper_row(p, figure);
        cli_json_string(&row, "problem", point->label);
        cli_json_int(&row, "bodies", point->bodies);
        cli_json_int(&row, "contacts", point->contacts);
        cli_json_string(&row, "method", names[m]);
        cli_json_int(&row, "runs", point->runs[m]);
        cli_json_int(&row, "solved", point->solved[m]);
        cli_json_real(&row, "mean_us", 1e6 * point->seconds[m]);
        cli_json_real(&row, "mean_solving_us", 1e6 * (m == LLOYD_STATES ? point->solving : point->seconds[m]));
        cli_json_real(&row, "mean_pivots", point->pivots[m]);
        cli_json_end(&row);
    }
}

static void table_of_curve(paper *p, const lloyd_curve *curve, const char *figure)
{
    static const char *const heads[] = {"problem",
                                        "n",
                                        "time [\u00b5s]|standard",
                                        "time [\u00b5s]|structural",
                                        "time [\u00b5s]|reduced",
                                        "time [\u00b5s]|states",
                                        "time [\u00b5s]|solving",
                                        "pivots|standard",
                                        "pivots|structural",
                                        "pivots|reduced",
                                        "pivots|states",
                                        "ratio, standard / states",
                                        "solved|standard",
                                        "solved|states"};
    cli_page_table(&p->report, 14, heads);
    for (int i = 0; i < curve->count; ++i) {
        const lloyd_point *point = &curve->point[i];
        cli_page_cell(&p->report, "%s", point->label);
        cli_page_cell(&p->report, "%d", point->contacts);
        for (int m = 0; m < LLOYD_METHODS; ++m) {
            cli_page_number(&p->report, 1e6 * point->seconds[m]);
        }
        cli_page_number(&p->report, 1e6 * point->solving);
        for (int m = 0; m < LLOYD_METHODS; ++m) {
            cli_page_number(&p->report, point->pivots[m]);
        }
        cli_page_number(&p->report, ratio_to_states(point));
        for (int m = 0; m < LLOYD_METHODS; m += LLOYD_STATES) {
            cli_page_cell(&p->report, "%d/%d", point->solved[m], point->runs[m]);
        }
        rows_of_point(p, point, figure);
    }
    cli_page_table_end(&p->report);
    cli_page_text(&p->report, "Times are of whole calls; \u2018solving\u2019 is what contact states take of theirs "
                              "after checks, copying and splitting into islands. Standard Lemke is timed from the "
                              "assembled matrix, so ratios are to \u2018solving\u2019.");
}

/* Published ratios beside ours at both ends of a figure. */
static void table_of_ratios(paper *p, const lloyd_curve *curve, const published *from, const char *figure)
{
    static const char *const heads[] = {"contacts",
                                        "paper [ms]|standard",
                                        "paper [ms]|structural",
                                        "paper [ms]|reduced",
                                        "ours [ms]|standard",
                                        "ours [ms]|structural",
                                        "ours [ms]|reduced",
                                        "ours [ms]|states",
                                        "standard is slower than|reduced, paper",
                                        "standard is slower than|reduced, ours",
                                        "standard is slower than|states"};
    cli_page_table(&p->report, 11, heads);
    for (int end = 0; end < 2; ++end) {
        const lloyd_point *point = find_point(curve, (int)from->contacts[end]);
        double published_ratio = from->ms[LLOYD_STANDARD][end] / from->ms[LLOYD_REDUCED][end];
        if (!point) {
            continue;
        }
        cli_page_cell(&p->report, "n = %.0f", from->contacts[end]);
        for (int m = 0; m < LLOYD_STATES; ++m) {
            cli_page_number(&p->report, from->ms[m][end]);
        }
        for (int m = 0; m < LLOYD_METHODS; ++m) {
            cli_page_number(&p->report, 1e3 * point->seconds[m]);
        }
        cli_page_number(&p->report, published_ratio);
        cli_page_number(&p->report, point->seconds[LLOYD_STANDARD] / point->seconds[LLOYD_REDUCED]);
        cli_page_number(&p->report, ratio_to_states(point));
        cli_json row = paper_row(p, figure);
        cli_json_int(&row, "contacts", point->contacts);
        cli_json_reals(&row, "published_ms", 3, (double[3]){from->ms[0][end], from->ms[1][end], from->ms[2][end]});
        cli_json_real(&row, "published_ratio", published_ratio);
        cli_json_real(&row, "ratio_standard_to_states", ratio_to_states(point));
        cli_json_real(&row, "ratio_standard_to_whole_call", ratio_to_calls(point));
        cli_json_end(&row);
    }
    cli_page_table_end(&p->report);
}

/* --- Towers --- */

static double tower_exponent(const lloyd_data *data, int way)
{
    double blocks[LLOYD_POINTS_MAX], ms[LLOYD_POINTS_MAX], exponent = (double)NAN, factor;
    for (int i = 0; i < data->tower_count; ++i) {
        blocks[i] = data->tower[i].blocks;
        ms[i] = 1e3 * data->tower[i].seconds[way];
    }
    (void)cli_fit_power(blocks, ms, data->tower_count, &exponent, &factor);
    return exponent;
}

static void plot_towers(paper *p, const lloyd_data *data)
{
    static const char *const labels[LLOYD_WAYS] = {"contact states", "states, warm", "body level"};
    static const int colors[LLOYD_WAYS] = {LLOYD_STATES, 4, 5};
    double blocks[LLOYD_POINTS_MAX], ms[LLOYD_WAYS][LLOYD_POINTS_MAX];
    cli_series series[LLOYD_WAYS];
    for (int way = 0; way < LLOYD_WAYS; ++way) {
        for (int i = 0; i < data->tower_count; ++i) {
            blocks[i] = data->tower[i].blocks;
            ms[way][i] = 1e3 * data->tower[i].seconds[way];
        }
        series[way] = (cli_series){.name = labels[way],
                                   .x = blocks,
                                   .y = ms[way],
                                   .count = data->tower_count,
                                   .color = colors[way],
                                   .has_fit = true};
    }
    cli_plot plot = {"Growth: towers of m blocks",
                     "blocks m",
                     "time [ms]",
                     true,
                     true,
                     blocks,
                     data->tower_count,
                     series,
                     LLOYD_WAYS};
    paper_plot(p, "growth-stacks", &plot,
               "Four contacts a block, a random wrench on the top one. Warm: from the answer of the same problem. "
               "Body level: round friction cones.");
}

static void table_of_towers(paper *p, const lloyd_data *data)
{
    static const char *const heads[] = {
        "blocks",        "contacts",    "time [ms]|states",    "time [ms]|warm",       "time [ms]|body level",
        "pivots|states", "pivots|warm", "pivots|Newton steps", "factorisations, warm", "solved"};
    cli_page_table(&p->report, 10, heads);
    for (int i = 0; i < data->tower_count; ++i) {
        const lloyd_tower *tower = &data->tower[i];
        cli_page_cell(&p->report, "%d", tower->blocks);
        cli_page_cell(&p->report, "%d", tower->contacts);
        for (int way = 0; way < LLOYD_WAYS; ++way) {
            cli_page_number(&p->report, 1e3 * tower->seconds[way]);
        }
        for (int way = 0; way < LLOYD_WAYS; ++way) {
            cli_page_number(&p->report, tower->pivots[way]);
        }
        cli_page_cell(&p->report, "%d", tower->warm_factorisations);
        cli_page_cell(&p->report, "%d / %d", tower->solved[0] + tower->solved[1] + tower->solved[2],
                      LLOYD_WAYS * tower->runs);
        cli_json row = paper_row(p, "towers");
        cli_json_int(&row, "blocks", tower->blocks);
        cli_json_int(&row, "runs", tower->runs);
        cli_json_reals(&row, "mean_ms_states_warm_bodies", LLOYD_WAYS,
                       (double[3]){1e3 * tower->seconds[0], 1e3 * tower->seconds[1], 1e3 * tower->seconds[2]});
        cli_json_reals(&row, "mean_pivots", LLOYD_WAYS, tower->pivots);
        cli_json_int(&row, "solved_states", tower->solved[LLOYD_COLD]);
        cli_json_int(&row, "solved_warm", tower->solved[LLOYD_WARM]);
        cli_json_int(&row, "solved_bodies", tower->solved[LLOYD_BODIES]);
        cli_json_int(&row, "warm_factorisations", tower->warm_factorisations);
        cli_json_end(&row);
    }
    cli_page_table_end(&p->report);
}

/* --- Aims --- */

static void aim_ratio(paper *p, const lloyd_curve *curve, int contacts, double aim, const char *what)
{
    char wanted[60];
    const lloyd_point *point = find_point(curve, contacts);
    double ratio = ratio_to_states(point);
    (void)snprintf(wanted, sizeof wanted, "at least %.3g", aim);
    paper_aim(p, ratio >= aim, what, wanted, "%.0f (%.0f by whole calls)", ratio, ratio_to_calls(point));
}

static void aim_exponent(paper *p, double exponent, double aim, const char *what)
{
    char wanted[60];
    (void)snprintf(wanted, sizeof wanted, "at most %.1f", aim);
    paper_aim(p, exponent <= aim, what, wanted, "%.2f", exponent);
}

static void count_solved(const lloyd_curve *curve, int method, int *solved, int *runs)
{
    for (int i = 0; i < curve->count; ++i) {
        *solved += curve->point[i].solved[method];
        *runs += curve->point[i].runs[method];
    }
}

static void aim_solved(paper *p, const lloyd_data *data)
{
    static const char *const what[LLOYD_METHODS] = {"", "problems solved by Lloyd\u2019s structural method",
                                                    "problems solved by Lloyd\u2019s reduced method",
                                                    "problems solved by contact states, certificate at most 1e-9"};
    for (int m = LLOYD_STATES; m >= LLOYD_STRUCTURAL; --m) {
        int solved = 0, runs = 0;
        count_solved(&data->peg, m, &solved, &runs);
        count_solved(&data->single, m, &solved, &runs);
        count_solved(&data->stacks, m, &solved, &runs);
        for (int i = 0; i < data->tower_count && m == LLOYD_STATES; ++i) {
            solved += data->tower[i].solved[LLOYD_COLD];
            runs += data->tower[i].runs;
        }
        paper_aim(p, solved == runs, what[m], "all", "%d of %d", solved, runs);
    }
}

static void aim_warm(paper *p, const lloyd_data *data)
{
    int most = 0;
    for (int i = 0; i < data->tower_count; ++i) {
        most = data->tower[i].warm_factorisations > most ? data->tower[i].warm_factorisations : most;
    }
    paper_aim(p, most <= 1, "factorisations of a warm start of a tower from its own answer", "1", "%d", most);
}

static double peg_exponent(const columns *peg, int method)
{
    double exponent = (double)NAN, factor;
    (void)cli_fit_power(peg->contacts, peg->ms[method], peg->count, &exponent, &factor);
    return exponent;
}

/* The paper's own methods, as we wrote them, on its own figure. */
static void aim_paper_methods(paper *p, const lloyd_data *data)
{
    const lloyd_point *point = find_point(&data->peg, 32);
    double ratio = point ? point->seconds[LLOYD_STANDARD] / point->seconds[LLOYD_REDUCED] : (double)NAN;
    double ms = point ? 1e3 * point->seconds[LLOYD_REDUCED] : (double)NAN;
    columns figure5 = columns_of(&data->peg, 32);
    paper_published(p, "Figure 5, s5.4", "400.75 / 4.58 ms: 87 times faster");
    paper_reason(
        p, "our standard Lemke is fast: a pivot on the assembled problem costs little, so that there is less to "
           "save; contact states, which are the method of the product, are held against it in a row of their own");
    paper_aim(p, ratio >= paper_peg.ms[0][1] / paper_peg.ms[2][1],
              "peg, 32 contacts: Lloyd\u2019s reduced method against standard Lemke", "at least 87 times", "%.0f",
              ratio);
    paper_published(p, "Figure 5, s5.4", "6.18 to 400.75, 2.55 to 26.63, 1.08 to 4.58 ms: n^3.0, n^1.7, n^1.0");
    paper_incomparable(p, "the paper says \u2018roughly compatible\u2019 with n^3, n^2, n, which sets no bound",
                       "peg, 8 to 32 contacts: growth of standard, structural, reduced", "n^%.1f, n^%.1f, n^%.1f",
                       peg_exponent(&figure5, LLOYD_STANDARD), peg_exponent(&figure5, LLOYD_STRUCTURAL),
                       peg_exponent(&figure5, LLOYD_REDUCED));
    paper_published(p, "Figure 5, s5.4", "4.58 ms, Java, Pentium III-M of 1 GHz");
    paper_incomparable(p, "another machine and language", "peg, 32 contacts: time of the reduced method", "%.3f ms",
                       ms);
}

static void aim_against_standard(paper *p, const lloyd_data *data, const columns *peg)
{
    paper_how(
        p, "20 random wrenches per problem (quick: 4), friction 0.2 to 0.3, 8 directions. Standard: lexicographic "
           "Lemke on the assembled LCP, assembling not timed. Ours: contact states, without checks, copying and "
           "islands; in brackets whole calls. Each time is the median of up to 15 calls, processor time of one thread; "
           "means are over the wrenches solved with a certificate of at most 1e-9.");
    paper_published(p, "Figure 5, s5.4", "87 times, reduced method");
    aim_ratio(p, &data->peg, 32, aim_peg_ratio, "peg, 32 contacts: contact states against standard Lemke");
    paper_published(p, "Figure 7, s5.4", "50.9 / 1.34 ms: 38 times, reduced method");
    aim_ratio(p, &data->single, 16, paper_single.ms[0][1] / paper_single.ms[2][1],
              "one body, 16 contacts: contact states against standard Lemke");
    paper_published(p, "Figure 10, s5.4", "2136 / 96 ms: 22 times, reduced method");
    paper_reason(
        p, "on stacks standard Lemke needs hardly more pivots than contact states (98 against 79), and a pivot of "
           "ours on the assembled problem is cheap; the ratio moves with the machine's memory speed");
    aim_ratio(p, &data->stacks, 32, paper_stacks.ms[0][1] / paper_stacks.ms[2][1],
              "five blocks, 32 contacts: contact states against standard Lemke");
    aim_paper_methods(p, data);
    paper_how(
        p, "Least-squares fit of log time over log size: n = 8 to 256 contacts (quick: 8 to 32) of one peg, towers of "
           "m blocks with four contacts each. Whole calls with their certificate.");
    paper_published(p, "s5.3, s5.4", "close to O(n) for fixed m, reduced method");
    aim_exponent(p, peg_exponent(peg, LLOYD_STATES), aim_peg_exponent, "one body: exponent in n of contact states");
}

static void aim_towers(paper *p, const lloyd_data *data)
{
    paper_published(p, "s5.3", "O(n m + m^3), reduced method: 3 in m");
    paper_reason(p, "pivots grow as m^1.25 and each costs the square of the basis (docs/theory/states.md); "
                    "islands this large are given to the solver at body level");
    aim_exponent(p, tower_exponent(data, LLOYD_COLD), aim_states_exponent, "towers: exponent in m by pivoting");
    paper_published(p, "s5.3", "O(n m + m^3), reduced method: 3 in m");
    paper_reason(p, "at the limit: 1.20 to 1.26 in repeated runs, by the machine's load");
    aim_exponent(p, tower_exponent(data, LLOYD_BODIES), aim_bodies_exponent, "towers: exponent in m at body level");
    paper_how(p, "Every problem of the figures and the towers, each with its random wrenches. Solved: outcome and "
                 "certificate of at most 1e-9 from the problem as given. Warm: the tower again from its own answer.");
    aim_warm(p, data);
    aim_solved(p, data);
}

static void set_aims(paper *p, const lloyd_data *data, const columns *peg)
{
    aim_against_standard(p, data, peg);
    aim_towers(p, data);
}

/* --- The page --- */

static void write_peg(paper *p, const lloyd_data *data, const columns *all)
{
    columns figure5 = columns_of(&data->peg, 32);
    cli_page_heading(&p->report, "Figures 5 and 6: peg in a hole, one body");
    cli_page_text(&p->report,
                  "A random wrench at the peg\u2019s centre, contacts round both rims of the hole, d = 8 "
                  "directions, friction 0.2 to 0.3. Standard is door 1\u2019s lexicographic Lemke on the assembled "
                  "LCP of order n (2 + d); the others work on whitened columns and never form it.");
    plot_times(p, "fig5", "Figure 5: peg in hole, n = 8 to 32", &figure5, &paper_peg,
               "Filled marks: ours. Hollow marks: the two ends of each published curve. Thin dots: fitted power laws.");
    plot_close_up(p, &figure5);
    table_of_ratios(p, &data->peg, &paper_peg, "5");
    plot_pivots(p, "pivots-peg", "Pivots: peg in hole", all,
                "Standard and structural follow the same path but for ties; contact states need a handful of pivots "
                "whatever n.");
    plot_times(p, "growth-peg", "Growth: one body, up to 256 contacts", all, &paper_peg,
               "Standard Lemke is measured up to 64 contacts, where its LCP has order 640.");
    table_of_curve(p, &data->peg, "5");
}

static void write_rest(paper *p, const lloyd_data *data)
{
    columns single = columns_of(&data->single, 1000), stacks = columns_of(&data->stacks, 1000);
    cli_page_heading(&p->report, "Figures 7 and 8: ten situations of one body");
    plot_times(p, "fig7", "Figure 7: ten situations, 1 to 16 contacts", &single, &paper_single,
               "The paper gives its range for 8 to 16 contacts.");
    plot_scatter(p, &data->single);
    table_of_ratios(p, &data->single, &paper_single, "7");
    table_of_curve(p, &data->single, "7");
    cli_page_heading(&p->report, "Figure 10: stacked blocks");
    plot_times(p, "fig10", "Figure 10: ten stacks of 1 to 5 blocks", &stacks, &paper_stacks,
               "Configurations with the same number of contacts differ in the number of bodies.");
    table_of_ratios(p, &data->stacks, &paper_stacks, "10");
    table_of_curve(p, &data->stacks, "10");
    cli_page_heading(&p->report, "Growth: towers");
    plot_towers(p, data);
    table_of_towers(p, data);
}

/* A peg of the user's sizes: times, and nothing to hold them against. */
static void write_own(paper *p, const lloyd_data *data)
{
    static const char *const method_names[LLOYD_METHODS] = {"standard", "structural", "reduced", "contact states"};
    const lloyd_point *point = &data->peg.point[0];
    int directions = p->sizes.directions > 0 ? p->sizes.directions : 8;
    paper_how(p,
              "Random wrenches on a peg of the sizes that were given; whole calls with their certificate, medians of "
              "repetitions, means over the solved runs. Standard Lemke is left out above 64 contacts.");
    for (int m = 0; m < LLOYD_METHODS; ++m) {
        char what[120];
        (void)snprintf(what, sizeof what, "peg, %d contacts, %d directions: %s", point->contacts, directions,
                       method_names[m]);
        paper_incomparable(p, "sizes of your own: the paper has no figure for them", what, "%.3g us, %d of %d solved",
                           1e6 * point->seconds[m], point->solved[m], point->runs[m]);
    }
    cli_page_heading(&p->report, "A peg of sizes of your own");
    table_of_curve(p, &data->peg, "own");
}

bool paper_lloyd(paper *p)
{
    lloyd_data *data = calloc(1, sizeof *data);
    bool ok = data && (p->has_sizes ? lloyd_measure_own(p, data) : lloyd_measure(p, data));
    if (ok && p->has_sizes) {
        write_own(p, data);
    } else if (ok) {
        columns peg = columns_of(&data->peg, 1000);
        set_aims(p, data, &peg);
        write_peg(p, data, &peg);
        write_rest(p, data);
    }
    free(data);
    return ok;
}
