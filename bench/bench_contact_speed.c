/* bench_contact_speed.c -- contact states from whitened problems: beside guide values, beside door 1's search on the
 * assembled problem and beside the peers on the same batch. */
#include "bench_contact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gallery_scene.h"
#include "progress.h"
#include "results.h"
#include "sections.h"
#include "stats.h"

static const double rate_needed = 0.99;   /* a peer counts if it solves this share */
static const double peer_factor = 1000.0; /* aim: so many times faster than the fastest such peer, with friction */
static const double guide_factor = 1.5;   /* aim: at most so many times a prototype's time */

/* --- Guide values --- */

/* A problem of which a prototype's time is known: a family's problems with so many contacts, or a tower. */
typedef struct guide {
    const char *name, *family; /* family NULL: a tower of `contacts` blocks */
    int contacts;              /* 0: all problems of the family */
    int first, step;           /* index of the first problem, and from one to the next; step 0: all */
    double cold_us, warm_us;   /* 0: not told */
} guide;

static const guide guides[] = {
    {"peg, 32 contacts", "peg", 32, 0, 0, 2.8, 0.0},
    {"single bodies", "single", 0, 0, 0, 1.6, 0.0},
    {"frames", "frames", 0, 0, 0, 0.7, 0.0},
    {"stack of 5 blocks", "stacks", 20, 7, 10, 77.0, 3.6},
    {"chain, 60 contacts", "chain", 60, 0, 0, 270.0, 0.0},
    {"humanoid", "humanoid", 0, 0, 0, 8.0, 0.0},
    {"tower of 40 blocks", NULL, 40, 0, 1, 12000.0, 400.0},
};
enum { GUIDES = sizeof guides / sizeof guides[0] };

/* Times of the problems of one row. */
typedef struct guide_times {
    double *call, *solving, *warm;
    int count, solved;
} guide_times;

static bool guide_problem(const guide *g, const crn_gallery_family *family, int index, uint64_t seed,
                          crn_gallery_contact_problem *problem)
{
    crn_gallery_contacts list = {0};
    crn_error error;
    bool is_ok = family ? family->make_whitened(index, seed, problem, &error) == CRN_OK
                        : crn_gallery_tower(g->contacts, seed, &list, &error) == CRN_OK &&
                              crn_gallery_contacts_whitened(&list, problem, &error) == CRN_OK;
    if (!is_ok) {
        fprintf(stderr, "bench_contact: %s\n", error.text);
    }
    return is_ok;
}

static bool time_guide(const guide *g, const bench_contact_options *options, guide_times *t)
{
    const crn_gallery_family *family = g->family ? crn_gallery_find(g->family) : NULL;
    int per_seed = family ? family->default_count : 2, step = g->step > 0 ? g->step : 1;
    bench_contact_room room = {0};
    bool is_ok = true;
    for (int s = 0; s < options->common.seed_count && s < 3; ++s) {
        for (int index = g->first; index < per_seed && is_ok; index += step) {
            uint64_t seed = options->common.seeds[s] + (family ? 0 : 100 * (uint64_t)index);
            crn_gallery_contact_problem problem = {0};
            bench_contact_answer answer = {0};
            double pivots;
            is_ok = guide_problem(g, family, index, seed, &problem);
            bool is_asked = is_ok && (!family || g->contacts == 0 || problem.problem.contacts == g->contacts);
            if (is_asked) {
                is_ok =
                    bench_contact_solve(&problem.problem, options->common.repeat + 1, &room, &answer) &&
                    bench_contact_warm(&problem.problem, options->common.repeat, &room, &t->warm[t->count], &pivots);
                t->call[t->count] = answer.seconds;
                t->solving[t->count++] = answer.solving;
                t->solved += answer.is_right;
            }
            crn_gallery_contact_free(&problem);
            bench_progress(g->name, "contact states", index + 1, per_seed);
        }
    }
    bench_progress_clear();
    bench_contact_room_free(&room);
    return is_ok;
}

static bool print_guide(const guide *g, const bench_contact_options *options, guide_times *t)
{
    double call = 1e6 * bench_median(t->call, t->count), solving = 1e6 * bench_median(t->solving, t->count);
    double warm = 1e6 * bench_median(t->warm, t->count);
    bool is_met = solving <= guide_factor * g->cold_us && (g->warm_us == 0.0 || warm <= guide_factor * g->warm_us);
    printf("  %-20s %8d %10.2f %10.2f %10.1f %7.2f %10.2f ", g->name, t->count, call, solving, g->cold_us,
           solving / g->cold_us, warm);
    if (g->warm_us > 0.0) {
        printf("%10.1f %7.2f  ", g->warm_us, warm / g->warm_us);
    } else {
        printf("%10s %7s  ", "-", "-");
    }
    printf("%s%s\n", bench_verdict_name(is_met), t->solved == t->count ? "" : ", NOT ALL SOLVED");
    bench_contact_note(options, "guide", g->name, "call_us", call);
    bench_contact_note(options, "guide", g->name, "solving_us", solving);
    bench_contact_note(options, "guide", g->name, "warm_us", warm);
    bench_contact_note(options, "guide", g->name, "guide_us", g->cold_us);
    return is_met;
}

static bool print_guides(const bench_contact_options *options)
{
    enum { MOST = 3 * 256 };
    double *times = calloc(3 * MOST, sizeof *times);
    bool is_ok = times != NULL, all_met = true;
    printf(
        "\nContact states from whitened problems beside a prototype's times (fast-math, native CPU); aim: solving at "
        "most %.1f times\n",
        guide_factor);
    printf("call: the whole; solving: without checks, copying, islands; warm: the free velocity changed by 1 %%\n");
    printf("  %-20s %8s %10s %10s %10s %7s %10s %10s %7s\n", "", "problems", "call us", "solving us", "guide us",
           "ratio", "warm us", "guide us", "ratio");
    for (int k = 0; k < GUIDES && is_ok; ++k) {
        guide_times t = {times, times + MOST, times + 2 * MOST, 0, 0};
        if (options->common.family && (!guides[k].family || strcmp(options->common.family, guides[k].family) != 0)) {
            continue;
        }
        is_ok = time_guide(&guides[k], options, &t);
        all_met = is_ok && print_guide(&guides[k], options, &t) && all_met;
    }
    printf("  all: %s\n", bench_verdict_name(all_met));
    free(times);
    return is_ok;
}

/* --- Beside door 1 and the peers --- */

/* Our times of all problems of a set; not-a-number where the answer is not right. */
static bool time_set(const bench_set *set, int repeat, double *call, double *warm)
{
    bench_contact_room room = {0};
    bool is_ok = true;
    for (int k = 0; k < set->count && is_ok; ++k) {
        crn_gallery_contact_problem problem = {0};
        crn_lcp_data lcp;
        bench_contact_answer answer = {0};
        crn_error error;
        double pivots;
        is_ok = set->family->make_whitened(set->items[k].index, set->items[k].seed, &problem, &error) == CRN_OK &&
                bench_contact_solve(&problem.problem, repeat + 1, &room, &answer) && bench_set_build(set, k, &lcp);
        if (is_ok) {
            is_ok = bench_contact_judge(&problem.problem, &lcp.problem, &room, &answer) &&
                    bench_contact_warm(&problem.problem, repeat, &room, &warm[k], &pivots);
            crn_lcp_data_free(&lcp);
        }
        call[k] = is_ok && answer.is_right ? answer.seconds : (double)NAN;
        crn_gallery_contact_free(&problem);
        bench_progress(set->family->name, "contact states", k + 1, set->count);
    }
    bench_progress_clear();
    bench_contact_room_free(&room);
    return is_ok;
}

/* Medians of ours and of an entrant over the problems that both solved. */
static int pair(const bench_results *results, int entrant, const double *call, double medians[2])
{
    const bench_record *records = bench_results_at(results, 0, entrant);
    size_t most = (size_t)results->sets[0].count + 1;
    double *times = calloc(2 * most, sizeof *times);
    int count = 0;
    for (int k = 0; times && k < results->sets[0].count; ++k) {
        if (records[k].is_right && isfinite(call[k])) {
            times[count] = call[k];
            times[most + (size_t)count++] = records[k].seconds;
        }
    }
    medians[0] = bench_median(times, count);
    medians[1] = bench_median(times ? times + most : NULL, count);
    free(times);
    return count;
}

static double share_of(const bench_results *results, int entrant)
{
    bench_summary s = bench_summarise(results, 0, entrant);
    int offered = s.problems + s.declined;
    return offered > 0 ? (double)s.right / offered : 0.0;
}

/* The fastest peer with the needed share (*has_share), else the surest; -1 if none solves any. */
static int choose_peer(const bench_results *results, bool *has_share)
{
    int fastest = -1, surest = -1;
    for (int e = 0; e < results->entrant_count; ++e) {
        double share = share_of(results, e);
        if (!results->entrants[e].peer || share == 0.0) {
            continue;
        }
        double median = bench_summarise(results, 0, e).median;
        if (share >= rate_needed && (fastest < 0 || median < bench_summarise(results, 0, fastest).median)) {
            fastest = e;
        }
        surest = surest < 0 || share > share_of(results, surest) ? e : surest;
    }
    *has_share = fastest >= 0;
    return *has_share ? fastest : surest;
}

static bool print_beside(const bench_contact_options *options, const bench_results *results, const double *call,
                         double *warm)
{
    const crn_gallery_family *family = results->sets[0].family;
    double of_search[2], of_peer[2] = {(double)NAN, (double)NAN};
    bool has_share = false, is_met = true;
    int search = bench_results_find(results, "search"), peer = choose_peer(results, &has_share);
    pair(results, search, call, of_search);
    double ratio = of_search[1] / of_search[0], warm_us = 1e6 * bench_median(warm, results->sets[0].count);
    printf("  %-16s %10.2f %10.2f %10.2f %8.1f  ", family->name, 1e6 * of_search[0], warm_us, 1e6 * of_search[1],
           ratio);
    bench_contact_note(options, "speed", family->name, "states_us", 1e6 * of_search[0]);
    bench_contact_note(options, "speed", family->name, "states_warm_us", warm_us);
    bench_contact_note(options, "speed", family->name, "search_us", 1e6 * of_search[1]);
    if (peer >= 0) {
        pair(results, peer, call, of_peer);
        is_met = !has_share || !family->is_contact || of_peer[1] / of_peer[0] >= peer_factor;
        printf("%-18s %6.1f %12.2f %10.1f  ", results->entrants[peer].name, 100.0 * share_of(results, peer),
               1e6 * of_peer[1], of_peer[1] / of_peer[0]);
        bench_contact_note(options, "speed", family->name, results->entrants[peer].name, 1e6 * of_peer[1]);
        bench_contact_note(options, "speed", family->name, "peer_ratio", of_peer[1] / of_peer[0]);
    }
    const char *verdict = has_share ? bench_verdict_name(is_met) : "met: no peer solves 99 %";
    verdict = peer < 0 ? "no peer solves any" : verdict;
    printf("%s\n", options->common.with_peers ? verdict : "peers left out");
    fflush(stdout);
    return is_met;
}

static bool beside_family(const bench_contact_options *options, const crn_gallery_family *family, bool *is_met)
{
    bench_options limited = options->common;
    bench_results results;
    limited.family = family->name;
    limited.sections = BENCH_SPEED;
    limited.seed_count = limited.seed_count < 3 ? limited.seed_count : 3;
    bool is_ok = bench_results_collect(&limited, NULL, &results);
    if (is_ok) {
        size_t count = (size_t)results.sets[0].count + 1;
        double *call = calloc(count, sizeof *call), *warm = calloc(count, sizeof *warm);
        is_ok = call && warm && time_set(&results.sets[0], options->common.repeat, call, warm);
        *is_met = is_ok && print_beside(options, &results, call, warm);
        free(call);
        free(warm);
    }
    bench_results_free(&results);
    return is_ok;
}

bool bench_contact_speed(const bench_contact_options *options)
{
    int count;
    const crn_gallery_family *families = crn_gallery_families(&count);
    bool is_ok, all_met = true;
    printf("\n=== Speed ===\n");
    is_ok = print_guides(options);
    printf("\nContact states beside door 1's search and the fastest peer that solves 99 %% (none: the surest), whole "
           "calls, "
           "over the problems both solved;\naim: %.0f times such a peer on problems with friction\n",
           peer_factor);
    printf("  %-16s %10s %10s %10s %8s  %-18s %6s %12s %10s\n", "family", "states us", "warm us", "search us", "ratio",
           "peer", "% ok", "peer us", "peer/ours");
    for (int f = 0; f < count && is_ok; ++f) {
        bool is_met = true;
        if (families[f].make_contact &&
            (!options->common.family || strcmp(options->common.family, families[f].name) == 0)) {
            is_ok = beside_family(options, &families[f], &is_met);
            all_met = all_met && is_met;
        }
    }
    printf("  all families: %s\n", bench_verdict_name(all_met));
    return is_ok;
}
