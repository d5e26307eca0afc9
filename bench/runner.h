/* runner.h -- let an entrant solve a family, in a process of its own.
 *
 * A worker is forked; it builds, solves and times one problem after another and leaves answers in shared memory. When
 * a solve exceeds the time limit the worker is killed, when it crashes or ends it is gone: either way the problem
 * counts as failed and a new worker goes on with the next. What a worker prints is dropped. */
#ifndef BENCH_RUNNER_H
#define BENCH_RUNNER_H

#include <stdbool.h>

#include "entrant.h"
#include "problem_set.h"

/** How the solve of one problem ended, as far as the process is concerned. */
typedef enum bench_end {
    BENCH_NOT_RUN = 0, /* not a problem that a peer can read, or left out for want of time */
    BENCH_RETURNED,
    BENCH_DECLINED,
    BENCH_TIMEOUT,
    BENCH_CRASH
} bench_end;

typedef struct bench_record {
    bench_end end;
    bool is_claimed;         /* the entrant says that it has solved the problem */
    crn_lcp_outcome outcome; /* ours; of a peer SOLVED or UNSOLVED */
    crn_lcp_proof proof;     /* ours */
    int pivots;
    double seconds; /* of one solve */

    /* filled by the judge in the parent */
    bool is_right;   /* claimed and a solution; or, where there is none, not claimed */
    bool is_false;   /* claimed, but not a solution */
    bool is_silent;  /* a solution, but not claimed */
    double relative; /* certificate of z, if claimed */
} bench_record;

typedef struct bench_limits {
    int repeat;        /* a time is the median of so many solves, after one to warm up */
    double time_limit; /* seconds of a single solve */
    double budget;     /* seconds for a family, after which the rest is left out; 0: no end */
} bench_limits;

/** Run and judge. records has set->count entries. false: the system refused memory or processes. */
bool bench_run(const bench_set *set, const bench_entrant *entrant, const bench_limits *limits, bench_record *records);

#endif
