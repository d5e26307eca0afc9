/* bench_contact_classes.c -- random small problems of 14 classes, polygons and round cones, each answer judged by its own law. */
#include "bench_contact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gallery_classes.h"
#include "progress.h"
#include "sections.h"

/* The judge's error of an answer that is claimed solved, over the tolerance it was asked for: its map has another unit of
 * impulse, and other speeds make its scale. */
static const double judge_margin = 10.0;
static const double unsolved_most = 0.0005; /* share */

typedef enum verdict { SOLVED, FALSE_CLAIM, OTHER_LAW, NO_SOLUTION, NOT_FOUND, NOT_SOLVED, VERDICTS } verdict;
static const char *const verdict_names[VERDICTS] = {"solved", "false", "law", "none", "exists", "open"};

typedef struct counts {
    int problems, of[VERDICTS];
    double worst, judged, seconds, slowest;
} counts;

/* Arrays for the largest problem of the classes. */
typedef struct room {
    crn_workspace work;
    double *impulse, *row_impulse;
} room;

static verdict verdict_of(const crn_contact_result *result, const crn_contact_options *options, double error)
{
    if (result->outcome == CRN_LCP_CONVEX) {
        return OTHER_LAW;
    }
    if (result->outcome == CRN_LCP_SOLVED) {
        return result->law == CRN_LAW_COULOMB && error <= judge_margin * options->tol
                   ? SOLVED
                   : FALSE_CLAIM; /* not-a-number: false */
    }
    if (result->outcome == CRN_LCP_INFEASIBLE) {
        return NO_SOLUTION;
    }
    return result->has_solution ? NOT_FOUND : NOT_SOLVED;
}

/* What makes a problem hard: how nearly two contacts of the same bodies are opposed (2: none are), and the ratio of masses. */
static double least_misalignment(const crn_contact_problem *p)
{
    double least = 2.0;
    for (int i = 0; i < p->contacts; ++i) {
        for (int j = 0; j < i; ++j) {
            const double *m = p->contact[i].normal, *n = p->contact[j].normal;
            if (p->contact[i].a == p->contact[j].a && p->contact[i].b == p->contact[j].b) {
                least = fmin(least, hypot(hypot(m[0] + n[0], m[1] + n[1]), m[2] + n[2]));
            }
        }
    }
    return least;
}

static double mass_ratio(const crn_contact_problem *p)
{
    double least = INFINITY, most = 0.0;
    for (int i = 0; i < p->bodies; ++i) {
        least = fmin(least, p->body[i].mass);
        most = fmax(most, p->body[i].mass);
    }
    return most / least;
}

static void tell_unsolved(int number, int index, uint64_t seed, const crn_contact_problem *problem,
                          const crn_contact_options *options, const crn_contact_result *result, verdict v, double error)
{
    bench_progress_clear();
    printf("  %s: class %s (%d), problem %d, seed %llu, %s: %d bodies, %d contacts, %d rows, %s, certificate %.1e, "
           "judged %.1e; opposed but for "
           "%.0e, masses 1 : %.0e\n",
           verdict_names[v], crn_gallery_class_name(number), number, index, (unsigned long long)seed,
           options->cone == CRN_CONE_ROUND ? "round" : "polygon", problem->bodies, problem->contacts, problem->rows,
           crn_lcp_outcome_name(result->outcome), result->certificate.relative, error, least_misalignment(problem),
           mass_ratio(problem));
    fflush(stdout);
}

static bool fit(room *r, const crn_contact_problem *problem)
{
    double *impulse = realloc(r->impulse, (3 * (size_t)problem->contacts + 1) * sizeof *impulse);
    r->impulse = impulse ? impulse : r->impulse;
    double *row = realloc(r->row_impulse, ((size_t)problem->rows + 1) * sizeof *row);
    r->row_impulse = row ? row : r->row_impulse;
    return impulse && row;
}

static bool run_one(int number, int index, uint64_t seed, const crn_contact_options *options, room *r, counts *c)
{
    crn_gallery_contact_problem problem = {0};
    crn_contact_result result;
    crn_error error = {CRN_OK, "no memory"};
    bool is_ok = crn_gallery_class_make(number, index, seed, &problem, &error) == CRN_OK && fit(r, &problem.problem);
    crn_contact_solution solution = {.impulse = r->impulse, .row_impulse = r->row_impulse};
    if (!is_ok || crn_contact_solve(&problem.problem, options, &r->work, &solution, &result, &error) != CRN_OK) {
        fprintf(stderr, "bench_contact: class %d, problem %d: %s\n", number, index, error.text);
        crn_gallery_contact_free(&problem);
        return false;
    }
    double judged = bench_contact_coulomb_error(&problem.problem, options->cone, r->impulse, r->row_impulse);
    verdict v = verdict_of(&result, options, judged);
    ++c->problems;
    ++c->of[v];
    c->seconds += result.seconds;
    c->slowest = fmax(c->slowest, result.seconds);
    if (v == SOLVED) {
        c->worst = fmax(c->worst, result.certificate.relative);
        c->judged = fmax(c->judged, judged);
    } else {
        tell_unsolved(number, index, seed, &problem.problem, options, &result, v, judged);
    }
    crn_gallery_contact_free(&problem);
    return true;
}

static void print_counts(const bench_contact_options *options, const char *name, const char *cone, const counts *c)
{
    printf("  %-15s %-8s %8d", name, cone, c->problems);
    for (int v = 0; v < VERDICTS; ++v) {
        printf(" %7d", c->of[v]);
        bench_contact_note(options, "classes", name, verdict_names[v], c->of[v]);
    }
    printf(" %10.1e %10.1e %9.0f %9.1f\n", c->worst, c->judged, 1e6 * c->seconds / (c->problems > 0 ? c->problems : 1),
           1e3 * c->slowest);
}

static void add_counts(const counts *from, counts *to)
{
    to->problems += from->problems;
    for (int v = 0; v < VERDICTS; ++v) {
        to->of[v] += from->of[v];
    }
    to->worst = fmax(to->worst, from->worst);
    to->judged = fmax(to->judged, from->judged);
    to->seconds += from->seconds;
    to->slowest = fmax(to->slowest, from->slowest);
}

static bool run_class(const bench_contact_options *options, int number, crn_contact_cone cone, counts *c)
{
    const char *name = crn_gallery_class_name(number), *cone_name = cone == CRN_CONE_ROUND ? "round" : "polygon";
    crn_contact_options chosen = crn_contact_options_default();
    room r = {0};
    bool is_ok = true;
    chosen.cone = cone;
    chosen.tol = cone == CRN_CONE_ROUND ? 1e-8 : 1e-9;
    *c = (counts){0};
    for (int k = 0; k < options->class_count && is_ok; ++k) {
        is_ok = run_one(number, k, options->common.seeds[0], &chosen, &r, c);
        if (k % 100 == 0) {
            bench_progress(name, cone_name, k, options->class_count);
        }
    }
    bench_progress_clear();
    crn_workspace_free(&r.work);
    free(r.impulse);
    free(r.row_impulse);
    return is_ok;
}

bool bench_contact_classes(const bench_contact_options *options)
{
    static const char *const cone_names[2] = {"polygon", "round"};
    counts table[CRN_GALLERY_CLASS_COUNT][2], all = {0};
    printf(
        "\n=== Classes: random small problems, solvable by construction, each answer judged by Coulomb's law ===\n\n");
    for (int number = 0; number < CRN_GALLERY_CLASS_COUNT; ++number) {
        for (int cone = 0; cone < 2; ++cone) {
            if (!run_class(options, number, (crn_contact_cone)cone, &table[number][cone])) {
                return false;
            }
            add_counts(&table[number][cone], &all);
        }
    }
    printf("\nfalse: claimed, but the judge says no; law: by the convex law only; none: called infeasible; exists: not "
           "found, "
           "though\nthe convex law has a solution; open: the rest\n\n  %-15s %-8s %8s",
           "class", "cone", "problems");
    for (int v = 0; v < VERDICTS; ++v) {
        printf(" %7s", verdict_names[v]);
    }
    printf(" %10s %10s %9s %9s\n", "worst cert", "judged", "mean us", "worst ms");
    for (int number = 0; number < CRN_GALLERY_CLASS_COUNT; ++number) {
        for (int cone = 0; cone < 2; ++cone) {
            print_counts(options, crn_gallery_class_name(number), cone_names[cone], &table[number][cone]);
        }
    }
    print_counts(options, "all classes", "", &all);
    const int unsolved = all.of[OTHER_LAW] + all.of[NOT_FOUND] + all.of[NOT_SOLVED] + all.of[NO_SOLUTION];
    printf("\n  called solved and false: %d: %s\n  unsolved: %.4f %%: %s\n", all.of[FALSE_CLAIM],
           bench_verdict_name(all.of[FALSE_CLAIM] == 0), 100.0 * unsolved / all.problems,
           bench_verdict_name(unsolved <= unsolved_most * all.problems));
    return true;
}
