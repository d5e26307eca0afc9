/* results.h -- all families by all entrants: what the sections on success and speed read. */
#ifndef BENCH_RESULTS_H
#define BENCH_RESULTS_H

#include <stdio.h>

#include "options.h"
#include "runner.h"

/** How an entrant did on a family. */
typedef struct bench_summary {
    int problems;                      /* that it got and did not decline */
    int right;                         /* solved (claimed and judged so), or where there is no solution: said so */
    int wrong;                         /* false "solved" (or "infeasible" where there is a solution) */
    int silent;                        /* a solution that was not claimed as one */
    int ray, limit, singular, stalled; /* outcomes of ours; stalled of a peer: it gave up */
    int timeout, crash, declined;
    double worst;       /* largest relative certificate among the right ones; not-a-number if none */
    double median, p99; /* seconds, over the right ones; not-a-number if none */
} bench_summary;

typedef struct bench_results {
    int family_count;
    bench_set *sets;
    int entrant_count;
    bench_entrant entrants[BENCH_MAX_ENTRANTS];
    bench_record **records; /* of family f and entrant e: records[f * entrant_count + e] */
} bench_results;

/** Called when all entrants are through with a family. */
typedef void bench_after_family(const bench_results *results, int family);

/** Run everything that the options ask for; after_family may be NULL. false: a message was printed. */
bool bench_results_collect(const bench_options *options, bench_after_family *after_family, bench_results *results);

void bench_results_free(bench_results *results);

const bench_record *bench_results_at(const bench_results *results, int family, int entrant);

bench_summary bench_summarise(const bench_results *results, int family, int entrant);

/** Index of the entrant of that name; -1 if it does not take part. */
int bench_results_find(const bench_results *results, const char *name);

/** Medians, in seconds, of two entrants over the problems of a family that both solved; count of these. */
int bench_results_pair(const bench_results *results, int family, int left, int right, double medians[2]);

/** Write one line per family and entrant as comma-separated values. */
void bench_results_write(const bench_results *results, FILE *file);

#endif
