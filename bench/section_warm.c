/* section_warm.c -- a start from the right basis costs one factorisation and no pivot. */
#include "sections.h"

#include <stdlib.h>
#include <string.h>

#include "progress.h"
#include "stats.h"

/* Room for the answers of one family. */
typedef struct warm_room {
    crn_workspace workspace;
    double *z;
    unsigned char *basis;
    unsigned char *start;
    double *cold, *warm; /* seconds of each problem */
} warm_room;

typedef struct warm_count {
    int problems;
    int as_promised; /* one factorisation at most, no pivot */
    int lost;        /* not solved from the right basis */
    int timed;
} warm_count;

static void room_free(warm_room *room)
{
    crn_workspace_free(&room->workspace);
    free(room->z);
    free(room->basis);
    free(room->start);
    free(room->cold);
    free(room->warm);
}

static bool room_make(const bench_set *set, warm_room *room)
{
    size_t n = (size_t)set->n_most + 1;
    size_t count = (size_t)set->count + 1;
    *room = (warm_room){.z = calloc(n, sizeof(double)), .basis = calloc(n, 1), .start = calloc(n, 1)};
    room->cold = calloc(count, sizeof(double));
    room->warm = calloc(count, sizeof(double));
    return room->z && room->basis && room->start && room->cold && room->warm;
}

/* Solve `repeat` times; the last result and the median time. */
static double solve_timed(const crn_lcp_problem *problem, const crn_lcp_options *options, warm_room *room, int repeat,
                          crn_lcp_result *result)
{
    enum { MOST = 32 };
    double times[MOST];
    crn_lcp_solution solution = {.z = room->z, .basis = room->basis};
    int count = repeat < MOST ? repeat : MOST;
    for (int k = 0; k < count; ++k) {
        double start = crn_seconds();
        crn_lcp_solve(problem, options, &room->workspace, &solution, result, NULL);
        times[k] = crn_seconds() - start;
    }
    return bench_median(times, count);
}

static void warm_problem(const crn_lcp_problem *problem, int repeat, warm_room *room, warm_count *count)
{
    crn_lcp_options options = crn_lcp_options_default(CRN_LCP_SEARCH);
    crn_lcp_result result = {0};
    double cold = solve_timed(problem, &options, room, repeat, &result);
    if (result.outcome != CRN_LCP_SOLVED) {
        return;
    }
    memcpy(room->start, room->basis, (size_t)problem->n);
    options.start = room->start;
    double warm = solve_timed(problem, &options, room, repeat, &result);
    ++count->problems;
    count->lost += result.outcome != CRN_LCP_SOLVED;
    count->as_promised += result.outcome == CRN_LCP_SOLVED && result.refactorizations <= 1 && result.pivots == 0;
    room->cold[count->timed] = cold;
    room->warm[count->timed++] = warm;
}

static bool warm_family(const bench_set *set, int repeat, bool *is_met)
{
    warm_room room;
    warm_count count = {0};
    bool is_ok = room_make(set, &room);
    for (int k = 0; is_ok && k < set->count; ++k) {
        crn_lcp_data data;
        is_ok = bench_set_build(set, k, &data);
        if (is_ok) {
            warm_problem(&data.problem, repeat, &room, &count);
            crn_lcp_data_free(&data);
            bench_progress(set->family->name, "warm", k + 1, set->count);
        }
    }
    bench_progress_clear();
    if (is_ok) {
        double cold = bench_median(room.cold, count.timed);
        double warm = bench_median(room.warm, count.timed);
        *is_met = count.as_promised == count.problems;
        printf("  %-18s %8d %12d %6d %12.2f %12.2f %8.2f  %s\n", set->family->name, count.problems, count.as_promised,
               count.lost, 1e6 * cold, 1e6 * warm, cold / warm, bench_verdict_name(*is_met));
    }
    room_free(&room);
    return is_ok;
}

bool bench_section_warm(const bench_options *options)
{
    int count = 0;
    bool is_ok = true;
    bool all_met = true;
    const crn_gallery_family *families = crn_gallery_families(&count);
    printf("\n=== Warm start of search from the right basis ===\n\n");
    printf("  %-18s %8s %12s %6s %12s %12s %8s\n", "family", "problems", "1 fact, 0 piv", "lost", "cold us", "warm us",
           "cold/warm");
    for (int k = 0; is_ok && k < count; ++k) {
        bench_set set;
        bool is_met = true;
        if (families[k].truth != CRN_GALLERY_SOLVABLE ||
            (options->family && strcmp(options->family, families[k].name) != 0)) {
            continue;
        }
        is_ok = bench_set_open(&families[k], options->seeds, options->seed_count, options->count, &set) &&
                warm_family(&set, options->repeat, &is_met);
        all_met = all_met && is_met;
        bench_set_close(&set);
    }
    printf("  all families: %s\n", bench_verdict_name(all_met));
    return is_ok;
}
