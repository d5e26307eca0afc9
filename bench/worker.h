/* worker.h -- the child's side of runner.h. */
#ifndef BENCH_WORKER_H
#define BENCH_WORKER_H

#include "runner.h"

/** Words that a worker sends through its pipe, in turn for each problem. */
enum { BENCH_WORD_START = 's', BENCH_WORD_DONE = 'd' };

/** Solves are repeated for the median while they all together take less than this. */
#define BENCH_REPEAT_SECONDS 0.03

typedef struct bench_job {
    const bench_set *set;
    const bench_entrant *entrant;
    int repeat;
    int sample;
    double time_limit;
    int first;             /* item to begin with */
    int timeouts;          /* in a row, up to now */
    bench_record *records; /* shared with the parent */
    double *z;             /* shared with the parent */
} bench_job;

/** The first item at or after `item` that this entrant gets; set->count if there is none. */
int bench_job_next(const bench_job *job, int item);

/** Solve from job->first on, then end the process. */
_Noreturn void bench_work(bench_job *job, int pipe_end);

#endif
