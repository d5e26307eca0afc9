/* section_success.c -- who solves what, and how the others fail; in the spirit of Yamane's Table I. */
#include "sections.h"

#include <math.h>

static double per_cent(int part, int whole)
{
    return whole > 0 ? 100.0 * part / whole : (double)NAN;
}

static void print_entrant(const bench_results *results, int family, int entrant)
{
    bench_summary s = bench_summarise(results, family, entrant);
    const char *name = results->entrants[entrant].name;
    if (s.problems == 0) {
        printf("  %-18s %8s\n", name, s.declined ? "declined" : "-");
        return;
    }
    printf("  %-18s %8d %8.2f %6d %6d %6d %6d %8d %6d %7d %6d %10.1e %12.2f\n", name, s.problems,
           per_cent(s.right, s.problems), s.wrong, s.silent, s.ray, s.limit, s.singular, s.stalled, s.timeout, s.crash,
           s.worst, 1e6 * s.median);
}

void bench_print_family(const bench_results *results, int family)
{
    const bench_set *set = &results->sets[family];
    bool is_solvable = set->family->truth == CRN_GALLERY_SOLVABLE;
    printf("%s\n%s: %s; n = %d..%d\n", family == 0 ? "\n=== Success ===\n" : "", set->family->name, set->family->what,
           set->n_least, set->n_most);
    printf("  %-18s %8s %8s %6s %6s %6s %6s %8s %6s %7s %6s %10s %12s\n", "", "problems",
           is_solvable ? "% solved" : "% so", "false", "silent", "ray", "limit", "singular", "stalled", "timeout",
           "crash", "worst cert", "median us");
    for (int e = 0; e < results->entrant_count; ++e) {
        print_entrant(results, family, e);
    }
    fflush(stdout);
}

/* Entrants by families, per cent right. */
static void print_overview(const bench_results *results)
{
    printf("\nPer cent right (solved and judged so; without a solution: said so), families as numbered\n");
    for (int f = 0; f < results->family_count; ++f) {
        printf("  %2d %s\n", f + 1, results->sets[f].family->name);
    }
    printf("  %-18s", "");
    for (int f = 0; f < results->family_count; ++f) {
        printf(" %5d", f + 1);
    }
    printf("\n");
    for (int e = 0; e < results->entrant_count; ++e) {
        printf("  %-18s", results->entrants[e].name);
        for (int f = 0; f < results->family_count; ++f) {
            bench_summary s = bench_summarise(results, f, e);
            if (s.problems) {
                printf(" %5.1f", per_cent(s.right, s.problems));
            } else {
                printf(" %5s", "-");
            }
        }
        printf("\n");
    }
}

/* All families together: problems, right, false. */
static bench_summary total_of(const bench_results *results, int entrant)
{
    bench_summary total = {.worst = 0.0};
    for (int f = 0; f < results->family_count; ++f) {
        bench_summary s = bench_summarise(results, f, entrant);
        total.problems += s.problems;
        total.right += s.right;
        total.wrong += s.wrong;
        total.worst = fmax(total.worst, s.worst);
    }
    return total;
}

static void print_all_solved(const bench_results *results, const char *name)
{
    int entrant = bench_results_find(results, name);
    bench_summary total = total_of(results, entrant);
    printf("  %s: %d of %d right, worst certificate %.1e: %s\n", name, total.right, total.problems, total.worst,
           bench_verdict_name(total.right == total.problems));
}

static void print_verdicts(const bench_results *results)
{
    int wrong = 0;
    for (int e = 0; e < results->entrant_count; ++e) {
        wrong += results->entrants[e].peer ? 0 : total_of(results, e).wrong;
    }
    printf("\nVerdicts\n");
    print_all_solved(results, "search");
    print_all_solved(results, "auto");
    printf("  false answers of all our methods: %d: %s\n", wrong, bench_verdict_name(wrong == 0));
    for (int e = 0; e < results->entrant_count; ++e) {
        if (results->entrants[e].peer) {
            bench_summary total = total_of(results, e);
            printf("  false answers of %s: %d of %d\n", results->entrants[e].name, total.wrong, total.problems);
        }
    }
}

void bench_section_success(const bench_results *results)
{
    print_overview(results);
    print_verdicts(results);
}

const char *bench_verdict_name(bool is_met)
{
    return is_met ? "met" : "NOT MET";
}
