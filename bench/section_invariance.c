/* section_invariance.c -- the same outcome after permuting the problem and scaling its rows and columns. */
#include "sections.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "judge.h"
#include "progress.h"

static const double scale_decades = 6.0; /* rows and columns are scaled by up to 10 to this power, either way */
static const double tol = 1e-9;
static const uint64_t change_seed = 20260; /* added to the problem's own */

/* Room for one family. */
typedef struct change_room {
    crn_workspace workspace;
    int *permutation;
    double *row_scale, *column_scale;
    double *z;
} change_room;

typedef struct change_count {
    int problems;
    int permuted, permuted_same;
    int scaled, scaled_same;
} change_count;

static void room_free(change_room *room)
{
    crn_workspace_free(&room->workspace);
    free(room->permutation);
    free(room->row_scale);
    free(room->column_scale);
    free(room->z);
}

static bool room_make(int n_most, change_room *room)
{
    size_t n = (size_t)n_most + 1;
    *room = (change_room){.permutation = calloc(n, sizeof(int)), .row_scale = calloc(n, sizeof(double))};
    room->column_scale = calloc(n, sizeof(double));
    room->z = calloc(n, sizeof(double));
    return room->permutation && room->row_scale && room->column_scale && room->z;
}

/* A permutation drawn by Fisher and Yates, and scales whose logarithms are uniform. */
static void draw_change(crn_random *random, int n, change_room *room)
{
    for (int i = 0; i < n; ++i) {
        int j = crn_random_below(random, i + 1);
        room->permutation[i] = room->permutation[j];
        room->permutation[j] = i;
        room->row_scale[i] = pow(10.0, crn_random_uniform(random, -scale_decades, scale_decades));
        room->column_scale[i] = pow(10.0, crn_random_uniform(random, -scale_decades, scale_decades));
    }
}

/* The outcome of search; "solved" only counts if the judge agrees. */
static crn_lcp_outcome outcome_of(const crn_lcp_problem *problem, change_room *room)
{
    crn_lcp_options options = crn_lcp_options_default(CRN_LCP_SEARCH);
    crn_lcp_solution solution = {.z = room->z};
    crn_lcp_result result = {0};
    crn_lcp_solve(problem, &options, &room->workspace, &solution, &result, NULL);
    if (result.outcome == CRN_LCP_SOLVED && !bench_judge(problem, room->z, tol, &room->workspace).is_solution) {
        return CRN_LCP_STALLED;
    }
    return result.outcome;
}

/* Is the outcome of the changed problem `expected`? */
static bool is_same(const crn_lcp_problem *problem, bool with_scales, crn_lcp_outcome expected, change_room *room)
{
    crn_lcp_data changed = {0};
    crn_error error = {0};
    if (crn_gallery_transform(problem, room->permutation, with_scales ? room->row_scale : NULL,
                              with_scales ? room->column_scale : NULL, &changed, &error) != CRN_OK) {
        fprintf(stderr, "bench_lcp: transform: %s\n", error.text);
        return false;
    }
    crn_lcp_outcome outcome = outcome_of(&changed.problem, room);
    crn_lcp_data_free(&changed);
    return outcome == expected;
}

static void change_problem(const crn_lcp_problem *problem, uint64_t seed, int changes, change_room *room,
                           change_count *count)
{
    crn_random random = crn_random_seed(seed);
    crn_lcp_outcome expected = outcome_of(problem, room);
    ++count->problems;
    for (int k = 0; k < changes; ++k) {
        draw_change(&random, problem->n, room);
        ++count->permuted;
        count->permuted_same += is_same(problem, false, expected, room);
        ++count->scaled;
        count->scaled_same += is_same(problem, true, expected, room);
    }
}

static bool change_family(const bench_set *set, const bench_options *options, bool *is_met)
{
    change_room room;
    change_count count = {0};
    bool is_ok = room_make(set->n_most, &room);
    for (int k = 0; is_ok && k < set->count; ++k) {
        crn_lcp_data data;
        if (!bench_set_in_sample(set, k, options->change_count)) {
            continue;
        }
        is_ok = bench_set_build(set, k, &data);
        if (is_ok) {
            change_problem(&data.problem, change_seed + set->items[k].seed, options->changes, &room, &count);
            crn_lcp_data_free(&data);
            bench_progress(set->family->name, "invariance", k + 1, set->count);
        }
    }
    bench_progress_clear();
    if (is_ok) {
        *is_met = count.permuted_same == count.permuted && count.scaled_same == count.scaled;
        printf("  %-18s %8d %10d %10d %10d %10d  %s\n", set->family->name, count.problems, count.permuted,
               count.permuted_same, count.scaled, count.scaled_same, bench_verdict_name(*is_met));
        fflush(stdout);
    }
    room_free(&room);
    return is_ok;
}

bool bench_section_invariance(const bench_options *options)
{
    int count = 0;
    bool is_ok = true;
    bool all_met = true;
    const crn_gallery_family *families = crn_gallery_families(&count);
    printf("\n=== Outcome of search after permuting, and after permuting and scaling by up to 1e+-%.0f ===\n\n",
           scale_decades);
    printf("  %-18s %8s %10s %10s %10s %10s\n", "family", "problems", "permuted", "same", "scaled", "same");
    for (int k = 0; is_ok && k < count; ++k) {
        bench_set set;
        bool is_met = true;
        if (options->family && strcmp(options->family, families[k].name) != 0) {
            continue;
        }
        is_ok = bench_set_open(&families[k], options->seeds, options->seed_count, options->count, &set) &&
                change_family(&set, options, &is_met);
        all_met = all_met && is_met;
        bench_set_close(&set);
    }
    printf("  all families: %s\n", bench_verdict_name(all_met));
    return is_ok;
}
