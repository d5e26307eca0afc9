/* cairn-papers enzenhofer: n-legged frames  [E15], what the paper says of them and what it asks for at its end. */
#include "paper_frame.h"

#include <math.h>
#include <stdlib.h>

enum { SIZES = 11, STUDIES = 2 * SIZES };

static const int sizes[SIZES] = {3, 4, 5, 6, 8, 12, 16, 24, 32, 48, 64};

/* Aims: how equal is equal. */
static const double aim_w = 1e-10;
static const double aim_even = 1e-9;

/* --- Aims --- */

typedef struct totals {
    int loads, lemke_solved, states_solved, most_support, too_few_triangles;
    int murty_solved, murty_singular, murty_other;
    int even_solved, even_runs;
    double order_w, order_even, central_even;
} totals;

static totals add_up(const frame_study *studies)
{
    totals t = {0};
    for (int i = 0; i < STUDIES; ++i) {
        const frame_study *s = &studies[i];
        t.loads += s->loads;
        t.lemke_solved += s->lemke_solved;
        t.states_solved += s->states_solved;
        t.most_support = s->most_support > t.most_support ? s->most_support : t.most_support;
        t.too_few_triangles += s->least_triangles < s->legs - 2;
        t.murty_solved += s->murty_solved;
        t.murty_singular += s->murty_singular;
        t.murty_other += s->murty_other;
        t.even_solved += s->even_solved;
        t.even_runs += s->even_runs;
        t.order_w = fmax(t.order_w, s->order_w);
        t.order_even = fmax(t.order_even, s->order_even);
        t.central_even = fmax(t.central_even, s->central_even);
    }
    return t;
}

static void set_aims(paper *p, const totals *t)
{
    paper_how(
        p, "Frictionless frames of 3 to 64 legs, regular and irregular, each under 20 vertical loads (quick: 5): one "
           "at the centre, one in five outside the feet. Solved: certificate of at most 1e-9.");
    paper_published(p, "Summary", "Lemke\u2019s algorithm always finds a solution");
    paper_aim(p, t->lemke_solved == t->loads, "frames solved by Lemke (door 1)", "all", "%d of %d", t->lemke_solved,
              t->loads);
    paper_aim(p, t->states_solved == t->loads, "frames solved by contact states (door 2)", "all", "%d of %d",
              t->states_solved, t->loads);
    paper_published(p, "n-legged frames", "impulses on at most three contact points");
    paper_aim(p, t->most_support <= 3, "legs that carry, at most", "3", "%d", t->most_support);
    paper_published(p, "n-legged frames, Figure 2", "at least n \u2212 2 different triangles");
    paper_aim(p, t->too_few_triangles == 0, "shapes with fewer than n \u2212 2 triangles round the line of action", "0",
              "%d", t->too_few_triangles);
    paper_published(p, "Summary", "Murty\u2019s can run into a singularity");
    paper_aim(p, t->murty_singular > 0, "frames on which Murty\u2019s method meets a singular block and says so",
              "some", "%d of %d (%d otherwise not solved)", t->murty_singular, t->loads, t->murty_other);
    paper_how(p, "One load per frame, its legs in 100 random orders (quick: 20): lexicographic Lemke on the LCP, and "
                 "contact states with the even option. Differences are relative to the largest |q| and to the load.");
    paper_published(p, "n-legged frames", "gap velocities w are always the same");
    paper_aim(p, t->order_w <= aim_w, "largest difference of w over all orders of the legs", "at most 1e-10", "%.1e",
              t->order_w);
    paper_published(p, "Conclusion", "proposes the most evenly distributed impulses; computes none");
    paper_aim(p, t->even_solved == t->even_runs && t->order_even <= aim_even,
              "largest difference of even impulses over all orders", "at most 1e-9", "%.1e", t->order_even);
    paper_published(p, "Conclusion", "proposes the most evenly distributed impulses; computes none");
    paper_aim(p, t->central_even <= aim_even, "equal legs, central load: difference to W/n", "at most 1e-9", "%.1e",
              t->central_even);
}

/* --- Table and rows --- */

static void write_row(paper *p, const frame_study *s)
{
    cli_json row = paper_row(p, "frames");
    cli_json_int(&row, "legs", s->legs);
    cli_json_bool(&row, "is_regular", s->is_regular);
    cli_json_int(&row, "loads", s->loads);
    cli_json_int(&row, "loads_inside", s->loads_inside);
    cli_json_int(&row, "lemke_solved", s->lemke_solved);
    cli_json_int(&row, "states_solved", s->states_solved);
    cli_json_int(&row, "most_support", s->most_support);
    cli_json_int(&row, "least_triangles", s->least_triangles);
    cli_json_real(&row, "mean_triangles", s->mean_triangles);
    cli_json_int(&row, "murty_solved", s->murty_solved);
    cli_json_int(&row, "murty_singular", s->murty_singular);
    cli_json_int(&row, "murty_other", s->murty_other);
    cli_json_int(&row, "orders", s->orders);
    cli_json_int(&row, "supports_over_orders", s->order_supports);
    cli_json_real(&row, "w_over_orders", s->order_w);
    cli_json_real(&row, "even_over_orders", s->order_even);
    cli_json_real(&row, "even_central", s->is_regular ? s->central_even : (double)NAN);
    cli_json_end(&row);
}

static void write_table(paper *p, const frame_study *studies)
{
    static const char *const heads[] = {"feet",
                                        "legs",
                                        "loads",
                                        "Lemke|solved",
                                        "Lemke|legs used",
                                        "triangles|least",
                                        "triangles|n \u2212 2",
                                        "Murty|solved",
                                        "Murty|singular",
                                        "Murty|other",
                                        "over all orders|supports",
                                        "over all orders|\u0394w",
                                        "over all orders|\u0394 even",
                                        "central|\u0394 to W/n"};
    cli_page_table(&p->report, 14, heads);
    for (int i = 0; i < STUDIES; ++i) {
        const frame_study *s = &studies[i];
        cli_page_cell(&p->report, "%s", s->is_regular ? "regular" : "irregular");
        cli_page_cell(&p->report, "%d", s->legs);
        cli_page_cell(&p->report, "%d", s->loads);
        cli_page_cell(&p->report, "%d", s->lemke_solved);
        cli_page_cell(&p->report, "%d", s->most_support);
        cli_page_cell(&p->report, "%d", s->least_triangles);
        cli_page_cell(&p->report, "%d", s->legs - 2);
        cli_page_cell(&p->report, "%d", s->murty_solved);
        cli_page_cell(&p->report, "%d", s->murty_singular);
        cli_page_cell(&p->report, "%d", s->murty_other);
        cli_page_cell(&p->report, "%d", s->order_supports);
        cli_page_number(&p->report, s->order_w);
        cli_page_number(&p->report, s->order_even);
        cli_page_number(&p->report, s->is_regular ? s->central_even : (double)NAN);
        write_row(p, s);
    }
    cli_page_table_end(&p->report);
}

/* --- Plots --- */

static void plot_triangles(paper *p, const frame_study *studies)
{
    double legs[SIZES], least[2][SIZES], bound[SIZES];
    for (int i = 0; i < SIZES; ++i) {
        legs[i] = sizes[i];
        bound[i] = sizes[i] - 2;
        least[0][i] = studies[i].least_triangles;
        least[1][i] = studies[SIZES + i].least_triangles;
    }
    cli_series series[3] = {
        {.name = "regular, least", .x = legs, .y = least[0], .count = SIZES, .color = 1},
        {.name = "irregular, least", .x = legs, .y = least[1], .count = SIZES, .color = 2},
        {.name = "n \u2212 2, paper", .x = legs, .y = bound, .count = SIZES, .color = 0, .is_dashed = true}};
    cli_plot plot = {"Three-legged solutions", "legs n", "triangles", true, true, legs, SIZES, series, 3};
    paper_plot(p, "triangles", &plot,
               "Triangles of feet that contain the line of action: each is a way to carry the load on three legs.");
}

static void plot_murty(paper *p, const frame_study *studies)
{
    double legs[SIZES], share[2][SIZES];
    for (int i = 0; i < SIZES; ++i) {
        legs[i] = sizes[i];
        for (int k = 0; k < 2; ++k) {
            const frame_study *s = &studies[k * SIZES + i];
            share[k][i] = 100.0 * s->murty_singular / s->loads;
        }
    }
    cli_series series[2] = {{.name = "regular", .x = legs, .y = share[0], .count = SIZES, .color = 1},
                            {.name = "irregular", .x = legs, .y = share[1], .count = SIZES, .color = 2}};
    cli_plot plot = {"Murty\u2019s singular blocks", "legs n", "% of the loads", true, false, legs, SIZES, series, 2};
    paper_plot(p, "murty", &plot,
               "Share of the loads on which principal pivoting meets a singular block and must stop.");
}

static bool draw_frames(paper *p)
{
    frame_picture five = {.title = "Five legs, irregular, as in the paper\u2019s figure 2"};
    frame_picture eight = {.title = "Eight equal legs, central load"};
    frame_picture twelve = {.title = "Twelve legs, irregular, load off the centre"};
    bool ok = frame_take_picture(p, 5, false, 0.12, 0.08, &five) && frame_take_picture(p, 8, true, 0.0, 0.0, &eight) &&
              frame_take_picture(p, 12, false, -0.2, 0.1, &twelve);
    if (ok) {
        paper_picture(p, "five", frame_draw, &five,
                      "Left: the n-gon of the feet from above, the line of action (cross), and the legs that Lemke "
                      "chose in different orders. Right: the most even impulses, discs by their share of the load.");
        paper_picture(p, "eight", frame_draw, &eight, "Equal legs under a central load carry an eighth each.");
        paper_picture(p, "twelve", frame_draw, &twelve, "All legs that can carry do, the nearer ones more.");
    }
    return ok;
}

/* A frame of the user's size, regular and not. */
static bool measure_own(paper *p)
{
    int loads = p->sizes.runs > 0 ? p->sizes.runs : 20;
    bool ok = true;
    paper_steps(p, 2);
    paper_how(
        p, "A frame of the size that was given under vertical loads, one at the centre, one in five outside the feet; "
           "then 100 random orders of its legs under one load.");
    cli_page_heading(&p->report, "A frame of a size of your own");
    for (int k = 0; k < 2 && ok; ++k) {
        frame_study study = {.legs = p->sizes.legs > 0 ? p->sizes.legs : 5, .is_regular = k == 0};
        char what[120];
        ok = frame_measure(p, loads, 100, &study);
        (void)snprintf(what, sizeof what, "%d legs, %s: sets of legs that Lemke chooses", study.legs,
                       study.is_regular ? "regular" : "irregular");
        paper_incomparable(
            p, "a size of your own: the paper says nothing of it", what,
            "%d in %d orders; Lemke solves %d, contact states %d of %d loads; even impulses differ by %.2g",
            study.order_supports, study.orders, study.lemke_solved, study.states_solved, study.loads, study.order_even);
        paper_step(p);
    }
    return ok;
}

bool paper_enzenhofer(paper *p)
{
    if (p->has_sizes) {
        return measure_own(p);
    }
    frame_study *studies = calloc(STUDIES, sizeof *studies);
    int loads = p->is_quick ? 5 : 20, orders = p->is_quick ? 20 : 100;
    bool ok = studies != NULL;
    paper_steps(p, STUDIES);
    for (int i = 0; i < STUDIES && ok; ++i) {
        studies[i].legs = sizes[i % SIZES];
        studies[i].is_regular = i < SIZES;
        ok = frame_measure(p, loads, orders, &studies[i]);
        paper_step(p);
    }
    if (ok) {
        totals t = add_up(studies);
        set_aims(p, &t);
        cli_page_heading(&p->report, "Which legs carry");
        ok = draw_frames(p);
        cli_page_heading(&p->report, "All frames");
        cli_page_text(&p->report,
                      "A frictionless frame under %d vertical loads: one at the centre, one in five outside the "
                      "feet. Then %d random orders of the legs under one load. Murty: %d solved, %d singular, %d "
                      "otherwise.",
                      loads, orders, t.murty_solved, t.murty_singular, t.murty_other);
        write_table(p, studies);
        plot_triangles(p, studies);
        plot_murty(p, studies);
    }
    free(studies);
    return ok;
}
