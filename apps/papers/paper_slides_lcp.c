/* Definitions 1 to 4 of [SLCP]: what our solvers return is put into the printed lines by code of this file alone. */
#include "paper_slides.h"

#include "gallery.h"

#include <cairn/contact.h>
#include <cairn/lcp.h>

#include <math.h>
#include <string.h>

enum { ORDER_MAX = 1200 };
static const double small = 1e-8; /* of the largest |q|: what counts as zero */

/* --- Definitions 2 and 4 --- */

/* w = M z + q. */
static void multiply(const crn_lcp_problem *problem, const double *z, double *w)
{
    memcpy(w, problem->q, (size_t)problem->n * sizeof *w);
    for (int j = 0; j < problem->n; ++j) {
        if (problem->M) {
            for (int i = 0; i < problem->n; ++i) {
                w[i] += problem->M[(size_t)i + (size_t)j * (size_t)problem->ld] * z[j];
            }
        } else {
            for (int k = problem->start[j]; k < problem->start[j + 1]; ++k) {
                w[problem->row[k]] += problem->value[k] * z[j];
            }
        }
    }
}

static bool is_free(const crn_lcp_problem *problem, int i)
{
    return problem->lower && isinf(problem->lower[i]);
}

/* Largest violation of 0 <= w, z >= 0, w z = 0, or of w = 0 where z is free, over the largest |q|. */
static double violation(const crn_lcp_problem *problem, const double *z, const double *w)
{
    double worst = 0.0, scale = 0.0;
    for (int i = 0; i < problem->n; ++i) {
        worst = fmax(worst, is_free(problem, i) ? fabs(w[i]) : fabs(fmin(z[i], w[i])));
        scale = fmax(scale, fabs(problem->q[i]));
    }
    return worst / fmax(scale, 1.0);
}

typedef struct tally {
    int problems, right;
    double worst;
} tally;

static bool try_problem(paper *p, const crn_lcp_problem *problem, tally *t)
{
    double z[ORDER_MAX], w[ORDER_MAX];
    crn_lcp_solution solution = {.z = z};
    crn_lcp_result result;
    if (problem->n > ORDER_MAX) {
        return true;
    }
    bool ok = crn_lcp_solve(problem, NULL, &p->work, &solution, &result, &p->error) == CRN_OK;
    if (ok) {
        multiply(problem, z, w);
        double off = violation(problem, z, w);
        t->problems++;
        t->right += result.outcome == CRN_LCP_SOLVED && off <= small;
        t->worst = fmax(t->worst, off);
    }
    return ok;
}

static bool try_family(paper *p, const char *name, int count, tally *t)
{
    const crn_gallery_family *family = crn_gallery_find(name);
    bool ok = family != NULL;
    for (int i = 0; i < count && ok; ++i) {
        crn_lcp_data data = {0};
        ok = family->make(i, 1, &data, &p->error) == CRN_OK && try_problem(p, &data.problem, t);
        crn_lcp_data_free(&data);
    }
    return ok;
}

bool slides_definitions(paper *p)
{
    static const char *const families[] = {"peg", "single", "frames", "random-P", "psd-lowrank", "copositive", "qp"};
    int count = p->is_quick ? 5 : 40;
    tally linear = {0, 0, 0.0}, mixed = {0, 0, 0.0};
    bool ok = true;
    for (size_t f = 0; f < sizeof families / sizeof families[0] && ok; ++f) {
        ok = try_family(p, families[f], count, &linear);
    }
    ok = ok && try_family(p, "mixed", count, &mixed);
    if (!ok) {
        return false;
    }
    paper_published(p, "Definition 2, eq. 23", "0 \u2264 A x + b \u22a5 x \u2265 0");
    paper_aim(p, linear.right == linear.problems, "LCPs whose answer satisfies the definition", "all, to 1e-8",
              "%d of %d, worst %.1g", linear.right, linear.problems, linear.worst);
    paper_published(p, "Definition 4, eq. 26, 27", "0 \u2264 F x + B w + a \u22a5 x \u2265 0, C x + D w + r = 0");
    paper_aim(p, mixed.right == mixed.problems, "mixed LCPs whose answer satisfies the definition", "all, to 1e-8",
              "%d of %d, worst %.1g", mixed.right, mixed.problems, mixed.worst);
    return true;
}

/* --- Definition 1: the round cone, against Definition 2: a polygon --- */

enum { CORNERS = 5, HEADINGS = 91 };
static const double friction = 0.5;

/* Impulse of a mass of 1 kg that slides over the floor at a heading and would sink at 1 m/s: normal impulse 1. */
static bool slide(paper *p, double heading, int directions, crn_contact_cone cone, double impulse[3])
{
    const crn_contact_body body = {
        .kind = CRN_MASS_RIGID, .dof = 6, .mass = 1.0, .inertia = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    const double velocity[6] = {0, 0, 0, 3.0 * cos(heading), 3.0 * sin(heading), -1.0};
    const crn_contact_point point = {.a = 0,
                                     .b = -1,
                                     .normal = {0, 0, 1},
                                     .t1 = {1, 0, 0},
                                     .t2 = {0, 1, 0},
                                     .mu = friction,
                                     .directions = directions};
    const crn_contact_problem problem = {1, 1, 0, &body, &point, NULL, velocity};
    const crn_contact_solution solution = {.impulse = impulse};
    crn_contact_options options = crn_contact_options_default();
    crn_contact_result result;
    options.cone = cone;
    return crn_contact_solve(&problem, &options, &p->work, &solution, &result, &p->error) == CRN_OK &&
           result.outcome == CRN_LCP_SOLVED;
}

/* Over all headings: the round cone against Coulomb's law, and the polygon of d corners against the round cone. */
static bool compare_cones(paper *p, int d, double *round, double *polygon)
{
    bool ok = true;
    *round = *polygon = 0.0;
    for (int k = 0; k < HEADINGS && ok; ++k) {
        double heading = 3.14159265358979323846 * k / 180.0, r[3] = {0}, s[3] = {0};
        ok = slide(p, heading, d, CRN_CONE_ROUND, r) && slide(p, heading, d, CRN_CONE_POLYGON, s);
        *round = fmax(*round, hypot(r[1] + friction * cos(heading), r[2] + friction * sin(heading)));
        *polygon = fmax(*polygon, hypot(r[1] - s[1], r[2] - s[2]));
    }
    return ok;
}

bool slides_cones(paper *p)
{
    double corners[CORNERS], polygon[CORNERS], bound[CORNERS], round = 0.0, above = -INFINITY;
    for (int i = 0; i < CORNERS; ++i) {
        double one;
        corners[i] = 4 << i;
        if (!compare_cones(p, 4 << i, &one, &polygon[i])) {
            return false;
        }
        round = fmax(round, one);
        bound[i] = 2.0 * friction * sin(0.5 * 3.14159265358979323846 / corners[i]);
        above = fmax(above, polygon[i] / bound[i] - 1.0);
    }
    paper_published(p, "Definition 1, eq. 22", "0 \u2264 y(x) \u22a5 x \u2265 0, y not linear");
    paper_aim(p, round <= 1e-8, "NCP (round cone): friction against Coulomb\u2019s law", "within 1e-8 N s", "%.1g N s",
              round);
    paper_published(p, "Definitions 1 and 2", "no word on how far an LCP is from the NCP");
    paper_aim(p, above <= 1e-6, "LCP (polygon of d corners) against the NCP", "at most 2 \u03bc sin(\u03c0 / 2d)",
              "%.3f N s at d = 8, %.3f at 64", polygon[1], polygon[CORNERS - 1]);
    cli_series series[2] = {{.name = "worst heading", .x = corners, .y = polygon, .count = CORNERS, .color = 1},
                            {.name = "2 \u03bc sin(\u03c0 / 2d)",
                             .x = corners,
                             .y = bound,
                             .count = CORNERS,
                             .color = 0,
                             .is_dashed = true}};
    cli_plot plot = {"From the NCP to the LCP",
                     "corners d of the friction polygon",
                     "difference of friction [N s]",
                     true,
                     true,
                     corners,
                     CORNERS,
                     series,
                     2};
    cli_page_heading(&p->report, "Nonlinear and linear: the friction cone");
    paper_plot(p, "cones", &plot,
               "A polygon\u2019s friction points along its nearest corner: half a corner off at worst.");
    return true;
}

/* --- Methods --- */

enum { SWEEPS = 400, SHOWN = 3 };

typedef struct descent {
    const char *name, *family;
    int index;
    double history[SWEEPS];
    int sweeps, pivots, order;
    bool is_solved;
} descent;

static bool follow_sweeps(paper *p, descent *d)
{
    double z[ORDER_MAX];
    crn_lcp_data data = {0};
    crn_lcp_solution solution = {.z = z, .history = d->history, .history_size = SWEEPS};
    crn_lcp_options options = crn_lcp_options_default(CRN_LCP_PGS);
    crn_lcp_result result;
    const crn_gallery_family *family = crn_gallery_find(d->family);
    options.max_pivots = SWEEPS;
    bool ok = family && family->make(d->index, 1, &data, &p->error) == CRN_OK && data.problem.n <= ORDER_MAX &&
              crn_lcp_solve(&data.problem, &options, &p->work, &solution, &result, &p->error) == CRN_OK;
    if (ok) {
        d->sweeps = result.pivots < SWEEPS ? result.pivots : SWEEPS;
        d->is_solved = result.outcome == CRN_LCP_SOLVED;
        d->order = data.problem.n;
        options = crn_lcp_options_default(CRN_LCP_LEMKE_LEX);
        ok = crn_lcp_solve(&data.problem, &options, &p->work, &solution, &result, &p->error) == CRN_OK;
        d->pivots = result.outcome == CRN_LCP_SOLVED ? result.pivots : -1;
    }
    crn_lcp_data_free(&data);
    return ok;
}

static void describe(const descent *d, char *text, size_t size)
{
    if (d->is_solved) {
        (void)snprintf(text, size, "%s: %d sweeps, %d pivots", d->name, d->sweeps, d->pivots);
    } else {
        double left = d->sweeps > 0 ? d->history[d->sweeps - 1] : 1.0;
        (void)snprintf(text, size, "%s: %.1g left after %d sweeps, %d pivots", d->name, left, d->sweeps, d->pivots);
    }
}

bool slides_methods(paper *p)
{
    descent runs[SHOWN] = {{.name = "random P", .family = "random-P", .index = 4},
                           {.name = "frame", .family = "frames", .index = 8},
                           {.name = "semidefinite", .family = "psd-lowrank", .index = 10}};
    double sweep[SWEEPS];
    char text[SHOWN][64];
    cli_series series[SHOWN];
    for (int k = 0; k < SWEEPS; ++k) {
        sweep[k] = k + 1;
    }
    for (int i = 0; i < SHOWN; ++i) {
        if (!follow_sweeps(p, &runs[i])) {
            return false;
        }
        describe(&runs[i], text[i], sizeof text[i]);
        series[i] = (cli_series){.name = runs[i].name,
                                 .x = sweep,
                                 .y = runs[i].history,
                                 .count = runs[i].sweeps,
                                 .color = i,
                                 .is_plain = true};
    }
    paper_published(p, "Stuff to do next", "solve the LCP: different methods, different pros and cons");
    paper_incomparable(p, "the slides give no figures", "sweeping (PGS) against pivoting (Lemke)", "%s; %s; %s",
                       text[0], text[1], text[2]);
    cli_plot plot = {.title = "Projected Gauss-Seidel",
                     .x_label = "sweeps",
                     .y_label = "relative residual",
                     .is_log_x = true,
                     .is_log_y = true,
                     .series = series,
                     .count = SHOWN};
    cli_page_heading(&p->report, "Methods: sweeping and pivoting");
    paper_plot(p, "pgs", &plot,
               "Sweeping is slow where the matrix is singular, and may run away where it is a P-matrix but far from "
               "symmetric. Pivoting ends after finitely many steps with an answer to rounding.");
    return true;
}
