/* results.c -- all families by all entrants. */
#include "results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "progress.h"
#include "stats.h"

static bool collect_family(const bench_options *options, bench_results *results, int family)
{
    bench_limits limits = {.repeat = options->repeat, .time_limit = options->time_limit};
    bench_set *set = &results->sets[family];
    for (int e = 0; e < results->entrant_count; ++e) {
        bench_record *records = calloc((size_t)set->count + 1, sizeof *records);
        results->records[family * results->entrant_count + e] = records;
        bool is_complete = results->entrants[e].is_timed && !results->entrants[e].peer;
        limits.budget = is_complete ? 0.0 : options->budget;
        bench_progress(set->family->name, results->entrants[e].name, 0, set->count);
        if (!records || !bench_run(set, &results->entrants[e], &limits, records)) {
            fprintf(stderr, "bench_lcp: no memory or no process for %s\n", results->entrants[e].name);
            return false;
        }
    }
    return true;
}

bool bench_results_collect(const bench_options *options, bench_after_family *after_family, bench_results *results)
{
    int count = 0;
    const crn_gallery_family *families = crn_gallery_families(&count);
    *results = (bench_results){0};
    results->entrant_count =
        bench_entrants(options->with_peers, !(options->sections & BENCH_SUCCESS), results->entrants);
    results->sets = calloc((size_t)count + 1, sizeof *results->sets);
    results->records = calloc((size_t)(count * results->entrant_count) + 1, sizeof *results->records);
    bool is_ok = results->sets && results->records;
    for (int k = 0; is_ok && k < count; ++k) {
        if (options->family && strcmp(options->family, families[k].name) != 0) {
            continue;
        }
        int family = results->family_count;
        is_ok =
            bench_set_open(&families[k], options->seeds, options->seed_count, options->count, &results->sets[family]);
        if (is_ok) {
            ++results->family_count;
            is_ok = collect_family(options, results, family);
            bench_progress_clear();
        }
        if (is_ok && after_family) {
            after_family(results, family);
        }
    }
    return is_ok;
}

void bench_results_free(bench_results *results)
{
    for (int k = 0; k < results->family_count * results->entrant_count; ++k) {
        free(results->records[k]);
    }
    for (int k = 0; k < results->family_count; ++k) {
        bench_set_close(&results->sets[k]);
    }
    free(results->records);
    free(results->sets);
    *results = (bench_results){0};
}

const bench_record *bench_results_at(const bench_results *results, int family, int entrant)
{
    return results->records[family * results->entrant_count + entrant];
}

int bench_results_find(const bench_results *results, const char *name)
{
    for (int e = 0; e < results->entrant_count; ++e) {
        if (strcmp(results->entrants[e].name, name) == 0) {
            return e;
        }
    }
    return -1;
}

/* Count how the run of one problem ended. */
static void count_end(bench_summary *sum, const bench_record *record)
{
    sum->timeout += record->end == BENCH_TIMEOUT;
    sum->crash += record->end == BENCH_CRASH;
    sum->declined += record->end == BENCH_DECLINED;
    sum->problems += record->end != BENCH_NOT_RUN && record->end != BENCH_DECLINED;
    if (record->end != BENCH_RETURNED) {
        return;
    }
    sum->right += record->is_right;
    sum->wrong += record->is_false;
    sum->silent += record->is_silent;
    sum->ray += record->outcome == CRN_LCP_RAY;
    sum->limit += record->outcome == CRN_LCP_LIMIT;
    sum->singular += record->outcome == CRN_LCP_SINGULAR;
    sum->stalled += record->outcome == CRN_LCP_STALLED || record->outcome == CRN_LCP_UNSOLVED;
}

bench_summary bench_summarise(const bench_results *results, int family, int entrant)
{
    const bench_set *set = &results->sets[family];
    const bench_record *records = bench_results_at(results, family, entrant);
    bench_summary sum = {.worst = (double)NAN, .median = (double)NAN, .p99 = (double)NAN};
    double *times = calloc((size_t)set->count + 1, sizeof *times);
    int count = 0;
    for (int k = 0; k < set->count; ++k) {
        count_end(&sum, &records[k]);
        if (!records[k].is_right) {
            continue;
        }
        if (records[k].is_claimed) {
            sum.worst = fmax(sum.worst, records[k].relative); /* fmax passes over not-a-number */
        }
        if (times) {
            times[count++] = records[k].seconds;
        }
    }
    sum.median = bench_median(times, count);
    sum.p99 = bench_quantile(times, count, 0.99);
    free(times);
    return sum;
}

int bench_results_pair(const bench_results *results, int family, int left, int right, double medians[2])
{
    const bench_record *a = bench_results_at(results, family, left);
    const bench_record *b = bench_results_at(results, family, right);
    size_t most = (size_t)results->sets[family].count + 1;
    double *times = calloc(2 * most, sizeof *times);
    int count = 0;
    for (int k = 0; times && k < results->sets[family].count; ++k) {
        if (a[k].is_right && b[k].is_right) {
            times[count] = a[k].seconds;
            times[most + (size_t)count] = b[k].seconds;
            ++count;
        }
    }
    medians[0] = bench_median(times, count);
    medians[1] = bench_median(times ? times + most : NULL, count);
    free(times);
    return count;
}

void bench_results_write(const bench_results *results, FILE *file)
{
    fprintf(file, "machine,compiler,family,entrant,version,problems,right,false,silent,ray,limit,singular,stalled,"
                  "timeout,crash,declined,worst_certificate,median_us,p99_us\n");
    for (int f = 0; f < results->family_count; ++f) {
        for (int e = 0; e < results->entrant_count; ++e) {
            bench_summary s = bench_summarise(results, f, e);
            fprintf(file, "\"%s\",\"%s\",%s,%s,%s,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%.3g,%.4g,%.4g\n",
                    bench_machine_cpu(), bench_machine_compiler(), results->sets[f].family->name,
                    results->entrants[e].name, results->entrants[e].version, s.problems, s.right, s.wrong, s.silent,
                    s.ray, s.limit, s.singular, s.stalled, s.timeout, s.crash, s.declined, s.worst, 1e6 * s.median,
                    1e6 * s.p99);
        }
    }
}
