/* section_speed.c -- `search` beside the peers, beside our own lemke-lex, and its spread for each problem size. */
#include "sections.h"

#include <math.h>
#include <stdlib.h>

#include "stats.h"

static const double rate_needed = 0.99;    /* a peer counts if it solves this share */
static const double contact_factor = 20.0; /* on contact with friction: so many times faster than the peer */
static const double lex_factor = 1.5;      /* search takes at most so many times lemke-lex */
static const double spread_factor = 5.0;   /* p99 at most so many times the median */
static const int spread_least = 20;        /* problems of a size below which quantiles say little */

/* The fastest peer with the needed rate on a family; -1 if there is none. */
static int fastest_peer(const bench_results *results, int family)
{
    int best = -1;
    double best_median = 0.0;
    for (int e = 0; e < results->entrant_count; ++e) {
        bench_summary s = bench_summarise(results, family, e);
        int offered = s.problems + s.declined;
        if (!results->entrants[e].peer || offered == 0 || s.right < rate_needed * offered) {
            continue;
        }
        if (best < 0 || s.median < best_median) {
            best = e;
            best_median = s.median;
        }
    }
    return best;
}

/* The peer that solves most of a family; -1 if none solves any. */
static int surest_peer(const bench_results *results, int family)
{
    int best = -1;
    double best_rate = 0.0;
    for (int e = 0; e < results->entrant_count; ++e) {
        bench_summary s = bench_summarise(results, family, e);
        int offered = s.problems + s.declined;
        if (results->entrants[e].peer && offered > 0 && s.right > best_rate * offered) {
            best = e;
            best_rate = (double)s.right / offered;
        }
    }
    return best;
}

/* One line: search and the peer over the problems that both solved. Returns whether the aim is met. */
static bool print_against_peer(const bench_results *results, int family, int search)
{
    const crn_gallery_family *f = results->sets[family].family;
    int fast = fastest_peer(results, family);
    int peer = fast >= 0 ? fast : surest_peer(results, family);
    if (peer < 0) {
        printf("  %-18s no peer solves any\n", f->name);
        return true;
    }
    double medians[2];
    bench_results_pair(results, family, peer, search, medians);
    bench_summary theirs = bench_summarise(results, family, peer);
    double ratio = medians[0] / medians[1];
    double aim = f->is_contact ? contact_factor : 1.0;
    bool is_met = fast < 0 || ratio >= aim;
    int offered = theirs.problems + theirs.declined;
    printf("  %-18s %10.2f  %-18s %6d %7d %6.1f %12.2f %10.1f %6.0f  %s\n", f->name, 1e6 * medians[1],
           results->entrants[peer].name, offered, theirs.timeout, 100.0 * theirs.right / offered, 1e6 * medians[0],
           ratio, aim, fast < 0 ? "met: no peer solves 99 %" : bench_verdict_name(is_met));
    return is_met;
}

static bool has_peers(const bench_results *results)
{
    return results->entrant_count > 0 && results->entrants[results->entrant_count - 1].peer;
}

static void print_peers(const bench_results *results, int search)
{
    bool is_met = true;
    printf("\nsearch and the fastest peer that solves 99 %% (none: the surest); over the problems both solved\n");
    printf("  %-18s %10s  %-18s %6s %7s %6s %12s %10s %6s\n", "family", "search us", "peer", "done", "timeout", "% ok",
           "peer us", "peer/ours", "aim");
    for (int f = 0; f < results->family_count; ++f) {
        if (results->sets[f].is_plain && results->sets[f].family->truth == CRN_GALLERY_SOLVABLE) {
            is_met = print_against_peer(results, f, search) && is_met;
        }
    }
    printf("  all families: %s\n", bench_verdict_name(is_met));
}

static void print_lex(const bench_results *results, int search, int lex)
{
    bool all_met = true;
    printf("\nsearch and lemke-lex 1e-8 over the problems both solved; aim: at most %.1f\n", lex_factor);
    printf("  %-18s %8s %12s %12s %12s\n", "family", "problems", "search us", "lex us", "search/lex");
    for (int f = 0; f < results->family_count; ++f) {
        double medians[2];
        int count = bench_results_pair(results, f, search, lex, medians);
        if (count == 0) {
            printf("  %-18s %8d\n", results->sets[f].family->name, count);
            continue;
        }
        double ratio = medians[0] / medians[1];
        all_met = all_met && ratio <= lex_factor;
        printf("  %-18s %8d %12.2f %12.2f %12.3f  %s\n", results->sets[f].family->name, count, 1e6 * medians[0],
               1e6 * medians[1], ratio, bench_verdict_name(ratio <= lex_factor));
    }
    printf("  all families: %s\n", bench_verdict_name(all_met));
}

/* The times of the problems of order n that were answered rightly. */
static int times_of_size(const bench_set *set, const bench_record *records, int n, double *times)
{
    int count = 0;
    for (int k = 0; k < set->count; ++k) {
        if (set->items[k].n == n && records[k].is_right) {
            times[count++] = records[k].seconds;
        }
    }
    return count;
}

/* One line per size of a family. Returns whether all sizes with enough problems keep the aim. */
static bool print_sizes(const bench_set *set, const bench_record *records)
{
    bool is_met = true;
    double *times = calloc((size_t)set->count + 1, sizeof *times);
    for (int n = set->n_least; times && n <= set->n_most; ++n) {
        int count = times_of_size(set, records, n, times);
        if (count == 0) {
            continue;
        }
        double median = bench_median(times, count);
        double p99 = bench_quantile(times, count, 0.99);
        bool is_small = count < spread_least;
        is_met = is_met && (is_small || p99 <= spread_factor * median);
        printf("  %-18s %6d %8d %12.2f %12.2f %8.2f  %s\n", set->family->name, n, count, 1e6 * median, 1e6 * p99,
               p99 / median, is_small ? "few" : bench_verdict_name(p99 <= spread_factor * median));
    }
    free(times);
    return is_met;
}

static void print_spread(const bench_results *results, int search)
{
    bool is_met = true;
    printf("\nSpread of search for each problem size; aim: p99 at most %.0f times the median, "
           "judged from %d problems on\n",
           spread_factor, spread_least);
    printf("  %-18s %6s %8s %12s %12s %8s\n", "family", "n", "problems", "median us", "p99 us", "ratio");
    for (int f = 0; f < results->family_count; ++f) {
        is_met = print_sizes(&results->sets[f], bench_results_at(results, f, search)) && is_met;
    }
    printf("  all sizes: %s\n", bench_verdict_name(is_met));
}

void bench_section_speed(const bench_results *results)
{
    int search = bench_results_find(results, "search");
    int lex = bench_results_find(results, "lemke-lex 1e-8");
    printf("\n=== Speed ===\n");
    if (has_peers(results)) {
        print_peers(results, search);
    }
    print_lex(results, search, lex);
    print_spread(results, search);
}
